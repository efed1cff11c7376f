"""The player `random`."""

from __future__ import annotations

import random

from fourcast._core import Position
from fourcast.errors import IllegalMoveError


class RandomPlayer:
    """Plays any open column."""

    name = "random"

    def __init__(self, *, seed: int | None = None) -> None:
        self._random = random.Random(seed)

    def choose(self, position: Position) -> int:
        """Return any open column, each as likely as the others."""
        if position.is_over:
            raise IllegalMoveError(f"there is nothing to choose, the game is over in {position!r}")
        return self._random.choice(tuple(position.legal_columns))
