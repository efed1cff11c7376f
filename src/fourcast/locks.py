"""Files that one process writes at a time. The system releases a lock when its process ends."""

from __future__ import annotations

import os
import sys

__all__ = ["TO_APPEND", "lock_file"]

TO_APPEND = (
    os.O_RDWR
    | os.O_CREAT
    | os.O_APPEND
    # What a symbolic link leads to is not ours to write to, and nobody waits for a pipe.
    | getattr(os, "O_NOFOLLOW", 0)
    | getattr(os, "O_NONBLOCK", 0)
    # Windows has none of these, and translates line ends unless told not to.
    | getattr(os, "O_BINARY", 0)
)
"""Flags of `os.open` for a journal. Python closes the file in child processes."""


def lock_file(descriptor: int) -> None:
    """Lock an open file, or folder, for this process; raise `BlockingIOError` if another one has it."""
    if sys.platform == "win32":
        import msvcrt

        # A locked byte cannot be read by others, so it is one that no file has.
        os.lseek(descriptor, 0x7FFF_FFFE, os.SEEK_SET)
        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        except OSError as error:
            raise BlockingIOError(error.errno, error.strerror) from None
        finally:
            os.lseek(descriptor, 0, os.SEEK_SET)
    else:
        import fcntl

        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
