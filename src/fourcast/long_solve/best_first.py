"""A long solve by many workers, each of which is asked about another position.

The first moves are a proof-number search: every position that is not decided has two numbers, how many
others have to be decided at least to prove that its score is more than what is asked, and how many to
prove that it is not. The next question goes to the position that the proof of the root needs most.
Positions that workers are busy with look more expensive than they are, so that the next worker goes
elsewhere.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from fourcast._core import Limit, Position, Result, StopToken, search_order
from fourcast.book.workers import Work, Workers
from fourcast.errors import StoppedError
from fourcast.long_solve.checkpoint import Checkpoint
from fourcast.long_solve.run import SHARE_OF_LOOK, Progress, Run
from fourcast.notation import require_unfinished
from fourcast.solver import Solver

_NEVER = 1 << 30  # as a number of proofs
_BUSY = 8  # how much more a position seems to take while a worker is busy with it
_DEEPEST_SHARE = 6  # plies below which the estimate of progress does not look
_TABLE_MB = 256


class Question(NamedTuple):
    """Is the score of *position* more than *alpha*? *nodes* is the most that this may take."""

    position: Position
    alpha: int
    nodes: int


def _ask(solver: Solver, question: Question, stop: StopToken | None = None) -> list[Result]:
    """Return what was found about a position, and if that is no answer, about those after its moves."""
    position, alpha, nodes = question
    found = [solver.bound(position, alpha, Limit(nodes=nodes), stop=stop)]
    if not found[0].complete:
        for child in _open_children(position, alpha):
            look = solver.bound(child, -alpha - 1, Limit(nodes=nodes // SHARE_OF_LOOK), stop=stop)
            found.append(look)
            if look.upper <= -alpha - 1:
                break
    if stop is not None and stop.is_stopped:
        raise StoppedError("the solver was stopped before it had an answer")
    return found


def _open_children(position: Position, alpha: int) -> Iterator[Position]:
    """The unfinished positions after each move, in the order in which lines try them."""
    for column in search_order(position, alpha + 1):
        child = position.play(column)
        if not child.is_over:
            yield child


def _make_solver() -> Solver:
    return Solver(table_mb=_TABLE_MB)


def _make_solver_without_book() -> Solver:
    return Solver(book=False, table_mb=_TABLE_MB)


QUESTIONS = Work(_ask, _make_solver, _make_solver)
"""The work of a long solve: chunks are questions, results what was found."""
QUESTIONS_WITHOUT_BOOK = Work(_ask, _make_solver_without_book, _make_solver_without_book)
"""The same without an opening book."""


def solve_on_workers(
    position: Position,
    workers: Workers[Question, list[Result]],
    file: Path | None = None,
    *,
    limit: Limit | None = None,
    progress: Progress | None = None,
) -> Result:
    """Return the exact score of *position*, found by many workers.

    *workers* are those of `fourcast.book.workers`, on threads or on a Ray cluster, doing `QUESTIONS` or
    `QUESTIONS_WITHOUT_BOOK`. If a worker is lost, its current question is asked again. *file* is the
    checkpoint, as in `solve_with_checkpoint`; each function can continue what the other began.
    *limit* is for this run, and counts what workers have answered.

    >>> from fourcast.book.workers import on_threads
    >>> solve_on_workers(Position("4", width=6, height=4), on_threads(2, QUESTIONS)).score
    1
    """
    require_unfinished(position, "error.solve_over")
    checkpoint = Checkpoint.open(file, position) if file else Checkpoint(position)
    run = Run(checkpoint, file, limit, progress)
    search = _Search(run)
    answers = workers(search)
    try:
        if not search.is_done:
            for number, found in answers:
                search.take(number, found)
                if search.is_done or run.is_out_of_limit:
                    break
    finally:
        answers.close()
        run.write()
    return checkpoint.result()


@dataclass(eq=False)
class _Node:
    """A position of the first moves, and the question about it."""

    position: Position
    alpha: int
    proof: int = 1  # that the score is more than alpha; _NEVER if it is not
    disproof: int = 1  # that it is not
    is_busy: bool = False
    is_split: bool = False
    children: list[_Node] = field(default_factory=list)
    parents: list[_Node] = field(default_factory=list)


class _Search:
    """The tree of one question after the other about the root, and an iterator of what to ask next.

    As an iterator it may have nothing to ask while all that is needed is being worked on, and something
    again when an answer has come: what takes from it tries again.
    """

    def __init__(self, run: Run) -> None:
        self._run = run
        self._checkpoint = run.checkpoint
        self._asked: dict[int, Question] = {}
        self._next_number = 0
        self._next_report = 0.0
        self._questions = 0
        self._begin()

    @property
    def is_done(self) -> bool:
        """Whether the score is known."""
        return self._checkpoint.next_alpha() is None

    def _begin(self) -> None:
        """Begin the tree of the next question."""
        self._nodes: dict[int, _Node] = {}
        alpha = self._checkpoint.next_alpha()
        if alpha is not None:
            self._root = self._node(self._checkpoint.position, alpha)

    def _go_on(self) -> bool:
        """Begin the next question if the present one is answered; return whether it was."""
        if self.is_done or self._answer_of(self._root) is None:
            return False
        self._questions += 1
        self._begin()
        return True

    def __iter__(self) -> _Search:
        return self

    def __next__(self) -> tuple[int, Question]:
        node = None
        while node is None and not self.is_done and not self._run.is_out_of_limit:
            node = self._most_needed(self._root)
            if node is None and not self._go_on():
                break
        if node is None:
            raise StopIteration
        number, self._next_number = self._next_number, self._next_number + 1
        question = Question(node.position, node.alpha, self._run.budget)
        self._asked[number] = question
        node.is_busy = True
        self._update(node)
        return number, question

    def take(self, number: int, found: Sequence[Result]) -> None:
        """Take the answer to the question with this number, which may be one about an earlier tree."""
        question = self._asked.pop(number)
        for result in found:
            self._run.count(result)
            self._checkpoint.note_result(result)
        asked = self._nodes.get(question.position.canonical_key)
        if asked:
            asked.is_busy = False
            if self._checkpoint.answer(asked.position, asked.alpha) is None:
                self._split(asked)
        for result in found:
            node = self._nodes.get(result.position.canonical_key)
            if node:
                self._update(node)
        self._go_on()
        self._run.write_if_due()
        self._report()

    def _node(self, position: Position, alpha: int) -> _Node:
        """The node of a position, or of its mirror image: in one tree the discs decide about alpha."""
        node = self._nodes.get(position.canonical_key)
        if node is None:
            node = self._nodes[position.canonical_key] = _Node(position, alpha)
            self._update(node)
        return node

    def _answer_of(self, node: _Node) -> bool | None:
        return self._checkpoint.answer(node.position, node.alpha)

    def _split(self, node: _Node) -> None:
        if node.is_split:
            return
        node.is_split = True
        alpha = node.alpha
        for column in search_order(node.position, alpha + 1):
            child = node.position.play(column)
            if not child.is_over:
                made = self._node(child, -alpha - 1)
                if made not in node.children:  # mirror images
                    node.children.append(made)
                    made.parents.append(node)
            elif -child.final_score > alpha:
                self._checkpoint.note_answer(node.position, alpha, True)
                return

    def _most_needed(self, node: _Node) -> _Node | None:
        """A position below *node* to ask about; None if workers are busy with all that matter."""
        if self._answer_of(node) is not None or node.is_busy:
            return None
        if not node.is_split:
            # Not again what was too much before: that would take a minute until a run goes on.
            if self._run.budget >= 2 << self._checkpoint.of(node.position).tried:
                return node
            self._split(node)
            self._update(node)
            if self._answer_of(node) is not None:
                return None
        for child in sorted(node.children, key=lambda child: child.disproof):
            needed = self._most_needed(child)
            if needed:
                return needed
        return None

    def _update(self, node: _Node) -> None:
        """Compute the numbers of a node again, and of those that depend on it."""
        before = node.proof, node.disproof
        if node.is_split and self._answer_of(node) is None:
            if any(self._answer_of(child) is False for child in node.children):
                self._checkpoint.note_answer(node.position, node.alpha, True)
            elif all(self._answer_of(child) for child in node.children):
                self._checkpoint.note_answer(node.position, node.alpha, False)
        answer = self._answer_of(node)
        if answer is not None:
            node.proof, node.disproof = (0, _NEVER) if answer else (_NEVER, 0)
        elif node.is_split:
            node.proof = min(child.disproof for child in node.children)
            node.disproof = min(_NEVER, sum(child.proof for child in node.children))
        else:
            node.proof = node.disproof = 1 + (_BUSY if node.is_busy else 0)
        if (node.proof, node.disproof) != before:
            for parent in node.parents:
                self._update(parent)

    def _report(self) -> None:
        now = time.monotonic()
        if self.is_done:
            self._run.report(1.0)
        elif now >= self._next_report:
            self._next_report = now + 0.5
            # Nobody knows how many questions there will be; each next one is easier.
            part = 0.5**self._questions
            done = self._share_done(self._root, expected=self._root.alpha < 0, depth=_DEEPEST_SHARE)
            self._run.report(1 - part + part / 2 * done)

    def _share_done(self, node: _Node, *, expected: bool, depth: int) -> float:
        """How much of the work below *node* is done if the answer is the *expected* one."""
        if self._answer_of(node) is not None:
            return 1.0
        if depth == 0 or not node.children:
            return 0.0
        shares = [
            self._share_done(child, expected=not expected, depth=depth - 1) for child in node.children
        ]
        if not expected:
            return sum(shares) / len(shares)
        # One good move is enough; most often it is among the first.
        return max(share * 0.5**number for number, share in enumerate(shares))
