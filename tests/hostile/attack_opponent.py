"""Stops or kills the opponent: python attack_opponent.py SIGNAL"""

import json
import os
import signal
import sys

for line in sys.stdin:
    for process in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{process}/cmdline") as file:
                words = file.read().split("\0")
            if words[-2].endswith("honest.py") and "keeper.py" not in " ".join(words):
                os.kill(int(process), signal.Signals[sys.argv[1]])
        except (OSError, IndexError):
            pass
    grid = json.loads(line)["grid"]
    print(json.dumps({"move": next(i for i, column in enumerate(grid) if column[0] == 0)}), flush=True)
