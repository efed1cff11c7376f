"""Scores for programs: one position as gamesolver.org answers, and many at once."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from fourcast import Solver
from fourcast.web.routes.solve import MAX_POSITIONS
from tests.web.server import Server

PAGE = Path(__file__).resolve().parent.parent.parent / "docs" / "web.md"


@pytest.fixture(scope="module")
def client(shared_client: TestClient) -> TestClient:
    return shared_client


def wanted(moves: str, width: int = 7, height: int = 6) -> list[int]:
    position_scores = Solver().column_scores([moves], width=width, height=height)[0].tolist()
    return [100 if score == -128 else score for score in position_scores]


def test_a_position_is_answered_as_users_of_gamesolver_know_it(client: TestClient) -> None:
    for moves in ("", "4455", "444444"):
        answer = client.get("/solve", params={"pos": moves})
        assert answer.json() == {"pos": moves, "score": wanted(moves)}
    assert client.get("/solve").json()["score"] == [-2, -1, 0, 1, 0, -1, -2]
    assert client.get("/solve", params={"pos": "1212121"}).json()["score"] == [100] * 7


def test_many_positions_are_answered_in_order(client: TestClient) -> None:
    moves = ["4455", "44455554221", "444444"]
    answer = client.post("/api/solve", json={"positions": moves})
    assert answer.json() == [{"pos": each, "score": wanted(each)} for each in moves]
    small = ["1122", "44"]
    answer = client.post("/api/solve", json={"positions": small, "width": 4, "height": 4})
    assert [each["score"] for each in answer.json()] == [wanted(each, 4, 4) for each in small]


@pytest.mark.parametrize(
    "body",
    [
        {"positions": []},
        {"positions": ["4"] * (MAX_POSITIONS + 1)},
        {"positions": ["4", "88"]},
        {"positions": ["4" * 500]},
        {"positions": "4455"},
        {"positions": [None]},
        {"positions": ["4"], "width": 99},
        {},
        [],
    ],
)
def test_nonsense_is_refused_with_a_sentence(client: TestClient, body: Any) -> None:
    answer = client.post("/api/solve", json=body)
    assert answer.status_code == 400
    assert len(answer.json()["detail"]) > 10
    for pos in ("8", "4444444", "x" * 1000):
        assert client.get("/solve", params={"pos": pos}).status_code == 400


def test_the_openapi_description_has_both(client: TestClient) -> None:
    paths = client.get("/api/openapi.json").json()["paths"]
    assert "get" in paths["/solve"]
    assert paths["/api/solve"]["post"]["requestBody"]


def test_the_client_of_the_docs_works(tmp_path: Path) -> None:
    found = re.search(r"### A client\n.*?```python\n(.*?)```", PAGE.read_text(), re.S)
    assert found
    assert len(found[1].splitlines()) <= 10
    with Server(tmp_path) as server:
        code = found[1].replace("http://localhost:8000", server.url)
        run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout == "4455 [-4, -3, 18, 2, 2, 18, -3]\n444444 [-1, 0, 1, 100, 1, 0, -1]\n"
