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
from dataclasses import fields
from typing import Any

from fourcast.arena.contestant import Contestant
from fourcast.arena.match import Settings
from fourcast.errors import FourcastError, GameFileError, InvalidNotationError
from fourcast.notation import MAX_TEXT, quote, suggest
from fourcast.toml import load_toml


def read_tournament(path: str | os.PathLike[str]) -> tuple[list[Contestant], dict[str, Any]]:
    """Return the players of a TOML file, and its settings."""
    with open(path, "rb") as file:
        text = file.read(MAX_TEXT + 1)
    try:
        content = load_toml(text, extra="arena")
    except InvalidNotationError as error:
        raise GameFileError(f"{path}: {error}") from None
    tables = content.pop("players", [])
    known = [field.name for field in fields(Settings)]
    for key in content:
        if key not in known:
            raise GameFileError(f"{path}: {quote(key)} is not known; {suggest(key, known)}")
    if not isinstance(tables, list) or not all(isinstance(table, dict) for table in tables):
        raise GameFileError(f"{path}: players must be tables, each under [[players]]")
    try:
        Settings(**content)  # type: ignore[arg-type]  # which checks the types
        return [Contestant.from_table(table) for table in tables], content
    except FourcastError as error:
        raise GameFileError(f"{path}: {error}") from None
