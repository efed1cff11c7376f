"""Rooms: people who meet, play, hold events and solve tasks together."""

from __future__ import annotations

import csv
import io
import json
import random
import sqlite3
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import Any

import httpx2 as httpx
import pytest
import segno
from fastapi.testclient import TestClient
from starlette.testclient import WebSocketTestSession
from starlette.websockets import WebSocketDisconnect

from fourcast import Solver
from fourcast.puzzles import find, load
from fourcast.study.lessons import Tried, find_lesson, lessons
from fourcast.web.app import create_app
from fourcast.web.games.rules import RefusedError
from fourcast.web.rooms.judging import LESSON, is_solved
from fourcast.web.rooms.room import Room, new_room, to_csv
from fourcast.web.rooms.views import MOST_ANSWERS
from fourcast.web.settings import Settings
from tests.web.people import Player, friends
from tests.web.test_live import hello, listen

KEY = "k" * 43
PUZZLES = {
    puzzle.id: [str(column + 1) for column in puzzle.solution[::2]]
    for puzzle in load(lowest=500, highest=520)[:5]
}
"""The answers to some puzzles."""
BLITZ = {"kind": "game", "time_s": 60, "increment_s": 1}


def token(number: int) -> str:
    return f"{number:043}"


def answers_to_lesson(name: str) -> list[str]:
    """Answers to all steps of a lesson, as somebody gives them who knows them."""
    given = []
    for step in find_lesson(name).steps:
        tried = Tried("open", (), ())
        while tried.state == "open":
            given.append(step.answers(tried.columns)[0])
            tried = step.try_answer(given[-1], tried.columns)
        assert tried.state == "done"
    return given


def filled(count: int) -> Room:
    room = new_room("Chess club", KEY)
    for number in range(count):
        room.join(f"Member {number}", token(number))
    return room


def finish(room: Room, winner_of: Any) -> None:
    """End all games of the round."""
    for played in room.games:
        if played.winner is None:
            played.winner = winner_of(played)


# ---- Rules


def test_the_same_secret_is_the_same_member_and_two_of_one_name_can_be_told_apart() -> None:
    room = new_room("", KEY)
    ada, other, again = (room.join("Ada", token(number)) for number in (1, 2, 1))
    assert ada is again
    assert [member.name for member in room.members] == ["Ada", "Ada 2"]
    assert room.member_of(token(2)) is other
    names = [room.join(name, token(2)).name for name in ("Ada", "Bea", "Ada")]
    assert names == ["Ada 2", "Bea", "Ada 2"]
    for name in ("", "  ", "a\nb", "x" * 101, "\u202ename"):
        with pytest.raises(Exception, match="name"):
            room.join(name, token(9))
    with pytest.raises(RefusedError):
        room.member_of(token(3))
    for number in range(10, 308):
        room.join(f"M{number}", token(number))
    with pytest.raises(RefusedError, match="300 members"):
        room.join("One more", token(400))


def test_those_who_seek_the_same_meet_and_others_wait() -> None:
    room = filled(4)
    ada, bo, cleo, dan = room.members
    assert room.seek(ada, None) == []
    assert room.seek(ada, None) == []
    assert len(room.seeks) == 1
    (game,) = room.seek(bo, None)
    assert (game.first.name, game.second.name, game.room_id) == ("Member 0", "Member 1", room.id)
    assert room.seeks == []
    room.seek(cleo, None)
    room.leave(cleo)
    assert room.seek(dan, None) == []
    room.challenge(ada, dan.id, None)
    assert len(room.answer(dan, ada.id, accepts=True)) == 1
    assert room.seeks == []  # who plays looks for nobody
    room.seek(dan, None)
    (game,) = room.play_computer(dan, "level-2")
    assert (game.second.kind, game.second.player) == ("computer", "level-2")
    assert room.seeks == []
    with pytest.raises(RefusedError):
        room.play_computer(dan, "nobody")


def test_a_challenge_is_accepted_declined_or_withdrawn() -> None:
    room = filled(3)
    ada, bo, cleo = room.members
    room.challenge(ada, bo.id, None)
    room.challenge(ada, cleo.id, None)
    with pytest.raises(RefusedError):
        room.answer(cleo, bo.id, accepts=True)
    assert len(room.answer(bo, ada.id, accepts=True)) == 1
    room.answer(cleo, ada.id, accepts=False)
    room.challenge(ada, bo.id, None)
    room.answer(ada, bo.id, accepts=False)  # withdrawn
    assert room.challenges == []
    room.challenge(ada, bo.id, None)
    assert len(room.challenge(bo, ada.id, None)) == 1  # asking back accepts
    with pytest.raises(RefusedError):
        room.challenge(ada, ada.id, None)
    with pytest.raises(RefusedError):
        room.challenge(ada, "nobody00", None)


@pytest.mark.parametrize("count", [2, 3, 4, 5, 8, 9])
def test_in_a_round_robin_everybody_meets_everybody_once(count: int) -> None:
    room = filled(count)
    room.open_event("round-robin", None, None)
    assert room.event
    while games := room.next_round():
        assert len(games) == count // 2
        finish(room, lambda _: 1)
    met = Counter(frozenset((each.first, each.second)) for each in room.games)
    members = [member.id for member in room.members]
    assert met == Counter(map(frozenset, combinations(members, 2)))
    assert room.event.is_over
    starts = Counter(each.first for each in room.games)
    assert max(starts[each] for each in members) - min(starts[each] for each in members) <= 2


def test_a_swiss_event_pairs_equals_and_bears_latecomers_and_leavers() -> None:
    chance = random.Random(5)
    room = filled(8)
    strength = {member.id: number for number, member in enumerate(room.members)}
    room.open_event("swiss", 5, None)
    late = left = None
    for number in range(5):
        games = room.next_round()
        assert len(games) >= 3
        with pytest.raises(RefusedError):
            room.next_round()  # games are being played
        finish(room, lambda each: 1 if strength[each.first] < strength[each.second] else 2)
        if number == 0:
            late = room.join("Late", token(99))
            strength[late.id] = -1
        if number == 2:
            left = chance.choice(room.members[2:6])
            room.leave(left)
    assert room.next_round() == []
    assert room.event
    assert room.event.is_over
    pairs = [frozenset((each.first, each.second)) for each in room.games]
    assert len(set(pairs)) == len(pairs)
    assert late
    assert left
    rounds_of_left = {each.round for each in room.games if left.id in (each.first, each.second)}
    assert max(number or 0 for number in rounds_of_left) <= 3
    table = room.standings()
    assert table[0].member in (room.members[0].id, late.id)
    assert {row.member for row in table} == set(strength)
    assert sum(row.points for row in table) == len(room.games) + sum(
        len(each.byes) for each in room.event.drawn
    )
    rows = list(csv.reader(io.StringIO(to_csv(room, "standings"))))
    assert rows[0][:3] == ["place", "name", "points"]
    assert len(rows) == 10


@pytest.mark.parametrize("count", [2, 5, 8])
def test_a_knockout_ends_with_one(count: int) -> None:
    room = filled(count)
    room.open_event("knockout", None, None)
    place = {member.id: number for number, member in enumerate(room.members)}
    while room.next_round():
        finish(room, lambda each: 2 if place[each.first] < place[each.second] else 1)
    losers = Counter(each.first if each.winner == 2 else each.second for each in room.games)
    assert len(room.games) == count - 1
    assert set(losers.values()) == {1}


def test_a_game_that_is_not_played_on_is_decided_by_the_host() -> None:
    room = filled(2)
    room.open_event("round-robin", None, None)
    (game,) = room.next_round()
    room.decide(game.id, 2)
    assert room.standings()[0].member == room.games[0].second
    with pytest.raises(RefusedError):
        room.decide(game.id, 1)


def test_a_second_event_starts_from_nothing() -> None:
    room = filled(4)
    for _ in range(2):
        room.open_event("round-robin", None, None)
        while room.next_round():
            with pytest.raises(RefusedError):
                room.open_event("swiss", None, None)
            finish(room, lambda _: 0)
        assert [row.points for row in room.standings()] == [1.5] * 4
    assert len(room.games) == 12


def test_of_a_task_the_first_right_answer_counts_by_the_servers_clock() -> None:
    room = filled(2)
    ada, bo = room.members
    with pytest.raises(RefusedError):
        room.solve(ada, "p1", is_right=True, at_ms=0)
    room.open_tasks("race", ["p1", "p2"])
    with pytest.raises(RefusedError):
        room.solve(ada, "p1", is_right=True, at_ms=0)
    room.start_tasks()
    assert room.tasks
    room.tasks.started_ms = 1_000
    room.start_tasks()  # asked again because the answer was lost
    assert room.tasks.started_ms == 1_000
    for at_ms, is_right in ((2_000, False), (3_000, True), (4_000, False)):
        room.solve(ada, "p1", is_right=is_right, at_ms=at_ms)
    with pytest.raises(RefusedError):
        room.solve(bo, "p3", is_right=True, at_ms=0)
    solved = room.tasks.results[ada.id]["p1"]
    assert (solved.is_right, solved.tries, solved.time_ms) == (True, 2, 2_000)
    rows = list(csv.reader(io.StringIO(to_csv(room, "tasks"))))
    assert rows[0] == ["name", "right", "tries", "seconds", "p1", "p2"]
    assert rows[1] == ["Member 0", "1", "2", "2.0", "right", ""]
    assert rows[2] == ["Member 1", "0", "0", "0.0", "", ""]


def test_no_name_becomes_a_formula_in_a_table() -> None:
    room = new_room("", KEY)
    for number, name in enumerate(["=1+1", "@SUM(A1)", "-2", "+3", 'quote"', "comma,"]):
        room.join(name, token(number))
    room.open_event("swiss", 1, None)
    text = to_csv(room, "standings")
    names = {row[1] for row in csv.reader(io.StringIO(text))} - {"name"}
    assert names == {"'=1+1", "'@SUM(A1)", "'-2", "'+3", 'quote"', "comma,"}


def test_a_room_has_three_thousand_games_and_no_more() -> None:
    room = filled(2)
    ada, bo = room.members
    for _ in range(3_000):
        room.seek(ada, None)
        room.seek(bo, None)
    room.seek(ada, None)
    with pytest.raises(RefusedError, match="3000 games"):
        room.seek(bo, None)
    assert len(room.games) == 3_000


# ---- On a server


class Person:
    """A member of a room, over the API."""

    def __init__(self, client: TestClient | httpx.Client, room_id: str, name: str) -> None:
        self.client, self.room_id = client, room_id
        answer = client.post(f"/api/rooms/{room_id}/join", json={"name": name})
        assert answer.status_code == 200, answer.text
        ticket = answer.json()
        self.id, self.token = ticket["member"], ticket["token"]

    def act(self, kind: str, **more: Any) -> dict[str, Any]:
        answer = self.try_act(kind, **more)
        assert answer.status_code == 200, answer.text
        return dict(answer.json())

    def try_act(self, kind: str, **more: Any) -> httpx.Response:
        headers = {"authorization": f"Bearer {self.token}"}
        path = f"/api/rooms/{self.room_id}/actions"
        return self.client.post(path, json={"kind": kind, **more}, headers=headers)

    def player(self, game_id: str) -> Player:
        ticket: dict[str, Any] = {"token": self.token, "sides": [], "game": {"id": game_id}}
        return Player(self.client, ticket)


class Host:
    """Who has opened a room."""

    def __init__(self, client: TestClient | httpx.Client, **more: Any) -> None:
        answer = client.post("/api/rooms", json={"name": "Club", **more})
        assert answer.status_code == 201, answer.text
        self.client = client
        self.key, self.id = answer.json()["key"], answer.json()["room"]["id"]

    def act(self, kind: str, status: int = 200, **more: Any) -> dict[str, Any]:
        headers = {"authorization": f"Bearer {self.key}"}
        path = f"/api/rooms/{self.id}/host"
        answer = self.client.post(path, json={"kind": kind, **more}, headers=headers)
        assert answer.status_code == status, answer.text
        return dict(answer.json())

    def room(self) -> dict[str, Any]:
        return dict(self.client.get(f"/api/rooms/{self.id}").json())


def live(client: TestClient, room_id: str) -> WebSocketTestSession:
    return client.websocket_connect(f"ws://localhost/api/rooms/{room_id}/live")


def test_people_meet_in_a_room_and_their_game_is_told_to_all(client: TestClient) -> None:
    host = Host(client)
    ada, bo = (Person(client, host.id, name) for name in ("Ada", "Bo"))
    with live(client, host.id) as screen:
        screen.send_text("{}")
        assert screen.receive_json()["room"]["name"] == "Club"
        ada.act("seek", clock=BLITZ)
        (game_id,) = bo.act("seek", clock=BLITZ)["games"]
        assert ada.player(game_id).game()["clock"]["time_s"] == 60
        assert ada.player(game_id).game()["room_id"] == host.id
        for ply, column in enumerate([0, 1, 0, 1, 0, 1, 0]):
            assert (ada, bo)[ply % 2].player(game_id).try_move(column, ply).status_code == 200
        room = screen.receive_json()["room"]
        while not room["games"] or room["games"][0]["winner"] is None:
            room = screen.receive_json()["room"]
        assert room["games"][0]["winner"] == 1
        ada.player(game_id).act("offer-rematch")
        rematch = bo.player(game_id).act("accept-rematch")["rematch_id"]
        assert host.room()["games"][1]["id"] == rematch
        assert host.room()["games"][1]["first"] == bo.id
    text = json.dumps(host.room())
    assert ada.token not in text
    assert "hash" not in text


def test_all_games_of_a_room_are_played_by_its_rules(client: TestClient) -> None:
    host = Host(client, rules="pop,connect=3", width=5, height=4)
    assert host.room()["rules"] == "connect=3,pop"
    ada, bo = (Person(client, host.id, name) for name in ("Ada", "Bo"))
    start = "...../...../...../.....:connect=3,pop"
    ada.act("seek")
    (found,) = bo.act("seek")["games"]
    ada.act("challenge", member=bo.id)
    (accepted,) = bo.act("accept", member=ada.id)["games"]
    (alone,) = ada.act("play-computer", player="mcts")["games"]
    host.act("open-event", format="round-robin")
    (drawn,) = host.act("next-round")["games"]
    for game_id in (found, accepted, alone, drawn):
        assert ada.player(game_id).game()["position"]["start"] == start
    for ply, move in enumerate([0, 0, 5]):  # the last one takes the first disc out
        assert (ada, bo)[ply % 2].player(found).try_move(move, ply).status_code == 200
    assert ada.player(found).game()["position"]["moves"] == "11p1"
    refused = ada.try_act("play-computer", player="level-3")
    assert refused.status_code == 400
    assert "knows the standard rules only, not connect=3,pop" in refused.json()["detail"]
    for rules in ("five", "misere,pop", "connect=9"):
        answer = client.post("/api/rooms", json={"name": "Club", "rules": rules})
        assert answer.status_code == 400
        assert answer.json()["detail"]


def test_who_is_in_the_room_is_seen(client: TestClient) -> None:
    host = Host(client)
    ada = Person(client, host.id, "Ada")
    with live(client, host.id) as screen:
        screen.send_text(json.dumps({"key": host.key}))
        first = screen.receive_json()
        assert first["is_host"]
        assert first["member"] is None
        with live(client, host.id) as here:
            here.send_text(json.dumps({"token": ada.token}))
            assert here.receive_json()["member"] == ada.id
            while not screen.receive_json()["room"]["members"][0]["is_here"]:
                pass
        while screen.receive_json()["room"]["members"][0]["is_here"]:
            pass


def test_an_event_runs_by_its_host_and_by_nobody_else(client: TestClient) -> None:
    host = Host(client)
    people = {name: Person(client, host.id, name) for name in "ABCD"}
    for key in ("x" * 43, people["A"].token):
        path = f"/api/rooms/{host.id}/host"
        headers = {"authorization": f"Bearer {key}"}
        assert client.post(path, json={"kind": "end-event"}, headers=headers).status_code == 403
    host.act("next-round", 409)
    host.act("open-event", format="round-robin", clock=BLITZ)
    by_id = {person.id: person for person in people.values()}
    for _ in range(3):
        made = host.act("next-round")
        assert len(made["games"]) == 2
        host.act("next-round", 409)
        for played in made["room"]["games"][-2:]:
            by_id[played["second"]].player(played["id"]).act("resign")
    assert host.act("next-round")["room"]["event"]["is_over"]
    standings = host.room()["standings"]
    assert sum(row["points"] for row in standings) == 6
    table = client.get(f"/api/rooms/{host.id}/standings.csv")
    assert table.headers["content-type"].startswith("text/csv")
    assert len(table.text.splitlines()) == 5
    assert len(client.get(f"/api/rooms/{host.id}/games.csv").text.splitlines()) == 7


def test_forty_pupils_solve_a_race(client: TestClient) -> None:
    host = Host(client)
    pupils = [Person(client, host.id, f"Pupil {number}") for number in range(40)]
    items = list(PUZZLES)[:5]
    with ExitStack() as stack:
        sockets = [stack.enter_context(live(client, host.id)) for _ in pupils]
        for socket, pupil in zip(sockets, pupils, strict=True):
            socket.send_text(json.dumps({"token": pupil.token}))
            assert socket.receive_json()["member"] == pupil.id
        host.act("open-tasks", tasks="race", items=items)
        assert pupils[0].try_act("solve", item=items[0]).status_code == 409
        host.act("start-tasks")
        for number, pupil in enumerate(pupils):
            for item in items[: number % 6]:
                pupil.act("solve", item=item, answers=PUZZLES[item])
        host.act("end-tasks")
        for socket in sockets:
            room = socket.receive_json()["room"]
            while not (room["tasks"] and room["tasks"]["is_over"]):
                room = socket.receive_json()["room"]
            assert len(room["tasks"]["results"][pupils[5].id]) == 5
    rows = list(csv.reader(io.StringIO(client.get(f"/api/rooms/{host.id}/tasks.csv").text)))
    assert [int(row[1]) for row in rows[1:]] == [number % 6 for number in range(40)]


def test_the_server_judges_answers_and_believes_nobody(client: TestClient) -> None:
    host = Host(client)
    ada, bo = (Person(client, host.id, name) for name in ("Ada", "Bo"))
    (first, right), (second, other) = list(PUZZLES.items())[:2]
    lesson = LESSON + "stacked"
    host.act("open-tasks", tasks="homework", items=[first, second, lesson, "no-such"])

    def solves(item: str, answers: list[str], who: Person = ada) -> bool:
        room = who.act("solve", item=item, answers=answers)["room"]
        return bool(room["tasks"]["results"][who.id][item]["is_right"])

    assert ada.try_act("solve", item=first, is_right=True).status_code == 422
    closed = {"1", "2", "3", "4", "5", "6", "7"} - {
        str(column + 1) for column in find(first).position.legal_columns
    }
    wrong = [name for name in "1234567" if name != right[0] and name not in closed]
    assert not any(solves(first, [name]) for name in wrong)
    assert not solves(first, [])
    assert not solves(first, right[:-1])
    assert not solves(second, right)
    assert solves(first, right)
    assert solves(second, other)
    assert not solves(first, [*right, "1"], bo)
    for answers in (["9"], ["\u0664"], ["4/2"]):
        assert bo.try_act("solve", item=first, answers=answers).status_code == 400, answers
    assert bo.try_act("solve", item="no-such", answers=["4"]).status_code == 400
    assert bo.try_act("solve", item=first, answers=["1"] * 201).status_code == 422

    learned = answers_to_lesson("stacked")
    assert not solves(lesson, learned[:-1], bo)
    assert not solves(lesson, ["1", *learned], bo)
    assert not solves(lesson, [*learned, "1"], bo)
    assert solves(lesson, learned, bo)
    stranger = {"authorization": f"Bearer {'x' * 43}"}
    body = {"kind": "solve", "item": first, "answers": right}
    path = f"/api/rooms/{host.id}/actions"
    assert client.post(path, json=body, headers=stranger).status_code == 403


def test_a_whole_room_may_answer_at_once_and_too_much_is_refused_with_when_to_come_back(
    settings: Settings,
) -> None:
    app = create_app(replace(settings, requests_per_s=1e6, request_burst=1_000_000))
    with TestClient(app, base_url="http://localhost") as client:
        host = Host(client)
        pupils = [Person(client, host.id, f"Pupil {number}") for number in range(40)]
        host.act("open-tasks", tasks="homework", items=list(PUZZLES))
        given = [list(PUZZLES.items())[number % len(PUZZLES)] for number in range(40)]

        def solve(number: int) -> int:
            item, answers = given[number]
            return pupils[number].try_act("solve", item=item, answers=answers).status_code

        with ThreadPoolExecutor(40) as crowd:
            assert set(crowd.map(solve, range(40))) == {200}
        app.state.judge.close()
        item, answers = given[0]
        refused = pupils[0].try_act("solve", item=item, answers=answers)
        assert (refused.status_code, refused.headers["retry-after"]) == (503, "1")


@pytest.mark.parametrize("lesson", [lesson.id for lesson in lessons()])
def test_every_lesson_can_be_done_in_a_class(lesson: str) -> None:
    answers = answers_to_lesson(lesson)
    assert len(answers) <= MOST_ANSWERS
    assert is_solved(LESSON + lesson, answers, Solver())


def test_a_room_of_an_older_version_is_read() -> None:
    room = filled(1)
    room.open_tasks("homework", ["p1"])
    stored = json.loads(room.model_dump_json())
    stored["tasks"]["results"] = {
        room.members[0].id: {"p1": {"is_right": True, "time_ms": 5, "tries": 2}}
    }
    assert "right" in to_csv(Room.model_validate(stored), "tasks")


def test_results_of_homework_are_the_hosts_until_it_is_closed(client: TestClient) -> None:
    """Members see their own; a race is everybody's. That holds for requests, sockets and the table."""
    host = Host(client)
    ada, bo = (Person(client, host.id, name) for name in ("Ada", "Bo"))
    everybody = {ada.id, bo.id}
    path, item = f"/api/rooms/{host.id}", next(iter(PUZZLES))

    def results(answer: dict[str, Any]) -> set[str]:
        return set(answer["room"]["tasks"]["results"])

    def seen(secret: str) -> set[str]:
        headers = {"authorization": f"Bearer {secret}"} if secret else {}
        return results({"room": client.get(path, headers=headers).json()})

    def table(secret: str) -> int:
        headers = {"authorization": f"Bearer {secret}"}
        return client.get(f"{path}/tasks.csv", headers=headers).status_code

    host.act("open-tasks", tasks="homework", items=[item])
    with ExitStack() as stack:
        hellos = [{}, {"token": "x" * 22}, {"token": bo.token}, {"token": bo.token, "key": host.key}]
        sockets = [stack.enter_context(live(client, host.id)) for _ in hellos]
        for socket, hello in zip(sockets, hellos, strict=True):
            socket.send_text(json.dumps(hello))
            socket.receive_json()

        def told() -> list[set[str]]:
            seq, found = host.room()["seq"], []
            for socket in sockets:
                message = socket.receive_json()
                while message["room"]["seq"] < seq:
                    message = socket.receive_json()
                found.append(results(message))
            return found

        assert results(ada.act("solve", item=item, answers=PUZZLES[item])) == {ada.id}
        assert results(bo.act("solve", item=item)) == {bo.id}
        joined = client.post(f"{path}/join", json={"name": "Bo", "token": bo.token}).json()
        assert results(joined) == {bo.id}
        assert told() == [set(), set(), {bo.id}, everybody]
        assert [seen(each) for each in ("", "x" * 22, bo.token, host.key)] == [
            set(),
            set(),
            {bo.id},
            everybody,
        ]
        assert [table(each) for each in ("x", bo.token, host.key)] == [403, 403, 200]
        assert results(host.act("end-tasks")) == everybody
        assert told() == 4 * [everybody]
    assert (seen(""), table("x")) == (everybody, 200)
    host.act("open-tasks", tasks="race", items=[item])
    host.act("start-tasks")
    assert results(ada.act("solve", item=item, answers=PUZZLES[item])) == {ada.id}
    assert (seen(""), seen(bo.token), table("x")) == ({ada.id}, {ada.id}, 200)


@pytest.mark.parametrize("limit", ["max_sockets", "sockets_per_address", "sockets_per_game"])
def test_sockets_of_rooms_are_limited_as_those_of_games_and_counted_by_themselves(
    settings: Settings, limit: str
) -> None:
    app = create_app(replace(settings, **{limit: 2}))  # type: ignore[arg-type]
    with TestClient(app, base_url="http://localhost") as client, ExitStack() as stack:
        room = Host(client).id
        for _ in range(2):
            stack.enter_context(live(client, room)).send_text("{}")
        with pytest.raises(WebSocketDisconnect) as closed, live(client, room):
            pass
        assert closed.value.code == 1013
        ada, _ = friends(client)
        hello(stack.enter_context(listen(client, ada.id)))
        stack.close()
        with live(client, room) as again:
            again.send_text("{}")
            assert again.receive_json()["room"]["id"] == room


def test_a_round_that_has_begun_is_not_started_again(client: TestClient) -> None:
    host = Host(client)
    for name in ("Ada", "Bo"):
        Person(client, host.id, name)
    host.act("open-event", format="round-robin")
    assert len(host.act("next-round", round=1)["games"]) == 1
    assert host.act("next-round", round=1)["games"] == []  # the answer was lost, and the page asks again
    host.act("next-round", 409, round=2)


def test_a_room_has_a_qr_code_with_the_address_that_people_use(client: TestClient) -> None:
    host = Host(client)
    answer = client.get(f"/api/rooms/{host.id}/qr.svg")
    assert (answer.status_code, answer.headers["content-type"]) == (200, "image/svg+xml")
    expected = io.BytesIO()
    code = segno.make(f"http://localhost/room/{host.id}", error="m", micro=False)
    code.save(expected, kind="svg", border=3, light="#fff", xmldecl=False, omitsize=True)
    assert answer.content == expected.getvalue()
    assert client.get("/api/rooms/abcdefghijkl/qr.svg").status_code == 404


def test_nonsense_is_refused(client: TestClient) -> None:
    host = Host(client)
    ada = Person(client, host.id, "Ada")
    for body in ({"kind": "fly"}, {"kind": "seek", "x": 1}, {"kind": "challenge", "member": "../../x"}):
        headers = {"authorization": f"Bearer {ada.token}"}
        answer = client.post(f"/api/rooms/{host.id}/actions", json=body, headers=headers)
        assert answer.status_code == 422
    assert ada.try_act("challenge").status_code == 400
    assert ada.try_act("accept", member="AAAAAAAA").status_code == 409
    assert client.get("/api/rooms/abcdefghijkl").status_code == 404
    assert client.get(f"/api/rooms/{host.id}/secrets.csv").status_code == 422
    host.act("open-tasks", 400)
    host.act("open-tasks", 422, items=["<b>"])
    host.act("open-event", 409)  # alone


def test_rooms_are_kept_over_a_restart_and_deleted_after_a_month(
    settings: Settings, tmp_path: Path
) -> None:
    with TestClient(create_app(settings), base_url="http://localhost") as client:
        host = Host(client)
        other = Host(client)
        empty = Host(client)  # nobody has come in yet
        ada = Person(client, host.id, "Ada")
        Person(client, other.id, "Ada")
    with sqlite3.connect(tmp_path / "games.db") as database:
        database.execute(
            "UPDATE rooms SET updated_ms = updated_ms - 31 * 86400000 WHERE id = ?", [other.id]
        )
    database.close()
    with TestClient(create_app(settings), base_url="http://localhost") as client:
        ada.client = client
        assert ada.act("seek")["room"]["seeks"][0]["member"] == ada.id
        end_s = time.monotonic() + 10
        while client.get(f"/api/rooms/{other.id}").status_code == 200:
            assert time.monotonic() < end_s
            time.sleep(0.05)
        assert client.get(f"/api/rooms/{empty.id}").status_code == 200
