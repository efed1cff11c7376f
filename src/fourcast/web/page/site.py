"""The page as a static site: a folder of files that any web server can send, under any path.

There is no server behind it. The core in the page answers what the server would, games are kept in the
browser, and there are no live games.
"""

from __future__ import annotations

import hashlib
import json
import shutil
from pathlib import Path

from fourcast.errors import OptionError
from fourcast.web.page.bundled import STATIC, bundled_files, with_preloads
from fourcast.web.page.data import (
    BOOK_PLIES,
    MAP,
    book_bytes,
    data_files,
    page_data,
    text_bytes,
    with_answers,
)

__all__ = ["service_worker", "site_page", "write_site"]

PAGES = ("index.html", "embed.html")
MARK = ".fourcast-site"
"""A file of this name says that a folder holds a site, which may be replaced."""

# What the server sends as headers, as far as a page can say it itself.
POLICY = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; style-src 'self'; "
    "img-src 'self' data: blob:; connect-src 'self'; media-src 'self' data: blob:; manifest-src 'self'; "
    "base-uri 'none'; form-action 'none'"
)
_LANGUAGE = "en"
_SCRIPTS = ("theme.js", "embed.js")
"""What is no module, and so in no bundle."""
_CHARSET = '<meta charset="utf-8">'
_CHANGES = {
    _CHARSET: f'{_CHARSET}\n<meta http-equiv="content-security-policy" content="{POLICY}">',
    '"/static/': '"static/',
    'href="/"': 'href="./"',
    'href="/help#': 'href="./?page=help#',
    **{
        f'href="/{name}"': f'href="./?page={name}"'
        for name in ("board", "learn", "puzzles", "train", "explore", "games", "help")
    },
}


def site_page(name: str, *, has_more: bool = False) -> str:
    """Return a page of the site: all paths are relative, and it knows that it has no server.

    *has_more*: there is a second book.

    >>> any('src="/' in page or 'href="/' in page for page in map(site_page, PAGES))
    False
    """
    page = (STATIC / name).read_text("utf-8")
    if name == "index.html" and bundled_files():
        page = with_preloads(page)
    more = " data-book" if has_more else ""
    page = page.replace("<html ", f'<html data-home="site"{more} ', 1)
    for before, after in _CHANGES.items():
        page = page.replace(before, after)
    # What every page begins with; the texts of other languages are asked for.
    first = {"page.json": page_data(), f"text-{_LANGUAGE}": json.loads(text_bytes(_LANGUAGE))}
    return with_answers(page, first, _LANGUAGE)


def write_site(out: Path, *, book_plies: int = 10) -> int:
    """Write the site to the folder *out* and return the number of its bytes.

    The page loads a book of 8 plies at first, and one of *book_plies* when it has nothing else to do.
    A folder that holds a site is replaced. Raises `OptionError` if it holds anything else.
    """
    if out.exists() and not out.is_dir():
        raise OptionError(f"'{out}' is not a folder; name one to write the site to")
    if out.is_dir() and any(out.iterdir()) and not (out / MARK).is_file():
        raise OptionError(f"'{out}' is not empty and holds no fourcast site; name another folder")
    shutil.rmtree(out, ignore_errors=True)
    _copy_static(out / "static")
    data = out / "static" / "data"
    data.mkdir(exist_ok=True)
    for name, make in data_files().items():
        (data / name).write_bytes(make())
    if book_plies > BOOK_PLIES:
        (data / "book.book").write_bytes(book_bytes(book_plies))
    for name in PAGES:
        (out / name).write_text(site_page(name, has_more=book_plies > BOOK_PLIES), "utf-8")
    # A mistyped address gets the page, too, where the host sends 404.html for it.
    shutil.copy(out / "index.html", out / "404.html")
    (out / "sw.js").write_text(service_worker(out), "utf-8")
    (out / MARK).write_text("Written by `fourcast site`, which replaces this folder.\n", "utf-8")
    (out / ".nojekyll").touch()
    return sum(path.stat().st_size for path in out.rglob("*") if path.is_file())


def _copy_static(out: Path) -> None:
    """Copy the files of the page; the bundle, if there is one, in place of the modules."""
    bundled = bundled_files()
    left_out = shutil.ignore_patterns(*PAGES, "api.css", "sw.js", "*.d.ts")
    shutil.copytree(STATIC, out, ignore=left_out)
    if bundled:
        for path in (out / "js").rglob("*.js"):
            if path.name not in _SCRIPTS and path.parent.name != "core":  # which is a library of its own
                path.unlink()
    for name, path in bundled.items():
        shutil.copy(path, out / name)


def service_worker(out: Path) -> str:
    """Return the script that keeps the site for offline use, with its files and their version."""
    static = sorted(path for path in (out / "static").rglob("*") if path.is_file())
    # The service worker keeps the larger files when they have been asked for.
    pages = [out / name for name in PAGES]
    kept = [path for path in [*pages, *static] if path.name not in ("book.book", MAP)]
    digest = hashlib.sha256()
    for path in kept:
        digest.update(path.relative_to(out).as_posix().encode() + path.read_bytes())
    names = ["./", *(path.relative_to(out).as_posix() for path in kept[1:])]
    script = (STATIC / "sw.js").read_text("utf-8")
    head = (
        f"const VERSION = {json.dumps(digest.hexdigest()[:16])};\nconst FILES = {json.dumps(names)};\n"
    )
    return head + script
