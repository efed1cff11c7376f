"""Why a position is won, lost or drawn, and why a move is bad: reasons with proofs.

>>> found = explain(Position("4575274553"))
>>> found.verdict.outcome, found.claims[0].proof
('win', Force(line=(3, 2, 3)))
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache, lru_cache, partial
from types import NoneType, UnionType
from typing import Any, Literal, TypeVar, cast, get_args, get_origin, get_type_hints

from fourcast._core import Columns, Limit, Line, Position, Result, StopToken, ask
from fourcast.errors import OptionError, ProofError, require
from fourcast.notation import require_position
from fourcast.render.said import Said, paragraphs_text
from fourcast.solver import Solver
from fourcast.study.checker import check
from fourcast.study.marks import Marks, Square

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
    "clause_count",
    "columns_said",
    "explain",
    "explain_columns",
    "explain_move",
    "with_idea",
]

VERSION = 1
"""The version of the JSON format, which docs/explain.md describes."""

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


Proof = Force | Plan | LocalGames | Cases


@dataclass(frozen=True)
class Claim:
    """*player* (1 or 2) reaches *goal* whatever the opponent does; "hold" is not to lose."""

    player: Literal[1, 2]
    goal: Literal["win", "hold"]
    start: tuple[int, ...]
    """Columns that lead to where the proof begins: moves of the player's, and forced replies."""
    proof: Proof

    def to_json(self) -> dict[str, Any]:
        """Return the claim as JSON types."""
        content: dict[str, Any] = _to_json(self)
        return content

    @staticmethod
    def from_json(value: Json) -> Claim:
        """Return the claim that `to_json` gave. Raises `OptionError` if it is none."""
        return _reading(lambda value: cast(Claim, _read(Claim, value)), value, "a claim")


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
    idea: Json | None = field(default=None, hash=False, repr=False)
    """What the words are made of; docs/explain.md describes it."""

    @property
    def claims_position(self) -> Position:
        """The position that the claims are about: the one after the line."""
        return self.position.play(*self.line)

    @property
    def said(self) -> list[list[Said]]:
        """What `words` says, in paragraphs: the verdict, then the idea."""
        said: list[list[Said]] = _described(self)["said"]
        return said

    def __str__(self) -> str:
        return self.words()

    @property
    def proof(self) -> list[list[Said]]:
        """What proves it, in paragraphs: the verdict, then one for each claim."""
        said: list[list[Said]] = _described(self)["proof"]
        return said

    def _repr_html_(self) -> str:
        """The marked board and the words, as notebooks show them."""
        from fourcast.render.notebook import explanation_html

        return explanation_html(self)

    def words(self, names: tuple[str, str] = ("Red", "Yellow")) -> str:
        """Return the idea in sentences; *names* are those of the first and second player.

        Squares are column and row: 4/3 is row 3 of column 4.

        >>> print(explain(Position("4575274553")).words())  # doctest: +NORMALIZE_WHITESPACE
        Red, to move, wins in 2 moves.
        Red plays 4/3 and threatens 3/2 and 4/4 at once. Rule: look for the disc that makes two threats.
        """
        return paragraphs_text(self.said, names)

    def proof_words(self, names: tuple[str, str] = ("Red", "Yellow")) -> str:
        """Return the whole proof in sentences."""
        return paragraphs_text(self.proof, names)

    def marks(self, claim: int = 0) -> Marks:
        """Return what one of the claims draws on the board; a draw has two, counted from 0.

        Without any claim that is the best move.

        >>> explain(Position("4575274553")).marks().wins
        ((2, 1), (3, 3))
        """
        found = _described(self)["marks"]
        if not isinstance(claim, int) or not 0 <= claim < len(found):
            count = len(self.claims)
            raise OptionError(
                f"there is no claim {claim!r}: the explanation has {count}, counted from 0"
            )
        return Marks.from_json(found[claim])

    def to_json(self) -> dict[str, Any]:
        """Return the explanation as JSON types; docs/explain.md describes them."""
        return {
            "version": VERSION,
            "verdict": self.verdict.to_json(),
            "line": list(self.line),
            "claims": [claim.to_json() for claim in self.claims],
            "idea": self.idea,
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

    @property
    def said(self) -> list[list[Said]]:
        """What `words` says, in paragraphs; the first is about the move itself."""
        said: list[list[Said]] = self._described["said"]
        return said

    @property
    def proof(self) -> list[list[Said]]:
        """What proves what follows the move and, if it is a mistake, what was better."""
        said: list[list[Said]] = self._described["proof"]
        return said

    @property
    def brief(self) -> list[Said]:
        """In brief: what the move gave away, what follows it, and what was better."""
        brief: list[Said] = self._described["brief"]
        return brief

    @property
    def _described(self) -> Any:
        return ask("move.describe", {**_place(self.position), "move": self.to_json()})

    def __str__(self) -> str:
        return self.words()

    def words(self, names: tuple[str, str] = ("Red", "Yellow")) -> str:
        """Return the explanation in sentences; see `Explanation.words`."""
        return paragraphs_text(self.said, names)

    def proof_words(self, names: tuple[str, str] = ("Red", "Yellow")) -> str:
        """Return the proofs in sentences."""
        return paragraphs_text(self.proof, names)

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


def _limit_json(limit: Limit | None) -> Json | None:
    require("limit", limit, Limit, type(None))
    return limit and limit.to_json()


def explain(
    position: Position | str,
    *,
    solver: Solver | None = None,
    limit: Limit | None = None,
    stop: StopToken | None = None,
    quick: bool = False,
) -> Explanation:
    """Return why *position* is won, lost or drawn, with a proof where a short one was found.

    >>> print(explain("4575274553"))
    Red, to move, wins in 2 moves.
    Red plays 4/3 and threatens 3/2 and 4/4 at once. Rule: look for the disc that makes two threats.

    Every claim has been replayed by `fourcast.study.checker`, which knows nothing but the rules. Raises
    `FinishedGameError` if the game is over.

    The searches are bounded by steps: the same position has the same explanation on every machine. With
    *quick* they are shorter, and find fewer reasons of positions with few discs. *limit* is for the
    whole call: when it is reached, the explanation is what is known by then, and not complete.
    """
    position = require_position(position)
    request = {**_place(position), "quick": bool(quick), "limit": _limit_json(limit)}
    return _checked(ask("position.explain", request, solver or Solver(), stop=stop))


def with_idea(explanation: Explanation, solver: Solver, *, limit: Limit | None = None) -> Explanation:
    """Return the explanation with its idea, which follows from its claims.

    Those of a card of a repertoire are kept without it. Raises `ProofError` if a claim is not proven.
    """
    check(explanation)
    request = {
        **_place(explanation.position),
        "explanation": explanation.to_json(),
        "limit": _limit_json(limit),
    }
    return replace(explanation, idea=ask("explanation.idea", request, solver))


def explain_move(
    position: Position | str,
    column: int,
    *,
    solver: Solver | None = None,
    limit: Limit | None = None,
    reason_limit: Limit | None = None,
    stop: StopToken | None = None,
    quick: bool = False,
) -> MoveExplanation:
    """Return why playing *column* keeps the result or gives it away.

    *limit* is for each of the searches that this takes; *reason_limit* is for the search for a reason
    after the move, and for that after a better one, if their limit is to be another. *quick* is that of
    `explain`. Raises
    `IllegalMoveError` for a column that cannot be played, and `OptionError` if the limit or *stop*
    leaves the outcome of the moves open.
    """
    position = require_position(position)
    position.play(column)
    request = {
        **_place(position),
        "column": operator.index(column),
        "quick": bool(quick),
        "limit": _limit_json(limit),
        "reason_limit": _limit_json(reason_limit),
    }
    found = ask("move.explain", request, solver or Solver(), stop=stop)
    reason, better = (found[part] and _checked(found[part]) for part in ("reason", "better"))
    before = Result.from_json(found["before"])
    after = Line.from_json(found["after"])
    keeping, replies = Columns(found["keeping"]), Columns(found["replies"])
    return MoveExplanation(position, after.column, before, after, keeping, replies, reason, better)


def explain_columns(
    position: Position | str,
    *,
    solver: Solver | None = None,
    limit: Limit | None = None,
    reason_limit: Limit | None = None,
    stop: StopToken | None = None,
) -> Iterator[tuple[Line, Explanation | None]]:
    """Yield for each open column what it is worth and why: the position after it, explained quickly.

    That is None if the move ends the game. The limits are as in `explain_move`.

    >>> for line, reason in explain_columns(Position("332244")):
    ...     if line.column < 2:
    ...         print(line.column, line.outcome, reason and reason.claims[0].proof)
    0 win None
    1 win Force(line=(4,))
    """
    position = require_position(position)
    solver = solver or Solver()
    for line in sorted(solver.analyze(position, limit, stop=stop), key=lambda line: line.column):
        after = position.play(line.column)
        reason = None
        if not after.is_over:
            reason = explain(after, solver=solver, limit=reason_limit or limit, stop=stop, quick=True)
        yield line, reason


def columns_said(
    columns: Iterable[tuple[Line, Explanation | None]], explanation: Explanation | None = None
) -> list[Said]:
    """Return what is said of columns, and why, as `explain_columns` yields them.

    Those that share a fate share a sentence. What the text of *explanation*, that of the position, says
    of a column is not said again.
    """
    all_lines = list(columns)
    if not all_lines:
        return []
    described = [
        {
            "column": line.column,
            "lower": line.lower,
            "upper": line.upper,
            "reason": reason and reason.to_json(),
        }
        for line, reason in all_lines
    ]
    idea = explanation and explanation.idea
    request = {**_place(all_lines[0][0].position), "columns": described, "idea": idea}
    said: list[Said] = ask("columns.describe", request)
    return said


def clause_count(claim: Claim, position: Position) -> int:
    """Return how many rules a reader has to remember besides "on top"; 1 for a forcing line.

    *position* is the one that the claim is about, `Explanation.claims_position`.

    A pair is one rule, and so are all discs that are answered in the same column. Two columns of which
    one is played when the other is full are one rule, too. In a group whose answers depend on other
    discs, every answer to a disc that is not on top is one. Case by case, every answer is one.
    """
    count: int = ask("claim.clauses", {**_place(position), "claim": claim.to_json()})
    return count


def _place(position: Position) -> dict[str, str]:
    return {"rows": position.to_rows()}


@lru_cache(maxsize=32)
def _described(explanation: Explanation) -> Any:
    """Return the words and the marks of an explanation, as the core has them."""
    request = {**_place(explanation.position), "explanation": explanation.to_json()}
    return ask("explanation.describe", request)


def _checked(found: Json) -> Explanation:
    """Return the explanation that the core has found, once its claims have been replayed."""
    try:
        check(found)
    except ProofError as error:  # better no answer than a wrong one
        raise RuntimeError(f"fourcast found a proof that does not hold ({error}): {found}") from error
    return _read_explanation(found)


# ---- JSON --------------------------------------------------------------------------------------------


_KINDS: dict[str, type] = {"force": Force, "plan": Plan, "local": LocalGames, "cases": Cases}
_NAMES = {proof: kind for kind, proof in _KINDS.items()}


def _to_json(value: Any) -> Any:
    """Return a claim, or a part of one, as JSON types: the fields by their names."""
    kind: type = type(value)
    if kind is tuple:
        return [part if type(part) is int else _to_json(part) for part in value]
    if kind is int or kind is str or value is None:
        return value
    content = {name: _to_json(getattr(value, name)) for name in _field_types(kind)}
    return {"kind": _NAMES[kind], **content} if kind in _NAMES else content


def _reading(read: Callable[[Json], T], value: Json, what: str) -> T:
    try:
        return read(value)
    except (AttributeError, IndexError, KeyError, TypeError, ValueError) as error:
        raise OptionError(f"this is not {what} in JSON: {error!r}") from error


def _read_explanation(value: Json) -> Explanation:
    if value["version"] != VERSION:
        raise OptionError(f"version {value['version']!r} is not known; this is version {VERSION}")
    verdict = Result.from_json(value["verdict"])
    claims, line = _read(tuple[Claim, ...], value["claims"]), _read(tuple[int, ...], value["line"])
    verdict.position.play(*line)
    complete, idea = bool(value["complete"]), value.get("idea")
    return Explanation(verdict.position, verdict, line, claims, complete, idea)


def _read_move(value: Json) -> MoveExplanation:
    before = Result.from_json(value["before"])
    reason, better = (
        None if value[key] is None else _read_explanation(value[key]) for key in ("reason", "better")
    )
    return MoveExplanation(
        before.position,
        _read(int, value["column"]),
        before,
        Line.from_json(value["after"]),
        Columns(value["keeping"]),
        Columns(value["replies"]),
        reason,
        better,
    )


def _read(wanted: Any, value: Any) -> Any:
    """Return *value* as *wanted*, a type of one of the fields above. Raises TypeError or ValueError."""
    return _reader(wanted)(value)


@cache
def _reader(wanted: Any) -> Callable[[Any], Any]:
    """Return what reads values of this type: a claim has thousands of squares."""
    kinds, parts = get_origin(wanted), get_args(wanted)
    if kinds is tuple and parts[-1] is Ellipsis:
        read = _reader(parts[0])
        return lambda value: tuple(map(read, value))
    if kinds is tuple:
        readers = [_reader(part) for part in parts]
        return lambda value: tuple(read(each) for read, each in zip(readers, value, strict=True))
    if kinds is Literal:
        return partial(_read_literal, parts)
    if NoneType in parts:
        read_some = _reader(parts[0])
        return lambda value: None if value is None else read_some(value)
    if kinds is UnionType:
        return partial(_read_kind, parts)
    if wanted is int:
        return _read_integer
    fields = {name: _reader(part) for name, part in _field_types(wanted).items()}
    return lambda value: wanted(*[read(value[name]) for name, read in fields.items()])


def _read_literal(literals: tuple[Any, ...], value: Any) -> Any:
    if value not in literals or isinstance(value, bool):
        raise ValueError(f"{value!r} is none of {literals}")
    return value


def _read_kind(kinds: tuple[type, ...], value: Any) -> Any:
    kind = _KINDS[value["kind"]]
    if kind not in kinds:
        raise ValueError(f"{value['kind']!r} is none of {kinds}")
    return _read(kind, value)


def _read_integer(value: Any) -> int:
    if type(value) is not int:
        raise TypeError(f"{value!r} is not an integer")
    return value


@cache
def _field_types(cls: type) -> dict[str, Any]:
    return get_type_hints(cls)
