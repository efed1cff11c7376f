"""Matches and tournaments: play the schedule, several games at a time, and continue later."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import asdict, dataclass, fields, replace
from functools import partial
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, TypedDict

from fourcast._core import Position, Rules
from fourcast.arena import adjudication, swiss
from fourcast.arena.contestant import MEMORY_MB, Contestant, Entrant, check_count, check_time
from fourcast.arena.journal import Journal, Kept
from fourcast.arena.knockout import deciders, next_knockout
from fourcast.arena.openings import BALANCED, Openings
from fourcast.arena.play import Conditions, GameRecord, play_game
from fourcast.arena.ratings import Sprt
from fourcast.arena.results import FORFEIT_LIMIT, POINTS, Results
from fourcast.arena.schedule import (
    KINDS,
    STATIC,
    Draw,
    Pairing,
    couples,
    round_pairings,
    static_pairings,
)
from fourcast.book.workers import Workers, on_ray, run_on
from fourcast.errors import OptionError, StoppedError, require, require_function
from fourcast.notation import quote, suggest
from fourcast.protocol.dialects import DIALECTS
from fourcast.protocol.sandbox import Sandbox, find_isolation, parse_sandbox

if TYPE_CHECKING:
    from typing_extensions import Unpack  # which `typing` has from Python 3.11 on


@dataclass(frozen=True)
class Settings:
    """What holds for all games of a tournament."""

    games: int = 20
    """Games of each meeting of two players."""
    kind: str = "round-robin"
    """`round-robin`, `gauntlet`, `ladder`, `anchors`, `swiss` or `knockout`."""
    rounds: int | None = None
    """Rounds of a Swiss tournament. None: two more than a knockout would have."""
    anchors: tuple[str, ...] = ()
    """Of a tournament with anchors, the players that everybody else meets."""
    openings: str = BALANCED
    """`balanced`, `random`, or the path of a file; each opening is played with both colors."""
    opening_plies: int = 4
    """Moves of an opening that is not from a file."""
    seed: int = 0
    width: int = 7
    height: int = 6
    rules: str = ""
    """Other rules than the standard ones, as `str(Rules(...))`: `connect=5,wrap`, `pop`."""
    points: tuple[float, ...] = POINTS
    """Points of a win, a draw and a loss."""
    move_time_s: float | None = None
    """Seconds per move. None: 5 s for programs, no limit for built-in players."""
    game_time_s: float | None = None
    """Seconds of each player for all its moves of a game. None: no clock."""
    increment_s: float = 0.0
    """Seconds that a player's clock gains with each move."""
    start_time_s: float = 5.0
    """Additional seconds for a program's first move."""
    memory_mb: int = 1024
    """Memory limit of a program."""
    forfeit_limit: int = FORFEIT_LIMIT
    """Forfeits after which a player is out, and its games do not count."""
    adjudicate: str = "no"
    """Which games end by the solver's word: `no`, `resign`, `draw`, `both`, or `known` for all."""
    title: str = ""
    earlier: tuple[str, ...] = ()
    """Folders of earlier tournaments, whose results the pages of players compare with."""

    def __post_init__(self) -> None:
        for name, least, most in (
            ("games", 1, 10**6),
            ("rounds", 1, 1000),
            ("opening_plies", 0, 1000),
            ("seed", -(2**63), 2**63),
            ("width", 0, 1000),
            ("height", 0, 1000),
            ("memory_mb", *MEMORY_MB),
            ("forfeit_limit", 1, 10**6),
        ):
            value = getattr(self, name)
            if name == "rounds" and value is None:
                continue
            check_count(name, value, least, most)
        for name in ("move_time_s", "game_time_s", "start_time_s", "increment_s"):
            value = getattr(self, name)
            if value is None and name in ("move_time_s", "game_time_s"):
                continue
            check_time(name, value, may_be_zero=name == "increment_s")
        for name, choices in (("kind", KINDS), ("adjudicate", adjudication.KINDS)):
            value = getattr(self, name)
            if not isinstance(value, str) or value not in choices:
                raise OptionError(f"{name} must be one of {', '.join(choices)}, not {quote(value)}")
        for name in ("openings", "title", "rules"):
            if not isinstance(getattr(self, name), str):
                raise OptionError(f"{name} must be a string, not {quote(getattr(self, name))}")
        self._take_tuple("anchors", str, "names of players")
        self._take_tuple("earlier", str, "folders of tournaments")
        self._take_tuple("points", (int, float), "the points of a win, a draw and a loss")
        if len(self.points) != 3 or sorted(self.points, reverse=True) != list(self.points):
            raise OptionError(
                f"points must be those of a win, a draw and a loss, such as 3, 1, 0, not {self.points}"
            )
        if (self.kind == "anchors") != bool(self.anchors):
            raise OptionError(
                f"anchors go with the kind 'anchors', not with {quote(self.kind)}"
                if self.anchors
                else "the kind 'anchors' needs anchors, such as --anchors level-3,level-6"
            )
        if self.increment_s and not self.game_time_s:
            raise OptionError("an increment needs the time of a game: give --game-time, too")
        rules = Rules.parse(self.rules)
        Position(width=self.width, height=self.height, rules=rules)
        if rules.pop and self.adjudicate != "no":
            raise OptionError("games of PopOut have no scores: they cannot be adjudicated")

    def _take_tuple(self, name: str, kind: type | tuple[type, ...], what: str) -> None:
        """Make a tuple of a list, as files have it; refuse everything else."""
        value = getattr(self, name)
        if not isinstance(value, (list, tuple)) or not all(
            isinstance(each, kind) and not isinstance(each, bool) for each in value
        ):
            raise OptionError(f"{name} must be a list: {what}, not {quote(value)}")
        object.__setattr__(self, name, tuple(value))

    def conditions(self, sandbox: Sandbox | str) -> Conditions:
        """Return what holds for a single game."""
        shared = (each for each in asdict(Conditions()) if each != "sandbox")
        return Conditions(sandbox=sandbox, **{name: getattr(self, name) for name in shared})


class SettingsOptions(TypedDict, total=False):
    """The fields of `Settings` as keyword arguments, so that type checkers see a wrong one."""

    games: int
    kind: str
    rounds: int | None
    anchors: tuple[str, ...]
    openings: str
    opening_plies: int
    seed: int
    width: int
    height: int
    rules: str
    points: tuple[float, ...]
    move_time_s: float | None
    game_time_s: float | None
    increment_s: float
    start_time_s: float
    memory_mb: int
    forfeit_limit: int
    adjudicate: str
    title: str
    earlier: tuple[str, ...]


class Tournament:
    """A tournament of players and programs.

    *players* are whatever `Contestant.of` understands: names with options, commands, Python objects,
    functions, classes. *options* are those of `Settings`, and replace those of *settings*. With
    *journal*, a file, what has been played is kept there, and a tournament that was interrupted
    continues where it stopped; *add* and *changed* are those of `Journal`. *sandbox* says whether
    programs run isolated.
    """

    def __init__(
        self,
        players: Sequence[Entrant],
        settings: Settings | None = None,
        *,
        journal: str | os.PathLike[str] | None = None,
        sandbox: Sandbox | str = Sandbox.AUTO,
        add: bool = False,
        changed: str = "refuse",
        **options: Unpack[SettingsOptions],
    ) -> None:
        require("players", players, list, tuple)
        require("settings", settings, Settings, type(None))
        require("journal", journal, str, os.PathLike, type(None))
        known = [field.name for field in fields(Settings)]
        for name in options:
            if name not in known:
                raise OptionError(f"there is no setting {quote(name)}; {suggest(name, known)}")
        self.settings = settings = replace(settings or Settings(), **options)
        self.contestants = {each.name: each for each in _with_different_names(players)}
        if len(self.contestants) < 2:
            raise OptionError(f"at least two players are needed, not {len(self.contestants)}")
        self.names = list(self.contestants)
        for anchor in settings.anchors:
            if anchor not in self.contestants:
                raise OptionError(
                    f"the anchor {quote(anchor)} is not among the players; {suggest(anchor, self.names)}"
                )
        if settings.kind == "swiss":
            swiss.check_extra()
        self._openings = Openings(
            settings.openings,
            plies=settings.opening_plies,
            seed=settings.seed,
            width=settings.width,
            height=settings.height,
            rules=settings.rules,
        )
        for contestant in self.contestants.values():
            contestant.check_rules(Rules.parse(settings.rules))
            if not DIALECTS[contestant.dialect].has_openings and self._openings.pool != [""]:
                raise OptionError(
                    f"{quote(contestant.name)} exchanges columns, and can be told no opening: play with "
                    "--opening-plies 0"
                )
        self.rounds = settings.rounds or swiss.default_rounds(len(self.names))
        self.journal = None if journal is None else Path(journal)
        self._add, self._changed = add, changed
        self.sandbox = parse_sandbox(sandbox)
        self.programs = [name for name, each in self.contestants.items() if each.command]
        if self.programs:
            find_isolation(sandbox)  # raises now if it is required and not available
        self._hidden = [path for contestant in self.contestants.values() for path in contestant.paths()]
        if self.journal:
            self._hidden += [str(self.journal.parent), str(self.journal)]

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {', '.join(self.names)}>"

    @property
    def expected_games(self) -> int:
        """The number of games to be played, unless players are out or knockout matches are tied."""
        games, players = self.settings.games, len(self.names)
        if self.settings.kind == "swiss":
            return games * self.rounds * (players // 2)
        if self.settings.kind == "knockout":
            return games * (players - 1)
        return games * len(self._couples())

    def _couples(self) -> list[tuple[str, str]]:
        return couples(self.names, self.settings.kind, self.settings.anchors)

    def _open(self) -> tuple[Journal | None, Kept]:
        """Return the journal, if there is one, and what was kept of earlier games."""
        players = {name: player.describe() for name, player in self.contestants.items()}
        settings = asdict(self.settings)
        if not self.journal:
            return None, Kept(settings, players)
        journal = Journal(self.journal, settings, players, add=self._add, changed=self._changed)
        return journal, journal.kept

    def run(
        self,
        *,
        concurrency: int = 1,
        on_game: Callable[[Results], object] | None = None,
        sprt: Sprt | None = None,
        affinity: bool = False,
        ray: str | None = None,
    ) -> Results:
        """Play all games that are not in the journal yet, *concurrency* at a time; return all results.

        *on_game* is called with the results so far, always the same object: after each game, and before
        the first one if the journal has games. With *sprt* the tournament ends as soon as it is known
        whether the first player is the better one. With *affinity* each game has a processor of its own.
        *ray* is the address of a cluster to play on.
        After an exception, such as a KeyboardInterrupt, it returns at once: the journal is closed, and
        the games under way end with the move under way.
        """
        require("concurrency", concurrency, int)
        if concurrency < 1:
            raise OptionError(f"concurrency must be 1 or more, not {concurrency}")
        require("sprt", sprt, Sprt, type(None))
        require_function("on_game", on_game)
        game = partial(_play, self.contestants, self.settings.conditions(self.sandbox), self._hidden)
        workers = on_ray(ray, game) if ray else _on_threads(concurrency, game, affinity=affinity)
        journal, kept = self._open()
        try:
            results = kept.results()
            if results.records and on_game:
                on_game(results)
            numbers = count(1 + max((record.number for record in results.records), default=0))
            while due := self._due(kept.draws, results, journal):
                with closing(workers(self._still_due(due, results))) as played:
                    for _, record in played:
                        record = record.numbered(next(numbers))
                        if journal:
                            journal.append(record)
                        results.add(record)
                        if on_game:
                            on_game(results)
                        if sprt and sprt.verdict(results.pair_scores(self.names[0])):
                            return results
            results.finish()
            if journal:
                journal.append_end()
            return results
        finally:
            if journal:
                journal.close()

    def _due(self, draws: list[Draw], results: Results, journal: Journal | None) -> list[Pairing]:
        """Return games that can be played now; none if the tournament is over."""
        settings = self.settings
        if settings.kind in STATIC:
            found = static_pairings(self._couples(), settings.games, self._openings)
            return [each for each in found if self._is_due(each, results)]
        while True:
            if draws:
                found = round_pairings(draws[-1], settings.games, self._openings)
                due = [each for each in found if self._is_due(each, results)]
                if not due and settings.kind == "knockout":
                    due = deciders(draws[-1], settings.games, results, self._openings)
                if due:
                    return due
            if settings.kind == "knockout":
                draw = next_knockout(self.names, draws, results)
            else:
                draw = swiss.next_swiss(self.names, self.rounds, draws, results)
            if draw is None:
                return []
            if journal:
                journal.append_draw(draw)
            else:
                draws.append(draw)

    @staticmethod
    def _is_due(pairing: Pairing, results: Results) -> bool:
        return pairing not in results.played and not results.out & {pairing.first, pairing.second}

    def _still_due(self, due: list[Pairing], results: Results) -> Iterator[tuple[int, Pairing]]:
        """The games one after the other; those of a player that is out by then are left out."""
        return ((i, pairing) for i, pairing in enumerate(due) if self._is_due(pairing, results))


def _with_different_names(players: Sequence[Entrant]) -> list[Contestant]:
    """Return the contestants; two of one name are told apart by a number."""
    found: dict[str, Contestant] = {}
    for given in players:
        contestant = Contestant.of(given)
        name, number = contestant.name, 2
        while name in found:
            name, number = f"{contestant.name} #{number}", number + 1
        found[name] = replace(contestant, name=name)
    return list(found.values())


def _play(
    contestants: dict[str, Contestant],
    conditions: Conditions,
    hidden: list[str],
    pairing: Pairing,
    stop: Callable[[], bool] = lambda: False,
) -> GameRecord:
    """Play a game of a tournament. Raises `StoppedError` if *stop* said so in the middle of it."""
    first, second = contestants[pairing.first], contestants[pairing.second]
    record = play_game(pairing, first, second, conditions, hidden=hidden, stop=stop)
    if record is None:
        raise StoppedError("the game was stopped")
    return record


def _on_threads(
    concurrency: int, play: Callable[..., GameRecord], *, affinity: bool
) -> Workers[Pairing, GameRecord]:
    """Return workers that play games on threads of this machine, *concurrency* at a time."""
    processors = sorted(os.sched_getaffinity(0)) if affinity and hasattr(os, "sched_getaffinity") else []
    if affinity and len(processors) < concurrency:
        there = f"{len(processors)} processors can be chosen here" if processors else "it needs Linux"
        raise OptionError(f"--affinity gives each game a processor of its own, and {there}")

    def work(games: Iterable[tuple[int, Pairing]]) -> Generator[tuple[int, GameRecord], None, None]:
        stopping = threading.Event()
        left = processors.copy()

        def settle() -> None:
            if left:  # what a program starts runs on the processors of the thread that started it
                os.sched_setaffinity(0, {left.pop()})

        pool = ThreadPoolExecutor(concurrency, initializer=settle)
        try:
            yield from run_on(pool, concurrency, games, lambda each: play(each, stopping.is_set))
        finally:
            stopping.set()
            pool.shutdown(wait=False, cancel_futures=True)

    return work


class Match(Tournament):
    """A match of two players, programs or Python objects; *options* are those of `Settings`.

    >>> def leftmost(position):
    ...     return position.legal_columns[0]
    >>> Match(leftmost, "perfect:time_s=1", games=2, seed=1).run().score("leftmost")
    0.0
    """

    def __init__(
        self,
        first: Entrant,
        second: Entrant,
        *,
        journal: str | os.PathLike[str] | None = None,
        sandbox: Sandbox | str = Sandbox.AUTO,
        **options: Unpack[SettingsOptions],
    ) -> None:
        super().__init__([first, second], journal=journal, sandbox=sandbox, **options)
