"""A real server process, to be raced against, cut off and killed."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from types import TracebackType

import httpx2 as httpx

GENEROUS = {
    "FOURCAST_REQUESTS_PER_S": "1000000",
    "FOURCAST_REQUEST_BURST": "1000000",
    "FOURCAST_GAMES_PER_MINUTE": "1000000",
    "FOURCAST_GAME_BURST": "1000000",
    "FOURCAST_MOVE_TIME_S": "0.2",
}
"""All tests come from one address."""


class Server:
    """`fourcast serve` with a database in a folder; the same port again after a restart."""

    def __init__(self, folder: Path, database: str | None = None, **settings: str) -> None:
        self.folder = folder
        self.port = 0
        self.database = database or f"{folder}/games.db"
        self.log = folder / "server.log"
        self._settings = settings
        self.start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        environment = os.environ | GENEROUS | self._settings | {"PYTHONUNBUFFERED": "1"}
        command = [sys.executable, "-m", "fourcast", "serve", "--port", str(self.port)]
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                [*command, "--database", self.database],
                stdout=subprocess.PIPE,
                stderr=log,
                env=environment,
                text=True,
            )
        assert self.process.stdout
        line = self.process.stdout.readline()
        address = re.fullmatch(r"fourcast is at http://127\.0\.0\.1:(\d+)/ .*\n", line)
        assert address, line + self.log.read_text()
        self.port = int(address[1])

    def kill(self) -> None:
        """As a power cut would: without a word."""
        self.process.send_signal(signal.SIGKILL)
        self._end()

    def stop(self, sign: int = signal.SIGTERM) -> int:
        """As an administrator would; returns the exit status."""
        self.process.send_signal(sign)
        return self._end()

    def _end(self) -> int:
        status = self.process.wait(30)
        if self.process.stdout:
            self.process.stdout.close()
        return status

    def client(self) -> httpx.Client:
        # Without `verify` it would read all certificates of the machine, each time.
        return httpx.Client(base_url=self.url, timeout=60, verify=False, trust_env=False)

    def wait_for_log(self, word: str) -> str:
        end_s = time.monotonic() + 30
        while word not in (text := self.log.read_text()):
            assert time.monotonic() < end_s, text
            time.sleep(0.05)
        return text

    def __enter__(self) -> Server:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self._end()
