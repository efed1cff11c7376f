"""The worked example learns, and in a short time."""

from __future__ import annotations

import re
import resource
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLE = Path(__file__).resolve().parent.parent.parent / "examples" / "train_agent.py"


@pytest.mark.slow
def test_the_agent_of_the_example_learns_to_find_perfect_moves_in_less_than_two_minutes(
    tmp_path: Path,
) -> None:
    out = tmp_path / "plot.svg"
    before_s = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    run = subprocess.run(
        [sys.executable, str(EXAMPLE), "--out", str(out)],
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert run.returncode == 0, run.stderr
    # Of the processor, so that other work on the machine does not count.
    assert resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before_s < 120
    shares = [float(share) for share in re.findall(r"([\d.]+)% \+- [\d.]+ perfect moves", run.stdout)]
    assert len(shares) >= 20
    assert shares[-1] > 65  # 31 by chance, 63 for level-3
    assert out.read_text().endswith("</svg>\n")
