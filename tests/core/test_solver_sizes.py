"""Boards of other sizes have the values that are known of them."""

from __future__ import annotations

import pytest

from fourcast import Limit, Position, Solver

# (width, height) -> 0 for a draw, else the disc that ends the game: odd ones are the first player's.
SMALL = {
    (4, 4): 0,
    (4, 5): 0,
    (4, 6): 0,
    (4, 7): 0,
    (5, 4): 0,
    (5, 5): 0,
    (5, 6): 0,
    (6, 4): 24,
    (6, 5): 0,
    (7, 4): 0,
}
LARGER = {
    (4, 8): 0,
    (5, 7): 0,
    (5, 8): 0,
    (6, 6): 36,
    (6, 7): 41,
    (7, 5): 0,
    (8, 4): 32,
    (8, 5): 39,
    (9, 4): 36,
    (10, 4): 40,
}


def check(width: int, height: int, end: int) -> None:
    position = Position(width=width, height=height)
    result = Solver(book=False, table_mb=256, threads=2).solve(
        position, Limit(time_s=1200), best_columns=False
    )
    magnitude = 0 if end == 0 else (width * height + 2 - end) // 2
    assert result.score == (magnitude if end % 2 else -magnitude)
    assert result.plies_to_end == (end or width * height)


@pytest.mark.parametrize(("size", "end"), SMALL.items())
def test_a_small_board_has_its_known_value(size: tuple[int, int], end: int) -> None:
    check(*size, end)


@pytest.mark.slow
@pytest.mark.parametrize(("size", "end"), LARGER.items())
def test_a_larger_board_has_its_known_value(size: tuple[int, int], end: int) -> None:
    check(*size, end)


def test_one_solver_solves_boards_of_all_sizes() -> None:
    solver = Solver(book=False, table_mb=8)
    for width, height in [(7, 6), (5, 4), (10, 11), (4, 31), (25, 4), (8, 7), (9, 7)]:
        position = Position("112233", width=width, height=height)
        result = solver.solve(position, best_columns=False)
        assert result.plies_to_end == 1
        assert solver.solve(position.play(0), Limit(nodes=10_000)).upper <= result.upper
