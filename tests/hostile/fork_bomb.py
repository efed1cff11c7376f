"""Starts children that start children, up to a number that a machine can bear."""

import os
import sys
import time

sys.stdin.readline()
for _ in range(5):
    if os.fork() == 0:
        os.setsid()
time.sleep(60)
