"""Elo ratings with error bars, and the sequential probability ratio test of two players."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import TYPE_CHECKING

from fourcast.arena.play import GameRecord
from fourcast.errors import OptionError, require, require_each
from fourcast.notation import quote

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_SCALE = math.log(10) / 400  # Elo points to natural logarithms of odds
_Z = NormalDist().inv_cdf(0.975)


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
    rating, too; the error bar shows how little is known of it. The two games of an opening are not
    independent: errors come from the scores of whole opening pairs (the "pentanomial" variance), with
    one pair of the model's own variance added for each couple.
    """
    import numpy as np

    require("names", names, list, tuple)
    games_given = list(_records(records))
    index = {name: i for i, name in enumerate(names)}
    count = len(names)
    if count < 2:
        return {name: Rating(0.0, 0.0) for name in names}
    games = np.zeros((count, count))
    scores = np.zeros(count)
    pairs: dict[tuple[int, int, str], list[float]] = {}  # the scores of the player with the lower index
    for record in games_given:
        if unknown := {record.first, record.second} - index.keys():
            raise OptionError(f"a game was played by {quote(min(unknown))}, who is not among the names")
        a, b = index[record.first], index[record.second]
        score = record.score(record.first)
        games[a, b] += 1
        games[b, a] += 1
        scores[a] += score
        scores[b] += 1 - score
        low, high, of_low = (a, b, score) if a < b else (b, a, 1 - score)
        pairs.setdefault((low, high, record.opening_pair), []).append(of_low)
    met = games > 0
    games += 0.5 * met
    scores += 0.25 * met.sum(axis=1)
    elo = np.zeros(count)
    for _ in range(200):  # Newton's method; steps are bounded, as the first ones may be too long
        expected = _expected(elo)
        slopes = scores - (games * expected).sum(axis=1)
        steps = np.linalg.solve(_information(games, expected), slopes * _SCALE)
        elo += np.clip(steps, -200, 200)
        if np.abs(steps).max() < 1e-6:
            break
    elo -= elo.mean()
    expected = _expected(elo)
    noise = _information(np.where(met, 2.0, 0.0), expected)
    lows, highs = np.array([(low, high) for low, high, _ in pairs], dtype=int).reshape(-1, 2).T
    sums, counts = np.array([(sum(won), len(won)) for won in pairs.values()]).reshape(-1, 2).T
    surprise = (_SCALE * (sums - counts * expected[lows, highs])) ** 2
    for one, other in ((lows, highs), (highs, lows)):
        np.add.at(noise, (one, one), surprise)
        np.add.at(noise, (one, other), -surprise)
    centered = np.linalg.inv(_information(games, expected)) @ (np.eye(count) - 1 / count)
    variances = np.einsum("ij,ik,kj->j", centered, noise, centered)
    errors = _Z * np.sqrt(np.maximum(variances, 0))
    return {name: Rating(float(elo[i]), float(errors[i])) for name, i in index.items()}


def _records(records: Iterable[GameRecord]) -> Iterable[GameRecord]:
    require("records", records, Iterable)
    for record in records:
        require("a record", record, GameRecord)
        yield record


def _expected(elo: NDArray[np.float64]) -> NDArray[np.float64]:
    """The expected score of each player against each other one."""
    import numpy as np

    return 1 / (1 + np.exp(-_SCALE * np.subtract.outer(elo, elo)))


def _information(games: NDArray[np.float64], expected: NDArray[np.float64]) -> NDArray[np.float64]:
    """The Fisher information of the ratings.

    Only differences are known, and nothing of players without games: a constant, and a little on the
    diagonal, make the matrix invertible all the same.
    """
    import numpy as np

    weights = games * np.maximum(expected * (1 - expected), 1e-9) * _SCALE**2
    return np.diag(weights.sum(axis=1) + 1e-7) - weights + 1e-6


@dataclass(frozen=True)
class Difference:
    """How much better one player is than another, by the games of the two."""

    elo: float
    error: float
    """Half the width of the 95% interval."""
    superiority: float
    """The likelihood that it is the better one, from 0 to 1."""

    def __str__(self) -> str:
        return (
            f"{self.elo:+.0f} +- {self.error:.0f} Elo, likelihood of superiority {self.superiority:.1%}"
        )


def elo_difference(scores: Sequence[float], pairs: Sequence[float]) -> Difference | None:
    """Return the difference from the *scores* of games and of complete opening *pairs*, each 0 to 1.

    None if there is no game. The variance is that of the pairs if there are at least two of them. Half a
    draw is added, as in `elo_ratings`.

    >>> print(elo_difference([1, 0.5] * 50, [0.75] * 50))
    +190 +- 11 Elo, likelihood of superiority 100.0%
    """
    require_each("scores", scores, int, float)
    require_each("pairs", pairs, int, float)
    count = len(scores)
    if not count:
        return None
    mean = (sum(scores) + 0.25) / (count + 0.5)
    samples = pairs if len(pairs) > 1 else scores
    # One more sample that is as spread out as independent games, or like results would have no error.
    spread = mean * (1 - mean) / (2 if len(pairs) > 1 else 1)
    spread += sum((score - mean) ** 2 for score in samples)
    deviation = math.sqrt(spread) / len(samples)
    slope = 1 / (_SCALE * mean * (1 - mean))
    elo = math.log(mean / (1 - mean)) / _SCALE
    return Difference(elo, _Z * deviation * slope, NormalDist().cdf((mean - 0.5) / deviation))


def _most_likely(weights: Mapping[float, float], mean: float) -> dict[float, float]:
    """Return the distribution with this mean under which what was seen is most likely, but for a factor.

    The probability of a score is its weight by 1 + t (score - mean), with the t that makes it have the
    mean; see Michel Van den Bergh, "Comments on Normalized Elo", proposition 1.1.
    """
    least, most = -1 / (1 - mean), 1 / mean  # all probabilities are positive in between
    for _ in range(60):
        t = (least + most) / 2
        slope = sum(w * (score - mean) / (1 + t * (score - mean)) for score, w in weights.items())
        least, most = (t, most) if slope > 0 else (least, t)
    return {score: w / (1 + t * (score - mean)) for score, w in weights.items()}


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

    def __post_init__(self) -> None:
        for name in ("elo0", "elo1", "alpha", "beta"):
            require(name, getattr(self, name), int, float)
        if not -10_000 < self.elo0 < self.elo1 < 10_000:
            given = f"{self.elo0:g} and {self.elo1:g}"
            raise OptionError(f"elo1 must be more than elo0, and both less than 10,000, not {given}")
        for name in ("alpha", "beta"):
            if not 0 < getattr(self, name) < 0.5:
                raise OptionError(f"{name} must be between 0 and 0.5, not {getattr(self, name):g}")

    @property
    def bounds(self) -> tuple[float, float]:
        """The log likelihood ratios at which the test ends."""
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)

    def ratio(self, pair_scores: Sequence[float]) -> float:
        """Return the log likelihood ratio of results: one number per pair, from 0 (both lost) to 1."""
        require("pair_scores", pair_scores, list, tuple)
        count = len(pair_scores)
        if not count:
            return 0.0
        seen = Counter(pair_scores)
        # What was never seen has a small weight, or there would be no distribution with another mean.
        weights = {score: seen[score] or 1e-3 for score in (0.0, 0.25, 0.5, 0.75, 1.0)}
        low = _most_likely(weights, expected_score(self.elo0))
        high = _most_likely(weights, expected_score(self.elo1))
        return sum(weight * math.log(high[score] / low[score]) for score, weight in weights.items())

    def verdict(self, pair_scores: Sequence[float]) -> str | None:
        """Return 'better' or 'not better' as soon as it is known, else None."""
        lower, upper = self.bounds
        ratio = self.ratio(pair_scores)
        return "better" if ratio >= upper else "not better" if ratio <= lower else None
