"""Matches and tournaments: playing what the schedule says, several games at once, and going on later."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from fourcast._core import Position
from fourcast.arena.contestant import Contestant
from fourcast.arena.journal import Journal
from fourcast.arena.play import GameRecord, play_game
from fourcast.arena.ratings import Sprt
from fourcast.arena.results import Results
from fourcast.arena.schedule import couples, pairings, random_openings
from fourcast.errors import OptionError


@dataclass(frozen=True)
class Settings:
    """What holds for all games of a tournament."""

    games: int = 20
    """Of each pair."""
    kind: str = "round-robin"
    opening_plies: int = 4
    """Random moves before the players begin; each opening is played with both colours."""
    seed: int = 0
    width: int = 7
    height: int = 6
    move_time_s: float | None = None
    """Of a program 5 seconds if it is None; players of ours then think as long as they like."""
    start_time_s: float = 5.0
    """That a program has for its first move besides."""
    memory_mb: int = 1024
    """That a program may use."""

    def __post_init__(self) -> None:
        Position(width=self.width, height=self.height)
        for name, least in (("games", 1), ("opening_plies", 0), ("memory_mb", 16)):
            value = getattr(self, name)
            if type(value) is not int or value < least:
                raise OptionError(f"{name} must be a number from {least} on, not {value!r}")
        for name in ("move_time_s", "start_time_s"):
            value = getattr(self, name)
            if value is not None and not (isinstance(value, (int, float)) and value > 0):
                raise OptionError(f"{name} must be more than 0 seconds, not {value!r}")


class Tournament:
    """A tournament of players and programs.

    *players* are Contestants, or texts that `Contestant.parse` understands. With *journal*, a file, what
    has been played is kept there, and a tournament that was broken off goes on where it was.
    """

    def __init__(
        self,
        players: Sequence[str | Contestant],
        settings: Settings | None = None,
        *,
        journal: str | os.PathLike[str] | None = None,
    ) -> None:
        self.settings = settings = settings or Settings()
        self.contestants: dict[str, Contestant] = {}
        for given in players:
            contestant = Contestant.parse(given) if isinstance(given, str) else given
            name, number = contestant.name, 2
            while name in self.contestants:
                name, number = f"{contestant.name} #{number}", number + 1
            self.contestants[name] = contestant
        if len(self.contestants) < 2:
            raise OptionError("it takes two players at least")
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

    def fingerprint(self) -> dict[str, Any]:
        """Return all that the games depend on."""
        players = {name: asdict(player) for name, player in self.contestants.items()}
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
                    pairing = waiting.pop()
                    running.add(
                        pool.submit(
                            play_game,
                            pairing,
                            self.contestants[pairing.first],
                            self.contestants[pairing.second],
                            stop=stopping.is_set,
                            **self._game_settings(),
                        )
                    )
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

    def _game_settings(self) -> dict[str, Any]:
        keys = ("width", "height", "seed", "move_time_s", "start_time_s", "memory_mb")
        return {key: getattr(self.settings, key) for key in keys}

    def _is_decided(self, records: dict[int, GameRecord], sprt: Sprt | None) -> bool:
        if sprt is None:
            return False
        scores = Results(self.names, records.values()).pair_scores(self.names[0])
        return sprt.verdict(scores) is not None


class Match(Tournament):
    """A match of two players or programs."""

    def __init__(
        self,
        first: str | Contestant,
        second: str | Contestant,
        *,
        journal: str | os.PathLike[str] | None = None,
        **settings: Any,
    ) -> None:
        super().__init__([first, second], Settings(**settings), journal=journal)
