"""The command line as a whole: the commands, and what happens when one fails.

Errors of fourcast become one line on standard error and exit status 2.
"""

from __future__ import annotations

import functools
import re
import sys
import warnings
from collections.abc import Callable, Iterator, Sequence
from importlib import import_module
from inspect import Parameter, Signature, signature
from typing import Annotated, Any, NoReturn, TextIO, get_type_hints

import typer
from typer.core import TyperCommand, TyperGroup

from fourcast import __version__
from fourcast.cli._support import process
from fourcast.errors import BookWarning, FourcastError

# Name -> its line in the help, which is the first of the command's docstring (a test compares them).
COMMANDS = {
    "play": "Play in the terminal, against a friend or the computer.",
    "learn": "Learn to play, in short lessons.",
    "solve": "Find the exact score of a position, or of many.",
    "analyze": "Find the exact score of every move, and the line of best play.",
    "explain": "Say why a position is won, lost or drawn.",
    "review": "Judge every move of a game by what it cost, and tell how the game went.",
    "puzzle": "Solve puzzles in the terminal.",
    "puzzles": "Make puzzles, and list the shipped ones.",
    "train": "Practice the puzzles that you did not solve.",
    "repertoire": "Show what to play in the opening: the smallest repertoire that works.",
    "explore": "See what every move of a position leads to.",
    "bench": "Measure how fast the solver is on this machine.",
    "players": "List the built-in players.",
    "match": "Play a match of two players or programs.",
    "tournament": "Play a tournament of players and programs, and report on it.",
    "grade": "Grade a program by the games it wins against a player.",
    "evaluate": "Measure how well an agent plays, against exact scores.",
    "compare": "Compare agents on the same positions.",
    "export-agent": "Write a player as a file to submit to Kaggle's ConnectX.",
    "dataset": "Make a data set of positions with exact scores.",
    "label": "Label the positions of a file with exact scores.",
    "player": "Play by the JSON protocol on standard input and output.",
    "check-player": "Test whether a program plays by the protocol.",
    "book": "Build, check, describe and export opening books.",
    "certificate": "Check a proof of the whole game, play against it, or make one.",
    "llm": "Measure how well a language model plays.",
    "mcp": "Serve language models by the Model Context Protocol.",
    "serve": "Serve the web app: play, watch and analyze in a browser.",
    "seat": "Seat a program at a game or in a room of a server.",
    "site": "Write the web page as a static site that works offline.",
    "community": "Run a community game on the issues of a GitHub repository.",
}

_UsageError: Any = typer.BadParameter.__base__  # of typer's own copy of click, or of click

# Plain help: rich's tables leave no room for the sentences, and name a type for options without a value.
_PLAIN: dict[str, Any] = {
    "no_args_is_help": True,
    "pretty_exceptions_enable": False,
    "rich_markup_mode": None,
}


def run(arguments: Sequence[str]) -> NoReturn:
    """Run the command line *arguments* and exit."""
    application = typer.Typer(
        cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]}, **_PLAIN
    )
    application.callback()(_options)
    for stream in (sys.stdout, sys.stderr):
        if stream.isatty():
            from fourcast.cli._support.wrapping import wrap_words

            wrap_words(stream)
    with warnings.catch_warnings():
        warnings.showwarning = functools.partial(_show_warning, warnings.showwarning)
        try:
            application(list(arguments), prog_name="fourcast")
        except FourcastError as error:
            _fail(str(error))
        except OSError as error:
            name = f"{error.filename}: " if error.filename else ""
            _fail(f"{name}{error.strerror or error}")
    sys.exit(0)


def _fail(message: str) -> NoReturn:
    print(f"fourcast: {message}", file=sys.stderr)
    sys.exit(2)


def _show_warning(
    otherwise: Callable[..., None],
    message: Warning | str,
    category: type[Warning],
    filename: str,
    lineno: int,
    file: TextIO | None = None,
    line: str | None = None,
) -> None:
    """Show fourcast's own warnings in one line, like its errors; show others as Python does."""
    if issubclass(category, BookWarning):
        print(f"fourcast: warning: {message}", file=sys.stderr)
    else:
        otherwise(message, category, filename, lineno, file, line)


class _Command(TyperCommand):
    """A command whose usage line and errors are as plain as its help."""

    def collect_usage_pieces(self, ctx: typer.Context) -> list[str]:  # type: ignore[override]
        """Return the words of the usage line; typer sets required arguments in braces."""
        return [piece.strip("{}") for piece in super().collect_usage_pieces(ctx)]

    def parse_args(self, ctx: typer.Context, args: list[str]) -> list[str]:  # type: ignore[override]
        """Read the arguments; the error for a wrong one says what would be right."""
        try:
            return super().parse_args(ctx, args)
        except _UsageError as error:
            self._clarify(error)
            raise

    def _clarify(self, error: Any) -> None:
        name = getattr(error, "option_name", None)
        if hasattr(error, "possibilities") and name:
            from fourcast.notation import nearest

            options = [option for each in self.params for option in each.opts]
            known = {option.lstrip("-"): option for option in options if option.startswith("-")}
            meant = known.get(nearest(name.lstrip("-"), list(known)) or "")
            error.possibilities = None
            error.message = f"No such option: {name}" + (f"; did you mean {meant}?" if meant else "")
        elif error.message.startswith("Got unexpected extra argument") and any(
            each.metavar == "MOVES|FILE" for each in self.params
        ):
            error.message += '; put quotes around moves with spaces, such as "4 4 5 5"'
        else:
            number = re.sub(r"not a valid int(eger)?( range)?", "not a whole number", error.message)
            number = re.sub(r"not a valid float( range)?", "not a number", number)
            error.message = re.sub(_OUT_OF_RANGE, _say_range, number)


_OUT_OF_RANGE = r"(\S+) is not in the range (?:(\S+)<=x<=(\S+)|x>=(\S+))\.$"


def _say_range(found: re.Match[str]) -> str:
    given, low, high, least = found.groups()
    return (
        f"it must be {least} or more, not {given}."
        if least
        else f"it must be from {low} to {high}, not {given}."
    )


class _Commands(TyperGroup):
    """The commands, each loaded when it is called or completed; of the others only the name and help."""

    def list_commands(self, ctx: typer.Context) -> list[str]:  # type: ignore[override]
        """Return the names in the order of the help."""
        del ctx
        return list(COMMANDS)

    def get_command(self, ctx: typer.Context, cmd_name: str) -> TyperCommand | None:  # type: ignore[override]
        """Return a stand-in that is good for lists of commands."""
        del ctx
        line = COMMANDS.get(cmd_name)
        return TyperCommand(cmd_name, help=line, short_help=line) if line else None

    def resolve_command(self, ctx: typer.Context, args: list[str]) -> Any:  # type: ignore[override]
        """Return the name, the command itself and its arguments."""
        if args and not args[0].startswith("-") and args[0] not in COMMANDS:
            from fourcast.notation import nearest, quote

            meant = nearest(args[0], COMMANDS)
            ctx.fail(
                f"No such command {quote(args[0])}" + (f"; did you mean {meant!r}?" if meant else ".")
            )
        name, stand_in, rest = super().resolve_command(ctx, args)
        return name, _build(name) if name and stand_in else stand_in, rest


def _build(name: str) -> Any:
    """Return a command; one whose file has SUBCOMMANDS is a group of those."""
    function = load_command(name)
    application = typer.Typer(add_completion=False, **_PLAIN)
    subcommands = getattr(sys.modules[function.__module__], "SUBCOMMANDS", ())
    if subcommands:
        application.callback()(function)
        for subcommand in subcommands:
            line = (subcommand.__doc__ or "").partition("\n")[0]  # whole: Click would cut it off
            called = subcommand.__name__.replace("_", "-")
            application.command(called, cls=_Command, short_help=line)(_guarded(subcommand))
    else:
        application.command(cls=_Command, no_args_is_help=False)(_guarded(function))
    command = typer.main.get_command(application)
    command.name = name
    return command


def load_command(name: str) -> Callable[..., None]:
    """Return the function of a command."""
    function = name.replace("-", "_")
    command: Callable[..., None] = getattr(import_module(f"fourcast.cli.{function}"), function)
    return command


def _guarded(command: Callable[..., None]) -> Callable[..., None]:
    """Return *command* such that Ctrl-C, or a reader that closes the pipe, ends it silently.

    A parameter that is a tuple of options becomes those options; see `options`.
    """
    parameters = list(signature(command, eval_str=True).parameters.values())

    def run_guarded(**options: Any) -> None:
        given = {each.name: _gather(each.name, each.annotation, options) for each in parameters}
        try:
            with process.ctrl_c_raises():
                try:
                    command(**given)
                finally:
                    process.flush_output()
        except KeyboardInterrupt:
            raise typer.Exit(process.INTERRUPTED) from None
        except OSError as error:
            if not process.is_without_reader(error):
                raise
            process.discard_output()
            raise typer.Exit(process.NO_READER) from None

    run_guarded.__name__, run_guarded.__doc__ = command.__name__, command.__doc__
    run_guarded.__annotations__ = {}
    flat = [each for parameter in parameters for each in _expand(parameter)]
    run_guarded.__signature__ = Signature(flat)  # type: ignore[attr-defined]
    return run_guarded


def _expand(parameter: Parameter) -> Iterator[Parameter]:
    """Yield the options that a parameter of a command stands for."""
    group: Any = parameter.annotation
    if not hasattr(group, "_fields"):
        yield parameter.replace(kind=Parameter.KEYWORD_ONLY)
        return
    for name, annotation in get_type_hints(group, include_extras=True).items():
        default = group._field_defaults.get(name, Parameter.empty)
        yield from _expand(Parameter(name, parameter.kind, default=default, annotation=annotation))


def _gather(name: str, group: Any, options: dict[str, Any]) -> Any:
    """Return the value of a parameter of a command, from the options it stands for."""
    if not hasattr(group, "_fields"):
        return options[name]
    hints = get_type_hints(group, include_extras=True)
    return group(*(_gather(field, hint, options) for field, hint in hints.items()))


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
    """Connect Four: play it, solve it, explain it.

    Columns count from 1. Set NO_COLOR=1 to turn colors off.
    """
