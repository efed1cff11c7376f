"""What works where the system has no fork, no fcntl and no POSIX signals, as on Windows."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest
from smoke import check_server

from fourcast.cli._support.application import COMMANDS

# Run before anything of fourcast is imported; what Python itself needs here is imported before.
PREAMBLE = """
import asyncio, ctypes, multiprocessing, os, pathlib, signal, socket, sqlite3, subprocess, sys, tempfile

class Missing:
    names = {"fcntl", "grp", "pty", "pwd", "resource", "termios", "tty", "uvloop"}
    def find_spec(self, name, *_):
        if name in self.names:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

class Library(ctypes.CDLL):
    def __init__(self, name, *_, **__):
        assert name is not None, "Windows has no library without a name"

ctypes.CDLL = Library
for name in Missing.names:
    sys.modules.pop(name, None)
sys.meta_path.insert(0, Missing())
for module, names in {
    os: "fork forkpty geteuid getuid killpg register_at_fork sched_getaffinity setsid "
        "O_CLOEXEC O_NOFOLLOW O_NONBLOCK",
    signal: "SIGCHLD SIGHUP SIGKILL SIGPIPE SIGSTOP",
}.items():
    for name in names.split():
        delattr(module, name)
"""

GAME = "4444453525523"


def script(body: str) -> list[str]:
    return [sys.executable, "-c", PREAMBLE + body]


def fourcast(*words: str, given: str = "") -> subprocess.CompletedProcess[str]:
    body = f"from fourcast.cli import main; main({list(words)!r})"
    return subprocess.run(script(body), input=given, capture_output=True, text=True, timeout=60)


def test_every_module_can_be_imported_and_every_command_has_its_help() -> None:
    body = f"""
import contextlib, fourcast, io, json
from fourcast.cli import main
import fourcast.arena, fourcast.book, fourcast.community, fourcast.data.dataset, fourcast.protocol
import fourcast.puzzles, fourcast.study, fourcast.web
helps = {{}}
for command in {sorted(COMMANDS)!r}:
    shown = io.StringIO()
    with contextlib.redirect_stdout(shown), contextlib.suppress(SystemExit):
        main([command, "--help"])
    helps[command] = shown.getvalue()
print(json.dumps(helps))
"""
    run = subprocess.run(script(body), capture_output=True, text=True, timeout=60)
    assert run.returncode == 0, run.stderr
    helps = json.loads(run.stdout)
    assert set(helps) == set(COMMANDS)
    for command, text in helps.items():
        assert f"Usage: fourcast {command}" in text


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["solve", "4455"], "score 18"),
        (["analyze", "4455"], "best"),
        (["review", GAME], "column"),
        (["explain", "4575274553"], "wins in 2 moves"),
        (["players"], "winning"),
        (["play", "--first", "winning", "--second", "random:seed=1"], "wins"),
        (["match", "winning", "random", "--games", "2", "--seed", "1"], "winning"),
    ],
    ids=lambda value: value[0] if isinstance(value, list) else "",
)
def test_a_command_works(words: list[str], said: str) -> None:
    run = fourcast(*words)
    assert run.returncode == 0, run.stderr
    assert said in run.stdout


def test_a_program_as_a_player_is_refused_with_what_it_needs() -> None:
    run = fourcast("match", "random", "python bot.py", "--games", "2")
    assert run.returncode == 2
    assert run.stderr == (
        "fourcast: programs as players need Linux or macOS, where all that a program has started can be "
        "ended with it; on Windows, run fourcast in WSL for them\n"
    )


def test_the_server_answers() -> None:
    body = """
import fourcast.locks
fourcast.locks.lock_file = lambda _: None  # Windows has another way, which is not here
from fourcast.cli import main
main(["serve", "--port", "0", "--database", os.path.join(tempfile.mkdtemp(), "games.db")])
"""
    check_server(script(body))
