"""Opens what belongs to the system for writing, without writing; says what it could have changed."""

import os
import sys

sys.stdin.readline()
here = os.path.dirname(os.path.abspath(__file__))
for path in (
    "/proc/sys/kernel/core_pattern",
    "/proc/sysrq-trigger",
    "/usr/x",
    "/x",
    f"{here}/x",
    __file__,
):
    try:
        os.close(os.open(path, os.O_WRONLY | (os.O_CREAT if path.endswith("/x") else 0)))
        print(f"writable: {path}", file=sys.stderr)
        if path.endswith("/x"):
            os.unlink(path)
    except OSError as error:
        print(f"{path}: {error.strerror}", file=sys.stderr)
