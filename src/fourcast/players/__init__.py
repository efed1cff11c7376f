"""Players: each looks at a position and chooses a column.

>>> player("winning", seed=1).choose("171615")
0
>>> player_names()[:3]
('random', 'winning', 'rated')
"""

from __future__ import annotations

from typing import Any

from fourcast.players.register import (
    BuiltInPlayer,
    Player,
    describe_player,
    player_names,
    player_options,
    plays_all_rules,
    rating,
)
from fourcast.players.spec import PlayerSpec, written_player

__all__ = [
    "BuiltInPlayer",
    "Player",
    "describe_player",
    "player",
    "player_names",
    "player_options",
    "plays_all_rules",
    "rating",
]


def player(name: str, **options: Any) -> BuiltInPlayer:
    """Return a new player of this name; *options* are those of its class, `seed` in any case.

    Options may be part of the name, and a number is a level: `streaks:depth=6`, `3`. With the same seed
    a player makes the same choices. Raises `UnknownPlayerError`, which lists the names there are, and
    `OptionError` for an option that the player does not have.

    >>> player("radnom")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    fourcast.errors.UnknownPlayerError: no player is called 'radnom': did you mean 'random'? \
There are: random, winning, ...
    >>> player("streaks:depth=6").depth, player("3").name
    (6, 'level-3')
    """
    spec = written_player(name)
    return PlayerSpec(spec.player, {**spec.options, **options}).check_names("solver").make()
