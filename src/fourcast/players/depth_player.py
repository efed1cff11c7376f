"""The player `depth`."""

from __future__ import annotations

from fourcast.players.lookahead_player import LookAheadPlayer


class DepthPlayer(LookAheadPlayer):
    """Sees all wins and losses within its depth, prefers quick wins and slow losses, knows no more."""

    # A win is worth 22 less the stones the winner has played (on 7x6), a loss the negative, all else 0.
    name = "depth"
    evaluation = "none"
