"""The computer's players: their moves are chosen on a few threads, off the event loop."""

from __future__ import annotations

from fourcast._core import Position
from fourcast.players import Player, player, player_options
from fourcast.web.server.addresses import asking
from fourcast.web.server.pool import Client, Pool

__all__ = ["Opponents"]

MOST_WAITING = 10_000


class Opponents:
    """Players by name, each made once and shared: they are safe to use from several threads.

    Addresses take turns. The more choices wait for an address, the shorter each may take: a crowd of
    games waits seconds, not minutes, and the games of others do not notice it.
    """

    def __init__(self, threads: int, time_s: float) -> None:
        self._time_s = time_s
        self._players: dict[tuple[str, float], Player] = {}
        self._pool = Pool(workers=threads, queue=MOST_WAITING, fair_s=None)

    async def choose(self, name: str, position: Position) -> int:
        """Return the column that the player *name* chooses. Raises `BusyError` if far too many wait."""
        address = asking.get()
        return await self._pool.run(
            object(), lambda _: self._choose(name, position, address), Client(address=address)
        )

    def close(self) -> None:
        """Begin no more choices, and wait for those that have begun."""
        self._pool.close()

    def _choose(self, name: str, position: Position, address: str) -> int:
        time_s = self._share_s(address)
        key = (name, time_s)
        if key not in self._players:
            limit = {"time_s": time_s} if "time_s" in player_options(name) else {}
            self._players[key] = player(name, **limit)
        return self._players[key].choose(position)

    def _share_s(self, address: str) -> float:
        """How long a choice may take: a second one of an address keeps no thread for long."""
        jobs, addresses = self._pool.crowd(address)
        crowd = max(jobs, addresses) / self._pool.workers
        if crowd <= 2:
            return self._time_s / (1 if jobs <= 1 else 2)
        return self._time_s / (4 if crowd <= 8 else 16)
