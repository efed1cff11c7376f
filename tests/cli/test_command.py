from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import fourcast.cli as fourcast_cli
from fourcast import __version__
from fourcast.cli._support.application import COMMANDS, load_command
from tests.command import run_text as fourcast

FOLDER = Path(fourcast_cli.__file__).parent


def test_the_version_is_shown() -> None:
    run = fourcast("--version")
    assert (run.returncode, run.stdout) == (0, f"fourcast {__version__}\n")


@pytest.mark.parametrize("option", ["-h", "--help"])
def test_help_names_every_command(option: str) -> None:
    run = fourcast(option)
    assert run.returncode == 0
    for name, line in COMMANDS.items():
        assert name in run.stdout
        assert line in " ".join(run.stdout.split())


@pytest.mark.parametrize("name", COMMANDS)
def test_the_help_of_a_command_begins_with_its_line(name: str) -> None:
    assert str(load_command(name).__doc__).splitlines()[0] == COMMANDS[name]
    run = fourcast(name, "--help")
    assert run.returncode == 0
    assert COMMANDS[name] in run.stdout
    assert "...\n" not in run.stdout.partition("Commands:")[2], "the line of a subcommand is cut off"


@pytest.mark.parametrize("name", ["", *COMMANDS, "book build", "book verify", "community init"])
def test_help_names_no_type_for_options_without_a_value(name: str) -> None:
    run = fourcast(*name.split(), "--help")
    assert run.returncode == 0
    assert "bool" not in run.stdout


def test_help_loads_no_command() -> None:
    code = (
        "import sys, fourcast.cli as cli, fourcast.cli._support.application as application\n"
        "try: cli.main(['--help'])\n"
        "except SystemExit: pass\n"
        "loaded = [name for name in application.COMMANDS if f'fourcast.cli.{name}' in sys.modules]\n"
        "sys.exit(len(loaded))"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, timeout=60).returncode == 0


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["nonsense"], "No such command 'nonsense'"),
        (["analyse", "44"], "No such command 'analyse'; did you mean 'analyze'?"),
        (["play", "--nonsense"], "No such option"),
        (["play", "--width", "x"], "Invalid value for '--width'"),
        (["play", "--width", "3"], "fourcast: a board of width 3 and height 6 is not supported"),
        (["play", "--first", "radnom"], "did you mean 'random'? There are: random, winning"),
        (["play", "--moves", "48"], "fourcast: '8' at place 2 of '48' is not a column"),
        (["play", "--moves", "1111111"], "fourcast: move 7 of '1111111': column 1 is full"),
        (["play", "--load", "no such file"], "fourcast: no such file: No such file or directory"),
        (["play", "--load", "/"], "fourcast: /: Is a directory"),
        (["play", "--load", "x", "--moves", "4"], "give MOVES, --moves or --load, only one of them"),
        (["play", "4", "--moves", "4"], "give MOVES, --moves or --load, only one of them"),
        (["play", "--move-time", "0"], "--move-time must be more than 0 seconds, not 0"),
    ],
)
def test_what_is_wrong_is_told_on_standard_error_without_a_traceback(
    arguments: list[str], complaint: str
) -> None:
    run = fourcast(*arguments)
    assert run.returncode == 2
    assert complaint in " ".join(run.stderr.split())
    assert "Traceback" not in run.stderr
    assert run.stdout == ""


def test_a_reader_that_has_seen_enough_is_no_error() -> None:
    command = f"'{sys.executable}' -m fourcast play --first random --second random --seed 1 | head -n 1"
    run = subprocess.run(command, shell=True, capture_output=True, text=True, timeout=60)
    assert run.stderr == ""


def test_a_file_of_the_folder_is_a_command() -> None:
    files = {path.stem.replace("_", "-") for path in FOLDER.glob("*.py")} - {"--init--"}
    assert files == set(COMMANDS)


def test_a_command_imports_no_other_command() -> None:
    modules = {f"fourcast.cli.{name.replace('-', '_')}" for name in COMMANDS}
    for path in FOLDER.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.ImportFrom):
                assert node.module not in modules, f"{path} imports the command {node.module}"
                names = {f"{node.module}.{alias.name}" for alias in node.names}
                assert not names & modules, f"{path} imports the commands {names & modules}"


@pytest.mark.parametrize(
    ("arguments", "advice"),
    [
        (["solve", "44", "--tim", "3"], "No such option: --tim; did you mean --time-limit?"),
        (["solve", "44", "--thread", "2"], "did you mean --threads?"),
        (["solve", "4", "4", "5"], "put quotes around moves with spaces"),
        (["solve", "abc"], "'abc' is neither moves (columns 1 to 7) nor a file"),
        (["solve", "44", "--time-limit", "x"], "'x' is not a number"),
        (["solve", "44", "--threads", "x"], "'x' is not a whole number"),
        (["solve", "44", "--threads", "0"], "it must be from 1 to 256, not 0"),
        (["match", "random", "random", "--games", "0"], "it must be 1 or more, not 0"),
        (["analyze", "44", "--depth", "3"], "--depth is for --by"),
        (["explore", "44", "--map", "map.png"], "--map takes a name that ends in .svg, not map.png"),
        (["repertoire", "--anki", "deck.txt"], "--anki takes a name that ends in .apkg, not deck.txt"),
        (["match", "1", "2", "--openings", "odd"], "balanced, random or the name of a file"),
        (["certificate", "info", "9x9"], "fourcast has 7x6, "),
    ],
)
def test_a_refusal_says_what_to_do(arguments: list[str], advice: str) -> None:
    done = fourcast(*arguments)
    assert done.returncode == 2
    assert advice in " ".join(done.stderr.split())


def test_usage_lines_name_what_to_give() -> None:
    assert fourcast("match", "--help").stdout.startswith(
        "Usage: fourcast match [OPTIONS] FIRST SECOND\n"
    )
