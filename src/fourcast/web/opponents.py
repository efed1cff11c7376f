"""The computer's players: their moves are chosen on a few threads, off the event loop."""

from __future__ import annotations

import asyncio
import os
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

from fourcast._core import Position
from fourcast.players import Player, player, player_options

__all__ = ["Opponents", "step_back"]

NICE = 10


def step_back() -> None:
    """Let this thread give way to the event loop: a long search can wait, a person's click cannot.

    Linux keeps this number for each thread; elsewhere it is the process's, and better left alone.
    """
    if sys.platform == "linux":
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), NICE)


class Opponents:
    """Players by name, each made once and shared: they are safe to use from several threads."""

    def __init__(self, threads: int, time_s: float) -> None:
        self._time_s = time_s
        self._players: dict[str, Player] = {}
        self._executor = ThreadPoolExecutor(threads, "opponent", initializer=step_back)

    async def choose(self, name: str, position: Position) -> int:
        """Return the column that the player *name* chooses."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._executor, self._choose, name, position)

    def close(self) -> None:
        """Begin no more choices, and wait for those that have begun."""
        self._executor.shutdown(cancel_futures=True)

    def _choose(self, name: str, position: Position) -> int:
        if name not in self._players:
            limit = {"time_s": self._time_s} if "time_s" in player_options(name) else {}
            self._players[name] = player(name, **limit)
        return self._players[name].choose(position)
