from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from fourcast.protocol.languages import language_of
from tests.command import run_text

HOSTILE = Path(__file__).resolve().parent.parent / "hostile"
READ = "import json, sys\nfor line in sys.stdin:\n    if line.strip() == ':exit': break\n"
OPEN = "    columns = [i for i, c in enumerate(json.loads(line)['grid']) if c[0] == 0]\n"


def check(command: str, *options: str) -> subprocess.CompletedProcess[str]:
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONUNBUFFERED"}
    return run_text("check-player", command, *options, env=environment)


def check_code(folder: Path, code: str, *options: str) -> subprocess.CompletedProcess[str]:
    (folder / "bot.py").write_text(code)
    return check(f"'{sys.executable}' '{folder / 'bot.py'}'", *options)


@pytest.mark.slow
def test_a_built_in_player_passes_every_test() -> None:
    run = check(f"'{sys.executable}' -m fourcast player streaks")
    assert run.returncode == 0, run.stdout
    assert {line[:4] for line in run.stdout.splitlines()[:-1]} == {"ok  "}
    assert run.stdout.endswith("It plays by the protocol.\n")


@pytest.mark.parametrize(
    ("name", "complaint"),
    [
        ("chatterbox", 'garbage: more than one line in answer to one: \'{"move": 3}'),
        ("crash_at_once", "crash: it ended with status 3"),
    ],
)
def test_what_is_wrong_with_a_program_is_told(name: str, complaint: str) -> None:
    run = check(f"'{sys.executable}' '{HOSTILE / name}.py'")
    assert run.returncode == 1
    assert complaint in run.stdout
    assert run.stdout.count("FAIL") == 1
    assert run.stdout.endswith("It does not play by the protocol.\n")


def test_a_command_that_cannot_be_run_is_one_finding() -> None:
    run = check("no-such-program")
    assert run.returncode == 1
    assert "no start: 'no-such-program' cannot be run" in run.stdout
    assert run.stdout.count("FAIL") == 1


@pytest.mark.slow
def test_a_program_that_does_not_flush_is_told_so_within_15_seconds(tmp_path: Path) -> None:
    started = time.monotonic()
    run = check_code(tmp_path, READ + "    print('{\"move\": 3}')")
    assert time.monotonic() - started < 15
    assert run.returncode == 1
    assert run.stdout.startswith("FAIL  answers a line with a move\n      it does not flush its output")
    assert "Flush after each line: print(..., flush=True) in Python." in run.stdout
    assert run.stdout.count("FAIL") == 1


@pytest.mark.slow
def test_a_slow_program_is_told_how_long_it_took_and_nothing_of_buffers(tmp_path: Path) -> None:
    code = READ + "    __import__('time').sleep(3.6)\n    print('{\"move\": 3}', flush=True)"
    run = check_code(tmp_path, code, "--move-time", "0.5")
    assert "too late: its answer took" in run.stdout
    assert "s; it has 0.5 s for a move, and 3 s more to start" in run.stdout
    assert "flush" not in run.stdout.lower()


def test_a_crash_at_the_last_line_is_told_where_it_happens(tmp_path: Path) -> None:
    """And not below the moves that the program plays badly."""
    run = check_code(
        tmp_path,
        "import json, sys\nfor line in sys.stdin:\n"
        + OPEN
        + "    print(json.dumps({'move': columns[0]}), flush=True)",
    )
    assert run.returncode == 0
    assert (
        "note  ends at :exit and at the end of its input\n      it ended with status 1 at the line :exit"
        in run.stdout
    )
    assert "Compare each line with :exit before you parse it." in run.stdout
    assert run.stdout.count("It wrote to standard error") == 1
    assert "note  takes a win at once" in run.stdout


def test_a_traceback_is_shown_whole(tmp_path: Path) -> None:
    code = READ + "    raise ValueError('the longest sentence ' * 20)"
    run = check_code(tmp_path, code)
    assert "Traceback (most recent call last):" in run.stdout
    assert f'File "{tmp_path / "bot.py"}", line 4' in run.stdout
    assert f"ValueError: {'the longest sentence ' * 20}".rstrip() in run.stdout


SANDBOX, GREETING, TOP = "--sandbox off", "no greeting, no prompt", "index 0 of a column"


@pytest.mark.parametrize(
    ("code", "cure"),
    {
        '    print(\'{"move": "0"}\', flush=True)': "A move is a number without quotes or a point.",
        "    print('{\"move\": 3.0}', flush=True)": "A move is a number without quotes or a point.",
        "    print('{move: 3}', flush=True)": '(json.dumps({"move": column}), flush=True) in Python.',
        "    print('{\"column\": 3}', flush=True)": 'A move is written like {"move": 3}: print(',
        "    json.loads(line)['grid']\n    print(3, flush=True)": 'A move is written like {"move": 3}',
        "    [0] * 10**12": "It needs more memory than it may use",
        "    [][1]": "The last line of the traceback says what went wrong, the lines above it where.",
        "    break": "It must not end before it is told to",
        "    open('/home/somebody/.netrc')": "In the sandbox a program sees its own folder",
        "    print('hello')\n    print('x', flush=True)": GREETING,
    }.items(),
)
def test_the_advice_fits_what_a_program_did(code: str, cure: str, tmp_path: Path) -> None:
    """Advice on another mistake is worse than none."""
    run = check_code(tmp_path, READ + code)
    assert cure in run.stdout
    if "sandbox" not in cure:
        assert SANDBOX not in run.stdout
    if cure != GREETING:
        assert GREETING not in run.stdout
    assert TOP not in run.stdout


@pytest.mark.parametrize(
    ("late", "cure"),
    [
        ("[][1]", "The last line of the traceback"),
        ("__import__('time').sleep(9)", "The limit holds for"),
    ],
)
def test_what_goes_wrong_late_in_a_game_is_not_taken_for_a_full_column(
    late: str, cure: str, tmp_path: Path
) -> None:
    code = f"    if line.count('1') + line.count('2') > 30: {late}\n"
    code += "    print(json.dumps({'move': columns[0]}), flush=True)"
    run = check_code(tmp_path, READ + OPEN + code, "--move-time", "0.5")
    assert "FAIL  plays no full column" in run.stdout
    assert cure in run.stdout
    assert TOP not in run.stdout


def test_a_command_that_is_written_wrong_gets_the_right_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bot.py").write_text("")
    for name, text in {"windows": "#!/usr/bin/env python3\r\n", "mine": "", "plain": ""}.items():
        (tmp_path / name).write_text(text)
        (tmp_path / name).chmod(0o644 if name == "mine" else 0o755)
    for command, cure in {
        "bot.py": 'It is a Python file: write "python bot.py".',
        "./windows": "save the file with line ends of Unix",
        "./mine": "chmod +x ./mine",
        "plain": 'A program of this folder is started with its path: "./plain".',
        "none.py": f"There is no file 'none.py' in {tmp_path}.",
        f"'{sys.executable}' none.py": f"There is no file 'none.py' in {tmp_path}.",
        "pyhton bot.py": "Did you mean 'python'?",
    }.items():
        run = check(command)
        assert cure in run.stdout, command
        assert SANDBOX not in run.stdout


def test_the_language_of_a_program_is_known(tmp_path: Path) -> None:
    for name in ("c/bot.c", "cpp/bot.cpp", "rust/src/main.rs", "go/bot.go", "none/bot.txt"):
        (tmp_path / name).parent.mkdir(parents=True)
        (tmp_path / name).touch()
    (tmp_path / "rust/target/release").mkdir(parents=True)
    for command, language in {
        "/usr/bin/python3.12 bot.py": "Python",
        "java -cp classes Bot": "Java",
        "node bot.mjs": "JavaScript",
        "./bot.rb": "Ruby",
        "c/bot": "C",
        "./cpp/bot": "C++",
        "rust/target/release/bot": "Rust",
        "go/bot": "Go",
        "none/bot": "",
        "elsewhere/bot": "",
    }.items():
        assert language_of(command.split(), str(tmp_path)).name == language, command


@pytest.mark.parametrize(
    ("body", "cure"),
    [
        ("int *p = 0; *p = line[0];", "out of bounds, or a null pointer. Compile it with -g -fsanitize"),
        ('printf("{move: 3}\\n"); fflush(stdout);', 'printf("{\\"move\\": %d}\\n", column) in C.'),
    ],
)
def test_a_program_in_c_is_told_in_c(body: str, cure: str, tmp_path: Path) -> None:
    loop = "while (fgets(line, sizeof line, stdin))"
    source = f"#include <stdio.h>\nint main(void) {{ static char line[65536]; {loop} {{ {body} }} }}\n"
    (tmp_path / "bot.c").write_text(source)
    subprocess.run(["gcc", "-w", "-O0", "-o", "bot", "bot.c"], cwd=tmp_path, check=True, timeout=60)
    run = check(str(tmp_path / "bot"))
    assert cure in run.stdout, run.stdout


def test_a_greeting_is_told(tmp_path: Path) -> None:
    run = check_code(tmp_path, "print('Welcome!', flush=True)\n" + READ + "    print('{\"move\": 3}')")
    assert "garbage" in run.stdout
    assert "no greeting, no prompt" in run.stdout


@pytest.mark.slow
def test_columns_counted_from_1_are_told_with_the_board(tmp_path: Path) -> None:
    code = READ + OPEN + "    print(json.dumps({'move': columns[0] + 1}), flush=True)"
    run = check_code(tmp_path, code)
    assert 'illegal move: {"move": 7} is off the board: moves are 0 to 6' in run.stdout
    assert "O O O X O O .\n" in run.stdout
    assert "1 2 3 4 5 6 7\n" in run.stdout
    assert "It seems to count columns from 1" in run.stdout


def test_a_full_column_is_told_as_people_count(tmp_path: Path) -> None:
    code = READ + "    print('{\"move\": 0}', flush=True)"
    run = check_code(tmp_path, code)
    assert '{"move": 0} cannot be played: column 1 is full, counted from 1' in run.stdout


def test_a_program_that_hangs_in_the_game_is_not_waited_for_in_every_test(
    tmp_path: Path,
) -> None:
    code = "import sys, time\nsys.stdin.readline()\nprint('{\"move\": 3}', flush=True)\ntime.sleep(60)"
    started = time.monotonic()
    run = check_code(tmp_path, code, "--move-time", "0.5")
    assert time.monotonic() - started < 20
    assert "too late in 2 tests: the others were left out" in run.stdout


def test_json_has_all_findings_and_messages(tmp_path: Path) -> None:
    run = check_code(tmp_path, "raise SystemExit('no thanks')", "--json")
    assert run.returncode == 1
    answer = json.loads(run.stdout)
    assert answer["passed"] is False
    [test] = answer["tests"]
    assert test["title"] == "answers a line with a move"
    assert test["messages"] == "no thanks\n"
