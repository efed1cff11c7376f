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
from collections.abc import Mapping
from difflib import get_close_matches
from typing import Annotated, Any
from urllib.parse import urlsplit

from pydantic import BeforeValidator, ConfigDict, Field, ValidationError
from pydantic.dataclasses import dataclass
from pydantic.fields import FieldInfo

from fourcast.errors import SettingsError
from fourcast.notation import quote
from fourcast.paths import data_folder

__all__ = ["PREFIX", "Settings", "describe_settings"]

PREFIX = "FOURCAST_"


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


def _origins(given: str | tuple[str, ...]) -> tuple[str, ...]:
    parts = given.split(",") if isinstance(given, str) else given
    return tuple(_origin(part.strip()) for part in parts if part.strip())


def _database(text: str) -> str:
    # Hosting services hand out addresses in this form.
    text = re.sub(r"^postgres(ql)?://", "postgresql+psycopg://", text)
    if not re.match(r"sqlite:///(?!:memory:)[^?]|postgresql\+psycopg://.", text):
        raise ValueError("like sqlite:////folder/games.db or postgresql://user:password@host/name")
    return text


def _redis(text: str) -> str:
    if text and not re.match(r"rediss?://.|unix://.", text):
        raise ValueError("like redis://host:6379/0")
    return text


def _number(least: float, most: float, default: float, description: str) -> Any:
    return Field(default, ge=least, le=most, description=description)


@dataclass(frozen=True, config=ConfigDict(str_strip_whitespace=True))
class Settings:
    """Everything that can be set. The environment variable of `port` is `FOURCAST_PORT`, and so on."""

    host: Annotated[str, BeforeValidator(_host)] = Field(
        default="127.0.0.1", description="address to listen on; 0.0.0.0 is all addresses of this machine"
    )
    port: int = _number(0, 65_535, 8000, "port to listen on; 0 is any free one")
    database_url: Annotated[str, BeforeValidator(_database)] = Field(
        default_factory=lambda: f"sqlite:///{data_folder() / 'games.db'}",
        repr=False,  # may hold a password
        description="where games are kept: SQLite or PostgreSQL",
    )
    redis_url: Annotated[str, BeforeValidator(_redis)] = Field(
        default="",
        repr=False,  # may hold a password
        description="Redis for the news between several servers, in place of PostgreSQL",
    )
    cup: str = Field(default="", description="folder of a tournament of programs to show at /cup")
    origins: Annotated[tuple[str, ...], BeforeValidator(_origins)] = Field(
        default=(),
        description="addresses by which people reach the server, if it has a name or is behind a proxy",
    )
    trust_proxy: bool = Field(
        default=False, description="believe X-Forwarded-For, because your own proxy sets it"
    )
    move_time_s: float = _number(0.05, 60, 1.0, "seconds in which the computer chooses a move")
    thinkers: int = _number(
        1, 256, max(1, os.cpu_count() or 1), "moves of the computer chosen at the same time"
    )
    max_body_bytes: int = _number(1_024, 16_777_216, 131_072, "largest request that is read")
    requests_per_s: float = _number(0.1, 1_000_000, 50.0, "requests of one address in the long run")
    request_burst: int = _number(1, 1_000_000, 500, "requests of one address at once")
    games_per_minute: float = _number(0.1, 1_000_000, 60.0, "new games of one address in the long run")
    game_burst: int = _number(1, 1_000_000, 100, "new games of one address at once")
    max_connections: int = _number(10, 1_000_000, 10_000, "connections in all")
    connections_per_address: int = _number(
        2, 1_000_000, 300, "connections of one address; behind a proxy, requests at the same time"
    )
    max_sockets: int = _number(1, 1_000_000, 5_000, "live connections in all")
    sockets_per_address: int = _number(1, 1_000_000, 200, "live connections of one address")
    sockets_per_game: int = _number(2, 100_000, 500, "live connections of one game")
    max_games: int = _number(
        1,
        1_000_000_000,
        100_000,
        "games kept, and rooms; beyond that, empty and old ones are deleted",
    )
    keep_days: int = _number(1, 36_500, 365, "days after its last change that a game is kept")
    shutdown_s: int = _number(1, 600, 10, "seconds that a shutdown waits for open requests")

    @classmethod
    def from_environment(
        cls, environment: Mapping[str, str] = os.environ, **options: object
    ) -> Settings:
        """Return the settings of *environment*, except for the *options* that are not None.

        A variable that is missing or empty has its default. Raises `SettingsError`, which names the
        variable and what it may be. An unknown variable that resembles a known one is rejected as a
        likely typo.
        """
        known = {PREFIX + name.upper(): name for name in _fields()}
        for name in environment:
            near = get_close_matches(name, known, n=1, cutoff=0.85) if name.startswith(PREFIX) else []
            if near and name not in known:
                raise SettingsError(f"there is no setting {name}: did you mean {near[0]}?")
        values: dict[str, Any] = {
            name: environment[variable].strip()
            for variable, name in known.items()
            if environment.get(variable, "").strip()
        }
        given = {name: value for name, value in options.items() if value is not None}
        try:
            return cls(**(values | given))
        except ValidationError as error:
            first = error.errors()[0]
            name = str(first["loc"][0])
            shown = name if name in given else PREFIX + name.upper()
            # No password in a message or a log.
            value = (
                "" if name in ("database_url", "redis_url") else f", not {quote(str(first['input']))}"
            )
            raise SettingsError(f"{shown} must be {_wanted(name, first)}{value}") from None


def _fields() -> dict[str, FieldInfo]:
    found: dict[str, FieldInfo] = Settings.__pydantic_fields__  # type: ignore[attr-defined]
    return found


def _wanted(name: str, error: Mapping[str, Any]) -> str:
    """Return what a setting may be."""
    field = _fields()[name]
    if field.annotation is bool:
        return "'yes' or 'no'"
    if field.annotation in (int, float):
        least, most = (
            getattr(item, side)
            for side in ("ge", "le")
            for item in field.metadata
            if hasattr(item, side)
        )
        whole = "whole " if field.annotation is int else ""
        return f"a {whole}number from {least:.16g} to {most:.16g}"
    return str(error.get("ctx", {}).get("error", "a text"))


def describe_settings() -> list[tuple[str, str, str]]:
    """Return for each setting its variable, its default, and what it is for: docs/web.md has it."""
    special = {
        "database_url": "games.db in the data folder",
        "thinkers": "number of cores",
    }
    rows = []
    for name, field in _fields().items():
        default = f"{field.default:g}" if isinstance(field.default, float) else str(field.default)
        default = special.get(name) or {"()": "none", "": "none", "False": "no"}.get(default, default)
        rows.append((PREFIX + name.upper(), default, field.description or ""))
    return rows
