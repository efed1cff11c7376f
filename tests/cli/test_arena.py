from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from fourcast import player_names
from fourcast.players import rating
from tests.command import run_text as fourcast

HOSTILE = Path(__file__).resolve().parent.parent / "hostile"


def test_players_are_listed_with_a_sentence_on_each() -> None:
    run = fourcast("players")
    assert run.returncode == 0
    for name in player_names():
        assert f"\n{name} " in run.stdout
    rows = json.loads(fourcast("players", "--json").stdout)
    assert [row["name"] for row in rows] == list(player_names())
    assert all(row["description"].endswith(".") for row in rows)
    assert all({"seed", "time_s"} <= set(row["options"]) for row in rows)
    assert [row["rating"] for row in rows] == [rating(name) for name in player_names()]


def test_a_match_of_a_program_and_a_player_shows_a_table() -> None:
    program = f"'{sys.executable}' -m fourcast player winning --seed 1"
    run = fourcast("match", program, "streaks", "--games", "4")
    assert run.returncode == 0
    lines = run.stdout.splitlines()
    assert lines[0].split()[:4] == ["player", "Elo", "+-", "games"]
    assert lines[1].split()[:2] == ["1", "streaks"]


def test_forfeits_are_told() -> None:
    run = fourcast("match", f"'{sys.executable}' '{HOSTILE / 'garbage.py'}'", "random", "--games", "2")
    assert run.returncode == 1
    assert run.stderr.startswith("fourcast: out, and not rated: ")
    assert "2 garbage" in run.stdout
    assert "garbage.py' lost by garbage: " in run.stdout
    assert "superiority" not in run.stdout  # its games count for nobody


def test_the_sequential_test_answers() -> None:
    run = fourcast("match", "streaks", "random", "--games", "400", "--sprt", "30")
    assert "Is streaks better by 30 Elo, not 0? yes" in run.stdout


def test_a_tournament_from_a_file_with_quality_and_report(tmp_path: Path) -> None:
    file = tmp_path / "cup.toml"
    file.write_text('games = 2\n[[players]]\nplayer = "random"\n[[players]]\nplayer = "depth"\n')
    out = tmp_path / "out"
    options = ("--out", str(out), "--quality", "--quality-from", "25")
    run = fourcast("tournament", "rated", "--file", str(file), *options)
    assert run.returncode == 0, run.stderr
    assert f"The report is {out / 'report.html'}" in run.stdout
    assert "rated" in (out / "report.md").read_text("utf-8")
    again = fourcast("tournament", str(file), "rated", *options)
    assert again.stdout.splitlines()[:4] == run.stdout.splitlines()[:4]


def test_a_match_answers_in_json(tmp_path: Path) -> None:
    program = f"'{sys.executable}' '{HOSTILE / 'crash_at_once.py'}'"
    out = ("--out", str(tmp_path / "out"))
    run = fourcast("match", "streaks:depth=2", program, "--games", "2", "--quality", "--json", *out)
    answer = json.loads(run.stdout)
    assert [line["name"] for line in answer["players"]] == ["streaks:depth=2", program]
    assert answer["players"][1]["forfeits"] == {"crash": 2}
    assert [game["result"] for game in answer["games"]] == [
        "first wins, forfeit: crash",
        "second wins, forfeit: crash",
    ]
    assert answer["forfeits"][0]["games"] == [1, 2]
    assert answer["settings"]["games"] == 2
    assert answer["command"].startswith("fourcast match streaks:depth=2")
    assert Path(answer["report"]).exists()


def test_a_tournament_answers_in_json() -> None:
    run = fourcast("tournament", "random", "rated", "depth:depth=1", "--games", "2", "--json")
    answer = json.loads(run.stdout)
    assert sum(line["points"] for line in answer["players"]) == len(answer["games"]) == 6


@pytest.mark.slow
def test_the_report_says_when_how_and_under_what_conditions(tmp_path: Path) -> None:
    program = f"'{sys.executable}' '{HOSTILE / 'full_column.py'}'"
    options = ("--games", "2", "--sandbox", "off", "--out", str(tmp_path))
    assert fourcast("match", program, "random", *options).returncode == 0
    page = (tmp_path / "report.html").read_text("utf-8")
    for words in ("UTC", "fourcast 0.", "opening_plies 4", "without a sandbox", "--sandbox off"):
        assert words in page


@pytest.mark.slow
def test_without_a_sandbox_it_is_said_once_and_require_refuses(tmp_path: Path) -> None:
    code = (
        "from fourcast.protocol import sandbox\n"
        "sandbox._available = lambda: sandbox.Isolation('none', 'a test forbids it')\n"
        "import sys; from fourcast.cli import main; main(sys.argv[1:])"
    )
    program = f"'{sys.executable}' '{HOSTILE / 'full_column.py'}'"

    def run(*words: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-c", code, *words]
        return subprocess.run(command, capture_output=True, text=True, timeout=100)

    match = run("match", program, "random", "--games", "2", "--out", str(tmp_path / "out"))
    assert match.stderr.count("without a sandbox (a test forbids it)") == 1
    assert "without a sandbox (a test forbids it)" in (tmp_path / "out" / "report.md").read_text()
    for command in (["match", program, "random"], ["check-player", program]):
        refused = run(*command, "--sandbox", "require")
        assert refused.returncode == 2
        assert "a sandbox is required, but this system has none: a test forbids it" in refused.stderr
    assert run("match", "random", "rated", "--games", "2", "--sandbox", "require").returncode == 0


def test_a_swiss_that_ends_early_says_why() -> None:
    run = fourcast("tournament", "random", "rated", "--kind", "swiss", "--rounds", "3", "--games", "2")
    assert run.returncode == 0
    assert "It ended after 1 of 3 rounds: no further round can be drawn" in run.stdout


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["match", "random", "radnom"], "did you mean 'random'?"),
        (["match", "random", "depth:x=1"], "the player depth has no option 'x'"),
        (["match", "random", "depth:depth=0"], "depth:depth=0: depth must be at least 1, not 0"),
        (["match", "random", "random", "--games", "0"], "Invalid value for '--games'"),
        (["match", "random", "random", "--sprt", "-1"], "more than 0"),
        (["tournament", "random"], "at least two players are needed, not 1"),
        (["tournament", "--file", "no such file"], "no such file: No such file or directory"),
        (["player", "nobody"], "no player is called 'nobody'"),
        (["player", "depth", "--plies", "0"], "Invalid value for '--depth' / '--plies'"),
        (["check-player", ""], "'' is not a command"),
    ],
)
def test_what_is_wrong_is_told_in_a_line(arguments: list[str], complaint: str) -> None:
    run = fourcast(*arguments)
    assert run.returncode == 2
    assert complaint in " ".join(run.stderr.split())
    assert "Traceback" not in run.stderr
