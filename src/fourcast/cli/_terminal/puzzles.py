"""Puzzles at the terminal: asks for columns, gives hints, and explains."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable

from fourcast._core import Limit, Position
from fourcast.cli._support.boards import text_width
from fourcast.cli._support.process import INTERRUPTED
from fourcast.cli._terminal.hint import hint
from fourcast.cli._terminal.prompt import ask
from fourcast.cli._terminal.session import QUIT, REASON_S, Session, until_left
from fourcast.errors import InvalidNotationError, OptionError
from fourcast.notation import column_names, format_column, parse_column
from fourcast.puzzles.collection import daily_record
from fourcast.puzzles.history import History
from fourcast.puzzles.puzzle import Attempt, Puzzle
from fourcast.puzzles.themes import THEMES
from fourcast.render.explained import explained_boards
from fourcast.render.said import paragraphs_text, said_text
from fourcast.render.text import Style, board
from fourcast.study.explain import explain_move

STORM_S = 180
"""How long a storm lasts."""

HELP = """
  1-{last}   play that column
  h     a hint: first the idea, then the column and its reason
  s     give up, and see the solution
  n     skip this one
  q     quit
  ?     this help
"""


class PuzzleSession(Session):
    """Some puzzles in a row."""

    def __init__(self, history: History, *, style: Style) -> None:
        super().__init__(history, style=style)
        self._is_left = False

    def run(self, puzzles: Iterable[Puzzle | tuple[Puzzle, str]], count: int | None = None) -> int:
        """Ask one puzzle after the other until they end or the person leaves; return the exit status.

        A puzzle that stands for a card comes with the id of that.
        """

        def ask_all() -> None:
            for done, each in enumerate(puzzles, start=1):
                puzzle, card = each if isinstance(each, tuple) else (each, None)
                self.ask(puzzle, card)
                if self._is_left or done == count:
                    return
                if ask("Enter for the next one, q to quit: ").lower() in QUIT:
                    return

        return until_left(ask_all)

    def storm(self, puzzles: Iterable[Puzzle], clock: Callable[[], float] = time.monotonic) -> int:
        """Ask one puzzle after the other for three minutes, and print how many were solved.

        Nothing of it is written down: a storm is about being quick. Returns the exit status.
        """
        solved = asked = 0
        end = clock() + STORM_S
        try:
            for puzzle in puzzles:
                left = end - clock()
                if left <= 0:
                    break
                print(f"\n{solved} solved, {left:.0f} s left")
                attempt, _ = self._attempt(puzzle)
                if self._is_left or clock() > end:
                    break
                asked += 1
                solved += attempt.state == "solved"
                if attempt.state != "solved":
                    print(f"The solution: {_solution(puzzle)}")
        except EOFError:
            print()
        except KeyboardInterrupt:
            print()
            return INTERRUPTED
        print(f"\nStorm: {solved} of {asked} solved.")
        return 0

    def ask(self, puzzle: Puzzle, card: str | None = None) -> bool | None:
        """Ask a puzzle, explain it, and write down what came of it. None if it was skipped."""
        print(f"\n{self._title(puzzle)}")
        attempt, hints = self._attempt(puzzle)
        if hints is None:
            return None
        solved = attempt.state == "solved"
        self._history.add(puzzle, solved=solved, hints=hints, card=card)
        self._explain(attempt)
        self._print_standing()
        return solved

    def _attempt(self, puzzle: Puzzle) -> tuple[Attempt, int | None]:
        """Let the person try a puzzle; with the number of hints, None if it was skipped."""
        attempt, hints = puzzle.start(), 0
        self._show(attempt)
        print(puzzle.question(self._names))
        while attempt.state == "open":
            entry = ask(f"Your column (1-{self._last(puzzle)}, h for a hint, ? for help): ").lower()
            try:
                column = parse_column(entry, puzzle.width)
            except InvalidNotationError as error:
                if entry in QUIT:
                    self._is_left = True
                    return attempt, None
                if entry in ("n", "next"):
                    return attempt, None
                if entry in ("s", "solution"):
                    break
                if entry in ("h", "hint"):
                    hints += 1
                    print(self._hint(attempt, hints))
                elif entry == "?":
                    print(HELP.format(last=self._last(puzzle)))
                else:
                    problem = f"{str(error)[0].upper()}{str(error)[1:]}." if entry else "An empty line."
                    print(f"{problem} Type a column, or ? to see what else you can do.")
                continue
            if reason := attempt.position.refusal(column):
                print(f"{str(reason)[0].upper()}{str(reason)[1:]}.")
                continue
            attempt = self._try(attempt, column)
        return attempt, hints

    def _title(self, puzzle: Puzzle) -> str:
        rated = f", rating {puzzle.rating} +-{puzzle.error}" if puzzle.error else ""
        return f"Puzzle {puzzle.id}{rated}"

    def _try(self, attempt: Attempt, column: int) -> Attempt:
        """Return the attempt after a move, and say what came of it."""
        attempt = attempt.try_move(column, self._solver)
        if attempt.said:
            print(said_text(attempt.said, self._names))
        elif attempt.state == "open":
            opponent = self._names[2 - attempt.puzzle.player]
            assert attempt.reply is not None
            print(f"Right. {opponent} answers with column {format_column(attempt.reply)}.")
            self._show(attempt)
        elif attempt.state == "solved":
            self._show(attempt)
            print(f"Solved! {attempt.puzzle.end_text(self._names)}".rstrip())
        else:
            print(f"Column {format_column(column)} is not the solution.")
        return attempt

    def _hint(self, attempt: Attempt, number: int) -> str:
        themes = attempt.puzzle.themes
        if number == 1 and themes:
            return f"The idea: {themes[0]}. {THEMES[themes[0]].sentence}"
        return hint(attempt.position, self._solver, self._names)

    def _explain(self, attempt: Attempt) -> None:
        """Say why the solution is right, and what is wrong with another move: the one played, if any."""
        puzzle = attempt.puzzle
        print(f"\nThe solution: {_solution(puzzle)}")
        if hole := attempt.hole(self._solver):
            self._explain_hole(*hole)
            return
        # Where it went wrong, or was given up; of a solved puzzle, the beginning.
        made = {"failed": attempt.columns[:-1], "solved": (), "open": attempt.columns}[attempt.state]
        there = Attempt(puzzle, made)
        wrong: tuple[int, ...] = ()
        if attempt.state == "failed":
            wrong = attempt.columns[-1:]
        elif not made and puzzle.tempting is not None:
            wrong = (puzzle.tempting,)
        right = attempt.columns[:1] if attempt.state == "solved" else there.accepted(self._solver)[:1]
        if made:
            print(f"\nAfter {' '.join(map(format_column, made))}:")
        for column in right + wrong:
            if text := self._reason(there.position, column):
                print(f"\n{text}", flush=True)
        if puzzle.themes:
            print(f"\nThemes: {', '.join(puzzle.themes)}.")

    def _explain_hole(self, there: Attempt, answer: int, better: int) -> None:
        """Say where the plan goes wrong, and why."""
        line, column = " ".join(map(format_column, there.columns)), format_column(answer)
        print(
            f"\nThe hole: after {line} the plan answers with column {column}."
            f" Column {format_column(better)} would have been right."
        )
        if text := self._reason(there.position, answer):
            print(f"\n{text}", flush=True)

    def _reason(self, position: Position, column: int) -> str:
        """Why a column is right or wrong, with the board where there is a short reason."""
        try:
            found = explain_move(
                position, column, solver=self._solver, reason_limit=Limit(time_s=REASON_S)
            )
        except OptionError:
            return ""
        blocks = [paragraphs_text(found.said[:1], self._names)]
        if found.reason is not None:
            if found.reason.claims:
                blocks.append(
                    explained_boards(
                        found.reason,
                        self._names,
                        style=self._style,
                        last=column,
                        color=self._colored,
                        width=text_width(),
                    )
                )
            blocks.append(found.reason.words(self._names))
        return "\n\n".join(blocks)

    def _print_standing(self) -> None:
        strength, streak = self._history.strength, self._history.streak
        row = f" Solved in a row: {streak}." if streak else ""
        print(f"\nYour rating: {strength.rating:.0f} +-{1.96 * strength.deviation:.0f}.{row}")

    def _show(self, attempt: Attempt) -> None:
        last = attempt.columns[-1] if attempt.columns else None
        if last is None and attempt.puzzle.moves:
            last = parse_column(attempt.puzzle.moves[-1], attempt.puzzle.width)
        drawn = board(attempt.position, style=self._style, last=last, color=self._colored)
        print(f"\n{drawn}\n")

    @staticmethod
    def _last(puzzle: Puzzle) -> str:
        return column_names(puzzle.width)[-1]


def _solution(puzzle: Puzzle) -> str:
    return " ".join(map(format_column, puzzle.solution))


def show_daily_record(history: History) -> None:
    """Print how somebody does with the puzzles of the days, as a text to share."""
    if share := daily_record(history.answered)["share"]:
        print(f"\n{said_text(share)}")
