"""Explanations as they were looked at, kept in tests/fixtures/explanations.

`python -m tests.render.golden` writes them again; look at every picture that changes.
"""

from __future__ import annotations

from pathlib import Path

from fourcast import Explanation, MoveExplanation, Position, Solver, explain, explain_move
from fourcast.render.explained import explained_boards, explained_move
from fourcast.render.marked import marked_svg

FOLDER = Path(__file__).resolve().parent.parent / "fixtures" / "explanations"
NAMES = ("Red", "Yellow")

POSITIONS = {
    "double-threat": Position("4575274553"),
    "two-threats": Position("45752745534"),
    "stack": Position("761261535655663236"),
    "long-force": Position("61235147556445345"),
    "plan": Position("14642545655244774665"),
    "zugzwang": Position("47161242773411322363233414427"),
    "on-top": Position("342332477364445141221651"),
    "whole-game": Position("43424431"),
    "groups": Position("45342153732452"),
    "draw": Position("4623177244664763555563334225234652"),
    "cases": Position("45752745533"),
    "line": Position("13334443"),
    "small-board": Position("233", width=5, height=4),
}
MISTAKE = "mistake"
MISTAKE_POSITION, MISTAKE_COLUMN = Position("1464254565524477466"), 0


def golden_files(name: str, solver: Solver) -> dict[str, str]:
    """Return the files of one of the explanations: its text, and a picture of each claim."""
    if name == MISTAKE:
        move = explain_move(MISTAKE_POSITION, MISTAKE_COLUMN, solver=solver)
        files = {f"{name}.txt": f"{explained_move(move, NAMES)}\n"}
        return files | _pictures(name, [part for part in (move.reason, move.better) if part], move)
    found = explain(POSITIONS[name], solver=solver)
    text = f"{explained_boards(found, NAMES)}\n\n{found.words()}\n"
    return {f"{name}.txt": text} | _pictures(name, [found])


def _pictures(
    name: str, explanations: list[Explanation], move: MoveExplanation | None = None
) -> dict[str, str]:
    every = [(found, number) for found in explanations for number in range(max(1, len(found.claims)))]
    files = {}
    for count, (found, number) in enumerate(every, start=1):
        last = None
        if move:
            last = move.column if found is move.reason else move.better_column
        file = f"{name}.svg" if count == 1 else f"{name}-{count}.svg"
        files[file] = marked_svg(found.marks(number), last=last, title=name.replace("-", " "))
    return files


def main() -> None:
    """Write all files, and remove those that there are no more."""
    solver = Solver()
    FOLDER.mkdir(exist_ok=True)
    written: dict[str, str] = {}
    for name in (*POSITIONS, MISTAKE):
        written |= golden_files(name, solver)
    for path in FOLDER.iterdir():
        if path.name not in written:
            path.unlink()
    for file, content in written.items():
        (FOLDER / file).write_text(content, "utf-8")


if __name__ == "__main__":
    main()
