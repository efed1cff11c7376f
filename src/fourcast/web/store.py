"""Games on the disk: SQLite by default, PostgreSQL if the settings say so.

What `Store.change` has returned is committed and survives a `kill -9`. Two guards in the database itself
see to it that no change is lost or made twice, whoever else is at work on it: a game's row is only ever
replaced if its `seq` is the one that was read, and of two stones for one ply the primary key of `moves`
refuses the second. Whoever is too late reads again and decides anew.
"""

from __future__ import annotations

import os
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

from fourcast.errors import FourcastError
from fourcast.web.games import Chair, Move, Record, made_by

__all__ = ["Rule", "Store", "StoreError", "Transaction", "Write"]

SCHEMA = 1
"""The version of the tables. A later fourcast that changes them has to bring the old ones along."""

ATTEMPTS = 10
"""How often a change is tried if somebody else changes the same game each time."""


class StoreError(FourcastError):
    """A database that cannot be used, or one that others keep changing under our hands."""


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


class _Move(_Base):
    __tablename__ = "moves"
    game_id: Mapped[str] = mapped_column(sa.ForeignKey("games.id", ondelete="CASCADE"), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    column: Mapped[int] = mapped_column("col")
    stamp_ms: Mapped[int] = mapped_column(sa.BigInteger)
    __table_args__ = {  # noqa: RUF012
        "sqlite_with_rowid": False
    }


_games: sa.Table = _Base.metadata.tables["games"]
_moves: sa.Table = _Base.metadata.tables["moves"]
_schema: sa.Table = _Base.metadata.tables["fourcast_schema"]


class _TooLateError(Exception):
    """Somebody else has changed the game since it was read."""


Rule = Callable[[Record], Record]
"""Returns a game's next state, or the very same record if nothing changes; may raise."""

REMEMBERED = 5_000
"""Games that need not be read again before they are changed."""


class Transaction:
    """Changes that are committed together. A rule that raises has changed nothing."""

    def __init__(self, connection: sa.Connection, remembered: Mapping[str, Record]) -> None:
        self.changed: dict[str, Record] = {}
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
            # What we remember may have been changed by another server since. If *rule* has something
            # to write, the guards find out; if it has not, we had better look.
            try:
                after = rule(before)
            except FourcastError:
                after = before
            if after is not before:
                return self._replace(before, after)
            before = None
        before = before or _load(self._connection, game_id)
        if before is None:
            return None
        after = rule(before)
        return after if after is before else self._replace(before, after)

    def _replace(self, before: Record, after: Record) -> Record:
        _update(self._connection, before, after)
        self.changed[after.id] = after
        made = made_by(before, after)
        if made:
            self.add(made)
        return after


Write = Callable[[Transaction], "Record | None"]


class Store:
    """The games of one database. Its methods block; each may be called from any thread."""

    def __init__(self, url: str) -> None:
        self._engine = _make_engine(url)
        self._is_sqlite = self._engine.dialect.name == "sqlite"
        self._remembered: OrderedDict[str, Record] = OrderedDict()
        self._lock = threading.Lock()
        try:
            self._prepare()
        except StoreError:
            self.close()
            raise
        except sa.exc.SQLAlchemyError as error:
            self.close()
            shown = sa.engine.make_url(url).render_as_string(hide_password=True)
            raise StoreError(f"the games cannot be kept in {shown}: {_cause(error)}") from error

    def close(self) -> None:
        """Let go of the database."""
        self._engine.dispose()

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
        with suppress(Exception):
            return self._write_together(writes)
        # One of them is in the way of the others: nothing was changed, and each is tried by itself.
        results: list[Record | Exception | None] = []
        for write in writes:
            try:
                results.append(self._write_one(write))
            except Exception as error:  # noqa: PERF203
                results.append(error)
        return results

    def _write_one(self, write: Write) -> Record | None:
        for _ in range(ATTEMPTS):
            try:
                (result,) = self._write_together([write])
            except (IntegrityError, _TooLateError):
                continue
            if isinstance(result, Exception):
                raise result
            return result
        raise StoreError(f"others changed the same game {ATTEMPTS} times; try again")

    def _write_together(self, writes: Sequence[Write]) -> list[Record | Exception | None]:
        results: list[Record | Exception | None] = []
        with self._lock:  # SQLite has one writer at a time in any case, and its own waiting is clumsy
            try:
                with self._writing() as connection:
                    transaction = Transaction(connection, self._remembered)
                    for write in writes:
                        try:
                            results.append(write(transaction))
                        except FourcastError as error:  # noqa: PERF203
                            results.append(error)
            except BaseException:
                self._remembered.clear()
                raise
            for record in transaction.changed.values():
                self._remembered[record.id] = record
                self._remembered.move_to_end(record.id)
            while len(self._remembered) > REMEMBERED:
                self._remembered.popitem(last=False)
        return results

    def count(self) -> int:
        """Return how many games are kept."""
        with self._engine.connect() as connection:
            return connection.execute(sa.select(sa.func.count()).select_from(_games)).scalar_one()

    def clean_up(self, *, older_than_ms: int, most: int, batch: int = 500) -> int:
        """Delete up to *batch* games last changed before *older_than_ms* or, of too many, the oldest.

        Returns how many were deleted; if that is *batch*, there may be more.
        """
        surplus = max(0, self.count() - most)
        chosen = sa.select(_games.c.id).order_by(_games.c.updated_ms)
        old = chosen.where(_games.c.updated_ms < older_than_ms).limit(batch)
        with self._lock, self._writing() as connection:
            ids = list(connection.scalars(old))
            if len(ids) < min(surplus, batch):
                ids = list(connection.scalars(chosen.limit(min(surplus, batch))))
            if ids:
                connection.execute(sa.delete(_moves).where(_moves.c.game_id.in_(ids)))
                connection.execute(sa.delete(_games).where(_games.c.id.in_(ids)))
            for game_id in ids:
                self._remembered.pop(game_id, None)
        return len(ids)

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
            if version is None:
                connection.execute(sa.insert(_schema).values(version=SCHEMA))
            elif version != SCHEMA:
                raise StoreError(
                    f"the games were kept by another version of fourcast (tables {version}, "
                    f"here {SCHEMA}); nothing was changed"
                )


def _make_engine(url: str) -> sa.Engine:
    parsed = sa.engine.make_url(url)
    if parsed.get_backend_name() != "sqlite":
        return sa.create_engine(parsed, pool_pre_ping=True, pool_size=5)
    if parsed.database:
        path = Path(parsed.database)
        path.parent.mkdir(parents=True, exist_ok=True)
        # Hashes of secrets and people's names: for the owner's eyes only.
        os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
    engine = sa.create_engine(parsed, connect_args={"timeout": 30, "isolation_level": None})

    @sa.event.listens_for(engine, "connect")
    def _on_connect(connection: Any, _: object) -> None:
        for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", "cache_size=-16000"):
            connection.execute(f"PRAGMA {pragma}").close()

    return engine


# Statements are made once: to put one together takes longer than to run it.
_SELECT_GAME = sa.select(_games).where(_games.c.id == sa.bindparam("game"))
_SELECT_MOVES = (
    sa.select(_moves.c.col, _moves.c.stamp_ms)
    .where(_moves.c.game_id == sa.bindparam("game"))
    .order_by(_moves.c.number)
)


def _load(connection: sa.Connection, game_id: str) -> Record | None:
    row = connection.execute(_SELECT_GAME, {"game": game_id}).mappings().one_or_none()
    if row is None:
        return None
    stones = connection.execute(_SELECT_MOVES, {"game": game_id})
    values = dict(row)
    for number in ("first", "second"):
        kind, name, player, token = (
            values.pop(f"{number}_{part}") for part in ("kind", "name", "player", "token")
        )
        values[number] = Chair(kind, name, player, token)
    values["undone"] = tuple(
        Move(int(column), int(stamp))
        for column, stamp in (move.split(":") for move in values["undone"].split())
    )
    return Record(**values, moves=tuple(Move(column, stamp) for column, stamp in stones))


def _row(record: Record) -> dict[str, Any]:
    values = {
        name: getattr(record, name)
        for name in _games.columns.keys()  # noqa: SIM118
        if not name.startswith(("first_", "second_"))
    }
    for number, chair in (("first", record.first), ("second", record.second)):
        values |= {
            f"{number}_kind": chair.kind,
            f"{number}_name": chair.name,
            f"{number}_player": chair.player,
            f"{number}_token": chair.token_hash,
        }
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


def _cause(error: sa.exc.SQLAlchemyError) -> str:
    cause = getattr(error, "orig", None) or error
    return str(cause).strip().partition("\n")[0] or type(cause).__name__
