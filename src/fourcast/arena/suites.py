"""Suites of positions in which every move has its exact score, to evaluate agents on.

`standard-1` is published and never changes. `fresh:SEED` is made by a seed, so that no one has trained
on it; `private:FILE` is made by a secret, the content of a file, so that no one can.
"""

from __future__ import annotations

import hashlib
import hmac
import random
import re
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from fourcast._core import FULL, Position, sample_positions
from fourcast.errors import OptionError, require
from fourcast.notation import quote
from fourcast.search_threads import processor_count
from fourcast.solver import Solver

__all__ = ["THEMES", "Question", "choose_questions", "load_suite", "suite_id", "suite_names"]

_FOLDER = Path(__file__).parent / "shipped"
_LATEST = {"standard": "standard-1"}
FRESH, PRIVATE = "fresh:", "private:"

FRESH_POSITIONS = 2000
FRESH_POOL = 5000
"""Positions of random games that those of a fresh suite are chosen from."""
LEAST_SALT = 16
MOST_SALT = 4096
"""Bytes that a secret has."""
PLIES_A_KIND = 4

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
    def best_columns(self) -> tuple[int, ...]:
        """The columns that no other is better than, 0-based."""
        return tuple(column for column, score in enumerate(self.scores) if score == self.best)

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


def suite_names() -> tuple[str, ...]:
    """Return the names of all published suites. What is in a suite of a name never changes.

    >>> suite_names()
    ('standard-1',)
    """
    return tuple(sorted(path.stem for path in _FOLDER.glob("*.txt")))


def check_suite_name(name: str) -> None:
    """Raise `OptionError` for a name of no suite, and for one whose positions are secret."""
    if not re.fullmatch(rf"{FRESH}\d{{1,18}}", name) and name not in (*suite_names(), *_LATEST):
        raise _unknown(name)


def suite_id(name: str) -> str:
    """Return what identifies a suite in a report: of a secret one, a hash of its secret.

    >>> suite_id("standard")
    'standard-1'
    """
    if name.startswith(PRIVATE):
        return PRIVATE + hashlib.sha256(b"fourcast suite" + _salt_of(name)).hexdigest()[:12]
    return _LATEST.get(name, name)


@cache
def load_suite(name: str = "standard") -> tuple[Question, ...]:
    """Return the positions of a suite: of `standard`, the latest of that name.

    `fresh:SEED` has 2,000 positions that depend on a number, and `private:FILE` as many that depend on
    the content of a file, at least 16 secret bytes; both take some seconds to make and have no position
    of a published suite.

    >>> suite = load_suite()
    >>> len(suite), suite[0].moves, suite[0].best
    (2000, '', 1)
    """
    require("name", name, str)
    name = _LATEST.get(name, name)
    if name.startswith(FRESH):
        check_suite_name(name)
        return make_suite(int(name.removeprefix(FRESH)))
    if name.startswith(PRIVATE):
        digest = hmac.digest(_salt_of(name), b"fourcast suite 1", "sha256")
        return make_suite(int.from_bytes(digest[:8], "big") >> 1)
    if name not in suite_names():
        raise _unknown(name)
    questions = []
    for line in (_FOLDER / f"{name}.txt").read_text("ascii").splitlines():
        word, *scores = line.split()
        moves = "" if word == "-" else word
        known = tuple(None if score == "." else int(score) for score in scores)
        questions.append(Question(moves, Position(moves), known))
    return tuple(questions)


def make_suite(
    seed: int,
    positions: int = FRESH_POSITIONS,
    pool: int = FRESH_POOL,
    progress: Callable[[int, int], object] | None = None,
) -> tuple[Question, ...]:
    """Return the suite of a seed: positions balanced by discs, outcome and the number of best moves.

    They are from random games, not in a published suite, and some move is worse than the best.
    """
    published = {
        question.position.canonical_key for name in suite_names() for question in load_suite(name)
    }
    texts = sample_positions(pool, seed, fewest=0, most=40, unique=True, threads=processor_count())[1]
    moves = [bytes(row).rstrip(b"\0").decode() for row in texts]
    fresh = [each for each in moves if Position(each).canonical_key not in published]
    fresh.sort(key=len, reverse=True)  # what is known of positions with many discs helps with the others
    scores = Solver(table_mb=64).column_scores(fresh, threads=processor_count(), progress=progress)
    kinds: dict[tuple[int, int, int], list[Question]] = defaultdict(list)
    for text, row in zip(fresh, scores.tolist(), strict=True):
        known = tuple(None if score == FULL else score for score in row)
        question = Question(text, Position(text), known)
        if question.best != question.worst:
            sign = (question.best > 0) - (question.best < 0)
            kind = len(text) // PLIES_A_KIND, sign, min(len(question.best_columns), 3)
            kinds[kind].append(question)
    chance = random.Random(seed)
    for name in sorted(kinds):
        kinds[name].sort(key=lambda question: question.moves)
        chance.shuffle(kinds[name])
    chosen: list[Question] = []
    while len(chosen) < positions and any(kinds.values()):  # one of each kind in turn
        for name in sorted(kinds):
            if kinds[name] and len(chosen) < positions:
                chosen.append(kinds[name].pop())
    return tuple(sorted(chosen, key=lambda question: (len(question.moves), question.moves)))


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


def _salt_of(name: str) -> bytes:
    path = name.removeprefix(PRIVATE)
    try:
        with open(path, "rb") as file:
            salt = file.read(MOST_SALT + 1).strip()
    except OSError as error:
        raise OptionError(f"the secret of the suite cannot be read: {error.strerror}: {path}") from None
    if not LEAST_SALT <= len(salt) <= MOST_SALT:
        raise OptionError(
            f"{path} has a secret of {len(salt)} bytes; a private suite needs {LEAST_SALT} to "
            f"{MOST_SALT}"
        )
    return salt


def _unknown(name: object) -> OptionError:
    there_are = ", ".join((*_LATEST, *suite_names(), f"{FRESH}SEED", f"{PRIVATE}FILE"))
    return OptionError(f"no suite is called {quote(name)}; there are {there_are}")
