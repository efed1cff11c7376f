"""Answers, but not in JSON, nor in any encoding."""

import sys

for _ in sys.stdin:
    sys.stdout.buffer.write(b"\xff\xfe\x00 column four, please\n")
    sys.stdout.flush()
