"""A finished or unfinished game, judged move by move by what the solver proves.

>>> report = review(Game("1213141", width=4, height=4))
>>> report.decisive.number, report.decisive.verdict.value, report.decisive.best_columns
(6, 'mistake', (0,))
"""

from __future__ import annotations

import enum
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from fourcast._core import (
    Limit,
    Position,
    StopToken,
    ask,
    verdict_of,
)
from fourcast.errors import OptionError, require, require_function
from fourcast.game import Game
from fourcast.notation import format_column
from fourcast.render.said import paragraphs_text
from fourcast.solver import Solver
from fourcast.study.explain import MoveExplanation, explain_move

__all__ = [
    "MoveReview",
    "Review",
    "Verdict",
    "decisive_mistake",
    "explain_mistakes",
    "review",
]

Progress = Callable[[int, int], object]

REASONS_S = 60.0
"""Seconds after which no more reasons are looked for; few games take more than one."""


class Verdict(enum.Enum):
    """How good a move was, by what it cost: the first three keep the outcome that there was."""

    BEST = "best"
    GOOD = "good"
    INACCURACY = "inaccuracy"
    MISTAKE = "mistake"  # a win became a draw, or a draw a loss
    BLUNDER = "blunder"  # a win became a loss

    @property
    def is_error(self) -> bool:
        """Whether the move changed the game-theoretic result."""
        return self in (Verdict.MISTAKE, Verdict.BLUNDER)


@dataclass(frozen=True)
class MoveReview:
    """One move of a game. Scores are for the player who made it; None if not found in time."""

    number: int
    """1 for the first move of the game."""
    player: int
    column: int
    best_columns: tuple[int, ...]
    """The columns that would have kept the score; empty if they are not known."""
    score_before: int | None
    score_after: int | None
    position: Position
    """The position before the move."""
    scores: tuple[int | None, ...] = ()
    """What each column was worth; None for one that is full, or not known."""
    explanation: MoveExplanation | None = None
    """Why the move changed the game-theoretic result; None if it did not, or if nobody has asked."""

    def __str__(self) -> str:
        player = ("Red", "Yellow")[self.player - 1]
        verdict = "not judged" if self.verdict is None else self.verdict.value
        best = (
            ""
            if self.column in self.best_columns
            else ", best " + " ".join(format_column(column) for column in self.best_columns)
        )
        return f"Move {self.number}, {player}, column {format_column(self.column)}: {verdict}{best}"

    @property
    def loss(self) -> int | None:
        """What the move cost; 0 for a best one."""
        if self.score_before is None or self.score_after is None:
            return None
        return self.score_before - self.score_after

    @property
    def verdict(self) -> Verdict | None:
        """How good the move was."""
        if self.score_before is None or self.score_after is None:
            return None
        return Verdict(verdict_of(self.score_before, self.score_after))

    @property
    def score_first(self) -> int | None:
        """The score after the move, for the first player: what a graph of the game shows."""
        if self.score_after is None:
            return None
        return self.score_after if self.player == 1 else -self.score_after


@dataclass(frozen=True)
class Review:
    """The moves of a game with what each was worth."""

    moves: tuple[MoveReview, ...]

    @property
    def complete(self) -> bool:
        """Whether every move could be judged."""
        return bool(self.judged["complete"])

    @property
    def mistakes(self) -> tuple[MoveReview, ...]:
        """The moves that changed the game-theoretic result."""
        return tuple(move for move in self.moves if move.verdict and move.verdict.is_error)

    def with_explanations(self, moves: Iterable[MoveReview]) -> Review:
        """Return the review with *moves* in place of those with the same numbers."""
        explained = {move.number: move for move in moves}
        return Review(tuple(explained.get(move.number, move) for move in self.moves))

    @cached_property
    def decisive(self) -> MoveReview | None:
        """The last mistake or blunder: after it, the outcome of the game did not change.

        None if there is none, or if that is unknown because later moves were not judged.
        """
        number = self.judged["decisive"]
        return next((move for move in self.moves if move.number == number), None)

    @cached_property
    def judged(self) -> dict[str, Any]:
        """What the core says of the moves: `review` of native/study/review.cpp."""
        judged = [
            {
                "number": move.number,
                "rows": move.position.to_rows(),
                "column": move.column,
                "score_before": move.score_before,
                "score_after": move.score_after,
                "scores": move.scores or None,
                "best_columns": move.best_columns,
                "reasons": move.explanation and move.explanation.brief,
            }
            for move in self.moves
        ]
        answer: dict[str, Any] = ask("review", {"judged": judged})
        return answer

    def _repr_html_(self) -> str:
        """The graph, what decided the game, and the mistakes, as notebooks show them."""
        from fourcast.render.notebook import review_html

        return review_html(self)

    def __str__(self) -> str:
        return paragraphs_text(self.judged["story"], ("Red", "Yellow"))

    def accuracy(self, player: int) -> float | None:
        """How well *player* played, 0 to 100 percent; docs/review.md has the formula.

        Moves that were not judged do not count; None if there is no other.

        >>> report = review(Game("1213141", width=4, height=4))
        >>> [round(report.accuracy(player), 1) for player in (1, 2)]
        [100.0, 26.7]
        """
        share: float | None = self.judged["accuracy_first" if player == 1 else "accuracy_second"]
        return share


def review(
    game: Game | str,
    *,
    solver: Solver | None = None,
    limit: Limit | None = None,
    threads: int = 1,
    progress: Progress | None = None,
    is_enough: Callable[[], bool] | None = None,
    stop: StopToken | None = None,
    reasons_s: float | None = None,
) -> Review:
    """Judge every move of *game*, or of a string of moves.

    >>> report = review("4444453525523")
    >>> print(report.decisive)
    Move 10, Yellow, column 5: blunder, best 1
    >>> [move.number for move in report.moves if move.verdict is Verdict.BLUNDER]
    [7, 10]

    *limit* holds for each position; a move with a position that takes longer is left without a verdict.
    The last positions are solved first: what is found there makes the earlier ones quicker. Without a
    *solver*, a new one searches with *threads* threads.

    *progress* is called after each move with the number of those judged and of all. As soon as
    *is_enough* says so, or *stop* is stopped, all moves that are left stay without a verdict.

    With *reasons_s* the moves that changed the result are explained as well, until so many seconds have
    passed; see `explain_mistakes`.
    """
    if isinstance(game, str):
        game = Game(game)
    elif not isinstance(game, Game):
        given = type(game).__name__
        raise TypeError(f"game must be a Game or a str of moves, for example '4455', not {given}")
    require("solver", solver, Solver, type(None))
    require("stop", stop, StopToken, type(None))
    require("reasons_s", reasons_s, float, int, type(None))
    for name, function in (("progress", progress), ("is_enough", is_enough)):
        require_function(name, function)
    moves = []
    solver = solver or Solver(threads=threads)
    for move in _judge_backwards(game, solver, limit, is_enough, stop):
        moves.append(move)
        if progress:
            progress(len(moves), len(game.columns))
    report = Review(tuple(reversed(moves)))
    if reasons_s is None:
        return report
    found = explain_mistakes(report, solver=solver, limit=limit, reasons_s=reasons_s, stop=stop)
    return report.with_explanations(found)


def explain_mistakes(
    report: Review,
    *,
    solver: Solver | None = None,
    limit: Limit | None = None,
    reasons_s: float = REASONS_S,
    stop: StopToken | None = None,
    quick: bool = True,
) -> Iterator[MoveReview]:
    """Yield the moves that changed the result, in the order of the game, each with its explanation.

    *limit* is for finding what other moves were worth, *quick* is that of `explain`, and no more reasons
    are looked for after *reasons_s* seconds. An explanation says at least which columns kept the result
    and which replies take advantage. A move stays without one if its limit is reached, or if *stop* is
    stopped.

    >>> report = review(Game("1213141", width=4, height=4))
    >>> [(move.number, move.explanation.only_keeping) for move in explain_mistakes(report)]
    [(6, 0)]
    """
    solver = solver or Solver()
    end = time.monotonic() + reasons_s
    for move in report.mistakes:
        if stop and stop.is_stopped:
            yield move
            continue
        with suppress(OptionError):
            found = explain_move(
                move.position,
                move.column,
                solver=solver,
                limit=limit,
                reason_limit=Limit(time_s=max(0.001, end - time.monotonic())),
                stop=stop,
                quick=quick,
            )
            move = replace(move, explanation=found)
        yield move


def decisive_mistake(
    game: Game, *, solver: Solver | None = None, limit: Limit | None = None
) -> MoveReview | None:
    """Return what `Review.decisive` would be, without judging the moves before it."""
    for move in _judge_backwards(game, solver or Solver(), limit):
        if move.verdict is None or move.verdict.is_error:
            return move if move.verdict else None
    return None


def _judge_backwards(
    game: Game,
    solver: Solver,
    limit: Limit | None,
    is_enough: Callable[[], bool] | None = None,
    stop: StopToken | None = None,
) -> Iterator[MoveReview]:
    """Judge the moves from the last to the first."""
    positions = tuple(game.positions())
    for index in reversed(range(len(game.columns))):
        position, column = positions[index], game.columns[index]
        is_over = (is_enough and is_enough()) or (stop and stop.is_stopped)
        found = None if is_over else solver.analyze(position, limit, variations=False, stop=stop)
        scores = {line.column: line.score for line in found or ()}
        yield MoveReview(
            number=index + 1,
            player=position.turn,
            column=column,
            best_columns=tuple((found.best_columns if found else None) or ()),
            score_before=found.score if found else None,
            score_after=scores.get(column),
            position=position,
            scores=tuple(map(scores.get, range(position.width))),
        )
