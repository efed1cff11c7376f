"""The search for certificates of local games.

It is a best-first search for the cheapest strategy (AO*): positions with the player to move, mirror
images and transpositions merged, are to become few; the states that the checker meets in local games
cost something, too. The search follows what looks cheapest so far, has the open ends of that looked at,
and counts again. What nobody has looked at is believed to cost what positions with as many discs have
cost on average.

Polishing changes what is complete: a position is picked, other moves are tried there, and what they need
is kept if the whole gets cheaper.
"""

from __future__ import annotations

import heapq
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from fourcast.book.workers import Workers
from fourcast.certificate.look import EFFORTS, WHOLE_BOARD_STATES, Found, Look
from fourcast.certificate.search.base import Plan, Search, discs
from fourcast.certificate.writer import FORCED, Leaf, Pair, Strategy
from fourcast.errors import CertificateError
from fourcast.solver import Solver

__all__ = ["PRICE", "LocalGameSearch"]

PRICE = 12_000
"""The states of local games that one position less is worth."""
SOLVED_AT_ONCE = 14
"""With so many discs a position is believed to have a leaf, until the search knows better."""
GROWTH = 2.0
"""And how much more a position costs with one disc less."""
MOST_DEPTH = 3
"""Moves in a row that polishing changes."""
FEW = 5
"""Positions of a number of discs that make an average."""
AT_ONCE = 64
"""Open ends that are looked at before they are collected again."""


@dataclass
class _Part:
    """What a change adds to a strategy."""

    moves: dict[Pair, int]
    leaves: dict[Pair, Leaf] = field(default_factory=dict)
    inner: set[Pair] = field(default_factory=set)
    cost: int = 0


@dataclass(frozen=True)
class _Kept:
    """What a strategy keeps while a part of it changes, and the effort spent on each new leaf."""

    positions: set[Pair]
    after: set[Pair]
    effort: int


class LocalGameSearch(Search):
    """A search whose leaves are local games; a third file, `tried.jsonl`, has those that were tried."""

    def __init__(self, folder: Path, strategy: Strategy) -> None:
        self.solver = Solver()
        self._tried: dict[Pair, tuple[int, Leaf | None]] = {}
        self._whole: dict[Pair, tuple[int, int | None]] = {}
        self._winning: dict[Pair, list[int]] = {}
        self._forced: dict[Pair, bool] = {}
        super().__init__(folder, strategy)

    def _load(self) -> None:
        super()._load()
        for a, b, level, found in self._lines("tried.jsonl"):
            if level < len(EFFORTS):
                self._tried[int(a), int(b)] = level, found
            else:
                self._whole[int(a), int(b)] = level, found

    def _adopt(self, strategy: Strategy) -> None:
        """Begin with a strategy; the states of its local games are counted."""
        leaves = {
            after: {**leaf, "states": self.goal.states(after, leaf)}
            for after, leaf in strategy.leaves.items()
        }
        super()._adopt(replace(strategy, leaves=leaves))

    def _plan(self, effort: int) -> Plan:
        return _Tree(self, effort)

    # ---- What is known of a position ----------------------------------------------------------------

    def found(self, position: Pair, effort: int) -> Found | None:
        """Return what is known of a position; where nothing is, the move of the guide."""
        found = super().found(position, effort)
        guided = found is None and position in self.guide
        return Found(moves=(self.guide[position],)) if guided else found

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
                found = self.goal.local_games(position, step)
                self._tried[position] = level, found
                self._log("tried.jsonl", [*map(str, position), level, found])
            if found is not None and (most is None or found["states"] <= most):
                return found
            states = WHOLE_BOARD_STATES[step]
            if whole := self.whole_board(position, states if most is None else min(most, states)):
                return whole
        return None

    def whole_board(self, position: Pair, most: int) -> Leaf | None:
        """Return a local game of all columns as a proof, if the checker meets at most so many states."""
        tried, states = self._whole.get(position, (0, None))
        if most < 1 or (states is None and tried >= most) or (states is not None and states > most):
            return None
        found = self.goal.whole_board(position, most)
        if states is None:
            states = found["states"] if found else None
            self._whole[position] = most, states
            self._log("tried.jsonl", [*map(str, position), most, states])
        return found

    def wins_by_force(self, position: Pair) -> bool:
        """Whether the player, to move, has a forced win that the checker finds."""
        if position not in self._forced:
            self._forced[position] = self.goal.forces(position)
        return self._forced[position]

    def good_moves(self, position: Pair) -> list[int]:
        """Return the moves that reach the goal, the best first, by the solver."""
        if position not in self._winning:
            self._winning[position] = self.goal.good_moves(position, self.solver)
        return self._winning[position]

    # ---- Polishing ----------------------------------------------------------------------------------

    def polish(
        self,
        effort: int,
        goes_on: Callable[[], bool],
        workers: Workers[Look, Found] | None = None,  # noqa: ARG002
    ) -> Iterator[bool]:
        """Try other moves, in up to three positions in a row, on this thread alone."""
        for depth in range(1, MOST_DEPTH + 1):
            for helped in self.polish_all(effort, depth):
                yield helped
                if not goes_on():
                    return

    def polish_all(self, effort: int, depth: int) -> Iterator[bool]:
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
        kept = _Kept(*self.reachable(without=position)[:2], effort)
        leaves = (strategy.leaves.get(after) for after in needed_after - kept.after)
        states = sum(leaf["states"] for leaf in leaves if leaf)
        most = PRICE * (len(needed) - len(kept.positions)) + states - 1
        best: _Part | None = None
        for move in self.good_moves(position):
            part = _Part({position: move}, cost=PRICE)
            after = self.after(position, move)
            if self._add(part, after, kept, depth, most):
                best, most = part, part.cost - 1
        if best is None:
            return False
        strategy.moves.update(best.moves)
        strategy.leaves.update(best.leaves)
        for dropped in best.inner & set(strategy.leaves):
            del strategy.leaves[dropped]
        self.save()
        return True

    def _add(self, part: _Part, after: Pair, kept: _Kept, depth: int, most: int) -> bool:
        """Add what a position with the opponent to move needs; False if that costs too much."""
        if part.cost > most:
            return False
        if after in kept.after or after in part.leaves or after in part.inner:
            return True
        leaf = self.leaf(after, kept.effort, most - part.cost)
        if leaf and part.cost + leaf["states"] <= most:
            part.leaves[after] = leaf
            part.cost += leaf["states"]
            return True
        if depth == 0:
            return False
        part.inner.add(after)
        waiting = []
        for position in self.replies(after):
            if position not in kept.positions and position not in part.moves:
                part.moves[position] = FORCED
                part.cost += PRICE
                waiting.append(position)
        if part.cost > most:
            return False
        return all(
            self.wins_by_force(position) or self._choose(part, position, kept, depth, most)
            for position in waiting
        )

    def _choose(self, part: _Part, position: Pair, kept: _Kept, depth: int, most: int) -> bool:
        """Choose the move in a new position that adds the least."""
        best: _Part | None = None
        moves = self.good_moves(position)
        usual = self.strategy.moves.get(position)
        for move in sorted(moves, key=lambda each: each != usual):
            trial = _Part({**part.moves, position: move}, dict(part.leaves), set(part.inner), part.cost)
            limit = most if best is None else best.cost - 1
            if self._add(trial, self.after(position, move), kept, depth - 1, limit):
                best = trial
                if best.cost == part.cost:
                    break
        if best is None:
            return False
        part.moves, part.leaves, part.inner, part.cost = best.moves, best.leaves, best.inner, best.cost
        return True


class _Tree(Plan):
    """Positions that were looked at, and what they cost."""

    _search: LocalGameSearch

    def __init__(self, search: LocalGameSearch, effort: int) -> None:
        super().__init__(search, effort)
        self._nodes: dict[Pair, Found] = {}
        self._cost: dict[Pair, float] = {}
        self._chosen: dict[Pair, int] = {}
        self._parents: defaultdict[Pair, set[Pair]] = defaultdict(set)
        self._averages: dict[int, float] = {}
        self._waiting: list[Pair] = []

    def _next(self) -> tuple[Pair, int] | None:
        if not self._waiting:
            self._waiting = self._open_ends()
        return (self._waiting.pop(), self._effort) if self._waiting else None

    def _take(self, position: Pair, effort: int, found: Found) -> None:  # noqa: ARG002
        self._add(position, found)

    def progress(self) -> tuple[int, int]:
        """Return how many positions were looked at, or are closed, and how many are known to be left."""
        return len(self._nodes), len(self._waiting) + len(self._busy)

    def _choose(self) -> None:
        """Make what is cheapest the strategy of the search."""
        search, strategy = self._search, self._search.strategy
        waiting, strategy.moves, strategy.leaves = list(search.first()), {}, {}
        while waiting:
            position = waiting.pop()
            if position in strategy.moves:
                continue
            node = self._nodes[position]
            move = FORCED if node.forced else self._chosen[position]
            strategy.moves[position] = move
            if node.leaf:
                strategy.leaves[search.after(position, move)] = node.leaf
            elif move != FORCED:
                waiting += search.replies(search.after(position, move))

    def _open_ends(self) -> list[Pair]:
        """The positions of what looks cheapest that nobody has looked at, the fewest discs last."""
        self._count()
        seen: set[Pair] = {position for position, _ in self._busy.values()}
        ends = []
        waiting = list(self._search.first())
        while waiting:
            position = waiting.pop()
            if position in seen:
                continue
            seen.add(position)
            node = self._nodes.get(position)
            if node is None and (node := self._search.found(position, self._effort)):
                self._add(position, node)
            if node is None:
                ends.append(position)
            elif not node.forced and not node.leaf:
                after = self._search.after(position, self._chosen[position])
                waiting += self._search.replies(after)
        return sorted(ends, key=discs, reverse=True)[-AT_ONCE:]

    def _add(self, position: Pair, found: Found) -> None:
        search = self._search
        if not found.forced and not found.moves and position in search.first():
            raise CertificateError("error.certificate.goal", facts={})
        self._nodes[position] = found
        if not found.leaf:
            for move in found.moves:
                for reply in search.replies(search.after(position, move)):
                    self._parents[reply].add(position)
        self._update(position)

    def _count(self) -> None:
        """Count what all positions cost, with what those that nobody has looked at cost on average."""
        costs = defaultdict(list)
        for position in self._nodes:
            costs[discs(position)].append(self._cost[position])
        self._averages = {count: sum(own) / len(own) for count, own in costs.items() if len(own) >= FEW}
        for position in sorted(self._nodes, key=discs, reverse=True):
            self._count_one(position)

    def _count_one(self, position: Pair) -> bool:
        """Count what a position costs; return whether that has changed."""
        search, node = self._search, self._nodes[position]
        cost = 0.0
        if node.leaf:
            cost, self._chosen[position] = node.leaf["states"], node.moves[0]
        elif not node.forced:
            cost, self._chosen[position] = min(
                (sum(map(self._cost_of, search.replies(search.after(position, move)))), move)
                for move in node.moves
            )
        cost += PRICE
        changed = self._cost.get(position) != cost
        self._cost[position] = cost
        return changed

    def _update(self, position: Pair) -> None:
        """Count again what a position costs, and what depends on it."""
        waiting = [(-discs(position), position)]
        while waiting:
            _, position = heapq.heappop(waiting)
            if self._count_one(position):
                for parent in self._parents[position]:
                    heapq.heappush(waiting, (-discs(parent), parent))

    def _cost_of(self, position: Pair) -> float:
        """What a position costs, or is believed to."""
        if (known := self._cost.get(position)) is not None:
            return known
        count = discs(position)
        believed = PRICE * max(1.5, GROWTH ** (SOLVED_AT_ONCE - count))
        return self._averages.get(count, believed)
