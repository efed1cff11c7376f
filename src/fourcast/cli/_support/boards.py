"""Boards as the commands print them."""

from __future__ import annotations

import shutil
import sys

from fourcast.cli._support.options import StyleChoice
from fourcast.game import Game
from fourcast.render.text import Style, best_style, board, can_color

WIDE = 10_000


def chosen_style(style: StyleChoice | None) -> Style:
    """Return the style that was asked for, or the best one that standard output can show."""
    return best_style(sys.stdout) if style is None else style.value


def text_width() -> int:
    """Return how many columns a text may take: those of the terminal; a file has room."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else WIDE


def print_board(game: Game, style: Style) -> None:
    """Print where *game* stands, with its last move marked."""
    last = game.columns[-1] if game.columns else None
    print(board(game.position, style=style, last=last, color=can_color(sys.stdout)))
