"""What people stumbled over while they played: quick clicks, slow lines, small screens, words."""

from __future__ import annotations

import re
import time

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import PHONE, PROJECTOR, People, Person
from tests.browser.study import EARLY, GAME, discs, remember
from tests.browser.test_loading import Held
from tests.browser.test_stumbles import is_in_view

TABLET = (820, 1180)
NARROW = (320, 640)
SLOW_LINE = {"offline": False, "latency": 1000, "downloadThroughput": 50_000, "uploadThroughput": 50_000}
SOON_S = 4
# What a screen reader was told, with the moment of each.
LISTEN = """() => {
  window.told = [];
  const region = document.getElementById("announcer");
  new MutationObserver(() => window.told.push([performance.now(), region.textContent]))
    .observe(region, { childList: true, characterData: true, subtree: true });
}"""
# When somebody clicked, and what they saw then, by the page's own clock.
WATCH_START = """() => {
  const seen = (window.seen = {});
  const has = (selector, text) => document.querySelector(selector)?.textContent.includes(text);
  document.addEventListener("click", () => (seen.start ??= performance.now()), { capture: true });
  new MutationObserver(() => {
    if (document.querySelector(".layer-discs .disc")) seen.disc ??= performance.now();
    if (has("#status", "Your turn")) seen.usable ??= performance.now();
    if (has(".hint-text", "olumn ")) seen.hint ??= performance.now();
  }).observe(document.body, { childList: true, characterData: true, subtree: true });
}"""
# Texts of visible elements that are wider than the element.
SPILLED = """(selector) => [...document.querySelectorAll(selector)]
  .filter((each) => each.checkVisibility() && each.scrollWidth > each.clientWidth + 1)
  .map((each) => each.textContent)"""


def test_two_quick_clicks_are_one_move_before_the_reply_is_seen(people: People) -> None:
    person = people(reduced_motion="no-preference")
    person.begin(name="Ada", other="level-1")
    expect(person.status).to_contain_text("Your turn")
    person.page.evaluate(
        "() => { const click = () => document.querySelector('.board-column[data-column=\"3\"]').click();"
        " click(); for (const ms of [50, 150, 300]) setTimeout(click, ms); }"
    )
    expect(person.moves).to_have_count(2)
    expect(person.status).to_contain_text("Your turn")
    person.page.wait_for_timeout(500)
    expect(person.moves).to_have_count(2)


def test_a_click_lets_the_disc_before_it_lie_at_once(people: People) -> None:
    person = people(reduced_motion="no-preference")
    person.visit("/board")
    expect(person.page.locator(".study-count")).to_have_text("0 of 0")
    falling = "() => document.querySelector('.layer-discs').getAnimations({ subtree: true }).length"
    person.press(*"1234567")
    assert person.page.evaluate(falling) <= 1
    expect(discs(person.page)).to_have_count(7)


def test_the_result_is_told_when_the_four_is_seen(people: People) -> None:
    person = people(reduced_motion="no-preference")
    person.begin(name="Ada", moves="443526")
    expect(person.status).to_contain_text("Ada to move")
    person.page.evaluate(LISTEN)
    started = person.page.evaluate("() => performance.now()")
    person.column(1).click()
    expect(person.page.locator("#announcer")).to_contain_text("Ada wins")
    told = person.page.evaluate("() => window.told")
    at = next(at for at, text in told if "Ada wins" in text)
    assert at - started > 350  # milliseconds that a disc takes to fall


def test_the_computers_first_reply_is_told(people: People) -> None:
    """The first disc is dropped on the start page; the reply may be there before the game's page."""
    person = people()
    person.visit("/")
    expect(person.page.locator("input[name=player][value=level-3]")).to_be_checked()
    person.page.evaluate(LISTEN)
    person.column(4).click()
    expect(person.moves).to_have_count(2)
    expect(person.status).to_contain_text("Your turn")
    person.page.wait_for_function(
        "() => window.told.some(([, text]) => /Level 3: column \\d\\. Your turn\\./.test(text))"
    )
    person.begin(name="Ada", moves="4", other="level-1")
    person.page.reload()
    expect(person.page.locator("#announcer")).to_contain_text(re.compile(r"Level 1: column \d\."))


def test_the_computer_pauses_before_its_move_unless_somebody_does_not_want_it(people: People) -> None:
    def seconds_to_the_reply(person: Person) -> float:
        person.begin(other="level-1")
        expect(person.status).to_contain_text("Your turn")
        start = time.monotonic()
        person.column(4).click()
        expect(person.moves).to_have_count(2)
        return time.monotonic() - start

    person = people()
    assert seconds_to_the_reply(person) > 0.75
    person.page.get_by_role("button", name="Settings").click()
    pause = person.page.get_by_label("A short pause before the computer")
    expect(pause).to_be_checked()
    pause.uncheck()
    person.do("Done")
    assert person.page.evaluate("() => localStorage['fourcast.pause']") == "false"


def test_the_first_disc_waits_for_nobody(people: People) -> None:
    """It is on the board before the server has made the game, and no page is loaded for it."""
    person = people(size=PHONE, has_touch=True)
    person.visit("/")
    expect(person.page.locator("input[name=player][value=level-3]")).to_be_checked()
    held = Held(person.page, "**/api/games")
    before = len([url for url in person.requests if url.endswith("/")])
    person.column(4).tap()
    held.wait()
    expect(person.discs).to_have_count(1)
    held.release()
    expect(person.moves).to_have_count(2)
    assert re.search(r"/game/[\w-]+$", person.page.url)
    pages = [url for url in person.requests if "/game/" in url and "/api/" not in url]
    assert not pages
    assert before == 1
    person.page.go_back()
    expect(person.page.get_by_role("heading", name="Connect Four", exact=True)).to_be_visible()
    person.page.go_forward()
    expect(person.moves).to_have_count(2)


@pytest.mark.slow
def test_on_a_slow_line_a_game_is_usable_and_a_hint_is_there_within_four_seconds(people: People) -> None:
    person = people(size=PHONE, has_touch=True)
    page = person.page
    session = page.context.new_cdp_session(page)
    session.send("Network.enable")
    session.send("Network.emulateNetworkConditions", SLOW_LINE)
    person.visit("/")
    expect(page.locator("input[name=player][value=level-3]")).to_be_checked()
    page.evaluate(WATCH_START)
    person.column(4).tap()
    expect(person.status).to_contain_text("Your turn")
    seen = page.evaluate("() => window.seen")
    drawn_s, usable_s = ((seen[name] - seen["start"]) / 1000 for name in ("disc", "usable"))
    page.evaluate("() => { delete window.seen.start; }")
    person.do("Hint")
    expect(page.get_by_role("region", name="Hint")).to_contain_text(re.compile(r"olumn \d"))
    seen = page.evaluate("() => window.seen")
    hint_s = (seen["hint"] - seen["start"]) / 1000
    print(f"\ndisc {drawn_s:.1f} s, usable {usable_s:.1f} s, hint {hint_s:.1f} s")
    assert drawn_s < 0.5
    assert usable_s < SOON_S
    assert hint_s < SOON_S


def test_reviews_and_reasons_call_people_by_their_names(people: People) -> None:
    person = people()
    page = person.page
    person.begin(name="Ada", second={"kind": "me", "name": "Bo"}, moves=GAME[:-1])
    person.column(int(GAME[-1])).click()
    expect(person.status).to_contain_text("Bo wins")
    # The reason is told by the review; the switch for it is not grey.
    page.get_by_role("button", name="Why?", exact=True).first.click()
    panel = page.get_by_role("region", name="Review")
    expect(panel.locator(".review-text")).to_contain_text("Bo won with move 24")
    for words in ("Red", "Yellow"):
        expect(panel).not_to_contain_text(words)
    expect(panel.locator(".review-side h3")).to_have_text(["Ada", "Bo"])


def test_who_is_invited_sees_the_form_first_and_then_the_board(people: People) -> None:
    ada, bo = people(), people(size=PHONE, has_touch=True, is_mobile=True)
    ada.begin(name="Ada", other="link")
    bo.visit(ada.page.url)
    join = bo.page.get_by_role("button", name="Join the game")
    expect(join).to_be_in_viewport(ratio=1)
    bo.screenshot("join-phone")
    join.tap()
    expect(bo.page.locator(".seats")).to_be_in_viewport(ratio=1)
    expect(bo.page.locator(".board-stage")).to_be_in_viewport(ratio=1)


def test_on_a_tablet_the_levels_are_above_the_fold(people: People) -> None:
    person = people(size=TABLET, has_touch=True)
    person.visit("/")
    expect(person.page.locator("input[name=player][value=level-3]")).to_be_checked()
    assert is_in_view(person.page.locator(".levels"))
    assert is_in_view(person.page.locator(".board-stage"))
    person.screenshot("start-tablet")


@pytest.mark.parametrize("language", [pytest.param("en", marks=pytest.mark.slow), "de"])
def test_figures_fit_their_boxes(people: People, language: str) -> None:
    person = people(size=NARROW, locale=language)
    page = person.page
    remember(person, study_analysis=True)
    person.visit(f"/board?moves={EARLY}")
    expect(page.locator(".figure-text").first).to_have_text("12")
    for width, height in (NARROW, PHONE, (640, 400), (800, 800), TABLET, (1280, 800), PROJECTOR):
        page.set_viewport_size({"width": width, "height": height})
        assert not page.evaluate(SPILLED, ".figure, .figure-detail, .figure-text"), f"{width} px"
        person.has_no_sideways_scroll()


def covered(page: Page) -> list[str]:
    """Return the controls of the page that another one lies on."""
    return list(
        page.evaluate(
            """() => [...document.querySelectorAll("#main :is(button, a, select, summary)")]
            .filter((each) => each.checkVisibility() && !each.matches(".board-column, .switch"))
            .filter((each) => {
              each.scrollIntoView({ block: "center" });
              const { left, top, width, height } = each.getBoundingClientRect();
              const over = document.elementFromPoint(left + width / 2, top + height / 2);
              return over && !each.contains(over) && !over.contains(each) && !over.closest("label");
            })
            .map((each) => each.outerHTML)"""
        )
    )


@pytest.mark.parametrize(
    "size", [NARROW, pytest.param((640, 400), marks=pytest.mark.slow)], ids=["narrow", "enlarged"]
)
def test_nothing_lies_on_a_control_on_small_screens(people: People, size: tuple[int, int]) -> None:
    person = people(size=size)
    person.begin(name="Ada", other="level-1", moves="44")
    expect(person.status).to_contain_text("Your turn")
    assert not covered(person.page)
    for path in ("/games", "/help"):
        person.visit(path)
        expect(person.page.locator("#footer")).to_be_visible()
        person.has_no_sideways_scroll()
        assert not covered(person.page)


@pytest.mark.parametrize(
    "size",
    [(800, 600), pytest.param((800, 800), marks=pytest.mark.slow), NARROW],
    ids=["low", "800", "narrow"],
)
def test_the_settings_end_with_a_button_in_view(people: People, size: tuple[int, int]) -> None:
    person = people(size=size)
    person.visit("/")
    person.page.locator("#settings").click()
    done = person.page.get_by_role("button", name="Done")
    expect(done).to_be_in_viewport(ratio=1)
    person.screenshot(f"settings-{size[0]}-{size[1]}")
    assert not person.page.evaluate(SPILLED, "dialog, dialog label")
    person.meets_accessibility_rules()


def test_the_dangerous_button_is_neither_the_first_nor_the_loudest(person: Person) -> None:
    person.begin(moves="44", other="level-1")
    expect(person.status).to_contain_text("Your turn")
    person.do("Resign")
    buttons = person.page.locator("dialog button")
    expect(buttons).to_have_text(["Play on", "Resign"])
    expect(buttons.nth(0)).to_be_focused()
    expect(buttons.nth(0)).to_have_class(re.compile("primary"))
    expect(buttons.nth(1)).not_to_have_class(re.compile("primary"))
    surface = "e => getComputedStyle(e).backgroundColor"
    assert buttons.nth(1).evaluate(surface) == person.page.locator("dialog").evaluate(surface)
    person.press("Enter")
    expect(person.page.locator("dialog")).to_have_count(0)
    expect(person.status).to_contain_text("Your turn")


def test_a_size_is_one_word_in_every_address(person: Person) -> None:
    page = person.page
    person.visit("/board?size=9x7&moves=5")
    expect(page.locator(".board-column")).to_have_count(9)
    expect(discs(page)).to_have_count(1)
    person.press("4")
    page.wait_for_url("**/board?size=9x7&moves=54")
    page.get_by_role("link", name="Explore", exact=True).last.click()
    page.wait_for_url("**/explore?size=9x7&moves=54")
    expect(page.locator(".board-column")).to_have_count(9)
    person.visit("/?size=9x7")
    expect(page.locator(".board-column")).to_have_count(9)
    expect(page.get_by_label("Board size")).to_have_value("9x7")
    person.visit("/puzzles?size=8x7")
    expect(page.locator(".board-column")).to_have_count(8)


def test_after_a_click_the_arrow_keys_step_and_after_the_tab_key_they_choose_a_column(
    person: Person,
) -> None:
    person.begin(moves="44")
    person.click(5)
    person.press("ArrowLeft")
    expect(person.page.locator(".past")).to_contain_text("Move 2 of 3")
    person.press("ArrowRight")
    expect(discs(person.page)).to_have_count(3)
    person.column(5).focus()
    person.press("ArrowLeft")
    expect(person.column(4)).to_be_focused()
    expect(discs(person.page)).to_have_count(3)


@pytest.mark.parametrize("size", [PHONE, TABLET, PROJECTOR], ids=["phone", "tablet", "projector"])
def test_the_board_stays_where_it_is_when_the_game_ends(people: People, size: tuple[int, int]) -> None:
    person = people(size=size)
    person.begin(name="Ada", moves="443526")
    stage, more = person.page.locator(".board-stage"), person.page.locator(".status-more")
    before = stage.bounding_box()
    person.column(1).click()
    expect(more).to_have_text("four in a row")
    assert stage.bounding_box() == before
    person.do("One move back")
    expect(person.page.locator(".past")).to_be_visible()
    if size == PHONE:  # there it lies where the second line is
        expect(more).to_be_hidden()


def test_german_has_words_of_its_own_for_undo_and_redo(people: People) -> None:
    person = people(locale="de")
    person.begin(moves="44")
    for name in ("Rückgängig", "Wiederholen"):
        expect(person.page.get_by_role("button", name=name, exact=True)).to_be_visible()


def test_every_page_ends_with_help_about_and_sources(person: Person) -> None:
    page = person.page
    for path in ("/", "/board", "/puzzles", "/games"):
        person.visit(path)
        expect(page.locator("#footer a")).to_have_text(["My games", "Help", "About", "Sources"])
    page.get_by_role("link", name="Sources").click()
    page.wait_for_url("**/help#sources")
    expect(page.locator("#sources")).to_be_in_viewport()
    expect(page.get_by_text("MIT license")).to_be_visible()
    person.meets_accessibility_rules()


def test_strengths_are_told_by_levels_and_ratings_are_open_until_they_are_known(person: Person) -> None:
    page = person.page
    person.visit("/")
    page.get_by_text("Other players").click()
    page.locator("input[name=player][value=mcts]").check()
    expect(page.locator(".player-text")).to_contain_text(re.compile(r"Strength: like level \d+\."))
    expect(page.locator(".player-text")).not_to_contain_text("Elo")
    person.visit("/puzzles")
    expect(page.locator(".standing-figures dd").first).to_have_text(re.compile(r"^\d+\?$"))


def test_nothing_celebrates_or_sounds_for_people_who_want_no_motion(people: People) -> None:
    for motion, count in (("reduce", 0), ("no-preference", 1)):
        person = people(reduced_motion=motion)
        person.page.add_init_script(
            "window.sounds = 0; window.AudioContext = class extends AudioContext {"
            " constructor() { super(); window.sounds += 1; } };"
        )
        person.begin(name="Ada", moves="443526", other="level-1")
        expect(person.status).to_contain_text("Your turn")
        person.column(1).click()
        expect(person.status).to_contain_text("You win")
        expect(person.page.locator(".celebration")).to_have_count(count)
        expect(person.page.locator(".celebration")).to_have_count(0)  # it does not last
        assert person.page.evaluate("() => window.sounds") == 0  # it is off until somebody wants it
