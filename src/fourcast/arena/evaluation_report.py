"""A report on how well an agent plays: Markdown and HTML with plots, and the answers as a log."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from fourcast.arena.evaluation import Answer, Evaluation, Measure
from fourcast.arena.plots import plot_measures
from fourcast.arena.report import check_extra, make_folder, write_sections
from fourcast.arena.sections import Section
from fourcast.notation import format_column
from fourcast.render.words import name_columns

MAX_WORST = 20
"""Answers that lost the most which the report lists."""

MAX_MESSAGES = 5
"""Different messages of failures that are shown."""

HEADS = ("positions", "perfect", "keeps outcome", "score lost")


def write_evaluation(
    result: Evaluation,
    directory: str | os.PathLike[str],
    *,
    facts: Mapping[str, str] | None = None,
) -> list[Path]:
    """Write `report.md`, `report.html`, the plots as SVG, and `answers.txt`; return the paths.

    *facts* are what a reader has to know, such as the date and the command. `evaluate_log` reads the
    answers again.
    """
    check_extra()
    target = make_folder(directory)
    log = target / "answers.txt"
    log.write_text(result.to_log(), "ascii")
    title = f"{result.agent} on {result.suite}"
    return [*write_sections(target, title, facts or {}, _sections(result)), log]


def groups(result: Evaluation) -> tuple[dict[str, Measure], dict[str, Measure]]:
    """Return the measures by numbers of discs and by themes, with their names."""
    by_ply = {f"{plies[0]} to {plies[-1]} discs": each for plies, each in result.by_ply().items()}
    return by_ply, result.by_theme()


def failure_lines(result: Evaluation) -> list[str]:
    """Return sentences on answers that were no moves."""
    if not result.failed:
        return []
    line = f"{result.failed} answers were no legal moves; they count as the worst ones"
    if result.failed == 1:
        line = "1 answer was no legal move; it counts as the worst one"
    kinds = ", ".join(f"{count} {kind}" for kind, count in result.failures.items() if count)
    messages = sorted(result.messages.items(), key=lambda each: -each[1])[:MAX_MESSAGES]
    return [f"{line} ({kinds}).", *(f"{_times(count)}: {what}" for what, count in messages)]


def _times(count: int) -> str:
    return "once" if count == 1 else f"{count} times"


def _sections(result: Evaluation) -> list[Section]:
    by_ply, by_theme = groups(result)
    failures = "\n".join(failure_lines(result))
    sections = [
        Section("All positions", ["", *HEADS], [["all", *result.total.cells()]]),
        _group_section("By discs on the board", "by-discs", by_ply),
        _group_section("By theme", "by-theme", by_theme),
    ]
    if failures:
        sections[0].notes.append(("Answers that were no moves", failures))
    if worst := sorted((each for each in result.answers if each.loss), key=lambda each: -each.loss):
        heads = ["moves", "played", "best", "score lost"]
        sections.append(Section("Worst answers", heads, [_worst(each) for each in worst[:MAX_WORST]]))
    return sections


def _group_section(title: str, file: str, measures: Mapping[str, Measure]) -> Section:
    rows = [[name, *measure.cells()] for name, measure in measures.items()]
    alt = f"Perfect moves and moves that keep the outcome, {title.lower()}"
    return Section(title, ["", *HEADS], rows, plot_measures(measures, file, alt))


def _worst(answer: Answer) -> list[str]:
    question = answer.question
    played = "no legal move" if answer.column is None else format_column(answer.column)
    return [question.moves or "-", played, name_columns(question.best_columns), str(answer.loss)]
