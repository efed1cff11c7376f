"""What is installed, and what it says of itself."""

from __future__ import annotations

import importlib.metadata
import re
import subprocess
import sys
from pathlib import Path

import pytest

import fourcast

ROOT = Path(__file__).resolve().parent.parent


def tracked_files() -> list[Path]:
    output = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=False).stdout
    return [ROOT / name for name in output.decode().split("\0") if name]


def test_the_version_is_that_of_the_package() -> None:
    assert fourcast.__version__ == importlib.metadata.version("fourcast")


def test_a_bare_install_needs_little() -> None:
    needed = importlib.metadata.requires("fourcast") or []
    names = {re.split(r"[^\w-]", line)[0] for line in needed if "extra ==" not in line}
    assert names == {"numpy", "rich", "typer"}


def test_the_package_is_typed() -> None:
    package = Path(fourcast.__file__).parent
    assert (package / "py.typed").exists()
    assert (package / "_core.pyi").exists()


def test_the_package_runs_as_a_module() -> None:
    run = subprocess.run([sys.executable, "-m", "fourcast", "--version"], capture_output=True, text=True)
    assert run.returncode == 0
    assert fourcast.__version__ in run.stdout


def test_no_file_names_a_place_outside_the_repository() -> None:
    """A clone must build, test and run wherever it is put."""
    words = ["/work" + "/", "shared" + "/seeds", "../" + "shared"]
    files = tracked_files()
    if not files:
        pytest.skip("not a git repository")
    for path in files:
        if path.is_file():
            text = path.read_bytes().decode("utf-8", "replace")
            assert not [word for word in words if word in text], path


@pytest.mark.slow
def test_a_wheel_holds_what_it_should_and_works_without_the_source(tmp_path: Path) -> None:
    """`pip install .`, in a fresh environment, without the flags of development."""
    python = tmp_path / "venv" / "bin" / "python"
    subprocess.run([sys.executable, "-m", "venv", str(tmp_path / "venv")], check=True)
    build_dir = f"build-dir={tmp_path / 'build'}"
    subprocess.run([python, "-m", "pip", "install", "-qq", "-C", build_dir, str(ROOT)], check=True)
    code = "import fourcast; print(fourcast.perft(fourcast.Position(), 6), fourcast.__file__)"
    run = subprocess.run([python, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert run.stdout.startswith("117649 ")
    assert str(tmp_path) in run.stdout
    code = "from fourcast import *; print(Solver().solve(Position('44'), best_columns=False).nodes)"
    run = subprocess.run([python, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert run.stdout == "0\n", "the opening book was not found"
    installed = (tmp_path / "venv").rglob("site-packages/fourcast/**/*")
    names = {path.name for path in installed}
    assert {"py.typed", "_core.pyi", "__init__.py", "errors.py"} <= names
    assert {"en.json", "standard-1.txt", "fourcast.wasm"} <= names
    assert (tmp_path / "venv" / "bin" / "fourcast").exists()
