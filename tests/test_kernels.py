"""The kernels can be linked into one program: none brings code that others might run by mistake."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

BUILD = Path(__file__).resolve().parent.parent / "build" / "dev"
KERNELS = sorted(BUILD.glob("CMakeFiles/fourcast_kernel_*.dir/native/engine.cpp.o"))

# A pointer that every object has which catches or cleans up after an exception: data, not code.
HARMLESS = "DW.ref.__gxx_personality_v0"


@pytest.mark.skipif(not KERNELS or not shutil.which("nm"), reason="nothing was built here, or no nm")
@pytest.mark.parametrize("kernel", KERNELS, ids=lambda path: path.parts[-3])
def test_a_kernel_shares_no_symbol_with_the_rest_of_the_program(kernel: Path) -> None:
    """The linker keeps one copy of a weak symbol: it may be one with instructions of a newer processor.

    So whatever a kernel defines must be local to it, its maker, or in its own namespace.
    """
    name = re.sub(r".*fourcast_kernel_(\w+)\.dir", r"\1", kernel.parts[-3])
    command = ["nm", "--demangle", "--defined-only", str(kernel)]
    lines = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    shared = [symbol for _, kind, symbol in (line.split(maxsplit=2) for line in lines) if kind in "WVu"]
    assert any("Engine" in line for line in lines)
    assert [symbol for symbol in shared if name not in symbol and symbol != HARMLESS] == []
