from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fourcast import IllegalMoveError, InvalidNotationError, InvalidPositionError, OptionError, Position
from fourcast.notation import (
    MAX_TEXT,
    column_names,
    format_column,
    format_json,
    format_moves,
    load_json,
    parse_column,
    parse_diagram,
    parse_json,
    parse_moves,
    parse_rows,
    play_moves,
    quote,
)
from fourcast.render.text import board
from tests.strategies import positions

SEED_000 = """
[ 1  2  3  4  5  6  7]
(.. .. .. .. .. .. ..)
(.. ..🟡 .. ..  .. ..)
(.. ..🔴 🟡 ..  .. ..)
(..🟡 🔴 🟡 🔴 .. ..)
(..🔴 🔴 🔴 🟡 .. ..)
(..🔴 🟡 🟡 🟡 🔴..)
"""


# Columns and move strings


@given(st.integers(4, 25), st.data())
def test_a_column_is_read_as_it_is_written(width: int, data: st.DataObject) -> None:
    column = data.draw(st.integers(0, width - 1))
    assert parse_column(format_column(column), width) == column
    assert parse_column(f" {format_column(column).upper()}\n", width) == column
    assert parse_column(str(column + 1), width) == column


@given(st.integers(4, 25), st.data())
def test_a_move_string_is_read_as_it_is_written(width: int, data: st.DataObject) -> None:
    columns = data.draw(st.lists(st.integers(0, width - 1)))
    assert parse_moves(format_moves(columns), width) == columns


@pytest.mark.parametrize(
    "text", ["", " ", "0", "8", "x", "44", "-1", "+1", "1.0", "٤", "²", "10", "a", "None"]
)
def test_what_is_not_a_column_is_refused_with_the_columns_there_are(text: str) -> None:
    with pytest.raises(InvalidNotationError, match="the columns are 1 to 7"):
        parse_column(text)


def test_a_number_past_the_last_column_is_refused_on_a_wide_board() -> None:
    assert parse_column("12", width=12) == 11
    with pytest.raises(InvalidNotationError, match="there is no column '13': the columns are 1 to c"):
        parse_column("13", width=12)


@pytest.mark.parametrize(
    ("text", "place"),
    [("4481", 3), ("4 \t-4", 4), ("x", 1), ("1٤", 2), ("\N{KELVIN SIGN}", 1)],
)
def test_a_bad_move_string_is_refused_with_the_character_and_its_place(text: str, place: int) -> None:
    with pytest.raises(InvalidNotationError) as caught:
        parse_moves(text, 7)
    assert f"{text[place - 1]!r} at place {place}" in str(caught.value)


def test_a_move_string_without_end_is_refused_with_a_short_message() -> None:
    with pytest.raises(InvalidNotationError) as caught:
        parse_moves("4" * 10_000_000)
    assert len(str(caught.value)) < 200


def test_move_strings_mean_the_same_to_a_position() -> None:
    moves = "4a5b9c1"
    expected = Position(moves, width=12, height=6)
    assert Position(width=12, height=6).play(*parse_moves(moves, 12)) == expected


def test_playing_a_move_string_gives_each_column_and_the_position_it_led_to() -> None:
    start = Position("44")
    assert play_moves(start, "") == []
    assert play_moves(start, "51") == [(4, Position("445")), (0, Position("4451"))]


@pytest.mark.parametrize(
    ("start", "moves", "message", "column", "reason"),
    [
        (Position(), "4444444", "move 7 of '4444444': column 4 is full", 3, "full"),
        (Position("444444"), "14", "move 2 of '14': column 4 is full", 3, "full"),
        (Position(), "12121214", "move 8 of '12121214': the game is over", 3, "finished"),
        (Position(width=11, height=4), "BBBBb", "move 5 of 'BBBBb': column b is full", 10, "full"),
    ],
)
def test_a_move_that_cannot_be_played_is_refused_with_its_number(
    start: Position, moves: str, message: str, column: int, reason: str
) -> None:
    with pytest.raises(IllegalMoveError) as caught:
        play_moves(start, moves)
    assert str(caught.value) == message
    assert (caught.value.column, caught.value.reason) == (column, reason)


@pytest.mark.parametrize("text", ["8", "44x", "4" * (MAX_TEXT + 1), "\ud800", "4\u202e"])
def test_playing_refuses_what_is_not_a_move_string(text: str) -> None:
    with pytest.raises(InvalidNotationError) as caught:
        play_moves(Position(), text)
    assert len(str(caught.value)) < 200
    str(caught.value).encode()  # it can be printed


@pytest.mark.parametrize("text", [None, 4, b"4", [3]])
def test_a_move_string_is_a_str(text: Any) -> None:
    for read in (parse_moves, lambda moves: play_moves(Position(), moves)):
        with pytest.raises(TypeError, match="moves must be a str"):
            read(text)


def test_quotes_are_short_and_on_one_line() -> None:
    assert quote("a\nb") == r"'a\nb'"
    assert "\x1b" not in quote("\x1b[2J")
    assert len(quote("x" * 10**6)) < 80
    assert len(quote(["x" * 10**6])) < 80


@given(st.text(st.characters(max_codepoint=0x24F), max_size=60) | st.text("'\"\\\n\u202e\ud800🔴"))
def test_a_short_quote_is_what_repr_shows(text: str) -> None:
    assert quote(text[:60]) == repr(text[:60])


@given(st.text(max_size=100))
def test_a_quote_of_any_text_can_be_printed_on_one_line(text: str) -> None:
    quoted = quote(text)
    assert len(quoted.splitlines()) == 1
    assert quoted.encode().decode() == quoted


# Diagrams


@given(positions())
def test_a_diagram_is_read_as_it_is_printed(position: Position) -> None:
    assert parse_diagram(str(position)) == position


@given(positions(), st.sampled_from(["ascii", "discs"]), st.booleans(), st.data())
def test_a_board_is_read_as_it_is_printed_with_header_marks_and_colors(
    position: Position, style: str, color: bool, data: st.DataObject
) -> None:
    last = data.draw(st.none() | st.integers(0, position.width - 1))
    text = board(position, style=style, last=last, color=color)  # type: ignore[arg-type]
    assert parse_diagram(text) == position


@given(positions())
def test_a_diagram_is_read_without_spaces(position: Position) -> None:
    assert parse_diagram(str(position).replace(" ", "")) == position


def test_the_board_of_seed_000_is_read_with_its_uneven_spaces() -> None:
    position = parse_diagram(SEED_000)
    assert (position.width, position.height, position.ply, position.turn) == (7, 6, 16, 1)
    assert [position.at(column, 0) for column in range(7)] == [0, 1, 2, 2, 2, 1, 0]
    assert [position.at(2, row) for row in range(6)] == [2, 1, 1, 1, 2, 0]


def test_a_frame_and_names_below_are_understood() -> None:
    framed = """
        +---------+
        | . . . . |
        | . . . . |
        | . x . . |
        | x o . . |
        +---------+
          1 2 3 4
    """
    assert parse_diagram(framed) == Position("122", width=4, height=4)


@pytest.mark.parametrize(
    ("diagram", "complaint"),
    [
        ("", "there is no board in ''"),
        ("1 2 3 4", "there is no board"),
        (". . . .\n. . . .\n. . . .\n. . Z .", "line 4 of the diagram, '. . Z .': 'Z' is not a square"),
        (". . . .\n. . . .\n. . .\n. . . .", "line 3 of the diagram, '. . .': 3 squares, but 4 above"),
        (" 1 2 3 4 5\n....\n....\n....\n....", "line 1 of the diagram, ' 1 2 3 4 5': 5 columns, but 4"),
        ("." * 10**6, "a diagram of 1000000 characters is too long"),
    ],
)
def test_a_bad_diagram_is_refused_with_the_line_and_the_character(diagram: str, complaint: str) -> None:
    with pytest.raises(InvalidNotationError) as caught:
        parse_diagram(diagram)
    assert complaint in str(caught.value)


@pytest.mark.parametrize(
    "rows",
    [
        ("....", "....", "X...", "...."),  # floats
        ("....", "....", "....", "OOX."),  # O has more
        ("....", "....", "....", "XX.."),  # X has two more
        ("X...", "X...", "XOO.", "XOO."),  # O went on after X had won
        ("....", "....", "...."),  # too low
    ],
)
def test_a_diagram_of_what_cannot_have_arisen_is_refused(rows: tuple[str, ...]) -> None:
    with pytest.raises(InvalidPositionError):
        parse_diagram("\n".join(rows))


# JSON


@given(positions())
def test_json_is_read_as_it_is_written(position: Position) -> None:
    assert parse_json(format_json(position)) == position
    assert "\n" not in format_json(position)


@given(positions())
def test_the_player_numbered_1_need_not_have_started(position: Position) -> None:
    content = json.loads(format_json(position))
    content["grid"] = [[(0, 2, 1)[cell] for cell in column] for column in content["grid"]]
    content["player"] = 3 - content["player"]
    assert parse_json(json.dumps(content)) == position


def test_the_grid_of_the_protocol_is_columns_from_the_top() -> None:
    grid = [[0] * 6, [0] * 5 + [2], [0] * 6, [0, 0, 0, 1, 2, 1], [0] * 6, [0] * 6, [0] * 6]
    line = json.dumps({"grid": grid, "height": 6, "player": 1, "width": 7})
    position = parse_json(line)
    assert (position.at(3, 0), position.at(3, 1), position.at(3, 2), position.at(1, 0)) == (1, 2, 1, 2)
    assert position.turn == 1


def test_size_and_player_may_be_left_out_and_other_keys_are_ignored() -> None:
    grid = [[0, 0, 0, column % 2] for column in range(4)]
    grid[0][3] = 2
    with pytest.raises(InvalidNotationError, match="'player', whose turn it is, must be 1 or 2"):
        parse_json(json.dumps({"grid": grid}))
    position = parse_json(json.dumps({"grid": grid, "clock": [1, 2]}), player=2)
    assert (position.turn, position.at(0, 0), position.at(1, 0)) == (2, 2, 1)


def test_the_object_s_own_player_counts_more_than_the_default() -> None:
    grid = [[0, 0, 0, 0] for _ in range(4)]
    assert parse_json(json.dumps({"grid": grid, "player": 2}), player=1).turn == 1


def test_moves_will_do_for_json() -> None:
    assert parse_json('{"moves": "4455"}') == Position("4455")
    assert parse_json('{"moves": "a", "width": 10, "height": 4}') == Position("a", width=10, height=4)


EMPTY = [[0] * 6 for _ in range(7)]


@pytest.mark.parametrize(
    "content",
    [
        [],
        None,
        3,
        "4455",
        {},
        {"moves": 4455},
        {"moves": "4455", "width": "7"},
        {"moves": "4455", "width": 7.0},
        {"moves": "4455", "width": True},
        {"moves": "8"},
        {"grid": EMPTY},
        {"grid": EMPTY, "player": 0},
        {"grid": EMPTY, "player": 3},
        {"grid": EMPTY, "player": "1"},
        {"grid": EMPTY, "player": True},
        {"grid": EMPTY, "player": None},
        {"grid": EMPTY, "player": 1, "width": 8},
        {"grid": EMPTY, "player": 1, "height": 7},
        {"grid": None, "player": 1},
        {"grid": [], "player": 1},
        {"grid": [[]], "player": 1},
        {"grid": "......", "player": 1},
        {"grid": [1, 2, 3], "player": 1},
        {"grid": [*EMPTY[:-1], [0] * 5], "player": 1},
        {"grid": [*EMPTY[:-1], [0, 0, 0, 0, 0, 3]], "player": 1},
        {"grid": [*EMPTY[:-1], [0, 0, 0, 0, 0, True]], "player": 1},
        {"grid": [*EMPTY[:-1], [0, 0, 0, 0, 0, 1.0]], "player": 1},
        {"grid": [*EMPTY[:-1], [0, 0, 0, 0, 0, "1"]], "player": 1},
        {"grid": [*EMPTY[:-1], [0, 0, 0, 0, 0, [1]]], "player": 1},
        {"grid": [*EMPTY[:-1], [0, 0, 0, 0, 1, 0]], "player": 1},  # floats
        {"grid": [*EMPTY[:-1], [0, 0, 0, 0, 0, 1]], "player": 1},  # 1 is ahead and to move
        {"grid": [*EMPTY[:-1], [0, 0, 0, 0, 1, 1]], "player": 2},
    ],
)
def test_json_that_is_no_position_is_refused(content: object) -> None:
    with pytest.raises((InvalidNotationError, InvalidPositionError)):
        parse_json(json.dumps(content))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        ":exit",
        '{"moves": "1", "moves": "2"}',
        '{"moves": NaN}',
        "[" * 50_000,
        '{"a":' * 10_000,
        "9" * 50_000,
        " " * (MAX_TEXT + 1),
        "\ud800",
    ],
)
def test_what_is_not_json_is_refused_with_a_short_message(text: str) -> None:
    with pytest.raises(InvalidNotationError) as caught:
        parse_json(text)
    assert len(str(caught.value)) < 200


@pytest.mark.parametrize("parse", [parse_column, parse_moves, parse_diagram, parse_json, load_json])
@given(text=st.text())
def test_no_text_does_more_than_be_refused(parse: Callable[[str], object], text: str) -> None:
    with suppress(InvalidNotationError, InvalidPositionError):
        parse(text)


def test_there_are_names_for_the_columns_of_the_widest_board() -> None:
    assert column_names(25) == "123456789abcdefghijklmnop"


@pytest.mark.parametrize("read", [parse_column, parse_diagram, parse_rows, parse_json, load_json])
@pytest.mark.parametrize("given", [None, 4, b"4", ["4"]])
def test_what_is_not_a_str_is_a_type_error(read: Callable[[Any], object], given: Any) -> None:
    with pytest.raises(TypeError, match="must be a str, not"):
        read(given)


@pytest.mark.parametrize("column", [-1, 35, 10**100])
def test_a_number_that_no_column_has_gets_no_name(column: int) -> None:
    with pytest.raises(OptionError, match="no column has the number"):
        format_column(column)
