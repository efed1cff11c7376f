"""PopOut: who wins a position, and in how many plies.

Games of PopOut have no last disc, so that there are no scores. A search one ply deeper at a time finds
who can force a win; that a position is drawn it cannot say.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from fourcast import _core
from fourcast._core import Limit, Position

__all__ = ["PopOutResult", "solve_popout"]


@dataclass(frozen=True)
class PopOutResult:
    """What is known of a position of PopOut."""

    position: Position
    winner: int | None
    """The player who can force a win, 1 or 2; None if that is not decided."""
    plies: int | None
    """How many plies the win takes, if the loser holds out as long as possible."""
    searched: int
    """Nobody can force a win within this many plies."""
    best_moves: tuple[int, ...]
    """The moves that win soonest or lose latest, as `Position.play` takes them; all if it is open."""
    nodes: int
    time_s: float

    def to_json(self) -> dict[str, Any]:
        """Return the result as JSON types."""
        return {
            "rows": self.position.to_rows(),
            "winner": self.winner,
            "plies": self.plies,
            "searched": self.searched,
            "best": [self.position.move_name(move) for move in self.best_moves],
            "nodes": self.nodes,
            "time_s": self.time_s,
        }

    def words(self, names: tuple[str, str] = ("X", "O")) -> str:
        """Return the result as sentences; *names* are those of the first and the second player.

        >>> from fourcast import Rules
        >>> print(solve_popout(Position("445566", rules=Rules(pop=True))).words(("Red", "Yellow")))
        Red, to move, wins in 1 ply.
        Best moves: 3 and 7.
        """
        if self.winner is None:
            return f"Not decided within {self.searched} plies."
        side = names[self.position.turn - 1]
        verb = "wins" if self.winner == self.position.turn else "loses"
        unit = "ply" if self.plies == 1 else "plies"
        *others, last = map(self.position.move_name, self.best_moves)
        best = f"moves: {', '.join(others)} and {last}" if others else f"move: {last}"
        return f"{side}, to move, {verb} in {self.plies} {unit}.\nBest {best}."

    def __str__(self) -> str:
        return self.words()


def solve_popout(
    position: Position | str, limit: Limit | None = None, *, plies: int | None = None
) -> PopOutResult:
    """Find out who wins a position of PopOut within *plies*, or before *limit* is reached.

    *position* may be a move string on the usual board.

    >>> from fourcast import Rules
    >>> print(solve_popout(Position("1212", width=4, height=5, rules=Rules(pop=True)), plies=3).winner)
    None
    """
    if isinstance(position, str):
        position = Position(position, rules="pop")
    elif not isinstance(position, Position):
        raise TypeError(f"position must be a Position or a move string, not {type(position).__name__}")
    found = _core.ask(
        "popout.solve",
        {
            "rows": position.to_rows(),
            "plies": plies,
            "time_s": limit.time_s if limit else None,
            "nodes": limit.nodes if limit else None,
        },
    )
    return PopOutResult(
        position,
        found["winner"],
        found["plies"],
        found["searched"],
        tuple(found["best"]),
        found["nodes"],
        found["time_s"],
    )
