"""Tries each limit on connections before the server starts.

`connections` extends classes of uvicorn that are not a public interface. A version in which one of its
methods is called no more would drop a limit without a word; with this the server does not start.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import uvicorn
from uvicorn.server import ServerState

from fourcast.errors import FourcastError
from fourcast.web.server import connections
from fourcast.web.server.connections import BoundedHttp, Door, bounded_protocols
from fourcast.web.server.limits import Buckets
from fourcast.web.server.logs import log

__all__ = ["prove_limits"]

MOST, MOST_OPENED, SOCKETS = 30, 50, 100
_HEAD = b"GET / HTTP/1.1\r\nhost: x\r\n"
_UPGRADE = (
    _HEAD + b"connection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\n"
    b"sec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
)
_PONG, _BEGIN, _MORE = (bytes([first, 0x80, 0, 0, 0, 0]) for first in (0x8A, 0x01, 0x00))


def prove_limits() -> None:
    """Raise `FourcastError` if a limit on connections does not hold. Call it on the event loop."""
    log.disabled = True  # nobody was refused
    try:
        broken = [name for name, holds in _LIMITS.items() if not _try(holds)]
    finally:
        log.disabled = False
    if broken:
        raise FourcastError(
            f"with uvicorn {uvicorn.__version__} the server cannot keep its limits "
            f"({', '.join(broken)}); pip install '.[web]' takes a version with which it can"
        )


class _Wire(asyncio.Transport):
    """A connection with nobody at the other end. *protocol* is what it was last handed over to."""

    def __init__(self) -> None:
        super().__init__({"peername": ("192.0.2.1", 1), "sockname": ("192.0.2.2", 80)})
        self.written = b""
        self.is_closed = False
        self.protocol: Any = None

    def write(self, data: Any) -> None:
        self.written += data

    def close(self) -> None:
        self.is_closed = True

    abort = close

    def is_closing(self) -> bool:
        return self.is_closed

    def set_protocol(self, protocol: asyncio.BaseProtocol) -> None:
        self.protocol = protocol

    def pause_reading(self) -> None:
        pass

    def resume_reading(self) -> None:
        pass


class _Trial:
    """Connections to an app that never answers."""

    def __init__(self) -> None:
        # Buckets that do not fill again while a busy machine takes its time.
        opened = Buckets(0.001, MOST_OPENED)
        door = Door(most=MOST, per_address=MOST, sockets=SOCKETS, opened=opened)
        door.sent = Buckets(0.001, connections.ADDRESS_BURST * SOCKETS)
        http, socket = bounded_protocols(door)
        self._http = http
        self._config = uvicorn.Config(_silence, http=http, ws=socket, lifespan="off", log_config=None)
        self._config.load()
        self._state = ServerState()
        self._wires: list[_Wire] = []

    def open(self, *data: bytes) -> _Wire:
        """Return a connection that has sent *data*, as far as it was let."""
        wire = _Wire()
        wire.protocol = self._http(config=self._config, server_state=self._state, app_state={})
        wire.protocol.connection_made(wire)
        self._wires.append(wire)
        for piece in data:
            if not wire.is_closed:
                wire.protocol.data_received(piece)
        return wire

    def forget(self) -> None:
        """Those that were open have ended."""
        self._wires.clear()

    def close(self) -> None:
        """End all connections, with their timers and tasks."""
        for wire in self._wires:
            wire.protocol.connection_lost(None)
        for task in self._state.tasks:
            task.cancel()


async def _silence(_scope: Any, _receive: Any, _send: Any) -> None:
    await asyncio.Event().wait()


def _try(holds: Callable[[_Trial], bool]) -> bool:
    trial = _Trial()
    try:
        return holds(trial)
    except (AttributeError, TypeError):  # uvicorn has no such method any more
        return False
    finally:
        trial.close()


def _has_deadline(protocol: BoundedHttp, seconds: float) -> bool:
    timer = protocol._deadline
    # A tick later: uvloop rounds.
    return timer is not None and timer.when() - asyncio.get_running_loop().time() < seconds + 0.1


def _bounds_opening(trial: _Trial) -> bool:
    for _ in range(MOST_OPENED):
        trial.open().protocol.connection_lost(None)
    trial.forget()
    return trial.open().written.startswith(b"HTTP/1.1 503 ")


def _is_full(trial: _Trial) -> bool:
    wires = [trial.open() for _ in range(MOST + 1)]
    return wires[-1].written.startswith(b"HTTP/1.1 503 ")


def _answered(trial: _Trial) -> _Wire:
    """A connection whose one request was answered before its body had come."""
    wire = trial.open(b"POST / HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n")
    wire.protocol.cycle.response_complete = True
    wire.protocol.cycle.on_response()
    return wire


def _ends_body(trial: _Trial) -> bool:
    wire = _answered(trial)
    for _ in range(2 + connections.MAX_DISCARDED // 6_000):
        wire.protocol.data_received(b"1\r\nx\r\n" * 1_000)
    return wire.is_closed


def _bounds_address(trial: _Trial) -> bool:
    piece = _PONG * (connections.SOCKET_BURST // len(_PONG))
    number = 2 + connections.ADDRESS_BURST * SOCKETS // len(piece)
    wires = [trial.open(_UPGRADE + b"\r\n", piece) for _ in range(number)]
    return not wires[0].is_closed and wires[-1].is_closed


def _bounds_unread(trial: _Trial) -> bool:
    protocol = trial.open().protocol
    protocol.pause_writing()
    return protocol._unread is not None


_LIMITS: dict[str, Callable[[_Trial], bool]] = {
    "connections": _is_full,
    "connections opened in a second": _bounds_opening,
    "bytes of a head": lambda trial: (
        b" 431 " in trial.open(_HEAD + b"x: " + b"y" * connections.MAX_HEAD_BYTES).written
    ),
    "time for a head": lambda trial: _has_deadline(trial.open(b"GET").protocol, connections.HEAD_S),
    "time for a body": lambda trial: _has_deadline(
        trial.open(_HEAD + b"content-length: 9\r\n\r\n").protocol, connections.BODY_S
    ),
    "time between requests": lambda trial: _answered(trial).protocol.timeout_keep_alive_task is not None,
    "time for reading an answer": _bounds_unread,
    "bytes after an answer": _ends_body,
    "requests in a pipeline": lambda trial: (
        trial.open((_HEAD + b"\r\n") * (connections.MAX_PIPELINED + 2)).is_closed
    ),
    "WebSocket before an answer": lambda trial: (
        trial.open(_HEAD + b"\r\n" + _UPGRADE + b"\r\n").is_closed
    ),
    "head of a WebSocket": lambda trial: (
        b" 400 " in trial.open(_UPGRADE + b"x: y\r\n" * 200 + b"\r\n").written
    ),
    "bytes of a WebSocket": lambda trial: (
        trial.open(_UPGRADE + b"\r\n", _PONG * connections.SOCKET_BURST).is_closed
    ),
    "pieces of a message": lambda trial: (
        trial.open(_UPGRADE + b"\r\n", _BEGIN, _MORE * (connections.MAX_FRAGMENTS + 1)).is_closed
    ),
    "bytes of the WebSockets of an address": _bounds_address,
}
