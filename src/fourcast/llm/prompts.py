"""What a model is asked: the position in one of four forms, with or without the legal moves.

The presets fit what public benchmarks hand to a model and expect of it; the words are ours.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from fourcast._core import Position
from fourcast.errors import OptionError
from fourcast.notation import column_names, quote, suggest

__all__ = ["FORMS", "PRESETS", "Prompt", "View", "preset"]

Form = Literal["grid", "moves", "json", "picture"]
FORMS: tuple[Form, ...] = ("grid", "moves", "json", "picture")


@dataclass(frozen=True)
class Prompt:
    """How a position is put to a model.

    >>> print(Prompt(form="moves").text(View.of(Position("44"), "44")).splitlines()[3])
    Moves so far, the first player's first: 4 4
    """

    form: Form = "grid"
    legal: bool = True
    """Whether the open columns are listed."""
    first: int = 1
    """The number of the column on the left."""
    ending: str = "Answer with the column and nothing else."
    """How the answer is to be given; {example} stands for a column."""
    examples: bool = False

    def __post_init__(self) -> None:
        if self.form not in FORMS:
            raise OptionError(f"there is no form {quote(self.form)}; {suggest(str(self.form), FORMS)}")

    def names(self, width: int) -> tuple[str, ...]:
        """Return what the columns are called."""
        return tuple(column_names(width)) if self.first == 1 else tuple(map(str, range(width)))

    def text(self, view: View) -> str:
        """Return the question about a position."""
        position = view.position
        names = view.names or self.names(position.width)
        you, other = ("X", "O") if position.turn == 1 else ("O", "X")
        lines = [
            f"You are playing Connect Four on a board of {position.width} columns and "
            f"{position.height} rows. Players take turns to drop a disc into a column; it falls to the "
            "lowest free square. Four discs in a line, across, up or diagonal, win.",
            f"The columns are called {', '.join(names)}, from left to right.",
            f"Your discs are {you}, the opponent's {other}. It is your turn.",
        ]
        lines += self._board(view, names)
        if self.legal:
            legal = ", ".join(names[column] for column in position.legal_columns)
            lines.append(f"The columns that are not full: {legal}.")
        lines.append(self.ending.format(example=names[position.width // 2]))
        return "\n".join(lines)

    def _board(self, view: View, names: Sequence[str]) -> list[str]:
        position = view.position
        if self.form == "picture":
            return ["The picture shows the board: X is red with a ring, O yellow with a diamond."]
        if self.form == "moves" and view.moves is not None:
            played = " ".join(names[column] for column in view.moves)
            return [f"Moves so far, the first player's first: {played or 'none'}"]
        if self.form == "json":
            state = {
                "columns": list(names),
                "board": ["".join(row) for row in _rows(position)],
                "to_move": "X" if position.turn == 1 else "O",
            }
            if view.moves is not None:
                state["moves"] = [names[column] for column in view.moves]
            return [json.dumps(state)]
        wide = max(map(len, names))
        drawn = [" ".join(cell.rjust(wide) for cell in row) for row in _rows(position)]
        return ["The board, top row first:", *drawn, " ".join(name.rjust(wide) for name in names)]


@dataclass(frozen=True)
class View:
    """A position as a model sees it: mirrored, with other names for the columns, without its moves."""

    position: Position
    moves: tuple[int, ...] | None = None
    """The columns played; None for a position that was set up."""
    names: tuple[str, ...] = ()
    """What the columns are called, if not as the prompt has it."""
    is_mirrored: bool = False

    @classmethod
    def of(cls, position: Position, moves: str | None = None) -> View:
        """Return the plain view of a position, with its moves if they are given."""
        columns = None if moves is None else tuple(map(column_names(position.width).index, moves))
        return cls(position, columns)

    def mirrored(self) -> View:
        """Return it with left and right exchanged."""
        last = self.position.width - 1
        moves = None if self.moves is None else tuple(last - column for column in self.moves)
        return replace(
            self, position=self.position.mirror(), moves=moves, is_mirrored=not self.is_mirrored
        )

    def column_of(self, shown: int) -> int:
        """Return the column of the position itself that a column of the view stands for."""
        return self.position.width - 1 - shown if self.is_mirrored else shown


PRESETS = {
    "plain": Prompt(),
    "arena": Prompt(
        legal=False,
        first=0,
        ending="Think about it, then end your response with a line of the form\n"
        "Final Answer: {example}\nwhere the number is the column that you play.",
    ),
    "textarena": Prompt(
        legal=False, first=0, ending="Give your move in square brackets, for example [{example}]."
    ),
    "json": Prompt(form="json", ending='Answer with a JSON object: {{"column": "{example}"}}'),
    "moves": Prompt(form="moves", legal=False),
    "picture": Prompt(form="picture"),
}
"""Prompts by name: `arena` is for Kaggle's game arena, `textarena` for TextArena."""


def preset(name: str) -> Prompt:
    """Return the prompt of a name."""
    if name not in PRESETS:
        raise OptionError(f"there is no prompt {quote(name)}; {suggest(name, PRESETS)}")
    return PRESETS[name]


def _rows(position: Position) -> list[list[str]]:
    """The squares, the top row first."""
    return [[".XO"[cell] for cell in row] for row in position.to_grid(order="rows", top_first=True)]
