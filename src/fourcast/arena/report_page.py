"""The page of a report: one HTML file that needs no other, with a board that replays its games."""

from __future__ import annotations

import base64
import html
from collections.abc import Mapping, Sequence
from importlib.resources import files

from fourcast.arena.plots import COLOR, LOST_COLOR
from fourcast.arena.sections import Section

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
th.name { position: sticky; left: 0; background: var(--paper); min-width: 5rem;
          max-width: min(22rem, 45vw); white-space: normal; overflow-wrap: break-word; }
.heat td { text-align: center; padding: .25rem .4rem; }
.heat thead th:not(.name) { writing-mode: vertical-rl; transform: rotate(180deg); padding: .4rem .25rem;
                            max-height: 12rem; text-align: left; }
pre { overflow-x: auto; padding: .6rem; border: 1px solid var(--line); font-size: .85rem; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .2rem 1rem; }
dt { font-weight: bold; }
dd { margin: 0; overflow-wrap: anywhere; }
.plot img { max-width: 100%; min-width: 34rem; margin-top: 1rem; }
.picture img { width: 9rem; display: block; }
details { margin-top: .6rem; }
summary { cursor: pointer; }
.dense td, .dense th { font-size: .7rem; padding: .1rem .2rem; }
#replay { position: sticky; bottom: 0; background: var(--paper); border-top: 2px solid var(--rule);
          padding: .6rem 0; display: flex; gap: 1rem; align-items: center; flex-wrap: wrap; }
#replay[hidden] { display: none; }
#replay .grid { display: grid; gap: 2px; background: #2b5da8; padding: 4px; border-radius: 6px; }
#replay .grid i { width: 1.3rem; height: 1.3rem; border-radius: 50%; background: var(--paper); }
#replay .grid i.p1 { background: #d6342c; }
#replay .grid i.p2 { background: #f2c230; box-shadow: inset 0 0 0 4px #0003; }
#replay .grid i.last { outline: 2px solid #fff; outline-offset: -3px; }
#replay button { font: inherit; padding: .3rem .8rem; }
@media (max-width: 40rem) {
  .pictured thead { display: none; }
  .pictured tr { display: block; padding: .6rem 0; border-bottom: 1px solid var(--line); }
  .pictured th, .pictured td { display: inline; border: 0; padding: 0 .4rem 0 0; }
  .pictured td:nth-child(n + 4) { display: block; }
}
@page { margin: 12mm; }
@media print {
  #replay, .plot { display: none; }
  body { font-size: 9pt; margin: 0; padding: 0; }
  tr { break-inside: avoid; }
  h2 { break-after: avoid; }
  table { font-size: 8pt; }
  th, td { padding: .1rem .25rem; }
  th.name { position: static; }
  .dense td, .dense th { font-size: 5pt; padding: 0 .05rem; }
  .wide { overflow: visible; }
  .paper::details-content { content-visibility: visible; block-size: auto; }
  .paper > summary, details:not(.paper), h2:has(+ details:not(.paper)) { display: none; }
}
"""


def page_of(
    title: str,
    facts: Mapping[str, str],
    sections: Sequence[Section],
    size: tuple[int, int] | None = None,
) -> str:
    """Return the page. With *size*, the width and height of the board, it can replay games."""
    parts = [f"<h1>{html.escape(title)}</h1>"]
    if facts:
        said = (f"<dt>{html.escape(key)}</dt><dd>{html.escape(facts[key])}</dd>" for key in facts)
        parts.append(f"<details><summary>About</summary><dl>{''.join(said)}</dl></details>")
    for section in sections:
        parts += [f"<h2>{html.escape(section.title)}</h2>", *_section(section)]
    if size:
        parts.append(_replay(size))
    return (
        f'<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{html.escape(title)}</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n"
        + "\n".join(parts)
        + "\n</body>\n</html>\n"
    )


def _section(section: Section) -> list[str]:
    rows = len(section.rows)
    shown = rows if section.shown is None else min(section.shown, rows)
    parts = [_table(section, 0, shown)] if shown else []
    if shown < rows:
        words = f"{rows - shown} more" if shown else f"Show {rows} rows"
        kind = ' class="paper"' if shown else ""  # a table that is begun is printed whole
        parts.append(
            f"<details{kind}><summary>{words}</summary>{_table(section, shown, rows)}</details>"
        )
    for head, text in section.notes:
        summary = f"<summary>{html.escape(head)}</summary>"
        parts.append(f'<details>{summary}<pre tabindex="0">{html.escape(text)}</pre></details>')
    if section.plot and section.shares is None:  # of a heat map the table is the picture
        image = _image(section.plot.svg, section.plot.alt)
        parts.append(f'<div class="wide plot">{image}</div>')
    return parts


def _image(svg: str, alt: str) -> str:
    """A picture as an image and not as part of the page, so that nothing in it can run."""
    data = base64.b64encode(svg.encode()).decode()
    return f'<img alt="{html.escape(alt)}" src="data:image/svg+xml;base64,{data}">'


def _table(section: Section, begin: int, end: int) -> str:
    """Rows of a table, whose names stay in sight when a narrow screen scrolls it."""
    name_at = section.heads.index("player") if "player" in section.heads else 0
    kinds = []
    for i, column in enumerate(zip(*section.rows, strict=True)):
        filled = [cell for cell in column if cell]
        with_words = [cell for cell in filled if any(character.isalpha() for character in cell)]
        has_words = 2 * len(with_words) > len(filled) or section.heads[i] == "moves"
        kinds.append(' class="name text"' if i == name_at else ' class="text"' if has_words else "")
    dense = " dense" if len(section.heads) > DENSE else ""
    pictured = '<table class="pictured">' if section.pictures else "<table>"
    lines = [f'<table class="heat{dense}">' if section.shares else pictured, "<thead><tr>"]
    for head, kind in zip(section.heads, kinds, strict=True):
        lines.append(f'<th scope="col"{kind}>{_breakable(head)}</th>')
    lines.append("<th></th></tr></thead>" if section.pictures else "</tr></thead>")
    for number, row in list(enumerate(section.rows))[begin:end]:
        cells = []
        for i, (cell, kind) in enumerate(zip(row, kinds, strict=True)):
            share = section.shares[number][i - 1] if section.shares and i else None
            color = "" if share is None else f' style="background: {_heat(share)}"'
            tag = 'th scope="row"' if i == name_at else "td"
            text = _breakable(cell)
            if section.links and i == 0:
                moves = f' data-moves="{section.moves[number]}"' if section.moves else ""
                text = f'<a href="{html.escape(section.links[number])}"{moves}>{text}</a>'
            cells.append(f"<{tag}{kind}{color}>{text}</{tag[:2]}>")
        if section.pictures:
            alt, svg = section.pictures[number]
            cells.append(f'<td class="picture">{_image(svg, alt)}</td>')
        lines.append(f"<tr>{''.join(cells)}</tr>")
    table = "\n".join(lines)
    return f'<div class="wide">{table}\n</table></div>'


DENSE = 14
"""Columns from which on a table is set in small print."""


def _replay(size: tuple[int, int]) -> str:
    """The board on which a click on a game's number replays it."""
    script = files("fourcast.arena").joinpath("replay.js").read_text("utf-8")
    return (
        f'<div id="replay" role="group" aria-label="Replay" data-width="{size[0]}" '
        f'data-height="{size[1]}" hidden></div>\n<script>{script}</script>'
    )


def _breakable(text: str) -> str:
    """Text for a cell; a line may end behind the slash of a path."""
    return html.escape(text).replace("/", "/<wbr>") if " / " not in text else html.escape(text)


def _heat(share: float) -> str:
    """The color of a cell, which lets the page through so that text is readable, light or dark.

    >>> _heat(0.5), _heat(1.0)
    ('#3b82b500', '#3b82b5a0')
    """
    return f"{COLOR if share >= 0.5 else LOST_COLOR}{round(abs(share - 0.5) * 320):02x}"
