"""What is wrong with a player program: a list of tests, each with a sentence, for its author."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from fourcast._core import Position
from fourcast.errors import ForfeitError
from fourcast.notation import to_json_object
from fourcast.players import player
from fourcast.protocol.json_lines import EXIT
from fourcast.protocol.program import Forfeit, ProgramPlayer

__all__ = ["Finding", "check"]


@dataclass(frozen=True)
class Finding:
    """A test and what came of it: `complaint` is empty if it was passed."""

    title: str
    complaint: str
    required: bool
    advice: str = ""

    @property
    def passed(self) -> bool:
        """Whether there is nothing to complain of."""
        return not self.complaint


class _Check:
    """The program under test, a new process for each test."""

    def __init__(self, command: str | Sequence[str], move_time_s: float) -> None:
        self.command = command
        self.move_time_s = move_time_s

    def start(self, *words: str) -> ProgramPlayer:
        program = ProgramPlayer(self.command, move_time_s=self.move_time_s)
        program.command += words
        return program

    def moves(self, position: Position, *words: str) -> int:
        with self.start(*words) as program:
            return program.choose(position)

    # The tests. Each returns a complaint, or an empty text, or raises ForfeitError.

    def answers(self) -> str:
        self.moves(Position())
        return ""

    def plays_a_game(self) -> str:
        opponent = player("random", seed=1)
        for seat in (1, 2):
            position = Position()
            with self.start() as program:
                while not position.is_over:
                    mover = program if position.turn == seat else opponent
                    position = position.play(mover.choose(position))
        return ""

    def avoids_full_columns(self) -> str:
        full = Position("111111222222333333544444455555666666")
        with self.start() as program:
            while not full.is_over:
                full = full.play(program.choose(full))
        return ""

    def does_not_guess_who_started(self) -> str:
        # The player numbered 2 has started, and 1 is to move with one stone less.
        grid = [[0, 0, 0, 0, 0, 0] for _ in range(7)]
        grid[3][5] = 2
        with self.start() as program:
            program.raw({"grid": grid, "height": 6, "player": 1, "width": 7}, Position("4"))
        return ""

    def ignores_extra_keys(self) -> str:
        request = {"comment": "ignore me", "moves_so_far": [3], **to_json_object(Position("4"))}
        with self.start() as program:
            program.raw(request, Position("4"))
        return ""

    def keeps_to_itself(self) -> str:
        with self.start() as program:
            for moves in ("", "44", "4455"):
                program.choose(Position(moves))
                time.sleep(0.05)
        return ""

    def ends_when_told(self) -> str:
        for last_line in (f"{EXIT}\n", ""):
            program = self.start()
            program.choose(Position())
            program.end_input(last_line)
            if program.wait_for_end(2.0) is None:
                what = f"the line {EXIT}" if last_line else "the end of its input"
                program.close()
                return f"it did not end within 2 seconds of {what}"
            program.close()
        return ""

    def other_sizes(self) -> str:
        for width, height in ((4, 4), (8, 7), (10, 5)):
            self.moves(Position(width=width, height=height))
        return ""

    def second_dialect(self) -> str:
        words = ("--player", "2", "--width", "7", "--height", "6")
        with self.start(*words) as program:
            program.raw({"grid": to_json_object(Position("4"))["grid"]}, Position("4"))
        return ""

    def wins_at_once(self) -> str:
        column = self.moves(Position("445566"))
        return "" if column in (2, 6) else f"it could have won with 2 or 6, and played {column}"

    def blocks(self) -> str:
        column = self.moves(Position("71717"))
        return "" if column == 6 else f"the opponent wins with 6, and it played {column}"


_REQUIRED: list[tuple[str, Callable[[_Check], str], str]] = [
    ("answers a line with a move", _Check.answers, 'One line, {"move": 3}, and flush the output.'),
    ("plays a game on either side to its end", _Check.plays_a_game, ""),
    ("plays no full column", _Check.avoids_full_columns, "In the grid, index 0 of a column is the top."),
    (
        "takes the player to move from the line",
        _Check.does_not_guess_who_started,
        "The player numbered 1 need not be the one who started.",
    ),
    ("ignores keys that it does not know", _Check.ignores_extra_keys, ""),
    (
        "says nothing but moves on standard output",
        _Check.keeps_to_itself,
        "What else there is to say goes to standard error.",
    ),
]
_RECOMMENDED: list[tuple[str, Callable[[_Check], str], str]] = [
    (f"ends at {EXIT} and at the end of its input", _Check.ends_when_told, ""),
    ("plays on boards of other sizes", _Check.other_sizes, "Use the width and height of the line."),
    ("understands --player, --width, --height and bare grids", _Check.second_dialect, ""),
    ("takes a win at once", _Check.wins_at_once, ""),
    ("blocks a threat", _Check.blocks, ""),
]


def check(command: str | Sequence[str], *, move_time_s: float = 5.0) -> Iterator[Finding]:
    """Yield what each test finds, the required ones first."""
    program = _Check(command, move_time_s)
    for required, tests in ((True, _REQUIRED), (False, _RECOMMENDED)):
        for title, test, advice in tests:
            try:
                complaint = test(program)
            except ForfeitError as error:
                complaint = str(error)
                if error.kind == Forfeit.NO_START:
                    yield Finding("starts", complaint, True)
                    return
            yield Finding(title, complaint, required, advice if complaint else "")
