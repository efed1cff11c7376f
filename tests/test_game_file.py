from __future__ import annotations

import json
import os
import re
import stat
import sys
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fourcast import Game, GameFileError, Outcome, Position, Termination
from fourcast.files import MAX_FILE, replace_file
from fourcast.game_file import recognize
from fourcast.notation import format_json, format_rows
from fourcast.render.text import board
from tests.strategies import games, positions

EXAMPLE = """\
Format: fourcast 1
First: Ada
Second: winning
Board: 7x6
Started: 2024-05-31T18:30:00Z
Result: second wins, resignation
Undone: 5@9.5 3

1. 4@1.5 4@3
2. 5 3
"""


def example() -> Game:
    started = datetime(2024, 5, 31, 18, 30, tzinfo=timezone.utc)
    game = Game(first="Ada", second="winning", started=started)
    game.play(3, stamp_s=1.5)
    game.play(3, stamp_s=3)
    game.play(4, 2)
    game.play(4, stamp_s=9.5)
    game.play(2)
    game.undo()
    game.undo()
    game.resign()
    return game


# Back and forth


@given(games())
def test_a_text_is_read_as_it_is_written(game: Game) -> None:
    assert Game.from_text(game.to_text()) == game


@given(games())
def test_json_is_read_as_it_is_written(game: Game) -> None:
    assert Game.from_json(game.to_json()) == game


@given(games())
def test_the_largest_game_fits_into_a_file(game: Game) -> None:
    assert len(game.to_text().encode()) < MAX_FILE / 4
    assert len(game.to_json().encode()) < MAX_FILE / 4


@pytest.mark.parametrize("name", ["game.txt", "game.json", "game.JSON", "game", "a game of mine.c4"])
def test_a_file_is_read_as_it_is_saved_whatever_its_name(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    example().save(path)
    assert Game.load(path) == example()
    assert path.read_text().startswith("{") == name.lower().endswith(".json")
    assert os.listdir(tmp_path) == [name]


def test_the_text_is_what_the_documentation_shows() -> None:
    assert example().to_text() == EXAMPLE


def test_the_json_is_what_the_documentation_shows() -> None:
    assert json.loads(example().to_json()) == {
        "format": "fourcast 1",
        "first": "Ada",
        "second": "winning",
        "width": 7,
        "height": 6,
        "start": None,
        "started": "2024-05-31T18:30:00Z",
        "moves": "4453",
        "stamps_s": [1.5, 3.0, None, None],
        "undone": "53",
        "undone_stamps_s": [9.5, None],
        "result": "second wins, resignation",
    }


def test_a_start_is_written_as_a_diagram() -> None:
    game = Game("5", start=Position("445"))
    assert "\nStart:\n  . . . . . . .\n" in game.to_text()
    assert "\n  . . . X X . .\n" in game.to_text()


# What people write


@pytest.mark.parametrize(
    "text",
    [
        "4453",
        "4 4 5 3",
        "1. 4 4 2. 5 3",
        "1. 44\n2. 53\n",
        "\ufeff4453".removeprefix("\ufeff"),
        "# a good start\n\n4 4  # both in the center\n5 3",
        "board: 7 x 6\r\n\r\n4453\r\n",
        "First:\nSecond:\nResult:\n4453",
    ],
)
def test_moves_may_be_plain_or_numbered_with_comments_between(text: str) -> None:
    assert Game.from_text(text) == Game("4453")


def test_a_start_may_be_pasted_as_it_is_printed() -> None:
    text = """\
Start:
[ 1  2  3  4  5  6  7]
(.. .. .. .. .. .. ..)
(.. .. .. .. .. .. ..)
(.. .. .. .. .. .. ..)
(.. .. .. .. .. .. ..)
(.. .. ..[🟡].. .. ..)
(.. .. .. 🔴 .. .. ..)

5
"""
    assert Game.from_text(text) == Game("5", start=Position("44"))


def test_a_result_that_the_board_shows_may_be_left_out() -> None:
    assert Game.from_text("1212121").result == Outcome(1, Termination.FOUR)


def test_keys_of_json_may_be_left_out() -> None:
    assert Game.from_json('{"moves": "4453"}') == Game("4453")
    assert Game.from_json("{}") == Game()


def test_a_byte_order_mark_is_passed_over(tmp_path: Path) -> None:
    path = tmp_path / "game.txt"
    path.write_bytes(b"\xef\xbb\xbf4453")
    assert Game.load(path) == Game("4453")


# What is refused, and where


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("Frist: Ada", "line 1: 'frist' is not known; did you mean 'first'?"),
        ("Rounds: 3", "line 1: 'rounds' is not known; "),
        ("First: a\nFirst: b", "line 2: the header 'first' occurs twice"),
        ("4453\nFirst: a", "line 2: the header 'first' occurs twice or after the moves"),
        ("Format: fourcast 2", "line 1: 'fourcast 2' is not a format that can be read"),
        ("\nFirst: a\x1b[2J", "line 2: 'a\\x1b[2J' cannot be a player's name"),
        ("First: " + "x" * 101, "line 1: 'xxx"),
        ("Board: 7", "line 1: '7' is not the size of a board, such as 7x6"),
        ("Board: 3x3", "line 1: a board of width 3 and height 3"),
        ("Board: 999x999", "line 1: a board"),
        ("Board: 9999999x6", "line 1: "),
        ("Board: 8x6\nStart:\n....\n....\n....\n....", "line 1: the start is 4x4, not '8x6'"),
        ("Start:\n....\n....\nX...\n....", "line 1: a disc floats"),
        ("Start:\n....\n....\n..Z.\n....", "line 1: line 4 of the diagram, '..Z.': 'Z' is not a square"),
        ("Start:", "line 1: there is no board"),
        ("Started: yesterday", "line 1: 'yesterday' is not a time such as"),
        ("Started: 2024-05-31T18:30:00", "line 1: the time '2024-05-31T18:30:00' needs a time zone"),
        (
            "Started: 0001-01-01T00:00:00+23:00",
            "line 1: the time '0001-01-01T00:00:00+23:00' is out of range",
        ),
        ("Result: 1-0", "line 1: '1-0' is not a result"),
        ("Result: first wins, four in a row\n44", "line 1: the result cannot be"),
        ("Result: draw, agreement\n1212121", "the game is over: first wins, four in a row"),
        ("44\n4x4", "line 2: '4x4': 'x' is not a column"),
        ("44\n48", "line 2: '48': there is no column '8': the columns are 1 to 7"),
        ("1. 4 4\n3. 5 3", "line 2: '3.' is not the next number: 2 moves come before it"),
        ("1. 4\n2. 4", "line 2: '2.' is not the next number: 1 moves come before it"),
        ("0. 4", "line 1: '0.' is not the next number: 0 moves come before it"),
        ("1.4 4", "line 1: '1.4': '.' is not a column"),
        ("444444\n4", "line 2: '4': column 4 is full"),
        ("1212121\n\n5", "line 3: '5': the game is over"),
        ("4@", "line 1: '4@': '@' is not a column"),
        ("4@-1", "line 1: '4@-1': '@' is not a column"),
        ("4@nan", "line 1: '4@nan': '@' is not a column"),
        ("4@1e999", "line 1: inf is not a time stamp"),
        ("44@1", "line 1: '44@1': '@' is not a column"),
        ("Undone: 1 1 1 1 1 1 1", "line 1: '1': column 1 is full"),
        ("Undone: 9\n\n4453", "line 1: '9': there is no column '9'"),
        ("import os", "line 1: 'import': 'i' is not a column"),
        ("<html>", "line 1: '<html>'"),
        ("\x00\x01\x02", "line 1: "),
        ("4" * (MAX_FILE + 1), "the limit is 65536 characters"),
    ],
)
def test_a_text_that_is_no_game_is_refused_with_the_line(text: str, complaint: str) -> None:
    with pytest.raises(GameFileError) as caught:
        Game.from_text(text)
    assert complaint in str(caught.value)
    assert len(str(caught.value)) < 300


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        ([], "[] is not an object"),
        ({"move": "4"}, "'move' is not known; did you mean 'moves'?"),
        ({"moves": ["4"]}, "'moves' must be a string, not ['4']"),
        ({"moves": "48"}, "'moves', move 2: there is no column '8'"),
        ({"moves": "4444444"}, "'moves', move 7: column 4 is full"),
        (
            {"moves": "44", "stamps_s": [1]},
            "the time stamps of 'moves' must be a list, one for each move",
        ),
        ({"moves": "44", "stamps_s": 1}, "the time stamps of 'moves' must be a list, one for each move"),
        ({"moves": "44", "stamps_s": [1, -1]}, "'moves', move 2: -1 is not a time stamp"),
        ({"moves": "44", "stamps_s": [1, "2"]}, "'moves', move 2: '2' is not a time stamp"),
        ({"undone": "4", "undone_stamps_s": [True]}, "'undone', move 1: True is not a time stamp"),
        ({"first": 7}, "'first' must be a string, not 7"),
        ({"first": "a\nb"}, "'first': 'a\\nb' cannot be a player's name"),
        ({"width": 3}, "a board of width 3"),
        ({"width": "7"}, "'width' must be a whole number, not '7'"),
        ({"width": 10**30}, "JSON: "),
        ({"width": -(10**30)}, "JSON: "),
        ({"width": 8, "start": {"moves": "44"}}, "'width' is 8, but the start's is 7"),
        ({"start": {"moves": "4444444"}}, "JSON: "),
        ({"start": "44"}, "'44' is not a JSON object"),
        ({"started": "2024"}, "'started': '2024' is not a time"),
        ({"format": "pgn"}, "'format': 'pgn' is not a format"),
        ({"result": {"winner": 1}}, "'result' must be a string"),
        ({"result": "draw, full board"}, "'result': the result cannot be 'draw, full board'"),
    ],
)
def test_json_that_is_no_game_is_refused_with_the_key(content: object, complaint: str) -> None:
    with pytest.raises(GameFileError) as caught:
        Game.from_json(json.dumps(content))
    assert complaint in str(caught.value)
    assert len(str(caught.value)) < 300


@pytest.mark.parametrize(
    "text", ["", "{", '{"moves": "4"', '{"a":' * 10_000, '{"moves": NaN}', "9" * 60_000]
)
def test_what_is_not_json_is_refused(text: str) -> None:
    with pytest.raises(GameFileError):
        Game.from_json(text)


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        (b"4" * 10_000_000, "too long for a game file: the limit is 65536 bytes"),
        (b"44\n\xff\xfe", "line 2: this is not a text in UTF-8"),
        (b"\x7fELF\x02\x01\x01\x00\x00", "line 1: "),
        (b"44\n4x", "line 2: "),
        (b'{"moves": "4"\n"first"}', "line 2: "),
    ],
)
def test_a_file_that_is_no_game_is_refused_with_its_name_and_line(
    tmp_path: Path, content: bytes, complaint: str
) -> None:
    path = tmp_path / "game.txt"
    path.write_bytes(content)
    with pytest.raises(GameFileError) as caught:
        Game.load(path)
    assert complaint in str(caught.value)
    assert str(path) in str(caught.value)
    assert len(str(caught.value)) < 400


def test_a_missing_file_or_a_directory_is_an_error_of_the_system(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        Game.load(tmp_path / "nothing.txt")
    with pytest.raises(IsADirectoryError):
        Game.load(tmp_path)
    with pytest.raises(FileNotFoundError):
        Game().save(tmp_path / "nowhere" / "game.txt")


@pytest.mark.skipif(sys.platform == "win32", reason="named pipes and devices are not files there")
def test_what_is_not_a_regular_file_is_neither_read_nor_replaced(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    for path in (pipe, Path("/dev/null")):
        with pytest.raises(GameFileError, match="is not a game file"):
            Game.load(path)
        with pytest.raises(GameFileError, match="is not a file that a game can be saved to"):
            Game().save(path)
    assert stat.S_ISFIFO(pipe.stat().st_mode)
    with pytest.raises(GameFileError, match="is not a file that a game can be saved to"):
        Game().save(tmp_path)


# Saving


def test_saving_replaces_the_file_that_a_link_leads_to_and_keeps_its_mode(tmp_path: Path) -> None:
    target, link = tmp_path / "target.txt", tmp_path / "link.txt"
    Game("4").save(target)
    target.chmod(0o640)
    link.symlink_to(target)
    Game("44").save(link)
    assert link.is_symlink()
    assert Game.load(target) == Game("44")
    assert stat.S_IMODE(target.stat().st_mode) == 0o640


@pytest.mark.parametrize("call", ["fsync", "replace"])
def test_a_full_disk_leaves_the_old_file_whole_and_no_litter(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: str
) -> None:
    path = tmp_path / "game.txt"
    Game("4").save(path)

    def fail(*_: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, call, fail)
    with pytest.raises(OSError, match="No space left on device"):
        Game("44").save(path)
    assert Game.load(path) == Game("4")
    assert os.listdir(tmp_path) == ["game.txt"]


def test_a_write_protected_file_is_not_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "game.txt"
    Game("4").save(path)
    monkeypatch.setattr(os, "access", lambda *_: False)  # to root everything is writable
    with pytest.raises(PermissionError, match="write-protected"):
        Game("44").save(path)
    assert Game.load(path) == Game("4")


def test_a_device_is_written_to_and_a_link_keeps_its_place(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    replace_file(pipe, b"4")
    assert (os.read(reader, 9), pipe.is_fifo()) == (b"4", True)
    os.close(reader)
    link, file = tmp_path / "link", tmp_path / "file"
    link.symlink_to(file)
    replace_file(link, b"44")
    assert (file.read_bytes(), link.is_symlink()) == (b"44", True)


def test_an_error_names_the_file_that_was_given(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for name in ("nowhere/game", "file/game", "."):
        with pytest.raises(OSError, match=f"'{re.escape(str(tmp_path / name))}'$"):
            replace_file(tmp_path / name, b"")


# Texts that may be anything


@given(games())
def test_a_game_is_recognized_in_either_format(game: Game) -> None:
    assert recognize(game.to_text()) == game
    assert recognize(game.to_json()) == game


@given(positions())
def test_a_position_is_recognized_however_it_is_written(position: Position) -> None:
    for text in (str(position), format_rows(position), format_json(position), board(position)):
        assert recognize(text) == Game(start=position)
    assert recognize(f"\n\n{board(position, style='discs', color=True)}\n\n") == Game(start=position)


@pytest.mark.parametrize(
    "text",
    [
        "445",
        "4 4 5",
        "4,4,5",
        "1. 4 4\n2. 5\n\n\n",
        "\n\n445\n\n",
        "\ufeff445",
        "445 # XO ..",
        "4 4\r\n5",
    ],
)
def test_moves_are_recognized_however_they_are_written(text: str) -> None:
    assert recognize(text) == Game("445")
    assert recognize(text, width=8, height=8) == Game("445", width=8, height=8)


@given(st.text(alphabet=st.sampled_from('14aXOxo.|/#{}[]:",\n 🔴\x1b0mé'), max_size=80))
def test_what_is_not_recognized_is_a_game_file_error(text: str) -> None:
    try:
        game = recognize(text)
    except GameFileError:
        return
    assert recognize(game.to_text()) == game
