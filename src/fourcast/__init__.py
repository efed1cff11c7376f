"""Connect Four: play it, solve it, explain it."""

from typing import TYPE_CHECKING

from fourcast._core import Columns, Playouts, Position, perft, playouts
from fourcast._core import version as __version__
from fourcast.errors import (
    FourcastError,
    GameFileError,
    IllegalMoveError,
    InvalidNotationError,
    InvalidPositionError,
)

if TYPE_CHECKING:
    from fourcast.game import Game, Outcome, Termination

__all__ = [
    "Columns",
    "FourcastError",
    "Game",
    "GameFileError",
    "IllegalMoveError",
    "InvalidNotationError",
    "InvalidPositionError",
    "Outcome",
    "Playouts",
    "Position",
    "Termination",
    "__version__",
    "perft",
    "playouts",
]

# Imported when they are asked for, so that `import fourcast` stays quick.
_LAZY = {
    "Game": "fourcast.game",
    "Outcome": "fourcast.game",
    "Termination": "fourcast.game",
}


def __getattr__(name: str) -> object:
    if name not in _LAZY:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    value = globals()[name] = getattr(import_module(_LAZY[name]), name)
    return value


def __dir__() -> list[str]:
    return __all__
