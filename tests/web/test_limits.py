"""What the server lets in, and how much of it."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from dataclasses import replace

import pytest
from fastapi.testclient import TestClient

from fourcast.web.app import create_app
from fourcast.web.server.addresses import Addresses, client_address
from fourcast.web.server.limits import Buckets
from fourcast.web.settings import Settings
from tests.web.people import FRIEND, ME, friends

NEW = {"first": ME, "second": FRIEND}
JSON = {"content-type": "application/json"}


# ---- Bodies


def test_a_body_that_is_too_long_is_413(client: TestClient) -> None:
    answer = client.post("/api/games", content=b"x" * 200_000, headers=JSON)
    assert answer.status_code == 413
    assert "131072" in answer.json()["detail"]


def test_a_body_that_does_not_say_how_long_it_is_is_413_as_well(client: TestClient) -> None:
    def chunks() -> Iterator[bytes]:
        for _ in range(200):
            yield b"x" * 1_000

    answer = client.post("/api/games", content=chunks(), headers=JSON)
    assert answer.status_code == 413


def test_a_body_in_chunks_that_is_short_enough_is_read(client: TestClient) -> None:
    answer = client.post("/api/games", content=iter([json.dumps(NEW).encode()]), headers=JSON)
    assert answer.status_code == 201


def test_hundreds_of_broken_bodies_are_refused_and_nothing_breaks(settings: Settings) -> None:
    chance = random.Random(1)
    good = json.dumps(NEW).encode()
    app = create_app(replace(settings, request_burst=10_000, game_burst=10_000))
    with TestClient(app, base_url="http://localhost", raise_server_exceptions=False) as client:
        ada, _ = friends(client)
        targets = ["/api/games", f"/api/games/{ada.id}/join"]
        targets += [f"/api/games/{ada.id}/{what}" for what in ("moves", "actions")]
        targets.append("/api/position")
        codes = set()
        for number in range(300):
            body = broken_body(chance, good, number)
            headers = JSON | ada.headers if number % 2 else JSON
            answer = client.post(chance.choice(targets), content=body, headers=headers)
            codes.add(answer.status_code)
            assert isinstance(answer.json()["detail"], str), body
        assert codes <= {400, 401, 409, 413, 422}
        assert client.get("/healthz").status_code == 200
        assert ada.moves() == ""


def broken_body(chance: random.Random, good: bytes, number: int) -> bytes:
    """Return a body that is no request: noise, a good one damaged, or well-formed nonsense."""
    match number % 5:
        case 0:
            return chance.randbytes(chance.randint(1, 2_000))
        case 1:
            return good[: chance.randrange(len(good))]
        case 2:
            damaged = bytearray(good)
            for _ in range(3):
                damaged[chance.randrange(len(damaged))] = chance.choice(b'\x00\xff{}[]":,\\')
            return b"!" + bytes(damaged)
        case 3:
            return chance.choice(
                [b"[" * 50_000, b'{"a":' * 5_000, b"9" * 10_000, b"1e999", b"NaN", b'"\\ud800"']
            )
        case _:
            values: list[object] = [None, True, -1, 1.5, "", "\ud800", [], {}, 10**30]
            keys = ["first", "second", "column", "ply", "kind", "name", "\ud800", "side", "token"]
            return json.dumps(
                {chance.choice(keys): chance.choice(values) for _ in range(3)} | {"x": 1}
            ).encode()


# ---- Rates


def test_too_many_requests_are_429_and_told_when_to_come_back(settings: Settings) -> None:
    app = create_app(replace(settings, requests_per_s=0.5, request_burst=3))
    with TestClient(app, base_url="http://localhost") as client:
        codes = [client.get("/api/games/abcdefghijkl").status_code for _ in range(4)]
        assert codes == [404, 404, 404, 429]
        answer = client.get("/api/games/abcdefghijkl")
        assert answer.headers["retry-after"] in ("1", "2")
        assert client.get("/healthz").status_code == 200


def test_new_games_have_a_limit_of_their_own(settings: Settings) -> None:
    app = create_app(replace(settings, games_per_minute=1, game_burst=2))
    with TestClient(app, base_url="http://localhost") as client:
        codes = [client.post("/api/games", json=NEW).status_code for _ in range(3)]
        assert codes == [201, 201, 429]
        assert 50 <= int(client.post("/api/games", json=NEW).headers["retry-after"]) <= 60


def test_a_bucket_fills_again() -> None:
    buckets = Buckets(per_s=2, burst=3)
    assert [buckets.take("a", 0.0) for _ in range(4)] == [0, 0, 0, 0.5]
    assert buckets.take("b", 0.0) == 0
    assert buckets.take("a", 0.5) == 0
    assert buckets.take("a", 0.5) == 0.5
    assert [buckets.take("a", 100.0) for _ in range(4)] == [0, 0, 0, 0.5]


def test_no_more_addresses_are_remembered_than_there_is_room_for() -> None:
    buckets = Buckets(per_s=1, burst=1)
    for number in range(buckets.MOST + 10):
        buckets.take(str(number), 0.0)
    assert len(buckets._levels) == buckets.MOST


@pytest.mark.parametrize(
    ("client", "forwarded", "trusted", "untrusted"),
    [
        ("1.2.3.4", None, "1.2.3.4", "1.2.3.4"),
        ("10.0.0.1", "6.6.6.6, 1.2.3.4", "1.2.3.4", "10.0.0.1"),
        ("10.0.0.1", "1.2.3.4:5678", "1.2.3.4", "10.0.0.1"),
        ("10.0.0.1", "6.6.6.6,  1.2.3.4:1 ", "1.2.3.4", "10.0.0.1"),
        ("10.0.0.1", "[2001:db8:0:7::99]:443", "2001:db8:0:7::", "10.0.0.1"),
        ("10.0.0.1", '"[2001:db8:0:7::98]"', "2001:db8:0:7::", "10.0.0.1"),
        ("10.0.0.1", "2001:db8:0:7::97", "2001:db8:0:7::", "10.0.0.1"),
        ("10.0.0.1", "fe80::1%eth0", "fe80::", "10.0.0.1"),
        ("10.0.0.1", "::ffff:1.2.3.4", "1.2.3.4", "10.0.0.1"),
        ("10.0.0.1", "nonsense", "10.0.0.1", "10.0.0.1"),
        ("10.0.0.1", "x" * 10_000, "10.0.0.1", "10.0.0.1"),
        ("2001:db8::1234:1", None, "2001:db8::", "2001:db8::"),
        ("::ffff:1.2.3.4", None, "1.2.3.4", "1.2.3.4"),
    ],
)
def test_requests_are_counted_for_who_makes_them(
    client: str, forwarded: str | None, trusted: str, untrusted: str
) -> None:
    headers = [(b"x-forwarded-for", forwarded.encode())] if forwarded else []
    scope = {"type": "http", "client": (client, 1), "headers": headers}
    assert client_address(scope, trust_proxy=True) == trusted
    assert client_address(scope, trust_proxy=False) == untrusted


# ---- Where from


@pytest.mark.parametrize(
    "host",
    ["localhost", "localhost:8000", "127.0.0.1:8000", "[::1]:8000", "192.168.1.7", "play.example.org"],
)
def test_the_server_is_known_by_its_names(host: str) -> None:
    assert Addresses(Settings(origins=("https://play.example.org",))).knows(host)


@pytest.mark.parametrize(
    "host",
    ["", "evil.example", "localhost.evil.example", "127.0.0.1.evil.example", "a@localhost", "[::1"],
)
def test_a_name_that_is_not_ours_is_refused(client: TestClient, host: str) -> None:
    assert not Addresses(Settings()).knows(host)
    answer = client.get("/", headers={"host": host})
    assert answer.status_code == 400
    assert "FOURCAST_ORIGINS" in answer.json()["detail"]


WRONG_ORIGINS = [
    "null",
    "",
    "file://",
    "http://evil.example",
    "https://evil.example",
    "http://localhost.evil.example",
    "http://evil.example/localhost",
    "http://localhost:1",
    "http://localhost@evil.example",
    "http://evil.example#localhost",
    "http://127.0.0.1",  # while the page was asked of localhost
    "ftp://localhost",
]


@pytest.mark.parametrize("origin", WRONG_ORIGINS)
def test_a_page_of_another_site_changes_nothing(client: TestClient, origin: str) -> None:
    answer = client.post("/api/games", json=NEW, headers={"origin": origin})
    assert answer.status_code == 403


@pytest.mark.parametrize("origin", ["http://localhost", "https://localhost", "http://localhost:80"])
def test_our_own_page_makes_games(client: TestClient, origin: str) -> None:
    assert client.post("/api/games", json=NEW, headers={"origin": origin}).status_code == 201


def test_a_page_behind_a_proxy_is_ours_if_the_settings_say_so(settings: Settings) -> None:
    app = create_app(replace(settings, origins=("https://play.example.org",)))
    headers = {"origin": "https://play.example.org"}
    with TestClient(app, base_url="http://127.0.0.1:8000") as client:
        assert client.post("/api/games", json=NEW, headers=headers).status_code == 201
        headers |= {"host": "play.example.org"}
        assert client.post("/api/games", json=NEW, headers=headers).status_code == 201
