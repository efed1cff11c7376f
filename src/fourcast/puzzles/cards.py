"""Spaced repetition: what was not solved comes back, later and later. Boxes, as by Sebastian Leitner.

Everything is derived from the history of attempts and the time; there is no other state.
"""

from __future__ import annotations

import random
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from fourcast.puzzles.collection import load, sizes
from fourcast.puzzles.history import Answered
from fourcast.puzzles.puzzle import Puzzle

__all__ = ["INTERVALS", "Card", "ThemeRecord", "cards", "due_cards", "question_of", "theme_records"]

INTERVALS = tuple(timedelta(days=days) for days in (1, 3, 7, 16, 35, 90))
"""How long a card rests in each box. After the last one it is known."""

SAME_POSITION = 2
"""After this number of passes a card asks another puzzle of its theme: the idea, not the memory."""

FEWEST_OF_A_THEME = 3
"""Attempts that it takes to say something about a theme."""


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
    found: dict[str, Card] = {}
    for each in answered:
        name = each.card or each.puzzle.id
        card = found.get(name)
        passed = each.solved and not each.hints
        if card is None:
            if not passed:
                found[name] = Card(each.puzzle, each.when + INTERVALS[0])
        elif not passed:
            found[name] = replace(card, box=0, due=each.when + INTERVALS[0])
        elif each.when >= card.due and not card.is_known:
            box = card.box + 1
            rest = INTERVALS[min(box, len(INTERVALS) - 1)]
            found[name] = replace(card, box=box, due=each.when + rest)
    return found


def due_cards(answered: Iterable[Answered], now: datetime) -> list[Card]:
    """Return the cards that are due, those that have waited longest first."""
    waiting = [card for card in cards(answered).values() if card.due <= now and not card.is_known]
    return sorted(waiting, key=lambda card: (card.due, card.puzzle.id))


def question_of(card: Card, chance: random.Random) -> Puzzle:
    """Return what a card asks: its puzzle or the mirror image, later another one of the same theme."""
    puzzle = card.puzzle
    size = puzzle.width, puzzle.height
    if card.box >= SAME_POSITION and puzzle.themes and size in sizes():
        others = load(theme=puzzle.themes[0], width=size[0], height=size[1])
        others = tuple(other for other in others if other.id != puzzle.id)
        nearest = sorted(others, key=lambda other: abs(other.rating - puzzle.rating))[:20]
        puzzle = chance.choice(nearest) if nearest else puzzle
    return puzzle.mirrored() if chance.random() < 0.5 else puzzle


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
    tried: dict[str, list[bool]] = {}
    for each in answered:
        for theme in each.puzzle.themes:
            tried.setdefault(theme, []).append(each.solved and not each.hints)
    records = [
        ThemeRecord(theme, len(results), sum(results))
        for theme, results in tried.items()
        if len(results) >= FEWEST_OF_A_THEME
    ]
    return sorted(records, key=lambda record: (record.share, -record.tried, record.theme))
