"""What somebody has solved and learned, and how strong that makes them: one file that only grows."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any

from fourcast._core import ask
from fourcast.append_file import AppendFile, read_lines, to_line
from fourcast.errors import GameFileError
from fourcast.paths import data_folder
from fourcast.puzzles.glicko import Strength
from fourcast.puzzles.puzzle import Puzzle
from fourcast.render.said import said_text

__all__ = ["Answered", "History", "Learned", "history_path", "milliseconds", "time_of", "trained"]

HEADER = {"format": "fourcast training 1"}
WAIT_S = 10
"""Seconds to wait for another session that is writing a line."""


@dataclass(frozen=True)
class Answered:
    """A puzzle that somebody has tried."""

    when: datetime
    puzzle: Puzzle
    solved: bool
    hints: int = 0
    """How many hints were asked for; with any, the attempt does not count for the rating."""
    card: str | None = None
    """The id of the puzzle that this one was asked in place of, when cards are repeated."""

    def to_json(self) -> dict[str, Any]:
        """Return the line of the history."""
        return {
            "when": self.when.isoformat(timespec="seconds"),
            "solved": self.solved,
            "hints": self.hints,
            "card": self.card,
            "puzzle": self.puzzle.to_json(),
        }


@dataclass(frozen=True)
class Learned:
    """A step of a lesson that somebody has done."""

    when: datetime
    lesson: str | None
    """The id of the lesson; None: all lessons start over."""
    step: int = 0
    """From 1."""

    def to_json(self) -> dict[str, Any]:
        """Return the line of the history."""
        line = {"when": self.when.isoformat(timespec="seconds"), "lesson": self.lesson}
        return line if self.lesson is None else {**line, "step": self.step}


def trained(answered: Iterable[Answered], now: datetime | None = None) -> dict[str, Any]:
    """Return what attempts amount to at a time: `training` of native/study/training.cpp."""
    lines = [each.to_json() for each in sorted(answered, key=lambda each: each.when)]
    found: dict[str, Any] = ask("training", {"answered": lines, "now": milliseconds(now) if now else 0})
    return found


def milliseconds(when: datetime) -> int:
    """Return a time as the core counts it, since 1970."""
    return (when - _EPOCH) // timedelta(milliseconds=1)


def time_of(number: int) -> datetime:
    """Return the time that `milliseconds` gave."""
    return _EPOCH + timedelta(milliseconds=number)


_EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)


def history_path() -> Path:
    """Return where the history is: in the data folder, see `fourcast.paths`."""
    return data_folder() / "training.jsonl"


class History:
    """All attempts so far. A line is on the disk before the next question; see `AppendFile`."""

    def __init__(self, path: Path | None = None) -> None:
        self.path = path or history_path()
        self.answered, self.learned = _read(self.path)

    def add(
        self,
        puzzle: Puzzle,
        *,
        solved: bool,
        hints: int = 0,
        card: str | None = None,
        when: datetime | None = None,
    ) -> None:
        """Record an attempt; *card* is the id of the card's puzzle if another one took its place."""
        when = when.replace(microsecond=0) if when else _now()
        self._append([Answered(when, puzzle, solved, hints, card)])

    def learn(self, lesson: str, step: int) -> None:
        """Record a step of a lesson that is done."""
        self._append([Learned(_now(), lesson, step)])

    def forget_lessons(self) -> None:
        """Record that all lessons start over."""
        self._append([Learned(_now(), None)])

    def merge(self, path: Path) -> int:
        """Add what another history has and this one has not; return how many lines.

        Raises `GameFileError` if the file is no history, and OSError if it cannot be read.
        """
        known = {*self.answered, *self.learned}
        answered, learned = _read(path, is_new=False)
        lines: list[Answered | Learned] = [*answered, *learned]
        new = [each for each in lines if each not in known]
        self._append(new)
        self.answered.sort(key=lambda each: each.when)
        self.learned.sort(key=lambda each: each.when)
        return len(new)

    def export(self) -> bytes:
        """Return the whole history as a file that `merge` and the page's Train read."""
        lines: list[Answered | Learned] = [*self.answered, *self.learned]
        return b"".join(map(to_line, [HEADER, *(each.to_json() for each in lines)]))

    def _append(self, lines: Iterable[Answered | Learned]) -> None:
        # Opened for this only: other sessions may be running, and each waits for the others.
        with AppendFile(self.path, HEADER, wait_s=WAIT_S) as file:
            for each in lines:
                file.append(each.to_json())
                if isinstance(each, Learned):
                    self.learned.append(each)
                else:
                    self.answered.append(each)

    @property
    def strength(self) -> Strength:
        """The rating by Glicko-2, each attempt a rating period of its own."""
        return self.strengths[-1]

    @property
    def strengths(self) -> list[Strength]:
        """The rating at the start, and after each attempt that counts."""
        return [Strength(*each) for each in trained(self.answered)["strengths"]]

    @property
    def level(self) -> float:
        """How hard the next puzzle should be: the rating less its error, so that the first are easy."""
        return float(trained(self.answered)["level"])

    @property
    def streak(self) -> int:
        """How many puzzles were solved in a row, without hints, up to the last one."""
        return int(trained(self.answered)["streak"])


def _now() -> datetime:
    """Return the time to the second, as in the file."""
    return datetime.now(timezone.utc).replace(microsecond=0)


def _read(path: Path, *, is_new: bool = True) -> tuple[list[Answered], list[Learned]]:
    """The lines of a file. One that *is_new* may be missing, or end within its first line."""
    if not is_new:
        path.stat()
    entries, _ = read_lines(path)
    if entries[:1] != [HEADER] and (entries or not is_new):
        raise GameFileError(f"{path}, line 1: this is not a history of puzzles")
    found = ask("training", {"answered": entries[1:], "now": 0})
    if "problem" in found:
        raise GameFileError(f"{path}, line {found['line']}: {said_text(found['problem'])}")
    answered = [
        Answered(
            time_of(each["when"]),
            Puzzle.from_json(each["puzzle"]),
            each["solved"],
            each["hints"],
            each["card"],
        )
        for each in found["answered"]
    ]
    learned = [Learned(time_of(each["when"]), each["lesson"], each["step"]) for each in found["learned"]]
    return answered, learned
