"""The languages that player programs are written in: how each of them answers, flushes and crashes."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass

__all__ = ["INTERPRETERS", "Language", "language_of"]

_TRACEBACK = "The last lines of what it wrote to standard error say what went wrong, and in which line."


@dataclass(frozen=True)
class Language:
    """What its programs are told."""

    name: str
    answer: str
    """Writes a move."""
    flush: str
    """Has it leave the program."""
    crash: str = _TRACEBACK
    """Where to look after a crash."""


PYTHON = Language(
    "Python",
    'print(json.dumps({"move": column}), flush=True)',
    "print(..., flush=True)",
    "The last line of the traceback says what went wrong, the lines above it where.",
)
JAVASCRIPT = Language(
    "JavaScript",
    "console.log(JSON.stringify({ move: column }))",
    "process.stdout.write(line + '\\n'), and no await of more input before it",
)
JAVA = Language(
    "Java",
    'System.out.println("{\\"move\\": " + column + "}")',
    "System.out.flush()",
    "The first line of the stack trace says what went wrong, the lines below it where.",
)
_NATIVE = "Compile it with -g -fsanitize=address,undefined: then it says what went wrong, and where."
C = Language("C", 'printf("{\\"move\\": %d}\\n", column)', "fflush(stdout)", _NATIVE)
CPP = Language("C++", 'std::cout << "{\\"move\\": " << column << "}" << std::endl', "std::endl", _NATIVE)
RUST = Language(
    "Rust",
    'println!("{{\\"move\\": {column}}}")',
    "std::io::stdout().flush()",
    'The line with "panicked at" says where it went wrong; RUST_BACKTRACE=1 shows how it came there.',
)
GO = Language(
    "Go",
    'fmt.Printf("{\\"move\\": %d}\\n", column)',
    "writer.Flush(), if you write through a bufio.Writer",
    'The line with "panic:" says what went wrong, the first lines of the goroutine where.',
)
RUBY = Language("Ruby", "puts JSON.generate({ move: column })", "$stdout.flush, or $stdout.sync = true")
PERL = Language("Perl", 'print "{\\"move\\": $column}\\n"', "$| = 1")
LUA = Language("Lua", "print('{\"move\": ' .. column .. '}')", "io.stdout:flush()")
PHP = Language("PHP", 'echo json_encode(["move" => $column]), "\\n"', "flush()")
C_SHARP = Language(
    "C#", 'Console.WriteLine($"{{\\"move\\": {column}}}")', "Console.Out.Flush()", JAVA.crash
)
OTHER = Language("", '{"move": 3}', "fflush(stdout) in C, std::endl in C++", _TRACEBACK)

INTERPRETERS = {
    "python": PYTHON,
    "pypy": PYTHON,
    "node": JAVASCRIPT,
    "deno": JAVASCRIPT,
    "bun": JAVASCRIPT,
    "java": JAVA,
    "ruby": RUBY,
    "perl": PERL,
    "lua": LUA,
    "luajit": LUA,
    "php": PHP,
    "dotnet": C_SHARP,
    "mono": C_SHARP,
    "go": GO,
    "cargo": RUST,
}
_ENDINGS = {
    "py": PYTHON,
    "js": JAVASCRIPT,
    "mjs": JAVASCRIPT,
    "jar": JAVA,
    "rb": RUBY,
    "pl": PERL,
    "lua": LUA,
    "php": PHP,
}
_SOURCES = {"c": C, "cpp": CPP, "cc": CPP, "cxx": CPP, "rs": RUST, "go": GO, "cs": C_SHARP}


def language_of(command: Sequence[str], directory: str) -> Language:
    """Return what a program is written in, by its interpreter, its name, or the sources beside it.

    >>> language_of(["/usr/bin/python3.11", "bot.py"], ".").name
    'Python'
    """
    program = os.path.basename(command[0])
    interpreter = re.sub(r"[\d.]+$", "", program)
    if interpreter in INTERPRETERS:
        return INTERPRETERS[interpreter]
    ending = program.rpartition(".")[2]
    if ending in _ENDINGS:
        return _ENDINGS[ending]
    folder = os.path.dirname(os.path.join(directory, command[0]))
    for place in (folder, os.path.join(folder, "src"), os.path.join(folder, "..", "..", "src")):
        try:
            names = sorted(os.listdir(place))[:1000]
        except OSError:
            continue
        for name in names:
            if found := _SOURCES.get(name.rpartition(".")[2] if "." in name else ""):
                return found
    return OTHER
