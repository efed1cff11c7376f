"""The recorded answers that the page's own worker is held to are those of the server."""

from __future__ import annotations

import json
from typing import Any

import pytest
from fastapi.testclient import TestClient
from page.record_page_answers import FILE, answer_of

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
