"""`fourcast explain`, as a process."""

from __future__ import annotations

import json

import pytest

from fourcast import Explanation, Position, explain
from fourcast.study import check
from tests.command import run_text

PLAN = "14642545655244774665"


def run(*arguments: str, given: str = "") -> tuple[int, str, str]:
    done = run_text("explain", *arguments, given=given)
    return done.returncode, done.stdout, done.stderr


def test_a_position_is_drawn_and_explained() -> None:
    status, out, err = run(PLAN, "--style", "ascii")
    assert (status, err) == (0, "")
    assert "X, to move, loses in 7 moves." in out
    assert "O wins with disc 34 at the latest." in out


def test_check_says_what_the_checker_found() -> None:
    status, out, _ = run(PLAN, "--check")
    assert status == 0
    assert "nothing but the rules: 1 claim, no objection" in out


def test_json_holds_the_explanation_with_its_proof() -> None:
    status, out, _ = run(PLAN, "--json")
    content = json.loads(out)
    assert status == 0
    assert content["moves"] == PLAN
    check(content)
    assert Explanation.from_json(content) == explain(Position(PLAN))
    assert content["text"] == explain(Position(PLAN)).words()


def test_lines_of_standard_input_are_answered_one_by_one() -> None:
    status, out, err = run("--style", "ascii", given=f"4575274553\nnonsense\n{PLAN}\n")
    lines = out.splitlines()
    assert status == 1
    assert lines[0].startswith("4575274553 X, to move, wins in 2 moves. X plays column 4, row 3")
    assert lines[1] == "nonsense error"
    assert lines[2].startswith(f"{PLAN} X, to move, loses in 7 moves.")
    assert "line 2" in err


@pytest.mark.parametrize("moves", ["1212121", "99", "1111111"])
def test_what_cannot_be_explained_is_refused_in_one_line(moves: str) -> None:
    status, out, err = run(moves)
    assert status != 0
    assert out == ""
    assert "Traceback" not in err
    assert len(err.strip().splitlines()) <= 3
