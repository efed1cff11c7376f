"""The search for certificates of level diagrams.

A diagram takes long to find, so a strategy is built depth first: the search commits itself to a move,
and closes all replies before it looks elsewhere. Polishing looks harder where that promises most.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping
from pathlib import Path

from fourcast.book.workers import Workers
from fourcast.certificate.look import Found, Look
from fourcast.certificate.search.base import Plan, Search, discs
from fourcast.certificate.writer import FORCED, Leaf, Levels, Pair, Strategy
from fourcast.errors import CertificateError

__all__ = ["DiagramSearch"]

HARD = 10
"""How many positions are expected behind one that has no leaf."""
GUIDED = 8
"""With fewer discs the moves of another certificate are followed."""
MOST_KNOWN = 1_000
"""Level diagrams that are tried before new ones are searched for."""
TRUST = 3
"""Looks that weigh as much as how often positions with as many discs had a leaf."""
HARDER_AT_ONCE = 8
"""Harder looks before it is counted again what promises most."""


class DiagramSearch(Search):
    """A search whose leaves are level diagrams."""

    def __init__(self, folder: Path, strategy: Strategy) -> None:
        self._levels: Counter[Levels] = Counter()
        super().__init__(folder, strategy)

    def _plan(self, effort: int) -> Plan:
        return _Descent(self, effort)

    def polish(
        self,
        effort: int,
        goes_on: Callable[[], bool],
        workers: Workers[Look, Found] | None = None,
    ) -> Iterator[bool]:
        """Look harder behind what has no leaf, and at other moves."""
        return _Harder(self, effort, goes_on).followed(workers)

    def look(self, position: Pair, effort: int) -> Look:
        """Return a question with the level diagrams that have won most positions so far."""
        known = tuple(levels for levels, _ in self._levels.most_common(MOST_KNOWN))
        return Look(self.goal, position, effort, known)

    def _remember(self, position: Pair, effort: int, found: Found) -> None:
        super()._remember(position, effort, found)
        if found.leaf:
            self._levels[tuple(found.leaf["levels"])] += 1

    def _adopt(self, strategy: Strategy) -> None:
        """Begin with a strategy: what it does counts as found, by looks without any effort."""
        super()._adopt(strategy)
        for position, move in self.strategy.moves.items():
            leaf = None if move == FORCED else self.strategy.leaves.get(self.after(position, move))
            if leaf or move == FORCED or position not in self.looked_at:
                moves = () if move == FORCED else (move,)
                self.note(position, self.effort_of(position), Found(move == FORCED, moves, leaf))

    @property
    def looked_at(self) -> Collection[Pair]:
        """The positions that were looked at."""
        return self._found.keys()

    def known(self, position: Pair) -> Found:
        """Return what is known of a position."""
        return self._found.get(position, (-1, Found()))[1]

    def effort_of(self, position: Pair) -> int:
        """Return with how much effort a position was looked at; -1 if it was not."""
        return self._found.get(position, (-1, None))[0]


class _Descent(Plan):
    """A search that commits itself to a move and closes all replies before it looks elsewhere.

    In a position without a leaf it looks at the replies to the move that seems cheapest until no other
    seems cheaper, and goes on with those that have no leaf either.
    """

    _search: DiagramSearch

    def __init__(self, search: DiagramSearch, effort: int) -> None:
        super().__init__(search, effort)
        self._chosen: dict[Pair, int] = {}
        self._waiting = list(search.first())

    def _next(self) -> tuple[Pair, int] | None:
        place = len(self._waiting)
        while place:
            place -= 1
            position = self._waiting[place]
            needed = self._needed(position)
            if not needed:
                self._waiting[place : place + 1] = self._commit(position)
                place = len(self._waiting)
            for each in needed:
                if not self._is_busy(each):
                    return each, self._effort
        return None

    def _take(self, position: Pair, effort: int, found: Found) -> None:  # noqa: ARG002
        if not found.forced and not found.moves:
            raise CertificateError("error.certificate.goal", facts={})

    def progress(self) -> tuple[int, int]:
        """Return how many positions were looked at, or are closed, and how many are known to be left."""
        return len(self._chosen), len(self._waiting)

    def _choose(self) -> None:
        """Make what was found the strategy of the search."""
        search, strategy = self._search, self._search.strategy
        strategy.moves, strategy.leaves = dict(self._chosen), {}
        for position, move in self._chosen.items():
            if leaf := self._known(position).leaf:
                strategy.leaves[search.after(position, move)] = leaf

    def _known(self, position: Pair) -> Found:
        return self._search.known(position)

    def _is_new(self, position: Pair) -> bool:
        return self._search.found(position, self._effort) is None

    def _needed(self, position: Pair) -> list[Pair]:
        """What has to be looked at before it is clear how a position is closed."""
        if position in self._chosen:
            return []
        if self._is_new(position):
            return [position]
        found = self._known(position)
        return [] if found.forced or found.leaf else list(filter(self._is_new, self._replies(position)))

    def _replies(self, position: Pair) -> list[Pair]:
        search = self._search
        return search.replies(search.after(position, self._best(position)))

    def _commit(self, position: Pair) -> list[Pair]:
        """Choose the move of a position, and return what has to be closed then."""
        if position in self._chosen:
            return []
        found = self._known(position)
        replies = [] if found.forced or found.leaf else self._replies(position)
        self._chosen[position] = FORCED if found.forced else self._best(position)
        return replies

    def _best(self, position: Pair) -> int:
        """The move that seems to need the fewest new positions."""
        search, found = self._search, self._known(position)
        guide = search.guide.get(position)
        if guide in found.moves and discs(position) < GUIDED:
            return guide
        costs = [
            sum(map(self._cost, search.replies(search.after(position, move)))) for move in found.moves
        ]
        return found.moves[costs.index(min(costs))]

    def _cost(self, position: Pair) -> int:
        if position in self._chosen:
            return 0
        found = self._known(position)
        return HARD if found.moves and not found.leaf else 1


class _Harder(Plan):
    """Looks that may make a strategy of level diagrams smaller.

    Behind a position without a leaf there are others: it is looked at with more effort, and so are
    replies to its other moves that nobody has looked at. What promises most comes first: that depends on
    how often positions with as many discs had a leaf, and on how often harder looks have helped.
    """

    _search: DiagramSearch

    def __init__(self, search: DiagramSearch, effort: int, goes_on: Callable[[], bool]) -> None:
        super().__init__(search, effort)
        self._goes_on = goes_on
        self._waiting: list[tuple[Pair, int]] = []
        self._tries: Counter[tuple[int, int]] = Counter()  # by discs and effort
        self._helped: Counter[tuple[int, int]] = Counter()
        seen = Counter(map(discs, search.looked_at))
        leaves = Counter(discs(each) for each in search.looked_at if search.known(each).leaf)
        self._share = {count: leaves[count] / seen[count] for count in seen}
        self._cost: dict[Pair, int] = {}
        self._best: dict[Pair, int] = {}

    def _next(self) -> tuple[Pair, int] | None:
        if not self._waiting and self._goes_on():
            self._choose()
            self._waiting = self._promising()
        return self._waiting.pop() if self._waiting and self._goes_on() else None

    def _take(self, position: Pair, effort: int, found: Found) -> None:
        self._tries[discs(position), effort] += 1
        self._helped[discs(position), effort] += found.forced or found.leaf is not None

    def _choose(self) -> None:
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
        for position in sorted(search.looked_at, key=discs, reverse=True):
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
        for position, move in search.strategy.moves.items():
            found, cost = search.known(position), self._cost[position]
            if move == FORCED or found.leaf:
                continue
            harder = search.effort_of(position) + 1
            if harder <= self._effort and not self._is_busy(position):
                gains[position, harder] = (cost - 1) * self._chance(position, harder)
            for other in found.moves:
                replies = search.replies(search.after(position, other))
                new = [reply for reply in replies if reply not in self._cost]
                less = cost - 1 - len(new) - sum(self._cost.get(reply, 0) for reply in replies)
                if less <= 0 or not new or any(search.known(reply).moves for reply in new):
                    continue
                gain = less * math.prod(self._chance(reply, 0) for reply in new)
                for reply in new:
                    if not self._is_busy(reply):
                        gains[reply, 0] = max(gains.get((reply, 0), 0), gain / len(new))
        return sorted(gains, key=lambda each: (gains[each], each))[-HARDER_AT_ONCE:]

    def _chance(self, position: Pair, effort: int) -> float:
        """How likely a position is to have a leaf, which harder looks take longer to find."""
        key = discs(position), effort
        share = self._share.get(key[0], 0.5)
        return (TRUST * share + self._helped[key]) / (TRUST + self._tries[key]) / 5.0**effort
