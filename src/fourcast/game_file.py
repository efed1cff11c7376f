"""What a text or a file stands for that may be a game or a position; `Game` reads and writes game files.

The formats are described in `docs/game-files.md`.
"""

from __future__ import annotations

import os

from fourcast.files import read_text
from fourcast.game import Game, game_of_text, in_file

__all__ = ["recognize", "recognize_file"]


def recognize(text: str, *, width: int = 7, height: int = 6) -> Game:
    """Return the game of a text that may be anything that fourcast reads.

    That is a game file (text or JSON), moves (columns, or squares such as `d1`), a diagram, a position
    in JSON, or the address of a board on the page; diagrams and positions are games that start there and
    have no moves yet. *width* and *height* are those of the board if the text does not say. Raises
    `GameFileError`, which says what it was taken for if that is not plain.

    >>> recognize("4, 4, 4, 5, 5").moves
    '44455'
    >>> recognize("1. d1 d2 2. c1").moves
    '443'
    >>> recognize("..../..../..../XO..").start.ply
    2
    """
    return game_of_text(text, width=width, height=height)


def recognize_file(path: str | os.PathLike[str], *, width: int = 7, height: int = 6) -> Game:
    """Return the game of a file that may hold anything that fourcast reads; see `recognize`."""
    text = read_text(path)
    with in_file(path):
        return recognize(text, width=width, height=height)
