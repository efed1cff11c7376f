"""`fourcast tournament`: everybody against everybody, or one against all others."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from typer import Argument, Option

from fourcast.arena.files import read_tournament
from fourcast.cli._support import arena

Players = Annotated[list[str] | None, Argument(help="Players and programs.")]
File = Annotated[Path | None, Option(metavar="FILE", help="Players and settings from a TOML file.")]
Gauntlet = Annotated[bool, Option("--gauntlet", help="Only the first player against all others.")]


def tournament(
    chosen: arena.Arena,
    players: Players = None,
    file: File = None,
    gauntlet: Gauntlet = False,
) -> None:
    """Play a tournament of players and programs, and report on it.

    With --out, an interrupted tournament continues where it stopped: run the same command again.
    """
    entrants, settings = read_tournament(file) if file else ([], {})
    if gauntlet:
        settings["kind"] = "gauntlet"
    entered = chosen.enter([*entrants, *(players or ())], **settings)
    arena.run_and_report(entered, file.stem if file else "Tournament", chosen)
