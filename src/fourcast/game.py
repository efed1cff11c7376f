"""A game: its moves and result, its players and times; with undo and redo, saved and loaded.

>>> game = Game("44455", first="Ada", second="Grace")
>>> game.play(4)
>>> game.undo(), game.moves, game.redo()
(4, '44455', 4)
>>> game.resign()
>>> print(game.result)
second wins, resignation

`docs/game-files.md` describes the files.
"""

from __future__ import annotations

import copy
import enum
import math
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

from fourcast import _core
from fourcast._core import Position, Rules
from fourcast.errors import FourcastError, GameFileError, IllegalMoveError, OptionError, require
from fourcast.files import MAX_FILE, read_text, replace_file
from fourcast.notation import format_rows, parse_moves, play_moves, quote

__all__ = ["Game", "Outcome", "Termination"]


class Termination(enum.Enum):
    """Why a game is over. The board shows the first two, and in PopOut the game itself the last."""

    FOUR = "four in a row"
    FULL_BOARD = "full board"
    RESIGNATION = "resignation"
    AGREEMENT = "agreement"
    FORFEIT = "forfeit"
    TIME = "out of time"
    ABANDONED = "abandoned"
    REPETITION = "repetition"


_ON_BOARD = (Termination.FOUR, Termination.FULL_BOARD, Termination.REPETITION)


@dataclass(frozen=True)
class Outcome:
    """Who won, 1, 2 or None for a draw, and why; for a forfeit also what the loser did, if known.

    >>> str(Outcome(1, Termination.FORFEIT, "too late"))
    'first wins, forfeit: too late'
    """

    winner: int | None
    termination: Termination
    reason: str = ""

    def __post_init__(self) -> None:
        require("termination", self.termination, Termination)
        _checked_name(self.reason, "error.forfeit_reason")
        str(self)  # the core refuses an end that is none

    def __str__(self) -> str:
        text: str = _core.ask("outcome.write", self.to_json())
        return text

    @classmethod
    def parse(cls, text: str) -> Outcome:
        """Return the outcome that `str` wrote.

        >>> Outcome.parse("draw, full board").winner is None
        True
        """
        return cls.from_json(_core.ask("outcome.read", text))

    def to_json(self) -> dict[str, Any]:
        """Return the outcome as JSON types; `from_json` reads it back."""
        return {"winner": self.winner, "termination": self.termination.value, "reason": self.reason}

    @classmethod
    def from_json(cls, value: dict[str, Any]) -> Outcome:
        """Return the outcome that `to_json` gave."""
        return cls(value["winner"], Termination(value["termination"]), value.get("reason", ""))


class Game:
    """A game of two players, from its first move on.

    *moves* is a move string (1-based) or columns (0-based ints). *start* is the position it starts from
    in place of an empty board of *width* and *height*, played by *rules*. *started* is a moment with a
    time zone.

    Moves that were taken back stay to be played again, and are saved with the game, until a different
    column is played. Games are equal if all of this is.

    >>> game = Game("4453")
    >>> game.columns, game.position.turn, game.result
    ((3, 3, 4, 2), 1, None)
    >>> print(game)
    . . . . . . .
    . . . . . . .
    . . . . . . .
    . . . . . . .
    . . . O . . .
    . . O X X . .
    """

    def __init__(
        self,
        moves: str | Iterable[int] = "",
        *,
        width: int | None = None,
        height: int | None = None,
        rules: Rules | str | None = None,
        start: Position | str | None = None,
        first: str = "",
        second: str = "",
        started: datetime | None = None,
    ) -> None:
        if start is None or isinstance(start, str):
            size = (7 if width is None else width, 6 if height is None else height)
            start = Position(start or "", width=size[0], height=size[1], rules=rules)
        elif not isinstance(start, Position):
            raise TypeError(f"start must be a Position or a str of moves, not {type(start).__name__}")
        elif rules not in (None, start.rules, str(start.rules)):
            raise OptionError(f"the rules {rules} are not those of the start: {start.rules!r}")
        elif width not in (None, start.width) or height not in (None, start.height):
            raise OptionError(
                f"width {quote(width)} and height {quote(height)} are not those of the start, "
                f"which is {start.width}x{start.height}"
            )
        self.first = first
        self.second = second
        self.started = started
        self._positions = [start]
        self._moves: list[tuple[int, float | None]] = []
        self._undone: list[tuple[int, float | None]] = []  # the next to be played again is the last
        self._recorded: Outcome | None = None
        if isinstance(moves, str):
            self._add(play_moves(start, moves))
        elif isinstance(moves, Iterable):
            self.play(*moves)
        else:
            raise TypeError(f"moves must be a str or columns, not {type(moves).__name__}")

    # What is known

    @property
    def first(self) -> str:
        """The name of the player who starts, empty if unknown: up to 100 characters, one line."""
        return self._first

    @first.setter
    def first(self, name: str) -> None:
        self._first = _checked_name(name)

    @property
    def second(self) -> str:
        """The name of the other player, likewise."""
        return self._second

    @second.setter
    def second(self, name: str) -> None:
        self._second = _checked_name(name)

    @property
    def started(self) -> datetime | None:
        """When the game started, in UTC."""
        return self._started

    @started.setter
    def started(self, moment: datetime | None) -> None:
        if moment is not None:
            if not isinstance(moment, datetime):
                raise TypeError(f"started must be a datetime, not {type(moment).__name__}")
            if moment.tzinfo is None:
                raise OptionError(f"the time {quote(moment.isoformat())} needs a time zone")
            try:
                moment = moment.astimezone(timezone.utc)
            except OverflowError:
                raise OptionError(f"the time {quote(moment.isoformat())} is out of range") from None
        self._started = moment

    @property
    def start(self) -> Position:
        """The position before the first move."""
        return self._positions[0]

    @property
    def position(self) -> Position:
        """The position now."""
        return self._positions[-1]

    def positions(self) -> Iterator[Position]:
        """All positions from `start` to `position`: one more than there are moves."""
        return iter(tuple(self._positions))

    @property
    def moves(self) -> str:
        """The move string, 1-based."""
        return "".join(map(self.start.move_name, self.columns))

    @property
    def columns(self) -> tuple[int, ...]:
        """The columns played, 0-based."""
        return tuple([column for column, _ in self._moves])

    @property
    def stamps_s(self) -> tuple[float | None, ...]:
        """For each move when it was made, in seconds after `started`, or None if that is unknown."""
        return tuple(stamp for _, stamp in self._moves)

    @property
    def undone(self) -> tuple[int, ...]:
        """The columns taken back, in the order in which `redo` would play them."""
        return tuple(column for column, _ in reversed(self._undone))

    @property
    def undone_stamps_s(self) -> tuple[float | None, ...]:
        """The time stamps of `undone`."""
        return tuple(stamp for _, stamp in reversed(self._undone))

    @property
    def result(self) -> Outcome | None:
        """How the game ended; None while it goes on."""
        if self.position.winner:
            return Outcome(self.position.winner, Termination.FOUR)
        if self.position.is_draw:
            return Outcome(None, Termination.FULL_BOARD)
        if self.position.rules.pop and self._positions.count(self.position) > 1:
            return Outcome(None, Termination.REPETITION)
        return self._recorded

    @property
    def is_over(self) -> bool:
        """Whether the game has ended, on the board or otherwise."""
        return self.result is not None

    def copy(self) -> Game:
        """Return an independent copy.

        >>> game = Game("44")
        >>> game.copy().play(0)
        >>> game.moves
        '44'
        """
        game = copy.copy(self)
        game._positions, game._moves = self._positions.copy(), self._moves.copy()
        game._undone = self._undone.copy()
        return game

    # What happens

    def play(self, *columns: int, stamp_s: float | None = None) -> None:
        """Play the columns, all or none of them.

        Raises `IllegalMoveError` for a full column or a finished game. Moves that were taken back are
        forgotten as soon as a different column is played.
        """
        stamp_s = _check_stamp(stamp_s)
        over = self._recorded or (self.result if self.position.rules.pop else None)
        if columns and over:
            raise IllegalMoveError(
                f"the game is over: {over}",
                column=columns[0],
                reason="finished",
                ply=self.position.ply,
            )
        steps: list[tuple[int, Position]] = []
        position = self.position
        for column in columns:
            position = position.play(column)
            steps.append((int(column), position))
        self._add(steps, stamp_s)

    def _add(self, steps: Iterable[tuple[int, Position]], stamp_s: float | None = None) -> None:
        """Add moves that have been played, each with the position that it led to."""
        for column, position in steps:
            if self._undone and self._undone.pop()[0] != column:
                self._undone.clear()
            self._moves.append((column, stamp_s))
            self._positions.append(position)

    def undo(self) -> int:
        """Take back the last move, with a resignation or the like after it; return its column."""
        if not self._moves:
            raise IllegalMoveError("there is no move to take back")
        move = self._moves.pop()
        self._positions.pop()
        self._undone.append(move)
        self._recorded = None
        return move[0]

    def redo(self) -> int:
        """Play again the move that was taken back last; return its column."""
        if not self._undone:
            raise IllegalMoveError("there is no move to play again")
        column, stamp_s = self._undone[-1]
        self.play(column, stamp_s=stamp_s)
        return column

    def resign(self, player: int | None = None) -> None:
        """Record that *player*, by default the one to move, gave up."""
        self.end(Outcome(3 - self._side(player), Termination.RESIGNATION))

    def agree_draw(self) -> None:
        """Record that the players agreed on a draw."""
        self.end(Outcome(None, Termination.AGREEMENT))

    def forfeit(self, player: int | None = None, reason: str = "") -> None:
        """Record that *player*, by default the one to move, lost by breaking the rules of the match."""
        self.end(Outcome(3 - self._side(player), Termination.FORFEIT, reason))

    def end(self, outcome: Outcome) -> None:
        """Record an outcome that the board does not show; check one that it shows.

        Raises `IllegalMoveError` if the game has ended otherwise, or the board shows no such end.
        """
        require("outcome", outcome, Outcome)
        if self.result is None and outcome.termination not in _ON_BOARD:
            self._recorded = outcome
        elif self.result != outcome:
            now = f"the game is over: {self.result}" if self.result else "the game goes on"
            raise IllegalMoveError(f"the result cannot be {str(outcome)!r}: {now}")

    def _side(self, player: int | None) -> int:
        if player is not None and (not isinstance(player, int) or player not in (1, 2)):
            raise OptionError(f"player must be 1 or 2, not {quote(player)}")
        return player or self.position.turn

    # How it looks

    def __str__(self) -> str:
        return str(self.position)

    def _repr_svg_(self) -> str:
        """The board as notebooks show it."""
        return _core.draw("game_svg", self)

    def __repr__(self) -> str:
        arguments = [repr(self.moves)]
        if self.start.ply:
            arguments.append(f"start={self.start!r}")
        elif (self.start.width, self.start.height) != (7, 6):
            arguments.append(f"width={self.start.width}, height={self.start.height}")
        if not self.start.ply and not self.start.rules.is_standard:
            arguments.append(f"rules={self.start.rules!r}")
        arguments += [f"{key}={name!r}" for key in ("first", "second") if (name := getattr(self, key))]
        return f"Game({', '.join(arguments)})"

    def _content(self) -> tuple[object, ...]:
        return (
            self.start,
            self._moves,
            self._undone,
            self._recorded,
            self.first,
            self.second,
            self.started,
        )

    def __eq__(self, other: object) -> bool:
        return self._content() == other._content() if isinstance(other, Game) else NotImplemented

    __hash__ = None  # type: ignore[assignment]  # a game changes

    # Files and texts, which the core writes and reads

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the game to a file: JSON if its name ends in `.json`, else text.

        What was in the file before stays whole until all of the new is on the disk. Raises OSError if
        that fails, and `GameFileError` if *path* is there and not a file.
        """
        require("path", path, str, os.PathLike)
        target = Path(os.path.realpath(path))
        if target.exists() and not target.is_file():
            raise GameFileError(f"{str(path)!r} is not a file that a game can be saved to")
        text = self.to_json() if target.suffix.lower() == ".json" else self.to_text()
        replace_file(target, text.encode())

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Game:
        """Read a game from a file of either format, whatever its name.

        Raises `GameFileError` with the line that is wrong, and OSError if the file cannot be read.
        """
        text = read_text(path)
        with in_file(path):
            return cls.from_json(text) if text.lstrip().startswith("{") else cls.from_text(text)

    def to_text(self) -> str:
        """Return the game as a text with headers, for people.

        >>> print(Game("44455", first="Ada").to_text(), end="")
        Format: fourcast 1
        First: Ada
        Board: 7x6
        <BLANKLINE>
        1. 4 4
        2. 4 5
        3. 5
        """
        return _text_of_game(self, "text")

    @classmethod
    def from_text(cls, text: str) -> Game:
        """Return the game of a text with headers. Raises `GameFileError` with the line that is wrong.

        >>> Game.from_text("44 45 5  # plain moves will do").moves
        '44455'
        """
        return game_of_text(text, kind="text")

    def to_json(self) -> str:
        """Return the game as JSON, for programs."""
        return _text_of_game(self, "json")

    @classmethod
    def from_json(cls, text: str) -> Game:
        """Return the game of a JSON text; keys may be left out. Raises `GameFileError`.

        >>> Game.from_json(Game("4455").to_json()) == Game("4455")
        True
        """
        return game_of_text(text, kind="json")


@contextmanager
def in_file(path: str | os.PathLike[str]) -> Iterator[None]:
    """Name the file in every error about what is in it."""
    try:
        yield
    except FourcastError as error:
        raise GameFileError("error.at", facts={"where": repr(str(path)), "why": error.said}) from None


def game_of_text(text: str, *, kind: str | None = None, width: int = 7, height: int = 6) -> Game:
    """Return the game that the core reads in a text: of this kind, or of any that `recognize` knows."""
    require("text", text, str)
    if len(text) > MAX_FILE:  # none that long is handed over
        raise GameFileError(f"too long for a game file: the limit is {MAX_FILE} characters")
    said = _core.ask("game.read", {"text": text, "as": kind, "width": width, "height": height})
    started = said["started"].replace("Z", "+00:00")
    game = Game(
        start=Position.from_rows(said["start"]) if said["start"] else None,
        width=said["width"],
        height=said["height"],
        rules=Rules.parse(said["rules"]),
        first=said["first"],
        second=said["second"],
        started=datetime.fromisoformat(started) if started else None,
    )
    columns = parse_moves(said["moves"] + said["undone"], said["width"], game.start.rules.pop)
    stamps_s = said["stamps_s"] + said["undone_stamps_s"]
    for column, stamp_s in zip(columns, stamps_s, strict=True):
        game.play(column, stamp_s=stamp_s)
    for _ in said["undone_stamps_s"]:
        game.undo()
    if said["result"]:
        game.end(Outcome.from_json(said["result"]))
    return game


def _text_of_game(game: Game, kind: str) -> str:
    said = {
        "first": game.first,
        "second": game.second,
        "start": format_rows(game.start) if game.start.ply else "",
        "width": game.start.width,
        "height": game.start.height,
        "rules": str(game.start.rules),
        "started": game.started.isoformat().replace("+00:00", "Z") if game.started else "",
        "moves": game.moves,
        "stamps_s": game.stamps_s,
        "undone": "".join(map(game.start.move_name, game.undone)),
        "undone_stamps_s": game.undone_stamps_s,
        "result": game.result.to_json() if game.result else None,
    }
    written: str = _core.ask("game.write", {"game": said, "as": kind})
    return written


def _checked_name(name: str, code: str = "error.player_name") -> str:
    """Return *name* if it is one printable line; *code* is that of what it names."""
    if not isinstance(name, str):
        raise TypeError(f"{FourcastError(code, facts={})} must be a str, not {type(name).__name__}")
    _core.check_name(name, code)
    return name


def _check_stamp(stamp_s: float | None) -> float | None:
    if stamp_s is None:
        return None
    try:
        seconds = float(stamp_s) if hasattr(stamp_s, "__float__") else math.nan
    except OverflowError:
        seconds = math.inf
    if isinstance(stamp_s, bool) or not 0 <= seconds < math.inf:
        raise OptionError(f"{quote(stamp_s)} is not a time stamp: seconds, 0 or more")
    return seconds + 0.0  # no -0.0, which would not be read as it is written
