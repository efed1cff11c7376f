"""The settings of the server, read from environment variables that begin with `FOURCAST_`.

>>> Settings.from_environment({"FOURCAST_PORT": "9000"}).port
9000
>>> Settings.from_environment({"FOURCAST_PORT": "many"})
Traceback (most recent call last):
fourcast.errors.SettingsError: FOURCAST_PORT must be a whole number from 0 to 65535, not 'many'

`docs/web.md` lists them all.
"""

from __future__ import annotations

import ipaddress
import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, replace
from difflib import get_close_matches
from typing import Any
from urllib.parse import urlsplit

from fourcast.book import data_folder
from fourcast.errors import SettingsError
from fourcast.notation import quote

__all__ = ["PREFIX", "Settings", "describe_settings"]

PREFIX = "FOURCAST_"


def _whole(least: int, most: int) -> Callable[[str], int]:
    def parse(text: str) -> int:
        if not re.fullmatch(r"\d{1,12}", text, re.ASCII) or not least <= int(text) <= most:
            raise ValueError(f"a whole number from {least} to {most}")
        return int(text)

    return parse


def _number(least: float, most: float) -> Callable[[str], float]:
    def parse(text: str) -> float:
        if not re.fullmatch(r"\d{1,12}(\.\d{1,6})?", text, re.ASCII) or not least <= float(text) <= most:
            raise ValueError(f"a number from {least:g} to {most:g}")
        return float(text)

    return parse


def _switch(text: str) -> bool:
    words = {"1": True, "yes": True, "true": True, "on": True}
    words |= {"0": False, "no": False, "false": False, "off": False}
    if text.lower() not in words:
        raise ValueError("'yes' or 'no'")
    return words[text.lower()]


def _host(text: str) -> str:
    try:
        ipaddress.ip_address(text)
    except ValueError:
        if not re.fullmatch(r"[A-Za-z0-9.-]{1,253}", text):
            raise ValueError("an address as 127.0.0.1, or a machine's name") from None
    return text


def _origin(text: str) -> str:
    wanted = "origins as https://play.example.org, with commas between them"
    try:
        parts = urlsplit(text)
        port = parts.port
    except ValueError:
        raise ValueError(wanted) from None
    plain = parts.scheme in ("http", "https") and parts.hostname and not (parts.query or parts.fragment)
    if not plain or parts.username or parts.path not in ("", "/"):
        raise ValueError(wanted)
    name = f"[{parts.hostname}]" if ":" in str(parts.hostname) else parts.hostname
    default = port is None or port == {"http": 80, "https": 443}[parts.scheme]
    return f"{parts.scheme}://{name}" + ("" if default else f":{port}")


def _origins(text: str) -> tuple[str, ...]:
    return tuple(_origin(part.strip()) for part in text.split(",") if part.strip())


def _database(text: str) -> str:
    # Whoever is given such an address by a hosting service has it in this form.
    text = re.sub(r"^postgres(ql)?://", "postgresql+psycopg://", text)
    if not text.startswith(("sqlite:///", "postgresql+psycopg://")):
        raise ValueError("as sqlite:////folder/games.db or postgresql://user:password@host/name")
    return text


def _setting(default: Any, parse: Callable[[str], Any], help_text: str) -> Any:
    return field(default=default, metadata={"parse": parse, "help": help_text})


@dataclass(frozen=True)
class Settings:
    """Everything that can be set. The environment variable of `port` is `FOURCAST_PORT`, and so on."""

    host: str = _setting("127.0.0.1", _host, "address to listen on; 0.0.0.0 is every one there is")
    port: int = _setting(8000, _whole(0, 65_535), "port to listen on; 0 is any free one")
    database_url: str = field(
        default_factory=lambda: f"sqlite:///{data_folder() / 'games.db'}",
        repr=False,  # may hold a password
        metadata={"parse": _database, "help": "where games are kept: SQLite or PostgreSQL"},
    )
    origins: tuple[str, ...] = _setting(
        (), _origins, "addresses by which people reach the server, if it has a name or is behind a proxy"
    )
    trust_proxy: bool = _setting(
        False, _switch, "believe X-Forwarded-For, because a proxy of ours sets it"
    )
    move_time_s: float = _setting(1.0, _number(0.05, 60), "seconds in which the computer chooses a move")
    thinkers: int = _setting(
        max(1, os.cpu_count() or 1), _whole(1, 256), "moves of the computer chosen at the same time"
    )
    max_body_bytes: int = _setting(131_072, _whole(1_024, 16_777_216), "largest request that is read")
    requests_per_s: float = _setting(
        50.0, _number(0.1, 1_000_000), "requests of one address in the long run"
    )
    request_burst: int = _setting(500, _whole(1, 1_000_000), "requests of one address at once")
    games_per_minute: float = _setting(
        60.0, _number(0.1, 1_000_000), "new games of one address in the long run"
    )
    game_burst: int = _setting(100, _whole(1, 1_000_000), "new games of one address at once")
    sockets_per_address: int = _setting(200, _whole(1, 1_000_000), "live connections of one address")
    max_sockets: int = _setting(5_000, _whole(1, 1_000_000), "live connections in all")
    sockets_per_game: int = _setting(500, _whole(2, 100_000), "live connections of one game")
    max_games: int = _setting(
        100_000, _whole(1, 1_000_000_000), "games kept; beyond, those untouched for longest are deleted"
    )
    keep_days: int = _setting(365, _whole(1, 36_500), "days after its last change that a game is kept")
    shutdown_s: int = _setting(10, _whole(1, 600), "seconds that a shutdown waits for open requests")

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] = os.environ) -> Settings:
        """Return the settings of *environment*; what is not there, or empty, is as it is by default.

        Raises `SettingsError`, which names the variable and what it may be. A name that begins as ours
        do and is none of ours is refused if it is close to one: it is a slip of the pen.
        """
        known = {PREFIX + item.name.upper(): item for item in fields(cls)}
        values: dict[str, Any] = {}
        for name, text in environment.items():
            if name in known and text.strip():
                try:
                    values[known[name].name] = known[name].metadata["parse"](text.strip())
                except ValueError as error:
                    shown = (
                        "what it is" if name.endswith("_URL") else quote(text)
                    )  # no password in a log
                    raise SettingsError(f"{name} must be {error}, not {shown}") from None
            elif name.startswith(PREFIX) and name not in known:
                near = get_close_matches(name, known, n=1, cutoff=0.85)
                if near:
                    raise SettingsError(f"there is no setting {name}: did you mean {near[0]}?")
        return cls(**values)

    def with_options(self, **options: Any) -> Settings:
        """Return these settings with those *options* that are not None, checked in the same way."""
        known = {item.name: item for item in fields(self)}
        values: dict[str, Any] = {}
        for name, value in options.items():
            if value is None:
                continue
            try:
                values[name] = known[name].metadata["parse"](str(value))
            except ValueError as error:
                raise SettingsError(f"{name} must be {error}, not {quote(str(value))}") from None
        return replace(self, **values)


def describe_settings() -> list[tuple[str, str, str]]:
    """Return for each setting its variable, what it is by default, and what it is for."""
    rows = []
    for item in fields(Settings):
        if item.name == "database_url":
            default = "games.db in the data folder"
        elif item.name == "thinkers":
            default = "number of cores"
        elif isinstance(item.default, float):
            default = f"{item.default:g}"
        else:
            default = {"()": "none", "False": "no"}.get(str(item.default), str(item.default))
        rows.append((PREFIX + item.name.upper(), default, item.metadata["help"]))
    return rows
