"""Who takes part: a player of ours with its options, or a program."""

from __future__ import annotations

import json
import shlex
import shutil
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache

from fourcast.errors import InvalidNotationError, UnknownPlayerError
from fourcast.notation import quote
from fourcast.players import Player, player, player_names, player_options
from fourcast.protocol.program import ProgramPlayer
from fourcast.solver import Solver


@dataclass(frozen=True)
class Contestant:
    """A name, and a way to make a player for one game."""

    name: str
    player: str = ""
    """The name of one of our players; empty for a program."""
    options: Mapping[str, object] = field(default_factory=dict)
    """Its options."""
    command: str = ""
    """The command line of a program."""

    @classmethod
    def parse(cls, text: str) -> Contestant:
        """Return who is meant by a player's name, with options or without, or by a command line.

        >>> Contestant.parse("streaks:depth=6,seed=1").options
        {'depth': 6, 'seed': 1}
        """
        name, _, options = text.partition(":")
        if name in player_names():
            return cls._checked(cls(text, name, _parse_options(options)))
        try:
            words = shlex.split(text)
        except ValueError as error:
            raise InvalidNotationError(f"{quote(text)} is not a command: {error}") from None
        if words and shutil.which(words[0]):
            return cls(text, command=text)
        try:
            player(text)
        except UnknownPlayerError as error:
            raise UnknownPlayerError(f"{error}; and it is no program that can be run") from None
        raise AssertionError(text)

    @classmethod
    def from_table(cls, table: Mapping[str, object]) -> Contestant:
        """Return the contestant that a table of a TOML file describes."""
        rest = dict(table)
        name, kind, command = (rest.pop(key, "") for key in ("name", "player", "command"))
        for key, value in (("name", name), ("player", kind), ("command", command)):
            if not isinstance(value, str):
                raise InvalidNotationError(f"{key!r} of a player must be a text, not {quote(value)}")
        if bool(kind) == bool(command):
            raise InvalidNotationError(f"a player needs 'player' or 'command', not both: {quote(table)}")
        if command:
            if rest:
                raise InvalidNotationError(f"a program has no option {quote(next(iter(rest)))}")
            return cls(str(name or command), command=str(command))
        if not name:
            name = f"{kind}:{','.join(f'{key}={value}' for key, value in rest.items())}".rstrip(":")
        return cls._checked(cls(str(name), str(kind), rest))

    @staticmethod
    def _checked(contestant: Contestant) -> Contestant:
        known = player_options(contestant.player)
        for option in contestant.options:
            if option not in known:
                raise InvalidNotationError(
                    f"{contestant.player} has no option {quote(option)}; it has {', '.join(known)}"
                )
        try:
            contestant.make(seed=0)
        except (TypeError, ValueError) as error:
            raise InvalidNotationError(f"{contestant.name}: {error}") from None
        return contestant

    def make(
        self,
        *,
        seed: int,
        move_time_s: float | None = None,
        start_time_s: float = 5.0,
        memory_mb: int = 1024,
    ) -> Player:
        """Return a player for one game; *seed* is for one of ours that was given none."""
        if self.command:
            return ProgramPlayer(
                self.command,
                name=self.name,
                move_time_s=5.0 if move_time_s is None else move_time_s,
                start_time_s=start_time_s,
                memory_mb=memory_mb,
            )
        options: dict[str, object] = {"seed": seed}
        if move_time_s is not None and "time_s" in player_options(self.player):
            options["time_s"] = move_time_s
        if "solver" in player_options(self.player):
            options["solver"] = _shared_solver()
        return player(self.player, **options | dict(self.options))


@cache
def _shared_solver() -> Solver:
    """One for all games: what is found in one of them need not be found again in the next."""
    return Solver()


def _parse_options(text: str) -> dict[str, object]:
    options: dict[str, object] = {}
    for part in text.split(",") if text else []:
        key, equals, value = part.partition("=")
        if not equals or not key.isidentifier():
            raise InvalidNotationError(f"{quote(part)} is not an option such as depth=4")
        try:
            options[key] = json.loads(value)
        except ValueError:
            options[key] = value
    return options
