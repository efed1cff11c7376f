"""Reads what it should not: the files that where.txt beside it names, and more."""

import os
import sys

sys.stdin.readline()
here = os.path.dirname(os.path.abspath(__file__))
with open(os.path.join(here, "where.txt")) as file:
    wanted = file.read().split()
for path in (*wanted, "/etc/shadow", "/proc/1/environ", "/proc/1/fd/0"):
    try:
        with open(path) as file:
            print(f"seen {path}: {file.read()[:1000]}", file=sys.stderr)
    except OSError as error:
        print(f"{path}: {error.strerror}", file=sys.stderr)
print([key for key in os.environ if "SECRET" in key], file=sys.stderr)
