"""What goes over the wire about rooms."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from fourcast.web.rooms.room import (
    MOST_ITEMS,
    Challenge,
    Event,
    EventKind,
    Played,
    Room,
    Seek,
    Standing,
    Tasks,
)
from fourcast.web.schemas import ClockRequest, GameId, Height, Name, RulesText, Token, Width

__all__ = [
    "HostAction",
    "MemberAction",
    "MemberTicket",
    "NewRoom",
    "RoomAnswer",
    "RoomHello",
    "RoomJoin",
    "RoomTicket",
    "RoomView",
    "room_view",
    "seen_by",
]

MemberId = Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]{8}$")]
Item = Annotated[str, Field(pattern=r"^[A-Za-z0-9_.:-]{1,60}$")]
Answer = Annotated[str, Field(max_length=5)]
MOST_ANSWERS = 200


class _Request(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class NewRoom(_Request):
    """A room to be opened."""

    name: Name = ""
    width: Width = 7
    height: Height = 6
    rules: RulesText = ""


class RoomJoin(_Request):
    """Somebody comes in. With the token of an earlier visit they are the same member."""

    name: Name
    token: Token | None = None


class MemberAction(_Request):
    """What a member does. *member* is whom a challenge is for, or whose it answers."""

    kind: Literal["seek", "unseek", "challenge", "accept", "decline", "play-computer", "solve", "leave"]
    member: MemberId | None = None
    clock: ClockRequest | None = None
    player: Annotated[str, Field(max_length=40)] = Field(
        default="level-3", description="of the computer"
    )
    item: Item | None = Field(default=None, description="the task that was tried")
    answers: Annotated[list[Answer], Field(max_length=MOST_ANSWERS)] = Field(
        default_factory=list,
        description="to the task, without the opponent's moves: columns from 1 or squares such as 4/2, "
        "of a lesson those of all its steps in a row",
    )


class HostAction(_Request):
    """What the host does."""

    kind: Literal[
        "open-event",
        "next-round",
        "decide",
        "end-event",
        "open-tasks",
        "start-tasks",
        "end-tasks",
        "remove",
    ]
    format: EventKind = "swiss"
    rounds: Annotated[int | None, Field(ge=1, le=50)] = None
    round: Annotated[int | None, Field(ge=1, le=300)] = Field(
        default=None, description="the round to start; one that has begun is not started again"
    )
    clock: ClockRequest | None = None
    game: GameId | None = None
    winner: Annotated[int, Field(ge=0, le=2)] = 0
    member: MemberId | None = None
    tasks: Literal["race", "homework"] = "race"
    items: Annotated[list[Item], Field(max_length=MOST_ITEMS)] = Field(
        default_factory=list, description="puzzles or lessons, by their names"
    )


class MemberView(BaseModel):
    """Somebody in the room."""

    id: str
    name: str
    is_here: bool = Field(description="connected now")
    is_gone: bool = Field(description="has left, and is not paired")


class RoomView(BaseModel):
    """A room as everybody in it may see it; results of open homework are the host's, or one's own."""

    id: str
    seq: int
    name: str
    width: int
    height: int
    rules: str = Field(description="of all its games; empty for the standard ones")
    members: list[MemberView]
    seeks: list[Seek]
    challenges: list[Challenge]
    games: list[Played] = Field(description="the latest 200, the last one last")
    event: Event | None
    standings: list[Standing]
    tasks: Tasks | None


class RoomTicket(BaseModel):
    """A new room with the host's key, which is not shown again. Anybody who has the key is the host."""

    room: RoomView
    key: Token


class MemberTicket(BaseModel):
    """A room with the secret of a member, which is also that of their games in it."""

    room: RoomView
    member: str
    token: Token


class RoomAnswer(BaseModel):
    """A room after an action, and the games that it has made."""

    room: RoomView
    games: list[str]


class RoomHello(_Request):
    """The first and only message of a client; without a token it watches."""

    token: Token | None = None
    key: Token | None = None


def room_view(room: Room, connected: frozenset[str]) -> RoomView:
    """Return a room as its host may see it."""
    return RoomView(
        id=room.id,
        seq=room.seq,
        name=room.name,
        width=room.width,
        height=room.height,
        rules=room.rules,
        members=[
            MemberView(id=each.id, name=each.name, is_here=each.id in connected, is_gone=each.is_gone)
            for each in room.members
        ],
        seeks=room.seeks,
        challenges=room.challenges,
        games=room.games[-200:],
        event=room.event,
        standings=room.standings(),
        tasks=room.tasks,
    )


def seen_by(view: RoomView, member: str | None, *, is_host: bool) -> RoomView:
    """Return of a room what a member may see, or somebody who only watches (None)."""
    tasks = view.tasks
    if is_host or tasks is None or not tasks.is_private:
        return view
    mine = {each: solved for each, solved in tasks.results.items() if each == member}
    return view.model_copy(update={"tasks": tasks.model_copy(update={"results": mine})})
