"""Standings, cross table and forfeits: what the games of a match or tournament add up to."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

from fourcast.arena.play import GameRecord
from fourcast.arena.ratings import Difference, Rating, elo_difference, elo_ratings
from fourcast.arena.schedule import Draw, Pairing
from fourcast.errors import OptionError, require, require_each
from fourcast.notation import quote, suggest
from fourcast.protocol.advice import advise
from fourcast.protocol.languages import language_of
from fourcast.protocol.program import split_command

if TYPE_CHECKING:
    from fourcast.arena.quality import Quality

POINTS = (1.0, 0.5, 0.0)
FORFEIT_LIMIT = 10
NO_START = "no start"
NO_START_LIMIT = 2
"""Games that a program may lose because it does not start, before it is out."""


@dataclass
class Tally:
    """What the games of one player add up to."""

    sides: tuple[Counter[float], Counter[float]] = field(default_factory=lambda: (Counter(), Counter()))
    """How often it scored 1, 1/2 and 0, as first and as second player."""
    forfeits: Counter[str] = field(default_factory=Counter)
    moves: int = 0
    time_s: float = 0.0
    slowest_s: float = 0.0

    @property
    def games(self) -> int:
        """All of them, void ones as well."""
        return self.sides[0].total() + self.sides[1].total()

    def add(self, record: GameRecord, side: int, *, is_program: bool) -> None:
        """Count a game; a program's first move is left out of the times, for it includes the start."""
        score = record.score((record.first, record.second)[side])
        self.sides[side][score] += 1
        if record.forfeit and score == 0:
            self.forfeits[record.forfeit] += 1
        own = record.times_s[(side - record.opening_moves) % 2 :: 2][is_program:]
        self.moves += len(own)
        self.time_s += sum(own)
        self.slowest_s = max(self.slowest_s, *own, 0.0)


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
    points: float
    rating: Rating | None
    """None for a player that is out."""
    mean_time_s: float
    """Seconds a move; of a program without the first move of each game, which includes its start."""
    slowest_s: float
    """Its longest move, counted likewise."""
    forfeits: Counter[str]
    """What it lost games by, other than on the board."""
    opponents_points: float = 0.0
    """The points of its opponents, once for each meeting: the tie-break of a Swiss (Buchholz)."""

    @property
    def is_out(self) -> bool:
        """Whether its games do not count."""
        return self.rating is None

    def __str__(self) -> str:
        if self.is_out:
            return f"{self.name} is out"
        won = f"{self.wins} won, {self.draws} drawn, {self.losses} lost"
        return f"{self.name} {self.points:g} of {self.games}: {won}"

    def to_json(self) -> dict[str, Any]:
        """Return it as JSON types."""
        return {
            "name": self.name,
            "elo": None if self.rating is None else round(self.rating.elo, 1),
            "error": None if self.rating is None else round(self.rating.error, 1),
            "out": self.is_out,
            "games": self.games,
            "points": self.points,
            "wins": self.wins,
            "draws": self.draws,
            "losses": self.losses,
            "as_first": list(self.as_first),
            "as_second": list(self.as_second),
            "mean_time_s": self.mean_time_s,
            "slowest_s": self.slowest_s,
            "forfeits": dict(self.forfeits),
        }


@dataclass(frozen=True)
class Forfeits:
    """Games that a player lost in the same way, other than on the board."""

    name: str
    detail: str
    games: tuple[int, ...]
    """Their numbers, from 1."""
    messages: str
    """What the player wrote to standard error in the first of them."""
    cure: str = ""
    """What its author can do about it; empty if nobody knows."""

    def __str__(self) -> str:
        games = f"game{'s' * (len(self.games) > 1)} {listed(self.games)}"
        return f"{games}: {self.name} lost by {self.detail}"


def listed(things: Sequence[object]) -> str:
    """Return the first of some games or names, and how many more there are.

    >>> listed([1, 2, 3, 4, 5, 6, 7])
    '1, 2, 3, 4, 5 and 2 more'
    """
    shown = ", ".join(map(str, things[:5]))
    return f"{shown} and {len(things) - 5} more" if len(things) > 5 else shown


def _number(record: GameRecord) -> int:
    require("a game", record, GameRecord)
    return record.number


class Results:
    """All games of a tournament, and sums over them; games are added as they are played.

    *points* are those of a win, a draw and a loss. A player with *forfeit_limit* forfeits, or a program
    that does not start, is `out`: its games do not count for anybody. The table is sorted by
    *rank*: `elo`, `points`, or `rounds` that a player has survived. *programs* are the descriptions
    (`Contestant.describe`) of those that are started for each game, by their names.
    """

    def __init__(
        self,
        names: Sequence[str],
        records: Iterable[GameRecord] = (),
        *,
        points: Sequence[float] = POINTS,
        forfeit_limit: int = FORFEIT_LIMIT,
        rank: str = "elo",
        programs: Mapping[str, Mapping[str, Any]] | None = None,
        draws: Sequence[Draw] = (),
    ) -> None:
        require_each("names", names, str)
        self.names = tuple(names)
        self.records: list[GameRecord] = []
        self.draws = draws
        self.played: set[Pairing] = set()
        self.out: set[str] = set()
        """Players whose games do not count."""
        self._points = dict(zip((1.0, 0.5, 0.0), points, strict=True))
        self._forfeit_limit = forfeit_limit
        self._rank = rank
        self._programs = programs or {}
        self._tallies = {name: Tally() for name in names}
        self._meetings: dict[tuple[int, frozenset[str]], list[GameRecord]] = defaultdict(list)
        self._table: tuple[tuple[int, ...], list[Standing]] = ((), [])
        require("records", records, Iterable)
        for record in sorted(records, key=_number):
            self.add(record)

    def add(self, record: GameRecord) -> None:
        """Count a game that was played."""
        require("a game", record, GameRecord)
        if unknown := {record.first, record.second} - self._tallies.keys():
            raise OptionError(f"a game was played by {quote(min(unknown))}, who is not among the names")
        self.records.append(record)
        self.played.add(record.pairing)
        self._meetings[record.round, frozenset((record.first, record.second))].append(record)
        for side, name in enumerate((record.first, record.second)):
            tally = self._tallies[name]
            tally.add(record, side, is_program=name in self._programs)
            if (
                tally.forfeits.total() >= self._forfeit_limit
                or tally.forfeits[NO_START] >= NO_START_LIMIT
            ):
                self.out.add(name)

    def finish(self) -> None:
        """Put out the players that have forfeited every game; to be called when all are played."""
        for name, tally in self._tallies.items():
            if tally.games and tally.forfeits.total() == tally.games:
                self.out.add(name)

    @property
    def counted(self) -> list[GameRecord]:
        """The games of players that are not out."""
        if not self.out:
            return self.records
        return [each for each in self.records if not self.out & {each.first, each.second}]

    def balance(self, pair: tuple[str, str], round_: int) -> float:
        """Return by how many points the first of a pair has beaten the other in a round."""
        if self.out & set(pair):
            return (pair[1] in self.out) - (pair[0] in self.out)
        games = self._meetings.get((round_, frozenset(pair)), ())
        return sum(2 * game.score(pair[0]) - 1 for game in games)

    def count(self, pair: tuple[str, str], round_: int) -> int:
        """Return how many games a pair has played in a round."""
        return len(self._meetings.get((round_, frozenset(pair)), ()))

    def standings(self) -> list[Standing]:
        """Return the table, the best first, and those that are out at the end."""
        state = len(self.records), len(self.draws), len(self.out)
        if self._table[0] != state:
            self._table = state, self._work_out()
        return self._table[1]

    def _work_out(self) -> list[Standing]:
        counted = self.counted
        ratings = elo_ratings([name for name in self.names if name not in self.out], counted)
        tallies = self._tallies
        if self.out:
            tallies = {name: Tally() for name in self.names}
            for record in counted:
                for side, name in enumerate((record.first, record.second)):
                    tallies[name].add(record, side, is_program=name in self._programs)
        points = {
            name: sum(
                self._points[score] * count for side in tally.sides for score, count in side.items()
            )
            for name, tally in tallies.items()
        }
        for name, byes in self._byes().items():
            points[name] += byes
        against: dict[str, float] = defaultdict(float)
        for _, players in self._meetings:
            if not self.out & players:
                one, other = players
                against[one] += points[other]
                against[other] += points[one]
        lines = [
            self._standing(name, tallies[name], points[name], ratings.get(name), against[name])
            for name in self.names
        ]
        place = {name: i for i, name in enumerate(self.names)}

        def key(line: Standing) -> tuple[float, ...]:
            elo = line.rating.elo if line.rating else 0
            if self._rank == "elo":
                return line.is_out, -elo, place[line.name]
            survived = self._survived(line.name) if self._rank == "rounds" else 0
            return line.is_out, -survived, -line.points, -line.opponents_points, -elo, place[line.name]

        return sorted(lines, key=key)

    def _survived(self, name: str) -> int:
        """The last round that a player was in, and one more if it won that."""
        for draw in reversed(self.draws):
            for pair in draw.pairs:
                if name in pair:
                    balance = self.balance(pair, draw.round)
                    return draw.round + ((balance > 0) if name == pair[0] else (balance < 0))
        return 0

    def _byes(self) -> dict[str, float]:
        """Points without a game: a won meeting for a bye, a drawn one for an opponent that is out."""
        found: dict[str, float] = defaultdict(float)
        for draw in self.draws:
            games = max((self.count(pair, draw.round) for pair in draw.pairs), default=0)
            for name in set(draw.byes) - self.out:
                found[name] += games * self._points[1.0]
            for pair in draw.pairs:
                if self.out & set(pair):
                    for name in set(pair) - self.out:
                        found[name] += games * self._points[0.5]
        return found

    def _standing(
        self, name: str, tally: Tally, points: float, rating: Rating | None, against: float
    ) -> Standing:
        both = tally.sides[0] + tally.sides[1]
        first, second = ((side[1.0], side[0.5], side[0.0]) for side in tally.sides)
        return Standing(
            name,
            both.total(),
            both[1.0],
            both[0.5],
            both[0.0],
            first,
            second,
            points,
            rating,
            tally.time_s / tally.moves if tally.moves else 0.0,
            tally.slowest_s,
            self._tallies[name].forfeits,
            against,
        )

    def score(self, name: str) -> float:
        """Return what a player scored: a win is one, a draw half a point."""
        require("name", name, str)
        if name not in self._tallies:
            raise OptionError(f"there is no player {quote(name)}; {suggest(name, self.names)}")
        sides = self._tallies[name].sides
        return sum(score * count for side in sides for score, count in side.items())

    def difference(self) -> Difference | None:
        """Return how much better the first player is than the second, by the games of the two.

        None if there are no games, or if one of the two is out.
        """
        if len(self.names) < 2:
            raise OptionError("a difference is that of two players, and there are fewer")
        one, other = self.names[:2]
        if self.out & {one, other}:
            return None
        games = [each for each in self.records if {each.first, each.second} == {one, other}]
        return elo_difference([game.score(one) for game in games], self.pair_scores(one))

    def forfeits(self) -> list[Forfeits]:
        """Return the games that were lost other than on the board, those of one kind together."""
        found: dict[tuple[str, str], list[GameRecord]] = {}
        for record in self.records:
            if record.forfeit and record.loser:
                found.setdefault((record.loser, record.detail), []).append(record)
        return [self._forfeits(name, detail, games) for (name, detail), games in found.items()]

    def _forfeits(self, name: str, detail: str, games: list[GameRecord]) -> Forfeits:
        messages = games[0].messages[games[0].first != name]
        cure = ""
        if program := self._programs.get(name):
            language = language_of(split_command(program["command"]), "")
            cure = advise(detail, messages, language, program.get("dialect", "json"))
        return Forfeits(name, detail, tuple(game.number for game in games), messages, cure)

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

    def __repr__(self) -> str:
        return f"<Results of {len(self.records)} games: {', '.join(self.names)}>"

    def __str__(self) -> str:
        table = self.standings()
        width = max(len(each.name) for each in table)
        lines = [each.name.ljust(width) + str(each).removeprefix(each.name) for each in table]
        return "\n".join(lines + list(map(str, self.forfeits())))

    def _repr_html_(self) -> str:
        """The standings as notebooks show them."""
        from fourcast.render.notebook import table_html

        return table_html(*standings_table(self.standings(), {}))

    def cross_table(self) -> dict[str, dict[str, tuple[float, int]]]:
        """Return the points and the number of games of each player against each other one."""
        table: dict[str, dict[str, tuple[float, int]]] = {name: {} for name in self.names}
        for record in self.counted:
            for name, other in (
                (record.first, record.second),
                (record.second, record.first),
            ):
                points, games = table[name].get(other, (0.0, 0))
                table[name][other] = (points + record.score(name), games + 1)
        return table

    def pair_scores(self, name: str) -> list[float]:
        """Return a player's score in each opening pair that is complete, from 0 to 1."""
        pairs: dict[tuple[str, frozenset[str]], list[float]] = defaultdict(list)
        for record in self.records:
            players = frozenset((record.first, record.second))
            if name in players:
                pairs[record.opening_pair, players].append(record.score(name))
        return [sum(scores) / 2 for scores in pairs.values() if len(scores) == 2]


def standings_table(
    standings: list[Standing], qualities: Mapping[str, Quality]
) -> tuple[list[str], list[list[str]]]:
    """Return the heads and the rows of the table."""
    has_forfeits = any(line.forfeits for line in standings)
    heads = ["", "player", "Elo", "+-", "games", "points", "as first", "as second", "ms a move"]
    heads += ["forfeits"] * has_forfeits
    heads += ["value kept", "score lost a move"] * bool(qualities)
    rows = []
    for place, line in enumerate(standings, start=1):
        row = [
            str(place),
            line.name,
            f"{line.rating.elo:+.0f}" if line.rating else "out",
            f"{line.rating.error:.0f}" if line.rating else "",
            str(line.games),
            f"{line.points:g}",
            "+{} ={} -{}".format(*line.as_first),
            "+{} ={} -{}".format(*line.as_second),
            f"{line.mean_time_s * 1000:.1f}" if line.mean_time_s else "-",
        ]
        if has_forfeits:
            row.append(", ".join(f"{count} {kind}" for kind, count in line.forfeits.most_common()))
        if qualities:
            own = qualities.get(line.name)
            row += [f"{own.kept_share:.1%}", f"{own.mean_loss:.2f}"] if own and own.moves else ["-", "-"]
        rows.append(row)
    return heads, rows
