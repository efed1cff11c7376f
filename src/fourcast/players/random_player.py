"""The player `random`."""

from __future__ import annotations

import random

from fourcast._core import Position
from fourcast.players.choosing import refuse_finished


class RandomPlayer:
    """Plays any open column."""

    name = "random"

    def __init__(self, *, seed: int | None = None) -> None:
        self._random = random.Random(seed)

    def choose(self, position: Position) -> int:
        """Return any open column, each as likely as the others."""
        refuse_finished(position)
        return self._random.choice(tuple(position.legal_columns))
