"""Calls everything in one part of the compiled module with values that it was not made for.

    python border_walk.py STUB LOG PART

PART is a class or a function of the stub. Each call is written to LOG before it is made, so that the
last line names the one that ended the process. At the end it prints how many calls there were, and how
many of them took long and were interrupted by a signal, as they have to be.
"""

from __future__ import annotations

import ast
import itertools
import random
import signal
import sys
import tempfile
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any, TextIO

import numpy as np

from fourcast import _core
from fourcast._core import (
    BoardBatch,
    Book,
    Columns,
    Limit,
    Playouts,
    Position,
    Result,
    Rules,
    SolverCore,
    StopToken,
    book_positions,
    level_strengths,
    look_ahead,
    search_tree,
)
from fourcast.book import build
from fourcast.errors import FourcastError

DOCUMENTED = (TypeError, ValueError, IndexError, KeyError, AttributeError, FourcastError, RecursionError)
FORBIDDEN = ("bad_cast", "std::", "bad_alloc", "bad_array", "vector::", "nanobind::cast")
CALL_S = 0.25


class Raising:
    """Fails whatever it is asked."""

    def _fail(self, *_: object) -> Any:
        raise ZeroDivisionError("on purpose")

    __index__ = __float__ = __iter__ = __len__ = __getitem__ = __bool__ = _fail
    __call__ = __repr__ = __fspath__ = __eq__ = __hash__ = _fail


class Lying:
    """Claims to be a sequence of great length, and a large number."""

    def __len__(self) -> int:
        return sys.maxsize

    def __getitem__(self, index: int) -> int:
        return index * 0 + 1

    def __index__(self) -> int:
        return 2**200


class TooLongError(Exception):
    """A call was interrupted."""


FOLDER = Path(tempfile.mkdtemp())
SMALL = FOLDER / "small.book"
LATE = Position("7422341735647741166133573473242566")
SOLVER = SolverCore()
ANALYSIS = SOLVER.analyze(LATE)


def nested(depth: int) -> list[Any]:
    result: list[Any] = []
    for _ in range(depth):
        result = [result]
    return result


def cyclic() -> dict[str, Any]:
    result: dict[str, Any] = {"width": 7, "height": 6, "moves": ""}
    result["columns"] = [result]
    return result


NUMBERS: list[Any] = [True, -1, 0, 1, 7, 2**31, 2**63, 2**64, -(2**63) - 1, 10**400, 1.5, 1e308, 1j]
NUMBERS += [float("nan"), float("inf"), -float("inf"), np.int64(3), np.float64("nan"), np.array(5)]
TEXTS: list[Any] = [
    "",
    "4455",
    "\ud800",
    "\0",
    "x" * 100_000,
    "\U0010ffff",
    b"",
    b"\xff",
    memoryview(b"a"),
]
CONTAINERS: list[Any] = [[], (), {}, set(), [None], [[]], [-1], [2**70], [float("nan")], [1, 2, 3]]
CONTAINERS += [nested(100_000), {"width": 7}, cyclic(), slice(None), slice(0, 10**30, 0)]
CONTAINERS += [slice(-(10**30), None, -1), iter([]), iter(int, 1), itertools.repeat("4")]
ARRAYS: list[Any] = [np.zeros((2, 2)), np.zeros((2, 2), np.uint64), np.zeros((3, 3), np.uint64)]
ARRAYS += [np.array(None), np.zeros((0, 2), np.uint64), np.full((2, 2), 2**64 - 1, np.uint64)]
ARRAYS += [np.zeros((6, 7), np.int8), np.zeros((6, 7), object), np.ma.masked]
OBJECTS: list[Any] = [None, object(), type, len, lambda *_: None, Ellipsis, Raising(), Lying()]
OBJECTS += [FOLDER, SMALL, "/dev/null", "/dev/zero", FOLDER / "missing" / "x.book"]
VALUES: list[Any] = [Position(), Position("1212121"), Position(width=4, height=31), Limit(nodes=1)]
VALUES += [Columns([1]), ANALYSIS, ANALYSIS.result, ANALYSIS.lines[0], SOLVER, SOLVER.make_token()]
UNMADE: list[Any] = [cls.__new__(cls) for cls in (Position, Limit, Result, StopToken, Book, SolverCore)]
HOSTILE = NUMBERS + TEXTS + CONTAINERS + ARRAYS + OBJECTS + VALUES + UNMADE

# A good value for each parameter, by its name; those of one function or class have its name before them.
GOOD: dict[str, Any] = {
    "position": LATE,
    "depth": 3,
    "ply": 2,
    "n": 10,
    "seed": 1,
    "threads": 1,
    "moves": "4455",
    "Playouts.moves": 60,
    "width": 7,
    "height": 6,
    "columns": [3, 3],
    "skip_illegal": False,
    "grid": [[0] * 7] * 6,
    "order": "rows",
    "top_first": True,
    "turn": None,
    "first": 0,
    "second": 0,
    "column": ANALYSIS.lines[0].column,
    "row": 0,
    "player": 1,
    "index": 0,
    "time_s": None,
    "Result.time_s": 0.5,
    "Analysis.time_s": 0.5,
    "nodes": 1000,
    "lower": 0,
    "upper": 1,
    "complete": None,
    "best_columns": None,
    "SolverCore.best_columns": True,
    "variation": (),
    "lines": ANALYSIS.lines,
    "book": None,
    "table_mb": 1,
    "without": (),
    "limit": Limit(nodes=1000),
    "outcome_only": False,
    "variations": True,
    "positions": ["4455"],
    "write_book.positions": book_positions(0),
    "progress": None,
    "stop": None,
    "playouts": 10,
    "exploration": 1.0,
    "evaluation": "none",
    "every_column": False,
    "path": SMALL,
    "write_book.path": FOLDER / "new.book",
    "scores": [0],
    "array": np.zeros((2, 6, 7), np.int8),
    "layout": "rows",
    "SolverCore.layout": None,
    "label.columns": True,
    "bitboards.layout": None,
    "given_layout": None,
    "invalid": "raise",
    "fewest": 20,
    "most": 41,
    "uniform_ply": True,
    "unique": False,
    "opponent": True,
    "agent_first": None,
    "actions": np.zeros(2, np.int64),
    "observations": np.zeros((2, 6, 7, 2), np.int8),
    "masks": np.zeros((2, 7), np.int8),
    "rewards": np.zeros(2),
    "terminations": np.zeros(2, bool),
    "memo": {},
    "other": None,
    "state": {},
    "value": {},
    "certain": 1,
    "sight": (3,),
    "Strength.sight": 0.5,
    "noise": 0.1,
    "exact_nodes": 0,
    "strength": level_strengths()[4],
    "solver": SOLVER,
    "chance": random.Random(1),
    "ties": "random",
    "choose_perfectly.time_s": 1.0,
    "win_base": 100,
    "plies_to_end.value": 118,
    "first_wins": 1,
    "second_wins": 1,
    "draws": 1,
}
SELF: dict[str, Callable[[], Any]] = {
    "Position": lambda: LATE,
    "Columns": lambda: Columns([1, 2]),
    "Limit": lambda: Limit(nodes=5),
    "Rules": lambda: Rules(connect=5, wrap=True),
    "Playouts": lambda: Playouts(1, 2, 3, 40),
    "Proven": lambda: ANALYSIS.result,
    "Result": lambda: ANALYSIS.result,
    "Line": lambda: ANALYSIS.lines[0],
    "Analysis": lambda: ANALYSIS,
    "SolverCore": lambda: SOLVER,
    "StopToken": SOLVER.make_token,
    "Book": lambda: Book(SMALL),
    "BoardBatch": lambda: BoardBatch(2),
    "PositionList": lambda: book_positions(2),
    "LookAhead": lambda: look_ahead(LATE, 2),
    "TreeSearch": lambda: search_tree(LATE, playouts=10),
    "Strength": lambda: level_strengths()[4],
}


def is_documented(error: Exception) -> bool:
    """Whether an error is of a kind that users are told of, with words that mean something to them."""
    text = str(error)
    if isinstance(error, ZeroDivisionError):
        return text == "on purpose"
    if type(error) is RuntimeError:  # what nanobind says if an object that exists is to be made again
        return "initialized" in text
    return isinstance(error, DOCUMENTED) and bool(text) and not any(word in text for word in FORBIDDEN)


class Walk:
    """The calls of one part of the module."""

    def __init__(self, log: TextIO) -> None:
        self.calls = 0
        self.interrupted = 0
        self._log = log

    def attempt(self, what: str, function: Callable[..., object], *args: Any, **kwargs: Any) -> None:
        """Make one call: an answer, a documented error, or an interruption."""
        self.calls += 1
        print(what, file=self._log, flush=True)
        signal.setitimer(signal.ITIMER_REAL, CALL_S)
        try:
            try:
                function(*args, **kwargs)
            finally:
                signal.setitimer(signal.ITIMER_REAL, 0)  # before an error is looked at, which takes time
        except TooLongError:
            self.interrupted += 1
        except Exception as error:
            if not is_documented(error):
                raise AssertionError(f"{what} is not documented to raise {error!r}") from error

    def vary(self, owner: str, name: str, arguments: ast.arguments, find: Callable[[], Any]) -> None:
        """Call with one hostile argument at a time, with too few and with too many."""
        what = f"{owner}.{name}"
        positional = [each.arg for each in arguments.posonlyargs + arguments.args if each.arg != "self"]
        keywords = [each.arg for each in arguments.kwonlyargs]
        good = {
            each: GOOD.get(f"{owner}.{each}", GOOD.get(f"{name}.{each}", GOOD.get(each, 0)))
            for each in positional + keywords
        }
        for varied in good:
            for number, hostile in enumerate(HOSTILE):
                given = {**good, varied: hostile}
                self.attempt(
                    f"{what}({varied}=HOSTILE[{number}])",
                    find(),
                    *(given[each] for each in positional),
                    **{each: given[each] for each in keywords},
                )
        if arguments.vararg:
            for number, hostile in enumerate(HOSTILE):
                self.attempt(f"{what}(*HOSTILE[{number}])", find(), hostile)
        self.attempt(f"{what}()", find())
        self.attempt(f"{what}(unknown=1)", find(), unknown=1)
        self.attempt(f"{what}(many)", find(), *[1] * 12)

    def walk_class(self, node: ast.ClassDef) -> None:
        """Call the constructor and all methods, and ask for all properties."""
        owner = node.name
        cls = type(SELF[owner]())
        if not any(isinstance(each, ast.FunctionDef) and each.name == "__init__" for each in node.body):
            self.attempt(f"{owner}()", cls)
        for member in node.body:
            if isinstance(member, ast.FunctionDef):
                self.walk_member(owner, cls, member)
        for number, hostile in enumerate(HOSTILE):
            self.attempt(f"{owner} == HOSTILE[{number}]", SELF[owner]().__eq__, hostile)

    def walk_member(self, owner: str, cls: Any, member: ast.FunctionDef) -> None:
        name, what = member.name, f"{owner}.{member.name}"
        kinds = {each.id for each in member.decorator_list if isinstance(each, ast.Name)}
        if "property" in kinds:
            self.attempt(what, getattr, SELF[owner](), name)
            self.attempt(f"{what} of nothing", getattr, cls.__new__(cls), name)
            self.attempt(f"{what} set", setattr, SELF[owner](), name, 1)
        elif "staticmethod" in kinds:
            self.vary(owner, name, member.args, lambda: getattr(cls, name))
        else:
            if name == "__init__":
                self.vary(owner, name, member.args, lambda: cls)
            self.vary(owner, name, member.args, lambda: getattr(SELF[owner](), name))
            self.attempt(f"{what} of nothing", getattr(cls.__new__(cls), name))
            self.attempt(f"{what} of None", getattr(cls, name), None)


def interrupt(*_: object) -> None:
    raise TooLongError


def main(stub: str, log: str, part: str) -> None:
    """Walk through one part."""
    warnings.simplefilter("ignore")
    build(SMALL, 3, width=4, height=4)
    signal.signal(signal.SIGALRM, interrupt)
    with open(log, "w") as file:
        walk = Walk(file)
        for node in ast.parse(Path(stub).read_text("utf-8")).body:
            if isinstance(node, ast.ClassDef) and node.name == part:
                walk.walk_class(node)
            elif isinstance(node, ast.FunctionDef) and node.name == part:
                walk.vary("_core", part, node.args, lambda: getattr(_core, part))
    print(walk.calls, walk.interrupted)


if __name__ == "__main__":
    main(*sys.argv[1:])
