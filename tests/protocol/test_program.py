"""The referee's side, with real processes: good ones, and those of tests/hostile."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from fourcast import FinishedGameError, Position
from fourcast.errors import InvalidNotationError
from fourcast.protocol import Forfeit, ForfeitError, ProgramPlayer

HOSTILE = Path(__file__).resolve().parent.parent / "hostile"
PLAYER = [sys.executable, "-m", "fourcast", "player"]

# What each of them loses by.
KINDS = {
    "chatterbox": Forfeit.GARBAGE,
    "closed_output": Forfeit.CRASH,
    "crash_at_once": Forfeit.CRASH,
    "crash_in_the_game": Forfeit.CRASH,
    "daemon": Forfeit.ILLEGAL_MOVE,
    "deaf": Forfeit.GARBAGE,
    "deep_json": Forfeit.GARBAGE,
    "drip": Forfeit.TOO_LATE,
    "endless_line": Forfeit.FLOOD,
    "error_flood": Forfeit.ILLEGAL_MOVE,
    "flood": Forfeit.FLOOD,
    "fork_bomb": Forfeit.TOO_LATE,
    "full_column": Forfeit.ILLEGAL_MOVE,
    "garbage": Forfeit.GARBAGE,
    "hang": Forfeit.TOO_LATE,
    "keeper_killer": Forfeit.TOO_LATE,
    "memory": Forfeit.CRASH,
    "too_late": Forfeit.TOO_LATE,
    "wrong_type": Forfeit.GARBAGE,
}


def processes(word: str) -> list[str]:
    """The command lines of all processes that have *word* in theirs."""
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            command = (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
            state = (entry / "stat").read_text().rpartition(")")[2].split()[0]
        except OSError:
            continue
        if word in command and state != "Z" and int(entry.name) != os.getpid():
            found.append(command)
    return found


def no_process_left(word: str) -> bool:
    """Whether all of them are gone, at once or within a second: the kernel takes its time."""
    end = time.monotonic() + 1
    while processes(word) and time.monotonic() < end:
        time.sleep(0.02)
    return not processes(word)


@pytest.fixture
def script(tmp_path: Path) -> Iterator[Path]:
    path = tmp_path / "script_of_a_test.py"
    yield path
    assert no_process_left(str(path))


def test_all_hostile_players_are_known() -> None:
    """The attacks, and the honest player that they aim at, are those of test_sandbox."""
    others = {path.stem for path in HOSTILE.glob("attack_*.py")} | {"honest"}
    assert {path.stem for path in HOSTILE.glob("*.py")} == set(KINDS) | others


# How programs are isolated makes a difference to those that end, fork, hoard or fight their keeper.
FIGHTERS = ["closed_output", "crash_at_once", "daemon", "flood"]
FIGHTERS += ["fork_bomb", "hang", "keeper_killer", "memory"]
WAYS = [
    *[pytest.param(name, "off", marks=[pytest.mark.slow] * (name in FIGHTERS)) for name in KINDS],
    *[(name, "auto") for name in FIGHTERS],
]


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux can adopt what has left its session")
@pytest.mark.parametrize(("name", "sandbox"), WAYS)
def test_a_hostile_player_loses_by_what_it_did_and_leaves_no_process(name: str, sandbox: str) -> None:
    path = HOSTILE / f"{name}.py"
    position = Position()
    started = time.monotonic()
    program = ProgramPlayer(
        [sys.executable, str(path)],
        # The others have time: they are to lose by what they do, and not by a busy machine.
        move_time_s=0.6 if KINDS[name] is Forfeit.TOO_LATE else 10,
        start_time_s=0.4,
        memory_mb=128,
        sandbox=sandbox,
    )

    def play_on() -> None:
        nonlocal position
        while not position.is_over:
            position = position.play(program.choose(position))
            time.sleep(0.1)  # in which one may speak too early

    with program, pytest.raises(ForfeitError) as caught:
        play_on()
    took_s = time.monotonic() - started
    assert caught.value.kind == KINDS[name].value, caught.value
    assert took_s < 10
    assert no_process_left(str(path))
    with pytest.raises(ForfeitError):
        program.choose(Position())


def test_standard_error_is_drained_and_its_end_is_kept() -> None:
    program = ProgramPlayer([sys.executable, str(HOSTILE / "error_flood.py")])
    with program, pytest.raises(ForfeitError):
        program.choose(Position())
    assert program.standard_error.endswith("the last words")
    assert len(program.standard_error) <= 65_536


def test_a_good_program_plays_a_game_and_ends_by_itself() -> None:
    position = Position()
    with ProgramPlayer([*PLAYER, "streaks"]) as program:
        while not position.is_over:
            position = position.play(program.choose(position))
    assert position.winner in (None, 1, 2)
    assert program.exit_status == 0


def test_the_last_words_of_a_crash_are_told(script: Path) -> None:
    script.write_text("raise RuntimeError('out of ideas')")
    program = ProgramPlayer([sys.executable, str(script)])
    with (
        program,
        pytest.raises(
            ForfeitError,
            match="status 1; its error output ends with 'RuntimeError: out of ideas'",
        ),
    ):
        program.choose(Position())


def test_a_signal_is_told_by_its_name(script: Path) -> None:
    script.write_text("import os, signal; input(); os.kill(os.getpid(), signal.SIGSEGV)")
    program = ProgramPlayer([sys.executable, str(script)])
    with program, pytest.raises(ForfeitError, match="crash: it was ended by SIGSEGV"):
        program.choose(Position())


def test_a_command_that_cannot_be_run_is_told() -> None:
    program = ProgramPlayer("no-such-program --at all")
    with (
        program,
        pytest.raises(ForfeitError, match="no start: 'no-such-program' cannot be run") as caught,
    ):
        program.choose(Position())
    assert caught.value.kind == Forfeit.NO_START


def test_a_command_is_split_and_not_given_to_a_shell(tmp_path: Path) -> None:
    program = ProgramPlayer(f"echo '{{\"move\": 2}}' ; touch {tmp_path}/made $HOME")
    with program, pytest.raises(ForfeitError):  # echo has said all of it, with ; and $HOME
        program.choose(Position())
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("command", ["", "   ", "'unfinished", []])
def test_what_is_no_command_is_refused(command: str | list[str]) -> None:
    with pytest.raises(InvalidNotationError, match="is not a command"):
        ProgramPlayer(command)


def test_a_finished_game_is_refused_without_starting_anything() -> None:
    program = ProgramPlayer("no-such-program")
    with pytest.raises(FinishedGameError):
        program.choose(Position("1212121"))


def test_the_start_has_time_of_its_own(script: Path) -> None:
    script.write_text(
        textwrap.dedent("""
            import sys, time
            time.sleep(1.5)
            for line in sys.stdin:
                print('{"move": 3}', flush=True)
        """)
    )
    with ProgramPlayer([sys.executable, str(script)], move_time_s=1, start_time_s=20) as program:
        assert program.choose(Position()) == 3
        assert program.choose(Position("44")) == 3


@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
def test_a_referee_that_is_killed_leaves_no_program_behind(script: Path) -> None:
    script.write_text("import time\nwhile True: time.sleep(1)")
    code = textwrap.dedent(f"""
        import sys
        from fourcast import Position
        from fourcast.protocol import ProgramPlayer
        ProgramPlayer([sys.executable, {str(script)!r}], move_time_s=60).choose(Position())
    """)
    referee = subprocess.Popen([sys.executable, "-c", code])
    while len(processes(str(script))) < 3 and referee.poll() is None:  # it, the keeper and the program
        time.sleep(0.02)
    referee.kill()
    referee.wait()
    assert no_process_left(str(script))


def test_a_closed_player_may_be_closed_again() -> None:
    program = ProgramPlayer([*PLAYER, "random"])
    program.choose(Position())
    program.close()
    program.close()
