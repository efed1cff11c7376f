"""Lessons in the browser: all of them by touch, some by keyboard, in German, and offline on the site."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from fourcast import Solver
from fourcast.render.catalogue import speaking
from fourcast.study.lessons import Lesson, Step, lessons
from tests.browser.conftest import PHONE, People, Person
from tests.browser.test_site import serve_folder, visitor

SOLVER = Solver()
TOUCH: dict[str, Any] = {"size": PHONE, "has_touch": True, "is_mobile": True}


def state(page: Page, wanted: str, step: Step | None = None) -> None:
    """Wait until the lesson is open, wrong or done, at that step."""
    lesson = page.locator(".learn-lesson")
    expect(lesson).to_have_attribute("data-state", wanted)
    if step is not None:
        expect(lesson).to_have_attribute("data-step", str(step.number))


def answer(page: Page, given: str, *, by_touch: bool = True) -> None:
    place = (
        f"[data-square='{given}']" if "/" in given else f".board-column[data-column='{int(given) - 1}']"
    )
    expect(page.locator(place)).to_have_attribute("aria-disabled", "false")
    if by_touch:
        page.tap(place)
    else:
        page.click(place)


def play_step(page: Page, step: Step) -> None:
    """Give the first of the right answers until the step is done."""
    state(page, "open", step)
    columns: tuple[int, ...] = ()
    while True:
        right = step.answers(columns, SOLVER)[0]
        answer(page, right)
        tried = step.try_answer(right, columns, SOLVER)
        columns = tried.columns
        if tried.state == "done":
            break
        assert tried.state == "open"
        expect(page.locator(".layer-discs .disc")).to_have_count(len(step.moves) + len(columns))
    state(page, "done", step)
    expect(page.locator(".puzzle-feedback")).to_have_text(tried.text(("Red", "Yellow")))


def play_lesson(page: Page, lesson: Lesson) -> None:
    """Play it to its end, and go on to what comes next."""
    expect(page.locator(".learn-title")).to_have_text(lesson.title)
    for step in lesson.steps:
        play_step(page, step)
        # Everything that is needed is in view: nobody has to scroll between board and button.
        next_button = page.locator(".learn-lesson .puzzle-actions .button").first
        expect(next_button).to_be_focused()
        next_button.tap()


@pytest.fixture
def phone(people: People) -> Person:
    return people(**TOUCH)


@pytest.mark.slow
def test_all_lessons_are_played_through_by_touch_on_a_phone(phone: Person) -> None:
    page = phone.page
    phone.visit("/learn")
    expect(page.locator(".learn-card")).to_have_count(len(lessons()))
    phone.has_no_sideways_scroll()
    phone.do("Start")
    for lesson in lessons():
        play_lesson(page, lesson)
    expect(page.locator(".learn-home .lead")).to_contain_text("All lessons are done.")
    expect(page.locator(".learn-card.is-done")).to_have_count(len(lessons()))
    phone.has_no_sideways_scroll()
    page.reload()
    expect(page.locator(".learn-card.is-done")).to_have_count(len(lessons()))
    phone.do("Start over")
    expect(page.locator(".learn-card.is-done")).to_have_count(0)
    expect(page.get_by_role("button", name="Start", exact=True)).to_be_visible()


def test_a_wrong_column_shows_the_reply_and_is_taken_back(phone: Person) -> None:
    page = phone.page
    step = lessons()[2].steps[0]
    phone.visit("/learn?lesson=blocks")
    state(page, "open", step)
    before = len(step.moves)
    expect(page.locator(".layer-discs .disc")).to_have_count(before)
    answer(page, "1")
    state(page, "wrong")
    expect(page.locator(".layer-discs .disc")).to_have_count(before + 2)
    expect(page.locator(".puzzle-feedback")).to_contain_text("Yellow can win on 6/4")
    expect(page.locator("#announcer")).to_contain_text("Yellow can win on 6/4")
    phone.do("Try again")
    expect(page.locator(".layer-discs .disc")).to_have_count(before)
    phone.do("Show me")
    expect(page.locator(".puzzle-feedback")).to_have_text("The answer: 6.")
    expect(page.locator(".layer-preview .preview")).to_have_count(1)
    answer(page, "6")
    state(page, "done")
    expect(page.locator(".layer-preview .preview")).to_have_count(0)
    page.get_by_role("button", name="Why?").tap()
    expect(page.locator(".learn-lesson .why-verdict").first).to_be_visible()


def test_progress_is_kept_step_by_step_with_the_training(phone: Person) -> None:
    page = phone.page
    phone.visit("/learn?lesson=four")
    play_step(page, lessons()[0].steps[0])
    page.wait_for_function("() => (localStorage.getItem('fourcast.training') ?? '').includes('four')")
    kept = page.evaluate("() => localStorage.getItem('fourcast.training')").splitlines()
    line = json.loads(kept[1])
    assert (line["lesson"], line["step"]) == ("four", 1)
    page.reload()
    state(page, "open", lessons()[0].steps[1])
    page.get_by_role("button", name="All lessons").tap()
    expect(page.locator(".learn-card").first).to_contain_text("1/4")
    expect(page.get_by_role("button", name="Continue")).to_be_visible()
    page.go_back()
    state(page, "open", lessons()[0].steps[1])


def test_a_lesson_is_learned_by_keyboard_and_ear(person: Person) -> None:
    page = person.page
    person.visit("/learn?lesson=threats")
    state(page, "open")
    said = page.locator("#announcer")
    expect(said).to_contain_text("Step 1 of 4. Every square has a name")
    person.press("4")
    expect(page.locator(".board-note")).to_have_text("In this step you point at a square.")
    page.locator(".board-square[tabindex='0']").focus()
    expect(page.locator(":focus")).to_have_attribute("aria-label", "4/1, red")
    person.press("ArrowLeft", "ArrowUp")
    expect(page.locator(":focus")).to_have_attribute("aria-label", "3/2, empty")
    person.press("Enter")
    state(page, "done")
    expect(said).to_contain_text("Column 3, row 2.")
    person.press("Enter")  # on the button for the next step
    state(page, "open", lessons()[1].steps[1])
    expect(page.locator(".learn-title")).to_be_focused()
    person.visit("/learn?lesson=blocks")
    state(page, "open")
    person.press("6")
    state(page, "done")


@pytest.mark.parametrize(
    "path",
    ["/learn", "/learn?lesson=threats", pytest.param("/learn?lesson=blocks", marks=pytest.mark.slow)],
)
def test_the_pages_have_no_accessibility_problems(person: Person, path: str) -> None:
    person.visit(path)
    expect(person.page.locator(".learn-card, .learn-lesson[data-state]").first).to_be_visible()
    person.meets_accessibility_rules()


@pytest.mark.parametrize("step", [5, pytest.param(1, marks=pytest.mark.slow)], ids=["some", "all"])
def test_lessons_speak_german(people: People, step: int) -> None:
    person = people(**TOUCH, locale="de-DE")
    page = person.page
    person.visit("/learn")
    expect(page.locator(".learn-home h1")).to_have_text("Vier gewinnt lernen")
    person.has_no_sideways_scroll()
    for lesson in lessons()[::step]:
        person.visit(f"/learn?lesson={lesson.id}")
        state(page, "open")
        with speaking("de"):
            expect(page.locator(".learn-title")).to_have_text(lesson.title)
            expect(page.locator(".learn-text")).to_have_text(lesson.steps[0].text(("Rot", "Gelb")))
        person.has_no_sideways_scroll()


def test_an_unknown_lesson_is_the_list_of_all(person: Person) -> None:
    person.visit("/learn?lesson=nonsense")
    expect(person.page.locator(".learn-card")).to_have_count(len(lessons()))


# ---- The way there -----------------------------------------------------------------------------------


def test_somebody_new_is_shown_the_lessons_on_the_start_page(person: Person) -> None:
    page = person.page
    person.visit("/")
    page.get_by_role("link", name="Short lessons").click()
    expect(page.locator(".learn-card")).to_have_count(len(lessons()))
    person.begin(moves="44")
    person.visit("/")
    expect(page.locator("form.new-game")).to_be_visible()
    expect(page.get_by_role("link", name="Short lessons")).to_have_count(0)


def test_a_win_against_a_level_leads_to_the_next_one(person: Person) -> None:
    page = person.page
    person.begin(name="Ada", other="level-2", moves="121212")
    person.column(1).click()
    expect(person.status).to_contain_text("You win")
    expect(page.locator(".offer")).to_contain_text("You beat level 2!")
    before = page.url
    person.do("Try level 3")
    page.wait_for_url(lambda url: url != before)
    expect(page.locator(".seat-name")).to_have_text(["Ada", "Level 3"])


def test_a_loss_against_a_low_level_leads_to_the_lesson_that_fits(person: Person) -> None:
    """Red leaves three of Yellow's on top of each other."""
    page = person.page
    person.begin(other="level-3", moves="121232")
    person.column(7).click()
    expect(person.status).to_contain_text("You lose")
    page.get_by_role("link", name="A lesson that fits this game").click()
    expect(page.locator(".learn-title")).to_have_text("Block in time")


def test_no_lesson_is_offered_after_a_loss_against_a_high_level(person: Person) -> None:
    person.begin(other="level-5", moves="121232")
    person.column(7).click()
    expect(person.status).to_contain_text("You lose")
    expect(person.page.get_by_role("link", name="A lesson that fits")).to_have_count(0)


# ---- Without a server --------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def site(folder: Path) -> Iterator[str]:
    with serve_folder(folder.parent) as address:
        yield address


def test_lessons_are_learned_offline_on_the_static_site(browser: Browser, site: str) -> None:
    with visitor(browser, site, **TOUCH) as person:
        page = person.page
        person.visit("/name/?page=learn")
        expect(page.locator(".learn-card")).to_have_count(len(lessons()))
        page.wait_for_function("() => navigator.serviceWorker.controller !== null")
        page.context.set_offline(True)
        person.may_lose_connection = True
        for lesson in (lessons()[0], lessons()[9], lessons()[12]):
            person.visit(f"/name/?page=learn&lesson={lesson.id}")
            play_lesson(page, lesson)
        page.get_by_role("button", name=re.compile("All lessons")).tap()
        expect(page.locator(".learn-card.is-done")).to_have_count(3)
        person.problems = [each for each in person.problems if "service-worker" not in each]
