"""The live connections: who watches which game, and telling them what has changed.

Every message is the whole state, so a connection needs no queue: it has one place for the newest state,
and a slow reader misses what came in between. One that reads nothing at all is dropped.

Players always get in: where there is no place left, a spectator has to leave.
"""

from __future__ import annotations

import asyncio
import time
from collections import Counter, defaultdict
from collections.abc import Callable

from cachetools import LRUCache
from starlette.websockets import WebSocket

from fourcast._core import Position
from fourcast.web.games.rules import Record
from fourcast.web.games.store import Presence
from fourcast.web.schemas import LiveMessage, Side
from fourcast.web.settings import Settings
from fourcast.web.views import game_view

__all__ = ["Connection", "FullError", "Hub"]

SEND_TIME_S = 10.0
"""How long a client may take to read one message before it is dropped."""
PRESENCE_S, PRESENCE_EACH_S = 0.05, 0.002
"""Arrivals and departures within this time, and so much for each connection of the game, are announced
together: a crowd that comes and goes makes no more messages than a few people do."""
VIEWS = 1_000
"""Games whose view is remembered."""
ELSEWHERE = 10_000
"""Games of which it is remembered who is connected to other servers."""
EVERYBODYS = 2
"""Discs of positions that are analyzed for everybody."""
NOBODY: Presence = (frozenset(), 0)


class FullError(Exception):
    """There are as many connections as there may be."""


class Connection:
    """One client that watches or plays a game. *sides* is empty for a spectator."""

    def __init__(self, websocket: WebSocket, game_id: str, address: str) -> None:
        self.sides: list[Side] = []
        self.game_id = game_id
        self.address = address
        self._websocket = websocket
        self._newest = b""
        self._news = asyncio.Event()
        self._is_dismissed = False

    def tell(self, state: bytes) -> None:
        """Have *state* sent next; an older one that was not sent yet never will be."""
        self._newest = state
        self._news.set()

    def dismiss(self) -> None:
        """End the connection to make room for another one."""
        self._is_dismissed = True
        self._news.set()

    async def send_all(self) -> None:
        """Send what is told until the client has gone. Raises `FullError` if it is dismissed."""
        while True:
            await self._news.wait()
            self._news.clear()
            if self._is_dismissed:
                raise FullError
            await asyncio.wait_for(self._websocket.send_text(self.text(self._newest)), SEND_TIME_S)

    def text(self, state: bytes) -> str:
        """Return the message that tells this client of *state*."""
        return LiveMessage.text(state, self.sides, time.time_ns() // 1_000_000)


_Group = dict[Connection, None]
"""Connections in the order in which they were admitted."""


class _Room:
    """A game and its connections."""

    def __init__(self) -> None:
        self.record: Record | None = None
        self.reported: Presence | None = None  # what the other servers know of ours
        self.away_since_s: dict[int, float] = {}  # sides that are not connected
        self.present = 0  # connections that are not closed, counted or not
        self.arriving: set[Connection] = set()  # those that have not said who they are
        self.connections: _Group = {}
        self.is_told_soon = False


class Hub:
    """All rooms. Everything here runs on the event loop.

    *notice* is what everybody should know about the server at the moment. *report* is called with who
    is connected to a game here, whenever that has changed, for the other servers.
    """

    def __init__(
        self, settings: Settings, report: Callable[[str, Presence], object] = lambda *_: None
    ) -> None:
        self.notice: str | None = None
        self._report = report
        self._elsewhere: LRUCache[str, Presence] = LRUCache(ELSEWHERE)
        self._settings = settings
        self._rooms: dict[str, _Room] = {}
        self._all: _Group = {}
        self._by_address: defaultdict[str, _Group] = defaultdict(dict)
        self._arriving: Counter[str] = Counter()
        self._views: LRUCache[tuple[object, ...], bytes] = LRUCache(VIEWS)

    def __len__(self) -> int:
        return len(self._all) + self._arriving.total()

    def enter(self, connection: Connection) -> None:
        """Let a client into a room; it says next who it is. Raises `FullError`.

        Only then is the game to be read and the client admitted, or a change between the two would be
        missed.
        """
        if self._arriving[connection.address] >= self._settings.sockets_per_address:
            raise FullError
        room = self._rooms.setdefault(connection.game_id, _Room())
        room.present += 1
        room.arriving.add(connection)
        self._arriving[connection.address] += 1

    def admit(self, record: Record, connection: Connection, sides: list[Side]) -> None:
        """Admit a client that has entered, tell it how the game stands, and soon the others of it.

        Raises `FullError` if there is no place for a spectator, or for yet another of a player's own.
        """
        connection.sides = sides
        room = self._rooms[connection.game_id]
        mine = self._by_address.get(connection.address, {})
        for group, most in (
            (self._all, self._settings.max_sockets),
            (mine, self._settings.sockets_per_address),
            (room.connections, self._settings.sockets_per_game),
        ):
            if len(group) >= most:
                self._make_room(group, connection)
        self._has_arrived(room, connection)
        for group in (self._all, self._by_address[connection.address], room.connections):
            group[connection] = None
        if room.record is None or room.record.seq < record.seq:
            room.record = record
        connection.tell(self.render(room.record))
        self._tell_soon(room)

    def leave(self, connection: Connection) -> None:
        """Let a client go."""
        room = self._rooms[connection.game_id]
        self._has_arrived(room, connection)
        self._remove(connection)
        room.present -= 1
        if room.present:
            self._tell_soon(room)
        else:
            del self._rooms[connection.game_id]
            if room.reported not in (None, NOBODY):
                self._report(connection.game_id, NOBODY)

    def publish(self, record: Record) -> None:
        """Tell everybody in the room of a change."""
        room = self._rooms.get(record.id)
        if room and (room.record is None or room.record.seq < record.seq):
            room.record = record
            self._tell(room)

    def set_elsewhere(self, game_id: str, present: Presence) -> None:
        """Say who is connected to a game on other servers."""
        if present != self._elsewhere.get(game_id, NOBODY):
            self._elsewhere[game_id] = present
            if room := self._rooms.get(game_id):
                self._tell_soon(room)

    def away_s(self, game_id: str, side: int) -> float | None:
        """Return for how long a side has not been connected, as far as is known here; None if it is."""
        room = self._rooms.get(game_id)
        if room is None:
            return None
        self._note_presence(room, game_id)
        since_s = room.away_since_s.get(side)
        return None if since_s is None else time.monotonic() - since_s

    def _note_presence(self, room: _Room, game_id: str) -> None:
        connected, _ = self.presence(game_id)
        for side in (1, 2):
            if side in connected:
                room.away_since_s.pop(side, None)
            else:
                room.away_since_s.setdefault(side, time.monotonic())

    def is_playing(self, address: str, position: Position) -> bool:
        """Whether somebody at *address* plays a game with a clock that *position* could come from.

        That is one whose discs are all there. The first two moves are everybody's.
        """
        first, second = position.bitboards
        for connection in self._by_address.get(address, ()):
            room = self._rooms[connection.game_id]
            record = room.record
            if not (connection.sides and record and record.clock) or record.standing["result"]:
                continue
            board = record.game.position
            boards = {(each.width, each.height, each.rules) for each in (board, position)}
            if len(record.moves) < EVERYBODYS or len(boards) > 1:
                continue
            if board.rules.pop:  # discs do not stay where they are
                return True
            mine, theirs = board.bitboards
            if mine & ~first == 0 and theirs & ~second == 0:
                return True
        return False

    def watched(self) -> dict[str, int]:
        """Return the games that anybody watches, and the seq that they were last told of."""
        return {game_id: room.record.seq for game_id, room in list(self._rooms.items()) if room.record}

    def report_all(self) -> None:
        """Report who is connected to each game once more."""
        for game_id, room in self._rooms.items():
            room.reported = self._present_here(game_id)
            self._report(game_id, room.reported)

    def announce(self, notice: str | None) -> None:
        """Tell everybody of a new notice, or that it is over."""
        if notice != self.notice:
            self.notice = notice
            for room in self._rooms.values():
                self._tell_soon(room)

    def render(self, record: Record) -> bytes:
        """Return a game as JSON, as everybody may see it."""
        connected, spectators = self.presence(record.id)
        key = (record.id, record.seq, connected, spectators, self.notice)
        found = self._views.get(key)
        if found is None:
            view = game_view(record, connected=connected, spectators=spectators, notice=self.notice)
            found = self._views[key] = view.model_dump_json().encode()
        return found

    def is_watched(self, game_id: str) -> bool:
        """Whether anybody watches a game."""
        return game_id in self._rooms

    def presence(self, game_id: str) -> Presence:
        """Return which sides are connected to a game, and how many spectators."""
        here, elsewhere = self._present_here(game_id), self._elsewhere.get(game_id, NOBODY)
        return here[0] | elsewhere[0], here[1] + elsewhere[1]

    def _present_here(self, game_id: str) -> Presence:
        room = self._rooms.get(game_id)
        sides = [connection.sides for connection in room.connections] if room else []
        return frozenset(number for some in sides for number in some), sides.count([])

    def _make_room(self, group: _Group, newcomer: Connection) -> None:
        """Dismiss a spectator of *group*, the latest one, for a player. Raises `FullError`."""
        others = (connection for connection in reversed(group) if not connection.sides)
        spectator = next(others, None) if newcomer.sides else None
        if spectator is None:
            raise FullError
        spectator.dismiss()
        self._remove(spectator)

    def _remove(self, connection: Connection) -> None:
        """Count a connection no longer, and tell it nothing any more."""
        self._rooms[connection.game_id].connections.pop(connection, None)
        self._all.pop(connection, None)
        mine = self._by_address[connection.address]
        mine.pop(connection, None)
        if not mine:
            del self._by_address[connection.address]

    def _has_arrived(self, room: _Room, connection: Connection) -> None:
        if connection in room.arriving:
            room.arriving.discard(connection)
            self._arriving[connection.address] -= 1
            if not self._arriving[connection.address]:
                del self._arriving[connection.address]

    def _tell(self, room: _Room) -> None:
        if room.record is None:
            return
        state = self.render(room.record)
        for connection in room.connections:
            connection.tell(state)

    def _tell_soon(self, room: _Room) -> None:
        if not room.is_told_soon:
            room.is_told_soon = True
            delay_s = PRESENCE_S + PRESENCE_EACH_S * len(room.connections)
            asyncio.get_running_loop().call_later(delay_s, self._tell_now, room)

    def _tell_now(self, room: _Room) -> None:
        room.is_told_soon = False
        if room.record:
            self._note_presence(room, room.record.id)
        if room.record and room.record.id in self._rooms:
            here = self._present_here(room.record.id)
            if here != room.reported:
                room.reported = here
                self._report(room.record.id, here)
        self._tell(room)
