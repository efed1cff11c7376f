"""Draws pictures of the solver and of minimax in docs, from the positions of their examples.

python tools/docs/draw_solver.py

A test compares the files in docs/images with what this draws.
"""

from __future__ import annotations

from pathlib import Path

from fourcast import Position, evaluate
from fourcast.notation import format_column
from fourcast.render import svg
from fourcast.render.marked import marked_svg
from fourcast.study.explain import Square
from fourcast.study.marks import Marks

FOLDER = Path(__file__).resolve().parent.parent.parent / "docs" / "images"


def dead_discs() -> str:
    """Return the position whose two lowest discs of the last column cannot become part of a four."""
    rings = (svg.square_box(6, row, 6) for row in (0, 1))
    return svg.board(
        Position("113542652147745537744477"),
        title="Two dead discs",
        over="\n".join(
            f'<rect x="{box.x + 4}" y="{box.y + 4}" width="56" height="56" rx="8" fill="none"'
            ' stroke="#a5ffdd" stroke-width="5"/>'
            for box in rings
        ),
    )


def follow_up() -> str:
    """Return who gets which squares when the second player always answers on top."""
    position = Position("342332477364445141221651")
    marks = Marks(position, 2, gets=_rows(position, 1), leaves=_rows(position, 0))
    return marked_svg(marks, title="Follow-up")


def freeze() -> str:
    """Return the plan that leaves a column alone until the first player has to play there."""
    position = Position("46233732211376447311374772")
    threat = 4
    others = [column for column in range(7) if column != threat]
    marks = Marks(
        position,
        2,
        gets=_rows(position, 1, others),
        leaves=_rows(position, 0, others),
        frozen=tuple((threat, row) for row in range(position.heights[threat], 6)),
        wins=((threat, 1),),
    )
    return marked_svg(marks, title="Freeze")


def minimax_tree() -> str:
    """Return a position and the tree two plies deep: red takes the highest number, yellow the lowest."""
    position = Position("4267115477572775625546246613411415")
    left, top, bottom = 34.0, 490, 640
    middle = svg.board_size(7, 6).width / 2
    drawn: list[str] = []
    values = {}
    places = {}
    for column, child in position.children().items():
        leaves = {reply: evaluate(after, "streaks") for reply, after in child.children().items()}
        values[column] = min(leaves.values())
        places[column] = left + 50 * (len(leaves) - 1) / 2
        for reply, value in leaves.items():
            kept = value == values[column]
            drawn += _branch(places[column], top + 70, left, bottom, reply, value, kept)
            left += 50
    best = max(values.values())
    for column, value in values.items():
        drawn += _branch(middle, top, places[column], top + 70, column, value, value == best)
    drawn += [_label(middle, top, best, True)]
    return svg.board(position, title="Minimax, two plies deep", over="\n".join(drawn), foot=240)


def _branch(
    x1: float, y1: float, x2: float, y2: float, column: int, value: int, is_kept: bool
) -> list[str]:
    """Return the line to a node, with the column that leads there, and the node."""
    color, width = ("#a5ffdd", 4) if is_kept else ("#d0d7de", 1.5)
    return [
        f'<line x1="{x1:g}" y1="{y1 + 14:g}" x2="{x2:g}" y2="{y2 - 14:g}" stroke="{color}"'
        f' stroke-width="{width}"/>',
        f'<text x="{(x1 + 2 * x2) / 3 + 4:.0f}" y="{(y1 + 2 * y2) / 3:.0f}" font-family="sans-serif"'
        f' font-size="13" fill="#fff">{format_column(column)}</text>',
        _label(x2, y2, value, is_kept),
    ]


def _label(x: float, y: float, value: int, is_kept: bool) -> str:
    fill = "#a5ffdd" if is_kept else "#f6f8fa"
    return (
        f'<rect x="{x - 22:g}" y="{y - 14:g}" width="44" height="26" rx="6" fill="{fill}"/>'
        f'<text x="{x:g}" y="{y + 5:g}" text-anchor="middle" font-family="sans-serif" font-size="15"'
        f' fill="#24292f">{value}</text>'
    )


def _rows(position: Position, parity: int, columns: list[int] | None = None) -> tuple[Square, ...]:
    """Return the empty squares of *columns* (default all) in every second row."""
    chosen = range(7) if columns is None else columns
    return tuple((c, r) for c in chosen for r in range(position.heights[c], 6) if r % 2 == parity)


PICTURES = {
    "minimax-tree.svg": minimax_tree,
    "solver-dead.svg": dead_discs,
    "solver-follow-up.svg": follow_up,
    "solver-freeze.svg": freeze,
}


def main() -> None:
    for name, draw in PICTURES.items():
        (FOLDER / name).write_text(draw(), "utf-8")


if __name__ == "__main__":
    main()
