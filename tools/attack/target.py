"""A server for one attack, and clients from any address of 127.0.0.0/8 that speak to it by hand."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Coroutine, Iterator, Sequence
from pathlib import Path
from typing import Any

from websockets.asyncio.client import ClientConnection, connect

ATTACKER = "127.6.6.6"
SEATS = {"first": {"kind": "me"}, "second": {"kind": "me"}}
UPGRADE = (
    "GET /api/games/{}/live HTTP/1.1\r\nhost: localhost\r\nconnection: upgrade\r\nupgrade: websocket\r\n"
    "sec-websocket-version: 13\r\nsec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
)

Door = Callable[[], Coroutine[Any, Any, str | None]]
"""An attack: returns what is wrong, or nothing."""
DOORS: dict[str, Door] = {}
"""All attacks, by name."""


def door(attack: Door) -> Door:
    """Register an attack under the name of its function."""
    DOORS[attack.__name__.replace("_", "-")] = attack
    return attack


# ---- The server --------------------------------------------------------------------------------------


class Server:
    """`fourcast serve` with a database in *folder*; *setup* is Python that runs before it."""

    def __init__(self, folder: Path, setup: str = "", **settings: str) -> None:
        code = f"{setup}\nimport sys; from fourcast.cli import main; main(sys.argv[1:])"
        command = [sys.executable, "-c", code, "serve", "--port", "0"]
        self.log = folder / f"{time.monotonic_ns()}.log"
        with self.log.open("wb") as log:
            self.process = subprocess.Popen(
                [*command, "--database", str(folder / "games.db")],
                stdout=subprocess.PIPE,
                stderr=log,
                env=os.environ | settings,
                text=True,
            )
        assert self.process.stdout
        address = re.search(r":(\d+)/", self.process.stdout.readline())
        if not address:
            self.close()
            raise SystemExit(f"the server did not start: {self.log.read_text()}")
        self.port = int(address[1])

    @property
    def memory_mb(self) -> float:
        """Resident memory."""
        if sys.platform == "linux":
            text = Path(f"/proc/{self.process.pid}/status").read_text()
            found = re.search(r"VmRSS:\s+(\d+) kB", text)
            return int(found[1]) / 1024 if found else 0.0
        command = ["ps", "-o", "rss=", "-p", str(self.process.pid)]
        return int(subprocess.run(command, capture_output=True, check=True).stdout) / 1024

    def has_logged(self, words: str) -> bool:
        """Whether the log has a line with *words*."""
        return words in self.log.read_text()

    def close(self) -> None:
        """End the server."""
        self.process.terminate()
        try:
            self.process.wait(30)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        if self.process.stdout:
            self.process.stdout.close()


@contextlib.contextmanager
def serving(setup: str = "", **settings: str) -> Iterator[Server]:
    """A server for one attack."""
    with tempfile.TemporaryDirectory() as folder:
        server = Server(Path(folder), setup, **settings)
        try:
            yield server
        finally:
            server.close()


# ---- Clients -----------------------------------------------------------------------------------------


async def dial(
    server: Server, address: str = ATTACKER
) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """Open a connection that comes from *address*."""
    place = (address, 0) if sys.platform == "linux" else None
    return await asyncio.open_connection("127.0.0.1", server.port, local_addr=place)


async def ask(
    server: Server,
    path: str,
    address: str = ATTACKER,
    body: object = None,
    *,
    token: str = "",
    headers: str = "",
) -> tuple[int, bytes]:
    """Return the status and the body of an answer; status 0 if the server hangs up."""
    content = b"" if body is None else json.dumps(body).encode()
    lines = [f"{'GET' if body is None else 'POST'} {path} HTTP/1.1", "host: localhost"]
    lines += ["content-type: application/json", f"content-length: {len(content)}", "connection: close"]
    if token:
        lines.append(f"authorization: Bearer {token}")
    try:
        reader, writer = await dial(server, address)
        try:
            writer.write("\r\n".join([*lines, headers + "\r\n"]).encode() + content)
            answer = await asyncio.wait_for(reader.read(-1), 90)
        finally:
            writer.close()
    except OSError:
        return 0, b""
    head, _, rest = answer.partition(b"\r\n\r\n")
    return (int(head.split()[1]) if head else 0), rest


async def new_game(server: Server, address: str) -> dict[str, Any]:
    """Make a game of two people on one screen; return its ticket."""
    status, answer = await ask(server, "/api/games", address, SEATS)
    if status != 201:
        raise RuntimeError(f"no game could be made: {status}")
    ticket: dict[str, Any] = json.loads(answer)
    return ticket


async def watch(server: Server, game_id: str, address: str, token: str = "") -> ClientConnection:
    """Open a live connection and say hello."""
    place = (address, 0) if sys.platform == "linux" else None
    url = f"ws://127.0.0.1:{server.port}/api/games/{game_id}/live"
    live = await connect(url, local_addr=place, compression=None, ping_interval=None)
    await live.send(json.dumps({"token": token} if token else {}))
    return live


async def is_closed(reader: asyncio.StreamReader) -> bool:
    """Read until the server hangs up."""
    with contextlib.suppress(OSError):
        while await reader.read(65536):
            pass
    return True


async def flood(server: Server, number: int, begin: bytes, address: str = ATTACKER) -> list[Any]:
    """Open connections that send *begin* and then nothing."""
    streams = []
    for _ in range(number):
        with contextlib.suppress(OSError):
            streams.append(await dial(server, address))
            streams[-1][1].write(begin)
    return streams


def hang_up(streams: Sequence[Any]) -> None:
    """Close connections from this side."""
    for _, writer in streams:
        writer.close()
