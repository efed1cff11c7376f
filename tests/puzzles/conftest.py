"""The command with a data folder of its own for each test."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import pytest

from tests import command as fourcast

Run = Callable[..., CompletedProcess[str]]


@pytest.fixture
def run(tmp_path: Path) -> Run:
    def run_here(*words: str, given: str = "") -> CompletedProcess[str]:
        env = os.environ | {"FOURCAST_DATA": str(tmp_path), "NO_COLOR": "1"}
        return fourcast.run_text(*words, given=given, env=env)

    return run_here
