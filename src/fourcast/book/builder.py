"""Building a book, through any interruption.

A book is built from its deepest layer: every position of it is solved, the layers above follow. That
takes hours, so what is solved is written down as it comes, and a build that was ended in any way goes on
where it was. The book depends on the scores alone, not on how often, how parallel or by whom it was
worked on.
"""

from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path

from fourcast._core import Book, Position, book_positions, write_book
from fourcast.book.chunk_file import CHUNK, open_chunk_file
from fourcast.book.workers import SOLVE_POSITIONS, Workers, on_threads
from fourcast.errors import BookError

Progress = Callable[[int, int], object]


def build(
    out: Path,
    plies: int,
    *,
    width: int = 7,
    height: int = 6,
    threads: int = 1,
    workers: Workers[Sequence[Position], list[int]] | None = None,
    progress: Progress | None = None,
) -> Book:
    """Build the book of all positions with up to *plies* discs, write it to *out*, and return it.

    *workers* solve them, by default on *threads* threads of this machine. Until the book
    is written, the scores are kept in a file next to it that ends in `.partial`; a later call continues
    from there, with any workers. *progress* is called with the number of positions solved and the total
    of the deepest layer. Raises BookError if *out* exists and is not a regular file.
    """
    workers = workers or on_threads(threads, SOLVE_POSITIONS)
    report = progress or (lambda *_: None)
    if out.exists() and not out.is_file():
        raise BookError(f"'{out}' is not a regular file; name a file to write the book to")
    positions = book_positions(plies, width=width, height=height)
    count = len(positions)
    with open_chunk_file(out, width=width, height=height, plies=plies, count=count) as found:
        done = sum(map(len, found.chunks.values()))
        report(done, count)
        left = (
            (number, positions[start : start + CHUNK])
            for number, start in enumerate(range(0, count, CHUNK))
            if number not in found.chunks
        )
        with closing(workers(left)) as solved:
            for number, scores in solved:
                found.add(number, scores)
                done += len(scores)
                report(done, count)
        scores = [score for number in sorted(found.chunks) for score in found.chunks[number]]
        write_book(out, positions, scores)
        found.remove()
    return Book(out)
