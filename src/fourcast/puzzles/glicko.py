"""Glicko-2, by Mark Glickman: a rating, how uncertain it is, and how much it varies.

The core has the formulas (native/study/glicko.cpp), with every result a rating period of its own or
several in one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import astuple, dataclass

from fourcast._core import ask

__all__ = ["Strength", "updated"]


@dataclass(frozen=True)
class Strength:
    """A rating, its deviation (one standard error), and the volatility."""

    rating: float = 600.0
    deviation: float = 350.0
    volatility: float = 0.06


def updated(player: Strength, results: Sequence[tuple[float, float, float]]) -> Strength:
    """Return the strength after results, each an opponent's rating and deviation, and the score.

    >>> after = updated(Strength(1500, 200, 0.06), [(1400, 30, 1), (1550, 100, 0), (1700, 300, 0)])
    >>> round(after.rating, 2), round(after.deviation, 2), round(after.volatility, 5)
    (1464.05, 151.52, 0.06)
    """
    request = {"player": astuple(player), "results": results}
    return Strength(*ask("glicko", request))
