"""The player `perfect`."""

from __future__ import annotations

from typing import Literal, get_args

from fourcast._core import Limit, Position, choose_perfectly
from fourcast.errors import OptionError
from fourcast.players.choosing import Named, check_option, generator, position_to_move
from fourcast.solver import Solver

Ties = Literal["testing", "first", "center", "random"]


class PerfectPlayer(Named):
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
        self._random = generator(seed)
        self._ties = ties
        self._time_s = Limit(time_s=time_s).time_s or 0.0  # complains if it is none
        self._solver = solver or Solver(threads=threads)

    def choose(self, position: Position | str) -> int:
        """Return a column that keeps the score, or the one with the best proven bounds."""
        position = position_to_move(position)
        return choose_perfectly(position, self._solver, self._ties, self._time_s, self._random)
