"""The process of a player program, started and ended by `keeper.py`, with its three streams.

Nothing here blocks for longer than it was told to, whatever the program does: all streams are read and
written by one selector, standard error is read all the time, and what is kept of either is bounded.
"""

from __future__ import annotations

import contextlib
import json
import os
import selectors
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from fourcast.protocol.bubblewrap import View, bubblewrap_words
from fourcast.protocol.cgroup import MemoryGroup
from fourcast.protocol.seccomp import seccomp_filter

MAX_OUTPUT = 1_048_576
"""Bytes that a program may write to standard output in a game."""
KEPT_ERRORS = 65_536
"""Bytes of standard error that are kept, the last ones."""
LIMITS = {"cpu_s": 3600, "file_mb": 64, "files": 1024}
CLOSE_S = 10.0
"""Seconds that the keeper has to end everything."""

_KEEPER = Path(__file__).with_name("keeper.py")
_CHUNK = 65_536


class ProgramProcess:
    """A program that runs, with everything that it has started.

    *isolation* is `none`, or `bubblewrap` with the *view* that the program has of the file system. Use
    it as a context manager, or call `close`.
    """

    def __init__(
        self,
        command: Sequence[str],
        *,
        isolation: str,
        view: View,
        environment: Mapping[str, str],
        memory_mb: int,
    ) -> None:
        self.output = bytearray()
        """Standard output that `take_line` has not returned yet."""
        self.output_bytes = 0
        """How much it has written in all; more than MAX_OUTPUT is not read."""
        self.has_ended_output = False
        self.exit_status: int | None = None
        """How the program ended, negative for a signal; None while it runs."""
        self.used_too_much_mb = 0
        """The memory that it was ended for, or 0."""
        self.isolation_failure = ""
        """Why it could not be isolated, and was not started."""
        self._errors = bytearray()
        self._said = bytearray()  # by the keeper
        self._to_send = bytearray()
        self._selector = selectors.DefaultSelector()
        self._is_isolated = isolation != "none"
        self._mark = f"FOURCAST_PROGRAM={os.urandom(16).hex()}"
        self._control, theirs = socket.socketpair()
        stdout, their_stdout = os.pipe()
        self._stdout = open(stdout, "rb", buffering=0)  # noqa: SIM115  # closed in close()
        self._group = MemoryGroup.make(memory_mb)
        group = [self._group.procs, self._group.events] if self._group else []
        configuration = {
            "isolation": isolation,
            "limits": LIMITS | {"memory_mb": memory_mb},
            # Not as its standard output, which bubblewrap would keep open: the end would not be seen.
            "stdout": their_stdout,
            "group": group or None,
        }
        # -I and -S: nothing of the environment or of installed packages is read.
        words = [sys.executable, "-IS", str(_KEEPER), str(theirs.fileno()), json.dumps(configuration)]
        passed = [theirs.fileno(), their_stdout]
        if self._is_isolated:
            words = ["bwrap", *bubblewrap_words(view), "--", *words]
            if rules := seccomp_filter():
                passed.append(_readable(rules))
                words[1:1] = ["--seccomp", str(passed[-1])]
        key, _, value = self._mark.partition("=")
        try:
            self._keeper = subprocess.Popen(
                [*words, *command],
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                bufsize=0,
                pass_fds=[*passed, *group],
                start_new_session=True,
                cwd=view["directory"],
                env={**environment, key: value},
            )
        except BaseException:
            self._stdout.close()
            self._control.close()
            if self._group:
                self._group.close()
            raise
        finally:
            theirs.close()
            for descriptor in passed[1:]:
                os.close(descriptor)
        assert self._keeper.stdin
        assert self._keeper.stderr
        self._stdin, self._stderr = self._keeper.stdin, self._keeper.stderr
        for stream, read in (
            (self._stdout, self._read_output),
            (self._stderr, self._read_errors),
            (self._control, self._read_control),
        ):
            os.set_blocking(stream.fileno(), False)
            self._selector.register(stream, selectors.EVENT_READ, read)
        os.set_blocking(self._stdin.fileno(), False)

    @property
    def standard_error(self) -> str:
        """The last 64 KiB of what the program has written to standard error."""
        return self._errors.decode("utf-8", "replace")

    def send(self, data: bytes) -> None:
        """Have *data* written to the program's standard input, as it reads it."""
        if not self._to_send and not self._stdin.closed:
            self._selector.register(self._stdin, selectors.EVENT_WRITE, self._write_input)
        self._to_send += data

    def step(self, time_s: float = 0.0) -> None:
        """Read and write what is ready, and wait *time_s* for it if nothing is."""
        for key, _ in self._selector.select(max(time_s, 0.0)):
            key.data()

    def take_line(self) -> bytes | None:
        """Return the next whole line of standard output, without its end, or None."""
        if b"\n" not in self.output:
            return None
        line, _, rest = self.output.partition(b"\n")
        self.output = bytearray(rest)
        return bytes(line)

    def end_input(self, last_words: bytes = b"") -> None:
        """Close the program's standard input, after *last_words*."""
        if self._stdin.closed:
            return
        if self._to_send:
            self._selector.unregister(self._stdin)
            self._to_send.clear()
        with contextlib.suppress(OSError):
            os.write(self._stdin.fileno(), last_words)
        with contextlib.suppress(OSError):
            self._stdin.close()

    def wait_for_end(self, time_s: float) -> int | None:
        """Return the exit status of the program, or None if it does not end in time."""
        end = time.monotonic() + time_s
        while self._is_running() and (left := end - time.monotonic()) > 0:
            self.step(left)
        return self.exit_status

    def _is_running(self) -> bool:
        return self.exit_status is None and not self.used_too_much_mb and not self._is_forsaken()

    def _is_forsaken(self) -> bool:
        """Whether the keeper is gone, so that nothing more will be known."""
        return self._control not in self._selector.get_map()

    def close(self) -> None:
        """End the program and all that it has started. May be called twice."""
        if self._stdout.closed:
            return
        self.end_input()
        self.step()
        self._control.close()  # the sign for the keeper
        try:
            self._keeper.wait(CLOSE_S)
        except subprocess.TimeoutExpired:
            self._keeper.kill()
            self._keeper.wait()
        if self._keeper.returncode and not self._is_isolated:  # the program has killed its keeper
            self._kill_marked()
        if self._group:
            self._group.close()
        self._selector.close()
        self._stdout.close()
        self._stderr.close()

    def __enter__(self) -> ProgramProcess:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # What is ready

    def _write_input(self) -> None:
        try:
            del self._to_send[: os.write(self._stdin.fileno(), self._to_send)]
        except BlockingIOError:
            return
        except OSError:  # it has closed its input; its output still counts
            self._to_send.clear()
        if not self._to_send:
            self._selector.unregister(self._stdin)

    def _read_output(self) -> None:
        with contextlib.suppress(BlockingIOError):
            chunk = os.read(self._stdout.fileno(), _CHUNK)
            self.output += chunk
            self.output_bytes += len(chunk)
            self.has_ended_output = not chunk
            if not chunk or self.output_bytes > MAX_OUTPUT:
                self._selector.unregister(self._stdout)

    def _read_errors(self) -> None:
        with contextlib.suppress(BlockingIOError):
            chunk = os.read(self._stderr.fileno(), _CHUNK)
            if not chunk:
                self._selector.unregister(self._stderr)
            self._errors += chunk
            del self._errors[:-KEPT_ERRORS]

    def _read_control(self) -> None:
        try:
            chunk = self._control.recv(4096)
        except BlockingIOError:
            return
        except OSError:
            chunk = b""
        if not chunk:
            self._selector.unregister(self._control)
        self._said += chunk
        while b"\n" in self._said:
            line, _, rest = self._said.partition(b"\n")
            self._said = bytearray(rest)
            word, _, value = line.decode("utf-8", "replace").partition(" ")
            if word == "exit":
                self.exit_status = int(value)
            elif word == "memory":
                self.used_too_much_mb = int(value)
            elif word == "failed":
                self.isolation_failure = value

    def _kill_marked(self) -> None:
        """Without a keeper: end all processes with the mark of this program in their environment."""
        mark = self._mark.encode()
        for _ in range(100):
            found = False
            for entry in Path("/proc").glob("[0-9]*"):
                with contextlib.suppress(OSError):
                    if mark in (entry / "environ").read_bytes() and int(entry.name) != os.getpid():
                        os.kill(int(entry.name), signal.SIGKILL)
                        found = True
            if not found:
                return
            time.sleep(0.01)


def _readable(content: bytes) -> int:
    """Return a descriptor from which *content* can be read, which is shorter than a pipe."""
    reading, writing = os.pipe()
    os.write(writing, content)
    os.close(writing)
    return reading
