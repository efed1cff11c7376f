"""`fourcast player`: a player as a program, by the JSON protocol."""

from __future__ import annotations

import sys
from typing import Annotated, NamedTuple

from typer import Argument, BadParameter, Option

from fourcast.cli._support.options import Seed
from fourcast.cli._support.process import accept_any_encoding
from fourcast.errors import OptionError
from fourcast.players.spec import PlayerSpec, parse_player
from fourcast.protocol.json_lines import serve

Name = Annotated[str, Argument(metavar="PLAYER", help="A player, as `fourcast players` lists them.")]
Number = Annotated[
    int | None, Option("--player", min=1, max=2, metavar="N", help="Its number, if the lines have none.")
]
Verbose = Annotated[bool, Option("--verbose", help="Echo requests and answers on standard error.")]


class Chosen(NamedTuple):
    """Options of the player."""

    depth: Annotated[
        int | None,
        Option("--depth", "--plies", min=1, metavar="N", help="How many plies to look ahead."),
    ] = None
    seed: Seed = None
    time_s: Annotated[float | None, Option("--move-time", metavar="SECONDS", help="For each move.")] = (
        None
    )
    threads: Annotated[
        int | None, Option(min=1, max=256, metavar="N", help="Threads to search with.")
    ] = None


class Size(NamedTuple):
    """The size that every grid must have."""

    width: Annotated[int | None, Option(metavar="N", help="The width of every grid.")] = None
    height: Annotated[int | None, Option(metavar="N", help="The height of every grid.")] = None


def player(
    name: Name, chosen: Chosen, size: Size, number: Number = None, verbose: Verbose = False
) -> None:
    """Play by the JSON protocol on standard input and output.

    A line such as {"grid": [[0, 0, 0, 0, 0, 1], ...], "player": 2} is answered with {"move": 3}.
    The line :exit or the end of the input ends it.

    PLAYER may have options: streaks:depth=6,seed=1
    """
    spec = parse_player(name)
    written = {"depth": "--depth", "seed": "--seed", "time_s": "--move-time", "threads": "--threads"}
    for option, value in chosen._asdict().items():
        if value is not None:
            try:
                spec = PlayerSpec(spec.player, {**spec.options, option: value}).check()
            except OptionError as error:
                raise BadParameter(f"{written[option]}: {error}") from None
    accept_any_encoding()
    if verbose:
        print(f"The player {spec} is ready.", file=sys.stderr, flush=True)
    echo = sys.stderr if verbose else None
    serve(spec.make(), number=number, size=size, echo=echo)
