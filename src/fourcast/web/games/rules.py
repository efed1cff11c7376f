"""The rules of a game that is played over the web: what may happen, and who may do it.

A `Record` is the stored state of a game. Each rule takes one and returns the next one, or raises
`RefusedError`. The rules themselves are the core's (native/study/web_game.hpp), as they are the page's.
Secrets, names and times are here. Nothing here stores, sends, waits or knows how a game is shown.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timezone
from functools import cache, cached_property
from typing import Any, Literal, NamedTuple

from fourcast import _core
from fourcast._core import Position, Rules
from fourcast.errors import FourcastError
from fourcast.game import Game, Outcome
from fourcast.notation import move_names, parse_rows
from fourcast.players import player_names, plays_all_rules
from fourcast.web.schemas import Action, MoveRequest, NewGame, Seat, Side

__all__ = [
    "Chair",
    "Clock",
    "Move",
    "Record",
    "RefusedError",
    "act",
    "chair_hash",
    "computer_to_move",
    "is_local",
    "join",
    "made_by",
    "make_game",
    "new_game",
    "new_token",
    "play",
    "play_for_computer",
    "side",
    "sides_of",
    "time_left_s",
    "time_out",
    "to_game",
]

BOTH: tuple[Side, Side] = (1, 2)
CONFLICT = 409
"""The status of what does not fit the game as it is now, which comes along."""


class Move(NamedTuple):
    """A disc: its column, and when it was played, in milliseconds after the game was made."""

    column: int
    stamp_ms: int


class Clock(NamedTuple):
    """Seconds for each "move", or for the "game" and after each move; when it began to run, as moves."""

    kind: Literal["move", "game"]
    time_s: int
    increment_s: int
    began_ms: int | None = None


@dataclass(frozen=True, slots=True)
class Chair:
    """One side's place at the board. Only a hash of a person's secret is kept."""

    kind: Literal["person", "open", "computer"]
    name: str = ""
    player: str | None = None
    token_hash: str | None = None


@dataclass(frozen=True)
class Record:
    """The stored state of a game. *seq* grows by one with every change."""

    id: str
    seq: int
    width: int
    height: int
    start: str
    opening: str
    """The moves that were there when the game was made, as a move string."""
    moves: tuple[Move, ...]
    undone: tuple[Move, ...]
    """Moves taken back, the next to be played again first."""
    rewound: int
    """The seq of the last change that took moves back or played them again."""
    first: Chair
    second: Chair
    outcome: str
    """An end that the board does not show, as `str(Outcome)`; else empty."""
    draw_by: int
    takeback_by: int
    rematch_by: int
    """Which side has offered it, 0 for none."""
    rematch_id: str | None
    created_ms: int
    updated_ms: int
    clock: Clock | None = None
    points: tuple[int, int] = (0, 0)
    """Half points of the sides in the games that this one is the rematch of."""
    room_id: str | None = None
    """The room in which it is played."""

    def chair(self, number: int) -> Chair:
        """The chair of side 1 or 2."""
        return self.first if number == 1 else self.second

    @cached_property
    def standing(self) -> dict[str, Any]:
        """What the core says of the record: how it ended, the computer's player to move, and so on."""
        standing: dict[str, Any] = _ask("game.standing", {}, self)
        return standing

    @cached_property
    def game(self) -> Game:
        """The game as it stands, replayed at most once. Not to be changed: `to_game` makes a new one."""
        return to_game(self)


class RefusedError(FourcastError):
    """A request that does not fit the game: *status* is that of HTTP, *code* and *facts* say why."""

    def __init__(self, status: int, code: str, record: Record | None = None, **facts: object) -> None:
        super().__init__(code, facts=facts)
        self.status = status
        self.record = record


# ---- Secrets -----------------------------------------------------------------------------------------


def new_token() -> str:
    """Return a secret that cannot be guessed."""
    return secrets.token_urlsafe(32)


def new_id() -> str:
    """Return the name of a new game: anybody who has it may watch."""
    return secrets.token_urlsafe(9)


def chair_hash(token: str) -> str:
    """Return what is kept of a token. It is random and long, so that a plain hash is all it takes."""
    return hashlib.sha256(token.encode()).hexdigest()


def sides_of(record: Record, token: str | None) -> list[Side]:
    """Return the sides that the holder of *token* plays."""
    if token is None:
        return []
    found = chair_hash(token)
    return [
        number for number in BOTH if hmac.compare_digest(record.chair(number).token_hash or "", found)
    ]


def is_local(record: Record) -> bool:
    """Whether one screen has every chair that is not the computer's."""
    local: bool = record.standing["is_local"]
    return local


# ---- Games from texts and records --------------------------------------------------------------------


def side(player: int) -> Side:
    """Return *player* with the type that messages have: 1 or 2."""
    return 1 if player == 1 else 2


def make_game(
    moves: str = "",
    *,
    width: int = 7,
    height: int = 6,
    start: str = "",
    rules: str = "",
    first: str = "",
    second: str = "",
) -> Game:
    """Return the game that a request describes; a *start* decides the size of the board and the rules.

    Raises a `FourcastError`, with words for people, if there is no such game.

    >>> make_game("4", start="..../..../..../XO..").position.ply
    3
    >>> make_game("4444444")
    Traceback (most recent call last):
    fourcast.errors.IllegalMoveError: move 7 of '4444444': column 4 is full
    """
    board = _board(start, width, height, rules)
    return Game(moves, start=board, first=first, second=second)


def _board(start: str, width: int, height: int, rules: str = "") -> Position:
    if start:
        return parse_rows(start)
    return Position(width=width, height=height, rules=Rules.parse(rules))


def to_game(record: Record) -> Game:
    """Return the game of a record, replayed, with names, time stamps, result and moves taken back."""
    board = _board(record.start, record.width, record.height)
    started = datetime.fromtimestamp(record.created_ms / 1000, timezone.utc)
    game = Game(start=board, first=record.first.name, second=record.second.name, started=started)
    for move in (*record.moves, *record.undone):
        game.play(move.column, stamp_s=move.stamp_ms / 1000)
    for _ in record.undone:
        game.undo()
    if record.outcome:
        game.end(Outcome.parse(record.outcome))
    return game


def computer_to_move(record: Record) -> str | None:
    """Return the name of the computer's player whose turn it is, None if it is a person's."""
    player: str | None = record.standing["computer"]
    return player


def _ask(rule: str, request: dict[str, Any], record: Record | None = None) -> Any:
    """Return what a rule of the core answers; raise `RefusedError` with what it refuses."""
    answer = _core.ask(rule, request if record is None else request | {"record": _to_json(record)})
    if answer and (refused := answer.get("refused")):
        status = refused["status"]
        known = record if status == CONFLICT else None
        raise RefusedError(status, refused["code"], known, **refused["facts"])
    return answer


def _to_json(record: Record) -> dict[str, Any]:
    """Return what the core has to know of a game; see native/study/web_game.hpp."""
    return {
        "seq": record.seq,
        "start": record.start,
        "width": record.width,
        "height": record.height,
        "opening": record.opening,
        "moves": _move_objects(record.moves, record.width),
        "undone": _move_objects(record.undone[::-1], record.width),
        "rewound": record.rewound,
        "chairs": [
            {"kind": chair.kind, "player": chair.player, "holder": chair.token_hash}
            for chair in (record.first, record.second)
        ],
        "end": Outcome.parse(record.outcome).to_json() if record.outcome else None,
        "draw_by": record.draw_by,
        "takeback_by": record.takeback_by,
        "rematch_by": record.rematch_by,
        "rematch": record.rematch_id,
        "clock": _clock_object(record.clock) if record.clock else None,
        "points": [half / 2 for half in record.points],
    }


def _clock_object(clock: Clock) -> dict[str, Any]:
    began_s = None if clock.began_ms is None else clock.began_ms / 1000
    fields = {"kind": clock.kind, "time_s": clock.time_s, "increment_s": clock.increment_s}
    return fields | {"began_s": began_s}


def _move_objects(moves: Sequence[Move], width: int) -> list[dict[str, Any]]:
    names = _move_names(width)
    return [{"name": names[move.column], "stamp_s": move.stamp_ms / 1000} for move in moves]


def _from_json(members: dict[str, Any], width: int) -> dict[str, Any]:
    """Return fields of a record from the members that the core has changed."""
    fields = dict(members)
    fields.pop("chairs", None)
    if clock := fields.get("clock"):
        began_ms = None if clock["began_s"] is None else round(clock["began_s"] * 1000)
        fields["clock"] = Clock(clock["kind"], clock["time_s"], clock["increment_s"], began_ms)
    if "points" in fields:
        fields["points"] = tuple(round(2 * points) for points in fields["points"])
    if fields.pop("rematch", None):
        fields["rematch_id"] = new_id()
    if "end" in fields:
        end = fields.pop("end")
        fields["outcome"] = str(Outcome.from_json(end)) if end else ""
        fields["moves"] = _moves(fields["moves"], width)
        fields["undone"] = _moves(fields["undone"], width)[::-1]
    return fields


def _moves(moves: Sequence[dict[str, Any]], width: int) -> tuple[Move, ...]:
    numbers = _move_numbers(width)
    return tuple([Move(numbers[move["name"]], round((move["stamp_s"] or 0) * 1000)) for move in moves])


_move_names = cache(move_names)


@cache
def _move_numbers(width: int) -> dict[str, int]:
    return {name: number for number, name in enumerate(move_names(width))}


def _changed(record: Record, members: dict[str, Any] | None, now_ms: int | None) -> Record:
    """Return the record with what a rule has changed, or the very same if that is nothing."""
    if members is None:
        return record
    standing = members.pop("standing", None)
    after = replace(record, **_from_json(members, record.width), updated_ms=_or_now(now_ms))
    if standing:
        vars(after)["standing"] = standing  # which the next question would be about
    return after


# ---- The beginning -----------------------------------------------------------------------------------


def new_game(request: NewGame, token: str, *, now_ms: int | None = None) -> Record:
    """Return a new game, with the seats of its maker for *token*."""
    chairs = [_chair(seat, token) for seat in (request.first, request.second)]
    asked = request.model_dump(include={"start", "width", "height", "rules", "moves"})
    members = _ask("game.new", asked)
    rules = _board(members["start"], members["width"], members["height"]).rules
    for chair in chairs:
        if chair.player and not (rules.is_standard or plays_all_rules(chair.player)):
            raise RefusedError(400, "error.player_rules", rules=str(rules))
    now_ms = _or_now(now_ms)
    clock = None
    if request.clock:
        fields = request.clock
        began_ms = None if any(chair.kind == "open" for chair in chairs) else 0
        clock = Clock(fields.kind, fields.time_s, fields.increment_s, began_ms)
    return Record(
        id=new_id(),
        first=chairs[0],
        second=chairs[1],
        rematch_id=None,
        created_ms=now_ms,
        updated_ms=now_ms,
        clock=clock,
        **_from_json(members, members["width"]),
    )


def _chair(seat: Seat, token: str) -> Chair:
    name = _clean_name(seat.name)
    if seat.kind == "computer":
        if seat.player not in player_names():
            known = ", ".join(player_names())
            raise RefusedError(400, "error.no_computer", name=repr(seat.player), names=known)
        return Chair("computer", name or seat.player, seat.player)
    if seat.player is not None:
        raise RefusedError(400, "error.player_of_person")
    if seat.kind == "friend":
        return Chair("open", name)
    return Chair("person", name, token_hash=chair_hash(token))


def _clean_name(name: str) -> str:
    """Return *name* without spaces around it; `Game` refuses what is not one printable line."""
    name = name.strip()
    Game(first=name)
    return name


def join(record: Record, name: str, token: str, *, now_ms: int | None = None) -> Record:
    """Seat a friend on the open chair; the same token a second time changes nothing."""
    if sides_of(record, token):
        return record
    name = _clean_name(name)
    number = next((number for number in BOTH if record.chair(number).kind == "open"), None)
    if number is None:
        raise RefusedError(409, "error.seats_taken", record)
    chair = Chair("person", name or record.chair(number).name, token_hash=chair_hash(token))
    now_ms = _or_now(now_ms)
    seated = replace(_seated(record, number, chair), seq=record.seq + 1, updated_ms=now_ms)
    if seated.clock and all(seated.chair(each).kind != "open" for each in BOTH):
        began_ms = max(0, now_ms - record.created_ms)
        return replace(seated, clock=seated.clock._replace(began_ms=began_ms))
    return seated


def _seated(record: Record, number: int, chair: Chair) -> Record:
    return replace(record, first=chair) if number == 1 else replace(record, second=chair)


# ---- What players do ---------------------------------------------------------------------------------


def play(
    record: Record, sides: Sequence[Side], move: MoveRequest, *, now_ms: int | None = None
) -> Record:
    """Play a disc for the holder of *sides*.

    The ply is the version: a move for a ply that has one is refused, unless it is that very move of the
    same player, whose answer was lost. What was chosen before moves were taken back does not count.
    """
    now_ms = _or_now(now_ms)
    request: dict[str, Any] = {"column": move.column, "ply": move.ply, "seq": move.seq, "sides": sides}
    request |= {"stamp_s": _stamp_s(record, now_ms), "standing": True}
    after = _changed(record, _ask("game.play", request, record), now_ms)
    game = vars(record).get("game")
    if game and len(after.moves) > len(record.moves):  # all but the last disc need not be replayed
        vars(after)["game"] = game.copy()
        after.game.play(move.column, stamp_s=after.moves[-1].stamp_ms / 1000)
    return after


def play_for_computer(
    record: Record, thought_of: Record, column: int, *, now_ms: int | None = None
) -> Record:
    """Play the computer's disc if the game still stands as it did when the computer began to think."""
    same = (record.moves, record.rewound, record.outcome)
    if same != (thought_of.moves, thought_of.rewound, thought_of.outcome):
        return record
    return play(record, BOTH, MoveRequest(column=column, ply=_next_ply(record)), now_ms=now_ms)


def act(
    record: Record,
    sides: Sequence[Side],
    action: Action,
    *,
    away_s: float | None = None,
    now_ms: int | None = None,
) -> Record:
    """Do what the holder of *sides* asks for. A rematch that both want is `made_by` the change.

    *away_s* is for how long the other player has been away.
    """
    now_ms = _or_now(now_ms)
    asked = {"sides": sides, "stamp_s": _stamp_s(record, now_ms), "away_s": away_s}
    return _changed(record, _ask("game.act", action.model_dump() | asked, record), now_ms)


def time_out(record: Record, *, now_ms: int | None = None) -> Record:
    """End a game in which the time of the side to move is over; else return the very same record."""
    now_ms = _or_now(now_ms)
    asked = {"stamp_s": _stamp_s(record, now_ms)}
    return _changed(record, _ask("game.time", asked, record), now_ms)


def time_left_s(record: Record, now_ms: int | None = None) -> float | None:
    """Return after how many seconds the clock that runs has run out; None if none does."""
    clock = record.standing["clock"] if record.clock else None
    if not clock or not clock["running"]:
        return None
    left_s: float = clock["left_s"][clock["running"] - 1]
    return left_s - (_stamp_s(record, _or_now(now_ms)) - float(clock["since_s"]))


def made_by(before: Record, after: Record) -> Record | None:
    """Return the game that a change has made, if any: it has to be stored together with the change.

    That is the rematch: it begins as the game did, with the sides exchanged and the secrets kept.
    """
    if before.rematch_id or not after.rematch_id:
        return None
    return replace(
        after,
        id=after.rematch_id,
        first=after.second,
        second=after.first,
        rematch_id=None,
        created_ms=after.updated_ms,
        **_from_json(_ask("game.rematch", {}, after), after.width),
    )


def _next_ply(record: Record) -> int:
    return record.game.start.ply + len(record.moves)


def _stamp_s(record: Record, now_ms: int) -> float:
    return max(0, now_ms - record.created_ms) / 1000


def _or_now(now_ms: int | None) -> int:
    return time.time_ns() // 1_000_000 if now_ms is None else now_ms
