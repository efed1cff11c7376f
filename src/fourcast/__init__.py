"""Connect Four: play it, solve it, explain it."""

from fourcast._core import Columns, Playouts, Position, perft, playouts
from fourcast._core import version as __version__
from fourcast.errors import (
    FourcastError,
    IllegalMoveError,
    InvalidNotationError,
    InvalidPositionError,
)

__all__ = [
    "Columns",
    "FourcastError",
    "IllegalMoveError",
    "InvalidNotationError",
    "InvalidPositionError",
    "Playouts",
    "Position",
    "__version__",
    "perft",
    "playouts",
]
