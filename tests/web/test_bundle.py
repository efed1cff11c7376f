"""The page's modules in one file: understood or refused, each one once, kept by browsers for good."""

from __future__ import annotations

import re
from posixpath import normpath

import pytest
from fastapi.testclient import TestClient

from fourcast.web.page.bundle import BUNDLE, BundleError, bundle_modules, is_module
from fourcast.web.page.site import STATIC


def modules() -> dict[str, str]:
    paths = {path.relative_to(STATIC).as_posix(): path for path in STATIC.rglob("*.js")}
    return {name: path.read_text("utf-8") for name, path in paths.items() if is_module(name)}


def test_no_page_loads_a_module_twice() -> None:
    """What is in the bundle is imported from there; only workers, other threads, have copies."""
    sent = bundle_modules(modules())
    bundled = set(re.findall(r"^// (js/\S+)$", sent[BUNDLE], re.MULTILINE))
    assert {"js/board/board.js", "js/elements/dom.js", "js/shell/start-page.js"} <= bundled
    for name, text in sent.items():
        if name in bundled or name.startswith(("js/local/", "js/core/")):
            continue
        imported = re.findall(r'(?:from |import\()"([^"]+)"', text)
        folder = name.rpartition("/")[0]
        assert not bundled & {normpath(f"{folder}/{path}") for path in imported}, name


@pytest.mark.parametrize(
    "line", ["export let a = 1;", "export default 1;", 'export * from "./b.js";', 'import "./b.js";']
)
def test_a_form_that_is_not_understood_is_refused(line: str) -> None:
    files = {"js/main.js": 'import { a } from "./a.js";\n', "js/a.js": f"{line}\n"}
    with pytest.raises(BundleError, match=re.escape(line)):
        bundle_modules(files)


def test_modules_in_a_circle_and_missing_ones_are_refused() -> None:
    circle = {
        "js/main.js": 'import { a } from "./a.js";\n',
        "js/a.js": 'import { b } from "./b.js";\nexport const a = b;\n',
        "js/b.js": 'import { a } from "./a.js";\nexport const b = a;\n',
    }
    with pytest.raises(BundleError, match=r"js/a\.js imports itself by way of js/b\.js"):
        bundle_modules(circle)
    with pytest.raises(BundleError, match=r"no module js/none\.js, which js/main\.js imports"):
        bundle_modules({"js/main.js": 'import { a } from "./none.js";\n'})


def test_a_page_names_files_that_never_change_and_brings_its_first_answers(client: TestClient) -> None:
    page = client.get("/")
    assert page.headers["cache-control"] == "no-cache"
    assert "/api/players" in page.text
    files = re.findall(r'(?:src|href)="(/static/[^"]+)"', page.text)
    assert len(files) > 5
    for file in files:
        assert re.match(r"/static/v-[0-9a-f]{16}/", file)
        answer = client.get(file)
        assert answer.status_code == 200
        assert "immutable" in answer.headers["cache-control"]
    assert client.get(files[0].replace("/v-", "/v-0")).status_code == 404
    assert client.get(page.url, headers={"if-none-match": page.headers["etag"]}).status_code == 304


def test_only_the_embedded_board_may_be_framed(client: TestClient) -> None:
    for path in ("/", "/board", "/nowhere", "/api/docs"):
        headers = client.get(path, headers={"accept": "text/html"}).headers
        assert "frame-ancestors 'none'" in headers["content-security-policy"]
        assert headers["x-frame-options"] == "DENY"
    for path in ("/embed?moves=44", "/embed.html"):
        headers = client.get(path).headers
        assert "frame-ancestors *" in headers["content-security-policy"]
        assert "x-frame-options" not in headers
    script = client.get("/static/js/embed.js").headers
    assert script["cross-origin-resource-policy"] == "cross-origin"
