"""`fourcast solve`: the exact score of a position, or of many."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence

import typer

from fourcast._core import Position, Result
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
from fourcast.cli.stream import answer_lines, run_politely
from fourcast.notation import parse_moves
from fourcast.render.analysis import result_text
from fourcast.render.text import best_style, board, can_colour


def solve(
    moves: Moves = None,
    as_json: Json = False,
    width: Width = 7,
    height: Height = 6,
    no_book: NoBook = False,
    threads: Threads = 1,
    time_limit: TimeLimit = None,
) -> None:
    """Find the exact score of a position, or of many.

    A line of standard input is answered with the line, a space and the score
    of the side to move. 18 wins with the fourth stone of a side, 1 with its
    last, 0 is a draw, losses are negative. If the time limit is reached, the
    answer is the line, a ? and the proven bounds: 44 ? -2 3. An unusable line
    is answered with the line and the word error, and the exit status is 1.
    """
    solver = make_solver(threads, no_book)
    limit = make_limit(time_limit)

    def solve_some(positions: Sequence[Position]) -> list[Result]:
        if len(positions) == 1:
            return [solver.solve(positions[0], limit, best_columns=False)]
        return solver.solve_many(positions, limit, threads=threads)

    def from_input() -> int:
        form = JsonForm() if as_json else TextForm()
        return answer_lines(solve_some, form, width=width, height=height)

    def from_argument() -> int:
        position = Position(str(moves), width=width, height=height)
        result = solver.solve(position, limit, best_columns=not as_json)
        if as_json:
            print(json.dumps({"moves": moves, **_fields(result)}))
        else:
            style, last = best_style(sys.stdout), last_column(moves, width)
            print(board(position, style=style, last=last, colour=can_colour(sys.stdout)))
            print(f"\n{result_text(position, result, style=style)}")
        return 0

    raise typer.Exit(run_politely(from_input if moves is None else from_argument))


def last_column(moves: str | None, width: int) -> int | None:
    """Return the column of the last of *moves*, to be marked on the board."""
    return parse_moves(moves, width)[-1] if moves else None


class TextForm:
    """The line, a space, and the score."""

    def answer(self, line: bytes, position: Position, found: Result) -> bytes:
        """Return the answer; `?` and the bounds if the score is not known."""
        del position
        if found.score is None:
            return line + f" ? {found.lower} {found.upper}".encode()
        return line + f" {found.score}".encode()

    def error(self, line: bytes, reason: str) -> bytes:
        """Return the line and the word."""
        del reason
        return line + b" error"


class JsonForm:
    """One object a line."""

    def answer(self, line: bytes, position: Position, found: Result) -> bytes:
        """Return the object with the score, or with null and the bounds."""
        del position
        return json.dumps({"moves": _text(line), **_fields(found)}).encode()

    def error(self, line: bytes, reason: str) -> bytes:
        """Return an object with the reason."""
        return json.dumps({"moves": _text(line), "error": reason}).encode()


def _fields(result: Result) -> dict[str, object]:
    return {"score": result.score, "lower": result.lower, "upper": result.upper}


def _text(line: bytes) -> str:
    return line.decode("utf-8", "backslashreplace")
