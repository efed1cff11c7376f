"""Spaced repetition, with the clock moved by months."""

from __future__ import annotations

import random
from datetime import datetime, timedelta, timezone
from pathlib import Path

import pytest

from fourcast.puzzles.cards import INTERVALS, Card, cards, due_cards, question_of, theme_records
from fourcast.puzzles.history import Answered, History
from fourcast.puzzles.puzzle_file import parse_puzzle

PUZZLE = parse_puzzle("4753452525545241 w4 133 6 432 105 s")
OTHER = parse_puzzle("3156724137125226 w4 343 5 364 108 d")
START = datetime(2026, 11, 16, 12, tzinfo=timezone.utc)
DAY = timedelta(days=1)


def answer(day: float, *, solved: bool, hints: int = 0, card: str | None = None) -> Answered:
    return Answered(START + day * DAY, PUZZLE, solved, hints, card)


def test_what_is_solved_at_once_is_never_asked_again() -> None:
    assert cards([answer(0, solved=True)]) == {}


@pytest.mark.parametrize("first", [answer(0, solved=False), answer(0, solved=True, hints=1)])
def test_what_is_not_solved_without_help_comes_back_the_next_day(first: Answered) -> None:
    assert due_cards([first], START + 0.9 * DAY) == []
    assert [card.puzzle for card in due_cards([first], START + DAY)] == [PUZZLE]


def test_a_card_that_is_solved_rests_longer_each_time_until_it_is_known() -> None:
    history = [answer(0, solved=False)]
    rests = []
    while due := due_cards(history, START + 1000 * DAY):
        when = due[0].due
        history.append(Answered(when, PUZZLE, solved=True))
        rests.append(cards(history)[PUZZLE.id].due - when)
    assert rests == [*INTERVALS[1:], INTERVALS[-1]]
    assert cards(history)[PUZZLE.id].is_known


def test_a_card_that_is_not_solved_goes_back_to_the_first_box() -> None:
    history = [answer(0, solved=False), answer(1, solved=True), answer(4, solved=False)]
    card = cards(history)[PUZZLE.id]
    assert (card.box, card.due) == (0, START + 5 * DAY)


def test_solving_a_card_before_it_is_due_changes_nothing() -> None:
    history = [answer(0, solved=False), answer(0.1, solved=True)]
    assert cards(history) == cards(history[:1])


def test_after_two_passes_another_puzzle_of_the_theme_is_asked_and_counts_for_the_card() -> None:
    chance = random.Random(1)
    first = [question_of(Card(PUZZLE, START, box=1), chance) for _ in range(8)]
    assert {puzzle.id for puzzle in first} == {PUZZLE.id}
    assert {PUZZLE, PUZZLE.mirrored()} == set(first)
    later = question_of(Card(PUZZLE, START, box=2), chance)
    assert later.id != PUZZLE.id
    assert PUZZLE.themes[0] in later.themes
    history = [answer(0, solved=False), Answered(START + DAY, OTHER, True, 0, PUZZLE.id)]
    assert cards(history)[PUZZLE.id].box == 1
    assert OTHER.id not in cards(history)


def test_the_weakest_theme_comes_first_once_there_is_something_to_tell() -> None:
    bad = [Answered(START, PUZZLE, solved=False)] * 3
    good = [Answered(START, OTHER, solved=True)] * 3
    assert [record.theme for record in theme_records(good + bad)] == ["stacked threats", "double threat"]
    assert theme_records(bad[:2]) == []


def test_histories_are_merged_and_nothing_comes_twice(tmp_path: Path) -> None:
    one, two = History(tmp_path / "one.jsonl"), History(tmp_path / "two.jsonl")
    one.add(PUZZLE, solved=False, when=START)
    two.add(PUZZLE, solved=False, when=START)
    two.add(OTHER, solved=True, when=START - DAY)
    assert one.merge(two.path) == 1
    assert one.merge(two.path) == 0
    assert one.answered == History(one.path).answered
    assert [each.puzzle for each in History(one.path).answered] == [OTHER, PUZZLE]
