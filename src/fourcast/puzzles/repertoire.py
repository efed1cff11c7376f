"""Opening repertoires: what to play as the first or second player, in as few positions as possible.

A repertoire has a move for every position that the opponent can reach in the opening, mirror images
taken as one. Positions in which there is nothing to know have no card: a short forced win, or a plain
block. A line also ends where a short plan or a level diagram wins. `tools/make/make_repertoire.py` made
those of the two players; that of the whole win is the certificate that people can learn.

>>> first = load_repertoire("first")
>>> first.cards[0].moves, first.cards[0].column, first.advice(Position("44"))
('', 3, 3)
"""

from __future__ import annotations

import gzip
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cache, cached_property
from importlib.resources import files
from typing import Any, Literal

from fourcast._core import Columns, Position, ask
from fourcast.certificate import READABLE, answer, shipped
from fourcast.certificate.alone import Board
from fourcast.certificate.levels import FORCED_DISCS as FORCED_BY_LEVEL
from fourcast.errors import OptionError, require
from fourcast.notation import format_column, quote
from fourcast.puzzles.history import Answered, milliseconds
from fourcast.puzzles.puzzle import Puzzle
from fourcast.solver import Solver
from fourcast.study.explain import Claim, Explanation, MoveExplanation, with_idea
from fourcast.study.follow import forced_win

__all__ = [
    "DECKS",
    "Deck",
    "Repertoire",
    "RepertoireCard",
    "Side",
    "load_repertoire",
    "mirrored_claim",
    "questions_after",
    "repertoire_bytes",
]

Side = Literal["first", "second"]
Deck = Literal["first", "second", "win"]
DECKS: tuple[Deck, ...] = ("first", "second", "win")
"""The openings of the first and of the second player, and the first player's whole win."""

FORMAT = "fourcast repertoire 1"
FORCED_DISCS = 4
"""Forced wins of at most so many discs have no card in the openings."""
WIN = f"7x6-4{READABLE}"
WIN_PLIES = 10
"""The discs up to which the whole win is taught, unless more are asked for."""


@dataclass(frozen=True)
class RepertoireCard:
    """A position, the column to play there, and a reason."""

    moves: str
    """The move string that leads to the position along the repertoire."""
    column: int
    line: tuple[int, ...] = ()
    """Best play after the move, up to where the claims hold."""
    claims: tuple[Claim, ...] = ()
    """A short plan or forcing line that wins after *line*; none if there is no short one."""
    levels: tuple[int, ...] = ()
    """The squares of each level of a diagram that wins after the move, as bitboards."""

    @cached_property
    def position(self) -> Position:
        """The position in which the player is to move."""
        return Position(self.moves)

    @property
    def ends_theory(self) -> bool:
        """Whether a plan for the rest of the game begins with this move: no card comes after it."""
        return bool(self.levels or (self.claims and not self.line))

    @cached_property
    def puzzle(self) -> Puzzle:
        """The card as an exercise, for the history of attempts: find a move that keeps the result."""
        return Puzzle(self.moves, goal="better", solution=(self.column,), ending="choice")

    @property
    def id(self) -> str:
        """A short name, that of the puzzle."""
        return self.puzzle.id

    def explanation(self, solver: Solver) -> MoveExplanation:
        """Return why the move is right: what it keeps, and the plan or the line that follows."""
        analysis = solver.analyze(self.position, variations=False)
        line = next(line for line in analysis if line.column == self.column)
        keeping = Columns(each.column for each in analysis if each.outcome == analysis.outcome)
        after = self.position.play(self.column)
        reason = with_idea(Explanation(after, solver.solve(after), self.line, self.claims), solver)
        return MoveExplanation(
            self.position, self.column, analysis.result, line, keeping, Columns(), reason, None
        )

    def mirrored(self) -> RepertoireCard:
        """Return the mirror image of the card."""
        last = self.position.width - 1
        return RepertoireCard(
            self.puzzle.mirrored().moves,
            last - self.column,
            tuple(last - column for column in self.line),
            tuple(mirrored_claim(claim, self.position.width) for claim in self.claims),
            tuple(map(Board(self.position.width, self.position.height).mirrored, self.levels)),
        )

    def to_json(self) -> dict[str, Any]:
        """Return the card as JSON types."""
        return {
            "moves": self.moves,
            "column": self.column,
            "line": list(self.line),
            "claims": [claim.to_json() for claim in self.claims],
            "levels": list(self.levels),
        }

    @staticmethod
    def from_json(value: Mapping[str, Any]) -> RepertoireCard:
        """Return the card that `to_json` gave."""
        claims = tuple(map(Claim.from_json, value["claims"]))
        levels = tuple(value.get("levels", ()))
        return RepertoireCard(value["moves"], value["column"], tuple(value["line"]), claims, levels)


@dataclass(frozen=True)
class Repertoire:
    """Cards in the order in which they are taught: by the number of discs."""

    deck: Deck
    plies: int
    """The repertoire has an answer in positions with at most this number of discs."""
    cards: tuple[RepertoireCard, ...]

    @property
    def side(self) -> Side:
        """The player that it is for."""
        return "second" if self.deck == "second" else "first"

    @property
    def forced_discs(self) -> int:
        """Forced wins of at most this number of the player's discs need no card."""
        return FORCED_BY_LEVEL if self.deck == "win" else FORCED_DISCS

    @property
    def title(self) -> str:
        """What it is called."""
        return "the whole win" if self.deck == "win" else f"{self.deck} player"

    @cached_property
    def _by_key(self) -> dict[int, RepertoireCard]:
        return {card.position.canonical_key: card for card in self.cards}

    def card(self, position: Position) -> RepertoireCard | None:
        """Return the card for *position*, mirrored if need be; None if it is not in the repertoire."""
        found = self._by_key.get(position.canonical_key)
        if found is None or (position.width, position.height) != (7, 6):
            return None
        return found if found.position.key == position.key else found.mirrored()

    def advice(self, position: Position) -> int | None:
        """Return the column to play in *position*, or None if it is not in the repertoire."""
        card = self.card(position)
        return None if card is None else card.column

    def up_to(self, plies: int) -> Repertoire:
        """Return the part of the repertoire with positions of at most *plies* discs."""
        cards = tuple(card for card in self.cards if card.position.ply <= plies)
        return Repertoire(self.deck, min(plies, self.plies), cards)

    def questions(self, answered: Iterable[Answered], now: datetime, count: int) -> dict[str, Any]:
        """Return the cards that are due by a history, then at most *count* of those never asked.

        `repertoire` of native/study/repertoire.cpp describes the answer.
        """
        found: dict[str, Any] = ask(
            "repertoire",
            {
                "cards": [{"moves": card.moves, "column": card.column} for card in self.cards],
                "answered": [each.to_json() for each in answered],
                "now": milliseconds(now),
                "count": count,
            },
        )
        return found

    def counts(self) -> dict[int, int]:
        """Return how many cards there are for each number of discs."""
        return dict(sorted(Counter(card.position.ply for card in self.cards).items()))

    def gaps(self) -> Iterator[Position]:
        """Yield the positions that the opponent can reach and that need a card but have none."""
        start = Position()
        firsts = [start] if self.side == "first" else list(start.children().values())
        reached = [position for position in firsts if position.ply <= self.plies]
        for card in self.cards:
            if not card.ends_theory:
                reached += questions_after(
                    card.position.play(card.column), self.plies, self.forced_discs
                )
        for position in reached:
            if self.advice(position) is None:
                yield position


def questions_after(after: Position, plies: int, forced: int = FORCED_DISCS) -> Iterator[Position]:
    """Yield the positions, with at most *plies* discs, that the opponent's replies lead to.

    A win that is *forced* with so many discs is no question, and a plain block is played without asking.

    >>> len(list(questions_after(Position("4"), 2))), list(questions_after(Position("4"), 1))
    (7, [])
    """
    for position in after.children().values():
        if position.is_over or position.ply > plies:
            continue
        if forced_win(position, forced) is not None:
            continue
        blocks = position.winning_columns(3 - position.turn)
        if not blocks:
            yield position
        elif len(blocks) == 1 and not (blocked := position.play(blocks[0])).is_over:
            yield from questions_after(blocked, plies, forced)


_COLUMNS = ("start", "line", "columns")
"""Parts of a claim that list columns. Other lists of numbers are squares."""


def mirrored_claim(claim: Claim, width: int) -> Claim:
    """Return the same claim about the mirror image of its position."""
    return Claim.from_json(_mirrored(claim.to_json(), width - 1))


def _mirrored(value: Any, last: int) -> Any:
    """A claim in JSON with its columns mirrored."""
    if isinstance(value, dict):
        return {
            name: [last - column for column in part] if name in _COLUMNS else _mirrored(part, last)
            for name, part in value.items()
        }
    if isinstance(value, list):
        if value and all(isinstance(each, int) for each in value):
            return [last - value[0], *value[1:]]
        return [_mirrored(each, last) for each in value]
    return value


@cache
def load_repertoire(deck: Deck, plies: int | None = None) -> Repertoire:
    """Return a repertoire that comes with fourcast, for the usual board, up to so many *plies*.

    By default all of it, and of the whole win what has at most ten discs. Raises `OptionError` if there
    is none of that name.
    """
    require("plies", plies, int, type(None))
    if deck not in DECKS:
        raise OptionError(f"there are repertoires named first, second and win, not {quote(deck)}")
    if deck == "win":
        return _whole_win(WIN_PLIES if plies is None else plies)
    header, *lines = gzip.decompress(repertoire_bytes(deck)).decode("ascii").splitlines()
    facts = json.loads(header)
    assert facts["format"] == FORMAT
    cards = tuple(RepertoireCard.from_json(json.loads(line)) for line in lines)
    found = Repertoire(deck, facts["plies"], cards)
    return found if plies is None else found.up_to(plies)


def _whole_win(plies: int) -> Repertoire:
    """The certificate that people can learn, in positions with at most *plies* discs."""
    certificates, cards = [shipped(WIN)], []
    waiting, seen = [(Position(), "")], set[int]()
    for position, moves in waiting:
        rule = answer(certificates, position)
        assert rule is not None, "the certificate leads here"
        blocks = position.winning_columns(3 - position.turn)
        if rule.why in ("start", "levels") or (rule.why == "move" and not blocks):
            cards.append(RepertoireCard(moves, rule.column, levels=rule.levels))
        if rule.why not in ("start", "move"):
            continue
        for column, reply in position.play(rule.column).children().items():
            if not reply.is_over and reply.ply <= plies and reply.canonical_key not in seen:
                seen.add(reply.canonical_key)
                waiting.append((reply, f"{moves}{format_column(rule.column)}{format_column(column)}"))
    return Repertoire("win", plies, tuple(cards))


def repertoire_bytes(side: Side) -> bytes:
    """Return the file of a repertoire as it is."""
    return files("fourcast.puzzles").joinpath("shipped", f"{side}.repertoire.gz").read_bytes()
