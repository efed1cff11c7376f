"""`fourcast repertoire`: what to play in the opening, as a list, an Anki deck or a booklet."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from fourcast.cli._support.options import Deck, Json
from fourcast.cli._support.progress import ProgressBar
from fourcast.files import replace_file
from fourcast.notation import format_column
from fourcast.puzzles.card_pages import CardPage, page_of
from fourcast.puzzles.repertoire import Repertoire, load_repertoire
from fourcast.solver import Solver

GivenDeck = Annotated[
    Deck,
    typer.Argument(
        metavar="first|second|win",
        help="For the first or the second player, or the first player's whole win.",
    ),
]
Plies = Annotated[
    int | None,
    typer.Option(
        min=0,
        max=42,
        metavar="N",
        help="Only positions with at most N discs. Of the whole win those with 10, unless you say more.",
    ),
]
Anki = Annotated[
    Path | None, typer.Option(metavar="FILE", help="Write an Anki deck, such as first.apkg.")
]
Booklet = Annotated[
    Path | None, typer.Option(metavar="FILE", help="Write a booklet to print, such as first.html.")
]


def repertoire(
    deck: GivenDeck = Deck.first,
    plies: Plies = None,
    anki: Anki = None,
    booklet: Booklet = None,
    as_json: Json = False,
) -> None:
    """Show what to play in the opening: the smallest repertoire that works.

    Without options, this lists the positions and the column to play in each. It
    leaves out mirror images and positions in which you have to block or have a
    forced win with at most four discs. `fourcast train --repertoire` teaches it.

    `win` is what people can learn of the first player's whole win: a line goes on
    until a level diagram or a forced win with at most five discs takes over.
    """
    for option, file, ending in (("--anki", anki, ".apkg"), ("--booklet", booklet, ".html")):
        if file is not None and file.suffix.lower() != ending:
            raise typer.BadParameter(f"{option} takes a name that ends in {ending}, not {file.name}")
    found = load_repertoire(deck.value, plies)
    news = sys.stderr if as_json else sys.stdout
    if anki is not None:
        from fourcast.puzzles.anki import write_deck

        count = write_deck(anki, found.deck, f"Repertoire, {found.title}", _pages(found))
        cards = "card" if count == 1 else "cards"
        print(f"{anki}: {count} {cards}; open it with Anki", file=news)
    if booklet is not None:
        from fourcast.puzzles.booklet import booklet as make_booklet

        text = make_booklet(found, _pages(found))
        replace_file(booklet, text.encode())
        positions = "position" if len(found.cards) == 1 else "positions"
        print(f"{booklet}: {len(found.cards)} {positions}; open it in a browser and print it", file=news)
    if as_json:
        for card in found.cards:
            print(json.dumps(card.to_json()))
    elif anki is None and booklet is None:
        _print_cards(found)


def _pages(found: Repertoire) -> Iterator[CardPage]:
    solver = Solver(table_mb=64)
    with ProgressBar("writing") as bar:
        for number, card in enumerate(found.cards, start=1):
            yield page_of(card, solver)
            bar.show(number, len(found.cards))


def _print_cards(found: Repertoire) -> None:
    counts = ", ".join(f"{count} with {ply}" for ply, count in found.counts().items())
    plans = sum(card.ends_theory for card in found.cards)
    print(f"{len(found.cards)} positions for the {found.side} player; by discs: {counts}")
    print(f"{plans} of them end with a plan for the rest of the game.\n" if plans else "")
    for card in found.cards:
        plan = "  a plan wins from here" if card.ends_theory else ""
        print(f"{card.moves or '-':12} column {format_column(card.column)}{plan}")
