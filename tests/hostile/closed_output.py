"""Closes its output and lives on."""

import os
import sys
import time

sys.stdin.readline()
os.close(1)
time.sleep(60)
