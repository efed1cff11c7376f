"""What `depth`, `winsets` and `streaks` have in common: minimax to a depth, in the form of negamax.

What a position is worth to the side to move is the best of what the positions after each move are worth
to the opponent, with the sign reversed. Alpha-beta leaves out what cannot change the choice:
once a move has an answer that makes it worse than one already known, its other answers do not matter.

    def negamax(position, depth, alpha, beta):
        if position.is_over or depth == 0:
            return evaluation(position)
        best = -infinity
        for column in position.legal_columns:       # from the center outwards
            value = -negamax(position.play(column), depth - 1, -beta, -alpha)
            best = max(best, value)
            alpha = max(alpha, value)               # what the next column has to be better than
            if alpha >= beta:                       # the opponent will not let it come to this
                break
        return best

That is the search of `native/players/lookahead.cpp`, which is some hundred times as fast in C++. A win
is worth more than any evaluation, and the more the fewer discs it takes: so the quicker win and the
slower loss are preferred, and a win at once is played at every depth.
"""

from __future__ import annotations

from typing import Literal

from fourcast._core import LookAhead, Position, look_ahead, one_of
from fourcast.players.choosing import Named, check_option, generator, position_to_move


class LookAheadPlayer(Named):
    """Searches to a depth, and plays one of the columns that come out best."""

    name: str
    evaluation: Literal["none", "winsets", "streaks"]

    def __init__(
        self,
        *,
        depth: int = 4,
        time_s: float | None = None,
        threads: int = 1,
        seed: int | None = None,
    ) -> None:
        """Make a player that looks *depth* plies ahead, or less if *time_s* is over before.

        The root columns are shared among *threads*. Without *seed* it plays the same game every time,
        among equal columns the one nearest the center; with it, any of them.
        """
        check_option("depth", depth, least=1, whole=True)
        check_option("time_s", time_s, least=0, or_none=True)
        check_option("threads", threads, least=1, whole=True)
        self.depth = min(depth, 128)
        self.time_s = time_s
        self.threads = threads
        self._random = None if seed is None else generator(seed)

    def choose(self, position: Position | str) -> int:
        """Return one of the columns with the highest value."""
        position = position_to_move(position)
        return one_of(self.look_ahead(position).best_columns, position, self._random)

    def look_ahead(self, position: Position) -> LookAhead:
        """Return what the search finds."""
        return look_ahead(
            position, self.depth, self.evaluation, time_s=self.time_s, threads=self.threads
        )
