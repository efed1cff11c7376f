"""What somebody has solved, and how strong that makes them: one file that only grows."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

from fourcast.errors import GameFileError
from fourcast.paths import data_folder
from fourcast.puzzles.append_file import AppendFile, read_lines, to_line
from fourcast.puzzles.glicko import Strength, updated
from fourcast.puzzles.puzzle import Puzzle

__all__ = ["Answered", "History", "history_path"]

HEADER = {"format": "fourcast training 1"}


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

    @property
    def is_rated(self) -> bool:
        """Whether the attempt counts for the rating: not with hints, and not as a repetition."""
        return self.hints == 0 and self.puzzle.error > 0 and self.card is None

    def to_json(self) -> dict[str, Any]:
        """Return the line of the history."""
        return {
            "when": self.when.isoformat(timespec="seconds"),
            "solved": self.solved,
            "hints": self.hints,
            "card": self.card,
            "puzzle": self.puzzle.to_json(),
        }

    @staticmethod
    def from_json(value: dict[str, Any]) -> Answered:
        """Return what `to_json` gave. Raises KeyError, TypeError or ValueError if it is none."""
        when = datetime.fromisoformat(value["when"])
        if when.tzinfo is None or not isinstance(value["solved"], bool):
            raise ValueError("it needs a time with its zone, and whether the puzzle was solved")
        card = value.get("card")
        if card is not None and not isinstance(card, str):
            raise ValueError(f"the name of a card is a text, not {card!r}")
        puzzle = Puzzle.from_json(value["puzzle"])
        return Answered(when, puzzle, value["solved"], int(value["hints"]), card)


def history_path() -> Path:
    """Return where the history is: in the data folder, see `fourcast.paths`."""
    return data_folder() / "training.jsonl"


class History:
    """All attempts so far. A line is on the disk before the next question; see `AppendFile`."""

    def __init__(self, path: Path | None = None) -> None:
        self.path = path or history_path()
        self.answered: list[Answered] = _read(self.path)

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
        # To the second, as in the file.
        when = (when or datetime.now(timezone.utc)).replace(microsecond=0)
        self._append([Answered(when, puzzle, solved, hints, card)])

    def merge(self, path: Path) -> int:
        """Add the attempts of another history that are not in this one; return how many.

        Raises `GameFileError` if the file is no history, and OSError if it cannot be read.
        """
        known = set(self.answered)
        new = [each for each in _read(path, is_new=False) if each not in known]
        self._append(new)
        self.answered.sort(key=lambda each: each.when)
        return len(new)

    def export(self) -> bytes:
        """Return all attempts as a file that `merge` and the page's Train read."""
        return b"".join(map(to_line, [HEADER, *(each.to_json() for each in self.answered)]))

    def _append(self, attempts: list[Answered]) -> None:
        with AppendFile(self.path, HEADER) as file:  # opened for this only: two sessions may be running
            for each in attempts:
                file.append(each.to_json())
                self.answered.append(each)

    @property
    def strength(self) -> Strength:
        """The rating by Glicko-2, each attempt a rating period of its own."""
        return self.strengths[-1]

    @property
    def strengths(self) -> list[Strength]:
        """The rating at the start, and after each attempt that counts."""
        strengths = [Strength()]
        for each in self.answered:
            if each.is_rated:
                deviation = each.puzzle.error / 1.96
                result = each.puzzle.rating, deviation, float(each.solved)
                strengths.append(updated(strengths[-1], [result]))
        return strengths

    @property
    def streak(self) -> int:
        """How many puzzles were solved in a row, without hints, up to the last one."""
        streak = 0
        for each in reversed(self.answered):
            if not each.solved or each.hints:
                break
            streak += 1
        return streak


def _read(path: Path, *, is_new: bool = True) -> list[Answered]:
    """The attempts of a file. One that *is_new* may be missing, or end within its first line."""
    if not is_new:
        path.stat()
    entries, _ = read_lines(path)
    if entries[:1] != [HEADER] and (entries or not is_new):
        raise GameFileError(f"{path}, line 1: this is not a history of puzzles")
    answered: list[Answered] = []
    try:
        answered.extend(map(Answered.from_json, entries[1:]))
    except (KeyError, TypeError, ValueError) as error:
        raise GameFileError(f"{path}, line {len(answered) + 2}: {error}") from None
    return sorted(answered, key=lambda each: each.when)  # an import may have come later
