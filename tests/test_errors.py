"""The errors carry data, and stay whole on their way through files, processes and copies."""

from __future__ import annotations

import copy
import doctest
import inspect
import pickle
import shutil
import sys
from concurrent.futures import ProcessPoolExecutor
from importlib import metadata
from multiprocessing import get_context
from pathlib import Path

import pytest

import fourcast
from fourcast import (
    FinishedGameError,
    ForfeitError,
    FourcastError,
    IllegalMoveError,
    InvalidPositionError,
    OptionError,
    Position,
    errors,
)
from fourcast.errors import missing_extra
from fourcast.notation import parse_rows
from fourcast.render.catalogue import speaking

CLASSES = [
    value
    for value in vars(errors).values()
    if inspect.isclass(value) and issubclass(value, FourcastError)
]


def made(error_class: type[FourcastError]) -> FourcastError:
    """An error of this class with all the data that it may have."""
    if error_class is ForfeitError:
        return ForfeitError("crash", "exit status 1")
    if error_class is IllegalMoveError:
        return IllegalMoveError("column 4 is full", column=3, reason="full", ply=6)
    if error_class is InvalidPositionError:
        return InvalidPositionError("a disc floats", square=(2, 1))
    return error_class("what happened")


@pytest.mark.parametrize("error_class", CLASSES)
def test_an_error_is_pickled_and_copied_whole(error_class: type[FourcastError]) -> None:
    error = made(error_class)
    again = [pickle.loads(pickle.dumps(error, protocol)) for protocol in range(pickle.HIGHEST_PROTOCOL)]
    for other in [*again, copy.copy(error), copy.deepcopy(error)]:
        assert type(other) is error_class
        assert str(other) == str(error)
        assert vars(other) == vars(error)


def read_rows(rows: str) -> Position:
    return parse_rows(rows)  # itself compiled, it has no way into another process


def test_an_error_of_the_core_comes_out_of_another_process_whole() -> None:
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        with pytest.raises(IllegalMoveError, match="move 7 of '4444444': column 4 is full") as caught:
            pool.submit(Position, "4444444").result(60)
        assert (caught.value.column, caught.value.reason, caught.value.ply) == (3, "full", 6)
        rows = "..../..../.X../...."
        with pytest.raises(InvalidPositionError, match="floats") as impossible:
            pool.submit(read_rows, rows).result(60)
        assert impossible.value.square == (1, 1)


def test_an_error_of_the_core_is_a_code_and_facts_and_says_them_in_the_language_of_the_moment() -> None:
    with pytest.raises(IllegalMoveError) as caught:
        Position("4444444")
    error = caught.value
    full = {"pattern": "error.column_full", "facts": {"column": "4"}}
    assert (error.code, error.facts) == (
        "error.move_of",
        {"number": 7, "moves": "'4444444'", "why": full},
    )
    assert str(error) == "move 7 of '4444444': column 4 is full"
    with speaking("de"):
        assert str(error) == "Zug 7 von '4444444': Spalte 4 ist voll"
    assert error.said == {"pattern": error.code, "facts": error.facts}
    assert (OptionError("plain").code, OptionError("plain").said) == (None, "plain")


def test_an_error_about_a_player_names_the_player() -> None:
    with pytest.raises(
        InvalidPositionError, match=r"^the second player moved on after the first"
    ) as caught:
        Position.from_rows("..../O.../OOO./XXXX")
    with speaking("de"):
        assert str(caught.value).startswith("der zweite Spieler hat weitergespielt, obwohl der erste ")


def test_all_errors_but_those_of_the_world_are_value_errors() -> None:
    """Errors about what was given are ValueErrors; those about files, networks and programs are not."""
    of_the_world = {
        "FourcastError",
        "BookError",
        "CheckpointError",
        "ClusterError",
        "CommunityError",
        "DatasetError",
        "ForfeitError",
        "MissingExtraError",
        "SettingsError",
        "StoppedError",
    }
    assert {cls.__name__ for cls in CLASSES if not issubclass(cls, ValueError)} == of_the_world


def test_every_error_is_in_the_tree_of_the_docstring_and_public() -> None:
    for error_class in CLASSES:
        assert error_class.__name__ in str(errors.__doc__)
        assert error_class.__name__ in errors.__all__
        assert getattr(fourcast, error_class.__name__) is error_class


def test_a_forfeit_says_its_kind_first() -> None:
    assert str(ForfeitError("crash", "exit status 1")) == "crash: exit status 1"
    assert ForfeitError("crash", "exit status 1").kind == "crash"


@pytest.mark.parametrize("name", [name for name in fourcast.player_names() if name != "perfect"])
def test_a_player_that_is_asked_about_a_finished_game_says_so(name: str) -> None:
    with pytest.raises(FinishedGameError, match=r"^the game is over"):
        fourcast.player(name).choose(Position("1212121"))


def test_a_wrong_option_is_an_error_of_ours_and_a_value_error() -> None:
    with pytest.raises(OptionError, match="depth must be at least 1, not 0"):
        fourcast.player("depth", depth=0)
    with pytest.raises(OptionError, match="player must be from 1 to 2, not 3"):
        Position().winning_columns(3)
    with pytest.raises(OptionError, match=r"games must be a .*number from 1 .*not 0"):
        fourcast.Match("random", "random", games=0)


def test_the_examples_of_the_docstrings_run() -> None:
    assert doctest.testmod(errors).failed == 0


def test_the_command_of_a_missing_extra_names_packages_and_this_python() -> None:
    """fourcast is not on PyPI: a command that names it as a package would not work."""
    for extra in metadata.metadata("fourcast").get_all("Provides-Extra") or ():
        message = str(missing_extra("it needs more", extra))
        python, _, packages = message.removeprefix("it needs more: ").partition(" -m pip install ")
        assert shutil.which(python) == sys.executable or Path(python).absolute() == Path(sys.executable)
        assert packages
        assert "fourcast" not in packages
