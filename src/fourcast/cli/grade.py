"""`fourcast grade`: whether a program plays well enough, for grading services."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Annotated

import typer

from fourcast.arena import grading
from fourcast.cli._support.arena import Json
from fourcast.cli._support.programs import MoveTime, SandboxOption, warn_without_sandbox
from fourcast.cli._support.progress import ProgressBar
from fourcast.files import replace_file
from fourcast.protocol.sandbox import Sandbox

FAILED = 1

Program = Annotated[
    str, typer.Argument(metavar="PROGRAM", help='The program, such as "python bot.py", or a player.')
]
Against = Annotated[str, typer.Option(metavar="PLAYER", help="The opponent.")]
Games = Annotated[int, typer.Option(min=1, metavar="N", help="Games to play.")]
Wins = Annotated[
    int | None,
    typer.Option(min=1, metavar="N", help="Games to win.  [default: four fifths of the games]"),
]
Seed = Annotated[int, typer.Option(metavar="N", help="The seed of openings and players.")]
Memory = Annotated[int, typer.Option(min=16, metavar="MB", help="Memory limit of the program.")]
Junit = Annotated[Path | None, typer.Option(metavar="FILE", help="Write JUnit XML.")]
Gradescope = Annotated[
    Path | None, typer.Option(metavar="FILE", help="Write Gradescope's results.json.")
]
Classroom50 = Annotated[
    Path | None, typer.Option(metavar="FILE", help="Write Classroom 50's result.json.")
]
MaxScore = Annotated[float, typer.Option(metavar="POINTS", help="Of Gradescope, for all wins needed.")]


def grade(
    program: Program,
    against: Against = "level-4",
    games: Games = 10,
    wins: Wins = None,
    seed: Seed = 0,
    move_time: MoveTime = None,
    memory: Memory = 1024,
    sandbox: SandboxOption = Sandbox.AUTO,
    junit: Junit = None,
    gradescope: Gradescope = None,
    classroom50: Classroom50 = None,
    max_score: MaxScore = 100,
    as_json: Json = False,
) -> None:
    """Grade a program by the games it wins against a player.

    The exit status is 0 if it wins enough games, else 1. In GitHub Actions, forfeits are shown beside
    the commit.
    """
    warn_without_sandbox(sandbox)
    with ProgressBar("games", total=games, transient=True) as bar:
        found = grading.grade(
            program,
            against=against,
            games=games,
            wins=wins,
            seed=seed,
            move_time_s=move_time,
            memory_mb=memory,
            sandbox=sandbox,
            on_game=lambda results: bar.show(len(results.records), games),
        )
    if junit:
        replace_file(junit, grading.to_junit(found))
    for path, content in (
        (gradescope, grading.to_gradescope(found, max_score)),
        (classroom50, grading.to_classroom50(found)),
    ):
        if path:
            replace_file(path, (json.dumps(content, indent=2) + "\n").encode())
    if as_json:
        print(json.dumps(_answer(found)))
    else:
        for game in found.games:
            print(found.said_of(game))
        print(found)
        _print_errors(games, found.wins_needed)
    if os.environ.get("GITHUB_ACTIONS") == "true":
        print("\n".join(grading.to_annotations(found)))
    if not found.has_passed:
        raise typer.Exit(FAILED)


def _answer(found: grading.Grade) -> dict[str, object]:
    return {
        "passed": found.has_passed,
        "wins": found.wins,
        "wins_needed": found.wins_needed,
        "forfeits": found.forfeits,
        "against": found.against,
        "games": [game.to_json() for game in found.games],
    }


def _print_errors(games: int, wins: int) -> None:
    shares = (0.95, 0.9, 0.8)
    errors = [
        f"{grading.false_failures(games, wins, share):.1%} if it wins {share:.0%}" for share in shares
    ]
    print(f"How often a program fails by bad luck: {', '.join(errors)} of such games.")
