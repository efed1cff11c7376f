"""The lines of the protocol: what a referee asks, what a player answers, and the player's side of it."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from typing import BinaryIO, TextIO

from fourcast._core import Position
from fourcast.errors import FourcastError, IllegalMoveError, InvalidNotationError
from fourcast.notation import from_json_object, load_json, quote, to_json_object
from fourcast.players import Player
from fourcast.players.choosing import position_to_move

EXIT = ":exit"
MAX_LINE = 65_536
"""Bytes of the longest line that either side reads."""


def format_request(position: Position) -> str:
    """Return the line, without its end, that asks for a move in *position*."""
    return json.dumps(to_json_object(position))


def parse_answer(line: str, position: Position) -> int:
    """Return the column that a player's line names.

    Raises `InvalidNotationError` for what is not `{"move": column}`, and `IllegalMoveError` for a column
    that cannot be played.

    >>> parse_answer('{"move": 3, "comment": "the center"}', Position())
    3
    """
    try:
        answer = load_json(line)
    except InvalidNotationError:
        answer = None
    if not isinstance(answer, dict) or "move" not in answer:
        raise InvalidNotationError(f'{quote(line)} is not an answer such as {{"move": 3}}')
    column = answer["move"]
    if type(column) is not int:
        raise InvalidNotationError(
            f'the move {quote(column)} is not a whole number, as in {{"move": 3}}'
        )
    most = 2 * position.width if position.rules.pop else position.width - 1
    if not 0 <= column <= most:
        bounds = f"moves are 0 to {most}"
        message = f'{{"move": {quote(column)}}} is off the board: {bounds}'
        raise IllegalMoveError(message, reason="off the board", ply=position.ply)
    if error := position.refusal(column):
        raise IllegalMoveError(
            f'{{"move": {column}}} cannot be played: {error}, counted from 1',
            column=column,
            reason=error.reason,
            ply=error.ply,
        )
    return column


def serve(
    player: Player,
    *,
    number: int | None = None,
    size: tuple[int | None, int | None] = (None, None),
    source: BinaryIO | None = None,
    target: TextIO | None = None,
    errors: TextIO | None = None,
    echo: TextIO | None = None,
) -> None:
    """Answer each line of *source* with a move of *player*, until it ends or says `:exit`.

    *number* is the player's, for requests that do not say whose turn it is; *size* the width and height
    that a request must have. What cannot be used is answered with `{"error": ...}`, told on *errors*,
    and the next line is served. By default these are the standard streams. With *echo*, requests and
    answers are written there as well.
    """
    target, errors = target or sys.stdout, errors or sys.stderr
    for line in _lines(source or sys.stdin.buffer):
        if line.strip() == EXIT:
            return
        if not line.strip():
            continue
        if echo:
            print(f"> {line}", file=echo, flush=True)
        try:
            answer: dict[str, object] = {"move": player.choose(_read_request(line, number, size))}
        except (FourcastError, TypeError, ValueError) as error:
            print(f"fourcast player: {error}", file=errors, flush=True)
            answer = {"error": str(error)}
        if echo:
            print(f"< {json.dumps(answer)}", file=echo, flush=True)
        print(json.dumps(answer), file=target, flush=True)


def _read_request(line: str, number: int | None, size: tuple[int | None, int | None]) -> Position:
    if len(line) > MAX_LINE:
        raise InvalidNotationError(f"a line of more than {MAX_LINE} bytes is not read: {quote(line)}")
    position = from_json_object(load_json(line), player=number)
    for key, wanted, actual in zip(
        ("width", "height"), size, (position.width, position.height), strict=True
    ):
        if wanted not in (None, actual):
            raise InvalidNotationError(f"the board's {key} is {actual}, but {wanted} was agreed on")
    return position_to_move(position)


def _lines(source: BinaryIO) -> Iterator[str]:
    """Lines as they come; of one that is too long the beginning, and a byte more than is allowed."""
    while line := source.readline(MAX_LINE + 2):
        if len(line) > MAX_LINE + 1 and not line.endswith(b"\n"):
            while (rest := source.readline(MAX_LINE)) and not rest.endswith(b"\n"):
                pass
        yield line.decode("utf-8", "replace").rstrip("\r\n")
