"""A tournament of programs that runs, or has run, for everybody to see: its table and its last games.

It is read from the folder that `fourcast tournament` writes to, and never written. Reading takes the
longer the more games there are, so that it is done when somebody looks, on a thread, at most every two
seconds and for at most a tenth of the time.
"""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass
from pathlib import Path

from fastapi.concurrency import run_in_threadpool
from pydantic import BaseModel, Field

from fourcast.arena.cup import JOURNAL
from fourcast.arena.journal import Kept, read_journal
from fourcast.errors import FourcastError, OptionError

__all__ = ["Cup", "CupView", "open_cup"]

LEAST_PAUSE_S = 2.0
SHARE = 0.1
"""Of the time, that reading may take."""
MOST_BYTES = 256 * 2**20
"""Of a journal: some hundred thousand games."""
MOST_LINES = 500
MOST_GAMES = 100


class CupLine(BaseModel):
    """A player of the tournament."""

    name: str
    elo: float | None = Field(description="None for a player that is out")
    error: float | None = Field(description="half the width of the 95% interval of the rating")
    games: int
    points: float
    wins: int
    draws: int
    losses: int


class CupGame(BaseModel):
    """A game that was played."""

    number: int
    round: int
    first: str
    second: str
    moves: str = Field(description="columns counted from 1")
    width: int
    height: int
    winner: int | None = Field(description="1, 2, or None for a draw")
    detail: str = Field(description="what the loser did, if it was not lost on the board")


class CupView(BaseModel):
    """How a tournament of programs stands."""

    title: str
    is_over: bool
    played: int = Field(description="games so far")
    standings: list[CupLine] = Field(description=f"the best first, at most {MOST_LINES}")
    games: list[CupGame] = Field(description=f"the last {MOST_GAMES}, the last one first")


@dataclass
class Cup:
    """The folder of a tournament, and what was last read of it."""

    path: Path
    _read: bytes = b""
    _stamp: tuple[int, int] = (0, 0)
    _again: float = 0.0
    _turn: asyncio.Lock | None = None

    async def look(self) -> bytes:
        """Return a `CupView` as JSON. Raises `FourcastError` if it cannot be read any more."""
        self._turn = self._turn or asyncio.Lock()
        async with self._turn:
            now = time.monotonic()
            if now >= self._again:
                await run_in_threadpool(self.read)
                took_s = time.monotonic() - now
                self._again = time.monotonic() + max(LEAST_PAUSE_S, took_s / SHARE)
        return self._read

    def read(self) -> None:
        """Read the journal if it has changed."""
        try:
            status = self.path.stat()
            stamp = (status.st_mtime_ns, status.st_size)
            if stamp == self._stamp:
                return
            if status.st_size > MOST_BYTES:
                raise FourcastError("error.cup_size", facts={"most": MOST_BYTES // 2**20})
            self._read = _view(read_journal(self.path), self.path.parent.name).model_dump_json().encode()
        except OSError:
            raise FourcastError("error.no_cup", facts={}) from None
        self._stamp = stamp


def _view(kept: Kept, name: str) -> CupView:
    results = kept.results()
    lines = [CupLine.model_validate(line.to_json()) for line in results.standings()[:MOST_LINES]]
    games = [
        CupGame.model_validate(vars(record) | {"winner": record.outcome.winner})
        for record in reversed(results.records[-MOST_GAMES:])
    ]
    return CupView(
        title=str(kept.settings.get("title") or name),
        is_over=kept.is_over,
        played=len(results.records),
        standings=lines,
        games=games,
    )


def open_cup(folder: str) -> Cup:
    """Return the tournament in *folder*. Raises `OptionError` if there is none that can be read."""
    path = Path(folder).resolve() / JOURNAL
    if not path.is_file():
        raise OptionError(f"'{folder}' has no tournament: give the folder of fourcast tournament --out")
    cup = Cup(path)
    cup.read()
    return cup
