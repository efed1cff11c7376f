"""The app as a whole: pages, headers, errors, logs."""

from __future__ import annotations

import importlib.util
import json
import logging
import os
import re
import sqlite3
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from fourcast import __version__
from fourcast.web.app import create_app
from fourcast.web.games import service
from fourcast.web.routes import pages
from fourcast.web.server.logs import JsonLines
from fourcast.web.settings import Settings
from tests.web.people import friends
from tests.web.server import Server

STATIC = Path(__file__).resolve().parents[2] / "src" / "fourcast" / "web" / "page" / "static"


def test_every_page_is_the_one_page(client: TestClient) -> None:
    answers = [client.get(path) for path in ("/", "/board", "/game/abcdefghijkl")]
    assert [answer.status_code for answer in answers] == [200, 200, 200]
    assert len({answer.text for answer in answers}) == 1
    assert answers[0].headers["content-type"].startswith("text/html")


def test_nothing_is_allowed_to_a_page_but_its_own_files(client: TestClient) -> None:
    policy = client.get("/").headers["content-security-policy"]
    assert policy.startswith("default-src 'none'; ")
    assert "frame-ancestors 'none'" in policy
    assert "script-src 'self' 'wasm-unsafe-eval';" in policy
    assert "unsafe" not in policy.replace("'wasm-unsafe-eval'", "")
    assert "http" not in policy
    for path in ("/", "/healthz", "/api/games/abcdefghijkl", "/nowhere", "/static/api.css"):
        headers = client.get(path).headers
        assert headers["content-security-policy"] == policy
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "no-referrer"


def test_a_file_is_sent_once_and_then_only_asked_for(client: TestClient) -> None:
    first = client.get("/static/api.css")
    assert first.headers["content-type"].startswith("text/css")
    assert first.headers["content-encoding"] == "gzip"
    assert first.content == (STATIC / "api.css").read_bytes()
    again = client.get("/static/api.css", headers={"if-none-match": f'"x", {first.headers["etag"]}'})
    assert (again.status_code, again.content) == (304, b"")
    plain = client.get("/static/api.css", headers={"accept-encoding": "identity"})
    assert "content-encoding" not in plain.headers
    assert plain.content == first.content


@pytest.mark.parametrize(
    "name",
    [
        "../app.py",
        "..%2fapp.py",
        "/etc/passwd",
        "%2e%2e/app.py",
        "",
        "a%00b",
        "js",
        "x" * 150,
        "x" * 300,
    ],
)
def test_no_other_file_is_ever_sent(client: TestClient, name: str) -> None:
    answer = client.get(f"/static/{name}")
    assert answer.status_code in (404, 422)
    assert answer.json()["detail"]


@pytest.mark.parametrize(
    "name", ["./api.css", "js/../api.css", "js//main.js", "api.css/", "js/./main.js"]
)
def test_a_file_has_one_name_only(client: TestClient, name: str) -> None:
    """Other spellings of a name would each be kept in memory."""
    spelled = name.replace(".", "%2e")
    assert client.get(f"/static/{spelled}").status_code == 404
    assert len(pages._FILES) == sum(path.is_file() for path in STATIC.rglob("*"))


def test_a_mistyped_address_gets_the_page_in_a_browser_and_a_sentence_elsewhere(
    client: TestClient,
) -> None:
    known = {"accept": "text/html,*/*;q=0.8", "if-none-match": client.get("/").headers["etag"]}
    for path in ("/bord", "/board/", "/gmes", "/game/"):
        page = client.get(path, headers=known)
        assert page.status_code == 404
        assert page.text == client.get("/").text
        assert page.headers["content-security-policy"]
        assert "nothing at this address" in client.get(path).json()["detail"]
    for path in ("/api/gmes", "/static/none.js"):
        assert client.get(path, headers=known).json()["detail"]


def test_pages_are_served_when_the_package_is_reached_through_a_symlink(tmp_path: Path) -> None:
    package = tmp_path / "web"
    package.symlink_to(STATIC.parents[1])
    spec = importlib.util.spec_from_file_location("linked_pages", package / "routes" / "pages.py")
    assert spec
    assert spec.loader
    linked = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(linked)
    app = FastAPI()
    app.include_router(linked.router)
    with TestClient(app) as client:
        assert client.get("/").status_code == 200
        assert client.get("/static/js/main.js").status_code == 200


def test_what_page_and_server_both_know_is_told_by_the_server(client: TestClient) -> None:
    about = client.get("/api/about").json()
    assert about["version"] == __version__
    assert about["columns"] == "123456789abcdefghijklmnop"
    assert [side["symbol"] for side in about["sides"]] == ["X", "O"]
    assert about["notice"] is None
    for size in about["sizes"]:
        width, height = map(int, size.split("x"))
        assert about["min_width"] <= width <= about["max_width"]
        assert width * (height + 1) <= about["max_bits"]
        assert client.get("/api/position", params={"width": width, "height": height}).is_success
    text = "." * about["max_text"]
    assert client.post("/api/position", json={"diagram": text}).status_code == 400
    answer = client.post("/api/position", json={"diagram": text + "."}).json()
    assert str(about["max_text"]) in answer["detail"]


def test_a_second_server_on_a_file_of_sqlite_is_refused_and_told_why(tmp_path: Path) -> None:
    with Server(tmp_path) as server:
        command = [sys.executable, "-m", "fourcast", "serve", "--port", "0"]
        second = subprocess.run(
            [*command, "--database", server.database], capture_output=True, text=True, timeout=60
        )
        assert second.returncode == 2
        assert "another server runs on" in second.stderr
        assert "PostgreSQL" in second.stderr
        server.kill()
        server.start()  # what is left of one that was killed keeps nobody out


def test_health_says_that_the_server_is_there(client: TestClient) -> None:
    health = client.get("/healthz").json()
    assert health == {"status": "ok", "version": __version__, "connections": 0}


def test_the_page_on_the_api_names_every_route_and_loads_nothing_from_elsewhere(
    app: FastAPI, client: TestClient
) -> None:
    page = client.get("/api/docs").text
    for path in app.openapi()["paths"]:
        assert f" {path}</code>" in page
    assert "<script" not in page
    assert "style=" not in page
    assert re.findall(r'(?:src|href)="(?!/|#)([^"]*)"', page) == []


def test_errors_are_a_sentence(client: TestClient) -> None:
    not_accepted = "this address does not accept DELETE; /api/docs lists what it accepts"
    for method, path, code, words in [
        ("GET", "/api/nothing", 404, "there is nothing at this address; /api/docs lists what there is"),
        ("DELETE", "/api/games", 405, not_accepted),
        ("GET", "/api/games/short", 422, "game_id must be one that this server gave out, not 'short'"),
        ("POST", "/api/games", 422, "what was sent is missing"),
    ]:
        answer = client.request(method, path)
        assert (answer.status_code, answer.json()["detail"]) == (code, words)
    answer = client.post("/api/games", json={"first": {"kind": "me"}, "second": {"kind": "cat"}, "x": 1})
    assert answer.json()["detail"] == "second.kind must be 'me', 'friend' or 'computer', not 'cat'"


def test_a_database_that_fails_is_503_and_the_server_lives_on(
    settings: Settings, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with TestClient(create_app(settings), base_url="http://localhost") as client:
        ada, _ = friends(client)
        with sqlite3.connect(tmp_path / "games.db") as connection:
            connection.execute("ALTER TABLE moves RENAME TO elsewhere")
        answer = ada.try_move(3, 0)
        assert answer.status_code == 503
        assert answer.headers["retry-after"] == "1"
        with connection:
            connection.execute("ALTER TABLE elsewhere RENAME TO moves")
        connection.close()
        assert ada.try_move(3, 0).status_code == 200
    assert "does not answer" in caplog.text


def test_a_fault_of_ours_is_500_without_its_inside_and_is_logged(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    app = create_app(settings)
    with TestClient(app, base_url="http://localhost", raise_server_exceptions=False) as client:
        ada, _ = friends(client)
        monkeypatch.setattr("fourcast.web.games.rules.play", lambda *_, **__: 1 / 0)
        answer = ada.try_move(3, 0)
        assert answer.status_code == 500
        assert "Zero" not in answer.text
        assert "ZeroDivisionError" in caplog.text
        monkeypatch.undo()
        assert ada.try_move(3, 0).status_code == 200


def test_logs_are_lines_of_json_without_secrets(
    client: TestClient, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "fourcast")
    ada, bo = friends(client)
    ada.move(3)
    lines = [json.loads(JsonLines().format(record)) for record in caplog.records]
    moves = [line for line in lines if line.get("path", "").endswith("/moves")]
    assert (moves[0]["status"], moves[0]["method"], moves[0]["level"]) == (200, "POST", "info")
    assert moves[0]["ms"] > 0
    text = "\n".join(map(json.dumps, lines))
    assert ada.token not in text
    assert bo.token not in text


LOG_A_LOT = """
import logging, logging.config, sys
from fourcast.web.server.logs import LOGGING
logging.config.dictConfig(LOGGING)
for number in range(5_000):
    logging.getLogger("fourcast.web").info("line %d", number)
print("done", flush=True)
sys.stdin.readline()
logging.getLogger("fourcast.web").info("the last one")
"""


def test_a_log_that_nobody_reads_stops_nothing_and_says_later_what_it_lost() -> None:
    process = subprocess.Popen(
        [sys.executable, "-c", LOG_A_LOT],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdin
    assert process.stdout
    assert process.stderr
    assert process.stdout.readline() == b"done\n"
    first = os.read(process.stderr.fileno(), 2**20)
    _, rest = process.communicate(b"\n", timeout=30)
    lines = [json.loads(line) for line in (first + rest).splitlines()]
    lost = lines[-2]
    assert lost["message"] == "lines of this log were lost: nobody was reading it"
    assert lost["lines"] + len(lines) - 2 == 5_000
    assert lines[-1]["message"] == "the last one"


def test_old_games_are_deleted_when_the_server_starts(settings: Settings, tmp_path: Path) -> None:
    with TestClient(create_app(settings), base_url="http://localhost") as client:
        games = [friends(client)[0] for _ in range(5)]
    with sqlite3.connect(tmp_path / "games.db") as connection:
        day_ms = 86_400_000
        connection.execute(
            f"UPDATE games SET updated_ms = updated_ms - 366 * {day_ms} WHERE id = ?", (games[0].id,)
        )
    connection.close()
    app = create_app(replace(settings, max_games=3))
    with TestClient(app, base_url="http://localhost") as client:
        games[0].client = games[4].client = client
        games[4].game()
        for _ in range(100):
            if client.get(f"/api/games/{games[0].id}").status_code == 404:
                break
        left = [client.get(f"/api/games/{game.id}").status_code for game in games]
    assert left == [404, 404, 200, 200, 200]


def test_a_clock_that_jumps_ahead_deletes_no_game(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Not in a running server, not at a restart, and not after games were played by that clock."""
    ahead_ns = 400 * 86_400 * 10**9
    now_ns = time.time_ns
    monkeypatch.setattr(service, "CLEAN_UP_S", 0.05)
    with TestClient(create_app(settings), base_url="http://localhost") as client:
        kept = [friends(client)[0] for _ in range(3)]
        time.sleep(0.2)
        monkeypatch.setattr("time.time_ns", lambda: now_ns() + ahead_ns)
        time.sleep(0.3)
        assert [client.get(f"/api/games/{game.id}").status_code for game in kept] == [200] * 3
        kept.append(friends(client)[0])
    with TestClient(create_app(settings), base_url="http://localhost") as client:
        time.sleep(0.3)
        assert [client.get(f"/api/games/{game.id}").status_code for game in kept] == [200] * 4
    assert "the clock is ahead" in caplog.text


def test_a_clean_up_deletes_a_bounded_number_of_old_games_and_says_how_many(
    settings: Settings,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.INFO, "fourcast")
    monkeypatch.setattr(service, "OLD_AT_ONCE", 2)
    with TestClient(create_app(settings), base_url="http://localhost") as client:
        games = [friends(client)[0] for _ in range(5)]
    with sqlite3.connect(tmp_path / "games.db") as connection:
        connection.execute("UPDATE games SET updated_ms = updated_ms - 366 * 86400000")
    connection.close()
    with TestClient(create_app(settings), base_url="http://localhost") as client:
        for _ in range(100):
            left = [client.get(f"/api/games/{game.id}").status_code for game in games]
            if 404 in left:
                break
        time.sleep(0.1)
        left = [client.get(f"/api/games/{game.id}").status_code for game in games]
    assert left.count(404) == 2
    deleted = [record for record in caplog.records if record.message == "games deleted"]
    assert [vars(record)["old"] for record in deleted] == [2]


def test_a_server_is_ready_while_its_database_answers(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert client.get("/readyz").status_code == 200

    def gone(_: object) -> list[str]:
        raise OSError

    monkeypatch.setattr(client.app.state.games.store, "newer", gone)  # type: ignore[attr-defined]
    assert client.get("/readyz").status_code == 503
    assert client.get("/healthz").status_code == 200


def test_figures_are_for_this_machine(settings: Settings) -> None:
    app = create_app(settings)
    with TestClient(app, base_url="http://localhost", client=("127.0.0.1", 5)) as client:
        friends(client)
        answer = client.get("/metrics")
        assert answer.headers["content-type"].startswith("text/plain; version=0.0.4")
        lines = answer.text.splitlines()
        assert 'fourcast_requests_total{status="2xx"} 2' in lines
        assert "fourcast_request_seconds_count 2" in lines
        assert "fourcast_sockets 0" in lines
        shape = re.compile(r"# (HELP|TYPE) .+|[a-z_]+(\{[a-z]+=\"[^\"]*\"\})? [0-9.e+-]+")
        assert all(shape.fullmatch(line) for line in lines), lines
        assert client.get("/metrics", headers={"x-forwarded-for": "1.2.3.4"}).status_code == 404
    with TestClient(app, base_url="http://localhost", client=("10.0.0.7", 5)) as client:
        assert client.get("/metrics").status_code == 404


def test_a_check_says_what_a_server_would_lack(tmp_path: Path) -> None:
    def check(*options: str, **variables: str) -> tuple[int, str]:
        command = [sys.executable, "-m", "fourcast", "serve", "--check", "--port", "0", *options]
        done = subprocess.run(
            command, env=os.environ | variables, capture_output=True, text=True, timeout=60
        )
        assert done.stderr == ""
        return done.returncode, done.stdout

    file = f"{tmp_path}/games.db"
    status, text = check("--database", file)
    assert status == 0
    assert all(line.startswith("ok ") for line in text.splitlines()), text
    status, text = check("--database", file, FOURCAST_ORIGINS="https://play.example.org")
    assert status == 0
    assert "note   proxy: " in text
    status, text = check("--database", "postgresql://me:secret@127.0.0.1:1/games")
    assert status == 1
    assert "wrong  database: " in text
    assert "secret" not in text
    with Server(tmp_path) as server:
        status, text = check("--database", server.database)
        assert status == 1
        assert "another server runs on" in text
