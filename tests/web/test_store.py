"""Games in a database: what is returned is kept, and of two changes one counts."""

from __future__ import annotations

import os
import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import pytest

from fourcast.web import games
from fourcast.web.games import Record, RefusedError
from fourcast.web.schemas import Action, MoveRequest, NewGame
from fourcast.web.store import Rule, Store, StoreError

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


def stone(column: int, ply: int) -> Rule:
    return lambda record: games.play(record, [1, 2], MoveRequest(column=column, ply=ply))


def action(kind: str) -> Rule:
    return lambda record: games.act(record, [1, 2], Action.model_validate({"kind": kind}))


def add(store: Store, **changes: object) -> Record:
    record = replace(games.new_game(LOCAL, TOKEN), **changes)  # type: ignore[arg-type]
    store.add(record)
    return record


def moves(record: Record | None) -> list[int]:
    assert record is not None
    return [move.column for move in record.moves]


def test_a_game_is_read_as_it_was_kept(open_store: Open) -> None:
    store = open_store()
    record = add(store)
    for rule in (stone(3, 0), stone(3, 1), stone(2, 2), action("undo")):
        changed = store.change(record.id, rule)
    for reader in (store, open_store()):
        assert reader.load(record.id) == changed
    assert changed is not None
    assert (moves(changed), [move.column for move in changed.undone]) == ([3, 3], [2])
    assert store.load("abcdefghijkl") is None
    assert store.change("abcdefghijkl", stone(0, 0)) is None


def test_what_a_rule_refuses_changes_nothing(open_store: Open) -> None:
    store = open_store()
    record = add(store)
    with pytest.raises(RefusedError):
        store.change(record.id, stone(0, 5))
    assert store.load(record.id) == record


def test_two_servers_on_one_database_never_both_play_a_ply(open_store: Open) -> None:
    """Each remembers the game as it was, and the database tells the later one that it has changed."""
    one, other = open_store(), open_store()
    record = add(one)
    one.change(record.id, stone(3, 0))
    with pytest.raises(RefusedError) as refused:
        other.change(record.id, stone(4, 0))
    assert refused.value.status == 409
    assert moves(other.change(record.id, stone(4, 1))) == [3, 4]
    # `one` still believes that there is one stone.
    with pytest.raises(RefusedError):
        one.change(record.id, stone(5, 1))
    assert moves(one.change(record.id, stone(4, 1))) == [3, 4]
    other.change(record.id, action("undo"))
    assert moves(one.change(record.id, stone(6, 1))) == [3, 6]


def test_the_database_itself_refuses_a_second_stone_for_a_ply(open_store: Open, tmp_path: Path) -> None:
    store = open_store()
    record = add(store)
    store.change(record.id, stone(3, 0))
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
                changed = stores[number].change(record.id, stone(number, ply))
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
            lambda transaction: transaction.change(one.id, stone(3, 0)),
            lambda transaction: transaction.change(one.id, stone(5, 0)),
            lambda transaction: transaction.change(one.id, stone(3, 1)),
            lambda transaction: transaction.change(two.id, stone(6, 0)),
            lambda transaction: transaction.change("abcdefghijkl", stone(6, 0)),
        ]
    )
    assert isinstance(answers[1], RefusedError)
    assert answers[4] is None
    assert moves(store.load(one.id)) == [3, 3]
    assert moves(store.load(two.id)) == [6]


def test_one_write_that_fails_in_the_database_does_not_spoil_the_others(open_store: Open) -> None:
    store = open_store()
    one, two = add(store), add(store)
    open_store().change(one.id, stone(0, 0))  # what `store` remembers of it is out of date

    def broken(_: Record) -> Record:
        raise ZeroDivisionError

    answers = store.write(
        [
            lambda transaction: transaction.change(two.id, stone(6, 0)),
            lambda transaction: transaction.change(one.id, stone(3, 0)),
            lambda transaction: transaction.change(two.id, broken),
            lambda transaction: transaction.change(two.id, stone(6, 1)),
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
    store.change(kept[0].id, stone(3, 0))  # touched just now
    assert store.clean_up(older_than_ms=3500, most=100) == (2, 0)
    assert [store.load(record.id) is None for record in kept] == [False, True, True, *[False] * 5]
    assert store.clean_up(older_than_ms=0, most=2) == (0, 4)
    assert store.count() == 2
    assert store.load(kept[0].id) is not None
    assert store.clean_up(older_than_ms=0, most=2) == (0, 0)
    assert store.change(kept[1].id, stone(3, 0)) is None


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
