"""A claim, played out: what its player answers to any replies of the opponent.

>>> from fourcast import Position, explain
>>> found = explain(Position("4575274553"))
>>> follow(found.claims_position, found.claims[0])  # column 4 threatens two squares
Followed(columns=(3,), why='line', state='open')
>>> follow(found.claims_position, found.claims[0], [2])  # one of them is blocked
Followed(columns=(3, 2, 3), why='four', state='won')
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from fourcast._core import Position
from fourcast.errors import OptionError
from fourcast.study.checker import ProofError
from fourcast.study.explain import Cases, Claim, Force, Group, LocalGames, Plan, Proof, Square

__all__ = ["Followed", "Why", "follow"]

Why = Literal["line", "four", "block", "force", "table", "top", "group", "elsewhere"]
"""Why a disc is played: as the next of the claim's `start` or of its forcing line; to complete a four;
to block one; to begin a forced win; as the plan's table has it; on top of the opponent's disc;
elsewhere in the group of that disc; or in another group, because that one is full."""


@dataclass(frozen=True)
class Followed:
    """How a game stands in which one player follows a claim."""

    columns: tuple[int, ...]
    """All discs from the position that the claim is about, those of both players."""
    why: Why | None
    """Why the claim's player played the last disc; None if it was not theirs."""
    state: Literal["open", "won", "held"]
    """"won" and "held" once the claim's player has won, or cannot lose any more."""


def follow(position: Position, claim: Claim, replies: Iterable[int] = ()) -> Followed:
    """Return the game in which the opponent plays *replies* and the claim's player follows *claim*.

    *position* is the one that the claim is about, `Explanation.claims_position`. Raises
    `IllegalMoveError` for a reply that cannot be played, `OptionError` for one that comes after the goal
    is reached, and `ProofError` if the claim, which then is not proven, has no answer.
    """
    game = _Game(position, claim)
    for reply in replies:
        game.reply(reply)
    return Followed(tuple(game.columns), game.why, game.state)


class _Game:
    """A game in which one player follows a claim."""

    def __init__(self, position: Position, claim: Claim) -> None:
        self.position, self.claim = position, claim
        self.player, self.opponent = claim.player, 3 - claim.player
        self.columns: list[int] = []
        self.why: Why | None = None
        self.script = claim.start + (claim.proof.line if isinstance(claim.proof, Force) else ())
        self.proof: Proof = claim.proof
        self.proof_position = position.play(*claim.start)
        if position.turn == self.player:
            self._play(*self._next_of_script())
        elif isinstance(self.proof, Cases) and not claim.start:
            self._look_for_end(self.proof)

    @property
    def state(self) -> Literal["open", "won", "held"]:
        if self.position.winner == self.player:
            return "won"
        if self.claim.goal == "win":
            return "open"
        return "open" if _has_line_left(self.position, self.opponent) else "held"

    def reply(self, column: int) -> None:
        """Play the opponent's disc in *column*, and answer it."""
        if self.state != "open":
            raise OptionError("error.claim_reached", facts={})
        follows_script = self.script[len(self.columns) : len(self.columns) + 1] == (column,)
        self._play(None, column)
        if self.state == "open":
            self._play(*self._answer(follows_script))

    def _play(self, why: Why | None, column: int) -> None:
        self.position = self.position.play(column)
        self.columns.append(column)
        self.why = "four" if self.position.winner == self.player else why
        if isinstance(self.proof, Cases) and why and len(self.columns) >= len(self.claim.start):
            self._look_for_end(self.proof)

    def _next_of_script(self) -> tuple[Why, int]:
        if len(self.columns) >= len(self.script):
            raise ProofError("it is the turn of the claim's player, who has no move to begin with")
        return "line", self.script[len(self.columns)]

    def _answer(self, follows_script: bool) -> tuple[Why, int]:
        """Return the player's next column, and why it is that one."""
        if follows_script and len(self.columns) < len(self.script):
            return self._next_of_script()
        if fours := self.position.winning_columns(self.player):
            return "four", fours[0]
        proof, column = self.proof, self.columns[-1]
        stone = column, self.position.heights[column] - 1
        if len(self.columns) > len(self.claim.start):
            if isinstance(proof, Plan):
                return self._planned(proof, stone)
            if isinstance(proof, LocalGames):
                return self._grouped(proof, stone)
            if isinstance(proof, Cases):
                return self._by_case(proof, stone)
        raise ProofError("the opponent was not forced to reply")

    def _taken(self, columns: Iterable[int]) -> tuple[set[Square], set[Square]]:
        """Return the squares that the opponent and the player have taken since the proof began."""
        begin, position = self.proof_position.heights, self.position
        taken: dict[int, set[Square]] = {1: set(), 2: set()}
        for column in columns:
            for row in range(begin[column], position.heights[column]):
                taken[position.at(column, row)].add((column, row))
        return taken[self.opponent], taken[self.player]

    def _look_for_end(self, proof: Cases) -> None:
        """Go on with the proof of the position, if it has one of its own."""
        theirs, mine = self._taken(range(self.position.width))
        for end in proof.ends:
            if set(end.theirs) == theirs and set(end.mine) == mine:
                self.proof, self.proof_position = end.proof, self.position
                break

    def _by_case(self, proof: Cases, stone: Square) -> tuple[Why, int]:
        if blocks := self.position.winning_columns(self.opponent):
            return "block", blocks[0]
        theirs, mine = self._taken(range(self.position.width))
        why: Why = "top"
        answer = _above(stone)
        for entry in proof.answers:
            if set(entry.theirs) == theirs and set(entry.mine) == mine:
                why, answer = "table", entry.answer
        if not _is_playable(self.position, answer):
            raise ProofError("the proof has no answer, or one that cannot be played")
        return why, answer[0]

    def _planned(self, proof: Plan, stone: Square) -> tuple[Why, int]:
        position = self.position
        if blocks := position.winning_columns(self.opponent):
            return "block", blocks[0]
        for stones in range(2, proof.takes + 1):
            if (column := forced_win(position, stones)) is not None:
                return "force", column
        table = {answer.stone: answer.squares for answer in proof.answers}
        losing = {(column, row - 1) for column, row in position.threats(self.opponent)}
        for square in table.get(stone, (_above(stone),)):
            if _is_playable(position, square) and square not in losing:
                return "table" if stone in table else "top", square[0]
        raise ProofError("the plan has no answer")

    def _grouped(self, proof: LocalGames, stone: Square) -> tuple[Why, int]:
        home = next((group for group in proof.groups if stone[0] in group.columns), None)
        others = [group for group in proof.groups if group is not home and group.free != "never"]
        for group in ([home] if home else []) + others:
            if any(self.position.can_play(column) for column in group.columns):
                column = self._in_group(group, stone)
                why: Why = "top" if column == stone[0] else "group"
                return why if group is home else "elsewhere", column
        raise ProofError("no group has room for an answer")

    def _in_group(self, group: Group, stone: Square) -> int:
        """Return the column in which the player moves in *group*, which has room."""
        position = self.position
        theirs, mine = self._taken(group.columns)
        if group.role == "hold" and all(mine.intersection(need) for need in group.needs):
            # Nothing is left to be stopped here: any square will do.
            columns = [column for column in group.columns if position.can_play(column)]
            return stone[0] if stone[0] in columns else columns[0]
        for entry in group.answers:
            if set(entry.theirs) == theirs and set(entry.mine) == mine:
                if _is_playable(position, entry.answer):
                    return entry.answer[0]
                break
        raise ProofError("a group has no answer, or one that cannot be played")


def forced_win(position: Position, stones: int) -> int | None:
    """Return the column that begins a forced win of at most *stones* discs of the side to move."""
    player, opponent = position.turn, 3 - position.turn
    if fours := position.winning_columns(player):
        return fours[0]
    blocks = position.winning_columns(opponent)
    if stones < 2 or len(blocks) > 1:
        return None
    for column in blocks or position.legal_columns:
        after = position.play(column)
        threats = after.winning_columns(player)
        # Of two threats the reply stops one; whichever it is, the other one wins.
        forces = threats and not after.winning_columns(opponent)
        if forces and forced_win(after.play(threats[0]), stones - 1) is not None:
            return column
    return None


def _has_line_left(position: Position, player: int) -> bool:
    """Whether *player* could still complete a four if all empty squares were theirs."""
    if position.is_over:
        return False
    width, height, owners = position.width, position.height, (0, player)
    free = [[position.at(x, y) in owners for y in range(height)] for x in range(width)]
    for x in range(width):
        for y in range(height):
            for dx, dy in ((0, 1), (1, 0), (1, 1), (1, -1)):
                squares = [(x + i * dx, y + i * dy) for i in range(4)]
                if all(0 <= a < width and 0 <= b < height and free[a][b] for a, b in squares):
                    return True
    return False


def _is_playable(position: Position, square: Square) -> bool:
    return position.can_play(square[0]) and position.heights[square[0]] == square[1]


def _above(square: Square) -> Square:
    return square[0], square[1] + 1
