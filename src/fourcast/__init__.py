"""Connect Four: play it, solve it, explain it."""

from typing import TYPE_CHECKING

from fourcast._core import (
    Analysis,
    Book,
    Columns,
    Limit,
    Line,
    Playouts,
    Position,
    Result,
    Solver,
    perft,
    playouts,
)
from fourcast._core import version as __version__
from fourcast.errors import (
    BookError,
    FinishedGameError,
    ForfeitError,
    FourcastError,
    GameFileError,
    IllegalMoveError,
    InvalidNotationError,
    InvalidPositionError,
    MissingExtraError,
    StoppedError,
    UnknownPlayerError,
)

if TYPE_CHECKING:
    from fourcast.arena.match import Match
    from fourcast.game import Game, Outcome, Termination
    from fourcast.players import Player, describe_player, player, player_names

__all__ = [
    "Analysis",
    "Book",
    "BookError",
    "Columns",
    "FinishedGameError",
    "ForfeitError",
    "FourcastError",
    "Game",
    "GameFileError",
    "IllegalMoveError",
    "InvalidNotationError",
    "InvalidPositionError",
    "Limit",
    "Line",
    "Match",
    "MissingExtraError",
    "Outcome",
    "Player",
    "Playouts",
    "Position",
    "Result",
    "Solver",
    "StoppedError",
    "Termination",
    "UnknownPlayerError",
    "__version__",
    "describe_player",
    "perft",
    "player",
    "player_names",
    "playouts",
]

# Imported when they are asked for, so that `import fourcast` stays quick.
_LAZY = {
    "Game": "fourcast.game",
    "Match": "fourcast.arena.match",
    "Outcome": "fourcast.game",
    "Player": "fourcast.players",
    "Termination": "fourcast.game",
    "describe_player": "fourcast.players",
    "player": "fourcast.players",
    "player_names": "fourcast.players",
}


def __getattr__(name: str) -> object:
    if name not in _LAZY:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    value = globals()[name] = getattr(import_module(_LAZY[name]), name)
    return value


def __dir__() -> list[str]:
    return __all__
