"""The referee's side: a program as a player, which may crash, hang, lie, flood and fork.

It is started without a shell, under limits, by `keeper.py`, which ends all that it has started. One
absolute deadline holds for each move, whatever the program sends in the meantime; its lines and all its
output are bounded; its standard error is read all the time, and the end of it kept.
"""

from __future__ import annotations

import contextlib
import enum
import json
import os
import selectors
import shlex
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from fourcast._core import Position
from fourcast.errors import ForfeitError, IllegalMoveError, InvalidNotationError
from fourcast.notation import quote
from fourcast.players.choosing import refuse_finished
from fourcast.protocol.json_lines import (
    EXIT,
    MAX_LINE,
    format_request,
    parse_answer,
)

MAX_OUTPUT = 1_048_576
"""Bytes that a program may write to standard output in a game."""
KEPT_ERRORS = 65_536
"""Bytes of standard error that are kept, the last ones."""
GRACE_S = 0.5
"""Seconds that a program has to end by itself when the game is over."""

_KEEPER = Path(__file__).with_name("keeper.py")


class Forfeit(str, enum.Enum):
    """What a program did that lost it the game."""

    CRASH = "crash"
    TOO_LATE = "too late"
    ILLEGAL_MOVE = "illegal move"
    GARBAGE = "garbage"
    FLOOD = "flood"
    NO_START = "no start"


class ProgramPlayer:
    """A program that plays by the protocol, started at its first move. A game has a program of its own.

    *command* is a command line, split as a shell would, but run without one; or a list of words.
    *move_time_s* is the time for a move; the first one has *start_time_s* more, to start in.

    Use it as a context manager, or call `close`: it ends the program and all that it has started.

    >>> import sys
    >>> with ProgramPlayer([sys.executable, "-m", "fourcast", "player", "winning"]) as program:
    ...     program.choose(Position("445566")) in (2, 6)
    True
    """

    def __init__(
        self,
        command: str | Sequence[str],
        *,
        name: str | None = None,
        move_time_s: float = 5.0,
        start_time_s: float = 5.0,
        memory_mb: int = 1024,
        directory: str | os.PathLike[str] | None = None,
    ) -> None:
        try:
            self.command = shlex.split(command) if isinstance(command, str) else list(command)
        except ValueError as error:
            raise InvalidNotationError(f"{quote(command)} is not a command: {error}") from None
        if not self.command:
            raise InvalidNotationError(f"{quote(command)} is not a command")
        self.name = name or shlex.join(self.command)
        self.move_time_s = move_time_s
        self.start_time_s = start_time_s
        self.memory_mb = memory_mb
        self.directory = directory
        self.exit_status: int | None = None
        """How the program ended, negative for a signal; None while it runs."""
        self._keeper: subprocess.Popen[bytes] | None = None
        self._errors = bytearray()
        self._failure: ForfeitError | None = None

    # A player

    def choose(self, position: Position) -> int:
        """Return the program's move; raise `ForfeitError` for anything else that it does."""
        refuse_finished(position)
        if self._failure:
            raise self._failure
        try:
            return self._ask(format_request(position), position)
        except ForfeitError as failure:
            self._failure = failure
            self.close()
            raise

    def raw(self, request: dict[str, object], position: Position) -> int:
        """Return the move for a request of another form, which stands for *position*."""
        return self._ask(json.dumps(request), position)

    def end_input(self, last_line: str = "") -> None:
        """Close the program's input, after a last line."""
        if self._keeper and self._keeper.stdin:
            with contextlib.suppress(OSError):
                os.write(self._keeper.stdin.fileno(), last_line.encode())
            self._keeper.stdin.close()

    def wait_for_end(self, time_s: float) -> int | None:
        """Return the exit status of the program, or None if it does not end in time."""
        end = time.monotonic() + time_s
        while self.exit_status is None and time.monotonic() < end:
            self._read_ready(end - time.monotonic())
        return self.exit_status

    def _ask(self, request: str, position: Position) -> int:
        deadline = time.monotonic() + self.move_time_s
        if self._keeper is None:
            self._start()
            deadline += self.start_time_s
        self._read_ready()
        if self._pending:
            raise ForfeitError(Forfeit.GARBAGE.value, f"it spoke before it was asked: {self._shown()}")
        line = self._converse(request.encode() + b"\n", deadline)
        try:
            return parse_answer(line.decode("utf-8", "replace"), position)
        except IllegalMoveError as error:
            raise ForfeitError(Forfeit.ILLEGAL_MOVE.value, str(error)) from None
        except InvalidNotationError as error:
            raise ForfeitError(Forfeit.GARBAGE.value, str(error)) from None

    @property
    def standard_error(self) -> str:
        """The last 64 KiB of what the program has written to standard error."""
        return self._errors.decode("utf-8", "replace")

    def close(self) -> None:
        """Ask the program to end, and end it, with all that it has started. May be called twice."""
        keeper = self._keeper
        if keeper is None:
            return
        assert keeper.stdin
        assert keeper.stdout
        assert keeper.stderr
        if not self._failure:
            with contextlib.suppress(OSError, ValueError):  # closed already
                os.write(keeper.stdin.fileno(), f"{EXIT}\n".encode())
        with contextlib.suppress(OSError):
            keeper.stdin.close()
        with contextlib.suppress(ForfeitError):  # what it says now changes nothing any more
            if self._failure:
                self._read_ready()
            else:
                self.wait_for_end(GRACE_S)
        self._control.close()  # the sign for the keeper
        try:
            keeper.wait(10)
        except subprocess.TimeoutExpired:
            keeper.kill()
            keeper.wait()
        if keeper.returncode:  # the program has killed its keeper, so it is up to us
            self._kill_marked()
        self._selector.close()
        keeper.stdout.close()
        keeper.stderr.close()
        self._keeper = None

    def __enter__(self) -> ProgramPlayer:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # The process

    def _start(self) -> None:
        self.exit_status = None
        self._selector = selectors.DefaultSelector()
        self._pending = bytearray()  # of standard output: what is not a whole line yet
        self._output_bytes = 0
        self._has_ended_output = False
        self._mark = f"FOURCAST_PROGRAM={os.urandom(16).hex()}"
        key, _, value = self._mark.partition("=")
        limits = {"cpu_s": 3600, "memory_mb": self.memory_mb, "file_mb": 64}
        self._control, theirs = socket.socketpair()
        with theirs:
            self._keeper = keeper = subprocess.Popen(
                # -I and -S: nothing of the environment or of installed packages is read.
                [
                    *[sys.executable, "-IS", str(_KEEPER), str(theirs.fileno()), json.dumps(limits)],
                    *self.command,
                ],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                pass_fds=[theirs.fileno()],
                start_new_session=True,
                cwd=self.directory,
                env=os.environ | {key: value},
            )
        for stream in (keeper.stdin, keeper.stdout, keeper.stderr):
            assert stream
            os.set_blocking(stream.fileno(), False)
        self._control.setblocking(False)
        assert keeper.stdout
        assert keeper.stderr
        self._selector.register(keeper.stdout, selectors.EVENT_READ, self._read_output)
        self._selector.register(keeper.stderr, selectors.EVENT_READ, self._read_errors)
        self._selector.register(self._control, selectors.EVENT_READ, self._read_control)

    def _converse(self, request: bytes, deadline: float) -> bytes:
        """Send a line and return the line that comes back, both before the deadline."""
        assert self._keeper
        stdin = self._keeper.stdin
        assert stdin
        to_send = memoryview(request)
        self._selector.register(stdin, selectors.EVENT_WRITE, None)
        try:
            while True:
                if b"\n" in self._pending:
                    line, _, rest = self._pending.partition(b"\n")
                    self._pending = bytearray(rest)
                    if rest:
                        kind = Forfeit.GARBAGE if len(rest) < 4096 else Forfeit.FLOOD
                        raise ForfeitError(kind.value, f"more than one line: {self._shown()}")
                    return bytes(line)
                if self._has_ended_output:
                    raise self._ended()
                left = deadline - time.monotonic()
                if left <= 0:
                    raise ForfeitError(Forfeit.TOO_LATE.value, "no move before the time was over")
                for key, _ in self._selector.select(left):
                    if key.data is not None:
                        key.data()
                    elif to_send:
                        try:
                            to_send = to_send[os.write(stdin.fileno(), to_send) :]
                        except BlockingIOError:
                            continue
                        except OSError:  # nobody reads any more; what was said still counts
                            to_send = to_send[:0]
                        if not to_send:
                            self._selector.unregister(stdin)
        finally:
            with contextlib.suppress(KeyError):
                self._selector.unregister(stdin)

    def _ended(self) -> ForfeitError:
        """What to say of a program that has closed its output; how it ended may be known in a moment."""
        end = time.monotonic() + 0.2
        while self.exit_status is None and time.monotonic() < end:
            self._read_ready(end - time.monotonic())
        last = self.standard_error.strip().rpartition("\n")[2]
        said = f"; its last words were {quote(last)}" if last else ""
        if self.exit_status == 127:
            return ForfeitError(Forfeit.NO_START.value, f"{quote(self.command[0])} cannot be run{said}")
        how = "it closed its output"
        if self.exit_status is not None:
            how = f"it ended with status {self.exit_status}"
            if self.exit_status < 0:
                with contextlib.suppress(ValueError):
                    how = f"it was ended by {signal.Signals(-self.exit_status).name}"
        return ForfeitError(Forfeit.CRASH.value, how + said)

    def _read_ready(self, timeout_s: float = 0) -> None:
        for key, _ in self._selector.select(timeout_s):
            if key.data is not None:
                key.data()

    def _read_output(self) -> None:
        assert self._keeper
        assert self._keeper.stdout
        with contextlib.suppress(BlockingIOError):
            chunk = os.read(self._keeper.stdout.fileno(), 65_536)
            if not chunk:
                self._has_ended_output = True
                self._selector.unregister(self._keeper.stdout)
            self._output_bytes += len(chunk)
            self._pending += chunk
            end = self._pending.find(b"\n")
            if (len(self._pending) if end < 0 else end) > MAX_LINE or self._output_bytes > MAX_OUTPUT:
                self._pending.clear()
                raise ForfeitError(Forfeit.FLOOD.value, f"{self._output_bytes} bytes, too many")

    def _read_errors(self) -> None:
        assert self._keeper
        assert self._keeper.stderr
        with contextlib.suppress(BlockingIOError):
            chunk = os.read(self._keeper.stderr.fileno(), 65_536)
            if not chunk:
                self._selector.unregister(self._keeper.stderr)
            self._errors += chunk
            del self._errors[:-KEPT_ERRORS]

    def _read_control(self) -> None:
        try:
            said = self._control.recv(64)
        except BlockingIOError:
            return
        except OSError:
            said = b""
        if said:
            self.exit_status = int(said.split()[0])
        else:
            self._selector.unregister(self._control)

    def _shown(self) -> str:
        return quote(self._pending.decode("utf-8", "replace"))

    def _kill_marked(self) -> None:
        """Without a keeper: end all processes that have the mark of this program in their environ."""
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
