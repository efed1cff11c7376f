"""The search for small certificates.

A strategy is built once and then polished: a position is picked, other moves are tried there, and what
they need is kept if the whole gets smaller. The size is the number of positions with the player to move,
mirror images and transpositions merged. Leaves are tried with growing effort, and what was tried is
remembered. All of it is on disk: a search that is stopped goes on where it was.
"""

from __future__ import annotations

import json
import os
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fourcast._core import Position, ask
from fourcast.certificate.alone import Board, bits_of
from fourcast.certificate.writer import FORCED, Leaf, Pair, Strategy
from fourcast.solver import Solver

__all__ = ["EFFORTS", "Search", "Size", "size_of"]

EFFORTS: list[dict[str, Any]] = [
    {
        "plans": [{"rules": 2, "steps": 20_000, "takes": 1}, {"rules": 4, "steps": 50_000, "takes": 1}],
        "groups": [{"columns": columns, "steps": 100_000} for columns in (1, 2, 3, 4)],
    },
    {"plans": [], "groups": [{"columns": 5, "steps": 1_000_000}]},
    {"plans": [], "groups": [{"columns": 6, "steps": 2_000_000}]},
    {"plans": [], "groups": [{"columns": 7, "steps": 4_000_000}]},
    {"plans": [], "groups": [{"columns": columns, "steps": 30_000_000} for columns in (5, 6, 7)]},
]
"""How hard a leaf is searched for, step by step."""
MOST_ANSWERS = 20_000
"""Answers that the local games of a leaf may have, written out."""


@dataclass(frozen=True)
class Size:
    """How large a strategy is."""

    positions: int
    """Positions with the player to move, up to mirror image; a four at once is not counted."""
    inner: int
    """Positions with the opponent to move in which the replies are looked at one by one."""
    forced: int
    leaves: int


def size_of(board: Board, strategy: Strategy) -> Size:
    """Count what a strategy needs."""
    positions, after = reachable(board, strategy)
    leaves = sum(position in strategy.leaves for position in after)
    forced = sum(strategy.moves[position] == FORCED for position in positions)
    return Size(len(positions), len(after) - leaves, forced, leaves)


def reachable(
    board: Board, strategy: Strategy, without: Pair | None = None
) -> tuple[set[Pair], set[Pair]]:
    """Return the positions that a strategy needs, with the player and with the opponent to move.

    *without* is passed over, with all that only it leads to.
    """
    start, to_move = strategy.begin(board)
    seen: set[Pair] = set()
    seen_after: set[Pair] = set()
    waiting = [board.one_of_mirrors(*start)] if to_move else list(replies(board, strategy.win, *start))
    while waiting:
        position = waiting.pop()
        if position in seen or position == without or is_settled(board, strategy.win, *position):
            continue
        seen.add(position)
        move = strategy.moves[position]
        if move == FORCED:
            continue
        after = board.one_of_mirrors(position[0] | move, position[1])
        if after not in seen_after:
            seen_after.add(after)
            if after not in strategy.leaves:
                waiting += replies(board, strategy.win, *after)
    return seen, seen_after


def replies(board: Board, win: bool, mine: int, theirs: int) -> Iterator[Pair]:
    """Yield the positions after the opponent's moves in which the player has to move."""
    for move in bits_of(board.playable(mine | theirs)):
        if win or board.playable(mine | theirs | move):
            yield board.one_of_mirrors(mine, theirs | move)


def is_settled(board: Board, win: bool, mine: int, theirs: int) -> bool:
    """Whether nothing has to be said of a position: a four at once, or nothing left to fear."""
    return bool(board.wins(mine, theirs)) or (not win and not board.has_four(board.squares & ~mine))


class Search:
    """A search in a folder: `strategy.json` is the best so far, `tried.jsonl` what was tried."""

    def __init__(self, folder: Path, strategy: Strategy, *, seed: int = 0) -> None:
        self.folder, self.strategy = folder, strategy
        self.board = Board(strategy.width, strategy.height)
        self.random = random.Random(seed)
        self.solver = Solver()
        self._tried: dict[Pair, tuple[int, Leaf | None]] = {}
        self._winning: dict[Pair, list[int]] = {}
        self._forced: dict[Pair, bool] = {}
        folder.mkdir(parents=True, exist_ok=True)
        self._load()

    # ---- What is known of a position ----------------------------------------------------------------

    def leaf(self, position: Pair, effort: int) -> Leaf | None:
        """Return a proof of a position with the opponent to move, if this much effort finds one."""
        level, found = self._tried.get(position, (-1, None))
        while found is None and level < effort:
            level += 1
            found = ask(
                "certificate.leaf", {**self._place(position), **EFFORTS[level], "answers": MOST_ANSWERS}
            )
            self._tried[position] = level, found
            entry = [str(position[0]), str(position[1]), level, found]
            with (self.folder / "tried.jsonl").open("a", encoding="utf-8") as log:
                print(json.dumps(entry, separators=(",", ":")), file=log)
        return found

    def wins_by_force(self, position: Pair) -> bool:
        """Whether the player, to move, has a forced win that the checker finds."""
        if position not in self._forced:
            self._forced[position] = self.strategy.win and self.board.forces(*position)
        return self._forced[position]

    def good_moves(self, position: Pair) -> list[int]:
        """Return the moves that reach the goal, the best first, by the solver."""
        if position not in self._winning:
            mine, theirs = position
            moves = self.board.sensible_moves(mine, theirs)
            scored = [(self._score(mine | move, theirs), -move, move) for move in moves]
            least = 1 if self.strategy.win else 0
            good = sorted((each for each in scored if each[0] >= least), reverse=True)
            self._winning[position] = [move for _, _, move in good]
        return self._winning[position]

    def _score(self, mine: int, theirs: int) -> int:
        """The score of a position with the opponent to move, for the player."""
        position = self._position(mine, theirs)
        return -(position.final_score if position.is_over else self.solver.score(position))

    def _position(self, mine: int, theirs: int) -> Position:
        sides = (mine, theirs) if self.strategy.player == 1 else (theirs, mine)
        return Position.from_bitboards(*sides, width=self.board.width, height=self.board.height)

    def _place(self, position: Pair) -> dict[str, Any]:
        mine, theirs = position if self.strategy.player == 1 else position[::-1]
        size = {"width": self.board.width, "height": self.board.height}
        return {"first": str(mine), "second": str(theirs), **size, "win": self.strategy.win}

    # ---- Building and polishing ---------------------------------------------------------------------

    def build(self, effort: int, progress: Callable[[Size], None] | None = None) -> None:
        """Complete the strategy, so that every position has a move."""
        while missing := self._missing():
            for position in missing:
                self._complete(position, effort)
            if progress:
                progress(Size(len(self.strategy.moves), 0, 0, len(self.strategy.leaves)))
        self.save()

    def _missing(self) -> list[Pair]:
        board, strategy = self.board, self.strategy
        start, to_move = strategy.begin(board)
        first = [board.one_of_mirrors(*start)] if to_move else list(replies(board, strategy.win, *start))
        seen, waiting, missing = set(first), first, []
        while waiting:
            position = waiting.pop()
            if is_settled(board, strategy.win, *position):
                continue
            if position not in strategy.moves:
                missing.append(position)
                continue
            if (move := strategy.moves[position]) == FORCED:
                continue
            after = board.one_of_mirrors(position[0] | move, position[1])
            if after not in strategy.leaves:
                new = set(replies(board, strategy.win, *after)) - seen
                seen |= new
                waiting += new
        return missing

    def _complete(self, position: Pair, effort: int) -> None:
        """Choose a move: one that wins by force, one with a leaf after it, else the best one."""
        strategy = self.strategy
        if self.wins_by_force(position):
            strategy.moves[position] = FORCED
            return
        moves = self.good_moves(position)
        for level in range(effort + 1):
            for move in moves:
                after = self.board.one_of_mirrors(position[0] | move, position[1])
                if after in strategy.leaves or self.leaf(after, level):
                    strategy.moves[position] = move
                    strategy.leaves.setdefault(after, self.leaf(after, level) or {})
                    return
        strategy.moves[position] = moves[0]

    def polish(self, effort: int, depth: int) -> bool:
        """Try other moves in one position; return whether the strategy got smaller."""
        strategy = self.strategy
        needed, _ = reachable(self.board, strategy)
        inner = [
            position
            for position in needed
            if (move := strategy.moves[position]) != FORCED
            and self.board.one_of_mirrors(position[0] | move, position[1]) not in strategy.leaves
        ]
        if not inner:
            return False
        return self.polish_at(self.random.choice(sorted(inner)), effort, depth)

    def polish_at(self, position: Pair, effort: int, depth: int) -> bool:
        """The same for a position with the player to move."""
        board, strategy = self.board, self.strategy
        needed, _ = reachable(board, strategy)
        kept, kept_after = reachable(board, strategy, without=position)
        most = len(needed) - len(kept)
        best: _Part | None = None
        for move in self.good_moves(position):
            part = self._part_of(position, move, kept, kept_after, effort, depth, most)
            if part is not None and len(part.moves) < most:
                best, most = part, len(part.moves)
        if best is None:
            return False
        strategy.moves.update(best.moves)
        strategy.leaves.update(best.leaves)
        for dropped in best.inner & set(strategy.leaves):
            del strategy.leaves[dropped]
        assert size_of(board, strategy).positions < len(needed)
        self.save()
        return True

    def _part_of(
        self,
        position: Pair,
        move: int,
        kept: set[Pair],
        kept_after: set[Pair],
        effort: int,
        depth: int,
        most: int,
    ) -> _Part | None:
        """What has to be added if this move is played, at most *most* positions; None: too much."""
        part = _Part({position: move}, {}, set())
        after = self.board.one_of_mirrors(position[0] | move, position[1])
        return part if self._add(part, after, kept, kept_after, effort, depth, most) else None

    def _add(
        self,
        part: _Part,
        after: Pair,
        kept: set[Pair],
        kept_after: set[Pair],
        effort: int,
        depth: int,
        most: int,
    ) -> bool:
        if len(part.moves) > most:
            return False
        if after in kept_after or after in part.leaves or after in part.inner:
            return True
        if leaf := self.strategy.leaves.get(after) or self.leaf(after, effort):
            part.leaves[after] = leaf
            return True
        if depth == 0:
            return False
        part.inner.add(after)
        waiting = []
        for position in replies(self.board, self.strategy.win, *after):
            new = position not in kept and position not in part.moves
            if new and not is_settled(self.board, self.strategy.win, *position):
                part.moves[position] = FORCED
                if not self.wins_by_force(position):
                    waiting.append(position)
        if len(part.moves) > most:
            return False
        for position in waiting:
            if not self._choose(part, position, kept, kept_after, effort, depth, most):
                return False
        return True

    def _choose(
        self,
        part: _Part,
        position: Pair,
        kept: set[Pair],
        kept_after: set[Pair],
        effort: int,
        depth: int,
        most: int,
    ) -> bool:
        """Choose the move in a new position that adds the least."""
        best: _Part | None = None
        for move in self.good_moves(position):
            trial = _Part({**part.moves, position: move}, dict(part.leaves), set(part.inner))
            after = self.board.one_of_mirrors(position[0] | move, position[1])
            limit = most if best is None else len(best.moves) - 1
            if self._add(trial, after, kept, kept_after, effort, depth - 1, limit):
                best = trial
                if len(best.moves) == len(part.moves):
                    break
        if best is None:
            return False
        part.moves, part.leaves, part.inner = best.moves, best.leaves, best.inner
        return True

    # ---- On disk ------------------------------------------------------------------------------------

    def save(self) -> None:
        """Write the strategy, without what it no longer needs."""
        strategy = self.strategy
        needed, after = reachable(self.board, strategy)
        strategy.moves = {position: strategy.moves[position] for position in needed}
        strategy.leaves = {each: strategy.leaves[each] for each in after if each in strategy.leaves}
        content = {
            "moves": [
                [*map(str, position), str(move)] for position, move in sorted(strategy.moves.items())
            ],
            "leaves": [
                [*map(str, position), leaf] for position, leaf in sorted(strategy.leaves.items())
            ],
        }
        file = self.folder / "strategy.json"
        temporary = file.with_suffix(".new")
        temporary.write_text(json.dumps(content), "utf-8")
        os.replace(temporary, file)

    def _load(self) -> None:
        file = self.folder / "strategy.json"
        if file.exists():
            content = json.loads(file.read_text("utf-8"))
            self.strategy.moves = {(int(a), int(b)): int(move) for a, b, move in content["moves"]}
            self.strategy.leaves = {(int(a), int(b)): leaf for a, b, leaf in content["leaves"]}
        log = self.folder / "tried.jsonl"
        if log.exists():
            for line in log.read_text("utf-8").splitlines():
                try:
                    a, b, level, found = json.loads(line)
                except ValueError:
                    continue  # the last line of a search that was killed
                self._tried[int(a), int(b)] = level, found


@dataclass
class _Part:
    """What a change adds to a strategy."""

    moves: dict[Pair, int]
    leaves: dict[Pair, Leaf]
    inner: set[Pair]
