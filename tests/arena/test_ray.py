"""A cup on a Ray cluster: a real one, of two nodes on this machine, that loses one of them."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from fourcast.arena import Results, Settings, Tournament, read_cup
from tests.command import COMMAND
from tests.ray_cluster import running_cluster, wait_until

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform != "linux", reason="finds the processes of a node in /proc"),
]

# Deterministic, and slow enough for a node to be lost in the middle of a game.
NAMES = [f"streaks:depth={depth},seed={seed}" for depth in (7, 8) for seed in (1, 2, 3)]
GAMES = 2


def table(results: Results) -> list[tuple[object, ...]]:
    """The table without times, which no two machines share."""
    return [
        (line.name, line.rating, line.points, line.as_first, line.as_second)
        for line in results.standings()
    ]


def games(results: Results) -> set[tuple[str, ...]]:
    return {(each.first, each.second, each.opening, each.moves) for each in results.records}


@pytest.mark.parametrize("kind", ["swiss", "round-robin"])
def test_a_cup_on_a_cluster_that_loses_a_node_has_the_same_table_as_a_local_one(
    kind: str, tmp_path: Path
) -> None:
    local = Tournament(NAMES, Settings(kind=kind, games=GAMES, seed=32)).run(concurrency=2)
    out = tmp_path / "cup"
    command = [*COMMAND, "tournament", *NAMES, "--kind", kind, "--games", str(GAMES), "--seed", "32"]
    with running_cluster(tmp_path) as cluster:
        process = subprocess.Popen(
            [*command, "--out", str(out), "--ray", cluster.address],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )

        def played() -> int:
            journal = out / "journal.jsonl"
            return journal.read_bytes().count(b'"moves"') if journal.exists() else 0

        wait_until(lambda: played() >= 3 or process.poll() is not None, "some games", 300)
        cluster.wait_until_both_are_solving()
        cluster.other.kill()
        before = played()
        said, _ = process.communicate(timeout=900)
    assert process.returncode == 0, said
    assert before < len(local.records), "the node was lost too late to show anything"
    results = read_cup(out).results
    assert table(results) == table(local)
    assert games(results) == games(local)
    assert sorted(each.number for each in results.records) == list(range(1, len(local.records) + 1))
    lines = (out / "journal.jsonl").read_text().splitlines()
    assert json.loads(lines[-1]) == {"over": True}
