"""Explanations as values, and how they come about."""

from __future__ import annotations

import copy
import json
import pickle
import threading
import time
from typing import Any

import pytest
from hypothesis import given, settings

from fourcast import (
    Explanation,
    FinishedGameError,
    IllegalMoveError,
    Limit,
    MoveExplanation,
    OptionError,
    Position,
    Solver,
    explain,
    explain_move,
)
from fourcast.study import check
from fourcast.study.explain import Answer, Claim, Force, LocalGames, Plan
from tests.strategies import positions
from tests.study.plain_search import random_positions

PLAN = "14642545655244774665"
FORCE = "4575274553"
LOCAL = "4623433443213412"
CASES = "433444613"
DRAW = "4623177244664763555563334225234652"


@pytest.fixture(scope="module")
def solver() -> Solver:
    return Solver()


def test_a_plan_is_a_table_of_answers_with_the_last_disc(solver: Solver) -> None:
    found = explain(Position(PLAN), solver=solver)
    pair = Answer((0, 1), ((4, 5),)), Answer((4, 5), ((0, 1),))
    assert found.claims == (Claim(2, "win", (), Plan(pair, takes=1, latest=34)),)
    assert found.verdict == solver.solve(Position(PLAN))
    assert found.line == ()
    assert found.complete


def test_a_forcing_line_is_the_shortest(solver: Solver) -> None:
    (claim,) = explain(Position(FORCE), solver=solver).claims
    assert claim == Claim(1, "win", (), Force((3, 2, 3)))


def test_a_draw_has_a_claim_for_each_side(solver: Solver) -> None:
    found = explain(Position(DRAW), solver=solver)
    assert {(claim.player, claim.goal) for claim in found.claims} == {(1, "hold"), (2, "hold")}


def test_a_position_without_a_short_reason_has_a_line_to_one_that_has(solver: Solver) -> None:
    position = Position("44", width=5, height=5)
    found = explain(position, solver=solver)
    for column in found.line:
        assert column in (solver.solve(position).best_columns or ())
        position = position.play(column)
    assert found.claims_position == position


@pytest.mark.parametrize("moves", [PLAN, FORCE, LOCAL, CASES, DRAW])
def test_explanations_are_values(moves: str, solver: Solver) -> None:
    found = explain(Position(moves), solver=solver)
    again = explain(Position(moves), solver=Solver(book=None, table_mb=1, threads=2))
    assert found == again, "the answer depends on the position alone"
    assert hash(found) == hash(again)
    assert pickle.loads(pickle.dumps(found)) == copy.deepcopy(found) == found
    assert Explanation.from_json(json.loads(json.dumps(found.to_json()))) == found
    assert Claim.from_json(found.claims[0].to_json()) == found.claims[0]


def without(content: dict[str, Any], key: str) -> dict[str, Any]:
    return {name: value for name, value in content.items() if name != key}


def test_what_is_no_explanation_is_refused_with_one_sentence(solver: Solver) -> None:
    content = explain(Position(PLAN), solver=solver).to_json()
    claim = content["claims"][0]
    for wrong in (
        {},
        None,
        {**content, "version": 2},
        *(without(content, key) for key in content if key != "idea"),
        {**content, "line": [9]},
        {**content, "line": ["1"]},
        {**content, "claims": [{**claim, "player": True}]},
        {**content, "claims": [{**claim, "goal": "draw"}]},
        {**content, "claims": [{**claim, "proof": {"kind": "faith"}}]},
        {**content, "claims": [{**claim, "proof": {**claim["proof"], "answers": [3]}}]},
    ):
        with pytest.raises(OptionError, match="not an explanation in JSON"):
            Explanation.from_json(wrong)  # type: ignore[arg-type]


def test_a_finished_game_has_nothing_to_explain() -> None:
    with pytest.raises(FinishedGameError):
        explain(Position("1212121"))


@pytest.mark.parametrize("wrong", [None, 44, [3, 3]])
def test_what_is_no_position_is_refused_in_one_sentence(wrong: Any) -> None:
    message = (
        f"^position must be a Position or a str of moves, for example .*, not {type(wrong).__name__}$"
    )
    with pytest.raises(TypeError, match=message):
        explain(wrong)
    with pytest.raises(TypeError, match=message):
        explain_move(wrong, 0)


def test_the_empty_board_is_explained_soon(solver: Solver) -> None:
    """Proofs are looked for only where there are discs enough for one: it was ten seconds."""
    begin_s = time.process_time()  # whatever else the machine does
    assert explain(Position(), solver=solver).complete
    assert time.process_time() - begin_s < 4


def test_a_limit_that_is_reached_leaves_an_incomplete_explanation() -> None:
    found = explain(Position("4"), solver=Solver(book=None), limit=Limit(time_s=0.005))
    assert not found.complete
    assert found.claims == ()
    assert "in time" in found.words()
    assert Explanation.from_json(found.to_json()) == found


def test_a_search_for_reasons_can_be_stopped() -> None:
    solver = Solver(book=None)
    token = solver.make_token()
    threading.Timer(0.2, token.stop).start()
    found = explain(Position(), solver=solver, stop=token)
    assert not found.complete


@pytest.mark.parametrize(
    ("width", "height", "least", "most"),
    [(4, 4, 0, 14), (9, 7, 48, 60), (12, 4, 34, 46), (4, 12, 30, 46)],
)
def test_boards_of_any_size_are_explained(width: int, height: int, least: int, most: int) -> None:
    solver = Solver()
    for position in random_positions(12, 5, width, height, least, most):
        found = explain(position, solver=solver)
        check(found)
        assert found.words()
        assert found.verdict.complete


@settings(max_examples=30)
@given(positions())
def test_any_position_of_any_size_is_explained_within_a_limit(position: Position) -> None:
    if position.is_over:
        return
    solver = Solver(table_mb=1)
    limit = Limit(nodes=20_000, time_s=0.2)
    found = explain(position, solver=solver, limit=limit)
    check(found)
    assert found.words()
    if found.complete:
        assert found.verdict.score == solver.solve(position).score


def test_every_kind_of_proof_is_found_on_small_boards() -> None:
    solver = Solver()
    kinds = {
        type(claim.proof)
        for position in random_positions(60, 6, 5, 4, 4, 12)
        for claim in explain(position, solver=solver).claims
    }
    assert kinds >= {Force, Plan, LocalGames}


def test_a_mistake_is_explained_with_what_was_better(solver: Solver) -> None:
    position = Position(PLAN[:-1])
    found = explain_move(position, 0, solver=solver)
    assert found.is_mistake
    assert found.only_keeping == found.only_reply == 4
    assert found.same_point
    assert not found.punished_on_top
    assert found.better is not None
    assert found.better.position == Position(PLAN)
    assert found.reason is not None
    assert found.reason.position == position.play(0)
    words = found.words()
    assert words.startswith("Column 1 turns a win into a loss. Only column 5 kept the win, and now")
    assert "After column 5 instead:" in found.proof_words()
    assert MoveExplanation.from_json(found.to_json()) == pickle.loads(pickle.dumps(found)) == found


def test_the_only_good_move_is_said_to_be_that(solver: Solver) -> None:
    found = explain_move(Position(PLAN[:-1]), 4, solver=solver)
    assert not found.is_mistake
    assert found.is_only_move
    assert found.words().startswith("Column 5 keeps the win. It is the only column that does.")


def test_a_move_that_ends_the_game_needs_no_reason(solver: Solver) -> None:
    found = explain_move(Position("121212"), 0, solver=solver)
    assert found.reason is None
    assert found.words() == "Column 1 completes a four."


def test_a_move_that_cannot_be_played_is_refused(solver: Solver) -> None:
    with pytest.raises(IllegalMoveError):
        explain_move(Position("111111"), 0, solver=solver)
