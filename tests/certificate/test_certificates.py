"""Certificates: what they prove, and what is refused."""

from __future__ import annotations

import random
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from fourcast import Position, Solver
from fourcast._core import ask
from fourcast.certificate import Certificate, alone, shipped
from fourcast.certificate.search import Search, reachable, size_of
from fourcast.certificate.theorem import LIBRARY, write_coq
from fourcast.certificate.writer import Strategy, _Walk, encode
from fourcast.errors import CertificateError
from fourcast.notation import parse_moves

# Positions in which somebody wins, but not at once.
WON = [("15635524465362262533", 1), ("14642545655244774665", 2), ("47161242773411322363233414427", 2)]


def made(folder: Path, moves: str, player: int, *, win: bool = True) -> Strategy:
    search = Search(folder, Strategy(7, 6, player, win, parse_moves(moves)))
    search.build(1)
    return search.strategy


def plainly_checked(data: bytes) -> alone.Checker:
    checker = alone.Checker(data)
    checker.run()
    return checker


def is_refused_by_both(data: bytes) -> bool:
    """Whether a certificate is refused; the two checkers must agree."""
    try:
        plainly_checked(data)
        accepted = True
    except alone.CertificateError:
        accepted = False
    assert ("refused" not in ask("certificate.check", {"certificate": data.hex()})) == accepted
    return not accepted


def test_the_first_player_wins() -> None:
    proven = shipped().check()
    assert (proven.width, proven.height, proven.player, proven.win) == (7, 6, 1, True)
    assert proven.start == (3,)
    assert proven.positions <= 994
    assert proven.bytes == len(shipped().data) <= 6000


@pytest.mark.slow
def test_the_plain_checker_needs_nothing_of_fourcast(tmp_path: Path) -> None:
    shutil.copy(alone.__file__, tmp_path / "alone.py")
    (tmp_path / "first.c4win").write_bytes(shipped().data)
    command = [sys.executable, "-I", "-S", "alone.py", "first.c4win"]
    run = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False, timeout=900)
    assert (run.returncode, run.stderr) == (0, "")
    assert run.stdout.startswith("7x6, after 4: player 1 wins\n")
    assert f"{shipped().check().positions} positions of that player" in run.stdout


@pytest.mark.parametrize(("moves", "player"), WON)
def test_a_strategy_is_found_written_and_checked_by_both(
    tmp_path: Path, moves: str, player: int
) -> None:
    strategy = made(tmp_path, moves, player)
    data = encode(strategy)
    checker = plainly_checked(data)
    proven = Certificate(data).check()
    size = size_of(alone.Board(7, 6), strategy)
    assert (proven.positions, proven.inner_moves, proven.forced) == (
        size.positions,
        size.inner,
        size.forced,
    )
    assert checker.positions == proven.positions
    assert checker.counts == [proven.inner_moves, proven.plans, proven.local_games]


def test_a_draw_has_a_certificate_for_each_side(tmp_path: Path) -> None:
    moves = "4623177244664763555563334225234652"
    assert Solver().solve(Position(moves)).score == 0
    for player in (1, 2):
        data = encode(made(tmp_path / str(player), moves, player, win=False))
        assert not is_refused_by_both(data)
        assert not Certificate(data).check().win


def test_a_search_goes_on_where_it_was(tmp_path: Path) -> None:
    first = made(tmp_path, *WON[0])
    with (tmp_path / "tried.jsonl").open("a") as log:
        log.write('["1", ')  # killed while it wrote
    again = Search(tmp_path, Strategy(7, 6, WON[0][1], True, parse_moves(WON[0][0])))
    assert (again.strategy.moves, again.strategy.leaves) == (first.moves, first.leaves)
    again.polish(1, 1)
    needed, _ = reachable(again.board, again.strategy)
    assert needed <= set(again.strategy.moves)
    Certificate(encode(again.strategy)).check()


def forgeries(strategy: Strategy, count: int, seed: int) -> list[bytes]:
    """Certificates with one symbol changed, and files with a byte changed, added or left out."""
    chance = random.Random(seed)
    walk = _Walk(strategy)
    walk.run()
    data = encode(strategy)
    head = data[: 10 + len(strategy.start)]
    found = []
    for number in range(count):
        if number % 2:
            changed = bytearray(data)
            place = chance.randrange(len(changed))
            kind = chance.randrange(3)
            if kind == 0:
                changed[place] ^= 1 << chance.randrange(8)
            elif kind == 1:
                del changed[place:]
            else:
                changed.insert(place, chance.randrange(256))
            found.append(bytes(changed))
            continue
        symbols = list(walk.symbols)
        place = chance.randrange(len(symbols))
        values, symbol = symbols[place]
        symbols[place] = values, (symbol + chance.randrange(1, max(values, 2))) % values
        total = 1
        for values, symbol in reversed(symbols):
            total = total * values + symbol
        found.append(head + total.to_bytes((total.bit_length() + 7) // 8, "little"))
    return [each for each in found if each != data]


@pytest.mark.parametrize(("moves", "player"), WON)
def test_forgeries_are_refused_or_true(tmp_path: Path, moves: str, player: int) -> None:
    """A change may make another proof: what is accepted must be what the solver says."""
    strategy = made(tmp_path, moves, player)
    refused = 0
    forged = forgeries(strategy, 60, seed=len(moves))
    for data in forged:
        if is_refused_by_both(data):
            refused += 1
            continue
        proven = Certificate(data).check()
        position = Position.from_columns(proven.start, width=proven.width, height=proven.height)
        score = Solver().solve(position).score
        assert score is not None
        ours = score if position.turn == proven.player else -score
        assert ours > 0 if proven.win else ours >= 0
    assert refused > len(forged) / 2


@pytest.mark.parametrize(
    "data", [b"", b"C4WN", b"C4WN\x02" + bytes(20), b"x" * 50, b"C4WN\x01\x07\x06\x03\x01\x00\x01"]
)
def test_other_files_are_refused_with_a_sentence(data: bytes) -> None:
    with pytest.raises(CertificateError, match=r"certificate|player|symbol|early"):
        Certificate(data).check()


def test_the_certificate_alone_wins_every_game() -> None:
    certificate, chance = shipped(), random.Random(71)
    for _ in range(12):
        replies: list[int] = []
        while True:
            followed = certificate.follow(replies)
            position = Position.from_columns([3, *followed.columns])
            if followed.is_over:
                break
            replies.append(chance.choice(list(position.legal_columns)))
        assert position.winner == 1


def test_a_reply_that_cannot_be_played_is_refused() -> None:
    with pytest.raises(CertificateError, match="not possible"):
        shipped().follow([9])


@pytest.mark.slow
@pytest.mark.parametrize(("moves", "player"), WON[:2])
def test_coq_accepts_the_theorem_without_axioms_of_ours(tmp_path: Path, moves: str, player: int) -> None:
    data = encode(made(tmp_path / "search", moves, player))
    folder = tmp_path / "coq"
    output = ""
    for path in write_coq(Certificate(data), folder):
        command = ["coqc", "-Q", str(folder), LIBRARY, str(path)]
        run = subprocess.run(command, capture_output=True, text=True, check=True, timeout=600)
        output += run.stdout
    _, _, listed = output.partition("Axioms:\n")
    lines = [line for line in listed.splitlines() if line and not line.startswith(" ")]
    axioms = {line.split(" ")[0].removeprefix("PrimInt63.") for line in lines}
    # Coq's primitive integers with their operations, and that their comparison is equality.
    primitive = {"int", "add", "sub", "mul", "land", "lor", "lxor", "lsl", "lsr", "eqb", "eqb_correct"}
    assert axioms
    assert axioms <= primitive
