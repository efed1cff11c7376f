"""A long solve by one solver, which is asked about one position after the other."""

from __future__ import annotations

from pathlib import Path

from fourcast._core import Limit, Position, Result, search_order
from fourcast.long_solve.checkpoint import Checkpoint
from fourcast.long_solve.run import SHARE_OF_LOOK, Progress, Run
from fourcast.notation import require_unfinished
from fourcast.solver import Solver

# What takes fewer nodes is not kept.
_COSTLY_NODES = 1000
# The solver is not interrupted to write the file.
_MOST_TIME_S = 10.0


def solve_with_checkpoint(
    position: Position,
    file: Path,
    *,
    solver: Solver | None = None,
    limit: Limit | None = None,
    progress: Progress | None = None,
) -> Result:
    """Return the exact score of *position*, and keep what is proven on the way in *file*.

    If the file exists, the solve continues from it; an interruption of any kind costs at most half a
    minute of work. The effort in the result is that of all runs. Raises `CheckpointError` and leaves the
    file alone if it is damaged or belongs to another solve.

    *limit* is that of this run. When it is reached, the result has the proven bounds. Best columns are
    not looked for: they may take as long as the score.
    """
    require_unfinished(position, "error.solve_over")
    run = Run(Checkpoint.open(file, position), file, limit, progress)
    search = _Search(run, solver or Solver())
    try:
        search.find_score()
    except _OutOfLimitError:
        pass
    finally:
        run.write()
    return run.checkpoint.result()


class _OutOfLimitError(Exception):
    """The limit of the run is reached."""


class _Search:
    """The search of the first moves."""

    def __init__(self, run: Run, solver: Solver) -> None:
        self._run = run
        self._checkpoint = run.checkpoint
        self._solver = solver

    def find_score(self) -> None:
        position = self._checkpoint.position
        if position.canonical_key not in self._checkpoint.known:
            # The best and the worst score that the position allows.
            unknown = self._solver.bound(position, 0, Limit(nodes=1))
            self._run.count(unknown)
            self._checkpoint.note(position, unknown.lower, unknown.upper)
        share = 0.5  # nobody knows how many questions there will be; each next one is easier
        while (alpha := self._checkpoint.next_alpha()) is not None:
            answer = self._is_more_than(position, alpha, share, expected=alpha < 0)
            self._checkpoint.note_answer(position, alpha, answer)
            share /= 2
        self._run.report(1.0)

    def _is_more_than(self, position: Position, alpha: int, share: float, *, expected: bool) -> bool:
        """Whether the score of *position* is more than *alpha*.

        That is *share* of all the work. The *expected* answer says how it is spread over the moves: one
        good move is enough for a yes, a no takes all of them.
        """
        end = self._run.share + share
        answer = self._ask(position, alpha, self._run.budget)
        if answer is None:
            answer = self._try_moves(position, alpha, share, expected=expected)
            self._checkpoint.note_answer(position, alpha, answer)
        self._run.report(end)
        return answer

    def _try_moves(self, position: Position, alpha: int, share: float, *, expected: bool) -> bool:
        left: list[Position] = []
        for column in search_order(position, alpha + 1):
            child = position.play(column)
            if child.is_over:
                if -child.final_score > alpha:
                    return True
                continue
            answer = self._ask(child, -alpha - 1, self._run.budget // SHARE_OF_LOOK)
            if answer is False:
                return True
            if answer is None:
                left.append(child)
        for number, child in enumerate(left):
            part = share / 2 ** (number + 1) if expected else share / len(left)
            if not self._is_more_than(child, -alpha - 1, part, expected=not expected):
                return True
        return False

    def _ask(self, position: Position, alpha: int, nodes: int) -> bool | None:
        """What is known of the question already, or what the solver finds with at most these nodes."""
        lower, upper, tried = self._checkpoint.of(position)
        # Not again what was too much before: that would take a minute until a run goes on.
        if lower <= alpha < upper and nodes >= 2 << tried:
            if self._run.is_out_of_limit:
                raise _OutOfLimitError
            until = Limit(
                min(_MOST_TIME_S, self._run.time_left_s), int(min(nodes, self._run.nodes_left))
            )
            found = self._solver.bound(position, alpha, until)
            self._run.count(found)
            if found.nodes >= _COSTLY_NODES:
                self._checkpoint.note_result(found)
            lower, upper = max(lower, found.lower), min(upper, found.upper)
            self._run.write_if_due()
        return True if lower > alpha else False if upper <= alpha else None
