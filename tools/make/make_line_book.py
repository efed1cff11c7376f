"""Makes the line book that lies beside the shipped opening book again.

It takes a quarter of an hour of processor time, and continues where it was stopped. The same order of
lines (native/search/line_order.hpp) makes the same file:

    python tools/make/make_line_book.py [--threads N]
"""

from __future__ import annotations

import argparse
from pathlib import Path

import fourcast
from fourcast.book.lines import build_lines
from fourcast.cli._support.progress import ProgressBar

BOOK = Path(fourcast.__file__).parent / "book" / "shipped" / "7x6-12.book"
ROOTS = 8
"""Lines of positions with up to this number of discs are in it."""
LAST = 21
"""Behind this number of discs, a move takes next to no time to prove."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--threads", type=int, default=2, help="that prove moves")
    with ProgressBar("lines") as bar:
        out = build_lines(
            BOOK, roots=ROOTS, last=LAST, threads=parser.parse_args().threads, progress=bar.show
        )
    print(f"{out}: {out.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
