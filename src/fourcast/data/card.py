"""The card of a data set: a README that says what it holds and how it was made."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from fourcast import __version__
from fourcast.data.plan import COLUMNS, Plan
from fourcast.data.tables import OUTCOMES, count_rows

_BY = {
    "uniform ply": "Each number of discs is equally likely; "
    "each position is from a random game of its own.",
    "random play": "Each position is from a random game of its own, at a random point of it.",
    "players": "The positions are from games of {players}, after {opening_plies} random moves each.",
    "all": "The positions are all that there are with this number of discs, or a random choice of them.",
}
_UNIQUE = {
    True: "No two positions are equal or mirror images of each other.",
    False: "Positions may occur more than once.",
}
_SPLIT_BY = {
    "position": "No game, no position and no mirror image of one is in two splits. "
    "The split of a position depends on the position alone, "
    "so that this holds across data sets with the same shares.",
    "game": "No game is in two splits; a position may be.",
}


def make_card(plan: Plan, files: Mapping[str, Sequence[Path]]) -> str:
    """Return the card of a data set whose *files* are all there, as Markdown."""
    import pyarrow

    rows = {name: sum(map(count_rows, paths)) for name, paths in files.items()}
    total = sum(rows.values())
    fewest, most = plan.ply_range[0], plan.ply_range[-1]
    discs = f"{fewest}" if fewest == most else f"{fewest} to {most}"
    drawn = _BY[plan.by].format(
        players=" and ".join(f"`{each}`" for each in plan.players), opening_plies=plan.opening_plies
    )
    lines = ["---", "configs:", "- config_name: default", "  data_files:"]
    for name in filter(rows.get, files):  # Hugging Face refuses a split without rows
        lines += [f"  - split: {name}", f"    path: data/{name}-*.parquet"]
    lines += [
        "---",
        "",
        f"# {total:,} Connect Four positions with exact scores",
        "",
        f"Positions on a board of {plan.width}x{plan.height} with {discs} discs "
        "whose games are not over, each with the exact, game-theoretic score of every move.",
        "",
        f"{drawn} {_UNIQUE[plan.unique]} {_SPLIT_BY[plan.split_by]}",
        "",
        "## Rows",
        *_table_of_rows(plan, files, rows),
        "",
        "## Columns",
        "| column | what it holds |",
        "|-|-|",
        *(f"| `{name}` | {COLUMNS[name]} |" for name in plan.columns),
        "",
        "A score is positive if the side to move wins, and the more the sooner; negative if it loses, "
        "and the less the sooner; 0 for a draw.",
        *_note_on_wide_boards(plan),
        "",
        "## How it was made",
        f"By fourcast {__version__} with pyarrow {pyarrow.__version__}, "
        "which makes it again byte for byte:",
        "",
        "```",
        "fourcast dataset --plan plan.toml --out FOLDER",
        "```",
        "",
        "with this `plan.toml`:",
        "",
        "```toml",
        plan.to_toml().rstrip(),
        "```",
    ]
    return "\n".join(lines) + "\n"


def _table_of_rows(
    plan: Plan, files: Mapping[str, Sequence[Path]], rows: Mapping[str, int]
) -> list[str]:
    if "outcome" not in plan.columns:
        return ["| split | rows |", "|-|-|", *(f"| {name} | {rows[name]:,} |" for name in files)]
    lines = [f"| split | rows | {' | '.join(OUTCOMES[::-1])} |", "|-|-|-|-|-|"]
    for name, paths in files.items():
        counts = dict.fromkeys(OUTCOMES[::-1], 0)
        for path in paths:
            for outcome, count in _count_outcomes(path).items():
                counts[outcome] += count
        cells = " | ".join(f"{count:,}" for count in counts.values())
        lines.append(f"| {name} | {rows[name]:,} | {cells} |")
    return lines


def _count_outcomes(path: Path) -> dict[str, int]:
    import pyarrow.compute as pc
    import pyarrow.parquet as pq

    counted = pc.value_counts(pq.read_table(path, columns=["outcome"])["outcome"].combine_chunks())
    return {each["values"]: each["counts"] for each in counted.to_pylist()}


def _note_on_wide_boards(plan: Plan) -> list[str]:
    if plan.width * (plan.height + 1) <= 64:
        return []
    return ["", "The board takes more than 64 bits: `first_high` and `second_high` have bits 64 and up."]
