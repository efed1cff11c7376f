"""The solver, with the default opening books and searches that run in the background.

>>> solver = Solver()
>>> solver.score(Position("44455554221"))
-15
>>> search = solver.start(Position("44"), Limit(time_s=60))  # returns at once
>>> search.stop()  # ends this search alone
>>> search.result().lower <= 1 <= search.result().upper
True
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Literal, overload

from fourcast._core import Analysis, Book, Limit, Position, Result, SolverCore, StopToken

if TYPE_CHECKING:
    from fourcast.search_threads import Search, SearchThreads

__all__ = ["Solver"]


class Solver(SolverCore):
    """Solves positions exactly, and remembers what it has found.

    One solver may be used from several threads at once. All its methods let other threads run, and
    Ctrl-C interrupts them. A call that fails or is interrupted does not disturb the others.

    *book* is True for the default opening books: the one that comes with fourcast, or a deeper one in
    the data folder. It may be a `Book`, or several for boards of different sizes; None and False mean
    no book. A file in the data folder that is no book is passed over with a `BookWarning`.

    *table_mb* is the size of the table for positions in megabytes, *threads* the number of threads that
    search one position. A solver keeps the tables of the four board sizes that it used last. *without*
    names parts of the search to switch off, for measurements: no score depends on them.

    >>> Solver(book=None).solve(Position("44455554221")).score
    -15
    >>> [result.score for result in Solver().solve_many(["4455", "44455554221"])]
    [18, -15]
    """

    def __init__(
        self,
        *,
        book: Book | Sequence[Book] | bool | None = True,
        table_mb: int = 8,
        threads: int = 1,
        without: Iterable[str] = (),
    ) -> None:
        if book is True:
            from fourcast.book.shelf import default_books

            book = default_books()
        elif book is False:
            book = None
        super().__init__(book=book, table_mb=table_mb, threads=threads, without=without)
        self._search_threads: SearchThreads | None = None

    def __repr__(self) -> str:
        return f"<Solver table_mb={self.table_mb}, threads={self.threads}>"

    @overload
    def start(
        self,
        position: Position | str,
        limit: Limit | None = None,
        *,
        analyze: Literal[False] = False,
        outcome_only: bool = False,
        best_columns: bool = True,
    ) -> Search[Result]: ...

    @overload
    def start(
        self,
        position: Position | str,
        limit: Limit | None = None,
        *,
        analyze: Literal[True],
        variations: bool = True,
    ) -> Search[Analysis]: ...

    def start(
        self,
        position: Position | str,
        limit: Limit | None = None,
        *,
        analyze: bool = False,
        **options: bool,
    ) -> Search[Result] | Search[Analysis]:
        """Start to solve *position* in the background and return a handle at once.

        The handle is a `concurrent.futures.Future` of what `solve` would return, or `analyze` if
        *analyze* is true; the options are those of these methods. `Search.stop` ends this search alone,
        and its result is what is proven by then. At most one search for each processor runs at a time;
        the others wait for their turn.
        """
        from fourcast.search_threads import Search, SearchThreads

        def solve(stop: StopToken) -> Result:
            return self.solve(position, limit, **options, stop=stop)

        def find_lines(stop: StopToken) -> Analysis:
            return self.analyze(position, limit, **options, stop=stop)

        if self._search_threads is None or not self._search_threads.is_usable():
            self._search_threads = SearchThreads()
        if analyze:
            return self._search_threads.submit(Search(find_lines, self.make_token()))
        return self._search_threads.submit(Search(solve, self.make_token()))

    scores = SolverCore.column_scores
    """The name of `column_scores` before 0.3."""
