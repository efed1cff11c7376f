"""`fourcast serve --cup` in a browser: a tournament of programs, on a phone and on a projector."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.conftest import PHONE, PROJECTOR, People
from tests.browser.study import discs
from tests.command import run_text
from tests.web.server import Server

PLAYERS = ["random", "winning", "level-1", "level-2"]


@pytest.fixture(scope="module")
def cup(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a tournament that is over."""
    folder = tmp_path_factory.mktemp("cup") / "Spring cup"
    done = run_text("tournament", *PLAYERS, "--games", "2", "--out", str(folder), "--seed", "1")
    assert done.returncode == 0, done.stderr
    return folder


@pytest.fixture
def running(cup: Path, tmp_path: Path) -> Iterator[tuple[Server, Path, bytes]]:
    """A server that shows the first games of that tournament, the journal, and all of the journal."""
    folder = tmp_path / "Spring cup"
    folder.mkdir()
    whole = (cup / "journal.jsonl").read_bytes()
    journal = folder / "journal.jsonl"
    journal.write_bytes(b"".join(whole.splitlines(keepends=True)[:7]))
    with Server(tmp_path, FOURCAST_CUP=str(folder)) as server:
        yield server, journal, whole


def test_a_cup_is_followed_on_a_phone_and_on_a_projector(
    running: tuple[Server, Path, bytes], browser: Browser
) -> None:
    server, journal, whole = running
    people = People(browser, server.url)
    phone = people(size=PHONE, has_touch=True, is_mobile=True, locale="de")
    screen = people(size=PROJECTOR)
    for person in (phone, screen):
        person.visit("/cup")
        expect(person.page.get_by_role("heading", level=1)).to_have_text("Spring cup")
        expect(person.page.locator(".room-table tbody tr")).to_have_count(len(PLAYERS))
    expect(screen.page.get_by_text("6 games played so far.")).to_be_visible()
    screen.screenshot("cup-projector")
    journal.write_bytes(whole)
    expect(screen.page.get_by_text("Final standings after 12 games.")).to_be_visible()
    expect(screen.page.locator(".room-table tbody tr").first).to_contain_text("level-2")
    expect(phone.page.locator(".lead")).to_contain_text("12")
    for person in (phone, screen):
        person.has_no_sideways_scroll()
        person.meets_accessibility_rules()
    phone.screenshot("cup-phone", full_page=True)
    screen.screenshot("cup-projector-end")
    phone.page.locator(".room-list a").first.tap()
    expect(discs(phone.page).nth(6)).to_be_attached()  # those of the game
    people.close()
