"""Plans of data sets: which positions are drawn, and how they are written. As TOML, read strictly."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, fields
from typing import Any, Literal, get_args

from fourcast._core import Position
from fourcast.arena.contestant import IMPORT_PATH, Contestant
from fourcast.arena.suites import check_suite_name
from fourcast.data.sampling import By
from fourcast.errors import FourcastError, InvalidNotationError, OptionError, require
from fourcast.notation import MAX_TEXT, quote, suggest
from fourcast.players import player_names
from fourcast.players.spec import parse_player
from fourcast.toml import load_toml

__all__ = ["COLUMNS", "SPLITS", "Plan", "SplitBy", "parse_plan", "read_plan"]

SplitBy = Literal["position", "game"]
"""What is in one split only; see `Plan.split_by`."""

SPLITS = ("train", "validation", "test")

STRATA = ("outcome", "phase", "difficulty")
"""What the rows of a data set can be balanced by; see `fourcast.data.strata`."""

COLUMNS = {
    "moves": "a move string that leads to the position; columns count from 1",
    "first": "the discs of the first player: the square in column c, row r is bit c * (height + 1) + r",
    "second": "the discs of the second player",
    "ply": "the number of discs on the board",
    "value": "the exact score of the position for the side to move: positive if it wins, 0 for a draw",
    "scores": "the exact score of every column for the side to move, from left to right; -128: full",
    "plies_to_end": "the number of moves until the game ends if both sides play perfectly",
    "outcome": "win, draw or loss of the side to move",
    "game": "the number of the game that the position is from",
}
"""The columns of a data set, and what they hold."""

REQUIRED_COLUMNS = ("first", "second")
MAX_ROWS = 10**12
MAX_ROWS_PER_FILE = 2**24

_COMMENTS = {
    "rows": "The number of positions.",
    "seed": "The same seed gives the same positions.",
    "by": "How they are drawn: " + ", ".join(f'"{each}"' for each in get_args(By)) + ".",
    "plies": "The number of discs: one number, or the fewest and the most.",
    "unique": "Whether no two positions are equal or mirror images of each other.",
    "players": 'With by = "players": the two that play.',
    "noise": 'With by = "players": the probability that a later move is random, too.',
    "strata": "What is equally frequent: " + ", ".join(f'"{each}"' for each in STRATA) + ".",
    "without_suites": "The suites of positions for evaluation that are kept out.",
    "license": "The license of the data set, as Hugging Face names it.",
    "opening_plies": 'With by = "players": random moves at the beginning of each game.',
    "split_by": 'What is in one split only: a "game", or also a "position" and its mirror image.',
    "columns": f"The columns to write, {' and '.join(REQUIRED_COLUMNS)} among them.",
    "rows_per_file": "The rows of the files of all splits with the same number.",
    "splits": "The share of each split; about this part of the rows.",
}


@dataclass(frozen=True)
class Plan:
    """A plan, checked when it is made; raises `OptionError` that names what is wrong.

    >>> Plan(rows=100, plies=(30, 41)).unique
    True
    >>> Plan(plies=(30, 42))
    Traceback (most recent call last):
    fourcast.errors.OptionError: plies must be from 0 to 41 on a board of 7x6, not [30, 42]
    """

    rows: int | None = None
    """The number of positions; None leaves it open, which is all of them with `by="all"`."""
    seed: int = 0
    width: int = 7
    height: int = 6
    by: By = "uniform ply"
    """How positions are drawn; see `fourcast.data.sample`."""
    plies: tuple[int, int] | None = None
    """The fewest and the most discs; None: any number. One number stands for both."""
    unique: bool = True
    """Whether no two positions are equal or mirror images of each other."""
    players: tuple[str, ...] = ()
    """The two players of `by="players"`: built-in ones, or `module:function`."""
    opening_plies: int = 4
    noise: float = 0.0
    """The probability that a move of a player after the opening is random."""
    strata: tuple[str, ...] = ()
    """What is equally frequent, of `STRATA`; see `fourcast.data.strata`."""
    without_suites: tuple[str, ...] = ("standard-1",)
    """The suites whose positions, and their mirror images, are left out."""
    license: str = "cc0-1.0"
    split_by: SplitBy = "position"
    """What is in one split only: each game and each position with its mirror image, or each game."""
    columns: tuple[str, ...] = tuple(COLUMNS)
    rows_per_file: int = 2**17
    splits: Mapping[str, float] = field(
        default_factory=lambda: {"train": 0.8, "validation": 0.1, "test": 0.1}
    )

    def __post_init__(self) -> None:
        for name, least, most in (
            ("rows", 1, MAX_ROWS),
            ("seed", 0, 2**63 - 1),
            ("opening_plies", 0, 2**31),
            ("rows_per_file", 1, MAX_ROWS_PER_FILE),
        ):
            if name != "rows" or self.rows is not None:
                _check_int(name, getattr(self, name), least, most)
        for name in ("players", "columns", "strata", "without_suites"):
            if isinstance(given := getattr(self, name), list):
                object.__setattr__(self, name, tuple(given))
        for name in ("width", "height"):
            _check_int(name, getattr(self, name), 1, 100)
        Position(width=self.width, height=self.height)  # complains about a size that is not supported
        if not isinstance(self.unique, bool):
            raise OptionError(f"unique must be true or false, not {quote(self.unique)}")
        _check_choice("by", self.by, get_args(By))
        _check_choice("split_by", self.split_by, get_args(SplitBy))
        self._check_plies()
        self._check_players()
        self._check_more()
        self._check_columns()
        self._check_splits()

    @property
    def is_standard(self) -> bool:
        """Whether the board is the usual one."""
        return (self.width, self.height) == (7, 6)

    @property
    def cells(self) -> int:
        """The number of squares of the board."""
        return self.width * self.height

    @property
    def ply_range(self) -> range:
        """The numbers of discs that are meant."""
        fewest, most = self.plies or (0, self.cells - 1)
        return range(fewest, most + 1)

    def to_toml(self) -> str:
        """Return the plan as a TOML document, with every setting and a comment on most.

        >>> from fourcast.toml import load_toml
        >>> load_toml(Plan(rows=100).to_toml(), extra="data")["rows"]
        100
        """
        lines = []
        for each in fields(self):
            value = getattr(self, each.name)
            if value is None or each.name == "splits":
                continue
            if comment := _COMMENTS.get(each.name):
                lines.append(f"# {comment}")
            # JSON's texts, numbers, lists and truth values are also TOML's.
            lines.append(f"{each.name} = {json.dumps(value)}")
        lines += ["", f"# {_COMMENTS['splits']}", "[splits]"]
        lines += [f"{name} = {share!r}" for name, share in self.splits.items()]
        return "\n".join(lines) + "\n"

    def _check_plies(self) -> None:
        if self.plies is None:
            if self.by == "all":
                raise OptionError('by = "all" needs plies, one number of discs')
            return
        if isinstance(self.plies, int):
            object.__setattr__(self, "plies", (self.plies, self.plies))
        if isinstance(self.plies, range) and self.plies and self.plies.step == 1:
            object.__setattr__(self, "plies", (self.plies[0], self.plies[-1]))
        if not isinstance(self.plies, (list, tuple)):
            raise OptionError(f"plies must be the fewest and the most discs, not {quote(self.plies)}")
        given = list(self.plies)
        last = self.cells - 1
        if len(given) != 2 or not all(_is_int(ply) and 0 <= ply <= last for ply in given):
            raise OptionError(
                f"plies must be from 0 to {last} on a board of {self.width}x{self.height}, not {given}"
            )
        if given[0] > given[1]:
            raise OptionError(f"plies must be the fewest and the most discs, not {given}")
        if self.by == "all" and given[0] != given[1]:
            raise OptionError(f'by = "all" needs plies as one number of discs, not {given}')

    def _check_players(self) -> None:
        _check_texts("players", self.players)
        if self.by != "players":
            if self.players:
                raise OptionError(f'players play only with by = "players", not with {quote(self.by)}')
            return
        if len(self.players) != 2:
            raise OptionError(f'by = "players" needs two players, not {len(self.players)}')
        for player in self.players:
            # Without a clock: a data set must come out the same again. No programs: a plan is a file
            # from anywhere, and an import path names what the user has on the Python path.
            is_own = IMPORT_PATH.fullmatch(player) and player.partition(":")[0] not in player_names()
            options = Contestant.parse(player).options if is_own else parse_player(player).options
            if "time_s" in options:
                raise OptionError(f"the player {quote(player)} plays by the clock, not twice the same")

    @property
    def own_players(self) -> tuple[str, ...]:
        """The players that are not built in, by their import path."""
        return tuple(each for each in self.players if each.partition(":")[0] not in player_names())

    def _check_more(self) -> None:
        if isinstance(self.noise, bool) or not isinstance(self.noise, (int, float)):
            raise OptionError(f"noise must be a probability from 0 to 1, not {quote(self.noise)}")
        if not 0 <= self.noise <= 1:
            raise OptionError(f"noise must be a probability from 0 to 1, not {self.noise}")
        object.__setattr__(self, "noise", float(self.noise))
        if self.noise and self.by != "players":
            raise OptionError(f'noise is for by = "players", not for {quote(self.by)}')
        _check_names("strata", "stratum", self.strata, STRATA)
        if self.strata and self.by == "all":
            raise OptionError('strata are chosen from what is drawn; by = "all" has all positions')
        _check_texts("without_suites", self.without_suites)
        for name in self.without_suites:
            check_suite_name(name)
        if not isinstance(self.license, str) or not re.fullmatch(r"[a-z0-9.-]{1,40}", self.license):
            raise OptionError(f"license must be a name such as 'cc0-1.0', not {quote(self.license)}")

    def _check_columns(self) -> None:
        _check_names("columns", "column", self.columns, COLUMNS)
        for name in REQUIRED_COLUMNS:
            if name not in self.columns:
                raise OptionError(f"columns must have {name!r}, which tells rows apart")

    def _check_splits(self) -> None:
        """Check the shares, and put them into the usual order, without those that are 0."""
        if not isinstance(self.splits, Mapping):
            raise OptionError(f"splits must be a table, not {quote(self.splits)}")
        for name, share in self.splits.items():
            if name not in SPLITS:
                raise OptionError(f"there is no split {quote(name)}; {suggest(name, SPLITS)}")
            if isinstance(share, bool) or not isinstance(share, (int, float)) or not 0 <= share <= 1:
                raise OptionError(
                    f"the share of {name} must be a number from 0 to 1, not {quote(share)}"
                )
        total = sum(self.splits.values())
        if abs(total - 1) > 1e-9:
            raise OptionError(f"the shares of the splits must add up to 1, not {total:g}")
        in_order = {name: float(self.splits[name]) for name in SPLITS if self.splits.get(name)}
        object.__setattr__(self, "splits", in_order)


def read_plan(path: str | os.PathLike[str], **settings: Any) -> Plan:
    """Return the plan of a TOML file; *settings* take the place of those in it.

    Raises `OptionError` with the name of the file for anything that is no plan.
    """
    require("path", path, str, os.PathLike)
    with open(path, "rb") as file:
        text = file.read(MAX_TEXT + 1)
    try:
        return parse_plan(text, **settings)
    except (InvalidNotationError, OptionError) as error:
        raise OptionError(f"{os.fspath(path)}: {error}") from None


def parse_plan(text: str | bytes, **settings: Any) -> Plan:
    """Return the plan that a TOML document describes; *settings* take the place of those in it.

    >>> parse_plan('plies = [20, 41]', rows=1000).ply_range
    range(20, 42)
    >>> parse_plan('uniqe = true')
    Traceback (most recent call last):
    fourcast.errors.OptionError: there is no setting 'uniqe'; did you mean 'unique'?
    """
    content: dict[str, Any] = dict(load_toml(text, extra="data"))
    known = [each.name for each in fields(Plan)]
    for name in content:
        if name not in known:
            raise OptionError(f"there is no setting {quote(name)}; {suggest(name, known)}")
    if "plies" in content:
        content["plies"] = _plies(content["plies"])
    try:
        return Plan(**content | settings)
    except OptionError:
        raise
    except FourcastError as error:  # an unknown player, an unsupported board
        raise OptionError(str(error)) from None


def _plies(given: Any) -> tuple[int, int]:
    if _is_int(given):
        return given, given
    if isinstance(given, list) and len(given) == 2 and all(map(_is_int, given)):
        return given[0], given[1]
    raise OptionError(
        f"plies must be a number of discs, or the fewest and the most as in [20, 41], not {quote(given)}"
    )


def _is_int(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _check_int(name: str, value: object, least: int, most: int) -> None:
    if not _is_int(value) or not least <= value <= most:  # type: ignore[operator]
        raise OptionError(f"{name} must be a whole number from {least} to {most}, not {quote(value)}")


def _check_texts(name: str, value: object) -> None:
    if not isinstance(value, tuple) or not all(isinstance(each, str) for each in value):
        shown = list(value) if isinstance(value, tuple) else value
        raise OptionError(f"{name} must be a list of texts, not {quote(shown)}")


def _check_names(what: str, one: str, names: tuple[str, ...], known: Collection[str]) -> None:
    """Check that *names* are some of the *known* ones, each at most once."""
    _check_texts(what, names)
    for name in names:
        if name not in known:
            raise OptionError(f"there is no {one} {quote(name)}; {suggest(name, known)}")
    if len(set(names)) != len(names):
        raise OptionError(f"{what} must differ: {quote(list(names))}")


def _check_choice(name: str, value: object, choices: tuple[str, ...]) -> None:
    if value not in choices:
        words = ", ".join(map(repr, choices))
        raise OptionError(f"{name} must be one of {words}, not {quote(value)}")
