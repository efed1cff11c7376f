"""The hint of the terminal game."""

from __future__ import annotations

from fourcast._core import Analysis, Limit, Position
from fourcast.notation import format_column
from fourcast.popout import solve_popout
from fourcast.render.catalogue import Names
from fourcast.render.said import said_text
from fourcast.render.words import describe_score, name_columns
from fourcast.solver import Solver
from fourcast.study.explain import explain

TIME_S = 2.0
"""The longest that a person waits for a hint."""
REASON_S = 1.0
"""The longest that a person waits for its reason."""


def hint(position: Position, solver: Solver | None = None, names: Names = ("Red", "Yellow")) -> str:
    r"""Return advice to the player to move in an unfinished game, with a reason where there is one.

    What it says is proven; where a proof takes too long it says what can be seen at once.

    >>> hint(Position("445566"))
    'Column 3 wins at once.'
    >>> hint(Position("5516545455474674676766412222"))  # doctest: +ELLIPSIS
    'Column 1 holds out longest, if your opponent makes no mistake. Zugzwang, the waiting game: ...'
    """
    solver = solver or Solver()
    wins = tuple(position.winning_columns())
    threats = tuple(position.winning_columns(3 - position.turn))
    if wins:
        return f"Column {format_column(wins[0])} wins at once."
    if len(threats) == 1:
        return f"Block column {format_column(threats[0])}, or your opponent wins there."
    if threats:
        return f"Your opponent threatens to win in {name_columns(threats)}: only one can be blocked."
    analysis = solver.analyze(position, Limit(time_s=TIME_S), variations=False)
    if not analysis.complete:
        return _what_is_proven(analysis)
    return _advice(analysis, solver, names)


def hint_by_rules(position: Position, solver: Solver) -> str:
    """Return advice by other rules than the standard ones, without reasons.

    >>> from fourcast import Rules
    >>> hint_by_rules(Position("1122", width=4, height=4, rules=Rules(3, wrap=True)), Solver())
    'Column 3 wins at once.'
    """
    if position.rules.pop:
        found = solve_popout(position, Limit(time_s=TIME_S))
        best = _moves_said(position, found.best_moves)
        if found.winner is None:
            return f"Nobody can force a win within {found.searched} plies; I cannot see further in time."
        if found.winner != position.turn:
            return f"You lose in {found.plies} plies at the latest. {best} holds out longest."
        return f"{best} wins in {found.plies} {'ply' if found.plies == 1 else 'plies'}."
    if wins := tuple(position.winning_columns()):
        return f"Column {format_column(wins[0])} wins at once."
    analysis = solver.analyze(position, Limit(time_s=TIME_S), variations=False)
    if not analysis.complete or analysis.score is None:
        return _what_is_proven(analysis)
    best = _moves_said(position, tuple(analysis.best_columns or ()))
    return f"{best} {describe_score(analysis.score, position)}, if both sides play their best."


def _moves_said(position: Position, moves: tuple[int, ...]) -> str:
    """Name the first of some moves that are equally good."""
    name = position.move_name(moves[0])
    if name == "=":
        return "Claiming the draw"
    return f"Taking a disc out of column {name[1:]}" if name[0] == "p" else f"Column {name}"


def _advice(analysis: Analysis, solver: Solver, names: Names) -> str:
    """Say what to play, then what `explain` says of the position."""
    assert analysis.score is not None
    best = tuple(analysis.best_columns or ())
    words = describe_score(analysis.score, analysis.position)
    if len(best) == len(analysis):
        head = f"Every column {words}, if both sides play their best."
    elif analysis.outcome == "loss":
        head = f"Column {format_column(best[0])} holds out longest, if your opponent makes no mistake."
    else:
        others = best[1:]
        also = f" So {'does' if len(others) == 1 else 'do'} {name_columns(others)}." if others else ""
        head = f"Column {format_column(best[0])} {words}.{also}"
    found = explain(analysis.position, solver=solver, limit=Limit(time_s=REASON_S))
    said = [each for each in found.said[-1] if each["pattern"] not in _SAID]
    return " ".join([head, *(said_text(each, names) for each in said)])


_SAID = ("verdict", "idea_longest", "idea_only_draw", "idea_all_draw", "no_time")
"""What the hint says in its own words, or does not say."""


def _what_is_proven(analysis: Analysis) -> str:
    """Say what is known if there was no time for everything."""
    winning = [line.column for line in analysis if line.outcome == "win"]
    losing = [line.column for line in analysis if line.outcome == "loss"]
    if winning:
        return f"Column {format_column(winning[0])} wins, but not soon."
    rest = "the rest is too far ahead to be seen in time"
    if losing:
        return f"Do not play {name_columns(losing)}, which would lose; {rest}."
    return f"Nobody can win with the next disc, and {rest}."
