"""Plays two moves, then divides by zero."""

import sys

for number, _ in enumerate(sys.stdin):
    print(f'{{"move": {6 // (2 - number) // 2}}}', flush=True)
