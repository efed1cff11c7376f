"""What the app lets in, how much of it, and the headers that go with every answer.

Limits on connections and on the bytes of a request's head are further down, in `connections`.
"""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

from cachetools import LRUCache
from fastapi.responses import JSONResponse
from starlette.datastructures import Headers
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from fourcast.errors import FourcastError
from fourcast.web.server.addresses import Addresses, asking, client_address
from fourcast.web.server.logs import log
from fourcast.web.server.refusals import refusal
from fourcast.web.settings import Settings

__all__ = ["CONTENT_SECURITY_POLICY", "Buckets", "Guard", "Limits"]

CONTENT_SECURITY_POLICY: Final = "; ".join(
    [
        "default-src 'none'",
        "script-src 'self' 'wasm-unsafe-eval'",  # the core, compiled in the page
        "worker-src 'self'",
        "style-src 'self'",
        "img-src 'self' data: blob:",
        "connect-src 'self'",
        "font-src 'self'",
        "media-src 'self' data: blob:",
        "manifest-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    ]
)

# A route may override them: a header that is already set is left as it is, and an empty one is not sent.
HEADERS: Final = {
    "content-security-policy": CONTENT_SECURITY_POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
    "cache-control": "no-store",
}

_ENCODED: Final = [(name.encode(), value.encode()) for name, value in HEADERS.items()]


class Buckets:
    """Token buckets by address: *burst* at once, *per_s* in the long run."""

    MOST = 20_000
    """Addresses remembered; beyond that the least recently seen one is forgotten."""

    def __init__(self, per_s: float, burst: int) -> None:
        self._per_s = per_s
        self._burst = float(burst)
        self._levels: LRUCache[str, tuple[float, float]] = LRUCache(self.MOST)
        self._taken: Counter[str] = Counter()

    def take(self, address: str, now_s: float | None = None, number: int = 1) -> float:
        """Take *number* tokens and return 0, or return after how many seconds they will be there."""
        now_s = time.monotonic() if now_s is None else now_s
        level, then_s = self._levels.get(address, (self._burst, now_s))
        level = min(self._burst, level + (now_s - then_s) * self._per_s)
        wait_s = 0.0 if level >= number else (number - level) / self._per_s
        self._levels[address] = (level if wait_s else level - number, now_s)
        if not wait_s:
            self._taken[address] += number
        return wait_s

    def taken(self) -> dict[str, int]:
        """Return who has taken a good part of a second's tokens since this was last asked, and how many.

        Those who have taken less are counted on.
        """
        least = max(1.0, self._per_s / 5)
        many = {address: number for address, number in self._taken.items() if number >= least}
        for address in many:
            del self._taken[address]
        if len(self._taken) > self.MOST:
            self._taken.clear()
        return many

    def spend(self, address: str, number: int) -> None:
        """Take tokens that another server has given out, as far as there are any."""
        self.take(address, number=0)
        level, then_s = self._levels[address]
        self._levels[address] = (max(0.0, level - number), then_s)


class Limits:
    """How much each address may ask for; shared between servers on one database."""

    def __init__(self, settings: Settings) -> None:
        self.buckets = {
            "requests": Buckets(settings.requests_per_s, settings.request_burst),
            "games": Buckets(settings.games_per_minute / 60, settings.game_burst),
        }


class Guard:
    """Middleware: refuses what is too much or comes from the wrong place, and sets the headers."""

    def __init__(self, app: ASGIApp, settings: Settings, limits: Limits) -> None:
        self._app = app
        self._settings = settings
        self._addresses = Addresses(settings)
        self._requests, self._games = limits.buckets["requests"], limits.buckets["games"]
        self._under_way: Counter[str] = Counter()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a request, or refuse it."""
        if scope["type"] == "http":
            await self._http(scope, receive, _with_headers(send))
        elif scope["type"] == "websocket":
            await self._websocket(scope, receive, send)
        else:
            await self._app(scope, receive, send)

    async def _http(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = Headers(scope=scope)
        address = client_address(scope, trust_proxy=self._settings.trust_proxy)
        refused = self._refuse(scope, headers, address)
        if refused:
            await refused(scope, receive, send)
            return
        with self._counted(address):
            if "content-length" in headers or "transfer-encoding" in headers:
                try:
                    body = await self._read(headers, receive)
                except _TooLargeError:
                    facts = {"bytes": self._settings.max_body_bytes}
                    refused = _refusal(scope, 413, "error.body_large", facts, connection="close")
                    await refused(scope, receive, send)
                    return
                if body is None:
                    return  # the client has gone
                receive = _replay(body, receive)
            await self._app(scope, receive, send)

    async def _websocket(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = Headers(scope=scope)
        host = headers.get("host", "")
        origin = headers.get("origin")
        address = client_address(scope, trust_proxy=self._settings.trust_proxy)
        known = self._addresses.knows(host) and self._addresses.allows(origin, host)
        if not known or self._is_crowded(address) or self._requests.take(address):
            await receive()  # websocket.connect
            await send({"type": "websocket.close", "code": 1008, "reason": ""})
            return
        with self._counted(address):
            await self._app(scope, receive, send)

    def _refuse(self, scope: Scope, headers: Headers, address: str) -> JSONResponse | None:
        host = headers.get("host", "")
        if not self._addresses.knows(host):
            return _refusal(scope, 400, "error.unknown_host")
        if scope["path"] == "/healthz":
            return None
        is_change = scope["method"] not in ("GET", "HEAD", "OPTIONS")
        if is_change and not self._addresses.allows(headers.get("origin"), host):
            return _refusal(scope, 403, "error.other_site")
        if self._is_crowded(address):
            return _refusal(scope, 429, "error.crowded", retry_after="1")
        wait_s = self._requests.take(address)
        if not wait_s and is_change and scope["path"].rstrip("/") in ("/api/games", "/api/rooms"):
            wait_s = self._games.take(address)
        if wait_s:
            return _refusal(scope, 429, "error.too_fast", retry_after=str(math.ceil(wait_s)))
        return None

    def _is_crowded(self, address: str) -> bool:
        """Whether *address* has as many requests under way as it may have connections.

        Behind a proxy this is the limit of connections for a person: there, all come from the proxy.
        """
        is_crowded = self._under_way[address] >= self._settings.connections_per_address
        if is_crowded:
            log.warning("too many requests of one address at the same time", extra={"address": address})
        return is_crowded

    @contextmanager
    def _counted(self, address: str) -> Iterator[None]:
        asking.set(address)
        self._under_way[address] += 1
        try:
            yield
        finally:
            self._under_way[address] -= 1
            if not self._under_way[address]:
                del self._under_way[address]

    async def _read(self, headers: Headers, receive: Receive) -> bytes | None:
        most = self._settings.max_body_bytes
        length = headers.get("content-length", "0")
        if not length.isdecimal() or int(length[:20]) > most:
            raise _TooLargeError
        body = bytearray()
        while True:
            message = await receive()
            if message["type"] != "http.request":
                return None
            body += message.get("body", b"")
            if len(body) > most:
                raise _TooLargeError
            if not message.get("more_body", False):
                return bytes(body)


class _TooLargeError(Exception):
    pass


def _replay(body: bytes, receive: Receive) -> Receive:
    """Return a `receive` that hands out *body*, and after it whatever the client does next."""
    waiting = [body]

    async def replayed() -> Message:
        if waiting:
            return {"type": "http.request", "body": waiting.pop(), "more_body": False}
        return await receive()

    return replayed


def _with_headers(send: Send) -> Send:
    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            own = message["headers"]
            names = {name for name, _ in own}
            missing = [header for header in _ENCODED if header[0] not in names]
            message["headers"] = [header for header in own if header[1]] + missing
        await send(message)

    return sending


def _refusal(
    scope: Scope, status: int, code: str, facts: dict[str, Any] | None = None, **headers: str
) -> JSONResponse:
    """Return a refusal; the names of *headers* have `_` for `-`."""
    fields = {name.replace("_", "-"): value for name, value in headers.items()}
    return refusal(HTTPConnection(scope), status, FourcastError(code, facts=facts or {}), fields)
