"""One solve on a Ray cluster: a real one, of two nodes on this machine, that loses one of them."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from fourcast import Position
from fourcast.long_solve import Checkpoint
from tests.command import COMMAND
from tests.ray_cluster import Cluster, running_cluster, wait_until

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform != "linux", reason="finds the processes of a node in /proc"),
]


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[Cluster]:
    with running_cluster(tmp_path) as started:
        yield started


def start(size: tuple[int, int], file: Path, address: str) -> subprocess.Popen[str]:
    width, height = map(str, size)
    board = ["--width", width, "--height", height, "--no-book", "--json"]
    command = [*COMMAND, "solve", *board, "--checkpoint", str(file), "--ray", address]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


def nodes_in(file: Path, position: Position) -> int:
    return Checkpoint.read(file, position).nodes if file.exists() else 0


@pytest.mark.parametrize(("size", "score"), [((7, 6), 1), ((6, 7), 1)])
def test_a_solve_survives_the_loss_of_its_driver_and_of_a_node(
    size: tuple[int, int], score: int, cluster: Cluster, tmp_path: Path
) -> None:
    file, position = tmp_path / "checkpoint", Position(width=size[0], height=size[1])
    first = start(size, file, cluster.address)
    cluster.wait_until_both_are_solving()
    wait_until(lambda: nodes_in(file, position) > 1_000_000, "the first million nodes")
    first.kill()
    first.communicate()
    kept = nodes_in(file, position)

    second = start(size, file, cluster.address)
    cluster.wait_until_both_are_solving()
    wait_until(lambda: nodes_in(file, position) > kept, "more nodes")
    assert second.poll() is None
    cluster.other.kill()
    answer = json.loads(second.communicate(timeout=600)[0])
    assert second.returncode == 0
    assert answer["score"] == score
    assert nodes_in(file, position) > kept
