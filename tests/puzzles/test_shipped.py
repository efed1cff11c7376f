"""The puzzles that come with fourcast, each solved again."""

from __future__ import annotations

import random
from collections import Counter
from datetime import date, datetime, timedelta, timezone
from functools import cache
from itertools import islice

import pytest

from fourcast import Game, Position, Solver
from fourcast.errors import OptionError
from fourcast.puzzles import THEMES, Puzzle, daily, find, load, mistakes_of, pick, sizes, storm
from fourcast.puzzles.collection import daily_record
from fourcast.puzzles.history import Answered
from fourcast.puzzles.maker import is_trivial
from fourcast.puzzles.rules import best_reply, keeping_columns
from fourcast.render.said import said_text

SAMPLE = 25


@cache
def all_puzzles() -> tuple[Puzzle, ...]:
    return load()


def verify(puzzle: Puzzle, solver: Solver) -> None:
    """Hold a puzzle to what it promises, with the solver alone."""
    position = puzzle.position
    assert not is_trivial(position)
    assert puzzle.rating >= 100
    assert puzzle.error > 0
    if puzzle.goal == "break":
        verify_break(puzzle, solver)
        return
    if puzzle.goal == "win":
        assert len(keeping_columns(solver.analyze(position))) < len(position.legal_columns)
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


def verify_break(puzzle: Puzzle, solver: Solver) -> None:
    """One column beats an opponent who follows the plan, no other does, and best play does not lose."""
    assert solver.solve(puzzle.position).outcome != "win"
    first = [column for column in puzzle.position.legal_columns if beats_plan(puzzle.position, column)]
    assert first == [puzzle.solution[0]]
    position = puzzle.position
    for mine, reply in zip(puzzle.solution[::2], [*puzzle.solution[1::2], None], strict=True):
        position = position.play(mine)
        assert reply == (None if position.is_over else planned(position, mine))
        position = position if reply is None else position.play(reply)
    assert position.winner == puzzle.player


def planned(position: Position, below: int) -> int:
    """The plan, told a second time: complete a four, else block one, else play on top."""
    for player in (position.turn, 3 - position.turn):
        if columns := position.winning_columns(player):
            return columns[0]
    return below if position.can_play(below) else _nearest(position)


def _nearest(position: Position) -> int:
    return next(column for column in position.columns_from_center if position.can_play(column))


def beats_plan(position: Position, column: int) -> bool:
    after = position.play(column)
    if after.is_over:
        return after.winner == position.turn
    answered = after.play(planned(after, column))
    if answered.is_over:
        return False
    return any(beats_plan(answered, each) for each in answered.legal_columns)


def test_plans_with_a_hole_have_exactly_one() -> None:
    solver = Solver()
    breaks = [each for each in load(theme="break the plan") if each.position.ply >= 26]
    assert len(breaks) >= 20
    for puzzle in random.Random(2).sample(breaks, 15):
        verify(puzzle, solver)


def test_no_rating_is_shared_by_many_and_few_puzzles_have_no_theme() -> None:
    puzzles = all_puzzles()
    ((_, most),) = Counter(puzzle.rating for puzzle in puzzles).most_common(1)
    assert most < len(puzzles) / 50
    themes = Counter(theme for puzzle in puzzles for theme in puzzle.themes)
    assert themes["quiet move"] < len(puzzles) / 5
    assert sum(not puzzle.themes for puzzle in puzzles) < len(puzzles) / 20


def test_the_puzzles_of_a_week_get_harder_and_none_is_of_one_move() -> None:
    monday = date(2026, 11, 16)
    weeks = [[daily(monday + timedelta(days=7 * week + day)) for day in range(7)] for week in range(9)]
    for week in weeks:
        ratings = [puzzle.rating for puzzle in week]
        assert ratings == sorted(ratings)
        assert all(puzzle.moves_to_find > 1 for puzzle in week)
    assert max(week[0].rating for week in weeks) < 500 < 800 < min(week[6].rating for week in weeks)


def test_days_in_a_row_are_counted_and_shared() -> None:
    today = date(2026, 11, 18)

    def answered(ago: int, *, solved: bool = True, hints: int = 0) -> Answered:
        day = today - timedelta(days=ago)
        when = datetime(day.year, day.month, day.day, 12, tzinfo=timezone.utc)
        return Answered(when, daily(day), solved, hints)

    assert daily_record([], today) == {"solved": None, "streak": 0, "share": None}
    three = [answered(3, solved=False), answered(2), answered(1)]
    assert daily_record(three, today)["streak"] == 2  # today's may still come
    record = daily_record([*three, answered(0)], today)
    assert (record["solved"], record["streak"]) == (True, 3)
    rating = daily(today).rating
    assert said_text(record["share"]) == (
        f"fourcast puzzle of 2026-11-18, rating {rating}: solved. 3 days in a row."
    )
    failed = daily_record([*three, answered(0, hints=1)], today)
    assert (failed["solved"], failed["streak"]) == (False, 0)
    late = [answered(1), *three[:2]]
    assert daily_record([each for each in late if each != three[1]], today)["streak"] == 1


def test_a_storm_gets_harder_and_repeats_nothing() -> None:
    puzzles = list(islice(storm(random.Random(3)), 40))
    assert len({puzzle.id for puzzle in puzzles}) == 40
    assert all(puzzle.goal == "win" and puzzle.moves_to_find <= 3 for puzzle in puzzles)
    assert puzzles[0].rating < 300 < 500 < puzzles[-1].rating


def test_a_puzzle_of_an_earlier_version_is_found_and_not_asked() -> None:
    old = find("e4emdrdf")
    assert old.id == "e4emdrdf"
    every_column_wins = find("ggtucrpe")
    assert every_column_wins not in all_puzzles()


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
    puzzles = all_puzzles()
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
