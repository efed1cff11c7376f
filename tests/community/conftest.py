from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import pytest

from tests.community.world import SETTINGS, World, make_repositories

MakeWorld = Callable[..., World]


@pytest.fixture(scope="session")
def templates(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str, str], Path]:
    """Repositories to copy, each made once."""

    @cache
    def make(settings: str, moves: str) -> Path:
        folder = tmp_path_factory.mktemp("template")
        make_repositories(folder, settings, moves)
        return folder

    return make


@pytest.fixture
def make_world(tmp_path: Path, templates: Callable[[str, str], Path]) -> Iterator[MakeWorld]:
    """Worlds with settings or moves of the test's choice; what GitHub would object to fails the test."""
    worlds: list[World] = []

    def make(settings: str = SETTINGS, moves: str = "") -> World:
        folder = tmp_path / str(len(worlds))
        shutil.copytree(templates(settings, moves), folder)
        worlds.append(World(folder))
        return worlds[-1]

    yield make
    for world in worlds:
        world.close()
        assert world.github.problems == []


@pytest.fixture
def world(make_world: MakeWorld) -> World:
    return make_world()
