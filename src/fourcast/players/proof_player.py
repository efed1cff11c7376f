"""The player `proof`."""

from __future__ import annotations

from fourcast._core import Position
from fourcast.certificate import answer, to_play
from fourcast.players.choosing import Named, position_to_move
from fourcast.players.perfect_player import PerfectPlayer


class ProofPlayer(Named):
    """Follows a proof of the whole game where it has one, and otherwise plays perfectly.

    The proofs are the certificates that come with fourcast. *seed* and *time_s* are those of the player
    `perfect`.
    """

    name = "proof"

    def __init__(self, *, seed: int | None = None, time_s: float = 10.0) -> None:
        self._certificates = to_play()
        self._perfect = PerfectPlayer(seed=seed, time_s=time_s)

    def choose(self, position: Position | str) -> int:
        """Return the column of the first certificate that has one here, or else a best column."""
        position = position_to_move(position)
        found = answer(self._certificates, position)
        return self._perfect.choose(position) if found is None else found.column
