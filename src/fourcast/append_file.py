"""An append-only file with one JSON object per line, each synced to disk before `append` returns.

If the process is killed, at most the line that was being written is lost: an incomplete last line is
cut off when the file is opened again.
"""

from __future__ import annotations

import errno
import json
import os
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from fourcast.errors import GameFileError
from fourcast.locks import TO_APPEND, lock_file

__all__ = ["AppendFile", "read_lines", "to_line"]

MAX_LINE = 1_000_000
"""Bytes of the longest line."""

Entry = Mapping[str, Any]


class AppendFile:
    """A file that this process alone writes to; *header* is its first line.

    If another process has it open, this waits up to *wait_s* seconds for it.
    """

    def __init__(self, path: Path, header: Entry, *, wait_s: float = 0) -> None:
        self.path = path
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            self._file = os.open(path, TO_APPEND, 0o666)
        except OSError as error:
            raise GameFileError(f"{path} cannot be written to: {error.strerror}") from None
        try:
            self._lock(time.monotonic() + wait_s)
            self.entries = self._load(header)
        except BaseException:
            os.close(self._file)
            raise

    def _lock(self, until: float) -> None:
        while True:
            try:
                lock_file(self._file)
            except OSError:  # noqa: PERF203  # each try is a new one
                if time.monotonic() >= until:
                    raise GameFileError(f"{self.path}: another process is writing to it") from None
                time.sleep(0.01)
            else:
                return

    def _load(self, header: Entry) -> list[dict[str, Any]]:
        first = to_line(header)
        entries, whole = read_lines(self.path)
        if not entries and not first.startswith(self.path.read_bytes()[: len(first)]):
            raise GameFileError(f"{self.path}, line 1: this is not a journal of fourcast")
        if entries and entries[0] != json.loads(first):
            raise GameFileError(
                f"{self.path} was begun with other settings: go on with those, or name another file"
            )
        os.ftruncate(self._file, whole)
        if not entries:
            self._write(first)
        return entries[1:]

    def append(self, entry: Entry) -> None:
        """Write an entry; it is on the disk when this returns."""
        self._write(to_line(entry))
        self.entries.append(dict(entry))

    def _write(self, line: bytes) -> None:
        try:
            if os.write(self._file, line) != len(line):
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            os.fsync(self._file)
        except OSError as error:
            raise GameFileError(f"{self.path} cannot be written to: {error.strerror}") from None

    def close(self) -> None:
        """Let another process open it."""
        os.close(self._file)

    def __enter__(self) -> AppendFile:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def read_lines(path: Path) -> tuple[list[dict[str, Any]], int]:
    """Return the objects of a journal, the header first, and the bytes up to its last whole line.

    A last line that is incomplete, or that a crash filled with something else, is left out. Raises
    `GameFileError` for a line before it that is not a JSON object.
    """
    entries: list[dict[str, Any]] = []
    whole = 0
    try:
        with open(path, "rb") as file:
            lines = list(iter(lambda: file.readline(MAX_LINE), b""))
    except FileNotFoundError:
        return [], 0
    for number, line in enumerate(lines, start=1):
        entry: object = None
        if line.endswith(b"\n"):
            try:
                entry = json.loads(line)
            except (ValueError, RecursionError):
                entry = None
        if not isinstance(entry, dict):
            if number == len(lines):
                break
            raise GameFileError(f"{path}, line {number}: this is not a line of a journal")
        entries.append(entry)
        whole += len(line)
    return entries, whole


def to_line(entry: Entry) -> bytes:
    """Return an entry as it stands in the file."""
    return json.dumps(entry, separators=(",", ":")).encode() + b"\n"
