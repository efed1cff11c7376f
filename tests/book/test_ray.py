"""Books built on a Ray cluster: a real one, of two nodes on this machine, that loses one of them."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from fourcast.book import build
from fourcast.book.journal import CHUNK
from fourcast.book.workers import on_ray, on_threads
from fourcast.errors import ClusterError

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform != "linux", reason="finds the processes of a node in /proc"),
]

MARK = "FOURCAST_TEST_NODE"
BOOK = ["--plies", "6", "--width", "6", "--height", "5"]  # 31 chunks of about a second
RECORD = 8 + CHUNK  # bytes of a chunk in the journal


@dataclass
class Node:
    """A node of the cluster: `ray start`, and all that it has started, known by their environment."""

    name: str
    options: list[str]
    log: Path
    process: subprocess.Popen[bytes] = field(init=False)

    def __post_init__(self) -> None:
        command = [sys.executable, "-m", "ray.scripts.scripts", "start", "--block", "--num-cpus=1"]
        command += ["--object-store-memory=80000000", "--disable-usage-stats", *self.options]
        # In the background of whoever needs the machine more.
        with self.log.open("wb") as log:
            self.process = subprocess.Popen(
                ["nice", *command],
                env=os.environ | {MARK: self.name, "RAY_USAGE_STATS_ENABLED": "0"},
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
            )

    def processes(self) -> dict[int, str]:
        """The processes that belong to the node, with their command lines."""
        mark = f"{MARK}={self.name}".encode()
        found = {}
        for folder in Path("/proc").glob("[0-9]*"):
            with suppress(OSError):  # gone meanwhile, or somebody else's
                if mark in (folder / "environ").read_bytes().split(b"\0"):
                    command = (folder / "cmdline").read_bytes().replace(b"\0", b" ")
                    found[int(folder.name)] = command.decode("utf-8", "replace")
        return found

    def is_solving(self) -> bool:
        return any("_solve_on_worker" in command for command in self.processes().values())

    def kill(self) -> None:
        """End all of it at once, as the loss of the machine would."""
        for process in self.processes():
            with suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
        self.process.wait()


@dataclass
class Cluster:
    address: str
    head: Node
    other: Node


def wait_until(condition: Callable[[], bool], what: str, limit_s: float = 600) -> None:
    end_s = time.monotonic() + limit_s
    while not condition():
        assert time.monotonic() < end_s, f"waited in vain: {what}"
        time.sleep(0.05)


def accepts_connections(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port), timeout=1).close()
    except OSError:
        return False
    return True


@pytest.fixture(scope="module")
def local_book(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    path = tmp_path_factory.mktemp("local") / "local.book"
    build(path, 6, width=6, height=5, threads=2)
    return path.read_bytes()


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[Cluster]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    folder = tempfile.mkdtemp(prefix="ray", dir="/tmp")  # a short path: it holds sockets
    name = f"{os.getpid()}-{port}"
    nodes = []
    try:
        nodes.append(
            Node(
                f"{name}-head",
                ["--head", f"--port={port}", "--include-dashboard=false", f"--temp-dir={folder}"],
                tmp_path / "head.log",
            )
        )
        wait_until(lambda: accepts_connections(port), "the head of the cluster")
        nodes.append(Node(f"{name}-other", [f"--address=127.0.0.1:{port}"], tmp_path / "other.log"))
        yield Cluster(f"127.0.0.1:{port}", *nodes)
    finally:
        for node in reversed(nodes):
            node.kill()
        shutil.rmtree(folder, ignore_errors=True)
    wait_until(lambda: not any(node.processes() for node in nodes), "the end of all processes", 60)


def test_an_address_where_nobody_answers_is_refused_at_once(tmp_path: Path) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))  # and does not listen
        address = f"127.0.0.1:{free.getsockname()[1]}"
        start_s = time.monotonic()
        with pytest.raises(ClusterError, match=f"on the Ray cluster '{address}'"):
            build(tmp_path / "a.book", 3, width=4, height=4, workers=on_ray(address))
        assert time.monotonic() - start_s < 30


def start_build(out: Path, address: str) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "fourcast", "book", "build", *BOOK, "--out", str(out)]
    return subprocess.Popen([*command, "--ray", address])


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
    first.wait()
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
    second.wait()
    assert not out.exists()

    third = start_build(out, cluster.address)
    at_start = chunks_in(journal)
    wait_until(lambda: chunks_in(journal) >= at_start + 2, "two more chunks")
    third.send_signal(signal.SIGINT)
    assert third.wait(300) == 130
    assert not out.exists()

    build(out, 6, width=6, height=5, workers=on_threads(2))
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
    assert driver.wait(1200) == 0
    assert not journal.exists()
    assert out.read_bytes() == local_book
