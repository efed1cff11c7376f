"""Every command at a terminal of 60 columns: no line is longer, so that no word is split."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path

import pytest

from fourcast.cli._support.application import COMMANDS
from fourcast.cli._support.wrapping import break_line, table
from fourcast.render.text import block_width
from tests.cli.test_process import SHORT, arguments

pexpect = pytest.importorskip("pexpect", reason="there is no pseudo-terminal")

WIDTH = 60

# Besides what `SHORT` has: long sentences, tables that are wider, and errors of all kinds.
MORE = [
    ["--help"],
    ["review", "4444453525523"],
    ["explain", "44"],
    ["analyze", "44"],
    ["repertoire", "first", "--plies", "4"],
    ["match", "random", "winning", "--games", "2", "--quality", "--sprt", "20"],
    ["play", "--second", "perfekt"],
    ["play", "--secnd", "perfect"],
    ["match", "random", "nobody"],
    ["puzzle", "--theme", "nonsense"],
    ["train", "--status", "--export", "FOLDER/x"],
    ["solve", "4455", "--threads", "0"],
]


def lines_of(words: list[str], folder: Path) -> list[str]:
    """The lines that a command shows, each as it is when it is complete."""
    env = {**os.environ, "TERM": "xterm", "PYTHONUTF8": "1", "FOURCAST_DATA": str(folder / "data")}
    env.pop("COLUMNS", None)
    child = pexpect.spawn(
        sys.executable,
        ["-m", "fourcast", *arguments(words, folder)],
        env=env,
        dimensions=(20, WIDTH),
        encoding="utf-8",
        codec_errors="replace",
        timeout=180,  # `seat` tries for more than a minute to reach its server
    )
    child.send("q\n:exit\n")  # where a person, or a program, is asked
    child.sendeof()
    child.expect(pexpect.EOF)
    child.close()
    shown = re.sub(r"\x1b\[[0-9;?]*[A-Za-ln-z]", "\r", str(child.before))
    return re.split(r"[\r\n]+", shown)


@pytest.mark.parametrize(
    "words",
    [
        *MORE,
        SHORT["evaluate"],
        SHORT["explore"],
        *(pytest.param([name, "--help"], marks=pytest.mark.slow) for name in COMMANDS),
        *(pytest.param(words, marks=pytest.mark.slow) for words in SHORT.values()),
    ],
    ids=" ".join,
)
def test_no_line_is_wider_than_the_terminal(words: list[str], tmp_path: Path) -> None:
    wide = [line for line in lines_of(words, tmp_path) if block_width(line) > WIDTH]
    assert [line for line in wide if str(tmp_path) not in line] == []  # a path is one long word


def test_a_line_is_broken_between_words_below_where_its_last_column_begins() -> None:
    line = " 7. Red     3  blunder     threw away a win in 18 moves and loses in 16 moves"
    first, *others = break_line(line, 60).split("\n")
    assert first == " 7. Red     3  blunder     threw away a win in 18 moves and"
    assert others == [27 * " " + "loses in 16 moves"]


def test_a_table_is_broken_between_columns() -> None:
    wide = table(["player", "games", "forfeits"], [["Ada", "2", "1 crash"]], 80, left=["forfeits"])
    assert wide == "player  games  forfeits\nAda         2  1 crash"
    narrow = table(["player", "games", "forfeits"], [["Ada", "2", "1 crash"]], 16, left=["forfeits"])
    assert narrow == "player  games\nAda         2\n\nplayer  forfeits\nAda     1 crash"
