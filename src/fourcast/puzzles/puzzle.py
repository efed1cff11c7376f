"""A puzzle, and an attempt to solve it. Both are values: comparable, picklable, JSON."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal, get_args

from fourcast._core import Position
from fourcast.errors import FinishedGameError, FourcastError, OptionError
from fourcast.notation import format_column, quote
from fourcast.puzzles.rules import Goal, accepted_columns, best_reply
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
        try:
            position = Position(self.moves, width=self.width, height=self.height)
            position.play(*self.solution)
        except (FourcastError, TypeError) as error:
            raise OptionError(f"this is not a puzzle: {error}") from None
        if position.is_over or len(self.solution) % 2 == 0:
            raise OptionError("a puzzle needs an open position, and a solution that the player ends")
        if self.goal not in get_args(Goal) or self.ending not in get_args(Ending):
            raise OptionError(f"no puzzle has the goal {self.goal!r} and the ending {self.ending!r}")
        if self.tempting is not None and (
            self.tempting == self.solution[0] or not position.can_play(self.tempting)
        ):
            raise OptionError(f"column {self.tempting!r} is no wrong move of {quote(self.moves)}")

    @cached_property
    def position(self) -> Position:
        """Where the puzzle begins."""
        return Position(self.moves, width=self.width, height=self.height)

    @cached_property
    def id(self) -> str:
        """A short name that the puzzle shares with its mirror image, and hardly with any other."""
        text = f"{self.width}x{self.height} {self.position.canonical_key}"
        number = int.from_bytes(hashlib.sha256(text.encode()).digest()[:5], "big")
        return "".join("abcdefghijkmnpqrstuvwxyz23456789"[number >> 5 * i & 31] for i in range(8))

    @property
    def player(self) -> int:
        """The player that the puzzle is for, 1 or 2."""
        return self.position.turn

    @property
    def moves_to_find(self) -> int:
        """How many moves the player makes."""
        return (len(self.solution) + 1) // 2

    def question(self, names: tuple[str, str] = ("Red", "Yellow")) -> str:
        """Return the task in a sentence; *names* are those of the first and second player."""
        name = names[self.player - 1]
        if self.goal == "win":
            return f"{name} to play and win in {self.moves_to_find} moves."
        if self.goal == "better":
            if self.tempting is None:
                return f"{name} to play: find a move that keeps the result."
            return f"{name} to play: find a better move than column {format_column(self.tempting)}."
        result = "win" if self.goal == "keep win" else "draw"
        if self.moves_to_find == 1:
            return f"{name} to play: only one column keeps the {result}."
        return (
            f"{name} to play: only one column keeps the {result}, {self.moves_to_find} times in a row."
        )

    def start(self) -> Attempt:
        """Return an attempt without a move yet."""
        return Attempt(self)

    def mirrored(self) -> Puzzle:
        """Return the mirror image: the same puzzle to the eye of a beginner, another one to memory."""
        last = self.width - 1
        columns = "123456789abcdefghijklmnopqrstuvwxyz"[: self.width]
        return replace(
            self,
            moves=self.moves.translate(str.maketrans(columns, columns[::-1])),
            solution=tuple(last - column for column in self.solution),
            tempting=None if self.tempting is None else last - self.tempting,
        )

    def to_json(self) -> dict[str, Any]:
        """Return the puzzle as JSON types; docs/puzzles.md describes them."""
        return {
            "id": self.id,
            "width": self.width,
            "height": self.height,
            "moves": self.moves,
            "goal": self.goal,
            "solution": list(self.solution),
            "ending": self.ending,
            "tempting": self.tempting,
            "rating": self.rating,
            "error": self.error,
            "themes": list(self.themes),
        }

    @staticmethod
    def from_json(value: Mapping[str, Any]) -> Puzzle:
        """Return the puzzle that `to_json` gave. Raises `OptionError` if it is none."""
        try:
            return Puzzle(
                moves=str(value["moves"]),
                goal=value["goal"],
                solution=tuple(value["solution"]),
                ending=value["ending"],
                tempting=value["tempting"],
                rating=int(value["rating"]),
                error=int(value["error"]),
                themes=tuple(map(str, value["themes"])),
                width=int(value["width"]),
                height=int(value["height"]),
            )
        except (KeyError, TypeError, ValueError) as error:
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

    def accepted(self, solver: Solver | None = None) -> tuple[int, ...]:
        """Return the columns that are right now, counted from 0."""
        known = len(self.columns)
        if self.puzzle.goal.startswith("keep") and self.columns == self.puzzle.solution[:known]:
            return self.puzzle.solution[known : known + 1]
        return accepted_columns(self.position, self.puzzle.goal, solver or Solver())

    def try_move(self, column: int, solver: Solver | None = None) -> Attempt:
        """Return the attempt after the player's move, with the opponent's reply if it goes on.

        *solver* is asked only where the recorded solution does not say what is right. Raises
        `IllegalMoveError` for a column that cannot be played, and `FinishedGameError` if the puzzle is
        solved or failed already.
        """
        if self.state != "open":
            raise FinishedGameError(
                f"the puzzle is {self.state}: column {format_column(column)} is late"
            )
        after = self.position.play(column)
        played = (*self.columns, column)
        solution = self.puzzle.solution
        follows = played == solution[: len(played)]
        solver = solver or Solver()
        if not follows and column not in self.accepted(solver):
            return Attempt(self.puzzle, played, "failed")
        if after.is_over or len(played) >= len(solution):
            return Attempt(self.puzzle, played, "solved")
        reply = solution[len(played)] if follows else best_reply(after, self.puzzle.goal, solver)
        return Attempt(self.puzzle, (*played, reply))
