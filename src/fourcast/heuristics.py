"""What a position looks like at a glance, without a search: ratings, streaks, win sets, evaluations.

`docs/evaluation.md` builds an evaluation out of the parts that are here.
"""

from __future__ import annotations

from typing import NamedTuple

from fourcast._core import Position, count_streaks, evaluate, look_ahead, win_sets

__all__ = ["Streaks", "evaluate", "rate_columns", "streaks", "win_sets"]


def rate_columns(position: Position | str) -> list[int]:
    """Return for each column the score of a win at once, 0 if there is none.

    After n discs on 7x6 a win at once is worth `(43 - n) // 2`: 1 for the last disc that can win, and
    one more for each disc that the winner has left. A full column is rated 0, like any other that does
    not win. Raises `FinishedGameError`.

    >>> rate_columns(Position.from_columns([0, 6, 0, 5, 1, 4, 1]))
    [0, 0, 0, 18, 0, 0, 0]
    """
    return [value or 0 for value in look_ahead(position, 1, every_column=True).values]


class Streaks(NamedTuple):
    """One player's streaks: runs of discs in rows, columns and diagonals that can still become four.

    Only stretches count, the parts of a line between the opponent's discs, and only if a four fits into
    them. An end of a run is open if the next square belongs to its stretch.
    """

    twos_one_end: int = 0
    """Runs of two with one open end."""

    twos_two_ends: int = 0
    """Runs of two with two open ends."""

    threes_one_end: int = 0
    """Runs of three with one open end."""

    threes_two_ends: int = 0
    """Runs of three with two open ends."""

    split_twos: int = 0
    """Two single discs with one empty square between them."""

    split_threes: int = 0
    """Two runs of three or more discs together, with one empty square between them."""

    fours: int = 0
    """Runs of four or more: the game is won."""


def streaks(position: Position | str, player: int | None = None) -> Streaks:
    """Return the streaks of *player*, 1 or 2, by default the player to move.

    >>> found = streaks(Position("44665"), 1)
    >>> found.threes_two_ends, found.twos_two_ends
    (1, 0)
    """
    return Streaks(*count_streaks(position, player))
