"""What levels 1 to 10 play in openings, from a tournament.

`tools/make/make_level_choices.py` wrote the data; docs/openings.md describes the file, which the web app
sends as it is.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from fourcast._core import Position, ask
from fourcast.notation import format_rows

__all__ = ["LevelChoices", "is_mirrored", "level_choices", "level_choices_bytes", "place_of"]

FORMAT = "fourcast levels 1"
DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
"""A count in one character."""


@dataclass(frozen=True)
class LevelChoices:
    """What each level played in a position."""

    games: int
    """Games of the tournament that came to this position, or to its mirror image."""
    asked: int
    """How often each level was asked there."""
    counts: tuple[tuple[int, ...], ...]
    """For each level, how often it chose each column."""

    def wrong(self, keeping: tuple[int, ...]) -> tuple[float, ...]:
        """Return for each level the share of its choices that are not among the columns *keeping*."""
        request = {"counts": self.counts, "asked": self.asked, "keeping": keeping}
        return tuple(ask("explore.wrong", request))

    def to_json(self) -> dict[str, Any]:
        """Return the choices as JSON types."""
        return {"games": self.games, "asked": self.asked, "counts": [list(row) for row in self.counts]}


def place_of(position: Position) -> str:
    """Return the name of a position in the file, the same for its mirror image.

    >>> place_of(Position("443")) == place_of(Position("445")) == ",,,12,1,,"
    True
    """
    return str(ask("explore.place", {"rows": format_rows(position)})["name"])


def is_mirrored(position: Position) -> bool:
    """Whether it is the mirror image of *position* that the file has."""
    return bool(ask("explore.place", {"rows": format_rows(position)})["is_mirrored"])


def level_choices(position: Position) -> LevelChoices | None:
    """Return what the levels play in a position; None if hardly a game of the tournament came to it.

    >>> found = level_choices(Position())
    >>> found is not None and found.counts[9]
    (0, 0, 0, 30, 0, 0, 0)
    """
    found = ask("explore.levels", {"rows": format_rows(position), "text": _text()})
    if found is None:
        return None
    return LevelChoices(found["games"], found["asked"], tuple(map(tuple, found["counts"])))


@cache
def _text() -> str:
    return level_choices_bytes().decode()


def level_choices_bytes() -> bytes:
    """Return the file as it is."""
    return files("fourcast.study").joinpath("shipped", "7x6.levels.json").read_bytes()
