"""GitHub's issues through its REST API: the few calls that the game needs, with retries.

This uses httpx rather than a generated client: eight calls do not need 50 MB of models. The tests check
what the calls send and receive against GitHub's published API description.
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from fourcast.community.issues import MARK, CloseReason, Issue, Reaction, is_trusted
from fourcast.errors import CommunityError, missing_extra

if TYPE_CHECKING:
    import httpx

__all__ = ["GitHub", "GitHubError", "UnreachableError"]

TIMEOUT_S = 20.0
ATTEMPTS = 6
PATIENCE_S = 300.0
"""Total seconds that one call may wait, for rate limits and between attempts."""

_PAGES = 10
_PER_PAGE = 100


class GitHubError(CommunityError):
    """GitHub refuses a call, and would refuse it again."""


class UnreachableError(CommunityError):
    """GitHub does not answer, or asks for a longer wait than `PATIENCE_S`."""


class GitHub:
    """The issues of one repository on GitHub; a `Hub`.

    A call that fails for a temporary reason (5xx, no connection, a timeout, a rate limit) is repeated,
    with growing pauses or when GitHub says so. Raises `UnreachableError` if that does not help, and
    `GitHubError` for a permanent failure. No message contains the token.
    """

    def __init__(
        self,
        repository: str,
        token: str,
        *,
        api: str = "https://api.github.com",
        sleep: Callable[[float], None] = time.sleep,
        patience_s: float = PATIENCE_S,
        timeout_s: float = TIMEOUT_S,
    ) -> None:
        if not re.fullmatch(r"[\w.-]+/[\w.-]+", repository, re.ASCII):
            raise CommunityError(f"{repository!r} is not OWNER/NAME")
        try:
            import httpx
        except ImportError:
            raise missing_extra("the community game needs httpx", "community") from None
        self._transport_error = httpx.TransportError
        self._issues = f"/repos/{repository}/issues"
        self._sleep = sleep
        self._patience_s = patience_s
        self._client = httpx.Client(
            base_url=api,
            headers={
                "Accept": "application/vnd.github+json",
                "Authorization": f"Bearer {token}",
                "User-Agent": "fourcast-community",
                "X-GitHub-Api-Version": "2022-11-28",
            },
            timeout=timeout_s,
            follow_redirects=True,  # a renamed repository redirects
        )

    def __enter__(self) -> GitHub:
        return self

    def __exit__(self, *_: object) -> None:
        self._client.close()

    # The calls

    def open_issues(self) -> list[Issue]:
        """Return the open issues, oldest first; only the newest thousand if there are more."""
        found: dict[int, Issue] = {}
        for page in range(1, _PAGES + 1):
            query = f"?state=open&sort=created&direction=desc&per_page={_PER_PAGE}&page={page}"
            items = self._call("GET", self._issues + query)
            for issue in map(Issue.parse, items):
                if issue:
                    found[issue.number] = issue
            if len(items) < _PER_PAGE:
                break
        return sorted(found.values(), key=lambda issue: issue.number)

    def issue(self, number: int) -> Issue | None:
        """Return an issue, or None if it was deleted or transferred."""
        content = self._call("GET", f"{self._issues}/{number}", missing=(404, 410))
        return Issue.parse(content) if content else None

    def is_answered(self, number: int) -> bool:
        """Whether the game has commented. A comment of somebody else with the mark does not count."""
        comments = self._call("GET", f"{self._issues}/{number}/comments?per_page={_PER_PAGE}")
        return any(
            str(comment.get("body", "")).startswith(MARK)
            and (
                (comment.get("user") or {}).get("type") == "Bot"
                or is_trusted(comment.get("author_association"))
            )
            for comment in comments
        )

    def react(self, number: int, reaction: Reaction) -> None:
        """Add a reaction to an issue; GitHub keeps one of each kind."""
        self._call("POST", f"{self._issues}/{number}/reactions", {"content": reaction})

    def label(self, number: int, label: str) -> None:
        """Put a label on an issue; GitHub creates the label if it is new."""
        self._call("POST", f"{self._issues}/{number}/labels", {"labels": [label]})

    def comment(self, number: int, text: str) -> None:
        """Write a comment, once: a failed call may have worked, so the next attempt looks first."""
        self._call(
            "POST",
            f"{self._issues}/{number}/comments",
            {"body": text},
            is_done=lambda: self.is_answered(number),
        )

    def close(self, number: int, reason: CloseReason) -> None:
        """Close an issue."""
        self._call("PATCH", f"{self._issues}/{number}", {"state": "closed", "state_reason": reason})

    # How they are sent

    def _call(
        self,
        method: str,
        path: str,
        content: Mapping[str, object] | None = None,
        *,
        missing: tuple[int, ...] = (),
        is_done: Callable[[], bool] | None = None,
    ) -> Any:
        """Make a call and return its JSON, or None for a status in *missing*.

        *is_done* is asked before a call is repeated: it may have worked although it failed.
        """
        waited_s = 0.0
        what = f"{method} {path.partition('?')[0]}"
        for attempt in range(1, ATTEMPTS + 1):
            if attempt > 1 and is_done and is_done():
                return None
            pause_s = 0.0
            try:
                response = self._client.request(method, path, json=content)
            except self._transport_error as error:
                reason = type(error).__name__  # its text may contain more than should be shown
            else:
                if response.is_success:
                    try:
                        return response.json()
                    except ValueError:
                        reason = "an answer that is not JSON"
                elif response.status_code in missing:
                    return None
                else:
                    reason = f"{response.status_code} {_message(response)}".rstrip()
                    if not _may_pass(response):
                        raise GitHubError(f"GitHub refuses {what}: {reason}")
                    pause_s = _asked_pause_s(response)
            pause_s = max(pause_s, min(2.0 ** (attempt - 1), 60.0))
            waited_s += pause_s
            if attempt == ATTEMPTS or waited_s > self._patience_s:
                break
            self._sleep(pause_s)
        raise UnreachableError(f"GitHub did not answer {what}: {reason}")


def _message(response: httpx.Response) -> str:
    try:
        content = response.json()
    except ValueError:
        return ""
    text = str(content.get("message", "")) if isinstance(content, dict) else ""
    return json.dumps(text[:200]) if text else ""


def _may_pass(response: httpx.Response) -> bool:
    """Whether the same call may work later: a server error, or a rate limit."""
    status = response.status_code
    if status >= 500 or status in (408, 429):
        return True
    if status != 403:
        return False
    headers = response.headers
    is_spent = headers.get("x-ratelimit-remaining") == "0"
    return is_spent or "retry-after" in headers or "rate limit" in _message(response).lower()


def _asked_pause_s(response: httpx.Response) -> float:
    """How long GitHub asks to wait, 0 if it does not say."""
    headers = response.headers
    try:
        if "retry-after" in headers:
            return max(0.0, float(headers["retry-after"]))
        if headers.get("x-ratelimit-remaining") == "0":
            return max(0.0, float(headers["x-ratelimit-reset"]) - time.time())
    except (KeyError, ValueError):
        return 60.0
    # GitHub's advice for a secondary limit that does not say how long.
    return 60.0 if response.status_code in (403, 429) else 0.0
