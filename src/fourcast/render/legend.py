"""What the marks of an explanation are called, and what they mean, for every renderer."""

from __future__ import annotations

import string
from typing import TYPE_CHECKING

from fourcast.render.catalogue import Names, catalogue, fill

if TYPE_CHECKING:
    from fourcast.study.marks import Marks

__all__ = ["Names", "group_name", "legend", "pair_name", "shared_groups"]


def legend(marks: Marks, names: Names) -> list[tuple[str, str]]:
    """Return the kinds of marks that are there, and what each means, in words.

    >>> from fourcast import Position, explain
    >>> legend(explain(Position("4575274553")).marks(), ("Red", "Yellow"))
    [('line', 'a disc to come'), ('wins', 'Red completes a four')]
    """
    if marks.player is None:  # there is no claim, only the best move
        return [("line", fill("mark_best"))] if marks.line else []
    players = {"player": names[marks.player - 1], "opponent": names[2 - marks.player]}
    found = []
    for kind in ("played", "line", "gets", "leaves", "pairs", "frozen", "wins", "groups"):
        squares = getattr(marks, kind)
        if kind == "groups":
            squares = shared_groups(marks)
        if kind in ("gets", "leaves"):
            squares = [square for square in squares if square not in marks.wins]
        if squares:
            one = f"mark_{kind}_one"
            pattern = one if len(squares) == 1 and one in catalogue() else f"mark_{kind}"
            found.append((kind, fill(pattern, **players)))
    return found


def pair_name(number: int) -> str:
    """Return the letter of a pair, which both of its squares show; o and x are left to the players."""
    letters = "abcdefghijklmnpqrstuvwyz"
    return letters[number % len(letters)]


def group_name(number: int) -> str:
    """Return the letter of a group of columns."""
    return string.ascii_uppercase[number % 26]


def shared_groups(marks: Marks) -> list[tuple[int, ...]]:
    """Return the groups of several columns; in one column alone there is nothing to see."""
    return [group for group in marks.groups if len(group) > 1]
