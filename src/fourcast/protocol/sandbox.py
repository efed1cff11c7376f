"""How player programs are isolated: which way this system offers, and what a program may see.

`docs/protocol.md` says it for the authors of programs; `bubblewrap.py` and `seccomp.py` do it.
"""

from __future__ import annotations

import enum
import functools
import os
import shutil
import site
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from fourcast.errors import FourcastError, OptionError
from fourcast.protocol.bubblewrap import View, is_below
from fourcast.protocol.process import ProgramProcess

__all__ = ["Isolation", "Sandbox", "find_isolation", "named_paths", "start"]


class Sandbox(str, enum.Enum):
    """Whether programs run isolated from the system, from each other and from the network."""

    AUTO = "auto"
    """If the system allows it."""
    REQUIRE = "require"
    """Or not at all."""
    OFF = "off"


@dataclass(frozen=True)
class Isolation:
    """How programs are started here."""

    kind: str
    """`bubblewrap` or `none`."""
    reason: str = ""
    """Why programs are not isolated."""

    def __str__(self) -> str:
        if self.kind != "none":
            return f"Programs run in a sandbox ({self.kind}): they see their own folder, and no network."
        return (
            f"Programs run without a sandbox ({self.reason}): they can read your files and use your "
            "network. Their time and memory are limited."
        )


def find_isolation(wanted: Sandbox | str) -> Isolation:
    """Return the isolation to start programs with; raise `OptionError` if it is required and missing.

    Raises `FourcastError` where no program can be started.
    """
    wanted = parse_sandbox(wanted)
    if not hasattr(os, "fork"):
        raise FourcastError(
            "programs as players need Linux or macOS, where all that a program has started can be ended "
            "with it; on Windows, run fourcast in WSL for them"
        )
    if wanted is Sandbox.OFF:
        return Isolation("none", "it was switched off")
    found = _available()
    if wanted is Sandbox.REQUIRE and found.kind == "none":
        raise OptionError(f"a sandbox is required, but this system has none: {found.reason}")
    return found


def parse_sandbox(text: Sandbox | str) -> Sandbox:
    """Return the mode that *text* names.

    >>> parse_sandbox("off").name
    'OFF'
    """
    try:
        return Sandbox(text)
    except ValueError:
        choices = ", ".join(mode.value for mode in Sandbox)
        raise OptionError(f"sandbox must be one of {choices}, not {text!r}") from None


@functools.cache
def _available() -> Isolation:
    """Try to isolate a program that does nothing: no list of reasons for a failure is complete."""
    if sys.platform != "linux":
        return Isolation("none", f"it is a feature of Linux, and this is {sys.platform}")
    if not shutil.which("bwrap"):
        return Isolation("none", "bubblewrap is not installed")
    reason = try_isolation("bubblewrap")
    return Isolation("none", f"bubblewrap: {reason}") if reason else Isolation("bubblewrap")


def try_isolation(kind: str) -> str:
    """Return why programs cannot be isolated in this way here; empty if they can."""
    command = [sys.executable, "-IS", "-c", "print('here')"]
    with start(command, os.getcwd(), Isolation(kind), memory_mb=1024) as process:
        process.wait_for_end(5.0)
        process.step()
        if process.output == b"here\n" and process.exit_status == 0:
            return ""
        words = process.standard_error.strip().splitlines()
        return process.isolation_failure or (words[-1] if words else "the first process did not start")


def start(
    command: Sequence[str],
    directory: str,
    isolation: Isolation,
    *,
    memory_mb: int,
    hidden: Iterable[str] = (),
) -> ProgramProcess:
    """Start a program in *directory*, which sees what `view_for` says if it is isolated."""
    return ProgramProcess(
        command,
        isolation=isolation.kind,
        view=view_for(command, directory, hidden),
        environment=environment(isolation),
        memory_mb=memory_mb,
    )


# What a program may see

SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/opt", "/nix", "/gnu/store")
# What linkers, runtimes and clocks read in /etc; no passwords or keys.
SETTINGS = (
    *("ld.so.cache", "ld.so.conf", "ld.so.conf.d", "ld.so.preload", "alternatives", "localtime"),
    *(
        "passwd",
        "group",
        "nsswitch.conf",
        "hosts",
        "host.conf",
        "locale.alias",
        "mime.types",
        "timezone",
    ),
    *("fonts", "java", "java-8-openjdk", "java-11-openjdk", "java-17-openjdk", "java-21-openjdk"),
    *(
        "python3",
        "python3.10",
        "python3.11",
        "python3.12",
        "python3.13",
        "python3.14",
        "ssl/openssl.cnf",
    ),
)
# Variables that say where runtimes are; the folders named by the first ones are readable.
SEARCHED = ("DOTNET_ROOT", "JAVA_HOME", "LD_LIBRARY_PATH", "NODE_PATH", "PYTHONPATH", "VIRTUAL_ENV")
PASSED_ON = (*SEARCHED, "PATH")
# The rest is the same on every machine: no variable of a shell decides how a program behaves.
FIXED = {"LANG": "C.UTF-8", "TMPDIR": "/tmp", "TZ": "UTC"}
SCRATCH_MB = 64


def environment(isolation: Isolation) -> dict[str, str]:
    """Return a program's environment: where runtimes are, and what is the same on every machine."""
    found = {key: os.environ[key] for key in PASSED_ON if key in os.environ}
    home = "/tmp" if isolation.kind != "none" else os.path.expanduser("~")
    return found | FIXED | {"HOME": home}


def named_paths(command: Sequence[str], directory: str) -> list[str]:
    """Return the files and folders that the words of a command name, the program itself left out.

    >>> import tempfile; folder = tempfile.mkdtemp(); path = f"{folder}/bot.py"; open(path, "w").close()
    >>> named_paths(["python", "bot.py", "--fast"], folder) == [path]
    True
    """
    found = []
    for word in command[1:]:
        for part in (word, *word.split(":"), word.partition("=")[2]):
            path = os.path.normpath(os.path.join(directory, part))
            if part and not part.startswith("-") and os.path.exists(path) and path not in found:
                found.append(path)
    return found


def view_for(command: Sequence[str], directory: str, hidden: Iterable[str] = ()) -> View:
    """Return what a program may see: the system, its interpreter, and the folders of what it names.

    *hidden* is covered where it would be seen, unless the program's own command names it.
    """
    own = [*_own_executable(command, directory), *named_paths(command, directory)]
    if not named_paths(command, directory) and not _is_too_much(directory):
        own.append(directory)
    readable = [
        *SYSTEM,
        *(f"/etc/{name}" for name in SETTINGS),
        *_python_folders(),
        *_searched_folders(),
    ]
    for word in command:  # also the interpreter behind `env` and the like
        if program := shutil.which(word):
            readable += _installation(os.path.join(directory, program))
    for path in own:
        folder = path if os.path.isdir(path) else os.path.dirname(path)
        readable.append(path if _is_too_much(folder) else folder)
        readable.append(os.path.realpath(path))
    covered = [
        path
        for path in map(os.path.realpath, hidden)
        if not any(is_below(os.path.realpath(mine), path) for mine in own)
    ]
    return View(readable=readable, hidden=covered, directory=directory, scratch_mb=SCRATCH_MB)


def _own_executable(command: Sequence[str], directory: str) -> list[str]:
    """The program itself, if it is given by a path: `./mybot`."""
    path = os.path.normpath(os.path.join(directory, command[0]))
    return [path] if "/" in command[0] and os.path.isfile(path) and not _is_interpreter(path) else []


def _is_interpreter(path: str) -> bool:
    """Whether a program was installed, with more than itself; pyenv and others call the folder shims."""
    return os.path.basename(os.path.dirname(path)) in ("bin", "shims")


def _installation(program: str) -> list[str]:
    """The folders that a program on the PATH needs: those above its `bin`, at each symbolic link."""
    folders = []
    for _ in range(20):
        if _is_interpreter(program):
            prefix = os.path.dirname(os.path.dirname(program))
            if not _is_too_much(prefix):
                folders.append(prefix)
        folders.append(program)
        if not os.path.islink(program):
            break
        target = os.readlink(program)
        program = os.path.normpath(os.path.join(os.path.dirname(program), target))
    return folders


def _searched_folders() -> list[str]:
    """The folders that the environment tells runtimes to look into."""
    named = [folder for key in SEARCHED for folder in os.environ.get(key, "").split(os.pathsep)]
    return [os.path.abspath(folder) for folder in named if folder and not _is_too_much(folder)]


def _python_folders() -> list[str]:
    """Where this Python and its packages are: it starts the programs, and may be what runs them."""
    package = str(Path(__file__).resolve().parent.parent)
    user_packages = site.getusersitepackages()
    folders = [sys.prefix, sys.base_prefix, sys.exec_prefix, package, user_packages]
    return [*folders, *_installation(sys.executable)]


def _is_too_much(folder: str) -> bool:
    """Whether a folder is shown by single files only: it holds more than a program."""
    real = os.path.realpath(folder)
    return is_below(os.path.realpath(os.path.expanduser("~")), real) or real in ("/tmp", "/var/tmp")
