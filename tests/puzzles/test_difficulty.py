"""How hard puzzles are."""

from __future__ import annotations

import math
import random
from collections import Counter

import pytest

from fourcast import Position, player
from fourcast.players.level_player import LEVELS
from fourcast.puzzles import load
from fourcast.puzzles.difficulty import (
    ATTEMPTS,
    ATTEMPTS_AT_HARD,
    LEVELS_FOR_HARD,
    Sight,
    TryingLevel,
    expected_rating,
    fit_rating,
    try_levels,
)
from fourcast.puzzles.maker import Maker, is_trivial
from fourcast.puzzles.puzzle_file import parse_puzzle


@pytest.mark.parametrize("level", [1, 3, 5, 8])
def test_a_level_that_tries_puzzles_plays_as_the_player_of_that_name(level: int) -> None:
    sight = Sight()
    for position in (Position(), Position("2523432237443373")):
        for seed in range(5):
            trier = TryingLevel(LEVELS[level - 1][1], sight, seed)
            assert trier.choose(position) == player(f"level-{level}", seed=seed).choose(position)


def test_the_rating_is_where_half_of_the_attempts_succeed() -> None:
    ratings = [fit_rating([(600, solved, 20)]).rating for solved in (2, 10, 18)]
    assert ratings[1] == 600
    assert ratings[0] > 850 > 350 > ratings[2]


def test_a_puzzle_that_everybody_or_nobody_solves_has_a_rating_and_a_wide_error() -> None:
    levels = range(100, 1100, 100)
    easy = fit_rating((elo, 8, 8) for elo in levels)
    hard = fit_rating((elo, 0, 8) for elo in levels)
    middle = fit_rating((elo, 4, 8) for elo in levels)
    assert easy.rating < 0 < 1200 < hard.rating
    assert min(easy.error, hard.error) > 1.5 * middle.error


def test_puzzles_that_the_levels_cannot_tell_apart_are_told_apart_by_how_they_look() -> None:
    """Once more than a thousand puzzles that levels 8 to 10 solve, and no other, had one rating."""
    levels = [(elo, 8 if elo > 900 else 0, 8) for elo in range(100, 1200, 100)]
    ratings = {fit_rating(levels, expected).rating for expected in range(300, 1200, 60)}
    assert len(ratings) > 10
    assert max(ratings) - min(ratings) < 100  # what the levels say counts for more
    late, early = Position("2523432237443373"), Position("25234322")
    assert expected_rating(early, "win", 3) > expected_rating(late, "win", 3)
    assert expected_rating(late, "keep win", 4) > expected_rating(late, "keep win", 3)


def test_the_same_puzzle_has_the_same_difficulty() -> None:
    puzzle = parse_puzzle("54425475571475244757271 kp 2 1 268 112 uk")
    rated = Maker().rated(puzzle, after_mistake=False)
    assert rated == Maker().rated(puzzle, after_mistake=False)
    assert abs(rated.rating - puzzle.rating) < 1  # as in the shipped file


@pytest.mark.slow
def test_ratings_are_repeated_by_other_attempts_within_their_errors() -> None:
    """The errors are 95% intervals, and the difference of two ratings has the error of both."""
    maker = Maker()
    late = [puzzle for puzzle in load() if puzzle.position.ply >= 16]
    sample = random.Random(5).sample(late, 40)
    within = 0
    for puzzle in sample:
        again = maker.rated(puzzle, after_mistake=False, seed=5)
        within += abs(again.rating - puzzle.rating) <= math.hypot(again.error, puzzle.error)
    assert within >= 0.9 * len(sample)


@pytest.mark.parametrize(
    ("moves", "trivial"),
    [
        ("445566", True),  # wins at once
        ("4455", False),
        ("44556", True),  # has to block
        ("47534521", False),
    ],
)
def test_trivial_positions_are_told(moves: str, trivial: bool) -> None:
    assert is_trivial(Position(moves)) is trivial


def test_a_hard_puzzle_is_tried_more_often_by_the_levels_that_may_solve_it() -> None:
    position = Position("2523432237443373")
    nobody = try_levels(position, lambda _: ((), {}))
    often = Counter(dict.fromkeys(LEVELS_FOR_HARD, ATTEMPTS_AT_HARD))
    assert nobody.made == Counter(dict.fromkeys(range(1, 8), ATTEMPTS)) + often
    assert nobody.solved.total() == 0
    assert nobody.wrong.total() == nobody.made.total()
    everybody = try_levels(position, lambda _: (tuple(range(7)), dict.fromkeys(range(7))))
    assert everybody.made == everybody.solved == Counter(dict.fromkeys(range(1, 11), ATTEMPTS))
