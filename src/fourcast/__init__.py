"""Connect Four: play it, solve it, explain it."""

# Also for type checkers, which know the name; `typing` itself would take longer than all of this.
TYPE_CHECKING = False

if TYPE_CHECKING:
    from fourcast._core import (
        Analysis,
        Book,
        Columns,
        Limit,
        Line,
        Playouts,
        Position,
        Result,
        evaluate,
        perft,
        playouts,
    )
    from fourcast._core import version as __version__
    from fourcast.arena.match import Match
    from fourcast.errors import (
        BookError,
        BookWarning,
        CheckpointError,
        ClusterError,
        CommunityError,
        DatasetError,
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
    from fourcast.evaluation import Streaks, rate_columns, streaks
    from fourcast.game import Game, Outcome, Termination
    from fourcast.players import Player, describe_player, player, player_names
    from fourcast.render.notebook import show
    from fourcast.search import Search
    from fourcast.solver import Solver
    from fourcast.study.explain import Explanation, MoveExplanation, explain, explain_move
    from fourcast.study.review import MoveReview, Review, Verdict, review

__all__ = [
    "Analysis",
    "Book",
    "BookError",
    "BookWarning",
    "CheckpointError",
    "ClusterError",
    "Columns",
    "CommunityError",
    "DatasetError",
    "Explanation",
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
    "MoveExplanation",
    "MoveReview",
    "OptionError",
    "Outcome",
    "Player",
    "Playouts",
    "Position",
    "Result",
    "Review",
    "Search",
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
    "explain",
    "explain_move",
    "perft",
    "player",
    "player_names",
    "playouts",
    "rate_columns",
    "review",
    "show",
    "streaks",
]

# Imported when they are asked for, so that `import fourcast` takes next to no time.
_LAZY = {
    "Analysis": "fourcast._core",
    "Book": "fourcast._core",
    "BookError": "fourcast.errors",
    "BookWarning": "fourcast.errors",
    "CheckpointError": "fourcast.errors",
    "ClusterError": "fourcast.errors",
    "Columns": "fourcast._core",
    "CommunityError": "fourcast.errors",
    "DatasetError": "fourcast.errors",
    "Explanation": "fourcast.study.explain",
    "FinishedGameError": "fourcast.errors",
    "ForfeitError": "fourcast.errors",
    "FourcastError": "fourcast.errors",
    "Game": "fourcast.game",
    "GameFileError": "fourcast.errors",
    "IllegalMoveError": "fourcast.errors",
    "InvalidNotationError": "fourcast.errors",
    "InvalidPositionError": "fourcast.errors",
    "Limit": "fourcast._core",
    "Line": "fourcast._core",
    "Match": "fourcast.arena.match",
    "MissingExtraError": "fourcast.errors",
    "MoveExplanation": "fourcast.study.explain",
    "MoveReview": "fourcast.study.review",
    "OptionError": "fourcast.errors",
    "Outcome": "fourcast.game",
    "Player": "fourcast.players",
    "Playouts": "fourcast._core",
    "Position": "fourcast._core",
    "Result": "fourcast._core",
    "Review": "fourcast.study.review",
    "Search": "fourcast.search",
    "SettingsError": "fourcast.errors",
    "Solver": "fourcast.solver",
    "StoppedError": "fourcast.errors",
    "Streaks": "fourcast.evaluation",
    "Termination": "fourcast.game",
    "UnknownPlayerError": "fourcast.errors",
    "Verdict": "fourcast.study.review",
    "describe_player": "fourcast.players",
    "evaluate": "fourcast._core",
    "explain": "fourcast.study.explain",
    "explain_move": "fourcast.study.explain",
    "perft": "fourcast._core",
    "player": "fourcast.players",
    "player_names": "fourcast.players",
    "playouts": "fourcast._core",
    "rate_columns": "fourcast.evaluation",
    "review": "fourcast.study.review",
    "show": "fourcast.render.notebook",
    "streaks": "fourcast.evaluation",
}


def __getattr__(name: str) -> object:
    from importlib import import_module

    if name == "__version__":
        value: object = import_module("fourcast._core").version
    elif name in _LAZY:
        value = getattr(import_module(_LAZY[name]), name)
    elif name in ("_core", "errors"):  # which were always there after `import fourcast`
        value = import_module(f"fourcast.{name}")
    else:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
