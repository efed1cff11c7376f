"""The checker of proofs against plain search: what it accepts is true."""

from __future__ import annotations

import ast
import random
import re
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from fourcast import Position, Solver, explain
from fourcast._core import ask
from fourcast.errors import ProofError
from fourcast.study import check, checker
from fourcast.study.checker import check_claim
from fourcast.study.explain import Cases
from tests.study.forgeries import accepts, forge, mutated, small_positions
from tests.study.plain_search import board_of, is_true, plain_outcome, random_positions

Json = dict[str, Any]


def all_positions(width: int, height: int) -> Iterator[Position]:
    """Every unfinished position that can arise, one of each pair of mirror images."""
    seen, waiting = set(), [Position(width=width, height=height)]
    while waiting:
        position = waiting.pop()
        if position.is_over or position.canonical_key in seen:
            continue
        seen.add(position.canonical_key)
        yield position
        waiting.extend(position.play(column) for column in position.legal_columns)


def simple_claims(position: Position) -> list[Json]:
    """Claims that anybody could make: to answer on top, after any first move."""
    plan = {"kind": "plan", "answers": [], "latest": position.width * position.height}
    claims = []
    for player in (1, 2):
        starts: list[list[int]] = (
            [[column] for column in position.legal_columns] if player == position.turn else [[]]
        )
        for goal in ("win", "hold"):
            for start in starts:
                for takes in (1, 2):
                    proof = {**plan, "takes": takes}
                    claims.append({"player": player, "goal": goal, "start": start, "proof": proof})
    return claims


def check_simple_claims(positions: Iterable[Position], only_without_start: bool = False) -> int:
    accepted = 0
    for position in positions:
        for claim in simple_claims(position):
            if only_without_start and (claim["start"] or claim["proof"]["takes"] > 1):
                continue
            if accepts(position, claim):
                accepted += 1
                assert is_true(position, claim["player"], claim["goal"]), (position, claim)
    return accepted


def test_accepted_plans_are_true_on_a_part_of_all_4x4_positions() -> None:
    assert check_simple_claims(islice(all_positions(4, 4), 0, None, 150)) > 300


@pytest.mark.slow
def test_accepted_plans_are_true_on_all_4x4_positions() -> None:
    assert check_simple_claims(all_positions(4, 4)) > 50_000


@pytest.mark.slow
def test_accepted_plans_are_true_on_all_5x4_positions() -> None:
    assert check_simple_claims(all_positions(5, 4), only_without_start=True) > 100_000


def check_explanations(positions: Iterable[Position]) -> dict[str, int]:
    """Explain the positions, hold the verdict and every claim against plain search, and count."""
    solver, kinds = (
        Solver(book=None, table_mb=1),
        {"force": 0, "plan": 0, "local": 0, "cases": 0, "none": 0},
    )
    for position in positions:
        found = explain(position, solver=solver)
        assert (
            found.verdict.outcome == {1: "win", 0: "draw", -1: "loss"}[plain_outcome(board_of(position))]
        )
        start = found.claims_position
        for claim in found.claims:
            assert is_true(start, claim.player, claim.goal), (position, claim)
            kinds[claim.to_json()["proof"]["kind"]] += 1
        kinds["none"] += not found.claims
    return kinds


def test_explanations_are_true_on_a_part_of_all_4x4_positions() -> None:
    kinds = check_explanations(islice(all_positions(4, 4), 0, None, 100))
    assert min(kinds["force"], kinds["plan"]) > 100
    assert kinds["local"] > 0  # on so small a board, nearly everything has a plan


@pytest.mark.slow
def test_explanations_are_true_on_all_4x4_positions() -> None:
    kinds = check_explanations(all_positions(4, 4))
    assert min(kinds["force"], kinds["plan"]) > 10_000
    assert kinds["local"] > 20


@pytest.mark.slow
def test_explanations_are_true_on_every_tenth_of_all_5x4_positions() -> None:
    kinds = check_explanations(islice(all_positions(5, 4), 0, None, 10))
    assert min(kinds["force"], kinds["plan"], kinds["local"]) > 1_000


def replayed(position: Position, claim: Json) -> int | None:
    """What the core's own check says: how many positions prove the claim, or None."""
    try:
        positions: int = ask("claim.check", {"rows": position.to_rows(), "claim": claim})["positions"]
    except (TypeError, ValueError):
        return None
    return positions


def checked(position: Position, claim: Json) -> int | None:
    """The same by the checker in Python."""
    try:
        return check_claim(*position.bitboards, position.width, position.height, claim)
    except (ProofError, TypeError, IndexError):
        return None


def hold_checks_against_each_other(count: int, forgeries: int, seed: int) -> tuple[int, int]:
    """Put claims and forgeries to both checks; count the claims and the accepted forgeries."""
    chance, solver, claims, accepted = random.Random(seed), Solver(), 0, 0
    larger = [(7, 6, 14, 38), (9, 7, 48, 60), (4, 12, 30, 46)]
    positions = small_positions(count, seed)
    positions += [p for size in larger for p in random_positions(count, seed, *size)]
    for position in positions:
        found = explain(position, solver=solver)
        start = found.claims_position
        for claim in (claim.to_json() for claim in found.claims):
            claims += 1
            assert checked(start, claim) is not None
            assert replayed(start, claim) == checked(start, claim), (start, claim)
            for forged in (mutated(claim, chance, start) for _ in range(forgeries)):
                assert replayed(start, forged) == checked(start, forged), (start, forged)
                accepted += checked(start, forged) is not None
    return claims, accepted


def test_the_check_of_the_core_and_that_in_python_agree() -> None:
    claims, accepted = hold_checks_against_each_other(8, forgeries=6, seed=18)
    assert claims > 50
    assert accepted > 30


@pytest.mark.slow
def test_the_two_checks_agree_on_thousands_of_claims_and_forgeries() -> None:
    claims, accepted = hold_checks_against_each_other(400, forgeries=6, seed=19)
    assert claims > 2_500
    assert accepted > 1_500


def test_the_check_of_the_core_agrees_on_proofs_case_by_case() -> None:
    chance, claim = random.Random(20), case_claim()
    assert replayed(CASES, claim) == checked(CASES, claim) is not None
    for _ in range(100):
        forged = mutated(claim, chance, CASES)
        assert replayed(CASES, forged) == checked(CASES, forged), forged


@pytest.mark.parametrize(
    "nonsense",
    [None, {}, {"player": 3}, {"goal": "draw"}, {"start": [-1]}, {"start": "1"}, {"proof": {"kind": 1}}],
)
def test_the_core_refuses_what_is_no_claim(nonsense: Any) -> None:
    position = Position("14642545655244774665")
    claim = explain(position).claims[0].to_json()
    given = {**claim, **nonsense} if nonsense else nonsense
    with pytest.raises((TypeError, ValueError)):
        ask("claim.check", {"rows": position.to_rows(), "claim": given})


def test_the_check_of_the_core_includes_nothing_of_the_searches() -> None:
    folder = Path(__file__).parents[2] / "native" / "reasons"
    sources = [(folder / name).read_text("utf-8") for name in ("replay.cpp", "replay.hpp", "proof.hpp")]
    included = {name for source in sources for name in re.findall('#include "(.*)"', source)}
    assert included <= {
        "replay.hpp",
        "proof.hpp",
        "board/position.hpp",
        "board/rules.hpp",
        "board/threats.hpp",
        "system/errors.hpp",
    }


def test_claims_are_true_and_so_are_the_forgeries_that_the_checker_accepts() -> None:
    tally = forge(small_positions(16, 14), forgeries=5, seed=15)
    assert not tally.false
    assert tally.kinds["force"] > 5
    assert tally.kinds["plan"] > 10
    assert tally.kinds["local"] > 3
    assert 0 < tally.accepted < tally.forged


@pytest.mark.slow
def test_ten_thousand_forgeries_of_which_the_accepted_are_true() -> None:
    tally = forge(small_positions(700, 16), forgeries=6, seed=17)
    assert not tally.false
    assert tally.forged > 10_000
    assert tally.kinds["local"] > 50
    assert tally.kinds["cases"] > 50


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"player": 1}, "wrong player begins"),
        ({"goal": "draw"}, "there is no such goal"),
        ({"start": [9]}, "column 10"),
        ({"start": [3]}, "column 4"),
        ({"start": [0, 0]}, "not forced"),
        ({"proof": {"kind": "faith"}}, "unknown kind of proof:"),
    ],
)
def test_a_refusal_says_what_is_wrong(change: Json, reason: str) -> None:
    position = Position("14642545655244774665")
    claim = explain(position).claims[0].to_json()
    with pytest.raises(ProofError, match=reason):
        check_claim(*position.bitboards, 7, 6, {**claim, **change})


def test_a_win_one_stone_sooner_than_proven_is_refused() -> None:
    found = explain(Position("14642545655244774665")).to_json()
    found["claims"][0]["proof"]["latest"] -= 1
    with pytest.raises(ProofError, match="disc 34"):
        check(found)


CASES = Position("433444613")


def case_claim() -> Json:
    """A claim that is proven case by case, with nine discs on the board."""
    (claim,) = explain(CASES).claims
    assert isinstance(claim.proof, Cases)
    return claim.to_json()


def test_an_answer_that_loses_and_an_end_of_another_position_are_refused() -> None:
    claim = case_claim()
    assert accepts(CASES, claim)
    first, second = claim["proof"]["ends"][:2]
    first["proof"], second["proof"] = second["proof"], first["proof"]
    assert not accepts(CASES, claim)
    claim = case_claim()
    for entry in claim["proof"]["answers"]:
        entry["answer"] = entry["theirs"][-1]  # which is taken
    assert not accepts(CASES, claim)


def test_a_proof_case_by_case_within_another_one_is_refused() -> None:
    claim = case_claim()
    claim["proof"]["ends"][0]["proof"] = claim["proof"]
    with pytest.raises(ProofError, match="unknown kind of proof: 'cases'"):
        check_claim(*CASES.bitboards, 7, 6, {**claim, "proof": claim["proof"]})


def test_claims_that_contradict_the_verdict_are_refused() -> None:
    found = explain(Position("14642545655244774665")).to_json()
    found["claims"][0]["goal"] = "hold"
    with pytest.raises(ProofError, match="what the verdict says"):
        check(found)


@pytest.mark.parametrize("nonsense", [{}, {"verdict": None, "claims": []}, {"verdict": 3, "claims": 4}])
def test_what_is_no_explanation_is_refused(nonsense: Json) -> None:
    with pytest.raises(ProofError, match="not an explanation"):
        check(nonsense)


def test_the_checker_imports_nothing_of_fourcast_but_its_error_and_is_short() -> None:
    source = Path(checker.__file__).read_text("utf-8")
    texts = set[int]()  # lines of docstrings
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import | ast.ImportFrom):
            words = ast.unparse(node)
            assert "fourcast" not in words or words == "from fourcast.errors import ProofError"
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            texts.update(range(node.lineno, (node.end_lineno or 0) + 1))
    code = [
        line
        for number, line in enumerate(source.splitlines(), start=1)
        if number not in texts and line.strip() and not line.strip().startswith("#")
    ]
    assert len(code) < 250
