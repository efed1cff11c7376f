"""What happens around a room: it is stored, and those who are in it are told."""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from functools import partial
from typing import TypeVar

from cachetools import LRUCache
from starlette.websockets import WebSocket

from fourcast.web.games.rules import Record, RefusedError
from fourcast.web.games.service import GameService
from fourcast.web.games.store import Transaction
from fourcast.web.rooms.room import Room, now_ms
from fourcast.web.rooms.views import RoomView, room_view, seen_by
from fourcast.web.server.live import Connection, FullError
from fourcast.web.settings import Settings

__all__ = ["RoomConnection", "RoomService"]

T = TypeVar("T")
log = logging.getLogger("fourcast.web")

PRESENCE_S = 0.1
"""Arrivals and departures within this time are announced together."""
HERE = frozenset({1})


class RoomConnection(Connection):
    """One client in a room: a member, or somebody who watches, as a projector does."""

    member: str | None = None
    is_host = False

    def text(self, state: bytes) -> str:
        """Return the message that tells this client of *state*."""
        member = "null" if self.member is None else f'"{self.member}"'
        is_host = "true" if self.is_host else "false"
        who = f'"member":{member},"is_host":{is_host},"now_ms":{now_ms()}'
        return f'{{"type":"room","room":{state.decode()},{who}}}'


class RoomService:
    """The rooms of one server. All methods are for the event loop."""

    def __init__(self, settings: Settings, games: GameService) -> None:
        self._settings = settings
        self._games = games
        self._loop = asyncio.get_running_loop()
        self._connections: dict[str, dict[RoomConnection, None]] = {}
        self._addresses: Counter[str] = Counter()
        self._elsewhere: LRUCache[str, frozenset[str]] = LRUCache(10_000)
        self._reported: dict[str, frozenset[str]] = {}
        self._newest: LRUCache[str, Room] = LRUCache(1_000)
        self._reading: set[asyncio.Task[object]] = set()
        self._told_soon: set[str] = set()
        games.store.on_rooms = self._changed_here
        games.on_room = self._changed_elsewhere
        games.on_forgotten = self._report_all

    @property
    def sockets(self) -> int:
        """How many clients are connected."""
        return sum(map(len, self._connections.values()))

    async def close(self) -> None:
        """Stop reading."""
        for task in self._reading:
            task.cancel()
        await asyncio.gather(*self._reading, return_exceptions=True)

    async def get(self, room_id: str) -> Room:
        """Return a room."""
        room, present = await self._games.read(partial(self._games.store.load_room, room_id))
        if room is None:
            raise RefusedError(404, "error.unknown_room")
        others = [those for server, those in present.items() if server != self._games.server_id]
        self._elsewhere[room_id] = frozenset(member for those in others for member in those)
        return room

    async def add(self, room: Room) -> None:
        """Keep a new room."""
        await self._games.write(partial(Transaction.add_room, room=room))

    async def change(
        self, room_id: str, rule: Callable[[Room], Sequence[Record]]
    ) -> tuple[Room, list[str]]:
        """Change a room by *rule*, which may raise; return it, and the games that were made."""
        made: list[Record] = []

        def kept(room: Room) -> Sequence[Record]:
            made[:] = rule(room)
            return made

        rooms: list[Room | None] = []
        await self._games.write(partial(_change, room_id=room_id, rule=kept, rooms=rooms))
        if rooms[-1] is None:
            raise RefusedError(404, "error.unknown_room")
        return rooms[-1], [record.id for record in made]

    # ---- Live

    def enter(self, websocket: WebSocket, room_id: str, address: str) -> RoomConnection:
        """Let a client in, which is told of every change from `admit` on. Raises `FullError`."""
        here = self._connections.setdefault(room_id, {})
        if (
            self._addresses[address] >= self._settings.sockets_per_address
            or len(here) >= self._settings.sockets_per_game
            or self.sockets >= self._settings.max_sockets
        ):
            if not here:
                del self._connections[room_id]
            raise FullError
        connection = RoomConnection(websocket, room_id, address)
        here[connection] = None
        self._addresses[address] += 1
        return connection

    def admit(self, connection: RoomConnection, room: Room, token: str | None, key: str | None) -> None:
        """Tell a client how things are, and soon the others of it."""
        if token:
            with suppress(RefusedError):
                connection.member = room.member_of(token).id
        connection.is_host = bool(key) and room.is_host(key or "")
        self._take(room)
        self._show(self._newest[room.id], [connection])
        self._tell_soon(room.id)

    def leave(self, connection: RoomConnection) -> None:
        """Let a client go."""
        room_id = connection.game_id
        here = self._connections[room_id]
        del here[connection]
        self._addresses[connection.address] -= 1
        if not self._addresses[connection.address]:
            del self._addresses[connection.address]
        if not here:
            del self._connections[room_id]
        self._tell_soon(room_id)

    def connected(self, room_id: str) -> frozenset[str]:
        """Return the members who are connected, here or on another server."""
        return self._here(room_id) | self._elsewhere.get(room_id, frozenset())

    def view(self, room: Room, secret: str | None) -> RoomView:
        """Return what the holder of a secret, the host's or a member's, may see of a room."""
        member, is_host = None, False
        if secret:
            is_host = room.is_host(secret)
            with suppress(RefusedError):
                member = room.member_of(secret).id
        return seen_by(room_view(room, self.connected(room.id)), member, is_host=is_host)

    def _show(self, room: Room, connections: Iterable[RoomConnection]) -> None:
        """Tell clients how a room is, each of them what it may see."""
        view = room_view(room, self.connected(room.id))
        whole = view.model_dump_json().encode()
        for connection in connections:
            seen = seen_by(view, connection.member, is_host=connection.is_host)
            connection.tell(whole if seen is view else seen.model_dump_json().encode())

    def _here(self, room_id: str) -> frozenset[str]:
        there = self._connections.get(room_id, {})
        return frozenset(each.member for each in there if each.member)

    def _changed_here(self, rooms: list[Room]) -> None:
        """Called on the thread that writes."""
        self._loop.call_soon_threadsafe(self._take_all, rooms)

    def _take_all(self, rooms: list[Room]) -> None:
        for room in rooms:
            if self._take(room):
                self._tell(room.id)

    def _take(self, room: Room) -> bool:
        known = self._newest.get(room.id)
        if known is None or known.seq < room.seq:
            self._newest[room.id] = room
            return True
        return False

    def _changed_elsewhere(self, room_id: str) -> None:
        """Read a room again that somebody is in; all of them if there is no name."""
        for each in [room_id] if room_id else list(self._connections):
            if each in self._connections:
                task: asyncio.Task[object] = asyncio.create_task(self._read_again(each))
                self._reading.add(task)
                task.add_done_callback(self._reading.discard)

    async def _read_again(self, room_id: str) -> None:
        before = self.connected(room_id)
        try:
            room = await self.get(room_id)
        except RefusedError:
            return
        except Exception:
            log.exception("the database does not answer")
            return
        if self._take(room) or before != self.connected(room_id):
            self._tell(room_id)

    def _tell(self, room_id: str) -> None:
        room, there = self._newest.get(room_id), self._connections.get(room_id)
        if room and there:
            self._show(room, there)

    def _report_all(self) -> None:
        self._reported.clear()
        for room_id in self._connections:
            self._tell_soon(room_id)

    def _tell_soon(self, room_id: str) -> None:
        if room_id not in self._told_soon:
            self._told_soon.add(room_id)
            self._loop.call_later(PRESENCE_S, self._tell_now, room_id)

    def _tell_now(self, room_id: str) -> None:
        self._told_soon.discard(room_id)
        here, before = self._here(room_id), self._reported.get(room_id, frozenset())
        for member in here ^ before:
            present = (HERE if member in here else frozenset(), 0)
            self._games.report(f"{room_id}/{member}", present)
        if here:
            self._reported[room_id] = here
        else:
            self._reported.pop(room_id, None)
        self._tell(room_id)


def _change(
    transaction: Transaction,
    room_id: str,
    rule: Callable[[Room], Sequence[Record]],
    rooms: list[Room | None],
) -> None:
    rooms.append(transaction.change_room(room_id, rule))
