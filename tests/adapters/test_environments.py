"""The environments of Gymnasium and PettingZoo, by those packages' own tests and by ours."""

from __future__ import annotations

import pickle
import re
import subprocess
import sys
import time
import types
import warnings
from collections.abc import Callable
from importlib import import_module
from inspect import signature
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, render_test, seed_test

from fourcast import Position, Rules, Solver
from fourcast._core import BoardBatch
from fourcast.adapters import pettingzoo
from fourcast.adapters.boards import picture
from fourcast.adapters.gymnasium import ConnectFourEnv, ConnectFourVectorEnv
from fourcast.data import FULL
from fourcast.errors import IllegalMoveError, OptionError, UnknownPlayerError

BENCHMARK = Path(__file__).resolve().parent.parent.parent / "benchmarks" / "environments.py"


@pytest.fixture(scope="module")
def solver() -> Solver:
    return Solver()


def random_game(seed: int, width: int = 7, height: int = 6) -> list[int]:
    chance = Random(seed)
    position = Position(width=width, height=height)
    moves = []
    while not position.is_over:
        moves.append(chance.choice(tuple(position.legal_columns)))
        position = position.play(moves[-1])
    return moves


# ---- PettingZoo --------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [(7, 6), (9, 5)])
def test_pettingzoo_passes_its_api_test(size: tuple[int, int]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # advice, which the classic environment gets as well
        api_test(pettingzoo.env(width=size[0], height=size[1]), num_cycles=200)


def test_pettingzoo_passes_its_seed_test() -> None:
    seed_test(pettingzoo.env, num_cycles=50)


def test_pettingzoo_passes_its_render_test(capsys: pytest.CaptureFixture[str]) -> None:
    render_test(pettingzoo.env)
    assert "X" in capsys.readouterr().out


@pytest.fixture(params=["made by name", "from its old module"])
def classic(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Any:
    """PettingZoo's own environment, in both forms; without pygame, which it needs to draw only."""
    monkeypatch.setitem(sys.modules, "pygame", types.ModuleType("pygame"))
    if request.param == "made by name":
        from pettingzoo import make

        return make("aec", "classic/connect_four-v3")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        from pettingzoo.classic import connect_four_v3

    return connect_four_v3.env()


def test_pettingzoo_plays_like_its_classic_environment(classic: Any) -> None:
    ours = pettingzoo.env()
    assert ours.possible_agents == classic.possible_agents
    for agent in ours.possible_agents:
        assert ours.observation_space(agent) == classic.observation_space(agent)
        assert ours.action_space(agent) == classic.action_space(agent)
    for seed in range(20):
        moves = iter(random_game(seed))
        ours.reset()
        classic.reset()
        for agent in classic.agent_iter():
            assert ours.agent_selection == agent
            theirs, *rest = classic.last()
            observed, *values = ours.last()
            assert values == rest
            assert (observed["observation"] == theirs["observation"]).all()
            is_over = rest[1]
            if not is_over:
                assert (observed["action_mask"] == theirs["action_mask"]).all()
            for other in ours.agents:
                assert (
                    ours.observe(other)["observation"] == classic.observe(other)["observation"]
                ).all()
            action = None if is_over else next(moves)
            ours.step(action)
            classic.step(action)
        assert ours.agents == []


def test_a_full_column_loses_in_pettingzoo_as_in_its_classic_environment(classic: Any) -> None:
    ours = pettingzoo.env()
    for moves in ([3] * 7, [3] * 6 + [0, 3]):
        for game in (ours, classic):
            game.reset()
            for move in moves:
                game.step(move)
        for name in ("rewards", "terminations", "truncations", "agent_selection", "agents"):
            assert getattr(ours, name) == getattr(classic, name), name
        while classic.agents:
            assert ours.last()[1:] == classic.last()[1:]
            ours.step(None)
            classic.step(None)
        assert ours.agents == []


def test_an_illegal_move_raises_if_it_is_to() -> None:
    raw = pettingzoo.raw_env()
    raw.reset()
    for _ in range(6):
        raw.step(3)
    with pytest.raises(IllegalMoveError, match="column 4 is full"):
        raw.step(3)
    game = pettingzoo.env()
    game.reset()
    with pytest.raises(IllegalMoveError, match="there is no column 7"):
        game.step(7)
    with pytest.raises(OptionError, match="illegal must be 'raise' or 'lose'"):
        pettingzoo.env(illegal="ignore")  # type: ignore[arg-type]


def test_info_has_the_exact_scores_if_there_is_a_solver(solver: Solver) -> None:
    game = pettingzoo.env(solver=solver)
    game.reset()
    assert game.last()[-1]["score"] == 1
    for _ in range(6):
        game.step(3)
    info = game.last()[-1]
    assert info["scores"].tolist() == solver.column_scores(["444444"])[0].tolist()
    assert info["scores"][3] == FULL
    single = ConnectFourEnv("random", solver=solver, agent_first=True)
    _, info = single.reset(seed=1)
    assert (info["score"], info["scores"].tolist()) == (1, [-2, -1, 0, 1, 0, -1, -2])


def test_every_player_is_a_policy_of_pettingzoo() -> None:
    game = pettingzoo.env()
    policies = {
        "player_0": pettingzoo.policy("level-2", seed=1),
        "player_1": pettingzoo.policy("random"),
    }
    game.reset()
    for agent in game.agent_iter():
        observation, _, termination, _, _ = game.last()
        game.step(None if termination else policies[agent](observation))
    assert pettingzoo.policy("winning")(observe_after("171615")) == 0


@pytest.mark.parametrize("nonsense", [None, {}, {"observation": np.zeros((6, 7))}], ids=repr)
def test_a_policy_says_what_it_takes(nonsense: Any) -> None:
    with pytest.raises(TypeError, match="a policy takes an observation of an agent"):
        pettingzoo.policy("random")(nonsense)


def observe_after(moves: str) -> dict[str, Any]:
    return {"observation": Position(moves).planes("pettingzoo")}


def test_an_environment_is_pickled_with_its_options() -> None:
    again = pickle.loads(pickle.dumps(pettingzoo.raw_env(width=9, render_mode="ansi")))
    assert again.position == Position(width=9)
    assert again.render_mode == "ansi"


@pytest.mark.slow
def test_pettingzoo_is_twice_as_fast_as_its_classic_environment_by_its_own_benchmark(
    classic: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """By processor time, so that other work on the machine does not count."""
    benchmark = import_module("pettingzoo.test.performance_benchmark")
    monkeypatch.setattr(benchmark, "time", SimpleNamespace(time=time.process_time))
    rates = []
    for env in (classic, pettingzoo.env()):
        benchmark.performance_benchmark(env)
        printed = re.search(r"([\d.]+) turns per second", capsys.readouterr().out)
        assert printed
        rates.append(float(printed[1]))
    assert rates[1] > 2 * rates[0], rates


# ---- Gymnasium ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("opponent", ["random", "level-1"])
def test_gymnasium_passes_check_env(opponent: str) -> None:
    check_env(gymnasium.make("fourcast/ConnectFour-v0", opponent=opponent).unwrapped)


@pytest.mark.parametrize("agent_first", [True, False, None])
def test_a_game_ends_with_the_reward_of_its_result(agent_first: bool | None) -> None:
    game = ConnectFourEnv("winning", agent_first=agent_first)
    chance = Random(4)
    rewards = set()
    for seed in range(40):
        observation, info = game.reset(seed=seed)
        assert observation[..., 0].sum() == 0
        assert agent_first is None or observation[..., 1].sum() == (0 if agent_first else 1)
        seat = 1 + int(observation.sum())
        terminated = False
        while not terminated:
            assert (game.action_masks() == info["action_mask"].astype(bool)).all()
            action = chance.choice(np.flatnonzero(info["action_mask"]).tolist())
            observation, reward, terminated, truncated, info = game.step(action)
            assert not truncated
            assert game.observation_space.contains(observation)
        assert reward == {None: 0, seat: 1, 3 - seat: -1}[game.position.winner]
        rewards.add(reward)
        with pytest.raises(OptionError, match="call reset"):
            game.step(0)
    assert {-1, 1} <= rewards


def test_an_illegal_action_loses_in_gymnasium() -> None:
    game = ConnectFourEnv(lambda _: 3, agent_first=True)
    game.reset(seed=1)
    for _ in range(3):
        assert not game.step(3)[2]
    observation, reward, terminated, _, info = game.step(3)
    assert (reward, terminated, info["action_mask"].any()) == (-1, True, False)
    assert observation.sum() == 6
    with pytest.raises(OptionError, match="render_mode must be"):
        ConnectFourEnv(render_mode="film")
    with pytest.raises(TypeError, match="agent_first must be True, False or None, not 'no'"):
        ConnectFourEnv(agent_first="no")  # type: ignore[arg-type]
    makers: list[Callable[..., object]] = [ConnectFourEnv, pettingzoo.env]
    for make in makers:
        with pytest.raises(TypeError, match=r"^solver must be a Solver or None, not str$"):
            make(solver="perfect")


def test_the_opponent_may_be_any_object_that_chooses() -> None:
    class Leftmost:
        name = "leftmost"

        def choose(self, position: Position) -> int:
            return position.legal_columns[0]

    game = ConnectFourEnv(Leftmost(), agent_first=False)
    observation, _ = game.reset(seed=1)
    assert observation[5, 0].tolist() == [0, 1]


def test_a_picture_shows_each_disc_in_its_square() -> None:
    pixels = picture(Position("45"))
    red, yellow, empty = pixels[-16, 3 * 32 + 16], pixels[-16, 4 * 32 + 16], pixels[16, 16]
    assert red.tolist() == [214, 60, 52]
    assert yellow.tolist() == [240, 196, 40]
    assert empty.tolist() == [244, 246, 248]
    assert pixels.dtype == np.uint8


# ---- Many boards -------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [(7, 6), (4, 4), (8, 8), (17, 6)])
def test_an_agent_that_plays_both_sides_plays_by_the_rules_on_every_board(size: tuple[int, int]) -> None:
    width, height = size
    games = ConnectFourVectorEnv(50, opponent=None, width=width, height=height)
    observations, infos = games.reset(seed=1)
    chance = Random(8)
    positions = [Position(width=width, height=height)] * 50
    for _ in range(60):
        actions = [
            chance.choice(np.flatnonzero(mask).tolist()) if mask.any() else 0
            for mask in infos["action_mask"]
        ]
        was_over = [position.is_over for position in positions]
        observations, rewards, terminated, truncated, infos = games.step(actions)
        for i, action in enumerate(actions):
            if was_over[i]:
                positions[i] = Position(width=width, height=height)
                assert rewards[i] == 0
            else:
                positions[i] = positions[i].play(action)
                assert rewards[i] == (positions[i].winner is not None)
            position = positions[i]
            assert (observations[i] == position.planes("pettingzoo")).all()
            assert terminated[i] == position.is_over
            assert np.flatnonzero(infos["action_mask"][i]).tolist() == list(position.legal_columns)
        assert not truncated.any()


@pytest.mark.parametrize("agent_first", [True, False, None])
def test_the_random_opponent_of_many_boards_plays_by_the_rules(agent_first: bool | None) -> None:
    games = ConnectFourVectorEnv(60, agent_first=agent_first)
    observations, infos = games.reset(seed=3)
    starts = observations.sum(axis=(1, 2, 3))
    assert set(starts.tolist()) == {True: {0}, False: {1}, None: {0, 1}}[agent_first]
    chance = np.random.default_rng(3)
    ends: set[float] = set()
    over = np.zeros(60, bool)
    positions = [Position()] * 60
    for _ in range(60):
        for i in np.flatnonzero(observations.sum(axis=(1, 2, 3)) <= 1):  # a new game
            column = np.flatnonzero(observations[i, 5].any(axis=1))
            positions[i] = Position.from_columns(column)
        actions = (chance.random((60, 7)) * infos["action_mask"]).argmax(axis=1)
        before = observations
        observations, rewards, terminated, _, infos = games.step(actions)
        for i in np.flatnonzero(~over):
            agent = positions[i].turn
            positions[i] = positions[i].play(actions[i])
            new = observations[i, ..., 1] != before[i, ..., 1]
            if not positions[i].is_over:
                (reply,) = np.flatnonzero(new.any(axis=0))
                positions[i] = positions[i].play(int(reply))
            planes = positions[i].planes("pettingzoo")
            shown = planes if positions[i].turn == agent else planes[..., ::-1]
            assert (observations[i] == shown).all()
            assert terminated[i] == positions[i].is_over
            assert rewards[i] == {None: 0, agent: 1, 3 - agent: -1}[positions[i].winner]
        ends |= set(rewards[terminated].tolist())
        assert (rewards[over] == 0).all()
        assert (observations[over].sum(axis=(1, 2, 3)) <= 1).all()
        over = terminated
    assert {1.0, -1.0} <= ends


def test_many_boards_are_the_same_for_the_same_seed_and_fit_their_spaces() -> None:
    runs = []
    for _ in range(2):
        games = gymnasium.make_vec("fourcast/ConnectFour-v0", num_envs=20)
        games.action_space.seed(1)
        observations, infos = games.reset(seed=7)
        seen = [observations]
        for _ in range(30):
            observations, rewards, terminated, truncated, infos = games.step(games.action_space.sample())
            assert games.observation_space.contains(observations)
            assert rewards.shape == terminated.shape == truncated.shape == (20,)
            seen.append(observations)
        runs.append(np.stack(seen))
        games.close()
    assert (runs[0] == runs[1]).all()
    assert infos["action_mask"].shape == (20, 7)


def test_an_illegal_action_loses_its_board_and_no_other() -> None:
    games = ConnectFourVectorEnv(3, opponent=None)
    games.reset(seed=1)
    observations, rewards, terminated, _, _ = games.step([7, -1, 3])
    assert rewards.tolist() == [-1, -1, 0]
    assert terminated.tolist() == [True, True, False]
    observations, rewards, terminated, _, _ = games.step(np.array([0, 0, 3], np.uint8))
    assert observations.sum(axis=(1, 2, 3)).tolist() == [0, 0, 2]
    assert not terminated.any()


def test_wrong_arrays_and_options_of_many_boards_are_refused() -> None:
    games = ConnectFourVectorEnv(3)
    games.reset(seed=1)
    with pytest.raises(TypeError, match="actions must be integers, not float64"):
        games.step([0.5, 1, 2])
    with pytest.raises(TypeError, match=r"actions must be an array of int64 of shape \(3,\)"):
        games.step([1, 2])
    with pytest.raises(UnknownPlayerError, match="no player is called 'nobody'"):
        ConnectFourVectorEnv(3, "nobody")
    with pytest.raises(OptionError, match="share one seed"):
        games.reset(seed=[1, 2, 3])
    batch = BoardBatch(2)
    masks = np.zeros((2, 7), np.int8)
    for wrong in (
        np.zeros((2, 6, 7, 2), np.uint8),
        np.zeros((3, 6, 7, 2), np.int8),
        np.zeros((2, 6, 7, 2), np.int8, order="F"),
        np.zeros((2, 6, 7, 4), np.int8)[..., ::2],
        np.broadcast_to(np.int8(0), (2, 6, 7, 2)),
    ):
        with pytest.raises(TypeError, match=r"observations must be an array of int8 of shape \(2, 6"):
            batch.reset(1, wrong, masks)


def test_observations_are_flat_floats_with_a_mask_if_asked_for() -> None:
    game = gymnasium.make("fourcast/ConnectFour-v0", flat=True, mask=True, agent_first=True)
    check_env(game.unwrapped, skip_render_check=True)
    observation, info = game.reset(seed=1)
    assert observation["observation"].shape == (84,)
    assert observation["observation"].dtype == np.float32
    assert (observation["action_mask"] == info["action_mask"]).all()
    plain = ConnectFourEnv(agent_first=True)
    plain.reset(seed=1)
    flat, planes = game.step(3)[0]["observation"], plain.step(3)[0]
    assert (flat.reshape(6, 7, 2) == planes).all()
    many = ConnectFourVectorEnv(5, flat=True, mask=True)
    observations, _ = many.reset(seed=1)
    assert observations["observation"].shape == (5, 84)
    assert many.observation_space.contains(observations)
    zoo = pettingzoo.env(flat=True)
    zoo.reset()
    assert zoo.observation_space("player_0").contains(zoo.last()[0])


def test_many_boards_may_have_any_player_as_opponent() -> None:
    games = ConnectFourVectorEnv(4, opponent="winning", agent_first=True)
    observations, infos = games.reset(seed=3)
    single = ConnectFourEnv("winning", agent_first=True)
    ended = 0
    for _ in range(60):
        actions = infos["action_mask"].argmax(axis=1)
        over_before = infos["action_mask"].sum(axis=1) == 0
        observations, rewards, terminations, _, infos = games.step(actions)
        assert games.observation_space.contains(observations)
        assert (rewards[over_before] == 0).all()
        assert (observations[over_before].sum(axis=(1, 2, 3)) == 0).all()
        assert (rewards[~terminations] == 0).all()
        ended += int(terminations.sum())
    assert ended > 4
    assert single.observation_space == games.single_observation_space
    again = [ConnectFourVectorEnv(3, opponent="level-1") for _ in range(2)]
    first, second = (each.reset(seed=9)[0] for each in again)
    assert (first == second).all()
    with pytest.raises(TypeError, match="actions must be an array of shape"):
        again[0].step(np.zeros(2, np.int64))
    for each in (games, *again):
        each.close()


def test_environments_are_registered_and_show_their_parameters() -> None:
    import pettingzoo as package

    game = package.make("aec", "fourcast/connect_four-v0", width=8, flat=True)
    game.reset()
    assert game.last()[0]["observation"].shape == (96,)
    assert {"width", "height", "flat", "solver", "illegal"} <= set(signature(pettingzoo.env).parameters)
    made = gymnasium.make("fourcast.adapters.gymnasium:fourcast/ConnectFour-v0", opponent="winning")
    assert isinstance(made.unwrapped, ConnectFourEnv)


@pytest.mark.slow
def test_many_boards_play_10_million_moves_a_second() -> None:
    """Of one processor's time, as the benchmark prints it, on both sides and against random play."""
    printed = subprocess.check_output([sys.executable, str(BENCHMARK)], text=True, timeout=300)
    rates = [int(rate.replace(",", "")) for rate in re.findall(r"([\d,]+) moves", printed)]
    assert len(rates) == 2, printed
    assert min(rates) > 10_000_000, printed


def test_an_environment_without_its_package_says_what_to_install() -> None:
    code = """
import sys
sys.modules["gymnasium"] = None
import fourcast
for name in ("gymnasium", "pettingzoo"):
    try:
        __import__(f"fourcast.adapters.{name}")
    except fourcast.MissingExtraError as error:
        assert "pip install gymnasium pettingzoo" in str(error)
    else:
        raise AssertionError
sys.modules["pyspiel"] = None
from fourcast.adapters.open_spiel import bot
try:
    bot("random")
except fourcast.MissingExtraError as error:
    assert "pip install open_spiel" in str(error)
else:
    raise AssertionError
"""
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)


# ---- Other rules -------------------------------------------------------------------------------------

OTHER_RULES = [Rules(5), Rules(wrap=True), Rules(3, misere=True), Rules(pop=True)]


@pytest.mark.parametrize("rules", OTHER_RULES, ids=str)
def test_environments_by_other_rules_pass_the_tests_of_their_packages(rules: Rules) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        api_test(pettingzoo.env(width=6, height=5, rules=rules), num_cycles=100)
        check_env(ConnectFourEnv(width=6, height=5, rules=rules), skip_render_check=True)


@pytest.mark.parametrize("rules", OTHER_RULES, ids=str)
def test_rewards_by_other_rules_are_those_of_the_winner(rules: Rules) -> None:
    chance = Random(8)
    for _ in range(5):
        game = pettingzoo.raw_env(width=5, height=4 if rules.connect < 5 else 5, rules=rules)
        game.reset()
        while not any(game.terminations.values()):
            mask = game.observe(game.agent_selection)["action_mask"]
            assert list(np.flatnonzero(mask)) == list(game.position.legal_columns)
            game.step(int(chance.choice(np.flatnonzero(mask))))
        winner = game.position.winner
        rewards = [game.rewards["player_0"], game.rewards["player_1"]]
        assert rewards == {1: [1, -1], 2: [-1, 1], None: [0, 0]}[winner]


def test_a_position_that_comes_again_ends_an_environment_of_popout() -> None:
    game = pettingzoo.raw_env(rules=Rules(pop=True))
    game.reset()
    for action in (3, 3, 10, 10):
        assert not any(game.terminations.values())
        game.step(action)
    assert all(game.terminations.values())
    assert set(game.rewards.values()) == {0}
    with pytest.raises(OptionError, match="PopOut have no scores"):
        pettingzoo.env(rules=Rules(pop=True), solver=Solver())
