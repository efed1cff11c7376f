from __future__ import annotations

import random

import pytest

import fourcast
from fourcast import Game, Limit, Position, Solver
from fourcast.study.review import MoveReview, Verdict, decisive_mistake, review


def random_game(seed: int, width: int = 4, height: int = 4) -> Game:
    game, chance = Game(width=width, height=height), random.Random(seed)
    while not game.is_over:
        game.play(chance.choice(tuple(game.position.legal_columns)))
    return game


@pytest.mark.parametrize("seed", range(20))
def test_every_move_is_judged_as_the_analysis_of_its_position_says(seed: int) -> None:
    """An independent way to the same numbers: all columns of the position, the played one among them."""
    game, solver = random_game(seed), Solver()
    report = review(game, solver=solver)
    assert report.complete
    for move, position in zip(report.moves, game.positions(), strict=False):
        scores = {line.column: line.score for line in solver.analyze(position, variations=False)}
        best = max(score for score in scores.values() if score is not None)
        assert move.score_before == best
        assert move.score_after == scores[move.column]
        assert set(move.best_columns) == {column for column, score in scores.items() if score == best}
        assert move.loss == best - (scores[move.column] or 0)


@pytest.mark.parametrize("seed", range(20))
def test_the_decisive_mistake_is_the_last_after_which_nothing_changed(seed: int) -> None:
    game = random_game(seed, 5, 4)
    report = review(game)
    assert decisive_mistake(game) == report.decisive
    if report.decisive is None:
        assert report.mistakes == ()
        return
    assert report.decisive is report.mistakes[-1]
    winner = game.result.winner if game.result else None
    if winner:
        assert report.decisive.player == 3 - winner


@pytest.mark.parametrize(
    ("before", "after", "verdict"),
    [
        (5, 5, Verdict.BEST),
        (5, 4, Verdict.GOOD),
        (5, 2, Verdict.INACCURACY),
        (5, 0, Verdict.MISTAKE),
        (0, -1, Verdict.MISTAKE),
        (1, -1, Verdict.BLUNDER),
        (-3, -9, Verdict.INACCURACY),
        (None, 3, None),
        (3, None, None),
    ],
)
def test_verdicts(before: int | None, after: int | None, verdict: Verdict | None) -> None:
    assert MoveReview(1, 1, 0, (), before, after, Position()).verdict is verdict


def test_what_is_not_found_in_time_is_left_open() -> None:
    report = review(Game("4444"), limit=Limit(nodes=10))
    assert not report.complete
    assert report.decisive is None
    assert [move.verdict for move in report.moves] == [None] * 4


def test_a_game_without_moves_has_nothing_to_judge() -> None:
    assert fourcast.review(Game(), limit=Limit(nodes=10)).moves == ()


def test_an_unfinished_game_is_judged_up_to_where_it_is() -> None:
    report = review(Game("12131", width=4, height=4))
    assert [move.number for move in report.moves] == [1, 2, 3, 4, 5]
    assert report.complete
