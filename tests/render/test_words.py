"""Scores in words are those that the game turns out to have."""

from __future__ import annotations

import random

import pytest

from fourcast import Position, Solver
from fourcast.render import svg, text
from fourcast.render.words import describe_bounds, describe_score, winner_moves
from fourcast.study.opening_tree import opening_tree


@pytest.mark.parametrize(("width", "height"), [(7, 6), (5, 5), (4, 5), (6, 5), (9, 7)])
def test_the_moves_of_the_winner_are_counted_right_on_boards_of_all_sizes(
    width: int, height: int
) -> None:
    """From the end of a random game backwards: every position before it, with the score it led to."""
    chance = random.Random(width)
    cells = width * height
    for _ in range(100):
        positions = [Position(width=width, height=height)]
        while not positions[-1].is_over:
            positions.append(positions[-1].play(chance.choice(positions[-1].legal_columns)))
        end = positions[-1]
        if end.winner is None:
            continue
        magnitude = (cells + 2 - end.ply) // 2
        for position in positions[:-1]:
            score = magnitude if position.turn == end.winner else -magnitude
            left = sum(
                1 for later in positions[:-1] if later.ply >= position.ply and later.turn == end.winner
            )
            assert winner_moves(score, position) == left


def test_the_words_agree_with_the_plies_that_the_solver_counts() -> None:
    solver = Solver(book=False)
    position = Position("7422341735647741166133573473242566")
    for column in position.legal_columns:
        child = position.play(column)
        plies = solver.solve(child).plies_to_end
        score = solver.score(child)
        assert plies is not None
        assert winner_moves(score, child) == (plies + (score > 0)) // 2


def test_words() -> None:
    position = Position("4455")
    assert describe_score(18, position) == "wins in 2 moves"
    assert describe_score(0, position) == "draws"
    assert describe_score(-18, position.play(2)) == "loses in 1 move"
    assert describe_score(18, Position("445566")) == "wins in 1 move"
    assert describe_bounds(2, 3, position) == "wins in at most 18 moves"
    assert describe_bounds(-9, -3, position) == "loses in at most 17 moves"
    assert describe_bounds(0, 3, position) == "at least draws"
    assert describe_bounds(-1, 0, position) == "at most draws"
    assert describe_bounds(-1, 1, position) == "is not decided yet"
    assert describe_bounds(18, 18, position) == "wins in 2 moves"


def test_a_string_of_moves_stands_for_a_position_in_words_and_pictures() -> None:
    position = Position("44 55")
    assert text.board("44 55") == text.board(position)
    assert svg.board("44 55") == svg.board(position)
    assert svg.describe("44 55") == svg.describe(position)
    assert describe_score(18, "44 55") == describe_score(18, position)
    assert opening_tree("44 55", 1) == opening_tree(position, 1)
    with pytest.raises(TypeError, match="must be a Position or a str of moves"):
        text.board(None)  # type: ignore[arg-type]
