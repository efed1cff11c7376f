"""Whether a member has solved a task: their answers are played again, as their page has done."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from fourcast.notation import parse_column
from fourcast.puzzles import Puzzle, find
from fourcast.solver import Solver
from fourcast.study.lessons import Lesson, Tried, find_lesson
from fourcast.web.rooms.room import MOST_MEMBERS
from fourcast.web.server.pool import Client, Pool

__all__ = ["LESSON", "Judge", "is_solved"]

LESSON = "lesson:"
"""In front of the id of a lesson; an item with nothing in front is the id of a puzzle."""


class Judge:
    """Judges the answers of classes, on a thread of its own: a whole room may answer at once."""

    def __init__(self) -> None:
        self._pool = Pool(workers=1, queue=MOST_MEMBERS, fair_s=None)
        self._solver = Solver(table_mb=4)

    async def is_solved(self, item: str, answers: Sequence[str], client: Client) -> bool:
        """Return what `is_solved` does. The errors are its, and those of `Pool.run`."""
        key = (item, *answers)
        return await self._pool.run(key, lambda _: is_solved(item, answers, self._solver), client)

    def close(self) -> None:
        """Judge nothing any more."""
        self._pool.close()


def is_solved(item: str, answers: Sequence[str], solver: Solver) -> bool:
    """Return whether *answers* are the member's whole solution of a task.

    They are columns from 1 or squares, of a lesson those of all its steps in a row. Raises a
    `FourcastError` for an unknown task, or a column that cannot be played.

    >>> is_solved("lesson:four", ["4", "1", "2", "3", "1"], Solver())
    False
    """
    if item.startswith(LESSON):
        return _has_learned(find_lesson(item.removeprefix(LESSON)), answers, solver)
    return _has_found(_puzzle(item), answers, solver)


_puzzle = lru_cache(1000)(find)  # which reads the whole collection


def _has_found(puzzle: Puzzle, answers: Sequence[str], solver: Solver) -> bool:
    attempt = puzzle.start()
    for answer in answers:
        if attempt.state != "open":
            return False
        attempt = attempt.try_move(parse_column(answer, puzzle.width), solver)
    return attempt.state == "solved"


def _has_learned(lesson: Lesson, answers: Sequence[str], solver: Solver) -> bool:
    given = iter(answers)
    for step in lesson.steps:
        tried = Tried("open", (), ())
        while tried.state == "open":
            answer = next(given, None)
            if answer is None:
                return False
            tried = step.try_answer(answer, tried.columns, solver)
        if tried.state != "done":
            return False
    return next(given, None) is None
