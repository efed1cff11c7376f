"""Tries the fourcast that is installed, on any system, as a person would: it needs nothing but Python.

python tools/wheels/smoke.py

Prints a line for each thing that works, and ends with an error at the first that does not. The web app
is tried if its extra is installed.
"""

from __future__ import annotations

import importlib.util
import json
import os
import platform
import shutil
import subprocess
import sys
import tempfile
import urllib.request

import fourcast

COMMANDS = {
    "--version": f"fourcast {fourcast.__version__}",
    "solve 44455554221 --style ascii": "score -15",
    "analyze 4455 --style ascii": "wins in 2 moves, best",
    "review 4444453525523": "",
    "explain 4575274553 --style ascii": "can block only one",
    "players": "winning",
    "play --first winning --second random:seed=1 --style ascii": "wins",
    "play --first human --second random:seed=1 --style ascii": "X wins with four in a row!",
    "puzzle --daily --style ascii": "The solution:",
    "match winning random --games 2 --seed 1": "winning",
    "book build --width 4 --height 4 --plies 4 --out small.book": "",
    "book info small.book": "4x4",
}
TYPED = {
    "play --first human --second random:seed=1 --style ascii": "1\n1\n1\n1\n",
    "puzzle --daily --style ascii": "s\n",
}
"""What a person types into some of these commands."""


def words(command: str) -> list[str]:
    """Return the words that start this Python with a command of fourcast."""
    return [sys.executable, "-m", "fourcast", *command.split()]


def check_commands(folder: str) -> None:
    environment = os.environ | {"FOURCAST_DATA": folder}
    has_zlib = importlib.util.find_spec("zlib") is not None
    for command, said in COMMANDS.items():
        if not has_zlib and command.startswith(("puzzle", "book")):
            print(f"NOT TRIED, as this Python lacks zlib: fourcast {command}", flush=True)
            continue
        run = subprocess.run(
            words(command),
            cwd=folder,
            env=environment,
            input=TYPED.get(command, "").encode(),
            capture_output=True,
            timeout=600,
        )
        output = run.stdout.decode("utf-8", "replace")
        if run.returncode != 0 or said not in output:
            message = run.stderr.decode("utf-8", "replace")
            sys.exit(f"fourcast {command}: status {run.returncode}\n{output}\n{message}")
        print(f"fourcast {command}", flush=True)


def check_threads() -> None:
    position = fourcast.Position("4444422")
    scores = {
        fourcast.Solver(threads=threads, book=None).solve(position, best_columns=False).score
        for threads in (1, 4)
    }
    assert scores == {fourcast.Solver().solve(position, best_columns=False).score}, scores
    print("threads share a table, and agree with the book", flush=True)


def check_server(command: list[str]) -> None:
    """Start a server by *command*, at any free port, and ask it for an analysis."""
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as server:
        try:
            assert server.stdout
            spoken = (word for line in server.stdout for word in line.split())
            address = next(word for word in spoken if word.startswith("http://")).rstrip("/.")
            with urllib.request.urlopen(f"{address}/api/analysis?moves=4455", timeout=60) as answer:
                assert json.load(answer)["score"] == 18
        finally:
            server.kill()
    print("fourcast serve", flush=True)


def main() -> None:
    compilers = [name for name in ("c++", "g++", "clang++", "cc", "gcc") if shutil.which(name)]
    print(
        f"Python {platform.python_version()} on {platform.system()} {platform.machine()}, "
        f"compilers: {' '.join(compilers) or 'none'}",
        flush=True,
    )
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        check_threads()
        check_commands(folder)
        if importlib.util.find_spec("fastapi"):
            check_server([*words("serve --port 0 --database"), os.path.join(folder, "games.db")])


if __name__ == "__main__":
    main()
