"""What hostile programs try in a match: on their opponent, the referee, the journal and the machine.

The programs are those of tests/hostile. Each door plays them with the sandbox and the limits that a
match has by default, and returns what is wrong, or nothing.
"""

from __future__ import annotations

import asyncio
import functools
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import target

from fourcast import Position
from fourcast.arena import Match
from fourcast.errors import ForfeitError
from fourcast.protocol import ProgramPlayer

HOSTILE = Path(__file__).resolve().parents[2] / "tests" / "hostile"
SECRET = "what only its owner knows"


def door(attack: Callable[[], str | None]) -> Callable[[], str | None]:
    """Register an attack that waits for processes."""
    target.door(functools.wraps(attack)(lambda: asyncio.to_thread(attack)))
    return attack


@contextmanager
def programs() -> Iterator[Path]:
    """A folder of its own with the hostile programs."""
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(HOSTILE, Path(folder) / "programs")
        yield Path(folder) / "programs"


def command(folder: Path, name: str, *words: str) -> str:
    return " ".join([sys.executable, str(folder / f"{name}.py"), *words])


def honest_forfeits(name: str, *words: str) -> str | None:
    """Play two games of a hostile program and an honest one, of which none may be forfeited."""
    with programs() as folder:
        first, second = command(folder, name, *words), command(folder, "honest")
        results = Match(first, second, games=2, opening_plies=0, move_time_s=20.0).run()
        details = [record.detail for record in results.records if record.forfeit]
    return f"a game was forfeited: {details[0]}" if details else None


def last_words(folder: Path, name: str, *words: str) -> str:
    """What a hostile program says on standard error before it loses."""
    with ProgramPlayer(command(folder, name, *words), move_time_s=20) as program:
        try:
            program.choose(Position())
        except ForfeitError:
            return program.standard_error
        return "it has moved as if nothing had happened"


@door
def output_of_the_opponent() -> str | None:
    """Write into the standard output of the opponent, through /proc."""
    return honest_forfeits("attack_output")


@door
def stopped_opponent() -> str | None:
    """Stop the opponent."""
    return honest_forfeits("attack_opponent", "SIGSTOP")


@door
def killed_opponent() -> str | None:
    """Kill the opponent."""
    return honest_forfeits("attack_opponent", "SIGKILL")


@door
def killed_referee() -> str | None:
    """Kill the process that runs the match."""
    with programs() as folder:
        words = ["match", command(folder, "attack_referee"), "random", "--games", "2"]
        run = subprocess.run(
            [sys.executable, "-m", "fourcast", *words], capture_output=True, text=True, timeout=120
        )
    # 1: the program forfeited every game and is out; the table is there all the same.
    survived = run.returncode == 1 and "2 crash" in run.stdout
    return None if survived else f"the match ended with status {run.returncode}"


@door
def journal() -> str | None:
    """Rewrite the journal of the match."""
    with programs() as folder:
        path = folder / "out" / "journal.jsonl"
        Match(command(folder, "attack_journal"), "random", games=2, journal=path).run()
        return "the journal was rewritten" if b"I have won" in path.read_bytes() else None


@door
def outliving_child() -> str | None:
    """Leave a child behind that has an empty environment and whose keeper is killed."""
    with programs() as folder:
        last_words(folder, "attack_outlive")
        end_s = time.monotonic() + 2
        while (left := processes(str(folder))) and time.monotonic() < end_s:
            time.sleep(0.05)
    return f"still there: {left[0]}" if left else None


def taken(folder: Path, kind: str, megabytes: int) -> str | None:
    """Have a program take memory past a limit of 1 GiB; return what is wrong, or nothing."""
    with ProgramPlayer(
        command(folder, "attack_memory", kind, str(megabytes)), move_time_s=60
    ) as program:
        try:
            program.choose(Position())
        except ForfeitError as error:
            refused = ("Operation not permitted", "Function not implemented", "No space left on device")
            words = str(error) + program.standard_error
            is_held = "more than the limit of 1024 MB" in words or any(each in words for each in refused)
            return None if is_held else words
    return f"it has {megabytes} MB and plays on"


@door
def shared_memory() -> str | None:
    """Take 2.5 GB of memory that is shared, past a limit of 1 GiB."""
    with programs() as folder:
        return taken(folder, "shared", 2500)


@door
def source_of_a_rival() -> str | None:
    """Read the program of a rival in another folder."""
    with programs() as folder:
        rival = folder.parent / "rival.py"
        rival.write_text(f"# {SECRET}")
        (folder / "where.txt").write_text(str(rival))
        return "it has read it" if SECRET in last_words(folder, "attack_secrets") else None


@door
def network() -> str | None:
    """Open a socket to a server on this machine."""
    with programs() as folder, socket.create_server(("127.0.0.1", 0)) as server:
        last_words(folder, "attack_network", str(server.getsockname()[1]))
        server.settimeout(0.2)
        try:
            server.accept()
        except TimeoutError:
            return None
    return "it has connected to a server of this machine"


def processes(word: str) -> list[str]:
    """The commands of all processes that have *word* in theirs."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            words = path.read_bytes().replace(b"\0", b" ").decode(errors="replace")
        except OSError:  # it has just ended
            continue
        if word in words:
            found.append(words)
    return found
