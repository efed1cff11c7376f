"""Games and positions as the commands are given them: moves, a game file, or standard input."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import typer

from fourcast import game_file
from fourcast._core import Position
from fourcast.errors import FinishedGameError, InvalidNotationError
from fourcast.files import MAX_FILE, decode
from fourcast.game import Game
from fourcast.notation import parse_moves

STANDARD_INPUT = "-"


def given_game(
    argument: str | None, moves: str | None, load: Path | None, *, width: int, height: int
) -> Game | None:
    """Return the game that a command is given, or None if it is to read standard input.

    *argument* and *moves* are move strings, *load* is a file; a command takes one of the three.
    """
    text = given_moves(argument, moves, load)
    if load is not None:
        return game_file.recognize_file(load, width=width, height=height)
    if text is None or text == STANDARD_INPUT:
        return None
    return Game(text.strip(), width=width, height=height)


def given_moves(argument: str | None, moves: str | None, load: Path | None) -> str | None:
    """Return the move string that a command is given, as an argument or as an option, if any."""
    if sum(given is not None for given in (argument, moves, load)) > 1:
        raise typer.BadParameter("give MOVES, --moves or --load, only one of them")
    return argument if moves is None else moves


def read_standard_input(*, width: int, height: int) -> Game:
    """Return the game on standard input, in any form that fourcast reads."""
    if sys.stdin.isatty():
        print("A game file, moves or a diagram; Ctrl-D ends the input.", file=sys.stderr)
    content = sys.stdin.buffer.read(MAX_FILE + 1)
    return game_file.recognize(decode(content), width=width, height=height)


def check_unfinished(position: Position) -> None:
    """Raise `FinishedGameError`, in one line, if there is nothing to solve."""
    if position.is_over:
        how = "the board is full" if position.winner is None else "there is a four in a row"
        raise FinishedGameError(f"the game is over, there is nothing to solve: {how}")


def moves_from_start(game: Game) -> str | None:
    """Return the moves that lead from the empty board to where *game* stands, or None if none do."""
    return None if game.start.ply else game.moves


def is_file_name(text: str, width: int) -> bool:
    """Whether *text* names a file rather than moves: there is such a file, or it cannot be moves."""
    if text == STANDARD_INPUT:
        return False
    if os.path.exists(text):
        return True
    if text.isdecimal():
        return False  # wrong moves, perhaps
    try:
        parse_moves(text, width)
    except InvalidNotationError:
        return True
    return False
