"""Lines without end, as fast as it goes."""

import sys

while True:
    sys.stdout.write('{"move": 3}\n' * 1000)
