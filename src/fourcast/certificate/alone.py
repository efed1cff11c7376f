#!/usr/bin/env python3
"""Checks a certificate: a proof that a player of Connect Four wins, or does not lose.

    python alone.py FILE

It knows the rules of the game and how a certificate is written, and needs Python and no other file. It
follows the certificate through every reply of the opponent: what it accepts is a proof, whoever made it.

The squares of a board are bits: column c, row r (row 0 is the bottom) is bit c * (height + 1) + r. F is
the player that the certificate is for, O the opponent.

A file is a header and one large number, little-endian. Header: the letters C4WN, version (2), width,
height, F (1 or 2), goal (1: F wins, 0: F does not lose), the number of moves to where the proof begins,
and the columns of these moves from 0, a byte each. Symbols are the digits of the number, the least
first: to read one that has n values, divide by n and take the remainder. In the end the number is 1.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from functools import cache

FORCED_DISCS = 10  # F's discs in the longest forced win that is searched for
MOST_BYTES = MOST_POSITIONS = 1_000_000
MOST_STATES = 10_000_000  # of all local games
WEIGHTS = 9, 9, 3, 1  # of a goal in the order of moves, by the number of squares that F lacks then

Pair = tuple[int, int]  # the discs of F and those of O


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


def minimal(sets: list[int]) -> list[int]:
    """The sets that contain no other one."""
    return [each for each in sets if not any(other & ~each == 0 and other != each for other in sets)]


class Board:
    """The rules, on sets of squares."""

    def __init__(self, width: int, height: int) -> None:
        self.width, self.height, stride = width, height, height + 1
        self.bottom = sum(1 << column * stride for column in range(width))
        self.columns = [(first << height) - first for first in bits_of(self.bottom)]
        self.squares = sum(self.columns)
        self.steps = (1, stride, height, height + 2)  # up, right, right and down, right and up
        pairs = {step: self.squares & self.squares >> step for step in self.steps}
        firsts = [(step, m) for step, pair in pairs.items() for m in bits_of(pair & pair >> 2 * step)]
        self.lines = [m | m << step | m << 2 * step | m << 3 * step for step, m in firsts]

    def has_four(self, discs: int) -> bool:
        """Whether four discs are in a row."""
        pairs = ((discs & discs >> step, 2 * step) for step in self.steps)
        return any(pair & pair >> twice for pair, twice in pairs)

    def playable(self, mask: int) -> int:
        """The squares on which the next disc may land."""
        return (mask + self.bottom) & self.squares

    def wins(self, discs: int, other: int) -> int:
        """The squares on which the next disc of *discs* completes a four."""
        return sum(m for m in bits_of(self.playable(discs | other)) if self.has_four(discs | m))

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

    def forces(self, mine: int, theirs: int) -> bool:
        """Whether *mine*, to move, wins with discs that each make a threat which O must stop."""
        failed: dict[Pair, int] = {}
        return any(self._forces(count, mine, theirs, failed) for count in range(1, FORCED_DISCS + 1))

    def _forces(self, count: int, mine: int, theirs: int, failed: dict[Pair, int]) -> bool:
        if self.wins(mine, theirs):
            return True
        block = self.wins(theirs, mine)
        if failed.get((mine, theirs), 1) >= count or block & (block - 1):
            return False
        failed[mine, theirs] = count
        for move in bits_of(block or self.playable(mine | theirs)):
            threats = self.wins(mine | move, theirs)
            reply = threats & -threats  # of two threats the other one wins
            quiet = not reply or self.wins(theirs, mine | move)
            if not quiet and self._forces(count - 1, mine | move, theirs | reply, failed):
                return True
        return False

    def sensible_moves(self, mine: int, theirs: int) -> list[int]:
        """The block if O threatens a four, else what is not below a square where O completes one."""
        block = self.wins(theirs, mine)
        moves = () if block & (block - 1) else bits_of(block or self.playable(mine | theirs))
        return [m for m in moves if not (m << 1 & self.squares and self.has_four(theirs | m << 1))]

    def open_lines(self, mine: int, theirs: int) -> list[int]:
        """What O lacks of the fours that O can still complete."""
        return minimal([line & ~theirs for line in self.lines if not line & mine])


class Checker:
    """Follows a certificate from position to position. F's discs come first in every pair."""

    def __init__(self, data: bytes) -> None:
        require(10 < len(data) <= MOST_BYTES and data[:5] == b"C4WN\x02", "no certificate of version 2")
        width, height, self.player, goal, count = data[5:10]
        require(min(width, height) >= 4 and width * (height + 1) <= 128, "no board has this size")
        require(self.player in (1, 2) and goal in (0, 1), "the header names no player or no goal")
        self.board, self.win = Board(width, height), goal == 1
        self.moves = list(data[10 : 10 + count])
        self.number = int.from_bytes(data[10 + count :], "little")
        require(data[10 + count :] and data[-1], "the file does not end with its last symbol")
        self.positions = self.forced = self.states = 0
        self.counts = [0, 0]  # moves to several replies, and to local games
        self.waiting: list[Pair] = []
        self.seen: set[Pair] = set()  # with F to move
        self.seen_after: set[Pair] = set()

    def run(self) -> None:
        """Check all of it. Raises CertificateError if it is not a proof."""
        board, sides = self.board, [0, 0]
        for ply, column in enumerate(self.moves):
            open_squares = board.playable(sides[0] | sides[1]) if column < board.width else 0
            sides[ply % 2] |= (move := open_squares & board.columns[column % board.width])
            require(move and not board.has_four(sides[ply % 2]), "a first move is not possible")
        first = self.wait if len(self.moves) % 2 == self.player - 1 else self.reply
        first(sides[self.player - 1], sides[2 - self.player])
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
        require(len(self.seen) < MOST_POSITIONS, "there are too many positions")
        if position not in self.seen:
            self.seen.add(position)
            self.waiting.append(position)

    def move(self, mine: int, theirs: int) -> None:
        """F is to move: a four, a forced win, or the move that the certificate says."""
        board = self.board
        if board.wins(mine, theirs) or not (self.win or board.has_four(board.squares & ~mine)):
            return  # if F is not to win, it is enough that O cannot have a four any more
        self.positions += 1
        moves = board.sensible_moves(mine, theirs)
        require(moves, "the opponent completes a four")
        if (symbol := self.read(len(moves) + self.win)) == len(moves):
            self.forced += 1
            require(board.forces(mine, theirs), "a forced win is not there")
            return
        after = board.one_of_mirrors(mine | moves[symbol], theirs)
        if after not in self.seen_after:
            self.seen_after.add(after)
            kind = self.read(2)
            self.counts[kind] += 1
            (self.reply, self.check_local_games)[kind](*after)

    def reply(self, mine: int, theirs: int) -> None:
        """O is to move: F needs an answer to everything."""
        board = self.board
        require(not board.wins(theirs, mine), "the opponent completes a four")
        require(board.playable(mine | theirs) or not self.win, "the board is full and nobody has won")
        for move in bits_of(board.playable(mine | theirs)):
            if board.playable(mine | theirs | move) or self.win:
                self.wait(mine, theirs | move)

    def check_local_games(self, mine: int, theirs: int) -> None:
        """The open columns are split into groups, and F answers every disc in its group.

        Symbols: for each open column its group, of those so far and a new one; if F is to win, the
        group in which F does; and for each line of O's that more than one group could stop, and none
        stops yet, which group does, after all lines that only one can stop, in the order of
        `Board.lines`. In the group that stops a line, O never gets all squares that the line still
        lacks there (its *need*): so O has no four. If F is to win, F completes one in a group before it
        is full; O runs out of moves elsewhere, because the other groups have an even number of squares.
        Of odd ones there may be two: when O has filled one, F moves in the other, once. Or there is
        one: then F makes a move that nothing has asked for, once in the group that wins, or, if F only
        holds, again and again, wherever the number of empty squares is even.
        """
        board, read, groups = self.board, self.read, list[int]()
        for column in board.columns:
            if empty := column & ~(mine | theirs):
                number = read(len(groups) + 1)
                groups[number : number + 1] = [(groups[number] if number < len(groups) else 0) | empty]
        winner = read(len(groups)) if self.win else None
        needs: list[list[int]] = [[] for _ in groups]
        lines = board.open_lines(mine, theirs)
        choices = [[number for number, group in enumerate(groups) if line & group] for line in lines]
        for forced in (True, False):
            for line, numbers in zip(lines, choices, strict=True):
                stopped = any(need & ~line == 0 for own in needs for need in own)
                if not stopped and (len(numbers) == 1) >= forced:
                    number = numbers[0] if forced else numbers[read(len(numbers))]
                    needs[number].append(line & groups[number])
        odd = [n for n, group in enumerate(groups) if n != winner and group.bit_count() % 2]
        require(len(odd) <= 2, "the local games do not leave the last move to the player")
        for number, group in enumerate(groups):
            free = "once, odd" if len(odd) == 2 and number in odd else ""
            if len(odd) == 1 and (number == winner or not self.win):
                free = "once" if self.win else "even"
            game = LocalGame(self, (mine, theirs), group, needs[number], number == winner, free)
            all_needs, all_goals = ((1 << len(sets)) - 1 for sets in game.sets)
            require(game.reply(0, all_needs, all_goals, free != ""), "a local game is not won")


class LocalGame:
    """One group of columns, solved: F keeps all needs from O, and in the group that wins gets a four.

    A state is the squares that are filled; the needs that F has no disc in, and the goals (what F lacks
    of fours) that O has none in, as a bit for each; and whether F may still have to move unasked.
    """

    def __init__(
        self, checker: Checker, place: Pair, squares: int, needs: list[int], win: bool, free: str
    ) -> None:
        board, (mine, theirs) = checker.board, place
        self.checker, self.squares, self.win, self.free = checker, squares, win, free
        self.base = (mine | theirs) + board.bottom
        goals = {line & ~mine for line in board.lines if not line & theirs}
        self.sets = sorted(set(minimal(needs))), sorted(g for g in goals if not g & ~squares)
        require(max(map(len, self.sets)) <= 64, "a local game has too many lines")
        self.with_square = [  # the bits of the needs, and of the goals, that contain a square
            {bit: sum(1 << i for i, each in enumerate(sets) if each & bit) for bit in bits_of(squares)}
            for sets in self.sets
        ]
        # Rows in which F seldom gets a square that nobody wants to play below.
        self.wrong = board.bottom * sum((3 - checker.player) << r for r in range(0, board.height, 2))
        self.named = cache(  # the needs (kind 0) or goals (kind 1) that have a bit in a number
            lambda kind, bits: [each for i, each in enumerate(self.sets[kind]) if bits >> i & 1]
        )
        self.known: dict[tuple[int, int, int, bool], bool] = {}
        self.known_with: dict[tuple[int, bool], list[tuple[int, int, bool]]] = {}

    def last_squares(self, kind: int, numbers: int, filled: int) -> int:
        """The squares that are all that is not filled of one of the needs or goals."""
        found, empty = 0, ~filled
        for each in self.named(kind, numbers):
            if not (rest := each & empty) & (rest - 1):
                found |= rest
        return found

    def reply(self, filled: int, needs: int, goals: int, free: bool) -> bool:
        """Whether F reaches the goal with O to move."""
        moves = (self.base + filled) & self.squares
        if not moves or not (goals if self.win else needs):
            return not self.win
        state = filled, needs, goals, free
        if state in self.known:
            return self.known[state]
        if moves & self.last_squares(0, needs, filled):
            return False
        fours = moves & self.last_squares(1, goals, filled)
        if fours & (fours - 1):
            return True
        known_with = self.known_with.setdefault((filled, free), [])
        # A state that was won with harder needs and goals, or lost with easier ones.
        for n, g, won in known_with[-8:]:
            if not (needs & ~n or g & ~goals) if won else not (n & ~needs or goals & ~g):
                return won
        self.checker.states += 1
        require(self.checker.states < MOST_STATES, "the local games have too many states")
        hit_needs, hit_goals = self.with_square
        order = [
            (-(needs & hit_needs[disc]).bit_count() - (goals & hit_goals[disc]).bit_count(), disc)
            for disc in bits_of(fours or moves)
        ]
        won = all(
            self.answer(filled | disc, needs, goals & ~hit_goals[disc], free)
            for _, disc in sorted(order)
        )
        odd = (self.squares & ~filled).bit_count() % 2 == 1
        if won and free and not fours and (self.free == "once" or odd == (self.free == "once, odd")):
            won = self.answer(filled, needs, goals, self.free == "even")
        self.known[state] = won
        known_with.append((needs, goals, won))
        return won

    def answer(self, filled: int, needs: int, goals: int, free: bool) -> bool:
        """The same with F to move: first what is known to win, then what promises most."""
        moves = (self.base + filled) & self.squares
        if not moves:
            return not self.win
        if moves & self.last_squares(1, goals, filled):
            return True
        lost = self.last_squares(0, needs, filled)
        if (urgent := lost & moves) & (urgent - 1):
            return False
        order = []
        for move in bits_of(urgent or moves & ~(lost >> 1)):
            stopped = needs & self.with_square[0][move]
            state = filled | move, needs & ~stopped, goals, free
            if self.known.get(state):
                return True
            if state not in self.known:
                left = [goal & ~state[0] for goal in self.named(1, goals & self.with_square[1][move])]
                weights = [WEIGHTS[each.bit_count()] * (1 if each & self.wrong else 2) for each in left]
                order.append((-stopped.bit_count() - sum(weights), state))
        return any(self.reply(*state) for _, state in sorted(order))


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
    moves = "".join("123456789abcdefghijklmnop"[column] for column in checker.moves) or "no move"
    goal = "wins" if checker.win else "does not lose"
    print(f"{checker.board.width}x{checker.board.height}, after {moves}: player {checker.player} {goal}")
    print(f"{checker.positions} positions of that player, {checker.counts[0]} moves to several replies,")
    print(f"{checker.forced} forced wins, {checker.counts[1]} splits into local games")


if __name__ == "__main__":
    main()
