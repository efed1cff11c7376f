"""A server for each test: in the process, with a database of its own."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import uvicorn
from fastapi import FastAPI
from fastapi.testclient import TestClient

from fourcast.web.app import create_app
from fourcast.web.server.logs import Rarely, log
from fourcast.web.settings import Settings

SOON_S = 10.0
"""How long to wait for what takes some milliseconds on a quiet machine."""


@contextmanager
def running(server: uvicorn.Server, listener: socket.socket) -> Iterator[None]:
    """Serve on a thread, from the start to the end of the shutdown."""
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
    thread.start()
    end_s = time.monotonic() + SOON_S
    while not server.started:
        assert time.monotonic() < end_s
        time.sleep(0.005)
    try:
        yield
    finally:
        server.should_exit = True
        thread.join(SOON_S + 10)
        listener.close()
        assert not thread.is_alive()


@pytest.fixture(autouse=True)
def _forgetful_log(monkeypatch: pytest.MonkeyPatch) -> None:
    """A warning that an earlier test has provoked does not keep another one from the log."""
    monkeypatch.setattr(log, "filters", [Rarely()])


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(database_url=f"sqlite:///{tmp_path}/games.db", move_time_s=0.2)


@pytest.fixture
def app(settings: Settings) -> FastAPI:
    return create_app(settings)


@pytest.fixture
def client(app: FastAPI) -> Iterator[TestClient]:
    with TestClient(app, base_url="http://localhost") as client:
        yield client


@pytest.fixture(scope="module")
def shared_client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    """One server for all tests of a module, which do not change what it knows."""
    database = tmp_path_factory.mktemp("shared") / "games.db"
    plenty = Settings(database_url=f"sqlite:///{database}", requests_per_s=1e6, request_burst=1_000_000)
    with TestClient(create_app(plenty), base_url="http://localhost") as client:
        yield client
