"""What may happen in a game, over the API."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest
from fastapi.testclient import TestClient

from fourcast import Game
from fourcast.players import player_names
from tests.web.people import FRIEND, ME, Player, computer, friends, new_game, play

WON_BY_FIRST = [0, 1, 0, 1, 0, 1, 0]


# ---- The beginning


def test_a_new_game_is_seen_by_everybody_and_played_by_who_holds_the_ticket(client: TestClient) -> None:
    ada = new_game(client, ME | {"name": "Ada"})
    game = ada.game()
    assert ada.sides == [1]
    assert (game["first"]["kind"], game["first"]["name"]) == ("person", "Ada")
    assert game["second"]["kind"] == "open"
    assert game["is_local"] is False
    assert game["result"] is None
    assert ada.token not in client.get(f"/api/games/{ada.id}").text


def test_two_seats_for_me_are_a_game_on_one_screen(client: TestClient) -> None:
    both = new_game(client, ME, ME)
    assert both.sides == [1, 2]
    assert both.game()["is_local"] is True
    both.move(3)
    both.move(3)
    assert both.moves() == "44"


def test_a_friend_takes_the_open_seat_and_a_third_is_refused(client: TestClient) -> None:
    ada, bo = friends(client)
    assert bo.sides == [2]
    assert ada.game()["second"]["name"] == "Bo"
    third = client.post(f"/api/games/{ada.id}/join", json={"name": "Cy"})
    assert third.status_code == 409
    assert third.json()["game"]["second"]["name"] == "Bo"


def test_a_join_whose_answer_was_lost_is_repeated_with_the_same_token(client: TestClient) -> None:
    ada = new_game(client)
    request = {"name": "Bo", "token": "t" * 43}
    answers = [client.post(f"/api/games/{ada.id}/join", json=request) for _ in range(2)]
    assert [answer.status_code for answer in answers] == [200, 200]
    assert answers[0].json()["token"] == answers[1].json()["token"] == "t" * 43
    assert ada.game()["seq"] == 2


def test_who_opens_his_own_link_does_not_become_his_own_opponent(client: TestClient) -> None:
    ada = new_game(client)
    answer = ada.post("join", name="Ada")
    assert answer.json()["sides"] == [1]
    assert ada.game()["second"]["kind"] == "open"


def test_a_game_may_begin_from_a_position_with_moves_on_a_board_of_another_size(
    client: TestClient,
) -> None:
    start = "...../...../...../XO..."
    both = new_game(client, ME, ME, start=start, moves="55")
    position = both.game()["position"]
    assert (position["width"], position["height"], position["ply"]) == (5, 4, 4)
    assert (position["start"], position["moves"], position["turn"]) == (start, "55", 1)
    both.move(0)
    assert both.moves() == "551"


@pytest.mark.parametrize(
    ("request_", "word"),
    [
        ({"first": ME, "second": computer("nobody")}, "random"),
        ({"first": ME, "second": {"kind": "computer"}}, "there are"),
        ({"first": ME | {"player": "random"}, "second": ME}, "only a seat of the computer has"),
        ({"first": ME, "second": ME, "moves": "4444444"}, "4"),
        ({"first": ME, "second": ME, "moves": "48"}, "8"),
        ({"first": ME, "second": ME, "moves": "1212121"}, "over"),
        ({"first": ME, "second": ME, "width": 25, "height": 31}, "25"),
        ({"first": ME, "second": ME, "start": "XXXX"}, ""),
        ({"first": ME | {"name": "two\nlines"}, "second": ME}, "line"),
        ({"first": ME | {"name": "turned \u202e around"}, "second": ME}, "line"),
    ],
)
def test_a_game_that_cannot_be_is_refused_with_the_reason(
    client: TestClient, request_: dict[str, object], word: str
) -> None:
    answer = client.post("/api/games", json=request_)
    assert answer.status_code == 400
    assert word in answer.json()["detail"]


def test_an_unknown_game_is_404(client: TestClient) -> None:
    assert client.get("/api/games/abcdefghijkl").status_code == 404
    answer = client.post(
        "/api/games/abcdefghijkl/moves",
        json={"column": 0, "ply": 0},
        headers={"authorization": "Bearer " + "x" * 43},
    )
    assert answer.status_code == 404


# ---- Discs


def test_a_whole_game_is_played_to_four_in_a_row(client: TestClient) -> None:
    players = friends(client)
    play(players, WON_BY_FIRST)
    game = players[0].game()
    assert game["result"]["winner"] == 1
    assert game["result"]["termination"] == "four in a row"
    assert game["position"]["winning_squares"] == [[0, 0], [0, 1], [0, 2], [0, 3]]
    late = players[1].try_move(3, 7)
    assert late.status_code == 409
    assert "over" in late.json()["detail"]


def test_repeating_an_acknowledged_move_is_harmless(client: TestClient) -> None:
    ada, bo = friends(client)
    ada.move(3)
    assert ada.try_move(3, 0).status_code == 200
    bo.move(3)
    again = ada.try_move(3, 0)
    assert again.status_code == 200
    assert again.json()["position"]["moves"] == "44"


def test_another_move_for_a_ply_that_has_one_gets_409_and_the_game(client: TestClient) -> None:
    ada, bo = friends(client)
    ada.move(3)
    late = ada.try_move(4, 0)
    assert late.status_code == 409
    assert late.json()["game"]["position"]["moves"] == "4"
    # The same column, but not this player's move: they must not believe that it was.
    assert bo.try_move(3, 0).status_code == 409
    assert ada.try_move(3, 5).status_code == 409


def test_nobody_moves_for_another_player(client: TestClient) -> None:
    ada, bo = friends(client)
    assert bo.try_move(3, 0).status_code == 409
    stranger = Player(client, {"token": "s" * 43, "sides": [], "game": {"id": ada.id}})
    assert stranger.try_move(3, 0).status_code == 403
    assert stranger.try_act("resign").status_code == 403
    without = client.post(f"/api/games/{ada.id}/moves", json={"column": 3, "ply": 0})
    assert without.status_code == 401
    assert without.headers["www-authenticate"] == "Bearer"
    other_game = new_game(client)
    mixed = Player(client, {"token": other_game.token, "sides": [1], "game": {"id": ada.id}})
    assert mixed.try_move(3, 0).status_code == 403
    assert ada.moves() == ""


def test_a_full_column_and_one_off_the_board_are_refused(client: TestClient) -> None:
    both = new_game(client, ME, ME, moves="444444")
    full = both.try_move(3, 6)
    assert full.status_code == 400
    assert "full" in full.json()["detail"]
    assert both.try_move(7, 6).status_code == 400
    assert both.try_move(31, 6).status_code == 422
    assert both.moves() == "444444"


def test_of_many_moves_for_one_ply_exactly_one_counts(client: TestClient) -> None:
    both = new_game(client, ME, ME)
    for ply in range(4):
        with ThreadPoolExecutor(7) as pool:
            answers = list(pool.map(lambda column: both.try_move(column, ply), range(7)))  # noqa: B023
        codes = sorted(answer.status_code for answer in answers)
        assert codes == [200, *[409] * 6]
        winner = next(answer for answer in answers if answer.status_code == 200)
        assert both.moves() == winner.json()["position"]["moves"]
        assert len(both.moves()) == ply + 1


# ---- Take back, undo, redo


def test_a_move_is_taken_back_with_consent(client: TestClient) -> None:
    ada, bo = friends(client)
    play((ada, bo), [3, 3, 2])
    assert ada.act("offer-takeback")["offers"]["takeback"] == 1
    assert bo.try_act("offer-draw").status_code == 200
    game = bo.act("accept-takeback")
    assert game["position"]["moves"] == "44"
    assert game["offers"] == {"draw": None, "takeback": None, "rematch": None}


def test_who_is_to_move_takes_back_the_answer_too(client: TestClient) -> None:
    ada, bo = friends(client)
    play((ada, bo), [3, 3, 2, 2])
    ada.act("offer-takeback")
    assert bo.act("offer-takeback")["position"]["moves"] == "44"  # to offer the same is to accept


def test_an_offer_is_declined_withdrawn_or_lapses_with_the_next_stone(client: TestClient) -> None:
    ada, bo = friends(client)
    play((ada, bo), [3, 3])
    ada.act("offer-takeback")
    assert bo.act("decline-takeback")["offers"]["takeback"] is None
    ada.act("offer-draw")
    assert ada.act("decline-draw")["offers"]["draw"] is None
    ada.act("offer-draw")
    ada.move(0)
    refused = bo.try_act("accept-draw")
    assert refused.status_code == 409
    assert refused.json()["game"]["position"]["moves"] == "441"


def test_without_consent_nothing_is_taken_back(client: TestClient) -> None:
    ada, bo = friends(client)
    play((ada, bo), [3])
    assert ada.try_act("undo").status_code == 409
    assert ada.try_act("accept-takeback").status_code == 409
    assert bo.try_act("offer-takeback").status_code == 409  # this player has not moved yet
    ada.act("offer-takeback")
    assert ada.try_act("accept-takeback").status_code == 409
    assert ada.moves() == "4"


def test_a_move_chosen_before_a_take_back_does_not_come_back_by_itself(client: TestClient) -> None:
    """The browser repeats a request whose answer it never saw, after the move was taken back."""
    ada, bo = friends(client)
    seq = ada.game()["seq"]
    assert ada.try_move(3, 0, seq=seq).status_code == 200
    ada.act("offer-takeback")
    bo.act("accept-takeback")
    again = ada.try_move(3, 0, seq=seq)
    assert again.status_code == 409
    assert again.json()["game"]["position"]["moves"] == ""
    # Chosen again, the same move counts.
    assert ada.try_move(3, 0, seq=again.json()["game"]["seq"]).status_code == 200
    assert ada.moves() == "4"


def test_an_opponents_offer_does_not_void_a_move_under_way(client: TestClient) -> None:
    ada, bo = friends(client)
    seq = ada.game()["seq"]
    bo.act("offer-draw")
    assert ada.try_move(3, 0, seq=seq).status_code == 200


def test_local_games_are_undone_and_redone_without_asking(client: TestClient) -> None:
    both = new_game(client, ME, ME)
    for column in (3, 3, 2):
        both.move(column)
    both.act("undo")
    game = both.act("undo")
    assert (game["position"]["moves"], game["undone"]) == ("4", "43")
    game = both.act("redo")
    assert (game["position"]["moves"], game["undone"]) == ("44", "3")
    game = both.move(6)
    assert (game["position"]["moves"], game["undone"]) == ("447", "")
    assert both.try_act("redo").status_code == 409
    for _ in range(3):
        both.act("undo")
    assert both.try_act("undo").status_code == 409


def test_a_double_click_undoes_once(client: TestClient) -> None:
    both = new_game(client, ME, ME, moves="44")
    seq = both.game()["seq"]
    assert both.try_act("undo", seq=seq).status_code == 200
    second = both.try_act("undo", seq=seq)
    assert second.status_code == 409
    assert second.json()["game"]["position"]["moves"] == "4"


def test_an_undone_end_goes_on(client: TestClient) -> None:
    both = new_game(client, ME, ME)
    for column in WON_BY_FIRST:
        both.move(column)
    assert both.game()["result"]
    game = both.act("undo")
    assert game["result"] is None
    assert both.act("redo")["result"]["winner"] == 1


# ---- Ends and rematches


def test_a_player_resigns_once(client: TestClient) -> None:
    ada, bo = friends(client)
    result = ada.act("resign")["result"]
    assert (result["winner"], result["termination"]) == (2, "resignation")
    assert ada.try_act("resign").status_code == 200
    assert bo.try_act("resign").status_code == 409
    assert ada.try_move(0, 0).status_code == 409


def test_on_one_screen_the_side_that_resigns_is_said(client: TestClient) -> None:
    both = new_game(client, ME, ME)
    assert both.act("resign", side=2)["result"]["winner"] == 1


def test_a_draw_is_agreed(client: TestClient) -> None:
    ada, bo = friends(client)
    ada.act("offer-draw")
    assert ada.act("offer-draw")["offers"]["draw"] == 1
    result = bo.act("accept-draw")["result"]
    assert (result["winner"], result["termination"]) == (None, "agreement")
    assert bo.try_act("accept-draw").status_code == 200


def test_a_rematch_has_the_sides_exchanged_and_the_same_secrets(client: TestClient) -> None:
    ada, bo = friends(client)
    assert ada.try_act("offer-rematch").status_code == 409  # not over
    play((ada, bo), WON_BY_FIRST)
    assert bo.act("offer-rematch")["offers"]["rematch"] == 2
    game = ada.act("accept-rematch")
    assert bo.act("offer-rematch")["rematch_id"] == game["rematch_id"]
    new = bo.in_game(game["rematch_id"])
    assert new.sides == [1]
    assert new.game()["first"]["name"] == "Bo"
    assert new.game()["second"]["name"] == "Ada"
    new.move(2)
    ada.in_game(game["rematch_id"]).move(4)
    assert new.moves() == "35"
    assert ada.try_act("offer-takeback").status_code == 409  # of the old game


def test_a_rematch_may_be_declined(client: TestClient) -> None:
    ada, bo = friends(client)
    bo.act("resign")
    bo.act("offer-rematch")
    game = ada.act("decline-rematch")
    assert game["offers"]["rematch"] is None
    assert game["rematch_id"] is None


def test_a_rematch_begins_where_the_game_began(client: TestClient) -> None:
    both = new_game(client, ME | {"name": "A"}, ME | {"name": "B"}, moves="44", width=8)
    both.act("undo")
    both.act("resign")
    again = both.in_game(both.act("offer-rematch")["rematch_id"])
    game = again.game()
    assert (game["position"]["moves"], game["position"]["width"]) == ("44", 8)
    assert game["first"]["name"] == "B"


def test_offers_need_somebody_on_the_other_side(client: TestClient) -> None:
    ada = new_game(client)
    ada.move(3)
    assert ada.try_act("offer-draw").status_code == 409
    assert ada.try_act("offer-takeback").status_code == 409
    assert ada.act("resign")["result"]["winner"] == 2
    assert ada.try_act("offer-rematch").status_code == 409


# ---- The computer


def test_the_computer_answers_and_its_move_is_kept(client: TestClient) -> None:
    me = new_game(client, ME, computer("level-3"))
    me.move(3)
    game = me.wait_for_computer()
    assert game["position"]["ply"] == 2
    assert game["is_local"] is True


def test_the_computer_begins_if_it_is_first(client: TestClient) -> None:
    me = new_game(client, computer("winning"), ME)
    assert me.sides == [2]
    assert me.wait_for_computer()["position"]["ply"] == 1


def test_nobody_moves_for_the_computer(client: TestClient) -> None:
    me = new_game(client, computer("perfect"), ME)
    assert me.try_move(3, 0).status_code == 409


def test_every_player_plays_on_a_board_of_another_size(client: TestClient) -> None:
    games = [new_game(client, ME, computer(name), width=6, height=5) for name in player_names()]
    for me in games:
        me.move(2)
    for me in games:
        assert me.wait_for_computer()["position"]["ply"] == 2


def test_undo_takes_the_computers_answer_with_it_and_redo_brings_both(client: TestClient) -> None:
    me = new_game(client, ME, computer("random"))
    me.move(3)
    answered = me.wait_for_computer()["position"]["moves"]
    assert me.act("undo")["position"]["moves"] == ""
    assert me.act("redo")["position"]["moves"] == answered
    me.act("offer-takeback")
    assert me.moves() == ""


def test_an_undo_while_the_computer_thinks_gives_the_move_back(client: TestClient) -> None:
    me = new_game(client, ME, computer("perfect"), width=9, height=7)  # takes all the time it has
    assert me.move(4)["is_thinking"] is True
    assert me.act("undo")["position"]["moves"] == ""
    me.move(0)
    game = me.wait_for_computer()
    assert game["position"]["moves"].startswith("1")
    assert game["position"]["ply"] == 2


def test_the_computer_does_not_move_after_the_person_resigned(client: TestClient) -> None:
    me = new_game(client, ME, computer("perfect"), width=9, height=7)
    me.move(4)
    assert me.act("resign")["result"]["winner"] == 2
    rematch = me.in_game(me.act("offer-rematch")["rematch_id"])
    assert rematch.sides == [2]
    assert rematch.wait_for_computer()["position"]["ply"] == 1  # it is first now
    assert me.moves() == "5"


def test_the_computer_takes_no_draw(client: TestClient) -> None:
    me = new_game(client, ME, computer())
    refused = me.try_act("offer-draw")
    assert refused.status_code == 409
    assert "computer" in refused.json()["detail"]


def test_a_whole_game_against_the_computer_comes_to_an_end(client: TestClient) -> None:
    me = new_game(client, ME, computer("random"))
    while not (game := me.wait_for_computer())["result"]:
        me.move(game["position"]["legal_columns"][0])
    assert game["result"]["termination"] in ("four in a row", "full board")


# ---- Files


def test_a_game_is_downloaded_as_a_file_that_fourcast_reads(client: TestClient) -> None:
    ada, bo = friends(client)
    play((ada, bo), [3, 3, 2])
    bo.act("resign")
    for name, read in (("text", Game.from_text), ("json", Game.from_json)):
        answer = client.get(f"/api/games/{ada.id}/file", params={"format": name})
        assert answer.status_code == 200
        assert f"connect-four-{ada.id}" in answer.headers["content-disposition"]
        game = read(answer.text)
        assert (game.moves, game.first, game.second) == ("443", "Ada", "Bo")
        assert str(game.result) == "first wins, resignation"
        assert game.started is not None
        assert all(stamp is not None for stamp in game.stamps_s)
    assert client.get(f"/api/games/{ada.id}/file?format=exe").status_code == 422


@pytest.mark.parametrize(
    "name",
    [
        "<script>alert(1)</script>",
        "'; DROP TABLE games; --",
        "{{7*7}} ${7*7} %s %n",
        "../../etc/passwd",
        "\N{PILE OF POO}" * 40,
        "a\N{COMBINING ACUTE ACCENT}" * 20,
        '"quoted" \\ back',
        "\N{ARABIC LETTER ALEF}\N{HEBREW LETTER ALEF}",
    ],
)
def test_hostile_names_come_back_as_they_were_and_do_nothing(client: TestClient, name: str) -> None:
    ada = new_game(client, ME | {"name": name})
    assert ada.game()["first"]["name"] == name
    assert new_game(client, ME, FRIEND).game()["id"] != ada.id
    assert Game.from_text(client.get(f"/api/games/{ada.id}/file").text).first == name


@pytest.mark.parametrize(
    "name", ["\0", "a\x1b[2Jb", "a\u2028b", "\ud800", "a\u202eb", "x" * 41, "\u200b"]
)
def test_names_that_are_not_one_printable_line_are_refused(client: TestClient, name: str) -> None:
    import json

    body = json.dumps({"first": ME | {"name": name}, "second": ME})
    answer = client.post("/api/games", content=body, headers={"content-type": "application/json"})
    assert answer.status_code in (400, 422)
    assert answer.json()["detail"]
