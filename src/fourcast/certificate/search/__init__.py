"""The search for small certificates.

A search has two parts: `build` finds a strategy, `polish` makes it smaller. How depends on the leaves:
`best_first.py` is for local games, `depth_first.py` for level diagrams. What both know of positions is
in `base.py`, and on disk at once: a search that is stopped goes on where it was.
"""

from __future__ import annotations

from pathlib import Path

from fourcast.certificate.search.base import Search, Size
from fourcast.certificate.search.best_first import LocalGameSearch
from fourcast.certificate.search.depth_first import DiagramSearch
from fourcast.certificate.writer import Strategy
from fourcast.errors import require

__all__ = ["Search", "Size", "search_in"]


def search_in(folder: Path, strategy: Strategy) -> Search:
    """Return the search for *strategy* in a folder, which goes on where an earlier one was.

    *strategy* says what is to be proven; if it has moves, the search begins with them, unless the folder
    has a complete strategy of no more positions. Raises `OptionError` if the folder has a search for
    something else.
    """
    require("folder", folder, Path)
    require("strategy", strategy, Strategy)
    return (DiagramSearch if strategy.readable else LocalGameSearch)(folder, strategy)
