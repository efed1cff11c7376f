"""The page in the language of its reader."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from .conftest import People, Person
from .study import remember


def test_the_language_is_that_of_the_browser_and_can_be_chosen(people: People) -> None:
    person = people(locale="de-AT")
    page = person.page
    person.visit("/")
    expect(page.locator("html")).to_have_attribute("lang", "de")
    expect(page.get_by_role("link", name="Brett", exact=True)).to_be_visible()
    page.get_by_role("button", name="Einstellungen").click()
    page.get_by_label("Sprache").select_option("English")
    page.get_by_role("button", name="Fertig").click()
    expect(page.locator("html")).to_have_attribute("lang", "en")
    expect(page.get_by_role("button", name="Settings")).to_be_focused()
    person.visit("/board")
    expect(page.locator("html")).to_have_attribute("lang", "en")
    assert [url for url in person.requests if "/text-" in url][-1].endswith("-en.json")


def test_a_language_that_nobody_has_written_is_english(people: People) -> None:
    person: Person = people(locale="xx")
    person.visit("/")
    expect(person.page.locator("html")).to_have_attribute("lang", "en")
    expect(person.page.get_by_role("link", name="Board", exact=True)).to_be_visible()
    assert not [url for url in person.requests if "/text-" in url]  # they came with the page


def test_a_game_its_analysis_its_review_and_its_reasons_are_in_german(people: People) -> None:
    person = people(locale="de-DE")
    page = person.page
    person.begin(moves="4455123")
    expect(person.status).to_contain_text("Gelb am Zug")
    expect(page.locator("#board p").first).to_contain_text("Gelb ist nach 7 Zügen am Zug")
    page.get_by_role("switch", name="Analyse").click()
    expect(page.locator(".study-verdict")).to_contain_text(re.compile("Gelb (verliert|gewinnt) in"))
    page.get_by_role("button", name="Warum?", exact=True).click()
    expect(page.locator(".why-title")).to_contain_text(re.compile("Warum (Rot|Gelb) gewinnt"))
    expect(page.locator(".why-verdict").first).to_contain_text("Gelb, am Zug,")
    person.do("Aufgeben")
    page.get_by_role("dialog").get_by_role("button", name="Aufgeben").click()
    expect(person.status).to_contain_text("Gelb hat aufgegeben")
    person.do("Partie auswerten")
    expect(page.locator(".review-text")).to_contain_text("Nach Zug 7: Gelb, am Zug, gewinnt")
    english = page.evaluate("() => document.body.innerText").split()
    known = {"the", "and", "move", "moves", "column", "game", "with", "to", "of", "is", "has", "wins"}
    assert not known & {word.strip(".,:;?!").lower() for word in english}


def test_the_server_answers_in_german_where_the_core_does_not_run(people: People) -> None:
    person = people(locale="de-DE")
    person.may_be_refused = True
    remember(person, answers="server", **{"study.analysis": True})
    page = person.page
    person.visit("/board?moves=44455523")
    expect(page.locator(".study-verdict")).to_contain_text(re.compile("(Rot) (gewinnt|verliert|spielt)"))
    page.get_by_role("button", name="Warum?", exact=True).click()
    expect(page.locator(".why-verdict").first).to_contain_text("Rot, am Zug,")
    page.get_by_label("Züge", exact=True).fill("4444444")
    person.do("Zeigen")
    expect(page.locator(".study-entry .study-problem")).to_have_text(
        "Zug 7 von '4444444': Spalte 4 ist voll."
    )
    assert any("lang=de" in url for url in person.requests)


def test_longer_words_fit_a_phone(people: People) -> None:
    person = people(size=(360, 740), locale="de-DE", has_touch=True)
    remember(person, study_analysis=True)
    for path in ("/", "/board?moves=44455523"):
        person.visit(path)
        if path != "/":
            expect(person.page.locator(".figure.best").first).to_be_visible()
        for width in (360, 320):
            person.page.set_viewport_size({"width": width, "height": 640})
            person.has_no_sideways_scroll()
