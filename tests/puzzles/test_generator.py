"""Files of puzzles: deterministic, resumable, refused if they are damaged."""

from __future__ import annotations

import gzip
import sys
from collections.abc import Callable, Generator, Iterable
from functools import partial
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest

from fourcast.errors import GameFileError, MissingExtraError, OptionError
from fourcast.players.level_player import LEVELS
from fourcast.puzzles import generator, load
from fourcast.puzzles.candidates import candidates, play_game
from fourcast.puzzles.difficulty import HARD, Sight
from fourcast.puzzles.generator import Found, Task, make_chunk, on_cluster, on_processes
from fourcast.puzzles.maker import Maker, is_trivial
from fourcast.puzzles.puzzle_file import read_header, read_puzzles, write_puzzles

generate = partial(generator.generate, width=6, height=5)
GAMES = 3


@pytest.fixture(autouse=True)
def small_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(generator, "CHUNK", 1)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(generator, "CHUNK", 1)
        out = tmp_path_factory.mktemp("puzzles") / "whole.gz"
        puzzles = generate(out, GAMES, 3)
    assert len(puzzles) > 2
    assert read_puzzles(out) == sorted(puzzles, key=lambda puzzle: puzzle.moves)
    assert [path.name for path in out.parent.iterdir()] == ["whole.gz"]
    return out.read_bytes()


class InterruptedWorkError(Exception):
    """What ends the work in the middle."""


def backwards_and_interrupted(tasks: Iterable[Task]) -> Generator[Found, None, None]:
    last = list(tasks)[-1]
    yield last[0], make_chunk(last)
    raise InterruptedWorkError


def test_interrupted_work_goes_on_and_ends_with_the_same_bytes(whole: bytes, tmp_path: Path) -> None:
    out = tmp_path / "mine.gz"
    for _ in range(2):
        with pytest.raises(InterruptedWorkError):
            generate(out, GAMES, 3, workers=backwards_and_interrupted)
    journal = out.with_name("mine.gz.partial")
    with journal.open("ab") as file:
        file.write(b'{"chunk":0,"games":1,"puz')  # a line that kill -9 has cut off
    seen = []
    generate(out, GAMES, 3, progress=lambda done, total: seen.append((done, total)))
    assert out.read_bytes() == whole
    assert seen == [(2, 3), (3, 3)]


@pytest.mark.slow
def test_two_processes_make_the_same_bytes(whole: bytes, tmp_path: Path) -> None:
    generate(tmp_path / "two.gz", GAMES, 3, workers=on_processes(2))
    assert (tmp_path / "two.gz").read_bytes() == whole


def test_another_seed_does_not_go_on_with_the_work_of_this_one(tmp_path: Path) -> None:
    out = tmp_path / "mine.gz"
    with pytest.raises(InterruptedWorkError):
        generate(out, GAMES, 3, workers=backwards_and_interrupted)
    with pytest.raises(GameFileError, match="other settings"):
        generate(out, GAMES, 4)
    with pytest.raises(OptionError, match="games must be 1 to"):
        generate(out, 0, 3)


def test_candidates_are_open_positions_near_mistakes_each_once() -> None:
    maker = Maker(6, 5)
    found = list(candidates(play_game(1, 3, 6, 5), maker._analyze, 6, 5, early=False))
    assert found
    assert len({each.position.canonical_key for each in found}) == len(found)
    assert all(not each.position.is_over and each.position.ply == len(each.moves) for each in found)


def test_no_puzzle_is_trivial_or_comes_twice(whole: bytes, tmp_path: Path) -> None:
    (tmp_path / "whole.gz").write_bytes(whole)
    puzzles = read_puzzles(tmp_path / "whole.gz")
    assert len({puzzle.position.canonical_key for puzzle in puzzles}) == len(puzzles)
    assert not any(is_trivial(puzzle.position) for puzzle in puzzles)


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        (b"no gzip", "is not a file of puzzles"),
        (
            gzip.compress(b"# fourcast puzzles 1 7x6\n44 w4\n", mtime=0),
            "line 2: '44 w4' is not a puzzle",
        ),
        (gzip.compress(b"# something else\n", mtime=0), "line 1"),
        (gzip.compress(b"# fourcast puzzles 1 seven\n", mtime=0), "line 1"),
        (gzip.compress(b"# fourcast puzzles 1 7x6\n", mtime=0)[:-3], "is not a file of puzzles"),
        (gzip.compress("é".encode(), mtime=0), "is not a file of puzzles"),
    ],
)
def test_what_is_no_file_of_puzzles_is_refused(tmp_path: Path, content: bytes, complaint: str) -> None:
    path = tmp_path / "some.gz"
    path.write_bytes(content)
    with pytest.raises(GameFileError, match=complaint):
        read_puzzles(path)


def test_a_file_without_puzzles_is_a_file(tmp_path: Path) -> None:
    write_puzzles(tmp_path / "none.gz", [])
    assert read_puzzles(tmp_path / "none.gz") == []


class RayStandIn(ModuleType):
    """As much of Ray as the workers use; it works in this process."""

    class exceptions:  # noqa: N801  # as Ray has it
        RayError = RuntimeError

    class Reference:
        def __init__(self, value: object) -> None:
            self.value = value

    def is_initialized(self) -> bool:
        return True

    def cluster_resources(self) -> dict[str, float]:
        return {"CPU": 1.0}

    def remote(self, **options: int) -> Callable[[Callable[..., object]], SimpleNamespace]:
        assert options["num_cpus"] == 1
        return lambda work: SimpleNamespace(remote=lambda *given: self.Reference(work(*given)))

    def wait(self, running: list[Reference], timeout: float) -> tuple[list[Reference], list[Reference]]:
        assert timeout > 0
        return running[-1:], running[:-1]  # the last one first

    def get(self, reference: Reference) -> object:
        return reference.value


def test_workers_of_a_cluster_make_the_same_bytes(
    whole: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "ray", RayStandIn("ray"))
    generate(tmp_path / "ray.gz", GAMES, 3, workers=on_cluster("auto"))
    assert (tmp_path / "ray.gz").read_bytes() == whole


def test_without_ray_the_message_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(MissingExtraError, match="pip install"):
        on_cluster("auto")


def test_hard_puzzles_have_few_discs_and_are_those_shipped() -> None:
    shipped = set(load(lowest=HARD))
    puzzles = Maker().hard_puzzles_of_game(generator.HARD_START, 17)
    sight = Sight()
    assert not any(sight.solve(puzzle.position, LEVELS[-1][1]) for puzzle in puzzles)
    assert 0 < len(puzzles) <= 4
    for puzzle in puzzles:
        assert puzzle.position.ply < 16
        assert puzzle.rating >= HARD
        assert puzzle.goal in ("keep win", "keep draw")
        assert puzzle in shipped


def test_games_for_hard_puzzles_come_after_the_others_and_are_noted(tmp_path: Path) -> None:
    done: list[int] = []

    def none_found(tasks: Iterable[Task]) -> Generator[Found, None, None]:
        for number, *_ in tasks:
            done.append(number)
            yield number, []

    out = tmp_path / "mine.gz"
    generator.generate(out, 2, 3, hard_games=2, workers=none_found)
    assert done == [0, 1, generator.HARD_START, generator.HARD_START + 1]
    assert read_header(out) == (7, 6, "seed=3 games=2 hard=2")
    with pytest.raises(OptionError, match="too large for hard puzzles"):
        Maker(8, 7).hard_puzzles_of_game(generator.HARD_START, 3)
    with pytest.raises(OptionError, match="hard_games must be 0 or more"):
        generator.generate(out, 2, 3, hard_games=-1)
