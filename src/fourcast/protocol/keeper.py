"""Keeps a player program: starts it isolated and limited, and leaves no process of it behind.

Run by `process.py` as a script of its own, with nothing but the standard library:

    python keeper.py CONTROL CONFIGURATION COMMAND...

The program gets this process's standard streams. CONFIGURATION says how it is isolated:

namespaces   This process guards a first process in namespaces of its own, which starts the program and
             cleans up after it. When either of the two ends, the kernel ends everything.
bubblewrap   This process is that first process already.
none         The program is a child of this process, which on Linux adopts whatever the program leaves
             behind (it is a "subreaper"), even what has left the process group and the session.

When the referee closes the CONTROL socket, or dies, everything is killed. What happens is written to the
socket, a line each: `exit STATUS`, `memory MB` if the program was ended for using more memory than
allowed, `failed REASON` if it could not be isolated.
"""

from __future__ import annotations

import contextlib
import importlib
import json
import os
import select
import signal
import socket
import sys
from types import ModuleType
from typing import Any

PR_SET_CHILD_SUBREAPER = 36
WATCH_S = 0.05
"""Seconds between two looks at the memory that the program uses."""


def main() -> None:
    """Start the program, wait for its end or the referee's, and clean up."""
    control = socket.socket(fileno=int(sys.argv[1]))
    configuration = json.loads(sys.argv[2])
    os.dup2(configuration["stdout"], 1)
    os.close(configuration["stdout"])
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the referee's to handle
    tender = Tender(control, configuration["limits"], sys.argv[3:])
    if configuration["isolation"] == "namespaces":
        guard(control, start_isolated(tender, configuration["view"]))
        return
    if configuration["isolation"] == "bubblewrap":
        import_namespaces().close_doors()
    else:
        become_subreaper()
    tender.run()


def import_namespaces() -> ModuleType:
    """Return the module `namespaces.py` beside this file, which a script run with -I has no path to."""
    sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
    try:
        return importlib.import_module("namespaces")
    finally:
        sys.path.pop(0)


# Isolated programs


def start_isolated(tender: Tender, view: dict[str, Any]) -> int:
    """Start the first process of new namespaces; return its process id."""
    try:
        namespaces = import_namespaces()
        namespaces.enter_user_and_process_namespace()
        first = os.fork()
        if first:
            return first
        namespaces.become_first_process(view)
        tender.run()
    except OSError as error:
        tender.tell(f"failed {error.strerror or error}")
        os._exit(3)
    os._exit(0)


def guard(control: socket.socket, first: int) -> None:
    """Wait until the first process ends or the referee closes *control*, and end the first process."""
    release_streams()
    wake = wake_on_children()
    while True:
        ready = select.select([control.fileno(), wake], [], [])[0]
        if control.fileno() in ready and not control.recv(1):
            break
        if wake in ready:
            os.read(wake, 1024)
            if os.waitpid(first, os.WNOHANG)[0]:
                return
    with contextlib.suppress(OSError):
        os.kill(first, signal.SIGKILL)
    os.waitpid(first, 0)


# The program itself


class Tender:
    """The process above the program: starts it, collects what has ended, watches its memory."""

    def __init__(self, control: socket.socket, limits: dict[str, int], command: list[str]) -> None:
        self.control = control
        self.limits = limits
        self.command = command
        self.can_watch = os.path.isdir("/proc/self")

    def run(self) -> None:
        """Start the program and stay until the referee closes the control socket; then kill the rest."""
        wake = wake_on_children()
        self.program = os.fork()
        if self.program == 0:
            self.become_program()
        release_streams()
        while True:
            timeout_s = WATCH_S if self.can_watch else None
            ready = select.select([self.control.fileno(), wake], [], [], timeout_s)[0]
            if self.control.fileno() in ready and not self.control.recv(1):
                break
            if wake in ready:
                os.read(wake, 1024)
                self.collect()
            most_mb = self.limits["memory_mb"]
            used_mb = memory_mb(descendants(), most_mb) if self.can_watch else 0
            if used_mb > most_mb:
                self.tell(f"memory {used_mb}")
                break
        kill_all(self.program)

    def become_program(self) -> None:
        """Turn this process, a child, into the program."""
        try:
            self.control.close()
            os.setsid()
            signal.set_wakeup_fd(-1)
            for number in (signal.SIGPIPE, signal.SIGINT, signal.SIGCHLD):
                signal.signal(number, signal.SIG_DFL)
            limit(self.limits)
            os.execvp(self.command[0], self.command)
        except OSError as error:
            os.write(2, f"{self.command[0]}: {error.strerror}\n".encode())
        except BaseException as error:
            os.write(2, f"{error!r}\n".encode())
        os._exit(127)

    def collect(self) -> None:
        """Collect all children that have ended, and tell how the program has."""
        with contextlib.suppress(ChildProcessError):
            while True:
                ended, status = os.waitpid(-1, os.WNOHANG)
                if ended == 0:
                    return
                if ended == self.program:
                    self.tell(f"exit {os.waitstatus_to_exitcode(status)}")

    def tell(self, line: str) -> None:
        """Write a line to the referee."""
        with contextlib.suppress(OSError):
            self.control.send(line.encode() + b"\n")


def release_streams() -> None:
    """Let go of the standard streams, or the end of the program's output would not be seen."""
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(nowhere, stream)


def wake_on_children() -> int:
    """Return a descriptor that can be read when a child has ended."""
    wake_read, wake_write = os.pipe()
    os.set_blocking(wake_write, False)
    signal.set_wakeup_fd(wake_write)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    return wake_read


def become_subreaper() -> bool:
    """Adopt orphans of all generations below; False where the system cannot."""
    try:
        import ctypes

        return bool(ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) == 0)
    except (ImportError, OSError, AttributeError):
        return False


def limit(limits: dict[str, int]) -> None:
    """Set the resource limits of this process, which is about to become the program."""
    import resource

    wanted = {"RLIMIT_CORE": 0, "RLIMIT_CPU": limits["cpu_s"]}
    # What is written to, and not what is reserved: runtimes with a garbage collector reserve a lot.
    memory = "RLIMIT_DATA" if sys.platform == "linux" else "RLIMIT_AS"
    wanted |= {memory: limits["memory_mb"] * 2**20, "RLIMIT_FSIZE": limits["file_mb"] * 2**20}
    for name, value in wanted.items():
        kind = getattr(resource, name, None)
        if kind is None:
            continue
        hard = resource.getrlimit(kind)[1]
        value = value if hard == resource.RLIM_INFINITY else min(value, hard)
        with contextlib.suppress(ValueError, OSError):  # this system knows the name only
            resource.setrlimit(kind, (value, value))


# All processes of the program


def descendants() -> list[int]:
    """Return all processes below this one, parents first."""
    children: dict[int, list[int]] = {}
    for entry in os.listdir("/proc"):
        if entry.isdecimal():
            try:
                with open(f"/proc/{entry}/stat", "rb") as file:
                    fields = file.read().rpartition(b")")[2].split()
            except OSError:
                continue
            if fields[0] != b"Z":
                children.setdefault(int(fields[1]), []).append(int(entry))
    found: list[int] = []
    queue = [os.getpid()]
    while queue:
        below = children.get(queue.pop(), [])
        found += below
        queue += below
    return found


def memory_mb(processes: list[int], most_mb: int) -> int:
    """Return the memory that processes have taken, shared memory and memory files included.

    No resource limit counts shared memory, or more than one process. The number is exact if it is more
    than *most_mb*; else memory that several processes share may count more than once.
    """
    used_kb = sum(_read_kb(process, "status", "RssAnon:", "RssShmem:") for process in processes)
    used_kb += _memory_files_kb(processes)
    if used_kb > 1024 * most_mb and len(processes) > 1:
        # Proportional sums count once what is shared, but take a while to find out.
        used_kb = sum(
            _read_kb(process, "smaps_rollup", "Pss_Anon:", "Pss_Shmem:")
            or _read_kb(process, "status", "RssAnon:", "RssShmem:")
            for process in processes
        ) + _memory_files_kb(processes)
    return used_kb // 1024


def _memory_files_kb(processes: list[int]) -> int:
    """What open memory files hold, mapped or not."""
    sizes_kb: dict[tuple[int, int], int] = {}
    for process in processes:
        with contextlib.suppress(OSError):
            for name in os.listdir(f"/proc/{process}/fd"):
                link = f"/proc/{process}/fd/{name}"
                if os.readlink(link).startswith("/memfd:"):
                    file = os.stat(link)
                    sizes_kb[file.st_dev, file.st_ino] = file.st_blocks // 2
    return sum(sizes_kb.values())


def _read_kb(process: int, name: str, *keys: str) -> int:
    """Return the sum of some lines of a file in /proc; 0 if it cannot be read."""
    try:
        with open(f"/proc/{process}/{name}") as file:
            return sum(int(line.split()[1]) for line in file if line.startswith(keys))
    except (OSError, ValueError, IndexError):
        return 0


def kill_all(program: int) -> None:
    """End the program and all that it has started, until nothing is left."""
    has_proc = os.path.isdir("/proc/self")
    for _ in range(1000):
        with contextlib.suppress(OSError):
            os.killpg(program, signal.SIGKILL)
        targets = descendants() if has_proc else []
        # Stopped first, so that none of them can start another while the others are killed.
        for kind in (signal.SIGSTOP, signal.SIGKILL):
            for process in targets:
                with contextlib.suppress(OSError):
                    os.kill(process, kind)
        try:
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        except ChildProcessError:
            return
        select.select([], [], [], 0.002)


if __name__ == "__main__":
    main()
