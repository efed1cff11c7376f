"""What the search for certificates has to know of a position: work for threads and clusters.

A position has the player to move for whom the proof is. It is won by force, or a move of theirs leads to
local games that a checker solves, or it has moves that reach the goal after several replies.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from fourcast._core import Position, StopToken, ask
from fourcast.book.workers import Work
from fourcast.certificate.alone import FORCED_DISCS, MOST_STATES, Board, bits_of
from fourcast.certificate.levels import FORCED_DISCS as FORCED_BY_LEVEL
from fourcast.certificate.writer import Leaf, Levels, Pair, assignment
from fourcast.errors import StoppedError
from fourcast.solver import Solver

__all__ = ["EFFORTS", "LOOK", "Found", "Goal", "Look"]

EFFORTS: list[list[dict[str, int]]] = [
    [{"columns": columns, "steps": 100_000} for columns in (1, 2, 3, 4)],
    [{"columns": 5, "steps": 1_000_000}],
    [{"columns": 6, "steps": 2_000_000}],
    [{"columns": columns, "steps": 10_000_000} for columns in (5, 6)],
]
"""How hard a leaf is searched for, step by step: columns of the largest group."""
WHOLE_BOARD_STATES = (20_000, 60_000, 150_000, 400_000)
"""With each effort, the states that a local game of all columns may have."""
LEVEL_EFFORTS = (34, 1_500), (34, 15_000), (36, 50_000), (38, 200_000)
"""With each effort, the empty squares up to which a level diagram is searched for, and its conflicts."""
MOST_LEVEL_STATES = 20_000
"""Positions that a level diagram may meet."""
MOST_ANSWERS = 20_000
"""Answers that the local games of a leaf may have, written out."""
FEW_STATES = 1_000
"""A leaf of so few is good enough: no other move is tried."""


@dataclass(frozen=True)
class Goal:
    """What is to be proven, on which board."""

    width: int
    height: int
    player: int
    win: bool
    readable: bool = False
    """Whether leaves are level diagrams, which people can follow, and nothing else."""

    @property
    def board(self) -> Board:
        """The rules."""
        return _board(self.width, self.height)

    def position(self, place: Pair) -> Position:
        """Return a pair of discs as a position."""
        first, second = place if self.player == 1 else place[::-1]
        return Position.from_bitboards(first, second, width=self.width, height=self.height)

    def request(self, place: Pair) -> dict[str, Any]:
        """Return a pair of discs as the core's questions name it."""
        first, second = place if self.player == 1 else place[::-1]
        size = {"width": self.width, "height": self.height}
        return {"first": str(first), "second": str(second), **size, "win": self.win}

    def column_of(self, square: int) -> int:
        """Return the column of a square."""
        return (square.bit_length() - 1) // (self.height + 1)

    def is_settled(self, place: Pair) -> bool:
        """Whether nothing has to be said of a position: a four at once, or nothing left to fear."""
        safe = not self.win and not self.board.has_four(self.board.squares & ~place[0])
        return safe or bool(self.board.wins(*place))

    def replies(self, after: Pair) -> list[Pair]:
        """Return the positions after the opponent's moves in which the player has to find a move."""
        mine, theirs = after
        found = {
            self.board.one_of_mirrors(mine, theirs | disc)
            for disc in bits_of(self.board.playable(mine | theirs))
            if self.win or self.board.playable(mine | theirs | disc)
        }
        return sorted(each for each in found if not self.is_settled(each))

    def forces(self, place: Pair) -> bool:
        """Whether the player, to move, has a forced win that the checker finds."""
        discs = FORCED_BY_LEVEL if self.readable else FORCED_DISCS
        return self.win and ask("certificate.forces", {**self.request(place), "discs": discs}) is True

    def good_moves(self, place: Pair, solver: Solver, stop: StopToken | None = None) -> list[int]:
        """Return the moves that reach the goal, the best first, by the solver."""
        mine, theirs = place
        scored = []
        for move in self.board.sensible_moves(mine, theirs):
            position = self.position((mine | move, theirs))
            if position.is_over:
                score: int | None = position.final_score
            else:
                score = solver.solve(position, best_columns=False, stop=stop).score
            if score is None:
                raise StoppedError("the solver was stopped before it knew all scores")
            if -score >= self.win:
                scored.append((score, move))
        return [move for _, move in sorted(scored)]

    def diagram(
        self,
        place: Pair,
        moves: Sequence[int],
        effort: int,
        solver: Solver,
        known: Sequence[Levels] = (),
    ) -> tuple[int, Leaf] | None:
        """Return one of the moves and a level diagram that wins after it, if this effort finds one.

        *known* are tried first.
        """
        empty, conflicts = LEVEL_EFFORTS[effort]
        searched = (self.board.squares & ~(place[0] | place[1])).bit_count() <= empty
        columns = {self.column_of(move): move for move in moves}
        request = {"columns": list(columns), "tries": int(searched), "conflicts": conflicts}
        request |= {"most": MOST_LEVEL_STATES, "known": [*map(list, known)]}
        found = ask("certificate.diagram", {**self.request(place), **request}, solver)
        if found is None:
            return None
        move, levels = columns[found["column"]], found["levels"]
        after = place[0] | move, place[1]
        if after != self.board.one_of_mirrors(*after):
            levels = [str(self.board.mirrored(int(level))) for level in levels]
        return move, {"levels": levels, "states": found["states"]}

    def local_games(self, place: Pair, effort: int) -> Leaf | None:
        """Return local games with the opponent to move, if one step of effort finds some."""
        request = {"groups": EFFORTS[effort], "answers": MOST_ANSWERS}
        found: Leaf | None = ask("certificate.leaf", {**self.request(place), **request})
        states = self.states(place, found) if found else None
        return None if found is None or states is None else {**found, "states": states}

    def whole_board(self, place: Pair, most: int) -> Leaf | None:
        """Return a local game of all columns, if the checker meets at most so many states."""
        free = self.board.squares & ~(place[0] | place[1])
        columns = [n for n, column in enumerate(self.board.columns) if column & free]
        needs = [str(line) for line in self.board.open_lines(*place)]
        groups = [{"columns": columns, "wins": self.win, "needs": needs}]
        states = ask("certificate.states", {**self.request(place), "groups": groups, "most": most})
        return None if states is None else {"groups": groups, "states": states}

    def states(self, place: Pair, leaf: Leaf) -> int | None:
        """Return how many states the checker meets in local games; None if it refuses that many."""
        needs = assignment(self.board, place, leaf["groups"], lambda _, known: known())
        request = [
            {"columns": group["columns"], "wins": group["wins"], "needs": list(map(str, own))}
            for group, own in zip(leaf["groups"], needs, strict=True)
        ]
        states: int | None = ask(
            "certificate.states", {**self.request(place), "groups": request, "most": MOST_STATES}
        )
        return states


@cache
def _board(width: int, height: int) -> Board:
    return Board(width, height)


@dataclass(frozen=True)
class Look:
    """A position with the player to move, and how hard to look at it."""

    goal: Goal
    place: Pair
    effort: int = 0
    known: tuple[Levels, ...] = ()
    """Level diagrams to try first."""


@dataclass(frozen=True)
class Found:
    """What was found: a forced win, a move that leads to a leaf, or the good moves."""

    forced: bool = False
    moves: tuple[int, ...] = ()
    """With a leaf the one that leads there. None if the goal is not reached."""
    leaf: Leaf | None = None


def _look(solver: Solver, task: Look, stop: StopToken | None) -> Found:
    goal, place = task.goal, task.place
    if goal.forces(place):
        return Found(forced=True)
    moves = goal.good_moves(place, solver, stop)
    if goal.readable:
        found = goal.diagram(place, moves, task.effort, solver, task.known)
        return Found(moves=(found[0],), leaf=found[1]) if found else Found(moves=tuple(moves))
    best: tuple[int, int, Leaf] | None = None
    for step in range(task.effort + 1):
        for move in moves:
            if stop is not None and stop.is_stopped:
                raise StoppedError("the search was stopped before it had looked at a position")
            after = goal.board.one_of_mirrors(place[0] | move, place[1])
            for leaf in (
                goal.local_games(after, step),
                goal.whole_board(after, WHOLE_BOARD_STATES[step]),
            ):
                if leaf and (best is None or leaf["states"] < best[0]):
                    best = leaf["states"], move, leaf
            if best and best[0] < FEW_STATES:
                break
        if best:
            return Found(moves=(best[1],), leaf=best[2])
    return Found(moves=tuple(moves))


def _make_solver() -> Solver:
    return Solver(table_mb=64)


LOOK = Work(_look, _make_solver, _make_solver)
"""The work of a search: chunks are `Look`s, answers are `Found`."""
