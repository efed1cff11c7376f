from __future__ import annotations

import pickle
import random
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from statistics import fmean

import pytest

import fourcast
from fourcast import Game, Limit, Position, Solver
from fourcast.study.review import (
    MoveReview,
    Review,
    Verdict,
    decisive_mistake,
    explain_mistakes,
    review,
)
from tests.study.level_games import LevelGame, level_game, rank_correlation


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
    report = review(Game("4444"), solver=Solver(book=False), limit=Limit(nodes=10))
    assert not report.complete
    assert report.decisive is None
    assert [move.verdict for move in report.moves] == [None] * 4


def test_a_game_without_moves_has_nothing_to_judge() -> None:
    assert fourcast.review(Game(), limit=Limit(nodes=10)).moves == ()


def test_an_unfinished_game_is_judged_up_to_where_it_is() -> None:
    report = review(Game("12131", width=4, height=4))
    assert [move.number for move in report.moves] == [1, 2, 3, 4, 5]
    assert report.complete


# Accuracy


def test_only_best_moves_are_an_accuracy_of_100_percent() -> None:
    game, solver = Game(width=4, height=4), Solver()
    while not game.is_over:
        game.play(next(iter(solver.solve(game.position).best_columns or ())))
    report = review(game)
    assert {move.verdict for move in report.moves} == {Verdict.BEST}
    assert (report.accuracy(1), report.accuracy(2)) == (100, 100)


def test_one_mistake_where_nothing_else_is_at_stake_leaves_little() -> None:
    """A half of a point is lost of three quarters, and the worst move counts once more."""
    report = review(Game("1213141", width=4, height=4))
    assert report.accuracy(1) == 100
    assert report.accuracy(2) == pytest.approx(100 / 3 * (1 - 0.4 * 0.5))


@pytest.mark.parametrize("seed", range(5))
def test_the_more_a_move_loses_the_less_accurate_its_side_is(seed: int) -> None:
    moves = review(random_game(seed)).moves
    for index, move in enumerate(moves):
        assert move.score_before is not None
        worst = min(score for score in move.scores if score is not None)
        scores = range(worst, move.score_before + 1)
        shares = [
            Review((*moves[:index], replace(move, score_after=score), *moves[index + 1 :])).accuracy(
                move.player
            )
            for score in scores
        ]
        known = [share for share in shares if share is not None]
        assert len(set(known)) == len(scores)
        assert known == sorted(known)
        assert 0 <= known[0] <= known[-1] <= 100


def check_order(games: Sequence[LevelGame], correlation: float) -> None:
    """The better the player, the higher the accuracy: on average, and by rank."""
    played = [played for game in games for played in game.sides()]
    levels = [side.level for side in played]
    shares = [side.accuracy for side in played]
    assert rank_correlation(levels, shares) > correlation
    means = [
        fmean(side.accuracy for side in played if side.level in group)
        for group in ((1, 2), (3, 4), (5, 6), (7, 8), (9, 10))
    ]
    assert means == sorted(means)
    assert means[0] < 60 < 85 < means[-1]


def test_better_levels_are_more_accurate() -> None:
    check_order([level_game(random.Random(seed)) for seed in range(30)], 0.6)


@pytest.mark.slow
def test_accuracy_is_what_people_believe() -> None:
    games = [level_game(random.Random(seed)) for seed in range(1000, 1400)]
    check_order(games, 0.73)
    played = [side for game in games for side in game.sides()]
    means = [fmean(side.accuracy for side in played if side.level == level) for level in range(1, 11)]
    assert all(worse < better + 3 for worse, better in pairwise(means))
    assert max(side.accuracy for side in played if side.missed_block) < 80
    assert max(side.accuracy for side in played if side.has_lost and side.errors) < 98


def test_who_has_no_judged_move_has_no_accuracy() -> None:
    assert review(Game("1", width=4, height=4)).accuracy(2) is None
    assert review(Game("4444"), solver=Solver(book=False), limit=Limit(nodes=10)).accuracy(1) is None


# Long reviews


def test_progress_is_reported_after_every_move() -> None:
    seen: list[tuple[int, int]] = []
    review(Game("12131", width=4, height=4), progress=lambda done, total: seen.append((done, total)))
    assert seen == [(1, 5), (2, 5), (3, 5), (4, 5), (5, 5)]


def test_when_it_is_enough_the_earlier_moves_stay_open() -> None:
    game = Game("1213141", width=4, height=4)
    asked = 0

    def is_enough() -> bool:
        nonlocal asked
        asked += 1
        return asked > 4

    report = review(game, is_enough=is_enough)
    verdicts = [move.verdict for move in report.moves]
    assert verdicts[:3] == [None] * 3
    assert [move.verdict for move in review(game).moves][3:] == verdicts[3:]
    assert report.moves[2].best_columns == ()


def test_several_threads_judge_alike() -> None:
    game = random_game(3, 5, 4)
    assert review(game, threads=2) == review(game)


def test_the_graph_is_the_first_players() -> None:
    report = review(Game("1213141", width=4, height=4))
    assert [move.score_first for move in report.moves] == [0, 0, 0, 0, 0, 5, 5]


def test_mistakes_are_explained_within_a_time_and_reviews_stay_values() -> None:
    game = Game("14642545655244774661")
    report = review(game, reasons_s=0.5)
    assert {move.number for move in report.moves if move.explanation} == {
        move.number for move in report.mistakes
    }
    assert pickle.loads(pickle.dumps(report)) == report
    last = report.mistakes[-1].explanation
    assert last is not None
    assert last.same_point
    assert last.better_column == 4
    assert all(move.explanation is None for move in review(game).moves)


def test_a_stopped_search_leaves_mistakes_without_an_explanation() -> None:
    solver = Solver()
    report = review(Game("14642545655244774661"), solver=solver)
    token = solver.make_token()
    token.stop()
    assert all(move.explanation is None for move in explain_mistakes(report, solver=solver, stop=token))
