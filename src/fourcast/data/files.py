"""Folders that one process writes at a time, and files that are there as a whole or not at all."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from pathlib import Path

from fourcast.errors import DatasetError
from fourcast.locks import lock_file

UNFINISHED = ".fourcast-"
"""How the names of files begin that are being written."""
_LOCK = f"{UNFINISHED}lock"
"""The file that stands for its folder on Windows, where a folder cannot be locked."""


@contextmanager
def locked_folder(folder: Path) -> Iterator[None]:
    """Keep other processes from writing to a folder, which is made if it is not there."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except (FileExistsError, NotADirectoryError):
        raise DatasetError(
            f"'{folder}' is not a folder; name a folder to write the data set to"
        ) from None
    if sys.platform == "win32":
        lock = os.open(folder / _LOCK, os.O_RDWR | os.O_CREAT)
    else:
        lock = os.open(folder, os.O_RDONLY)
    try:
        try:
            lock_file(lock)
        except BlockingIOError:
            raise DatasetError(f"another process is making the data set '{folder}'") from None
        yield
    finally:
        os.close(lock)


def check_empty(folder: Path, *, besides: Collection[str] = ()) -> None:
    """Raise `DatasetError` if a folder holds anything but unfinished files, and *besides*."""
    for name in sorted(os.listdir(folder)):
        if not name.startswith(UNFINISHED) and name not in besides:
            raise DatasetError(
                f"'{folder}' is not empty and not a data set: it has '{name}'; name another folder"
            )


def remove_unfinished(folder: Path) -> None:
    """Remove what a process that was killed was writing."""
    for file in folder.glob(f"{UNFINISHED}*"):
        if file.name != _LOCK:
            file.unlink()


def write_whole(path: Path, content: bytes) -> None:
    """Write a file under a temporary name, make sure that it is on the disk, and rename it.

    Raises `DatasetError` if there is no room for it.
    """
    unfinished = path.with_name(f"{UNFINISHED}{path.name}")
    try:
        with unfinished.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        unfinished.replace(path)
    except OSError as error:
        if error.errno not in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
            raise
        raise DatasetError(
            f"'{path}' cannot be written: {error.strerror}; make room and give the same command again, "
            "which goes on from there"
        ) from None
    finally:
        unfinished.unlink(missing_ok=True)
