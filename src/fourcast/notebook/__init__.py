"""A board to play, analyze and step through in notebooks: `pip install '.[notebook]'`.

It is an anywidget, for Jupyter, Colab, VS Code and marimo, and draws with the modules of the web page.
Pictures of positions, games and analyses in notebooks need no extra: see `fourcast.show`.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from fourcast.errors import missing_extra

try:
    import anywidget
    import traitlets
except ImportError as error:
    raise missing_extra("the board needs anywidget", "notebook") from error

from fourcast._core import Analysis, Limit, Position, ask
from fourcast.arena.contestant import Contestant, Entrant
from fourcast.errors import FourcastError, OptionError
from fourcast.game import Game
from fourcast.notation import format_moves, quote
from fourcast.notebook.look import board_script, board_styles, board_words
from fourcast.players import Player
from fourcast.render.notebook import game_svg
from fourcast.render.svg import describe
from fourcast.render.words import describe_bounds
from fourcast.solver import Solver

__all__ = ["Board"]

NAMES = ("Red", "Yellow")
ANALYSIS_S = 2.0
"""Seconds for an analysis: a notebook waits for it."""


class Board(anywidget.AnyWidget):  # type: ignore[misc]
    """A board in a notebook.

    *shown* is where it begins: a position, its moves, or a game to step through. With an *opponent*,
    whatever a `Match` takes, it answers your moves; without one you play both sides. *analyze* shows the
    exact score of every column. `position` and `game` are what is on the board.

    >>> board = Board("4455", opponent="perfect")
    >>> board.play(2)
    >>> board.game.moves[:5], len(board.game.moves)
    ('44553', 6)
    """

    _esm = traitlets.Unicode().tag(sync=True)
    _css = traitlets.Unicode().tag(sync=True)
    words = traitlets.Dict().tag(sync=True)
    state = traitlets.Dict().tag(sync=True)

    def __init__(
        self,
        shown: Position | str | Game = "",
        *,
        opponent: Entrant | None = None,
        analyze: bool = False,
        width: int = 7,
        height: int = 6,
        seed: int | None = None,
    ) -> None:
        self._game = _game_of(shown, width, height)
        self._start = self._game.start
        self._ply = len(self._game.columns)
        self._opponent: Player | None = None
        if opponent is not None:
            contestant = Contestant.of(opponent)
            if contestant.command:
                raise OptionError(
                    "a program cannot play in a notebook: give a player or a Python object"
                )
            self._opponent = contestant.make(seed=seed)
        self._analyzes = analyze
        self._note = ""
        super().__init__(
            _esm=board_script(), _css=board_styles(), words=board_words(), state=self._state()
        )
        self.on_msg(self._receive)

    def _ipython_display_(self) -> None:
        """Show the board, and before it a picture, which is all that a page without JavaScript keeps.

        The styles of a board that is alive hide the picture.
        """
        from IPython.display import display

        show: Any = display
        still = f'<div class="fourcast-still">{game_svg(self.game)}</div>'
        show({"text/html": still, "text/plain": ""}, raw=True)
        show(self._repr_mimebundle_()[0], raw=True)

    @property
    def game(self) -> Game:
        """The game as far as it was played, a copy."""
        return _replay(self._start, self._game.columns)

    @property
    def position(self) -> Position:
        """The position that is shown."""
        return _replay(self._start, self._game.columns[: self._ply]).position

    def play(self, column: int) -> None:
        """Play a column, counted from 0, in what is shown; the opponent answers, if there is one."""
        game = _replay(self._start, self._game.columns[: self._ply])
        game.play(column)
        self._note = ""
        if self._opponent is not None and not game.is_over:
            game.play(self._opponent.choose(game.position))
        self._game, self._ply = game, len(game.columns)
        self.state = self._state()

    def step_to(self, ply: int) -> None:
        """Show the game after this many of its moves."""
        self._ply = min(max(ply, 0), len(self._game.columns))
        self._note = ""
        self.state = self._state()

    def _receive(self, _: object, content: Any, __: object = None) -> None:
        """Do what somebody has clicked on. It comes from a page: what it says is checked."""
        kind = content.get("kind") if isinstance(content, dict) else None
        moves = len(self._game.columns)
        steps = {"first": 0, "back": self._ply - 1, "forward": self._ply + 1, "last": moves}
        try:
            if kind == "play":
                self.play(content.get("column"))
            elif kind in steps:
                self.step_to(steps[kind])
            elif kind == "analyze":
                self._analyzes = not self._analyzes
                self.state = self._state()
            elif kind == "new":
                self._game, self._ply, self._note = Game(start=self._start), 0, ""
                self.state = self._state()
        except (FourcastError, TypeError) as error:
            self._note = f"{error}"
            self.state = self._state()

    def _state(self) -> dict[str, Any]:
        """Return all that the board draws, as JSON types."""
        columns = self._game.columns
        position = self.position
        can = ["analyze", "new"] + ["first", "back"] * (self._ply > 0)
        can += ["forward", "last"] * (self._ply < len(columns))
        return {
            "position": _view(position, columns[self._ply - 1] if self._ply else None),
            "enabled": not position.is_over,
            "status": self._note or _status(position),
            "figures": _figures(position) if self._analyzes else None,
            "moves": f"{self._ply} of {len(columns)} moves: {format_moves(columns)}" if columns else "",
            "can": can,
        }


@cache
def _solver() -> Solver:
    return Solver()


def _game_of(shown: Position | str | Game, width: int, height: int) -> Game:
    if isinstance(shown, str):
        return Game(shown, width=width, height=height)
    if isinstance(shown, Position):
        return Game(start=shown)
    if isinstance(shown, Game):
        return _replay(shown.start, shown.columns)
    raise TypeError(f"a board shows a position, its moves or a game, not {quote(shown)}")


def _replay(start: Position, columns: Any) -> Game:
    game = Game(start=start)
    for column in columns:
        game.play(column)
    return game


def _status(position: Position) -> str:
    if position.winner:
        return f"{NAMES[position.winner - 1]} has won."
    return "A draw." if position.is_over else f"{NAMES[position.turn - 1]} to move."


def _view(position: Position, last: int | None) -> dict[str, Any]:
    """Return a position as the page's board reads it."""
    view = ask("position.view", {"rows": position.to_rows(), "columns": []})
    last_move = None if last is None else [last, position.heights[last] - 1]
    return {**view, "last_move": last_move, "text": describe(position, last=last)}


def _figures(position: Position) -> list[dict[str, Any]]:
    """Return the scores above the columns as the page's board reads them."""
    if position.is_over:
        return []
    analysis: Analysis = _solver().analyze(position, Limit(time_s=ANALYSIS_S), variations=False)
    best = analysis.best_columns or ()
    figures = []
    for line in analysis:
        words = describe_bounds(line.lower, line.upper, line.position)
        text = "?" if line.score is None else f"{line.score:+d}" if line.score else "0"
        figures.append(
            {
                "column": line.column,
                "text": text,
                "detail": "",
                "label": words,
                "tone": line.outcome or "unknown",
                "best": line.column in best,
            }
        )
    return figures
