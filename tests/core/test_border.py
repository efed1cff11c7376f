"""The border to C++: whatever the compiled module is given, it answers or raises a documented error."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import fourcast
from fourcast import _core

STUB = Path(fourcast.__file__).parent / "_core.pyi"
WALK = Path(__file__).with_name("border_walk.py")
TIME_LIMIT_S = 240


def parts() -> list[Any]:
    """The classes of the stub, and its functions, which are tried in slow runs only."""
    tree = ast.parse(STUB.read_text("utf-8"))
    return [
        pytest.param(node.name, marks=[pytest.mark.slow] * isinstance(node, ast.FunctionDef))
        for node in tree.body
        if isinstance(node, (ast.ClassDef, ast.FunctionDef))
    ]


def test_the_stub_has_what_the_module_has_and_nothing_else() -> None:
    """Each name is compiled with the words of the stub, so only names can be missing or too many."""
    tree = ast.parse(STUB.read_text("utf-8"))
    classes = {node.name: node for node in tree.body if isinstance(node, ast.ClassDef)}
    for node in classes.values():
        listed = {each.name for each in node.body if isinstance(each, ast.FunctionDef)} - {"__init__"}
        found = set(vars(getattr(_core, node.name)))
        if node.name == "Proven":  # the answers have these, with their own type
            found |= {"mirrored", "to_json", "from_json", "__eq__", "__hash__"}
        assert listed <= found, node.name
        bases = {each for base in node.bases for each in dir(getattr(_core, ast.unparse(base)))}
        public = {name for name in found if not name.startswith("_")} - bases
        assert public - {"mirrored", "to_json", "from_json"} <= listed, node.name
    functions = {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
    assigned = {ast.unparse(node.target) for node in tree.body if isinstance(node, ast.AnnAssign)}
    assert functions | assigned | set(classes) == {name for name in vars(_core) if name[0] != "_"}


@pytest.mark.timeout(TIME_LIMIT_S + 30)
@pytest.mark.parametrize("part", parts())
def test_no_argument_brings_the_interpreter_down(part: str, tmp_path: Path) -> None:
    """Each part in a child process, which prints the number of its calls."""
    log = tmp_path / "calls"
    command = [sys.executable, "-X", "faulthandler", str(WALK), str(STUB), str(log), part]
    try:
        run = subprocess.run(
            command, capture_output=True, text=True, timeout=TIME_LIMIT_S, cwd=tmp_path, errors="replace"
        )
    except subprocess.TimeoutExpired:
        pytest.fail(f"a call does not end: {log.read_text().splitlines()[-1]}")
    last = log.read_text().splitlines()[-1] if log.exists() else "none"
    assert run.returncode == 0, f"after {last}: {run.stderr[-3000:]}"
    calls, interrupted = map(int, run.stdout.split())
    print(f"{part}: {calls} calls, {interrupted} of them interrupted, 0 signals")
    assert calls > 0
