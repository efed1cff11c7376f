"""The players `level-1` to `level-10`: opponents for people, from a beginner to nearly perfect.

They err as people do. A level reads some plies ahead, and may overlook what it finds there: the nearest
tactics never, deeper ones more easily. What it overlooks it judges by the streaks on the board, with
some noise, so that no two games are alike. The upper levels solve the end of the game exactly.

The numbers below were found by the tournaments of `tools/levels.toml`; `docs/players.md` has the table
that came out.
"""

from __future__ import annotations

import random
from dataclasses import dataclass

from fourcast._core import Limit, Position, Result, evaluate, look_ahead
from fourcast.players.choosing import check_option, refuse_finished
from fourcast.solver import Solver

MOST_NODES = 60_000
"""Positions it looks at before a move; where they do not suffice for its depth, it reads less deep."""


@dataclass(frozen=True)
class Strength:
    """What a level can do."""

    depth: int
    """Plies that it reads ahead."""
    certain: int
    """Plies within which it overlooks nothing: 1 is a win at once, 2 the opponent's next."""
    sight: float
    """The chance to see a tactic one ply beyond that, to be multiplied for each ply more."""
    noise: float
    """How much its judgment of quiet positions varies, as a standard deviation."""
    exact_nodes: int = 0
    """Effort to solve the game exactly, in nodes of the solver on 7x6; 0 for none."""


class LevelPlayer:
    """An opponent for people; see `Strength`."""

    name: str
    strength: Strength

    def __init__(self, *, seed: int | None = None, time_s: float | None = None) -> None:
        check_option("time_s", time_s, least=0)
        self.time_s = time_s
        self._random = random.Random(seed)
        # Without a book, which would play the opening for it: that is where the upper levels err.
        self._solver = Solver(book=False, table_mb=16) if self.strength.exact_nodes else None

    def choose(self, position: Position) -> int:
        """Return the column that looks best to this level at this moment."""
        refuse_finished(position)
        exact = self._solve_exactly(position)
        if exact:
            return self._random.choice(exact)
        found = look_ahead(
            position,
            self.strength.depth,
            "streaks",
            time_s=self._share(0.5),
            nodes=MOST_NODES,
            every_column=True,
        )
        judged = {
            column: self._judge(position, column, value, found.win_base)
            for column, value in enumerate(found.values)
            if value is not None
        }
        best = max(judged.values())
        return self._random.choice([column for column, value in judged.items() if value == best])

    def _share(self, part: float) -> float | None:
        return None if self.time_s is None else self.time_s * part

    def _solve_exactly(self, position: Position) -> tuple[int, ...]:
        """Return the best columns if the solver finds them with the effort of this level, else none."""
        if self._solver is None:
            return ()
        if position.ply == 0:  # out of reach at these levels; strong players open in the center
            return (position.width - 1) // 2, position.width // 2
        # On a larger board a node takes longer, and the end is further away.
        smaller = min(1.0, 42 / (position.width * position.height)) ** 2
        nodes = round(self.strength.exact_nodes * smaller)
        limit = Limit(time_s=self._share(0.45), nodes=max(nodes, 1))
        best = self._solver.solve(position, limit).best_columns
        return tuple(best) if best else ()

    def _judge(self, position: Position, column: int, value: int, win_base: int) -> float:
        """Return what a column looks like: its value, or a glance at the board if it is overlooked."""
        if abs(value) <= win_base:
            return value + self._random.gauss(0, self.strength.noise)
        beyond = plies_to_end(position, value, win_base) - self.strength.certain
        if beyond <= 0 or self._random.random() < self.strength.sight**beyond:
            return value
        after = position.play(column)
        glance = 0 if after.is_over else -evaluate(after, "streaks")
        return glance + self._random.gauss(0, self.strength.noise)


def plies_to_end(position: Position, value: int, win_base: int) -> int:
    """Return after how many plies the win or loss ends the game that *value* stands for.

    >>> plies_to_end(Position("445566"), 100 + 18, 100)
    1
    """
    score = abs(value) - win_base
    plies = Result(position, score if value > 0 else -score).plies_to_end
    assert plies is not None
    return plies


# In the order of Strength's fields.
LEVELS = (
    ("knows the rules, and often overlooks even a four", Strength(2, 0, 0.45, 600)),
    ("mostly sees a four that can be made at once", Strength(2, 0, 0.83, 320)),
    ("never misses its own four, sometimes yours", Strength(2, 1, 0.9, 250)),
    ("blocks what you threaten, and falls for two threats at once", Strength(3, 2, 0.35, 300)),
    ("makes two threats at once, and may overlook yours", Strength(4, 3, 0.8, 140)),
    ("reads two moves of either side ahead without a mistake", Strength(6, 4, 0.85, 80)),
    ("reads three moves of either side, and mostly further", Strength(7, 6, 0.89, 62)),
    ("reads four moves of either side, and counts the end out", Strength(8, 8, 0.9, 45, 12_000)),
    ("plays the second half of the game without a mistake", Strength(8, 8, 1, 25, 80_000)),
    ("errs in the opening only, if at all", Strength(8, 8, 1, 5, 450_000)),
)


def _level(number: int, sentence: str, strength: Strength) -> type[LevelPlayer]:
    """Return the class of a level, with a docstring for `fourcast players`."""
    members = {
        "__doc__": f"Level {number} of {len(LEVELS)}: {sentence}.",
        "name": f"level-{number}",
        "strength": strength,
    }
    return type(f"Level{number}", (LevelPlayer,), members)


Level1, Level2, Level3, Level4, Level5, Level6, Level7, Level8, Level9, Level10 = (
    _level(number, *row) for number, row in enumerate(LEVELS, start=1)
)
