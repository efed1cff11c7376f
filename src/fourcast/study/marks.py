"""What an explanation draws on the board: one value for every renderer.

The words carry everything; marks show where. Each kind is a set of squares with a meaning that the tests
check on the games that a plan leads to.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

from fourcast._core import Position
from fourcast.errors import OptionError
from fourcast.study.explain import Cases, Claim, Explanation, Force, Plan, Square
from fourcast.study.played_out import Games, as_bits, as_squares, play_group, play_plan

__all__ = ["Marks", "marks", "proof_position"]

Squares = tuple[Square, ...]


@dataclass(frozen=True)
class Marks:
    """The marks of one claim. Rows and columns count from 0.

    `gets`, `leaves`, `frozen` and the squares of `pairs` are empty squares of `position`, and none is in
    two of these. `wins` may be any of them.

    >>> from fourcast import explain
    >>> found = explain(Position("14642545655244774665")).marks()
    >>> found.player, found.pairs, found.wins
    (2, (((0, 1), (4, 5)),), ((2, 1), (6, 3)))
    >>> Marks.from_json(found.to_json()) == found
    True
    """

    position: Position
    """The board that is drawn: after the explanation's line and the first moves of the claim."""
    player: int | None
    """Whose reason it is, 1 or 2; None if there is no claim."""
    played: Squares = ()
    """Discs of `position` that the explained board does not have, in the order of play."""
    gets: Squares = ()
    """Squares that only the player gets, as long as the plan is needed."""
    leaves: Squares = ()
    """Squares that only the opponent may get. Squares that either may get are not marked."""
    pairs: tuple[tuple[Square, Square], ...] = ()
    """Linked squares: when the opponent takes one, the player takes the other."""
    frozen: Squares = ()
    """Squares that nobody plays until the opponent has to: the upper part of columns with a win."""
    wins: Squares = ()
    """Where the player completes a four; () for a plan that holds."""
    line: Squares = ()
    """Discs to come, in order: a forcing line up to the last block; without a claim, the best move."""
    groups: tuple[tuple[int, ...], ...] = ()
    """The columns of each local game; () for other proofs."""

    def to_json(self) -> dict[str, Any]:
        """Return the marks as JSON types: squares are [column, row], `rows` is the board."""
        return {
            "width": self.position.width,
            "height": self.position.height,
            "rows": self.position.to_rows(),
            "player": self.player,
            **{name: _lists(getattr(self, name)) for name in _TUPLES},
        }

    @staticmethod
    def from_json(value: Mapping[str, Any]) -> Marks:
        """Return the marks that `to_json` gave. Raises `OptionError` if it is none."""
        try:
            found = {name: _tuples(value[name]) for name in _TUPLES}
            return Marks(Position.from_rows(value["rows"]), value["player"], **found)
        except (KeyError, TypeError, ValueError) as error:
            raise OptionError(f"these are not marks in JSON: {error!r}") from error


_TUPLES = [entry.name for entry in fields(Marks) if entry.name not in ("position", "player")]


def marks(explanation: Explanation, claim: int = 0) -> Marks:
    """Return what one claim of an explanation draws; *claim* counts from 0.

    Without any claim that is the best move.
    """
    position = explanation.claims_position
    before = _squares_played(explanation.position, explanation.line)
    if not explanation.claims and claim == 0:
        best = explanation.verdict.best_columns
        line = _squares_played(position, best[:1] if best else ())
        return Marks(position, None, before, line=line)
    if not isinstance(claim, int) or not 0 <= claim < len(explanation.claims):
        raise OptionError(
            f"there is no claim {claim!r}: the explanation has {len(explanation.claims)}, counted from 0"
        )
    return _of_claim(explanation.claims[claim], position, before)


def proof_position(claim: Claim, position: Position) -> tuple[Position, tuple[int, ...]]:
    """Return where the proof of *claim* begins, and the columns from *position* to there.

    That is after the claim's first moves, or earlier if two threats leave nothing to prove.
    """
    for number, column in enumerate(claim.start):
        if position.turn != claim.player and len(position.winning_columns(claim.player)) > 1:
            return position, claim.start[:number]
        position = position.play(column)
    return position, claim.start


def _of_claim(claim: Claim, position: Position, before: Squares) -> Marks:
    start, moves = proof_position(claim, position)
    played = before + _squares_played(position, moves)
    if len(moves) < len(claim.start):
        return Marks(start, claim.player, played, wins=_winning(start, claim.player))
    if isinstance(claim.proof, Force):
        return _of_force(claim.proof, start, claim.player, played)
    if isinstance(claim.proof, Cases):  # who gets what depends on the case
        return Marks(start, claim.player, played)
    groups: tuple[tuple[int, ...], ...] = ()
    if isinstance(claim.proof, Plan):
        games = [play_plan(claim.proof, start, claim.player)]
        pairs = claim.proof.pairs
    else:
        games = [play_group(group, start, claim.player) for group in claim.proof.groups]
        pairs = tuple(pair for game in games for pair in _pairs(game, start))
        groups = tuple(group.columns for group in claim.proof.groups)
    return replace(_of_games(games, pairs, start, claim), played=played, groups=groups)


def _of_force(proof: Force, position: Position, player: int, played: Squares) -> Marks:
    """Number the line up to the disc that makes two threats, or to the last block."""
    line = proof.line[:-1]
    if line:
        before_reply = position.play(*line[:-1])
        if len(before_reply.winning_columns(player)) > 1:
            line = line[:-1]
    last = position.play(*line)
    wins = _winning(last, player)
    return Marks(position, player, played, wins=wins, line=_squares_played(position, line))


def _of_games(
    games: Sequence[Games], pairs: tuple[tuple[Square, Square], ...], position: Position, claim: Claim
) -> Marks:
    """Sort the empty squares by who takes them before a four ends the game."""
    mine, theirs, wins = 0, 0, 0
    for game in games:
        mine, theirs, wins = mine | game.mine, theirs | game.theirs, wins | game.wins
    columns = [
        as_bits(((column, row) for row in range(position.heights[column], position.height)), position)
        for column in range(position.width)
    ]
    empty = sum(columns)
    pairs = tuple(pair for pair in pairs if not as_bits(pair, position) & ~empty)
    paired = as_bits((square for pair in pairs for square in pair), position)
    # A square that the opponent can block decides nothing, unless there are no others.
    wins = 0 if claim.goal == "hold" else wins & ~theirs or wins
    untaken = empty & ~(mine | theirs | paired)
    frozen = sum(column & untaken for column in columns if wins & column & untaken & untaken << 1)

    def of(bits: int) -> Squares:
        return as_squares(bits & empty, position)

    return Marks(
        position,
        claim.player,
        gets=of(mine & ~theirs & ~paired),
        leaves=of(theirs & ~mine & ~paired),
        pairs=pairs,
        frozen=of(frozen),
        wins=of(wins),
    )


def _pairs(games: Games, position: Position) -> Iterator[tuple[Square, Square]]:
    """Squares in different columns of which each is the only answer to the other."""
    for stone, answer in games.answers.items():
        if stone is not None and stone < answer and games.answers.get(answer) == stone:
            one, other = as_squares(stone | answer, position)
            if one[0] != other[0]:
                yield one, other


def _winning(position: Position, player: int) -> Squares:
    return tuple((column, position.heights[column]) for column in position.winning_columns(player))


def _squares_played(position: Position, columns: Iterable[int]) -> Squares:
    squares = []
    for column in columns:
        squares.append((column, position.heights[column]))
        position = position.play(column)
    return tuple(squares)


def _lists(value: Any) -> Any:
    return [_lists(part) for part in value] if isinstance(value, tuple) else value


def _tuples(value: Any) -> Any:
    if isinstance(value, list | tuple):
        return tuple(_tuples(part) for part in value)
    if not isinstance(value, int) or isinstance(value, bool):
        raise TypeError(f"{value!r} is not an integer")
    return value
