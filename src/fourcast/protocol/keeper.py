"""Keeps a player program: starts it with limits, and leaves no process of it behind.

Run by `program.py` as a script of its own, with nothing but the standard library:

    python keeper.py CONTROL LIMITS COMMAND...

The program gets this process's standard streams. On Linux this process adopts whatever the program
leaves behind (it is a "subreaper"), even what has left the process group and the session. When the
referee closes the CONTROL socket, or dies, everything is killed; how the program itself has ended is
written to the socket when it happens.
"""

import contextlib
import json
import os
import select
import signal
import socket
import sys

PR_SET_CHILD_SUBREAPER = 36


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


def main() -> None:
    """Start the program, wait for its end or the referee's, and clean up."""
    control = socket.socket(fileno=int(sys.argv[1]))
    limits = json.loads(sys.argv[2])
    command = sys.argv[3:]
    become_subreaper()
    wake_read, wake_write = os.pipe()
    os.set_blocking(wake_write, False)
    signal.set_wakeup_fd(wake_write)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the referee's to handle
    program = os.fork()
    if program == 0:
        try:
            control.close()
            os.close(wake_read)
            os.close(wake_write)
            os.setsid()
            for number in (signal.SIGPIPE, signal.SIGINT, signal.SIGCHLD):
                signal.signal(number, signal.SIG_DFL)
            limit(limits)
            os.execvp(command[0], command)
        except OSError as error:
            os.write(2, f"{command[0]}: {error.strerror}\n".encode())
        except BaseException as error:
            os.write(2, f"{error!r}\n".encode())
        os._exit(127)
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(nowhere, stream)  # or the end of the program's output would not be seen
    while True:
        ready = select.select([control.fileno(), wake_read], [], [])[0]
        if control.fileno() in ready and not control.recv(1):
            break
        if wake_read in ready:
            os.read(wake_read, 1024)
            try:
                while True:
                    ended, status = os.waitpid(-1, os.WNOHANG)
                    if ended == 0:
                        break
                    if ended == program:
                        control.send(f"{os.waitstatus_to_exitcode(status)}\n".encode())
            except ChildProcessError:
                pass
            except OSError:
                break
    kill_all(program)


if __name__ == "__main__":
    main()
