"""Whatever a public call is given, it says in its own words what it takes."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from dataclasses import is_dataclass
from pathlib import Path
from typing import Any

import pytest

import fourcast as fc

HOSTILE = [None, True, -1, 2**70, 1.5, b"44", [], [None], {}, (), object(), object, "x" * 70_000]
FOREIGN = (
    "incompatible function arguments",
    "no constructor defined",
    "std::",
    "bad_cast",
    "has no attribute",
    "object is not",
    "unsupported operand",
    "unhashable",
    "not supported between",
    "must be real number",
    "positional argument but",
    "not iterable",
    "not subscriptable",
    "expected str, bytes",
    "expected string or bytes",
    "bytes-like",
    "has no len()",
    "index out of range",
)
GOOD: dict[str, Any] = {
    "position": "7422341735647741166133573473242566",
    "game": "44",
    "depth": 2,
    "n": 5,
    "column": 0,
    "evaluation": "streaks",
    "name": "random",
    "what": "44",
    "lower": 0,
    "lines": (),
    "path": "missing.book",
    "first": "random",
    "second": "random",
    "moves": "44",
    "source": "missing.txt",
    "out": "made",
    "names": "1234567",
    "text": "4",
    "url": "http://localhost:1/v1",
    "document": fc.render.svg.board("44"),
    "certificates": (),
    "evaluations": (),
    "scores": (),
    "pairs": (),
    "puzzles": (),
    "settings": {},
    "players": ("random", "winning"),
    "seed": 1,
    "rating": 600,
    "player": 1,
    "columns": (),
}
MODULES = {
    "arena": fc.arena,
    "certificate": fc.certificate,
    "data": fc.data,
    "llm": fc.llm,
    "notation": fc.notation,
    "puzzles": fc.puzzles,
    "render.png": fc.render.png,
    "render.svg": fc.render.svg,
    "render.text": fc.render.text,
    "study": fc.study,
}
"""What is reachable after `import fourcast` and has public names of its own."""
HELPERS = {
    *("best_style", "block_width", "can_color", "marked_board", "side_by_side"),
    *("board_size", "disc", "name_place", "nearest", "printable", "square_box", "suggest"),
    "torch_dataset",
}
"""Functions for the rest of fourcast, or that need a package that tests do without."""


def is_called_by_users(name: str, value: Any) -> bool:
    """Whether *value* is a function or class that takes arguments of users.

    Tuples of results are made by fourcast, and a name that only says a type cannot be called.
    """
    if name in HELPERS or not (inspect.isfunction(value) or inspect.isclass(value)):
        return False
    is_protocol = getattr(value, "_is_protocol", False)
    is_error = inspect.isclass(value) and issubclass(value, BaseException)
    return not (is_error or is_protocol or is_dataclass(value) or hasattr(value, "_fields"))


def calls() -> Iterator[Any]:
    """The functions and classes of `fourcast` and its modules, and methods of what they return."""
    for name in dir(fc):
        value = getattr(fc, name)
        is_error = inspect.isclass(value) and issubclass(value, BaseException)
        if (
            callable(value)
            and not is_error
            and name not in ("Player", "Search", "Termination", "Verdict")
        ):
            yield pytest.param(value, id=name)
    for prefix, module in MODULES.items():
        everything = [name for name in dir(module) if not name.startswith("_")]
        for name in getattr(module, "__all__", everything):
            value = getattr(module, name)
            if getattr(value, "__module__", "").startswith("fourcast") and is_called_by_users(
                name, value
            ):
                yield pytest.param(value, id=f"{prefix}.{name}")
    for owner in (
        fc.Position("44"),
        fc.Game("44"),
        fc.Solver(),
        fc.Limit(nodes=1),
        fc.Solver().analyze("4455"),
    ):
        for name in dir(owner):
            if not name.startswith("_") and callable(getattr(type(owner), name)):
                yield pytest.param(getattr(owner, name), id=f"{type(owner).__name__}.{name}")


def parameters(call: Any) -> list[inspect.Parameter]:
    kinds = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    return [each for each in inspect.signature(call).parameters.values() if each.kind not in kinds]


def complaint_about(call: Any, arguments: dict[str, Any]) -> str | None:
    """What a call says that fails, in one of the ways that users are told of."""
    try:
        call(**arguments)
    except (TypeError, ValueError, KeyError, IndexError, OSError, fc.FourcastError) as error:
        return str(error)
    return None


@pytest.mark.parametrize("call", list(calls()))
def test_no_public_call_answers_a_wrong_type_with_foreign_words(
    call: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    found = parameters(call)
    needed = {each.name: GOOD.get(each.name) for each in found if each.default is each.empty}
    for varied in found:
        for hostile in HOSTILE:
            words = complaint_about(call, {**needed, varied.name: hostile})
            assert words != "", f"{varied.name}={hostile!r:.40}"
            assert not any(foreign in (words or "") for foreign in FOREIGN), f"{varied.name}: {words}"


def test_an_unknown_option_of_the_core_or_of_a_player_gets_a_suggestion() -> None:
    playouts: Any = fc.playouts
    solve: Any = fc.Solver().solve
    for call, wrong, meant in [
        (lambda **given: playouts("44", 1, **given), "sede", "seed"),
        (lambda **given: solve("44", **given), "limt", "limit"),
        (lambda **given: fc.player("depth", **given), "dept", "depth"),
    ]:
        assert f"did you mean {meant!r}?" in (complaint_about(call, {wrong: 1}) or "")
