"""What a puzzle is about, told by code: one predicate for each theme.

A predicate sees a `Solved` puzzle: the positions of its solution, and best play after it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property

from fourcast._core import Position, ask
from fourcast.render.catalogue import fill
from fourcast.study.follow import forced_win

__all__ = ["THEMES", "Solved", "Theme", "themes_of"]

OPENING_DISCS = 12
"""A trap with at most this number of discs on the board is one of the opening."""

FORCED_DISCS = 4
"""The longest forcing line of the opponent that a move is said to defuse, in the opponent's discs."""

Square = tuple[int, int]


@dataclass(frozen=True)
class Solved:
    """A puzzle with its solution, for the themes to look at."""

    position: Position
    solution: tuple[int, ...]
    """The player's move, the reply, and so on."""
    goal: str
    continuation: tuple[int, ...] = ()
    """Best play after the solution."""
    tempting: int | None = None
    after_mistake: bool = False
    """Whether the last move before the puzzle changed the outcome."""

    @property
    def player(self) -> int:
        """The player that the puzzle is for."""
        return self.position.turn

    @cached_property
    def steps(self) -> tuple[Step, ...]:
        """The player's moves of the solution."""
        return tuple(self._steps(self.solution))

    def _steps(self, columns: tuple[int, ...]) -> Iterator[Step]:
        position = self.position
        for number, column in enumerate(columns):
            after = position.play(column)
            if number % 2 == 0:
                yield Step(position, column, after, next(iter(columns[number + 1 :]), None))
            position = after

    @property
    def first(self) -> Step:
        """The player's first move."""
        return self.steps[0]

    def opponent_turns(self) -> Iterator[Position]:
        """The positions in which the opponent is to move, to the end of the game."""
        for step in self._steps(self.solution + self.continuation):
            if not step.after.is_over:
                yield step.after


@dataclass(frozen=True)
class Step:
    """A move of the player's."""

    before: Position
    column: int
    after: Position
    reply: int | None
    """The opponent's reply; None after the last move."""

    @property
    def player(self) -> int:
        """The player that moves."""
        return self.before.turn

    @property
    def square(self) -> Square:
        """Where the disc lands."""
        return self.column, self.before.heights[self.column]

    @property
    def threats(self) -> tuple[int, ...]:
        """The columns in which the player could complete a four next."""
        return tuple(self.after.winning_columns(self.player))

    @property
    def new_threats(self) -> set[Square]:
        """The squares on which the player completes a four only since this move."""
        return set(self.after.threats(self.player)) - set(self.before.threats(self.player))

    @property
    def is_block(self) -> bool:
        """Whether the disc takes a square on which the opponent would complete a four."""
        return self.square in self.before.threats(3 - self.player)


def double_threat(solved: Solved) -> bool:
    """A move threatens two fours at once, and the opponent cannot win first."""
    return any(
        len(step.threats) > 1 and not step.after.winning_columns(3 - step.player)
        for step in solved.steps
    )


def stacked_threats(solved: Solved) -> bool:
    """A move threatens a four, and blocking it opens the square above, where there is another one."""
    for step in solved.steps:
        if len(step.threats) == 1 and not step.after.winning_columns(3 - step.player):
            blocked = step.after.play(step.threats[0])
            if step.threats[0] in blocked.winning_columns(step.player):
                return True
    return False


def forcing_line(solved: Solved) -> bool:
    """At least three moves win, and each but the last threatens a four."""
    *moves, last = solved.steps
    return len(moves) >= 2 and last.after.winner == solved.player and all(step.threats for step in moves)


def odd_threat(solved: Solved) -> bool:
    """The first move makes a lasting threat on an odd row, which its side gets in the waiting game."""
    return any(row % 2 == 0 for row in _lasting_threats(solved.first))


def even_threat(solved: Solved) -> bool:
    """The first move makes a lasting threat on an even row, which its side gets in the waiting game."""
    return any(row % 2 == 1 for row in _lasting_threats(solved.first))


def key_square(solved: Solved) -> bool:
    """The first move takes a square that would give the opponent a lasting threat of their parity."""
    step = solved.first
    opponent = 3 - step.player
    return any(
        step.before.heights[column] != row and _gets(step.before, opponent, row)
        for column, row in _threats_with(step.before, opponent, step.square)
    )


def do_not_play_below(solved: Solved) -> bool:
    """The tempting move is right below a square where a side completes a four."""
    if solved.tempting is None:
        return False
    above = solved.tempting, solved.position.heights[solved.tempting] + 1
    return above in solved.position.threats(1) or above in solved.position.threats(2)


def defuse(solved: Solved) -> bool:
    """After the tempting move the opponent wins by threats; the solution stops that without a threat."""
    if solved.tempting is None or solved.first.threats:
        return False
    after = solved.position.play(solved.tempting)
    if after.is_over or after.winning_columns():
        return False
    return forced_win(after, FORCED_DISCS) is not None


def sacrifice(solved: Solved) -> bool:
    """A move is played right below the player's own threat, and the opponent blocks that."""
    for step in solved.steps:
        column, row = step.square
        if step.reply == column and (column, row + 1) in step.before.threats(step.player):
            return True
    return False


def block_with_tempo(solved: Solved) -> bool:
    """A move blocks a four and threatens another one."""
    return any(step.is_block and step.threats for step in solved.steps)


def quiet_move(solved: Solved) -> bool:
    """The first move makes no threat, now or later, and takes none away from the opponent."""
    step = solved.first
    return not (
        step.threats
        or step.new_threats
        or step.after.is_over
        or _threats_with(step.before, 3 - step.player, step.square)
    )


def zugzwang(solved: Solved) -> bool:
    """The player threatens nothing at once, but the opponent has to play below a threat and lose."""
    return any(
        not position.winning_columns(solved.player)
        and all(column in position.play(column).winning_columns() for column in position.legal_columns)
        for position in solved.opponent_turns()
    )


def only_move_draw(solved: Solved) -> bool:
    """Only one column keeps the draw."""
    return solved.goal == "keep draw"


def opening_trap(solved: Solved) -> bool:
    """With few discs on the board, the opponent has just made a mistake."""
    return solved.after_mistake and solved.position.ply <= OPENING_DISCS


def break_the_plan(solved: Solved) -> bool:
    """The opponent follows a plan without thought, and one column beats it."""
    return solved.goal == "break"


@dataclass(frozen=True)
class Theme:
    """A theme: its name, its letter in files, and its predicate."""

    name: str
    letter: str
    holds: Callable[[Solved], bool]

    @property
    def sentence(self) -> str:
        """What the theme is, in a sentence."""
        return fill(f"idea.{self.holds.__name__}_is")


_PREDICATES = {
    "double threat": double_threat,
    "stacked threats": stacked_threats,
    "forcing line": forcing_line,
    "odd threat": odd_threat,
    "even threat": even_threat,
    "do not play below": do_not_play_below,
    "defuse": defuse,
    "sacrifice": sacrifice,
    "block with tempo": block_with_tempo,
    "quiet move": quiet_move,
    "zugzwang": zugzwang,
    "only-move draw": only_move_draw,
    "opening trap": opening_trap,
    "key square": key_square,
    "break the plan": break_the_plan,
}
THEMES: dict[str, Theme] = {
    each["name"]: Theme(each["name"], each["letter"], _PREDICATES[each["name"]])
    for each in ask("themes", {})
}
"""All themes, by their names."""


def themes_of(solved: Solved) -> tuple[str, ...]:
    """Return the names of the themes of a puzzle.

    >>> themes_of(Solved(Position("4575274553"), (3, 2, 3), "win"))
    ('double threat',)
    """
    return tuple(name for name, theme in THEMES.items() if theme.holds(solved))


def _lasting_threats(step: Step) -> set[int]:
    """The rows of the new threats that cannot be carried out yet, but in the waiting game."""
    heights = step.after.heights
    return {
        row
        for column, row in step.new_threats
        if heights[column] != row and _gets(step.before, step.player, row)
    }


def _gets(position: Position, player: int, row: int) -> bool:
    """Whether *player* plays on a row, from 0, of the column that is left when all others are full."""
    others = (position.width - 1) * position.height
    return (others + row) % 2 == player - 1


def _threats_with(position: Position, player: int, square: Square) -> set[Square]:
    """The squares on which *player* would complete a four only with a disc on *square*."""
    column, row = square
    found = set()
    for right, up in ((1, 0), (0, 1), (1, 1), (1, -1)):
        for start in range(-3, 1):
            places = ((column + step * right, row + step * up) for step in range(start, start + 4))
            line = [place for place in places if place != square]
            if not all(0 <= x < position.width and 0 <= y < position.height for x, y in line):
                continue
            owners = [position.at(*place) for place in line]
            if sorted(owners) == sorted((0, player, player)):
                found.add(line[owners.index(0)])
    return found - set(position.threats(player))
