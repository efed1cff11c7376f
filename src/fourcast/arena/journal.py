"""The games of a tournament on disk, one line each, written as soon as they are over.

A line is written in one piece and is on the disk before the next game counts as done, so whatever
kills the tournament costs the games in progress and no other. An incomplete last line is what a crash
has left, and is cut off, but only in a file that begins as a journal of this tournament: nothing else is
changed. A journal is opened exclusively.
"""

from __future__ import annotations

import contextlib
import json
import os
import stat
from pathlib import Path
from typing import Any

from fourcast.arena.play import GameRecord
from fourcast.errors import FourcastError, GameFileError
from fourcast.locks import TO_APPEND, lock_file

FORMAT = "fourcast journal 1"
_BEGINNING = f'{{"format": "{FORMAT}"'.encode()
MAX_LINE = 1_000_000
"""Bytes of the longest line; a game with all its messages is far shorter."""


class Journal:
    """The journal of one tournament; *settings* identify it, and must be the same to continue it."""

    def __init__(self, path: str | os.PathLike[str], settings: dict[str, Any]) -> None:
        self.path = Path(path)
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
        except (FileExistsError, NotADirectoryError):
            raise GameFileError(f"{self.path.parent} is not a folder: give another one") from None
        self._file = self._open()
        try:
            try:
                lock_file(self._file)
            except OSError:
                raise GameFileError(f"{path}: another tournament is writing to it") from None
            self.records = self._load(json.loads(json.dumps(settings)))
        except BaseException:
            os.close(self._file)
            raise

    def _open(self) -> int:
        """Open a regular file, or make one."""
        try:
            file = os.open(self.path, TO_APPEND, 0o666)
        except OSError as error:
            if self.path.is_symlink():
                raise GameFileError(f"{self.path} is a symbolic link: give the folder itself") from None
            if self.path.is_dir():
                raise GameFileError(f"{self.path} is a folder, not a journal") from None
            raise error
        if not stat.S_ISREG(os.fstat(file).st_mode):
            os.close(file)
            raise GameFileError(f"{self.path} is not a regular file")
        return file

    def _load(self, settings: dict[str, Any]) -> dict[int, GameRecord]:
        """Return the games that the file has; of a new file, write the first line."""
        with open(self.path, "rb") as file:
            header = file.readline(MAX_LINE)
            first_line = _to_line({"format": FORMAT, "settings": settings})
            is_unfinished = header != first_line and first_line.startswith(header)
            if not header or (is_unfinished and header.startswith(_BEGINNING)):
                os.ftruncate(self._file, 0)
                self._write(first_line)
                return {}
            self._check_header(header, settings)
            records: dict[int, GameRecord] = {}
            whole = len(header)
            for number, line in enumerate(iter(lambda: file.readline(MAX_LINE), b""), start=2):
                if not line.endswith(b"\n"):
                    if len(line) == MAX_LINE:
                        raise GameFileError(f"{self.path}, line {number} is too long for a game")
                    break
                record = self._read_game(line, number)
                if record.number in records:
                    where = f"{self.path}, line {number}"
                    raise GameFileError(f"{where}: game {record.number} is in the journal twice")
                records[record.number] = record
                whole += len(line)
        if whole < os.fstat(self._file).st_size:
            os.ftruncate(self._file, whole)
        return records

    def _check_header(self, line: bytes, settings: dict[str, Any]) -> None:
        """Raise an error if the first line is not that of a journal of this tournament."""
        try:
            entry = _from_line(line)
        except GameFileError:
            entry = None
        if not isinstance(entry, dict) or entry.get("format") != FORMAT or not line.endswith(b"\n"):
            advice = "give another folder, or remove the file"
            raise GameFileError(f"{self.path}, line 1: this is not a journal; {advice}")
        if entry.get("settings") != settings:
            raise GameFileError(
                f"{self.path} belongs to a tournament with other players or settings: "
                "continue with those, or give another folder"
            )

    def _read_game(self, line: bytes, number: int) -> GameRecord:
        try:
            return GameRecord.from_json(_from_line(line))
        except FourcastError as error:
            raise GameFileError(f"{self.path}, line {number}: {error}") from None

    def append(self, record: GameRecord) -> None:
        """Write a game that was played."""
        self._write(_to_line(record.to_json()))
        self.records[record.number] = record

    def _write(self, line: bytes) -> None:
        if os.write(self._file, line) != len(line):
            raise GameFileError(f"{self.path}: the disk is full")
        os.fsync(self._file)

    def close(self) -> None:
        """Let another tournament open it."""
        with contextlib.suppress(OSError):
            os.close(self._file)

    def __enter__(self) -> Journal:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _to_line(entry: dict[str, Any]) -> bytes:
    return json.dumps(entry).encode() + b"\n"


def _from_line(line: bytes) -> object:
    try:
        return json.loads(line)
    except (ValueError, RecursionError) as error:  # also bytes that are not UTF-8
        raise GameFileError(f"this is not JSON: {error}") from None
