"""Kaggle's ConnectX: players as its agents, its agents as players, and files to submit.

Needs neither `kaggle-environments` nor anything else, except to play there.

>>> agent("winning", seed=1)(observation_of(Position("445566")), configuration_of(Position())) in (2, 6)
True
"""

from __future__ import annotations

import base64
import os
import re
import sys
import zlib
from collections.abc import Callable, Mapping
from inspect import signature
from operator import index
from pathlib import Path
from typing import Any

from fourcast._core import Position, Rules
from fourcast.adapters import open_spiel
from fourcast.arena.contestant import Contestant, Entrant
from fourcast.errors import OptionError
from fourcast.notation import quote
from fourcast.players.spec import PlayerSpec, parse_player

__all__ = [
    "ConnectXPlayer",
    "agent",
    "arena_agent",
    "arena_position_of",
    "configuration_of",
    "observation_of",
    "position_of",
    "submission",
]

Agent = Callable[..., Any]
_PARAMETERS = re.compile(r"\[Game\]\nconnect_four\w*\((.*)\)\n")
_STATE = re.compile(r"\[State\]\n(?:history=((?:\d:\d+,?)*)\n.*|((?:\d+\s+)*))\s*\Z", re.S)
ACT_TIMEOUT_S = 2.0
"""Seconds for a move in ConnectX, which adds up to 60 for a whole game."""


class Struct(dict[str, Any]):
    """A dictionary whose values are attributes, too, as ConnectX gives them to agents."""

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except KeyError:
            raise AttributeError(name) from None


def observation_of(position: Position) -> Struct:
    """Return what an agent of ConnectX sees of a position.

    >>> observation_of(Position("44")).board[-7:], observation_of(Position("44")).mark
    ([0, 0, 0, 1, 0, 0, 0], 1)
    """
    rows = reversed(range(position.height))
    board = [position.at(column, row) for row in rows for column in range(position.width)]
    return Struct(board=board, mark=position.turn, step=position.ply, remainingOverageTime=60.0)


def configuration_of(position: Position, *, time_s: float = ACT_TIMEOUT_S) -> Struct:
    """Return the rules of a game as ConnectX tells them to agents."""
    rules = position.rules
    if rules != Rules(rules.connect):
        raise OptionError(f"ConnectX has no game with the rules {rules}, only other numbers in a row")
    size = {"columns": position.width, "rows": position.height}
    times = {"actTimeout": time_s, "agentTimeout": 60, "runTimeout": 1200}
    return Struct(size, inarow=rules.connect, episodeSteps=1000, timeout=time_s, **times)


def position_of(observation: Mapping[str, Any], configuration: Mapping[str, Any]) -> Position:
    """Return the position that an agent of ConnectX is asked for.

    Raises `OptionError` if fewer than three in a row win.
    """
    columns, rows = configuration["columns"], configuration["rows"]
    rules = Rules(configuration["inarow"])
    board = observation["board"]
    if len(board) != columns * rows:
        raise OptionError(f"the board has {len(board)} squares, but the game is {columns}x{rows}")
    lines = [board[row * columns : (row + 1) * columns] for row in range(rows)]
    return Position.from_grid(lines, order="rows", rules=rules)


def agent(chosen: Entrant = "perfect", *, seed: int | None = None) -> Agent:
    """Return an agent for `kaggle_environments` that plays like a player, where fourcast is installed.

    *chosen* is whatever a `Match` takes. To submit an agent, see `submission`.
    """
    player = Contestant.of(chosen).make(seed=seed)

    def act(observation: Mapping[str, Any], configuration: Mapping[str, Any]) -> int:
        return player.choose(position_of(observation, configuration))

    return act


def arena_position_of(observation: Mapping[str, Any]) -> Position:
    r"""Return the position of an observation of the game arena's `open_spiel_connect_four`.

    >>> arena_position_of({"serializedGameAndState": "[Game]\nconnect_four()\n[State]\n3\n3\n"}).ply
    2
    """
    told = observation.get("serializedGameAndState")
    # The moves are a line each, or the list of the arena's own game; what it pickles is not looked at.
    found = _STATE.search(told) if isinstance(told, str) else None
    if found is None:
        raise OptionError(f"the observation has no state of Connect Four: {quote(told)}")
    words = (found[1] or found[2] or "").replace(",", " ").split()
    columns = [int(word.rpartition(":")[2]) for word in words]  # 0:3 is player:column
    game = _PARAMETERS.search(str(told))
    parameters = dict(re.findall(r"(\w+)=(\d{1,3})\b", game[1] if game else ""))
    return open_spiel.position_of(columns, parameters)


def arena_agent(chosen: Entrant = "perfect", *, seed: int | None = None) -> Agent:
    """Return an agent for Kaggle's game arena, `make("open_spiel_connect_four")`."""
    player = Contestant.of(chosen).make(seed=seed)

    def act(observation: Mapping[str, Any], _: Any = None) -> dict[str, int]:
        if not observation.get("serializedGameAndState"):  # the arena asks once before the game begins
            return {"submission": -1}
        return {"submission": player.choose(arena_position_of(observation))}

    return act


class ConnectXPlayer:
    """An agent of ConnectX, a function of observation and configuration, as a player.

    It runs in this process. Of a file that you did not write, make a player by its name: `kaggle:FILE`
    runs it in a sandbox, wherever a player or a program is taken.

    >>> def leftmost(observation, configuration):
    ...     return observation.board.index(0)
    >>> ConnectXPlayer(leftmost).choose(Position("1111"))
    0
    """

    def __init__(self, act: Agent, *, time_s: float = ACT_TIMEOUT_S) -> None:
        if not callable(act):
            raise TypeError(
                f"an agent of ConnectX is a function of observation and configuration, not {quote(act)}"
            )
        self.name = getattr(act, "__name__", "agent")
        self._act = act
        self._time_s = time_s
        try:
            takes = len(signature(act).parameters)
        except (TypeError, ValueError):  # built in, without a signature
            takes = 2
        self._takes = min(takes, 2)

    def choose(self, position: Position) -> int:
        """Return the agent's column."""
        given = (observation_of(position), configuration_of(position, time_s=self._time_s))
        return column_answered(self._act(*given[: self._takes]))


def column_answered(answer: Any) -> int:
    """Return what an agent has answered as an int. Raises TypeError if it is no column."""
    try:
        return index(answer)  # of numpy, too
    except TypeError:
        raise TypeError(
            f"the agent answered {quote(answer)}, which is not a column: columns are ints from 0"
        ) from None


def load_agent(path: str | os.PathLike[str]) -> Agent:
    """Run a file and return its last function, as ConnectX does.

    The file can do whatever this process can: see `ConnectXPlayer`.
    """
    folder = os.path.dirname(os.path.abspath(path))
    names: dict[str, Any] = {"__name__": "submission", "__file__": os.fspath(path)}
    sys.path.append(folder)
    exec(compile(Path(path).read_bytes(), os.fspath(path), "exec"), names)
    functions = [value for value in names.values() if callable(value)]
    if not functions:
        raise OptionError(f"{path} has no function; an agent is `def agent(observation, configuration)`")
    last: Agent = functions[-1]
    return last


# Files to submit

EXPORTED = ("perfect", "depth", "winning", "random")
"""The players that can be written as one file of plain Python."""
BOOK_PLIES = 12
"""Discs on the board from which on the exported `perfect` searches; before, it has a book."""

_TEMPLATE = Path(__file__).with_name("submission.py")


def submission(chosen: str = "perfect") -> str:
    """Return the text of a file to submit to ConnectX, which needs nothing but Python.

    *chosen* is the name of a player in `EXPORTED`, `depth` also with its option. The exported `perfect`
    has all answers to its first six moves in a book, which the solver makes; later it searches for as
    long as ConnectX lets it, and in Python that is not enough to be perfect in all positions.

    >>> text = submission("depth:depth=4")
    >>> 'PLAYER = "depth"' in text, "DEPTH = 4" in text
    (True, True)
    """
    spec = parse_player(chosen)
    _check_exported(spec)
    depth = 99 if spec.player == "perfect" else spec.options.get("depth", 6)
    book = pack_book(opening_book()) if spec.player == "perfect" else ""
    text = _TEMPLATE.read_text("utf-8")
    for name, value in (("PLAYER", f'"{spec.player}"'), ("DEPTH", str(depth)), ("BOOK", f'"{book}"')):
        before, line, after = text.partition(f"\n{name} = ")
        assert line, name
        text = f"{before}{line}{value}\n{after.partition(chr(10))[2]}"
    return text


def _check_exported(spec: PlayerSpec) -> None:
    if spec.player not in EXPORTED:
        raise OptionError(
            f"the player {spec.player} needs the compiled package, which ConnectX does not have; "
            f"these can be exported: {', '.join(EXPORTED)}"
        )
    known = ("depth",) if spec.player == "depth" else ()
    for option in spec.options:
        if option not in known:
            raise OptionError(f"the option {option} of {spec.player} cannot be exported")


def opening_book(plies: int = BOOK_PLIES) -> dict[Position, int]:
    """Return a best column for every position with fewer discs that best play of one side leads to.

    Of each pair of mirror images it has one. Of several best columns it is the one nearest the center.
    """
    from fourcast.solver import Solver

    solver = Solver()
    book: dict[Position, int] = {}
    for side in (1, 2):
        level = {Position()}
        for ply in range(plies):
            reached: set[Position] = set()
            if ply % 2 == side - 1:
                order = sorted(level, key=lambda position: position.canonical_key)
                for position, analysis in zip(
                    order, solver.analyze_many(order, variations=False), strict=True
                ):
                    best = analysis.best_columns or ()
                    column = next(c for c in position.columns_from_center if c in best)
                    book[position] = column
                    reached.add(_canonical(position.play(column)))
            else:
                for position in level:
                    reached |= {_canonical(child) for child in position.children().values()}
            level = {position for position in reached if not position.is_over}
    return book


def _canonical(position: Position) -> Position:
    return min(position, position.mirror(), key=_key)


def _key(position: Position) -> int:
    """The key of a position in an exported agent: its own discs, all discs and the bottom, added."""
    first, second = position.bitboards
    own = first if position.turn == 1 else second
    bottom = sum(1 << column * 7 for column in range(7))
    return own + (first | second) + bottom


def pack_book(book: Mapping[Position, int]) -> str:
    """Return a book as the text that `read_book` of an exported agent reads."""
    data = bytearray()
    last = 0
    for key, column in sorted((_key(position), column) for position, column in book.items()):
        difference, last = key - last, key
        while difference > 127:
            data.append(difference & 127 | 128)
            difference >>= 7
        data += bytes((difference, column))
    return base64.b85encode(zlib.compress(bytes(data), 9)).decode()
