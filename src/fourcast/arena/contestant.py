"""The players of a match: built-in ones with their options, programs, and Python objects."""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import shlex
import shutil
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from importlib.machinery import PathFinder
from inspect import isclass, signature
from itertools import islice
from typing import Any, Union

from fourcast._core import Position, Rules
from fourcast.errors import OptionError, UnknownPlayerError, require
from fourcast.notation import quote, suggest
from fourcast.players import Player, player_names, plays_all_rules
from fourcast.players.spec import PlayerSpec, parse_player, spell_out
from fourcast.protocol.dialects import DIALECTS, make_dialect
from fourcast.protocol.program import ProgramPlayer, split_command
from fourcast.protocol.sandbox import Sandbox, named_paths
from fourcast.solver import Solver

Choose = Callable[[Position], int]
Entrant = Union[str, "Contestant", Player, Choose, type]
"""Whatever `Contestant.of` accepts."""

PROGRAM_TIME_S = 5.0
"""Seconds that a program has for a move, unless a limit is given."""
KAGGLE = "kaggle:"
"""Prefix of the file of a ConnectX agent: `kaggle:submission.py`."""
LIMITS = ("move_time_s", "start_time_s", "memory_mb")
MEMORY_MB = (16, 2**20)
"""The least and the most memory that a program can be given."""
MAX_TIME_S = 10**6
MAX_HASHED_FILES = 1000
MAX_HASHED = 16 << 20
"""Bytes of a program's file that are looked at to see whether it has changed."""
KAGGLE_TIME_S = 2.0
"""Seconds that ConnectX gives its agents for a move, with 60 more for a game."""


@dataclass(frozen=True)
class Contestant:
    """A name, and a way to make a player for one game: a built-in *player*, a *command*, or a *factory*.

    >>> from fourcast.players.random_player import RandomPlayer
    >>> Contestant("anything", factory=RandomPlayer).make(seed=1).choose(Position())
    1
    """

    name: str
    player: str = ""
    """The name of a built-in player, or empty."""
    options: Mapping[str, object] = field(default_factory=dict)
    """Options of the built-in player."""
    command: str = ""
    """The command line of a program, or empty."""
    factory: Callable[..., Player] | None = None
    """Returns a new player for each game; it is given a `seed` if it has a parameter of that name."""
    time_s: float | None = None
    """Seconds per move, passed to the program as its last argument, unless a limit is given."""
    directory: str = ""
    """The folder that a program is started in; empty for the current one."""
    dialect: str = "json"
    """The language that a program speaks, one of `fourcast.protocol.dialects.DIALECTS`."""
    limits: Mapping[str, Any] = field(default_factory=dict)
    """Limits of this program alone: `move_time_s`, `start_time_s`, `memory_mb`."""

    @classmethod
    def of(cls, given: Entrant) -> Contestant:
        """Return a contestant for a text, a player object, a function or a class.

        An object with `choose(position)` plays all of its games, in several threads if games are played
        at the same time; a function takes the place of `choose`; of a class, each game has a new object.

        >>> Contestant.of(lambda position: position.legal_columns[0]).name
        '<lambda>'
        """
        if isinstance(given, Contestant):
            return given
        if isinstance(given, str):
            return cls.parse(given)
        if callable(getattr(given, "choose", None)):
            made: Any = given
            return cls(_name_of(given), factory=made if isclass(given) else lambda: made)
        if callable(given) and not isclass(given):
            chooser = _Function(_name_of(given), given)
            return cls(chooser.name, factory=lambda: chooser)
        raise TypeError(
            f"{quote(given)} is not a player: give a name such as 'streaks:depth=6', a command, "
            "an object or class with choose(position), or a function of a position"
        )

    @classmethod
    def parse(cls, text: str) -> Contestant:
        """Return the contestant that *text* means.

        That is a player's name, perhaps with options; a command, perhaps after a dialect, as in
        `contest:python bot.py`; `kaggle:FILE` for an agent of ConnectX; or `module:function` for a
        function of a position, or an object or class with `choose(position)`. Agents in files run as
        programs do. Raises `OptionError`, `UnknownPlayerError` or `InvalidNotationError`.

        >>> Contestant.parse("streaks:depth=6,seed=1").options
        {'depth': 6, 'seed': 1}
        """
        require("a player", text, str)
        text = spell_out(text)
        if text.startswith(KAGGLE):
            return cls._of_file(text)
        dialect, colon, command = text.strip().partition(":")
        if colon and dialect in DIALECTS and dialect not in player_names():
            split_command(command)
            return cls(text.strip(), command=command.strip(), dialect=dialect)
        if text.partition(":")[0] in player_names():
            spec = parse_player(text)
            return cls(text, spec.player, spec.options)
        if text and shutil.which(split_command(text)[0]):
            return cls(text, command=text)
        if path := _module_path(text):
            command = _agent_command("python", path, text)
            return cls(text, command=command, time_s=PROGRAM_TIME_S)
        try:
            parse_player(text)
        except UnknownPlayerError as error:
            raise UnknownPlayerError(f"{error}; {_other_kinds(text)}") from None
        raise AssertionError(text)

    def check_rules(self, rules: Rules) -> None:
        """Raise `OptionError` if it is known that the contestant cannot play by these rules."""
        if rules.is_standard:
            return
        if self.player and not plays_all_rules(self.player):
            raise OptionError("error.player_rules", facts={"rules": str(rules)})
        if self.command and self.dialect != "json":
            raise OptionError(
                f"{quote(self.name)} is told no rules but the standard ones: "
                "programs that play by others speak JSON"
            )

    @classmethod
    def _of_file(cls, text: str) -> Contestant:
        path = os.path.abspath(text.removeprefix(KAGGLE))
        if not os.path.isfile(path) or not path.endswith(".py"):
            raise OptionError(
                f"{quote(text)} is not an agent of ConnectX: {KAGGLE} is followed by a Python file"
            )
        command = _agent_command("kaggle", path, "-")
        return cls(KAGGLE + os.path.basename(path), command=command, time_s=KAGGLE_TIME_S)

    @classmethod
    def from_table(cls, table: Mapping[str, object], directory: str = "") -> Contestant:
        """Return the contestant that a table of a TOML file in *directory* describes.

        >>> Contestant.from_table({"player": "streaks:depth=6", "name": "deep"}).options
        {'depth': 6}
        """
        options = dict(table)
        texts = {}
        for key in ("name", "player", "command"):
            value = options.pop(key, "")
            if not isinstance(value, str):
                raise OptionError(f"{key!r} of a player must be a string, not {quote(value)}")
            texts[key] = value
        name, kind, command = texts.values()
        if bool(kind) == bool(command):
            raise OptionError(f"a player needs either 'player' or 'command': {quote(table)}")
        if kind and options:
            written = parse_player(kind)
            spec = PlayerSpec(written.player, {**written.options, **options}).check()
            return cls(name or str(spec), spec.player, spec.options)
        if kind:
            with _inside(directory):
                parsed = cls.parse(kind)
            return replace(parsed, name=name or kind, directory=directory if parsed.command else "")
        dialect = options.pop("dialect", "json")
        if not isinstance(dialect, str):
            raise OptionError(f"'dialect' of a program must be a string, not {quote(dialect)}")
        make_dialect(dialect)
        limits = {key: options.pop(key) for key in LIMITS if key in options}
        for key, value in limits.items():
            if key == "memory_mb":
                check_count(key, value, *MEMORY_MB)
            else:
                check_time(key, value)
        if options:
            key = next(iter(options))
            raise OptionError(
                f"a program has no option {quote(key)}; {suggest(key, [*LIMITS, 'dialect'])}"
            )
        split_command(command)
        return cls(name or command, command=command, directory=directory, dialect=dialect, limits=limits)

    def make(
        self,
        *,
        seed: int | None = None,
        move_time_s: float | None = None,
        start_time_s: float = 5.0,
        memory_mb: int = 1024,
        sandbox: Sandbox | str = Sandbox.AUTO,
        hidden: Iterable[str] = (),
    ) -> Player:
        """Return a player for one game; a program, a `ProgramPlayer`, is to be closed after it.

        *seed* is for players that were given none; *move_time_s* is a limit that programs are held to
        (5 seconds if it is None) and that built-in players keep. The rest is for programs.
        """
        if self.command:
            move_time_s = self.limits.get("move_time_s", move_time_s)
            told_s = self.time_s if move_time_s is None else move_time_s
            told = [] if self.time_s is None else [f"{told_s:g}"]
            return ProgramPlayer(
                [*split_command(self.command), *told],
                name=self.name,
                move_time_s=PROGRAM_TIME_S if move_time_s is None else move_time_s,
                start_time_s=self.limits.get("start_time_s", start_time_s),
                memory_mb=self.limits.get("memory_mb", memory_mb),
                directory=self.directory or None,
                dialect=self.dialect,
                sandbox=sandbox,
                hidden=hidden,
            )
        if self.factory:
            return self.factory(seed=seed) if _takes_seed(self.factory) else self.factory()
        defaults: dict[str, Any] = {"seed": seed}
        if move_time_s is not None:
            defaults["time_s"] = move_time_s
        if self.player == "perfect" and "threads" not in self.options:
            defaults["solver"] = _shared_solver()
        return PlayerSpec(self.player, self.options).make(**defaults)

    def paths(self) -> list[str]:
        """Return the files and folders that a program's command names; its rivals do not see them."""
        if not self.command:
            return []
        return named_paths(split_command(self.command), self.directory or os.getcwd())

    def describe(self) -> dict[str, Any]:
        """Return what identifies it in a journal, as JSON types."""
        described: dict[str, Any] = {"name": self.name, "player": self.player}
        described |= {"options": dict(self.options), "command": self.command}
        if self.command:
            described |= {"limits": dict(self.limits), "dialect": self.dialect, "files": self._digest()}
        return described | ({"python": _name_of(self.factory)} if self.factory else {})

    def _digest(self) -> str:
        """A hash of the files that the command names, and of those in the folders that it names."""
        words = split_command(self.command)
        program = os.path.join(self.directory or os.getcwd(), words[0])
        paths = [program] if "/" in words[0] and os.path.isfile(program) else []
        for path in self.paths():
            if os.path.isdir(path):
                found = (os.path.join(root, name) for root, _, names in os.walk(path) for name in names)
                paths += sorted(islice(found, MAX_HASHED_FILES))
            else:
                paths.append(path)
        digest = hashlib.sha256()
        for path in paths:
            with contextlib.suppress(OSError), open(path, "rb") as file:
                digest.update(file.read(MAX_HASHED))
        return digest.hexdigest()[:16]


def check_count(name: str, value: object, least: int, most: int) -> None:
    """Raise `OptionError` unless *value* is a whole number within these bounds."""
    if type(value) is not int or not least <= value <= most:
        raise OptionError(f"{name} must be a whole number from {least} to {most}, not {quote(value)}")


def check_time(name: str, value: object, *, may_be_zero: bool = False) -> None:
    """Raise `OptionError` unless *value* is a time in seconds: more than 0, or 0 if it *may_be_zero*."""
    is_time = isinstance(value, (int, float)) and type(value) is not bool and 0 <= value <= MAX_TIME_S
    if not is_time or (value == 0 and not may_be_zero):
        least = "0 or more" if may_be_zero else "more than 0"
        raise OptionError(f"{name} must be {least} and at most {MAX_TIME_S} seconds, not {quote(value)}")


class _Function:
    """A function as a player."""

    def __init__(self, name: str, choose: Choose) -> None:
        self.name = name
        self.choose = choose


@contextlib.contextmanager
def _inside(directory: str) -> Iterator[None]:
    """Look for programs and files from a folder, as if it were the current one."""
    before = os.getcwd()
    os.chdir(directory or before)
    try:
        yield
    finally:
        os.chdir(before)


def _name_of(thing: object) -> str:
    name = getattr(thing, "name", None) or getattr(thing, "__name__", None) or type(thing).__name__
    return name if isinstance(name, str) else type(thing).__name__


def _agent_command(*words: str) -> str:
    return shlex.join([sys.executable, "-m", "fourcast.adapters.agent_program", *words])


IMPORT_PATH = re.compile(r"(\w+)(\.\w+)*:\w+(\.\w+)*")
"""The import path of a function, object or class: `module:name`."""


def _other_kinds(text: str) -> str:
    """Return how to give *text*, which names no player, as another kind of agent, or why it is none."""
    if text.endswith(".py"):
        return f"a Python file is given as the program 'python {text}', or as {KAGGLE}{text}"
    if found := IMPORT_PATH.fullmatch(text):
        return f"and there is no module '{found[1]}' in this folder or on Python's path"
    return "and no program of that name was found"


def _module_path(text: str) -> str:
    """The file or folder of the module of `module:function`, which is not imported; empty if none is."""
    match = IMPORT_PATH.fullmatch(text)
    found = PathFinder.find_spec(match[1], [os.getcwd(), *sys.path]) if match else None
    if found is None:
        return ""
    folders = list(found.submodule_search_locations or ())
    return os.path.abspath(folders[0] if folders else found.origin or "")


def _takes_seed(factory: Callable[..., Player]) -> bool:
    try:
        return "seed" in signature(factory).parameters
    except (TypeError, ValueError):  # built in, without a signature
        return False


@cache
def _shared_solver() -> Solver:
    """One solver for all games: what it finds in one helps in the next."""
    return Solver()
