"""Leaves a child behind that nothing tells from any other process, and kills its keeper."""

import os
import signal
import sys
import time

if sys.argv[1:] == ["child"]:
    while True:
        time.sleep(1)
sys.stdin.readline()
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        streams = os.open(os.devnull, os.O_RDWR)
        for stream in (0, 1, 2):
            os.dup2(streams, stream)
        os.execve(sys.executable, [sys.executable, os.path.abspath(__file__), "child"], {})
    os._exit(0)
time.sleep(0.3)
try:
    os.kill(os.getppid(), signal.SIGKILL)
except OSError as error:
    print(error, file=sys.stderr)
