"""The static site: the same page without a server of its own, under a path, offline too."""

from __future__ import annotations

import gzip
import re
import shutil
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, ClassVar

import pytest
from playwright.sync_api import Browser, Page, expect

from fourcast import Game
from fourcast.web.page.bundled import bundled_files
from fourcast.web.page.site import service_worker, write_site
from tests.browser.conftest import DESKTOP, PHONE, WAIT_MS, Person
from tests.browser.test_train import TWO_MOVES, phase, wrong_column

# Red to move: one column draws. It is solved in a moment.
LATE = "444475273155"


MAX_FIRST_VISIT = 370_000  # bytes, with gzip


class Quiet(SimpleHTTPRequestHandler):
    asked: ClassVar[dict[str, set[str]]] = {}
    """The paths of all requests, by the address of the server."""

    def log_message(self, *_: Any) -> None:
        host, port = self.connection.getsockname()
        self.asked.setdefault(f"http://{host}:{port}", set()).add(self.path.partition("?")[0])


@contextmanager
def serve_folder(folder: Path) -> Iterator[str]:
    """Send the files of *folder* from the address that is returned: any web server will do."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


@pytest.fixture(scope="module")
def address(folder: Path) -> Iterator[str]:
    """And so will any path."""
    with serve_folder(folder.parent) as address:
        yield address


@contextmanager
def visitor(browser: Browser, address: str, **options: Any) -> Iterator[Person]:
    look = {"reduced_motion": "reduce", **options}
    size = look.pop("size", DESKTOP)
    context = browser.new_context(viewport={"width": size[0], "height": size[1]}, **look)
    context.set_default_timeout(WAIT_MS)
    person = Person(context.new_page(), address)
    yield person
    context.close()
    assert not person.problems, "\n".join(person.problems)
    assert all(url.startswith((f"{address}/name/", "blob:", "data:")) for url in person.requests)


def begin(person: Person, player: str) -> None:
    page = person.page
    page.locator(f"input[name=player][value={player}]").check()
    page.locator("form.new-game button[type=submit]").click()
    expect(page.locator(".seat-name").first).to_be_visible()


def test_the_site_plays_under_a_path_on_a_phone(browser: Browser, address: str) -> None:
    with visitor(browser, address, size=PHONE, has_touch=True) as person:
        person.visit("/name/")
        expect(person.page.locator("input[name=mode][value=link]")).to_have_count(0)
        begin(person, "level-3")
        person.column(4).click()
        expect(person.moves).to_have_count(2)
        person.page.reload()
        expect(person.moves).to_have_count(2)
        person.has_no_sideways_scroll()


def test_a_first_visit_loads_little_before_the_first_move(browser: Browser, folder: Path) -> None:
    assert bundled_files(), "run: make page-bundle"
    # A server that no service worker of another visitor asks.
    with (
        serve_folder(folder.parent) as address,
        visitor(browser, address, service_workers="block") as person,
    ):
        person.visit("/name/")
        expect(person.column(4)).to_have_attribute("aria-disabled", "false")
        asked = Quiet.asked[address]
        for _ in range(WAIT_MS // 50):  # the core comes after the form
            if any(each.endswith(".wasm") for each in asked):
                break
            person.page.wait_for_timeout(50)
        person.page.wait_for_load_state("networkidle")
        person.problems.clear()  # that the service worker, which loads all files, was not wanted
    files = [folder.parent / path.lstrip("/") for path in asked]
    sent = [each / "index.html" if each.is_dir() else each for each in files]
    sizes = {each.name: len(gzip.compress(each.read_bytes())) for each in sent if each.is_file()}
    assert any(each.endswith(".wasm") for each in asked)
    assert sum(sizes.values()) < MAX_FIRST_VISIT, sizes


@pytest.mark.slow
def test_everything_but_live_games_works_without_a_server(browser: Browser, address: str) -> None:
    with visitor(browser, address) as person:
        page = person.page
        person.visit(f"/name/?page=board&moves={LATE}&analysis=on")
        expect(page.locator(".study-verdict")).to_contain_text("Red draws")
        page.get_by_role("button", name="Why?", exact=True).first.click()
        expect(page.locator(".why-verdict").first).to_contain_text("Red, to move, draws")
        person.visit(f"/name/?page=board&moves={LATE}")
        page.get_by_role("button", name="Play from here").click()
        page.locator("#play-level").select_option("level-5")
        page.get_by_role("button", name="Start", exact=True).click()
        expect(person.status).to_contain_text("Your turn")
        person.column(1).click()
        expect(person.moves).to_have_count(len(LATE) + 2)
        person.do("Undo")
        expect(person.moves).to_have_count(len(LATE))
        person.do("Redo")
        expect(person.moves).to_have_count(len(LATE) + 2)
        person.do("Resign")
        page.locator("dialog button[value=resign]").click()
        expect(person.status).to_contain_text("You lose")
        person.do("Review the game")
        expect(page.locator(".review-accuracy").first).to_contain_text("accuracy")
        for kind in ("TXT", "JSON"):
            with page.expect_download() as download:
                page.locator(".share-file", has_text=kind).click()
            game = Game.load(download.value.path())
            assert len(game.columns) == len(LATE) + 2
            assert str(game.result) == "second wins, resignation"
        for kind, begins in (("SVG", b"<svg"), ("PNG", b"\x89PNG")):
            with page.expect_download() as download:
                page.locator(".share-file", has_text=kind).click()
            assert Path(download.value.path()).read_bytes().startswith(begins)
        person.do("Play again")
        expect(person.moves).to_have_count(len(LATE) + 1)  # the sides are exchanged: the computer begins
        expect(person.status).to_contain_text("Your turn")


def go_offline(page: Page) -> None:
    """Take the network away once the service worker serves the page."""
    page.evaluate("() => navigator.serviceWorker.ready.then(() => undefined)")
    page.reload()
    page.wait_for_function("() => navigator.serviceWorker.controller !== null")
    page.context.set_offline(True)


def test_puzzles_are_failed_and_solved_by_touch_without_a_network(
    browser: Browser, address: str
) -> None:
    with visitor(browser, address, size=PHONE, has_touch=True, is_mobile=True) as person:
        page = person.page
        person.visit("/name/?page=train")
        expect(page.locator(".train-figures")).to_be_visible()
        go_offline(page)
        puzzle = TWO_MOVES
        person.visit(f"/name/?page=puzzles&id={puzzle.id}")
        expect(page.locator(".puzzle-question")).to_have_text(puzzle.question())
        phase(page, "open")
        person.column(wrong_column(puzzle)).tap()
        phase(page, "failed")
        page.get_by_role("button", name="Try again").tap()
        for column in puzzle.solution[::2]:
            phase(page, "open")
            person.column(column + 1).tap()
            expect(page.locator(".puzzle-feedback")).to_have_attribute("data-tone", "right")
        phase(page, "solved")
        expect(page.locator(".lesson .why-verdict")).not_to_have_count(0)
        page.get_by_role("button", name="Next puzzle").tap()
        phase(page, "open")
        expect(page.locator(".puzzle-id")).not_to_have_text(puzzle.id)
        person.has_no_sideways_scroll()
        person.visit(f"/name/?page=explore&moves={LATE}")
        expect(page.locator(".explore-testing")).to_contain_text("Most testing")


@pytest.mark.slow
def test_after_one_visit_the_site_works_offline_and_takes_a_new_version(
    browser: Browser, folder: Path, tmp_path: Path
) -> None:
    mine = Path(shutil.copytree(folder, tmp_path / "name"))
    with serve_folder(tmp_path) as address, visitor(browser, address) as person:
        page = person.page
        person.visit("/name/")
        expect(page.locator("input[name=player][value=level-1]")).to_be_attached()
        go_offline(page)
        person.visit(f"/name/?page=board&moves={LATE}&analysis=on")
        expect(page.locator(".study-verdict")).to_contain_text("Red draws")
        person.visit("/name/")
        begin(person, "level-4")
        person.column(4).click()
        expect(person.moves).to_have_count(2)
        person.do("Resign")
        page.locator("dialog button[value=resign]").click()
        person.do("Review the game")
        expect(page.locator(".review-accuracy").first).to_contain_text("accuracy")
        game = page.url
        for path in ("bord", "a/page/further/down"):
            person.visit(f"/name/{path}")
            expect(page.get_by_role("heading", name="There is no such page.")).to_be_visible()
        page.get_by_role("link", name="To the start page").click()
        expect(page.get_by_role("heading", name="Connect Four")).to_be_visible()
        page.goto(game)
        expect(person.moves).to_have_count(2)
        page.context.set_offline(False)
        [before] = page.evaluate("() => caches.keys()")
        publish_another_version(mine)
        page.evaluate("() => navigator.serviceWorker.getRegistration().then((each) => each.update())")
        expect(page.locator(".update")).to_contain_text("There is a new version")
        nav = page.locator(".site-nav a[data-page=board]")
        expect(nav).to_have_text("Board")  # nothing of the new version is mixed into the old one
        person.do("Use it")
        expect(nav).to_have_text("Newer board")
        page.wait_for_function(
            "(before) => caches.keys().then((keys) => keys.length === 1 && keys[0] !== before)",
            arg=before,
        )
        expect(person.moves).to_have_count(2)
        page.context.set_offline(True)
        page.reload()
        expect(nav).to_have_text("Newer board")
        expect(person.moves).to_have_count(2)


def publish_another_version(folder: Path) -> None:
    """Write the site again with another text in it."""
    write_site(folder, book_plies=8)
    page = folder / "index.html"
    page.write_text(page.read_text("utf-8").replace('"nav.board":"Board"', '"nav.board":"Newer board"'))
    (folder / "sw.js").write_text(service_worker(folder), "utf-8")


@pytest.mark.slow
def test_my_games_are_kept_by_the_static_site(browser: Browser, address: str, tmp_path: Path) -> None:
    file = tmp_path / "games.json"
    with visitor(browser, address) as person:
        person.visit("/name/")
        begin(person, "level-1")
        person.column(4).click()
        expect(person.moves).to_have_count(2)
        person.do("Resign")
        person.page.locator("dialog button[value=resign]").click()
        expect(person.status).to_contain_text("You lose")
        person.visit("/name/?page=games")
        expect(person.page.locator(".game-item")).to_contain_text("Lost")
        with person.page.expect_download() as download:
            person.do("Save as a file")
        download.value.save_as(file)
    with visitor(browser, address) as person:
        person.visit("/name/?page=games")
        person.page.locator("#games-file").set_input_files(file)
        expect(person.page.locator(".game-item")).to_have_count(1)
        person.page.get_by_role("link", name=re.compile("^Review: ")).click()
        expect(person.page.locator(".review-text")).to_be_visible()
        expect(person.moves).to_have_count(2)
