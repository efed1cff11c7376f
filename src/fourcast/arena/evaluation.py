"""How well an agent plays, on a fixed suite of positions in which every move has its exact score."""

from __future__ import annotations

import math
import os
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from operator import index
from pathlib import Path
from typing import Any

from fourcast._core import Position
from fourcast.arena.contestant import Contestant, Entrant
from fourcast.errors import ForfeitError, FourcastError, InvalidNotationError, OptionError
from fourcast.notation import format_column, parse_column, quote
from fourcast.protocol.program import ProgramPlayer
from fourcast.protocol.sandbox import Sandbox

__all__ = [
    "Evaluation",
    "Measure",
    "Question",
    "evaluate_agent",
    "evaluate_log",
    "load_suite",
    "suite_names",
]

_FOLDER = Path(__file__).parent / "suites"
_LATEST = {"standard": "standard-1"}

PLIES_A_GROUP = 6
"""Numbers of discs in one line of the table."""

FAILURES_AT_FIRST = 3
"""Failures without a single answer after which a program counts as broken."""

FAILURES_IN_A_ROW = 10
"""Failures in a row after which a program counts as broken; each may take as long as a move."""

MAX_LOG = 1_000_000
"""Bytes of the longest log of answers that is read."""

_Z = 1.96
"""Standard deviations to either side that make an interval of 95%."""

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
        perfect = _share_and_error([answer.is_perfect for answer in answers])
        kept = _share_and_error([answer.keeps_outcome for answer in answers])
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
    failures: Mapping[str, int] = field(default_factory=dict)
    """What a program did in place of an answer, in a sentence, and how often."""

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

    def to_log(self) -> str:
        """Return the answers as a text that `evaluate_log` reads."""
        lines = (
            f"{answer.question.moves or '-'} "
            + ("." if answer.column is None else format_column(answer.column))
            for answer in self.answers
        )
        return "".join(f"{line}\n" for line in lines)

    def to_json(self) -> dict[str, Any]:
        """Return it as JSON types; the answers by moves, with columns from 0, null for illegal ones."""
        return {
            "agent": self.agent,
            "suite": self.suite,
            "illegal": self.illegal,
            "failures": dict(self.failures),
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


def choose_questions(suite: str = "standard", positions: int | None = None) -> Sequence[Question]:
    """Return the positions of a suite, or this many of them, evenly spread."""
    questions = load_suite(suite)
    if positions is None:
        return questions
    if not isinstance(positions, int) or not 1 <= positions <= len(questions):
        raise OptionError(
            f"positions must be a whole number from 1 to {len(questions)}, not {quote(positions)}"
        )
    return [questions[i * len(questions) // positions] for i in range(positions)]


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
    The exception of an agent in Python is raised here, and the `ForfeitError` of a program that answers
    none of the first 3 positions, or of 10 in a row.

    >>> result = evaluate_agent("winning", positions=100)
    >>> result.by_theme()["win at once"].perfect
    1.0
    """
    contestant = Contestant.of(agent)
    questions = choose_questions(suite, positions)
    answers = []
    failures: Counter[str] = Counter()
    for done, answer in enumerate(_ask(contestant, questions, seed, move_time_s, sandbox, failures), 1):
        answers.append(answer)
        if progress:
            progress(done, len(questions))
    return Evaluation(contestant.name, _LATEST.get(suite, suite), tuple(answers), dict(failures))


def evaluate_log(path: str | os.PathLike[str], suite: str = "standard") -> Evaluation:
    """Return what the answers in a file are worth.

    Each line has the moves of a position of the suite, `-` for the empty board, and the column that was
    played, counted from 1, or `.` for no answer: `4455 3`. Lines that begin with # are comments.
    Positions that have no line are left out. Raises `InvalidNotationError`, which names the line.
    """
    known = {question.position: question for question in load_suite(suite)}
    with open(path, "rb") as file:
        data = file.read(MAX_LOG + 1)
    if len(data) > MAX_LOG:
        raise InvalidNotationError(f"{path} is not a log of answers: it has more than {MAX_LOG:,} bytes")
    answers: dict[Position, Answer] = {}
    for number, line in enumerate(data.decode("utf-8", "replace").splitlines(), 1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        try:
            question, column = _read_answer(line, known)
            if question.position in answers:
                raise InvalidNotationError("the position was answered before")
        except FourcastError as error:
            raise InvalidNotationError(f"{path}, line {number}: {error}") from None
        answers[question.position] = Answer(question, _legal_column(question.position, column))
    if not answers:
        raise InvalidNotationError(f"{path} has no answers; a line is such as 4455 3")
    return Evaluation(os.path.basename(path), _LATEST.get(suite, suite), tuple(answers.values()))


def _read_answer(line: str, known: Mapping[Position, Question]) -> tuple[Question, int | None]:
    words = line.split()
    if len(words) != 2:
        raise InvalidNotationError(f"{quote(line)} is not an answer such as 4455 3")
    moves, column = words
    question = known.get(Position("" if moves == "-" else moves))
    if question is None:
        raise InvalidNotationError(
            f"the position after {quote(moves)} is not one of the suite; "
            "`fourcast evaluate --questions` prints those"
        )
    return question, None if column == "." else parse_column(column, question.position.width)


def _ask(
    contestant: Contestant,
    questions: Sequence[Question],
    seed: int,
    move_time_s: float | None,
    sandbox: Sandbox | str,
    failures: Counter[str],
) -> Iterator[Answer]:
    player: Any = None
    allowed = FAILURES_AT_FIRST
    in_a_row = 0
    try:
        for question in questions:
            player = player or contestant.make(seed=seed, move_time_s=move_time_s, sandbox=sandbox)
            column: int | None = None
            try:
                column = _legal_column(question.position, player.choose(question.position))
                in_a_row, allowed = 0, FAILURES_IN_A_ROW
            except ForfeitError as error:
                in_a_row += 1
                if in_a_row == allowed:
                    raise
                failures[str(error)] += 1
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


def _share_and_error(values: Sequence[bool]) -> tuple[float, float]:
    """The share of what is true, and half of Wilson's interval, which has a width if all are alike."""
    count, share = len(values), sum(values) / len(values)
    spread = math.sqrt(share * (1 - share) / count + (_Z / count) ** 2 / 4)
    return share, _Z * spread / (1 + _Z**2 / count)


def _mean_and_error(values: Sequence[float]) -> tuple[float, float]:
    count = len(values)
    mean = sum(values) / count
    variance = sum((value - mean) ** 2 for value in values) / max(count - 1, 1)
    return mean, _Z * math.sqrt(variance / count)
