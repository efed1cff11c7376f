"""Writing the positions of a book to a file that other programs read: Parquet or CSV."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from fourcast._core import Book, bitboards
from fourcast.book.checker import layer_of
from fourcast.errors import BookError, missing_extra

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["export_book", "export_csv"]

CHUNK = 2**16  # positions that are in memory at a time

Progress = Callable[[int, int], object]


def export_book(book: Book, out: Path, *, progress: Progress | None = None) -> None:
    """Write all positions of a book to *out*, whose name ends in .parquet or .csv.

    The file is there as a whole or not at all. *progress* is called with the number of positions that
    are written, and of all. Raises `BookError` for another ending.
    """
    writers = {".parquet": export_parquet, ".csv": export_csv}
    write = writers.get(out.suffix.lower())
    if write is None:
        raise BookError(f"'{out}' ends in neither .parquet nor .csv; the ending says what is written")
    _require_pyarrow()
    if out.exists() and not out.is_file():
        raise BookError(f"'{out}' is not a regular file; name a file to write to")
    temporary = out.with_name(f".{out.name}.partial")
    try:
        with temporary.open("wb") as file:
            write(book, file, progress=progress)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(out)
    except OSError as error:
        if error.errno != errno.ENOSPC:
            error.filename = str(out)
            raise
        raise BookError(f"'{out}' cannot be written: no space is left on the device") from None
    finally:
        temporary.unlink(missing_ok=True)


def export_parquet(book: Book, file: BinaryIO, *, progress: Progress | None = None) -> None:
    """Write all positions of a book as Parquet."""
    import pyarrow.parquet as pq

    with pq.ParquetWriter(file, _schema(book), compression="zstd") as writer:
        for batch in _batches(book, progress):
            writer.write_batch(batch)


def export_csv(book: Book, file: BinaryIO, *, progress: Progress | None = None) -> None:
    """Write all positions of a book as CSV, with a line of names."""
    _require_pyarrow()
    import pyarrow as pa
    from pyarrow import csv

    options = csv.WriteOptions(include_header=False, quoting_style="none")
    file.write((",".join(_schema(book).names) + "\n").encode())
    for batch in _batches(book, progress):
        buffer = pa.BufferOutputStream()
        csv.write_csv(batch, buffer, options)
        file.write(buffer.getvalue())


def _schema(book: Book) -> pa.Schema:
    import pyarrow as pa

    boards = [(name, pa.uint64()) for name in _board_names(book)]
    return pa.schema([("ply", pa.int8()), *boards, ("score", pa.int8()), ("outcome", pa.string())])


def _board_names(book: Book) -> list[str]:
    is_wide = book.width * (book.height + 1) > 64
    return [f"{player}{word}" for player in ("first", "second") for word in ("", "_high")[: 1 + is_wide]]


def _batches(book: Book, progress: Progress | None) -> Iterator[pa.RecordBatch]:
    """The positions of a book, some at a time: as Python objects, all of them would take gigabytes."""
    import numpy as np
    import pyarrow as pa

    done = 0
    for ply, count in enumerate(book.counts):
        layer = layer_of(book, ply)
        for start in range(0, count, CHUNK):
            positions = layer[start : start + CHUNK]
            size = len(positions)
            boards = bitboards(positions, width=book.width, height=book.height).reshape(size, -1)
            scores = np.fromiter(map(book.score, positions), np.int8, size)
            outcomes = pa.DictionaryArray.from_arrays(np.sign(scores) + 1, ["loss", "draw", "win"])
            yield pa.RecordBatch.from_arrays(
                [
                    pa.array(np.full(size, ply, np.int8)),
                    *(pa.array(words) for words in np.ascontiguousarray(boards.T)),
                    pa.array(scores),
                    outcomes.cast(pa.string()),
                ],
                schema=_schema(book),
            )
            done += size
            if progress:
                progress(done, len(book))


def _require_pyarrow() -> None:
    try:
        import pyarrow  # noqa: F401
    except ImportError:
        raise missing_extra("to export a book takes pyarrow", "data") from None
