"""Checks explanations with nothing but the rules of the game.

This module shares no code with the search for proofs. A claim that it accepts is true.

A player F claims to win, or to hold (not to lose), against an opponent O. `mine` are the discs of F,
`theirs` those of O. Sets of squares are ints: column c, row r (0 is the bottom) is bit
c * (height + 1) + r, so that every column has an empty bit on top. docs/explain.md describes the proofs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, cached_property
from typing import Any

from fourcast.errors import ProofError

__all__ = ["check", "check_claim"]

Json = Mapping[str, Any]
MOST_POSITIONS = 100_000  # of a proof; a longer one is no reason
MOST_TAKES = 4  # discs of a forced win that a plan may take


def require(condition: object, otherwise: str, **facts: Any) -> None:
    """Raise `ProofError` unless *condition* is true."""
    if not condition:
        raise ProofError(otherwise, facts=facts)


# ---- The rules of the game ---------------------------------------------------------------------------


def each(squares: int) -> Iterator[int]:
    """Yield the squares of a set one by one."""
    while squares:
        yield squares & -squares
        squares &= squares - 1


class Rules:
    """The rules on a board of one size."""

    def __init__(self, width: int, height: int) -> None:
        require(
            0 < width <= 64 and 0 < height <= 64, "error.proof.board_size", width=width, height=height
        )
        self.width, self.height = width, height
        self.columns = [((1 << height) - 1) << (c * (height + 1)) for c in range(width)]
        self.board = sum(self.columns)
        self.bottom = sum(1 << (c * (height + 1)) for c in range(width))
        self.directions = (1, height, height + 1, height + 2)  # up, and to the right: down, level, up
        self.fours: Callable[[int], int] = cache(self._fours)

    @cached_property
    def lines(self) -> list[int]:
        """Every line of four squares."""
        fours = [sum(s << i * d for i in range(4)) for s in each(self.board) for d in self.directions]
        return [four for four in fours if not four & ~self.board]

    def square(self, place: Sequence[int]) -> int:
        """Return the square at a column and row."""
        column, row = place
        is_there = 0 <= column < self.width and 0 <= row < self.height
        require(is_there, "error.proof.no_such_square", column=column, row=row)
        return 1 << (column * (self.height + 1) + row)

    def squares(self, places: Iterable[Sequence[int]]) -> int:
        """Return a set of squares."""
        return sum({self.square(place) for place in places})

    def playable(self, discs: int) -> int:
        """Return the squares that a disc would fall to: adding 1 at the bottom carries to the top."""
        return (discs + self.bottom) & self.board

    def drop(self, column: int, discs: int) -> int:
        """Return the square that a disc in *column* falls to."""
        free = self.columns[column] & ~discs if column in range(self.width) else 0
        require(free, "error.proof.column_not_playable", column=column + 1)
        return free & -free

    def _fours(self, discs: int) -> int:
        """Return the squares of which the three others of a line are in *discs*."""
        found = 0
        for d in self.directions:
            if pairs := discs & discs >> d:  # the first of two next to each other
                found |= pairs >> d & (discs << d | discs >> 3 * d)  # before the pair
                found |= pairs << 2 * d & (discs >> d | discs << 3 * d)  # after it
        return found & self.board

    def has_four(self, discs: int) -> bool:
        """Whether four of *discs* are in a line: then each of them completes it."""
        return self.fours(discs) & discs != 0

    def wins(self, discs: int, other: int) -> int:
        """Return the squares on which the next disc beside *discs* completes a four."""
        return self.fours(discs) & self.playable(discs | other)


# ---- Explanations and claims -------------------------------------------------------------------------


def check(explanation: Any) -> None:
    """Raise `ProofError` unless every claim of *explanation* is proven and fits its verdict.

    Takes an `Explanation` or its JSON. That score and line are best play is the solver's word.
    """
    if not isinstance(explanation, Mapping) and not hasattr(explanation, "to_json"):
        kind = type(explanation).__name__
        raise TypeError(f"check takes an Explanation, as explain() returns it, or its JSON, not {kind}")
    try:
        content = explanation if isinstance(explanation, Mapping) else explanation.to_json()
        verdict, claims = content["verdict"], content["claims"]
        rules = Rules(verdict["width"], verdict["height"])
        boards = [int(verdict["first"]), int(verdict["second"])]
        turn = boards[0].bit_count() - boards[1].bit_count()
        winner = {"win": 1 + turn, "loss": 2 - turn, "draw": 0}.get(verdict["outcome"], 3)
        wanted = [(winner, "win")] if winner else [(1, "hold"), (2, "hold")]
        found = sorted((claim["player"], claim["goal"]) for claim in claims)
        require(found in (wanted, []), "error.proof.claims_differ_from_verdict")
        for column in content["line"]:
            boards[turn] |= rules.drop(column, boards[0] | boards[1])
            turn = 1 - turn
        for claim in claims:
            check_claim(boards[0], boards[1], rules.width, rules.height, claim)
    except (AttributeError, IndexError, KeyError, TypeError) as error:
        raise ProofError("error.proof.no_explanation", facts={"why": repr(error)}) from error


def check_claim(first: int, second: int, width: int, height: int, claim: Json) -> int:
    """Return how many positions prove *claim*; raise `ProofError` if it is not proven.

    A claim of `Explanation.to_json()` is about the position with these discs: `player` reaches `goal`.
    It begins with moves, and then there is a proof with O to move, or a forcing line to F's four.
    """
    rules, player, proof = Rules(width, height), claim["player"], claim["proof"]
    turn = 1 + first.bit_count() - second.bit_count()
    require(turn in (1, 2) and first & second == 0, "error.proof.no_such_position")
    require(claim["goal"] in ("win", "hold"), "error.proof.no_such_goal")
    is_line = proof["kind"] == "force"
    moves = [*claim["start"], *(proof["line"] if is_line else ())]
    boards = [0, first, second]
    for column in moves:
        boards[turn] |= _forcing_move(rules, column, boards[turn], boards[3 - turn], turn == player)
        turn = 3 - turn
    require(turn != player, "error.proof.wrong_player_begins")
    mine, theirs = boards[player], boards[3 - player]
    if is_line:
        ends_with_four = rules.has_four(mine) and len(proof["line"]) % 2 == 1
        require(ends_with_four, "error.proof.line_ends_without_four")
        return len(proof["line"])
    _require_unfinished(rules, mine, theirs)
    return _check_proof(rules, mine, theirs, claim["goal"] == "win", proof, _PROOFS)


def _forcing_move(rules: Rules, column: int, mover: int, other: int, is_own: bool) -> int:
    """Return the square of a move of F's, or of a forced one of O's.

    O is forced to play where F would complete a four, unless O can complete one.
    """
    _require_unfinished(rules, mover, other)
    move = rules.drop(column, mover | other)
    is_forced = move & rules.wins(other, mover) and not rules.wins(mover, other)
    require(is_own or is_forced, "error.proof.reply_not_forced", column=column + 1)
    return move


def _require_unfinished(rules: Rules, one: int, other: int) -> None:
    require(not rules.has_four(one) and not rules.has_four(other), "error.proof.over_too_early")


Check = Callable[[Rules, int, int, bool, Json], int]


def _check_proof(
    rules: Rules, mine: int, theirs: int, win: bool, proof: Json, kinds: Mapping[str, Check]
) -> int:
    """Check a proof of one of *kinds*, with O to move; return how many positions it has."""
    require(proof["kind"] in kinds, "error.proof.no_such_proof", kind=repr(proof["kind"]))
    return kinds[proof["kind"]](rules, mine, theirs, win, proof)


# ---- Plans, and proofs case by case ------------------------------------------------------------------


class _Table:
    """Where F answers O's disc, if there is no four to complete or to block."""

    def __init__(self, rules: Rules, mine: int, theirs: int, proof: Json) -> None:
        self.takes = min(int(proof.get("takes", 1)), MOST_TAKES)
        self.by_case = proof["kind"] == "cases"
        self.answers: dict[Any, list[int]] = {}
        self.ends: dict[tuple[int, int], Json] = {}
        """Positions that have a proof of their own; only a proof case by case has some."""

        def discs(entry: Json) -> tuple[int, int]:
            return mine | rules.squares(entry["mine"]), theirs | rules.squares(entry["theirs"])

        for entry in proof["answers"]:
            if self.by_case:
                self.answers[discs(entry)] = [rules.square(entry["answer"])]
            else:
                self.answers[rules.square(entry["stone"])] = list(map(rules.square, entry["squares"]))
        for entry in proof.get("ends", ()):
            self.ends[discs(entry)] = entry["proof"]

    def choices(self, mine: int, theirs: int, disc: int) -> list[int]:
        """Return the answers to O's last *disc*, in order; by default the square on top of it."""
        return self.answers.get((mine, theirs) if self.by_case else disc, [disc << 1])


def _check_answers(rules: Rules, mine: int, theirs: int, win: bool, proof: Json) -> int:
    """Replay a table of answers against every move of O's, each position with O to move once.

    O must never have a four to complete. A proof to win must get there before the board is full, and
    by disc `latest`; one to hold is done where O has no line of four left.
    """
    table, latest = _Table(rules, mine, theirs, proof), int(proof["latest"]) if win else 0
    seen, waiting, more = {(mine, theirs)}, [(mine, theirs)], 0
    for mine, theirs in waiting:  # which grows meanwhile
        require(not rules.wins(theirs, mine), "error.proof.opponent_completes_four")
        require(rules.playable(mine | theirs) or not win, "error.proof.full_without_winner")
        if not win and not rules.has_four(rules.board & ~mine):
            continue
        if end := table.ends.get((mine, theirs)):
            require(not win or int(end["latest"]) <= latest, "error.proof.case_takes_too_long")
            more += _check_proof(rules, mine, theirs, win, end, _ENDS)
            continue
        for disc in each(rules.playable(mine | theirs)):
            now = theirs | disc
            if discs := _wins_in(rules, mine, now, table.takes):
                last = (mine | now).bit_count() + 2 * discs - 1
                require(last <= latest or not win, "error.proof.late_win", last=last, latest=latest)
            elif rules.playable(mine | now) or win:
                after = mine | _answer(rules, mine, now, table.choices(mine, now, disc)), now
                if after not in seen:
                    seen.add(after)
                    waiting.append(after)
        require(len(seen) + more < MOST_POSITIONS, "error.proof.too_many_positions")
    return len(seen) + more


def _wins_in(rules: Rules, mine: int, theirs: int, takes: int) -> int:
    """Return with how many discs F, to move, wins at once or by force, at most *takes*; else 0.

    A forced win is taken only where there is no four to block.
    """
    if rules.wins(mine, theirs):
        return 1
    if takes < 2 or rules.wins(theirs, mine):
        return 0
    return next((n for n in range(2, takes + 1) if _wins_by_force(rules, mine, theirs, n)), 0)


def _wins_by_force(rules: Rules, mine: int, theirs: int, discs: int) -> bool:
    """Whether F, to move, wins with *discs* discs of which all but the last force the reply."""
    if rules.wins(mine, theirs):
        return True
    if discs < 2:
        return False
    block = rules.wins(theirs, mine)
    for move in each(block or rules.playable(mine | theirs)):
        replies = rules.wins(mine | move, theirs)  # if these are two, the other one wins
        if replies and not rules.wins(theirs, mine | move):
            reply = replies & -replies
            if _wins_by_force(rules, mine | move, theirs | reply, discs - 1):
                return True
    return False


def _answer(rules: Rules, mine: int, theirs: int, choices: list[int]) -> int:
    """Return where F, who cannot win at once, plays.

    A four of O's is blocked, if it is one. Otherwise it is the first of *choices* that can be played and
    does not lie below a square where O completes a four.
    """
    if block := rules.wins(theirs, mine):
        require(block & (block - 1) == 0, "error.proof.opponent_threatens_two")
        return block
    usable = rules.playable(mine | theirs) & ~(rules.fours(theirs) >> 1)
    square = next((square for square in choices if square & usable), 0)
    require(square, "error.proof.plan_has_no_answer")
    return square


# ---- Local games -------------------------------------------------------------------------------------


def _check_local(rules: Rules, mine: int, theirs: int, win: bool, proof: Json) -> int:
    """Replay groups of columns, each by itself, and see that O, not F, runs out of moves elsewhere.

    Every open column is in one group. Every line that F has no disc in contains a set of squares that
    some group keeps from O. To win, one group wins, and the others only hold. If F always answers in
    the group of O's disc, O has to move first wherever the others leave an even number of squares.
    """
    discs = mine | theirs
    columns = sorted(column for group in proof["groups"] for column in group["columns"])
    open_columns = [c for c, squares in enumerate(rules.columns) if squares & ~discs]
    require(columns == open_columns, "error.proof.not_each_open_column_once")
    groups = [_Group(rules, mine, discs, group) for group in proof["groups"]]
    needs = [need for group in groups for need in group.needs]
    for line in rules.lines:
        is_stopped = line & mine or any(not need & ~line for need in needs)
        require(is_stopped, "error.proof.line_not_stopped")
    require(sum(group.wins for group in groups) == win, "error.proof.not_one_winning_group")
    latest = discs.bit_count()
    for group, free in zip(groups, _free_moves(groups, win), strict=True):
        require(group.free == free, "error.proof.free_moves_not_foreseen")
        depth = group.visit(0, 0, free != "never")
        latest += depth if group.wins else group.squares.bit_count()
    require(not win or latest <= proof["latest"], "error.proof.late_group", latest=latest)
    return sum(len(group.depths) for group in groups)


def _free_moves(groups: list[_Group], win: bool) -> list[str]:
    """Return which free moves each group must allow for: moves of F's that answer nothing there.

    They come from odd groups, apart from one that wins: when O fills one, F has to move elsewhere. With
    one odd group the move is made in the group that wins, at any moment, or, to hold, in any group and
    perhaps again. With two, F makes it in the other odd one, and all is even again.
    """
    odd = [not group.wins and group.squares.bit_count() % 2 == 1 for group in groups]
    require(sum(odd) <= 2, "error.proof.last_move_not_left")
    if sum(odd) == 2:
        return ["one_odd" if is_odd else "never" for is_odd in odd]
    if sum(odd) == 1:
        return ["one" if group.wins else "never" if win else "any_even" for group in groups]
    return ["never" for _ in groups]


class _Group:
    """Replays the answers of one group against every move of O's in it."""

    def __init__(self, rules: Rules, mine: int, discs: int, group: Json) -> None:
        self.rules, self.mine, self.discs = rules, mine, discs
        self.squares = sum(rules.columns[column] for column in group["columns"]) & ~discs
        self.wins = group["role"] == "win"
        self.free: str = group["free"]
        self.needs = [rules.squares(need) for need in group["needs"]]
        for need in self.needs:
            require(need and not need & ~self.squares, "error.proof.need_outside_group")
        self.answers = {
            (rules.squares(entry["theirs"]), rules.squares(entry["mine"])): rules.square(entry["answer"])
            for entry in group["answers"]
        }
        self.depths: dict[tuple[int, int, bool], int] = {}

    def visit(self, theirs: int, mine: int, free: bool) -> int:
        """Check a state with O to move; return the discs until F's four at the latest.

        *theirs* and *mine* are the squares taken in the group, *free* is whether F may have to make a
        free move. Every need must have a square of F's before O has them all.
        """
        state = theirs, mine, free
        is_settled = all(need & mine for need in self.needs)
        if state in self.depths or (is_settled and not self.wins):
            return self.depths.get(state, 0)
        moves = self.rules.playable(self.discs | theirs | mine) & self.squares
        for need in self.needs:
            missing = need & ~theirs
            is_last = missing & (missing - 1) == 0 and missing & moves
            require(missing and not is_last, "error.proof.opponent_gets_squares")
        require(moves or not self.wins, "error.proof.winning_group_full")
        threats = moves & self.rules.fours(self.mine | mine)
        if threats & (threats - 1):
            return 2  # O can block only one of them
        replies = [(move, free) for move in each(threats or moves)]
        if free and not threats and self._may_have_to_move(theirs | mine):
            replies.append((0, self.free == "any_even"))
        depths = [self._answer(theirs | move, mine, later, bool(move)) for move, later in replies]
        return self.depths.setdefault(state, max(depths, default=0))

    def _may_have_to_move(self, taken: int) -> bool:
        """Whether F may have to make a free move now; see docs/explain.md for `free`."""
        is_odd = (self.squares & ~taken).bit_count() % 2 == 1
        return self.free == "one" or is_odd == (self.free == "one_odd")

    def _answer(self, theirs: int, mine: int, free: bool, is_asked: bool) -> int:
        """Check F's answer to a disc of O's, or F's free move; return the discs until F's four."""
        choices = self.rules.playable(self.discs | theirs | mine) & self.squares
        if not choices and not self.wins:
            return 0
        answer = choices & self.answers.get((theirs, mine), 0)
        require(answer, "error.proof.group_has_no_answer")
        wins = answer & self.rules.fours(self.mine | mine)
        return (2 if is_asked else 1) + (0 if wins else self.visit(theirs, mine | answer, free))


_ENDS: dict[str, Check] = {"plan": _check_answers, "local": _check_local}
_PROOFS: dict[str, Check] = {**_ENDS, "cases": _check_answers}
