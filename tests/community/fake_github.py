"""A server that behaves like GitHub's REST API for the calls of the community game.

It keeps GitHub's manners (one reaction of a kind, new labels are made, pages of 100), and holds whatever
it is asked and whatever it answers against GitHub's published description, in the form of the models of
githubkit. It fails on demand: before or after it has done what was asked.
"""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta, timezone
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

from githubkit_schemas.latest import models

TOKEN = "ghs_s3cret0fTheTests"
START = datetime(2026, 11, 15, 12, 0, 0, tzinfo=timezone.utc)


@dataclass
class Fault:
    """How a request fails: with a status, or without an answer if that is 0; having worked or not."""

    status: int
    headers: dict[str, str] = field(default_factory=dict)
    message: str = "trouble"
    has_worked: bool = False


@dataclass
class Thread:
    """An issue with all that belongs to it."""

    number: int
    title: str
    user: dict[str, Any]
    association: str
    created: str
    state: str = "open"
    state_reason: str | None = None
    is_pull_request: bool = False
    is_deleted: bool = False
    labels: list[str] = field(default_factory=list)
    reactions: list[tuple[str, str]] = field(default_factory=list)
    comments: list[dict[str, Any]] = field(default_factory=list)


class FakeGitHub:
    """The issues of one repository."""

    def __init__(self, repository: str = "ada/page") -> None:
        self.repository = repository
        self.threads: dict[int, Thread] = {}
        self.requests: list[str] = []
        self.problems: list[str] = []
        self.faults: dict[int, Fault] = {}  # by the number of the request, from 0
        self.after: Callable[[int], None] = lambda _: None  # called when a request is done
        self.lock = threading.Lock()
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        self.server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}"
        threading.Thread(target=self.server.serve_forever, args=(0.02,), daemon=True).start()

    def stop(self) -> None:
        self.server.shutdown()
        self.server.server_close()

    # What people do

    def open(
        self,
        title: str,
        login: str = "ada",
        *,
        association: str = "NONE",
        after_s: int | None = None,
        **more: Any,
    ) -> int:
        """Open an issue; *after_s* is when, an hour apart if not said."""
        number = max(self.threads, default=0) + 1
        created = START + timedelta(seconds=number * 3600 if after_s is None else after_s)
        self.threads[number] = Thread(number, title, user(login), association, stamp(created), **more)
        return number

    def comment(self, number: int, login: str, body: str, association: str = "NONE") -> None:
        """Have somebody write a comment."""
        thread = self.threads[number]
        thread.comments.append(self.comment_content(thread, user(login), body, association))

    def state(self) -> list[Any]:
        """All that there is, to be compared."""
        return [
            (thread.state, thread.state_reason, thread.labels, thread.reactions, thread.comments)
            for thread in self.threads.values()
        ]

    # What GitHub does

    def answer(self, method: str, path: str, query: dict[str, str], body: Any) -> tuple[int, Any]:
        prefix = f"/repos/{self.repository}/issues"
        if not path.startswith(prefix):
            return 404, error("Not Found")
        match = re.fullmatch(r"(?:/(\d+))?(?:/(comments|reactions|labels))?", path.removeprefix(prefix))
        if not match:
            return 404, error("Not Found")
        if match[1] is None:
            return 200, self.listed(query)
        thread = self.threads.get(int(match[1]))
        if thread is None:
            return 404, error("Not Found")
        if thread.is_deleted:
            return 410, error("This issue was deleted")
        call = getattr(self, f"{method.lower()}_{match[2] or 'issue'}", None)
        if call is None:
            return 404, error("Not Found")
        result: tuple[int, Any] = call(thread, body)
        return result

    def listed(self, query: dict[str, str]) -> list[Any]:
        threads = [thread for thread in self.threads.values() if thread.state == query["state"]]
        threads = [thread for thread in threads if not thread.is_deleted]
        threads.sort(key=lambda thread: thread.number, reverse=query["direction"] == "desc")
        size, page = int(query["per_page"]), int(query.get("page", "1"))
        assert size <= 100
        return [self.issue_content(thread) for thread in threads[(page - 1) * size : page * size]]

    def get_issue(self, thread: Thread, _: Any) -> tuple[int, Any]:
        return 200, self.issue_content(thread)

    def patch_issue(self, thread: Thread, body: Any) -> tuple[int, Any]:
        self.check_request(models.ReposOwnerRepoIssuesIssueNumberPatchBody, body)
        thread.state = body["state"]
        thread.state_reason = body["state_reason"]
        return 200, self.issue_content(thread)

    def get_comments(self, thread: Thread, _: Any) -> tuple[int, Any]:
        for comment in thread.comments:
            self.check(models.IssueComment, comment)
        return 200, thread.comments

    def post_comments(self, thread: Thread, body: Any) -> tuple[int, Any]:
        self.check_request(models.ReposOwnerRepoIssuesIssueNumberCommentsPostBody, body)
        if len(body["body"]) > 65_536:
            return 422, error("Validation Failed")
        bot = user("github-actions[bot]", 41898282, "Bot")
        comment = self.comment_content(thread, bot, body["body"], "NONE")
        thread.comments.append(comment)
        self.check(models.IssueComment, comment)
        return 201, comment

    def post_reactions(self, thread: Thread, body: Any) -> tuple[int, Any]:
        self.check_request(models.ReposOwnerRepoIssuesIssueNumberReactionsPostBody, body)
        bot = user("github-actions[bot]", 41898282, "Bot")
        reaction = (bot["login"], body["content"])
        is_new = reaction not in thread.reactions
        if is_new:
            thread.reactions.append(reaction)
        content = {
            "id": thread.reactions.index(reaction) + 1,
            "node_id": "RE_x",
            "user": bot,
            "content": body["content"],
            "created_at": stamp(START),
        }
        self.check(models.Reaction, content)
        return (201 if is_new else 200), content

    def post_labels(self, thread: Thread, body: Any) -> tuple[int, Any]:
        self.check_request(models.ReposOwnerRepoIssuesIssueNumberLabelsPostBodyOneof0, body)
        thread.labels += [label for label in body["labels"] if label not in thread.labels]
        labels = [
            {
                "id": number,
                "node_id": "LA_x",
                "url": f"{self.url}/repos/{self.repository}/labels/{label}",
                "name": label,
                "description": None,
                "color": "ededed",
                "default": False,
                "archived_at": None,
                "archived_by": None,
            }
            for number, label in enumerate(thread.labels, start=1)
        ]
        for label in labels:
            self.check(models.Label, label)
        return 200, labels

    # How things look

    def issue_content(self, thread: Thread) -> dict[str, Any]:
        url = f"{self.url}/repos/{self.repository}/issues/{thread.number}"
        content: dict[str, Any] = {
            "id": 10_000 + thread.number,
            "node_id": f"I_{thread.number}",
            "url": url,
            "repository_url": f"{self.url}/repos/{self.repository}",
            "labels_url": url + "/labels{/name}",
            "comments_url": url + "/comments",
            "events_url": url + "/events",
            "html_url": f"https://github.com/{self.repository}/issues/{thread.number}",
            "number": thread.number,
            "state": thread.state,
            "state_reason": thread.state_reason,
            "title": thread.title,
            "body": "",
            "user": thread.user,
            "labels": [{"name": label} for label in thread.labels],
            "assignees": [],
            "milestone": None,
            "locked": False,
            "active_lock_reason": None,
            "comments": len(thread.comments),
            "closed_at": stamp(START) if thread.state == "closed" else None,
            "created_at": thread.created,
            "updated_at": thread.created,
            "author_association": thread.association,
        }
        if thread.is_pull_request:
            content["pull_request"] = {
                "url": url, "html_url": url, "diff_url": url, "patch_url": url, "merged_at": None
            }  # fmt: skip
        self.check(models.Issue, content)
        return content

    def comment_content(
        self, thread: Thread, author: dict[str, Any], body: str, association: str
    ) -> dict[str, Any]:
        number = len(thread.comments) + 1
        url = f"{self.url}/repos/{self.repository}/issues"
        return {
            "id": number,
            "node_id": f"IC_{number}",
            "url": f"{url}/comments/{number}",
            "html_url": f"https://github.com/{self.repository}/issues/{thread.number}#issuecomment-{number}",
            "issue_url": f"{url}/{thread.number}",
            "body": body,
            "user": author,
            "created_at": stamp(START),
            "updated_at": stamp(START),
            "author_association": association,
        }

    # What GitHub's description says

    def check(self, model: Any, content: Any) -> None:
        try:
            model.model_validate(content)
        except ValueError as problem:
            self.problems.append(f"answer: {problem}")

    def check_request(self, model: Any, content: Any) -> None:
        try:
            model.model_validate(content)
            assert set(content) <= set(model.model_fields), f"{set(content)} for {model}"
        except (ValueError, AssertionError) as problem:
            self.problems.append(f"request: {problem}")


def user(login: str, number: int = 1, kind: str = "User") -> dict[str, Any]:
    url = f"https://api.github.com/users/{login}"
    lists = "followers following gists starred subscriptions organizations repos events received_events"
    return {
        "login": login,
        "id": number,
        "node_id": "U_x",
        "avatar_url": f"https://avatars.githubusercontent.com/u/{number}",
        "gravatar_id": "",
        "url": url,
        "html_url": f"https://github.com/{login}",
        **{f"{name}_url": f"{url}/{name}" for name in lists.split()},
        "type": kind,
        "site_admin": False,
    }


def error(message: str) -> dict[str, str]:
    content = {"message": message, "documentation_url": "https://docs.github.com/rest", "status": "0"}
    models.BasicError.model_validate(content)
    return content


def stamp(moment: datetime) -> str:
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ")


def _handler(github: FakeGitHub) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        wbufsize = -1  # one packet an answer

        def log_message(self, *_: object) -> None:
            pass

        def handle_one(self) -> None:
            length = int(self.headers.get("content-length", 0))
            body = json.loads(self.rfile.read(length)) if length else None
            url = urlsplit(self.path)
            query = {key: values[0] for key, values in parse_qs(url.query).items()}
            with github.lock:
                number = len(github.requests)
                github.requests.append(f"{self.command} {url.path}")
                fault = github.faults.get(number)
                headers: dict[str, str] = {}
                if self.headers.get("authorization") != f"Bearer {TOKEN}":
                    status, content = 401, error("Bad credentials")
                elif fault and not fault.has_worked:
                    status, content = fault.status, error(fault.message)
                else:
                    status, content = github.answer(self.command, url.path, query, body)
                github.after(number)
            if fault:
                status, headers = fault.status, fault.headers
                content = error(fault.message)
            if status == 0:
                self.close_connection = True
                return
            text = json.dumps(content).encode()
            self.send_response(status)
            for key, value in {**headers, "content-type": "application/json"}.items():
                self.send_header(key, value)
            self.send_header("content-length", str(len(text)))
            self.end_headers()
            self.wfile.write(text)

        do_GET = do_POST = do_PATCH = handle_one  # noqa: N815

    return Handler
