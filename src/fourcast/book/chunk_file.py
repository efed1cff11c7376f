"""What a build has found so far, on disk: a line that says of what, then a record for each chunk."""

import json
import os
import struct
import sys
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from fourcast.errors import BookError
from fourcast.locks import lock_file

CHUNK = 128  # positions that are solved and written down together
_RECORD = struct.Struct("<II")  # the checksum of number and scores, and the chunk's number


@contextmanager
def open_chunk_file(
    out: Path, *, width: int, height: int, plies: int, count: int
) -> Iterator["ChunkFile"]:
    """Open the file of the build of *out*, of *count* positions, for this process alone."""
    path = out.with_name(out.name + ".partial")
    path.parent.mkdir(parents=True, exist_ok=True)
    header = {"fourcast": 1, "width": width, "height": height, "plies": plies, "chunk": CHUNK}
    with path.open("a+b") as file:
        try:
            lock_file(file.fileno())
        except BlockingIOError:
            raise BookError(f"another process is building '{out}'") from None
        file.seek(0)
        yield ChunkFile(path, file, json.dumps(header).encode() + b"\n", count)


class ChunkFile:
    """The scores of chunks, by their numbers, in memory and on disk alike."""

    def __init__(self, path: Path, file: BinaryIO, header: bytes, count: int) -> None:
        self.path = path
        self.chunks: dict[int, list[int]] = {}
        self._file = file
        self._count = count
        self._read(header)

    def add(self, number: int, scores: list[int]) -> None:
        """Write down the scores of a chunk; they are on the disk when this returns."""
        if number in self.chunks or not scores or len(scores) != self._size_of(number):
            raise BookError(f"{len(scores)} scores are not what chunk {number} was waiting for")
        body = struct.pack(f"<I{len(scores)}b", number, *scores)
        self._file.write(struct.pack("<I", zlib.crc32(body)) + body)
        self._file.flush()
        os.fsync(self._file.fileno())
        self.chunks[number] = scores

    def remove(self) -> None:
        """Remove the file: the book is written."""
        if sys.platform == "win32":
            self._file.close()  # an open file cannot be removed there
        self.path.unlink()

    def _size_of(self, number: int) -> int:
        """How many scores a chunk has; 0 if there is no such chunk."""
        return max(0, min(CHUNK, self._count - number * CHUNK)) if number >= 0 else 0

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
        size = self._size_of(number)
        if size == 0:
            return None
        scores = self._file.read(size)
        if len(scores) < size or zlib.crc32(start[4:] + scores) != checksum:
            return None
        return number, list(struct.unpack(f"<{size}b", scores))
