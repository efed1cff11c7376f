"""The errors that fourcast raises on purpose.

FourcastError
├── BookError                                  a file that is not an opening book
├── CertificateError        (also ValueError)  a file that proves nothing, or a game off its path
├── CheckpointError                            a file that is not a checkpoint of this solve, or damaged
├── ClusterError                               a Ray cluster that cannot be reached or cannot do the work
├── CommunityError                             a community game that cannot go on: files, git, GitHub
├── DatasetError                               a folder that holds something else, a file that is damaged
├── FinishedGameError       (also ValueError)  a question about a game that is over
├── ForfeitError                               a program lost its game by what it did
├── GameFileError           (also ValueError)  a file or text that is not a game, with its line
├── IllegalMoveError        (also ValueError)  a full column, one off the board, a finished game
├── InvalidNotationError    (also ValueError)  text that cannot be read as what it should be
├── InvalidPositionError    (also ValueError)  discs that cannot have arisen, an unsupported board size
├── MissingExtraError                          something is not installed; the message says how to
├── OptionError             (also ValueError)  an option that does not exist, or a wrong value
├── ProofError              (also ValueError)  a proof of an explanation that does not hold
├── SettingsError                              an environment variable with an invalid value
├── StoppedError                               the solver was stopped before it had a complete answer
└── UnknownPlayerError      (also ValueError)  an unknown player name

A wrong type is a plain `TypeError`. Messages are for people: they quote what was given, shortened if it
is long, and count columns from 1. What a program needs to know is in the attributes, where columns count
from 0. All errors can be pickled and copied. What deserves a warning but does not stop anything is a
`BookWarning`.

Errors of the core and of the web server are data: a `code`, which names a pattern in
`messages/errors/*.json`, and the `facts` that fill it. `str(error)` is the sentence, in English unless
`fourcast.render.catalogue.speaking` says otherwise.
"""

from __future__ import annotations

from operator import index
from os import PathLike, fsencode
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any, Literal, TypeAlias

    Facts: TypeAlias = dict[str, Any]
    Reason: TypeAlias = Literal["full", "off the board", "finished", "not possible"]

__all__ = [
    "BookError",
    "BookWarning",
    "CertificateError",
    "CheckpointError",
    "ClusterError",
    "CommunityError",
    "DatasetError",
    "FinishedGameError",
    "ForfeitError",
    "FourcastError",
    "GameFileError",
    "IllegalMoveError",
    "InvalidNotationError",
    "InvalidPositionError",
    "MissingExtraError",
    "OptionError",
    "ProofError",
    "SettingsError",
    "StoppedError",
    "UnknownPlayerError",
]


class FourcastError(Exception):
    """The base of the errors of fourcast: a message, or with *facts* the code of one.

    >>> from fourcast import Position
    >>> try:
    ...     Position("8")
    ... except FourcastError as error:
    ...     print(error.code)
    ...     print(error.facts)
    error.move_name
    {'name': "'8'", 'place': 1, 'moves': "'8'", 'last': '7'}
    """

    def __init__(self, message: str = "", *, facts: Facts | None = None) -> None:
        super().__init__(message)
        self.code = None if facts is None else message
        self.facts: Facts = facts or {}

    @property
    def said(self) -> str | Facts:
        """What the error says, as a fact of another one."""
        return str(self) if self.code is None else {"pattern": self.code, "facts": self.facts}

    def __repr__(self) -> str:
        return super().__repr__() if self.code is None else f"{type(self).__name__}({str(self)!r})"

    def __str__(self) -> str:
        if self.code is None:
            return super().__str__()
        from fourcast.render.said import error_text  # the catalog is read when a sentence is wanted

        return error_text(self.code, self.facts)


class BookError(FourcastError):
    """A file that is not a complete and unaltered opening book; the message says why."""


class BookWarning(UserWarning):
    """An opening book was skipped; answers are the same without it but take longer."""


class CertificateError(FourcastError, ValueError):
    """A certificate that is not a proof, or a game that it cannot follow; the message says why."""


class CheckpointError(FourcastError):
    """A file that is damaged, or not the checkpoint of this solve; the message says what to do."""


class ClusterError(FourcastError):
    """A Ray cluster that cannot be reached or cannot do the work; the message says why."""


class CommunityError(FourcastError):
    """A community game that cannot go on: its files, git or GitHub are in the way."""


class DatasetError(FourcastError):
    """A data set that cannot be made there: something else is in the way; the message says what."""


class FinishedGameError(FourcastError, ValueError):
    """A question, such as for the best move, about a game that is over."""


class ForfeitError(FourcastError):
    """A program lost its game by what it did; `kind` is one of `fourcast.protocol.Forfeit`."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.args = (kind, message)
        self.kind = kind

    def __str__(self) -> str:
        return ": ".join(map(str, self.args))


class GameFileError(FourcastError, ValueError):
    """A file or text that cannot be read as a game; the message has the line."""


class IllegalMoveError(FourcastError, ValueError):
    """A disc into a full column, off the board, or into a finished game.

    `column` counts from 0, `reason` is "full", "off the board", "finished" or, in PopOut, "not
    possible", and `ply` is the number of discs on the board when the move was refused. Each is None if
    it was not a move that was refused, but taking one back, say.

    >>> from fourcast import Position
    >>> try:
    ...     Position("4444444")
    ... except IllegalMoveError as error:
    ...     print(error)
    ...     print(error.column, error.reason, error.ply)
    move 7 of '4444444': column 4 is full
    3 full 6
    """

    def __init__(
        self,
        message: str,
        *,
        column: int | None = None,
        reason: Reason | None = None,
        ply: int | None = None,
        facts: Facts | None = None,
    ) -> None:
        super().__init__(message, facts=facts)
        self.column = column
        self.reason = reason
        self.ply = ply


class InvalidNotationError(FourcastError, ValueError):
    """Text that cannot be read; the message has the offending part and its place."""


class InvalidPositionError(FourcastError, ValueError):
    """A position that cannot have arisen, or a board of an unsupported size.

    `square` is the (column, row) that is wrong, from 0, or None if it is not one square.

    >>> from fourcast import Position
    >>> try:
    ...     Position.from_rows("..../..../.X../....")
    ... except InvalidPositionError as error:
    ...     print(error)
    ...     print(error.square)
    a disc floats above an empty square: column 2, row 2 from the bottom
    (1, 1)
    """

    def __init__(
        self,
        message: str,
        *,
        square: Sequence[int] | None = None,
        facts: Facts | None = None,
    ) -> None:
        super().__init__(message, facts=facts)
        self.square = square and (square[0], square[1])


class MissingExtraError(FourcastError):
    """Something optional is not installed; the message has the command that installs it."""


def missing_extra(need: str, extra: str = "", packages: Sequence[str] = ()) -> MissingExtraError:
    """Return the error for something optional that is not installed: *need*, and how to install it.

    It names the packages one by one, those of *extra* if none are given, and this Python. So the command
    works in a checkout and with a wheel, although fourcast itself is not on PyPI.

    >>> print(missing_extra("an Anki deck needs genanki", packages=["genanki"]))  # doctest: +ELLIPSIS
    an Anki deck needs genanki: ...python... -m pip install genanki
    """
    names = " ".join(packages or _packages_of(extra))
    return MissingExtraError(f"{need}: {_this_python()} -m pip install {names}")


def _packages_of(extra: str) -> list[str]:
    """Return the packages of an extra as one types them, with versions where not all will do."""
    import re
    import sys
    from importlib import metadata

    names = []
    is_old = sys.version_info < (3, 11)  # the only version that is asked for
    for requirement in metadata.requires("fourcast") or ():
        package, _, condition = requirement.partition(";")
        if not re.search(rf"extra == ['\"]{extra}['\"]", condition):
            continue
        if "python_version" in condition and is_old != ("<" in condition):
            continue
        if "platform_system" in condition and sys.platform == "win32":
            continue
        if inner := re.match(r"fourcast\[([\w,]+)\]", package):
            names += [name for each in inner[1].split(",") for name in _packages_of(each)]
        elif name := re.match(r"[\w.-]+(?:\[\w+\])?", package):
            names.append(f'"{package.strip()}"' if "<" in package else name[0])
    return names


def _this_python() -> str:
    """Return what a person types to run the Python that runs this, from the folder they are in."""
    import os
    import shutil
    import sys

    if shutil.which("python") == sys.executable:
        return "python"
    inside = sys.executable.startswith(os.getcwd() + os.sep)
    return os.path.relpath(sys.executable) if inside else sys.executable


def is_int(value: object) -> bool:
    """Whether *value* is an int, or one of numpy's."""
    try:
        index(cast("int", value))
    except TypeError:
        return False
    return True


def require(what: str, value: object, *kinds: type) -> None:
    """Raise `TypeError` if *value* is of none of these types.

    >>> require("limit", 3, str, type(None))
    Traceback (most recent call last):
    TypeError: limit must be a str or None, not int
    """
    if not isinstance(value, kinds) and not (int in kinds and is_int(value)):
        names = " or ".join(
            "None"
            if kind is type(None)
            else f"{'an' if kind.__name__[0] in 'AEIOaeio' else 'a'} {kind.__name__}"
            for kind in kinds
        )
        raise TypeError(f"{what} must be {names}, not {type(value).__name__}")
    if PathLike in kinds and value is not None:
        try:
            name = fsencode(cast("str | PathLike[str]", value))
        except UnicodeEncodeError:
            name = b"\0"
        if b"\0" in name:
            raise OptionError(f"{what} cannot be the name of a file: {value!r}")


def require_function(what: str, value: object) -> None:
    """Raise `TypeError` if *value* cannot be called; None is no function, and allowed.

    >>> require_function("progress", 3)
    Traceback (most recent call last):
    TypeError: progress must be a function, not int
    """
    if value is not None and not callable(value):
        raise TypeError(f"{what} must be a function, not {type(value).__name__}")


def require_each(what: str, values: object, *kinds: type) -> None:
    """Raise `TypeError` if *values* is not a list or tuple of these types.

    >>> require_each("names", ["Ada", None], str)
    Traceback (most recent call last):
    TypeError: names[1] must be a str, not NoneType
    """
    require(what, values, list, tuple)
    for number, value in enumerate(cast("list[object]", values)):
        require(f"{what}[{number}]", value, *kinds)


def nearest(given: object, known: Iterable[str]) -> str | None:
    """Return which of *known* was probably meant by *given*, or None.

    >>> nearest("dept", ["depth", "seed"])
    'depth'
    >>> nearest("--tim", ["--threads", "--time-limit"])
    '--time-limit'
    """
    from difflib import get_close_matches

    text, names = str(given)[:100], list(known)
    begun = [name for name in names if len(text) >= 3 and name.startswith(text)]
    return next(iter([*get_close_matches(text, names, n=1), *begun]), None)


def suggest(given: object, known: Iterable[str]) -> str:
    """Return advice about a name that is not among *known*: the nearest one, or the whole list.

    >>> suggest("dept", ["depth", "seed"]), suggest("x", ["depth", "seed"])
    ("did you mean 'depth'?", 'there are depth, seed')
    """
    names = list(known)
    meant = nearest(given, names)
    return f"did you mean {meant!r}?" if meant else f"there are {', '.join(names)}"


class OptionError(FourcastError, ValueError):
    """An option that does not exist, or a value that it does not take."""


class ProofError(FourcastError, ValueError):
    """A proof of an explanation that does not hold; the message says where."""


class SettingsError(FourcastError):
    """An environment variable with an invalid value; the message names it and what it may be."""


class StoppedError(FourcastError):
    """The solver was stopped before it had a complete answer, and an incomplete one is of no use."""


class UnknownPlayerError(FourcastError, ValueError):
    """An unknown player name; the message lists those that exist."""
