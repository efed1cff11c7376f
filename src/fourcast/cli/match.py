"""`fourcast match`: two players or programs."""

from __future__ import annotations

from typing import Annotated

import typer

from fourcast.arena.ratings import Sprt
from fourcast.cli._support import arena
from fourcast.errors import OptionError


def match(
    first: Annotated[str, typer.Argument(help='A player, or a program such as "python mybot.py".')],
    second: Annotated[str, typer.Argument(help="The other one.")],
    chosen: arena.Arena,
    sprt: Annotated[
        float | None,
        typer.Option(metavar="ELO", help="Stop once it is clear whether FIRST is better by this much."),
    ] = None,
) -> None:
    """Play a match of two players or programs.

    Every random opening is played twice, with the sides swapped. A player is one that `fourcast
    players` lists, with or without options (streaks:depth=6), or a program.
    """
    if sprt is not None and not 0 < sprt < 10_000:
        raise OptionError(f"--sprt must be a number of Elo points, more than 0, not {sprt:g}")
    title = f"{first} against {second}"
    test = None if sprt is None else Sprt(0, sprt)
    arena.run_and_report(chosen.enter([first, second]), title, chosen, test)
