"""The players `level-1` to `level-10`: opponents for people, from a beginner to nearly perfect.

They err as people do. A level reads some plies ahead, and what it finds there it may overlook: the
nearest tactics never, then the deeper the more easily. What it does not see it judges by a glance at the
streaks on the board, and not with the same eyes every time, so that no two games are alike. The upper
levels count the end of the game out.

The numbers below were found by the tournaments of `tools/levels.toml`; `docs/players.md` has the table
that came out.
"""

from __future__ import annotations

import random
from dataclasses import dataclass

from fourcast._core import Limit, Position, Solver, evaluate, look_ahead
from fourcast.players.choosing import check_option, refuse_finished

MOST_NODES = 300_000
"""Positions it looks at before a move: half a second, and the depth is less on large boards."""


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
    """How much its judgement of quiet positions varies, as a standard deviation."""
    exact_nodes: int = 0
    """Effort to count the game out, in nodes of the solver; 0 for none."""


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
        exact = self._count_out(position)
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

    def _count_out(self, position: Position) -> tuple[int, ...]:
        """Return the best columns if the solver finds them with the effort of this level, else none."""
        if self._solver is None:
            return ()
        limit = Limit(time_s=self._share(0.45), nodes=self.strength.exact_nodes)
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
    mover_wins = value > 0
    last = position.width * position.height + 2 - 2 * (abs(value) - win_base)
    plies = last - position.ply
    # The stone before is worth the same; the one who wins places the last stone.
    return plies if (plies % 2 == 1) == mover_wins else plies - 1


class Level1(LevelPlayer):
    """Level 1 of 10: knows the rules, and often overlooks even a four."""

    name = "level-1"
    strength = Strength(depth=2, certain=0, sight=0.45, noise=600)


class Level2(LevelPlayer):
    """Level 2 of 10: mostly sees a four that can be made at once."""

    name = "level-2"
    strength = Strength(depth=2, certain=0, sight=0.75, noise=350)


class Level3(LevelPlayer):
    """Level 3 of 10: never misses its own four, sometimes yours."""

    name = "level-3"
    strength = Strength(depth=2, certain=1, sight=0.9, noise=250)


class Level4(LevelPlayer):
    """Level 4 of 10: blocks what you threaten, and falls for two threats at once."""

    name = "level-4"
    strength = Strength(depth=3, certain=2, sight=0.5, noise=250)


class Level5(LevelPlayer):
    """Level 5 of 10: makes two threats at once, and may overlook yours."""

    name = "level-5"
    strength = Strength(depth=4, certain=3, sight=0.8, noise=150)


class Level6(LevelPlayer):
    """Level 6 of 10: reads two moves of either side ahead without a mistake."""

    name = "level-6"
    strength = Strength(depth=6, certain=4, sight=0.85, noise=100)


class Level7(LevelPlayer):
    """Level 7 of 10: reads three moves of either side, and mostly further."""

    name = "level-7"
    strength = Strength(depth=7, certain=6, sight=0.85, noise=70)


class Level8(LevelPlayer):
    """Level 8 of 10: reads four moves of either side, and counts the end of the game out."""

    name = "level-8"
    strength = Strength(depth=8, certain=8, sight=0.9, noise=50, exact_nodes=5_000)


class Level9(LevelPlayer):
    """Level 9 of 10: plays the second half of the game without a mistake."""

    name = "level-9"
    strength = Strength(depth=10, certain=10, sight=1, noise=30, exact_nodes=60_000)


class Level10(LevelPlayer):
    """Level 10 of 10: errs in the opening only, if at all."""

    name = "level-10"
    strength = Strength(depth=10, certain=10, sight=1, noise=10, exact_nodes=600_000)
