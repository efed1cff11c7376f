"""`fourcast learn`: short lessons; what is said and asked is in `_terminal`."""

from __future__ import annotations

from typing import Annotated

import typer

from fourcast.cli._support import options
from fourcast.cli._support.boards import chosen_style
from fourcast.cli._support.process import accept_any_encoding
from fourcast.cli._terminal.lessons import LessonSession
from fourcast.puzzles.history import History
from fourcast.render.catalogue import fill
from fourcast.study.lessons import LessonProgress, find_lesson, lesson_progress, lessons


def _complete_lesson(incomplete: str) -> list[str]:
    return [lesson.id for lesson in lessons() if lesson.id.startswith(incomplete)]


Name = Annotated[
    str | None,
    typer.Argument(
        metavar="LESSON",
        help="The number or the name of a lesson, such as 3 or zugzwang.",
        autocompletion=_complete_lesson,
    ),
]
Reset = Annotated[bool, typer.Option("--reset", help="Forget which steps you have done.")]


def learn(lesson: Name = None, reset: Reset = False, style: options.Style = None) -> None:
    """Learn to play, in short lessons.

    Without a LESSON, list all of them with what you have done. In a lesson, type
    the number of a column, or a square such as 3/2 (column 3, row 2), or ? to
    see what else you can do.

    What you have done is kept in the data folder, with your training.
    """
    accept_any_encoding()
    history = History()
    if reset:
        history.forget_lessons()
        print(fill("learn.reset_done"))
    found = lesson_progress((each.lesson, each.step) for each in history.learned)
    if lesson is None:
        _list(found)
        return
    chosen = find_lesson(lesson)
    first = next(each.step for each in found if each.lesson is chosen)
    raise typer.Exit(LessonSession(history, style=chosen_style(style)).run(chosen, first))


def _list(found: list[LessonProgress]) -> None:
    room = max(len(each.lesson.title) for each in found)
    for number, each in enumerate(found, start=1):
        count = len(each.lesson.steps)
        done = fill("learn.done_of", done=len(each.done), count=count)
        name = f"{number:2} {each.lesson.id:9} {each.lesson.title:{room}}"
        print(f"{name}  {done}{' <' if each.is_next else ''}")
    going = next((number for number, each in enumerate(found, start=1) if each.is_next), None)
    print(f"\n{fill('learn.finished')}" if going is None else f"\nGo on with: fourcast learn {going}")
