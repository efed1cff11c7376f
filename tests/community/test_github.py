"""The client's patience, and what it never says."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Iterator

import pytest
from githubkit_schemas.latest import models

from fourcast.community.github import ATTEMPTS, GitHub, GitHubError, UnreachableError
from fourcast.community.issues import MARK, Issue
from fourcast.errors import CommunityError
from tests.community.fake_github import TOKEN, FakeGitHub, Fault
from tests.community.world import FIXTURE, REPOSITORY


@pytest.fixture
def github() -> Iterator[FakeGitHub]:
    server = FakeGitHub(REPOSITORY)
    yield server
    server.stop()
    assert server.problems == []


class Clock:
    def __init__(self) -> None:
        self.pauses: list[float] = []

    def sleep(self, seconds: float) -> None:
        self.pauses.append(seconds)


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def hub(github: FakeGitHub, clock: Clock) -> Iterator[GitHub]:
    with GitHub(REPOSITORY, TOKEN, api=github.url, sleep=clock.sleep, timeout_s=5) as client:
        yield client


def test_the_example_of_an_event_is_what_github_describes() -> None:
    content = json.loads(FIXTURE.read_text())
    models.WebhookIssuesOpened.model_validate(content)
    issue = Issue.parse(content["issue"])
    assert issue is not None
    assert issue.title == "connect4|drop|red|4|g1p0"


def test_all_open_issues_are_found_page_by_page_and_no_pull_request(
    github: FakeGitHub, hub: GitHub
) -> None:
    for number in range(230):
        github.open(f"issue {number}", is_pull_request=number % 10 == 0)
    issues = hub.open_issues()
    assert len(issues) == 207
    assert [issue.number for issue in issues] == sorted(issue.number for issue in issues)
    assert len(github.requests) == 3


def test_a_person_who_was_deleted_is_a_ghost(github: FakeGitHub, hub: GitHub) -> None:
    number = github.open("connect4|new")
    github.threads[number].user = None  # type: ignore[assignment]
    issue = hub.issue(number)
    assert issue is not None
    assert issue.player == "ghost"


def test_what_passes_is_waited_for_longer_and_longer(
    github: FakeGitHub, hub: GitHub, clock: Clock
) -> None:
    number = github.open("x")
    github.faults = {0: Fault(500), 1: Fault(0), 2: Fault(503), 3: Fault(504)}
    hub.react(number, "eyes")
    assert clock.pauses == [1, 2, 4, 8]
    assert len(github.threads[number].reactions) == 1


@pytest.mark.parametrize("has_worked", [False, True])
def test_a_comment_whose_answer_is_lost_is_there_once(
    github: FakeGitHub, hub: GitHub, has_worked: bool
) -> None:
    number = github.open("x")
    github.faults = {0: Fault(0, has_worked=has_worked), 2: Fault(502, has_worked=has_worked)}
    hub.comment(number, f"{MARK}\nhello")
    assert len(github.threads[number].comments) == 1


def test_a_primary_limit_is_waited_for_until_it_is_lifted(
    github: FakeGitHub, hub: GitHub, clock: Clock
) -> None:
    number = github.open("x")
    reset = str(int(time.time()) + 50)
    headers = {"x-ratelimit-remaining": "0", "x-ratelimit-reset": reset}
    github.faults = {0: Fault(403, headers, "API rate limit exceeded")}
    hub.label(number, "connect4")
    assert 45 < clock.pauses[0] <= 51


def test_a_secondary_limit_that_does_not_say_how_long_costs_a_minute(
    github: FakeGitHub, hub: GitHub, clock: Clock
) -> None:
    number = github.open("x")
    github.faults = {0: Fault(403, {}, "You have exceeded a secondary rate limit.")}
    hub.close(number, "completed")
    assert clock.pauses == [60]


def test_who_asks_for_an_hour_of_patience_does_not_get_it(github: FakeGitHub, hub: GitHub) -> None:
    number = github.open("x")
    github.faults = {0: Fault(429, {"retry-after": "3600"}, "later")}
    with pytest.raises(UnreachableError, match="429"):
        hub.react(number, "eyes")


def test_an_outage_ends_after_some_attempts(github: FakeGitHub, hub: GitHub) -> None:
    number = github.open("x")
    github.faults = {request: Fault(502) for request in range(100)}
    with pytest.raises(UnreachableError, match="502"):
        hub.react(number, "eyes")
    assert len(github.requests) == ATTEMPTS


def test_a_server_that_says_nothing_is_not_waited_for_for_ever(github: FakeGitHub) -> None:
    number = github.open("x")
    github.after = lambda _: time.sleep(0.5)
    with (
        GitHub(REPOSITORY, TOKEN, api=github.url, sleep=lambda _: None, timeout_s=0.05) as hub,
        pytest.raises(UnreachableError, match="ReadTimeout"),
    ):
        hub.react(number, "eyes")
    github.after = lambda _: None


@pytest.mark.parametrize(
    ("status", "message"), [(403, "Resource not accessible"), (422, "Validation"), (404, "")]
)
def test_what_will_not_pass_is_not_tried_again(
    github: FakeGitHub, hub: GitHub, status: int, message: str
) -> None:
    number = github.open("x")
    github.faults = {0: Fault(status, message=message)}
    with pytest.raises(GitHubError, match=f"POST /repos/ada/page/issues/1/reactions: {status}"):
        hub.react(number, "eyes")
    assert len(github.requests) == 1


def test_only_our_own_mark_counts(github: FakeGitHub, hub: GitHub) -> None:
    number = github.open("x")
    github.comment(number, "mallory", f"{MARK} not ours")
    assert not hub.is_answered(number)
    github.comment(number, "owner", f"{MARK} with a token of the owner's", "OWNER")
    assert hub.is_answered(number)


def test_the_token_is_in_no_message(github: FakeGitHub) -> None:
    with GitHub(REPOSITORY, "wrong-secret", api=github.url, sleep=lambda _: None) as hub:
        with pytest.raises(GitHubError, match="401") as caught:
            hub.open_issues()
        assert "wrong-secret" not in str(caught.value) + repr(hub)
    with GitHub(REPOSITORY, TOKEN, api="http://127.0.0.1:9", sleep=lambda _: None) as hub:
        with pytest.raises(UnreachableError, match="ConnectError") as unreached:
            hub.open_issues()
        assert TOKEN not in str(unreached.value)


@pytest.mark.parametrize("repository", ["", "page", "a/b/c", "a b/c", "a/b?x"])
def test_a_repository_that_is_none_is_refused(repository: str) -> None:
    with pytest.raises(CommunityError, match="is not OWNER/NAME"):
        GitHub(repository, TOKEN)


def test_without_httpx_it_is_said_what_to_install() -> None:
    code = (
        "import sys; sys.modules['httpx'] = None\n"
        "from fourcast.community.github import GitHub\n"
        "from fourcast.errors import MissingExtraError\n"
        "try: GitHub('a/b', 't')\n"
        "except MissingExtraError as error: print(error)"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert "-m pip install httpx" in run.stdout


def test_httpx_is_loaded_by_the_client_alone() -> None:
    code = "import sys, fourcast.community.run, fourcast.cli.community; sys.exit('httpx' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], timeout=60).returncode == 0


def test_the_transport_knows_nothing_of_pages_replies_or_rules() -> None:
    code = "import sys, fourcast.community.github, fourcast.community.git; print(*sys.modules)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = {name for name in run.stdout.split() if name.startswith("fourcast.")}
    allowed = {"_core", "errors", "notation", "community"}
    allowed |= {f"community.{name}" for name in ("git", "github", "issues", "times")}
    assert loaded <= {f"fourcast.{name}" for name in allowed}
