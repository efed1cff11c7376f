"""Runs of the command `fourcast` for tests that look at what it says.

Each run is a process of its own, forked from one that has imported every command already: starting
Python and importing would take most of the time. Tests of the start itself, of signals, pipes and
terminals start the command as a shell does, by `COMMAND`.
"""

from __future__ import annotations

import multiprocessing
import os
import sys
import tempfile
from collections.abc import Mapping
from functools import cache
from multiprocessing.context import ForkServerContext
from pathlib import Path
from subprocess import CompletedProcess, TimeoutExpired

from fourcast.cli import main
from fourcast.cli._support.application import COMMANDS

COMMAND = [sys.executable, "-m", "fourcast"]


def run(
    *words: str,
    given: bytes = b"",
    env: Mapping[str, str] | None = None,
    cwd: Path | None = None,
    timeout: float = 120,
) -> CompletedProcess[bytes]:
    """Run `fourcast` with these words on some input, and wait for its end."""
    with tempfile.TemporaryDirectory() as folder:
        files = [os.path.join(folder, name) for name in ("stdin", "stdout", "stderr")]
        Path(files[0]).write_bytes(given)
        environment = dict(os.environ if env is None else env)
        process = _server().Process(target=_be_fourcast, args=(words, files, environment, cwd))
        process.start()
        process.join(timeout)
        if process.exitcode is None:
            process.kill()
            process.join()
            raise TimeoutExpired(["fourcast", *words], timeout)
        out, err = (Path(file).read_bytes() for file in files[1:])
        return CompletedProcess(["fourcast", *words], process.exitcode, out, err)


def run_text(
    *words: str,
    given: str = "",
    env: Mapping[str, str] | None = None,
    cwd: Path | None = None,
    timeout: float = 120,
) -> CompletedProcess[str]:
    """Run `fourcast` as `run` does; what goes in and comes out is text."""
    done = run(*words, given=given.encode(), env=env, cwd=cwd, timeout=timeout)
    return CompletedProcess(done.args, done.returncode, done.stdout.decode(), done.stderr.decode())


@cache
def _server() -> ForkServerContext:
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(
        [
            "typer.main",
            "typer._adapters",
            "tests.command",
            *(f"fourcast.cli.{name.replace('-', '_')}" for name in COMMANDS),
        ]
    )
    return context


def _be_fourcast(
    words: tuple[str, ...], files: list[str], environment: dict[str, str], cwd: Path | None
) -> None:
    """In the new process: take the streams, the environment and the folder, and run the command."""
    for descriptor, (file, flags) in enumerate(
        zip(files, (os.O_RDONLY, os.O_WRONLY | os.O_CREAT, os.O_WRONLY | os.O_CREAT), strict=True)
    ):
        opened = os.open(file, flags)
        os.dup2(opened, descriptor)
        os.close(opened)
    os.environ.clear()
    os.environ.update(environment)
    encoding, _, errors = environment.get("PYTHONIOENCODING", "utf-8:surrogateescape").partition(":")
    sys.stdin = os.fdopen(0, encoding=encoding, errors=errors or "strict", closefd=False)
    sys.stdout = os.fdopen(1, "w", encoding=encoding, errors=errors or "strict", closefd=False)
    sys.stderr = os.fdopen(2, "w", encoding=encoding, errors="backslashreplace", closefd=False)
    if cwd is not None:
        os.chdir(cwd)
    sys.argv = ["fourcast", *words]
    main()
