"""Checks explanations with nothing but the rules of the game.

This module shares no code with the search for proofs. A claim that it accepts is true.

Sets of squares are ints: column c, row r (0 is the bottom) is bit c * (height + 1) + r. `mine` are the
discs of the player F, who claims something, `theirs` those of the opponent O; see docs/explain.md.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, cached_property
from typing import Any

__all__ = ["ProofError", "check", "check_claim"]

Json = Mapping[str, Any]
MOST_POSITIONS = 100_000  # of a proof; a longer one is no reason


class ProofError(ValueError):
    """A proof that does not hold; the message says where."""


def require(condition: object, otherwise: str) -> None:
    if not condition:
        raise ProofError(otherwise)


def each(squares: int) -> Iterator[int]:
    while squares:
        yield squares & -squares
        squares &= squares - 1


class Rules:
    """The rules on a board of one size."""

    def __init__(self, width: int, height: int) -> None:
        require(0 < width <= 64 and 0 < height <= 64, f"no board is {width} by {height}")
        self.width, self.height, self.stride = width, height, height + 1
        self.columns = [((1 << height) - 1) << (c * self.stride) for c in range(width)]
        self.board, self.bottom = sum(self.columns), sum(1 << (c * self.stride) for c in range(width))
        self.steps = (1, height, height + 1, height + 2)  # the directions of lines
        self.threats: Callable[[int], int] = cache(self._threats)

    @cached_property
    def lines(self) -> list[int]:
        fours = (sum(s << i * step for i in range(4)) for s in each(self.board) for step in self.steps)
        return [four for four in fours if not four & ~self.board]

    def bit(self, column: int, row: int) -> int:
        require(0 <= column < self.width and 0 <= row < self.height, f"no square is {column}, {row}")
        return 1 << (column * self.stride + row)

    def bits(self, pairs: Iterable[Sequence[int]]) -> int:
        return sum({self.bit(*pair) for pair in pairs})

    def playable(self, mask: int) -> int:
        return (mask + self.bottom) & self.board

    def drop(self, column: int, mask: int) -> int:
        free = self.columns[column] & ~mask if column in range(self.width) else 0
        require(free, f"no disc can be played in column {column}")
        return free & -free

    def _threats(self, stones: int) -> int:
        """The squares of which the three others of a line are in *stones*."""
        found = 0
        for step in self.steps:
            if pair := stones & stones >> step:  # one of two next to each other
                found |= pair >> step & (stones << step | stones >> 3 * step)
                found |= pair << 2 * step & (stones >> step | stones << 3 * step)
        return found & self.board

    def has_four(self, stones: int) -> bool:
        return self.threats(stones) & stones != 0

    def wins(self, stones: int, other: int) -> int:  # squares where the next one completes a four
        return self.threats(stones) & self.playable(stones | other)

    def wins_by_force(self, mine: int, theirs: int, stones: int) -> bool:
        """Whether F, to move, wins with *stones* discs of which all but the last force the reply."""
        if (four := self.wins(mine, theirs)) or stones < 2:
            return four != 0
        block = self.wins(theirs, mine)
        for move in each(block or self.playable(mine | theirs)):
            reply = self.wins(mine | move, theirs)  # if these are two, the other one wins
            forces = reply and not self.wins(theirs, mine | move)
            if forces and self.wins_by_force(mine | move, theirs | reply & -reply, stones - 1):
                return True
        return False


def check(explanation: Any) -> None:
    """Raise `ProofError` unless every claim of *explanation* is proven and fits its verdict.

    Takes an `Explanation` or its JSON. That score and line are best play is the solver's word.
    """
    try:
        content = explanation if isinstance(explanation, Mapping) else explanation.to_json()
        verdict, claims = content["verdict"], content["claims"]
        rules = Rules(verdict["width"], verdict["height"])
        boards = [int(verdict["first"]), int(verdict["second"])]
        turn = boards[0].bit_count() - boards[1].bit_count()
        winner = {"win": 1 + turn, "loss": 2 - turn, "draw": 0}.get(verdict["outcome"], 3)
        wanted = [(winner, "win")] if winner else [(1, "hold"), (2, "hold")]
        found = sorted((claim["player"], claim["goal"]) for claim in claims)
        require(found in (wanted, []), "the claims do not say what the verdict says")
        for column in content["line"]:
            boards[turn], turn = boards[turn] | rules.drop(column, boards[0] | boards[1]), 1 - turn
        for claim in claims:
            check_claim(boards[0], boards[1], rules.width, rules.height, claim)
    except (AttributeError, IndexError, KeyError, TypeError) as error:
        raise ProofError(f"this is not an explanation: {error!r}") from error


def check_claim(first: int, second: int, width: int, height: int, claim: Json) -> int:
    """Return how many positions prove *claim*; raise `ProofError` if it is not proven.

    A claim of `Explanation.to_json()` is about the position with these discs: `player` reaches `goal`.
    `start` leads to where the proof begins; moves of the opponent among its columns must be forced.
    """
    rules, boards = Rules(width, height), [0, first, second]
    proof, player, turn = claim["proof"], claim["player"], 1 + first.bit_count() - second.bit_count()
    require(turn in (1, 2) and first & second == 0, "the discs are those of no position")
    line = proof["line"] if proof["kind"] == "force" else ()
    for column in (*claim["start"], *line):
        mover, other = boards[turn], boards[3 - turn]
        require(not rules.has_four(mover) and not rules.has_four(other), "the game is over too early")
        move = rules.drop(column, mover | other)
        is_forced = move & rules.wins(other, mover) and not rules.wins(mover, other)
        require(turn == player or is_forced, f"the opponent is not forced to play in column {column}")
        boards[turn], turn = mover | move, 3 - turn
    mine, theirs = boards[player], boards[3 - player]
    require(turn != player and claim["goal"] in ("win", "hold"), "the wrong player begins")
    if proof["kind"] == "force":
        require(rules.has_four(mine) and len(line) % 2 == 1, "the line does not end with a four")
        return len(line)
    require(not rules.has_four(mine) and not rules.has_four(theirs), "the game is over too early")
    return _check_rest(rules, mine, theirs, claim["goal"] == "win", proof, "plan", "local", "cases")


def _check_rest(rules: Rules, mine: int, theirs: int, win: bool, proof: Json, *kinds: str) -> int:
    require(proof["kind"] in kinds, f"no proof is called {proof['kind']!r}")
    return {"local": _check_local}.get(proof["kind"], _check_answers)(rules, mine, theirs, win, proof)


def _check_answers(rules: Rules, mine: int, theirs: int, win: bool, proof: Json) -> int:
    """Replay a plan, or answers case by case, against every move of the opponent."""
    latest, takes = int(proof["latest"]) if win else 0, range(2, min(int(proof.get("takes", 1)), 4) + 1)
    at, bits, by_case, cases = rules.bit, rules.bits, proof["kind"] == "cases", proof.get("ends", ())
    answers: dict[Any, list[int]] = {}  # by O's stone; case by case, by the stones on the board
    for e in proof["answers"]:
        key = (mine | bits(e["mine"]), theirs | bits(e["theirs"])) if by_case else at(*e["stone"])
        answers[key] = [at(*square) for square in ([e["answer"]] if by_case else e["squares"])]
    more, ends = 0, {(mine | bits(e["mine"]), theirs | bits(e["theirs"])): e["proof"] for e in cases}
    positions, seen = [(mine, theirs)], {(mine, theirs)}
    for mine, theirs in positions:  # which grows meanwhile
        moves, own_fours = rules.playable(mine | theirs), rules.threats(mine)
        require(not moves & rules.threats(theirs), "the opponent completes a four")
        require(moves or not win, "the board is full and nobody has won")
        if not win and not rules.has_four(rules.board & ~mine):
            continue  # whatever is played, there is no four left
        if end := ends.get((mine, theirs)):
            require(not win or int(end["latest"]) <= latest, "a case takes too long")
            more += _check_rest(rules, mine, theirs, win, end, "plan", "local")
            continue
        for stone in each(moves):
            now, playable = theirs | stone, rules.playable(mine | theirs | stone)
            count, fours = (1, 0) if playable & own_fours else (0, rules.threats(now))
            if takes and not count and not playable & fours:
                count = next((n for n in takes if rules.wins_by_force(mine, now, n)), 0)
            if count:
                last = (mine | now).bit_count() + 2 * count - 1
                require(last <= latest or not win, f"the win comes with disc {last}, not {latest}")
            elif playable or win:
                usable = playable & fours or playable & ~(fours >> 1)  # a block first
                key = (mine, now) if by_case else stone
                choices = [usable] if usable & fours else answers.get(key, [stone << 1])
                square = next((square for square in choices if square & usable), 0)
                require(square, "the plan has no answer")
                require(square & -square == square, "the opponent threatens two squares")
                if (state := (mine | square, now)) not in seen:
                    seen.add(state)
                    positions.append(state)
        require(len(seen) + more < MOST_POSITIONS, "the plan has too many positions")
    return len(seen) + more


def _check_local(rules: Rules, mine: int, theirs: int, win: bool, proof: Json) -> int:
    """Replay groups of columns, each by itself; see that O, not F, runs out of moves elsewhere."""
    columns = sorted(column for group in proof["groups"] for column in group["columns"])
    open_columns = [c for c, squares in enumerate(rules.columns) if squares & ~(mine | theirs)]
    require(columns == open_columns, "the groups are not the open columns, each once")
    groups = [_Group(rules, mine, theirs, group) for group in proof["groups"]]
    needs = [need for group in groups for need in group.needs]
    for line in rules.lines:
        require(line & mine or any(not n & ~line for n in needs), "a line of O's is stopped in no group")
    odd = [group for group in groups if not group.wins and group.squares.bit_count() % 2]
    require(sum(group.wins for group in groups) == win, "not one group wins, or one too many")
    require(len(odd) <= 2, "the groups do not leave the last move to the player")
    free = ("never", "one" if win else "any_even", "one_odd")[len(odd)]
    latest = (mine | theirs).bit_count()
    for group in groups:
        expected = free if (group in odd if len(odd) == 2 else group.wins == win) else "never"
        require(group.free == expected, "a group does not allow for the free moves it may have to make")
        depth = group.visit(0, 0, group.free != "never")
        latest += depth if group.wins else group.squares.bit_count()
    require(not win or latest <= proof["latest"], f"the win may take until disc {latest}")
    return sum(len(group.depths) for group in groups)


class _Group:
    """Replays the answers of one group against every move of the opponent in it."""

    def __init__(self, rules: Rules, mine: int, theirs: int, group: Json) -> None:
        self.rules, self.mine, self.mask, at = rules, mine, mine | theirs, rules.bits
        self.squares = sum(rules.columns[column] for column in group["columns"]) & ~self.mask
        self.wins, self.free = group["role"] == "win", group["free"]
        self.needs = [at(need) for need in group["needs"]]
        require(all(n and n & self.squares == n for n in self.needs), "a need is not of its group")
        self.answers = {(at(e["theirs"]), at(e["mine"])): at([e["answer"]]) for e in group["answers"]}
        self.depths: dict[tuple[int, int, bool], int] = {}

    def visit(self, theirs: int, mine: int, free: bool) -> int:
        """Check a state with O to move; return the discs until F's four at the latest."""
        key, is_settled = (theirs, mine, free), all(need & mine for need in self.needs)
        if key in self.depths or (is_settled and not self.wins):
            return self.depths.get(key, 0)
        moves = self.rules.playable(self.mask | theirs | mine) & self.squares
        safe = all(need & ~theirs not in (0, *each(moves)) for need in self.needs)
        require(safe, "the opponent gets squares that a group should stop")
        require(moves or not self.wins, "the group that should win is full")
        fours, depth = self.rules.threats(self.mine | mine), 0
        if (threats := moves & fours) & (threats - 1):
            return 2
        turns = [(move, free) for move in each(threats or moves)]
        odd = (self.squares & ~(theirs | mine)).bit_count() % 2 == 1
        if free and not threats and (self.free == "one" or odd == (self.free == "one_odd")):
            turns.append((0, self.free == "any_even"))  # F has to move without a stone of O's
        for move, free_later in turns:
            choices = self.rules.playable(self.mask | theirs | move | mine) & self.squares
            if choices or self.wins:
                answer = choices & self.answers.get((theirs | move, mine), 0)
                require(answer, "a group has no answer, or one that cannot be played")
                rest = 0 if answer & fours else self.visit(theirs | move, mine | answer, free_later)
                depth = max(depth, (2 if move else 1) + rest)
        return self.depths.setdefault(key, depth)
