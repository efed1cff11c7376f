"""The patterns of sentences and legends, by their names."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files

__all__ = ["Names", "catalogue"]

Names = tuple[str, str]
"""What the first and the second player are called."""


@cache
def catalogue() -> dict[str, str]:
    """Return the patterns of messages/en.json by their names."""
    content = files("fourcast").joinpath("messages", "en.json").read_text("utf-8")
    patterns: dict[str, str] = json.loads(content)
    return patterns
