"""The attacks of tools/attack/attack.py, opened one after the other: every door is closed."""

from __future__ import annotations

import asyncio
import sys

import attack
import pytest
import target

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform != "linux", reason="needs many loopback addresses"),
]


@pytest.mark.parametrize("name", target.DOORS)
def test_the_door_is_closed(name: str) -> None:
    assert asyncio.run(target.DOORS[name]()) is None


def test_others_are_served_while_all_attacks_run_at_once() -> None:
    """The times themselves depend on the machine: the script prints and judges them."""
    calm, under_attack = asyncio.run(attack.all_at_once_times(5))
    for kind in ("healthz", "move"):
        assert attack.percentile(under_attack[kind], 0.99) < 2
    assert calm["healthz"]


def test_memory_does_not_grow_with_games_that_come_and_go() -> None:
    assert asyncio.run(attack.churn(seconds=30, games=600)) is None
