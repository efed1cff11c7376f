"""Always the same column, full or not."""

import sys

for _ in sys.stdin:
    print('{"move": 0}', flush=True)
