"""Labels for a user's own file, and loaders for training."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq
import pytest

from fourcast import DatasetError, Position, Solver
from fourcast.data import FULL, Plan, label_file, make_dataset, sample
from fourcast.data.arrays import planes
from tests.command import run_text

MOVES = ["", "4455", "444444", "1212121", "44455554221"]


def check(path: Path) -> None:
    rows = pq.read_table(path).to_pylist()
    assert len(rows) == len(MOVES)
    solver = Solver()
    for moves, row in zip(MOVES, rows, strict=True):
        if Position(moves).is_over:
            assert row["value"] is row["scores"] is row["best"] is row["outcome"] is None
            assert row["plies_to_end"] is None
            continue
        wanted = solver.analyze(moves)
        assert tuple(None if score == FULL else score for score in row["scores"]) == wanted.scores
        assert row["best"] == list(wanted.best_columns or ())
        result = (row["value"], row["outcome"], row["plies_to_end"])
        assert result == (wanted.score, wanted.outcome, wanted.plies_to_end)


def test_text_csv_and_parquet_get_the_labels_of_the_solver(tmp_path: Path) -> None:
    text = tmp_path / "positions.txt"
    text.write_text("# mine\n" + "".join(f"{moves or '-'}\n" for moves in MOVES))
    run = run_text("label", str(text))
    assert run.stdout == f"{tmp_path / 'positions.labels.parquet'}: 5 positions labeled\n", run.stderr
    check(tmp_path / "positions.labels.parquet")
    table = pa.table({"id": range(5), "game": MOVES})
    pq.write_table(table, tmp_path / "mine.parquet")
    pyarrow.csv.write_csv(table, tmp_path / "mine.csv")
    for name in ("mine.parquet", "mine.csv"):
        out = tmp_path / "out.parquet"
        assert label_file(tmp_path / name, out, column="game", threads=2) == 5
        check(out)
        assert pq.read_table(out)["id"].to_pylist() == list(range(5))


def test_what_is_no_position_is_named_by_its_row(tmp_path: Path) -> None:
    file = tmp_path / "positions.txt"
    for content, message in (
        ("4455\n4444444\n", "row 2 of .*column 4 is full"),
        ("88\n", "row 1 of .*'8' at place 1"),
        ("1212121212\n", "row 1 of "),
    ):
        file.write_text(content)
        with pytest.raises(DatasetError, match=message):
            label_file(file, tmp_path / "out.parquet")
    assert not (tmp_path / "out.parquet").exists()
    (tmp_path / "x.parquet").write_bytes(b"nonsense")
    with pytest.raises(DatasetError, match="cannot be read"):
        label_file(tmp_path / "x.parquet", tmp_path / "out.parquet")
    pq.write_table(pa.table({"position": ["4"]}), tmp_path / "x.parquet")
    with pytest.raises(DatasetError, match="has no column 'moves'; it has 'position'"):
        label_file(tmp_path / "x.parquet", tmp_path / "out.parquet")
    pq.write_table(pa.table({"moves": ["4"], "value": [1]}), tmp_path / "x.parquet")
    with pytest.raises(DatasetError, match="has a column 'value' already"):
        label_file(tmp_path / "x.parquet", tmp_path / "out.parquet")
    run = run_text("label", str(tmp_path / "nothing.txt"))
    assert (run.returncode, run.stdout) == (2, "")


def test_an_empty_file_has_no_rows_and_is_no_error(tmp_path: Path) -> None:
    (tmp_path / "none.txt").write_text("")
    assert label_file(tmp_path / "none.txt", tmp_path / "out.parquet") == 0


@pytest.mark.slow
def test_a_data_set_is_loaded_for_torch(tmp_path: Path) -> None:
    import torch
    from torch.utils.data import DataLoader

    from fourcast.data import torch_dataset

    make_dataset(tmp_path / "set", Plan(rows=300, plies=(30, 41), seed=4))
    rows = torch_dataset(tmp_path / "set", "train")
    boards, scores = next(iter(DataLoader(rows, batch_size=32)))
    assert boards.shape == (32, 6, 7, 2)
    assert (boards.dtype, scores.shape) == (torch.float32, (32, 7))
    wanted = Solver().column_scores(boards.numpy(), layout="pettingzoo")
    assert (scores.numpy() == wanted).all()
    with pytest.raises(DatasetError, match="has no plan"):
        torch_dataset(tmp_path)
    assert planes(sample(2).bitboards, "rows").dtype == np.int8
