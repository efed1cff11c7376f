"""Games by other rules in the page: PopOut and cylinders by touch, hints and analysis, addresses."""

from __future__ import annotations

import re
from pathlib import Path

from playwright.sync_api import Browser, Locator, expect

from tests.browser.conftest import People, Person
from tests.browser.test_site import serve_folder, visitor

SMALL = (360, 740)
WON_BY_POP = "......./......./......./X....../OXXX.../XOOO...:pop"


def pop(person: Person, column: int) -> Locator:
    return person.page.locator(f".board-pop[data-column='{column - 1}']")


def choose_rules(person: Person, *names: str) -> None:
    """Open the folded part of the new-game form and choose rules there, by touch."""
    person.visit("/")
    page = person.page
    expect(page.locator("input[name=player][value=level-1]")).to_be_attached()
    page.get_by_text("Other rules", exact=True).tap()
    for name in names:
        page.get_by_label(re.compile(name)).tap()


def begin(person: Person, mode: str) -> None:
    page = person.page
    page.locator(f"input[name=mode][value={mode}]").check()
    page.locator("form.new-game button[type=submit]").tap()
    page.wait_for_url(person.game_pattern)
    expect(page.locator(".seat-name").first).to_be_visible()


def sees(person: Person, *names: str) -> None:
    expect(person.moves.locator(".move-column")).to_have_text(list(names))


def test_a_game_of_popout_by_touch_on_a_small_phone(people: People) -> None:
    person = people(size=SMALL, has_touch=True)
    choose_rules(person, "PopOut")
    expect(person.page.locator(".rules-text")).to_contain_text("take one of your own out")
    boxes = [box.bounding_box() for box in person.page.locator(".other-rules [type=checkbox]").all()]
    assert len({(box["width"], box["height"]) for box in boxes if box}) == 1  # beside long words, too
    person.screenshot("rules-form-phone", full_page=True)
    begin(person, "here")
    expect(person.page.locator(".board-pop.is-possible")).to_have_count(0)
    person.column(4).tap()
    sees(person, "4")
    person.column(4).tap()
    sees(person, "4", "4")
    expect(person.discs).to_have_count(2)
    pop(person, 4).tap()
    sees(person, "4", "4", "p4")
    expect(person.discs).to_have_count(1)
    person.has_no_sideways_scroll()
    person.screenshot("popout-phone")
    box = pop(person, 4).bounding_box()
    assert box
    assert min(box["width"], box["height"]) >= 24
    # The keys are those of the notation.
    person.press("p", "4")
    sees(person, "4", "4", "p4", "p4")
    expect(person.status).to_contain_text("the position has been there before")
    person.page.reload()
    sees(person, "4", "4", "p4", "p4")


def test_a_four_across_the_edge_of_a_cylinder_by_touch_is_marked_on_both_sides(people: People) -> None:
    person = people(size=SMALL, has_touch=True)
    choose_rules(person, "Cylinder")
    begin(person, "here")
    for count, column in enumerate([6, 6, 7, 7, 1, 1, 2], start=1):
        person.column(column).tap()
        expect(person.moves).to_have_count(count)
    expect(person.status).to_contain_text("Red wins")
    # Columns 1 and 7 are drawn a second time, beyond the other edge.
    expect(person.page.locator("#board .layer-edges .disc")).to_have_count(4)
    expect(person.page.locator("#board .layer-end .four")).to_have_count(6)
    person.has_no_sideways_scroll()
    person.screenshot("cylinder-phone")


def test_levels_are_hidden_by_other_rules_and_another_player_is_chosen(people: People) -> None:
    person = people(size=SMALL, has_touch=True)
    choose_rules(person, "Misere")
    page = person.page
    expect(page.locator(".levels")).to_be_hidden()
    expect(page.locator("input[name=player][value=mcts]")).to_be_checked()
    expect(page.locator("input[name=player][value=streaks]")).to_be_hidden()
    page.get_by_label(re.compile("PopOut")).tap()
    expect(page.get_by_label(re.compile("Misere"))).not_to_be_checked()
    begin(person, "computer")
    person.column(4).tap()
    expect(person.moves).to_have_count(2)
    page.get_by_role("button", name="Hint").tap()
    expect(page.locator(".hint-text")).to_contain_text(re.compile("column", re.I))
    expect(page.locator(".hint").get_by_role("button", name="Why?")).to_be_hidden()


def test_the_analysis_of_popout_says_who_wins_by_which_move(people: People) -> None:
    person = people()
    person.visit(f"/board?start={WON_BY_POP}&analysis=on")
    line = person.page.locator(".study-line", has_text="p1")
    expect(line).to_contain_text("wins in 1", timeout=20_000)
    expect(pop(person, 1)).to_have_class(re.compile("best"))
    pop(person, 1).click()
    expect(person.page.locator(".layer-end .four")).to_have_count(4)
    assert "moves=p1" in person.page.url
    person.page.reload()
    expect(person.page.locator(".layer-end .four")).to_have_count(4)


def test_an_address_of_other_rules_opens_with_an_analysis_and_without_reasons(people: People) -> None:
    person = people()
    person.visit("/board?rules=connect%3D3%2Cwrap&width=5&height=4&moves=1122&analysis=on")
    page = person.page
    expect(page.locator(".study-line.is-win").first).to_be_visible(timeout=20_000)
    expect(page.locator(".study-line-why")).to_have_count(0)
    person.column(3).click()
    expect(page).to_have_url(re.compile("rules=connect%3D3%2Cwrap"))
    expect(page.locator(".layer-end .four").first).to_be_visible()


def test_friends_play_popout_by_a_link(people: People) -> None:
    ada, bo = people(), people(size=SMALL, has_touch=True)
    ada.begin(name="Ada", other="link", rules="pop")
    bo.visit(ada.page.url)
    bo.page.get_by_role("button", name="Join").click()
    ada.column(4).click()
    expect(bo.moves).to_have_count(1)
    bo.column(4).tap()
    expect(ada.moves).to_have_count(2)
    pop(ada, 4).click()
    sees(bo, "4", "4", "p4")


def test_a_room_of_popout_offers_the_players_that_know_it(people: People) -> None:
    ada = people(size=SMALL, has_touch=True)
    page = ada.page
    ada.visit("/room")
    page.get_by_label("Name of the room").fill("Club")
    page.get_by_label("Your name").fill("Ada")
    page.get_by_text("Other rules", exact=True).tap()
    page.get_by_label(re.compile("PopOut")).tap()
    ada.has_no_sideways_scroll()
    ada.screenshot("room-rules-phone")
    page.get_by_role("button", name="Open the room").tap()
    page.wait_for_url("**/room/*")
    expect(page.get_by_role("heading", level=1)).to_have_text("Club · PopOut")
    levels = page.locator("#lobby-level option")
    expect(levels.filter(has_text="Level")).to_have_count(0)
    page.get_by_role("button", name="Play the computer").tap()
    page.wait_for_url("**/game/*")
    ada.column(4).tap()
    expect(ada.moves).to_have_count(2)
    expect(pop(ada, 4)).to_have_class(re.compile("is-possible"))


def test_the_static_site_plays_by_other_rules_and_loads_their_search_only_then(
    browser: Browser, folder: Path
) -> None:
    with (
        serve_folder(folder.parent) as address,
        visitor(browser, address, size=SMALL, has_touch=True, service_workers="block") as person,
    ):
        page = person.page
        person.visit("/name/")
        expect(page.locator("input[name=player][value=level-1]")).to_be_attached()
        assert not any("fourcast-rules" in url for url in person.requests)
        page.get_by_text("Other rules", exact=True).tap()
        page.get_by_label(re.compile("PopOut")).tap()
        page.get_by_label(re.compile("Cylinder")).tap()
        page.locator("form.new-game button[type=submit]").tap()
        expect(page.locator(".seat-name").first).to_be_visible()
        person.column(4).tap()
        expect(person.moves).to_have_count(2)
        assert any("fourcast-rules" in url for url in person.requests)
        pop(person, 4).tap()
        expect(person.moves).to_have_count(4)
        person.has_no_sideways_scroll()
        person.problems.clear()  # that the service worker was not wanted
