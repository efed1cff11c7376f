"""GitHub's issues, through its REST API: the few calls that the game needs, and patience with them.

httpx rather than a generated client: eight calls need no 50 MB of models. What the calls send and get
is held against GitHub's published description in the tests.
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any, Literal, Protocol

from fourcast.community.reply import MARK
from fourcast.errors import CommunityError, MissingExtraError

if TYPE_CHECKING:
    import httpx

__all__ = ["GitHub", "GitHubError", "Hub", "Issue", "UnreachableError"]

Reaction = Literal["eyes", "rocket", "confused"]
CloseReason = Literal["completed", "not_planned"]

TIMEOUT_S = 20.0
ATTEMPTS = 6
PATIENCE_S = 300.0
"""Seconds that one call may wait in all, for limits and between attempts."""

_PAGES = 10
_PER_PAGE = 100
_TRUSTED = {"OWNER", "MEMBER", "COLLABORATOR"}
_LOGIN = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,99}(?:\[bot\])?", re.ASCII)


class GitHubError(CommunityError):
    """GitHub refuses a call, and would again."""


class UnreachableError(CommunityError):
    """GitHub does not answer, or asks to wait for longer than we may."""


@dataclass(frozen=True)
class Issue:
    """What the game needs to know of an issue."""

    number: int
    title: str
    player: str
    association: str
    created: datetime
    is_open: bool
    comments: int

    @classmethod
    def parse(cls, content: Mapping[str, Any]) -> Issue | None:
        """Return the issue of a JSON object; None if it is a pull request."""
        if content.get("pull_request"):
            return None
        login = (content.get("user") or {}).get("login") or ""
        return cls(
            number=int(content["number"]),
            title=str(content["title"]),
            player=login if _LOGIN.fullmatch(login) else "ghost",  # what GitHub calls the deleted ones
            association=str(content.get("author_association", "NONE")),
            created=datetime.fromisoformat(content["created_at"].replace("Z", "+00:00")),
            is_open=content["state"] == "open",
            comments=int(content.get("comments", 0)),
        )


class Hub(Protocol):
    """Issues, wherever they are. Every call may be repeated: nothing happens twice."""

    def open_issues(self) -> list[Issue]:
        """Return the open issues, oldest first."""
        ...

    def issue(self, number: int) -> Issue | None:
        """Return an issue, or None if it is not there."""
        ...

    def is_answered(self, number: int) -> bool:
        """Whether a comment of ours is there."""
        ...

    def react(self, number: int, reaction: Reaction) -> None:
        """Put a reaction to an issue."""
        ...

    def label(self, number: int, label: str) -> None:
        """Put a label on an issue."""
        ...

    def comment(self, number: int, text: str) -> None:
        """Write *text*, which begins with `MARK`, unless a comment of ours is there."""
        ...

    def close(self, number: int, reason: CloseReason) -> None:
        """Close an issue."""
        ...


class GitHub:
    """The issues of one repository on GitHub; a `Hub`.

    A call that fails for a reason that may pass is repeated, with growing pauses or when GitHub says so:
    5xx, no connection, no answer in time, rate limits. Raises `UnreachableError` if that does not help,
    and `GitHubError` for what will not pass. The token is in no message.
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
            raise MissingExtraError(
                "the community game needs httpx: pip install 'fourcast[community]'"
            ) from None
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
            follow_redirects=True,  # a renamed repository answers so
        )

    def __enter__(self) -> GitHub:
        return self

    def __exit__(self, *_: object) -> None:
        self._client.close()

    # The calls

    def open_issues(self) -> list[Issue]:
        """Return the open issues, oldest first; the newest thousand, if there are more."""
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
        """Return an issue, or None if it was deleted or moved away."""
        content = self._call("GET", f"{self._issues}/{number}", missing=(404, 410))
        return Issue.parse(content) if content else None

    def is_answered(self, number: int) -> bool:
        """Whether a comment of ours is there. Others may write the mark, too: they do not count."""
        comments = self._call("GET", f"{self._issues}/{number}/comments?per_page={_PER_PAGE}")
        return any(
            str(comment.get("body", "")).startswith(MARK)
            and (
                (comment.get("user") or {}).get("type") == "Bot"
                or comment.get("author_association") in _TRUSTED
            )
            for comment in comments
        )

    def react(self, number: int, reaction: Reaction) -> None:
        """Put a reaction to an issue; GitHub keeps one of a kind."""
        self._call("POST", f"{self._issues}/{number}/reactions", {"content": reaction})

    def label(self, number: int, label: str) -> None:
        """Put a label on an issue; GitHub makes it if it is new."""
        self._call("POST", f"{self._issues}/{number}/labels", {"labels": [label]})

    def comment(self, number: int, text: str) -> None:
        """Write a comment, once: after a failure it may be there all the same, so that we look first."""
        self._call(
            "POST",
            f"{self._issues}/{number}/comments",
            {"body": text},
            is_done=lambda: self.is_answered(number),
        )

    def close(self, number: int, reason: CloseReason) -> None:
        """Close an issue."""
        self._call("PATCH", f"{self._issues}/{number}", {"state": "closed", "state_reason": reason})

    # How they are made

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

        *is_done* is asked before a call is made again that may have worked although it failed.
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
                reason = type(error).__name__  # its text may have more in it than we want to show
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
        raise UnreachableError(f"GitHub does not do {what}: {reason}")


def _message(response: httpx.Response) -> str:
    try:
        content = response.json()
    except ValueError:
        return ""
    text = str(content.get("message", "")) if isinstance(content, dict) else ""
    return json.dumps(text[:200]) if text else ""


def _may_pass(response: httpx.Response) -> bool:
    """Whether the same call may work later: trouble at GitHub's, or one of its rate limits."""
    status = response.status_code
    if status >= 500 or status in (408, 429):
        return True
    if status != 403:
        return False
    headers = response.headers
    is_spent = headers.get("x-ratelimit-remaining") == "0"
    return is_spent or "retry-after" in headers or "rate limit" in _message(response).lower()


def _asked_pause_s(response: httpx.Response) -> float:
    """How long GitHub asks us to wait, 0 if it does not say."""
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
