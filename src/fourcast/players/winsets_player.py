"""The player `winsets`."""

from __future__ import annotations

from fourcast._core import Position
from fourcast.players.choosing import position_to_move
from fourcast.players.lookahead_player import LookAheadPlayer


class WinSetsPlayer(LookAheadPlayer):
    """Looks ahead and counts the sets of squares that are still missing for a four."""

    # A set of one missing square is worth 50, of two 10, of three 1, times the height of the board over
    # the average height of the squares: the lower, the sooner. Sets that contain another one are left
    # out, and the opponent's count against it. See `native/players/evaluations.hpp`.
    name = "winsets"
    evaluation = "winsets"

    def choose(self, position: Position | str) -> int:
        """Return the center for its first disc, then one of the columns with the highest value."""
        position = position_to_move(position)
        return position.width // 2 if position.ply < 2 else super().choose(position)
