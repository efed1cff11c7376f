"""What is made for a browser but needs no server: the map of an opening, and the booklet."""

from __future__ import annotations

import re
from pathlib import Path

from playwright.sync_api import Browser, Page, expect

from fourcast import Solver
from fourcast.puzzles.booklet import booklet
from fourcast.puzzles.card_pages import page_of
from fourcast.puzzles.repertoire import load_repertoire
from fourcast.render.opening_map import opening_map
from fourcast.study.opening_tree import opening_tree
from tests.browser.conftest import SCREENSHOTS


def shares(page: Page) -> list[float]:
    """The widths of the first moves, as shares of the picture."""
    widths: list[float] = page.evaluate(
        "() => [...document.querySelectorAll('svg > g.move > rect')]"
        ".filter((rect) => rect.style.display !== 'none')"
        ".map((rect) => rect.getAttribute('width') / 1400)"
    )
    return widths


def test_the_map_zooms_by_click_wheel_and_keys_and_back(browser: Browser, tmp_path: Path) -> None:
    path = tmp_path / "map.svg"
    path.write_text(opening_map(opening_tree(plies=3)), "utf-8")
    page = browser.new_page(viewport={"width": 1200, "height": 520})
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto(path.as_uri())
    assert len(shares(page)) == 7
    center = page.locator("svg > g.move").nth(3).locator("> rect")
    box = center.bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    expect(center).to_have_attribute("width", re.compile("^1400"))
    named = page.locator("svg > g.move").nth(3).locator("g.move text")
    assert named.count() >= 2 * 56  # letters appear where there is room for them now
    SCREENSHOTS.mkdir(parents=True, exist_ok=True)
    page.screenshot(path=SCREENSHOTS / "map.png")
    page.keyboard.press("0")
    assert len(shares(page)) == 7
    page.mouse.wheel(0, -400)
    assert max(shares(page)) > 0.3
    page.keyboard.press("-")
    page.keyboard.press("-")
    page.keyboard.press("-")
    page.keyboard.press("-")
    assert len(shares(page)) == 7
    assert errors == []
    page.close()


def test_the_booklet_prints_and_fits_a_phone(browser: Browser, tmp_path: Path) -> None:
    part = load_repertoire("first").up_to(4)
    solver = Solver()
    path = tmp_path / "first.html"
    path.write_text(booklet(part, (page_of(card, solver) for card in part.cards)), "utf-8")
    page = browser.new_page(viewport={"width": 360, "height": 740})
    page.goto(path.as_uri())
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    pdf = page.pdf(prefer_css_page_size=True)
    assert pdf.startswith(b"%PDF")
    assert 2 <= len(re.findall(rb"/Type\s*/Page[^s]", pdf)) <= 5
    SCREENSHOTS.mkdir(parents=True, exist_ok=True)
    page.screenshot(path=SCREENSHOTS / "booklet-phone.png")
    page.close()
