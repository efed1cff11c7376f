"""Kills the referee: the process above its keeper, whose command has this file in it."""

import os
import signal
import sys


def parent_of(process: int) -> int:
    with open(f"/proc/{process}/stat") as file:
        return int(file.read().rpartition(")")[2].split()[1])


sys.stdin.readline()
process = os.getpid()
while process > 1:
    process = parent_of(process)
    try:
        with open(f"/proc/{process}/cmdline") as file:
            if os.path.basename(__file__) in file.read():
                os.kill(process, signal.SIGKILL)
                continue
    except OSError:
        pass
    break
