"""Players: each looks at a position and chooses a column. One file a player; this is their register.

>>> player("winning", seed=1).choose(Position("171615"))
0
>>> player_names()[:3]
('random', 'winning', 'rated')
"""

from __future__ import annotations

from importlib import import_module
from inspect import signature
from typing import Any, Protocol, cast

from fourcast._core import Position
from fourcast.errors import UnknownPlayerError
from fourcast.notation import nearest, quote

__all__ = ["Player", "describe_player", "player", "player_names", "player_options", "rating"]

# Name -> module in this package, and class. A module is imported when its player is asked for.
_PLAYERS = {
    "random": ("random_player", "RandomPlayer"),
    "winning": ("winning_player", "WinningPlayer"),
    "rated": ("rated_player", "RatedPlayer"),
    "depth": ("depth_player", "DepthPlayer"),
    "streaks": ("streaks_player", "StreaksPlayer"),
    "winsets": ("winsets_player", "WinSetsPlayer"),
    "mcts": ("mcts_player", "MctsPlayer"),
    "perfect": ("perfect_player", "PerfectPlayer"),
    **{f"level-{level}": ("level_player", f"Level{level}") for level in range(1, 11)},
}


class Player(Protocol):
    """Anything that can choose a move. It may remember and learn, but it never prints."""

    name: str

    def choose(self, position: Position) -> int:
        """Return an open column of *position*; raise `FinishedGameError` if the game is over."""
        ...


def player(name: str, **options: Any) -> Player:
    """Return a new player of this name; *options* are those of its class, `seed` in any case.

    With the same seed a player makes the same choices. Raises `UnknownPlayerError`, which lists the
    names there are.

    >>> player("radnom")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    fourcast.errors.UnknownPlayerError: no player is called 'radnom': did you mean 'random'? \
There are: random, winning, ...
    """
    return cast(Player, _player_class(name)(**options))


def player_names() -> tuple[str, ...]:
    """Return the names of all players, the simple ones first, then the levels."""
    return tuple(_PLAYERS)


def describe_player(name: str) -> str:
    """Return a sentence on how a player plays.

    >>> describe_player("random")
    'Plays any open column.'
    """
    return str(_player_class(name).__doc__).partition("\n")[0]


def player_options(name: str) -> dict[str, object]:
    """Return the options of a player, with what they are if they are not given.

    >>> player_options("depth")
    {'depth': 6, 'time_s': None, 'threads': 1, 'seed': None}
    """
    options = signature(_player_class(name)).parameters
    return {option: parameter.default for option, parameter in options.items()}


def rating(name: str) -> int | None:
    """Return how strong a player is by the tournaments in the repository: Elo points above `random`.

    None for a player that took no part. It is that of the player without options.

    >>> rating("random")
    0
    """
    from fourcast.players.ratings import ELO

    _player_class(name)  # complains if there is none
    return ELO.get(name)


def _player_class(name: str) -> Any:
    if name not in _PLAYERS:
        meant = nearest(name, _PLAYERS)
        guess = f": did you mean {meant!r}?" if meant else "."
        there_are = f"There are: {', '.join(_PLAYERS)}"
        raise UnknownPlayerError(f"no player is called {quote(name)}{guess} {there_are}")
    module, class_name = _PLAYERS[name]
    return getattr(import_module(f"{__name__}.{module}"), class_name)
