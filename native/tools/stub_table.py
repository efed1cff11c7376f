"""Writes the table of signatures and docstrings that the bindings are compiled with; see define.hpp.

Called as `python stub_table.py STUB TABLE`.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path


def signature(name: str, arguments: ast.arguments) -> str:
    """Return the line of a docstring that Python and define.cpp read a signature from."""
    arguments.args = [each for each in arguments.args if each.arg != "cls"]
    for each in ast.walk(arguments):
        if isinstance(each, ast.arg):
            each.annotation = None
            each.arg = "$self" if each.arg == "self" else each.arg
    return f"{name}({ast.unparse(arguments)})\n--\n\n"


def members(node: ast.ClassDef, body: list[ast.stmt]) -> list[ast.stmt]:
    """Return what a class defines, then what its bases do."""
    bases = {ast.unparse(each) for each in node.bases}
    found = [each for each in body if isinstance(each, ast.ClassDef) and each.name in bases]
    return [*node.body, *(member for each in found for member in members(each, body))]


def entries(body: list[ast.stmt], owner: str = "") -> Iterator[tuple[str, str]]:
    """Yield the name of whatever is defined, and its text."""
    for node in body:
        if isinstance(node, ast.ClassDef):
            made = [each for each in node.body if getattr(each, "name", "") == "__init__"]
            first = ""
            if made and isinstance(made[0], ast.FunctionDef):
                first = signature(node.name, made[0].args).replace("($self, ", "(", 1)
            yield node.name, first + (ast.get_docstring(node) or "")
            yield from entries(members(node, body), f"{node.name}.")
        elif isinstance(node, ast.FunctionDef):
            is_property = any(ast.unparse(each) == "property" for each in node.decorator_list)
            first = "" if is_property else signature(node.name, node.args)
            yield owner + node.name, first + (ast.get_docstring(node) or "")


def main(stub: str, table: str) -> None:
    """Write the table, sorted by name; of overloads the first."""
    found: dict[str, str] = {}
    for name, text in entries(ast.parse(Path(stub).read_text("utf-8")).body):
        found.setdefault(name, text)
    rows = [f'    {{"{name}", R"doc({text})doc"}},' for name, text in sorted(found.items())]
    lines = [
        '#include "bindings/define.hpp"',
        "namespace fourcast::bindings {",
        "const StubEntry stub_table[] = {",
        *rows,
        "};",
        "const std::size_t stub_size = std::size(stub_table);",
        "}",
    ]
    Path(table).write_text("\n".join(lines) + "\n", "utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
