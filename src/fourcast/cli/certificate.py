"""`fourcast certificate`: proofs of the whole game, to check, to play against and to make."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Annotated

import typer

from fourcast.certificate import Certificate, Proven, shipped
from fourcast.certificate.search import EFFORTS, Search, Size
from fourcast.certificate.theorem import LIBRARY, write_coq
from fourcast.certificate.writer import Strategy, encode
from fourcast.cli._support.boards import chosen_style, print_board
from fourcast.cli._support.options import Board, Json, Out
from fourcast.errors import FourcastError
from fourcast.game import Game
from fourcast.notation import format_column, format_moves, parse_column, parse_moves
from fourcast.render.words import name_columns

GivenFile = Annotated[
    Path | None, typer.Argument(help="The certificate; by default the one that comes with fourcast.")
]
Folder = Annotated[Path, typer.Argument(help="Where the search keeps what it has found.")]
CoqFolder = Annotated[Path, typer.Option("--coq", metavar="FOLDER", help="Write a Coq development.")]
Moves = Annotated[str, typer.Option(help="Moves to where the proof begins.")]
Player = Annotated[int, typer.Option(min=1, max=2, help="The player that it is for.")]
Hold = Annotated[bool, typer.Option("--hold", help="Prove that the player does not lose.")]
Seconds = Annotated[float, typer.Option(min=0, metavar="S", help="How long to look for a smaller one.")]
Effort = Annotated[
    int, typer.Option(min=0, max=len(EFFORTS) - 1, help="How hard to look for the proof of a leaf.")
]
MOST_DEPTH = 3  # moves in a row that a search for a smaller certificate changes


def certificate() -> None:
    """Check a proof of the whole game, play against it, or make one."""


def check(file: GivenFile = None) -> None:
    """Check every part of a certificate.

    `fourcast/certificate/alone.py` does the same without anything of fourcast.
    """
    opened = _open(file)
    begin = time.perf_counter()
    proven = opened.check()
    print(_claim(proven))
    print(f"checked in {time.perf_counter() - begin:.1f} s")


def info(file: GivenFile = None, as_json: Json = False) -> None:
    """Describe a certificate; it is checked first."""
    proven = _open(file).check()
    if as_json:
        print(json.dumps(proven.to_json()))
        return
    print(_claim(proven))
    print(f"{proven.positions:7,} positions of that player, mirror images and transpositions merged:")
    print(f"{proven.inner_moves:7,} moves after which every reply is looked at")
    print(f"{proven.forced:7,} forced wins")
    print(f"{proven.local_games:7,} splits into local games, of {proven.states:,} states in all")
    print(f"{proven.bytes:7,} bytes")


def play(file: GivenFile = None) -> None:
    """Play against a certificate: its player follows the proof, and nothing else."""
    opened = _open(file)
    proven = opened.check()
    replies: list[int] = []
    while True:
        followed = opened.follow(replies)
        columns = [*proven.start, *followed.columns]
        game = Game(width=proven.width, height=proven.height)
        for column in columns:
            game.play(column)
        print_board(game, chosen_style(None))
        if followed.why or followed.is_over:
            said = _reason(followed.why, followed.groups, win=proven.win)
            print(f"The proof plays column {format_column(columns[-1])}. {said}")
        if followed.is_over:
            winner = game.position.winner
            print(f"Player {winner} wins." if winner else "A draw.")
            return
        try:
            text = input("Your column: ").strip()
        except EOFError:
            print()
            return
        if text in ("q", "quit"):
            return
        try:
            column = parse_column(text)
            game.position.play(column)
        except FourcastError as error:
            print(error)
            continue
        replies.append(column)


def build(
    folder: Folder,
    out: Out,
    board: Board,
    moves: Moves = "",
    player: Player = 1,
    hold: Hold = False,
    effort: Effort = 1,
    seconds: Seconds = 60,
) -> None:
    """Search for a certificate, and for smaller ones.

    What is found is kept in the folder: run the same command again to continue a search
    that was interrupted, or to look for a smaller one.
    """
    start = parse_moves(moves, width=board.width)
    strategy = Strategy(*board, player, not hold, start)
    search = Search(folder, strategy)
    search.build(effort, lambda size: print(f"{size.positions:,} positions so far"))
    _show(search.size())
    end = time.monotonic() + seconds
    for depth in range(1, MOST_DEPTH + 1):
        for helped in search.polish(effort, depth):
            if helped:
                _show(search.size())
            if time.monotonic() > end:
                break
    data = encode(search.strategy)
    proven = Certificate(data).check()
    out.write_bytes(data)
    print(f"{out}: {_claim(proven)}")


def export(coq: CoqFolder, file: GivenFile = None) -> None:
    """Write a certificate as a theorem of Coq, with the proof that a closed strategy wins."""
    written = write_coq(_open(file), coq)
    print("Check it with:")
    for path in written:
        print(f"  coqc -Q {coq} {LIBRARY} {path}")


SUBCOMMANDS = (check, info, play, build, export)


def _open(file: Path | None) -> Certificate:
    return shipped() if file is None else Certificate.load(file)


def _claim(proven: Proven) -> str:
    goal = "wins" if proven.win else "does not lose"
    moves = f" after {format_moves(proven.start)}" if proven.start else ""
    who = "first" if proven.player == 1 else "second"
    return (
        f"{proven.width}x{proven.height}{moves}: the {who} player {goal}, whatever the opponent plays"
        f" ({proven.positions:,} positions, {proven.bytes:,} bytes)"
    )


def _show(size: Size) -> None:
    print(
        f"{size.positions:,} positions, {size.inner:,} inner moves, {size.leaves + size.forced:,} leaves"
    )


def _reason(why: str, groups: tuple[tuple[int, ...], ...], *, win: bool) -> str:
    if why == "local" and len(groups) == 1:
        goal = "wins" if win else "does not lose"
        return f"From here it {goal}, whatever you play: the checker has searched every game to its end."
    if why == "local":
        parts = ", ".join(name_columns(group) for group in groups)
        return f"It answers every disc in its own part of the board: {parts}."
    return {
        "four": "It completes a four.",
        "force": "It wins by force: every disc threatens a four.",
        "move": "The certificate has a move for this position.",
        "safe": "You cannot complete a four any more.",
    }.get(why, "")
