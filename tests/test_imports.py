"""Who imports whom, and what `import fourcast` costs."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import fourcast

PACKAGE = Path(__file__).resolve().parent.parent / "src" / "fourcast"

# The import line: a room may import from its own step of the line and from those before it.
LINE = [
    {"_core", "errors", "paths"},
    {"book", "evaluation", "notation", "game", "game_file", "search", "solver", "toml"},
    {"render", "study", "players"},
    {"protocol", "arena", "data"},
    {"community", "web", "adapters"},
    {"cli", "__main__"},
]
STEP = {room: step for step, rooms in enumerate(LINE) for room in rooms}

# What `import fourcast` loads of itself; the rest is imported when it is asked for.
OWN_MODULES = {"fourcast"}


def room_of(path: Path) -> str:
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def imported_rooms(path: Path) -> Iterator[str]:
    """The rooms of fourcast that a file imports, in functions too."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path} has a relative import: say where from"
            module = node.module or ""
            names = (
                [f"fourcast.{alias.name}" for alias in node.names] if module == "fourcast" else [module]
            )
        else:
            continue
        yield from (name.split(".")[1] for name in names if name.startswith("fourcast."))


FILES = sorted(path for path in PACKAGE.rglob("*.py") if path != PACKAGE / "__init__.py")


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_imports_go_one_way(path: Path) -> None:
    room = room_of(path)
    assert room in STEP, f"give {room} a place in LINE"
    for imported in imported_rooms(path):
        if imported == "__version__":
            continue
        assert imported in STEP, f"import {imported} from the module it lives in, not from fourcast"
        assert STEP[imported] <= STEP[room], f"{room} comes before {imported} in the line"


def modules_loaded_by(statement: str) -> set[str]:
    code = f"import sys, json; before = set(sys.modules); {statement}; "
    code += "print(json.dumps(sorted(set(sys.modules) - before)))"
    output = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout
    return set(json.loads(output))


def test_import_loads_the_standard_library_only() -> None:
    loaded = modules_loaded_by("import fourcast")
    assert {name for name in loaded if name.split(".")[0] == "fourcast"} == OWN_MODULES
    strangers = {name.split(".")[0] for name in loaded} - {"fourcast"} - sys.stdlib_module_names
    assert strangers == set()


def test_import_takes_less_than_60_ms() -> None:
    """Of the processor, and the best of some runs: whatever else the machine is doing."""
    code = "import time; t = time.process_time(); import fourcast; print(time.process_time() - t)"
    runs = [
        subprocess.run([sys.executable, "-c", code], capture_output=True, check=True) for _ in range(5)
    ]
    assert min(float(run.stdout) for run in runs) < 0.060


def test_all_is_sorted_and_every_name_in_it_is_there() -> None:
    assert fourcast.__all__ == sorted(fourcast.__all__)
    for name in fourcast.__all__:
        assert getattr(fourcast, name) is not None
