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
    BookWarning,
    ClusterError,
    CommunityError,
    FinishedGameError,
    ForfeitError,
    FourcastError,
    GameFileError,
    IllegalMoveError,
    InvalidNotationError,
    InvalidPositionError,
    MissingExtraError,
    OptionError,
    SettingsError,
    StoppedError,
    UnknownPlayerError,
)

if TYPE_CHECKING:
    from fourcast.arena.match import Match
    from fourcast.game import Game, Outcome, Termination
    from fourcast.players import Player, describe_player, player, player_names
    from fourcast.study.review import MoveReview, Review, Verdict, review

__all__ = [
    "Analysis",
    "Book",
    "BookError",
    "BookWarning",
    "ClusterError",
    "Columns",
    "CommunityError",
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
    "MoveReview",
    "OptionError",
    "Outcome",
    "Player",
    "Playouts",
    "Position",
    "Result",
    "Review",
    "SettingsError",
    "Solver",
    "StoppedError",
    "Termination",
    "UnknownPlayerError",
    "Verdict",
    "__version__",
    "describe_player",
    "perft",
    "player",
    "player_names",
    "playouts",
    "review",
]

# Imported when they are asked for, so that `import fourcast` stays quick.
_LAZY = {
    "Game": "fourcast.game",
    "Match": "fourcast.arena.match",
    "MoveReview": "fourcast.study.review",
    "Outcome": "fourcast.game",
    "Player": "fourcast.players",
    "Review": "fourcast.study.review",
    "Termination": "fourcast.game",
    "Verdict": "fourcast.study.review",
    "describe_player": "fourcast.players",
    "player": "fourcast.players",
    "player_names": "fourcast.players",
    "review": "fourcast.study.review",
}


def __getattr__(name: str) -> object:
    if name not in _LAZY:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    value = globals()[name] = getattr(import_module(_LAZY[name]), name)
    return value


def __dir__() -> list[str]:
    return __all__
