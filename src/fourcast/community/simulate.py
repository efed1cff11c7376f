"""The whole game on this machine: a scratch repository, invented people and their issues."""

from __future__ import annotations

import json
import os
import random
import subprocess
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta, timezone
from pathlib import Path

from fourcast.community import config as configuration
from fourcast.community.command import BOT, PREFIX, Drop
from fourcast.community.config import Config
from fourcast.community.git import AUTHOR, Branch
from fourcast.community.issues import CloseReason, Issue, Reaction
from fourcast.community.ledger import Ledger
from fourcast.community.markup import Site
from fourcast.community.run import Log, Run
from fourcast.community.setup import find_action, init, settings
from fourcast.errors import CommunityError
from fourcast.notation import format_column

__all__ = ["LocalHub", "simulate"]

SITE = Site("you/your-repository")
PEOPLE = ("ada", "blaise", "emmy", "grace", "sofja")
ISSUES = "issues"


@dataclass
class _Thread:
    issue: Issue
    reactions: list[str] = field(default_factory=list)
    labels: list[str] = field(default_factory=list)
    comments: list[str] = field(default_factory=list)


class LocalHub:
    """Issues in memory, with a copy of each as a text in a folder; a `Hub`.

    Their numbers begin with *first*.
    """

    def __init__(self, folder: Path, *, first: int = 1) -> None:
        self.folder, self.first = folder, first
        self.threads: dict[int, _Thread] = {}
        folder.mkdir(exist_ok=True)

    def open(self, title: str, player: str, time: datetime) -> int:
        """Open an issue, and return its number."""
        number = self.first + len(self.threads)
        self.threads[number] = _Thread(Issue(number, title, player, "NONE", time))
        self._write(number)
        return number

    def open_issues(self) -> list[Issue]:
        """Return the open issues, oldest first."""
        return [thread.issue for thread in self.threads.values() if thread.issue.is_open]

    def issue(self, number: int) -> Issue | None:
        """Return an issue, or None if there is none of this number."""
        thread = self.threads.get(number)
        return thread.issue if thread else None

    def is_answered(self, number: int) -> bool:
        """Whether the issue has a comment of the game."""
        return bool(self.threads[number].comments)

    def react(self, number: int, reaction: Reaction) -> None:
        """Add a reaction to an issue."""
        self.threads[number].reactions.append(reaction)
        self._write(number)

    def label(self, number: int, label: str) -> None:
        """Put a label on an issue."""
        self.threads[number].labels.append(label)
        self._write(number)

    def comment(self, number: int, text: str) -> None:
        """Write a comment."""
        thread = self.threads[number]
        thread.comments.append(text)
        thread.issue = replace(thread.issue, comments=len(thread.comments))
        self._write(number)

    def close(self, number: int, reason: CloseReason) -> None:
        """Close an issue."""
        thread = self.threads[number]
        thread.issue = replace(thread.issue, is_open=False)
        self._write(number, reason)

    def _write(self, number: int, state: str = "open") -> None:
        thread = self.threads[number]
        lines = [
            f"# `{thread.issue.title}`",
            f"opened by {thread.issue.player} · {state}",
            f"labels: {', '.join(thread.labels)} · reactions: {', '.join(thread.reactions)}",
            *thread.comments,
        ]
        (self.folder / f"{number:04}.md").write_text("\n\n".join(lines) + "\n", "utf-8")


def simulate(
    folder: Path,
    *,
    moves: int = 12,
    seed: int | None = None,
    bot: str | None = None,
    config: bytes | None = None,
    log: Log = print,
) -> Ledger:
    """Play *moves* moves in *folder*, which must be empty, and return the ledger.

    The folder becomes a git repository with the page, and has the issues with their answers in
    `issues/`. *config* is the text of the settings to try; *bot* replaces the bot in them.
    """
    action = find_action()
    text = _settings(bot, config, action)
    folder = folder.resolve()
    folder.mkdir(parents=True, exist_ok=True)
    if any(folder.iterdir()):
        raise CommunityError(f"{folder} is not empty: simulate in a new folder")
    remote = _scratch_repository(folder, text, action)
    hub = LocalHub(folder / ISSUES)
    chance = random.Random(seed)
    clock = datetime.now(timezone.utc).replace(microsecond=0)
    with Branch(str(remote), "main") as branch:
        run = Run(hub, branch, SITE, log=log, review_time_s=1)
        run.load()
        while run.ledger.moves < moves:
            # Far enough apart for any cooldown; the simulation itself does not wait.
            clock += timedelta(seconds=run.config.cooldown_s + chance.randint(20, 4000))
            title, player = _next_issue(run.ledger, run.config, chance)
            hub.open(title, player, clock)
            run.all()
        ledger = run.ledger
    _git(folder, "pull", "--quiet", "--ff-only", "origin", "main")
    return ledger


def _next_issue(ledger: Ledger, config: Config, chance: random.Random) -> tuple[str, str]:
    """Return title and author of an issue: mostly a move, some for the bot, some to be refused."""
    game = ledger.current
    position = game.position
    player = chance.choice(PEOPLE)
    if position.is_over:
        return f"{PREFIX}|new", player
    mine, other = config.team(position.turn).name, config.team(3 - position.turn).name
    column = format_column(chance.choice(tuple(position.legal_columns)))
    kind = chance.random()
    if kind < 0.06:
        return str(Drop(other, column)), player
    if kind < 0.12 and position.ply:
        return str(Drop(mine, column, game.number, position.ply - 1)), player
    if kind < 0.15:
        return f"{PREFIX}|drop|{mine}", player
    if kind < 0.4 and position.ply:
        return str(Drop(mine, BOT, game.number, position.ply)), player
    return str(Drop(mine, column, game.number, position.ply)), player


def _settings(bot: str | None, config: bytes | None, action: str | None) -> str:
    """Return the settings to try, which are checked: the given ones, or those of `init`."""
    if config is None:
        text = settings(SITE, action).replace("bot_time_s = 20", "bot_time_s = 2")
    else:
        configuration.parse(config)
        text = config.decode("utf-8-sig")
    if bot is not None:
        lines = [line for line in text.splitlines() if not line.startswith("bot =")]
        text = "\n".join([f"bot = {json.dumps(bot)}", *lines, ""])
    configuration.parse(text)
    return text


def _scratch_repository(folder: Path, settings: str, action: str | None) -> Path:
    """Make a repository with the game switched on, and its remote; return the path of the remote."""
    _git(folder, "init", "--quiet", "--initial-branch=main")
    remote = folder / ".git" / "simulated-remote.git"
    _git(folder, "init", "--quiet", "--bare", "--initial-branch=main", str(remote))
    (folder / ".git" / "info").mkdir(exist_ok=True)
    (folder / ".git" / "info" / "exclude").write_text(f"/{ISSUES}/\n")
    (folder / "README.md").write_text("# Your repository\n\nThis line is yours.\n")
    (folder / ".github").mkdir()
    (folder / configuration.PATH).write_text(settings, "utf-8")
    init(folder, SITE, action)
    _git(folder, "remote", "add", "origin", str(remote))
    _git(folder, "add", "--all")
    _git(folder, "commit", "--quiet", "--message=Switch the community game on")
    _git(folder, "push", "--quiet", "origin", "main")
    return remote


def _git(folder: Path, *arguments: str) -> None:
    names = {"GIT_AUTHOR_NAME": AUTHOR[0], "GIT_AUTHOR_EMAIL": AUTHOR[1]}
    names |= {"GIT_COMMITTER_NAME": AUTHOR[0], "GIT_COMMITTER_EMAIL": AUTHOR[1]}
    options = ("-c", "commit.gpgsign=false", "-c", "core.hooksPath=/dev/null")
    try:
        run = subprocess.run(
            ["git", *options, *arguments],
            cwd=folder,
            env=os.environ | names,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
    except FileNotFoundError:
        raise CommunityError("git is not installed") from None
    if run.returncode:
        raise CommunityError(f"git {arguments[0]} failed: {' '.join(run.stderr.split())[:300]}")
