"""The options of commands in which programs can play."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from fourcast.protocol.sandbox import Sandbox, find_isolation

MoveTime = Annotated[
    float | None,
    typer.Option(metavar="SECONDS", help="Time for each move.  [default: 5 for programs]"),
]
SandboxOption = Annotated[
    Sandbox,
    typer.Option(
        "--sandbox",
        help="Run programs without network and access to your files: auto, if the system "
        "allows it; require, or do not play; off.",
    ),
]


def last_words(messages: str, most: int) -> list[str]:
    """Return the last lines that a program wrote to standard error, without what steers a terminal."""
    lines = messages.rstrip().splitlines()
    if not lines:
        return []
    left_out = max(len(lines) - most, 0)
    shown = ("".join(each if each.isprintable() else " " for each in line) for line in lines[-most:])
    head = "It wrote to standard error:" + f" ... {left_out} lines ..." * (left_out > 0)
    return [head, *(f"  {line}" for line in shown)]


def warn_without_sandbox(sandbox: Sandbox | str) -> None:
    """Say that programs are not isolated, unless that is what was asked for."""
    if sandbox != Sandbox.OFF:
        isolation = find_isolation(sandbox)
        if isolation.kind == "none":
            print(f"fourcast: {isolation}", file=sys.stderr, flush=True)
