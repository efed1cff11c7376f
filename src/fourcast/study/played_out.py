"""All games that a plan, or a group of local games, leads to: which squares each side gets.

This is for marks and words; what is proven is the checker's business. Sets of squares are ints: column
c, row r (0 is the bottom) is bit c * (height + 1) + r, as in `Position.bitboards`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache

from fourcast._core import Position
from fourcast.study.explain import Group, Plan, Square

__all__ = ["Games", "as_bits", "as_squares", "play_group", "play_plan"]


@dataclass
class Games:
    """What happens in the games."""

    mine: int = 0
    """Squares that the player takes before the four that ends a game."""
    theirs: int = 0
    """Squares that the opponent takes, except for the disc before that four."""
    wins: int = 0
    """Squares on which the player completes a four."""
    ever_theirs: int = 0
    """Squares that the opponent takes at any time; all that are left when a plan has done its work."""
    on_top: int = 0
    """Discs of the opponent that a plan answers on top, for want of an entry."""
    always_below: bool = True
    """Every game ends with a disc of the opponent's right below the square that completes the four."""
    forced: bool = False
    """Some game ends with a forced win that is not played out."""
    is_safe: bool = False
    """The squares of `ever_theirs` hold no four, and no game ends with a forced win."""
    positions: int = 0
    """Positions with the opponent to move."""
    answers: dict[int | None, int] = field(default_factory=dict)
    """To each disc of the opponent its answers in all games; None: moves that nothing has asked for."""
    chosen: dict[int, set[tuple[int, int]]] = field(default_factory=dict)
    """To each disc its answers in a group that neither complete a four nor block one, each with all
    squares of the group that could be played instead."""
    settled: int = 0
    """Discs after which a group has done its work: from there on any answer in the group will do."""


def as_bits(squares: Iterable[Square], position: Position) -> int:
    """Return squares as an int.

    >>> as_bits([(0, 1), (1, 0)], Position()), as_squares(130, Position())
    (130, ((0, 1), (1, 0)))
    """
    stride = position.height + 1
    return sum({1 << (column * stride + row) for column, row in squares})


def as_squares(bits: int, position: Position) -> tuple[Square, ...]:
    """Return the squares of an int, column by column."""
    stride = position.height + 1
    return tuple(divmod(bit, stride) for bit in range(bits.bit_length()) if bits >> bit & 1)


@lru_cache(maxsize=64)
def play_plan(plan: Plan, position: Position, player: int) -> Games:
    """Play every game from *position*, with the opponent of *player* to move."""
    board, games = _Board(position), Games()
    table = {
        as_bits([a.stone], position): [as_bits([s], position) for s in a.squares] for a in plan.answers
    }
    first = position.bitboards[player - 1], position.bitboards[2 - player]
    seen, waiting = {first}, [first]
    while waiting:
        mine, theirs = waiting.pop()
        games.mine |= mine
        games.theirs |= theirs
        if plan.latest is None and not board.has_four(board.squares & ~mine):
            games.ever_theirs |= board.squares & ~mine  # no line is left: the plan has done its work
            continue
        games.ever_theirs |= theirs
        for stone in board.playable(mine | theirs):
            now = theirs | stone
            games.ever_theirs |= stone
            if wins := board.wins(mine, now):
                games.wins |= sum(wins)
                games.always_below &= wins == [stone << 1]
                continue
            block = board.wins(now, mine)
            if not block and plan.takes > 1 and board.forces(mine, now, plan.takes):
                games.forced, games.always_below = True, False
                continue
            open_squares = board.playable(mine | now)
            answer = next(
                (
                    square
                    for square in block or table.get(stone, [stone << 1])
                    if square in open_squares and (block or not board.gives_four(square, mine, now))
                ),
                None,
            )
            if answer is None:  # the board is full
                games.theirs |= now
                continue
            if not block and stone not in table:
                games.on_top |= stone
            if not block:
                games.answers[stone] = games.answers.get(stone, 0) | answer
            state = mine | answer, now
            if state not in seen:
                seen.add(state)
                waiting.append(state)
    games.positions = len(seen)
    games.is_safe = not games.forced and not board.has_four(games.ever_theirs)
    return games


def play_group(group: Group, position: Position, player: int) -> Games:
    """Play every game of *group* by its table, with the opponent of *player* to move in *position*."""
    board, games = _Board(position), Games()
    own, other = position.bitboards[player - 1], position.bitboards[2 - player]
    mask = own | other
    squares = sum(board.columns[column] for column in group.columns) & ~mask
    needs = [as_bits(need, position) for need in group.needs]
    table = {
        (as_bits(entry.theirs, position), as_bits(entry.mine, position)): as_bits(
            [entry.answer], position
        )
        for entry in group.answers
    }

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
        moves = [move for move in board.playable(mask | theirs | mine) if move & squares]
        threats = [move for move in moves if board.has_four(own | mine | move)]
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
            if answer is None:
                games.theirs |= now
                games.settled |= stone or 0
                continue
            games.answers[stone] = games.answers.get(stone, 0) | answer
            if board.has_four(own | mine | answer):
                games.wins |= answer
                continue
            if stone and not board.has_four(other | now | answer):
                could = sum(board.playable(mask | now | mine)) & squares
                games.chosen.setdefault(stone, set()).add((could, answer))
            state = now, mine | answer, free and (stone is not None or group.free == "any_even")
            if state not in seen:
                seen.add(state)
                waiting.append(state)
    return games


class _Board:
    """The rules on sets of squares."""

    def __init__(self, position: Position) -> None:
        height = position.height
        stride = height + 1
        self.columns = [((1 << height) - 1) << (column * stride) for column in range(position.width)]
        self.squares = sum(self.columns)
        self._steps = (1, height, stride, height + 2)

    def has_four(self, stones: int) -> bool:
        stones &= self.squares
        for step in self._steps:
            two = stones & stones >> step
            if two & two >> 2 * step:
                return True
        return False

    def playable(self, mask: int) -> list[int]:
        return [free & -free for column in self.columns if (free := column & ~mask)]

    def wins(self, own: int, other: int) -> list[int]:
        """The squares on which the next disc completes a four of *own*."""
        return [move for move in self.playable(own | other) if self.has_four(own | move)]

    def gives_four(self, square: int, mine: int, theirs: int) -> bool:
        """Whether *square* is below one where the opponent completes a four."""
        return self.has_four(theirs | (square << 1 & ~(mine | theirs)))

    def forces(self, mine: int, theirs: int, stones: int) -> bool:
        """Whether the player, to move, wins with *stones* discs, each of them with one reply."""
        if self.wins(mine, theirs):
            return True
        block = self.wins(theirs, mine)
        if stones < 2 or len(block) > 1:
            return False
        for move in block or self.playable(mine | theirs):
            now = mine | move
            replies = self.wins(now, theirs)
            if (
                replies
                and not self.wins(theirs, now)
                and self.forces(now, theirs | replies[0], stones - 1)
            ):
                return True
        return False
