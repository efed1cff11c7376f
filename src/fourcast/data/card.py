"""The card of a data set: a README that says what it holds and how it was made."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from fourcast import __version__
from fourcast.data.drawing import LEFT_OUT
from fourcast.data.plan import COLUMNS, Plan
from fourcast.data.tables import OUTCOMES, count_rows

_BY = {
    "uniform ply": "Each number of discs is equally likely; "
    "each position is from a random game of its own.",
    "random play": "Each position is from a random game of its own, at a random point of it.",
    "players": "The positions are from games of {players}, "
    "after {opening_plies} random moves each{noise}.",
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


_SIZES = {
    10**3: "n<1K",
    10**4: "1K<n<10K",
    10**5: "10K<n<100K",
    10**6: "100K<n<1M",
    10**7: "1M<n<10M",
    10**8: "10M<n<100M",
    10**9: "100M<n<1B",
}


def make_card(
    plan: Plan, files: Mapping[str, Sequence[Path]], left_out: Mapping[str, int] | None = None
) -> str:
    """Return the card of a data set whose *files* are all there, as Markdown.

    *left_out* is how many positions were drawn and left out, by reason.
    """
    import pyarrow

    rows = {name: sum(map(count_rows, paths)) for name, paths in files.items()}
    total = sum(rows.values())
    fewest, most = plan.ply_range[0], plan.ply_range[-1]
    discs = f"{fewest}" if fewest == most else f"{fewest} to {most}"
    drawn = _BY[plan.by].format(
        players=" and ".join(f"`{each}`" for each in plan.players),
        opening_plies=plan.opening_plies,
        noise=f", and later moves are random with a probability of {plan.noise}" if plan.noise else "",
    )
    size = next((name for least, name in _SIZES.items() if total < least), "n>1B")
    lines = ["---", f"license: {plan.license}", "pretty_name: Connect Four positions with exact scores"]
    lines += ["task_categories:", "- tabular-classification", "- reinforcement-learning"]
    lines += ["tags:", "- connect-four", "- board-games", "- game-theory", "- solver"]
    lines += ["size_categories:", f"- {size}"]
    lines += ["configs:", "- config_name: default", "  data_files:"]
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
        *_left_out(plan, left_out or {}),
        *_table_of_plies(plan, files),
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
        "## Loading",
        "```python",
        "from datasets import load_dataset",
        "",
        'train = load_dataset("FOLDER", split="train").with_format("numpy")',
        "```",
        "",
        "or, as planes and scores for torch,",
        "",
        "```python",
        "from fourcast.data import torch_dataset",
        "from torch.utils.data import DataLoader",
        "",
        'batches = DataLoader(torch_dataset("FOLDER", "train"), batch_size=256, shuffle=True)',
        "```",
        "",
        "## License and citation",
        f"License: {plan.license}. To cite it, name the version and the seed:",
        "",
        "```bibtex",
        "@misc{fourcast,",
        "  title = {fourcast: Connect Four positions with exact scores},",
        "  author = {{The fourcast developers}},",
        f"  note = {{fourcast {__version__}, fourcast dataset with seed {plan.seed}}},",
        "}",
        "```",
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
            for outcome, count in _count_values(path, "outcome").items():
                counts[outcome] += count
        cells = " | ".join(f"{count:,}" for count in counts.values())
        lines.append(f"| {name} | {rows[name]:,} | {cells} |")
    return lines


def _left_out(plan: Plan, left_out: Mapping[str, int]) -> list[str]:
    """What was drawn and is not in the set."""
    lines = []
    if plan.without_suites and plan.is_standard:
        names = ", ".join(f"`{name}`" for name in plan.without_suites)
        lines += ["", f"No position of {names} and no mirror image of one is in it: agents can be "]
        lines[-1] += "evaluated on these."
    if plan.strata:
        lines += ["", f"Rows are spread evenly by {', '.join(plan.strata)}."]
    if plan.own_players:
        names = ", ".join(f"`{name}`" for name in plan.own_players)
        lines += ["", f"{names} is not part of fourcast: it may not play the same games again."]
    if any(left_out.values()):
        lines += ["", "Positions that were drawn and left out:", "", "| because | positions |", "|-|-|"]
        lines += [f"| {LEFT_OUT[why]} | {count:,} |" for why, count in left_out.items() if count]
    return lines


def _table_of_plies(plan: Plan, files: Mapping[str, Sequence[Path]]) -> list[str]:
    if "ply" not in plan.columns:
        return []
    counts: Counter[int] = Counter()
    for path in (path for paths in files.values() for path in paths):
        counts.update(_count_values(path, "ply"))
    lines = ["", "## Rows by discs on the board", "| discs | rows |", "|-|-|"]
    return [*lines, *(f"| {ply} | {counts[ply]:,} |" for ply in sorted(counts))]


def _count_values(path: Path, column: str) -> dict[Any, int]:
    import pyarrow.compute as pc
    import pyarrow.parquet as pq

    counted = pc.value_counts(pq.read_table(path, columns=[column])[column].combine_chunks())
    return {each["values"]: each["counts"] for each in counted.to_pylist()}


def _note_on_wide_boards(plan: Plan) -> list[str]:
    if plan.width * (plan.height + 1) <= 64:
        return []
    return ["", "The board takes more than 64 bits: `first_high` and `second_high` have bits 64 and up."]
