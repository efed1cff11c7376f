"""Positions analyzed and games reviewed for many people at once; what was found is remembered.

Each thread has its own solver, because `Solver.stop` ends all that its solver is doing. A single client
keeps getting the same, warm solver.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from queue import LifoQueue
from typing import Literal, TypeVar

from cachetools import LRUCache

from fourcast._core import Analysis, Limit, Position, Solver
from fourcast.game import Game
from fourcast.study.review import Review, review, score_at_end
from fourcast.web.pool import Job, Pool, core_count

__all__ = ["Analyst", "ColumnFinding", "Finding"]

T = TypeVar("T")
IsGone = Callable[[], Awaitable[bool]]

ANALYSIS_S = 5.0
"""Seconds for a position by default."""
REVIEW_S = 20.0
"""Seconds for all positions of a game by default."""
LEAST_S, MOST_S = 0.001, 60.0
"""Requests for less or more time get this much."""


@dataclass(frozen=True)
class ColumnFinding:
    """What is proven of one column, for the side to move."""

    column: int
    lower: int
    upper: int
    variation: tuple[int, ...]

    @property
    def score(self) -> int | None:
        """The exact score, if it is known."""
        return self.lower if self.lower == self.upper else None

    @property
    def outcome(self) -> Literal["win", "draw", "loss"] | None:
        """What the column leads to, if that is known."""
        if self.lower > 0:
            return "win"
        if self.upper < 0:
            return "loss"
        return "draw" if self.lower == self.upper else None


@dataclass(frozen=True)
class Finding:
    """What is proven of a position: an `Analysis` that can be mirrored, and made for a finished game."""

    lower: int
    upper: int
    columns: tuple[ColumnFinding, ...]
    is_complete: bool

    @classmethod
    def of(cls, analysis: Analysis) -> Finding:
        """Return what *analysis* has found."""
        columns = tuple(
            ColumnFinding(line.column, line.lower, line.upper, line.variation) for line in analysis
        )
        result = analysis.result
        return cls(result.lower, result.upper, columns, result.complete)

    @classmethod
    def of_finished(cls, position: Position) -> Finding:
        """Return what there is to say when the game is over: who is to move has not won."""
        score = -score_at_end(position)
        return cls(score, score, (), True)

    @property
    def score(self) -> int | None:
        """The exact score, if it is known."""
        return self.lower if self.lower == self.upper else None

    def is_best(self, column: ColumnFinding) -> bool:
        """Whether it is proven that no column is better than this one."""
        others = [other.upper for other in self.columns if other is not column]
        return column.lower >= min(self.upper, max(others, default=self.lower))

    def mirrored(self, width: int) -> Finding:
        """Return the same of the mirror image."""
        columns = [
            replace(
                found,
                column=width - 1 - found.column,
                variation=tuple(width - 1 - column for column in found.variation),
            )
            for found in reversed(self.columns)
        ]
        return replace(self, columns=tuple(columns))


class Analyst:
    """Analyses positions and reviews games, on one thread for each core unless told otherwise.

    *queue* jobs may wait for a thread; the latest *remembered* answers are kept.
    """

    def __init__(
        self, *, workers: int | None = None, queue: int = 16, remembered: int = 4096, table_mb: int = 8
    ) -> None:
        self.pool = Pool(workers=workers or core_count(), queue=queue)
        self._solvers: LifoQueue[Solver] = LifoQueue()
        for _ in range(self.pool.workers):
            self._solvers.put(Solver(table_mb=table_mb))
        self._lock = threading.Lock()
        self.solves = 0
        """How many positions and games were worked on, those that were remembered not counted."""
        # Both are touched with the lock only.
        self._findings: LRUCache[object, tuple[int, Finding]] = LRUCache(remembered)
        self._reviews: LRUCache[object, Review] = LRUCache(max(1, remembered // 16))

    async def analyze(
        self,
        position: Position,
        time_s: float = ANALYSIS_S,
        is_gone: IsGone | None = None,
        *,
        address: str = "",
    ) -> Finding:
        """Return what can be proven about *position* in *time_s* seconds, not counting the queue.

        Mirror images share one answer. *is_gone*, *address* and the errors are those of `Pool.run`.
        """
        if position.is_over:
            return Finding.of_finished(position)
        time_s = min(max(time_s, LEAST_S), MOST_S)
        key = (position.width, position.height, position.canonical_key)

        def work(job: Job[tuple[int, Finding]]) -> tuple[int, Finding]:
            with self._lock:
                known = self._findings.get(key)  # it may have been found while we waited for a thread
            if known:
                return known
            with self._solver(job) as solver:
                found = position.key, Finding.of(solver.analyze(position, Limit(time_s=time_s)))
            if found[1].is_complete:
                with self._lock:
                    self._findings[key] = found
            return found

        with self._lock:
            found = self._findings.get(key)
        if found is None:
            found = await self.pool.run((key, time_s), work, is_gone, address=address)
        solved, finding = found
        return finding if solved == position.key else finding.mirrored(position.width)

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

            def is_enough() -> bool:
                return job.is_stopped or time.monotonic() > end

            with self._solver(job) as solver:
                limit = Limit(time_s=time_s / 2)
                found = review(game, solver=solver, limit=limit, is_enough=is_enough)
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

    @contextmanager
    def _solver(self, job: Job[T]) -> Iterator[Solver]:
        """Lend a solver to a job, which stops when the job is stopped."""
        solver = self._solvers.get()
        with self._lock:
            self.solves += 1
        job.stop_with(solver.stop)
        try:
            yield solver
        finally:
            job.stop_with(None)
            self._solvers.put(solver)
