"""The puzzles that come with fourcast: by theme, by rating, of the day."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from datetime import date, datetime, timezone
from functools import cache
from importlib.resources import files
from io import BytesIO
from typing import Any, SupportsIndex

from fourcast._core import ask
from fourcast.errors import OptionError, require
from fourcast.game import Game
from fourcast.notation import format_moves, quote, suggest
from fourcast.puzzles.history import Answered
from fourcast.puzzles.puzzle import Puzzle
from fourcast.puzzles.puzzle_file import read_text
from fourcast.puzzles.themes import THEMES
from fourcast.solver import Solver
from fourcast.study.review import review

__all__ = [
    "daily",
    "daily_record",
    "find",
    "load",
    "mistakes_of",
    "near",
    "pick",
    "shipped_bytes",
    "sizes",
    "storm",
]

SUFFIX = ".puzzles.gz"
RETIRED = ".retired.gz"
"""Puzzles of earlier versions that are found by their id, and not asked any more."""


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
    lowest: SupportsIndex | None = None,
    highest: SupportsIndex | None = None,
    width: int = 7,
    height: int = 6,
) -> tuple[Puzzle, ...]:
    """Return the puzzles with a theme, and with ratings from *lowest* to *highest*.

    Raises `OptionError` for an unknown theme, or a board size without puzzles.
    """
    request = {"theme": theme, "lowest": lowest, "highest": highest}
    _check_theme(theme)
    return tuple(map(Puzzle.from_json, _ask("puzzles.select", width, height, request)))


def _ask(question: str, width: int, height: int, request: dict[str, Any]) -> Any:
    """Ask the core a question about a shipped file."""
    return ask(question, {"text": shipped_text(width, height), **request})


def _check_theme(theme: str | None) -> None:
    require("theme", theme, str, type(None))
    if theme is not None and theme not in THEMES:
        raise OptionError(f"no theme is called {quote(theme)}; {suggest(theme, THEMES)}")


def shipped_text(width: int, height: int) -> str:
    """Return the text of the file of puzzles for a board. Raises `OptionError` if there is none."""
    require("width", width, int)
    require("height", height, int)
    if (width, height) not in sizes():
        there_are = ", ".join(f"{w}x{h}" for w, h in sizes())
        raise OptionError(f"there are no puzzles for a {width}x{height} board, only for {there_are}")
    return _text_of(width, height, SUFFIX)


def shipped_bytes(width: int, height: int, suffix: str = SUFFIX) -> bytes:
    """Return the file of puzzles for a board of one of the `sizes`, as it is."""
    return files("fourcast.puzzles").joinpath("shipped", f"{width}x{height}{suffix}").read_bytes()


def daily(day: date | None = None) -> Puzzle:
    """Return the puzzle of a day, by default of today in UTC.

    It is the same for everybody with this version of fourcast: easy on Mondays, hard on Sundays, and
    never of one move. No puzzle repeats before all of its weekday have come.

    >>> daily(date(2026, 11, 16)) == daily(date(2026, 11, 16)) != daily(date(2026, 11, 17))
    True
    """
    return Puzzle.from_json(_ask("puzzles.daily", 7, 6, {"day": _number_of(day)}))


def _number_of(day: date | None) -> int:
    """A day, by default today in UTC, as the core counts it: since 1970."""
    if day is None:
        day = datetime.now(timezone.utc).date()
    if not isinstance(day, date) or isinstance(day, datetime):
        raise TypeError(f"day must be a date, for example date(2026, 11, 16), not {type(day).__name__}")
    return (day - date(1970, 1, 1)).days


def daily_record(answered: Iterable[Answered], day: date | None = None) -> dict[str, Any]:
    """Return how somebody does with the puzzles of the days, up to *day*, by default today in UTC.

    `solved` is whether that day's is solved at the first try without hints, None if it was not tried;
    `streak` how many days in a row were; `share` a sentence to share.
    """
    lines = [each.to_json() for each in answered]
    request = {"answered": lines, "puzzles": shipped_text(7, 6), "day": _number_of(day)}
    found: dict[str, Any] = ask("daily.record", request)
    return found


def storm(chance: random.Random | None = None, *, width: int = 7, height: int = 6) -> Iterator[Puzzle]:
    """Yield quick wins, each a bit harder than the one before; none comes twice.

    >>> puzzles = storm(random.Random(1))
    >>> next(puzzles).rating < 300, next(puzzles).goal
    (True, 'win')
    """
    require("chance", chance, random.Random, type(None))
    chance = chance or random.Random()
    seen: list[str] = []
    while True:
        request = {"solved": len(seen), "without": seen, "chance": chance.random()}
        puzzle = Puzzle.from_json(_ask("puzzles.storm", width, height, request))
        seen.append(puzzle.id)
        yield puzzle


def find(name: str, *, width: int = 7, height: int = 6) -> Puzzle:
    """Return the puzzle with an id, also one of an earlier version; `OptionError` if there is none."""
    require("name", name, str)
    for text in (shipped_text(width, height), _text_of(width, height, RETIRED)):
        if found := ask("puzzles.find", {"text": text, "id": name}):
            return Puzzle.from_json(found)
    raise OptionError(f"there is no puzzle {quote(name)} for a {width}x{height} board")


@cache
def _text_of(width: int, height: int, suffix: str) -> str:
    return read_text(BytesIO(shipped_bytes(width, height, suffix)))


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
    require("chance", chance, random.Random, type(None))
    require("without", without, frozenset, set, list, tuple)
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
    700
    """
    _check_theme(theme)
    if not isinstance(rating, (int, float)):
        raise TypeError(f"rating must be a number, not {type(rating).__name__}")
    request = {"rating": rating, "theme": theme, "without": list(without)}
    found = _ask("puzzles.near", width, height, request)
    if not found:
        raise OptionError(f"no puzzle for a {width}x{height} board has the theme {theme!r}")
    return list(map(Puzzle.from_json, found))


def mistakes_of(
    game: Game | str, *, player: int | None = None, solver: Solver | None = None
) -> list[Puzzle]:
    """Return an exercise for each mistake of a game: find a better move than the one played.

    Every column that keeps the result is right. *player* is 1 or 2 for the mistakes of one side only.
    Raises `OptionError` for a game that did not begin on an empty board.

    >>> [exercise.moves for exercise in mistakes_of(Game("4141"), player=1)]
    []
    """
    if isinstance(game, str):
        game = Game(game)
    if isinstance(game, Game) and game.start.ply:  # `review` refuses what is no game
        raise OptionError("mistakes are taken from games that begin on an empty board")
    solver = solver or Solver()
    report = review(game, solver=solver)
    size = {"width": game.start.width, "height": game.start.height}
    exercises = []
    for move in report.mistakes:
        if player in (None, move.player):
            request = {**size, "game": format_moves(game.columns), "number": move.number}
            found = ask("puzzle.exercise", request, solver)
            exercises.append(Puzzle.from_json(found["puzzle"]))
    return exercises
