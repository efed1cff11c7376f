"""Limits on connections: how many there are, and how long and how large a request may be on its way.

uvicorn has none of these, so its protocols are extended here. What is refused at this level costs next
to nothing: the app never hears of it.
"""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from http import HTTPStatus
from typing import Any, ClassVar, Final, Literal

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from fourcast.web.server.addresses import person_at
from fourcast.web.server.limits import RareLog

__all__ = ["BoundedHttp", "BoundedWebSocket", "Door", "bounded_protocols"]

HEAD_S: Final = 10.0
"""How long a client may take to send the head of a request, counted from its first byte."""
BODY_S: Final = 20.0
"""How long it may take to send the rest; the app gives up on most bodies sooner."""
IDLE_S: Final = 30.0
"""How long a connection is kept open between two requests."""
UNREAD_S: Final = 30.0
"""How long a client may leave an answer unread."""
MAX_HEAD_BYTES: Final = 16_384
MAX_PIPELINED: Final = 16
"""Requests that may wait on one connection for the answer to an earlier one."""


class Door:
    """Counts connections, by address and in all. *per_address* is None behind a proxy.

    >>> door = Door(most=3, per_address=2)
    >>> [door.enter("a"), door.enter("a"), door.enter("a"), door.enter("b"), door.enter("c")]
    [True, True, False, True, False]
    """

    def __init__(self, *, most: int, per_address: int | None) -> None:
        self.most = most
        self._per_address = per_address
        self._by_address: Counter[str] = Counter()
        self._count = 0
        self._full = RareLog("a connection was refused: there are as many as the server takes")
        self._crowded = RareLog("a connection was refused: its address has as many as it may have")
        self.slow = RareLog("a connection was closed: its request did not arrive in time")
        self.unread = RareLog("a connection was closed: its client does not read")
        self.large_head = RareLog("a connection was closed: the head of its request is too large")
        self.pipelined = RareLog("a connection was closed: too many requests at once")

    def __len__(self) -> int:
        return self._count

    def enter(self, address: str) -> bool:
        """Count a connection of *address* and return True, or False if it is one too many."""
        if self._count >= self.most:
            self._full.warn(address)
            return False
        if self._per_address is not None and self._by_address[address] >= self._per_address:
            self._crowded.warn(address)
            return False
        self._count += 1
        self._by_address[address] += 1
        return True

    def leave(self, address: str) -> None:
        """A connection of *address* that had entered has ended."""
        self._count -= 1
        self._by_address[address] -= 1
        if not self._by_address[address]:
            del self._by_address[address]


def bounded_protocols(door: Door) -> tuple[type[BoundedHttp], type[BoundedWebSocket]]:
    """Return the protocols of a server whose connections all come in by *door*."""
    return (
        type("Http", (BoundedHttp,), {"door": door}),
        type("WebSocket", (BoundedWebSocket,), {"door": door}),
    )


class _Bounded(asyncio.Protocol):
    """What both protocols have in common: the door, and a limit for answers that nobody reads."""

    door: ClassVar[Door]
    transport: asyncio.Transport
    client: tuple[str, int] | None
    loop: asyncio.AbstractEventLoop
    _unread: asyncio.TimerHandle | None = None

    @property
    def address(self) -> str:
        """The address that the connection counts for."""
        peer = self.client[0] if self.client else "unknown"
        return person_at(peer) or peer

    def pause_writing(self) -> None:
        """The client does not keep up: it has some time to do so."""
        super().pause_writing()
        if self._unread is None:
            self._unread = self.loop.call_later(UNREAD_S, self._give_up)

    def resume_writing(self) -> None:
        """The client has read."""
        super().resume_writing()
        self._stop_waiting()

    def connection_lost(self, exc: Exception | None) -> None:
        """The connection has ended."""
        super().connection_lost(exc)
        self._stop_waiting()

    def _stop_waiting(self) -> None:
        if self._unread:
            self._unread.cancel()
            self._unread = None

    def _give_up(self) -> None:
        self._unread = None
        self.door.unread.warn(self.address)
        self.transport.abort()


class BoundedWebSocket(_Bounded, WebSocketsSansIOProtocol):
    """A WebSocket, which came in by the door as a request."""

    def connection_lost(self, exc: Exception | None) -> None:
        """The connection has ended."""
        super().connection_lost(exc)
        self.door.leave(self.address)


class BoundedHttp(_Bounded, HttpToolsProtocol):
    """HTTP/1.1 with a deadline for each part of a request, and limits for heads and pipelines."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._phase: Literal["idle", "head", "body"] = "idle"
        self._heads = 0  # complete ones
        self._head_bytes = 0  # of the one that is not complete, at least
        self._is_counted = False
        self._running: RequestResponseCycle | None = None
        self._deadline: asyncio.TimerHandle | None = None
        self._deadline_of = ""

    # ---- The connection

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Let a connection in, or refuse it."""
        super().connection_made(transport)
        self._is_counted = self.door.enter(self.address)
        if self._is_counted:
            self._arm("head", HEAD_S)
        else:
            self._refuse(HTTPStatus.SERVICE_UNAVAILABLE, "too many connections; try again later")

    def connection_lost(self, exc: Exception | None) -> None:
        """The connection has ended."""
        super().connection_lost(exc)
        self._disarm()
        self.pipeline.clear()
        if self._running and not self._running.response_complete:
            self._running.disconnected = True
            self._running.message_event.set()
        if self._is_counted:
            self._is_counted = False
            self.door.leave(self.address)

    def handle_websocket_upgrade(self) -> None:
        """Hand the connection over to the other protocol, which sees to its end."""
        self._disarm()
        self._is_counted = False
        super().handle_websocket_upgrade()

    # ---- What is received

    def data_received(self, data: bytes) -> None:
        """Read no more of a head than it may have, and see to the deadline of what is incomplete."""
        begin = 0
        while begin < len(data) and not self.transport.is_closing() and self._is_counted:
            end = begin + MAX_HEAD_BYTES - self._head_bytes
            piece = data if begin == 0 and end >= len(data) else data[begin:end]
            heads = self._heads
            super().data_received(piece)
            if self._heads != heads or self._phase == "body":
                self._head_bytes = 0
            else:
                self._head_bytes += len(piece)
                if self._head_bytes >= MAX_HEAD_BYTES and not self.transport.is_closing():
                    self.door.large_head.warn(self.address)
                    text = f"the head of a request may have {MAX_HEAD_BYTES} bytes at most"
                    self._refuse(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE, text)
            begin = end
        self._set_deadline()

    def on_message_begin(self) -> None:
        """A request begins."""
        self._phase = "head"
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        """The head of a request is complete."""
        self._phase = "body"
        self._heads += 1
        if self.transport.is_closing():
            return
        super().on_headers_complete()
        if len(self.pipeline) > MAX_PIPELINED:
            self.door.pipelined.warn(self.address)
            self.pipeline.clear()
            self.transport.close()

    def on_message_complete(self) -> None:
        """A request is complete."""
        self._phase = "idle"
        if self.cycle is not None:
            super().on_message_complete()

    def _start_asgi_task(self, cycle: RequestResponseCycle, app: Any) -> None:
        self._running = cycle
        super()._start_asgi_task(cycle, app)

    # ---- Deadlines

    def _set_deadline(self) -> None:
        """Set a deadline for what the client has begun to send and not finished."""
        if self.transport.is_closing() or not self._is_counted:
            self._disarm()
        elif self._phase == "body":
            self._arm("body", BODY_S)
        elif self._phase == "head" or self._head_bytes:
            self._arm("head", HEAD_S)
        elif self.timeout_keep_alive_task is None and (
            self.cycle is None or self.cycle.response_complete
        ):
            self._arm("idle", IDLE_S)
        else:
            self._disarm()

    def _arm(self, what: str, seconds: float) -> None:
        if self._deadline_of != what:
            self._disarm()
            self._deadline_of = what
            self._deadline = self.loop.call_later(seconds, self._end, seconds)

    def _disarm(self) -> None:
        self._deadline_of = ""
        if self._deadline:
            self._deadline.cancel()
            self._deadline = None

    def _end(self, seconds: float) -> None:
        if self.flow.read_paused:  # we have kept the client waiting, not the other way round
            self._deadline = self.loop.call_later(seconds, self._end, seconds)
            return
        if self._deadline_of != "idle":
            self.door.slow.warn(self.address)
        self.transport.close()

    def _refuse(self, status: HTTPStatus, detail: str) -> None:
        """Answer in place of the app and close; without an answer if another one is under way."""
        if self.cycle is None or self.cycle.response_complete:
            body = json.dumps({"detail": detail}).encode()
            head = (
                f"HTTP/1.1 {status.value} {status.phrase}\r\ncontent-type: application/json\r\n"
                f"content-length: {len(body)}\r\nconnection: close\r\n\r\n"
            )
            self.transport.write(head.encode() + body)
        self.transport.close()
