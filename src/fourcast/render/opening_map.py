"""A map of an opening: its tree of moves as an SVG document, colored by outcome, that zooms by itself.

Each row is a move; below a move are the replies to it. A color, a pattern and a letter say what a move
leads to with best play. In a browser the picture zooms by wheel, pinch, click and keys; see
`opening_map.js`. As an image in another page it shows the whole tree.
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib.resources import files

from fourcast._core import Position
from fourcast.notation import format_column
from fourcast.render.catalogue import Names
from fourcast.render.svg import printable
from fourcast.render.words import describe_score
from fourcast.study.opening_tree import OpeningMove, OpeningTree

__all__ = ["opening_map"]

_WIDTH, _ROW, _TOP, _FOOT = 1400.0, 120.0, 64.0, 40.0
_THIN, _NAMED = 5, 9
"""Narrower cells have no outline, and no letters, until they are zoomed to. The script knows both."""
_FILLS = {"first": "#e5534b", "draw": "#c9d1d9", "second": "#f2cc60"}
_STYLE = """
svg{font-family:system-ui,Helvetica,Arial,sans-serif;touch-action:none;background:#fff}
.move{cursor:zoom-in}.move rect{stroke:#1f2328;stroke-width:.6}.move rect.thin{stroke:none}
.move rect:hover{stroke:#1f2328;stroke-width:3}text{fill:#1f2328;text-anchor:middle;pointer-events:none}
.head{text-anchor:start;font-size:22px;font-weight:bold}.key{text-anchor:start;font-size:16px}
"""
_KEY = {"first": "{0} wins", "draw": "a draw", "second": "{1} wins"}


def opening_map(tree: OpeningTree, names: Names = ("Red", "Yellow")) -> str:
    """Return the map of *tree*.

    >>> from fourcast.study.opening_tree import opening_tree
    >>> opening_map(opening_tree(plies=2)).count("<g class='move")
    56
    """
    letters = {"first": names[0][0], "draw": "=", "second": names[1][0]}

    def draw(
        here: Position, children: tuple[OpeningMove, ...], left: float, width: float, said: str
    ) -> Iterator[str]:
        """The moves of a position, each with its replies in the same group."""
        cell = width / len(children)
        mover = here.turn
        for place, move in enumerate(children):
            side = "draw" if move.score == 0 else ("second", "first")[(move.score > 0) == (mover == 1)]
            x, y = left + place * cell, _TOP + (here.ply - tree.position.ply) * _ROW
            column = format_column(move.column)
            words = _ending(move.after) if move.after.is_over else describe_score(move.score, here)
            label = f"{said}{column}: {names[mover - 1]} {words}"
            thin = "" if cell >= _THIN else " class='thin'"
            yield (
                f"<g class='move' data-column='{column}' data-side='{side}'>"
                f"<title>{printable(label)}</title><rect{thin} x='{x:.6g}' y='{y:g}' width='{cell:.6g}'"
                f" height='{_ROW:g}' fill='url(#{side})'/>"
            )
            if cell >= _NAMED:
                yield _text(x + cell / 2, y + 58, cell, 0.4, column, " font-weight='bold'")
                yield _text(x + cell / 2, y + 96, cell, 0.3, letters[side])
            if move.replies:
                yield from draw(move.after, move.replies, x, cell, said + column)
            yield "</g>\n"

    position, plies = tree.position, tree.plies
    height = _TOP + plies * _ROW + _FOOT
    start = "" if position.ply == 0 else f" after {position.ply} discs"
    title = f"Connect Four: the next {plies} moves{start}" if plies > 1 else f"The next move{start}"
    head = [
        f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {_WIDTH:g} {height:g}' role='img'"
        " aria-labelledby='map-title map-desc'>\n",
        f"<title id='map-title'>{printable(title)}</title>\n",
        "<desc id='map-desc'>A tree: each row is a move, below it are the replies. The color, the"
        " pattern and the letter of a move say who wins after it with best play.</desc>\n",
        f"<style>{_STYLE}</style>\n<defs>\n{_patterns()}</defs>\n",
        f"<text class='head' x='8' y='28'>{printable(title)}</text>\n",
        "<text class='key' x='8' y='50'>",
        "Wheel, pinch or click to zoom, drag to move; 0 shows all.</text>\n",
    ]
    return "".join(
        [
            *head,
            *draw(position, tree.moves, 0.0, _WIDTH, ""),
            *_key(names, letters, height),
            *_script(),
            "</svg>\n",
        ]
    )


def _text(x: float, y: float, cell: float, share: float, text: str, more: str = "") -> str:
    """Letters in a cell, whose size follows from its width, here and in the script."""
    size = min(cell, 100) * share
    return (
        f"<text x='{x:.6g}' y='{y:g}' font-size='{size:.4g}' data-size='{share:g}'{more}>"
        f"{printable(text)}</text>"
    )


def _ending(after: Position) -> str:
    return "draws, the board is full" if after.winner is None else "completes a four"


def _patterns() -> str:
    """A fill for each outcome: plain, striped, and dotted, so that nothing depends on colors."""
    marks = {
        "first": "",
        "draw": "<path d='M0 8L8 0' stroke='#8c959f' stroke-width='1'/>",
        "second": "<circle cx='4' cy='4' r='1' fill='#9a6700'/>",
    }
    return "".join(
        f"<pattern id='{side}' width='8' height='8' patternUnits='userSpaceOnUse'>"
        f"<rect width='8' height='8' fill='{fill}'/>{marks[side]}</pattern>\n"
        for side, fill in _FILLS.items()
    )


def _key(names: Names, letters: dict[str, str], height: float) -> Iterator[str]:
    """What the fills and letters mean."""
    for place, (side, words) in enumerate(_KEY.items()):
        x = 8 + 280 * place
        said = f"{letters[side]}  {words.format(*names)} with best play"
        yield f"<rect x='{x}' y='{height - 28:g}' width='20' height='20' fill='url(#{side})'/>"
        yield f"<text class='key' data-side='{side}' data-letter='{printable(letters[side])}'"
        yield f" x='{x + 28}' y='{height - 12:g}'>{printable(said)}</text>\n"


def _script() -> Iterator[str]:
    code = files("fourcast.render").joinpath("opening_map.js").read_text("utf-8")
    yield f"<script><![CDATA[\n{code}]]></script>\n"
