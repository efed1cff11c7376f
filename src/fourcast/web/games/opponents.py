"""The computer's players: their moves are chosen on a few threads, off the event loop."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor

from fourcast._core import Position
from fourcast.players import Player, player, player_options
from fourcast.web.server.pool import step_back

__all__ = ["Opponents"]


class Opponents:
    """Players by name, each made once and shared: they are safe to use from several threads.

    The more choices wait, the shorter each may take: a crowd of games waits seconds, not minutes.
    """

    def __init__(self, threads: int, time_s: float) -> None:
        self._threads = threads
        self._time_s = time_s
        self._waiting = 0
        self._players: dict[tuple[str, float], Player] = {}
        self._executor = ThreadPoolExecutor(threads, "opponent", initializer=step_back)

    async def choose(self, name: str, position: Position) -> int:
        """Return the column that the player *name* chooses."""
        loop = asyncio.get_running_loop()
        self._waiting += 1
        try:
            return await loop.run_in_executor(self._executor, self._choose, name, position)
        finally:
            self._waiting -= 1

    def close(self) -> None:
        """Begin no more choices, and wait for those that have begun."""
        self._executor.shutdown(cancel_futures=True)

    def _choose(self, name: str, position: Position) -> int:
        time_s = self._share_s()
        key = (name, time_s)
        if key not in self._players:
            limit = {"time_s": time_s} if "time_s" in player_options(name) else {}
            self._players[key] = player(name, **limit)
        return self._players[key].choose(position)

    def _share_s(self) -> float:
        crowd = self._waiting / self._threads
        return self._time_s / (1 if crowd <= 2 else 4 if crowd <= 8 else 16)
