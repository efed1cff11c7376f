"""Matches and tournaments: playing what the schedule says, several games at once, and going on later."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypedDict

from fourcast._core import Position
from fourcast.arena.contestant import Contestant, Entrant
from fourcast.arena.journal import Journal
from fourcast.arena.play import Conditions, GameRecord, play_game
from fourcast.arena.ratings import Sprt
from fourcast.arena.results import Results
from fourcast.arena.schedule import KINDS, Pairing, couples, pairings, random_openings
from fourcast.errors import OptionError
from fourcast.notation import quote
from fourcast.protocol.sandbox import Sandbox, find_isolation

if TYPE_CHECKING:
    from typing_extensions import Unpack  # which `typing` has from Python 3.11 on


@dataclass(frozen=True)
class Settings:
    """What holds for all games of a tournament."""

    games: int = 20
    """Games of each pair."""
    kind: str = "round-robin"
    """`round-robin`, `gauntlet` or `ladder`."""
    opening_plies: int = 4
    """Random moves before the players begin; each opening is played with both colors."""
    seed: int = 0
    width: int = 7
    height: int = 6
    move_time_s: float | None = None
    """Seconds per move. None: 5 s for programs, no limit for built-in players."""
    start_time_s: float = 5.0
    """Additional seconds for a program's first move."""
    memory_mb: int = 1024
    """Memory limit of a program."""

    def __post_init__(self) -> None:
        for name, least, most in (
            ("games", 1, 10**6),
            ("opening_plies", 0, 1000),
            ("seed", -(2**63), 2**63),
            ("width", 0, 1000),
            ("height", 0, 1000),
            ("memory_mb", 16, 2**20),
        ):
            value = getattr(self, name)
            if type(value) is not int or not least <= value <= most:
                bounds = f"from {least} to {most}"
                raise OptionError(f"{name} must be a whole number {bounds}, not {quote(value)}")
        for name in ("move_time_s", "start_time_s"):
            value = getattr(self, name)
            if value is not None and not (type(value) in (int, float) and 0 < value <= 10**6):
                raise OptionError(f"{name} must be more than 0 seconds, not {quote(value)}")
        if self.start_time_s is None:
            raise OptionError("start_time_s must be more than 0 seconds, not None")
        if not isinstance(self.kind, str) or self.kind not in KINDS:
            raise OptionError(f"kind must be one of {', '.join(KINDS)}, not {quote(self.kind)}")
        Position(width=self.width, height=self.height)


class SettingsOptions(TypedDict, total=False):
    """The fields of `Settings` as keyword arguments, so that type checkers see a wrong one."""

    games: int
    kind: str
    opening_plies: int
    seed: int
    width: int
    height: int
    move_time_s: float | None
    start_time_s: float
    memory_mb: int


class Tournament:
    """A tournament of players and programs.

    *players* are whatever `Contestant.of` understands: names with options, commands, Python objects,
    functions, classes. With *journal*, a file, what has been played is kept there, and a tournament that
    was interrupted continues where it stopped. *sandbox* says whether programs run isolated.
    """

    def __init__(
        self,
        players: Sequence[Entrant],
        settings: Settings | None = None,
        *,
        journal: str | os.PathLike[str] | None = None,
        sandbox: Sandbox | str = Sandbox.AUTO,
    ) -> None:
        self.settings = settings = settings or Settings()
        self.contestants: dict[str, Contestant] = {}
        for given in players:
            contestant = Contestant.of(given)
            name, number = contestant.name, 2
            while name in self.contestants:
                name, number = f"{contestant.name} #{number}", number + 1
            self.contestants[name] = contestant
        if len(self.contestants) < 2:
            raise OptionError("a match needs at least two players")
        self.names = list(self.contestants)
        openings = random_openings(
            (settings.games + 1) // 2,
            settings.opening_plies,
            settings.seed,
            width=settings.width,
            height=settings.height,
        )
        self.schedule = pairings(couples(self.names, settings.kind), settings.games, openings)
        self.journal = None if journal is None else Path(journal)
        self.sandbox = sandbox
        self.has_programs = any(contestant.command for contestant in self.contestants.values())
        if self.has_programs:
            find_isolation(sandbox)  # complains now if one is required and cannot be had
        self._hidden = [path for contestant in self.contestants.values() for path in contestant.paths()]
        if self.journal:
            self._hidden += [str(self.journal.parent), str(self.journal)]

    def fingerprint(self) -> dict[str, Any]:
        """Return all that the games depend on."""
        players = {name: player.describe() for name, player in self.contestants.items()}
        return {"settings": asdict(self.settings), "players": players}

    def run(
        self,
        *,
        concurrency: int = 1,
        on_game: Callable[[Results], object] = lambda _: None,
        sprt: Sprt | None = None,
    ) -> Results:
        """Play all games that are not in the journal yet, *concurrency* at a time; return all results.

        *on_game* is called after each game. With *sprt* the tournament ends as soon as it is known
        whether the first player is the better one. After an exception, such as a KeyboardInterrupt, it
        returns at once: the journal is closed, and the games under way end with the move under way.
        """
        journal = Journal(self.journal, self.fingerprint()) if self.journal else None
        records = dict(journal.records) if journal else {}
        stopping = threading.Event()
        waiting = [pairing for pairing in self.schedule if pairing.number not in records]
        waiting.reverse()
        running: set[Future[GameRecord | None]] = set()
        pool = ThreadPoolExecutor(max_workers=concurrency)
        try:
            while (waiting or running) and not self._is_decided(records, sprt):
                while waiting and len(running) < concurrency:
                    running.add(pool.submit(self._play, waiting.pop(), stopping.is_set))
                done, running = wait(running, return_when=FIRST_COMPLETED)
                for future in done:
                    record = future.result()
                    if record is not None:
                        records[record.number] = record
                        if journal:
                            journal.append(record)
                on_game(Results(self.names, records.values()))
            stopping.set()
            pool.shutdown()
        finally:
            stopping.set()
            pool.shutdown(wait=False)
            if journal:
                journal.close()
        return Results(self.names, records.values())

    def _play(self, pairing: Pairing, stop: Callable[[], bool]) -> GameRecord | None:
        settings = self.settings
        conditions = Conditions(
            width=settings.width,
            height=settings.height,
            seed=settings.seed,
            move_time_s=settings.move_time_s,
            start_time_s=settings.start_time_s,
            memory_mb=settings.memory_mb,
            sandbox=self.sandbox,
        )
        first, second = self.contestants[pairing.first], self.contestants[pairing.second]
        return play_game(pairing, first, second, conditions, hidden=self._hidden, stop=stop)

    def _is_decided(self, records: dict[int, GameRecord], sprt: Sprt | None) -> bool:
        if sprt is None:
            return False
        scores = Results(self.names, records.values()).pair_scores(self.names[0])
        return sprt.verdict(scores) is not None


class Match(Tournament):
    """A match of two players, programs or Python objects; *settings* are those of `Settings`.

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
        **settings: Unpack[SettingsOptions],
    ) -> None:
        super().__init__([first, second], Settings(**settings), journal=journal, sandbox=sandbox)
