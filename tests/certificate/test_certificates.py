"""Certificates: what they prove, and what is refused."""

from __future__ import annotations

import random
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from importlib import resources
from pathlib import Path

import pytest

import fourcast
from fourcast import FinishedGameError, Position, Solver
from fourcast.arena import load_suite
from fourcast.certificate import (
    READABLE,
    Certificate,
    alone,
    answer,
    levels,
    shipped,
    shipped_names,
    to_play,
)
from fourcast.certificate.look import Goal
from fourcast.certificate.search import Search, search_in
from fourcast.certificate.search.best_first import PRICE, LocalGameSearch
from fourcast.certificate.theorem import LIBRARY, write_coq
from fourcast.certificate.writer import FORCED, Strategy, decode, encode, symbols_of, written
from fourcast.errors import CertificateError
from fourcast.notation import format_moves, parse_moves
from fourcast.render.said import said_text

# Positions in which somebody wins, but not at once.
WON = [("15635524465362262533", 1), ("14642545655244774665", 2), ("47161242773411322363233414427", 2)]


def made(folder: Path, moves: str, player: int, *, win: bool = True, readable: bool = False) -> Strategy:
    return built(folder, moves, player, win=win, readable=readable).strategy


def built(folder: Path, moves: str, player: int, *, win: bool = True, readable: bool = False) -> Search:
    search = search_in(folder, Strategy(7, 6, player, win, parse_moves(moves), readable=readable))
    search.build(1)
    return search


def plainly_checked(data: bytes) -> alone.Checker:
    checker = alone.Checker(data)
    checker.run()
    return checker


def checked_by_levels(data: bytes) -> levels.LevelChecker:
    checker = levels.LevelChecker(data)
    checker.run()
    return checker


def is_refused_by_core(data: bytes) -> bool:
    try:
        Certificate(data).check()
    except CertificateError:
        return True
    return False


def is_refused_by_both(data: bytes) -> bool:
    """Whether a certificate is refused; the core and the plain checker of its version must agree."""
    try:
        if data[4:5] == b"\x03":
            checked_by_levels(data)
        else:
            plainly_checked(data)
        accepted = True
    except (alone.CertificateError, levels.CertificateError):
        accepted = False
    assert is_refused_by_core(data) != accepted
    return not accepted


WHOLE_GAME = shipped("7x6")
WHOLE_GAME_READABLE = "7x6-4-readable"


def test_the_first_player_wins() -> None:
    proven = WHOLE_GAME.check()
    assert (proven.width, proven.height, proven.player, proven.win) == (7, 6, 1, True)
    assert proven.start == (3,)
    assert proven.positions <= 780
    assert proven.inner_moves <= 180
    assert proven.bytes == len(WHOLE_GAME.data) <= 6000


@pytest.mark.slow
@pytest.mark.parametrize("name", shipped_names()[1:])
def test_every_shipped_certificate_is_a_proof_of_what_its_name_says(name: str) -> None:
    certificate = shipped(name)
    proven = certificate.check()
    size, *rest = name.removesuffix(READABLE).split("-")
    assert bool(proven.diagrams) == name.endswith(READABLE)
    assert f"{proven.width}x{proven.height}" == size
    sides = [each for each in rest if each in ("first", "second")]
    assert sides == [] or sides == [("first", "second")[proven.player - 1]]
    assert format_moves(proven.start) == "".join(each for each in rest if each not in sides)
    assert is_refused_by_both(certificate.data) is False


@pytest.mark.slow
def test_the_plain_checker_needs_nothing_of_fourcast(tmp_path: Path) -> None:
    shutil.copy(alone.__file__, tmp_path / "alone.py")
    (tmp_path / "first.c4win").write_bytes(WHOLE_GAME.data)
    command = [sys.executable, "-I", "-S", "alone.py", "first.c4win"]
    run = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False, timeout=900)
    assert (run.returncode, run.stderr) == (0, "")
    assert run.stdout.startswith("7x6, after 4: player 1 wins\n")
    assert f"{WHOLE_GAME.check().positions} positions of that player" in run.stdout


@pytest.mark.parametrize(("moves", "player"), WON)
def test_a_strategy_is_found_written_and_checked_by_both(
    tmp_path: Path, moves: str, player: int
) -> None:
    search = built(tmp_path, moves, player)
    data = encode(search.strategy)
    checker = plainly_checked(data)
    proven = Certificate(data).check()
    size = search.size()
    assert (proven.positions, proven.inner_moves, proven.forced, proven.local_games) == (
        size.positions,
        size.inner,
        size.forced,
        size.leaves,
    )
    assert checker.positions == proven.positions
    assert checker.counts == [proven.inner_moves, proven.local_games]
    assert checker.states == proven.states == size.states


@pytest.mark.parametrize(("moves", "player"), WON)
def test_a_strategy_of_level_diagrams_is_checked_by_both_and_wins_every_game(
    tmp_path: Path, moves: str, player: int
) -> None:
    search = built(tmp_path, moves, player, readable=True)
    certificate = Certificate(encode(search.strategy))
    proven, size, checker = certificate.check(), search.size(), checked_by_levels(certificate.data)
    assert (proven.positions, proven.inner_moves, proven.leaves) == (
        size.positions,
        size.inner,
        size.leaves,
    )
    assert (checker.positions, checker.inner, checker.leaves) == (
        proven.positions,
        proven.inner_moves,
        proven.by_level,
    )
    assert (len(checker.diagrams), checker.states) == (proven.diagrams, proven.states)
    assert 0 < proven.diagrams <= proven.by_level
    chance, reasons = random.Random(3), set()
    for _ in range(8):
        position = Position(moves)
        while not position.is_over:
            column = chance.choice(list(position.legal_columns))
            if position.turn == player:
                found = answer([certificate], position)
                assert found is not None
                assert bool(found.levels) == (found.why in ("levels", "block"))
                column = found.column
                reasons.add(found.why)
            position = position.play(column)
        assert position.winner == player
    assert {"levels", "four"} <= reasons


def test_a_diagram_says_its_rule_and_is_mirrored_with_the_position(tmp_path: Path) -> None:
    certificate = Certificate(encode(made(tmp_path, *WON[0], readable=True)))
    position = Position(WON[0][0])
    found, other = answer([certificate], position), answer([certificate], position.mirror())
    assert found is not None
    assert other is not None
    assert "the lowest level that exactly one open square has" in said_text(found.said)
    assert other.column == 6 - found.column
    board = alone.Board(7, 6)
    assert other.levels == tuple(map(board.mirrored, found.levels))


def test_the_two_versions_are_refused_by_the_checker_of_the_other(tmp_path: Path) -> None:
    learnable = encode(made(tmp_path / "levels", *WON[0], readable=True))
    with pytest.raises(alone.CertificateError, match="no certificate of version 2"):
        plainly_checked(learnable)
    with pytest.raises(levels.CertificateError, match="no certificate of version 3"):
        checked_by_levels(WHOLE_GAME.data)


def test_the_checker_of_level_diagrams_needs_nothing_of_fourcast(tmp_path: Path) -> None:
    shutil.copy(levels.__file__, tmp_path / "levels.py")
    (tmp_path / "won.c4win").write_bytes(encode(made(tmp_path / "made", *WON[0], readable=True)))
    command = [sys.executable, "-I", "-S", "levels.py", "won.c4win"]
    run = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False, timeout=60)
    assert (run.returncode, run.stderr) == (0, "")
    assert run.stdout.startswith(f"7x6, after {WON[0][0]}: player 1 wins\n")


def test_a_draw_has_a_certificate_for_each_side(tmp_path: Path) -> None:
    moves = "4623177244664763555563334225234652"
    assert Solver().solve(Position(moves)).score == 0
    for player in (1, 2):
        data = encode(made(tmp_path / str(player), moves, player, win=False))
        assert not is_refused_by_both(data)
        assert not Certificate(data).check().win


@pytest.mark.parametrize(
    ("width", "height", "player", "win"),
    [(4, 4, 1, False), (4, 4, 2, False), (5, 4, 1, False), (5, 4, 2, False), (6, 4, 2, True)],
)
def test_small_boards_have_certificates_from_the_first_move(
    tmp_path: Path, width: int, height: int, player: int, win: bool
) -> None:
    search = search_in(tmp_path, Strategy(width, height, player, win))
    search.build(1)
    data = encode(search.strategy)
    assert not is_refused_by_both(data)
    assert is_true(data)


def test_what_is_not_true_is_not_searched_for(tmp_path: Path) -> None:
    with pytest.raises(CertificateError, match="cannot reach that goal"):
        search_in(tmp_path, Strategy(6, 4, 1, True)).build(0)


def test_a_search_goes_on_where_it_was(tmp_path: Path) -> None:
    first = made(tmp_path, *WON[0])
    with (tmp_path / "tried.jsonl").open("a") as log:
        log.write('["1", ')  # killed while it wrote
    again = LocalGameSearch(tmp_path, Strategy(7, 6, WON[0][1], True, parse_moves(WON[0][0])))
    assert (again.strategy.moves, again.strategy.leaves) == (first.moves, first.leaves)
    before = again.size()
    helped = list(again.polish_all(1, 1))
    cost = PRICE * again.size().positions + again.size().states
    assert cost < PRICE * before.positions + before.states if any(helped) else not any(helped)
    assert not again.reachable()[2]
    Certificate(encode(again.strategy)).check()


def forgeries(strategy: Strategy, count: int, seed: int) -> Iterator[bytes]:
    """Yield certificates with symbols changed, swapped, left out or added, and files cut or changed.

    No two of them are the same.
    """
    chance = random.Random(seed)
    original = symbols_of(strategy)
    data = encode(strategy)
    head = data[: 10 + len(strategy.start)]
    made_so_far = {data}
    while len(made_so_far) <= count:
        symbols = list(original)
        place, other = chance.randrange(len(symbols)), chance.randrange(len(symbols))
        values, symbol = symbols[place]
        changed = bytearray(data)
        at = chance.randrange(len(data))
        match chance.randrange(7):
            case 0:  # another move, reply, split or hint
                symbols[place] = values, (symbol + chance.randrange(1, max(values, 2))) % values
            case 1:  # two symbols swapped
                symbols[place], symbols[other] = symbols[other], symbols[place]
            case 2:  # one left out
                del symbols[place]
            case 3:  # a claim in place of all replies, or the other way round
                kinds = [i for i, each in enumerate(symbols) if each[0] == 2]
                place = chance.choice(kinds) if kinds else place
                symbols[place] = symbols[place][0], (symbols[place][1] + 1) % symbols[place][0]
            case 4:
                changed[at] ^= 1 << chance.randrange(8)
            case 5:
                del changed[at:]
            case _:
                changed.insert(at, chance.randrange(256))
        if symbols != original:
            changed = bytearray(head + written(symbols))
        forged = bytes(changed)
        if forged not in made_so_far:
            made_so_far.add(forged)
            yield forged


def is_true(data: bytes) -> bool:
    """Whether what a certificate claims is what the solver says."""
    proven = Certificate(data).check()
    position = Position.from_columns(proven.start, width=proven.width, height=proven.height)
    score = Solver().solve(position).score
    assert score is not None
    ours = score if position.turn == proven.player else -score
    return ours > 0 if proven.win else ours >= 0


def keeps_its_word(data: bytes, games: int) -> bool:
    """Whether a certificate, as a player, reaches in random games what it claims."""
    certificate, chance = Certificate(data), random.Random(len(data))
    proven = certificate.check()
    for _ in range(games):
        position = Position.from_columns(proven.start, width=proven.width, height=proven.height)
        while not position.is_over:
            column = chance.choice(list(position.legal_columns))
            if position.turn == proven.player:
                found = answer([certificate], position)
                if found is None:
                    return False
                column = found.column
            position = position.play(column)
        if position.winner != proven.player and (proven.win or position.winner is not None):
            return False
    return True


@pytest.mark.parametrize("readable", [False, True])
@pytest.mark.parametrize(("moves", "player"), WON)
def test_forgeries_are_refused_or_true(tmp_path: Path, moves: str, player: int, readable: bool) -> None:
    """A change may make another proof: what is accepted must be what the solver says."""
    forged = list(forgeries(made(tmp_path, moves, player, readable=readable), 60, seed=len(moves)))
    accepted = [data for data in forged if not is_refused_by_both(data)]
    assert all(is_true(data) and keeps_its_word(data, 5) for data in accepted)
    assert len(accepted) < len(forged) / 2


def strategy_of(certificate: Certificate) -> Strategy:
    """What a certificate of level diagrams plays, asked move by move."""
    proven = certificate.check()
    goal = Goal(proven.width, proven.height, proven.player, True, readable=True)
    strategy = Strategy(goal.width, goal.height, goal.player, True, proven.start, readable=True)
    start, to_move = strategy.begin(goal.board)
    waiting = [goal.board.one_of_mirrors(*start)] if to_move else goal.replies(start)
    while waiting:
        place = waiting.pop()
        if place in strategy.moves:
            continue
        found = answer([certificate], goal.position(place))
        assert found is not None
        move = goal.board.playable(place[0] | place[1]) & goal.board.columns[found.column]
        strategy.moves[place] = FORCED if found.why == "force" else move
        moved = place[0] | move, place[1]
        after = goal.board.one_of_mirrors(*moved)
        if found.why == "levels":
            seen = found.levels if after == moved else map(goal.board.mirrored, found.levels)
            strategy.leaves[after] = {"levels": list(map(str, seen))}
        elif found.why == "move":
            waiting += goal.replies(after)
    return strategy


LEARNABLE = [name for name in shipped_names() if name.endswith(READABLE)]


@pytest.mark.parametrize("name", [name for name in shipped_names() if name != WHOLE_GAME_READABLE])
def test_a_certificate_that_is_read_is_written_as_the_same_file(name: str) -> None:
    assert encode(decode(shipped(name))) == shipped(name).data


@pytest.mark.parametrize("name", LEARNABLE)
def test_what_a_learnable_certificate_plays_makes_the_same_file(name: str) -> None:
    strategy = strategy_of(shipped(name))
    assert encode(strategy) == shipped(name).data
    assert len(strategy.moves) == shipped(name).check().positions
    assert keeps_its_word(shipped(name).data, 20)


def test_forgeries_of_a_learnable_certificate_are_refused_or_true() -> None:
    forged = list(forgeries(strategy_of(shipped("6x4-readable")), 20, seed=1))
    accepted = [data for data in forged if not is_refused_by_both(data)]
    assert all(is_true(data) and keeps_its_word(data, 5) for data in accepted)
    assert len(accepted) < len(forged) / 2


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in LEARNABLE if name != WHOLE_GAME_READABLE])
def test_more_forgeries_of_a_learnable_certificate_are_refused_or_true(name: str) -> None:
    forged = list(forgeries(strategy_of(shipped(name)), 100, seed=31))
    accepted = [data for data in forged if not is_refused_by_core(data)]
    assert all(is_refused_by_both(data) == (data not in accepted) for data in forged[::25])
    assert all(keeps_its_word(data, 3) for data in accepted)
    by_claim = {data[: 10 + data[9]]: data for data in accepted}
    assert all(map(is_true, by_claim.values()))
    assert len(accepted) < len(forged) / 2


@pytest.mark.slow
def test_ten_thousand_forgeries_are_refused_or_true(tmp_path: Path) -> None:
    """5,100 by both checkers; of 5,000 of a larger certificate every hundredth by the plain one, too."""
    strategies = [
        made(tmp_path / f"{number}{readable}", moves, player, readable=readable)
        for number, (moves, player) in enumerate(WON)
        for readable in (False, True)
    ]
    large = made(tmp_path / "large", "4444466", 1)
    forged = [data for each in strategies for data in forgeries(each, 850, seed=31)]
    accepted = [data for data in forged if not is_refused_by_both(data)]
    for number, data in enumerate(forgeries(large, 5_000, seed=31)):
        refused = is_refused_by_core(data)
        assert number % 100 or is_refused_by_both(data) == refused
        forged.append(data)
        accepted += [] if refused else [data]
    assert len(set(forged)) >= 10_000
    # What is accepted is another proof: the level of a square that is full means nothing, say.
    assert all(keeps_its_word(data, 5) for data in accepted)
    assert len(accepted) < len(forged) / 2
    by_claim = {data[: 10 + data[9]]: data for data in accepted}
    assert all(map(is_true, by_claim.values()))


@pytest.mark.parametrize(
    "data", [b"", b"C4WN", b"C4WN\x01" + bytes(20), b"x" * 50, b"C4WN\x02\x07\x06\x03\x01\x00\x01"]
)
def test_other_files_are_refused_with_a_sentence(data: bytes) -> None:
    with pytest.raises(CertificateError, match=r"certificate|player|symbol|early"):
        Certificate(data).check()


def test_the_certificate_alone_wins_every_game_and_its_mirror_image() -> None:
    chance = random.Random(71)
    for number in range(12):
        position, reasons = Position(), set()
        while not position.is_over:
            if position.turn == 1:
                seen = position.mirror() if number % 2 else position
                found = answer([WHOLE_GAME], seen)
                assert found is not None
                reasons.add(found.why)
                column = 6 - found.column if number % 2 else found.column
            else:
                column = chance.choice(list(position.legal_columns))
            position = position.play(column)
        assert position.winner == 1
        assert {"start", "move", "four"} <= reasons


def test_a_certificate_holds_a_draw_from_wherever_its_player_has_gone(tmp_path: Path) -> None:
    moves, chance = "4623177244664763555563334225", random.Random(5)
    certificate = Certificate(encode(made(tmp_path, moves, 1, win=False)))
    for _ in range(10):
        position = Position(moves)
        while not position.is_over:
            found = answer([certificate], position)
            assert (found is None) == (position.turn == 2)
            column = chance.choice(list(position.legal_columns)) if found is None else found.column
            position = position.play(column)
        assert position.winner != 2


def test_what_is_said_of_positions_that_the_proof_does_not_lead_to_is_true() -> None:
    """Of random games, which may have met the opponent's disc where the proof would not have let it."""
    found = []
    suite = load_suite()
    for question in (*suite[1::4], *suite[-80:]):
        if (said := answer(to_play(), question.moves)) and said.why != "four":
            score = question.scores[said.column]
            assert score is not None
            assert score >= (1 if said.win else 0), question.moves
            found.append(said.why)
    assert found.count("local") > 10


def test_the_player_follows_the_proof_and_is_perfect_elsewhere() -> None:
    chooser = fourcast.player("proof", seed=1)
    assert chooser.name == "proof"
    assert chooser.choose(Position("")) == 3
    assert chooser.choose(Position("41")) == answer([WHOLE_GAME], "41").column  # type: ignore[union-attr]
    assert answer(to_play(), "4") is None
    assert chooser.choose(Position("4")) == 3
    with pytest.raises(FinishedGameError):
        chooser.choose(Position("1212121"))


def test_the_certificate_is_silent_where_it_says_nothing() -> None:
    assert answer([WHOLE_GAME], "4") is None  # it is not for the second player
    assert answer([WHOLE_GAME], "11") is None
    assert answer([WHOLE_GAME], Position(width=8)) is None
    assert answer([], "44") is None
    with pytest.raises(CertificateError, match="not a certificate"):
        answer([Certificate(b"nothing")], "44")


@pytest.mark.slow
@pytest.mark.parametrize(("moves", "player"), WON[:2])
def test_coq_accepts_the_theorem_without_axioms_of_ours(tmp_path: Path, moves: str, player: int) -> None:
    certificate = Certificate(encode(made(tmp_path / "search", moves, player)))
    check_with_coq(certificate, tmp_path / "coq")


@pytest.mark.slow
@pytest.mark.parametrize("name", ["6x4-readable", "6x6-readable"])
def test_coq_accepts_what_people_can_learn(tmp_path: Path, name: str) -> None:
    check_with_coq(shipped(name), tmp_path)


def test_what_holds_a_draw_is_no_theorem(tmp_path: Path) -> None:
    with pytest.raises(CertificateError, match=r"only a win .* `fourcast certificate check`"):
        write_coq(shipped("6x5-first"), tmp_path)


def test_a_learnable_win_is_written_out_as_a_plain_strategy_that_wins() -> None:
    """All answers, in the order that `Unfolded` of native/certificate/check.hpp describes."""
    columns, claims = shipped("6x4-readable").unfold()
    assert claims == []
    answers, seen = iter(columns), set()

    def replies(position: Position) -> None:
        assert not position.is_over
        for after in position.children().values():
            assert after.winner is None
            if after in seen or after.winning_columns(2):
                continue
            seen.add(after)
            moved = after.play(int(next(answers)) - 1)
            assert next(answers) == "1"  # a flag, written as a column: no local games follow
            replies(moved)

    replies(Position(width=6, height=4))
    assert next(answers, None) is None
    assert len(columns) == 2 * len(seen) == 99_850


@pytest.mark.slow
def test_coq_accepts_that_the_first_player_wins(tmp_path: Path) -> None:
    check_with_coq(WHOLE_GAME, tmp_path)
    assert "Theorem first_player_wins : Wins height columns 0 0." in (tmp_path / "Win.v").read_text()


def check_with_coq(certificate: Certificate, folder: Path) -> None:
    output = ""
    for path in write_coq(certificate, folder):
        command = ["coqc", "-Q", str(folder), LIBRARY, str(path)]
        run = subprocess.run(
            command, cwd=folder, capture_output=True, text=True, check=True, timeout=600
        )
        output += run.stdout
    _, _, listed = output.partition("Axioms:\n")
    lines = [line for line in listed.splitlines() if line and not line.startswith(" ")]
    axioms = {line.split(" ")[0].rpartition(".")[2] for line in lines}
    # Coq's primitive integers, their operations, and what its library says of them.
    operations = {"add", "sub", "mul", "land", "lor", "lxor", "lsl", "lsr", "eqb", "leb", "ltb"}
    laws = {f"{name}_spec" for name in operations} | {"eqb_correct", "eqb_refl", "of_to_Z"}
    assert axioms
    assert axioms <= {"int"} | operations | laws


RULES = """
From Coq Require Import Uint63 List Bool.
From Fourcast Require Import Theory.
Import ListNotations.
Open Scope uint63_scope.
Definition after (moves : list int) : int * int :=
  fold_left (fun sides c => (snd sides, play 6 c (fst sides) (snd sides))) moves (0, 0).
"""


@pytest.mark.slow
def test_the_rules_of_the_theorem_are_those_of_the_core(tmp_path: Path) -> None:
    chance = random.Random(31)
    asked, expected = [], []
    for _ in range(200):
        position, columns = Position(), []
        while not position.is_over:
            columns.append(chance.choice(list(position.legal_columns)))
            position = position.play(columns[-1])
        first, second = position.bitboards
        sides = (first, second) if position.turn == 1 else (second, first)
        moves = "; ".join(map(str, columns))
        asked.append(f"(after [{moves}], four 6 {sides[1]}, four 6 {sides[0]})")
        won = str(position.winner is not None).lower()
        expected.append(f"({sides[0]}, {sides[1]}, {won}, false)")
    content = "".join(f"Eval vm_compute in {each}.\n" for each in asked)
    (tmp_path / "Theory.v").write_text(
        (resources.files("fourcast") / "certificate/coq/Theory.v").read_text()
    )
    (tmp_path / "Rules.v").write_text(RULES + content)
    output = ""
    for name in ("Theory.v", "Rules.v"):
        command = ["coqc", "-Q", str(tmp_path), LIBRARY, str(tmp_path / name)]
        run = subprocess.run(
            command, cwd=tmp_path, capture_output=True, text=True, check=True, timeout=600
        )
        output += run.stdout
    found = re.findall(r"= \(+(\d+), (\d+)\)?, (true|false), (true|false)\)", output.replace("\n", " "))
    assert [f"({', '.join(each)})" for each in found] == expected
