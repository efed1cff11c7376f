"""The rules of a game that is played over the web: what may happen, and who may do it.

A `Record` is the stored state of a game. Each rule takes one and returns the next one, or raises
`RefusedError`. Nothing here stores, sends, waits or knows how a game is shown. The rules of Connect Four
itself are those of `fourcast.Game`.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timezone
from functools import cached_property
from typing import Any, Literal, NamedTuple

from fourcast._core import Position
from fourcast.errors import FourcastError, IllegalMoveError
from fourcast.game import Game, Outcome
from fourcast.notation import format_column, format_rows, parse_moves, parse_rows
from fourcast.players import player_names
from fourcast.web.schemas import Action, MoveRequest, NewGame, Seat, Side

__all__ = [
    "Chair",
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
    "to_game",
]

BOTH: tuple[Side, Side] = (1, 2)


class Move(NamedTuple):
    """A disc: its column, and when it was played, in milliseconds after the game was made."""

    column: int
    stamp_ms: int


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

    def chair(self, number: int) -> Chair:
        """The chair of side 1 or 2."""
        return self.first if number == 1 else self.second

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
    kinds = {record.first.kind, record.second.kind}
    hashes = {chair.token_hash for chair in (record.first, record.second) if chair.kind == "person"}
    return "open" not in kinds and len(hashes) <= 1


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
    first: str = "",
    second: str = "",
) -> Game:
    """Return the game that a request describes; a *start* decides the size of the board.

    Raises a `FourcastError`, with words for people, if there is no such game.

    >>> make_game("4", start="..../..../..../XO..").position.ply
    3
    >>> make_game("4444444")
    Traceback (most recent call last):
    fourcast.errors.IllegalMoveError: move 7 of '4444444': column 4 is full
    """
    board = parse_rows(start) if start else Position(width=width, height=height)
    return Game(moves, start=board, first=first, second=second)


def to_game(record: Record) -> Game:
    """Return the game of a record, replayed, with names, time stamps, result and moves taken back."""
    board = (
        parse_rows(record.start) if record.start else Position(width=record.width, height=record.height)
    )
    started = datetime.fromtimestamp(record.created_ms / 1000, timezone.utc)
    game = Game(start=board, first=record.first.name, second=record.second.name, started=started)
    for move in (*record.moves, *record.undone):
        game.play(move.column, stamp_s=move.stamp_ms / 1000)
    for _ in record.undone:
        game.undo()
    if record.outcome:
        game.end(Outcome.parse(record.outcome))
    return game


def _keep(record: Record, game: Game, *, now_ms: int, rewinds: bool = False) -> Record:
    """Return the record after *game* has changed. Offers made before the change lapse."""
    seq = record.seq + 1
    on_board = game.position.is_over
    kept = replace(
        record,
        seq=seq,
        moves=_moves(game.columns, game.stamps_s),
        undone=_moves(game.undone, game.undone_stamps_s),
        rewound=seq if rewinds else record.rewound,
        outcome="" if on_board or game.result is None else str(game.result),
        draw_by=0,
        takeback_by=0,
        rematch_by=0,
        updated_ms=now_ms,
    )
    kept.__dict__["game"] = game  # what `Record.game` would replay
    return kept


def _moves(columns: Sequence[int], stamps_s: Sequence[float | None]) -> tuple[Move, ...]:
    pairs = zip(columns, stamps_s, strict=True)
    return tuple(Move(column, round((stamp or 0) * 1000)) for column, stamp in pairs)


def computer_to_move(record: Record, game: Game | None = None) -> str | None:
    """Return the name of the computer's player whose turn it is, None if it is a person's.

    *game* is where the record's game stands, if not where the record says.
    """
    game = game or record.game
    return None if game.is_over else record.chair(game.position.turn).player


# ---- The beginning -----------------------------------------------------------------------------------


def new_game(request: NewGame, token: str, *, now_ms: int | None = None) -> Record:
    """Return a new game, with the seats of its maker for *token*."""
    now_ms = _now_ms() if now_ms is None else now_ms
    chairs = [_chair(seat, token) for seat in (request.first, request.second)]
    names = [chair.name for chair in chairs]
    game = make_game(
        request.moves,
        width=request.width,
        height=request.height,
        start=request.start,
        first=names[0],
        second=names[1],
    )
    if game.is_over:
        raise RefusedError(400, "error.over_before")
    return Record(
        id=new_id(),
        seq=1,
        width=game.start.width,
        height=game.start.height,
        start=format_rows(game.start) if game.start.ply else "",
        opening=game.moves,
        moves=tuple(Move(column, 0) for column in game.columns),
        undone=(),
        rewound=0,
        first=chairs[0],
        second=chairs[1],
        outcome="",
        draw_by=0,
        takeback_by=0,
        rematch_by=0,
        rematch_id=None,
        created_ms=now_ms,
        updated_ms=now_ms,
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
    return _changed(_seated(record, number, chair), now_ms)


def _seated(record: Record, number: int, chair: Chair) -> Record:
    return replace(record, first=chair) if number == 1 else replace(record, second=chair)


# ---- Stones ------------------------------------------------------------------------------------------


def play(
    record: Record, sides: Sequence[Side], move: MoveRequest, *, now_ms: int | None = None
) -> Record:
    """Play a disc for the holder of *sides*.

    The ply is the version: a move for a ply that has one is refused, unless it is that very move of the
    same player, whose answer was lost. What was chosen before moves were taken back does not count.
    """
    game = record.game
    place = move.ply - game.start.ply
    turn = _mover(move.ply)
    if move.seq is not None and move.seq < record.rewound:
        raise RefusedError(409, "error.taken_back", record)
    if 0 <= place < len(record.moves):
        if record.moves[place].column == move.column and turn in sides:
            return record
        raise RefusedError(409, "error.already_played", record)
    if move.ply != game.position.ply:
        raise RefusedError(409, "error.next_disc", record, number=game.position.ply + 1)
    if game.result:
        raise RefusedError(409, "error.over_by", record, result=str(game.result))
    if turn not in sides:
        raise RefusedError(409, "error.other_turn", record)
    if move.column >= record.width:
        raise RefusedError(400, "error.no_such_column", column=format_column(move.column))
    return _with_stone(record, move.column, now_ms)


def _mover(ply: int) -> Side:
    """Whose turn it is with *ply* discs on the board."""
    return 1 if ply % 2 == 0 else 2


def play_for_computer(
    record: Record, thought_of: Record, column: int, *, now_ms: int | None = None
) -> Record:
    """Play the computer's disc if the game still stands as it did when the computer began to think."""
    same = (record.moves, record.rewound, record.outcome)
    if same != (thought_of.moves, thought_of.rewound, thought_of.outcome):
        return record
    return _with_stone(record, column, now_ms)


def _with_stone(record: Record, column: int, now_ms: int | None) -> Record:
    game = to_game(record)
    now_ms = _now_ms() if now_ms is None else now_ms
    try:
        game.play(column, stamp_s=max(0, now_ms - record.created_ms) / 1000)
    except IllegalMoveError:
        raise RefusedError(400, "error.column_full", column=format_column(column)) from None
    return _keep(record, game, now_ms=now_ms)


# ---- All but stones ----------------------------------------------------------------------------------


def act(record: Record, sides: Sequence[Side], action: Action, *, now_ms: int | None = None) -> Record:
    """Do what the holder of *sides* asks for. A rematch that both want is `made_by` the change."""
    if action.seq is not None and action.seq != record.seq:
        raise RefusedError(409, "error.game_changed", record)
    game = to_game(record)
    number = _acting_side(game, sides, action)
    verb, _, what = action.kind.partition("-")
    now_ms = _now_ms() if now_ms is None else now_ms
    if verb == "resign":
        return _resign(record, game, number, now_ms)
    if verb == "undo" or (what == "takeback" and verb == "offer" and is_local(record)):
        return _undo(record, game, now_ms)
    if verb == "redo":
        return _redo(record, game, now_ms)
    return _OFFERS[what](record, game, number, verb, now_ms)


def _acting_side(game: Game, sides: Sequence[Side], action: Action) -> Side:
    if not sides:
        raise RefusedError(403, "error.players_only")
    if action.side is not None:
        if action.side not in sides:
            raise RefusedError(403, "error.other_player")
        return action.side
    turn = side(game.position.turn)
    return turn if turn in sides else sides[0]


def _resign(record: Record, game: Game, number: Side, now_ms: int) -> Record:
    if record.outcome.endswith("resignation") and game.result and game.result.winner == 3 - number:
        return record
    _need_no_end(record, game)
    game.resign(number)
    return _keep(record, game, now_ms=now_ms)


def _undo(record: Record, game: Game, now_ms: int) -> Record:
    """Take back up to the last move of a person: the computer's go with it."""
    if not is_local(record):
        raise RefusedError(409, "error.must_agree", record)
    _need_no_rematch(record)
    by_person = [
        record.chair(_mover(game.start.ply + place)).kind == "person"
        for place in range(len(record.moves))
    ]
    if not any(by_person):
        raise RefusedError(409, "error.no_takeback", record)
    while by_person:
        game.undo()
        if by_person.pop():
            break
    return _keep(record, game, now_ms=now_ms, rewinds=True)


def _redo(record: Record, game: Game, now_ms: int) -> Record:
    """Play again what was taken back last, with the computer's answer to it."""
    if not is_local(record):
        raise RefusedError(409, "error.play_again", record)
    _need_no_rematch(record)
    _need_no_end(record, game)
    if not game.undone:
        raise RefusedError(409, "error.no_redo", record)
    game.redo()
    while game.undone and not game.is_over and computer_to_move(record, game):
        game.redo()
    return _keep(record, game, now_ms=now_ms, rewinds=True)


def _draw(record: Record, game: Game, number: Side, verb: str, now_ms: int) -> Record:
    if record.outcome.endswith("agreement") and verb in ("offer", "accept"):
        return record
    _need_no_end(record, game)
    _need_opponent(record, number)
    if record.chair(3 - number).kind == "computer":
        raise RefusedError(409, "error.computer_plays_on", record)
    if _agreed(record, record.draw_by, number, verb, "error.no_draw_offer"):
        game.agree_draw()
        return _keep(record, game, now_ms=now_ms)
    return _offered(record, "draw_by", number, verb, now_ms)


def _takeback(record: Record, game: Game, number: Side, verb: str, now_ms: int) -> Record:
    _need_opponent(record, number)
    _need_no_rematch(record)
    if _agreed(record, record.takeback_by, number, verb, "error.no_takeback_offer"):
        for _ in range(_plies_to_take_back(record, game, record.takeback_by or number)):
            game.undo()
        return _keep(record, game, now_ms=now_ms, rewinds=True)
    if verb == "offer":
        _plies_to_take_back(record, game, number)
    return _offered(record, "takeback_by", number, verb, now_ms)


def _plies_to_take_back(record: Record, game: Game, number: int) -> int:
    """How many discs have to go so that it is *number*'s turn to choose again."""
    plies = 2 if game.position.turn == number else 1
    if plies > len(record.moves):
        raise RefusedError(409, "error.no_takeback", record)
    return plies


def _rematch(record: Record, game: Game, number: Side, verb: str, now_ms: int) -> Record:
    if record.rematch_id and verb != "decline":
        return record
    _need_no_rematch(record)
    _need_opponent(record, number)
    if not game.is_over:
        raise RefusedError(409, "error.not_over", record)
    if _agreed(record, record.rematch_by, number, verb, "error.no_rematch_offer"):
        return _changed(replace(record, rematch_by=0, rematch_id=new_id()), now_ms)
    return _offered(record, "rematch_by", number, verb, now_ms)


_OFFERS = {"draw": _draw, "takeback": _takeback, "rematch": _rematch}


def _agreed(record: Record, offered_by: int, number: Side, verb: str, missing: str) -> bool:
    """Whether both want it now. Raises `RefusedError` for an answer to what was not offered."""
    if verb == "offer":
        return is_local(record) or offered_by == 3 - number
    if offered_by != 3 - number:
        if verb == "decline" and offered_by == number:
            return False  # withdraws the own offer
        raise RefusedError(409, missing, record)
    return verb == "accept"


def _offered(record: Record, field: str, number: Side, verb: str, now_ms: int) -> Record:
    changes: dict[str, Any] = {field: number if verb == "offer" else 0}
    offered = replace(record, **changes)
    return record if offered == record else _changed(offered, now_ms)


def _changed(record: Record, now_ms: int | None) -> Record:
    return replace(record, seq=record.seq + 1, updated_ms=_now_ms() if now_ms is None else now_ms)


def _need_no_end(record: Record, game: Game) -> None:
    if game.result:
        raise RefusedError(409, "error.over_by", record, result=str(game.result))


def _need_no_rematch(record: Record) -> None:
    if record.rematch_id:
        raise RefusedError(409, "error.rematch_begun", record)


def _need_opponent(record: Record, number: Side) -> None:
    if record.chair(3 - number).kind == "open":
        raise RefusedError(409, "error.nobody_there", record)


def made_by(before: Record, after: Record) -> Record | None:
    """Return the game that a change has made, if any: it has to be stored together with the change.

    That is the rematch: it begins as the game did, with the sides exchanged and the secrets kept.
    """
    if before.rematch_id or not after.rematch_id:
        return None
    return replace(
        after,
        id=after.rematch_id,
        seq=1,
        moves=tuple(Move(column, 0) for column in parse_moves(after.opening, after.width)),
        undone=(),
        rewound=0,
        first=after.second,
        second=after.first,
        outcome="",
        draw_by=0,
        takeback_by=0,
        rematch_by=0,
        rematch_id=None,
        created_ms=after.updated_ms,
    )


def _now_ms() -> int:
    return time.time_ns() // 1_000_000
