"""Files: read whole and bounded, and replaced whole, whatever happens meanwhile."""

from __future__ import annotations

import os
import shutil
import stat
from contextlib import suppress
from pathlib import Path

from fourcast.errors import GameFileError, require

__all__ = ["MAX_FILE", "decode", "read_text", "replace_file"]

MAX_FILE = 65_536
"""Bytes of the largest game file that is read; the longest game needs a tenth of it."""


def read_text(path: str | os.PathLike[str]) -> str:
    """Return the text of a file that may be a game; raise `GameFileError` if it cannot be one."""
    require("path", path, str, os.PathLike)
    # A pipe without a writer must not keep us waiting before we can see that it is one.
    never_wait = getattr(os, "O_NONBLOCK", 0)
    with open(path, "rb", opener=lambda name, flags: os.open(name, flags | never_wait)) as file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise GameFileError(f"{str(path)!r} is not a game file")
        content = file.read(MAX_FILE + 1)
    try:
        return decode(content)
    except GameFileError as error:
        raise GameFileError(f"{str(path)!r}: {error}") from None


def decode(content: bytes) -> str:
    """Return the text of what is in a file; raise `GameFileError` if it is too long or no text."""
    if len(content) > MAX_FILE:
        raise GameFileError(f"too long for a game file: the limit is {MAX_FILE} bytes")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise GameFileError(f"line {line}: this is not a text in UTF-8") from None


def replace_file(target: Path, content: bytes) -> None:
    """Write *content* to *target*, which holds all of the old or all of the new, whatever happens.

    A device or a pipe is written to, and not replaced. Errors name *target*.
    """
    if target.exists() and not target.is_file():
        target.write_bytes(content)
        return
    given, target = target, Path(os.path.realpath(target))
    if target.exists() and not os.access(target, os.W_OK):
        raise PermissionError(13, "the file is write-protected", str(given))
    draft = target.with_name(f".{target.name[:100]}.{os.urandom(4).hex()}.tmp")
    try:
        with open(draft, "xb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        if target.exists():
            shutil.copymode(target, draft)
        os.replace(draft, target)
    except BaseException as error:
        with suppress(OSError):
            draft.unlink()
        if isinstance(error, OSError):
            error.filename = str(given)
        raise
