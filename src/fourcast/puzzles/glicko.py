"""Glicko-2, by Mark Glickman: a rating, how uncertain it is, and how much it varies.

The formulas and their names are those of "Example of the Glicko-2 system" (2022), with every result a
rating period of its own or several in one.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

__all__ = ["Strength", "updated"]

SCALE = 173.7178
TAU = 0.5
"""How much the volatility may change."""
PRECISION = 1e-6


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
    phi = player.deviation / SCALE
    if not results:
        deviation = SCALE * math.hypot(phi, player.volatility)
        return Strength(player.rating, deviation, player.volatility)
    precision = total = 0.0
    for rating, deviation, score in results:
        g = 1 / math.sqrt(1 + 3 * (deviation / SCALE / math.pi) ** 2)
        expected = 1 / (1 + math.exp(-g * (player.rating - rating) / SCALE))
        precision += g * g * expected * (1 - expected)
        total += g * (score - expected)
    v = 1 / precision
    sigma = _volatility(player.volatility, phi, v, v * total)
    phi_star = math.hypot(phi, sigma)
    new_phi = 1 / math.sqrt(1 / phi_star**2 + 1 / v)
    return Strength(player.rating + SCALE * new_phi**2 * total, SCALE * new_phi, sigma)


def _volatility(sigma: float, phi: float, v: float, delta: float) -> float:
    """The new volatility, by the Illinois algorithm (step 5 of the paper)."""
    a = math.log(sigma * sigma)

    def f(x: float) -> float:
        e = math.exp(x)
        d = phi * phi + v + e
        return e * (delta * delta - d) / (2 * d * d) - (x - a) / TAU**2

    low = a
    if delta * delta > phi * phi + v:
        high = math.log(delta * delta - phi * phi - v)
    else:
        k = 1
        while f(a - k * TAU) < 0:
            k += 1
        high = a - k * TAU
    f_low, f_high = f(low), f(high)
    while abs(high - low) > PRECISION:
        middle = low + (low - high) * f_low / (f_high - f_low)
        f_middle = f(middle)
        if f_middle * f_high <= 0:
            low, f_low = high, f_high
        else:
            f_low /= 2
        high, f_high = middle, f_middle
    return math.exp(low / 2)
