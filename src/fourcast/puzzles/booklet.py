"""A repertoire as a booklet: an HTML page with diagrams, made to be printed."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from itertools import groupby

from fourcast.puzzles.card_pages import CardPage
from fourcast.puzzles.repertoire import Repertoire

__all__ = ["booklet"]

_STYLE = """
@page { size: A4; margin: 14mm 12mm 16mm; @bottom-center { content: counter(page); font-size: 9pt; } }
body { font: 10pt/1.35 system-ui, Helvetica, Arial, sans-serif; color: #1f2328; }
body { margin: 0 auto; max-width: 190mm; }
h1 { font-size: 24pt; margin: 0 0 4mm; }
h2 { font-size: 14pt; margin: 8mm 0 3mm; break-after: avoid; border-bottom: 0.4mm solid #57606a; }
table { border-collapse: collapse; margin: 4mm 0; }
td, th { border: 0.2mm solid #8c959f; padding: 1mm 3mm; text-align: right; }
.cards { columns: 2; column-gap: 6mm; }
.card { display: grid; grid-template-columns: 34mm 1fr; gap: 0 3mm; align-items: start; }
.card { break-inside: avoid; margin-bottom: 4mm; }
.card.plan { grid-template-columns: 1fr; }
.card.plan svg { max-width: 62mm; }
.card.plan { border-left: 1mm solid #8250df; padding-left: 2mm; }
.card svg { width: 100%; height: auto; }
.card p { margin: 0 0 1mm; font-size: 8.5pt; }
.card .play { font-size: 11pt; font-weight: bold; }
.card .moves { font-family: ui-monospace, monospace; color: #57606a; }
@media screen { body { padding: 8mm; } }
@media screen and (max-width: 600px) { .cards { columns: 1; } }
@media print { * { -webkit-print-color-adjust: exact; print-color-adjust: exact; } }
"""

_LEFT_OUT = (
    "The mirror image of a position is not listed: play the mirrored column. Nor is a position in which "
    "you complete a four, win by force with at most {discs} discs, or have to block: look for those "
    "first."
)
_HOW_TO_READ = (
    "Each diagram shows the position <em>after</em> your move, which has a dashed ring. Cards with a "
    "bar at their side end a line: from there on a plan wins, and marks or numbers show it."
)

_WITHOUT_PLAN = 3
"""Paragraphs before those of the plan: what the move keeps, a heading, and the line of best play."""


def booklet(repertoire: Repertoire, pages: Iterable[CardPage]) -> str:
    """Return the booklet of a repertoire as an HTML document; *pages* are those of its cards."""
    player = {"first": "first player", "second": "second player"}[repertoire.side]
    goal = {
        "first": "As far as they go they hold the win of the first player, whatever the opponent plays.",
        "second": "They keep what there is to keep, and set the hardest problems where all is lost.",
    }[repertoire.side]
    left_out = _LEFT_OUT.format(discs=repertoire.forced_discs)
    counts = repertoire.counts()
    rows = "".join(f"<tr><td>{ply}</td><td>{count}</td></tr>" for ply, count in counts.items())
    title = f"Connect Four: a repertoire for the {player}"
    parts = [
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n',
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n',
        f"<title>{title}</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n<h1>{title}</h1>\n",
        f"<p>{len(repertoire.cards)} positions, each with one move to know. {goal} {left_out}</p>\n",
        f"<p>{_HOW_TO_READ}</p>\n",
        f"<table><tr><th>discs</th><th>positions</th></tr>{rows}</table>\n",
    ]
    for ply, group in groupby(pages, key=lambda page: page.card.position.ply):
        head = "The first move" if ply == 0 else f"With {ply} disc{'s' if ply > 1 else ''} on the board"
        cards = "".join(map(_card, group))
        parts.append(f'<h2>{head}</h2>\n<div class="cards">\n{cards}</div>\n')
    return "".join([*parts, "</body>\n</html>\n"])


def _card(page: CardPage) -> str:
    card = page.card
    # A plan that begins some moves later is too long for a page: the line that leads to it has to do.
    paragraphs = page.reason[:_WITHOUT_PLAN] if card.line else page.reason
    reason = "".join(f"<p>{escape(paragraph)}</p>" for paragraph in paragraphs)
    moves = f'<p class="moves">{escape(card.moves)}</p>' if card.moves else ""
    kind = "card plan" if card.ends_theory else "card"
    return (
        f'<div class="{kind}" id="{card.id}">\n{page.answer_picture}<div>{moves}'
        f'<p class="play">{escape(page.answer)}</p>{reason}</div>\n</div>\n'
    )
