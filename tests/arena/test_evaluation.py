"""Agents measured on a fixed suite of positions."""

from __future__ import annotations

import hashlib
import json
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from fourcast import Position, Solver
from fourcast.arena.evaluation import THEMES, Question, evaluate_agent, load_suite, suite_names
from fourcast.errors import OptionError
from tests.command import run_text

FOLDER = Path(__file__).resolve().parent.parent.parent / "src" / "fourcast" / "arena" / "suites"


def best_column(position: Position) -> int:
    """Look the position up: the suite knows all answers."""
    question = BY_POSITION[position]
    return question.scores.index(question.best)


BY_POSITION = {question.position: question for question in load_suite()}


def test_a_suite_of_a_name_never_changes() -> None:
    assert suite_names() == ("standard-1",)
    digest = hashlib.sha256((FOLDER / "standard-1.txt").read_bytes()).hexdigest()
    assert digest == "30a35827cf0d1667e9fee4ff03f08f993d67ace89d8bbc573667c9e8c09133bc"


def test_the_suite_is_balanced_and_every_position_has_a_wrong_move() -> None:
    suite = load_suite()
    assert len(suite) == len({question.position.canonical_key for question in suite}) == 2000
    assert all(question.worst < question.best for question in suite)
    for outcome in (1, 0, -1):
        share = sum((q.best > 0) - (q.best < 0) == outcome for q in suite) / 2000
        assert 0.2 < share < 0.5, (outcome, share)
    groups = Counter(question.position.ply // 6 for question in suite)
    assert set(groups) == set(range(7))
    assert min(groups.values()) > 60
    themes = Counter(question.theme for question in suite)
    assert set(themes) == set(THEMES)
    assert min(themes.values()) > 60


def test_the_scores_of_the_suite_are_those_of_the_solver() -> None:
    """Of some late positions here, and of all of them in the slow tests."""
    check_scores([question for question in load_suite() if question.position.ply >= 24][::8])


@pytest.mark.slow
def test_all_scores_of_the_suite_are_those_of_the_solver() -> None:
    check_scores(list(load_suite()))


def check_scores(questions: list[Question]) -> None:
    scores = Solver(table_mb=64).scores([question.position for question in questions])
    for question, row in zip(questions, scores.tolist(), strict=True):
        assert [-128 if score is None else score for score in question.scores] == row


def test_an_agent_that_knows_the_answers_is_perfect_and_one_that_knows_the_worst_is_not() -> None:
    best = evaluate_agent(best_column)
    assert (best.total.positions, best.total.perfect, best.total.kept, best.total.loss) == (
        2000,
        1,
        1,
        0,
    )
    assert best.total.perfect_error == best.total.loss_error == 0

    def worst_column(position: Position) -> int:
        question = BY_POSITION[position]
        return question.scores.index(question.worst)

    worst = evaluate_agent(worst_column)
    assert worst.total.perfect == 0
    expected = sum(question.best - question.worst for question in load_suite()) / 2000
    assert worst.total.loss == pytest.approx(expected)
    assert worst.illegal == 0


def test_groups_and_themes_are_all_of_the_answers() -> None:
    result = evaluate_agent("winning", positions=300, seed=1)
    assert result == evaluate_agent("winning", positions=300, seed=1)
    assert sum(measure.positions for measure in result.by_ply().values()) == 300
    assert sum(measure.positions for measure in result.by_theme().values()) == 300
    assert result.by_theme()["win at once"].perfect == 1
    total = result.total
    assert 0 < total.perfect < total.kept < 1
    perfect = sum(answer.is_perfect for answer in result.answers)
    assert total.perfect == perfect / 300
    spread = (total.perfect * (1 - total.perfect) / 299) ** 0.5
    assert total.perfect_error == pytest.approx(1.96 * spread)


@pytest.mark.parametrize("nonsense", [-1, 7, 10**30, 3.0, "4", None, True])
def test_an_illegal_answer_counts_as_the_worst_move(nonsense: Any) -> None:
    result = evaluate_agent(lambda _: nonsense, positions=50)
    assert result.illegal == 50
    assert (result.total.perfect, result.total.kept) == (0, 0)
    assert result.total.loss == pytest.approx(
        sum(answer.question.best - answer.question.worst for answer in result.answers) / 50
    )


def test_what_an_agent_raises_is_raised() -> None:
    def fail(position: Position) -> int:
        raise ArithmeticError(str(position.ply))

    with pytest.raises(ArithmeticError, match="0"):
        evaluate_agent(fail)


@pytest.mark.parametrize("wrong", [0, 2001, -5])
def test_wrong_wishes_are_refused(wrong: int) -> None:
    with pytest.raises(OptionError, match="positions must be from 1 to 2000"):
        evaluate_agent("random", positions=wrong)
    with pytest.raises(OptionError, match="no suite is called 'hard'; there are standard, standard-1"):
        evaluate_agent("random", "hard")


def test_the_command_prints_tables_or_json(tmp_path: Path) -> None:
    run = run_text("evaluate", "winning", "--positions", "40")
    assert run.returncode == 0, run.stderr
    lines = run.stdout.splitlines()
    assert lines[0] == "winning on standard-1"
    assert lines[3].split()[:2] == ["all", "40"]
    run = run_text("evaluate", "winning", "--positions", "40", "--json")
    content = json.loads(run.stdout)
    assert content == evaluate_agent("winning", positions=40).to_json()
    assert content["total"]["positions"] == len(content["answers"]) == 40
    run = run_text("evaluate", "winning", "--suite", "hard")
    assert (run.returncode, run.stderr.count("\n")) == (2, 1)
    assert "there are standard, standard-1" in run.stderr

    program = tmp_path / "left.py"
    program.write_text(
        "import json, sys\n"
        "for line in sys.stdin:\n"
        "    if line.strip() == ':exit': break\n"
        "    print(json.dumps({'move': 0}), flush=True)\n"
    )
    run = run_text(
        "evaluate", f"{sys.executable} {program}", "--positions", "5", "--json", "--sandbox", "off"
    )
    content = json.loads(run.stdout)
    assert set(content["answers"].values()) <= {0, None}
