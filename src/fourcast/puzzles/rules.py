"""Which moves solve a puzzle, and how the opponent defends."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

from fourcast._core import Analysis, Position, ask
from fourcast.notation import format_rows
from fourcast.solver import Solver

__all__ = [
    "Goal",
    "accepted_columns",
    "best_reply",
    "breaking_columns",
    "keeping_columns",
    "playing_on_top_wins",
    "reply_by",
]

Goal = Literal["win", "keep win", "keep draw", "better", "break"]
"""Win as quickly as possible; play the only column that keeps the result, move for move; find a move
that is better than `tempting`, where every column that keeps the result is right; or beat an opponent
who follows the plan of `playing_on_top_wins`."""

Analyze = Callable[[Position], Analysis]


def accepted_columns(position: Position, goal: Goal, solver: Solver) -> tuple[int, ...]:
    """Return the right columns of the side to move: the quickest ones, or those that keep the result.

    >>> accepted_columns(Position("4575274553"), "win", Solver())
    (3,)
    """
    analysis = solver.analyze(position, variations=False)
    return tuple(analysis.best_columns or ()) if goal == "win" else keeping_columns(analysis)


def keeping_columns(analysis: Analysis) -> tuple[int, ...]:
    """Return the columns that keep the outcome of an analyzed position.

    >>> keeping_columns(Solver().analyze(Position("44")))
    (3,)
    """
    return tuple(line.column for line in analysis if line.outcome == analysis.outcome)


def best_reply(position: Position, goal: Goal, solver: Solver) -> int:
    """Return the opponent's move: the one that holds out longest, or that keeps the draw.

    Of several, it is one that blocks a four if one has to be blocked, then the one that leaves the
    player the fewest right columns, then the one nearest the center, then the left one.

    >>> best_reply(Position("45752745534"), "win", Solver())
    3
    """
    return reply_by(position, goal, lambda each: solver.analyze(each, variations=False))


def reply_by(position: Position, goal: Goal, analyze: Analyze) -> int:
    """Return the same as `best_reply`, by the analyses of the caller."""
    request = {"rows": format_rows(position), "goal": goal}
    known: list[dict[str, Any]] = []
    while "needs" in (found := ask("puzzle.reply", {**request, "known": known})):
        columns = found["needs"]
        scores = [(line.column, line.score) for line in analyze(position.play(*columns))]
        known.append({"columns": columns, "scores": scores})
    return int(found["column"])


def playing_on_top_wins(position: Position) -> bool:
    """Whether the side that is not to move wins by a plan without thought.

    The plan is to complete a four if possible, else to block one, else to play on top of the opponent's
    disc. All replies of the opponent are tried. False, too, if they are too many.

    >>> playing_on_top_wins(Position("146425456552447746655"))
    False
    """
    return bool(ask("plan.wins", {"rows": format_rows(position)}))


def breaking_columns(position: Position) -> dict[int, int | None]:
    """Return the columns that still beat an opponent who follows that plan, with the plan's replies.

    The quickest comes first; the reply to a column that completes a four is None. Raises `OptionError`
    if there are too many positions to try.
    """
    found = ask("plan.breaks", {"rows": format_rows(position)})
    return {each["column"]: each["reply"] for each in found}
