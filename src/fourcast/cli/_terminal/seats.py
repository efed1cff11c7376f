"""The two sides of a game at the terminal: people, the computer's players, and programs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from fourcast._core import Rules
from fourcast.arena.contestant import Contestant
from fourcast.errors import OptionError, UnknownPlayerError
from fourcast.players import Player
from fourcast.players.spec import parse_player, spell_out
from fourcast.protocol.program import ProgramPlayer
from fourcast.protocol.sandbox import Sandbox

HUMAN = "human"
STANDARD = Rules()
MAX_NAME = 100
"""Characters of the longest name that a game file takes."""


@dataclass(frozen=True)
class Seat:
    """One side: a person if *player* is None."""

    name: str = HUMAN
    player: Player | None = None
    spec: str = HUMAN
    """What --first or --second is given to get this seat."""

    @property
    def is_program(self) -> bool:
        """Whether a program plays."""
        return isinstance(self.player, ProgramPlayer)

    def close(self) -> None:
        """End the program that plays, if one does."""
        if isinstance(self.player, ProgramPlayer):
            self.player.close()


Seats: TypeAlias = dict[int, Seat]
"""The seats of player 1, who starts, and player 2."""


def take_seat(
    spec: str,
    *,
    name: str = "",
    seed: int | None = None,
    move_time_s: float | None = None,
    sandbox: Sandbox = Sandbox.AUTO,
    rules: Rules = STANDARD,
) -> Seat:
    """Return the seat of a person, who may have a *name*, or of the player or program *spec*.

    Raises `OptionError` if it cannot play by the *rules*.

    >>> take_seat("level-3").name, take_seat("human", name="Ada").name
    ('level-3', 'Ada')
    """
    if spec == HUMAN:
        return Seat(name or HUMAN)
    try:
        contestant = Contestant.parse(spec)
    except UnknownPlayerError as error:
        raise UnknownPlayerError(f"{error}; for a person, give {HUMAN!r}") from None
    contestant.check_rules(rules)
    player = contestant.make(seed=seed, move_time_s=move_time_s, sandbox=sandbox)
    return Seat(_short(contestant.name), player, spec)


def is_built_in(name: str) -> bool:
    """Whether *name*, from a game file perhaps, is that of a built-in player, with or without options.

    Programs are not: a file must not decide what is run. A number is not, either: it may be a person's.

    >>> is_built_in("streaks:depth=6"), is_built_in("Ada"), is_built_in("rm -r /")
    (True, False, False)
    """
    try:
        parse_player(name)
    except (UnknownPlayerError, OptionError):
        return False
    return spell_out(name) == name


def _short(name: str) -> str:
    """Return the name of a program such that it can stand in a game file."""
    printable = "".join(c if c.isprintable() else " " for c in name).strip()
    return printable if len(printable) <= MAX_NAME else f"{printable[: MAX_NAME - 3]}..."
