"""What the board of notebooks is drawn with: a script, a style sheet, and the words of the page."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Any

from fourcast.errors import MissingExtraError, OptionError
from fourcast.notation import column_names
from fourcast.render.catalogue import all_page_texts
from fourcast.render.svg import NAMES

__all__ = ["board_script", "board_styles", "board_words"]

_HERE = Path(__file__).resolve().parent
_STYLES = _HERE.parent / "web" / "page" / "static" / "style.css"
_MAX_COLUMNS = 25


@cache
def board_script() -> str:
    """Return the widget with the modules of the page that it imports, as one module without imports.

    Wheels contain it. In a checkout `make page-bundle` makes it.
    """
    try:
        return (_HERE / "bundled" / "widget.js").read_text("utf-8")
    except FileNotFoundError:
        raise MissingExtraError(
            "the board of notebooks is not built: in a checkout of fourcast, run make page-bundle"
        ) from None


@cache
def board_words() -> dict[str, Any]:
    """Return what the page would ask a server for: its texts in English, names of columns and sides."""
    return {
        "texts": all_page_texts("en"),
        "columns": column_names(_MAX_COLUMNS),
        "sides": [{"name": name.capitalize()} for name in NAMES],
        "sizes": [],
    }


@cache
def board_styles() -> str:
    """Return what the page's style sheet says of the board, for elements of the widget alone."""
    style = _STYLES.read_text("utf-8")
    start = style.index(":root")
    colors = style[style.index("{", start) + 1 : style.index("}", start)]
    found = re.search(r"/\* ---- The board -+ \*/\n(.*?)(?=\n/\* ---- |\Z)", style, re.DOTALL)
    if found is None:
        raise OptionError("the style sheet has no section 'The board'")
    own = (_HERE / "widget.css").read_text("utf-8")
    return f".fourcast-widget {{{colors}}}\n.fourcast-widget {{\n{found[1]}\n}}\n{own}"
