"""`fourcast puzzle` and `fourcast puzzles`, with a pipe as the input."""

from __future__ import annotations

import json
import os
from datetime import datetime, timezone
from pathlib import Path

import pytest

from fourcast.notation import format_column
from fourcast.puzzles import daily, load
from fourcast.puzzles.history import History
from tests.puzzles.conftest import Run

PUZZLE = next(each for each in load(theme="stacked threats") if each.moves_to_find == 2)
RIGHT = [format_column(column) for column in PUZZLE.solution[::2]]
WRONG = format_column(PUZZLE.tempting or 0)
ASKED = ("puzzle", "--id", PUZZLE.id, "--style", "ascii")


def test_a_puzzle_is_solved_explained_and_written_down(run: Run, tmp_path: Path) -> None:
    done = run(*ASKED, given="\n".join(["?", "9", "", *RIGHT]) + "\n")
    assert (done.returncode, done.stderr) == (0, "")
    assert PUZZLE.question(("X", "O")) in done.stdout
    assert "There is no column '9'" in done.stdout
    assert "Right. " in done.stdout
    assert "Solved!" in done.stdout
    solution = done.stdout.index("The solution:")
    assert f"Column {RIGHT[0]} keeps the win." in done.stdout[solution:]
    assert f"Column {WRONG} " in done.stdout[solution:]
    assert "\x1b" not in done.stdout
    lines = (tmp_path / "training.jsonl").read_text().splitlines()
    assert json.loads(lines[1])["solved"] is True
    assert "1 of 1 puzzles solved; current streak: 1" in run("puzzles", "rating").stdout


def test_a_wrong_column_ends_the_attempt_and_shows_why(run: Run) -> None:
    done = run(*ASKED, given=f"h\nh\n{WRONG}\n")
    assert done.returncode == 0
    assert "The idea: " in done.stdout
    assert f"Column {WRONG} is not the solution" in done.stdout
    assert done.stdout.index("The idea") < done.stdout.index(f"Column {RIGHT[0]} ")


@pytest.mark.parametrize("given", ["", "q\n", "n\n", "\udce9\n"])
def test_leaving_writes_nothing_down(run: Run, tmp_path: Path, given: str) -> None:
    done = run("puzzle", "--daily", given=given.encode("utf-8", "replace").decode())
    assert (done.returncode, done.stderr) == (0, "")
    assert daily().id in done.stdout
    assert not (tmp_path / "training.jsonl").exists()


def test_the_mistakes_of_a_game_are_asked_for_without_showing_the_answer(
    run: Run, tmp_path: Path
) -> None:
    game = tmp_path / "game.txt"
    game.write_text("44444276253\n")
    done = run("puzzle", "--mistakes", str(game), given="s\nq\n")
    assert done.returncode == 0
    question = done.stdout.index("find a better move than column")
    assert question < done.stdout.index("The solution:")


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["--theme", "x"], "no theme is called 'x'; there are double threat, stacked threats"),
        (["--theme", "zugswang"], "no theme is called 'zugswang'; did you mean 'zugzwang'?\n"),
        (["--id", "x"], "no puzzle 'x'"),
        (["--daily", "--id", "x"], "only one of them"),
        (["--width", "9", "--height", "9"], "no puzzles for a 9x9 board"),
        (["--mistakes", "nowhere.txt"], "nowhere.txt"),
        (["--daily", "--width", "6", "--height", "5"], "the puzzle of the day is for a 7x6 board"),
        (["--daily", "--rating", "900"], "--rating chooses among puzzles"),
    ],
)
def test_nonsense_is_refused_in_a_line(run: Run, words: list[str], complaint: str) -> None:
    done = run("puzzle", *words)
    assert done.returncode == 2
    assert complaint in done.stderr
    assert "Traceback" not in done.stderr


def test_the_table_and_the_export_are_of_all_puzzles(run: Run) -> None:
    size = ("--width", "6", "--height", "5")
    assert f"| all | {len(load(width=6, height=5)):,} |" in run("puzzles", "table", *size).stdout
    lines = run("puzzles", "export", "--theme", "defuse", *size).stdout.splitlines()
    assert len(lines) == len(load(theme="defuse", width=6, height=5))
    assert json.loads(lines[0])["themes"]


def test_puzzles_are_made_by_the_command(run: Run, tmp_path: Path) -> None:
    out = tmp_path / "mine.gz"
    size = ("--width", "6", "--height", "5")
    done = run("puzzles", "generate", "--games", "2", "--seed", "3", "--out", str(out), *size)
    assert (done.returncode, done.stderr) == (0, "")
    assert "puzzles of 2 games" in done.stdout
    assert os.listdir(tmp_path) == ["mine.gz"]
    assert "| all |" in run("puzzles", "table", str(out)).stdout


def test_training_repeats_what_was_not_solved_and_shows_how_it_goes(run: Run, tmp_path: Path) -> None:
    failed = datetime(2026, 1, 1, tzinfo=timezone.utc)
    History(tmp_path / "training.jsonl").add(PUZZLE, solved=False, when=failed)
    right = [*RIGHT, "q"]
    done = run("train", "--seed", "1", "--style", "ascii", given="\n".join(right) + "\n")
    assert (done.returncode, done.stderr) == (0, "")
    assert "Cards: 1 due, 0 resting, 0 known." in done.stdout
    assert PUZZLE.id in done.stdout
    assert History(tmp_path / "training.jsonl").answered[-1].card == PUZZLE.id
    again = run("train", "--import", str(tmp_path / "training.jsonl"))
    assert "0 attempts of" in again.stdout


def test_one_attempt_is_one(run: Run, tmp_path: Path) -> None:
    other = tmp_path / "other.jsonl"
    History(other).add(PUZZLE, solved=False)
    said = run("train", "--import", str(other)).stdout
    assert f"1 attempt of {other} added." in said
    assert "after 1 rated attempt." in said


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        (None, "No such file or directory"),
        (b"", "line 1: this is not a history of puzzles"),
        (b"notes of mine\n", "line 1: this is not a history of puzzles"),
        (b"\xff\xfe\x00", "line 1: this is not a history of puzzles"),
        (b'{"format":"fourcast training 1"}\n{"when":"x"}\n{}\n', "line 2: "),
    ],
)
def test_what_is_no_history_is_not_imported(
    run: Run, tmp_path: Path, content: bytes | None, complaint: str
) -> None:
    other = tmp_path / "other.jsonl"
    if content is not None:
        other.write_bytes(content)
    done = run("train", "--import", str(other))
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"fourcast: {other}")
    assert complaint in done.stderr
    assert not (tmp_path / "training.jsonl").exists()


@pytest.mark.parametrize(
    "words",
    [
        ["--status", "--import", "x"],
        ["--import", "x", "--mistakes", "x"],
        ["--status", "--repertoire", "first"],
    ],
)
def test_training_does_one_thing_at_a_time(run: Run, words: list[str]) -> None:
    done = run("train", *words)
    assert done.returncode == 2
    assert "only one of them" in done.stderr


def test_the_mistakes_of_a_game_become_cards(run: Run, tmp_path: Path) -> None:
    game = tmp_path / "game.txt"
    game.write_text("44444276253\n")
    done = run("train", "--mistakes", str(game), "--new", "0", given="s\nq\n")
    assert done.returncode == 0
    assert "Cards: 0 due, 1 resting" in run("train", "--status").stdout


def test_exploring_names_the_traps_and_the_most_testing_move(run: Run) -> None:
    done = run("explore", "44455", "--style", "ascii")
    assert (done.returncode, done.stderr) == (0, "")
    assert "column 5 loses in 16 moves; 5 of 7 replies give the win away" in done.stdout
    assert "\nMost testing: column 5.\n" in done.stdout
    assert "over" in run("explore", "1212121").stderr
    answer = json.loads(run("explore", "--json", "44455").stdout)
    assert (answer["moves"], answer["most_testing"]) == ("44455", 4)
    assert answer["columns"][4]["keeping"] == [3, 4]
