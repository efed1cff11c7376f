"""People who play over the API: what a test says in one line."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import httpx2 as httpx
from fastapi.testclient import TestClient

ME: dict[str, Any] = {"kind": "me"}
FRIEND: dict[str, Any] = {"kind": "friend"}


def computer(player: str = "random") -> dict[str, Any]:
    return {"kind": "computer", "player": player}


class Player:
    """Somebody with a ticket."""

    def __init__(self, client: httpx.Client | TestClient, ticket: dict[str, Any]) -> None:
        self.client = client
        self.token: str = ticket["token"]
        self.sides: list[int] = ticket["sides"]
        self.id: str = ticket["game"]["id"]

    @property
    def headers(self) -> dict[str, str]:
        return {"authorization": f"Bearer {self.token}"}

    def post(self, what: str, **content: Any) -> httpx.Response:
        return self.client.post(f"/api/games/{self.id}/{what}", json=content, headers=self.headers)

    def try_move(self, column: int, ply: int, **more: Any) -> httpx.Response:
        return self.post("moves", column=column, ply=ply, **more)

    def move(self, column: int) -> dict[str, Any]:
        answer = self.try_move(column, self.game()["position"]["next_ply"])
        assert answer.status_code == 200, answer.text
        return dict(answer.json())

    def try_act(self, kind: str, **more: Any) -> httpx.Response:
        return self.post("actions", kind=kind, **more)

    def act(self, kind: str, **more: Any) -> dict[str, Any]:
        answer = self.try_act(kind, **more)
        assert answer.status_code == 200, answer.text
        return dict(answer.json())

    def game(self) -> dict[str, Any]:
        answer = self.client.get(f"/api/games/{self.id}")
        assert answer.status_code == 200, answer.text
        return dict(answer.json())

    def moves(self) -> str:
        return str(self.game()["position"]["moves"])

    def in_game(self, game_id: str) -> Player:
        """The same person, with the same secret, in another game."""
        other = Player(self.client, {"token": self.token, "sides": [], "game": {"id": game_id}})
        answer = other.post("join")
        assert answer.status_code == 200, answer.text
        return Player(self.client, answer.json())

    def wait(self, condition: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """Return the game as soon as *condition* holds of it."""
        end_s = time.monotonic() + 30
        while time.monotonic() < end_s:
            game = self.game()
            if condition(game):
                return game
            time.sleep(0.02)
        raise AssertionError(f"it did not happen in 30 s: {game}")

    def wait_for_computer(self) -> dict[str, Any]:
        return self.wait(lambda game: not game["is_thinking"])


def new_game(
    client: httpx.Client | TestClient,
    first: dict[str, Any] = ME,
    second: dict[str, Any] = FRIEND,
    **more: Any,
) -> Player:
    answer = client.post("/api/games", json={"first": first, "second": second, **more})
    assert answer.status_code == 201, answer.text
    return Player(client, answer.json())


def friends(client: httpx.Client | TestClient, **more: Any) -> tuple[Player, Player]:
    """Two people in a live game; the one who made it has the first move."""
    ada = new_game(client, ME | {"name": "Ada"}, **more)
    answer = client.post(f"/api/games/{ada.id}/join", json={"name": "Bo"})
    assert answer.status_code == 200, answer.text
    return ada, Player(client, answer.json())


def play(players: tuple[Player, Player], columns: list[int]) -> None:
    for column in columns:
        ply = players[0].game()["position"]["next_ply"]
        answer = players[ply % 2].try_move(column, ply)
        assert answer.status_code == 200, answer.text
