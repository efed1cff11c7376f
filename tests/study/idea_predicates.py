"""Whether what an idea says is true, decided by the rules, by best play, and by games against the claim.

Nothing here shares code with what finds the ideas: games are played with `follow`, which asks the claim
for one answer after the other, and everything else is looked up on the board.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from fourcast import Explanation, Position
from fourcast.study.explain import Claim, LocalGames, Square
from fourcast.study.follow import follow
from tests.render.test_explain import (
    ANSWERS,
    PREDICATES,
    SOLVER,
    Said,
    answers,
    column_of,
    completed,
    completes,
    deed_holds,
    discs_of,
    forked,
    fours_at,
    fours_of,
    leaves_open,
    lets_win_by_two,
    lines_through,
    meaning,
    moves_in,
    named_line,
    open_squares,
    opened,
    outcome,
    plays_best,
    reason_of,
    square_in,
    threatens_series,
    wins_by,
    wins_by_threats,
)

GAMES = 4
"""Sampled games for each idea, with each kind of reply."""
LONGEST_IN_ALL = 12
"""Sampled games where only most of them end alike."""
MIXED = 200
"""Sampled games at most in which each kind of end has to come up."""


@dataclass(frozen=True)
class End:
    """How a sampled game stands when every reply loses at once."""

    kind: str
    position: Position
    wins: frozenset[Square]
    """Where the winner then completes a four."""
    on_top: tuple[int, int]
    """Answers that were chosen, and those of them that were on top."""
    answers: frozenset[tuple[Square, Square]]
    """Discs and chosen answers."""


def tenable(position: Position, player: int) -> list[int]:
    """The replies after which *player* does not win at once."""
    return [c for c in position.legal_columns if not position.play(c).winning_columns(player)]


def replies_of(position: Position, player: int, tier: int) -> list[int]:
    replies = tenable(position, player)
    if tier == 2:
        replies = [c for c in replies if not lets_win_by_two(position.play(c))] or replies
    if tier > 2:
        best = SOLVER.solve(position).best_columns or ()
        replies = [c for c in replies if c in best] or replies
    return replies


def end_of(position: Position, player: int) -> tuple[str, frozenset[Square]]:
    """What kind of end it is, and where the player completes a four."""
    threats = fours_of(position, player)
    if len(threats) > 1:
        return "two", frozenset(threats)
    wins = set[Square]()
    for column in position.legal_columns:
        wins |= fours_of(position.play(column), player)
    if threats:
        (threat,) = threats
        above = (threat[0], threat[1] + 1)
        assert above in fours_of(position.play(threat[0]), player)
        return "stack", frozenset({threat, above})
    return "zug", frozenset(wins)


@lru_cache(maxsize=4)
def sampled(start: Position, claim: Claim, tier: int, count: int) -> tuple[End, ...]:
    """Play the claim against random replies of a tier."""
    found = []
    for seed in range(count):
        chance, replies, answers = random.Random(seed), list[int](), set[tuple[Square, Square]]()
        chosen = on_top = 0
        while True:
            game = follow(start, claim, replies)
            position = start.play(*game.columns)
            assert game.state == "open"
            if replies and game.why not in ("block", "line"):
                before = start.play(*game.columns[:-2])
                disc = square_in(before, game.columns[-2])
                answer = square_in(start.play(*game.columns[:-1]), game.columns[-1])
                answers.add((disc, answer))
                chosen += 1
                on_top += answer == (disc[0], disc[1] + 1)
            choices = replies_of(position, claim.player, tier)
            if not choices:
                break
            replies.append(chance.choice(choices))
        kind, wins = end_of(position, claim.player)
        found.append(End(kind, position, wins, (chosen, on_top), frozenset(answers)))
    return tuple(found)


@dataclass
class Told:
    """A sentence of an idea, with what it is about."""

    said: Said
    explanation: Explanation

    def __getattr__(self, name: str) -> Any:
        return getattr(self.said, name)

    @property
    def root(self) -> Position:
        return self.explanation.position

    @property
    def start(self) -> Position:
        return self.explanation.claims_position

    @property
    def first_claim(self) -> Claim:
        return self.explanation.claims[0]

    @property
    def idea(self) -> dict[str, Any]:
        return dict(self.explanation.idea or {})

    @property
    def tier(self) -> int:
        fact = self.said.sentence["facts"].get("unless")
        named = int(fact["pattern"][-1]) if isinstance(fact, dict) else 1
        assert self.idea["tier"] == (named if fact is not None else self.idea["tier"])
        return int(self.idea["tier"])

    @property
    def after_block(self) -> Position:
        """The start, after a block that has to come first."""
        (block,) = blocks(self.root) or [None]
        return self.start if block is None or self.explanation.line else self.root.play(block[0])

    @property
    def now(self) -> Position:
        """The position as a reader sees it: after a block that has to come first."""
        return self.root if self.explanation.line else self.after_block

    @property
    def ends(self) -> tuple[End, ...]:
        count = LONGEST_IN_ALL if self.tier == 4 else GAMES
        ends = sampled(self.start, self.first_claim, self.tier, count)
        if self.tier < 4:
            return ends
        kinds = ("zug",) if self.idea["kind"] == "zugzwang" else ("two", "stack")
        fitting = tuple(end for end in ends if end.kind in kinds)
        assert len(fitting) * 5 > len(ends) * 2, "four in five, but for chance"
        return fitting

    @property
    def moves_said(self) -> list[tuple[Square, bool]]:
        """Squares of a series of moves, and whether each is a reply."""
        return list(moves_in(self.said.sentence["facts"]["moves"]))


def blocks(position: Position) -> set[Square]:
    """The one square that the side to move has to block, if that helps."""
    threats = fours_of(position, 3 - position.turn)
    if len(threats) != 1 or position.winning_columns(position.turn):
        return set()
    (threat,) = threats
    over = position.play(threat[0]).winning_columns(3 - position.turn)
    return set() if threat[0] in over else threats


def squares_of(value: Any) -> set[Square]:
    return {(column, row) for column, row in value}


def above(squares: Any) -> set[Square]:
    return {(column, row + 1) for column, row in squares}


def parity_fits(told: Told) -> bool:
    return bool(told.threat == ("odd", "even")[told.square[1] % 2])


def all_zugzwang(told: Told, below: set[Square]) -> bool:
    """Every sampled game ends with no other squares that can be played; with all of them, if counted."""
    counted = told.idea["count"] is not None
    return above(below) == squares_of(told.idea["squares"]) and all(
        end.kind == "zug"
        and (open_squares(end.position) == below if counted else open_squares(end.position) <= below)
        for end in told.ends
    )


def counted(told: Told) -> bool:
    empty = told.start.width * told.start.height - told.start.ply
    return (
        all(
            empty - (told.start.width * told.start.height - end.position.ply) == told.count
            and open_squares(end.position) == set(told.under)
            for end in told.ends
        )
        and told.first == told.start.turn
        and told.last == told.player == 3 - told.ends[0].position.turn
    )


def threat_there(told: Told) -> bool:
    return parity_fits(told) and completes(told.now, told.player, told.square, told.line)


def threat_to_come(told: Told) -> bool:
    """The line is the player's at every end that has the square, and these squares of it are missing."""
    own = discs_of(told.now, told.player)
    fours = [{(c, r) for c, r in line} for line in told.idea["lines"] if list(told.square) in line]
    return (
        parity_fits(told)
        and any(
            four <= named_line(told.line) and four - own - {told.square} == set(told.missing)
            for four in fours
        )
        and all(
            completes(end.position, told.player, told.square, told.line)
            for end in told.ends
            if told.square in end.wins
        )
    )


def threats_there(told: Told, has: bool) -> bool:
    own = discs_of(told.now, told.player)
    now = {square for square in told.both if completed(told.now, own, square)}
    return (
        lines_hold(told)
        and (now == set(told.both)) == has
        and set(told.both) == squares_of(told.idea["squares"])
    )


def lines_hold(told: Told) -> bool:
    """Whether every square completes one of the lines in brackets at every end that has it."""
    facts = told.said.sentence["facts"]
    squares = facts.get("both") or facts["either"]
    if squares["pattern"] != "by_lines":
        return True
    wins = squares_of(told.idea["squares"])
    return all(lines_at(told, end.position, wins & end.wins) for end in told.ends)


def lines_at(told: Told, position: Position, wins: set[Square] | None = None) -> bool:
    """Whether the squares, else those said, complete one of the lines in brackets in a position."""
    facts = told.said.sentence["facts"]
    name = next(name for name in ("with", "both", "either") if name in facts)
    squares = facts[name]
    if squares["pattern"] != "by_lines":
        return True
    named = [named_line(line) for line in squares["facts"]["lines"]]
    discs = discs_of(position, told.player)
    return all(
        any(four <= line for four in completed(position, discs, square) for line in named)
        for square in (set(meaning(name, squares)) if wins is None else wins)
    )


def stacked_at_end(told: Told, has: bool) -> bool:
    own = discs_of(told.after_block, told.player)
    now = all(completed(told.after_block, own, square) for square in told.both)
    return (
        at_end(told, ("stack",), set(told.both))
        and lines_hold(told)
        and (now and not told.explanation.line) == has
        and told.above == (told.other[0], told.other[1] + 1)
    )


def series(told: Told) -> Position | None:
    """The position after the moves said, each of which can be played, and each reply is forced."""
    # A block that asks for a reply is said once more.
    found = (played(told, at, told.player) for at in (told.after_block, told.start))
    return next((position for position in found if position is not None), None)


def played(told: Told, position: Position, player: int) -> Position | None:
    """The same from a position, with the moves of a player."""
    for square, is_reply in told.moves_said:
        fits = square_in(position, square[0]) == square
        if not fits or is_reply == (position.turn == player):
            return None
        if is_reply and fours_of(position, player) != {square}:
            return None
        position = position.play(square[0])
    return position


def wins_with(position: Position | None, disc: Square, both: set[Square]) -> bool:
    """Whether a disc of the side to move leaves these squares, which cannot both be blocked."""
    if position is None or not wins_by(position, disc[0]) or square_in(position, disc[0]) != disc:
        return False
    after, player = position.play(disc[0]), position.turn
    return leaves_open(after, discs_of(after, player), discs_of(after, 3 - player)) == both


def base(told: Told) -> Position:
    """Where the player plays `square`: after the block, unless it is the block."""
    return told.start if blocks(told.root) == {told.square} else told.after_block


def forced(told: Told, threats: set[Square]) -> bool:
    """After the moves said, a disc makes these threats; a cut series is only legal."""
    if "..." in told.words:
        return outcome(told.root, told.player) == 2
    position = series(told)
    if position is None or not wins_by(position, told.square[0]):
        return False
    return fours_of(position.play(told.square[0]), told.player) == threats


def answers_all(told: Told) -> Iterator[Position]:
    """The positions after every reply that does not lose at once, and the answer to it."""
    assert told.root.turn == told.opponent
    for column in told.root.legal_columns:
        after = told.root.play(column)
        if after.winning_columns(told.player):
            continue
        assert square_in(after, told.square[0]) == told.square
        yield after.play(told.square[0])


def forces(position: Position, player: int, both: set[Square], discs: int = 3) -> bool:
    """Whether threats that must be blocked lead to these two, which cannot both be blocked."""
    threats = fours_of(position, player)
    if position.is_over or not threats:
        return False
    if len(threats) > 1:
        return threats == both
    (threat,) = threats
    after, above_it = position.play(threat[0]), (threat[0], threat[1] + 1)
    if above_it in fours_of(after, player):
        return {threat, above_it} == both
    return discs > 1 and any(forces(after.play(c), player, both, discs - 1) for c in after.legal_columns)


def still_wins(told: Told, position: Position, first: Square) -> bool:
    """Whether the player, on turn, wins by threats that begin so; if it is one, with the same end."""
    own, other = discs_of(position, told.player), discs_of(position, told.opponent)
    if position.is_over or first not in opened(position, own | other):
        return False
    if fours_at(position, own, other) or fours_at(position, other, own) - {first}:
        return False
    own |= {first}
    threats = fours_at(position, own, other)
    if not threats or fours_at(position, other, own):
        return False
    if told.pattern == "stop_two":
        return leaves_open(position, own, other) == set(told.both)
    return wins_by_threats(position, own, other | {min(threats)}, 3)


def stops(told: Told) -> bool:
    """Whether the columns named are those after which the danger is over, or all others."""
    stop = told.said.sentence["facts"]["stop"]
    named, at = set(meaning("columns", stop["facts"]["columns"])), told.root
    first = told.moves_said[0][0] if told.pattern == "stop_force" else told.square
    fails = {column for column in at.legal_columns if still_wins(told, at.play(column), first)}
    if stop["pattern"].startswith("stops_not"):
        return named == fails
    return named == set(at.legal_columns) - fails == set(best(told))


def in_danger(told: Told) -> bool:
    """Whether nobody can complete a four, and the player is not on turn."""
    return told.player == 3 - told.root.turn and not any(fours_of(told.root, p) for p in (1, 2))


def makes_after_all(told: Told) -> bool:
    """Whether the answer makes the threat after each of the columns."""
    return shared_answer(told, 2) and all(makes(told, told.root.play(c)) for c in columns_after(told))


def at_end(told: Told, kinds: tuple[str, ...], squares: set[Square] | None) -> bool:
    return all(end.kind in kinds and (squares is None or end.wins == squares) for end in told.ends)


def target(told: Told) -> bool:
    """Whether every game ends with the square, and some in each of the ways named."""
    (square,) = told.either
    ends = sampled(told.start, told.first_claim, told.tier, MIXED)
    zugzwangs = [end.wins for end in ends if end.kind == "zug"]
    return (
        {square} == squares_of(told.idea["squares"])
        and (told.aim["pattern"] == "aim_has")
        == bool(completed(told.now, discs_of(told.now, told.player), square))
        and set(told.under) == {(square[0], square[1] - 1)}
        and lines_hold(told)
        and all(square in end.wins for end in ends)
        and bool(zugzwangs)
        and {square, *told.both} in [end.wins for end in ends if end.kind != "zug"]
        and (told.pattern == "idea_target_among" or set(zugzwangs) == {frozenset({square})})
    )


def columns_after(told: Told) -> list[int]:
    """The columns after which an answer is said: if none are named, all but that of the answer."""
    if "columns" in told.said.sentence["facts"]:
        return list(told.columns)
    return [column for column in told.root.legal_columns if column != told.square[0]]


def shared_answer(told: Told, result: int) -> bool:
    """Whether the answer on the square is best after each of the columns, with this result."""
    for column in columns_after(told):
        after = told.root.play(column)
        replies = SOLVER.solve(after).best_columns or ()
        if told.square[0] not in replies or square_in(after, told.square[0]) != told.square:
            return False
        if outcome(after, told.opponent) != result or outcome(told.root, told.player) <= 2 - result:
            return False
    return len(columns_after(told)) > 1 and told.player == told.root.turn


def is_key(told: Told) -> bool:
    return best(told) == (told.square[0],) and square_in(told.root, told.square[0]) == told.square


def moves_shown(position: Position, moves: list[dict[str, Any]]) -> tuple[tuple[int, ...], bool]:
    """The columns of a list of moves of both sides, and whether it ends in "..."."""
    is_cut = moves[-1]["pattern"] == "moves_more"
    columns = []
    for each in moves[:-1] if is_cut else moves:
        column, row = meaning("square", each["facts"]["square"])
        assert each["facts"]["player"] == {"player": position.turn}
        assert position.heights[column] == row
        columns.append(column)
        position = position.play(column)
    return tuple(columns), is_cut


def begins(position: Position, moves: list[dict[str, Any]], line: tuple[int, ...]) -> bool:
    """Whether a list of moves is a line, or its beginning if it ends in "..."."""
    shown, is_cut = moves_shown(position, moves)
    return shown == line[: len(shown)] and is_cut == (len(shown) < len(line))


def example(told: Told, kind: tuple[str, ...], squares: set[Square]) -> bool:
    line = tuple(told.idea["line"])
    end = told.root.play(*line)
    found, wins = end_of(end, told.player)
    return (
        told.said.sentence["facts"].get("number", len(line)) == len(line)
        and begins(told.root, told.moves, line)
        and plays_best(told.root, line)
        and not tenable(end, told.player)
        and found in kind
        and (open_squares(end) if found == "zug" else wins) == squares
    )


def follow_up_wins(position: Position, player: int, games: int = 12) -> bool:
    """Whether winning, blocking and playing on top wins against random replies."""
    for seed in range(games):
        chance, at = random.Random(seed), position
        while not at.is_over:
            if at.turn != player:
                column = chance.choice(tenable(at, player) or at.legal_columns)
                last = column
            else:
                column = next(
                    iter(at.winning_columns(player) or at.winning_columns(3 - player) or (last,))
                )
                if not at.can_play(column):
                    return False
            at = at.play(column)
        if at.winner != player:
            return False
    return True


def follows(told: Told, fact: dict[str, Any], claim: Claim) -> bool:
    """Whether the answers of sampled games are on top, with the exceptions that a fact names."""
    ends = sampled_answers(told.start, claim, 1)
    pattern = fact["pattern"]
    answers = set().union(*(end for end, _ in ends)) if ends else set()
    allowed: dict[Square, set[Square]] = {}
    for each in fact["facts"].get("exceptions", ()):
        facts = each["facts"]
        if each["pattern"] in ("but_share", "but_shares"):
            names = ("square", "other", "third", "fourth")
            squares = [meaning(name, facts[name]) for name in names if name in facts]
            for one, other in zip(squares[::2], squares[1::2], strict=True):
                allowed.setdefault(one, set()).add(other)
                allowed.setdefault(other, set()).add(one)
        elif each["pattern"] == "but_answer":
            for disc in meaning("either", facts["either"]):
                allowed.setdefault(disc, set()).update(meaning("either", facts["with"]))
        else:
            one, other = meaning("columns", facts["columns"])
            top = told.start.height - 1
            for a, b in ((one, other), (other, one)):
                allowed.setdefault((a, top), set()).update((b, row) for row in range(top + 1))
    return all(
        # A square that is taken is no answer: then on top again.
        answer
        in ({each for each in allowed.get(disc, ()) if not at.at(*each)} or {(disc[0], disc[1] + 1)})
        for disc, answer, at in answers
        if "_or_force" not in pattern
        # Where a group has done its work, any answer in it will do when a column is full.
        if disc[1] + 1 < told.start.height or not isinstance(claim.proof, LocalGames)
    )


@lru_cache(maxsize=4)
def sampled_answers(
    start: Position, claim: Claim, tier: int
) -> tuple[tuple[frozenset[tuple[Square, Square, Position]], str], ...]:
    """The chosen answers of games against random replies, each with what it answers, to the end."""
    found = []
    for seed in range(GAMES):
        chance, replies = random.Random(seed), list[int]()
        answers = set[tuple[Square, Square, Position]]()
        while True:
            game = follow(start, claim, replies)
            position = start.play(*game.columns)
            if replies and game.why not in ("block", "line", "four", "force", None):
                disc = square_in(start.play(*game.columns[:-2]), game.columns[-2])
                before = start.play(*game.columns[:-1])
                if not before.winning_columns(before.turn) and not before.winning_columns(
                    3 - before.turn
                ):
                    answers.add((disc, square_in(before, game.columns[-1]), before))
            if game.state != "open":
                break
            choices = replies_of(position, claim.player, tier) or position.legal_columns
            replies.append(chance.choice(choices))
        found.append((frozenset(answers), game.state))
    return tuple(found)


def never_takes(told: Told, player: int, square: Square) -> bool:
    """Whether a player who holds takes a square in no sampled game."""
    (claim,) = [claim for claim in told.explanation.claims if claim.player == player]
    for seed in range(GAMES):
        chance, replies = random.Random(seed), list[int]()
        while True:
            game = follow(told.start, claim, replies)
            position = told.start.play(*game.columns)
            if position.at(*square) == player and position.winner != player:
                return False
            if game.state != "open":
                break
            replies.append(chance.choice(position.legal_columns))
    return True


def vain(told: Told) -> bool:
    own = discs_of(told.root, told.player)
    return (
        outcome(told.root, 1) == 1
        and parity_fits(told)
        and told.square not in fours_of(told.root, told.player)
        and bool(completed(told.root, own, told.square))
        and completes(told.root, told.player, told.square, told.line)
    )


def vain_below_both(told: Told) -> bool:
    """Whether the player has lines named to both squares, and the other never has to play below."""
    own = discs_of(told.root, told.player)
    named = [named_line(line) for line in told.lines]
    return (
        outcome(told.root, 1) == 1
        and above(told.either) == set(told.both)
        and not set(told.both) & fours_of(told.root, told.player)
        and all(
            any(four <= line for four in completed(told.root, own, square) for line in named)
            for square in told.both
        )
        and all(never_takes(told, told.opponent, square) for square in told.either)
    )


def vain_pair(told: Told) -> bool:
    """Whether each side has its threat, which cannot be carried out yet, in a draw."""
    return outcome(told.root, 1) == 1 and all(
        square not in fours_of(told.root, player) and completes(told.root, player, square, line)
        for player, square, line in (
            (told.player, told.square, told.line),
            (told.opponent, told.other, told.more),
        )
    )


def makes(told: Told, position: Position) -> bool:
    """Whether the opponent's answer makes the threat, and wins."""
    player, disc = 3 - told.root.turn, told.square
    own = discs_of(position, player)
    return (
        square_in(position, disc[0]) == disc
        and not completed(position, own, told.other)
        and any(four <= named_line(told.line) for four in completed(position, own | {disc}, told.other))
        and told.threat == ("odd", "even")[told.other[1] % 2]
        and outcome(position.play(disc[0]), player) == 2
    )


def first_moves(told: Told) -> Iterator[Position]:
    """The positions in which the player makes the first moves said, after forced replies."""
    position = told.root
    columns = told.explanation.line or told.first_claim.start if told.explanation.claims else ()
    while True:
        yield position
        if len(columns) < 3 or not fours_of(position.play(columns[0]), position.turn):
            return
        position, columns = position.play(*columns[:2]), columns[2:]


def gives_away(told: Told) -> bool:
    """Whether the column spoils the result of the side to move."""
    turn = told.root.turn
    return outcome(told.root.play(told.column), turn) < outcome(told.root, turn)


def best_replies(told: Told) -> tuple[int, ...]:
    return tuple(SOLVER.solve(told.root.play(told.column)).best_columns or ())


def ends_after(told: Told) -> tuple[str, set[Square]]:
    """How best play ends after a column and its answer: nearest to the center first."""
    facts, position, winner = (
        told.said.sentence["facts"],
        told.root.play(told.column),
        3 - told.root.turn,
    )
    square = meaning("square", facts["square"])
    assert outcome(position, winner) == 2
    assert square[0] in best_replies(told)
    assert square_in(position, square[0]) == square
    position = position.play(square[0])
    middle = position.width // 2
    while position.turn == winner or tenable(position, winner):
        columns = SOLVER.solve(position).best_columns or ()
        position = position.play(min(columns, key=lambda c: (abs(c - middle), c)))
    kind, wins = end_of(position, winner)
    return kind, set(wins)


def best_reason(told: Told, position: Position) -> bool:
    """Whether the reason is true in a position, and its answer the best there."""
    reason = reason_of(told.said, position)
    return answers(reason) and reason.square[0] in (SOLVER.solve(position).best_columns or ())


def next_of_best_play(told: Told) -> bool:
    """Whether this line is best play, and what is said of the move after it is true."""
    line, is_cut = moves_shown(told.root, told.moves)
    position = told.root.play(*line)
    return not is_cut and plays_best(told.root, line) and best_reason(told, position)


def needs(told: Told) -> bool:
    """Whether every line still open to the player has one of the squares, and each has its own."""
    own, other = discs_of(told.root, told.player), discs_of(told.root, told.opponent)
    board = ((c, r) for c in range(told.root.width) for r in range(told.root.height))
    left = [line - own for each in board for line in lines_through(each, told.root) if not line & other]
    squares = set(told.either) if told.pattern == "idea_needs" else set[Square]()
    return outcome(told.root, 1) == 1 and (
        all(line & squares for line in left)
        and all(any(line & squares == {each} for line in left) for each in squares)
    )


def holds_from(told: Told, start: tuple[int, ...]) -> bool:
    """Whether the moves said are those that a claim begins with, but for a block that is said before."""
    said = tuple(square[0] for square, _ in told.moves_said)
    skipped = len(start) - len(said)
    before = told.root.play(*start[:skipped])
    return (
        start[skipped:] == said
        and skipped == (1 if blocks(told.root) else 0)
        and played(told, before, told.player) is not None
    )


def begins_as_claimed(told: Told) -> bool:
    said = [square[0] for square, _ in told.moves_said]
    start = list(told.first_claim.start)
    # A block that comes first has been said before.
    is_said = blocks(told.root) == {square_in(told.start, start[0])} and told.start == told.root
    rest = start[1:] if is_said and told.moves_said[0][0] not in blocks(told.root) else start
    cut = "..." in told.words
    return said == (rest[: len(said)] if cut else rest) and series(told) is not None


def best(told: Told) -> tuple[int, ...]:
    return tuple(SOLVER.solve(told.root).best_columns or ())


def one_square(told: Told, player: int, parity: int) -> bool:
    ((_, row),) = told.idea["squares"]
    idea = told.idea["player"], told.idea["kind"], row % 2
    return bool(idea == (player, "zugzwang", parity))


def claim_of(told: Told, player: int) -> Claim:
    return next(claim for claim in told.explanation.claims if claim.player == player)


IDEAS: dict[str, Callable[[Told], bool]] = {
    "idea_block": lambda t: blocks(t.root) == {t.square} and t.player == t.root.turn,
    "idea_later": lambda t: later(t.explanation, t.said.sentence),
    "idea_four": lambda t: (
        t.square in fours_of(t.after_block, t.player)
        and t.after_block.turn == t.player
        and completes(t.after_block, t.player, t.square, t.line)
    ),
    "idea_open_three": lambda t: (
        fours_of(t.start, t.player) == set(t.both)
        and len(t.both) == 2
        and open_three(t)
        and t.start.turn == t.opponent
    ),
    "idea_now_two": lambda t: (
        fours_of(t.after_block, t.player) == set(t.both)
        and len(t.both) > 1
        and t.after_block.turn == t.opponent
    ),
    "idea_now_stack": lambda t: (
        fours_of(t.after_block, t.player) == {t.other}
        and t.above == (t.other[0], t.other[1] + 1)
        and t.after_block.turn == t.opponent
        and t.above in fours_of(t.after_block.play(t.other[0]), t.player)
    ),
    "idea_play_two": lambda t: (
        wins_by(base(t), t.square[0])
        and fours_of(base(t).play(t.square[0]), t.player) == set(t.both)
        and len(t.both) > 1
    ),
    "idea_play_stack": lambda t: (
        wins_by(base(t), t.square[0])
        and fours_of(base(t).play(t.square[0]), t.player) == {t.other}
        and t.above == (t.other[0], t.other[1] + 1)
    ),
    "idea_force_two": lambda t: len(t.both) > 1 and forced(t, set(t.both)),
    "idea_force_stack": lambda t: forced(t, {t.other}) and t.above == (t.other[0], t.other[1] + 1),
    "idea_whatever": lambda t: all(forces(at, t.player, set(t.both)) for at in answers_all(t)),
    "idea_has": lambda t: leads(t) and threat_there(t),
    "idea_gets": lambda t: leads(t) and threat_to_come(t),
    "idea_gets_bare": lambda t: (
        leads(t)
        and parity_fits(t)
        and {t.square} == squares_of(t.idea["squares"])
        and at_end(t, ("zug",), None)
    ),
    "idea_gets_either": lambda t: (
        leads(t)
        and set(t.either) == squares_of(t.idea["squares"])
        and lines_hold(t)
        and at_end(t, ("zug",), None)
        and (
            all(end.wins <= set(t.either) for end in t.ends)
            or all(len(end.wins & set(t.either)) < 2 for end in t.ends)
        )
    ),
    "idea_gets_often": lambda t: (
        leads(t)
        and set(t.either) == squares_of(t.idea["squares"])
        and lines_hold(t)
        and at_end(t, ("zug",), None)
    ),
    "idea_has_and_gets": lambda t: (
        leads(t)
        and {t.square, t.other} == squares_of(t.idea["squares"])
        and completes(t.now, t.player, t.square, t.line)
        and not completed(t.now, discs_of(t.now, t.player), t.other)
        and all(
            completes(end.position, t.player, t.other, t.more) for end in t.ends if t.other in end.wins
        )
        and at_end(t, ("zug",), None)
    ),
    "idea_has_some": lambda t: leads(t) and threats_there(t, True),
    "idea_gets_some": lambda t: leads(t) and threats_there(t, False),
    "idea_count_none": lambda t: (
        all(end.position.ply == t.start.ply for end in t.ends) and all_zugzwang(t, set(t.either))
    ),
    "idea_count_one": lambda t: counted(t) and t.count == 1,
    "idea_count_same": lambda t: counted(t) and t.first == t.last,
    "idea_count_other": lambda t: counted(t) and t.first != t.last,
    "idea_then": lambda t: all_zugzwang(t, set(t.either)),
    "idea_waits": lambda t: all_zugzwang(t, set(t.either)),
    "idea_waits_among": lambda t: (
        at_end(t, ("zug",), None)
        and above(t.either) == squares_of(t.idea["squares"])
        and all(above(t.either) <= end.wins for end in t.ends)
    ),
    "idea_waits_often": lambda t: (
        at_end(t, ("zug",), None) and above(t.either) == squares_of(t.idea["squares"])
    ),
    "idea_follow": lambda t: follow_up_wins(t.start, t.player),
    "idea_sooner": lambda t: (
        t.count == SOLVER.solve(t.root).moves_to_end
        and (
            (
                t.first_claim.start[:1] != ()
                and not t.explanation.line
                and t.root.turn == t.player
                and t.first_claim.start[0] not in best(t)
            )
            or all(
                end.position.ply + 2 > t.root.ply + (SOLVER.solve(t.root).plies_to_end or 0)
                for end in t.ends
            )
        )
    ),
    "idea_stacked": lambda t: stacked_at_end(t, True),
    "idea_stacked_gets": lambda t: stacked_at_end(t, False),
    "idea_twice": lambda t: at_end(t, ("two",), set(t.both)) and lines_hold(t),
    "idea_threats": lambda t: (
        at_end(t, ("two", "stack"), None)
        and set(t.both) == squares_of(t.idea["squares"])
        and lines_hold(t)
    ),
    "idea_threats_second": lambda t: (
        at_end(t, ("two", "stack"), None)
        and {t.square, *t.either} == squares_of(t.idea["squares"])
        and completes(t.now, t.player, t.square, t.line)
        and not any(completed(t.now, discs_of(t.now, t.player), each) for each in t.either)
    ),
    "idea_beware": lambda t: (
        t.player == t.idea["player"]
        and all(completed(t.root, discs_of(t.root, t.opponent), (c, r + 1)) for c, r in t.either)
        and not set(t.either) & discs_of(t.now, 1)
        and not set(t.either) & discs_of(t.now, 2)
        and not any(completed(t.now, discs_of(t.now, t.player), each) for each in t.either)
        and not any(each in squares_of(t.idea["squares"]) for each in t.either)
    ),
    "idea_threats_line": lambda t: (
        at_end(t, ("two", "stack"), None)
        and example(t, ("two", "stack"), set(t.both))
        and lines_at(t, t.root.play(*t.idea["line"]))
        and set(t.both) == squares_of(t.idea["squares"])
    ),
    "idea_target": target,
    "idea_target_among": target,
    "idea_example_zugzwang": lambda t: (
        example(t, ("zug",), set(t.either))
        and squares_of(t.idea["squares"]) == above(t.either) == set(getattr(t, "with"))
        and lines_at(t, t.root.play(*t.idea["line"]))
    ),
    "idea_example_threats": lambda t: (
        example(t, ("two", "stack"), set(t.both)) and lines_at(t, t.root.play(*t.idea["line"]))
    ),
    "idea_danger_two": lambda t: in_danger(t) and forked(t.root, t.player, t.square) == set(t.both),
    "idea_danger_force": lambda t: in_danger(t) and threatens_series(t.said, t.root, t.square, t.player),
    "stop_two": lambda t: (
        in_danger(t) and forked(t.root, t.player, t.square) == set(t.both) and stops(t)
    ),
    "stop_force": lambda t: (
        in_danger(t) and threatens_series(t.said, t.root, t.square, t.player) and stops(t)
    ),
    "do": lambda t: follows(t, t.said.sentence["facts"]["what"], t.first_claim),
    "do_begin": begins_as_claimed,
    "do_begin_then": lambda t: (
        begins_as_claimed(t) and follows(t, t.said.sentence["facts"]["what"], t.first_claim)
    ),
    "idea_longest": lambda t: best(t) == (t.column,) and outcome(t.root, t.root.turn) == 0,
    "idea_longest_does": lambda t: IDEAS["idea_longest"](t) and deed_holds(t.said),
    "idea_longest_some": lambda t: set(best(t)) == set(t.columns) and outcome(t.root, t.root.turn) == 0,
    "idea_some_lose": lambda t: (
        set(t.root.legal_columns) - set(best(t)) == set(t.columns) and outcome(t.root, 1) == 1
    ),
    "idea_some_lose_above": lambda t: IDEAS["idea_some_lose"](t) and IDEAS["not_above"](t),
    "idea_only_draw": lambda t: best(t) == (t.column,) and outcome(t.root, 1) == 1,
    "idea_only_draw_does": lambda t: IDEAS["idea_only_draw"](t) and deed_holds(t.said),
    "idea_some_draw": lambda t: set(best(t)) == set(t.columns) and outcome(t.root, 1) == 1,
    "idea_all_draw": lambda t: set(best(t)) == set(t.root.legal_columns) and outcome(t.root, 1) == 1,
    "idea_no_reason": lambda t: outcome(t.root, 1) == 1,
    "no_reason": lambda t: t.explanation.complete,
    "no_time": lambda t: not t.explanation.complete,
    "idea_holds": lambda t: (
        outcome(t.root, t.player) >= 1
        and follows(t, t.said.sentence["facts"]["what"], claim_of(t, t.player))
    ),
    "idea_holds_begin": lambda t: IDEAS["idea_holds"](t) and holds_from(t, claim_of(t, t.player).start),
    "idea_no_line": needs,
    "idea_needs": needs,
    "idea_next": next_of_best_play,
    "vain_on_top": lambda t: (
        vain(t)
        and t.below == (t.square[0], t.square[1] - 1)
        and bool(completed(t.root, discs_of(t.root, t.opponent), t.below))
    ),
    "vain_shared": lambda t: vain(t) and bool(completed(t.root, discs_of(t.root, t.opponent), t.square)),
    "vain_below": lambda t: (
        vain(t) and t.below == (t.square[0], t.square[1] - 1) and never_takes(t, t.opponent, t.below)
    ),
    "vain_above": lambda t: (
        vain_pair(t)
        and t.square == (t.other[0], t.other[1] + 1)
        and t.below == (t.other[0], t.other[1] - 1)
        and never_takes(t, t.player, t.below)
    ),
    "vain_below_each": lambda t: (
        vain_pair(t)
        and all(
            never_takes(t, 3 - player, (column, row - 1))
            for player, (column, row) in ((t.player, t.square), (t.opponent, t.other))
        )
    ),
    "vain_below_both": vain_below_both,
    "not_above": lambda t: all(
        (c, t.root.heights[c] + 1) in fours_of(t.root.play(c), t.opponent) for c in t.columns
    ),
    "not_two": lambda t: wins_with(t.root.play(t.column), t.square, set(t.both)),
    "not_force": lambda t: wins_with(
        played(t, t.root.play(t.column), t.opponent), t.square, set(t.both)
    ),
    "not_any_wins": lambda t: shared_answer(t, 2),
    "not_any_draws": lambda t: shared_answer(t, 1),
    "not_any_threat": makes_after_all,
    **{
        name: lambda t: IDEAS["not_any_" + t.pattern.rpartition("_")[2]](t) and is_key(t)
        for name in (
            *("not_taken_wins", "not_taken_draws", "not_taken_threat"),
            *("not_else_wins", "not_else_draws", "not_else_threat"),
        )
    },
    "not_answer": lambda t: gives_away(t) and best_reason(t, t.root.play(t.column)),
    "then_does": lambda t: (
        gives_away(t)
        and column_of(t.what["facts"]["column"]) in best_replies(t)
        and PREDICATES[t.what["pattern"]](Said(t.what, t.root.play(t.column)))
    ),
    "not_takes": lambda t: (
        gives_away(t)
        and t.square[0] in best_replies(t)
        and square_in(t.root.play(t.column), t.square[0]) == t.square
        and t.idea["player"] == t.root.turn
        and any(list(t.square) in line for line in t.idea["lines"])
    ),
    **dict.fromkeys(
        ("not_ends_zugzwang", "then_ends_zugzwang"), lambda t: ends_after(t) == ("zug", above(t.either))
    ),
    **dict.fromkeys(
        ("not_ends_threats", "then_ends_threats"),
        lambda t: ends_after(t) in (("two", set(t.both)), ("stack", set(t.both))),
    ),
    "not_draws": lambda t: (
        outcome(t.root, t.root.turn) == 2
        and outcome(t.root.play(t.column), t.opponent) == 1
        and best_replies(t) == (t.square[0],)
        and square_in(t.root.play(t.column), t.square[0]) == t.square
    ),
    "not_quiet": lambda t: (
        outcome(t.root.play(t.column, t.square[0]), t.opponent) == 2
        and all(
            outcome(t.root.play(t.column, c), t.opponent) < 2
            or c == t.square[0]
            or SOLVER.score(t.root.play(t.column, c)) > SOLVER.score(t.root.play(t.column, t.square[0]))
            for c in t.root.play(t.column).legal_columns
        )
    ),
    "does": lambda t: any(deed_holds(Said(t.said.sentence, at)) for at in first_moves(t)),
    "do_first": lambda t: (
        t.column == t.explanation.line[0] and t.player == t.root.turn and t.column in best(t)
    ),
    "rule_odd": lambda t: one_square(t, 1, 0),
    "rule_even": lambda t: one_square(t, 2, 1),
    "rule_count": lambda t: t.idea["count"] is not None and len(t.idea["squares"]) > 1,
    "rule_stack": lambda t: t.idea["kind"] in ("stack", "force", "threats"),
    "rule_two": lambda t: t.idea["kind"] in ("two", "force", "threats"),
    "rule_open_three": lambda t: t.idea["kind"] == "two",
    "rule_follow": lambda t: follow_up_wins(t.start, t.idea["player"]),
    "rule_below": lambda t: outcome(t.root, 1) == 1 and bool(t.idea["threats"]),
}


def squares_named(told: Told) -> bool:
    """Whether an example names what the idea, which is checked by itself, ends with."""
    facts = told.said.sentence["facts"]
    named = above(told.either) if "either" in facts else set(told.both)
    return told.idea["kind"] == "example" and named == squares_of(told.idea["squares"])


BRIEFS: dict[str, Callable[[Told], bool]] = {
    "brief_four": lambda t: t.square in fours_of(t.root, t.player) and t.root.turn == t.player,
    "brief_above": lambda t: t.square in fours_of(t.root, t.player) and t.root.turn == t.player,
    "brief_now_two": IDEAS["idea_now_two"],
    "brief_now_stack": IDEAS["idea_now_stack"],
    "brief_play_two": IDEAS["idea_play_two"],
    "brief_play_stack": IDEAS["idea_play_stack"],
    "brief_force": lambda t: (
        outcome(t.root, t.player) == 2
        if "..." in t.words
        else wins_with(series(t), t.square, set(t.both))
    ),
    "brief_whatever": lambda t: all(
        outcome(at, t.player) == 2 and bool(fours_of(at, t.player)) for at in answers_all(t)
    ),
    "brief_zugzwang": IDEAS["idea_then"],
    "brief_zugzwang_often": IDEAS["idea_waits_often"],
    "brief_stacked": lambda t: at_end(t, ("stack",), set(t.both)),
    "brief_twice": IDEAS["idea_twice"],
    "brief_threats": IDEAS["idea_threats"],
    **{
        name: lambda t: answers(Said(t.said.sentence, t.root)) and best(t) == (t.square[0],)
        for name in ANSWERS
    },
    "brief_target": lambda t: (
        set(t.either) == squares_of(t.idea["squares"]) and t.idea["kind"] == "mixed"
    ),
    "brief_example_zugzwang": squares_named,
    "brief_example_threats": squares_named,
    "brief_later": lambda t: brief_later(t),
}


def brief_later(told: Told) -> bool:
    """Whether the reason holds behind a line of best play of this length."""
    reason, explanation = told.said.sentence["facts"]["reason"], told.explanation
    there = Told(Said(reason, explanation.position, explanation), explanation)
    return (
        told.count == len(explanation.line)
        and plays_best(told.root, explanation.line)
        and BRIEFS[there.pattern](there)
    )


def check_brief(explanation: Explanation) -> None:
    brief = dict(explanation.idea or {})["brief"]
    if brief is None:
        return
    told = Told(Said(brief, explanation.position, explanation), explanation)
    assert BRIEFS[told.pattern](told), (explanation.position, told.words)


def later(explanation: Explanation, sentence: dict[str, Any]) -> bool:
    """Whether a sentence, or the beginning of one, tells the line of best play before the reason."""
    line, facts = explanation.line, sentence["facts"]
    return (
        facts["count"] == len(line)
        and begins(explanation.position, facts["moves"], line)
        and plays_best(explanation.position, line)
    )


def leads(told: Told) -> bool:
    lead = told.said.sentence["facts"]["lead"]
    if lead["pattern"] == "lead_zugzwang":
        return not told.explanation.line
    return later(told.explanation, lead)


def open_three(told: Told) -> bool:
    own = discs_of(told.start, told.player)
    first, second = told.both
    line = named_line(told.where) if told.where["pattern"] != "named_diagonal" else None
    return any(
        one - {first} == other - {second} and (line is None or one <= line)
        for one in completed(told.start, own, first)
        for other in completed(told.start, own, second)
    )


def check_idea(explanation: Explanation) -> list[str]:
    """Check every sentence of an idea; return the patterns."""
    patterns = []
    for sentence in (explanation.idea or {"said": []})["said"]:
        told = Told(Said(sentence, explanation.position, explanation), explanation)
        assert IDEAS[told.pattern](told), (explanation.position, told.words)
        patterns.append(told.pattern)
    return patterns
