"""Keeps a player program: starts it isolated and limited, and leaves no process of it behind.

Run by `process.py` as a script of its own, with nothing but the standard library:

    python keeper.py CONTROL CONFIGURATION COMMAND...

The program gets this process's standard streams. CONFIGURATION says how it is isolated:

bubblewrap   This process is the first one in namespaces of its own. When it ends, the kernel ends
             everything.
none         The program is a child of this process, which on Linux adopts whatever the program leaves
             behind (it is a "subreaper"), even what has left the process group and the session.

A program can read this command line in /proc: it has nothing of anybody else.

When the referee closes the CONTROL socket, or dies, everything is killed. What happens is written to the
socket, a line each: `exit STATUS`, `memory MB` if the program was ended for using more memory than
allowed, `failed REASON` if it could not be isolated.
"""

from __future__ import annotations

import contextlib
import json
import os
import select
import signal
import socket
import sys
from typing import Any

PR_SET_DUMPABLE, PR_SET_CHILD_SUBREAPER = 4, 36
SYS_KEYCTL = {"x86_64": 250, "aarch64": 219, "riscv64": 219}
JOIN_SESSION_KEYRING = 1
WATCH_S = 0.05
"""Seconds between two measurements of the program's memory."""


def main() -> None:
    """Start the program, wait for its end or the referee's, and clean up."""
    control = socket.socket(fileno=int(sys.argv[1]))
    configuration = json.loads(sys.argv[2])
    os.dup2(configuration["stdout"], 1)
    os.close(configuration["stdout"])
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the referee's to handle
    if configuration["isolation"] == "bubblewrap":
        close_doors()
    else:
        become_subreaper()
    Tender(control, configuration, sys.argv[3:]).run()


def close_doors() -> None:
    """Keep what this process may do, and the keys of its session, from the program."""
    import ctypes

    libc = ctypes.CDLL(None)
    libc.prctl(PR_SET_DUMPABLE, 0, 0, 0, 0)  # nobody may trace it or open its files through /proc
    if number := SYS_KEYCTL.get(os.uname().machine):
        libc.syscall(number, JOIN_SESSION_KEYRING, None)


# The program itself


class Tender:
    """The process above the program: starts it, collects what has ended, watches its memory."""

    def __init__(
        self, control: socket.socket, configuration: dict[str, Any], command: list[str]
    ) -> None:
        self.control = control
        self.command = command
        self.limits: dict[str, int] = configuration["limits"]
        self.is_isolated: bool = configuration["isolation"] != "none"
        self.group: list[int] | None = configuration["group"]
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
            used_mb = self.used_mb()
            if used_mb > self.limits["memory_mb"]:
                self.tell(f"memory {used_mb}")
                break
            if wake in ready:
                os.read(wake, 1024)
                self.collect()
        kill_all(self.program)

    def used_mb(self) -> int:
        """Return the memory that the program uses; exact if it is more than allowed."""
        most_mb = self.limits["memory_mb"]
        if self.group:
            events = os.pread(self.group[1], 4096, 0).split()
            counts = dict(zip(events[::2], events[1::2], strict=False))
            return most_mb + 1 if int(counts.get(b"oom_kill", 0)) else 0
        return memory_mb(descendants(), most_mb, self.is_isolated) if self.can_watch else 0

    def become_program(self) -> None:
        """Turn this process, a child, into the program."""
        try:
            self.control.close()
            if self.group:
                os.write(self.group[0], b"0")  # this process
                for file in self.group:
                    os.close(file)
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
    """Close the standard streams, or the end of the program's output would go unnoticed."""
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

    wanted = {"RLIMIT_CORE": 0, "RLIMIT_CPU": limits["cpu_s"], "RLIMIT_NOFILE": limits["files"]}
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


# KB of memory for each of what /proc/PID/status has a line for. The last two are the kernel's: a stack
# for each thread, and a buffer for each file that may be the end of a pipe.
WEIGHTS = {"RssAnon:": 1, "VmSwap:": 1, "HugetlbPages:": 1, "VmPTE:": 1, "Threads:": 32, "FDSize:": 4}
SOCKET_KB = 416
"""The largest buffer of a socket: twice the default of net.core.wmem_max."""
DATAGRAMS = 11
"""Messages that wait for one socket of datagrams, each of which may be as large."""


def memory_mb(processes: list[int], most_mb: int, is_isolated: bool) -> int:
    """Return the memory that processes have taken, shared memory and memory files included.

    No resource limit counts shared memory, or more than one process. The number is exact if it is more
    than *most_mb*; else memory that several processes share may count more than once.
    """
    # Isolated programs can share memory in files only, all of which are in /dev/shm and /tmp.
    weights = WEIGHTS if is_isolated else WEIGHTS | {"RssShmem:": 1}
    rest_kb = _scratch_kb() + _sockets_kb() if is_isolated else _memory_files_kb(processes)
    used_kb = rest_kb + sum(_read_kb(process, "status", weights) for process in processes)
    if used_kb > 1024 * most_mb and len(processes) > 1:
        # Proportional sums count once what is shared, but take a while to find out.
        shared = {"RssAnon:", "RssShmem:"}
        own = {key: weight for key, weight in weights.items() if key not in shared}
        parts = {"Pss_Anon:": 1} if is_isolated else {"Pss_Anon:": 1, "Pss_Shmem:": 1}
        used_kb = rest_kb + sum(
            _read_kb(process, "status", own) + shared_kb
            if (shared_kb := _read_kb(process, "smaps_rollup", parts))
            else _read_kb(process, "status", weights)
            for process in processes
        )
    return used_kb // 1024


FILE_KB = 2
"""What the kernel keeps of a file in memory that is empty: its node and its name."""


def _scratch_kb() -> int:
    """What the files in the folders for scratch hold, which are in memory, and the files themselves."""
    kb = 0
    for folder in ("/dev/shm", "/tmp"):
        state = os.statvfs(folder)
        kb += (state.f_blocks - state.f_bfree) * state.f_frsize // 1024
        kb += FILE_KB * (state.f_files - state.f_ffree)
    return kb


def _sockets_kb() -> int:
    """What the sockets of the network namespace may hold, also those that no process has open."""
    with open("/proc/self/net/unix") as file:
        kinds = [line.split()[4] for line in file][1:]
    return SOCKET_KB * sum(DATAGRAMS if kind == "0002" else 1 for kind in kinds)


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


def _read_kb(process: int, name: str, weights: dict[str, int]) -> int:
    """Return the sum of some lines of a file in /proc; 0 if it cannot be read."""
    try:
        with open(f"/proc/{process}/{name}") as file:
            words = [line.split(None, 2) for line in file]
            return sum(weights[line[0]] * int(line[1]) for line in words if line[0] in weights)
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
