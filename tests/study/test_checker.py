"""The checker of proofs against plain search: what it accepts is true."""

from __future__ import annotations

import ast
import copy
import random
from pathlib import Path
from typing import Any

import pytest

from fourcast import Position, Solver, explain
from fourcast.study import check, checker
from fourcast.study.checker import ProofError, check_claim
from tests.study.plain_search import is_true, random_positions

Json = dict[str, Any]


def accepts(position: Position, claim: Json) -> bool:
    try:
        check_claim(*position.bitboards, position.width, position.height, claim)
    except (ProofError, TypeError, IndexError):
        return False
    return True


def all_positions(width: int, height: int) -> list[Position]:
    """Every unfinished position that can arise, one of each pair of mirror images."""
    seen, waiting = set(), [Position(width=width, height=height)]
    found = []
    while waiting:
        position = waiting.pop()
        if position.is_over or position.canonical_key in seen:
            continue
        seen.add(position.canonical_key)
        found.append(position)
        waiting.extend(position.play(column) for column in position.legal_columns)
    return found


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


def check_simple_claims(positions: list[Position]) -> int:
    accepted = 0
    for position in positions:
        for claim in simple_claims(position):
            if accepts(position, claim):
                accepted += 1
                assert is_true(position, claim["player"], claim["goal"]), (position, claim)
    return accepted


def test_accepted_plans_are_true_on_a_part_of_all_4x4_positions() -> None:
    assert check_simple_claims(all_positions(4, 4)[::150]) > 300


@pytest.mark.slow
def test_accepted_plans_are_true_on_all_4x4_positions() -> None:
    assert check_simple_claims(all_positions(4, 4)) > 50_000


def mutated(claim: Json, chance: random.Random, position: Position) -> Json:
    """A forgery: one thing about the claim is changed, and sometimes more."""
    forged = copy.deepcopy(claim)
    for _ in range(chance.choice((1, 1, 1, 2, 3))):
        mutate(forged, chance, position)
    return forged


def mutate(claim: Json, chance: random.Random, position: Position) -> None:
    proof = claim["proof"]
    square = [chance.randrange(position.width), chance.randrange(position.height)]
    general = chance.random()
    if general < 0.1:
        claim["goal"] = "win"
        if proof.get("latest", 0) is None:
            proof["latest"] = position.width * position.height
    elif general < 0.2:
        claim["player"] = 3 - claim["player"]
        claim["start"] = claim["start"][1:] or [square[0]]
    elif general < 0.25:
        claim["start"] = [*claim["start"], square[0]][chance.randrange(2) :]
    elif proof["kind"] == "force":
        line = proof["line"]
        if line:
            line[chance.randrange(len(line))] = square[0]
        if chance.random() < 0.3:
            del line[-2:]
    elif proof["kind"] == "plan":
        if proof["answers"] and chance.random() < 0.6:
            entry = chance.choice(proof["answers"])
            if chance.random() < 0.3:
                proof["answers"].remove(entry)
            else:
                entry["squares"][chance.randrange(len(entry["squares"]))] = square
        else:
            other = [chance.randrange(position.width), chance.randrange(position.height)]
            proof["answers"].append({"stone": square, "squares": [other]})
        if chance.random() < 0.2:
            proof["takes"] = chance.choice((1, 2, 3))
        if proof["latest"] and chance.random() < 0.2:
            proof["latest"] -= 2
    elif proof["groups"]:
        mutate_group(chance.choice(proof["groups"]), proof, chance, square)


def mutate_group(group: Json, proof: Json, chance: random.Random, square: list[int]) -> None:
    choice = chance.randrange(7)
    if choice == 0:
        group["free"] = chance.choice(("never", "any_even", "one_odd", "one"))
    elif choice == 1:
        group["role"] = "win" if group["role"] == "hold" else "hold"
    elif choice == 2 and group["needs"]:
        group["needs"].pop(chance.randrange(len(group["needs"])))
    elif choice == 3 and group["answers"]:
        group["answers"].pop(chance.randrange(len(group["answers"])))
    elif choice == 4 and group["answers"]:
        chance.choice(group["answers"])["answer"] = square
    elif choice == 5 and len(proof["groups"]) > 1:
        other = next(other for other in proof["groups"] if other is not group)
        proof["groups"].remove(other)
        for key in ("columns", "needs", "answers"):
            group[key] += other[key]
    else:
        for other in proof["groups"]:
            other["free"] = "never"


def forge(positions: list[Position], forgeries: int, seed: int) -> dict[str, int]:
    """Check the claims of explanations and forgeries of them; return how many were accepted of each."""
    chance, solver = random.Random(seed), Solver()
    tally = {"force": 0, "plan": 0, "local": 0, "forged": 0, "accepted": 0}
    for position in positions:
        found = explain(position, solver=solver)
        start = found.claims_position
        for claim in (claim.to_json() for claim in found.claims):
            tally[claim["proof"]["kind"]] += 1
            assert is_true(start, claim["player"], claim["goal"]), (start, claim)
            for _ in range(forgeries):
                forged = mutated(claim, chance, position)
                tally["forged"] += 1
                if accepts(start, forged):
                    tally["accepted"] += 1
                    assert is_true(start, forged["player"], forged["goal"]), (start, forged)
    return tally


SMALL = [(4, 4, 0, 12), (5, 4, 4, 16), (4, 5, 4, 16), (6, 4, 12, 20)]


def small_positions(count: int, seed: int) -> list[Position]:
    return [p for size in SMALL for p in random_positions(count, seed, *size)]


def test_claims_are_true_and_so_are_the_forgeries_that_the_checker_accepts() -> None:
    tally = forge(small_positions(40, 14), forgeries=5, seed=15)
    assert tally["force"] > 20
    assert tally["plan"] > 20
    assert tally["local"] > 3
    assert 0 < tally["accepted"] < tally["forged"]


@pytest.mark.slow
def test_ten_thousand_forgeries_of_which_the_accepted_are_true() -> None:
    tally = forge(small_positions(700, 16), forgeries=6, seed=17)
    assert tally["forged"] > 10_000
    assert tally["local"] > 50


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"player": 1}, "right player"),
        ({"goal": "draw"}, "right player"),
        ({"start": [9]}, "no stone can be played"),
        ({"start": [0, 0]}, "not forced"),
        ({"proof": {"kind": "faith"}}, "no proof is called"),
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
    with pytest.raises(ProofError, match="stone 34"):
        check(found)


def test_claims_that_contradict_the_verdict_are_refused() -> None:
    found = explain(Position("14642545655244774665")).to_json()
    found["claims"][0]["goal"] = "hold"
    with pytest.raises(ProofError, match="what the verdict says"):
        check(found)


@pytest.mark.parametrize("nonsense", [{}, {"verdict": None, "claims": []}, {"verdict": 3, "claims": 4}])
def test_what_is_no_explanation_is_refused(nonsense: Json) -> None:
    with pytest.raises(ProofError, match="not an explanation"):
        check(nonsense)


def test_the_checker_imports_nothing_of_fourcast_and_is_short() -> None:
    source = Path(checker.__file__).read_text("utf-8")
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.Import | ast.ImportFrom):
            assert "fourcast" not in ast.unparse(node)
    documentation = {
        number
        for node in ast.walk(tree)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        for number in range(node.lineno, (node.end_lineno or node.lineno) + 1)
    }
    code = [
        line
        for number, line in enumerate(source.splitlines(), start=1)
        if line.strip() and not line.strip().startswith("#") and number not in documentation
    ]
    assert len(code) < 250
