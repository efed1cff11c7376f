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
REASON_S = 10.0
"""The longest that a person waits for its reason."""


def hint(position: Position, solver: Solver | None = None, names: Names = ("Red", "Yellow")) -> str:
    r"""Return advice to the player to move in an unfinished game; by the standard rules with a reason.

    What it says is proven; where a proof takes too long it says what can be seen at once.

    >>> hint(Position("445566"))
    'Column 3 wins at once.'
    >>> print(hint(Position("5516545455474674676766412222")))  # doctest: +ELLIPSIS
    Column 1 holds out longest, if your opponent makes no mistake. Zugzwang: Yellow has ...
    """
    if position.rules.pop:
        return _hint_by_popout(position)
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


def _hint_by_popout(position: Position) -> str:
    found = solve_popout(position, Limit(time_s=TIME_S))
    if found.winner is None:
        return f"Nobody can force a win within {found.searched} plies; I cannot see further in time."
    name = position.move_name(found.best_moves[0])
    best = f"Column {name}"
    if name == "=":
        best = "Claiming the draw"
    elif name[0] == "p":
        best = f"Taking a disc out of column {name[1:]}"
    plies = f"{found.plies} {'ply' if found.plies == 1 else 'plies'}"
    if found.winner != position.turn:
        return f"You lose in {plies} at the latest. {best} holds out longest."
    return f"{best} wins in {plies}."


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
    if not analysis.position.rules.is_standard:
        return head
    found = explain(analysis.position, solver=solver, limit=Limit(time_s=REASON_S))
    said = [_SAID.get(each["pattern"], each["pattern"]) for each in found.said[-1]]
    told = [{**each, "pattern": name} for each, name in zip(found.said[-1], said, strict=True) if name]
    return " ".join([head, *(said_text(each, names) for each in told)])


_SAID = {
    **dict.fromkeys(("verdict", "idea_longest", "idea_only_draw", "idea_all_draw", "no_time")),
    **dict.fromkeys(("idea_longest_does", "idea_only_draw_does"), "does"),
}
"""What the hint says in its own words, or does not say, and what is left of it."""


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
