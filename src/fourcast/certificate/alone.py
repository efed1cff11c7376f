#!/usr/bin/env python3
"""Checks a certificate: a proof that a player of Connect Four wins, or does not lose.

    python alone.py FILE

This file knows the rules of the game and how a certificate is written, and nothing else: it needs Python
and no other file. It follows the certificate through every reply of the opponent. A certificate that it
accepts is a proof, whoever made it.

The squares of a board are bits: column c, row r (row 0 is the bottom) is bit c * (height + 1) + r. F is
the player that the certificate is for, O the opponent.

A file is a header, and then one large number, little-endian. Header: the letters C4WN, version (1),
width, height, F (1 or 2), goal (1: F wins, 0: F does not lose), the number of moves to the position that
the proof begins with, and the columns of these moves from 0, one byte each. Symbols are the digits of
the number, the first one the least: to read a symbol that has n values, divide by n and take the
remainder. After the last symbol the number is 1.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator

FORCED_DISCS = 10  # F's discs in the longest forced win that is searched for
MOST_POSITIONS = 1_000_000
MOST_BYTES = 1_000_000

Sets = tuple[int, ...]


class CertificateError(Exception):
    """The certificate is not a proof; the message says where it fails."""


def require(condition: object, otherwise: str) -> None:
    """Refuse the certificate unless *condition* holds."""
    if not condition:
        raise CertificateError(otherwise)


def bits_of(squares: int) -> Iterator[int]:
    """The squares of a set, each as a set of its own, the lowest first."""
    while squares:
        yield squares & -squares
        squares &= squares - 1


class Board:
    """The rules, on sets of squares."""

    def __init__(self, width: int, height: int) -> None:
        self.width, self.height = width, height
        stride = height + 1
        self.columns = [((1 << height) - 1) << (column * stride) for column in range(width)]
        self.squares = sum(self.columns)
        self.bottom = sum(1 << (column * stride) for column in range(width))
        self.steps = (1, stride, height, height + 2)  # up, right, right and down, right and up
        self.lines = [
            first | first << step | first << 2 * step | first << 3 * step
            for step in self.steps
            for first in bits_of(self.fours_from(self.squares, step))
        ]

    @staticmethod
    def fours_from(discs: int, step: int) -> int:
        """The lowest square of each four in one direction."""
        pairs = discs & discs >> step
        return pairs & pairs >> 2 * step

    def has_four(self, discs: int) -> bool:
        """Whether four discs are in a row."""
        return any(self.fours_from(discs, step) for step in self.steps)

    def playable(self, mask: int) -> int:
        """The squares on which the next disc may land."""
        return (mask + self.bottom) & self.squares

    def wins(self, discs: int, other: int) -> int:
        """The squares on which the next disc of *discs* completes a four."""
        mask = discs | other
        return sum(move for move in bits_of(self.playable(mask)) if self.has_four(discs | move))

    def mirrored(self, squares: int) -> int:
        """The squares with the columns from right to left."""
        stride = self.height + 1
        field = (1 << stride) - 1
        result = 0
        for _ in range(self.width):
            result = result << stride | squares & field
            squares >>= stride
        return result

    def forces(self, mine: int, theirs: int, count: int = FORCED_DISCS) -> bool:
        """Whether *mine*, to move, wins with *count* discs that each make a threat which O must stop."""
        failed: dict[tuple[int, int], int] = {}
        return any(self._forces(number, mine, theirs, failed) for number in range(1, count + 1))

    def _forces(self, count: int, mine: int, theirs: int, failed: dict[tuple[int, int], int]) -> bool:
        if self.wins(mine, theirs):
            return True
        if failed.get((mine, theirs), 0) >= count:
            return False
        failed[mine, theirs] = count
        block = self.wins(theirs, mine)
        if count == 1 or block & (block - 1):
            return False
        for move in bits_of(block or self.playable(mine | theirs)):
            threats = self.wins(mine | move, theirs)
            if threats and not self.wins(theirs, mine | move):
                reply = threats & -threats  # of two threats the other one wins
                if self._forces(count - 1, mine | move, theirs | reply, failed):
                    return True
        return False

    def sensible_moves(self, mine: int, theirs: int) -> list[int]:
        """The block if O threatens a four, else what is not below a square where O completes one."""
        block = self.wins(theirs, mine)
        if block & (block - 1):
            return []
        return [
            move
            for move in bits_of(block or self.playable(mine | theirs))
            if not (move << 1 & self.squares and self.has_four(theirs | move << 1))
        ]

    def one_of_mirrors(self, mine: int, theirs: int) -> tuple[int, int]:
        """A position stands for its mirror image, too: the smaller pair of numbers of the two."""
        return min((mine, theirs), (self.mirrored(mine), self.mirrored(theirs)))


class Checker:
    """Follows a certificate from position to position. F's discs come first in every pair."""

    def __init__(self, data: bytes) -> None:
        require(len(data) <= MOST_BYTES, "the file is too long")
        require(len(data) > 10 and data[:5] == b"C4WN\x01", "this is not a certificate of version 1")
        width, height, self.player, goal, count = data[5:10]
        require(min(width, height) >= 4 and width * (height + 1) <= 128, "no board has this size")
        require(self.player in (1, 2) and goal in (0, 1), "the header names no player or no goal")
        self.board, self.win = Board(width, height), goal == 1
        self.moves = list(data[10 : 10 + count])
        self.number = int.from_bytes(data[10 + count :], "little")
        require(data[10 + count :] and data[-1], "the file does not end with its last symbol")
        self.positions = self.forced = 0
        self.counts = [0, 0, 0]  # moves to several replies, plans, local games

    def run(self) -> None:
        """Check all of it. Raises CertificateError if it is not a proof."""
        sides = [0, 0]
        for ply, column in enumerate(self.moves):
            require(column < self.board.width, "a first move is off the board")
            move = self.board.playable(sides[0] | sides[1]) & self.board.columns[column]
            require(move and not any(map(self.board.has_four, sides)), "a first move is not possible")
            sides[ply % 2] |= move
        require(not any(map(self.board.has_four, sides)), "the game is over before the proof begins")
        mine, theirs = sides[self.player - 1], sides[2 - self.player]
        self.waiting: list[tuple[int, int]] = []
        self.seen: set[tuple[int, int]] = set()  # with F to move
        self.seen_after: set[tuple[int, int]] = set()  # with O to move
        if len(self.moves) % 2 == self.player - 1:
            self.wait(mine, theirs)
        else:
            self.reply(mine, theirs)
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
        position = self.board.one_of_mirrors(mine, theirs)
        if position not in self.seen:
            self.seen.add(position)
            self.waiting.append(position)
            require(len(self.seen) < MOST_POSITIONS, "there are too many positions")

    def move(self, mine: int, theirs: int) -> None:
        """F is to move: a four, a forced win, or the move that the certificate says."""
        board = self.board
        if board.wins(mine, theirs) or self.is_safe(mine):
            return
        self.positions += 1
        moves = board.sensible_moves(mine, theirs)
        require(moves, "the opponent completes a four")
        symbol = self.read(len(moves) + self.win)
        if symbol == len(moves):
            self.forced += 1
            require(board.forces(mine, theirs), "a forced win is not there")
            return
        mine, theirs = board.one_of_mirrors(mine | moves[symbol], theirs)
        if (mine, theirs) in self.seen_after:
            return
        self.seen_after.add((mine, theirs))
        kind = self.read(3)
        self.counts[kind] += 1
        (self.reply, self.check_plan, self.check_local_games)[kind](mine, theirs)

    def is_safe(self, mine: int) -> bool:
        """F is not to win, and O cannot have a four any more."""
        return not self.win and not self.board.has_four(self.board.squares & ~mine)

    def reply(self, mine: int, theirs: int) -> None:
        """O is to move: F needs an answer to everything."""
        board = self.board
        require(not board.wins(theirs, mine), "the opponent completes a four")
        replies = board.playable(mine | theirs)
        require(replies or not self.win, "the board is full and nobody has won")
        for move in bits_of(replies):
            if board.playable(mine | theirs | move) or self.win:
                self.wait(mine, theirs | move)

    def check_plan(self, mine: int, theirs: int) -> None:
        """F completes a four, else blocks one, else answers O's last disc by a table, else plays on top.

        Symbols: 1 if forced wins of two discs are taken, of 2 values; the number of entries, of 64; for
        each entry the disc that it answers, the number of answers less 1, of 3, and the answers, of
        which the first that can be played counts. A square is its number among those that are empty.
        """
        board = self.board
        empty = list(bits_of(board.squares & ~(mine | theirs)))
        takes = 1 + self.read(2)
        table: dict[int, list[int]] = {}
        for _ in range(self.read(64)):
            disc = empty[self.read(len(empty))]
            table[disc] = [empty[self.read(len(empty))] for _ in range(1 + self.read(3))]
        seen, waiting = {(mine, theirs)}, [(mine, theirs)]
        while waiting:
            mine, theirs = waiting.pop()
            require(not board.wins(theirs, mine), "a plan lets the opponent complete a four")
            replies = board.playable(mine | theirs)
            require(replies or not self.win, "a plan fills the board and nobody has won")
            for disc in () if self.is_safe(mine) else bits_of(replies):
                now = theirs | disc
                full = not board.playable(mine | now) and not self.win
                if full or board.forces(mine, now, takes):
                    continue
                moves = board.sensible_moves(mine, now)
                choices = moves if board.wins(now, mine) else table.get(disc, [disc << 1])
                answer = next((square for square in choices if square in moves), 0)
                require(answer, "a plan has no answer")
                if (mine | answer, now) not in seen:
                    seen.add((mine | answer, now))
                    waiting.append((mine | answer, now))
            require(len(seen) < MOST_POSITIONS, "a plan has too many positions")

    def check_local_games(self, mine: int, theirs: int) -> None:
        """The open columns are split into groups, and F answers every disc in its group.

        Symbols: for each open column its group, of those so far and a new one; if F is to win, the
        group in which F does; and for each line of O's that more than one group could stop, and none
        stops yet, the number of the group that does. Lines are taken in the order of `Board.lines`,
        after all those that only one group can stop.

        In a group that stops a line, O never gets all squares that the line still lacks there (its
        *need*). So O has no four. If F is to win, F completes one in one of the groups before it is
        full; O runs out of moves elsewhere, because the other groups have an even number of squares.
        Of odd ones there may be two: when O has filled the first, F moves in the second instead,
        once. Or there is one: then F makes a move that nothing has asked for, once in the group that
        wins, or, if F only holds, again and again, wherever the number of empty squares is even.
        """
        board, read = self.board, self.read
        groups: list[int] = []
        for column in board.columns:
            if free := column & ~(mine | theirs):
                number = read(len(groups) + 1)
                groups[number : number + 1] = [(groups[number] if number < len(groups) else 0) | free]
        winner = read(len(groups)) if self.win else None
        needs: list[list[int]] = [[] for _ in groups]

        def stopped(line: int) -> bool:
            return any(need & ~line == 0 for each in needs for need in each)

        lines = [line & ~theirs for line in board.lines if not line & mine]
        lines = [
            line for line in lines if not any(other & ~line == 0 and other != line for other in lines)
        ]
        choices = [[number for number, group in enumerate(groups) if line & group] for line in lines]
        for line, numbers in zip(lines, choices, strict=True):
            if len(numbers) == 1 and not stopped(line):
                needs[numbers[0]].append(line & groups[numbers[0]])
        for line, numbers in zip(lines, choices, strict=True):
            if not stopped(line):
                number = numbers[read(len(numbers))]
                needs[number].append(line & groups[number])

        odd = [
            group for number, group in enumerate(groups) if number != winner and group.bit_count() % 2
        ]
        require(len(odd) <= 2, "the local games do not leave the last move to the player")
        for number, group in enumerate(groups):
            spare = ""
            if len(odd) == 2 and group in odd:
                spare = "once, odd"
            elif len(odd) == 1 and (number == winner if self.win else True):
                spare = "once" if self.win else "even"
            game = LocalGame(board, mine, theirs, group, needs[number], number == winner, spare)
            won = game.reply(0, game.needs, game.goals, bool(spare))
            require(won, "a local game is not won")


class LocalGame:
    """One group of columns, solved: F keeps all needs from O, and in the group that wins gets a four."""

    def __init__(
        self, board: Board, mine: int, theirs: int, squares: int, needs: list[int], win: bool, free: str
    ) -> None:
        self.board, self.mask, self.squares = board, mine | theirs, squares
        self.win, self.free = win, free
        self.needs = tuple(n for n in set(needs) if not any(m & ~n == 0 and m != n for m in needs))
        goals = {line & ~mine for line in board.lines if not line & theirs}
        self.goals = tuple(goal for goal in goals if not goal & ~squares)
        self.known: dict[tuple[int, Sets, Sets, bool], bool] = {}

    def open_squares(self, filled: int) -> int:
        """The squares of the group on which the next disc may land."""
        return self.board.playable(self.mask | filled) & self.squares

    @staticmethod
    def last_squares(sets: Sets, filled: int) -> int:
        """The squares that are all that is missing of a set."""
        found = 0
        for each in sets:
            missing = each & ~filled
            if not missing & (missing - 1):
                found |= missing
        return found

    def reply(self, filled: int, needs: Sets, goals: Sets, free: bool) -> bool:
        """Whether F reaches the goal with O to move; needs and goals are those that are still open."""
        if not self.win and not needs:
            return True
        moves = self.open_squares(filled)
        if not moves:
            return not self.win
        if (self.win and not goals) or self.last_squares(needs, filled) & moves:
            return False
        threats = self.last_squares(goals, filled) & moves
        if threats & (threats - 1):
            return True
        state = filled, needs, goals, free
        if state not in self.known:
            odd = (self.squares & ~filled).bit_count() % 2 == 1
            must_move = free and (self.free == "once" or odd == (self.free == "once, odd"))
            self.known[state] = all(
                self.answer(
                    filled | move, needs, tuple(g for g in goals if not g & move), free, move << 1
                )
                for move in bits_of(threats or moves)
            ) and bool(
                threats or not must_move or self.answer(filled, needs, goals, self.free == "even", 0)
            )
        return self.known[state]

    def answer(self, filled: int, needs: Sets, goals: Sets, free: bool, on_top: int) -> bool:
        """The same with F to move."""
        moves = self.open_squares(filled)
        if not moves:
            return not self.win
        if self.last_squares(goals, filled) & moves:
            return True
        lost = self.last_squares(needs, filled)
        urgent = lost & moves
        if urgent & (urgent - 1):
            return False
        choices = urgent or moves & ~(lost >> 1)
        order = sorted(bits_of(choices), key=lambda m: (m != on_top, -sum(n & m != 0 for n in needs)))
        return any(
            self.reply(filled | move, tuple(n for n in needs if not n & move), goals, free)
            for move in order
        )


def main() -> None:
    """Check the file that the command line names."""
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    with open(sys.argv[1], "rb") as file:
        data = file.read(MOST_BYTES + 1)
    try:
        checker = Checker(data)
        checker.run()
    except CertificateError as error:
        sys.exit(f"{sys.argv[1]}: not a proof: {error}")
    board = checker.board
    goal = "wins" if checker.win else "does not lose"
    moves = "".join("123456789abcdefghijklmnop"[column] for column in checker.moves)
    print(f"{board.width}x{board.height}, after {moves or 'no move'}: player {checker.player} {goal}")
    inner, plans, games = checker.counts
    print(f"{checker.positions} positions of that player, {inner} moves to several replies,")
    print(f"{checker.forced} forced wins, {plans} plans, {games} local games")


if __name__ == "__main__":
    main()
