"""Building a book, through any interruption.

A book is built from its deepest layer: every position of it is solved, the layers above follow. That
takes hours, so what is solved is written down as it comes, and a build that was ended in any way goes on
where it was. The book depends on the scores alone, not on how often, how parallel or by whom it was
worked on.
"""

import os
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from fourcast._core import Book, book_positions, write_book
from fourcast.book.journal import CHUNK, open_journal
from fourcast.engines import Engine, on_threads

Progress = Callable[[int, int], object]


def build(
    out: Path,
    plies: int,
    *,
    width: int = 7,
    height: int = 6,
    threads: int = 1,
    engine: Engine | None = None,
    progress: Progress | None = None,
) -> Book:
    """Build the book of all positions with up to *plies* stones, write it to *out*, and return it.

    *engine* solves them, by default so many *threads* of this machine. What is solved is kept beside the
    book, in a file that ends in `.partial`, until the book is written; a later call goes on from there,
    with whatever engine. *progress* is called with the number of positions solved and of all in the
    deepest layer.
    """
    engine = engine or on_threads(threads)
    report = progress or (lambda *_: None)
    positions = book_positions(plies, width=width, height=height)
    count = len(positions)
    with open_journal(out, width=width, height=height, plies=plies, count=count) as journal:
        done = sum(map(len, journal.chunks.values()))
        report(done, count)
        left = (
            (number, positions[start : start + CHUNK])
            for number, start in enumerate(range(0, count, CHUNK))
            if number not in journal.chunks
        )
        with closing(engine(left)) as solved:
            for number, scores in solved:
                journal.add(number, scores)
                done += len(scores)
                report(done, count)
        scores = [score for number in sorted(journal.chunks) for score in journal.chunks[number]]
        written = out.with_name(out.name + ".new")
        write_book(written, positions, scores)
        with written.open("rb") as file:
            os.fsync(file.fileno())
        written.replace(out)
        journal.path.unlink()
    return Book(out)
