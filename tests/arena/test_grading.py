"""Grades of programs, and the forms that grading services read."""

from __future__ import annotations

import json
import os
import random
import re
import shutil
import subprocess
import sys
import tarfile
from collections.abc import Mapping
from pathlib import Path
from xml.etree import ElementTree

import jsonschema_rs
import pytest
import yaml

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

TEXT = {"type": "string", "minLength": 1}
NUMBER = {"type": "number"}
WHOLE = {"type": "integer", "minimum": 0}


def options(**kinds: object) -> dict[str, object]:
    """The schema of an object with some of these keys and no others."""
    return {"type": "object", "properties": kinds, "additionalProperties": False}


def table(kinds: Mapping[str, object]) -> dict[str, object]:
    """The schema of an object with all of these keys and no others."""
    return options(**kinds) | {"required": list(kinds)}


# "Output format" of https://gradescope-autograders.readthedocs.io/en/latest/specs/: all keys are
# optional, but there must be a score, for the whole or for each test.
VISIBILITY = {"enum": ["hidden", "after_due_date", "after_published", "visible"]}
FORMAT = {"enum": ["text", "html", "simple_format", "md", "ansi"]}
GRADESCOPE = options(
    score=NUMBER,
    execution_time=NUMBER,
    output={"type": "string"},
    output_format=FORMAT,
    test_output_format=FORMAT,
    test_name_format=FORMAT,
    visibility=VISIBILITY,
    stdout_visibility=VISIBILITY,
    extra_data={"type": "object"},
    leaderboard={"type": "array"},
    tests={
        "type": "array",
        "items": options(
            score=NUMBER,
            max_score=NUMBER,
            status={"enum": ["passed", "failed"]},
            name={"type": "string"},
            name_format=FORMAT,
            number={"type": "string"},
            output={"type": "string"},
            output_format=FORMAT,
            tags={"type": "array", "items": {"type": "string"}},
            visibility=VISIBILITY,
            extra_data={"type": "object"},
        ),
    },
) | {"required": ["score"]}
# "The result.json contract" of Classroom 50's wiki, page Advanced-Autograding, and what its collector
# of scores refuses. The runner itself adds owner and assignment_type.
CLASSROOM50 = table(
    {
        "schema": {"const": "classroom50/result/v1"},
        **dict.fromkeys(("classroom", "assignment", "submission", "commit", "release", "review"), TEXT),
        "datetime": {"type": "string", "pattern": r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$"},
        "score": WHOLE,
        "max-score": WHOLE,
        "tests": {
            "type": "array",
            "items": table(
                {"test-name": TEXT, "passed": {"type": "boolean"}, "score": WHOLE, "max-score": WHOLE}
            ),
        },
    }
)


@pytest.fixture(scope="module", params=["good", "weak", "broken"])
def graded(request: pytest.FixtureRequest) -> Grade:
    program = {"good": "perfect", "weak": "random", "broken": GARBAGE}[request.param]
    return grade(program, against="level-4", games=4, wins=3, seed=7)


def test_the_good_one_passes_and_the_others_do_not(
    graded: Grade, request: pytest.FixtureRequest
) -> None:
    kind = request.node.callspec.params["graded"]
    assert graded.has_passed == (kind == "good")
    assert graded.forfeits == (4 if kind == "broken" else 0)


def test_the_command_of_a_program_decides_neither_openings_nor_the_opponents_moves() -> None:
    """One player under two names plays the same games."""
    names = ("depth:depth=2,seed=5", "depth:seed=5,depth=2")
    one, other = ([game.moves for game in grade(name, games=4).games] for name in names)
    assert one == other


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
        min(3, graded.wins),
        "c4",
        "https://example.org/1",
    )
    lines = to_annotations(graded)
    assert lines[0].startswith("::notice" if graded.has_passed else "::error")
    assert len(lines) == (2 if graded.forfeits else 1)


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


def test_the_wins_that_are_needed_grow_with_the_games() -> None:
    assert [grade("perfect", against="random", games=n).wins_needed for n in (1, 4)] == [1, 4]
    few = fourcast("grade", "perfect", "--against", "random", "--games", "2")
    assert (few.returncode, "2 of 2 games won against random, 2 needed" in few.stdout) == (0, True)
    assert "default: four fifths of the games" in " ".join(fourcast("grade", "--help").stdout.split())


def test_the_exit_status_and_the_files_say_it(tmp_path: Path) -> None:
    files = [f"--{name}={tmp_path / name}" for name in ("junit", "gradescope", "classroom50")]
    good = fourcast("grade", "perfect", "--games", "2", "--wins", "1", *files)
    assert (good.returncode, "passed: 2 of 2 games won" in good.stdout) == (0, True)
    assert "How often a program fails by bad luck" in good.stdout
    assert ElementTree.parse(tmp_path / "junit").getroot().get("failures") == "0"
    assert json.loads((tmp_path / "gradescope").read_text())["score"] == 100
    assert json.loads((tmp_path / "classroom50").read_text())["score"] == 1
    bad = fourcast("grade", GARBAGE, "--games", "2", "--wins", "1", "--json")
    assert (bad.returncode, json.loads(bad.stdout)["forfeits"]) == (1, 2)


# What the schemas of Jenkins allow, on whose form most readers of JUnit XML agree.
JUNIT = {
    "testsuite": ({"name", "tests", "failures", "errors", "time"}, {"testcase"}),
    "testcase": ({"classname", "name", "time"}, {"failure", "system-err"}),
    "failure": ({"message"}, set()),
    "system-err": (set(), set()),
}


def test_the_xml_has_only_what_readers_of_it_know(graded: Grade) -> None:
    for element in ElementTree.fromstring(to_junit(graded)).iter():
        attributes, children = JUNIT[element.tag]
        assert set(element.attrib) <= attributes
        assert {child.tag for child in element} <= children


@pytest.fixture(scope="module")
def schema_of_jenkins(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The source distribution of pytest has it."""
    folder = tmp_path_factory.mktemp("schema")
    download = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--no-binary", "pytest"]
    subprocess.run([*download, "--dest", str(folder), "pytest"], check=True, timeout=300)
    [archive] = folder.glob("pytest-*.tar.gz")
    with tarfile.open(archive) as files:
        [name] = [name for name in files.getnames() if name.endswith("/junit-10.xsd")]
        schema = files.extractfile(name)
        assert schema
        (folder / "junit.xsd").write_bytes(schema.read())
    return folder / "junit.xsd"


@pytest.mark.slow
def test_the_xml_is_valid_by_the_schema_of_jenkins(
    graded: Grade, schema_of_jenkins: Path, tmp_path: Path
) -> None:
    (tmp_path / "grade.xml").write_bytes(to_junit(graded))
    command = ["xmllint", "--noout", "--schema", str(schema_of_jenkins), "grade.xml"]
    run = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=60)
    assert run.returncode == 0, run.stderr


# The action for the repositories of students

ROOT = Path(__file__).resolve().parents[2]
ACTION = ROOT / "actions" / "grade" / "action.yml"


def workflow() -> str:
    """The workflow of the guide."""
    blocks = re.findall(r"```yaml\n(.*?)```", (ROOT / "docs/arena.md").read_text("utf-8"), re.DOTALL)
    [text] = [block for block in blocks if "actions/grade" in block]
    assert isinstance(text, str)
    return text


def test_the_linter_has_nothing_to_say_on_the_action_and_its_workflow(tmp_path: Path) -> None:
    path = tmp_path / ".github" / "workflows" / "grade.yml"
    path.parent.mkdir(parents=True)
    path.write_text(workflow().replace("@main", f"@{'0' * 40}"))
    shutil.copy(ACTION, tmp_path)
    linter = Path(sys.executable).parent / "zizmor"
    command = [str(linter), "--offline", "--no-progress", "--format=plain", "--color=never"]
    run = subprocess.run([*command, str(tmp_path)], capture_output=True, text=True, timeout=60)
    assert run.returncode == 0, run.stdout


def test_the_action_puts_nothing_into_a_script_and_is_given_what_it_knows() -> None:
    action = yaml.safe_load(ACTION.read_text("utf-8"))
    steps = action["runs"]["steps"]
    assert not [step["run"] for step in steps if "${{" in step.get("run", "")]
    [use] = [step for step in yaml.safe_load(workflow())["jobs"]["grade"]["steps"] if "with" in step][1:]
    assert use["uses"] == "OWNER/fourcast/actions/grade@main"
    assert use["with"].keys() <= action["inputs"].keys()


@pytest.mark.slow
@pytest.mark.timeout(3600)  # it compiles fourcast
def test_the_steps_of_the_action_install_and_grade(tmp_path: Path) -> None:
    """As GitHub runs them, one after the other; what setup-python and cache do is there already."""
    source, temporary = tmp_path / "action", tmp_path / "temporary"
    subprocess.run(["git", "clone", "-q", str(ROOT), str(source)], check=True, timeout=120)
    for folder in (temporary, tmp_path / "bin"):
        folder.mkdir()
    if os.geteuid() == 0:  # a machine without sudo is its owner's
        (tmp_path / "bin" / "sudo").write_text('#!/bin/sh\nexec "$@"\n')
        (tmp_path / "bin" / "sudo").chmod(0o755)
    action = yaml.safe_load(ACTION.read_text("utf-8"))
    inputs = {key: each["default"] for key, each in action["inputs"].items()}
    inputs |= {"against": "random", "games": "4", "wins": "1"}
    environment = os.environ | {
        "GITHUB_ACTION_PATH": str(source / "actions" / "grade"),
        "GITHUB_ACTIONS": "true",
        "GITHUB_OUTPUT": str(tmp_path / "output"),
        "RUNNER_TEMP": str(temporary),
        "PATH": f"{tmp_path / 'bin'}:{os.environ['PATH']}",
    }
    for name in ("honest", "garbage"):
        student = tmp_path / name
        student.mkdir()
        shutil.copy(HOSTILE / f"{name}.py", student / "bot.py")
        for step in action["runs"]["steps"]:
            is_cached = "cache-hit" in step.get("if", "") and name == "garbage"
            if "run" not in step or is_cached:
                continue
            given = {
                key: inputs[value.removeprefix("${{ inputs.").removesuffix(" }}")]
                for key, value in step.get("env", {}).items()
            }
            command = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]]
            run = subprocess.run(
                command,
                env=environment | given,
                cwd=student,
                capture_output=True,
                text=True,
                timeout=3000,
            )
            assert run.returncode == (step.get("id") == "grade" and name == "garbage"), run.stderr
        assert "::error title=Forfeit::" in run.stdout if name == "garbage" else "passed" in run.stdout
        suite = ElementTree.parse(temporary / "grade.xml").getroot()
        assert (suite.get("failures") == "0") == (name == "honest")
        assert (tmp_path / "output").read_text().endswith(f"junit={temporary}/grade.xml\n")
