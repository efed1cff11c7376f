"""`fourcast train`: repeat what was not solved, and learn from the mistakes of your games."""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator
from datetime import datetime, timezone
from pathlib import Path
from typing import Annotated

import typer

from fourcast.cli._support import options
from fourcast.cli._support.boards import chosen_style
from fourcast.cli._support.process import accept_any_encoding
from fourcast.cli._support.puzzle_input import exercises_of
from fourcast.cli._terminal.puzzles import PuzzleSession
from fourcast.cli._terminal.repertoire import RepertoireSession
from fourcast.files import replace_file
from fourcast.puzzles import Puzzle, pick
from fourcast.puzzles.cards import cards, due_cards, question_of, theme_records
from fourcast.puzzles.history import History
from fourcast.puzzles.repertoire import Repertoire, load_repertoire

Status = Annotated[bool, typer.Option("--status", help="Only show your progress and what is due.")]
New = Annotated[int, typer.Option(min=0, metavar="N", help="New puzzles after the cards that are due.")]
Import = Annotated[
    Path | None,
    typer.Option("--import", metavar="FILE", help="Add the attempts of another training.jsonl."),
]
Export = Annotated[
    Path | None,
    typer.Option("--export", metavar="FILE", help="Write all attempts to a file."),
]
Teach = Annotated[
    options.Deck | None,
    typer.Option("--repertoire", help="Teach an opening repertoire, or the first player's whole win."),
]

PLOT_WIDTH = 60
WEAKEST = 3


def train(
    practice: options.Practice,
    status: Status = False,
    new: New = 5,
    repertoire: Teach = None,
    import_file: Import = None,
    export_file: Export = None,
) -> None:
    """Practice the puzzles that you did not solve.

    A puzzle that you did not solve becomes a card. It comes back after 1, 3, 7,
    16, 35 and 90 days as long as you solve it, sometimes as its mirror image,
    and after two passes as another puzzle of the same theme. New puzzles
    follow, the first one from your weakest theme. With --repertoire the cards
    are those of an opening repertoire, in its order.

    All attempts are in the data folder; `fourcast puzzles rating` says where.
    """
    accept_any_encoding()
    wishes = (status, import_file, export_file, practice.mistakes, repertoire)
    if sum(map(bool, wishes)) > 1:
        raise typer.BadParameter(
            "give --status, --import, --export, --mistakes or --repertoire, only one of them"
        )
    history = History()
    if export_file is not None:
        replace_file(export_file, history.export())
        count = len(history.answered)
        print(f"{export_file}: {count} {'attempt' if count == 1 else 'attempts'}")
        return
    if import_file is not None:
        found = history.merge(import_file)
        print(f"{found} {'attempt' if found == 1 else 'attempts'} of {import_file} added.")
    now = datetime.now(timezone.utc)
    _show_status(history, now)
    if status or import_file is not None:
        return
    if repertoire is not None:
        taught = load_repertoire(repertoire.value)
        cards_of = _repertoire_questions(taught, history, new, now, random.Random(practice.seed))
        session = RepertoireSession(taught, history, style=chosen_style(practice.style))
        raise typer.Exit(session.run(cards_of))
    exercises = exercises_of(practice.mistakes) if practice.mistakes else []
    questions = _questions(history, exercises, new, now, random.Random(practice.seed))
    raise typer.Exit(PuzzleSession(history, style=chosen_style(practice.style)).run(questions))


def _questions(
    history: History, exercises: list[Puzzle], new: int, now: datetime, chance: random.Random
) -> Iterator[Puzzle | tuple[Puzzle, str]]:
    yield from exercises
    for card in due_cards(history.answered, now):
        yield question_of(card, chance), card.puzzle.id
    weak = [record.theme for record in theme_records(history.answered) if record.share < 1]
    for number in range(new):
        tried = frozenset(each.puzzle.id for each in history.answered)
        theme = weak[0] if weak and number % 2 == 0 else None
        yield pick(history.level, chance, theme=theme, without=tried)


def _repertoire_questions(
    taught: Repertoire, history: History, new: int, now: datetime, chance: random.Random
) -> Iterator[Puzzle | tuple[Puzzle, str]]:
    """The cards of a repertoire that are due, then new ones in their order; some are mirrored."""
    found = taught.questions(history.answered, now, new)
    for each in found["due"]:
        side = "mirrored" if chance.random() < 0.5 else "puzzle"
        yield Puzzle.from_json(each[side]), each["card"]
    yield from (Puzzle.from_json(each["puzzle"]) for each in found["fresh"])


def _show_status(history: History, now: datetime) -> None:
    """Print what is due, what is known, the weakest themes and the course of the rating."""
    found = cards(history.answered).values()
    due = due_cards(history.answered, now)
    known = sum(card.is_known for card in found)
    print(f"Cards: {len(due)} due, {len(found) - len(due) - known} resting, {known} known.")
    for record in theme_records(history.answered)[:WEAKEST]:
        if record.share < 1:
            print(f"Weak: {record.theme}, {record.solved} of {record.tried} solved.")
    ratings = [strength.rating for strength in history.strengths]
    rated = len(ratings) - 1
    attempts = "attempt" if rated == 1 else "attempts"
    print(f"Rating: {ratings[-1]:.0f} after {rated} rated {attempts}. {_plot(ratings)}".rstrip())


def _plot(ratings: list[float]) -> str:
    """The course of the rating as a line of bars, where the output can show them."""
    bars = "▁▂▃▄▅▆▇█"
    encoding = (sys.stdout.encoding or "").lower().replace("-", "")
    if len(ratings) < 3 or encoding != "utf8":
        return ""
    shown = ratings[-PLOT_WIDTH:]
    low, high = min(shown), max(shown)
    return "".join(bars[round((value - low) / (high - low or 1) * 7)] for value in shown)
