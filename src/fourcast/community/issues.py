"""Issues: what the game needs to know of one, and what it does to it, wherever issues are kept."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal, Protocol

from fourcast.community.times import parse_time

__all__ = ["MARK", "CloseReason", "Hub", "Issue", "Reaction", "is_trusted"]

MARK = "<!-- fourcast:reply -->"
"""Begins every comment of the game: a later run recognizes the comments of an earlier one by it."""

Reaction = Literal["eyes", "rocket", "confused"]
CloseReason = Literal["completed", "not_planned"]

_LOGIN = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,99}(?:\[bot\])?", re.ASCII)


def is_trusted(association: object) -> bool:
    """Whether GitHub's `author_association` is that of a maintainer."""
    return association in ("OWNER", "MEMBER", "COLLABORATOR")


@dataclass(frozen=True)
class Issue:
    """What the game needs to know of an issue; *created* is by GitHub's clock."""

    number: int
    title: str
    player: str
    association: str
    created: datetime
    is_open: bool = True
    comments: int = 0

    @property
    def is_by_owner(self) -> bool:
        """Whether its author is a maintainer."""
        return is_trusted(self.association)

    @classmethod
    def parse(cls, content: Mapping[str, Any]) -> Issue | None:
        """Return the issue of a JSON object of GitHub's; None if it is a pull request."""
        if content.get("pull_request"):
            return None
        login = (content.get("user") or {}).get("login") or ""
        return cls(
            number=int(content["number"]),
            title=str(content["title"]),
            player=login if _LOGIN.fullmatch(login) else "ghost",  # GitHub's name for deleted accounts
            association=str(content.get("author_association", "NONE")),
            created=parse_time(content["created_at"]),
            is_open=content["state"] == "open",
            comments=int(content.get("comments", 0)),
        )


class Hub(Protocol):
    """The issues of one repository. Every call may be repeated without a second effect."""

    def open_issues(self) -> list[Issue]:
        """Return the open issues, oldest first."""
        ...

    def issue(self, number: int) -> Issue | None:
        """Return an issue, or None if there is none of this number."""
        ...

    def is_answered(self, number: int) -> bool:
        """Whether the issue has a comment of the game."""
        ...

    def react(self, number: int, reaction: Reaction) -> None:
        """Add a reaction to an issue."""
        ...

    def label(self, number: int, label: str) -> None:
        """Put a label on an issue."""
        ...

    def comment(self, number: int, text: str) -> None:
        """Write *text*, which begins with `MARK`, unless the issue has a comment of the game."""
        ...

    def close(self, number: int, reason: CloseReason) -> None:
        """Close an issue."""
        ...
