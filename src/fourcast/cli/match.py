"""`fourcast match`: two players or programs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from fourcast.arena.match import Settings, Tournament
from fourcast.arena.ratings import Sprt
from fourcast.cli.arena import Outputs, run_and_report
from fourcast.errors import FourcastError


def match(
    first: Annotated[str, typer.Argument(help='A player, or a program such as "python mybot.py".')],
    second: Annotated[str, typer.Argument(help="Likewise.")],
    games: Annotated[int, typer.Option(min=1, help="How many games to play.")] = 20,
    opening_plies: Annotated[int, typer.Option(min=0, help="Random moves at the start.")] = 4,
    move_time: Annotated[float | None, typer.Option(help="Seconds for a move.")] = None,
    seed: Annotated[int, typer.Option(help="Of openings and players.")] = 0,
    width: Annotated[int, typer.Option(help="Columns of the board.")] = 7,
    height: Annotated[int, typer.Option(help="Rows of the board.")] = 6,
    concurrency: Annotated[int, typer.Option(min=1, help="Games at a time.")] = 1,
    sprt: Annotated[
        float | None, typer.Option(help="Stop when it is known if FIRST is better by this many Elo.")
    ] = None,
    out: Annotated[Path | None, typer.Option(help="Directory for journal, games and report.")] = None,
    quality: Annotated[bool, typer.Option(help="Have the solver judge the moves.")] = False,
    quality_from: Annotated[int, typer.Option(min=0, help="... from this many stones on.")] = 12,
) -> None:
    """Play a match of two players or programs.

    Colours alternate, and every random opening is played with both. Players are those of
    `fourcast players`, with options or without: streaks:depth=6
    """
    settings = Settings(games, "round-robin", opening_plies, seed, width, height, move_time)
    journal = out / "journal.jsonl" if out else None
    tournament = Tournament([first, second], settings, journal=journal)
    test = None if sprt is None else Sprt(0, sprt)
    if sprt is not None and sprt <= 0:
        raise FourcastError("--sprt takes a number of Elo points, more than 0")
    title = f"{first} against {second}"
    run_and_report(tournament, Outputs(title, out, quality, quality_from), concurrency, test)
