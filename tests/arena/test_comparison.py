"""Agents compared on the same positions, with paired tests."""

from __future__ import annotations

import csv
import io
import json
import math
from pathlib import Path
from typing import Any

import pytest

from fourcast import Position
from fourcast.arena import compare, evaluate_agent
from fourcast.arena.comparison import Extra, latex, mcnemar, to_csv
from fourcast.arena.evaluation import Answer
from fourcast.arena.suites import choose_questions, load_suite
from fourcast.errors import OptionError
from tests.command import run_text

BY_POSITION = {question.position: question for question in load_suite()}


class Agent:
    """Plays a best move, with a policy and a value of known quality."""

    def __init__(self, name: str, share: float, value: float) -> None:
        self.name = name
        self.share = share
        self.scale = value

    def choose(self, position: Position) -> int:
        return BY_POSITION[position].best_columns[0]

    def policy(self, position: Position) -> list[float]:
        question = BY_POSITION[position]
        best = question.best_columns
        worst = question.scores.index(question.worst)
        shares = [self.share / len(best) if column in best else 0.0 for column in range(7)]
        shares[worst] += 1 - self.share
        return shares

    def value(self, position: Position) -> float:
        best = BY_POSITION[position].best
        return self.scale * ((best > 0) - (best < 0))


def test_three_agents_are_ranked_with_paired_intervals() -> None:
    names = ("random", "winning", "level-5")
    found = compare([evaluate_agent(name, positions=400, seed=2) for name in names])
    assert [(pair.first, pair.second) for pair in found.pairs] == [
        ("random", "winning"),
        ("random", "level-5"),
        ("winning", "level-5"),
    ]
    for pair in found.pairs:
        one, other = (found.evaluations[name] for name in (pair.first, pair.second))
        lost = [a.loss - b.loss for a, b in zip(one.answers, other.answers, strict=True)]
        assert pair.loss == pytest.approx(sum(lost) / 400)
        assert pair.loss - pair.loss_error > 0
        only = [(a.is_perfect, b.is_perfect) for a, b in zip(one.answers, other.answers, strict=True)]
        assert (pair.only_first, pair.only_second) == (
            only.count((True, False)),
            only.count((False, True)),
        )
        assert pair.p <= pair.p_corrected < 0.05
        # On the same positions, the interval is narrower than that of two samples.
        apart = math.hypot(one.total.loss_error, other.total.loss_error)
        assert pair.loss_error < apart
    assert str(found).startswith("3 agents on standard-1; least lost: level-5")


def test_policies_and_values_are_measured_by_their_definitions() -> None:
    good, bad = Agent("good", 0.9, 0.9), Agent("bad", 0.4, -0.5)
    found = compare([evaluate_agent(each, positions=200) for each in (good, bad)])
    for agent in (good, bad):
        extra = found.extra(agent.name)
        assert extra.cross_entropy is not None
        assert extra.cross_entropy[0] == pytest.approx(-math.log(agent.share))
        assert extra.cross_entropy[1] == pytest.approx(0, abs=1e-9)
        questions = choose_questions("standard", 200)
        lost = sum((1 - agent.share) * (each.best - each.worst) for each in questions) / 200
        assert extra.expected_loss is not None
        assert extra.expected_loss[0] == pytest.approx(lost)
        decided = sum(each.best != 0 for each in questions) / 200
        assert extra.value_error is not None
        assert extra.value_error[0] == pytest.approx((1 - agent.scale) ** 2 * decided)
    right = found.extra("good").calibration_error
    wrong = found.extra("bad").calibration_error
    assert right is not None
    assert wrong is not None
    assert right < 0.11 < wrong
    heads, rows = found.table()
    assert heads[-4:] == ["cross-entropy", "expected loss", "value error", "calibration"]
    assert len(rows) == 2


def test_quantiles_are_those_of_the_losses() -> None:
    questions = load_suite()[:100]
    answers = [
        Answer(question, question.scores.index(question.worst if number < 30 else question.best))
        for number, question in enumerate(questions)
    ]
    lost = sorted(answer.loss for answer in answers)
    assert Extra.of(answers).quantiles == (lost[49], lost[89], lost[98])
    assert lost[49] == 0 < lost[98]


def test_mcnemars_test_is_the_binomial_one() -> None:
    assert mcnemar(0, 0) == mcnemar(7, 7) == 1
    assert mcnemar(3, 12) == pytest.approx(2 * sum(math.comb(15, k) for k in range(4)) / 2**15)


def test_only_the_same_positions_of_agents_with_different_names_are_compared() -> None:
    one, two = evaluate_agent("random", positions=10), evaluate_agent("winning", positions=20)
    with pytest.raises(OptionError, match="winning has not answered the same positions as random"):
        compare([one, two])
    with pytest.raises(OptionError, match="must have different names: random, random"):
        compare([one, one])
    with pytest.raises(OptionError, match="takes two or more agents, not 1"):
        compare([one])


@pytest.mark.parametrize("wrong", [[0.5] * 7, [1, 0], "abcdefg", [float("nan")] * 7, 3])
def test_a_policy_that_is_none_is_an_error_of_the_agent(
    wrong: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    agent = Agent("wrong", 0.5, 0.5)
    monkeypatch.setattr(agent, "policy", lambda _: wrong)
    with pytest.raises(OptionError, match="a policy is"):
        evaluate_agent(agent, positions=10)


def test_the_command_writes_a_plot_latex_csv_and_json_and_continues(tmp_path: Path) -> None:
    out = tmp_path / "out"
    arguments = ["compare", "random", "winning", "level-3", "--positions", "60", "--out", str(out)]
    run = run_text(*arguments)
    assert run.returncode == 0, run.stderr
    assert "random - winning" in run.stdout
    assert "stop a four" in run.stdout
    content = json.loads((out / "compare.json").read_text())
    assert set(content) >= {"seed", "version", "date", "hardware", "pairs", "agents"}
    assert (out / "compare.svg").read_text().startswith("<?xml")
    assert (out / "compare.tex").read_text().count(r"\begin{tabular}") == 2
    rows = list(csv.DictReader(io.StringIO((out / "compare.csv").read_text())))
    assert [row["agent"] for row in rows] == ["random", "winning", "level-3"]
    lines = (out / "answers-1.jsonl").read_text().splitlines()
    (out / "answers-1.jsonl").write_text("\n".join(lines[:20]) + "\n")
    again = run_text(*arguments)
    assert again.stdout == run.stdout
    run = run_text("compare", "random")
    assert (run.returncode, run.stdout) == (2, "")
    assert "give two or more agents" in run.stderr


def test_special_characters_do_not_break_latex() -> None:
    assert latex(["a_b"], [["50% & $x$ {y} \\z"]]).splitlines()[4] == r"50\% \& \$x\$ \{y\} /z \\"


def test_csv_has_plain_numbers() -> None:
    found = compare([evaluate_agent(name, positions=20) for name in ("random", "winning")])
    rows = list(csv.DictReader(io.StringIO(to_csv(found))))
    assert float(rows[0]["loss"]) == found.evaluations["random"].total.loss
    assert rows[0]["cross_entropy"] == ""
