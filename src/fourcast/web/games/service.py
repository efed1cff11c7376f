"""What happens around a game: it is stored, those who watch are told, and the computer thinks."""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import TypeVar

from sqlalchemy.exc import SQLAlchemyError

from fourcast.web.games.opponents import Opponents
from fourcast.web.games.rules import Record, RefusedError, computer_to_move, play_for_computer
from fourcast.web.games.store import DAY_MS, Rule, Store, Transaction
from fourcast.web.games.writer import Writer
from fourcast.web.server.live import Hub
from fourcast.web.settings import Settings

__all__ = ["GameService"]

T = TypeVar("T")
log = logging.getLogger("fourcast.web")

CLEAN_UP_S = 600.0
"""Seconds between two searches for games that are kept no longer."""
OLD_AT_ONCE = 1_000
"""Games that one clean-up deletes because of their age."""
BEAT_S = 15.0
"""Seconds between two looks for other servers on the same database."""
SHARED = (
    "This site runs on more than one server at the moment. If a move does not appear, reload the page."
)


class GameService:
    """The games of one server. All methods are for the event loop, which the database never blocks."""

    def __init__(self, settings: Settings) -> None:
        self.hub = Hub(settings)
        self._settings = settings
        self._store = Store(settings.database_url)
        self._writer = Writer(self._store)
        self._readers = ThreadPoolExecutor(2, "reader")
        self._opponents = Opponents(settings.thinkers, settings.move_time_s)
        self._thinking: dict[str, asyncio.Task[None]] = {}
        self._id = secrets.token_hex(8)
        self._routine = [
            asyncio.create_task(self._clean_up()),
            asyncio.create_task(self._look_for_others()),
        ]

    async def close(self) -> None:
        """Stop thinking, finish what is being stored, and close the database.

        A move that the computer had not finished is chosen again when the game is next opened.
        """
        tasks = [*self._routine, *self._thinking.values()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        for close in (self._opponents.close, self._writer.close, self._readers.shutdown):
            await asyncio.to_thread(close)
        try:
            await asyncio.to_thread(self._store.end_beat, self._id)
        except SQLAlchemyError:
            log.exception("the database does not answer")
        self._store.close()

    async def get(self, game_id: str) -> Record:
        """Return a game; if it is the computer's turn, it thinks from now on."""
        record = await self._in(self._readers, lambda: self._store.load(game_id))
        return self._opened(record)

    async def add(self, record: Record) -> Record:
        """Keep a new game."""
        await self._writer.write(lambda transaction: transaction.add(record))
        return self._opened(record)

    async def change(self, game_id: str, rule: Rule) -> Record:
        """Change a game by *rule*, tell everybody, and return it. What *rule* raises comes through."""
        changed = await self._writer.write(lambda transaction: transaction.change(game_id, rule))
        record = self._opened(changed)
        self.hub.publish(record)
        return record

    def _opened(self, record: Record | None) -> Record:
        if record is None:
            raise RefusedError(404, "error.unknown_game")
        chairs = (record.first, record.second)
        if record.id not in self._thinking and any(chair.player for chair in chairs):
            self._begin_to_think(record)
        return record

    def _begin_to_think(self, record: Record) -> None:
        if computer_to_move(record) and self._is_wanted(record):
            task = asyncio.create_task(self._think(record))
            self._thinking[record.id] = task
            task.add_done_callback(lambda _: self._thinking.pop(record.id, None))

    def _is_wanted(self, record: Record) -> bool:
        """Whether anybody waits for the computer: two computers play only while somebody watches."""
        has_person = any(chair.kind != "computer" for chair in (record.first, record.second))
        return has_person or self.hub.is_watched(record.id)

    async def _think(self, record: Record) -> None:
        """Play the computer's moves until it is a person's turn."""
        try:
            while True:
                name = computer_to_move(record)
                if name is None or not self._is_wanted(record):
                    return
                column = await self._opponents.choose(name, record.game.position)
                rule = partial(play_for_computer, thought_of=record, column=column)
                write = partial(_change, game_id=record.id, rule=rule)
                changed = await self._writer.write(write)
                if changed is None:
                    return
                record = changed
                self.hub.publish(record)
        except asyncio.CancelledError:
            raise
        except Exception:
            log.exception("the computer could not move", extra={"game": record.id})

    async def _clean_up(self) -> None:
        # A machine that is switched off overnight loses no time by it.
        passed_ms = DAY_MS
        while True:
            begin_s = time.monotonic()
            try:
                await self._in(self._readers, partial(self._delete_some, passed_ms))
            except Exception:
                log.exception("old games could not be deleted")
            await asyncio.sleep(CLEAN_UP_S)
            # Twice the time that has passed: so the games' clock catches up after a longer pause.
            passed_ms = round(2000 * (time.monotonic() - begin_s))

    def _delete_some(self, passed_ms: int) -> None:
        """Delete old games, a bounded number of them, and all that are too many."""
        wall_ms = time.time_ns() // 1_000_000
        now_ms = self._store.advance_clock(wall_ms, passed_ms)
        if wall_ms - now_ms > 2 * DAY_MS:
            text = "the clock is ahead of the time that the games have seen: they are kept for longer"
            log.warning(text, extra={"days": (wall_ms - now_ms) // DAY_MS})
        oldest_ms = now_ms - self._settings.keep_days * DAY_MS
        most = self._settings.max_games
        old, extra = self._store.clean_up(older_than_ms=oldest_ms, most=most, batch=OLD_AT_ONCE)
        while extra and (more := self._store.clean_up(older_than_ms=0, most=most)[1]):
            extra += more
        if old or extra:
            log.info("games deleted", extra={"old": old, "too_many": extra})

    async def _look_for_others(self) -> None:
        """Notice other servers on the same database: their changes are not told to our clients."""
        while True:
            try:
                others = await self._in(self._readers, partial(self._store.beat, self._id))
                if others and not self.hub.notice:
                    log.warning("another server uses the same database", extra={"servers": others})
                self.hub.announce(SHARED if others else None)
            except Exception:
                log.exception("the database does not answer")
            await asyncio.sleep(BEAT_S)

    @staticmethod
    async def _in(executor: ThreadPoolExecutor, call: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(executor, call)


def _change(transaction: Transaction, game_id: str, rule: Rule) -> Record | None:
    return transaction.change(game_id, rule)
