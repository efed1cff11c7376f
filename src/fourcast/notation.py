"""Columns and positions as text: move strings, diagrams and JSON, read and written.

People count columns from 1 and call the tenth `a`; the code counts from 0. This module is the only
place in Python where one becomes the other; the core does the reading. Input is not trusted: sizes are
bounded, nothing is guessed, and an error quotes what it could not read.

| text | read by | written by |
|-|-|-|
| one column, `4` | `parse_column` | `format_column` |
| move string, `44455` | `play_moves`, `parse_moves` | `format_moves` |
| diagram, `X O .` or discs | `parse_diagram` | `str(position)`, `fourcast.render.text` |
| diagram on one line, `..../.X../...` | `parse_rows` | `format_rows` |
| JSON, `{"grid": ...}` | `parse_json` | `format_json` |
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence

from fourcast import _core
from fourcast._core import (
    Position,
    parse_column,
    parse_diagram,
    parse_moves,
    parse_rows,
    play_moves,
)
from fourcast.errors import FinishedGameError, InvalidNotationError, OptionError, nearest, suggest

__all__ = [
    "column_names",
    "format_column",
    "format_json",
    "format_moves",
    "format_rows",
    "format_start",
    "from_json_object",
    "load_json",
    "move_names",
    "nearest",
    "parse_column",
    "parse_diagram",
    "parse_json",
    "parse_moves",
    "parse_rows",
    "play_moves",
    "quote",
    "require_position",
    "require_unfinished",
    "suggest",
    "to_json_object",
]

MAX_TEXT = 65_536
"""No position needs a longer text: the largest board has 125 squares."""

_NAMES = "123456789abcdefghijklmnopqrstuvwxyz"


def quote(given: object) -> str:
    """Return *given* as an error message shows it: on one line, in quotes if it is text, and shortened.

    >>> print(quote("4x" * 100))
    '4x4x4x4x4x4x4x4x4x4x4x4x4x4x4x4x4x4x4x4x4x4x4x4x4x...' (200 characters)
    >>> print(quote([1, 2, 3] * 100))
    [1, 2, 3, 1, 2, 3, 1, 2, 3, 1, 2, 3, 1, 2, 3, 1, 2...
    """
    if isinstance(given, str):
        return _core.quote(given)
    shown = repr(given)
    return shown if len(shown) <= 60 else shown[:50] + "..."


def require_position(given: Position | str) -> Position:
    """Return the position that is given, or that a string of moves leads to on a board of 7x6."""
    if isinstance(given, Position):
        return given
    if isinstance(given, str):
        return Position(given)
    kind = type(given).__name__
    raise TypeError(f"position must be a Position or a str of moves, for example '44', not {kind}")


def require_unfinished(given: Position | str, code: str) -> Position:
    """Return the position that is given; raise `FinishedGameError` with *code* if the game is over."""
    position = require_position(given)
    if position.is_over:
        raise FinishedGameError(code, facts={})
    return position


# Columns and move strings


def column_names(width: int = 7) -> str:
    """Return what people call the columns of a board, from left to right.

    >>> column_names(11)
    '123456789ab'
    """
    return _NAMES[:width]


def move_names(width: int = 7) -> tuple[str, ...]:
    """Return what people call the moves on a board, those of PopOut included, by their numbers.

    >>> move_names(4)
    ('1', '2', '3', '4', 'p1', 'p2', 'p3', 'p4', '=')
    """
    names = column_names(width)
    return (*names, *(f"p{name}" for name in names), "=")


def format_column(column: int) -> str:
    """Return what people call *column*.

    >>> format_column(0), format_column(9)
    ('1', 'a')
    """
    if not hasattr(column, "__index__"):
        raise TypeError(f"a column must be an int, not {type(column).__name__}")
    if not 0 <= column < len(_NAMES):
        raise OptionError(f"no column has the number {quote(column)}")
    return _NAMES[column]


def format_moves(columns: Iterable[int]) -> str:
    """Return the move string of *columns*.

    >>> format_moves([3, 3, 0])
    '441'
    """
    if isinstance(columns, (str, bytes)) or not isinstance(columns, Iterable):
        raise TypeError(f"columns must be ints such as [3, 3, 0], not {quote(columns)}")
    return "".join(map(format_column, columns))


def format_rows(position: Position | str) -> str:
    """Return *position* on one line, for addresses: its rows from the top, joined by `/`.

    >>> format_rows(Position("12", width=4, height=4))
    '..../..../..../XO..'
    """
    return require_position(position).to_rows()


def format_start(position: Position | str) -> str:
    """Return the rows of the position that a game starts from; empty for the usual empty board.

    >>> format_start(Position()), format_start(Position(width=4, height=4, rules=_core.Rules(3)))
    ('', '..../..../..../....:connect=3')
    """
    position = require_position(position)
    return format_rows(position) if position.ply or not position.rules.is_standard else ""


# JSON


def load_json(text: str) -> object:
    """Return what a JSON text says, without the leniency of `json.loads`.

    Refused with `InvalidNotationError`: more than 64 KiB, a key that occurs twice, NaN and infinities,
    and nesting that is too deep.
    """

    def unique(pairs: Sequence[tuple[str, object]]) -> dict[str, object]:
        keys = dict(pairs)
        if len(keys) < len(pairs):
            twice = next(key for i, (key, _) in enumerate(pairs) if key in dict(pairs[:i]))
            raise InvalidNotationError(f"the key {quote(twice)} occurs twice in the JSON")
        return keys

    def refuse(constant: str) -> object:
        raise InvalidNotationError(f"{constant} is not a number of JSON")

    if not isinstance(text, str):
        raise TypeError(f"a text of JSON must be a str, not {type(text).__name__}")
    if len(text) > MAX_TEXT:
        raise InvalidNotationError(f"{len(text)} characters of JSON are too many: {quote(text)}")
    try:
        return json.loads(text, object_pairs_hook=unique, parse_constant=refuse)
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        raise InvalidNotationError(f"this is not JSON ({where}): {quote(text)}") from None
    except RecursionError:
        raise InvalidNotationError(f"JSON that is nested too deep: {quote(text)}") from None
    except InvalidNotationError:
        raise
    except ValueError:  # an integer with thousands of digits
        raise InvalidNotationError(f"JSON with a number that is too long: {quote(text)}") from None


def format_json(position: Position) -> str:
    """Return *position* as the JSON object of the player protocol, on one line.

    `grid` is a list of columns, each from the top down; 1 is the player who started, and `player` is
    the player to move.

    >>> print(format_json(Position("1", width=4, height=4)))  # doctest: +NORMALIZE_WHITESPACE
    {"grid": [[0, 0, 0, 1], [0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]],
     "height": 4, "player": 2, "width": 4}
    """
    return json.dumps(to_json_object(position))


def parse_json(text: str, *, player: int | None = None) -> Position:
    """Return the position that a JSON object describes.

    The object has a `grid` as `format_json` writes it, or else `moves`, a move string. `width` and
    `height` may be left out, unknown keys are ignored. In a grid from elsewhere player 1 need not have
    started, so `player`, the number of the player to move, must be known: from the object or, failing
    that, from the argument. In the position that is returned player 1 has always started.

    >>> parse_json('{"moves": "4455"}') == Position("4455")
    True
    """
    return from_json_object(load_json(text), player=player)


def to_json_object(position: Position) -> dict[str, object]:
    """Return what `format_json` writes, as a dictionary."""
    return _core.position_json(position)


def from_json_object(content: object, *, player: int | None = None) -> Position:
    """Return the position of an object that was JSON; see `parse_json`."""
    return _core.position_from_json(content, 0 if player is None else player)
