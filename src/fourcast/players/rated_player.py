"""The player `rated`."""

from __future__ import annotations

from fourcast._core import Position
from fourcast.heuristics import rate_columns
from fourcast.players.choosing import position_to_move
from fourcast.players.random_player import RandomPlayer


class RatedPlayer(RandomPlayer):
    """Rates a win at once by how early it is and everything else 0, and plays the best column."""

    name = "rated"

    def choose(self, position: Position | str) -> int:
        """Return an open column of the highest rating, any of them if there are several."""
        position = position_to_move(position)
        ratings = rate_columns(position)
        best = max(ratings[column] for column in position.legal_columns)
        return self._random.choice([col for col in position.legal_columns if ratings[col] == best])
