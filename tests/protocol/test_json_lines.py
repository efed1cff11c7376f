"""The player's side: `fourcast player` as a process."""

from __future__ import annotations

import json
import subprocess

import pytest

from fourcast import Position
from fourcast.errors import IllegalMoveError, InvalidNotationError
from fourcast.notation import format_json
from fourcast.protocol import parse_answer
from tests import command as fourcast

GRID = (
    '{"grid": [[0,0,0,0,0,0],[0,0,0,0,0,2],[0,0,0,0,0,0],[0,0,0,1,2,1],[0,0,0,0,0,0],[0,0,0,0,0,0],'
    '[0,0,0,0,0,0]], "height": 6, "player": 1, "width": 7}'
)


def serve(*arguments: str, lines: str | bytes) -> subprocess.CompletedProcess[str]:
    given = lines if isinstance(lines, bytes) else lines.encode()
    done = fourcast.run("player", *arguments, given=given)
    return subprocess.CompletedProcess(
        done.args, done.returncode, done.stdout.decode(), done.stderr.decode()
    )


@pytest.mark.parametrize("name", ["winsets", "random", "level-3"])
def test_the_line_of_seed_001_is_answered_with_one_line_and_a_legal_move(name: str) -> None:
    run = serve(name, lines=GRID + "\n")
    assert (run.returncode, run.stderr) == (0, "")
    [line] = run.stdout.splitlines()
    assert list(json.loads(line)) == ["move"]
    assert 0 <= json.loads(line)["move"] < 7


def test_exit_ends_it_and_lines_after_it_are_not_read() -> None:
    run = serve("random", lines=f"{GRID}\n:exit\n{GRID}\n")
    assert (run.returncode, len(run.stdout.splitlines())) == (0, 1)


def test_bare_grids_are_understood_with_the_player_of_the_command_line() -> None:
    threat = json.loads(format_json(Position("41414")))  # 1 threatens, 2 is to move
    bare = json.dumps({"grid": threat["grid"]})
    run = serve("depth", "--player", "2", "--width", "7", "--height", "6", lines=bare)
    assert json.loads(run.stdout) == {"move": 3}


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        (b"nonsense", "not JSON (line 1, column 1)"),
        (b"[1, 2]", "is not a JSON object"),
        (b"{}", "neither 'grid' nor 'moves'"),
        (b'{"grid": [[0]], "player": 1}', "is not supported"),
        (b'{"grid": [[0,0,0,0],[0,0,0,0],[0,0,0,0],[0,0,0,0]], "player": 1}', "width is 4, but 7 was"),
        (GRID.replace("0,0,0,0,0,2", "0,0,2,0,0,0").encode(), "floats above"),
        (GRID.replace('"player": 1', '"player": 3').encode(), "must be 1 or 2"),
        (format_json(Position("1212121")).encode(), "the game is over"),
        (b"\xff\xfe", "not JSON"),
        (b'{"grid": "' + b"x" * 100_000 + b'"}', "more than 65536 bytes"),
        (b"[" * 60_000, "nested too deep"),
    ],
    ids=range(11),
)
def test_a_line_that_cannot_be_used_is_told_and_the_next_one_served(line: bytes, complaint: str) -> None:
    run = serve("random", "--width", "7", "--height", "6", lines=line + b"\n" + GRID.encode() + b"\n")
    error, move = map(json.loads, run.stdout.splitlines())
    assert complaint in error["error"]
    assert complaint in run.stderr
    assert "move" in move


def test_plies_are_the_depth() -> None:
    # A win that takes three plies: seen with three, not with one.
    lines = format_json(Position("4352")) + "\n"
    assert serve("depth", "--plies", "3", lines=lines).returncode == 0
    run = serve("random", "--depth", "3", lines=lines)
    assert run.returncode == 2
    words = " ".join(run.stderr.split())
    assert "--depth: the player random has no option 'depth'; there are seed, time_s" in words


def test_options_behind_the_name_and_threads_are_understood() -> None:
    lines = format_json(Position("445566")) + "\n"
    run = serve("streaks:depth=2,seed=1", "--threads", "2", lines=lines)
    assert json.loads(run.stdout)["move"] in (2, 6)
    assert json.loads(serve("perfect", "--threads", "2", lines=lines).stdout)["move"] in (2, 6)
    assert serve("streaks:deph=2", lines=lines).stderr == (
        "fourcast: the player streaks has no option 'deph'; did you mean 'depth'?\n"
    )


def test_a_verbose_player_echoes_requests_and_answers_on_standard_error() -> None:
    request = format_json(Position("445566"))
    run = serve("winning", "--verbose", "--seed", "1", lines=f"{request}\nnonsense\n")
    greeting, asked, answered, *rest = run.stderr.splitlines()
    assert greeting == "The player winning:seed=1 is ready."
    assert (asked, answered) == (f"> {request}", f"< {run.stdout.splitlines()[0]}")
    assert rest[0] == "> nonsense"
    assert len(run.stdout.splitlines()) == 2


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("", "is not an answer such as"),
        ("3", "is not an answer"),
        ('{"moves": 3}', "is not an answer"),
        ('{"move": "3"}', "not a whole number"),
        ('{"move": 3.0}', "not a whole number"),
        ('{"move": null}', "not a whole number"),
        ('{"move": 7}', '"move": 7} is off the board: moves are 0 to 6'),
        ('{"move": -1}', '"move": -1} is off the board'),
        ('{"move": 0}', "column 1 is full"),
        ('{"error": "help"}', "is not an answer"),
    ],
)
def test_an_answer_that_is_none_is_refused_with_the_reason(line: str, complaint: str) -> None:
    with pytest.raises((IllegalMoveError, InvalidNotationError), match=complaint):
        parse_answer(line, Position("111111"))
