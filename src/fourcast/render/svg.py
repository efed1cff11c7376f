"""Boards as SVG: for the page of a repository, the web and print.

The board brings its own background, so that it reads the same on a light and on a dark page. The two
players' discs differ in shape too: a ring lies in the first player's, a diamond in the second's. A
screen reader finds a title and a description. Every part has a class (`board`, `hole`, `disc first`,
`disc second`, `four`, `last`, `name`) which a page's style sheet may dress otherwise.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple
from xml.sax.saxutils import escape

from fourcast._core import Position
from fourcast.errors import InvalidNotationError, OptionError, require, require_each
from fourcast.notation import column_names, format_column, quote, require_position
from fourcast.render.catalogue import fill

__all__ = [
    "BOARD_COLOR",
    "COLORS",
    "NAMES",
    "NAME_COLOR",
    "NAME_SIZE",
    "Box",
    "board",
    "board_size",
    "check_color",
    "contrast",
    "describe",
    "disc",
    "name_place",
    "printable",
    "square_box",
]

NAMES = ("red", "yellow")
COLORS = ("#cf222e", "#f2b705")

_SQUARE = 64  # the size of a square in units of the picture; all else follows from it
_FRAME = 10
_FOOT = 34  # room for the names of the columns
_SIDE = 24  # ... and for those of the rows, left of the frame
_HOLE, _DISC = 27, 25  # radii
_RIM = 2.5  # the dark line around a disc: yellow alone does not stand out from an empty hole

BOARD_COLOR = "#57606a"
_EMPTY, _FOUR, _LIGHT, _DARK = "#f6f8fa", "#a5ffdd", "#ffffff", "#1f2328"
NAME_COLOR, NAME_SIZE = _LIGHT, 24
"""How the names of the columns are written."""


class Box(NamedTuple):
    """A part of a picture, in its units; y grows downwards."""

    x: int
    y: int
    width: int
    height: int


def board_size(width: int, height: int) -> Box:
    """Return the box of the whole picture of a board.

    >>> board_size(7, 6)
    Box(x=0, y=0, width=468, height=438)
    """
    return Box(0, 0, width * _SQUARE + 2 * _FRAME, height * _SQUARE + 2 * _FRAME + _FOOT)


def square_box(column: int, row: int, height: int) -> Box:
    """Return the box of a square of a board that is so high."""
    return Box(_FRAME + column * _SQUARE, _FRAME + (height - 1 - row) * _SQUARE, _SQUARE, _SQUARE)


def name_place(column: int, height: int) -> tuple[int, int]:
    """Return where the name of a column is written: the middle of its baseline."""
    return _FRAME + column * _SQUARE + _SQUARE // 2, board_size(1, height).height - 14


def board(
    position: Position | str,
    *,
    last: int | None = None,
    names: Sequence[str] = NAMES,
    colors: Sequence[str] = COLORS,
    title: str | None = None,
    prefix: str = "fourcast",
    part: Box | None = None,
    over: str = "",
    foot: int = 0,
    rows: bool = False,
) -> str:
    """Return *position* as an SVG document.

    *last* is the column played last: its top disc gets a dashed ring. The squares of a four are filled
    and ringed. *names* and *colors* (`#rgb` or `#rrggbb`) are the first and the second player's.
    *prefix* begins the ids in the document, for pages with several boards. With *part* it is a picture
    of that part alone. The elements *over* are drawn last; *foot* is more room for them at the bottom.
    With *rows* the rows are numbered as well, left of the board.

    >>> picture = board(Position("4455"), title="After four moves")
    >>> picture.count('class="disc first"'), picture.count('class="hole"')
    (2, 42)
    """
    position = require_position(position)
    _require_drawing(last, names, colors)
    require("title", title, str, type(None))
    require("part", part, Box, tuple, type(None))
    require("foot", foot, int)
    require("prefix", prefix, str)
    require("over", over, str)
    colors = [check_color(color) for color in colors]
    _, _, width, height = board_size(position.width, position.height)
    height += foot
    left = -_SIDE if rows else 0
    whole = Box(left, 0, width - left, height)
    x, y, part_width, part_height = part or whole
    place = f' x="{left}"' if rows else ""
    if not re.fullmatch(r"[A-Za-z][\w-]{0,63}", prefix, re.ASCII):
        raise InvalidNotationError(f"{quote(prefix)} cannot begin an id")
    fours = set(position.winning_squares)
    if last is not None and last >= position.width:  # in PopOut: a disc was taken out
        last = None
    newest = None if last is None else (last, position.heights[last] - 1)
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{x} {y} {part_width} {part_height}"'
        f' width="{part_width}" height="{part_height}" role="img"'
        f' aria-labelledby="{prefix}-title {prefix}-desc">',
        f'<title id="{prefix}-title">{printable(title or "Connect Four")}</title>',
        f'<desc id="{prefix}-desc">{printable(describe(position, last=last, names=names))}</desc>',
        f'<rect class="board"{place} width="{whole.width}" height="{height}" rx="18"'
        f' fill="{BOARD_COLOR}"/>',
    ]
    if rows:
        for row in range(position.height):
            y = square_box(0, row, position.height).y + _SQUARE // 2 + 8
            lines.append(_name(left // 2 + 2, y, str(row + 1)))
    for column in range(position.width):
        x, baseline = name_place(column, position.height)
        for row in range(position.height):
            box = square_box(column, row, position.height)
            if part and not _overlap(box, part):
                continue
            y = box.y + _SQUARE // 2
            player = position.at(column, row)
            is_four = (column, row) in fours
            fill = _FOUR if is_four else _EMPTY
            lines.append(f'<circle class="hole" cx="{x}" cy="{y}" r="{_HOLE}" fill="{fill}"/>')
            if player:
                lines += _disc(x, y, player, colors[player - 1])
            if is_four:
                lines.append(_ring("four", x, y, f'stroke="{_FOUR}" stroke-width="6"'))
            if (column, row) == newest:
                stroke = f'stroke="{_DARK if is_four else _LIGHT}" stroke-width="5"'
                lines.append(_ring("last", x, y, f'{stroke} stroke-dasharray="8 6"'))
        lines.append(_name(x, baseline, format_column(column)))
    return "\n".join([*lines, *([over] if over else []), "</svg>", ""])


def disc(player: int, *, color: str | None = None, is_four: bool = False, name: str = "") -> str:
    """Return one square as an SVG document: empty for player 0, else a disc of player 1 or 2.

    >>> "<title>empty</title>" in disc(0)
    True
    """
    center = _SQUARE // 2
    called = name or ("empty", *NAMES)[player]
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_SQUARE} {_SQUARE}" width="{_SQUARE}"'
        f' height="{_SQUARE}" role="img">',
        f"<title>{printable(called)}</title>",
        f'<rect class="board" width="{_SQUARE}" height="{_SQUARE}" fill="{BOARD_COLOR}"/>',
        f'<circle class="hole" cx="{center}" cy="{center}" r="{_HOLE}" fill="{_EMPTY}"/>',
    ]
    if player:
        lines += _disc(center, center, player, check_color(color or COLORS[player - 1]))
    if is_four:
        lines.append(_ring("four", center, center, f'stroke="{_FOUR}" stroke-width="6"'))
    return "\n".join([*lines, "</svg>", ""])


def _require_drawing(last: object, names: Sequence[str], colors: Sequence[str]) -> None:
    require("last", last, int, type(None))
    require_each("names", names, str)
    require("colors", colors, list, tuple)
    for what, given in (("names", names), ("colors", colors)):
        if len(given) != 2:
            raise OptionError(
                f"{what} are those of the first and the second player, two and not {len(given)}"
            )


def describe(
    position: Position | str, *, last: int | None = None, names: Sequence[str] | None = None
) -> str:
    """Return *position* in words, for those who do not see the picture.

    >>> describe(Position("443"), last=2)
    'yellow to move after 3 moves, red was last in column 3. Bottom to top: column 3 red; column 4 red, \
yellow. All other columns are empty.'
    """
    position = require_position(position)
    _require_drawing(last, NAMES if names is None else names, COLORS)
    called = [fill("side.first"), fill("side.second")] if names is None else names
    count = position.ply
    if position.winner:
        pattern = "position.won" if position.rules.is_standard else "position.has_won"
        text = fill(pattern, player=called[position.winner - 1], count=count)
    elif position.is_over:
        text = fill("position.draw", count=count)
    else:
        pattern = "position.to_move" if position.rules.pop else "position.turn"
        text = fill(pattern, player=called[position.turn - 1], count=count)
    if last is not None and last < position.width and position.heights[last]:
        mover = called[position.at(last, position.heights[last] - 1) - 1]
        text = fill("position.last", text=text, player=mover, column=format_column(last))
    columns = []
    for column, discs in enumerate(position.heights):
        if discs:
            held = ", ".join(called[position.at(column, row) - 1] for row in range(discs))
            name = column_names(position.width)[column]
            columns.append(fill("position.column", column=name, discs=held))
    if not columns:
        return fill("position.empty", text=text)
    pattern = "position.full" if len(columns) == position.width else "position.some"
    return fill(pattern, text=text, columns="; ".join(columns))


def check_color(color: str) -> str:
    """Return *color* if it is one, `#rgb` or `#rrggbb`; else raise `InvalidNotationError`."""
    if not isinstance(color, str) or not re.fullmatch(r"#(?:[0-9a-fA-F]{3}){1,2}", color, re.ASCII):
        raise InvalidNotationError(f"{quote(color)} is not a color; one is '#cf222e'")
    return color


def contrast(one: str, other: str) -> float:
    """Return the contrast of two colors, 1 to 21, as WCAG 2 defines it.

    >>> contrast("#000", "#ffffff")
    21.0
    """
    light, dark = sorted((_luminance(one), _luminance(other)), reverse=True)
    return round((light + 0.05) / (dark + 0.05), 2)


def _luminance(color: str) -> float:
    digits = check_color(color)[1:]
    digits = digits if len(digits) == 6 else "".join(digit * 2 for digit in digits)
    parts = [int(digits[place : place + 2], 16) / 255 for place in (0, 2, 4)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def _name(x: int, y: int, name: str) -> str:
    return (
        f'<text class="name" x="{x}" y="{y}" fill="{NAME_COLOR}" font-size="{NAME_SIZE}"'
        ' font-weight="bold" font-family="system-ui, Helvetica, Arial, sans-serif"'
        f' text-anchor="middle">{name}</text>'
    )


def _disc(x: int, y: int, player: int, color: str) -> list[str]:
    """A disc: its shape is drawn in whatever shows best on its color."""
    mark = max((_LIGHT, _DARK), key=lambda tone: contrast(tone, color))
    circle = f'<circle class="disc {("first", "second")[player - 1]}" cx="{x}" cy="{y}" r="{_DISC}"'
    lines = [f'{circle} fill="{color}" stroke="{_DARK}" stroke-width="{_RIM}"/>']
    if player == 1:
        ring = f'<circle class="mark" cx="{x}" cy="{y}" r="13" fill="none"'
        lines.append(f'{ring} stroke="{mark}" stroke-width="4"/>')
    else:
        lines.append(f'<path class="mark" d="M{x} {y - 14}l14 14-14 14-14-14z" fill="{mark}"/>')
    return lines


def _overlap(one: Box, other: Box) -> bool:
    return (
        one.x < other.x + other.width
        and other.x < one.x + one.width
        and one.y < other.y + other.height
        and other.y < one.y + one.height
    )


def _ring(kind: str, x: int, y: int, stroke: str) -> str:
    return f'<circle class="{kind}" cx="{x}" cy="{y}" r="{_HOLE}" fill="none" {stroke}/>'


def printable(text: str) -> str:
    """Return *text* as it stands in an SVG document."""
    # Control characters have no place in XML, not even escaped.
    return escape("".join(character for character in text if character.isprintable()))
