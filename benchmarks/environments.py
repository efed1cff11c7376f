"""Environments for agents that learn: steps per second of fourcast's and of PettingZoo's own.

python benchmarks/environments.py [--full] [--seed N]

PettingZoo's `classic/connect_four-v3` and ours play the same random games, turn and turn about; and
Gymnasium's vector environment plays thousands of boards in one call, with new observations, masks and
rewards at each step. All by the time of one processor, the best of some rounds; `--full` takes more.
"""

from __future__ import annotations

import argparse
import sys
import time
import types
from random import Random
from typing import Any

import numpy as np
from positions import random_game
from solver import machine

from fourcast import __version__
from fourcast.adapters import pettingzoo
from fourcast.adapters.gymnasium import ConnectFourVectorEnv

PETTINGZOO_GOAL = 2.0  # times the steps of PettingZoo's own
VECTOR_GOAL = 10e6  # moves a second
BOARDS = 4096
STEPS = 640


def random_games(count: int, seed: int) -> list[list[int]]:
    """Return the columns of random games, each to its end."""
    chance = Random(seed)
    return [random_game(chance)[0] for _ in range(count)]


def classic_env() -> Any:
    """Return PettingZoo's own environment, without pygame, which it needs to draw only."""
    sys.modules.setdefault("pygame", types.ModuleType("pygame"))
    from pettingzoo import make

    return make("aec", "classic/connect_four-v3")


def pettingzoo_rate(env: Any, games: list[list[int]]) -> float:
    """Return the steps per second of processor time, with an observation at each."""
    steps = 0
    start = time.process_time()
    for played in games:
        columns = iter(played)
        env.reset()
        for _ in env.agent_iter():
            is_over = env.last()[2]
            env.step(None if is_over else next(columns))
            steps += 1
    return steps / (time.process_time() - start)


def vector_rate(opponent: str | None, seed: int) -> float:
    """Return the moves per second of processor time of an agent that plays any column."""
    env = ConnectFourVectorEnv(BOARDS, opponent=opponent)
    env.reset(seed=seed)
    chance = np.random.default_rng(seed)
    actions = [chance.integers(0, 7, BOARDS) for _ in range(64)]
    start = time.process_time()
    for step in range(STEPS):
        env.step(actions[step % len(actions)])
    return STEPS * BOARDS / (time.process_time() - start)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--full", action="store_true", help="more rounds")
    parser.add_argument("--seed", type=int, default=1, help="of the games")
    arguments = parser.parse_args()
    rounds = 10 if arguments.full else 3
    print(f"Environments on 7x6: fourcast {__version__}, for each second of one processor")
    print(f"  {machine()}")
    print(f"  repeat with: python benchmarks/environments.py {' '.join(sys.argv[1:])}\n")
    games = random_games(200, arguments.seed)
    envs = (classic_env(), pettingzoo.env())
    by_round = [[pettingzoo_rate(env, games) for env in envs] for _ in range(rounds)]
    theirs, ours = map(max, zip(*by_round, strict=True))
    print(f"  {'PettingZoo, its classic/connect_four-v3':<43}{theirs:>12,.0f} steps")
    times = f"{ours / theirs:.1f} times (goal {PETTINGZOO_GOAL:g})"
    print(f"  {'PettingZoo, ours':<43}{ours:>12,.0f} steps, {times}", flush=True)
    for words, opponent in (("both sides", None), ("against random play", "random")):
        rate = max(vector_rate(opponent, arguments.seed) for _ in range(rounds))
        name = f"Gymnasium, {BOARDS:,} boards, {words}"
        print(f"  {name:<43}{rate:>12,.0f} moves (goal {VECTOR_GOAL:,.0f})", flush=True)


if __name__ == "__main__":
    main()
