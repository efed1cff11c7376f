"""Compiles the core to WebAssembly.

python tools/wasm/build_wasm.py [FILE [OBJECTS]]

FILE is the whole core. Beside it comes a smaller one for playing, with `-play` in its name, which has
everything but the explanations.

The compiler is that of the package `ziglang`. Its version decides about every byte of the result and is
pinned in pyproject.toml (group `wasm`); the same sources make the same file in any folder. Object files
stay in OBJECTS, build/wasm by default, and only those are compiled again whose sources have changed.
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
NATIVE = ROOT / "native"
RESULT = ROOT / "src" / "fourcast" / "web" / "page" / "static" / "js" / "core" / "fourcast.wasm"
OBJECTS = ROOT / "build" / "wasm"

ROOMS = ["system", "board", "book", "search", "solver", "players", "reasons", "study", "wasm"]
# Files and threads need an operating system.
LEFT_OUT = {"book_file.cpp", "thread.cpp"}
# Searches are compiled for speed, all else for size.
SEARCHES = {"engine.cpp", "lookahead.cpp", "mcts.cpp", "playout.cpp"}

TARGET = [
    *("-target", "wasm32-wasi", "-mcpu=generic+exception_handling+simd128"),
    *("-fwasm-exceptions", "-mllvm", "-wasm-use-legacy-eh=true"),
    *("-g0", "-DNDEBUG", "-fno-sanitize=all", "-fvisibility=hidden"),
]
CORE = [
    *TARGET,
    "-Inative",
    *("-std=c++20", "-Wall", "-Wextra", "-Werror", "-Wno-missing-field-initializers"),
    "-fno-slp-vectorize",
]
LINK = [
    *("-mexec-model=reactor", "-Wl,--strip-all", "-Wl,--gc-sections"),
    # A search of the largest boards takes up to 600 KB.
    "-Wl,-z,stack-size=4194304",
]


def zig_folder() -> Path:
    spec = importlib.util.find_spec("ziglang")
    if spec is None or spec.origin is None:
        sys.exit("the compiler is missing; run: make wasm")
    return Path(spec.origin).parent


def zig(*arguments: str | Path) -> None:
    # From the project's folder, by relative paths: no path of this machine gets into the result.
    subprocess.run([zig_folder() / "zig", *arguments], cwd=ROOT, check=True)


def runtime() -> list[tuple[Path, list[str]]]:
    """Return the sources of C++ exceptions, with their flags: the toolchain has no library of them."""
    lib = zig_folder() / "lib"
    abi, unwind = lib / "libcxxabi", lib / "libunwind"
    flags = [
        *(*TARGET, "-Os", "-w"),
        *(f"-I{abi / 'include'}", f"-I{lib / 'libcxx' / 'src'}", f"-I{unwind / 'include'}"),
        *("-DLIBCXXABI_SILENT_TERMINATE", "-D_LIBCXXABI_BUILDING_LIBRARY", "-D_LIBCPP_BUILDING_LIBRARY"),
        *("-D_LIBCXXABI_HAS_NO_THREADS", "-D_LIBUNWIND_HAS_NO_THREADS", "-D_LIBUNWIND_HIDE_SYMBOLS"),
    ]
    return [
        (NATIVE / "wasm" / "exception_tag.s", TARGET[:3]),
        (abi / "src" / "cxa_exception.cpp", [*flags, "-std=c++23"]),
        (abi / "src" / "cxa_personality.cpp", [*flags, "-std=c++23"]),
        (unwind / "src" / "Unwind-wasm.c", flags),
    ]


def core() -> list[tuple[Path, list[str]]]:
    """Return the sources of the core, with their flags."""
    # A call costs more here than on a processor: with what LLVM inlines by itself, the search takes a
    # seventh longer.
    kernel = [
        *("-DFOURCAST_KERNEL=portable", "-DFOURCAST_MAKE_ENGINE=make_engine_portable"),
        *("-mllvm", "-inline-threshold=2000"),
    ]
    sources = [source for room in ROOMS for source in sorted((NATIVE / room).glob("*.cpp"))]
    flags = {
        source: [
            *CORE,
            "-O3" if source.name in SEARCHES else "-Os",
            *(kernel if source.name == "engine.cpp" else []),
        ]
        for source in sources
        if source.name not in LEFT_OUT
    }
    return list(flags.items())


def headers_digest() -> bytes:
    digest = hashlib.sha256()
    for header in sorted([*NATIVE.rglob("*.hpp"), *NATIVE.rglob("*.inc")]):
        digest.update(header.read_bytes())
    return digest.digest()


def relative(path: Path) -> Path:
    return path.relative_to(ROOT) if path.is_relative_to(ROOT) else path


def compiled(source: Path, flags: list[str], headers: bytes, objects: Path) -> Path:
    """Return the object file of *source*, named by what it is made of."""
    content = hashlib.sha256(headers + source.read_bytes() + repr(flags).encode()).hexdigest()
    result = objects / f"{source.stem}-{content[:16]}.o"
    if not result.exists():
        unfinished = result.with_suffix(f".{os.getpid()}.o")
        language = "c++" if source.suffix == ".cpp" else "cc"
        zig(language, *flags, "-c", relative(source), "-o", relative(unfinished))
        unfinished.rename(result)
    return result


def main(arguments: list[str]) -> None:
    result = Path(arguments[0]).resolve() if arguments else RESULT
    folder = Path(arguments[1]).resolve() if len(arguments) > 1 else OBJECTS
    folder.mkdir(parents=True, exist_ok=True)
    result.parent.mkdir(parents=True, exist_ok=True)
    headers = headers_digest()
    with ThreadPoolExecutor(int(os.environ.get("CMAKE_BUILD_PARALLEL_LEVEL", "2"))) as pool:
        # The runtime comes first: the linker takes what it finds first.
        sources = [*runtime(), *core()]
        made = pool.map(lambda each: compiled(each[0], each[1], headers, folder), sources)
        objects = {source: file for (source, _), file in zip(sources, made, strict=True)}
    stub = NATIVE / "wasm" / "no_reasons.cpp"
    link(result, [file for source, file in objects.items() if source != stub])
    reasons = NATIVE / "reasons"
    play = [file for source, file in objects.items() if source.parent != reasons]
    link(result.with_name(f"{result.stem}-play{result.suffix}"), play)


def link(result: Path, objects: list[Path]) -> None:
    zig("c++", *TARGET, "-O3", *LINK, *(relative(each) for each in objects), "-o", relative(result))
    result.chmod(0o644)
    print(f"{relative(result)}: {result.stat().st_size:,} bytes")


if __name__ == "__main__":
    main(sys.argv[1:])
