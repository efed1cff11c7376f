"""Games by other rules, over the API."""

from __future__ import annotations

from typing import Any

import pytest
from fastapi.testclient import TestClient

from fourcast import Game, Rules
from fourcast.web.app import create_app
from fourcast.web.settings import Settings
from tests.web.people import ME, computer, friends, new_game, play


def position(client: TestClient, **query: Any) -> dict[str, Any]:
    answer = client.get("/api/position", params=query)
    assert answer.status_code == 200, answer.text
    return dict(answer.json())


def test_a_game_of_popout_is_played_to_a_win_with_a_disc_taken_out(client: TestClient) -> None:
    start = "......./......./......./X....../OXXX.../XOOO...:pop"
    players = friends(client, start=start)
    game = players[0].move(7)
    assert game["position"]["moves"] == "p1"
    assert game["position"]["last_move"] is None
    assert game["position"]["winner"] == 1
    assert game["result"]["text"] == "Red wins: four in a row."


def test_the_moves_of_popout_have_numbers_of_their_own(client: TestClient) -> None:
    ada, bo = friends(client, rules="pop")
    play((ada, bo), [3, 3, 10])
    view = ada.game()["position"]
    assert (view["moves"], view["ply"], view["next_ply"], view["turn"]) == ("44p4", 1, 3, 2)
    assert view["start"].endswith(":pop")
    # The same move once more, whose answer was lost, changes nothing; another one is too late.
    assert ada.try_move(10, 2).status_code == 200
    assert ada.try_move(0, 2).status_code == 409
    refused = bo.try_move(7, 3)
    assert refused.status_code == 400
    assert "no disc of the side to move at the bottom of column 1" in refused.json()["detail"]
    assert bo.try_move(14, 3).status_code == 400
    assert bo.try_move(15, 3).status_code == 400


def test_a_position_that_comes_again_ends_a_live_game(client: TestClient) -> None:
    players = friends(client, rules="pop")
    play(players, [3, 3, 10, 10])
    assert players[0].game()["result"]["text"] == "A draw: the position has been there before."


def test_a_line_across_the_edge_of_a_cylinder_wins_and_is_marked(client: TestClient) -> None:
    both = new_game(client, ME, ME, rules="wrap")
    for column in [5, 5, 6, 6, 0, 0, 1]:
        game = both.move(column)
    assert game["result"]["winner"] == 1
    assert sorted(map(tuple, game["position"]["winning_squares"])) == [(0, 0), (1, 0), (5, 0), (6, 0)]


def test_how_a_game_by_other_rules_ended_is_said_as_it_was(client: TestClient) -> None:
    three = new_game(client, ME, ME, rules="connect=3", width=5, height=4)
    for column in [0, 1, 0, 1, 0]:
        game = three.move(column)
    assert game["result"]["text"] == "Red wins: 3 in a row."
    misere = new_game(client, ME, ME, rules="connect=3,misere", width=5, height=4)
    for column in [0, 1, 0, 1, 0]:
        game = misere.move(column)
    assert game["result"]["text"] == "Yellow wins: red has made 3 in a row."


def test_undo_redo_and_rematch_keep_the_rules(client: TestClient) -> None:
    both = new_game(client, ME, ME, rules="pop", width=5, height=4)
    for move in [0, 0, 5]:
        both.move(move)
    assert both.act("undo")["position"]["moves"] == "11"
    assert both.game()["undone"] == "p1"
    assert both.act("redo")["position"]["moves"] == "11p1"
    both.act("resign")
    game = both.act("offer-rematch")
    again = client.get(f"/api/games/{game['rematch_id']}").json()
    assert again["position"]["start"] == "...../...../...../.....:pop"


@pytest.mark.parametrize("rules", ["pop", "wrap", "misere", "connect=5", "connect=3,wrap,misere"])
@pytest.mark.parametrize("player", ["random", "mcts", "perfect"])
def test_the_computer_plays_by_other_rules(client: TestClient, rules: str, player: str) -> None:
    ada = new_game(client, ME, computer(player), rules=rules)
    ada.move(3)
    game = ada.wait_for_computer()
    assert game["position"]["next_ply"] == 2
    assert game["position"]["turn"] == 1


def test_levels_are_not_offered_by_other_rules(client: TestClient) -> None:
    asked = {"first": ME, "second": computer("level-3"), "rules": "wrap"}
    answer = client.post("/api/games", json=asked)
    assert answer.status_code == 400
    assert "knows the standard rules only, not wrap" in answer.json()["detail"]
    players = {each["name"]: each["plays_all_rules"] for each in client.get("/api/players").json()}
    assert players["mcts"]
    assert players["perfect"]
    assert not any(players[name] for name in ("level-1", "streaks", "winsets", "proof"))


@pytest.mark.parametrize("rules", ["five", "connect=2", "misere,pop", "connect=9", "x" * 41])
def test_rules_that_do_not_exist_are_refused_in_a_sentence(client: TestClient, rules: str) -> None:
    answer = client.get("/api/position", params={"rules": rules})
    assert answer.status_code in (400, 422)
    assert answer.json()["detail"]
    made = client.post("/api/games", json={"first": ME, "second": ME, "rules": rules})
    assert made.status_code in (400, 422)


def test_an_address_names_the_rules(client: TestClient) -> None:
    view = position(client, rules="connect=3,wrap", width=4, height=4, moves="12")
    assert view["start"] == "..../..../..../....:connect=3,wrap"
    again = position(client, start=view["start"], moves="12")
    assert again == view
    # What is copied can be pasted, rules included.
    pasted = client.post("/api/position", json={"diagram": view["diagram"]}).json()
    assert pasted["cells"] == view["cells"]
    assert pasted["start"].endswith(":connect=3,wrap")


def test_analyses_of_the_same_discs_by_different_rules_are_different(client: TestClient) -> None:
    def scores(rules: str) -> list[int]:
        query: dict[str, str | int] = {"moves": "1122", "width": 5, "height": 4, "rules": rules}
        return [each["score"] for each in client.get("/api/analysis", params=query).json()["columns"]]

    found = [scores(rules) for rules in ("", "connect=3", "misere", "connect=3,wrap")]
    assert len(set(map(tuple, found))) == 4


def test_an_analysis_of_popout_says_who_wins_by_which_move(client: TestClient) -> None:
    start = "......./......./......./X....../OXXX.../XOOO...:pop"
    query: dict[str, str | float] = {"start": start, "time_s": 0.5}
    found = client.get("/api/analysis", params=query).json()
    by_name = {each["name"]: each for each in found["columns"]}
    assert found["best_columns"]
    assert by_name["p1"]["outcome"] == "win"
    assert by_name["p1"]["text"] == "wins in 1 move"
    assert by_name["p1"]["score"] is None
    assert found["winner"] == 1
    undecided = client.get("/api/analysis", params={"rules": "pop", "time_s": 0.05}).json()
    assert undecided["text"] == "is not decided yet"
    assert not undecided["complete"]


def test_a_review_by_other_rules_has_scores_and_no_tactics(client: TestClient) -> None:
    query: dict[str, str | int] = {
        "rules": "connect=3,misere",
        "width": 4,
        "height": 4,
        "moves": "112244",
    }
    found = client.get("/api/review", params=query).json()
    assert found["complete"]
    assert all(move["score_before"] is not None for move in found["moves"])
    assert all(move["oversight"] is None for move in found["moves"])
    assert found["text"]
    popped = client.get("/api/review", params={"rules": "pop", "moves": "44"})
    assert popped.status_code == 400
    assert "games of PopOut have no score" in popped.json()["detail"]


@pytest.mark.parametrize("path", ["/api/explain", "/api/explain-move?column=0", "/api/follow"])
def test_explanations_are_refused_in_a_sentence(client: TestClient, path: str) -> None:
    answer = client.get(path, params={"rules": "wrap", "moves": "44", "column": 0})
    assert answer.status_code == 400
    assert "for the standard rules only, not for wrap" in answer.json()["detail"]


def test_pictures_files_and_previews_follow_the_rules(client: TestClient) -> None:
    query = {"rules": "pop", "moves": "44p4"}
    assert client.get("/api/picture.svg", params=query).status_code == 200
    assert client.get("/api/animation.gif", params=query).status_code == 200
    file = client.get("/api/game-file", params=query).text
    assert Game.from_text(file).start.rules == Rules(pop=True)
    assert Game.from_text(file).moves == "44p4"
    page = client.get("/board", params=query | {"at": "2"}).text
    assert "og:image" in page


def test_games_by_other_rules_survive_a_restart(settings: Settings) -> None:
    with TestClient(create_app(settings), base_url="http://localhost") as client:
        ada, bo = friends(client, rules="connect=3,pop", width=5, height=4)
        play((ada, bo), [0, 0, 5])
    with TestClient(create_app(settings), base_url="http://localhost") as client:
        view = client.get(f"/api/games/{ada.id}").json()["position"]
        assert (view["moves"], view["turn"]) == ("11p1", 2)
        assert view["start"].endswith(":connect=3,pop")
