"""Positions analyzed and games reviewed for many people at once; what was found is remembered.

One solver does all the work, and what it finds for one client helps the next.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Awaitable, Callable
from typing import Any

from cachetools import LRUCache

from fourcast._core import Analysis, Limit, Position, StopToken
from fourcast.game import Game
from fourcast.solver import Solver
from fourcast.study.review import Review, review
from fourcast.web.pool import Job, Pool, core_count

__all__ = ["Analyst"]

IsGone = Callable[[], Awaitable[bool]]

ANALYSIS_S = 5.0
"""Seconds for a position by default."""
REVIEW_S = 20.0
"""Seconds for all positions of a game by default."""
LEAST_S, MOST_S = 0.001, 60.0
"""Requests for less or more time get this much."""


class Analyst:
    """Analyzes positions and reviews games, on one thread for each core unless told otherwise.

    *queue* jobs may wait for a thread; the latest *remembered* answers are kept.
    """

    def __init__(
        self, *, workers: int | None = None, queue: int = 16, remembered: int = 4096, table_mb: int = 16
    ) -> None:
        self.pool = Pool(workers=workers or core_count(), queue=queue)
        self._solver = Solver(table_mb=table_mb)
        self._lock = threading.Lock()
        self.solves = 0
        """How many positions and games were worked on, those that were remembered not counted."""
        # Both are touched with the lock only.
        self._analyses: LRUCache[object, Analysis] = LRUCache(remembered)
        self._reviews: LRUCache[object, Review] = LRUCache(max(1, remembered // 16))

    async def analyze(
        self,
        position: Position,
        time_s: float = ANALYSIS_S,
        is_gone: IsGone | None = None,
        *,
        address: str = "",
    ) -> Analysis:
        """Return what can be proven about *position* in *time_s* seconds, not counting the queue.

        Mirror images share one answer. *is_gone*, *address* and the errors are those of `Pool.run`.
        """
        if position.is_over:
            return Analysis(position, ())
        time_s = min(max(time_s, LEAST_S), MOST_S)
        key = (position.width, position.height, position.canonical_key)

        def work(job: Job[Analysis]) -> Analysis:
            with self._lock:
                known = self._analyses.get(key)  # it may have been found while we waited for a thread
            if known:
                return known
            found = self._solver.analyze(position, Limit(time_s=time_s), stop=self._token(job))
            if found.complete:
                with self._lock:
                    self._analyses[key] = found
            return found

        with self._lock:
            found = self._analyses.get(key)
        if found is None:
            found = await self.pool.run((key, time_s), work, is_gone, address=address)
        return found if found.position == position else found.mirrored()

    async def review(
        self,
        game: Game,
        time_s: float = REVIEW_S,
        is_gone: IsGone | None = None,
        *,
        address: str = "",
    ) -> Review:
        """Return the review of *game*; moves that *time_s* seconds are not enough for are left open."""
        time_s = min(max(time_s, LEAST_S), MOST_S)
        key = (game.start.width, game.start.height, game.start.key, game.columns)
        game = Game(game.columns, start=game.start)  # a copy: another thread may go on with the original

        def work(job: Job[Review]) -> Review:
            end = time.monotonic() + time_s

            found = review(
                game,
                solver=self._solver,
                limit=Limit(time_s=time_s / 2),
                is_enough=lambda: time.monotonic() > end,
                stop=self._token(job),
            )
            if found.complete:
                with self._lock:
                    self._reviews[key] = found
            return found

        with self._lock:
            found = self._reviews.get(key)
        if found is None:
            found = await self.pool.run((key, time_s), work, is_gone, address=address)
        return found

    def close(self) -> None:
        """Stop everything, and wait until it is over."""
        self.pool.close()

    def _token(self, job: Job[Any]) -> StopToken:
        """Return what stops the solver when *job* is stopped, however soon that is."""
        with self._lock:
            self.solves += 1
        token = self._solver.make_token()
        job.stop_with(token.stop)
        return token
