"""How well an agent plays, on a suite of positions in which every move has its exact score.

An agent is asked for its move and, if it has them, its `policy` (a probability for each column) and its
`value` (the expected result, from -1 to 1). What goes wrong is counted by kind and ends nothing, and a
journal keeps every answer, so that an evaluation continues after whatever has stopped it.
"""

from __future__ import annotations

import hashlib
import math
import os
import platform
import queue
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from datetime import datetime, timezone
from operator import index
from pathlib import Path
from typing import Any

from fourcast import __version__
from fourcast._core import Position
from fourcast.append_file import AppendFile
from fourcast.arena.contestant import Contestant, Entrant
from fourcast.arena.suites import THEMES, Question, choose_questions, load_suite, suite_id, suite_names
from fourcast.errors import (
    ForfeitError,
    FourcastError,
    GameFileError,
    InvalidNotationError,
    OptionError,
    require,
)
from fourcast.notation import format_column, parse_column, quote
from fourcast.protocol.program import Forfeit, ProgramPlayer
from fourcast.protocol.sandbox import Sandbox
from fourcast.search_threads import processor_count

__all__ = [
    "FAILURES",
    "LOG",
    "THEMES",
    "Answer",
    "Evaluation",
    "Measure",
    "Question",
    "evaluate_agent",
    "evaluate_log",
    "load_suite",
    "suite_names",
]

JOURNAL_FORMAT = "fourcast answers 1"

PLIES_A_GROUP = 6
"""Numbers of discs in one line of the table."""

LOG = "log:"
"""Prefix of a file with answers in place of an agent: `log:answers.txt`."""

FAILURES = ("illegal", "no answer", "error", "time")
"""The kinds of answers that are no moves: a column that cannot be played, nothing that can be read as a
column, an exception or a crash, and too late."""

FAILURES_AT_FIRST = 3
"""Failures without a single answer after which an agent counts as broken."""

FAILURES_IN_A_ROW = 10
"""Failures in a row after which an agent counts as broken; each may take as long as a move."""

MAX_MESSAGE = 300
"""Characters of what is kept of an agent's error."""

MAX_LOG = 1_000_000
"""Bytes of the longest log of answers that is read."""

_Z = 1.96
"""Standard deviations to either side that make an interval of 95%."""

_KIND_OF_FORFEIT = {
    Forfeit.ILLEGAL_MOVE.value: "illegal",
    Forfeit.TOO_LATE.value: "time",
    Forfeit.GARBAGE.value: "no answer",
    Forfeit.FLOOD.value: "no answer",
}


@dataclass(frozen=True)
class Answer:
    """What an agent played in a position; *column* is None if that was no legal move."""

    question: Question
    column: int | None
    failure: str = ""
    """If it was no legal move, which of `FAILURES` it was."""
    message: str = field(default="", compare=False)
    """What an exception or a program said."""
    policy: tuple[float, ...] | None = None
    """The probability of each column, if the agent has a policy."""
    value: float | None = None
    """The result that the agent expects for the side to move, if it says so."""

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
        return self.column is not None and sign(self.score) == sign(self.question.best)


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
        perfect = share_and_error([answer.is_perfect for answer in answers])
        kept = share_and_error([answer.keeps_outcome for answer in answers])
        loss = mean_and_error([answer.loss for answer in answers])
        return cls(len(answers), *perfect, *kept, *loss)

    def to_json(self) -> dict[str, Any]:
        """Return it as JSON types."""
        return {key: round(value, 4) for key, value in vars(self).items()}

    def cells(self) -> list[str]:
        """Return what stands in a line of a table: positions, and three means with their intervals.

        >>> Measure(200, 0.5, 0.07, 0.75, 0.06, 1.25, 0.3).cells()
        ['200', '50.0% +- 7.0', '75.0% +- 6.0', '1.25 +- 0.30']
        """
        return [
            str(self.positions),
            f"{self.perfect:.1%} +- {self.perfect_error * 100:.1f}",
            f"{self.kept:.1%} +- {self.kept_error * 100:.1f}",
            f"{self.loss:.2f} +- {self.loss_error:.2f}",
        ]


@dataclass(frozen=True)
class Evaluation:
    """The answers of an agent to a suite."""

    agent: str
    suite: str
    answers: tuple[Answer, ...]
    made: Mapping[str, Any] = field(default_factory=dict, compare=False)
    """Seed, version, date and hardware."""

    def __str__(self) -> str:
        total = self.total
        return (
            f"{self.agent} on {self.suite}: {total.perfect:.1%} +- {total.perfect_error * 100:.1f} of "
            f"{total.positions} moves perfect, {total.loss:.2f} +- {total.loss_error:.2f} lost per move"
        )

    __repr__ = __str__

    @property
    def failed(self) -> int:
        """How many answers were no legal moves; they count as the worst moves."""
        return sum(answer.column is None for answer in self.answers)

    @property
    def failures(self) -> dict[str, int]:
        """How many answers failed, for each of `FAILURES`."""
        counts = Counter(answer.failure for answer in self.answers if answer.column is None)
        return {kind: counts[kind] for kind in FAILURES}

    @property
    def messages(self) -> dict[str, int]:
        """What agents and programs said when they failed, and how often."""
        return dict(Counter(answer.message for answer in self.answers if answer.message))

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
        """Return it as JSON types; columns count from 0, and their names from 1."""
        return {
            "agent": self.agent,
            "suite": self.suite,
            **self.made,
            "failed": self.failed,
            "failures": self.failures,
            "messages": self.messages,
            "total": self.total.to_json(),
            "by_ply": [
                {"from": plies[0], "to": plies[-1], **measure.to_json()}
                for plies, measure in self.by_ply().items()
            ],
            "by_theme": [
                {"theme": theme, **measure.to_json()} for theme, measure in self.by_theme().items()
            ],
            "answers": [_answer_json(answer) for answer in self.answers],
        }


def _answer_json(answer: Answer) -> dict[str, Any]:
    column = answer.column
    told: dict[str, Any] = {"moves": answer.question.moves, "column": column}
    told |= {"name": None if column is None else format_column(column), "loss": answer.loss}
    if answer.failure:
        told["failure"] = answer.failure
    if answer.policy is not None:
        told["policy"] = list(answer.policy)
    if answer.value is not None:
        told["value"] = answer.value
    return told


def provenance(seed: int) -> dict[str, Any]:
    """Return what a paper has to say about numbers: seed, version, date and hardware."""
    return {
        "seed": seed,
        "version": __version__,
        "date": datetime.now(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ"),
        "hardware": {
            "machine": platform.machine(),
            "system": platform.system(),
            "processors": processor_count(),
            "python": platform.python_version(),
        },
    }


def evaluate_agent(
    agent: Entrant,
    suite: str | Sequence[Question] = "standard",
    *,
    positions: int | None = None,
    seed: int = 0,
    move_time_s: float | None = None,
    sandbox: Sandbox | str = Sandbox.AUTO,
    concurrency: int = 1,
    journal: str | os.PathLike[str] | None = None,
    progress: Callable[[int, int], object] | None = None,
) -> Evaluation:
    """Ask an agent for its move in every position of a suite, and return what the moves are worth.

    *agent* is whatever a `Match` takes: a player's name, a command, an object with `choose(position)`, a
    class of such objects, or a function. An object may also have `policy(position)`, a probability for
    each column, and `value(position)`, the result that it expects; and in place of each a method for
    many positions at once, `choose_batch`, `policy_batch`, `value_batch`. *positions* asks for this many
    of the suite only, evenly spread. *concurrency* positions are asked for at the same time.

    A move that is not legal, an exception, and whatever makes a program lose a game, count as the worst
    move; `failures` has how many there were of each kind. If an agent fails in the first 3 positions, or
    in 10 in a row, its error is raised. The *journal* is a file that keeps every answer: the same call
    continues from there.

    >>> result = evaluate_agent("winning", positions=100)
    >>> result.by_theme()["win at once"].perfect
    1.0
    """
    contestant = Contestant.of(agent)
    require("suite", suite, str, Sequence)
    require("journal", journal, str, os.PathLike, type(None))
    if not isinstance(concurrency, int) or not 1 <= concurrency <= 1024:
        raise OptionError(f"concurrency must be a whole number from 1 to 1024, not {quote(concurrency)}")
    is_named = isinstance(suite, str)
    questions = choose_questions(suite, positions) if isinstance(suite, str) else tuple(suite)
    name = suite_id(suite) if isinstance(suite, str) else "own"
    header = {
        "format": JOURNAL_FORMAT,
        "agent": contestant.describe(),
        "suite": name,
        "positions": len(questions),
        "seed": seed,
        "move_time_s": move_time_s,
    }
    if not is_named:
        header["questions"] = hashlib.sha256(" ".join(q.moves for q in questions).encode()).hexdigest()
    answers: dict[int, Answer] = {}
    with nullcontext() if journal is None else AppendFile(Path(journal), header) as kept:
        places = {question.position: place for place, question in enumerate(questions)}
        for entry in kept.entries if kept else ():
            place, answer = _read_entry(entry, places, questions)
            answers[place] = answer
        if progress and answers:
            progress(len(answers), len(questions))
        left = [place for place in range(len(questions)) if place not in answers]
        asking = _Asking(contestant, questions, left, seed, move_time_s, sandbox)
        for place, answer in asking.run(concurrency):
            answers[place] = answer
            if kept:
                kept.append(_to_entry(answer))
            if progress:
                progress(len(answers), len(questions))
    in_order = tuple(answers[place] for place in range(len(questions)))
    return Evaluation(contestant.name, name, in_order, provenance(seed))


def evaluate_log(path: str | os.PathLike[str], suite: str = "standard") -> Evaluation:
    """Return what the answers in a file are worth.

    Each line has the moves of a position of the suite, `-` for the empty board, and the column that was
    played, counted from 1, or `.` for no answer: `4455 3`. Lines that begin with # are comments.
    Positions that have no line are left out. Raises `InvalidNotationError`, which names the line.
    """
    require("path", path, str, os.PathLike)
    require("suite", suite, str)
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
        legal = _legal_column(question.position, column)
        kind = "" if legal is not None else "no answer" if column is None else "illegal"
        answers[question.position] = Answer(question, legal, kind)
    if not answers:
        raise InvalidNotationError(f"{path} has no answers; a line is such as 4455 3")
    return Evaluation(os.path.basename(path), suite_id(suite), tuple(answers.values()))


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


def _to_entry(answer: Answer) -> dict[str, Any]:
    entry: dict[str, Any] = {"moves": answer.question.moves, "column": answer.column}
    for name in ("failure", "message", "policy", "value"):
        if (found := getattr(answer, name)) not in ("", None):
            entry[name] = found
    return entry


def _read_entry(
    entry: Mapping[str, Any], places: Mapping[Position, int], questions: Sequence[Question]
) -> tuple[int, Answer]:
    """Return an answer of a journal, and its place in the suite. Raises `GameFileError`."""
    match entry:
        case {"moves": str(moves), "column": None | int() as column}:
            try:
                place = places[Position(moves)]
            except (FourcastError, KeyError):
                raise GameFileError(f"the journal answers {quote(moves)}, which is not asked") from None
        case _:
            raise GameFileError(f"the journal has a line that is no answer: {quote(entry)}")
    question = questions[place]
    if column is not None and _legal_column(question.position, column) is None:
        raise GameFileError(f"the journal has an answer that cannot be played: {quote(entry)}")
    failure, message = entry.get("failure", ""), entry.get("message", "")
    if (column is None) != (failure in FAILURES) or not isinstance(message, str):
        raise GameFileError(f"the journal has a line that is no answer: {quote(entry)}")
    policy = _checked_policy(entry.get("policy"), question.position)
    return place, Answer(question, column, failure, message, policy, _checked_value(entry.get("value")))


class _Asking:
    """Asks an agent, on several threads; the failures of an agent that is broken are not answers."""

    def __init__(
        self,
        contestant: Contestant,
        questions: Sequence[Question],
        places: Sequence[int],
        seed: int,
        move_time_s: float | None,
        sandbox: Sandbox | str,
    ) -> None:
        self._contestant = contestant
        self._questions = questions
        self._waiting = queue.SimpleQueue[int]()
        for place in places:
            self._waiting.put(place)
        self._count = len(places)
        self._seed = seed
        self._limits: dict[str, Any] = {"move_time_s": move_time_s, "sandbox": sandbox}
        self._stop = threading.Event()

    def run(self, threads: int) -> Iterator[tuple[int, Answer]]:
        """Yield the place of each question and its answer, in the order in which they are given."""
        if batched := self._batched():
            yield from batched
            return
        found: queue.SimpleQueue[tuple[int, Answer, Exception | None] | BaseException] = (
            queue.SimpleQueue()
        )
        workers = [
            threading.Thread(target=self._work, args=(found.put,), daemon=True)
            for _ in range(min(threads, self._count))
        ]
        allowed = FAILURES_AT_FIRST
        unsure: list[tuple[int, Answer]] = []  # failures since the last answer
        try:
            for worker in workers:
                worker.start()
            for _ in range(self._count):
                given = found.get()
                if isinstance(given, BaseException):
                    raise given
                place, answer, error = given
                if error is None:
                    allowed = FAILURES_IN_A_ROW
                    yield from unsure
                    unsure = []
                    yield place, answer
                    continue
                unsure.append((place, answer))
                if len(unsure) >= allowed:
                    raise error
            yield from unsure
        finally:
            self._stop.set()
            for worker in workers:
                worker.join()

    def _batched(self) -> Iterator[tuple[int, Answer]] | None:
        """All answers at once, by an agent that takes many positions at a time."""
        if self._contestant.factory is None or not self._count:
            return None
        agent: Any = self._contestant.make(seed=self._seed)
        if not callable(getattr(agent, "choose_batch", None)):
            return None
        places = [self._waiting.get() for _ in range(self._count)]
        return self._ask_batches(agent, places)

    def _ask_batches(self, agent: Any, places: Sequence[int]) -> Iterator[tuple[int, Answer]]:
        for start in range(0, len(places), BATCH):
            part = places[start : start + BATCH]
            positions = [self._questions[place].position for place in part]
            columns = list(agent.choose_batch(positions))
            more = {
                name: list(method(positions)) if callable(method) else [None] * len(part)
                for name in ("policy", "value")
                for method in [getattr(agent, f"{name}_batch", None)]
            }
            if any(len(each) != len(part) for each in (columns, *more.values())):
                raise OptionError(
                    f"{self._contestant.name} answered {len(columns)} of {len(part)} positions"
                )
            for place, column, policy, value in zip(part, columns, *more.values(), strict=True):
                question = self._questions[place]
                yield place, _to_answer(question, column, policy, value)

    def _work(self, put: Callable[[Any], None]) -> None:
        player: Any = None
        try:
            while not self._stop.is_set():
                try:
                    place = self._waiting.get_nowait()
                except queue.Empty:
                    return
                question = self._questions[place]
                if player is None or self._contestant.player:
                    # Built-in players choose by a seed for each position, in any order the same.
                    seed = seed_of(f"{self._seed} {question.moves}")
                    player = self._contestant.make(seed=seed, **self._limits)
                answer, error = self._ask(player, question)
                if error is not None and self._contestant.command:
                    _close(player)
                    player = None  # the next position finds a new one
                put((place, answer, error))
        except BaseException as error:
            put(error)
        finally:
            _close(player)

    def _ask(self, player: Any, question: Question) -> tuple[Answer, Exception | None]:
        position = question.position
        begin = time.monotonic()
        try:
            column = player.choose(position)
            policy = player.policy(position) if callable(getattr(player, "policy", None)) else None
            value = player.value(position) if callable(getattr(player, "value", None)) else None
            answer = _to_answer(question, column, policy, value)
        except Exception as error:
            kind = "time" if isinstance(error, TimeoutError) else "error"
            if isinstance(error, ForfeitError):
                kind = _KIND_OF_FORFEIT.get(error.kind, "error")
            name = "" if isinstance(error, FourcastError) else f"{type(error).__name__}: "
            return Answer(question, None, kind, f"{name}{error}"[:MAX_MESSAGE]), error
        limit = self._limits["move_time_s"]
        if limit is not None and self._contestant.factory and time.monotonic() - begin > limit:
            return Answer(question, None, "time", f"no move within the time limit of {limit:g} s"), None
        return answer, None


BATCH = 256
"""Positions that an agent with `choose_batch` is asked for at once."""


def _to_answer(question: Question, column: Any, policy: Any, value: Any) -> Answer:
    legal = _legal_column(question.position, column)
    kind = "" if legal is not None else "no answer" if column is None else "illegal"
    said = _checked_policy(policy, question.position)
    return Answer(question, legal, kind, policy=said, value=_checked_value(value))


def _checked_policy(policy: Any, position: Position) -> tuple[float, ...] | None:
    """A probability for each column. Raises `OptionError` for anything else."""
    if policy is None:
        return None
    try:
        shares = tuple(float(share) for share in policy)
    except (TypeError, ValueError):
        raise OptionError(f"a policy is a probability for each column, not {quote(policy)}") from None
    is_distribution = all(0 <= share <= 1 + 1e-6 for share in shares) and abs(sum(shares) - 1) < 1e-3
    if len(shares) != position.width or not is_distribution:
        raise OptionError(
            f"a policy is {position.width} probabilities that add up to 1, not {quote(list(shares))}"
        )
    return shares


def _checked_value(value: Any) -> float | None:
    if value is None:
        return None
    try:
        number = float(value)
    except (TypeError, ValueError):
        number = math.nan
    if not -1 <= number <= 1:
        raise OptionError(f"a value is a number from -1 to 1, not {quote(value)}")
    return number


def _legal_column(position: Position, answer: Any) -> int | None:
    """What an agent has answered, if it is a column that can be played."""
    try:
        return index(answer) if position.refusal(answer) is None else None
    except TypeError:
        return None


def seed_of(text: str) -> int:
    """Return the seed that belongs to a text."""
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:4], "big")


def _close(player: object) -> None:
    if isinstance(player, ProgramPlayer):
        player.close()


def sign(score: int) -> int:
    """Return 1, 0 or -1."""
    return (score > 0) - (score < 0)


def share_and_error(values: Sequence[float]) -> tuple[float, float]:
    """The share of what is true, or of points from 0 to 1, and half of Wilson's interval.

    The interval has a width if all are alike. For draws, which are half points, it is too wide.
    """
    count, share = len(values), sum(values) / len(values)
    spread = math.sqrt(share * (1 - share) / count + (_Z / count) ** 2 / 4)
    return share, _Z * spread / (1 + _Z**2 / count)


def mean_and_error(values: Sequence[float]) -> tuple[float, float]:
    count = len(values)
    mean = sum(values) / count
    variance = sum((value - mean) ** 2 for value in values) / max(count - 1, 1)
    return mean, _Z * math.sqrt(variance / count)
