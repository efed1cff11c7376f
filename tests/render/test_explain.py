"""Words of explanations: every pattern of the catalogue has a predicate that says whether it is true."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import pytest

from fourcast import Explanation, MoveExplanation, Position, Solver, explain, explain_move
from fourcast._core import ask
from fourcast.notation import parse_column
from fourcast.render.catalogue import catalogue
from fourcast.render.said import said_text
from fourcast.render.words import describe_score
from fourcast.study.explain import (
    Cases,
    Claim,
    LocalGames,
    Plan,
    Square,
    clause_count,
)
from tests.study.plain_search import lines

SOLVER = Solver()
RANK = {"loss": 0, "draw": 1, "win": 2}


@dataclass
class Said:
    """A sentence with what it is about; its facts are attributes. Columns and rows count from 0."""

    sentence: dict[str, Any]
    position: Position
    explanation: Explanation | None = None
    move: MoveExplanation | None = None
    claim: Claim | None = None
    paragraph: tuple[Said, ...] = ()

    @property
    def pattern(self) -> str:
        return str(self.sentence["pattern"])

    @property
    def words(self) -> str:
        return said_text(self.sentence)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        return meaning(name, self.sentence["facts"][name])

    @property
    def position_after(self) -> Position:
        """The position that the next sentence of a paragraph is about."""
        if self.pattern in ("plays", "has_to_block"):
            return self.position.play(self.square[0])
        if self.pattern == "exchange":
            return self.position.play(self.square[0], self.other[0])
        return self.position


ALL_OF, ONE_OF = ("both", "missing", "under"), ("either", "with")
"""Facts that are several squares."""


def meaning(name: str, fact: Any) -> Any:
    """What a fact of the core stands for."""
    if name in ("column", "after"):
        return column_of(fact)
    if not isinstance(fact, dict):
        return fact
    if "player" in fact:
        return fact["player"]
    pattern, facts = fact["pattern"], fact["facts"]
    if pattern == "by_lines":
        return meaning(name, facts["squares"])
    if pattern == "square":
        square = column_of(facts["column"]), facts["row"] - 1
        return (square,) if name in (*ALL_OF, *ONE_OF) else square
    if pattern in ("and", "or"):
        assert name in (ALL_OF if pattern == "and" else ONE_OF)
        return tuple(meaning("square", each) for each in (*facts["list"], facts["last"]))
    if pattern == "columns.one":
        return (column_of(facts["column"]),)
    if pattern == "columns.some":
        return tuple(map(column_of, (*facts["list"].split(", "), facts["last"])))
    if name == "where":
        return facts["line"]
    if name == "threat":
        return pattern.removeprefix("threat_")
    if name in ("outcome", "result"):
        assert (name == "result") == pattern.startswith("into_")
        return pattern.removeprefix("into_")
    return said_text(fact) if name == "text" else fact


def column_of(name: str) -> int:
    return parse_column(name, 25)


@dataclass
class Games:
    """All games that the opponent can play against a plan, found with nothing but `Position`."""

    lost: bool = False
    on_top: set[Square] = field(default_factory=set)
    table: dict[Square, set[Square]] = field(default_factory=dict)
    fours: set[tuple[Square, Square]] = field(default_factory=set)  # the opponent's disc, the four
    forced: set[int] = field(default_factory=set)
    last_ply: int = 0
    gets: set[Square] = field(default_factory=set)
    mine: set[Square] = field(default_factory=set)  # before a four, or a forced win, ends the game
    theirs: set[Square] = field(default_factory=set)


@dataclass
class Playouts:
    """Games against local games in which the opponent plays at random, with nothing but `Position`."""

    lost: int = 0
    won: int = 0
    unfinished: int = 0
    answers: dict[Square, set[Square]] = field(default_factory=dict)
    chosen: dict[Square, set[Square]] = field(default_factory=dict)  # answers that do not block a four
    choices: list[tuple[Square, set[Square], Square]] = field(
        default_factory=list
    )  # ... and all squares
    fours: set[tuple[Square, Square]] = field(default_factory=set)  # the opponent's disc, the four
    mine: set[Square] = field(default_factory=set)  # while they matter, before a four ends the game
    theirs: set[Square] = field(default_factory=set)
    last_ply: int = 0


PLAYOUTS = 24


@cache
def play_out(position: Position, claim: Claim, games: int = PLAYOUTS) -> Playouts:
    assert isinstance(claim.proof, LocalGames)
    found, chance = Playouts(), random.Random(7)
    for _ in range(games):
        _play_out_once(position, claim.proof, found, chance)
    return found


def _play_out_once(
    position: Position, proof: LocalGames, found: Playouts, chance: random.Random
) -> None:
    player = 3 - position.turn
    taken: list[tuple[set[Square], set[Square]]] = [(set(), set()) for _ in proof.groups]  # theirs, mine
    tables = [
        {(frozenset(a.theirs), frozenset(a.mine)): a.answer for a in g.answers} for g in proof.groups
    ]
    group_of = {column: n for n, group in enumerate(proof.groups) for column in group.columns}

    def settled(n: int) -> bool:
        group = proof.groups[n]
        return group.role == "hold" and all(set(need) & taken[n][1] for need in group.needs)

    def room(n: int) -> int:
        return sum(position.height - position.heights[column] for column in proof.groups[n].columns)

    while True:
        if proof.latest is None and (position.is_over or no_line_left(position, position.turn)):
            return
        if position.is_over:
            found.unfinished += 1
            return
        disc = square_in(position, chance.choice(position.legal_columns))
        n = group_of[disc[0]]
        mattered = not settled(n)
        position = position.play(disc[0])
        if position.winner:
            found.lost += 1
            return
        if wins := position.winning_columns(player):
            found.fours |= {(disc, square_in(position, win)) for win in wins}
            found.won += 1
            found.last_ply = max(found.last_ply, position.ply + 1)
            return
        taken[n][0].add(disc)
        if mattered:
            found.theirs.add(disc)
        if position.is_over:
            continue
        asked = room(n) > 0
        if not asked:  # a free move, where the proof allows for one
            others = [m for m, group in enumerate(proof.groups) if room(m) and group.free != "never"]
            if not others:
                found.unfinished += 1
                return
            n = chance.choice(others)
        if settled(n):
            on_top = asked and position.heights[disc[0]] < position.height
            choices = [c for c in proof.groups[n].columns if position.can_play(c)]
            answer = square_in(position, disc[0] if on_top else chance.choice(choices))
        else:
            answer = tables[n][frozenset(taken[n][0]), frozenset(taken[n][1])]
            assert square_in(position, answer[0]) == answer
            found.mine.add(answer)
            if asked:
                found.answers.setdefault(disc, set()).add(answer)
                if blocks := position.winning_columns(3 - player):
                    assert answer[0] in blocks, "a four is blocked if necessary"
                else:
                    found.chosen.setdefault(disc, set()).add(answer)
                    could = [c for c in proof.groups[n].columns if position.can_play(c)]
                    found.choices.append((disc, {square_in(position, c) for c in could}, answer))
        taken[n][1].add(answer)
        position = position.play(answer[0])
        assert not position.winner, "a four would have been seen before"


def square_in(position: Position, column: int) -> Square:
    return column, position.heights[column]


def shortest_force(position: Position, most: int) -> int | None:
    """The discs of the shortest forced win of the side to move, if there is one of at most *most*."""
    return next((n for n in range(1, most + 1) if forces(position, n)), None)


def forces(position: Position, discs: int) -> bool:
    player, other = position.turn, 3 - position.turn
    if position.winning_columns(player):
        return True
    if discs < 2 or len(position.winning_columns(other)) > 1:
        return False
    for column in position.winning_columns(other) or position.legal_columns:
        after = position.play(column)
        if after.is_over or after.winning_columns(other) or not after.winning_columns(player):
            continue
        if all(forces(after.play(reply), discs - 1) for reply in after.winning_columns(player)):
            return True
    return False


@cache
def all_games(position: Position, plan: Plan) -> Games:
    """Play every game from *position*, in which the opponent of the plan is to move."""
    games, opponent, player = Games(), position.turn, 3 - position.turn
    table = {answer.stone: answer.squares for answer in plan.answers}
    height = position.height
    seen, waiting = {position}, [position]

    def record(reached: Position) -> None:
        squares = {(c, r) for c in range(position.width) for r in range(reached.heights[c])}
        games.mine |= {square for square in squares if reached.at(*square) == player}
        games.theirs |= {square for square in squares if reached.at(*square) == opponent}

    for column in range(position.width):
        games.gets |= {(column, r) for r in range(height) if position.at(column, r) == opponent}
    while waiting:
        before = waiting.pop()
        record(before)
        if plan.latest is None and no_line_left(before, opponent):
            games.gets |= {
                (c, r) for c in before.legal_columns for r in range(before.heights[c], height)
            }
            continue
        for column in before.legal_columns:
            disc = square_in(before, column)
            games.gets.add(disc)
            now = before.play(column)
            if now.winner:
                games.lost = True
                continue
            if now.is_over:
                record(now)
                games.lost |= plan.latest is not None
                continue
            if wins := now.winning_columns(player):
                games.fours |= {(disc, square_in(now, win)) for win in wins}
                games.last_ply = max(games.last_ply, now.ply + 1)
                continue
            if blocks := now.winning_columns(opponent):
                games.lost |= len(blocks) > 1
                after = now.play(blocks[0])
            elif number := shortest_force(now, plan.takes):
                games.forced.add(number)
                games.last_ply = max(games.last_ply, now.ply + 2 * number - 1)
                continue
            else:
                answer = first_answer(now, opponent, table.get(disc, ((disc[0], disc[1] + 1),)))
                if answer is None:
                    games.lost = True
                    continue
                if disc in table:
                    games.table.setdefault(disc, set()).add(answer)
                else:
                    games.on_top.add(disc)
                after = now.play(answer[0])
            if after.is_over:
                record(after)
                games.lost |= plan.latest is not None
            elif after not in seen:
                seen.add(after)
                waiting.append(after)
    return games


def first_answer(now: Position, opponent: int, squares: tuple[Square, ...]) -> Square | None:
    for column, row in squares:
        playable = now.can_play(column) and now.heights[column] == row
        if playable and (column, row + 1) not in set(now.threats(opponent)):
            return column, row
    return None


@dataclass
class CaseGames:
    """All games that the opponent can play against a proof case by case, up to its ends."""

    lost: bool = False
    settled: bool = False  # in some game the opponent has no line of four left
    asked: set[tuple[frozenset[Square], frozenset[Square]]] = field(default_factory=set)
    on_top: bool = False  # in some game
    ends: dict[Position, Plan | LocalGames] = field(default_factory=dict)
    last_ply: int = 0


@cache
def case_games(position: Position, proof: Cases) -> CaseGames:
    """Play every game from *position*, in which the opponent is to move, with nothing but `Position`."""
    games, opponent, player = CaseGames(), position.turn, 3 - position.turn
    squares = [(c, r) for c in range(position.width) for r in range(position.height)]

    def key(reached: Position) -> tuple[frozenset[Square], frozenset[Square]]:
        new = [square for square in squares if reached.at(*square) and not position.at(*square)]
        owned = (frozenset(s for s in new if reached.at(*s) == side) for side in (opponent, player))
        return next(owned), next(owned)

    table = {(frozenset(a.theirs), frozenset(a.mine)): a.answer for a in proof.answers}
    ends = {(frozenset(e.theirs), frozenset(e.mine)): e.proof for e in proof.ends}
    seen, waiting = {position}, [position]
    while waiting:
        before = waiting.pop()
        if proof.latest is None and no_line_left(before, opponent):
            games.settled = True
            continue
        if end := ends.get(key(before)):
            games.ends[before] = end
            continue
        for column in before.legal_columns:
            now = before.play(column)
            if now.is_over:
                games.lost |= bool(now.winner) or proof.latest is not None
                games.settled = True
                continue
            if now.winning_columns(player):
                games.last_ply = max(games.last_ply, now.ply + 1)
                continue
            above = column, now.heights[column]
            if blocks := now.winning_columns(opponent):
                games.lost |= len(blocks) > 1
                answer = square_in(now, blocks[0])
            elif (state := key(now)) in table:
                answer = table[state]
                games.asked.add(state)
            else:
                answer, games.on_top = above, True
            if not now.can_play(answer[0]) or square_in(now, answer[0]) != answer:
                games.lost = True
                continue
            after = now.play(answer[0])
            if after.is_over:
                games.lost |= proof.latest is not None
                games.settled = True
            elif after not in seen:
                seen.add(after)
                waiting.append(after)
    return games


def case_games_of(said: Said) -> CaseGames:
    assert said.claim is not None
    assert isinstance(said.claim.proof, Cases)
    return case_games(said.position, said.claim.proof)


def by_case(said: Said, number: int) -> bool:
    """Whether there is always an answer, and all of the table is needed."""
    games = case_games_of(said)
    return not games.lost and len(games.asked) == number


def ends_proven(said: Said, number: int, goal: str) -> bool:
    """Whether this number of positions with a proof of their own can arise, and the proofs hold."""
    games, claim = case_games_of(said), said.claim
    assert claim is not None
    for position, proof in games.ends.items():
        if isinstance(proof, Plan):
            lost = all_games(position, proof).lost
        else:
            found = play_out(position, Claim(claim.player, claim.goal, (), proof), 4)
            lost = bool(found.lost or (claim.goal == "win" and found.won < 4))
        if lost:
            return False
    return claim.goal == goal and len(games.ends) == number


def case_size(said: Said) -> int:
    assert said.claim is not None
    assert isinstance(said.claim.proof, Cases)
    ends = [end.proof for end in said.claim.proof.ends]
    plans = sum(len(proof.answers) for proof in ends if isinstance(proof, Plan))
    groups = [group for proof in ends if isinstance(proof, LocalGames) for group in proof.groups]
    return len(said.claim.proof.answers) + plans + sum(len(group.answers) for group in groups)


def has_four(squares: set[Square], width: int, height: int) -> bool:
    bits = sum(1 << (column * height + row) for column, row in squares)
    return any(line & bits == line for line in lines(width, height))


def outcome(position: Position, player: int) -> int:
    if position.is_over:
        return 1 if position.winner is None else 2 * (position.winner == player)
    result = RANK[SOLVER.solve(position, outcome_only=True, best_columns=False).outcome or "draw"]
    return result if position.turn == player else 2 - result


def games_of(said: Said) -> Games:
    assert said.claim is not None
    assert isinstance(said.claim.proof, Plan)
    return all_games(said.position, said.claim.proof)


def forced_reply(said: Said, squares: set[Square]) -> bool:
    """After the player's disc, or now, exactly these squares threaten, and the opponent has no four."""
    position = said.position
    if position.turn == said.player:
        position = position.play(said.square[0])
    threats = {square_in(position, column) for column in position.winning_columns(said.player)}
    return threats == squares and not position.winning_columns(3 - said.player)


def stacked(said: Said) -> bool:
    after = said.position.play(said.square[0])
    opened = after.play(said.other[0])
    return bool(
        forced_reply(said, {said.other})
        and said.above == (said.other[0], said.other[1] + 1)
        and opened.heights[said.above[0]] == said.above[1]
        and opened.play(said.above[0]).winner == said.player
    )


def text_after(position: Position, column: int) -> str:
    after = position.play(column)
    return describe_score(-SOLVER.score(after), position)


def is_four(said: Said) -> bool:
    after = said.position.play(said.square[0])
    return bool(said.position.turn == said.player and after.winner == said.player)


def threats_after(said: Said) -> set[Square]:
    after = said.position.play(said.square[0])
    return {square_in(after, column) for column in after.winning_columns(said.player)}


def line_is_best(said: Said) -> bool:
    return plays_best(said.position, said.columns) and bool(said.explanation and said.explanation.claims)


def plays_best(position: Position, columns: tuple[int, ...]) -> bool:
    for column in columns:
        if column not in (SOLVER.solve(position).best_columns or ()):
            return False
        position = position.play(column)
    return True


def wins_in_time(said: Said) -> bool:
    assert said.claim is not None
    if isinstance(said.claim.proof, Plan):
        plan_games = games_of(said)
        return bool(not plan_games.lost and plan_games.last_ply <= said.number)
    if isinstance(said.claim.proof, LocalGames) and not all_won(said):
        return False
    if isinstance(said.claim.proof, Cases):
        games = case_games_of(said)
        lasts = [proof.latest or 99 for proof in games.ends.values()]
        lasts = [last - (last - said.player) % 2 for last in lasts]  # a player wins with an own disc
        if max([games.last_ply, *lasts]) > said.number:
            return False
    result = SOLVER.solve(said.position)
    return bool(result.winner == said.player and (result.final_ply or 99) <= said.number)


def no_line_left(position: Position, player: int) -> bool:
    """Whether every line of four has a disc of the other player."""
    columns, rows = range(position.width), range(position.height)
    free = {(c, r) for c in columns for r in rows if position.at(c, r) != 3 - player}
    return not has_four(free, position.width, position.height)


def only_on_top(said: Said) -> bool:
    return {column for column, _ in games_of(said).on_top} == set(said.columns)


def answered(said: Said, discs: tuple[Square, ...], squares: tuple[Square, ...]) -> bool:
    table = games_of(said).table
    return all(table.get(disc, set()) <= set(squares) for disc in discs)


def column_squares(column: int, position: Position) -> list[Square]:
    return [(column, row) for row in range(position.height)]


def columns_with(said: Said, wanted: int) -> tuple[int, ...]:
    position = said.position
    return tuple(c for c in position.legal_columns if outcome(position.play(c), position.turn) == wanted)


def after_mistake(said: Said) -> Position:
    """The position after the move that a sentence is about."""
    return said.position.play(said.move.column if said.move else said.after)


def replies(said: Said) -> tuple[int, ...]:
    after = after_mistake(said)
    best = outcome(after, after.turn)
    return tuple(c for c in after.legal_columns if outcome(after.play(c), after.turn) == best)


def local_groups(said: Said) -> LocalGames:
    assert said.claim is not None
    assert isinstance(said.claim.proof, LocalGames)
    return said.claim.proof


def playouts_of(said: Said) -> Playouts:
    assert said.claim is not None
    return play_out(said.position, said.claim)


def all_won(said: Said) -> bool:
    found = playouts_of(said)
    return found.won == PLAYOUTS and found.last_ply <= (local_groups(said).latest or 0)


def is_group(said: Said) -> bool:
    return said.columns in [group.columns for group in local_groups(said).groups]


def answered_in_group(said: Said) -> bool:
    answers = playouts_of(said).answers
    return is_group(said) and all(
        answer[0] in said.columns
        for disc in answers
        if disc[0] in said.columns
        for answer in answers[disc]
    )


def answers_said(said: Said) -> dict[Square, set[Square]]:
    """The answers that sentences are about: without blocks, if the first sentence excepts those."""
    found = playouts_of(said)
    excepts_blocks = any(other.pattern == "groups_first" for other in said.paragraph)
    return found.chosen if excepts_blocks else found.answers


def answered_locally(said: Said, discs: tuple[Square, ...], square: Square) -> bool:
    return all(answers_said(said).get(disc, set()) <= {square} for disc in discs)


def first_locally(said: Said) -> bool:
    """Whether each of these discs is answered with the first of the squares that can be played."""
    return all(
        answer == next(square for square in said.both if square in could)
        for disc, could, answer in playouts_of(said).choices
        if disc in said.either
    )


def on_top_locally(said: Said, columns: tuple[int, ...]) -> bool:
    """Whether every disc there is answered on top, except for the discs that other sentences name."""
    named: set[Square] = set()
    for other in said.paragraph:
        named |= set(other.both if other.pattern == "groups_pair" else ())
        filled = other.columns if other.pattern == "groups_filled" else ()
        named |= {(column, said.position.height - 1) for column in filled}
        answer = other.pattern in ("groups_answer", "groups_column", "groups_choice")
        named |= set(other.either if answer else ())
    answers = {s: a for s, a in answers_said(said).items() if s[0] in columns and s not in named}
    patterns = {other.pattern for other in said.paragraph}
    if "_else" in said.pattern and not named:
        return False
    has_no_room = any(row + 1 == said.position.height for _, row in playouts_of(said).theirs)
    elsewhere = {"groups_spare", "groups_together", "groups_table", "groups_first"}
    if has_no_room and not patterns & elsewhere and not named:
        return False
    return all(squares == {(column, row + 1)} for (column, row), squares in answers.items())


def all_lines_stopped(said: Said) -> bool:
    """No playout is lost, and a group stops each line that the opponent could complete."""
    position, height = said.position, said.position.height
    needs = [set(need) for group in local_groups(said).groups for need in group.needs]
    for line in lines(position.width, height):
        squares = {divmod(bit, height) for bit in range(line.bit_length()) if line >> bit & 1}
        is_open = all(position.at(*square) != said.player for square in squares)
        if is_open and not any(need <= squares for need in needs):
            return False
    return not playouts_of(said).lost


def wins_below(said: Said) -> bool:
    columns = {column for column, _ in said.either}
    found = playouts_of(said)
    return (
        all_won(said)
        and not any(column in columns for column, _ in found.mine | found.theirs)
        and all(
            (disc, (disc[0], disc[1] + 1)) in found.fours and (disc[0], disc[1] + 1) in said.either
            for disc, _ in found.fours
            if disc[0] in columns
        )
    )


def named_line(fact: dict[str, Any]) -> set[Square]:
    """The squares of the line that a fact names; of a row or a column all of them, on any board."""
    kind, facts = fact["pattern"], fact["facts"]
    if kind == "named_row":
        return {(column, facts["row"] - 1) for column in range(25)}
    if kind == "named_column":
        return {(column_of(facts["column"]), row) for row in range(25)}
    (a, b), (c, d) = meaning("square", facts["from"]), meaning("square", facts["to"])
    assert c == a + 3
    assert abs(d - b) == 3
    return {(a + step, b + step * (d - b) // 3) for step in range(4)}


def discs_of(position: Position, player: int) -> set[Square]:
    return {
        (column, row)
        for column in range(position.width)
        for row in range(position.heights[column])
        if position.at(column, row) == player
    }


def completed(position: Position, own: set[Square], square: Square) -> list[set[Square]]:
    """The lines that a disc on a square would complete, if these discs were a player's."""
    found = []
    for four in lines(position.width, position.height):
        on = {divmod(bit, position.height) for bit in range(four.bit_length()) if four >> bit & 1}
        if square in on and on - own == {square}:
            found.append(on)
    return found


def completes(position: Position, player: int, square: Square, line: dict[str, Any]) -> bool:
    """Whether a disc of the player on an empty square makes a four on the line that a fact names."""
    fours = completed(position, discs_of(position, player), square)
    return not position.at(*square) and any(four <= named_line(line) for four in fours)


def makes_threat(said: Said, player: int) -> bool:
    """Whether a disc of that player in the column would make the threat, which was not there."""
    disc, own = square_in(said.position, said.column), discs_of(said.position, player)
    made = completed(said.position, own | {disc}, said.square)
    return (
        not completed(said.position, own, said.square)
        and any(four <= named_line(said.line) for four in made)
        and said.threat == ("odd", "even")[said.square[1] % 2]
        and not said.position.at(*said.square)
    )


def forked(position: Position, player: int, disc: Square) -> set[Square]:
    """The two squares that a disc of the player's, on turn or not, leaves open to complete a four."""
    own = discs_of(position, player) | {disc}
    if square_in(position, disc[0]) != disc or completed(position, own - {disc}, disc):
        return set()
    nexts = {square_in(position, c) for c in position.legal_columns} - {disc}
    nexts |= {(disc[0], disc[1] + 1)} if disc[1] + 1 < position.height else set()
    fours = {square for square in nexts if completed(position, own, square)}
    if len(fours) == 1:
        ((column, row),) = fours
        fours |= {(column, row + 1)} if completed(position, own, (column, row + 1)) else set()
    return fours if len(fours) > 1 else set()


def lines_through(square: Square, position: Position) -> list[set[Square]]:
    """All lines of four on the board that a square is on."""
    lines = []
    for right, up in ((1, 0), (0, 1), (1, 1), (1, -1)):
        for back in range(4):
            column, row = square[0] - back * right, square[1] - back * up
            line = {(column + i * right, row + i * up) for i in range(4)}
            if all(0 <= c < position.width and 0 <= r < position.height for c, r in line):
                lines.append(line)
    return lines


def open_count(position: Position, square: Square) -> int:
    """The lines through a square that do not have discs of both players."""
    lines = lines_through(square, position)
    return sum(any(not line & discs_of(position, p) for p in (1, 2)) for line in lines)


def most_lines(position: Position, square: Square) -> int | None:
    """How many open lines run through a square that can be played; None if that is not the most."""
    counts = {each: open_count(position, each) for each in open_squares(position)}
    count = counts.pop(square)
    return count if count > max(counts.values(), default=0) else None


def open_squares(position: Position) -> set[Square]:
    return {square_in(position, column) for column in position.legal_columns}


def prepares(position: Position, disc: Square, square: Square) -> set[Square]:
    """What cannot both be blocked after one on *square*, once the side to move has *disc*."""
    player = position.turn
    both = forked(position.play(disc[0]), player, square)
    return both if both != forked(position, player, square) else set()


def moves_in(fact: Any) -> Iterator[tuple[Square, bool]]:
    pattern, facts = fact["pattern"], fact["facts"]
    if pattern in ("moves_both", "moves_next"):
        yield from moves_in(facts["first"])
        yield from moves_in(facts["rest"])
    elif pattern == "moves_reply":
        yield meaning("square", facts["square"]), True
    elif pattern == "square":
        yield meaning("square", fact), False
    else:
        assert pattern == "moves_more"


def opened(position: Position, taken: set[Square]) -> set[Square]:
    """The squares that can be played once these are taken."""
    heights = [sum(c == column for c, _ in taken) for column in range(position.width)]
    return {(c, height) for c, height in enumerate(heights) if height < position.height}


def fours_at(position: Position, own: set[Square], other: set[Square]) -> set[Square]:
    """Where a side with these discs completes a four at once."""
    return {square for square in opened(position, own | other) if completed(position, own, square)}


def leaves_open(position: Position, own: set[Square], other: set[Square]) -> set[Square]:
    """The two squares at least that a side threatens, the second perhaps on top of the first."""
    threats = fours_at(position, own, other)
    if len(threats) == 1:
        ((column, row),) = threats
        threats |= fours_at(position, own, other | threats) & {(column, row + 1)}
    return threats if len(threats) > 1 else set()


def threatens_series(said: Said, position: Position, disc: Square, player: int) -> bool:
    """Whether a player, on turn or not, could play these moves, which each leave one reply."""
    own, other = discs_of(position, player), discs_of(position, 3 - player)
    for square, is_reply in (*moves_in(said.sentence["facts"]["moves"]), (disc, False)):
        if square not in opened(position, own | other):
            return False
        if is_reply:
            if fours_at(position, own, other) != {square}:
                return False
            other |= {square}
        else:
            own |= {square}
            if fours_at(position, other, own):
                return False
    return leaves_open(position, own, other) == set(said.both)


def prepares_series(said: Said, disc: Square, last: Square) -> bool:
    """Whether threats of more than one disc could follow a move that threatens nothing yet."""
    after = said.position.play(disc[0])
    quiet = not any(fours_of(after, player) for player in (1, 2))
    return (
        quiet and not lets_win_by_two(said.position) and threatens_series(said, after, last, said.player)
    )


def wins_by_threats(position: Position, own: set[Square], other: set[Square], discs: int) -> bool:
    """Whether a side on turn completes a four with so many discs that each threaten one."""
    if fours_at(position, own, other):
        return True
    must = fours_at(position, other, own)
    if discs < 2 or len(must) > 1:
        return False
    for disc in must or opened(position, own | other):
        mine = own | {disc}
        threats = fours_at(position, mine, other)
        if threats and not fours_at(position, other, mine):
            (reply, *_) = threats
            if wins_by_threats(position, mine, other | {reply}, discs - 1):
                return True
    return False


def prevents_series(said: Said, disc: Square, last: Square) -> bool:
    """Whether the opponent had such threats, and has none any more after a disc."""
    after = said.position.play(disc[0])
    own, other = discs_of(after, said.opponent), discs_of(after, said.player)
    return (
        not any(fours_of(said.position, player) for player in (1, 2))
        and threatens_series(said, said.position, last, said.opponent)
        and not wins_by_threats(after, own, other, 4)
    )


def answer_makes(said: Said, owner: int) -> bool:
    """Whether a disc of the owner's on the square makes the threat, which is not there yet."""
    own = discs_of(said.position, owner)
    made = completed(said.position, own | {said.square}, said.other)
    return (
        not completed(said.position, own, said.other)
        and any(four <= named_line(said.line) for four in made)
        and bool(said.threat == ("odd", "even")[said.other[1] % 2])
    )


def answer_prevents(said: Said) -> bool:
    """Whether the answer stops a disc of the opponent's after which two squares are open."""
    both = forked(said.position, said.opponent, said.other)
    return both == set(said.both) and not lets_win_by_two(said.position.play(said.square[0]))


ANSWERS: dict[str, Callable[[Said], bool]] = {
    "brief_answer": lambda s: s.position.can_play(s.square[0]),
    "brief_answer_threat": lambda s: answer_makes(s, s.player),
    "brief_answer_deny": lambda s: answer_makes(s, s.opponent),
    "brief_answer_prevent": answer_prevents,
    "brief_answer_prevent_there": lambda s: answer_prevents(s) and s.other == s.square,
    "brief_answer_prevent_force": lambda s: prevents_series(s, s.square, s.other),
    "brief_answer_prepare": lambda s: prepares(s.position, s.square, s.other) == set(s.both),
    "brief_answer_prepare_force": lambda s: prepares_series(s, s.square, s.other),
    "brief_answer_most": lambda s: most_lines(s.position, s.square) == s.count,
}
"""What is good about an answer, in the position before it."""


def answers(said: Said) -> bool:
    """Whether what is said of an answer is true."""
    return (
        said.player == said.position.turn
        and square_in(said.position, said.square[0]) == said.square
        and ANSWERS[said.pattern](said)
    )


def reason_of(said: Said, position: Position) -> Said:
    """The reason in a sentence, which is about another position."""
    return Said(said.sentence["facts"]["reason"], position)


def replies_well(said: Said) -> bool:
    """Whether the answer is as said, and takes advantage of the move."""
    reason = reason_of(said, after_mistake(said))
    return answers(reason) and reason.square[0] in replies(said)


def takes_own(said: Said) -> bool:
    """Whether an answer that takes advantage of the move is on the line of what the player plays for."""
    after = after_mistake(said)
    assert said.move is not None
    assert said.move.reason is not None
    idea = dict(said.move.reason.idea or {})
    return (
        said.player == after.turn == idea["player"]
        and square_in(after, said.square[0]) == said.square
        and said.square[0] in replies(said)
        and goes_through(idea, said.square, said.other)
    )


def goes_through(idea: dict[str, Any], square: Square, other: Square) -> bool:
    """Whether a four that an idea completes on *other* needs the square as well."""
    ends = {tuple(each) for each in idea["squares"]}
    lines = [{tuple(each) for each in line} for line in idea["lines"]]
    return other in ends and square not in ends and any({square, other} <= line for line in lines)


def takes_there(said: Said) -> bool:
    """Whether a reply that takes advantage of the move is on the square of the better column."""
    assert said.move is not None
    column = said.move.better_column
    return (
        column is not None
        and said.square == square_in(said.position, column)
        and said.square == square_in(after_mistake(said), column)
        and column in replies(said)
        and said.player == after_mistake(said).turn
    )


def takes_needed(said: Said) -> bool:
    """Whether the answer is on a line with which the better column's idea completes a four."""
    assert square_in(after_mistake(said), said.square[0]) == said.square
    assert said.square[0] in replies(said)
    assert said.move is not None
    assert said.move.better is not None
    idea = dict(said.move.better.idea or {})
    return idea["player"] == said.opponent and goes_through(idea, said.square, said.other)


def fours_of(position: Position, player: int) -> set[Square]:
    """The squares on which the player's next disc completes a four."""
    return {square_in(position, column) for column in position.winning_columns(player)}


def lets_win_by_two(position: Position) -> bool:
    """Whether the side to move wins with one disc, or with one that leaves no block."""
    if position.winning_columns(position.turn):
        return True
    return any(wins_by(position, column) for column in position.legal_columns)


def wins_by(position: Position, column: int) -> bool:
    """Whether a disc threatens so that no reply stops the four."""
    player, after = position.turn, position.play(column)
    if after.is_over or after.winning_columns(3 - player) or not after.winning_columns(player):
        return False
    return all(after.play(reply).winning_columns(player) for reply in after.legal_columns)


def others_avoid(said: Said, loses: Callable[[Position], bool]) -> bool:
    """Whether some other move does not allow that."""
    nexts = [said.position.play(c) for c in said.position.legal_columns if c != said.column]
    return any(after.is_over or not loses(after) for after in nexts)


def let_two(said: Said, threats: set[Square]) -> bool:
    """Whether the opponent's disc on `square` now makes just these threats, which was avoidable."""
    after = said.position.play(said.column)
    return (
        square_in(after, said.square[0]) == said.square
        and wins_by(after, said.square[0])
        and fours_of(after.play(said.square[0]), said.opponent) == threats
        and others_avoid(said, lets_win_by_two)
    )


def deed_holds(said: Said) -> bool:
    """Whether what a sentence says that its column does is true of that column."""
    deed = Said(said.what, said.position, said.explanation, said.move)
    return deed.column == said.column and PREDICATES[deed.pattern](deed)


PREDICATES: dict[str, Callable[[Said], bool]] = {
    "missed_four": lambda s: (
        s.square in fours_of(s.position, s.player)
        and square_in(s.position, s.column) not in fours_of(s.position, s.player)
        and completes(s.position, s.player, s.square, s.line)
    ),
    "missed_block": lambda s: (
        fours_of(s.position, s.opponent) == {s.square}
        and s.column != s.square[0]
        and not s.position.play(s.square[0]).winning_columns(s.opponent)
        and completes(s.position, s.opponent, s.square, s.line)
        and s.where == s.line
    ),
    "gave_above": lambda s: (
        s.square == (s.column, s.position.heights[s.column] + 1)
        and s.square in fours_of(s.position.play(s.column), s.opponent)
        and completes(s.position, s.opponent, s.square, s.line)
        and others_avoid(s, lambda after: bool(after.winning_columns(after.turn)))
    ),
    "let_double": lambda s: len(s.both) > 1 and let_two(s, set(s.both)),
    "let_stack": lambda s: let_two(s, {s.other}) and s.above == (s.other[0], s.other[1] + 1),
    "let_force": lambda s: (
        outcome(s.position.play(s.column), s.opponent) == 2
        and bool(fours_of(s.position.play(s.column, s.square[0]), s.opponent))
    ),
    "does_win": lambda s: (
        s.position.play(s.column).winner == s.player
        and completes(s.position, s.player, square_in(s.position, s.column), s.line)
    ),
    "does_block": lambda s: (
        fours_of(s.position, s.opponent) == {square_in(s.position, s.column)}
        and completes(s.position, s.opponent, square_in(s.position, s.column), s.line)
    ),
    "does_double": lambda s: (
        len(s.both) > 1 and fours_of(s.position.play(s.column), s.player) == set(s.both)
    ),
    "does_prevent": lambda s: (
        forked(s.position, s.opponent, s.square) == set(s.both)
        and not lets_win_by_two(s.position.play(s.column))
    ),
    "does_prepare": lambda s: (
        prepares(s.position, square_in(s.position, s.column), s.square) == set(s.both)
    ),
    "does_prevent_force": lambda s: prevents_series(s, square_in(s.position, s.column), s.square),
    "does_prepare_force": lambda s: prepares_series(s, square_in(s.position, s.column), s.square),
    "does_threaten": lambda s: (
        makes_threat(s, s.player) and s.square not in fours_of(s.position.play(s.column), s.player)
    ),
    "does_threaten_now": lambda s: (
        makes_threat(s, s.player) and s.square in fours_of(s.position.play(s.column), s.player)
    ),
    "does_deny": lambda s: makes_threat(s, s.opponent),
    "does_most": lambda s: (
        s.square == square_in(s.position, s.column) and most_lines(s.position, s.square) == s.count
    ),
    "does": lambda s: deed_holds(s),
    "it_does": lambda s: deed_holds(s),
    "verdict": lambda s: (
        s.text == describe_score(SOLVER.score(s.position), s.position) and s.player == s.position.turn
    ),
    "line": line_is_best,
    "line_of_one": lambda s: line_is_best(s) and len(s.columns) == 1,
    "no_reason": lambda s: bool(s.explanation and s.explanation.complete and not s.explanation.claims),
    "no_time": lambda s: bool(s.explanation and not s.explanation.complete),
    "holds": lambda s: outcome(s.position, s.player) >= 1,
    "plays": lambda s: s.position.turn == s.player and square_in(s.position, s.square[0]) == s.square,
    "has_to_block": lambda s: s.position.turn == s.opponent and forced_reply(s, {s.square}),
    "two_threats": lambda s: (
        s.position.turn == s.opponent and len(s.both) > 1 and forced_reply(s, set(s.both))
    ),
    "four": lambda s: (
        s.position.play(s.square[0]).winner == s.player
        and square_in(s.position, s.square[0]) == s.square
    ),
    "exchange": lambda s: forced_reply(s, {s.other}),
    "double": lambda s: len(s.either) > 1 and forced_reply(s, set(s.either)),
    "stack": stacked,
    "plan": lambda s: not games_of(s).lost,
    "plan_hold": lambda s: not games_of(s).lost,
    "plan_force": lambda s: bool(games_of(s).forced) and max(games_of(s).forced) <= s.number,
    "plan_on_top": lambda s: (
        only_on_top(s) and not any(column in s.columns for column, _ in games_of(s).table)
    ),
    "plan_on_top_else": only_on_top,
    "plan_on_top_all": lambda s: (
        {column for column, _ in games_of(s).on_top} == set(s.position.legal_columns)
        and not games_of(s).table
    ),
    "plan_pair": lambda s: answered(s, s.both[:1], s.both[1:]) and answered(s, s.both[1:], s.both[:1]),
    "plan_filled": lambda s: all(
        answered(s, ((one, s.position.height - 1),), tuple(column_squares(other, s.position)))
        for one, other in (s.columns, s.columns[::-1])
    ),
    "plan_answer": lambda s: answered(s, s.either, (s.square,)),
    "plan_column": lambda s: answered(s, s.either, tuple(column_squares(s.column, s.position))),
    "plan_choice": lambda s: answered(s, s.either, s.both),
    "no_four": lambda s: (
        not games_of(s).forced and not has_four(games_of(s).gets, s.position.width, s.position.height)
    ),
    "nothing_left": lambda s: no_line_left(s.position, s.opponent),
    "has_to_play_below": lambda s: (
        not games_of(s).forced
        and {four for _, four in games_of(s).fours} == set(s.either)
        and all(four == (disc[0], disc[1] + 1) for disc, four in games_of(s).fours)
    ),
    "latest": wins_in_time,
    "groups_pair": lambda s: (
        answered_locally(s, s.both[:1], s.both[1]) and answered_locally(s, s.both[1:], s.both[0])
    ),
    "groups_filled": lambda s: all(
        answers_said(s).get((one, s.position.height - 1), set())
        <= set(column_squares(other, s.position))
        for one, other in (s.columns, s.columns[::-1])
    ),
    "groups_answer": lambda s: answered_locally(s, s.either, s.square),
    "groups_column": lambda s: all(
        answers_said(s).get(disc, set()) <= set(column_squares(s.column, s.position))
        for disc in s.either
    ),
    "groups_first": lambda s: not playouts_of(s).lost,  # and every four that can be blocked is blocked
    "groups_choice": lambda s: (
        first_locally(s) and any(other.pattern == "groups_first" for other in s.paragraph)
    ),
    "groups_together": answered_in_group,
    "groups_table": lambda s: (
        answered_in_group(s)
        and s.number in [len(g.answers) for g in local_groups(s).groups if g.columns == s.columns]
    ),
    "groups_on_top": lambda s: on_top_locally(s, s.columns),
    "groups_on_top_else": lambda s: on_top_locally(s, s.columns),
    "groups_on_top_all": lambda s: on_top_locally(s, tuple(s.position.legal_columns)),
    "groups_on_top_else_all": lambda s: on_top_locally(s, tuple(s.position.legal_columns)),
    "groups_stop": all_lines_stopped,
    "groups_spare": lambda s: any(
        sum(s.position.height - s.position.heights[c] for c in group.columns) % 2
        for group in local_groups(s).groups
    ),
    "groups_win": lambda s: is_group(s) and all_won(s),
    "groups_below": wins_below,
    "cases": lambda s: by_case(s, s.number) and s.number > 1,
    "cases_one": lambda s: by_case(s, 1),
    "cases_on_top": lambda s: by_case(s, 0),
    "cases_win": lambda s: ends_proven(s, 0, "win"),
    "cases_win_or_one": lambda s: ends_proven(s, 1, "win"),
    "cases_win_or_some": lambda s: ends_proven(s, s.number, "win") and s.number > 1,
    "cases_hold": lambda s: ends_proven(s, 0, "hold"),
    "cases_hold_or_one": lambda s: ends_proven(s, 1, "hold"),
    "cases_hold_or_some": lambda s: ends_proven(s, s.number, "hold") and s.number > 1,
    "cases_size": lambda s: case_size(s) == s.number,
    "move_wins": lambda s: s.position.play(s.column).winner == s.position.turn,
    "move_draws": lambda s: s.position.play(s.column).is_draw,
    "move_keeps": lambda s: (
        s.column in columns_with(s, RANK[s.outcome])
        and outcome(s.position, s.position.turn) == RANK[s.outcome]
    ),
    "move_keeps_loss": lambda s: outcome(s.position, s.position.turn) == 0,
    "move_only": lambda s: columns_with(s, RANK[s.outcome]) == (s.column,),
    "move_mistake": lambda s: (
        outcome(s.position, s.position.turn) == RANK[s.outcome]
        and outcome(s.position.play(s.column), s.position.turn) == RANK[s.result] < RANK[s.outcome]
    ),
    "kept_one": lambda s: columns_with(s, RANK[s.outcome]) == (s.column,),
    "kept_one_does": lambda s: PREDICATES["kept_one"](s) and deed_holds(s),
    "kept_some": lambda s: columns_with(s, RANK[s.outcome]) == s.columns,
    "reply_one": lambda s: replies(s) == (s.column,),
    "reply_on_top": lambda s: (
        replies(s) == (s.column,)
        and s.square == square_in(after_mistake(s), s.column)
        and s.player == after_mistake(s).turn
    ),
    "reply_best": replies_well,
    "reply_takes": takes_needed,
    "reply_needed": takes_own,
    "reply_there": takes_there,
    "same_point": lambda s: (
        replies(s) == (s.column,) and columns_with(s, RANK[s.outcome]) == (s.column,)
    ),
    "column": lambda s: s.text == text_after(s.position, s.column),
    "after_it": lambda s: s.position.can_play(s.column),
    "instead": lambda s: s.column in columns_with(s, outcome(s.position, s.position.turn)),
}
ELSEWHERE = (
    *("follow_", "idea_", "rule_", "vain_", "not_", "then_", "unless_", "moves_", "do_", "but_"),
    *("brief_", "column_", "columns_", "key_", "turn_", "story_", "lesson_", "end_", "lead_", "by_"),
    *("stop_", "stops_"),
)
AT_FIRST_SIGHT = ("missed_", "gave_", "let_", "does_")
# Parts of sentences, and what marks mean, which tests/study/test_marks.py checks.
WORDS = {"square", "and", "or", "do", "win", "draw", "loss", "move_of", "aim_has", "aim_plans"} | {
    name
    for name in catalogue()
    if name.startswith(("mark_", "into_", "verdict_", "review_", "named_", "where_", "threat_"))
    or "." in name  # tests/render has more
}


def said_in(explanation: Explanation) -> Iterator[Said]:
    head, *claims = explanation.proof
    yield from (Said(sentence, explanation.position, explanation) for sentence in head)
    if not explanation.claims:
        assert not claims
    for paragraph, claim in zip(claims, explanation.claims, strict=True):
        position, whole = explanation.claims_position, list[Said]()
        for sentence in paragraph:
            whole.append(Said(sentence, position, explanation, claim=claim))
            position = whole[-1].position_after
        for said in whole:
            said.paragraph = tuple(whole)
        yield from whole


def check_words(explanation: Explanation) -> list[str]:
    """Check every sentence; return the patterns."""
    patterns = []
    for said in said_in(explanation):
        patterns.append(said.pattern)
        assert PREDICATES[said.pattern](said), (explanation.position, said.words)
    return patterns


def game_positions(seed: int) -> list[Position]:
    """Positions of one game: wins are taken and blocked, and most other moves are among the best."""
    chance, position, found = random.Random(seed), Position(), []
    while not position.is_over:
        if position.ply >= 8:
            found.append(position)
        columns = position.winning_columns(position.turn) or position.winning_columns(3 - position.turn)
        column = chance.choice(columns or position.legal_columns)
        if not columns and position.ply >= 10 and chance.random() < 0.7:
            column = chance.choice(SOLVER.solve(position).best_columns or (column,))
        position = position.play(column)
    return found


def test_every_pattern_has_a_predicate() -> None:
    # Those of "follow_" have theirs in tests/web/test_explain.py, those of ideas in tests/study.
    patterns = {name for name in catalogue() if not name.startswith(ELSEWHERE)}
    assert set(PREDICATES) == patterns - WORDS


@pytest.mark.parametrize(
    "seed", [0, 1, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(2, 6))]
)
def test_every_sentence_about_the_positions_of_a_game_is_true(seed: int) -> None:
    for position in game_positions(seed)[2::3]:
        assert "verdict" in check_words(explain(position, solver=SOLVER))


@pytest.mark.slow
@pytest.mark.timeout(1200)
@pytest.mark.parametrize("part", range(10))  # some minutes each: they can be run one by one
def test_every_sentence_of_five_thousand_explanations_is_true(part: int) -> None:
    count, seed, patterns = 0, 1000 + 100 * part, set[str]()
    while count < 500:
        for position in game_positions(seed):
            patterns.update(check_words(explain(position, solver=SOLVER)))
            count += 1
        seed += 1
    assert {"double", "stack", "plan_pair", "has_to_play_below", "no_four", "groups_win"} <= patterns


@pytest.mark.parametrize(
    "seed", [20, 21, *(pytest.param(seed, marks=pytest.mark.slow) for seed in (22, 23))]
)
def test_every_sentence_about_a_move_is_true(seed: int) -> None:
    for position in game_positions(seed)[4::7]:
        for column in tuple(position.legal_columns)[::2]:
            found = explain_move(position, column, solver=SOLVER)
            for sentence in found.said[0]:
                said = Said(sentence, position, move=found)
                assert PREDICATES[said.pattern](said), (position, column, said.words)
            assert MoveExplanation.from_json(found.to_json()) == found


def test_what_is_said_of_moves_at_first_sight_is_true() -> None:
    patterns = set()
    for seed in range(300, 340):
        for position in [*game_positions(seed), Position("43434"), Position("434343")]:
            for column in position.legal_columns:
                found = ask("move.tactics", {"rows": position.to_rows(), "column": column})
                for sentence in filter(None, found.values()):
                    said = Said(sentence, position)
                    assert PREDICATES[said.pattern](said), (position, column, said.words)
                    patterns.add(said.pattern)
    assert patterns == {name for name in PREDICATES if name.startswith(AT_FIRST_SIGHT)}


WORKED = {
    "4575274553": ["wins on 3/2 or 4/4: Yellow can block only one"],
    "761261535655663236": [
        "Red plays 4/1, and Yellow has to block on 4/2.",
        "blocking it opens 4/4, where Red completes a four",
    ],
    "61235147556445345": ["blocking it opens 2/4, where Yellow completes a four"],
    "14642545655244774665": [
        "Yellow takes one of 1/2 and 5/6 when Red takes the other.",
        "columns 1, 2 and 6 gets Yellow's disc on top",
        "The squares that Red can ever get hold no four.",
        "has to play below 3/2 or 7/4",
        "Yellow wins with disc 34 at the latest.",
    ],
    "47161242773411322363233414427": [
        "Yellow plays 6/3.",
        "has to play below 5/2",
        "Yellow wins with disc 38 at the latest.",
    ],
    "342332477364445141221651": ["Yellow does not lose.", "Yellow plays on top of every disc of Red's."],
    "43424431": ["Red, to move, wins in 5 moves.", "Red plays 3/3."],
    "4623177244664763555563334225234652": ["Yellow does not lose.", "Red does not lose."],
}


@pytest.mark.parametrize("moves", WORKED)
def test_the_worked_cases_are_explained_in_words(moves: str) -> None:
    found = explain(Position(moves), solver=SOLVER)
    check_words(found)
    for part in WORKED[moves]:
        assert part in found.proof_words()


def test_names_are_those_of_the_players() -> None:
    found = explain(Position("4575274553"))
    assert found.words(("Ada", "Grace")).startswith("Ada, to move, wins in 2 moves.\nAda plays 4/3")
    assert "Grace can block only one" in found.proof_words(("Ada", "Grace"))


def test_clauses_are_what_a_reader_has_to_remember_besides_on_top() -> None:
    (claim,) = explain(Position("14642545655244774665")).claims
    assert clause_count(claim, Position("14642545655244774665")) == 1
