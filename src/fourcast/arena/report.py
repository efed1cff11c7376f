"""A report on a tournament: Markdown and HTML with plots, and the games as files."""

from __future__ import annotations

import csv
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from fourcast._core import Position
from fourcast.arena.cup import Cup
from fourcast.arena.play import GameRecord
from fourcast.arena.plots import plot_cross_table, plot_losses, plot_ratings
from fourcast.arena.quality import Quality, how_bad
from fourcast.arena.report_page import page_of
from fourcast.arena.results import Forfeits, Results, listed, standings_table
from fourcast.arena.sections import Section
from fourcast.errors import OptionError, missing_extra
from fourcast.notation import format_column
from fourcast.render import svg
from fourcast.render.review import move_text
from fourcast.render.said import paragraphs_text
from fourcast.study.review import MoveReview, Review, explain_mistakes

MAX_LISTED_GAMES = 2000
"""Games that the report lists; all of them are files."""
MAX_WORST_MOVES = 10
"""Worst moves that are explained."""
SHOWN_WORST_MOVES = 5
"""Those that the page shows at first."""
OWN_WORST_MOVES = 3
"""Of one player."""
SHOWN = 15
"""Rows of a table that the page shows at first."""
MAX_CROSSED = 50
"""Players in the cross table: that of 200 takes minutes to draw, and nobody reads it."""
MAX_LINES = 8
"""Lines of a plot."""
REASONS_S = 2.0
"""Seconds for the reasons of one of them, of which few take a tenth."""
MAX_FORFEITS = 100
"""Rows of the table of forfeits."""


def check_extra() -> None:
    """Raise `MissingExtraError` if what a report needs is not installed."""
    try:
        import matplotlib  # noqa: F401
    except ImportError:
        raise missing_extra("a report needs matplotlib", packages=["matplotlib"]) from None


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
    earlier: Sequence[Cup] = (),
) -> list[Path]:
    """Write `report.md`, `report.html`, the plots as SVG, and the games; return the paths.

    *facts* are what a reader has to know, such as the date and the command. The HTML needs no other
    file; it has links to the games. The page of a player compares with *earlier* tournaments.
    """
    check_extra()
    cup = Cup(title, results, qualities or {})
    target = Path(directory)
    (target / "games").mkdir(parents=True, exist_ok=True)
    for record in results.records:
        # Not by save(), which waits for the disk: the journal has them.
        (target / _game_file(record)).write_text(record.game().to_text(), "utf-8")
        for name, said in zip(("first", "second"), record.messages, strict=True):
            if said:
                path = target / _game_file(record).replace(".txt", f".{name}.stderr.txt")
                path.write_text(said, "utf-8", errors="replace")
    table = standings_table(results.standings(), cup.qualities)
    write_csv(target / "standings.csv", *table)
    pages = _player_pages(cup, *table, earlier)
    (target / "players").mkdir(exist_ok=True)
    for name, page in pages.items():
        (target / name).write_text(page, "utf-8")
    sizes = {(record.width, record.height) for record in results.records}
    size = sizes.pop() if len(sizes) == 1 else None
    return write_sections(target, title, facts or {}, _sections(cup, *table, list(pages)), size)


def write_csv(path: Path, heads: list[str], rows: list[list[str]]) -> None:
    """Write a table as CSV. A cell that a spreadsheet would run as a formula is quoted."""
    with open(path, "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow([head or "place" for head in heads])
        for row in rows:
            writer.writerow([f"'{cell}" if re.match(r"[=@]|[+-](?!\d)", cell) else cell for cell in row])


def write_sections(
    directory: Path,
    title: str,
    facts: Mapping[str, str],
    sections: list[Section],
    size: tuple[int, int] | None = None,
) -> list[Path]:
    """Write `report.md`, `report.html` and the plots into a folder that exists; return the paths."""
    plots = [section.plot for section in sections if section.plot is not None]
    files = {f"{plot.file}.svg": plot.svg for plot in plots}
    files["report.md"] = _markdown(title, facts, sections)
    files["report.html"] = page_of(title, facts, sections, size)
    for name, text in files.items():
        (directory / name).write_text(text, "utf-8")
    return [directory / name for name in files]


def _game_file(record: GameRecord) -> str:
    """The place of a game in the folder of the report."""
    return f"games/{record.number:04d}.txt"


# The tables


def _sections(cup: Cup, heads: list[str], rows: list[list[str]], pages: list[str]) -> list[Section]:
    results, qualities = cup.results, cup.qualities
    names = [row[1] for row in rows]
    plot = plot_ratings(results.standings()[:SHOWN])
    sections = [
        Section("Standings", heads, rows, plot, shown=SHOWN, links=pages),
        _cross_section(results, names),
    ]
    if qualities and (lines := quality_lines(qualities, results)):
        sections[0].notes.append(("What was not judged", "\n".join(lines)))
    if any(quality.moves for quality in qualities.values()):
        sections.append(_quality_section(names, qualities))
        if worst := _worst_moves(qualities):
            sections.append(_worst_section(worst, results.records))
    if forfeits := results.forfeits():
        sections.append(_forfeit_section(forfeits[:MAX_FORFEITS]))
    if results.records:
        sections.append(_game_section(results.records[:MAX_LISTED_GAMES]))
    return sections


def _player_pages(
    cup: Cup, heads: list[str], rows: list[list[str]], earlier: Sequence[Cup]
) -> dict[str, str]:
    """A page for each player, by the path in the folder, the best first.

    It has the player's place, progress, forfeits, worst moves and games.
    """
    results = cup.results
    all_forfeits = results.forfeits()
    numbers = {name: number for number, name in enumerate(results.names, start=1)}
    games: dict[str, list[GameRecord]] = {name: [] for name in results.names}
    for record in results.records:
        games[record.first].append(record)
        games[record.second].append(record)
    pages = {}
    for row in rows:
        name = row[1]
        own = games[name]
        sections = [Section(f"Place {row[0]} of {len(rows)}", heads, [row])]
        if progress := [_result_in(each, name) for each in earlier if name in each.results.names]:
            cells = ["cup", "date", "place", "Elo", "points", "value kept"]
            sections.append(Section("Progress", cells, [*progress, _result_in(cup, name)]))
        if forfeits := [each for each in all_forfeits if each.name == name]:
            sections.append(_forfeit_section(forfeits))
        quality = cup.qualities.get(name, Quality())
        if worst := _worst_moves({name: quality}, OWN_WORST_MOVES):
            sections.append(_worst_section(worst, own))
        sections.append(replace(_game_section(own), shown=None))
        sections[1:] = [_below(section) for section in sections[1:]]
        slug = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")[:40]
        size = (own[0].width, own[0].height) if own else None
        pages[f"players/{numbers[name]:03d}-{slug}.html"] = page_of(name, {}, sections, size)
    return pages


def _result_in(cup: Cup, name: str) -> list[str]:
    """How a player did in a tournament: a row of its progress."""
    standings = cup.results.standings()
    place, line = next((i, each) for i, each in enumerate(standings, start=1) if each.name == name)
    quality = cup.qualities.get(name, Quality())
    return [
        cup.title,
        cup.date,
        f"{place} of {len(standings)}",
        f"{line.rating.elo:+.0f} +- {line.rating.error:.0f}" if line.rating else "out",
        f"{line.points:g} in {line.games}",
        f"{quality.kept_share:.1%}" if quality.moves else "-",
    ]


def _below(section: Section) -> Section:
    """The same section for a page in a folder of the report's."""
    return replace(section, links=[f"../{link}" for link in section.links]) if section.links else section


def _forfeit_section(forfeits: list[Forfeits]) -> Section:
    rows = [[entry.name, entry.detail, listed(entry.games), entry.cure] for entry in forfeits]
    notes = [
        (f"What {entry.name} wrote in game {entry.games[0]}", entry.messages.rstrip())
        for entry in forfeits
        if entry.messages.strip()
    ]
    heads = ["player", "what it did", "games", "what to do"]
    return Section("Forfeits", heads, rows, notes=notes, shown=SHOWN)


def _worst_moves(
    qualities: Mapping[str, Quality], most: int = MAX_WORST_MOVES
) -> dict[int, tuple[str, MoveReview]]:
    """The worst moves with their players by the numbers of their games; a move of a player only once."""
    found: dict[tuple[str, Position, int], tuple[int, MoveReview]] = {}
    for name, quality in qualities.items():
        for game, move in quality.worst.items():
            found.setdefault((name, move.position, move.column), (game, move))
    ordered = sorted(found.items(), key=lambda item: how_bad(item[1][1]), reverse=True)
    chosen = {game: (name, move) for (name, _, _), (game, move) in ordered[:most]}
    return dict(sorted(chosen.items()))


def _worst_section(
    worst: Mapping[int, tuple[str, MoveReview]], records: Sequence[GameRecord]
) -> Section:
    """The worst moves, and why they are bad."""
    games = {record.number: record for record in records}
    moves = Review(tuple(move for _, move in worst.values()))
    explained = explain_mistakes(moves, reasons_s=REASONS_S * len(worst))
    rows = []
    for (game, (name, _)), move in zip(worst.items(), explained, strict=True):
        names = games[game].first, games[game].second
        why = paragraphs_text([move.explanation.brief], names) if move.explanation else move_text(move)
        rows.append([str(game), name, f"{move.number}. {format_column(move.column)}", why])
    played = [games[game].moves[: move.number] for game, (_, move) in worst.items()]
    links = [_game_file(games[game]) for game in worst]
    boards = [_picture(move) for _, move in worst.values()]
    heads = ["game", "player", "move", "why"]
    return Section(
        "Worst moves",
        heads,
        rows,
        shown=SHOWN_WORST_MOVES,
        links=links,
        moves=played,
        pictures=boards,
    )


def _picture(move: MoveReview) -> tuple[str, str]:
    """The board after a move, in words and as a picture."""
    position = move.position.play(move.column)
    return svg.describe(position, last=move.column), svg.board(position, last=move.column)


def _game_section(records: list[GameRecord]) -> Section:
    heads = ["game", "first player", "second player", "result", "moves"]
    rows = [
        [str(game.number), game.first, game.second, str(game.outcome), game.moves] for game in records
    ]
    links = [_game_file(game) for game in records]
    # What is taken out of a board is not replayed: then the links open the game files.
    has_pops = any(game.start.rules.pop for game in records)
    moves = [] if has_pops else [game.moves for game in records]
    return Section("Games", heads, rows, links=links, moves=moves, shown=0)


def _cross_section(results: Results, names: list[str]) -> Section:
    title = "Points of each against each"
    if len(names) > MAX_CROSSED:
        title = f"Points of the best {MAX_CROSSED} against each other"
        names = names[:MAX_CROSSED]
    cross = results.cross_table()
    cells = [[cross[name].get(other) for other in names] for name in names]
    rows = [
        [name, *("" if cell is None else f"{cell[0]:g} / {cell[1]}" for cell in row)]
        for name, row in zip(names, cells, strict=True)
    ]
    shares = [[None if cell is None else cell[0] / cell[1] for cell in row] for row in cells]
    plot = plot_cross_table(names, shares)
    shown = None if len(names) <= SHOWN else 0
    return Section(title, ["", *names], rows, plot, shares, shown=shown)


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
    best = dict(list(judged.items())[:MAX_LINES])
    return Section("Quality of play by the solver", heads, rows, plot_losses(best), shown=SHOWN)


def quality_lines(qualities: Mapping[str, Quality], results: Results) -> list[str]:
    """Return lines on what was not judged: games, all moves of a player, moves that took too long."""
    games = len(results.records)
    names = [
        name
        for name, quality in qualities.items()
        if quality.games and not quality.moves and name not in results.out
    ]
    lines = []
    if names:
        lines.append(
            f"No move of {listed(names)} was judged: the games ended too early, or there was no time."
        )
    judged = sum(quality.games for quality in qualities.values()) // 2
    if 0 < judged < games:
        lines.append(f"{games - judged} of {games} games were not judged; --quality judges them.")
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
