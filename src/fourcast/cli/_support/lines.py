"""Answers: about one position, or about positions on standard input, one per line, in the same order.

Bytes come in and bytes go out: a line goes back as it came, whatever bytes it has. A program that writes
a line and waits gets its answer; many lines at once are answered together, a batch at a time.
"""

from __future__ import annotations

import json
import os
import stat
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Generic, Protocol, TypeVar

from fourcast._core import Position
from fourcast.cli._support.boards import chosen_style, print_board
from fourcast.cli._support.game_input import check_unfinished, moves_from_start
from fourcast.cli._support.options import Question
from fourcast.errors import FourcastError, InvalidNotationError
from fourcast.game import Game
from fourcast.notation import play_moves

T = TypeVar("T")
Found = TypeVar("Found", contravariant=True)

MAX_LINE = 4_096
"""Bytes of the longest line that is read. The rest of a longer one is skipped."""

_CHUNK = 65_536
_SOON_S = 0.1  # answers that are known are not held back much longer


class Form(Protocol[Found]):
    """How answers are written."""

    def answer(self, line: bytes, found: Found) -> bytes:
        """Return the line that answers *line*."""
        ...

    def error(self, line: bytes, reason: str) -> bytes:
        """Return the line that answers an unusable *line*."""
        ...


class TextForm(Generic[T]):
    """The line, a space, and what *describe* makes of the answer."""

    def __init__(self, describe: Callable[[T], str]) -> None:
        self._describe = describe

    def answer(self, line: bytes, found: T) -> bytes:
        """Return the line with its answer."""
        return line + b" " + self._describe(found).encode()

    def error(self, line: bytes, reason: str) -> bytes:
        """Return the line with the word error."""
        del reason
        return line + b" error"


class JsonForm(Generic[T]):
    """The object that *to_object* makes of the answer and the moves."""

    def __init__(self, to_object: Callable[[T, str], dict[str, object]]) -> None:
        self._to_object = to_object

    def answer(self, line: bytes, found: T) -> bytes:
        """Return the object."""
        return json.dumps(self._to_object(found, _moves(line))).encode()

    def error(self, line: bytes, reason: str) -> bytes:
        """Return an object with the reason."""
        return json.dumps({"moves": _moves(line), "error": reason}).encode()


def _moves(line: bytes) -> str:
    return line.decode("utf-8", "backslashreplace").strip()


def print_answer(
    found: T,
    game: Game,
    asked: Question,
    to_object: Callable[[T, str | None], dict[str, object]],
    to_text: Callable[..., str],
) -> None:
    """Print what was *found* about one position: the board and a text, or JSON."""
    if asked.as_json:
        print(json.dumps(to_object(found, moves_from_start(game))))
    else:
        style = chosen_style(asked.style)
        print_board(game, style)
        print(f"\n{to_text(found, style=style)}")


def answer_lines(
    solve: Callable[[Sequence[Position]], Sequence[T]],
    form: Form[T],
    asked: Question,
) -> int:
    """Answer every line of standard input; return the exit status, 1 if a line was invalid.

    *solve* gets a batch of positions at a time, more of them the quicker it is, and enough to keep all
    threads busy.
    """
    threads = asked.search.threads
    board = asked.empty  # a wrong size is an error of the command, not of each line
    if sys.stdin.isatty():
        print("One position a line, such as 44455; Ctrl-D ends the input.", file=sys.stderr)
    size = least = 1 if threads == 1 else 4 * threads
    status = 0
    number = 0
    with _progress() as advance:
        for lines in _read_lines(sys.stdin.fileno()):
            while lines:
                batch, lines = lines[:size], lines[size:]
                start = time.perf_counter()
                status |= _answer_batch(batch, number, solve, form, board)
                elapsed_s = time.perf_counter() - start
                number += len(batch)
                advance(batch)
                if elapsed_s < _SOON_S / 2:
                    size = min(2 * size, _CHUNK)
                elif elapsed_s > _SOON_S:
                    size = max(least, size // 2)
    return status


def _answer_batch(
    lines: Sequence[bytes],
    before: int,
    solve: Callable[[Sequence[Position]], Sequence[T]],
    form: Form[T],
    board: Position,
) -> int:
    read = [_read_position(line, board) for line in lines]
    positions = [position for position in read if isinstance(position, Position)]
    found = iter(solve(positions) if positions else ())
    status = 0
    for number, (line, position) in enumerate(zip(lines, read, strict=True), start=before + 1):
        if isinstance(position, Position):
            _write(form.answer(line, next(found)))
        else:
            status = 1
            _write(form.error(line, position))
            sys.stdout.buffer.flush()  # in this order on a terminal, too
            print(f"fourcast: line {number}: {position}", file=sys.stderr)
    sys.stdout.buffer.flush()
    return status


def _write(line: bytes) -> None:
    if sys.stdout.isatty():  # between words, if it is too long for the terminal
        print(line.decode("utf-8", "backslashreplace"), flush=True)
    else:
        sys.stdout.buffer.write(line + b"\n")


def _read_position(line: bytes, empty: Position) -> Position | str:
    """Return the unfinished position that a line means, or what is wrong with it."""
    try:
        if len(line) > MAX_LINE:
            raise InvalidNotationError(f"more than {MAX_LINE} characters")
        position = play_moves(empty, moves)[-1][1] if (moves := _moves(line).strip()) else empty
        check_unfinished(position)
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


@contextmanager
def _progress() -> Iterator[Callable[[Sequence[bytes]], None]]:
    """Show the progress, if standard error is a terminal and nothing else is shown there."""
    if not sys.stderr.isatty() or sys.stdout.isatty() or sys.stdin.isatty():
        yield lambda _: None
        return
    from fourcast.cli._support.progress import ProgressBar

    status = os.fstat(sys.stdin.fileno())
    size = status.st_size if stat.S_ISREG(status.st_mode) else None
    done = 0
    with ProgressBar("solving", total=size, percent=True) as bar:

        def advance(lines: Sequence[bytes]) -> None:
            nonlocal done
            done += len(lines) if size is None else sum(len(line) + 1 for line in lines)
            bar.show(done, size)

        yield advance
