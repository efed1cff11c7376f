"""Where fourcast keeps what belongs to a user: books that were built, and the games of the web app.

The first `Solver` of a process looks here for books, so this imports next to nothing.
"""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["data_folder", "data_folder_name"]


def data_folder() -> Path:
    """Return the folder for a user's own files; the environment variable FOURCAST_DATA overrides it."""
    from pathlib import Path

    return Path(data_folder_name())


def data_folder_name() -> str:
    """Return the same as text, without loading `pathlib`."""
    given = os.environ.get("FOURCAST_DATA")
    if given:
        return given
    home = os.path.expanduser("~")  # without a home directory the ~ stays, and nothing is found
    if sys.platform == "darwin":
        return os.path.join(home, "Library", "Application Support", "fourcast")
    if sys.platform == "win32":
        local = os.environ.get("LOCALAPPDATA") or os.path.join(home, "AppData", "Local")
        return os.path.join(local, "fourcast")
    share = os.environ.get("XDG_DATA_HOME") or os.path.join(home, ".local", "share")
    return os.path.join(share, "fourcast")
