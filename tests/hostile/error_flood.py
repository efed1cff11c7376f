"""Fills standard error before it answers: it hangs if nobody reads it."""

import sys

for _ in sys.stdin:
    sys.stderr.write("noise " * 100_000 + "the last words")
    sys.stderr.flush()
    print('{"move": 9}', flush=True)
