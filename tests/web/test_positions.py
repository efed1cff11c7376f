"""Positions, analyses and reviews over HTTP: what the library says, and sentences for what is wrong."""

from __future__ import annotations

import random
from typing import Any

import pytest
from fastapi.testclient import TestClient
from hypothesis import given, settings
from hypothesis import strategies as st

from fourcast import Game, Position, Solver
from fourcast.notation import format_json, format_rows, parse_rows
from fourcast.players import describe_player, player_names
from fourcast.render.text import board
from fourcast.render.words import describe_score
from fourcast.study.review import review

LATE = "7422341735647741166133573473242566"
WON = "1212121"
RED_SOON, BLUE_SOON = "3116756345561236665335724541", "243455773644356564472372635"


@pytest.fixture(scope="module")
def client(shared_client: TestClient) -> TestClient:
    return shared_client


def get(client: TestClient, path: str, **query: object) -> dict[str, Any]:
    answer = client.get(f"/api/{path}", params={key: str(value) for key, value in query.items()})
    assert answer.status_code == 200, answer.text
    content: dict[str, Any] = answer.json()
    return content


def refusal(answer: Any) -> str:
    assert answer.status_code == 400, answer.text
    assert set(answer.json()) == {"detail", "code", "facts"}
    return str(answer.json()["detail"])


def random_position(seed: int, plies: int, width: int = 7, height: int = 6) -> tuple[str, Position]:
    chance = random.Random(seed)
    while True:
        game = Game(width=width, height=height)
        while not game.is_over and game.position.ply < plies:
            game.play(chance.choice(tuple(game.position.legal_columns)))
        if not game.is_over:
            return game.moves, game.position


# ---- Positions ---------------------------------------------------------------------------------------


def test_a_position_comes_with_all_that_a_page_draws(client: TestClient) -> None:
    view = get(client, "position", moves="445536")
    position = Position("445536")
    assert view["cells"] == position.to_grid(order="rows", top_first=False)
    assert (view["width"], view["height"], view["ply"], view["turn"]) == (7, 6, 6, 1)
    assert (view["start"], view["moves"]) == ("", "445536")
    assert view["last_move"] == [5, 0]
    assert view["legal_columns"] == [0, 1, 2, 3, 4, 5, 6]
    assert view["threats_first"] == [list(square) for square in position.threats(1)]
    assert view["threats_second"] == [list(square) for square in position.threats(2)]
    assert (view["winner"], view["is_over"], view["is_draw"]) == (None, False, False)
    assert view["diagram"] == str(position)
    assert view["text"].startswith(
        "Red to move after 6 moves, yellow was last in column 6. Bottom to top:"
    )


def test_a_won_position_shows_its_four(client: TestClient) -> None:
    view = get(client, "position", moves=WON)
    assert (view["winner"], view["is_over"], view["legal_columns"]) == (1, True, [])
    assert view["winning_squares"] == [[0, 0], [0, 1], [0, 2], [0, 3]]


def test_a_start_decides_the_size_and_comes_back_as_it_was(client: TestClient) -> None:
    start = "..../..../..../..../XO.."
    view = get(client, "position", start=start, moves="34", width=9, height=9)
    assert (view["width"], view["height"], view["start"], view["moves"]) == (4, 5, start, "34")
    assert view["cells"][0] == [1, 2, 1, 2]
    assert get(client, "position", start=view["diagram"].replace("\n", "/"))["ply"] == 4


def test_a_start_without_stones_is_an_empty_board_of_its_size(client: TestClient) -> None:
    view = get(client, "position", start="...../...../...../.....")
    assert (view["start"], view["width"], view["height"], view["last_move"]) == ("", 5, 4, None)


@pytest.mark.parametrize(
    ("query", "complaint"),
    [
        ({"moves": "48"}, "'8' at place 2 of '48' is not a column: they are 1 to 7"),
        ({"moves": "1111111"}, "move 7 of '1111111': column 1 is full"),
        ({"moves": WON + "1"}, "move 8 of '12121211': the game is over"),
        ({"moves": "\x00"}, "not a column"),
        ({"moves": "٤"}, "not a column"),
        ({"moves": "4" * 1001}, "moves must have at most 1000 characters"),
        ({"width": "abc"}, "width must be a whole number, not 'abc'"),
        ({"width": "7.5"}, "width must be a whole number"),
        ({"width": "3"}, "width must be at least 4, not '3'"),
        ({"width": "9" * 5_000}, "width"),
        ({"height": "32"}, "height must be at most 31"),
        ({"width": "25", "height": "31"}, "a board of width 25 and height 31 is not supported"),
        ({"start": "." * 301}, "start must have at most 300 characters"),
        ({"start": "..../..../.../...."}, "line 3 of the diagram, '...': 3 squares, but 4 above"),
        (
            {"start": ".X../..../..../...."},
            "floats above an empty square: column 2, row 4 from the bottom",
        ),
        ({"start": "..../..../..../XX.."}, "the first player has 2 discs and the second 0"),
        ({"start": "..../..../..../X?.."}, "'?' is not a square"),
        ({"start": "/"}, "there is no board"),
    ],
)
def test_what_is_no_position_is_refused_with_the_reason(
    client: TestClient, query: dict[str, str], complaint: str
) -> None:
    assert complaint in refusal(client.get("/api/position", params=query))


# ---- Text that a person has pasted -------------------------------------------------------------------


def test_whatever_a_person_pastes_is_recognized(client: TestClient) -> None:
    game = Game("44455", first="Ada", second="Grace")
    position = game.position
    moves = ["44455", " 4 4 4 5 5 ", "4, 4, 4, 5, 5", "1. 4 4\n2. 4 5\n3. 5", "44 455 # XO"]
    for text in [*moves, game.to_text(), game.to_json()]:
        view = client.post("/api/position", json={"diagram": text}).json()
        assert (view["start"], view["moves"]) == ("", "44455"), text
    diagrams = [
        str(position),
        format_rows(position),
        board(position, last=4),
        board(position, style="discs", last=4, color=True),
        format_json(position),
        "\r\n".join("|" + "|".join(row.split()) + "|" for row in str(position).splitlines()),
    ]
    for text in diagrams:
        view = client.post("/api/position", json={"diagram": text}).json()
        assert (view["start"], view["moves"]) == (format_rows(position), ""), text


def test_moves_that_are_pasted_are_on_the_board_of_the_page(client: TestClient) -> None:
    view = client.post("/api/position", json={"diagram": "888", "width": 8, "height": 7}).json()
    assert (view["width"], view["height"], view["moves"]) == (8, 7, "888")


def test_the_address_of_a_board_can_be_pasted(client: TestClient) -> None:
    start = "..../..../..../XO.."
    for address, moves, width in [
        ("https://example.org/board?moves=44&width=8&height=7", "44", 8),
        (f"http://localhost:8000/board?start={start}&moves=3", "3", 4),
        (f"http://localhost:8000/board?start={start.replace('/', '%2F')}", "", 4),
    ]:
        view = client.post("/api/position", json={"diagram": address}).json()
        assert (view["moves"], view["width"]) == (moves, width)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "there is nothing to read; give a diagram, moves such as 44455, or a game file"),
        ("# nothing", "there is nothing to read"),
        ("hello", "'hello' is neither a game nor a position; give a diagram, moves"),
        ("4444444", "line 1: '4444444': column 4 is full"),
        ("XO..\n....", "read as a diagram: a board of width 4 and height 2 is not supported"),
        ("Fisrt: me\n44", "line 1: 'fisrt' is not known; did you mean 'first'?"),
        ('{"moves": 3}', "'moves' must be a string, not 3"),
        ('{"moves": "4", "moves": "5"}', "occurs twice"),
        ('{"grid": [[0, 0, 0, 9]], "player": 1}', "is not 0, 1 or 2"),
        ("{" * 60_000, "JSON"),
        ("http://[", "is not an address"),
        ("http://x/game/abc", "there is no position in the address"),
        ("http://x/board?width=x&moves=1", "is not a number"),
        ("http://x/board?moves=9", "is not a column"),
        ("http://x/board?" + "&".join("a=1" for _ in range(99)), "is not an address"),
    ],
)
def test_a_text_that_cannot_be_read_is_refused_with_the_reason(
    client: TestClient, text: str, complaint: str
) -> None:
    assert complaint in refusal(client.post("/api/position", json={"diagram": text}))


@pytest.mark.parametrize(
    "body",
    [
        *(b"", b"{", b"[]", b"3", b"{}", b"\xff", b"[" * 50_000),
        *(
            b'{"diagram": 3}',
            b'{"diagram": NaN}',
            b'{"diagram": "\\ud800"}',
            b'{"diagram": "4", "x": 1}',
        ),
        *(b'{"diagram": "4", "width": %s}' % width for width in (b'"7"', b"true", b"1e400", b"null")),
    ],
)
def test_a_body_that_is_no_message_is_refused(client: TestClient, body: bytes) -> None:
    headers = {"content-type": "application/json"}
    assert refusal(client.post("/api/position", content=body, headers=headers))


@settings(max_examples=150)
@given(text=st.text(alphabet=st.sampled_from('14aXOxo.|/#{}[]:",\n 🔴🟡\x1b0mé'), max_size=80))
def test_no_text_makes_the_server_stumble(client: TestClient, text: str) -> None:
    pasted = client.post("/api/position", json={"diagram": text})
    asked = client.get("/api/position", params={"moves": text, "start": text})
    assert {pasted.status_code, asked.status_code} <= {200, 400}
    for answer in (pasted, asked):
        if answer.status_code == 200:
            again = {key: answer.json()[key] for key in ("start", "moves", "width", "height")}
            assert get(client, "position", **again) == answer.json()


# ---- Analyses ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(8))
def test_every_column_is_worth_what_the_solver_says(client: TestClient, seed: int) -> None:
    moves, position = random_position(seed, 20)
    analysis = Solver().analyze(position)
    view = get(client, "analysis", moves=moves)
    assert view["complete"]
    assert view["position"]["moves"] == moves
    assert view["score"] == analysis.result.score == view["lower"] == view["upper"]
    assert view["text"] == describe_score(view["score"], position)
    assert [column["column"] for column in view["columns"]] == list(position.legal_columns)
    for shown, line in zip(view["columns"], analysis, strict=True):
        assert line.score is not None
        assert (shown["score"], shown["outcome"]) == (line.score, line.outcome)
        assert shown["is_best"] == (line.score == analysis.result.score)
        assert shown["text"] == describe_score(line.score, position)


@pytest.mark.parametrize("seed", range(8))
def test_a_variation_is_best_play_and_ends_after_as_many_moves_as_it_says(
    client: TestClient, seed: int
) -> None:
    moves, position = random_position(seed, 22)
    for shown in get(client, "analysis", moves=moves)["columns"]:
        end = Game(shown["variation"], start=position)
        assert end.columns[0] == shown["column"]
        assert end.moves == shown["moves"]
        assert len(shown["squares"]) == len(end.columns) == shown["plies_to_end"]
        for square, column in zip(shown["squares"], end.columns, strict=True):
            assert square[0] == column
            assert end.position.at(*square)
            assert not position.at(*square)
        if shown["outcome"] == "draw":
            assert end.position.is_draw
            assert shown["moves_to_end"] is None
            continue
        winner = position.turn if shown["outcome"] == "win" else 3 - position.turn
        assert end.position.winner == winner
        discs = [ply for ply in range(position.ply, end.position.ply) if ply % 2 == winner - 1]
        assert shown["moves_to_end"] == len(discs)


def test_an_analysis_has_the_names_of_its_value(client: TestClient) -> None:
    """So it has those of `fourcast analyze --json`, which writes the value itself."""
    analysis = Solver().analyze(Position(LATE)).to_json()
    view = get(client, "analysis", moves=LATE)
    for key in ("score", "lower", "upper", "outcome", "winner", "plies_to_end", "moves_to_end"):
        assert view[key] == analysis[key], key
    assert view["best_columns"] == analysis["best_columns"]
    for shown, column in zip(view["columns"], analysis["columns"], strict=True):
        assert set(column) <= set(shown)
        assert {key: shown[key] for key in column} == column


def test_the_share_is_the_first_players_and_a_win_is_more_the_sooner_it_comes(
    client: TestClient,
) -> None:
    def bar(moves: str) -> float:
        value = get(client, "analysis", moves=moves)["share"]
        assert isinstance(value, float)
        return value

    assert bar(WON) == 1
    assert (bar(RED_SOON), bar(BLUE_SOON)) == (1, 0)  # with the next disc
    assert 0.7 < bar(LATE) < 1
    drawn = next(
        moves
        for moves, position in (random_position(seed, 30) for seed in range(200))
        if Solver().solve(position).score == 0
    )
    assert bar(drawn) == 0.5


def test_a_finished_game_has_nothing_left_to_find(client: TestClient) -> None:
    view = get(client, "analysis", moves=WON)
    assert (view["complete"], view["score"], view["text"], view["columns"]) == (
        True,
        -18,
        "has lost",
        [],
    )


def test_what_is_not_found_in_time_is_told_by_bounds_that_hold(client: TestClient) -> None:
    view = get(client, "analysis", width=9, height=7, time_s=0.05)
    assert not view["complete"]
    assert view["score"] is None
    assert view["lower"] < view["upper"]
    assert len(view["columns"]) == 9
    for column in view["columns"]:
        assert column["lower"] <= column["upper"]
    # The game value of 9x7 is known: the first player wins with disc 55.
    assert view["lower"] <= (63 + 2 - 55) // 2 <= view["upper"]


@pytest.mark.parametrize("time_s", ["0", "-1", "nan", "inf", "x", ""])
def test_a_time_that_is_none_is_refused(client: TestClient, time_s: str) -> None:
    for path in ("analysis", "review"):
        assert "time_s" in refusal(client.get(f"/api/{path}", params={"time_s": time_s}))


def test_a_time_that_is_too_long_is_cut(client: TestClient) -> None:
    assert get(client, "analysis", moves=LATE, time_s="1e9")["complete"]


# ---- Reviews and players -----------------------------------------------------------------------------


def test_a_review_is_that_of_the_library(client: TestClient) -> None:
    start = "..../..../..../XO.."
    moves = "1234123"
    report = review(Game(moves, start=parse_rows(start)))
    view = get(client, "review", start=start, moves=moves)
    assert view["complete"]
    assert [move["verdict"] for move in view["moves"]] == [
        move.verdict and move.verdict.value for move in report.moves
    ]
    for shown, move in zip(view["moves"], report.moves, strict=True):
        assert shown["number"] == move.number
        assert (shown["player"], shown["column"], shown["loss"]) == (move.player, move.column, move.loss)
        assert shown["score_first"] == (1 if move.player == 1 else -1) * (move.score_after or 0)
        assert shown["best_columns"] == list(move.best_columns)
    assert view["accuracy_first"] == pytest.approx(report.accuracy(1), abs=0.05)
    assert view["accuracy_second"] == pytest.approx(report.accuracy(2), abs=0.05)
    assert view["decisive"] == (report.decisive.number if report.decisive else None)


def test_a_review_of_what_cannot_be_solved_in_time_leaves_it_open(client: TestClient) -> None:
    view = get(client, "review", width=9, height=7, moves="55555", time_s=0.1)
    assert not view["complete"]
    assert [move["verdict"] for move in view["moves"]] == [None] * 5
    assert (view["accuracy_first"], view["decisive"]) == (None, None)
    assert view["text"].endswith("Which move decided the game could not be found in time.")


def test_a_board_without_moves_has_an_empty_review(client: TestClient) -> None:
    view = get(client, "review", width=9, height=7)
    assert (view["moves"], view["text"]) == ([], "There is no move to judge.")


def test_every_player_is_there_with_a_sentence(client: TestClient) -> None:
    players = client.get("/api/players").json()
    assert [player["name"] for player in players] == list(player_names())
    for player in players:
        assert player["text"] == describe_player(player["name"])
        assert player["title"][0].isupper()


@pytest.mark.parametrize("route", ["analysis", "review"])
def test_hardly_any_time_is_little_time_and_no_error(client: TestClient, route: str) -> None:
    assert client.get(f"/api/{route}?moves=4&time_s=5e-324").status_code == 200
