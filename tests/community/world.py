"""A repository with the game switched on: a bare remote, GitHub's issues, and ways to play on it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from fourcast.community.command import PREFIX, Drop, parse
from fourcast.community.config import PATH
from fourcast.community.entries import Entry, Move
from fourcast.community.git import Branch
from fourcast.community.github import GitHub
from fourcast.community.ledger import Ledger
from fourcast.community.markup import Site
from fourcast.community.run import Run
from fourcast.community.setup import init
from fourcast.game import Game
from fourcast.notation import format_column
from tests.community.fake_github import TOKEN, FakeGitHub

REPOSITORY = "ada/page"
FIXTURE = Path(__file__).parent / "issues_opened.json"
SETTINGS = 'bot = "winning"\ncooldown_s = 0\n'

# A game of 30 moves that second wins, and first could have won or held until shortly before.
LONG_GAME = "257771314744647214174561532615"


def git(folder: Path, *arguments: str, **variables: str) -> str:
    names = {"GIT_AUTHOR_NAME": "Ada", "GIT_AUTHOR_EMAIL": "ada@example.org"}
    names |= {"GIT_COMMITTER_NAME": "Ada", "GIT_COMMITTER_EMAIL": "ada@example.org"}
    run = subprocess.run(
        ["git", "-c", "commit.gpgsign=false", *arguments],
        cwd=folder,
        env=os.environ | names | variables,
        capture_output=True,
        text=True,
        check=True,
    )
    return run.stdout


def entries_of(moves: str, *, game: int = 1, first_issue: int = 100_001) -> list[Entry]:
    """A ledger of a game that three people have played."""
    entries: list[Entry] = []
    played = Game()
    for ply, column in enumerate(Game(moves).columns):
        played.play(column)
        time = f"2026-11-14T{10 + ply // 60:02}:{ply % 60:02}:00Z"
        player = ("grace", "emmy", "sofja")[ply % 3]
        entries.append(
            Move(game, ply, column, player, None, first_issue + ply, time, played.position.key)
        )
    return entries


def make_repositories(folder: Path, settings: str, moves: str) -> None:
    """A clone with the game switched on, and its remote. They can be copied to elsewhere together."""
    remote, clone = folder / "server" / f"{REPOSITORY}.git", folder / "clone"
    remote.parent.mkdir(parents=True)
    git(folder, "init", "-q", "--bare", "-b", "main", str(remote))
    git(folder, "init", "-q", "-b", "main", str(clone))
    (clone / "README.md").write_text("# Ada's page\n\nAbove.\n")
    (clone / PATH).parent.mkdir()
    (clone / PATH).write_text(settings)
    (clone / "connect4").mkdir()
    ledger = Ledger(entries_of(moves)).current.to_text()
    (clone / "connect4" / "ledger.jsonl").write_text(ledger)
    init(clone, Site(REPOSITORY), None)
    git(clone, "add", "-A")
    git(clone, "commit", "-qm", "Switch it on")
    git(clone, "remote", "add", "origin", f"../server/{REPOSITORY}.git")
    git(clone, "push", "-q", "origin", "main")


class World:
    """All of it, in a folder with what `make_repositories` has made."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.github = FakeGitHub(REPOSITORY)
        self.site = Site(REPOSITORY)
        self.remote = folder / "server" / f"{REPOSITORY}.git"
        self.clone = folder / "clone"
        self.log: list[str] = []

    def close(self) -> None:
        self.github.stop()

    # Running

    def run(
        self,
        issue: int | None = None,
        *,
        branch: Callable[..., Branch] = Branch,
        sleep: Callable[[float], None] = lambda _: None,
    ) -> int:
        """One run in this process, with a real server and a real git."""
        with (
            GitHub(REPOSITORY, TOKEN, api=self.github.url, sleep=sleep) as hub,
            branch(str(self.remote), "main", sleep=sleep) as remote,
        ):
            return Run(hub, remote, self.site, log=self.log.append).all(issue)

    def event(self, issue: int | None) -> Path:
        """The file that a workflow gets: GitHub's example, with our issue in it."""
        content = json.loads(FIXTURE.read_text())
        if issue is None:
            del content["issue"], content["action"]
        else:
            content["issue"] |= {"number": issue, "title": self.github.threads[issue].title}
        content["repository"]["default_branch"] = "main"
        path = self.folder / f"event-{issue}.json"
        path.write_text(json.dumps(content))
        return path

    def environment(self, issue: int | None) -> dict[str, str]:
        return os.environ | {
            "GITHUB_API_URL": self.github.url,
            "GITHUB_EVENT_PATH": str(self.event(issue)),
            "GITHUB_SERVER_URL": self.remote.parent.parent.as_uri(),
            "GITHUB_TOKEN": TOKEN,
            "TMPDIR": str(self.folder),
        }

    def start(self, issue: int | None, **variables: str) -> subprocess.Popen[str]:
        """One run in a process of its own, as the workflow would start it."""
        code = "from fourcast.community.run import main; raise SystemExit(main())"
        return subprocess.Popen(
            [sys.executable, "-c", code],
            env=self.environment(issue) | variables,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )

    # Playing

    def drop(self, column: int | str, player: str, **more: Any) -> int:
        """Open the issue that the page's link for a column would; a column is 0-based, or 'ai'."""
        game = self.ledger().current
        team = ("red", "blue")[game.position.turn - 1]
        name = column if isinstance(column, str) else format_column(column)
        return self.github.open(str(Drop(team, name, game.number, game.position.ply)), player, **more)

    def new(self, player: str = "ada", **more: Any) -> int:
        return self.github.open(f"{PREFIX}|new", player, **more)

    # Looking

    def file(self, path: str) -> str:
        return git(self.remote, "show", f"main:{path}")

    def ledger(self) -> Ledger:
        """All games."""
        listed = git(self.remote, "ls-tree", "--name-only", "main", "connect4/games/").splitlines()
        closed = sorted(path for path in listed if path.endswith(".jsonl"))
        return Ledger.parse("".join(map(self.file, [*closed, "connect4/ledger.jsonl"])))

    def head(self) -> str:
        return git(self.remote, "rev-parse", "main").strip()

    def commits(self) -> list[str]:
        return git(self.remote, "log", "--format=%s", "main").splitlines()

    def answer(self, issue: int) -> str:
        """The comment on an issue; there is one."""
        comments = self.github.threads[issue].comments
        assert len(comments) == 1, comments
        return str(comments[0]["body"])

    def assert_played(self, issue: int) -> None:
        thread = self.github.threads[issue]
        assert [content for _, content in thread.reactions] == ["eyes", "rocket"]
        assert (thread.state, thread.state_reason) == ("closed", "completed")
        assert thread.labels == ["connect4"]
        entries = [entry for entry in self.ledger().entries if entry.issue == issue]
        assert len(entries) == 1

    def assert_refused(self, issue: int, words: str) -> None:
        thread = self.github.threads[issue]
        is_command = parse(thread.title) is not None  # others cost as few calls as possible
        seen = ["eyes"] if is_command else []
        assert [content for _, content in thread.reactions] == [*seen, "confused"]
        assert (thread.state, thread.state_reason) == ("closed", "not_planned")
        assert thread.labels == (["connect4"] if is_command else [])
        assert words in self.answer(issue)
        assert self.ledger().of_issue(issue) is None


def players(names: Iterable[str]) -> Callable[[int], str]:
    """Take turns."""
    listed = list(names)
    return lambda ply: listed[ply % len(listed)]
