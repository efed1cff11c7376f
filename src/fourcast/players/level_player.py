"""The players `level-1` to `level-10`: opponents for people, from a beginner to nearly perfect.

They err as people do. A level reads some plies ahead, and may overlook what it finds there: the nearest
tactics never, deeper ones more easily. What it overlooks it judges by the streaks on the board, with
some noise, so that no two games are alike. The upper levels solve the end of the game exactly.

What they can do, and how they choose, is in `native/players/choices.hpp`, for the web page as well.
The numbers there were found by the tournaments of `tools/make/levels.toml`; `docs/players.md` has the
resulting table.
"""

from __future__ import annotations

from fourcast._core import (
    LEVEL_TABLE_MB,
    LookAhead,
    Position,
    Strength,
    decide,
    level_strengths,
    see,
)
from fourcast.players.choosing import Named, check_option, generator, position_to_move
from fourcast.solver import Solver


class LevelPlayer(Named):
    """An opponent for people; see `Strength`."""

    name: str
    strength: Strength

    def __init__(self, *, seed: int | None = None, time_s: float | None = None) -> None:
        check_option("time_s", time_s, least=0, or_none=True)
        self.time_s = time_s
        self._random = generator(seed)
        # Without a book, which would play the opening for it: that is where the upper levels err.
        is_solving = self.strength.exact_nodes > 0
        self._solver = Solver(book=False, table_mb=LEVEL_TABLE_MB) if is_solving else None

    def choose(self, position: Position | str) -> int:
        """Return the column that looks best to this level at this moment."""
        position = position_to_move(position)
        return decide(position, self.strength, self._see(position), self._random)

    def _see(self, position: Position) -> tuple[int, ...] | LookAhead:
        return see(position, self.strength, self._solver, self.time_s)


SENTENCES = (
    "knows the rules, and often overlooks even a four",
    "mostly sees a four that can be made at once",
    "never misses its own four, sometimes yours",
    "blocks what you threaten, and falls for two threats at once",
    "makes two threats at once, and may overlook yours",
    "reads two moves of either side ahead without a mistake",
    "reads three moves of either side, and mostly further",
    "reads four moves of either side, and calculates the endgame",
    "plays the second half of the game without a mistake",
    "errs in the opening only, if at all",
)
LEVELS = tuple(zip(SENTENCES, level_strengths(), strict=True))


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
