"""How the pages look and weigh: sizes of screens, themes, accessibility, bytes. Pictures are kept."""

from __future__ import annotations

import re
from typing import Literal

import pytest
from playwright.sync_api import expect

from fourcast.render.svg import contrast
from fourcast.web.page.bundled import bundled_files
from tests.browser.conftest import DESKTOP, PHONE, PROJECTOR, People, Person
from tests.browser.study import remember

SCREENS = {"desktop": DESKTOP, "phone": PHONE, "projector": PROJECTOR}
GAME = "156455244544355726363"  # ends with a rising diagonal
MAX_FIRST_PAGE = 160_000  # bytes
Theme = Literal["light", "dark"]


@pytest.mark.parametrize("theme", ["light", pytest.param("dark", marks=pytest.mark.slow)])
def test_no_page_breaks_a_rule_of_accessibility(people: People, theme: Theme) -> None:
    person = people(color_scheme=theme)
    person.visit("/")
    expect(person.page.locator("input[name=player][value=level-3]")).to_be_checked()
    person.meets_accessibility_rules()
    person.begin(name="Ada", moves="443526")
    person.meets_accessibility_rules()
    person.do("One move back")
    expect(person.page.locator(".past")).to_be_visible()
    person.meets_accessibility_rules()
    person.do("Last position")
    person.click(1)
    expect(person.status).to_contain_text("Ada wins")
    person.meets_accessibility_rules()
    person.begin(other="link")
    person.meets_accessibility_rules()
    friend = people(color_scheme=theme, size=PHONE)
    friend.visit(person.page.url)
    expect(friend.page.get_by_role("button", name="Join the game")).to_be_visible()
    friend.meets_accessibility_rules()
    person.visit("/")
    expect(person.page.get_by_role("heading", name="Your games")).to_be_visible()
    person.meets_accessibility_rules()


@pytest.mark.parametrize(
    ("screen", "theme"),
    [
        pytest.param("desktop", "light", marks=pytest.mark.slow),
        ("phone", "dark"),
        pytest.param("desktop", "dark", marks=pytest.mark.slow),
        pytest.param("phone", "light", marks=pytest.mark.slow),
        pytest.param("projector", "dark", marks=pytest.mark.slow),
    ],
)
def test_every_page_fits_every_screen(people: People, screen: str, theme: Theme) -> None:
    size = SCREENS[screen]
    person = people(size=size, color_scheme=theme)
    whole = screen == "phone"
    person.visit("/")
    expect(person.page.locator("input[name=player][value=level-3]")).to_be_checked()
    expect(person.column(1)).to_have_attribute("aria-disabled", "false")
    person.has_no_sideways_scroll()
    person.screenshot(f"start-{screen}-{theme}", full_page=whole)
    person.begin(name="Ada", moves=GAME[:14])
    person.has_no_sideways_scroll()
    person.column(5).hover()
    person.screenshot(f"game-{screen}-{theme}", full_page=whole)
    board = person.page.locator(".board-stage").bounding_box()
    assert board is not None
    # The board is most of a phone's width, and all of it is on the screen elsewhere.
    if screen == "phone":
        assert board["width"] > 0.85 * size[0]
    else:
        assert board["y"] + board["height"] <= size[1]
        assert board["height"] > 0.6 * size[1]
    if screen == "projector":
        text = person.page.locator(".seat-name").first.evaluate("e => getComputedStyle(e).fontSize")
        assert float(text.removesuffix("px")) >= 19
    person.begin(name="Ada", moves=GAME[:-1])
    person.click(int(GAME[-1]))
    expect(person.status).to_contain_text("Ada wins")
    person.page.mouse.move(1, 1)
    person.screenshot(f"over-{screen}-{theme}", full_page=whole)


def test_everything_on_a_phone_can_be_touched(people: People) -> None:
    """Every control is at least 24 px in both directions (WCAG 2.2), those of a game 34."""
    person = people(size=PHONE)
    for path in ("/", "a game"):
        if path == "/":
            person.visit(path)
        else:
            person.begin()
        expect(person.page.locator(".board-column").first).to_be_visible()
        controls = person.page.locator("button:visible, select:visible, input:visible, summary:visible")
        for control in controls.all():
            box = control.bounding_box()
            assert box is not None
            assert min(box["width"], box["height"]) >= 24, control.evaluate("e => e.outerHTML")
            assert box["x"] >= 0
            assert box["x"] + box["width"] <= PHONE[0]
    column = person.column(1).bounding_box()
    assert column is not None
    assert column["width"] >= 34


def test_the_first_page_is_light_and_comes_from_one_machine(people: People) -> None:
    """All that the start page loads, uncompressed. `people` sees to it that no other host is asked."""
    person = people()
    sizes: dict[str, int] = {}
    person.page.on("response", lambda answer: sizes.update({answer.url: len(answer.body())}))
    person.visit("/")
    person.page.wait_for_load_state("networkidle")
    expect(person.page.locator("input[name=player][value=level-3]")).to_be_checked()
    assert bundled_files(), "run: make page-bundle"
    assert any(url.endswith("/js/chunk.js") for url in sizes)
    assert any(url.endswith("/style.css") for url in sizes)
    total = sum(sizes.values())
    print(f"\nfirst page: {total} bytes in {len(sizes)} files")
    assert total < MAX_FIRST_PAGE, sizes


def test_discs_of_the_two_players_differ_in_shape(person: Person) -> None:
    person.begin(moves="45")
    expect(person.page.locator("#board .layer-discs .disc.first circle.mark")).to_have_count(1)
    expect(person.page.locator("#board .layer-discs .disc.second path.mark")).to_have_count(1)


@pytest.mark.parametrize(
    ("theme", "colors"),
    [
        ("light", "yellow"),
        ("dark", "blue"),
        pytest.param("light", "blue", marks=pytest.mark.slow),
        pytest.param("dark", "yellow", marks=pytest.mark.slow),
    ],
)
def test_discs_stand_out_from_what_is_around_them(people: People, theme: Theme, colors: str) -> None:
    """WCAG asks for 3 between the parts of a picture that it takes to understand it."""
    person = people(color_scheme=theme)
    remember(person, colors=colors)
    person.begin(moves="45")
    page = person.page

    def color(selector: str, what: str) -> str:
        found = page.locator(selector).first.evaluate(
            "(element, what) => getComputedStyle(element)[what]", what
        )
        numbers = [int(part) for part in re.findall(r"\d+", found)[:3]]
        return "#" + "".join(f"{number:02x}" for number in numbers)

    board = "#board .layer-discs .disc"
    plates = [color("#board .plate-top", "stopColor"), color("#board .plate-bottom", "stopColor")]
    for side, mark in (("first", "stroke"), ("second", "fill")):
        body = color(f"{board}.{side} .body", "fill")
        edge = color(f"{board}.{side} .edge", "stroke")
        assert contrast(body, color(f"{board}.{side} .mark", mark)) >= 3
        # Besides names, a disc lies on a card; its rim tells it from there, or its body does.
        card = color(".seat", "backgroundColor")
        assert max(contrast(edge, card), contrast(body, card)) >= 3
        hole = color("#board .back", "fill")
        assert max(contrast(edge, hole), contrast(body, hole)) >= 3
    assert all(contrast(plate, color("#board .names text", "fill")) >= 4.5 for plate in plates)


def test_focus_can_be_seen(person: Person) -> None:
    person.visit("/")
    expect(person.page.locator("input[name=player][value=level-3]")).to_be_checked()
    for _ in range(12):
        person.press("Tab")
        outline = person.page.evaluate(
            "() => { let e = document.activeElement; if (e.type === 'radio') e = e.closest('label');"
            " const style = getComputedStyle(e);"
            " return [style.outlineStyle, parseFloat(style.outlineWidth)]; }"
        )
        assert outline[0] != "none"
        assert outline[1] >= 2
