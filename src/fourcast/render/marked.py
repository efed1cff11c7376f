"""Boards with the marks of an explanation, as SVG and PNG.

Every kind of mark has a shape of its own, so that nothing depends on colors, and stands on the board's
own background, so that it reads the same on a light and on a dark page. A legend below names the kinds
that are there. Parts have classes (`gets`, `leaves`, `pair`, `frozen`, `win`, `line`, `played`, `group`,
`legend`) beside those of `render.svg`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from fourcast.render import svg
from fourcast.render.legend import Names, legend, pair_name, shared_groups
from fourcast.render.png import to_png
from fourcast.render.svg import Box
from fourcast.study.explain import Square
from fourcast.study.marks import Marks

__all__ = ["marked_png", "marked_svg"]

_DARK, _LIGHT = "#1f2328", "#ffffff"
_LINK = "#8250df"  # pairs: a color of no player
_HATCH = "#6e7781"
_GROUP_STROKES = (("#a5ffdd", "none"), ("#ffd8a8", "14 7"), ("#d0bfff", "4 7"), ("#ffffff", "20 6 4 6"))
_LEGEND_LINE, _LEGEND_SIZE, _LEGEND_X = 34, 18, 64
_SMALL = 0.6  # how large the marks of the legend are drawn
_FONT = 'font-family="system-ui, Helvetica, Arial, sans-serif" text-anchor='


class Label(NamedTuple):
    """Letters in a picture; x and y are the start or the middle of the baseline."""

    kind: str
    x: float
    y: float
    text: str
    size: int = 24
    color: str = _DARK
    centered: bool = True

    def svg(self) -> str:
        """Return the SVG element."""
        anchor = "middle" if self.centered else "start"
        weight = ' font-weight="bold"' if self.centered else ""
        return (
            f'<text class="{self.kind}" x="{self.x:g}" y="{self.y:g}" font-size="{self.size}"{weight}'
            f' fill="{self.color}" {_FONT}"{anchor}">{svg.printable(self.text)}</text>'
        )


Part = str | Label
"""A shape as an SVG element, or letters."""


def marked_svg(
    marks: Marks,
    *,
    last: int | None = None,
    names: Names = ("Red", "Yellow"),
    colors: Sequence[str] = svg.COLORS,
    title: str | None = None,
    prefix: str = "fourcast",
) -> str:
    """Return the board of *marks* with all of them, and a legend, as an SVG document.

    The options are those of `fourcast.render.svg.board`.

    >>> from fourcast import Position, explain
    >>> picture = marked_svg(explain(Position("14642545655244774665")).marks())
    >>> [picture.count(f'class="{kind}"') for kind in ("gets", "leaves", "frozen", "win")]
    [5, 5, 10, 2]
    """
    parts = _parts(marks, names, colors, prefix)
    drawn = [part.svg() if isinstance(part, Label) else part for part in parts]
    return svg.board(
        marks.position,
        last=last,
        names=names,
        colors=colors,
        title=title,
        prefix=prefix,
        over="\n".join(drawn),
        foot=_legend_height(marks, names),
        rows=True,
    )


def marked_png(
    marks: Marks,
    *,
    last: int | None = None,
    names: Names = ("Red", "Yellow"),
    colors: Sequence[str] = svg.COLORS,
    scale: int = 1,
) -> bytes:
    """Return the same picture as PNG; a square has 64 * *scale* pixels."""
    return to_png(marked_svg(marks, last=last, names=names, colors=colors), scale)


def _legend_height(marks: Marks, names: Names) -> int:
    lines = len(legend(marks, names))
    return lines * _LEGEND_LINE + 8 if lines else 0


def _center(marks: Marks, square: Square) -> tuple[int, int]:
    box = svg.square_box(*square, marks.position.height)
    return box.x + box.width // 2, box.y + box.height // 2


def _parts(marks: Marks, names: Names, colors: Sequence[str], prefix: str) -> Iterator[Part]:
    """All marks, the lowest first."""
    yield _hatch(prefix)
    for number, group in enumerate(shared_groups(marks)):
        yield from _outline(marks, group, number)
    for square in marks.frozen:
        yield from _frozen(*_center(marks, square), prefix)
    for one, other in marks.pairs:
        yield from _link(_center(marks, one), _center(marks, other))
    wins = set(marks.wins)
    for kind, player in (("gets", marks.player), ("leaves", 3 - (marks.player or 1))):
        for square in getattr(marks, kind):
            if square not in wins and player:
                yield from _small_square(kind, *_center(marks, square), player, colors)
    for number, pair in enumerate(marks.pairs):
        for square in pair:
            yield from _pair(*_center(marks, square), pair_name(number))
    for number, square in enumerate(marks.played, start=1):
        yield from _played(*_center(marks, square), number)
    for number, player, square in marks.coming:
        yield from _to_come(*_center(marks, square), number, colors[player - 1])
    for square in marks.wins:
        yield from _win(*_center(marks, square), colors[(marks.player or 1) - 1])
    yield from _legend(marks, names, colors, prefix)


def _hatch(prefix: str) -> str:
    return (
        f'<pattern id="{prefix}-hatch" width="9" height="9" patternUnits="userSpaceOnUse"'
        f' patternTransform="rotate(45)"><rect width="4" height="9" fill="{_HATCH}"/></pattern>'
    )


def _frozen(x: int, y: int, prefix: str) -> Iterator[Part]:
    yield f'<circle class="frozen" cx="{x}" cy="{y}" r="25" fill="url(#{prefix}-hatch)"/>'


def _small_square(kind: str, x: int, y: int, player: int, colors: Sequence[str]) -> Iterator[Part]:
    """A square in the color of a player with the shape of the player's discs in it."""
    color = svg.check_color(colors[player - 1])
    tone = max((_LIGHT, _DARK), key=lambda tone: svg.contrast(tone, color))
    yield (
        f'<rect class="{kind}" x="{x - 13}" y="{y - 13}" width="26" height="26" rx="4" fill="{color}"'
        f' stroke="{_DARK}" stroke-width="2"/>'
    )
    if player == 1:
        yield f'<circle cx="{x}" cy="{y}" r="5" fill="none" stroke="{tone}" stroke-width="3"/>'
    else:
        yield f'<path d="M{x} {y - 7}l7 7-7 7-7-7z" fill="{tone}"/>'


def _link(one: tuple[int, int], other: tuple[int, int]) -> Iterator[Part]:
    path = f'd="M{one[0]} {one[1]}L{other[0]} {other[1]}"'
    yield f'<path class="link" {path} stroke="{_LIGHT}" stroke-width="9" stroke-linecap="round"/>'
    yield f'<path class="link" {path} stroke="{_LINK}" stroke-width="4" stroke-dasharray="10 5"/>'


def _pair(x: int, y: int, name: str) -> Iterator[Part]:
    yield (
        f'<circle class="pair" cx="{x}" cy="{y}" r="17" fill="{_LIGHT}" stroke="{_LINK}"'
        ' stroke-width="4"/>'
    )
    yield Label("pair-name", x, y + 7, name, 24, _DARK)


def _played(x: int, y: int, number: int) -> Iterator[Part]:
    yield (
        f'<circle class="played" cx="{x}" cy="{y}" r="15" fill="{_LIGHT}" stroke="{_DARK}"'
        ' stroke-width="2"/>'
    )
    yield Label("number", x, y + 7, str(number), 19, _DARK)


def _to_come(x: int, y: int, number: int, color: str) -> Iterator[Part]:
    yield (
        f'<circle class="line" cx="{x}" cy="{y}" r="21" fill="{svg.check_color(color)}"'
        f' fill-opacity="0.5" stroke="{_DARK}" stroke-width="2" stroke-dasharray="6 4"/>'
    )
    yield Label("number", x, y + 8, str(number), 23, _DARK)


def _win(x: int, y: int, color: str) -> Iterator[Part]:
    color = svg.check_color(color)
    tone = max((_LIGHT, _DARK), key=lambda tone: svg.contrast(tone, color))
    yield (
        f'<path class="win" d="M{x - 19} {y + 17}h38l-19-36z" fill="{color}" stroke="{_DARK}"'
        ' stroke-width="2.5" stroke-linejoin="round"/>'
    )
    yield Label("win-sign", x, y + 13, "!", 25, tone)


def _outline(marks: Marks, group: tuple[int, ...], number: int) -> Iterator[Part]:
    """A frame around each run of neighboring columns of a group, drawn alike for all runs."""
    height = marks.position.height
    runs: list[list[int]] = []
    for column in group:
        if runs and runs[-1][1] == column - 1:
            runs[-1][1] = column
        else:
            runs.append([column, column])
    for left, right in runs:
        top, end = svg.square_box(left, height - 1, height), svg.square_box(right, 0, height)
        width, depth = end.x + end.width - top.x - 2, end.y + end.height - top.y + 8
        yield from _frame(Box(top.x + 1, top.y - 4, width, depth), number)


def _frame(box: Box, number: int, fill: str = "none") -> Iterator[Part]:
    color, dashes = _GROUP_STROKES[number % len(_GROUP_STROKES)]
    yield (
        f'<rect class="group" x="{box.x}" y="{box.y}" width="{box.width}" height="{box.height}" rx="14"'
        f' fill="{fill}" stroke="{color}" stroke-width="4" stroke-dasharray="{dashes}"/>'
    )


def _legend(marks: Marks, names: Names, colors: Sequence[str], prefix: str) -> Iterator[Part]:
    whole = svg.board_size(marks.position.width, marks.position.height)
    top, entries = whole.height, legend(marks, names)
    longest = max((len(words) for _, words in entries), default=1)
    size = max(8, min(_LEGEND_SIZE, int((whole.width - _LEGEND_X) / longest / 0.6)))  # to fit any font
    player, turn = marks.player or 1, marks.position.turn
    for number, (kind, words) in enumerate(entries):
        x, y = 34, top + number * _LEGEND_LINE + _LEGEND_LINE // 2
        yield f'<circle class="hole" cx="{x}" cy="{y}" r="16" fill="#f6f8fa"/>'
        samples = {
            "played": _played(x, y, 1),
            "line": _to_come(x, y, len(marks.played) + 1, colors[turn - 1]),
            "gets": _small_square("gets", x, y, player, colors),
            "leaves": _small_square("leaves", x, y, 3 - player, colors),
            "pairs": _pair(x, y, pair_name(0)),
            "frozen": _frozen(x, y, prefix),
            "wins": _win(x, y, colors[player - 1]),
            "groups": _frame(Box(x - 15, y - 20, 30, 40), 0, svg.BOARD_COLOR),
        }
        parts = list(samples[kind])
        yield f'<g transform="translate({(1 - _SMALL) * x:g} {(1 - _SMALL) * y:g}) scale({_SMALL})">'
        yield from (part.replace('class="', 'class="sample ') for part in parts if isinstance(part, str))
        yield "</g>"
        for part in parts:
            if isinstance(part, Label):
                yield part._replace(y=y + (part.y - y) * _SMALL, size=round(part.size * _SMALL))
        yield Label("legend", _LEGEND_X, y + 6, words, size, _LIGHT, centered=False)
