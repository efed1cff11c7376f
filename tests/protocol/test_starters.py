"""The starters of the guide, built and run as it says."""

from __future__ import annotations

import re
import shlex
import subprocess
from pathlib import Path
from typing import NamedTuple

import pytest

from fourcast.arena import Settings, Tournament
from fourcast.arena.contestant import Contestant
from tests.command import run_text

PAGE = Path(__file__).resolve().parents[2] / "docs" / "starters.md"


class Starter(NamedTuple):
    language: str
    file: str
    code: str
    build: list[list[str]]
    command: str


def starters() -> list[Starter]:
    found = []
    section = re.compile(
        r"^## (.+?): `(.+?)`\n.*?```\w+\n(.*?)```\n```console\n(.*?)```", re.MULTILINE | re.DOTALL
    )
    for language, file, code, commands in section.findall(PAGE.read_text("utf-8")):
        *build, check = [shlex.split(line[2:]) for line in commands.splitlines()]
        assert check[:2] == ["fourcast", "check-player"]
        found.append(Starter(language, file, code, build, check[2]))
    return found


STARTERS = starters()
QUICK = ("Python", "C")


def install(starter: Starter, folder: Path) -> None:
    """Save and build a starter; `make test-slow` installs the languages."""
    (folder / starter.file).write_text(starter.code)
    for command in starter.build:
        run = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=300)
        assert (run.returncode, run.stdout, run.stderr) == (0, "", ""), run.stderr  # no warning either


def test_there_are_eight_languages() -> None:
    assert len({starter.language for starter in STARTERS}) == 8


@pytest.mark.parametrize(
    "starter",
    [
        pytest.param(each, id=each.language, marks=[] if each.language in QUICK else pytest.mark.slow)
        for each in STARTERS
    ],
)
def test_a_starter_plays_by_the_protocol(starter: Starter, tmp_path: Path) -> None:
    install(starter, tmp_path)
    run = run_text("check-player", starter.command, cwd=tmp_path)
    assert run.returncode == 0, run.stdout
    marks = {line[:4] for line in run.stdout.splitlines() if line[:4].strip() and line[4:6] == "  "}
    assert marks <= {"ok  ", "note"}
    assert "note  ends at" not in run.stdout
    assert "note  plays on boards" not in run.stdout
    assert "note  understands" not in run.stdout


@pytest.mark.slow
def test_the_starters_play_a_cup_and_are_all_the_same_player(tmp_path: Path) -> None:
    entrants = []
    for starter in STARTERS:
        folder = tmp_path / starter.language
        folder.mkdir()
        install(starter, folder)
        entrants.append(Contestant(starter.language, command=starter.command, directory=str(folder)))
    results = Tournament(entrants, Settings(games=2, opening_plies=0)).run()
    assert {record.forfeit for record in results.records} == {""}
    assert len({record.moves for record in results.records}) == 1
