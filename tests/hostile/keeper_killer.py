"""Kills the process that started it, so that nobody is there to clean up."""

import os
import signal
import sys
import time

sys.stdin.readline()
os.kill(os.getppid(), signal.SIGKILL)
os.setsid() if os.getpgrp() != os.getpid() else None
while True:
    time.sleep(1)
