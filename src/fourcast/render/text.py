"""Boards for a terminal or a text file: plain letters or discs, marked, and colored where that works.

Marks stand in the gaps between squares, so that a board reads as well without colors, and every row
takes the same room whatever is marked.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from itertools import zip_longest
from typing import TYPE_CHECKING, Literal, TextIO
from unicodedata import east_asian_width

from fourcast._core import Position
from fourcast.errors import OptionError, require, suggest
from fourcast.notation import column_names, quote, require_position
from fourcast.render.catalogue import fill
from fourcast.render.legend import Names, group_name, legend, pair_name, shared_groups

if TYPE_CHECKING:
    from fourcast.study.explain import Square
    from fourcast.study.marks import Marks

__all__ = [
    "SIDES",
    "Style",
    "best_style",
    "block_width",
    "board",
    "can_color",
    "marked_board",
    "side_by_side",
]

Style = Literal["ascii", "discs"]

SIDES = {"discs": ("Red", "Yellow"), "ascii": ("X", "O")}
"""What to call the players, by the style in which their discs are drawn."""

# An empty square, a disc of the first player, one of the second. A disc is two columns wide.
_RED_DISC, _YELLOW_DISC = "\N{LARGE RED CIRCLE}", "\N{LARGE YELLOW CIRCLE}"
_CELLS = {"ascii": (".", "X", "O"), "discs": ("..", _RED_DISC, _YELLOW_DISC)}
# A square that a player gets.
_SMALL = {
    "ascii": ("", "x", "o"),
    "discs": ("", "\N{LARGE RED SQUARE}", "\N{LARGE YELLOW SQUARE}"),
}
# What stands left and right of the names of the columns, and of each row.
_FRAME = {"ascii": (" ", "", " ", ""), "discs": ("[", "]", "(", ")")}

# Parameters of the terminal's "select graphic rendition" sequence.
_BOLD, _DIM, _REVERSE, _RED, _YELLOW, _PURPLE = "1", "2", "7", "31", "33", "35"
_LAST_DIGIT = 9  # discs played later than this have a "+" in place of their number
_CELL_COLORS = ((_DIM,), (_BOLD, _RED), (_BOLD, _YELLOW))


def board(
    position: Position | str,
    *,
    style: Style = "ascii",
    last: int | None = None,
    color: bool = False,
    red: int = 1,
    marks: Marks | None = None,
    rows: bool = False,
) -> str:
    """Return a diagram of *position* with the names of the columns above it.

    *last* is the column played last: its top disc stands in brackets. The discs of a four stand
    between stars. *red* is the player with the red discs, or the X. *rows*: number the rows.
    `parse_diagram` reads all of it back if *red* is player 1 and there are no *rows* and no *marks*,
    which are those of this position; see `marked_board`.

    >>> print(board(Position("4455667"), last=6))
     1 2 3 4 5 6 7
     . . . . . . .
     . . . . . . .
     . . . . . . .
     . . . . . . .
     . . . O O O .
     . . .*X*X*X[X]
    """
    position = require_position(position)
    require("style", style, str)
    if style not in _FRAME:
        raise OptionError(f"no style is called {quote(style)}; {suggest(style, _FRAME)}")
    require("last", last, int, type(None))
    if marks is not None and not hasattr(marks, "frozen"):
        raise TypeError(f"marks must be those of an explanation, not {type(marks).__name__}")
    left, right, row_left, row_right = _FRAME[style]
    cell_width = len(_CELLS[style][0])
    names = " ".join(name.rjust(cell_width) for name in column_names(position.width))
    fours = set(position.winning_squares)
    signs = _signs(marks, style, red) if marks else {}
    numbers = {square: str(number) for number, square in enumerate(marks.played if marks else (), 1)}
    newest = _top_disc(position, last)

    def painted(text: str, *codes: str) -> str:
        return f"\x1b[{';'.join(codes)}m{text}\x1b[0m" if color else text

    def cell(square: tuple[int, int]) -> str:
        if square in signs:
            sign, codes = signs[square]
            return painted(sign, *codes)
        player = position.at(*square)
        kind = player and (1 if player == red else 2)
        return painted(_CELLS[style][kind], *_CELL_COLORS[kind], *[_REVERSE] * (square in fours))

    def gap(row: int, column: int, plain: str = " ") -> str:
        """What stands left of a square: a mark of it or of its neighbor, or nothing special."""
        beside = (column - 1, row), (column, row)
        if beside[1] in numbers:
            number = numbers[beside[1]]
            return painted(number if int(number) <= _LAST_DIGIT else "+", _BOLD)
        if newest in beside:
            return painted("[" if newest == beside[1] else "]", _BOLD)
        return painted("*", _BOLD) if fours.intersection(beside) else plain

    lines = [left + painted(names, _BOLD) + right]
    for row in reversed(range(position.height)):
        line = gap(row, 0, row_left) + cell((0, row))
        for column in range(1, position.width):
            line += gap(row, column) + cell((column, row))
        lines.append(line + gap(row, position.width, row_right))
    if rows:
        numbers_of_rows = ["", *map(str, range(position.height, 0, -1))]
        room = len(numbers_of_rows[1])
        lines = [
            f"{painted(number.rjust(room), _BOLD)} {line}"
            for number, line in zip(numbers_of_rows, lines, strict=True)
        ]
    return "\n".join(lines)


def marked_board(
    marks: Marks,
    names: Names,
    *,
    style: Style = "ascii",
    last: int | None = None,
    color: bool = False,
    red: int = 1,
) -> str:
    """Return the board of *marks* with all of them and with its rows, and below it what they mean.

    >>> from fourcast import explain
    >>> print(marked_board(explain(Position("14642545655244774665")).marks(), ("X", "O")))
       1 2 3 4 5 6 7
    6  o o / X a o /
    5  x x / O O x /
    4  o o / X X X !
    3  x x / X O O /
    2  a O ! O O X O
    1  X X / O O X X
    <BLANKLINE>
      o  O gets it
      x  X may get it
      a  O gets one of each pair
      /  nobody plays here until X has to, after 12 other squares
      !  O completes a four
    """
    lines = [board(marks.position, style=style, last=last, color=color, red=red, marks=marks, rows=True)]
    samples = {}
    groups = shared_groups(marks)
    if groups:
        letters = {column: group_name(n) for n, group in enumerate(groups) for column in group}
        room = len(_CELLS[style][0])
        row = " ".join(
            letters.get(column, "").rjust(room) for column in range(marks.position.width)
        ).rstrip()
        lines.append(f"{' ' * len(str(marks.position.height))}  {row}")
        samples["groups"] = "A"
    signs = _signs(marks, style, red)
    for kind in ("line", "gets", "leaves"):
        for square in reversed(getattr(marks, kind)):
            if square not in marks.wins:
                samples[kind] = signs[square][0].strip()
    samples.update(played="1", pairs=pair_name(0), frozen="/", wins="!")
    entries = [(samples[kind], words) for kind, words in legend(marks, names) if kind in samples]
    if len(marks.played) > _LAST_DIGIT:
        entries.insert(1, ("+", fill("mark_played_later")))
    room = max((_shown_width(sample) for sample, _ in entries), default=0)
    lines += [""] if entries else []
    lines += [f"  {sample}{' ' * (room - _shown_width(sample))}  {words}" for sample, words in entries]
    return "\n".join(lines)


def side_by_side(*blocks: str, gap: int = 4) -> str:
    r"""Return blocks of lines next to each other.

    >>> print(side_by_side("a\nlonger", "b"))
    a         b
    longer
    """
    lines = [block.split("\n") for block in blocks]
    widths = [max(map(_shown_width, block)) + gap for block in lines]
    rows = [
        "".join(
            line + " " * (width - _shown_width(line)) for line, width in zip(row, widths, strict=True)
        )
        for row in zip_longest(*lines, fillvalue="")
    ]
    return "\n".join(row.rstrip() for row in rows)


def block_width(block: str) -> int:
    """Return how many columns of a terminal the longest line of *block* takes."""
    return max(map(_shown_width, block.split("\n")))


def _shown_width(line: str) -> int:
    plain = re.sub(r"\x1b\[[0-9;]*m", "", line)
    return sum(2 if east_asian_width(character) in "WF" else 1 for character in plain)


def _signs(marks: Marks, style: Style, red: int) -> dict[Square, tuple[str, tuple[str, ...]]]:
    """What stands on the empty squares that are marked, and with which colors."""
    signs: dict[Square, tuple[str, tuple[str, ...]]] = {}
    width = len(_CELLS[style][0])

    def put(squares: Iterable[Square], sign: str, *codes: str) -> None:
        shown = sign if sign in _SMALL[style] else sign.rjust(width)  # a square is two columns wide
        signs.update((square, (shown, codes)) for square in squares)

    def kind(player: int) -> int:
        return 1 if player == red else 2

    put(marks.frozen, "/" * width, _DIM)
    if marks.player:
        for squares, player in ((marks.gets, marks.player), (marks.leaves, 3 - marks.player)):
            put(squares, _SMALL[style][kind(player)], _CELL_COLORS[kind(player)][-1])
        put(marks.wins, "!", _BOLD, _CELL_COLORS[kind(marks.player)][-1])
    for number, pair in enumerate(marks.pairs):
        put(set(pair) - set(marks.wins), pair_name(number), _BOLD, _PURPLE)
    for number, player, square in marks.coming:
        put([square], str(number)[-width:], _BOLD, _CELL_COLORS[kind(player)][-1])
    return signs


def _top_disc(position: Position, column: int | None) -> tuple[int, int] | None:
    if column is not None and column >= position.width:  # a disc that was taken out, in PopOut
        column = None
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
        (_RED_DISC + _YELLOW_DISC).encode(stream.encoding or "ascii")
    except (LookupError, UnicodeEncodeError):
        return "ascii"
    return "ascii" if environ.get("TERM") in ("dumb", "linux") else "discs"
