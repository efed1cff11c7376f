"""Tests the wheels that make_wheels.py has made, each on the system that it is for: `make wheels`.

python tools/wheels/check_wheels.py [NAME ...]

Names are those of make_wheels.py; by default all wheels that are in dist. For each of them:
- the C++ tests run: here, in qemu-user for arm64, in wine for Windows. For macOS they are only linked,
  and llvm-objdump shows what the module asks of the system;
- auditwheel and abi3audit say that the wheel is what its name says;
- smoke.py and, on arm64 and Windows, the Python tests of rules and solver run on a Python that has the
  wheel and what it needs, and no compiler. It is Debian's, unpacked into a folder by debootstrap, which
  wants to be root; for Windows its libraries come from the wheel of Panda3D, and for musl it is compiled
  here.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

from make_wheels import (
    BUILD,
    DEBIAN,
    MIRROR,
    PYTHON,
    ROOT,
    TARGETS,
    Target,
    python_source,
    run,
    tool,
    zig,
)
from packaging.requirements import Requirement

TESTS = [
    *(f"tests/core/test_{name}.py" for name in ("position", "position_model", "solver", "values")),
    "tests/study/test_review.py",
]
NEEDED_BY_TESTS = ["hypothesis", "numpy", "pytest", "pytest-timeout"]
OLD_NUMPY = "numpy<2.2"
"""For Windows: newer ones call `crealf` when they are imported, which wine 8 does not have."""
NEWEST = ("forky", "3.15")
"""The Debian release with the newest Python, and that Python."""
BUNDLES = (
    "web/page/bundled/js/main.js",
    "web/page/bundled/sources.sha256",
    "notebook/bundled/widget.js",
)
SMOKE = ROOT / "tools" / "wheels" / "smoke.py"
BARE = ["env", "-i", "HOME=/tmp", "LANG=C.UTF-8", "PATH=/usr/sbin:/usr/bin"]
WINE = {"WINEPREFIX": str(BUILD / "wine"), "WINEDEBUG": "-all", "DISPLAY": ""}

# What of Panda3D's wheel is Python's, but for what asks Windows about itself, which ends in wine.
LIBRARIES = re.compile(r"deploy_libs/((?!_wmi)\w+\.pyd|(python|lib|sqlite|VCRUNTIME|zlib).*\.dll)")

# Starts Python: Panda3D brings its libraries, and no program.
PYTHON_EXE = """
#include <windows.h>
int wmain(int count, wchar_t** words) {
    HMODULE library = LoadLibraryW(L"python313.dll");
    int (*run)(int, wchar_t**) = library ? (void*)GetProcAddress(library, "Py_Main") : 0;
    return run ? run(count, words) : 127;
}
"""

# What Rust's library takes random numbers from, as in pydantic; wine 8 does not have it.
BCRYPTPRIMITIVES_DLL = """
#include <windows.h>
BOOLEAN NTAPI SystemFunction036(void* data, ULONG bytes);
__declspec(dllexport) BOOL WINAPI ProcessPrng(BYTE* data, SIZE_T bytes) {
    return SystemFunction036(data, (ULONG)bytes);
}
"""


def debian(architecture: str, release: str = DEBIAN, python: str = PYTHON) -> Path:
    """Unpack Debian's Python for a processor into a folder, and return it."""
    folder = BUILD / f"debian-{release}-{architecture}"
    if not (folder / "done").exists():
        shutil.rmtree(folder, ignore_errors=True)
        options = ["--foreign", f"--arch={architecture}", "--variant=minbase"]
        # Every release is unpacked alike; a debootstrap knows the names of older ones only.
        script = "/usr/share/debootstrap/scripts/sid"
        run("debootstrap", *options, f"--include=python{python},musl", release, folder, MIRROR, script)
        for package in sorted((folder / "var" / "cache" / "apt" / "archives").glob("*.deb")):
            run("dpkg", "-x", package, folder)
        (folder / "done").touch()
    return folder


def compile_c(result: Path, source: str, *options: str) -> None:
    """Compile a program or a library for Windows."""
    file = result.with_suffix(".c")
    file.write_text(source, "utf-8")
    run(zig(), "cc", "-target", "x86_64-windows-gnu", "-O2", "-w", file, *options, "-o", result)


def windows() -> Path:
    """Put a Python for Windows together, and return its folder."""
    folder = BUILD / "windows"
    if not (folder / "done").exists():
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        install("panda3d", folder / "download", "win_amd64", only="download")
        with zipfile.ZipFile(next((folder / "download").glob("*.whl"))) as wheel:
            for name in wheel.namelist():
                if LIBRARIES.fullmatch(name):
                    (folder / name.rpartition("/")[2]).write_bytes(wheel.read(name))
        library = debian("amd64") / "usr" / "lib" / f"python{PYTHON}"
        # The last of these is a link to a file in /etc.
        without = shutil.ignore_patterns("lib-dynload", "config-*", "sitecustomize.py")
        shutil.copytree(library, folder / "Lib", ignore=without)
        (folder / "python313._pth").write_text("Lib\n.\nsite-packages\nimport site\n", "utf-8")
        compile_c(folder / "python.exe", PYTHON_EXE, "-municode")
        compile_c(folder / "bcryptprimitives.dll", BCRYPTPRIMITIVES_DLL, "-shared", "-ladvapi32")
        # What a module of the stable ABI is linked with: every name in it leads to the library.
        names = (line.split() for line in (BUILD / "python3.def").read_text("utf-8").splitlines()[2:])
        forwards = [f"{name} = python313.{name} {' '.join(kind)}" for name, *kind in names]
        (folder / "python3.def").write_text("\n".join(["EXPORTS", *forwards, ""]), "utf-8")
        compile_c(folder / "python3.dll", "", "-shared", str(folder / "python3.def"))
        subprocess.run(
            ["wine", "winecfg", "-v", "win10"], env=os.environ | WINE, check=True, timeout=300
        )
        (folder / "done").touch()
    return folder


def install(
    what: str | Path,
    folder: Path,
    platform: str,
    *more: str,
    only: str = "install",
    python: str = PYTHON,
) -> None:
    """Install packages for a platform into a folder, or download them; nothing is compiled."""
    where = ["--target", str(folder)] if only == "install" else ["--no-deps", "--dest", str(folder)]
    choice = ["--python-version", python, "--only-binary", ":all:"]
    for name in (platform, *older_platforms(platform)):
        choice += ["--platform", name]
    run(sys.executable, "-m", "pip", only, "-qq", *where, *choice, what, *more)


def older_platforms(platform: str) -> list[str]:
    """Return the names of Linux systems whose wheels run on a platform, too: pip does not know them.

    >>> older_platforms("musllinux_1_2_x86_64")
    ['musllinux_1_1_x86_64']
    >>> older_platforms("manylinux_2_18_x86_64")
    ['manylinux_2_17_x86_64', 'manylinux2014_x86_64']
    """
    found = re.fullmatch(r"(musl|many)linux_(\d)_(\d+)_(\w+)", platform)
    if not found:
        return []
    kind, major, minor, processor = found.groups()
    oldest = 1 if kind == "musl" else 17
    names = [f"{kind}linux_{major}_{n}_{processor}" for n in range(int(minor) - 1, oldest - 1, -1)]
    return names if kind == "musl" else [*names, f"manylinux2014_{processor}"]


def check_name(target: Target) -> None:
    """Have auditwheel and abi3audit look at the wheel."""
    if target.system == "Linux":
        command = [sys.executable, "-m", "auditwheel", "show", str(target.wheel)]
        report = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        found = re.findall(r'"?((?:many|musl)linux_\d+_\d+_\w+)"?', " ".join(report.split()))
        oldest = found[-1] if found else "none"
        print(f"auditwheel: {', '.join(dict.fromkeys(found))}")
        if not is_as_old(oldest, target.tag):
            sys.exit(f"auditwheel calls {target.wheel.name} {oldest}:\n{report}")
    run(sys.executable, "-m", "abi3audit", "--strict", target.wheel)
    with zipfile.ZipFile(target.wheel) as content:
        missing = {f"fourcast/{name}" for name in BUNDLES} - set(content.namelist())
    if missing:
        sys.exit(
            f"{target.wheel.name} has no {', '.join(sorted(missing))}: run make page-bundle, make wheels"
        )


def is_as_old(found: str, wanted: str) -> bool:
    """Whether a platform tag asks for no newer system than another.

    >>> is_as_old("manylinux_2_17_x86_64", "manylinux_2_28_x86_64")
    True
    >>> is_as_old("manylinux_2_34_x86_64", "manylinux_2_28_x86_64")
    False
    """
    split = re.compile(r"([a-z]+)_(\d+)_(\d+)_(\w+)").fullmatch
    first, second = split(found), split(wanted)
    if not first or not second or (first[1], first[4]) != (second[1], second[4]):
        return False
    return (int(first[2]), int(first[3])) <= (int(second[2]), int(second[3]))


def musl_python(target: Target) -> Path:
    """Compile a Python for musl, and return the program: no registry has one."""
    folder = target.folder / "python"
    if not (folder / "done").exists():
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        compiler = tool(folder, "cc", "cc", "-target", target.zig, "-dynamic")
        # Without libraries of this machine, and quicker to compile than to run.
        settings = [f"CC={compiler}", "CFLAGS=-w -Wno-date-time", "OPT=-O1 -DNDEBUG", "PKG_CONFIG=false"]
        settings += ["ac_cv_func_preadv2=no", "ac_cv_func_pwritev2=no"]  # newer than Debian's musl
        # A name in musl's stdarg.h, which zig replaces: by it configure sees that this is musl.
        settings += [f"CPP={compiler} -E -D__DEFINED_va_list"]
        options = ["-q", "--without-ensurepip", "--disable-test-modules", "--disable-ipv6"]
        here = TARGETS["musllinux_1_2_x86_64"]
        if target != here:
            options += [f"--host={target.processor}-linux-musl", f"--build={here.processor}-linux-musl"]
            options += [f"--with-build-python={musl_python(here)}"]
            settings += ["ac_cv_file__dev_ptmx=yes", "ac_cv_file__dev_ptc=no"]  # configure cannot look
        run("env", "-C", folder, *settings, python_source() / "configure", *options)
        run("make", "-C", folder, "-s", "-j2", "COMPILEALL_OPTS=-q")
        (folder / "done").touch()
    return folder / "python"


def musl_root(target: Target) -> Path:
    """Install the Python for musl into a folder with musl and nothing else, and return it."""
    root = target.folder / "root"
    if not (root / "done").exists():
        shutil.rmtree(root, ignore_errors=True)
        for name in ("lib", "tmp"):
            (root / name).mkdir(parents=True)
        loader = f"ld-musl-{target.processor}.so.1"
        shutil.copy(debian("amd64") / "usr" / "lib" / loader, root / "lib")
        parts = ["altbininstall", "libinstall", "sharedinstall"]
        settings = ["COMPILEALL_OPTS=-q", "prefix=/usr", f"DESTDIR={root}"]
        run("make", "-C", musl_python(target).parent, "-s", *settings, *parts)
        (root / "done").touch()
    return root


def check_linux(target: Target) -> None:
    """Run the C++ tests, and the wheel on Debian's Python or on one for musl."""
    is_here = target.processor == os.uname().machine
    root = debian("amd64" if target.processor == "x86_64" else "arm64")
    emulator: list[str | Path] = [] if is_here else ["qemu-aarch64", "-L", root]
    run(*emulator, target.tests)
    packages = target.folder / "packages"
    shutil.rmtree(packages, ignore_errors=True)
    is_musl = target.tag.startswith("musl")
    if is_here and is_musl:
        check_bare(target, musl_root(target), PYTHON, extra="")
    elif is_here:
        for release, number in ((DEBIAN, PYTHON), NEWEST):
            check_bare(target, debian("amd64", release, number), number, extra="[web]")
    else:
        install(target.wheel, packages, target.tag, *NEEDED_BY_TESTS)
        # The emulator does not start other programs, so no test that does.
        python = root / "usr" / "bin" / f"python{PYTHON}"
        home = ["-E", f"PYTHONHOME={root}/usr"]
        if is_musl:
            python, home = musl_python(target), []
        there = [*emulator, *home, "-E", f"PYTHONPATH={packages}", python, "-m"]
        run(*there, "fourcast", "solve", "44455554221", "--style", "ascii")
        run(*there, "pytest", *pytest_options(target), *TESTS)


def check_bare(target: Target, root: Path, python: str, *, extra: str) -> None:
    """Run the wheel in a root folder of its own: no other Python, no compiler, no network."""
    packages = root / "opt" / "packages"
    shutil.rmtree(packages, ignore_errors=True)
    install(f"{target.wheel}{extra}", packages, target.tag, python=python)
    shutil.copy(SMOKE, root / "opt")
    alone = ["unshare", "--net", "sh", "-c", 'ip link set lo up && exec "$@"', "sh"]
    bare = [*BARE, "PYTHONPATH=/opt/packages", "chroot", str(root)]
    run(*alone, *bare, f"/usr/bin/python{python}", "/opt/smoke.py")


def needed_on_windows(wheel: Path) -> list[str]:
    """Return what the web app of a wheel needs on Windows: pip would choose for this system."""
    with zipfile.ZipFile(wheel) as content:
        name = next(name for name in content.namelist() if name.endswith(".dist-info/METADATA"))
        lines = content.read(name).decode().splitlines()
    found = [Requirement(line[len(_NEEDS) :]) for line in lines if line.startswith(_NEEDS)]
    there = {"extra": "web", "platform_system": "Windows", "sys_platform": "win32", "os_name": "nt"}
    return [
        f"{each.name}{each.specifier}" for each in found if each.marker and each.marker.evaluate(there)
    ]


_NEEDS = "Requires-Dist: "


def check_windows(target: Target) -> None:
    """Run the C++ tests and the wheel in wine."""
    run_in_wine(target.tests)
    folder = windows()
    packages = folder / "site-packages"
    shutil.rmtree(packages, ignore_errors=True)
    install(
        target.wheel, packages, target.tag, *needed_on_windows(target.wheel), *NEEDED_BY_TESTS, OLD_NUMPY
    )
    for words in (
        [str(SMOKE.relative_to(ROOT))],
        ["-m", "pytest", *pytest_options(target), *TESTS],
    ):
        run_in_wine(folder / "python.exe", *words)


def run_in_wine(*command: str | Path) -> None:
    """Run a program of Windows. It writes into a pipe: Python in wine does not start with a file."""
    with subprocess.Popen(
        ["wine", *command],
        env=os.environ | WINE,
        cwd=ROOT,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    ) as process:
        assert process.stdout
        for line in process.stdout:
            print(line.decode("utf-8", "replace").rstrip(), flush=True)
    if process.returncode != 0:
        sys.exit(f"{command[0]} ended with {process.returncode}")


def check_macos(target: Target) -> None:
    """Look at what the module asks of macOS and of Python: nothing here can run it."""
    module = next((target.folder / "installed" / "fourcast").glob("_core*"))
    print_all = [
        "llvm-objdump",
        "--macho",
        "--private-headers",
        "--bind",
        "--lazy-bind",
        "--exports-trie",
    ]
    text = subprocess.run([*print_all, module], capture_output=True, text=True, check=True).stdout
    libraries = re.findall(r"cmd LC_LOAD_DYLIB\n.*\n\s+name (\S+)", text)
    oldest = re.findall(r"minos (\S+)", text)
    found_later = re.findall(r"flat-namespace\s+_(\w+)", text)
    strangers = [name for name in found_later if not name.lstrip("_").startswith("Py")]
    if libraries != ["/usr/lib/libSystem.B.dylib"] or oldest != ["11.0"] or strangers:
        sys.exit(f"{module} wants {libraries} of macOS {oldest}, and {strangers} of Python")
    if "_PyInit__core" not in text:
        sys.exit(f"{module} is no module of Python")
    if target.processor == "arm64" and "LC_CODE_SIGNATURE" not in text:
        sys.exit(f"{module} is not signed, and macOS on arm64 loads nothing else")
    print(f"macOS {oldest[0]}, {libraries[0]}, and {len(found_later)} names of Python")


def pytest_options(target: Target) -> list[str]:
    """Return the options of tests on another system, which is slow here."""
    settings = [
        "addopts=--import-mode=importlib -m 'not slow'",
        f"cache_dir={target.folder / 'pytest'}",
        "timeout=1800",
    ]
    return ["-q", *(word for setting in settings for word in ("-o", setting))]


def main(names: list[str]) -> None:
    for target in TARGETS.values():
        if (names and target.tag not in names) or not target.wheel.exists():
            continue
        print(f"checking {target.wheel.name}", flush=True)
        check_name(target)
        if target.system == "Linux":
            check_linux(target)
        elif target.system == "Windows":
            check_windows(target)
        else:
            check_macos(target)


if __name__ == "__main__":
    main(sys.argv[1:])
