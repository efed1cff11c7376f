"""The options that the commands with a solver have in common."""

from __future__ import annotations

from typing import Annotated

import typer

from fourcast._core import Limit
from fourcast.solver import Solver

Moves = Annotated[
    str | None,
    typer.Argument(help="The moves, such as 44455. Without them positions come from standard input."),
]
Json = Annotated[bool, typer.Option("--json", help="Answer in JSON, one object a line.")]
Width = Annotated[int, typer.Option(help="Columns of the board.")]
Height = Annotated[int, typer.Option(help="Rows of the board.")]
NoBook = Annotated[
    bool, typer.Option("--no-book", help="Look nothing up in an opening book: for measurements.")
]
Threads = Annotated[int, typer.Option(min=1, max=256, help="Threads to search with.")]
TimeLimit = Annotated[
    float | None,
    typer.Option(help="Seconds for each position; what is proven by then is the answer."),
]


def make_solver(threads: int, no_book: bool) -> Solver:
    """Return the solver that the options ask for."""
    return Solver(book=not no_book, threads=threads)


def make_limit(time_limit: float | None) -> Limit | None:
    """Return the limit that the options ask for."""
    if time_limit is None:
        return None
    if not time_limit > 0:
        raise typer.BadParameter(f"--time-limit must be more than 0 seconds, not {time_limit:g}")
    return Limit(time_s=time_limit)
