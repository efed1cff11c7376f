"""The live connections: who looks at which game, and telling them what has changed.

Every message is the whole state, so that a connection needs no queue: it has one place for the newest
state, and a slow reader misses what came in between. One that reads nothing at all is dropped.
"""

from __future__ import annotations

import asyncio
import json
from collections import Counter, OrderedDict
from collections.abc import Iterable

from starlette.websockets import WebSocket

from fourcast.web.games import Record, view
from fourcast.web.schemas import Side
from fourcast.web.settings import Settings

__all__ = ["Connection", "FullError", "Hub"]

SEND_TIME_S = 10.0
"""How long a client may take to read one message before it is dropped."""
PRESENCE_S = 0.05
"""Comings and goings within this time are told together."""
VIEWS = 1_000
"""Games whose view is remembered."""


class FullError(Exception):
    """There are as many connections as there may be."""


class Connection:
    """One client that looks at a game."""

    def __init__(self, websocket: WebSocket, address: str) -> None:
        self.sides: list[Side] = []
        self.address = address
        self._websocket = websocket
        self._newest: bytes | None = None
        self._news = asyncio.Event()

    def tell(self, state: bytes) -> None:
        """Have *state* sent next; an older one that was not sent yet never will be."""
        self._newest = state
        self._news.set()

    async def send_all(self) -> None:
        """Send what is told, until the client is gone or reads no more."""
        while True:
            await self._news.wait()
            self._news.clear()
            state = self._newest or b""
            sides = json.dumps(self.sides)
            text = f'{{"type":"state","game":{state.decode()},"sides":{sides}}}'
            await asyncio.wait_for(self._websocket.send_text(text), SEND_TIME_S)


class _Room:
    """A game and those who look at it."""

    def __init__(self) -> None:
        self.record: Record | None = None
        self.connections: set[Connection] = set()
        self.is_told_soon = False


class Hub:
    """All rooms. Everything here runs on the event loop."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._rooms: dict[str, _Room] = {}
        self._by_address: Counter[str] = Counter()
        self._views: OrderedDict[tuple[str, int, frozenset[int], int], bytes] = OrderedDict()

    def __len__(self) -> int:
        return self._by_address.total()

    def enter(self, game_id: str, connection: Connection) -> None:
        """Let a client into a room: from now on it hears of every change. Raises `FullError`.

        Only then is the game to be read and handed to `publish`, or a change between the two would be
        missed.
        """
        room = self._rooms.get(game_id)
        if (
            len(self) >= self._settings.max_sockets
            or self._by_address[connection.address] >= self._settings.sockets_per_address
            or (room and len(room.connections) >= self._settings.sockets_per_game)
        ):
            raise FullError
        room = self._rooms.setdefault(game_id, _Room())
        room.connections.add(connection)
        self._by_address[connection.address] += 1

    def leave(self, game_id: str, connection: Connection) -> None:
        """Let a client go."""
        room = self._rooms[game_id]
        room.connections.discard(connection)
        self._by_address[connection.address] -= 1
        if not self._by_address[connection.address]:
            del self._by_address[connection.address]
        if room.connections:
            self._tell_soon(room)
        else:
            del self._rooms[game_id]

    def welcome(self, record: Record, connection: Connection) -> None:
        """Tell a client who has entered how the game stands, and soon the others that he is there."""
        room = self._rooms[record.id]
        if room.record is None or room.record.seq < record.seq:
            room.record = record
        connection.tell(self.render(room.record))
        self._tell_soon(room)

    def publish(self, record: Record) -> None:
        """Tell everybody in the room of a change."""
        room = self._rooms.get(record.id)
        if room and (room.record is None or room.record.seq < record.seq):
            room.record = record
            self._tell(room)

    def render(self, record: Record) -> bytes:
        """Return a game as JSON, as everybody may see it."""
        connected, spectators = self.presence(record.id)
        key = (record.id, record.seq, connected, spectators)
        found = self._views.pop(key, None)
        if found is None:
            found = view(record, connected=connected, spectators=spectators).model_dump_json().encode()
            if len(self._views) >= VIEWS:
                self._views.popitem(last=False)
        self._views[key] = found
        return found

    def is_watched(self, game_id: str) -> bool:
        """Whether anybody looks at a game."""
        return game_id in self._rooms

    def presence(self, game_id: str) -> tuple[frozenset[int], int]:
        """Return which sides look at a game, and how many spectators."""
        room = self._rooms.get(game_id)
        connections: Iterable[Connection] = room.connections if room else ()
        sides = [connection.sides for connection in connections]
        return frozenset(number for some in sides for number in some), sides.count([])

    def _tell(self, room: _Room) -> None:
        if room.record is None:
            return
        state = self.render(room.record)
        for connection in room.connections:
            connection.tell(state)

    def _tell_soon(self, room: _Room) -> None:
        if not room.is_told_soon:
            room.is_told_soon = True
            asyncio.get_running_loop().call_later(PRESENCE_S, self._tell_now, room)

    def _tell_now(self, room: _Room) -> None:
        room.is_told_soon = False
        self._tell(room)
