"""What an explanation draws on the board: one value for every renderer.

The words carry everything; marks show where. Each kind is a set of squares with a meaning that the tests
check on the games that a plan leads to.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

from fourcast._core import Position, ask
from fourcast.errors import OptionError
from fourcast.render.said import Said

__all__ = ["Marks", "Square"]

Square = tuple[int, int]
"""Column and row, both from 0; row 0 is the bottom."""
Squares = tuple[Square, ...]


@dataclass(frozen=True)
class Marks:
    """The marks of one claim. Rows and columns count from 0.

    `gets`, `leaves`, `frozen` and the squares of `pairs` are empty squares of `position`, and none is in
    two of these. `wins` may be any of them.

    >>> from fourcast import explain
    >>> found = explain(Position("14642545655244774665")).marks()
    >>> found.player, found.pairs, found.wins
    (2, (((0, 1), (4, 5)),), ((2, 1), (6, 3)))
    >>> Marks.from_json(found.to_json()) == found
    True
    """

    position: Position
    """The board that is drawn: after the explanation's line and the first moves of the claim."""
    player: int | None
    """Whose reason it is, 1 or 2; None if there is no claim."""
    played: Squares = ()
    """Discs of `position` that the explained board does not have, in the order of play."""
    gets: Squares = ()
    """Squares that only the player gets, as long as the plan is needed."""
    leaves: Squares = ()
    """Squares that only the opponent may get. Squares that either may get are not marked."""
    pairs: tuple[tuple[Square, Square], ...] = ()
    """Linked squares: when the opponent takes one, the player takes the other."""
    frozen: Squares = ()
    """Squares that nobody plays until the opponent has to: the upper part of columns with a win."""
    wins: Squares = ()
    """Every square where the player completes a four in some game; () for a claim that holds."""
    line: Squares = ()
    """Discs to come, in order: a forcing line up to the last block; without a claim, the best move."""
    groups: tuple[tuple[int, ...], ...] = ()
    """The columns of each local game; () for other proofs."""
    count: int | None = None
    """How many squares are filled before the frozen ones; None if that is not known."""

    @property
    def coming(self) -> list[tuple[int, int, Square]]:
        """The number, the player and the square of each disc of `line`."""
        turn, first = self.position.turn, len(self.played) + 1
        players = (turn, 3 - turn)
        return [(first + i, players[i % 2], square) for i, square in enumerate(self.line)]

    @property
    def legend(self) -> list[tuple[str, Said]]:
        """The kinds of marks that are there, and what is said about each."""
        return _legend({"marks": self.to_json()})

    def legend_at(self, position: Position) -> list[tuple[str, Said]]:
        """What is left of the legend once play has gone on to *position*."""
        return _legend({"marks": self.to_json(), "now": {"rows": position.to_rows()}})

    def to_json(self) -> dict[str, Any]:
        """Return the marks as JSON types: squares are [column, row], `rows` is the board."""
        return {
            "width": self.position.width,
            "height": self.position.height,
            "rows": self.position.to_rows(),
            "player": self.player,
            **{name: _lists(getattr(self, name)) for name in _TUPLES},
            "count": self.count,
        }

    @staticmethod
    def from_json(value: Mapping[str, Any]) -> Marks:
        """Return the marks that `to_json` gave. Raises `OptionError` if it is none."""
        try:
            found = {name: _tuples(value[name]) for name in _TUPLES}
            return Marks(
                Position.from_rows(value["rows"]), value["player"], **found, count=value.get("count")
            )
        except (KeyError, TypeError, ValueError) as error:
            raise OptionError(f"these are not marks in JSON: {error!r}") from error


_TUPLES = [entry.name for entry in fields(Marks) if entry.name not in ("position", "player", "count")]


def _legend(request: dict[str, Any]) -> list[tuple[str, Said]]:
    return [(each["kind"], each["said"]) for each in ask("marks.legend", request)]


def _lists(value: Any) -> Any:
    return [_lists(part) for part in value] if isinstance(value, tuple) else value


def _tuples(value: Any) -> Any:
    if isinstance(value, list | tuple):
        return tuple(_tuples(part) for part in value)
    if not isinstance(value, int) or isinstance(value, bool):
        raise TypeError(f"{value!r} is not an integer")
    return value
