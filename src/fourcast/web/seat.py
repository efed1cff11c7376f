"""A client of the server: seats a player or program at a game, or in a room."""

from __future__ import annotations

import json
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

from websockets.exceptions import WebSocketException
from websockets.sync.client import connect

from fourcast.arena.contestant import Contestant
from fourcast.errors import ForfeitError, FourcastError, OptionError
from fourcast.game import Game
from fourcast.notation import parse_rows

__all__ = ["Seat"]

TRIES = 20
"""How often a request is made while the server is restarted, or has no time."""
FIRST_TRIES = 6
"""How often, in eight seconds, if nothing at the address has ever answered."""


class Seat:
    """A player on the server at *server*; *tell* is called with a line for each thing that happens."""

    def __init__(
        self,
        server: str,
        player: str,
        *,
        name: str | None = None,
        move_time_s: float = 5.0,
        tell: Callable[[str], object] = print,
    ) -> None:
        parts = urlsplit(server)
        if parts.scheme not in ("http", "https") or not parts.netloc:
            raise OptionError(f"the address of a server is like http://127.0.0.1:8000, not {server!r}")
        self._http = f"{parts.scheme}://{parts.netloc}"
        self._live = f"{'wss' if parts.scheme == 'https' else 'ws'}://{parts.netloc}"
        self._contestant = Contestant.parse(player)
        self._name = (name or self._contestant.name)[:40]
        self._move_time_s = move_time_s
        self._tell = tell
        self._has_answered = False

    def play_game(self, game_id: str) -> None:
        """Take the open seat of a game and play it to its end."""
        ticket = self._ask(f"/api/games/{game_id}/join", {"name": self._name})
        self._play(game_id, ticket["token"])

    def play_room(self, room_id: str, games: int) -> None:
        """Come into a room and play so many games, sought there or given by an event."""
        ticket = self._ask(f"/api/rooms/{room_id}/join", {"name": self._name})
        me, token = ticket["member"], ticket["token"]
        self._tell(f"{self._name} is in the room")
        played: set[str] = set()
        while len(played) < games:
            room = self._ask(f"/api/rooms/{room_id}")
            waiting = [
                game["id"]
                for game in room["games"]
                if me in (game["first"], game["second"]) and game["winner"] is None
            ]
            waiting = [game_id for game_id in waiting if game_id not in played]
            asked = [each["by"] for each in room["challenges"] if each["to"] == me]
            path = f"/api/rooms/{room_id}/actions"
            if waiting:
                played.add(waiting[0])
                self._play(waiting[0], token)
            elif asked:
                self._ask(path, {"kind": "accept", "member": asked[0]}, token, is_sure=False)
            elif not any(each["member"] == me for each in room["seeks"]):
                self._ask(path, {"kind": "seek"}, token)
            else:
                time.sleep(0.5)
        self._ask(f"/api/rooms/{room_id}/actions", {"kind": "leave"}, token)

    def _play(self, game_id: str, token: str) -> None:
        """Play a game; a lost connection is opened again."""
        player = self._contestant.make(move_time_s=self._move_time_s)
        try:
            while True:
                try:
                    if self._follow(game_id, token, player):
                        return
                except (OSError, WebSocketException):  # noqa: PERF203
                    time.sleep(0.5)
        finally:
            close = getattr(player, "close", None)
            if close:
                close()

    def _follow(self, game_id: str, token: str, player: Any) -> bool:
        with connect(f"{self._live}/api/games/{game_id}/live", proxy=None) as live:
            live.send(json.dumps({"token": token}))
            for text in live:
                message = json.loads(text)
                game, sides = message["game"], message["sides"]
                if game["result"]:
                    self._tell(f"{game_id}: {game['result']['text']}")
                    return True
                view = game["position"]
                kinds = (game["first"]["kind"], game["second"]["kind"])
                if "open" in kinds or view["turn"] not in sides:
                    continue
                start = parse_rows(view["start"]) if view["start"] else None
                size = {} if start else {"width": view["width"], "height": view["height"]}
                position = Game(view["moves"], start=start, **size).position
                try:
                    column = player.choose(position)
                except ForfeitError as error:
                    self._tell(f"{game_id}: {self._name} resigns: {error}")
                    body = {"kind": "resign"}
                    self._ask(f"/api/games/{game_id}/actions", body, token, is_sure=False)
                    continue
                self._tell(f"{game_id}: {self._name} plays {position.move_name(column)}")
                move = {"column": column, "ply": view["next_ply"], "seq": game["seq"]}
                self._ask(f"/api/games/{game_id}/moves", move, token, is_sure=False)
        return False

    def _ask(self, path: str, body: object = None, token: str = "", *, is_sure: bool = True) -> Any:
        """Return an answer; repeat the request while the trouble is a passing one.

        Raises `FourcastError` with what the server says; if not *is_sure*, a conflict is none.
        """
        headers = {"content-type": "application/json"}
        if token:
            headers["authorization"] = f"Bearer {token}"
        content = None if body is None else json.dumps(body).encode()
        tries = 0
        while tries < (TRIES if self._has_answered else FIRST_TRIES):
            if tries:
                time.sleep(min(5.0, 0.125 * 2**tries))
            tries += 1
            request = urllib.request.Request(self._http + path, content, headers)
            try:
                with urllib.request.urlopen(request, timeout=30) as answer:
                    found = json.load(answer)
                self._has_answered = True
                return found
            except urllib.error.HTTPError as error:
                self._has_answered = True
                if error.code == 409 and not is_sure:
                    return None
                if error.code not in (429, 502, 503, 504):
                    said = error.read(10_000)
                    try:
                        why = str(json.loads(said)["detail"])
                    except (ValueError, KeyError, TypeError):
                        why = f"status {error.code}"
                    raise FourcastError(f"{self._http} has no seat for {self._name}: {why}") from None
            except (OSError, ValueError) as error:
                if tries == 1 and is_sure:
                    reason = getattr(error, "reason", error)
                    self._tell(f"{self._http} does not answer ({reason}); trying again")
        raise FourcastError(f"{self._http} does not answer")
