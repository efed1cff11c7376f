"""The search for small certificates.

A strategy is built once and then polished: a position is picked, other moves are tried there, and what
they need is kept if the whole gets cheaper. Positions with the player to move, mirror images and
transpositions merged, are what is to become few; the states that the checker meets in local games cost
something, too. Leaves are tried with growing effort, and what was tried is remembered. All of it is on
disk: a search that is stopped goes on where it was.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from fourcast._core import Position, ask
from fourcast.certificate.alone import MOST_STATES, Board, bits_of
from fourcast.certificate.writer import FORCED, Leaf, Pair, Strategy, assignment
from fourcast.errors import CertificateError
from fourcast.solver import Solver

__all__ = ["EFFORTS", "Search", "Size"]

EFFORTS: list[list[dict[str, int]]] = [
    [{"columns": columns, "steps": 100_000} for columns in (1, 2, 3, 4)],
    [{"columns": 5, "steps": 1_000_000}],
    [{"columns": 6, "steps": 2_000_000}],
    [{"columns": columns, "steps": 10_000_000} for columns in (5, 6)],
]
"""How hard a leaf is searched for, step by step: columns of the largest group."""
WHOLE_BOARD_STATES = (20_000, 60_000, 150_000, 400_000)
"""With each effort, the states that a local game of all columns may have."""
MOST_ANSWERS = 20_000
"""Answers that the local games of a leaf may have, written out."""
PRICE = 12_000
"""The states of local games that one position less is worth."""


@dataclass(frozen=True)
class Size:
    """How large a strategy is."""

    positions: int
    """Positions with the player to move, up to mirror image; a four at once is not counted."""
    inner: int
    """Positions with the opponent to move in which the replies are looked at one by one."""
    forced: int
    leaves: int
    states: int
    """Of the leaves, as far as they are known."""


@dataclass
class _Part:
    """What a change adds to a strategy."""

    moves: dict[Pair, int]
    leaves: dict[Pair, Leaf] = field(default_factory=dict)
    inner: set[Pair] = field(default_factory=set)
    cost: int = 0


class Search:
    """A search in a folder: `strategy.json` is the best so far, `tried.jsonl` what was tried."""

    def __init__(self, folder: Path, strategy: Strategy, *, price: int = PRICE) -> None:
        self.folder, self.strategy, self.price = folder, strategy, price
        self.board = Board(strategy.width, strategy.height)
        self.solver = Solver()
        self._tried: dict[Pair, tuple[int, Leaf | None]] = {}
        self._whole: dict[Pair, tuple[int, int | None]] = {}
        self._winning: dict[Pair, list[int]] = {}
        self._forced: dict[Pair, bool] = {}
        self._replies: dict[Pair, list[Pair]] = {}
        folder.mkdir(parents=True, exist_ok=True)
        self._load()

    # ---- What is known of a position ----------------------------------------------------------------

    def replies(self, after: Pair) -> list[Pair]:
        """Return the positions after the opponent's moves in which the player has to find a move."""
        if after not in self._replies:
            board, win = self.board, self.strategy.win
            mine, theirs = after
            found = {
                board.one_of_mirrors(mine, theirs | disc)
                for disc in bits_of(board.playable(mine | theirs))
                if win or board.playable(mine | theirs | disc)
            }
            self._replies[after] = sorted(each for each in found if not self._is_settled(*each))
        return self._replies[after]

    def _is_settled(self, mine: int, theirs: int) -> bool:
        """Whether nothing has to be said of a position: a four at once, or nothing left to fear."""
        board = self.board
        safe = not self.strategy.win and not board.has_four(board.squares & ~mine)
        return bool(board.wins(mine, theirs)) or safe

    def after(self, position: Pair, move: int) -> Pair:
        """Return the position after the player's move, up to mirror image."""
        return self.board.one_of_mirrors(position[0] | move, position[1])

    def leaf(self, position: Pair, effort: int, most: int | None = None) -> Leaf | None:
        """Return a proof of a position with the opponent to move, if this much effort finds one.

        With *most*, one of which the checker meets at most so many states.
        """
        if known := self.strategy.leaves.get(position):
            return known
        level, found = self._tried.get(position, (-1, None))
        for step in range(effort + 1):
            if found is None and level < step:
                level = step
                request = {"groups": EFFORTS[step], "answers": MOST_ANSWERS}
                found = ask("certificate.leaf", {**self._place(position), **request})
                if found is not None:
                    states_found = self.states_of(position, found)
                    found = None if states_found is None else {**found, "states": states_found}
                self._tried[position] = level, found
                self._log(position, level, found)
            if found is not None and (most is None or found["states"] <= most):
                return found
            states = WHOLE_BOARD_STATES[step]
            if whole := self.whole_board(position, states if most is None else min(most, states)):
                return whole
        return None

    def whole_board(self, position: Pair, most: int) -> Leaf | None:
        """Return a local game of all columns as a proof, if the checker meets at most so many states."""
        if most < 1:
            return None
        mine, theirs = position
        free = self.board.squares & ~(mine | theirs)
        columns = [n for n, column in enumerate(self.board.columns) if column & free]
        needs = [str(line) for line in self.board.open_lines(mine, theirs)]
        leaf: Leaf = {"groups": [{"columns": columns, "wins": self.strategy.win, "needs": needs}]}
        tried, states = self._whole.get(position, (0, None))
        if states is None and tried < most:
            states = ask(
                "certificate.states", {**self._place(position), "groups": leaf["groups"], "most": most}
            )
            self._whole[position] = most, states
            self._log(position, most, states)
        return {**leaf, "states": states} if states is not None and states <= most else None

    def states_of(self, position: Pair, leaf: Leaf) -> int | None:
        """Return how many states the checker meets in a leaf; None if it refuses that many."""
        mine, theirs = position
        columns = self.board.columns
        groups = [
            sum(columns[n] for n in group["columns"]) & ~(mine | theirs) for group in leaf["groups"]
        ]
        proven = [list(map(int, group["needs"])) for group in leaf["groups"]]
        _, needs = assignment(self.board, mine, theirs, groups, proven)
        request = [
            {"columns": group["columns"], "wins": group["wins"], "needs": list(map(str, own))}
            for group, own in zip(leaf["groups"], needs, strict=True)
        ]
        states: int | None = ask(
            "certificate.states", {**self._place(position), "groups": request, "most": MOST_STATES}
        )
        return states

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

    def first(self) -> list[Pair]:
        """Return the positions in which the player first has to find a move."""
        start, to_move = self.strategy.begin(self.board)
        return [self.board.one_of_mirrors(*start)] if to_move else self.replies(start)

    def reachable(self, without: Pair | None = None) -> tuple[set[Pair], set[Pair], list[Pair]]:
        """Return what a strategy needs: positions with the player and with the opponent to move.

        The third are those without a move, which a strategy has that is not complete. *without* is
        passed over, with all that only it leads to.
        """
        seen: set[Pair] = set()
        seen_after: set[Pair] = set()
        missing = []
        waiting = list(self.first())
        while waiting:
            position = waiting.pop()
            if position in seen or position == without:
                continue
            seen.add(position)
            move = self.strategy.moves.get(position)
            if move is None:
                missing.append(position)
            elif move != FORCED:
                after = self.after(position, move)
                if after not in seen_after:
                    seen_after.add(after)
                    if after not in self.strategy.leaves:
                        waiting += self.replies(after)
        return seen, seen_after, missing

    def size(self) -> Size:
        """Count what the strategy needs."""
        positions, after, _ = self.reachable()
        leaves = [self.strategy.leaves[each] for each in after if each in self.strategy.leaves]
        forced = sum(self.strategy.moves.get(position) == FORCED for position in positions)
        states = sum(leaf["states"] for leaf in leaves)
        return Size(len(positions), len(after) - len(leaves), forced, len(leaves), states)

    def build(self, effort: int, progress: Callable[[Size], None] | None = None) -> None:
        """Complete the strategy, so that every position has a move.

        Raises `CertificateError` if the player does not reach the goal from where it begins.
        """
        while missing := self.reachable()[2]:
            for position in missing:
                self._complete(position, effort)
            if progress:
                progress(self.size())
        self.save()

    def _complete(self, position: Pair, effort: int) -> None:
        """Choose a move: one that wins by force, one with a leaf after it, else the best one."""
        if self.wins_by_force(position):
            self.strategy.moves[position] = FORCED
            return
        moves = self.good_moves(position)
        if not moves:
            raise CertificateError("this player does not reach that goal from here")
        self.strategy.moves[position] = moves[0]
        for level in range(effort + 1):
            for move in moves:
                if leaf := self.leaf(self.after(position, move), level):
                    self.strategy.moves[position] = move
                    self.strategy.leaves[self.after(position, move)] = leaf
                    return

    def polish(self, effort: int, depth: int) -> Iterator[bool]:
        """Try other moves in each position, the largest parts first; yield whether it helped."""
        positions, _, _ = self.reachable()
        parts = {each: len(positions) - len(self.reachable(each)[0]) for each in positions}
        for position in sorted(positions, key=lambda each: (-parts[each], each)):
            if position in self.reachable()[0] and self.strategy.moves[position] != FORCED:
                yield self.polish_at(position, effort, depth)

    def polish_at(self, position: Pair, effort: int, depth: int) -> bool:
        """Try other moves in a position with the player to move; return whether it helped."""
        strategy = self.strategy
        needed, needed_after, _ = self.reachable()
        kept, kept_after, _ = self.reachable(without=position)
        leaves = (strategy.leaves.get(after) for after in needed_after - kept_after)
        now = self.price * (len(needed) - len(kept)) + sum(leaf["states"] for leaf in leaves if leaf)
        best: _Part | None = None
        most = now - 1
        for move in self.good_moves(position):
            part = _Part({position: move}, cost=self.price)
            after = self.after(position, move)
            if self._add(part, after, kept, kept_after, effort, depth, most):
                best, most = part, part.cost - 1
        if best is None:
            return False
        strategy.moves.update(best.moves)
        strategy.leaves.update(best.leaves)
        for dropped in best.inner & set(strategy.leaves):
            del strategy.leaves[dropped]
        self.save()
        return True

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
        """Add what a position with the opponent to move needs; False if that costs too much."""
        if part.cost > most:
            return False
        if after in kept_after or after in part.leaves or after in part.inner:
            return True
        if (leaf := self.leaf(after, effort, most - part.cost)) and part.cost + leaf["states"] <= most:
            part.leaves[after] = leaf
            part.cost += leaf["states"]
            return True
        if depth == 0:
            return False
        part.inner.add(after)
        waiting = []
        for position in self.replies(after):
            if position not in kept and position not in part.moves:
                part.moves[position] = FORCED
                part.cost += self.price
                waiting.append(position)
        if part.cost > most:
            return False
        return all(
            self.wins_by_force(position)
            or self._choose(part, position, kept, kept_after, effort, depth, most)
            for position in waiting
        )

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
        moves = self.good_moves(position)
        usual = self.strategy.moves.get(position)
        for move in sorted(moves, key=lambda each: each != usual):
            trial = _Part({**part.moves, position: move}, dict(part.leaves), set(part.inner), part.cost)
            limit = most if best is None else best.cost - 1
            if self._add(trial, self.after(position, move), kept, kept_after, effort, depth - 1, limit):
                best = trial
                if best.cost == part.cost:
                    break
        if best is None:
            return False
        part.moves, part.leaves, part.inner, part.cost = best.moves, best.leaves, best.inner, best.cost
        return True

    # ---- On disk ------------------------------------------------------------------------------------

    def save(self) -> None:
        """Write the strategy, without what it no longer needs."""
        strategy = self.strategy
        needed, after, _ = self.reachable()
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
                if level < len(EFFORTS):
                    self._tried[int(a), int(b)] = level, found
                else:
                    self._whole[int(a), int(b)] = level, found

    def _log(self, position: Pair, level: int, found: Leaf | int | None) -> None:
        """Note what was found with an effort, or in a local game of all columns with many states."""
        entry = [str(position[0]), str(position[1]), level, found]
        with (self.folder / "tried.jsonl").open("a", encoding="utf-8") as log:
            print(json.dumps(entry, separators=(",", ":")), file=log)
