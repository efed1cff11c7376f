"""Games in a database: what is returned is kept, and of two changes one counts."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
import sqlalchemy as sa
from sqlalchemy.exc import OperationalError

from fourcast.errors import MissingExtraError
from fourcast.web.games import rules as games
from fourcast.web.games import store as store_module
from fourcast.web.games.rules import Record, RefusedError
from fourcast.web.games.store import RoomRule, Rule, Store, StoreError, Transaction
from fourcast.web.rooms.room import Room, new_room
from fourcast.web.schemas import Action, MoveRequest, NewGame

TOKEN = "t" * 43
LOCAL = NewGame.model_validate({"first": {"kind": "me"}, "second": {"kind": "me", "name": "B"}})


@pytest.fixture
def url(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path}/folder/games.db"


Open = Callable[[], Store]


@pytest.fixture
def open_store(url: str) -> Iterator[Open]:
    """Each call is another server on the same database."""
    with ExitStack() as stack:

        def open_one() -> Store:
            store = Store(url)
            stack.callback(store.close)
            return store

        yield open_one


def disc(column: int, ply: int) -> Rule:
    return lambda record: games.play(record, [1, 2], MoveRequest(column=column, ply=ply))


def action(kind: str) -> Rule:
    return lambda record: games.act(record, [1, 2], Action.model_validate({"kind": kind}))


def add(store: Store, **changes: object) -> Record:
    record = replace(games.new_game(LOCAL, TOKEN), **changes)  # type: ignore[arg-type]
    store.add(record)
    return record


def keep(store: Store, discs: int, updated_ms: int) -> str:
    """A game of so many discs, last changed at that time."""
    played = tuple(games.Move(number % 7, updated_ms) for number in range(discs))
    return add(store, moves=played, updated_ms=updated_ms).id


def moves(record: Record | None) -> list[int]:
    assert record is not None
    return [move.column for move in record.moves]


def test_a_game_is_read_as_it_was_kept(open_store: Open) -> None:
    store = open_store()
    record = add(store)
    for rule in (disc(3, 0), disc(3, 1), disc(2, 2), action("undo")):
        changed = store.change(record.id, rule)
    for reader in (store, open_store()):
        assert reader.load(record.id) == changed
    assert changed is not None
    assert (moves(changed), [move.column for move in changed.undone]) == ([3, 3], [2])
    assert store.load("abcdefghijkl") is None
    assert store.change("abcdefghijkl", disc(0, 0)) is None


def test_what_a_rule_refuses_changes_nothing(open_store: Open) -> None:
    store = open_store()
    record = add(store)
    with pytest.raises(RefusedError):
        store.change(record.id, disc(0, 5))
    assert store.load(record.id) == record


def test_two_servers_on_one_database_never_both_play_a_ply(open_store: Open) -> None:
    """Each remembers the game as it was, and the database tells the later one that it has changed."""
    one, other = open_store(), open_store()
    record = add(one)
    one.change(record.id, disc(3, 0))
    with pytest.raises(RefusedError) as refused:
        other.change(record.id, disc(4, 0))
    assert refused.value.status == 409
    assert moves(other.change(record.id, disc(4, 1))) == [3, 4]
    # `one` still believes that there is one disc.
    with pytest.raises(RefusedError):
        one.change(record.id, disc(5, 1))
    assert moves(one.change(record.id, disc(4, 1))) == [3, 4]
    other.change(record.id, action("undo"))
    assert moves(one.change(record.id, disc(6, 1))) == [3, 6]


def test_the_database_itself_refuses_a_second_stone_for_a_ply(open_store: Open, tmp_path: Path) -> None:
    store = open_store()
    record = add(store)
    store.change(record.id, disc(3, 0))
    with sqlite3.connect(tmp_path / "folder" / "games.db") as connection:
        with pytest.raises(sqlite3.IntegrityError):
            connection.execute("INSERT INTO moves VALUES (?, 0, 5, 0)", (record.id,))
        columns = [row[0] for row in connection.execute("SELECT col FROM moves")]
    connection.close()
    assert columns == [3]


def test_of_many_stores_at_once_one_plays_each_ply(open_store: Open) -> None:
    stores = [open_store() for _ in range(4)]
    record = add(stores[0])
    won: list[tuple[int, int]] = []

    def race(number: int) -> None:
        for ply in range(12):
            try:
                changed = stores[number].change(record.id, disc(number, ply))
            except RefusedError:
                continue
            if len(moves(changed)) == ply + 1:
                won.append((ply, number))

    threads = [threading.Thread(target=race, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    kept = stores[0].load(record.id)
    assert [number for _, number in sorted(won)] == moves(kept)


def test_writes_together_are_one_commit_and_one_refusal_does_not_spoil_the_others(
    open_store: Open,
) -> None:
    store = open_store()
    one, two = add(store), add(store)
    answers = store.write(
        [
            lambda transaction: transaction.change(one.id, disc(3, 0)),
            lambda transaction: transaction.change(one.id, disc(5, 0)),
            lambda transaction: transaction.change(one.id, disc(3, 1)),
            lambda transaction: transaction.change(two.id, disc(6, 0)),
            lambda transaction: transaction.change("abcdefghijkl", disc(6, 0)),
        ]
    )
    assert isinstance(answers[1], RefusedError)
    assert answers[4] is None
    assert moves(store.load(one.id)) == [3, 3]
    assert moves(store.load(two.id)) == [6]


def test_one_write_that_fails_in_the_database_does_not_spoil_the_others(open_store: Open) -> None:
    store = open_store()
    one, two = add(store), add(store)
    open_store().change(one.id, disc(0, 0))  # what `store` remembers of it is out of date

    def broken(_: Record) -> Record:
        raise ZeroDivisionError

    answers = store.write(
        [
            lambda transaction: transaction.change(two.id, disc(6, 0)),
            lambda transaction: transaction.change(one.id, disc(3, 0)),
            lambda transaction: transaction.change(two.id, broken),
            lambda transaction: transaction.change(two.id, disc(6, 1)),
        ]
    )
    assert isinstance(answers[1], RefusedError)
    assert isinstance(answers[2], ZeroDivisionError)
    assert moves(store.load(one.id)) == [0]
    assert moves(store.load(two.id)) == [6, 6]


def test_a_rematch_is_kept_together_with_what_made_it(open_store: Open) -> None:
    store = open_store()
    record = add(store)
    store.change(record.id, action("resign"))
    changed = store.change(record.id, action("offer-rematch"))
    assert changed is not None
    assert changed.rematch_id is not None
    rematch = store.load(changed.rematch_id)
    assert rematch is not None
    assert (rematch.first.name, rematch.second.name) == ("B", "")


def test_old_games_are_deleted_and_so_are_those_untouched_for_longest(open_store: Open) -> None:
    store = open_store()
    kept = [add(store, updated_ms=1000 * number) for number in range(1, 9)]
    store.change(kept[0].id, disc(3, 0))  # touched just now
    assert store.clean_up(older_than_ms=3500, most=100) == (2, 0)
    assert [store.load(record.id) is None for record in kept] == [False, True, True, *[False] * 5]
    assert store.clean_up(older_than_ms=0, most=2) == (0, 4)
    assert store.count() == 2
    assert store.load(kept[0].id) is not None
    assert store.clean_up(older_than_ms=0, most=2) == (0, 0)
    assert store.change(kept[1].id, disc(3, 0)) is None


def test_empty_games_go_before_those_that_were_played(open_store: Open) -> None:
    store = open_store()
    played = keep(store, 6, 1_000)
    begun = keep(store, 2, 3_000)
    empty = [keep(store, 0, 4_000 + number) for number in range(20)]
    assert store.clean_up(older_than_ms=0, most=12) == (0, 10)
    assert [store.load(game_id) is None for game_id in empty] == [True] * 10 + [False] * 10
    assert store.clean_up(older_than_ms=0, most=1) == (0, 11)
    assert store.load(begun) is None
    assert store.load(played)


def test_of_too_many_rooms_those_in_which_nobody_has_been_go_first(open_store: Open) -> None:
    store = open_store()
    rooms = [new_room(f"Room {number}", TOKEN) for number in range(6)]
    for room in rooms:
        store.write([partial(Transaction.add_room, room=room)])

    def come_in(room: Room) -> Sequence[Record]:
        room.join("Ada", TOKEN)
        return ()

    for room in rooms[:2]:
        store.write([partial(visited, room_id=room.id, rule=come_in)])
    store.clean_up(older_than_ms=0, most=3)
    assert [store.load_room(room.id)[0] is None for room in rooms] == [False] * 2 + [True] * 3 + [False]
    store.clean_up(older_than_ms=0, most=1)
    assert [store.load_room(room.id)[0] is None for room in rooms] == [True, False] + [True] * 4


def visited(transaction: Transaction, room_id: str, rule: RoomRule) -> None:
    transaction.change_room(room_id, rule)


def test_a_game_takes_less_than_two_kilobytes(open_store: Open, tmp_path: Path) -> None:
    """A whole game of 42 discs, with names of the greatest length."""
    store = open_store()
    played = tuple(games.Move(number % 7, 1_763_000_000_000 + number) for number in range(42))
    name = "x" * 40
    for _ in range(300):
        record = games.new_game(LOCAL, TOKEN)
        first, second = (replace(chair, name=name) for chair in (record.first, record.second))
        store.add(replace(record, moves=played, first=first, second=second))
    with closing(sqlite3.connect(tmp_path / "folder" / "games.db")) as database:
        (pages,) = database.execute("PRAGMA page_count").fetchone()
        (size,) = database.execute("PRAGMA page_size").fetchone()
    assert pages * size / 300 < 2048


def test_a_locked_database_is_waited_for_no_longer_than_a_moment(
    open_store: Open, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A second for each of the few that may wait one after the other: a request gets its 503 in 5 s."""
    assert store_module.LOCKED_S <= 1
    monkeypatch.setattr(store_module, "LOCKED_S", 0.1)
    store = open_store()
    with closing(sqlite3.connect(tmp_path / "folder" / "games.db", isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        begin_s = time.monotonic()
        with pytest.raises(OperationalError, match="locked"):
            add(store)
        assert time.monotonic() - begin_s < 5
        other.execute("ROLLBACK")
    add(store)


def test_the_file_is_written_safely_and_for_its_owner_only(open_store: Open, tmp_path: Path) -> None:
    store = open_store()
    path = tmp_path / "folder" / "games.db"
    assert os.stat(path).st_mode & 0o077 == 0
    with store._engine.connect() as connection:
        assert connection.exec_driver_sql("PRAGMA journal_mode").scalar() == "wal"
        assert connection.exec_driver_sql("PRAGMA synchronous").scalar() == 2  # FULL
    add(store)
    store.close()
    assert TOKEN.encode() not in path.read_bytes()


def test_a_database_that_cannot_be_used_is_named(tmp_path: Path) -> None:
    broken = tmp_path / "broken.db"
    broken.write_text("this is no database, and it is long enough to be seen as none" * 20)
    with pytest.raises(StoreError, match=r"broken\.db.*not a database"):
        Store(f"sqlite:///{broken}")
    later = tmp_path / "later.db"
    Store(f"sqlite:///{later}").close()
    with sqlite3.connect(later) as connection:
        connection.execute("UPDATE fourcast_schema SET version = 99")
    connection.close()
    with pytest.raises(StoreError, match="another version"):
        Store(f"sqlite:///{later}")


# ---- A database that is gone


def test_with_a_lost_database_all_writes_fail_at_once(
    open_store: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not one after the other, each with its own time limit."""
    store = open_store()
    record = add(store)
    attempts = []

    @contextmanager
    def lost() -> Iterator[sa.Connection]:
        attempts.append(1)
        raise OperationalError("BEGIN", {}, Exception("server closed the connection unexpectedly"))
        yield

    monkeypatch.setattr(store, "_writing", lost)
    writes = [lambda transaction: transaction.change(record.id, disc(3, 0))] * 100
    answers = store.write(writes)
    assert len(answers) == 100
    assert all(isinstance(answer, OperationalError) for answer in answers)
    assert len(attempts) == 1


def test_a_database_that_is_lost_between_two_writes_is_not_asked_again(
    open_store: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = open_store()
    one, two = add(store), add(store)
    writing = store._writing
    attempts = []

    @contextmanager
    def lost_later() -> Iterator[sa.Connection]:
        attempts.append(1)
        if len(attempts) > 2:
            raise OperationalError("BEGIN", {}, Exception("server closed the connection unexpectedly"))
        with writing() as connection:
            yield connection

    def unforeseen() -> Record:
        raise RuntimeError

    monkeypatch.setattr(store, "_writing", lost_later)
    answers = store.write(
        [
            lambda transaction: transaction.change(two.id, disc(6, 0)),
            lambda _: unforeseen(),  # each write is then tried by itself
            *[lambda transaction: transaction.change(one.id, disc(3, 0))] * 50,
        ]
    )
    assert isinstance(answers[0], Record)
    assert all(isinstance(answer, OperationalError) for answer in answers[1:])
    assert len(attempts) == 3


# ---- Clocks and other servers

DAY_MS = 86_400_000


def test_a_jump_of_the_clock_moves_the_games_clock_by_what_can_have_passed(open_store: Open) -> None:
    now_ms = 1_700_000_000_000
    store = open_store()
    add(store, updated_ms=now_ms)
    assert store.advance_clock(now_ms + 400 * DAY_MS, DAY_MS) == now_ms + DAY_MS
    assert store.advance_clock(now_ms + DAY_MS + 5, DAY_MS) == now_ms + DAY_MS + 5
    assert store.advance_clock(now_ms + 800 * DAY_MS, 1000) == now_ms + DAY_MS + 1005
    # After a restart, and after a game that the wrong clock has stamped.
    add(store, updated_ms=now_ms + 800 * DAY_MS)
    assert open_store().advance_clock(now_ms + 801 * DAY_MS, DAY_MS) == now_ms + 2 * DAY_MS + 1005
    assert store.advance_clock(now_ms, 1000) == now_ms


def test_servers_on_one_database_notice_each_other(open_store: Open) -> None:
    one, other = open_store(), open_store()
    assert [one.beat("one"), other.beat("other")] == [[], []]
    assert [one.beat("one"), other.beat("other")] == [[], ["one"]]
    assert [one.beat("one"), other.beat("other")] == [["other"], ["one"]]
    other.end_beat("other")
    assert one.beat("one") == []


def test_a_server_that_was_killed_is_soon_not_counted_and_then_forgotten(open_store: Open) -> None:
    one, other = open_store(), open_store()
    for _ in range(3):
        one.beat("one")
        other.beat("other")
    assert [one.beat("one") for _ in range(4)] == [["other"], ["other"], ["other"], []]
    one.beat("one")
    one.beat("one")
    assert one._others == {}
    assert not one.was_forgotten
    other.beat("other")
    assert other.was_forgotten
    # One that was dead before we came is never counted.
    late = open_store()
    assert [late.beat("late")[:1] for _ in range(5)] == [[]] * 5


def test_who_was_connected_to_a_server_that_is_dead_is_forgotten(open_store: Open) -> None:
    one, other = open_store(), open_store()
    game_id = add(one).id
    for store, name, sides in ((one, "one", {1}), (other, "other", {2})):
        store.beat(name)
        present = {game_id: (frozenset(sides), len(name))}
        store.write([partial(Transaction.show, server_id=name, present=present)])
    there = one.load_many([game_id])[1][game_id]
    assert there == {"one": (frozenset({1}), 3), "other": (frozenset({2}), 5)}
    for _ in range(6):
        one.beat("one")
    assert list(one.load_many([game_id])[1][game_id]) == ["one"]
    one.end_beat("one")
    assert one.load_many([game_id, "nobody-knows"])[1] == {game_id: {}, "nobody-knows": {}}


# ---- Addresses of databases


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("sqlite:///", "in memory"),
        ("sqlite://", "in memory"),
        ("sqlite:///:memory:", "in memory"),
        ("sqlite:////proc/nowhere/games.db", "/proc/nowhere"),
        ("sqlite:////tmp", "/tmp: "),
        ("postgresql+psycopg://me:hidden@host:port/games", "cannot be read"),
        ("postgresql+nodriver://me:hidden@host/games", "cannot be read"),
        ("nothing", "cannot be read"),
    ],
)
def test_an_address_that_is_none_is_refused_in_a_sentence(url: str, words: str) -> None:
    with pytest.raises(StoreError) as error:
        Store(url)
    assert words in str(error.value)
    assert "hidden" not in str(error.value)
    assert "\n" not in str(error.value)


def test_a_missing_driver_is_said_with_the_command_that_installs_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(MissingExtraError) as error:
        Store("postgresql+psycopg://me:hidden@127.0.0.1:1/games?password=hidden")
    assert str(error.value).startswith("PostgreSQL needs psycopg: ")
    assert "psycopg[binary]" in str(error.value).partition(" -m pip install ")[2].split()


def test_a_server_that_does_not_answer_is_said_without_its_password() -> None:
    with pytest.raises(StoreError) as error:
        Store("postgresql+psycopg://me:hidden@127.0.0.1:1/games?sslpassword=hidden")
    assert "the database games on 127.0.0.1" in str(error.value)
    assert "hidden" not in str(error.value)
    assert "\n" not in str(error.value)


def test_the_store_loads_no_web_framework() -> None:
    code = (
        "import sys, fourcast.web.games.store;"
        " print({'fastapi', 'starlette', 'uvicorn'} & set(sys.modules))"
    )
    output = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert output.stdout == "set()\n"


def test_a_damaged_file_is_refused_with_a_sentence(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    Store(f"sqlite:///{path}").close()
    path.write_bytes(path.read_bytes().replace(b"CREATE TABLE", b"CREATE \xd3ABLE"))
    with pytest.raises(StoreError, match=r"games cannot be kept in .*games\.db: "):
        Store(f"sqlite:///{path}")


def test_a_stored_game_that_cannot_be_read_is_an_error_of_the_store(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    with closing(Store(f"sqlite:///{path}")) as store:
        record = add(store)
        with closing(sqlite3.connect(path)) as other:
            other.execute("UPDATE games SET undone = 'x'")
            other.commit()
        with pytest.raises(StoreError, match="cannot be read"):
            store.load(record.id)
