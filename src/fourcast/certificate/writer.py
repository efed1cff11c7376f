"""Certificates as files; `alone.py` describes the format."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from fourcast.certificate.alone import Board, bits_of
from fourcast.certificate.levels import MOST_LEVELS

__all__ = ["Strategy", "encode", "symbols_of", "written"]

Pair = tuple[int, int]
"""A position: the discs of the player that the certificate is for, and of the opponent."""
Leaf = dict[str, Any]
"""Local games, or a level diagram, as the core's questions `certificate.leaf` and `diagram` answer."""
Levels = tuple[str, ...]
"""The squares of each level of a diagram, as the core writes them."""

Symbol = tuple[int, int]
"""How many values it could have, and the one that it has."""

FORCED = 0
"""In place of a move: the player wins by force."""


@dataclass
class Strategy:
    """What the player does: enough to write a certificate.

    All positions are up to mirror image (`Board.one_of_mirrors`).
    """

    width: int
    height: int
    player: int
    win: bool
    start: Sequence[int] = ()
    """Columns to where the proof begins."""
    moves: dict[Pair, int] = field(default_factory=dict)
    """For a position with the player to move, the square of the disc, or FORCED."""
    leaves: dict[Pair, Leaf] = field(default_factory=dict)
    """For a position with the opponent to move, its proof. All others have several replies."""
    readable: bool = False
    """Whether all leaves are level diagrams."""

    def begin(self, board: Board) -> tuple[Pair, bool]:
        """Return where the proof begins, and whether the player is to move there."""
        sides = [0, 0]
        for ply, column in enumerate(self.start):
            sides[ply % 2] |= board.playable(sides[0] | sides[1]) & board.columns[column]
        position = sides[self.player - 1], sides[2 - self.player]
        return position, len(self.start) % 2 == self.player - 1


def encode(strategy: Strategy) -> bytes:
    """Return the certificate of a strategy, which must have a move wherever one is needed."""
    version = 3 if strategy.readable else 2
    goal = [strategy.player, strategy.win, len(strategy.start)]
    head = bytes([version, strategy.width, strategy.height, *goal])
    return b"C4WN" + head + bytes(strategy.start) + written(symbols_of(strategy))


def symbols_of(strategy: Strategy) -> list[Symbol]:
    """Return the symbols that the checker reads."""
    walk = _LevelWalk(strategy) if strategy.readable else _Walk(strategy)
    walk.run()
    return walk.symbols


def written(symbols: Sequence[Symbol]) -> bytes:
    """Return symbols as the bytes of one large number."""
    number = 1
    for values, symbol in reversed(symbols):
        number = number * values + symbol
    return number.to_bytes((number.bit_length() + 7) // 8, "little")


class _Walk:
    """The walk of the checker, with the symbols that it reads."""

    def __init__(self, strategy: Strategy) -> None:
        self.strategy = strategy
        self.board = Board(strategy.width, strategy.height)
        self.symbols: list[Symbol] = []
        self.seen: set[Pair] = set()
        self.seen_after: set[Pair] = set()
        self.waiting: list[Pair] = []

    def run(self) -> None:
        (mine, theirs), to_move = self.strategy.begin(self.board)
        if to_move:
            self.wait(mine, theirs)
        else:
            self.reply(mine, theirs)
        while self.waiting:
            self.move(*self.waiting.pop())

    def put(self, values: int, symbol: int) -> None:
        assert 0 <= symbol < values
        self.symbols.append((values, symbol))

    def wait(self, mine: int, theirs: int) -> None:
        position = self.board.one_of_mirrors(mine, theirs)
        if position not in self.seen:
            self.seen.add(position)
            self.waiting.append(position)

    def reply(self, mine: int, theirs: int) -> None:
        board = self.board
        for move in bits_of(board.playable(mine | theirs)):
            if board.playable(mine | theirs | move) or self.strategy.win:
                self.wait(mine, theirs | move)

    def move(self, mine: int, theirs: int) -> None:
        board, win = self.board, self.strategy.win
        if board.wins(mine, theirs) or (not win and not board.has_four(board.squares & ~mine)):
            return
        moves = board.sensible_moves(mine, theirs)
        move = self.strategy.moves[mine, theirs]
        self.put(len(moves) + win, len(moves) if move == FORCED else moves.index(move))
        if move == FORCED:
            return
        self.go_on(board.one_of_mirrors(mine | move, theirs))

    def go_on(self, after: Pair) -> None:
        """Write what follows a move, once: a leaf, or the opponent's replies."""
        if after in self.seen_after:
            return
        self.seen_after.add(after)
        leaf = self.strategy.leaves.get(after)
        if leaf is None:
            self.put(self.kinds(), 0)
            self.reply(*after)
        else:
            self.leaf(after, leaf)

    def kinds(self) -> int:
        """How many things may follow a move."""
        return 2

    def leaf(self, after: Pair, leaf: Leaf) -> None:
        self.put(self.kinds(), 1)
        self.local_games(*after, leaf)

    def local_games(self, mine: int, theirs: int, leaf: Leaf) -> None:
        board = self.board
        home = {column: group for group in leaf["groups"] for column in group["columns"]}
        order: list[Any] = []
        for number, column in enumerate(board.columns):
            if column & ~(mine | theirs):
                group = home[number]
                known = [each is group for each in order]
                self.put(len(order) + 1, known.index(True) if True in known else len(order))
                if True not in known:
                    order.append(group)
        if self.strategy.win:
            self.put(len(order), next(i for i, group in enumerate(order) if group["wins"]))
        groups = [
            sum(board.columns[column] for column in group["columns"]) & ~(mine | theirs)
            for group in order
        ]
        symbols, _ = assignment(
            board, mine, theirs, groups, [list(map(int, group["needs"])) for group in order]
        )
        for values, symbol in symbols:
            self.put(values, symbol)


class _LevelWalk(_Walk):
    """The walk of the checker of version 3, which `levels.py` describes."""

    def __init__(self, strategy: Strategy) -> None:
        super().__init__(strategy)
        self.diagrams: list[list[int]] = []

    def move(self, mine: int, theirs: int) -> None:
        board = self.board
        if board.wins(mine, theirs):
            return
        moves = list(bits_of(board.playable(mine | theirs)))
        move = self.strategy.moves[mine, theirs]
        self.put(len(moves) + 1, len(moves) if move == FORCED else moves.index(move))
        if move != FORCED:
            self.go_on(board.one_of_mirrors(mine | move, theirs))

    def kinds(self) -> int:
        return 2 * len(self.diagrams) + 2

    def leaf(self, _after: Pair, leaf: Leaf) -> None:
        levels = list(map(int, leaf["levels"]))
        known = self.kinds()
        for mirrored, seen in enumerate((levels, list(map(self.board.mirrored, levels)))):
            if seen in self.diagrams:
                self.put(known, 2 * self.diagrams.index(seen) + 2 + mirrored)
                return
        self.put(known, 1)
        self.put(MOST_LEVELS, len(levels) - 1)
        for square in bits_of(self.board.squares):
            of_square = (number for number, level in enumerate(levels, start=1) if level & square)
            self.put(len(levels) + 1, next(of_square, 0))
        self.diagrams.append(levels)


def assignment(
    board: Board, mine: int, theirs: int, groups: list[int], proven: list[list[int]]
) -> tuple[list[tuple[int, int]], list[list[int]]]:
    """Return the symbols that say which group stops which line, and the needs of each group.

    *proven* are needs that the groups can stop; the checker needs no more than these.
    """
    lines = board.open_lines(mine, theirs)
    choices = [[number for number, group in enumerate(groups) if line & group] for line in lines]
    needs: list[list[int]] = [[] for _ in groups]
    symbols = []
    for line, numbers in zip(lines, choices, strict=True):
        if len(numbers) == 1 and not _stopped(line, needs):
            needs[numbers[0]].append(line & groups[numbers[0]])
    for line, numbers in zip(lines, choices, strict=True):
        if not _stopped(line, needs):
            symbol = next(
                index
                for index, number in enumerate(numbers)
                if any(need & ~line == 0 for need in proven[number])
            )
            symbols.append((len(numbers), symbol))
            needs[numbers[symbol]].append(line & groups[numbers[symbol]])
    return symbols, needs


def _stopped(line: int, needs: list[list[int]]) -> bool:
    return any(need & ~line == 0 for each in needs for need in each)
