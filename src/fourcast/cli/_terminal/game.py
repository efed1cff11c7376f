"""A game at the terminal: asks people and players for their moves, and does what people say."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from datetime import datetime, timezone

from fourcast._core import Position
from fourcast.cli._support.boards import text_width
from fourcast.cli._support.process import INTERRUPTED
from fourcast.cli._support.programs import last_words
from fourcast.cli._support.wrapping import break_command
from fourcast.cli._terminal.hint import hint
from fourcast.cli._terminal.prompt import ask
from fourcast.cli._terminal.saving import Saver, resume_command
from fourcast.cli._terminal.screen import Screen
from fourcast.cli._terminal.seats import Seats
from fourcast.cli._terminal.why import why_lost, why_move
from fourcast.errors import ForfeitError, InvalidNotationError
from fourcast.game import Game
from fourcast.notation import parse_column, parse_moves
from fourcast.players import Player
from fourcast.protocol.program import ProgramPlayer
from fourcast.solver import Solver
from fourcast.study.lessons import fitting_lesson

HIGHEST_LEVEL = 10
LEVEL_WITH_LESSON = 3
"""The highest level after which a beginner who has lost is offered a lesson."""
SHOWN_LINES = 20
"""Lines of what a failed program wrote to standard error that are shown, the last ones."""


class TerminalGame:
    """One game between two seats, from the first board to the last word.

    *options* are repeated in the command that resumes the game.
    """

    def __init__(
        self, game: Game, seats: Seats, screen: Screen, saver: Saver, options: Sequence[str] = ()
    ) -> None:
        self._game = game
        self._seats = seats
        self._screen = screen
        self._saver = saver
        self._options = options
        self._solver: Solver | None = None  # made for the first hint or explanation
        self._is_left = False
        self._is_shown = False  # whether the board has been shown as it is now
        self._commands: dict[str, Callable[[], None]] = {
            "u": self._undo,
            "r": self._redo,
            "h": self._hint,
            "why": self._why,
            "q": self._leave,
            "?": screen.show_help,
        }

    def run(self) -> int:
        """Play until the game is over or the people have left; return the exit status."""
        status = 0
        try:
            while not self._is_left:
                self._step()
        except EOFError:
            print()
        except KeyboardInterrupt:
            print()
            status = INTERRUPTED
        self._print_resume_command()
        return status

    def _step(self) -> None:
        """Take one step: a player's move, or what a person types.

        The board is shown when a person is to move; if none plays, after every move.
        """
        seat = self._seats[self._game.position.turn]
        if self._game.is_over or not seat.player or all(each.player for each in self._seats.values()):
            self._show()
        if self._game.is_over and all(seat.player for seat in self._seats.values()):
            self._leave()
        elif self._game.is_over:
            known = self._has_a_person_lost and self._game.start.rules.is_standard
            why = "why says where it was lost, " if known else ""
            self._obey(ask(f"Enter quits, u takes back, {why}s FILE saves: ") or "q")
        elif seat.player:
            self._let_choose(seat.player)
        else:
            columns = f"1-{self._screen.last_column}"
            if self._game.start.rules.pop:
                columns += f", p1-p{self._screen.last_column}"
            self._obey(ask(f"{self._screen.mover}, your column ({columns}, ? for help): "))

    def _print_resume_command(self) -> None:
        if self._game.is_over:
            return
        print("The game stops here, unfinished.")
        self._show()
        command = resume_command(self._game, self._seats, self._saver, self._options)
        print(f"To continue:\n{break_command(command, text_width())}")

    def _show(self) -> None:
        """Print the board, unless nothing has changed since it was printed."""
        if not self._is_shown:
            self._screen.show()
            self._is_shown = True
            if self._game.is_over:
                self._print_what_is_next()

    def _print_what_is_next(self) -> None:
        """Name the level after the one that was beaten, or the lesson for a beginner who has lost."""
        winner = self._game.position.winner
        people = [player for player, seat in self._seats.items() if not seat.player]
        if not winner or len(people) != 1:
            return
        (person,) = people
        found = re.fullmatch(r"level-(\d+)", self._seats[3 - person].name)
        level = int(found[1]) if found else 0
        if winner == person and 0 < level < HIGHEST_LEVEL:
            side = "--second" if person == 1 else "--first"
            print(f"You beat level {level}! The next one: fourcast play {side} level-{level + 1}")
        elif winner != person and 0 < level <= LEVEL_WITH_LESSON and self._game.start == Position():
            lesson = fitting_lesson(self._game.moves, person)
            print(f"A lesson that fits this game: fourcast learn {lesson.id} ({lesson.title})")

    # Moves

    def _let_choose(self, player: Player) -> None:
        mover = self._screen.mover
        try:
            column = player.choose(self._game.position)
        except ForfeitError as error:  # a program that breaks the rules
            print(f"{mover} forfeits the game: {error}")
            if isinstance(player, ProgramPlayer):
                for line in last_words(player.standard_error, SHOWN_LINES):
                    print(line)
            self._game.forfeit(reason=error.kind)
            self._is_shown = False
        else:
            print(f"{mover} {self._deed(column)}.")
            self._play(column)

    def _play(self, column: int) -> None:
        """Play a column, or say why not."""
        position = self._game.position
        if self._game.is_over:
            print("The game is over.")
        elif reason := position.refusal(column):
            open_columns = " ".join(map(position.move_name, position.legal_columns))
            print(_sentence(f"{reason}; choose one of {open_columns}"))
        else:
            self._game.play(column, stamp_s=self._elapsed_s())
            self._is_shown = False

    def _deed(self, move: int) -> str:
        """Return what a move does, in words."""
        name = self._game.position.move_name(move)
        if name == "=":
            return "claims a draw"
        taken_out = len(name) > 1
        return f"takes a disc out of column {name[1:]}" if taken_out else f"plays column {name}"

    def _elapsed_s(self) -> float | None:
        """Return the seconds since the game started, if that is known."""
        if self._game.started is None:
            return None
        elapsed_s = (datetime.now(timezone.utc) - self._game.started).total_seconds()
        return round(max(elapsed_s, 0), 1)

    # What a person types

    def _obey(self, entry: str) -> None:
        """Do what a person typed: a column, or a command with what belongs to it."""
        word, _, rest = entry.partition(" ")
        letter = _LONG_NAMES.get(word.lower(), word.lower())
        try:
            column = _parse_move(entry, self._game.position)
        except InvalidNotationError as error:
            if letter == "s":
                self._saver.save(rest.strip())
            elif letter in self._commands and not rest:
                self._commands[letter]()
            else:
                problem = _sentence(str(error)) if entry else "That was an empty line."
                print(f"{problem} Type a column, or ? to see what else you can do.")
        else:
            self._play(column)  # also `h`, on a board with 17 columns or more

    def _undo(self) -> None:
        """Take back to where a person last had the choice."""
        turns = [position.turn for position in self._game.positions()][:-1]
        choices = [ply for ply, turn in enumerate(turns) if not self._seats[turn].player]
        if not choices:
            print("There is no move to take back.")
            return
        for _ in turns[choices[-1] :]:
            self._game.undo()
        self._is_shown = False

    def _redo(self) -> None:
        """Play again what was taken back, up to where a person has the choice."""
        if not self._game.undone:
            print("There is no move to play again.")
            return
        self._game.redo()
        while self._game.undone and self._seats[self._game.position.turn].player:
            self._game.redo()
        self._is_shown = False

    def _hint(self) -> None:
        if self._game.is_over:
            print("The game is over.")
            return
        print(hint(self._game.position, self._get_solver(), self._screen.sides))

    def _why(self) -> None:
        """Explain the computer's last move, or anybody's if people play; at the end the decisive one."""
        if not self._game.columns:
            print("There is no move to explain yet.")
            return
        if not self._game.start.rules.is_standard:
            print(f"Only games by the standard rules are explained, not {self._game.start.rules}.")
            return
        if self._game.is_over:
            print(why_lost(self._game, self._screen, self._get_solver()))
            return
        turns = [position.turn for position in self._game.positions()][:-1]
        computer = [number for number, turn in enumerate(turns) if self._seats[turn].player]
        number = (computer or range(len(turns)))[-1]
        print(why_move(self._game, number, self._screen, self._get_solver()))

    @property
    def _has_a_person_lost(self) -> bool:
        """Whether a person has lost to the computer or a program."""
        winner = self._game.position.winner
        return bool(winner and self._seats[winner].player and not self._seats[3 - winner].player)

    def _get_solver(self) -> Solver:
        self._solver = self._solver or Solver()
        return self._solver

    def _leave(self) -> None:
        self._is_left = True


_LONG_NAMES = {
    "w": "why",
    "undo": "u",
    "redo": "r",
    "hint": "h",
    "save": "s",
    "quit": "q",
    "exit": "q",
    "help": "?",
}


def _parse_move(entry: str, position: Position) -> int:
    """Return the move that a person typed: a column, in PopOut also `p3` and `=`."""
    if position.rules.pop and (entry == "=" or entry[:1].lower() == "p"):
        moves = parse_moves(entry, position.width, pop=True)
        if len(moves) == 1:
            return moves[0]
    return parse_column(entry, position.width)


def _sentence(text: str) -> str:
    return f"{text[0].upper()}{text[1:]}."
