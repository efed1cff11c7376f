"""A map of an opening: its tree of moves as an SVG document, colored by outcome, that zooms by itself.

Each row is a move; below a move are the replies to it. A color, a pattern and a letter say what a move
leads to with best play. In a browser the picture zooms by wheel, pinch, click and keys; see
`opening_map.js`. As an image in another page it shows the whole tree.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib.resources import files
from itertools import count

from fourcast._core import Position
from fourcast.errors import FinishedGameError, OptionError
from fourcast.notation import format_column, require_position
from fourcast.render.catalogue import Names
from fourcast.render.svg import printable
from fourcast.render.words import describe_score
from fourcast.solver import Solver

__all__ = ["MOST_PLIES", "opening_map"]

MOST_PLIES = 5
"""Plies of the deepest map: 20,000 moves, 3 MB."""

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


def opening_map(
    position: Position | str | None = None,
    plies: int = 4,
    *,
    solver: Solver | None = None,
    names: Names = ("Red", "Yellow"),
    progress: Callable[[int], object] | None = None,
) -> str:
    """Return the map of the moves after *position*, by default the empty board, to a depth of *plies*.

    *progress* is called with the number of moves drawn so far. Raises `OptionError` for a depth that is
    not 1 to 5, and `FinishedGameError` if there is no move.

    >>> opening_map(plies=2).count("<g class='move")
    56
    """
    if not 1 <= plies <= MOST_PLIES:
        raise OptionError(f"a map has 1 to {MOST_PLIES} plies, not {plies}")
    position = Position() if position is None else require_position(position)
    if position.is_over:
        raise FinishedGameError("the game is over: there is no opening to draw")
    solver = solver or Solver(table_mb=64)
    number = count(1)
    letters = {"first": names[0][0], "draw": "=", "second": names[1][0]}
    scores: dict[int, int] = {}

    def score(here: Position) -> int:
        key = here.canonical_key
        if key not in scores:
            scores[key] = solver.score(here)
        return scores[key]

    def draw(here: Position, left: float, width: float, depth: int, said: str) -> Iterator[str]:
        """The moves of a position, each with its replies in the same group."""
        children = here.children()
        cell = width / len(children)
        for place, (column, after) in enumerate(children.items()):
            mover = here.turn
            value = -(after.final_score if after.is_over else score(after))
            side = "draw" if value == 0 else ("second", "first")[(value > 0) == (mover == 1)]
            x, y = left + place * cell, _TOP + depth * _ROW
            moves = said + format_column(column)
            words = describe_score(value, here) if not after.is_over else _ending(after)
            label = f"{moves}: {names[mover - 1]} {words}"
            if progress:
                progress(next(number))
            thin = "" if cell >= _THIN else " class='thin'"
            yield (
                f"<g class='move' data-column='{format_column(column)}' data-side='{side}'>"
                f"<title>{printable(label)}</title><rect{thin} x='{x:.6g}' y='{y:g}' width='{cell:.6g}'"
                f" height='{_ROW:g}' fill='url(#{side})'/>"
            )
            if cell >= _NAMED:
                yield _text(
                    x + cell / 2, y + 58, cell, 0.4, format_column(column), " font-weight='bold'"
                )
                yield _text(x + cell / 2, y + 96, cell, 0.3, letters[side])
            if depth + 1 < plies and not after.is_over:
                yield from draw(after, x, cell, depth + 1, moves)
            yield "</g>\n"

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
            *draw(position, 0.0, _WIDTH, 0, ""),
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
