"""The tally: what a move must know of the games that are closed, without reading them again.

It follows from the lines of those games, is written when a new game starts, and is verified by
`rebuild`, which replays every line.
"""

from __future__ import annotations

import hashlib
import json
from bisect import bisect_right
from dataclasses import asdict, dataclass, field, replace
from typing import NamedTuple

from fourcast.community.entries import PlayedGame
from fourcast.errors import CommunityError

__all__ = ["Activity", "Tally"]

MAX_BYTES = 16_777_216
_REBUILD = "`fourcast community rebuild` writes it from the ledger"


class Activity(NamedTuple):
    """What one person has done: the number of moves, and when they last did anything."""

    moves: int
    last: str


@dataclass
class Tally:
    """Counts over the closed games, which are games 1 to *games*.

    *wins* are the winning moves of each mover, *issues* the numbers of all issues in these games as
    sorted ranges, *digest* a hash over all of their lines.
    """

    games: int = 0
    moves: int = 0
    finished: int = 0
    digest: str = ""
    people: dict[str, Activity] = field(default_factory=dict)
    wins: dict[str, int] = field(default_factory=dict)
    issues: list[tuple[int, int]] = field(default_factory=list)

    def copy(self) -> Tally:
        """Return a tally that changes on its own."""
        return replace(self, people=dict(self.people), wins=dict(self.wins), issues=list(self.issues))

    def add(self, game: PlayedGame) -> None:
        """Count a game that is closed: the next one has started."""
        self.games = game.number
        self.moves += len(game.moves)
        self.digest = hashlib.sha256((self.digest + game.to_text()).encode()).hexdigest()
        for entry in game.entries:
            self._add_issue(entry.issue)
            moves = self.people[entry.player].moves if entry.player in self.people else 0
            self.people[entry.player] = Activity(moves + (entry is not game.start), entry.time)
        if game.position.is_over:
            self.finished += 1
        if winner := game.winning_mover:
            self.wins[winner] = self.wins.get(winner, 0) + 1

    def has_issue(self, issue: int) -> bool:
        """Whether an issue is in a closed game."""
        place = bisect_right(self.issues, issue, key=_first)
        return place > 0 and issue <= self.issues[place - 1][1]

    def _add_issue(self, issue: int) -> None:
        place = bisect_right(self.issues, issue, key=_first)
        first = last = issue
        if place and self.issues[place - 1][1] == issue - 1:
            place -= 1
            first = self.issues.pop(place)[0]
        if place < len(self.issues) and self.issues[place][0] == issue + 1:
            last = self.issues.pop(place)[1]
        self.issues.insert(place, (first, last))

    # As a file

    def to_text(self) -> str:
        """Return what `parse` reads: one JSON object."""
        return json.dumps(asdict(self)) + "\n"

    @classmethod
    def parse(cls, content: bytes) -> Tally:
        """Return the tally of a file. Raises `CommunityError` if it is not one."""
        if len(content) > MAX_BYTES:
            raise CommunityError(f"it has {len(content)} bytes, the limit is {MAX_BYTES}; {_REBUILD}")
        try:
            tally = cls(**json.loads(content))
            tally.people = {name: Activity(*seen) for name, seen in tally.people.items()}
            tally.issues = [(first, last) for first, last in tally.issues]
            tally._check()
        except (ValueError, TypeError, AttributeError, RecursionError):
            raise CommunityError(f"it is not a tally; {_REBUILD}") from None
        return tally

    def _check(self) -> None:
        counts = [self.games, self.moves, self.finished, *self.wins.values()]
        counts += [seen.moves for seen in self.people.values()]
        counts += [number for bounds in self.issues for number in bounds]
        if not isinstance(self.digest, str) or not all(type(number) is int for number in counts):
            raise TypeError


def _first(bounds: tuple[int, int]) -> int:
    return bounds[0]
