"""Line books: the lines that they hold are the ones that a solver finds without them."""

from __future__ import annotations

import random
import shutil
import zlib
from pathlib import Path

import pytest

from fourcast import Analysis, BookError, BookWarning, Position, Solver
from fourcast._core import Book, book_positions, search_order, write_line_book
from fourcast.book import build, data_folder, default_book
from fourcast.book.lines import build_lines
from fourcast.book.shelf import default_books

WIDTH, HEIGHT = 5, 5
PLIES, ROOTS, LAST = 6, 3, 12


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A book of 5x5 with up to 6 discs, and its line book."""
    path = tmp_path_factory.mktemp("book") / "small.book"
    build(path, PLIES, width=WIDTH, height=HEIGHT)
    build_lines(path, roots=ROOTS, last=LAST, threads=2)
    return path


def without_lines(book: Path, folder: Path) -> Path:
    return Path(shutil.copy(book, folder / book.name))


def lines_of(analysis: Analysis) -> list[tuple[int, ...]]:
    return [line.variation for line in analysis]


def test_the_lines_are_the_same_with_and_without_a_line_book_and_take_less(
    small: Path, tmp_path: Path
) -> None:
    """All positions with up to 5 discs, mirror images included: also those that it has no lines of."""
    alone = without_lines(small, tmp_path)
    assert (Book(small).line_plies, Book(alone).line_plies) == (ROOTS, None)
    nodes = {small: 0, alone: 0}
    for ply in range(PLIES):
        for position in book_positions(ply, width=WIDTH, height=HEIGHT):
            for image in (position, position.mirror()):
                with_lines = Solver(book=Book(small)).analyze(image)
                plain = Solver(book=Book(alone)).analyze(image)
                assert with_lines == plain
                assert lines_of(with_lines) == lines_of(plain)
                if ply <= ROOTS:
                    nodes[small] += with_lines.result.nodes
                    nodes[alone] += plain.result.nodes
                else:
                    assert with_lines.result.nodes == plain.result.nodes
    assert nodes[small] < nodes[alone] / 2


def test_a_line_book_is_the_same_however_often_its_making_was_interrupted(
    small: Path, tmp_path: Path
) -> None:
    book = without_lines(small, tmp_path)
    out, partial = book.with_suffix(".lines"), tmp_path / "small.lines.partial"

    for before in (0, 64):

        def interrupt(done: int, total: int, before: int = before) -> None:
            assert done <= total
            if done > before:
                raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            build_lines(book, roots=ROOTS, last=LAST, progress=interrupt)
        with partial.open("a", encoding="ascii") as file:
            file.write("c0ffee [1, 2")  # it was killed while it wrote
    assert not out.exists()
    with pytest.raises(BookError, match="belongs to the making of another line book"):
        build_lines(book, roots=ROOTS - 1, last=LAST)
    build_lines(book, roots=ROOTS, last=LAST)
    assert out.read_bytes() == small.with_suffix(".lines").read_bytes()
    assert not partial.exists()


@pytest.mark.parametrize(("roots", "last"), [(6, 12), (3, 5), (-1, 12), (3, 24)])
def test_a_line_book_that_makes_no_sense_is_refused(small: Path, roots: int, last: int) -> None:
    with pytest.raises(BookError, match="a line book of this book needs roots < 6 <= last < 24"):
        build_lines(small, roots=roots, last=last)


def test_only_choices_that_there_are_can_be_written(tmp_path: Path) -> None:
    path, position = tmp_path / "any.lines", Position("112233")
    for choices, reason in (
        ([7], "there is no column number 8"),
        ([-1], "there is no column number 0"),
        ([1, 2], "a choice for each position"),
    ):
        with pytest.raises(BookError, match=reason):
            write_line_book(path, 3, 6, 12, [position], choices)
    with pytest.raises(BookError, match="occurs twice"):
        write_line_book(path, 3, 6, 12, [position, position.mirror()], [1, 2])
    with pytest.raises(BookError, match="a line book of this scope does not have"):
        write_line_book(path, 3, 7, 12, [position], [1])
    with pytest.raises(BookError, match="at least one"):
        write_line_book(path, 3, 7, 12, [], [])
    assert not path.exists()


def test_a_damaged_line_book_is_refused(small: Path, tmp_path: Path) -> None:
    book = without_lines(small, tmp_path)
    whole, lines = small.with_suffix(".lines").read_bytes(), book.with_suffix(".lines")
    chance = random.Random(3)
    for _ in range(50):
        data = bytearray(whole)
        data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
        lines.write_bytes(data)
        with pytest.raises(BookError, match=r"small\.lines' is not a line book"):
            Book(book)
    for size in (0, 10, 175, len(whole) - 1):
        lines.write_bytes(whole[:size])
        with pytest.raises(BookError, match=r"small\.lines' is not a line book"):
            Book(book)
    lines.write_bytes(book.read_bytes())
    with pytest.raises(BookError, match="its first bytes are not those of one"):
        Book(book)


def test_a_line_book_of_another_book_is_refused(small: Path, tmp_path: Path) -> None:
    book = tmp_path / "other.book"
    build(book, 4, width=4, height=4)
    shutil.copy(small.with_suffix(".lines"), book.with_suffix(".lines"))
    with pytest.raises(BookError, match="the line book beside it belongs to another one"):
        Book(book)


def test_a_damaged_line_book_in_the_data_folder_costs_time_and_no_answer(
    small: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FOURCAST_DATA", str(tmp_path))
    books = data_folder() / "books"
    books.mkdir(parents=True)
    shutil.copy(small, books / "5x5.book")
    (books / "5x5.lines").write_bytes(b"nothing")
    default_books.cache_clear()
    try:
        with pytest.warns(BookWarning, match=r"5x5\.lines"):
            assert default_book(WIDTH, HEIGHT) is None
        shutil.copy(small.with_suffix(".lines"), books / "5x5.lines")
        default_books.cache_clear()
        found = default_book(WIDTH, HEIGHT)
        assert found is not None
        assert found.line_plies == ROOTS
    finally:
        default_books.cache_clear()


# The line book that comes with fourcast


def random_roots(count: int, plies: int, seed: int) -> list[Position]:
    chance = random.Random(seed)
    roots: list[Position] = []
    while len(roots) < count:
        position = Position()
        while position.ply < len(roots) % (plies + 1) and not position.is_over:
            position = position.play(chance.choice(position.legal_columns))
        if not position.is_over:
            roots.append(position)
    return roots


def check_shipped_lines(roots: list[Position], folder: Path) -> None:
    book = default_book()
    assert book is not None
    shipped = Path(__file__).parents[2] / "src" / "fourcast" / "book" / "shipped" / "7x6-12.book"
    alone = Solver(book=Book(without_lines(shipped, folder)), table_mb=64)
    solver = Solver()
    for root in roots:
        found, expected = solver.analyze(root), alone.analyze(root)
        assert lines_of(found) == lines_of(expected), root
        assert found == expected


def test_the_shipped_lines_are_those_of_the_solver(tmp_path: Path) -> None:
    book = default_book()
    assert book is not None
    assert book.line_plies is not None
    check_shipped_lines(random_roots(18, book.line_plies, 31), tmp_path)


@pytest.mark.slow
def test_500_shipped_lines_are_those_of_the_solver(tmp_path: Path) -> None:
    check_shipped_lines(random_roots(500, 9, 32), tmp_path)


def test_the_order_of_lines_stays_as_it_is_in_the_line_book() -> None:
    """Lines are answers that others keep; if this has to change, make the line book again."""
    chance, sum_of_orders = random.Random(33), 0
    for number in range(3000):
        position = Position()
        while position.ply < number % 42 and not position.is_over:
            position = position.play(chance.choice(position.legal_columns))
        if not position.is_over:
            order = search_order(position, chance.randint(-18, 18))
            sum_of_orders = zlib.crc32(bytes(order), sum_of_orders)
    assert sum_of_orders == 1302250992
