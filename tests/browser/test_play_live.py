"""Games of two people in two browsers: live, with everything that goes wrong on the way."""

from __future__ import annotations

import re
import signal
from typing import Any

import pytest
from playwright.sync_api import Route, expect

from tests.browser.conftest import PHONE, People, Person, Server

LOST = "Connection lost, trying again"


def meet(people: People, *, moves: str = "", **options: Any) -> tuple[Person, Person]:
    """Ada makes a game and sends the link; Bo opens it and joins."""
    ada, bo = people(), people(**options)
    ada.begin(name="Ada", other="link", moves=moves)
    join(ada, bo)
    return ada, bo


def join(ada: Person, bo: Person) -> None:
    link = ada.page.get_by_label("Link to this game").input_value()
    assert link == ada.page.url
    bo.visit(link)
    expect(bo.page.get_by_role("heading", name="Play against Ada?")).to_be_visible()
    bo.page.get_by_label("Your name").fill("Bo")
    bo.do("Join the game")
    for person in (ada, bo):
        expect(person.page.locator(".seat", has_text="Bo")).to_be_visible()
    expect(ada.page.locator(".seat.is-here")).to_contain_text("Bo")


def test_a_friend_is_invited_and_fair_play_begins_when_both_are_there(people: People) -> None:
    ada, bo = people(), people()
    ada.start("link", name="Ada", starts="other")
    expect(ada.status).to_contain_text("Waiting for your friend")
    expect(ada.page.locator(".seat.first")).to_contain_text("not here yet")
    expect(ada.page.locator(".study-switch").first).to_be_visible()
    expect(ada.page.locator(".study-why")).to_be_hidden()
    bo.visit(ada.page.url)
    expect(bo.status).to_contain_text("Ada invites you to play")
    join(ada, bo)
    for person in (ada, bo):
        expect(person.page.locator(".study-why")).to_contain_text("no analysis for the two players")


def alternate(ada: Person, bo: Person, moves: str, *, played: str = "") -> str:
    """Play *moves*, each by whose turn it is; both see every one."""
    for name in moves:
        mover = ada if len(played) % 2 == 0 else bo
        expect(mover.status).to_contain_text("Your turn")
        mover.column(int(name)).click()
        played += name
        ada.sees_moves(played)
        bo.sees_moves(played)
    return played


def test_two_people_play_a_whole_live_game_by_a_link(people: People) -> None:
    ada, bo = people(), people(size=PHONE)
    ada.start("link", name="Ada")
    join(ada, bo)
    expect(ada.page.get_by_text("Send this link to your friend")).to_be_hidden()
    expect(bo.status).to_contain_text("Ada to move")
    expect(bo.column(1)).to_have_attribute("aria-disabled", "true")
    alternate(ada, bo, "4435261")
    expect(ada.status).to_contain_text("You win")
    expect(bo.status).to_contain_text("You lose")
    expect(bo.page.locator("#announcer")).to_contain_text("You lose")
    bo.screenshot("live-phone-lost", full_page=True)
    bo.has_no_sideways_scroll()


def test_the_link_is_copied_by_a_button(people: People) -> None:
    ada = people(permissions=["clipboard-read", "clipboard-write"])
    ada.start("link", name="Ada")
    expect(ada.page.get_by_text("Send this link to your friend")).to_be_visible()
    ada.screenshot("live-invite")
    assert ada.copy("Copy link") == ada.page.url


def test_a_reload_loses_nothing(people: People) -> None:
    ada, bo = meet(people, moves="44")
    played = alternate(ada, bo, "3", played="44")
    bo.page.reload()
    bo.sees_moves(played)
    expect(bo.status).to_contain_text("Your turn")
    played = alternate(ada, bo, "5", played=played)
    ada.page.reload()
    alternate(ada, bo, "26", played=played)


def test_a_lost_connection_loses_nothing(people: People) -> None:
    ada, bo = meet(people, moves="44")
    ada.may_lose_connection = bo.may_lose_connection = True
    played = "44"

    # The other side loses the line while a move is made, and sees it when the line is back.
    bo.page.context.set_offline(True)
    expect(bo.page.get_by_text(LOST)).to_be_visible()
    ada.column(3).click()
    ada.sees_moves(played + "3")
    expect(ada.page.locator(".seat", has_text="Bo")).to_contain_text("is away")
    bo.screenshot("live-connection-lost")
    bo.sees_moves(played)
    bo.page.context.set_offline(False)
    bo.sees_moves(played + "3")
    expect(bo.page.get_by_text(LOST)).to_be_hidden()
    expect(ada.page.locator(".seat", has_text="Bo")).to_contain_text("is here")

    # A move that is made without a line is sent when there is one again.
    bo.page.context.set_offline(True)
    expect(bo.page.get_by_text(LOST)).to_be_visible()
    bo.column(5).click()
    expect(bo.status).to_contain_text("Column 5 will be sent")
    bo.page.context.set_offline(False)
    for person in (ada, bo):
        person.sees_moves(played + "35")
    alternate(ada, bo, "2", played=played + "35")


@pytest.mark.slow
def test_a_server_that_falls_and_rises_again_loses_nothing(people: People, server: Server) -> None:
    ada, bo = meet(people, moves="44")
    ada.may_lose_connection = bo.may_lose_connection = True
    played = "44"
    server.stop(signal.SIGKILL)
    for person in (ada, bo):
        expect(person.page.get_by_text(LOST)).to_be_visible()
    ada.column(3).click()
    expect(ada.status).to_contain_text("Column 3 will be sent")
    server.start()
    for person in (ada, bo):
        person.sees_moves(played + "3")
        expect(person.page.get_by_text(LOST)).to_be_hidden()
    alternate(ada, bo, "5261", played=played + "3")
    expect(ada.status).to_contain_text("You win")


@pytest.mark.slow
def test_a_move_whose_answer_was_lost_counts_once(people: People) -> None:
    """The server takes the move, its answer never arrives: the page sends the same ply again."""
    ada, bo = meet(people)
    ada.may_lose_connection = True
    sent = []

    def swallow(route: Route) -> None:
        sent.append(route.request.post_data)
        route.fetch()
        route.abort()

    ada.page.route("**/moves", swallow, times=1)
    with ada.page.expect_response("**/moves") as again:  # the first one has no answer
        ada.column(4).click()
    assert again.value.status == 200
    assert sent == [again.value.request.post_data]
    for person in (ada, bo):
        person.sees_moves("4")
    expect(ada.status).to_contain_text("Bo to move")
    alternate(ada, bo, "45", played="4")


def test_a_move_on_its_way_survives_a_reload(people: People) -> None:
    ada, bo = meet(people)
    ada.may_lose_connection = True
    ada.page.route("**/moves", lambda route: route.abort())
    ada.column(4).click()
    expect(ada.status).to_contain_text(re.compile("Sending your move|Column 4 will be sent"))
    ada.page.unroute("**/moves")
    ada.page.reload()
    for person in (ada, bo):
        person.sees_moves("4")


def test_others_who_open_the_link_watch(people: People) -> None:
    ada, bo = meet(people, moves="44")
    played = "44"
    cleo = people()
    cleo.visit(ada.page.url)
    cleo.sees_moves(played)
    expect(cleo.status).to_contain_text("Ada to move")
    expect(cleo.column(1)).to_have_attribute("aria-disabled", "true")
    cleo.press("1")
    for name in ("Resign", "Offer draw", "Take back", "Join the game"):
        expect(cleo.page.get_by_role("button", name=name)).to_have_count(0)
    expect(ada.page.get_by_text("1 person is watching.")).to_be_visible()
    expect(cleo.page.get_by_text("You are watching.")).to_be_visible()
    played = alternate(ada, bo, "35", played=played)
    cleo.sees_moves(played)
    cleo.page.context.close()
    expect(ada.page.get_by_text("1 person is watching.")).to_have_count(0)


@pytest.mark.slow
def test_who_could_join_may_also_just_watch(people: People) -> None:
    ada, cleo, bo = people(), people(), people()
    ada.begin(name="Ada", other="link")
    ada.click(4)  # who starts need not wait for the friend
    cleo.visit(ada.page.url)
    cleo.do("Just watch")
    expect(cleo.page.get_by_role("button", name="Join the game")).to_have_count(0)
    bo.visit(ada.page.url)
    bo.do("Join the game")
    bo.click(5)
    for person in (ada, bo, cleo):
        person.sees_moves("45")


def test_a_draw_is_offered_declined_offered_again_and_accepted(people: People) -> None:
    ada, bo = meet(people, moves="1564552445443557")
    ada.do("Offer draw")
    expect(ada.page.get_by_text("You offered a draw; Bo has not answered yet.")).to_be_visible()
    expect(bo.page.locator(".offer")).to_contain_text("Ada offers a draw.")
    bo.screenshot("live-draw-offer")
    bo.do("Decline")
    expect(ada.page.locator(".news")).to_have_text("Bo declined.")
    expect(ada.page.locator(".error")).to_be_empty()  # news are no errors
    bo.do("Offer draw")
    expect(ada.page.locator(".offer")).to_contain_text("Bo offers a draw.")
    ada.do("Accept")
    for person in (ada, bo):
        expect(person.status).to_contain_text("Draw")
        expect(person.status).to_contain_text("both sides agreed")


def test_a_move_is_taken_back_only_with_consent(people: People) -> None:
    ada, bo = meet(people, moves="443")
    ada.do("Take back")
    expect(bo.page.locator(".offer")).to_contain_text("Ada asks to take the last move back.")
    bo.do("Decline")
    ada.sees_moves("443")
    ada.do("Take back")
    bo.do("Accept")
    for person in (ada, bo):
        person.sees_moves("44")
    alternate(ada, bo, "7", played="44")


def test_resigning_asks_once_and_a_rematch_changes_colors(people: People) -> None:
    ada, bo = meet(people, moves="44")
    ada.do("Resign")
    dialog = ada.page.get_by_role("dialog", name="Resign this game?")
    expect(dialog).to_be_visible()
    dialog.get_by_role("button", name="Resign").click()
    expect(ada.status).to_contain_text("You lose")
    expect(bo.status).to_contain_text("You win")
    expect(bo.status).to_contain_text("Ada has resigned")
    old = ada.page.url
    ada.do("Rematch")
    expect(bo.page.locator(".offer")).to_contain_text("Ada would like a rematch.")
    bo.do("Accept")
    for person in (ada, bo):
        person.page.wait_for_url(lambda url: url != old)
        expect(person.page.locator(".seat.first")).to_contain_text("Bo")
        expect(person.page.locator(".seat.second")).to_contain_text("Ada")
    assert ada.page.url == bo.page.url
    alternate(bo, ada, "123", played="44")  # it begins as the first one did
    cleo = people()  # who watched the first game finds the second one
    cleo.visit(old)
    cleo.page.get_by_role("link", name="Watch it").click()
    cleo.sees_moves("44123")


@pytest.mark.slow
def test_a_friend_may_begin(people: People) -> None:
    ada, bo = people(), people()
    ada.start("link", name="Ada", starts="other")
    join(ada, bo)
    expect(bo.page.locator(".seat.first")).to_contain_text("Bo")
    alternate(bo, ada, "45")


@pytest.mark.slow
def test_two_windows_of_one_player_follow_each_other(people: People) -> None:
    ada, bo = meet(people)
    second = ada.page.context.new_page()
    second.goto(ada.page.url)
    expect(second.locator("#status")).to_contain_text("Your turn")
    ada.column(4).click()
    expect(second.locator(".moves .move")).to_have_count(1)
    bo.sees_moves("4")
    expect(second.locator("#status")).to_contain_text(re.compile("Bo to move"))
