"""`fourcast match`: two players or programs."""

from __future__ import annotations

from typing import Annotated

import typer

from fourcast.arena.ratings import Sprt
from fourcast.cli._support import arena
from fourcast.errors import OptionError

Test = Annotated[
    float | None,
    typer.Option(metavar="ELO", help="Stop once it is clear whether FIRST is better by this much."),
]
Least = Annotated[
    float,
    typer.Option(
        "--elo0",
        metavar="ELO",
        help="With --sprt: the answer is no if it is better by this much or less.",
    ),
]
Error = Annotated[float, typer.Option(metavar="P", help="With --sprt: how often a yes may be wrong.")]
Miss = Annotated[float, typer.Option(metavar="P", help="With --sprt: how often a no may be wrong.")]


def match(
    first: Annotated[
        str,
        typer.Argument(metavar="FIRST", help='A player, or a program such as "python mybot.py".'),
    ],
    second: Annotated[str, typer.Argument(metavar="SECOND", help="The other one.")],
    chosen: arena.Arena,
    sprt: Test = None,
    elo0: Least = 0.0,
    alpha: Error = 0.05,
    beta: Miss = 0.05,
) -> None:
    """Play a match of two players or programs.

    Every opening is played twice, with the sides swapped. A player is one that `fourcast players`
    lists, with or without options (streaks:depth=6), or a program. The exit status is 1 if one of
    them does not start, or forfeits too often.
    """
    test = None
    if sprt is not None:
        if not elo0 < sprt < 10_000 or elo0 <= -10_000:
            raise OptionError(f"--sprt must be a number of Elo points, more than {elo0:g}, not {sprt:g}")
        test = Sprt(elo0, sprt, alpha, beta)
    arena.run_and_report(chosen.enter([first, second]), f"{first} against {second}", chosen, test)
