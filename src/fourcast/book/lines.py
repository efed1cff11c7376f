"""Making a line book: how lines of best play go on behind an opening book.

Within a book all scores are known, and so is every move of a line; the first moves behind it have to be
proven. A line book has them for the lines of positions with few discs. It lies beside its book, with
the same name but for `.lines` at the end, and every solver that uses the book uses it, too.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import TextIO

from fourcast._core import Book, Position, StopToken, book_positions, search_order, write_line_book
from fourcast.book.builder import Progress
from fourcast.book.workers import Work, on_threads
from fourcast.errors import BookError, StoppedError
from fourcast.solver import Solver

SUFFIX = ".lines"
_TOGETHER = 64  # lines that a thread follows before it reports


def build_lines(
    book_file: Path, *, roots: int, last: int, threads: int = 1, progress: Progress | None = None
) -> Path:
    """Write the line book of a book for lines of positions with up to *roots* discs; return its path.

    It has their moves in all positions with up to *last* discs. Until it is written, what is proven is
    kept in a file that ends in `.partial`; a later call continues from there. *progress* is called with
    the number of lines that are done and of all.
    """
    book = Book(book_file)
    if not 0 <= roots < book.plies <= last < book.width * book.height - 1:
        raise BookError(
            f"a line book of this book needs roots < {book.plies} <= last < "
            f"{book.width * book.height - 1}, but roots is {roots} and last is {last}"
        )
    report = progress or (lambda *_: None)
    out = book_file.with_suffix(SUFFIX)
    partial = out.with_name(out.name + ".partial")
    ends = _ends(book, roots)
    header = json.dumps({"roots": roots, "last": last, "lines": len(ends)})
    with partial.open("a+", encoding="ascii") as file:
        choices = _read(file, header, partial)
        report(len(choices), len(ends))
        left = [(key, last, *end) for key, end in ends.items() if key not in choices]
        chunks = (left[start : start + _TOGETHER] for start in range(0, len(left), _TOGETHER))
        with closing(on_threads(threads, _FOLLOW_LINES)(enumerate(chunks))) as found:
            for _, followed in found:
                choices |= followed
                file.writelines(f"{key:x} {json.dumps(each)}\n" for key, each in followed.items())
                file.flush()
                report(len(choices), len(ends))
    passed: dict[int, tuple[Position, int]] = {}
    for key, (position, score) in ends.items():
        for choice in choices[key]:
            passed[position.canonical_key] = position, choice
            position, score = position.play(search_order(position, score)[choice]), -score
    positions, chosen = zip(*passed.values(), strict=True)
    write_line_book(out, roots, book.plies, last, positions, chosen)
    partial.unlink()
    return out


def _ends(book: Book, roots: int) -> dict[int, tuple[Position, int]]:
    """Where the lines leave the book: positions by canonical key, with their scores."""
    solver = Solver(book=book)
    ends: dict[int, tuple[Position, int]] = {}
    for position in book_positions(roots + 1, width=book.width, height=book.height):
        score = book.score(position)
        while position.ply < book.plies and not position.is_over:
            order = search_order(position, score)
            position, score = position.play(order[_first_to_keep(solver, position, score)]), -score
        if not position.is_over:
            ends.setdefault(position.canonical_key, (position, score))
    return ends


def _first_to_keep(solver: Solver, position: Position, score: int, stop: StopToken | None = None) -> int:
    """Return the number of the column that a line takes, in the order in which it tries them."""
    order = search_order(position, score)
    for number, column in enumerate(order[:-1]):
        child = position.play(column)
        if child.winner:
            return number
        result = solver.bound(child, -score, stop=stop)
        if not result.complete:
            raise StoppedError("the line was not followed to its end")
        if result.upper <= -score:
            return number
    return len(order) - 1


_End = tuple[int, int, Position, int]
_Choices = dict[int, list[int]]


def _follow(solver: Solver, ends: Sequence[_End], stop: StopToken | None) -> _Choices:
    choices: _Choices = {}
    for key, last, position, score in ends:
        choices[key] = list(_follow_one(solver, last, position, score, stop))
    return choices


def _follow_one(
    solver: Solver, last: int, position: Position, score: int, stop: StopToken | None
) -> Iterator[int]:
    while position.ply <= last and not position.is_over:
        choice = _first_to_keep(solver, position, score, stop)
        yield choice
        position, score = position.play(search_order(position, score)[choice]), -score


def _make_solver() -> Solver:
    return Solver(book=None, table_mb=256)


_FOLLOW_LINES = Work(_follow, _make_solver, _make_solver)


def _read(file: TextIO, header: str, path: Path) -> _Choices:
    """Return what an earlier call has proven; whatever follows the last whole line is cut off."""
    file.seek(0)
    lines = file.read().splitlines(keepends=True)
    if lines and lines[0].strip() != header:
        raise BookError(f"'{path}' belongs to the making of another line book; remove it")
    whole = [line for line in lines if line.endswith("\n")]
    file.seek(0)
    file.truncate()
    file.writelines(whole or [header + "\n"])
    choices: _Choices = {}
    for line in whole[1:]:
        key, _, each = line.partition(" ")
        choices[int(key, 16)] = json.loads(each)
    return choices
