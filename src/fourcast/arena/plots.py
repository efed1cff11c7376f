"""The plots of a report, as SVG that is readable on light and dark pages."""

from __future__ import annotations

import io
from collections.abc import Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from fourcast.arena.quality import Quality
from fourcast.arena.results import Standing

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from fourcast.arena.evaluation import Measure

COLOR = "#3b82b5"
LOST_COLOR = "#c8503c"
INK = "#010203"
"""Stands for the color of text, which is dark on a light page and light on a dark one."""
STONES_A_POINT = 4
"""Numbers of discs in one point of the plot; single ones often have few moves."""


@dataclass(frozen=True)
class Plot:
    """A picture of what a table says."""

    file: str
    """Its name, without the extension."""
    alt: str
    svg: str


def plot_ratings(standings: list[Standing]) -> Plot:
    """Return the ratings with their error bars."""
    with _drawing_style():
        return Plot("ratings", "Ratings with 95% error bars", _svg(_rating_figure(standings)))


def plot_cross_table(names: list[str], shares: list[list[float | None]]) -> Plot:
    """Return the points of each player against each other one, as a heat map."""
    with _drawing_style():
        alt = "Points against each other, in percent"
        return Plot("cross-table", alt, _svg(_cross_figure(names, shares)))


def plot_losses(qualities: Mapping[str, Quality]) -> Plot:
    """Return the mean score lost, by the number of discs on the board."""
    with _drawing_style():
        alt = "Score lost per move, by discs on the board"
        return Plot("score-lost", alt, _svg(_loss_figure(qualities)))


def plot_measures(measures: Mapping[str, Measure], file: str, alt: str) -> Plot:
    """Return the shares of perfect moves and of those that keep the outcome, by a name each."""
    with _drawing_style():
        return Plot(file, alt, _svg(_measure_figure(measures)))


def _figure(width: float, height: float) -> tuple[Figure, Any]:
    from matplotlib.backends.backend_svg import FigureCanvasSVG
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), layout="constrained")
    FigureCanvasSVG(figure)
    figure.patch.set_alpha(0)
    axes = figure.add_subplot()
    axes.patch.set_alpha(0)
    return figure, axes


def _short(name: str) -> str:
    plain = name.replace("$", r"\$")  # which would begin a formula
    return plain if len(plain) <= 24 else plain[:21] + "..."


def _rating_figure(standings: list[Standing]) -> Figure:
    standings = [line for line in standings if line.rating]
    ratings = [line.rating for line in standings if line.rating]
    figure, axes = _figure(7, 1 + 0.3 * len(standings))
    places = list(range(len(standings)))[::-1]
    axes.errorbar(
        [rating.elo for rating in ratings],
        places,
        xerr=[rating.error for rating in ratings],
        fmt="o",
        capsize=4,
        color=COLOR,
    )
    axes.set_yticks(places, [_short(line.name) for line in standings])
    axes.set_xlabel("Elo")
    axes.grid(axis="x", alpha=0.2)
    return figure


def _measure_figure(measures: Mapping[str, Measure]) -> Figure:
    figure, axes = _figure(7, 1.3 + 0.32 * len(measures))
    places = list(range(len(measures)))[::-1]
    found = list(measures.values())
    for label, marker, color, offset, shares in (
        ("perfect", "o", COLOR, 0.1, [(each.perfect, each.perfect_error) for each in found]),
        ("keeps outcome", "s", LOST_COLOR, -0.1, [(each.kept, each.kept_error) for each in found]),
    ):
        axes.errorbar(
            [100 * share for share, _ in shares],
            [place + offset for place in places],
            xerr=[100 * error for _, error in shares],
            fmt=marker,
            markersize=5,
            capsize=3,
            color=color,
            label=label,
        )
    axes.set_yticks(places, map(_short, measures))
    axes.set_ylim(-0.6, len(measures) - 0.4)
    axes.set_xlim(0, 103)
    axes.set_xlabel("% of the positions, with 95% confidence intervals")
    axes.grid(axis="x", alpha=0.2)
    figure.legend(loc="outside upper right", ncols=2, fontsize=9, frameon=False)
    return figure


def _cross_figure(names: list[str], shares: list[list[float | None]]) -> Figure:
    from matplotlib.colors import LinearSegmentedColormap

    size = 2 + 0.45 * len(names)
    figure, axes = _figure(size + 1, size)
    colors = LinearSegmentedColormap.from_list("points", [LOST_COLOR, "#f4f4f4", COLOR])
    nothing = float("nan")
    cells = [[nothing if share is None else 100 * share for share in row] for row in shares]
    image = axes.imshow(cells, cmap=colors, vmin=0, vmax=100)
    for i, row in enumerate(cells):
        for j, percent in enumerate(row):
            if percent == percent:
                axes.text(j, i, f"{percent:.0f}", ha="center", va="center", fontsize=8, color="#111")
    axes.set_xticks(
        range(len(names)), map(_short, names), rotation=45, ha="right", rotation_mode="anchor"
    )
    axes.set_yticks(range(len(names)), map(_short, names))
    figure.colorbar(image, ax=axes, label="% of the points", shrink=0.8)
    return figure


def _loss_figure(qualities: Mapping[str, Quality]) -> Figure:
    from matplotlib import colormaps

    figure, axes = _figure(9, 1.5 + max(3.5, 0.22 * len(qualities)))
    colors = colormaps["tab20" if len(qualities) > 10 else "tab10"]
    for number, (name, quality) in enumerate(qualities.items()):
        sums: dict[int, tuple[int, int]] = {}
        for ply, (moves, lost) in quality.by_ply.items():
            before = sums.get(ply // STONES_A_POINT, (0, 0))
            sums[ply // STONES_A_POINT] = (before[0] + moves, before[1] + lost)
        axes.plot(
            [(at + 0.5) * STONES_A_POINT - 0.5 for at in sorted(sums)],
            [sums[at][1] / sums[at][0] for at in sorted(sums)],
            marker=".",
            color=colors(number % colors.N),
            label=_short(name),
        )
    axes.set_xlabel(f"discs on the board, {STONES_A_POINT} taken together")
    axes.set_ylabel("mean score lost")
    axes.set_ylim(bottom=0)
    axes.grid(alpha=0.2)
    figure.legend(loc="outside right upper", fontsize=9, frameon=False)
    return figure


def _drawing_style() -> AbstractContextManager[None]:
    import matplotlib

    return matplotlib.rc_context(
        {
            "svg.hashsalt": "fourcast",  # no random ids, as no date below: the same games, the same file
            "text.color": INK,
            "axes.labelcolor": INK,
            "axes.edgecolor": INK,
            "xtick.color": INK,
            "ytick.color": INK,
            "grid.color": INK,
        }
    )


def _svg(figure: Figure) -> str:
    stream = io.StringIO()
    figure.savefig(stream, format="svg", metadata={"Date": None})
    lines = [line.rstrip() for line in stream.getvalue().replace(INK, "currentColor").splitlines()]
    style = "svg{color:#1b1b1b} @media (prefers-color-scheme:dark){svg{color:#e6e6e6}}"
    end = lines.index("</svg>")
    return "\n".join([*lines[:end], f' <style type="text/css">{style}</style>', *lines[end:]]) + "\n"
