"""One run of the game: every open issue, oldest first, is judged, recorded and answered, once.

The order of the steps makes a run safe to kill between any two of them. The push records the move:
before it, the issue counts as unseen; after it, the ledger has the issue, and the next run completes the
answer. The issue is closed last, so that an open issue is one with something left to do.
"""

from __future__ import annotations

import json
import os
import re
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from fourcast.community import config as configuration
from fourcast.community import reply
from fourcast.community.bot import make_bot
from fourcast.community.command import is_command, parse
from fourcast.community.config import Config
from fourcast.community.entries import Entry, Move, PlayedGame
from fourcast.community.files import ledger_files, read_ledger, read_whole_ledger
from fourcast.community.git import Branch, GitError, Pushed
from fourcast.community.github import GitHub, GitHubError
from fourcast.community.issues import Hub, Issue
from fourcast.community.judge import Reason, Refusal, judge, not_understood
from fourcast.community.ledger import Ledger
from fourcast.community.markup import Site
from fourcast.community.page import derive, derive_past, is_archive
from fourcast.errors import CommunityError
from fourcast.notation import format_column

__all__ = ["Event", "Run", "main"]

TRIES = 3
"""How often a move is pushed if others push at the same time."""
PER_PERSON = 10
"""Issues of one person that a run handles; the rest waits for the next run."""

Log = Callable[[str], None]


@dataclass(frozen=True)
class Event:
    """The event that started the workflow: the repository, and the issue if one was opened."""

    repository: str
    branch: str
    issue: int | None = None

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Event:
        """Read the file of an event. Only the number of the issue is used: the rest may have changed."""
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
            raise CommunityError(f"{str(path)!r} is not a file of a GitHub event") from None


class Run:
    """A run on one repository. *log* gets a line for each thing that happens.

    *review_time_s* limits the solver for each position when it looks for the decisive mistake.
    """

    def __init__(
        self, hub: Hub, branch: Branch, site: Site, *, log: Log = print, review_time_s: float = 5
    ) -> None:
        self.review_time_s = review_time_s
        self.hub, self.branch, self.site, self.log = hub, branch, site, log
        self.config = Config()
        self.ledger = Ledger()
        self._whole: Ledger | None = None

    def all(self, first: int | None = None) -> int:
        """Handle all open issues, and issue *first* even if it is not listed; return how many failed.

        An issue that GitHub refuses to handle is left behind, and the others go on.
        """
        self.load()
        issues = {issue.number: issue for issue in self.hub.open_issues()}
        if first is not None and first not in issues:
            found = self.hub.issue(first)
            # A closed one that the ledger does not know was answered before, or withdrawn.
            if found and (found.is_open or self.ledger.has_issue(first)):
                issues[first] = found
        failed = 0
        handled: Counter[str] = Counter()
        for _, issue in sorted(issues.items()):
            if not is_command(issue.title):
                continue
            handled[issue.player] += 1
            if handled[issue.player] > PER_PERSON:
                if handled[issue.player] == PER_PERSON + 1:
                    self.log(f"#{issue.number} and later ones of {issue.player} wait for the next run")
                continue
            try:
                self.handle(issue)
            except GitHubError as error:
                failed += 1
                self.log(f"#{issue.number}: {error}")
        return failed

    def load(self) -> bool:
        """Read the settings and the ledger if the branch has changed; return whether it has."""
        is_new = self.branch.fetch()
        if is_new:
            (settings,) = self.branch.read(configuration.PATH)
            config = self.config = configuration.parse(settings or b"")
            paths = (config.ledger_path, config.tally_path, config.checksums_path)
            lines, tally, checksums = self.branch.read(*paths)
            self.ledger = read_ledger(lines, tally, checksums, config)
            self._whole = None
        return is_new

    def whole_ledger(self) -> Ledger:
        """Return the ledger with all of its games: few issues need more than the current one."""
        if self._whole is None:
            paths = list(map(self.config.closed_path, range(1, self.ledger.games[0].number)))
            own = (self.config.ledger_path, self.config.checksums_path)
            lines, checksums, *closed = self.branch.read(*own, *paths)
            games = zip(paths, closed, strict=True)
            self._whole = read_whole_ledger(games, lines, checksums, self.config)
        return self._whole

    def find(self, issue: int) -> tuple[Entry, PlayedGame] | None:
        """Return what an issue did, and in which game; None if it did nothing."""
        ledger = self.ledger
        entry = ledger.of_issue(issue)
        if entry is None and ledger.has_issue(issue):
            ledger = self.whole_ledger()
            entry = ledger.of_issue(issue)
        return (entry, ledger.game(entry.game)) if entry else None

    def handle(self, issue: Issue) -> None:
        """Do what an issue asks for, or answer why not, and close it."""
        if found := self.find(issue.number):
            self.acknowledge(issue)
            self.confirm(issue, *found)
            return
        if parse(issue.title) is None:  # the fewest calls: anybody can open any number of these
            is_answered = issue.comments and self.hub.is_answered(issue.number)
            self.refuse(issue, None if is_answered else not_understood(self.ledger, self.config))
            return
        # The list may be out of date, and a long run outlives it: the issue may be closed by now.
        newest = self.hub.issue(issue.number)
        if newest is None or not newest.is_open:
            return
        issue = newest
        if issue.comments and self.hub.is_answered(issue.number):
            self.refuse(issue, None)  # by a run that was stopped, or reopened since
            return
        self.acknowledge(issue)
        refusal = self.record(issue)
        if refusal:
            self.refuse(issue, refusal)
        elif found := self.find(issue.number):
            self.confirm(issue, *found)

    def acknowledge(self, issue: Issue) -> None:
        """Show that an issue was seen."""
        self.hub.react(issue.number, "eyes")
        self.hub.label(issue.number, self.config.label)

    def record(self, issue: Issue) -> Refusal | None:
        """Judge an issue, and push the entry; again on a new state if others were quicker.

        Returns why there is no entry, or None when the ledger has it.
        """
        outcome = Pushed.RACED
        for _ in range(TRIES):
            verdict = self.judge(issue)
            if isinstance(verdict, Refusal) and self.load():
                if self.ledger.has_issue(issue.number):
                    return None
                verdict = self.judge(issue)
            if isinstance(verdict, Refusal):
                return verdict
            outcome = self.push(verdict)
            if outcome is not Pushed.DONE:
                self.load()
            if self.ledger.has_issue(issue.number):
                return None  # an unsure push may have arrived
        if outcome is Pushed.UNSURE:
            raise GitError("the connection breaks at every push")
        return Refusal(
            Reason.NOT_SAVED,
            f"Your move was not played: each of the {TRIES} times it was to be saved, somebody else had "
            "just changed this repository. Please try again.",
        )

    def judge(self, issue: Issue) -> Entry | Refusal:
        """Judge an issue on the newest known state."""
        config = self.config
        return judge(self.ledger, issue, config, make_bot(config.bot, config.bot_time_s))

    def push(self, entry: Entry) -> Pushed:
        """Push an entry and the files that it changes."""
        config = self.config
        ledger = self.ledger.copy()
        ledger.append(entry)
        readme, archive = self.branch.read(config.readme, config.archive_path)
        past: dict[str, bytes] = {}
        if ledger.tally.finished and not is_archive(archive):  # somebody has deleted or edited it
            past = derive_past(self.whole_ledger().games, config, self.site)
            archive = past[config.archive_path]
        derived = derive(ledger, config, self.site, readme=readme, archive=archive)
        if config.readme not in derived:
            self.log(f"{config.readme} does not have the two markers once each: the page is not shown")
        files = ledger_files(ledger, config) | past | derived
        pushed = self.branch.push(files, _message(entry, config))
        if pushed is Pushed.DONE:
            ledger.forget_closed()
            self.ledger, self._whole = ledger, None
        else:
            self.log(f"#{entry.issue}: push {pushed.value}")
        return pushed

    # Answers

    def confirm(self, issue: Issue, entry: Entry, game: PlayedGame) -> None:
        """Tell that an entry was made, and how *game* ended if the entry ended it."""
        self.hub.react(issue.number, "rocket")
        is_end = game.position.is_over and entry is game.entries[-1]
        if is_end and not (issue.comments and self.hub.is_answered(issue.number)):
            text = reply.ended(game, self.config, self.site, time_s=self.review_time_s)
            self.hub.comment(issue.number, text)
        if issue.is_open:
            self.hub.close(issue.number, "completed")
        self.log(f"#{issue.number}: {_message(entry, self.config)}")

    def refuse(self, issue: Issue, refusal: Refusal | None) -> None:
        """Tell the reason, unless an earlier run has, and close the issue."""
        if refusal:
            self.hub.comment(issue.number, reply.refused(refusal, self.site))
        self.hub.react(issue.number, "confused")
        self.hub.close(issue.number, "not_planned")
        self.log(f"#{issue.number}: refused, {refusal.reason.value if refusal else 'as before'}")


def main(environment: Mapping[str, str] = os.environ, *, log: Log = print) -> int:
    """Run as a step of a workflow, with the variables that GitHub sets; return the exit status."""
    needed = ("GITHUB_EVENT_PATH", "GITHUB_TOKEN")
    if missing := [name for name in needed if not environment.get(name)]:
        raise CommunityError(f"{' and '.join(missing)} not set: this command runs in a GitHub workflow")
    event = Event.load(environment["GITHUB_EVENT_PATH"])
    server = environment.get("GITHUB_SERVER_URL", "https://github.com").rstrip("/")
    api = environment.get("GITHUB_API_URL", "https://api.github.com").rstrip("/")
    token = environment["GITHUB_TOKEN"]
    forget("GITHUB_TOKEN")
    if not re.fullmatch(r"[\x21-\x7e]+", token):
        raise CommunityError("GITHUB_TOKEN has characters that cannot be part of a token")
    remote = f"{server}/{event.repository}.git"
    site = Site(event.repository, server)
    with (
        GitHub(event.repository, token, api=api) as hub,
        Branch(remote, event.branch, token=token) as branch,
    ):
        failed = Run(hub, branch, site, log=log).all(event.issue)
    return 1 if failed else 0


def forget(name: str) -> None:
    """Remove a variable from the environment, also from what /proc and `ps` show of this process."""
    if name not in os.environ:
        return
    import ctypes

    libc = ctypes.CDLL(None)
    libc.getenv.restype = ctypes.c_void_p
    if place := libc.getenv(name.encode()):
        ctypes.memset(place, 0, len(ctypes.string_at(place)))
    del os.environ[name]


def _message(entry: Entry, config: Config) -> str:
    """The message of the commit and of the log: only numbers, and names that were checked."""
    if not isinstance(entry, Move):
        return f"connect4: game {entry.game} starts, by {entry.player} (#{entry.issue})"
    team = config.team(entry.side).name
    column = format_column(entry.column)
    by = f"the bot for {entry.player}" if entry.bot else entry.player
    return f"connect4: {team} in column {column}, by {by} (#{entry.issue})"
