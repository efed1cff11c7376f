"""`fourcast repertoire`, `fourcast train --repertoire` and what is new in `fourcast explore`."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from datetime import datetime, timezone
from pathlib import Path

import pytest

from fourcast.notation import format_column
from fourcast.puzzles.history import History
from fourcast.puzzles.repertoire import load_repertoire
from tests.puzzles.conftest import Run

FIRST = load_repertoire("first")


def test_the_positions_and_columns_are_listed(run: Run) -> None:
    lines = run("repertoire", "first", "--plies", "2").stdout.splitlines()
    assert lines[0] == "5 positions for the first player; by discs: 1 with 0, 4 with 2"
    assert ["-", "column", "4"] in [line.split() for line in lines]
    assert ["44", "column", "4"] in [line.split() for line in lines]
    answers = run("repertoire", "second", "--plies", "1", "--json").stdout.splitlines()
    assert [json.loads(answer)["moves"] for answer in answers] == ["1", "2", "3", "4"]
    assert "'third'" in run("repertoire", "third").stderr


def test_the_deck_and_the_booklet_are_written(run: Run, tmp_path: Path) -> None:
    deck, page = tmp_path / "first.apkg", tmp_path / "first.html"
    done = run("repertoire", "first", "--plies", "2", "--anki", str(deck), "--booklet", str(page))
    assert (done.returncode, done.stderr) == (0, "")
    assert "5 cards; open it with Anki" in done.stdout
    assert deck.read_bytes().startswith(b"PK")
    assert page.read_text("utf-8").count("<svg ") == 5
    done = run("repertoire", "first", "--plies", "0", "--anki", str(deck), "--json")
    assert json.loads(done.stdout)["moves"] == ""
    assert done.stderr == f"{deck}: 1 card; open it with Anki\n"


def test_the_repertoire_is_taught_in_order_and_asked_before_it_is_shown(
    run: Run, tmp_path: Path
) -> None:
    given = "h\n4\n\n1\nq\n"
    done = run("train", "--repertoire", "first", "--style", "ascii", given=given)
    assert (done.returncode, done.stderr) == (0, "")
    first, second = done.stdout.split("Card 2 of")
    assert "1 column keeps the result." in first
    assert first.index("Your column") < first.index("Column 4 keeps the win.")
    assert "Right." in first
    assert "Column 1 does not keep the result." in second
    assert "2 of 408 cards seen." in second
    attempts = History(tmp_path / "training.jsonl").answered
    assert [each.puzzle.moves for each in attempts] == ["", "41"]
    assert [each.solved for each in attempts] == [True, False]
    assert "Cards: 0 due, 2 resting" in run("train", "--status").stdout  # the first one was hinted at


def test_another_column_that_keeps_the_win_is_no_mistake(run: Run, tmp_path: Path) -> None:
    card = FIRST.cards[1]
    right = format_column(card.column)
    other = next(name for name in "34567" if name != right)  # after 41 all of them win
    done = run("train", "--repertoire", "first", given=f"4\n\n{other}\n{right}\nq\n")
    assert f"Column {other} keeps the result, too, but it is not in the repertoire." in done.stdout
    assert [each.solved for each in History(tmp_path / "training.jsonl").answered] == [True, True]


def test_cards_that_are_due_come_first_and_new_ones_go_on_where_they_were(
    run: Run, tmp_path: Path
) -> None:
    history = History(tmp_path / "training.jsonl")
    failed = datetime(2026, 1, 1, tzinfo=timezone.utc)
    for card in FIRST.cards[:3]:
        history.add(card.puzzle, solved=card is not FIRST.cards[2], when=failed)
    answers = "\n".join(["s", "", "q"])
    done = run("train", "--repertoire", "first", "--seed", "1", "--new", "1", given=answers + "\n")
    assert done.stdout.index("Card 3 of") < done.stdout.index("Card 4 of")
    assert "Cards: 1 due" in done.stdout


def test_the_second_player_is_told_what_is_most_testing(run: Run) -> None:
    number = next(i for i, card in enumerate(load_repertoire("second").cards) if card.moves == "4")
    given = "\n".join(["s\n"] * number + ["1", "s", "q", ""])
    done = run("train", "--repertoire", "second", given=given)
    assert "All columns lose with best play; column 1 is not the most testing one." in done.stdout
    assert "The most testing move: 6 of 7 replies give the win away" in done.stdout


@pytest.mark.parametrize(
    "words",
    [["--repertoire", "third"], ["--repertoire", "first", "--mistakes", "game.txt"]],
)
def test_nonsense_is_refused_in_a_line(run: Run, words: list[str]) -> None:
    done = run("train", *words)
    assert done.returncode == 2
    assert "Traceback" not in done.stderr


def test_kill_9_while_a_question_waits_costs_no_answer(tmp_path: Path) -> None:
    """The first answer is on the disk when the second question is asked."""
    env = os.environ | {"FOURCAST_DATA": str(tmp_path), "NO_COLOR": "1"}
    words = [sys.executable, "-m", "fourcast", "train", "--repertoire", "first", "--style", "ascii"]
    process = subprocess.Popen(
        words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=env, text=True, bufsize=1
    )
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write("4\n\n")
    process.stdin.flush()
    for line in process.stdout:
        if line.startswith("Card 2 of"):
            break
    os.kill(process.pid, signal.SIGKILL)
    process.communicate()
    (attempt,) = History(tmp_path / "training.jsonl").answered
    assert (attempt.puzzle.moves, attempt.solved) == ("", True)


def test_a_history_goes_to_another_machine_and_back(run: Run, tmp_path: Path) -> None:
    other = tmp_path / "other.jsonl"
    History(other).add(FIRST.cards[0].puzzle, solved=False)
    assert "1 attempt of" in run("train", "--import", str(other)).stdout
    assert History(tmp_path / "training.jsonl").answered == History(other).answered
    there = tmp_path / "there.jsonl"
    assert run("train", "--export", str(there)).stdout == f"{there}: 1 attempt\n"
    assert there.read_bytes() == other.read_bytes()
    assert "0 attempts of" in run("train", "--import", str(there)).stdout
    done = run("train", "--export", str(tmp_path / "nowhere" / "there.jsonl"))
    assert (done.returncode, "nowhere/there.jsonl: No such file" in done.stderr) == (2, True)


def test_exploring_shows_orders_levels_and_my_games(run: Run, tmp_path: Path) -> None:
    games = tmp_path / "games" / "deep"
    games.mkdir(parents=True)
    (games / "mine.txt").write_text("44455554221\n")
    (games / "mirrored.txt").write_text("4443333466\n")
    (games / "notes.txt").write_text("not a game\n")
    done = run("explore", "4445", "--style", "ascii", "--games", str(tmp_path / "games"))
    assert done.returncode == 0
    assert "2 of your games came here:\ncolumn 5: 2 games" in done.stdout
    assert "1 files in" in done.stderr
    assert "orders of moves" not in done.stdout
    several = run("explore", "4453", "--style", "ascii").stdout
    assert "3 orders of moves lead here: 4453, 4354 or 5344." in several
    done = run("explore", "44", "--style", "ascii")
    assert "What levels play here, each asked 30 times:" in done.stdout
    assert len(done.stdout.split("wrong\n")[1].splitlines()) == 10
    answer = json.loads(run("explore", "44", "--json", "--games", str(games)).stdout)
    assert answer["orders"] == 1
    assert answer["games"]["3"]["games"] == 2
    assert len(answer["levels"]["wrong"]) == 10
    assert "not a folder" in run("explore", "4", "--games", str(tmp_path / "nowhere")).stderr


def test_the_map_is_written_as_a_whole(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "map.svg"
    done = run("explore", "44", "--map", str(path), "--plies", "2")
    assert (done.returncode, done.stderr) == (0, "")
    assert path.read_text("utf-8").count("<g class='move'") == 56
    assert "the next 2 moves" in done.stdout
    done = run("explore", "44", "--map", str(path), "--plies", "1", "--json")
    assert json.loads(done.stdout)["moves"] == "44"
    assert "the next move, " in done.stderr
