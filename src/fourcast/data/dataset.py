"""Data sets of positions with exact labels, in Parquet files, made through any interruption.

A data set is a function of its plan. Blocks of rows are drawn and labeled by workers, on threads or on a
Ray cluster, and a shard is written when all its blocks are there: one file for each split, each under a
temporary name until it is whole. What is there after an interruption is kept, the rest is made.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from fourcast import __version__
from fourcast._core import StopToken
from fourcast.book.workers import Work, Workers, on_threads
from fourcast.data.card import make_card
from fourcast.data.drawing import BLOCK, Rows, Seen, all_rows, draw_block, keys_of, with_moves
from fourcast.data.files import check_empty, locked_folder, remove_unfinished, write_whole
from fourcast.data.plan import Plan, parse_plan
from fourcast.data.tables import (
    VALUE_COLUMNS,
    LabeledRows,
    count_rows,
    read_bitboards,
    read_left_out,
    require_pyarrow,
    to_table,
    write_parquet,
)
from fourcast.errors import DatasetError, InvalidNotationError, OptionError, StoppedError, require
from fourcast.notation import quote
from fourcast.solver import Solver

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["LABEL_ROWS", "Summary", "make_dataset"]

Progress = Callable[[int, int], object]

PLAN_FILE = "plan.toml"
CARD_FILE = "README.md"
DATA_FOLDER = "data"
MAX_SHARDS = 99_999  # as many as the names of files have digits for


@dataclass(frozen=True)
class Block:
    """A block to be labeled; its rows are drawn by the worker if they are None."""

    plan: Plan
    number: int
    size: int
    rows: Rows | None = None


@dataclass(frozen=True)
class Summary:
    """What `make_dataset` has done."""

    rows: dict[str, int]
    """The rows of each split."""
    files: int
    made: int
    """The rows that were made by this call; the others were there."""
    left_out: dict[str, int]
    """How many positions were drawn and left out, by reason; see `fourcast.data.drawing.LEFT_OUT`."""


def make_dataset(
    out: str | os.PathLike[str],
    plan: Plan,
    *,
    threads: int = 1,
    workers: Workers[Block, LabeledRows] | None = None,
    progress: Progress | None = None,
) -> Summary:
    """Make the data set of a plan in the folder *out*, or what is missing of it.

    A data set of the same plan with fewer rows grows: what is there is kept, but for its last file.

    *workers* label the rows, by default on *threads* threads of this machine. *progress* is called with
    the number of rows that are done and of all. The files are the same, byte for byte, however the work
    was shared and interrupted. Raises `DatasetError` if *out* holds anything else.
    """
    require("out", out, str, os.PathLike)
    require("threads", threads, int)
    require_pyarrow()
    folder = Path(out)
    if not isinstance(plan, Plan):
        raise TypeError(f"plan must be a Plan, such as read_plan(FILE) returns, not {quote(plan)}")
    if threads < 1:
        raise OptionError(f"threads must be 1 or more, not {threads}")
    workers = workers or on_threads(threads, LABEL_ROWS)
    report = progress or (lambda *_: None)
    everything = all_rows(plan) if plan.by == "all" else None
    if everything is not None:
        plan = replace(plan, rows=len(everything))
    if plan.rows is None:
        raise OptionError("rows must be the number of positions, which this plan leaves open")
    if plan.rows > plan.rows_per_file * MAX_SHARDS:
        raise OptionError(
            f"{plan.rows:,} rows are more than {MAX_SHARDS:,} files of {plan.rows_per_file:,}; "
            "set rows_per_file to more"
        )
    with _open_folder(folder, plan) as shards:
        left = [shard for shard in shards if not shard.is_finished]
        done = plan.rows - sum(shard.rows for shard in left)
        made = sum(shard.rows for shard in left)
        report(done, plan.rows)
        with closing(workers(_blocks(plan, shards, everything, threads))) as labeled:
            for number, answer in labeled:
                shards[number // _blocks_of_file(plan)].add(number, answer)
                done += len(answer.rows)
                report(done, plan.rows)
        files = {name: [shard.files[name] for shard in shards] for name in plan.splits}
        counts = {name: sum(map(count_rows, paths)) for name, paths in files.items()}
        left_out: Counter[str] = Counter()
        for shard in shards:
            left_out.update(read_left_out(shard.first_file))
        write_whole(folder / CARD_FILE, make_card(plan, files, left_out).encode())
    return Summary(counts, len(shards) * len(plan.splits), made, dict(left_out))


def _blocks(
    plan: Plan, shards: list[Shard], everything: Rows | None, threads: int
) -> Iterator[tuple[int, Block]]:
    """The blocks that are missing, drawn here if they depend on those before them."""
    seen = Seen() if plan.unique and everything is None else None
    solver = Solver() if seen and plan.strata else None
    for shard in shards:
        if shard.is_finished:
            if seen:
                for file in shard.files.values():
                    seen.add(keys_of(plan, read_bitboards(file, plan)))
            continue
        for number, part in shard.blocks():
            rows = None
            if everything is not None:
                rows = everything[part.start : part.stop]
                if number == 0:
                    rows = replace(rows, left_out=everything.left_out)
            elif seen:
                rows = draw_block(plan, number, len(part), seen, _labeler(plan, solver, threads))
            yield number, Block(plan, number, len(part), rows)


def _label(solver: Solver, block: Block, stop: StopToken | None) -> LabeledRows:
    plan = block.plan
    rows = block.rows
    if rows is None:
        rows = draw_block(plan, block.number, block.size, label=_labeler(plan, solver, 1, stop))
    if "moves" in plan.columns:
        rows = with_moves(plan, rows)
    values = scores = None
    if rows.scores is not None:
        scores = rows.scores
        values = scores.max(axis=1)
    elif "scores" in plan.columns:
        scores = solver.column_scores(rows.bitboards, width=plan.width, height=plan.height, stop=stop)
        values = scores.max(axis=1)
    elif VALUE_COLUMNS & set(plan.columns):
        values = solver.values(rows.bitboards, width=plan.width, height=plan.height, stop=stop)
    if stop and stop.is_stopped:
        raise StoppedError("the solver was stopped before it knew all scores")
    return LabeledRows(rows, values, scores)


def _labeler(
    plan: Plan, solver: Solver | None, threads: int, stop: StopToken | None = None
) -> Callable[[NDArray[np.uint64]], NDArray[np.int8]] | None:
    if solver is None or not plan.strata:
        return None

    def label(bitboards: NDArray[np.uint64]) -> NDArray[np.int8]:
        scores: NDArray[np.int8] = solver.column_scores(
            bitboards, width=plan.width, height=plan.height, threads=threads, stop=stop
        )
        if stop and stop.is_stopped:
            raise StoppedError("the solver was stopped before it knew all scores")
        return scores

    return label


LABEL_ROWS = Work(_label, Solver, Solver)
"""The work of making a data set."""


class Shard:
    """The files with one number, one of each split."""

    def __init__(self, folder: Path, plan: Plan, number: int, count: int) -> None:
        assert plan.rows is not None
        self._plan = plan
        self.number = number
        self.start = number * plan.rows_per_file
        self.rows = min(plan.rows_per_file, plan.rows - self.start)
        self.files = {name: folder / f"{name}-{number:05}-of-{count:05}.parquet" for name in plan.splits}
        self._labeled: dict[int, LabeledRows] = {}

    @property
    def first_file(self) -> Path:
        """The file whose metadata says what was left out."""
        return next(iter(self.files.values()))

    def blocks(self) -> Iterator[tuple[int, range]]:
        """Yield the number of each block, and which rows of the data set it has."""
        number = self.number * _blocks_of_file(self._plan)
        rows = range(self.start, self.start + self.rows)
        for start in range(0, self.rows, BLOCK):
            yield number, rows[start : start + BLOCK]
            number += 1

    @cached_property
    def is_finished(self) -> bool:
        """Whether all files were there when this was first asked for."""
        if not all(file.exists() for file in self.files.values()):
            return False
        found = sum(count_rows(file, self._plan) for file in self.files.values())
        if found != self.rows:
            names = ", ".join(f"'{file}'" for file in self.files.values())
            raise DatasetError(
                f"{names} have {found} rows, not {self.rows}; remove them to make them again"
            )
        return True

    def add(self, number: int, labeled: LabeledRows) -> None:
        """Keep a block; write the files if it was the last one."""
        self._labeled[number] = labeled
        if len(self._labeled) * BLOCK < self.rows:
            return
        in_order = [self._labeled[each] for each in sorted(self._labeled)]
        left_out: Counter[str] = Counter()
        for each in in_order:
            left_out.update(each.rows.left_out)
        for split, file in enumerate(self.files.values()):
            chosen = [each[each.rows.split == split] for each in in_order]
            table = to_table(self._plan, chosen, left_out if file == self.first_file else {})
            write_whole(file, write_parquet(table))
        self._labeled.clear()


def _blocks_of_file(plan: Plan) -> int:
    return -(-plan.rows_per_file // BLOCK)


@contextmanager
def _open_folder(out: Path, plan: Plan) -> Iterator[list[Shard]]:
    """Open the folder of a data set for this process alone; make it if it is not there."""
    import pyarrow

    heading = f"# Made by fourcast {__version__} with pyarrow {pyarrow.__version__}.\n"
    text = heading + plan.to_toml()
    assert plan.rows is not None
    with locked_folder(out):
        _check_folder(out, plan, text)
        (out / DATA_FOLDER).mkdir(exist_ok=True)
        remove_unfinished(out)
        remove_unfinished(out / DATA_FOLDER)
        if not (out / PLAN_FILE).exists() or (out / PLAN_FILE).read_bytes() != text.encode():
            write_whole(out / PLAN_FILE, text.encode())
        count = -(-plan.rows // plan.rows_per_file)
        _adopt_files(out / DATA_FOLDER, plan, count)
        yield [Shard(out / DATA_FOLDER, plan, number, count) for number in range(count)]


_FILE = re.compile(r"(\w+)-(\d{5})-of-(\d{5})\.parquet")


def _adopt_files(folder: Path, plan: Plan, count: int) -> None:
    """Rename the files of a data set that had fewer rows; remove its last ones, which get more rows."""
    old: dict[int, list[Path]] = {}
    for file in sorted(folder.iterdir()):
        found = _FILE.fullmatch(file.name)
        if found and found[1] in plan.splits and int(found[3]) < count:
            old.setdefault(int(found[2]), []).append(file)
    for number, files in old.items():
        shard = Shard(folder, plan, number, count)
        # Of a shard whose renaming was interrupted, some files have their new names already.
        there = [*files, *(file for file in shard.files.values() if file.exists())]
        is_whole = len(there) == len(shard.files)
        if is_whole and sum(count_rows(file, plan) for file in there) == shard.rows:
            for file in files:
                file.rename(shard.files[file.name.partition("-")[0]])
        else:
            for file in files:
                file.unlink()


def _check_folder(out: Path, plan: Plan, text: str) -> None:
    """Raise DatasetError unless the folder is empty, or holds the data set of this very plan."""
    if not (out / PLAN_FILE).exists():
        check_empty(out, besides=(DATA_FOLDER,))
        if (out / DATA_FOLDER).exists():
            check_empty(out / DATA_FOLDER)
        return
    try:
        begun = (out / PLAN_FILE).read_text("utf-8")
        if begun == text:
            return
        before = parse_plan(begun)
    except (UnicodeDecodeError, IsADirectoryError):
        raise DatasetError(f"'{out / PLAN_FILE}' is not a plan; name another folder") from None
    except (InvalidNotationError, OptionError) as error:
        raise DatasetError(f"'{out / PLAN_FILE}' is not a plan: {error}; name another folder") from None
    same_maker = begun.partition("\n")[0] == text.partition("\n")[0]
    grows = bool(before.rows and plan.rows and before.rows < plan.rows)
    if same_maker and grows and replace(before, rows=None) == replace(plan, rows=None):
        return
    if before == plan:
        maker = begun.partition("\n")[0].removeprefix("# ").rstrip(".")
        raise DatasetError(
            f"the data set '{out}' was begun by another version ({maker}), whose files may differ; "
            "go on with that one, or name another folder"
        )
    name = next(
        each for each in plan.__dataclass_fields__ if getattr(before, each) != getattr(plan, each)
    )
    raise DatasetError(
        f"'{out}' holds a data set of another plan: its {name} is {getattr(before, name)!r}, not "
        f"{getattr(plan, name)!r}; name another folder"
    )
