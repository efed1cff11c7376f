"""Sends a byte now and then, for ever: a time limit that starts again at every byte never ends."""

import sys
import time

sys.stdin.readline()
while True:
    sys.stdout.write(" ")
    sys.stdout.flush()
    time.sleep(0.05)
