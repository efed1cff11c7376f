"""Who imports whom, and what `import fourcast` costs."""

from __future__ import annotations

import ast
import importlib
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

import fourcast

PACKAGE = Path(__file__).resolve().parent.parent / "src" / "fourcast"

# The import line: a room may import from its own step of the line and from those before it.
LINE = [
    {"_core", "append_file", "errors", "files", "locks", "paths"},
    {
        *("book", "heuristics", "notation", "game", "game_file", "long_solve", "popout"),
        *("search_threads", "solver", "toml"),
    },
    {"render", "study", "players", "certificate"},
    {"protocol", "arena", "data", "puzzles"},
    {"community", "web", "adapters", "notebook", "llm"},
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
        # An error's sentence is filled when somebody reads it, by what comes later in the line.
        if imported == "__version__" or (room, imported) == ("errors", "render"):
            continue
        assert imported in STEP, f"import {imported} from the module it lives in, not from fourcast"
        assert STEP[imported] <= STEP[room], f"{room} comes before {imported} in the line"


# Methods that are there for convenience import, when they are called, what is built on them.
CONVENIENCE = {
    ("fourcast.study.explain", "fourcast.render.notebook"),
    ("fourcast.study.review", "fourcast.render.notebook"),
}


def module_of(path: Path) -> str:
    return ".".join(("fourcast", *path.relative_to(PACKAGE).with_suffix("").parts)).removesuffix(
        ".__init__"
    )


def imported_modules(path: Path, modules: set[str]) -> Iterator[str]:
    """The modules of fourcast that a file imports, in functions too."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in modules)
        elif isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                name = f"{node.module}.{alias.name}"
                yield name if name in modules else node.module


def test_no_module_is_imported_by_what_it_imports() -> None:
    """Within packages, too: there is an order in which every module comes after those that it needs."""
    modules = {module_of(path) for path in FILES}
    needs = {
        module_of(path): {
            name
            for name in imported_modules(path, modules)
            if name in modules and name != module_of(path) and (module_of(path), name) not in CONVENIENCE
        }
        for path in FILES
    }
    assert set(TopologicalSorter(needs).static_order()) == modules  # raises CycleError


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


@pytest.mark.parametrize("command", ["match", "play"])
def test_a_command_that_may_start_a_program_calls_the_system_only_when_it_does(command: str) -> None:
    assert "ctypes" not in modules_loaded_by(f"import fourcast.cli.{command}")


def test_import_takes_less_than_60_ms() -> None:
    """Of the processor, and the best of some runs: whatever else the machine is doing."""
    code = "import time; t = time.process_time(); import fourcast; print(time.process_time() - t)"
    runs = [
        subprocess.run([sys.executable, "-c", code], capture_output=True, check=True) for _ in range(5)
    ]
    assert min(float(run.stdout) for run in runs) < 0.060


def test_all_is_sorted_and_every_name_in_it_is_there() -> None:
    names = importlib.import_module("fourcast").__all__
    modules = [
        *("_core", "arena", "certificate", "data", "errors", "llm", "notation", "players"),
        *("popout", "puzzles", "render", "study"),
    ]
    assert names == sorted(names)
    assert dir(fourcast) == sorted([*names, *modules])
    for name in dir(fourcast):
        assert getattr(fourcast, name) is not None


def test_the_compiled_module_imports_errors_words_pictures_and_the_standard_library_only() -> None:
    """What a default is, such as the books of a solver, is decided in Python."""
    native = PACKAGE.parent.parent / "native"
    texts = [path.read_text("utf-8") for path in native.rglob("*") if path.suffix in (".cpp", ".hpp")]
    own = {name for text in texts for name in re.findall(r'"(fourcast\.[a-z][\w.]+)"', text)}
    # The words and pictures are for `print` and for notebooks, when asked.
    assert own == {"fourcast.errors", "fourcast.render.analysis", "fourcast.render.notebook"}
    found = {name for text in texts for name in re.findall(r'import_\("([\w.]+)"\)', text)}
    assert {name.split(".")[0] for name in found} - {"fourcast"} <= sys.stdlib_module_names


# The same for the core: a folder of native/ may include from itself and from those before it.
NATIVE = PACKAGE.parents[1] / "native"
NATIVE_LINE = [
    "system",
    "board",
    "search",
    "book",
    "solver",
    "reasons",
    "certificate",
    "study",
    "players",
    "arrays",
]
NATIVE_HOMES = ("bindings", "wasm", "tests", "tools")  # which may include all of those, and themselves


def included_folders(path: Path) -> Iterator[str]:
    for name in re.findall(r'^#include "([^"]+)"', path.read_text("utf-8"), re.MULTILINE):
        assert not name.startswith("."), f"{path} includes {name}: say the folder it is in"
        yield name.split("/")[0] if "/" in name else path.parent.name


@pytest.mark.parametrize("folder", [*NATIVE_LINE, *NATIVE_HOMES])
def test_includes_go_one_way(folder: str) -> None:
    known = NATIVE_LINE[: NATIVE_LINE.index(folder) + 1] if folder in NATIVE_LINE else NATIVE_LINE
    for path in sorted((NATIVE / folder).iterdir()):
        for included in included_folders(path) if path.suffix in (".hpp", ".cpp") else ():
            assert included in {*known, folder}, f"{path} includes {included}, which comes after it"


def test_every_file_of_the_core_is_in_a_folder() -> None:
    assert {path.name for path in NATIVE.iterdir()} == {*NATIVE_LINE, *NATIVE_HOMES}
