"""What to do about a forfeit: a sentence for the author of a program, in the program's language."""

from __future__ import annotations

import re

from fourcast.protocol.languages import OTHER, Language
from fourcast.protocol.program import Forfeit

__all__ = ["SANDBOX", "advise"]

SANDBOX = (
    "In the sandbox a program sees its own folder and what is installed, can write to /tmp, and has no "
    "network; --sandbox off does without, to compare."
)
_OUT_OF_MEMORY = ("MemoryError", "OutOfMemoryError", "bad_alloc", "memory allocation", "out of memory")
_OUT_OF_REACH = (
    "No such file",
    "FileNotFound",
    "ModuleNotFound",
    "Cannot find module",
    "Permission denied",
    "Read-only file system",
    "Operation not permitted",
    "Network",
    "network",
    "Connection",
    "resolution",
)
_ALMOST = re.compile(r"^garbage: '\s*(\{|\d+\s*'|move)")
"""An answer that was meant to be a move."""


def advise(complaint: str, messages: str, language: Language = OTHER, dialect: str = "json") -> str:
    """Return what to do about a forfeit; empty if nobody knows.

    *complaint* is the sentence on it, which begins with its kind; *messages* are what the program wrote
    to standard error.

    >>> advise("illegal move: column 8 is off the board", "")
    'Columns count from 0, from left to right.'
    """
    kind = complaint.partition(":")[0]
    if kind == Forfeit.CRASH.value:
        return _on_crash(complaint, messages, language)
    if kind == Forfeit.GARBAGE.value and dialect == "json":
        return _on_garbage(complaint, language)
    if kind == Forfeit.TOO_LATE.value:
        where = f" in {language.name}" if language.name else ""
        return (
            "The limit holds for each move, whatever the position: think for a shorter time. If it "
            f"answers at once, it keeps its answer in a buffer: {language.flush}{where}."
        )
    if kind == Forfeit.FLOOD.value:
        return "A move is one short line. Print everything else to standard error."
    if kind == Forfeit.ILLEGAL_MOVE.value and "is full" in complaint and dialect == "json":
        return "In the grid, index 0 of a column is its top: the column is full if that is not 0."
    if kind == Forfeit.ILLEGAL_MOVE.value and "off the board" in complaint and dialect == "json":
        return "Columns count from 0, from left to right."
    return ""


def _on_crash(complaint: str, messages: str, language: Language) -> str:
    if "of memory and was ended" in complaint or any(word in messages for word in _OUT_OF_MEMORY):
        return "It needs more memory than it may use: make its tables smaller."
    if "SIGSEGV" in complaint:
        return f"It used an index that is out of bounds, or a null pointer. {language.crash}"
    if any(word in messages for word in _OUT_OF_REACH):
        return SANDBOX
    if messages.strip():
        return language.crash
    return "It must not end before it is told to: it reads a line, answers it, and reads the next."


def _on_garbage(complaint: str, language: Language) -> str:
    answer = f'A move is written like {{"move": 3}}: {language.answer}'
    if language.name:
        answer += f" in {language.name}"
    if "is not a whole number" in complaint:
        return f"A move is a number without quotes or a point. {answer}."
    if _ALMOST.search(complaint):
        return f"{answer}."
    return (
        "Nothing but moves goes to standard output, a line for each line of input: no greeting, no "
        "prompt, no board. Print everything else to standard error."
    )
