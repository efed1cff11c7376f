"""Books built on a Ray cluster: a real one, of two nodes on this machine, that loses one of them."""

from __future__ import annotations

import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from fourcast.book import build
from fourcast.book.chunk_file import CHUNK
from fourcast.book.workers import SOLVE_POSITIONS, on_ray, on_threads
from fourcast.errors import ClusterError
from tests.ray_cluster import Cluster, running_cluster, wait_until

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform != "linux", reason="finds the processes of a node in /proc"),
]

BOOK = ["--plies", "6", "--width", "6", "--height", "6"]  # 31 chunks of about a second
RECORD = 8 + CHUNK  # bytes of a chunk in the journal


@pytest.fixture(scope="module")
def local_book(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    path = tmp_path_factory.mktemp("local") / "local.book"
    build(path, 6, width=6, height=6, threads=2)
    return path.read_bytes()


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[Cluster]:
    with running_cluster(tmp_path) as started:
        yield started


def test_an_address_where_nobody_answers_is_refused_at_once(tmp_path: Path) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))  # and does not listen
        address = f"127.0.0.1:{free.getsockname()[1]}"
        start_s = time.monotonic()
        with pytest.raises(ClusterError, match=f"on the Ray cluster '{address}'"):
            build(tmp_path / "a.book", 3, width=4, height=4, workers=on_ray(address, SOLVE_POSITIONS))
        assert time.monotonic() - start_s < 30


def start_build(out: Path, address: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "fourcast", "book", "build", *BOOK, "--out", str(out)]
    return subprocess.Popen([*command, "--ray", address], stdout=subprocess.PIPE, text=True)


def chunks_in(journal: Path) -> int:
    return journal.stat().st_size // RECORD if journal.exists() else 0


def test_a_build_survives_the_loss_of_its_driver_and_of_a_node(
    cluster: Cluster, local_book: bytes, tmp_path: Path
) -> None:
    """Killed at any moment, continued on the cluster or here: the same bytes as in one go."""
    out, journal = tmp_path / "ray.book", tmp_path / "ray.book.partial"
    first = start_build(out, cluster.address)
    wait_until(lambda: chunks_in(journal) >= 4, "four chunks")
    wait_until(cluster.other.is_solving, "the second node at work")
    first.kill()
    first.communicate()
    wait_until(lambda: not cluster.head.is_solving(), "the end of work for a driver that is no more")
    wait_until(lambda: not cluster.other.is_solving(), "the end of work for a driver that is no more")
    assert not out.exists()
    kept = chunks_in(journal)

    second = start_build(out, cluster.address)
    wait_until(lambda: chunks_in(journal) >= kept + 4, "four more chunks")
    wait_until(cluster.other.is_solving, "the second node at work again")
    assert not out.exists()
    cluster.other.kill()
    at_loss = chunks_in(journal)
    wait_until(lambda: chunks_in(journal) >= at_loss + 4, "work that goes on without the node")
    second.kill()
    second.communicate()
    assert not out.exists()

    third = start_build(out, cluster.address)
    at_start = chunks_in(journal)
    wait_until(lambda: chunks_in(journal) >= at_start + 2, "two more chunks")
    third.send_signal(signal.SIGINT)
    said, _ = third.communicate(timeout=300)
    assert (third.returncode, said) == (130, "")
    assert not out.exists()

    build(out, 6, width=6, height=6, workers=on_threads(2, SOLVE_POSITIONS))
    assert not journal.exists()
    assert out.read_bytes() == local_book


def test_a_cluster_that_loses_a_node_finishes_the_book(
    cluster: Cluster, local_book: bytes, tmp_path: Path
) -> None:
    """What the lost node was working on is solved by the other one."""
    out, journal = tmp_path / "ray.book", tmp_path / "ray.book.partial"
    driver = start_build(out, cluster.address)
    wait_until(lambda: chunks_in(journal) >= 2, "two chunks")
    wait_until(cluster.other.is_solving, "the second node at work")
    cluster.other.kill()
    assert not out.exists()
    said, _ = driver.communicate(timeout=1200)
    assert driver.returncode == 0
    assert said.count("\n") == 1, "what Ray says about its nodes is not for standard output"
    assert not journal.exists()
    assert out.read_bytes() == local_book
