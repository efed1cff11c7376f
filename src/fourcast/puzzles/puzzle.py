"""A puzzle, and an attempt to solve it. Both are values: comparable, picklable, JSON."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from functools import cached_property
from typing import Any, Literal

from fourcast._core import Position, ask
from fourcast.errors import FinishedGameError, OptionError
from fourcast.notation import format_column
from fourcast.puzzles.rules import Goal
from fourcast.render.said import Said, said_text
from fourcast.solver import Solver

__all__ = ["Attempt", "Ending", "Puzzle"]

Ending = Literal["four", "plan", "choice"]
"""Where the solution ends: with a four, where playing on top is enough, or where several columns do."""


@dataclass(frozen=True)
class Puzzle:
    """A position, what is asked for, and the solution.

    >>> puzzle = Puzzle("4575274553", goal="win", solution=(3, 2, 3), ending="four")
    >>> puzzle.question(), puzzle.moves_to_find
    ('Red to play and win in 2 moves.', 2)
    >>> Puzzle.from_json(puzzle.to_json()) == puzzle
    True
    """

    moves: str
    """The move string of the game that led to the position."""
    goal: Goal
    solution: tuple[int, ...]
    """Columns: the player's, the opponent's reply, the player's, and so on; the player's is the last."""
    ending: Ending
    tempting: int | None = None
    """The wrong column that the levels played most often."""
    rating: int = 0
    """The difficulty, as an Elo on the scale of `fourcast.players.rating`."""
    error: int = 0
    """Half the width of the 95% interval of the rating."""
    themes: tuple[str, ...] = ()
    """Names of `fourcast.puzzles.THEMES`, in the order of that table."""
    width: int = 7
    height: int = 6

    def __post_init__(self) -> None:
        self._facts  # noqa: B018  # refuses what is no puzzle

    def __str__(self) -> str:
        return f"{self.position}\n\nPuzzle {self.id}: {self.question(('X', 'O'))}"

    @cached_property
    def _facts(self) -> dict[str, Any]:
        """What the core knows of the puzzle: `puzzle` of native/study/puzzle.cpp."""
        names = (field.name for field in fields(self))
        facts: dict[str, Any] = ask("puzzle", {name: getattr(self, name) for name in names})
        return facts

    @cached_property
    def position(self) -> Position:
        """Where the puzzle begins."""
        return Position(self.moves, width=self.width, height=self.height)

    @property
    def id(self) -> str:
        """A short name that the puzzle shares with its mirror image, and hardly with any other."""
        return str(self._facts["puzzle"]["id"])

    @property
    def player(self) -> int:
        """The player that the puzzle is for, 1 or 2."""
        return int(self._facts["player"])

    @property
    def moves_to_find(self) -> int:
        """How many moves the player makes."""
        return int(self._facts["moves_to_find"])

    def question(self, names: tuple[str, str] = ("Red", "Yellow")) -> str:
        """Return the task in a sentence; *names* are those of the first and second player."""
        return said_text(self._facts["task"], names)

    def end_text(self, names: tuple[str, str] = ("Red", "Yellow")) -> str:
        """Return what there is to say where the solution ends; empty if it is nothing."""
        return said_text(self._facts["end"], names) if self._facts["end"] else ""

    def start(self) -> Attempt:
        """Return an attempt without a move yet."""
        return Attempt(self)

    def mirrored(self) -> Puzzle:
        """Return the mirror image: the same puzzle to the eye of a beginner, another one to memory."""
        return Puzzle.from_json(self._facts["mirrored"])

    def to_json(self) -> dict[str, Any]:
        """Return the puzzle as JSON types; docs/puzzles.md describes them."""
        return copy.deepcopy(self._facts["puzzle"])

    @staticmethod
    def from_json(value: Mapping[str, Any]) -> Puzzle:
        """Return the puzzle that `to_json` gave. Raises `OptionError` if it is none."""
        try:
            given: dict[str, Any] = {field.name: value[field.name] for field in fields(Puzzle)}
            for name in ("solution", "themes"):
                given[name] = tuple(given[name])
            return Puzzle(**given)
        except (KeyError, TypeError) as error:
            raise OptionError(f"this is not a puzzle: {error}") from None


@dataclass(frozen=True)
class Attempt:
    """How far somebody has come with a puzzle.

    >>> puzzle = Puzzle("4575274553", goal="win", solution=(3, 2, 3), ending="four")
    >>> attempt = puzzle.start().try_move(3)
    >>> attempt.state, attempt.reply, attempt.try_move(3).state, puzzle.start().try_move(0).state
    ('open', 2, 'solved', 'failed')
    """

    puzzle: Puzzle
    columns: tuple[int, ...] = ()
    """The moves of both sides since the puzzle began."""
    state: Literal["open", "solved", "failed"] = "open"
    said: Said | None = field(default=None, compare=False)
    """What there is to say of a column that wins as well, but not as quickly: it was taken back."""

    @property
    def position(self) -> Position:
        """The position after these moves."""
        return self.puzzle.position.play(*self.columns)

    @property
    def reply(self) -> int | None:
        """What the opponent has just played; None before the first move and after the last one."""
        return self.columns[-1] if self.columns and len(self.columns) % 2 == 0 else None

    @property
    def moves_made(self) -> int:
        """How many moves the player has made."""
        return (len(self.columns) + 1) // 2

    def __str__(self) -> str:
        return f"{self.position}\n\nPuzzle {self.puzzle.id}: {self.state}"

    def accepted(self, solver: Solver | None = None) -> tuple[int, ...]:
        """Return the columns that are right now, counted from 0."""
        found = ask("puzzle.accepted", self._request(), solver or Solver())
        return tuple(found["accepted"])

    def try_move(self, column: int, solver: Solver | None = None) -> Attempt:
        """Return the attempt after the player's move, with the opponent's reply if it goes on.

        A column that wins, but not as quickly as the puzzle asks for, costs nothing: the attempt stays
        as it is, and `said` says so.
        *solver* is asked only where the recorded solution does not say what is right. Raises
        `IllegalMoveError` for a column that cannot be played, and `FinishedGameError` if the puzzle is
        solved or failed already.
        """
        if self.state != "open":
            raise FinishedGameError(
                f"the puzzle is {self.state}: column {format_column(column)} is late"
            )
        self.position.play(column)  # raises what is wrong with it
        found = ask("puzzle.try", {**self._request(), "column": column}, solver or Solver())
        return Attempt(self.puzzle, tuple(found["columns"]), found["state"], found["said"])

    def hole(self, solver: Solver | None = None) -> tuple[Attempt, int, int] | None:
        """Return where the plan of a puzzle that asks to break it goes wrong.

        That is how far the solution has come, the plan's answer, and a column that would have kept the
        result; None of other puzzles.
        """
        if self.puzzle.goal != "break":
            return None
        found = ask("puzzle.hole", self._request(), solver or Solver())
        return Attempt(self.puzzle, tuple(found["columns"])), found["answer"], found["better"]

    def _request(self) -> dict[str, Any]:
        return {"puzzle": self.puzzle.to_json(), "columns": self.columns}
