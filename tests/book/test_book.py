"""Opening books: right, whole, compact, and built through any interruption."""

import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TypedDict

import pytest

from fourcast import BookError, BookWarning, Limit, MissingExtraError, Position, Solver
from fourcast._core import Book, book_positions, write_book
from fourcast.book import build, data_folder, default_book, verify
from fourcast.book.chunk_file import CHUNK
from fourcast.book.shelf import default_books
from fourcast.book.workers import SOLVE_POSITIONS, on_ray, on_threads
from tests.command import run_text


class Size(TypedDict):
    """A size of the board."""

    width: int
    height: int


SIZE: Size = {"width": 5, "height": 4}
CELLS = 42
DATA = Path(__file__).resolve().parent.parent / "fixtures"


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A book of 5x4 with up to 6 discs."""
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


def test_the_positions_of_a_layer_are_taken_out_like_those_of_a_list() -> None:
    positions = book_positions(3)
    everything = list(positions)
    assert [positions[i] for i in range(len(positions))] == everything
    assert positions[-1] == everything[-1]
    assert positions[5:9] == everything[5:9]
    assert positions[::-40] == everything[::-40]
    assert positions[len(positions) :] == []
    for index in (len(positions), -len(positions) - 1):
        with pytest.raises(IndexError, match="PositionList index out of range"):
            positions[index]


def test_the_less_there_is_to_tell_the_smaller_is_the_book(tmp_path: Path) -> None:
    """A bit for each position if there are two scores, five if there are 32, and a quarter more."""
    positions = book_positions(5)  # nobody can win at once yet
    for scores, bits in ((1, 1), (2, 1), (32, 5)):
        write_book(tmp_path / "any.book", positions, [i % scores - 16 for i in range(len(positions))])
        book = Book(tmp_path / "any.book")
        assert book.bytes * 8 <= 1.25 * bits * len(book) + 8 * 500


@pytest.mark.parametrize("score", [-65, -19, 19, 64, 1000])
def test_a_score_that_no_position_has_is_not_written(tmp_path: Path, score: int) -> None:
    positions = book_positions(2)
    with pytest.raises(BookError, match=f"a score of {score} is not possible in"):
        write_book(tmp_path / "any.book", positions, [score] * len(positions))
    with pytest.raises(BookError, match="a book needs a score for each position"):
        write_book(tmp_path / "any.book", positions, [0])
    assert not (tmp_path / "any.book").exists()


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


@pytest.mark.parametrize("length", [0, 1, 15, 16, 47, 303, 304, 431, 432, 1000, -1])
def test_a_book_that_was_cut_off_is_refused(small: Path, tmp_path: Path, length: int) -> None:
    cut = tmp_path / "cut.book"
    cut.write_bytes(small.read_bytes()[:length])
    with pytest.raises(BookError, match=r"cut\.book' is not a book"):
        Book(cut)


def test_a_book_of_another_version_is_refused_as_such(small: Path, tmp_path: Path) -> None:
    old = tmp_path / "old.book"
    for first, reason in (
        (b"fourcast book 1\n", "it belongs to another version"),
        (b"GIF", "its first bytes are not those of one"),
    ):
        old.write_bytes(first + small.read_bytes()[len(first) :])
        with pytest.raises(BookError, match=rf"old\.book' is not a book: {reason}"):
            Book(old)


def test_a_pipe_is_refused_and_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.book")
    with pytest.raises(BookError, match=r"pipe\.book' is not a book: it is not a file"):
        Book(tmp_path / "pipe.book")


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


def test_the_last_layer_of_a_book_tells_something_of_the_one_behind_it(small: Path) -> None:
    """No column is worth more than the position, and one as much: less work for the same answer."""
    nodes = {True: 0, False: 0}
    for position in book_positions(6, **SIZE)[::7]:
        results = {}
        for with_book in (True, False):
            solver = Solver(book=Book(small) if with_book else False)
            analysis = solver.analyze(position, variations=False)
            nodes[with_book] += analysis.result.nodes
            results[with_book] = [(line.column, line.score) for line in analysis.lines]
            assert solver.solve(position).best_columns == analysis.result.best_columns
        assert results[True] == results[False]
    assert nodes[True] < nodes[False]


def test_bounds_of_columns_are_true_behind_a_book_too(small: Path) -> None:
    plain = Solver(book=False)
    for position in book_positions(6, **SIZE)[::50]:
        exact = {line.column: line.lower for line in plain.analyze(position, variations=False).lines}
        for limit in (1, 5, 20):
            found = Solver(book=Book(small)).analyze(
                position, limit=Limit(nodes=limit), variations=False
            )
            for line in found.lines:
                assert line.lower <= exact[line.column] <= line.upper
                assert line.upper <= Book(small).score(position)


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


Chunk = tuple[int, Sequence[Position]]
Scores = tuple[int, list[int]]


def backwards(chunks: Iterable[Chunk]) -> Generator[Scores, None, None]:
    """Workers of which nothing comes in order."""
    yield from reversed(list(on_threads(1, SOLVE_POSITIONS)(chunks)))


def test_the_order_in_which_chunks_are_solved_does_not_show(small: Path, tmp_path: Path) -> None:
    out = tmp_path / "backwards.book"

    def stop_after(done: int, _: int) -> None:
        if done >= 5 * CHUNK:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        build(out, 6, **SIZE, workers=backwards, progress=stop_after)
    build(out, 6, **SIZE)
    assert out.read_bytes() == small.read_bytes()


def test_workers_are_closed_when_the_build_is_interrupted(tmp_path: Path) -> None:
    events = []

    def workers(chunks: Iterable[Chunk]) -> Generator[Scores, None, None]:
        try:
            yield from on_threads(1, SOLVE_POSITIONS)(chunks)
        finally:
            events.append("closed")

    def interrupt(done: int, _: int) -> None:
        if done:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        build(tmp_path / "a.book", 5, **SIZE, workers=workers, progress=interrupt)
    assert events == ["closed"]


@pytest.mark.parametrize("answer", [(0, [1, 2]), (0, []), (1000, [0] * CHUNK), (-1, [0] * CHUNK)])
def test_scores_that_do_not_fit_are_not_written_down(tmp_path: Path, answer: Scores) -> None:
    def workers(_: Iterable[Chunk]) -> Generator[Scores, None, None]:
        yield answer

    with pytest.raises(BookError, match="are not what chunk"):
        build(tmp_path / "a.book", 6, **SIZE, workers=workers)


def test_ray_that_is_not_installed_is_named_with_the_way_to_install_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(MissingExtraError, match=r"-m pip install ray$"):
        on_ray("auto", SOLVE_POSITIONS)


def test_ctrl_c_ends_a_build_in_the_middle_of_a_chunk(tmp_path: Path) -> None:
    out = tmp_path / "long.book"
    command = [sys.executable, "-m", "fourcast", "book", "build", "--plies", "2", "--threads", "2"]
    build = subprocess.Popen([*command, "--out", str(out)], stderr=subprocess.PIPE)
    journal = tmp_path / "long.book.partial"
    while not journal.exists() or not journal.stat().st_size:  # from then on it solves, for minutes
        assert build.poll() is None
        time.sleep(0.01)
    time.sleep(0.5)
    build.send_signal(signal.SIGINT)
    _, errors = build.communicate(timeout=60)
    assert (build.returncode, errors) == (130, b"")
    assert not out.exists()


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


@pytest.fixture
def shelf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The folder of a user's books, empty."""
    monkeypatch.setenv("FOURCAST_DATA", str(tmp_path))
    (tmp_path / "books").mkdir()
    default_books.cache_clear()
    yield tmp_path / "books"
    default_books.cache_clear()


def test_the_deepest_book_of_each_size_is_used(shelf: Path, small: Path) -> None:
    assert data_folder() == shelf.parent
    assert default_book(5, 4) is None
    default_books.cache_clear()
    shutil.copy(small, shelf / "1.book")
    build(shelf / "2.book", 4, **SIZE)
    build(shelf / "3.book", 4, width=4, height=4)
    for width, height, plies in ((5, 4, 6), (4, 4, 4)):
        book = default_book(width, height)
        assert book is not None
        assert book.plies == plies
        position = book_positions(plies - 1, width=width, height=height)[0]
        assert Solver().solve(position).nodes == 0
        assert Solver(book=False).solve(position).nodes > 0


def test_a_book_of_12_stones_comes_with_fourcast(shelf: Path) -> None:
    assert list(shelf.iterdir()) == []
    book = default_book()
    assert book is not None
    assert book.plies >= 12
    assert book.counts[12] == 5_832_236
    assert book.bytes <= 8_000_000
    assert [book.score(Position(column)) for column in "1234567"] == [2, 1, 0, -1, 0, 1, 2]
    for moves in ("", "4", "44", "12345671", "123456712345"):
        assert Solver().solve(Position(moves), best_columns=False).nodes == 0


def test_the_book_that_comes_with_fourcast_has_the_scores_that_others_found(shelf: Path) -> None:
    assert list(shelf.iterdir()) == []
    book = default_book()
    assert book is not None
    compared = 0
    for name in ("begin-easy", "begin-medium", "begin-hard"):
        for line in (DATA / f"{name}.txt").read_text().splitlines():
            moves, score = line.split()
            if len(moves) <= book.plies:
                assert book.score(Position(moves)) == int(score)
                compared += 1
    assert compared > 2000


def test_the_book_that_comes_with_fourcast_agrees_with_itself(shelf: Path) -> None:
    """A score is the best of what comes after it: those of the layers above, by the one below."""
    assert list(shelf.iterdir()) == []
    book = default_book()
    assert book is not None
    chance = random.Random(3)
    for _ in range(2000):
        position = Position()
        for _ in range(chance.randrange(book.plies)):
            if not position.is_over:
                position = position.play(chance.choice(position.legal_columns))
        if position.is_over:
            continue
        children = [position.play(column) for column in position.legal_columns]
        scores = [
            (CELLS + 2 - child.ply) // 2 if child.is_over else -book.score(child) for child in children
        ]
        assert book.score(position) == max(scores)


def test_every_position_of_a_layer_is_covered() -> None:
    book = default_book()
    assert book is not None
    for ply in range(8):
        assert all(position in book for position in book_positions(ply))
    chance = random.Random(12)
    for _ in range(5000):
        position = Position()
        while position.ply < 12 and not position.is_over:
            position = position.play(chance.choice(position.legal_columns))
        assert position.is_over or position in book


@pytest.mark.parametrize(
    "rows",
    [
        "......./......./O....../O....../X....../X......",
        "......./......./O.....O/O.....O/X.....X/X.....X",
        "......./X....../O....../O....../X....../XO.....",
    ],
)
def test_a_position_that_no_order_of_moves_leads_to_is_not_looked_up(rows: str) -> None:
    """It is in no book, which holds no keys and would answer with noise."""
    position = Position.from_rows(rows)
    book = default_book()
    assert book is not None
    assert position not in book
    with pytest.raises(KeyError, match="no order of moves"):
        book.score(position)
    assert Solver().analyze(position) == Solver(book=None).analyze(position)


@pytest.mark.slow
def test_the_book_that_comes_with_fourcast_is_right_about_2000_positions(shelf: Path) -> None:
    assert list(shelf.iterdir()) == []
    book = default_book()
    assert book is not None
    assert verify(book, 2_000, threads=2) == []


def test_a_deep_book_of_another_size_does_not_take_the_place_of_the_usual_one(
    shelf: Path, small: Path
) -> None:
    positions = book_positions(2)
    write_book(shelf / "7x6-2.book", positions, [0] * len(positions))
    shutil.copy(small, shelf / "5x4-6.book")
    book = default_book()
    assert book is not None
    assert (book.width, book.height) == (7, 6)


def test_a_damaged_book_is_passed_over_with_a_warning_that_names_it(shelf: Path, small: Path) -> None:
    damaged = bytearray(small.read_bytes())
    damaged[1000] ^= 1
    (shelf / "deeper.book").write_bytes(damaged)
    shutil.copy(small, shelf / "small.book")
    with pytest.warns(BookWarning, match=r"deeper\.book' is not a book: its checksum is wrong"):
        solver = Solver()
    assert solver.solve(Position("1122", **SIZE)).nodes == 0
    Solver()  # says no more


def test_the_command_line_says_it_in_one_line(shelf: Path) -> None:
    (shelf / "bad.book").write_bytes(b"no book")
    run = run_text("solve", "445566")
    assert run.stdout.split()[0]
    assert run.stderr.count("\n") == 1
    assert run.stderr.startswith("fourcast: warning: going on without a book: ")
    assert f"'{shelf / 'bad.book'}' is not a book: it has 7 bytes" in run.stderr


def test_a_folder_of_books_that_can_not_be_read_is_no_reason_to_stop(shelf: Path) -> None:
    shelf.rmdir()
    shelf.write_bytes(b"")  # a file
    Solver()
    shelf.unlink()
    shelf.symlink_to(shelf)  # a folder that is in itself
    default_books.cache_clear()
    with pytest.warns(BookWarning, match="no book is looked for"):
        Solver()


# Files that change, lie, or are none


def test_a_book_whose_file_is_cut_off_or_replaced_while_it_is_open_goes_on(
    small: Path, tmp_path: Path
) -> None:
    """In a child: on the old code this ends with SIGBUS."""
    path = tmp_path / "open.book"
    shutil.copy(small, path)
    code = """
import os, sys
from fourcast import Book, Position, Solver
book = Book(sys.argv[1])
solver = Solver(book=book)
position = Position("1122", width=5, height=4)
before = book.score(position)
os.truncate(sys.argv[1], 0)
assert book.score(position) == before == solver.score(position)
with open(sys.argv[1], "wb") as file:
    file.write(b"something else" * 1000)
assert book.score(position) == before
print("whole")
"""
    run = subprocess.run([sys.executable, "-c", code, str(path)], capture_output=True, text=True)
    assert (run.returncode, run.stdout) == (0, "whole\n"), run.stderr


def test_a_book_is_written_beside_and_renamed(tmp_path: Path) -> None:
    path, positions = tmp_path / "a.book", book_positions(2, **SIZE)
    write_book(path, positions, [0] * len(positions))
    opened, before = path.open("rb"), path.read_bytes()
    write_book(path, positions, [1] * len(positions))
    with opened:
        assert opened.read() == before
    assert path.read_bytes() != before
    with pytest.raises(BookError):
        write_book(path, positions, [1000] * len(positions))
    assert [each.name for each in tmp_path.iterdir()] == ["a.book"]
    with pytest.raises(BookError, match="cannot be written"):
        write_book(tmp_path / "nowhere" / "a.book", positions, [0] * len(positions))


def checksum(data: bytes) -> int:
    """The sum in a book's header, in plain Python."""
    word = (1 << 64) - 1

    def step(total: int, value: int) -> int:
        mixed = ((total ^ value) * 0x9E3779B97F4A7C15) & word
        return ((mixed << 29) | (mixed >> 35)) & word

    lanes = [1, 2, 3, 4]
    whole = len(data) // 32 * 32
    for at in range(0, whole, 32):
        for lane in range(4):
            value = int.from_bytes(data[at + 8 * lane : at + 8 * lane + 8], "little")
            lanes[lane] = step(lanes[lane], value)
    for byte in data[whole:]:
        lanes[0] = step(lanes[0], byte)
    total = len(data)
    for lane in range(4):
        total = step(total, lanes[lane])
    return total


def crafted(data: bytearray, path: Path) -> Path:
    """A book with this content and the right checksum."""
    data[16:24] = checksum(bytes(data[24:])).to_bytes(8, "little")
    path.write_bytes(data)
    return path


def test_a_crafted_book_with_a_right_checksum_is_refused(small: Path, tmp_path: Path) -> None:
    whole, path = small.read_bytes(), tmp_path / "crafted.book"
    assert Book(crafted(bytearray(whole), path)).score(Position(**SIZE)) == Book(small).score(
        Position(**SIZE)
    )
    counts, lengths = 48, 304

    def change(at: int, new: bytes) -> Path:
        data = bytearray(whole)
        data[at : at + len(new)] = new
        return crafted(data, path)

    word = lengths + next(i for i in range(128) if whole[lengths + i])
    for at, new, reason in [
        (40, b"\x03", "unsupported board size"),
        (42, b"\x14", "too many plies"),
        (counts, bytes(8), "it cannot have 0 positions with 0 discs"),
        (counts + 8, b"\xff" * 8, "it cannot have 1844"),
        (counts + 8 * 7, b"\x01", "it cannot have 1 positions with 7 discs"),
        (lengths, bytes(128), "its code is corrupt"),
        (lengths, bytes([1, 1]) + bytes(126), "scores of -64, which no position has"),
        (word, b"\x3f", "its code is corrupt"),
        (24, b"\xff" * 8, "it has the wrong size"),
    ]:
        change(at, new)
        with pytest.raises(BookError, match=reason):
            Book(path)


def test_a_book_of_noise_with_a_right_checksum_never_gives_an_impossible_score(
    small: Path, tmp_path: Path
) -> None:
    data = bytearray(small.read_bytes())
    data[432:] = random.Random(1).randbytes(len(data) - 432)
    book = Book(crafted(data, tmp_path / "noise.book"))
    for ply in range(7):
        for position in book_positions(ply, **SIZE)[:200]:
            with suppress(BookError):
                assert abs(book.score(position)) <= position.highest_score
    solver = Solver(book=book)
    for position in book_positions(6, **SIZE)[:50]:
        with suppress(BookError):
            assert solver.analyze(position).position == solver.solve(position).position


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere such a name cannot be given to a file")
def test_a_file_with_a_name_that_is_not_utf_8_does_not_break_every_solver(shelf: Path) -> None:
    Path(os.fsdecode(os.fsencode(shelf) + b"/\xff\xfe.book")).write_bytes(b"no book")
    with pytest.warns(BookWarning, match=r"is not a book: it has 7 bytes"):
        solver = Solver()
    assert solver.score(Position("4455")) == 18


@pytest.mark.parametrize("out", ["/dev/null", "folder"])
def test_a_device_or_a_folder_is_refused_as_the_file_of_a_book(out: str, tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    run = run_text("book", "build", "--plies", "1", "--out", out, cwd=tmp_path)
    assert run.returncode != 0
    assert "is not a regular file" in run.stderr
    assert "Traceback" not in run.stderr
    assert [each.name for each in tmp_path.iterdir()] == ["folder"]
    assert not Path("/dev/null.partial").exists()
    assert not Path("/dev/null").is_file()


def test_book_info_answers_in_json(small: Path) -> None:
    run = run_text("book", "info", "--json", str(small))
    found, book = json.loads(run.stdout), Book(small)
    assert found == {
        "width": 5,
        "height": 4,
        "plies": 6,
        "positions": len(book),
        "bytes": book.bytes,
        "counts": list(book.counts),
        "line_plies": None,
    }


def test_a_listing_of_more_positions_than_fit_is_refused_or_interrupted() -> None:
    """16 million positions of one layer are the most; a larger board has them sooner."""
    code = """
import signal
from fourcast._core import book_positions
signal.alarm(2)
signal.signal(signal.SIGALRM, signal.default_int_handler)
try:
    book_positions(20)
except KeyboardInterrupt:
    print("interrupted")
"""
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout == "interrupted\n"


def test_the_first_solver_with_its_book_takes_less_than_10_ms() -> None:
    """Of the processor, and the best of some runs: whatever else the machine is doing."""
    code = "import time; from fourcast import Solver; import fourcast.book; t = time.process_time(); "
    code += "Solver(); print(time.process_time() - t)"
    runs = [
        subprocess.run([sys.executable, "-c", code], capture_output=True, check=True) for _ in range(5)
    ]
    assert min(float(run.stdout) for run in runs) < 0.010


# ---- Export ------------------------------------------------------------------------------------------


def test_a_book_is_exported_as_parquet_and_csv_with_every_position_once(
    small: Path, tmp_path: Path
) -> None:
    import pyarrow.parquet as pq
    from pyarrow import csv

    book = Book(small)
    for name in ("book.parquet", "book.csv"):
        done = run_text("book", "export", str(small), "--out", str(tmp_path / name))
        assert done.stdout.startswith(f"{tmp_path / name}: {len(book):,} positions")
    table = pq.read_table(tmp_path / "book.parquet")
    assert csv.read_csv(tmp_path / "book.csv").to_pylist() == table.to_pylist()
    piped = run_text("book", "export", str(small), "--out", "-")
    assert piped.stdout == (tmp_path / "book.csv").read_text()
    rows = {
        Position.from_bitboards(row["first"], row["second"], **SIZE): row for row in table.to_pylist()
    }
    assert len(rows) == table.num_rows == len(book)
    for ply in range(book.plies + 1):
        for position in book_positions(ply, **SIZE)[:50]:
            row = rows[position]
            score = book.score(position)
            assert (row["ply"], row["score"]) == (ply, score)
            assert row["outcome"] == ("draw", "win", "loss")[(score > 0) - (score < 0)]
    assert {file.name for file in tmp_path.iterdir()} == {"book.parquet", "book.csv"}


def test_an_export_is_refused_that_has_no_known_ending_or_is_no_file(
    small: Path, tmp_path: Path
) -> None:
    done = run_text("book", "export", str(small), "--out", str(tmp_path / "book.xls"))
    assert done.returncode == 2
    assert "ends in neither .parquet nor .csv" in done.stderr
    (tmp_path / "a.csv").mkdir()
    done = run_text("book", "export", str(small), "--out", str(tmp_path / "a.csv"))
    assert (done.returncode, "is not a regular file" in done.stderr) == (2, True)
    missing = tmp_path / "missing" / "a.csv"
    done = run_text("book", "export", str(small), "--out", str(missing))
    assert (done.returncode, done.stderr) == (2, f"fourcast: {missing}: No such file or directory\n")
