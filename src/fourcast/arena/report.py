"""A report on a tournament: Markdown and HTML with plots, and the games as files."""

from __future__ import annotations

import base64
import html
import io
import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fourcast.arena.quality import Quality
from fourcast.arena.results import Results, Standing
from fourcast.errors import MissingExtraError

if TYPE_CHECKING:
    from matplotlib.figure import Figure

COLOUR = "#2a6f97"


def check_extra() -> None:
    """Raise `MissingExtraError` if what a report needs is not installed."""
    try:
        import matplotlib  # noqa: F401
    except ImportError:
        raise MissingExtraError("a report needs matplotlib: pip install 'fourcast[arena]'") from None


def write_report(
    results: Results,
    directory: str | os.PathLike[str],
    *,
    title: str = "Tournament",
    description: str = "",
    qualities: Mapping[str, Quality] | None = None,
) -> list[Path]:
    """Write `report.md`, `report.html`, the plots as SVG, and the games; return the paths.

    The HTML needs no other file.
    """
    check_extra()
    target = Path(directory)
    (target / "games").mkdir(parents=True, exist_ok=True)
    for record in results.records:
        record.game().save(target / "games" / f"{record.number + 1:04d}.txt")
    plots = _plots(results, qualities or {})
    written = []
    for name, (_, svg) in plots.items():
        written.append(target / f"{name}.svg")
        written[-1].write_text(svg, "utf-8")
    sections = _sections(results, qualities or {})
    markdown = _markdown(title, description, sections, {name: alt for name, (alt, _) in plots.items()})
    for path, text in (
        (target / "report.md", markdown),
        (target / "report.html", _html(title, description, sections, plots)),
    ):
        path.write_text(text, "utf-8")
        written.append(path)
    return written


# Tables: a title, a row of heads, rows; cells are texts


Section = tuple[str, list[str], list[list[str]]]


def standings_table(
    standings: list[Standing], qualities: Mapping[str, Quality]
) -> tuple[list[str], list[list[str]]]:
    """Return the heads and the rows of the table."""
    heads = ["", "player", "Elo", "+-", "games", "points", "won", "drawn", "lost"]
    heads += ["as first", "as second", "ms a move", "forfeits"]
    if qualities:
        heads += ["value kept", "score lost a move"]
    rows = []
    for place, line in enumerate(standings, start=1):
        row = [
            str(place),
            line.name,
            f"{line.rating.elo:+.0f}",
            f"{line.rating.error:.0f}",
            str(line.games),
            f"{line.points:g}",
            str(line.wins),
            str(line.draws),
            str(line.losses),
            "+{} ={} -{}".format(*line.as_first),
            "+{} ={} -{}".format(*line.as_second),
            f"{line.mean_time_s * 1000:.1f}",
            ", ".join(f"{count} {kind}" for kind, count in line.forfeits.most_common()),
        ]
        if qualities:
            quality = qualities.get(line.name, Quality())
            row += (
                [f"{quality.kept_share:.1%}", f"{quality.mean_loss:.2f}"] if quality.moves else ["", ""]
            )
        rows.append(row)
    return heads, rows


def _sections(results: Results, qualities: Mapping[str, Quality]) -> list[Section]:
    standings = results.standings()
    sections: list[Section] = [("Standings", *standings_table(standings, qualities))]
    names = [line.name for line in standings]
    cross = results.cross_table()
    rows = []
    for name in names:
        cells = [cross[name].get(other) for other in names]
        rows.append([name] + ["" if cell is None else f"{cell[0]:g} / {cell[1]}" for cell in cells])
    sections.append(("Points of each against each", ["", *names], rows))
    forfeits = [record for record in results.records if record.forfeit]
    if forfeits:
        heads = ["game", "who", "what it did"]
        rows = []
        for record in forfeits[:100]:
            loser = record.second if record.winner == record.first else record.first
            rows.append([str(record.number + 1), loser, record.detail])
        sections.append(("Forfeits", heads, rows))
    if qualities and any(quality.moves for quality in qualities.values()):
        heads = ["player", "moves judged", "not judged", "value kept", "score lost a move"]
        rows = [
            [
                name,
                str(quality.moves),
                str(quality.unknown),
                f"{quality.kept_share:.1%}",
                f"{quality.mean_loss:.2f}",
            ]
            for name in names
            if (quality := qualities.get(name))
        ]
        sections.append(("Quality of play by the solver", heads, rows))
    return sections


def _markdown(title: str, description: str, sections: list[Section], plots: Mapping[str, str]) -> str:
    parts = [f"# {_cell(title)}", description]
    for head, heads, rows in sections:
        lines = [f"## {head}", "", _row(heads), _row(["-"] * len(heads))]
        parts.append("\n".join([*lines, *map(_row, rows)]))
    parts += [f"## {alt}\n\n![{alt}]({name}.svg)" for name, alt in plots.items()]
    return "\n\n".join(part for part in parts if part) + "\n"


def _row(cells: list[str]) -> str:
    return f"| {' | '.join(map(_cell, cells))} |"


def _cell(text: str) -> str:
    return re.sub(r"([\\`*_<>|\[\]#])", r"\\\1", " ".join(text.split()))


_STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 64rem; padding: 0 1rem;
       color: #1b1b1b; background: #fff; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums;
        display: block; overflow-x: auto; }
th, td { padding: .25rem .6rem; border-bottom: 1px solid #ddd; text-align: right; white-space: nowrap; }
th { border-bottom: 2px solid #888; }
td:nth-child(-n+2), th:nth-child(-n+2) { text-align: left; }
img { max-width: 100%; }
"""


def _html(
    title: str, description: str, sections: list[Section], plots: Mapping[str, tuple[str, str]]
) -> str:
    parts = [f"<h1>{html.escape(title)}</h1>", f"<p>{html.escape(description)}</p>"]
    for head, heads, rows in sections:
        parts.append(f"<h2>{html.escape(head)}</h2>\n<table>")
        parts.append(f"<tr>{''.join(f'<th>{html.escape(cell)}</th>' for cell in heads)}</tr>")
        parts += [f"<tr>{''.join(f'<td>{html.escape(cell)}</td>' for cell in row)}</tr>" for row in rows]
        parts.append("</table>")
    for alt, svg in plots.values():
        # As an image and not as part of the page, so that nothing in it can run.
        data = base64.b64encode(svg.encode()).decode()
        parts.append(f"<h2>{html.escape(alt)}</h2>")
        parts.append(f'<img alt="{html.escape(alt)}" src="data:image/svg+xml;base64,{data}">')
    return (
        f'<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{html.escape(title)}</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n"
        + "\n".join(parts)
        + "\n</body>\n</html>\n"
    )


# Plots


def _plots(results: Results, qualities: Mapping[str, Quality]) -> dict[str, tuple[str, str]]:
    """Return file name -> (title, SVG)."""
    standings = results.standings()
    plots = {
        "ratings": ("Ratings with 95% error bars", _svg(_rating_figure(standings))),
        "cross-table": ("Points against each other, in percent", _svg(_cross_figure(results))),
    }
    if any(quality.by_ply for quality in qualities.values()):
        plots["score-lost"] = (
            "Score lost a move, by stones on the board",
            _svg(_loss_figure(qualities)),
        )
    return plots


def _figure(width: float, height: float) -> tuple[Figure, Any]:
    from matplotlib.backends.backend_svg import FigureCanvasSVG
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), layout="constrained")
    FigureCanvasSVG(figure)
    return figure, figure.add_subplot()


def _short(name: str) -> str:
    plain = name.replace("$", r"\$")  # which would begin a formula
    return plain if len(plain) <= 24 else plain[:21] + "..."


def _rating_figure(standings: list[Standing]) -> Figure:
    figure, axes = _figure(7, 1 + 0.35 * len(standings))
    places = list(range(len(standings)))[::-1]
    axes.errorbar(
        [line.rating.elo for line in standings],
        places,
        xerr=[line.rating.error for line in standings],
        fmt="o",
        capsize=4,
        color=COLOUR,
    )
    axes.set_yticks(places, [_short(line.name) for line in standings])
    axes.set_xlabel("Elo")
    axes.grid(axis="x", alpha=0.3)
    return figure


def _cross_figure(results: Results) -> Figure:
    names = [line.name for line in results.standings()]
    cross = results.cross_table()
    size = 2.5 + 0.5 * len(names)
    figure, axes = _figure(size + 1, size)
    nothing = float("nan")
    shares = [
        [100 * cell[0] / cell[1] if (cell := cross[name].get(other)) else nothing for other in names]
        for name in names
    ]
    image = axes.imshow(shares, cmap="RdYlGn", vmin=0, vmax=100)
    for i, row in enumerate(shares):
        for j, share in enumerate(row):
            if share == share:
                axes.text(j, i, f"{share:.0f}", ha="center", va="center", fontsize=8)
    axes.set_xticks(range(len(names)), map(_short, names), rotation=45, ha="right")
    axes.set_yticks(range(len(names)), map(_short, names))
    figure.colorbar(image, ax=axes, label="% of the points")
    return figure


def _loss_figure(qualities: Mapping[str, Quality]) -> Figure:
    figure, axes = _figure(7, 4.5)
    for name, quality in qualities.items():
        plies = sorted(quality.by_ply)
        means = [quality.by_ply[ply][1] / quality.by_ply[ply][0] for ply in plies]
        axes.plot(plies, means, marker=".", label=_short(name))
    axes.set_xlabel("stones on the board")
    axes.set_ylabel("mean score lost")
    axes.grid(alpha=0.3)
    axes.legend(fontsize=8)
    return figure


def _svg(figure: Figure) -> str:
    import matplotlib

    stream = io.StringIO()
    # No date and no random ids: the same games make the same file.
    with matplotlib.rc_context({"svg.hashsalt": "fourcast"}):
        figure.savefig(stream, format="svg", metadata={"Date": None})
    return "\n".join(line.rstrip() for line in stream.getvalue().splitlines()) + "\n"
