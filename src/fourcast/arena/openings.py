"""Openings: the moves that a game begins with, before its players do."""

from __future__ import annotations

import os
import random

from fourcast._core import Limit, Position, Rules
from fourcast.errors import FourcastError, GameFileError, OptionError, require
from fourcast.files import read_text
from fourcast.notation import quote
from fourcast.solver import Solver

BALANCED = "balanced"
RANDOM = "random"
POOL = 500
"""Openings that are drawn for a tournament; each pair of players begins elsewhere among them."""
_TRIES = 20
_NODES = 5_000  # of the solver for an opening without a book; what it cannot tell by then passes


class Openings:
    """The openings of a tournament.

    *source* is `balanced` (draws with best play, as far as there are any), `random`, or the path of a
    file with one move string a line. None of the openings is over, or won with the next disc. In PopOut,
    whose positions have no scores, all of them pass for balanced.

    >>> Openings("random", plies=0).of("a", "b", 1)
    ''
    """

    def __init__(
        self,
        source: str = BALANCED,
        *,
        plies: int = 4,
        seed: int = 0,
        width: int = 7,
        height: int = 6,
        rules: str = "",
    ) -> None:
        require("source", source, str)
        require("plies", plies, int)
        require("seed", seed, int)
        self._seed = seed
        empty = Position(width=width, height=height, rules=Rules.parse(rules))
        if source in (BALANCED, RANDOM):
            chance = random.Random(f"openings/{seed}")
            self.pool = _draw(empty, plies, chance, is_balanced=source == BALANCED)
        else:
            if os.path.isdir(source) or not os.path.exists(source):
                kinds = f"{BALANCED}, {RANDOM} or the name of a file"
                raise OptionError(f"openings must be {kinds}; there is no file {quote(source)}")
            self.pool = _read(source, empty)

    def __repr__(self) -> str:
        return f"<Openings: {len(self.pool)}, such as {self.pool[0] or '-'}>"

    def of(self, one: str, other: str, number: int) -> str:
        """Return the opening of the *number*-th pair of games of two players.

        It depends on the two names and the seed alone: players that come later do not change it.
        """
        start = random.Random(f"{self._seed}/{sorted((one, other))}").randrange(len(self.pool))
        return self.pool[(start + number - 1) % len(self.pool)]


def _draw(empty: Position, plies: int, chance: random.Random, *, is_balanced: bool) -> list[str]:
    """Return different openings, as many as there are or as the pool has."""
    if plies == 0:
        return [""]
    found: dict[Position, str] = {}
    for _ in range(_TRIES * POOL):
        position = empty
        columns: list[int] = []
        while len(columns) < plies and not position.is_over:
            columns.append(chance.choice(tuple(position.legal_columns)))
            position = position.play(columns[-1])
        if not (position.is_over or position.winning_columns()):
            found.setdefault(position, "".join(map(empty.move_name, columns)))
        if len(found) == POOL:
            break
    if not found:
        raise OptionError(f"there are no openings of {plies} moves on this board")
    positions = list(found)
    if is_balanced and not empty.rules.pop:
        positions = _most_balanced(positions)
    return [found[position] for position in positions]


def _most_balanced(positions: list[Position]) -> list[Position]:
    """Return the draws, in their order; if there are none, those with the smallest winning margin.

    A position that takes too long to solve counts as a draw.
    """
    solver = Solver(table_mb=16)
    results = solver.solve_many(positions, Limit(nodes=_NODES))
    margins = [0 if not result.complete else abs(result.score or 0) for result in results]
    least = min(margins)
    return [position for position, margin in zip(positions, margins, strict=True) if margin == least]


def _read(path: str | os.PathLike[str], empty: Position) -> list[str]:
    """Return the openings of a file: a move string a line; empty lines and `#` comments are skipped."""
    lines = [line.partition("#")[0].strip() for line in read_text(path).splitlines()]
    openings = []
    for number, line in enumerate(lines, start=1):
        if not line:
            continue
        try:
            position = Position(line, width=empty.width, height=empty.height, rules=empty.rules)
        except FourcastError as error:
            raise GameFileError(f"{path}, line {number}: {error}") from None
        if position.is_over or position.winning_columns():
            raise GameFileError(f"{path}, line {number}: the game is over, or won with the next disc")
        openings.append(line)
    if not openings:
        raise GameFileError(f"{path} has no openings: write one move string a line, such as 4433")
    return openings
