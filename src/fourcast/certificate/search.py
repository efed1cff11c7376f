"""The search for small certificates.

A strategy is built and then polished. It is built by a best-first search for the cheapest one (AO*):
positions with the player to move, mirror images and transpositions merged, are to become few; the
states that the checker meets in local games cost something, too. The search follows what looks cheapest
so far, has the open ends of that looked at by workers, which are threads or a cluster, and counts again.
What nobody has looked at is believed to cost what positions with as many discs have cost on average.

Level diagrams take longer to find, so the search for them is depth first: it commits itself to a move,
and closes all replies before it looks elsewhere.

Polishing changes what is complete: a position is picked, other moves are tried there, and what they need
is kept if the whole gets cheaper. All of it is on disk: a search that is stopped goes on where it was.
"""

from __future__ import annotations

import heapq
import json
import math
import os
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from fourcast.book.workers import Workers, on_threads
from fourcast.certificate import Certificate, answer
from fourcast.certificate.look import EFFORTS, LOOK, WHOLE_BOARD_STATES, Found, Goal, Look
from fourcast.certificate.writer import FORCED, Leaf, Levels, Pair, Strategy
from fourcast.errors import CertificateError
from fourcast.solver import Solver

__all__ = ["Search", "Size"]

PRICE = 12_000
"""The states of local games that one position less is worth."""
SOLVED_AT_ONCE = 14
"""With so many discs a position is believed to have a leaf, until the search knows better."""
GROWTH = 2.0
"""And how much more a position costs with one disc less."""
HARD = 10
"""How many positions are expected behind one that has no leaf."""
GUIDED = 8
"""With fewer discs the moves of another certificate are followed."""
MOST_DEPTH = 3
"""Moves in a row that polishing changes."""
FEW = 5
"""Positions of a number of discs that make an average."""
MOST_KNOWN = 1_000
"""Level diagrams that are tried before new ones are searched for."""
TRUST = 3
"""Looks that weigh as much as how often positions with as many discs had a leaf."""
HARDER_AT_ONCE = 8
"""Harder looks before it is counted again what promises most."""
AT_ONCE = 64
"""Open ends that are looked at before they are collected again."""


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


@dataclass(frozen=True)
class _Kept:
    """What a strategy keeps while a part of it changes, and the effort spent on each new leaf."""

    positions: set[Pair]
    after: set[Pair]
    effort: int


class Search:
    """A search in a folder: `strategy.json` is the best so far, two logs have what was looked at."""

    def __init__(self, folder: Path, strategy: Strategy) -> None:
        self.folder, self.strategy = folder, strategy
        self.price = PRICE
        self.goal = Goal(
            strategy.width, strategy.height, strategy.player, strategy.win, strategy.readable
        )
        self.board = self.goal.board
        self.solver = Solver()
        self._tried: dict[Pair, tuple[int, Leaf | None]] = {}
        self._whole: dict[Pair, tuple[int, int | None]] = {}
        self._winning: dict[Pair, list[int]] = {}
        self._forced: dict[Pair, bool] = {}
        self._replies: dict[Pair, list[Pair]] = {}
        self._found: dict[Pair, tuple[int, Found]] = {}
        self._levels: Counter[Levels] = Counter()
        self.guide: dict[Pair, int] = {}
        folder.mkdir(parents=True, exist_ok=True)
        self._load()

    # ---- What is known of a position ----------------------------------------------------------------

    def replies(self, after: Pair) -> list[Pair]:
        """Return the positions after the opponent's moves in which the player has to find a move."""
        if after not in self._replies:
            self._replies[after] = self.goal.replies(after)
        return self._replies[after]

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
                found = self.goal.local_games(position, step)
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
        tried, states = self._whole.get(position, (0, None))
        if most < 1 or (states is None and tried >= most) or (states is not None and states > most):
            return None
        found = self.goal.whole_board(position, most)
        if states is None:
            states = found["states"] if found else None
            self._whole[position] = most, states
            self._log(position, most, states)
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

    # ---- Building -----------------------------------------------------------------------------------

    def take_over(self, certificate: Certificate) -> None:
        """Take over the moves of a certificate after which it looks at every reply, as a guide."""
        waiting = list(self.first())
        while waiting:
            position = waiting.pop()
            found = answer([certificate], self.goal.position(position))
            if found and found.why == "move" and position not in self.guide:
                column = self.board.columns[found.column]
                move = self.board.playable(position[0] | position[1]) & column
                self.guide[position] = move
                waiting += self.replies(self.after(position, move))

    def build(
        self,
        effort: int,
        progress: Callable[[int, int], None] | None = None,
        workers: Workers[Look, Found] | None = None,
    ) -> None:
        """Find a strategy, unless there is one already; by *workers* that do `LOOK`.

        *progress* is told how many positions were looked at, and how many are known to be left.
        Raises `CertificateError` if the player does not reach the goal from where it begins.
        """
        if self.reachable()[2]:
            tree = _Descent(self, effort) if self.goal.readable else _Tree(self, effort)
            answers = (workers or on_threads(1, LOOK))(tree)
            try:
                for number, found in answers:
                    tree.take(number, found)
                    if progress:
                        progress(tree.looked_at, tree.open_ends)
            finally:
                answers.close()
            tree.choose()
        self.save()

    def found(self, position: Pair, effort: int) -> Found | None:
        """Return what is known of a position, if it was looked at with so much effort."""
        level, found = self._found.get(position, (-1, None))
        if level >= effort or (found and (found.forced or found.leaf)):
            return found
        if position in self.guide and not self.goal.readable:
            return Found(moves=(self.guide[position],))
        return None

    def known(self, position: Pair) -> Found:
        """Return what is known of a position."""
        return self._found.get(position, (-1, Found()))[1]

    def effort_of(self, position: Pair) -> int:
        """Return with how much effort a position was looked at; -1 if it was not."""
        return self._found.get(position, (-1, None))[0]

    def looked_at(self) -> Collection[Pair]:
        """Return the positions that were looked at."""
        return self._found.keys()

    def note(self, position: Pair, effort: int, found: Found) -> None:
        """Write down what was found."""
        self._found[position] = effort, found
        self._count_levels(found.leaf)
        entry = [*map(str, position), effort, found.forced, list(map(str, found.moves)), found.leaf]
        with (self.folder / "found.jsonl").open("a", encoding="utf-8") as log:
            print(json.dumps(entry, separators=(",", ":")), file=log)

    def levels(self) -> tuple[Levels, ...]:
        """Return the level diagrams that have won most positions so far."""
        return tuple(levels for levels, _ in self._levels.most_common(MOST_KNOWN))

    def _count_levels(self, leaf: Leaf | None) -> None:
        if leaf and self.goal.readable:
            self._levels[tuple(leaf["levels"])] += 1

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

    # ---- Polishing ----------------------------------------------------------------------------------

    def polish_for(
        self,
        effort: int,
        goes_on: Callable[[], bool],
        workers: Workers[Look, Found] | None = None,
    ) -> Iterator[bool]:
        """Polish as long as *goes_on* says: with other moves in up to three positions in a row.

        Where leaves are level diagrams, by looking harder, with *workers* that do `LOOK`.
        """
        if self.goal.readable:
            harder = _Harder(self, effort, goes_on)
            answers = (workers or on_threads(1, LOOK))(harder)
            try:
                for number, found in answers:
                    yield harder.take(number, found)
            finally:
                answers.close()
            harder.choose()
            return
        for depth in range(1, MOST_DEPTH + 1):
            for helped in self.polish(effort, depth):
                yield helped
                if not goes_on():
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
        kept = _Kept(*self.reachable(without=position)[:2], effort)
        leaves = (strategy.leaves.get(after) for after in needed_after - kept.after)
        states = sum(leaf["states"] for leaf in leaves if leaf)
        most = self.price * (len(needed) - len(kept.positions)) + states - 1
        best: _Part | None = None
        for move in self.good_moves(position):
            part = _Part({position: move}, cost=self.price)
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
                part.cost += self.price
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
        for a, b, level, found in self._lines("tried.jsonl"):
            if level < len(EFFORTS):
                self._tried[int(a), int(b)] = level, found
            else:
                self._whole[int(a), int(b)] = level, found
        for a, b, effort, forced, moves, leaf in self._lines("found.jsonl"):
            self._found[int(a), int(b)] = effort, Found(forced, tuple(map(int, moves)), leaf)
            self._count_levels(leaf)

    def _lines(self, name: str) -> Iterator[list[Any]]:
        """The lines of a log; the last one of a search that was killed may be broken."""
        log = self.folder / name
        if log.exists():
            for line in log.read_text("utf-8").splitlines():
                with suppress(ValueError):
                    yield json.loads(line)

    def _log(self, position: Pair, level: int, found: Leaf | int | None) -> None:
        """Note what was found with an effort, or in a local game of all columns with many states."""
        entry = [str(position[0]), str(position[1]), level, found]
        with (self.folder / "tried.jsonl").open("a", encoding="utf-8") as log:
            print(json.dumps(entry, separators=(",", ":")), file=log)


class _Tree:
    """Positions that were looked at, what they cost, and an iterator of what to look at next.

    As an iterator it may have nothing while all that is needed is being worked on, and something again
    when an answer has come: what takes from it tries again.
    """

    def __init__(self, search: Search, effort: int) -> None:
        self._search, self._effort = search, effort
        self._nodes: dict[Pair, Found] = {}
        self._cost: dict[Pair, float] = {}
        self._chosen: dict[Pair, int] = {}
        self._parents: defaultdict[Pair, set[Pair]] = defaultdict(set)
        self._averages: dict[int, float] = {}
        self._busy: dict[int, Pair] = {}
        self._number = 0
        self._waiting: list[Pair] = []

    def __iter__(self) -> _Tree:
        return self

    def __next__(self) -> tuple[int, Look]:
        if not self._waiting:
            self._waiting = self._open_ends()
        if not self._waiting:
            raise StopIteration
        position = self._waiting.pop()
        self._number += 1
        self._busy[self._number] = position
        known = self._search.levels()
        return self._number, Look(self._search.goal, position, self._effort, known)

    def take(self, number: int, found: Found) -> None:
        """Take the answer to the question with this number."""
        position = self._busy.pop(number)
        self._search.note(position, self._effort, found)
        self._add(position, found)

    @property
    def open_ends(self) -> int:
        """How many are known to be left."""
        return len(self._waiting) + len(self._busy)

    @property
    def looked_at(self) -> int:
        """How many positions were looked at."""
        return len(self._nodes)

    def choose(self) -> None:
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
        seen: set[Pair] = set(self._busy.values())
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
        return sorted(ends, key=_discs, reverse=True)[-AT_ONCE:]

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
            costs[_discs(position)].append(self._cost[position])
        self._averages = {discs: sum(own) / len(own) for discs, own in costs.items() if len(own) >= FEW}
        for position in sorted(self._nodes, key=_discs, reverse=True):
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
        cost += search.price
        changed = self._cost.get(position) != cost
        self._cost[position] = cost
        return changed

    def _update(self, position: Pair) -> None:
        """Count again what a position costs, and what depends on it."""
        waiting = [(-_discs(position), position)]
        while waiting:
            _, position = heapq.heappop(waiting)
            if self._count_one(position):
                for parent in self._parents[position]:
                    heapq.heappush(waiting, (-_discs(parent), parent))

    def _cost_of(self, position: Pair) -> float:
        """What a position costs, or is believed to."""
        if (known := self._cost.get(position)) is not None:
            return known
        discs = _discs(position)
        believed = self._search.price * max(1.5, GROWTH ** (SOLVED_AT_ONCE - discs))
        return self._averages.get(discs, believed)


class _Descent:
    """A search that commits itself to a move and closes all replies before it looks elsewhere.

    In a position without a leaf it looks at the replies to the move that seems cheapest until no other
    seems cheaper, and goes on with those that have no leaf either.
    """

    def __init__(self, search: Search, effort: int) -> None:
        self._search, self._effort = search, effort
        self._chosen: dict[Pair, int] = {}
        self._busy: dict[int, Pair] = {}
        self._number = 0
        self._waiting = list(search.first())

    def __iter__(self) -> _Descent:
        return self

    def __next__(self) -> tuple[int, Look]:
        search, place = self._search, len(self._waiting)
        while place:
            place -= 1
            position = self._waiting[place]
            needed = self._needed(position)
            if not needed:
                self._waiting[place : place + 1] = self._commit(position)
                place = len(self._waiting)
            for each in needed:
                if each not in self._busy.values():
                    self._number += 1
                    self._busy[self._number] = each
                    return self._number, Look(search.goal, each, self._effort, search.levels())
        raise StopIteration

    def take(self, number: int, found: Found) -> None:
        """Take the answer to the question with this number."""
        position = self._busy.pop(number)
        if not found.forced and not found.moves:
            raise CertificateError("error.certificate.goal", facts={})
        self._search.note(position, self._effort, found)

    @property
    def open_ends(self) -> int:
        """How many are known to be left."""
        return len(self._waiting)

    @property
    def looked_at(self) -> int:
        """How many positions are closed."""
        return len(self._chosen)

    def choose(self) -> None:
        """Make what was found the strategy of the search."""
        search, strategy = self._search, self._search.strategy
        strategy.moves, strategy.leaves = dict(self._chosen), {}
        for position, move in self._chosen.items():
            if leaf := self._found(position).leaf:
                strategy.leaves[search.after(position, move)] = leaf

    def _found(self, position: Pair) -> Found:
        return self._search.known(position)

    def _is_new(self, position: Pair) -> bool:
        return self._search.found(position, self._effort) is None

    def _needed(self, position: Pair) -> list[Pair]:
        """What has to be looked at before it is clear how a position is closed."""
        if position in self._chosen:
            return []
        if self._is_new(position):
            return [position]
        found = self._found(position)
        return [] if found.forced or found.leaf else list(filter(self._is_new, self._replies(position)))

    def _replies(self, position: Pair) -> list[Pair]:
        search = self._search
        return search.replies(search.after(position, self._best(position)))

    def _commit(self, position: Pair) -> list[Pair]:
        """Choose the move of a position, and return what has to be closed then."""
        if position in self._chosen:
            return []
        found = self._found(position)
        replies = [] if found.forced or found.leaf else self._replies(position)
        self._chosen[position] = FORCED if found.forced else self._best(position)
        return replies

    def _best(self, position: Pair) -> int:
        """The move that seems to need the fewest new positions."""
        search, found = self._search, self._found(position)
        guide = search.guide.get(position)
        if guide in found.moves and _discs(position) < GUIDED:
            return guide
        costs = [
            sum(map(self._cost, search.replies(search.after(position, move)))) for move in found.moves
        ]
        return found.moves[costs.index(min(costs))]

    def _cost(self, position: Pair) -> int:
        if position in self._chosen:
            return 0
        found = self._found(position)
        return HARD if found.moves and not found.leaf else 1


class _Harder:
    """Looks that may make a strategy of level diagrams smaller.

    Behind a position without a leaf there are others: it is looked at with more effort, and so are
    replies to its other moves that nobody has looked at. What promises most comes first: that depends on
    how often positions with as many discs had a leaf, and on how often harder looks have helped.
    """

    def __init__(self, search: Search, effort: int, goes_on: Callable[[], bool]) -> None:
        self._search, self._effort, self._goes_on = search, effort, goes_on
        self._busy: dict[int, tuple[Pair, int]] = {}
        self._number = 0
        self._waiting: list[tuple[Pair, int]] = []
        self._tries: Counter[tuple[int, int]] = Counter()  # by discs and effort
        self._helped: Counter[tuple[int, int]] = Counter()
        seen = Counter(map(_discs, search.looked_at()))
        leaves = Counter(_discs(each) for each in search.looked_at() if search.known(each).leaf)
        self._share = {discs: leaves[discs] / seen[discs] for discs in seen}
        self._cost: dict[Pair, int] = {}
        self._best: dict[Pair, int] = {}

    def __iter__(self) -> _Harder:
        return self

    def __next__(self) -> tuple[int, Look]:
        search = self._search
        if not self._waiting and self._goes_on():
            self.choose()
            self._waiting = self._promising()
        if not self._waiting or not self._goes_on():
            raise StopIteration
        self._number += 1
        self._busy[self._number] = position, effort = self._waiting.pop()
        return self._number, Look(search.goal, position, effort, search.levels())

    def take(self, number: int, found: Found) -> bool:
        """Take the answer to the question with this number; return whether there is a leaf."""
        position, effort = self._busy.pop(number)
        self._search.note(position, effort, found)
        helped = found.forced or found.leaf is not None
        self._tries[_discs(position), effort] += 1
        self._helped[_discs(position), effort] += helped
        return helped

    def choose(self) -> None:
        """Make the cheapest of what is known the strategy, if it has fewer positions."""
        search, strategy = self._search, self._search.strategy
        self._count()
        # Counting takes what is reached in several ways several times, so the old moves may be better.
        for moves, leaves in (self._walk({}), self._walk(strategy.moves)):
            if len(moves) < search.size().positions:
                strategy.moves, strategy.leaves = moves, leaves
                search.save()

    def _walk(self, keep: Mapping[Pair, int]) -> tuple[dict[Pair, int], dict[Pair, Leaf]]:
        """Return moves and leaves: the best moves, or those to keep where there is no leaf."""
        search, moves, leaves = self._search, dict[Pair, int](), dict[Pair, Leaf]()
        waiting = list(search.first())
        while waiting:
            position = waiting.pop()
            if position in moves:
                continue
            found, move = search.known(position), self._best[position]
            if not found.forced and not found.leaf:
                move = keep.get(position, move)
                waiting += search.replies(search.after(position, move))
            if found.leaf:
                leaves[search.after(position, move)] = found.leaf
            moves[position] = move
        return moves, leaves

    def _count(self) -> None:
        """Count the positions that are needed behind each one, and choose moves."""
        search = self._search
        for position in sorted(search.looked_at(), key=_discs, reverse=True):
            found = search.known(position)
            if found.forced or found.leaf:
                self._cost[position] = 1
                self._best[position] = FORCED if found.forced else found.moves[0]
                continue
            costs = []
            for move in found.moves:
                replies = search.replies(search.after(position, move))
                if all(reply in self._cost for reply in replies):
                    costs.append((1 + sum(self._cost[reply] for reply in replies), move))
            if costs:
                self._cost[position], self._best[position] = min(costs)

    def _promising(self) -> list[tuple[Pair, int]]:
        """What to look at next, and with which effort: what promises most comes last."""
        search, gains = self._search, dict[tuple[Pair, int], float]()
        busy = {position for position, _ in self._busy.values()}
        for position, move in search.strategy.moves.items():
            found, cost = search.known(position), self._cost[position]
            if move == FORCED or found.leaf:
                continue
            if (harder := search.effort_of(position) + 1) <= self._effort and position not in busy:
                gains[position, harder] = (cost - 1) * self._chance(position, harder)
            for other in found.moves:
                replies = search.replies(search.after(position, other))
                new = [reply for reply in replies if reply not in self._cost]
                less = cost - 1 - len(new) - sum(self._cost.get(reply, 0) for reply in replies)
                if less <= 0 or not new or any(search.known(reply).moves for reply in new):
                    continue
                gain = less * math.prod(self._chance(reply, 0) for reply in new)
                for reply in new:
                    if reply not in busy:
                        gains[reply, 0] = max(gains.get((reply, 0), 0), gain / len(new))
        return sorted(gains, key=lambda each: (gains[each], each))[-HARDER_AT_ONCE:]

    def _chance(self, position: Pair, effort: int) -> float:
        """How likely a position is to have a leaf, which harder looks take longer to find."""
        key = _discs(position), effort
        share = self._share.get(key[0], 0.5)
        return (TRUST * share + self._helped[key]) / (TRUST + self._tries[key]) / 5.0**effort


def _discs(position: Pair) -> int:
    return (position[0] | position[1]).bit_count()
