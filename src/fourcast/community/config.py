"""What the owner of a repository has chosen, in `.github/fourcast.toml`."""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from importlib import import_module
from typing import Any, Literal, get_args

from fourcast.errors import (
    CommunityError,
    InvalidNotationError,
    MissingExtraError,
    UnknownPlayerError,
)
from fourcast.notation import quote
from fourcast.players import describe_player
from fourcast.render.svg import check_colour

__all__ = ["PATH", "Config", "Team", "parse"]

PATH = ".github/fourcast.toml"

Starters = Literal["anyone", "players", "owners"]
BoardStyle = Literal["picture", "cells"]

_RED = ("red", "#cf222e", "\N{LARGE RED CIRCLE}")
_BLUE = ("blue", "#0969da", "\N{LARGE BLUE CIRCLE}")


@dataclass(frozen=True)
class Team:
    """One side: its name in commands and on the page, its colour on the board, its disc in text."""

    name: str
    colour: str
    disc: str

    @property
    def title(self) -> str:
        """The name as it begins a sentence."""
        return self.name.capitalize()


@dataclass(frozen=True)
class Config:
    """The settings, as `parse` reads and checks them; all have a default."""

    first: Team = field(default_factory=lambda: Team(*_RED))
    second: Team = field(default_factory=lambda: Team(*_BLUE))
    bot: str = "perfect"
    bot_time_s: float = 20
    cooldown_s: float = 15
    new_game: Starters = "anyone"
    blocked: frozenset[str] = frozenset()
    readme: str = "README.md"
    folder: str = "connect4"
    board: BoardStyle = "picture"
    label: str = "connect4"

    def team(self, player: int) -> Team:
        """The team of the first or the second player, 1 or 2."""
        return (self.first, self.second)[player - 1]

    @property
    def ledger_path(self) -> str:
        """Where the ledger is in the repository."""
        return f"{self.folder}/ledger.jsonl"


def parse(text: str) -> Config:
    """Return the settings of a TOML text. Raises `CommunityError` with the key that is wrong.

    >>> parse('bot = "winning"').bot
    'winning'
    >>> parse('cooldwon_s = 5')
    Traceback (most recent call last):
    fourcast.errors.CommunityError: .github/fourcast.toml: there is no setting 'cooldwon_s'
    """
    content = _load(text)
    names = {item.name for item in fields(Config)}
    if unknown := sorted(set(content) - names):
        raise _wrong(f"there is no setting {quote(unknown[0])}")
    settings: dict[str, Any] = {}
    defaults = Config()
    for name in ("first", "second"):
        settings[name] = _team(content, name, getattr(defaults, name))
    for name in ("bot_time_s", "cooldown_s"):
        settings[name] = _seconds(content, name, getattr(defaults, name))
    settings["blocked"] = _logins(content)
    for name, choices in (("new_game", Starters), ("board", BoardStyle)):
        settings[name] = _matching(
            content,
            name,
            getattr(defaults, name),
            "|".join(get_args(choices)),
            " or ".join(get_args(choices)),
        )
    settings["bot"] = _matching(content, "bot", defaults.bot, r"[a-z][a-z0-9-]{0,39}", "a player's name")
    try:
        describe_player(settings["bot"])
    except UnknownPlayerError as error:
        raise _wrong(f"bot: {error}") from None
    settings["label"] = _matching(content, "label", defaults.label, r"[\w-]+(?: [\w-]+)*", "a label")
    for name in ("readme", "folder"):
        # Relative, plain, and without `..` or `.git`: it is put into links, and into git as it is.
        plain = r"(?!.*\.\.)(?!(?i:\.git)(?:/|$))\.?\w[\w.-]*(?:/\w[\w.-]*)*"
        settings[name] = _matching(
            content, name, getattr(defaults, name), plain, "a path in the repository"
        )
    config = Config(**settings)
    if config.first.name == config.second.name:
        raise _wrong(f"both teams are called {quote(config.first.name)}")
    return config


def _load(text: str) -> Mapping[str, object]:
    name = "tomllib" if sys.version_info >= (3, 11) else "tomli"
    try:
        tomllib = import_module(name)
    except ImportError:
        raise MissingExtraError(
            f"the community game needs {name}: pip install 'fourcast[community]'"
        ) from None
    try:
        content: Mapping[str, object] = tomllib.loads(text)
        return content
    except tomllib.TOMLDecodeError as error:
        raise _wrong(str(error)) from None


def _wrong(what: str) -> CommunityError:
    return CommunityError(f"{PATH}: {what}")


def _team(content: Mapping[str, object], side: str, default: Team) -> Team:
    given = content.get(side, {})
    if not isinstance(given, dict) or (unknown := set(given) - {"name", "colour", "disc"}):
        what = (
            f"{side} has no {quote(min(unknown))}"
            if isinstance(given, dict)
            else f"{side} is not a table"
        )
        raise _wrong(what)
    name = _matching(
        given, "name", default.name, r"[a-z][a-z0-9-]{0,19}", "small letters, a team's name"
    )
    disc = _matching(given, "disc", default.disc, r"[^\x00-\x7f]{1,4}", "one emoji")
    try:
        colour = check_colour(_matching(given, "colour", default.colour, r".{1,9}", "a colour"))
    except InvalidNotationError as error:
        raise _wrong(f"{side}: {error}") from None
    return Team(name, colour, disc)


def _matching(content: Mapping[str, object], name: str, default: str, pattern: str, what: str) -> str:
    value = content.get(name, default)
    if not isinstance(value, str) or not re.fullmatch(pattern, value, re.ASCII) or len(value) > 100:
        raise _wrong(f"{name} is {quote(value)}, but must be {what}")
    return value


def _seconds(content: Mapping[str, object], name: str, default: float) -> float:
    value = content.get(name, default)
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 86_400:
        raise _wrong(f"{name} is {quote(value)}, but must be seconds, up to a day")
    return float(value)


def _logins(content: Mapping[str, object]) -> frozenset[str]:
    value = content.get("blocked", [])
    if not isinstance(value, list) or not all(isinstance(login, str) for login in value):
        raise _wrong("blocked must be a list of names")
    return frozenset(login.lower().lstrip("@") for login in value)
