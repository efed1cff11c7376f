"""The player `perfect` plays best moves, and only those."""

from __future__ import annotations

import time

import pytest

from fourcast import FinishedGameError, Position, Solver, player
from fourcast.players.perfect_player import PerfectPlayer
from tests.core.test_solver import random_positions

LATE = Position("7422341735647741166133573473242566")  # columns 1 and 5, 0-based, are best


@pytest.mark.parametrize("ties", ["testing", "first", "center", "random"])
def test_it_keeps_the_score(ties: str) -> None:
    solver = Solver(book=False)
    chooser = player("perfect", seed=1, ties=ties, solver=solver)
    for position in random_positions(60, range(2, 22), seed=6):
        assert chooser.choose(position) in (solver.solve(position).best_columns or ())


def test_a_win_at_once_is_played() -> None:
    for position in random_positions(300, range(2, 30), seed=7):
        if winning := position.winning_columns():
            assert player("perfect", seed=1).choose(position) in winning


def test_ties_are_broken_as_asked() -> None:
    assert player("perfect", ties="first").choose(LATE) == 1
    assert player("perfect", ties="center").choose(LATE) in (1, 5)
    chosen = {player("perfect", ties="random", seed=seed).choose(LATE) for seed in range(20)}
    assert chosen == {1, 5}


def test_testing_leaves_the_opponent_the_most_ways_to_go_wrong() -> None:
    solver = Solver(book=False)

    def ways(position: Position) -> tuple[int, int]:
        if position.is_over:
            return 0, 0
        scores = [line.score for line in solver.analyze(position) if line.score is not None]
        best = max(scores)
        signs = [(score > 0) - (score < 0) for score in scores]
        return sum(sign < max(signs) for sign in signs), sum(score < best for score in scores)

    for position in random_positions(40, range(4, 20), seed=8):
        best = solver.solve(position).best_columns or ()
        column = player("perfect", seed=3, solver=solver).choose(position)
        assert ways(position.play(column)) == max(ways(position.play(each)) for each in best)


def test_the_same_seed_gives_the_same_choices() -> None:
    positions = list(random_positions(30, range(2, 20), seed=9))

    def choices(seed: int) -> list[int]:
        chooser = player("perfect", seed=seed)
        return [chooser.choose(position) for position in positions]

    assert choices(1) == choices(1)


def test_it_draws_a_drawn_game_against_itself_and_never_loses_a_won_one() -> None:
    solver = Solver(book=False)
    for start in random_positions(10, range(12, 20), seed=10):
        expected, mover = solver.score(start), start.turn
        position, chooser = start, player("perfect", seed=1, solver=solver)
        while not position.is_over:
            position = position.play(chooser.choose(position))
        score = 0 if position.winner is None else (44 - position.ply) // 2
        assert expected == (score if position.winner == mover else -score)


@pytest.mark.parametrize("position", [Position("12"), Position(width=10, height=11)])
def test_a_time_limit_is_kept_and_the_move_is_an_open_column(position: Position) -> None:
    start = time.perf_counter()
    column = PerfectPlayer(time_s=0.1, solver=Solver(book=False)).choose(position)
    assert time.perf_counter() - start < 1
    assert position.can_play(column)


def test_what_is_proven_to_lose_is_not_played_when_time_is_short() -> None:
    position = Position("4445")  # second to move is threatened nowhere yet; whatever it plays is open
    assert position.can_play(PerfectPlayer(time_s=0.001).choose(position))
    forced = Position("12121")  # only column 0 does not lose at once
    assert PerfectPlayer(time_s=0.01, solver=Solver(book=False)).choose(forced) == 0


def test_wrong_options_and_finished_games_are_refused() -> None:
    with pytest.raises(ValueError, match="ties must be one of testing, first, center, random, not 'x'"):
        player("perfect", ties="x")
    with pytest.raises(ValueError, match="time_s"):
        player("perfect", time_s=0)
    with pytest.raises(FinishedGameError, match="the game is over"):
        player("perfect").choose(Position("1212121"))
