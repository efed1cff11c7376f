"""Level diagrams of a certificate that people can learn, on the empty squares of a board."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from fourcast._core import Position
from fourcast.render import svg
from fourcast.render.marked import Label

__all__ = ["levels_svg", "levels_text"]


def levels_text(position: Position, levels: Sequence[int]) -> str:
    """Return a diagram as rows of digits; `#` is a disc, `.` a square without a level.

    >>> print(levels_text(Position("4"), [1 << 3 * 7 + 1, 1]).splitlines()[-1])
      2 . . # . . .
    """
    digits = {(column, row): str(number) for column, row, number in _numbers(position, levels)}
    taken = position.bitboards[0] | position.bitboards[1]
    rows = []
    for row in reversed(range(position.height)):
        filled = [taken >> column * (position.height + 1) + row & 1 for column in range(position.width)]
        squares = ("#" if disc else digits.get((n, row), ".") for n, disc in enumerate(filled))
        rows.append(f"  {' '.join(squares)}")
    return "\n".join(rows)


def levels_svg(position: Position, levels: Sequence[int]) -> str:
    """Return a diagram as elements for a picture of the board."""
    parts = []
    for column, row, number in _numbers(position, levels):
        x, y, width, height = svg.square_box(column, row, position.height)
        parts.append(Label("level", x + width / 2, y + height / 2 + 9, str(number), 26).svg())
    return "".join(parts)


def _numbers(position: Position, levels: Sequence[int]) -> Iterator[tuple[int, int, int]]:
    """The empty squares that have a level, by column and row, and the level."""
    taken = position.bitboards[0] | position.bitboards[1]
    for number, level in enumerate(levels, 1):
        for column in range(position.width):
            for row in range(position.height):
                if level & ~taken & 1 << column * (position.height + 1) + row:
                    yield column, row, number
