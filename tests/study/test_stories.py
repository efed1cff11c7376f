"""Stories of reviews are short, and every sentence of them is true."""

from __future__ import annotations

import random

import pytest

from fourcast import Game, Position
from fourcast.render.catalogue import catalogue, speaking
from fourcast.render.review import mistake_texts, story_text
from fourcast.study.review import REASONS_S, review
from tests.study.level_games import LevelGame, level_game
from tests.study.story_predicates import PREDICATES, story_failures

NAMES = ("Red", "Yellow")


def random_game(seed: int, start: Position) -> Game:
    game, chance = Game(start=start), random.Random(seed)
    while not game.is_over:
        game.play(chance.choice(game.position.legal_columns))
    return game


def check_story(played: LevelGame) -> None:
    assert story_failures(played.game, played.report) == []
    for language in ("en", "de"):
        with speaking(language):
            assert len(story_text(played.report, NAMES).split()) <= 150
            for text in mistake_texts(played.report, NAMES).values():
                assert "{" not in text


@pytest.mark.parametrize("seed", range(10))
def test_stories_of_fresh_games_are_true_and_short(seed: int) -> None:
    check_story(level_game(random.Random(seed), reasons_s=REASONS_S))


@pytest.mark.slow
def test_stories_of_many_games_are_true_and_short() -> None:
    for seed in range(2000, 2200):
        check_story(level_game(random.Random(seed), reasons_s=REASONS_S))


@pytest.mark.parametrize("seed", range(20))
def test_stories_of_random_games_on_small_boards_are_true(seed: int) -> None:
    for start in (Position(width=4, height=4), Position("12", width=5, height=4)):
        game = random_game(seed, start)
        assert story_failures(game, review(game)) == []


def test_a_block_that_loses_at_once_is_not_missed() -> None:
    """Red has two threats, and it does not matter which of them Yellow leaves."""
    report = review(Game("4455617"))
    assert [move["number"] for move in report.judged["moves"] if move["oversight"]] == []


def test_every_pattern_of_a_story_has_a_predicate() -> None:
    parts = ("review_story_", "review_turn_", "review_end_", "review_lesson_")
    patterns = {name for name in catalogue() if name.startswith(parts)}
    assert patterns <= set(PREDICATES)
