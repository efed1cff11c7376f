"""A review in words and as a graph."""

from __future__ import annotations

import random
import re

import pytest

from fourcast import Game, Limit, Position, Solver
from fourcast.render.review import (
    decisive_text,
    graph,
    mistake_texts,
    move_text,
    review_text,
    story_text,
)
from fourcast.study.review import MoveReview, Review, Verdict, review

NAMES = ("Red", "Yellow")


def judged(
    before: int | None, after: int | None, best: tuple[int, ...], moves: str = "44"
) -> MoveReview:
    position = Position(moves)
    return MoveReview(
        position.ply + 1, position.turn, 0, best, before, after, position, (before, -18) * 3 + (0,)
    )


@pytest.mark.parametrize(
    ("move", "text"),
    [
        (judged(18, 18, (0,), "112233"), "best: wins at once"),
        (judged(1, 1, (0, 3)), "best: wins in 20 moves"),
        (judged(-2, -2, (0,)), "best: loses in 19 moves"),
        (judged(0, 0, (0,)), "best: draws"),
        (judged(5, 4, (3,)), "good: wins in 17 moves; best was column 4 (in 16 moves)"),
        (
            judged(-2, -9, (3, 4)),
            "inaccuracy: loses in 12 moves; best were columns 4 and 5 (in 19 moves)",
        ),
        (judged(5, 0, (3,)), "mistake: threw away a win in 16 moves and draws; best was column 4"),
        (judged(0, -2, (3,)), "mistake: threw away a draw and loses in 19 moves; best was column 4"),
        (
            judged(5, -2, (1, 2, 3)),
            "blunder: threw away a win in 16 moves and loses in 19 moves; best were columns 2, 3 and 4",
        ),
        (judged(5, -2, ()), "blunder: threw away a win in 16 moves and loses in 19 moves"),
        (judged(5, 4, ()), "good: wins in 17 moves"),
        (judged(None, 4, ()), "not judged: there was no time to find its score"),
    ],
)
def test_a_move_in_words(move: MoveReview, text: str) -> None:
    assert move_text(move) == text


def test_what_decided_the_game_in_words() -> None:
    mistake = judged(5, -2, ())
    assert decisive_text(Review((mistake,)), NAMES) == (
        "Move 3: Red played column 1 and turned a win into a loss. "
        "The win was kept by columns 1, 3 and 5."
    )
    assert decisive_text(Review(()), NAMES) == "There is no move to judge."
    flawless = Review((judged(5, 5, (0,)),))
    assert decisive_text(flawless, NAMES) == "No move changed who wins."
    unknown = Review((judged(None, 5, ()),))
    too_late = "Which move decided the game could not be found in time."
    assert decisive_text(unknown, NAMES) == too_late
    assert too_late in story_text(unknown, NAMES)
    assert "X played with an accuracy of 100.0%." in review_text(flawless)
    # One move of two says nothing about the other.
    partly = Review((judged(5, 5, (0,)), judged(None, 5, ())))
    assert "accuracy" not in review_text(partly)


@pytest.mark.parametrize(
    ("moves", "told"),
    [
        # An open three, a missed block, and a way to a double threat.
        ("4343434", ["Move 6: Yellow left Red's three in column 4 unblocked", "before every move"]),
        ("16215421752236411636", ["Move 19: Red left Yellow's three in column 6 unblocked"]),
        ("425642445223336", ["Move 6: Yellow played column 2 and turned a win into a loss"]),
        ("425642445223336", ["let Red play", "with two threats at once"]),
        ("464725443131542", ["In the end Red threatened"]),
        ("4455667", ["Red won with move 7; the result changed hands 2 times."]),
        ("", ["There is no move to judge."]),
        ("44", ["After move 2, Red, to move, "]),
    ],
)
def test_the_story_of_a_game(moves: str, told: list[str]) -> None:
    text = story_text(review(Game(moves)), NAMES)
    for part in told:
        assert part in text


def test_a_missed_block_is_named_whatever_the_score_was() -> None:
    report = review(Game("16215421752236411636"))
    assert report.moves[18].verdict is Verdict.INACCURACY
    shown = review_text(report)
    assert " 19. 3  missed block, best 6" in shown
    assert "\nMove 19, X, column 3, missed block: X left O's three in column 6 unblocked" in shown
    marks = graph(report).splitlines()[-2].partition("|")[2]
    assert marks == "!  !    !!  !     3"
    assert sorted(mistake_texts(report, NAMES)) == [1, 4, 9, 10, 13, 19]


def columns_of(drawn: str) -> list[str]:
    """What stands above each move, from the top down, of the nine lines of a graph."""
    lines = [re.split(r"[|\u2502]", line, maxsplit=1)[1] for line in drawn.splitlines()[:9]]
    width = max(map(len, lines))
    return ["".join(column) for column in zip(*(line.ljust(width) for line in lines), strict=True)]


@pytest.mark.parametrize("seed", range(10))
def test_the_bars_of_a_graph_are_the_scores(seed: int) -> None:
    game, chance = Game(width=5, height=4), random.Random(seed)
    while not game.is_over:
        game.play(chance.choice(tuple(game.position.legal_columns)))
    report = review(game)
    ascii_bars = columns_of(graph(report))
    disc_bars = columns_of(graph(report, style="discs"))
    assert len(ascii_bars) == len(disc_bars) == len(report.moves)
    sizes = []
    for bar, blocks, move in zip(ascii_bars, disc_bars, report.moves, strict=True):
        score = move.score_first
        assert score is not None
        above, below = bar[:4], bar[5:]
        assert (above.strip() != "", below.strip() != "") == (score > 0, score < 0)
        sizes.append((abs(score), 2 * blocks.count("\u2588") + sum(map(blocks.count, "\u2584\u2580"))))
    assert [size for _, size in sorted(sizes)] == sorted(size for _, size in sizes)


def test_scores_that_are_not_known_are_question_marks() -> None:
    report = review(Game("4444"), solver=Solver(book=False), limit=Limit(nodes=10))
    assert columns_of(graph(report)) == ["    ?    "] * 4


def test_a_graph_that_is_too_wide_goes_on_below() -> None:
    game = Game("211131416572345677654327654322345677654321")
    report = review(game, limit=Limit(nodes=10))
    parts = graph(report, width=30).split("\n\n")
    axes = [part.splitlines()[-1].strip() for part in parts]
    assert axes == ["....5...10...15...20...25", "...30...35...40.."]
    assert all(len(line) <= 30 for part in parts for line in part.splitlines())


def test_colors_are_there_if_wanted_and_change_nothing_else() -> None:
    report = review(Game("1213141", width=4, height=4))
    plain = review_text(report, style="discs")
    colored = review_text(report, style="discs", color=True)
    assert "\x1b" not in plain
    assert "\x1b[1;31mmissed block" in colored
    assert re.sub(r"\x1b\[[0-9;]*m", "", colored) == plain


def test_plain_letters_are_enough_for_a_review() -> None:
    assert review_text(review(Game("1213141", width=4, height=4))).isascii()
