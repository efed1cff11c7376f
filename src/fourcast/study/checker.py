"""Checks explanations with nothing but the rules of the game.

This module shares no code with what finds the proofs: it imports neither the solver nor the searches for
reasons, and has its own few lines of rules. A claim that it accepts is true, whoever made it.

A board is a pair of ints, the squares of the player *F* who claims something (`mine`) and those of the
opponent *O* (`theirs`). Column c, row r (0 is the bottom) is bit c * (height + 1) + r; the topmost bit
of each column stays empty. docs/explain.md describes the proofs.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

__all__ = ["ProofError", "Replay", "check", "check_claim"]

Json = Mapping[str, Any]


class ProofError(ValueError):
    """A proof that does not hold; the message says where."""


class HasJson(Protocol):
    """A value that can be written as JSON, such as an `Explanation`."""

    def to_json(self) -> dict[str, Any]:
        """Return the value as JSON types."""
        ...


@dataclass
class Replay:
    """What the replay of a proof has met. Sets of squares are ints, as in this module."""

    positions: int = 0
    on_top: int = 0
    """Stones of the opponent that the plan answered on top, for want of an entry."""
    gets: int = 0
    """Squares that the opponent has or gets in some game."""
    wins: int = 0
    """Squares on which the player completes the four in some game."""
    always_below: bool = True
    """Every game ends with a stone of the opponent directly below the square that completes the four."""
    forced: bool = False
    """Some game ends with a forced win that is not played out."""
    gets_no_four: bool = False
    """The squares of `gets` hold no four, and no game ends with a forced win."""


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

    def bits(self, squares: Sequence[Sequence[int]]) -> int:
        return sum({self.bit(*square) for square in squares})

    def _lines(self) -> Iterator[int]:
        for column in range(self.width):
            for row in range(self.height):
                for dx, dy in ((0, 1), (1, 0), (1, 1), (1, -1)):
                    x, y = column + 3 * dx, row + 3 * dy
                    if x < self.width and 0 <= y < self.height:
                        yield sum(self.bit(column + i * dx, row + i * dy) for i in range(4))

    def playable(self, mask: int) -> list[int]:
        """The squares that the next stone can go to."""
        return [free & -free for column in self.columns if (free := column & ~mask)]

    def has_four(self, stones: int) -> bool:
        return any(line & stones == line for line in self.lines)

    def wins(self, stones: int, other: int) -> list[int]:
        """The squares on which the next stone completes a four of *stones*."""
        return [move for move in self.playable(stones | other) if self.has_four(stones | move)]

    def drop(self, column: int, mask: int) -> int:
        if not 0 <= column < self.width or not (free := self.columns[column] & ~mask):
            raise ProofError(f"no stone can be played in column {column}")
        return free & -free


def check(explanation: HasJson | Json) -> None:
    """Raise `ProofError` unless every claim of *explanation* is proven and fits its verdict.

    That the verdict's score is exact and that its line is best play are the solver's word.
    """
    content = explanation if isinstance(explanation, Mapping) else explanation.to_json()
    try:
        verdict, claims = content["verdict"], content["claims"]
        rules = Rules(verdict["width"], verdict["height"])
        boards = [int(verdict["first"]), int(verdict["second"])]
        turn = boards[0].bit_count() - boards[1].bit_count()
        winner = {"win": 1 + turn, "loss": 2 - turn}.get(verdict["outcome"])
        wanted = {(winner, "win")} if winner else {(1, "hold"), (2, "hold")}
        found = {(claim["player"], claim["goal"]) for claim in claims}
        if claims and (found != wanted or verdict["outcome"] is None or len(claims) != len(wanted)):
            raise ProofError("the claims do not say what the verdict says")
        for column in content["line"]:
            boards[turn] |= rules.drop(column, boards[0] | boards[1])
            turn = 1 - turn
        for claim in claims:
            check_claim(boards[0], boards[1], rules.width, rules.height, claim)
    except (AttributeError, IndexError, KeyError, TypeError) as error:
        raise ProofError(f"this is not an explanation: {error!r}") from error


def check_claim(first: int, second: int, width: int, height: int, claim: Json) -> Replay:
    """Raise `ProofError` unless *claim* is proven for the position with these stones.

    *claim* is a claim of `Explanation.to_json()`: `player` (1 or 2) reaches `goal` ("win" or "hold",
    which is not to lose). `start` are columns that lead to where the proof begins; moves of the opponent
    among them must be forced.
    """
    rules, boards, player = Rules(width, height), {1: first, 2: second}, claim["player"]
    turn = 1 if first.bit_count() == second.bit_count() else 2
    for column in claim["start"]:
        mine, other = boards[turn], boards[3 - turn]
        move = rules.drop(column, mine | other)
        # Of two threats the reply stops one; whichever it is, the other one wins.
        if turn != player and (move not in rules.wins(other, mine) or rules.wins(mine, other)):
            raise ProofError(f"the opponent is not forced to play in column {column}")
        boards[turn] |= move
        turn = 3 - turn
    if rules.has_four(boards[1]) or rules.has_four(boards[2]):
        raise ProofError("the game is over before the proof begins")
    mine, theirs = boards[player], boards[3 - player]
    proof, win = claim["proof"], claim["goal"] == "win"
    if (turn == player) != (proof["kind"] == "force") or claim["goal"] not in ("win", "hold"):
        raise ProofError("the proof does not begin with the right player")
    if proof["kind"] == "force":
        return _check_force(rules, mine, theirs, proof["line"])
    if proof["kind"] == "plan":
        return _PlanCheck(rules, win, proof).check(mine, theirs)
    if proof["kind"] == "local":
        return _check_local(rules, mine, theirs, win, proof)
    raise ProofError(f"no proof is called {proof['kind']!r}")


def _check_force(rules: Rules, mine: int, theirs: int, line: Sequence[int]) -> Replay:
    for number, column in enumerate(line):
        move = rules.drop(column, mine | theirs)
        if number % 2:
            if move not in rules.wins(mine, theirs):
                raise ProofError(f"stone {number + 1} of the line is not the reply")
            theirs |= move
            continue
        mine |= move
        if rules.has_four(mine):
            if number + 1 != len(line):
                raise ProofError("the line goes on after the four")
            return Replay(positions=len(line), wins=move)
        if rules.wins(theirs, mine) or not rules.wins(mine, theirs):
            raise ProofError(f"stone {number + 1} of the line does not force a reply")
    raise ProofError("the line does not end with a four")


def _wins_by_force(rules: Rules, mine: int, theirs: int, stones: int) -> bool:
    if rules.wins(mine, theirs):
        return True
    block = rules.wins(theirs, mine)
    if stones < 2 or len(block) > 1:
        return False
    for move in block or rules.playable(mine | theirs):
        threats = rules.wins(mine | move, theirs)
        forces = threats and not rules.wins(theirs, mine | move)
        if forces and _wins_by_force(rules, mine | move, theirs | threats[0], stones - 1):
            return True
    return False


class _PlanCheck:
    """Replays an answer table against every move of the opponent."""

    def __init__(self, rules: Rules, win: bool, proof: Json) -> None:
        self.rules, self.win, self.takes = rules, win, min(int(proof["takes"]), 4)
        self.latest = int(proof["latest"]) if win else 0
        at, table = rules.bit, proof["answers"]
        self.answers = {at(*entry["stone"]): [at(*s) for s in entry["squares"]] for entry in table}
        self.replay = Replay()

    def check(self, mine: int, theirs: int) -> Replay:
        rules, replay, seen = self.rules, self.replay, {(mine, theirs)}
        waiting = [(mine, theirs)]
        while waiting:
            mine, theirs = waiting.pop()
            replay.gets |= theirs
            if rules.wins(theirs, mine):
                raise ProofError("the opponent completes a four")
            moves = rules.playable(mine | theirs)
            if not self.win and not any(line & mine == 0 for line in rules.lines):
                replay.gets |= sum(rules.columns) & ~mine  # whatever is played, there is no four left
                continue
            if not moves and self.win:
                raise ProofError("the board is full and nobody has won")
            for stone in moves:
                replay.gets |= stone
                state = self.answer(mine, theirs | stone, stone)
                if state and state not in seen:
                    seen.add(state)
                    waiting.append(state)
        replay.positions = len(seen)
        replay.gets_no_four = not replay.forced and not rules.has_four(replay.gets)
        return replay

    def answer(self, mine: int, theirs: int, stone: int) -> tuple[int, int] | None:
        """The position after the plan's answer; None if the plan has reached its goal."""
        rules, mask = self.rules, mine | theirs
        if four := rules.wins(mine, theirs):
            self.replay.wins |= sum(four)
            self.replay.always_below &= four == [stone << 1]
            return self.won(mask.bit_count() + 1)
        if block := rules.wins(theirs, mine):
            if len(block) > 1:
                raise ProofError("the opponent threatens two squares")
            return mine | block[0], theirs
        for stones in range(2, self.takes + 1):
            if _wins_by_force(rules, mine, theirs, stones):
                self.replay.forced, self.replay.always_below = True, False
                return self.won(mask.bit_count() + 2 * stones - 1)
        if not (playable := rules.playable(mask)):
            return (mine, theirs) if self.win else None  # which is refused as a full board
        for square in self.answers.get(stone, [stone << 1]):
            if square in playable and not rules.has_four(theirs | (square << 1 & ~mask)):
                self.replay.on_top |= 0 if stone in self.answers else stone
                return mine | square, theirs
        raise ProofError("the plan has no answer")

    def won(self, stones: int) -> tuple[int, int] | None:
        """Accept a win with this stone, after which there is no position to go on with."""
        if self.win and stones > self.latest:
            raise ProofError(f"the win comes with stone {stones}, not {self.latest} at the latest")
        return None


def _check_local(rules: Rules, mine: int, theirs: int, win: bool, proof: Json) -> Replay:
    columns = sorted(column for group in proof["groups"] for column in group["columns"])
    if columns != [c for c, squares in enumerate(rules.columns) if squares & ~(mine | theirs)]:
        raise ProofError("the groups are not the open columns, each once")
    groups = [_GroupCheck(rules, mine, theirs, group) for group in proof["groups"]]
    needs = [need for group in groups for need in group.needs]
    if not all(line & mine or any(need & ~line == 0 for need in needs) for line in rules.lines):
        raise ProofError("a line of the opponent is stopped in no group")
    winners, held = [g for g in groups if g.wins], [g for g in groups if not g.wins]
    odd = [group for group in held if group.squares.bit_count() % 2]
    free = {id(group): "never" for group in groups}
    # See that the opponent, not the follower, runs out of answers.
    if len(winners) != win or len(odd) > 2:
        raise ProofError("the groups do not leave the last move to the follower")
    if len(odd) == 2:
        free.update((id(group), "one_odd") for group in odd)
    elif len(odd) == 1:
        free.update((id(group), "one" if win else "any_even") for group in (winners or held))
    if any(group.free != free[id(group)] for group in groups):
        raise ProofError("a group does not allow for the free moves that it may have to make")
    for group in groups:
        group.depth = group.visit(0, 0, group.free != "never")
    latest = (mine | theirs).bit_count()
    latest += sum(group.depth if group.wins else group.squares.bit_count() for group in groups)
    if win and latest > proof["latest"]:
        raise ProofError(f"the win may take until stone {latest}")
    return Replay(positions=sum(len(group.depths) for group in groups))


class _GroupCheck:
    """Replays the answers of one group against every move of the opponent in it."""

    def __init__(self, rules: Rules, mine: int, theirs: int, group: Json) -> None:
        self.rules, self.board, self.depth = rules, (mine, theirs), 0
        self.squares = sum(rules.columns[column] for column in group["columns"]) & ~(mine | theirs)
        self.wins, self.free = group["role"] == "win", group["free"]
        self.needs = [rules.bits(need) for need in group["needs"]]
        if any(not need or need & ~self.squares for need in self.needs):
            raise ProofError("a group has to stop squares that it does not have")
        at, all_of, table = rules.bit, rules.bits, group["answers"]
        self.answers = {(all_of(e["theirs"]), all_of(e["mine"])): at(*e["answer"]) for e in table}
        self.depths: dict[tuple[int, int, bool], int] = {}

    def open(self, theirs: int, mine: int) -> list[int]:
        mask = self.board[0] | self.board[1] | theirs | mine
        return [square for square in self.rules.playable(mask) if square & self.squares]

    def is_four(self, mine: int) -> bool:
        return self.rules.has_four(self.board[0] | mine)

    def is_settled(self, mine: int) -> bool:
        return not self.wins and all(need & mine for need in self.needs)

    def visit(self, theirs: int, mine: int, free: bool) -> int:
        """Check a state with the opponent to move; return the stones until the four at the latest."""
        key = theirs, mine, free
        if self.is_settled(mine):
            return 0
        if key in self.depths:
            return self.depths[key]
        moves = self.open(theirs, mine)
        if any(need & ~(theirs | move) == 0 for need in self.needs for move in moves):
            raise ProofError("the opponent gets squares that a group should stop")
        threats = [move for move in moves if self.is_four(mine | move)]
        depth = 2 if len(threats) > 1 else 0
        if len(threats) < 2:
            depth = max(
                (1 + self.play(theirs | move, mine, free) for move in threats or moves), default=0
            )
            odd = (self.squares & ~(theirs | mine)).bit_count() % 2 == 1
            if (
                moves
                and not threats
                and free
                and (self.free == "one" or odd == (self.free == "one_odd"))
            ):
                depth = max(depth, self.play(theirs, mine, self.free == "any_even"))
        if not moves and self.wins:
            raise ProofError("the group that should win is full")
        self.depths[key] = depth
        return depth

    def play(self, theirs: int, mine: int, free: bool) -> int:
        """Check the follower's move; return the stones until the four at the latest, with it."""
        moves, move = self.open(theirs, mine), self.answers.get((theirs, mine))
        if not self.wins and (not moves or self.is_settled(mine)):
            return 0
        if move not in moves:
            raise ProofError("a group has no answer, or one that cannot be played")
        return 1 if self.is_four(mine | move) else 1 + self.visit(theirs, mine | move, free)
