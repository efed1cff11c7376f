"""What the marks of an explanation are called, and what they mean, for every renderer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fourcast.render.catalogue import Names
from fourcast.render.said import said_text

if TYPE_CHECKING:
    from fourcast.study.marks import Marks

__all__ = ["Names", "group_name", "legend", "pair_name", "shared_groups"]


def legend(marks: Marks, names: Names) -> list[tuple[str, str]]:
    """Return the kinds of marks that are there, and what each means, in words.

    >>> from fourcast import Position, explain
    >>> legend(explain(Position("4575274553")).marks(), ("Red", "Yellow"))
    [('line', 'a disc to come'), ('wins', 'Red completes a four')]
    """
    return [(kind, said_text(said, names)) for kind, said in marks.legend]


def pair_name(number: int) -> str:
    """Return the letter of a pair, which both of its squares show; o and x are left to the players."""
    letters = "abcdefghijklmnpqrstuvwyz"
    return letters[number % len(letters)]


def group_name(number: int) -> str:
    """Return the letter of a group of columns."""
    return chr(ord("A") + number % 26)


def shared_groups(marks: Marks) -> list[tuple[int, ...]]:
    """Return the groups of several columns; in one column alone there is nothing to see."""
    return [group for group in marks.groups if len(group) > 1]
