"""`fourcast certificate`: proofs of the whole game, to check, to play against and to make."""

from __future__ import annotations

import errno
import json
import os
import time
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from fourcast._core import Position
from fourcast.book.workers import on_ray, on_threads
from fourcast.certificate import Certificate, Proven, answer, shipped, shipped_names
from fourcast.certificate.look import EFFORTS, LOOK
from fourcast.certificate.search import Size, search_in
from fourcast.certificate.theorem import LIBRARY, write_coq
from fourcast.certificate.writer import Strategy, decode, encode
from fourcast.cli._support.boards import chosen_style, print_board
from fourcast.cli._support.options import Board, Json, Out, Ray, Threads, check_ray
from fourcast.cli._support.process import news_of_ray_apart
from fourcast.cli._support.progress import ProgressBar, waiting
from fourcast.errors import CertificateError, FourcastError, OptionError
from fourcast.game import Game
from fourcast.notation import format_column, format_moves, parse_column, parse_moves
from fourcast.render.levels import levels_text
from fourcast.render.said import said_text

GivenFile = Annotated[
    Path,
    typer.Argument(
        metavar="FILE", help="A file, or the name of a certificate that comes with fourcast."
    ),
]
GivenFiles = Annotated[
    list[Path] | None,
    typer.Argument(metavar="[FILE]...", help="By default all certificates that come with fourcast."),
]
Folder = Annotated[
    Path, typer.Argument(metavar="FOLDER", help="Where the search keeps what it has found.")
]
CoqFolder = Annotated[
    Path, typer.Option("--coq", metavar="FOLDER", help="Where to write the Coq development.")
]
Moves = Annotated[str, typer.Option(metavar="MOVES", help="Moves to where the proof begins.")]
Player = Annotated[int, typer.Option(min=1, max=2, metavar="N", help="The player that it is for.")]
Hold = Annotated[bool, typer.Option("--hold", help="Prove that the player does not lose.")]
Readable = Annotated[
    bool,
    typer.Option("--readable", help="Make one that people can learn, of level diagrams."),
]
Like = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="Begin with the moves of a certificate, as far as they go."),
]
From = Annotated[
    Path | None,
    typer.Option(
        "--from",
        metavar="FILE",
        help="Begin with a certificate, and look for a smaller one of the same.",
    ),
]
Seconds = Annotated[float, typer.Option(min=0, metavar="S", help="How long to look for a smaller one.")]
Effort = Annotated[
    int,
    typer.Option(
        min=0, max=len(EFFORTS) - 1, metavar="N", help="How hard to look for the proof of a leaf."
    ),
]
WHOLE_GAME = Path("7x6")
SIDES = "Red", "Yellow"


def certificate() -> None:
    """Check a proof of the whole game, play against it, or make one."""


def check(files: GivenFiles = None) -> None:
    """Check every part of certificates.

    `fourcast/certificate/alone.py` does the same without anything of fourcast, and
    `levels.py` beside it does it for those that people can learn.
    """
    for file in files or map(Path, shipped_names()):
        begin = time.perf_counter()
        _, proven = _checked(file)
        print(f"{file}: {_claim(proven)}, checked in {time.perf_counter() - begin:.1f} s", flush=True)


def info(file: GivenFile = WHOLE_GAME, as_json: Json = False) -> None:
    """Describe a certificate; it is checked first."""
    _, proven = _checked(file)
    if as_json:
        print(json.dumps(proven.to_json()))
        return
    print(_claim(proven))
    print(f"{proven.positions:7,} positions of that player, mirror images and transpositions merged:")
    print(f"{proven.inner_moves:7,} moves after which every reply is looked at")
    print(f"{proven.forced:7,} forced wins")
    if proven.diagrams:
        print(f"{proven.by_level:7,} moves from which one of {proven.diagrams:,} level diagrams wins")
    else:
        print(f"{proven.local_games:7,} splits into local games, of {proven.states:,} states in all")
    again = proven.positions - proven.inner_moves - proven.leaves
    print(f"{again:7,} moves into a position that one of these covers")
    print(f"{proven.bytes:7,} bytes")


def play(file: GivenFile = WHOLE_GAME) -> None:
    """Play against a certificate: its player follows the proof, and nothing else."""
    opened, proven = _checked(file)
    game = Game(width=proven.width, height=proven.height)
    for column in proven.start:
        game.play(column)
    said = ""
    shown: Position | None = None
    while not game.position.is_over:
        if game.position.turn == proven.player:
            found = answer([opened], game.position)
            assert found is not None  # it was checked
            game.play(found.column)
            said = f"The proof plays column {format_column(found.column)}. {said_text(found.said)}"
            if found.levels:
                said += f"\n{levels_text(game.position, found.levels)}"
            continue
        if game.position != shown:
            _show_game(game, said)
            shown = game.position
        try:
            text = input(f"Your column (1-{proven.width}, q to quit): ").strip()
        except (EOFError, KeyboardInterrupt) as error:
            print()
            if isinstance(error, KeyboardInterrupt):
                raise
            return
        if text in ("q", "quit"):
            return
        said = ""
        try:
            game.play(parse_column(text, proven.width))
        except FourcastError as error:
            print(f"{str(error)[:1].upper()}{str(error)[1:]}.")
    _show_game(game, said)
    winner = game.position.winner
    print(f"{SIDES[winner - 1]} wins." if winner else "A draw.")


def build(
    folder: Folder,
    out: Out,
    board: Board,
    moves: Moves = "",
    player: Player = 1,
    hold: Hold = False,
    readable: Readable = False,
    like: Like = None,
    begin_with: From = None,
    effort: Effort = 1,
    seconds: Seconds = 60,
    threads: Threads = 1,
    ray: Ray = None,
) -> None:
    """Search for a certificate, and for smaller ones.

    What is found is kept in the folder: run the same command again to continue a search
    that was interrupted, or to look for a smaller one.
    """
    check_ray(ray, threads)
    start = parse_moves(moves, width=board.width)
    if readable and hold:
        raise OptionError("--readable is for wins: leave out --hold")
    if out.is_dir() or not out.parent.is_dir():  # before a search of hours
        code, path = (errno.EISDIR, out) if out.is_dir() else (errno.ENOENT, out.parent)
        raise OSError(code, os.strerror(code), str(path))
    strategy = Strategy(*board, player, not hold, tuple(start), readable=readable)
    if begin_with is not None:
        strategy = _begun(begin_with, strategy)
    search = search_in(folder, strategy)
    if like is not None:
        search.take_over(decode(_checked(like)[0]))
    workers = on_threads(threads, LOOK) if ray is None else on_ray(ray, LOOK)
    with news_of_ray_apart(ray), ProgressBar("positions") as bar:
        search.build(effort, lambda seen, left: bar.show(seen, seen + left), workers)
    _show(search.size())
    begin = time.monotonic()
    with ProgressBar("seconds") as bar:
        for _ in search.polish(effort, lambda: time.monotonic() - begin < seconds, workers):
            bar.show(min(int(time.monotonic() - begin), int(seconds)), int(seconds))
    _show(search.size())
    data = encode(search.strategy)
    proven = Certificate(data).check()
    out.write_bytes(data)
    print(f"{out}: {_claim(proven)}")


def export(coq: CoqFolder, file: GivenFile = WHOLE_GAME) -> None:
    """Write a certificate of a win as a theorem of Coq.

    The theorem comes with the proof that a closed strategy wins. Cards to learn
    are written by `fourcast repertoire win --anki FILE`.
    """
    opened, _ = _checked(file)
    with waiting("writing"):
        written = write_coq(opened, coq)
    print("Check it with:")
    for path in written:
        print(f"  coqc -Q {coq} {LIBRARY} {path}")


SUBCOMMANDS = (check, info, play, build, export)


def _open(file: Path) -> Certificate:
    is_file = str(file) not in shipped_names() and file.exists()
    return Certificate.load(file) if is_file else shipped(str(file))


def _begun(file: Path, asked: Strategy) -> Strategy:
    """Return the strategy of a file, unless the options ask for something else."""
    begun = decode(_checked(file)[0])
    if asked not in (Strategy(*Board(), 1, True), replace(begun, moves={}, leaves={})):
        raise OptionError(
            f"what is proven is that of {file}: leave out --width, --height, --moves, --player, --hold"
            " and --readable"
        )
    return begun


def _checked(file: Path) -> tuple[Certificate, Proven]:
    """Open a certificate and check it; an error names the file."""
    opened = _open(file)
    try:
        with waiting(f"checking {file}"):
            return opened, opened.check()
    except CertificateError as error:
        facts = {"path": str(file), "why": error.said}
        raise CertificateError("error.certificate.refused", facts=facts) from None


def _show_game(game: Game, said: str) -> None:
    print_board(game, chosen_style(None))
    if said:
        print(said)


def _claim(proven: Proven) -> str:
    goal = "wins" if proven.win else "does not lose"
    moves = f" after {format_moves(proven.start)}" if proven.start else ""
    who = "first" if proven.player == 1 else "second"
    return (
        f"{proven.width}x{proven.height}{moves}: the {who} player {goal}, whatever the opponent plays"
        f" ({_counted(proven.positions, 'position')}, {proven.bytes:,} bytes)"
    )


def _show(size: Size) -> None:
    counts = {"position": size.positions, "inner move": size.inner, "leaf": size.leaves + size.forced}
    print(", ".join(_counted(number, what) for what, number in counts.items()))


def _counted(number: int, what: str) -> str:
    """A number with its noun: 1 leaf, 2 leaves."""
    many = what[:-1] + "ves" if what.endswith("f") else f"{what}s"
    return f"{number:,} {what if number == 1 else many}"
