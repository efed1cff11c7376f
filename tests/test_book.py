"""Opening books: right, whole, compact, and built through any interruption."""

import random
import signal
import subprocess
import sys
from pathlib import Path
from typing import TypedDict

import pytest

from fourcast import BookError, Position, Solver
from fourcast._core import Book, book_positions, write_book
from fourcast.book import build, verify
from fourcast.book.journal import CHUNK


class Size(TypedDict):
    """A size of the board."""

    width: int
    height: int


SIZE: Size = {"width": 5, "height": 4}


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A book of 5x4 with up to 6 stones."""
    path = tmp_path_factory.mktemp("book") / "small.book"
    build(path, 6, **SIZE)
    return path


def test_a_book_has_the_exact_score_of_every_position_up_to_its_last_ply(small: Path) -> None:
    book, solver = Book(small), Solver(book=False)
    for ply in range(7):
        positions = book_positions(ply, **SIZE)
        assert len(positions) == book.counts[ply]
        for position, result in zip(positions, solver.solve_many(positions), strict=True):
            assert book.score(position) == result.score
            assert book.score(position.mirror()) == result.score


def test_the_positions_of_a_layer_are_unique_up_to_mirror_and_not_over() -> None:
    """Counted with their mirror images they are all positions of 7x6 that are not won."""
    for ply, count in enumerate([1, 7, 49, 238, 1120, 4263, 16422, 54859 - 728]):
        positions = book_positions(ply)
        assert sum(1 + (position != position.mirror()) for position in positions) == count
    assert len(book_positions(8)) == 91_295
    positions = book_positions(6)
    assert len({position.canonical_key for position in positions}) == len(positions)
    assert not any(position.is_over for position in book_positions(8, **SIZE))


def test_a_position_costs_little_more_than_a_byte(tmp_path: Path) -> None:
    positions = book_positions(7)
    write_book(tmp_path / "any.book", positions, [0] * len(positions))
    book = Book(tmp_path / "any.book")
    assert book.bytes / len(book) <= 1.3


def test_what_a_book_does_not_cover_is_no_key_of_it(small: Path) -> None:
    book = Book(small)
    for position in (Position(), Position("1111222", **SIZE), Position("1212121", **SIZE)):
        assert position not in book
        with pytest.raises(KeyError, match="the book covers positions of 5x4"):
            book.score(position)


def test_an_altered_book_is_refused_wherever_it_was_altered(small: Path, tmp_path: Path) -> None:
    whole = small.read_bytes()
    altered = tmp_path / "altered.book"
    chance = random.Random(1)
    for _ in range(1000):
        data = bytearray(whole)
        data[chance.randrange(len(data))] ^= chance.randrange(1, 256)
        altered.write_bytes(data)
        with pytest.raises(BookError, match=r"altered\.book' is not a book"):
            Book(altered)


@pytest.mark.parametrize("length", [0, 1, 15, 16, 47, 303, 304, 1000, -1])
def test_a_book_that_was_cut_off_is_refused(small: Path, tmp_path: Path, length: int) -> None:
    cut = tmp_path / "cut.book"
    cut.write_bytes(small.read_bytes()[:length])
    with pytest.raises(BookError, match=r"cut\.book' is not a book"):
        Book(cut)


def test_a_longer_book_a_folder_and_nothing_at_all_are_refused(small: Path, tmp_path: Path) -> None:
    longer = tmp_path / "longer.book"
    longer.write_bytes(small.read_bytes() + b"\0")
    for path in (longer, tmp_path, tmp_path / "nothing.book"):
        with pytest.raises(BookError, match="is not a book"):
            Book(path)


def test_a_solver_with_a_book_looks_up_what_it_covers(small: Path) -> None:
    solver, plain = Solver(book=Book(small)), Solver(book=False)
    for position in book_positions(5, **SIZE)[:50]:
        result = solver.solve(position)
        assert (result.score, result.best_columns) == (
            plain.solve(position).score,
            plain.solve(position).best_columns,
        )
        assert result.nodes == 0
        lines, expected = solver.analyze(position).lines, plain.analyze(position).lines
        assert [line.score for line in lines] == [line.score for line in expected]
    deeper = Position("1122335", **SIZE)
    assert solver.solve(deeper).score == plain.solve(deeper).score


BUILD_AND_DIE = """
import os, signal, sys
from pathlib import Path
from fourcast.book import build

chunks_left = int(sys.argv[2])

def die_in_time(done, total):
    global chunks_left
    chunks_left -= 1
    if chunks_left < 0 and done < total:
        os.kill(os.getpid(), signal.SIGKILL)

build(Path(sys.argv[1]), 6, width=5, height=4, threads=2, progress=die_in_time)
"""


def test_a_build_that_is_killed_goes_on_to_the_same_book(small: Path, tmp_path: Path) -> None:
    """Nothing is lost or doubled: the file is byte for byte that of a build in one go."""
    out = tmp_path / "killed.book"
    kills = 0
    while not out.exists():
        run = subprocess.run([sys.executable, "-c", BUILD_AND_DIE, out, str(1 + kills % 3)], check=False)
        kills += run.returncode == -signal.SIGKILL
        assert run.returncode in (0, -signal.SIGKILL)
    assert kills > 2
    assert out.read_bytes() == small.read_bytes()
    assert not out.with_name("killed.book.partial").exists()


def test_a_torn_record_is_solved_again(small: Path, tmp_path: Path) -> None:
    """Whatever a power cut leaves of the last record, or makes of it."""
    out = tmp_path / "torn.book"
    partial = tmp_path / "torn.book.partial"

    def stop_after(done: int, _: int) -> None:
        if done >= 5 * CHUNK:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        build(out, 6, **SIZE, progress=stop_after)
    written = partial.read_bytes()
    for torn in (written[:-1], written[:-CHUNK], written[:-3] + b"xyz", written[:20], b""):
        partial.write_bytes(torn)
        build(out, 6, **SIZE)
        assert out.read_bytes() == small.read_bytes()


def test_the_partial_file_of_another_book_is_not_touched(tmp_path: Path) -> None:
    partial = tmp_path / "a.book.partial"
    partial.write_bytes(b"something else\n" * 100)
    with pytest.raises(BookError, match="belongs to the building of another book"):
        build(tmp_path / "a.book", 3, **SIZE)
    assert partial.read_bytes() == b"something else\n" * 100


def test_verify_finds_what_is_wrong(tmp_path: Path) -> None:
    positions = book_positions(4, **SIZE)
    scores = [result.lower for result in Solver(book=False).solve_many(positions)]
    scores[10] += 1
    write_book(tmp_path / "wrong.book", positions, scores)
    wrong = verify(Book(tmp_path / "wrong.book"), 10_000)
    assert positions[10] in [mismatch.position for mismatch in wrong]
    write_book(tmp_path / "right.book", positions, [score - (i == 10) for i, score in enumerate(scores)])
    assert verify(Book(tmp_path / "right.book"), 10_000) == []
