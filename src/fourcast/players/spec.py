"""A player's name with its options, as people write it: `streaks:depth=6,seed=1`."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, cast

from fourcast.errors import OptionError, require
from fourcast.notation import quote, suggest
from fourcast.players.register import BuiltInPlayer, player_class, player_options

__all__ = ["PlayerSpec", "parse_player", "spell_out", "written_options", "written_player"]


@dataclass(frozen=True)
class PlayerSpec:
    """A built-in player and the options it was given; `make` returns a player for one game."""

    player: str
    options: Mapping[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        options = ",".join(f"{key}={_written(value)}" for key, value in self.options.items())
        return f"{self.player}:{options}" if options else self.player

    def make(self, **defaults: Any) -> BuiltInPlayer:
        """Return a new player. Of *defaults*, those that it has no option for are left out."""
        known = player_options(self.player)
        usable = {key: value for key, value in defaults.items() if key in known}
        return cast(BuiltInPlayer, player_class(self.player)(**usable | dict(self.options)))

    def check_names(self, *more: str) -> PlayerSpec:
        """Return this; raise `OptionError` for an option that the player does not have."""
        known = written_options(self.player)
        for option in self.options:
            if option not in known and not (option in more and option in player_options(self.player)):
                raise OptionError(
                    f"the player {self.player} has no option {quote(option)}; {suggest(option, known)}"
                )
        return self

    def check(self) -> PlayerSpec:
        """Return this; raise `OptionError` or `UnknownPlayerError` if it cannot be made."""
        self.check_names()
        try:
            self.make()
        except (TypeError, ValueError) as error:
            raise OptionError(f"{self}: {error}") from None
        return self


def spell_out(text: str) -> str:
    """Return *text* without space around it, and with the name of a level that is given by its number.

    >>> spell_out(" 3"), spell_out("3:seed=1"), spell_out("streaks")
    ('level-3', 'level-3:seed=1', 'streaks')
    """
    text = text.strip()
    return f"level-{text}" if text.partition(":")[0].isdecimal() else text


def parse_player(text: str) -> PlayerSpec:
    """Return the player that *text* names, with its options; a number is a level.

    Raises `UnknownPlayerError` for a name that no player has, and `OptionError` for an option that the
    player does not have or a value that it does not take.

    >>> parse_player("streaks:depth=6,seed=1").options
    {'depth': 6, 'seed': 1}
    >>> parse_player("3").player
    'level-3'
    >>> parse_player("depth:deph=4")
    Traceback (most recent call last):
    fourcast.errors.OptionError: the player depth has no option 'deph'; did you mean 'depth'?
    """
    return written_player(text).check()


def written_player(text: str) -> PlayerSpec:
    """Return what *text* names, as `parse_player` does, but with options that are not checked."""
    require("name", text, str)
    name, _, written = spell_out(text).partition(":")
    player_options(name)  # complains about an unknown name before it complains about options
    options: dict[str, Any] = {}
    for part in written.split(",") if written else []:
        key, equals, value = (word.strip() for word in part.partition("="))
        if not equals or not key.isidentifier():
            raise OptionError(f"{quote(part)} in {quote(text)} is not an option such as depth=4")
        if key in options:
            raise OptionError(f"the option {key} is given twice in {quote(text)}")
        options[key] = _read(value)
    return PlayerSpec(name, options)


def written_options(name: str) -> dict[str, object]:
    """Return the options of a player that can be written down, with their defaults.

    >>> written_options("random")
    {'seed': None, 'time_s': None}
    """
    return {key: value for key, value in player_options(name).items() if key != "solver"}


_WORDS = {"true": True, "false": False, "none": None, "null": None}


def _read(text: str) -> object:
    """The value of an option: a number if it looks like one."""
    if text.lower() in _WORDS:
        return _WORDS[text.lower()]
    with suppress(ValueError):
        return int(text)
    with suppress(ValueError):
        return float(text)
    return text


def _written(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) or value is None else str(value)
