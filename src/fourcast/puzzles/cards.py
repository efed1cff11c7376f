"""Spaced repetition: what was not solved comes back, later and later. Boxes, as by Sebastian Leitner.

Everything is derived from the history of attempts and the time; there is no other state.
"""

from __future__ import annotations

import random
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from fourcast._core import ask
from fourcast.puzzles.collection import shipped_text, sizes
from fourcast.puzzles.history import Answered, time_of, trained
from fourcast.puzzles.puzzle import Puzzle

__all__ = ["INTERVALS", "Card", "ThemeRecord", "cards", "due_cards", "question_of", "theme_records"]

INTERVALS = tuple(timedelta(days=days) for days in trained([])["intervals"])
"""How long a card rests in each box. After the last one it is known."""


@dataclass(frozen=True)
class Card:
    """A puzzle to be repeated."""

    puzzle: Puzzle
    due: datetime
    box: int = 0
    """How often in a row it was solved when it was due."""

    @property
    def is_known(self) -> bool:
        """Whether it has left the last box."""
        return self.box >= len(INTERVALS)


def cards(answered: Iterable[Answered]) -> dict[str, Card]:
    """Return the cards that a history has made, by the ids of their puzzles.

    A puzzle becomes a card when it is not solved, or only with a hint. A card that is solved when it is
    due moves on to the next box; one that is not solved goes back to the first.
    """
    tried = sorted(answered, key=lambda each: each.when)
    return {each["id"]: _card(each, tried) for each in trained(tried)["cards"]}


def _card(found: dict[str, Any], answered: list[Answered]) -> Card:
    return Card(answered[found["attempt"]].puzzle, time_of(found["due"]), found["box"])


def due_cards(answered: Iterable[Answered], now: datetime) -> list[Card]:
    """Return the cards that are due, those that have waited longest first."""
    tried = sorted(answered, key=lambda each: each.when)
    return [_card(each, tried) for each in trained(tried, now)["due"]]


def question_of(card: Card, chance: random.Random) -> Puzzle:
    """Return what a card asks: its puzzle or the mirror image, later another one of the same theme."""
    size = card.puzzle.width, card.puzzle.height
    request = {
        "puzzle": card.puzzle.to_json(),
        "box": card.box,
        "text": shipped_text(*size) if size in sizes() else None,
        "chances": [chance.random(), chance.random()],
    }
    return Puzzle.from_json(ask("card.question", request))


@dataclass(frozen=True)
class ThemeRecord:
    """How somebody does with a theme."""

    theme: str
    tried: int
    solved: int

    @property
    def share(self) -> float:
        """The share that was solved."""
        return self.solved / self.tried


def theme_records(answered: Iterable[Answered]) -> list[ThemeRecord]:
    """Return how somebody does with the themes tried often enough to tell, the weakest first."""
    found = trained(answered)["themes"]
    return [ThemeRecord(each["theme"], each["tried"], each["solved"]) for each in found]
