"""Marks: what an explanation draws, and that every kind of mark means what it says."""

from __future__ import annotations

import json
import pickle
import random

import pytest

from fourcast import Explanation, OptionError, Position, explain
from fourcast.render.marked import marked_svg
from fourcast.render.text import marked_board
from fourcast.study.explain import Cases, Claim, Force, LocalGames, Plan
from fourcast.study.follow import follow
from fourcast.study.marks import Marks, Square
from tests.render.test_explain import (
    SOLVER,
    WORKED,
    all_games,
    check_words,
    game_positions,
    play_out,
)
from tests.study.plain_search import random_positions


def all_marks(explanation: Explanation) -> list[Marks]:
    return [explanation.marks(number) for number in range(max(1, len(explanation.claims)))]


def check_marks(explanation: Explanation) -> None:
    """Check what holds for the marks of every claim."""
    for number, marks in enumerate(all_marks(explanation)):
        claim = explanation.claims[number] if explanation.claims else None
        position = marks.position
        assert marks.player == (claim and claim.player)
        check_squares(marks)
        assert explanation.position.play(*(column for column, _ in marks.played)) == position
        for column, row in marks.played:
            assert position.at(column, row)
        if claim is None:
            assert len(marks.line) == 1
            assert not marks.wins
            continue
        assert position == proof_position(claim, explanation.claims_position)
        if claim.goal == "hold":
            assert not marks.wins
        elif not isinstance(claim.proof, Force) and position.turn != claim.player and not marks.line:
            assert marks.wins or claim.proof.latest is not None
        if isinstance(claim.proof, Force) or marks.line:
            check_line(marks)
        elif isinstance(claim.proof, Plan) and len(position.winning_columns(claim.player)) < 2:
            check_plan(marks, claim.proof)
        elif isinstance(claim.proof, LocalGames) and len(position.winning_columns(claim.player)) < 2:
            check_groups(marks, claim)


def proof_position(claim: Claim, position: Position) -> Position:
    """Where a proof begins: after the claim's first moves, or where two threats end it."""
    for column in claim.start:
        if position.turn != claim.player and len(position.winning_columns(claim.player)) > 1:
            return position
        position = position.play(column)
    return position


def check_squares(marks: Marks) -> None:
    kinds = [*marks.gets, *marks.leaves, *marks.frozen, *(s for pair in marks.pairs for s in pair)]
    assert len(kinds) == len(set(kinds)), "no square is in two kinds"
    for square in (*kinds, *marks.wins, *marks.line):
        assert not marks.position.at(*square), "only empty squares are marked"
    assert not set(marks.wins) & set(marks.line)
    frozen = set(marks.frozen)
    for column, row in marks.frozen:
        assert row + 1 == marks.position.height or (column, row + 1) in frozen, "up to the top"
        assert any(win[0] == column and (column, win[1] - 1) in frozen for win in marks.wins)
    if marks.groups:
        assert sorted(sum(marks.groups, ())) == list(marks.position.legal_columns)


def check_line(marks: Marks) -> None:
    """The line can be played, and then the player completes a four whatever is blocked."""
    position, player = marks.position, marks.player
    for number, (column, row) in enumerate(marks.line):
        assert position.heights[column] == row
        if number and position.turn != player:
            assert list(position.winning_columns(player)) == [column], "each reply is forced"
        position = position.play(column)
        assert not position.is_over
    assert {(c, position.heights[c]) for c in position.winning_columns(player)} == set(marks.wins)
    if position.turn != player:
        assert len(marks.wins) > 1
        assert not position.winning_columns(3 - player if player else None)
    assert marks.wins


def check_plan(marks: Marks, plan: Plan) -> None:
    """The squares are those of the games that the plan leads to."""
    games = all_games(marks.position, plan)
    empty = {
        (column, row)
        for column in range(marks.position.width)
        for row in range(marks.position.heights[column], marks.position.height)
    }
    paired = {square for pair in marks.pairs for square in pair}
    assert not set(marks.gets) & games.theirs
    assert set(marks.gets) <= games.mine
    assert set(marks.leaves) == (games.theirs & empty) - games.mine - paired
    assert not set(marks.frozen) & (games.mine | games.theirs)
    fours = {four for _, four in games.fours}
    if plan.latest is not None:
        assert fours <= set(marks.wins), "every four is marked"
    if plan.takes == 1:
        assert set(marks.wins) <= fours


def check_groups(marks: Marks, claim: Claim) -> None:
    """The squares are those of games against the groups."""
    found = play_out(marks.position, claim)
    assert not set(marks.gets) & found.theirs
    assert not set(marks.leaves) & found.mine
    assert not set(marks.frozen) & (found.mine | found.theirs)
    for one, other in marks.pairs:
        assert found.answers.get(one, {other}) == {other}
        assert found.answers.get(other, {one}) == {one}
    assert isinstance(claim.proof, LocalGames)
    assert marks.groups == tuple(group.columns for group in claim.proof.groups)


def missing_wins(explanation: Explanation, games: int) -> set[Square]:
    """Squares where the player completes a four in sampled games, and that are not marked."""
    missing = set[Square]()
    for number, claim in enumerate(explanation.claims):
        if claim.goal == "hold" or isinstance(claim.proof, Force | Cases):
            continue
        marks, start = explanation.marks(number), explanation.claims_position
        if marks.line or len(marks.position.winning_columns(claim.player)) > 1:
            continue
        for seed in range(games):
            chance, replies = random.Random(seed), list[int]()
            while (game := follow(start, claim, replies)).state == "open":
                position = start.play(*game.columns)
                tenable = [
                    c
                    for c in position.legal_columns
                    if not position.play(c).winning_columns(claim.player)
                ]
                replies.append(chance.choice(tenable or position.legal_columns))
            before = start.play(*game.columns[:-1])
            won = (game.columns[-1], before.heights[game.columns[-1]])
            missing |= {won} - set(marks.wins)
    return missing


def test_the_square_of_the_worked_win_is_marked() -> None:
    found = explain(Position("4623434434533126"), solver=SOLVER)
    assert not missing_wins(found, 40)


@pytest.mark.parametrize(
    "seed", [80, 81, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(82, 86))]
)
def test_no_square_where_the_player_wins_is_missing(seed: int) -> None:
    for position in game_positions(seed)[::2]:
        assert not missing_wins(explain(position, solver=SOLVER), 6), position


@pytest.mark.parametrize("moves", WORKED)
def test_the_marks_of_the_worked_cases_are_true(moves: str) -> None:
    check_marks(explain(Position(moves), solver=SOLVER))


@pytest.mark.parametrize(
    "seed", [40, 41, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(42, 46))]
)
def test_the_marks_of_the_positions_of_a_game_are_true(seed: int) -> None:
    for position in game_positions(seed)[3::3]:
        check_marks(explain(position, solver=SOLVER))


def test_the_worked_plan_has_a_pair_two_frozen_columns_and_their_fours() -> None:
    marks = explain(Position("14642545655244774665"), solver=SOLVER).marks()
    assert marks.player == 2
    assert marks.pairs == (((0, 1), (4, 5)),)
    assert {column for column, _ in marks.frozen} == {2, 6}
    assert marks.wins == ((2, 1), (6, 3))
    assert marks.gets == ((0, 3), (0, 5), (1, 3), (1, 5), (5, 5))
    assert marks.leaves == ((0, 2), (0, 4), (1, 2), (1, 4), (5, 4))


def test_a_double_threat_is_one_disc_and_two_fours() -> None:
    marks = explain(Position("4575274553"), solver=SOLVER).marks()
    assert marks.line == ((3, 2),)
    assert marks.wins == ((2, 1), (3, 3))


def test_marks_are_values() -> None:
    for moves in WORKED:
        for marks in all_marks(explain(Position(moves), solver=SOLVER)):
            assert Marks.from_json(json.loads(json.dumps(marks.to_json()))) == marks
            assert pickle.loads(pickle.dumps(marks)) == marks
            hash(marks)


def test_what_are_no_marks_is_refused() -> None:
    content = explain(Position("4575274553"), solver=SOLVER).marks().to_json()
    for wrong in ({}, None, {**content, "rows": "?"}, {**content, "gets": [["1", 2]]}):
        with pytest.raises(OptionError, match="not marks in JSON"):
            Marks.from_json(wrong)  # type: ignore[arg-type]


def test_a_claim_that_is_not_there_has_no_marks() -> None:
    found = explain(Position("4575274553"), solver=SOLVER)
    for wrong in (1, -1, None, "0"):
        with pytest.raises(OptionError, match=f"no claim {wrong!r}"):
            found.marks(wrong)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("width", "height", "least", "most"),
    [(4, 4, 2, 12), (9, 7, 50, 60), (12, 4, 36, 46), (4, 12, 34, 46)],
)
def test_marks_and_words_are_true_on_boards_of_any_size(
    width: int, height: int, least: int, most: int
) -> None:
    for position in random_positions(8, 3, width, height, least, most):
        found = explain(position, solver=SOLVER)
        check_words(found)
        check_marks(found)
        for marks in all_marks(found):
            assert marked_board(marks, ("X", "O"))
            assert marked_svg(marks).count('class="hole"') >= width * height
