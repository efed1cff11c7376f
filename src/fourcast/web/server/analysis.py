"""Positions analyzed and explained, games reviewed: for many at once, and what was found is remembered.

One solver does all the work, and what it finds for one client helps the next.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeVar, cast

from cachetools import LRUCache

from fourcast._core import Analysis, Limit, Position, StopToken, ask
from fourcast.errors import OptionError
from fourcast.game import Game
from fourcast.notation import require_unfinished
from fourcast.render.catalogue import voice
from fourcast.search_threads import processor_count
from fourcast.solver import Solver
from fourcast.study.explain import Claim, Explanation, explain, explain_move
from fourcast.study.follow import Followed, follow_player
from fourcast.study.marks import Marks
from fourcast.study.review import Review, explain_mistakes, review
from fourcast.web.server.pool import NOBODY, BusyError, Client, Job, Pool
from fourcast.web.views import explanation_view, move_explanation_view

__all__ = ["Analyst", "Explained", "FollowedClaim"]

T = TypeVar("T")

ANALYSIS_S = 5.0
"""Seconds for a position by default."""
REVIEW_S = 20.0
"""Seconds for all positions of a game by default."""
EXPLAIN_S = 10.0
"""Seconds for an explanation by default."""
LEAST_S, MOST_S = 0.001, 60.0
"""Requests for less or more time get this much."""
EXPLAINED_BYTES = 4_000_000
"""How much JSON of explanations is remembered; some hundreds of them, the largest have 200 KB."""


@dataclass(frozen=True)
class Explained:
    """An explanation, and the JSON that is sent of it."""

    explanation: Explanation
    content: bytes


@dataclass(frozen=True)
class FollowedClaim:
    """A claim with its marks, the line to its position, and a game in which its player follows it."""

    claim: Claim
    marks: Marks
    line: tuple[int, ...]
    game: Followed


class Analyst:
    """Analyzes and explains positions and reviews games, on one thread for each core by default.

    *queue* jobs may wait for a thread; the latest *remembered* answers are kept.
    """

    def __init__(
        self, *, workers: int | None = None, queue: int = 16, remembered: int = 4096, table_mb: int = 16
    ) -> None:
        self.pool = Pool(workers=workers or processor_count(), queue=queue)
        self._solver = Solver(table_mb=table_mb)
        self._lock = threading.Lock()
        self.solves = 0
        """How many positions and games were worked on, those that were remembered not counted."""
        # All of them are touched with the lock only.
        self._analyses: LRUCache[object, Analysis] = LRUCache(remembered)
        self._reviews: LRUCache[object, Review] = LRUCache(max(1, remembered // 16))
        self._explained: LRUCache[object, Explained] = LRUCache(
            EXPLAINED_BYTES, getsizeof=lambda each: len(each.content)
        )
        self._moves: LRUCache[object, bytes] = LRUCache(EXPLAINED_BYTES, getsizeof=len)

    async def analyze(
        self, position: Position, time_s: float = ANALYSIS_S, client: Client = NOBODY
    ) -> Analysis:
        """Return what can be proven about *position* in *time_s* seconds, not counting the queue.

        Mirror images share one answer. The errors are those of `Pool.run`.
        PopOut has an answer of its own: `analyze_popout`.
        """
        if position.is_over:
            return Analysis(position, ())
        time_s = _bounded(time_s)
        key = ("analysis", position.width, position.height, position.rules, position.canonical_key)

        def work(job: Job[Analysis]) -> Analysis:
            if known := self._known(self._analyses, key):  # found while we waited for a thread
                return known
            found = self._solver.analyze(position, Limit(time_s=time_s), stop=self._token(job))
            if all(len(line.variation) == line.plies_to_end for line in found):
                self._remember(job, self._analyses, key, found)
            return found

        found = self._known(self._analyses, key)
        if found is None:
            found = await self.pool.run((key, time_s), work, client)
        return found if found.position == position else found.mirrored()

    async def analyze_popout(
        self, position: Position, time_s: float = ANALYSIS_S, client: Client = NOBODY
    ) -> dict[str, Any]:
        """Return what the core answers about a position of PopOut, in plies."""
        asked = {"rows": position.to_rows(), "time_s": _bounded(time_s)}

        def work(job: Job[dict[str, Any]]) -> dict[str, Any]:
            return cast(dict[str, Any], ask("popout.analyze", asked, stop=self._token(job)))

        key = ("popout", position, asked["time_s"])
        return await self.pool.run(key, work, client)

    async def review(self, game: Game, time_s: float = REVIEW_S, client: Client = NOBODY) -> Review:
        """Return the review of *game*; moves that *time_s* seconds are not enough for are left open.

        If they are enough for all, mistakes are explained; see `explain_mistakes`.
        """
        time_s = _bounded(time_s)
        key = ("review", game.start, game.columns)
        game = Game(game.columns, start=game.start)  # a copy: another thread may go on with the original

        def work(job: Job[Review]) -> Review:
            end = time.monotonic() + time_s
            token, limit = self._token(job), Limit(time_s=time_s / 2)
            found = review(
                game,
                solver=self._solver,
                limit=limit,
                is_enough=lambda: time.monotonic() > end,
                stop=token,
            )
            if found.complete and game.start.rules.is_standard:
                explained = explain_mistakes(found, solver=self._solver, limit=limit, stop=token)
                found = found.with_explanations(explained)
                self._remember(job, self._reviews, key, found)
            return found

        found = self._known(self._reviews, key)
        if found is None:
            found = await self.pool.run((key, time_s), work, client)
        return found

    async def explain(
        self, position: Position, time_s: float = EXPLAIN_S, client: Client = NOBODY
    ) -> Explained:
        """Return why *position* is won, lost or drawn, as far as that is found in *time_s* seconds.

        Every claim has been replayed by `fourcast.study.check`. Raises `FinishedGameError` if the game
        is over; the other errors are those of `Pool.run`.
        """
        require_unfinished(position, "error.explain_over")
        key = ("explanation", position, voice())
        found = self._known(self._explained, key)
        if found is None:
            found = await self.pool.run(
                (key, time_s), lambda job: self._explain(job, position, time_s), client
            )
        return found

    async def explain_move(
        self, position: Position, column: int, time_s: float = EXPLAIN_S, client: Client = NOBODY
    ) -> bytes:
        """Return as JSON why *column* keeps the result of *position* or gives it away.

        Raises `OptionError` if what the moves are worth is not found in time; see `explain`.
        """
        require_unfinished(position, "error.explain_over")
        key = ("move", position, column, voice())

        def work(job: Job[bytes]) -> bytes:
            whole_s = _bounded(time_s)
            try:
                found = explain_move(
                    position,
                    column,
                    solver=self._solver,
                    limit=Limit(time_s=whole_s),
                    reason_limit=Limit(time_s=whole_s / 2),  # there are two of them
                    stop=self._token(job),
                )
            except OptionError:
                if job.is_stopped:
                    return b""  # the time was enough, but others waited
                raise
            view = move_explanation_view(found)
            content = view.model_dump_json().encode()
            for part, shown in ((found.reason, view.reason), (found.better, view.better)):
                if part and shown:
                    self._remember_explained(job, Explained(part, shown.model_dump_json().encode()))
            parts = [part for part in (found.reason, found.better) if part]
            if all(part.complete or part.claims for part in parts):
                self._remember(job, self._moves, key, content)
            return content

        known = self._known(self._moves, key)
        if known is None:
            known = await self.pool.run((key, time_s), work, client)
        if not known:
            raise BusyError(1)
        return known

    async def follow(
        self,
        position: Position,
        player: int | None,
        replies: Sequence[int],
        time_s: float = EXPLAIN_S,
        client: Client = NOBODY,
    ) -> FollowedClaim:
        """Return the game in which somebody plays *replies* against a claim about *position*.

        A draw has a claim of each *player*; None is the first claim. Raises `OptionError` if there is no
        such claim, and what `follow` and `explain` raise.
        """
        require_unfinished(position, "error.explain_over")
        key = ("follow", position, player, tuple(replies), voice())

        def work(job: Job[FollowedClaim]) -> FollowedClaim:
            found = self._explain(job, position, time_s).explanation
            claim, game = follow_player(found, player, replies)
            marks = found.marks(found.claims.index(claim))
            return FollowedClaim(claim, marks, found.line, game)

        return await self.pool.run((key, time_s), work, client)

    def close(self) -> None:
        """Stop everything, and wait until it is over."""
        self.pool.close()

    def _explain(self, job: Job[Any], position: Position, time_s: float) -> Explained:
        key = ("explanation", position, voice())
        if known := self._known(self._explained, key):
            return known
        limit = Limit(time_s=_bounded(time_s))
        found = explain(position, solver=self._solver, limit=limit, stop=self._token(job))
        explained = Explained(found, explanation_view(found).model_dump_json().encode())
        self._remember_explained(job, explained)
        return explained

    def _remember_explained(self, job: Job[Any], explained: Explained) -> None:
        if explained.explanation.complete or explained.explanation.claims:
            key = ("explanation", explained.explanation.position, voice())
            self._remember(job, self._explained, key, explained)

    def _known(self, cache: LRUCache[object, T], key: object) -> T | None:
        with self._lock:
            return cache.get(key)

    def _remember(self, job: Job[Any], cache: LRUCache[object, T], key: object, value: T) -> None:
        """Keep *value* for later, unless *job* was stopped: then a line or a reason may be missing."""
        if job.is_stopped:
            return
        with self._lock:
            if cache.getsizeof(value) <= cache.maxsize:
                cache[key] = value

    def _token(self, job: Job[Any]) -> StopToken:
        """Return what stops the solver when *job* is stopped, however soon that is."""
        with self._lock:
            self.solves += 1
        token = self._solver.make_token()
        job.stop_with(token.stop)
        return token


def _bounded(time_s: float) -> float:
    return min(max(time_s, LEAST_S), MOST_S)
