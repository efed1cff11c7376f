from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.community.world import SETTINGS, World

MakeWorld = Callable[..., World]


@pytest.fixture
def make_world(tmp_path: Path) -> Iterator[MakeWorld]:
    """Worlds with settings or moves of the test's choice; what GitHub would object to fails the test."""
    worlds: list[World] = []

    def make(settings: str = SETTINGS, moves: str = "") -> World:
        worlds.append(World(tmp_path / str(len(worlds)), settings, moves))
        return worlds[-1]

    yield make
    for world in worlds:
        world.close()
        assert world.github.problems == []


@pytest.fixture
def world(make_world: MakeWorld) -> World:
    return make_world()
