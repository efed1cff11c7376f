"""A certificate as a theorem of Coq.

The development has four files: `Theory.v` (the rules, and why a closed strategy wins), `Strategy.v` (how
the strategy is built from its moves), `Moves.v` (the moves) and `Win.v` (the theorem).
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib import resources
from pathlib import Path

from fourcast._core import Position
from fourcast.certificate import Certificate
from fourcast.errors import CertificateError
from fourcast.notation import parse_column

__all__ = ["write_coq"]

MOVES_A_WORD = 20
WORDS_A_LIST = 500
MOST_BITS = 63  # of Coq's primitive integers
LIBRARY = "Fourcast"


def write_coq(certificate: Certificate, folder: Path) -> list[Path]:
    """Write the development to *folder*, and return its files in the order in which Coq reads them.

    Raises `CertificateError` for what cannot be a theorem yet: a certificate that is no proof of a win,
    or a board of more than 63 bits or eight columns.
    """
    proven = certificate.check()
    if proven.width * (proven.height + 1) > MOST_BITS or proven.width > 8:
        raise CertificateError("only boards of at most 63 bits and 8 columns can be exported to Coq")
    if not proven.win:
        raise CertificateError("only a win can be exported to Coq, and this certificate is about a draw")
    moves = certificate.unfold()
    folder.mkdir(parents=True, exist_ok=True)
    theory = resources.files("fourcast") / "certificate" / "coq"
    files = {name: (theory / name).read_text("utf-8") for name in ("Theory.v", "Strategy.v")}
    files["Moves.v"] = "".join(_moves(moves))
    start = Position.from_columns(proven.start, width=proven.width, height=proven.height)
    sides = start.bitboards if proven.player == 1 else start.bitboards[::-1]
    to_move = start.turn == proven.player
    files["Win.v"] = _theorem(proven.width, proven.height, sides, proven.player, to_move)
    written = []
    for name, text in files.items():
        path = folder / name
        path.write_text(text, "utf-8")
        written.append(path)
    return written


def _moves(moves: str) -> Iterator[str]:
    yield "(** The moves of the strategy, twenty to a number, three bits each. *)\n"
    yield "From Coq Require Import Uint63 List.\nImport ListNotations.\nOpen Scope uint63_scope.\n"
    words = []
    for first in range(0, len(moves), MOVES_A_WORD):
        columns = map(parse_column, moves[first : first + MOVES_A_WORD])
        words.append(sum(column << 3 * index for index, column in enumerate(columns)))
    names = []
    for number, first in enumerate(range(0, len(words), WORDS_A_LIST)):
        names.append(f"part_{number}")
        content = "; ".join(map(hex, words[first : first + WORDS_A_LIST]))
        yield f"Definition part_{number} : list int := [{content}].\n"
    yield f"Definition moves : list (list int) := [{'; '.join(names)}].\n"


def _theorem(width: int, height: int, sides: tuple[int, int], player: int, to_move: bool) -> str:
    mine, theirs = map(hex, sides)
    columns = "; ".join(map(str, range(width)))
    who = "first" if player == 1 else "second"
    begin = f"[(0%nat, {mine}, {theirs})]" if to_move else f"push height columns 0 {mine} {theirs} []"
    wins = "Wins" if to_move else "Wins_after"
    goal = "reached" if to_move else "reached_after"
    return f"""(** The theorem. *)
From Coq Require Import Uint63 List Bool.
From {LIBRARY} Require Import Theory Strategy Moves.
Import ListNotations.
Open Scope uint63_scope.

Definition height : int := {height}.
Definition columns : list int := [{columns}].
Definition mine : int := {mine}.
Definition theirs : int := {theirs}.

Definition trees : list tree := build height columns ({begin}) moves.

Lemma checked : {goal} height columns key_of trees mine theirs = true.
Proof. vm_cast_no_check (eq_refl true). Qed.

(** The {who} player wins from here, whatever the opponent plays. *)
Theorem {who}_player_wins : {wins} height columns mine theirs.
Proof. exact ({goal}_wins height columns key_of trees mine theirs checked). Qed.

Print Assumptions {who}_player_wins.
"""
