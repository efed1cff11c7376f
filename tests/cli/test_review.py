"""`fourcast review`, as people and programs run it."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from fourcast import Game, MoveExplanation, Position
from fourcast.study.review import review
from tests import command as fourcast

COMMAND = [sys.executable, "-m", "fourcast", "review"]
SMALL = "1213141"  # on a board of 4x4
OPTIONS = ["--width", "4", "--height", "4"]


def run(
    *arguments: str, given: bytes = b"", encoding: str = "utf-8", **environment: str
) -> tuple[int, str, str]:
    """Run the command on some input; return its exit status and what it says on both channels."""
    env = {**os.environ, "PYTHONIOENCODING": encoding, "COLUMNS": "80", **environment}
    done = fourcast.run("review", *arguments, given=given, env=env)
    return done.returncode, done.stdout.decode(encoding), done.stderr.decode()


def test_a_game_is_judged_move_by_move() -> None:
    status, out, err = run("--moves", SMALL, *OPTIONS)
    assert (status, err) == (0, "")
    lines = out.splitlines()
    assert lines[0] == "[ 1  2  3  4]"
    assert "Red wins: four in a row." in lines
    assert "  5. 1  best                    6. 4  missed block, best 1" in lines
    assert "  7. 1  best" in lines
    assert "  Red    \u2502     \u2588\u2588" in lines
    assert "  =      \u2502\u2500\u2500\u2500\u2500\u2500\u2500\u2500" in lines
    end = lines.index("Red played with an accuracy of 100.0%, Yellow with 26.7%.")
    told = " ".join(lines[end + 1 :])
    assert "Move 6: Yellow played column 4 and turned a draw into a loss." in told
    assert "Yellow left Red's three in column 1 unblocked" in told
    assert lines[-1] == "Why? --why 6 explains move 6, --reasons every mistake."


def test_a_review_is_short() -> None:
    """A story, and one sentence for each mistake; the explanations are behind options."""
    for moves in ("425642445223336", "14642545655244774661", "2524751366463164534213433755154661122277"):
        content = json.loads(run(moves, "--json")[1])
        assert len(content["text"].split()) <= 150
        told = [move["mistake"] for move in content["review"] if move["mistake"]]
        assert all(len(sentence.split()) <= 40 for sentence in told)
        assert len(told) >= sum(move["verdict"] in ("mistake", "blunder") for move in content["review"])


def test_every_mistake_is_explained_with_boards_and_in_json() -> None:
    moves = "14642545655244774661"
    status, out, err = run(moves, "--style", "ascii", "--reasons")
    assert (status, err) == (0, "")
    told = out.partition("accuracy")[2]
    assert "Move 20, O, column 1: blunder" in told
    assert "Only column 5 kept the win, and now" in told
    assert "the block opens 7/4, where X wins." in told
    assert " . . . X X X !" in told
    content = json.loads(run(moves, "--json")[1])
    for move in content["review"]:
        assert (move["explanation"] is not None) == (move["verdict"] in ("mistake", "blunder"))
    last = content["review"][-1]["explanation"]
    assert MoveExplanation.from_json(last).only_keeping == 4
    assert last["reason"]["marks"][0]["wins"] == [[6, 3]]
    assert "Only column 5 kept the win, and now" in last["text"]


def test_one_move_is_explained_if_it_is_asked_for() -> None:
    status, out, err = run("14642545655244774661", "--why", "20", "--style", "ascii")
    assert (status, err) == (0, "")
    assert out.startswith("Move 20, O, column 1\n--------------------\n")
    assert "Only column 5 kept the win" in out
    assert "accuracy" not in out
    status, out, err = run("4343434", "--why", "8")
    assert (status, out) == (2, "")
    assert "there is no move 8: the game has 7" in err


def test_where_there_are_only_letters_it_is_drawn_with_them() -> None:
    status, out, _ = run("--moves", SMALL, *OPTIONS, encoding="ascii")
    assert status == 0
    assert out.isascii()
    assert "  X |     ##" in out.splitlines()


@pytest.mark.parametrize("name", ["game.txt", "game.json", "moves", "diagram"])
def test_files_of_all_kinds_are_read(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    game = Game(SMALL, width=4, height=4, first="Ada", second="Zoë" * 30)
    if name == "moves":
        path.write_text(" ".join(SMALL))
    elif name == "diagram":
        path.write_text(str(game.position))
    else:
        game.save(path)
    status, out, err = run(str(path), *OPTIONS)
    assert (status, err) == (0, "")
    if name == "diagram":
        assert "There is no move to judge." in out
        return
    assert "turned a draw into a loss" in " ".join(out.split())
    if name.startswith("game"):
        assert "Red: Ada; Yellow: ZoëZoë" in out
        assert "     Ada                           ZoëZoëZoëZoëZoëZo...\n" in out


def test_a_file_with_the_name_of_moves_is_a_file(tmp_path: Path) -> None:
    (tmp_path / "4").write_text("1213141")
    env = {**os.environ, "PYTHONUTF8": "1"}
    command = [*COMMAND, "4", *OPTIONS, "--json"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, timeout=60, env=env, check=True)
    assert json.loads(done.stdout)["moves"] == SMALL


def test_a_game_comes_from_standard_input() -> None:
    text = Game(SMALL, width=4, height=4, first="Ada").to_text()
    status, out, _ = run("-", given=text.encode())
    assert status == 0
    assert "     Ada                           Yellow\n" in out


def test_the_json_is_the_review_of_the_library() -> None:
    status, out, err = run("--moves", SMALL, *OPTIONS, "--json")
    assert (status, err) == (0, "")
    content = json.loads(out)
    report = review(Game(SMALL, width=4, height=4))
    assert (content["moves"], content["width"], content["height"], content["start"]) == (SMALL, 4, 4, "")
    assert (content["complete"], content["decisive"]) == (True, 6)
    assert content["result"] == "first wins, four in a row"
    assert content["accuracy"] == [100.0, 26.7]
    assert len(content["review"]) == 7
    for entry, move in zip(content["review"], report.moves, strict=True):
        assert (entry["column"], entry["name"]) == (move.column, str(move.column + 1))
        assert entry["verdict"] == (move.verdict and move.verdict.value)
        assert (entry["loss"], entry["score_before"]) == (move.loss, move.score_before)
        assert entry["best_columns"] == list(move.best_columns)


def test_a_start_is_in_the_json(tmp_path: Path) -> None:
    path = tmp_path / "game"
    Game("34", start=Position("12", width=4, height=4)).save(path)
    assert json.loads(run(str(path), "--json")[1])["start"] == "..../..../..../XO.."


def test_what_takes_too_long_is_left_open() -> None:
    status, out, _ = run("--moves", "555", "--width", "9", "--height", "7", "--time-limit", "0.05")
    assert status == 0
    assert out.count("not judged") == 3
    assert "Which move decided the game could not be found in time." in " ".join(out.split())


@pytest.mark.parametrize(
    ("arguments", "given", "complaint"),
    [
        ([], b"", "there is nothing to read"),
        (["-", "--moves", "4"], b"", "give MOVES, --moves or --load, only one of them"),
        (["no such file"], b"", "fourcast: 'no such file' is neither moves (columns 1 to 7) nor a file"),
        (["/"], b"", "fourcast: /: Is a directory"),
        (["/dev/null"], b"", "fourcast: '/dev/null' is not a game file"),
        (["48"], b"", "fourcast: '8' at place 2 of '48' is not a column"),
        (["--moves", "48"], b"", "fourcast: '8' at place 2 of '48' is not a column"),
        (["--moves", "4444444"], b"", "fourcast: move 7 of '4444444': column 4 is full"),
        (["--moves", "4", "--time-limit", "0"], b"", "--time-limit must be more than 0"),
        (["-"], b"", "there is nothing to read"),
        (["-"], b"hello", "'hello' is neither a game nor a position"),
        (["-"], b"4444444", "line 1: '4444444': column 4 is full"),
        (["-"], b"\xff\xfe", "line 1: this is not a text in UTF-8"),
        (["-"], b"4" * 70_000, "too long for a game file: the limit is 65536 bytes"),
    ],
)
def test_what_is_no_game_is_refused_with_the_reason(
    arguments: list[str], given: bytes, complaint: str
) -> None:
    status, out, err = run(*arguments, given=given)
    assert (status, out) == (2, "")
    assert complaint in re.sub(r"\s*\u2502\s*", " ", err)


def test_an_error_names_the_file(tmp_path: Path) -> None:
    path = tmp_path / "broken"
    path.write_text("First: Ada\n4 4 9")
    assert run(str(path))[2] == (
        f"fourcast: '{path}': line 2: '9': there is no column '9': the columns are 1 to 7\n"
    )


# On a terminal


@pytest.fixture(scope="module")
def pexpect() -> Any:
    return pytest.importorskip("pexpect", reason="there is no pseudo-terminal to show it on")


def on_terminal(pexpect: Any, *arguments: str, **environment: str) -> str:
    env = {**os.environ, "TERM": "xterm-256color", "PYTHONUTF8": "1", **environment}
    env = {key: value for key, value in env.items() if value or key != "NO_COLOR"}
    output, status = pexpect.run(
        " ".join([*COMMAND, *arguments]), withexitstatus=True, env=env, timeout=120, encoding="utf-8"
    )
    assert status == 0
    return str(output)


def test_a_terminal_gets_colors_and_a_bar_that_goes_away(pexpect: Any) -> None:
    shown = on_terminal(pexpect, "--moves", SMALL, *OPTIONS, NO_COLOR="")
    assert "\x1b[1;31mmissed block" in shown
    assert "\x1b[32mbest" in shown
    assert "solving" in shown
    assert "accuracy" in shown.rpartition("solving")[2]


def test_a_bar_counts_the_mistakes_that_are_explained(pexpect: Any) -> None:
    shown = on_terminal(pexpect, "--moves", "14642545655244774661", NO_COLOR="1")
    before, _, after = shown.rpartition("explaining")
    assert " 2 of 2 " in after
    assert "accuracy" not in before
    assert "accuracy" in after


@pytest.mark.slow
def test_a_game_of_40_moves_is_reviewed_with_reasons_in_three_seconds_of_one_processor() -> None:
    moves = "2524751366463164534213433755154661122277"
    before = os.times()
    done = subprocess.run([*COMMAND, moves], check=True, capture_output=True, timeout=120)
    after = os.times()
    said = done.stdout.decode()
    assert len(re.findall("\nMove \\d+, ", said)) >= 8
    assert (after.children_user - before.children_user) + (
        after.children_system - before.children_system
    ) < 3


def test_the_bar_of_a_book_is_shown_too(pexpect: Any, tmp_path: Path) -> None:
    """It is the same, but does not know at first how much there is to do."""
    options = f"--plies 2 --width 4 --height 4 --out {tmp_path}/small.book"
    shown, status = pexpect.run(
        f"{sys.executable} -m fourcast book build {options}", withexitstatus=True, timeout=120
    )
    words = b" ".join(shown.split())  # lines are broken where the path happens to end
    assert (status, b"solving" in words, b"4x4, up to 2 discs" in words) == (0, True, True)


def test_no_color_is_respected(pexpect: Any) -> None:
    shown = on_terminal(pexpect, "--moves", SMALL, *OPTIONS, NO_COLOR="1")
    assert "6. 4  missed block, best 1" in shown
    assert "\x1b[31m" not in shown


def test_ctrl_c_ends_it_without_a_word() -> None:
    running = subprocess.Popen(
        [*COMMAND, "--moves", "5555", "--width", "10", "--height", "9", "--time-limit", "1000"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    time.sleep(2)
    running.send_signal(signal.SIGINT)
    out, err = running.communicate(timeout=30)
    assert running.returncode in (130, -signal.SIGINT)  # the latter while it is still importing
    assert (out, err) == (b"", b"")
