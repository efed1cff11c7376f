"""The examples of the README's command line are true."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text("utf-8")
FIRST, BLOCK = re.findall(r"^```console\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)
EXAMPLES = re.findall(r"^\$ (.+)\n((?:(?!\$ ).*\n)*)", BLOCK, re.MULTILINE)
COMMANDS = [command for command, _ in EXAMPLES]
SHOWN = [(command, output) for command, output in EXAMPLES if output]

PATH = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"


def run(command: str) -> str:
    env = {**os.environ, "PATH": PATH, "PYTHONUTF8": "1"}
    done = subprocess.run(
        ["/bin/sh", "-c", command], env=env, input="", capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 0
    assert [line for line in done.stderr.splitlines() if "without a sandbox" not in line] == []
    return done.stdout


def test_there_are_examples() -> None:
    assert len(COMMANDS) >= 6
    assert len(SHOWN) >= 2


@pytest.mark.parametrize(("command", "output"), SHOWN, ids=[command for command, _ in SHOWN])
def test_a_command_prints_what_is_shown(command: str, output: str) -> None:
    printed = re.sub(r"^[\d,]+ nodes in .* s\n", "", run(command), flags=re.MULTILINE)
    assert printed == output


@pytest.mark.parametrize("command", [command for command, output in EXAMPLES if not output])
def test_a_command_can_be_given(command: str) -> None:
    assert run(command.replace("python mybot.py", f"'{sys.executable}' -m fourcast player random"))


@pytest.mark.skipif(not (ROOT / ".venv/bin/activate").exists(), reason="not a checkout that make set up")
def test_the_first_commands_work_in_a_shell_that_knows_nothing_of_fourcast(tmp_path: Path) -> None:
    commands = re.findall(r"^\$ (.+)", FIRST, re.MULTILINE)
    assert len(commands) == 6
    assert any(command.startswith("make serve ") for command in commands)  # which would not end
    script = "set -e\n" + "\n".join(each for each in commands if not each.startswith("make "))
    done = subprocess.run(
        ["/bin/sh", "-c", script],
        cwd=ROOT,
        env={"HOME": str(tmp_path), "PATH": "/usr/bin:/bin", "PYTHONUTF8": "1"},
        input="",
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "wins in 2 moves" in done.stdout
