#!/usr/bin/env python3
"""Checks a certificate of version 3: a winning strategy of Connect Four that people can learn.

    python levels.py FILE

It knows the rules of the game and how such a certificate is written, and needs Python and no other file.

The squares of a board are bits: column c, row r (row 0 is the bottom) is bit c * (height + 1) + r. F is
the player that wins, O the opponent. In each position F either wins by force, which means that each disc
threatens a four until O cannot stop one, or has one move to know. After that, either O's replies lead to
more positions, or F follows a *diagram* to the end, which has a level from 1 to 9 for some of the
squares: F completes a four if there is one; else wins by force if F can; else stops O's four; else plays
the lowest level that exactly one open square has.

A file is a header and one large number, little-endian. Header: the letters C4WN, version (3), width,
height, F (1 or 2), 1, the number of moves to where the proof begins, and the columns of these moves from
0, a byte each. Symbols are the digits of the number, the least first: to read one that has n values,
divide by n and take the remainder. In the end the number is 1.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator

MOST_BYTES = MOST_POSITIONS = 1_000_000
MOST_STATES = 10_000_000  # positions that all diagrams meet
MOST_LEVELS = 9
FORCED_DISCS = 5  # of F in a forced win

Pair = tuple[int, int]  # the discs of F and those of O


class CertificateError(Exception):
    """The certificate is not a proof; the message says where it fails."""


def require(condition: object, otherwise: str) -> None:
    """Refuse the certificate unless *condition* holds."""
    if not condition:
        raise CertificateError(otherwise)


def each_bit(squares: int) -> Iterator[int]:
    """The squares of a set, each as a set of its own, from the left and from the bottom."""
    while squares:
        yield squares & -squares
        squares &= squares - 1


class LevelChecker:
    """Follows a certificate from position to position. F's discs come first in every pair."""

    def __init__(self, data: bytes) -> None:
        require(10 < len(data) <= MOST_BYTES and data[:5] == b"C4WN\x03", "no certificate of version 3")
        self.width, self.height, self.player, goal, count = data[5:10]
        size = self.width * (self.height + 1)
        require(min(self.width, self.height) >= 4 and size <= 128, "no board has this size")
        require(self.player in (1, 2) and goal == 1, "the header names no player, or not a win")
        self.moves = list(data[10 : 10 + count])
        require(data[10 + count :] and data[-1], "the file does not end with its last symbol")
        self.number = int.from_bytes(data[10 + count :], "little")
        self.bottom = sum(1 << column * (self.height + 1) for column in range(self.width))
        self.squares = self.bottom * ((1 << self.height) - 1)
        self.positions = self.inner = self.forced = self.leaves = self.states = 0
        self.diagrams: list[list[int]] = []  # the squares of each level
        self.waiting: list[Pair] = []
        self.seen: set[Pair] = set()  # with F to move
        self.seen_after: set[Pair] = set()

    # ---- The rules ----

    def open(self, filled: int) -> int:
        """The squares on which the next disc may land."""
        return (filled + self.bottom) & self.squares

    def has_four(self, discs: int) -> bool:
        """Whether four discs are in a row."""
        for step in (1, self.height, self.height + 1, self.height + 2):
            pairs = discs & discs >> step
            if pairs & pairs >> 2 * step:
                return True
        return False

    def fours(self, discs: int, other: int) -> list[int]:
        """The squares on which the next disc of *discs* completes a four."""
        return [square for square in each_bit(self.open(discs | other)) if self.has_four(discs | square)]

    def mirrored(self, squares: int) -> int:
        """The squares with the columns from right to left."""
        stride, result = self.height + 1, 0
        for _ in range(self.width):
            result = result << stride | squares & ((1 << stride) - 1)
            squares >>= stride
        return result

    def one_of_mirrors(self, mine: int, theirs: int) -> Pair:
        """A position stands for its mirror image, too: the smaller pair of numbers of the two."""
        return min((mine, theirs), (self.mirrored(mine), self.mirrored(theirs)))

    # ---- The certificate ----

    def run(self) -> None:
        """Check all of it. Raises CertificateError if it is not a proof."""
        sides = [0, 0]
        for ply, column in enumerate(self.moves):
            inside = ((1 << self.height) - 1) << column * (self.height + 1) & self.squares
            landing = self.open(sides[0] | sides[1]) & inside
            sides[ply % 2] |= landing
            require(landing and not self.has_four(sides[ply % 2]), "a first move is not possible")
        begin = self.wait if len(self.moves) % 2 == self.player - 1 else self.reply
        begin(sides[self.player - 1], sides[2 - self.player])
        while self.waiting:
            self.move(*self.waiting.pop())
        require(self.number == 1, "the file goes on after its last symbol")

    def read(self, values: int) -> int:
        """The next symbol, of which there are this many."""
        self.number, symbol = divmod(self.number, values)
        require(self.number, "the file ends too early")
        return symbol

    def wait(self, mine: int, theirs: int) -> None:
        """Put a position with F to move on the list, once."""
        position = self.one_of_mirrors(mine, theirs)
        require(len(self.seen) < MOST_POSITIONS, "there are too many positions")
        if position not in self.seen:
            self.seen.add(position)
            self.waiting.append(position)

    def reply(self, mine: int, theirs: int) -> None:
        """O is to move: F needs an answer to everything."""
        require(not self.fours(theirs, mine), "the opponent completes a four")
        require(self.open(mine | theirs), "the board is full and nobody has won")
        for disc in each_bit(self.open(mine | theirs)):
            self.wait(mine, theirs | disc)

    def move(self, mine: int, theirs: int) -> None:
        """F is to move: a four, a forced win, or the move that the certificate says.

        Symbols: which of the open squares, from the left, or after the last one a forced win; then, if
        the position after the move is new: 0 if every reply is looked at, 1 for a new diagram, 2 + 2 n
        for diagram n, 3 + 2 n for its mirror image. A new diagram has a symbol for its number of levels,
        and one for each square: its level, 0 for none.
        """
        if self.fours(mine, theirs):
            return
        self.positions += 1
        moves = list(each_bit(self.open(mine | theirs)))
        require(moves, "the board is full and nobody has won")
        if (symbol := self.read(len(moves) + 1)) == len(moves):
            self.forced += 1
            require(self.forces(FORCED_DISCS, mine, theirs, {}), "a forced win is not there")
            return
        after = self.one_of_mirrors(mine | moves[symbol], theirs)
        if after in self.seen_after:
            return
        self.seen_after.add(after)
        symbol = self.read(2 * len(self.diagrams) + 2)
        if symbol == 0:
            self.inner += 1
            self.reply(*after)
            return
        self.leaves += 1
        if symbol == 1:
            levels = [0] * (self.read(MOST_LEVELS) + 2)
            for square in each_bit(self.squares):
                levels[self.read(len(levels))] |= square
            self.diagrams.append(levels[1:])
        levels = self.diagrams[symbol // 2 - 1]
        self.follow(list(map(self.mirrored, levels)) if symbol % 2 and symbol > 1 else levels, after)

    def forces(self, count: int, mine: int, theirs: int, failed: dict[Pair, int]) -> bool:
        """Whether F, to move, wins with at most so many discs that each threaten a four."""
        if self.fours(mine, theirs):
            return True
        blocks = self.fours(theirs, mine)
        if failed.get((mine, theirs), 1) >= count or len(blocks) > 1:
            return False
        failed[mine, theirs] = count
        for move in blocks or each_bit(self.open(mine | theirs)):
            threats = self.fours(mine | move, theirs)
            quiet = not threats or self.fours(theirs, mine | move)
            # of two threats the other one wins
            if not quiet and self.forces(count - 1, mine | move, theirs | threats[0], failed):
                return True
        return False

    def follow(self, levels: list[int], start: Pair) -> None:
        """Check that a diagram wins every game from *start*, with O to move."""
        waiting, seen = [start], {start}
        while waiting:
            require(self.states + len(seen) <= MOST_STATES, "a diagram does not win")
            mine, theirs = waiting.pop()
            replies = self.open(mine | theirs)
            require(replies and not self.fours(theirs, mine), "a diagram does not win")
            for disc in each_bit(replies):
                if not self.forces(FORCED_DISCS, mine, theirs | disc, {}):
                    after = mine | self.move_by(levels, mine, theirs | disc), theirs | disc
                    if after not in seen:
                        seen.add(after)
                        waiting.append(after)
        self.states += len(seen)

    def move_by(self, levels: list[int], mine: int, theirs: int) -> int:
        """F's move by a diagram, if F does not win by force."""
        moves = self.fours(theirs, mine)
        if not moves:
            alone = (level & self.open(mine | theirs) for level in levels)
            moves = [squares for squares in alone if squares and not squares & (squares - 1)][:1]
        require(len(moves) == 1, "a diagram does not win")
        return moves[0]


def main() -> None:
    """Check the file that the command line names."""
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    with open(sys.argv[1], "rb") as file:
        data = file.read(MOST_BYTES + 1)
    try:
        checker = LevelChecker(data)
        checker.run()
    except CertificateError as error:
        sys.exit(f"{sys.argv[1]}: not a proof: {error}")
    moves = "".join("123456789abcdefghijklmnop"[column] for column in checker.moves) or "no move"
    print(f"{checker.width}x{checker.height}, after {moves}: player {checker.player} wins")
    print(f"{checker.positions} positions of that player, {checker.inner} moves to several replies,")
    print(f"{checker.forced} forced wins, {checker.leaves} positions that diagrams win:")
    print(f"there are {len(checker.diagrams)} diagrams")


if __name__ == "__main__":
    main()
