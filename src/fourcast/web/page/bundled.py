"""The page's modules as they are sent: bundled by esbuild if that was done, and one by one if not.

The modules need no build: a browser that loads them one by one gets the same page. But each level of
imports costs a round trip, seconds on a slow line. So `make page-bundle` writes them to the folder
`bundled`, which wheels contain and git does not: what every visit needs, the other pages, the embedded
board and the worker. A bundle of other modules than those that are here is not used.
"""

from __future__ import annotations

import hashlib
from pathlib import Path

__all__ = ["BUNDLED", "SOURCES", "STATIC", "bundled_files", "sources_digest", "with_preloads"]

STATIC = Path(__file__).parent / "static"
BUNDLED = Path(__file__).parent / "bundled"
SOURCES = "sources.sha256"
"""The file of a bundle with the digest of what it was made of."""
_SHARED = "js/chunk.js"
"""What the first file of a page imports."""


def sources_digest() -> str:
    """Return a digest of all modules: another one makes a bundle outdated."""
    digest = hashlib.sha256()
    for path in sorted((STATIC / "js").rglob("*.js")):
        digest.update(path.name.encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()


def bundled_files() -> dict[str, Path]:
    """Return what is sent in place of the modules, by their names there; {} without a bundle."""
    made_of = BUNDLED / SOURCES
    if not made_of.is_file() or made_of.read_text("utf-8") != sources_digest():
        return {}
    return {path.relative_to(BUNDLED).as_posix(): path for path in sorted(BUNDLED.rglob("*.js"))}


def with_preloads(page: str) -> str:
    """Return a page that asks for all of its first files at once.

    >>> with_preloads('<script type="module" src="/static/js/main.js">').splitlines()[0]
    '<link rel="modulepreload" href="/static/js/chunk.js">'
    """
    script = '<script type="module"'
    return page.replace(script, f'<link rel="modulepreload" href="/static/{_SHARED}">\n{script}', 1)
