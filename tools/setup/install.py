"""Installs packages into the environment it runs in: by uv, which is quick, or else by pip.

Takes what both understand: python tools/setup/install.py [--group NAME] [-e] [-C key=value] [NAME ...]
"""

from __future__ import annotations

import importlib.util
import subprocess
import sys


def main(arguments: list[str]) -> int:
    if importlib.util.find_spec("uv"):
        uv = [sys.executable, "-m", "uv", "pip", "install", "-q", "--python", sys.executable]
        done = subprocess.run([*uv, *arguments], capture_output=True, text=True)
        if done.returncode == 0:
            return 0
        if "Failed to build `fourcast" in done.stderr:  # pip would only compile it once more
            sys.stderr.write(done.stderr)
            return done.returncode
        # No word of it: pip may know an index that uv does not, and says what is wrong if it fails, too.
    return subprocess.run([sys.executable, "-m", "pip", "install", "-qq", *arguments]).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
