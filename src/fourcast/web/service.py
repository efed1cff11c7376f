"""What happens around a game: it is stored, told to whoever looks on, and the computer thinks."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import TypeVar

from fourcast.web.games import Record, RefusedError, computer_to_move, play_for_computer, to_game
from fourcast.web.live import Hub
from fourcast.web.opponents import Opponents
from fourcast.web.settings import Settings
from fourcast.web.store import Rule, Store, Transaction
from fourcast.web.writer import Writer

__all__ = ["GameService"]

T = TypeVar("T")
log = logging.getLogger("fourcast.web")

CLEAN_UP_S = 600.0
"""Between two looks for games that are kept no longer."""
DAY_MS = 86_400_000


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
        self._cleaning = asyncio.create_task(self._clean_up())

    async def close(self) -> None:
        """Stop thinking, finish what is being stored, and let go of the database.

        A move that the computer had not finished is chosen anew when the game is opened the next time.
        """
        tasks = [self._cleaning, *self._thinking.values()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        for close in (self._opponents.close, self._writer.close, self._readers.shutdown):
            await asyncio.to_thread(close)
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
            raise RefusedError(404, "there is no such game, or it is kept no longer")
        chairs = (record.first, record.second)
        if record.id not in self._thinking and any(chair.player for chair in chairs):
            self._begin_to_think(record)
        return record

    def _begin_to_think(self, record: Record) -> None:
        if computer_to_move(record, to_game(record)) and self._is_wanted(record):
            task = asyncio.create_task(self._think(record))
            self._thinking[record.id] = task
            task.add_done_callback(lambda _: self._thinking.pop(record.id, None))

    def _is_wanted(self, record: Record) -> bool:
        """Whether anybody waits for the computer: two of them play on only while somebody looks."""
        has_person = any(chair.kind != "computer" for chair in (record.first, record.second))
        return has_person or self.hub.is_watched(record.id)

    async def _think(self, record: Record) -> None:
        """Play the computer's moves until it is a person's turn."""
        try:
            while True:
                game = to_game(record)
                name = computer_to_move(record, game)
                if name is None or not self._is_wanted(record):
                    return
                column = await self._opponents.choose(name, game.position)
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
        while True:
            try:
                deleted = 1
                while deleted:
                    deleted = await self._in(self._readers, self._delete_some)
                    if deleted:
                        log.info("old games deleted", extra={"games": deleted})
            except Exception:
                log.exception("old games could not be deleted")
            await asyncio.sleep(CLEAN_UP_S)

    def _delete_some(self) -> int:
        oldest_ms = time.time_ns() // 1_000_000 - self._settings.keep_days * DAY_MS
        return self._store.clean_up(older_than_ms=oldest_ms, most=self._settings.max_games)

    @staticmethod
    async def _in(executor: ThreadPoolExecutor, call: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(executor, call)


def _change(transaction: Transaction, game_id: str, rule: Rule) -> Record | None:
    return transaction.change(game_id, rule)
