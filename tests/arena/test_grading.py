"""Grades of programs, and the forms that grading services read."""

from __future__ import annotations

import json
import random
import sys
from pathlib import Path
from xml.etree import ElementTree

import jsonschema_rs
import pytest

from fourcast.arena.grading import (
    Grade,
    false_failures,
    grade,
    to_annotations,
    to_classroom50,
    to_gradescope,
    to_junit,
)
from fourcast.errors import OptionError
from tests.command import run_text as fourcast

HOSTILE = Path(__file__).resolve().parent.parent / "hostile"
GARBAGE = f"'{sys.executable}' '{HOSTILE / 'garbage.py'}'"

# By the published descriptions of the two services.
GRADESCOPE = {
    "type": "object",
    "required": ["score", "tests"],
    "properties": {
        "score": {"type": "number"},
        "output": {"type": "string"},
        "tests": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "name": {"type": "string"},
                    "status": {"enum": ["passed", "failed"]},
                    "score": {"type": "number"},
                    "max_score": {"type": "number"},
                    "output": {"type": "string"},
                },
                "additionalProperties": False,
            },
        },
    },
    "additionalProperties": False,
}
TEXT = {"type": "string", "minLength": 1}
CLASSROOM50 = {
    "type": "object",
    "required": [
        *("schema", "classroom", "assignment", "submission", "commit", "release", "review"),
        *("datetime", "score", "max-score", "tests"),
    ],
    "properties": {
        "schema": {"const": "classroom50/result/v1"},
        **dict.fromkeys(("classroom", "assignment", "submission", "commit", "release", "review"), TEXT),
        "datetime": {"type": "string", "pattern": r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$"},
        "score": {"type": "integer", "minimum": 0},
        "max-score": {"type": "integer", "minimum": 0},
        "tests": {
            "type": "array",
            "items": {
                "type": "object",
                "required": ["test-name", "passed", "score", "max-score"],
                "properties": {
                    "test-name": TEXT,
                    "passed": {"type": "boolean"},
                    "score": {"type": "integer"},
                    "max-score": {"type": "integer"},
                },
                "additionalProperties": False,
            },
        },
    },
    "additionalProperties": False,
}


@pytest.fixture(scope="module", params=["good", "weak", "broken"])
def graded(request: pytest.FixtureRequest) -> Grade:
    program = {"good": "perfect", "weak": "random", "broken": GARBAGE}[request.param]
    return grade(program, against="level-4", games=4, wins=3, seed=7)


def test_the_good_one_passes_and_the_others_do_not(graded: Grade) -> None:
    assert graded.has_passed == (graded.program == "perfect")
    assert graded.forfeits == (4 if graded.program == GARBAGE else 0)


def test_the_forms_are_those_of_the_services(graded: Grade) -> None:
    suite = ElementTree.fromstring(to_junit(graded))
    assert suite.tag == "testsuite"
    assert int(suite.get("tests", "")) == len(suite.findall("testcase")) == 5
    assert int(suite.get("failures", "")) == len(suite.findall("testcase/failure"))
    assert (suite.find("testcase/failure") is None) == graded.has_passed
    scope = to_gradescope(graded, 20)
    jsonschema_rs.validate(GRADESCOPE, scope)
    assert scope["score"] == min(20, round(20 * graded.wins / 3, 2))
    room = to_classroom50(graded, {"CLASSROOM": "c4", "COMMIT_URL": "https://example.org/1"})
    jsonschema_rs.validate(CLASSROOM50, room)
    assert (room["score"], room["classroom"], room["release"]) == (
        graded.wins,
        "c4",
        "https://example.org/1",
    )
    lines = to_annotations(graded)
    assert lines[0].startswith("::notice" if graded.has_passed else "::error")
    assert len(lines) == (2 if graded.program == GARBAGE else 1)


def test_what_a_program_writes_is_no_command_of_a_workflow_and_no_markup(tmp_path: Path) -> None:
    bot = tmp_path / "bot.py"
    noise = "\x07]]><b>\n::error::mine\n"
    bot.write_text(f"import sys\nsys.stderr.write({noise!r})\nprint('x\\r::warning::mine')\n")
    found = grade(f"'{sys.executable}' '{bot}'", against="random", games=1, wins=1)
    assert all("\n" not in line and "\r" not in line for line in to_annotations(found))
    assert not any(line.startswith("::warning") for line in to_annotations(found))
    said = ElementTree.fromstring(to_junit(found)).find("testcase/system-err")
    assert said is not None
    assert "]]><b>" in (said.text or "")


def test_the_rate_of_false_failures_is_what_is_seen() -> None:
    chance = random.Random(3)
    failed = sum(sum(chance.random() < 0.9 for _ in range(10)) < 8 for _ in range(20_000))
    assert failed / 20_000 == pytest.approx(false_failures(10, 8, 0.9), abs=0.01)


def test_more_wins_than_games_are_refused() -> None:
    with pytest.raises(OptionError, match="wins must be a whole number from 1 to the 4 games, not 5"):
        grade("random", games=4, wins=5)


def test_the_exit_status_and_the_files_say_it(tmp_path: Path) -> None:
    files = [f"--{name}={tmp_path / name}" for name in ("junit", "gradescope", "classroom50")]
    good = fourcast("grade", "perfect", "--games", "2", "--wins", "1", *files)
    assert (good.returncode, "passed: 2 of 2 games won" in good.stdout) == (0, True)
    assert "By chance alone fail" in good.stdout
    assert ElementTree.parse(tmp_path / "junit").getroot().get("failures") == "0"
    assert json.loads((tmp_path / "gradescope").read_text())["score"] == 100
    assert json.loads((tmp_path / "classroom50").read_text())["score"] == 2
    bad = fourcast("grade", GARBAGE, "--games", "2", "--wins", "1", "--json")
    assert (bad.returncode, json.loads(bad.stdout)["forfeits"]) == (1, 2)
