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
from fourcast.cli._terminal.puzzles import PuzzleSession, show_daily_record
from fourcast.puzzles import THEMES, Puzzle, daily, find, pick, storm
from fourcast.puzzles.history import History


def _complete_theme(incomplete: str) -> list[str]:
    return [name for name in THEMES if name.startswith(incomplete)]


Theme = Annotated[
    str | None,
    typer.Option(
        metavar="THEME",
        help="Puzzles of one theme, such as 'double threat'.",
        autocompletion=_complete_theme,
    ),
]
Rating = Annotated[
    int | None, typer.Option(metavar="ELO", help="How hard the puzzles are.  [default: your rating]")
]
Daily = Annotated[bool, typer.Option("--daily", help="The puzzle of the day, the same for everybody.")]
Storm = Annotated[
    bool, typer.Option("--storm", help="As many quick wins as you can find in three minutes.")
]
Identity = Annotated[str | None, typer.Option("--id", metavar="ID", help="The puzzle with this id.")]
Count = Annotated[int | None, typer.Option(min=1, metavar="N", help="Stop after N puzzles.")]


def puzzle(
    board: options.Board,
    practice: options.Practice,
    theme: Theme = None,
    rating: Rating = None,
    daily_puzzle: Daily = False,
    storm_puzzles: Storm = False,
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
    ways = (daily_puzzle, storm_puzzles, bool(practice.mistakes), name is not None)
    if sum((*ways, theme is not None)) > 1:
        raise typer.BadParameter("give --theme, --daily, --storm, --mistakes or --id, only one of them")
    if rating is not None and any(ways):
        raise typer.BadParameter(
            "--rating chooses among puzzles; leave out --daily, --storm, --mistakes or --id"
        )
    if daily_puzzle and board != (7, 6):
        raise typer.BadParameter("the puzzle of the day is for a 7x6 board; leave out the size")
    history = History()
    session = PuzzleSession(history, style=chosen_style(practice.style))
    chance = random.Random(practice.seed)
    if storm_puzzles:
        raise typer.Exit(session.storm(storm(chance, **board._asdict())))
    chosen = iter([find(name, **board._asdict())]) if name is not None else None
    if daily_puzzle:
        chosen = iter([daily()])
    elif practice.mistakes:
        chosen = iter(exercises_of(practice.mistakes))
    elif chosen is None:
        chosen = _endless(history, theme, rating, chance, board)
    status = session.run(chosen, count)
    if daily_puzzle and not status:
        show_daily_record(history)
    raise typer.Exit(status)


def _endless(
    history: History, theme: str | None, rating: int | None, chance: random.Random, board: options.Board
) -> Iterator[Puzzle]:
    """Puzzles that fit the person's strength, none of those already tried while there are others."""
    while True:
        level = history.level if rating is None else rating
        tried = frozenset(each.puzzle.id for each in history.answered)
        yield pick(level, chance, theme=theme, without=tried, **board._asdict())
