"""What a game at the terminal looks like: the board, the names of the sides, the result, the help."""

from __future__ import annotations

import sys

from fourcast._core import Rules
from fourcast.cli._terminal.seats import HUMAN, Seats
from fourcast.game import Game, Termination
from fourcast.notation import column_names
from fourcast.render.catalogue import Names
from fourcast.render.text import SIDES, Style, board, can_color

_NUMBERS = {3: "three", 4: "four", 5: "five", 6: "six", 7: "seven"}


class Screen:
    """Shows a game. *red* is the player with the red discs, or with the X where letters are drawn.

    The sides are called by their discs, or if they are *numbered* Player 1 and Player 2.
    """

    def __init__(
        self, game: Game, seats: Seats, *, style: Style, red: int = 1, numbered: bool = False
    ) -> None:
        self._game = game
        self._seats = seats
        self.style, self.red = style, red
        self.colored = can_color(sys.stdout)
        discs = SIDES[style] if red == 1 else SIDES[style][::-1]
        self.sides: Names = ("Player 1", "Player 2") if numbered else discs

    def side(self, player: int) -> str:
        """Return what *player* is called."""
        return self.sides[player - 1]

    def name(self, player: int) -> str:
        """Return what to call *player*: the side, and the name if there is one."""
        name = self._seats[player].name
        return self.side(player) if name == HUMAN else f"{self.side(player)} ({name})"

    @property
    def mover(self) -> str:
        """What to call the player to move."""
        return self.name(self._game.position.turn)

    @property
    def _rules(self) -> Rules:
        return self._game.start.rules

    @property
    def last_column(self) -> str:
        """What the last column is called."""
        return column_names(self._game.position.width)[-1]

    def show(self) -> None:
        """Print the board, and the result if there is one."""
        last = self._game.columns[-1] if self._game.columns else None
        drawn = board(self._game.position, style=self.style, last=last, color=self.colored, red=self.red)
        print(f"\n{drawn}\n")
        result = self._game.result
        if result is None:
            return
        if result.winner is None:
            print(f"It's a draw: {result.termination.value}.")
        elif result.termination is Termination.FOUR:
            number = _NUMBERS.get(self._rules.connect, str(self._rules.connect))
            if self._rules.misere:
                maker = self.name(3 - result.winner)
                print(f"{maker} has {number} in a row: {self.name(result.winner)} wins!")
            else:
                print(f"{self.name(result.winner)} wins with {number} in a row!")
        else:
            print(f"{self.name(result.winner)} wins by {result.termination.value}.")

    def show_help(self) -> None:
        """Print what can be typed."""
        hint = "hint" if self.last_column >= "h" else "h   "
        number = _NUMBERS.get(self._rules.connect, str(self._rules.connect))
        aim = f"Get {number} of your discs in a row, across, up or diagonally, to win."
        if self._rules.misere:
            aim = f"Do not get {number} of your discs in a row, across, up or diagonally: that loses."
        if self._rules.wrap:
            aim += "\nThe board is a cylinder: the last column is next to the first."
        pop = reason = ""
        if self._rules.is_standard:
            reason = """, with its reason
  why     why the computer's last move is good or bad; in the end, where it was lost"""
        if self._rules.pop:
            pop = """
  p1-p{0}   take your disc out of the bottom of that column; what is above falls
  =       claim a draw, on a full board""".replace("{0}", self.last_column)
        print(
            f"""
{aim}

  1-{self.last_column}     drop a disc into that column{pop}
  u       take back your last move
  r       play again what was taken back
  {hint}    a hint{reason}
  s FILE  save the game (as JSON if FILE ends in .json)
  q       quit; you will be told how to continue later
  ?       this help
"""
        )
