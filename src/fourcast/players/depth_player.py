"""The player `depth`."""

from __future__ import annotations

from fourcast.players.lookahead_player import LookAheadPlayer


class DepthPlayer(LookAheadPlayer):
    """Sees every win and loss within its depth, the quicker win and the slower loss first, and no more."""

    # A win is worth 22 less the stones the winner has played (on 7x6), a loss the negative, all else 0.
    name = "depth"
    evaluation = "none"
