"""The player `depth`."""

from __future__ import annotations

from fourcast.players.lookahead_player import LookAheadPlayer


class DepthPlayer(LookAheadPlayer):
    """Sees all wins and losses within its depth, and prefers quick wins and slow losses."""

    # A win is worth 22 less the discs the winner has played (on 7x6), a loss the negative, all else 0.
    name = "depth"
    evaluation = "none"

    def __init__(
        self,
        *,
        depth: int = 6,
        time_s: float | None = None,
        threads: int = 1,
        seed: int | None = None,
    ) -> None:
        """Make a player with the options of the others; it looks further, as it has nothing else."""
        super().__init__(depth=depth, time_s=time_s, threads=threads, seed=seed)
