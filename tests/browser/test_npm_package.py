"""The npm package in a browser, as a bundler-free site would use it: unpacked, with an import map."""

from __future__ import annotations

import subprocess
import sys
import tarfile
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.browser.conftest import WAIT_MS
from tests.browser.test_site import serve_folder

ROOT = Path(__file__).parents[2]
PAGE = """<!doctype html><title>A site</title>
<script type="importmap">{ "imports": { "fourcast-core": "./package/index.js" } }</script>
<script type="module">
import { CoreError, load, loadInWorker } from "fourcast-core";
const [core, worker] = await Promise.all([load(), loadInWorker()]);
const { score, best_columns: best } = await worker.analyze("4455");
const level = await worker.choose("112233", { player: "level-5", seed: 1 });
const { decisive } = await worker.review({ moves: "1213141", width: 4, height: 4 });
const refused = await core.position("48").catch((error) => [error instanceof CoreError, error.name]);
await worker.close();
window.seen = { score, best, level, decisive, refused };
</script>
"""


@pytest.mark.slow
def test_the_npm_package_works_in_a_page(browser: Browser, tmp_path: Path) -> None:
    command = [sys.executable, str(ROOT / "tools" / "npm" / "make_package.py"), str(tmp_path)]
    made = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True)
    with tarfile.open(made.stdout.strip()) as archive:
        archive.extractall(tmp_path, filter="data")
    (tmp_path / "index.html").write_text(PAGE, "utf-8")
    with serve_folder(tmp_path) as address:
        page = browser.new_page()
        page.goto(address)
        page.wait_for_function("() => window.seen", timeout=WAIT_MS)
        seen = page.evaluate("() => window.seen")
        page.close()
    wanted = {"score": 18, "best": [2, 5], "level": 3, "decisive": 6}
    assert seen == {**wanted, "refused": [True, "InvalidNotationError"]}
