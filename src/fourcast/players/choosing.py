"""What several players need for a choice."""

from __future__ import annotations

import random
from collections.abc import Iterable

from fourcast._core import Position
from fourcast.errors import FinishedGameError, OptionError


def refuse_finished(position: Position) -> None:
    """Raise `FinishedGameError` if the game is over."""
    if position.is_over:
        raise FinishedGameError("the game is over: there is no move to choose")


def one_of(columns: Iterable[int], position: Position, chance: random.Random | None) -> int:
    """Return one of several equal columns: by *chance*, without it the one nearest the center.

    By chance, too, the center is preferred: more fours lead through it, and a player that looks only a
    few moves ahead would give the game away in the opening.

    >>> one_of([0, 2, 6], Position(), None)
    2
    """
    choice = tuple(columns)
    if chance:
        last = position.width - 1
        weights = [(1 + min(column, last - column)) ** 2 for column in choice]
        return chance.choices(choice, weights)[0]
    return next(column for column in position.columns_from_center if column in choice)


def check_option(name: str, value: float | None, *, least: float, whole: bool = False) -> None:
    """Raise `TypeError` or `OptionError` if an option is not a number of at least *least*."""
    if value is None:
        return
    kinds = int if whole else (int, float)
    if isinstance(value, bool) or not isinstance(value, kinds):
        wanted = "a whole number" if whole else "a number"
        raise TypeError(f"{name} must be {wanted}, not {value!r}")
    if not value >= least or value == 0:
        wanted = f"at least {least}" if least else "more than 0"
        raise OptionError(f"{name} must be {wanted}, not {value!r}")
