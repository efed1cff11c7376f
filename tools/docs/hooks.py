"""What MkDocs does besides: reads Markdown as GitHub does, and shows files from outside docs/.

The pages are written for GitHub first. Python-Markdown, which MkDocs uses, wants an empty line before a
list or a table and four spaces within a list, and knows no file outside docs/.
"""

from __future__ import annotations

import posixpath
import re
from pathlib import Path
from typing import TYPE_CHECKING

from mkdocs.structure.files import File

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files
    from mkdocs.structure.pages import Page

ROOT = Path(__file__).resolve().parent.parent.parent

# Files of the repository that are pages of the site, too.
ROOT_PAGES = {
    "CHANGELOG.md": "changelog.md",
    "CODE_OF_CONDUCT.md": "code-of-conduct.md",
    "CONTRIBUTING.md": "contributing.md",
    "README.md": "index.md",  # links to it lead home
    "SECURITY.md": "security.md",
}

# Where the site has pictures from outside docs/.
PICTURES = "images/from"

_LINK = re.compile(r"(\]\()(?!https?:|mailto:|#)([^)\s#]*)(#[^)\s]*)?(?=\))")
_PICTURE = re.compile(r'(<img [^>]*src=")(?!https?:)([^"]+)()(?=")')
_ITEM = re.compile(r"( *)([-*+]|\d+\.) +")


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """List pages that have no place in the menu below "More", so that none is lost."""
    docs = Path(config.docs_dir)
    placed = set(_pages(config.nav))
    missing = [
        name
        for path in sorted(docs.rglob("*.md"))
        if (name := path.relative_to(docs).as_posix()) not in placed
    ]
    if missing and config.nav:
        config.nav.append({"More": missing})
    return config


def _pages(menu: object) -> Iterator[str]:
    """Yield the files that a menu names."""
    if isinstance(menu, str):
        yield menu
    elif isinstance(menu, dict):
        for entry in menu.values():
            yield from _pages(entry)
    elif isinstance(menu, list):
        for entry in menu:
            yield from _pages(entry)


def on_files(files: Files, *, config: MkDocsConfig) -> Files:
    """Add the pages and the pictures from outside docs/."""
    for file in list(files.documentation_pages()):
        for match in _PICTURE.finditer(file.content_string):
            path = posixpath.normpath(posixpath.join("docs", posixpath.dirname(file.src_uri), match[2]))
            name = f"{PICTURES}/{path}"
            if not path.startswith("docs/") and name not in files.src_uris:
                files.append(File.generated(config, name, abs_src_path=str(ROOT / path)))
    for source, target in ROOT_PAGES.items():
        if target != "index.md":
            files.append(File.generated(config, target, abs_src_path=str(ROOT / source)))
    return files


def on_page_markdown(markdown: str, *, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Point links to where they lead on the site, and write Markdown as Python-Markdown reads it."""
    del files
    if page.is_homepage:
        page.meta["hide"] = ["navigation"]  # it would name this page alone
    targets = {target: source for source, target in ROOT_PAGES.items() if target != "index.md"}
    path = targets.get(page.file.src_uri, f"docs/{page.file.src_uri}")
    return as_python_markdown(site_links(markdown, path, f"{config.extra['repository']}/blob/main"))


def site_links(markdown: str, path: str, repository: str) -> str:
    """Return a page of the repository with its links as they are on the site.

    >>> site_links("[a](../CONTRIBUTING.md#x) [b](../src/fourcast/game.py)", "docs/web.md", "https://r")
    '[a](contributing.md#x) [b](https://r/src/fourcast/game.py)'
    >>> site_links("[a](docs/web.md)", "CONTRIBUTING.md", "https://r")
    '[a](web.md)'
    """
    here = posixpath.dirname(path.removeprefix("docs/"))

    def target(match: re.Match[str]) -> str:
        address, anchor = match[2], match[3] or ""
        if not address:
            return match[0]
        full = posixpath.normpath(posixpath.join(posixpath.dirname(path), address))
        if full in ROOT_PAGES:
            full = f"docs/{ROOT_PAGES[full]}"
        if full.startswith("docs/"):
            address = posixpath.relpath(full.removeprefix("docs/"), here or ".")
        elif match[1].startswith("<img"):
            address = posixpath.relpath(f"{PICTURES}/{full}", here or ".")
        elif (ROOT / full).exists():
            address = f"{repository}/{full}"
        return f"{match[1]}{address}{anchor}"

    return _outside_code(markdown, lambda text: _PICTURE.sub(target, _LINK.sub(target, text)))


def as_python_markdown(markdown: str) -> str:
    r"""Return Markdown of GitHub as Python-Markdown reads it.

    >>> print(as_python_markdown("Some text:\n- one\n  goes on\n  - two\n\nText\n| a |\n|-|"))
    Some text:
    <BLANKLINE>
    - one
        goes on
        - two
    <BLANKLINE>
    Text
    <BLANKLINE>
    | a |
    |-|
    """
    lines: list[str] = []
    fence = ""
    items: list[int] = []  # where the text of each open item begins
    for line in markdown.splitlines():
        indent = len(line) - len(line.lstrip(" "))
        above = lines[-1].strip() if lines else ""
        begins = None if fence else _ITEM.match(line)
        block = begins or (not fence and line.lstrip().startswith(("|", "#", "```")))
        # What stands further left ends an item, but for a line that goes on with its paragraph.
        while items and line.strip() and not fence and indent < items[-1] and (block or not above):
            items.pop()
        if above and not items and begins and not _ITEM.match(above):
            lines.append("")
        if above and not fence and line.lstrip().startswith("|") and not above.startswith("|"):
            lines.append("")
        text = (
            line[items[-1] :] if items and indent >= items[-1] else line.lstrip(" ") if items else line
        )
        lines.append("    " * len(items) + text if text.strip() else "")
        if begins:
            items.append(begins.end())
        if fence:
            fence = "" if line.strip() == fence else fence
        elif mark := re.match(r" *(`{3,})", line):
            fence = mark[1]
    return "\n".join(lines)


def _outside_code(markdown: str, change: Callable[[str], str]) -> str:
    """Apply *change* to what is not a block of code."""
    parts = re.split(r"(^ *```.*?^ *```$)", markdown, flags=re.MULTILINE | re.DOTALL)
    return "".join(part if at % 2 else change(part) for at, part in enumerate(parts))
