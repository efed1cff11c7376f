"""The kernels: all find the same, and none brings code that others might run by mistake."""

from __future__ import annotations

import json
import os
import platform
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from fourcast._core import kernel_name, kernel_names

BUILD = Path(__file__).resolve().parents[2] / "build"
# A checkout has the kernel of this processor; `make test-slow` builds all of them, as for wheels.
CHECKOUT, ALL = BUILD / "dev", BUILD / "all-kernels"


def kernels_of(build: Path) -> dict[Path, str]:
    """Return the object files of the kernels that a build links, with the commands that made them."""
    commands = build / "compile_commands.json"
    entries = json.loads(commands.read_text()) if commands.exists() else []
    return {
        build / entry["output"]: entry["command"]
        for entry in entries
        if re.search(r"fourcast_kernel_(x86|portable)", entry["output"])
    }


KERNELS = {**kernels_of(CHECKOUT), **kernels_of(ALL)}

# A pointer that every object has which catches or cleans up after an exception: data, not code.
HARMLESS = "DW.ref.__gxx_personality_v0"


@pytest.mark.skipif(not KERNELS or not shutil.which("nm"), reason="nothing was built here, or no nm")
@pytest.mark.parametrize("kernel", KERNELS, ids=lambda path: "-".join([path.parts[-6], path.parts[-4]]))
def test_a_kernel_shares_no_symbol_with_the_rest_of_the_program(kernel: Path) -> None:
    """The linker keeps one copy of a weak symbol: it may be one with instructions of a newer processor.

    So whatever a kernel defines must be local to it, its maker, or in its own namespace.
    """
    name = re.sub(r".*fourcast_kernel_(\w+)\.dir", r"\1", kernel.parts[-4])
    command = ["nm", "--demangle", "--defined-only", str(kernel)]
    lines = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    shared = [symbol for _, kind, symbol in (line.split(maxsplit=2) for line in lines) if kind in "WVu"]
    assert any("Engine" in line for line in lines)
    assert [symbol for symbol in shared if name not in symbol and symbol != HARMLESS] == []


def bench_with(kernel: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "fourcast", "bench", *arguments]
    environment = {**os.environ, "FOURCAST_KERNEL": kernel}
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("kernel", kernel_names())
def test_every_kernel_that_runs_here_searches_the_same_nodes(kernel: str) -> None:
    signature = (Path(__file__).resolve().parent.parent / "fixtures" / "signature.txt").read_text(
        "utf-8"
    )
    run = bench_with(kernel, "--signature")
    assert (run.returncode, run.stderr) == (0, "")
    assert run.stdout == signature


OTHER_SIZES = """
5x5 1414
6x5 261215
8x5 433113487422
9x5 176446764448113
4x6 4114
6x6 3624133335
8x6 3381856812838158
6x7 54364323153623
7x7 2574521147443474
9x4 7474181787
5x8 2321133442
6x8 6143431422452426
"""
# Boards of 57 to 64 bits, which processors without AVX2 search in two words.
WHOLE_WORD = "9x6 64742978471249983232"
WITHOUT_AVX2 = ("portable", "x86-64-v2")
COUNT_NODES = """
import sys
from fourcast import Position, Solver
for size, moves in (line.split() for line in sys.stdin):
    width, height = map(int, size.split("x"))
    position = Position(moves, width=width, height=height)
    print(size, Solver(book=False).solve(position, best_columns=False).nodes)
"""


def nodes_with(kernel: str, positions: str) -> list[int]:
    run = subprocess.run(
        [sys.executable, "-c", COUNT_NODES],
        input=positions.strip(),
        env={**os.environ, "FOURCAST_KERNEL": kernel},
        capture_output=True,
        text=True,
        check=True,
    )
    return [int(line.split()[1]) for line in run.stdout.splitlines()]


def test_every_kernel_searches_the_same_nodes_on_boards_of_other_sizes() -> None:
    """They differ in the shapes that they are compiled for."""
    counts = [nodes_with(kernel, OTHER_SIZES) for kernel in kernel_names()]
    assert len(counts[0]) == len(OTHER_SIZES.split()) // 2
    assert min(counts[0]) > 1000
    assert all(count == counts[0] for count in counts)


def test_kernels_of_one_kind_search_the_same_nodes_on_boards_of_a_whole_word() -> None:
    for kernels in (
        [name for name in kernel_names() if name in WITHOUT_AVX2],
        [name for name in kernel_names() if name not in WITHOUT_AVX2],
    ):
        counts = {tuple(nodes_with(kernel, WHOLE_WORD)) for kernel in kernels}
        assert len(counts) <= 1, kernels


@pytest.mark.skipif(not KERNELS, reason="nothing was built here")
def test_each_kernel_is_compiled_for_the_processors_it_is_named_after() -> None:
    """Of two -march the last one counts, and nobody would notice but those who wait."""
    for command in KERNELS.values():
        name = re.findall(r"-DFOURCAST_KERNEL=(\w+)", command)[-1]
        march = re.findall(r"-march=(\S+)", command)[-1:]
        assert march == ([] if name == "portable" else [name.replace("x86_64_", "x86-64-")])


@pytest.mark.slow
def test_the_slow_tests_run_with_all_kernels() -> None:
    is_x86 = platform.machine() in {"x86_64", "AMD64"}
    assert kernel_names()[-1] == ("x86-64-v2" if is_x86 else "portable")
    assert len(kernels_of(ALL)) == (3 if is_x86 else 1)
    assert all("-Werror" in command for command in kernels_of(ALL).values())


@pytest.mark.skipif(not kernels_of(CHECKOUT), reason="nothing was built here")
def test_a_checkout_builds_one_kernel_by_flags_that_do_not_change_with_the_target() -> None:
    """`make test` after `make play` must not compile it again; a copy of it has the warnings."""
    (command,) = kernels_of(CHECKOUT).values()
    assert "-Werror" not in command
    entries = json.loads((CHECKOUT / "compile_commands.json").read_text())
    copies = [entry["command"] for entry in entries if "fourcast_kernel_warnings" in entry["output"]]
    assert all("-Werror" in copy for copy in copies)


def test_a_checkout_compiles_the_module_by_the_same_flags_for_playing_and_for_tests(
    tmp_path: Path,
) -> None:
    cmake: list[str | Path] = [
        Path(sys.executable).with_name("cmake"),
        "-G",
        "Ninja",
        "-S",
        BUILD.parent,
    ]
    cmake += ["-DFOURCAST_MODULE=OFF", "-DFOURCAST_KERNELS=native", "-DCMAKE_BUILD_TYPE=Release"]
    commands = []
    for targets in (["-DFOURCAST_TESTS=OFF"], ["-DFOURCAST_TESTS=ON", "-DFOURCAST_WERROR=ON"]):
        configured = subprocess.run([*cmake, *targets, "-B", tmp_path], capture_output=True, text=True)
        assert configured.returncode == 0, configured.stderr
        entries = json.loads((tmp_path / "compile_commands.json").read_text())
        commands.append({entry["output"]: entry["command"] for entry in entries})
    play, test = commands
    if "-Werror" not in " ".join(play.values()):
        # With another compiler than the tests' own, the kernel alone is not compiled again.
        kernels = {name: command for name, command in play.items() if "fourcast_kernel_" in name}
        assert kernels
        assert kernels.items() <= test.items()
        return
    assert play.items() <= test.items()
    assert {name for name in test if name not in play and "fourcast_tests" not in name} == {
        name for name in test if "fourcast_kernel_warnings" in name
    }


def test_the_quickest_kernel_is_taken_and_another_only_if_asked_for() -> None:
    assert kernel_name() == kernel_names()[0]
    code = "from fourcast._core import kernel_name; print(kernel_name())"
    last = kernel_names()[-1]
    environment = {**os.environ, "FOURCAST_KERNEL": last}
    output = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True
    )
    assert output.stdout.strip() == last


def test_a_kernel_that_does_not_run_here_is_refused_by_its_name() -> None:
    run = bench_with("z80", "--signature")
    assert run.returncode == 2
    names = ", ".join(kernel_names())
    assert run.stderr == f"fourcast: FOURCAST_KERNEL is 'z80'; here, this build runs: {names}\n"
