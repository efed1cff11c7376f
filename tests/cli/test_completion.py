"""Shell completion: of commands, options and players, in a real bash and by the protocol of others."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pexpect = pytest.importorskip("pexpect", reason="there is no pseudo-terminal to type at")

FOURCAST = Path(sys.executable).with_name("fourcast")
ENVIRONMENT = {**os.environ, "PATH": f"{FOURCAST.parent}{os.pathsep}{os.environ['PATH']}"}


def complete(shell: str, line: str) -> str:
    """Ask for the completions of *line* as the script of *shell* does."""
    env = {
        **ENVIRONMENT,
        "_FOURCAST_COMPLETE": f"complete_{shell}",
        "_TYPER_COMPLETE_ARGS": line,
        "_TYPER_COMPLETE_FISH_ACTION": "get-args",
        "COMP_WORDS": line,
        "COMP_CWORD": str(len(line.split(" ")) - 1),
    }
    run = subprocess.run([FOURCAST], capture_output=True, text=True, env=env, check=True, timeout=60)
    assert run.stderr == ""
    return run.stdout


@pytest.mark.parametrize(
    "shell", ["bash", *[pytest.param(shell, marks=pytest.mark.slow) for shell in ("zsh", "fish")]]
)
@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("fourcast an", ["analyze"]),
        ("fourcast match --qual", ["--quality", "--quality-from"]),
        ("fourcast book ver", ["verify"]),
        ("fourcast book verify --sam", ["--sample"]),
        ("fourcast play --style a", ["ascii"]),
        ("fourcast play --second level-1", ["level-1", "level-10"]),
    ],
)
def test_commands_options_and_players_are_completed(shell: str, line: str, words: list[str]) -> None:
    said = complete(shell, line)
    for word in words:
        assert word in said
    assert "tournament" not in said


def test_bash_completes_after_the_completion_is_installed(tmp_path: Path) -> None:
    bash = shutil.which("bash")
    assert bash is not None
    env = {**ENVIRONMENT, "HOME": str(tmp_path), "TERM": "dumb", "PS1": "$ "}
    script = f"'{FOURCAST}' --install-completion; exit $?"  # detects its shell, so it needs one
    subprocess.run([bash, "-c", script], env=env, check=True, timeout=60, capture_output=True)
    shell = pexpect.spawn(bash, ["-i"], env=env, encoding="utf-8", timeout=30, cwd=tmp_path)
    for typed, completed in (
        ("fourcast ana\t", "lyze "),
        ("--no-b\t", "ook "),
        ("--st\tas\t", "yle ascii "),
    ):
        shell.send(typed)
        shell.expect_exact(completed)
    shell.sendline("4455")
    shell.expect_exact("X, to move, wins in 2 moves (score 18).")
    shell.sendline("exit")
    shell.expect(pexpect.EOF)
    shell.close()
