"""How long a short command takes to start, as a multiple of `python -c pass`, side by side.

    python benchmarks/startup.py [--full]

What counts is processor time in the best of several rounds: other work on the machine only adds to it.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from resource import RUSAGE_CHILDREN, getrusage

GOAL = 8
# Where it is set, Python compiles every module at every start.
ENVIRONMENT = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
COMMANDS = {
    "python -c pass": ["-c", "pass"],
    "import fourcast": ["-c", "import fourcast"],
    "fourcast --version": ["-m", "fourcast", "--version"],
    "fourcast solve 44": ["-m", "fourcast", "solve", "44"],
}


def seconds(arguments: list[str]) -> float:
    before = getrusage(RUSAGE_CHILDREN)
    subprocess.run([sys.executable, *arguments], env=ENVIRONMENT, check=True, stdout=subprocess.DEVNULL)
    after = getrusage(RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure how long short commands take to start.")
    parser.add_argument("--full", action="store_true", help="more rounds")
    rounds = 100 if parser.parse_args().full else 20
    best = dict.fromkeys(COMMANDS, float("inf"))
    for _ in range(rounds):
        for name, arguments in COMMANDS.items():
            best[name] = min(best[name], seconds(arguments))
    bare = best["python -c pass"]
    print("Start-up: the best of", rounds, "rounds, processor time, and as a multiple of Python's own")
    for name, time_s in best.items():
        print(f"  {name:20} {1000 * time_s:6.1f} ms {time_s / bare:5.1f}")
    print(f"  goal of `fourcast solve 44`: at most {GOAL}")


if __name__ == "__main__":
    main()
