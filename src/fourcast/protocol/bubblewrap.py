"""The command line of bubblewrap, which isolates a player program.

The program gets a process tree that dies with its first process, a network with no way out, and a file
system of its own: what `View` lists, read-only, a /proc that shows its own processes, and a /tmp and
/dev/shm in memory. It has no capabilities, and `seccomp` refuses it some system calls.
"""

from __future__ import annotations

import os
from typing import TypedDict

__all__ = ["Layout", "View", "bubblewrap_words", "is_below"]

# Not among them is /dev/zero: a shared mapping of it is memory that nobody can count.
DEVICES = ("null", "full", "random", "urandom")
USER_INSIDE = 1000
"""The program's user and group inside if it is root outside: root would keep its capabilities."""


class View(TypedDict):
    """What a program may see of the file system, as absolute paths."""

    readable: list[str]
    hidden: list[str]
    """Files and folders below the readable ones that are covered by empty ones."""
    directory: str
    """Where the program starts."""
    scratch_mb: int
    """Size of /tmp and of /dev/shm."""


def bubblewrap_words(view: View) -> list[str]:
    """Return the options of bubblewrap for a program with this view.

    Not among them is `--die-with-parent`: the parent is the thread that starts it, which may end before
    the game does. The first process ends when the referee closes its socket.
    """
    words = ["--unshare-all", "--unshare-user", "--disable-userns", "--cap-drop", "ALL"]
    words += ["--as-pid-1", "--hostname", "sandbox"]
    if os.getuid() == 0:
        words += ["--uid", str(USER_INSIDE), "--gid", str(USER_INSIDE)]
    words += ["--proc", "/proc", "--size", "65536", "--tmpfs", "/dev"]
    for device in DEVICES:
        words += ["--dev-bind", f"/dev/{device}", f"/dev/{device}"]
    for name, target in (("fd", ""), ("stdin", "/0"), ("stdout", "/1"), ("stderr", "/2")):
        words += ["--symlink", f"/proc/self/fd{target}", f"/dev/{name}"]
    for listing in ("/proc/keys", "/proc/key-users"):  # they have keys of this user, by name
        words += ["--ro-bind", "/dev/null", listing] if os.path.exists(listing) else []
    size = str(view["scratch_mb"] * 2**20)
    words += ["--size", size, "--tmpfs", "/dev/shm", "--size", size, "--tmpfs", "/tmp"]
    layout = Layout(view)
    for path in layout.bound:
        words += ["--ro-bind", path, path]
    for link, target in layout.links.items():
        words += ["--symlink", target, link]
    for path in layout.hidden:
        words += ["--tmpfs", path] if os.path.isdir(path) else ["--ro-bind", "/dev/null", path]
    words += ["--dir", view["directory"], "--chdir", view["directory"]]
    return [*words, "--remount-ro", "/proc", "--remount-ro", "/dev", "--remount-ro", "/"]


class Layout:
    """Where the paths of a view really are, and the symbolic links that lead there."""

    def __init__(self, view: View) -> None:
        links: dict[str, str] = {}
        self.bound: list[str] = []
        for path in sorted({_follow(path, links) for path in view["readable"]}, key=len):
            if os.path.exists(path) and not self._is_visible(path):
                self.bound.append(path)
        self.links = {link: target for link, target in links.items() if not self._is_visible(link)}
        hidden = {os.path.realpath(path) for path in view["hidden"]}
        self.hidden = [path for path in hidden if os.path.exists(path) and self._is_visible(path)]

    def _is_visible(self, path: str) -> bool:
        return any(is_below(path, above) for above in self.bound)


def _follow(path: str, links: dict[str, str]) -> str:
    """Return where *path* leads; the symbolic links on the way go into *links*."""
    done = ""
    parts = [part for part in path.split("/") if part]
    for place, part in enumerate(parts):
        done = f"{done}/{part}"
        if os.path.islink(done) and len(links) < 1000:
            links[done] = os.readlink(done)
            rest = os.path.join(os.path.dirname(done), links[done], *parts[place + 1 :])
            return _follow(os.path.normpath(rest), links)
    return done


def is_below(path: str, above: str) -> bool:
    """Whether *path* is *above* or lies below it."""
    return path == above or path.startswith(above.rstrip("/") + "/")
