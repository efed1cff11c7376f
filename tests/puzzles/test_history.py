"""What a person has solved, in a file that survives."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from datetime import datetime, timezone
from pathlib import Path

import pytest

from fourcast.append_file import AppendFile
from fourcast.errors import GameFileError
from fourcast.puzzles.glicko import Strength, updated
from fourcast.puzzles.history import HEADER, History
from fourcast.puzzles.puzzle_file import parse_puzzle

PUZZLE = parse_puzzle("4753452525545241 w4 133 6 432 105 s")


def test_the_published_example_of_glicko_2_comes_out() -> None:
    """Mark Glickman, "Example of the Glicko-2 system"."""
    after = updated(Strength(1500, 200, 0.06), [(1400, 30, 1), (1550, 100, 0), (1700, 300, 0)])
    assert after.rating == pytest.approx(1464.06, abs=0.02)
    assert after.deviation == pytest.approx(151.52, abs=0.01)
    assert after.volatility == pytest.approx(0.05999, abs=1e-5)


def test_a_period_without_results_makes_a_rating_less_certain() -> None:
    after = updated(Strength(1500, 200, 0.06), [])
    assert (after.rating, after.volatility) == (1500, 0.06)
    assert after.deviation == pytest.approx(200.2714, abs=1e-3)


def test_a_surprising_result_raises_the_volatility() -> None:
    player = Strength(1500, 30, 0.06)
    assert updated(player, [(2500, 30, 1)]).volatility > player.volatility


def test_attempts_are_kept_and_make_the_rating(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "training.jsonl"
    history = History(path)
    start = history.strength
    when = datetime(2026, 11, 16, tzinfo=timezone.utc)
    history.add(PUZZLE, solved=True, when=when)
    better = history.strength
    history.add(PUZZLE, solved=False, hints=1, when=when)
    history.add(PUZZLE, solved=True, when=when)
    again = History(path)
    assert again.answered == history.answered
    assert again.strength == history.strength
    assert start.rating < better.rating < again.strength.rating
    assert again.strength.deviation < better.deviation < start.deviation
    assert again.streak == 1


def test_sessions_that_write_at_the_same_time_wait_for_each_other(tmp_path: Path) -> None:
    path = tmp_path / "training.jsonl"
    code = (
        "import sys\nfrom pathlib import Path\nfrom fourcast.puzzles.history import History\n"
        "history = History(Path(sys.argv[1]))\n"
        "for step in range(1, 21): history.learn('rules', step)"
    )
    sessions = [subprocess.Popen([sys.executable, "-c", code, str(path)]) for _ in range(3)]
    assert [session.wait(60) for session in sessions] == [0, 0, 0]
    assert len(History(path).learned) == 60


def test_a_session_that_is_not_let_in_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "training.jsonl"
    monkeypatch.setattr("fourcast.puzzles.history.WAIT_S", 0.05)
    with AppendFile(path, HEADER), pytest.raises(GameFileError, match="another process is writing"):
        History(path).add(PUZZLE, solved=True)


def test_an_attempt_with_a_hint_does_not_count_for_the_rating(tmp_path: Path) -> None:
    history = History(tmp_path / "training.jsonl")
    history.add(PUZZLE, solved=True, hints=2)
    assert history.strength == Strength()
    assert history.streak == 0


def test_kill_9_costs_no_attempt_that_was_written_down(tmp_path: Path) -> None:
    path = tmp_path / "training.jsonl"
    code = (
        "import sys; from pathlib import Path\n"
        "from fourcast.puzzles.history import History\n"
        "from fourcast.puzzles.puzzle_file import parse_puzzle\n"
        "puzzle = parse_puzzle('4753452525545241 w4 133 6 432 105 s')\n"
        "history = History(Path(sys.argv[1]))\n"
        "while True:\n"
        "    history.add(puzzle, solved=True); print(len(history.answered), flush=True)\n"
    )
    process = subprocess.Popen([sys.executable, "-c", code, path], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    counts = [int(process.stdout.readline()) for _ in range(5)]
    os.kill(process.pid, signal.SIGKILL)
    counts += [int(line) for line in process.stdout if line.endswith("\n")]
    process.wait()
    process.stdout.close()
    found = len(History(path).answered)
    assert counts[-1] <= found <= counts[-1] + 1
    with path.open("ab") as file:
        file.write(b'{"when":"2026-')  # the worst that a crash can leave
    history = History(path)
    history.add(PUZZLE, solved=False)
    assert len(History(path).answered) == found + 1


@pytest.mark.parametrize(
    "content",
    [b"x\ny\n", b'{"format":"other"}\n', b'{"format":"fourcast training 1"}\n{"when":1}\n{}\n'],
)
def test_a_file_that_is_no_history_is_refused_and_left_alone(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "training.jsonl"
    path.write_bytes(content)
    with pytest.raises(GameFileError, match="line"):
        History(path)
    assert path.read_bytes() == content


def test_a_full_disk_is_named_with_its_file_and_costs_this_attempt_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "training.jsonl"
    history = History(path)
    history.add(PUZZLE, solved=True)
    write = os.write

    def half(file: int, line: bytes) -> int:
        return write(file, line[: len(line) // 2])

    with monkeypatch.context() as patched:
        patched.setattr(os, "write", half)
        with pytest.raises(GameFileError, match=r"training\.jsonl cannot be written to: No space left"):
            history.add(PUZZLE, solved=False)
    assert [each.solved for each in History(path).answered] == [True]
    history.add(PUZZLE, solved=True)
    assert [each.solved for each in History(path).answered] == [True, True]
