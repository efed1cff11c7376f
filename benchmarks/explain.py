"""How many positions have a short reason, what finding it costs, and whether the proofs hold.

python benchmarks/explain.py [--seed N] [--full] [--sample N] [--ideas] [--rules] [--read N]

Players of levels 3 to 9 play against each other after up to three random discs, and the positions are
drawn at random from their games. The seed is a new one every time, because nothing may be tuned on what
is measured with; the output names it. "At 12 discs" is at 12 and 13, so that both players are to move.
`--full` takes more games and positions: some twenty minutes in place of two.

In place of the table, `--rules` measures how often the rules to keep are true, and `--read N` prints N
texts for somebody to read and mark: a third each at 6-12, 13-20 and 21-30 discs. Of five texts three are
about positions won or lost, one is about a draw and one about a mistake.

Beside each number stands its standard error: of a share that of a binomial sample, with one success and
one failure added so that it is never 0; of a time that of 400 samples drawn again from the times
measured. A goal that is missed by no more than that is called "near".

Times are processor seconds with one thread and the default book, on one solver for all positions: those
of the search with the core's own replay of its proofs, and those of `fourcast.explain`, which has every
proof checked in Python as well.

A clause is what a reader has to remember besides "complete a four, else block one, else play on top": a
pair, all discs that are answered in the same column, or two columns of which one is played when the
other is full (`fourcast.study.explain.clause_count`). Plans and local games are counted, each claim by
itself; forcing lines and proofs case by case are not.

Run it with `make bench-explain`: the forgeries are those of the tests.
"""

from __future__ import annotations

import argparse
import math
import random
import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from fourcast import Explanation, Position, Solver, explain, explain_move, player
from fourcast.cli._support.progress import ProgressBar
from fourcast.render.said import said_text
from fourcast.study import check
from fourcast.study.explain import (
    Cases,
    Force,
    LocalGames,
    Plan,
    clause_count,
    columns_said,
    explain_columns,
)
from tests.render.test_explain import Said, completed, discs_of
from tests.study.forgeries import forge, small_positions
from tests.study.idea_predicates import IDEAS, Told, sampled
from tests.study.plain_search import random_positions
from tests.study.test_marks import missing_wins

LEVELS = range(3, 10)
LOST, DRAWN, WON = -1, 0, 1
SIGNS = ("X", "O")


@dataclass(frozen=True)
class Effort:
    """How much is measured."""

    games: int
    sample: int
    """Positions of each kind."""
    claims: int
    """Claims put to the checker, with those about random positions."""
    forgeries: int


QUICK = Effort(games=120, sample=30, claims=600, forgeries=400)
FULL = Effort(games=600, sample=120, claims=20_000, forgeries=10_000)


@dataclass(frozen=True)
class Case:
    """A position of a game."""

    moves: str
    outcome: int
    """For the side to move."""
    gained: int
    """By how much the last move improved the outcome of the side to move; 0 for a random disc."""

    @property
    def discs(self) -> int:
        """Discs on the board."""
        return len(self.moves)


@dataclass(frozen=True)
class Explained:
    """An explanation and its processor time; None if the checker has refused a claim."""

    found: Explanation | None
    time_s: float
    check_s: float
    """The part of the checker in Python."""

    def is_proven(self, within: int = 0) -> bool:
        """Whether there is a proof after at most *within* plies of best play."""
        return self.found is not None and bool(self.found.claims) and len(self.found.line) <= within


def play(chance: random.Random) -> tuple[str, int]:
    """Return the moves of a game and how many of them are random."""
    levels = chance.sample(LEVELS, 2)
    players = [player(f"level-{level}", seed=chance.randrange(1 << 30)) for level in levels]
    position, moves, opening = Position(), "", chance.randrange(4)
    while not position.is_over:
        if position.ply < opening:
            column = chance.choice(position.legal_columns)
        else:
            column = players[position.ply % 2].choose(position)
        position, moves = position.play(column), moves + str(column + 1)
    return moves, opening


def cases_of(moves: str, opening: int, solver: Solver) -> Iterator[Case]:
    before = None
    for discs in range(len(moves)):
        bounds = solver.solve(Position(moves[:discs]), outcome_only=True, best_columns=False)
        outcome = {"win": WON, "draw": DRAWN, "loss": LOST}[bounds.outcome or ""]
        gained = 0 if before is None or discs <= opening else outcome + before
        yield Case(moves[:discs], outcome, gained)
        before = outcome


# ---- Rules to keep ---------------------------------------------------------------------------------

Squares = set[tuple[int, int]]


def above(squares: Squares) -> Squares:
    return {(column, row + 1) for column, row in squares}


def lasting(position: Position, player: int) -> Squares:
    """The squares on which a player wins once they can be played, which they cannot now."""
    heights = position.heights
    return {(column, row) for column, row in position.threats(player) if row > heights[column]}


def useful(position: Position, player: int, parity: int) -> Squares:
    """Lasting threats in rows of a parity that are not shared, and below which the other has none."""
    theirs = position.threats(3 - player)
    mine = {square for square in lasting(position, player) if square[1] % 2 == parity}
    blocked = {(column, row) for column, row in mine for c, r in theirs if c == column and r <= row}
    return mine - blocked


def is_quiet(position: Position) -> bool:
    return not position.winning_columns(1) and not position.winning_columns(2)


def wins(position: Position, player: int, solver: Solver) -> bool:
    outcome = solver.solve(position, outcome_only=True, best_columns=False).outcome
    return outcome == ("win" if position.turn == player else "loss")


def any_odd(position: Position, solver: Solver) -> Iterator[bool]:
    if is_quiet(position) and any(row % 2 == 0 for _, row in lasting(position, 1)):
        yield wins(position, 1, solver)


def useful_odd(position: Position, solver: Solver) -> Iterator[bool]:
    if is_quiet(position) and useful(position, 1, 0) and not lasting(position, 2):
        yield wins(position, 1, solver)


def useful_even(position: Position, solver: Solver) -> Iterator[bool]:
    if is_quiet(position) and useful(position, 2, 1) and not useful(position, 1, 0):
        yield wins(position, 2, solver)


def stacked(position: Position, solver: Solver) -> Iterator[bool]:
    for side in (1, 2):
        mine = lasting(position, side)
        if is_quiet(position) and above(mine) & mine:
            yield wins(position, side, solver)


def two_threats(position: Position, solver: Solver) -> Iterator[bool]:
    """The side to move can make two threats at once, and has nothing to block."""
    turn = position.turn
    nexts = [position.play(column) for column in position.legal_columns]
    if is_quiet(position) and any(
        len(after.winning_columns(turn)) > 1 and not after.winning_columns(3 - turn) for after in nexts
    ):
        yield wins(position, turn, solver)


def open_three_left(position: Position, solver: Solver) -> Iterator[bool]:
    """Moves that leave the opponent two in a row, open on both sides: whether they lose."""
    turn = position.turn
    if not is_quiet(position):
        return
    for column in position.legal_columns:
        after = position.play(column)
        if after.is_over or not is_quiet(after):
            continue
        twos = (after.play(c).winning_columns(3 - turn) for c in after.legal_columns)
        if any(len(threats) > 1 for threats in twos):
            yield wins(after, 3 - turn, solver)


def key_square(position: Position, solver: Solver) -> Iterator[bool]:
    """Moves of the second player to a square that would give the first an odd threat."""
    if position.turn != 2 or not is_quiet(position):
        return
    analysis = solver.analyze(position, variations=False)
    for line in analysis:
        square = line.column, position.heights[line.column]
        own = discs_of(position, 1) | {square}
        odd = {
            (column, row)
            for column in position.legal_columns
            for row in range(position.heights[column] + 1, position.height)
            if row % 2 == 0
        }
        odd -= set(position.threats(1)) | above({square})
        if any(completed(position, own, each) for each in odd):
            yield line.outcome == analysis.outcome


RULES: dict[str, Callable[[Position, Solver], Iterator[bool]]] = {
    "the first player has an odd threat: wins": any_odd,
    "a useful one, and the second player has no threat: wins": useful_odd,
    "the second player has a useful even threat, the first no useful odd: wins": useful_even,
    "two winning squares on top of each other: wins": stacked,
    "a disc that makes two threats at once: wins": two_threats,
    "a move that allows such a disc: loses": open_three_left,
    "the square that would give the first player an odd threat: keeps the result": key_square,
}


class Bench:
    """The positions of fresh games, and their explanations."""

    def __init__(self, seed: int, effort: Effort) -> None:
        self.seed, self.effort = seed, effort
        self.chance, self.solver = random.Random(seed), Solver(threads=1)
        self.known: dict[str, Explained] = {}
        self.cases: list[Case] = []
        self.claims = self.refused = 0
        with ProgressBar("games", total=effort.games, transient=True) as bar:
            for number in range(effort.games):
                game = play(random.Random(f"{seed}/{number}"))
                self.cases.extend(cases_of(*game, self.solver))
                bar.show(number + 1, effort.games)

    def sample(self, what: str, chosen: Sequence[Case], most: int | None = None) -> list[Explained]:
        """Explain some of the chosen cases."""
        count = min(len(chosen), most or self.effort.sample)
        picked, found = self.chance.sample(chosen, count), []
        with ProgressBar(what, total=count, transient=True) as bar:
            for number, case in enumerate(picked, start=1):
                if case.moves not in self.known:
                    self.known[case.moves] = self.explain(Position(case.moves))
                found.append(self.known[case.moves])
                bar.show(number, count)
        return found

    def explain(self, position: Position) -> Explained:
        """Explain a position and count what the checker accepts and refuses."""
        start = time.process_time()
        try:
            found = explain(position, solver=self.solver)
        except RuntimeError:  # a proof that does not hold
            self.refused += 1
            self.claims += 1
            return Explained(None, 0, 0)
        self.claims += len(found.claims)
        taken, content = time.process_time() - start, found.to_json()
        start = time.process_time()
        check(content)
        return Explained(found, taken, min(taken, time.process_time() - start))

    def measure(self) -> None:
        """Print the table, row by row."""
        self.measure_ideas()
        for discs, goal in ((8, 0.60), (12, 0.85), (16, 0.95), (20, 0.99)):
            what = f"won or lost at {discs} discs"
            chosen = [c for c in self.cases if c.discs & ~1 == discs and c.outcome != DRAWN]
            show_proven(f"{what}, proven", self.sample(what, chosen), goal)
        for low, goal in ((16, 0.45), (20, 0.85), (24, 0.95)):
            what = f"drawn at {low} to {low + 3} discs"
            chosen = [c for c in self.cases if c.discs & ~3 == low and c.outcome == DRAWN]
            show_proven(f"{what}, proven for each side", self.sample(what, chosen), goal)
        self._measure_time()
        self._measure_mistakes()
        self._measure_clauses()
        self._measure_checker()

    def measure_ideas(self) -> None:
        """What the texts say, and whether it is true."""
        everything = list[Explanation]()
        for low, high, goal in ((6, 12, 0.92), (13, 20, 0.98), (21, 30, 0.99)):
            what = f"won or lost at {low} to {high} discs"
            chosen = [c for c in self.cases if low <= c.discs <= high and c.outcome != DRAWN]
            found = [e.found for e in self.sample(what, chosen) if e.found and e.found.idea]
            ideas = [dict(each.idea or {}) for each in found]
            named = [idea for idea in ideas if idea["squares"]]
            show_share(f"{what}: an idea with its square", len(named), len(found), goal)
            exact = sum(idea["kind"] != "example" for idea in named)
            print(f"({exact} of them hold for more than one line of best play)", flush=True)
            everything += found
        drawn = [c for c in self.cases if 6 <= c.discs <= 30 and c.outcome == DRAWN]
        found = [e.found for e in self.sample("drawn", drawn) if e.found]
        told = [{said["pattern"] for said in dict(each.idea or {})["said"]} for each in found]
        bare = {"idea_only_draw", "idea_no_reason", "no_reason", "idea_block"}
        show_share("drawn: more than the only column", sum(bool(t - bare) for t in told), len(told), 0.6)
        everything += found
        words = sorted(len(each.words().split()) for each in everything)
        for name, share, most in (("median", 0.5, 60), ("95th percentile", 0.95, 90)):
            value = words[int(share * (len(words) - 1))]
            show_row(f"words, {name}", f"{value}", "", f"{most}", verdict(most - value, 0), len(words))
        dumps = ("table", "case by case", "answer to everything")
        show_count(
            "texts that are dumps",
            sum(any(word in each.words() for word in dumps) for each in everything),
            len(everything),
        )
        self._measure_truth(everything)

    def read(self, count: int) -> None:
        """Print texts as `fourcast explain` has them, without marks on the boards."""
        bands = ((6, 12), (13, 20), (21, 30))
        kinds: tuple[tuple[str, Callable[[Case], bool]], ...] = (
            ("won", lambda case: case.outcome == WON),
            ("lost", lambda case: case.outcome == LOST),
            ("mistake", lambda case: case.gained > 0),
            ("won or lost", lambda case: case.outcome != DRAWN),
            ("drawn", lambda case: case.outcome == DRAWN),
        )
        seen = set[str]()
        for number in range(count):
            (low, high), (kind, fits) = bands[number % 3], kinds[number // 3 % len(kinds)]
            chosen = [
                c for c in self.cases if low <= c.discs <= high and fits(c) and c.moves not in seen
            ]
            moves = self.chance.choice(chosen).moves
            seen.add(moves)
            text = self._text_of_move(moves) if kind == "mistake" else self._text(moves)
            print(f"\n#{number + 1} ({kind}) {text}", flush=True)

    def _text(self, moves: str) -> str:
        position = Position(moves)
        found = explain(position, solver=self.solver)
        lines = columns_said(explain_columns(position, solver=self.solver), found)
        columns = [said_text(line, SIGNS) for line in lines]
        return "\n".join([f"explain {moves}", str(position), found.words(SIGNS), *columns])

    def _text_of_move(self, moves: str) -> str:
        before, column = Position(moves[:-1]), int(moves[-1]) - 1
        text = explain_move(before, column, solver=self.solver).words(SIGNS)
        return f"explain {moves[:-1]} --move {moves[-1]}\n{before}\n{text}"

    def measure_rules(self) -> None:
        """How often each rule to keep holds, by the solver, in positions that it is about."""
        print(f"{'rule, in positions with 12 discs and more':70} {'true':>5} {'of':>7}", flush=True)
        everything = sorted({case.moves for case in self.cases if case.discs >= 12})
        positions = self.chance.sample(everything, min(len(everything), 50 * self.effort.sample))
        for what, fits in RULES.items():
            found = [result for moves in positions for result in fits(Position(moves), self.solver)]
            share = sum(found) / max(len(found), 1)
            print(f"{what:70} {share:5.2f} {len(found):7,}", flush=True)

    def _measure_truth(self, explanations: Sequence[Explanation]) -> None:
        ends = said = missing = claims = sentences = 0
        false = list[str]()
        for each in explanations:
            idea = dict(each.idea or {})
            for sentence in idea["said"]:
                told = Told(Said(sentence, each.position, each), each)
                sentences += 1
                if not IDEAS[told.pattern](told):
                    false.append(f"{each.position.to_rows()}: {told.words}")
            if each.verdict.outcome == "draw" or not each.claims:
                continue
            (claim,) = each.claims
            if isinstance(claim.proof, Force):
                continue
            if isinstance(claim.proof, Plan | LocalGames):
                claims += 1
                missing += bool(missing_wins(each, 12))
            games = sampled(each.claims_position, claim, 2, 12)
            if all(end.kind == "zug" for end in games):
                ends += 1
                said += "ugzwang" in each.words() or "must play" in each.words()
        show_share("zugzwang of sensible defense that is said", said, ends, 0.95)
        show_count("plans and local games with a winning square unmarked", missing, claims)
        show_count("sentences of ideas that are false", len(false), sentences)
        for words in false:
            print(f"({words})")

    def _measure_time(self) -> None:
        what = "12 discs and more"
        chosen = [case for case in self.cases if case.discs >= 12]
        found = self.sample(what, chosen, 4 * self.effort.sample)
        search = [1000 * (each.time_s - each.check_s) for each in found]
        everything = [1000 * each.time_s for each in found]
        for times, part in ((search, "search"), (everything, "with the check")):
            cuts = statistics.quantiles(times, n=100)
            again = [
                statistics.quantiles(self.chance.choices(times, k=len(times)), n=100) for _ in range(400)
            ]
            for name, place, goal in (("median", 50, 1), ("99th percentile", 99, 500)):
                value = cuts[place - 1]
                error = statistics.pstdev(each[place - 1] for each in again)
                numbers = f"{value:.1f}", f"{error:.1f}", f"{goal}"
                row = f"{what}, ms, {part}, {name}"
                show_row(row, *numbers, verdict(goal - value, error), len(found))

    def _measure_mistakes(self) -> None:
        losing = [case for case in self.cases if case.gained > 0 and case.outcome == WON]
        found = self.sample("losing mistakes", losing)
        for within, goal in ((0, 0.35), (8, 0.85), (12, 0.97)):
            when = f"within {within} plies" if within else "at once"
            show_proven(f"losing mistakes, explained {when}", found, goal, within)
        drawing = [case for case in self.cases if case.gained > 0 and case.outcome == DRAWN]
        found = self.sample("win-to-draw mistakes", drawing)
        show_proven("win-to-draw mistakes, explained within 12 plies", found, 0.85, 12)

    def _measure_clauses(self) -> None:
        """How plans and local games read."""
        for low, high, goal in ((12, 15, 0.80), (16, 23, 0.90)):
            what = f"plans at {low} to {high} discs"
            chosen = [case for case in self.cases if low <= case.discs <= high]
            proven = [e.found for e in self.sample(what, chosen) if e.found and e.is_proven()]
            claims = [(claim, found) for found in proven for claim in found.claims]
            plans = [each for each in claims if isinstance(each[0].proof, Plan | LocalGames)]
            short = [each for each in plans if clause_count(each[0], each[1].claims_position) <= 2]
            show_share(f"{what} that read in at most 2 clauses", len(short), len(plans), goal)
            force = sum(isinstance(claim.proof, Plan) and claim.proof.takes > 1 for claim, _ in short)
            cases = sum(isinstance(claim.proof, Cases) for claim, _ in claims)
            print(f"({force} of them also take forced wins of two discs;")
            print(f"{cases} more claims are proven case by case)", flush=True)

    def _measure_checker(self) -> None:
        sizes = ((7, 6, 14, 38), (5, 4, 0, 18), (6, 5, 8, 28), (9, 7, 48, 60), (4, 12, 30, 46))
        with ProgressBar("claims", total=self.effort.claims, transient=True) as bar:
            while self.claims < self.effort.claims:
                size = self.chance.choice(sizes)
                for position in random_positions(20, self.chance.randrange(1 << 30), *size):
                    self.explain(position)
                bar.show(min(self.claims, self.effort.claims), self.effort.claims)
        show_count("claims refused by the checker", self.refused, self.claims)
        forged = accepted = false = 0
        with ProgressBar("forgeries", total=self.effort.forgeries, transient=True) as bar:
            while forged < self.effort.forgeries:
                seed = self.chance.randrange(1 << 30)
                tally = forge(small_positions(10, seed), 10, seed)
                forged, accepted = forged + tally.forged, accepted + tally.accepted
                false += len(tally.false)
                bar.show(min(forged, self.effort.forgeries), self.effort.forgeries)
        show_count("forged proofs accepted that are false", false, forged)
        print(f"({accepted:,} forged proofs are true by plain search, and accepted)")


def verdict(margin: float, error: float) -> str:
    """Whether a goal is reached, by the margin to it and the standard error."""
    return "yes" if margin >= 0 else "near" if margin >= -error else "no"


def show_proven(row: str, found: Sequence[Explained], goal: float, within: int = 0) -> None:
    show_share(row, sum(each.is_proven(within) for each in found), len(found), goal)


def show_share(row: str, part: int, whole: int, goal: float) -> None:
    share, guess = part / max(whole, 1), (part + 1) / (whole + 2)
    error = math.sqrt(guess * (1 - guess) / max(whole, 1))
    show_row(row, f"{share:.2f}", f"{error:.2f}", f"{goal:.2f}", verdict(share - goal, error), whole)


def show_count(row: str, wrong: int, whole: int) -> None:
    show_row(row, f"{wrong}", "", "0", verdict(-wrong, 0), whole)


def show_row(row: str, value: str, error: str, goal: str, reached: str, count: int) -> None:
    print(f"{row:58} {value:>7} {error:>6} {goal:>6} {reached:>8} {count:7,}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--full", action="store_true")
    parser.add_argument("--sample", type=int, help="positions of each kind")
    parser.add_argument("--ideas", action="store_true", help="only the rows about ideas")
    parser.add_argument("--rules", action="store_true", help="how often the rules to keep are true")
    parser.add_argument("--read", type=int, metavar="N", help="print texts in place of the table")
    given = parser.parse_args()
    effort = FULL if given.full else QUICK
    if given.sample:
        effort = replace(effort, sample=given.sample, games=max(effort.games, 5 * given.sample))
    if given.read:
        print(f"{effort.games:,} games of seed {given.seed}", flush=True)
        Bench(given.seed, effort).read(given.read)
        return
    if given.rules:
        print(f"{effort.games:,} games of seed {given.seed}", flush=True)
        Bench(given.seed, effort).measure_rules()
        return
    print(f"{effort.games:,} games of seed {given.seed}; the last column is the size of the sample")
    print(f"{'':58} {'now':>7} {'error':>6} {'goal':>6} {'reached':>8} {'of':>7}", flush=True)
    bench = Bench(given.seed, effort)
    if given.ideas:
        bench.measure_ideas()
    else:
        bench.measure()


if __name__ == "__main__":
    main()
