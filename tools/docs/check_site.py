"""Follow every link of the built site, and look for anything that comes from another host.

    python tools/docs/check_site.py build/site

Links to other hosts are listed by `--list`, not followed: the check needs no network.
"""

from __future__ import annotations

import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

# An element that loads what its attribute names; a link is followed by people only.
LOADS = {("img", "src"), ("script", "src"), ("iframe", "src"), ("source", "src"), ("video", "src")}
# Relations of <link> that load nothing.
SILENT = {"canonical", "next", "prev", "alternate", "edit"}


class Page(HTMLParser):
    """The addresses that a page names, and the names that it has for links to it."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.links: list[str] = []
        self.loads: list[str] = []
        self.names: set[str] = set()
        self.feed(path.read_text("utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note the addresses and the name of an element."""
        attributes = {name: value or "" for name, value in attrs}
        self.names |= {attributes[name] for name in ("id", "name") if name in attributes}
        for name, value in attributes.items():
            if (tag, name) in LOADS or (
                tag == "link" and name == "href" and not SILENT & set(attributes.get("rel", "").split())
            ):
                self.loads.append(value)
            elif tag == "a" and name == "href":
                self.links.append(value)


def problems(site: Path) -> list[str]:
    """Return a sentence for each link that leads nowhere, and for what another host would send."""
    pages = {path: Page(path) for path in sorted(site.rglob("*.html"))}
    found = []
    for path, page in pages.items():
        if path.name == "404.html":
            continue  # its addresses are those of the published site
        where = path.relative_to(site)
        foreign = [address for address in page.loads if urlsplit(address).netloc]
        found += [f"{where} loads {address} from another host" for address in foreign]
        for address in (*page.loads, *page.links):
            parts = urlsplit(address)
            if parts.scheme or parts.netloc:
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            if target.is_dir():
                target = target / "index.html"
            if not target.exists():
                found.append(f"{where} links to {address}: there is no such file")
            elif parts.query:
                continue  # a script draws what is there; the tests in a browser follow these links
            elif (
                parts.fragment and target in pages and unquote(parts.fragment) not in pages[target].names
            ):
                found.append(f"{where} links to {address}: there is no such place on that page")
    return found


def main(arguments: list[str]) -> int:
    """Print the problems of a site, or with --list the addresses outside of it."""
    site = Path(arguments[0]).resolve()
    if "--list" in arguments:
        links = {link for path in site.rglob("*.html") for link in Page(path).links}
        print("\n".join(sorted(link for link in links if urlsplit(link).netloc)))
        return 0
    found = problems(site)
    print("\n".join(found) or f"{len(list(site.rglob('*.html')))} pages, and every link leads somewhere")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
