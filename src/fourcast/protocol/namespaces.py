"""Namespaces of its own for a player program, by the system calls of Linux.

Imported by `keeper.py`, which runs with nothing but the standard library. The program gets a process
tree that dies with its first process, a network with no way out, and a file system of its own: what
`View` lists, read-only, a /proc that shows its own processes, and a /tmp and /dev/shm in memory. It has
no capabilities.

The same is done by bubblewrap if that is installed; `bubblewrap_words` has its command line.

Commands that may start a program load this at once, so ctypes is imported by the system calls only.
"""

from __future__ import annotations

import functools
import os
import signal
from typing import TYPE_CHECKING, TypedDict

if TYPE_CHECKING:
    import ctypes


class View(TypedDict):
    """What a program may see of the file system, as absolute paths."""

    readable: list[str]
    hidden: list[str]
    """Files and folders below the readable ones that are covered by empty ones."""
    directory: str
    """Where the program starts."""
    scratch_mb: int
    """Size of /tmp and of /dev/shm."""


CLONE_NEWNS, CLONE_NEWUTS, CLONE_NEWIPC = 0x00020000, 0x04000000, 0x08000000
CLONE_NEWUSER, CLONE_NEWPID, CLONE_NEWNET = 0x10000000, 0x20000000, 0x40000000
MS_NOSUID, MS_NODEV, MS_NOEXEC, MS_BIND, MS_REC, MS_PRIVATE = 2, 4, 8, 4096, 16384, 1 << 18
MNT_DETACH = 2
PR_SET_PDEATHSIG, PR_SET_DUMPABLE, PR_SET_NO_NEW_PRIVS = 1, 4, 38
SYS_MOUNT_SETATTR = 442  # of Linux 5.12; the same number on all processors
AT_FDCWD, AT_RECURSIVE = -100, 0x8000
MOUNT_ATTR_RDONLY, MOUNT_ATTR_NOSUID, MOUNT_ATTR_NODEV = 1, 2, 4
SYS_PIVOT_ROOT = {"x86_64": 155, "aarch64": 41, "riscv64": 41}

OLD_ROOT = "/.old-root"
DEVICES = ("null", "zero", "full", "random", "urandom")
USER_INSIDE = 1000
"""The program's user and group inside if it is root outside: root would keep its capabilities."""


@functools.cache
def _libc() -> ctypes.CDLL:
    """Return the C library, which other systems do not have under this name."""
    import ctypes

    return ctypes.CDLL(None, use_errno=True)


def _check(result: int, what: str) -> None:
    import ctypes

    if result != 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")


def unshare(flags: int) -> None:
    """Leave namespaces of the parent."""
    import ctypes

    _check(_libc().unshare(ctypes.c_int(flags)), "unshare")


def prctl(option: int, value: int) -> None:
    """Set an attribute of this process."""
    import ctypes

    _check(_libc().prctl(option, ctypes.c_ulong(value), 0, 0, 0), "prctl")


def mount(source: str, target: str, kind: str = "", flags: int = 0, options: str = "") -> None:
    """Mount something at *target*."""
    import ctypes

    words = [word.encode() if word else None for word in (source, target, kind)]
    result = _libc().mount(*words, ctypes.c_ulong(flags), options.encode() if options else None)
    _check(result, f"mount {target}")


def make_read_only(target: str, *, recursive: bool = True) -> None:
    """Make a mount read-only, without devices and set-user-id programs, with all that lies below."""
    import ctypes

    attributes = MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV
    arguments = (ctypes.c_uint64 * 4)(attributes, 0, 0, 0)
    flags = AT_RECURSIVE if recursive else 0
    result = _libc().syscall(
        ctypes.c_long(SYS_MOUNT_SETATTR),
        ctypes.c_int(AT_FDCWD),
        target.encode(),
        ctypes.c_uint(flags),
        arguments,
        ctypes.c_size_t(ctypes.sizeof(arguments)),
    )
    _check(result, f"mount_setattr {target}")


def enter_user_and_process_namespace() -> None:
    """Give this process a user namespace, and its children a process tree of their own.

    The next child is process 1 of that tree: when it ends, the kernel ends all others.
    """
    user, group = os.getuid(), os.getgid()
    unshare(CLONE_NEWUSER | CLONE_NEWPID)
    inside = (user or USER_INSIDE, group or USER_INSIDE)
    for name, line in (
        ("setgroups", "deny"),
        ("uid_map", f"{inside[0]} {user} 1"),
        ("gid_map", f"{inside[1]} {group} 1"),
    ):
        with open(f"/proc/self/{name}", "w") as file:
            file.write(line)


def become_first_process(view: View) -> None:
    """Set up the other namespaces, in the child after `enter_user_and_process_namespace`."""
    prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    unshare(CLONE_NEWNS | CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWUTS)
    _enter_root(view)
    with open("/proc/sys/user/max_user_namespaces", "w") as file:
        file.write("0")  # a namespace inside would have capabilities again
    # The settings of the kernel belong to root, and a program that root runs is root's outside.
    make_read_only("/proc")
    close_doors()


def close_doors() -> None:
    """Keep what this process may do from its children."""
    prctl(PR_SET_NO_NEW_PRIVS, 1)
    prctl(PR_SET_DUMPABLE, 0)  # nobody may trace it or open its files through /proc


def _enter_root(view: View) -> None:
    """Make a root of what may be seen, and leave the old one."""
    import ctypes

    layout = Layout(view)
    mount("none", "/", flags=MS_REC | MS_PRIVATE)
    # Over any folder: as soon as it is the root, what was below is to be seen again in the old one.
    mount("tmpfs", "/tmp", "tmpfs", MS_NOSUID | MS_NODEV, "mode=755,size=1m")
    os.mkdir(f"/tmp{OLD_ROOT}")
    os.chdir("/tmp")
    number = SYS_PIVOT_ROOT.get(os.uname().machine)
    if number is None:
        raise OSError(f"pivot_root is not known for {os.uname().machine}")
    _check(_libc().syscall(ctypes.c_long(number), b".", f".{OLD_ROOT}".encode()), "pivot_root")
    os.chdir("/")
    _mount_own_folders(view["scratch_mb"])
    for path in layout.bound:
        _make_mount_point(path, is_folder=os.path.isdir(OLD_ROOT + path))
        mount(OLD_ROOT + path, path, flags=MS_BIND | MS_REC)
        make_read_only(path)
    for link, target in layout.links.items():
        os.makedirs(os.path.dirname(link), exist_ok=True)
        os.symlink(target, link)
    for path in layout.hidden:
        if os.path.isdir(path):
            mount("tmpfs", path, "tmpfs", MS_NOSUID | MS_NODEV, "mode=755,size=4k")
            make_read_only(path)
        else:
            mount("/dev/null", path, flags=MS_BIND)
    os.makedirs(view["directory"], exist_ok=True)
    _check(_libc().umount2(OLD_ROOT.encode(), MNT_DETACH), "umount")
    os.rmdir(OLD_ROOT)
    make_read_only("/", recursive=False)
    os.chdir(view["directory"])


def _make_mount_point(path: str, *, is_folder: bool) -> None:
    os.makedirs(path if is_folder else os.path.dirname(path), exist_ok=True)
    if not is_folder:
        os.close(os.open(path, os.O_CREAT | os.O_WRONLY))


def _mount_own_folders(scratch_mb: int) -> None:
    for folder in ("/proc", "/dev", "/dev/shm", "/tmp"):
        os.mkdir(folder)
    mount("proc", "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC)
    for device in DEVICES:
        os.close(os.open(f"/dev/{device}", os.O_CREAT | os.O_WRONLY))
        mount(f"{OLD_ROOT}/dev/{device}", f"/dev/{device}", flags=MS_BIND)
    for name, target in (("fd", ""), ("stdin", "/0"), ("stdout", "/1"), ("stderr", "/2")):
        os.symlink(f"/proc/self/fd{target}", f"/dev/{name}")
    for folder in ("/dev/shm", "/tmp"):
        mount("tmpfs", folder, "tmpfs", MS_NOSUID | MS_NODEV, f"mode=1777,size={scratch_mb}m")


def bubblewrap_words(view: View) -> list[str]:
    """Return the options of bubblewrap for the same isolation.

    Not among them is `--die-with-parent`: the parent is the thread that starts it, which may end before
    the game does. The first process ends when the referee closes its socket.
    """
    words = ["--unshare-all", "--unshare-user", "--disable-userns", "--cap-drop", "ALL"]
    words += ["--as-pid-1"]
    if os.getuid() == 0:
        words += ["--uid", str(USER_INSIDE), "--gid", str(USER_INSIDE)]
    size = str(view["scratch_mb"] * 2**20)
    words += ["--proc", "/proc", "--dev", "/dev"]
    words += ["--size", size, "--tmpfs", "/dev/shm", "--size", size, "--tmpfs", "/tmp"]
    layout = Layout(view)
    for path in layout.bound:
        words += ["--ro-bind", path, path]
    for link, target in layout.links.items():
        words += ["--symlink", target, link]
    for path in layout.hidden:
        words += ["--tmpfs", path] if os.path.isdir(path) else ["--ro-bind", "/dev/null", path]
    words += ["--dir", view["directory"], "--chdir", view["directory"]]
    return [*words, "--remount-ro", "/proc", "--remount-ro", "/"]


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
