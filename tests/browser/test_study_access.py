"""The study pages for everybody: axe-core's rules in both themes, on a desk and on a phone."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import People, Person
from tests.browser.study import (
    GAME,
    PLAN,
    REST,
    START,
    check_for_everybody,
    in_both_themes,
    remember,
)


def analysis(person: Person) -> None:
    remember(person, study_analysis=True, study_threats=True)
    person.visit(f"/board?moves={GAME[:20]}")
    expect(person.page.locator(".study-line").first).to_be_visible()
    person.page.locator(".figure").first.hover()
    expect(person.page.locator(".preview").first).to_be_visible()


def set_up(person: Person) -> None:
    person.visit("/board?start=......./......./......./......./XX...../XX.....")
    expect(person.page.locator(".study-turn")).to_contain_text("Not a position yet")
    person.page.get_by_text("Paste a diagram or a game").click()


def review(person: Person) -> None:
    person.visit(f"/board?start={START}&moves={REST}")
    person.page.get_by_role("button", name="Review", exact=True).click()
    expect(person.page.locator(".review-move")).to_have_count(12)
    panel = person.page.get_by_role("region", name="Review")
    panel.get_by_role("button", name="Why?", exact=True).click()
    expect(panel.locator(".why-part")).to_have_count(2)
    person.page.get_by_text("All moves as a table").click()


def why(person: Person) -> None:
    person.visit(f"/board?moves={PLAN}")
    person.page.get_by_role("button", name="Why?", exact=True).click()
    person.page.get_by_role("button", name="Try to break it").click()
    expect(person.page.locator(".challenge-hint")).to_contain_text("You play Red")
    person.press("6")
    expect(person.page.locator(".challenge-status")).to_contain_text("on top of it")


def play_dialog(person: Person) -> None:
    person.visit(f"/board?start={START}")
    person.page.get_by_role("button", name="Play from here").click()
    expect(person.page.get_by_role("dialog").locator("option").first).to_be_attached()


@pytest.mark.parametrize("view", [analysis, set_up, review, why, play_dialog])
@in_both_themes
def test_axe_finds_nothing(
    people: People, view: Callable[[Person], None], theme: str, size: tuple[int, int]
) -> None:
    person = people(size=size, color_scheme=theme)
    check_for_everybody(person, view)
    person.problems[:] = [text for text in person.problems if "status of 400" not in text]
    person.screenshot(f"study-{view.__name__.replace('_', '-')}-{theme}", full_page=True)
