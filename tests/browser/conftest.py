"""A real server and a real browser: every test plays as people would.

`server` is a `fourcast serve` of its own for the whole run, `people` makes a browser window for
somebody. When a test ends, its windows must have seen no error, no refusal by the content security
policy and no request to another machine.

With `FOURCAST_BROWSER_SLOW=6` in the environment, windows compute six times slower and wait some tenths
of a second for every request: what a test or the page does too early shows there, not by chance on a
busy machine.
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal
from urllib.parse import urlsplit

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, ConsoleMessage, Locator, Page, Request, expect, sync_playwright

from fourcast.web.page.site import write_site

NAMES = (
    "chromium-headless-shell",  # twice as fast as the others
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
)
ARGUMENTS = [
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
SCREENSHOTS = Path(__file__).parents[2] / "build" / "screenshots"
WAIT_MS = 30_000  # for what takes some milliseconds on a quiet machine
SLOW = float(os.environ.get("FOURCAST_BROWSER_SLOW", "1"))
SLOW_LATENCY_MS = 300

DESKTOP = (1280, 800)
PHONE = (360, 740)
PROJECTOR = (1920, 1080)

expect.set_options(timeout=WAIT_MS)

# Searches of a low priority starve beside browsers, and tests of that priority beside anything else.
SERVE = """
import os, sys
from fourcast.cli import main
from fourcast.web.server import pool

pool.NICE = os.nice(0)
main(sys.argv[1:])
"""


class Server:
    """`fourcast serve` on a port that stays the same when it is started again."""

    def __init__(self, folder: Path) -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self.address = f"http://127.0.0.1:{self.port}"
        self.folder = folder
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        environment = {
            **os.environ,
            "FOURCAST_GAMES_PER_MINUTE": "10000",
            "FOURCAST_GAME_BURST": "10000",
            "FOURCAST_REQUESTS_PER_S": "10000",
            "FOURCAST_REQUEST_BURST": "10000",
            "FOURCAST_MOVE_TIME_S": "0.2",
        }
        command = [sys.executable, "-c", SERVE, "serve"]
        command += ["--port", str(self.port), "--database", str(self.folder / "games.db")]
        with (self.folder / "server.log").open("ab") as log:
            self.process = subprocess.Popen(command, env=environment, stdout=log, stderr=log)
        deadline = time.monotonic() + 60
        while not self._answers():
            if self.process.poll() is not None or time.monotonic() > deadline:
                raise AssertionError((self.folder / "server.log").read_text()[-3000:])
            time.sleep(0.05)

    def stop(self, how: signal.Signals = signal.SIGTERM) -> None:
        if self.process is not None:
            self.process.send_signal(how)
            self.process.wait(30)
            self.process = None

    def _answers(self) -> bool:
        try:
            with urllib.request.urlopen(f"{self.address}/healthz", timeout=2) as answer:
                return bool(answer.status == 200)
        except OSError:
            return False


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    server = Server(tmp_path_factory.mktemp("server"))
    server.start()
    yield server
    server.stop()


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The static site, for all who only read it."""
    out = tmp_path_factory.mktemp("site") / "name"
    write_site(out, book_plies=8)
    return out


def browser_scope(fixture_name: str, config: pytest.Config) -> Literal["session", "module"]:  # noqa: ARG001
    """One browser for all, unless other tests run as well: its event loop would get in their way."""
    return "session" if all("tests/browser" in argument for argument in config.args) else "module"


@contextmanager
def chromium(*more: str) -> Iterator[Browser]:
    """A window of the machine's own Chromium, started with *more* arguments."""
    wanted = [os.environ.get("CHROMIUM", ""), *NAMES]
    path = next((found for name in wanted if name and (found := shutil.which(name))), None)
    if path is None:
        pytest.fail(
            f"there is no Chromium on PATH ({', '.join(NAMES)}): run tools/setup/test_programs.sh"
        )
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=[*ARGUMENTS, *more])
        yield browser
        browser.close()


@pytest.fixture(scope=browser_scope)
def browser() -> Iterator[Browser]:
    with chromium() as browser:
        yield browser


def slow_down(page: Page) -> None:
    """Let *page* compute slowly and wait for its requests, as on an old phone far away."""
    session = page.context.new_cdp_session(page)
    session.send("Emulation.setCPUThrottlingRate", {"rate": SLOW})
    line = {"downloadThroughput": -1, "uploadThroughput": -1, "latency": SLOW_LATENCY_MS}
    set_offline = page.context.set_offline

    def set_line(offline: bool) -> None:
        session.send("Network.emulateNetworkConditions", {**line, "offline": offline})
        set_offline(offline)

    session.send("Network.enable")
    set_line(False)
    page.context.set_offline = set_line  # type: ignore[method-assign]


class Person:
    """Somebody with a browser window, and what they do in it."""

    game_pattern = "**/game/*"
    """The address of any game."""

    def __init__(self, page: Page, address: str) -> None:
        if SLOW > 1:
            slow_down(page)
        self.page = page
        self.address = address
        self.problems: list[str] = []
        self.bytes = 0
        self.requests: list[str] = []
        self.may_lose_connection = False
        self.may_be_refused = False
        page.on("console", self._console)
        page.on("pageerror", lambda error: self.problems.append(f"error: {error}"))
        page.on("request", self._request)

    def _console(self, message: ConsoleMessage) -> None:
        text = message.text
        # Browsers note every failed request, whether or not the page has dealt with it.
        lost = re.search(r"net::ERR_|WebSocket connection|status of (409|502|503)", text)
        refused = re.search(r"status of 4\d\d|WebSocket connection", text)
        forgiven = (lost and self.may_lose_connection) or (refused and self.may_be_refused)
        if message.type in ("error", "warning") and not forgiven:
            self.problems.append(f"{message.type}: {text} ({message.location.get('url')})")

    def _request(self, request: Request) -> None:
        self.requests.append(request.url)
        parts = urlsplit(request.url)
        if parts.scheme not in ("data", "blob") and f"{parts.scheme}://{parts.netloc}" != self.address:
            self.problems.append(f"a request to another machine: {request.url}")

    # ---- Going somewhere -------------------------------------------------------------------------

    def visit(self, path: str = "/") -> None:
        self.page.goto(self.address + path if path.startswith("/") else path)

    def start(
        self,
        mode: Literal["computer", "here", "link"],
        *,
        name: str | None = None,
        friend: str | None = None,
        player: str | None = None,
        starts: str | None = None,
        size: str | None = None,
    ) -> None:
        """Fill in the form of the start page and start the game."""
        page = self.page
        self.visit("/")
        expect(page.locator("input[name=player][value=level-1]")).to_be_attached()
        page.locator(f"input[name=mode][value={mode}]").check()
        if name is not None:
            page.get_by_label("Your name").fill(name)
        if friend is not None:
            page.get_by_label("Name of your friend").fill(friend)
        if player is not None:
            choice = page.locator(f"input[name=player][value={player}]")
            if not choice.is_visible():
                page.get_by_text("Other players").click()
            choice.check()
        if starts is not None:
            page.locator(f"input[name=starts][value={starts}]").check()
        if size is not None:
            page.get_by_label("Board size").select_option(size)
        page.locator("form.new-game button[type=submit]").click()
        page.wait_for_url(self.game_pattern)
        expect(page.locator(".seat-name").first).to_be_visible()

    def begin(self, *, name: str = "", other: str = "here", moves: str = "", **options: Any) -> None:
        """Start a game of *name* and another without a look at the start page, with its own module."""
        seats = {"here": {"kind": "me"}, "link": {"kind": "friend"}}
        seat = seats.get(other, {"kind": "computer", "player": other})
        request = {"first": {"kind": "me", "name": name}, "second": seat, "moves": moves, **options}
        self.make_game(request)
        self.page.wait_for_url(self.game_pattern)
        expect(self.page.locator(".seat-name").first).to_be_visible()

    def make_game(self, request: dict[str, Any]) -> None:
        self.visit("/healthz")  # the lightest page there is
        # Nothing is returned: the page goes away while the game is made.
        self.page.evaluate(
            "(request) => {"
            " import('/static/js/game/new-game.js')"
            ".then(({ startBy }) => startBy(document.createElement('button'), request)); }",
            request,
        )

    # ---- Playing ---------------------------------------------------------------------------------

    @property
    def status(self) -> Locator:
        return self.page.locator("#status")

    @property
    def moves(self) -> Locator:
        return self.page.locator(".moves .move")

    @property
    def discs(self) -> Locator:
        return self.page.locator("#board .layer-discs .disc")

    def column(self, number: int) -> Locator:
        return self.page.locator(f".board-column[data-column='{number - 1}']")

    def click(self, *columns: int) -> None:
        """Click on columns, counted from 1, and see each disc arrive."""
        for number in columns:
            before = self.moves.count()
            self.column(number).click()
            expect(self.moves).not_to_have_count(before)

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    def do(self, name: str) -> None:
        """Press the button of that name."""
        self.page.get_by_role("button", name=name, exact=True).click()

    def sees_moves(self, text: str) -> None:
        """See that these moves, and no others, have been played."""
        expect(self.moves.locator(".move-column")).to_have_text(list(text))

    # ---- Looking ---------------------------------------------------------------------------------

    def screenshot(self, name: str, *, full_page: bool = False) -> None:
        SCREENSHOTS.mkdir(parents=True, exist_ok=True)
        # All that moves comes to its end, so that two runs make the same picture.
        self.page.screenshot(
            path=SCREENSHOTS / f"{name}.png", full_page=full_page, animations="disabled"
        )

    def copy(self, name: str) -> str:
        """Press the button *name*, and return what the clipboard holds then."""
        self.page.evaluate("() => navigator.clipboard.writeText('')")
        self.page.get_by_role("button", name=name).click()
        self.page.wait_for_function("() => navigator.clipboard.readText()", timeout=WAIT_MS)
        return str(self.page.evaluate("() => navigator.clipboard.readText()"))

    def has_no_sideways_scroll(self) -> None:
        wide = self.page.evaluate(
            "() => [document.documentElement.scrollWidth, document.documentElement.clientWidth]"
        )
        assert wide[0] <= wide[1], f"{wide[0]} px of page in {wide[1]} px of window"

    def meets_accessibility_rules(self) -> None:
        """Run all of axe-core's rules. Axe is given to the page past its policy, by the debugger."""
        found = Axe().run(self.page)
        assert len(found.response["passes"]) > 15
        assert found.violations_count == 0, found.generate_report()


class People:
    """Makes windows, each with its own storage, and checks them when the test is over."""

    def __init__(self, browser: Browser, address: str, kind: type[Person] = Person) -> None:
        self._browser = browser
        self._address = address
        self._kind = kind
        self._made: list[Person] = []

    def __call__(self, *, size: tuple[int, int] = DESKTOP, **options: Any) -> Person:
        context = self._browser.new_context(
            viewport={"width": size[0], "height": size[1]},
            **{"reduced_motion": "reduce", "service_workers": "block", **options},
        )
        context.set_default_timeout(WAIT_MS)
        person = self._kind(context.new_page(), self._address)
        self._made.append(person)
        return person

    def close(self) -> None:
        for person in self._made:
            person.page.context.close()
        problems = [problem for person in self._made for problem in person.problems]
        assert not problems, "\n".join(problems)


@pytest.fixture
def people(browser: Browser, server: Server) -> Iterator[People]:
    people = People(browser, server.address)
    yield people
    people.close()


@pytest.fixture
def person(people: People) -> Person:
    return people()
