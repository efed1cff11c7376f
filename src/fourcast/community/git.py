"""The repository, changed without touching anybody's working copy.

A temporary bare repository fetches the branch, makes a commit of the changed files, and pushes it. The
push is atomic: a run that is killed before it has changed nothing, and one that is killed after it has
recorded everything.
"""

from __future__ import annotations

import base64
import enum
import os
import re
import subprocess
import tempfile
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from fourcast.errors import CommunityError

__all__ = ["Branch", "GitError", "Pushed"]

AUTHOR = ("github-actions[bot]", "41898282+github-actions[bot]@users.noreply.github.com")
TIMEOUT_S = 120.0
_FETCH_ATTEMPTS = 3

# What git says when another push came first. Retrying does not help with any other failure.
_RACE = re.compile(
    r"fetch first|non-fast-forward|stale info|cannot lock ref|failed to update ref"
    r"|incorrect old value|reference already exists|failed to lock"
)


# Variables by which a hook or another caller would point git to its own repository.
_ELSEWHERE = (
    "GIT_ALTERNATE", "GIT_COMMON_DIR", "GIT_DIR", "GIT_INDEX_FILE", "GIT_OBJECT_DIR", "GIT_NAMESPACE",
    "GIT_SHALLOW_FILE", "GIT_WORK_TREE",
)  # fmt: skip


_FOLDER = b"040000"
_FILES = (b"100644", b"100755")
_KINDS = {_FOLDER: "a folder", b"120000": "a symbolic link", b"160000": "a submodule"}


class _Entry(NamedTuple):
    mode: bytes
    object: bytes


class GitError(CommunityError):
    """A git command failed; the message has what git said."""


class Pushed(enum.Enum):
    """The outcome of a push."""

    DONE = "done"
    RACED = "raced"  # somebody else pushed: fetch, and judge again
    UNSURE = "unsure"  # the connection broke: fetch, and see whether it arrived


class Branch:
    """One branch of a remote repository.

    *token* is passed to git in its environment, not on a command line that others could read.
    """

    def __init__(
        self,
        remote: str,
        name: str,
        *,
        token: str | None = None,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        if not re.fullmatch(r"(?![/.-])(?!.*(?:\.\.|@\{|//))[\w./@+-]+", name):
            raise CommunityError(f"{name!r} is not a branch name that the game accepts")
        self.remote, self.name = remote, name
        self.head = ""
        self._sleep = sleep
        self._token = token
        self._folder = tempfile.TemporaryDirectory(prefix="fourcast-git-")
        self._git("init", "--bare", "--quiet")

    def __enter__(self) -> Branch:
        return self

    def __exit__(self, *_: object) -> None:
        self._folder.cleanup()

    def fetch(self) -> bool:
        """Fetch the newest commit; return whether it is a new one."""
        before = self.head
        refspec = f"+refs/heads/{self.name}:refs/fourcast/head"
        for attempt in range(1, _FETCH_ATTEMPTS + 1):
            # No tags and no history: one commit is all that is read.
            run = self._run("fetch", "--quiet", "--no-tags", "--depth=1", self.remote, refspec)
            if run.returncode == 0:
                break
            if attempt == _FETCH_ATTEMPTS:
                raise GitError(f"the branch {self.name} cannot be fetched: {self._said(run)}")
            self._sleep(2.0**attempt)
        self.head = self._git("rev-parse", "refs/fourcast/head").decode().strip()
        return self.head != before

    def read(self, *paths: str) -> list[bytes | None]:
        """Return the content of files, None for those that do not exist."""
        entries = self._entries(paths)
        known = [path for path in paths if path in entries]
        output = self._git(
            "cat-file", "--batch", stdin=b"".join(b"%s\n" % entries[p].object for p in known)
        )
        contents: dict[str, bytes] = {}
        for path in known:
            line, _, output = output.partition(b"\n")
            size = int(line.rsplit(b" ", 1)[1])
            contents[path], output = output[:size], output[size + 1 :]
        return [contents.get(path) for path in paths]

    def push(self, files: Mapping[str, bytes], message: str) -> Pushed:
        """Commit the *files* on top of what was fetched, and push; the commit is then the newest known.

        Raises `GitError` if the push is refused for any reason other than a race.
        """
        commit = self._commit(files, message)
        run = self._run("push", "--porcelain", self.remote, f"{commit}:refs/heads/{self.name}")
        if run.returncode == 0:
            self.head = commit
            return Pushed.DONE
        said = self._said(run)
        if re.search(r"^!", run.stdout.decode(errors="replace"), re.MULTILINE):
            if _RACE.search(said):
                return Pushed.RACED
            raise GitError(f"the push is refused: {said}")
        return Pushed.UNSURE

    def _commit(self, files: Mapping[str, bytes], message: str) -> str:
        entries = self._entries(files)
        text = message.encode()
        who = f"{AUTHOR[0]} <{AUTHOR[1]}> {int(time.time())} +0000".encode()
        stream = [b"commit refs/fourcast/next\n", b"committer " + who + b"\n"]
        stream += [b"data %d\n" % len(text), text, b"\nfrom " + self.head.encode() + b"\n"]
        for path, content in files.items():
            mode = entries[path].mode if path in entries else _FILES[0]
            stream += [b"M %s inline %s\n" % (mode, path.encode()), b"data %d\n" % len(content)]
            stream += [content, b"\n"]
        # Without --force, a ref that a raced attempt has left would stand in the way.
        self._git("fast-import", "--quiet", "--force", stdin=b"".join(stream))
        return self._git("rev-parse", "refs/fourcast/next").decode().strip()

    def _entries(self, paths: Collection[str]) -> dict[str, _Entry]:
        """Return those of the files that exist. Raises `GitError` for what is no plain file in a folder.

        The game never replaces a link or a submodule, and never writes through one.
        """
        parents = {str(parent) for path in paths for parent in PurePosixPath(path).parents} - {"."}
        entries = self._list("-t", *paths)
        if missing := sorted(parents - entries.keys()):
            entries |= self._list(*missing)
        for path, entry in entries.items():
            if path in parents and entry.mode != _FOLDER:
                what = _KINDS.get(entry.mode, "a file")
                raise GitError(f"{path} is {what}, but the game needs a folder there")
            if path in paths and entry.mode not in _FILES:
                what = _KINDS.get(entry.mode, "something else")
                raise GitError(f"{path} is {what}, but the game needs a plain file there")
        return {path: entry for path, entry in entries.items() if path in paths}

    def _list(self, *arguments: str) -> dict[str, _Entry]:
        options = [argument for argument in arguments if argument == "-t"]
        paths = arguments[len(options) :]
        entries = {}
        for line in self._git("ls-tree", *options, "-z", self.head, "--", *paths).split(b"\0")[:-1]:
            about, _, path = line.partition(b"\t")
            mode, _, name = about.split(b" ")
            entries[path.decode(errors="replace")] = _Entry(mode, name)
        return entries

    # How git is run

    def _git(self, *arguments: str, stdin: bytes | None = None) -> bytes:
        run = self._run(*arguments, stdin=stdin)
        if run.returncode:
            raise GitError(f"git {arguments[0]} failed: {self._said(run)}")
        return run.stdout

    def _run(self, *arguments: str, stdin: bytes | None = None) -> subprocess.CompletedProcess[bytes]:
        command: Sequence[str] = ["git", *arguments]
        try:
            return subprocess.run(
                command,
                cwd=Path(self._folder.name),
                env=self._environment(),
                input=stdin if stdin is not None else b"",
                capture_output=True,
                timeout=TIMEOUT_S,
                check=False,
            )
        except subprocess.TimeoutExpired:
            raise GitError(f"git {arguments[0]} took more than {TIMEOUT_S:.0f} s") from None
        except FileNotFoundError:
            raise GitError("git is not installed") from None

    def _environment(self) -> dict[str, str]:
        environment = {key: value for key, value in os.environ.items() if not key.startswith(_ELSEWHERE)}
        environment |= {"GIT_TERMINAL_PROMPT": "0", "LC_ALL": "C"}
        if self._token and self.remote.startswith(("https://", "http://")):
            server = "/".join(self.remote.split("/")[:3])
            login = base64.b64encode(f"x-access-token:{self._token}".encode()).decode()
            environment |= {
                "GIT_CONFIG_COUNT": "1",
                "GIT_CONFIG_KEY_0": f"http.{server}/.extraheader",
                "GIT_CONFIG_VALUE_0": f"AUTHORIZATION: basic {login}",
            }
        return environment

    def _said(self, run: subprocess.CompletedProcess[bytes]) -> str:
        """What git said, on one line and without secrets."""
        text = (run.stdout + b" " + run.stderr).decode(errors="replace")
        if self._token:
            text = text.replace(self._token, "***")
        return " ".join(text.split())[:500] or f"exit status {run.returncode}"
