"""The server of the Model Context Protocol, driven by the SDK's own client."""

from __future__ import annotations

import asyncio
import base64
import io
import json
import math
import re
import socket
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from jsonschema_rs import validator_for
from mcp.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from PIL import Image

from fourcast import Position, Solver, __version__
from fourcast.adapters import mcp_server
from fourcast.web.server import analysis
from fourcast.web.settings import Settings
from tests.command import COMMAND

PROJECT = Path(__file__).resolve().parent.parent.parent


@cache
def our_server() -> Any:
    return mcp_server.make_server()


def talk(use: Callable[[Client], Awaitable[Any]], server: Any = None) -> Any:
    """Run a conversation with a server in this process, or with another one."""

    async def run() -> Any:
        async with Client(server or our_server()) as client:
            return await use(client)

    return asyncio.run(run())


def call(name: str, **arguments: Any) -> Any:
    """Return the answer of a tool, after its schema has been checked."""

    async def use(client: Client) -> Any:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        answer = await client.call_tool(name, arguments)
        if answer.is_error:
            return answer.content[0].text  # type: ignore[union-attr]
        if schema := tools[name].output_schema:
            validator_for(schema).validate(answer.structured_content)
            return answer.structured_content
        return answer.content[0]

    return talk(use)


def test_every_tool_only_reads_and_has_a_schema() -> None:
    tools = talk(lambda client: client.list_tools()).tools
    assert [tool.name for tool in tools] == [
        *("analyze", "best_move", "explain", "review", "puzzle", "play", "board", "board_picture")
    ]
    for tool in tools:
        assert tool.annotations.read_only_hint is True
        assert tool.annotations.open_world_hint is False
        assert tool.description
        assert tool.input_schema["type"] == "object"
        assert tool.input_schema["additionalProperties"] is False
        assert (tool.output_schema is None) == (tool.name == "board_picture")


def test_an_analysis_is_what_the_solver_says(monkeypatch: pytest.MonkeyPatch) -> None:
    # Without limits of time two tools say the same on any machine.
    for limit in ("ANALYSIS_S", "EXPLAIN_S"):
        monkeypatch.setattr(mcp_server, limit, math.inf)
    for moves in ("", "4455", "44455554221", "7777"):
        found = call("analyze", moves=moves)
        scores = {int(each["column"]) - 1: each["score"] for each in found["columns"]}
        wanted = Solver().analyze(moves)
        assert tuple(scores.get(column) for column in range(7)) == wanted.scores
        assert (found["outcome"], found["complete"]) == (wanted.outcome, True)
        best = call("best_move", moves=moves)
        assert int(best["column"]) - 1 in (wanted.best_columns or ())
        assert best["best_columns"] == found["best_columns"]
        assert best["why"] == call("explain", moves=moves)["text"]
        assert "in time" not in best["why"]


def test_a_game_is_played_move_by_move_and_reviewed() -> None:
    moves, result = "", None
    while result is None:
        best = Solver().analyze(moves).best_columns
        assert best is not None
        column = "" if not moves else str(best[0] + 1)
        found = call("play", column=column, moves=moves, opponent="level-1")
        assert found["moves"].startswith(moves)
        moves, result = found["moves"], found["result"]
        assert [str(column + 1) for column in Position(moves).legal_columns] == found["legal_columns"]
    assert result in ("Red wins", "Yellow wins", "draw")
    report = call("review", moves=moves)
    assert report["complete"] is True
    assert report["accuracy"]["Yellow"] == 100
    assert re.search(r"Red|draw", report["text"])
    assert "the game is over" in call("play", column="4", moves=moves)
    large = call("play", column="4", moves="", opponent="perfect", width=8, height=8)
    assert len(large["moves"]) == 2


def test_a_review_lists_every_mistake_that_its_text_names() -> None:
    report = call("review", moves="4343434")
    listed = {each["number"]: each for each in report["mistakes"]}
    named = {int(number) for number in re.findall(r"^Move (\d+):", report["text"], re.M)}
    assert named == {4, 6}
    assert named <= set(listed)
    assert (listed[3]["verdict"], listed[4]["verdict"]) == ("mistake", "mistake")
    assert (listed[6]["verdict"], listed[6]["player"], listed[6]["best_columns"]) == (
        *("missed block", "Yellow"),
        ["4"],
    )
    assert "Red's three in column 4 unblocked" in listed[6]["why"]
    four = call("review", moves="12121323435567")["mistakes"]
    assert "missed four" in {each["verdict"] for each in four}


def test_a_puzzle_is_solved_with_its_id_and_columns() -> None:
    first = call("puzzle", rating=800)
    assert first["state"] == "open"
    from fourcast.puzzles import find

    solution = "".join(str(column + 1) for column in find(first["id"]).solution[::2])
    assert call("puzzle", id=first["id"], answers=solution)["state"] == "solved"
    open_columns = call("board", moves=first["moves"])["legal_columns"]
    for name in set("1234567") - {solution[0]}:
        answer = call("puzzle", id=first["id"], answers=name)
        if name in open_columns:
            assert answer["state"] in ("failed", "open", "solved")
        else:
            assert f"column {name} is full" in answer


def test_a_board_is_text_and_a_picture() -> None:
    assert call("board", moves="4")["board"].endswith(". . . X . . .")
    drawn = call("board_picture", moves="445")
    assert drawn.mime_type == "image/png"
    assert Image.open(io.BytesIO(base64.b64decode(drawn.data))).size == (468, 438)


@pytest.mark.parametrize(
    ("name", "arguments", "message"),
    [
        ("analyze", {"moves": "88"}, "'8' at place 1 of '88' is not a column"),
        ("analyze", {"moves": "4" * 7}, "column 4 is full"),
        ("analyze", {"moves": "1212121"}, "the game is over: Red wins"),
        ("analyze", {"moves": "4" * 200}, "at most 128"),
        ("analyze", {"moves": None}, "string"),
        ("analyze", {"width": 99}, "less than or equal to 25"),
        ("analyze", {"position": "44"}, "no argument 'position'; it has moves, width, height"),
        ("puzzle", {"ID": "x", "answer": "4"}, "no argument 'ID'; it has id, answers, rating"),
        ("analyze", {"width": 25, "height": 25}, "not supported"),
        ("play", {"opponent": "sh"}, "there is no opponent 'sh'"),
        ("play", {"column": "x"}, "'x' is not a column"),
        ("review", {"moves": ""}, "there are no moves to review"),
        ("puzzle", {"id": "../../etc/passwd"}, "there is no puzzle"),
    ],
)
def test_nonsense_is_refused_with_a_sentence(name: str, arguments: Any, message: str) -> None:
    assert message in call(name, **arguments)


def test_the_limits_are_those_of_the_web_server() -> None:
    for name in ("ANALYSIS_S", "REVIEW_S", "EXPLAIN_S"):
        assert getattr(mcp_server, name) == getattr(analysis, name)
    settings = Settings.from_environment({})
    assert settings.max_body_bytes == mcp_server.MAX_BODY_BYTES
    assert settings.move_time_s == mcp_server.MOVE_S


def test_the_command_talks_on_standard_input_and_output() -> None:
    server = StdioServerParameters(command=COMMAND[0], args=[*COMMAND[1:], "mcp"])

    async def use(client: Client) -> Any:
        assert client.server_info is not None
        assert client.server_info.version == __version__
        return (await client.call_tool("analyze", {"moves": "4455"})).structured_content

    assert talk(use, stdio_client(server))["best_columns"] == ["3", "6"]


@pytest.mark.slow
def test_the_command_serves_streamable_http() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    process = subprocess.Popen([*COMMAND, "mcp", "--http", "--port", str(port)])
    try:
        end = time.monotonic() + 60
        while time.monotonic() < end:
            try:
                socket.create_connection(("127.0.0.1", port), timeout=1).close()
                break
            except OSError:
                time.sleep(0.1)

        async def use(client: Client) -> Any:
            return (await client.call_tool("board", {"moves": "44"})).structured_content

        assert talk(use, f"http://127.0.0.1:{port}/mcp")["to_move"] == "Red"
    finally:
        process.terminate()
        process.wait(30)


def test_server_json_fits_the_registry() -> None:
    described = json.loads((PROJECT / "server.json").read_text())
    assert described["version"] == described["packages"][0]["version"] == __version__
    assert len(described["description"]) <= 100
    assert f"mcp-name: {described['name']}" in (PROJECT / "README.md").read_text()


def test_the_conversation_in_the_docs_is_one_that_took_place() -> None:
    page = (PROJECT / "docs" / "mcp.md").read_text()
    calls = re.findall(r"^> (\w+) (\{.*\})\n((?:[^>`\n].*\n)+)", page, re.M)
    assert len(calls) >= 4
    for name, arguments, answer in calls:
        assert json.loads(answer) == call(name, **json.loads(arguments)), name


if sys.version_info < (3, 11):
    pytest.skip("mcp 2 is tested with Python 3.11 and later", allow_module_level=True)
