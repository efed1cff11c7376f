"""A report on a tournament: Markdown and HTML with plots, and the games as files."""

from __future__ import annotations

import base64
import html
import io
import os
import re
from collections.abc import Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fourcast.arena.quality import Quality
from fourcast.arena.results import Results, Standing
from fourcast.errors import MissingExtraError

if TYPE_CHECKING:
    from matplotlib.figure import Figure

COLOUR = "#3b82b5"
LOST_COLOUR = "#c8503c"
INK = "#010203"
"""Stands for the colour of text, which is dark on a light page and light on a dark one."""


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
    with _drawing_style():
        sections = _sections(results, qualities or {})
    files = {
        f"{section.plot.file}.svg": section.plot.svg for section in sections if section.plot is not None
    }
    files["report.md"] = _markdown(title, description, sections)
    files["report.html"] = _html(title, description, sections)
    for name, text in files.items():
        (target / name).write_text(text, "utf-8")
    return [target / name for name in files]


@dataclass(frozen=True)
class Plot:
    """A picture of what a table says."""

    file: str
    """Its name, without the ending."""
    alt: str
    svg: str


@dataclass(frozen=True)
class Section:
    """A part of the report: a table, whose cells are texts, and perhaps a plot."""

    title: str
    heads: list[str]
    rows: list[list[str]]
    plot: Plot | None = None
    shares: list[list[float | None]] | None = None
    """From 0 to 1, for each cell behind the first one of its row: the table is a heat map, too."""


# The tables


def standings_table(
    standings: list[Standing], qualities: Mapping[str, Quality]
) -> tuple[list[str], list[list[str]]]:
    """Return the heads and the rows of the table."""
    has_forfeits = any(line.forfeits for line in standings)
    heads = ["", "player", "Elo", "+-", "games", "points", "as first", "as second", "ms a move"]
    heads += ["forfeits"] * has_forfeits
    heads += ["value kept", "score lost a move"] * bool(qualities)
    rows = []
    for place, line in enumerate(standings, start=1):
        row = [
            str(place),
            line.name,
            f"{line.rating.elo:+.0f}",
            f"{line.rating.error:.0f}",
            str(line.games),
            f"{line.points:g}",
            "+{} ={} -{}".format(*line.as_first),
            "+{} ={} -{}".format(*line.as_second),
            f"{line.mean_time_s * 1000:.1f}",
        ]
        if has_forfeits:
            row.append(", ".join(f"{count} {kind}" for kind, count in line.forfeits.most_common()))
        if qualities:
            quality = qualities.get(line.name, Quality())
            row += (
                [f"{quality.kept_share:.1%}", f"{quality.mean_loss:.2f}"] if quality.moves else ["", ""]
            )
        rows.append(row)
    return heads, rows


def _sections(results: Results, qualities: Mapping[str, Quality]) -> list[Section]:
    standings = results.standings()
    names = [line.name for line in standings]
    ratings = Plot("ratings", "Ratings with 95% error bars", _svg(_rating_figure(standings)))
    sections = [
        Section("Standings", *standings_table(standings, qualities), ratings),
        _cross_section(results, names),
    ]
    if any(quality.moves for quality in qualities.values()):
        sections.append(_quality_section(names, qualities))
    if forfeits := results.forfeits():
        rows = [[name, detail, _listed(games)] for (name, detail), games in forfeits.items()]
        sections.append(Section("Forfeits", ["player", "what it did", "games"], rows[:100]))
    return sections


def _cross_section(results: Results, names: list[str]) -> Section:
    cross = results.cross_table()
    cells = [[cross[name].get(other) for other in names] for name in names]
    rows = [
        [name, *("" if cell is None else f"{cell[0]:g} / {cell[1]}" for cell in row)]
        for name, row in zip(names, cells, strict=True)
    ]
    shares = [[None if cell is None else cell[0] / cell[1] for cell in row] for row in cells]
    plot = Plot(
        "cross-table", "Points against each other, in percent", _svg(_cross_figure(names, shares))
    )
    return Section("Points of each against each", ["", *names], rows, plot, shares)


def _quality_section(names: list[str], qualities: Mapping[str, Quality]) -> Section:
    judged = {name: quality for name in names if (quality := qualities.get(name)) and quality.moves}
    rows = [
        [
            name,
            str(quality.moves),
            str(quality.unknown),
            f"{quality.kept_share:.1%}",
            f"{quality.mean_loss:.2f}",
        ]
        for name, quality in judged.items()
    ]
    heads = ["player", "moves judged", "not judged", "value kept", "score lost a move"]
    alt = "Score lost a move, by stones on the board"
    return Section(
        "Quality of play by the solver", heads, rows, Plot("score-lost", alt, _svg(_loss_figure(judged)))
    )


def _listed(games: list[int]) -> str:
    """The numbers of games, as people count them.

    >>> _listed([0, 1, 2, 3, 4, 5, 6])
    '1, 2, 3, 4, 5 and 2 more'
    """
    shown = ", ".join(str(game + 1) for game in games[:5])
    return f"{shown} and {len(games) - 5} more" if len(games) > 5 else shown


def forfeit_lines(results: Results) -> list[str]:
    """Return a line on each way in which a player lost games other than on the board."""
    return [
        f"game{'s' * (len(games) > 1)} {_listed(games)}: {name} lost by {detail}"
        for (name, detail), games in results.forfeits().items()
    ]


def _markdown(title: str, description: str, sections: list[Section]) -> str:
    parts = [f"# {_cell(title)}", description]
    for section in sections:
        lines = [f"## {section.title}", "", _row(section.heads), _row(["-"] * len(section.heads))]
        parts.append("\n".join([*lines, *map(_row, section.rows)]))
        if section.plot:
            parts.append(f"![{section.plot.alt}]({section.plot.file}.svg)")
    return "\n\n".join(part for part in parts if part) + "\n"


def _row(cells: list[str]) -> str:
    return f"| {' | '.join(map(_cell, cells))} |"


def _cell(text: str) -> str:
    return re.sub(r"([\\`*_<>|\[\]#])", r"\\\1", " ".join(text.split()))


# The page

_STYLE = """
:root { color-scheme: light dark; --paper: #fff; --ink: #1b1b1b; --line: #ddd; --rule: #888; }
@media (prefers-color-scheme: dark) {
  :root { --paper: #16181c; --ink: #e6e6e6; --line: #33373d; --rule: #777; }
}
body { font: 16px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 76rem; padding: 0 1rem;
       color: var(--ink); background: var(--paper); }
h1, h2 { line-height: 1.2; }
h2 { margin-top: 2.5rem; }
p { overflow-wrap: anywhere; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: .25rem .6rem; border-bottom: 1px solid var(--line); text-align: right;
         white-space: nowrap; font-weight: normal; }
thead th { border-bottom: 2px solid var(--rule); vertical-align: bottom; font-weight: bold;
           white-space: normal; }
table:not(.heat) thead th:not(.text) { min-width: 3.2rem; }
.text { text-align: left; }
td.text { min-width: 8rem; white-space: normal; overflow-wrap: anywhere; }
th.name { position: sticky; left: 0; background: var(--paper); min-width: 5rem; max-width: 12rem;
          white-space: normal; overflow-wrap: break-word; }
.heat td { text-align: center; padding: .25rem .4rem; }
.heat thead th:not(.name) { writing-mode: vertical-rl; transform: rotate(180deg); padding: .4rem .25rem;
                            max-height: 12rem; text-align: left; }
.plot img { max-width: 100%; min-width: 34rem; margin-top: 1rem; }
"""


def _html(title: str, description: str, sections: list[Section]) -> str:
    parts = [f"<h1>{html.escape(title)}</h1>", f"<p>{html.escape(description)}</p>"]
    for section in sections:
        parts += [f"<h2>{html.escape(section.title)}</h2>", _html_table(section)]
        if section.plot and section.shares is None:  # of a heat map the table is the picture
            # As an image and not as part of the page, so that nothing in it can run.
            data = base64.b64encode(section.plot.svg.encode()).decode()
            image = f'<img alt="{section.plot.alt}" src="data:image/svg+xml;base64,{data}">'
            parts.append(f'<div class="wide plot">{image}</div>')
    return (
        f'<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{html.escape(title)}</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n"
        + "\n".join(parts)
        + "\n</body>\n</html>\n"
    )


def _html_table(section: Section) -> str:
    """A table whose names stay in sight when a narrow screen scrolls it."""
    name_at = section.heads.index("player") if "player" in section.heads else 0
    kinds = []
    for i, column in enumerate(zip(*section.rows, strict=True)):
        has_words = any(character.isalpha() for cell in column for character in cell)
        kinds.append(' class="name text"' if i == name_at else ' class="text"' if has_words else "")
    lines = ['<table class="heat">' if section.shares else "<table>", "<thead><tr>"]
    for head, kind in zip(section.heads, kinds, strict=True):
        lines.append(f'<th scope="col"{kind}>{_breakable(head)}</th>')
    lines.append("</tr></thead>")
    for number, row in enumerate(section.rows):
        cells = []
        for i, (cell, kind) in enumerate(zip(row, kinds, strict=True)):
            share = section.shares[number][i - 1] if section.shares and i else None
            colour = "" if share is None else f' style="background: {_heat(share)}"'
            tag = 'th scope="row"' if i == name_at else "td"
            cells.append(f"<{tag}{kind}{colour}>{_breakable(cell)}</{tag[:2]}>")
        lines.append(f"<tr>{''.join(cells)}</tr>")
    table = "\n".join(lines)
    return f'<div class="wide">{table}\n</table></div>'


def _breakable(text: str) -> str:
    """Text for a cell; a line may end behind the slash of a path."""
    return html.escape(text).replace("/", "/<wbr>") if " / " not in text else html.escape(text)


def _heat(share: float) -> str:
    """The colour of a cell, which lets the page through so that text is readable, light or dark.

    >>> _heat(0.5), _heat(1.0)
    ('#3b82b500', '#3b82b5a0')
    """
    return f"{COLOUR if share >= 0.5 else LOST_COLOUR}{round(abs(share - 0.5) * 320):02x}"


# The plots


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
    figure, axes = _figure(7, 1 + 0.3 * len(standings))
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
    axes.grid(axis="x", alpha=0.2)
    return figure


def _cross_figure(names: list[str], shares: list[list[float | None]]) -> Figure:
    from matplotlib.colors import LinearSegmentedColormap

    size = 2 + 0.45 * len(names)
    figure, axes = _figure(size + 1, size)
    colours = LinearSegmentedColormap.from_list("points", [LOST_COLOUR, "#f4f4f4", COLOUR])
    nothing = float("nan")
    cells = [[nothing if share is None else 100 * share for share in row] for row in shares]
    image = axes.imshow(cells, cmap=colours, vmin=0, vmax=100)
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


STONES_A_POINT = 4
"""How many stones a point of the plot stands for; of single ones there are often few moves."""


def _loss_figure(qualities: Mapping[str, Quality]) -> Figure:
    from matplotlib import colormaps

    figure, axes = _figure(9, 1.5 + max(3.5, 0.22 * len(qualities)))
    colours = colormaps["tab20" if len(qualities) > 10 else "tab10"]
    for number, (name, quality) in enumerate(qualities.items()):
        sums: dict[int, tuple[int, int]] = {}
        for ply, (moves, lost) in quality.by_ply.items():
            before = sums.get(ply // STONES_A_POINT, (0, 0))
            sums[ply // STONES_A_POINT] = (before[0] + moves, before[1] + lost)
        axes.plot(
            [(at + 0.5) * STONES_A_POINT - 0.5 for at in sorted(sums)],
            [sums[at][1] / sums[at][0] for at in sorted(sums)],
            marker=".",
            color=colours(number % colours.N),
            label=_short(name),
        )
    axes.set_xlabel(f"stones on the board, {STONES_A_POINT} taken together")
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
