"""`fourcast explain`, as a process."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from fourcast import Explanation, Position, explain
from fourcast.study import check
from fourcast.study.marks import Marks
from tests.command import run_text

PLAN = "14642545655244774665"


def run(*arguments: str, given: str = "") -> tuple[int, str, str]:
    done = run_text("explain", *arguments, given=given)
    return done.returncode, done.stdout, done.stderr


def test_a_position_is_drawn_and_explained() -> None:
    status, out, err = run(PLAN, "--style", "ascii")
    assert (status, err) == (0, "")
    assert "X, to move, loses in 7 moves." in out
    assert "Zugzwang: O has threats at 3/2 and 7/4" in out
    assert "disc 34 at the latest" not in out
    _, out, _ = run(PLAN, "--style", "ascii", "--proof")
    assert "Zugzwang: O has threats at 3/2 and 7/4" in out
    assert "O wins with disc 34 at the latest." in out


def test_what_a_column_does_is_explained() -> None:
    status, out, err = run("1542155373253", "--move", "3", "--style", "ascii")
    assert (status, err) == (0, "")
    assert out.startswith("Column 3 turns a win into a loss. Only column 2 kept the win.")
    assert "2/3, the key square" in out
    status, out, _ = run("1542155373253", "--move", "3", "--json")
    assert json.loads(out)["column"] == 2
    status, _, err = run("1542155373253", "--move", "9")
    assert status != 0
    assert "Traceback" not in err


def test_marks_and_columns_are_shown_with_the_words() -> None:
    _, out, _ = run(PLAN, "--style", "ascii")
    lines = out.splitlines()
    assert lines[1] == "6  o o / X a o /"
    assert "  /  nobody plays here until X has to, after 12 other squares" in lines
    assert "Each of columns 3 and 7 loses in 1 move: O then wins on top." in out
    _, out, _ = run(PLAN, "--no-columns")
    assert "columns 3 and 7" not in out


@pytest.mark.parametrize("suffix", ["svg", "png"])
def test_a_picture_of_each_claim_is_written(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"why.{suffix}"
    moves = "4623177244664763555563334225234652"  # a draw
    status, _, err = run(moves, "--no-columns", "--picture", str(path))
    assert (status, err) == (0, "")
    for name in (f"why.{suffix}", f"why-2.{suffix}"):
        content = (tmp_path / name).read_bytes()
        assert content.startswith(b"<svg" if suffix == "svg" else b"\x89PNG")


def test_a_picture_that_cannot_be_written_is_an_error_in_one_line(tmp_path: Path) -> None:
    status, _, err = run(PLAN, "--picture", str(tmp_path / "nowhere" / "why.svg"))
    assert status != 0
    assert "Traceback" not in err
    assert "nowhere" in err
    status, _, err = run(PLAN, "--picture", str(tmp_path / "why.gif"))
    assert status != 0
    assert ".svg or .png" in err


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
    (marks,) = content["marks"]
    assert Marks.from_json(marks) == explain(Position(PLAN)).marks()


def test_lines_of_standard_input_are_answered_one_by_one() -> None:
    status, out, err = run("--style", "ascii", given=f"4575274553\nnonsense\n{PLAN}\n")
    lines = out.splitlines()
    assert status == 1
    assert lines[0].startswith("4575274553 X, to move, wins in 2 moves. X plays 4/3")
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
