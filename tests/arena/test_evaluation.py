"""Agents measured on a fixed suite of positions."""

from __future__ import annotations

import hashlib
import json
import re
import sys
import threading
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from fourcast import Position, Solver
from fourcast.arena.evaluation import (
    THEMES,
    Question,
    evaluate_agent,
    evaluate_log,
    load_suite,
    suite_names,
)
from fourcast.arena.suites import make_suite, suite_id
from fourcast.errors import ForfeitError, GameFileError, InvalidNotationError, OptionError
from tests.command import run_text

FOLDER = Path(__file__).resolve().parent.parent.parent / "src" / "fourcast" / "arena" / "shipped"


ANSWERS = ("answers.txt", "answers.jsonl")


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
    scores = Solver(table_mb=64).column_scores([question.position for question in questions])
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
    assert best.total.loss_error == 0
    # Of 2,000 answers without a mistake, Wilson's interval is 99.81% to 100%.
    assert best.total.perfect_error == best.total.kept_error == pytest.approx(0.00096, abs=5e-6)

    def worst_column(position: Position) -> int:
        question = BY_POSITION[position]
        return question.scores.index(question.worst)

    worst = evaluate_agent(worst_column)
    assert worst.total.perfect == 0
    expected = sum(question.best - question.worst for question in load_suite()) / 2000
    assert worst.total.loss == pytest.approx(expected)
    assert worst.failed == 0


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
    # The ends of the interval are the shares that lie 1.96 of their own deviations from what was seen.
    width = 2 * total.perfect_error
    middle = (total.perfect + 1.96**2 / 600) / (1 + 1.96**2 / 300)
    for share in (middle - width / 2, middle + width / 2):
        deviation = (share * (1 - share) / 300) ** 0.5
        assert abs(share - total.perfect) == pytest.approx(1.96 * deviation)


@pytest.mark.parametrize("nonsense", [-1, 7, 10**30, 3.0, "4", None, True])
def test_an_illegal_answer_counts_as_the_worst_move(nonsense: Any) -> None:
    result = evaluate_agent(lambda _: nonsense, positions=50)
    kind = "no answer" if nonsense is None else "illegal"
    assert (result.failed, result.failures[kind]) == (50, 50)
    assert (result.total.perfect, result.total.kept) == (0, 0)
    assert result.total.loss == pytest.approx(
        sum(answer.question.best - answer.question.worst for answer in result.answers) / 50
    )


def test_an_exception_costs_one_answer_and_one_that_comes_every_time_is_raised() -> None:
    asked = []

    def stumble(position: Position) -> int | None:
        asked.append(position)
        match len(asked) % 10:
            case 3:
                raise ArithmeticError(str(position.ply))
            case 5:
                raise TimeoutError
            case 7:
                return 99
            case 9:
                return None
        return best_column(position)

    result = evaluate_agent(stumble, positions=50)  # type: ignore[arg-type]
    assert result.failures == {"illegal": 5, "no answer": 5, "error": 5, "time": 5}
    assert result.total.perfect == 30 / 50
    assert "ArithmeticError: 3" in result.messages
    assert "20 of" not in str(result)
    assert len(str(result).splitlines()) == 1

    def fail(position: Position) -> int:
        raise ArithmeticError(str(position.ply))

    with pytest.raises(ArithmeticError):
        evaluate_agent(fail)


def test_every_answer_is_journaled_and_an_evaluation_continues(tmp_path: Path) -> None:
    journal = tmp_path / "answers.jsonl"
    asked: list[Position] = []

    class Agent:
        name = "agent"
        patience = 40

        def choose(self, position: Position) -> int:
            asked.append(position)
            if len(asked) == self.patience:
                raise KeyboardInterrupt
            return best_column(position)

        def policy(self, position: Position) -> list[float]:
            return [1.0 if column == best_column(position) else 0.0 for column in range(7)]

        def value(self, position: Position) -> float:
            return float(np.sign(BY_POSITION[position].best))

    agent = Agent()
    with pytest.raises(KeyboardInterrupt):
        evaluate_agent(agent, positions=100, journal=journal)
    assert len(journal.read_text().splitlines()) == 40
    agent.patience = 0
    result = evaluate_agent(agent, positions=100, journal=journal)
    assert len(asked) == 101  # the one that was interrupted is asked again
    assert result == evaluate_agent(agent, positions=100)
    assert result.answers[5].policy == tuple(agent.policy(result.answers[5].question.position))
    with pytest.raises(GameFileError, match="was begun with other settings"):
        evaluate_agent(agent, positions=99, journal=journal)
    lines = journal.read_text().splitlines()
    for wrong in ('{"moves": "4", "column": 9}', '{"moves": "77", "column": 1}', '{"column": 1}', "[]"):
        journal.write_text("\n".join([*lines[:3], wrong, lines[5], ""]))
        with pytest.raises(GameFileError):
            evaluate_agent(agent, positions=100, journal=journal)


def test_positions_are_asked_for_at_the_same_time_with_the_same_result() -> None:
    barrier = threading.Barrier(4, timeout=30)

    def wait(position: Position) -> int:
        barrier.wait()
        return best_column(position)

    result = evaluate_agent(wait, positions=40, concurrency=4)
    assert result.total.perfect == 1
    one, three = (evaluate_agent("level-2", positions=60, concurrency=n) for n in (1, 3))
    assert one == three


def test_an_agent_may_take_many_positions_at_a_time() -> None:
    sizes = []

    class Agent:
        name = "agent"

        def choose(self, position: Position) -> int:
            raise AssertionError(f"one at a time: {position}")

        def choose_batch(self, positions: list[Position]) -> list[int]:
            sizes.append(len(positions))
            return [best_column(position) for position in positions]

        def value_batch(self, positions: list[Position]) -> list[float]:
            return [0.0] * len(positions)

    result = evaluate_agent(Agent(), positions=600)
    assert (result.total.perfect, sizes) == (1, [256, 256, 88])
    assert result.answers[0].value == 0


def test_fresh_suites_depend_on_a_seed_and_private_ones_on_a_secret(tmp_path: Path) -> None:
    salt = tmp_path / "salt"
    salt.write_text("0123456789abcdef")
    (tmp_path / "other").write_text("another secret, as long")
    small: dict[str, Any] = {"positions": 40, "pool": 200}
    one, again, other = (make_suite(seed, **small) for seed in (1, 1, 2))
    assert one == again
    published = {question.position.canonical_key for question in load_suite()}
    for suite in (one, other):
        assert len(suite) == len({question.position.canonical_key for question in suite}) == 40
        assert not {question.position.canonical_key for question in suite} & published
        assert all(question.worst < question.best for question in suite)
    assert {question.moves for question in one} != {question.moves for question in other}
    names = {suite_id(f"private:{tmp_path / name}") for name in ("salt", "other")}
    assert len(names) == 2
    assert all(re.fullmatch("private:[0-9a-f]{12}", name) for name in names)
    salt.write_text("short")
    with pytest.raises(OptionError, match="a secret of 5 bytes; a private suite needs 16"):
        evaluate_agent("random", f"private:{salt}")
    with pytest.raises(OptionError, match="cannot be read"):
        evaluate_agent("random", "private:/nowhere")


@pytest.mark.slow
def test_a_whole_fresh_suite_is_made_in_seconds() -> None:
    suite = load_suite("fresh:20261118")
    assert len(suite) == 2000
    check_scores([question for question in suite if question.position.ply >= 20][::20])
    assert Counter(question.theme for question in suite).keys() == set(THEMES)


@pytest.mark.parametrize("wrong", [0, 2001, -5, "9", 1.5])
def test_wrong_wishes_are_refused(wrong: Any) -> None:
    with pytest.raises(OptionError, match="positions must be a whole number from 1 to 2000"):
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
    wanted = evaluate_agent("winning", positions=40).to_json()
    assert content | {"date": 0} == wanted | {"date": 0}
    assert set(content) >= {"seed", "version", "date", "hardware"}
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
    columns = {(answer["column"], answer["name"]) for answer in content["answers"]}
    assert columns <= {(0, "1"), (None, None)}

    run = run_text("evaluate", f"{sys.executable} {tmp_path / 'missing.py'}", "--sandbox", "off")
    assert run.returncode == 2
    assert run.stderr.startswith("fourcast: ")
    assert "Traceback" not in run.stderr.splitlines()[0]


def test_a_log_of_answers_is_measured_like_the_agent_that_gave_them(tmp_path: Path) -> None:
    asked = evaluate_agent("winning", positions=60, seed=1)
    log = tmp_path / "answers.txt"
    log.write_text(f"# by hand\n\n{asked.to_log()}")
    read = evaluate_log(log)
    assert (read.agent, read.answers) == ("answers.txt", asked.answers)
    lines = asked.to_log().splitlines()
    log.write_text("\n".join([*lines[:-1], f"{lines[-1].split()[0]} ."]))
    assert evaluate_log(log).failures["no answer"] == 1
    run = run_text("evaluate", f"log:{log}")
    assert "answers.txt on standard-1" in run.stdout
    assert "1 answer was no legal move; it counts as the worst one (1 no answer)." in run.stdout


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "has no answers; a line is such as 4455 3"),
        ("- 4\n- 4", "line 2: the position was answered before"),
        ("- 4 5", "line 1: '- 4 5' is not an answer such as 4455 3"),
        ("- 8", "line 1: there is no column '8': the columns are 1 to 7"),
        ("1111111 3", "line 1: move 7 of '1111111': column 1 is full"),
        ("77 3", "line 1: the position after '77' is not one of the suite"),
        ("\0\xff \udcff", "line 1: "),
        ("x" * 1_000_001, "it has more than 1,000,000 bytes"),
    ],
)
def test_a_wrong_log_is_refused_with_the_line(tmp_path: Path, text: str, complaint: str) -> None:
    log = tmp_path / "answers.txt"
    log.write_text(text, errors="surrogateescape")
    with pytest.raises(InvalidNotationError, match=re.escape(complaint)):
        evaluate_log(log)


@pytest.mark.slow
def test_a_report_has_tables_plots_and_the_answers(tmp_path: Path) -> None:
    out = tmp_path / "report"
    run = run_text("evaluate", "winning", "--positions", "60", "--out", str(out))
    assert run.returncode == 0, run.stderr
    assert run.stdout.endswith(f"The report is {out / 'report.html'}\n")
    names = {path.name for path in out.iterdir()}
    assert names == {*("report.html", "report.md", "by-discs.svg", "by-theme.svg"), *ANSWERS}
    assert evaluate_log(out / "answers.txt").answers == evaluate_agent("winning", positions=60).answers
    page = (out / "report.html").read_text()
    for words in ("winning on standard-1", "Worst answers", "keeps outcome", "win at once"):
        assert words in page
    assert "![Perfect moves" in (out / "report.md").read_text()


@pytest.mark.slow
def test_a_function_in_a_module_is_asked_in_a_process_of_its_own(tmp_path: Path) -> None:
    (tmp_path / "my_agents.py").write_text(
        "class Left:\n"
        "    def choose(self, position):\n"
        "        print('no answer')\n"
        "        return position.legal_columns[0]\n"
        "def boom(position):\n"
        "    raise KeyError('boom')\n"
        "def text(position):\n"
        "    return '4'\n"
    )
    run = run_text("evaluate", "my_agents:Left", "--positions", "4", "--json", cwd=tmp_path)
    assert json.loads(run.stdout)["failed"] == 0, run.stderr
    run = run_text("evaluate", "my_agents:boom", cwd=tmp_path)
    assert run.returncode == 2
    assert run.stderr.splitlines()[-1].endswith("its error output ends with \"KeyError: 'boom'\"")
    run = run_text("evaluate", "my_agents:text", cwd=tmp_path)
    assert "the agent answered '4', which is not a column: columns are ints from 0" in run.stderr
    run = run_text("evaluate", "my_agents:missing", cwd=tmp_path)
    assert "my_agents has no missing" in run.stderr
    run = run_text("evaluate", "no_agents:left", cwd=tmp_path)
    assert "no player is called 'no_agents'" in run.stderr
    assert "there is no module 'no_agents' in this folder or on Python's path" in run.stderr


def test_the_questions_are_printed_and_an_agent_is_needed_otherwise() -> None:
    run = run_text("evaluate", "--questions")
    assert run.stdout.splitlines() == [question.moves or "-" for question in load_suite()]
    run = run_text("evaluate", "--questions", "--positions", "40")
    assert run.stdout.splitlines() == [
        answer.question.moves or "-" for answer in evaluate_agent(best_column, positions=40).answers
    ]
    run = run_text("evaluate")
    assert (run.returncode, run.stderr.count("\n")) == (2, 1)
    assert "give an AGENT, such as level-3" in run.stderr
    run = run_text("evaluate", "log:x", "--positions", "3")
    assert "a log has its own positions" in run.stderr
    run = run_text("evaluate", "log:")
    assert run.stderr == "fourcast: log: is followed by a file with answers: log:answers.txt\n"
    run = run_text("evaluate", "agent.py")
    assert "a Python file is given as the program 'python agent.py', or as kaggle:agent.py" in run.stderr


def test_a_report_that_cannot_be_written_is_refused_before_anything_is_asked(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.touch()
    run = run_text("evaluate", "level-1", "--out", str(file))
    assert (run.returncode, run.stdout) == (2, "")
    assert run.stderr == (f"fourcast: '{file}' is not a folder; name a folder to write the report to\n")
    run = run_text("evaluate", "nobody", "--out", str(tmp_path / "new"))
    assert run.returncode == 2
    assert not (tmp_path / "new").exists()


def test_a_program_that_fails_again_and_again_is_given_up_and_one_that_fails_once_is_not() -> None:
    class Program:
        name = "program"

        def __init__(self, fails: Callable[[int], bool]) -> None:
            self.asked = 0
            self.fails = fails

        def choose(self, position: Position) -> int:
            self.asked += 1
            if self.fails(self.asked):
                raise ForfeitError("crash", "it ended")
            return position.legal_columns[0]

    result = evaluate_agent(Program(lambda asked: asked % 10 == 5), positions=50)
    assert (result.failures["error"], result.messages) == (5, {"crash: it ended": 5})
    with pytest.raises(ForfeitError):
        evaluate_agent(Program(lambda asked: asked > 20))
    with pytest.raises(ForfeitError):
        evaluate_agent(Program(lambda _: True))


def test_a_program_is_started_once_for_all_positions(tmp_path: Path) -> None:
    file, starts = tmp_path / "bot.py", tmp_path / "starts"
    file.write_text(
        "import json, sys\n"
        f"open({str(starts)!r}, 'a').write('x')\n"
        "for line in sys.stdin:\n"
        "    open_columns = [c for c, column in enumerate(json.loads(line)['grid']) if not column[0]]\n"
        "    print(json.dumps({'move': open_columns[0]}), flush=True)\n"
    )
    result = evaluate_agent(f"{sys.executable} {file}", positions=20, sandbox="off")
    assert (len(result.answers), result.failed, starts.read_text()) == (20, 0, "x")
