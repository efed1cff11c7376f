"""The player `random`."""

from __future__ import annotations

from fourcast._core import Position
from fourcast.players.choosing import Named, check_option, generator, position_to_move


class RandomPlayer(Named):
    """Plays any open column."""

    name = "random"

    def __init__(self, *, seed: int | None = None, time_s: float | None = None) -> None:
        """Make a player that answers at once, so that any *time_s* is enough."""
        check_option("time_s", time_s, least=0, or_none=True)
        self._random = generator(seed)

    def choose(self, position: Position | str) -> int:
        """Return any open column, each as likely as the others."""
        position = position_to_move(position)
        return self._random.choice(tuple(position.legal_columns))
