"""The rules once more, in the plainest way: lists of lists and loops. The oracle of the tests.

Nothing here is fast or clever, and nothing is shared with the code under test.
"""

from __future__ import annotations

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
        for column, stones in enumerate(self.columns):
            for row, player in enumerate(stones):
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
