"""Attacks of programs on each other, the referee and the machine; each worked without a sandbox."""

from __future__ import annotations

import os
import platform
import re
import shutil
import socket
import subprocess
import sys
import textwrap
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from fourcast import Position
from fourcast.arena import GameRecord, Match
from fourcast.errors import ForfeitError, OptionError
from fourcast.protocol import ProgramPlayer, cgroup, sandbox, seccomp
from fourcast.protocol.process import ProgramProcess
from fourcast.protocol.sandbox import Isolation
from tests.protocol.test_program import HOSTILE, no_process_left, processes


@pytest.fixture
def isolation() -> str:
    """The way to isolate programs; a test is skipped, with the reason, where there is none."""
    found = sandbox._available()
    if found.kind == "none":
        pytest.skip(f"no sandbox here: {found.reason}")
    return found.kind


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    """A folder with copies of the hostile programs, of which no process is left in the end."""
    shutil.copytree(HOSTILE, tmp_path / "programs")
    yield tmp_path / "programs"
    assert no_process_left(str(tmp_path))


def command(folder: Path, name: str, *words: str) -> str:
    return " ".join([sys.executable, str(folder / f"{name}.py"), *words])


def play(folder: Path, attack: str, *words: str) -> list[GameRecord]:
    """Two games of an attacker and the honest player."""
    match = Match(
        command(folder, attack, *words),
        command(folder, "honest"),
        games=2,
        opening_plies=0,
        move_time_s=20.0,
    )
    return match.run().records


def last_words(folder: Path, attack: str, *words: str) -> str:
    """What an attacker says on standard error that does nothing else, and so loses."""
    with ProgramPlayer(command(folder, attack, *words), move_time_s=20) as program:
        with pytest.raises(ForfeitError):
            program.choose(Position())
        return program.standard_error


# The eight doors


@pytest.mark.usefixtures("isolation")
def test_a_program_cannot_write_into_the_output_of_its_opponent(folder: Path) -> None:
    assert [game.forfeit for game in play(folder, "attack_output")] == ["", ""]


@pytest.mark.usefixtures("isolation")
@pytest.mark.parametrize("signal_name", ["SIGSTOP", "SIGKILL"])
def test_a_program_cannot_stop_or_kill_its_opponent(folder: Path, signal_name: str) -> None:
    assert [game.forfeit for game in play(folder, "attack_opponent", signal_name)] == ["", ""]


def test_a_program_cannot_kill_the_referee(isolation: str, folder: Path) -> None:
    code = textwrap.dedent(f"""
        from fourcast.protocol import sandbox
        sandbox._available = lambda: sandbox.Isolation({isolation!r})
        from fourcast.cli import main
        main(["match", {command(folder, "attack_referee")!r}, "random", "--games", "2"])
    """)
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert run.returncode == 1, run.stderr  # it forfeited every game, and is out
    assert "2 crash" in run.stdout


@pytest.mark.usefixtures("isolation")
def test_a_program_cannot_rewrite_the_journal(folder: Path) -> None:
    journal = folder / "out" / "journal.jsonl"
    attack = command(folder, "attack_journal")
    results = Match(attack, "random", games=2, journal=journal, move_time_s=20.0).run()
    assert len(results.records) == 2
    assert b"I have won" not in journal.read_bytes()
    again = Match(attack, "random", games=2, journal=journal, move_time_s=20.0).run()
    assert [game.moves for game in again.records] == [game.moves for game in results.records]


@pytest.mark.usefixtures("isolation")
def test_no_child_outlives_the_game_whatever_it_does_to_its_keeper(folder: Path) -> None:
    last_words(folder, "attack_outlive")
    assert no_process_left(str(folder))


def take_memory(folder: Path, kind: str, way: str) -> ProgramProcess:
    """A program that has tried to take 448 MB where it may have 256, and has ended."""
    words = command(folder, "attack_memory", kind, "448").split()
    with sandbox.start(words, str(folder), Isolation(way), memory_mb=256) as process:
        process.send(b"{}\n")
        process.wait_for_end(30)
        process.step()
        assert process.output == b"", "it has all of it"
    return process


@pytest.mark.parametrize("kind", ["shared", "files", "processes"])
def test_without_a_sandbox_memory_that_processes_share_is_counted(folder: Path, kind: str) -> None:
    assert take_memory(folder, kind, "none").used_too_much_mb > 256


@pytest.mark.parametrize("kind", ["sockets", "datagrams", "page-tables", "processes", "empty-files"])
def test_memory_of_the_kernel_counts_for_the_program(isolation: str, folder: Path, kind: str) -> None:
    """What sockets hold, also if nobody has the other end any more; tables of pages; names of files."""
    assert take_memory(folder, kind, isolation).used_too_much_mb > 256


@pytest.mark.parametrize(
    "kind", ["shared", "given-back", "files", "files-in-flight", "segments", "messages"]
)
def test_memory_that_cannot_be_counted_cannot_be_had(isolation: str, folder: Path, kind: str) -> None:
    """Mappings given back, files in flight, System V: all of it outside of any process."""
    process = take_memory(folder, kind, isolation)
    assert process.exit_status == 1
    last = process.standard_error.splitlines()[-1]
    assert "Operation not permitted" in last or "Function not implemented" in last


def test_files_in_memory_count_and_are_limited(isolation: str, folder: Path) -> None:
    code = """
        import os
        kept = []
        for name in ("/tmp/a", "/dev/shm/a"):
            with open(name, "wb") as file:
                try:
                    for _ in range(100):
                        file.write(bytes(2**20))
                        file.flush()
                except OSError as error:
                    print(error.errno)
        print(os.path.getsize("/tmp/a") + os.path.getsize("/dev/shm/a") <= 2**27)
        used = [os.statvfs(name) for name in ("/tmp", "/dev/shm")]
        print(all(state.f_bfree * state.f_frsize < 2**20 for state in used))
    """
    no_space, too_large = 28, 27
    lines = run_inside(isolation, folder, code).output.decode().split()
    assert {int(line) for line in lines[:2]} <= {no_space, too_large}
    assert lines[2:] == ["True", "True"]


@pytest.mark.usefixtures("isolation")
def test_a_program_cannot_read_its_rivals_nor_the_owners_secrets(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "other").mkdir()
    shutil.copy(folder / "honest.py", tmp_path / "other" / "honest.py")
    rivals = [folder / "honest.py", tmp_path / "other" / "honest.py"]
    monkeypatch.setenv("FOURCAST_TEST_SECRET", "8f3a51")
    for rival in rivals:
        (folder / "where.txt").write_text(str(rival))
        match = Match(command(folder, "attack_secrets"), f"{sys.executable} {rival}", games=2)
        for game in match.run().records:
            assert game.forfeit == "crash", game.detail
            said = "".join(game.messages)
            assert "8f3a51" not in said
            assert "seen /etc" not in said
            assert "seen /proc" not in said
            assert said.endswith("[]\n")


@pytest.mark.usefixtures("isolation")
def test_a_program_has_no_network(folder: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        words = last_words(folder, "attack_network", str(port))
        assert "OSError" in words or "ConnectionRefusedError" in words
        server.settimeout(0.2)
        with pytest.raises(TimeoutError):
            server.accept()


@pytest.mark.usefixtures("isolation")
def test_a_program_cannot_change_the_system_nor_its_own_folder(folder: Path) -> None:
    words = last_words(folder, "attack_system")
    assert len(words.splitlines()) == 6
    assert "writable" not in words


@pytest.mark.usefixtures("isolation")
def test_a_program_finds_no_way_out(folder: Path) -> None:
    """Inherited files, the terminal, tracing, namespaces, mounts, sockets of others."""
    said = last_words(folder, "attack_ways_out")
    assert "tried everything" in said
    assert "open:" not in said


def test_a_program_has_none_of_the_refused_system_calls(isolation: str, folder: Path) -> None:
    """Keys of the session, io_uring, System V, memory without a name, sockets of other families."""
    column = 0 if platform.machine() == "x86_64" else 1
    numbers = [numbers[column] for numbers in seccomp.REFUSED.values()]
    code = f"""
        import ctypes, mmap, os, socket
        libc = ctypes.CDLL(None, use_errno=True)
        print({{(libc.syscall(number, 0, 0, 0, 0, 0), ctypes.get_errno()) for number in {numbers}}})
        for family in range(50):
            for make in (socket.socket, socket.socketpair):
                try:
                    make(family, socket.SOCK_STREAM)
                    print(family)
                except OSError as error:
                    assert error.errno == 97, (family, error)
        try:
            mmap.mmap(-1, 4096)
        except OSError as error:
            print(error.errno)
        print(len(mmap.mmap(-1, 4096, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)))
        try:
            open("/proc/keys")
        except PermissionError:
            print(os.path.exists("/dev/zero"))
    """
    output = run_inside(isolation, folder, code).output.decode()
    assert output == "{(-1, 38)}\n1\n1\n1\n4096\nFalse\n"


def test_the_guide_lists_the_refused_system_calls() -> None:
    guide = Path(__file__).parents[2] / "docs" / "protocol.md"
    (listed,) = re.findall(r"- \*\*System calls\.\*\*(.*?)`mmap`", guide.read_text(), re.DOTALL)
    assert set(re.findall(r"`([a-z_]+)`", listed)) == set(seccomp.REFUSED)


def test_the_filter_refuses_on_every_processor_that_it_knows() -> None:
    """Eight bytes an instruction, and all of it in one write to a pipe."""
    filters = {name: seccomp.seccomp_filter(name) for name in ("x86_64", "aarch64", "riscv64")}
    assert len(set(filters.values())) == 3
    for rules in filters.values():
        assert len(rules) % 8 == 0
        assert len(rules) < 4096
    assert seccomp.seccomp_filter("s390x") == b""


def test_a_program_sees_nothing_of_its_rivals_and_the_journal_in_proc(
    folder: Path, tmp_path: Path
) -> None:
    """Not even their names: the first process has the configuration in its command line."""
    (tmp_path / "secret-rival").mkdir()
    shutil.copy(folder / "honest.py", tmp_path / "secret-rival" / "honest.py")
    (folder / "mine.py").write_text(
        "import sys; print(open('/proc/1/cmdline').read(), file=sys.stderr); sys.exit(1)"
    )
    rival = f"{sys.executable} {tmp_path}/secret-rival/honest.py"
    journal = tmp_path / "secret-journal" / "journal.jsonl"
    mine = f"{sys.executable} {folder}/mine.py"
    for game in Match(mine, rival, games=2, journal=journal).run().records:
        assert "keeper.py" in "".join(game.messages)
        assert "secret" not in "".join(game.messages)


# A control group


def fake_cgroups(folder: Path, place: str, delegated: str) -> tuple[Path, Path]:
    """Files as the kernel has them, with *delegated* handing down memory; and our own entry."""
    root = folder / "cgroup"
    (root / place).mkdir(parents=True)
    (root / delegated / "cgroup.subtree_control").write_text("cpu memory pids\n")
    own = folder / "own"
    own.write_text(f"4:memory:/old\n0::/{place}\n")
    return root, own


class MadeFolder(type(Path())):  # type: ignore[misc]
    """A folder that has the files of a control group as soon as it is made."""

    def mkdir(self, *args: object, **options: object) -> None:
        super().mkdir(*args, **options)
        for name in ("memory.max", "memory.oom.group", "cgroup.procs"):
            (self / name).write_text("")
        (self / "memory.events").write_text("low 0\noom 1\noom_kill 1\n")


@pytest.mark.parametrize("delegated", ["user/app", "user/app/scope"])
def test_a_control_group_is_made_where_memory_is_handed_down(tmp_path: Path, delegated: str) -> None:
    root, own = fake_cgroups(tmp_path, "user/app/scope", delegated)
    group = cgroup.MemoryGroup.make(256, MadeFolder(root), own)
    assert group
    (made,) = (root / delegated).glob("fourcast-*")
    assert (made / "memory.max").read_text() == str(256 * 2**20)
    assert (made / "memory.oom.group").read_text() == "1"
    shutil.rmtree(made)
    group.close()


def test_without_a_control_group_of_memory_none_is_made(tmp_path: Path) -> None:
    root, own = fake_cgroups(tmp_path, "user/app/scope", "user")
    assert cgroup.MemoryGroup.make(256, root, own) is None
    assert cgroup.MemoryGroup.make(256, root, tmp_path / "missing") is None


def test_a_program_that_its_control_group_has_ended_used_too_much_memory(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The kernel's counts are believed, and the program is in the group before it starts."""
    made = tmp_path / "group"

    def make(memory_mb: int) -> cgroup.MemoryGroup:
        return cgroup.MemoryGroup(MadeFolder(made), memory_mb)

    monkeypatch.setattr("fourcast.protocol.process.MemoryGroup.make", make)
    monkeypatch.setattr(cgroup, "REMOVE_S", 0.0)
    words = command(folder, "hang").split()
    with sandbox.start(words, str(folder), Isolation("none"), memory_mb=256) as process:
        process.wait_for_end(20)
        assert process.used_too_much_mb > 256
    assert (made / "cgroup.procs").read_text() == "0"


# What a program may do


def run_inside(isolation: str, folder: Path, code: str) -> ProgramProcess:
    """A process that has run Python *code* and ended."""
    (folder / "code.py").write_text(textwrap.dedent(code))
    words = [sys.executable, str(folder / "code.py")]
    with sandbox.start(words, str(folder), Isolation(isolation), memory_mb=256) as process:
        assert process.wait_for_end(20) == 0, process.standard_error
        process.step()
    return process


def test_a_program_has_its_folder_a_place_to_write_and_child_processes(
    isolation: str, folder: Path
) -> None:
    code = """
        import os, subprocess, sys, tempfile
        from pathlib import Path
        import attack_output_data
        print(Path("honest.py").exists(), Path.cwd() == Path(__file__).parent)
        with tempfile.TemporaryFile() as file:
            print(file.write(b"x" * 1000))
        print(subprocess.run([sys.executable, "-c", "print(1)"], capture_output=True).stdout)
        print(open("/dev/null").read() == "", len(os.urandom(4)), os.getppid())
    """
    (folder / "attack_output_data.py").write_text("")
    output = run_inside(isolation, folder, code).output.decode()
    assert output == "True True\n1000\nb'1\\n'\nTrue 4 1\n"


def test_a_program_in_the_home_folder_sees_its_own_file_only(
    isolation: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(folder))
    code = "import os; print(os.listdir(os.path.dirname(__file__)))"
    assert run_inside(isolation, folder, code).output == b"['code.py']\n"


def test_folders_reached_by_symbolic_links_work(isolation: str, folder: Path, tmp_path: Path) -> None:
    link = tmp_path / "link"
    link.symlink_to(folder, target_is_directory=True)
    (folder / "mine.py").write_text("print(__file__)")
    words = [sys.executable, str(link / "mine.py")]
    with sandbox.start(words, str(link), Isolation(isolation), memory_mb=256) as process:
        assert process.wait_for_end(20) == 0, process.standard_error
        process.step()
        assert process.output.decode() == f"{link / 'mine.py'}\n"


def test_variables_are_passed_by_env(isolation: str, folder: Path) -> None:
    (folder / "mine.py").write_text("import os; print(os.environ['LEVEL'])")
    words = ["env", "LEVEL=3", sys.executable, str(folder / "mine.py")]
    with sandbox.start(words, str(folder), Isolation(isolation), memory_mb=256) as process:
        assert process.wait_for_end(20) == 0, process.standard_error
        process.step()
        assert process.output == b"3\n"


def test_a_variable_of_the_shell_does_not_decide_whether_a_program_flushes(
    isolation: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "mine.py").write_text("import os; print(sorted(os.environ))")
    words = [sys.executable, str(folder / "mine.py")]

    def seen() -> str:
        with sandbox.start(words, str(folder), Isolation(isolation), memory_mb=256) as process:
            assert process.wait_for_end(20) == 0, process.standard_error
            process.step()
            return process.output.decode()

    before = seen()
    for name in ("PYTHONUNBUFFERED", "OMP_NUM_THREADS", "LC_ALL", "SECRET"):
        monkeypatch.setenv(name, "1")
    assert seen() == before
    for name in ("PATH", "HOME", "LANG", "TZ", "TMPDIR"):
        assert name in before


def test_a_module_is_found_in_the_working_directory(isolation: str, folder: Path) -> None:
    (folder / "mymodule.py").write_text("print('found')")
    words = [sys.executable, "-m", "mymodule"]
    with sandbox.start(words, str(folder), Isolation(isolation), memory_mb=256) as process:
        assert process.wait_for_end(20) == 0, process.standard_error
        process.step()
        assert process.output == b"found\n"


def test_a_game_of_a_built_in_player_as_a_program_works(isolation: str, folder: Path) -> None:
    assert isolation
    program = f"{sys.executable} -m fourcast player perfect"
    with ProgramPlayer(program, directory=folder) as player:
        assert player.choose(Position("445566")) in (2, 6)


def test_a_referee_that_is_killed_leaves_nothing_behind(isolation: str, folder: Path) -> None:
    code = textwrap.dedent(f"""
        from fourcast import Position
        from fourcast.protocol import ProgramPlayer, cgroup, sandbox, seccomp
        sandbox._available = lambda: sandbox.Isolation({isolation!r})
        ProgramPlayer({command(folder, "hang")!r}, move_time_s=60).choose(Position())
    """)
    referee = subprocess.Popen([sys.executable, "-c", code])
    while (
        not any(
            words.split()[:1] == [sys.executable] and "keeper" not in words and "-c" not in words
            for words in processes(str(folder))
        )
        and referee.poll() is None
    ):
        time.sleep(0.02)
    referee.kill()
    referee.wait()
    assert no_process_left(str(folder))


@pytest.mark.slow
def test_a_start_is_quick(isolation: str, folder: Path) -> None:
    """Some 60 ms on a quiet machine; the best of many, as this one may be busy."""

    def start_s(kind: str) -> float:
        words = [sys.executable, "-IS", str(folder / "honest.py")]
        started = time.perf_counter()
        with sandbox.start(words, str(folder), Isolation(kind), memory_mb=256) as process:
            process.send(b'{"grid": [[0]]}\n')
            while process.take_line() is None:
                process.step(1)
            return time.perf_counter() - started

    plain_s = min(start_s("none") for _ in range(8))
    assert any(start_s(isolation) < plain_s + 0.1 for _ in range(40))


# Where there is none


def test_without_a_sandbox_auto_says_so_and_require_refuses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sandbox, "_available", lambda: Isolation("none", "a test forbids it"))
    found = sandbox.find_isolation("auto")
    assert "without a sandbox (a test forbids it)" in str(found)
    with pytest.raises(OptionError, match="a sandbox is required, but this system has none: a test"):
        sandbox.find_isolation("require")
    with pytest.raises(OptionError, match="one of auto, require, off, not 'on'"):
        sandbox.find_isolation("on")


def test_a_way_that_does_not_work_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        sandbox,
        "view_for",
        lambda *_: {"readable": [], "hidden": [], "directory": os.getcwd(), "scratch_mb": 1},
    )
    assert sandbox.try_isolation("bubblewrap")


def test_without_bubblewrap_the_reason_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shutil.which", lambda _: None)
    if sys.platform == "linux":
        assert sandbox._available.__wrapped__().reason == "bubblewrap is not installed"


@pytest.mark.parametrize("wrong", ["none", "bubblewrap"])
def test_off_is_off(wrong: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sandbox, "_available", lambda: Isolation(wrong))
    assert sandbox.find_isolation("off").kind == "none"
