from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.command import run_text

HOSTILE = Path(__file__).resolve().parent.parent / "hostile"
READ = "import json, sys\nfor line in sys.stdin:\n    if line.strip() == ':exit': break\n"
OPEN = "    columns = [i for i, c in enumerate(json.loads(line)['grid']) if c[0] == 0]\n"


def check(command: str, *options: str) -> subprocess.CompletedProcess[str]:
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONUNBUFFERED"}
    return run_text("check-player", command, *options, env=environment)


def check_code(folder: Path, code: str, *options: str) -> subprocess.CompletedProcess[str]:
    (folder / "bot.py").write_text(code)
    return check(f"'{sys.executable}' '{folder / 'bot.py'}'", *options)


@pytest.mark.slow
def test_a_built_in_player_passes_every_test() -> None:
    run = check(f"'{sys.executable}' -m fourcast player streaks")
    assert run.returncode == 0, run.stdout
    assert {line[:4] for line in run.stdout.splitlines()[:-1]} == {"ok  "}
    assert run.stdout.endswith("It plays by the protocol.\n")


@pytest.mark.parametrize(
    ("name", "complaint"),
    [
        ("chatterbox", 'garbage: more than one line in answer to one: \'{"move": 3}'),
        ("crash_at_once", "crash: it ended with status 3"),
    ],
)
def test_what_is_wrong_with_a_program_is_told(name: str, complaint: str) -> None:
    run = check(f"'{sys.executable}' '{HOSTILE / name}.py'")
    assert run.returncode == 1
    assert complaint in run.stdout
    assert run.stdout.count("FAIL") == 1
    assert run.stdout.endswith("It does not play by the protocol.\n")


def test_a_command_that_cannot_be_run_is_one_finding() -> None:
    run = check("no-such-program")
    assert run.returncode == 1
    assert "no start: 'no-such-program' cannot be run" in run.stdout
    assert run.stdout.count("FAIL") == 1


@pytest.mark.slow
def test_a_program_that_does_not_flush_is_told_so_within_15_seconds(tmp_path: Path) -> None:
    started = time.monotonic()
    run = check_code(tmp_path, READ + "    print('{\"move\": 3}')")
    assert time.monotonic() - started < 15
    assert run.returncode == 1
    assert run.stdout.startswith("FAIL  answers a line with a move\n      it does not flush its output")
    assert "print(..., flush=True) in Python" in run.stdout
    assert run.stdout.count("FAIL") == 1


def test_a_traceback_is_shown_whole(tmp_path: Path) -> None:
    code = READ + "    raise ValueError('the longest sentence ' * 20)"
    run = check_code(tmp_path, code)
    assert "Traceback (most recent call last):" in run.stdout
    assert f'File "{tmp_path / "bot.py"}", line 4' in run.stdout
    assert f"ValueError: {'the longest sentence ' * 20}".rstrip() in run.stdout


def test_a_greeting_is_told(tmp_path: Path) -> None:
    run = check_code(tmp_path, "print('Welcome!', flush=True)\n" + READ + "    print('{\"move\": 3}')")
    assert "garbage" in run.stdout
    assert "no greeting, no prompt" in run.stdout


@pytest.mark.slow
def test_columns_counted_from_1_are_told_with_the_board(tmp_path: Path) -> None:
    code = READ + OPEN + "    print(json.dumps({'move': columns[0] + 1}), flush=True)"
    run = check_code(tmp_path, code)
    assert 'illegal move: {"move": 7} is off the board: moves are 0 to 6' in run.stdout
    assert "O O O X O O .\n" in run.stdout
    assert "1 2 3 4 5 6 7\n" in run.stdout
    assert "It seems to count columns from 1" in run.stdout


def test_a_full_column_is_told_as_people_count(tmp_path: Path) -> None:
    code = READ + "    print('{\"move\": 0}', flush=True)"
    run = check_code(tmp_path, code)
    assert '{"move": 0} cannot be played: column 1 is full, counted from 1' in run.stdout


def test_a_program_that_hangs_in_the_game_is_not_waited_for_in_every_test(
    tmp_path: Path,
) -> None:
    code = "import sys, time\nsys.stdin.readline()\nprint('{\"move\": 3}', flush=True)\ntime.sleep(60)"
    started = time.monotonic()
    run = check_code(tmp_path, code, "--move-time", "0.5")
    assert time.monotonic() - started < 20
    assert "too late in 2 tests: the others were left out" in run.stdout


def test_json_has_all_findings_and_messages(tmp_path: Path) -> None:
    run = check_code(tmp_path, "raise SystemExit('no thanks')", "--json")
    assert run.returncode == 1
    answer = json.loads(run.stdout)
    assert answer["passed"] is False
    [test] = answer["tests"]
    assert test["title"] == "answers a line with a move"
    assert test["messages"] == "no thanks\n"
