"""What a visit of the page costs: bytes, requests, times, on a fast and on a slow line, and memory.

python benchmarks/page.py [--analyses N]

A Chromium without a window visits `fourcast serve`, then the static site as a server that compresses
would send it. The slow line is that of Chromium's own emulation: 1 s for each round trip, 50 KB/s.
"Usable" is when the form to start a game can be sent. LCP (largest contentful paint) and CLS (cumulative
layout shift) are what the browser itself reports. Memory is what the page holds after a number of
analyses of different positions: its heap, and all of its process, in which the core's worker runs, too.
"""

from __future__ import annotations

import argparse
import gzip
import random
import re
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Page
from positions import random_moves

from fourcast.web.page.site import write_site
from tests.browser.conftest import chromium

SLOW = {"offline": False, "latency": 1000, "downloadThroughput": 50_000, "uploadThroughput": 50_000}
USABLE = "form.new-game button[type=submit]"
WATCH = """
window.measured = { lcp: 0, cls: 0 };
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) measured.lcp = entry.startTime;
}).observe({ type: "largest-contentful-paint", buffered: true });
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) if (!entry.hadRecentInput) measured.cls += entry.value;
}).observe({ type: "layout-shift", buffered: true });
"""


class Zipping(SimpleHTTPRequestHandler):
    """Sends files as GitHub Pages does: texts compressed."""

    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        """Send a file."""
        path = Path(self.translate_path(self.path))
        if path.is_dir():
            path /= "index.html"
        if not path.is_file():
            self.send_error(404)
            return
        content = path.read_bytes()
        self.send_response(200)
        self.send_header("content-type", self.guess_type(str(path)))
        if path.suffix not in (".png", ".book"):
            content = gzip.compress(content)
            self.send_header("content-encoding", "gzip")
        self.send_header("content-length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_: Any) -> None:
        """Say nothing."""


@contextmanager
def static_site() -> Iterator[str]:
    with tempfile.TemporaryDirectory() as folder:
        write_site(Path(folder) / "name")
        server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Zipping, directory=folder))
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/name/"
        server.shutdown()
        server.server_close()


@contextmanager
def served() -> Iterator[str]:
    address = "http://127.0.0.1:8765"
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "fourcast", "serve", "--port", "8765"]
        command += ["--database", str(Path(folder) / "games.db")]
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            for _ in range(300):
                try:
                    urllib.request.urlopen(f"{address}/healthz", timeout=1).close()
                    break
                except OSError:
                    time.sleep(0.1)
            yield f"{address}/"
        finally:
            process.terminate()
            process.wait()


class Visit:
    """One window, with what it loads."""

    def __init__(self, context: BrowserContext, *, slow: bool) -> None:
        self.page: Page = context.new_page()
        self.page.set_default_timeout(120_000)
        self.page.add_init_script(WATCH)
        self._session = context.new_cdp_session(self.page)
        self._session.send("Network.enable")
        if slow:
            self._session.send("Network.emulateNetworkConditions", SLOW)
        self.requests = 0
        self.bytes = 0
        self._session.on("Network.loadingFinished", self._finished)

    def _finished(self, event: dict[str, Any]) -> None:
        size = int(event["encodedDataLength"])
        self.requests += size > 0
        self.bytes += size

    def open(self, address: str) -> float:
        """Visit the start page; return after how many seconds it is usable."""
        start = time.monotonic()
        self.page.goto(address, wait_until="commit")
        self.page.locator(USABLE).wait_for()
        self.page.locator("input[name=player][value=level-3]:checked").wait_for(state="attached")
        return time.monotonic() - start

    def settle(self) -> dict[str, float]:
        """Return what the browser has measured, when nothing is loaded any more."""
        self.page.wait_for_load_state("networkidle")
        self.page.wait_for_timeout(500)
        measured: dict[str, float] = self.page.evaluate("() => measured")
        return measured


def measure(browser: Browser, name: str, address: str) -> None:
    for line in ("fast", "slow"):
        context = browser.new_context()
        for visit in ("first", "second"):
            window = Visit(context, slow=line == "slow")
            usable_s = window.open(address)
            seen = window.settle()
            print(
                f"{name:7} {line} line, {visit:6} visit: usable {usable_s:5.2f} s,"
                f" LCP {seen['lcp'] / 1000:5.2f} s, CLS {seen['cls']:.3f},"
                f" {window.requests:3} requests, {window.bytes / 1000:6.1f} KB",
                flush=True,
            )
            if line == "fast" and visit == "first":
                before = window.bytes
                window.page.locator(USABLE).click()
                window.page.locator(".seat-name").first.wait_for()
                window.page.locator(".board-column[aria-disabled=false]").first.click()
                window.page.locator(".moves .move").nth(1).wait_for()
                window.page.wait_for_load_state("networkidle")
                more = (window.bytes - before) / 1000
                print(f"{name:7} ... and up to the answer to the first move {more:.1f} KB more")
            window.page.close()
        context.close()


def memory(browser: Browser, name: str, address: str, analyses: int) -> None:
    """Analyze one position after the other on the free board, and see what is held then."""
    seed = random.SystemRandom().randrange(10**6)
    chance = random.Random(seed)
    context = browser.new_context()
    page = context.new_page()
    page.set_default_timeout(120_000)
    session = context.new_cdp_session(page)
    path = "?page=board&" if name == "site" else "board?"
    page.goto(f"{address}{path}analysis=on&moves={random_moves(chance, 20, 30)}")
    page.locator(".study-verdict").wait_for()
    held = []
    for number in range(analyses):
        moves = random_moves(chance, 20, 30)
        page.locator("#study-moves").fill(moves)
        page.keyboard.press("Enter")
        page.wait_for_function(
            "(moves) => location.search.includes(`moves=${moves}`)"
            " && document.querySelectorAll('.study-line').length > 0",
            arg=moves,
        )
        if number in (9, analyses - 1):
            page.evaluate("() => globalThis.gc?.()")
            usage = session.send("Runtime.getHeapUsage")
            held.append((int(usage["usedSize"]) / 1e6, renderer_mb(browser)))
    for what, before, after in zip(("heap", "process"), held[0], held[-1], strict=True):
        print(
            f"{name:7} page's {what} after 10 analyses {before:.1f} MB, after {analyses} {after:.1f} MB"
        )
    context.close()


def renderer_mb(browser: Browser) -> float:
    """Return the memory of the largest process that draws a page."""
    session = browser.new_browser_cdp_session()
    processes = session.send("SystemInfo.getProcessInfo")["processInfo"]
    session.detach()
    pages = [each["id"] for each in processes if each["type"] == "renderer"]
    found = [re.search(r"^Pss:\s+(\d+)", _rollup(page), re.MULTILINE) for page in pages]
    return max(int(match[1]) for match in found if match) / 1000


def _rollup(process: int) -> str:
    return Path(f"/proc/{process}/smaps_rollup").read_text()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--analyses", type=int, default=200)
    options = parser.parse_args()
    with chromium("--js-flags=--expose-gc") as browser:
        for name, home in (("server", served), ("site", static_site)):
            with home() as address:
                measure(browser, name, address)
                memory(browser, name, address, options.analyses)


if __name__ == "__main__":
    main()
