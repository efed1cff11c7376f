"""Makes files of puzzles: deterministic, resumable, here or on a Ray cluster.

The games are numbered, and worked on in chunks. What is found is kept in a journal beside the file. The
file depends on the seed and the numbers of games alone, not on interruptions or how the work was shared:
puzzles are taken in the order of the games, and of equal or mirrored ones the first. Games for hard
puzzles only come last.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import closing
from functools import cache
from multiprocessing import get_context
from pathlib import Path

from fourcast.append_file import AppendFile
from fourcast.book.workers import on_ray, run_on
from fourcast.errors import OptionError
from fourcast.puzzles.candidates import EARLY_EVERY
from fourcast.puzzles.maker import Maker
from fourcast.puzzles.puzzle import Puzzle
from fourcast.puzzles.puzzle_file import FORMAT, format_puzzle, parse_puzzle, write_puzzles

__all__ = ["generate", "on_cluster", "on_processes"]

CHUNK = EARLY_EVERY
"""Games that are worked on together: each chunk takes about as long as the others."""

HARD_START = 10_000_000
"""The number of the first game that only hard puzzles are taken from; `--games` stays below."""

Task = tuple[int, int, range, int, int]
"""The number of a chunk, the seed, its games, and the size of the board."""
Found = tuple[int, list[str]]
"""The number of a chunk, and its puzzles as lines."""
Workers = Callable[[Iterable[Task]], Generator[Found, None, None]]


def generate(
    out: Path,
    games: int,
    seed: int,
    *,
    hard_games: int = 0,
    width: int = 7,
    height: int = 6,
    workers: Workers | None = None,
    progress: Callable[[int, int], object] | None = None,
) -> list[Puzzle]:
    """Make the puzzles of *games* games, write them to *out*, and return them.

    *hard_games* more games give only hard puzzles with few discs on the board. Until the file is
    written, puzzles are kept in one that ends in `.partial`; a later call with the same arguments
    continues from there. *progress* is called with the number of games done and the total.
    """
    if not 1 <= games <= HARD_START:
        raise OptionError(f"games must be 1 to {HARD_START:,}, not {games}")
    if hard_games < 0:
        raise OptionError(f"hard_games must be 0 or more, not {hard_games}")
    report = progress or (lambda *_: None)
    header = {"format": FORMAT, "seed": seed, "width": width, "height": height, "chunk": CHUNK}
    journal_path = out.with_name(out.name + ".partial")
    tasks: dict[int, Task] = {
        start // CHUNK: (start // CHUNK, seed, range(start, min(start + CHUNK, end)), width, height)
        for first, end in ((0, games), (HARD_START, HARD_START + hard_games))
        for start in range(first, end, CHUNK)
    }
    with AppendFile(journal_path, header) as journal:
        # The last chunk of a run over fewer games is not the whole chunk.
        found = {
            entry["chunk"]: entry["puzzles"]
            for entry in journal.entries
            if entry["chunk"] in tasks and entry["games"] == len(tasks[entry["chunk"]][2])
        }
        done = sum(len(tasks[number][2]) for number in found)
        report(done, games + hard_games)
        left = (task for number, task in tasks.items() if number not in found)
        with closing((workers or on_processes(1))(left)) as results:
            for number, lines in results:
                size = len(tasks[number][2])
                journal.append({"chunk": number, "games": size, "puzzles": lines})
                found[number] = lines
                done += size
                report(done, games + hard_games)
    puzzles = list(_without_repeats(found, width, height))
    note = f"seed={seed} games={games}" + (f" hard={hard_games}" if hard_games else "")
    write_puzzles(out, puzzles, width, height, note)
    journal_path.unlink()
    return puzzles


def _without_repeats(found: dict[int, list[str]], width: int, height: int) -> Iterator[Puzzle]:
    seen: set[int] = set()
    for number in sorted(found):
        for line in found[number]:
            puzzle = parse_puzzle(line, width, height)
            if puzzle.position.canonical_key not in seen:
                seen.add(puzzle.position.canonical_key)
                yield puzzle


def on_processes(processes: int = 1) -> Workers:
    """Return workers in *processes* processes of this machine; one works in this process itself."""

    def work(tasks: Iterable[Task]) -> Generator[Found, None, None]:
        if processes == 1:
            for task in tasks:
                yield task[0], make_chunk(task)
            return
        pool = ProcessPoolExecutor(processes, mp_context=get_context("spawn"))
        try:
            yield from run_on(pool, processes + 1, ((task[0], task) for task in tasks), make_chunk)
        finally:
            pool.shutdown(cancel_futures=True)

    return work


def on_cluster(address: str) -> Workers:
    """Return workers on all processors of the Ray cluster at *address*; see `fourcast.book.workers`."""
    work_on_ray = on_ray(address, make_chunk)

    def work(tasks: Iterable[Task]) -> Generator[Found, None, None]:
        with closing(work_on_ray((task[0], task) for task in tasks)) as results:
            yield from results

    return work


def make_chunk(task: Task) -> list[str]:
    """Return the puzzles of a chunk of games, as lines."""
    _, seed, games, width, height = task
    maker = _maker(width, height)
    make = maker.hard_puzzles_of_game if games[0] >= HARD_START else maker.puzzles_of_game
    return [format_puzzle(puzzle) for game in games for puzzle in make(game, seed)]


@cache
def _maker(width: int, height: int) -> Maker:
    """One for all chunks of this process: their positions have much in common."""
    return Maker(width, height)
