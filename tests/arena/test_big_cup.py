"""A cup of 200 players with the live table on a terminal: killed, continued, and joined late."""

from __future__ import annotations

import json
import re
import sys
import time
from pathlib import Path

import pytest

from fourcast.arena import read_cup
from tests.command import COMMAND

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal"),
]

PLAYERS = [f"{name}:seed={seed}" for name in ("random", "winning", "rated") for seed in range(40)]
PLAYERS += [
    f"{name}:depth={depth},seed={seed}"
    for name in ("depth", "streaks")
    for depth in (1, 2, 3, 4)
    for seed in range(10)
]
LATE = ["level-3", "level-4", "level-5", "winsets:depth=2"]
OPTIONS = ["--kind", "swiss", "--rounds", "6", "--games", "4", "--seed", "200", "--concurrency", "2"]


def games_in(journal: Path) -> int:
    return journal.read_bytes().count(b'"moves"') if journal.exists() else 0


def test_a_cup_of_200_on_a_terminal_is_killed_continued_and_joined_late(tmp_path: Path) -> None:
    import pexpect

    assert len(PLAYERS) == 200
    out = tmp_path / "cup"
    journal = out / "journal.jsonl"

    def start(*more: str) -> pexpect.spawn[bytes]:
        words = [*COMMAND[1:], "tournament", *PLAYERS, *OPTIONS, "--out", str(out), *more]
        return pexpect.spawn(COMMAND[0], words, dimensions=(40, 120), timeout=600)

    longest_s = 0.0
    screens = b""
    for part in (500, 1100):  # of 2,400 games
        process = start()
        last = games_in(journal)
        since = 0.0  # the start, which has the openings to draw, is none of it
        while games_in(journal) < part:
            screens += process.read_nonblocking(1 << 20, timeout=60)
            count = games_in(journal)
            if count > last:
                now = time.monotonic()
                longest_s = max(longest_s, now - (since or now))
                last, since = count, now
        process.kill(9)
        process.wait()
        kept = games_in(journal)
        assert part <= kept < 2400
    process = start()
    process.expect(pexpect.EOF)
    screens += process.before or b""
    process.close()
    assert process.exitstatus == 0
    whole = read_cup(out).results
    assert len(whole.draws) == 6
    assert len(whole.records) == 2400
    print(f"longest time between two games on the disk: {longest_s:.1f} s")
    assert longest_s < 20, "the games stood still"
    leaders = re.findall(rb"\n1 +(\S+ +[+-]\d+ +\d+ +\d+)", screens)
    assert len(set(leaders)) > 4, "the table stood still"

    process = start(*LATE, "--add", "--rounds", "8")
    process.expect(pexpect.EOF)
    process.close()
    assert process.exitstatus == 0
    joined = read_cup(out).results
    assert len(joined.draws) == 8
    assert len(joined.records) == 2400 + 2 * 4 * 102
    assert [each.moves for each in joined.records[:2400]] == [each.moves for each in whole.records]
    for name in LATE:
        assert sum(name in (each.first, each.second) for each in joined.records) == 8
    numbers = [json.loads(line).get("number") for line in journal.read_text().splitlines()]
    assert sorted(number for number in numbers if number) == list(range(1, 2400 + 2 * 4 * 102 + 1))
    assert len(list((out / "players").iterdir())) == 204
