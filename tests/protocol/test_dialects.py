"""Programs that speak other dialects than JSON lines, as they were written for other referees."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from fourcast import Game, Match, Position
from fourcast.errors import ForfeitError, InvalidNotationError, OptionError
from fourcast.protocol.dialects import DIALECTS, Turn, make_dialect
from fourcast.protocol.program import ProgramPlayer
from tests.command import run_text as fourcast

# A bot of a contest site: it keeps the field, and plays the lowest column that is open.
CONTEST = """
import sys
for line in sys.stdin:
    words = line.split()
    if words[:3] == ["update", "game", "field"]:
        top = words[3].split(";")[0].split(",")
    if words[:2] == ["action", "move"]:
        print("place_disc", top.index("0"), flush=True)
"""
# A bot that exchanges columns with a person or another bot, and keeps the board itself.
COLUMNS = """
import sys
heights = [0] * 7
for line in sys.stdin:
    if int(line):
        heights[int(line) - 1] += 1
    column = min(range(7), key=lambda each: heights[each])
    heights[column] += 1
    print(column + 1, flush=True)
"""
# An engine that talks while it thinks.
ENGINE = """
import sys
print("hello, I am an engine", flush=True)
moves = ""
for line in sys.stdin:
    words = line.split()
    if words[:2] == ["position", "moves"]:
        moves = words[2] if len(words) > 2 else ""
    if words[:1] == ["go"]:
        column = min("1234567", key=moves.count)
        print("info depth 1 score 0", flush=True)
        print("bestmove", column, flush=True)
    if words == ["quit"]:
        break
"""
BOTS = {"contest": CONTEST, "columns": COLUMNS, "engine": ENGINE}


@pytest.fixture(params=BOTS)
def bot(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    path = tmp_path / "bot.py"
    path.write_text(BOTS[request.param])
    return f"{request.param}:'{sys.executable}' '{path}'"


def test_a_bot_of_another_referee_plays_games_unchanged(bot: str) -> None:
    results = Match(bot, "level-2", games=4, opening_plies=0 if bot.startswith("columns") else 4).run()
    assert [game.detail for game in results.records] == [""] * 4
    assert len({game.first for game in results.records}) == 2


def test_its_dialect_is_checked_and_found(bot: str) -> None:
    good = fourcast("check-player", bot)
    assert good.returncode == 0, good.stdout
    assert "ok    plays a game on either side to its end" in good.stdout
    assert "the slowest move took" in good.stdout
    dialect, _, command = bot.partition(":")
    found = fourcast("check-player", command, "--move-time", "1")
    assert found.returncode == 1
    assert f"it speaks the dialect '{dialect}', not 'json'" in found.stdout


def test_json_requests_say_what_else_is_known() -> None:
    dialect = make_dialect("json")
    game = Game("4455")
    turn = Turn(game.position, game.columns, time_left_s=12.5, game="1.2", opponent="ada")
    request = json.loads(dialect.request(turn, is_first=True))
    assert request["moves"] == "4455"
    assert (request["version"], request["time_left_s"]) == (2, 12.5)
    assert (request["game"], request["opponent"]) == ("1.2", "ada")
    assert "time_left_s" not in json.loads(dialect.request(Turn(Position()), is_first=True))


def test_only_a_program_of_version_2_is_told_the_result(tmp_path: Path) -> None:
    code = """
import json, sys
for line in sys.stdin:
    print(line.strip(), file=sys.stderr, flush=True)
    if line.strip() == ":exit":
        break
    request = json.loads(line)
    if "grid" in request:
        column = next(i for i, column in enumerate(request["grid"]) if column[0] == 0)
        print(json.dumps({"move": column, **VERSION}), flush=True)
"""
    for version, told in (("{}", False), ('{"version": 2}', True)):
        path = tmp_path / "bot.py"
        path.write_text(f"VERSION = {version}\n{code}")
        with ProgramPlayer([sys.executable, str(path)]) as program:
            program.choose(Position())
            program.end_game("won")
        assert ('{"result": "won"}' in program.standard_error) == told
        assert ":exit" in program.standard_error


@pytest.mark.parametrize(
    ("dialect", "line", "column"),
    [
        ("contest", "place_disc 3", 3),
        ("contest", "place_disc x", None),
        ("contest", "3", None),
        ("columns", "4", 3),
        ("columns", " 7 ", 6),
        ("columns", "0", None),
        ("columns", "four", None),
        ("engine", "bestmove 1", 0),
        ("engine", "bestmove", None),
        ("engine", "bestmove 4 ponder 5", 3),
    ],
)
def test_answers_are_read_or_refused(dialect: str, line: str, column: int | None) -> None:
    speaker = make_dialect(dialect)
    if column is None:
        with pytest.raises(InvalidNotationError, match="is not an answer such as"):
            speaker.answer(line, Position())
    else:
        assert speaker.answer(line, Position()) == column


def test_columns_are_exchanged_without_openings(tmp_path: Path) -> None:
    path = tmp_path / "bot.py"
    path.write_text(COLUMNS)
    command = f"columns:'{sys.executable}' '{path}'"
    with pytest.raises(OptionError, match="play with --opening-plies 0"):
        Match(command, "random")
    with pytest.raises(OptionError, match="no dialect is called 'contst'; did you mean 'contest'"):
        make_dialect("contst")
    assert set(DIALECTS) == {"json", *BOTS}


def test_a_full_column_is_a_forfeit_in_every_dialect(tmp_path: Path) -> None:
    path = tmp_path / "bot.py"
    path.write_text(
        "import sys\nfor line in sys.stdin:\n  if 'action' in line: print('place_disc 0', flush=True)"
    )
    with (
        ProgramPlayer([sys.executable, str(path)], dialect="contest") as program,
        pytest.raises(ForfeitError, match="cannot be played: column 1 is full"),
    ):
        program.choose(Position("111111"))


@pytest.mark.parametrize(
    ("code", "advice"),
    [
        ('import sys\nfor line in sys.stdin: print(\'{"move": "0"}\', flush=True)', "without quotes"),
        ("import sys\nfor line in sys.stdin: print('{\"move\": 3.0}', flush=True)", "without quotes"),
        ("import sys\nfor line in sys.stdin: raise MemoryError", ""),
    ],
)
def test_advice_fits_what_went_wrong(tmp_path: Path, code: str, advice: str) -> None:
    path = tmp_path / "bot.py"
    path.write_text(code)
    run = fourcast("check-player", f"'{sys.executable}' '{path}'", "--move-time", "1")
    assert run.returncode == 1
    assert advice in run.stdout
    assert "index 0 of a column" not in run.stdout
    assert "Nothing but moves" not in run.stdout


def test_programs_that_cannot_be_run_are_told_why(tmp_path: Path) -> None:
    script = tmp_path / "bot.py"
    script.write_text("print(1)\n")
    plain = fourcast("check-player", str(script))
    assert f'write "python {script}"' in plain.stdout
    script.write_bytes(b"#!/usr/bin/env python3\r\nprint(1)\r\n")
    script.chmod(0o755)
    windows = fourcast("check-player", str(script))
    assert "ends as on Windows" in windows.stdout


def write_cup(folder: Path, limits: str, **bots: str) -> str:
    """Write a cup with a folder for each bot, without a bot where it is the empty text."""
    for name, bot in bots.items():
        (folder / name).mkdir()
        if bot:
            (folder / name / "bot.toml").write_text(bot)
    cup = folder / "cup.toml"
    cup.write_text(f'bots = "*/"\n{limits}')
    return str(cup)


def test_a_whole_class_is_checked_under_the_limits_of_the_cup(tmp_path: Path) -> None:
    bot = f'command = "{sys.executable} bot.py"\ndialect = "contest"\n'
    cup = write_cup(tmp_path, "move_time_s = 1.5\nmemory_mb = 300\n", ada=bot, grace=bot)
    for name, code in (("ada", CONTEST), ("grace", "print('hello')")):
        (tmp_path / name / "bot.py").write_text(code)
    run = fourcast("check-player", "--file", cup)
    assert run.returncode == 1
    assert "limits: 1.5 s a move, 300 MB" in run.stdout
    assert "1 of 2 play by the protocol." in run.stdout


def test_a_folder_without_a_bot_is_that_students_defect_alone(tmp_path: Path) -> None:
    bots = {"ada": 'command = "no-such-program"\n', "empty": "", "grace": 'command = "python\n'}
    cup = write_cup(tmp_path, "", **bots)
    run = fourcast("check-player", "--file", cup)
    assert run.returncode == 1
    assert f"{tmp_path / 'empty'} has neither bot.toml nor bot.py" in run.stdout
    assert f"{tmp_path / 'grace' / 'bot.toml'}: the file is not TOML" in run.stdout
    assert "no start: 'no-such-program' cannot be run" in run.stdout
    assert run.stdout.endswith("0 of 3 play by the protocol.\n")
    answers = json.loads(fourcast("check-player", "--file", cup, "--json").stdout)
    assert [answer["name"] for answer in answers] == ["ada", "empty", "grace"]
    assert not any(answer["passed"] for answer in answers)


def test_a_cup_is_played_without_the_folders_that_have_no_bot(tmp_path: Path) -> None:
    bots = {"ada": 'player = "winning"\n', "empty": "", "grace": 'player = "random"\n'}
    run = fourcast("tournament", "--file", write_cup(tmp_path, "games = 2\n", **bots))
    assert run.returncode == 1
    complaint = f"{tmp_path / 'empty'} has neither bot.toml nor bot.py"
    assert f"empty does not take part: {complaint}" in run.stderr
    assert "grace" in run.stdout
