"""Tournaments written down in TOML.

title = "Winter cup"
kind = "swiss"
games = 4
bots = "submissions/*/"

[[players]]
player = "streaks:depth=6"

[[players]]
name = "my bot"
command = "python mybot.py"
memory_mb = 256
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import fields
from glob import glob
from pathlib import Path

from fourcast.arena.contestant import Contestant
from fourcast.arena.match import Settings
from fourcast.arena.openings import BALANCED, RANDOM
from fourcast.errors import FourcastError, GameFileError, InvalidNotationError
from fourcast.notation import MAX_TEXT, quote, suggest
from fourcast.toml import load_toml

BOT_FILE = "bot.toml"
"""What a bot's folder may have: its `command`, and perhaps a `name` and limits."""
BOT_PROGRAM = "bot.py"
"""What is run in a bot's folder that has no such file."""


def read_tournament(
    path: str | os.PathLike[str], on_defect: Callable[[str, str], object] | None = None
) -> tuple[list[Contestant], Settings]:
    """Return the players of a TOML file, and its settings.

    Commands, folders of bots and of earlier tournaments, and the file of openings are relative to the
    folder of the file. A bot's folder that cannot be used is an error; with *on_defect*, that is called
    with the bot's name and what is wrong, and the bot is left out.
    """
    content = _load(path)
    folder = os.path.dirname(os.path.abspath(path))
    tables = content.pop("players", [])
    bots = content.pop("bots", "")
    known = [field.name for field in fields(Settings)]
    for key in content:
        if key not in known:
            raise GameFileError(f"{path}: {quote(key)} is not known; {suggest(key, known)}")
    if not isinstance(tables, list) or not all(isinstance(table, dict) for table in tables):
        raise GameFileError(f"{path}: players must be tables, each under [[players]]")
    if not isinstance(bots, str):
        raise GameFileError(f"{path}: bots must be a pattern of folders, not {quote(bots)}")
    openings = content.get("openings", BALANCED)
    if isinstance(openings, str) and openings not in (BALANCED, RANDOM):
        content["openings"] = os.path.join(folder, openings)
    earlier = content.get("earlier")
    if isinstance(earlier, list) and all(isinstance(each, str) for each in earlier):
        content["earlier"] = [os.path.join(folder, each) for each in earlier]
    try:
        settings = Settings(**content)  # type: ignore[arg-type]  # which checks the types
        players = [Contestant.from_table(table, folder) for table in tables]
    except FourcastError as error:
        raise GameFileError(f"{path}: {error}") from None
    for name, directory in _folders(folder, bots):
        try:
            players.append(_bot(name, directory))
        except (FourcastError, OSError) as error:  # noqa: PERF203  # one student's folder
            if on_defect is None:
                raise
            on_defect(name, str(error))
    return players, settings


def _load(path: str | os.PathLike[str]) -> dict[str, object]:
    with open(path, "rb") as file:
        text = file.read(MAX_TEXT + 1)
    try:
        return load_toml(text, extra="arena")
    except InvalidNotationError as error:
        raise GameFileError(f"{path}: {error}") from None


def _folders(folder: str, pattern: str) -> list[tuple[str, str]]:
    """The folders of the bots of a class, each after its name; ada/bot and bo/bot are called that."""
    if not pattern:
        return []
    found = sorted(filter(os.path.isdir, glob(os.path.join(folder, pattern))))
    if not found:
        raise GameFileError(f"there is no folder {quote(pattern)} in {folder}")
    paths = [os.path.normpath(each) for each in found]
    names = [os.path.basename(each) for each in paths]
    if len(set(names)) < len(names):
        names = [os.path.relpath(each, os.path.commonpath(paths)) for each in paths]
    return list(zip(names, paths, strict=True))


def _bot(name: str, directory: str) -> Contestant:
    """The bot in a folder, with this name unless it gives itself another."""
    table: dict[str, object] = {"command": f"python {BOT_PROGRAM}"}
    file = Path(directory, BOT_FILE)
    if file.exists():
        table = _load(file)
    elif not Path(directory, BOT_PROGRAM).exists():
        raise GameFileError(f"{directory} has neither {BOT_FILE} nor {BOT_PROGRAM}")
    try:
        return Contestant.from_table({"name": name, **table}, directory)
    except FourcastError as error:
        raise GameFileError(f"{file}: {error}") from None
