"""Conversions between the library's objects and the messages of the API; nothing is decided here."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timezone
from typing import Any

from fourcast import __version__
from fourcast._core import Analysis, Rules, ask
from fourcast.game import Game, Outcome
from fourcast.notation import format_moves
from fourcast.players import describe_player, player_names, plays_all_rules, rating
from fourcast.render.catalogue import fill, side_names
from fourcast.render.explain import explanation_object, move_object
from fourcast.render.review import story_text
from fourcast.render.said import Said, paragraphs_text, said_text
from fourcast.render.svg import describe
from fourcast.render.words import describe_outcome
from fourcast.study.explain import Claim, Explanation, MoveExplanation
from fourcast.study.follow import Followed
from fourcast.study.marks import Marks
from fourcast.study.review import Review
from fourcast.web.games.rules import Record, computer_to_move, is_local, side
from fourcast.web.schemas import (
    MAX_HEIGHT,
    MAX_MOVES,
    MAX_NAME,
    MAX_TEXT,
    MAX_WIDTH,
    MIN_HEIGHT,
    MIN_WIDTH,
    AboutView,
    AnalysisView,
    ClockView,
    ExplanationView,
    FollowedView,
    GameView,
    LegendView,
    MoveExplanationView,
    OffersView,
    PlayerView,
    PositionView,
    ResultView,
    ReviewView,
    SeatView,
    Side,
    SideView,
)

__all__ = [
    "about_view",
    "analysis_view",
    "explanation_view",
    "followed_view",
    "game_view",
    "move_explanation_view",
    "player_views",
    "position_view",
    "result_view",
    "review_view",
]

SIZES = ["7x6", "4x4", "5x4", "5x5", "6x5", "6x6", "7x7", "8x7", "8x8", "9x7", "10x7"]
_MAX_BITS = 128


def about_view(notice: str | None = None) -> AboutView:
    """Return what a page needs to know about this server."""
    return AboutView(
        version=__version__,
        columns=format_moves(range(MAX_WIDTH)),
        min_width=MIN_WIDTH,
        max_width=MAX_WIDTH,
        min_height=MIN_HEIGHT,
        max_height=MAX_HEIGHT,
        max_bits=_MAX_BITS,
        sizes=SIZES,
        sides=[
            SideView(side=1, name=side_names()[0], symbol="X"),
            SideView(side=2, name=side_names()[1], symbol="O"),
        ],
        max_text=MAX_TEXT,
        max_name=MAX_NAME,
        max_moves=MAX_MOVES,
        notice=notice,
    )


def position_view(game: Game) -> PositionView:
    """Return where *game* stands, with all that a page needs to draw it.

    >>> view = position_view(Game("4453"))
    >>> view.turn, view.last_move, view.start, view.moves
    (1, (2, 0), '', '4453')
    """
    shown = _shown(game)
    content: dict[str, Any] = ask("position.view", shown)
    last = shown["columns"][-1] if shown["columns"] else None
    return PositionView(**content, text=_capital(describe(game.position, last=last)))


def _shown(game: Game) -> dict[str, Any]:
    """Return a game as the core is asked for views of it."""
    return {"rows": game.start.to_rows(), "columns": game.columns}


def result_view(outcome: Outcome, rules: Rules | None = None) -> ResultView:
    """Return how a game by these *rules* ended, with a sentence for people.

    >>> result_view(Outcome.parse("second wins, resignation")).text
    'Yellow wins: red has resigned.'
    """
    winner = side(outcome.winner) if outcome.winner else None
    text = describe_outcome(outcome, (fill("side.first"), fill("side.second")), rules)
    return ResultView(winner=winner, termination=outcome.termination.value, text=text)


def game_view(
    record: Record,
    *,
    connected: frozenset[int] = frozenset(),
    spectators: int = 0,
    notice: str | None = None,
) -> GameView:
    """Return a game as everybody may see it."""
    game = record.game

    def seat(number: Side) -> SeatView:
        chair = record.chair(number)
        return SeatView(
            kind=chair.kind,
            name=chair.name,
            player=chair.player,
            is_connected=chair.kind == "computer" or number in connected,
        )

    def by(number: int) -> Side | None:
        return side(number) if number else None

    return GameView(
        id=record.id,
        seq=record.seq,
        position=position_view(game),
        undone="".join(map(game.start.move_name, game.undone)),
        first=seat(1),
        second=seat(2),
        is_local=is_local(record),
        result=result_view(game.result, game.start.rules) if game.result else None,
        offers=OffersView(
            draw=by(record.draw_by), takeback=by(record.takeback_by), rematch=by(record.rematch_by)
        ),
        is_thinking=computer_to_move(record) is not None,
        spectators=spectators,
        clock=_clock_view(record),
        points=record.standing["points"],
        rematch_id=record.rematch_id,
        room_id=record.room_id,
        created=game.started or datetime.fromtimestamp(0, timezone.utc),
        notice=notice,
    )


def _clock_view(record: Record) -> ClockView | None:
    if record.clock is None:
        return None
    shown = record.standing["clock"]
    first, second = (max(0, round(1000 * left_s)) for left_s in shown["left_s"])
    since_ms = record.created_ms + round(1000 * shown["since_s"])
    return ClockView(
        kind=record.clock.kind,
        time_s=record.clock.time_s,
        increment_s=record.clock.increment_s,
        left_ms=(first, second),
        since_ms=None if record.clock.began_ms is None else since_ms,
        running=side(shown["running"]) if shown["running"] else None,
    )


def analysis_view(game: Game, analysis: Analysis | dict[str, Any]) -> AnalysisView:
    """Return what is proven about the position where *game* stands.

    The analysis of PopOut is that of `popout.analyze` (native/solver/popout.hpp).
    """
    found = analysis
    if isinstance(found, Analysis):
        found = ask("analysis.view", {**_shown(game), "analysis": found.to_json()})
    columns = [{**each, "text": said_text(each["said"])} for each in found["columns"]]
    content = {**found, "columns": columns, "text": said_text(found["said"])}
    return AnalysisView.model_validate({**content, "position": position_view(game)})


def review_view(game: Game, report: Review) -> ReviewView:
    """Return *game* with every move judged."""
    first, second = report.judged["percents"]
    moves = [
        {
            **move,
            "text": said_text(move["said"], side_names()),
            "mistake": move["mistake"] and said_text(move["mistake"], side_names()),
        }
        for move in report.judged["moves"]
    ]
    content = {
        **report.judged,
        "position": position_view(game),
        "moves": moves,
        "accuracy_first": first,
        "accuracy_second": second,
        "text": story_text(report, side_names()),
    }
    return ReviewView.model_validate(content)


def explanation_view(explanation: Explanation) -> ExplanationView:
    """Return why a position is won, lost or drawn, in words and with marks."""
    content = explanation_object(explanation, side_names())
    _add_legends(content, explanation)
    return ExplanationView.model_validate(content)


def move_explanation_view(explanation: MoveExplanation) -> MoveExplanationView:
    """Return why a move keeps the result or gives it away, in words and with marks."""
    content = move_object(explanation, side_names())
    content["instead"] = explanation.better_column
    for name in ("reason", "better"):
        if content[name]:
            _add_legends(content[name], getattr(explanation, name))
    return MoveExplanationView.model_validate(content)


def _add_legends(content: dict[str, Any], explanation: Explanation) -> None:
    for number, marks in enumerate(content["marks"]):
        marks["legend"] = _legend_view(explanation.marks(number).legend)


def _legend_view(entries: Iterable[tuple[str, Said]]) -> list[LegendView]:
    texts = [{"kind": kind, "text": _capital(said_text(said, side_names()))} for kind, said in entries]
    return [LegendView.model_validate(each) for each in texts]


def followed_view(game: Game, claim: Claim, marks: Marks, followed: Followed) -> FollowedView:
    """Return how things stand in *game*, in which *claim*, with its *marks*, was *followed*.

    >>> from fourcast import Position, explain
    >>> from fourcast.study.follow import follow
    >>> found = explain(Position("14642545655244774665"))
    >>> followed = follow(found.claims_position, found.claims[0], [5])
    >>> game = Game("1464254565524477466566")
    >>> view = followed_view(game, found.claims[0], found.marks(), followed)
    >>> view.text, view.legend[3].text
    ('Yellow plays on top of it: 6/6.', 'Nobody plays here until Red has to, after 10 other squares')
    """
    answer = None
    if followed.why:
        column = followed.columns[-1]
        answer = column, game.position.heights[column] - 1
    return FollowedView(
        position=position_view(game),
        player=side(claim.player),
        goal=claim.goal,
        columns=list(followed.columns),
        answer=answer,
        why=followed.why,
        state=followed.state,
        text=paragraphs_text([followed.said], side_names()),
        legend=_legend_view(marks.legend_at(game.position)),
    )


# Players whose names say little to people.
_TITLES = {"mcts": "MCTS", "rated": "Greedy"}


def player_views() -> list[PlayerView]:
    """Return the computer's players, in the order of the register."""
    return [
        PlayerView(
            name=name,
            title=_TITLES.get(name) or _capital(name.replace("-", " ")),
            text=describe_player(name),
            rating=rating(name),
            plays_all_rules=plays_all_rules(name),
        )
        for name in player_names()
    ]


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
