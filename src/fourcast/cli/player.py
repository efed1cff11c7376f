"""`fourcast player`: a player as a program, by the JSON protocol."""

from __future__ import annotations

import io
import sys
from typing import Annotated

import typer

from fourcast.players import player as make_player
from fourcast.players import player_options
from fourcast.protocol.json_lines import serve


def player(
    name: Annotated[str, typer.Argument(help="A player, as `fourcast players` lists them.")],
    plies: Annotated[int | None, typer.Option(min=1, help="How many plies to look ahead.")] = None,
    seed: Annotated[int | None, typer.Option(help="Make its choices repeatable.")] = None,
    move_time: Annotated[float | None, typer.Option(help="Seconds for a move.")] = None,
    number: Annotated[
        int | None, typer.Option("--player", min=1, max=2, help="Its number, if the lines do not say.")
    ] = None,
    width: Annotated[int | None, typer.Option(help="The width that every grid must have.")] = None,
    height: Annotated[int | None, typer.Option(help="The height that every grid must have.")] = None,
) -> None:
    """Play by the JSON protocol on standard input and output.

    A line such as {"grid": [[0, 0, 0, 0, 0, 1], ...], "player": 2} is answered with {"move": 3}.
    The line :exit or the end of the input ends it.
    """
    options: dict[str, object] = {}
    for option, value in (("depth", plies), ("seed", seed), ("time_s", move_time)):
        if value is None:
            continue
        if option not in player_options(name):
            raise typer.BadParameter(f"the player {name} does not look ahead or has no such limit")
        options[option] = value
    try:
        chooser = make_player(name, **options)
    except ValueError as error:
        raise typer.BadParameter(str(error)) from None
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")
    try:
        serve(chooser, number=number, size=(width, height))
    except BrokenPipeError:  # the referee has gone
        sys.stdout = None  # nothing is left to flush
    except KeyboardInterrupt:
        raise typer.Exit(130) from None
