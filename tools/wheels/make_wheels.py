"""Builds wheels for all systems on this one, with the C++ tests of each: `make wheels`.

python tools/wheels/make_wheels.py [--headers FOLDER] [NAME ...]

Names are those of TARGETS; all of them by default. The compiler is that of the package `ziglang`, which
brings the headers and libraries of every system with it. A wheel is made of the Python files, as the
build backend collects them, and a module of the stable ABI: one for all Pythons from 3.12 on. That takes
the headers of such a Python: those of the one that runs this, or of Debian's sources if it is older.

Wheels are put into dist, the tests into build/wheels/NAME; check_wheels.py runs them.
"""

from __future__ import annotations

import argparse
import base64
import csv
import hashlib
import importlib.util
import io
import lzma
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import urllib.request
import zipfile
from dataclasses import dataclass
from pathlib import Path

from fourcast.web.page.bundled import bundled_files

ROOT = Path(__file__).resolve().parent.parent.parent
BUILD = ROOT / "build" / "wheels"
DIST = ROOT / "dist"
OLDEST = (3, 12)
"""The oldest Python with all of the stable ABI that nanobind uses."""
MIRROR = "https://deb.debian.org/debian"
DEBIAN = "trixie"
PYTHON = "3.13"
"""The Python of that Debian release."""


@dataclass(frozen=True)
class Target:
    """A system that wheels are made for."""

    tag: str
    """Its name in the name of a wheel."""
    zig: str
    """Its name for zig, with the oldest version of the system's library."""
    system: str
    """Its name for CMake."""
    processor: str

    @property
    def folder(self) -> Path:
        """Where it is built."""
        return BUILD / self.tag

    @property
    def tests(self) -> Path:
        """The program that runs the C++ tests."""
        return self.folder / ("fourcast_tests.exe" if self.system == "Windows" else "fourcast_tests")

    @property
    def wheel(self) -> Path:
        """The file that the wheel is written to."""
        return DIST / f"fourcast-{version()}-cp312-abi3-{self.tag}.whl"


TARGETS = {
    target.tag: target
    for target in (
        Target("manylinux_2_28_x86_64", "x86_64-linux-gnu.2.28", "Linux", "x86_64"),
        Target("musllinux_1_2_x86_64", "x86_64-linux-musl", "Linux", "x86_64"),
        Target("manylinux_2_28_aarch64", "aarch64-linux-gnu.2.28", "Linux", "aarch64"),
        Target("musllinux_1_2_aarch64", "aarch64-linux-musl", "Linux", "aarch64"),
        Target("win_amd64", "x86_64-windows-gnu", "Windows", "AMD64"),
        Target("macosx_11_0_x86_64", "x86_64-macos.11.0", "Darwin", "x86_64"),
        Target("macosx_11_0_arm64", "aarch64-macos.11.0", "Darwin", "arm64"),
    )
}

# nanobind has Apple's linker read a file with the names that Python will have; zig's linker reads none.
# It crashes on bundles, too, but makes libraries, which Python loads as well.
TOOL = """\
#!/bin/sh
for word; do
    shift
    case $word in
    -Wl,@*) word=-Wl,-undefined,dynamic_lookup ;;
    -bundle) set -- "$@" -shared; word=-Wl,-install_name,_core.abi3.so ;;
    esac
    set -- "$@" "$word"
done
exec {command} "$@"
"""

# Python's own is of one system. All of these have 64 bits, and the limited API needs no more than this.
PYCONFIG = """\
#pragma once
#include <stdio.h> /* nanobind takes it for granted, and zig's library does not include it for others */
#define SIZEOF_SHORT 2
#define SIZEOF_INT 4
#define SIZEOF_LONG_LONG 8
#define SIZEOF_VOID_P 8
#define SIZEOF_SIZE_T 8
#define SIZEOF_TIME_T 8
#define SIZEOF_PID_T 4
#define SIZEOF_FLOAT 4
#define SIZEOF_DOUBLE 8
#define ALIGNOF_MAX_ALIGN_T 16
#define WITH_DOC_STRINGS 1
#define HAVE_WCHAR_H 1
#if defined(_WIN32)
#define SIZEOF_LONG 4
#define SIZEOF_WCHAR_T 2
#define MS_WINDOWS
#define MS_WIN64
#define HAVE_DECLSPEC_DLL
#define Py_ENABLE_SHARED
#else
#define SIZEOF_LONG 8
#define SIZEOF_WCHAR_T 4
#define HAVE_SSIZE_T 1
#define HAVE_SYS_TYPES_H 1
#define HAVE_SYS_STAT_H 1
#define HAVE_SYS_TIME_H 1
#define HAVE_UNISTD_H 1
#endif
"""


def version() -> str:
    """Return the version of fourcast."""
    found = re.search(r'^version = "(.+)"', (ROOT / "pyproject.toml").read_text("utf-8"), re.MULTILINE)
    assert found, "pyproject.toml has no version"
    return found[1]


def zig() -> Path:
    """Return the compiler."""
    spec = importlib.util.find_spec("ziglang")
    if spec is None or spec.origin is None:
        sys.exit("the compiler is missing; run: make wheels")
    return Path(spec.origin).parent / "zig"


def run(*command: str | Path) -> None:
    """Run a command in the project's folder, with the programs of this environment."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    subprocess.run(command, cwd=ROOT, check=True, env=os.environ | {"PATH": path})


def tool(folder: Path, name: str, *words: str) -> Path:
    """Write a program that calls zig: CMake wants compilers and archivers to be one word."""
    path = folder / f"zig-{name}"
    path.write_text(TOOL.format(command=f'"{zig()}" {" ".join(words)}'), "utf-8")
    path.chmod(0o755)
    return path


def python_source() -> Path:
    """Download the source code of Debian's Python, and return its folder."""
    folder = BUILD / "python-source"
    if not (folder / "done").exists():
        shutil.rmtree(folder, ignore_errors=True)
        with urllib.request.urlopen(f"{MIRROR}/dists/{DEBIAN}/main/source/Sources.xz") as answer:
            index = lzma.decompress(answer.read()).decode()
        entry = next(part for part in index.split("\n\n") if f"Package: python{PYTHON}\n" in part)
        place = re.search(r"^Directory: (.+)", entry, re.MULTILINE)
        archive = re.search(r"^ ([0-9a-f]{64}) \d+ (\S+\.orig\.tar\.xz)$", entry, re.MULTILINE)
        if not place or not archive:
            sys.exit(f"{DEBIAN} has no source code of Python {PYTHON}")
        with urllib.request.urlopen(f"{MIRROR}/{place[1]}/{archive[2]}") as answer:
            packed = answer.read()
        if hashlib.sha256(packed).hexdigest() != archive[1]:
            sys.exit(f"{archive[2]} is damaged: run it again")
        folder.mkdir(parents=True)
        (folder / archive[2]).write_bytes(packed)
        run("tar", "-C", folder, "--strip-components=1", "-xf", folder / archive[2])
        (folder / "done").touch()
    return folder


def find_headers(given: Path | None) -> Path:
    """Return the folder of Python's headers."""
    source = given or Path(sysconfig.get_path("include"))
    if given is None and sys.version_info < OLDEST:
        source = python_source() / "Include"
    if not (source / "Python.h").exists():
        sys.exit(f"{source} has no Python.h: name a folder that has it by --headers FOLDER")
    return source


def copy_headers(source: Path, folder: Path) -> Path:
    """Copy Python's headers into a folder, with a `pyconfig.h` for all systems."""
    headers = folder / "headers"
    shutil.copytree(source, headers, dirs_exist_ok=True)
    (headers / "pyconfig.h").write_text(PYCONFIG, "utf-8")
    return headers


def import_library(headers: Path) -> Path:
    """Make what a module for Windows is linked with: the names in python3.dll."""
    text = "".join(path.read_text("utf-8") for path in sorted(headers.glob("*.h")))
    functions = re.findall(r"PyAPI_FUNC\([^)]*\)\s*(\w+)", text)
    variables = re.findall(r"PyAPI_DATA\([^)]*\)\s*(\w+)", text)
    lines = [*sorted(set(functions)), *(f"{name} DATA" for name in sorted(set(variables)))]
    definition, library = BUILD / "python3.def", BUILD / "libpython3.a"
    definition.write_text("\n".join(["LIBRARY python3.dll", "EXPORTS", *lines, ""]), "utf-8")
    run(zig(), "dlltool", "-m", "i386:x86-64", "-d", definition, "-l", library)
    return library


def compile_for(target: Target, python_headers: Path) -> Path:
    """Compile the module and the C++ tests, and return the module."""
    folder = target.folder
    folder.mkdir(parents=True, exist_ok=True)
    headers = copy_headers(python_headers, folder)
    settings = {
        "CMAKE_BUILD_TYPE": "Release",
        # CMake's questions to the compiler link nothing: zig would compile its C++ library for them.
        "CMAKE_TRY_COMPILE_TARGET_TYPE": "STATIC_LIBRARY",
        "CMAKE_HAVE_LIBC_PTHREAD": "ON",
        "CMAKE_SYSTEM_NAME": target.system,
        "CMAKE_SYSTEM_PROCESSOR": target.processor,
        "CMAKE_CXX_COMPILER": tool(folder, "c++", "c++", "-g0", "-target", target.zig),
        "CMAKE_AR": tool(folder, "ar", "ar"),
        "CMAKE_RANLIB": tool(folder, "ranlib", "ranlib"),
        "CMAKE_MODULE_PATH": ROOT / "tools" / "wheels",
        "CMAKE_INSTALL_PREFIX": folder / "installed",
        "FOURCAST_PYTHON_HEADERS": headers,
        "FOURCAST_TESTS": "ON",
        "SKBUILD_PROJECT_VERSION_FULL": version(),
        "nanobind_DIR": nanobind_folder(),
    }
    if target.system == "Windows":
        settings["FOURCAST_PYTHON_LIBRARY"] = import_library(headers)
    if target.system == "Darwin":
        settings["CMAKE_OSX_SYSROOT"] = ""  # zig has its own
        settings["CMAKE_INSTALL_NAME_TOOL"] = settings["CMAKE_STRIP"] = "true"  # not for this machine
    given = [f"-D{name}={value}" for name, value in settings.items()]
    run("cmake", "-G", "Ninja", "-S", ".", "-B", folder, "--log-level=WARNING", *given)
    run("cmake", "--build", folder, "--", "--quiet")
    run("cmake", "--install", folder)
    module = next((folder / "installed" / "fourcast").glob("_core*"))
    if target.tag.startswith("musl"):  # by the name that musllinux has for it; musl's loader knows both
        run("patchelf", "--replace-needed", "libc.so", f"libc.musl-{target.processor}.so.1", module)
    return module


def nanobind_folder() -> str:
    import nanobind

    return str(nanobind.cmake_dir())


def python_files() -> Path:
    """Make a wheel of everything but the module, as the build backend collects it."""
    if not bundled_files():
        sys.exit("the page is not bundled; run: make page-bundle")
    shutil.rmtree(BUILD / "plain", ignore_errors=True)
    settings = [
        "wheel.cmake=false",
        "wheel.py-api=py3",
        f"build-dir={BUILD / 'plain' / 'build'}",
    ]
    pip = [sys.executable, "-m", "pip", "wheel", "-qq", "--no-deps", "--no-build-isolation"]
    run(*pip, *(f"-C{setting}" for setting in settings), "-w", BUILD / "plain", ".")
    return next((BUILD / "plain").glob("*.whl"))


def put_together(plain: Path, module: Path, target: Target) -> Path:
    """Write the wheel of a target: the files of *plain*, the module, and the records of both."""
    DIST.mkdir(exist_ok=True)
    tag = f"cp312-abi3-{target.tag}"
    info = f"fourcast-{version()}.dist-info"
    with zipfile.ZipFile(plain) as source:
        content = {name: source.read(name) for name in source.namelist() if not name.endswith("/")}
    kept = [
        line
        for line in content[f"{info}/WHEEL"].decode().splitlines()
        if not line.startswith(("Tag:", "Root-Is-Purelib:"))
    ]
    kept = [line for line in kept if line]
    content[f"{info}/WHEEL"] = "\n".join([*kept, "Root-Is-Purelib: false", f"Tag: {tag}", ""]).encode()
    content[f"fourcast/{module.name}"] = module.read_bytes()
    record = f"{info}/RECORD"
    content.pop(record)
    rows = io.StringIO()
    writer = csv.writer(rows, lineterminator="\n")
    for name, data in sorted(content.items()):
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        writer.writerow([name, f"sha256={digest}", len(data)])
    writer.writerow([record, "", ""])
    with zipfile.ZipFile(target.wheel, "w", zipfile.ZIP_DEFLATED) as wheel:
        for name, data in [*sorted(content.items()), (record, rows.getvalue().encode())]:
            entry = zipfile.ZipInfo(name, (2020, 1, 1, 0, 0, 0))  # the same files make the same wheel
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = (0o755 if name.endswith((".so", ".pyd")) else 0o644) << 16
            wheel.writestr(entry, data)
    return target.wheel


def main(arguments: list[str]) -> None:
    parser = argparse.ArgumentParser(description="Build wheels for other systems.")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(TARGETS)}; default all")
    parser.add_argument("--headers", type=Path, help="the folder of Python.h of Python 3.12 or newer")
    options = parser.parse_args(arguments)
    unknown = [name for name in options.names if name not in TARGETS]
    if unknown:
        parser.error(f"{unknown[0]} is not one of {', '.join(TARGETS)}")
    headers = find_headers(options.headers)
    plain = python_files()
    for name in options.names or TARGETS:
        target = TARGETS[name]
        print(f"compiling for {name}", flush=True)
        wheel = put_together(plain, compile_for(target, headers), target)
        print(f"{wheel.relative_to(ROOT)}: {wheel.stat().st_size:,} bytes", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
