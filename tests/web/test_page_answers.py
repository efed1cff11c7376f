"""The recorded answers that the page's own worker is held to are those of the server."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from page.record_page_answers import FILE, Request, answer_of, lasting, pasting, random_text, sample

from fourcast.web.app import create_app
from fourcast.web.settings import Settings

RECORDED: list[dict[str, Any]] = json.loads(FILE.read_text(encoding="utf-8"))


def replay(client: TestClient, recorded: list[dict[str, Any]]) -> None:
    for each in recorded:
        request = each["method"], each["path"], each["query"]
        assert answer_of(client, request) == each, "record them: tools/page/record_page_answers.py"


def test_the_recorded_answers_are_those_of_the_server(client: TestClient) -> None:
    assert len(RECORDED) > 150
    replay(client, RECORDED[::12])


@pytest.mark.slow
def test_all_of_them_are(client: TestClient) -> None:
    replay(client, RECORDED)


def answers_of_the_page(requests: list[Request]) -> list[dict[str, Any]]:
    """Return what the page's own code answers, run by node."""
    node = Path(sys.executable).with_name("node")
    names = ("method", "path", "query")
    lines = [json.dumps(dict(zip(names, request, strict=True))) for request in requests]
    done = subprocess.run(
        [node, "tests/page/answer.js"],
        input="".join(f"{line}\n" for line in lines),
        cwd=FILE.parents[2],
        stdout=subprocess.PIPE,
        check=True,
        encoding="utf-8",
    )
    return [lasting(json.loads(line)) for line in done.stdout.splitlines()]


def in_javascript(view: Any) -> Any:
    """Return *view* with its numbers as JavaScript has them: those of boards have too many digits."""
    return json.loads(json.dumps(view), parse_int=lambda digits: int(float(digits)))


@pytest.mark.slow
def test_the_page_and_the_server_answer_fresh_requests_alike(tmp_path: Path) -> None:
    """Reasons with their marks, claims played out, pasted texts: each has code of its own for them."""
    seed = random.SystemRandom().randrange(10**9)
    chance = random.Random(seed)
    requests = sample(seed) + [pasting(random_text(chance)) for _ in range(2000)]
    answers = answers_of_the_page(requests)
    database = f"sqlite:///{tmp_path}/games.db"
    settings = Settings(database_url=database, requests_per_s=1e6, request_burst=1_000_000)
    with TestClient(create_app(settings), base_url="http://localhost") as client:
        expected = [answer_of(client, request) for request in requests]
    for request, answer, wanted in zip(requests, answers, expected, strict=True):
        assert answer["status"] == wanted["status"], (seed, request)
        # Where it is not read, each says so in its own words.
        if answer["status"] == 200:
            assert in_javascript(answer["answer"]) == in_javascript(wanted["answer"]), (seed, request)
