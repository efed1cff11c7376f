from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import fourcast
from fourcast import IllegalMoveError, Player, Position, UnknownPlayerError, player, player_names
from tests.strategies import positions

# Those that take no time to think; `perfect` has tests of its own.
ALL = [name for name in player_names() if name != "perfect"]


@pytest.mark.parametrize("name", ALL)
@given(position=positions(), seed=st.integers(0, 100))
def test_a_player_chooses_an_open_column_on_boards_of_all_sizes(
    name: str, position: Position, seed: int
) -> None:
    chooser = player(name, seed=seed)
    if position.is_over:
        with pytest.raises(IllegalMoveError, match="the game is over"):
            chooser.choose(position)
    else:
        assert position.can_play(chooser.choose(position))


@pytest.mark.parametrize("name", ALL)
def test_a_player_repeats_itself_with_the_same_seed(name: str) -> None:
    def game(seed: int) -> list[int]:
        chooser, position, columns = player(name, seed=seed), Position(), []
        while not position.is_over:
            columns.append(chooser.choose(position))
            position = position.play(columns[-1])
        return columns

    assert game(1) == game(1)
    assert len({tuple(game(seed)) for seed in range(20)}) > 10


@pytest.mark.parametrize("name", ALL)
def test_a_player_knows_its_name_and_says_in_a_sentence_how_it_plays(name: str) -> None:
    assert player(name).name == name
    assert fourcast.describe_player(name).endswith(".")


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
        (
            "radnom",
            "no player is called 'radnom': did you mean 'random'? There are: random, winning, perfect",
        ),
        ("", "no player is called ''. There are: random"),
        ("x" * 10_000, "(10000 characters). There are: random"),
        (None, "no player is called None. There are: random"),
    ],
)
def test_a_name_that_nobody_has_is_refused_with_those_there_are(name: Any, complaint: str) -> None:
    with pytest.raises(UnknownPlayerError) as caught:
        player(name)
    assert complaint in str(caught.value)


def test_an_option_that_a_player_does_not_have_is_refused() -> None:
    with pytest.raises(TypeError, match="depth"):
        player("random", depth=4)


def test_anything_with_a_name_and_a_choice_is_a_player() -> None:
    class Leftmost:
        name = "leftmost"

        def choose(self, position: Position) -> int:
            return position.legal_columns[0]

    leftmost: Player = Leftmost()
    assert leftmost.choose(Position("111111")) == 1
