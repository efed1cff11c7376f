"""The process around a command: Ctrl-C, closed streams, and broken pipes."""

from __future__ import annotations

import errno
import io
import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext, redirect_stdout

INTERRUPTED = 128 + signal.SIGINT
"""The exit status after Ctrl-C."""
NO_READER = 128 + getattr(signal, "SIGPIPE", 13)  # Windows has no such signal
"""The exit status after a broken pipe."""


def open_closed_streams() -> None:
    """Put the null device where standard input, output or error is closed.

    Python has None there, which every use would have to check for; and the next file that is opened
    would get the free descriptor, and with it whatever is written to standard output.
    """
    for descriptor, name in enumerate(("stdin", "stdout", "stderr")):
        if getattr(sys, name) is None:
            null = os.open(os.devnull, os.O_RDONLY if descriptor == 0 else os.O_WRONLY)
            if null == descriptor:
                os.set_inheritable(descriptor, True)
            else:
                os.dup2(null, descriptor)
                os.close(null)
            setattr(sys, name, os.fdopen(descriptor, "r" if descriptor == 0 else "w", closefd=False))


def accept_any_encoding() -> None:
    """Replace what standard input and output cannot encode: people type and paste anything."""
    for stream in (sys.stdin, sys.stdout):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


@contextmanager
def ctrl_c_raises() -> Iterator[None]:
    """Have Ctrl-C raise KeyboardInterrupt, as Python usually does, where it would end the process."""
    is_main = threading.current_thread() is threading.main_thread()
    if not is_main or signal.getsignal(signal.SIGINT) != signal.SIG_DFL:
        yield
        return
    signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.SIG_DFL)


def news_of_ray_apart(ray: str | None) -> AbstractContextManager[object]:
    """Return a context in which what Ray prints about its nodes goes to standard error.

    Standard output is for the answer of the command, which may be read by a program.
    """
    return nullcontext() if ray is None else redirect_stdout(sys.stderr)


def is_without_reader(error: OSError) -> bool:
    """Whether standard output is a broken pipe: Windows has no error of its own for that."""
    return isinstance(error, BrokenPipeError) or (
        sys.platform == "win32" and error.errno == errno.EINVAL and error.filename is None
    )


def discard_output() -> None:
    """Write nothing more to standard output, not even what is still in its buffer."""
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, sys.stdout.fileno())
    os.close(null)


def flush_output() -> None:
    """Write what is in the buffer of standard output; discard it and raise OSError if that fails."""
    try:
        sys.stdout.flush()
    except OSError:
        discard_output()
        raise
