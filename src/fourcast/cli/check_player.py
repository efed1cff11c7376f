"""`fourcast check-player`: what is wrong with a player program."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any

import typer

from fourcast.arena.contestant import Contestant
from fourcast.arena.files import read_tournament
from fourcast.cli._support import arena, programs
from fourcast.errors import OptionError
from fourcast.protocol.conformance import Finding, check
from fourcast.protocol.dialects import DIALECTS
from fourcast.protocol.program import split_command
from fourcast.protocol.sandbox import Sandbox

SHOWN_LINES = 40
"""Lines of a program's messages that are shown, the last ones; `--json` has all that were kept."""

Command = Annotated[
    str | None,
    typer.Argument(
        metavar="PROGRAM",
        help='The command that starts it, such as "python mybot.py".',
        show_default=False,
    ),
]
File = Annotated[
    Path | None, typer.Option(metavar="FILE", help="Test all programs of a cup, under its limits.")
]
MoveTime = Annotated[
    float | None, typer.Option(min=0.01, metavar="SECONDS", help="Time for each move.  [default: 5]")
]
Memory = Annotated[
    int | None, typer.Option(min=16, metavar="MB", help="Memory limit of the program.  [default: 1024]")
]


def check_player(
    command: Command = None,
    file: File = None,
    move_time: MoveTime = None,
    memory: Memory = None,
    sandbox: programs.SandboxOption = Sandbox.AUTO,
    as_json: arena.Json = False,
) -> None:
    """Test whether a program plays by the protocol.

    A dialect may stand before the command, as in "contest:python bot.py". The exit status is 0 if all
    required tests are passed, otherwise 1.
    """
    contestants, limits = _programs(command, file)
    given = {"move_time_s": move_time, "memory_mb": memory}
    limits |= {key: value for key, value in given.items() if value is not None}
    programs.warn_without_sandbox(sandbox)
    answers = []
    for contestant in contestants:
        if not as_json and len(contestants) > 1:
            print(f"\n{contestant.name}", flush=True)
        answers.append(_check(contestant, limits, sandbox, quiet=as_json))
    if as_json:
        print(json.dumps(answers[0] if command else answers))
    failed = [answer["command"] for answer in answers if not answer["passed"]]
    if not as_json and len(answers) > 1:
        print(f"\n{len(answers) - len(failed)} of {len(answers)} play by the protocol.")
    raise typer.Exit(1 if failed else 0)


def _programs(command: str | None, file: Path | None) -> tuple[list[Contestant], dict[str, Any]]:
    """Return what is to be tested, and under which limits."""
    if (command is None) == (file is None):
        raise OptionError('give either a command, such as "python mybot.py", or --file with a cup')
    if command is not None:
        dialect, colon, rest = command.partition(":")
        if colon and dialect in DIALECTS:
            command = rest
        else:
            dialect = "json"
        split_command(command)  # complains before anything is shown
        return [Contestant(command, command=command, dialect=dialect)], {}
    assert file
    entrants, settings = read_tournament(file)
    limits: dict[str, Any] = {
        key: settings[key] for key in ("move_time_s", "memory_mb") if key in settings
    }
    found = [each for each in entrants if each.command]
    if not found:
        raise OptionError(f"{file} has no programs to test")
    return found, limits


def _check(
    contestant: Contestant, limits: dict[str, Any], sandbox: Sandbox, *, quiet: bool
) -> dict[str, Any]:
    """Test a program and show what is found; return the answer in JSON."""
    own = {key: value for key, value in contestant.limits.items() if key != "start_time_s"}
    findings = []
    for finding in check(
        contestant.command,
        sandbox=sandbox,
        dialect=contestant.dialect,
        directory=contestant.directory or None,
        **limits | own,
    ):
        findings.append(finding)
        if not quiet:
            print(describe(finding), flush=True)
    passed = all(finding.passed or not finding.required for finding in findings)
    if not quiet:
        print("It plays by the protocol." if passed else "It does not play by the protocol.")
    tests = [finding.to_json() for finding in findings]
    return {"command": contestant.command, "passed": passed, "tests": tests}


def describe(finding: Finding) -> str:
    """Return what a test has found, in a few lines."""
    mark = "ok  " if finding.passed else "FAIL" if finding.required else "note"
    if finding.passed:
        return f"{mark}  {finding.title}"
    lines = [finding.complaint, *finding.board.splitlines(), finding.advice]
    lines += programs.last_words(finding.messages, SHOWN_LINES)
    return "\n".join([f"{mark}  {finding.title}", *(f"      {line}" for line in lines if line)])
