"""Takes memory that no limit of a process counts: python attack_memory.py KIND MEGABYTES"""

import mmap
import os
import sys
import time

MEGABYTE = bytes(2**20)
kind, megabytes = sys.argv[1], int(sys.argv[2])
sys.stdin.readline()
kept: list[int | bytearray] = []
if kind == "shared":
    shared = mmap.mmap(-1, megabytes * 2**20)  # MAP_SHARED | MAP_ANONYMOUS
    for _ in range(megabytes):
        shared.write(MEGABYTE)
elif kind == "files":
    for number in range(megabytes // 32):
        kept.append(file := os.memfd_create(str(number)))
        for _ in range(32):
            os.write(file, MEGABYTE)
elif kind == "processes":
    for _ in range(megabytes // 64):
        if os.fork() == 0:
            kept.append(bytearray(os.urandom(2**16) * 2**10))
            time.sleep(60)
time.sleep(20 if kind == "processes" else 0.5)  # they take theirs at the same time
print('{"move": 3}', flush=True)
time.sleep(20)
