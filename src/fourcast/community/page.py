"""What the repository shows: all of it follows from the ledger and the settings."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import quote, urlencode

from fourcast.community.command import BOT, PREFIX, Drop
from fourcast.community.config import Config
from fourcast.community.ledger import Ledger, Move, PlayedGame
from fourcast.notation import format_column
from fourcast.render import svg

__all__ = ["END", "START", "Site", "derive", "insert", "markdown", "person"]

START = "<!-- fourcast:start -->"
END = "<!-- fourcast:end -->"

_LAST_MOVES = 3
_LEADERS = 10
_BODY = "Just press the button below. The title is your move."


@dataclass(frozen=True)
class Site:
    """Where the repository is, for links."""

    repository: str
    server: str = "https://github.com"

    @property
    def url(self) -> str:
        """The page of the repository."""
        return f"{self.server}/{quote(self.repository)}"

    def issue_link(self, title: str) -> str:
        """Return the link that opens an issue with this title, ready to be submitted."""
        return f"{self.url}/issues/new?{urlencode({'title': title, 'body': _BODY}, quote_via=quote)}"


# Text for Markdown


def markdown(text: str) -> str:
    r"""Return *text* as Markdown that shows it and does nothing else: no markup, no HTML, no mention.

    >>> print(markdown("*@ada*"))
    \*&#64;ada\*
    """
    # A backslash before an @ does not keep GitHub from calling somebody, an entity does.
    line = " ".join("".join(character if character.isprintable() else " " for character in text).split())
    return re.sub(r"([!-/:-?\[-`{-~])", r"\\\1", line).replace("@", "&#64;")


def person(name: str, site: Site) -> str:
    """Return who it was, with a link; a bot has no page."""
    if name.startswith("bot "):
        return f"the bot ({markdown(name.removeprefix('bot '))})"
    if not re.fullmatch(r"[\w-]+", name, re.ASCII):
        return markdown(name)
    return f"[{markdown(name)}]({site.server}/{quote(name)})"


# Files


def derive(ledger: Ledger, config: Config, site: Site, readme: bytes | None) -> dict[str, bytes]:
    """Return every file that follows from the ledger, by its path in the repository.

    *readme* is what is in the README now. It is left out if it has no place for us.
    """
    folder = config.folder
    game = ledger.current
    files: dict[str, str] = {
        f"{folder}/board.svg": _board(game, config),
        f"{folder}/README.md": _how_it_works(config, site),
        f"{folder}/games/README.md": _archive(ledger, config, site),
    }
    for number, finished in ((game.number, game) for game in ledger.finished):
        files[f"{folder}/games/{number:04}.txt"] = _game_file(finished, config)
        files[f"{folder}/games/{number:04}.svg"] = _board(finished, config)
    if config.board == "cells":
        for name, content in _cells(config).items():
            files[f"{folder}/cells/{name}.svg"] = content
    contents = {path: text.encode() for path, text in files.items()}
    changed = insert(readme, _page(ledger, config, site)) if readme is not None else None
    if changed is not None:
        contents[config.readme] = changed
    return contents


def insert(readme: bytes, page: str) -> bytes | None:
    """Return the README with *page* between the markers, or None if they are not there once each.

    Nothing else is touched, line ends neither.
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


def _board(game: PlayedGame, config: Config) -> str:
    teams = (config.first, config.second)
    return svg.board(
        game.position,
        last=game.moves[-1].column if game.moves else None,
        names=[team.name for team in teams],
        colours=[team.colour for team in teams],
        title=f"Connect Four, game {game.number}",
    )


def _cells(config: Config) -> dict[str, str]:
    cells = {"empty": svg.disc(0)}
    for number, side in ((1, "first"), (2, "second")):
        team = config.team(number)
        for is_four in (False, True):
            name = f"{side}-four" if is_four else side
            cells[name] = svg.disc(number, colour=team.colour, is_four=is_four, name=team.name)
    return cells


def roster(game: PlayedGame, side: int) -> str:
    """Return the players of a side on one line that a game file can have."""
    text = ", ".join(game.players(side))
    return text if len(text) <= 60 else f"{text[:57]}..."


def _game_file(game: PlayedGame, config: Config) -> str:
    names = (f"{config.team(side).name}: {roster(game, side)}" for side in (1, 2))
    return game.to_game(*names).to_text()


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
        _numbers(ledger, config),
    ]
    return "\n\n".join(part for part in parts if part)


def _whose_turn(game: PlayedGame, config: Config, site: Site) -> str:
    position = game.position
    if position.winner:
        team, last = config.team(position.winner), game.moves[-1]
        return f"{team.disc} **{team.title} has won**, by {_by(last, site)}."
    if position.is_over:
        return "**A draw:** the board is full."
    team = config.team(position.turn)
    return f"{team.disc} **{team.title} to move.** Anybody may: choose a column and submit the issue."


def _picture(game: PlayedGame, config: Config, site: Site) -> str:
    path = _relative(f"{config.folder}/board.svg", config)
    alt = svg.describe(
        game.position,
        last=game.moves[-1].column if game.moves else None,
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


def _numbers(ledger: Ledger, config: Config) -> str:
    numbers = [
        _count(len(ledger.moves), "move"),
        _count(len(ledger.finished), "finished game"),
        _count(len(ledger.people), "player"),
    ]
    how = _relative(f"{config.folder}/README.md", config)
    past = _relative(f"{config.folder}/games/README.md", config)
    return f"{', '.join(numbers)} so far. [How it works]({how}) · [Past games]({past})"


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _relative(path: str, config: Config) -> str:
    return posixpath.relpath(path, posixpath.dirname(config.readme) or ".")


# The pages behind it


def _archive(ledger: Ledger, config: Config, site: Site) -> str:
    lines = ["# Past games", "", "| Game | Result | Moves | Players | Ended |", "|-:|-|-:|-|-|"]
    for game in reversed(ledger.finished):
        winner = game.position.winner
        result = f"{config.team(winner).disc} {config.team(winner).name} won" if winner else "draw"
        names = sorted({move.player for move in game.moves})
        shown = ", ".join(person(name, site) for name in names[:20]) + ", ..." * (len(names) > 20)
        files = f"[{game.number}]({game.number:04}.txt) [board]({game.number:04}.svg)"
        ended = game.moves[-1].time[:10]
        lines.append(f"| {files} | {result} | {len(game.moves)} | {shown} | {ended} |")
    if not ledger.finished:
        lines = ["# Past games", "", "No game has been finished yet."]
    text = "Each number leads to the game as a file that `fourcast play --load FILE` opens."
    return "\n".join([*lines, "", text, ""])


def _how_it_works(config: Config, site: Site) -> str:
    first, second = config.first, config.second
    rules = _sentences(config)
    return f"""# How it works

Four discs of one team in a row, across, up or diagonally, win. {first.title} begins.

Choose a column on [the front page]({site.url}) and submit the issue that opens. Its title is the move:

| Title | What it does |
|-|-|
| `{PREFIX}\\|drop\\|{first.name}\\|4` | drops a disc of {first.name} into column 4 |
| `{PREFIX}\\|drop\\|{second.name}\\|{BOT}` | lets the bot choose for {second.name} |
| `{PREFIX}\\|new` | starts a new game |

The links add the number of the game and of the discs, such as `|g12p7`: if somebody was quicker, your
move is not played on a board that you have not seen.

{rules}

Every move is in [the ledger](ledger.jsonl); the page, the board and [the past games](games/README.md)
follow from it. Reactions on an issue tell what became of it: eyes, it was seen; a rocket, it was played;
confused, it was refused, and a comment says why.
"""


def _sentences(config: Config) -> str:
    start = {
        "anyone": "Anybody may start a new game when the last one is over.",
        "players": "Whoever has played may start a new game when the last one is over.",
        "owners": "Those who look after this repository start new games.",
    }[config.new_game]
    lines: Sequence[str] = [
        "Nobody moves twice in a row, but you may ask the bot to answer your move.",
        f"The bot is `{config.bot}`.",
        f"Between two moves of yours {config.cooldown_s:.0f} s must pass." * (config.cooldown_s > 0),
        start,
    ]
    return "\n".join(f"- {line}" for line in lines if line)
