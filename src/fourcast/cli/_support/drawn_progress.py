"""The progress bar on a terminal. Apart from `progress` because rich takes a while to import."""

from __future__ import annotations

from collections.abc import Iterable

from rich.console import Console, RenderableType
from rich.progress import (
    BarColumn,
    Progress,
    ProgressColumn,
    Task,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.text import Text


class DrawnProgress(Progress):
    """A bar with one task, and something above it."""

    def __init__(self, what: str, total: int | None, *, transient: bool, percent: bool) -> None:
        self.above: str | None = None
        super().__init__(
            TextColumn("{task.description}"),
            BarColumn(),
            _Done(percent),
            TimeElapsedColumn(),
            TextColumn("left"),
            TimeRemainingColumn(elapsed_when_finished=True),
            console=Console(stderr=True),
            transient=transient,
            speed_estimate_period=1800,  # some positions take a hundred times as long as others
        )
        self._task = self.add_task(what, total=total, visible=total is not None)

    def get_renderables(self) -> Iterable[RenderableType]:
        """Return what is drawn, from top to bottom."""
        if self.above:
            yield Text(self.above)
        yield from super().get_renderables()

    def show(self, done: int, total: int | None, *, is_first: bool, above: str | None) -> None:
        """Draw how far the task has come; see `ProgressBar.show`."""
        if above is not None:
            self.above = above
        if is_first:
            self.reset(self._task, completed=done, total=total)
        self.update(self._task, completed=done, total=total, visible=True)


class _Done(ProgressColumn):
    """What is done: in percent, as a number of the total, or as a number if there is no total."""

    def __init__(self, percent: bool) -> None:
        super().__init__()
        self._percent = percent

    def render(self, task: Task) -> Text:
        if task.total is None:
            return Text(f"{task.completed:,.0f}")
        if self._percent:
            return Text(f"{task.percentage:>3.0f} %")
        return Text(f"{task.completed:,.0f} of {task.total:,.0f}")
