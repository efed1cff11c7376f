"""What every move of a position leads to, and how easily the opponent goes wrong after it.

Also the other orders of moves that lead to the position, what the levels play there, and the games of a
person that reached it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from fourcast._core import Line, Position
from fourcast.errors import FinishedGameError
from fourcast.game import Game
from fourcast.notation import format_column, require_position
from fourcast.solver import Solver
from fourcast.study.level_choices import LevelChoices, level_choices

__all__ = [
    "Exploration",
    "ExploredMove",
    "MoveRecord",
    "count_orders",
    "explore",
    "other_orders",
    "records_through",
]

ORDER_DISCS = 16
"""Orders of moves are counted for positions with at most this number of discs."""


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

    @property
    def keeping(self) -> tuple[int, ...]:
        """The columns that keep the outcome of the position."""
        best = max(_WORTH[str(move.line.outcome)] for move in self.moves)
        return tuple(move.column for move in self.moves if _WORTH[str(move.line.outcome)] == best)

    @property
    def levels(self) -> LevelChoices | None:
        """What levels 1 to 10 play here; None if hardly a game of their tournament came here."""
        return level_choices(self.position)

    @property
    def most_testing(self) -> ExploredMove:
        """Among the moves with the best outcome, the one after which most replies go wrong.

        Of several it is the one with the better score, then the one nearest the center.
        """
        order = self.position.columns_from_center
        kept = [move for move in self.moves if move.column in self.keeping]
        return max(
            kept, key=lambda move: (_share(move), move.line.score or 0, -order.index(move.column))
        )

    def to_json(self) -> dict[str, Any]:
        """Return all of it as JSON types; docs/openings.md describes them."""
        levels = self.levels
        return {
            "columns": [move.to_json() for move in self.moves],
            "most_testing": self.most_testing.column,
            "orders": count_orders(self.position),
            "levels": levels and {**levels.to_json(), "wrong": list(levels.wrong(self.keeping))},
        }


def explore(position: Position, *, solver: Solver | None = None) -> Exploration:
    """Return what every move of *position* leads to. Raises `FinishedGameError` if the game is over.

    >>> found = explore(Position("44"))
    >>> [(move.column, move.line.outcome, len(move.keeping)) for move in found.moves][2:4]
    [(2, 'loss', 2), (3, 'win', 7)]
    """
    require_position(position)
    if position.is_over:
        raise FinishedGameError("the game is over: there is no move to explore")
    solver = solver or Solver()
    moves = []
    for line in sorted(solver.analyze(position, variations=False), key=lambda line: line.column):
        after = position.play(line.column)
        if after.is_over:
            moves.append(ExploredMove(line, (), ()))
            continue
        analysis = solver.analyze(after, variations=False)
        keeping = tuple(reply.column for reply in analysis if reply.outcome == analysis.outcome)
        moves.append(ExploredMove(line, tuple(after.legal_columns), keeping))
    return Exploration(position, tuple(moves))


_WORTH = {"win": 2, "draw": 1, "loss": 0}


def count_orders(position: Position) -> int | None:
    """Return how many orders of moves lead to *position*; None if it has too many discs to count them.

    >>> count_orders(Position("4433")), count_orders(Position("4343"))
    (2, 1)
    """
    if position.ply > ORDER_DISCS:
        return None
    counts: dict[Position, int] = {position: 1}

    def count(here: Position) -> int:
        if here not in counts:
            counts[here] = sum(count(after) for _, after in _towards(here, position))
        return counts[here]

    return count(_start(position))


def other_orders(position: Position, moves: str, most: int = 3) -> list[str]:
    """Return other orders of moves than *moves* that lead to *position*, at most *most*.

    >>> other_orders(Position("4433"), "4433")
    ['3344']
    """
    if position.ply > ORDER_DISCS:
        return []
    found = (text for text in _orders(_start(position), position) if text != moves)
    return sorted(islice(found, most))


def _orders(here: Position, goal: Position) -> Iterator[str]:
    if here == goal:
        yield ""
    for column, after in _towards(here, goal):
        yield from (format_column(column) + text for text in _orders(after, goal))


def _towards(here: Position, goal: Position) -> Iterator[tuple[int, Position]]:
    """The moves that put a disc where *goal* has it, and the positions after them."""
    for column, height in enumerate(here.heights):
        if height < goal.heights[column] and goal.at(column, height) == here.turn:
            after = here.play(column)
            if after == goal or not after.is_over:
                yield column, after


def _start(position: Position) -> Position:
    return Position(width=position.width, height=position.height)


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


def _share(move: ExploredMove) -> float:
    return move.traps / len(move.replies) if move.replies else 0.0
