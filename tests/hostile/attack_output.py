"""Writes into the opponent's standard output through /proc, so that the opponent loses by it."""

import json
import os
import sys

for line in sys.stdin:
    for process in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{process}/cmdline") as file:
                is_opponent = "honest.py" in file.read()
            if is_opponent and int(process) != os.getpid():
                with open(f"/proc/{process}/fd/1", "w") as output:
                    output.write("I resign\n")
        except OSError:
            pass
    grid = json.loads(line)["grid"]
    print(json.dumps({"move": next(i for i, column in enumerate(grid) if column[0] == 0)}), flush=True)
