"""The puzzles that come with fourcast, each solved again."""

from __future__ import annotations

import random
from collections import Counter
from datetime import date, timedelta

import pytest

from fourcast import Game, Solver
from fourcast.errors import OptionError
from fourcast.puzzles import THEMES, Puzzle, daily, find, load, mistakes_of, pick, sizes
from fourcast.puzzles.maker import is_trivial
from fourcast.puzzles.rules import best_reply, keeping_columns

SAMPLE = 25


def verify(puzzle: Puzzle, solver: Solver) -> None:
    """Hold a puzzle to what it promises, with the solver alone."""
    position = puzzle.position
    assert not is_trivial(position)
    assert puzzle.rating >= 100
    assert puzzle.error > 0
    for number, column in enumerate(puzzle.solution):
        analysis = solver.analyze(position, variations=False)
        if number % 2:
            assert column == best_reply(position, puzzle.goal, solver)
        elif puzzle.goal == "win":
            assert column in (analysis.best_columns or ())
            assert number or len(analysis.best_columns or ()) == 1
            assert analysis.moves_to_end == puzzle.moves_to_find - number // 2
        else:
            assert analysis.outcome == puzzle.goal.removeprefix("keep ")
            assert keeping_columns(analysis) == (column,)
        position = position.play(column)
    assert (puzzle.ending == "four") == (position.winner == puzzle.player)
    assert puzzle.goal != "win" or puzzle.ending == "four"


@pytest.mark.parametrize("size", sizes(), ids=str)
def test_puzzles_of_a_sample_have_the_only_solution_that_they_say(size: tuple[int, int]) -> None:
    solver = Solver(table_mb=32)
    late = [puzzle for puzzle in load(width=size[0], height=size[1]) if _is_quick(puzzle)]
    for puzzle in random.Random(1).sample(late, min(SAMPLE, len(late))):
        verify(puzzle, solver)


def _is_quick(puzzle: Puzzle) -> bool:
    return puzzle.width * puzzle.height - puzzle.position.ply <= 26


@pytest.mark.slow
def test_no_two_puzzles_share_their_name() -> None:
    for width, height in sizes():
        puzzles = load(width=width, height=height)
        assert len({puzzle.id for puzzle in puzzles}) == len(puzzles)


@pytest.mark.slow
@pytest.mark.parametrize("size", sizes(), ids=str)
def test_every_puzzle_has_the_only_solution_that_it_says(size: tuple[int, int]) -> None:
    solver = Solver(table_mb=256)
    for puzzle in load(width=size[0], height=size[1]):
        verify(puzzle, solver)


def test_no_two_puzzles_are_equal_or_mirror_images() -> None:
    for width, height in sizes():
        puzzles = load(width=width, height=height)
        assert len({puzzle.position.canonical_key for puzzle in puzzles}) == len(puzzles)


def test_there_are_puzzles_of_every_theme_and_of_all_strengths() -> None:
    puzzles = load()
    assert {theme for puzzle in puzzles for theme in puzzle.themes} == set(THEMES)
    hundreds = Counter(puzzle.rating // 100 for puzzle in puzzles)
    assert all(hundreds[hundred] for hundred in range(1, 17))
    assert load(lowest=1500) == tuple(puzzle for puzzle in puzzles if puzzle.rating >= 1500)


def test_the_puzzle_of_the_day_is_one_for_everybody_and_another_one_tomorrow() -> None:
    first = date(2026, 11, 16)
    days = [daily(first + timedelta(days=day)) for day in range(60)]
    assert len(set(days)) == 60
    assert daily(first) == days[0]


def test_a_puzzle_is_found_by_its_name() -> None:
    puzzle = load(theme="opening trap")[0]
    assert find(puzzle.id) == puzzle
    with pytest.raises(OptionError, match="no puzzle 'nonsense'"):
        find("nonsense")


def test_an_unknown_theme_or_size_is_refused_with_what_there_is() -> None:
    with pytest.raises(OptionError, match="did you mean 'zugzwang'"):
        load(theme="zugzwank")
    with pytest.raises(OptionError, match="7x6"):
        load(width=9, height=9)


def test_puzzles_are_picked_near_a_rating_and_not_twice() -> None:
    chance = random.Random(1)
    first = pick(600, chance, theme="quiet move")
    assert "quiet move" in first.themes
    only = load(theme="opening trap", lowest=1200)
    tried = frozenset(puzzle.id for puzzle in load(theme="opening trap") if puzzle != only[0])
    assert pick(600, chance, theme="opening trap", without=tried) == only[0]


def test_each_mistake_of_a_game_becomes_an_exercise() -> None:
    game = Game("44444276253")
    solver = Solver()
    exercises = mistakes_of(game, solver=solver)
    assert exercises
    for exercise in exercises:
        assert exercise.tempting is not None
        assert exercise.start().try_move(exercise.tempting, solver).state == "failed"
        assert exercise.start().try_move(exercise.solution[0], solver).state == "solved"
    mine = [each for each in exercises if each.player == 1]
    assert mistakes_of(game, player=1, solver=solver) == mine
