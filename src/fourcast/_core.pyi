"""The compiled core of fourcast. Import its names from `fourcast`."""

import os
import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Literal, final, overload

import numpy as np
from numpy.typing import NDArray
from typing_extensions import Self

import fourcast.errors

version: str

@final
class Columns:
    """Some columns of a board, 0-based, in ascending order, each once.

    The type of `Position.legal_columns` and `Position.winning_columns()`: an immutable sequence of ints
    that is cheap to make, to iterate over and to test with `in`.

    >>> list(Columns([5, 2, 2]))
    [2, 5]
    """

    def __init__(self, columns: Iterable[int] = ()) -> None: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[int]: ...
    def __contains__(self, column: object) -> bool: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[int, ...]: ...
    @overload
    def __getitem__(self, index: int) -> int: ...
    def to_json(self) -> list[int]:
        """Return the value as JSON types; `from_json` reads it back."""

    @staticmethod
    def from_json(value: list[int]) -> Columns:
        """Return the value that `to_json` gave. Raises TypeError or ValueError for others."""

@final
class Rules:
    """What a game is played by: four in a row on a flat board, unless told otherwise.

    *connect* is the number of discs in a row. With *wrap* the board is a cylinder: the last column is
    next to the first. In *misere* the player who makes a line loses. With *pop* (PopOut) a move may take
    an own disc out of the bottom of a column instead. A `Position` carries its rules.

    >>> Rules(connect=5, wrap=True)
    Rules(connect=5, wrap=True)
    >>> str(Rules(connect=5, wrap=True))
    'connect=5,wrap'
    """

    def __init__(
        self, connect: int = 4, *, wrap: bool = False, misere: bool = False, pop: bool = False
    ) -> None: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    @staticmethod
    def parse(text: str) -> Rules:
        """Return the rules that `str` of them gave: `connect=5,wrap`, `misere`, `pop`.

        >>> Rules.parse("connect=3,misere") == Rules(connect=3, misere=True)
        True
        """

    @property
    def connect(self) -> int:
        """Discs in a row that make a line."""

    @property
    def wrap(self) -> bool:
        """Whether the last column is next to the first."""

    @property
    def misere(self) -> bool:
        """Whether the player who makes a line loses."""

    @property
    def pop(self) -> bool:
        """Whether a move may take a disc out: PopOut."""

    @property
    def is_standard(self) -> bool:
        """Whether these are the rules of Connect Four."""

@final
class Position:
    """A position: the discs of both players on a board of some size.

    Immutable, hashable, comparable and picklable. Columns and rows are ints from 0, and row 0 is the
    bottom; only move strings and messages count from 1. Player 1 starts, the other one is 2.

    >>> position = Position("4455")
    >>> position = position.play(5)
    >>> position.turn, position.ply, list(position.winning_columns(1))
    (2, 5, [2, 6])
    >>> print(position)
    . . . . . . .
    . . . . . . .
    . . . . . . .
    . . . . . . .
    . . . O O . .
    . . . X X X .
    >>> position
    Position.from_rows('......./......./......./......./...OO../...XXX.')

    *moves* is a move string: 1-based columns, with a = 10, b = 11 and so on; white space is skipped.
    Boards with sides of at least 4 and `width * (height + 1)` of at most 128 are supported; by other
    *rules*, from 3 to 25. *rules* may also be a text, as `Rules.parse` reads it.

    >>> Position("1122", width=4, height=4, rules=Rules(connect=3, wrap=True)).play(3).winner
    1
    >>> Position("1122", rules="connect=3") == Position("1122", rules=Rules(connect=3))
    True
    """

    def __init__(
        self, moves: str = "", *, width: int = 7, height: int = 6, rules: Rules | str | None = None
    ) -> None: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    @staticmethod
    def from_columns(
        columns: Iterable[int],
        *,
        width: int = 7,
        height: int = 6,
        rules: Rules | str | None = None,
        skip_illegal: bool = False,
    ) -> Position:
        """Return the position after a list of columns, 0-based.

        With *skip_illegal* a move that cannot be played is skipped, and the same player goes on.

        >>> Position.from_columns([3, 3, 2]) == Position("443")
        True
        """

    @staticmethod
    def from_grid(
        grid: Sequence[Sequence[int]],
        *,
        order: Literal["rows", "columns"],
        top_first: bool = True,
        turn: int | None = None,
        rules: Rules | str | None = None,
    ) -> Position:
        """Return the position that a grid shows: 0 is an empty square, 1 and 2 are discs.

        *grid* is a list of rows or a list of columns, as *order* says; nested sequences or a numpy array
        of ints. With *top_first* the first row, or the first square of each column, is the top one.

        Without *turn*, 1 is the player who started. With it, *turn* is the number of the player to move,
        and the counts tell who started: a grid in which 2 started comes back with 2 as the first player.
        """

    @staticmethod
    def from_rows(rows: str) -> Position:
        """Return the position that a diagram on one line shows: its rows from the top, joined by `/`.

        X is the first player, O the second, a dot an empty square. `fourcast.notation.parse_diagram`
        reads diagrams of all kinds. Other rules follow after a colon.

        >>> Position.from_rows("..../..../..../XO..") == Position("12", width=4, height=4)
        True
        """

    @staticmethod
    def from_bitboards(
        first: int, second: int, *, width: int = 7, height: int = 6, rules: Rules | str | None = None
    ) -> Position:
        """Return the position with these discs of the first and the second player.

        The square in column c, row r is bit `c * (height + 1) + r`. A position that cannot have arisen
        is refused: discs off the board, shared or floating squares, counts that do not alternate, two
        winners, play after a win, and discs none of which can have been the first or the last one. Some
        positions that no order of moves leads to are accepted.
        """

    def play(self, *columns: int) -> Position:
        """Return the position after one or several more discs.

        In PopOut `width + column` takes the own disc out of the bottom of a column, and `2 * width`
        claims the draw on a full board. Raises IllegalMoveError for a full column, one off the board, or
        a finished game.
        """

    def refusal(self, column: int) -> fourcast.errors.IllegalMoveError | None:
        """Return the error that playing *column* would raise, or None if it can be played.

        >>> refusal = Position("444444").refusal(3)
        >>> refusal.reason, refusal.column, str(refusal)
        ('full', 3, 'column 4 is full')
        """

    def children(self) -> dict[int, Position]:
        """Return the position after each legal move, by column; nothing when the game is over.

        >>> Position("444444").children()[2] == Position("4444443")
        True
        >>> list(Position("444444").children())
        [0, 1, 2, 4, 5, 6]
        """

    def can_play(self, column: int) -> bool:
        """True if a disc may go into *column* now; False for a column off the board, too."""

    def at(self, column: int, row: int) -> int:
        """The player whose disc is on a square, 1 or 2; 0 if it is empty."""

    def is_column_full(self, column: int) -> bool:
        """True if no more discs fit into *column*."""

    def winning_columns(self, player: int | None = None) -> Columns:
        """The columns in which a disc of *player* completes a four now.

        *player* is 1 or 2, by default the one to move; for the other one these are the threats to
        answer.
        """

    def threats(self, player: int) -> tuple[tuple[int, int], ...]:
        """Every empty (column, row) on which a disc of *player* would complete a four, sorted.

        It need not be playable yet; none when the game is over.

        >>> Position("112233").threats(1)
        ((3, 0),)
        >>> Position("11223").threats(2)
        ()
        """

    def mirror(self) -> Position:
        """Return the position with left and right exchanged."""

    def to_grid(self, *, order: Literal["rows", "columns"], top_first: bool = True) -> list[list[int]]:
        """Return the squares as lists of 0 (empty), 1 and 2; the reverse of `from_grid`."""

    def planes(self, layout: str) -> Any:
        """Return the board as a numpy array in the layout of another package.

        The layouts are those of `fourcast.data.LAYOUTS`; `fourcast.data.planes` does the same for many
        positions.

        >>> Position("4").planes("pettingzoo").shape
        (6, 7, 2)
        """

    def to_rows(self) -> str:
        """Return the diagram on one line; the reverse of `from_rows`.

        >>> Position("12", width=4, height=4).to_rows()
        '..../..../..../XO..'
        """

    def move_name(self, move: int) -> str:
        """Return what people call a move: 1 for column 0; in PopOut p1 to take a disc out, = for a draw.

        >>> Position(rules=Rules(pop=True)).move_name(7)
        'p1'
        """

    @property
    def rules(self) -> Rules:
        """What the game is played by."""

    @property
    def width(self) -> int:
        """Number of columns."""

    @property
    def height(self) -> int:
        """Number of rows."""

    @property
    def ply(self) -> int:
        """Number of discs on the board."""

    @property
    def turn(self) -> int:
        """The player to move, 1 or 2; in a finished game, the one whose turn it would be."""

    @property
    def winner(self) -> int | None:
        """The player who has won, 1 or 2, or None."""

    @property
    def highest_score(self) -> int:
        """The highest score on a board of this size; the lowest is its negative."""

    @property
    def final_score(self) -> int:
        """The score of a finished game for the side that would move next: 0 or less.

        Raises ValueError if the game is not over.

        >>> Position("1212121").final_score
        -18
        """

    @property
    def columns_from_center(self) -> tuple[int, ...]:
        """All columns of the board, nearest to the center first; of two as near, the left one first.

        >>> Position().columns_from_center
        (3, 2, 4, 1, 5, 0, 6)
        """

    @property
    def is_over(self) -> bool:
        """True if a player has won, or the game is drawn."""

    @property
    def is_draw(self) -> bool:
        """True if the board is full and nobody has won; in PopOut, if it is claimed or must be."""

    @property
    def is_full(self) -> bool:
        """True if every square holds a disc."""

    @property
    def legal_columns(self) -> Columns:
        """The columns that may be played now; none when the game is over. In PopOut all moves."""

    @property
    def winning_squares(self) -> tuple[tuple[int, int], ...]:
        """Every (column, row) that is part of a four, sorted; all fours, if one disc made several."""

    @property
    def heights(self) -> tuple[int, ...]:
        """Number of discs in each column."""

    @property
    def peaks(self) -> tuple[int, ...]:
        """The next free bit of each column; a full column's is the guard bit above it."""

    @property
    def bitboards(self) -> tuple[int, int]:
        """The discs of the first and of the second player; the reverse of `from_bitboards`."""

    @property
    def key(self) -> int:
        """An int that no other position of this size has.

        In each column's bits, the first player's discs with a 1 above the topmost disc of either.
        """

    @property
    def canonical_key(self) -> int:
        """An int that the position shares with its mirror image, and with no other of this size."""

def parse_moves(moves: str, width: int = 7, pop: bool = False) -> list[int]:
    """Return the columns of a move string; `play_moves` checks whether they can be played.

    Raises InvalidNotationError with the first character that names no column, and its place.

    >>> parse_moves("441")
    [3, 3, 0]
    >>> parse_moves("4481")
    Traceback (most recent call last):
    fourcast.errors.InvalidNotationError: '8' at place 3 of '4481' is not a column: they are 1 to 7
    """

def play_moves(start: Position | str, moves: str) -> list[tuple[int, Position]]:
    """Play a move string from *start*; return each column with the position that it led to.

    Raises InvalidNotationError for a character that names no column, and IllegalMoveError for a move
    that cannot be played; both name the move.

    >>> [(column, position.ply) for column, position in play_moves(Position("44"), "51")]
    [(4, 3), (0, 4)]
    >>> play_moves(Position(), "4444444")
    Traceback (most recent call last):
    fourcast.errors.IllegalMoveError: move 7 of '4444444': column 4 is full
    """

def quote(text: str) -> str:
    """Return *text* in quotes, on one line and shortened, fit for a message.

    >>> print(quote("4x" * 100))
    '4x4x4x4x4x4x4x4x4x4x4x4x4x4x4x4x4x4x4x4x4x4x4x4x4x...' (200 characters)
    """

def parse_column(text: str, width: int = 7) -> int:
    """Return the column that a person means by *text*.

    Past the ninth column both the letter and the number are understood. Raises InvalidNotationError.

    >>> parse_column("4"), parse_column("a", width=12), parse_column("10", width=12)
    (3, 9, 9)
    >>> parse_column("8")
    Traceback (most recent call last):
    fourcast.errors.InvalidNotationError: there is no column '8': the columns are 1 to 7
    """

def parse_diagram(text: str) -> Position:
    """Return the position that a diagram shows, top row first, as any part of fourcast prints it.

    Squares are `X`, `O` and `.`, or `R`, `Y` and `.`, or discs and `..`, with or without spaces between.
    A frame, a line of column names (numbers, or letters from `a`), numbers of rows, marks around the
    last move or a four, and colors are understood and not needed. Raises InvalidNotationError with the
    line and the character that cannot be read, and InvalidPositionError if no game leads there; X, which
    is red, always started.

    >>> position = parse_diagram('''
    ...     1 2 3 4
    ...     . . . .
    ...     . . . .
    ...     . O . .
    ...     X X . .
    ... ''')
    >>> position.width, position.ply, position.turn
    (4, 3, 2)
    """

def parse_rows(text: str) -> Position:
    """Return the position of a diagram on one line, written in any way that `parse_diagram` reads.

    >>> parse_rows("..../..../..../XO..") == Position("12", width=4, height=4)
    True
    """

def position_json(position: Position | str) -> dict[str, Any]:
    """Return *position* as the JSON object of the player protocol."""

def position_from_json(content: object, player: int = 0) -> Position:
    """Return the position of such an object; *player* is to move if it does not say."""

def check_name(name: str, code: str) -> None:
    """Raise InvalidNotationError for a name that is not one printable line of at most 100 characters.

    *code* is the pattern that says what it names.
    """

def draw(function: str, shown: object) -> str:
    """Return what a function of fourcast.render.notebook, imported when it is called, draws."""

@final
class Playouts:
    """How random games ended; see `playouts`."""

    def __init__(
        self, first_wins: int = 0, second_wins: int = 0, draws: int = 0, moves: int = 0
    ) -> None: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    @property
    def first_wins(self) -> int:
        """Games won by the first player."""

    @property
    def second_wins(self) -> int:
        """Games won by the second player."""

    @property
    def draws(self) -> int:
        """Games that nobody won."""

    @property
    def moves(self) -> int:
        """Discs dropped in all games together."""

    @property
    def games(self) -> int:
        """Number of games."""

    def to_json(self) -> dict[str, Any]:
        """Return the value as JSON types; `from_json` reads it back."""

    @staticmethod
    def from_json(value: dict[str, Any]) -> Playouts:
        """Return the value that `to_json` gave. Raises TypeError or ValueError for others."""

def perft(position: Position | str, depth: int) -> int:
    """Count the sequences of *depth* legal moves; finished games are not continued.

    >>> [perft(Position(), depth) for depth in range(5)]
    [1, 7, 49, 343, 2401]
    """

def playouts(position: Position | str, n: int, seed: int = 0, threads: int = 1) -> Playouts:
    """Play *n* random games from *position* to the end and count how they end.

    The same *seed* gives the same result with any number of *threads*. Other Python threads keep running
    meanwhile.

    >>> playouts(Position("121212"), 1000).games
    1000
    """

@final
class Limit:
    """When a search ends: after a time, a number of nodes, or whichever comes first.

    >>> Limit(time_s=0.5, nodes=1000000)
    Limit(time_s=0.5, nodes=1000000)
    """

    def __init__(self, time_s: float | None = None, nodes: int | None = None) -> None: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    @property
    def time_s(self) -> float | None:
        """Seconds, or None."""

    @property
    def nodes(self) -> int | None:
        """Nodes, or None."""

    def to_json(self) -> dict[str, Any]:
        """Return the value as JSON types; `from_json` reads it back."""

    @staticmethod
    def from_json(value: dict[str, Any]) -> Limit:
        """Return the value that `to_json` gave. Raises TypeError or ValueError for others."""

class Proven:
    """What all answers have: what is proven of a score, for the side to move in *position*."""

    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    @property
    def position(self) -> Position:
        """The position that it is about."""

    @property
    def score(self) -> int | None:
        """The exact score, or None if it is not known exactly."""

    @property
    def lower(self) -> int:
        """Proven: the score is at least this."""

    @property
    def upper(self) -> int:
        """Proven: the score is at most this."""

    @property
    def outcome(self) -> Literal["win", "draw", "loss"] | None:
        """What the side to move gets with best play; None if that is not known."""

    @property
    def winner(self) -> int | None:
        """The player who wins with best play, 1 or 2; None for a draw or if that is not known."""

    @property
    def final_ply(self) -> int | None:
        """Discs on the board when the game ends with best play; None if the score is not known."""

    @property
    def plies_to_end(self) -> int | None:
        """Plies to the end of the game with best play; None if the score is not known."""

    @property
    def moves_to_end(self) -> int | None:
        """Discs that the winner still has to play: 1 wins with the next one.

        None for a draw or if the score is not known.
        """

    @property
    def share(self) -> float:
        """The first player's share of an evaluation bar, from 0.0 to 1.0.

        0.5 is a draw, 0.7 and more a win; halfway between the bounds if the score is not known exactly.
        """

    def mirrored(self) -> Self:
        """Return the same answer for the mirror image of the position."""

    def to_json(self) -> dict[str, Any]:
        """Return the value as JSON types; `from_json` reads it back."""

    @classmethod
    def from_json(cls, value: dict[str, Any]) -> Self:
        """Return the value that `to_json` gave. Raises TypeError or ValueError for others."""

class Result(Proven):
    """What is proven about a position, for the side to move.

    An immutable value: two results are equal if they say the same about the same position, whatever it
    took to find out. *upper* is *lower* if it is not given.

    >>> result = Result(Position("4455"), 18)
    >>> result.outcome, result.winner, result.moves_to_end, result.plies_to_end
    ('win', 1, 2, 3)
    >>> Result(Position(), -2, 5).outcome is None
    True
    """

    def __init__(
        self,
        position: Position | str,
        lower: int,
        upper: int | None = None,
        *,
        complete: bool | None = None,
        best_columns: Iterable[int] | None = None,
        nodes: int = 0,
        time_s: float = 0.0,
    ) -> None:
        """Raises ValueError if the position cannot have such a result.

        Without *complete* it is complete if the score is exact.
        """

    @staticmethod
    def of_finished(position: Position | str) -> Result:
        """Return the result of a finished game. Raises ValueError if it is not over.

        >>> Result.of_finished(Position("1212121")).winner
        1
        """

    @property
    def complete(self) -> bool:
        """True if everything that was asked for is known."""

    @property
    def best_columns(self) -> Columns | None:
        """The columns that keep the score; None if they were not asked for or not found in time."""

    @property
    def nodes(self) -> int:
        """Nodes searched."""

    @property
    def time_s(self) -> float:
        """Seconds taken."""

@final
class Line(Proven):
    """One move of an analysis: its score, and the best play after it.

    *position* is the position before the move, and the score is that of the side that moves.

    >>> line = Line(Position("4455"), 2, 18, variation=(2, 1, 5))
    >>> line.moves_to_end, line.mirrored().variation
    (2, (4, 5, 1))
    """

    def __init__(
        self,
        position: Position | str,
        column: int,
        lower: int,
        upper: int | None = None,
        variation: Iterable[int] = (),
    ) -> None:
        """Raises ValueError if the move cannot be played or cannot have such a score."""

    @property
    def column(self) -> int:
        """The column, 0-based."""

    @property
    def variation(self) -> tuple[int, ...]:
        """The column and best play after it, to the end of the game as far as it is known."""

@final
class Analysis(Result):
    """What is proven about every open column of a position; iterates over the lines.

    >>> analysis = Solver().analyze(Position("4455"))
    >>> analysis.score, list(analysis.best_columns), len(analysis), analysis.best_line.column
    (18, [2, 5], 7, 2)
    >>> Analysis.from_json(analysis.to_json()) == analysis
    True
    """

    def __init__(
        self,
        position: Position | str,
        lines: Iterable[Line],
        *,
        complete: bool | None = None,
        nodes: int = 0,
        time_s: float = 0.0,
    ) -> None:
        """*lines* must be one for each open column, in any order, and none for a finished game.

        Without *complete* it is complete if all of them are exact.
        """

    @property
    def result(self) -> Result:
        """The result for the position itself."""

    @property
    def lines(self) -> tuple[Line, ...]:
        """One for each open column, from left to right."""

    @property
    def scores(self) -> tuple[int | None, ...]:
        """The score of every column from left to right; None if it is full or not known.

        >>> Solver().analyze("444444").scores
        (-1, 0, 1, None, 1, 0, -1)
        """

    @property
    def best_line(self) -> Line | None:
        """The line of the best column nearest to the center; None if the best columns are not known."""

    @property
    def proven_best_columns(self) -> Columns:
        """The columns that are proven to be at least as good as any other.

        In an analysis that is not complete these may be some of the best columns or none at all.
        """

    def __iter__(self) -> Iterator[Line]: ...
    def __len__(self) -> int: ...

@final
class Book:
    """The exact score of every position with up to `plies` discs, read from a file.

    The whole file is read into memory, so later changes to it have no effect. A file that is cut off,
    altered or impossible is refused with BookError.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None: ...
    @property
    def width(self) -> int:
        """Columns of the board."""

    @property
    def height(self) -> int:
        """Rows of the board."""

    @property
    def plies(self) -> int:
        """Discs of the deepest positions."""

    @property
    def bytes(self) -> int:
        """The size of the file."""

    @property
    def line_plies(self) -> int | None:
        """Discs of the deepest positions whose lines its line book continues; None without one."""

    @property
    def counts(self) -> tuple[int, ...]:
        """How many positions it has with 0, 1, 2, ... discs; mirror images count once."""

    def __len__(self) -> int: ...
    def __contains__(self, position: Position | str) -> bool: ...
    def score(self, position: Position | str) -> int:
        """Return the exact score of a position; KeyError if the book does not cover it."""

@final
class PositionList:
    """All positions of a layer of a book: like a list that makes its items on demand."""

    def __len__(self) -> int: ...
    @overload
    def __getitem__(self, index: int) -> Position: ...
    @overload
    def __getitem__(self, index: slice) -> list[Position]: ...
    def __iter__(self) -> Iterator[Position]: ...

def book_positions(ply: int, *, width: int = 7, height: int = 6) -> PositionList:
    """Return all positions with *ply* discs that are not over, one of each pair of mirror images.

    Neighbors in the list have much in common, and so does the work of solving them. Raises BookError for
    more than 16,777,216 positions.

    >>> len(book_positions(3))
    121
    """

def write_book(path: str | os.PathLike[str], positions: PositionList, scores: Sequence[int]) -> None:
    """Write a book: *positions* as returned by `book_positions`, and the exact score of each.

    The layers above follow from the deepest one. The same scores make the same file, which replaces an
    existing one only when it is complete.
    """

def write_line_book(
    path: str | os.PathLike[str],
    roots: int,
    first: int,
    last: int,
    positions: Sequence[Position],
    choices: Sequence[int],
) -> None:
    """Write a line book: how lines go on in the *positions*, with *first* to *last* discs.

    They are all positions that lines of positions with up to *roots* discs pass through. A choice is the
    index in `search_order` of the column that the line takes.
    """

@final
class StopToken:
    """Stops the calls that it is given to; see `SolverCore.make_token`."""

    def stop(self) -> None:
        """End the calls that were given this token, now or when they begin.

        They answer with what is proven by then.
        """

    @property
    def is_stopped(self) -> bool:
        """Whether it has been stopped."""

class SolverCore:
    """The compiled part of `fourcast.Solver`, which adds the default books."""

    def __init__(
        self,
        *,
        book: Book | Sequence[Book] | None = None,
        table_mb: int = 8,
        threads: int = 1,
        without: Iterable[str] = (),
    ) -> None:
        """Make a solver with these books; see `fourcast.Solver`."""

    @property
    def table_mb(self) -> int:
        """The size of the table."""

    @property
    def threads(self) -> int:
        """How many threads search one position."""

    def solve(
        self,
        position: Position | str,
        limit: Limit | None = None,
        *,
        outcome_only: bool = False,
        best_columns: bool = True,
        stop: StopToken | None = None,
    ) -> Result:
        """Return the exact value of *position* for the side to move.

        If *limit* is reached or the call is stopped first, `complete` is false and `lower` and `upper`
        are proven bounds. With *outcome_only* the search ends as soon as the winner is known, which is
        much cheaper. Finding the best columns takes a little more work than the score; they can be left
        out.
        """

    def score(self, position: Position | str) -> int:
        """Return the exact score of *position* and nothing else: the quickest call.

        Raises StoppedError if `stop` is called meanwhile.
        """

    def bound(
        self,
        position: Position | str,
        alpha: int,
        limit: Limit | None = None,
        *,
        stop: StopToken | None = None,
    ) -> Result:
        """Find out whether the score of *position* is more than *alpha*: cheaper than the score.

        If the result is complete, its `lower` is more than *alpha*, or its `upper` is not.
        """

    def analyze(
        self,
        position: Position | str,
        limit: Limit | None = None,
        *,
        variations: bool = True,
        stop: StopToken | None = None,
    ) -> Analysis:
        """Return the exact value of every open column, and best play after each of them.

        Each move of a line keeps the score; which of several best moves it takes depends on the position
        alone. What is not known when *limit* is reached has bounds. Without *variations* each line is
        only its first move.
        """

    def solve_many(
        self,
        positions: Iterable[Position | str] | Any,
        limit: Limit | None = None,
        *,
        threads: int = 1,
        progress: Callable[[int, int], object] | None = None,
        outcome_only: bool = False,
        width: int = 7,
        height: int = 6,
        stop: StopToken | None = None,
    ) -> list[Result]:
        """Solve many positions, each on one of *threads* threads, and return the results in order.

        *positions* are Positions, move strings, or an array of bitboards (uint64, one row (first,
        second) for each position), at most 1,048,576 in one call; *width* and *height* are those of
        strings and bitboards. *limit* holds for each position. *progress* is called now and then with
        the number done and the total; an exception in it ends the call.
        """

    def analyze_many(
        self,
        positions: Iterable[Position | str] | Any,
        limit: Limit | None = None,
        *,
        threads: int = 1,
        progress: Callable[[int, int], object] | None = None,
        variations: bool = True,
        width: int = 7,
        height: int = 6,
        stop: StopToken | None = None,
    ) -> list[Analysis]:
        """Analyze many positions, each on one of *threads* threads, and return the analyses in order.

        The arguments are those of `solve_many` and `analyze`.
        """

    def column_scores(
        self,
        positions: Iterable[Position | str | Sequence[Any]] | NDArray[Any],
        *,
        layout: str | None = None,
        limit: Limit | None = None,
        threads: int = 1,
        progress: Callable[[int, int], object] | None = None,
        invalid: Literal["raise", "mark"] = "raise",
        width: int = 7,
        height: int = 6,
        stop: StopToken | None = None,
    ) -> NDArray[np.int8]:
        """Return the exact score of every column of many positions: an array of int8 (n, width).

        *positions* are Positions, move strings, or an array: of bitboards (uint64, a row (first, second)
        for each position), of move strings, or of boards in a *layout* of `fourcast.data.LAYOUTS`, which
        may also be in lists. All are of one size, *width* and *height*. A score is that of the side to
        move, for playing the column.

        In place of a score there is `fourcast.data.FULL` for a full column and `UNKNOWN` for one that
        *limit*, which holds for each position, or *stop* leaves open. A finished game or an impossible
        position raises its error with its index before any work is done; with `invalid="mark"` its row
        is filled with `FINISHED` or `IMPOSSIBLE`, and the others are labeled. All of these are less than
        any score, so `argmax` finds a best column.

        The work is shared by *threads* threads. *progress* is called now and then with the number done
        and the number of all.

        >>> Solver().column_scores(["", "444444"]).tolist()
        [[-2, -1, 0, 1, 0, -1, -2], [-1, 0, 1, -128, 1, 0, -1]]
        """

    def values(
        self,
        positions: Iterable[Position | str | Sequence[Any]] | NDArray[Any],
        *,
        layout: str | None = None,
        limit: Limit | None = None,
        threads: int = 1,
        progress: Callable[[int, int], object] | None = None,
        invalid: Literal["raise", "mark"] = "raise",
        width: int = 7,
        height: int = 6,
        stop: StopToken | None = None,
    ) -> NDArray[np.int8]:
        """Return the exact scores of many positions for the side to move: an array of int8 (n,).

        The arguments, and what the array holds in place of a score, are those of `column_scores`.

        >>> Solver().values(["", "4455", "44455554221"]).tolist()
        [1, 18, -15]
        """

    def make_token(self) -> StopToken:
        """Return a token for one call or several: its `stop` ends those and no others.

        The solver's `stop` ends them, too, even those that begin later.
        """

    def stop(self) -> None:
        """End every call that is in progress; each returns what it has proven.

        To be called from another thread.
        """

    def clear(self) -> None:
        """Forget everything that was found."""

def search_order(position: Position | str, score: int) -> tuple[int, ...]:
    """Return the open columns in the order in which a line of best play tries them for this *score*.

    It depends on the position alone; `Solver.analyze` breaks ties by it. The search uses a similar
    order.
    """

def feature_names() -> tuple[str, ...]:
    """Return the names of the parts of the search that can be switched off."""

def kernel_name() -> str:
    """Return the kind of processor that the search in use was compiled for.

    It is the first of `kernel_names()` unless the environment variable FOURCAST_KERNEL names another
    one.
    """

def kernel_names() -> tuple[str, ...]:
    """Return the kinds that this processor can run, fastest first."""

@final
class LookAhead:
    """What a search of fixed depth has found; see `look_ahead`."""

    @property
    def values(self) -> tuple[int | None, ...]:
        """For each column its value to the side to move, or None.

        A win that was seen is `win_base` plus its score, a loss the negative of that; any other value is
        the evaluation that best play leads to. None for a full column, and for one that is only known
        not to be the best.
        """

    @property
    def best_columns(self) -> Columns:
        """All columns that are as good as the best one."""

    @property
    def depth(self) -> int:
        """Plies that were searched in full."""

    @property
    def nodes(self) -> int:
        """Positions visited."""

    @property
    def win_base(self) -> int:
        """More than any evaluation; see `values`."""

@final
class TreeSearch:
    """What a Monte Carlo tree search has found; see `search_tree`."""

    @property
    def visits(self) -> tuple[int, ...]:
        """How often each column was tried."""

    @property
    def means(self) -> tuple[float, ...]:
        """The mean result of each column for the side to move: 0 all lost, 1 all won."""

    @property
    def best_columns(self) -> Columns:
        """Proven wins if there are any, else the column tried most that is not a proven loss."""

    @property
    def playouts(self) -> int:
        """Random games played."""

def look_ahead(
    position: Position | str,
    depth: int,
    evaluation: Literal["none", "winsets", "streaks"] = "none",
    *,
    time_s: float | None = None,
    nodes: int | None = None,
    threads: int = 1,
    every_column: bool = False,
) -> LookAhead:
    """Search *position* to *depth* plies by negamax with alpha-beta; *evaluation* judges the leaves.

    The search deepens ply by ply until *depth*, until it finds a win or only losses, or until *time_s*
    or *nodes* are used up, but it always looks one ply ahead. The root columns are shared among
    *threads*, which does not change the answer. Raises FinishedGameError.

    >>> list(look_ahead(Position("445566"), 1).best_columns)
    [2, 6]
    """

def evaluate(position: Position | str, evaluation: Literal["none", "winsets", "streaks"]) -> int:
    """Return what *position* looks like to the side to move, without search.

    More is better, 0 is even. `streaks` counts runs of discs that can still become four, see
    `fourcast.streaks`; `winsets` counts the sets of squares that are still missing for a four. A game
    that is won is worth 10**12 plus its score, with the sign of the winner.

    >>> evaluate(Position("4"), "winsets"), evaluate(Position("4151"), "streaks")
    (-30000, 90)
    """

def win_sets(
    position: Position | str, player: int | None = None
) -> tuple[tuple[tuple[int, int], ...], ...]:
    """Return the win sets of *player*, 1 or 2, by default the player to move; the smallest first.

    A win set has the squares (column, row) that are missing for a four. Only lines with a disc of the
    player and none of the opponent count, and no set contains another. `evaluate(position, "winsets")`
    weighs them by their number of squares and by their height. A game that the player has won has one
    set, which is empty.

    >>> win_sets(Position("4455"), 1)[:2]
    (((1, 0), (2, 0)), ((2, 0), (5, 0)))
    """

def count_streaks(
    position: Position | str, player: int | None = None
) -> tuple[int, int, int, int, int, int, int]:
    """Return the fields of `fourcast.streaks`."""

def search_tree(
    position: Position | str,
    *,
    playouts: int = 10000,
    time_s: float | None = None,
    seed: int = 0,
    exploration: float = 1.0,
) -> TreeSearch:
    """Search *position* by UCT with this number of random games, or until the time is over.

    The same *seed* and number of playouts give the same result. Raises FinishedGameError.

    >>> list(search_tree(Position("445566"), playouts=10).best_columns)
    [2, 6]
    """

@final
class Strength:
    """What a level can do."""

    def __init__(
        self, depth: int, certain: int, sight: float, noise: float, exact_nodes: int = 0
    ) -> None: ...
    @property
    def depth(self) -> int:
        """Plies that it looks ahead."""

    @property
    def certain(self) -> int:
        """Plies within which it misses nothing: 1 is an immediate win, 2 the opponent's next."""

    @property
    def sight(self) -> float:
        """The chance to see a tactic one ply beyond that, multiplied for each further ply."""

    @property
    def noise(self) -> float:
        """How much its judgment of quiet positions varies, as a standard deviation."""

    @property
    def exact_nodes(self) -> int:
        """Effort to solve the game exactly, in nodes of the solver on 7x6; 0 for none."""

LEVEL_NODES: int = 60000

LEVEL_TABLE_MB: int = 16

def level_strengths() -> tuple[Strength, ...]:
    """Return what the levels can do, from level 1 on."""

def exact_nodes(position: Position | str, strength: Strength) -> int:
    """Return how many nodes a level may use to solve a position."""

def plies_to_end(position: Position | str, value: int, win_base: int) -> int:
    """Return after how many plies the win or loss that *value* stands for ends the game.

    >>> plies_to_end(Position("445566"), 100 + 18, 100)
    1
    """

def see(
    position: Position | str, strength: Strength, solver: SolverCore | None, time_s: float | None = None
) -> tuple[int, ...] | LookAhead:
    """Return what a level sees in a position, before chance comes in.

    These are the best columns if the level can solve it with *solver*, else what it finds by looking
    ahead.
    """

def decide(
    position: Position | str,
    strength: Strength,
    sight: tuple[int, ...] | LookAhead,
    chance: random.Random,
) -> int:
    """Return the column that looks best to a level at this moment, given what `see` has found."""

def one_of(columns: Iterable[int], position: Position | str, chance: random.Random | None) -> int:
    """Return one of several equal columns: a random one or, without *chance*, the most central one.

    Random choices prefer the center, too: more fours pass through it, and a player that looks only a few
    moves ahead would give the game away in the opening.

    >>> one_of([0, 2, 6], Position(), None)
    2
    """

def choose_perfectly(
    position: Position | str,
    solver: SolverCore,
    ties: Literal["testing", "first", "center", "random"],
    time_s: float,
    chance: random.Random,
) -> int:
    """Return the choice of the player `perfect`; see `fourcast.players.perfect_player`."""

FULL: int = -128

UNKNOWN: int = -127

FINISHED: int = -126

IMPOSSIBLE: int = -125

def layout_names() -> tuple[str, ...]:
    """Return the layouts of boards in arrays."""

def layout_shape(layout: str, *, width: int = 7, height: int = 6) -> tuple[tuple[int, ...], int]:
    """Return the lengths of the axes of a board in a layout, and which of them counts columns."""

def bitboards(
    positions: Iterable[Position | str | Sequence[Any]] | NDArray[Any],
    *,
    layout: str | None = None,
    width: int = 7,
    height: int = 6,
) -> NDArray[np.uint64]:
    """Return positions as an array of bitboards: a row (first, second) for each.

    *positions* are Positions, move strings, or boards in a *layout*, in an array or in lists. The
    square in column c, row r is bit `c * (height + 1) + r`. A board of more than 64 bits takes two words
    for each player, the lower one first: the array is of shape (n, 2, 2). Raises the error of the first
    row that shows no position, with its index.

    >>> bitboards(["4", "44"]).tolist()
    [[2097152, 0], [2097152, 4194304]]
    """

def planes(
    positions: Iterable[Position | str | Sequence[Any]] | NDArray[Any],
    layout: str,
    *,
    given_layout: str | None = None,
    width: int = 7,
    height: int = 6,
) -> NDArray[Any]:
    """Return positions as an array in a layout, one row for each.

    *positions* are Positions, move strings, bitboards, or boards in the layout *given_layout*.

    >>> planes(["4", "44"], "kaggle")[:, -7:].tolist()
    [[0, 0, 0, 1, 0, 0, 0], [0, 0, 0, 1, 0, 0, 0]]
    """

@overload
def positions_from_planes(
    array: NDArray[Any] | Sequence[Sequence[Any]],
    layout: str | None,
    *,
    invalid: Literal["raise"] = "raise",
    width: int = 7,
    height: int = 6,
) -> list[Position]:
    """Return the positions that an array shows in a layout; None as *layout* stands for bitboards.

    A row that shows no position raises its error with the row's index; with `invalid="mark"` it is None
    in the list.

    >>> positions_from_planes(planes(["4455"], "open_spiel"), "open_spiel") == [Position("4455")]
    True
    """

@overload
def positions_from_planes(
    array: NDArray[Any] | Sequence[Sequence[Any]],
    layout: str | None,
    *,
    invalid: Literal["mark"],
    width: int = 7,
    height: int = 6,
) -> list[Position | None]: ...
def sample_positions(
    n: int,
    seed: int,
    *,
    fewest: int,
    most: int,
    uniform_ply: bool = True,
    unique: bool = False,
    threads: int = 1,
    width: int = 7,
    height: int = 6,
) -> tuple[Any, Any]:
    """Draw positions of random games; see `fourcast.data.sample`.

    Returns their bitboards, and their moves as an array (n, cells) of the characters of move strings,
    with zeros at the end.
    """

@final
class BoardBatch:
    """Many games at once: a step plays a move on every board.

    The agent plays both sides or, with *opponent*, against an opponent that plays any open column. Then
    *agent_first* says whether the agent starts; None leaves it to chance. A board whose game is over is
    empty again after the next step.
    """

    def __init__(
        self,
        n: int,
        *,
        opponent: bool = False,
        agent_first: bool | None = None,
        width: int = 7,
        height: int = 6,
    ) -> None: ...
    def __len__(self) -> int: ...
    def reset(self, seed: int, observations: Any, masks: Any) -> None:
        """Begin all games again and show them.

        *observations* is a writable array of int8 (n, height, width, 2) in the layout `pettingzoo`: the
        side to act, then the other one. *masks* is one of int8 (n, width): 1 for open columns, all 0 if
        the game is over.
        """

    def step(self, actions: Any, observations: Any, masks: Any, rewards: Any, terminations: Any) -> None:
        """Play the *actions*, an array of int64 (n,), and show the boards as `reset` does.

        Writes the rewards of those who acted (float64, (n,)) and whether the games are over (bool,
        (n,)). Anything but an open column loses the game. A game that was over begins again instead,
        with reward 0.
        """

def verdict_of(before: int, after: int) -> str:
    """Return how good a move was, by the scores of its player before and after it.

    >>> verdict_of(3, 3), verdict_of(3, 1), verdict_of(1, -1)
    ('best', 'good', 'blunder')
    """

def ask(
    question: str, request: Any, solver: SolverCore | None = None, *, stop: StopToken | None = None
) -> Any:
    """Ask the core one of the questions that Python and the page share; see native/study/ask.hpp.

    Request and answer are JSON types.
    """
