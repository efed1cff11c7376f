"""Write docs/reference: the Python API from docstrings, the command line from its help, the HTTP API.

    python tools/docs/write_reference.py

Python files and the stub of the compiled module are read, not imported, so that the pages are the same
on every machine and need none of the extras.
"""

from __future__ import annotations

import ast
import contextlib
import functools
import inspect
import io
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent.parent
FOLDER = ROOT / "docs" / "reference"
SOURCES = ROOT / "src"
NOTE = "<!-- Written by `make reference` from {}. Do not edit. -->\n"

# The names of `fourcast` by subject. A name without a place here is listed under "More".
SUBJECTS = {
    "Positions and games": ["Position", "Columns", "Game", "Outcome", "Termination"],
    "Solving": ["Solver", "Result", "Analysis", "Line", "Limit", "Search", "Book"],
    "Explaining and reviewing": [
        "explain",
        "Explanation",
        "explain_move",
        "MoveExplanation",
        "review",
        "Review",
        "MoveReview",
        "Verdict",
    ],
    "Players and matches": [
        "player",
        "player_names",
        "describe_player",
        "Player",
        "Match",
        "Tournament",
    ],
    "Counting and evaluating": [
        "perft",
        "playouts",
        "Playouts",
        "evaluate",
        "rate_columns",
        "streaks",
        "Streaks",
    ],
}

# Programs rather than libraries, and helpers without a promise.
INTERNAL = ("cli", "community", "web", "paths", "toml")


# ---- Python ------------------------------------------------------------------------------------------
Definition = ast.ClassDef | ast.FunctionDef | ast.Assign | ast.AnnAssign


@functools.cache
def parsed(path: Path) -> ast.Module:
    """Return the statements of a file."""
    return ast.parse(path.read_text("utf-8"))


def file_of(module: str) -> Path:
    """Return the file of a module; of the compiled one its stub."""
    path = SOURCES.joinpath(*module.split("."))
    if path.is_dir():
        stub = path / "__init__.pyi"
        return stub if stub.exists() else path / "__init__.py"
    return path.with_suffix(".py" if path.with_suffix(".py").exists() else ".pyi")


def public_modules() -> dict[str, list[str]]:
    """Return the modules that have `__all__`, with the names in it. The package has them in its stub."""
    stub = parsed(SOURCES / "fourcast" / "__init__.pyi")
    imports = [
        each for each in stub.body if isinstance(each, ast.ImportFrom) and each.module != "fourcast"
    ]
    found = {"fourcast": sorted(alias.asname or alias.name for each in imports for alias in each.names)}
    for path in sorted((SOURCES / "fourcast").rglob("*.py")):
        parts = path.relative_to(SOURCES).with_suffix("").parts
        module = ".".join(parts).removesuffix(".__init__")
        if any(part.startswith("_") for part in module.split(".")) or parts[1] in INTERNAL:
            continue
        for statement in parsed(path).body:
            if isinstance(statement, ast.Assign) and ast.unparse(statement.targets[0]) == "__all__":
                found[module] = [str(name) for name in ast.literal_eval(statement.value)]
    return found


def find(module: str, name: str) -> tuple[str, Definition, ast.Module]:
    """Return where *name* of *module* is defined, following imports, its definition and that module."""
    tree = parsed(file_of(module))
    definition: Definition | None = None
    for statement in _statements(tree):
        if isinstance(statement, ast.ImportFrom) and statement.module:
            for alias in statement.names:
                if (alias.asname or alias.name) == name:
                    return find(statement.module, alias.name)
        elif isinstance(statement, ast.ClassDef | ast.FunctionDef) and statement.name == name:
            if definition is None or not _is_overload(statement):
                definition = statement
        elif isinstance(statement, ast.Assign | ast.AnnAssign) and name in _targets(statement):
            definition = statement
    if definition is None:
        raise LookupError(f"{module} has no {name}")
    return module, definition, tree


def _statements(tree: ast.Module) -> Iterator[ast.stmt]:
    """Yield what a module says at its top, also under `if TYPE_CHECKING` and in `try`."""
    for statement in tree.body:
        yield statement
        if isinstance(statement, ast.If | ast.Try):
            yield from statement.body


def _targets(statement: ast.Assign | ast.AnnAssign) -> list[str]:
    targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
    names = [each for target in targets for each in getattr(target, "elts", [target])]
    return [ast.unparse(name) for name in names]


def _has(definition: ast.FunctionDef | ast.ClassDef, decorator: str) -> bool:
    return any(ast.unparse(each).split("(")[0].endswith(decorator) for each in definition.decorator_list)


def _is_overload(definition: ast.FunctionDef | ast.ClassDef) -> bool:
    return _has(definition, "overload")


def signature(function: ast.FunctionDef, name: str) -> str:
    """Return how a function is called, on several lines if it is long."""
    arguments = function.args
    for argument in (*arguments.posonlyargs, *arguments.args):
        if argument.arg in ("self", "cls"):
            argument.annotation = None
    result = f" -> {ast.unparse(function.returns)}" if function.returns else ""
    text = re.sub(r"^(self|cls)(, /)?(, )?", "", ast.unparse(arguments))
    parts = [re.sub(r"^(\w+: [^=]+)=", r"\1 = ", part) for part in _split(text)]
    line = f"{name}({', '.join(parts)}){result}"
    if len(line) <= 88:
        return line
    return f"{name}(\n" + "".join(f"    {part},\n" for part in parts) + f"){result}"


def _split(arguments: str) -> list[str]:
    """Split at the commas that are not within brackets or quotes."""
    parts, depth, quote, start = [], 0, "", 0
    for at, char in enumerate(arguments):
        if quote:
            quote = "" if char == quote else quote
        elif char in "'\"":
            quote = char
        elif char in "([{":
            depth += 1
        elif char in ")]}":
            depth -= 1
        elif char == "," and depth == 0:
            parts.append(arguments[start:at].strip())
            start = at + 1
    return [*parts, arguments[start:].strip()]


def prose(docstring: str | None) -> str:
    """Return a docstring as Markdown: examples become blocks of code."""
    if not docstring:
        return ""
    lines: list[str] = []
    in_example = False
    for line in inspect.cleandoc(docstring).splitlines():
        if line.startswith(">>>") and not in_example:
            if lines and lines[-1]:
                lines.append("")
            lines.append("```pycon")
            in_example = True
        elif not line and in_example:
            lines.append("```")
            in_example = False
        if not in_example:
            line = line.replace("](docs/", "](../")
        lines.append(re.sub(r"  # doctest: .*", "", line))
    if in_example:
        lines.append("```")
    return "\n".join(lines) + "\n"


def _code(text: str) -> str:
    return f"```python\n{text}\n```\n"


def _function(function: ast.FunctionDef, name: str, heading: str) -> str:
    return "\n".join(
        [f"{heading} `{name}`\n", _code(signature(function, name)), prose(ast.get_docstring(function))]
    )


def _members(definition: ast.ClassDef) -> dict[str, ast.FunctionDef]:
    """Return the public methods and properties with a docstring, in their order."""
    members: dict[str, ast.FunctionDef] = {}
    for statement in definition.body:
        if (
            isinstance(statement, ast.FunctionDef)
            and not statement.name.startswith("_")
            and not _has(statement, "setter")
            and ast.get_docstring(statement)
        ):
            members.setdefault(statement.name, statement)
    return members


def _bases(definition: ast.ClassDef, tree: ast.Module) -> list[tuple[ast.ClassDef, ast.Module]]:
    """Return the bases that are hidden behind a class: of the compiled module, and private ones."""
    found = []
    for base in definition.bases:
        name = ast.unparse(base).split("[")[0]
        for statement in _statements(tree):
            if isinstance(statement, ast.ImportFrom) and statement.module == "fourcast._core":
                if any(alias.name == name for alias in statement.names):
                    _module, behind, behind_tree = find("fourcast._core", name)
                    if isinstance(behind, ast.ClassDef):
                        found.append((behind, behind_tree))
            elif isinstance(statement, ast.ClassDef) and statement.name == name and name.startswith("_"):
                found.append((statement, tree))
    return found


def _class(definition: ast.ClassDef, tree: ast.Module, heading: str) -> str:
    name = definition.name
    text = [f"{heading} `{name}`\n"]
    classes = [(definition, tree), *_bases(definition, tree)]
    makers = [
        statement
        for each, _ in classes
        for statement in each.body
        if isinstance(statement, ast.FunctionDef) and statement.name == "__init__"
    ]
    fields = [
        statement
        for each, _ in classes
        for statement in each.body
        if isinstance(statement, ast.AnnAssign) and not ast.unparse(statement.target).startswith("_")
    ]
    if makers:
        text.append(_code(re.sub(r" -> None$", "", "class " + signature(makers[0], name))))
    elif fields:
        lines = "".join(f"    {ast.unparse(field)}\n" for field in fields)
        text.append(_code(f"class {name}:\n{lines}".rstrip()))
    else:
        bases = ", ".join(
            ast.unparse(base) for base in definition.bases if ast.unparse(base) != "object"
        )
        text.append(_code(f"class {name}({bases})" if bases else f"class {name}"))
    text.append(prose(ast.get_docstring(definition)))
    values = [
        statement
        for statement in definition.body
        if isinstance(statement, ast.Assign) and isinstance(statement.value, ast.Constant)
    ]
    if any("Enum" in ast.unparse(base) for base in definition.bases) and values:
        text.append("".join(f"- `{ast.unparse(value)}`\n" for value in values))
    seen: set[str] = set()
    for each, _ in classes:
        for member, function in _members(each).items():
            if member in seen:
                continue
            seen.add(member)
            full = f"{name}.{member}"
            if _has(function, "property") or _has(function, "cached_property"):
                kind = f": {ast.unparse(function.returns)}" if function.returns else ""
                text += [
                    f"{heading}# `{full}`\n",
                    _code(full + kind),
                    prose(ast.get_docstring(function)),
                ]
            else:
                text.append(_function(function, full, heading + "#"))
    return "\n".join(text)


def describe(module: str, name: str, heading: str) -> str:
    """Return the section about a public name."""
    _home, definition, tree = find(module, name)
    if isinstance(definition, ast.ClassDef):
        return _class(definition, tree, heading)
    if isinstance(definition, ast.FunctionDef):
        return _function(definition, name, heading)
    value = ast.unparse(definition)
    text = [f"{heading} `{name}`\n", _code(value if len(value) <= 200 else f"{name} = ...")]
    body = tree.body
    if definition in body and body.index(definition) + 1 < len(body):
        following = body[body.index(definition) + 1]
        if isinstance(following, ast.Expr) and isinstance(following.value, ast.Constant):
            text.append(prose(str(following.value.value)))
    return "\n".join(text)


def python_page() -> str:
    """Return the page on the package itself."""
    names = [name for name in public_modules()["fourcast"] if not name.startswith("_")]
    subjects = {subject: list(each) for subject, each in SUBJECTS.items()}
    placed = {name for each in subjects.values() for name in each}
    errors = [name for name in names if name.endswith(("Error", "Warning"))]
    subjects["More"] = [name for name in names if name not in placed and name not in errors]
    subjects["Errors"] = ["FourcastError", *(name for name in errors if name != "FourcastError")]
    text = [
        "# Python: fourcast\n",
        NOTE.format("the docstrings"),
        "Everything in `fourcast.__all__`. `import fourcast` is quick: what a name needs is loaded\n"
        "when it is first used. The other modules are on [a page of their own](modules.md).\n",
    ]
    for subject, each in subjects.items():
        if each:
            text.append(f"## {subject}\n")
            text += [describe("fourcast", name, "###") for name in each]
    return _join(text)


def modules_page() -> str:
    """Return the page on the modules below the package."""
    modules = public_modules()
    top = set(modules.pop("fourcast"))
    text = [
        "# Python: the other modules\n",
        NOTE.format("the docstrings"),
        "The public modules below `fourcast`. Names that are also in `fourcast` are described\n"
        "[there](python.md).\n",
    ]
    described: dict[str, str] = {}
    # Packages before their modules: what a package offers is described there.
    for module in sorted(modules, key=lambda name: (name.count("."), name)):
        names = [name for name in modules[module] if f"{module}.{name}" not in modules]
        own, elsewhere = [], []
        for name in names:
            home, _definition, _tree = find(module, name)
            key = f"{home}.{name}"
            if name in top or key in described:
                elsewhere.append(name)
            else:
                described[key] = module
                own.append(name)
        if not own:
            continue
        docstring = ast.get_docstring(parsed(file_of(module)))
        text += [f"## {module}\n", prose(re.sub(r"`(docs/[\w-]+\.md)`", r"[\1](\1)", docstring or ""))]
        if elsewhere:
            text.append("Also here: " + ", ".join(f"`{name}`" for name in elsewhere) + ".\n")
        text += [describe(module, name, "###") for name in own]
    return _join(text)


def _join(text: list[str]) -> str:
    return re.sub(r"\n{3,}", "\n\n", "\n".join(text)).rstrip("\n") + "\n"


# ---- Command line ------------------------------------------------------------------------------------
def help_of(*command: str) -> str:
    """Return what `fourcast COMMAND --help` prints on a terminal of 88 columns."""
    from fourcast.cli import main

    output = io.StringIO()
    columns = os.environ.get("COLUMNS")
    os.environ["COLUMNS"] = "90"  # the last two stay empty
    try:
        with contextlib.redirect_stdout(output), contextlib.suppress(SystemExit):
            main([*command, "--help"])
    finally:
        if columns is None:
            del os.environ["COLUMNS"]
        else:
            os.environ["COLUMNS"] = columns
    return output.getvalue().rstrip("\n")


def cli_page() -> str:
    """Return the page on the command line."""
    top = help_of()
    text = [
        "# Command line\n",
        NOTE.format("`fourcast COMMAND --help`"),
        "What each command prints with `--help`. The pages in the menu show them at work.\n",
        f"```text\n{top}\n```\n",
    ]
    for name in _subcommands(top):
        text.append(f"## fourcast {name}\n")
        page = help_of(name)
        text.append(f"```text\n{page}\n```\n")
        for subcommand in _subcommands(page):
            text.append(f"### fourcast {name} {subcommand}\n")
            text.append(f"```text\n{help_of(name, subcommand)}\n```\n")
    return _join(text)


def _subcommands(text: str) -> list[str]:
    _, found, listing = text.partition("\nCommands:\n")
    return re.findall(r"^  ([a-z-]+)(?:  |$)", listing, re.MULTILINE) if found else []


# ---- HTTP --------------------------------------------------------------------------------------------
def http_page() -> str:
    """Return the page on the HTTP API, from its OpenAPI description."""
    from fourcast.web.app import create_app
    from fourcast.web.settings import Settings

    description = create_app(Settings()).openapi()
    text = [
        "# HTTP API\n",
        NOTE.format("the server's OpenAPI description"),
        "What a server started by `fourcast serve` answers. The same is at `/api/docs` on the server\n"
        "itself, and for programs at `/api/openapi.json`. [The server](../web.md#the-api) has examples\n"
        "with `curl`, and says how live games and analyses work.\n",
        f"{description['info']['description']}\n",
        "Every route may also answer 400, 413, 422, 429 or 503 with an [`ErrorView`](#errorview).\n",
    ]
    tag = ""
    for path, methods in description["paths"].items():
        for method, route in methods.items():
            if route["tags"][0] != tag:
                tag = route["tags"][0]
                text.append(f"## {tag.capitalize()}\n")
            text.append(f"### {method.upper()} {path}\n")
            text.append(route.get("description", "") + "\n")
            rows = [
                _row(f"`{each['name']}`", each["in"], _kind(each["schema"]), each.get("description", ""))
                for each in route.get("parameters", [])
            ]
            if rows:
                text.append("| parameter | in | type | |\n|-|-|-|-|\n" + "".join(rows))
            if "requestBody" in route:
                (body,) = route["requestBody"]["content"].values()
                text.append(f"Body: {_link(body['schema'])}\n")
            for status in ("200", "201"):
                if status in route["responses"]:
                    content = route["responses"][status].get("content", {})
                    kinds = [
                        _link(each.get("schema", {})) if kind == "application/json" else f"`{kind}`"
                        for kind, each in content.items()
                    ]
                    text.append(f"Answer {status}: {', '.join(kinds) or 'nothing'}\n")
    text.append("## Objects\n")
    for name, schema in sorted(description["components"]["schemas"].items()):
        text += [f"### {name}\n", prose(schema.get("description", ""))]
        required = schema.get("required", [])
        rows = [
            _row(
                f"`{field}`" + ("" if field in required else " *"),
                _kind(each),
                each.get("description", ""),
            )
            for field, each in schema.get("properties", {}).items()
        ]
        if rows:
            text.append("| field | type | |\n|-|-|-|\n" + "".join(rows))
    text.append("Fields with a * may be left out.\n")
    return _join(text)


def _row(*cells: str) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|").replace("\n", " ") for cell in cells) + " |\n"


def _link(schema: dict[str, Any]) -> str:
    if "$ref" in schema:
        name = schema["$ref"].rsplit("/", 1)[1]
        return f"[`{name}`](#{name.lower()})"
    if schema.get("type") == "array":
        return f"list of {_link(schema.get('items', {}))}"
    choices = schema.get("anyOf") or schema.get("oneOf")
    if choices:
        return " or ".join(_link(each) for each in choices)
    if "enum" in schema or "const" in schema:
        values = schema.get("enum", [schema.get("const")])
        return " or ".join(f"`{value!r}`".replace("'", '"') for value in values)
    return str(schema.get("type", "any"))


def _kind(schema: dict[str, Any]) -> str:
    kind = _link(schema)
    low, high = schema.get("minimum"), schema.get("maximum")
    if low is not None and high is not None:
        kind += f" {low:g} to {high:g}"
    if schema.get("default") not in (None, ""):
        kind += f", default `{schema['default']}`"
    return kind


PAGES = {"python.md": python_page, "modules.md": modules_page, "cli.md": cli_page, "http.md": http_page}


if __name__ == "__main__":
    FOLDER.mkdir(parents=True, exist_ok=True)
    for file_name, page in PAGES.items():
        (FOLDER / file_name).write_text(page(), "utf-8")
