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

import enum
import math
import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime, timezone
from importlib import import_module

from fourcast._core import Position
from fourcast.errors import FourcastError, IllegalMoveError, InvalidNotationError, OptionError
from fourcast.notation import format_moves, play_moves, quote

__all__ = ["Game", "Outcome", "Termination"]

MAX_NAME = 100
"""Characters of the longest name or reason."""

_DRAWN = "draw"
_WON = {1: "first wins", 2: "second wins"}


class Termination(enum.Enum):
    """Why a game is over. The board shows the first two; the others are recorded in the game."""

    FOUR = "four in a row"
    FULL_BOARD = "full board"
    RESIGNATION = "resignation"
    AGREEMENT = "agreement"
    FORFEIT = "forfeit"


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
        is_draw = self.termination in (Termination.FULL_BOARD, Termination.AGREEMENT)
        if self.winner not in ((None,) if is_draw else (1, 2)):
            raise OptionError(f"{self.termination.value} does not go with winner {quote(self.winner)}")
        if self.reason and self.termination is not Termination.FORFEIT:
            raise OptionError(f"only a forfeit has a reason, not a {self.termination.value}")
        _check_name(self.reason, "error.forfeit_reason")

    def __str__(self) -> str:
        who = _WON[self.winner] if self.winner else _DRAWN
        return f"{who}, {self.termination.value}" + (f": {self.reason}" if self.reason else "")

    @classmethod
    def parse(cls, text: str) -> Outcome:
        """Return the outcome that `str` wrote.

        >>> Outcome.parse("draw, full board").winner is None
        True
        """
        winners = {words: winner for winner, words in [(None, _DRAWN), *_WON.items()]}
        match = re.fullmatch(r"([a-z ]+), ([a-z ]+)(?:: (.+))?", text)
        if not match or match[1] not in winners or match[2] not in [item.value for item in Termination]:
            raise InvalidNotationError(
                f"{quote(text)} is not a result; one is 'first wins, resignation' or 'draw, agreement'"
            )
        try:
            return cls(winners[match[1]], Termination(match[2]), match[3] or "")
        except OptionError as error:
            raise InvalidNotationError(f"{quote(text)} is not a result: {error}") from None


class Game:
    """A game of two players, from its first move on.

    *moves* is a move string (1-based) or columns (0-based ints). *start* is the position it starts from
    in place of an empty board of *width* and *height*. *started* is a moment with a time zone.

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
        start: Position | None = None,
        first: str = "",
        second: str = "",
        started: datetime | None = None,
    ) -> None:
        if start is None:
            size = (7 if width is None else width, 6 if height is None else height)
            start = Position(width=size[0], height=size[1])
        elif not isinstance(start, Position):
            raise TypeError(f"start must be a Position, not {type(start).__name__}")
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
        self._first = _check_name(name, "error.player_name")

    @property
    def second(self) -> str:
        """The name of the other player, likewise."""
        return self._second

    @second.setter
    def second(self, name: str) -> None:
        self._second = _check_name(name, "error.player_name")

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
        return format_moves(self.columns)

    @property
    def columns(self) -> tuple[int, ...]:
        """The columns played, 0-based."""
        return tuple(column for column, _ in self._moves)

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
        if self.position.is_full:
            return Outcome(None, Termination.FULL_BOARD)
        return self._recorded

    @property
    def is_over(self) -> bool:
        """Whether the game has ended, on the board or otherwise."""
        return self.result is not None

    # What happens

    def play(self, *columns: int, stamp_s: float | None = None) -> None:
        """Play the columns, all or none of them.

        Raises `IllegalMoveError` for a full column or a finished game. Moves that were taken back are
        forgotten as soon as a different column is played.
        """
        stamp_s = _check_stamp(stamp_s)
        if columns and self._recorded:
            raise IllegalMoveError(
                f"the game is over: {self._recorded}",
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
        if self.result is None and outcome.termination not in (Termination.FOUR, Termination.FULL_BOARD):
            self._recorded = outcome
        elif self.result != outcome:
            now = f"the game is over: {self.result}" if self.result else "the game goes on"
            raise IllegalMoveError(f"the result cannot be {str(outcome)!r}: {now}")

    def _side(self, player: int | None) -> int:
        if player not in (None, 1, 2):
            raise OptionError(f"player must be 1 or 2, not {quote(player)}")
        return player or self.position.turn

    # How it looks

    def __str__(self) -> str:
        return str(self.position)

    def _repr_svg_(self) -> str:
        """The board as notebooks show it."""
        # By its name: drawing comes after this in the line of imports.
        picture: str = import_module("fourcast.render.notebook").game_svg(self)
        return picture

    def __repr__(self) -> str:
        arguments = [repr(self.moves)]
        if self.start.ply:
            arguments.append(f"start={self.start!r}")
        elif (self.start.width, self.start.height) != (7, 6):
            arguments.append(f"width={self.start.width}, height={self.start.height}")
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

    # Files. `fourcast.game_file`, which imports this module, reads and writes them.

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the game to a file: JSON if its name ends in `.json`, else text.

        What was in the file before stays whole until all of the new is on the disk. Raises OSError if
        that fails, and `GameFileError` if *path* is there and not a file.
        """
        from fourcast import game_file

        game_file.save(self, path)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Game:
        """Read a game from a file of either format, whatever its name.

        Raises `GameFileError` with the line that is wrong, and OSError if the file cannot be read.
        """
        from fourcast import game_file

        return game_file.load(path)

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
        from fourcast import game_file

        return game_file.to_text(self)

    @classmethod
    def from_text(cls, text: str) -> Game:
        """Return the game of a text with headers. Raises `GameFileError` with the line that is wrong.

        >>> Game.from_text("44 45 5  # plain moves will do").moves
        '44455'
        """
        from fourcast import game_file

        return game_file.from_text(text)

    def to_json(self) -> str:
        """Return the game as JSON, for programs."""
        from fourcast import game_file

        return game_file.to_json(self)

    @classmethod
    def from_json(cls, text: str) -> Game:
        """Return the game of a JSON text; keys may be left out. Raises `GameFileError`.

        >>> Game.from_json(Game("4455").to_json()) == Game("4455")
        True
        """
        from fourcast import game_file

        return game_file.from_json(text)


def _check_name(name: str, code: str) -> str:
    """Return *name* if it is one printable line; *code* is that of what it names."""
    what = FourcastError(code, facts={})
    if not isinstance(name, str):
        raise TypeError(f"{what} must be a str, not {type(name).__name__}")
    # One line, and nothing that would move a terminal's cursor or turn its text around.
    visible = name.replace("\N{ZERO WIDTH JOINER}", "").replace("\N{ZERO WIDTH NON-JOINER}", "")
    if not visible.isprintable() or name != name.strip():
        raise InvalidNotationError("error.name_line", facts={"name": quote(name), "what": what.said})
    if len(name) > MAX_NAME:
        facts = {"name": quote(name), "what": what.said, "most": MAX_NAME}
        raise InvalidNotationError("error.name_long", facts=facts)
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
