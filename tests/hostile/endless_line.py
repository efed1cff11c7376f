"""A line without end, as fast as it goes."""

import sys

sys.stdin.readline()
while True:
    sys.stdout.write("x" * 65536)
