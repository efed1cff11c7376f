"""The languages that player programs speak: JSON lines, and those of bots that exist already.

Each says how a program is asked for a move and what its answer means; `docs/protocol.md` describes them.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, cast

from fourcast._core import Position
from fourcast.errors import IllegalMoveError, InvalidNotationError, OptionError
from fourcast.notation import format_column, format_moves, parse_moves, quote, suggest, to_json_object
from fourcast.protocol.json_lines import EXIT, parse_answer

__all__ = ["DIALECTS", "Dialect", "Turn", "make_dialect"]

VERSION = 2
"""The version of the JSON protocol, which each request states."""


@dataclass(frozen=True)
class Turn:
    """A position in which a program is to move, and what else it is told."""

    position: Position
    moves: Sequence[int] | None = None
    """All columns played so far; None if that is not known."""
    move_time_s: float = 5.0
    time_left_s: float | None = None
    """What is left of the time for the game; None if there is no such limit."""
    game: str = ""
    opponent: str = ""


class Dialect:
    """JSON lines: one object asks, one answers. The other dialects differ in what they override."""

    name: ClassVar[str] = "json"
    has_openings: ClassVar[bool] = True
    """Whether a game can begin with moves that the program has not made itself."""

    def __init__(self) -> None:
        self._version = 1

    def request(self, turn: Turn, *, is_first: bool) -> str:
        """Return the lines, without the end of the last one, that ask for a move."""
        del is_first
        content = to_json_object(turn.position) | {"version": VERSION}
        if turn.moves is not None:
            content["moves"] = "".join(map(turn.position.move_name, turn.moves))
        if turn.time_left_s is not None:
            content["time_left_s"] = round(turn.time_left_s, 3)
        content |= {key: text for key in ("game", "opponent") if (text := getattr(turn, key))}
        return json.dumps(content)

    def is_aside(self, line: str) -> bool:
        """Whether a line is no answer and may be written at any time."""
        del line
        return False

    def answer(self, line: str, position: Position) -> int:
        """Return the column that a line names; raise `InvalidNotationError` or `IllegalMoveError`."""
        column = parse_answer(line, position)
        version = json.loads(line).get("version")
        self._version = version if type(version) is int else 1
        return column

    def ending(self, result: str) -> str:
        """Return the lines that end a program; *result* is `won`, `lost`, `drawn`, or empty."""
        if result and self._version >= VERSION:
            return f"{json.dumps({'result': result})}\n{EXIT}\n"
        return f"{EXIT}\n"


class ContestDialect(Dialect):
    """The form of contest sites: settings, updates with the field, `action move`, `place_disc 3`."""

    name = "contest"

    def request(self, turn: Turn, *, is_first: bool) -> str:
        """Return the settings before the first move, then the field and the question."""
        position = turn.position
        left_ms = round(1000 * (turn.move_time_s if turn.time_left_s is None else turn.time_left_s))
        lines = []
        if is_first:
            me = position.turn
            lines = [
                f"settings timebank {left_ms}",
                f"settings time_per_move {round(1000 * turn.move_time_s)}",
                "settings player_names player1,player2",
                f"settings your_bot player{me}",
                f"settings your_botid {me}",
                f"settings field_columns {position.width}",
                f"settings field_rows {position.height}",
            ]
        grid = cast("list[list[int]]", to_json_object(position)["grid"])
        rows = (",".join(str(column[row]) for column in grid) for row in range(position.height))
        lines.append(f"update game round {position.ply // 2 + 1}")
        lines.append(f"update game field {';'.join(rows)}")
        lines.append(f"action move {left_ms}")
        return "\n".join(lines)

    def answer(self, line: str, position: Position) -> int:
        """Return the column of `place_disc 3`, which counts from 0."""
        word, _, number = line.strip().partition(" ")
        if word != "place_disc" or not number.strip().isdecimal():
            raise InvalidNotationError(f"{quote(line)} is not an answer such as place_disc 3")
        return parse_answer(json.dumps({"move": int(number)}), position)

    def ending(self, result: str) -> str:
        """Return nothing: the end of the input ends such a program."""
        del result
        return ""


class ColumnsDialect(Dialect):
    """Plain columns, counted from 1: a line has the opponent's, 0 before the first move of a game."""

    name = "columns"
    has_openings = False

    def request(self, turn: Turn, *, is_first: bool) -> str:
        """Return the opponent's last column."""
        if turn.moves is None or (is_first and turn.position.ply > 1):
            raise OptionError("a program that exchanges columns plays whole games, without an opening")
        return format_column(turn.moves[-1]) if turn.moves else "0"

    def answer(self, line: str, position: Position) -> int:
        """Return the column that the line is."""
        return _column(line.strip(), line, position, "4")

    def ending(self, result: str) -> str:
        """Return nothing, as for contests."""
        del result
        return ""


class EngineDialect(Dialect):
    """The form of chess engines: `position moves 4455`, `go`, `bestmove 4`; other lines are skipped."""

    name = "engine"

    def request(self, turn: Turn, *, is_first: bool) -> str:
        """Return the moves, and the question with the time for it."""
        del is_first
        if turn.moves is None and turn.position.ply:
            raise OptionError("an engine is told the moves of a game, which are not known here")
        moves = format_moves(turn.moves or ())
        time_ms = round(1000 * turn.move_time_s)
        return f"position moves {moves}".rstrip() + f"\ngo movetime {time_ms}"

    def is_aside(self, line: str) -> bool:
        """Whether a line is not the answer."""
        return not line.startswith("bestmove")

    def answer(self, line: str, position: Position) -> int:
        """Return the column of `bestmove 4`, which counts from 1."""
        return _column(line.removeprefix("bestmove").strip(), line, position, "bestmove 4")

    def ending(self, result: str) -> str:
        """Return the word that ends an engine."""
        del result
        return "quit\n"


def _column(word: str, line: str, position: Position, example: str) -> int:
    """Return the column that a word names, counted from 1."""
    try:
        [column] = parse_moves(word.split(" ")[0], position.width)
    except (InvalidNotationError, IllegalMoveError, ValueError):
        raise InvalidNotationError(f"{quote(line)} is not an answer such as {example}") from None
    if error := position.refusal(column):
        raise error
    return column


DIALECTS = {each.name: each for each in (Dialect, ContestDialect, ColumnsDialect, EngineDialect)}


def make_dialect(name: str) -> Dialect:
    """Return a new speaker of the dialect of this name."""
    if name not in DIALECTS:
        raise OptionError(f"no dialect is called {quote(name)}; {suggest(name, DIALECTS)}")
    return DIALECTS[name]()
