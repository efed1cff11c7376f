"""Games and positions as people give them to commands."""

from __future__ import annotations

import os
import sys

from fourcast import game_file
from fourcast._core import Position
from fourcast.errors import FinishedGameError, InvalidNotationError
from fourcast.files import MAX_FILE, decode
from fourcast.game import Game
from fourcast.notation import parse_moves

STANDARD_INPUT = "-"


def read_standard_input(*, width: int, height: int) -> Game:
    """Return the game on standard input, in any form that fourcast reads."""
    if sys.stdin.isatty():
        print("A game file, moves or a diagram; Ctrl-D ends the input.", file=sys.stderr)
    content = sys.stdin.buffer.read(MAX_FILE + 1)
    return game_file.recognize(decode(content), width=width, height=height)


def check_unfinished(position: Position) -> None:
    """Raise `FinishedGameError`, in one line, if there is nothing to solve."""
    if position.is_over:
        connect = position.rules.connect
        won = "error.solve_four" if connect == 4 else "error.solve_line"
        code = "error.solve_full" if position.winner is None else won
        raise FinishedGameError(code, facts={"count": connect})


def moves_from_start(game: Game) -> str | None:
    """Return the moves that lead from the empty board to where *game* stands, or None if none do."""
    return None if game.start.ply else game.moves


def is_file_name(text: str, width: int, pop: bool = False) -> bool:
    """Whether *text* names a file rather than moves: there is such a file, or it cannot be moves."""
    if text == STANDARD_INPUT:
        return False
    if os.path.exists(text):
        return True
    digits = text[1:] if pop and text.startswith("p") else text
    if digits[:1].isdecimal() and "." not in text:
        return False  # wrong moves, perhaps
    try:
        parse_moves(text, width, pop)
    except InvalidNotationError:
        return True
    return False
