"""Random games on 7x6: moves per second of fourcast, and of open_spiel's Python loop if it is there.

python benchmarks/playouts.py [--full]
"""

from __future__ import annotations

import argparse
import os
import random
import time
from collections.abc import Callable

from fourcast import Position, playouts

GOAL = 20


def moves_per_second(play: Callable[[int], int], least_s: float) -> float:
    """Call *play* with growing numbers of games until it takes long enough to be measured."""
    games = 16
    while True:
        start = time.perf_counter()
        moves = play(games)
        elapsed_s = time.perf_counter() - start
        if elapsed_s >= least_s:
            return moves / elapsed_s
        games *= 2


def fourcast_loop(games: int) -> int:
    """The same loop as open_spiel's, in Python: one call for each move."""
    chance = random.Random(1)
    moves = 0
    for _ in range(games):
        position = Position()
        while not position.is_over:
            position = position.play(chance.choice(position.legal_columns))
        moves += position.ply
    return moves


def open_spiel_loop() -> Callable[[int], int] | None:
    try:
        import pyspiel
    except ImportError:
        return None
    game = pyspiel.load_game("connect_four")

    def play(games: int) -> int:
        chance = random.Random(1)
        moves = 0
        for _ in range(games):
            state = game.new_initial_state()
            while not state.is_terminal():
                state.apply_action(chance.choice(state.legal_actions()))
                moves += 1
        return moves

    return play


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--full", action="store_true", help="measure for longer")
    least_s = 5.0 if parser.parse_args().full else 0.5

    def show(name: str, speed: float) -> None:
        print(f"  {name:<36}{speed / 1e6:>10.2f} million moves/s")

    print("Random games on 7x6")
    ours = moves_per_second(lambda games: playouts(Position(), games).moves, least_s)
    show("fourcast.playouts, 1 thread", ours)
    threads = os.cpu_count() or 1
    many = moves_per_second(lambda games: playouts(Position(), games, threads=threads).moves, least_s)
    show(f"fourcast.playouts, {threads} threads", many)
    show("fourcast, a loop in Python", moves_per_second(fourcast_loop, least_s))
    peer = open_spiel_loop()
    if peer is None:
        print("  open_spiel is not installed: pip install open_spiel to compare")
        return
    theirs = moves_per_second(peer, least_s)
    show("open_spiel, a loop in Python", theirs)
    print(f"  fourcast.playouts on 1 thread is {ours / theirs:.0f} times as fast (goal: {GOAL})")


if __name__ == "__main__":
    main()
