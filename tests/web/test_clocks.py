"""Clocks that the server keeps, and games whose other player has left."""

from __future__ import annotations

import json
import random
import sqlite3
import time
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from fourcast import Position
from fourcast.errors import OptionError
from fourcast.game import Game, Outcome, Termination
from fourcast.web.games import rules as games
from fourcast.web.games.rules import Clock, Record, RefusedError
from fourcast.web.games.store import Store
from fourcast.web.schemas import Action, MoveRequest, NewGame
from fourcast.web.views import game_view, result_view
from tests.web.people import FRIEND, ME, computer, friends, new_game

ADA, BO = "a" * 43, "b" * 43
START_MS = 1_800_000_000_000
FIVE_AND_THREE = {"kind": "game", "time_s": 300, "increment_s": 3}
TEN_A_MOVE = {"kind": "move", "time_s": 10}


def begun(clock: dict[str, Any], **more: Any) -> Record:
    """A game of two people, of whom the second came 7 seconds after the first."""
    request = {"first": ME, "second": FRIEND, "clock": clock} | more
    record = games.new_game(NewGame.model_validate(request), ADA, now_ms=START_MS)
    assert games.time_left_s(record, START_MS + 10**9) is None  # nobody is there yet
    return games.join(record, "Bo", BO, now_ms=START_MS + 7_000)


def played(record: Record, column: int, after_s: float) -> Record:
    """The record after a disc of the side to move, that long after the clocks began."""
    ply = record.game.position.ply
    now_ms = START_MS + 7_000 + round(1000 * after_s)
    return games.play(
        record, [games.side(1 + ply % 2)], MoveRequest(column=column, ply=ply), now_ms=now_ms
    )


def left_s(record: Record) -> list[float]:
    view = game_view(record).clock
    assert view
    return [ms / 1000 for ms in view.left_ms]


def at(after_s: float) -> int:
    return START_MS + 7_000 + round(1000 * after_s)


def test_a_clock_for_the_game_runs_for_the_side_to_move_and_gains_after_each_move() -> None:
    record = begun(FIVE_AND_THREE)
    assert games.time_left_s(record, at(40)) == pytest.approx(260)
    record = played(record, 3, 40)
    assert left_s(record) == [263, 300]
    record = played(record, 3, 100)
    assert left_s(record) == [263, 243]
    record = played(record, 2, 100.5)
    assert left_s(record) == [265.5, 243]
    assert games.time_left_s(record, at(343)) == pytest.approx(0.5)
    view = game_view(record).clock
    assert view
    assert (view.running, view.since_ms) == (2, at(100.5))


def test_a_clock_for_each_move_starts_again_with_each() -> None:
    record = played(played(begun(TEN_A_MOVE), 3, 9.9), 3, 19.8)
    assert left_s(record) == [10, 10]
    assert games.time_left_s(record, at(25)) == pytest.approx(4.8)
    late = played(record, 3, 30)
    assert late.moves == record.moves
    assert late.game.result == Outcome(2, Termination.TIME)
    assert left_s(late) == [0, 10]


def test_a_disc_after_the_time_does_not_count_and_the_game_is_lost() -> None:
    record = begun(FIVE_AND_THREE)
    late = played(record, 3, 300)
    assert late.moves == ()
    assert late.game.result == Outcome(2, Termination.TIME)
    assert result_view(late.game.result).text == "Yellow wins: red has run out of time."
    assert games.time_left_s(late, at(400)) is None
    assert played(record, 3, 299.9).moves


def test_the_clock_runs_while_nobody_asks_and_whoever_asks_first_ends_the_game() -> None:
    record = begun(FIVE_AND_THREE)
    assert games.time_out(record, now_ms=at(299)) is record
    assert games.time_out(record, now_ms=at(301)).game.result == Outcome(2, Termination.TIME)
    offered = games.act(record, [2], Action(kind="offer-draw"), now_ms=at(500))
    assert offered.game.result == Outcome(2, Termination.TIME)
    resigned = games.act(record, [1], Action(kind="resign"), now_ms=at(500))
    assert resigned.game.result == Outcome(2, Termination.TIME)


def brute_force_can_win(position: Position, side: int) -> bool:
    """Whether some order of the remaining discs gives *side* four in a row."""
    if position.is_over:
        return position.winner == side
    return any(brute_force_can_win(position.play(column), side) for column in position.legal_columns)


def test_on_time_a_side_that_cannot_win_any_more_draws() -> None:
    """Random endings: drawn only where no order of moves wins for the other side."""
    chance = random.Random(20261118)
    seen = {True: 0, False: 0}
    while min(seen.values()) < 12:
        game = Game(width=5, height=4)
        while not game.position.is_over and game.position.ply < 16:
            game.play(chance.choice(list(game.position.legal_columns)))
        if game.position.is_over:
            continue
        record = begun(TEN_A_MOVE, width=5, height=4, moves=game.moves)
        result = games.time_out(record, now_ms=at(11)).game.result
        assert result
        assert result.termination is Termination.TIME
        other = 3 - game.position.turn
        can = brute_force_can_win(game.position, other)
        if can:
            assert result.winner == other
        seen[result.winner is None] += 1
        if result.winner is None:
            assert not can
            assert result_view(result).text.startswith("A draw: time has run out")


def test_with_a_clock_nothing_is_taken_back() -> None:
    record = played(begun(FIVE_AND_THREE), 3, 1)
    for kind in ("offer-takeback", "undo"):
        with pytest.raises(RefusedError, match="no move is taken back"):
            games.act(record, [1], Action.model_validate({"kind": kind}), now_ms=at(2))


def test_a_rematch_has_the_same_clock_from_its_first_second_and_the_points() -> None:
    record = played(begun(FIVE_AND_THREE), 3, 300)
    for side in (1, 2):
        before, record = record, games.act(record, [side], Action(kind="offer-rematch"), now_ms=at(320))
    again = games.made_by(before, record)
    assert again
    assert again.clock == Clock("game", 300, 3, 0)
    assert again.points == (2, 0)  # the winner begins now
    assert game_view(record).points is None  # of a first game
    assert game_view(again).points == (1.0, 0.0)
    assert games.time_left_s(again, again.created_ms + 1000) == pytest.approx(299)


def test_a_game_whose_other_player_has_left_can_be_claimed_after_a_minute() -> None:
    record = played(begun({"kind": "game", "time_s": 3600, "increment_s": 0}), 3, 1)
    for away_s in (None, 0.0, 59.9):
        with pytest.raises(RefusedError, match="away for 60 seconds"):
            games.act(record, [1], Action(kind="claim"), away_s=away_s, now_ms=at(9))
    claimed = games.act(record, [1], Action(kind="claim"), away_s=60.0, now_ms=at(9))
    assert claimed.game.result == Outcome(1, Termination.ABANDONED)
    assert result_view(claimed.game.result).text == "Red wins: yellow has left the game."
    local = games.new_game(NewGame.model_validate({"first": ME, "second": computer()}), ADA)
    with pytest.raises(RefusedError, match="nobody else"):
        games.act(local, [1], Action(kind="claim"), away_s=99)


def test_ends_by_time_are_read_and_written_and_others_are_as_they_were() -> None:
    for text in ("first wins, out of time", "draw, out of time", "second wins, abandoned"):
        assert str(Outcome.parse(text)) == text
    with pytest.raises(OptionError):
        Outcome(None, Termination.RESIGNATION)
    game = Game("4455")
    game.end(Outcome(2, Termination.TIME))
    assert Game.from_text(game.to_text()).result == game.result


# ---- On a server


def test_a_game_is_lost_on_time_before_the_eyes_of_both(client: TestClient) -> None:
    ada, bo = friends(client, clock={"kind": "move", "time_s": 1})
    with client.websocket_connect(f"ws://localhost/api/games/{ada.id}/live") as live:
        live.send_text(json.dumps({"token": bo.token}))
        ada.move(3)
        begin_s = time.monotonic()
        message = live.receive_json()
        while not message["game"]["result"]:
            clock = message["game"]["clock"]
            assert clock["kind"] == "move"
            assert message["now_ms"] >= clock["since_ms"]
            message = live.receive_json()
        assert 0.8 < time.monotonic() - begin_s < 10
    assert message["game"]["result"]["termination"] == "out of time"
    assert message["game"]["result"]["winner"] == 1
    assert bo.try_move(3, 1).status_code == 409


def test_a_clock_runs_out_while_the_server_is_down(client: TestClient, tmp_path: Path) -> None:
    ada, _ = friends(client, clock={"kind": "move", "time_s": 100})
    with closing(sqlite3.connect(tmp_path / "games.db")) as database:
        database.execute("UPDATE games SET created_ms = created_ms - 200000")
        database.commit()
    game = ada.game()
    assert game["result"]["termination"] == "out of time"
    assert game["result"]["winner"] == 2


def test_who_has_left_is_known_by_the_server(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    ada, bo = friends(client)
    with client.websocket_connect(f"ws://localhost/api/games/{ada.id}/live") as live:
        live.send_text(json.dumps({"token": ada.token}))
        live.receive_json()
        assert ada.try_act("claim").status_code == 409
        now_s = time.monotonic
        monkeypatch.setattr(time, "monotonic", lambda: now_s() + 61)
        assert bo.try_act("claim").status_code == 409  # she is here
        assert ada.act("claim")["result"]["termination"] == "abandoned"


@pytest.mark.parametrize(
    "clock",
    [
        {"kind": "hour", "time_s": 5},
        {"kind": "game", "time_s": 0},
        {"kind": "game", "time_s": 10**9},
        {"kind": "game", "time_s": 5, "increment_s": -1},
        {"kind": "game", "time_s": 5.5},
        {"kind": "game"},
        "5+3",
    ],
)
def test_a_clock_that_is_none_is_refused(client: TestClient, clock: object) -> None:
    answer = client.post("/api/games", json={"first": ME, "second": FRIEND, "clock": clock})
    assert answer.status_code == 422
    assert "clock" in answer.json()["detail"]


def test_tables_of_the_first_version_get_what_they_lack(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    with closing(Store(f"sqlite:///{path}")) as store:
        record = games.new_game(NewGame.model_validate({"first": ME, "second": ME}), ADA)
        store.add(record)
    with closing(sqlite3.connect(path)) as database:
        for column in ("clock", "points", "room_id"):
            database.execute(f"ALTER TABLE games DROP COLUMN {column}")
        database.execute("UPDATE fourcast_schema SET version = 1")
        database.commit()
    for _ in range(2):
        with closing(Store(f"sqlite:///{path}")) as store:
            assert store.load(record.id) == record
    timed = replace(begun(FIVE_AND_THREE), id="abcdefghijkl", points=(3, 1))
    with closing(Store(f"sqlite:///{path}")) as store:
        store.add(timed)
        assert store.load(timed.id) == timed


def test_a_person_and_the_computer_play_by_the_clock(client: TestClient) -> None:
    me = new_game(client, ME, computer("level-1"), clock=FIVE_AND_THREE)
    me.move(3)
    clock = me.wait_for_computer()["clock"]
    assert clock["running"] == 1
    assert 300_000 < clock["left_ms"][1] <= 303_000


def test_players_of_a_game_with_a_clock_get_no_analysis_of_it(client: TestClient) -> None:
    ada, bo = friends(client, clock=FIVE_AND_THREE)
    for column, player in ((3, ada), (3, bo), (2, ada)):
        player.move(column)
    asked = [
        "analysis?moves=443",
        "explain?moves=4431",
        "review?moves=4435",
        "explain-move?moves=443&column=4",
    ]
    with client.websocket_connect(f"ws://localhost/api/games/{ada.id}/live") as live:
        live.send_text(json.dumps({"token": ada.token}))
        live.receive_json()
        for path in asked:
            answer = client.get(f"/api/{path}&time_s=0.1")
            assert (answer.status_code, answer.json()["code"]) == (403, "error.fair_play"), path
        for response in (
            client.get("/solve?pos=443"),
            client.post("/api/solve", json={"positions": ["44", "4431"]}),
        ):
            assert (response.status_code, response.json()["code"]) == (403, "error.fair_play")
        assert client.get("/solve?pos=445").status_code == 200
        for other in ("analysis?moves=445", "analysis?moves=44", "position?moves=443"):
            assert client.get(f"/api/{other}").status_code == 200
        bo.act("resign")
        while not live.receive_json()["game"]["result"]:
            pass
        assert client.get("/api/analysis?moves=443&time_s=0.1").status_code == 200
    with client.websocket_connect(f"ws://localhost/api/games/{ada.id}/live") as live:
        live.send_text("{}")
        live.receive_json()
        assert client.get("/api/analysis?moves=443&time_s=0.1").status_code == 200
