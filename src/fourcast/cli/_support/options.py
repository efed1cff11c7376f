"""The options that several commands have in common."""

from __future__ import annotations

import enum
from pathlib import Path
from typing import Annotated

import typer

from fourcast._core import Limit
from fourcast.solver import Solver

Moves = Annotated[
    str | None,
    typer.Argument(metavar="MOVES", help="The moves, such as 44455; - reads standard input."),
]
MovesOption = Annotated[
    str | None, typer.Option("--moves", metavar="MOVES", help="The same as the argument.")
]
Load = Annotated[Path | None, typer.Option(metavar="FILE", help="A game file instead of the moves.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON, one object per line.")]
Width = Annotated[int, typer.Option(metavar="N", help="Columns of the board.")]
Height = Annotated[int, typer.Option(metavar="N", help="Rows of the board.")]
NoBook = Annotated[bool, typer.Option("--no-book", help="Do not use an opening book.")]
Threads = Annotated[int, typer.Option(min=1, max=256, metavar="N", help="Threads to search with.")]
Ray = Annotated[
    str | None,
    typer.Option(
        metavar="ADDRESS",
        help="Use the Ray cluster at this address, such as auto or 10.0.0.1:6379.",
    ),
]
TimeLimit = Annotated[
    float | None,
    typer.Option(metavar="SECONDS", help="For each position; after that, print the proven bounds."),
]


class StyleChoice(str, enum.Enum):
    """The ways to draw a board."""

    discs = "discs"
    ascii = "ascii"


Style = Annotated[
    StyleChoice | None,
    typer.Option(help="How to draw the board; by default discs if the terminal can show them."),
]


class SideChoice(str, enum.Enum):
    """Whose repertoire."""

    first = "first"
    second = "second"


def make_solver(threads: int, no_book: bool) -> Solver:
    """Return the solver that the options ask for."""
    return Solver(book=not no_book, threads=threads)


def check_ray(ray: str | None, threads: int) -> None:
    """Raise BadParameter if both a cluster and threads are asked for."""
    if ray is not None and threads != 1:
        raise typer.BadParameter("--threads are of this machine; a cluster works on all its processors")


def make_limit(time_limit: float | None) -> Limit | None:
    """Return the limit that the options ask for."""
    if time_limit is None:
        return None
    if not time_limit > 0:
        raise typer.BadParameter(f"--time-limit must be more than 0 seconds, not {time_limit:g}")
    return Limit(time_s=time_limit)
