"""A certificate as a theorem of Coq.

The development: `Theory.v` (the rules), `Squares.v` (sets of squares), `Local.v` (why answering in local
games wins), `Walk.v` (a checker, and the proof that what it accepts is won), `Moves.v` (claims and
answers, written out) and `Win.v` (the theorem).
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from importlib import resources
from pathlib import Path
from typing import Any

from fourcast._core import Position
from fourcast.certificate import Certificate, Claim, Proven
from fourcast.errors import CertificateError, require
from fourcast.notation import parse_column

__all__ = ["write_coq"]

MOVES_A_WORD = 20
WORDS_A_LIST = 500
CLAIMS_A_LIST = 50
MOST_BITS = 63  # of Coq's primitive integers
LIBRARY = "Fourcast"
THEORY = "Theory.v", "Squares.v", "Local.v", "Walk.v"


def write_coq(certificate: Certificate, folder: str | os.PathLike[str]) -> list[Path]:
    """Write the development to *folder*, and return its files in the order in which Coq reads them.

    Raises `CertificateError` for what cannot be a theorem yet: a certificate that is no proof of a win,
    or a board of more than 63 bits or eight columns.
    """
    require("certificate", certificate, Certificate)
    require("folder", folder, str, os.PathLike)
    folder = Path(folder)
    proven = certificate.check()
    if proven.width * (proven.height + 1) > MOST_BITS or proven.width > 8:
        raise CertificateError("error.certificate.coq_board", facts={})
    moves, claims = certificate.unfold()
    folder.mkdir(parents=True, exist_ok=True)
    theory = resources.files("fourcast") / "certificate" / "coq"
    files = {name: (theory / name).read_text("utf-8") for name in THEORY}
    files["Moves.v"] = "".join(_moves(moves, claims, proven.height))
    start = Position.from_columns(proven.start, width=proven.width, height=proven.height)
    sides = start.bitboards if proven.player == 1 else start.bitboards[::-1]
    to_move = start.turn == proven.player
    files["Win.v"] = _theorem(proven, sides, to_move)
    written = []
    for name, text in files.items():
        path = folder / name
        path.write_text(text, "utf-8")
        written.append(path)
    return written


def _moves(moves: str, claims: list[Claim], height: int) -> Iterator[str]:
    yield f"""(** What is claimed of each leaf, and all answers: twenty to a number, three bits each. *)
From Coq Require Import Uint63 List.
From {LIBRARY} Require Import Local Walk.
Import ListNotations.
Open Scope uint63_scope.
"""
    words = []
    for first in range(0, len(moves), MOVES_A_WORD):
        columns = [parse_column(move) for move in moves[first : first + MOVES_A_WORD]]
        content = sum(column << 3 * index for index, column in enumerate(columns))
        words.append(hex(1 << 3 * len(columns) | content))
    yield from _in_lists("words", "int", words, WORDS_A_LIST)
    yield from _in_lists("claims", "claim", [_claim(claim, height) for claim in claims], CLAIMS_A_LIST)


def _in_lists(name: str, kind: str, entries: list[str], most: int) -> Iterator[str]:
    """Long lists are written in parts: Coq reads them faster."""
    names = []
    for number, first in enumerate(range(0, len(entries), most)):
        names.append(f"{name}_{number}")
        content = "; ".join(entries[first : first + most])
        yield f"Definition {name}_{number} : list {kind} := [{content}].\n"
    yield f"Definition {name} : list (list {kind}) := [{'; '.join(names)}].\n"


def _claim(claim: Claim, height: int) -> str:
    groups = [_group(group, height) for group in claim]
    paired = [group for group in claim if group["passes"] or group["takes"]]
    pair = f"Some ({groups[0]}, {groups[1]})" if paired else "None"
    return f"Claim ({pair}) [{'; '.join(groups[len(paired) :])}]"


def _group(group: dict[str, Any], height: int) -> str:
    columns = group["columns"]
    region = sum(((1 << height) - 1) << column * (height + 1) for column in columns)
    needs = "; ".join(hex(int(need)) for need in group["needs"])
    flags = " ".join(str(group[name]).lower() for name in ("wins", "passes", "takes"))
    return f"Group [{'; '.join(map(str, columns))}] {hex(region)} [{needs}] {flags}"


def _theorem(proven: Proven, sides: tuple[int, int], to_move: bool) -> str:
    width, height, player, start = proven.width, proven.height, proven.player, proven.start
    mine, theirs = map(hex, sides)
    columns = "; ".join(map(str, range(width)))
    who = "first" if player == 1 else "second"
    wins = "Wins" if to_move else "Wins_after"
    goal = "reached" if to_move else "reached_after"
    from_here = f"({goal}_wins height columns words claims mine theirs checked)"
    statement = f"""(** The {who} player wins from here, whatever the opponent plays. *)
Theorem {who}_player_wins : {wins} height columns mine theirs.
Proof. exact {from_here}. Qed."""
    if len(start) == 1 and player == 1:
        statement = f"""(** The first player wins from the empty board, whatever the opponent plays. *)
Theorem first_player_wins : Wins height columns 0 0.
Proof.
  destruct {from_here} as [reply all].
  apply (later height columns 0 0 {start[0]});
    [split; [simpl; tauto | apply not_zero; reflexivity] | exact reply | exact all].
Qed."""
    return f"""(** The theorem. *)
From Coq Require Import Uint63 List Bool.
From {LIBRARY} Require Import Theory Walk Moves.
Import ListNotations.
Open Scope uint63_scope.

Definition height : int := {height}.
Definition columns : list int := [{columns}].
Definition mine : int := {mine}.
Definition theirs : int := {theirs}.

Lemma checked : {goal} height columns words claims mine theirs = true.
Proof. vm_cast_no_check (eq_refl true). Qed.

{statement}

Print Assumptions {who}_player_wins.
"""
