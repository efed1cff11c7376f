"""Limits on connections: how many there are, and how long and how large a request may be on its way.

uvicorn has none of these, so its protocols are extended here. What is refused at this level costs next
to nothing: the app never hears of it.

The protocols of uvicorn are not a public interface. pyproject.toml therefore bounds its version, and
`prove_limits` tries each limit when the server starts: an upgrade cannot drop one silently.
"""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from http import HTTPStatus
from typing import Any, ClassVar, Final, Literal

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from fourcast.web.server.addresses import client_address, person_at
from fourcast.web.server.limits import Buckets
from fourcast.web.server.logs import log

__all__ = ["BoundedHttp", "BoundedWebSocket", "Door", "bounded_protocols"]

HEAD_S: Final = 10.0
"""How long a client may take to send the head of a request, counted from its first byte."""
BODY_S: Final = 20.0
"""How long it may take to send the rest."""
IDLE_S: Final = 30.0
"""How long a connection is kept open between two requests."""
UNREAD_S: Final = 30.0
"""How long a client may leave an answer unread."""
MAX_HEAD_BYTES: Final = 16_384
MAX_PIPELINED: Final = 16
"""Requests that may wait on one connection for the answer to an earlier one."""
MAX_DISCARDED: Final = 65_536
"""Bytes of a request's body that are read after it was answered."""

# What a WebSocket may send. A client says hello once and answers pings. The smallest frame has 6 bytes,
# so these are limits on frames, too.
SOCKET_BURST, SOCKET_PER_S = 8_192, 256
"""Bytes of one WebSocket, at once and in the long run."""
ADDRESS_BURST, ADDRESS_PER_S = 320, 20
"""Bytes of all WebSockets of an address, for each that it may have: enough for a hello and the pongs."""
MAX_FRAGMENTS: Final = 16
"""Frames of one message."""


class Door:
    """Counts connections and what WebSockets send, by address and in all.

    *sockets* is how many WebSockets an address may have. *per_address* is None behind a proxy; *opened*,
    the limit on how fast an address opens connections, counts none then.

    >>> door = Door(most=3, per_address=2)
    >>> [door.enter("a"), door.enter("a"), door.enter("a"), door.enter("b"), door.enter("c")]
    [True, True, False, True, False]
    """

    def __init__(
        self, *, most: int, per_address: int | None, sockets: int = 200, opened: Buckets | None = None
    ) -> None:
        self.most = most
        self._opened = opened
        self._per_address = per_address
        self._by_address: Counter[str] = Counter()
        self._count = 0
        self.sent = Buckets(ADDRESS_PER_S * sockets, max(SOCKET_BURST, ADDRESS_BURST * sockets))

    @property
    def is_behind_proxy(self) -> bool:
        """Whether all connections come from a proxy, which names the address of each client."""
        return self._per_address is None

    def __len__(self) -> int:
        return self._count

    def enter(self, address: str) -> bool:
        """Count a connection of *address* and return True, or False if it is one too many."""
        if self._count >= self.most:
            _warn("a connection was refused: there are as many as the server takes", address)
            return False
        if self._per_address is not None and self._by_address[address] >= self._per_address:
            _warn("a connection was refused: its address has as many as it may have", address)
            return False
        if self._per_address is not None and self._opened and self._opened.take(address):
            _warn("a connection was refused: its address opens them too fast", address)
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


def _warn(message: str, address: str) -> None:
    log.warning(message, extra={"address": address})


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
        self._abort("its client does not read")

    def _abort(self, why: str) -> None:
        _warn(f"a connection was closed: {why}", self.address)
        self.transport.abort()


class BoundedWebSocket(_Bounded, WebSocketsSansIOProtocol):
    """A WebSocket, which came in by the door as a request, with a budget for what it sends."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._person = ""
        self._budget = float(SOCKET_BURST)
        self._budget_s = self.loop.time()

    def data_received(self, data: bytes) -> None:
        """Read frames as far as the budget allows."""
        if not self.handshake_initiated:
            self._read_head(data)
            return
        now_s = self.loop.time()
        refill = (now_s - self._budget_s) * SOCKET_PER_S
        self._budget_s = now_s
        allowed = min(SOCKET_BURST, self._budget + refill)
        self._budget = allowed - len(data)
        if self.door.sent.take(self._person, number=min(len(data), SOCKET_BURST)):
            self._abort("the WebSockets of its address send too much")
            return
        super().data_received(data if self._budget >= 0 else data[: int(allowed)])
        if self.transport.is_closing():
            return
        if self._budget < 0:
            self._abort("its WebSocket sends too much")
        elif len(self.frames) > MAX_FRAGMENTS:
            self._abort("its WebSocket sends a message in too many pieces")

    def _read_head(self, data: bytes) -> None:
        """Read the head, which is whole: a parser has read it before. This one refuses some more."""
        super().data_received(data)
        if not self.handshake_initiated:
            if not self.transport.is_closing():
                self.transport.write(
                    _refusal(HTTPStatus.BAD_REQUEST, "this is no request for a WebSocket")
                )
                self.transport.close()
        elif not self.transport.is_closing():
            scope: Any = self.scope
            self._person = client_address(scope, trust_proxy=self.door.is_behind_proxy)

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
        self._discarded = 0  # bytes of a body whose request was answered already
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
        if self._is_answering():  # its answer would be written into the WebSocket
            _warn("a connection was closed: it asked for a WebSocket before an answer", self.address)
            self.transport.close()
            return
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
            self._discard(len(piece))
            if self._heads != heads or self._phase == "body":
                self._head_bytes = 0
            else:
                self._head_bytes += len(piece)
                if self._head_bytes >= MAX_HEAD_BYTES and not self.transport.is_closing():
                    _warn("a connection was closed: the head of its request is too large", self.address)
                    text = f"the head of a request may have {MAX_HEAD_BYTES} bytes at most"
                    self._refuse(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE, text)
            begin = end
        self._set_deadline()

    def _discard(self, size: int) -> None:
        """Count what arrives of a request that was answered already: of a refused one, say."""
        if self._phase == "body" and self.cycle is not None and self.cycle.response_complete:
            self._discarded += size
            if self._discarded > MAX_DISCARDED:
                self.transport.close()

    def on_message_begin(self) -> None:
        """A request begins."""
        self._phase = "head"
        self._discarded = 0
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        """The head of a request is complete."""
        self._phase = "body"
        self._heads += 1
        if self.transport.is_closing():
            return
        super().on_headers_complete()
        if len(self.pipeline) > MAX_PIPELINED:
            _warn("a connection was closed: too many requests at once", self.address)
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
        elif self.timeout_keep_alive_task is None and not self._is_answering():
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
            _warn("a connection was closed: its request did not arrive in time", self.address)
        self.transport.close()

    def _is_answering(self) -> bool:
        return self.cycle is not None and not self.cycle.response_complete

    def _refuse(self, status: HTTPStatus, detail: str) -> None:
        """Answer in place of the app and close; without an answer if another one is under way."""
        if not self._is_answering():
            self.transport.write(_refusal(status, detail))
        self.transport.close()


def _refusal(status: HTTPStatus, detail: str) -> bytes:
    body = json.dumps({"detail": detail, "code": None, "facts": {}}).encode()  # an `ErrorView`
    head = (
        f"HTTP/1.1 {status.value} {status.phrase}\r\ncontent-type: application/json\r\n"
        f"content-length: {len(body)}\r\nconnection: close\r\n\r\n"
    )
    return head.encode() + body
