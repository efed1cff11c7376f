"""One run of the game: every open issue, oldest first, is judged, recorded and answered, once.

The order of the steps is what makes it safe to be killed between any two of them. The push records the
move; before it the issue is as good as unseen, after it the ledger knows the issue, and whatever of the
answer is missing is made up for. The issue is closed last, so that what is open is not done yet, and the
next run finds it.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from fourcast.community import config as configuration
from fourcast.community import reply
from fourcast.community.bot import make_bot
from fourcast.community.command import is_command
from fourcast.community.config import Config
from fourcast.community.git import Branch, GitError, Pushed
from fourcast.community.github import GitHub, GitHubError, Hub, Issue
from fourcast.community.judge import Reason, Refusal, Request, judge
from fourcast.community.ledger import Entry, Ledger, Move, format_entry
from fourcast.community.page import Site, derive
from fourcast.errors import CommunityError
from fourcast.notation import format_column

__all__ = ["Event", "Run", "main"]

TRIES = 3
"""How often a move is pushed while others push, too."""

Log = Callable[[str], None]


@dataclass(frozen=True)
class Event:
    """What GitHub says has happened: the issue that was opened, if it was one, and where."""

    repository: str
    branch: str
    issue: int | None = None

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Event:
        """Read the file of an event. Of the issue only its number is used: the rest may have changed."""
        try:
            content = json.loads(Path(path).read_bytes())
            repository = content["repository"]
            issue = content.get("issue")
            return cls(
                repository=str(repository["full_name"]),
                branch=str(repository["default_branch"]),
                issue=int(issue["number"]) if issue else None,
            )
        except (ValueError, KeyError, TypeError, AttributeError):
            raise CommunityError(f"{str(path)!r} is not an event of GitHub") from None


class Run:
    """A run on one repository. *log* gets a line for each thing that happens.

    *review_time_s* is the solver's for each position when it looks for what decided a game.
    """

    def __init__(
        self, hub: Hub, branch: Branch, site: Site, *, log: Log = print, review_time_s: float = 5
    ) -> None:
        self.review_time_s = review_time_s
        self.hub, self.branch, self.site, self.log = hub, branch, site, log
        self.config = Config()
        self.ledger = Ledger()

    def all(self, first: int | None = None) -> int:
        """Handle all open issues, and issue *first* even if it is not listed; return how many failed.

        An issue that GitHub refuses to handle is left behind, and the others go on.
        """
        self.load(fetch=True)
        issues = {issue.number: issue for issue in self.hub.open_issues()}
        if first is not None and first not in issues:
            found = self.hub.issue(first)
            # A closed one that the ledger does not know was answered before, or taken back.
            if found and (found.is_open or self.ledger.of_issue(first)):
                issues[first] = found
        failed = 0
        for _, issue in sorted(issues.items()):
            if not is_command(issue.title):
                continue
            try:
                self.handle(issue)
            except GitHubError as error:
                failed += 1
                self.log(f"#{issue.number}: {error}")
        return failed

    def load(self, *, fetch: bool) -> bool:
        """Read settings and ledger of the newest state; return whether it is another than before."""
        is_new = self.branch.fetch() if fetch else False
        if is_new:
            (settings,) = self.branch.read(configuration.PATH)
            self.config = configuration.parse(_text(settings or b"", configuration.PATH))
            (lines,) = self.branch.read(self.config.ledger_path)
            self.ledger = Ledger.parse(_text(lines or b"", self.config.ledger_path))
        return is_new

    def handle(self, issue: Issue) -> None:
        """Do what an issue asks for, or answer why not, and close it."""
        entry = self.ledger.of_issue(issue.number)
        if entry is None:
            # A list may lag behind, and a long run behind the list: it may be closed by now.
            found = self.hub.issue(issue.number)
            if found is None or not found.is_open:
                return
            issue = found
        if entry is None and issue.comments and self.hub.is_answered(issue.number):
            self.refuse(issue, None)  # by a run that was stopped, or reopened since
            return
        self.hub.react(issue.number, "eyes")
        self.hub.label(issue.number, self.config.label)
        verdict = entry or self.record(issue)
        if isinstance(verdict, Refusal):
            self.refuse(issue, verdict)
        else:
            self.confirm(issue, verdict)

    def record(self, issue: Issue) -> Entry | Refusal:
        """Judge an issue, and push what follows; again on a new state if others were quicker."""
        request = Request(issue.number, issue.title, issue.player, issue.association, issue.created)
        outcome = Pushed.RACED
        for _ in range(TRIES):
            verdict = self.judge(request)
            if isinstance(verdict, Refusal) and self.load(fetch=True):
                verdict = self.ledger.of_issue(issue.number) or self.judge(request)
            if isinstance(verdict, Refusal) or self.ledger.of_issue(issue.number):
                return verdict
            outcome = self.push(verdict)
            if outcome is Pushed.DONE:
                return verdict
            self.load(fetch=True)
            if entry := self.ledger.of_issue(issue.number):
                return entry  # it had arrived
        if outcome is Pushed.UNSURE:
            raise GitError("the connection breaks at every push")
        return Refusal(
            Reason.NOT_SAVED,
            f"Others changed this repository {TRIES} times while your move was to be saved, so that it "
            "was not played. Please try again.",
        )

    def judge(self, request: Request) -> Entry | Refusal:
        """Judge a request on the state as we know it."""
        config = self.config
        return judge(self.ledger, request, config, make_bot(config.bot, config.bot_time_s))

    def push(self, entry: Entry) -> Pushed:
        """Push an entry and all that follows from it."""
        config = self.config
        ledger = Ledger([*self.ledger.entries, entry])
        lines, readme = self.branch.read(config.ledger_path, config.readme)
        derived = derive(ledger, config, self.site, readme)
        if config.readme not in derived:
            self.log(f"{config.readme} has no markers, or not one pair of them: the page is not shown")
        files = {config.ledger_path: _appended(lines or b"", entry), **derived}
        old = self.branch.read(*files)
        changed = {
            path: files[path] for path, content in zip(files, old, strict=True) if content != files[path]
        }
        pushed = self.branch.push(changed, _message(entry, config))
        if pushed is Pushed.DONE:
            self.ledger = ledger
        else:
            self.log(f"#{entry.issue}: push {pushed.value}")
        return pushed

    # Answers

    def confirm(self, issue: Issue, entry: Entry) -> None:
        """Tell that an entry was made."""
        self.hub.react(issue.number, "rocket")
        if isinstance(entry, Move):
            game = self.ledger.games[entry.game - 1]
            if (
                game.position.is_over
                and game.moves[-1].issue == issue.number
                and not (issue.comments and self.hub.is_answered(issue.number))
            ):
                self.hub.comment(issue.number, self.last_word(entry))
        if issue.is_open:
            self.hub.close(issue.number, "completed")
        self.log(f"#{issue.number}: {_message(entry, self.config)}")

    def last_word(self, move: Move) -> str:
        """Return the comment on the move that has ended a game."""
        return reply.ended(self.ledger, move, self.config, self.site, time_s=self.review_time_s)

    def refuse(self, issue: Issue, refusal: Refusal | None) -> None:
        """Tell why not, unless that was told before."""
        if refusal:
            self.hub.comment(issue.number, reply.refused(refusal, self.site))
        self.hub.react(issue.number, "confused")
        self.hub.close(issue.number, "not_planned")
        self.log(f"#{issue.number}: refused, {refusal.reason.value if refusal else 'as before'}")


def main(environment: Mapping[str, str] = os.environ, *, log: Log = print) -> int:
    """Run as a step of a workflow, from what GitHub sets; return the exit status."""
    needed = ("GITHUB_EVENT_PATH", "GITHUB_TOKEN")
    if missing := [name for name in needed if not environment.get(name)]:
        raise CommunityError(f"{' and '.join(missing)} not set: this runs in a workflow of GitHub")
    event = Event.load(environment["GITHUB_EVENT_PATH"])
    server = environment.get("GITHUB_SERVER_URL", "https://github.com").rstrip("/")
    api = environment.get("GITHUB_API_URL", "https://api.github.com").rstrip("/")
    token = environment["GITHUB_TOKEN"]
    if not re.fullmatch(r"[\x21-\x7e]+", token):
        raise CommunityError("GITHUB_TOKEN has characters that no token has")
    remote = f"{server}/{event.repository}.git"
    site = Site(event.repository, server)
    with (
        GitHub(event.repository, token, api=api) as hub,
        Branch(remote, event.branch, token=token) as branch,
    ):
        failed = Run(hub, branch, site, log=log).all(event.issue)
    return 1 if failed else 0


def _text(content: bytes, path: str) -> str:
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise CommunityError(f"{path} is not a text in UTF-8") from None


def _appended(lines: bytes, entry: Entry) -> bytes:
    """The ledger with one more line; those before stay as they are, to the byte."""
    newline = b"" if not lines or lines.endswith(b"\n") else b"\n"
    return lines + newline + format_entry(entry).encode()


def _message(entry: Entry, config: Config) -> str:
    """What a commit says, and the log: made of numbers and names that were checked."""
    if not isinstance(entry, Move):
        return f"connect4: game {entry.game} starts, by {entry.player} (#{entry.issue})"
    team = config.team(entry.side).name
    column = format_column(entry.column)
    by = f"the bot for {entry.player}" if entry.bot else entry.player
    return f"connect4: {team} in column {column}, by {by} (#{entry.issue})"
