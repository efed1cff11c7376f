"""The values of empty boards, as published."""

from __future__ import annotations

from pathlib import Path

import pytest

from fourcast import Position, Solver

VALUES = {
    size: int(score)
    for size, score in (
        line.split()
        for line in (Path(__file__).parent.parent / "fixtures" / "sizes.txt")
        .read_text("utf-8")
        .splitlines()
    )
}
QUICK = ["4x4", "5x4", "4x5", "5x5", "6x4", "4x8", "7x4", "6x5"]
LONG = [  # 6 minutes in all
    f"{width}x{height}"
    for width, tallest in ((4, 12), (5, 10), (6, 9), (7, 7), (8, 6), (9, 5), (10, 4))
    for height in range(4, tallest + 1)
    if f"{width}x{height}" not in QUICK
]


@pytest.mark.parametrize(
    "size", [*QUICK, *(pytest.param(size, marks=pytest.mark.slow) for size in LONG)]
)
def test_the_value_of_an_empty_board_is_the_published_one(size: str) -> None:
    width, height = map(int, size.split("x"))
    # The memory of a larger table takes longer to get and to reach than it saves.
    solver = Solver(book=False, table_mb=256 if width * height >= 42 else 64)
    assert solver.score(Position(width=width, height=height)) == VALUES[size]
