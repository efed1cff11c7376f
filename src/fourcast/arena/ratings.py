"""Elo ratings with error bars, and the sequential probability ratio test of two players."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from fourcast.arena.play import GameRecord

_SCALE = math.log(10) / 400  # Elo points to natural logarithms of odds


@dataclass(frozen=True)
class Rating:
    """A rating and half the width of its 95% interval, in Elo points; the mean of all players is 0."""

    elo: float
    error: float


def expected_score(difference: float) -> float:
    """Return what a player scores against one that is *difference* Elo points weaker.

    >>> round(expected_score(200), 2)
    0.76
    """
    return 1 / (1 + math.exp(-_SCALE * difference))


def elo_ratings(names: Sequence[str], records: Iterable[GameRecord]) -> dict[str, Rating]:
    """Return the most likely ratings (Bradley and Terry; a draw is half a win and half a loss).

    Half a draw is added for each pair that has met, so that a player that has won all its games has a
    rating, too; the error bar shows how little is known of it. The errors come from the curvature of the
    likelihood.
    """
    index = {name: i for i, name in enumerate(names)}
    count = len(names)
    games = [[0.0] * count for _ in names]
    scores = [0.0] * count
    for record in records:
        a, b = index[record.first], index[record.second]
        if not games[a][b]:
            for i, j in ((a, b), (b, a)):
                games[i][j] += 0.5
                scores[i] += 0.25
        for i, j, name in ((a, b, record.first), (b, a, record.second)):
            games[i][j] += 1
            scores[i] += record.score(name)
    elo = [0.0] * count
    for _ in range(200):  # Newton's method; steps are bounded, as the first ones may be too long
        slopes = [
            scores[i] - sum(games[i][j] * expected_score(elo[i] - elo[j]) for j in range(count))
            for i in range(count)
        ]
        steps = _solve(_information(games, elo), [slope * _SCALE for slope in slopes])
        elo = [value + max(-200.0, min(200.0, step)) for value, step in zip(elo, steps, strict=True)]
        if max(map(abs, steps), default=0) < 1e-6:
            break
    mean = sum(elo) / max(count, 1)
    information = _information(games, elo)
    ratings = {}
    for i, name in enumerate(names):
        unit = [float(i == j) - 1 / count for j in range(count)]
        variance = _solve(information, unit)[i]
        ratings[name] = Rating(elo[i] - mean, 1.96 * math.sqrt(max(variance, 0)))
    return ratings


def _information(games: list[list[float]], elo: list[float]) -> list[list[float]]:
    """The Fisher information of the ratings.

    Only differences are known, and nothing of players without games: a constant, and a little on the
    diagonal, make the matrix invertible all the same.
    """
    count = len(elo)
    matrix = [[1e-6 + 1e-7 * (i == j) for j in range(count)] for i in range(count)]
    for i in range(count):
        for j in range(count):
            if i != j and games[i][j]:
                expected = expected_score(elo[i] - elo[j])
                weight = games[i][j] * max(expected * (1 - expected), 1e-9) * _SCALE**2
                matrix[i][i] += weight
                matrix[i][j] -= weight
    return matrix


def _solve(matrix: list[list[float]], right: list[float]) -> list[float]:
    """Gaussian elimination with pivots; the matrices here are small."""
    rows = [[*row, value] for row, value in zip(matrix, right, strict=True)]
    size = len(rows)
    for i in range(size):
        pivot = max(range(i, size), key=lambda k: abs(rows[k][i]))
        rows[i], rows[pivot] = rows[pivot], rows[i]
        for k in range(i + 1, size):
            factor = rows[k][i] / rows[i][i]
            rows[k] = [a - factor * b for a, b in zip(rows[k], rows[i], strict=True)]
    solution = [0.0] * size
    for i in reversed(range(size)):
        known = sum(rows[i][j] * solution[j] for j in range(i + 1, size))
        solution[i] = (rows[i][size] - known) / rows[i][i]
    return solution


@dataclass(frozen=True)
class Sprt:
    """Wald's sequential test of "it is *elo1* points better" against "it is *elo0* points better".

    Games are taken in opening pairs, whose two results are not independent. *alpha* and *beta* are the
    probabilities of accepting the wrong hypothesis.

    >>> Sprt().verdict([1.0] * 40), Sprt().verdict([0.0] * 40), Sprt().verdict([0.5, 1.0])
    ('better', 'not better', None)
    """

    elo0: float = 0.0
    elo1: float = 30.0
    alpha: float = 0.05
    beta: float = 0.05

    @property
    def bounds(self) -> tuple[float, float]:
        """The log likelihood ratios at which the test ends."""
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)

    def ratio(self, pair_scores: Sequence[float]) -> float:
        """Return the log likelihood ratio of results: one number per pair, from 0 (both lost) to 1."""
        count = len(pair_scores)
        if not count:
            return 0.0
        mean = sum(pair_scores) / count
        # One pair of each kind is added to the variance, or it would be 0 as long as all are alike.
        variance = sum((score - mean) ** 2 for score in pair_scores)
        variance = (variance + sum((score - mean) ** 2 for score in (0.0, 0.5, 1.0))) / (count + 3)
        low, high = expected_score(self.elo0), expected_score(self.elo1)
        return count * (high - low) * (2 * mean - low - high) / (2 * variance)

    def verdict(self, pair_scores: Sequence[float]) -> str | None:
        """Return 'better' or 'not better' as soon as it is known, else None."""
        lower, upper = self.bounds
        ratio = self.ratio(pair_scores)
        return "better" if ratio >= upper else "not better" if ratio <= lower else None
