"""How well a language model plays: the regret of each of its moves, and games against ten levels.

A task is a question about a position, or a game. Every task that is done is a line of the journal with
the whole conversation, so that an evaluation continues after whatever has stopped it.
"""

from __future__ import annotations

import os
import random
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import asdict, dataclass, field
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import Any

from fourcast._core import FULL, Position, sample_positions
from fourcast.append_file import AppendFile
from fourcast.arena.contestant import Contestant
from fourcast.arena.evaluation import (
    Answer,
    Measure,
    mean_and_error,
    provenance,
    seed_of,
    share_and_error,
    sign,
)
from fourcast.arena.suites import Question, choose_questions, suite_id
from fourcast.errors import OptionError
from fourcast.llm.models import Ask, Message, Model, ModelError, to_model
from fourcast.llm.parsing import HOW, parse_answer
from fourcast.llm.prompts import Prompt, View, preset
from fourcast.notation import format_column, quote
from fourcast.solver import Solver

__all__ = ["CONTROLS", "FAILURES", "LlmReport", "evaluate_model"]

FORMAT = "fourcast llm 1"
FAILURES = ("illegal", "no answer", "refused", "error", "time")
CONTROLS = ("mirror", "relabel", "size", "setup")
"""What shows whether a model plays or remembers: the same positions in the mirror and with other names
for the columns, positions on a board of another size, and positions that are set up."""
LEVELS = tuple(range(1, 11))
OTHER_SIZE = (8, 7)
OTHER_PLIES = (22, 50)
"""Numbers of discs on the board of another size, which the solver answers at once."""
_LETTERS = "BCDEFGHJKLMNPQRSTUVWXYZ"

RETRY = "That is not a column that can be played. {said} Answer again."
_SAID = {
    "illegal": "It is full, or not on the board.",
    "no answer": "I could not find a column in your answer.",
    "refused": "I need a column in order to go on.",
}


@dataclass(frozen=True)
class Turn:
    """A move of the model: what it was asked, what it said, and what that is worth."""

    moves: str | None
    """The position; None if it was set up."""
    rows: str
    column: int | None
    best: int
    worst: int
    score: int
    kind: str
    """One of `FAILURES` for a move that was none, otherwise empty."""
    how: str
    """How the answer was given; see `fourcast.llm.parsing.HOW`."""
    attempts: int
    failed: tuple[str, ...] = ()
    """The kinds of the attempts that failed, those before a legal move too."""
    texts: tuple[str, ...] = ()
    tokens: tuple[int, int] = (0, 0)
    time_s: float = field(default=0.0, compare=False)

    @property
    def regret(self) -> int:
        """How much less the move is worth than a best one; a move that is none is the worst."""
        return self.best - self.score


@dataclass(frozen=True)
class Task:
    """A question or a game, by a name that the journal has it under."""

    group: str
    number: int
    question: Question | None = None
    view: View | None = None
    level: int = 0

    @property
    def key(self) -> str:
        """Its name."""
        return f"{self.group} {self.number}"


@dataclass(frozen=True)
class Done:
    """What became of a task."""

    group: str
    number: int
    turns: tuple[Turn, ...]
    moves: str = ""
    """Of a game: all its moves."""
    points: float | None = None
    side: int = 0

    def to_json(self) -> dict[str, Any]:
        """Return it as a line of the journal."""
        return asdict(self)

    @classmethod
    def from_json(cls, entry: Mapping[str, Any]) -> Done:
        """Return what a line says."""
        turns = tuple(
            Turn(**turn | {name: tuple(turn[name]) for name in ("failed", "texts", "tokens")})
            for turn in entry["turns"]
        )
        return cls(**{**entry, "turns": turns})


@dataclass(frozen=True)
class LlmReport:
    """What an evaluation of a model has found."""

    model: str
    suite: str
    done: tuple[Done, ...] = field(repr=False)
    made: Mapping[str, Any] = field(default_factory=dict, compare=False)
    price: tuple[float, float] = (0.0, 0.0)
    """Cost of a million tokens of prompts, and of answers."""

    @cached_property
    def groups(self) -> dict[str, tuple[Done, ...]]:
        """The tasks by group, `questions` first, then controls and levels."""
        names = dict.fromkeys(each.group for each in self.done)
        return {name: tuple(each for each in self.done if each.group == name) for name in names}

    def turns(self, group: str) -> list[Turn]:
        """Return all moves of a group."""
        return [turn for each in self.groups.get(group, ()) for turn in each.turns]

    def measure(self, group: str) -> Measure:
        """Return what the moves of a group are worth, with intervals."""
        turns = self.turns(group)
        perfect = share_and_error([turn.column is not None and turn.regret == 0 for turn in turns])
        kept = share_and_error(
            [turn.column is not None and sign(turn.score) == sign(turn.best) for turn in turns]
        )
        return Measure(len(turns), *perfect, *kept, *mean_and_error([turn.regret for turn in turns]))

    def failures(self, group: str) -> dict[str, int]:
        """Return how many moves were none, by kind."""
        counts = Counter(turn.kind for turn in self.turns(group))
        return {kind: counts[kind] for kind in FAILURES}

    def how(self) -> dict[str, int]:
        """Return how the answers were given; see `HOW`."""
        counts = Counter(turn.how for each in self.done for turn in each.turns)
        return {how: counts[how] for how in HOW if counts[how]}

    def points(self, group: str) -> tuple[float, float, int]:
        """Return the share of points in the games of a group, half its interval, and the games."""
        points = [each.points for each in self.groups.get(group, ()) if each.points is not None]
        return (*share_and_error(points), len(points)) if points else (0.0, 0.0, 0)

    @property
    def tokens(self) -> tuple[int, int]:
        """The tokens of all prompts and of all answers."""
        pairs = [turn.tokens for each in self.done for turn in each.turns]
        return sum(pair[0] for pair in pairs), sum(pair[1] for pair in pairs)

    @property
    def cost(self) -> float:
        """What the tokens have cost, by the price."""
        return sum(count * price for count, price in zip(self.tokens, self.price, strict=True)) / 1e6

    def table(self) -> tuple[list[str], list[list[str]]]:
        """Return the heads and the rows of the table that people read."""
        heads = ["", "moves", "perfect", "keeps outcome", "regret", "no legal move", "points"]
        rows = []
        for name in self.groups:
            kinds = ", ".join(f"{count} {kind}" for kind, count in self.failures(name).items() if count)
            share, error, games = self.points(name)
            rows.append(
                [
                    name,
                    *self.measure(name).cells(),
                    kinds or "0",
                    f"{share:.0%} +- {error * 100:.0f} of {games}" if games else "",
                ]
            )
        return heads, rows

    def __str__(self) -> str:
        name = next(iter(self.groups), "")
        if not name:
            return f"{self.model}: nothing was asked"
        measure = self.measure(name)
        return (
            f"{self.model} on {self.suite}: regret {measure.loss:.2f} +- {measure.loss_error:.2f} in "
            f"{measure.positions} moves"
        )

    def to_json(self) -> dict[str, Any]:
        """Return it as JSON types, without the conversations."""
        return {
            "model": self.model,
            "suite": self.suite,
            **self.made,
            "tokens": {"prompts": self.tokens[0], "answers": self.tokens[1]},
            "cost": round(self.cost, 6),
            "how": self.how(),
            "groups": [
                {
                    "group": name,
                    **self.measure(name).to_json(),
                    "failures": self.failures(name),
                    "attempts": sum(turn.attempts for turn in self.turns(name)),
                    "points": self.points(name)[0] if self.points(name)[2] else None,
                    "games": [
                        {"moves": each.moves, "side": each.side, "points": each.points}
                        for each in self.groups[name]
                        if each.points is not None
                    ],
                }
                for name in self.groups
            ],
        }


def evaluate_model(
    model: Ask,
    suite: str = "standard",
    *,
    prompt: Prompt | str = "plain",
    positions: int = 200,
    controls: Sequence[str] = (),
    levels: Sequence[int] = (1, 3, 5),
    games: int = 2,
    retries: int = 1,
    seed: int = 0,
    concurrency: int = 1,
    price: tuple[float, float] = (0.0, 0.0),
    journal: str | os.PathLike[str] | None = None,
    progress: Callable[[int, int], object] | None = None,
) -> LlmReport:
    """Measure a model as a player; *model* is a function of a prompt, or an `HttpModel`.

    It is asked for its move in *positions* positions of a suite, again for each of the *controls* (of
    `CONTROLS`), and plays *games* games against each of the *levels* from 1 to 10, starting every other
    one. After an answer without a legal move it is asked again, up to *retries* times. The regret of a
    move is how much less it is worth than a best one, by the solver; a move that is none counts as the
    worst, and loses a game. The *journal* keeps every task; the same call continues from there.
    """
    chosen = to_model(model)
    style = preset(prompt) if isinstance(prompt, str) else prompt
    for name in controls:
        if name not in CONTROLS:
            raise OptionError(f"there is no control {quote(name)}; there are {', '.join(CONTROLS)}")
    for level in levels:
        if level not in LEVELS:
            raise OptionError(f"levels are 1 to {len(LEVELS)}, not {quote(level)}")
    if not 0 <= retries <= 10 or not 0 <= games <= 1000 or not 1 <= concurrency <= 256:
        raise OptionError("retries must be 0 to 10, games 0 to 1000, concurrency 1 to 256")
    tasks = list(_tasks(suite, positions, controls, levels, games, seed))
    header = {
        "format": FORMAT,
        "model": chosen.name,
        "suite": suite_id(suite),
        "prompt": asdict(style),
        "seed": seed,
        "retries": retries,
    }
    player = _ModelPlayer(chosen, style, retries, seed)
    done: dict[str, Done] = {}
    file = None if journal is None else AppendFile(Path(journal), header)
    try:
        for entry in file.entries if file else ():
            found = Done.from_json(entry)
            done[f"{found.group} {found.number}"] = found
        left = [task for task in tasks if task.key not in done]
        for found in _run(player, left, concurrency):
            done[f"{found.group} {found.number}"] = found
            if file:
                file.append(found.to_json())
            if progress:
                progress(len(tasks) - len(left) + _count(done, left), len(tasks))
    finally:
        if file:
            file.close()
    in_order = tuple(done[task.key] for task in tasks)
    return LlmReport(chosen.name, suite_id(suite), in_order, provenance(seed), price)


def _count(done: Mapping[str, Done], tasks: Sequence[Task]) -> int:
    return sum(task.key in done for task in tasks)


def _run(player: _ModelPlayer, tasks: Sequence[Task], threads: int) -> Iterator[Done]:
    waiting = iter(tasks)
    running: set[Future[Done]] = set()
    pool = ThreadPoolExecutor(threads)
    try:
        while True:
            running |= {pool.submit(player.do, task) for task in islice(waiting, threads - len(running))}
            if not running:
                return
            finished, running = wait(running, return_when=FIRST_COMPLETED)
            for future in finished:
                yield future.result()
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


def _tasks(
    suite: str,
    positions: int,
    controls: Sequence[str],
    levels: Sequence[int],
    games: int,
    seed: int,
) -> Iterator[Task]:
    questions = choose_questions(suite, positions) if positions else ()
    groups: dict[str, list[tuple[Question, View]]] = {
        "questions": [(each, View.of(each.position, each.moves)) for each in questions]
    }
    for name in controls:
        if name == "size":
            groups[name] = [
                (each, View.of(each.position, each.moves)) for each in _other(positions, seed)
            ]
        elif name == "setup":
            groups[name] = [(each, View(each.position)) for each in questions]
        elif name == "mirror":
            groups[name] = [(each, View.of(each.position, each.moves).mirrored()) for each in questions]
        else:
            chance = random.Random(f"{seed} relabel")
            groups[name] = []
            for each in questions:
                names = tuple(chance.sample(_LETTERS, each.position.width))
                view = View.of(each.position, each.moves)
                groups[name].append((each, View(view.position, view.moves, names)))
    for name, members in groups.items():
        for number, (question, view) in enumerate(members, 1):
            yield Task(name, number, question, view)
    for level in levels:
        for number in range(1, games + 1):
            yield Task(f"level-{level}", number, level=level)


def _other(count: int, seed: int) -> list[Question]:
    """Positions of random games on a board of another size, with exact scores."""
    width, height = OTHER_SIZE
    fewest, most = OTHER_PLIES
    texts = sample_positions(
        count, seed, fewest=fewest + 10, most=most, unique=True, width=width, height=height
    )[1]
    moves = [bytes(row).rstrip(b"\0").decode() for row in texts]
    scores = Solver().column_scores(moves, width=width, height=height)
    return [
        Question(
            text,
            Position(text, width=width, height=height),
            tuple(None if score == FULL else score for score in row),
        )
        for text, row in zip(moves, scores.tolist(), strict=True)
    ]


class _ModelPlayer:
    """A model at the board."""

    def __init__(self, model: Model, prompt: Prompt, retries: int, seed: int) -> None:
        self._model = model
        self._prompt = prompt
        self._retries = retries
        self._seed = seed
        self._solver = Solver()

    def do(self, task: Task) -> Done:
        """Ask a question, or play a game."""
        if task.question is not None and task.view is not None:
            return Done(task.group, task.number, (self._choose(task.question, task.view),))
        return self._play(task)

    def _play(self, task: Task) -> Done:
        seed = seed_of(f"{self._seed} {task.level} {task.number}")
        opponent = Contestant.parse(f"level-{task.level}").make(seed=seed)
        side = 1 if task.number % 2 == 1 else 2
        moves, turns, position = "", [], Position()
        points: float | None = None
        while points is None:
            if position.turn == side:
                scores = self._solver.column_scores([position])[0].tolist()
                known = tuple(None if score == FULL else score for score in scores)
                turn = self._choose(Question(moves, position, known), View.of(position, moves))
                turns.append(turn)
                if turn.column is None:
                    points = 0.0
                    break
                column = turn.column
            else:
                column = opponent.choose(position)
            moves += format_column(column)
            position = position.play(column)
            if position.is_over:
                points = 0.5 if position.winner is None else float(position.winner == side)
        return Done(task.group, task.number, tuple(turns), moves, points, side)

    def _choose(self, question: Question, view: View) -> Turn:
        names = view.names or self._prompt.names(view.position.width)
        picture = _picture(view.position) if self._prompt.form == "picture" else None
        messages = [Message("user", self._prompt.text(view), picture)]
        failed: list[str] = []
        texts: list[str] = []
        tokens = [0, 0]
        time_s, how, column = 0.0, "no answer", None
        for _ in range(self._retries + 1):
            try:
                reply = self._model.ask(messages)
            except ModelError as error:
                failed.append(error.kind)
                texts.append(f"[{error}]")
                continue
            texts.append(reply.text)
            tokens[0] += reply.prompt_tokens
            tokens[1] += reply.completion_tokens
            time_s += reply.time_s
            parsed = parse_answer(reply.text, names)
            how = parsed.how
            if parsed.column is not None and view.position.refusal(parsed.column) is None:
                column = view.column_of(parsed.column)
                break
            kind = parsed.how if parsed.column is None else "illegal"
            failed.append(kind)
            said = RETRY.format(said=_SAID[kind])
            messages += [Message("assistant", reply.text), Message("user", said)]
        answer = Answer(question, column, "" if column is not None else failed[-1])
        return Turn(
            moves=question.moves if view.moves is not None else None,
            rows=question.position.to_rows(),
            column=column,
            best=question.best,
            worst=question.worst,
            score=answer.score,
            kind=answer.failure,
            how=how,
            attempts=len(texts),
            failed=tuple(failed),
            texts=tuple(texts),
            tokens=(tokens[0], tokens[1]),
            time_s=round(time_s, 3),
        )


def _picture(position: Position) -> bytes:
    from fourcast.render import svg
    from fourcast.render.png import to_png

    return to_png(svg.board(position))
