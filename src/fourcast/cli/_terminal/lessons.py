"""Lessons at the terminal: shows a step, asks for a column or a square, and says what comes of it."""

from __future__ import annotations

import re

from fourcast._core import Limit, Position
from fourcast.cli._terminal.prompt import ask
from fourcast.cli._terminal.session import QUIT, REASON_S, Session, until_left
from fourcast.errors import InvalidNotationError
from fourcast.notation import parse_column
from fourcast.render.catalogue import fill
from fourcast.render.said import paragraphs_text
from fourcast.render.text import board
from fourcast.study.explain import explain_move
from fourcast.study.lessons import Lesson, Step, Tried, lessons
from fourcast.study.marks import Marks, Square

SQUARE = re.compile(r"([1-7])\s*[/ ,.]?\s*([1-6])")

HELP = """
  {answer}
  s     show the answer
  q     quit; what you have done is kept
  ?     this help
"""


class LessonSession(Session):
    """One lesson after the other."""

    def run(self, lesson: Lesson, first: int = 1) -> int:
        """Teach *lesson* from its step number *first*, then the next ones; return the exit status."""

        def teach_all() -> None:
            following = lessons()[lessons().index(lesson) + 1 :]
            goes_on = self._teach(lesson, first)
            for each in following:
                title = fill("learn.next_lesson", title=each.title)
                if not goes_on or ask(f"{title} (Enter, or q to quit): ").lower() in QUIT:
                    return
                goes_on = self._teach(each, 1)
            if goes_on:
                print(fill("learn.finished"))

        return until_left(teach_all)

    def _teach(self, lesson: Lesson, first: int) -> bool:
        """Go through the steps of a lesson; return whether the person wants to go on."""
        number = lessons().index(lesson) + 1
        for step in lesson.steps[first - 1 :]:
            place = fill("learn.step", number=step.number, count=len(lesson.steps))
            print(f"\n{number}. {lesson.title} ({place.lower()})\n")
            if not self._ask(step):
                return False
            is_last = step.number == len(lesson.steps)
            if is_last:
                print(f"{fill('learn.lesson_done')}\n")
            elif not self._go_on(step):
                return False
        return True

    def _go_on(self, step: Step) -> bool:
        """Wait for Enter, and say why if somebody asks; return False if the person leaves."""
        why = "" if step.points or step.data["task"] == "four" else ", w for why"
        while True:
            entry = ask(f"Enter for the next step{why}, q to quit: ").lower()
            if entry in QUIT:
                return False
            if entry not in ("w", "why") or not why:
                return True
            print(f"\n{self._why(step)}\n")

    def _why(self, step: Step) -> str:
        """Why the first of the answers is right, as `fourcast explain` says it."""
        column = int(step.answers(solver=self._solver)[0]) - 1
        found = explain_move(
            step.position, column, solver=self._solver, reason_limit=Limit(time_s=REASON_S)
        )
        reason = [found.reason.words(self._names)] if found.reason else []
        return "\n".join([paragraphs_text(found.said[:1], self._names), *reason])

    def _ask(self, step: Step) -> bool:
        """Ask a step until it is done, and write that down; return False if the person leaves."""
        columns: tuple[int, ...] = ()
        print(step.text(self._names))
        self._show(step, columns)
        mover = self._names[step.position.turn - 1]
        print(f"{fill('learn.you_are', you=mover)} {step.task(self._names)}")
        wanted = "square, such as 3/2" if step.points else "column (1-7)"
        while True:
            entry = ask(f"Your {wanted}, or ?: ").lower()
            if entry in QUIT:
                return False
            if entry in ("s", "show"):
                answers = ", ".join(step.answers(columns, self._solver))
                print(fill("learn.answer_is", answers=answers))
                continue
            if (tried := self._tried(step, columns, entry)) is None:
                continue
            self._show_result(step, tried)
            if tried.state == "done":
                self._history.learn(step.lesson, step.number)
                return True
            if tried.state == "open":
                columns = tried.columns

    def _tried(self, step: Step, columns: tuple[int, ...], entry: str) -> Tried | None:
        """What comes of what somebody typed; None if that is no answer, which is said."""
        if step.points:
            if match := SQUARE.fullmatch(entry):
                return step.try_answer(f"{match[1]}/{match[2]}")
            self._help("3/2   point at column 3, row 2", entry)
            return None
        position = step.position.play(*columns)
        try:
            column = parse_column(entry, position.width)
        except InvalidNotationError:
            self._help("1-7   play that column", entry)
            return None
        if reason := position.refusal(column):
            print(f"{str(reason)[0].upper()}{str(reason)[1:]}.")
            return None
        return step.try_answer(str(column + 1), columns, self._solver)

    def _help(self, answer: str, entry: str) -> None:
        if entry != "?":
            print(f"{entry!r} is no answer." if entry else "An empty line.", end=" ")
            print("You can type:")
        print(HELP.format(answer=answer))

    def _show_result(self, step: Step, tried: Tried) -> None:
        if tried.state in ("wrong", "slower"):
            print(f"{tried.text(self._names)} {fill('learn.again')}.")
            return
        if not step.points:
            self._show(step, tried.columns)
        print(tried.text(self._names))

    def _show(self, step: Step, columns: tuple[int, ...]) -> None:
        position = step.position.play(*columns)
        last = columns[-1] if columns else None
        if last is None and step.moves:
            last = parse_column(step.moves[-1], position.width)
        drawn = board(
            position,
            style=self._style,
            last=last,
            color=self._colored,
            marks=self._marks(step, position) if not position.is_over else None,
            rows=True,
        )
        print(f"\n{drawn}\n")

    def _marks(self, step: Step, position: Position) -> Marks:
        """The squares that the text is about, in the color of the side that threatens them."""
        squares = tuple(square for square in map(_square_of, step.marks) if not position.at(*square))
        player = step.position.turn
        mine, theirs = position.threats(player), position.threats(3 - player)
        is_theirs = any(square in theirs and square not in mine for square in squares)
        return Marks(position, 3 - player if is_theirs else player, wins=squares)


def _square_of(name: str) -> Square:
    column, row = name.split("/")
    return int(column) - 1, int(row) - 1
