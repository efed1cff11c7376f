"""From a game to its puzzles: goal, solution, themes and difficulty of each."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from functools import lru_cache
from itertools import islice

from fourcast._core import Analysis, Position
from fourcast.errors import OptionError
from fourcast.players.level_player import LEVELS
from fourcast.puzzles.candidates import EARLY_EVERY, LATE_EMPTY, Candidate, candidates, play_game
from fourcast.puzzles.difficulty import HARD, Sight, expected_rating, try_levels
from fourcast.puzzles.puzzle import Ending, Puzzle
from fourcast.puzzles.rules import (
    Goal,
    breaking_columns,
    keeping_columns,
    playing_on_top_wins,
    reply_by,
)
from fourcast.puzzles.themes import Solved, themes_of
from fourcast.solver import Solver

__all__ = ["Maker", "is_trivial"]

QUICKEST, SLOWEST = 2, 5
"""The wins that are asked for as such, in moves."""

CRISP = 4
"""A win in at most this number of moves is asked for as such even if only one column keeps the win."""

MOST_MOVES = 6
"""Moves of the player in the longest solution of the other goals."""

MOST_OF_A_GAME = 8
"""Puzzles of one game: more would be too much alike."""

MOST_OF_A_KIND = {"early": 1, "win in 2": 2, "win in 3": 3}
"""Of these kinds there are more in a game than anybody wants, or they take long to rate."""

EASIEST = 100
"""The lowest rating: what all levels solve is no puzzle."""

MOST_SQUARES = 42
"""On larger boards early positions take too long to solve."""

ALIKE = 3
"""Two puzzles of a game whose solutions begin with the same columns, this number of them, are alike."""

EARLY_TRIES = 6
"""How many early positions of a game are looked at: most of the time would go there."""

MOST_HARD_OF_A_GAME = 4
"""Hard puzzles of one game."""


def is_trivial(position: Position) -> bool:
    """Whether the side to move wins at once, has to block, or hardly has a choice.

    >>> is_trivial(Position("445566")), is_trivial(Position("4575274553"))
    (True, False)
    """
    if position.winning_columns() or position.winning_columns(3 - position.turn):
        return True
    safe = [column for column, after in position.children().items() if not after.winning_columns()]
    return len(safe) < 3


class Maker:
    """Makes puzzles. What it makes of a game depends on the game alone."""

    def __init__(self, width: int = 7, height: int = 6) -> None:
        self.width, self.height = width, height
        self._solver = Solver(table_mb=64)
        self._sight = Sight()

        @lru_cache(maxsize=4096)
        def analyze(position: Position) -> Analysis:
            return self._solver.analyze(position, variations=False)

        self._analyze = analyze

    def puzzles_of_game(self, number: int, seed: int) -> list[Puzzle]:
        """Return the puzzles of a game."""
        columns = play_game(number, seed, self.width, self.height)
        early = number % EARLY_EVERY == 0 and self.width * self.height <= MOST_SQUARES
        found = list(candidates(columns, self._analyze, self.width, self.height, early=early))
        random.Random(f"{seed} {number}").shuffle(found)
        tries = EARLY_TRIES
        puzzles: list[Puzzle] = []
        kinds: Counter[str] = Counter()
        solutions: set[tuple[object, ...]] = set()
        for candidate in found:
            if len(puzzles) == MOST_OF_A_GAME:
                break
            if _is_early(candidate.position):
                if not tries:
                    continue
                tries -= 1
            puzzle = self.unrated(candidate)
            if puzzle is None:
                continue
            mine = _kinds(puzzle)
            if _start(puzzle) in solutions or any(kinds[kind] >= MOST_OF_A_KIND[kind] for kind in mine):
                continue
            solutions.add(_start(puzzle))
            rated = self.rated(puzzle, candidate.after_mistake)
            if rated.rating >= EASIEST:
                kinds.update(mine)
                puzzles.append(rated)
        return puzzles + self._breaks(found)

    def _breaks(self, found: list[Candidate]) -> list[Puzzle]:
        """The first plan with a hole among the late positions of a game, as a puzzle."""
        late = (each for each in found if not _is_early(each.position))
        holes = filter(None, map(self.plan_with_a_hole, late))
        rated = (self.rated(puzzle, after_mistake=False) for puzzle in islice(holes, 1))
        return [puzzle for puzzle in rated if puzzle.rating >= EASIEST]

    def plan_with_a_hole(self, candidate: Candidate) -> Puzzle | None:
        """Return the puzzle of a position that is not won, but against the plan; None if there is none.

        One column beats the plan, and no other does.
        """
        position = candidate.position
        if is_trivial(position) or self._analyze(position).outcome == "win":
            return None
        try:
            if len(breaking_columns(position)) != 1:
                return None
        except OptionError:  # there are too many positions to try
            return None
        solution: list[int] = []
        while not position.is_over:
            column, reply = next(iter(breaking_columns(position).items()))
            solution += [column] if reply is None else [column, reply]
            position = candidate.position.play(*solution)
        if not 3 <= len(solution) < 2 * MOST_MOVES:
            return None
        return Puzzle(
            moves=candidate.moves,
            goal="break",
            solution=tuple(solution),
            ending="four",
            width=self.width,
            height=self.height,
        )

    def hard_puzzles_of_game(self, number: int, seed: int) -> list[Puzzle]:
        """Return the hard puzzles among the early positions of a game.

        What level 10 solves exactly before its first move is left out: it hardly gets a rating of more
        than 1100, and the other games have enough of that. Raises `OptionError` for a board on which
        early positions take too long to solve.
        """
        if self.width * self.height > MOST_SQUARES:
            raise OptionError(
                f"a board of {self.width}x{self.height} is too large for hard puzzles; 7x6 is not"
            )
        columns = play_game(number, seed, self.width, self.height)
        found = list(candidates(columns, self._analyze, self.width, self.height, early=True))
        random.Random(f"{seed} {number}").shuffle(found)
        puzzles: list[Puzzle] = []
        solutions: set[tuple[object, ...]] = set()
        for candidate in found:
            if len(puzzles) == MOST_HARD_OF_A_GAME:
                break
            puzzle = self.unrated(candidate) if _is_early(candidate.position) else None
            if puzzle is None or puzzle.goal == "win" or _start(puzzle) in solutions:
                continue
            solutions.add(_start(puzzle))
            if self._sight.solve(puzzle.position, LEVELS[-1][1]):
                continue
            rated = self.rated(puzzle, candidate.after_mistake)
            if rated.rating >= HARD:
                puzzles.append(rated)
        return puzzles

    def unrated(self, candidate: Candidate) -> Puzzle | None:
        """Return the puzzle of a position, without difficulty and themes; None if there is none."""
        if is_trivial(candidate.position):
            return None
        analysis = self._analyze(candidate.position)
        if analysis.outcome == "loss":
            return None
        keeping = keeping_columns(analysis)
        goal: Goal = "keep draw" if analysis.outcome == "draw" else "keep win"
        moves = analysis.moves_to_end or 0
        is_quick = goal == "keep win" and QUICKEST <= moves <= SLOWEST
        is_unique = len(analysis.best_columns or ()) == 1
        if is_quick and is_unique and (moves <= CRISP or len(keeping) > 1):
            goal = "win"
            if len(keeping) == len(candidate.position.legal_columns):
                return None  # where every column wins nothing can go wrong
        if goal != "win" and len(keeping) > 1:
            return None
        return self._solve(candidate, goal)

    def _solve(self, candidate: Candidate, goal: Goal) -> Puzzle | None:
        """Return the puzzle with its solution; None if that is too long."""
        position = candidate.position
        player = position.turn
        solution: list[int] = []
        ending: Ending = "choice"
        while True:
            column = self._right(position, goal)[0]
            solution.append(column)
            position = position.play(column)
            if position.winner == player:
                ending = "four"
                break
            if goal == "keep win" and playing_on_top_wins(position):
                ending = "plan"
                break
            if position.is_over:
                break
            reply = reply_by(position, goal, self._analyze)
            there = position.play(reply)
            if there.is_over or (goal != "win" and len(self._right(there, goal)) > 1):
                break
            if goal != "win" and len(solution) >= 2 * MOST_MOVES - 1:
                return None
            solution.append(reply)
            position = there
        return Puzzle(
            moves=candidate.moves,
            goal=goal,
            solution=tuple(solution),
            ending=ending,
            width=self.width,
            height=self.height,
        )

    def _right(self, position: Position, goal: Goal) -> tuple[int, ...]:
        """The right columns, the one nearest the center first."""
        if goal == "break":
            return tuple(breaking_columns(position))
        analysis = self._analyze(position)
        right = tuple(analysis.best_columns or ()) if goal == "win" else keeping_columns(analysis)
        return tuple(column for column in position.columns_from_center if column in right)

    def rated(self, puzzle: Puzzle, after_mistake: bool, seed: int = 0) -> Puzzle:
        """Return the puzzle with its difficulty and themes; other seeds make other attempts."""
        position, goal = puzzle.position, puzzle.goal
        answers: dict[Position, tuple[tuple[int, ...], dict[int, Position | None]]] = {}

        def answer(here: Position) -> tuple[tuple[int, ...], dict[int, Position | None]]:
            if here not in answers:
                right = self._right(here, goal)
                made = (here.ply - position.ply) // 2 + 1
                answers[here] = (
                    right,
                    {
                        column: self._next(here, column, goal, made == puzzle.moves_to_find)
                        for column in right
                    },
                )
            return answers[here]

        expected = expected_rating(position, goal, puzzle.moves_to_find)
        trials = try_levels(position, answer, expected, self._sight, seed)
        self._sight.forget()
        tempting = self._tempting(position, puzzle.solution[0], trials.wrong)
        end = position.play(*puzzle.solution)
        continuation: tuple[int, ...] = ()
        if not end.is_over and goal == "keep win":
            best = self._solver.analyze(end).best_line
            continuation = best.variation if best else ()
        solved = Solved(position, puzzle.solution, goal, continuation, tempting, after_mistake)
        difficulty = trials.difficulty
        return replace(
            puzzle,
            tempting=tempting,
            rating=difficulty.rating,
            error=difficulty.error,
            themes=themes_of(solved),
        )

    def _next(self, here: Position, column: int, goal: Goal, is_last: bool) -> Position | None:
        """Where the player moves next after a right column; None if the puzzle is solved."""
        after = here.play(column)
        if after.is_over or (is_last and goal != "break"):
            return None
        if goal == "break":
            reply = breaking_columns(here)[column]
            assert reply is not None
            return after.play(reply)
        return after.play(reply_by(after, goal, self._analyze))

    def _tempting(self, position: Position, right: int, wrong: Counter[int]) -> int | None:
        """The wrong column played most often; without any, a central one, if it is not lost at once."""
        columns = [column for column in position.columns_from_center if column != right]
        columns = [column for column in columns if position.can_play(column)]
        if self._analyze(position).outcome == "win":
            # Another column that wins, more slowly, is not what has to be explained.
            keeping = keeping_columns(self._analyze(position))
            columns = [column for column in columns if column not in keeping] or columns
        safe = [column for column in columns if not position.play(column).winning_columns()]
        return max(columns, key=lambda column: (wrong[column], column in safe), default=None)


def _is_early(position: Position) -> bool:
    return position.width * position.height - position.ply > LATE_EMPTY


def _start(puzzle: Puzzle) -> tuple[object, ...]:
    """What puzzles of a game that are too much alike have in common."""
    return puzzle.goal, puzzle.player, puzzle.solution[:ALIKE]


def _kinds(puzzle: Puzzle) -> list[str]:
    """The kinds of MOST_OF_A_KIND that a puzzle is of."""
    kinds = ["early"] if _is_early(puzzle.position) else []
    if puzzle.goal == "win" and puzzle.moves_to_find <= 3:
        kinds.append(f"win in {puzzle.moves_to_find}")
    return kinds
