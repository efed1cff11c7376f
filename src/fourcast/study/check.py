"""Checks the proofs of explanations with nothing but the rules of the game.

This module shares no code with what finds the proofs: it imports neither the solver nor the searches for
reasons, and has its own few lines of rules. A proof that it accepts is true, whoever made it.

A board is a pair of ints, the squares of the player *F* who claims something and those of the opponent *O*.
Column c, row r (0 is the bottom) is bit c * (height + 1) + r; the topmost bit of each column stays empty.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

__all__ = ["ProofError", "check_claim"]

Json = Mapping[str, Any]


class ProofError(ValueError):
    """A proof that does not hold; the message says where."""


class Rules:
    """The rules on a board of one size."""

    def __init__(self, width: int, height: int) -> None:
        self.width, self.height, self.stride = width, height, height + 1
        self.columns = [((1 << height) - 1) << (c * self.stride) for c in range(width)]
        self.lines = list(self._lines())

    def bit(self, column: int, row: int) -> int:
        if not (0 <= column < self.width and 0 <= row < self.height):
            raise ProofError(f"there is no square in column {column}, row {row}")
        return 1 << (column * self.stride + row)

    def _lines(self) -> Iterator[int]:
        for column in range(self.width):
            for row in range(self.height):
                for dx, dy in ((0, 1), (1, 0), (1, 1), (1, -1)):
                    x, y = column + 3 * dx, row + 3 * dy
                    if x < self.width and 0 <= y < self.height:
                        yield sum(self.bit(column + i * dx, row + i * dy) for i in range(4))

    def playable(self, mask: int) -> list[int]:
        """The squares that the next stone can go to."""
        found = []
        for column in self.columns:
            free = column & ~mask
            if free:
                found.append(free & -free)
        return found

    def has_four(self, stones: int) -> bool:
        return any(line & stones == line for line in self.lines)

    def wins(self, stones: int, other: int) -> list[int]:
        """The squares on which the next stone completes a four of *stones*."""
        return [move for move in self.playable(stones | other) if self.has_four(stones | move)]

    def drop(self, column: int, mask: int) -> int:
        if not 0 <= column < self.width or not (free := self.columns[column] & ~mask):
            raise ProofError(f"no stone can be played in column {column}")
        return free & -free


def check_claim(first: int, second: int, width: int, height: int, claim: Json) -> None:
    """Raise `ProofError` unless *claim* is proven for the position with these stones.

    *claim* is a claim of `Explanation.to_json()`: `player` (1 or 2) reaches `goal` ("win" or "hold": does
    not lose). `start` are columns that lead to where the proof begins; moves of the opponent among them
    must be forced.
    """
    rules = Rules(width, height)
    boards = {1: first, 2: second}
    player = claim["player"]
    turn = 1 if first.bit_count() == second.bit_count() else 2
    if rules.has_four(first) or rules.has_four(second):
        raise ProofError("the game is over")
    for column in claim.get("start", ()):
        mine, other = boards[turn], boards[3 - turn]
        move = rules.drop(column, mine | other)
        if turn != player and rules.wins(other, mine) != [move]:
            raise ProofError(f"the opponent is not forced to play in column {column}")
        if turn != player and rules.wins(mine, other):
            raise ProofError("the opponent can win instead")
        boards[turn] |= move
        if rules.has_four(boards[turn]):
            raise ProofError("the game is over before the proof begins")
        turn = 3 - turn
    mine, theirs = boards[player], boards[3 - player]
    proof = claim["proof"]
    if proof["kind"] == "force":
        if turn != player or claim["goal"] != "win":
            raise ProofError("a forcing line belongs to the side to move, which wins")
        _check_force(rules, mine, theirs, proof["line"])
        return
    if turn == player:
        raise ProofError("a plan begins with a move of the opponent")
    if proof["kind"] == "plan":
        _PlanCheck(rules, claim["goal"] == "win", proof).check(mine, theirs)
    elif proof["kind"] == "local":
        _check_local(rules, mine, theirs, claim["goal"] == "win", proof)
    else:
        raise ProofError(f"no proof is called {proof['kind']!r}")


def _check_force(rules: Rules, mine: int, theirs: int, line: Sequence[int]) -> None:
    for number, column in enumerate(line):
        move = rules.drop(column, mine | theirs)
        if number % 2 == 0:
            mine |= move
            if rules.has_four(mine):
                if number + 1 != len(line):
                    raise ProofError("the line goes on after the four")
                return
            if rules.wins(theirs, mine) or not rules.wins(mine, theirs):
                raise ProofError(f"stone {number + 1} of the line does not force a reply")
        else:
            # Of two threats the reply stops one; whichever it is, another one is left.
            if move not in rules.wins(mine, theirs):
                raise ProofError(f"stone {number + 1} of the line is not the reply")
            theirs |= move
    raise ProofError("the line does not end with a four")


def _wins_by_force(rules: Rules, mine: int, theirs: int, stones: int) -> bool:
    if rules.wins(mine, theirs):
        return True
    if stones < 2:
        return False
    block = rules.wins(theirs, mine)
    for move in block or rules.playable(mine | theirs):
        if len(block) > 1 or rules.wins(theirs, mine | move):
            continue
        threats = rules.wins(mine | move, theirs)
        if threats and _wins_by_force(rules, mine | move, theirs | threats[0], stones - 1):
            return True
    return False


class _PlanCheck:
    """Replays an answer table against every move of the opponent."""

    def __init__(self, rules: Rules, win: bool, proof: Json) -> None:
        self.rules, self.win, self.takes = rules, win, int(proof["takes"])
        self.latest = proof["latest"] if win else None
        self.answers = {
            rules.bit(*entry["stone"]): [rules.bit(*square) for square in entry["squares"]]
            for entry in proof["answers"]
        }
        self.seen: set[tuple[int, int]] = set()

    def check(self, mine: int, theirs: int) -> None:
        rules = self.rules
        waiting = [(mine, theirs)]
        while waiting:
            mine, theirs = waiting.pop()
            if rules.wins(theirs, mine):
                raise ProofError("the opponent completes a four")
            if not self.win and not any(line & mine == 0 for line in rules.lines):
                continue
            moves = rules.playable(mine | theirs)
            if not moves and self.win:
                raise ProofError("the board is full and nobody has won")
            for stone in moves:
                state = self.answer(mine, theirs | stone, stone)
                if state and state not in self.seen:
                    self.seen.add(state)
                    waiting.append(state)

    def answer(self, mine: int, theirs: int, stone: int) -> tuple[int, int] | None:
        """The position after the plan's answer; None if the plan has reached its goal."""
        rules = self.rules
        mask = mine | theirs
        if rules.wins(mine, theirs):
            return self.won(mask.bit_count() + 1)
        if block := rules.wins(theirs, mine):
            if len(block) > 1:
                raise ProofError("the opponent threatens two squares")
            return mine | block[0], theirs
        if self.takes > 1 and _wins_by_force(rules, mine, theirs, self.takes):
            return self.won(mask.bit_count() + 2 * self.takes - 1)
        playable = rules.playable(mask)
        if not playable:
            if self.win:
                raise ProofError("the board is full and nobody has won")
            return None
        for square in self.answers.get(stone, [stone << 1]):
            if square in playable and not rules.has_four(theirs | (square << 1 & ~mask)):
                return mine | square, theirs
        raise ProofError("the plan has no answer")

    def won(self, stones: int) -> None:
        if self.latest is not None and stones > self.latest:
            raise ProofError(f"the win comes with stone {stones}, not {self.latest} at the latest")


def _check_local(rules: Rules, mine: int, theirs: int, win: bool, proof: Json) -> None:
    groups = [_GroupCheck(rules, mine, theirs, group) for group in proof["groups"]]
    covered = 0
    for group in groups:
        if group.squares & covered:
            raise ProofError("a column is in two groups")
        covered |= group.squares
    if covered != sum(column & ~(mine | theirs) for column in rules.columns):
        raise ProofError("an open column is in no group")
    for line in rules.lines:
        missing = line & ~theirs
        if not line & mine and not any(
            need & ~missing == 0 for group in groups for need in group.needs
        ):
            raise ProofError("a line of the opponent is stopped in no group")
    _check_free_moves(groups, win)
    for group in groups:
        group.check()
    if win:
        stones = (mine | theirs).bit_count()
        latest = stones + sum(g.depth if g.wins else g.squares.bit_count() for g in groups)
        if latest > proof["latest"]:
            raise ProofError(f"the win may take until stone {latest}")


def _check_free_moves(groups: Sequence[_GroupCheck], win: bool) -> None:
    """See that the opponent, not the follower, runs out of answers."""
    winners = [group for group in groups if group.wins]
    if len(winners) != (1 if win else 0):
        raise ProofError("exactly one group wins if the plan does")
    held = [group for group in groups if not group.wins]
    odd = [group for group in held if group.squares.bit_count() % 2]
    if not win and len(odd) == 1:
        wanted = {id(group): "any_even" for group in held}
    elif len(odd) == 2:
        wanted = {id(group): "one_odd" for group in odd}
    elif win and len(odd) == 1:
        wanted = {id(winners[0]): "one"}
    elif not odd:
        wanted = {}
    else:
        raise ProofError("the groups do not leave the last move to the follower")
    for group in groups:
        if group.free != wanted.get(id(group), group.free if group.free == "never" else "never"):
            raise ProofError("a group does not allow for the free moves that it may have to make")


class _GroupCheck:
    """Replays the answers of one group against every move of the opponent in it."""

    def __init__(self, rules: Rules, mine: int, theirs: int, group: Json) -> None:
        self.rules, self.board = rules, (mine, theirs)
        self.squares = sum(rules.columns[c] for c in group["columns"]) & ~(mine | theirs)
        self.wins, self.free = group["role"] == "win", group["free"]
        self.needs = [sum(rules.bit(*square) for square in need) for need in group["needs"]]
        if any(not need or need & ~self.squares for need in self.needs):
            raise ProofError("a group has to stop squares that it does not have")
        self.answers = {
            tuple(sum(rules.bit(*s) for s in answer[side]) for side in ("theirs", "mine")): rules.bit(
                *answer["answer"]
            )
            for answer in group["answers"]
        }
        self.depths: dict[tuple[int, int, bool], int] = {}

    def check(self) -> None:
        self.depth = self.visit(0, 0, self.free != "never")

    def open(self, theirs: int, mine: int) -> list[int]:
        mask = self.board[0] | self.board[1] | theirs | mine
        return [square for square in self.rules.playable(mask) if square & self.squares]

    def is_four(self, mine: int) -> bool:
        return self.rules.has_four(self.board[0] | mine)

    def visit(self, theirs: int, mine: int, free: bool) -> int:
        """Check a state with the opponent to move; return the stones until the four at the latest."""
        if not self.wins and all(need & mine for need in self.needs):
            return 0
        key = theirs, mine, free
        if key in self.depths:
            return self.depths[key]
        moves = self.open(theirs, mine)
        if not moves and self.wins:
            raise ProofError("the group that should win is full")
        for move in moves:
            if any(need & ~(theirs | move) == 0 for need in self.needs):
                raise ProofError("the opponent gets squares that a group should stop")
        threats = [move for move in moves if self.is_four(mine | move)]
        depth = 2 if len(threats) > 1 else 0
        if len(threats) < 2:
            for move in threats or moves:
                depth = max(depth, self.answer(theirs | move, mine, free))
            odd = (self.squares & ~(theirs | mine)).bit_count() % 2 == 1
            due = self.free == "one" or odd == (self.free == "one_odd")
            if moves and not threats and free and due:
                left = self.free == "any_even"
                depth = max(depth, 1 + self.play(theirs, mine, left))
        self.depths[key] = depth
        return depth

    def answer(self, theirs: int, mine: int, free: bool) -> int:
        if not self.open(theirs, mine):
            if self.wins:
                raise ProofError("the group that should win is full")
            return 0
        return 2 + self.play(theirs, mine, free)

    def play(self, theirs: int, mine: int, free: bool) -> int:
        move = self.answers.get((theirs, mine))
        if move is None:
            if not self.wins and all(need & mine for need in self.needs):
                return 0
            raise ProofError("a group has no answer")
        if move not in self.open(theirs, mine):
            raise ProofError("an answer cannot be played")
        return 0 if self.is_four(mine | move) else self.visit(theirs, mine | move, free)
