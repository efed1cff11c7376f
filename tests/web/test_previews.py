"""What a link shows in a chat: the board's picture, a title and a sentence."""

from __future__ import annotations

import re
from html import unescape
from typing import Any

from fastapi.testclient import TestClient


def tags(client: TestClient, path: str, **headers: str) -> dict[str, str]:
    page = client.get(path, headers=headers).text
    found = re.findall(r'<meta property="([\w:]+)" content="([^"]*)">', page)
    assert page.count("</head>") == 1
    return {name: unescape(text) for name, text in found}


def test_a_link_to_a_position_has_its_picture(client: TestClient) -> None:
    found = tags(client, "/board?moves=4455&at=3")
    assert found["og:title"] == "Connect Four"
    assert found["og:description"] == "Yellow to move after 3 moves, red was last in column 5."
    picture = client.get(found["og:image"])
    assert picture.status_code == 200
    assert picture.headers["content-type"] == "image/png"
    assert "moves=445&" in found["og:image"]
    start = tags(client, "/board?start=..../..../..../XO..&moves=1")
    assert client.get(start["og:image"]).status_code == 200


def test_a_link_to_a_game_names_the_players_and_nothing_becomes_markup(client: TestClient) -> None:
    seats: dict[str, Any] = {
        "first": {"kind": "me", "name": '"><script>'},
        "second": {"kind": "computer", "player": "level-1"},
    }
    ticket = client.post("/api/games", json=seats).json()
    path = f"/game/{ticket['game']['id']}"
    assert tags(client, path)["og:title"].startswith('"><script> against ')
    assert "<script>" not in client.get(path).text.partition('property="og:title"')[2][:200]
    assert client.get(tags(client, path)["og:image"]).status_code == 200


def test_a_link_names_the_size_in_one_word(client: TestClient) -> None:
    picture = tags(client, "/board?moves=a&size=10x7")["og:image"]
    assert "width=10&height=7" in picture
    assert tags(client, "/board?moves=a&width=10&height=7")["og:image"] == picture


def test_other_pages_have_no_tags(client: TestClient) -> None:
    wrong = ("/", "/board", "/board?moves=9", "/board?moves=4&width=x", "/game/nosuchgame123", "/game/x")
    sizes = ("/board?moves=4&size=7", "/board?moves=4&size=7xx", "/board?moves=4&size=7x6x5")
    for path in (*wrong, *sizes, "/board?start=ZZ", f"/board?moves={'4' * 5000}"):
        assert client.get(path).status_code == 200
        assert tags(client, path) == {}
