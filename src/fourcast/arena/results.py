"""Standings, cross table and forfeits: what the games of a match or tournament add up to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from fourcast.arena.play import GameRecord
from fourcast.arena.ratings import Rating, elo_ratings

if TYPE_CHECKING:
    from fourcast.arena.quality import Quality


@dataclass(frozen=True)
class Standing:
    """A line of the table."""

    name: str
    games: int
    wins: int
    draws: int
    losses: int
    as_first: tuple[int, int, int]
    """Wins, draws and losses of the games that it started."""
    as_second: tuple[int, int, int]
    """Those of the others."""
    rating: Rating
    mean_time_s: float
    """Seconds a move."""
    forfeits: Counter[str]
    """What it lost games by, other than on the board."""

    @property
    def points(self) -> float:
        """A win is one, a draw half a point."""
        return self.wins + self.draws / 2

    def to_json(self) -> dict[str, Any]:
        """Return it as JSON types."""
        return {
            "name": self.name,
            "elo": round(self.rating.elo, 1),
            "error": round(self.rating.error, 1),
            "games": self.games,
            "points": self.points,
            "wins": self.wins,
            "draws": self.draws,
            "losses": self.losses,
            "as_first": list(self.as_first),
            "as_second": list(self.as_second),
            "mean_time_s": self.mean_time_s,
            "forfeits": dict(self.forfeits),
        }


@dataclass(frozen=True)
class Forfeits:
    """Games that a player lost in the same way, other than on the board."""

    name: str
    detail: str
    games: tuple[int, ...]
    """Their numbers, from 0."""
    messages: str
    """What the player wrote to standard error in the first of them."""


class Results:
    """All games of a tournament, and sums over them."""

    def __init__(self, names: Sequence[str], records: Iterable[GameRecord]) -> None:
        self.names = tuple(names)
        self.records = sorted(records, key=lambda record: record.number)

    def standings(self) -> list[Standing]:
        """Return the table, the best first."""
        ratings = elo_ratings(self.names, self.records)
        lines = [self._standing(name, ratings[name]) for name in self.names]
        return sorted(lines, key=lambda line: (-line.rating.elo, self.names.index(line.name)))

    def _standing(self, name: str, rating: Rating) -> Standing:
        sides: list[Counter[float]] = [Counter(), Counter()]
        forfeits: Counter[str] = Counter()
        moves, time_s = 0, 0.0
        for record in self.records:
            if name not in (record.first, record.second):
                continue
            side = 0 if record.first == name else 1
            score = record.score(name)
            sides[side][score] += 1
            if record.forfeit and score == 0:
                forfeits[record.forfeit] += 1
            offset = (side - len(record.opening)) % 2
            own = record.times_s[offset::2]
            moves += len(own)
            time_s += sum(own)
        both = sides[0] + sides[1]
        first, second = ((side[1.0], side[0.5], side[0.0]) for side in sides)
        return Standing(
            name,
            both.total(),
            both[1.0],
            both[0.5],
            both[0.0],
            first,
            second,
            rating,
            time_s / moves if moves else 0.0,
            forfeits,
        )

    def score(self, name: str) -> float:
        """Return the points of a player."""
        return sum(
            record.score(name) for record in self.records if name in (record.first, record.second)
        )

    def forfeits(self) -> list[Forfeits]:
        """Return the games that were lost other than on the board, those of one kind together."""
        found: dict[tuple[str, str], list[GameRecord]] = {}
        for record in self.records:
            if record.forfeit and record.loser:
                found.setdefault((record.loser, record.detail), []).append(record)
        return [
            Forfeits(name, detail, tuple(game.number for game in games), games[0].messages)
            for (name, detail), games in found.items()
        ]

    def to_json(self, qualities: Mapping[str, Quality] | None = None) -> dict[str, Any]:
        """Return standings, forfeits and games as JSON types."""
        players = []
        for line in self.standings():
            quality = (qualities or {}).get(line.name)
            players.append(line.to_json() | ({"quality": quality.to_json()} if quality else {}))
        return {
            "players": players,
            "forfeits": [asdict(forfeits) for forfeits in self.forfeits()],
            "games": [record.to_json() for record in self.records],
        }

    def _repr_html_(self) -> str:
        """The standings as notebooks show them."""
        from fourcast.arena.report import standings_table
        from fourcast.render.notebook import table_html

        return table_html(*standings_table(self.standings(), {}))

    def cross_table(self) -> dict[str, dict[str, tuple[float, int]]]:
        """Return the points and the number of games of each player against each other one."""
        table: dict[str, dict[str, tuple[float, int]]] = {name: {} for name in self.names}
        for record in self.records:
            for name, other in (
                (record.first, record.second),
                (record.second, record.first),
            ):
                points, games = table[name].get(other, (0.0, 0))
                table[name][other] = (points + record.score(name), games + 1)
        return table

    def pair_scores(self, name: str) -> list[float]:
        """Return a player's score in each opening pair that is complete, from 0 to 1."""
        pairs: dict[tuple[int, frozenset[str]], list[float]] = {}
        for record in self.records:
            players = frozenset((record.first, record.second))
            if name in players:  # the two games of an opening have numbers that follow each other
                pairs.setdefault((record.number // 2, players), []).append(record.score(name))
        return [sum(scores) / 2 for scores in pairs.values() if len(scores) == 2]
