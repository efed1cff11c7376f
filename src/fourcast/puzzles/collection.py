"""The puzzles that come with fourcast: by theme, by rating, of the day."""

from __future__ import annotations

import random
from datetime import date, datetime, timezone
from functools import cache
from importlib.resources import files
from io import BytesIO
from itertools import islice
from math import gcd

from fourcast.errors import OptionError
from fourcast.game import Game
from fourcast.notation import format_moves, quote, suggest
from fourcast.puzzles.puzzle import Puzzle
from fourcast.puzzles.puzzle_file import parse_puzzle, read_puzzle_lines
from fourcast.puzzles.themes import THEMES
from fourcast.solver import Solver
from fourcast.study.review import review

__all__ = ["daily", "find", "load", "mistakes_of", "near", "pick", "shipped_bytes", "sizes"]

SUFFIX = ".puzzles.gz"
DAY_STEP = 7919
"""From one day to the next, the puzzle of the day moves on by this number of lines of the file."""


def sizes() -> tuple[tuple[int, int], ...]:
    """Return the sizes of the boards that there are puzzles for.

    >>> (7, 6) in sizes()
    True
    """
    names = (each.name for each in files("fourcast.puzzles").joinpath("shipped").iterdir())
    found = [name.removesuffix(SUFFIX).split("x") for name in names if name.endswith(SUFFIX)]
    return tuple(sorted((int(width), int(height)) for width, height in found))


def load(
    *,
    theme: str | None = None,
    lowest: int | None = None,
    highest: int | None = None,
    width: int = 7,
    height: int = 6,
) -> tuple[Puzzle, ...]:
    """Return the puzzles with a theme, and with ratings from *lowest* to *highest*.

    Raises `OptionError` for an unknown theme, or a board size without puzzles.
    """
    _check_theme(theme)
    return tuple(
        parse_puzzle(line, width, height)
        for line in _lines(width, height)
        if (theme is None or THEMES[theme].letter in line.rpartition(" ")[2])
        and (lowest is None or _rating(line) >= lowest)
        and (highest is None or _rating(line) <= highest)
    )


def _check_theme(theme: str | None) -> None:
    if theme is not None and theme not in tuple(THEMES):
        raise OptionError(f"no theme is called {quote(theme)}; {suggest(theme, THEMES)}")


@cache
def _lines(width: int, height: int) -> tuple[str, ...]:
    """The lines of a shipped file. Only those that are asked for become puzzles: that takes longer."""
    if (width, height) not in sizes():
        there_are = ", ".join(f"{w}x{h}" for w, h in sizes())
        raise OptionError(f"there are no puzzles for a {width}x{height} board, only for {there_are}")
    return read_puzzle_lines(BytesIO(shipped_bytes(width, height)))[2]


def shipped_bytes(width: int, height: int) -> bytes:
    """Return the file of puzzles for a board of one of the `sizes`, as it is."""
    return files("fourcast.puzzles").joinpath("shipped", f"{width}x{height}{SUFFIX}").read_bytes()


def _rating(line: str) -> int:
    return int(line.split(" ", 5)[4])


def daily(day: date | None = None) -> Puzzle:
    """Return the puzzle of a day, by default of today in UTC.

    It is the same for everybody with this version of fourcast. No puzzle repeats before all have come.

    >>> daily(date(2026, 11, 16)) == daily(date(2026, 11, 16)) != daily(date(2026, 11, 17))
    True
    """
    if day is None:
        day = datetime.now(timezone.utc).date()
    if not isinstance(day, date):
        raise TypeError(f"day must be a date, for example date(2026, 11, 16), not {type(day).__name__}")
    lines = _lines(7, 6)
    step = DAY_STEP
    while gcd(step, len(lines)) > 1:
        step += 1
    return parse_puzzle(lines[day.toordinal() * step % len(lines)])


def find(name: str, *, width: int = 7, height: int = 6) -> Puzzle:
    """Return the puzzle with an id. Raises `OptionError` if there is none."""
    for line in _lines(width, height):
        puzzle = parse_puzzle(line, width, height)
        if puzzle.id == name:
            return puzzle
    raise OptionError(f"there is no puzzle {quote(name)} for a {width}x{height} board")


def pick(
    rating: float,
    chance: random.Random | None = None,
    *,
    theme: str | None = None,
    without: frozenset[str] = frozenset(),
    width: int = 7,
    height: int = 6,
) -> Puzzle:
    """Return a puzzle about as hard as *rating*, by *chance*; none with an id of *without* if possible.

    >>> abs(pick(700, random.Random(1)).rating - 700) < 100
    True
    """
    found = near(rating, theme=theme, without=without, width=width, height=height)
    return (chance or random.Random()).choice(found)


def near(
    rating: float,
    *,
    theme: str | None = None,
    without: frozenset[str] = frozenset(),
    width: int = 7,
    height: int = 6,
) -> list[Puzzle]:
    """Return the puzzles that `pick` chooses from, those nearest to *rating* first.

    >>> near(700)[0].rating
    697
    """
    _check_theme(theme)
    if not isinstance(rating, (int, float)):
        raise TypeError(f"rating must be a number, not {type(rating).__name__}")
    letter = THEMES[theme].letter if theme else ""
    lines = [line for line in _lines(width, height) if letter in line.rpartition(" ")[2]]
    if not lines:
        raise OptionError(f"no puzzle for a {width}x{height} board has the theme {theme!r}")
    count = max(10, len(lines) // 50)
    nearest = sorted(lines, key=lambda line: abs(_rating(line) - rating))
    puzzles = (parse_puzzle(line, width, height) for line in nearest)
    new = list(islice((puzzle for puzzle in puzzles if puzzle.id not in without), count))
    return new or [parse_puzzle(line, width, height) for line in nearest[:count]]


def mistakes_of(game: Game, *, player: int | None = None, solver: Solver | None = None) -> list[Puzzle]:
    """Return an exercise for each mistake of a game: find a better move than the one played.

    Every column that keeps the result is right. *player* is 1 or 2 for the mistakes of one side only.
    Raises `OptionError` for a game that did not begin on an empty board.

    >>> [exercise.moves for exercise in mistakes_of(Game("4141"), player=1)]
    []
    """
    if isinstance(game, Game) and game.start.ply:  # `review` refuses what is no game
        raise OptionError("mistakes are taken from games that begin on an empty board")
    report = review(game, solver=solver or Solver())
    exercises = []
    for move in report.mistakes:
        if player in (None, move.player):
            best = min(move.best_columns, key=move.position.columns_from_center.index)
            exercises.append(
                Puzzle(
                    moves=format_moves(game.columns[: move.number - 1]),
                    goal="better",
                    solution=(best,),
                    ending="choice",
                    tempting=move.column,
                    width=game.start.width,
                    height=game.start.height,
                )
            )
    return exercises
