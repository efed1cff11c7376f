"""What happens around a game: it is stored, those who watch are told, and the computer thinks."""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import TypeVar

from sqlalchemy.exc import SQLAlchemyError

from fourcast.web.games.news import make_news
from fourcast.web.games.opponents import Opponents
from fourcast.web.games.rules import (
    Record,
    RefusedError,
    computer_to_move,
    play_for_computer,
    time_left_s,
    time_out,
)
from fourcast.web.games.store import DAY_MS, Presence, Rule, Store, Transaction, Write
from fourcast.web.games.writer import Writer
from fourcast.web.rooms.room import KEEP_DAYS
from fourcast.web.server.limits import Limits
from fourcast.web.server.live import Hub
from fourcast.web.settings import Settings

__all__ = ["GameService"]

T = TypeVar("T")
log = logging.getLogger("fourcast.web")

CLEAN_UP_S = 600.0
"""Seconds between two searches for games that are kept no longer."""
OLD_AT_ONCE = 1_000
"""Games that one clean-up deletes because of their age."""
BEAT_S = 5.0
"""Seconds between two looks for other servers on the same database."""
LOOK_S = 10.0
"""Seconds between two looks whether a watched game has changed without any news of it."""
LOOKED_AT = 500
"""Games in one question to the database."""
SHARE_S = 1.0
"""Seconds between two exchanges of how much each address has asked for."""
OUTAGE = "The server cannot store anything at the moment. Moves are sent again until it can."


class GameService:
    """The games of one server. All methods are for the event loop, which the database never blocks."""

    def __init__(self, settings: Settings, limits: Limits | None = None) -> None:
        self._limits = limits or Limits(settings)
        self.hub = Hub(settings, self.report)
        self._settings = settings
        self._news = make_news(settings.database_url, settings.redis_url)
        self.store = Store(settings.database_url, self._news)
        """The database. Its methods block."""
        self._writer = Writer(self.store)
        self._readers = ThreadPoolExecutor(2, "reader")
        self._opponents = Opponents(settings.thinkers, settings.move_time_s)
        self._thinking: dict[str, asyncio.Task[None]] = {}
        self._timers: dict[str, asyncio.TimerHandle] = {}
        self._ending: set[asyncio.Task[Record]] = set()
        self.server_id = secrets.token_hex(8)
        """The name of this server among those on the same database."""
        self.on_room: Callable[[str], object] = lambda _: None
        """Called with the name of a room that another server has changed."""
        self.on_forgotten: Callable[[], object] = lambda: None
        """Called when the other servers do not know any more who is connected to this one."""
        self._others: list[str] = []
        self._unread: set[str] = set()  # games that another server has changed
        self._reading: asyncio.Task[None] | None = None
        self._reports: dict[str, Presence] = {}
        self._reporting: asyncio.Task[None] | None = None
        self._routine = [asyncio.create_task(self._clean_up())]
        if self._news.is_shared:
            self._routine += [
                asyncio.create_task(self._look_for_others()),
                asyncio.create_task(self._look_for_changes()),
                asyncio.create_task(self._share_limits()),
            ]
            self._news.listen(self._heard, self._missed)

    async def close(self) -> None:
        """Stop thinking, finish what is being stored, and close the database.

        A move that the computer had not finished is chosen again when the game is next opened.
        """
        await self._news.close()
        for timer in self._timers.values():
            timer.cancel()
        tasks = [*self._routine, *self._thinking.values(), *self._ending]
        tasks += [task for task in (self._reading, self._reporting) if task]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        for close in (self._opponents.close, self._writer.close, self._readers.shutdown):
            await asyncio.to_thread(close)
        if self._news.is_shared:
            try:
                await asyncio.to_thread(self.store.end_beat, self.server_id)
            except SQLAlchemyError:
                log.exception("the database does not answer")
        self.store.close()

    async def get(self, game_id: str) -> Record:
        """Return a game; if it is the computer's turn, it thinks from now on."""
        if self._news.is_shared:
            records, present = await self.read(lambda: self.store.load_many([game_id]))
            self._take_presence(present)
            found = records[0] if records else None
        else:
            found = await self.read(lambda: self.store.load(game_id))
        if found and found.clock:
            left_s = time_left_s(found)
            if left_s is not None and left_s <= 0:  # it ran out while nobody watched
                return await self.change(game_id, time_out)
        return self._opened(found, is_read=self._news.is_shared)

    async def add(self, record: Record) -> Record:
        """Keep a new game."""
        await self._writer.write(lambda transaction: transaction.add(record))
        return self._opened(record)

    async def write(self, write: Write) -> Record | None:
        """Write something that is no game."""
        return await self._writer.write(write)

    async def read(self, call: Callable[[], T]) -> T:
        """Ask the database something, off the event loop."""
        return await asyncio.get_running_loop().run_in_executor(self._readers, call)

    def gauges(self) -> dict[str, tuple[str, float]]:
        """Return what is now, for `Metrics`."""
        return {
            "sockets": ("live connections to games", len(self.hub)),
            "games_watched": ("games with a live connection", len(self.hub.watched())),
            "choices_under_way": ("games in which the computer thinks", len(self._thinking)),
            "clocks": ("games whose clock runs here", len(self._timers)),
            "writes_waiting": ("changes that wait for the database", self._writer.waiting),
            "other_servers": ("servers on the same database", len(self._others)),
        }

    async def is_ready(self) -> bool:
        """Whether the database answers within two seconds."""
        try:
            await asyncio.wait_for(self.read(partial(self.store.newer, {})), 2)
        except Exception:
            return False
        return True

    async def change(self, game_id: str, rule: Rule) -> Record:
        """Change a game by *rule*, tell everybody, and return it. What *rule* raises comes through."""
        changed = await self._writer.write(lambda transaction: transaction.change(game_id, rule))
        record = self._opened(changed)
        self.hub.publish(record)
        return record

    def _opened(self, record: Record | None, *, is_read: bool = False) -> Record:
        if record is None:
            raise RefusedError(404, "error.unknown_game")
        if record.clock:
            self._set_timer(record)
        chairs = (record.first, record.second)
        if record.id not in self._thinking and any(chair.player for chair in chairs):
            # The server that changed a game thinks. Another one does if that seems to have stopped.
            self._begin_to_think(record, 2 * self._settings.move_time_s + 1 if is_read else 0.0)
        return record

    def _set_timer(self, record: Record) -> None:
        """End the game when its clock has run out. Several servers may try: one of them does."""
        if timer := self._timers.pop(record.id, None):
            timer.cancel()
        left_s = time_left_s(record)
        if left_s is not None:
            loop = asyncio.get_running_loop()
            self._timers[record.id] = loop.call_later(max(0.0, left_s) + 0.005, self._run_out, record.id)

    def _run_out(self, game_id: str) -> None:
        self._timers.pop(game_id, None)
        task = asyncio.create_task(self.change(game_id, time_out))
        self._ending.add(task)
        task.add_done_callback(self._has_run_out)

    def _has_run_out(self, task: asyncio.Task[Record]) -> None:
        self._ending.discard(task)
        if not task.cancelled() and (error := task.exception()):
            log.warning("a clock has run out, and that could not be stored", exc_info=error)

    def _begin_to_think(self, record: Record, delay_s: float) -> None:
        if computer_to_move(record) and self._is_wanted(record):
            task = asyncio.create_task(self._think(record, delay_s if self._others else 0.0))
            self._thinking[record.id] = task
            task.add_done_callback(lambda _: self._thinking.pop(record.id, None))

    def _is_wanted(self, record: Record) -> bool:
        """Whether anybody waits for the computer: two computers play only while somebody watches."""
        has_person = any(chair.kind != "computer" for chair in (record.first, record.second))
        return has_person or self.hub.is_watched(record.id)

    async def _think(self, record: Record, delay_s: float) -> None:
        """Play the computer's moves until it is a person's turn."""
        try:
            if delay_s:
                await asyncio.sleep(delay_s)
                records, _ = await self.read(lambda: self.store.load_many([record.id]))
                if not records:
                    return
                (record,) = records
            while True:
                name = computer_to_move(record)
                if name is None or not self._is_wanted(record):
                    return
                column = await self._opponents.choose(name, record.game.position)
                rule = partial(play_for_computer, thought_of=record, column=column)
                changed = await self._writer.write(
                    partial(Transaction.change, game_id=record.id, rule=rule)
                )
                if changed is None:
                    return
                record = changed
                if record.clock:
                    self._set_timer(record)
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
                if (
                    not self._others or self.server_id < self._others[0]
                ):  # one of several servers does it
                    await self.read(partial(self._delete_some, passed_ms))
            except Exception:
                log.exception("old games could not be deleted")
            await asyncio.sleep(CLEAN_UP_S)
            # Twice the time that has passed: so the games' clock catches up after a longer pause.
            passed_ms = round(2000 * (time.monotonic() - begin_s))

    def _delete_some(self, passed_ms: int) -> None:
        """Delete old games, a bounded number of them, and all that are too many."""
        wall_ms = time.time_ns() // 1_000_000
        now_ms = self.store.advance_clock(wall_ms, passed_ms)
        if wall_ms - now_ms > 2 * DAY_MS:
            text = "the clock is ahead of the time that the games have seen: they are kept for longer"
            log.warning(text, extra={"days": (wall_ms - now_ms) // DAY_MS})
        oldest_ms = now_ms - self._settings.keep_days * DAY_MS
        most = self._settings.max_games
        rooms_ms = now_ms - KEEP_DAYS * DAY_MS
        old, extra = self.store.clean_up(
            older_than_ms=oldest_ms, most=most, batch=OLD_AT_ONCE, rooms_older_than_ms=rooms_ms
        )
        while extra and (more := self.store.clean_up(older_than_ms=0, most=most)[1]):
            extra += more
        if old or extra:
            log.info("games deleted", extra={"old": old, "too_many": extra})

    # ---- Other servers

    async def _look_for_others(self) -> None:
        """Notice other servers on the same database, and an outage of it."""
        while True:
            try:
                before = self._others
                self._others = await self.read(partial(self.store.beat, self.server_id))
                if len(before) != len(self._others):
                    log.info("servers on this database", extra={"others": len(self._others)})
                if self.store.was_forgotten:
                    self.hub.report_all()
                    self.on_forgotten()
                self.hub.announce(None)
            except Exception:
                log.exception("the database does not answer")
                self.hub.announce(OUTAGE)
            await asyncio.sleep(BEAT_S)

    def _heard(self, words: Sequence[str]) -> None:
        """Take in news: games that are watched here are read again."""
        watched = self.hub.watched()
        for word in words:
            game_id, _, seq = word.rpartition(":")
            if "/" in game_id:
                self.on_room(game_id.partition("/")[0])
            elif "=" in game_id and seq.isdecimal():
                server, kind, address = game_id.split("=", 2)
                if server != self.server_id and kind in self._limits.buckets:
                    self._limits.buckets[kind].spend(address, int(seq))
            elif seq == "p":
                if self.hub.is_watched(game_id):
                    self._unread.add(game_id)
            elif seq.isdecimal():
                self.store.forget(game_id)
                if watched.get(game_id, int(seq)) < int(seq):
                    self._unread.add(game_id)
        self._read_soon()

    def _missed(self) -> None:
        """Read all watched games again: there may have been news that nobody heard."""
        self._unread.update(self.hub.watched())
        self._read_soon()
        self.on_room("")

    def _read_soon(self) -> None:
        if self._unread and self._reading is None:
            self._reading = asyncio.create_task(self._read())
            self._reading.add_done_callback(lambda _: setattr(self, "_reading", None))

    async def _read(self) -> None:
        while self._unread:
            ids = [self._unread.pop() for _ in range(min(LOOKED_AT, len(self._unread)))]
            try:
                records, present = await self.read(partial(self.store.load_many, ids))
            except Exception:
                log.exception("the database does not answer")
                self._unread.update(ids)
                await asyncio.sleep(1)
                continue
            self._take_presence(present)
            for record in records:
                if record.clock:
                    self._set_timer(record)
                self.hub.publish(record)

    async def _look_for_changes(self) -> None:
        while True:
            await asyncio.sleep(LOOK_S)
            self.on_room("")
            watched = list(self.hub.watched().items())
            for begin in range(0, len(watched), LOOKED_AT):
                known = dict(watched[begin : begin + LOOKED_AT])
                try:
                    self._unread.update(await self.read(partial(self.store.newer, known)))
                except Exception:
                    log.exception("the database does not answer")
            self._read_soon()

    async def _share_limits(self) -> None:
        """Tell the other servers who has asked for much here."""
        while True:
            await asyncio.sleep(SHARE_S)
            words = [
                f"{self.server_id}={kind}={address}:{number}"
                for kind, buckets in self._limits.buckets.items()
                for address, number in buckets.taken().items()
            ]
            if words and self._others:
                try:
                    await self._writer.write(partial(Transaction.tell, words=words))
                except Exception:
                    log.exception("the database does not answer")

    def _take_presence(self, present: Mapping[str, Mapping[str, Presence]]) -> None:
        for game_id, servers in present.items():
            others = [those for server, those in servers.items() if server != self.server_id]
            sides = frozenset(side for those, _ in others for side in those)
            self.hub.set_elsewhere(game_id, (sides, sum(spectators for _, spectators in others)))

    def report(self, game_id: str, present: Presence) -> None:
        """Tell the other servers who is connected here."""
        if self._news.is_shared:
            self._reports[game_id] = present
            if self._reporting is None:
                self._reporting = asyncio.create_task(self._write_reports())
                self._reporting.add_done_callback(lambda _: setattr(self, "_reporting", None))

    async def _write_reports(self) -> None:
        while self._reports:
            some, self._reports = self._reports, {}
            try:
                show = partial(Transaction.show, server_id=self.server_id, present=some)
                await self._writer.write(show)
            except Exception:
                log.exception("the database does not answer")
                self._reports = some | self._reports
                await asyncio.sleep(1)
