"""The address that a request counts for, and the names by which the server is known."""

from __future__ import annotations

import ipaddress
import re
import socket
from contextvars import ContextVar
from functools import lru_cache
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.types import Scope

from fourcast.web.settings import Settings

__all__ = ["Addresses", "asking", "client_address", "person_at"]

asking: ContextVar[str] = ContextVar("asking", default="")
"""The address that work counts for: of the request that is being served, or that began it."""


def client_address(scope: Scope, *, trust_proxy: bool) -> str:
    """Return the address that a request counts for, as `person_at` writes it.

    A proxy appends the address it was called from, so only the last one of the header is believed, and
    only if the settings name a proxy. Anything that is not an address counts for the proxy itself.
    """
    peer = (scope.get("client") or ("unknown", 0))[0]
    if trust_proxy:
        forwarded = Headers(scope=scope).getlist("x-forwarded-for")
        person = person_at(",".join(forwarded).rpartition(",")[2].strip()[:64])
        if person is not None:
            return person
    return person_at(peer) or str(peer)[:64]


@lru_cache(4096)
def person_at(text: str) -> str | None:
    """Return one name for all the addresses that a person has at a time; None if *text* is none.

    That is an IPv4 address, or the /64 network of an IPv6 address: a household has all of it. A port and
    a zone are left out.

    >>> person_at("1.2.3.4:5678"), person_at("[2001:db8::7]:443"), person_at("::ffff:1.2.3.4")
    ('1.2.3.4', '2001:db8::', '1.2.3.4')
    """
    text = text.strip('"')
    bare = re.fullmatch(r"\[([^\]]*)\](?::\d+)?|([^:]+)(?::\d+)?", text)
    if bare:
        text = bare[1] or bare[2] or ""
    try:
        address = ipaddress.ip_address(text.partition("%")[0])
    except ValueError:
        return None
    if isinstance(address, ipaddress.IPv6Address):
        if address.ipv4_mapped:
            return str(address.ipv4_mapped)
        return str(ipaddress.ip_network((address, 64), strict=False).network_address)
    return str(address)


class Addresses:
    """The names by which the server is known, and the sites whose pages may talk to it.

    A page of another site could have its own name lead to this machine ("DNS rebinding"). So a `Host`
    has to be an IP address, a name of this machine, or the name of one of the settings' origins.
    """

    def __init__(self, settings: Settings) -> None:
        machine = socket.gethostname().lower()
        self._origins = set(settings.origins)
        self._names = {"localhost", settings.host.lower(), machine, f"{machine}.local"}
        self._names |= {urlsplit(origin).hostname or "" for origin in settings.origins}

    def knows(self, host: str) -> bool:
        """Whether a `Host` header names this server."""
        match = re.fullmatch(r"(\[[0-9A-Fa-f:.]{2,64}\]|[A-Za-z0-9.-]{1,255})(:\d{1,5})?", host)
        if not match:
            return False
        name = match[1].strip("[]").lower().rstrip(".")
        return name in self._names or person_at(name) is not None

    def allows(self, origin: str | None, host: str) -> bool:
        """Whether a page of *origin* may change games and open sockets; a program has no origin."""
        if origin is None or origin in self._origins:
            return True
        match = re.fullmatch(r"(https?)://([^/?#@\s]+)", origin)
        if not match:
            return False
        port = {"http": ":80", "https": ":443"}[match[1]]
        return match[2].lower().removesuffix(port) == host.lower().removesuffix(port)
