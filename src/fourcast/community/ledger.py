"""The ledger: every move ever played, one JSON object a line, only ever appended to.

    {"event": "move", "game": 1, "ply": 0, "column": 3, "player": "ada", "bot": null, "issue": 12,
     "time": "2026-11-15T21:00:00Z", "key": 2113536}
    {"event": "new", "game": 2, "player": "ada", "issue": 31, "time": "2026-11-16T09:30:00Z"}

`ply` is the number of stones before the move, `column` counts from 0, `key` is `Position.key` after the
move, by which a damaged ledger is found out. `bot` is the player that chose the column, if `player` had
asked for one. The first game needs no `new`.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from datetime import datetime, timezone

from fourcast._core import Position
from fourcast.errors import CommunityError, FourcastError
from fourcast.game import Game, Outcome
from fourcast.notation import load_json, quote

__all__ = ["Entry", "Ledger", "Move", "NewGame", "PlayedGame"]


@dataclass(frozen=True)
class Move:
    """A stone dropped at the wish of *player*, by *bot* if that is not None."""

    game: int
    ply: int
    column: int
    player: str
    bot: str | None
    issue: int
    time: str
    key: int

    @property
    def side(self) -> int:
        """Whose stone it is: 1 or 2."""
        return 1 + self.ply % 2

    @property
    def mover(self) -> str:
        """Who chose the column. A bot's name has a space in it, as no person's has."""
        return f"bot {self.bot}" if self.bot else self.player


@dataclass(frozen=True)
class NewGame:
    """A game that *player* started; the one before may have been unfinished."""

    game: int
    player: str
    issue: int
    time: str


Entry = Move | NewGame

_KINDS: dict[str, type[Move] | type[NewGame]] = {"move": Move, "new": NewGame}
_TYPES = {
    "game": int, "ply": int, "column": int, "player": str, "bot": (str, type(None)), "issue": int,
    "time": str, "key": int,
}  # fmt: skip


@dataclass
class PlayedGame:
    """One game of the ledger, finished or not."""

    number: int
    moves: list[Move] = field(default_factory=list)
    position: Position = field(default_factory=Position)

    @property
    def columns(self) -> list[int]:
        """The columns played, from 0."""
        return [move.column for move in self.moves]

    def players(self, side: int) -> list[str]:
        """Who moved for a side, the busiest first; who asked a bot does not count, the bot does."""
        counts = Counter(move.mover for move in self.moves if move.side == side)
        return [name for name, _ in counts.most_common()]

    def to_game(self, first: str, second: str) -> Game:
        """Return the game with its times, to be reviewed and saved."""
        started = _moment(self.moves[0].time) if self.moves else None
        game = Game(first=first, second=second, started=started)
        for move in self.moves:
            # Issues may be opened in one order and played in another: time does not run backwards.
            elapsed_s = (_moment(move.time) - started).total_seconds() if started else 0.0
            game.play(move.column, stamp_s=max(elapsed_s, 0.0))
        return game

    @property
    def result(self) -> Outcome | None:
        """How it ended, if it did."""
        return Game(self.columns).result


class Ledger:
    """All entries, with the games that follow from them.

    >>> ledger = Ledger()
    >>> ledger.append(Move(1, 0, 3, "ada", None, 12, "2026-11-15T21:00:00Z", Position("4").key))
    >>> ledger.current.position.ply, Ledger.parse(ledger.to_text()).entries == ledger.entries
    (1, True)
    """

    def __init__(self, entries: Iterable[Entry] = ()) -> None:
        self.entries: list[Entry] = []
        self.games = [PlayedGame(1)]
        self._issues: dict[int, Entry] = {}
        for entry in entries:
            self.append(entry)

    @classmethod
    def parse(cls, text: str) -> Ledger:
        """Return the ledger of a text. Raises `CommunityError` with the line that does not fit."""
        ledger = cls()
        for number, line in enumerate(text.splitlines(), start=1):
            try:
                ledger.append(_entry(line))
            except FourcastError as error:  # noqa: PERF203  # the line is what it is about
                raise CommunityError(f"line {number} of the ledger: {error}") from None
        return ledger

    def to_text(self) -> str:
        """Return what `parse` reads."""
        return "".join(format_entry(entry) for entry in self.entries)

    def append(self, entry: Entry) -> None:
        """Add an entry, which must follow from those before it."""
        if entry.issue in self._issues:
            raise CommunityError(f"issue {entry.issue} is there twice")
        if isinstance(entry, Move):
            self._append_move(entry)
        elif entry.game != self.current.number + 1:
            raise CommunityError(f"game {entry.game} cannot follow game {self.current.number}")
        else:
            self.games.append(PlayedGame(entry.game))
        self.entries.append(entry)
        self._issues[entry.issue] = entry

    def _append_move(self, move: Move) -> None:
        game = self.current
        if (move.game, move.ply) != (game.number, game.position.ply):
            expected = f"game {game.number} with {game.position.ply} stones"
            raise CommunityError(
                f"a move in game {move.game} with {move.ply} stones, but it is {expected}"
            )
        position = game.position.play(move.column)
        if position.key != move.key:
            raise CommunityError(f"the position's key is {position.key}, not {move.key}")
        game.position = position
        game.moves.append(move)

    # What is asked of it

    @property
    def current(self) -> PlayedGame:
        """The game that is played, or was played last."""
        return self.games[-1]

    def of_issue(self, issue: int) -> Entry | None:
        """Return what an issue did, or None if it did nothing."""
        return self._issues.get(issue)

    def last_of(self, player: str) -> Entry | None:
        """Return the last thing that a person did."""
        return next((entry for entry in reversed(self.entries) if entry.player == player), None)

    @property
    def moves(self) -> list[Move]:
        """All moves of all games."""
        return [entry for entry in self.entries if isinstance(entry, Move)]

    @property
    def finished(self) -> list[PlayedGame]:
        """The games that were played to their end."""
        return [game for game in self.games if game.position.is_over]

    @property
    def people(self) -> set[str]:
        """Everybody who has moved or asked the bot to."""
        return {move.player for move in self.moves}

    def winning_moves(self) -> list[tuple[str, int]]:
        """Who made how many winning moves, the most first."""
        last = [game.moves[-1] for game in self.games if game.position.winner]
        return Counter(move.mover for move in last).most_common()


def format_entry(entry: Entry) -> str:
    """Return the line of an entry."""
    event = "move" if isinstance(entry, Move) else "new"
    return json.dumps({"event": event, **asdict(entry)}) + "\n"


def _entry(line: str) -> Entry:
    content = load_json(line)
    kind = _KINDS.get(str(content.get("event"))) if isinstance(content, dict) else None
    if kind is None or not isinstance(content, dict):
        raise CommunityError(f"{quote(line)} is neither a move nor a new game")
    names = list(kind.__dataclass_fields__)
    for name in names:
        if name not in content or not isinstance(content[name], _TYPES[name]):  # type: ignore[arg-type]
            raise CommunityError(f"{name} is {quote(content.get(name))} in {quote(line)}")
    entry = kind(**{name: content[name] for name in names})
    _moment(entry.time)
    return entry


def _moment(text: str) -> datetime:
    try:
        return datetime.strptime(text, "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=timezone.utc)
    except ValueError:
        raise CommunityError(f"{quote(text)} is not a time such as 2026-11-15T21:00:00Z") from None
