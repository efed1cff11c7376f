"""Ending games early by the solver's verdict, for tournaments that ask for it."""

from __future__ import annotations

from functools import cache

from fourcast._core import Limit
from fourcast.game import Game, Outcome, Termination
from fourcast.solver import Solver

KINDS = ("no", "resign", "draw", "both", "known")
"""Which games end early: none, lost ones, drawn ones, both, or all whose result is known."""
TURNS = 3
"""Turns of each side for which a game has to be lost or drawn, unless `known` is enough."""
_LIMIT = Limit(nodes=1_000_000)


class Adjudicator:
    """Watches one game. What the solver cannot tell within a million nodes is played on."""

    def __init__(self, kind: str) -> None:
        self._kind = kind
        self._signs: list[int] = []  # of each position's exact score, for the first player

    def look(self, game: Game) -> str:
        """End *game* if it is time to, and return the sentence that says so; else return ''."""
        if self._kind == "no" or game.is_over:
            return ""
        result = _solver().solve(game.position, _LIMIT)
        if not result.complete or result.score is None:
            self._signs.clear()
            return ""
        sign = (result.score > 0) - (result.score < 0)
        self._signs.append(sign if game.position.turn == 1 else -sign)
        recent = self._signs[-2 * TURNS :]
        if self._kind != "known" and (len(recent) < 2 * TURNS or len(set(recent)) > 1):
            return ""
        winner = {1: 1, -1: 2, 0: None}[self._signs[-1]]
        if winner is None and self._kind in ("draw", "both", "known"):
            game.end(Outcome(None, Termination.AGREEMENT))
            return "drawn by the solver's word"
        if winner is not None and self._kind in ("resign", "both", "known"):
            game.end(Outcome(winner, Termination.RESIGNATION))
            return "decided by the solver's word"
        return ""


@cache
def _solver() -> Solver:
    return Solver(table_mb=64)
