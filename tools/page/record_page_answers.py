"""Records what the server answers to the page, in tests/fixtures/page-answers.json.

The worker of the page has to answer the same (tests/page/local.test.js), and
tests/web/test_page_answers.py holds the server to it, so that neither can drift away.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from fastapi.testclient import TestClient

from fourcast import Game, Position, Solver, explain
from fourcast.notation import format_moves
from fourcast.study.follow import follow
from fourcast.web.app import create_app
from fourcast.web.settings import Settings

FILE = Path(__file__).resolve().parents[2] / "tests" / "fixtures" / "page-answers.json"
SIZES = [(7, 6), (4, 4), (5, 5), (6, 5), (8, 7), (4, 12)]
PLENTY_S = 60
RANDOM_TEXTS = 100
SEED = 20261117
PASTED = [
    "4, 4, 4, 5, 5",
    "..../..../..../XO..",
    "1 2 3 4\n. . . .\n. . . .\n. O . .\nX X . .\n",
    "⚪",
    "4 . . . .\n3 . . . .\n2 . . . Y\n1 . . R R\n  a b c d",
    "|....|\n|....|\n|.y..|\n|rr..|\n+----+",
    "1. d1 d2 2. D3, c1",
    "d1 d3",
    "h1",
    "....\n....\n....\nXZ..",
    '{"moves": "4455"}',
    "http://127.0.0.1:8000/board?moves=4453&at=2",
    "http://127.0.0.1:8000/board?start=..../..../..../XO..&moves=1",
    "hello",
    "# nothing",
    "1. 4 4@1.5\n2. 3 2 # good\n",
    Game("44455", first="Ada", second="Grace").to_text(),
    Game("123", start=Position.from_rows("..../..../..../XO.."), first="Ada").to_text(),
    Game("44455", first="Ada").to_json(),
    Game("12", start=Position.from_rows("..../..../..../XO..")).to_json(),
]

LETTERS = (".XO", ".xo", " RY", "_ry", "-12", "⚪🔴🟡")

Request = tuple[str, str, dict[str, Any]]


def lasting(view: Any) -> Any:
    """Return *view* without what the answer took."""
    if isinstance(view, dict):
        return {key: lasting(value) for key, value in view.items() if key not in ("nodes", "time_s")}
    return [lasting(value) for value in view] if isinstance(view, list) else view


def random_game(size: tuple[int, int], stones: int, chance: random.Random) -> Game:
    game = Game(width=size[0], height=size[1])
    while game.position.ply < stones and not game.position.is_over:
        game.play(chance.choice(tuple(game.position.legal_columns)))
    return game


def random_text(chance: random.Random) -> str:
    """Return what a person might paste: a diagram, moves, a game file, now and then with a typo."""
    size = chance.choice(SIZES)
    game = random_game(size, chance.randrange(size[0] * size[1]), chance)
    kind = chance.randrange(4)
    if kind == 0:
        text = _random_diagram(game, chance)
    elif kind == 1:
        text = chance.choice(["", " ", ", ", "-", "\n"]).join(game.moves)
    elif kind == 2:
        squares = [f"{chr(97 + column)}{row + 1}" for column, row in _squares(game)]
        numbered = [
            f"{number // 2 + 1}. {name}" if number % 2 == 0 else name
            for number, name in enumerate(squares)
        ]
        text = " ".join(chance.choice([squares, numbered]))
    else:
        text = chance.choice([game.to_text, game.to_json])()
    if text and chance.random() < 0.4:
        at = chance.randrange(len(text))
        text = text[:at] + chance.choice(["", "X", "9", "\n", "/", "#", "é"]) + text[at + 1 :]
    return text


def _squares(game: Game) -> list[tuple[int, int]]:
    heights = [0] * game.start.width
    found = []
    for column in game.columns:
        found.append((column, heights[column]))
        heights[column] += 1
    return found


def _random_diagram(game: Game, chance: random.Random) -> str:
    letters = str.maketrans(".XO", chance.choice(LETTERS))
    rows = [row.translate(letters) for row in game.position.to_rows().split("/")]
    width, height = game.start.width, game.start.height
    rows = [chance.choice(["", " "]).join(row) for row in rows] if chance.random() < 0.5 else rows
    frame = chance.randrange(4)
    if frame == 1:
        rows = [f"|{row}|" for row in rows]
    elif frame == 2:
        rows = [f"{height - index} {row}" for index, row in enumerate(rows)]
        rows.append("  " + " ".join(chr(97 + column) for column in range(width)))
    elif frame == 3:
        rows.insert(0, " ".join(str(column + 1) for column in range(width)))
    return chance.choice(["\n", "/"]).join(rows)


def query_of(game: Game) -> dict[str, Any]:
    return {"moves": game.moves, "width": game.start.width, "height": game.start.height}


def requests_about(game: Game, solver: Solver, chance: random.Random) -> list[Request]:
    """Return what a page asks about the position where *game* stands."""
    place = query_of(game)
    timed = {**place, "time_s": PLENTY_S}
    found: list[Request] = [("GET", "/api/position", place), ("GET", "/api/analysis", timed)]
    found.append(("GET", "/api/explain", timed))
    column = chance.choice(tuple(game.position.legal_columns))
    found.append(("GET", "/api/explain-move", {**timed, "column": column}))
    reason = explain(game.position, solver=solver)
    for claim in reason.claims:
        replies: list[int] = []
        at = Game((*game.columns, *reason.line), width=game.start.width, height=game.start.height)
        followed = follow(reason.claims_position, claim)
        for _ in range(6):
            asked = {**query_of(at), "player": claim.player, "time_s": PLENTY_S}
            found.append(("GET", "/api/follow", {**asked, "replies": format_moves(replies)}))
            now = reason.claims_position.play(*followed.columns)
            if followed.state != "open" or now.is_over:
                break
            replies.append(chance.choice(tuple(now.legal_columns)))
            followed = follow(reason.claims_position, claim, replies)
    return found


def sample(seed: int) -> list[Request]:
    chance = random.Random(seed)
    solver = Solver()
    found: list[Request] = [
        ("GET", "/api/about", {}),
        ("GET", "/api/players", {}),
        ("GET", "/api/position", {}),
        ("GET", "/api/position", {"moves": "4444444"}),
        ("GET", "/api/position", {"moves": "48"}),
        ("GET", "/api/position", {"start": "..../..../..../XX..", "moves": ""}),
        ("GET", "/api/position", {"start": "..../..../..../XO..", "moves": "34"}),
        ("GET", "/api/position", {"moves": "1212121"}),
        ("GET", "/api/review", {"moves": "", "time_s": PLENTY_S}),
        ("GET", "/api/review", {"moves": "1213141", "width": 4, "height": 4, "time_s": PLENTY_S}),
    ]
    found += map(pasting, PASTED)
    for size in SIZES:
        cells = size[0] * size[1]
        least = {(7, 6): 20, (8, 7): 36, (4, 12): 26}.get(size, 6)
        wanted = 12 if size == (7, 6) else 3
        while wanted:
            game = random_game(size, chance.randrange(least, cells - 2), chance)
            if not game.position.is_over:
                found += requests_about(game, solver, chance)
                wanted -= 1
    for size, stones in (((7, 6), 28), ((7, 6), 31), ((4, 4), 0), ((5, 5), 10)):
        start = random_game(size, stones, chance)
        while start.position.is_over:
            start = random_game(size, stones, chance)
        game = Game(start=start.position)
        while not game.position.is_over:
            game.play(chance.choice(tuple(game.position.legal_columns)))
        place = {"start": game.start.to_rows(), "moves": game.moves}
        found.append(("GET", "/api/review", {**place, "time_s": PLENTY_S}))
    return found


def pasting(text: str) -> Request:
    return "POST", "/api/position", {"diagram": text, "width": 7, "height": 6}


def readable_texts(client: TestClient, seed: int) -> Iterator[dict[str, Any]]:
    """Yield the answers about random texts that can be read."""
    chance = random.Random(seed)
    for _ in range(RANDOM_TEXTS):
        answer = answer_of(client, pasting(random_text(chance)))
        if answer["status"] == 200:
            yield answer


def answer_of(client: TestClient, request: Request) -> dict[str, Any]:
    method, path, query = request
    response = client.get(path, params=query) if method == "GET" else client.post(path, json=query)
    return {
        "method": method,
        "path": path,
        "query": query,
        "status": response.status_code,
        "answer": lasting(response.json()),
    }


def main() -> None:
    with TemporaryDirectory() as folder:
        settings = Settings(database_url=f"sqlite:///{folder}/games.db")
        with TestClient(create_app(settings), base_url="http://localhost") as client:
            asked = sample(SEED)
            german = [
                (method, path, {**query, "lang": "de"})
                for method, path, query in asked
                if method == "GET" and path != "/api/about"
            ]
            answers = [answer_of(client, request) for request in [*asked, *german[5::8]]]
            answers += readable_texts(client, SEED)
    lines = ",\n".join(json.dumps(each, separators=(",", ":")) for each in answers)
    FILE.write_text(f"[\n{lines}\n]\n", encoding="utf-8")
    print(f"{FILE.name}: {len(answers)} answers, {FILE.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
