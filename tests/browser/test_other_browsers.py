"""What matters most, in Firefox and WebKit: a whole game, analysis, reasons, a review, offline use."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from fourcast.web.page.site import write_site
from tests.browser.conftest import SCREENSHOTS, Server
from tests.browser.study import EARLY, GAME, PLAN
from tests.browser.test_site import serve_folder
from tests.browser.webdriver import Window, firefox, webkit

pytestmark = pytest.mark.slow

BROWSERS = {"firefox": firefox, "webkit": webkit}
OPEN_COLUMNS = ".board-column[aria-disabled='false']"


@pytest.fixture(scope="module", params=BROWSERS)
def window(request: pytest.FixtureRequest) -> Iterator[Window]:
    with BROWSERS[request.param]() as window:
        yield window


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site") / "name"
    write_site(folder, book_plies=8)
    return folder


def play_to_the_end(window: Window) -> int:
    """Play the first open column of the middle each time, and return the number of moves."""
    moves = 0
    while not window.run("return !!document.querySelector('.board-picture.has-four')"):
        status = window.texts("#status")
        if any("draw" in each.lower() for each in status):
            break
        window.wait_until(
            f'return document.querySelector("{OPEN_COLUMNS}") !== null'
            " || document.querySelector('.board-picture.has-four') !== null"
        )
        columns = window.run(
            f'return [...document.querySelectorAll("{OPEN_COLUMNS}")].map((e) => e.dataset.column)'
        )
        if not columns:
            break
        column = min(columns, key=lambda each: abs(int(each) - 3))
        before = len(window.texts(".moves .move"))
        window.click(f".board-column[data-column='{column}']")
        window.wait_for(".moves .move", count=before + 1)
        moves = len(window.texts(".moves .move"))
        assert moves <= 42
    return moves


def begin(window: Window, player: str) -> None:
    window.wait_for(f"input[name=player][value={player}]")
    window.run(f"document.querySelector('input[name=player][value={player}]').click()")
    window.click("form.new-game button[type=submit]")
    window.wait_for(".seat-name")


def test_a_whole_game_against_a_level_and_its_review(window: Window, server: Server) -> None:
    window.visit(server.address)
    begin(window, "level-1")
    window.wait_until(f'return document.querySelector("{OPEN_COLUMNS}") !== null')
    assert play_to_the_end(window) >= 7
    window.click("button", "Review the game")
    window.wait_for(".review-accuracy", "accuracy")
    window.screenshot(SCREENSHOTS / f"{window.name}-review.png")


def test_analysis_and_reasons(window: Window, server: Server) -> None:
    window.visit(f"{server.address}/board?moves={EARLY}&analysis=on")
    window.wait_for(".study-verdict", "Red draws")
    window.wait_for(".figure", count=6)
    window.visit(f"{server.address}/board?moves={PLAN}")
    window.click("button", "Why?")
    window.wait_for(".why-verdict", "loses in 7 moves")
    window.screenshot(SCREENSHOTS / f"{window.name}-why.png")


def test_the_keyboard_steps_and_plays(window: Window, server: Server) -> None:
    window.visit(f"{server.address}/board?moves={GAME}")
    window.wait_for(".layer-discs .disc", count=len(GAME))
    window.press("\ue012")  # left
    discs = "document.querySelectorAll('.layer-discs .disc').length"
    window.wait_until(f"return {discs} === {len(GAME) - 1}")
    window.visit(f"{server.address}/board")
    window.wait_until(f'return document.querySelector("{OPEN_COLUMNS}") !== null')
    window.press("4")
    window.wait_for(".layer-discs .disc")


def test_the_site_plays_and_reviews_when_its_server_has_gone(window: Window, site: Path) -> None:
    """Offline is when nobody answers any more: the server is ended."""
    with serve_folder(site.parent) as home:
        address = f"{home}/name/"
        window.visit(address)
        window.wait_for("input[name=player][value=level-1]")
        assert window.run("return 'serviceWorker' in navigator"), "no service workers here"
        window.wait_until(
            "return navigator.serviceWorker.getRegistration().then((each) => !!each && !!each.active)"
        )
        window.visit(address)
        window.wait_until("return navigator.serviceWorker.controller !== null")
    window.visit(f"{address}?page=board&moves={EARLY}&analysis=on")
    window.wait_for(".study-verdict", "Red draws")
    window.visit(address)
    begin(window, "level-4")
    window.click(".board-column[data-column='3']")
    window.wait_for(".moves .move", count=2)
    window.click("button", "Resign")
    window.click("dialog button[value=resign]")
    window.click("button", "Review the game")
    window.wait_for(".review-accuracy", "accuracy")
