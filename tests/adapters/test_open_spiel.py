"""Bots for OpenSpiel, and its states, with the package itself."""

from __future__ import annotations

import numpy as np
import pytest

from fourcast import Position, Rules, Solver
from fourcast.adapters.open_spiel import bot, position_from_state, state_from_columns
from fourcast.errors import InvalidPositionError, OptionError
from fourcast.players import player

pytestmark = pytest.mark.slow


def test_states_are_converted_both_ways_position_by_position() -> None:
    chance = np.random.RandomState(18)
    for _ in range(30):
        state = state_from_columns([])
        while not state.is_terminal():
            position = position_from_state(state)
            assert list(position.legal_columns) == state.legal_actions()
            assert position.to_rows().lower().split("/") == str(state).split()
            assert position.turn == state.current_player() + 1
            assert str(state_from_columns(state.history())) == str(state)
            state.apply_action(int(chance.choice(state.legal_actions())))
        winner = position_from_state(state).winner
        assert state.returns() == {1: [1, -1], 2: [-1, 1], None: [0, 0]}[winner]


@pytest.mark.parametrize(("width", "height", "connect"), [(5, 4, 3), (4, 5, 4), (8, 7, 5), (9, 4, 3)])
def test_states_of_other_boards_and_numbers_in_a_row_are_converted(
    width: int, height: int, connect: int
) -> None:
    chance = np.random.RandomState(35)
    size: dict[str, int] = {"width": width, "height": height, "connect": connect}
    for _ in range(10):
        state = state_from_columns([], **size)
        while not state.is_terminal():
            position = position_from_state(state)
            assert position.rules == Rules(connect)
            assert list(position.legal_columns) == state.legal_actions()
            rows = position.to_rows().partition(":")[0]
            assert rows.lower().split("/") == str(state).split()
            assert str(state_from_columns(state.history(), **size)) == str(state)
            state.apply_action(int(chance.choice(state.legal_actions())))
        winner = position_from_state(state).winner
        assert state.returns() == {1: [1, -1], 2: [-1, 1], None: [0, 0]}[winner]


def test_bots_play_three_in_a_row_on_a_smaller_board() -> None:
    import pyspiel

    for rival in ("random", "mcts:playouts=50"):
        start = state_from_columns([], width=5, height=4, connect=3)
        pair = [bot(), bot(player(rival, seed=1))]
        assert pyspiel.evaluate_bots(start, pair, 1) == [1, -1]


def test_bots_play_whole_games_by_evaluate_bots() -> None:
    import pyspiel
    from open_spiel.python.bots import uniform_random

    game = pyspiel.load_game("connect_four")
    perfect = bot()
    for seed in range(4):
        rival = uniform_random.UniformRandomBot(1, np.random.RandomState(seed))
        assert pyspiel.evaluate_bots(game.new_initial_state(), [perfect, rival], seed) == [1, -1]
    pair = [bot("level-2", seed=1), bot("winning", seed=2)]
    assert sum(pyspiel.evaluate_bots(game.new_initial_state(), pair, 1)) == 0


def test_the_policy_of_the_perfect_bot_is_uniform_over_the_best_columns() -> None:
    state = state_from_columns([3, 3, 4, 4])
    policy, action = bot().step_with_policy(state)
    best = Solver().solve(Position("4455")).best_columns
    assert best is not None
    assert {column for column, share in policy if share} == set(best)
    assert action in best
    assert sum(share for _, share in policy) == pytest.approx(1)
    random_policy = bot("random", seed=1).get_policy(state)
    assert sorted(share for _, share in random_policy) == [0] * 6 + [1]


def test_a_state_of_another_game_is_refused() -> None:
    import pyspiel

    with pytest.raises(OptionError, match="must be one of OpenSpiel's connect_four, not of tic_tac_toe"):
        position_from_state(pyspiel.load_game("tic_tac_toe").new_initial_state())
    with pytest.raises(OptionError, match="2 in a row is not possible"):
        position_from_state(state_from_columns([], connect=2))
    with pytest.raises(InvalidPositionError, match="the width must be from 3 to 25"):
        position_from_state(state_from_columns([], width=26, connect=3))
