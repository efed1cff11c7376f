"""Why a move of the terminal game is good or bad, and where the game was lost."""

from __future__ import annotations

from fourcast._core import Limit
from fourcast.cli._support.boards import text_width
from fourcast.cli._terminal.screen import Screen
from fourcast.errors import OptionError
from fourcast.game import Game
from fourcast.render.explained import explained_move
from fourcast.render.review import decisive_text
from fourcast.solver import Solver
from fourcast.study.explain import MoveExplanation, explain_move
from fourcast.study.review import Review, decisive_mistake

TIME_S = 5.0
"""The longest that a person waits for what the moves are worth."""
REASON_S = 10.0
"""The longest that a person waits for each of two reasons."""


def why_move(game: Game, number: int, screen: Screen, solver: Solver) -> str:
    """Return why a move of *game* was good or bad; *number* counts from 0."""
    position = tuple(game.positions())[number]
    try:
        found = explain_move(
            position,
            game.columns[number],
            solver=solver,
            limit=Limit(time_s=TIME_S),
            reason_limit=Limit(time_s=REASON_S),
        )
    except OptionError:
        return "It is too early in the game to tell in time."
    return _shown(found, screen)


def why_lost(game: Game, screen: Screen, solver: Solver) -> str:
    """Return where a finished game was decided, and why."""
    mistake = decisive_mistake(game, solver=solver, limit=Limit(time_s=TIME_S))
    if mistake is None:
        return "No mistake that decided the game was found in time."
    text = decisive_text(Review((mistake,)), screen.sides)
    return f"{text}\n\n{why_move(game, mistake.number - 1, screen, solver)}"


def _shown(found: MoveExplanation, screen: Screen) -> str:
    return explained_move(
        found,
        screen.sides,
        style=screen.style,
        color=screen.colored,
        red=screen.red,
        width=text_width(),
    )
