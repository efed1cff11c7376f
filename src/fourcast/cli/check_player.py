"""`fourcast check-player`: what is wrong with a player program."""

from __future__ import annotations

import json
from collections.abc import Iterator
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
    contestants, limits, defects = _programs(command, file)
    given = {"move_time_s": move_time, "memory_mb": memory}
    limits |= {key: value for key, value in given.items() if value is not None}
    programs.warn_without_sandbox(sandbox)
    tested = [(each.name, each.command, _check(each, limits, sandbox)) for each in contestants]
    tested += [(name, "", iter([finding])) for name, finding in defects]
    answers = []
    for name, program, findings in tested:
        if file and not as_json:
            print(f"\n{name}", flush=True)
        answers.append({"name": name, "command": program, **_answer(findings, quiet=as_json)})
    if as_json:
        print(json.dumps(answers if file else answers[0]))
    passed = sum(answer["passed"] for answer in answers)
    if file and not as_json:
        print(f"\n{passed} of {len(answers)} play by the protocol.")
    raise typer.Exit(0 if passed == len(answers) else 1)


def _programs(
    command: str | None, file: Path | None
) -> tuple[list[Contestant], dict[str, Any], list[tuple[str, Finding]]]:
    """Return what is to be tested, under which limits, and the names of what cannot be, and why."""
    if (command is None) == (file is None):
        raise OptionError('give either a command, such as "python mybot.py", or --file with a cup')
    if command is not None:
        dialect, colon, rest = command.partition(":")
        if colon and dialect in DIALECTS:
            command = rest
        else:
            dialect = "json"
        split_command(command)  # complains before anything is shown
        return [Contestant(command, command=command, dialect=dialect)], {}, []
    assert file
    defects: list[tuple[str, Finding]] = []

    def note(name: str, complaint: str) -> None:
        defects.append((name, Finding("has a program to start", complaint, required=True)))

    entrants, settings = read_tournament(file, note)
    time = {} if settings.move_time_s is None else {"move_time_s": settings.move_time_s}
    limits: dict[str, Any] = {"memory_mb": settings.memory_mb, **time}
    found = [each for each in entrants if each.command]
    if not found and not defects:
        raise OptionError(f"{file} has no programs to test")
    return found, limits, defects


def _check(contestant: Contestant, limits: dict[str, Any], sandbox: Sandbox) -> Iterator[Finding]:
    own = {key: value for key, value in contestant.limits.items() if key != "start_time_s"}
    return check(
        contestant.command,
        sandbox=sandbox,
        dialect=contestant.dialect,
        directory=contestant.directory or None,
        **limits | own,
    )


def _answer(findings: Iterator[Finding], *, quiet: bool) -> dict[str, Any]:
    """Show what is found as it comes; return it as JSON types."""
    tests = []
    for finding in findings:
        tests.append(finding.to_json())
        if not quiet:
            print(describe(finding), flush=True)
    passed = all(test["passed"] or not test["required"] for test in tests)
    if not quiet:
        print("It plays by the protocol." if passed else "It does not play by the protocol.")
    return {"passed": passed, "tests": tests}


def describe(finding: Finding) -> str:
    """Return what a test has found, in a few lines."""
    mark = "ok  " if finding.passed else "FAIL" if finding.required else "note"
    if finding.passed:
        return f"{mark}  {finding.title}"
    lines = [finding.complaint, *finding.board.splitlines(), finding.advice]
    lines += programs.last_words(finding.messages, SHOWN_LINES)
    return "\n".join([f"{mark}  {finding.title}", *(f"      {line}" for line in lines if line)])
