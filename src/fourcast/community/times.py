"""Times as GitHub and the ledger write them: UTC, to the second."""

from __future__ import annotations

import re
from datetime import datetime, timezone

from fourcast.errors import CommunityError
from fourcast.notation import quote

__all__ = ["format_time", "parse_time"]


def parse_time(text: str) -> datetime:
    """Return the moment of a text such as `2026-11-15T21:00:00Z`.

    >>> parse_time("2026-11-15T21:00:00Z")
    datetime.datetime(2026, 11, 15, 21, 0, tzinfo=datetime.timezone.utc)
    """
    try:
        if re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", text, re.ASCII):
            return datetime.fromisoformat(text[:-1]).replace(tzinfo=timezone.utc)
    except ValueError:
        pass  # the 31st of February
    raise CommunityError(f"{quote(text)} is not a time such as 2026-11-15T21:00:00Z")


def format_time(moment: datetime) -> str:
    """Return what `parse_time` reads."""
    return moment.astimezone(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
