"""What every move of a position leads to, and how easily the opponent goes wrong after it.

Also the other orders of moves that lead to the position, what the levels play there, and the games of a
person that reached it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from fourcast._core import Line, Position, ask
from fourcast.errors import require
from fourcast.game import Game
from fourcast.notation import format_rows, require_position, require_unfinished
from fourcast.render.said import Said
from fourcast.solver import Solver
from fourcast.study.level_choices import LevelChoices, level_choices

__all__ = [
    "Exploration",
    "ExploredMove",
    "MoveRecord",
    "count_orders",
    "explore",
    "opening_said",
    "other_orders",
    "records_through",
]


@dataclass(frozen=True)
class ExploredMove:
    """A move, what it is worth, and the opponent's replies."""

    line: Line
    """The exact score of the move; outcomes are those of the player who moves."""
    replies: tuple[int, ...]
    """The columns with which the opponent can reply; none if the move ends the game."""
    keeping: tuple[int, ...]
    """Those replies that keep what the opponent then has."""

    @property
    def column(self) -> int:
        """The column, counted from 0."""
        return self.line.column

    @property
    def traps(self) -> int:
        """The number of replies that throw the opponent's result away."""
        return len(self.replies) - len(self.keeping)

    def to_json(self) -> dict[str, Any]:
        """Return the move as JSON types."""
        return {
            "column": self.column,
            "outcome": self.line.outcome,
            "score": self.line.score,
            "replies": list(self.replies),
            "keeping": list(self.keeping),
        }


@dataclass(frozen=True)
class Exploration:
    """All moves of a position, from left to right."""

    position: Position
    moves: tuple[ExploredMove, ...]

    @cached_property
    def _testing(self) -> dict[str, Any]:
        moves = [move.to_json() for move in self.moves]
        found: dict[str, Any] = ask("explore.testing", {"width": self.position.width, "moves": moves})
        return found

    @property
    def keeping(self) -> tuple[int, ...]:
        """The columns that keep the outcome of the position."""
        return tuple(self._testing["keeping"])

    @property
    def levels(self) -> LevelChoices | None:
        """What levels 1 to 10 play here; None if hardly a game of their tournament came here."""
        return level_choices(self.position)

    @property
    def most_testing(self) -> ExploredMove:
        """Among the moves with the best outcome, the one after which most replies go wrong.

        Of several it is the one with the better score, then the one nearest the center.
        """
        column = self._testing["most_testing"]
        return next(move for move in self.moves if move.column == column)

    def to_json(self) -> dict[str, Any]:
        """Return all of it as JSON types; docs/openings.md describes them."""
        levels = self.levels
        return {
            "columns": [move.to_json() for move in self.moves],
            "most_testing": self.most_testing.column,
            "orders": count_orders(self.position),
            "levels": levels and {**levels.to_json(), "wrong": list(levels.wrong(self.keeping))},
        }


def explore(position: Position | str, *, solver: Solver | None = None) -> Exploration:
    """Return what every move of *position* leads to. Raises `FinishedGameError` if the game is over.

    >>> found = explore(Position("44"))
    >>> [(move.column, move.line.outcome, len(move.keeping)) for move in found.moves][2:4]
    [(2, 'loss', 2), (3, 'win', 7)]
    """
    position = require_unfinished(position, "error.choose_over")
    require("solver", solver, Solver, type(None))
    solver = solver or Solver()
    moves = []
    for line in sorted(solver.analyze(position, variations=False), key=lambda line: line.column):
        request = {"rows": format_rows(position), "column": line.column, "score": line.score}
        found = ask("explore.move", request, solver)
        moves.append(ExploredMove(line, tuple(found["replies"]), tuple(found["keeping"])))
    return Exploration(position, tuple(moves))


def count_orders(position: Position | str) -> int | None:
    """Return how many orders of moves lead to *position*; None if it has too many discs to count them.

    >>> count_orders(Position("4433")), count_orders(Position("4343"))
    (2, 1)
    """
    found = _orders(require_position(position), "", 0)
    return None if found is None else int(found["count"])


def other_orders(position: Position | str, moves: str, most: int = 3) -> list[str]:
    """Return other orders of moves than *moves* that lead to *position*, at most *most*.

    >>> other_orders(Position("4433"), "4433")
    ['3344']
    """
    require("moves", moves, str)
    found = _orders(require_position(position), moves, most)
    return [] if found is None else list(found["others"])


def opening_said(moves: str, *, width: int = 7, height: int = 6) -> Said | None:
    """Return what the opening of a game from an empty board is called; None before the first move.

    >>> from fourcast.render.said import said_text
    >>> said_text(opening_said("44")), said_text(opening_said("1"))
    ('Opening: center, answered on top.', 'Opening: edge.')
    """
    said: Said | None = ask("opening", {"width": width, "height": height, "game": moves})
    return said


def _orders(position: Position, order: str, most: int) -> dict[str, Any] | None:
    request = {"rows": format_rows(position), "order": order, "most": most}
    found: dict[str, Any] | None = ask("explore.orders", request)
    return found


@dataclass
class MoveRecord:
    """How games went on that came through a position, by the move that was played there."""

    games: int = 0
    won: int = 0
    drawn: int = 0
    lost: int = 0
    """For the player who made the move; games without an end are in none of the three."""
    names: list[str] = field(default_factory=list)

    def to_json(self) -> dict[str, Any]:
        """Return the record as JSON types."""
        return {"games": self.games, "won": self.won, "drawn": self.drawn, "lost": self.lost}


def records_through(position: Position, games: Iterable[tuple[str, Game]]) -> dict[int, MoveRecord]:
    """Return for each column what came of it in those of the named *games* that had *position*.

    Mirror images count, with the column mirrored.

    >>> records_through(Position("4"), [("mine", Game("4545454"))])[4]
    MoveRecord(games=1, won=0, drawn=0, lost=1, names=['mine'])
    """
    records: dict[int, MoveRecord] = {}
    for name, game in games:
        here = game.start
        if (here.width, here.height) != (position.width, position.height):
            continue
        for column in game.columns:
            if here.ply == position.ply and here.canonical_key == position.canonical_key:
                played = column if here == position else here.width - 1 - column
                record = records.setdefault(played, MoveRecord())
                record.games += 1
                record.names.append(name)
                if game.position.is_over:
                    winner = game.position.winner
                    record.drawn += winner is None
                    record.won += winner == here.turn
                    record.lost += winner == 3 - here.turn
                break
            here = here.play(column)
    return dict(sorted(records.items()))
