"""What is wrong with a player program: a list of tests, each with a sentence, for its author.

The first test is whether it answers at all. A program that does not is examined further, for the one
thing that is probably wrong, and the other tests, which would all fail alike, are left out.
"""

from __future__ import annotations

import os
import re
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from difflib import get_close_matches
from typing import Any

from fourcast._core import Position
from fourcast.errors import ForfeitError, FourcastError
from fourcast.game import Game
from fourcast.notation import column_names, format_column, parse_moves, quote, to_json_object
from fourcast.players import player
from fourcast.protocol.advice import SANDBOX, advise
from fourcast.protocol.dialects import DIALECTS, Turn
from fourcast.protocol.json_lines import EXIT, format_request, parse_answer
from fourcast.protocol.languages import INTERPRETERS, language_of
from fourcast.protocol.program import Forfeit, ProgramPlayer
from fourcast.protocol.sandbox import Sandbox

__all__ = ["Finding", "check"]

START_TIME_S = 3.0
"""Seconds that a program has to start in, besides the time for a move."""
AFTER_INPUT_S = 2.0
"""Seconds in which a program must answer or end when its input is closed."""
MOST_TIMEOUTS = 2
"""Timeouts after which the remaining tests are skipped."""


@dataclass(frozen=True)
class Finding:
    """A test and its outcome: `complaint` is empty if it was passed."""

    title: str
    complaint: str
    required: bool
    advice: str = ""
    board: str = ""
    """The position in which something went wrong, as a diagram."""
    messages: str = ""
    """What the program wrote to standard error: the last 64 KiB."""

    @property
    def passed(self) -> bool:
        """Whether the test was passed."""
        return not self.complaint

    def to_json(self) -> dict[str, Any]:
        """Return it as JSON types."""
        return {"passed": self.passed, **asdict(self)}


class _ComplaintError(Exception):
    """A test that was not passed."""

    def __init__(
        self,
        complaint: str,
        *,
        advice: str = "",
        position: Position | None = None,
        is_broken: bool = True,
    ) -> None:
        super().__init__(complaint)
        self.advice = advice
        self.position = position
        self.is_broken = is_broken
        """Whether standard error may say why; a weak move has no reason there."""


class _Check:
    """The program under test, a new process for each test; *options* are those of `ProgramPlayer`."""

    def __init__(
        self, command: str | Sequence[str], *, move_time_s: float, dialect: str, **options: Any
    ) -> None:
        self.command = command
        self.move_time_s = move_time_s
        self.dialect = dialect
        self._options = options
        self.slowest_s = 0.0
        """Its longest move, without the first one of each process, which includes the start."""
        self.program = self.start()
        self._language = language_of(self.program.command, self.program.directory)
        self.position: Position | None = None

    def start(self, *words: str) -> ProgramPlayer:
        self.program = ProgramPlayer(
            self.command,
            move_time_s=self.move_time_s,
            start_time_s=START_TIME_S,
            dialect=self.dialect,
            **self._options,
        )
        self.program.command += words
        self._is_started = False
        return self.program

    def ask(self, position: Position, moves: Sequence[int] | None = None) -> int:
        self.position = position
        begin = time.perf_counter()
        column = self.program.take_turn(Turn(position, moves, self.move_time_s))
        if self._is_started:
            self.slowest_s = max(self.slowest_s, time.perf_counter() - begin)
        self._is_started = True
        return column

    def moves(self, position: Position, moves: str = "") -> int:
        with self.start():
            return self.ask(position, parse_moves(moves, position.width))

    # The first contact, and what to make of it if it fails

    def diagnose(self, failure: ForfeitError) -> tuple[str, str]:
        """Return what is probably wrong with a program that has not answered, and what to do."""
        for dialect in DIALECTS:
            if dialect != self.dialect and failure.kind != Forfeit.NO_START and self._speaks(dialect):
                return (
                    f"it speaks the dialect {dialect!r}, not {self.dialect!r}: {failure}",
                    f"Write {dialect}: before its command, as in '{dialect}:python bot.py'.",
                )
        if failure.kind == Forfeit.TOO_LATE:
            return self._diagnose_silence(failure)
        return str(failure), self.advice(failure)

    def advice(self, failure: ForfeitError) -> str:
        """Return what to do about a failure; empty if nobody knows."""
        program = self.program
        if failure.kind == Forfeit.NO_START:
            return _cure_of_start(program)
        if failure.kind == Forfeit.CRASH and (missing := _missing_file(program)):
            return f"There is no file {missing!r} in {program.directory}."
        return advise(str(failure), program.standard_error, self._language, self.dialect)

    def _speaks(self, dialect: str) -> bool:
        """Whether it answers the first question in another dialect with a move, in a short time."""
        with ProgramPlayer(
            self.command, move_time_s=1.0, start_time_s=1.0, dialect=dialect, **self._options
        ) as program:
            try:
                program.take_turn(Turn(Position(), ()))
            except ForfeitError:
                return False
            return True

    def _diagnose_silence(self, failure: ForfeitError) -> tuple[str, str]:
        """Ask again and close the input: an answer that comes at once was kept in a buffer."""
        limit_s = START_TIME_S + self.move_time_s
        begin = time.perf_counter()
        with self.start() as program:
            program.send(format_request(Position()))
            program.end_input()
            line = program.take_line(limit_s + AFTER_INPUT_S)
        took_s = time.perf_counter() - begin
        if line is None:
            advice = "It should read a line, answer it, and read the next."
            return f"{failure}, and none after the end of its input", advice
        try:
            parse_answer(line, Position())
        except FourcastError as error:
            return f"{failure}; at the end of its input it wrote {quote(line)}: {error}", ""
        if took_s > limit_s:
            return (
                f"too late: its answer took {took_s:.1f} s; it has {self.move_time_s:g} s for a move, "
                f"and {START_TIME_S:g} s more to start",
                "Let it think for less time. If the computer is busy with other things, check again.",
            )
        return (
            "it does not flush its output: its answer came only when its input was closed",
            self._how_to_flush(),
        )

    def _how_to_flush(self) -> str:
        where = f" in {self._language.name}" if self._language.name else ""
        return (
            f"Flush after each line: {self._language.flush}{where}. If it does, it may read all of its "
            "input before it answers: it must answer each line as it comes."
        )

    # The tests. Each returns if it is passed, or raises ForfeitError or _ComplaintError.

    def answers(self) -> None:
        self.moves(Position())

    def plays_a_game(self) -> None:
        opponent = player("random", seed=1)
        for seat in (1, 2):
            game = Game()
            with self.start():
                while not game.is_over:
                    position = game.position
                    mine = position.turn == seat
                    game.play(self.ask(position, game.columns) if mine else opponent.choose(position))

    def avoids_full_columns(self) -> None:
        game = Game("111111222222333333544444455555666666")  # only the last column is open
        with self.start():
            while not game.is_over:
                position = game.position
                try:
                    column = self.ask(position, game.columns)
                except ForfeitError as failure:
                    if failure.kind != Forfeit.ILLEGAL_MOVE:
                        raise
                    advice = self.advice(failure)
                    if '"move": 7' in str(failure):
                        advice = "It seems to count columns from 1; the protocol counts them from 0."
                    raise _ComplaintError(str(failure), advice=advice, position=position) from None
                game.play(column)

    def does_not_guess_who_started(self) -> None:
        # The player numbered 2 has started, and 1 is to move with one disc fewer.
        grid = [[0, 0, 0, 0, 0, 0] for _ in range(7)]
        grid[3][5] = 2
        with self.start() as program:
            program.raw({"grid": grid, "height": 6, "player": 1, "width": 7}, Position("4"))

    def ignores_extra_keys(self) -> None:
        request = {"comment": "ignore me", "moves_so_far": [3], **to_json_object(Position("4"))}
        with self.start() as program:
            program.raw(request, Position("4"))

    def keeps_to_itself(self) -> None:
        with self.start():
            for moves in ("", "44", "4455"):
                self.ask(Position(moves), parse_moves(moves))
                time.sleep(0.05)

    def ends_when_told(self) -> None:
        for last_line in (f"{EXIT}\n", ""):
            with self.start() as program:
                self.ask(Position(), ())
                program.end_input(last_line)
                what = f"the line {EXIT}" if last_line else "the end of its input"
                status = program.wait_for_end(AFTER_INPUT_S)
                if status is None:
                    raise _ComplaintError(f"it did not end within {AFTER_INPUT_S:g} s of {what}")
                if status:
                    raise _ComplaintError(
                        f"it ended with status {status} at {what}",
                        advice=f"Compare each line with {EXIT} before you parse it."
                        if last_line
                        else "",
                    )

    def other_sizes(self) -> None:
        for width, height in ((4, 4), (8, 7), (10, 5)):
            self.moves(Position(width=width, height=height))

    def second_dialect(self) -> None:
        words = ("--player", "2", "--width", "7", "--height", "6")
        with self.start(*words) as program:
            try:
                program.raw({"grid": to_json_object(Position("4"))["grid"]}, Position("4"))
            except ForfeitError as failure:
                advice = "No command of fourcast asks for it, only some referees elsewhere do."
                raise _ComplaintError(str(failure), advice=advice) from None

    def wins_at_once(self) -> None:
        self._expect("445566", (2, 6), "it could have won")

    def blocks(self) -> None:
        self._expect("71717", (6,), "the opponent wins")

    def _expect(self, moves: str, wanted: tuple[int, ...], what: str) -> None:
        position = Position(moves)
        column = self.moves(position, moves)
        if column not in wanted:
            names = " or ".join(map(format_column, wanted))
            complaint = f"{what} in column {names}, and it played column {format_column(column)}"
            raise _ComplaintError(
                f"{complaint} (columns counted from 1)", position=position, is_broken=False
            )


_Test = tuple[str, Callable[[_Check], None], str]
_REQUIRED: list[_Test] = [
    ("answers a line with a move", _Check.answers, ""),
    ("plays a game on either side to its end", _Check.plays_a_game, ""),
    ("plays no full column", _Check.avoids_full_columns, ""),
    (
        "takes the player to move from the line",
        _Check.does_not_guess_who_started,
        "The player numbered 1 is not always the one who started.",
    ),
    ("ignores keys that it does not know", _Check.ignores_extra_keys, ""),
    (
        "says nothing but moves on standard output",
        _Check.keeps_to_itself,
        "Print everything else to standard error.",
    ),
]
_RECOMMENDED: list[_Test] = [
    (f"ends at {EXIT} and at the end of its input", _Check.ends_when_told, ""),
    ("plays on boards of other sizes", _Check.other_sizes, "Take width and height from the line."),
    ("understands --player, --width, --height and bare grids", _Check.second_dialect, ""),
    ("takes a win at once", _Check.wins_at_once, ""),
    ("blocks a threat", _Check.blocks, ""),
]

# Tests that need questions which only some dialects have.
_SPOKEN: dict[Callable[[_Check], None], tuple[str, ...]] = {
    _Check.avoids_full_columns: ("json", "contest", "engine"),
    _Check.does_not_guess_who_started: ("json",),
    _Check.ignores_extra_keys: ("json",),
    _Check.keeps_to_itself: ("json", "contest"),
    _Check.ends_when_told: ("json",),
    _Check.other_sizes: ("json", "contest"),
    _Check.second_dialect: ("json",),
    _Check.wins_at_once: ("json", "contest", "engine"),
    _Check.blocks: ("json", "contest", "engine"),
}


def check(
    command: str | Sequence[str],
    *,
    move_time_s: float = 5.0,
    memory_mb: int = 1024,
    dialect: str = "json",
    directory: str | None = None,
    sandbox: Sandbox | str = Sandbox.AUTO,
) -> Iterator[Finding]:
    """Yield what each test finds, the required ones first; stop if nothing else can be learned.

    The last finding of a program that plays says how slow its slowest move was.
    """
    program = _Check(
        command,
        move_time_s=move_time_s,
        dialect=dialect,
        memory_mb=memory_mb,
        directory=directory,
        sandbox=sandbox,
    )
    timeouts = 0
    for required, tests in ((True, _REQUIRED), (False, _RECOMMENDED)):
        for title, test, advice in tests:
            if dialect not in _SPOKEN.get(test, DIALECTS):
                continue
            program.position = None
            try:
                test(program)
                yield Finding(title, "", required)
            except _ComplaintError as complaint:
                advice = complaint.advice or advice
                finding = _found(program, title, str(complaint), required, advice, complaint.position)
                yield finding if complaint.is_broken else replace(finding, messages="")
            except ForfeitError as failure:
                if test is _Check.answers:
                    messages = program.program.standard_error
                    diagnosis, advice = program.diagnose(failure)
                    yield Finding(title, diagnosis, required, advice, messages=messages)
                    return
                advice = program.advice(failure) or advice
                yield _found(program, title, str(failure), required, advice, program.position)
                timeouts += failure.kind == Forfeit.TOO_LATE
                if timeouts == MOST_TIMEOUTS:
                    complaint_text = f"too late in {timeouts} tests: the others were left out"
                    yield Finding("answers in time", complaint_text, True)
                    return
    yield Finding(
        f"the slowest move took {program.slowest_s * 1000:.0f} ms; limits: {move_time_s:g} s a move, "
        f"{memory_mb} MB",
        "",
        False,
    )


def _found(
    program: _Check,
    title: str,
    complaint: str,
    required: bool,
    advice: str,
    position: Position | None,
) -> Finding:
    board = "" if position is None else f"{position}\n{' '.join(column_names(position.width))}"
    return Finding(title, complaint, required, advice, board, program.program.standard_error)


def _missing_file(program: ProgramPlayer) -> str:
    """A file that the command names and that is not there; empty if there is none."""
    for word in program.command:
        is_file = re.fullmatch(r"[\w./ -]+\.(py|m?js|jar|rb|pl|lua|php|class|dll)", word)
        if is_file and not os.path.exists(os.path.join(program.directory, word)):
            return word
    return ""


def _cure_of_start(program: ProgramPlayer) -> str:
    """What to do about a program that cannot be run."""
    word = program.command[0]
    path = os.path.join(program.directory, word)
    if not os.path.isfile(path):
        if missing := _missing_file(program):
            return f"There is no file {missing!r} in {program.directory}."
        close = get_close_matches(word, [*INTERPRETERS, "python3"], n=1)
        meant = f" Did you mean {close[0]!r}?" if close else ""
        return f"Give the command in quotes, as you would type it in {program.directory}.{meant}"
    with open(path, "rb") as file:
        first_line = file.readline(200)
    if first_line.startswith(b"#!") and first_line.endswith(b"\r\n"):
        return (
            "Its first line ends as on Windows, and names a program that is not there: save the file "
            "with line ends of Unix."
        )
    if word.endswith(".py"):
        return f'It is a Python file: write "python {word}".'
    if not os.access(path, os.X_OK):
        return f"It may not be executed: chmod +x {word}."
    if "/" not in word:
        return f'A program of this folder is started with its path: "./{word}".'
    return SANDBOX if program.isolation.kind != "none" else ""
