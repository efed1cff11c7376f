"""The entries of the ledger, one JSON object a line, and the games that they make up.

    {"event": "move", "game": 1, "ply": 0, "column": 3, "player": "ada", "bot": null, "issue": 12,
     "time": "2026-11-15T21:00:00Z", "key": 2113536}
    {"event": "new", "game": 2, "player": "ada", "issue": 31, "time": "2026-11-16T09:30:00Z"}

`ply` is the number of discs before the move, `column` counts from 0, `key` is `Position.key` after the
move and reveals a damaged line. `bot` is the player that chose the column if `player` asked the bot
to move. The first game needs no `new`.
"""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import asdict, dataclass, field, replace

from fourcast._core import Position
from fourcast.community.times import parse_time
from fourcast.errors import CommunityError, IllegalMoveError
from fourcast.game import Game
from fourcast.notation import load_json, quote

__all__ = ["Entry", "Move", "NewGame", "PlayedGame", "format_entry", "parse_entry"]


@dataclass(frozen=True)
class Move:
    """A disc dropped by *player*, or by *bot* at the request of *player*."""

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
        """The side that moved: 1 or 2."""
        return 1 + self.ply % 2

    @property
    def mover(self) -> str:
        """The person or bot that chose the column. Only the name of a bot has a space in it."""
        return f"bot {self.bot}" if self.bot else self.player


@dataclass(frozen=True)
class NewGame:
    """A game started by *player*; the one before may be unfinished."""

    game: int
    player: str
    issue: int
    time: str


Entry = Move | NewGame

_KINDS: dict[object, type[Move] | type[NewGame]] = {"move": Move, "new": NewGame}
_TYPES: dict[str, tuple[type, ...]] = {
    "game": (int,), "ply": (int,), "column": (int,), "player": (str,), "bot": (str, type(None)),
    "issue": (int,), "time": (str,), "key": (int,),
}  # fmt: skip


def format_entry(entry: Entry) -> str:
    """Return an entry as a line, without its end."""
    event = "move" if isinstance(entry, Move) else "new"
    return json.dumps({"event": event, **asdict(entry)})


def parse_entry(line: str) -> Entry:
    """Return the entry of a line. Raises a `FourcastError` that says what is wrong."""
    content = load_json(line)
    event = content.get("event") if isinstance(content, dict) else None
    kind = _KINDS.get(event) if isinstance(event, str) else None
    if kind is None or not isinstance(content, dict):
        raise CommunityError(f"{quote(line)} is neither a move nor a new game")
    names = list(kind.__dataclass_fields__)
    for name in names:
        value = content.get(name)
        # The exact type: to `isinstance`, True is a number.
        is_right = name in content and type(value) in _TYPES[name]
        if not is_right or (isinstance(value, int) and not 0 <= value < 2**63):
            raise CommunityError(f"{name} is {quote(value)} in {quote(line)}")
    entry = kind(**{name: content[name] for name in names})
    parse_time(entry.time)
    return entry


@dataclass
class PlayedGame:
    """One game of the ledger, finished or not. *lines* are its entries as they stand in the file."""

    number: int
    start: NewGame | None = None
    moves: list[Move] = field(default_factory=list)
    position: Position = field(default_factory=Position)
    lines: list[str] = field(default_factory=list)

    def copy(self) -> PlayedGame:
        """Return an independent copy."""
        return replace(self, moves=list(self.moves), lines=list(self.lines))

    def play(self, move: Move, line: str) -> None:
        """Add a move, which must fit the position."""
        if (move.game, move.ply) != (self.number, self.position.ply):
            raise CommunityError(
                f"a move in game {move.game} with {move.ply} discs, but it is game "
                f"{self.number} with {self.position.ply} discs"
            )
        try:
            position = self.position.play(move.column)
        except (IllegalMoveError, OverflowError):
            raise CommunityError(f"column {move.column}, counted from 0, cannot be played") from None
        if position.key != move.key:
            raise CommunityError(f"the key of the position is {position.key}, not {move.key}")
        self.position = position
        self.moves.append(move)
        self.lines.append(line)

    @property
    def entries(self) -> list[Entry]:
        """Its start, if that is in the ledger, and its moves."""
        return [*([self.start] if self.start else []), *self.moves]

    @property
    def last_column(self) -> int | None:
        """The column of the last move."""
        return self.moves[-1].column if self.moves else None

    @property
    def winning_mover(self) -> str | None:
        """The person or bot that made the winning move, if there was one."""
        return self.moves[-1].mover if self.position.winner else None

    def players(self, side: int) -> list[str]:
        """The movers of a side, the busiest first. A bot counts, the person who asked it does not."""
        counts = Counter(move.mover for move in self.moves if move.side == side)
        return [name for name, _ in counts.most_common()]

    def to_game(self, first: str, second: str) -> Game:
        """Return the game with its times, to be reviewed and saved."""
        started = parse_time(self.moves[0].time) if self.moves else None
        game = Game(first=first, second=second, started=started)
        for move in self.moves:
            # Issues may be opened in one order and played in another: time does not run backwards.
            elapsed_s = (parse_time(move.time) - started).total_seconds() if started else 0.0
            game.play(move.column, stamp_s=max(elapsed_s, 0.0))
        return game

    def to_text(self) -> str:
        """Return its lines as a file."""
        return "".join(f"{line}\n" for line in self.lines)
