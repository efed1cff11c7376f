"""Agents compared on the same positions: paired tests with intervals, for moves, policies and values."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

from fourcast.arena.evaluation import Answer, Evaluation, Measure, mean_and_error, sign
from fourcast.arena.suites import THEMES
from fourcast.errors import OptionError, require_each

__all__ = ["Comparison", "Extra", "Pair", "compare", "latex", "to_csv"]

QUANTILES = (0.5, 0.9, 0.99)
BINS = 10
"""Bins of values for the calibration error."""
LEAST_PROBABILITY = 1e-9
"""What a policy that excludes all best moves is taken to give them, for its cross-entropy."""


@dataclass(frozen=True)
class Extra:
    """What the policy and the value of an agent are worth; None where it has none. Lower is better."""

    cross_entropy: tuple[float, float] | None = None
    """Mean of -log of the probability of all best columns together, and half its 95% interval."""
    expected_loss: tuple[float, float] | None = None
    """Mean score lost by a move drawn from the policy; full columns count as the worst."""
    value_error: tuple[float, float] | None = None
    """Mean squared difference of the value and the result: 1, 0 or -1."""
    calibration_error: float | None = None
    """Mean distance of values and results in ten bins, each weighted by its positions."""
    quantiles: tuple[int, ...] = ()
    """The score lost in half, in 90% and in 99% of the positions at most."""

    @classmethod
    def of(cls, answers: Sequence[Answer]) -> Extra:
        """Return what some answers are worth beyond their moves."""
        lost = sorted(answer.loss for answer in answers)
        quantiles = tuple(lost[max(0, math.ceil(q * len(lost)) - 1)] for q in QUANTILES)
        policies = [answer for answer in answers if answer.policy is not None]
        errors = [
            (each.value, each.value - sign(each.question.best))
            for each in answers
            if each.value is not None
        ]
        return cls(
            mean_and_error([cross_entropy(each) for each in policies]) if policies else None,
            mean_and_error([expected_loss(each) for each in policies]) if policies else None,
            mean_and_error([error**2 for _, error in errors]) if errors else None,
            _calibration(errors) if errors else None,
            quantiles,
        )


@dataclass(frozen=True)
class Pair:
    """Two agents on the same positions: the first's means less the second's."""

    first: str
    second: str
    loss: float
    """The difference of the mean score lost; negative if the first is better."""
    loss_error: float
    perfect: float
    perfect_error: float
    only_first: int
    """Positions in which only the first plays a perfect move."""
    only_second: int
    p: float
    """By McNemar's exact test: how likely so uneven a division of these positions is by chance."""
    p_corrected: float = 1.0
    """The same, corrected for all pairs of the comparison (Holm)."""


@dataclass(frozen=True)
class Comparison:
    """Agents on the same positions."""

    suite: str
    evaluations: Mapping[str, Evaluation]
    pairs: tuple[Pair, ...]
    made: Mapping[str, Any] = field(default_factory=dict, compare=False)

    def extra(self, name: str) -> Extra:
        """Return what an agent's policy and value are worth, and the quantiles of its loss."""
        return Extra.of(self.evaluations[name].answers)

    def table(self) -> tuple[list[str], list[list[str]]]:
        """Return the heads and rows of the table of all agents."""
        heads = ["agent", "positions", "perfect", "keeps outcome", "score lost", "lost 50/90/99%"]
        extras = {name: self.extra(name) for name in self.evaluations}
        more = [
            (head, name)
            for head, name in (
                ("cross-entropy", "cross_entropy"),
                ("expected loss", "expected_loss"),
                ("value error", "value_error"),
                ("calibration", "calibration_error"),
            )
            if any(getattr(extra, name) is not None for extra in extras.values())
        ]
        rows = []
        for name, evaluation in self.evaluations.items():
            measure = evaluation.total
            row = [name, *measure.cells(), "/".join(map(str, extras[name].quantiles))]
            row += [_cell(getattr(extras[name], key)) for _, key in more]
            rows.append(row)
        return [*heads, *(head for head, _ in more)], rows

    def pair_table(self) -> tuple[list[str], list[list[str]]]:
        """Return the heads and rows of the table of all pairs."""
        heads = ["pair", "score lost, difference", "perfect, difference", "only one perfect", "p"]
        rows = [
            [
                f"{pair.first} - {pair.second}",
                f"{pair.loss:+.2f} +- {pair.loss_error:.2f}",
                f"{pair.perfect * 100:+.1f}% +- {pair.perfect_error * 100:.1f}",
                f"{pair.only_first} : {pair.only_second}",
                f"{pair.p_corrected:.2g}",
            ]
            for pair in self.pairs
        ]
        return heads, rows

    def group_table(self) -> tuple[list[str], list[list[str]]]:
        """Return the mean score lost by phase and theme, a column for each agent."""
        names = list(self.evaluations)
        by_ply = [each.by_ply() for each in self.evaluations.values()]
        by_theme = [each.by_theme() for each in self.evaluations.values()]
        rows = [
            [f"{plies[0]} to {plies[-1]} discs", *(_loss_cell(each.get(plies)) for each in by_ply)]
            for plies in by_ply[0]
        ]
        rows += [
            [theme, *(_loss_cell(each.get(theme)) for each in by_theme)]
            for theme in THEMES
            if theme in by_theme[0]
        ]
        return ["score lost", *names], rows

    def to_json(self) -> dict[str, Any]:
        """Return it as JSON types; columns count from 0."""
        return {
            "suite": self.suite,
            **self.made,
            "agents": [
                {**evaluation.to_json(), "extra": vars(self.extra(name))}
                for name, evaluation in self.evaluations.items()
            ],
            "pairs": [vars(pair) for pair in self.pairs],
        }

    def __str__(self) -> str:
        best = min(self.evaluations.values(), key=lambda each: each.total.loss)
        return f"{len(self.evaluations)} agents on {self.suite}; least lost: {best}"


def compare(evaluations: Sequence[Evaluation], names: Sequence[str] = ()) -> Comparison:
    """Compare evaluations of agents, which must have answered the same positions.

    >>> from fourcast.arena import evaluate_agent
    >>> found = compare([evaluate_agent(name, positions=200) for name in ("winning", "random")])
    >>> found.pairs[0].loss < 0
    True
    """
    require_each("evaluations", evaluations, Evaluation)
    require_each("names", names, str)
    if len(evaluations) < 2:
        raise OptionError(f"a comparison takes two or more agents, not {len(evaluations)}")
    called = list(names) or [each.agent for each in evaluations]
    if len(set(called)) != len(called):
        raise OptionError(f"the agents of a comparison must have different names: {', '.join(called)}")
    asked = [[answer.question.moves for answer in each.answers] for each in evaluations]
    for name, other in zip(called[1:], asked[1:], strict=True):
        if other != asked[0]:
            raise OptionError(f"{name} has not answered the same positions as {called[0]}")
    by_name = dict(zip(called, evaluations, strict=True))
    pairs = [_pair(a, by_name[a], b, by_name[b]) for a, b in combinations(called, 2)]
    return Comparison(evaluations[0].suite, by_name, _holm(pairs), evaluations[0].made)


def cross_entropy(answer: Answer) -> float:
    """Return -log of the probability that the policy gives to all best columns together."""
    assert answer.policy is not None
    share = sum(answer.policy[column] for column in answer.question.best_columns)
    return -math.log(max(share, LEAST_PROBABILITY))


def expected_loss(answer: Answer) -> float:
    """Return how much a move drawn from the policy loses on average."""
    assert answer.policy is not None
    question = answer.question
    scores = [question.worst if score is None else score for score in question.scores]
    return sum(p * (question.best - score) for p, score in zip(answer.policy, scores, strict=True))


def mcnemar(first: int, second: int) -> float:
    """Return the probability of a division at least as uneven as this one, if both are as likely.

    >>> mcnemar(5, 5), round(mcnemar(0, 10), 5)
    (1.0, 0.00195)
    """
    count = first + second
    tail = sum(math.comb(count, k) for k in range(min(first, second) + 1))
    return float(min(1.0, 2 * tail / 2**count))


def latex(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    r"""Return a table for LaTeX, with `booktabs`.

    >>> print(latex(["agent", "perfect"], [["level_3", "63.4% +- 2.1"]]))
    \begin{tabular}{lr}
    \toprule
    agent & perfect \\
    \midrule
    level\_3 & 63.4\% $\pm$ 2.1 \\
    \bottomrule
    \end{tabular}
    """

    def cell(text: str) -> str:
        for character in "\\&%$#_{}":
            text = text.replace(character, rf"\{character}" if character != "\\" else "/")
        return text.replace("+-", r"$\pm$")

    lines = [rf"\begin{{tabular}}{{l{'r' * (len(heads) - 1)}}}", r"\toprule"]
    lines += [" & ".join(map(cell, heads)) + r" \\", r"\midrule"]
    lines += [" & ".join(map(cell, row)) + r" \\" for row in rows]
    return "\n".join([*lines, r"\bottomrule", r"\end{tabular}"])


def to_csv(comparison: Comparison) -> str:
    """Return a line of plain numbers for each agent."""
    import csv
    import io

    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    fields = ("positions", "perfect", "perfect_error", "kept", "kept_error", "loss", "loss_error")
    more = ("cross_entropy", "expected_loss", "value_error", "calibration_error")
    writer.writerow(["agent", *fields, *more])
    for name, evaluation in comparison.evaluations.items():
        total, extra = evaluation.total, comparison.extra(name)
        found = [getattr(extra, key) for key in more]
        plain = ["" if each is None else each[0] if isinstance(each, tuple) else each for each in found]
        writer.writerow([name, *(getattr(total, key) for key in fields), *plain])
    return stream.getvalue()


def _pair(first: str, one: Evaluation, second: str, other: Evaluation) -> Pair:
    both = list(zip(one.answers, other.answers, strict=True))
    loss = mean_and_error([a.loss - b.loss for a, b in both])
    perfect = mean_and_error([a.is_perfect - b.is_perfect for a, b in both])
    only_first = sum(a.is_perfect and not b.is_perfect for a, b in both)
    only_second = sum(b.is_perfect and not a.is_perfect for a, b in both)
    p = mcnemar(only_first, only_second)
    return Pair(first, second, *loss, *perfect, only_first, only_second, p)


def _holm(pairs: Sequence[Pair]) -> tuple[Pair, ...]:
    from dataclasses import replace

    corrected: dict[tuple[str, str], float] = {}
    least = 0.0
    for rank, pair in enumerate(sorted(pairs, key=lambda each: each.p)):
        least = max(least, min(1.0, pair.p * (len(pairs) - rank)))
        corrected[pair.first, pair.second] = least
    return tuple(replace(each, p_corrected=corrected[each.first, each.second]) for each in pairs)


def _calibration(errors: Sequence[tuple[float, float]]) -> float:
    bins = [0.0] * BINS
    for value, error in errors:
        bins[min(BINS - 1, int((value + 1) / 2 * BINS))] += error
    return sum(map(abs, bins)) / len(errors)


def _cell(found: tuple[float, float] | float | None) -> str:
    if found is None:
        return ""
    return f"{found[0]:.3f} +- {found[1]:.3f}" if isinstance(found, tuple) else f"{found:.3f}"


def _loss_cell(measure: Measure | None) -> str:
    return "" if measure is None else f"{measure.loss:.2f} +- {measure.loss_error:.2f}"
