"""The command `fourcast`. One file a command: `cli/play.py` has the function `play`, and so on.

Only the file of the command that runs is imported, so that help and short commands come at once.
Whatever fails in a way that we foresaw ends as one line on standard error and exit status 2.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Annotated, TextIO

import typer

from fourcast import __version__
from fourcast.errors import BookWarning, FourcastError

__all__ = ["main"]

# Name -> the line in the help, which is the first of the command's docstring (a test compares them).
COMMANDS = {
    "play": "Play in the terminal, against a friend or the computer.",
    "solve": "Find the exact score of a position, or of many.",
    "analyze": "Find the exact score of every move, and the line of best play.",
    "review": "Judge every move of a game by what it cost.",
    "bench": "Measure how fast the solver is on this machine.",
    "players": "List the players, with a sentence on each.",
    "match": "Play a match of two players or programs.",
    "tournament": "Play a tournament of players and programs, and report on it.",
    "player": "Play by the JSON protocol on standard input and output.",
    "check-player": "Test whether a program plays by the JSON protocol.",
    "book": "Build, check and describe opening books.",
    "serve": "Serve the web app: play, watch and analyse in a browser.",
    "community": "Run a community game on the issues of a GitHub repository.",
}

_show_as_python_does = warnings.showwarning


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line *arguments*, by default those of the process, and exit."""
    arguments = sys.argv[1:] if arguments is None else list(arguments)
    warnings.showwarning = _show_warning
    try:
        _application(arguments)(arguments, prog_name="fourcast")
    except FourcastError as error:
        _fail(str(error))
    except OSError as error:
        name = f"{error.filename}: " if error.filename else ""
        _fail(f"{name}{error.strerror or error}")


def _show_warning(
    message: Warning | str,
    category: type[Warning],
    filename: str,
    lineno: int,
    file: TextIO | None = None,
    line: str | None = None,
) -> None:
    """Say what we warn of in one line, as we say what fails; leave the rest to Python."""
    if issubclass(category, BookWarning):
        print(f"fourcast: warning: {message}", file=sys.stderr)
    else:
        _show_as_python_does(message, category, filename, lineno, file, line)


def _fail(message: str) -> None:
    print(f"fourcast: {message}", file=sys.stderr)
    sys.exit(2)


def _application(arguments: Sequence[str]) -> typer.Typer:
    """Return the application with the command loaded that *arguments* call; of others only the help."""
    application = typer.Typer(
        add_completion=False,
        context_settings={"help_option_names": ["-h", "--help"]},
        no_args_is_help=True,
        pretty_exceptions_enable=False,
    )
    application.callback()(_options)
    called = next((word for word in arguments if not word.startswith("-")), None)
    for name, line in COMMANDS.items():
        if name == called:
            _add(application, name, load_command(name))
        else:
            application.command(name, help=line)(_never_called)
    return application


def _add(application: typer.Typer, name: str, command: Callable[..., None]) -> None:
    """Add a command; one whose file has SUBCOMMANDS is a group of those, and has only its help."""
    subcommands = getattr(sys.modules[command.__module__], "SUBCOMMANDS", ())
    if not subcommands:
        application.command(name)(command)
        return
    group = typer.Typer(no_args_is_help=True)
    group.callback()(command)
    for subcommand in subcommands:
        group.command(subcommand.__name__.replace("_", "-"))(subcommand)
    application.add_typer(group, name=name)


def load_command(name: str) -> Callable[..., None]:
    """Return the function of a command."""
    function = name.replace("-", "_")
    command: Callable[..., None] = getattr(import_module(f"{__name__}.{function}"), function)
    return command


def _never_called() -> None:
    raise AssertionError("a command was called whose file is not loaded")


def _show_version(wanted: bool) -> None:
    if wanted:
        print(f"fourcast {__version__}")
        raise typer.Exit


def _options(
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_show_version, is_eager=True, help="Show the version and exit."
        ),
    ] = False,
) -> None:
    """Connect Four: play it, solve it, explain it."""
