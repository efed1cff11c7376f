"""Draws the pictures of docs/how-the-solver-works.md, from the positions of its examples.

python tools/docs/draw_solver.py

A test compares the files in docs/images with what this draws.
"""

from __future__ import annotations

from pathlib import Path

from fourcast import Position
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


def _rows(position: Position, parity: int, columns: list[int] | None = None) -> tuple[Square, ...]:
    """Return the empty squares of *columns* (default all) in every second row."""
    chosen = range(7) if columns is None else columns
    return tuple((c, r) for c in chosen for r in range(position.heights[c], 6) if r % 2 == parity)


PICTURES = {
    "solver-dead.svg": dead_discs,
    "solver-follow-up.svg": follow_up,
    "solver-freeze.svg": freeze,
}


def main() -> None:
    for name, draw in PICTURES.items():
        (FOLDER / name).write_text(draw(), "utf-8")


if __name__ == "__main__":
    main()
