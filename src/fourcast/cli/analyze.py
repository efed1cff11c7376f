"""`fourcast analyze`: the exact score of every move, and best play."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence

import typer

from fourcast._core import Analysis, Position
from fourcast.cli.options import (
    Height,
    Json,
    Moves,
    NoBook,
    Threads,
    TimeLimit,
    Width,
    make_limit,
    make_solver,
)
from fourcast.cli.solve import last_column
from fourcast.cli.stream import answer_lines, run_politely
from fourcast.notation import format_moves
from fourcast.render.analysis import analysis_text
from fourcast.render.text import best_style, board, can_colour


def analyze(
    moves: Moves = None,
    as_json: Json = False,
    width: Width = 7,
    height: Height = 6,
    no_book: NoBook = False,
    threads: Threads = 1,
    time_limit: TimeLimit = None,
) -> None:
    """Find the exact score of every move, and the line of best play.

    A line of standard input is answered with the line and the scores of its
    columns, "." for a full one and "?" for one that the time limit has left
    open. With --json the answer is an object: moves, score, scores (null where
    a column is full), best (columns as people count them) and line (best play
    to the end). At the time limit score is null, and lower, upper and bounds
    (of each column) are there too. An unusable line is answered with the line
    and the word error, or an object with "error"; the exit status is then 1.
    """
    solver = make_solver(threads, no_book)
    limit = make_limit(time_limit)

    def analyze_some(positions: Sequence[Position]) -> list[Analysis]:
        return [solver.analyze(position, limit, variations=as_json) for position in positions]

    def from_input() -> int:
        form = JsonForm() if as_json else TextForm()
        return answer_lines(analyze_some, form, width=width, height=height)

    def from_argument() -> int:
        position = Position(str(moves), width=width, height=height)
        analysis = solver.analyze(position, limit)
        if as_json:
            print(json.dumps(to_object(str(moves), position, analysis)))
        else:
            style, last = best_style(sys.stdout), last_column(moves, width)
            print(board(position, style=style, last=last, colour=can_colour(sys.stdout)))
            print(f"\n{analysis_text(position, analysis, style=style)}")
        return 0

    raise typer.Exit(run_politely(from_input if moves is None else from_argument))


def to_object(moves: str, position: Position, analysis: Analysis) -> dict[str, object]:
    """Return what `--json` answers; see the help of the command."""
    result = analysis.result
    lines = {line.column: line for line in analysis}
    columns = [lines.get(column) for column in range(position.width)]
    best = result.best_columns or ()
    centre = (position.width - 1) / 2
    shown = min(best, key=lambda column: abs(column - centre), default=None)
    content: dict[str, object] = {
        "moves": moves,
        "score": result.score,
        "scores": [line.score if line else None for line in columns],
        "best": [column + 1 for column in best],
        "line": "" if shown is None else format_moves(lines[shown].variation),
    }
    if not result.complete:
        content |= {"lower": result.lower, "upper": result.upper}
        content["bounds"] = [[line.lower, line.upper] if line else None for line in columns]
    return content


class TextForm:
    """The line, and the score of each column."""

    def answer(self, line: bytes, position: Position, found: Analysis) -> bytes:
        """Return the answer."""
        scores = {each.column: "?" if each.score is None else str(each.score) for each in found}
        return b" ".join([line, *(scores.get(column, ".").encode() for column in range(position.width))])

    def error(self, line: bytes, reason: str) -> bytes:
        """Return the line and the word."""
        del reason
        return line + b" error"


class JsonForm:
    """One object a line."""

    def answer(self, line: bytes, position: Position, found: Analysis) -> bytes:
        """Return the object."""
        return json.dumps(to_object(_text(line), position, found)).encode()

    def error(self, line: bytes, reason: str) -> bytes:
        """Return an object with the reason."""
        return json.dumps({"moves": _text(line), "error": reason}).encode()


def _text(line: bytes) -> str:
    return line.decode("utf-8", "backslashreplace").strip()
