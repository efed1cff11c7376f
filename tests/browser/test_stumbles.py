"""What people stumbled over, tried as they would: by touch, on low screens, with links, out of turn."""

from __future__ import annotations

import json
import re

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from tests.browser.conftest import PHONE, People, Person
from tests.browser.study import EARLY, REST, START, discs, remember

LANDSCAPE = (740, 360)  # a phone on its side
ENLARGED = (640, 400)  # 1280 x 800, enlarged twice
NARROW = (320, 640)
WATCH_SHIFTS = """
window.shift = 0;
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shift += entry.value;
}).observe({ type: "layout-shift", buffered: true });
"""
# The choices of the start page whose words are wider than they are.
TOO_NARROW = """() => [...document.querySelectorAll("form.new-game :is(.mode, .choice, .segment)")]
  .filter((each) => each.scrollWidth > each.clientWidth + 1).map((each) => each.textContent)"""
# The choices of the start page that its button lies on.
COVERED = """() => {
  const area = (each) => each.getBoundingClientRect();
  const { top, bottom } = area(document.querySelector("form.new-game .large"));
  return [...document.querySelectorAll("form.new-game label")]
    .filter((each) => area(each).height && area(each).top < bottom && area(each).bottom > top)
    .map((each) => each.textContent);
}"""


def is_in_view(element: Locator) -> bool:
    """Whether all of *element* is on the screen, unless it is hidden below something else."""
    return bool(
        element.evaluate(
            "(e) => { const { top, bottom } = e.getBoundingClientRect();"
            " return top >= 0 && bottom <= window.innerHeight + 1; }"
        )
    )


def is_below(element: Locator, other: Locator) -> bool:
    """Whether *other*, which may stick to the top of the screen, hides nothing of *element*."""
    boxes = element.bounding_box(), other.bounding_box()
    assert boxes[0]
    assert boxes[1]
    return boxes[0]["y"] >= boxes[1]["y"] + boxes[1]["height"] - 1


def finish_game(person: Person) -> None:
    """Play the last move of a game on one screen."""
    person.begin(name="Ada", start=START, moves=REST[:-1])
    person.column(int(REST[-1])).click()
    expect(person.status).to_contain_text("Yellow wins")


def test_a_review_is_read_from_its_beginning_with_the_board_in_view(people: People) -> None:
    person = people(size=PHONE)
    page = person.page
    finish_game(person)
    person.do("Review the game")
    panel = page.get_by_role("region", name="Review")
    expect(panel.locator(".review-move")).to_have_count(12)
    title = panel.get_by_role("heading", name="Review", exact=True)
    expect(title).to_be_focused()
    assert is_in_view(title)
    assert is_below(title, page.locator(".board-stage"))
    assert is_in_view(page.locator(".board-stage"))
    # The line that should have been played is seen where one asks for it.
    page.get_by_role("button", name="What should Ada have played?").click()
    expect(page.locator(".preview").first).to_be_visible()
    assert is_in_view(page.locator(".board-stage"))
    page.get_by_role("button", name="Close the review").click()
    expect(page.get_by_role("button", name="Review the game")).to_be_focused()
    expect(page.locator(".board-stage")).to_be_in_viewport()
    # With the figures of the analysis the board is higher. At the end of the game there are none.
    figures = page.locator(".board-figures")
    page.get_by_role("switch", name="Analysis").click()
    expect(figures).to_be_visible()
    page.get_by_role("button", name="Last position").click()
    expect(figures).to_be_hidden()
    person.do("Review the game")
    expect(panel.locator(".review-move")).to_have_count(12)
    expect(figures).to_be_visible()
    assert is_in_view(title)
    assert is_below(title, page.locator(".board-stage"))


def test_a_tapped_figure_keeps_its_line_on_the_board(people: People) -> None:
    person = people(size=PHONE, has_touch=True, forced_colors="active")
    page = person.page
    remember(person, study_analysis=True)
    person.visit(f"/board?moves={EARLY}")
    figure = page.locator(".figure[data-column='0']")
    expect(figure).to_contain_text("12")
    figure.tap()
    expect(figure).to_have_attribute("aria-pressed", "true")
    expect(page.locator(".preview").first).to_be_visible()
    # Where the system chooses the colors, one sees what is on, best and chosen.
    borders = {
        name: page.locator(f".figure{name}").first.evaluate("e => getComputedStyle(e).borderTopColor")
        for name in (".best", "[aria-pressed=true]", ":not(.best, [aria-pressed=true])")
    }
    assert len(set(borders.values())) == 3, borders
    tracks = page.locator(".study-switch-track").evaluate_all(
        "tracks => tracks.map((each) => getComputedStyle(each).backgroundColor)"
    )
    assert tracks[0] != tracks[1]  # the one is on, the other off
    figure.tap()
    expect(page.locator(".preview")).to_have_count(0)
    # In the list below it is the same; the mouse keeps a line by a click.
    page.locator(".study-line[data-column='1']").tap()
    expect(page.locator(".preview").first).to_be_visible()
    page.locator(".figure[data-column='2']").click()
    page.mouse.move(1, 1)
    expect(page.locator(".figure[data-column='2']")).to_have_attribute("aria-pressed", "true")
    expect(page.locator(".preview").first).to_be_visible()


def test_a_review_of_some_moves_claims_no_accuracy(person: Person) -> None:
    def forget_some(route: Route) -> None:
        view = route.fetch().json()
        for move in view["moves"][:8]:
            move["verdict"] = None
        route.fulfill(body=json.dumps({**view, "complete": False}), content_type="application/json")

    remember(person, answers="server")
    person.page.route("**/api/review*", forget_some)
    person.visit(f"/board?start={START}&moves={REST}&review=on")
    sides = person.page.locator(".review-accuracy")
    expect(sides).to_have_text(["2 of 6 moves judged", "2 of 6 moves judged"])
    expect(person.page.locator("#share-game")).to_have_value(re.compile("&review=on$"))


def test_what_cannot_be_done_is_answered_where_one_tried(people: People) -> None:
    person, watcher = people(), people()
    page = person.page
    person.begin(first={"kind": "computer", "player": "level-1"}, second={"kind": "me"})
    expect(person.status).to_contain_text("Your turn")
    # The only move is the computer's.
    expect(page.get_by_role("button", name="Undo")).to_be_disabled()
    watcher.visit(page.url)
    expect(watcher.moves).to_have_count(1)
    watcher.column(4).click(force=True)
    expect(watcher.page.locator(".board-note")).to_have_text("You are watching this game.")
    person.begin(moves="111111")
    note = page.locator(".board-note")
    person.column(1).click(force=True)
    expect(note).to_have_text("Column 1 is full.")
    expect(note).to_be_in_viewport()
    person.click(2)
    expect(note).to_be_hidden()
    expect(page.get_by_role("button", name="Undo")).to_be_enabled()
    person.do("One move back")
    expect(page.get_by_text("6 / 7")).to_be_visible()
    person.press("3")
    expect(note).to_contain_text("an earlier move")
    person.may_be_refused = True
    person.visit("/bord?moves=4")
    expect(page.get_by_role("heading", name="There is no such page.")).to_be_visible()
    page.get_by_role("link", name="To the start page").click()
    expect(page.get_by_role("heading", name="Connect Four")).to_be_visible()
    expect(page.locator("#your-games")).to_be_visible()
    person.visit("/board/")
    expect(page.locator(".study-count")).to_have_text("0 of 0")


def test_a_game_has_its_own_link_which_opens_at_a_move_with_review_or_analysis(person: Person) -> None:
    page = person.page
    remember(person, study_analysis=True)  # on the free board, which is no reason to have it in a game
    finish_game(person)
    address = page.url
    link = page.get_by_role("textbox", name="Link to the game")
    expect(link).to_have_value(address)
    switch = page.get_by_role("switch", name="Analysis")
    expect(switch).not_to_be_checked()
    # Files of a game tell who played, when, and how it ended.
    where = page.get_by_role("link", name="TXT").get_attribute("href")
    text = page.request.get(f"{person.address}{where}").text()
    assert "Ada" in text
    assert re.search(r"\b20\d\d-\d\d-\d\d", text), text
    assert re.search("result.*four", text, re.IGNORECASE), text
    person.do("One move back")
    expect(link).to_have_value(f"{address}?at=11")
    switch.click()
    expect(link).to_have_value(f"{address}?at=11&analysis=on")
    page.reload()
    expect(switch).to_be_checked()  # as it was left in this game
    person.visit(f"{address}?at=3&review=on")
    expect(page.locator(".review-move[aria-current]")).to_have_attribute("data-number", "3")
    expect(discs(page)).to_have_count(15)
    person.begin(moves=EARLY)
    expect(switch).not_to_be_checked()
    person.visit(f"{page.url}?at=4&analysis=on")
    expect(switch).to_be_checked()
    expect(discs(page)).to_have_count(4)
    page.emulate_media(media="print")
    expect(page.locator(".moves .move")).to_have_count(12)
    expect(page.locator(".moves")).to_be_visible()
    expect(page.locator(".board-stage")).to_be_visible()
    for hidden in (".site-header", ".game-side > .actions", ".study-slot", ".share-slot", ".steps"):
        expect(page.locator(hidden)).to_be_hidden()


def test_low_and_narrow_screens_show_the_whole_board(people: People) -> None:
    person = people(size=LANDSCAPE, has_touch=True)
    page = person.page
    remember(person, study_analysis=True)
    stage = page.locator(".board-stage")
    for path in ("/", f"/board?moves={EARLY}", "a game"):
        if path == "a game":
            person.begin(moves=EARLY)
            page.get_by_role("switch", name="Analysis").click()
        else:
            person.visit(path)
        if path != "/":
            expect(page.locator(".figure-text").first).to_have_text("12")
        page.evaluate("() => window.scrollTo(0, 0)")
        for size in (LANDSCAPE, ENLARGED, NARROW, PHONE):
            page.set_viewport_size({"width": size[0], "height": size[1]})
            expect(stage).to_be_visible()
            person.has_no_sideways_scroll()
            if size != NARROW:
                assert is_in_view(stage), f"{path} at {size}"
            person.screenshot(f"low-{path.strip('/').split('?')[0] or 'start'}-{size[0]}")
        # On a phone, the board comes first, and what one does next is in view as well.
        controls = {"/": "form.new-game .large", "a game": ".game-side > .actions"}
        assert is_in_view(page.locator(controls.get(path, ".study-below")))


def shift(page: Page) -> float:
    page.wait_for_load_state("networkidle")
    return float(page.evaluate("() => window.shift"))


def test_nothing_moves_while_a_page_loads(people: People) -> None:
    person = people()
    page = person.page
    page.add_init_script(WATCH_SHIFTS)
    remember(person, study_analysis=True)
    person.visit("/")
    expect(page.locator("input[name=player][value=level-3]")).to_be_checked()
    assert shift(page) < 0.1
    person.visit(f"/board?moves={EARLY}")
    expect(page.locator(".figure-text").first).to_have_text("12")
    assert shift(page) < 0.1
    expect(page.locator(".study-go")).to_be_in_viewport(ratio=1)  # controls stay above the fold
    person.begin(moves=EARLY)
    expect(page.locator(".share-slot")).to_be_visible()
    assert shift(page) < 0.1


def test_ones_own_disc_waits_for_nobody_and_the_result_waits_for_the_disc(people: People) -> None:
    person = people(reduced_motion="no-preference")
    page = person.page
    held: list[Route] = []
    page.route("**/api/position?*moves=4", lambda route: held.append(route))
    person.visit("/board")
    expect(page.locator(".study-count")).to_have_text("0 of 0")
    person.press("4", "4")
    expect(discs(page)).to_have_count(2)  # though the server has not answered
    expect(page.locator(".study-count")).to_have_text("0 of 0")
    held[0].continue_()
    expect(page.locator(".study-count")).to_have_text("2 of 2")
    expect(discs(page)).to_have_count(2)

    person.begin(name="Ada", moves="443526")
    page.route("**/moves", lambda route: held.append(route))
    before = page.evaluate(
        """() => {
            const status = document.querySelector("#status");
            new MutationObserver(() => {
                if (status.textContent.includes("wins")) window.told ??= performance.now();
            }).observe(status, { childList: true, subtree: true });
            return performance.now();
        }"""
    )
    person.column(1).click()
    expect(discs(page)).to_have_count(7)
    expect(person.moves).to_have_count(6)
    held[-1].continue_()
    expect(person.status).to_contain_text("Ada wins")
    assert page.evaluate("() => window.told") - before > 350  # milliseconds that a disc takes to fall


@pytest.mark.parametrize("language", [pytest.param("en", marks=pytest.mark.slow), "de"])
def test_the_header_and_every_page_fit_a_phone(people: People, language: str) -> None:
    """The pages are reached without scrolling; what has no room in the header is in the settings."""
    person = people(size=NARROW, locale=language)
    page = person.page
    for path in ("/board?moves=44", "/explore?moves=44", "/puzzles", "/train", "/"):
        person.visit(path)
        expect(page.locator(".site-nav [aria-current=page]")).to_be_visible()
        for size in (NARROW, PHONE, LANDSCAPE, ENLARGED):
            page.set_viewport_size({"width": size[0], "height": size[1]})
            person.has_no_sideways_scroll()
            for link in page.locator(".site-nav a, .site-switches button:visible").all():
                expect(link).to_be_in_viewport(ratio=1)
            if path == "/":
                assert not page.evaluate(COVERED), f"the button covers choices at {size}"
                assert not page.evaluate(TOO_NARROW), f"words do not fit their choices at {size}"
    page.set_viewport_size({"width": NARROW[0], "height": NARROW[1]})
    page.locator("#settings").click()
    page.locator("#theme-choice").select_option("dark")
    page.locator("dialog .button.primary").click()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    expect(page.locator("#settings")).to_be_focused()
