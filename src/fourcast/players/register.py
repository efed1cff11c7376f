"""The players by name: one file each, imported when its player is asked for."""

from __future__ import annotations

from importlib import import_module
from inspect import signature
from typing import Any, Protocol

from fourcast._core import Position
from fourcast.errors import UnknownPlayerError, require
from fourcast.notation import nearest, quote

__all__ = [
    "BuiltInPlayer",
    "Player",
    "describe_player",
    "player_class",
    "player_names",
    "player_options",
    "plays_all_rules",
    "rating",
]

# Name -> module in this package, and class.
_PLAYERS = {
    "random": ("random_player", "RandomPlayer"),
    "winning": ("winning_player", "WinningPlayer"),
    "rated": ("rated_player", "RatedPlayer"),
    "depth": ("depth_player", "DepthPlayer"),
    "streaks": ("streaks_player", "StreaksPlayer"),
    "winsets": ("winsets_player", "WinSetsPlayer"),
    "mcts": ("mcts_player", "MctsPlayer"),
    "perfect": ("perfect_player", "PerfectPlayer"),
    "proof": ("proof_player", "ProofPlayer"),
    **{f"level-{level}": ("level_player", f"Level{level}") for level in range(1, 11)},
}


class Player(Protocol):
    """Anything that can choose a move. It may remember and learn, but it never prints."""

    name: str

    def choose(self, position: Position) -> int:
        """Return an open column of *position*; raise `FinishedGameError` if the game is over."""
        ...


class BuiltInPlayer(Player, Protocol):
    """A player that `player` returns. It also takes a position as a string of moves."""

    def choose(self, position: Position | str) -> int:
        """Return an open column of *position*; raise `FinishedGameError` if the game is over."""
        ...


def player_names() -> tuple[str, ...]:
    """Return the names of all players, the simple ones first, then the levels."""
    return tuple(_PLAYERS)


def plays_all_rules(name: str) -> bool:
    """Whether a player knows other rules than the standard ones.

    >>> plays_all_rules("mcts"), plays_all_rules("level-3")
    (True, False)
    """
    player_class(name)  # complains if there is none
    return name in ("random", "winning", "rated", "depth", "mcts", "perfect")


def describe_player(name: str) -> str:
    """Return a sentence on how a player plays.

    >>> describe_player("random")
    'Plays any open column.'
    """
    return str(player_class(name).__doc__).partition("\n")[0]


def player_options(name: str) -> dict[str, object]:
    """Return the options of a player, with what they are if they are not given.

    >>> player_options("depth")
    {'depth': 6, 'time_s': None, 'threads': 1, 'seed': None}
    """
    options = signature(player_class(name)).parameters
    return {option: parameter.default for option, parameter in options.items()}


def rating(name: str) -> int | None:
    """Return how strong a player is by the tournaments in the repository: Elo points above `random`.

    None for a player that took no part. It is that of the player without options.

    >>> rating("random")
    0
    """
    from fourcast.players.ratings import ELO

    player_class(name)  # complains if there is none
    return ELO.get(name)


def player_class(name: str) -> Any:
    """Return the class of a player. Raises `UnknownPlayerError`, which lists the names there are."""
    require("name", name, str)
    if name not in _PLAYERS:
        meant = nearest(name, _PLAYERS)
        guess = f": did you mean {meant!r}?" if meant else "."
        there_are = f"There are: {', '.join(_PLAYERS)}"
        raise UnknownPlayerError(f"no player is called {quote(name)}{guess} {there_are}")
    module, class_name = _PLAYERS[name]
    return getattr(import_module(f"fourcast.players.{module}"), class_name)
