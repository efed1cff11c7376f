"""Columns and positions as text: move strings, diagrams and JSON, read and written.

People count columns from 1 and call the tenth `a`; the code counts from 0. This module is the only
place in Python where one becomes the other. Input is not trusted: sizes are bounded, nothing is guessed,
and an error quotes what it could not read.

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
import re
from collections.abc import Iterable, Sequence

from fourcast import _core
from fourcast._core import Position, parse_moves, play_moves
from fourcast.errors import InvalidNotationError, OptionError

__all__ = [
    "column_names",
    "format_column",
    "format_json",
    "format_moves",
    "format_rows",
    "from_json_object",
    "load_json",
    "looks_like_diagram",
    "nearest",
    "parse_column",
    "parse_diagram",
    "parse_json",
    "parse_moves",
    "parse_rows",
    "play_moves",
    "quote",
    "require_position",
    "suggest",
    "to_json_object",
]

RED, YELLOW = "\N{LARGE RED CIRCLE}", "\N{LARGE YELLOW CIRCLE}"

MAX_TEXT = 65_536
"""No position needs a longer text: the largest board has 125 squares."""

_NAMES = "123456789abcdefghijklmnopqrstuvwxyz"
_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_CELLS = {
    **dict.fromkeys((".", ".."), 0),
    **dict.fromkeys(("X", "x", "R", "r", RED), 1),
    **dict.fromkeys(("O", "o", "Y", "y", YELLOW), 2),
}
_COLOR_CODE = re.compile(r"\x1b\[[0-9;]*m")
_ROW_NUMBER = re.compile(r"^\s*[0-9]{1,2}\s+|\s+[0-9]{1,2}\s*$")
_FRAME = "()[]|*"  # sides of a board, and the marks of the last move and of a four
_RULE = set("+-=_|/\\ ")  # a line drawn above or below the board


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


def nearest(given: object, known: Iterable[str]) -> str | None:
    """Return which of *known* was probably meant by *given*, or None.

    >>> nearest("dept", ["depth", "seed"])
    'depth'
    """
    from difflib import get_close_matches

    return next(iter(get_close_matches(str(given)[:100], list(known), n=1)), None)


def require_position(given: object) -> None:
    """Raise `TypeError`, with an example, for what is not a `Position`."""
    if not isinstance(given, Position):
        name = type(given).__name__
        raise TypeError(f"position must be a Position, for example Position('44'), not {name}")


def suggest(given: object, known: Iterable[str]) -> str:
    """Return advice about a name that is not among *known*: the nearest one, or the whole list.

    >>> suggest("dept", ["depth", "seed"]), suggest("x", ["depth", "seed"])
    ("did you mean 'depth'?", 'there are depth, seed')
    """
    names = list(known)
    meant = nearest(given, names)
    return f"did you mean {meant!r}?" if meant else f"there are {', '.join(names)}"


def _checked(text: str, what: str) -> str:
    """Return *text* if it is one, and not too long to be read."""
    if not isinstance(text, str):
        raise TypeError(f"{what} must be a str, not {type(text).__name__}")
    if len(text) > MAX_TEXT:
        raise InvalidNotationError(f"{what} of {len(text)} characters is too long: {quote(text)}")
    return text


# Columns and move strings


def column_names(width: int = 7) -> str:
    """Return what people call the columns of a board, from left to right.

    >>> column_names(11)
    '123456789ab'
    """
    return _NAMES[:width]


def format_column(column: int) -> str:
    """Return what people call *column*.

    >>> format_column(0), format_column(9)
    ('1', 'a')
    """
    if not 0 <= column < len(_NAMES):
        raise OptionError(f"no column has the number {quote(column)}")
    return _NAMES[column]


def parse_column(text: str, width: int = 7) -> int:
    """Return the column that a person means by *text*.

    Past the ninth column both the letter and the number are understood. Raises `InvalidNotationError`.

    >>> parse_column("4"), parse_column("a", width=12), parse_column("10", width=12)
    (3, 9, 9)
    >>> parse_column("8")
    Traceback (most recent call last):
    fourcast.errors.InvalidNotationError: there is no column '8': the columns are 1 to 7
    """
    name = _checked(text, "a column").strip()
    names = column_names(width)
    if len(name) == 1 and name.isascii() and name.lower() in names:
        return names.index(name.lower())
    is_number = name.isascii() and name.isdecimal()
    if is_number and len(name) == 2 and 10 <= int(name) <= width:
        return int(name) - 1
    code = "error.no_column" if is_number else "error.not_column"
    raise InvalidNotationError(code, facts={"column": quote(name), "last": names[-1]})


def format_moves(columns: Iterable[int]) -> str:
    """Return the move string of *columns*.

    >>> format_moves([3, 3, 0])
    '441'
    """
    return "".join(map(format_column, columns))


# Diagrams


def parse_diagram(text: str) -> Position:
    """Return the position that a diagram shows, top row first, as any part of fourcast prints it.

    Squares are `X`, `O` and `.`, or `R`, `Y` and `.`, or discs and `..`, with or without spaces between.
    A frame, a line of column names (numbers, or letters from `a`), numbers of rows, marks around the
    last move or a four, and colors are understood and not needed.
    Raises `InvalidNotationError` with the line and character that it cannot read, and
    `InvalidPositionError` if no game leads there; X, which is red, always started.

    >>> position = parse_diagram('''
    ...     1 2 3 4
    ...     . . . .
    ...     . . . .
    ...     . O . .
    ...     X X . .
    ... ''')
    >>> position.width, position.ply, position.turn
    (4, 3, 2)
    """
    text = _checked(text, "a diagram")
    rows: list[list[int]] = []
    header: tuple[int, dict[str, object]] | None = None
    for number, line in enumerate(_COLOR_CODE.sub("", text).splitlines(), start=1):
        where = {"line": number, "text": quote(line)}
        if set(line) <= _RULE:
            continue
        bare = line.translate({ord(mark): " " for mark in _FRAME})
        names = "".join(bare.split())
        if names and names.lower() in (column_names(len(names)), _LETTERS[: len(names)]):
            header = (len(names), where)
            continue
        row = _parse_row(_ROW_NUMBER.sub(" ", bare), where)
        if rows and len(row) != len(rows[0]):
            facts = {**where, "squares": len(row), "above": len(rows[0])}
            raise InvalidNotationError("error.diagram_ragged", facts=facts)
        rows.append(row)
    if not rows:
        raise InvalidNotationError("error.no_board", facts={"text": quote(text)})
    if header and header[0] != len(rows[0]):
        facts = {**header[1], "columns": header[0], "squares": len(rows[0])}
        raise InvalidNotationError("error.diagram_names", facts=facts)
    return Position.from_grid(rows, order="rows", top_first=True)


def _parse_row(line: str, where: dict[str, object]) -> list[int]:
    row = []
    for run in line.split():
        # Beside discs, or alone, two dots are one empty square as wide as a disc; else each is a square.
        wide = run == ".." or RED in run or YELLOW in run
        for cell in re.findall(r"\.\.|.", run) if wide else run:
            if cell not in _CELLS:
                raise InvalidNotationError("error.diagram_square", facts={**where, "name": quote(cell)})
            row.append(_CELLS[cell])
    return row


def looks_like_diagram(text: str) -> bool:
    """Return whether a text is a diagram rather than moves: with a disc, or a line of empty squares.

    >>> looks_like_diagram("..../..../..../...."), looks_like_diagram("1. 4 4")
    (True, False)
    """
    bare = _COLOR_CODE.sub("", text).translate({ord(mark): " " for mark in _FRAME})
    line = r"^[ \t]*(?:[0-9]{1,2}[ \t]+)?[xory.][ \txory.]*$"
    return bool(re.search(rf"[XORY/{RED}{YELLOW}]|{line}", bare, re.MULTILINE))


def format_rows(position: Position) -> str:
    """Return *position* on one line, for addresses: its rows from the top, joined by `/`.

    >>> format_rows(Position("12", width=4, height=4))
    '..../..../..../XO..'
    """
    return position.to_rows()


def parse_rows(text: str) -> Position:
    """Return the position of a diagram on one line, written in any way that `parse_diagram` reads.

    >>> parse_rows("..../..../..../XO..") == Position("12", width=4, height=4)
    True
    """
    return parse_diagram(_checked(text, "a diagram").replace("/", "\n"))


# JSON


def load_json(text: str) -> object:
    """Return what a JSON text says, without the leniency of `json.loads`.

    Refused with `InvalidNotationError`: more than 64 KiB, a key that is there twice, NaN and infinities,
    and nesting that is too deep.
    """

    def unique(pairs: Sequence[tuple[str, object]]) -> dict[str, object]:
        keys = dict(pairs)
        if len(keys) < len(pairs):
            twice = next(key for i, (key, _) in enumerate(pairs) if key in dict(pairs[:i]))
            raise InvalidNotationError(f"the key {quote(twice)} is there twice in the JSON")
        return keys

    def refuse(constant: str) -> object:
        raise InvalidNotationError(f"{constant} is not a number of JSON")

    text = _checked(text, "a text of JSON")
    try:
        return json.loads(text, object_pairs_hook=unique, parse_constant=refuse)
    except json.JSONDecodeError as error:
        raise InvalidNotationError(f"line {error.lineno}: {error.msg}, in {quote(text)}") from None
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
    return {
        "grid": position.to_grid(order="columns", top_first=True),
        "height": position.height,
        "player": position.turn,
        "width": position.width,
    }


def from_json_object(content: object, *, player: int | None = None) -> Position:
    """Return the position of an object that was JSON; see `parse_json`."""
    if not isinstance(content, dict):
        raise InvalidNotationError(f"{quote(content)} is not a JSON object")
    if "grid" in content:
        return _from_grid_object(content, player)
    if "moves" not in content:
        raise InvalidNotationError(f"neither 'grid' nor 'moves' is in {quote(content)}")
    moves = content["moves"]
    if not isinstance(moves, str):
        raise InvalidNotationError(f"'moves' must be a move string, not {quote(moves)}")
    width, height = (_whole(content, key, default) for key, default in (("width", 7), ("height", 6)))
    return Position(moves, width=width, height=height)


def _from_grid_object(content: dict[str, object], player: int | None) -> Position:
    grid = content["grid"]
    if not isinstance(grid, list) or not all(isinstance(column, list) for column in grid):
        raise InvalidNotationError(f"'grid' must be a list of columns, not {quote(grid)}")
    for key, actual in (("width", len(grid)), ("height", len(grid[0]) if grid else 0)):
        if (said := _whole(content, key, actual)) != actual:
            raise InvalidNotationError(f"'{key}' is {said}, but the grid's is {actual}")
    mover = _whole(content, "player", 0 if player is None else player)
    if mover not in (1, 2):
        raise InvalidNotationError(f"'player', whose turn it is, must be 1 or 2 in {quote(content)}")
    for number, column in enumerate(grid, start=1):
        for cell in column:
            if type(cell) is not int or cell not in (0, 1, 2):
                raise InvalidNotationError(f"{quote(cell)} in column {number} is not 0, 1 or 2")
    return Position.from_grid(grid, order="columns", top_first=True, turn=mover)


def _whole(content: dict[str, object], key: str, default: int) -> int:
    value = content.get(key, default)
    if type(value) is not int:
        raise InvalidNotationError(f"'{key}' must be a whole number, not {quote(value)}")
    return value
