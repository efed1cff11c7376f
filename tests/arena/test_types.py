"""Settings and players as type checkers see them."""

from __future__ import annotations

import inspect
import subprocess
import sys
from dataclasses import fields
from pathlib import Path
from typing import get_type_hints

import pytest

from fourcast.arena.match import Settings, SettingsOptions

SNIPPET = """
from fourcast import Match, Position
from fourcast.arena import Settings, Tournament, evaluate_agent
from fourcast.players.depth_player import DepthPlayer


class Central:
    name = "central"

    def choose(self, position: Position) -> int:
        return position.columns_from_center[0]


def leftmost(position: Position) -> int:
    return position.legal_columns[0]


def wordy(position: Position) -> str:
    return "the center"


Match(Central(), leftmost, games=10, move_time_s=0.5)
Tournament([Central, leftmost, "level-3"], Settings(games=2))
evaluate_agent(leftmost, positions=10)
DepthPlayer(depth=4)
Match(leftmost, "random", games="ten")  # wrong
Match(leftmost, "random", gamse=10)  # wrong
Match(wordy, "random")  # wrong
Settings(opening_plies=None)  # wrong
evaluate_agent(leftmost, positions=0.5)  # wrong
DepthPlayer(depht=4)  # wrong
"""


def test_the_typed_settings_are_all_settings() -> None:
    assert set(SettingsOptions.__annotations__) == {field.name for field in fields(Settings)}
    assert get_type_hints(SettingsOptions) == get_type_hints(Settings)
    assert inspect.signature(Settings).parameters.keys() == SettingsOptions.__annotations__.keys()


@pytest.mark.slow
def test_mypy_sees_a_wrong_setting_and_a_wrong_player(tmp_path: Path) -> None:
    file = tmp_path / "snippet.py"
    file.write_text(SNIPPET)
    command = [sys.executable, "-m", "mypy", "--strict", "--no-error-summary", "--hide-error-context"]
    run = subprocess.run(
        [*command, "--cache-dir", str(tmp_path / "cache"), str(file)],
        capture_output=True,
        text=True,
        timeout=600,
        cwd=tmp_path,
    )
    wrong = [i for i, line in enumerate(SNIPPET.splitlines(), 1) if line.endswith("# wrong")]
    errors = [line for line in run.stdout.splitlines() if ": error: " in line]
    assert [int(line.split(":")[1]) for line in errors] == wrong, run.stdout
