from __future__ import annotations

import random
import time
from collections import Counter
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import fourcast
from fourcast import (
    FinishedGameError,
    OptionError,
    Player,
    Position,
    UnknownPlayerError,
    player,
    player_names,
)
from fourcast.players import player_options, rating
from fourcast.players.ratings import ELO
from tests.strategies import SIZES, positions

# `perfect` has tests of its own.
ALL = [name for name in player_names() if name != "perfect"]


def quick_player(name: str, seed: int) -> Player:
    """A player that does not think long; tests of what it chooses leave it its time."""
    return player(name, seed=seed, time_s=0.01)


@pytest.mark.parametrize("name", ALL)
@settings(max_examples=30)
@given(position=positions(), seed=st.integers(0, 100))
def test_a_player_chooses_an_open_column_on_boards_of_all_sizes(
    name: str, position: Position, seed: int
) -> None:
    chooser = quick_player(name, seed)
    if position.is_over:
        with pytest.raises(FinishedGameError, match="the game is over"):
            chooser.choose(position)
    else:
        assert position.can_play(chooser.choose(position))


@pytest.mark.parametrize("name", ALL)
def test_a_player_repeats_itself_with_the_same_seed(name: str) -> None:
    def game(seed: int) -> list[int]:
        # From the middle of a game on, for the sake of those who think long.
        chooser, position, columns = player(name, seed=seed), Position("444444325"), []
        while not position.is_over:
            columns.append(chooser.choose(position))
            position = position.play(columns[-1])
        return columns

    assert game(1) == game(1)
    many = 4 if name in ("random", "winning", "rated", "level-1", "level-5") else 1
    assert len({tuple(game(seed)) for seed in range(2 * many)}) >= many


@pytest.mark.parametrize("name", ["depth", "streaks", "winsets"])
def test_a_player_that_looks_ahead_plays_one_game_without_a_seed_and_others_with_it(name: str) -> None:
    def game(seed: int | None) -> tuple[int, ...]:
        chooser, position, columns = player(name, seed=seed), Position(), []
        while not position.is_over:
            columns.append(chooser.choose(position))
            position = position.play(columns[-1])
        return tuple(columns)

    assert game(None) == game(None)
    assert len({game(seed) for seed in range(20)}) > 1


@pytest.mark.parametrize("name", player_names())
def test_every_player_takes_a_seed_and_a_time_limit(name: str) -> None:
    assert {"seed", "time_s"} <= set(player_options(name))
    for wrong in (0, -1, float("nan")):
        with pytest.raises(ValueError, match="time_s must be more than 0"):
            player(name, time_s=wrong)


@pytest.mark.parametrize("name", player_names())
def test_a_player_keeps_to_its_time(name: str) -> None:
    chooser = player(name, time_s=0.1, seed=1)
    chooser.choose(Position("4"))
    started = time.perf_counter()
    for moves in ("", "44", "4453"):
        chooser.choose(Position(moves))
    assert time.perf_counter() - started < 3 * 0.1 + 0.5


SEES_WINS = [name for name in ALL if name not in ("random", "level-1", "level-2")]


def positions_with_a_win(count: int, seed: int) -> list[Position]:
    chance = random.Random(seed)
    found: list[Position] = []
    while len(found) < count:
        width, height = chance.choice(SIZES)
        position = Position(width=width, height=height)
        while not position.is_over and not position.winning_columns():
            position = position.play(chance.choice(tuple(position.legal_columns)))
        found += [position] * (not position.is_over)
    return found


@pytest.mark.parametrize("name", SEES_WINS)
def test_a_win_at_once_is_always_played(name: str) -> None:
    for position in positions_with_a_win(40, seed=1):
        assert quick_player(name, 1).choose(position) in position.winning_columns()


@pytest.mark.parametrize("name", ["depth", "streaks", "winsets"])
@pytest.mark.parametrize("depth", range(1, 9))
def test_a_win_at_once_is_played_at_every_depth(name: str, depth: int) -> None:
    for position in positions_with_a_win(10, seed=depth):
        chooser = player(name, depth=depth, time_s=1)
        assert chooser.choose(position) in position.winning_columns()


@pytest.mark.parametrize(("name", "level"), [(f"level-{level}", level) for level in range(1, 11)])
def test_no_level_above_2_misses_a_mate_in_one(name: str, level: int) -> None:
    position = Position("445566")
    chosen = [player(name, seed=seed).choose(position) in (2, 6) for seed in range(60)]
    assert all(chosen) == (level > 2)
    assert any(chosen)


@pytest.mark.parametrize("level", range(1, 11))
@pytest.mark.parametrize(("width", "height"), [(7, 6), (9, 7), (12, 9), (25, 4)])
def test_a_level_needs_no_second_for_a_move_without_book_or_clock(
    level: int, width: int, height: int
) -> None:
    chooser = player(f"level-{level}", seed=1)
    position = Position(width=width, height=height).play(width // 2).play(0)
    started_s = time.process_time()  # whatever else the machine does
    chooser.choose(position)
    assert time.process_time() - started_s < 1


@pytest.mark.parametrize("level", [8, 9, 10])
def test_the_best_levels_open_in_the_center_and_play_different_games(level: int) -> None:
    def choose(position: Position) -> set[int]:
        return {player(f"level-{level}", seed=seed).choose(position) for seed in range(6)}

    def play_on(seed: int) -> Position:
        position, opponent = Position("444444"), player("streaks")
        chooser = player(f"level-{level}", seed=seed)
        while not position.is_over:
            position = position.play((chooser if position.turn == 1 else opponent).choose(position))
        return position

    assert choose(Position()) == {3}
    assert choose(Position(width=8, height=7)) == {3, 4}
    assert len({play_on(seed) for seed in range(4)}) > 1


def test_ratings_are_those_of_a_tournament_of_all_players() -> None:
    assert set(ELO) == set(player_names()) - {"proof"}  # which took no part: it is as good as `perfect`
    assert rating("random") == 0 == min(ELO.values())
    levels = [ELO[f"level-{level}"] for level in range(1, 11)]
    assert levels == sorted(levels)
    assert max(ELO, key=ELO.__getitem__) == "perfect"
    with pytest.raises(UnknownPlayerError, match="level-10"):
        rating("level-11")


@pytest.mark.parametrize("name", ALL)
def test_a_player_knows_its_name_and_says_in_a_sentence_how_it_plays(name: str) -> None:
    assert player(name).name == name
    assert fourcast.describe_player(name).endswith(".")


@pytest.mark.parametrize("level", range(4, 11))
def test_no_level_above_3_misses_a_threat(level: int) -> None:
    assert {player(f"level-{level}", seed=seed).choose(Position("71717")) for seed in range(20)} == {6}


def test_generate_random_ai_move() -> None:
    """Seed 000: a random move on the empty board; here any open column, column 0 too."""
    chooser = player("random", seed=0)
    counts = Counter(chooser.choose(Position()) for _ in range(7_000))
    assert set(counts) == set(range(7))
    assert all(800 < count < 1200 for count in counts.values())


def test_the_random_player_never_chooses_a_full_column() -> None:
    position = Position("111111222222")
    chooser = player("random", seed=0)
    assert {chooser.choose(position) for _ in range(500)} == {2, 3, 4, 5, 6}


def test_ai_selects_highest_move() -> None:
    """Seed 000: after 0 6 0 5 1 4 1 the winning column is 3."""
    position = Position.from_columns([0, 6, 0, 5, 1, 4, 1])
    assert {player("winning", seed=seed).choose(position) for seed in range(50)} == {3}


@given(positions(), st.integers(0, 100))
def test_the_winning_player_wins_whenever_it_can(position: Position, seed: int) -> None:
    if winning := position.winning_columns():
        assert player("winning", seed=seed).choose(position) in winning


def test_the_winning_player_blocks_nothing() -> None:
    position = Position("71717")
    assert list(position.winning_columns(1)) == [6]
    assert {player("winning", seed=seed).choose(position) for seed in range(100)} == set(range(7))


def test_the_winning_player_takes_any_of_several_wins() -> None:
    position = Position("445566")
    assert set(position.winning_columns()) == {2, 6}
    assert {player("winning", seed=seed).choose(position) for seed in range(50)} == {2, 6}


@pytest.mark.parametrize(
    ("name", "complaint"),
    [
        ("radnom", "no player is called 'radnom': did you mean 'random'? There are: random, winning"),
        ("winset", "did you mean 'winsets'?"),
        ("", "no player is called ''. There are: random"),
        ("x" * 10_000, "(10000 characters). There are: random"),
    ],
)
def test_a_name_that_nobody_has_is_refused_with_those_there_are(name: Any, complaint: str) -> None:
    with pytest.raises(UnknownPlayerError) as caught:
        player(name)
    assert complaint in str(caught.value)


def test_an_option_that_a_player_does_not_have_is_refused() -> None:
    with pytest.raises(OptionError, match="the player random has no option 'depth'; there are seed"):
        player("random", depth=4)
    with pytest.raises(OptionError, match="the player streaks has no option 'dept'; did you mean"):
        player("streaks:dept=6")
    with pytest.raises(TypeError, match="name must be a str"):
        player(None)  # type: ignore[arg-type]


def test_options_may_be_part_of_a_name_and_a_number_is_a_level() -> None:
    assert repr(player("streaks:depth=6", seed=1)) == "<player streaks>"
    assert player("3").name == player("level-3").name == "level-3"


def test_anything_with_a_name_and_a_choice_is_a_player() -> None:
    class Leftmost:
        name = "leftmost"

        def choose(self, position: Position) -> int:
            return position.legal_columns[0]

    leftmost: Player = Leftmost()
    assert leftmost.choose(Position("111111")) == 1
