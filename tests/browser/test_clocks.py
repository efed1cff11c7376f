"""Clocks on the page, games lost on time, games whose other player has left, points of rematches."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import PHONE, People, Person
from tests.browser.test_play_live import alternate, join

AWAY_MS = 61_000


def meet_by_the_clock(people: People, seconds: int, **options: object) -> tuple[Person, Person]:
    """Ada makes a game with a clock for each move, and Bo joins it on a phone."""
    ada, bo = people(), people(size=PHONE, has_touch=True, **options)
    clock = {"kind": "move", "time_s": seconds, "increment_s": 0}
    ada.begin(name="Ada", other="link", clock=clock)
    join(ada, bo)
    return ada, bo


def test_a_game_is_lost_on_time_in_two_browsers(people: People) -> None:
    ada, bo = meet_by_the_clock(people, 5)
    clocks = bo.page.locator(".clock")
    expect(clocks).to_have_count(2)
    for clock in clocks.all():
        expect(clock).to_be_in_viewport(ratio=1)
    alternate(ada, bo, "4")
    # It is Bo's turn, who does nothing. Little time is said, and shown by more than a color.
    low = bo.page.locator(".seat.second .clock")
    expect(low).to_have_class(re.compile("is-low"))
    expect(low.locator(".icon")).to_be_visible()
    expect(bo.page.locator("#announcer")).to_contain_text(re.compile("seconds? left"))
    bo.screenshot("clock-low-phone")
    expect(bo.status).to_contain_text("You lose")
    expect(ada.status).to_contain_text("You win")
    for person in (ada, bo):
        expect(person.status).to_contain_text("Bo has run out of time")
        expect(person.page.locator(".seat.second .clock")).to_have_text("0:00.0")
    ada.sees_moves("4")
    bo.has_no_sideways_scroll()


def test_both_pages_show_the_same_time_and_nothing_is_taken_back(people: People) -> None:
    ada, bo = people(), people(locale="de")
    ada.visit("/")
    ada.page.get_by_label("Clock").select_option(label="5 min + 3 s per move")
    ada.start("link", name="Ada")
    expect(ada.page.locator(".seat.first .clock")).to_have_text("5:00")
    ada.page.wait_for_timeout(1100)
    expect(ada.page.locator(".seat.first .clock")).to_have_text("5:00")  # nobody is there yet
    bo.visit(ada.page.url)
    bo.page.get_by_role("button", name="Mitspielen").click()
    for person in (ada, bo):
        expect(person.page.locator(".seat.first .clock")).to_have_text(re.compile("4:5"))
        expect(person.page.locator(".seat.second .clock")).to_have_text("5:00")
    ada.click(4)
    for person in (ada, bo):
        expect(person.page.locator(".seat.second .clock")).to_have_class(re.compile("is-running"))
    shown = [person.page.locator(".seat.second .clock").inner_text() for person in (ada, bo)]
    seconds = [60 * int(minutes) + int(rest) for minutes, rest in (each.split(":") for each in shown)]
    assert abs(seconds[0] - seconds[1]) <= 1, shown
    expect(ada.page.get_by_role("button", name="Offer draw")).to_be_visible()
    expect(ada.page.get_by_role("button", name="Take back")).to_be_hidden()


def test_against_the_computer_a_clock_means_no_help(people: People) -> None:
    person = people()
    clock = {"kind": "game", "time_s": 60, "increment_s": 0}
    person.begin(name="Ada", other="level-1", clock=clock)
    expect(person.status).to_contain_text("Your turn")
    expect(person.page.locator(".study-why")).to_contain_text("Fair play")
    for name in ("Hint", "Undo", "Redo"):
        expect(person.page.get_by_role("button", name=name)).to_be_hidden()


def test_a_game_whose_other_player_has_left_can_be_claimed(people: People) -> None:
    """The page's own time runs faster here; the server's does not, and refuses."""
    ada, bo = people(), people()
    ada.page.clock.install()
    ada.begin(name="Ada", other="link")
    join(ada, bo)
    bo.visit("/healthz")
    expect(ada.page.locator(".seat", has_text="Bo")).to_contain_text("is away")
    expect(ada.page.get_by_text("has left the game")).to_be_hidden()
    ada.page.clock.fast_forward(AWAY_MS)
    expect(ada.page.locator("#main").get_by_text("Bo has left the game")).to_be_visible()
    expect(ada.page.locator("#announcer")).to_contain_text("Bo has left the game")
    ada.may_lose_connection = True  # 409 is what the test wants
    ada.do("Claim the game")
    expect(ada.page.locator("p.error")).to_contain_text("away for 60 seconds")


@pytest.mark.slow
def test_a_game_is_claimed_after_a_minute(people: People) -> None:
    ada, bo = people(), people()
    ada.begin(name="Ada", other="link")
    join(ada, bo)
    bo.visit("/healthz")
    expect(ada.page.get_by_role("button", name="Claim the game")).to_be_visible(timeout=90_000)
    ada.do("Claim the game")
    expect(ada.status).to_contain_text("You win")
    expect(ada.status).to_contain_text("Bo has left the game")


def test_a_rematch_counts_points_and_an_unnamed_friend_stays_a_guest(people: People) -> None:
    ada, bo = people(), people()
    ada.begin(name="Ada", other="link", moves="443526")
    bo.visit(ada.page.url)
    bo.do("Join the game")
    expect(ada.page.locator(".seat.second .seat-name")).to_have_text("Guest")
    ada.click(1)
    expect(ada.status).to_contain_text("You win")
    ada.do("Rematch")
    bo.do("Accept")
    for person in (ada, bo):
        expect(person.moves).to_have_count(6)
        expect(person.page.locator(".seat.first .seat-name")).to_have_text("Guest")
        expect(person.page.locator(".seat.first .seat-note")).to_contain_text("0 points")
        expect(person.page.locator(".seat.second .seat-note")).to_contain_text("1 point")
