"""Bad calls: each raises the right error at once, and nothing worse happens."""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from fourcast import (
    IllegalMoveError,
    InvalidNotationError,
    InvalidPositionError,
    OptionError,
    Position,
    perft,
    playouts,
)
from fourcast.notation import parse_moves, play_moves

HUGE = [10**30, -(10**30), 2**63, 2**64, 10**10_000, -(10**10_000)]
OFF_BOARD = [7, -1, 8, 100, -8, 2**31, 2**32, *HUGE]
NOT_AN_INT: list[Any] = [
    None, 1.0, float("nan"), float("inf"), True, False, "3", b"3", [3], (3,), {3: 3}, {3}, 3j, object(),
    int, Position(),
]  # fmt: skip
WON = Position("1212121")
FULL_COLUMN = Position("111111")
TEN_MB = 10_000_000

Call = Callable[[], object]
CALLS: list[tuple[str, type[Exception], Call]] = []


def bad(
    name: str, error: type[Exception], function: Callable[..., object], *args: Any, **options: Any
) -> None:
    """Note down that calling *function* with these arguments raises *error*."""
    CALLS.append((f"{len(CALLS):03} {name}"[:60], error, partial(function, *args, **options)))


def short(value: object) -> str:
    if isinstance(value, int) and not isinstance(value, bool) and value.bit_length() > 128:
        return "a huge int"
    return repr(value)[:20]


for value in OFF_BOARD:
    name = short(value)
    bad(f"play {name}", IllegalMoveError, Position().play, value)
    bad(f"play 0 and {name}", IllegalMoveError, Position().play, 0, value)
    bad(f"from_columns {name}", IllegalMoveError, Position.from_columns, [3, value])
    bad(f"play moves after {name}", TypeError, play_moves, value, "4")
    bad(f"at column {name}", IndexError, Position().at, value, 0)
    bad(f"at row {name}", IndexError, Position().at, 0, value)
    bad(f"is_column_full {name}", IndexError, Position().is_column_full, value)
    bad(f"legal_columns[{name}]", IndexError, WON.legal_columns.__getitem__, value)

for value in NOT_AN_INT:
    name = short(value)
    bad(f"play {name}", TypeError, Position().play, value)
    bad(f"can_play {name}", TypeError, Position().can_play, value)
    bad(f"refusal {name}", TypeError, Position().refusal, value)
    bad(f"width of moves {name}", TypeError, parse_moves, "4", value)
    bad(f"from_columns {name}", TypeError, Position.from_columns, [value])
    bad(f"from_columns lenient {name}", TypeError, Position.from_columns, [value], skip_illegal=True)
    bad(f"at {name}", TypeError, Position().at, value, 0)
    bad(f"is_column_full {name}", TypeError, Position().is_column_full, value)
    bad(f"width {name}", TypeError, Position, width=value)
    bad(f"height {name}", TypeError, Position, height=value)
    bad(f"first {name}", TypeError, Position.from_bitboards, value, 0)
    bad(f"second {name}", TypeError, Position.from_bitboards, 0, value)
    bad(f"cell {name}", TypeError, Position.from_grid, [[value] * 7] * 6, order="rows")
    bad(f"depth {name}", TypeError, perft, Position(), value)
    bad(f"n {name}", TypeError, playouts, Position(), value)
    bad(f"seed {name}", TypeError, playouts, Position(), 1, value)
    bad(f"threads {name}", TypeError, playouts, Position(), 1, threads=value)
    if value is not None:
        bad(f"player {name}", TypeError, Position().winning_columns, value)
        bad(f"turn {name}", TypeError, Position.from_grid, [[0] * 7] * 6, order="rows", turn=value)
    if not isinstance(value, str):
        bad(f"moves {name}", TypeError, Position, value)
        bad(f"rows {name}", TypeError, Position.from_rows, value)
        bad(f"play moves {name}", TypeError, play_moves, Position(), value)
        bad(f"parse moves {name}", TypeError, parse_moves, value)
        bad(f"order {name}", TypeError, Position().to_grid, order=value)
    if not isinstance(value, bool):
        bad(f"top_first {name}", TypeError, Position().to_grid, order="rows", top_first=value)
        bad(f"skip_illegal {name}", TypeError, Position.from_columns, [], skip_illegal=value)
    if not isinstance(value, (Position, str)):
        bad(f"perft of {name}", TypeError, perft, value, 1)
        bad(f"playouts of {name}", TypeError, playouts, value, 1)

for value in [0, 3, -1, *HUGE]:
    name = short(value)
    bad(f"player {name}", OptionError, Position().winning_columns, value)
    bad(f"turn {name}", OptionError, Position.from_grid, [[0] * 7] * 6, order="rows", turn=value)
for value in [-1, *HUGE]:
    name = short(value)
    bad(f"depth {name}", OptionError, perft, Position(), value)
    bad(f"n {name}", OptionError, playouts, Position(), value)
    bad(f"seed {name}", OptionError, playouts, Position(), 1, value)
    bad(f"threads {name}", OptionError, playouts, Position(), 1, threads=value)
    bad(f"width of moves {name}", OptionError, parse_moves, "4", value)
for value in [0, 3, -1, 26, 129, *HUGE]:
    name = short(value)
    bad(f"width {name}", InvalidPositionError, Position, width=value)
    bad(f"height {name}", InvalidPositionError, Position, height=value)
for value in [-1, 1 << 6, 1 << 49, 1 << 128, 10**10_000, -(10**10_000)]:
    name = short(value)
    bad(f"first {name}", InvalidPositionError, Position.from_bitboards, value, 0)
    bad(f"second {name}", InvalidPositionError, Position.from_bitboards, 0, value)
for value in [3, -1, 255, *HUGE]:
    bad(
        f"cell {short(value)}", InvalidPositionError, Position.from_grid, [[value] * 7] * 6, order="rows"
    )

for text in [*"08xaz", "4x", "4,4", "-1", "4.4", "\0", "é", "\uff14", "\ud800", "🔴"]:
    bad(f"moves {text!a}", InvalidNotationError, Position, text)
for text in ["1111111", "12121213", "1" * 1000, "1234567" * 1000]:
    bad(f"moves {text[:20]!a}", IllegalMoveError, Position, text)
for text in ["x" * TEN_MB, "44" + "\ud800" * TEN_MB, "1212121" + "x" * 1000, "1" * TEN_MB]:
    bad(f"moves {text[:20]!a}", InvalidNotationError, Position, text)

EMPTY_ROWS = "/".join(["......."] * 6)
for text in [EMPTY_ROWS[:-1], EMPTY_ROWS + ".", EMPTY_ROWS + "/", EMPTY_ROWS + "x",
             "...x.../" + EMPTY_ROWS[8:], "...../" + EMPTY_ROWS[8:], EMPTY_ROWS[:-1] + "\ud800",
             EMPTY_ROWS[:-1] + "\0", "X" * TEN_MB]:  # fmt: skip
    bad(f"rows {text[:20]!a}", InvalidNotationError, Position.from_rows, text)
TOO_HIGH = "/".join([EMPTY_ROWS] * 4)
for text in ["", "/", "." * 1000, "./" * 1000, "X", "XO..", TOO_HIGH, "X" + EMPTY_ROWS[1:]]:
    bad(f"rows {text[:20]!a}", InvalidPositionError, Position.from_rows, text)

for column in range(-1, 9):
    bad(f"play {column} after the end", IllegalMoveError, WON.play, column)
bad("play a full column", IllegalMoveError, FULL_COLUMN.play, 0)
bad("play a column until it is full", IllegalMoveError, Position().play, *[0] * 100)
bad("play on after a win", IllegalMoveError, Position().play, 0, 1, 0, 1, 0, 1, 0, 1)
bad("from endless columns", IllegalMoveError, Position.from_columns, itertools.repeat(0))
bad("from 10 MB of columns", IllegalMoveError, Position.from_columns, b"\1" * TEN_MB)
bad("from columns that raise", ZeroDivisionError, Position.from_columns, (1 // v for v in [1, 0]))


class Liar:
    """A sequence that does not keep its promises."""

    def __init__(self, length: int, error: type[Exception] = IndexError) -> None:
        self.length = length
        self.error = error

    def __len__(self) -> int:
        return self.length

    def __getitem__(self, index: int) -> Any:
        raise self.error


class LyingIndex:
    def __index__(self) -> Any:
        return "3"


anything: Any = Position
bad("an index that is none", TypeError, anything().play, LyingIndex())
bad("a grid that lies", IndexError, anything.from_grid, Liar(6), order="rows")
bad("a grid that raises", KeyError, anything.from_grid, Liar(6, KeyError), order="rows")
bad("a row that lies", IndexError, anything.from_grid, [Liar(7)] * 6, order="rows")
bad("a huge grid that lies", IndexError, anything.from_grid, Liar(2**62), order="rows")
bad("a huge row", InvalidPositionError, anything.from_grid, [Liar(2**62)] * 6, order="rows")
WRONG_SHAPES: list[Any] = [
    [],
    [[]],
    [[0]],
    [[0] * 7] * 3,
    [[0] * 3] * 6,
    [[0] * 200] * 6,
    [[0] * 7] * 200,
]
for grid in [*WRONG_SHAPES, [[0] * 7] * 5 + [[0]]]:
    for order in ("rows", "columns"):
        bad(f"grid {grid!r:.20}", InvalidPositionError, anything.from_grid, grid, order=order)
bad("10 MB grid", InvalidPositionError, anything.from_grid, [[0] * 7] * TEN_MB, order="rows")
NOT_A_GRID: list[Any] = [
    None,
    0,
    "0000000",
    b"0000000",
    [0] * 7,
    ["0" * 7] * 6,
    [b"0" * 7] * 6,
    [None] * 6,
]
for grid in [*NOT_A_GRID, {0: 0}, {1, 2}]:
    bad(f"grid {grid!r:.20}", TypeError, anything.from_grid, grid, order="rows")
for order in ["", "row", "Rows", "diagonals", "rows\0", "x" * TEN_MB]:
    bad(f"order {order[:20]!a}", OptionError, anything.from_grid, [[0] * 7] * 6, order=order)
NOT_COLUMNS: list[Any] = [None, 3, 1.5, "444", True]
for columns in NOT_COLUMNS:
    bad(f"columns {columns!r}", TypeError, anything.from_columns, columns)

bad("too many arguments", TypeError, anything, "4", 7, 6)
bad("an unknown argument", TypeError, anything, depth=3)
bad("no arguments", TypeError, anything.from_bitboards)
bad("columns as a keyword", TypeError, anything().play, columns=3)
bad("new without init", TypeError, anything.play, object(), 3)


def test_there_are_200_bad_calls_and_more() -> None:
    assert len(CALLS) >= 200


@pytest.mark.parametrize(("error", "call"), [bad[1:] for bad in CALLS], ids=[bad[0] for bad in CALLS])
def test_a_bad_call_raises_the_right_error_at_once(error: type[Exception], call: Call) -> None:
    before = (repr(WON), repr(FULL_COLUMN))
    start = time.perf_counter()
    with pytest.raises(error) as caught:
        call()
    assert time.perf_counter() - start < 1
    # No error of ours is a plain ValueError, and no other error passes for one of ours.
    assert type(caught.value) is error
    assert len(str(caught.value)) < 1000
    assert (repr(WON), repr(FULL_COLUMN)) == before


def test_a_number_that_is_too_long_to_print_is_described() -> None:
    with pytest.raises(IllegalMoveError, match="no column an int of 33220 bits: counted") as caught:
        Position().play(10**10_000)
    assert caught.value.column == 10**10_000
    assert caught.value.reason == "off the board"


def test_a_long_text_is_quoted_in_part() -> None:
    with pytest.raises(
        IllegalMoveError, match=r"7 of '1{50}\.\.\.' \(1000 characters\): column 1 is full"
    ):
        Position("1" * 1000)
