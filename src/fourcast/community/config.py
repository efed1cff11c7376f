"""The settings of the owner of a repository, in `.github/fourcast.toml`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, Literal, get_args

from fourcast.arena.contestant import Contestant
from fourcast.errors import CommunityError, InvalidNotationError, OptionError, UnknownPlayerError
from fourcast.notation import quote
from fourcast.render.svg import check_color
from fourcast.toml import load_toml

__all__ = ["PATH", "Config", "Team", "parse"]

PATH = ".github/fourcast.toml"

Starters = Literal["anyone", "players", "owners"]
BoardStyle = Literal["picture", "cells"]


@dataclass(frozen=True)
class Team:
    """One side: its name in commands and on the page, its color on the board, its disc in text."""

    name: str
    color: str
    disc: str

    @property
    def title(self) -> str:
        """The name at the beginning of a sentence."""
        return self.name.capitalize()


@dataclass(frozen=True)
class Config:
    """The settings as `parse` reads and checks them; each has a default."""

    first: Team = Team("red", "#cf222e", "\N{LARGE RED CIRCLE}")
    second: Team = Team("blue", "#0969da", "\N{LARGE BLUE CIRCLE}")
    bot: str = "perfect"
    bot_time_s: float = 20
    cooldown_s: float = 15
    one_team: bool = False
    new_game: Starters = "anyone"
    blocked: frozenset[str] = frozenset()
    readme: str = "README.md"
    folder: str = "connect4"
    board: BoardStyle = "picture"
    label: str = "connect4"
    contribute: str = ""
    sources: str = ""

    def team(self, player: int) -> Team:
        """The team of the first or the second player, 1 or 2."""
        return (self.first, self.second)[player - 1]

    @property
    def ledger_path(self) -> str:
        """The path of the current game's ledger in the repository."""
        return f"{self.folder}/ledger.jsonl"

    @property
    def checksums_path(self) -> str:
        """The file with a checksum of each line of the current game."""
        return f"{self.folder}/checksums.json"

    @property
    def tally_path(self) -> str:
        """The path of the tally of the closed games."""
        return f"{self.folder}/tally.json"

    @property
    def archive_path(self) -> str:
        """The path of the list of finished games."""
        return self.game_path("README.md")

    def closed_path(self, number: int) -> str:
        """The path of the ledger of a closed game."""
        return self.game_path(f"{number:04}.jsonl")

    def game_path(self, name: str) -> str:
        """The path of a file in the folder of the past games."""
        return f"{self.folder}/games/{name}"


def parse(text: str | bytes) -> Config:
    """Return the settings of a TOML document. Raises `CommunityError` with the key that is wrong.

    >>> parse('bot = "winning"').bot
    'winning'
    >>> parse('cooldwon_s = 5')
    Traceback (most recent call last):
    fourcast.errors.CommunityError: .github/fourcast.toml: there is no setting 'cooldwon_s'
    """
    try:
        content = load_toml(text, extra="community")
    except InvalidNotationError as error:
        raise _wrong(str(error)) from None
    names = {item.name for item in fields(Config)}
    if unknown := sorted(set(content) - names):
        raise _wrong(f"there is no setting {quote(unknown[0])}")
    settings: dict[str, Any] = {}
    defaults = Config()
    for name in ("first", "second"):
        settings[name] = _team(content, name, getattr(defaults, name))
    for name in ("bot_time_s", "cooldown_s"):
        settings[name] = _seconds(content, name, getattr(defaults, name))
    settings["one_team"] = content.get("one_team", defaults.one_team)
    if not isinstance(settings["one_team"], bool):
        raise _wrong(f"one_team is {quote(settings['one_team'])}, but must be true or false")
    settings["blocked"] = _logins(content)
    for name, choices in (("new_game", Starters), ("board", BoardStyle)):
        settings[name] = _matching(
            content,
            name,
            getattr(defaults, name),
            "|".join(get_args(choices)),
            " or ".join(get_args(choices)),
        )
    # One line without backquotes: the page shows it as code.
    settings["bot"] = _matching(content, "bot", defaults.bot, r"[ -_a-~]+", "a player or a program")
    try:
        Contestant.parse(settings["bot"])
    except (UnknownPlayerError, OptionError, InvalidNotationError) as error:
        raise _wrong(f"bot: {error}") from None
    settings["label"] = _matching(content, "label", defaults.label, r"[\w-]+(?: [\w-]+)*", "a label")
    for name in ("readme", "folder"):
        # Relative, plain, and without `..` or `.git`: it becomes part of links and of git's input.
        plain = r"(?!.*\.\.)(?!(?i:\.git)(?:/|$))\.?\w[\w.-]*(?:/\w[\w.-]*)*"
        settings[name] = _matching(
            content, name, getattr(defaults, name), plain, "a path in the repository"
        )
    for name in ("contribute", "sources"):
        # Without the characters that would end a link in Markdown.
        plain = r"(?:https?://[\w.:-]+(?:/[\w./?#&=%~+@-]*)?)?"
        settings[name] = _matching(content, name, "", plain, "an address that begins with https://")
    config = Config(**settings)
    if config.first.name == config.second.name:
        raise _wrong(f"both teams are called {quote(config.first.name)}")
    return config


def _wrong(what: str) -> CommunityError:
    return CommunityError(f"{PATH}: {what}")


def _team(content: Mapping[str, object], side: str, default: Team) -> Team:
    given = content.get(side, {})
    if not isinstance(given, dict):
        raise _wrong(f"{side} is {quote(given)}, but must be a table")
    if unknown := set(given) - {"name", "color", "colour", "disc"}:
        raise _wrong(f"{side} has no setting {quote(min(unknown))}: it has name, color and disc")
    name = _matching(
        given, "name", default.name, r"[a-z][a-z0-9-]{0,19}", "lowercase letters, a team's name"
    )
    disc = _matching(given, "disc", default.disc, r"[^\x00-\x7f]{1,4}", "one emoji")
    key = "colour" if "colour" in given else "color"  # the spelling of version 0.1 still works
    try:
        color = check_color(_matching(given, key, default.color, r".{1,9}", "a color"))
    except InvalidNotationError as error:
        raise _wrong(f"{side}: {error}") from None
    return Team(name, color, disc)


def _matching(content: Mapping[str, object], name: str, default: str, pattern: str, what: str) -> str:
    value = content.get(name, default)
    if not isinstance(value, str) or not re.fullmatch(pattern, value, re.ASCII) or len(value) > 200:
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
        raise _wrong(f"blocked is {quote(value)}, but must be a list of names")
    return frozenset(login.lower().lstrip("@") for login in value)
