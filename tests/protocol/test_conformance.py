from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

HOSTILE = Path(__file__).resolve().parent.parent / "hostile"


def check(command: str) -> subprocess.CompletedProcess[str]:
    words = [sys.executable, "-m", "fourcast", "check-player", command, "--move-time", "2"]
    return subprocess.run(words, capture_output=True, text=True, timeout=100)


def test_a_player_of_ours_passes_every_test() -> None:
    run = check(f"'{sys.executable}' -m fourcast player streaks")
    assert run.returncode == 0
    assert {line[:4] for line in run.stdout.splitlines()[:-1]} == {"ok  "}
    assert run.stdout.endswith("It plays by the protocol.\n")


@pytest.mark.parametrize(
    ("name", "complaint"),
    [
        ("full_column", "FAIL  plays no full column\n      illegal move: the move 0 cannot be played"),
        ("chatterbox", "garbage: more than one line"),
        ("crash_at_once", "crash: it ended with status 3"),
    ],
)
def test_what_is_wrong_with_a_program_is_told_test_by_test(name: str, complaint: str) -> None:
    run = check(f"'{sys.executable}' '{HOSTILE / name}.py'")
    assert run.returncode == 1
    assert complaint in run.stdout
    assert run.stdout.endswith("It does not play by the protocol.\n")


def test_a_command_that_cannot_be_run_is_one_finding() -> None:
    run = check("no-such-program")
    assert run.returncode == 1
    assert run.stdout.startswith("FAIL  starts\n      no start: 'no-such-program' cannot be run")
