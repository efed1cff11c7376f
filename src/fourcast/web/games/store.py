"""Games in a database: SQLite by default, PostgreSQL if the settings say so.

What `Store.change` has returned is committed and survives a `kill -9`. Two guards in the database itself
ensure that no change is lost or made twice, even if another server uses the same database: a game's row
is only ever replaced if its `seq` is the one that was read, and of two discs for one ply the primary
key of `moves` refuses the second. A server that is too late reads again and decides again.

Servers that share a PostgreSQL tell each other what has changed (`news`), and who is connected to them.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, MutableMapping, Sequence
from contextlib import contextmanager
from dataclasses import fields
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from cachetools import LRUCache
from sqlalchemy.exc import IntegrityError, InterfaceError, OperationalError
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

from fourcast.errors import FourcastError, missing_extra
from fourcast.locks import lock_file
from fourcast.web.games.news import Alone, News
from fourcast.web.games.rules import Chair, Clock, Move, Record, made_by
from fourcast.web.rooms.room import Room

__all__ = ["Presence", "Rule", "Store", "StoreError", "Transaction", "Write", "only_server"]

SCHEMA = 2
"""The version of the tables. A later fourcast that changes them has to convert the old ones."""

ATTEMPTS = 10
"""How often a change is tried if another server changes the same game each time."""

TOO_OFTEN = f"others changed the same game {ATTEMPTS} times; try again"
DAY_MS = 86_400_000
LOCKED_S = 1.0
"""How long to wait for a SQLite database that another process has locked. A request may have to wait for
three others that do."""
LOCKED_MS = 2_000
"""The same for PostgreSQL; a statement there may take three times as long in all."""
PAGE_VERSIONS = 5
"""Versions of the page whose files are kept."""
HARDLY_BEGUN = 4
"""Games with fewer discs are the first to go when there are too many."""
QUIET_BEATS = 3
"""A server that has been quiet for this many of our own beats is not running: its entry is deleted."""
RETRIED = ("40P01", "40001")
"""States of PostgreSQL after which the same writes may succeed: a deadlock, and a conflict."""

# The database itself is in the way, so that another attempt would only wait again.
_GONE = (OperationalError, InterfaceError, sa.exc.TimeoutError)


class StoreError(FourcastError):
    """A database that cannot be used, or in which others keep changing the same game."""


class _Base(DeclarativeBase):
    pass


class _Schema(_Base):
    __tablename__ = "fourcast_schema"
    version: Mapped[int] = mapped_column(primary_key=True)


class _Game(_Base):
    __tablename__ = "games"
    id: Mapped[str] = mapped_column(sa.String(32), primary_key=True)
    seq: Mapped[int]
    width: Mapped[int]
    height: Mapped[int]
    start: Mapped[str]
    opening: Mapped[str]
    undone: Mapped[str]  # "column:milliseconds", separated by spaces
    rewound: Mapped[int]
    first_kind: Mapped[str] = mapped_column(sa.String(8))
    first_name: Mapped[str]
    first_player: Mapped[str | None]
    first_token: Mapped[str | None] = mapped_column(sa.String(64))
    second_kind: Mapped[str] = mapped_column(sa.String(8))
    second_name: Mapped[str]
    second_player: Mapped[str | None]
    second_token: Mapped[str | None] = mapped_column(sa.String(64))
    outcome: Mapped[str]
    draw_by: Mapped[int]
    takeback_by: Mapped[int]
    rematch_by: Mapped[int]
    rematch_id: Mapped[str | None] = mapped_column(sa.String(32))
    created_ms: Mapped[int] = mapped_column(sa.BigInteger)
    updated_ms: Mapped[int] = mapped_column(sa.BigInteger, index=True)
    # Since version 2 of the tables; numbers are separated by spaces.
    clock: Mapped[str] = mapped_column(server_default="")
    points: Mapped[str] = mapped_column(server_default="0 0")
    room_id: Mapped[str | None] = mapped_column(sa.String(32))


class _Move(_Base):
    __tablename__ = "moves"
    game_id: Mapped[str] = mapped_column(sa.ForeignKey("games.id", ondelete="CASCADE"), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    column: Mapped[int] = mapped_column("col")
    stamp_ms: Mapped[int] = mapped_column(sa.BigInteger)
    __table_args__ = {  # noqa: RUF012
        "sqlite_with_rowid": False
    }


class _Server(_Base):
    """The servers that use this database. Each one counts up while it runs: no clock is needed."""

    __tablename__ = "fourcast_servers"
    id: Mapped[str] = mapped_column(sa.String(32), primary_key=True)
    beats: Mapped[int]


class _Presence(_Base):
    """Who is connected to a game, on each of several servers."""

    __tablename__ = "fourcast_presence"
    game_id: Mapped[str] = mapped_column(sa.String(32), primary_key=True)
    server_id: Mapped[str] = mapped_column(sa.String(32), primary_key=True, index=True)
    sides: Mapped[int]  # a bit for each
    spectators: Mapped[int]


class _Room(_Base):
    """Rooms, as JSON: all of a room is read and written together."""

    __tablename__ = "rooms"
    id: Mapped[str] = mapped_column(sa.String(32), primary_key=True)
    seq: Mapped[int]
    content: Mapped[str]
    updated_ms: Mapped[int] = mapped_column(sa.BigInteger, index=True)


class _PageFile(_Base):
    """Files of the page, zipped, by the version that names them; see `Store.keep_page`."""

    __tablename__ = "fourcast_page_files"
    version: Mapped[str] = mapped_column(sa.String(16), primary_key=True)
    name: Mapped[str] = mapped_column(sa.String(80), primary_key=True)
    media_type: Mapped[str]
    content: Mapped[bytes]
    added_ms: Mapped[int] = mapped_column(sa.BigInteger)


class _Clock(_Base):
    """The time by which games grow old; see `Store.advance_clock`."""

    __tablename__ = "fourcast_clock"
    id: Mapped[int] = mapped_column(primary_key=True)
    now_ms: Mapped[int] = mapped_column(sa.BigInteger)


_games: sa.Table = _Base.metadata.tables["games"]
_moves: sa.Table = _Base.metadata.tables["moves"]
_schema: sa.Table = _Base.metadata.tables["fourcast_schema"]
_servers: sa.Table = _Base.metadata.tables["fourcast_servers"]
_rooms: sa.Table = _Base.metadata.tables["rooms"]
_presence: sa.Table = _Base.metadata.tables["fourcast_presence"]
_page_files: sa.Table = _Base.metadata.tables["fourcast_page_files"]
_clock: sa.Table = _Base.metadata.tables["fourcast_clock"]


class _TooLateError(Exception):
    """Another server has changed the game since it was read."""


Presence = tuple[frozenset[int], int]
"""The sides that are connected to a game, and the number of spectators."""

Rule = Callable[[Record], Record]
"""Returns a game's next state, or the very same record if nothing changes; may raise."""

RoomRule = Callable[[Room], Sequence[Record]]
"""Changes a room that it is given, and returns the games that it has made; may raise."""

REMEMBERED = 1_000
"""Games that need not be read again before they are changed."""


class Transaction:
    """Changes that are committed together. A rule that raises has changed nothing."""

    def __init__(self, connection: sa.Connection, remembered: MutableMapping[str, Record]) -> None:
        self.changed: dict[str, Record] = {}
        self.rooms: dict[str, Room] = {}
        self.words: list[str] = []  # news besides the changed games
        self._connection = connection
        self._remembered = remembered

    def add(self, record: Record) -> Record:
        """Keep a new game."""
        _insert(self._connection, record)
        self.changed[record.id] = record
        return record

    def change(self, game_id: str, rule: Rule) -> Record | None:
        """Change a game by *rule* and return it; None if there is none of this name."""
        before = self.changed.get(game_id)
        if before is None and (before := self._remembered.get(game_id)):
            # Another server may have changed the game since. If *rule* has something to write, the
            # guards find out; if not, we have to look.
            try:
                after = rule(before)
            except FourcastError:
                after = before
            if after is not before:
                try:
                    return self._replace(before, after)
                except _TooLateError:
                    pass  # nothing was written yet: the row is read again
            before = None
        for _ in range(ATTEMPTS):
            before = before or _load(self._connection, game_id)
            if before is None:
                return None
            after = rule(before)
            if after is before:
                return after
            try:
                return self._replace(before, after)
            except _TooLateError:
                before = None
        raise StoreError(TOO_OFTEN)

    def show(self, server_id: str, present: Mapping[str, Presence]) -> None:
        """Write down who is connected to some games on a server."""
        for game_id, (sides, spectators) in sorted(present.items()):
            where = {"game_id": game_id, "server_id": server_id}
            there = sa.and_(_presence.c.game_id == game_id, _presence.c.server_id == server_id)
            values = {"sides": sum(1 << side for side in sides), "spectators": spectators}
            if not (sides or spectators):
                self._connection.execute(sa.delete(_presence).where(there))
            elif not self._connection.execute(sa.update(_presence).where(there).values(values)).rowcount:
                self._connection.execute(sa.insert(_presence).values(where | values))
            self.words.append(f"{game_id}:p")

    def add_room(self, room: Room) -> None:
        """Keep a new room."""
        room.updated_ms = time.time_ns() // 1_000_000
        self._connection.execute(sa.insert(_rooms).values(_room_row(room)))
        self.rooms[room.id] = room

    def change_room(self, room_id: str, rule: RoomRule) -> Room | None:
        """Change a room by *rule*, keep the games that it makes, and return the room."""
        for _ in range(ATTEMPTS):
            before = self.rooms.get(room_id) or _load_room(self._connection, room_id)
            if before is None:
                return None
            room = before.model_copy(deep=True)
            games = rule(room)
            if room == before:
                return before
            room.seq, room.updated_ms = before.seq + 1, time.time_ns() // 1_000_000
            same = sa.and_(_rooms.c.id == room_id, _rooms.c.seq == before.seq)
            values = _room_row(room)
            if self._connection.execute(sa.update(_rooms).where(same).values(values)).rowcount == 1:
                self.rooms[room_id] = room
                for game in games:
                    self.add(game)
                return room
            self.rooms.pop(room_id, None)
        raise StoreError(TOO_OFTEN)

    def _note(self, record: Record) -> None:
        """Tell the room of a game what has become of it, in the same transaction."""

        def note(room: Room) -> Sequence[Record]:
            room.note(record)
            return ()

        if record.room_id:
            self.change_room(record.room_id, note)

    def tell(self, words: Sequence[str]) -> None:
        """Tell the other servers something, together with what is written."""
        self.words += words

    def _replace(self, before: Record, after: Record) -> Record:
        _update(self._connection, before, after)
        self.changed[after.id] = after
        made = made_by(before, after)
        if made:
            self.add(made)
        if after.room_id and (made or after.standing["result"]):
            self._note(made or after)
        return after


Write = Callable[[Transaction], "Record | None"]


class Store:
    """The games of one database. Its methods block; each may be called from any thread."""

    def __init__(self, url: str, news: News | None = None) -> None:
        self._news = news or Alone()
        self._engine = _make_engine(url)
        self._stale: set[str] = set()
        self.on_rooms: Callable[[list[Room]], object] = lambda _: None
        """Called with rooms that have changed, on the thread that writes."""
        self._is_sqlite = self._engine.dialect.name == "sqlite"
        self._remembered: LRUCache[str, Record] = LRUCache(REMEMBERED)
        self._lock = threading.Lock()
        self.was_forgotten = False
        """Whether the other servers had given up this one when it last beat."""
        # How often each other server has beaten, and for how many of our beats it has been quiet.
        self._others: dict[str, tuple[int, int]] = {}
        try:
            self._prepare()
        except StoreError:
            self.close()
            raise
        except (sa.exc.SQLAlchemyError, ValueError) as error:  # a damaged file may hold any text
            self.close()
            raise StoreError(f"games cannot be kept in {_shown(url)}: {_cause(error)}") from error

    def close(self) -> None:
        """Let go of the database."""
        self._engine.dispose()

    def forget(self, game_id: str) -> None:
        """Read a game again before it is next changed: another server has changed it."""
        self._stale.add(game_id)

    def load_many(self, ids: Sequence[str]) -> tuple[list[Record], dict[str, dict[str, Presence]]]:
        """Return the games of these names, and who is connected to each of them, by server."""
        present: dict[str, dict[str, Presence]] = {game_id: {} for game_id in ids}
        with self._engine.connect() as connection:
            records = [record for game_id in ids if (record := _load(connection, game_id))]
            for row in connection.execute(sa.select(_presence).where(_presence.c.game_id.in_(ids))):
                sides = frozenset(side for side in (1, 2) if row.sides >> side & 1)
                present[row.game_id][row.server_id] = sides, row.spectators
        return records, present

    def load_room(self, room_id: str) -> tuple[Room | None, dict[str, set[str]]]:
        """Return a room, and which of its members are connected, by server."""
        present: dict[str, set[str]] = {}
        with self._engine.connect() as connection:
            room = _load_room(connection, room_id)
            there = _presence.c.game_id.like(f"{room_id.replace('_', '=_')}/%", escape="=")
            for row in connection.execute(sa.select(_presence).where(there)):
                present.setdefault(row.server_id, set()).add(row.game_id.partition("/")[2])
        return room, present

    def newer(self, known: Mapping[str, int]) -> list[str]:
        """Return which of some games are not at the seq that is *known* of them."""
        query = sa.select(_games.c.id, _games.c.seq).where(_games.c.id.in_(list(known)))
        with self._engine.connect() as connection:
            return [row.id for row in connection.execute(query) if row.seq != known[row.id]]

    def load(self, game_id: str) -> Record | None:
        """Return a game, or None if there is none of this name."""
        with self._engine.connect() as connection:
            return _load(connection, game_id)

    def add(self, record: Record) -> None:
        """Keep a new game."""
        self._write_one(lambda transaction: transaction.add(record))

    def change(self, game_id: str, rule: Rule) -> Record | None:
        """Change a game by *rule* and return it, committed; None if there is none of this name.

        *rule* may be called more than once. What it raises comes through, and nothing is changed.
        """
        return self._write_one(lambda transaction: transaction.change(game_id, rule))

    def write(self, writes: Sequence[Write]) -> list[Record | Exception | None]:
        """Do all of *writes* with one commit, which takes hardly longer than one alone.

        Returns for each what it has returned or raised. When this returns, the rest is committed.
        """
        try:
            return self._write_together(writes)
        except _GONE as error:
            if getattr(error.__cause__, "sqlstate", None) not in RETRIED:
                return [error] * len(writes)
        except Exception:  # one of the writes: the reason comes up again when it is tried by itself
            pass
        results: list[Record | Exception | None] = []
        for write in writes:
            try:
                results.append(self._write_one(write))
            except _GONE as error:  # noqa: PERF203
                return results + [error] * (len(writes) - len(results))
            except Exception as error:
                results.append(error)
        return results

    def _write_one(self, write: Write) -> Record | None:
        for _ in range(ATTEMPTS):
            try:
                (result,) = self._write_together([write])
            except IntegrityError:
                continue
            if isinstance(result, Exception):
                raise result
            return result
        raise StoreError(TOO_OFTEN)

    def _write_together(self, writes: Sequence[Write]) -> list[Record | Exception | None]:
        results: list[Record | Exception | None] = []
        with self._lock:  # SQLite has one writer at a time in any case, and its own waiting is clumsy
            stale, self._stale = self._stale, set()
            for game_id in stale:
                self._remembered.pop(game_id, None)
            try:
                with self._writing() as connection:
                    transaction = Transaction(connection, self._remembered)
                    for write in writes:
                        try:
                            results.append(write(transaction))
                        except FourcastError as error:  # noqa: PERF203
                            results.append(error)
                    words = transaction.words
                    if self._news.is_shared:
                        words += [f"{each.id}/:{each.seq}" for each in transaction.rooms.values()]
                        words += [f"{each.id}:{each.seq}" for each in transaction.changed.values()]
                    if words and self._news.is_transactional:
                        self._news.publish(words, connection)
            except BaseException:
                self._remembered.clear()
                raise
            self._remembered.update(transaction.changed)
        if transaction.rooms:
            self.on_rooms(list(transaction.rooms.values()))
        if words and not self._news.is_transactional:
            self._news.publish(words, None)
        return results

    def count(self) -> int:
        """Return how many games are kept."""
        with self._engine.connect() as connection:
            return connection.execute(_COUNT).scalar_one()

    def clean_up(
        self, *, older_than_ms: int, most: int, batch: int = 500, rooms_older_than_ms: int = 0
    ) -> tuple[int, int]:
        """Delete games last changed before *older_than_ms*, and of more than *most* the least worth.

        Those are empty games, then those that have hardly begun, the oldest ones of each first. At most
        *batch* of either kind. Returns how many old ones and how many too many were deleted. Rooms have
        their own age and the same *most*; those in which nobody has been go first.
        """
        by_age = sa.select(_games.c.id).order_by(_games.c.updated_ms)
        old_rooms = _rooms.c.updated_ms < rooms_older_than_ms
        with self._lock, self._writing() as connection:
            old = list(
                connection.scalars(by_age.where(_games.c.updated_ms < older_than_ms).limit(batch))
            )
            self._delete(connection, old)
            connection.execute(sa.delete(_rooms).where(old_rooms))
            rooms_too_many = connection.execute(_COUNT_ROOMS).scalar_one() - most
            if rooms_too_many > 0:
                least_worth = _ROOMS_BY_WORTH.limit(rooms_too_many)
                connection.execute(sa.delete(_rooms).where(_rooms.c.id.in_(least_worth)))
            surplus = connection.execute(_COUNT).scalar_one() - most
            extra = list(connection.scalars(_BY_WORTH.limit(min(surplus, batch)))) if surplus > 0 else []
            self._delete(connection, extra)
        return len(old), len(extra)

    def _delete(self, connection: sa.Connection, ids: Sequence[str]) -> None:
        if ids:
            connection.execute(sa.delete(_moves).where(_moves.c.game_id.in_(ids)))
            connection.execute(sa.delete(_games).where(_games.c.id.in_(ids)))
        for game_id in ids:
            self._remembered.pop(game_id, None)

    def keep_page(self, version: str, files: Mapping[str, tuple[str, bytes]]) -> None:
        """Keep the *files* of a version of the page, each with its type and zipped.

        So that any server, an older or a newer one, can send them to a page of that version.
        """
        mine = _page_files.c.version == version
        now_ms = time.time_ns() // 1_000_000
        rows = [
            {"version": version, "name": name, "media_type": kind, "content": data, "added_ms": now_ms}
            for name, (kind, data) in files.items()
        ]
        newest = sa.func.max(_page_files.c.added_ms).desc()
        by_age = sa.select(_page_files.c.version).group_by(_page_files.c.version).order_by(newest)
        try:
            with self._lock, self._writing() as connection:
                if connection.execute(sa.select(_page_files.c.name).where(mine).limit(1)).first():
                    return
                connection.execute(sa.insert(_page_files), rows)
                kept = list(connection.scalars(by_age.limit(PAGE_VERSIONS)))
                connection.execute(sa.delete(_page_files).where(_page_files.c.version.not_in(kept)))
        except IntegrityError:
            pass  # another server of this version has just done so

    def page_file(self, version: str, name: str) -> tuple[str, bytes] | None:
        """Return a file of a version of the page, its type and what it is when zipped."""
        where = sa.and_(_page_files.c.version == version, _page_files.c.name == name)
        found = sa.select(_page_files.c.media_type, _page_files.c.content).where(where)
        with self._engine.connect() as connection:
            row = connection.execute(found).one_or_none()
        return None if row is None else (row.media_type, row.content)

    def advance_clock(self, wall_ms: int, most_ms: int) -> int:
        """Return the time by which games grow old: *wall_ms*, but at most *most_ms* after the last one.

        Machines wake up with wrong clocks. This clock is kept in the database, and a jump of the wall
        clock, even at a restart, moves it no further than time can have passed, so it deletes nothing.
        """
        with self._lock, self._writing() as connection:
            before = connection.execute(sa.select(_clock.c.now_ms)).scalar()
            if before is None:
                newest = connection.execute(sa.select(sa.func.max(_games.c.updated_ms))).scalar()
                now_ms = wall_ms if newest is None else min(wall_ms, newest + most_ms)
                connection.execute(sa.insert(_clock).values(id=1, now_ms=now_ms))
            else:
                now_ms = min(wall_ms, before + most_ms)
                connection.execute(sa.update(_clock).values(now_ms=now_ms))
        return now_ms

    def beat(self, server_id: str) -> list[str]:
        """Show that the server of this name is running; return the names of the others that are.

        Another one counts once it has been seen to beat. Those that have stopped to are forgotten, and
        with them who was connected there.
        """
        own = _servers.c.id == server_id
        with self._lock, self._writing() as connection:
            beats = sa.update(_servers).where(own).values(beats=_servers.c.beats + 1)
            self.was_forgotten = not connection.execute(beats).rowcount
            if self.was_forgotten:
                connection.execute(sa.insert(_servers).values(id=server_id, beats=0))
            others = {row.id: row.beats for row in connection.execute(sa.select(_servers).where(~own))}
            quiet = {}
            for other, beats_now in others.items():
                before, since = self._others.get(other, (beats_now, QUIET_BEATS - 1))
                quiet[other] = (beats_now, since + 1 if beats_now == before else 0)
            dead = [other for other, (_, since) in quiet.items() if since > QUIET_BEATS]
            self._bury(connection, dead)
            self._others = quiet
        return sorted(other for other, (_, since) in quiet.items() if since < QUIET_BEATS)

    def end_beat(self, server_id: str) -> None:
        """Show that the server of this name has ended."""
        with self._lock, self._writing() as connection:
            self._bury(connection, [server_id])

    def _bury(self, connection: sa.Connection, servers: Sequence[str]) -> None:
        connection.execute(sa.delete(_servers).where(_servers.c.id.in_(servers)))
        there = _presence.c.server_id.in_(servers)
        games = connection.scalars(sa.select(_presence.c.game_id).where(there)).all()
        connection.execute(sa.delete(_presence).where(there))
        if games and self._news.is_transactional:
            self._news.publish([f"{game_id}:p" for game_id in games], connection)

    @contextmanager
    def _writing(self) -> Iterator[sa.Connection]:
        with self._engine.connect() as connection:
            if self._is_sqlite:
                # Reads may not come first: a transaction that becomes one of writing when another has
                # written in between fails at once, without waiting for its turn.
                connection.exec_driver_sql("BEGIN IMMEDIATE")
            yield connection
            connection.commit()

    def _prepare(self) -> None:
        with self._writing() as connection:
            if self._is_sqlite:
                _Base.metadata.create_all(connection)
            else:
                # Two servers that start at once must not both create the tables.
                connection.execute(sa.text("SELECT pg_advisory_xact_lock(4100717)"))
                _Base.metadata.create_all(connection)
            version = connection.execute(sa.select(_schema.c.version)).scalar()
            if version == 1:
                for column in ("clock", "points", "room_id"):
                    added = sa.schema.CreateColumn(_games.c[column]).compile(self._engine)
                    connection.exec_driver_sql(f"ALTER TABLE games ADD COLUMN {added}")
                connection.execute(sa.update(_schema).values(version=SCHEMA))
            elif version is None:
                connection.execute(sa.insert(_schema).values(version=SCHEMA))
            elif version != SCHEMA:
                raise StoreError(
                    f"the games were stored by another version of fourcast (tables {version}, "
                    f"here {SCHEMA}); nothing was changed"
                )


@contextmanager
def only_server(url: str) -> Iterator[None]:
    """Keep other servers from a file of SQLite for as long as this lasts. Raises `StoreError`."""
    parsed = sa.engine.make_url(url)
    if parsed.get_backend_name() != "sqlite":
        yield
        return
    file = os.open(f"{parsed.database}-server", os.O_CREAT | os.O_RDWR, 0o600)
    try:
        lock_file(file)
    except BlockingIOError:
        raise StoreError(
            f"another server runs on {parsed.database}, and SQLite is for one: stop that one, give this "
            "one another file (--database), or use PostgreSQL, which any number of servers can share"
        ) from None
    else:
        yield
    finally:
        os.close(file)


def _make_engine(url: str) -> sa.Engine:
    """Return the engine of a database. Raises `StoreError`, which shows no password."""
    try:
        parsed = sa.engine.make_url(url)
        if parsed.get_backend_name() != "sqlite":
            # A database that is not reached is a refusal within seconds, not a wait.
            limits = f"-c lock_timeout={LOCKED_MS} -c statement_timeout={3 * LOCKED_MS}"
            wanted = {"connect_timeout": 3, "options": limits}
            return sa.create_engine(parsed, pool_pre_ping=True, pool_size=5, connect_args=wanted)
    except ImportError as error:
        # SQLAlchemy names a driver that it does not know by its whole address otherwise.
        raise missing_extra(f"PostgreSQL needs {error.name or 'a driver'}", "postgresql") from None
    except (sa.exc.ArgumentError, ValueError):
        raise StoreError(
            "the address of the database cannot be read; "
            "it should be like postgresql://user:password@host:5432/name, "
            "with special characters in the password written as %40 and the like"
        ) from None
    if not parsed.database or parsed.database == ":memory:":
        raise StoreError("a database in memory would lose its games; give the name of a file")
    try:
        path = Path(parsed.database)
        path.parent.mkdir(parents=True, exist_ok=True)
        # It holds people's names and hashes of their secrets: only its owner may read it.
        os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
    except OSError as error:
        raise StoreError(f"games cannot be kept in {_shown(url)}: {error.strerror}") from None
    engine = sa.create_engine(parsed, connect_args={"timeout": LOCKED_S, "isolation_level": None})

    @sa.event.listens_for(engine, "connect")
    def _on_connect(connection: Any, _: object) -> None:
        for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", "cache_size=-16000"):
            connection.execute(f"PRAGMA {pragma}").close()

    return engine


def _shown(url: str) -> str:
    """Return the address of a database for people: a query may hold secrets, too."""
    parsed = sa.engine.make_url(url)
    if parsed.get_backend_name() == "sqlite":
        return str(parsed.database)
    return f"the database {parsed.database} on {parsed.host or 'this machine'}"


# Statements are made once: to put one together takes longer than to run it.
_BY_WORTH = sa.select(_games.c.id).order_by(
    *(
        sa.exists().where(_moves.c.game_id == _games.c.id, _moves.c.number == number)
        for number in (0, HARDLY_BEGUN - 1)
    ),
    _games.c.updated_ms,
)
_COUNT = sa.select(sa.func.count()).select_from(_games)
_ROOMS_BY_WORTH = sa.select(_rooms.c.id).order_by(_rooms.c.seq > 1, _rooms.c.updated_ms)
_COUNT_ROOMS = sa.select(sa.func.count()).select_from(_rooms)
_SELECT_GAME = sa.select(_games).where(_games.c.id == sa.bindparam("game"))
_SELECT_MOVES = (
    sa.select(_moves.c.col, _moves.c.stamp_ms)
    .where(_moves.c.game_id == sa.bindparam("game"))
    .order_by(_moves.c.number)
)


def _load_room(connection: sa.Connection, room_id: str) -> Room | None:
    found = connection.execute(sa.select(_rooms.c.content).where(_rooms.c.id == room_id)).scalar()
    try:
        return None if found is None else Room.model_validate_json(found)
    except ValueError as error:
        raise StoreError(f"the stored room {room_id} cannot be read") from error


def _room_row(room: Room) -> dict[str, Any]:
    content = room.model_dump_json()
    return {"id": room.id, "seq": room.seq, "content": content, "updated_ms": room.updated_ms}


def _load(connection: sa.Connection, game_id: str) -> Record | None:
    row = connection.execute(_SELECT_GAME, {"game": game_id}).mappings().one_or_none()
    if row is None:
        return None
    try:
        return _read(dict(row), connection.execute(_SELECT_MOVES, {"game": game_id}))
    except (ValueError, TypeError, AttributeError) as error:  # a damaged file may hold anything
        raise StoreError(f"the stored game {game_id} cannot be read") from error


def _read(values: dict[str, Any], discs: Iterable[Any]) -> Record:
    for number in ("first", "second"):
        kind, name, player, token = (
            values.pop(f"{number}_{part}") for part in ("kind", "name", "player", "token")
        )
        values[number] = Chair(kind, name, player, token)
    values["undone"] = tuple(
        Move(int(column), int(stamp))
        for column, stamp in (move.split(":") for move in values["undone"].split())
    )
    kind, *numbers = values["clock"].split() or [None]
    values["clock"] = _clock_of(kind, numbers) if kind else None
    first, second = map(int, values["points"].split())
    values["points"] = first, second
    return Record(**values, moves=tuple(Move(column, stamp) for column, stamp in discs))


def _clock_of(kind: str, numbers: Sequence[str]) -> Clock:
    time_s, increment_s, began_ms = map(int, numbers)
    began = None if began_ms < 0 else began_ms
    return Clock("move" if kind == "move" else "game", time_s, increment_s, began)


# Columns that hold what a record has under the same name.
_PLAIN = {column.name for column in _games.columns} & {field.name for field in fields(Record)}
_PLAIN -= {"clock", "points", "undone"}


def _row(record: Record) -> dict[str, Any]:
    values = {name: getattr(record, name) for name in _PLAIN}
    for number, chair in (("first", record.first), ("second", record.second)):
        values |= {
            f"{number}_kind": chair.kind,
            f"{number}_name": chair.name,
            f"{number}_player": chair.player,
            f"{number}_token": chair.token_hash,
        }
    clock = record.clock
    values["clock"] = ""
    if clock:
        began_ms = -1 if clock.began_ms is None else clock.began_ms
        values["clock"] = f"{clock.kind} {clock.time_s} {clock.increment_s} {began_ms}"
    values["points"] = " ".join(map(str, record.points))
    values["undone"] = " ".join(f"{move.column}:{move.stamp_ms}" for move in record.undone)
    return values


def _stones(record: Record, first: int) -> list[dict[str, Any]]:
    return [
        {"game_id": record.id, "number": number, "col": move.column, "stamp_ms": move.stamp_ms}
        for number, move in enumerate(record.moves[first:], start=first)
    ]


_INSERT_GAME = sa.insert(_games)
_INSERT_MOVE = sa.insert(_moves)
_UPDATE_GAME = (
    sa.update(_games)
    .where(_games.c.id == sa.bindparam("old_id"), _games.c.seq == sa.bindparam("old_seq"))
    .values({name: sa.bindparam(name) for name in _games.columns.keys() if name != "id"})  # noqa: SIM118
)
_DELETE_MOVES = sa.delete(_moves).where(
    _moves.c.game_id == sa.bindparam("game"), _moves.c.number >= sa.bindparam("least")
)


def _insert(connection: sa.Connection, record: Record) -> None:
    connection.execute(_INSERT_GAME, _row(record))
    if record.moves:
        connection.execute(_INSERT_MOVE, _stones(record, 0))


def _update(connection: sa.Connection, before: Record, after: Record) -> None:
    row = _row(after)
    row |= {"old_id": row.pop("id"), "old_seq": before.seq}
    if connection.execute(_UPDATE_GAME, row).rowcount != 1:
        raise _TooLateError
    same = 0
    while same < min(len(before.moves), len(after.moves)) and before.moves[same] == after.moves[same]:
        same += 1
    if same < len(before.moves):
        connection.execute(_DELETE_MOVES, {"game": before.id, "least": same})
    if same < len(after.moves):
        connection.execute(_INSERT_MOVE, _stones(after, same))


def _cause(error: Exception) -> str:
    cause = getattr(error, "orig", None) or error
    return str(cause).strip().partition("\n")[0] or type(cause).__name__
