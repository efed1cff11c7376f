"""What players are told. Nothing that a player wrote is repeated, and nobody is mentioned."""

from __future__ import annotations

from fourcast._core import Limit, Position
from fourcast.community.command import PREFIX
from fourcast.community.config import Config
from fourcast.community.judge import Refusal
from fourcast.community.ledger import Ledger, Move, PlayedGame
from fourcast.community.page import Site, person
from fourcast.notation import format_column
from fourcast.render.words import describe_score
from fourcast.solver import Solver
from fourcast.study.review import MoveReview, decisive_mistake

__all__ = ["MARK", "ended", "refused"]

MARK = "<!-- fourcast:reply -->"
"""Begins every comment of ours, by which a second run finds the first one's."""

_EMPTY = "\N{MEDIUM WHITE CIRCLE}"


def refused(refusal: Refusal, site: Site) -> str:
    """Return the comment on a move that was not played."""
    return f"{MARK}\n{refusal.text}\n\n[To the board]({site.url})"


def ended(ledger: Ledger, move: Move, config: Config, site: Site, *, time_s: float) -> str:
    """Return the comment on the move that ended a game. *time_s* is the solver's for each position."""
    game = ledger.games[move.game - 1]
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
    """Return the board in emoji, which any comment can show."""
    cells = (_EMPTY, config.first.disc, config.second.disc)
    rows = position.to_grid(order="rows", top_first=True)
    return "```\n" + "\n".join("".join(cells[cell] for cell in row) for row in rows) + "\n```"


def _verdict(game: PlayedGame, config: Config, site: Site, time_s: float) -> str:
    """Return what the solver thinks of the move that decided the game."""
    played = game.to_game(config.first.name, config.second.name)
    mistake = decisive_mistake(played, solver=Solver(threads=2), limit=Limit(time_s=time_s))
    if mistake is None:
        return "The solver found no decisive mistake in the moves that it could judge."
    return _describe(mistake, game, config, site)


def _describe(mistake: MoveReview, game: PlayedGame, config: Config, site: Site) -> str:
    assert mistake.score_before is not None
    assert mistake.score_after is not None
    move = game.moves[mistake.number - 1]
    before = Position.from_columns(game.columns[: mistake.number - 1])
    after = before.play(mistake.column)
    team, other = (config.team(player).name for player in (mistake.player, 3 - mistake.player))
    best = [format_column(column) for column in mistake.best_columns]
    columns = f"column {best[0]}" if len(best) == 1 else f"columns {', '.join(best)}"
    return (
        f"The decisive mistake, by the solver: move {mistake.number}, {team} in column "
        f"{format_column(mistake.column)} (by {person(move.mover, site)}). Until then, with best play "
        f"of both, {team} {describe_score(mistake.score_before, before)}; from then on {other} "
        f"{describe_score(-mistake.score_after, after)}. Best would have been {columns}."
    )
