"""The command in the title of an issue.

Anybody can write a title: it is parsed by one strict grammar or refused, and nothing of it is used
except the fields below.

    connect4|new
    connect4|drop|red|4              a disc of red into column 4
    connect4|drop|blue|ai            let the bot choose for blue
    connect4|drop|red|4|g12p7        only if game 12 has 7 discs on the board
"""

from __future__ import annotations

import re
from dataclasses import dataclass

__all__ = ["BOT", "PREFIX", "Command", "Drop", "New", "is_command", "parse"]

PREFIX = "connect4"
BOT = "ai"
MAX_TITLE = 80
"""Characters of the longest title that is parsed; no command needs half of it."""

# Letters of either case: phones like to begin with a capital. Only ASCII, whatever `\d` and case folding
# make of other scripts; and fullmatch, because `$` would accept a line break.
_GRAMMAR = re.compile(
    r"connect4\|(?:new"
    r"|drop\|(?P<team>[a-z][a-z0-9-]{0,19})\|(?P<column>ai|[0-9]{1,2})"
    r"(?:\|g(?P<game>[1-9][0-9]{0,5})p(?P<ply>0|[1-9][0-9]{0,2}))?)",
    re.ASCII | re.IGNORECASE,
)


@dataclass(frozen=True)
class New:
    """Start a new game."""


@dataclass(frozen=True)
class Drop:
    """Drop a disc of *team* into *column*, counted from 1, or `ai` for the bot to choose.

    *game* and *ply* identify the board that the player saw, if the title came from a link.
    """

    team: str
    column: str
    game: int | None = None
    ply: int | None = None

    def __str__(self) -> str:
        where = "" if self.game is None else f"|g{self.game}p{self.ply}"
        return f"{PREFIX}|drop|{self.team}|{self.column}{where}"


Command = New | Drop


def is_command(title: str) -> bool:
    """Whether a title is meant for the game, well-formed or not.

    >>> is_command("connect4|nwe"), is_command("A question on connect4")
    (True, False)
    """
    return title[: len(PREFIX)].lower() == PREFIX


def parse(title: str) -> Command | None:
    """Return the command in *title*, or None if it is not understood.

    >>> parse("connect4|drop|red|4|g12p7")
    Drop(team='red', column='4', game=12, ply=7)
    >>> parse("connect4|drop|red|four") is None
    True
    """
    match = _GRAMMAR.fullmatch(title) if len(title) <= MAX_TITLE else None
    if match is None:
        return None
    if match["team"] is None:
        return New()
    game, ply = (None if match[part] is None else int(match[part]) for part in ("game", "ply"))
    return Drop(match["team"].lower(), match["column"].lower(), game, ply)
