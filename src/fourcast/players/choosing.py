"""What several players need for a choice."""

from __future__ import annotations

import random

from fourcast._core import Position
from fourcast.errors import OptionError, is_int, require
from fourcast.notation import require_unfinished


class Named:
    """A player that shows its name."""

    name: str

    def __repr__(self) -> str:
        return f"<player {self.name}>"


def position_to_move(given: Position | str) -> Position:
    """Return the position in which a player is to choose. Raises `FinishedGameError` if it is over."""
    return require_unfinished(given, "error.choose_over")


def check_option(
    name: str, value: float | None, *, least: float, whole: bool = False, or_none: bool = False
) -> None:
    """Raise `TypeError` or `OptionError` if an option is not a number of at least *least*."""
    if value is None and or_none:
        return
    is_number = is_int(value) or (isinstance(value, float) and not whole)
    if value is None or isinstance(value, bool) or not is_number:
        wanted = "a whole number" if whole else "a number"
        raise TypeError(f"{name} must be {wanted}, not {value!r}")
    if not value >= least or value == 0:
        wanted = f"at least {least}" if least else "more than 0"
        raise OptionError(f"{name} must be {wanted}, not {value!r}")


def generator(seed: int | None) -> random.Random:
    """Return what random choices are made with: the same ones for the same *seed*."""
    require("seed", seed, int, type(None))
    return random.Random(None if seed is None else int(seed))
