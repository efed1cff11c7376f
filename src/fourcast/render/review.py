"""A reviewed game as people like to read it: a sentence on each move, the graph, who erred and when."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from fourcast.notation import format_column
from fourcast.render.said import paragraphs_text, said_text
from fourcast.render.text import SIDES, Style
from fourcast.study.review import MoveReview, Review, Verdict

__all__ = ["decisive_text", "graph", "move_text", "review_text", "summary_text"]

_ROWS = 4
"""Lines of a graph above its middle, and below."""
# A whole line of a bar, half a line above the middle, half a line below it, the middle.
_BARS = {"ascii": ("#", "#", "#", "-"), "discs": ("█", "▄", "▀", "─")}
_EDGE = {"ascii": "|", "discs": "│"}
_MARKS = {Verdict.INACCURACY: ".", Verdict.MISTAKE: "?", Verdict.BLUNDER: "!"}

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
    >>> decisive_text(review(Game("1213141", width=4, height=4)), ("Red", "Yellow"))
    'Move 6 decided the game: Yellow played column 4 and threw away a draw. Best was column 1.'
    """
    return _sentences(report.judged["decision"], names)


def summary_text(report: Review, names: Sequence[str]) -> str:
    """Say how accurate both sides were, and which move decided the game.

    >>> from fourcast import Game, review
    >>> summary_text(review(Game("1213141", width=4, height=4)), ("Red", "Yellow"))
    'Red played with an accuracy of 100.0%, Yellow with 26.7%. Move 6 decided the game: Yellow played \
column 4 and threw away a draw. Best was column 1.'
    """
    return _sentences(report.judged["said"], names)


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
    """Return the moves with their verdicts, the graph, the accuracy of both sides, and what decided.

    *names* that are empty are those of the discs in this *style*. A graph that is wider than *width*
    goes on below.

    >>> from fourcast import Game, review
    >>> print(review_text(review(Game("1213141", width=4, height=4))))
     1. X  1  best        draws
     2. O  2  best        draws
     3. X  1  best        draws
     4. O  3  best        draws
     5. X  1  best        draws
     6. O  4  mistake     threw away a draw and loses in 1 move; best was column 1
     7. X  1  best        wins at once
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
        |     ?
         ....5.7
    <BLANKLINE>
    Accuracy: X 100.0%, O 26.7%
    Move 6 decided the game: O played column 4 and threw away a draw. Best was column 1.
    """
    called = [name or SIDES[style][player] for player, name in enumerate(names, start=1)]
    room = max(map(len, called))
    lines = []
    for move, judged in zip(report.moves, report.judged["moves"], strict=True):
        verdict, _, words = said_text(judged["said"]).partition(": ")
        shown = _painted(f"{verdict:<10}", _COLORS[move.verdict] if move.verdict and color else "")
        name = _painted(f"{called[move.player - 1]:<{room}}", _SIDE_COLORS[move.player] if color else "")
        lines.append(f"{move.number:>2}. {name}  {format_column(move.column)}  {shown}  {words}")
    if lines:
        lines += ["", graph(report, style=style, color=color, width=width), ""]
    shares = [f"{called[each['player'] - 1]} {each['share']}%" for each in report.judged["accuracies"]]
    if shares:
        lines.append(f"Accuracy: {', '.join(shares)}")
    lines.append(decisive_text(report, called))
    return "\n".join(lines)


def graph(report: Review, *, style: Style = "ascii", color: bool = False, width: int = 80) -> str:
    """Return the graph of the score over the moves: up is good for the first player.

    A bar is as high as the score after the move; any win is at least half a line. Below it are marks of
    inaccuracies (`.`), mistakes (`?`) and blunders (`!`); a `?` on the middle line is a score not known.
    A graph that is wider than *width* goes on below.
    """
    room = max(map(len, SIDES[style].values()))
    most = max(10, width - room - 4)
    parts = [report.moves[start : start + most] for start in range(0, len(report.moves), most)]
    return "\n\n".join(_graph(part, style, color, room) for part in parts)


def _graph(moves: Sequence[MoveReview], style: Style, color: bool, room: int) -> str:
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

    names = {_ROWS: SIDES[style][1], 0: "=", -_ROWS: SIDES[style][2]}
    lines = []
    for row in range(_ROWS, -_ROWS - 1, -1):
        bars = "".join(cell(height, row) for height in heights)
        lines.append(line(names.get(row, ""), bars, _SIDE_COLORS[1 if row > 0 else 2] if row else ""))
    marks = "".join(_MARKS.get(move.verdict, " ") if move.verdict else " " for move in moves)
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
