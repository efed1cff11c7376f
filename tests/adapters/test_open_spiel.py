"""Bots for OpenSpiel, and its states, with the package itself."""

from __future__ import annotations

import numpy as np
import pytest

from fourcast import Position, Solver
from fourcast.adapters.open_spiel import bot, position_from_state, state_from_columns
from fourcast.errors import OptionError

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

    with pytest.raises(OptionError, match="connect_four on 7x6"):
        position_from_state(pyspiel.load_game("tic_tac_toe").new_initial_state())
