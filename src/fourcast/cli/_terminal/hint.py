"""The hint of the terminal game."""

from __future__ import annotations

from fourcast._core import Analysis, Limit, Line, Position
from fourcast.notation import format_column
from fourcast.render.catalogue import Names
from fourcast.render.said import said_text
from fourcast.render.words import describe_score, name_columns
from fourcast.solver import Solver
from fourcast.study.explain import column_said, explain

TIME_S = 2.0
"""The longest that a person waits for a hint."""
REASON_S = 1.0
"""The longest that a person waits for its reason."""


def hint(position: Position, solver: Solver | None = None, names: Names = ("Red", "Yellow")) -> str:
    r"""Return advice to the player to move in an unfinished game, with a reason where there is one.

    What it says is proven; where a proof takes too long it says what can be seen at once.

    >>> hint(Position("445566"))
    'Column 3 wins at once.'
    >>> hint(Position("7422341735647741166133573473242566"))
    'Column 2 wins in 4 moves: Red then has an answer to everything. So does column 6.'
    >>> print(hint(Position("1464254565524477")).replace(". ", ".\n"))
    Column 1 holds out longest, if your opponent makes no mistake.
    Column 1 loses in 9 moves: Yellow then has an answer to everything.
    Column 3 loses in 1 move: Yellow then completes a four on top of it.
    """
    solver = solver or Solver()
    wins = tuple(position.winning_columns())
    threats = tuple(position.winning_columns(3 - position.turn))
    if wins:
        return f"Column {format_column(wins[0])} wins at once."
    if len(threats) == 1:
        return f"Block column {format_column(threats[0])}, or your opponent wins there."
    if threats:
        return f"Your opponent threatens to win in {name_columns(threats)}: only one can be blocked."
    analysis = solver.analyze(position, Limit(time_s=TIME_S), variations=False)
    if not analysis.complete:
        return _what_is_proven(analysis)
    return _advice(analysis, solver, names)


def _advice(analysis: Analysis, solver: Solver, names: Names) -> str:
    assert analysis.score is not None
    best = tuple(analysis.best_columns or ())
    chosen = next(line for line in analysis if line.column == best[0])
    if analysis.outcome == "loss":
        return _consolation(analysis, chosen, solver, names)
    if len(best) == len(analysis):
        if analysis.outcome == "draw":
            return "Every column draws."
        words = describe_score(analysis.score, analysis.position)
        return f"Every column {words}, if both sides play their best."
    others = best[1:]
    also = f" So {'does' if len(others) == 1 else 'do'} {name_columns(others)}." if others else ""
    return f"{_reason(chosen, solver, names)}{also}"


def _consolation(analysis: Analysis, longest: Line, solver: Solver, names: Names) -> str:
    """Say in a lost position what holds out longest and why it loses, and what loses soonest and why."""
    assert analysis.score is not None
    soonest = min(analysis, key=lambda line: line.lower)
    if soonest.lower == longest.lower:
        words = describe_score(analysis.score, analysis.position)
        head, lines = f"Every column {words}, if both sides play their best.", [longest]
    else:
        column = format_column(longest.column)
        head = f"Column {column} holds out longest, if your opponent makes no mistake."
        lines = [longest, soonest]
    return " ".join([head, *(_reason(line, solver, names) for line in lines)])


def _reason(line: Line, solver: Solver, names: Names) -> str:
    """What a column is worth, and why."""
    after, reason = line.position.play(line.column), None
    if not after.is_over:
        reason = explain(after, solver=solver, limit=Limit(time_s=REASON_S))
    return said_text(column_said(line, reason), names)


def _what_is_proven(analysis: Analysis) -> str:
    """Say what is known if there was no time for everything."""
    winning = [line.column for line in analysis if line.outcome == "win"]
    losing = [line.column for line in analysis if line.outcome == "loss"]
    if winning:
        return f"Column {format_column(winning[0])} wins, but not soon."
    rest = "the rest is too far ahead to be seen in time"
    if losing:
        return f"Do not play {name_columns(losing)}, which would lose; {rest}."
    return f"Nobody can win with the next disc, and {rest}."
