"""Questions to a person at the terminal, or to a pipe or file instead."""

from __future__ import annotations

import shutil
import sys
from contextlib import suppress

from fourcast.cli._support.wrapping import break_line

MAX_LINE = 1_000
"""Characters of the longest answer that is read."""


def is_interactive() -> bool:
    """Whether a person can answer."""
    return sys.stdin.isatty()


def ask(question: str) -> str:
    """Print *question* and return the answer, without the space around it.

    An answer that comes through a pipe is printed after the question, so that the output reads like what
    a person would have seen. Raises EOFError at the end of the input.
    """
    if is_interactive():
        with suppress(ImportError):  # missing on some systems
            import readline  # noqa: F401  # lets a person edit the line
        *lines, last = break_line(question, shutil.get_terminal_size().columns).split("\n")
        print("\n".join(lines), end="\n" * bool(lines))
        return input(last.rstrip() + " ").strip()
    print(question, end="", flush=True)
    line = sys.stdin.readline(MAX_LINE)
    end = line
    while end and not end.endswith("\n"):  # the rest of an endless line is skipped
        end = sys.stdin.readline(MAX_LINE)
    if not line:
        raise EOFError
    answer = line.strip()
    print(answer if answer.isprintable() else repr(answer))
    return answer
