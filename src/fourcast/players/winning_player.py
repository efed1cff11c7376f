"""The player `winning`."""

from __future__ import annotations

from fourcast._core import Position
from fourcast.players.random_player import RandomPlayer


class WinningPlayer(RandomPlayer):
    """Wins at once when it can, else plays any open column; it does not see what you threaten."""

    name = "winning"

    def choose(self, position: Position) -> int:
        """Return a column that wins at once, if there is one, else any open column."""
        winning = tuple(position.winning_columns())
        return self._random.choice(winning) if winning else super().choose(position)
