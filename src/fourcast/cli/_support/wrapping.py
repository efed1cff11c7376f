"""Text for terminals of any width: long lines are broken between words, wide tables between columns."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from typing import TextIO

from fourcast.render.text import block_width

_COLOR = re.compile(r"\x1b\[[0-9;]*m")
_NARROWEST = 20


def wrap_words(stream: TextIO) -> None:
    """Have *stream*, a terminal, break long lines between words; by itself it breaks anywhere.

    JSON stays as it is, for it may be copied, and so does text that moves the cursor.
    """
    write = stream.write
    column = 0

    def write_wrapped(text: str) -> int:
        nonlocal column
        if "\r" in text or "\x1b" in _COLOR.sub("", text) or text.startswith(('{"', '[{"')):
            column = 0
            return write(text)
        width = os.get_terminal_size(stream.fileno()).columns
        first, *others = text.split("\n")
        begun = " " * column + first
        lines = [break_line(begun, width)[column:], *(break_line(line, width) for line in others)]
        column = block_width((others or [begun])[-1])
        write("\n".join(lines))
        return len(text)

    stream.write = write_wrapped  # type: ignore[method-assign]


def break_line(line: str, width: int) -> str:
    """Return *line* in lines of at most *width* columns, if its words allow it.

    >>> print(break_line("7. Red  blunder  threw away a win and now loses", 32))
    7. Red  blunder  threw away a
                     win and now
                     loses
    """
    if width < _NARROWEST or block_width(line) <= width:
        return line
    gaps = (gap.end() for gap in re.finditer(r"^ +|(?<=\S)  +(?=\S)", line) if gap.end() <= width * 0.6)
    indent = " " * max(gaps, default=0)
    lines = [""]
    for word in re.findall(r" *[^ ]+", line):
        if lines[-1].strip() and block_width(lines[-1] + word) > width:
            lines.append(indent + word.lstrip())
        else:
            lines[-1] += word
    return "\n".join(lines)


def break_command(words: Sequence[str], width: int) -> str:
    r"""Return a command for the shell, with a backslash where it continues on the next line.

    >>> print(break_command(["fourcast", "play", "--first", "human"], 22))
    fourcast play \
      --first human
    """
    parts: list[str] = []
    for word in words:  # an option stays with its value
        if parts and parts[-1].startswith("--") and " " not in parts[-1] and not word.startswith("--"):
            parts[-1] += f" {word}"
        else:
            parts.append(word)
    lines = [""]
    for part in parts:
        if lines[-1].strip() and len(lines[-1]) + len(part) + 3 > width:
            lines.append(" ")
        lines[-1] += f" {part}" if lines[-1] else part
    return " \\\n".join(lines)


def table(
    heads: Sequence[str],
    rows: Sequence[Sequence[str]],
    width: int,
    *,
    names: int = 1,
    left: Sequence[str] = (),
) -> str:
    """Return a table; what does not fit into *width* follows below, behind the first *names* columns.

    Columns are set flush right, except those of names and those in *left*. An empty row is a blank line.

    >>> print(table(["", "games", "points"], [["Ada", "20", "11.5"]], 14))
         games
    Ada     20
    <BLANKLINE>
         points
    Ada    11.5
    """
    cells = [heads, *rows]
    columns = []
    for number, head in enumerate(heads):
        shown = [row[number] if row else "" for row in cells]
        room = max(map(len, shown))
        flush_left = number < names or head in left
        columns.append([each.ljust(room) if flush_left else each.rjust(room) for each in shown])
    blocks: list[list[str]] = []
    for column in columns[names:]:
        if not blocks or len(blocks[-1][0]) + 2 + len(column[0]) > width:
            blocks.append(["  ".join(parts) for parts in zip(*columns[:names], strict=True)])
        blocks[-1] = ["  ".join(parts) for parts in zip(blocks[-1], column, strict=True)]
    return "\n\n".join("\n".join(line.rstrip() for line in block) for block in blocks)
