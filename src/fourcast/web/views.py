"""Conversions between the library's objects and the messages of the API; nothing is decided here."""

from __future__ import annotations

from fourcast._core import Position
from fourcast.game import Game, Outcome, Termination
from fourcast.notation import format_moves, format_rows, parse_rows
from fourcast.players import describe_player, player_names, rating
from fourcast.render.review import move_text, summary_text
from fourcast.render.svg import NAMES, describe
from fourcast.render.words import describe_bounds, winner_moves
from fourcast.study.review import MoveReview, Review
from fourcast.web.analysis import ColumnFinding, Finding
from fourcast.web.schemas import (
    AnalysisView,
    ColumnView,
    MoveReviewView,
    PlayerView,
    PositionView,
    ResultView,
    ReviewView,
    Side,
    Square,
)

__all__ = [
    "analysis_view",
    "make_game",
    "player_views",
    "position_view",
    "result_view",
    "review_view",
    "side",
]

_WON = 0.4
"""How far the bar is off the middle for the latest of wins; the soonest is at its end."""


def make_game(
    moves: str = "",
    *,
    width: int = 7,
    height: int = 6,
    start: str = "",
    first: str = "",
    second: str = "",
) -> Game:
    """Return the game that a request describes; a *start* decides the size of the board.

    Raises a `FourcastError`, with words for people, if there is no such game.

    >>> make_game("4", start="..../..../..../XO..").position.ply
    3
    >>> make_game("4444444")
    Traceback (most recent call last):
    fourcast.errors.IllegalMoveError: move 7 of '4444444': column 4 is full
    """
    board = parse_rows(start) if start else Position(width=width, height=height)
    return Game(moves, start=board, first=first, second=second)


def position_view(game: Game) -> PositionView:
    """Return where *game* stands, with all that a page needs to draw it.

    >>> view = position_view(Game("4453"))
    >>> view.turn, view.last_move, view.start, view.moves
    (1, (2, 0), '', '4453')
    """
    position = game.position
    last = game.columns[-1] if game.columns else None
    return PositionView(
        width=position.width,
        height=position.height,
        start=format_rows(game.start) if game.start.ply else "",
        moves=game.moves,
        ply=position.ply,
        turn=side(position.turn),
        cells=position.to_grid(order="rows", top_first=False),
        legal_columns=list(position.legal_columns),
        last_move=None if last is None else (last, position.heights[last] - 1),
        winner=side(position.winner) if position.winner else None,
        is_over=position.is_over,
        is_draw=position.is_draw,
        winning_squares=list(position.winning_squares),
        threats_first=list(position.threats(1)),
        threats_second=list(position.threats(2)),
        diagram=str(position),
        text=_capital(describe(position, last=last)),
    )


def result_view(outcome: Outcome) -> ResultView:
    """Return how a game ended, with a sentence for people.

    >>> result_view(Outcome(2, Termination.RESIGNATION)).text
    'Yellow wins: red has resigned.'
    """
    winner = side(outcome.winner) if outcome.winner else None
    loser = NAMES[2 - winner] if winner else ""
    why = {
        Termination.FOUR: "four in a row",
        Termination.FULL_BOARD: "the board is full",
        Termination.RESIGNATION: f"{loser} has resigned",
        Termination.AGREEMENT: "both sides agreed",
        Termination.FORFEIT: f"{loser} has forfeited the game",
    }[outcome.termination]
    reason = f" ({outcome.reason})" if outcome.reason else ""
    text = f"{NAMES[winner - 1]} wins" if winner else "a draw"
    return ResultView(
        winner=winner, termination=outcome.termination.value, text=_capital(f"{text}: {why}{reason}.")
    )


def analysis_view(game: Game, finding: Finding) -> AnalysisView:
    """Return what was found of the position where *game* stands."""
    position = game.position
    if position.is_over:
        text = "has lost" if position.winner else "has drawn"
    else:
        text = describe_bounds(finding.lower, finding.upper, position)
    return AnalysisView(
        position=position_view(game),
        complete=finding.is_complete,
        score=finding.score,
        lower=finding.lower,
        upper=finding.upper,
        text=text,
        bar=_bar(position, finding),
        columns=[_column_view(position, column, finding) for column in finding.columns],
    )


def review_view(game: Game, report: Review) -> ReviewView:
    """Return *game* with every move judged."""
    return ReviewView(
        position=position_view(game),
        complete=report.complete,
        moves=[_move_view(move) for move in report.moves],
        accuracy_first=_percent(report.accuracy(1)),
        accuracy_second=_percent(report.accuracy(2)),
        decisive=report.decisive.number if report.decisive else None,
        text=summary_text(report, [_capital(name) for name in NAMES]),
    )


def _move_view(move: MoveReview) -> MoveReviewView:
    return MoveReviewView(
        number=move.number,
        player=side(move.player),
        column=move.column,
        verdict=move.verdict.value if move.verdict else None,
        loss=move.loss,
        score_before=move.score_before,
        score_after=move.score_after,
        score_first=move.score_first,
        best_columns=list(move.best_columns),
        text=move_text(move),
    )


def _percent(share: float | None) -> float | None:
    return None if share is None else round(share, 1)


# What is not an English word.
_TITLES = {"mcts": "MCTS"}


def player_views() -> list[PlayerView]:
    """Return the computer's players, in the order of the register."""
    return [
        PlayerView(
            name=name,
            title=_TITLES.get(name) or _capital(name.replace("-", " ")),
            text=describe_player(name),
            rating=rating(name),
        )
        for name in player_names()
    ]


def side(player: int) -> Side:
    """Return *player* as the messages have it: 1 or 2."""
    return 1 if player == 1 else 2


def _column_view(position: Position, found: ColumnFinding, finding: Finding) -> ColumnView:
    score = found.score
    return ColumnView(
        column=found.column,
        score=score,
        lower=found.lower,
        upper=found.upper,
        outcome=found.outcome,
        moves_to_end=winner_moves(score, position) if score else None,
        text=describe_bounds(found.lower, found.upper, position),
        is_best=finding.is_best(found),
        variation=format_moves(found.variation),
        line=_squares(position, found.variation),
    )


def _squares(position: Position, columns: tuple[int, ...]) -> list[Square]:
    """Where the stones of *columns* come to lie."""
    heights = list(position.heights)
    squares = []
    for column in columns:
        squares.append((column, heights[column]))
        heights[column] += 1
    return squares


def _bar(position: Position, finding: Finding) -> float:
    """What is sure of the score, as the place of an evaluation bar.

    A win is more than a draw however late it comes, and the more the sooner: hence a step at 0.
    """
    sure = finding.lower if finding.lower > 0 else min(finding.upper, 0)
    if not sure:
        return 0.0
    size = 1.0
    if not position.is_over:
        soonest = abs(sure) + winner_moves(sure, position) - 1  # what a win at once would be worth
        size = _WON + (1 - _WON) * abs(sure) / soonest
    return round(size if (sure > 0) == (position.turn == 1) else -size, 4)


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
