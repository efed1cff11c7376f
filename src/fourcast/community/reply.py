"""The comments on issues. They repeat nothing that a player wrote, and mention nobody by `@name`."""

from __future__ import annotations

from fourcast._core import Limit, Position
from fourcast.community.command import PREFIX
from fourcast.community.config import Config
from fourcast.community.entries import PlayedGame
from fourcast.community.issues import MARK
from fourcast.community.judge import Refusal
from fourcast.community.markup import Site, person
from fourcast.render.review import decisive_text
from fourcast.solver import Solver
from fourcast.study.review import Review, decisive_mistake, explain_mistakes

__all__ = ["ended", "refused"]

_EMPTY = "\N{MEDIUM WHITE CIRCLE}"


def refused(refusal: Refusal, site: Site) -> str:
    """Return the comment on a move that was not played."""
    return f"{MARK}\n{refusal.text}\n\n[To the board]({site.url})"


def ended(game: PlayedGame, config: Config, site: Site, *, time_s: float) -> str:
    """Return the comment on the move that ended *game*. *time_s* limits the solver for each position."""
    position = game.position
    if position.winner:
        team = config.team(position.winner)
        head = f"{team.disc} **{team.title} wins game {game.number}** with this move."
    else:
        head = f"**Game {game.number} is a draw:** the board is full."
    rosters = [
        f"- {config.team(side).disc} {config.team(side).title}: "
        + (", ".join(person(name, site) for name in game.players(side)) or "nobody")
        for side in (1, 2)
    ]
    start = f"[Start a new game]({site.issue_link(f'{PREFIX}|new')})"
    parts = [
        head,
        emoji_board(position, config),
        "\n".join(rosters),
        _verdict(game, config, site, time_s),
        start,
    ]
    return f"{MARK}\n" + "\n\n".join(parts)


def emoji_board(position: Position, config: Config) -> str:
    """Return the board as emoji, which any comment can show."""
    cells = (_EMPTY, config.first.disc, config.second.disc)
    rows = position.to_grid(order="rows", top_first=True)
    return "```\n" + "\n".join("".join(cells[cell] for cell in row) for row in rows) + "\n```"


def _verdict(game: PlayedGame, config: Config, site: Site, time_s: float) -> str:
    """Return the solver's judgment of the move that decided the game, and the reason for it."""
    played = game.to_game(config.first.name, config.second.name)
    solver, limit = Solver(threads=2), Limit(time_s=time_s)
    mistake = decisive_mistake(played, solver=solver, limit=limit)
    if mistake is None:
        return "The solver found no decisive mistake among the moves that it could judge."
    names = (config.first.title, config.second.title)
    mover = person(game.moves[mistake.number - 1].mover, site)
    text = f"{decisive_text(Review((mistake,)), names)} That move was by {mover}."
    review = Review((mistake,))
    for move in explain_mistakes(review, solver=solver, limit=limit, reasons_s=time_s, quick=False):
        if move.explanation:
            text += "\n\n" + "\n\n".join(move.explanation.words(names).split("\n"))
    return text
