"""A move that is no whole number."""

import sys

for _ in sys.stdin:
    print('{"move": true}', flush=True)
