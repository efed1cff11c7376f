"""What levels 1 to 10 play in openings, from a tournament.

`tools/make/make_level_choices.py` wrote the data; docs/openings.md describes the file, which the web app
sends as it is.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from fourcast._core import Position

__all__ = ["LevelChoices", "columns_text", "level_choices", "level_choices_bytes", "place_of"]

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
        return tuple(1 - sum(row[column] for column in keeping) / self.asked for row in self.counts)

    def to_json(self) -> dict[str, Any]:
        """Return the choices as JSON types."""
        return {"games": self.games, "asked": self.asked, "counts": [list(row) for row in self.counts]}


def columns_text(position: Position) -> str:
    """Return the discs of each column from the bottom up, 1 and 2, with commas between the columns.

    >>> columns_text(Position("443"))
    ',,1,12,,,'
    """
    columns = range(position.width)
    return ",".join(
        "".join(str(position.at(column, row)) for row in range(position.heights[column]))
        for column in columns
    )


def place_of(position: Position) -> str:
    """Return the name of a position in the file, the same for its mirror image.

    >>> place_of(Position("443")) == place_of(Position("445")) == ",,,12,1,,"
    True
    """
    text = columns_text(position)
    return min(text, ",".join(reversed(text.split(","))))


def level_choices(position: Position) -> LevelChoices | None:
    """Return what the levels play in a position; None if hardly a game of the tournament came to it.

    >>> found = level_choices(Position())
    >>> found is not None and found.counts[9]
    (0, 0, 0, 30, 0, 0, 0)
    """
    data = _data()
    row = data["positions"].get(place_of(position))
    if row is None or (position.width, position.height) != (data["width"], data["height"]):
        return None
    games, digits = row
    width = position.width
    counts = [
        [DIGITS.index(digit) for digit in digits[at : at + width]] for at in range(0, len(digits), width)
    ]
    if place_of(position) != columns_text(position):
        counts = [each[::-1] for each in counts]
    return LevelChoices(games, data["asked"], tuple(map(tuple, counts)))


@cache
def _data() -> dict[str, Any]:
    data: dict[str, Any] = json.loads(level_choices_bytes())
    return data


def level_choices_bytes() -> bytes:
    """Return the file as it is."""
    return files("fourcast.study").joinpath("shipped", "7x6.levels.json").read_bytes()
