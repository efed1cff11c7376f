"""`fourcast check-player`: what is wrong with a player program."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from fourcast.cli._support import arena, programs
from fourcast.protocol.conformance import Finding, check
from fourcast.protocol.program import split_command
from fourcast.protocol.sandbox import Sandbox

SHOWN_LINES = 40
"""Lines of a program's messages that are shown, the last ones; `--json` has all that were kept."""


def check_player(
    command: Annotated[str, typer.Argument(help='How to start it, such as "python mybot.py".')],
    move_time: Annotated[float, typer.Option(min=0.01, metavar="SECONDS", help="For each move.")] = 5.0,
    sandbox: programs.SandboxOption = Sandbox.AUTO,
    as_json: arena.Json = False,
) -> None:
    """Test whether a program plays by the JSON protocol.

    The exit status is 0 if it passes all required tests, otherwise 1.
    """
    split_command(command)  # raises before anything is shown
    programs.warn_without_sandbox(sandbox)
    findings = []
    for finding in check(command, move_time_s=move_time, sandbox=sandbox):
        findings.append(finding)
        if not as_json:
            print(describe(finding), flush=True)
    passed = all(finding.passed or not finding.required for finding in findings)
    if as_json:
        tests = [finding.to_json() for finding in findings]
        print(json.dumps({"command": command, "passed": passed, "tests": tests}))
    else:
        print("It plays by the protocol." if passed else "It does not play by the protocol.")
    raise typer.Exit(0 if passed else 1)


def describe(finding: Finding) -> str:
    """Return what a test has found, in a few lines."""
    mark = "ok  " if finding.passed else "FAIL" if finding.required else "note"
    if finding.passed:
        return f"{mark}  {finding.title}"
    lines = [finding.complaint, *finding.board.splitlines(), finding.advice]
    lines += programs.last_words(finding.messages, SHOWN_LINES)
    return "\n".join([f"{mark}  {finding.title}", *(f"      {line}" for line in lines if line)])
