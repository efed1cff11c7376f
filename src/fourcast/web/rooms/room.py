"""What may happen in a room, and who may do it. Nothing here stores, sends or waits.

A `Room` is the stored state. Each rule changes the copy that it is given, returns the games that it has
made, or raises `RefusedError`. Secrets are kept as hashes only.
"""

from __future__ import annotations

import csv
import io
import secrets
import time
from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

from pydantic import BaseModel, Field

from fourcast.arena.knockout import next_knockout
from fourcast.arena.schedule import Draw, couples
from fourcast.arena.swiss import default_rounds, next_swiss
from fourcast.game import Game
from fourcast.players import player_names
from fourcast.web.games.rules import (
    Chair,
    Record,
    RefusedError,
    chair_hash,
    make_game,
    new_game,
    new_id,
)
from fourcast.web.schemas import ClockRequest, NewGame

__all__ = ["Event", "EventKind", "Member", "Room", "Standing", "Tasks", "new_room", "now_ms", "to_csv"]

MOST_MEMBERS = 300
MOST_GAMES = 3_000
MOST_ITEMS = 100
KEEP_DAYS = 30
"""Days after its last change that a room is kept, with the names in it."""


EventKind = Literal["round-robin", "swiss", "knockout"]


class Member(BaseModel):
    """Somebody who has come in under a name; *token_hash* is that of their secret."""

    id: str
    name: str
    token_hash: str
    is_gone: bool = False


class Seek(BaseModel):
    """A member who would like to play anybody."""

    member: str
    clock: ClockRequest | None = None


class Challenge(BaseModel):
    """A member who would like to play another one."""

    by: str
    to: str
    clock: ClockRequest | None = None


class Played(BaseModel):
    """A game of the room; *winner* is 1, 2, or 0 for a draw, None while it is played."""

    id: str
    first: str | None
    second: str | None
    round: int | None = None
    winner: int | None = None


class Round(BaseModel):
    """The meetings of a round of an event, by members; who has a bye gets a point."""

    number: int
    pairs: list[tuple[str, str]]
    byes: list[str] = Field(default_factory=list)


class Event(BaseModel):
    """A tournament in the room."""

    kind: EventKind
    rounds: int
    clock: ClockRequest | None = None
    players: list[str]
    drawn: list[Round] = Field(default_factory=list)
    is_over: bool = False


class Solved(BaseModel):
    """What a member has made of a task."""

    is_right: bool
    time_ms: int
    tries: int


class Tasks(BaseModel):
    """Puzzles or lessons for a class, as a race with a start or as homework."""

    kind: Literal["race", "homework"]
    items: list[str]
    started_ms: int | None = None
    is_over: bool = False
    results: dict[str, dict[str, Solved]] = Field(default_factory=dict)

    @property
    def is_private(self) -> bool:
        """Whether results are the host's to see, and each member's own: homework that is not closed."""
        return self.kind == "homework" and not self.is_over


class Standing(BaseModel):
    """A line of an event's table."""

    member: str
    name: str
    points: float
    wins: int
    draws: int
    losses: int
    buchholz: float = Field(description="points of all opponents")
    is_gone: bool


class Room(BaseModel):
    """The stored state of a room. *seq* grows by one with every change."""

    id: str
    seq: int = 1
    name: str
    key_hash: str
    width: int = 7
    height: int = 6
    rules: str = ""
    members: list[Member] = Field(default_factory=list)
    seeks: list[Seek] = Field(default_factory=list)
    challenges: list[Challenge] = Field(default_factory=list)
    games: list[Played] = Field(default_factory=list)
    event: Event | None = None
    tasks: Tasks | None = None
    updated_ms: int = 0

    # ---- Who is who

    def member_of(self, token: str) -> Member:
        """Return the member with this secret."""
        found = chair_hash(token)
        for member in self.members:
            if secrets.compare_digest(member.token_hash, found):
                return member
        raise RefusedError(403, "error.room_members_only")

    def member(self, member_id: str) -> Member:
        """Return the member of this name."""
        for member in self.members:
            if member.id == member_id:
                return member
        raise RefusedError(404, "error.no_member")

    def is_host(self, key: str) -> bool:
        """Whether this is the host's key."""
        return secrets.compare_digest(self.key_hash, chair_hash(key))

    # ---- Members

    def join(self, name: str, token: str) -> Member:
        """Let somebody in; the same token again is the same member, who may have another name now."""
        name = name.strip()
        Game(first=name)  # refuses what is not one printable line
        if not name:
            raise RefusedError(400, "error.room_name")
        found = chair_hash(token)
        member = next((each for each in self.members if each.token_hash == found), None)
        if member is None:
            if len(self.members) >= MOST_MEMBERS:
                raise RefusedError(409, "error.room_full", most=MOST_MEMBERS)
            member = Member(id=secrets.token_urlsafe(6), name=name, token_hash=found)
            self.members.append(member)
        taken = {each.name for each in self.members if each is not member}
        member.name, number = name, 2
        while member.name in taken:  # two of the same name can be told apart
            member.name, number = f"{name} {number}", number + 1
        member.is_gone = False
        event = self.event
        if event and not event.is_over and event.kind == "swiss" and member.id not in event.players:
            event.players.append(member.id)  # late: the rounds before are lost
        return member

    def leave(self, member: Member) -> None:
        """Let somebody go: not paired any more; what was played stays."""
        member.is_gone = True
        self.seeks = [seek for seek in self.seeks if seek.member != member.id]
        self.challenges = [each for each in self.challenges if member.id not in (each.by, each.to)]

    # ---- Games

    def _start(
        self, first: str, second: str, clock: ClockRequest | None, round_: int | None = None
    ) -> Record:
        """Make a game of two members, who play it with the secrets they have in the room."""
        if len(self.games) >= MOST_GAMES:
            raise RefusedError(409, "error.room_games", most=MOST_GAMES)
        people = [self.member(first), self.member(second)]
        seats = {"kind": "me"}
        request = {"first": seats, "second": seats} | self._board()
        asked = NewGame.model_validate(request).model_copy(update={"clock": clock})
        chairs = [Chair("person", each.name, token_hash=each.token_hash) for each in people]
        record = replace(
            new_game(asked, "nobody has this"), first=chairs[0], second=chairs[1], room_id=self.id
        )
        self.games.append(Played(id=record.id, first=first, second=second, round=round_))
        self.seeks = [each for each in self.seeks if each.member not in (first, second)]
        return record

    def _board(self) -> dict[str, object]:
        """What all games of the room are played on, and by which rules."""
        return {"width": self.width, "height": self.height, "rules": self.rules}

    def seek(self, member: Member, clock: ClockRequest | None) -> list[Record]:
        """Look for anybody: the first who looks for the same is the opponent."""
        others = [each for each in self.seeks if each.member != member.id and each.clock == clock]
        self.seeks = [each for each in self.seeks if each.member != member.id]
        if not others:
            self.seeks.append(Seek(member=member.id, clock=clock))
            return []
        return [self._start(others[0].member, member.id, clock)]

    def unseek(self, member: Member) -> None:
        """Look for nobody any more."""
        self.seeks = [each for each in self.seeks if each.member != member.id]

    def play_computer(self, member: Member, player: str) -> list[Record]:
        """Play the computer, if nobody else wants to."""
        if player not in player_names():
            names = ", ".join(player_names())
            raise RefusedError(400, "error.no_computer", name=repr(player), names=names)
        self.unseek(member)
        asked = {"first": {"kind": "me"}, "second": {"kind": "computer", "player": player}}
        record = new_game(NewGame.model_validate(asked | self._board()), "nobody has this")
        first = Chair("person", member.name, token_hash=member.token_hash)
        self.games.append(Played(id=record.id, first=member.id, second=None))
        return [replace(record, first=first, room_id=self.id)]

    def challenge(self, member: Member, to: str, clock: ClockRequest | None) -> list[Record]:
        """Ask another member for a game; asking back accepts."""
        other = self.member(to)
        if other is member or other.is_gone:
            raise RefusedError(409, "error.no_member")
        if any(each.by == to and each.to == member.id for each in self.challenges):
            return self.answer(member, to, accepts=True)
        self.challenges = [each for each in self.challenges if (each.by, each.to) != (member.id, to)]
        mine = [each for each in self.challenges if each.by == member.id]
        if len(mine) >= 10:
            raise RefusedError(409, "error.many_challenges", most=10)
        self.challenges.append(Challenge(by=member.id, to=to, clock=clock))
        return []

    def answer(self, member: Member, by: str, *, accepts: bool) -> list[Record]:
        """Accept or decline a challenge; its maker may withdraw it by declining."""
        asked = [
            each
            for each in self.challenges
            if (each.by, each.to) in ((by, member.id), *([] if accepts else [(member.id, by)]))
        ]
        if not asked:
            raise RefusedError(409, "error.no_challenge")
        self.challenges.remove(asked[0])
        if not accepts:
            return []
        return [self._start(asked[0].by, member.id, asked[0].clock)]

    def note(self, record: Record) -> None:
        """Write down a rematch, or how a game has ended."""
        played = next((each for each in self.games if each.id == record.id), None)
        if played is None:
            by_hash = {member.token_hash: member.id for member in self.members}
            sides = [by_hash.get(chair.token_hash or "") for chair in (record.first, record.second)]
            if len(self.games) < MOST_GAMES:
                self.games.append(Played(id=record.id, first=sides[0], second=sides[1]))
        elif result := record.game.result:
            played.winner = result.winner or 0

    # ---- Events

    def open_event(self, kind: EventKind, rounds: int | None, clock: ClockRequest | None) -> None:
        """Make an event of the members who are here."""
        if self.event and not self.event.is_over and self.event.drawn:
            raise RefusedError(409, "error.event_runs")
        players = [member.id for member in self.members if not member.is_gone]
        if len(players) < 2:
            raise RefusedError(409, "error.event_players")
        count = len(players)
        most = {"round-robin": count - 1 + count % 2, "knockout": (count - 1).bit_length()}
        number = most.get(kind) or rounds or default_rounds(count)
        self.event = Event(kind=kind, rounds=number, clock=clock, players=players)

    def next_round(self, number: int | None = None) -> list[Record]:
        """Pair the next round and make its games. Unfinished games of the last one are in the way.

        With its *number*, a round that has begun is not started again.
        """
        event = self._running_event()
        if number is not None and number <= len(event.drawn):
            return []
        if any(each.winner is None and each.round is not None for each in self._event_games()):
            raise RefusedError(409, "error.round_runs")
        drawn = self._draw(event)
        if drawn is None:
            event.is_over = True
            return []
        event.drawn.append(drawn)
        return [self._start(first, second, event.clock, drawn.number) for first, second in drawn.pairs]

    def decide(self, game_id: str, winner: int) -> None:
        """Have the host decide a game that is not played on."""
        self._running_event()
        for played in self._event_games():
            if played.id == game_id and played.winner is None:
                played.winner = winner
                return
        raise RefusedError(404, "error.unknown_game")

    def end_event(self) -> None:
        """End the event as it stands."""
        self._running_event().is_over = True

    def _running_event(self) -> Event:
        if self.event is None or self.event.is_over:
            raise RefusedError(409, "error.no_event")
        return self.event

    def _event_games(self) -> list[Played]:
        """The games of the rounds of this event, not those of an earlier one."""
        event = self.event
        pairs = {(each.number, *pair) for each in event.drawn for pair in each.pairs} if event else set()
        found: dict[tuple[object, ...], Played] = {}
        for played in self.games:
            key = (played.round, played.first, played.second)
            if key in pairs:
                found[key] = played  # the latest
        return list(found.values())

    def _draw(self, event: Event) -> Round | None:
        number = len(event.drawn) + 1
        here = {member.id for member in self.members if not member.is_gone}
        if number > event.rounds or len(here & set(event.players)) < 2:
            return None
        if event.kind == "round-robin":
            return _circle(event.players, number, here)
        draws = [Draw(each.number, tuple(each.pairs), tuple(each.byes)) for each in event.drawn]
        absent = set(event.players) - here
        scores = _Scores(self._event_games(), absent if event.kind == "knockout" else set())
        if event.kind == "knockout":
            draw = next_knockout(event.players, draws, scores)
        else:
            draw = next_swiss(event.players, event.rounds, draws, scores, absent=absent)
        if draw is None:
            return None
        return Round(number=number, pairs=list(draw.pairs), byes=list(draw.byes))

    def standings(self) -> list[Standing]:
        """Return the table of the event, the best first."""
        event = self.event
        if event is None:
            return []
        points = dict.fromkeys(event.players, 0.0)
        tally = {player: [0, 0, 0] for player in event.players}
        opponents: dict[str, list[str]] = {player: [] for player in event.players}
        for each in event.drawn:
            for player in each.byes:
                points[player] += 1
        for played in self._event_games():
            first, second = played.first, played.second
            if played.winner is None or first not in points or second not in points:
                continue
            for player, other, side in ((first, second, 1), (second, first, 2)):
                opponents[player].append(other)
                points[player] += 0.5 if played.winner == 0 else float(played.winner == side)
                tally[player][1 if played.winner == 0 else 0 if played.winner == side else 2] += 1
        rows = []
        for player in event.players:
            member = self.member(player)
            wins, draws, losses = tally[player]
            rows.append(
                Standing(
                    member=player,
                    name=member.name,
                    points=points[player],
                    wins=wins,
                    draws=draws,
                    losses=losses,
                    buchholz=sum(points[other] for other in opponents[player]),
                    is_gone=member.is_gone,
                )
            )
        return sorted(rows, key=lambda row: (-row.points, -row.buchholz, -row.wins, row.name))

    # ---- Classes

    def open_tasks(self, kind: Literal["race", "homework"], items: Sequence[str]) -> None:
        """Give the class tasks; homework starts at once, a race when the host says so."""
        started_ms = now_ms() if kind == "homework" else None
        self.tasks = Tasks(kind=kind, items=list(items), started_ms=started_ms)

    def start_tasks(self) -> None:
        """Start the race, once: times count from the first start."""
        tasks = self._tasks()
        if tasks.started_ms is None:
            tasks.started_ms = now_ms()

    def end_tasks(self) -> None:
        """Take no more results."""
        self._tasks().is_over = True

    def solve(self, member: Member, item: str, *, is_right: bool, at_ms: int) -> None:
        """Write down an attempt at a task that came in at *at_ms*. The first right one counts."""
        tasks = self._tasks()
        if tasks.started_ms is None:
            raise RefusedError(409, "error.not_started")
        if item not in tasks.items:
            raise RefusedError(404, "error.no_task")
        mine = tasks.results.setdefault(member.id, {})
        before = mine.get(item)
        if before and before.is_right:
            return
        tries = 1 + (before.tries if before else 0)
        time_ms = max(0, at_ms - tasks.started_ms)
        mine[item] = Solved(is_right=is_right, time_ms=time_ms, tries=min(tries, 10_000))

    def _tasks(self) -> Tasks:
        if self.tasks is None or self.tasks.is_over:
            raise RefusedError(409, "error.no_tasks")
        return self.tasks


class _Scores:
    """The results of an event as the pairings of tournaments want them."""

    def __init__(self, games: Sequence[Played], out: set[str]) -> None:
        self.out = out
        self._balance = {
            (each.round, each.first, each.second): {1: 1, 2: -1}.get(each.winner or 0, 0)
            for each in games
        }

    def balance(self, pair: tuple[str, str], round_: int) -> int:
        """How many games more the first of a pair has won than the second."""
        return self._balance.get((round_, *pair), 0)


def _circle(players: Sequence[str], number: int, here: set[str]) -> Round:
    """A round of a round robin: all but one go around a table. Those who have gone are not paired."""
    seats: list[str | None] = [*players, *([None] if len(players) % 2 else [])]
    place = len(seats) - number
    turned = [seats[0], *seats[1:][place:], *seats[1:][:place]]
    half = len(turned) // 2
    pairs, byes = [], []
    starters = {frozenset(pair): pair for pair in couples(players, "round-robin")}
    for one, other in zip(turned[:half], reversed(turned[half:]), strict=True):
        pair = [each for each in (one, other) if each is not None and each in here]
        if len(pair) == 2:
            pairs.append(starters[frozenset(pair)])
        elif one is not None and other is not None:
            byes += pair  # the opponent has gone; a round without one is nobody's fault and no point
    return Round(number=number, pairs=pairs, byes=byes)


def new_room(name: str, key: str, *, width: int = 7, height: int = 6, rules: str = "") -> Room:
    """Return a new room; raise a `FourcastError` if its games cannot be played."""
    name = name.strip()
    start = make_game(width=width, height=height, rules=rules, first=name).start
    return Room(
        id=new_id(),
        name=name,
        key_hash=chair_hash(key),
        width=width,
        height=height,
        rules=str(start.rules),
    )


def to_csv(room: Room, what: Literal["standings", "games", "tasks"]) -> str:
    """Return a table as CSV. No cell can be taken for a formula."""
    rows: list[list[object]] = []
    names = {member.id: member.name for member in room.members}
    if what == "standings":
        rows.append(["place", "name", "points", "wins", "draws", "losses", "buchholz"])
        for place, row in enumerate(room.standings(), start=1):
            rows.append([place, row.name, row.points, row.wins, row.draws, row.losses, row.buchholz])
    elif what == "games":
        rows.append(["round", "first", "second", "result", "game"])
        result = {1: "1-0", 2: "0-1", 0: "1/2-1/2", None: ""}
        for played in room.games:
            sides = [names.get(each or "", "computer") for each in (played.first, played.second)]
            rows.append([played.round or "", *sides, result[played.winner], played.id])
    elif room.tasks:
        rows.append(["name", "right", "tries", "seconds", *room.tasks.items])
        for member in room.members:
            mine = room.tasks.results.get(member.id, {})
            right = [each for each in mine.values() if each.is_right]
            last_s = max((each.time_ms for each in right), default=0) / 1000
            cells = [
                ("" if item not in mine else "right" if mine[item].is_right else "wrong")
                for item in room.tasks.items
            ]
            tries = sum(each.tries for each in mine.values())
            rows.append([member.name, len(right), tries, last_s, *cells])
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows([[_cell(each) for each in row] for row in rows])
    return text.getvalue()


def _cell(value: object) -> object:
    return f"'{value}" if isinstance(value, str) and value[:1] in "=+-@\t\r" and value else value


def now_ms() -> int:
    """Return the time in milliseconds since 1970."""
    return time.time_ns() // 1_000_000
