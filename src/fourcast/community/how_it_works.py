"""The page "How it works": the rules of this game, the bot, and the board as the program keeps it."""

from __future__ import annotations

from collections.abc import Callable

from fourcast._core import Position
from fourcast.community.bot import describe_bot
from fourcast.community.command import BOT, PREFIX
from fourcast.community.config import Config
from fourcast.community.markup import Site, count, project_links
from fourcast.notation import column_names

__all__ = ["how_it_works"]


def how_it_works(position: Position, config: Config, site: Site) -> str:
    """Return the page, with *position* as its example."""
    first, second = config.first, config.second
    return f"""# How it works

Four discs of one team in a row, horizontally, vertically or diagonally, win. {first.title} moves first.

Choose a column on [the front page]({site.url}) and submit the issue that opens. Its title is the move:

| Title | What it does |
|-|-|
| `{PREFIX}\\|drop\\|{first.name}\\|4` | drops a disc of {first.name} into column 4 |
| `{PREFIX}\\|drop\\|{second.name}\\|{BOT}` | lets the bot choose for {second.name} |
| `{PREFIX}\\|new` | starts a new game |

The links on the page add the number of the game and the number of discs, such as `|g12p7`: if somebody
else was quicker, your move is not played on a board that you have not seen.

{_rules(config)}

Opening an issue starts a workflow of GitHub Actions. It reads the title, checks the move, adds a line
to [the ledger](ledger.jsonl) and draws the board again. When a new game starts, the lines of the last
one go to [the past games](games/README.md). Reactions on the issue show what happened: eyes, it was
seen; a rocket, the move was played; a confused face, the move was refused, and a comment says why.

## The bot
{describe_bot(config.bot, config.bot_time_s)} It moves only when somebody asks it to.

## The board in bits
{_bits(position, config)}

## Contribute
If you have found a mistake or have an idea: {" · ".join(project_links(config, site))}
"""


def _rules(config: Config) -> str:
    start = {
        "anyone": "Anybody may start a new game when the last one is over.",
        "players": "Anybody who has moved may start a new game when the last one is over.",
        "owners": "The people who look after this repository start new games.",
    }[config.new_game]
    lines = ["Nobody moves twice in a row, but you may ask the bot to answer your move.", start]
    if config.one_team:
        lines.append("You play for one team in a game: the one that you first moved for.")
    if config.cooldown_s > 0:
        lines.append(f"At least {config.cooldown_s:.0f} s must pass between two of your moves.")
    return "\n".join(f"- {line}" for line in lines)


# The board in bits

_GAP = "      "


def _bits(position: Position, config: Config) -> str:
    height, step = position.height, position.height + 1
    squares = _draw(position, step, lambda column, row: f"{column * step + row:2}")
    boards = [
        _draw(position, height, lambda column, row: ".XO"[position.at(column, row)]),
        _draw(position, height, lambda column, row: "01"[position.at(column, row) == 1]),
        _draw(position, height, lambda column, row: "01"[position.at(column, row) == 2]),
    ]
    teams = (config.first.name, config.second.name)
    names = [" ".join(column_names(position.width)), *(f"{team}'s bits" for team in teams)]
    now = "\n".join(
        _GAP.join(f"{part:{2 * position.width - 1}}" for part in parts).rstrip()
        for parts in zip(*(board.splitlines() for board in boards), strict=True)
    )
    below = _GAP.join(f"{name:{2 * position.width - 1}}" for name in names).rstrip()
    digits = max(len(str(board)) for board in position.bitboards)
    numbers = "\n".join(
        f"{board:>{digits}} = {_binary(board, position)}  {team}"
        for board, team in zip(position.bitboards, teams, strict=True)
    )
    return f"""\
The program keeps the board as two numbers, one for each team, with one bit for each square. The bits
are numbered like this; those in the line on top stand for no square and keep the columns apart:

```
{squares}
```

The game after {count(position.ply, "move")}, where X is {teams[0]} and O is {teams[1]}, and its bits:

```
{now}
{below}
```

As numbers, in decimal and in binary, with the last column on the left:

```
{numbers}
```

The peaks, which are the next free bit of each column: `{list(position.peaks)}`. A disc dropped into
a column sets the bit at the column's peak, and the peak moves up by one; a column whose peak is in the
line on top is full. Four bits of one number that are 1, {height}, {step} or {step + 1} apart are four
in a row. The AND of the number and itself shifted by that distance has the pairs; the AND of the pairs
and themselves shifted by twice the distance has the fours, on the whole board at once."""


def _draw(position: Position, rows: int, cell: Callable[[int, int], str]) -> str:
    columns = range(position.width)
    lines = [" ".join(cell(column, row) for column in columns) for row in reversed(range(rows))]
    return "\n".join(lines)


def _binary(board: int, position: Position) -> str:
    step = position.height + 1
    columns = [board >> (column * step) & ((1 << step) - 1) for column in range(position.width)]
    return " ".join(f"{bits:0{step}b}" for bits in reversed(columns))
