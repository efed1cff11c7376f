"""JSON that is nested so deep that a reader falls over it."""

import sys

for _ in sys.stdin:
    print("[" * 30_000 + "]" * 30_000, flush=True)
