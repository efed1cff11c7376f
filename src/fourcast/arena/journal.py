"""The games of a tournament on disk, one line each, as they come.

A line is written in one piece and is on the disk before the next game counts as done, so whatever kills
the tournament costs the games under way and no other. Half a line at the end is what a crash has left,
and is cut off. Who opens a journal has it alone.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
from pathlib import Path
from typing import Any

from fourcast.arena.play import GameRecord
from fourcast.errors import GameFileError

FORMAT = "fourcast journal 1"


class Journal:
    """The journal of one tournament; *settings* say which, and must be the same to go on with it."""

    def __init__(self, path: str | os.PathLike[str], settings: dict[str, Any]) -> None:
        self.path = Path(path)
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self._file = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o666)
        try:
            try:
                fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                raise GameFileError(f"{path}: another tournament is writing to it") from None
            self.records = self._load(json.loads(json.dumps(settings)))
        except BaseException:
            os.close(self._file)
            raise

    def _load(self, settings: dict[str, Any]) -> dict[int, GameRecord]:
        content = self.path.read_bytes()
        whole = content.rfind(b"\n") + 1
        if whole < len(content):
            os.ftruncate(self._file, whole)
        lines = content[:whole].splitlines()
        if not lines:
            self._write({"format": FORMAT, "settings": settings})
            return {}
        records: dict[int, GameRecord] = {}
        for number, line in enumerate(lines, start=1):
            try:
                entry = json.loads(line)
                if number == 1:
                    if entry.get("format") != FORMAT:
                        raise ValueError("this is not a journal")
                    if entry["settings"] != settings:
                        raise GameFileError(
                            f"{self.path} is of a tournament with other players or settings: "
                            "go on with those, or take another place"
                        )
                    continue
                record = GameRecord.from_json(entry)
            except (ValueError, KeyError, TypeError, AttributeError) as error:
                if isinstance(error, GameFileError):
                    raise
                raise GameFileError(f"{self.path}, line {number}: {error}") from None
            if record.number in records:
                raise GameFileError(f"{self.path}, line {number}: game {record.number} is there twice")
            records[record.number] = record
        return records

    def append(self, record: GameRecord) -> None:
        """Write a game that was played."""
        self._write(record.to_json())
        self.records[record.number] = record

    def _write(self, entry: dict[str, Any]) -> None:
        line = json.dumps(entry, ensure_ascii=False).encode() + b"\n"
        if os.write(self._file, line) != len(line):
            raise OSError(f"{self.path}: the disk is full")
        os.fsync(self._file)

    def close(self) -> None:
        """Let others have it."""
        with contextlib.suppress(OSError):
            os.close(self._file)

    def __enter__(self) -> Journal:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
