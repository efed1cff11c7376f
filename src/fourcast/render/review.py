"""A reviewed game as people like to read it: a sentence on each move, the graph, who erred and when."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Sequence
from typing import Any

from fourcast.notation import format_column
from fourcast.render.catalogue import fill
from fourcast.render.said import paragraphs_text, said_text
from fourcast.render.text import SIDES, Style
from fourcast.study.review import MoveReview, Review, Verdict

__all__ = [
    "accuracy_text",
    "decisive_text",
    "graph",
    "label_of",
    "mistake_texts",
    "move_text",
    "review_text",
    "story_text",
]

_ROWS = 4
"""Lines of a graph above its middle, and below."""
# A whole line of a bar, half a line above the middle, half a line below it, the middle.
_BARS = {"ascii": ("#", "#", "#", "-"), "discs": ("█", "▄", "▀", "─")}
_EDGE = {"ascii": "|", "discs": "│"}
_MARKS = {"inaccuracy": ".", "mistake": "?", "blunder": "!", "missed_block": "3", "missed_four": "4"}

# Parameters of the terminal's "select graphic rendition" sequence.
_COLORS = {
    Verdict.BEST: "32",
    Verdict.GOOD: "36",
    Verdict.INACCURACY: "33",
    Verdict.MISTAKE: "31",
    Verdict.BLUNDER: "1;31",
}
_SIDE_COLORS = {1: "31", 2: "33"}
_BOLD = "1"
_BAD = _COLORS[Verdict.BLUNDER]
_PAINT = re.compile(r"\x1b\[[0-9;]*m")


def move_text(move: MoveReview) -> str:
    """Say how good a move was, what it leads to, and what would have been better.

    >>> from fourcast import Game, review
    >>> move_text(review(Game("1213141", width=4, height=4)).moves[5])
    'mistake: threw away a draw and loses in 1 move; best was column 1'
    """
    return said_text(Review((move,)).judged["moves"][0]["said"])


def decisive_text(report: Review, names: Sequence[str]) -> str:
    """Say which move decided the game, and what should have been played in its place.

    *names* are those of the first and the second player.

    >>> from fourcast import Game, review
    >>> print(decisive_text(review(Game("4343434")), ("Red", "Yellow")))
    Move 4: Yellow played column 3 and turned a draw into a loss. Only column 4 kept ...
    """
    return _sentences(report.judged["decision"], names)


def story_text(report: Review, names: Sequence[str]) -> str:
    """Tell how the game went: who won, at most two turning points, how it ended, and a lesson.

    Each of them is a line.

    >>> from fourcast import Game, review
    >>> story = story_text(review(Game("4343434")), ("Red", "Yellow"))
    >>> print(story.splitlines()[2])
    Move 6: Yellow left Red's three in column 4 unblocked: Red can win on 4/4.
    """
    first, second = names
    return paragraphs_text(report.judged["story"], (first, second))


def accuracy_text(report: Review, names: Sequence[str]) -> str:
    """Say how accurate each side was whose moves were all judged.

    >>> from fourcast import Game, review
    >>> accuracy_text(review(Game("1213141", width=4, height=4)), ("Red", "Yellow"))
    'Red played with an accuracy of 100.0%, Yellow with 26.7%.'
    """
    return _sentences(report.judged["accuracy"], names)


def mistake_texts(report: Review, names: Sequence[str]) -> dict[int, str]:
    """Return a sentence for each mistake and oversight, by the number of the move.

    >>> from fourcast import Game, review
    >>> mistake_texts(review(Game("4343434")), ("Red", "Yellow"))[6]
    "Yellow left Red's three in column 4 unblocked: Red can win on 4/4."
    """
    moves = report.judged["moves"]
    return {move["number"]: _sentences([move["mistake"]], names) for move in moves if move["mistake"]}


def label_of(judged: dict[str, Any]) -> str:
    """Return what a judged move is called: by what it overlooked, or else by its verdict."""
    name = judged["oversight"] or judged["verdict"]
    return fill(f"verdict_{name}") if name else "not judged"


def _sentences(said: list[Any], names: Sequence[str]) -> str:
    first, second = names
    return paragraphs_text([said], (first, second))


def review_text(
    report: Review,
    *,
    names: Sequence[str] = ("", ""),
    style: Style = "ascii",
    color: bool = False,
    width: int = 80,
) -> str:
    r"""Return the moves with their verdicts, the graph, the accuracy of both sides, and the story.

    A sentence for each mistake follows. *names* that are empty are those of the discs in this *style*.
    A graph that is wider than *width* goes on below.

    >>> from fourcast import Game, review
    >>> print(review_text(review(Game("1213141", width=4, height=4))).partition("\n\nX won")[0])
         X                             O
      1. 1  best                    2. 2  best
      3. 1  best                    4. 3  best
      5. 1  best                    6. 4  missed block, best 1
      7. 1  best
    <BLANKLINE>
      X |     ##
        |     ##
        |     ##
        |     ##
      = |-------
        |
        |
        |
      O |
        |     3
         ....5.7
    <BLANKLINE>
    X played with an accuracy of 100.0%, O with 26.7%.
    """
    first, second = (name or side for name, side in zip(names, SIDES[style], strict=True))
    called = first, second
    judged = report.judged
    if not report.moves:
        return story_text(report, called)
    blocks = [
        _table(report, called, color, width),
        graph(report, style=style, color=color, width=width),
    ]
    if share := accuracy_text(report, called):
        blocks.append(share)
    story = story_text(report, called).splitlines()
    blocks.append("\n".join(textwrap.fill(line, width - 1) for line in story))
    told = mistake_texts(report, called)
    if told:
        named = [move for move in judged["moves"] if move["mistake"]]
        blocks.append("\n".join(_item(move, called, told[move["number"]], width) for move in named))
    return "\n\n".join(blocks)


def _item(move: dict[str, Any], names: Sequence[str], text: str, width: int) -> str:
    """A mistake: which move it is, what it is called, and what there is to say about it."""
    head = f"Move {move['number']}, {names[move['player'] - 1]}, column {format_column(move['column'])}"
    return textwrap.fill(f"{head}, {label_of(move)}: {text}", width - 1, subsequent_indent="  ")


def _table(report: Review, names: Sequence[str], color: bool, width: int) -> str:
    """The moves with their verdicts, those of both sides next to each other if there is room."""
    cells = [
        _cell(move, judged, color)
        for move, judged in zip(report.moves, report.judged["moves"], strict=True)
    ]
    room = max(len(_PAINT.sub("", cell)) for cell in [*cells, f"     {names[0]}"]) + 2
    longest = max(map(len, names))
    if 2 * room > width:
        return "\n".join(
            f"{names[move.player - 1]:<{longest}} {cell}"
            for move, cell in zip(report.moves, cells, strict=True)
        )
    lines = [f"{'     ' + names[0]:<{room}}     {names[1]}"]
    is_open = False
    for move, cell in zip(report.moves, cells, strict=True):
        if move.player == 1:
            lines.append(cell + " " * (room - len(_PAINT.sub("", cell))))
        elif is_open:
            lines[-1] += cell
        else:
            lines.append(" " * room + cell)
        is_open = move.player == 1
    return "\n".join(map(str.rstrip, lines))


def _cell(move: MoveReview, judged: dict[str, Any], color: bool) -> str:
    best = " ".join(map(format_column, move.best_columns))
    better = f", best {best}" if best and move.verdict is not Verdict.BEST else ""
    code = _BAD if judged["oversight"] else _COLORS[move.verdict] if move.verdict else ""
    return (
        f"{move.number:>3}. {format_column(move.column)}  "
        f"{_painted(label_of(judged), code if color else '')}{better}"
    )


def graph(report: Review, *, style: Style = "ascii", color: bool = False, width: int = 80) -> str:
    """Return the graph of the score over the moves: up is good for the first player.

    A bar is as high as the score after the move; any win is at least half a line. Below it are marks of
    inaccuracies (`.`), mistakes (`?`), blunders (`!`), missed blocks (`3`) and missed fours (`4`); a `?`
    on the middle line is a score not known. A graph that is wider than *width* goes on below.
    """
    room = max(map(len, SIDES[style]))
    most = max(10, width - room - 4)
    marks = [_MARKS.get(move["oversight"] or move["verdict"], " ") for move in report.judged["moves"]]
    parts = [
        (report.moves[start : start + most], "".join(marks[start : start + most]))
        for start in range(0, len(report.moves), most)
    ]
    return "\n\n".join(_graph(moves, under, style, color, room) for moves, under in parts)


def _graph(moves: Sequence[MoveReview], marks: str, style: Style, color: bool, room: int) -> str:
    whole, upper, lower, middle = _BARS[style]
    heights = [_height(move) for move in moves]

    def cell(height: int | None, row: int) -> str:
        """Row 1 is next to the middle, above or (negative) below."""
        if row == 0:
            return "?" if height is None else middle
        if height is None or height * row <= 0:
            return " "
        level = abs(height) - 2 * (abs(row) - 1)  # in half lines
        return whole if level >= 2 else (upper if row > 0 else lower) if level == 1 else " "

    def line(name: str, text: str, code: str = "") -> str:
        text = text.rstrip()
        return f"  {name:<{room}} {_EDGE[style]}{_painted(text, code if color and text else '')}"

    first, second = SIDES[style]
    names = {_ROWS: first, 0: "=", -_ROWS: second}
    lines = []
    for row in range(_ROWS, -_ROWS - 1, -1):
        bars = "".join(cell(height, row) for height in heights)
        lines.append(line(names.get(row, ""), bars, _SIDE_COLORS[1 if row > 0 else 2] if row else ""))
    if marks.strip():
        lines.append(line("", marks, _BOLD))
    lines.append(f"  {'':<{room}}  {_axis(moves[0].number, moves[-1].number)}")
    return "\n".join(lines)


def _height(move: MoveReview) -> int | None:
    """The height of a move's bar in half lines, with the sign of the score."""
    score = move.score_first
    if score is None:
        return None
    half_lines = -(-abs(score) * 2 * _ROWS // move.position.highest_score)
    return half_lines * (1 if score > 0 else -1)


def _axis(first: int, last: int) -> str:
    """The numbers of the moves: each fifth, where its number has room, and the last."""
    cells = ["."] * (last + 1 - first)
    for number in [*range(-(-first // 5) * 5, last + 1, 5), last]:
        end = number + 1 - first
        start = end - len(str(number))
        if start >= 0 and set(cells[max(0, start - 1) : end]) == {"."}:
            cells[start:end] = str(number)
    return "".join(cells)


def _painted(text: str, code: str) -> str:
    return f"\x1b[{code}m{text}\x1b[0m" if code else text
