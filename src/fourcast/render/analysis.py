"""What a solver has found, as a text for people."""

from __future__ import annotations

from fourcast._core import Analysis, Line, Result
from fourcast.notation import format_column, format_moves
from fourcast.render.text import SIDES, Style
from fourcast.render.words import describe_bounds, name_columns

__all__ = ["analysis_text", "line_text", "result_text"]

_HALF = 9
"""Characters of a bar to either side of the middle."""
_FILL = {"ascii": "=", "discs": "\N{BLACK SQUARE}"}
_FULL = f"  .  {' ' * (2 * _HALF + 1)}  full"


def result_text(result: Result, *, style: Style = "ascii", effort: bool = False) -> str:
    """Return what the side to move gets, the best columns if they are known, and by choice the *effort*.

    There is none if the opening book has the score.

    >>> from fourcast import Position, Solver
    >>> print(result_text(Solver().solve(Position("4455"))))
    X, to move, wins in 2 moves (score 18).
    Best: columns 3 and 6.
    """
    lines = [_headline(result, style)]
    if result.best_columns:
        lines.append(f"Best: {name_columns(result.best_columns)}.")
    lines += [_effort(result)] * (effort and result.nodes > 0)
    return "\n".join(lines)


def analysis_text(analysis: Analysis, *, style: Style = "ascii", effort: bool = False) -> str:
    """Return a bar and words for every column, the best play, and by choice the *effort*.

    >>> from fourcast import Position, Solver
    >>> position = Position("7422341735647741166133573473242566")
    >>> print(analysis_text(Solver().analyze(position)))
    X, to move, wins in 4 moves (score 1).
    <BLANKLINE>
      1   -3         ==|           loses in 2 moves
      2    1           |=          wins in 4 moves, best
      3    .                       full
      4    .                       full
      5   -4         ==|           loses in 1 move
      6    1           |=          wins in 4 moves, best
      7    .                       full
    <BLANKLINE>
    Best play: 2261155, and X wins with disc 41.
    """
    by_column = {line.column: line for line in analysis}
    best_columns = analysis.best_columns or ()
    lines = [_headline(analysis.result, style), ""]
    for column in range(analysis.position.width):
        line = by_column.get(column)
        best = ", best" if column in best_columns else ""
        lines.append(f"  {format_column(column)}  {_verdict(line, style) if line else _FULL}{best}")
    if best_line := analysis.best_line:
        lines += ["", _best_play(best_line, style)]
    lines += [_effort(analysis)] * (effort and analysis.nodes > 0)
    return "\n".join(lines)


def line_text(line: Line, *, style: Style = "ascii") -> str:
    """Return what a column leads to, and the moves after it.

    >>> from fourcast import Position, Solver
    >>> print(line_text(Solver().analyze(Position("4455")).lines[2]))
    Column 3 wins in 2 moves (score 18): 362, and X wins with disc 7.
    """
    words = describe_bounds(line.lower, line.upper, line.position)
    return f"Column {format_column(line.column)} {words} ({_proven(line)}): {_play(line, style)}"


def _headline(result: Result, style: Style) -> str:
    if result.position.is_over:
        winner = result.position.winner
        return f"{SIDES[style][winner - 1]} has won." if winner else "The game is a draw."
    words = describe_bounds(result.lower, result.upper, result.position)
    return f"{SIDES[style][result.position.turn - 1]}, to move, {words} ({_proven(result)})."


def _proven(answer: Result | Line) -> str:
    if answer.score is None:
        return f"score {answer.lower} to {answer.upper}; there was no time for more"
    return f"score {answer.score}"


def _effort(result: Result) -> str:
    return f"{result.nodes:,} nodes in {result.time_s:.3f} s"


def _verdict(line: Line, style: Style) -> str:
    """The score of an open column, a bar, and words."""
    score = "?" if line.score is None else str(line.score)
    words = describe_bounds(line.lower, line.upper, line.position)
    return f"{score:>3}  {_bar(line, style)}  {words}"


def _bar(line: Line, style: Style) -> str:
    """Losses to the left, wins to the right; what is proven, if the score is not known."""
    sure = line.lower if line.lower > 0 else min(line.upper, 0)
    length = -(-abs(sure) * _HALF // line.position.highest_score)
    left = _FILL[style] * length if sure < 0 else ""
    right = _FILL[style] * length if sure > 0 else ""
    return f"{left:>{_HALF}}|{right:<{_HALF}}"


def _best_play(line: Line, style: Style) -> str:
    """The line of best play, and where it leads if it leads to the end of the game."""
    if len(line.variation) == 1:
        return f"Best: column {_play(line, style)}"
    return f"Best play: {_play(line, style)}"


def _play(line: Line, style: Style) -> str:
    play = format_moves(line.variation)
    if not line.position.play(*line.variation).is_over:
        return f"{play}."
    if line.winner is None:
        return f"{play}, a draw."
    if line.position.rules.misere:
        return f"{play}, and {SIDES[style][2 - line.winner]} loses with disc {line.final_ply}."
    return f"{play}, and {SIDES[style][line.winner - 1]} wins with disc {line.final_ply}."
