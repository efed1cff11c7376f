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
    evaluate,
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
    from fourcast.evaluation import Streaks, rate_columns, streaks
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
    "Streaks",
    "Termination",
    "UnknownPlayerError",
    "Verdict",
    "__version__",
    "describe_player",
    "evaluate",
    "perft",
    "player",
    "player_names",
    "playouts",
    "rate_columns",
    "review",
    "streaks",
]

# Imported when they are asked for, so that `import fourcast` stays quick.
_LAZY = {
    "Game": "fourcast.game",
    "Match": "fourcast.arena.match",
    "MoveReview": "fourcast.study.review",
    "Outcome": "fourcast.game",
    "Player": "fourcast.players",
    "Review": "fourcast.study.review",
    "Streaks": "fourcast.evaluation",
    "Termination": "fourcast.game",
    "Verdict": "fourcast.study.review",
    "describe_player": "fourcast.players",
    "player": "fourcast.players",
    "player_names": "fourcast.players",
    "rate_columns": "fourcast.evaluation",
    "review": "fourcast.study.review",
    "streaks": "fourcast.evaluation",
}


def __getattr__(name: str) -> object:
    if name not in _LAZY:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    value = globals()[name] = getattr(import_module(_LAZY[name]), name)
    return value


def __dir__() -> list[str]:
    return __all__
