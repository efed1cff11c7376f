"""`fourcast serve` before it serves; the real servers are in tests/web."""

from __future__ import annotations

import socket
import sys
from pathlib import Path

import pytest

from fourcast.cli import main


def refusal(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    with pytest.raises(SystemExit) as exit_:
        main(["serve", *arguments])
    assert exit_.value.code == 2
    return capsys.readouterr().err


def test_without_the_extra_it_says_how_to_install_it(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    monkeypatch.delitem(sys.modules, "fourcast.web.serve", raising=False)
    said, _, packages = refusal(capsys).partition(" -m pip install ")
    assert said.startswith("fourcast: the web app needs uvicorn: ")
    assert {"fastapi", "sqlalchemy"} <= set(packages.split())
    assert '"uvicorn<' in packages, "a version that nobody has tried is not asked for"


def test_a_setting_that_cannot_be_used_is_named(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FOURCAST_KEEP_DAYS", "forever")
    assert "FOURCAST_KEEP_DAYS must be a whole number" in refusal(capsys)


def test_a_host_that_is_none_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert "host must be an address" in refusal(capsys, "--host", "not a host")


def test_a_port_that_is_taken_is_said_in_one_line(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        message = refusal(capsys, "--port", str(port), "--database", f"{tmp_path}/games.db")
    start = f"fourcast: cannot listen on 127.0.0.1 port {port}: another program uses it"
    assert message.startswith(start)
    assert len(message.splitlines()) == 1


def test_a_database_that_cannot_be_used_is_said_in_one_line(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    broken = tmp_path / "games.db"
    broken.write_text("no database " * 100)
    message = refusal(capsys, "--port", "0", "--database", str(broken))
    assert "games.db" in message
    assert len(message.splitlines()) == 1
