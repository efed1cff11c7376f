"""What a Position is and does, besides the rules (for those see test_position_model.py)."""

from __future__ import annotations

import copy
import doctest
import pickle
import random
import threading
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import fourcast
from fourcast import (
    Columns,
    IllegalMoveError,
    InvalidNotationError,
    InvalidPositionError,
    Position,
    Result,
    Rules,
    Solver,
    perft,
    player,
    streaks,
)
from tests.strategies import positions

DRAW = [0] * 6 + [1] * 6 + [2] * 6 + [4] + [3] * 6 + [4] * 5 + [5] * 6 + [6] * 6


def test_a_move_string_is_1_based_and_ints_are_0_based() -> None:
    assert Position("4455") == Position().play(3, 3, 4, 4) == Position.from_columns([3, 3, 4, 4])


def test_columns_past_9_are_letters_of_either_case() -> None:
    columns = [8, 9, 10, 9, 10]
    assert Position("9abAB", width=11, height=4) == Position.from_columns(columns, width=11, height=4)


def test_playing_nothing_changes_nothing() -> None:
    assert Position("44").play() == Position("44")


def test_numpy_ints_are_ints() -> None:
    numpy = pytest.importorskip("numpy")
    assert Position().play(numpy.int8(3), numpy.uint64(2)) == Position("43")


def test_the_last_stone_may_win() -> None:
    position = Position("211131416572345677654327654322345677654321")
    assert position.ply == 42
    assert position.winner == 2
    assert position.is_full
    assert not position.is_draw


def test_one_stone_may_complete_two_lines() -> None:
    """A row to the left of the last disc and a diagonal to its right: the squares of both are named."""
    position = Position.from_columns([0, 4, 4, 5, 1, 5, 5, 6, 2, 6, 0, 6, 6, 1, 3])
    assert position.winner == 1
    assert position.winning_squares == ((0, 0), (1, 0), (2, 0), (3, 0), (4, 1), (5, 2), (6, 3))


def test_a_finished_game_has_no_moves_but_a_turn() -> None:
    position = Position("1212121")
    assert position.winner == 1
    assert position.turn == 2
    assert len(position.legal_columns) == 0
    assert not position.can_play(4)
    with pytest.raises(IllegalMoveError, match="over"):
        position.play(4)


def test_a_draw_is_a_full_board_without_a_four() -> None:
    position = Position.from_columns(DRAW)
    assert position.is_draw
    assert position.is_over
    assert position.winner is None
    assert position.winning_squares == ()


def test_skip_illegal_passes_over_what_cannot_be_played() -> None:
    position = Position.from_columns([0, 9, 0, -1, 10**30, 0], skip_illegal=True)
    assert position == Position("111")
    won = Position("1212121")
    assert Position.from_columns([0, 1, 0, 1, 0, 1, 0, 1, 2], skip_illegal=True) == won


def test_columns_are_a_sequence_that_costs_little() -> None:
    columns = Position("111111").legal_columns
    assert list(columns) == [1, 2, 3, 4, 5, 6]
    assert len(columns) == 6
    assert columns[0] == 1
    assert columns[-1] == 6
    assert columns[1:3] == (2, 3)
    assert 1 in columns
    assert not any(stranger in columns for stranger in (0, -1, 7, 10**30, True, "1", None, 1.0))
    assert repr(columns) == "Columns([1, 2, 3, 4, 5, 6])"
    assert columns == Position("111111").legal_columns
    assert hash(columns) == hash(Position("111111").legal_columns)
    assert columns != Position().legal_columns
    assert columns == [1, 2, 3, 4, 5, 6]
    assert columns == (1, 2, 3, 4, 5, 6)
    assert hash(columns) == hash((1, 2, 3, 4, 5, 6))
    assert columns not in ([1, 2], (), "123456", {1, 2, 3, 4, 5, 6}, None)
    assert random.Random(1).choice(columns) in columns
    assert isinstance(columns, Columns)


def test_the_diagram_shows_the_top_row_first() -> None:
    assert str(Position("112", width=4, height=4)) == ". . . .\n. . . .\nO . . .\nX X . ."


@given(positions())
def test_repr_evaluates_back(position: Position) -> None:
    assert eval(repr(position)) == position


@given(positions())
def test_a_pickle_gives_the_same_position_back(position: Position) -> None:
    for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
        again = pickle.loads(pickle.dumps(position, protocol))
        assert again == position
        assert hash(again) == hash(position)
        assert again.is_over == position.is_over
    assert copy.copy(position) is position
    assert copy.deepcopy(position) is position


@given(positions(), positions())
def test_equal_positions_and_only_they_have_equal_keys(one: Position, other: Position) -> None:
    same_size = (one.width, one.height) == (other.width, other.height)
    assert (one == other) == (same_size and one.key == other.key)
    if one == other:
        assert hash(one) == hash(other)


@given(positions())
def test_the_mirror_image_of_the_mirror_image_is_the_position(position: Position) -> None:
    mirrored = position.mirror()
    last = position.width - 1
    assert mirrored.mirror() == position
    assert mirrored.canonical_key == position.canonical_key == min(position.key, mirrored.key)
    assert (mirrored.key == position.key) == (mirrored == position)
    assert mirrored.winner == position.winner
    assert sorted(last - column for column in mirrored.legal_columns) == list(position.legal_columns)
    assert sorted((last - column, row) for column, row in mirrored.winning_squares) == list(
        position.winning_squares
    )


@given(positions(), st.data())
def test_playing_and_mirroring_can_change_places(position: Position, data: st.DataObject) -> None:
    if not position.is_over:
        column = data.draw(st.sampled_from(list(position.legal_columns)))
        mirrored = position.mirror().play(position.width - 1 - column)
        assert mirrored == position.play(column).mirror()


def test_positions_of_different_sizes_differ() -> None:
    assert Position() != Position(width=6, height=7)
    assert Position() != "Position()"
    assert len({Position(), Position(width=8), Position(height=7), Position("")}) == 3


def test_positions_have_no_order() -> None:
    with pytest.raises(TypeError):
        Position() < Position("4")  # type: ignore[operator] # noqa: B015


def test_nothing_about_a_position_can_be_changed() -> None:
    position = Position("44")
    for name in ("ply", "width", "winner", "anything"):
        with pytest.raises(AttributeError):
            setattr(position, name, 1)
    with pytest.raises(TypeError):
        position.__init__("1")
    with pytest.raises(TypeError, match="made already"):
        position.__setstate__((0, 0, 7, 6))  # type: ignore[attr-defined]
    assert position == Position("44")


def test_position_cannot_be_subclassed() -> None:
    with pytest.raises(TypeError):
        type("Mine", (Position,), {})


def test_a_damaged_pickle_is_refused() -> None:
    for state in [(1, 1, 7, 6), (1, 0, 0, 0), (1, 0, 7), (-1, 0, 7, 6), (2**49, 0, 7, 6)]:
        with pytest.raises(InvalidPositionError):
            Position.__new__(Position).__setstate__(state)  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("moves", "message"),
    [
        ("44x3", "'x' at place 3 of '44x3' is not a column: they are 1 to 7"),
        ("448", "'8' at place 3 of '448'"),
        ("0", "'0' at place 1 of '0'"),
        ("4-4", "'-' at place 2 of '4-4'"),
        ("\uff14", "'\uff14' at place 1"),
        ("4é", "'é' at place 2 of '4é'"),
        ("\ud800", r"'\\ud800' at place 1"),
        ("4\0", r"'\\x00' at place 2"),
    ],
)
def test_a_bad_move_string_names_the_character_and_its_place(moves: str, message: str) -> None:
    with pytest.raises(InvalidNotationError, match=message):
        Position(moves)


def test_white_space_in_a_move_string_is_skipped_as_in_a_line_of_a_file() -> None:
    assert Position(" 44 5\t5\n") == Position("4455")


def test_rules_may_be_given_as_a_text() -> None:
    rules = Rules(connect=5, misere=True)
    assert Position("44", rules="connect=5,misere") == Position("44", rules=rules)
    with pytest.raises(ValueError, match="'mizere' is not a set of rules"):
        Position(rules="mizere")
    with pytest.raises(TypeError, match="rules must be Rules, a str or None, not int"):
        Position(rules=3)  # type: ignore[arg-type]


def test_an_illegal_move_in_a_string_names_its_place_too() -> None:
    with pytest.raises(IllegalMoveError, match="move 7 of '1111111': column 1 is full"):
        Position("1111111")
    with pytest.raises(IllegalMoveError, match="move 8 of '12121214': the game is over"):
        Position("12121214")


@pytest.mark.parametrize(
    ("position", "column", "message", "reason"),
    [
        (Position("111111"), 0, "column 1 is full", "full"),
        (Position("1212121"), 5, "the game is over", "finished"),
        (Position(), 7, "there is no column 7: counted from 0, the columns are 0 to 6", "off the board"),
        (
            Position(),
            -1,
            "there is no column -1: counted from 0, the columns are 0 to 6",
            "off the board",
        ),
        (Position(), 2**63, "there is no column 9223372036854775808: ", "off the board"),
        (Position("aaaa", width=12, height=4), 9, "column a is full", "full"),
        (
            Position(width=12, height=4),
            12,
            "no column 12: counted from 0, the columns are 0 to 11",
            "off the board",
        ),
    ],
)
def test_a_refused_move_has_words_for_people_and_data_for_programs(
    position: Position, column: int, message: str, reason: str
) -> None:
    with pytest.raises(IllegalMoveError) as caught:
        position.play(column)
    refusal = position.refusal(column)
    for error in (caught.value, refusal):
        assert error is not None
        assert message in str(error)
        assert "Position" not in str(error)
        assert (error.column, error.reason, error.ply) == (column, reason, position.ply)


def test_a_column_of_a_list_that_cannot_be_played_is_named_by_its_number() -> None:
    with pytest.raises(IllegalMoveError, match="move 3: there is no column 7") as caught:
        Position.from_columns([0, 1, 7])
    assert (caught.value.column, caught.value.ply) == (7, 2)
    with pytest.raises(IllegalMoveError, match="move 7: column 1 is full"):
        Position.from_columns([0] * 7)
    with pytest.raises(IllegalMoveError, match="move 2: there is no column an int of"):
        Position.from_columns([0, 10**100])


@given(positions())
def test_what_can_be_played_is_not_refused(position: Position) -> None:
    for column in range(-1, position.width + 1):
        assert position.can_play(column) == (position.refusal(column) is None)


@given(positions())
def test_the_children_are_the_positions_after_each_legal_move(position: Position) -> None:
    children = position.children()
    assert children == {column: position.play(column) for column in position.legal_columns}
    assert list(children) == list(position.legal_columns)


@given(positions())
def test_rows_are_read_as_they_are_written(position: Position) -> None:
    rows = position.to_rows()
    assert rows == str(position).replace(" ", "").replace("\n", "/")
    assert Position.from_rows(rows) == position


def test_the_repr_shows_the_board_on_one_line() -> None:
    assert repr(Position("445", width=5, height=4)) == "Position.from_rows('...../...../...O./...XX')"
    assert repr(Position()) == "Position()"
    assert repr(Position(width=8)) == "Position(width=8, height=6)"


def test_what_is_wrong_with_rows_is_said() -> None:
    for rows, message in [
        ("..../..../..../..x.", "is not a position: 'x' is not one of X, O and ."),
        ("..../..../.../....", "is not a position: row 3 has 3 squares, row 1 has 4"),
    ]:
        with pytest.raises(InvalidNotationError, match=message):
            Position.from_rows(rows)


def test_an_impossible_stone_is_named_for_people_and_for_programs() -> None:
    floating = [[0] * 7 for _ in range(6)]
    floating[2][5] = 1
    with pytest.raises(InvalidPositionError, match="square: column 6, row 4 from the bottom") as caught:
        Position.from_grid(floating, order="rows")
    assert caught.value.square == (5, 3)
    with pytest.raises(InvalidPositionError, match="a disc on column 2, row 1 from") as caught:
        Position.from_bitboards(1 << 7, 1 << 7)
    assert caught.value.square == (1, 0)
    floating[2][5] = 3
    with pytest.raises(InvalidPositionError, match="row 3 of the grid, place 6: 3 is not 0") as caught:
        Position.from_grid(floating, order="rows")
    assert caught.value.square == (5, 3)
    with pytest.raises(InvalidPositionError) as caught:
        Position(width=3)
    assert caught.value.square is None


@pytest.mark.parametrize(("width", "height"), [(4, 4), (25, 4), (4, 31), (16, 7), (7, 6), (8, 15)])
def test_every_size_from_4_to_128_bits_is_played(width: int, height: int) -> None:
    assert perft(Position(width=width, height=height), 2) == width * width


@pytest.mark.parametrize(
    ("width", "height"), [(3, 6), (7, 3), (0, 0), (-7, 6), (26, 4), (4, 32), (13, 9)]
)
def test_other_sizes_are_refused(width: int, height: int) -> None:
    with pytest.raises(InvalidPositionError, match=f"width {width} and height {height}"):
        Position(width=width, height=height)


def test_perft_agrees_with_what_is_known() -> None:
    known = [1, 7, 49, 343, 2401, 16807, 117649, 823536, 5673234]
    assert [perft(Position(), depth) for depth in range(9)] == known


def test_perft_does_not_go_on_after_the_end() -> None:
    assert perft(Position("1212121"), 0) == 1
    assert perft(Position("1212121"), 1) == 0
    assert perft(Position.from_columns(DRAW), 1) == 0


def test_perft_lets_other_threads_run() -> None:
    """A thread that counts must get its turns while perft is under way."""
    count = 0
    done = threading.Event()

    def counting() -> None:
        nonlocal count
        while not done.is_set():
            count += 1

    thread = threading.Thread(target=counting)
    thread.start()
    before = count
    perft(Position(), 10)
    counted = count - before
    done.set()
    thread.join()
    assert counted > 1000


def test_the_examples_in_the_docstrings_of_the_compiled_module_hold() -> None:
    names = {
        name: getattr(fourcast, name) for name in ("Position", "Rules", "evaluate", "perft", "playouts")
    }
    names |= {name: getattr(fourcast._core, name) for name in ("parse_moves", "play_moves", "quote")}
    documented = [fourcast._core, *names.values(), *vars(Position).values()]
    parser, runner = doctest.DocTestParser(), doctest.DocTestRunner()
    for thing in documented:
        text = getattr(thing, "__doc__", None) or ""
        runner.run(parser.get_doctest(text, dict(names), repr(thing), None, None))
    assert runner.tries >= 5
    assert runner.failures == 0


def test_spaces_between_moves_mean_nothing() -> None:
    assert Position(" 44 55  1 ") == Position("44551")
    with pytest.raises(IllegalMoveError, match=r"^move 7 of '444 444 4'"):
        Position("444 444 4")


def test_a_string_of_moves_stands_for_a_position() -> None:
    solver = Solver()
    perfect: Any = player("perfect")
    assert solver.solve("44 55") == solver.solve(Position("4455"))
    assert solver.score("") == 1
    assert Result("4455", 18).position == Position("4455")
    assert perft("44", 2) == 49
    assert streaks("44665", 1).threes_two_ends == 1
    assert perfect.choose("445566") in (2, 6)
    with pytest.raises(InvalidNotationError, match="'8' at place 1"):
        solver.solve("8")


def test_a_wrong_name_of_an_argument_gets_advice() -> None:
    count: Any = perft
    place: Any = Position
    wrong: list[tuple[Any, str]] = [
        (lambda: place(mvs="4"), r"^Position\(\) has no argument 'mvs'; did you mean 'moves'\?$"),
        (lambda: count("4", dept=2), r"^perft\(\) has no argument 'dept'; did you mean 'depth'\?$"),
        (lambda: count("4"), r"^perft\(\) needs depth$"),
        (lambda: count("4", 2, position="4"), r"^perft\(\) was given position twice$"),
        (lambda: count("4", 2, 3), r"^perft\(\) takes 2 arguments without a name, not 3$"),
    ]
    for call, words in wrong:
        with pytest.raises(TypeError, match=words):
            call()
