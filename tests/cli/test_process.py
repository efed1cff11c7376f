"""Every command under Ctrl-C, with closed streams, and with a reader that goes away: no traceback."""

from __future__ import annotations

import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from fourcast.cli._support.application import COMMANDS

COMMAND = [sys.executable, "-m", "fourcast"]
SLEEPER = f"'{sys.executable}' -c 'import time; time.sleep(60)'"

# Each command with something that it can do in a moment.
SHORT = {
    "play": ["play", "--first", "random", "--second", "random", "--seed", "1"],
    "solve": ["solve", "4455"],
    "analyze": ["analyze", "4455"],
    "explain": ["explain", "4455"],
    "review": ["review", "1213141", "--width", "4", "--height", "4"],
    "learn": ["learn"],
    "puzzle": ["puzzle", "--daily"],
    "puzzles": ["puzzles", "table"],
    "train": ["train", "--status"],
    "explore": ["explore", "4455"],
    "repertoire": ["repertoire", "--plies", "2"],
    "bench": ["bench", "--signature"],
    "players": ["players"],
    "match": ["match", "random", "winning", "--games", "2"],
    "tournament": ["tournament", "random", "winning", "--games", "2"],
    "grade": ["grade", "perfect", "--games", "1", "--wins", "1"],
    "evaluate": ["evaluate", "random", "--positions", "10"],
    "compare": ["compare", "random", "winning", "--positions", "10"],
    "export-agent": ["export-agent", "random", "--out", "FOLDER/submission.py"],
    "dataset": ["dataset", "--rows", "10", "--out", "FOLDER/rows"],
    "label": ["label", "FOLDER/moves.txt"],
    "player": ["player", "random"],
    "check-player": ["check-player", "no-such-program"],
    "book": ["book", "info"],
    "certificate": ["certificate", "info"],
    "llm": ["llm", "any", "--print-prompt"],
    "mcp": ["mcp"],
    "serve": ["serve", "--port", "0", "--database", "/dev/null/games.db"],
    "seat": ["seat", "random", "--server", "http://127.0.0.1:9", "--game", "none"],
    "site": ["site", "--out", "FOLDER/site", "--book", "8"],
    "community": ["community", "simulate", "--moves", "1", "--folder", "FOLDER/game"],
}

# ... and with something that takes longer than anybody waits; standard input stays open.
LONG = {
    "play": ["play", "--first", "human", "--second", "human"],
    "solve": ["solve", "--width", "9", "--height", "7", ""],
    "analyze": ["analyze", "--width", "9", "--height", "7", ""],
    "explain": ["explain", "--width", "9", "--height", "7", ""],
    "review": ["review", "5555", "--width", "10", "--height", "9", "--time-limit", "1000"],
    "learn": ["learn", "1"],
    "puzzle": ["puzzle"],
    "puzzles": ["puzzles", "generate", "--games", "100000", "--out", "FOLDER/puzzles.gz"],
    "train": ["train"],
    "explore": ["explore", "--width", "9", "--height", "7", ""],
    "bench": ["bench"],
    "match": ["match", "mcts", "mcts", "--games", "1000"],
    "tournament": ["tournament", "mcts", "mcts:seed=1", "--games", "1000"],
    "grade": ["grade", "perfect", "--games", "1000"],
    "evaluate": ["evaluate", "mcts"],
    "compare": ["compare", "mcts", "mcts:seed=1"],
    "dataset": ["dataset", "--rows", "100000000", "--out", "FOLDER/rows"],
    "player": ["player", "random"],
    "check-player": ["check-player", SLEEPER],
    "book": ["book", "verify", "--sample", "1000000"],
    "certificate": ["certificate", "build", "FOLDER/search", "--out", "FOLDER/win.c4win"],
    "llm": ["llm", "slow_model:ask", "--positions", "2000"],
    "mcp": ["mcp"],
    "serve": ["serve", "--port", "0", "--database", "FOLDER/games.db"],
    "community": ["community", "simulate", "--moves", "1000", "--folder", "FOLDER/game"],
}

INTERRUPTED = (130, -signal.SIGINT)
"""The exit status after Ctrl-C, as the process or the system says it; a shell shows 130 for both."""


def mostly_slow(names: Iterable[str]) -> list[Any]:
    """The commands, of which some that differ are tried in every run, and the others in slow ones."""
    often = ("play", "serve")
    return [name if name in often else pytest.param(name, marks=pytest.mark.slow) for name in names]


def arguments(words: list[str], folder: Path) -> list[str]:
    (folder / "moves.txt").write_text("4455\n44\n")
    (folder / "slow_model.py").write_text("from time import sleep\n\ndef ask(_):\n    sleep(60)\n")
    return [word.replace("FOLDER", str(folder)) for word in words]


def test_every_command_is_tried() -> None:
    assert set(SHORT) == set(COMMANDS)
    quick = {"players", "export-agent", "label", "repertoire", "seat", "site"}  # which do not take long
    assert set(LONG) == set(COMMANDS) - quick


# Ctrl-C

# Sends SIGINT to itself when a module is about to be imported.
INTERRUPT_AT_IMPORT = """
import os, signal, sys
from fourcast.cli import main
module = sys.argv.pop(1)
class Finder:
    def find_spec(self, name, path=None, target=None):
        if name == module:
            os.kill(os.getpid(), signal.SIGINT)
sys.meta_path.insert(0, Finder())
main()
"""


@pytest.mark.parametrize(
    ("words", "module"),
    [
        (["--help"], "fourcast.cli._support.application"),
        (["--help"], "typer"),
        (["solve", "4455"], "typer.main"),
        (SHORT["solve"], "fourcast.cli.solve"),
        *[
            pytest.param(SHORT[name], f"fourcast.cli.{name.replace('-', '_')}", marks=pytest.mark.slow)
            for name in COMMANDS
        ],
        (SHORT["serve"], "fastapi"),
        (SHORT["match"], "fourcast.arena.match"),
    ],
)
def test_ctrl_c_while_a_command_is_still_importing_ends_it_silently(
    words: list[str], module: str, tmp_path: Path
) -> None:
    command = [sys.executable, "-c", INTERRUPT_AT_IMPORT, module, *arguments(words, tmp_path)]
    run = subprocess.run(
        command, capture_output=True, text=True, timeout=60, stdin=subprocess.DEVNULL, cwd=tmp_path
    )
    assert (run.returncode in INTERRUPTED, run.stdout, run.stderr) == (True, "", "")


@pytest.mark.parametrize(
    "delay_s", [0.2, *(pytest.param(s, marks=pytest.mark.slow) for s in (0.1, 0.3, 0.5, 0.8))]
)
@pytest.mark.parametrize("name", ["play", "solve"])
def test_ctrl_c_soon_after_the_start_ends_a_command_silently(name: str, delay_s: float) -> None:
    """Python's own start, before fourcast is imported, may still show a traceback."""
    with subprocess.Popen(
        [*COMMAND, name],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as child:
        time.sleep(delay_s)
        child.send_signal(signal.SIGINT)
        _, err = child.communicate(timeout=30)
    assert child.returncode in (*INTERRUPTED, 1)
    assert "fourcast/cli/_" not in err
    assert "typer" not in err


@pytest.mark.parametrize("name", mostly_slow(LONG))
def test_ctrl_c_in_the_middle_of_its_work_ends_a_command_without_a_traceback(
    name: str, tmp_path: Path
) -> None:
    with subprocess.Popen(
        [*COMMAND, *arguments(LONG[name], tmp_path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=tmp_path,
    ) as child:
        time.sleep(3)
        assert child.poll() is None
        child.send_signal(signal.SIGINT)
        child.wait(timeout=30)  # with its standard input open, as at a terminal
        _, err = child.communicate()
    assert child.returncode in INTERRUPTED
    assert "Traceback" not in err
    assert "KeyboardInterrupt" not in err


# Closed streams


@pytest.mark.parametrize(
    "closed",
    [*(pytest.param(one, marks=pytest.mark.slow) for one in ("<&-", ">&-", "2>&-")), "<&- >&- 2>&-"],
)
@pytest.mark.parametrize("name", mostly_slow(SHORT))
def test_closed_streams_are_no_reason_for_a_traceback(name: str, closed: str, tmp_path: Path) -> None:
    script = f"exec {shlex.join([*COMMAND, *arguments(SHORT[name], tmp_path)])} {closed}"
    stdin = None if "<&-" in closed else subprocess.DEVNULL
    run = subprocess.run(
        ["/bin/sh", "-c", script], stdin=stdin, capture_output=True, text=True, timeout=60, cwd=tmp_path
    )
    assert run.returncode in ((1, 2) if name in ("check-player", "seat", "serve") else (0,))
    assert "Traceback" not in run.stdout + run.stderr
    assert "Exception ignored" not in run.stderr


@pytest.mark.parametrize("name", mostly_slow(name for name in SHORT if name != "serve"))
def test_a_reader_that_has_gone_away_is_no_reason_for_a_traceback(name: str, tmp_path: Path) -> None:
    command = shlex.join([*COMMAND, *arguments(SHORT[name], tmp_path)])
    script = f"( sleep 0.2; {command}; echo status $? >&2 ) </dev/null | true"
    run = subprocess.run(
        ["/bin/sh", "-c", script], capture_output=True, text=True, timeout=60, cwd=tmp_path
    )
    *complaints, status = run.stderr.splitlines()
    assert status in ("status 0", "status 1", "status 141")
    assert not complaints


@pytest.mark.parametrize("words", [["--help"], ["solve", "--help"], ["--version"]])
def test_help_for_a_reader_that_has_gone_away(words: list[str]) -> None:
    script = f"( sleep 0.2; {shlex.join([*COMMAND, *words])} ) | true"
    run = subprocess.run(["/bin/sh", "-c", script], capture_output=True, text=True, timeout=60)
    assert run.stderr == ""


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="the system has no full device")
def test_a_full_disk_is_told_in_one_line() -> None:
    with open("/dev/full", "w") as full:
        run = subprocess.run(
            [*COMMAND, "solve", "4455"], stdout=full, stderr=subprocess.PIPE, text=True, timeout=60
        )
    assert (run.returncode, run.stderr) == (2, "fourcast: No space left on device\n")
