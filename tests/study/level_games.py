"""Games of the ten levels against each other, and how accurate both sides were."""

from __future__ import annotations

import random
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from statistics import correlation

from fourcast import Game, Position, Solver, player
from fourcast.study.review import Review, review

__all__ = ["LevelGame", "Side", "level_game", "rank_correlation"]

NEAR = 4
"""Levels that play each other differ by no more than this."""


@dataclass(frozen=True)
class Side:
    """A player of a game."""

    level: int
    accuracy: float
    has_lost: bool
    errors: int
    """Moves that changed the result."""
    missed_block: bool


@dataclass(frozen=True)
class LevelGame:
    """A game of two levels with its review."""

    levels: tuple[int, int]
    game: Game
    report: Review

    def sides(self) -> Iterator[Side]:
        """Yield both players."""
        for number, level in enumerate(self.levels, start=1):
            moves = [move for move in self.report.moves if move.player == number]
            accuracy = self.report.accuracy(number)
            assert accuracy is not None
            assert self.game.result is not None
            yield Side(
                level,
                accuracy,
                self.game.result.winner == 3 - number,
                sum(move.verdict is not None and move.verdict.is_error for move in moves),
                any(_misses_block(move.position, move.column) for move in moves),
            )


def level_game(chance: random.Random, *, reasons_s: float | None = None) -> LevelGame:
    """Return a game of two levels drawn at random, not too far from each other.

    With *reasons_s*, its mistakes are explained; see `review`.
    """
    first = chance.randint(1, 10)
    second = chance.randint(max(1, first - NEAR), min(10, first + NEAR))
    players = [player(f"level-{level}", seed=chance.randrange(1 << 30)) for level in (first, second)]
    game = Game()
    while not game.is_over:
        game.play(players[game.position.turn - 1].choose(game.position))
    return LevelGame((first, second), game, review(game, solver=_solver(), reasons_s=reasons_s))


def rank_correlation(xs: Sequence[float], ys: Sequence[float]) -> float:
    """Return Spearman's coefficient.

    >>> rank_correlation([1, 2, 3], [10, 30, 20])
    0.5
    """
    return correlation(_ranks(xs), _ranks(ys))


def _ranks(values: Sequence[float]) -> list[float]:
    """The place of each value in the order, from 0; equal ones share theirs."""
    order = sorted(values)
    return [(bisect_left(order, value) + bisect_right(order, value) - 1) / 2 for value in values]


def _misses_block(position: Position, column: int) -> bool:
    """Whether the move leaves a three of the opponent's that could have been stopped."""
    opponent = 3 - position.turn
    threats = position.winning_columns(opponent)
    if len(threats) != 1 or column in threats or position.winning_columns(position.turn):
        return False
    return not position.play(*threats).winning_columns(opponent)


@cache
def _solver() -> Solver:
    return Solver(table_mb=64)
