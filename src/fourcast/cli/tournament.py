"""`fourcast tournament`: everybody against everybody, or one against all others."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from fourcast.arena.contestant import Entrant
from fourcast.arena.files import read_tournament
from fourcast.arena.match import Settings, Tournament
from fourcast.cli._support import arena, programs
from fourcast.protocol.sandbox import Sandbox


def tournament(
    players: Annotated[list[str] | None, typer.Argument(help="Players and programs.")] = None,
    file: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Players and settings from a TOML file.")
    ] = None,
    games: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="Games for each pair.  [default: 20]")
    ] = None,
    gauntlet: Annotated[
        bool, typer.Option("--gauntlet", help="Only the first player against all others.")
    ] = False,
    opening_plies: Annotated[
        int | None,
        typer.Option(min=0, metavar="N", help="Random moves at the start.  [default: 4]"),
    ] = None,
    move_time: programs.MoveTime = None,
    seed: Annotated[
        int | None, typer.Option(metavar="N", help="The seed of openings and players.  [default: 0]")
    ] = None,
    width: Annotated[
        int | None, typer.Option(metavar="N", help="Columns of the board.  [default: 7]")
    ] = None,
    height: Annotated[
        int | None, typer.Option(metavar="N", help="Rows of the board.  [default: 6]")
    ] = None,
    concurrency: arena.Concurrency = 1,
    sandbox: programs.SandboxOption = Sandbox.AUTO,
    memory: arena.Memory = None,
    out: arena.Out = None,
    quality: arena.JudgeQuality = False,
    quality_from: arena.QualityFrom = None,
    as_json: arena.Json = False,
) -> None:
    """Play a tournament of players and programs, and report on it.

    With --out, an interrupted tournament continues where it stopped: run the same command again.
    """
    contestants: list[Entrant] = []
    settings: dict[str, Any] = {}
    if file:
        from_file, settings = read_tournament(file)
        contestants += from_file
    contestants += players or []
    given = {
        "games": games,
        "kind": "gauntlet" if gauntlet else None,
        "opening_plies": opening_plies,
        "move_time_s": move_time,
        "seed": seed,
        "width": width,
        "height": height,
        "memory_mb": memory,
    }
    settings |= {key: value for key, value in given.items() if value is not None}
    journal = out / "journal.jsonl" if out else None
    entered = Tournament(contestants, Settings(**settings), journal=journal, sandbox=sandbox)
    title = file.stem if file else "Tournament"
    outputs = arena.Outputs(title, out, quality, quality_from, as_json)
    arena.run_and_report(entered, outputs, concurrency)
