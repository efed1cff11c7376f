"""Leaves a grandchild behind in a session of its own, which holds the pipes and ignores signals."""

import os
import signal
import sys
import time

if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            signal.signal(number, signal.SIG_IGN)
        os.environ.clear()
        while True:
            time.sleep(1)
    os._exit(0)
for _ in sys.stdin:
    print('{"move": 8}', flush=True)
