"""The page's modules in few files: what is sent with a bundle and without, kept by browsers for good."""

from __future__ import annotations

import posixpath
import re
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from fourcast.web.page import bundled
from fourcast.web.page.bundled import BUNDLED, SOURCES, STATIC, bundled_files
from fourcast.web.page.site import write_site
from fourcast.web.routes import pages

IMPORT = re.compile(r"""(?:\bfrom|\bimport\(?)\s*"(\.[^"]+)\"""")


@pytest.fixture
def without_bundle(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(bundled, "BUNDLED", tmp_path)
    monkeypatch.setattr(pages, "_RELEASE", pages._Release())


def imported_by(name: str, text: str) -> list[str]:
    code = re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)  # where types are imported
    folder = posixpath.dirname(name)
    return [posixpath.normpath(posixpath.join(folder, path)) for path in IMPORT.findall(code)]


def modules_of(client: TestClient) -> list[str]:
    """All modules that the page may load, as the server sends them."""
    [main] = re.findall(r'src="(/static/[^"]+main\.js)"', client.get("/").text)
    found = [main, f"{posixpath.dirname(main)}/worker.js", f"{posixpath.dirname(main)}/embed-page.js"]
    for name in found:  # which grows
        answer = client.get(name)
        assert answer.status_code == 200, name
        found += [each for each in imported_by(name, answer.text) if each not in found]
    return found


def test_a_bundle_is_what_every_visit_needs_and_all_other_pages(client: TestClient) -> None:
    assert bundled_files(), "run: make page-bundle"
    names = {posixpath.basename(name) for name in modules_of(client)}
    assert names == {"main.js", "chunk.js", "pages.js", "embed-page.js", "worker.js"}
    for entry in ("embed-page.js", "worker.js"):
        assert not imported_by(entry, (BUNDLED / "js" / entry).read_text("utf-8"))
    preloaded = re.findall(r'rel="modulepreload" href="([^"]+)"', client.get("/").text)
    assert [posixpath.basename(name) for name in preloaded] == ["chunk.js"]


@pytest.mark.usefixtures("without_bundle")
def test_without_a_bundle_every_module_is_sent_by_itself(client: TestClient, tmp_path: Path) -> None:
    assert "modulepreload" not in client.get("/").text
    sent = {name.partition("/js/")[2] for name in modules_of(client)}
    assert {"board/board.js", "study/board-page.js", "local/routes.js"} <= sent
    write_site(tmp_path / "site", book_plies=8)
    folder = tmp_path / "site" / "static" / "js"
    written = {path.relative_to(folder).as_posix() for path in folder.rglob("*.js")}
    assert sent <= written


def test_a_bundle_of_other_modules_is_not_used(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "js").mkdir()
    (tmp_path / "js" / "main.js").touch()
    monkeypatch.setattr(bundled, "BUNDLED", tmp_path)
    (tmp_path / SOURCES).write_text("0" * 64)
    assert bundled_files() == {}
    (tmp_path / SOURCES).write_text(bundled.sources_digest())
    assert list(bundled_files()) == ["js/main.js"]


def test_only_modules_beside_the_bundle_ask_where_they_are() -> None:
    """In a bundle they lie elsewhere, and what they name relative to themselves would not be found."""
    asking = {
        path.parent for path in (STATIC / "js").rglob("*.js") if "import.meta" in path.read_text("utf-8")
    }
    assert asking == {STATIC / "js", STATIC / "js" / "core"}  # that one is told where its files are


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


def test_a_page_of_another_version_gets_its_own_files(
    client: TestClient, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Of a server before or after an upgrade, on the same database; five versions are kept."""

    def upgrade(number: int) -> str:
        """Begin to serve another version; return the address of its files."""
        (tmp_path / "js").mkdir(exist_ok=True)
        for name in ("main.js", "chunk.js"):
            (tmp_path / "js" / name).write_text(f"// {name} {number}\n" * 20)
        (tmp_path / SOURCES).write_text(bundled.sources_digest())
        monkeypatch.setattr(bundled, "BUNDLED", tmp_path)
        monkeypatch.setattr(pages, "_RELEASE", pages._Release())
        pages._OTHERS.clear()
        return str(re.findall(r'src="(/static/[^"]+)/js/main\.js"', client.get("/").text)[0])

    places = [upgrade(number) for number in range(3)]
    assert len(set(places)) == 3
    for number, place in enumerate(places):
        for _ in range(2):  # the second one is remembered
            answer = client.get(f"{place}/js/chunk.js")
            assert answer.text.startswith(f"// chunk.js {number}")
            assert "immutable" in answer.headers["cache-control"]
        plain = client.get(f"{place}/js/chunk.js", headers={"accept-encoding": "identity"})
        assert plain.text == answer.text
        for name in ("study.css", "js/theme.js", "data/text-study-en.json", "js/core/fourcast.wasm"):
            assert client.get(f"{place}/{name}").status_code == 200
        assert client.get(f"{place}/data/book-8.book").status_code == 200
        for name in ("js/game/state.js", "js/core/types.d.ts"):  # no page of a bundle asks for them
            expected = 200 if place == places[-1] else 404
            assert client.get(f"{place}/{name}").status_code == expected
    for number in range(3, 6):
        upgrade(number)
    found = [client.get(f"{place}/js/chunk.js").status_code for place in places]
    assert found == [404, 200, 200]


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
