"""The search for certificates: on threads and on a cluster, killed and continued."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from fourcast.book.workers import on_threads
from fourcast.certificate import Certificate, Proven, shipped
from fourcast.certificate.look import LOOK
from fourcast.certificate.search import search_in
from fourcast.certificate.writer import Strategy, decode, encode
from fourcast.errors import CertificateError
from fourcast.notation import parse_moves
from tests.command import COMMAND
from tests.ray_cluster import running_cluster, wait_until


def looked_at(folder: Path) -> list[tuple[str, str]]:
    """The positions in the log of a search, without a line that is being written."""
    log = folder / "found.jsonl"
    lines = log.read_text("utf-8").split("\n")[:-1] if log.exists() else []
    return [tuple(json.loads(line)[:2]) for line in lines]


def start(folder: Path, board: list[str], *options: str) -> subprocess.Popen[str]:
    command = [*COMMAND, "certificate", "build", str(folder), *board, "--seconds", "0", *options]
    command += ["--out", str(folder / "out.c4win")]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def finished(folder: Path, process: subprocess.Popen[str]) -> Proven:
    output, errors = process.communicate(timeout=600)
    assert process.returncode == 0, errors
    assert "whatever the opponent plays" in output
    return Certificate.load(folder / "out.c4win").check()


def test_threads_find_a_certificate_together(tmp_path: Path) -> None:
    search = search_in(tmp_path, Strategy(6, 4, 2, True))
    told: list[tuple[int, int]] = []
    search.build(0, lambda *numbers: told.append(numbers), on_threads(3, LOOK))
    assert Certificate(encode(search.strategy)).check().win
    assert [seen for seen, _ in told] == list(range(1, len(told) + 1))
    assert told[-1][1] == 0
    assert len(set(looked_at(tmp_path))) == len(told)


def test_what_is_not_true_is_not_found_by_threads_either(tmp_path: Path) -> None:
    with pytest.raises(CertificateError, match="cannot reach that goal"):
        search_in(tmp_path, Strategy(6, 4, 1, True)).build(0, workers=on_threads(2, LOOK))


BOARD = ["--width", "6", "--height", "5", "--player", "2", "--hold", "--effort", "0"]


def test_a_search_that_is_killed_goes_on_where_it_was(tmp_path: Path) -> None:
    first = start(tmp_path, BOARD)
    wait_until(lambda: len(looked_at(tmp_path)) >= 12, "a dozen positions", 100)
    first.kill()
    first.communicate()
    assert not (tmp_path / "out.c4win").exists()
    kept = looked_at(tmp_path)
    proven = finished(tmp_path, start(tmp_path, BOARD, "--threads", "2"))
    assert (proven.width, proven.height, proven.player, proven.win) == (6, 5, 2, False)
    log = looked_at(tmp_path)
    assert log[: len(kept)] == kept
    assert len(set(log)) == len(log) > len(kept)  # nothing was looked at twice


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="finds the processes of a node in /proc")
def test_a_search_on_a_cluster_survives_the_loss_of_its_driver_and_of_a_node(tmp_path: Path) -> None:
    board = ["--width", "6", "--height", "6", "--player", "2", "--effort", "0"]
    with running_cluster(tmp_path) as cluster:
        first = start(tmp_path, board, "--ray", cluster.address)
        wait_until(lambda: len(looked_at(tmp_path)) >= 30, "thirty positions")
        first.kill()
        first.communicate()
        kept = len(looked_at(tmp_path))
        second = start(tmp_path, board, "--ray", cluster.address)
        wait_until(lambda: len(looked_at(tmp_path)) > kept + 20, "more positions")
        assert second.poll() is None
        cluster.other.kill()
        proven = finished(tmp_path, second)
    assert (proven.width, proven.height, proven.player, proven.win) == (6, 6, 2, True)
    assert len(set(looked_at(tmp_path))) == len(looked_at(tmp_path))


def test_a_cluster_that_is_not_there_is_an_error_in_words(tmp_path: Path) -> None:
    process = start(tmp_path, BOARD, "--ray", "127.0.0.1:1")
    _, errors = process.communicate(timeout=100)
    assert process.returncode == 2
    assert "Ray cluster" in errors


def test_what_people_can_learn_is_made_and_played_in_a_terminal(tmp_path: Path) -> None:
    file = tmp_path / "won.c4win"
    made = [*COMMAND, "certificate", "build", str(tmp_path / "search"), "--readable", "--seconds", "0"]
    made += ["--moves", "15635524465362262533", "--out", str(file)]
    assert "the first player wins" in run(made)
    played = run([*COMMAND, "certificate", "play", str(file)], "1\n2\n3\n4\n5\n6\n7\n" * 6)
    assert "follows a diagram" in played
    assert re.search(r"\n  [.#1-9]( [.#1-9]){6}\n", played)
    assert played.endswith("Red wins.\n")
    assert "level diagrams wins" in run([*COMMAND, "certificate", "info", str(file)])
    assert "leave out --hold" in run([*made, "--hold"], status=2)


def test_an_error_names_the_file_and_comes_before_the_search(tmp_path: Path) -> None:
    cut = tmp_path / "cut.c4win"
    cut.write_bytes(shipped("7x6").data[:500])
    for command in ("check", "info", "play"):
        assert f"{cut} is not a proof: " in run([*COMMAND, "certificate", command, str(cut)], status=2)
    assert "6x4, " in run([*COMMAND, "certificate", "info", "9x9"], status=2)
    built = [*COMMAND, "certificate", "build", str(tmp_path / "search"), "--out"]
    assert "No such file" in run([*built, str(tmp_path / "nowhere" / "out.c4win")], status=2)
    assert not (tmp_path / "search").exists()


def test_with_twelve_discs_one_diagram_is_enough(tmp_path: Path) -> None:
    moves = parse_moves("413552644247")
    search = search_in(tmp_path, Strategy(7, 6, 1, True, moves, readable=True))
    search.build(0)
    proven = Certificate(encode(search.strategy)).check()
    assert (proven.positions, proven.inner_moves, proven.diagrams) == (1, 0, 1)


def test_a_search_takes_over_the_moves_of_a_certificate(tmp_path: Path) -> None:
    certificate = shipped("7x4-first")
    search = search_in(tmp_path, Strategy(7, 4, 1, False))
    search.take_over(decode(certificate))
    moves = {search.after(place, move) for place, move in search.guide.items()}
    assert len(moves) == certificate.check().inner_moves
    search.build(0)
    assert Certificate(encode(search.strategy)).check().positions
    assert all(search.strategy.moves[place] == move for place, move in search.guide.items())
    assert not set(looked_at(tmp_path)) & {tuple(map(str, place)) for place in search.guide}


@pytest.mark.parametrize(("name", "options"), [("7x4-first", []), ("6x4-readable", ["--readable"])])
def test_a_search_begins_with_a_certificate_and_is_continued(
    tmp_path: Path, name: str, options: list[str]
) -> None:
    out = tmp_path / "out.c4win"
    built = [*COMMAND, "certificate", "build", str(tmp_path / "search"), "--out", str(out)]
    before = shipped(name).check()
    for _ in range(2):
        assert "whatever the opponent plays" in run([*built, "--from", name, "--seconds", "1"])
        after = Certificate.load(out).check()
        assert after.positions <= before.positions
        assert (after.width, after.player, after.win) == (before.width, before.player, before.win)
        before = after
    assert "leave out --width" in run([*built, "--from", name, "--width", "5"], status=2)
    assert "something else" in run([*built, "--width", "5", *options], status=2)
    assert "Is a directory" in run([*built[:-1], str(tmp_path)], status=2)


def run(command: list[str], typed: str = "", status: int = 0) -> str:
    """Return what a command prints, also as errors."""
    done = subprocess.run(command, input=typed, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == status, done.stderr
    return done.stdout + done.stderr
