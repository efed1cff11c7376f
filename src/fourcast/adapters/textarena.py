"""TextArena: players as agents of its `ConnectFour`, and the exact regret of any agent's moves there.

An agent of TextArena is a function of an observation, a text, that returns an action such as `[col 3]`.
This module needs no package; TextArena is `pip install textarena`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from fourcast._core import Position
from fourcast.arena.contestant import Contestant, Entrant
from fourcast.errors import InvalidNotationError
from fourcast.notation import quote
from fourcast.solver import Solver

__all__ = ["Judge", "agent", "position_of"]

MAX_TEXT = 1_000_000
_BOARD = re.compile(r"^((?:\d+ )+\d+)\n-+\n((?:(?:[.XO] )+[.XO]\n?)+)", re.M)
_ACTION = re.compile(r"\[(?:col\s*)?(\d+)\]", re.I)

Act = Callable[[str], str]


def position_of(observation: str) -> Position:
    r"""Return the position of the last board in an observation. Raises `InvalidNotationError`.

    >>> position_of("0 1 2 3\n-------\n. . . .\n. . . .\n. . . .\n. . X .").ply
    1
    """
    boards = _BOARD.findall(observation[-MAX_TEXT:])
    if not boards:
        raise InvalidNotationError(f"the observation shows no board: {quote(observation[-200:])}")
    rows = ["".join(row.split()) for row in boards[-1][1].strip().splitlines()]
    return Position.from_rows("/".join(rows))


def agent(player: Entrant = "level-5", *, seed: int | None = None) -> Act:
    r"""Return a player as an agent of TextArena; *player* is whatever a `Match` takes.

    >>> agent("perfect")("0 1 2 3 4 5 6\n-------------\n" + ". . . . . . .\n" * 6)
    '[col 3]'
    """
    made = Contestant.of(player).make(seed=seed)

    def act(observation: str) -> str:
        return f"[col {made.choose(position_of(observation))}]"

    return act


@dataclass
class Judge:
    """An agent of TextArena whose moves are judged: call it in the agent's place.

    `losses` has how much each move lost; a move that cannot be played counts as the worst one.
    """

    act: Act
    solver: Solver = field(default_factory=Solver)
    losses: list[int] = field(default_factory=list)
    illegal: int = 0

    def __call__(self, observation: str) -> str:
        """Return what the agent does, and remember what it is worth."""
        position = position_of(observation)
        width, height = position.width, position.height
        scores = self.solver.column_scores([position], width=width, height=height)[0].tolist()
        action = self.act(observation)
        found = _ACTION.search(action)
        column = int(found[1]) if found else -1
        known = [scores[each] for each in position.legal_columns]
        is_legal = column in position.legal_columns
        self.illegal += not is_legal
        self.losses.append(max(known) - (scores[column] if is_legal else min(known)))
        return action

    @property
    def regret(self) -> float:
        """The mean score lost."""
        return sum(self.losses) / len(self.losses) if self.losses else 0.0
