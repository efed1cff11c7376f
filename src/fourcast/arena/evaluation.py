"""How well an agent plays, on a fixed suite of positions in which every move has its exact score."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from operator import index
from pathlib import Path
from typing import Any

from fourcast._core import Position
from fourcast.arena.contestant import Contestant, Entrant
from fourcast.errors import ForfeitError, OptionError
from fourcast.notation import quote
from fourcast.protocol.program import ProgramPlayer
from fourcast.protocol.sandbox import Sandbox

__all__ = ["Evaluation", "Measure", "Question", "evaluate_agent", "load_suite", "suite_names"]

_FOLDER = Path(__file__).parent / "suites"
_LATEST = {"standard": "standard-1"}

PLIES_A_GROUP = 6
"""Discs that a line of the table by discs stands for."""

THEMES = ("win at once", "stop a four", "only move", "choice")
"""What a position asks for; see `Question.theme`."""


@dataclass(frozen=True)
class Question:
    """A position of a suite, and the exact score of each column, None for a full one."""

    moves: str
    position: Position
    scores: tuple[int | None, ...]

    @property
    def best(self) -> int:
        """The score of the position."""
        return max(score for score in self.scores if score is not None)

    @property
    def worst(self) -> int:
        """The score of the worst column."""
        return min(score for score in self.scores if score is not None)

    @property
    def theme(self) -> str:
        """The first of these that holds.

        `win at once`: a disc completes four. `stop a four`: the opponent threatens to. `only move`: one
        column is better than all others. `choice`: several are best.
        """
        position = self.position
        if position.winning_columns(position.turn):
            return "win at once"
        if position.winning_columns(3 - position.turn):
            return "stop a four"
        return "only move" if self.scores.count(self.best) == 1 else "choice"


@dataclass(frozen=True)
class Answer:
    """What an agent played in a position; *column* is None if that was no legal move."""

    question: Question
    column: int | None

    @property
    def score(self) -> int:
        """The score of the move; an illegal one counts as the worst."""
        score = None if self.column is None else self.question.scores[self.column]
        return self.question.worst if score is None else score

    @property
    def loss(self) -> int:
        """How much less the move is worth than a best one."""
        return self.question.best - self.score

    @property
    def is_perfect(self) -> bool:
        """Whether no move is better."""
        return self.column is not None and self.loss == 0

    @property
    def keeps_outcome(self) -> bool:
        """Whether a win is still a win after it, and a draw a draw."""
        return self.column is not None and _sign(self.score) == _sign(self.question.best)


@dataclass(frozen=True)
class Measure:
    """What some answers are worth: means, each with the half-width of its 95% confidence interval."""

    positions: int
    perfect: float
    """The share of perfect moves, 0 to 1."""
    perfect_error: float
    kept: float
    """The share of moves that keep the outcome, 0 to 1."""
    kept_error: float
    loss: float
    """The mean score lost."""
    loss_error: float

    @classmethod
    def of(cls, answers: Sequence[Answer]) -> Measure:
        """Return the measure of one or more answers."""
        perfect = _mean_and_error([answer.is_perfect for answer in answers])
        kept = _mean_and_error([answer.keeps_outcome for answer in answers])
        loss = _mean_and_error([answer.loss for answer in answers])
        return cls(len(answers), *perfect, *kept, *loss)

    def to_json(self) -> dict[str, Any]:
        """Return it as JSON types."""
        return {key: round(value, 4) for key, value in vars(self).items()}


@dataclass(frozen=True)
class Evaluation:
    """The answers of an agent to a suite."""

    agent: str
    suite: str
    answers: tuple[Answer, ...]

    @property
    def illegal(self) -> int:
        """How many answers were no legal moves; they count as the worst moves."""
        return sum(answer.column is None for answer in self.answers)

    @property
    def total(self) -> Measure:
        """All answers together."""
        return Measure.of(self.answers)

    def by_ply(self) -> dict[range, Measure]:
        """Return a measure for each group of numbers of discs."""
        groups = sorted({answer.question.position.ply // PLIES_A_GROUP for answer in self.answers})
        return {
            range(group * PLIES_A_GROUP, (group + 1) * PLIES_A_GROUP): Measure.of(
                [each for each in self.answers if each.question.position.ply // PLIES_A_GROUP == group]
            )
            for group in groups
        }

    def by_theme(self) -> dict[str, Measure]:
        """Return a measure for each theme of `THEMES` that occurs."""
        by_theme = {
            theme: [each for each in self.answers if each.question.theme == theme] for theme in THEMES
        }
        return {theme: Measure.of(answers) for theme, answers in by_theme.items() if answers}

    def to_json(self) -> dict[str, Any]:
        """Return it as JSON types; the answers by moves, with columns from 0, null for illegal ones."""
        return {
            "agent": self.agent,
            "suite": self.suite,
            "illegal": self.illegal,
            "total": self.total.to_json(),
            "by_ply": [
                {"from": plies[0], "to": plies[-1], **measure.to_json()}
                for plies, measure in self.by_ply().items()
            ],
            "by_theme": [
                {"theme": theme, **measure.to_json()} for theme, measure in self.by_theme().items()
            ],
            "answers": {answer.question.moves: answer.column for answer in self.answers},
        }


def suite_names() -> tuple[str, ...]:
    """Return the names of all suites. What is in a suite of a name never changes.

    >>> suite_names()
    ('standard-1',)
    """
    return tuple(sorted(path.stem for path in _FOLDER.glob("*.txt")))


@cache
def load_suite(name: str = "standard") -> tuple[Question, ...]:
    """Return the positions of a suite; `standard` is the latest of that name.

    >>> suite = load_suite()
    >>> len(suite), suite[0].moves, suite[0].best
    (2000, '', 1)
    """
    name = _LATEST.get(name, name)
    if name not in suite_names():
        there_are = ", ".join((*_LATEST, *suite_names()))
        raise OptionError(f"no suite is called {quote(name)}; there are {there_are}")
    questions = []
    for line in (_FOLDER / f"{name}.txt").read_text("ascii").splitlines():
        word, *scores = line.split()
        moves = "" if word == "-" else word
        known = tuple(None if score == "." else int(score) for score in scores)
        questions.append(Question(moves, Position(moves), known))
    return tuple(questions)


def evaluate_agent(
    agent: Entrant,
    suite: str = "standard",
    *,
    positions: int | None = None,
    seed: int = 0,
    move_time_s: float | None = None,
    sandbox: Sandbox | str = Sandbox.AUTO,
    progress: Callable[[int, int], object] | None = None,
) -> Evaluation:
    """Ask an agent for its move in every position of a suite, and return what the moves are worth.

    *agent* is whatever a `Match` takes: a player's name, a command, an object with `choose(position)`, a
    class of such objects, or a function. *positions* asks for this many of the suite only, evenly
    spread. A move that is not legal, and whatever makes a program lose a game, count as the worst move.
    The exception of an agent in Python is raised here.

    >>> result = evaluate_agent("winning", positions=100)
    >>> result.by_theme()["win at once"].perfect
    1.0
    """
    contestant = Contestant.of(agent)
    questions: Sequence[Question] = load_suite(suite)
    if positions is not None:
        if not 1 <= positions <= len(questions):
            raise OptionError(f"positions must be from 1 to {len(questions)}, not {positions}")
        questions = [questions[i * len(questions) // positions] for i in range(positions)]
    answers = []
    for done, answer in enumerate(_ask(contestant, questions, seed, move_time_s, sandbox), 1):
        answers.append(answer)
        if progress:
            progress(done, len(questions))
    return Evaluation(contestant.name, _LATEST.get(suite, suite), tuple(answers))


def _ask(
    contestant: Contestant,
    questions: Sequence[Question],
    seed: int,
    move_time_s: float | None,
    sandbox: Sandbox | str,
) -> Iterator[Answer]:
    player: Any = None
    try:
        for question in questions:
            player = player or contestant.make(seed=seed, move_time_s=move_time_s, sandbox=sandbox)
            column: int | None = None
            try:
                column = _legal_column(question.position, player.choose(question.position))
            except ForfeitError:
                _close(player)
                player = None  # the next position finds a new one
            yield Answer(question, column)
    finally:
        _close(player)


def _legal_column(position: Position, answer: Any) -> int | None:
    """What an agent has answered, if it is a column that can be played."""
    try:
        return index(answer) if position.refusal(answer) is None else None
    except TypeError:
        return None


def _close(player: object) -> None:
    if isinstance(player, ProgramPlayer):
        player.close()


def _sign(score: int) -> int:
    return (score > 0) - (score < 0)


def _mean_and_error(values: Sequence[float]) -> tuple[float, float]:
    count = len(values)
    mean = sum(values) / count
    variance = sum((value - mean) ** 2 for value in values) / max(count - 1, 1)
    return mean, 1.96 * math.sqrt(variance / count)
