"""Random games."""

from __future__ import annotations

import os
import random
import signal
import threading
import time
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fourcast import Playouts, Position, playouts
from tests.model import Model
from tests.strategies import positions


def test_the_results_add_up() -> None:
    result = playouts(Position(), 1000, seed=1)
    assert result.games == result.first_wins + result.second_wins + result.draws == 1000
    assert 7 * 1000 <= result.moves <= 42 * 1000


@given(positions(), st.integers(0, 300), st.integers(0, 2**63 - 1), st.integers(2, 4))
@settings(max_examples=30)
def test_the_seed_decides_and_the_threads_do_not(
    position: Position, n: int, seed: int, threads: int
) -> None:
    alone = playouts(position, n, seed)
    assert playouts(position, n, seed, threads=threads) == alone
    assert hash(playouts(position, n, seed)) == hash(alone)


def test_another_seed_gives_other_games() -> None:
    assert len({playouts(Position(), 500, seed) for seed in range(20)}) == 20


def test_more_games_begin_with_the_same_ones() -> None:
    """Each game has a stream of its own, so 101 games are 100 and one more."""
    fewer, more = playouts(Position(), 100, seed=5), playouts(Position(), 101, seed=5)
    assert 7 <= more.moves - fewer.moves <= 42


def test_every_open_column_is_equally_likely() -> None:
    """One of seven moves wins at once, and a seventh of the games is over after one move."""
    one_move_from_a_win = Position("121212")
    short = sum(playouts(one_move_from_a_win, 1, seed).moves == 1 for seed in range(7000))
    assert short / 7000 == pytest.approx(1 / 7, abs=0.015)


def test_the_games_end_as_random_games_of_the_plain_model_do() -> None:
    """On a board so small that many games are drawn."""
    chance = random.Random(1)
    ends = Counter[int | None]()
    for _ in range(2000):
        model = Model(4, 4)
        while not model.is_over:
            model.play(chance.choice(model.legal_columns))
        ends[model.winner] += 1
    result = playouts(Position(width=4, height=4), 100_000)
    for player, count in [(1, result.first_wins), (2, result.second_wins), (None, result.draws)]:
        assert count / result.games == pytest.approx(ends[player] / 2000, abs=0.04)


def test_a_finished_game_ends_as_it_has_ended() -> None:
    assert playouts(Position("1212121"), 10) == playouts(Position("1212121"), 10, seed=3, threads=2)
    assert playouts(Position("1212121"), 10).first_wins == 10
    assert playouts(Position("1212121"), 10).moves == 0
    assert playouts(Position(), 0).games == 0


def test_the_result_shows_itself() -> None:
    result = playouts(Position("1212121"), 3)
    assert repr(result) == "Playouts(first_wins=3, second_wins=0, draws=0, moves=0)"
    assert isinstance(result, Playouts)
    assert result != 3


def test_other_threads_run_meanwhile() -> None:
    thread = threading.Thread(target=playouts, args=(Position(), 300_000))
    thread.start()
    turns = 0
    while thread.is_alive():
        turns += 1
        time.sleep(0.001)
    thread.join()
    assert turns > 5


@pytest.mark.skipif(os.name == "nt", reason="signals are sent in another way there")
@pytest.mark.parametrize("threads", [1, 3])
def test_ctrl_c_ends_the_games(threads: int) -> None:
    timer = threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    start = time.perf_counter()
    with pytest.raises(KeyboardInterrupt):
        playouts(Position(), 10**12, threads=threads)
    assert time.perf_counter() - start < 5


def test_they_are_fast() -> None:
    """Far below what it takes on any machine, so that only a real loss of speed is noticed."""
    start = time.perf_counter()
    result = playouts(Position(), 100_000)
    assert result.moves / (time.perf_counter() - start) > 5_000_000
