"""How hard a puzzle is: levels 1 to 10 try it, and an Elo is fitted to who solves it.

A level solves a puzzle if it reaches the goal, whatever the recorded solution is. What a level sees of a
position before chance comes in is the same in every attempt, so it is computed once; then an attempt
costs next to nothing.
"""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from fourcast._core import (
    LEVEL_NODES,
    Limit,
    LookAhead,
    Position,
    Strength,
    exact_nodes,
    look_ahead,
)
from fourcast.players.level_player import LEVELS, LevelPlayer
from fourcast.players.ratings import ELO
from fourcast.solver import Solver

__all__ = [
    "Difficulty",
    "Sight",
    "Trials",
    "TryingLevel",
    "expected_rating",
    "fit_rating",
    "try_levels",
]

ATTEMPTS = 8
"""Attempts of each level."""

HARD = 1000
"""The lowest rating of a hard puzzle, which is tried more often by the levels that may solve it."""

LEVELS_FOR_HARD = (8, 9, 10)
ATTEMPTS_AT_HARD = 32
"""Attempts of each of these: with 8, what hardly any level solves could have few different ratings."""

EXPECTED_ATTEMPTS = 4
"""Attempts, half of them solved, of a player as strong as the puzzle is expected to be hard."""

_SCALE = math.log(10) / 400  # Elo points to natural logarithms of odds

Answer = Callable[[Position], tuple[tuple[int, ...], dict[int, Position | None]]]
"""For a position of the player's: the right columns, and where each leads to; None if it is solved."""


@dataclass(frozen=True)
class Difficulty:
    """A rating, and half the width of its 95% interval."""

    rating: int
    error: int


@dataclass
class Trials:
    """What came of the attempts."""

    expected: float
    """How hard the puzzle looks: see `expected_rating`."""
    solved: Counter[int] = field(default_factory=Counter)
    """For each level, how many of its attempts reached the goal."""
    made: Counter[int] = field(default_factory=Counter)
    """For each level, how many attempts it made."""
    wrong: Counter[int] = field(default_factory=Counter)
    """How often each wrong column was played with the first move."""

    @property
    def difficulty(self) -> Difficulty:
        """The rating that fits best."""
        return fit_rating(
            ((ELO[f"level-{level}"], self.solved[level], made) for level, made in self.made.items()),
            self.expected,
        )


def expected_rating(position: Position, goal: str, moves_to_find: int) -> float:
    """Return how hard a puzzle looks before anybody has tried it.

    Each move to find counts, and each empty square; a win in n moves is easier than it looks. The
    numbers fit the ratings that the levels gave to the first 17,786 puzzles.

    >>> expected_rating(Position("4575274553"), "win", 2)
    640.0
    """
    empty = position.width * position.height - position.ply
    safe = sum(not after.winning_columns() for after in position.children().values())
    return 20.0 + 93 * moves_to_find + 20.5 * empty + 4 * safe - 250 * (goal == "win")


def fit_rating(results: Iterable[tuple[float, int, int]], expected: float = 600) -> Difficulty:
    """Return the most likely rating of a puzzle: for solvers (Elo, solved, attempts).

    A solver as strong as the puzzle solves it every other time, as in a game. A few attempts of a player
    as strong as *expected* are added: so a puzzle that everybody solves has a rating, too, and puzzles
    that the levels cannot tell apart are told apart by how they look.

    >>> fit_rating([(400, 2, 10), (800, 8, 10)])
    Difficulty(rating=600, error=158)
    """
    rows = [*results, (expected, EXPECTED_ATTEMPTS / 2, EXPECTED_ATTEMPTS)]
    rating = expected
    information = 1.0
    for _ in range(100):  # Newton's method; steps are bounded, as the first ones may be too long
        slope = information = 0.0
        for elo, solved, attempts in rows:
            chance = 1 / (1 + math.exp(_SCALE * (rating - elo)))
            slope += _SCALE * (chance * attempts - solved)
            information += _SCALE**2 * attempts * chance * (1 - chance)
        step = max(-200.0, min(200.0, slope / information))
        rating += step
        if abs(step) < 1e-6:
            break
    return Difficulty(round(rating), round(1.96 / math.sqrt(information)))


def try_levels(
    position: Position,
    answer: Answer,
    expected: float = 600,
    sight: Sight | None = None,
    seed: int = 0,
) -> Trials:
    """Have every level try a puzzle several times. The same puzzle and seed get the same attempts."""
    sight = sight or Sight()
    trials = Trials(expected)
    players = {
        level: TryingLevel(strength, sight, seed=(seed << 256) + position.canonical_key * 16 + level)
        for level, (_, strength) in enumerate(LEVELS, start=1)
    }

    def attempt(levels: Iterable[int], times: int) -> None:
        for level in levels:
            for _ in range(times):
                trials.solved[level] += _solves(players[level], position, answer, trials)
            trials.made[level] += times

    attempt(players, ATTEMPTS)
    if trials.difficulty.rating >= HARD:
        attempt(LEVELS_FOR_HARD, ATTEMPTS_AT_HARD - ATTEMPTS)
    return trials


def _solves(player: LevelPlayer, position: Position, answer: Answer, trials: Trials) -> bool:
    here: Position | None = position
    while here is not None:
        column = player.choose(here)
        right, leads_to = answer(here)
        if column not in right:
            if here is position:
                trials.wrong[column] += 1
            return False
        here = leads_to[column]
    return True


class Sight:
    """What levels see of positions, before chance comes in."""

    def __init__(self) -> None:
        # It forgets all before each position: what is solved in time must not depend on others.
        self._solver = Solver(book=False, table_mb=1)
        self._exact: dict[Position, tuple[int, tuple[int, ...]]] = {}
        self._ahead: dict[tuple[Position, int], LookAhead] = {}

    def forget(self) -> None:
        """Start over, for the next puzzle."""
        self._exact.clear()
        self._ahead.clear()

    def solve(self, position: Position, strength: Strength) -> tuple[int, ...]:
        """Return the best columns if a level finds them with its effort, else none."""
        if position not in self._exact:
            most = exact_nodes(position, LEVELS[-1][1])
            self._solver.clear()
            result = self._solver.solve(position, Limit(nodes=most))
            best = tuple(result.best_columns or ())
            self._exact[position] = result.nodes if best else most + 1, best
        nodes, best = self._exact[position]
        return best if nodes <= exact_nodes(position, strength) else ()

    def look_ahead(self, position: Position, depth: int) -> LookAhead:
        """Return what looking ahead finds."""
        key = position, depth
        if key not in self._ahead:
            self._ahead[key] = look_ahead(
                position, depth, "streaks", nodes=LEVEL_NODES, every_column=True
            )
        return self._ahead[key]


class TryingLevel(LevelPlayer):
    """A level that shares what it sees with the others."""

    def __init__(self, strength: Strength, sight: Sight, seed: int) -> None:
        self.strength = strength
        self.time_s = None
        self._random = random.Random(seed)
        self._solver = None
        self._sight = sight

    def _see(self, position: Position) -> tuple[int, ...] | LookAhead:
        if position.ply == 0:
            return super()._see(position)
        exact = self._sight.solve(position, self.strength) if self.strength.exact_nodes else ()
        return exact or self._sight.look_ahead(position, self.strength.depth)
