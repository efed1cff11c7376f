"""`fourcast serve --cup`: a tournament of programs for everybody to see, also while it is played."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from fourcast.errors import OptionError
from fourcast.web import cup
from fourcast.web.app import create_app
from fourcast.web.cup import open_cup
from fourcast.web.settings import Settings
from tests.command import run_text

HOSTILE = "<b onclick=alert(1)>"


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a tournament that is over."""
    folder = tmp_path_factory.mktemp("cup") / "Spring cup"
    players = ["random", "winning", "rated"]
    done = run_text("tournament", *players, "--games", "4", "--out", str(folder), "--seed", "1")
    assert done.returncode == 0, done.stderr
    journal = folder / "journal.jsonl"
    journal.write_text(journal.read_text().replace('"random"', json.dumps(HOSTILE)))
    return folder


def client_of(folder: Path, tmp_path: Path) -> TestClient:
    settings = Settings(cup=str(folder), database_url=f"sqlite:///{tmp_path}/games.db")
    return TestClient(create_app(settings), base_url="http://localhost")


def test_a_tournament_is_shown_while_it_is_played(
    played: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cup, "LEAST_PAUSE_S", 0.0)
    monkeypatch.setattr(cup, "SHARE", 1e9)
    lines = (played / "journal.jsonl").read_bytes().splitlines(keepends=True)
    folder = tmp_path / "running"
    folder.mkdir()
    journal = folder / "journal.jsonl"
    journal.write_bytes(b"".join(lines[:4]) + lines[4][:50])  # a game is being written
    with client_of(folder, tmp_path) as client:
        view: dict[str, Any] = client.get("/api/cup").json()
        assert (view["title"], view["is_over"], view["played"]) == ("running", False, 3)
        assert [game["number"] for game in view["games"]] == [3, 2, 1]
        journal.write_bytes(b"".join(lines))
        view = client.get("/api/cup").json()
        assert view["is_over"]
        assert view["played"] == 12
        assert {line["name"] for line in view["standings"]} == {"rated", "winning", HOSTILE}
        assert sum(line["points"] for line in view["standings"]) == 12
        assert client.get("/cup").status_code == 200
        journal.unlink()
        assert client.get("/api/cup").json()["code"] == "error.no_cup"


def test_many_who_look_read_once(played: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "copy"
    shutil.copytree(played, folder)
    with client_of(folder, tmp_path) as client:
        read = []
        monkeypatch.setattr(cup, "read_journal", lambda path: read.append(path))
        first = client.get("/api/cup").content
        (folder / "journal.jsonl").write_text("")
        assert all(client.get("/api/cup").content == first for _ in range(20))
    assert read == []


def test_a_journal_that_is_too_long_is_not_read(played: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cup, "MOST_BYTES", 1000)
    with pytest.raises(Exception, match="too large to be shown"):
        open_cup(str(played))


def test_without_a_tournament_there_is_nothing_to_see(tmp_path: Path) -> None:
    with pytest.raises(OptionError, match="has no tournament"):
        open_cup(str(tmp_path))
    settings = Settings(database_url=f"sqlite:///{tmp_path}/games.db")
    with TestClient(create_app(settings), base_url="http://localhost") as client:
        answer = client.get("/api/cup")
        assert (answer.status_code, answer.json()["code"]) == (404, "error.no_cup")
        assert client.get("/cup", headers={"accept": "text/html"}).status_code == 404


def test_the_command_says_where_the_tournament_is(tmp_path: Path) -> None:
    done = run_text("serve", "--cup", str(tmp_path), "--port", "0")
    assert done.returncode == 2
    assert "has no tournament" in done.stderr
    assert json.dumps(str(tmp_path))[1:-1] in done.stderr
