"""Where puzzles come from: games of the levels and players, around their mistakes."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass

from fourcast._core import Analysis, Position, verdict_of
from fourcast.notation import format_column
from fourcast.players import player
from fourcast.puzzles.rules import Analyze, keeping_columns

__all__ = ["Candidate", "candidates", "play_game"]

PLAYERS = (
    *("level-2", "level-3", "level-4", "level-5", "level-6"),
    *("depth", "streaks", "winsets"),
)
"""The players. Level 1 errs too wildly, and those above level 6 take most of the time there is."""

OPENING_PLIES = 3
"""At most this number of random moves begins a game, or some players would repeat theirs."""

FEWEST_DISCS = 7
"""No puzzle has fewer discs: with fewer there is nothing on the board to see."""

LATE_EMPTY = 26
"""Positions with at most this number of empty squares are late: they are solved in no time."""

EARLY_EVERY = 4
"""One game in this many is also searched for positions with more empty squares."""

NEAR = 2
"""How many plies from the position after a mistake its neighbors are."""


@dataclass(frozen=True)
class Candidate:
    """A position of a game, or one move away from it."""

    moves: str
    position: Position
    after_mistake: bool
    """Whether the last move changed the outcome."""


def play_game(number: int, seed: int, width: int = 7, height: int = 6) -> list[int]:
    """Return the moves of a game of two players; *number* and *seed* say which.

    >>> play_game(3, 1) == play_game(3, 1) != play_game(4, 1)
    True
    """
    chance = random.Random(f"{seed} {number} {width}x{height}")
    seats = [player(chance.choice(PLAYERS), seed=chance.getrandbits(32)) for _ in range(2)]
    opening = chance.randint(0, OPENING_PLIES)
    position = Position(width=width, height=height)
    columns = []
    while not position.is_over:
        if position.ply < opening:
            columns.append(chance.choice(tuple(position.legal_columns)))
        else:
            columns.append(seats[position.turn - 1].choose(position))
        position = position.play(columns[-1])
    return columns


def candidates(
    columns: list[int], analyze: Analyze, width: int, height: int, *, early: bool
) -> Iterator[Candidate]:
    """Yield positions of a game near its mistakes, and what any other move leads to from there.

    None is over, and none comes twice. Without *early*, there are only those of the later game.
    """
    positions = [Position(width=width, height=height)]
    for column in columns:
        positions.append(positions[-1].play(column))
    fewest = FEWEST_DISCS if early else max(FEWEST_DISCS, width * height - LATE_EMPTY)
    mistakes = {
        ply
        for ply in range(fewest - 1, len(columns))
        if _is_mistake(analyze(positions[ply]), columns[ply])
    }
    near = {ply + 1 + step for ply in mistakes for step in range(-NEAR, NEAR + 1)}
    seen: set[int] = set()
    for ply in sorted(near):
        if fewest <= ply < len(columns):  # the last position is over
            changed = columns[ply - 1] not in keeping_columns(analyze(positions[ply - 1]))
            yield from _new(Candidate(_text(columns[:ply]), positions[ply], changed), seen)
    for ply in sorted(near):
        if fewest - 1 <= ply < len(columns):
            keeping = keeping_columns(analyze(positions[ply]))
            for column, there in positions[ply].children().items():
                if not there.is_over:
                    text = _text([*columns[:ply], column])
                    yield from _new(Candidate(text, there, column not in keeping), seen)


def _is_mistake(analysis: Analysis, column: int) -> bool:
    """Whether `fourcast review` would call the move an inaccuracy, a mistake or a blunder."""
    line = next(line for line in analysis if line.column == column)
    assert analysis.score is not None
    assert line.score is not None
    return verdict_of(analysis.score, line.score) not in ("best", "good")


def _new(candidate: Candidate, seen: set[int]) -> Iterator[Candidate]:
    key = candidate.position.canonical_key
    if key not in seen:
        seen.add(key)
        yield candidate


def _text(columns: list[int]) -> str:
    return "".join(map(format_column, columns))
