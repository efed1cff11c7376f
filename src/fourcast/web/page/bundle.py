"""The page's modules as they are sent: what every visit needs in one file, `js/bundle.js`.

The modules need no build step: a browser that loads them one by one gets the same page. But each level
of imports costs a round trip, and HTTP/1.1 sends six files at a time: seconds on a slow line. So the
modules that the start page and the embedded board need are put into one file. Each becomes a function
that returns what the module exports; all others import from there, so that every module exists once.

Only the plain forms that our modules use are understood: `import { a, b as c } from "./x.js";`, and
`export` in front of a function, a class or a constant. Anything else raises `BundleError`.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Mapping

__all__ = ["BUNDLE", "BundleError", "bundle_modules", "is_module"]

BUNDLE = "js/bundle.js"
ENTRIES = ("js/main.js", "js/embed-page.js")
"""The modules that pages name. They run when they are loaded, so they stay files of their own."""
_FIRST = ("js/shell/start-page.js",)
"""What is loaded by need and yet belongs to a first visit."""
_WORKERS = ("js/local/worker.js", "js/core/worker.js", "js/core/index.js")
"""Where other threads begin. What they import stays files of its own."""

_IMPORT = re.compile(r'^import \{([^}]*)\} from "([^"]+)";\n', re.MULTILINE)
_DYNAMIC = re.compile(r'\bimport\("(\.[^"]+)"\)')
_EXPORT = re.compile(
    r"^export (?:async )?(?:function\*?|class|const) (?:(\w+)|\{ ([\w, ]+) \})", re.MULTILINE
)
_WAITS = re.compile(r"^(?:const .*=.*)?\bawait ", re.MULTILINE)  # at the top of a module
_LINE_COMMENT = re.compile(r"^[ \t]*//[^\n]*\n", re.MULTILINE)
_BLOCK_COMMENT = re.compile(r"/\*\*.*?\*/[ \t]*\n?", re.DOTALL)


_SCRIPTS = ("js/theme.js", "js/embed.js")
"""What is no module."""


class BundleError(ValueError):
    """A module that is not written as the others are."""


def is_module(name: str) -> bool:
    """Return whether a file of the static folder is one of the page's modules."""
    return name.startswith("js/") and name.endswith(".js") and name not in _SCRIPTS


def bundle_modules(files: Mapping[str, str]) -> dict[str, str]:
    r"""Return what is sent in place of *files*, which are texts by their paths from the static folder.

    >>> main = 'import { a } from "./a.js";\na();\n'
    >>> files = {"js/main.js": main, "js/a.js": "export const a = () => 1;\n"}
    >>> print(bundle_modules(files)["js/main.js"], end="")
    import { $a } from "./bundle.js";
    const { a } = $a;
    a();
    """
    graph = _Graph(files)
    raw = graph.closure([name for name in _WORKERS if name in files], dynamic=True)
    entries = [name for name in ENTRIES if name in files]
    inside = graph.closure([*entries, *(name for name in _FIRST if name in files)], dynamic=False)
    bundled = [name for name in inside if name not in entries]
    sent = {BUNDLE: graph.bundle(bundled)}
    for name, text in files.items():
        if name in raw:
            sent[name] = _without_comments(text)
        elif name not in bundled:
            sent[name] = graph.rewrite(name, bundled)
    return sent


class _Graph:
    """Modules and what they import."""

    def __init__(self, files: Mapping[str, str]) -> None:
        self._texts = {name: _without_comments(text) for name, text in files.items()}

    def closure(self, names: list[str], *, dynamic: bool) -> list[str]:
        """Return all that *names* import, and they themselves: imported ones first."""
        order: list[str] = []
        under_way: list[str] = []

        def visit(name: str) -> None:
            if name in order:
                return
            if name in under_way:
                raise BundleError(f"{name} imports itself by way of {under_way[-1]}")
            if name not in self._texts:
                raise BundleError(f"there is no module {name}, which {under_way[-1]} imports")
            under_way.append(name)
            for target, _ in self._imports(name):
                visit(target)
            if dynamic:
                for target in self._dynamic(name):
                    if target not in under_way:
                        visit(target)
            under_way.pop()
            order.append(name)

        for name in names:
            visit(name)
        return order

    def bundle(self, names: list[str]) -> str:
        """Return one module with the modules *names* in it."""
        parts = []
        for name in names:
            lines = [_unpacked(target, given) for target, given in self._imports(name)]
            body = self._body(name, BUNDLE, names)
            exports = ", ".join(_exports(body))
            body = re.sub(r"^export ", "", body, flags=re.MULTILINE)
            waits = _WAITS.search(body) is not None
            parts.append(
                f"// {name}\nconst {_variable(name)} = {'await (async ' if waits else '('}() => {{\n"
                + "\n".join([*lines, body])
                + f"return {{ {exports} }};\n}})();\n"
            )
        variables = ", ".join(_variable(name) for name in names)
        return "".join(parts) + f"export {{ {variables} }};\n"

    def rewrite(self, name: str, bundled: list[str]) -> str:
        """Return a module that imports the modules *bundled* from the bundle."""
        heads, tails = [], []
        for target, given in self._imports(name):
            if target in bundled:
                heads.append(f'import {{ {_variable(target)} }} from "{_path(BUNDLE, name)}";')
                tails.append(_unpacked(target, given))
            else:
                names = given.replace(":", " as")
                heads.append(f'import {{ {names} }} from "{_path(target, name)}";')
        return "".join(f"{line}\n" for line in [*heads, *tails]) + self._body(name, name, bundled)

    def _imports(self, name: str) -> list[tuple[str, str]]:
        """Return the modules that a module imports, with the names as a pattern for an object."""
        found = _IMPORT.findall(self._texts[name])
        return [(_target(path, name), _pattern(given)) for given, path in found]

    def _dynamic(self, name: str) -> list[str]:
        return [_target(path, name) for path in _DYNAMIC.findall(self._texts[name])]

    def _body(self, name: str, home: str, bundled: list[str]) -> str:
        """Return a module without its imports, to stand in the file *home*."""
        body = _IMPORT.sub("", self._texts[name]).lstrip("\n")
        strange = re.search(r"^(?:import\b|export (?:let|var|default|\{|\*)).*", body, re.MULTILINE)
        if strange:
            raise BundleError(f"{name}: {strange[0]!r} cannot be put into a bundle")

        def load(match: re.Match[str]) -> str:
            target = _target(match[1], name)
            if target not in bundled:
                return f'import("{_path(target, home)}")'
            if home == BUNDLE:
                return f"Promise.resolve({_variable(target)})"
            path = _path(BUNDLE, home)
            return f'import("{path}").then(({{ {_variable(target)} }}) => {_variable(target)})'

        body = _DYNAMIC.sub(load, body)
        if home != name and posixpath.dirname(home) != posixpath.dirname(name):
            path = _path(name, home)
            body = body.replace("import.meta.url", f'new URL("{path}", import.meta.url)')
        return body


def _without_comments(text: str) -> str:
    return _BLOCK_COMMENT.sub("", _LINE_COMMENT.sub("", text))


def _exports(body: str) -> list[str]:
    r"""Return the names that a module exports.

    >>> _exports("export const a = 1;\nexport const { b, c } = a;\nexport async function d() {}\n")
    ['a', 'b', 'c', 'd']
    """
    return [name for one, several in _EXPORT.findall(body) for name in (several or one).split(", ")]


def _pattern(given: str) -> str:
    r"""Return imported names as a pattern for an object.

    >>> _pattern(" a,\n b as c,\n")
    'a, b: c'
    """
    return re.sub(r"(\w+) as (\w+)", r"\1: \2", " ".join(given.split())).removesuffix(",")


def _unpacked(target: str, pattern: str) -> str:
    return f"const {{ {pattern} }} = {_variable(target)};"


def _variable(name: str) -> str:
    """Return what the exports of a module are called in the bundle.

    >>> _variable("js/game/your-moves.js")
    '$game_your_moves'
    """
    return "$" + re.sub(r"\W", "_", name.removeprefix("js/").removesuffix(".js"))


def _target(path: str, name: str) -> str:
    return posixpath.normpath(posixpath.join(posixpath.dirname(name), path))


def _path(target: str, name: str) -> str:
    path = posixpath.relpath(target, posixpath.dirname(name))
    return path if path.startswith(".") else f"./{path}"
