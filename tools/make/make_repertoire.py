"""Makes the opening repertoires: the smallest sets of positions that hold what there is to hold.

Which move is played where decides which positions have to be known, and positions are shared between
lines, so that the smallest set is a problem of its own: an integer program, which HiGHS solves to the
end. Short plans, which end a line, are looked for in the positions of a solution; then the problem is
solved again, until no new plan is found. It takes some minutes:

    make repertoire
"""

from __future__ import annotations

import gzip
import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from scipy.optimize import Bounds, LinearConstraint, milp
from scipy.sparse import coo_matrix

import fourcast.puzzles.repertoire as module
from fourcast._core import Limit, Position
from fourcast.notation import format_column
from fourcast.puzzles.repertoire import FORMAT, RepertoireCard, Side, mirrored_claim, questions_after
from fourcast.solver import Solver
from fourcast.study.explain import Claim, clause_count, explain
from fourcast.study.explore import explore

PLIES: dict[Side, int] = {"first": 10, "second": 5}
"""How far the repertoires go."""

MOST_CLAUSES = 6
"""A plan with more rules to remember does not end a line."""

MOST_AHEAD = 8
"""Moves of best play after which a plan still says something about the move."""

PLAN_NODES = 2000
"""Effort of the search for a plan; short ones are found at once."""

Key = int


@dataclass
class Question:
    """A position of the player's, and what may be played there."""

    position: Position
    options: dict[int, frozenset[Key]] = field(default_factory=dict)
    """For each column that may be played, the questions that follow."""
    plans: dict[int, Claim | None] = field(default_factory=dict)
    """For each column that was looked at, the short plan after it."""

    def followers(self, column: int) -> frozenset[Key]:
        """The questions after a column: none if a plan wins."""
        return frozenset() if self.plans.get(column) else self.options[column]


class RepertoireMaker:
    """Makes the repertoire of a side."""

    def __init__(self, side: Side) -> None:
        self.side, self.plies = side, PLIES[side]
        self.solver = Solver(table_mb=64)
        start = Position()
        self.roots = [start] if side == "first" else list(start.children().values())
        self.questions = self._all_questions()

    def _all_questions(self) -> dict[Key, Question]:
        questions: dict[Key, Question] = {}
        waiting = list(self.roots)
        while waiting:
            position = waiting.pop()
            if position.canonical_key in questions:
                continue
            question = questions[position.canonical_key] = Question(position)
            for column in self._columns(position):
                following = list(questions_after(position.play(column), self.plies))
                question.options[column] = frozenset(each.canonical_key for each in following)
                waiting += following
        return questions

    def _columns(self, position: Position) -> list[int]:
        """The columns that keep the result; of a lost position, those that are most testing."""
        if self.solver.solve(position, best_columns=False).outcome != "loss":
            analysis = self.solver.analyze(position, variations=False)
            keeping = [line.column for line in analysis if line.outcome == analysis.outcome]
            return [column for column in position.columns_from_center if column in keeping]
        found = explore(position, solver=self.solver)
        most = found.most_testing
        share = most.traps / max(1, len(most.replies))
        testing = {move.column for move in found.moves if move.traps == share * len(move.replies)}
        return [column for column in position.columns_from_center if column in testing]

    def smallest(self) -> tuple[dict[Key, int], float]:
        """Return a smallest choice of columns, by question, and the proven bound of its size."""
        number = {key: place for place, key in enumerate(self.questions)}
        cost = [1.0] * len(number)
        rows: list[list[tuple[int, int]]] = []  # sums of variables with signs that must not be negative
        chosen: list[tuple[Key, int, int]] = []
        for key, question in self.questions.items():
            choice = []
            for column in self._undominated(question):
                variable = len(cost)
                cost.append(0.0)
                choice.append(variable)
                chosen.append((key, column, variable))
                rows += [[(number[each], 1), (variable, -1)] for each in question.followers(column)]
            rows.append([(number[key], -1), *((variable, 1) for variable in choice)])
        entries = [(row, *cell) for row, cells in enumerate(rows) for cell in cells]
        at, variables, signs = zip(*entries, strict=True)
        matrix = coo_matrix((signs, (at, variables)), shape=(len(rows), len(cost))).tocsc()
        least = np.zeros(len(cost))
        for root in self.roots:
            least[number[root.canonical_key]] = 1
        result = milp(
            np.array(cost),
            constraints=LinearConstraint(matrix, 0, np.inf),
            bounds=Bounds(least, 1),
            integrality=np.ones(len(cost)),
        )
        assert result.success, result.message
        columns: dict[Key, int] = {}
        for key, column, variable in chosen:
            if result.x[variable] > 0.5:
                columns.setdefault(key, column)
        return columns, float(result.mip_dual_bound)

    @staticmethod
    def _undominated(question: Question) -> Iterator[int]:
        """The columns after which there is not more to know than after another one."""
        kept: list[frozenset[Key]] = []
        for column in sorted(question.options, key=lambda each: len(question.followers(each))):
            followers = question.followers(column)
            if not any(other <= followers for other in kept):
                kept.append(followers)
                yield column

    def run(self) -> list[RepertoireCard]:
        """Return the cards of a smallest repertoire."""
        while True:
            columns, bound = self.smallest()
            cards = list(self._walk(columns))
            print(f"{self.side}: {len(cards)} cards, at least {bound:.0f}", file=sys.stderr, flush=True)
            if not self._look_for_plans([key for key, _, _ in cards]):
                return [self._card(*each) for each in cards]

    def _walk(self, columns: dict[Key, int]) -> Iterator[tuple[Key, str, int]]:
        """The questions of a choice with moves that lead there, and the columns; by number of discs."""
        ways = {"": self.roots[0]} if self.side == "first" else {}
        if not ways:
            ways = {format_column(column): Position().play(column) for column in range(7)}
        seen: set[Key] = set()
        while ways:
            following: dict[str, Position] = {}
            for moves, position in sorted(ways.items(), key=lambda each: (len(each[0]), each[0])):
                key = position.canonical_key
                if key in seen:
                    continue
                seen.add(key)
                question = self.questions[key]
                column = columns[key]
                if not question.followers(column):
                    column = self._last(question, column)
                upright = position.key == question.position.key
                played = column if upright else position.width - 1 - column
                yield key, moves, played
                if not question.plans.get(column):
                    following |= dict(self._ways(moves, position, played))
            ways = following

    def _last(self, question: Question, column: int) -> int:
        """The column where nothing follows: one with a plan, else the one that wins soonest."""
        free = [each for each in question.options if not question.followers(each)]
        planned = [each for each in free if question.plans.get(each)]
        best = self.solver.solve(question.position).best_columns or ()
        return next((each for each in (*planned, *free) if planned or each in best), column)

    def _ways(self, moves: str, position: Position, column: int) -> Iterator[tuple[str, Position]]:
        """Move strings that lead to the questions after a move, plain blocks included."""
        after = position.play(column)
        moves += format_column(column)
        wanted = {each.key for each in questions_after(after, self.plies)}
        waiting = [(moves, after)]
        while waiting:
            text, there = waiting.pop()
            for reply, position_ in there.children().items():
                name = text + format_column(reply)
                if position_.key in wanted:
                    yield name, position_
                elif not position_.is_over and position_.ply <= self.plies:
                    blocks = position_.winning_columns(3 - position_.turn)
                    if len(blocks) == 1 and not position_.winning_columns():
                        blocked = position_.play(blocks[0])
                        if not blocked.is_over:
                            waiting.append((name + format_column(blocks[0]), blocked))

    def _look_for_plans(self, keys: list[Key]) -> bool:
        """Look for plans after all moves of these questions; whether a new one makes a line shorter."""
        found = False
        for key in keys:
            question = self.questions[key]
            for column in question.options:
                if column not in question.plans:
                    claim = self._plan(question.position.play(column))
                    question.plans[column] = claim
                    found |= bool(claim and question.options[column])
        return found

    def _plan(self, after: Position) -> Claim | None:
        """A short plan, or a forcing line, with which the player wins who has just moved."""
        found = explain(after, solver=self.solver, limit=Limit(nodes=PLAN_NODES))
        if found.line or len(found.claims) != 1 or found.verdict.outcome != "loss":
            return None
        (claim,) = found.claims
        return claim if clause_count(claim, after) <= MOST_CLAUSES else None

    def _card(self, key: Key, moves: str, column: int) -> RepertoireCard:
        """The card with its reason: a plan after the move, or after some moves of best play."""
        position = Position(moves)
        after = position.play(column)
        line = next(each for each in self.solver.analyze(position) if each.column == column)
        ahead = line.variation[1:]
        known = self.questions[key]
        is_upright = position.key == known.position.key
        plan = known.plans.get(column if is_upright else position.width - 1 - column)
        if plan and not self._plan(after):  # the search does not find every plan in both orientations
            plan = plan if is_upright else mirrored_claim(plan, position.width)
            return RepertoireCard(moves, column, (), (plan,))
        if line.outcome == "win":
            for count in range(0, min(len(ahead), MOST_AHEAD + 1), 2):
                if claim := self._plan(after.play(*ahead[:count])):
                    return RepertoireCard(moves, column, tuple(ahead[:count]), (claim,))
        return RepertoireCard(moves, column)


def main() -> None:
    folder = Path(module.__file__).parent / "shipped"
    for side, plies in PLIES.items():
        cards = RepertoireMaker(side).run()
        lines = [{"format": FORMAT, "side": side, "plies": plies}, *(card.to_json() for card in cards)]
        text = "".join(json.dumps(line, separators=(",", ":")) + "\n" for line in lines)
        path = folder / f"{side}.repertoire.gz"
        path.write_bytes(gzip.compress(text.encode("ascii"), 9, mtime=0))
        ends = sum(card.ends_theory for card in cards)
        print(f"{path.name}: {len(cards)} cards, {ends} with a plan, {path.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
