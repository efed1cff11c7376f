from __future__ import annotations

from datetime import datetime, timedelta, timezone
from typing import Any

import pytest
from hypothesis import given

from fourcast import (
    Game,
    IllegalMoveError,
    InvalidNotationError,
    InvalidPositionError,
    OptionError,
    Outcome,
    Position,
    Termination,
)
from tests.strategies import games, outcomes

DRAW = "111111222222333333544444455555666666777777"  # a full board without a four
LAST_STONE_WINS = "211131416572345677654327654322345677654321"


def test_a_game_starts_with_an_empty_board_and_nobody_known() -> None:
    game = Game()
    assert (game.moves, game.columns, game.result, game.is_over) == ("", (), None, False)
    assert (game.first, game.second, game.started) == ("", "", None)
    assert game.position == game.start == Position()


def test_move_strings_count_from_1_and_ints_from_0() -> None:
    assert Game("44443") == Game([3, 3, 3, 3, 2])
    assert Game("44443").columns == (3, 3, 3, 3, 2)
    assert Game("4c", width=12).columns == (3, 11)


def test_positions_go_from_the_start_to_now() -> None:
    game = Game("4453")
    assert list(game.positions()) == [Position("4453"[:n]) for n in range(5)]


def test_several_columns_are_played_or_none() -> None:
    game = Game("444")
    game.play(3, 3)
    with pytest.raises(IllegalMoveError):
        game.play(0, 3, 3)
    assert game.moves == "44444"


@pytest.mark.parametrize("column", [-1, 7, 10**30])
def test_a_column_off_the_board_is_refused_and_changes_nothing(column: int) -> None:
    game = Game("44")
    with pytest.raises(IllegalMoveError):
        game.play(column)
    assert game == Game("44")


@pytest.mark.parametrize("column", ["4", None, 3.0, True])
def test_what_is_not_an_int_is_not_a_column(column: Any) -> None:
    game = Game("44")
    with pytest.raises(TypeError):
        game.play(column)
    assert game == Game("44")


def test_a_game_looks_like_its_board() -> None:
    assert str(Game("4453")) == str(Position("4453"))
    assert repr(Game("4453", first="Ada")) == "Game('4453', first='Ada')"
    assert repr(Game("4", width=8)) == "Game('4', width=8, height=6)"


def test_games_are_equal_if_all_that_is_known_is() -> None:
    assert Game("44") == Game("44")
    assert Game("44") != Game("45")
    assert Game("44") != Game("44", first="Ada")
    assert Game("44") != Game("44", width=8)
    assert Game("44") != "44"
    with pytest.raises(TypeError):
        hash(Game())


# Taking back


def test_moves_are_taken_back_and_played_again() -> None:
    game = Game("4453")
    assert (game.undo(), game.undo(), game.moves, game.undone) == (2, 4, "44", (4, 2))
    assert game.position == Position("44")
    assert (game.redo(), game.redo(), game.moves, game.undone) == (4, 2, "4453", ())


def test_there_must_be_something_to_take_back_or_to_play_again() -> None:
    with pytest.raises(IllegalMoveError, match="no move to take back"):
        Game().undo()
    with pytest.raises(IllegalMoveError, match="no move to play again"):
        Game("44").redo()


def test_playing_on_as_before_keeps_what_was_taken_back_and_another_move_forgets_it() -> None:
    game = Game("4453")
    game.undo()
    game.undo()
    game.play(4)
    assert list(game.undone) == [2]
    game.play(0)
    assert list(game.undone) == []


def test_a_refused_move_forgets_nothing() -> None:
    game = Game("4444441")
    game.undo()
    with pytest.raises(IllegalMoveError):
        game.play(3)
    assert game.undone == (0,)


def test_a_finished_game_goes_on_after_a_move_is_taken_back() -> None:
    game = Game("1212121")
    assert game.is_over
    game.undo()
    game.play(6)
    assert not game.is_over


@given(games())
def test_everything_can_be_taken_back_and_played_again(game: Game) -> None:
    moves, now = game.moves, game.position
    for _ in moves:
        game.undo()
    assert game.position == game.start
    for _ in moves:
        game.redo()
    assert (game.moves, game.position) == (moves, now)


# Results


@pytest.mark.parametrize(
    ("moves", "outcome"),
    [
        ("1212121", Outcome(1, Termination.FOUR)),
        ("12121272", Outcome(2, Termination.FOUR)),
        (DRAW, Outcome(None, Termination.FULL_BOARD)),
        (LAST_STONE_WINS, Outcome(2, Termination.FOUR)),
    ],
)
def test_the_board_shows_the_result(moves: str, outcome: Outcome) -> None:
    game = Game(moves)
    assert game.result == outcome
    with pytest.raises(IllegalMoveError, match="over"):
        game.play(0)
    with pytest.raises(IllegalMoveError, match="the game is over"):
        game.resign()


def test_who_resigns_loses() -> None:
    game = Game("4")
    game.resign()
    assert game.result == Outcome(1, Termination.RESIGNATION)
    game = Game("4")
    game.resign(1)
    assert game.result == Outcome(2, Termination.RESIGNATION)


def test_players_may_agree_on_a_draw() -> None:
    game = Game("4")
    game.agree_draw()
    assert game.result == Outcome(None, Termination.AGREEMENT)


def test_a_forfeit_is_recorded_as_what_it_was() -> None:
    game = Game("4")
    game.forfeit(reason="illegal move")
    assert str(game.result) == "first wins, forfeit: illegal move"


def test_no_move_and_no_other_end_comes_after_the_end() -> None:
    game = Game("4")
    game.resign()
    with pytest.raises(IllegalMoveError, match="the game is over: first wins, resignation"):
        game.play(3)
    with pytest.raises(IllegalMoveError, match="the game is over: first wins, resignation"):
        game.agree_draw()
    game.undo()
    assert game.result is None


def test_an_end_that_the_board_does_not_show_is_refused() -> None:
    game = Game("4")
    with pytest.raises(IllegalMoveError, match="'first wins, four in a row': the game goes on"):
        game.end(Outcome(1, Termination.FOUR))
    game = Game("1212121")
    game.end(Outcome(1, Termination.FOUR))
    with pytest.raises(IllegalMoveError):
        game.end(Outcome(2, Termination.FOUR))


@pytest.mark.parametrize("player", [0, 3, "1"])
def test_only_players_1_and_2_can_lose(player: Any) -> None:
    with pytest.raises(OptionError, match="player must be 1 or 2"):
        Game().resign(player)


@given(outcomes)
def test_an_outcome_is_read_as_it_is_written(outcome: Outcome) -> None:
    assert Outcome.parse(str(outcome)) == outcome


@pytest.mark.parametrize(
    "text",
    [
        "",
        "1-0",
        "first wins",
        "draw, resignation",
        "first wins, agreement",
        "first wins, luck",
        "nobody, forfeit",
    ],
)
def test_what_is_not_an_outcome_is_refused(text: str) -> None:
    with pytest.raises(InvalidNotationError):
        Outcome.parse(text)


def test_only_a_forfeit_has_a_reason() -> None:
    with pytest.raises(OptionError, match="only a forfeit has a reason"):
        Outcome(1, Termination.RESIGNATION, "tired")


# Starts, names and times


def test_a_game_may_start_from_any_position() -> None:
    start = Position("445")
    game = Game("5", start=start)
    assert (game.start, game.position, game.moves) == (start, Position("4455"), "5")
    with pytest.raises(OptionError, match="not those of the start, which is 7x6"):
        Game(start=start, width=8)


def test_a_board_that_is_not_played_is_refused() -> None:
    for width in (0, 3, 100):
        with pytest.raises(InvalidPositionError):
            Game(width=width)


@pytest.mark.parametrize(
    "name", ["a\nb", " a", "a ", "\x1b[2J", "\u202egnihtyna", "x" * 101, "\ud800", "\x00"]
)
def test_a_name_that_would_spoil_a_file_or_a_screen_is_refused(name: str) -> None:
    with pytest.raises(InvalidNotationError, match="cannot be a player's name"):
        Game(first=name)
    game = Game(second="Grace")
    with pytest.raises(InvalidNotationError):
        game.second = name
    assert game.second == "Grace"


def test_a_name_is_a_text() -> None:
    wrong: Any = 7
    with pytest.raises(TypeError, match="a player's name must be a str, not int"):
        Game(first=wrong)


def test_names_of_all_scripts_are_welcome() -> None:
    for name in ("Ada", "李", "نازی‌آباد", "👩‍🔬", "O'Neil: the #1"):
        assert Game(first=name).first == name


def test_the_time_of_the_start_is_kept_in_utc() -> None:
    summer = timezone(timedelta(hours=2))
    game = Game(started=datetime(2024, 5, 31, 20, 30, tzinfo=summer))
    assert game.started == datetime(2024, 5, 31, 18, 30, tzinfo=timezone.utc)
    assert game.started is not None
    assert game.started.tzinfo is timezone.utc
    with pytest.raises(OptionError, match="needs a time zone"):
        Game(started=datetime(2024, 5, 31))
    with pytest.raises(OptionError, match="out of range"):
        Game(started=datetime.min.replace(tzinfo=summer))


def test_each_move_may_have_a_time_stamp_that_survives_taking_back() -> None:
    game = Game()
    game.play(3, stamp_s=1.5)
    game.play(3)
    game.play(4, stamp_s=7)
    game.undo()
    assert (game.stamps_s, game.undone_stamps_s) == ((1.5, None), (7.0,))
    game.redo()
    assert game.stamps_s == (1.5, None, 7.0)


@pytest.mark.parametrize("stamp", [-1, float("nan"), float("inf"), "soon", True, 10**400, [1]])
def test_what_is_not_a_time_stamp_is_refused_and_changes_nothing(stamp: Any) -> None:
    game = Game("4")
    with pytest.raises(OptionError, match="is not a time stamp"):
        game.play(3, stamp_s=stamp)
    assert game == Game("4")


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        ({"moves": None}, "moves must be a str or columns, not NoneType"),
        ({"moves": 4}, "moves must be a str or columns, not int"),
        ({"moves": [None]}, "column must be an int, not NoneType"),
        ({"moves": ["4"]}, "column must be an int, not str"),
        ({"start": 4455}, "start must be a Position or a str of moves, not int"),
        ({"started": "now"}, "started must be a datetime, not str"),
        ({"first": None}, "a player's name must be a str, not NoneType"),
        ({"width": "7"}, "width must be an int, not str"),
    ],
)
def test_a_wrong_type_is_a_type_error_that_names_the_argument(
    options: dict[str, Any], complaint: str
) -> None:
    with pytest.raises(TypeError, match=complaint):
        Game(**options)


def test_columns_that_cannot_be_played_are_refused_with_data() -> None:
    with pytest.raises(IllegalMoveError, match="column 4 is full") as caught:
        Game([3] * 7)
    assert (caught.value.column, caught.value.reason) == (3, "full")
    game = Game("4")
    game.resign()
    with pytest.raises(IllegalMoveError, match="the game is over: first wins, resignation") as caught:
        game.play(2)
    assert (caught.value.column, caught.value.reason, caught.value.ply) == (2, "finished", 1)


@pytest.mark.parametrize("size", [{"width": 0}, {"height": 0}, {"width": 8}, {"height": 7}])
def test_a_size_that_is_not_the_start_s_is_refused(size: dict[str, int]) -> None:
    with pytest.raises(OptionError, match="are not those of the start, which is 7x6"):
        Game(start=Position("44"), **size)  # type: ignore[arg-type]
