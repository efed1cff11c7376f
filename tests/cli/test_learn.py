"""`fourcast learn`, with a pipe as the input and at a terminal."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import pytest

from fourcast import Solver
from fourcast.render.text import block_width
from fourcast.study.lessons import Lesson, Step, lessons
from tests import command as fourcast

Run = Callable[..., CompletedProcess[str]]
SOLVER = Solver()
ROOM = (20, 60)
"""Lines and columns of a small terminal."""


@pytest.fixture
def run(tmp_path: Path) -> Run:
    def run_here(*words: str, given: str = "") -> CompletedProcess[str]:
        env = os.environ | {"FOURCAST_DATA": str(tmp_path), "NO_COLOR": "1"}
        return fourcast.run_text("learn", *words, given=given, env=env)

    return run_here


def answers(step: Step) -> list[str]:
    """What somebody types in a step: always the first right answer."""
    typed: list[str] = []
    columns: tuple[int, ...] = ()
    while True:
        typed.append(step.answers(columns, SOLVER)[0])
        tried = step.try_answer(typed[-1], columns, SOLVER)
        if tried.state == "done":
            return typed
        columns = tried.columns


def typed_in(lesson: Lesson) -> str:
    """What somebody types in a lesson: the answers, and Enter after each step."""
    return "".join("\n".join([*answers(step), "", ""]) for step in lesson.steps)


def test_all_lessons_are_listed_with_what_is_done(run: Run) -> None:
    listed = run()
    assert (listed.returncode, listed.stderr) == (0, "")
    lines = listed.stdout.splitlines()
    assert len(lines) <= ROOM[0] - 2
    assert max(map(len, lines)) <= ROOM[1]
    assert [line.split()[1] for line in lines[: len(lessons())]] == [each.id for each in lessons()]
    assert lines[0].endswith("0 of 4 <")
    assert lines[-1] == "Go on with: fourcast learn 1"


def test_all_lessons_are_played_from_the_first_to_the_last(run: Run, tmp_path: Path) -> None:
    done = run("1", "--style", "ascii", given="".join(map(typed_in, lessons())))
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.count("Lesson done!") == len(lessons())
    assert "Try again" not in done.stdout
    assert done.stdout.rstrip().endswith("All lessons are done. Now play, or solve puzzles.")
    assert "\x1b" not in done.stdout
    lines = [json.loads(line) for line in (tmp_path / "training.jsonl").read_text().splitlines()[1:]]
    assert [(each["lesson"], each["step"]) for each in lines] == [
        (lesson.id, step.number) for lesson in lessons() for step in lesson.steps
    ]
    assert "All lessons are done." in run().stdout


def test_a_wrong_answer_says_what_the_opponent_plays(run: Run) -> None:
    done = run("blocks", "--style", "ascii", given="1\ns\n6\nq\n")
    assert "O can win on 6/4" in done.stdout
    assert "Try again." in done.stdout
    assert "The answer: 6." in done.stdout
    assert done.stdout.index("Try again.") < done.stdout.index("Blocked.")
    assert done.returncode == 0


def test_a_step_that_is_done_is_not_asked_again_until_everything_is_reset(run: Run) -> None:
    run("four", given="2\n\n")
    assert "(step 2 of 4)" in run("four", given="").stdout
    assert " 1 of 4 <" in run().stdout
    assert "All lessons have been reset." in run("--reset").stdout
    assert "(step 1 of 4)" in run("four", given="").stdout


def test_squares_are_typed_in_several_ways_and_nonsense_is_explained(run: Run) -> None:
    done = run("threats", "--style", "ascii", given="2/3\n\nx\n?\n9/9\n32\n\n3 2\n\n5,4\n")
    assert (done.returncode, done.stderr) == (0, "")
    assert "The column comes first." in done.stdout
    assert "An empty line. You can type:" in done.stdout
    assert "'x' is no answer." in done.stdout
    assert "'9/9' is no answer." in done.stdout
    assert "(step 4 of 4)" not in done.stdout, "the input has ended"
    assert "would complete the diagonal" in done.stdout


def test_a_full_column_is_refused(run: Run) -> None:
    done = run("opening", given="4\n\n4\n\n2\n\n2\n\n4\n3\n")
    assert "Column 4 is full." in done.stdout
    assert done.stdout.rstrip().endswith("(Enter, or q to quit):")


def test_why_says_what_explain_says(run: Run) -> None:
    done = run("double", "--style", "ascii", given="4\nw\nq\n")
    why = done.stdout.partition("w for why, q to quit: w")[2]
    assert "Column 4" in why


def test_an_unknown_lesson_is_refused_with_the_nearest_one(run: Run) -> None:
    done = run("zugzang")
    assert (done.returncode, done.stdout) == (2, "")
    assert "there is no lesson 'zugzang'; did you mean 'zugzwang'?" in done.stderr


def test_a_step_fits_into_a_small_terminal(tmp_path: Path) -> None:
    """From its text to its question."""
    pexpect = pytest.importorskip("pexpect", reason="there is no pseudo-terminal to learn at")
    env = os.environ | {"FOURCAST_DATA": str(tmp_path), "TERM": "xterm", "PYTHONUTF8": "1"}
    for name in ("NO_COLOR", "COLUMNS", "LINES"):
        env.pop(name, None)
    for lesson in lessons():
        child = pexpect.spawn(
            sys.executable,
            ["-m", "fourcast", "learn", lesson.id],
            env=env,
            encoding="utf-8",
            timeout=30,
            dimensions=ROOM,
        )
        for step in lesson.steps:
            for number, answer in enumerate(answers(step)):
                child.expect_exact(", or ?: ")
                shown = str(child.before).replace("\r", "")
                assert block_width(shown) <= ROOM[1], shown
                if not number:
                    assert "\x1b[" in shown, "it has colors"
                    assert f"(step {step.number} of " in shown
                    assert len(shown.partition("\n\n")[2].splitlines()) < ROOM[0], shown
                child.sendline(answer)
            child.expect([r"q\s+to\s+quit\)?: ", r"solve\s+puzzles\."])
            assert "Try again" not in str(child.before)
            if step is not lesson.steps[-1]:
                child.sendline("")
        child.sendline("q")
        child.expect(pexpect.EOF)
        child.close()
        assert child.exitstatus == 0
