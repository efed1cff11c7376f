"""Real servers: raced against, restarted, ended, and killed under load."""

from __future__ import annotations

import json
import random
import signal
import sqlite3
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Any

import httpx2 as httpx
import pytest

from fourcast import Position
from tests.web.people import ME, Player, computer, friends, new_game, play
from tests.web.server import Server

KILLS = 50


def test_of_many_posts_for_one_ply_one_counts(tmp_path: Path) -> None:
    with Server(tmp_path) as server, server.client() as client:
        both = new_game(client, ME, ME)

        def post(column: int, ply: int) -> int:
            with server.client() as other:
                mine = Player(other, {"token": both.token, "sides": [1, 2], "game": {"id": both.id}})
                return mine.try_move(column, ply).status_code

        for ply in range(6):
            with ThreadPoolExecutor(16) as pool:
                codes = list(pool.map(post, [number % 7 for number in range(16)], [ply] * 16))
            played = int(both.moves()[ply]) - 1
            # The same column repeated is the acknowledged move again.
            right = [code for number, code in enumerate(codes) if number % 7 == played]
            assert set(right) == {200}
            assert codes.count(200) == len(right)
            assert codes.count(409) == 16 - len(right)
            assert len(both.moves()) == ply + 1


@pytest.mark.slow
def test_a_database_that_another_process_has_locked_is_503_and_no_reason_to_stay(tmp_path: Path) -> None:
    with Server(tmp_path, FOURCAST_SHUTDOWN_S="5") as server, server.client() as client:
        both = new_game(client, ME, ME)
        with closing(sqlite3.connect(tmp_path / "games.db", isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")

            def post(_: int) -> tuple[int, float]:
                begin_s = time.monotonic()
                with server.client() as one:
                    mine = Player(one, {"token": both.token, "sides": [1, 2], "game": {"id": both.id}})
                    return mine.try_move(3, 0).status_code, time.monotonic() - begin_s

            with ThreadPoolExecutor(8) as pool:
                answers = list(pool.map(post, range(8)))
            assert {status for status, _ in answers} == {503}
            assert max(seconds for _, seconds in answers) < 5
            assert client.get("/healthz").status_code == 200
            begin_s = time.monotonic()
            server.stop()
            assert time.monotonic() - begin_s < 6


@pytest.mark.slow
def test_a_restart_loses_nothing(tmp_path: Path) -> None:
    with Server(tmp_path) as server, server.client() as client:
        ada, bo = friends(client)
        play((ada, bo), [3, 3, 2])
        ada.act("offer-draw")
        before = ada.game()
        assert server.stop() in (0, -signal.SIGTERM)
        server.start()
        assert ada.game() == before
        assert bo.act("accept-draw")["result"]["termination"] == "agreement"


@pytest.mark.slow
def test_the_computer_goes_on_by_itself_after_a_restart(tmp_path: Path) -> None:
    settings = {"FOURCAST_MOVE_TIME_S": "3"}
    with Server(tmp_path, **settings) as server, server.client() as client:
        me = new_game(client, ME, computer("perfect"), width=9, height=7)
        assert me.move(4)["is_thinking"] is True
        server.kill()
        server.start()
        assert me.game()["is_thinking"] is True
        assert me.wait_for_computer()["position"]["ply"] == 2


@pytest.mark.parametrize("sign", [signal.SIGTERM, pytest.param(signal.SIGINT, marks=pytest.mark.slow)])
def test_a_server_that_is_told_to_end_does_so_with_sockets_open_and_a_search_under_way(
    tmp_path: Path, sign: signal.Signals
) -> None:
    from websockets.exceptions import ConnectionClosed
    from websockets.sync.client import connect

    with Server(tmp_path) as server, server.client() as client:
        me = new_game(client, ME, computer("perfect"), width=9, height=7)
        with connect(f"ws://127.0.0.1:{server.port}/api/games/{me.id}/live") as live:
            live.send("{}")
            live.recv(10)
            me.move(4)
            begin_s = time.monotonic()
            server.process.send_signal(sign)
            with pytest.raises(ConnectionClosed) as closed:
                list(live)
            assert closed.value.rcvd is not None
            assert closed.value.rcvd.code == 1012  # the server restarts: come again
        status = server.process.wait(20)
        assert status in (0, -sign, 128 + sign)
        assert time.monotonic() - begin_s < 15
        lines = [json.loads(line) for line in server.log.read_text().splitlines()]
        assert [line for line in lines if line["level"] in ("error", "critical")] == []


# ---- kill -9


class Load:
    """People who play as fast as they can, and remember what they were told."""

    def __init__(self, server: Server, games: int) -> None:
        self.server = server
        self.acknowledged: dict[str, list[int]] = {}
        self.is_over = False
        with server.client() as client:
            self.players = [new_game(client, ME, ME) for _ in range(games)]
        for player in self.players:
            self.acknowledged[player.id] = []

    def play(self, number: int) -> None:
        chance = random.Random(number)
        while not self.is_over:
            try:
                with self.server.client() as client:
                    while not self.is_over:
                        self._move(client, number, chance)
            except httpx.TransportError:  # noqa: PERF203
                time.sleep(0.1)  # killed; it will be back

    def wait_for_moves(self, number: int) -> None:
        """Wait for that number of further moves: on a busy machine they take longer."""
        wanted = self.count() + number
        end_s = time.monotonic() + 60
        while self.count() < wanted:
            assert time.monotonic() < end_s, "nobody plays"
            time.sleep(0.001)

    def count(self) -> int:
        """Return how many moves were acknowledged."""
        return sum(len(told) for told in list(self.acknowledged.values()))

    def _move(self, client: httpx.Client, number: int, chance: random.Random) -> None:
        player = self.players[number]
        told = self.acknowledged[player.id]
        position = Position.from_columns(told)
        if position.is_over:
            self.players[number] = new_game(client, ME, ME)
            self.acknowledged[self.players[number].id] = []
            return
        column = chance.choice(list(position.legal_columns))
        mine = Player(client, {"token": player.token, "sides": [1, 2], "game": {"id": player.id}})
        answer = mine.try_move(column, len(told))
        if answer.status_code == 200:
            told.append(column)
        elif answer.status_code == 409:  # stored, but killed before we were told: that may be
            stored = columns_of(answer.json()["game"])
            assert stored[: len(told)] == told
            assert len(stored) == len(told) + 1
            told.append(stored[-1])
        else:
            raise AssertionError(answer.text)


def columns_of(game: dict[str, Any]) -> list[int]:
    return [int(name) - 1 for name in game["position"]["moves"]]


def lose_nothing(folder: Path, kills: int, games: int = 12, database: str | None = None) -> int:
    """Kill a server under load, again and again; return how many moves were acknowledged."""
    with Server(folder, database) as server:
        load = Load(server, games)
        with ThreadPoolExecutor(games) as pool:
            playing = [pool.submit(load.play, number) for number in range(games)]
            chance = random.Random(7)
            try:
                for _ in range(kills):
                    load.wait_for_moves(chance.randint(5, 40))
                    server.kill()
                    server.start()
            finally:
                load.is_over = True
            for player in playing:
                player.result(60)
        with server.client() as client:
            for game_id, told in load.acknowledged.items():
                stored = columns_of(client.get(f"/api/games/{game_id}").json())
                assert stored[: len(told)] == told
                assert len(stored) <= len(told) + 1  # one may have been stored and never acknowledged
    return load.count()


def test_no_acknowledged_move_is_lost_when_the_server_is_killed(tmp_path: Path) -> None:
    assert lose_nothing(tmp_path, kills=2, games=4) >= 10


@pytest.mark.slow
def test_no_acknowledged_move_is_lost_in_fifty_kills(tmp_path: Path) -> None:
    moves = lose_nothing(tmp_path, KILLS)
    print(f"{moves} acknowledged moves, {KILLS} kills, none lost")
    assert moves >= 5 * KILLS
    assert threading.active_count() < 50
