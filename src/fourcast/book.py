"""Opening books: which one is used, and how one is built.

A book is built from its deepest layer: every position of it is solved, the layers above follow. That
takes hours, so what is solved is written down as it comes, and a build that was ended in any way goes on
where it was. The book depends on the scores alone, not on how often or how parallel it was worked on.
"""

import fcntl
import json
import os
import random
import struct
import sys
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import BinaryIO

from fourcast._core import Book, Position, Solver, book_positions, write_book
from fourcast.errors import BookError

__all__ = ["Book", "Mismatch", "build", "data_folder", "default_book", "verify"]

SUFFIX = ".book"
CHUNK = 128  # positions that are solved and written down together
_RECORD = struct.Struct("<II")  # the chunk's number and the checksum of number and scores

Progress = Callable[[int, int], object]


def data_folder() -> Path:
    """Return the folder for what a user keeps for fourcast; FOURCAST_DATA names another one."""
    given = os.environ.get("FOURCAST_DATA")
    if given:
        return Path(given)
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "fourcast"
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "fourcast"


@cache
def default_book() -> Book | None:
    """Return the deepest book there is, in the package or the data folder; None without any."""
    found = [
        Book(path)
        for folder in (Path(__file__).parent / "books", data_folder() / "books")
        for path in sorted(folder.glob("*" + SUFFIX))
    ]
    return max(found, key=lambda book: book.plies, default=None)


def build(
    out: Path,
    plies: int,
    *,
    width: int = 7,
    height: int = 6,
    threads: int = 1,
    progress: Progress | None = None,
) -> Book:
    """Build the book of all positions with up to *plies* stones, write it to *out*, and return it.

    What is solved is kept beside it, in a file that ends in `.partial`, until the book is written.
    *progress* is called with the number of positions solved and of all in the deepest layer.
    """
    positions = book_positions(plies, width=width, height=height)
    with _journal(out, width, height, plies, len(positions)) as journal:
        done = sum(map(len, journal.chunks.values()))
        solver = Solver(book=False, threads=1)
        for number, start in enumerate(range(0, len(positions), CHUNK)):
            if number in journal.chunks:
                continue
            if progress:
                progress(done, len(positions))
            some = positions[start : start + CHUNK]
            results = solver.solve_many(some, threads=threads, width=width, height=height)
            if not all(result.complete for result in results):
                raise BookError("the solver was stopped; what it had found is kept")
            journal.add(number, [result.lower for result in results])
            done += len(some)
        scores = [score for number in sorted(journal.chunks) for score in journal.chunks[number]]
        written = out.with_name(out.name + ".new")
        write_book(written, positions, scores)
        with written.open("rb") as file:
            os.fsync(file.fileno())
        written.replace(out)
        journal.path.unlink()
    if progress:
        progress(len(positions), len(positions))
    return Book(out)


@dataclass(frozen=True)
class Mismatch:
    """A position that a book has wrong."""

    position: Position
    book: int
    solver: int


def verify(
    book: Book,
    sample: int,
    *,
    seed: int = 0,
    threads: int = 1,
    progress: Progress | None = None,
) -> list[Mismatch]:
    """Solve *sample* positions of a book without it and return those that it has wrong.

    They are drawn from all its layers alike, each position as likely as any other.
    """
    layers = [book_positions(ply, width=book.width, height=book.height) for ply in range(book.plies + 1)]
    everything = [position for layer in layers for position in layer]
    if len(everything) != len(book):
        raise BookError(f"the book has {len(book)} positions, there are {len(everything)}")
    chosen = random.Random(seed).sample(everything, min(sample, len(everything)))
    # In the order of the book, in which neighbours have work in common.
    chosen_keys = {position.key for position in chosen}
    chosen = [position for position in everything if position.key in chosen_keys]
    results = Solver(book=False).solve_many(chosen, threads=threads, progress=progress)
    return [
        Mismatch(position, book.score(position), result.lower)
        for position, result in zip(chosen, results, strict=True)
        if book.score(position) != result.lower
    ]


class _Journal:
    """The scores found so far, on disk: a line that says of what, then a record for each chunk."""

    def __init__(self, path: Path, file: BinaryIO, header: bytes, count: int) -> None:
        self.path = path
        self.chunks: dict[int, list[int]] = {}
        self._file = file
        self._count = count
        self._read(header)

    def add(self, number: int, scores: list[int]) -> None:
        """Write down the scores of a chunk; they are on the disk when this returns."""
        body = struct.pack(f"<I{len(scores)}b", number, *scores)
        self._file.write(struct.pack("<I", zlib.crc32(body)) + body)
        self._file.flush()
        os.fsync(self._file.fileno())
        self.chunks[number] = scores

    def _read(self, header: bytes) -> None:
        found = self._file.read(len(header))
        if not header.startswith(found):
            raise BookError(
                f"'{self.path}' belongs to the building of another book; remove it or name another file"
            )
        if found != header:  # new, or ended while this line was being written
            self._file.truncate(0)
            self._file.write(header)
        good = len(header)
        while record := self._read_record():
            number, scores = record
            self.chunks[number] = scores
            good = self._file.tell()
        # Whatever comes after the last whole record was being written when the build was ended.
        self._file.seek(good)
        self._file.truncate()

    def _read_record(self) -> tuple[int, list[int]] | None:
        start = self._file.read(_RECORD.size)
        if len(start) < _RECORD.size:
            return None
        checksum, number = _RECORD.unpack(start)
        size = min(CHUNK, self._count - number * CHUNK)
        if size <= 0:
            return None
        scores = self._file.read(size)
        if len(scores) < size or zlib.crc32(start[4:] + scores) != checksum:
            return None
        return number, list(struct.unpack(f"<{size}b", scores))


@contextmanager
def _journal(out: Path, width: int, height: int, plies: int, count: int) -> Iterator[_Journal]:
    """Open the journal of a build, for this process alone."""
    path = out.with_name(out.name + ".partial")
    path.parent.mkdir(parents=True, exist_ok=True)
    header = {"fourcast": 1, "width": width, "height": height, "plies": plies, "chunk": CHUNK}
    with path.open("a+b") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise BookError(f"another process is building '{out}'") from None
        file.seek(0)
        yield _Journal(path, file, json.dumps(header).encode() + b"\n", count)
