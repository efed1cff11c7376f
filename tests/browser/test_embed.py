"""<fourcast-board> on another site: a position or a game in a frame, from the server and from the static
site; the other pages cannot be framed."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, FrameLocator, Page, expect

from fourcast.web.page.site import write_site
from tests.browser.conftest import SCREENSHOTS, WAIT_MS, Server
from tests.browser.test_site import serve_folder

GAME = "4455667"  # red wins with the last move
ELEMENTS = """
<fourcast-board id="game" moves="4455667" controls label="A short game"></fourcast-board>
<fourcast-board id="wide" size="9x7" moves="5" link="none"></fourcast-board>
<fourcast-board id="wrong" moves="48"></fourcast-board>
"""


@contextmanager
def another_site(script: str) -> Iterator[str]:
    """A page of somebody else's, at another address, with boards on it."""

    class Site(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            body = ELEMENTS if self.path == "/" else f'<iframe src="{self.path[1:]}"></iframe>'
            text = f'<!doctype html><title>Blog</title><script src="{script}"></script>{body}'
            self.send_response(200)
            self.send_header("content-type", "text/html")
            self.end_headers()
            self.wfile.write(text.encode())

        def log_message(self, *_: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Site)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://localhost:{server.server_port}"
    server.shutdown()
    server.server_close()


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("site") / "name"
    write_site(folder, book_plies=8)
    with serve_folder(folder.parent) as address:
        yield f"{address}/name"


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(reduced_motion="reduce")
    context.set_default_timeout(WAIT_MS)
    yield context.new_page()
    context.close()


def frame_of(page: Page, name: str) -> FrameLocator:
    return page.frame_locator(f"#{name} >> iframe")


def look_at_boards(page: Page, home: str, picture: str) -> None:
    """See what a reader of the other site sees, and use it by keyboard."""
    with another_site(f"{home}/static/js/embed.js") as address:
        page.goto(address)
        assert page.locator("#game >> iframe").get_attribute("title") == "A short game"
        game = frame_of(page, "game")
        expect(game.locator(".embed-status")).to_have_text("Red has won.")
        expect(game.locator(".layer-discs .disc")).to_have_count(len(GAME))
        game.get_by_role("button", name="One move back").focus()
        page.keyboard.press("Enter")
        expect(game.locator(".embed-status")).to_have_text("Red to move.")
        page.keyboard.press("ArrowLeft")
        expect(game.locator(".steps .count")).to_have_text(f"{len(GAME) - 2} / {len(GAME)}")
        expect(game.locator("#announcer")).to_contain_text("After move 5 of 7.")
        href = game.get_by_role("link", name="Open on fourcast").get_attribute("href") or ""
        assert "moves=4455667" in href
        assert "at=5" in href
        wide = frame_of(page, "wide")
        expect(page.locator("#wide >> iframe")).to_have_attribute("title", "Connect Four")
        expect(wide.locator(".board-column")).to_have_count(9)
        expect(wide.get_by_role("link")).to_have_count(0)
        expect(wide.locator(".steps")).to_have_count(0)
        expect(frame_of(page, "wrong").get_by_role("alert")).to_contain_text("'8' at place 2")
        # The frame is as high as the board in it.
        page.wait_for_function(
            "() => { const frame = document.querySelector('#wrong').shadowRoot.firstChild;"
            " return frame.offsetHeight < 100; }"
        )
        page.locator("#game").evaluate("(board) => board.setAttribute('moves', '44')")
        expect(game.locator(".layer-discs .disc")).to_have_count(2)
        SCREENSHOTS.mkdir(parents=True, exist_ok=True)
        page.screenshot(path=SCREENSHOTS / f"{picture}.png", full_page=True)


def test_boards_of_a_server_are_shown_on_another_site(page: Page, server: Server) -> None:
    look_at_boards(page, server.address, "embed-server")


@pytest.mark.slow
def test_boards_of_the_static_site_are_shown_on_another_site(page: Page, site: str) -> None:
    look_at_boards(page, site, "embed-site")


def test_no_other_page_can_be_framed(page: Page, server: Server) -> None:
    refusals: list[str] = []
    page.on("console", lambda message: refusals.append(message.text))
    with another_site("") as address:
        page.goto(f"{address}/{server.address}/board")
        page.wait_for_function("() => document.readyState === 'complete'")
        assert page.frame_locator("iframe").locator(".board").count() == 0
        assert any("frame-ancestors" in each for each in refusals), refusals


def test_the_embed_page_stays_within_a_narrow_window(page: Page, server: Server) -> None:
    page.set_viewport_size({"width": 320, "height": 600})
    page.goto(f"{server.address}/embed?moves={GAME}&controls=&theme=dark")
    expect(page.locator(".embed-status")).to_have_text("Red has won.")
    wide = page.evaluate("() => document.documentElement.scrollWidth")
    assert wide <= 320
    page.screenshot(path=Path(SCREENSHOTS) / "embed-phone.png")
