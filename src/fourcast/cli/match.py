"""`fourcast match`: two players or programs."""

from __future__ import annotations

from typing import Annotated

import typer

from fourcast.arena.match import Settings, Tournament
from fourcast.arena.ratings import Sprt
from fourcast.cli._support import arena, options, programs
from fourcast.errors import OptionError
from fourcast.protocol.sandbox import Sandbox


def match(
    first: Annotated[str, typer.Argument(help='A player, or a program such as "python mybot.py".')],
    second: Annotated[str, typer.Argument(help="The other one.")],
    games: Annotated[int, typer.Option(min=1, metavar="N", help="Games to play.")] = 20,
    opening_plies: Annotated[
        int, typer.Option(min=0, metavar="N", help="Random moves at the start.")
    ] = 4,
    move_time: programs.MoveTime = None,
    seed: Annotated[int, typer.Option(metavar="N", help="The seed of openings and players.")] = 0,
    width: options.Width = 7,
    height: options.Height = 6,
    concurrency: arena.Concurrency = 1,
    sprt: Annotated[
        float | None,
        typer.Option(metavar="ELO", help="Stop once it is clear whether FIRST is better by this much."),
    ] = None,
    sandbox: programs.SandboxOption = Sandbox.AUTO,
    memory: arena.Memory = None,
    out: arena.Out = None,
    quality: arena.JudgeQuality = False,
    quality_from: arena.QualityFrom = None,
    as_json: arena.Json = False,
) -> None:
    """Play a match of two players or programs.

    Every random opening is played twice, with the sides swapped. A player is one that `fourcast
    players` lists, with or without options (streaks:depth=6), or a program.
    """
    settings = Settings(
        games=games,
        opening_plies=opening_plies,
        seed=seed,
        width=width,
        height=height,
        move_time_s=move_time,
        memory_mb=1024 if memory is None else memory,
    )
    if sprt is not None and not 0 < sprt < 10_000:
        raise OptionError(f"--sprt must be a number of Elo points, more than 0, not {sprt:g}")
    journal = out / "journal.jsonl" if out else None
    tournament = Tournament([first, second], settings, journal=journal, sandbox=sandbox)
    outputs = arena.Outputs(f"{first} against {second}", out, quality, quality_from, as_json)
    test = None if sprt is None else Sprt(0, sprt)
    arena.run_and_report(tournament, outputs, concurrency, test)
