"""Opening books: which one is used, and how one is built."""

import os
import sys
from functools import cache
from pathlib import Path

from fourcast._core import Book

__all__ = ["Book", "data_folder", "default_book"]

SUFFIX = ".book"


def data_folder() -> Path:
    """Return the folder for what a user keeps for fourcast; FOURCAST_DATA names another one."""
    given = os.environ.get("FOURCAST_DATA")
    if given:
        return Path(given)
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "fourcast"
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", Path.home())) / "fourcast"
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "fourcast"


@cache
def default_book() -> Book | None:
    """Return the deepest book there is: of the data folder and of the package, None without any."""
    found = [
        Book(path)
        for folder in (Path(__file__).parent / "books", data_folder() / "books")
        for path in sorted(folder.glob("*" + SUFFIX))
    ]
    return max(found, key=lambda book: book.plies, default=None)
