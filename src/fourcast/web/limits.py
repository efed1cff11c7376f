"""What the server lets in, how much of it, and the headers that it sends with every answer."""

from __future__ import annotations

import ipaddress
import json
import math
import re
import socket
import time
from collections import OrderedDict
from typing import Final
from urllib.parse import urlsplit

import anyio
from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from fourcast.web.settings import Settings

__all__ = ["Addresses", "Buckets", "Guard", "client_address"]

BODY_TIME_S: Final = 15.0
"""How long a client may take to send a request of at most `max_body_bytes`."""

CONTENT_SECURITY_POLICY: Final = "; ".join(
    [
        "default-src 'none'",
        "script-src 'self'",
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

# A route may say otherwise: what it has set is left as it is.
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


# ---- Who is asking, and where from -------------------------------------------------------------------


def client_address(scope: Scope, *, trust_proxy: bool) -> str:
    """Return whom to count a request for: an IPv4 address, or the network of an IPv6 address.

    A proxy appends the address it was called from, so that the last one is the only one to believe.
    """
    address = (scope.get("client") or ("unknown", 0))[0]
    if trust_proxy:
        forwarded = Headers(scope=scope).getlist("x-forwarded-for")
        last = ",".join(forwarded).rpartition(",")[2].strip()
        address = last or address
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return str(address)[:64]
    if isinstance(parsed, ipaddress.IPv6Address):
        if parsed.ipv4_mapped:
            return str(parsed.ipv4_mapped)
        # A household has a whole /64 to itself and may use any address of it.
        return str(ipaddress.ip_network((parsed, 64), strict=False).network_address)
    return str(parsed)


class Addresses:
    """By which names the server is known, and which pages may talk to it.

    A page of another site could have its own name lead to this machine ("DNS rebinding"), so that a
    `Host` has to be a number, a name of this machine or of the settings' origins.
    """

    def __init__(self, settings: Settings) -> None:
        machine = socket.gethostname().lower()
        self._origins = set(settings.origins)
        self._names = {"localhost", settings.host.lower(), machine, f"{machine}.local"}
        self._names |= {urlsplit(origin).hostname or "" for origin in settings.origins}

    def knows(self, host: str) -> bool:
        """Whether a `Host` header is one of ours."""
        name, is_number = _name_of(host)
        return is_number or name in self._names

    def allows(self, origin: str | None, host: str) -> bool:
        """Whether a page of *origin* may change games and open sockets; a program has no origin."""
        if origin is None or origin in self._origins:
            return True
        match = re.fullmatch(r"(https?)://([^/?#@\s]+)", origin)
        if not match:
            return False
        port = {"http": ":80", "https": ":443"}[match[1]]
        return match[2].lower().removesuffix(port) == host.lower().removesuffix(port)


def _name_of(host: str) -> tuple[str, bool]:
    """Return the name in a `Host` header, and whether it is a number."""
    match = re.fullmatch(r"(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9.-]+)(:\d{1,5})?", host)
    if not match:
        return "", False
    name = match[1].strip("[]").lower().rstrip(".")
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return name, False
    return name, True


# ---- How much ----------------------------------------------------------------------------------------


class Buckets:
    """Token buckets by address: *burst* at once, *per_s* in the long run."""

    MOST = 20_000
    """Addresses remembered; of more, the one not heard of for longest is forgotten."""

    def __init__(self, per_s: float, burst: int) -> None:
        self._per_s = per_s
        self._burst = float(burst)
        self._levels: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def take(self, address: str, now_s: float | None = None) -> float:
        """Take one token and return 0, or return after how many seconds there will be one."""
        now_s = time.monotonic() if now_s is None else now_s
        level, then_s = self._levels.pop(address, (self._burst, now_s))
        level = min(self._burst, level + (now_s - then_s) * self._per_s)
        wait_s = 0.0 if level >= 1 else (1 - level) / self._per_s
        self._levels[address] = (level if wait_s else level - 1, now_s)
        if len(self._levels) > self.MOST:
            self._levels.popitem(last=False)
        return wait_s


class Guard:
    """Middleware: refuses what is too much or comes from the wrong place, and sets the headers."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self._app = app
        self._settings = settings
        self._addresses = Addresses(settings)
        self._requests = Buckets(settings.requests_per_s, settings.request_burst)
        self._games = Buckets(settings.games_per_minute / 60, settings.game_burst)

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
        refusal = self._refuse(scope, headers)
        if refusal:
            await _answer(send, *refusal)
            return
        if "content-length" in headers or "transfer-encoding" in headers:
            try:
                with anyio.fail_after(BODY_TIME_S):
                    body = await self._read(headers, receive)
            except _TooLargeError:
                most = self._settings.max_body_bytes
                await _answer(
                    send, 413, f"a request may have {most} bytes at most", {"connection": "close"}
                )
                return
            except TimeoutError:
                await _answer(send, 408, "the request took too long to arrive", {"connection": "close"})
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
        if not known or self._requests.take(address):
            await receive()  # websocket.connect
            await send({"type": "websocket.close", "code": 1008, "reason": ""})
            return
        await self._app(scope, receive, send)

    def _refuse(self, scope: Scope, headers: Headers) -> tuple[int, str, dict[str, str]] | None:
        host = headers.get("host", "")
        if not self._addresses.knows(host):
            text = "this server is not known by that name; FOURCAST_ORIGINS tells it its names"
            return 400, text, {}
        if scope["path"] == "/healthz":
            return None
        is_change = scope["method"] not in ("GET", "HEAD", "OPTIONS")
        if is_change and not self._addresses.allows(headers.get("origin"), host):
            return 403, "a page of another site may not do that", {}
        address = client_address(scope, trust_proxy=self._settings.trust_proxy)
        wait_s = self._requests.take(address)
        if not wait_s and is_change and scope["path"].rstrip("/") == "/api/games":
            wait_s = self._games.take(address)
        if wait_s:
            text = "that was too much at once; wait a little"
            return 429, text, {"retry-after": str(math.ceil(wait_s))}
        return None

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
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                headers.setdefault(name, value)
        await send(message)

    return sending


async def _answer(send: Send, status: int, detail: str, headers: dict[str, str] | None = None) -> None:
    body = json.dumps({"detail": detail}).encode()
    fields = {"content-type": "application/json", "content-length": str(len(body)), **(headers or {})}
    raw = [(name.encode(), value.encode()) for name, value in fields.items()]
    await send({"type": "http.response.start", "status": status, "headers": raw})
    await send({"type": "http.response.body", "body": body})
