"""A tournament that is killed, again and again, loses no game and plays none twice."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path

import pytest


def command(journal: Path, games: int) -> list[str]:
    arguments = ["streaks:depth=3", "winsets:depth=3", "random", "--games", str(games)]
    out = ["--out", str(journal.parent), "--concurrency", "2"]
    return [sys.executable, "-m", "fourcast", "tournament", *arguments, *out]


def count_lines(journal: Path) -> int:
    return journal.read_bytes().count(b"\n") if journal.exists() else 0


def kill_and_go_on(journal: Path, *, games: int, kills: int) -> None:
    before = 0
    for _ in range(kills):
        process = subprocess.Popen(
            command(journal, games), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        while count_lines(journal) <= before and process.poll() is None:
            time.sleep(0.005)
        process.kill()
        process.wait()
        before = count_lines(journal)
    run = subprocess.run(command(journal, games), capture_output=True, text=True, timeout=200)
    assert run.returncode == 0, run.stderr
    header, *lines, end = [json.loads(line) for line in journal.read_text("utf-8").splitlines()]
    assert header["format"] == "fourcast journal 2"
    assert end == {"over": True}
    assert sorted(line["number"] for line in lines) == list(range(1, 3 * games + 1))
    assert (journal.parent / "report.html").exists()


def test_a_tournament_that_was_killed_goes_on(tmp_path: Path) -> None:
    kill_and_go_on(tmp_path / "journal.jsonl", games=20, kills=2)


@pytest.mark.slow
def test_a_tournament_that_was_killed_twenty_times_has_every_game_once(tmp_path: Path) -> None:
    kill_and_go_on(tmp_path / "journal.jsonl", games=1000, kills=20)
