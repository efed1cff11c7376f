"""`fourcast puzzles`: make puzzles, list them, and show how a person does."""

from __future__ import annotations

import json
from pathlib import Path
from statistics import quantiles
from typing import Annotated

import typer

from fourcast.cli._support.boards import chosen_style, print_board
from fourcast.cli._support.options import Board, Json, Out, Ray, check_ray
from fourcast.cli._support.process import news_of_ray_apart
from fourcast.cli._support.progress import ProgressBar
from fourcast.game import Game
from fourcast.puzzles import THEMES, Puzzle, daily, load
from fourcast.puzzles.generator import generate as make_puzzles
from fourcast.puzzles.generator import on_cluster, on_processes
from fourcast.puzzles.history import History
from fourcast.puzzles.puzzle_file import read_puzzles
from fourcast.render.text import SIDES

Games = Annotated[int, typer.Option(min=1, max=10_000_000, metavar="N", help="Games to play.")]
Hard = Annotated[
    int,
    typer.Option(min=0, max=10_000_000, metavar="N", help="More games, for hard puzzles only."),
]
Seed = Annotated[int, typer.Option(min=0, metavar="S", help="The seed of the games.")]
Processes = Annotated[int, typer.Option(min=1, max=256, metavar="N", help="Processes to work in.")]
GivenFile = Annotated[
    Path | None, typer.Argument(metavar="FILE", help="A file of puzzles; by default the shipped one.")
]
Theme = Annotated[str | None, typer.Option(metavar="THEME", help="Only those of one theme.")]
Lowest = Annotated[int | None, typer.Option("--lowest", metavar="ELO", help="The lowest rating.")]
Highest = Annotated[int | None, typer.Option("--highest", metavar="ELO", help="The highest rating.")]


def puzzles() -> None:
    """Make puzzles, and list the shipped ones."""


def generate(
    games: Games,
    out: Out,
    board: Board,
    hard: Hard = 0,
    seed: Seed = 0,
    processes: Processes = 1,
    ray: Ray = None,
) -> None:
    """Make puzzles from games of the levels and players.

    The games of --hard give only early positions that few levels solve. The
    same seed and numbers of games give the same file, on any number of
    processes. If it is interrupted, run the same command again and it
    continues; with more games it adds to the file.
    """
    check_ray(ray, processes, "--processes")
    workers = on_processes(processes) if ray is None else on_cluster(ray)
    with news_of_ray_apart(ray), ProgressBar("playing") as bar:
        found = make_puzzles(
            out, games, seed, hard_games=hard, **board._asdict(), workers=workers, progress=bar.show
        )
    played = "1 game" if games + hard == 1 else f"{games + hard:,} games"
    puzzles = "1 puzzle" if len(found) == 1 else f"{len(found):,} puzzles"
    print(f"{out}: {puzzles} of {played}, {out.stat().st_size:,} bytes")


def table(board: Board, file: GivenFile = None) -> None:
    """Print how hard the puzzles are, by goal and by theme.

    The numbers are the 10th, 50th and 90th percentile of the ratings, and the moves of the longest
    solution.
    """
    found = read_puzzles(file) if file else load(**board._asdict())
    print("| puzzles | number | 10th | median | 90th | longest |")
    print("| - | - | - | - | - | - |")
    goals = sorted({(puzzle.goal, _length(puzzle)) for puzzle in found})
    _print_row("all", list(found))
    for goal, length in goals:
        name = f"{goal} in {length}" if length else goal
        _print_row(name, [each for each in found if (each.goal, _length(each)) == (goal, length)])
    for theme in THEMES:
        _print_row(theme, [each for each in found if theme in each.themes])


def _length(puzzle: Puzzle) -> int:
    return puzzle.moves_to_find if puzzle.goal == "win" else 0


def _print_row(name: str, found: list[Puzzle]) -> None:
    if not found:
        print(f"| {name} | 0 | | | | |")
        return
    ratings = [puzzle.rating for puzzle in found]
    tenths = quantiles(ratings, n=10, method="inclusive") if len(ratings) > 1 else ratings * 9
    longest = max(puzzle.moves_to_find for puzzle in found)
    numbers = " | ".join(f"{value:.0f}" for value in (tenths[0], tenths[4], tenths[8]))
    print(f"| {name} | {len(found):,} | {numbers} | {longest} |")


def export(board: Board, theme: Theme = None, lowest: Lowest = None, highest: Highest = None) -> None:
    """Print puzzles as JSON, one object per line."""
    for puzzle in load(theme=theme, lowest=lowest, highest=highest, **board._asdict()):
        print(json.dumps(puzzle.to_json()))


def of_the_day(as_json: Json = False) -> None:
    """Print the puzzle of the day, without its solution."""
    puzzle = daily()
    if as_json:
        print(json.dumps({"id": puzzle.id, "moves": puzzle.moves, "question": puzzle.question()}))
    else:
        style = chosen_style(None)
        print_board(Game(puzzle.moves), style)
        print(f"\nPuzzle {puzzle.id}: {puzzle.question(SIDES[style])}")


def rating(as_json: Json = False) -> None:
    """Print your rating, or with --json every attempt."""
    history = History()
    if as_json:
        for answered in history.answered:
            print(json.dumps(answered.to_json()))
        return
    strength = history.strength
    solved = sum(each.solved for each in history.answered)
    print(f"Rating {strength.rating:.0f} +-{1.96 * strength.deviation:.0f} (95%), by Glicko-2.")
    print(f"{solved} of {len(history.answered)} puzzles solved; current streak: {history.streak}.")
    print(f"Kept in {history.path}")


SUBCOMMANDS = (generate, table, export, of_the_day, rating)
