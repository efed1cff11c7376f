"""Lessons: short texts with positions, in which somebody plays a column or points at a square.

The lessons are data (`shipped/lessons.json`, described in docs/learn.md); which answers are right, and
what the opponent plays after a wrong one, the core says (`native/study/lesson.hpp`).
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Literal

from fourcast._core import Position, ask
from fourcast.errors import OptionError, require
from fourcast.notation import nearest, quote
from fourcast.render.catalogue import Names, fill
from fourcast.render.said import Said, said_text
from fourcast.solver import Solver

__all__ = [
    "Lesson",
    "LessonProgress",
    "Step",
    "Tried",
    "find_lesson",
    "fitting_lesson",
    "lesson_progress",
    "lessons",
    "lessons_bytes",
]

RED_AND_YELLOW = ("Red", "Yellow")


@dataclass(frozen=True)
class Tried:
    """What came of an answer."""

    state: Literal["open", "done", "wrong", "slower"]
    """Slower: it wins, but not as asked."""
    columns: tuple[int, ...]
    """The moves of both sides since the step began, the opponent's reply included."""
    said: tuple[Said, ...]

    def text(self, names: Names = RED_AND_YELLOW) -> str:
        """Return what is said about the answer."""
        return " ".join(said_text(each, names) for each in self.said)


@dataclass(frozen=True)
class Step:
    """A position of a lesson with its task.

    >>> step = lessons()[0].steps[1]
    >>> step.moves, step.task(), step.answers()
    ('121212', 'Complete four in a row.', ('1',))
    >>> step.try_answer("3").text()
    'Yellow plays column 2 and has four in a row.'
    """

    lesson: str
    """The id of the lesson."""
    number: int
    """From 1."""
    data: Mapping[str, Any]

    @property
    def moves(self) -> str:
        """The game that led to the position."""
        return str(self.data["moves"])

    @property
    def position(self) -> Position:
        """Where the step begins."""
        return Position(self.moves)

    @property
    def points(self) -> bool:
        """Whether the answer is a square, not a column."""
        return bool(self._task["points"])

    @property
    def marks(self) -> tuple[str, ...]:
        """The squares that the text is about, to be marked on the board."""
        return tuple(self.data.get("marks", ()))

    def text(self, names: Names = RED_AND_YELLOW) -> str:
        """Return what the step teaches."""
        return said_text(self._task["text"], names)

    def task(self, names: Names = RED_AND_YELLOW) -> str:
        """Return what is to be done, in a sentence."""
        return said_text(self._task["task"], names)

    def answers(self, columns: Iterable[int] = (), solver: Solver | None = None) -> tuple[str, ...]:
        """Return what is right after these moves of both sides: names of columns, or of squares."""
        found = ask("lesson.answers", self._request(columns), solver or Solver())
        return tuple(found["answers"])

    def try_answer(
        self, answer: str, columns: Iterable[int] = (), solver: Solver | None = None
    ) -> Tried:
        """Return what comes of *answer*, the name of a column or of a square such as "3/2".

        Raises `InvalidNotationError` or `IllegalMoveError` for a column that cannot be played.
        """
        found = ask("lesson.try", {**self._request(columns), "answer": answer}, solver or Solver())
        return Tried(found["state"], tuple(found["columns"]), tuple(found["said"]))

    @property
    def _task(self) -> dict[str, Any]:
        found: dict[str, Any] = ask("lesson.task", self._request(()))
        return found

    def _request(self, columns: Iterable[int]) -> dict[str, Any]:
        return {
            "lesson": self.lesson,
            "number": self.number,
            "step": dict(self.data),
            "columns": list(columns),
        }


@dataclass(frozen=True)
class Lesson:
    """Some steps about one idea."""

    id: str
    steps: tuple[Step, ...]

    @property
    def title(self) -> str:
        """The name of the idea."""
        return fill(f"lesson.{self.id}.title")

    @property
    def about(self) -> str:
        """What it teaches, in a line."""
        return fill(f"lesson.{self.id}.about")


@dataclass(frozen=True)
class LessonProgress:
    """How far somebody has come with a lesson."""

    lesson: Lesson
    done: tuple[int, ...]
    """The numbers of the steps that are done."""
    step: int
    """The number of the step to go on with: the first one that is not done, or the first of all."""
    is_done: bool
    is_next: bool
    """Whether this is the lesson to go on with."""


def lessons_bytes() -> bytes:
    """Return the file with all lessons."""
    return files("fourcast").joinpath("study", "shipped", "lessons.json").read_bytes()


@cache
def lessons() -> tuple[Lesson, ...]:
    """Return all lessons, in the order in which they build on each other.

    >>> len(lessons()), lessons()[0].title
    (14, 'Four in a row')
    """
    return tuple(
        Lesson(
            each["id"],
            tuple(Step(each["id"], number, data) for number, data in enumerate(each["steps"], 1)),
        )
        for each in json.loads(lessons_bytes())
    )


def find_lesson(name: str) -> Lesson:
    """Return the lesson of that number or id. Raises `OptionError` if there is none.

    >>> find_lesson("1") == find_lesson("four") == lessons()[0]
    True
    """
    require("name", name, str)
    by_name = {each.id: each for each in lessons()}
    by_name |= {str(number): each for number, each in enumerate(lessons(), start=1)}
    if found := by_name.get(name.lower()):
        return found
    meant = nearest(name, [each.id for each in lessons()])
    hint = f"did you mean {meant!r}?" if meant else f"there are 1 to {len(lessons())}"
    raise OptionError(f"there is no lesson {quote(name)}; {hint}")


def fitting_lesson(moves: str, player: int) -> Lesson:
    """Return the lesson that fits a game that *player* has lost, by the last plain mistake of theirs.

    >>> fitting_lesson("4343434", 2).title
    'Block in time'
    """
    return find_lesson(ask("lesson.fitting", {"moves": moves, "player": player})["lesson"])


def lesson_progress(learned: Iterable[tuple[str | None, int]]) -> list[LessonProgress]:
    """Return how far somebody has come, by the steps done in the order of time.

    A step is the id of its lesson and its number; None in place of a lesson starts over.

    >>> [each.lesson.id for each in lesson_progress([("four", 1)]) if each.done]
    ['four']
    """
    request = {
        "lessons": json.loads(lessons_bytes()),
        "learned": [{"lesson": lesson, "step": step} for lesson, step in learned],
    }
    found = ask("lessons", request)
    return [
        LessonProgress(
            lesson, tuple(each["done"]), each["step"], each["is_done"], lesson.id == found["next"]
        )
        for lesson, each in zip(lessons(), found["lessons"], strict=True)
    ]
