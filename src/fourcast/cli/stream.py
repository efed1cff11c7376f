"""Positions from standard input, one a line, each answered by a line in the same order.

Bytes come in and bytes go out: a line goes back as it came, whatever it is made of. Whoever writes a
line and waits gets its answer; whoever writes many gets them answered together, a few at a time.
"""

from __future__ import annotations

import os
import stat
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Protocol, TypeVar

from fourcast._core import Position
from fourcast.errors import FinishedGameError, FourcastError, InvalidNotationError

T = TypeVar("T")
Found = TypeVar("Found", contravariant=True)

MAX_LINE = 4_096
"""Bytes of the longest line that is read. The rest of a longer one is passed over."""

_CHUNK = 65_536
_SOON_S = 0.1  # nobody waits much longer for answers that are known


class Form(Protocol[Found]):
    """How answers are written."""

    def answer(self, line: bytes, position: Position, found: Found) -> bytes:
        """Return the line that answers *line*."""
        ...

    def error(self, line: bytes, reason: str) -> bytes:
        """Return the line that answers an unusable *line*."""
        ...


def answer_lines(
    solve: Callable[[Sequence[Position]], Sequence[T]],
    form: Form[T],
    *,
    width: int,
    height: int,
    most: int | None = None,
) -> int:
    """Answer every line of standard input; return the exit status, 1 if there was a bad one.

    *solve* gets some positions at a time, at most *most*, more of them the quicker it is.
    """
    Position(width=width, height=height)  # a size that is not played is no fault of the lines
    if sys.stdin.isatty():
        print("One position a line, such as 44455; the end of the input ends it.", file=sys.stderr)
    size = 1
    status = 0
    number = 0
    with _progress() as advance:
        for lines in _read_lines(sys.stdin.fileno()):
            while lines:
                batch, lines = lines[:size], lines[size:]
                start = time.perf_counter()
                status |= _answer_batch(batch, number, solve, form, width, height)
                elapsed_s = time.perf_counter() - start
                number += len(batch)
                advance(sum(len(line) + 1 for line in batch))
                if elapsed_s < _SOON_S / 2:
                    size = min(2 * size, most or _CHUNK)
                elif elapsed_s > _SOON_S:
                    size = max(1, size // 2)
    return status


def _answer_batch(
    lines: Sequence[bytes],
    before: int,
    solve: Callable[[Sequence[Position]], Sequence[T]],
    form: Form[T],
    width: int,
    height: int,
) -> int:
    read = [_read_position(line, width, height) for line in lines]
    positions = [position for position in read if isinstance(position, Position)]
    found = iter(solve(positions) if positions else ())
    status = 0
    for number, (line, position) in enumerate(zip(lines, read, strict=True), start=before + 1):
        if isinstance(position, Position):
            _write(form.answer(line, position, next(found)))
        else:
            status = 1
            _write(form.error(line, position))
            sys.stdout.buffer.flush()  # in this order on a terminal, too
            print(f"fourcast: line {number}: {position}", file=sys.stderr)
    sys.stdout.buffer.flush()
    return status


def _write(line: bytes) -> None:
    sys.stdout.buffer.write(line + b"\n")


def _read_position(line: bytes, width: int, height: int) -> Position | str:
    """Return the unfinished position that a line means, or what is wrong with it."""
    try:
        if len(line) > MAX_LINE:
            raise InvalidNotationError(f"more than {MAX_LINE} characters")
        moves = line.decode("utf-8", "backslashreplace").strip()
        position = Position(moves, width=width, height=height)
        if position.is_over:
            raise FinishedGameError("the game is over, there is nothing to solve")
    except FourcastError as error:
        return str(error)
    return position


def _read_lines(descriptor: int) -> Iterator[list[bytes]]:
    """Yield the lines that are there, without their ends, as soon as there is a whole one.

    Of a line that is too long a little more than MAX_LINE bytes are kept.
    """
    rest = b""
    while chunk := os.read(descriptor, _CHUNK):
        *lines, end = chunk.split(b"\n")
        if lines:
            lines[0] = rest + lines[0]
            yield [_whole_line(line) for line in lines]
            rest = b""
        rest = (rest + end)[: MAX_LINE + 1]
    if rest:
        yield [_whole_line(rest)]


def _whole_line(line: bytes) -> bytes:
    return line.removesuffix(b"\r")[: MAX_LINE + 1]


def _progress() -> AbstractContextManager[Callable[[int], None]]:
    """Show how far it has come, if there is a terminal to show it on that shows nothing else."""
    if not sys.stderr.isatty() or sys.stdout.isatty() or sys.stdin.isatty():
        return nullcontext(lambda _: None)
    return _Bar()


class _Bar:
    def __init__(self) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

        self._progress = Progress(
            BarColumn(),
            TextColumn("{task.percentage:>3.0f} %"),
            TimeElapsedColumn(),
            TimeRemainingColumn(),
            console=Console(stderr=True),
        )

    def __enter__(self) -> Callable[[int], None]:
        status = os.fstat(sys.stdin.fileno())
        total = status.st_size if stat.S_ISREG(status.st_mode) else None
        task = self._progress.add_task("", total=total)
        self._progress.start()
        return lambda size: self._progress.advance(task, size)

    def __exit__(self, *_: object) -> None:
        self._progress.stop()


def run_politely(work: Callable[[], int]) -> int:
    """Do *work* and return its exit status; Ctrl-C ends it without a word."""
    try:
        return work()
    except KeyboardInterrupt:
        sys.stdout.flush()
        return 130
