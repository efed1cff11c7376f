"""Why a position is won, lost or drawn, and why a move is bad: reasons with proofs.

>>> found = explain(Position("4575274553"))
>>> found.verdict.outcome, found.claims[0].proof
('win', Force(line=(3, 2, 3)))
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal, TypeVar

from fourcast._core import Analysis, Columns, Limit, Line, Position, Result, StopToken, find_reasons
from fourcast.errors import OptionError
from fourcast.notation import require_position
from fourcast.solver import Solver
from fourcast.study.checker import ProofError, check

if TYPE_CHECKING:
    from fourcast.study.marks import Marks

__all__ = [
    "Answer",
    "CaseEnd",
    "Cases",
    "Claim",
    "Explanation",
    "Force",
    "Group",
    "GroupAnswer",
    "LocalGames",
    "MoveExplanation",
    "Plan",
    "Proof",
    "Square",
    "explain",
    "explain_columns",
    "explain_move",
]

VERSION = 1
"""The version of the JSON format, which docs/explain.md describes."""

Square = tuple[int, int]
"""Column and row, both from 0; row 0 is the bottom."""

Json = Mapping[str, Any]
T = TypeVar("T")


@dataclass(frozen=True)
class Force:
    """A forcing line: every disc of the player's threatens a four, until one completes it."""

    line: tuple[int, ...]
    """Columns: a disc of the player's, the reply, ..., the disc that completes the four."""


@dataclass(frozen=True)
class Answer:
    """What a plan answers to a disc of the opponent on one square."""

    stone: Square
    squares: tuple[Square, ...]
    """The first that can be played and is not below a square where the opponent completes a four."""


@dataclass(frozen=True)
class Plan:
    """An answer table: complete a four, else block one, else take a forced win, else answer.

    A disc of the opponent without an entry in *answers* is answered on the square above it.
    """

    answers: tuple[Answer, ...]
    takes: int
    """Forced wins of at most this number of the player's discs are taken; 1 is a four at once."""
    latest: int | None
    """Discs on the board when the player has won at the latest; None for a plan that holds."""

    @property
    def pairs(self) -> tuple[tuple[Square, Square], ...]:
        """Squares of which each is the only answer to the other."""
        table = {answer.stone: answer.squares for answer in self.answers}
        return tuple(
            (stone, squares[0])
            for stone, squares in table.items()
            if len(squares) == 1 and stone < squares[0] and table.get(squares[0]) == (stone,)
        )


@dataclass(frozen=True)
class GroupAnswer:
    """The answer once these squares, of a group or of the board, are taken since the proof began."""

    theirs: tuple[Square, ...]
    mine: tuple[Square, ...]
    answer: Square


@dataclass(frozen=True)
class Group:
    """Some columns that are played as a game of their own: answers stay within the group."""

    columns: tuple[int, ...]
    role: Literal["win", "hold"]
    free: Literal["never", "any_even", "one_odd", "one"]
    """When the player may have to move here without having been asked; see docs/explain.md."""
    needs: tuple[tuple[Square, ...], ...]
    """Sets of squares none of which the opponent gets in full."""
    answers: tuple[GroupAnswer, ...]


@dataclass(frozen=True)
class LocalGames:
    """The open columns in groups; the player answers every disc in the group it was played in."""

    groups: tuple[Group, ...]
    latest: int | None
    """Discs on the board when the player has won at the latest; None for groups that hold."""


@dataclass(frozen=True)
class CaseEnd:
    """A position with a proof of its own: that after these squares are taken since the proof began."""

    theirs: tuple[Square, ...]
    mine: tuple[Square, ...]
    proof: Plan | LocalGames


@dataclass(frozen=True)
class Cases:
    """A proof case by case: answers by position, up to positions that have a proof of their own.

    The player completes a four, else blocks one, else plays the answer to the position; if there is
    none, the square above the opponent's disc.
    """

    answers: tuple[GroupAnswer, ...]
    """The answers once these squares are taken since the proof began, the opponent's disc included."""
    ends: tuple[CaseEnd, ...]
    latest: int | None
    """Discs on the board when the player has won at the latest; None if the player holds."""

    @property
    def size(self) -> int:
        """The number of answers that are listed, with those of the proofs at the ends."""
        return len(self.answers) + sum(_size(end.proof) for end in self.ends)


def _size(proof: Plan | LocalGames) -> int:
    if isinstance(proof, Plan):
        return len(proof.answers)
    return sum(len(group.answers) for group in proof.groups)


Proof = Force | Plan | LocalGames | Cases


@dataclass(frozen=True)
class Claim:
    """*player* (1 or 2) reaches *goal* whatever the opponent does; "hold" is not to lose."""

    player: int
    goal: Literal["win", "hold"]
    start: tuple[int, ...]
    """Columns that lead to where the proof begins: moves of the player's, and forced replies."""
    proof: Proof

    def to_json(self) -> dict[str, Any]:
        """Return the claim as JSON types."""
        return {
            "player": self.player,
            "goal": self.goal,
            "start": list(self.start),
            "proof": _proof_to_json(self.proof),
        }

    @staticmethod
    def from_json(value: Json) -> Claim:
        """Return the claim that `to_json` gave. Raises `OptionError` if it is none."""
        return _reading(_read_claim, value, "a claim")


@dataclass(frozen=True)
class Explanation:
    """A verdict and the reasons for it.

    *claims* are about the position after *line*: one if a player wins, one for each side of a draw,
    none if no short reason was found. The claims are proven; that the score is exact and the line is
    best play is the solver's word. *complete* is false if the limit was reached before the search had
    ended.
    """

    position: Position
    verdict: Result
    line: tuple[int, ...]
    claims: tuple[Claim, ...]
    complete: bool = True

    @property
    def claims_position(self) -> Position:
        """The position that the claims are about: the one after the line."""
        return self.position.play(*self.line)

    def words(self, names: tuple[str, str] = ("Red", "Yellow")) -> str:
        """Return the explanation in sentences; *names* are those of the first and second player.

        >>> print(explain(Position("4575274553")).words())  # doctest: +NORMALIZE_WHITESPACE
        Red, to move, wins in 2 moves.
        Red plays column 4, row 3 and then wins on column 3, row 2 or column 4, row 4:
        Yellow can block only one.
        """
        from fourcast.render.explain import explanation_text

        return explanation_text(self, names)

    def marks(self, claim: int = 0) -> Marks:
        """Return what one of the claims draws on the board; a draw has two, counted from 0.

        >>> explain(Position("4575274553")).marks().wins
        ((2, 1), (3, 3))
        """
        from fourcast.study.marks import marks

        return marks(self, claim)

    def to_json(self) -> dict[str, Any]:
        """Return the explanation as JSON types; docs/explain.md describes them."""
        return {
            "version": VERSION,
            "verdict": self.verdict.to_json(),
            "line": list(self.line),
            "claims": [claim.to_json() for claim in self.claims],
            "complete": self.complete,
        }

    @staticmethod
    def from_json(value: Json) -> Explanation:
        """Return the explanation that `to_json` gave. Raises `OptionError` if it is none.

        The claims are not checked; `fourcast.study.checker.check` does that.
        """
        return _reading(_read_explanation, value, "an explanation")


@dataclass(frozen=True)
class MoveExplanation:
    """Why a move keeps the result or gives it away. Outcomes are those of the player who moves."""

    position: Position
    """The position before the move."""
    column: int
    before: Result
    """What the position was worth."""
    after: Line
    """What the move is worth."""
    keeping: Columns
    """The columns that keep the outcome of the position."""
    replies: Columns
    """The opponent's replies that keep what the move has given away; empty if it gave nothing away."""
    reason: Explanation | None
    """The position after the move, explained; None if the move ends the game."""
    better: Explanation | None
    """The position after the best column, explained; None if the move keeps the outcome."""

    @property
    def is_mistake(self) -> bool:
        """Whether the move changed the outcome."""
        return self.column not in self.keeping

    @property
    def is_only_move(self) -> bool:
        """Whether no other open column keeps the outcome, and there is one."""
        return len(self.position.legal_columns) > 1 and tuple(self.keeping) == (self.column,)

    @property
    def better_column(self) -> int | None:
        """The best column, if the move is a mistake: the one that `better` explains."""
        if not self.is_mistake:
            return None
        columns = self.before.best_columns
        return columns[0] if columns else self.keeping[0]

    @property
    def only_keeping(self) -> int | None:
        """The one column that kept the outcome, if there was just one and this move is a mistake."""
        return self.keeping[0] if self.is_mistake and len(self.keeping) == 1 else None

    @property
    def only_reply(self) -> int | None:
        """The one reply that punishes the mistake, if there is just one."""
        return self.replies[0] if len(self.replies) == 1 else None

    @property
    def same_point(self) -> bool:
        """Whether one column was the only good one for both: to keep the outcome, and to punish."""
        return self.only_keeping is not None and self.only_keeping == self.only_reply

    @property
    def punished_on_top(self) -> bool:
        """Whether the only reply that punishes the mistake is on top of it."""
        return self.only_reply == self.column

    def words(self, names: tuple[str, str] = ("Red", "Yellow")) -> str:
        """Return the explanation in sentences; see `Explanation.words`."""
        from fourcast.render.explain import move_text

        return move_text(self, names)

    def to_json(self) -> dict[str, Any]:
        """Return the explanation as JSON types."""
        return {
            "version": VERSION,
            "column": self.column,
            "before": self.before.to_json(),
            "after": self.after.to_json(),
            "keeping": list(self.keeping),
            "replies": list(self.replies),
            "reason": self.reason and self.reason.to_json(),
            "better": self.better and self.better.to_json(),
        }

    @staticmethod
    def from_json(value: Json) -> MoveExplanation:
        """Return the explanation that `to_json` gave. Raises `OptionError` if it is none."""
        return _reading(_read_move, value, "the explanation of a move")


def explain(
    position: Position,
    *,
    solver: Solver | None = None,
    limit: Limit | None = None,
    stop: StopToken | None = None,
) -> Explanation:
    """Return why *position* is won, lost or drawn, with a proof where a short one was found.

    Every claim has been replayed by `fourcast.study.checker`, which knows nothing but the rules. Raises
    `FinishedGameError` if the game is over. *limit* is for the whole call: when it is reached, the
    explanation is what is known by then, and not complete.
    """
    require_position(position)
    verdict, line, claims, complete = find_reasons(solver or Solver(), position, limit, stop=stop)
    try:
        check({"verdict": verdict.to_json(), "line": line, "claims": claims})
    except ProofError as error:  # better no answer than a wrong one
        found = f"{position}: {line}, {claims}"
        raise RuntimeError(f"fourcast found a proof that does not hold ({error}): {found}") from error
    return Explanation(
        position, verdict, tuple(line), tuple(_read_claim(claim) for claim in claims), complete
    )


def explain_move(
    position: Position,
    column: int,
    *,
    solver: Solver | None = None,
    limit: Limit | None = None,
    reason_limit: Limit | None = None,
    stop: StopToken | None = None,
) -> MoveExplanation:
    """Return why playing *column* keeps the result or gives it away.

    *limit* is for each of the searches that this takes; *reason_limit* is for the search for a reason
    after the move, and for that after a better one, if their limit is to be another. Raises
    `IllegalMoveError` for a column that cannot be played, and `OptionError` if the limit or *stop*
    leaves the outcome of the moves open.
    """
    require_position(position)
    after = position.play(column)
    solver = solver or Solver()
    reason_limit = reason_limit or limit
    analysis = solver.analyze(position, limit, stop=stop)
    best = analysis.best_line
    if not analysis.complete or best is None:
        raise OptionError("error.moves_worth", facts={})
    line = next(line for line in analysis if line.column == column)
    keeping = _with_outcome(analysis, best.outcome)
    replies = Columns()
    if column not in keeping:
        answers = solver.analyze(after, limit, variations=False, stop=stop)
        if not answers.complete:
            raise OptionError("error.replies_worth", facts={})
        replies = _with_outcome(answers, answers.outcome)
    reason = better = None
    if not after.is_over:
        reason = _explain_along(line, solver, reason_limit, stop)
    if column not in keeping:
        instead = (analysis.best_columns or (best.column,))[0]
        best = next(line for line in analysis if line.column == instead)
        if not position.play(instead).is_over:
            better = _explain_along(best, solver, reason_limit, stop)
    return MoveExplanation(position, column, analysis.result, line, keeping, replies, reason, better)


def explain_columns(
    position: Position,
    *,
    solver: Solver | None = None,
    limit: Limit | None = None,
    reason_limit: Limit | None = None,
    stop: StopToken | None = None,
) -> Iterator[tuple[Line, Explanation | None]]:
    """Yield for each open column what it is worth and why: the position after it, explained.

    That is None if the move ends the game. The limits are as in `explain_move`.

    >>> for line, reason in explain_columns(Position("332244")):
    ...     if line.column < 2:
    ...         print(line.column, line.outcome, reason and reason.claims[0].proof)
    0 win None
    1 win Force(line=(4,))
    """
    require_position(position)
    solver = solver or Solver()
    for line in sorted(solver.analyze(position, limit, stop=stop), key=lambda line: line.column):
        after = position.play(line.column)
        reason = None
        if not after.is_over:
            reason = explain(after, solver=solver, limit=reason_limit or limit, stop=stop)
        yield line, reason


def _explain_along(
    line: Line, solver: Solver, limit: Limit | None, stop: StopToken | None
) -> Explanation:
    """Explain the position after the first move of a line of best play.

    If a limit leaves no time for a reason there, look for one further along the line: first where there
    are so many discs that it is found at once, then as early as the time allows.
    """
    position = line.position.play(line.column)
    if limit is None or limit.time_s is None:
        return explain(position, solver=solver, limit=limit, stop=stop)
    end = time.monotonic() + limit.time_s
    first = Limit(limit.time_s * (_FIRST_TRY if position.ply < _LATE[0] else 1), limit.nodes)
    found = explain(position, solver=solver, limit=first, stop=stop)
    ahead = tuple(line.variation[1:])

    def later(stones: int, time_s: float) -> Explanation | None:
        count = stones - position.ply
        if not 0 < count < len(ahead) or time_s <= 0:
            return None
        there = position.play(*ahead[:count])
        reason = explain(there, solver=solver, limit=Limit(time_s, limit.nodes), stop=stop)
        if not reason.claims:
            return None
        return replace(found, line=ahead[:count] + reason.line, claims=reason.claims)

    if found.claims or found.complete or not found.verdict.complete:
        return found
    best = next(filter(None, (later(stones, _LATE_S) for stones in _LATE)), None)
    for stones in _EARLIER:
        earlier = best and later(stones, (end - time.monotonic()) / 2)
        if earlier is None:
            break
        best = earlier
    return best or found


_FIRST_TRY = 0.3
"""The share of the time for a reason for the position itself, if it has few discs."""
_LATE, _EARLIER = (20, 26, 32), (16, 14, 12)
"""Numbers of discs with which reasons are looked for further along a line."""
_LATE_S = 0.5
"""Seconds for a reason of a position with many discs, which takes a hundredth of that as a rule."""


def _with_outcome(analysis: Analysis, outcome: str | None) -> Columns:
    return Columns(line.column for line in analysis if line.outcome == outcome)


def _proof_to_json(proof: Proof) -> dict[str, Any]:
    if isinstance(proof, Force):
        return {"kind": "force", "line": list(proof.line)}
    if isinstance(proof, Plan):
        answers = [{"stone": list(a.stone), "squares": _lists(a.squares)} for a in proof.answers]
        return {"kind": "plan", "answers": answers, "takes": proof.takes, "latest": proof.latest}
    if isinstance(proof, Cases):
        ends = [
            {"theirs": _lists(e.theirs), "mine": _lists(e.mine), "proof": _proof_to_json(e.proof)}
            for e in proof.ends
        ]
        answers = _answers_to_json(proof.answers)
        return {"kind": "cases", "answers": answers, "ends": ends, "latest": proof.latest}
    groups = [
        {
            "columns": list(group.columns),
            "role": group.role,
            "free": group.free,
            "needs": [_lists(need) for need in group.needs],
            "answers": _answers_to_json(group.answers),
        }
        for group in proof.groups
    ]
    return {"kind": "local", "groups": groups, "latest": proof.latest}


def _answers_to_json(answers: Iterable[GroupAnswer]) -> list[dict[str, Any]]:
    return [
        {"theirs": _lists(a.theirs), "mine": _lists(a.mine), "answer": list(a.answer)} for a in answers
    ]


def _lists(squares: Iterable[Square]) -> list[list[int]]:
    return [list(square) for square in squares]


def _reading(read: Callable[[Json], T], value: Json, what: str) -> T:
    try:
        return read(value)
    except (AttributeError, IndexError, KeyError, TypeError, ValueError) as error:
        raise OptionError(f"this is not {what} in JSON: {error!r}") from error


def _read_explanation(value: Json) -> Explanation:
    if value["version"] != VERSION:
        raise OptionError(f"version {value['version']!r} is not known; this is version {VERSION}")
    verdict = Result.from_json(value["verdict"])
    claims = tuple(_read_claim(claim) for claim in value["claims"])
    line = tuple(_integer(column) for column in value["line"])
    verdict.position.play(*line)
    return Explanation(verdict.position, verdict, line, claims, bool(value["complete"]))


def _read_move(value: Json) -> MoveExplanation:
    before = Result.from_json(value["before"])
    reason, better = (
        None if value[key] is None else _read_explanation(value[key]) for key in ("reason", "better")
    )
    return MoveExplanation(
        before.position,
        _integer(value["column"]),
        before,
        Line.from_json(value["after"]),
        Columns(value["keeping"]),
        Columns(value["replies"]),
        reason,
        better,
    )


def _read_claim(value: Json) -> Claim:
    start = tuple(_integer(column) for column in value["start"])
    goal = _one_of(value["goal"], "win", "hold")
    return Claim(_one_of(value["player"], 1, 2), goal, start, _read_proof(value["proof"]))


def _read_proof(value: Json) -> Proof:
    kind = _one_of(value["kind"], "force", "plan", "local", "cases")
    if kind == "force":
        return Force(tuple(_integer(column) for column in value["line"]))
    if kind == "cases":
        ends = tuple(
            CaseEnd(_squares(e["theirs"]), _squares(e["mine"]), _read_table(e["proof"]))
            for e in value["ends"]
        )
        return Cases(_read_answers(value["answers"]), ends, _read_latest(value))
    return _read_table(value)


def _read_table(value: Json) -> Plan | LocalGames:
    if _one_of(value["kind"], "plan", "local") == "plan":
        answers = tuple(Answer(_square(a["stone"]), _squares(a["squares"])) for a in value["answers"])
        return Plan(answers, _integer(value["takes"]), _read_latest(value))
    return LocalGames(tuple(_read_group(group) for group in value["groups"]), _read_latest(value))


def _read_latest(value: Json) -> int | None:
    return None if value["latest"] is None else _integer(value["latest"])


def _read_group(value: Json) -> Group:
    return Group(
        tuple(_integer(column) for column in value["columns"]),
        _one_of(value["role"], "win", "hold"),
        _one_of(value["free"], "never", "any_even", "one_odd", "one"),
        tuple(_squares(need) for need in value["needs"]),
        _read_answers(value["answers"]),
    )


def _read_answers(value: Iterable[Any]) -> tuple[GroupAnswer, ...]:
    return tuple(
        GroupAnswer(_squares(a["theirs"]), _squares(a["mine"]), _square(a["answer"])) for a in value
    )


def _squares(value: Iterable[Any]) -> tuple[Square, ...]:
    return tuple(_square(square) for square in value)


def _square(value: Iterable[Any]) -> Square:
    column, row = value
    return _integer(column), _integer(row)


def _integer(value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise TypeError(f"{value!r} is not an integer")
    return value


def _one_of(value: Any, *choices: Any) -> Any:
    if value not in choices or isinstance(value, bool):
        raise ValueError(f"{value!r} is none of {choices}")
    return value
