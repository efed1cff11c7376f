"""Several servers on one PostgreSQL are one site, whichever way their news take."""

from __future__ import annotations

import asyncio
import json
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import psycopg
import pytest
from redis import Redis
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from fourcast.errors import FourcastError
from fourcast.web.games import news
from fourcast.web.games.news import Alone, PostgresNews, RedisNews, make_news
from fourcast.web.games.store import Store, Transaction
from fourcast.web.server.limits import Buckets
from fourcast.web.settings import Settings
from tests.web.people import FRIEND, ME, Player, computer, friends, new_game, play
from tests.web.postgresql import PostgreSql, RedisServer
from tests.web.server import Server
from tests.web.test_rooms import Host, Person

WAYS = ["postgresql", pytest.param("redis", marks=pytest.mark.slow)]


@pytest.fixture(scope="module")
def postgresql() -> Iterator[PostgreSql]:
    server = PostgreSql()
    yield server
    server.close()


@pytest.fixture(scope="module")
def redis() -> Iterator[RedisServer]:
    server = RedisServer()
    yield server
    server.close()


class Site:
    """Two servers on one database."""

    def __init__(self, folder: Path, address: str, **settings: str) -> None:
        self.address = address
        self.redis_url = settings.get("FOURCAST_REDIS_URL", "")
        folders = [folder / "one", folder / "other"]
        for each in folders:
            each.mkdir()
        with ThreadPoolExecutor(2) as threads:
            starting = [threads.submit(Server, each, address, **settings) for each in folders]
            self.servers = [server.result() for server in starting]
        self.clients = [server.client() for server in self.servers]

    def close(self) -> None:
        for client in self.clients:
            client.close()
        for server in self.servers:
            server.__exit__(None, None, None)

    def friends(self) -> tuple[Player, Player]:
        """Two people, each on their own server."""
        ada, bo = friends(self.clients[0])
        bo.client = self.clients[1]
        return ada, bo

    def cut_news(self) -> int:
        """Cut the connections for news, and return how many there were."""
        if self.redis_url:
            with Redis.from_url(self.redis_url) as redis:
                return int(redis.client_kill_filter(_type="pubsub"))
        cut = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
        return len(self.sql(f"{cut} WHERE application_name = 'fourcast news'"))

    def sql(self, statement: str) -> list[Any]:
        with psycopg.connect(self.address, autocommit=True) as connection:
            return connection.execute(statement.encode()).fetchall()


@pytest.fixture(scope="module", params=WAYS)
def site(
    request: pytest.FixtureRequest, postgresql: PostgreSql, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Site]:
    settings = {}
    if request.param == "redis":
        settings["FOURCAST_REDIS_URL"] = request.getfixturevalue("redis").url
    site = Site(tmp_path_factory.mktemp(request.param), postgresql.new_database(), **settings)
    yield site
    site.close()


@contextmanager
def watching(server: Server, game_id: str, token: str | None = None) -> Iterator[ClientConnection]:
    with connect(f"ws://127.0.0.1:{server.port}/api/games/{game_id}/live", proxy=None) as live:
        live.send(json.dumps({"token": token} if token else {}))
        yield live


def at_ply(ply: int) -> Callable[[dict[str, Any]], bool]:
    return lambda game: bool(game["position"]["ply"] == ply)


def until(live: ClientConnection, wanted: Callable[[dict[str, Any]], object]) -> dict[str, Any]:
    """The first state that is as wanted."""
    end_s = time.monotonic() + 20
    while True:
        game: dict[str, Any] = json.loads(live.recv(timeout=end_s - time.monotonic()))["game"]
        if wanted(game):
            return game


def test_a_move_reaches_every_browser_whichever_server_it_hangs_on(site: Site) -> None:
    ada, bo = site.friends()
    with (
        watching(site.servers[0], ada.id, ada.token) as here,
        watching(site.servers[1], bo.id, bo.token) as there,
        watching(site.servers[1], bo.id) as spectator,
    ):
        for ply, column in enumerate([3, 3, 2, 2, 4, 1, 5]):
            (ada, bo)[ply % 2].move(column)
            for live in (here, there, spectator):
                until(live, at_ply(ply + 1))


def test_who_is_there_is_seen_on_all_servers(site: Site) -> None:
    ada, bo = site.friends()
    with watching(site.servers[0], ada.id, ada.token) as here:
        until(here, lambda game: game["first"]["is_connected"] and not game["second"]["is_connected"])
        with watching(site.servers[1], bo.id, bo.token) as there, watching(site.servers[1], bo.id):
            until(here, lambda game: game["second"]["is_connected"] and game["spectators"] == 1)
            until(there, lambda game: game["first"]["is_connected"] and game["spectators"] == 1)
            assert ada.game()["second"]["is_connected"]
            assert bo.game()["first"]["is_connected"]
        until(here, lambda game: not game["second"]["is_connected"] and game["spectators"] == 0)


@pytest.mark.slow  # some beats of five seconds
def test_who_is_in_a_room_is_told_again_when_the_other_servers_have_forgotten_it(site: Site) -> None:
    here, there = site.clients
    host = Host(here)
    ada = Person(here, host.id, "Ada")

    def is_here() -> bool:
        (member,) = there.get(f"/api/rooms/{host.id}").json()["members"]
        return bool(member["is_here"])

    def wait_until_here() -> None:
        end_s = time.monotonic() + 30
        while not is_here():
            assert time.monotonic() < end_s
            time.sleep(0.1)

    address = f"ws://127.0.0.1:{site.servers[0].port}/api/rooms/{host.id}/live"
    with connect(address, proxy=None) as live:
        live.send(json.dumps({"token": ada.token}))
        wait_until_here()
        # As another server does that has heard nothing of this one for some beats.
        assert site.sql("DELETE FROM fourcast_servers RETURNING id")
        site.sql("DELETE FROM fourcast_presence RETURNING game_id")
        assert not is_here()
        wait_until_here()


def test_moves_for_one_ply_on_both_servers_are_one_move(site: Site) -> None:
    """Both change the same games at once, again and again: one counts, nobody waits, nothing fails."""
    games = [site.friends() for _ in range(8)]

    def race(place: int) -> list[int]:
        statuses = []
        for ply in range(6):
            for ada, bo in games:
                player = (ada, bo)[ply % 2]
                mover = Player(
                    site.clients[place], {"token": player.token, "sides": [], "game": {"id": player.id}}
                )
                statuses.append(mover.try_move((ply + place) % 7, ply).status_code)
        return statuses

    with ThreadPoolExecutor(2) as threads:
        statuses = [status for some in threads.map(race, (0, 1)) for status in some]
    assert set(statuses) <= {200, 409}
    assert statuses.count(200) >= 6 * len(games)
    for ada, bo in games:
        assert ada.game()["position"]["ply"] == 6
        assert ada.moves() == bo.moves()


def test_the_computer_answers_once_and_on_the_other_server_too(site: Site) -> None:
    me = new_game(site.clients[0], ME, computer("level-1"))
    with watching(site.servers[1], me.id) as there:
        me.move(3)
        until(there, at_ply(2))
    assert me.game()["position"]["ply"] == 2


@pytest.mark.slow  # servers notice each other after some beats
def test_new_games_of_an_address_count_on_all_servers(postgresql: PostgreSql, tmp_path: Path) -> None:
    limits = {"FOURCAST_GAME_BURST": "12", "FOURCAST_GAMES_PER_MINUTE": "0.1"}
    both = Site(tmp_path, postgresql.new_database(), **limits)
    try:
        end_s = time.monotonic() + 60
        while not all("servers on this database" in server.log.read_text() for server in both.servers):
            assert time.monotonic() < end_s
            time.sleep(0.1)
        for _ in range(12):
            new_game(both.clients[0])
        statuses = []
        while time.monotonic() < end_s and 429 not in statuses:
            time.sleep(0.5)
            body = {"first": ME, "second": FRIEND}
            statuses.append(both.clients[1].post("/api/games", json=body).status_code)
        assert statuses.count(201) < 8
        assert statuses[-1] == 429
    finally:
        both.close()


def test_news_that_were_not_heard_do_no_harm(site: Site) -> None:
    """The connection for news is cut: the server opens another one and reads what it has missed."""
    ada, bo = site.friends()
    with watching(site.servers[1], bo.id, bo.token) as there:
        until(there, lambda game: game["seq"] >= 1)
        for ply in range(6):
            killed = site.cut_news()
            (ada, bo)[ply % 2].move(ply)
            until(there, at_ply(ply + 1))
            assert killed or ply


def test_a_server_that_is_killed_loses_nothing_and_its_clients_go_on_on_another(site: Site) -> None:
    ada, bo = site.friends()
    play((ada, bo), [3, 3, 2])
    with (
        watching(site.servers[0], ada.id, ada.token) as here,
        watching(site.servers[1], bo.id, bo.token) as there,
    ):
        until(there, at_ply(3))
        site.servers[1].kill()
        with pytest.raises(ConnectionClosed):
            until(there, lambda _: False)
        begin_s = time.monotonic()
        bo.client = site.clients[0]
        with watching(site.servers[0], bo.id, bo.token) as again:
            assert until(again, lambda _: True)["position"]["moves"] == "443"
            bo.move(2)
            until(here, at_ply(4))
        assert time.monotonic() - begin_s < 3
    site.servers[1].start()
    ada.client = site.clients[1]
    ada.move(4)
    assert bo.moves() == "44335"


@pytest.mark.slow  # the next look is up to ten seconds away
def test_redis_that_is_killed_stops_no_game(postgresql: PostgreSql, tmp_path: Path) -> None:
    """Moves are stored without it; those on the other server are seen at the next look."""
    own = RedisServer()
    site = Site(tmp_path, postgresql.new_database(), FOURCAST_REDIS_URL=own.url)
    try:
        ada, bo = site.friends()
        with watching(site.servers[1], bo.id, bo.token) as there:
            until(there, lambda _: True)
            own.kill()
            ada.move(3)
            until(there, at_ply(1))
            own.start()
            bo.move(3)
            ada.move(2)
            until(there, at_ply(3))
    finally:
        site.close()
        own.close()


def test_an_event_in_a_room_survives_the_death_of_a_server(site: Site) -> None:
    """Eight people on two servers, a latecomer, a leaver, and a server killed between rounds."""
    host = Host(site.clients[0])
    people = [Person(site.clients[number % 2], host.id, f"P{number}") for number in range(8)]
    host.act("open-event", format="swiss", rounds=3)
    for number in range(3):
        by_id = {person.id: person for person in people}
        made = host.act("next-round")
        assert len(made["games"]) == 4
        with connect(
            f"ws://127.0.0.1:{site.servers[0].port}/api/rooms/{host.id}/live", proxy=None
        ) as screen:
            screen.send("{}")
            for played in made["room"]["games"][-4:]:
                by_id[played["second"]].player(played["id"]).act("resign")
            room = json.loads(screen.recv(20))["room"]
            while any(played["winner"] is None for played in room["games"]):
                room = json.loads(screen.recv(20))["room"]
        if number == 0:
            people.append(Person(site.clients[1], host.id, "Late"))
            site.servers[1].kill()
            for person in people:
                person.client = site.clients[0]
            people.pop(3).act("leave")
    site.servers[1].start()
    standings = host.act("next-round")["room"]["standings"]
    assert len(standings) == 9
    assert sum(row["points"] for row in standings) == 12
    assert sum(row["is_gone"] for row in standings) == 1


# ---- The parts


def test_a_payload_has_as_many_words_as_fit() -> None:
    words = [f"{number:012}:7" for number in range(2_000)]
    payloads = list(news._payloads(words))
    assert " ".join(payloads).split() == words
    assert 1 < len(payloads) < 6
    assert max(map(len, payloads)) <= news.MOST_BYTES
    assert list(news._payloads([])) == []


@pytest.mark.parametrize("way", ["postgresql", "redis"])
def test_news_arrive_once_connected_and_a_connection_is_said_to_be_new(
    way: str, postgresql: PostgreSql, redis: RedisServer
) -> None:
    """The same of every way: told as connected, then each word, in order."""
    address = postgresql.new_database()
    url = Settings.from_environment({"FOURCAST_DATABASE_URL": address}).database_url
    heard: list[str] = []
    connected = threading.Event()

    async def run() -> None:
        told = make_news(url, redis.url if way == "redis" else "")
        assert isinstance(told, RedisNews if way == "redis" else PostgresNews)
        store = Store(url, told)
        told.listen(lambda words: heard.extend(words), connected.set)
        while not connected.is_set():
            await asyncio.sleep(0.01)
        for number in range(50):
            write = partial(Transaction.tell, words=[f"game:{number}"])
            await asyncio.to_thread(store.write, [write])
        end_s = time.monotonic() + 20
        while len(heard) < 50 and time.monotonic() < end_s:
            await asyncio.sleep(0.01)
        await told.close()
        store.close()

    asyncio.run(run())
    assert heard == [f"game:{number}" for number in range(50)]


def test_sqlite_has_no_news_and_redis_does_not_make_it_shared(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/games.db"
    assert isinstance(make_news(url), Alone)
    assert not make_news(url).is_shared
    with pytest.raises(FourcastError, match="several servers need PostgreSQL"):
        make_news(url, "redis://127.0.0.1/0")


def test_what_another_server_has_given_out_is_not_there_any_more() -> None:
    here, there = Buckets(1, 10), Buckets(1, 10)
    for _ in range(7):
        assert not here.take("a")
    assert here.taken() == {"a": 7}
    assert here.taken() == {}
    there.spend("a", 7)
    assert [bool(there.take("a")) for _ in range(4)] == [False, False, False, True]
    there.spend("b", 1_000)
    assert 0 < there.take("b") <= 1
