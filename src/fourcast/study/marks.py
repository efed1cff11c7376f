"""What an explanation draws on the board: one value for every renderer.

The words carry everything; marks show where. Each kind is a set of squares with a meaning that the tests
check on the games that a plan leads to.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any

from fourcast._core import Position
from fourcast.errors import OptionError
from fourcast.study.checker import Rules, check_claim
from fourcast.study.explain import Claim, Explanation, Force, Group, Plan, Square

__all__ = ["GroupGames", "Marks", "marks", "play_group", "proof_position", "squares_of"]

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
    """Squares that the player gets, and the opponent never does, as long as the plan is needed."""
    leaves: Squares = ()
    """Squares that the opponent may get, and no others except one of each pair."""
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


@dataclass
class GroupGames:
    """All games of one group of columns, played by its table. Sets of squares are ints of `Rules`."""

    mine: int = 0
    """Squares that the player takes before a four ends the game."""
    theirs: int = 0
    """Squares that the opponent takes before a four ends the game."""
    wins: int = 0
    """Squares on which the player completes a four."""
    answers: dict[int | None, int] = field(default_factory=dict)
    """To each stone of the opponent its answers in all games; None: moves that nothing has asked for."""
    settled: int = 0
    """Stones after which the group has done its work: from there on any answer in the group will do."""


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
    if not 0 <= claim < len(explanation.claims):
        raise OptionError(
            f"there is no claim {claim}: the explanation has {len(explanation.claims)}, counted from 0"
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


def play_group(group: Group, position: Position, player: int) -> GroupGames:
    """Play every game of *group* by its table, with the opponent of *player* to move in *position*."""
    rules = Rules(position.width, position.height)
    boards = position.bitboards
    own, mask = boards[player - 1], boards[0] | boards[1]
    squares = sum(rules.columns[column] for column in group.columns) & ~mask
    needs = [rules.bits(need) for need in group.needs]
    table = {(rules.bits(a.theirs), rules.bits(a.mine)): rules.bit(*a.answer) for a in group.answers}
    games = GroupGames()

    def is_settled(mine: int) -> bool:
        return group.role == "hold" and all(need & mine for need in needs)

    first = (0, 0, group.free != "never")
    seen, waiting = {first}, [first]
    while waiting:
        theirs, mine, free = waiting.pop()
        games.theirs |= theirs
        games.mine |= mine
        if is_settled(mine):
            continue
        moves = [move for move in rules.playable(mask | theirs | mine) if move & squares]
        threats = [move for move in moves if rules.has_four(own | mine | move)]
        games.wins |= sum(threats)
        if len(threats) > 1:
            continue
        asked: list[int | None] = [*(threats or moves)]
        odd = (squares & ~(theirs | mine)).bit_count() % 2 == 1
        if moves and not threats and free and (group.free == "one" or odd == (group.free == "one_odd")):
            asked.append(None)
        for stone in asked:
            now = theirs | (stone or 0)
            answer = table.get((now, mine))
            if answer is None or is_settled(mine):
                games.theirs |= now
                games.settled |= stone or 0
                continue
            games.answers[stone] = games.answers.get(stone, 0) | answer
            if rules.has_four(own | mine | answer):
                games.wins |= answer
                continue
            state = now, mine | answer, free and (stone is not None or group.free == "any_even")
            if state not in seen:
                seen.add(state)
                waiting.append(state)
    return games


def _of_claim(claim: Claim, position: Position, before: Squares) -> Marks:
    start, moves = proof_position(claim, position)
    played = before + _squares_played(position, moves)
    if len(moves) < len(claim.start):
        return Marks(start, claim.player, played, wins=_winning(start, claim.player))
    if isinstance(claim.proof, Force):
        return _of_force(claim.proof, start, claim.player, played)
    rules = Rules(position.width, position.height)
    if isinstance(claim.proof, Plan):
        found = check_claim(*position.bitboards, rules.width, rules.height, claim.to_json())
        mine = theirs = 0
        for taken, others in found.states:
            mine, theirs = mine | taken, theirs | others
        drawn = _of_games(rules, start, claim, mine, theirs, found.wins, claim.proof.pairs)
    else:
        games = [play_group(group, start, claim.player) for group in claim.proof.groups]
        mine, theirs, wins = (sum(getattr(game, name) for game in games) for name in _SETS)
        pairs = tuple(pair for game in games for pair in _pairs(game, rules))
        groups = tuple(group.columns for group in claim.proof.groups)
        drawn = replace(_of_games(rules, start, claim, mine, theirs, wins, pairs), groups=groups)
    return replace(drawn, played=played)


_SETS = ("mine", "theirs", "wins")


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
    rules: Rules,
    position: Position,
    claim: Claim,
    mine: int,
    theirs: int,
    wins: int,
    pairs: tuple[tuple[Square, Square], ...],
) -> Marks:
    """Sort the empty squares by who takes them before a four ends the game."""
    empty = sum(rules.columns) & ~sum(position.bitboards)
    pairs = tuple(pair for pair in pairs if not rules.bits(pair) & ~empty)
    paired = rules.bits([square for pair in pairs for square in pair])
    untaken = empty & ~(mine | theirs | paired)
    frozen = 0
    wins = (
        0 if claim.goal == "hold" else wins & ~theirs or wins
    )  # a threat that is blocked decides nothing
    for column in rules.columns:
        if wins & column & untaken & (untaken << 1):
            frozen |= column & untaken

    def of(bits: int) -> Squares:
        return squares_of(bits & empty, rules)

    return Marks(
        position,
        claim.player,
        gets=of(mine & ~theirs & ~paired),
        leaves=of(theirs & ~paired),
        pairs=pairs,
        frozen=of(frozen),
        wins=of(wins),
    )


def _pairs(games: GroupGames, rules: Rules) -> Iterable[tuple[Square, Square]]:
    for stone, answer in games.answers.items():
        if stone is not None and stone < answer and games.answers.get(answer) == stone:
            (one,), (other,) = squares_of(stone, rules), squares_of(answer, rules)
            if one[0] != other[0]:
                yield one, other


def squares_of(bits: int, rules: Rules) -> Squares:
    """Return the squares of an int of the checker, column by column."""
    return tuple(divmod(bit, rules.stride) for bit in range(bits.bit_length()) if bits >> bit & 1)


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
