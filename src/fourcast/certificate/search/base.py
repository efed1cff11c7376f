"""What a search for certificates knows of positions, in memory and on disk."""

from __future__ import annotations

import json
import os
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from fourcast.book.workers import Workers, on_threads
from fourcast.certificate.look import LOOK, Found, Goal, Look
from fourcast.certificate.writer import FORCED, Pair, Strategy
from fourcast.errors import CertificateError, OptionError

__all__ = ["Plan", "Search", "Size", "discs"]


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


class Search(ABC):
    """A search in a folder: `strategy.json` is the best so far, logs have what was looked at."""

    def __init__(self, folder: Path, strategy: Strategy) -> None:
        self.folder = folder
        self.strategy = replace(strategy, moves={}, leaves={})
        self.goal = Goal(
            strategy.width, strategy.height, strategy.player, strategy.win, strategy.readable
        )
        self.board = self.goal.board
        self.guide: dict[Pair, int] = {}
        """Moves to follow where nothing else is known."""
        self._found: dict[Pair, tuple[int, Found]] = {}
        self._replies: dict[Pair, list[Pair]] = {}
        if self.goal.position(self.strategy.begin(self.board)[0]).is_over:
            raise CertificateError("error.certificate.over", facts={})
        folder.mkdir(parents=True, exist_ok=True)
        self._load()
        is_complete = not self.reachable()[2]
        if strategy.moves and not (is_complete and len(self.strategy.moves) <= len(strategy.moves)):
            self._adopt(strategy)

    # ---- The two parts of a search ------------------------------------------------------------------

    @abstractmethod
    def _plan(self, effort: int) -> Plan:
        """Return what to look at for a strategy."""

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
            plan = self._plan(effort)
            for _ in plan.followed(workers):
                if progress:
                    progress(*plan.progress())
        self.save()

    @abstractmethod
    def polish(
        self,
        effort: int,
        goes_on: Callable[[], bool],
        workers: Workers[Look, Found] | None = None,
    ) -> Iterator[bool]:
        """Look for a smaller strategy as long as *goes_on* says; yield whether a step helped."""

    # ---- What is known of a position ----------------------------------------------------------------

    def replies(self, after: Pair) -> list[Pair]:
        """Return the positions after the opponent's moves in which the player has to find a move."""
        if after not in self._replies:
            self._replies[after] = self.goal.replies(after)
        return self._replies[after]

    def after(self, position: Pair, move: int) -> Pair:
        """Return the position after the player's move, up to mirror image."""
        return self.board.one_of_mirrors(position[0] | move, position[1])

    def found(self, position: Pair, effort: int) -> Found | None:
        """Return what is known of a position, if it was looked at with so much effort."""
        level, found = self._found.get(position, (-1, None))
        return found if level >= effort or (found and (found.forced or found.leaf)) else None

    def look(self, position: Pair, effort: int) -> Look:
        """Return a question about a position for workers."""
        return Look(self.goal, position, effort)

    def note(self, position: Pair, effort: int, found: Found) -> None:
        """Write down what was found."""
        self._remember(position, effort, found)
        entry = [*map(str, position), effort, found.forced, list(map(str, found.moves)), found.leaf]
        self._log("found.jsonl", entry)

    def _remember(self, position: Pair, effort: int, found: Found) -> None:
        self._found[position] = effort, found

    # ---- The strategy -------------------------------------------------------------------------------

    def take_over(self, other: Strategy) -> None:
        """Take over the moves of a strategy after which it looks at every reply, as a guide.

        Raises `OptionError` if it is about another board, player or goal.
        """
        if _header(other) != _header(self.strategy):
            raise OptionError("the certificate to follow is about another board, player or goal")
        for position, move in other.moves.items():
            if move != FORCED and self.after(position, move) not in other.leaves:
                self.guide[position] = move

    def _adopt(self, strategy: Strategy) -> None:
        """Begin with a strategy that has all moves."""
        self.strategy.moves, self.strategy.leaves = dict(strategy.moves), dict(strategy.leaves)
        self.save()

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
        states = sum(leaf.get("states", 0) for leaf in leaves)
        return Size(len(positions), len(after) - len(leaves), forced, len(leaves), states)

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
        self._write("strategy.json", content)

    def _load(self) -> None:
        goal = asdict(self.goal)
        if (self._read("goal.json") or goal) != goal:
            raise OptionError(f"{self.folder} has a search for something else: name another folder")
        self._write("goal.json", goal)
        if content := self._read("strategy.json"):
            self.strategy.moves = {(int(a), int(b)): int(move) for a, b, move in content["moves"]}
            self.strategy.leaves = {(int(a), int(b)): leaf for a, b, leaf in content["leaves"]}
        for a, b, effort, forced, moves, leaf in self._lines("found.jsonl"):
            self._remember((int(a), int(b)), effort, Found(forced, tuple(map(int, moves)), leaf))

    def _read(self, name: str) -> Any:
        file = self.folder / name
        return json.loads(file.read_text("utf-8")) if file.exists() else None

    def _write(self, name: str, content: Any) -> None:
        """Write a file as a whole or not at all."""
        temporary = self.folder / f"{name}.new"
        temporary.write_text(json.dumps(content), "utf-8")
        os.replace(temporary, self.folder / name)

    def _lines(self, name: str) -> Iterator[list[Any]]:
        """The lines of a log; the last one of a search that was killed may be broken."""
        log = self.folder / name
        if log.exists():
            for line in log.read_text("utf-8").splitlines():
                with suppress(ValueError):
                    yield json.loads(line)

    def _log(self, name: str, entry: list[Any]) -> None:
        with (self.folder / name).open("a", encoding="utf-8") as log:
            print(json.dumps(entry, separators=(",", ":")), file=log)


class Plan(ABC):
    """What to look at, one position after the other: workers take questions from it.

    As an iterator it may have nothing while all that is needed is being worked on, and something again
    when an answer has come: what takes from it tries again.
    """

    def __init__(self, search: Search, effort: int) -> None:
        self._search, self._effort = search, effort
        self._busy: dict[int, tuple[Pair, int]] = {}
        """What workers look at, and with which effort, by the number of the question."""
        self._number = 0

    def __iter__(self) -> Plan:
        return self

    def __next__(self) -> tuple[int, Look]:
        """Return the number of a question, and the question."""
        if (wanted := self._next()) is None:
            raise StopIteration
        self._number += 1
        self._busy[self._number] = wanted
        return self._number, self._search.look(*wanted)

    def followed(self, workers: Workers[Look, Found] | None) -> Iterator[bool]:
        """Have everything looked at, by one thread if there are no workers, and then choose.

        Yields after each look whether it found a leaf.
        """
        answers = (workers or on_threads(1, LOOK))(self)
        try:
            for number, found in answers:
                position, effort = self._busy.pop(number)
                self._search.note(position, effort, found)
                self._take(position, effort, found)
                yield found.forced or found.leaf is not None
        finally:
            answers.close()
        self._choose()

    def progress(self) -> tuple[int, int]:
        """Return how many positions were looked at, or are closed, and how many are known to be left."""
        return self._number - len(self._busy), len(self._busy)

    def _is_busy(self, position: Pair) -> bool:
        return any(position == busy for busy, _ in self._busy.values())

    @abstractmethod
    def _next(self) -> tuple[Pair, int] | None:
        """What to look at next, and with which effort."""

    @abstractmethod
    def _take(self, position: Pair, effort: int, found: Found) -> None:
        """Take an answer, which the search has noted."""

    @abstractmethod
    def _choose(self) -> None:
        """Make the best of what was found the strategy of the search."""


def discs(position: Pair) -> int:
    """Return how many discs a position has."""
    return (position[0] | position[1]).bit_count()


def _header(strategy: Strategy) -> tuple[int, int, int, bool]:
    return strategy.width, strategy.height, strategy.player, strategy.win
