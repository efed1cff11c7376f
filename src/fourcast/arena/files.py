"""Tournaments written down in TOML.

games = 20
opening_plies = 4

[[players]]
player = "streaks"
depth = 6

[[players]]
name = "my bot"
command = "python mybot.py"
"""

from __future__ import annotations

import os
import sys
from dataclasses import fields
from typing import Any

from fourcast.arena.contestant import Contestant
from fourcast.arena.match import Settings
from fourcast.errors import FourcastError, GameFileError
from fourcast.notation import quote, suggest


def read_tournament(path: str | os.PathLike[str]) -> tuple[list[Contestant], dict[str, Any]]:
    """Return the players of a TOML file, and its settings."""
    try:
        with open(path, "rb") as file:
            content = _toml().load(file)
    except (ValueError, UnicodeDecodeError) as error:
        raise GameFileError(f"{path}: {error}") from None
    tables = content.pop("players", [])
    known = [field.name for field in fields(Settings)]
    for key in content:
        if key not in known:
            raise GameFileError(f"{path}: {quote(key)} is not known; {suggest(key, known)}")
    if not isinstance(tables, list) or not all(isinstance(table, dict) for table in tables):
        raise GameFileError(f"{path}: [[players]] must be tables")
    try:
        return [Contestant.from_table(table) for table in tables], content
    except FourcastError as error:
        raise GameFileError(f"{path}: {error}") from None


def _toml() -> Any:
    if sys.version_info >= (3, 11):
        import tomllib

        return tomllib
    try:
        import tomli
    except ImportError:
        raise GameFileError(
            "to read TOML, Python 3.10 needs tomli: pip install 'fourcast[arena]'"
        ) from None
    return tomli
