"""Forged proofs: claims of explanations with something changed, held against plain search."""

from __future__ import annotations

import copy
import random
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from fourcast import Position, Solver, explain
from fourcast.errors import ProofError
from fourcast.study.checker import check_claim
from tests.study.plain_search import is_true, random_positions

Json = dict[str, Any]


def accepts(position: Position, claim: Json) -> bool:
    try:
        check_claim(*position.bitboards, position.width, position.height, claim)
    except (ProofError, TypeError, IndexError):
        return False
    return True


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
    elif proof["kind"] == "cases":
        mutate_cases(proof, chance, square, position)
    elif proof["groups"]:
        mutate_group(chance.choice(proof["groups"]), proof, chance, square)


def mutate_cases(proof: Json, chance: random.Random, square: list[int], position: Position) -> None:
    choice, answers, ends = chance.randrange(6), proof["answers"], proof["ends"]
    if choice == 0 and answers:
        answers.pop(chance.randrange(len(answers)))
    elif choice == 1 and answers:
        chance.choice(answers)["answer"] = square
    elif choice == 2 and ends:
        ends.pop(chance.randrange(len(ends)))
    elif choice == 3 and ends:
        inner = {"goal": None, "player": 1, "start": [], "proof": chance.choice(ends)["proof"]}
        mutate(inner, chance, position)
    elif choice == 4 and len(ends) > 1:
        one, other = chance.sample(ends, 2)
        one["proof"] = other["proof"]
    elif proof["latest"]:
        proof["latest"] -= 1


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


@dataclass
class Tally:
    """What became of claims and of their forgeries."""

    kinds: dict[str, int] = field(
        default_factory=lambda: {"force": 0, "plan": 0, "local": 0, "cases": 0}
    )
    """How many claims were made, by the kind of their proof."""
    forged: int = 0
    accepted: int = 0
    """Forgeries that the checker accepted; most of them are other ways to prove the same."""
    false: list[tuple[Position, Json]] = field(default_factory=list)
    """Claims and accepted forgeries that plain search says are false."""


def forge(positions: Iterable[Position], forgeries: int, seed: int) -> Tally:
    """Explain *positions*, forge each claim some times, and compare what is accepted with the truth."""
    chance, solver, tally = random.Random(seed), Solver(), Tally()
    for position in positions:
        found = explain(position, solver=solver)
        start = found.claims_position
        for claim in (claim.to_json() for claim in found.claims):
            tally.kinds[claim["proof"]["kind"]] += 1
            forged = [mutated(claim, chance, position) for _ in range(forgeries)]
            accepted = [claim for claim in forged if accepts(start, claim)]
            tally.forged += len(forged)
            tally.accepted += len(accepted)
            for each in (claim, *accepted):
                if not is_true(start, each["player"], each["goal"]):
                    tally.false.append((start, each))
    return tally


SMALL = [(4, 4, 0, 12), (5, 4, 4, 16), (4, 5, 4, 16), (6, 4, 12, 20)]


def small_positions(count: int, seed: int) -> list[Position]:
    return [p for size in SMALL for p in random_positions(count, seed, *size)]
