"""The player `winning`."""

from __future__ import annotations

from fourcast._core import Position
from fourcast.players.choosing import position_to_move
from fourcast.players.random_player import RandomPlayer


class WinningPlayer(RandomPlayer):
    """Wins at once when it can, else plays any open column; it does not see what you threaten."""

    name = "winning"

    def choose(self, position: Position | str) -> int:
        """Return a column that wins at once, if there is one, else any open column."""
        position = position_to_move(position)
        winning = tuple(position.winning_columns())
        return self._random.choice(winning) if winning else super().choose(position)
