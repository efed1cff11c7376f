"""`fourcast tournament`: everybody against everybody, or one against all others."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from fourcast.arena.contestant import Contestant
from fourcast.arena.files import read_tournament
from fourcast.arena.match import Settings, Tournament
from fourcast.cli.arena import Outputs, run_and_report


def tournament(
    players: Annotated[list[str] | None, typer.Argument(help="Players and programs.")] = None,
    file: Annotated[Path | None, typer.Option(help="Players and settings from a TOML file.")] = None,
    games: Annotated[int | None, typer.Option(min=1, help="Games of each pair: 20.")] = None,
    gauntlet: Annotated[bool, typer.Option(help="The first against all others only.")] = False,
    opening_plies: Annotated[int | None, typer.Option(min=0, help="Random moves first: 4.")] = None,
    move_time: Annotated[float | None, typer.Option(help="Seconds for a move.")] = None,
    seed: Annotated[int | None, typer.Option(help="Of openings and players: 0.")] = None,
    width: Annotated[int | None, typer.Option(help="Columns of the board: 7.")] = None,
    height: Annotated[int | None, typer.Option(help="Rows of the board: 6.")] = None,
    concurrency: Annotated[int, typer.Option(min=1, help="Games at a time.")] = 1,
    out: Annotated[Path | None, typer.Option(help="Directory for journal, games and report.")] = None,
    quality: Annotated[bool, typer.Option(help="Have the solver judge the moves.")] = False,
    quality_from: Annotated[int, typer.Option(min=0, help="... from this many stones on.")] = 12,
) -> None:
    """Play a tournament of players and programs, and report on it.

    With --out, a tournament that was broken off goes on where it was: give the same command again.
    """
    contestants: list[str | Contestant] = []
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
    }
    settings |= {key: value for key, value in given.items() if value is not None}
    journal = out / "journal.jsonl" if out else None
    entered = Tournament(contestants, Settings(**settings), journal=journal)
    title = file.stem if file else "Tournament"
    run_and_report(entered, Outputs(title, out, quality, quality_from), concurrency)
