"""A report on a tournament: Markdown and HTML with plots, and the games as files."""

from __future__ import annotations

import base64
import csv
import html
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from fourcast.arena.play import GameRecord
from fourcast.arena.plots import COLOR, LOST_COLOR, Plot, plot_cross_table, plot_losses, plot_ratings
from fourcast.arena.quality import Quality, how_bad
from fourcast.arena.results import Forfeits, Results, Standing
from fourcast.errors import OptionError, missing_extra
from fourcast.notation import format_column
from fourcast.render.review import move_text
from fourcast.render.said import paragraphs_text
from fourcast.study.review import MoveReview, Review, explain_mistakes

MAX_LISTED_GAMES = 2000
"""Games that the report lists; all of them are files."""
MAX_WORST_MOVES = 30
"""Games whose worst move is explained."""
REASONS_S = 0.3
"""Seconds for the reasons of one of them."""
MAX_FORFEITS = 100
"""Rows of the table of forfeits."""


def check_extra() -> None:
    """Raise `MissingExtraError` if what a report needs is not installed."""
    try:
        import matplotlib  # noqa: F401
    except ImportError:
        raise missing_extra("a report needs matplotlib", "arena") from None


def make_folder(directory: str | os.PathLike[str]) -> Path:
    """Make a folder to write a report to, if it is not there, and return its path."""
    folder = Path(directory)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except (FileExistsError, NotADirectoryError):
        raise OptionError(f"'{folder}' is not a folder; name a folder to write the report to") from None
    return folder


def write_report(
    results: Results,
    directory: str | os.PathLike[str],
    *,
    title: str = "Tournament",
    facts: Mapping[str, str] | None = None,
    qualities: Mapping[str, Quality] | None = None,
) -> list[Path]:
    """Write `report.md`, `report.html`, the plots as SVG, and the games; return the paths.

    *facts* are what a reader has to know, such as the date and the command. The HTML needs no other
    file; it has links to the games.
    """
    check_extra()
    target = Path(directory)
    (target / "games").mkdir(parents=True, exist_ok=True)
    for record in results.records:
        record.game().save(target / _game_file(record))
        for name, said in zip(("first", "second"), record.messages, strict=True):
            if said:
                path = target / _game_file(record).replace(".txt", f".{name}.stderr.txt")
                path.write_text(said, "utf-8", errors="replace")
    write_csv(target / "standings.csv", *standings_table(results.standings(), qualities or {}))
    return write_sections(target, title, facts or {}, _sections(results, qualities or {}))


def write_csv(path: Path, heads: list[str], rows: list[list[str]]) -> None:
    """Write a table as CSV. A cell that a spreadsheet would run as a formula is quoted."""
    with open(path, "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow([head or "place" for head in heads])
        for row in rows:
            writer.writerow([f"'{cell}" if re.match(r"[=@]|[+-](?!\d)", cell) else cell for cell in row])


def write_sections(
    directory: Path, title: str, facts: Mapping[str, str], sections: list[Section]
) -> list[Path]:
    """Write `report.md`, `report.html` and the plots into a folder that exists; return the paths."""
    plots = [section.plot for section in sections if section.plot is not None]
    files = {f"{plot.file}.svg": plot.svg for plot in plots}
    files["report.md"] = _markdown(title, facts, sections)
    files["report.html"] = _html(title, facts, sections)
    for name, text in files.items():
        (directory / name).write_text(text, "utf-8")
    return [directory / name for name in files]


def _game_file(record: GameRecord) -> str:
    """The place of a game in the folder of the report."""
    return f"games/{record.number:04d}.txt"


@dataclass(frozen=True)
class Section:
    """A part of the report: a table, whose cells are texts, and perhaps a plot."""

    title: str
    heads: list[str]
    rows: list[list[str]]
    plot: Plot | None = None
    shares: list[list[float | None]] | None = None
    """From 0 to 1, for each cell behind the first one of its row: the table is a heat map, too."""
    links: list[str] | None = None
    """An address for the first cell of each row."""
    notes: list[tuple[str, str]] = field(default_factory=list)
    """Titles and texts below the table that are shown as they are, such as a program's messages."""


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
            f"{line.rating.elo:+.0f}" if line.rating else "out",
            f"{line.rating.error:.0f}" if line.rating else "",
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
                [f"{quality.kept_share:.1%}", f"{quality.mean_loss:.2f}"]
                if quality.moves
                else ["-", "-"]
            )
        rows.append(row)
    return heads, rows


def _sections(results: Results, qualities: Mapping[str, Quality]) -> list[Section]:
    standings = results.standings()
    names = [line.name for line in standings]
    table = standings_table(standings, qualities)
    sections = [
        Section("Standings", *table, plot_ratings(standings)),
        _cross_section(results, names),
    ]
    if qualities:
        sections[0].notes.extend(("Quality", line) for line in quality_lines(qualities))
    if any(quality.moves for quality in qualities.values()):
        sections.append(_quality_section(names, qualities))
        if worst := _worst_moves(qualities):
            sections.append(_worst_section(worst, results.records))
    if forfeits := results.forfeits():
        sections.append(_forfeit_section(forfeits[:MAX_FORFEITS]))
    if results.records:
        sections.append(_game_section(results.records[:MAX_LISTED_GAMES]))
    return sections


def _forfeit_section(forfeits: list[Forfeits]) -> Section:
    rows = [[entry.name, entry.detail, _listed(entry.games)] for entry in forfeits]
    notes = [
        (f"What {entry.name} wrote in game {entry.games[0]}", entry.messages.rstrip())
        for entry in forfeits
        if entry.messages.strip()
    ]
    return Section("Forfeits", ["player", "what it did", "games"], rows, notes=notes)


def _worst_moves(qualities: Mapping[str, Quality]) -> dict[int, tuple[str, MoveReview]]:
    """The worst move of each game that was judged, with its player; of many games the worst ones."""
    found: dict[int, tuple[str, MoveReview]] = {}
    for name, quality in qualities.items():
        for game, move in quality.worst.items():
            if game not in found or how_bad(move) > how_bad(found[game][1]):
                found[game] = name, move
    chosen = sorted(found, key=lambda game: how_bad(found[game][1]))[-MAX_WORST_MOVES:]
    return {game: found[game] for game in sorted(chosen)}


def _worst_section(
    worst: Mapping[int, tuple[str, MoveReview]], records: Sequence[GameRecord]
) -> Section:
    """Of each game the worst move, and why it is bad."""
    names = {record.number: (record.first, record.second) for record in records}
    moves = Review(tuple(move for _, move in worst.values()))
    explained = explain_mistakes(moves, reasons_s=REASONS_S * len(worst))
    rows = []
    for (game, (name, _)), move in zip(worst.items(), explained, strict=True):
        why = (
            paragraphs_text([move.explanation.brief], names[game])
            if move.explanation
            else move_text(move)
        )
        rows.append([str(game), name, f"{move.number}. {format_column(move.column)}", why])
    return Section("Worst moves", ["game", "player", "move", "why"], rows)


def _game_section(records: list[GameRecord]) -> Section:
    heads = ["game", "first player", "second player", "result", "moves"]
    rows = [
        [str(game.number), game.first, game.second, str(game.outcome), game.moves] for game in records
    ]
    return Section("Games", heads, rows, links=[_game_file(game) for game in records])


def _cross_section(results: Results, names: list[str]) -> Section:
    cross = results.cross_table()
    cells = [[cross[name].get(other) for other in names] for name in names]
    rows = [
        [name, *("" if cell is None else f"{cell[0]:g} / {cell[1]}" for cell in row)]
        for name, row in zip(names, cells, strict=True)
    ]
    shares = [[None if cell is None else cell[0] / cell[1] for cell in row] for row in cells]
    plot = plot_cross_table(names, shares)
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
    return Section("Quality of play by the solver", heads, rows, plot_losses(judged))


def _listed(games: Sequence[int]) -> str:
    """The numbers of some games.

    >>> _listed([1, 2, 3, 4, 5, 6, 7])
    '1, 2, 3, 4, 5 and 2 more'
    """
    shown = ", ".join(map(str, games[:5]))
    return f"{shown} and {len(games) - 5} more" if len(games) > 5 else shown


def forfeit_lines(results: Results) -> list[str]:
    """Return a line on each way in which a player lost games other than on the board."""
    return [
        f"game{'s' * (len(entry.games) > 1)} {_listed(entry.games)}: {entry.name} lost by {entry.detail}"
        for entry in results.forfeits()
    ]


def quality_lines(qualities: Mapping[str, Quality]) -> list[str]:
    """Return a line on each player without a judged move, and one on moves that took too long."""
    lines = [
        f"No move of {name} was judged: its games ended too early, or there was no time."
        for name, quality in qualities.items()
        if not quality.moves
    ]
    if unknown := sum(quality.unknown for quality in qualities.values()):
        lines.append(f"Moves that the solver had no time to judge: {unknown}.")
    return lines


# Markdown


def _markdown(title: str, facts: Mapping[str, str], sections: list[Section]) -> str:
    parts = [f"# {_cell(title)}", "\n".join(f"- {key}: {_cell(value)}" for key, value in facts.items())]
    for section in sections:
        lines = [f"## {section.title}", "", _row(section.heads), _row(["-"] * len(section.heads))]
        rows = [_row(row) for row in section.rows]
        if section.links:
            pairs = zip(section.rows, section.links, strict=True)
            rows = [f"| [{_cell(row[0])}]({link}) {_row(row[1:])}" for row, link in pairs]
        parts.append("\n".join([*lines, *rows]))
        for head, text in section.notes:
            parts.append(f"{_cell(head)}:")
            parts.append("\n".join(f"    {line}" for line in text.splitlines()))
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
pre { overflow-x: auto; padding: .6rem; border: 1px solid var(--line); font-size: .85rem; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .2rem 1rem; }
dt { font-weight: bold; }
dd { margin: 0; overflow-wrap: anywhere; }
.plot img { max-width: 100%; min-width: 34rem; margin-top: 1rem; }
"""


def _html(title: str, facts: Mapping[str, str], sections: list[Section]) -> str:
    parts = [f"<h1>{html.escape(title)}</h1>"]
    if facts:
        said = (f"<dt>{html.escape(key)}</dt><dd>{html.escape(facts[key])}</dd>" for key in facts)
        parts.append(f"<dl>{''.join(said)}</dl>")
    for section in sections:
        parts += [f"<h2>{html.escape(section.title)}</h2>", _html_table(section)]
        for head, text in section.notes:
            summary = f"<summary>{html.escape(head)}</summary>"
            parts.append(f'<details>{summary}<pre tabindex="0">{html.escape(text)}</pre></details>')
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
            color = "" if share is None else f' style="background: {_heat(share)}"'
            tag = 'th scope="row"' if i == name_at else "td"
            text = _breakable(cell)
            if section.links and i == 0:
                text = f'<a href="{section.links[number]}">{text}</a>'
            cells.append(f"<{tag}{kind}{color}>{text}</{tag[:2]}>")
        lines.append(f"<tr>{''.join(cells)}</tr>")
    table = "\n".join(lines)
    return f'<div class="wide">{table}\n</table></div>'


def _breakable(text: str) -> str:
    """Text for a cell; a line may end behind the slash of a path."""
    return html.escape(text).replace("/", "/<wbr>") if " / " not in text else html.escape(text)


def _heat(share: float) -> str:
    """The color of a cell, which lets the page through so that text is readable, light or dark.

    >>> _heat(0.5), _heat(1.0)
    ('#3b82b500', '#3b82b5a0')
    """
    return f"{COLOR if share >= 0.5 else LOST_COLOR}{round(abs(share - 0.5) * 320):02x}"
