"""The repository, reached without touching anybody's files.

A temporary bare repository fetches the branch, makes a commit of the changed files, and pushes it. The
push is the one moment at which anything happens: killed before it nothing was done, killed after it all
was.
"""

from __future__ import annotations

import base64
import enum
import os
import re
import subprocess
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from fourcast.errors import CommunityError

__all__ = ["Branch", "GitError", "Pushed"]

AUTHOR = ("github-actions[bot]", "41898282+github-actions[bot]@users.noreply.github.com")
TIMEOUT_S = 120.0
_FETCH_ATTEMPTS = 3

# What git says when somebody else was quicker. All else will not pass by trying again on a new state.
_RACE = re.compile(
    r"fetch first|non-fast-forward|stale info|cannot lock ref|failed to update ref"
    r"|incorrect old value|reference already exists|failed to lock"
)


# Variables by which a hook or another caller of ours would lead git to a repository of its own.
_ELSEWHERE = (
    "GIT_ALTERNATE", "GIT_COMMON_DIR", "GIT_DIR", "GIT_INDEX_FILE", "GIT_OBJECT_DIR", "GIT_NAMESPACE",
    "GIT_SHALLOW_FILE", "GIT_WORK_TREE",
)  # fmt: skip


class GitError(CommunityError):
    """Git cannot do what it should, with what it says about it."""


class Pushed(enum.Enum):
    """What became of a push."""

    DONE = "done"
    RACED = "raced"  # somebody else pushed: fetch, and look again
    UNSURE = "unsure"  # the connection broke: fetch, and see whether it arrived


class Branch:
    """One branch of a remote repository.

    *token* is handed to git in its environment, not on a command line that others could read.
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
            raise CommunityError(f"{name!r} is not a branch that can be played on")
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
        """Get the newest state; return whether it is another than before."""
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
        """Return the content of files, None for those that are not there."""
        asked = "".join(f"{self.head}:{path}\n" for path in paths).encode()
        output = self._git("cat-file", "--batch", stdin=asked)
        contents: list[bytes | None] = []
        for _ in paths:
            line, _, output = output.partition(b"\n")
            words = line.rsplit(b" ", 2)
            if len(words) == 3 and words[1] == b"blob":
                size = int(words[2])
                contents.append(output[:size])
                output = output[size + 1 :]
            elif len(words) == 3 and words[1] in (b"tree", b"commit"):
                raise GitError(f"{words[0].decode(errors='replace')} is not a file")
            else:
                contents.append(None)
        return contents

    def push(self, files: Mapping[str, bytes], message: str) -> Pushed:
        """Commit the *files* on top of what was fetched, and push; that is then the state we know.

        Raises `GitError` if the push is refused for another reason than that somebody was quicker.
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
        modes = self._modes(files)
        text = message.encode()
        who = f"{AUTHOR[0]} <{AUTHOR[1]}> {int(time.time())} +0000".encode()
        stream = [b"commit refs/fourcast/next\n", b"committer " + who + b"\n"]
        stream += [b"data %d\n" % len(text), text, b"\nfrom " + self.head.encode() + b"\n"]
        for path, content in files.items():
            stream += [b"M %s inline %s\n" % (modes[path], path.encode()), b"data %d\n" % len(content)]
            stream += [content, b"\n"]
        # A ref that is left from a try that was raced would stand in the way without --force.
        self._git("fast-import", "--quiet", "--force", stdin=b"".join(stream))
        return self._git("rev-parse", "refs/fourcast/next").decode().strip()

    def _modes(self, paths: Mapping[str, bytes]) -> dict[str, bytes]:
        """The modes of files: an executable one stays so; no link is ours to replace."""
        modes = dict.fromkeys(paths, b"100644")
        output = self._git("ls-tree", "-z", self.head, "--", *paths)
        for entry in output.split(b"\0")[:-1]:
            about, _, path = entry.partition(b"\t")
            mode = about.split(b" ")[0]
            if mode not in (b"100644", b"100755"):
                raise GitError(f"{path.decode(errors='replace')} is not a plain file")
            modes[path.decode()] = mode
        return modes

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
