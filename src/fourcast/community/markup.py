"""Markdown: links, and text from elsewhere that must not become markup."""

from __future__ import annotations

import re
from dataclasses import dataclass
from urllib.parse import quote, urlencode

from fourcast.community.config import Config

__all__ = ["Site", "count", "markdown", "person", "project_links"]

_BODY = "Just press the button below. The title is your move."


@dataclass(frozen=True)
class Site:
    """Where the repository is, for links."""

    repository: str
    server: str = "https://github.com"

    @property
    def url(self) -> str:
        """The page of the repository."""
        return f"{self.server}/{quote(self.repository)}"

    def issue_link(self, title: str) -> str:
        """Return the link that opens an issue with this title, ready to be submitted."""
        return f"{self.url}/issues/new?{urlencode({'title': title, 'body': _BODY}, quote_via=quote)}"


def markdown(text: str) -> str:
    r"""Return *text* as Markdown that shows it and does nothing else: no markup, no HTML, no mention.

    >>> print(markdown("*@ada*"))
    \*&#64;ada\*
    """
    # A backslash before an @ does not keep GitHub from calling somebody, an entity does.
    line = " ".join("".join(character if character.isprintable() else " " for character in text).split())
    return re.sub(r"([!-/:-?\[-`{-~])", r"\\\1", line).replace("@", "&#64;")


def person(name: str, site: Site) -> str:
    """Return the name of a person with a link to their page, or that of a bot, which has none."""
    if name.startswith("bot "):
        return f"the bot ({markdown(name.removeprefix('bot '))})"
    if not re.fullmatch(r"[\w-]+", name, re.ASCII):
        return markdown(name)
    return f"[{markdown(name)}]({site.server}/{quote(name)})"


def project_links(config: Config, site: Site) -> list[str]:
    """Return the links to where people contribute, and to the source code if its address is set."""
    links = [f"[Contribute]({config.contribute or f'{site.url}/issues'})"]
    return [*links, f"[Source code]({config.sources})"] if config.sources else links


def count(number: int, noun: str) -> str:
    """Return a number with its noun, such as `1 move` or `2 moves`."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
