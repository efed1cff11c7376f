"""Language models as players: prompts, answers, regret, journals; a local server stands for a model."""

from __future__ import annotations

import base64
import json
import random
import re
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from fourcast import Game, Position, Solver
from fourcast.arena.suites import choose_questions
from fourcast.errors import GameFileError, OptionError
from fourcast.llm import PRESETS, HttpModel, ModelError, Prompt, evaluate_model, parse_answer
from fourcast.llm.models import Message
from fourcast.llm.prompts import View
from tests.command import run_text

DIGITS = "1234567"


# ---- Prompts and answers -----------------------------------------------------------------------------


def read_grid(prompt: str) -> tuple[Position, tuple[str, ...]]:
    """The position that a prompt shows, and the names of its columns, as a model would read them."""
    size = re.search(r"board of (\d+) columns and (\d+) rows", prompt)
    assert size
    height = int(size[2])
    lines = prompt.split("The board, top row first:\n")[1].splitlines()
    rows = [line.split() for line in lines[:height]]
    names = tuple(lines[height].split())
    return Position.from_rows("/".join("".join(row) for row in rows)), names


@pytest.mark.parametrize("form", ["grid", "moves", "json"])
@pytest.mark.parametrize("legal", [True, False])
def test_a_prompt_has_all_that_is_needed_in_every_form(form: Any, legal: bool) -> None:
    moves = "444444125"
    text = Prompt(form=form, legal=legal).text(View.of(Position(moves), moves))
    assert ("The columns that are not full: 1, 2, 3, 5, 6, 7." in text) == legal
    assert "Your discs are O" in text
    if form == "grid":
        assert read_grid(text) == (Position(moves), tuple(DIGITS))
    if form == "moves":
        assert "4 4 4 4 4 4 1 2 5" in text
    if form == "json":
        state = json.loads(next(line for line in text.splitlines() if line.startswith("{")))
        assert state["moves"] == list(moves)
        assert state["board"][-1] == "XO.XX.."


def test_a_view_that_is_mirrored_or_set_up_says_so_to_nobody() -> None:
    view = View.of(Position("1122"), "1122").mirrored()
    text = Prompt(form="moves").text(view)
    assert "7 7 6 6" in text
    assert view.column_of(6) == 0
    assert "X . . . . . ." not in Prompt().text(view)
    assert "Moves so far" not in Prompt(form="moves").text(View(Position("1122")))


def test_the_presets_fit_the_interfaces_of_the_public_harnesses() -> None:
    view = View.of(Position("4455"), "4455")
    arena = PRESETS["arena"].text(view)
    assert re.search(r"Final Answer: 3\n", arena)
    assert "not full" not in arena
    assert "[3]" in PRESETS["textarena"].text(view)
    assert '{"column": "4"}' in PRESETS["json"].text(view)


@pytest.mark.parametrize(
    ("text", "column", "how"),
    [
        ("4", 3, "clean"),
        (" **4** \n", 3, "clean"),
        ("[4]", 3, "clean"),
        ("I look at 1 and 2.\nFinal Answer: 7", 6, "marked"),
        ("Final answer is: **column 3**", 2, "marked"),
        ("My move: 2\nMy move: 5", 4, "marked"),
        ('Here you are: {"column": "6", "why": "center"}', 5, "json"),
        ('{"move": 6}', 5, "json"),
        ("I think [col 2] is good", 1, "bracket"),
        ("Column 3 loses, so I play 5.", 4, "loose"),
        ("There are 42 squares and 10 lines.", None, "no answer"),
        ("I play 3.5", None, "no answer"),
        ("", None, "no answer"),
        ("I'm sorry, but I can't play games.", None, "refused"),
        ("{" * 5000, None, "no answer"),
        ("8", None, "no answer"),
    ],
)
def test_answers_are_read_forgivingly_and_how_is_counted(text: str, column: Any, how: str) -> None:
    found = parse_answer(text, DIGITS)
    assert (found.column, found.how) == (column, how)


def test_names_that_are_letters_are_found_and_the_article_is_not_one() -> None:
    names = "ABCDEFG"
    assert parse_answer("b", names).column == 1
    assert parse_answer("a good move is D", names).column == 3
    assert parse_answer("a good move", names).column is None


# ---- Scripted models ---------------------------------------------------------------------------------

SOLVER = Solver()


def perfect(prompt: str) -> str:
    """A model that knows everything."""
    position, names = read_grid(prompt)
    best = SOLVER.analyze(position).best_columns
    assert best is not None
    return f"Final Answer: {names[best[0]]}"


def worst(prompt: str) -> str:
    position, names = read_grid(prompt)
    scores = SOLVER.analyze(position).scores
    known = [column for column in range(position.width) if scores[column] is not None]
    return names[min(known, key=lambda column: scores[column] or 0)]


def chance_model(prompt: str) -> str:
    position, names = read_grid(prompt)
    return names[random.Random(prompt).choice(tuple(position.legal_columns))]


def direct_regret(model: Callable[[str], str], positions: int) -> float:
    """The regret as the solver computes it, without any of the code that is tested."""
    lost = 0
    for question in choose_questions("standard", positions):
        prompt = PRESETS["plain"].text(View.of(question.position, question.moves))
        name = model(prompt).removeprefix("Final Answer: ")
        after = question.position.play(DIGITS.index(name))
        best = SOLVER.solve(question.position).score
        won = question.position.ply // 2 * -1 + 21 if after.winner else None
        value = won if after.is_over else -(SOLVER.solve(after).score or 0)
        if after.is_over and after.winner is None:
            value = 0
        assert best is not None
        assert value is not None
        lost += best - value
    return lost / positions


@pytest.mark.parametrize("model", [perfect, worst, chance_model])
def test_the_regret_is_what_the_solver_computes_directly(model: Callable[[str], str]) -> None:
    report = evaluate_model(model, positions=60, levels=(), games=0)
    assert report.measure("questions").loss == pytest.approx(direct_regret(model, 60))
    assert report.failures("questions") == dict.fromkeys(report.failures("questions"), 0)


def test_three_scripted_models_are_told_apart() -> None:
    found = [
        evaluate_model(model, positions=150, levels=(), games=0).measure("questions")
        for model in (perfect, chance_model, worst)
    ]
    for better, other in pairwise(found):
        assert better.loss + better.loss_error < other.loss - other.loss_error
        assert better.perfect - better.perfect_error > other.perfect + other.perfect_error


def test_controls_ask_the_same_in_other_clothes() -> None:
    seen: list[str] = []

    def watch(prompt: str) -> str:
        seen.append(prompt)
        return perfect(prompt)

    report = evaluate_model(
        watch, positions=12, controls=("mirror", "relabel", "size", "setup"), levels=(), games=0
    )
    assert list(report.groups) == ["questions", "mirror", "relabel", "size", "setup"]
    for group in report.groups:
        assert report.measure(group).loss == 0, group  # a model that plays, whatever the clothes
    assert sum("board of 8 columns and 7 rows" in prompt for prompt in seen) == 12
    assert sum("are called 1, 2" not in prompt for prompt in seen) == 12

    def remembers(prompt: str) -> str:
        """A model that knows the best columns of the suite by heart, in digits from the left."""
        shown, _ = read_grid(prompt)
        for question in choose_questions("standard", 12):
            if question.position in (shown, shown.mirror()):
                return DIGITS[question.best_columns[0]]
        raise AssertionError(prompt)

    clothes = ("mirror", "relabel")
    caught = evaluate_model(remembers, positions=12, controls=clothes, levels=(), games=0, retries=0)
    assert caught.measure("questions").loss == 0
    assert caught.measure("mirror").loss > 0
    assert caught.failures("relabel")["no answer"] == 12


def test_games_against_levels_are_played_by_the_rules_and_have_regret() -> None:
    report = evaluate_model(perfect, positions=0, levels=(1, 10), games=2)
    assert list(report.groups) == ["level-1", "level-10"]
    share, error, _ = report.points("level-1")
    assert share == 1
    assert error > 0.05  # a few games won are not certainty
    for group in report.groups:
        assert report.measure(group).loss == 0
        for done in report.groups[group]:
            game = Game(done.moves)
            assert game.position.is_over
            turns = game.position.ply // 2 + (game.position.ply % 2 if done.side == 1 else 0)
            assert len(done.turns) == turns
    bad = evaluate_model(worst, positions=0, levels=(5,), games=2)
    assert bad.points("level-5")[0] == 0
    assert bad.measure("level-5").loss > 0


def test_illegal_and_refused_answers_are_apart_and_retries_are_counted() -> None:
    said = ["9", "I'm sorry, I cannot do that.", "no idea", "4"]
    calls = 0
    asked_again = []

    def clumsy(prompt: str) -> str:
        nonlocal calls
        calls += 1
        if "not a column that can be played" in prompt:
            asked_again.append(prompt)
            return "4"
        return said[calls % 4]

    report = evaluate_model(clumsy, positions=40, levels=(), games=0, retries=0)
    failures = report.failures("questions")
    assert failures["refused"] == 10
    assert failures["no answer"] == 20  # "9" is no column, and "no idea" none either
    again = evaluate_model(clumsy, positions=40, levels=(), games=0, retries=1)
    assert sum(again.failures("questions").values()) < sum(failures.values())
    turn = next(turn for turn in again.turns("questions") if turn.failed)
    assert turn.attempts == 2
    assert len(turn.texts) == 2
    assert all("You are playing Connect Four" in prompt for prompt in asked_again)
    assert asked_again

    def full(prompt: str) -> str:
        position, names = read_grid(prompt)
        closed = [c for c in range(7) if c not in position.legal_columns]
        return names[closed[0]] if closed else perfect(prompt)

    report = evaluate_model(full, positions=60, levels=(), games=0, retries=0)
    assert report.failures("questions")["illegal"] > 0

    def broken(prompt: str) -> str:
        raise ArithmeticError(prompt[:3])

    report = evaluate_model(broken, positions=5, levels=(1,), games=1, retries=1)
    assert report.failures("questions")["error"] == 5
    assert report.points("level-1")[0] == 0


def test_a_journal_continues_and_refuses_another_evaluation(tmp_path: Path) -> None:
    journal = tmp_path / "journal.jsonl"
    calls = []

    def stops(prompt: str) -> str:
        calls.append(prompt)
        if len(calls) == 15:
            raise KeyboardInterrupt
        return perfect(prompt)

    settings: dict[str, Any] = {"positions": 30, "levels": (), "games": 0, "journal": journal}
    with pytest.raises(KeyboardInterrupt):
        evaluate_model(stops, **settings)
    assert len(journal.read_text().splitlines()) == 15
    report = evaluate_model(stops, **settings)
    assert len(calls) == 31
    assert report == evaluate_model(stops, positions=30, levels=(), games=0)
    with pytest.raises(GameFileError, match="other settings"):
        evaluate_model(stops, **settings, seed=1)
    with pytest.raises(OptionError, match="no control 'colour'"):
        evaluate_model(stops, controls=("colour",))
    with pytest.raises(OptionError, match="levels are 1 to 10"):
        evaluate_model(stops, levels=(11,))


# ---- Over HTTP ---------------------------------------------------------------------------------------


@contextmanager
def serving(answer: Callable[[dict[str, Any]], tuple[int, Any]]) -> Iterator[str]:
    """A server that answers as a server of models does: *answer* gives the status and the body."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            assert self.path == "/v1/chat/completions"
            length = int(self.headers["Content-Length"])
            status, body = answer(json.loads(self.rfile.read(length)))
            content = body if isinstance(body, bytes) else json.dumps(body).encode()
            self.send_response(status)
            self.send_header("Content-Length", str(len(content)))
            self.send_header("Retry-After", "0")
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/v1"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def completion(text: Any) -> tuple[int, Any]:
    usage = {"prompt_tokens": 100, "completion_tokens": 7}
    return 200, {"choices": [{"message": {"role": "assistant", "content": text}}], "usage": usage}


def test_the_command_measures_a_model_over_http_and_writes_games_to_look_at(tmp_path: Path) -> None:
    asked: list[dict[str, Any]] = []

    def answer(body: dict[str, Any]) -> tuple[int, Any]:
        asked.append(body)
        if len(asked) == 3:
            return 429, {"error": "slow down"}
        return completion(perfect(body["messages"][0]["content"]))

    out = tmp_path / "out"
    with serving(answer) as url:
        options = ["--url", url, "--positions", "10", "--levels", "1", "--games", "2"]
        options += ["--price", "1,10", "--out", str(out), "--concurrency", "2"]
        run = run_text("llm", "tiny-model", *options)
        assert run.returncode == 0, run.stderr
        assert "questions" in run.stdout
        assert re.search(r"Cost: 0\.\d+", run.stdout)
        assert asked[0]["model"] == "tiny-model"
        count = len(asked)
        again = run_text("llm", "tiny-model", *options, "--json")
        assert len(asked) == count  # all of it is in the journal
    found = json.loads(again.stdout)
    assert set(found) >= {"seed", "version", "date", "hardware", "tokens", "cost"}
    assert found["groups"][0]["loss"] == 0
    assert found["tokens"]["answers"] == 7 * (count - 1)
    files = sorted((out / "games").iterdir())
    assert len(files) == 2
    assert Game.from_text(files[0].read_text()).position.is_over
    assert "fourcast review" in (out / "report.md").read_text()


@pytest.mark.parametrize(
    ("status", "body", "message"),
    [
        (401, {"error": "no key"}, "the server answered 401"),
        (500, b"oops", "the server answered 500: oops"),
        (200, b"<html>", "is not a chat completion"),
        (200, {"choices": []}, "is not a chat completion"),
        (200, b"[" * 100_000, "is not a chat completion"),
        (200, completion([1])[1], "has no text"),
        (200, b" " * 4_100_000, "more than 4,000,000 bytes"),
    ],
)
def test_a_server_that_answers_badly_is_an_error_with_a_sentence(
    status: int, body: Any, message: str
) -> None:
    with serving(lambda _: (status, body)) as url:
        model = HttpModel("m", url, pause_s=0)
        with pytest.raises(ModelError, match=re.escape(message)):
            model.ask([Message("user", "?")])


def test_a_picture_is_sent_as_one_and_a_server_that_is_not_there_is_named() -> None:
    seen: list[Any] = []

    def answer(body: dict[str, Any]) -> tuple[int, Any]:
        seen.append(body["messages"][0]["content"])
        return completion(None)

    with serving(answer) as url:
        report = evaluate_model(
            HttpModel("m", url), prompt="picture", positions=1, levels=(), games=0, retries=0
        )
    assert report.failures("questions")["no answer"] == 1
    address = seen[0][1]["image_url"]["url"]
    assert base64.b64decode(address.partition(",")[2]).startswith(b"\x89PNG")
    nobody = "http://127.0.0.1:9/v1"
    with pytest.raises(OptionError, match=f"no server can be reached at {nobody}"):
        HttpModel("m", nobody).ask([Message("user", "?")])
    run = run_text("llm", "m", "--url", nobody)
    assert (run.returncode, run.stdout) == (2, "")
    assert "no server can be reached" in run.stderr
    with pytest.raises(OptionError, match="the address of a server is such as"):
        HttpModel("m", "localhost")


def test_the_command_takes_a_function_and_says_what_is_wrong(tmp_path: Path) -> None:
    (tmp_path / "my_model.py").write_text("def answer(prompt):\n    return '4'\nnumber = 3\n")
    run = run_text("llm", "my_model:answer", "--positions", "5", "--levels", "", cwd=tmp_path)
    assert "answer on standard-1" in run.stdout, run.stderr
    for arguments, message in (
        (["my_model:number"], "is not a function of a prompt"),
        (["my_model:nothing"], "cannot be imported"),
        (["m", "--prompt", "haiku"], "there is no prompt 'haiku'"),
        (["m", "--levels", "x"], "levels are such as 1,3,5 or 1-10"),
        (["m", "--price", "1"], "a price is such as 2.5,10"),
        (["m", "--url", "ftp://x"], "the address of a server"),
    ):
        run = run_text("llm", *arguments, cwd=tmp_path)
        assert (run.returncode, run.stdout) == (2, "")
        assert message in run.stderr
    run = run_text("llm", "m", "--print-prompt", "--prompt", "arena")
    assert "Final Answer: 3" in run.stdout
