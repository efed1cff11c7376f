"""The player `perfect`."""

from __future__ import annotations

import random
import time
from typing import Literal, get_args

from fourcast._core import Analysis, Limit, Position
from fourcast.errors import OptionError
from fourcast.players.choosing import check_option, one_of, refuse_finished
from fourcast.solver import Solver

Ties = Literal["testing", "first", "center", "random"]


class PerfectPlayer:
    """Plays a best move: wins as soon as it can be forced, loses as late as it can be put off.

    Of several best moves *ties* chooses: `testing` the one after which the opponent has the most ways to
    go wrong, `first` the leftmost, `center` the one nearest to the center, `random` any of them. What
    that leaves open is decided by *seed*. If a choice takes longer than *time_s* seconds, it is the move
    with the best proven bounds. The solver searches with *threads*, unless a *solver* is given.
    """

    name = "perfect"

    def __init__(
        self,
        *,
        seed: int | None = None,
        ties: Ties = "testing",
        time_s: float = 10.0,
        threads: int = 1,
        solver: Solver | None = None,
    ) -> None:
        check_option("threads", threads, least=1, whole=True)
        ties = "center" if str(ties) == "centre" else ties  # the spelling of version 0.1
        if ties not in get_args(Ties):
            raise OptionError(f"ties must be one of {', '.join(get_args(Ties))}, not {ties!r}")
        self._random = random.Random(seed)
        self._ties = ties
        self._time_s = Limit(time_s=time_s).time_s or 0.0  # complains if it is none
        self._solver = solver or Solver(threads=threads)

    def choose(self, position: Position) -> int:
        """Return a column that keeps the score, or the one with the best proven bounds."""
        refuse_finished(position)
        end_s = time.monotonic() + self._time_s
        # Which columns are best is found sooner than what the others are worth.
        best = self._solver.solve(position, Limit(time_s=self._time_s / 2)).best_columns
        if best is None:
            lines = self._analyze(position, end_s).lines
            most = max((line.lower, line.upper) for line in lines)
            candidates = [line.column for line in lines if (line.lower, line.upper) == most]
            return one_of(candidates, position, None)
        if len(best) == 1 or self._ties == "first":
            return best[0]
        if self._ties == "center":
            return one_of(best, position, None)
        if self._ties == "random":
            return self._random.choice(best)
        tests = {column: self._ways_to_go_wrong(position.play(column), end_s) for column in best}
        hardest = max(tests.values())
        return self._random.choice([column for column, ways in tests.items() if ways == hardest])

    def _ways_to_go_wrong(self, position: Position, end_s: float) -> tuple[int, int]:
        """Return how many replies cost the opponent the win or the draw, and how many cost any score."""
        if position.is_over:
            return 0, 0
        replies = self._analyze(position, end_s).lines
        if not all(line.score is not None for line in replies):
            return 0, 0
        best = max(replies, key=lambda line: line.lower)
        worse = [line for line in replies if line.score != best.score]
        return sum(line.outcome != best.outcome for line in worse), len(worse)

    def _analyze(self, position: Position, end_s: float) -> Analysis:
        limit = Limit(time_s=max(end_s - time.monotonic(), 0.001))
        return self._solver.analyze(position, limit, variations=False)
