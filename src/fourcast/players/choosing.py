"""What several players need for a choice."""

from __future__ import annotations

import random
from collections.abc import Iterable

from fourcast._core import Position
from fourcast.errors import IllegalMoveError


def refuse_finished(position: Position) -> None:
    """Raise `IllegalMoveError` if there is nothing to choose."""
    if position.is_over:
        raise IllegalMoveError(f"there is nothing to choose, the game is over in {position!r}")


def one_of(columns: Iterable[int], width: int, chance: random.Random | None) -> int:
    """Return one of several columns: any of them by *chance*, without it the one nearest the centre.

    >>> one_of([0, 2, 6], 7, None)
    2
    """
    choice = tuple(columns)
    if chance:
        return chance.choice(choice)
    return min(choice, key=lambda column: abs(2 * column - width + 1))
