"""News between servers on one database: which games have changed, as `game:seq`.

News carry no state: that is read from the database. So a lost notice does no harm, and neither does one
that comes twice, late, or for nothing. Servers look into the database anyway when they may have missed
some, and now and then (`GameService`).

Three ways, with the same three methods:

- `Alone`: one process, whose clients are told directly (SQLite);
- `PostgresNews`: LISTEN and NOTIFY of PostgreSQL. A notice is part of the transaction that it tells of;
- `RedisNews`: a channel of Redis. A notice is sent when the transaction is committed.
"""

from __future__ import annotations

import asyncio
import logging
import random
import zlib
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import sqlalchemy as sa

from fourcast.errors import FourcastError, missing_extra

__all__ = ["Alone", "News", "PostgresNews", "RedisNews", "make_news"]

log = logging.getLogger("fourcast.web")

CHANNEL = "fourcast"
MOST_BYTES = 7_900
"""PostgreSQL takes payloads below 8,000 bytes."""
FIRST_PAUSE_S, LONGEST_PAUSE_S = 0.1, 5.0
"""Pauses between attempts to reconnect; each is twice the last one."""
SILENCE_S = 10.0
"""After this time without news the connection is tried."""

Heard = Callable[[Sequence[str]], object]
Missed = Callable[[], object]


class News(ABC):
    """What servers on one database tell each other."""

    is_shared = True
    """Whether there may be other servers."""
    is_transactional = False
    """Whether `publish` takes part in the transaction; else it is called after the commit."""

    @abstractmethod
    def publish(self, words: Sequence[str], connection: sa.Connection | None) -> None:
        """Tell all servers. Called on the thread that writes."""

    @abstractmethod
    def listen(self, heard: Heard, missed: Missed) -> None:
        """Call *heard* with news on the event loop, and *missed* whenever some may have been lost."""

    @abstractmethod
    async def close(self) -> None:
        """Listen no longer."""


class Alone(News):
    """One process: there is nobody to tell."""

    is_shared = False

    def publish(self, words: Sequence[str], connection: sa.Connection | None) -> None:
        """Do nothing."""

    def listen(self, heard: Heard, missed: Missed) -> None:
        """Do nothing."""

    async def close(self) -> None:
        """Do nothing."""


class _Listening(News):
    """Listens on one connection of its own, which is opened again whenever it is lost."""

    _task: asyncio.Task[None] | None = None

    def listen(self, heard: Heard, missed: Missed) -> None:
        """Listen from now on."""
        self._task = asyncio.create_task(self._listen(heard, missed))

    async def close(self) -> None:
        """Listen no longer."""
        if self._task:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def _listen(self, heard: Heard, missed: Missed) -> None:
        pause_s = FIRST_PAUSE_S
        while True:
            try:
                async for payload in self._payloads():
                    if payload is None:  # connected: what happened before was not heard
                        pause_s = FIRST_PAUSE_S
                        missed()
                    else:
                        heard(payload.split())
            except asyncio.CancelledError:
                raise
            except Exception as error:
                # In the message there may be an address with a password.
                text = "news of other servers are not heard"
                log.warning(text, extra={"error": type(error).__name__, "pause_s": round(pause_s, 1)})
            await asyncio.sleep(pause_s * random.uniform(0.5, 1.0))
            pause_s = min(LONGEST_PAUSE_S, 2 * pause_s)

    @abstractmethod
    def _payloads(self) -> Any:
        """Return what to iterate over: None when connected, then payloads. Raises when that is lost."""


class PostgresNews(_Listening):
    """LISTEN and NOTIFY on the games' own database."""

    is_transactional = True

    def __init__(self, url: str) -> None:
        # As libpq knows it: without the name of SQLAlchemy's driver.
        self._url = (
            sa.engine.make_url(url).set(drivername="postgresql").render_as_string(hide_password=False)
        )

    def publish(self, words: Sequence[str], connection: sa.Connection | None) -> None:
        """Notify all servers when *connection* commits."""
        if connection is None:
            raise ValueError("PostgreSQL sends news with a transaction")
        for payload in _payloads(words):
            connection.execute(_NOTIFY, {"channel": CHANNEL, "payload": payload})

    async def _payloads(self) -> Any:
        import psycopg

        connection = await psycopg.AsyncConnection.connect(
            self._url,
            autocommit=True,
            connect_timeout=5,
            application_name="fourcast news",
            keepalives_idle=10,
            keepalives_interval=5,
            keepalives_count=2,
        )
        async with connection:
            await connection.execute(f"LISTEN {CHANNEL}")
            yield None
            while True:
                async for notice in connection.notifies(timeout=SILENCE_S):
                    yield notice.payload
                await asyncio.wait_for(connection.execute("SELECT 1"), SILENCE_S)


class RedisNews(_Listening):
    """A channel of Redis, named after the database, so that several sites can share one Redis."""

    def __init__(self, url: str, database_url: str) -> None:
        try:
            import redis
            import redis.asyncio
        except ImportError as error:
            raise missing_extra(f"Redis needs {error.name}", "redis") from None
        self._channel = f"{CHANNEL}-{zlib.crc32(database_url.encode()):08x}"
        options: dict[str, Any] = {"socket_timeout": 2, "socket_connect_timeout": 2}
        try:
            self._sender = redis.Redis.from_url(url, **options)
            self._receiver = redis.asyncio.Redis.from_url(url, socket_connect_timeout=5)
        except ValueError:
            raise FourcastError("the address of Redis should be like redis://host:6379/0") from None
        self._failed: type[Exception] = redis.RedisError

    def publish(self, words: Sequence[str], connection: sa.Connection | None) -> None:  # noqa: ARG002
        """Send to all servers. If that fails, they find out when they next look into the database."""
        try:
            for payload in _payloads(words):
                self._sender.publish(self._channel, payload)
        except self._failed as error:
            log.warning("news could not be sent", extra={"error": type(error).__name__})

    async def close(self) -> None:
        """Listen no longer."""
        await super().close()
        await self._receiver.aclose()
        self._sender.close()

    async def _payloads(self) -> Any:
        async with self._receiver.pubsub(ignore_subscribe_messages=True) as channel:
            await channel.subscribe(self._channel)
            yield None
            while True:
                message = await channel.get_message(timeout=SILENCE_S)
                if message is not None:
                    yield message["data"].decode()
                else:
                    await channel.ping()


_NOTIFY = sa.text("SELECT pg_notify(:channel, :payload)")


def _payloads(words: Sequence[str]) -> Iterator[str]:
    """Put words together, as many as fit: each payload takes its turn at one lock of the database."""
    payload = ""
    for word in words:
        if payload and len(payload) + 1 + len(word) > MOST_BYTES:
            yield payload
            payload = ""
        payload = f"{payload} {word}" if payload else word
    if payload:
        yield payload


def make_news(database_url: str, redis_url: str = "") -> News:
    """Return the way that fits a database. Raises `FourcastError` if there is none."""
    if sa.engine.make_url(database_url).get_backend_name() == "sqlite":
        if redis_url:
            raise FourcastError("several servers need PostgreSQL, and the games are kept in SQLite")
        return Alone()
    return RedisNews(redis_url, database_url) if redis_url else PostgresNews(database_url)
