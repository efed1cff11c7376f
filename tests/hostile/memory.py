"""Takes all memory that it can get."""

import sys

sys.stdin.readline()
hoard = []
while True:
    hoard.append(bytearray(2**24))
