"""`fourcast explore`: what every move of a position leads to."""

from __future__ import annotations

import json
import os
import sys
from itertools import islice
from pathlib import Path
from typing import Annotated

import typer

from fourcast import game_file
from fourcast.cli._support import options
from fourcast.cli._support.boards import chosen_style, print_board
from fourcast.cli._support.game_input import check_unfinished, moves_from_start
from fourcast.cli._support.progress import ProgressBar, waiting
from fourcast.errors import FourcastError, GameFileError
from fourcast.files import replace_file
from fourcast.game import Game
from fourcast.notation import format_column
from fourcast.render.explore import replies_text, worth_text
from fourcast.render.opening_map import opening_map
from fourcast.render.said import said_text
from fourcast.render.text import SIDES
from fourcast.solver import Solver
from fourcast.study.explore import (
    Exploration,
    MoveRecord,
    count_orders,
    opening_said,
    other_orders,
    records_through,
)
from fourcast.study.explore import explore as explore_position
from fourcast.study.level_choices import LevelChoices
from fourcast.study.opening_tree import MOST_PLIES, opening_tree

MOST_FILES = 10_000
"""Files of a folder of games that are looked at."""

Games = Annotated[
    Path | None,
    typer.Option(metavar="DIR", help="Count your own games from here: the game files in this folder."),
]
Map = Annotated[
    Path | None,
    typer.Option("--map", metavar="FILE", help="Write a map of the next moves as an SVG with zoom."),
]
Depth = Annotated[
    int, typer.Option("--depth", "--plies", min=1, max=MOST_PLIES, metavar="N", help="Moves of the map.")
]


def explore(
    asked: options.Question,
    games: Games = None,
    map_file: Map = None,
    depth: Depth = 4,
) -> None:
    """See what every move of a position leads to.

    For each column this prints the exact result and how many of the opponent's
    replies throw their result away: the more, the better the trap. The most
    testing move is the one among those with the best result after which most
    replies go wrong. Below are other orders of moves that lead here, and what
    levels 1 to 10 play in this position if it occurred in their games.
    """
    if map_file is not None and map_file.suffix.lower() != ".svg":
        raise typer.BadParameter(f"--map takes a name that ends in .svg, not {map_file.name}")
    game = asked.any_game()
    position = game.position
    check_unfinished(position)
    solver = asked.search.solver()
    records = None if games is None else records_through(position, _games_in(games, asked.board))
    if map_file is not None:
        written = _write_map(map_file, game, depth, solver)
        print(written, file=sys.stderr if asked.as_json else sys.stdout)
        if not asked.as_json and games is None:
            return
    with waiting("exploring"):
        found = explore_position(position, solver=solver)
    moves_here = moves_from_start(game)
    others = other_orders(position, moves_here or "")
    size = {"width": position.width, "height": position.height}
    said = opening_said(moves_here, **size) if moves_here else None
    opening = said and said_text(said)
    if asked.as_json:
        answer = {"moves": moves_here, "opening": opening, **found.to_json(), "other_orders": others}
        if records is not None:
            answer["games"] = {str(column): record.to_json() for column, record in records.items()}
        print(json.dumps(answer))
        return
    drawn = chosen_style(asked.style)
    print_board(game, drawn)
    if opening:
        print(f"\n{opening}")
    print(f"\n{SIDES[drawn][position.turn - 1]} to play:")
    for move in found.moves:
        replies = replies_text(move)
        worth = worth_text(move) + (f"; {replies}" if replies else "")
        print(f"column {format_column(move.column)} {worth}")
    testing = found.most_testing
    print(f"\nMost testing: column {format_column(testing.column)}.")
    orders = count_orders(position)
    if orders is not None and orders > 1 and others:
        names = " or ".join(others) if orders <= len(others) + 1 else f"{', '.join(others)}, ..."
        print(f"{orders:,} orders of moves lead here: {moves_here or 'these'}, {names}.")
    if found.levels is not None:
        _print_levels(found, found.levels)
    if records is not None:
        _print_records(records)


def _write_map(path: Path, game: Game, plies: int, solver: Solver) -> str:
    """Draw the next moves, and return a sentence about the file, which is written at once."""
    with ProgressBar("drawing") as bar:
        width = game.position.width
        total = sum(width**depth for depth in range(1, plies + 1))
        tree = opening_tree(
            game.position, plies, solver=solver, progress=lambda done: bar.show(min(done, total), total)
        )
    picture = opening_map(tree)
    replace_file(path, picture.encode())
    moves = "move" if plies == 1 else f"{plies} moves"
    return f"{path}: the next {moves}, {len(picture):,} bytes; open it in a browser to zoom"


def _print_levels(found: Exploration, levels: LevelChoices) -> None:
    print(f"\nWhat levels play here, each asked {levels.asked} times:")
    can_err = len(found.keeping) < len(found.moves)
    print("level  most often" + ("      wrong" if can_err else ""))
    for number, (row, wrong) in enumerate(
        zip(levels.counts, levels.wrong(found.keeping), strict=True), start=1
    ):
        column = max(found.position.columns_from_center, key=lambda each: row[each])
        share = f"column {format_column(column)}, {row[column] / levels.asked:.0%}"
        print(f"{number:5}  {share:14} {wrong:6.0%}" if can_err else f"{number:5}  {share}")


def _print_records(records: dict[int, MoveRecord]) -> None:
    if not records:
        print("\nNone of your games came here.")
        return
    total = sum(record.games for record in records.values())
    print(f"\n{total} of your games came here:")
    for column, record in records.items():
        plural = "game" if record.games == 1 else "games"
        ended = record.won + record.drawn + record.lost
        open_games = f", {record.games - ended} not finished" if ended < record.games else ""
        print(
            f"column {format_column(column)}: {record.games} {plural}, {record.won} won,"
            f" {record.drawn} drawn, {record.lost} lost{open_games}"
        )


def _games_in(folder: Path, board: options.Board) -> list[tuple[str, Game]]:
    """The games in a folder and its subfolders; other files are counted on standard error."""
    if not folder.is_dir():
        raise GameFileError(f"{folder} is not a folder of game files")
    paths = (
        Path(there) / name
        for there, folders, names in os.walk(folder)
        for name in sorted(names)
        if name.endswith((".txt", ".json")) and folders.sort() is None
    )
    files = list(islice(paths, MOST_FILES))
    games = [(str(path), game) for path in files if (game := _game_in(path, board))]
    if len(games) < len(files):
        print(f"fourcast: {len(files) - len(games)} files in {folder} hold no game", file=sys.stderr)
    return games


def _game_in(path: Path, board: options.Board) -> Game | None:
    try:
        return game_file.recognize_file(path, width=board.width, height=board.height)
    except (FourcastError, OSError):
        return None
