"""A solve with a checkpoint goes on, whatever ended it; damaged and foreign files are refused."""

from __future__ import annotations

import json
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from fourcast import CheckpointError, FinishedGameError, Limit, Position, Solver
from fourcast.book.workers import on_threads
from fourcast.long_solve import (
    QUESTIONS_WITHOUT_BOOK,
    Checkpoint,
    solve_on_workers,
    solve_with_checkpoint,
)

SMALL = Position("1234", width=5, height=5)


@pytest.fixture(scope="module")
def solver() -> Solver:
    return Solver(book=None, table_mb=1)


@pytest.fixture
def written(tmp_path: Path, solver: Solver) -> Path:
    file = tmp_path / "small.checkpoint"
    solve_with_checkpoint(SMALL, file, solver=solver)
    return file


@pytest.mark.parametrize("moves", ["", "4", "1234", "445566"])
def test_the_score_is_that_of_the_solver(moves: str, tmp_path: Path, solver: Solver) -> None:
    position = Position(moves, width=6, height=4)
    result = solve_with_checkpoint(position, tmp_path / "file", solver=Solver(book=None, table_mb=1))
    assert result.score == solver.score(position)
    assert result.complete
    assert result.nodes > 0
    assert result.time_s > 0


def test_a_finished_solve_is_only_read(written: Path, solver: Solver) -> None:
    before = Checkpoint.read(written, SMALL)
    again = solve_with_checkpoint(SMALL, written, solver=solver)
    assert again.score == solver.score(SMALL)
    assert again.nodes - before.nodes <= 1


def test_the_mirror_image_goes_on_with_the_same_file(written: Path, solver: Solver) -> None:
    before = Checkpoint.read(written, SMALL)
    assert solve_with_checkpoint(SMALL.mirror(), written, solver=solver).nodes - before.nodes <= 1


def test_a_limit_leaves_bounds_and_the_next_run_goes_on(tmp_path: Path) -> None:
    position, file = Position(width=6, height=5), tmp_path / "file"
    nodes, runs, result = 0, 0, None
    while result is None or not result.complete:
        fresh = Solver(book=None, table_mb=1)  # as after the end of a process
        result = solve_with_checkpoint(position, file, solver=fresh, limit=Limit(nodes=60_000))
        assert result.lower <= 0 <= result.upper
        assert result.nodes > nodes
        nodes, runs = result.nodes, runs + 1
    assert (result.score, runs > 2) == (0, True)


def test_progress_never_goes_back_and_ends_with_all(tmp_path: Path) -> None:
    shares: list[float] = []
    position = Position(width=6, height=5)
    solver = Solver(book=None, table_mb=1)
    solve_with_checkpoint(position, tmp_path / "file", solver=solver, progress=shares.append)
    assert len(shares) > 10
    assert shares == sorted(shares)
    assert shares[0] >= 0
    assert shares[-1] == 1


def test_an_interruption_in_the_middle_is_written_down(tmp_path: Path) -> None:
    file = tmp_path / "file"

    def interrupt(share: float) -> None:
        if share > 0.2:
            raise KeyboardInterrupt

    position = Position(width=6, height=5)
    with pytest.raises(KeyboardInterrupt):
        solve_with_checkpoint(position, file, solver=Solver(book=None, table_mb=1), progress=interrupt)
    assert len(Checkpoint.read(file, position).known) > 1


def test_a_damaged_file_is_refused_and_left_alone(written: Path, solver: Solver) -> None:
    whole = written.read_bytes()
    middle = len(whole) // 2
    for damaged in (
        whole[:-1],
        whole[:40],
        whole + b"x",
        whole[:middle] + bytes([whole[middle] ^ 1]) + whole[middle + 1 :],
    ):
        written.write_bytes(damaged)
        with pytest.raises(CheckpointError, match=r"is damaged: remove it to begin again"):
            solve_with_checkpoint(SMALL, written, solver=solver)
        assert written.read_bytes() == damaged


@pytest.mark.parametrize("content", [b"", b"my diary\n", b"fourcast book 2\n"])
def test_a_file_of_something_else_is_refused_and_left_alone(content: bytes, tmp_path: Path) -> None:
    file = tmp_path / "diary"
    file.write_bytes(content)
    with pytest.raises(CheckpointError, match=r"is not a checkpoint; it is left alone"):
        solve_with_checkpoint(SMALL, file)
    assert file.read_bytes() == content


def test_another_version_position_or_size_is_refused(written: Path) -> None:
    other = Position("12", width=5, height=5)
    with pytest.raises(CheckpointError, match=r"of another solve, of a board of 5x5 with 4 discs"):
        solve_with_checkpoint(other, written)
    with pytest.raises(CheckpointError, match=r"of another solve"):
        solve_with_checkpoint(Position("1234"), written)
    written.write_bytes(written.read_bytes().replace(b"checkpoint 1", b"checkpoint 2", 1))
    with pytest.raises(CheckpointError, match=r"of another version of fourcast"):
        solve_with_checkpoint(SMALL, written)


def test_a_finished_game_or_a_folder_that_does_not_exist_is_refused_at_once(tmp_path: Path) -> None:
    with pytest.raises(FinishedGameError):
        solve_with_checkpoint(Position("1212121"), tmp_path / "file")
    with pytest.raises(FileNotFoundError):
        solve_with_checkpoint(Position(), tmp_path / "nowhere" / "file")


# Many workers


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("moves", ["", "4", "1234", "445566"])
def test_workers_find_the_score_of_the_solver(moves: str, threads: int, solver: Solver) -> None:
    position = Position(moves, width=6, height=4)
    result = solve_on_workers(position, on_threads(threads, QUESTIONS_WITHOUT_BOOK))
    assert result.score == solver.score(position)
    assert result.nodes > 0


def test_workers_that_are_cut_short_go_on_with_the_file_and_so_does_a_single_solver(
    tmp_path: Path, solver: Solver
) -> None:
    """Every few questions another run, one after the other by workers and by one solver."""
    position, file = Position(width=6, height=5), tmp_path / "file"
    nodes, runs, result = 0, 0, None
    while result is None or not result.complete:
        limit = Limit(nodes=60_000)
        if runs % 2:
            result = solve_with_checkpoint(position, file, solver=solver, limit=limit)
        else:
            workers = on_threads(2, QUESTIONS_WITHOUT_BOOK)
            result = solve_on_workers(position, workers, file, limit=limit)
        assert result.lower <= 0 <= result.upper
        assert result.nodes > nodes
        nodes, runs = result.nodes, runs + 1
    assert (result.score, runs > 2) == (0, True)
    again = solve_on_workers(position, on_threads(2, QUESTIONS_WITHOUT_BOOK), file)
    assert (again.score, again.nodes) == (0, nodes)


def test_everything_that_workers_have_proven_is_true(tmp_path: Path, solver: Solver) -> None:
    position, file = Position("4", width=6, height=5), tmp_path / "file"
    solve_on_workers(position, on_threads(2, QUESTIONS_WITHOUT_BOOK), file)
    known = Checkpoint.read(file, position).known
    checked, reached = 0, [position]
    for ply in range(4):  # the positions of the next moves, in which most of the tree is
        for reached_position in reached:
            lower, upper, _ = known.get(reached_position.canonical_key, (-99, 99, 0))
            if lower > -99 or upper < 99:
                assert lower <= solver.score(reached_position) <= upper
                checked += 1
        if ply < 3:
            reached = [
                child
                for parent in reached
                for child in (parent.play(column) for column in parent.legal_columns)
                if not child.is_over
            ]
    assert checked > 20


def test_progress_of_workers_never_goes_back_and_ends_with_all() -> None:
    shares: list[float] = []
    workers = on_threads(2, QUESTIONS_WITHOUT_BOOK)
    solve_on_workers(Position(width=6, height=5), workers, progress=shares.append)
    assert shares == sorted(shares)
    assert shares[-1] == 1


# kill -9


def start(width: int, height: int, file: Path, *options: str) -> subprocess.Popen[str]:
    size = ["--width", str(width), "--height", str(height), "--no-book", "--json"]
    command = [sys.executable, "-m", "fourcast", "solve", *size, "--checkpoint", str(file), *options]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


def kill_and_resume(width: int, height: int, file: Path, *, kills: int, pause_s: float) -> int:
    """Kill a solve at random moments, let the last run end, and return the score."""
    chance = random.Random(f"{width}x{height}")
    for _ in range(kills):
        process = start(width, height, file)
        while not file.exists() and process.poll() is None:
            time.sleep(0.01)
        time.sleep(chance.uniform(0.2, 1.8) * pause_s)
        process.send_signal(signal.SIGKILL)
        process.communicate()
    process = start(width, height, file)
    answer = json.loads(process.communicate()[0])
    assert process.returncode == 0
    score = answer["score"]
    assert isinstance(score, int)
    return score


def test_a_solve_that_is_killed_goes_on_with_what_it_knew(tmp_path: Path) -> None:
    file = tmp_path / "6x5.checkpoint"
    assert kill_and_resume(6, 5, file, kills=2, pause_s=0.4) == 0


@pytest.mark.slow
@pytest.mark.parametrize(
    ("width", "height", "score", "pause_s"), [(7, 6, 1, 0.8), (6, 7, 1, 0.8), (7, 7, 0, 12)]
)
def test_a_solve_that_is_killed_five_times_ends_with_the_score(
    width: int, height: int, score: int, pause_s: float, tmp_path: Path
) -> None:
    """And with fewer nodes in all than five solves of one go."""
    file = tmp_path / "checkpoint"
    assert kill_and_resume(width, height, file, kills=5, pause_s=pause_s) == score
    empty = Position(width=width, height=height)
    at_once = Solver(book=None, table_mb=256).solve(empty, best_columns=False)
    # The nodes of the file: those of a run after its last record are not in it.
    assert Checkpoint.read(file, empty).nodes < 5 * at_once.nodes
