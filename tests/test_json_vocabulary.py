"""The command line, the web API and the library answer in one vocabulary."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from fastapi.testclient import TestClient

from fourcast import Analysis, Game, Position, Result, Solver
from fourcast.web.app import create_app
from fourcast.web.settings import Settings
from tests.command import run_text
from tests.json_vocabulary import check_analysis, check_meaning, check_schema

MOVES = ["4455", "7422341735647741166133573473242566", "44455554221"]


def fourcast(*arguments: str, given: str = "") -> list[dict[str, Any]]:
    run = run_text(*arguments, given=given)
    run.check_returncode()
    return [json.loads(line) for line in run.stdout.splitlines()]


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    folder = tmp_path_factory.mktemp("games")
    app = create_app(Settings(database_url=f"sqlite:///{folder}/games.db"))
    with TestClient(app, base_url="http://localhost") as client:
        yield client


@pytest.mark.parametrize("moves", MOVES)
def test_an_analysis_has_the_same_names_everywhere(moves: str, client: TestClient) -> None:
    position = Position(moves)
    analysis = Solver().analyze(position)
    (from_argument,) = fourcast("analyze", "--json", moves)
    (from_input,) = fourcast("analyze", "--json", given=f" {moves} \n")
    from_api = client.get("/api/analysis", params={"moves": moves}).json()
    for content in (analysis.to_json(), from_argument, from_input, from_api):
        check_analysis(content, position)
        assert Analysis.from_json({**content.get("position", {}), **content}) == analysis
    assert from_argument["moves"] == from_input["moves"] == from_api["position"]["moves"] == moves


@pytest.mark.parametrize("moves", MOVES)
def test_a_result_has_the_same_names_everywhere(moves: str) -> None:
    result = Solver().solve(Position(moves))
    without_columns = Solver().solve(Position(moves), best_columns=False)
    (from_argument,) = fourcast("solve", "--json", moves)
    (from_input,) = fourcast("solve", "--json", given=f" {moves} \n")
    for content in (result.to_json(), from_argument, from_input):
        check_schema(content, "result")
        check_meaning(content)
        assert Result.from_json(content) == (without_columns if content is from_input else result)
    assert from_argument["moves"] == from_input["moves"] == moves


def test_what_a_time_limit_leaves_open_has_the_same_names() -> None:
    limited = ["--json", "--no-book", "--time-limit", "0.02", "--width", "8", "--height", "8"]
    (result,) = fourcast("solve", *limited, "4")
    (analysis,) = fourcast("analyze", *limited, "4")
    check_schema(result, "result")
    check_schema(analysis, "analysis")
    for content in (result, analysis, *analysis["columns"]):
        check_meaning(content)
    assert (result["complete"], analysis["complete"]) == (False, False)


def test_a_position_without_moves_has_its_bitboards(tmp_path: Any) -> None:
    game = Game("5", start=Position("445"))
    game.save(tmp_path / "game.txt")
    (content,) = fourcast("analyze", "--json", "--load", str(tmp_path / "game.txt"))
    check_analysis(content, Position("4455"))
    assert "moves" not in content
    assert Analysis.from_json(content).position == game.position


def test_the_moves_of_a_review_have_the_same_names(client: TestClient) -> None:
    (content,) = fourcast("review", "--json", "--width", "4", "--height", "4", "1213141")
    query = {"moves": "1213141", "width": "4", "height": "4"}
    from_api = client.get("/api/review", params=query).json()
    assert len(content["review"]) == len(from_api["moves"]) == 7
    for move, other in zip(content["review"], from_api["moves"], strict=True):
        check_schema(move, "reviewed_move")
        check_schema(other, "reviewed_move")
        shared = move.keys() & other.keys()
        assert {key: move[key] for key in shared} == {key: other[key] for key in shared}
    assert [move["name"] for move in content["review"]] == list("1213141")
