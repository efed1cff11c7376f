"""Claims, played out against every kind of reply."""

from __future__ import annotations

import random

import pytest

from fourcast import IllegalMoveError, OptionError, Position, Solver, explain
from fourcast.errors import ProofError
from fourcast.study.checker import check_claim
from fourcast.study.explain import Cases, Claim, Force, LocalGames, Plan
from fourcast.study.follow import Followed, follow
from tests.study.plain_search import random_positions

PLAN = "14642545655244774665"
FORCE = "761261535655663236"
LOCAL = "4623433443213412"
CASES = "433444613"
DRAW = "4623177244664763555563334225234652"
SOLVER = Solver()


def opponent_moves(position: Position, followed: Followed) -> tuple[int, ...]:
    return tuple(position.play(*followed.columns).legal_columns) if followed.state == "open" else ()


def play_at_random(position: Position, claim: Claim, chance: random.Random) -> tuple[Followed, set[str]]:
    """Reply with any columns until the goal is reached; return the end, and why discs were played."""
    replies: list[int] = []
    why = set[str]()
    followed = follow(position, claim)
    while followed.state == "open":
        replies.append(chance.choice(opponent_moves(position, followed)))
        followed = follow(position, claim, replies)
        why.add(followed.why or "")
    return followed, why


def check_end(position: Position, claim: Claim, followed: Followed) -> None:
    end = position.play(*followed.columns)
    if followed.state == "won":
        assert end.winner == claim.player
        if claim.goal == "win" and not isinstance(claim.proof, Force):
            assert claim.proof.latest is not None
            assert end.ply <= claim.proof.latest
    else:
        assert (followed.state, claim.goal) == ("held", "hold")
        if end.is_over:
            assert end.is_draw
            return
        assert (SOLVER.solve(end).score or 0) * (1 if end.turn == claim.player else -1) >= 0


@pytest.mark.parametrize("moves", [PLAN, FORCE, LOCAL, CASES, DRAW])
def test_whatever_is_replied_the_claim_reaches_its_goal(moves: str) -> None:
    found, chance = explain(Position(moves), solver=SOLVER), random.Random(moves)
    for claim in found.claims:
        for _ in range(15):
            followed, _ = play_at_random(found.claims_position, claim, chance)
            check_end(found.claims_position, claim, followed)


def follow_everything(position: Position, claim: Claim) -> set[Position]:
    """Reply with everything at every moment; return the positions after answers that did not win."""
    waiting: list[tuple[int, ...]] = [()]
    seen: set[Position] = set()
    while waiting:
        replies = waiting.pop()
        followed = follow(position, claim, replies)
        after = position.play(*followed.columns)
        if followed.state != "open":
            check_end(position, claim, followed)
        if after not in seen and not after.winner and (followed.why or not replies):
            seen.add(after)
            waiting += [(*replies, column) for column in opponent_moves(position, followed)]
    return seen


def test_a_plan_that_is_followed_meets_the_positions_that_the_checker_replays() -> None:
    plans = 0
    for position in [Position(PLAN), *random_positions(60, 15, 6, 5, 10, 24)]:
        found = explain(position, solver=SOLVER)
        for claim in found.claims:
            if isinstance(claim.proof, Plan) and not claim.start:
                after = found.claims_position
                size = after.width, after.height
                positions = check_claim(*after.bitboards, *size, claim.to_json())
                if claim.proof.takes == 1:  # forced wins are not played out by the checker
                    assert len(follow_everything(after, claim)) == positions
                    plans += 1
    assert plans


def test_a_forcing_line_is_followed_to_its_end() -> None:
    found = explain(Position(FORCE), solver=SOLVER)
    assert len(follow_everything(found.claims_position, *found.claims)) == 2


def test_claims_of_random_positions_of_several_sizes_reach_their_goals() -> None:
    chance, kinds, reasons = random.Random(14), set[type](), set[str]()
    for width, height, least, most in ((7, 6, 14, 34), (5, 5, 4, 20), (6, 5, 8, 24)):
        for position in random_positions(12, 14, width, height, least, most):
            found = explain(position, solver=SOLVER)
            for claim in found.claims:
                kinds.add(type(claim.proof))
                followed, why = play_at_random(found.claims_position, claim, chance)
                reasons |= why
                check_end(found.claims_position, claim, followed)
    assert kinds >= {Force, Plan, LocalGames}
    assert {"four", "block", "group"} <= reasons


def test_a_proof_case_by_case_answers_by_its_table_and_then_by_the_plans_at_its_ends() -> None:
    found, chance, reasons = explain(Position(CASES), solver=SOLVER), random.Random(1), set[str]()
    (claim,) = found.claims
    assert isinstance(claim.proof, Cases)
    for _ in range(20):
        followed, why = play_at_random(found.claims_position, claim, chance)
        check_end(found.claims_position, claim, followed)
        reasons |= why
    assert {"table", "four"} <= reasons


def test_a_reply_that_is_not_forced_loses_at_once() -> None:
    found = explain(Position(FORCE), solver=SOLVER)
    (claim,) = found.claims
    assert isinstance(claim.proof, Force)
    assert follow(found.claims_position, claim) == Followed(claim.proof.line[:1], "line", "open")
    followed = follow(found.claims_position, claim, [6])
    assert (followed.why, followed.state, len(followed.columns)) == ("four", "won", 3)


def test_the_plan_of_the_worked_case_answers_as_its_words_say() -> None:
    found = explain(Position(PLAN), solver=SOLVER)
    position, (claim,) = found.claims_position, found.claims
    assert follow(position, claim) == Followed((), None, "open")
    assert follow(position, claim, [5]) == Followed((5, 5), "top", "open")
    # Column 1, row 2 and column 5, row 6 are a pair.
    assert follow(position, claim, [4]) == Followed((4, 0), "table", "open")
    # Below column 3, row 2 is a four.
    assert follow(position, claim, [2]) == Followed((2, 2), "four", "won")


def test_nonsense_is_refused() -> None:
    found = explain(Position(PLAN), solver=SOLVER)
    position, (claim,) = found.claims_position, found.claims
    for column in (3, 7, -1):  # full, off the board
        with pytest.raises(IllegalMoveError):
            follow(position, claim, [column])
    with pytest.raises(OptionError, match="goal"):
        follow(position, claim, [2, 5])
    with pytest.raises(ProofError):
        follow(position, Claim(2, "win", (), LocalGames((), 34)), [5])
