"""Players as opponents, and the solver as judge, in the harnesses of others."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import pytest

from fourcast import Position, Rules, Solver
from fourcast.adapters import kaggle
from fourcast.adapters.textarena import Judge, agent, position_of
from fourcast.errors import InvalidNotationError, InvalidPositionError, OptionError

EMPTY = "Board state:\n0 1 2 3 4 5 6\n-------------\n" + "\n".join([". . . . . . ."] * 6)


def test_the_last_board_of_an_observation_counts() -> None:
    later = EMPTY[:-13] + ". . . X O . ."
    assert position_of(EMPTY) == Position()
    assert position_of(f"{EMPTY}\nPlayer 0 dropped their disk.\n{later}\n") == Position("45")
    for nonsense in ("", "no board", "0 1\n---\nX Q"):
        with pytest.raises(InvalidNotationError, match="shows no board"):
            position_of(nonsense)


def test_a_judge_knows_what_moves_cost() -> None:
    answers = iter(["[col 3]", "I play [0]", "[col 9]", "nothing"])
    judge = Judge(lambda _: next(answers))
    for _ in range(4):
        judge(EMPTY)
    scores = Solver().analyze("").scores
    assert scores == (-2, -1, 0, 1, 0, -1, -2)
    assert judge.losses == [0, 3, 3, 3]
    assert (judge.illegal, judge.regret) == (2, 9 / 4)


@pytest.mark.slow
def test_textarena_plays_with_our_agents_and_is_judged() -> None:
    textarena: Any = import_module("textarena")
    game = textarena.make("ConnectFour-v0")
    game.reset(num_players=2, seed=1)
    judges = [Judge(agent("perfect")), Judge(agent("random", seed=1))]
    done = False
    while not done:
        number, observation = game.get_observation()
        done, _ = game.step(action=judges[number](observation))
    rewards, _ = game.close()
    assert rewards == {0: 1, 1: -1}
    assert judges[0].regret == 0 < judges[1].regret
    assert judges[0].illegal == judges[1].illegal == 0


@pytest.mark.slow
def test_the_evaluator_of_open_spiel_plays_with_our_bots() -> None:
    pyspiel: Any = import_module("pyspiel")
    import numpy as np
    from open_spiel.python.algorithms import evaluate_bots

    from fourcast.adapters import open_spiel

    game = pyspiel.load_game("connect_four")
    for first, second, wanted in (("perfect", "random", 1), ("random", "level-10", -1)):
        bots = [open_spiel.bot(first), open_spiel.bot(second)]
        returns = evaluate_bots.evaluate_bots(game.new_initial_state(), bots, np.random.RandomState(1))
        assert returns[0] == wanted


@pytest.mark.slow
def test_the_game_arena_of_kaggle_plays_with_our_agents() -> None:
    kaggle_environments: Any = import_module("kaggle_environments")
    game = kaggle_environments.make("open_spiel_connect_four")
    game.run([kaggle.arena_agent("perfect"), kaggle.arena_agent("random", seed=1)])
    assert [state.reward for state in game.state] == [1, -1]
    last = game.state[0].observation
    assert kaggle.arena_position_of(last).winner == 1
    game = kaggle_environments.make(
        "open_spiel_connect_four",
        configuration={"openSpielGameParameters": {"columns": 5, "rows": 4, "x_in_row": 3}},
    )
    game.run([kaggle.arena_agent("perfect"), kaggle.arena_agent("random", seed=1)])
    assert [state.reward for state in game.state] == [1, -1]
    last = game.state[0].observation
    assert kaggle.arena_position_of(last).rules == Rules(3)
    assert kaggle.arena_position_of(last).winner == 1


def test_a_state_of_the_game_arena_is_read_strictly() -> None:
    for nonsense in (None, "", "[State]\nx", 3):
        with pytest.raises(OptionError, match="no state of Connect Four"):
            kaggle.arena_position_of({"serializedGameAndState": nonsense})
    game = "[Game]\nconnect_four_proxy(columns={},egocentric_obs_tensor=False,rows=4,x_in_row=3)\n"
    told = {"serializedGameAndState": game.format(5) + "[State]\n0\n1\n0\n1\n0\n"}
    assert kaggle.arena_position_of(told) == Position("12121", width=5, height=4, rules=Rules(3))
    told = {"serializedGameAndState": game.format(99) + "[State]\n0\n"}
    with pytest.raises(InvalidPositionError, match="the width must be from 3 to 25"):
        kaggle.arena_position_of(told)
