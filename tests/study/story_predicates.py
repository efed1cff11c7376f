"""Whether the story of a review is true, decided by the rules and the solver, sentence by sentence.

Nothing here shares code with what tells the story.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from fourcast import Game, Position
from fourcast.notation import format_column
from fourcast.render.said import said_text
from fourcast.study.explain import MoveExplanation
from fourcast.study.review import Review
from tests.render.test_explain import PREDICATES as MOVE_PREDICATES
from tests.render.test_explain import (
    SOLVER,
    Said,
    completed,
    deed_holds,
    discs_of,
    fours_of,
    square_in,
    text_after,
)
from tests.study.idea_predicates import BRIEFS
from tests.study.idea_predicates import Told as ToldIdea

__all__ = ["PREDICATES", "story_failures", "told_sentences"]

OUTCOMES = {1: "win", 0: "draw", -1: "loss"}
TURNS = (
    "review_turn_win_loss",
    "review_turn_win_draw",
    "review_turn_draw_loss",
    "review_turn_still_wins",
    "review_turn_still_loses",
)
OVERSIGHTS = ("missed_four", "missed_block", "gave_above")


@dataclass(frozen=True)
class Told:
    """A sentence of a story, or of the list of mistakes; *number* is the move that it is about."""

    said: Said
    game: Game
    number: int
    before: Sequence[Told] = ()
    explanation: MoveExplanation | None = None

    @property
    def positions(self) -> tuple[Position, ...]:
        """All positions of the game."""
        return tuple(self.game.positions())

    @property
    def position(self) -> Position:
        """The position before the move."""
        return self.positions[self.number - 1]

    @property
    def column(self) -> int:
        """The move."""
        return self.game.columns[self.number - 1]

    @property
    def change(self) -> tuple[str, str]:
        """What the mover got with best play, before and after the move."""
        return outcome(self.position), outcome(self.position.play(self.column), self.position.turn)


def outcome(position: Position, player: int | None = None) -> str:
    """What *player*, or the side to move, gets."""
    if position.is_over:
        score = 0 if position.is_draw else 1 if position.winner == player else -1
        return OUTCOMES[score]
    found = SOLVER.solve(position, outcome_only=True).outcome
    assert found is not None
    if player in (None, position.turn):
        return found
    return {"win": "loss", "loss": "win", "draw": "draw"}[found]


def keeping(position: Position) -> tuple[int, ...]:
    """The columns that keep the outcome."""
    mover, kept = position.turn, outcome(position)
    return tuple(c for c in position.legal_columns if outcome(position.play(c), mover) == kept)


def changes(game: Game) -> int:
    """How many moves changed the result."""
    positions = tuple(game.positions())
    results = [outcome(position, 1) for position in positions]
    return sum(one != other for one, other in pairwise(results))


def is_move(told: Told) -> bool:
    """Whether the sentence names the move as it was played."""
    said = told.said
    return (said.number, said.player, said.column) == (told.number, told.position.turn, told.column)


def turned(told: Told, before: str, after: str) -> bool:
    return is_move(told) and told.change == (before, after)


def last_reply(told: Told) -> tuple[Position, int]:
    """The position before the loser's last move, and the winner."""
    assert told.game.position.winner is not None
    return told.positions[-3], told.game.position.winner


def has_two(told: Told) -> bool:
    position, winner = last_reply(told)
    return len(fours_of(position, winner)) > 1


def has_stack(told: Told) -> bool:
    position, winner = last_reply(told)
    threats = fours_of(position, winner)
    return len(threats) == 1 and bool(position.play(*(c for c, _ in threats)).winning_columns(winner))


def is_zugzwang(told: Told) -> bool:
    position, winner = last_reply(told)
    return not fours_of(position, winner) and all(
        position.play(column).winning_columns(winner) for column in position.legal_columns
    )


def after_why(told: Told, *patterns: str) -> bool:
    """Whether a turning point was explained by one of these before."""
    texts = [each.said.sentence for each in told.before]
    texts += [text["facts"]["text"] for text in texts if text["pattern"] == "review_turn_named"]
    return any(text["pattern"] in patterns for text in texts)


def opening_holds(told: Told) -> bool:
    """Whether the name of the opening fits its first two moves."""
    width, (first, *more) = told.positions[0].width, told.game.columns[:2]
    name = told.said.sentence["facts"]["name"]
    reply = name["pattern"].removeprefix("opening.") if more else None
    where = (name["facts"]["first"] if more else name)["pattern"].removeprefix("opening.")
    away = min(abs(first - middle) for middle in {(width - 1) // 2, width // 2})
    if where != (
        "center"
        if away == 0
        else "beside"
        if away == 1
        else "edge"
        if first in (0, width - 1)
        else "wing"
    ):
        return False
    if not more:
        return reply is None
    is_so = {
        "on_top": more[0] == first,
        "mirror": more[0] == width - 1 - first,
        "next": abs(more[0] - first) == 1,
        "reply": name["facts"].get("column") == format_column(more[0]),
    }
    assert reply is not None
    return is_so[reply] and not told.positions[0].ply


def is_named(told: Told) -> bool:
    text = told.said.sentence["facts"]["text"]
    return told.said.number == told.number and text["pattern"] in OVERSIGHTS and move_holds(told, text)


def move_holds(told: Told, sentence: dict[str, Any]) -> bool:
    """Whether a sentence about a move holds for the move that was played, or for the one to play."""
    said = Said(sentence, told.position)
    if said.column != told.column:
        return False
    if said.pattern != "column_why_it":
        return MOVE_PREDICATES[said.pattern](said)
    reason = told.explanation.reason if told.explanation else None
    assert reason is not None
    brief = ToldIdea(Said(sentence["facts"]["reason"], reason.position, reason), reason)
    return said.text == text_after(told.position, told.column) and BRIEFS[brief.pattern](brief)


def is_forced(told: Told) -> bool:
    """Whether the loser's threat was blocked on a square of a four that the winner had or threatened."""
    number, square, winner = told.said.number, told.said.square, told.game.position.winner
    assert winner is not None
    before, after = told.positions[number - 1], told.positions[number]
    fours = {frozenset(told.game.position.winning_squares)}
    if len(told.positions) > 2:
        position, _ = last_reply(told)
        discs = discs_of(position, winner)
        for four in fours_of(position, winner):
            fours |= {frozenset(line) for line in completed(position, discs, four)}
    return (
        (told.said.player, told.said.opponent) == (before.turn, winner) == (3 - winner, winner)
        and fours_of(after, before.turn) == {square}
        and square_in(after, told.game.columns[number]) == square
        and any(square in four for four in fours)
        and told.game.columns[number - 1] not in (SOLVER.solve(before).best_columns or ())
    )


PREDICATES: dict[str, Callable[[Told], bool]] = {
    "review_nothing": lambda t: not t.game.columns,
    "review_no_error": lambda t: changes(t.game) == 0,
    "review_story_won": lambda t: t.game.position.winner == t.said.player and changes(t.game) < 2,
    "review_story_won_after": lambda t: (
        (t.game.position.winner, len(t.game.columns), changes(t.game))
        == (t.said.player, t.said.number, t.said.count)
    ),
    "review_story_draw": lambda t: t.game.position.is_draw and changes(t.game) < 2,
    "review_story_draw_after": lambda t: t.game.position.is_draw and changes(t.game) == t.said.count,
    "review_story_open": lambda t: not t.game.is_over and t.said.player == t.game.position.turn,
    "opening.said": lambda t: opening_holds(t),
    "review_turn_win_loss": lambda t: turned(t, "win", "loss"),
    "review_turn_win_draw": lambda t: turned(t, "win", "draw"),
    "review_turn_draw_loss": lambda t: turned(t, "draw", "loss"),
    "review_turn_still_wins": lambda t: turned(t, "win", "win"),
    "review_turn_still_loses": lambda t: turned(t, "loss", "loss"),
    "review_turn_named": is_named,
    "review_forced": lambda t: is_forced(t),
    "review_turn_best": lambda t: (
        tuple(SOLVER.solve(t.position, best_columns=True).best_columns or ()) == t.said.columns
        and t.column not in t.said.columns
    ),
    "kept_one": lambda t: (
        keeping(t.position) == (t.said.column,)
        and t.said.outcome == t.change[0]
        and t.column != t.said.column
    ),
    "kept_one_does": lambda t: (
        PREDICATES["kept_one"](t) and deed_holds(Said(t.said.sentence, t.position))
    ),
    "kept_some": lambda t: (
        keeping(t.position) == t.said.columns
        and t.said.outcome == t.change[0]
        and t.column not in t.said.columns
    ),
    "review_end_double": lambda t: (
        has_two(t) and set(t.said.both) == fours_of(last_reply(t)[0], last_reply(t)[1])
    ),
    "review_end_stack": lambda t: (
        has_stack(t)
        and {t.said.square} == fours_of(*last_reply(t))
        and t.said.above == (t.said.square[0], t.said.square[1] + 1)
    ),
    "review_end_zugzwang": lambda t: (
        is_zugzwang(t)
        and set(t.said.either)
        == {
            (column, row + 1)
            for column, row in (
                square_in(last_reply(t)[0], column) for column in last_reply(t)[0].legal_columns
            )
        }
    ),
    "review_lesson_missed_four": lambda t: after_why(t, "missed_four"),
    "review_lesson_missed_block": lambda t: after_why(t, "missed_block"),
    "review_lesson_gave_above": lambda t: after_why(t, "gave_above"),
    "review_lesson_let_double": lambda t: after_why(t, "let_double", "review_end_double"),
    "review_lesson_let_stack": lambda t: after_why(t, "let_stack", "review_end_stack"),
    "review_lesson_let_force": lambda t: after_why(t, "let_force"),
    "review_lesson_zugzwang": is_zugzwang,
    "review_lesson_center": lambda t: (
        keeping(t.positions[0]) == (t.positions[0].width // 2,)
        and t.game.columns[0] != t.positions[0].width // 2
    ),
}


def told_sentences(game: Game, report: Review) -> Iterator[Told]:
    """Yield the sentences of the story, then those of the mistakes."""
    number, before = len(game.columns), list[Told]()
    for sentence in (sentence for paragraph in report.judged["story"] for sentence in paragraph):
        said = Said(sentence, game.position)
        if said.pattern in (*TURNS, "review_turn_named"):
            number = said.number
        told = Told(said, game, number, tuple(before), _explanation(report, number))
        before.append(told)
        yield told
    for move in report.judged["moves"]:
        if move["mistake"]:
            found = _explanation(report, move["number"])
            yield Told(Said(move["mistake"], game.position), game, move["number"], (), found)


def _explanation(report: Review, number: int) -> MoveExplanation | None:
    return report.moves[number - 1].explanation if report.moves else None


def story_failures(game: Game, report: Review) -> list[str]:
    """Return the sentences that are not true."""
    return [
        f"{game.moves}, move {told.number}: {said_text(told.said.sentence)}"
        for told in told_sentences(game, report)
        if not (
            PREDICATES[told.said.pattern](told)
            if told.said.pattern in PREDICATES
            else move_holds(told, told.said.sentence)
        )
    ]
