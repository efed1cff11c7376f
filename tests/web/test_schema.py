"""What the API says of itself is true: schemathesis sends what the description allows, and what not."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, settings
from schemathesis import Case, GenerationMode
from schemathesis.checks import (
    content_type_conformance,
    not_a_server_error,
    response_schema_conformance,
    status_code_conformance,
)

from fourcast.web.app import create_app
from fourcast.web.settings import Settings
from tests.web.people import ME, Player, computer, friends, new_game
from tests.web.server import Server

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
]
SLOW = ("/api/analysis", "/api/review", "/api/explain", "/api/explain-move", "/api/follow")


def plain(description: Any) -> Any:
    """Return the description with tuples as plain lists: schemathesis cannot read `prefixItems`."""
    if isinstance(description, list):
        return [plain(item) for item in description]
    if not isinstance(description, dict):
        return description
    if "prefixItems" in description:
        parts = description["prefixItems"]
        items = {"items": plain(parts[0]), "minItems": len(parts), "maxItems": len(parts)}
        return {"type": "array", **items}
    return {key: plain(item) for key, item in description.items()}


schema = schemathesis.openapi.from_dict(plain(create_app(Settings()).openapi()))
schema.config.generation.update(modes=[GenerationMode.POSITIVE, GenerationMode.NEGATIVE])


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    settings = {"FOURCAST_MOVE_TIME_S": "0.05"}
    with Server(tmp_path_factory.mktemp("schema"), **settings) as server:
        yield server


@pytest.fixture(scope="module")
def players(server: Server) -> list[Player]:
    """People in games of every kind, so that not every request is for a game that is not there."""
    with server.client() as client:
        return [
            *friends(client),
            new_game(client, ME, ME, moves="4455"),
            new_game(client, ME, computer("random")),
            new_game(client),
        ]


def thoroughness(examples: int) -> settings:
    phases = [Phase.explicit, Phase.generate]
    return settings(
        max_examples=examples, phases=phases, suppress_health_check=list(HealthCheck), deadline=None
    )


@schema.parametrize()
@thoroughness(4)
def test_every_answer_is_as_described(case: Case[Any], server: Server, players: list[Player]) -> None:
    check(case, server, players)


@pytest.mark.slow
@schema.parametrize()
@thoroughness(150)
def test_every_answer_is_as_described_at_length(
    case: Case[Any], server: Server, players: list[Player]
) -> None:
    check(case, server, players)


def check(case: Case[Any], server: Server, players: list[Player]) -> None:
    chance = random.Random(repr(case.body) + repr(case.query))
    headers = None
    if "game_id" in case.path_parameters and chance.random() < 0.8:
        player = chance.choice(players)
        case.path_parameters["game_id"] = player.id
        if chance.random() < 0.8:
            headers = player.headers
    with suppress(TypeError, ValueError):
        # Nobody waits here for a solver that has seconds.
        if case.path in SLOW and not 0 < float(case.query.get("time_s", 5)) < 0.1:
            case.query["time_s"] = 0.05
    response = case.call(base_url=server.url, headers=headers)
    case.validate_response(response, checks=CHECKS)
