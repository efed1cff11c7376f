"""`fourcast serve --check`: what a server would lack on this machine, with these settings."""

from __future__ import annotations

import asyncio
import ipaddress
import logging
from collections.abc import Callable, Iterator

from fourcast.errors import FourcastError
from fourcast.web.games.news import make_news
from fourcast.web.games.store import Store, only_server
from fourcast.web.serve import check_files, check_memory, listen
from fourcast.web.server.self_check import prove_limits
from fourcast.web.settings import Settings

__all__ = ["check"]


def check(settings: Settings) -> Iterator[tuple[str, str | None, bool]]:
    """Return what is looked at, what is wrong with it, and whether it keeps a server from starting."""
    logging.getLogger("fourcast").setLevel(logging.CRITICAL)
    is_sqlite = settings.database_url.startswith("sqlite")
    what = "SQLite, for one server" if is_sqlite else "PostgreSQL, for any number of servers"
    yield f"database: {what}", _trouble(lambda: _try_database(settings)), True
    yield (
        f"address: {settings.host} port {settings.port}",
        _trouble(lambda: listen(settings.host, settings.port).close()),
        True,
    )
    yield "open files (ulimit -n)", _trouble(check_files), True
    yield "memory (ulimit -v)", _trouble(check_memory), True
    yield "limits on connections", _trouble(lambda: asyncio.run(_prove_limits())), True
    yield "names of the server", _names(settings), False
    yield "proxy", _proxy(settings), False


async def _prove_limits() -> None:
    prove_limits()  # they belong to an event loop


def _trouble(call: Callable[[], object]) -> str | None:
    try:
        call()
    except FourcastError as error:
        return str(error)
    return None


def _try_database(settings: Settings) -> None:
    news = make_news(settings.database_url, settings.redis_url)
    with only_server(settings.database_url):
        store = Store(settings.database_url, news)
        try:
            store.count()
        finally:
            store.close()


def _is_local(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _names(settings: Settings) -> str | None:
    if settings.origins or _is_local(settings.host):
        return None
    return (
        "people reach it by its address only; for a name set FOURCAST_ORIGINS, as in "
        "https://play.example.org"
    )


def _proxy(settings: Settings) -> str | None:
    if any(origin.startswith("https:") for origin in settings.origins) and not settings.trust_proxy:
        return (
            "an https address needs a proxy, and without FOURCAST_TRUST_PROXY=yes all people count as "
            "one address"
        )
    if settings.trust_proxy and not _is_local(settings.host):
        return (
            "FOURCAST_TRUST_PROXY believes whoever connects: only your proxy may reach "
            f"{settings.host} port {settings.port}"
        )
    return None
