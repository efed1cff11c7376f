"""`fourcast puzzle`: solve puzzles in the terminal; the questions and answers are in `_terminal`."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Annotated

import typer

from fourcast.cli._support import options
from fourcast.cli._support.boards import chosen_style
from fourcast.cli._support.process import accept_any_encoding
from fourcast.cli._support.puzzle_input import exercises_of
from fourcast.cli._terminal.puzzles import PuzzleSession
from fourcast.puzzles import THEMES, Puzzle, daily, find, pick
from fourcast.puzzles.history import History


def _complete_theme(incomplete: str) -> list[str]:
    return [name for name in THEMES if name.startswith(incomplete)]


Theme = Annotated[
    str | None,
    typer.Option(help="Puzzles of one theme, such as 'double threat'.", autocompletion=_complete_theme),
]
Rating = Annotated[
    int | None, typer.Option(metavar="ELO", help="How hard the puzzles are.  [default: your rating]")
]
Daily = Annotated[bool, typer.Option("--daily", help="The puzzle of the day, the same for everybody.")]
Identity = Annotated[str | None, typer.Option("--id", help="The puzzle with this id.")]
Count = Annotated[int | None, typer.Option(min=1, metavar="N", help="Stop after N puzzles.")]


def puzzle(
    board: options.Board,
    practice: options.Practice,
    theme: Theme = None,
    rating: Rating = None,
    daily_puzzle: Daily = False,
    name: Identity = None,
    count: Count = None,
) -> None:
    """Solve puzzles in the terminal.

    Type the number of a column, h for a hint, or ? to see what else you can do.
    A puzzle asks for the quickest win, or for the only column that keeps a win
    or a draw. The opponent defends as long as possible. Afterwards you see why
    the solution is right, and what is wrong with the most tempting other move.

    What you have solved is kept in the data folder, with your rating; `fourcast
    puzzles rating` shows it.
    """
    accept_any_encoding()
    if sum((daily_puzzle, bool(practice.mistakes), name is not None, theme is not None)) > 1:
        raise typer.BadParameter("give --theme, --daily, --mistakes or --id, only one of them")
    if rating is not None and (daily_puzzle or practice.mistakes or name is not None):
        raise typer.BadParameter("--rating chooses among puzzles; leave out --daily, --mistakes or --id")
    if daily_puzzle and board != (7, 6):
        raise typer.BadParameter("the puzzle of the day is for a 7x6 board; leave out the size")
    history = History()
    chosen = iter([find(name, **board._asdict())]) if name is not None else None
    if daily_puzzle:
        chosen = iter([daily()])
    elif practice.mistakes:
        chosen = iter(exercises_of(practice.mistakes))
    elif chosen is None:
        chosen = _endless(history, theme, rating, random.Random(practice.seed), board)
    status = PuzzleSession(history, style=chosen_style(practice.style)).run(chosen, count)
    raise typer.Exit(status)


def _endless(
    history: History, theme: str | None, rating: int | None, chance: random.Random, board: options.Board
) -> Iterator[Puzzle]:
    """Puzzles as hard as the person is strong, none of those already tried while there are others."""
    while True:
        level = history.strength.rating if rating is None else rating
        tried = frozenset(each.puzzle.id for each in history.answered)
        yield pick(level, chance, theme=theme, without=tried, **board._asdict())
