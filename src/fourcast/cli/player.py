"""`fourcast player`: a player as a program, by the JSON protocol."""

from __future__ import annotations

import io
import sys
from typing import Annotated

import typer

from fourcast.errors import OptionError
from fourcast.players.spec import PlayerSpec, parse_player
from fourcast.protocol.json_lines import serve


def player(
    name: Annotated[
        str, typer.Argument(metavar="PLAYER", help="A player, as `fourcast players` lists them.")
    ],
    plies: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="How many plies to look ahead.")
    ] = None,
    seed: Annotated[int | None, typer.Option(metavar="N", help="Make its choices repeatable.")] = None,
    move_time: Annotated[float | None, typer.Option(metavar="SECONDS", help="For each move.")] = None,
    threads: Annotated[
        int | None, typer.Option(min=1, max=256, metavar="N", help="Threads to search with.")
    ] = None,
    number: Annotated[
        int | None,
        typer.Option("--player", min=1, max=2, metavar="N", help="Its number, if the lines have none."),
    ] = None,
    width: Annotated[
        int | None, typer.Option(metavar="N", help="The width that every grid must have.")
    ] = None,
    height: Annotated[
        int | None, typer.Option(metavar="N", help="The height that every grid must have.")
    ] = None,
    verbose: Annotated[
        bool, typer.Option("--verbose", help="Echo requests and answers on standard error.")
    ] = False,
) -> None:
    """Play by the JSON protocol on standard input and output.

    A line such as {"grid": [[0, 0, 0, 0, 0, 1], ...], "player": 2} is answered with {"move": 3}.
    The line :exit or the end of the input ends it.

    PLAYER may have options: streaks:depth=6,seed=1
    """
    spec = parse_player(name)
    given = {"depth": plies, "seed": seed, "time_s": move_time, "threads": threads}
    written = {"depth": "--plies", "seed": "--seed", "time_s": "--move-time", "threads": "--threads"}
    for option, value in given.items():
        if value is not None:
            try:
                spec = PlayerSpec(spec.player, {**spec.options, option: value}).check()
            except OptionError as error:
                raise typer.BadParameter(f"{written[option]}: {error}") from None
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")
    if verbose:
        print(f"The player {spec} is ready.", file=sys.stderr, flush=True)
    echo = sys.stderr if verbose else None
    serve(spec.make(), number=number, size=(width, height), echo=echo)
