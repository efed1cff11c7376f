"""Ctrl-C ends a match or tournament at once, whoever is thinking, and no game is lost."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.protocol.test_program import no_process_left, processes

HANG = Path(__file__).resolve().parent.parent / "hostile" / "hang.py"
# A program that never answers, and a player that would solve a large board; each may take a minute.
SLOW = {"a program": f"'{sys.executable}' '{HANG}'", "a player": "perfect:time_s=60"}


def interrupt(arguments: list[str], *, when: Callable[[], bool]) -> tuple[int, str, float]:
    """Run a command and press Ctrl-C; return its status, its words, and how long it took to end."""
    process = subprocess.Popen(
        [sys.executable, "-m", "fourcast", *arguments],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    while process.poll() is None and not when():
        time.sleep(0.01)
    time.sleep(0.3)  # somebody is thinking by now
    started = time.monotonic()
    process.send_signal(signal.SIGINT)
    _, words = process.communicate(timeout=50)
    return process.returncode, words, time.monotonic() - started


@pytest.mark.parametrize("who", SLOW)
def test_ctrl_c_does_not_wait_for_the_move_and_keeps_all_games(who: str, tmp_path: Path) -> None:
    journal = tmp_path / "journal.jsonl"
    options = ["--games", "2", "--width", "9", "--height", "7", "--move-time", "60"]
    command = ["tournament", "random", "rated", SLOW[who], *options, "--out", str(tmp_path)]

    def quick_games_are_over() -> bool:  # they come first, and the journal has a line besides
        return journal.exists() and journal.read_bytes().count(b"\n") == 3

    status, words, took_s = interrupt(command, when=quick_games_are_over)
    assert (status, words) == (130, "Stopped. The same command continues from here.\n")
    assert took_s < 5
    assert quick_games_are_over()
    assert no_process_left(str(HANG))


def test_ctrl_c_in_a_match_without_a_journal_says_that_nothing_was_kept() -> None:
    def program_runs() -> bool:  # besides the match and the keeper
        return len(processes(str(HANG))) >= 3

    command = ["match", SLOW["a program"], "random", "--move-time", "60"]
    status, words, took_s = interrupt(command, when=program_runs)
    assert (status, words) == (130, "Stopped. Nothing was kept.\n")
    assert took_s < 5
    assert no_process_left(str(HANG))
