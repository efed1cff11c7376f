"""The tree of an opening: the next moves of a position, each with its exact score and its replies."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import count

from fourcast._core import Position
from fourcast.errors import OptionError
from fourcast.notation import require_unfinished
from fourcast.solver import Solver

__all__ = ["MOST_PLIES", "OpeningMove", "OpeningTree", "opening_tree"]

MOST_PLIES = 5
"""Plies of the deepest tree: 20,000 moves."""


@dataclass(frozen=True)
class OpeningMove:
    """A move of the tree."""

    column: int
    after: Position
    score: int
    """Of the player who moves."""
    replies: tuple[OpeningMove, ...]


@dataclass(frozen=True)
class OpeningTree:
    """The moves of a position from left to right, to a depth of *plies*."""

    position: Position
    plies: int
    moves: tuple[OpeningMove, ...]


def opening_tree(
    position: Position | str | None = None,
    plies: int = 4,
    *,
    solver: Solver | None = None,
    progress: Callable[[int], object] | None = None,
) -> OpeningTree:
    """Solve the moves after *position*, by default the empty board, to a depth of *plies*.

    *progress* is called with the number of moves solved so far. Raises `OptionError` for a depth that is
    not 1 to 5, and `FinishedGameError` if there is no move.

    >>> [move.score for move in opening_tree(plies=1).moves]
    [-2, -1, 0, 1, 0, -1, -2]
    """
    if not 1 <= plies <= MOST_PLIES:
        raise OptionError(f"a map has 1 to {MOST_PLIES} plies, not {plies}")
    position = require_unfinished(Position() if position is None else position, "error.choose_over")
    solver = solver or Solver(table_mb=64)
    number = count(1)
    scores: dict[int, int] = {}

    def score(here: Position) -> int:
        key = here.canonical_key
        if key not in scores:
            scores[key] = here.final_score if here.is_over else solver.score(here)
        return scores[key]

    def moves(here: Position, depth: int) -> tuple[OpeningMove, ...]:
        found = []
        for column, after in here.children().items():
            own = -score(after)
            if progress:
                progress(next(number))
            replies = () if depth == 1 or after.is_over else moves(after, depth - 1)
            found.append(OpeningMove(column, after, own, replies))
        return tuple(found)

    return OpeningTree(position, plies, moves(position, plies))
