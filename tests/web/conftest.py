"""A server for each test: in the process, with a database of its own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from fourcast.web.app import create_app
from fourcast.web.server.logs import Rarely, log
from fourcast.web.settings import Settings


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
