"""Boards for a terminal or a text file: plain letters or discs, marked, and colored where that works.

Marks stand in the gaps between squares, so that a board reads as well without colors, and every row
takes the same room whatever is marked.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Literal, TextIO

from fourcast._core import Position
from fourcast.notation import RED, YELLOW, column_names

__all__ = ["SIDES", "Style", "best_style", "board", "can_color"]

Style = Literal["ascii", "discs"]

SIDES = {"discs": {1: "Red", 2: "Yellow"}, "ascii": {1: "X", 2: "O"}}
"""What to call the players, by the style in which their stones are drawn."""

# An empty square, a stone of the first player, one of the second. A disc is two columns wide.
_CELLS = {"ascii": (".", "X", "O"), "discs": ("..", RED, YELLOW)}
# What stands left and right of the names of the columns, and of each row.
_FRAME = {"ascii": (" ", "", " ", ""), "discs": ("[", "]", "(", ")")}

# Parameters of the terminal's "select graphic rendition" sequence.
_BOLD, _DIM, _REVERSE, _RED, _YELLOW = "1", "2", "7", "31", "33"
_CELL_COLORS = ((_DIM,), (_BOLD, _RED), (_BOLD, _YELLOW))


def board(
    position: Position,
    *,
    style: Style = "ascii",
    last: int | None = None,
    color: bool = False,
    red: int = 1,
) -> str:
    """Return a diagram of *position* with the names of the columns above it.

    *last* is the column played last: its top stone stands in brackets. The stones of a four stand
    between stars. *red* is the player with the red discs, or the X. `parse_diagram` reads all of it back
    if that is player 1.

    >>> print(board(Position("4455667"), last=6))
     1 2 3 4 5 6 7
     . . . . . . .
     . . . . . . .
     . . . . . . .
     . . . . . . .
     . . . O O O .
     . . .*X*X*X[X]
    """
    left, right, row_left, row_right = _FRAME[style]
    cell_width = len(_CELLS[style][0])
    names = " ".join(name.rjust(cell_width) for name in column_names(position.width))
    fours = set(position.winning_squares)
    newest = _top_stone(position, last)

    def painted(text: str, *codes: str) -> str:
        return f"\x1b[{';'.join(codes)}m{text}\x1b[0m" if color else text

    def cell(square: tuple[int, int]) -> str:
        player = position.at(*square)
        kind = player and (1 if player == red else 2)
        return painted(_CELLS[style][kind], *_CELL_COLORS[kind], *[_REVERSE] * (square in fours))

    def gap(row: int, column: int, plain: str = " ") -> str:
        """What stands left of a square: a mark of it or of its neighbor, or nothing special."""
        beside = (column - 1, row), (column, row)
        if newest in beside:
            return painted("[" if newest == beside[1] else "]", _BOLD)
        return painted("*", _BOLD) if fours.intersection(beside) else plain

    lines = [left + painted(names, _BOLD) + right]
    for row in reversed(range(position.height)):
        line = gap(row, 0, row_left) + cell((0, row))
        for column in range(1, position.width):
            line += gap(row, column) + cell((column, row))
        lines.append(line + gap(row, position.width, row_right))
    return "\n".join(lines)


def _top_stone(position: Position, column: int | None) -> tuple[int, int] | None:
    rows = [] if column is None else [row for row in range(position.height) if position.at(column, row)]
    return (column, rows[-1]) if column is not None and rows else None


def can_color(stream: TextIO, environ: Mapping[str, str] = os.environ) -> bool:
    """Whether to color what is written to *stream*.

    `NO_COLOR` forbids it, else `FORCE_COLOR` demands it; else a terminal has it unless it is a dumb one.
    """
    if environ.get("NO_COLOR"):
        return False
    if environ.get("FORCE_COLOR", "0") not in ("", "0"):
        return True
    return stream.isatty() and environ.get("TERM") != "dumb"


def best_style(stream: TextIO, environ: Mapping[str, str] = os.environ) -> Style:
    """Return the style that *stream* can show: discs, unless its encoding or its terminal has none."""
    try:
        (RED + YELLOW).encode(stream.encoding or "ascii")
    except (LookupError, UnicodeEncodeError):
        return "ascii"
    return "ascii" if environ.get("TERM") in ("dumb", "linux") else "discs"
