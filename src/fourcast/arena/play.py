"""One game of two contestants."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from datetime import datetime, timezone
from typing import Any

from fourcast._core import Position
from fourcast.arena.contestant import Contestant
from fourcast.arena.schedule import Pairing
from fourcast.errors import ForfeitError, FourcastError
from fourcast.game import Game, Outcome
from fourcast.players import Player
from fourcast.protocol.program import Forfeit, ProgramPlayer


@dataclass(frozen=True)
class GameRecord:
    """A game that was played, as the journal keeps it."""

    number: int
    first: str
    second: str
    opening: str
    moves: str
    """All moves, those of the opening too."""
    result: str
    """As `str(Outcome)` writes it."""
    times_s: tuple[float, ...]
    """How long each move after the opening took."""
    started: str
    width: int = 7
    height: int = 6
    detail: str = ""
    """What a program did that lost it the game, in words."""

    @property
    def outcome(self) -> Outcome:
        """How it ended."""
        return Outcome.parse(self.result)

    @property
    def winner(self) -> str | None:
        """The name of the winner, None for a draw."""
        return {1: self.first, 2: self.second, None: None}[self.outcome.winner]

    def score(self, name: str) -> float:
        """1, 1/2 or 0, for one of the players."""
        return 0.5 if self.winner is None else float(self.winner == name)

    @property
    def forfeit(self) -> str:
        """What the loser did that lost it the game; empty if it was lost on the board."""
        return self.outcome.reason

    def game(self) -> Game:
        """Return it as a game, to be saved as a game file."""
        game = Game(
            width=self.width,
            height=self.height,
            first=_name_for_file(self.first),
            second=_name_for_file(self.second),
            started=datetime.fromisoformat(self.started),
        )
        stamp_s, times = 0.0, iter(self.times_s)
        for index, column in enumerate(Game(self.moves, width=self.width, height=self.height).columns):
            if index >= len(self.opening):
                stamp_s = round(stamp_s + next(times), 4)
            game.play(column, stamp_s=stamp_s)
        game.end(self.outcome)
        return game

    def to_json(self) -> dict[str, Any]:
        """Return it as a JSON object."""
        return asdict(self)

    @classmethod
    def from_json(cls, content: dict[str, Any]) -> GameRecord:
        """Return the game of a JSON object."""
        return cls(**content | {"times_s": tuple(content["times_s"])})


def _name_for_file(name: str) -> str:
    visible = "".join(c if c.isprintable() else " " for c in name).strip()
    return visible if len(visible) <= 100 else visible[:97] + "..."


def play_game(
    pairing: Pairing,
    first: Contestant,
    second: Contestant,
    *,
    width: int = 7,
    height: int = 6,
    seed: int = 0,
    move_time_s: float | None = None,
    start_time_s: float = 5.0,
    memory_mb: int = 1024,
    stop: Callable[[], bool] = lambda: False,
) -> GameRecord | None:
    """Play a game and return the record; None if *stop* said so in the middle of it.

    Whatever a player does, it costs that player the game and nobody else anything. The same *seed* and
    pairing give the same game, as far as it is up to players of ours without a limit of time.
    """
    started = datetime.now(timezone.utc).replace(microsecond=0)
    position = Position(pairing.opening, width=width, height=height)
    game = Game(pairing.opening, width=width, height=height)
    times_s: list[float] = []
    detail = ""
    with ExitStack() as stack:
        players: list[Player] = []
        for side, contestant in enumerate((first, second)):
            chance = random.Random(f"{seed}/{pairing.number}/{side}")
            made = contestant.make(
                seed=chance.randrange(2**31),
                move_time_s=move_time_s,
                start_time_s=start_time_s,
                memory_mb=memory_mb,
            )
            if isinstance(made, ProgramPlayer):
                stack.enter_context(made)
            players.append(made)
        while not game.is_over:
            if stop():
                return None
            begin = time.perf_counter()
            try:
                game.play(players[game.position.turn - 1].choose(game.position))
            except ForfeitError as error:
                detail = str(error)
                game.forfeit(reason=error.kind)
            except (FourcastError, TypeError) as error:  # a player in this process that errs
                detail = f"{Forfeit.ILLEGAL_MOVE.value}: {error}"
                game.forfeit(reason=Forfeit.ILLEGAL_MOVE.value)
            except Exception as error:
                detail = f"{Forfeit.CRASH.value}: {error!r}"
                game.forfeit(reason=Forfeit.CRASH.value)
            else:
                times_s.append(round(time.perf_counter() - begin, 6))
        position = game.position
    return GameRecord(
        number=pairing.number,
        first=pairing.first,
        second=pairing.second,
        opening=pairing.opening,
        moves=game.moves,
        result=str(game.result),
        times_s=tuple(times_s),
        started=started.isoformat(),
        width=position.width,
        height=position.height,
        detail=detail[:500],
    )
