"""Positions from grids and bitboards, and back."""

from __future__ import annotations

from typing import Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fourcast import InvalidPositionError, Position
from tests.strategies import positions

Order = Literal["rows", "columns"]
EMPTY_COLUMNS = [[0] * 6 for _ in range(7)]


def columns_with(*discs: tuple[int, int, int]) -> list[list[int]]:
    """A grid of columns, bottom first, with (column, row, player) on it."""
    grid = [list(column) for column in EMPTY_COLUMNS]
    for column, row, player in discs:
        grid[column][row] = player
    return grid


def from_columns_up(grid: Any, turn: int | None = None) -> Position:
    return Position.from_grid(grid, order="columns", top_first=False, turn=turn)


def pile(column: int, players: str) -> list[tuple[int, int, int]]:
    return [(column, row, int(player)) for row, player in enumerate(players)]


@given(positions(), st.sampled_from(["rows", "columns"]), st.booleans())
def test_a_grid_gives_the_position_back(position: Position, order: Order, top_first: bool) -> None:
    grid = position.to_grid(order=order, top_first=top_first)
    assert Position.from_grid(grid, order=order, top_first=top_first) == position
    assert Position.from_grid(tuple(map(tuple, grid)), order=order, top_first=top_first) == position


@given(positions(), st.sampled_from(["int8", "uint8", "int32", "int64"]))
def test_a_numpy_array_is_a_grid(position: Position, dtype: str) -> None:
    numpy = pytest.importorskip("numpy")
    rows = numpy.array(position.to_grid(order="rows"), dtype)
    assert Position.from_grid(rows, order="rows") == position
    assert Position.from_grid(rows.T, order="columns") == position
    assert Position.from_grid(rows[::-1], order="rows", top_first=False) == position


@given(positions())
def test_bitboards_give_the_position_back(position: Position) -> None:
    first, second = position.bitboards
    size: dict[str, Any] = {"width": position.width, "height": position.height}
    assert Position.from_bitboards(first, second, **size) == position
    assert first & second == 0
    assert (first | second).bit_count() == position.ply


def test_rows_and_columns_are_not_confused() -> None:
    rows = [[0] * 7 for _ in range(5)] + [[1, 2, 0, 0, 0, 0, 0]]
    assert Position.from_grid(rows, order="rows") == Position("12")
    columns = [[0] * 5 + [1], [0] * 5 + [2]] + [[0] * 6] * 5
    assert Position.from_grid(columns, order="columns") == Position("12")
    assert Position.from_grid(columns[::-1], order="columns") == Position("76")


def test_the_order_must_be_given() -> None:
    with pytest.raises(TypeError):
        Position.from_grid(EMPTY_COLUMNS)  # type: ignore[call-arg]
    with pytest.raises(TypeError):
        Position().to_grid()  # type: ignore[call-arg]


@pytest.mark.parametrize(
    ("grid", "turn", "expected"),
    [
        # As many discs each: the player to move has started.
        (columns_with(), 1, ""),
        (columns_with(), 2, ""),
        (columns_with((0, 0, 1), (1, 0, 2)), 1, "12"),
        (columns_with((0, 0, 1), (1, 0, 2)), 2, "21"),
        # One more of the other: the other has started.
        (columns_with((0, 0, 1)), 2, "1"),
        (columns_with((0, 0, 2)), 1, "1"),
        (columns_with((0, 0, 2), (1, 0, 1), (2, 0, 2)), 1, "123"),
    ],
)
def test_with_the_turn_given_either_player_may_have_started(
    grid: list[list[int]], turn: int, expected: str
) -> None:
    assert from_columns_up(grid, turn) == Position(expected)


def test_with_the_turn_given_the_counts_must_still_fit() -> None:
    with pytest.raises(InvalidPositionError, match="player 1 is to move with 1 discs against 0"):
        from_columns_up(columns_with((0, 0, 1)), turn=1)
    with pytest.raises(InvalidPositionError, match="player 2 is to move with 0 discs against 2"):
        from_columns_up(columns_with((0, 0, 1), (1, 0, 1)), turn=2)


@given(positions())
def test_exchanged_numbers_with_the_turn_given_are_the_same_position(position: Position) -> None:
    """The JSON protocol: the player numbered 1 need not be the one who started."""
    exchanged = [[(0, 2, 1)[disc] for disc in row] for row in position.to_grid(order="rows")]
    assert Position.from_grid(exchanged, order="rows", turn=3 - position.turn) == position


@pytest.mark.parametrize(
    ("discs", "reason"),
    [
        ([(2, 1, 1)], "floats above an empty square: column 3, row 2 from the bottom"),
        ([(0, 0, 1), (6, 5, 2)], "floats above an empty square: column 7, row 6 from the bottom"),
        ([(0, 0, 2)], "first player has 0 discs and the second 1"),
        ([(0, 0, 1), (1, 0, 1)], "first player has 2 discs and the second 0"),
        (pile(0, "1111") + pile(6, "2222"), "both players have four in a row"),
        (
            pile(0, "1111") + pile(1, "222") + pile(2, "2"),
            "second player moved on after the first had won",
        ),
        (
            pile(0, "2222") + pile(1, "111") + pile(2, "11"),
            "first player moved on after the second had won",
        ),
        (
            pile(0, "1111") + pile(6, "1111") + pile(1, "222") + pile(3, "222") + pile(5, "2"),
            "first player had won before the last disc",
        ),
        (pile(0, "21") + pile(1, "21"), "second player moved last, but has no disc on top"),
        (pile(0, "121") + pile(1, "22") + pile(2, "1"), None),
        (pile(0, "211") + pile(1, "21"), "first player has no disc in the bottom row"),
    ],
)
def test_what_cannot_have_arisen_is_refused_with_the_reason(
    discs: list[tuple[int, int, int]], reason: str | None
) -> None:
    grid = columns_with(*discs)
    if reason is None:
        assert from_columns_up(grid).ply == len(discs)
    else:
        with pytest.raises(InvalidPositionError, match=reason):
            from_columns_up(grid)


def test_a_row_of_seven_that_one_stone_completed_can_have_arisen() -> None:
    """Two fours and more are fine if they share the last disc."""
    position = Position.from_columns([0, 0, 1, 1, 2, 2, 4, 4, 5, 5, 6, 6, 3])
    assert len(position.winning_squares) == 7
    assert Position.from_bitboards(*position.bitboards) == position


def test_bits_off_the_board_are_refused() -> None:
    for bit in (6, 13, 48, 49, 63, 64, 127):
        with pytest.raises(InvalidPositionError, match=f"bit {bit} is not a square of the 7x6 board"):
            Position.from_bitboards(1 << bit, 0)
    with pytest.raises(InvalidPositionError, match="first is not a set of squares: -1"):
        Position.from_bitboards(-1, 0)
    with pytest.raises(InvalidPositionError, match="second is not a set of squares: an int of 129 bits"):
        Position.from_bitboards(0, 1 << 128)
    with pytest.raises(InvalidPositionError, match="both players have a disc on column 2, row 1 from"):
        Position.from_bitboards(1 << 7, 1 << 7)


def test_the_bits_of_the_largest_boards_are_all_there() -> None:
    top = Position.from_columns([15] * 7, width=16, height=7)
    assert top.bitboards == (0b1010101 << 120, 0b0101010 << 120)
    assert Position.from_bitboards(*top.bitboards, width=16, height=7) == top
    assert top.peaks[15] == 127


def test_a_ragged_grid_is_refused_with_the_line() -> None:
    with pytest.raises(InvalidPositionError, match="row 3 of the grid has 6 squares, row 1 has 7"):
        Position.from_grid([[0] * 7, [0] * 7, [0] * 6, [0] * 7], order="rows")
    with pytest.raises(InvalidPositionError, match="column 4 of the grid, place 6: 3 is not 0"):
        from_columns_up(columns_with((3, 5, 3)))
