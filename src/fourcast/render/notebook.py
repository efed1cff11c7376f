"""Positions, games, analyses and reviews as notebooks show them: SVG, and HTML around it.

Objects have `_repr_svg_` or `_repr_html_`, which Jupyter, VS Code, Colab and marimo look for; those of
compiled types are in the bindings and import this module when they are called.
"""

from __future__ import annotations

import hashlib
import html
import os
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Union

from fourcast._core import Analysis, Line, Position
from fourcast.errors import OptionError
from fourcast.notation import format_column, format_moves, quote
from fourcast.render import svg
from fourcast.render.marked import marked_svg
from fourcast.render.png import to_png
from fourcast.render.review import accuracy_text, label_of, mistake_texts, story_text
from fourcast.render.words import describe_bounds, name_columns
from fourcast.study.explain import Explanation
from fourcast.study.marks import Marks
from fourcast.study.review import Review, Verdict

if TYPE_CHECKING:
    from fourcast.game import Game

__all__ = ["Picture", "analysis_html", "game_svg", "position_svg", "review_html", "show", "table_html"]

SCALE = 0.6
"""Pixels of a unit of a picture: a board of 7x6 is 281 pixels wide."""

_FONT = 'font-family="system-ui, Helvetica, Arial, sans-serif"'
_TONES = {"win": "#a5ffdd", "draw": "#ffffff", "loss": "#ffb3ab"}
_GRAPH = {"step": 12, "half": 60}
_VERDICTS = {Verdict.INACCURACY: "#bf8700", Verdict.MISTAKE: "#cf222e", Verdict.BLUNDER: "#8250df"}
_NAMES = ("Red", "Yellow")

Shown = Union[Position, str, "Game", Analysis, Explanation, Marks]


@dataclass(frozen=True)
class Picture:
    """A picture that notebooks show, and that can be saved."""

    svg: str
    text: str = ""

    def _repr_svg_(self) -> str:
        return self.svg

    def __repr__(self) -> str:
        return self.text

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Write the picture as `.svg`, or as `.png`, which needs `pip install '.[web]'`."""
        file = Path(path)
        if file.suffix == ".svg":
            file.write_text(self.svg, "utf-8")
        elif file.suffix == ".png":
            file.write_bytes(to_png(self.svg, 2))
        else:
            raise OptionError(f"{quote(str(path))} must end with .svg or .png")
        return file


def show(
    shown: Shown,
    *,
    marks: Marks | Explanation | Analysis | None = None,
    last: int | None = None,
    colors: Sequence[str] = svg.COLORS,
) -> Picture:
    """Return a picture of a position for notebooks, with marks if they are given.

    *shown* is a position, its moves, a game, an analysis, an explanation or its marks. *marks* are those
    of an explanation of the position, or the scores of an analysis. *last* is the column played last.

    >>> show("4455")
    . . . . . . .
    . . . . . . .
    . . . . . . .
    . . . . . . .
    . . . O O . .
    . . . X X . .
    """
    position, last, own_marks = _read(shown, last)
    marks = own_marks if marks is None else marks
    if isinstance(marks, Explanation):
        marks = marks.marks()
    if not isinstance(marks, (Marks, Analysis, type(None))):
        raise TypeError(f"marks must be an explanation, its marks or an analysis, not {quote(marks)}")
    if marks is not None and _start(marks) != position and not isinstance(shown, (Explanation, Marks)):
        raise OptionError("the marks are those of another position")
    if isinstance(marks, Marks):
        prefix = _prefix(marks.position)
        return Picture(_sized(marked_svg(marks, colors=colors, prefix=prefix)), str(marks.position))
    if isinstance(marks, Analysis):
        return Picture(_analysis_svg(marks, last, colors), str(position))
    return Picture(_board(position, last=last, colors=colors), str(position))


def _read(
    shown: Shown, last: int | None
) -> tuple[Position, int | None, Marks | Explanation | Analysis | None]:
    """The position of what is to be shown, the last column if it is known, and the marks that it has."""
    if isinstance(shown, str):
        shown = Position(shown)
    if isinstance(shown, Position):
        return shown, last, None
    if isinstance(shown, Analysis | Explanation | Marks):
        return shown.position, last, shown
    position = getattr(shown, "position", None)
    columns = getattr(shown, "columns", None)
    if not isinstance(position, Position) or columns is None:
        raise TypeError(
            f"{quote(shown)} cannot be shown: give a position, its moves, a game or an analysis"
        )
    return position, columns[-1] if columns and last is None else last, None


def _start(marks: Marks | Analysis) -> Position:
    """The position that was explained or analyzed: without the discs that marks have added."""
    if isinstance(marks, Analysis) or not marks.played:
        return marks.position
    added = set(marks.played)
    squares = [
        [
            0 if (column, row) in added else marks.position.at(column, row)
            for row in range(marks.position.height)
        ]
        for column in range(marks.position.width)
    ]
    return Position.from_grid(squares, order="columns", top_first=False)


def position_svg(position: Position) -> str:
    """Return a position as notebooks show it.

    >>> Position("4455")._repr_svg_() == position_svg(Position("4455"))
    True
    """
    return _board(position)


def game_svg(game: Game) -> str:
    """Return the board of a game, with a ring around the last disc, and the result as its title."""
    columns = game.columns
    title = f"{format_moves(columns)} {game.result or ''}".strip()
    return _board(game.position, last=columns[-1] if columns else None, title=title)


def analysis_html(analysis: Analysis) -> str:
    """Return the board with the score of each column below it, and what the position is worth."""
    names = dict(enumerate(_NAMES, 1))
    result = analysis.result
    words = describe_bounds(result.lower, result.upper, analysis.position)
    lines = [f"{names[analysis.position.turn]}, to move, {words}."]
    if best := analysis.best_columns:
        lines.append(f"Best: {name_columns(best)}.")
    if (line := analysis.best_line) and len(line.variation) > 1:
        lines.append(f"Best play: {format_moves(line.variation)}.")
    said = " ".join(lines)
    return f"<div>{_analysis_svg(analysis)}<p>{html.escape(said)}</p></div>"


def explanation_html(found: Explanation) -> str:
    """Return the marked board of an explanation, and its words."""
    words = "".join(f"<p>{html.escape(line)}</p>" for line in found.words().splitlines())
    return f"<div>{show(found)._repr_svg_()}{words}</div>"


def review_html(review: Review) -> str:
    """Return the graph of a reviewed game, its story, and its mistakes."""
    told = mistake_texts(review, _NAMES)
    rows = [
        [
            str(move["number"]),
            _NAMES[move["player"] - 1],
            format_column(move["column"]),
            f"{label_of(move)}: {told[move['number']]}",
        ]
        for move in review.judged["moves"]
        if move["number"] in told
    ]
    texts = [accuracy_text(review, _NAMES), *story_text(review, _NAMES).splitlines()]
    parts = [_graph_svg(review), *(f"<p>{html.escape(text)}</p>" for text in texts if text)]
    if rows:
        parts.append(table_html(["move", "player", "column", "what it did"], rows))
    return f"<div>{''.join(parts)}</div>"


def table_html(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a plain table, as the notebook's own style dresses it.

    >>> table_html(["player"], [["<b>"]])
    '<table><thead><tr><th>player</th></tr></thead><tbody><tr><td>&lt;b&gt;</td></tr></tbody></table>'
    """

    def line(cells: Sequence[str], tag: str) -> str:
        return f"<tr>{''.join(f'<{tag}>{html.escape(cell)}</{tag}>' for cell in cells)}</tr>"

    body = "".join(line(row, "td") for row in rows)
    return f"<table><thead>{line(heads, 'th')}</thead><tbody>{body}</tbody></table>"


# Drawing


def _board(
    position: Position,
    *,
    last: int | None = None,
    title: str | None = None,
    colors: Sequence[str] = svg.COLORS,
) -> str:
    prefix = _prefix(position, last)
    return _sized(svg.board(position, last=last, title=title, colors=colors, prefix=prefix))


def _prefix(position: Position, *more: object) -> str:
    """What the ids of a picture begin with: pages have many pictures, and runs give the same ones."""
    what = repr((position.width, position.height, position.bitboards, more))
    return f"f{hashlib.sha256(what.encode()).hexdigest()[:12]}"


def _sized(picture: str) -> str:
    """A picture of a size that leaves room on the page."""

    def smaller(match: re.Match[str]) -> str:
        width, height = (round(int(size) * SCALE) for size in match.groups())
        return f'width="{width}" height="{height}" role="img"'

    return re.sub(r'width="(\d+)" height="(\d+)" role="img"', smaller, picture, count=1)


def _analysis_svg(
    analysis: Analysis, last: int | None = None, colors: Sequence[str] = svg.COLORS
) -> str:
    """The board with the score of each open column below its name; the best have a frame."""
    position = analysis.position
    best = analysis.best_columns or ()
    parts = []
    for line in analysis:
        x, y = svg.name_place(line.column, position.height)
        tone = _TONES[line.outcome] if line.outcome else "#ffffff"
        text = _score(line)
        if line.column in best:
            parts.append(
                f'<rect class="best" x="{x - 27}" y="{y + 10}" width="54" height="34" rx="8" fill="none"'
                f' stroke="{tone}" stroke-width="3"/>'
            )
        parts.append(
            f'<text class="score" x="{x}" y="{y + 35}" fill="{tone}" font-size="22" font-weight="bold"'
            f' {_FONT} text-anchor="middle">{text}</text>'
        )
    picture = svg.board(
        position,
        last=last,
        colors=colors,
        prefix=_prefix(position, last, "scores"),
        over="\n".join(parts),
        foot=40,
    )
    return _sized(picture)


def _score(line: Line) -> str:
    if line.score is not None:
        return f"{line.score:+d}" if line.score else "0"
    return f"{line.lower}..{line.upper}"


def _graph_svg(review: Review) -> str:
    """The score over the moves: up is good for the first player, and errors have a mark."""
    step, half = _GRAPH["step"], _GRAPH["half"]
    width, height = step * max(len(review.moves), 10) + 20, 2 * half + 30
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}"'
        f' height="{height}" role="img"><title>Score after each move; up is good for the first player'
        "</title>",
        f'<rect width="{width}" height="{height}" rx="8" fill="{svg.BOARD_COLOR}"/>',
        f'<path d="M8 {half + 8}h{width - 16}" stroke="#ffffff"/>',
    ]
    for place, move in enumerate(review.moves):
        x = 10 + place * step
        if move.score_first is None:
            continue
        high = round(half * abs(move.score_first) / move.position.highest_score)
        if move.score_first:
            player = 1 if move.score_first > 0 else 2
            y = half + 8 - high if player == 1 else half + 8
            color = svg.COLORS[player - 1]
            parts.append(
                f'<rect x="{x}" y="{y}" width="{step - 3}" height="{max(high, 2)}" fill="{color}"/>'
            )
        if move.verdict in _VERDICTS:
            label = f"move {move.number}: {move.verdict.value}"
            parts.append(
                f'<circle cx="{x + (step - 3) / 2:g}" cy="{height - 10}" r="4" stroke="#ffffff"'
                f' fill="{_VERDICTS[move.verdict]}"><title>{label}</title></circle>'
            )
    return "".join([*parts, "</svg>"])
