"""One game of two contestants, and the record of it."""

from __future__ import annotations

import random
import time
import traceback
from collections.abc import Callable, Iterable, Mapping
from contextlib import ExitStack, closing
from dataclasses import dataclass, field, replace
from datetime import datetime, timezone
from typing import Any, TypeVar

from fourcast._core import Position, Rules
from fourcast.arena.adjudication import Adjudicator
from fourcast.arena.contestant import Contestant
from fourcast.arena.schedule import Pairing
from fourcast.errors import ForfeitError, FourcastError, GameFileError, require
from fourcast.game import Game, Outcome, Termination
from fourcast.notation import parse_moves, quote
from fourcast.players import Player
from fourcast.protocol.dialects import Turn
from fourcast.protocol.program import KEPT_ERRORS, Forfeit, ProgramPlayer
from fourcast.protocol.sandbox import Sandbox

KEPT_OF_OTHERS = 4096
"""Characters that are kept of what a program wrote to standard error in a game it did not forfeit."""
MAX_DETAIL = 2000
"""Characters of the sentence on a forfeit."""


@dataclass(frozen=True)
class GameRecord:
    """A game that was played, as the journal keeps it."""

    number: int
    """Its number in the journal, from 1."""
    round: int
    leg: int
    """Its number among the games that the two play in the round, from 1."""
    first: str
    second: str
    opening: str
    moves: str
    """All moves, including those of the opening."""
    outcome: Outcome
    times_s: tuple[float, ...]
    """How long each move after the opening took."""
    started: str
    width: int = 7
    height: int = 6
    rules: str = ""
    """As `str(Rules(...))`; empty for the standard ones."""
    detail: str = ""
    """What the loser did that lost it the game, in a sentence; empty if it was lost on the board."""
    messages: tuple[str, str] = field(default=("", ""), compare=False)
    """What each side wrote to standard error, or its traceback: the last 64 KiB."""

    def __str__(self) -> str:
        return f"{self.number}. {self.first} - {self.second}: {self.moves}, {self.outcome}"

    def numbered(self, number: int) -> GameRecord:
        """Return the same game with another number."""
        return replace(self, number=number)

    @property
    def pairing(self) -> Pairing:
        """The game of the schedule."""
        return Pairing(self.round, self.leg, self.first, self.second, self.opening)

    @property
    def opening_pair(self) -> str:
        """What the two games of an opening, with the sides exchanged, have in common."""
        return f"{self.round}/{(self.leg - 1) // 2}"

    @property
    def winner(self) -> str | None:
        """The name of the winner, None for a draw."""
        return {1: self.first, 2: self.second, None: None}[self.outcome.winner]

    @property
    def loser(self) -> str | None:
        """The name of the loser, None for a draw."""
        return {1: self.second, 2: self.first, None: None}[self.outcome.winner]

    def score(self, name: str) -> float:
        """1, 1/2 or 0, for one of the players."""
        return 0.5 if self.winner is None else float(self.winner == name)

    @property
    def forfeit(self) -> str:
        """What the loser did that lost it the game; empty if it was lost on the board."""
        return self.outcome.reason

    @property
    def start(self) -> Position:
        """The empty board on which it was played."""
        return Position(width=self.width, height=self.height, rules=Rules.parse(self.rules))

    @property
    def columns(self) -> tuple[int, ...]:
        """All moves, 0-based."""
        return tuple(parse_moves(self.moves, self.width, pop=self.start.rules.pop))

    @property
    def opening_moves(self) -> int:
        """How many of them are the opening's."""
        return len(parse_moves(self.opening, self.width, pop=self.start.rules.pop))

    def game(self) -> Game:
        """Return it as a game, to be saved as a game file."""
        game = Game(
            start=self.start,
            first=_name_for_file(self.first),
            second=_name_for_file(self.second),
            started=datetime.fromisoformat(self.started),
        )
        stamp_s, times, opening_moves = 0.0, iter(self.times_s), self.opening_moves
        for index, column in enumerate(self.columns):
            if index >= opening_moves:
                stamp_s = round(stamp_s + next(times), 4)
            game.play(column, stamp_s=stamp_s)
        game.end(self.outcome)
        return game

    def to_json(self) -> dict[str, Any]:
        """Return it as a JSON object."""
        content = {
            "number": self.number,
            "round": self.round,
            "leg": self.leg,
            "first": self.first,
            "second": self.second,
            "opening": self.opening,
            "moves": self.moves,
            "result": str(self.outcome),
            "times_s": list(self.times_s),
            "started": self.started,
            "width": self.width,
            "height": self.height,
            "detail": self.detail,
        }
        content |= {"rules": self.rules} if self.rules else {}
        return content | ({"messages": list(self.messages)} if any(self.messages) else {})

    @classmethod
    def from_json(cls, content: object) -> GameRecord:
        """Return the game of a JSON object; raise `GameFileError` if it is not such an object."""
        if not isinstance(content, dict):
            raise GameFileError(f"a game is an object with moves and a result, not {quote(content)}")
        if unknown := content.keys() - _KEYS:
            raise GameFileError(f"a game has no {quote(min(unknown))}")
        try:
            record = cls(
                number=_typed(content, "number", int),
                round=_typed(content, "round", int),
                leg=_typed(content, "leg", int),
                first=_typed(content, "first", str),
                second=_typed(content, "second", str),
                opening=_typed(content, "opening", str),
                moves=_typed(content, "moves", str),
                outcome=Outcome.parse(_typed(content, "result", str)),
                times_s=_times(content.get("times_s")),
                started=_typed(content, "started", str),
                width=_typed(content, "width", int, 7),
                height=_typed(content, "height", int, 6),
                rules=_typed(content, "rules", str, ""),
                detail=_typed(content, "detail", str, ""),
                messages=_messages(content.get("messages", ["", ""])),
            )
            record._check()
        except (FourcastError, ValueError, OverflowError) as error:
            raise GameFileError(str(error)) from None
        return record

    def _check(self) -> None:
        """Raise an error if this cannot be a game; `game` replays it, which would take longer."""
        rules = self.start.rules
        position = Position(self.moves, width=self.width, height=self.height, rules=rules)
        datetime.fromisoformat(self.started)
        if not self.moves.startswith(self.opening):
            raise GameFileError(f"the moves {quote(self.moves)} do not begin with the opening")
        moves = len(self.columns)
        if len(self.times_s) != moves - self.opening_moves:
            raise GameFileError(f"there are {len(self.times_s)} times for {moves} moves")
        on_the_board = (Termination.FOUR, Termination.FULL_BOARD)
        is_over = self.outcome.termination in on_the_board
        if position.is_over != is_over or (is_over and position.winner != self.outcome.winner):
            raise GameFileError(f"after the moves {quote(self.moves)} the result is not {self.outcome}")


_KEYS = {"number", "round", "leg", "first", "second", "opening", "moves", "result", "times_s", "started"}
_KEYS |= {"width", "height", "rules", "detail", "messages"}
_T = TypeVar("_T", int, str)
_BOUNDS = {"number": 10**9, "round": 10**6, "leg": 10**6, "width": 1000, "height": 1000}


def _typed(content: Mapping[str, object], key: str, kind: type[_T], default: _T | None = None) -> _T:
    value = content.get(key, default)
    if type(value) is not kind:
        words = "whole number" if kind is int else "text"
        raise GameFileError(f"{key!r} of a game must be a {words}, not {quote(value)}")
    if isinstance(value, int) and not 0 <= value <= _BOUNDS[key]:
        raise GameFileError(f"{key!r} of a game cannot be {quote(value)}")
    return value


def _times(value: object) -> tuple[float, ...]:
    if not isinstance(value, list) or not all(_is_time(item) for item in value):
        raise GameFileError(f"'times_s' of a game must be a list of seconds, not {quote(value)}")
    return tuple(value)


def _messages(value: object) -> tuple[str, str]:
    match value:
        case [str(first), str(second)]:
            return first, second
    raise GameFileError(f"'messages' of a game must be two texts, not {quote(value)}")


def _is_time(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and 0 <= value < 10**9


def _name_for_file(name: str) -> str:
    visible = "".join(c if c.isprintable() else " " for c in name).strip()
    return visible if len(visible) <= 100 else visible[:97] + "..."


@dataclass(frozen=True)
class Conditions:
    """What holds for both players of a game."""

    width: int = 7
    height: int = 6
    rules: str = ""
    seed: int = 0
    move_time_s: float | None = None
    game_time_s: float | None = None
    """Seconds of each player for all of its moves; None: no clock."""
    increment_s: float = 0.0
    """Seconds that a player's clock gains with each move."""
    start_time_s: float = 5.0
    memory_mb: int = 1024
    adjudicate: str = "no"
    sandbox: Sandbox | str = Sandbox.AUTO


def play_game(
    pairing: Pairing,
    first: Contestant,
    second: Contestant,
    conditions: Conditions | None = None,
    *,
    number: int = 1,
    hidden: Iterable[str] = (),
    stop: Callable[[], bool] = lambda: False,
) -> GameRecord | None:
    """Play a game and return the record; None if *stop* said so in the middle of it.

    A player that breaks a rule or raises an exception forfeits this game and affects no other. The same
    seed and pairing give the same game for built-in players without a time limit. Programs in a sandbox
    do not see the paths in *hidden*, unless their own command names them.
    """
    require("pairing", pairing, Pairing)
    require("first", first, Contestant)
    require("second", second, Contestant)
    conditions = conditions or Conditions()
    started = datetime.now(timezone.utc).replace(microsecond=0)
    rules = Rules.parse(conditions.rules)
    game = Game(pairing.opening, width=conditions.width, height=conditions.height, rules=rules)
    clock = _Clock(conditions)
    adjudicator = Adjudicator(conditions.adjudicate)
    failure = _Failure()
    detail = ""
    with ExitStack() as stack:
        players = [
            _make(contestant, pairing, side, conditions, hidden, stack)
            for side, contestant in enumerate((first, second))
        ]
        while not game.is_over:
            if stop():
                return None
            failure = _move(game, players[game.position.turn - 1], clock, pairing)
            detail = failure.detail or adjudicator.look(game)
        for player, side in zip(players, (1, 2), strict=True):
            if isinstance(player, ProgramPlayer) and game.result:
                player.end_game({side: "won", None: "drawn"}.get(game.result.winner, "lost"))
        messages = [_said_by(player) for player in players]
    assert game.result
    if failure.kind and game.result.winner:
        messages[2 - game.result.winner] = failure.messages or messages[2 - game.result.winner]
    return GameRecord(
        number=number,
        **pairing._asdict(),
        moves=game.moves,
        outcome=game.result,
        times_s=tuple(clock.times_s),
        started=started.isoformat(),
        width=conditions.width,
        height=conditions.height,
        rules=conditions.rules,
        detail=detail[:MAX_DETAIL],
        messages=(messages[0][-KEPT_ERRORS:], messages[1][-KEPT_ERRORS:]),
    )


class _Clock:
    """The times of the moves, and what is left of each side's time for the game."""

    def __init__(self, conditions: Conditions) -> None:
        self.times_s: list[float] = []
        self._conditions = conditions
        self._left_s = [conditions.game_time_s, conditions.game_time_s]
        self._has_moved = [False, False]

    def limit_s(self, turn: int) -> float | None:
        """The seconds that the side has for its next move; None if there is no limit."""
        limits = (self._conditions.move_time_s, self._left_s[turn - 1])
        return min((limit for limit in limits if limit is not None), default=None)

    def turn(self, game: Game, player: ProgramPlayer, pairing: Pairing) -> Turn:
        """Return what a program is told before its move."""
        turn = game.position.turn
        return Turn(
            game.position,
            game.columns,
            move_time_s=player.move_time_s,
            time_left_s=self._left_s[turn - 1],
            game=f"{pairing.round}.{pairing.leg}",
            opponent=pairing.second if turn == 1 else pairing.first,
        )

    def stop(self, turn: int, took_s: float, player: Player) -> bool:
        """Take note of a move; return whether it came before the clock of the game ran out.

        The first move of a program has the time for its start in addition, which does not count.
        """
        self.times_s.append(round(took_s, 6))
        left_s = self._left_s[turn - 1]
        if left_s is None:
            return True
        if isinstance(player, ProgramPlayer) and not self._has_moved[turn - 1]:
            took_s = max(0.0, took_s - self._conditions.start_time_s)
        self._has_moved[turn - 1] = True
        self._left_s[turn - 1] = left_s - took_s + self._conditions.increment_s
        return took_s <= left_s


def _make(
    contestant: Contestant,
    pairing: Pairing,
    side: int,
    conditions: Conditions,
    hidden: Iterable[str],
    stack: ExitStack,
) -> Player:
    """Return the player of a side; a program is closed with the *stack*."""
    game = f"{pairing.round}/{pairing.leg}/{pairing.first}/{pairing.second}"
    seed = random.Random(f"{conditions.seed}/{game}/{side}").randrange(2**31)
    move_time_s = conditions.move_time_s
    if move_time_s is None and conditions.game_time_s is not None:
        # What a player that keeps no clock of its own may spend on each of some 20 moves.
        move_time_s = conditions.game_time_s / 25 + conditions.increment_s
    try:
        player = contestant.make(
            seed=seed,
            move_time_s=move_time_s,
            start_time_s=conditions.start_time_s,
            memory_mb=conditions.memory_mb,
            sandbox=conditions.sandbox,
            hidden=hidden,
        )
    except Exception as error:
        if not contestant.factory:
            raise
        return _NeverMade(contestant.name, error)
    if isinstance(player, ProgramPlayer):
        stack.enter_context(closing(player))
    return player


class _NeverMade:
    """A player whose factory failed: it loses its games by that, and the tournament goes on."""

    def __init__(self, name: str, error: Exception) -> None:
        self.name = name
        self.error = error

    def choose(self, _: object) -> int:
        raise self.error


@dataclass(frozen=True)
class _Failure:
    """What a player did in place of a move; nothing if *kind* is empty."""

    kind: str = ""
    detail: str = ""
    messages: str = ""


def _said_by(player: Player) -> str:
    """What a program wrote to standard error, or at least the end of it."""
    return player.standard_error[-KEPT_OF_OTHERS:] if isinstance(player, ProgramPlayer) else ""


def _move(game: Game, player: Player, clock: _Clock, pairing: Pairing) -> _Failure:
    """Have *player* move in *game*, or lose it."""
    turn = game.position.turn
    if isinstance(player, ProgramPlayer) and (limit_s := clock.limit_s(turn)) is not None:
        player.move_time_s = limit_s
    begin = time.perf_counter()
    try:
        column = (
            player.take_turn(clock.turn(game, player, pairing))
            if isinstance(player, ProgramPlayer)
            else player.choose(game.position)
        )
        took_s = time.perf_counter() - begin
        game.play(column)
        if clock.stop(turn, took_s, player):
            return _Failure()
        game.undo()
        clock.times_s.pop()
        kind = Forfeit.TOO_LATE.value
        failure = _Failure(kind, f"{kind}: its time for the game was up")
    except ForfeitError as error:
        messages = player.standard_error if isinstance(player, ProgramPlayer) else ""
        failure = _Failure(error.kind, str(error), messages)
    except (FourcastError, TypeError) as error:  # a player in this process that errs
        kind = Forfeit.ILLEGAL_MOVE.value
        failure = _Failure(kind, f"{kind}: {error}", traceback.format_exc())
    except Exception as error:
        kind = Forfeit.CRASH.value
        failure = _Failure(kind, f"{kind}: {error!r}", traceback.format_exc())
    game.forfeit(reason=failure.kind)
    return failure
