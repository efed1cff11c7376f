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
    "keeping_columns",
    "playing_on_top_wins",
    "reply_by",
]

Goal = Literal["win", "keep win", "keep draw", "better"]
"""Win as quickly as possible; play the only column that keeps the result, move for move; or find a move
that is better than `tempting`: every column that keeps the result is right."""

Analyze = Callable[[Position], Analysis]

PLAN_POSITIONS = 300
"""Positions of the opponent's that a plan to play on top may lead to; a longer one is not plain."""


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


def playing_on_top_wins(position: Position, player: int) -> bool:
    """Whether *player* wins by a plan without thought; the opponent is to move.

    The plan is to complete a four if possible, else to block one, else to play on top of the opponent's
    disc. All replies of the opponent are tried. False, too, if they are too many.

    >>> playing_on_top_wins(Position("146425456552447746655"), 2)
    False
    """
    seen: set[Position] = set()

    def holds(before: Position) -> bool:
        if before in seen:
            return True
        seen.add(before)
        if len(seen) > PLAN_POSITIONS:
            return False
        for column in before.legal_columns:
            after = before.play(column)
            if after.is_over:
                return False
            if after.winning_columns(player):
                continue
            blocks = after.winning_columns(3 - player)
            answer = blocks[0] if blocks else column
            if not after.can_play(answer):
                return False
            answered = after.play(answer)
            if answered.is_over or not holds(answered):
                return False
        return True

    return not position.is_over and holds(position)
