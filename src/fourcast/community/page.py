"""The files that the repository shows: all of them follow from the ledger and the settings."""

from __future__ import annotations

import posixpath
from collections.abc import Sequence

from fourcast.community.command import BOT, PREFIX, Drop
from fourcast.community.config import Config
from fourcast.community.entries import Move, PlayedGame
from fourcast.community.how_it_works import how_it_works
from fourcast.community.ledger import Ledger
from fourcast.community.markup import Site, count, person, project_links
from fourcast.notation import format_column
from fourcast.render import svg

__all__ = ["END", "START", "derive", "derive_past", "insert", "is_archive"]

START = "<!-- fourcast:start -->"
END = "<!-- fourcast:end -->"

_LAST_MOVES = 3
_LEADERS = 10


# Files


def derive(
    ledger: Ledger, config: Config, site: Site, *, readme: bytes | None, archive: bytes | None
) -> dict[str, bytes]:
    """Return the files that a move may change, by their paths in the repository.

    *readme* is the present content of the README, which is left out if it has no markers for the page.
    *archive* is the present list of finished games: a game that has just ended is added to it.
    """
    folder = config.folder
    game = ledger.current
    files: dict[str, str] = {
        f"{folder}/board.svg": _board(game, config),  # for pages elsewhere
        _board_path(game, config): _board(game, config),
        f"{folder}/README.md": how_it_works(game.position, config, site),
    }
    if game.position.is_over:
        files |= _finished_files(game, config)
    if game.position.is_over or archive is None:
        files[config.archive_path] = _with_row(
            (archive or b"").decode(errors="replace"), game, config, site
        )
    if config.board == "cells":
        for name, content in _cells(config).items():
            files[f"{folder}/cells/{name}.svg"] = content
    contents = {path: text.encode() for path, text in files.items()}
    changed = insert(readme, _page(ledger, config, site)) if readme is not None else None
    if changed is not None:
        contents[config.readme] = changed
    return contents


def derive_past(games: Sequence[PlayedGame], config: Config, site: Site) -> dict[str, bytes]:
    """Return the files of all finished games among *games*, and the list of them."""
    finished = [game for game in games if game.position.is_over]
    files = {config.archive_path: _archive([_row(game, config, site) for game in reversed(finished)])}
    for game in finished:
        files |= _finished_files(game, config)
    return {path: text.encode() for path, text in files.items()}


def insert(readme: bytes, page: str) -> bytes | None:
    """Return the README with *page* between the markers, or None unless it has each marker once.

    The rest of the file stays as it is, and the page takes its line endings from it.
    """
    start, end = START.encode(), END.encode()
    if readme.count(start) != 1 or readme.count(end) != 1:
        return None
    before, _, rest = readme.partition(start)
    between, found, after = rest.partition(end)
    if not found:
        return None
    newline = b"\r\n" if b"\r\n" in before + between + after else b"\n"
    body = page.strip("\n").encode().replace(b"\n", newline)
    return before + start + newline + body + newline + end + after


def _board_path(game: PlayedGame, config: Config) -> str:
    """Return the path of the page's picture, which changes with each move: browsers cache pictures.

    A name comes back after two games, so that there are never more than 86 files.
    """
    return f"{config.folder}/boards/{game.number % 2}-{game.position.ply:02}.svg"


def _board(game: PlayedGame, config: Config) -> str:
    teams = (config.first, config.second)
    return svg.board(
        game.position,
        last=game.last_column,
        names=[team.name for team in teams],
        colors=[team.color for team in teams],
        title=f"Connect Four, game {game.number}",
    )


def _cells(config: Config) -> dict[str, str]:
    cells = {"empty": svg.disc(0)}
    for number, side in ((1, "first"), (2, "second")):
        team = config.team(number)
        for is_four in (False, True):
            name = f"{side}-four" if is_four else side
            cells[name] = svg.disc(number, color=team.color, is_four=is_four, name=team.name)
    return cells


def roster(game: PlayedGame, side: int) -> str:
    """Return the players of a side on one line that a game file can have."""
    text = ", ".join(game.players(side))
    return text if len(text) <= 60 else f"{text[:57]}..."


def _finished_files(game: PlayedGame, config: Config) -> dict[str, str]:
    names = (f"{config.team(side).name}: {roster(game, side)}" for side in (1, 2))
    return {
        config.game_path(f"{game.number:04}.txt"): game.to_game(*names).to_text(),
        config.game_path(f"{game.number:04}.svg"): _board(game, config),
    }


# The page


def _page(ledger: Ledger, config: Config, site: Site) -> str:
    game = ledger.current
    parts = [
        f"### Connect Four: game {game.number}",
        _whose_turn(game, config, site),
        _picture(game, config, site) if config.board == "picture" else _table(game, config, site),
        _what_to_do(game, config, site),
        _last_moves(game, config, site),
        _leaders(ledger, site),
        _footer(ledger, config, site),
    ]
    return "\n\n".join(part for part in parts if part)


def _whose_turn(game: PlayedGame, config: Config, site: Site) -> str:
    position = game.position
    if position.winner:
        team, last = config.team(position.winner), game.moves[-1]
        return f"{team.disc} **{team.title} has won.** The last move was by {_by(last, site)}."
    if position.is_over:
        return "**A draw:** the board is full."
    team = config.team(position.turn)
    return f"{team.disc} **{team.title} to move.** Anybody can: choose a column and submit the issue."


def _picture(game: PlayedGame, config: Config, site: Site) -> str:
    path = _relative(_board_path(game, config), config)
    alt = svg.describe(
        game.position,
        last=game.last_column,
        names=(config.first.name, config.second.name),
    )
    picture = f'<img src="{path}" width="420" alt="Connect Four: {alt}">'
    if game.position.is_over:
        return picture
    names = [_column_link(game, column, config, site) for column in range(game.position.width)]
    return f"{picture}\n\n**Column:** " + " · ".join(names)


def _column_link(game: PlayedGame, column: int, config: Config, site: Site) -> str:
    name = format_column(column)
    if game.position.is_over or game.position.is_column_full(column):
        return f"{name}"
    return f"[**{name}**]({_drop_link(game, name, config, site)})"


def _drop_link(game: PlayedGame, column: str, config: Config, site: Site) -> str:
    position = game.position
    team = config.team(position.turn).name
    return site.issue_link(str(Drop(team, column, game.number, position.ply)))


def _table(game: PlayedGame, config: Config, site: Site) -> str:
    """The board as a table of pictures, each of which is a link."""
    position = game.position
    columns = range(position.width)
    fours = set(position.winning_squares)
    rows = [[_column_link(game, column, config, site) for column in columns], [":-:" for _ in columns]]
    for row in reversed(range(position.height)):
        cells = []
        for column in columns:
            player = position.at(column, row)
            name = ("empty", "first", "second")[player] + "-four" * ((column, row) in fours)
            alt = config.team(player).name if player else "empty"
            picture = f"![{alt}]({_relative(f'{config.folder}/cells/{name}.svg', config)})"
            if not position.is_over and not position.is_column_full(column):
                picture = f"[{picture}]({_drop_link(game, format_column(column), config, site)})"
            cells.append(picture)
        rows.append(cells)
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def _what_to_do(game: PlayedGame, config: Config, site: Site) -> str:
    if game.position.is_over:
        return f"[**Start a new game**]({site.issue_link(f'{PREFIX}|new')})"
    return f"Or [ask the bot for a move]({_drop_link(game, BOT, config, site)})."


def _last_moves(game: PlayedGame, config: Config, site: Site) -> str:
    if not game.moves:
        return ""
    lines = ["| Last moves | Column | By |", "|-|:-:|-|"]
    for move in reversed(game.moves[-_LAST_MOVES:]):
        team = config.team(move.side)
        link = f"[{move.ply + 1}. {team.disc} {team.name}]({site.url}/issues/{move.issue})"
        lines.append(f"| {link} | {format_column(move.column)} | {_by(move, site)} |")
    return "\n".join(lines)


def _by(move: Move, site: Site) -> str:
    asked = f", asked by {person(move.player, site)}" if move.bot else ""
    return person(move.mover, site) + asked


def _leaders(ledger: Ledger, site: Site) -> str:
    winners = ledger.winning_moves()[:_LEADERS]
    if not winners:
        return ""
    lines = ["| Winning moves | |", "|-|-:|"]
    lines += [f"| {person(name, site)} | {count} |" for name, count in winners]
    return "\n".join(lines)


def _footer(ledger: Ledger, config: Config, site: Site) -> str:
    numbers = [
        count(ledger.moves, "move"),
        count(ledger.finished, "finished game"),
        count(ledger.people, "player"),
    ]
    links = [
        f"[How it works]({_relative(f'{config.folder}/README.md', config)})",
        f"[Past games]({_relative(config.archive_path, config)})",
        *project_links(config, site),
    ]
    return f"{', '.join(numbers)} so far. {' · '.join(links)}"


def _relative(path: str, config: Config) -> str:
    return posixpath.relpath(path, posixpath.dirname(config.readme) or ".")


# The pages behind it

_ARCHIVE_HEAD = """# Past games

| Game | Result | Moves | Players | Ended |
|-:|-|-:|-|-|
"""
_ARCHIVE_FOOT = "\nEach number links to the game as a file that `fourcast play --load FILE` opens.\n"
_NO_GAMES = "# Past games\n\nNo game has been finished yet.\n"


def _archive(rows: Sequence[str]) -> str:
    return "".join([_ARCHIVE_HEAD, *rows, _ARCHIVE_FOOT]) if rows else _NO_GAMES


def is_archive(content: bytes | None) -> bool:
    """Whether this is a list of finished games that a game can be added to."""
    return content is not None and content.startswith(_ARCHIVE_HEAD.encode())


def _with_row(archive: str, game: PlayedGame, config: Config, site: Site) -> str:
    """Return the archive with a game on top, once, if it is finished."""
    rows = archive.removeprefix(_ARCHIVE_HEAD).partition("\n\n")[0].splitlines(keepends=True)
    rows = [f"{row.rstrip()}\n" for row in rows if archive.startswith(_ARCHIVE_HEAD)]
    if game.position.is_over:
        rows = [row for row in rows if not row.startswith(f"| [{game.number}](")]
        rows.insert(0, _row(game, config, site))
    return _archive(rows)


def _row(game: PlayedGame, config: Config, site: Site) -> str:
    winner = game.position.winner
    result = f"{config.team(winner).disc} {config.team(winner).name} won" if winner else "draw"
    names = sorted({move.player for move in game.moves})
    shown = ", ".join(person(name, site) for name in names[:20]) + ", ..." * (len(names) > 20)
    files = f"[{game.number}]({game.number:04}.txt) [board]({game.number:04}.svg)"
    return f"| {files} | {result} | {len(game.moves)} | {shown} | {game.moves[-1].time[:10]} |\n"
