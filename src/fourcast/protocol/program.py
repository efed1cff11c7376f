"""The referee's side: a program as a player, which may crash, hang, lie, flood and fork.

It is started without a shell, isolated where the system allows it, under limits of time, memory and
output. One absolute deadline holds for each move, whatever the program sends in the meantime.
"""

from __future__ import annotations

import contextlib
import enum
import json
import os
import shlex
import signal
import time
from collections.abc import Iterable, Sequence

from fourcast._core import Position
from fourcast.errors import ForfeitError, IllegalMoveError, InvalidNotationError
from fourcast.notation import quote
from fourcast.players.choosing import position_to_move
from fourcast.protocol.dialects import Turn, make_dialect
from fourcast.protocol.json_lines import MAX_LINE
from fourcast.protocol.process import KEPT_ERRORS, MAX_OUTPUT, ProgramProcess
from fourcast.protocol.sandbox import Sandbox, find_isolation, start

__all__ = ["KEPT_ERRORS", "Forfeit", "ProgramPlayer", "split_command"]

GRACE_S = 0.5
"""Seconds that a program has to end by itself when the game is over."""
SHOWN = 500
"""Characters of a program's output that a message quotes."""


class Forfeit(str, enum.Enum):
    """What a program did that lost it the game."""

    CRASH = "crash"
    TOO_LATE = "too late"
    ILLEGAL_MOVE = "illegal move"
    GARBAGE = "garbage"
    FLOOD = "flood"
    NO_START = "no start"


def split_command(command: str | Sequence[str]) -> list[str]:
    """Return the words of a command line, split as a shell would do it.

    >>> split_command("python 'my bot.py'")
    ['python', 'my bot.py']
    """
    try:
        words = shlex.split(command) if isinstance(command, str) else list(command)
    except ValueError as error:
        raise InvalidNotationError(f"{quote(command)} is not a command: {error}") from None
    if not words:
        raise InvalidNotationError(f"{quote(command)} is not a command")
    if any("\0" in word for word in words):
        raise InvalidNotationError(f"{quote(command)} is not a command: it has a null character")
    return words


class ProgramPlayer:
    """A program that plays by the protocol, started at its first move, with a process for each game.

    *command* is a command line, split as a shell would, but run without one; or a list of words.
    *move_time_s* is the time for a move; the first one has *start_time_s* more, to start in. *sandbox*
    says whether it runs isolated: `auto` if the system allows it, `require` or `off`. Files and folders
    in *hidden*, such as an opponent's, are out of its sight then. *dialect* is the language it speaks,
    one of `DIALECTS`.

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
        sandbox: Sandbox | str = Sandbox.AUTO,
        hidden: Iterable[str | os.PathLike[str]] = (),
        dialect: str = "json",
    ) -> None:
        self.command = split_command(command)
        self.name = name or shlex.join(self.command)
        self.move_time_s = move_time_s
        self.start_time_s = start_time_s
        self.memory_mb = memory_mb
        self.directory = os.path.abspath(directory or os.getcwd())
        self.isolation = find_isolation(sandbox)
        self.hidden = [os.path.abspath(path) for path in hidden]
        self.dialect = make_dialect(dialect)
        self._result = ""
        self._process: ProgramProcess | None = None
        self._failure: ForfeitError | None = None

    # A player

    def choose(self, position: Position) -> int:
        """Return the program's move; raise `ForfeitError` for anything else that it does."""
        return self.take_turn(Turn(position_to_move(position), move_time_s=self.move_time_s))

    def take_turn(self, turn: Turn) -> int:
        """Return the program's move; it is told all that *turn* has and its dialect can say."""
        position_to_move(turn.position)
        request = self.dialect.request(turn, is_first=self._process is None)
        return self._ask(request, turn.position)

    def end_game(self, result: str) -> None:
        """Take note of how the game ended for the program: `won`, `lost` or `drawn`."""
        self._result = result

    def raw(self, request: dict[str, object], position: Position) -> int:
        """Return the move for a request in another form that describes *position*."""
        return self._ask(json.dumps(request), position)

    @property
    def exit_status(self) -> int | None:
        """How the program ended, negative for a signal; None while it runs."""
        return self._process.exit_status if self._process else None

    @property
    def standard_error(self) -> str:
        """The last 64 KiB of what the program has written to standard error."""
        return self._process.standard_error if self._process else ""

    def send(self, request: str) -> None:
        """Send a line without waiting for the answer."""
        self._started().send(request.encode() + b"\n")
        self._started().step()

    def end_input(self, last_line: str = "") -> None:
        """Close the program's input, after a last line."""
        if self._process:
            self._process.end_input(last_line.encode())

    def wait_for_end(self, time_s: float) -> int | None:
        """Return the exit status of the program, or None if it does not end in time."""
        return self._process.wait_for_end(time_s) if self._process else None

    def take_line(self, time_s: float) -> str | None:
        """Return a line that the program still writes within *time_s*, or None."""
        process, end = self._process, time.monotonic() + time_s
        while process:
            line = process.take_line()
            left = end - time.monotonic()
            if line is not None or left <= 0 or process.has_ended_output:
                return None if line is None else line.decode("utf-8", "replace")
            process.step(left)
        return None

    def close(self) -> None:
        """Ask the program to exit, then kill it and everything it started. May be called twice."""
        if self._process:
            if not self._failure:
                self._process.end_input(self.dialect.ending(self._result).encode())
                self._process.wait_for_end(GRACE_S)
            self._process.close()

    def __enter__(self) -> ProgramPlayer:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # A move

    def _ask(self, request: str, position: Position) -> int:
        if self._failure:
            raise self._failure
        try:
            line = self._converse(request.encode() + b"\n")
            return self._read_answer(line.decode("utf-8", "replace"), position)
        except ForfeitError as failure:
            self._failure = failure
            self.close()
            raise

    def _converse(self, request: bytes) -> bytes:
        """Send a line and return the line that comes back, both before the deadline."""
        deadline = time.monotonic() + self.move_time_s
        if self._process is None:
            deadline += self.start_time_s
        process = self._started()
        process.step()
        self._check_output(process)
        while (early := process.take_line()) is not None:
            if not self._is_aside(early):
                process.output[:0] = early + b"\n"
                break
        if process.output and not self.dialect.is_aside(""):
            said = _quoted(process.output)
            raise ForfeitError(Forfeit.GARBAGE.value, f"it wrote before it was asked: {said}")
        process.send(request)
        while True:
            line = process.take_line()
            if line is not None and self._is_aside(line):
                continue
            if line is not None:
                if process.output and not self.dialect.is_aside(""):
                    kind = Forfeit.GARBAGE if len(process.output) < 4096 else Forfeit.FLOOD
                    said = _quoted(line + b"\n" + process.output)
                    raise ForfeitError(kind.value, f"more than one line in answer to one: {said}")
                return line
            if process.has_ended_output:
                raise self._how_it_ended(process)
            left = deadline - time.monotonic()
            if left <= 0:
                limit = f"{self.move_time_s:g} s"
                raise ForfeitError(Forfeit.TOO_LATE.value, f"no move within the time limit of {limit}")
            process.step(left)
            self._check_output(process)

    def _is_aside(self, line: bytes) -> bool:
        return self.dialect.is_aside(line.decode("utf-8", "replace"))

    def _started(self) -> ProgramProcess:
        """Return the process; start it if necessary."""
        if self._process is None:
            self._process = start(
                self.command,
                self.directory,
                self.isolation,
                memory_mb=self.memory_mb,
                hidden=self.hidden,
            )
        return self._process

    @staticmethod
    def _check_output(process: ProgramProcess) -> None:
        end = process.output.find(b"\n")
        if (len(process.output) if end < 0 else end) > MAX_LINE:
            raise ForfeitError(Forfeit.FLOOD.value, f"a line of more than {MAX_LINE:,} bytes")
        if process.output_bytes > MAX_OUTPUT:
            raise ForfeitError(Forfeit.FLOOD.value, f"more than {MAX_OUTPUT:,} bytes of output")

    def _read_answer(self, line: str, position: Position) -> int:
        try:
            return self.dialect.answer(line, position)
        except IllegalMoveError as error:
            raise ForfeitError(Forfeit.ILLEGAL_MOVE.value, str(error)) from None
        except InvalidNotationError as error:
            raise ForfeitError(Forfeit.GARBAGE.value, str(error)) from None

    def _how_it_ended(self, process: ProgramProcess) -> ForfeitError:
        """Return the error for a program that has closed its output; its exit status may come late."""
        process.wait_for_end(0.3)
        process.step()
        if process.isolation_failure:
            reason = f"it could not be isolated: {process.isolation_failure}"
            return ForfeitError(Forfeit.NO_START.value, reason)
        if process.used_too_much_mb:
            used = f"{process.used_too_much_mb} MB, more than the limit of {self.memory_mb} MB"
            return ForfeitError(Forfeit.CRASH.value, f"it used {used} of memory and was ended")
        last = process.standard_error.strip().rpartition("\n")[2].strip()
        said = f"; its error output ends with {_quoted(last)}" if last else ""
        status = process.exit_status
        if status == 127:
            return ForfeitError(Forfeit.NO_START.value, f"{quote(self.command[0])} cannot be run{said}")
        how = "it closed its output"
        if status is not None:
            how = f"it ended with status {status}"
            if status < 0:
                with contextlib.suppress(ValueError):
                    how = f"it was ended by {signal.Signals(-status).name}"
        return ForfeitError(Forfeit.CRASH.value, how + said)


def _quoted(text: str | bytes | bytearray) -> str:
    """A program's words for a message: on one line, and longer than `quote` leaves them."""
    words = text if isinstance(text, str) else bytes(text[: 4 * SHOWN]).decode("utf-8", "replace")
    return repr(words if len(words) <= SHOWN else f"{words[:SHOWN]}...")
