"""The rules once more, in the plainest way: lists of lists and loops. The oracle of the tests.

Nothing here is fast or clever, and nothing is shared with the code under test.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

DIRECTIONS = ((1, 0), (0, 1), (1, 1), (1, -1))


class Model:
    """A game of Connect Four as a list of columns, each a list of discs from the bottom up."""

    def __init__(self, width: int = 7, height: int = 6) -> None:
        self.width = width
        self.height = height
        self.columns: list[list[int]] = [[] for _ in range(width)]

    @classmethod
    def after(cls, columns: list[int], width: int = 7, height: int = 6) -> Model:
        """Return the model after these moves."""
        model = cls(width, height)
        for column in columns:
            model.play(column)
        return model

    def at(self, column: int, row: int) -> int:
        """Return 1 or 2 for a disc, 0 for an empty square and for anything off the board."""
        if not 0 <= column < self.width or not 0 <= row < len(self.columns[column]):
            return 0
        return self.columns[column][row]

    @property
    def ply(self) -> int:
        """Number of discs."""
        return sum(len(column) for column in self.columns)

    @property
    def turn(self) -> int:
        """The player to move."""
        return 1 if self.ply % 2 == 0 else 2

    def fours(self) -> list[list[tuple[int, int]]]:
        """Return every line of four discs of one player."""
        found = []
        for column, discs in enumerate(self.columns):
            for row, player in enumerate(discs):
                for across, up in DIRECTIONS:
                    if self.run_length(column, row, across, up, player) >= 3:
                        found.append([(column + step * across, row + step * up) for step in range(4)])
        return found

    @property
    def winner(self) -> int | None:
        """The player with a four."""
        fours = self.fours()
        return self.at(*fours[0][0]) if fours else None

    @property
    def winning_squares(self) -> list[tuple[int, int]]:
        """The squares of all fours, sorted."""
        return sorted({square for four in self.fours() for square in four})

    @property
    def is_full(self) -> bool:
        """True if no square is empty."""
        return self.ply == self.width * self.height

    @property
    def is_over(self) -> bool:
        """True if nobody may move."""
        return self.winner is not None or self.is_full

    @property
    def legal_columns(self) -> list[int]:
        """The columns that may be played."""
        if self.is_over:
            return []
        return [column for column in range(self.width) if len(self.columns[column]) < self.height]

    def run_length(self, column: int, row: int, across: int, up: int, player: int) -> int:
        """Return how many discs of *player* follow a square in one direction."""
        length = 0
        while self.at(column + across, row + up) == player:
            column, row, length = column + across, row + up, length + 1
        return length

    def threats(self, player: int) -> list[tuple[int, int]]:
        """Return the empty squares that would complete a four of a player."""
        if self.is_over:
            return []
        return [
            (column, row)
            for column in range(self.width)
            for row in range(len(self.columns[column]), self.height)
            if any(
                self.run_length(column, row, across, up, player)
                + self.run_length(column, row, -across, -up, player)
                >= 3
                for across, up in DIRECTIONS
            )
        ]

    def winning_columns(self, player: int) -> list[int]:
        """Return the columns in which a disc of *player* would complete a four now."""
        return [column for column, row in self.threats(player) if row == len(self.columns[column])]

    def play(self, column: int) -> None:
        """Drop a disc; the caller sees to it that it is legal."""
        self.columns[column].append(self.turn)

    def grid(self) -> list[list[int]]:
        """Return the rows from the top down."""
        rows = reversed(range(self.height))
        return [[self.at(column, row) for column in range(self.width)] for row in rows]

    def bitboard(self, player: int) -> int:
        """Return a player's discs as bits, counted one by one."""
        total = 0
        for column in range(self.width):
            for row in range(self.height):
                if self.at(column, row) == player:
                    total += 2 ** (column * (self.height + 1) + row)
        return total

    def mirrored(self) -> Model:
        """Return the model with left and right exchanged."""
        result = Model(self.width, self.height)
        result.columns = [list(column) for column in reversed(self.columns)]
        return result


class RuledModel:
    """A game by any rules, with the lines written down as lists of squares."""

    def __init__(
        self,
        width: int,
        height: int,
        connect: int = 4,
        wrap: bool = False,
        misere: bool = False,
        pop: bool = False,
    ) -> None:
        self.width, self.height, self.misere, self.pop = width, height, misere, pop
        self.columns: tuple[tuple[int, ...], ...] = ((),) * width
        self.turn = 1
        self.claimed = False
        self.lines: list[list[tuple[int, int]]] = []
        for column in range(width):
            for row in range(height):
                for across, up in DIRECTIONS:
                    line = [(column + step * across, row + step * up) for step in range(connect)]
                    if wrap:
                        line = [(x % width, y) for x, y in line]
                    is_on_board = all(0 <= x < width and 0 <= y < height for x, y in line)
                    if is_on_board and len(set(line)) == connect:
                        self.lines.append(line)

    def at(self, column: int, row: int) -> int:
        """Return 1 or 2 for a disc, 0 for an empty square."""
        discs = self.columns[column]
        return discs[row] if row < len(discs) else 0

    def has_line(self, player: int) -> bool:
        """True if *player* has all squares of a line."""
        return any(all(self.at(x, y) == player for x, y in line) for line in self.lines)

    @property
    def ply(self) -> int:
        """Number of discs."""
        return sum(map(len, self.columns))

    @property
    def winner(self) -> int | None:
        """The player who has won."""
        last = 3 - self.turn
        if self.has_line(last):
            return self.turn if self.misere else last
        return self.turn if self.pop and self.has_line(self.turn) else None

    @property
    def is_over(self) -> bool:
        """True if nobody may move."""
        return not self.moves

    @property
    def moves(self) -> list[int]:
        """The moves as `Position.play` takes them."""
        if self.winner is not None or self.claimed:
            return []
        moves = [column for column in range(self.width) if len(self.columns[column]) < self.height]
        if self.pop:
            full = not moves
            moves += [
                self.width + column for column in range(self.width) if self.at(column, 0) == self.turn
            ]
            if full and moves:
                moves.append(2 * self.width)
        return moves

    def after(self, move: int) -> RuledModel:
        """Return the model after a move, which is legal."""
        result = object.__new__(RuledModel)
        result.__dict__.update(self.__dict__)
        columns = [list(column) for column in self.columns]
        if move < self.width:
            columns[move].append(self.turn)
        elif move < 2 * self.width:
            columns[move - self.width].pop(0)
        else:
            result.claimed = True
        result.columns = tuple(map(tuple, columns))
        result.turn = 3 - self.turn
        return result

    def score(self, known: dict[object, int]) -> int:
        """Return the exact score for the side to move, without PopOut, by looking at everything."""
        key = self.columns
        if key not in known:
            cells = self.width * self.height
            if self.winner is not None:
                worth = (cells + 2 - self.ply) // 2
                known[key] = worth if self.winner == self.turn else -worth
            else:
                known[key] = max((-self.after(move).score(known) for move in self.moves), default=0)
        return known[key]

    def threats(self, player: int) -> list[tuple[int, int]]:
        """Return the empty squares that would complete a line of *player*, now or later."""
        found = set()
        for line in self.lines:
            empty = [square for square in line if self.at(*square) == 0]
            if len(empty) == 1 and sum(self.at(*square) == player for square in line) == len(line) - 1:
                found.update(empty)
        return sorted(found)

    def winning_squares(self) -> list[tuple[int, int]]:
        """Return the squares of all lines of whoever made the last one."""
        player = 3 - self.turn if self.has_line(3 - self.turn) else self.turn
        whole = [line for line in self.lines if all(self.at(*square) == player for square in line)]
        return sorted({square for line in whole for square in line})


def retrograde(children: Sequence[Sequence[int]], ends: Mapping[int, int]) -> dict[int, tuple[int, int]]:
    """Return 1 or -1 and the number of plies for each state whose side to move wins or loses by force.

    *children* are those of each state, *ends* the finished ones that are won or lost. What is left out
    is drawn: nobody can ever force anything there. This is the proof for games without a last move.
    """
    parents = defaultdict(list)
    open_children = [len(each) for each in children]
    for state, each in enumerate(children):
        for child in each:
            parents[child].append(state)
    found = {state: (worth, 0) for state, worth in ends.items()}
    layer, plies = list(ends), 0
    while layer:
        plies += 1
        layer, last = [], layer
        for child in last:
            for state in parents[child]:
                open_children[state] -= 1
                if state not in found and (found[child][0] < 0 or open_children[state] == 0):
                    found[state] = (-found[child][0], plies)
                    layer.append(state)
    return found
