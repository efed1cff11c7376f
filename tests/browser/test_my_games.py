"""My games: all games of a browser with results, reviews, scores, and a way to another device."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from playwright.sync_api import expect

from tests.browser.conftest import PHONE, People, Person


def win(person: Person, **options: Any) -> None:
    """Win a game in one move."""
    person.begin(name="Ada", moves="443526", **options)
    person.column(1).click()
    expect(person.status).to_contain_text(re.compile("win"))


def test_finished_games_stay_with_their_results_and_reviews(people: People) -> None:
    person = people(size=PHONE, has_touch=True)
    page = person.page
    win(person, other="level-2")
    win(person, second={"kind": "me", "name": "Bo"})
    person.begin(name="Ada", other="link")
    person.visit("/")
    page.locator("#main").get_by_role("link", name="My games").click()
    games = page.locator(".game-item")
    expect(games).to_have_count(3)
    expect(games.nth(0)).to_contain_text("Not over")
    expect(games.nth(1)).to_contain_text("Ada and Bo")
    expect(games.nth(1)).to_contain_text("Ada wins: four in a row")
    expect(games.nth(2)).to_contain_text("Against Level 2")
    expect(games.nth(2)).to_contain_text(re.compile(r"7 moves, today \d\d:\d\d"))
    expect(games.nth(2)).to_contain_text("Won: four in a row")
    expect(games.nth(2).locator(".miniature .disc")).to_have_count(7)
    expect(page.get_by_role("row", name="Level 2")).to_have_text("Level 2100")
    person.has_no_sideways_scroll()
    person.meets_accessibility_rules()
    person.screenshot("my-games-phone", full_page=True)
    page.get_by_role("link", name=re.compile("Review: Against Level 2")).click()
    expect(page.locator(".review-text")).to_contain_text("Ada won with move 7")
    expect(page.locator(".review-side").nth(1)).to_contain_text("Level 2")
    page.go_back()
    page.get_by_role("button", name="Try level 3").click()
    page.wait_for_url("**/game/*")
    expect(page.locator(".seat.second")).to_contain_text("Level 3")


def test_games_move_to_another_device_by_a_file(people: People, tmp_path: Path) -> None:
    person, other = people(), people(locale="de")
    win(person, other="level-1")
    person.begin(name="Ada", other="link", moves="4")
    address = person.page.url
    person.visit("/games")
    with person.page.expect_download() as download:
        person.do("Save as a file")
    file = tmp_path / download.value.suggested_filename
    download.value.save_as(file)
    other.visit("/games")
    expect(other.page.get_by_text("Noch keine Partien")).to_be_visible()
    other.page.locator("#games-file").set_input_files(file)
    expect(other.page.locator(".game-item")).to_have_count(2)
    expect(other.page.locator("#announcer")).to_have_text("2 Partien hinzugefügt.")
    expect(other.page.get_by_role("row", name="Stufe 1")).to_be_visible()
    # The other browser may play on.
    other.visit(address)
    expect(other.page.locator(".seat.first")).to_contain_text("du")
    bad = tmp_path / "bad.json"
    bad.write_text(json.dumps({"games": "none"}))
    other.visit("/games")
    other.page.locator("#games-file").set_input_files(bad)
    expect(other.page.get_by_text("bad.json ist keine Datei mit Partien.")).to_be_visible()
    expect(other.page.locator(".game-item")).to_have_count(2)


def test_a_game_that_the_server_has_deleted_is_reviewed_from_the_moves_kept_here(person: Person) -> None:
    win(person)
    person.page.evaluate(
        "() => { const games = JSON.parse(localStorage['fourcast.games']);"
        " games[0].id = 'nosuchgame123'; localStorage['fourcast.games'] = JSON.stringify(games); }"
    )
    person.may_be_refused = True
    person.visit("/games")
    person.page.get_by_role("link", name=re.compile("^Review: ")).click()
    person.page.get_by_role("link", name="Review the moves kept here").click()
    expect(person.page.locator(".review-text")).to_contain_text("won with move 7")
