"""What a solver has found, as a text for people."""

from __future__ import annotations

from fourcast._core import Analysis, Line, Position, Result
from fourcast.notation import format_column, format_moves
from fourcast.render.text import SIDES, Style
from fourcast.render.words import describe_bounds, name_columns

__all__ = ["analysis_text", "result_text"]

_HALF = 9
"""Characters of a bar to either side of the middle."""
_FILL = {"ascii": "=", "discs": "\N{BLACK SQUARE}"}


def result_text(position: Position, result: Result, *, style: Style = "ascii") -> str:
    """Return what the side to move gets, the best columns if they are known, and what it took.

    >>> from fourcast import Solver
    >>> print(result_text(Position("4455"), Solver().solve(Position("4455"))))  # doctest: +ELLIPSIS
    X, to move, wins in 2 moves (score 18).
    Best: columns 3 and 6.
    ... nodes in ... s
    """
    lines = [_headline(position, result, style)]
    if result.best_columns:
        lines.append(f"Best: {name_columns(result.best_columns)}.")
    lines.append(f"{result.nodes:,} nodes in {result.time_s:.3f} s")
    return "\n".join(lines)


def analysis_text(position: Position, analysis: Analysis, *, style: Style = "ascii") -> str:
    """Return a bar and words for every column, and the best play.

    >>> from fourcast import Solver
    >>> position = Position("7422341735647741166133573473242566")
    >>> print(analysis_text(position, Solver().analyze(position)))  # doctest: +ELLIPSIS
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
    Best play: 2261155, and X wins with stone 41.
    ... nodes in ... s
    """
    result = analysis.result
    lines = [_headline(position, result, style), ""]
    by_column = {line.column: line for line in analysis}
    lines += [
        _column_line(position, column, by_column.get(column), result, style)
        for column in range(position.width)
    ]
    best = _best_line(analysis)
    if best and len(best.variation) > 1:
        lines += ["", f"Best play: {format_moves(best.variation)}{_end(position, best, style)}."]
    elif best:
        lines += ["", f"Best: column {format_column(best.column)}{_end(position, best, style)}."]
    lines.append(f"{result.nodes:,} nodes in {result.time_s:.3f} s")
    return "\n".join(lines)


def _headline(position: Position, result: Result, style: Style) -> str:
    words = describe_bounds(result.lower, result.upper, position)
    if result.score is None:
        proven = f"score {result.lower} to {result.upper}"
        return f"{SIDES[style][position.turn]}, to move, {words} ({proven}; there was no time for more)."
    return f"{SIDES[style][position.turn]}, to move, {words} (score {result.score})."


def _column_line(
    position: Position, column: int, line: Line | None, result: Result, style: Style
) -> str:
    name = format_column(column)
    if line is None:
        return f"  {name}    .  {' ' * (2 * _HALF + 1)}  full"
    words = describe_bounds(line.lower, line.upper, position)
    if result.best_columns and column in result.best_columns:
        words += ", best"
    shown = "?" if line.score is None else str(line.score)
    return f"  {name}  {shown:>3}  {_bar(line, position, style)}  {words}"


def _bar(line: Line, position: Position, style: Style) -> str:
    """Losses to the left, wins to the right; what is proven, if the score is not known."""
    most = (position.width * position.height + 1) // 2 - 3  # nobody wins with fewer than four stones
    sure = line.lower if line.lower > 0 else min(line.upper, 0)
    length = min(_HALF, -(-abs(sure) * _HALF // most))
    left = _FILL[style] * length if sure < 0 else ""
    right = _FILL[style] * length if sure > 0 else ""
    return f"{left:>{_HALF}}|{right:<{_HALF}}"


def _best_line(analysis: Analysis) -> Line | None:
    """The line to show: a best column, the one nearest to the centre if there are several."""
    columns = analysis.result.best_columns
    if not columns:
        return None
    lines = [line for line in analysis if line.column in columns]
    centre = (max(line.column for line in analysis) + min(line.column for line in analysis)) / 2
    return min(lines, key=lambda line: abs(line.column - centre))


def _end(position: Position, line: Line, style: Style) -> str:
    """Where a line leads to, if it leads to the end of the game."""
    end = position.play(*line.variation)
    if not end.is_over:
        return ""
    winner = end.winner
    return ", a draw" if winner is None else f", and {SIDES[style][winner]} wins with stone {end.ply}"
