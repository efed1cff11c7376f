"""Certificates as files, written and read; `alone.py` and `levels.py` describe the format."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from fourcast.certificate import Certificate
from fourcast.certificate.alone import Board, bits_of
from fourcast.certificate.levels import MOST_LEVELS
from fourcast.errors import OptionError, require

__all__ = ["Strategy", "decode", "encode", "symbols_of", "written"]

Pair = tuple[int, int]
"""A position: the discs of the player that the certificate is for, and of the opponent."""
Leaf = dict[str, Any]
"""Local games, or a level diagram, as the core's questions `certificate.leaf` and `diagram` answer."""
Group = dict[str, Any]
"""A group of columns in a leaf: `columns`, whether the player `wins` there, and its `needs`."""
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

    def __post_init__(self) -> None:
        if self.player not in (1, 2):
            raise OptionError(f"player must be 1 or 2, not {self.player}")

    def begin(self, board: Board) -> tuple[Pair, bool]:
        """Return where the proof begins, and whether the player is to move there."""
        sides = [0, 0]
        for ply, column in enumerate(self.start):
            sides[ply % 2] |= board.playable(sides[0] | sides[1]) & board.columns[column]
        position = sides[self.player - 1], sides[2 - self.player]
        return position, len(self.start) % 2 == self.player - 1


def encode(strategy: Strategy) -> bytes:
    """Return the certificate of a strategy, which must have a move wherever one is needed."""
    require("strategy", strategy, Strategy)
    version = 3 if strategy.readable else 2
    goal = [strategy.player, strategy.win, len(strategy.start)]
    head = bytes([version, strategy.width, strategy.height, *goal])
    return b"C4WN" + head + bytes(strategy.start) + written(symbols_of(strategy))


def decode(certificate: Certificate) -> Strategy:
    """Return the strategy of a certificate, which is checked first. States of leaves are not counted.

    Raises `CertificateError` if it is no proof.
    """
    require("certificate", certificate, Certificate)
    proven, data = certificate.check(), certificate.data
    head = proven.width, proven.height, proven.player, proven.win, proven.start
    walk = _walk(Strategy(*head, readable=data[4] == 3))
    walk.number = int.from_bytes(data[10 + len(proven.start) :], "little")
    walk.run()
    return walk.strategy


def symbols_of(strategy: Strategy) -> list[Symbol]:
    """Return the symbols that the checker reads."""
    walk = _walk(strategy)
    walk.run()
    return walk.symbols


def written(symbols: Sequence[Symbol]) -> bytes:
    """Return symbols as the bytes of one large number."""
    number = 1
    for values, symbol in reversed(symbols):
        number = number * values + symbol
    return number.to_bytes((number.bit_length() + 7) // 8, "little")


def _walk(strategy: Strategy) -> _Walk:
    return _LevelWalk(strategy) if strategy.readable else _Walk(strategy)


class _Walk:
    """The walk of the checker: it writes the symbols of a strategy, or reads one from symbols."""

    def __init__(self, strategy: Strategy) -> None:
        self.strategy = strategy
        self.board = Board(strategy.width, strategy.height)
        self.symbols: list[Symbol] = []
        self.number: int | None = None
        """What to read; None to write."""
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

    def symbol(self, values: int, known: Callable[[], int]) -> int:
        """Return the next symbol: that of the strategy is *known* when it is written."""
        if self.number is None:
            symbol = known()
            assert 0 <= symbol < values
        else:
            self.number, symbol = divmod(self.number, values)
        self.symbols.append((values, symbol))
        return symbol

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

    def choices(self, mine: int, theirs: int) -> list[int]:
        """The moves that a symbol is about."""
        return self.board.sensible_moves(mine, theirs)

    def move(self, mine: int, theirs: int) -> None:
        board, strategy = self.board, self.strategy
        if board.wins(mine, theirs) or not (strategy.win or board.has_four(board.squares & ~mine)):
            return
        choices = self.choices(mine, theirs) + [FORCED] * strategy.win
        symbol = self.symbol(len(choices), lambda: choices.index(strategy.moves[mine, theirs]))
        move = strategy.moves[mine, theirs] = choices[symbol]
        after = board.one_of_mirrors(mine | move, theirs)
        if move == FORCED or after in self.seen_after:
            return
        self.seen_after.add(after)
        if leaf := self.leaf(after, strategy.leaves.get(after)):
            strategy.leaves[after] = leaf
        else:
            self.reply(*after)

    def leaf(self, after: Pair, known: Leaf | None) -> Leaf | None:
        """Write or read what follows a move: local games, or None if every reply is looked at."""
        if self.symbol(2, lambda: int(known is not None)) == 0:
            return None
        groups = self.groups(after, known)
        if self.strategy.win:
            winner = self.symbol(len(groups), lambda: [each["wins"] for each in groups].index(True))
            groups[winner]["wins"] = True
        needs = assignment(self.board, after, groups, self.symbol)
        if known is None:
            for group, own in zip(groups, needs, strict=True):
                group["needs"] = list(map(str, own))
        return {"groups": groups} if known is None else known

    def groups(self, after: Pair, known: Leaf | None) -> list[Group]:
        """Write or read the groups of columns, in the order of their first columns."""
        home = (
            {column: group for group in known["groups"] for column in group["columns"]} if known else {}
        )
        groups: list[Group] = []
        for column, squares in enumerate(self.board.columns):
            if squares & ~(after[0] | after[1]):
                own = home.get(column, {"columns": [], "wins": False})
                place = next((i for i, each in enumerate(groups) if each is own), len(groups))
                number = self.symbol(len(groups) + 1, partial(int, place))
                if number == len(groups):
                    groups.append(own)
                if known is None:
                    groups[number]["columns"].append(column)
        return groups


class _LevelWalk(_Walk):
    """The walk of the checker of version 3, which `levels.py` describes."""

    def __init__(self, strategy: Strategy) -> None:
        super().__init__(strategy)
        self.diagrams: list[list[int]] = []
        """Each one, and then its mirror image."""

    def choices(self, mine: int, theirs: int) -> list[int]:
        """All moves."""
        return list(bits_of(self.board.playable(mine | theirs)))

    def leaf(self, _after: Pair, known: Leaf | None) -> Leaf | None:
        """Write or read what follows a move: a diagram, or None if every reply is looked at."""
        levels = list(map(int, known["levels"])) if known else []

        def number() -> int:
            if not known:
                return 0
            return self.diagrams.index(levels) + 2 if levels in self.diagrams else 1

        symbol = self.symbol(len(self.diagrams) + 2, number)
        if symbol == 0:
            return None
        if symbol == 1:
            levels = self.new_diagram(levels)
            self.diagrams += [levels, list(map(self.board.mirrored, levels))]
        return known or {"levels": list(map(str, self.diagrams[symbol - 2 if symbol > 1 else -2]))}

    def new_diagram(self, levels: list[int]) -> list[int]:
        """Write or read the squares of each level."""
        squares = [0] * (self.symbol(MOST_LEVELS, lambda: len(levels) - 1) + 2)
        for square in bits_of(self.board.squares):
            of_square = next((number for number, level in enumerate(levels, 1) if level & square), 0)
            squares[self.symbol(len(squares), partial(int, of_square))] |= square
        return squares[1:]


def assignment(
    board: Board, after: Pair, groups: Sequence[Group], symbol: Callable[[int, Callable[[], int]], int]
) -> list[list[int]]:
    """Return the needs of each group, by symbols that say which group stops which line.

    *symbol* gets how many groups could, and a function that says which one of them is known to: their
    needs may be easier than what a leaf has proven.
    """
    mine, theirs = after
    squares = [sum(board.columns[n] for n in group["columns"]) & ~(mine | theirs) for group in groups]
    lines = board.open_lines(mine, theirs)
    choices = [[number for number, own in enumerate(squares) if line & own] for line in lines]
    needs: list[list[int]] = [[] for _ in groups]

    def known(line: int, numbers: list[int]) -> int:
        proven = (any(int(need) & ~line == 0 for need in groups[n]["needs"]) for n in numbers)
        return list(proven).index(True)

    for line, numbers in zip(lines, choices, strict=True):
        if len(numbers) == 1 and not _stopped(line, needs):
            needs[numbers[0]].append(line & squares[numbers[0]])
    for line, numbers in zip(lines, choices, strict=True):
        if not _stopped(line, needs):
            number = numbers[symbol(len(numbers), partial(known, line, numbers))]
            needs[number].append(line & squares[number])
    return needs


def _stopped(line: int, needs: list[list[int]]) -> bool:
    return any(need & ~line == 0 for each in needs for need in each)
