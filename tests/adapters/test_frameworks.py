"""The recipes of docs/agents.md for learning frameworks, run with the real packages for some seconds."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.ray_cluster import START_ATTEMPTS, own_environment

AGENTS = Path(__file__).resolve().parent.parent.parent / "docs" / "agents.md"
RECIPES = ("Stable-Baselines3", "MaskablePPO", "RLlib", "TorchRL", "tianshou")


def recipe(name: str) -> str:
    """The program of a recipe: the block of Python below its name."""
    found = re.search(
        rf"^\*\*{re.escape(name)}\*\*.*?```python\n(.*?)```", AGENTS.read_text(), re.S | re.M
    )
    assert found, name
    return found[1]


def test_every_framework_has_a_recipe() -> None:
    for name in RECIPES:
        compile(recipe(name), name, "exec")


@pytest.mark.slow
@pytest.mark.parametrize("name", RECIPES)
def test_a_recipe_trains_an_agent(name: str, tmp_path: Path) -> None:
    script = tmp_path / "recipe.py"
    script.write_text(recipe(name))
    # Threads that wait for each other crawl on a busy machine.
    environment = os.environ | own_environment(str(tmp_path)) | {"OMP_NUM_THREADS": "1"}
    for _ in range(START_ATTEMPTS):
        run = subprocess.run(
            [sys.executable, str(script)],
            capture_output=True,
            text=True,
            timeout=1500,
            cwd=tmp_path,
            env=environment,
            check=False,
        )
        if "The current node timed out during startup" not in run.stderr:
            break
    assert run.returncode == 0, run.stderr[-3000:]
    assert re.search(r"\d% \+- \S+ of 200 moves perfect|trained on \d+ moves", run.stdout), run.stdout
