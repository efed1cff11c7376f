"""A real Ray cluster of two nodes on this machine, of which one can be lost."""

from __future__ import annotations

import os
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from fourcast.book.workers import _work_on_chunk

MARK = "FOURCAST_TEST_NODE"
START_ATTEMPTS = 4
"""Ray gives up after 30 seconds, whatever the machine is doing."""


@dataclass
class Node:
    """A node of the cluster: `ray start`, and all that it has started, known by their environment."""

    name: str
    options: list[str]
    log: Path
    process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start it, again if need be."""
        for _ in range(START_ATTEMPTS):
            self.process = self._launch()
            wait_until(lambda: self.has_started() or not self.is_running(), self.name)
            if self.is_running():
                return
            self.kill()
        raise AssertionError(self.log.read_text("utf-8", "replace"))

    def _launch(self) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", "ray.scripts.scripts", "start", "--block", "--num-cpus=1"]
        command += ["--object-store-memory=80000000", "--disable-usage-stats", *self.options]
        # Not by nice: the node gives up if it does not come to start, and its workers, which Ray puts
        # into the background by default, come to nothing on a busy machine.
        more = {MARK: self.name, "RAY_worker_niceness": "0"}
        with self.log.open("wb") as log:
            return subprocess.Popen(
                command,
                env=os.environ | more,
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

    def is_running(self) -> bool:
        return self.process is not None and self.process.poll() is None

    def has_started(self) -> bool:
        return b"Ray runtime started" in self.log.read_bytes()

    def workers(self) -> list[int]:
        """The processes of the node that work on a task, whose name is then their command line."""
        return [
            process
            for process, command in self.processes().items()
            if _work_on_chunk.__name__ in command
        ]

    def is_solving(self) -> bool:
        return bool(self.workers())

    def kill(self) -> None:
        """End all of it at once, as the loss of the machine would."""
        for process in self.processes():
            with suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
        if self.process:
            self.process.wait()


@dataclass
class Cluster:
    address: str
    jobs: str
    """Where jobs are submitted to."""
    head: Node
    other: Node

    def wait_until_both_are_solving(self) -> None:
        """Slow the node that is first down: it might be done before the other one starts."""
        slowed: set[int] = set()

        def both_are_solving() -> bool:
            # Not held all the time: the second question may depend on the first answer.
            _signal(slowed, signal.SIGCONT)
            time.sleep(0.05)
            _signal(slowed, signal.SIGSTOP)
            workers = [node.workers() for node in (self.head, self.other)]
            slowed.update(*workers)
            return all(workers)

        try:
            wait_until(both_are_solving, "both nodes at work", 200)
        finally:
            _signal(slowed, signal.SIGCONT)


def _signal(processes: set[int], number: int) -> None:
    for process in processes:
        with suppress(ProcessLookupError):
            os.kill(process, number)


def wait_until(condition: Callable[[], bool], what: str, limit_s: float = 600) -> None:
    end_s = time.monotonic() + limit_s
    while not condition():
        assert time.monotonic() < end_s, f"waited in vain: {what}"
        time.sleep(0.05)


def free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
    return port


def own_environment(folder: str) -> dict[str, str]:
    """What Ray needs for a token and a home of its own in *folder*.

    With a token in the user's home, Ray's head demands it of everybody; without one it writes one there.
    """
    token = Path(folder, "token")
    token.write_text(secrets.token_hex(32))
    return {
        "HOME": folder,
        "RAY_AUTH_TOKEN_PATH": str(token),
        "RAY_AUTH_MODE": "token",
        "RAY_USAGE_STATS_ENABLED": "0",
    }


@contextmanager
def running_cluster(logs: Path, *, jobs: bool = False) -> Iterator[Cluster]:
    """Start a cluster of two nodes with one processor each, and end it; *logs* gets what they print.

    With *jobs* it has Ray's dashboard, which takes jobs.
    """
    port, jobs_port = free_port(), free_port()
    folder = tempfile.mkdtemp(prefix="ray", dir="/tmp")  # a short path: it holds sockets
    name = f"{os.getpid()}-{port}"
    head = ["--head", f"--port={port}", f"--temp-dir={folder}"]
    head += [f"--include-dashboard={str(jobs).lower()}", f"--dashboard-port={jobs_port}"]
    nodes = (
        Node(f"{name}-head", head, logs / "head.log"),
        Node(f"{name}-other", [f"--address=127.0.0.1:{port}"], logs / "other.log"),
    )
    own = own_environment(folder)
    before = {name: os.environ.get(name) for name in own}
    os.environ.update(own)
    try:
        for node in nodes:
            node.start()
        yield Cluster(f"127.0.0.1:{port}", f"http://127.0.0.1:{jobs_port}", *nodes)
    finally:
        for node in reversed(nodes):
            node.kill()
        for variable, value in before.items():
            if value is None:
                del os.environ[variable]
            else:
                os.environ[variable] = value
        shutil.rmtree(folder, ignore_errors=True)
    wait_until(lambda: not any(node.processes() for node in nodes), "the end of all processes", 60)
