"""The page's modules and styles as one text each, for places that have no server: notebooks.

The page has no build step, and its modules are plain: named imports from files, and declarations that
are exported. So a module is a function that returns what it exports, and the bundle is a list of these.
"""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

from fourcast.errors import OptionError
from fourcast.notation import column_names
from fourcast.render.catalogue import all_page_texts
from fourcast.render.svg import NAMES

__all__ = ["bundle_scripts", "bundle_styles"]

_STATIC = Path(__file__).resolve().parent.parent / "web" / "page" / "static"
_IMPORT = re.compile(r'^import \{([^}]*)\} from "(\.[^"]+)";\n', re.MULTILINE)
_EXPORT = re.compile(
    r"^export (?:async )?(?:function|class|const|let) (\w+|\{ [\w, ]+ \})", re.MULTILINE
)
_MAX_COLUMNS = 25


def bundle_scripts(entry: Path | None = None) -> str:
    """Return the widget and all modules that it imports as one module without imports."""
    parts: dict[Path, str] = {}
    start = entry or Path(__file__).with_name("widget.js")
    _add(start.resolve(), parts, ())
    return "\n".join([*parts.values(), f"export default {_variable(start.resolve())}.render_default;\n"])


def _add(path: Path, parts: dict[Path, str], waiting: tuple[Path, ...]) -> None:
    """Add a module to *parts*, behind those that it imports."""
    if path in parts:
        return
    if path in waiting:
        raise OptionError(f"{path.name} imports itself")
    text = _about() if path.name == "about.js" else path.read_text("utf-8")
    if path.name == "text.js":
        text = _with_texts(text)
    if path.name == "board.js":
        # Keys count while the board has the focus: a page of a notebook has much else to type into.
        text = _replaced(text, 'document.addEventListener("keydown"', 'root.addEventListener("keydown"')
    for _, name in _IMPORT.findall(text):
        _add(Path(os.path.normpath(path.parent / name)), parts, (*waiting, path))
    text = _IMPORT.sub(lambda match: _imported(match, path), text)
    text = text.replace("export default { render };", "const render_default = { render };")
    exported = [names.strip("{ }") for names in _EXPORT.findall(text)]
    if "const render_default" in text:
        exported.append("render_default")
    text = re.sub(r"^export ", "", text, flags=re.MULTILINE)
    if re.search(r"^(import|export)\b", text, re.MULTILINE):
        raise OptionError(f"{path.name} has an import or export that the bundle does not understand")
    body = f"{text}\nreturn {{ {', '.join(exported)} }};"
    parts[path] = f"const {_variable(path)} = (() => {{\n{body}\n}})();"


def _imported(match: re.Match[str], path: Path) -> str:
    names = match[1].replace(" as ", ": ")
    return f"const {{{names}}} = {_variable(Path(os.path.normpath(path.parent / match[2])))};\n"


def _variable(path: Path) -> str:
    return "$" + re.sub(r"\W", "_", path.stem)


def _about() -> str:
    """What the page asks the server for."""
    about = {
        "columns": column_names(_MAX_COLUMNS),
        "sides": [{"name": name.capitalize()} for name in NAMES],
        "sizes": [],
    }
    return f"export const about = {json.dumps(about)};\n"


def _with_texts(text: str) -> str:
    """The module of texts with the English ones in it, which the page loads from the server."""
    text = re.sub(r"^async function load.*?^}\n", "", text, flags=re.DOTALL | re.MULTILINE)
    text = _replaced(text, 'globalThis.document?.documentElement.lang || "en"', '"en"')
    loading = 'await Promise.all([load("text"), isStart ? {} : load("text-study")])'
    return _replaced(text, loading, f"[{json.dumps(all_page_texts('en'))}, {{}}]")


def bundle_styles() -> str:
    """Return what the page's style sheets say of the board, for elements of the widget alone."""
    style = (_STATIC / "style.css").read_text("utf-8")
    start = style.index(":root")
    colors = style[style.index("{", start) + 1 : style.index("}", start)]
    board = _section(style, "The board")
    own = Path(__file__).with_name("widget.css").read_text("utf-8")
    return f".fourcast-widget {{{colors}}}\n.fourcast-widget {{\n{board}\n}}\n{own}"


def _section(style: str, title: str) -> str:
    """The rules below a headline of a style sheet."""
    found = re.search(rf"/\* ---- {title} -+ \*/\n(.*?)(?=\n/\* ---- |\Z)", style, re.DOTALL)
    if found is None:
        raise OptionError(f"the style sheet has no section {title!r}")
    return found[1]


def _replaced(text: str, old: str, new: str) -> str:
    if text.count(old) != 1:
        raise OptionError(f"{old!r} is not in the module once")
    return text.replace(old, new)
