"""`fourcast bench`, and the signature of the search."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from fourcast import Position
from fourcast.cli import bench

SIGNATURE = Path(__file__).resolve().parent.parent / "fixtures" / "signature.txt"


def test_the_search_is_the_one_that_was_signed() -> None:
    """A change of the search that is meant to change nothing must leave this number alone.

    One that is meant to goes with `fourcast bench --signature > tests/fixtures/signature.txt`.
    """
    command = [sys.executable, "-m", "fourcast", "bench", "--signature"]
    run = subprocess.run(command, capture_output=True, text=True, check=True, timeout=120)
    assert run.stdout == SIGNATURE.read_text()


def test_the_signature_is_of_50_positions_of_all_stages() -> None:
    positions = {Position(moves) for stage in bench.STAGES.values() for moves in stage}
    assert len(positions) == 50
    assert len({position.ply for position in positions}) > 20
    assert not any(position.is_over for position in positions)


def test_the_speeds_of_all_stages_are_shown(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bench, "LEAST_S", 0.001)
    monkeypatch.setattr(bench, "STAGES", {"end": bench.STAGES["end"]})
    bench._print_speeds()
    head, names, row = capsys.readouterr().out.splitlines()
    assert "one thread, no book" in head
    assert names.split()[0] == "stage"
    assert row.split()[:2] == ["end", "28-34"]
