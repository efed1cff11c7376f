"""Data sets in Parquet files: what they hold, how they are split, and how they survive interruptions."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Generator, Iterable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import pytest

from fourcast import DatasetError, MissingExtraError, OptionError, Position, Result, Solver
from fourcast.arena.suites import load_suite
from fourcast.book.workers import on_threads
from fourcast.data import FULL, Plan, make_dataset, read_plan, sample
from fourcast.data.dataset import LABEL_ROWS, Block
from fourcast.data.drawing import moves_to
from fourcast.data.plan import COLUMNS, parse_plan
from fourcast.data.tables import LabeledRows, plies_to_end
from tests.command import COMMAND, run_text

PLAN = Plan(rows=2500, seed=3, plies=(28, 33), rows_per_file=1100)  # three shards, the last one shorter


def contents(folder: Path) -> dict[str, bytes]:
    """All files of a folder, hidden ones too."""
    return {
        str(file.relative_to(folder)): file.read_bytes() for file in folder.rglob("*") if file.is_file()
    }


def rows_of(folder: Path, split: str = "*") -> list[dict[str, Any]]:
    files = sorted((folder / "data").glob(f"{split}-*.parquet"))
    return [row for file in files for row in pq.read_table(file).to_pylist()]


def position_of(row: dict[str, Any], **size: Any) -> Position:
    return Position.from_bitboards(row["first"], row["second"], **size)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("made") / "set"
    summary = make_dataset(folder, PLAN)
    assert sum(summary.rows.values()) == summary.made == 2500
    assert summary.files == 9
    return folder


# ---- What they hold ----------------------------------------------------------------------------------


def test_every_column_says_what_the_solver_says(made: Path) -> None:
    solver = Solver()
    rows = rows_of(made)
    assert len(rows) == 2500
    for row in rows[::50]:
        position = Position(row["moves"])
        assert list(row) == list(COLUMNS)
        assert position == position_of(row)
        assert row["ply"] == position.ply
        result = solver.solve(position)
        assert (row["value"], row["outcome"]) == (result.score, result.outcome)
        assert row["plies_to_end"] == result.plies_to_end
        scores = {line.column: line.score for line in solver.analyze(position)}
        assert row["scores"] == [scores.get(column, FULL) for column in range(7)]


def test_no_two_positions_are_alike_in_any_of_the_files(made: Path) -> None:
    keys = [position_of(row).canonical_key for row in rows_of(made)]
    assert len(set(keys)) == len(keys) == 2500
    games = [row["game"] for row in rows_of(made)]
    assert len(set(games)) == 2500


def test_the_splits_have_about_their_shares(made: Path) -> None:
    sizes = {name: len(rows_of(made, name)) for name in PLAN.splits}
    assert abs(sizes["train"] - 2000) < 100
    assert abs(sizes["validation"] - 250) < 70
    assert abs(sizes["test"] - 250) < 70


def test_the_card_names_version_plan_seed_and_rows(made: Path) -> None:
    from fourcast import __version__

    card = (made / "README.md").read_text("utf-8")
    assert f"fourcast {__version__}" in card
    assert "seed = 3" in card
    for name in PLAN.splits:
        assert f"| {name} | {len(rows_of(made, name)):,} |" in card
    assert all(f"| `{name}` |" in card for name in COLUMNS)
    assert read_plan(made / "plan.toml") == PLAN


@pytest.mark.parametrize("size", [(7, 6), (5, 5), (4, 7)])
def test_the_plies_to_the_end_are_those_of_results(size: tuple[int, int]) -> None:
    width, height = size
    cells = width * height
    for moves in ("", "1", "12"):
        position = Position(moves, width=width, height=height)
        wanted = {}
        for score in range(-cells // 2, cells // 2):
            with suppress(OptionError):  # not a score of this position
                wanted[score] = Result(position, score).plies_to_end
        assert len(wanted) > cells // 2
        plies = np.full(len(wanted), position.ply, np.int16)
        found = plies_to_end(np.array(list(wanted), np.int8), plies, cells)
        assert found.tolist() == list(wanted.values())


def test_positions_without_games_get_moves_that_lead_there(tmp_path: Path) -> None:
    plan = Plan(by="all", plies=(5, 5), unique=False, width=4, height=4)
    make_dataset(tmp_path / "all", plan)
    rows = rows_of(tmp_path / "all")
    assert len(rows) == len(sample(by="all", plies=5, width=4, height=4))
    for row in rows:
        assert Position(row["moves"], width=4, height=4) == position_of(row, width=4, height=4)
    for moves in ("1726354", "112233", "4444441"):
        assert Position(moves_to(Position(moves))) == Position(moves)


def test_a_board_of_two_words_has_columns_for_both(tmp_path: Path) -> None:
    columns = ("first", "second", "ply")
    plan = Plan(rows=100, plies=(8, 12), width=17, height=6, columns=columns, splits={"train": 1})
    make_dataset(tmp_path / "wide", plan)
    for row in rows_of(tmp_path / "wide"):
        assert list(row) == ["first", "first_high", "second", "second_high", "ply"]
        boards = [row[name] | row[f"{name}_high"] << 64 for name in ("first", "second")]
        assert Position.from_bitboards(*boards, width=17, height=6).ply == row["ply"]
    (tmp_path / "wide" / "README.md").unlink()
    make_dataset(tmp_path / "wide", plan)  # reads them back


def test_values_alone_are_those_that_come_with_scores(made: Path, tmp_path: Path) -> None:
    make_dataset(tmp_path / "set", replace(PLAN, columns=("first", "second", "value")))
    wanted = [{name: row[name] for name in ("first", "second", "value")} for row in rows_of(made)]
    assert rows_of(tmp_path / "set") == wanted


# ---- Splits ------------------------------------------------------------------------------------------


def test_no_position_nor_its_mirror_image_is_in_two_splits_even_if_it_is_repeated(
    tmp_path: Path,
) -> None:
    plan = Plan(rows=3000, plies=(14, 15), width=4, height=4, unique=False)
    make_dataset(tmp_path / "set", plan)
    where: dict[int, str] = {}
    for name in plan.splits:
        for row in rows_of(tmp_path / "set", name):
            key = position_of(row, width=4, height=4).canonical_key
            assert where.setdefault(key, name) == name
    assert len(where) < 3000


@pytest.mark.parametrize("split_by", ["game", "position"])
def test_no_game_of_players_is_in_two_splits(tmp_path: Path, split_by: Any) -> None:
    players = ("winning", "random")
    plan = Plan(
        rows=200,
        by="players",
        players=players,
        split_by=split_by,
        unique=False,
        columns=("first", "second", "game"),
    )
    make_dataset(tmp_path / "set", plan)
    where: dict[int, str] = {}
    for name in plan.splits:
        for row in rows_of(tmp_path / "set", name):
            assert where.setdefault(row["game"], name) == name
    assert len(where) < 200


def test_splits_of_games_of_players_keep_their_shares_and_what_is_dropped_is_counted(
    tmp_path: Path,
) -> None:
    columns = ("first", "second", "game", "ply")
    plan = Plan(
        rows=6000, by="players", players=("random", "random"), seed=5, columns=columns, unique=False
    )
    summary = make_dataset(tmp_path / "set", plan)
    sizes = {name: len(rows_of(tmp_path / "set", name)) for name in plan.splits}
    assert sum(sizes.values()) == 6000
    assert abs(sizes["train"] - 4800) < 200, sizes
    assert abs(sizes["validation"] - 600) < 150, sizes
    assert abs(sizes["test"] - 600) < 150, sizes
    # Of three splits, a third of what is drawn is kept.
    assert summary.left_out["split"] == pytest.approx(12_000, rel=0.15)
    card = (tmp_path / "set" / "README.md").read_text()
    assert f"to another | {summary.left_out['split']:,} |" in card
    where: dict[int, str] = {}
    for name in plan.splits:
        for row in rows_of(tmp_path / "set", name):
            assert where.setdefault(position_of(row).canonical_key, name) == name


def test_no_position_of_a_suite_is_in_a_data_set_unless_it_is_asked_for(tmp_path: Path) -> None:
    suite = {question.position.canonical_key for question in load_suite("standard-1")}
    plan = Plan(rows=3000, plies=(0, 6), columns=("first", "second"), seed=1)
    summary = make_dataset(tmp_path / "without", plan)
    keys = {position_of(row).canonical_key for row in rows_of(tmp_path / "without")}
    assert not keys & suite
    assert summary.left_out["suite"] > 100
    assert "No position of `standard-1`" in (tmp_path / "without" / "README.md").read_text()
    make_dataset(tmp_path / "with", replace(plan, without_suites=()))
    keys = {position_of(row).canonical_key for row in rows_of(tmp_path / "with")}
    assert len(keys & suite) > 20
    every = replace(plan, by="all", plies=(4, 4), rows=None)
    summary = make_dataset(tmp_path / "all", every)
    assert summary.left_out == {"suite": sum(q.position.ply == 4 for q in load_suite("standard-1"))}


# ---- Strata, noise, own players, growing -------------------------------------------------------------


def test_rows_are_spread_evenly_over_strata(tmp_path: Path) -> None:
    plan = Plan(rows=1200, plies=(20, 41), strata=("outcome", "difficulty"), seed=2)
    make_dataset(tmp_path / "set", plan)
    rows = rows_of(tmp_path / "set")
    counts: dict[tuple[str, int], int] = {}
    for row in rows:
        known = [score for score in row["scores"] if score != FULL]
        best = known.count(row["value"])
        difficulty = 0 if best == len(known) else 2 if best == 1 else 1
        counts[row["outcome"], difficulty] = counts.get((row["outcome"], difficulty), 0) + 1
    assert len(counts) == 9
    assert max(counts.values()) - min(counts.values()) <= 2  # blocks of 1,024 and 176 rows
    make_dataset(tmp_path / "threads", plan, threads=3)
    assert contents(tmp_path / "threads") == contents(tmp_path / "set")
    few = replace(plan, strata=("phase",), plies=(0, 3), width=4, height=4, columns=("first", "second"))
    with pytest.raises(OptionError, match="no new positions with phase 'opening'"):
        make_dataset(tmp_path / "few", replace(few, rows=4000))


def test_a_data_set_grows_in_place(made: Path, tmp_path: Path) -> None:
    folder = tmp_path / "set"
    small = replace(PLAN, rows=1500)
    make_dataset(folder, small)
    whole = {path.name: path.stat().st_ino for path in (folder / "data").glob("*-00000-of-00002*")}
    assert len(whole) == 3
    summary = make_dataset(folder, PLAN)
    assert summary.made == 2500 - PLAN.rows_per_file
    assert contents(folder) == contents(made)
    grown = {path.stat().st_ino for path in (folder / "data").glob("*-00000-of-00003*")}
    assert grown == set(whole.values())
    with pytest.raises(DatasetError, match="another plan: its rows is 2500, not 1500"):
        make_dataset(folder, small)
    # A renaming that was interrupted is completed.
    file = next((folder / "data").glob("train-00001-of-00003*"))
    file.rename(file.with_name("train-00001-of-00002.parquet"))
    assert make_dataset(folder, PLAN).made == 0
    assert contents(folder) == contents(made)


OWN_PLAYER = """
def leftmost(position):
    return position.legal_columns[0]
"""


def test_players_can_be_the_users_own_and_make_random_moves(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "my_players.py").write_text(OWN_PLAYER)
    monkeypatch.chdir(tmp_path)
    columns = ("moves", "first", "second", "ply", "game")
    plan = Plan(
        rows=60,
        by="players",
        players=("my_players:leftmost", "random"),
        opening_plies=0,
        unique=False,
        split_by="game",
        columns=columns,
    )
    make_dataset(tmp_path / "set", plan)
    rows = rows_of(tmp_path / "set")
    assert sum(row["moves"].startswith("1") for row in rows if row["game"] % 2 == 0) > 10
    assert "my_players:leftmost` is not part of fourcast" in (tmp_path / "set" / "README.md").read_text()
    fixed = replace(plan, players=("winning", "winning"), noise=0.0)
    drawn = [sample(50, 1, by="players", players=fixed.players, noise=noise) for noise in (0.0, 0.5)]
    assert drawn[0].moves is not None
    assert drawn[1].moves is not None
    assert drawn[0].moves.tolist() != drawn[1].moves.tolist()


def test_the_card_has_license_citation_counts_and_how_to_load_it(made: Path) -> None:
    card = (made / "README.md").read_text("utf-8")
    assert card.startswith("---\nlicense: cc0-1.0\n")
    for words in ("size_categories:\n- 1K<n<10K", "@misc{fourcast", "load_dataset(", "torch_dataset("):
        assert words in card
    for ply in range(28, 34):
        assert f"| {ply} | {sum(row['ply'] == ply for row in rows_of(made)):,} |" in card


# ---- The same bytes, however it is made --------------------------------------------------------------


def test_threads_do_not_show_in_the_bytes(made: Path, tmp_path: Path) -> None:
    make_dataset(tmp_path / "set", PLAN, threads=3)
    assert contents(tmp_path / "set") == contents(made)


def backwards(blocks: Iterable[tuple[int, Block]]) -> Generator[tuple[int, LabeledRows], None, None]:
    """Workers of which nothing comes in order."""
    yield from reversed(list(on_threads(1, LABEL_ROWS)(blocks)))


def test_an_interruption_and_the_order_of_the_blocks_do_not_show(made: Path, tmp_path: Path) -> None:
    folder = tmp_path / "set"

    def stop_after(done: int, _: int) -> None:
        if done >= 1400:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        make_dataset(folder, PLAN, workers=backwards, progress=stop_after)
    finished = {file: file.stat() for file in (folder / "data").iterdir()}
    assert 0 < len(finished) < 9
    summary = make_dataset(folder, PLAN)
    assert 0 < summary.made < 2500
    assert contents(folder) == contents(made)
    for file, before in finished.items():
        assert (file.stat().st_ino, file.stat().st_mtime_ns) == (before.st_ino, before.st_mtime_ns)


MAKE_AND_DIE = """
import os, signal, sys
from pathlib import Path
from fourcast.data import dataset, files, read_plan

left = int(sys.argv[3])

def die_in_time(descriptor):
    global left
    left -= 1
    if left < 0:
        os.kill(os.getpid(), signal.SIGKILL)

files.os.fsync = die_in_time
dataset.make_dataset(Path(sys.argv[1]), read_plan(sys.argv[2]))
"""


def test_a_process_that_is_killed_while_it_writes_loses_nothing_that_is_whole(
    made: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "set"
    for writes in (0, 6):  # while it writes the plan; then in the middle of the second shard
        arguments = [str(folder), str(made / "plan.toml"), str(writes)]
        command = [sys.executable, "-c", MAKE_AND_DIE, *arguments]
        assert subprocess.run(command, check=False).returncode == -signal.SIGKILL
        assert any(file.name.startswith(".fourcast-") for file in folder.rglob("*"))
    summary = make_dataset(folder, PLAN)
    assert summary.made == 2500 - PLAN.rows_per_file
    assert contents(folder) == contents(made)


@pytest.mark.slow
def test_ctrl_c_ends_it_and_the_next_run_goes_on(tmp_path: Path) -> None:
    out = tmp_path / "set"
    command = [*COMMAND, "dataset", "--rows", "3000", "--out", str(out)]
    process = subprocess.Popen(command, stderr=subprocess.PIPE)
    while not (out / "plan.toml").exists():
        assert process.poll() is None
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert (process.returncode, errors) == (130, b"")
    assert not list((out / "data").iterdir())


# ---- Refusals ----------------------------------------------------------------------------------------


def test_a_folder_of_something_else_is_refused_and_left_alone(made: Path, tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").write_text("precious")
    with pytest.raises(DatasetError, match=r"is not empty and not a data set: it has 'thesis\.tex'"):
        make_dataset(tmp_path, PLAN)
    with pytest.raises(DatasetError, match="is not a folder"):
        make_dataset(tmp_path / "thesis.tex", PLAN)
    with pytest.raises(DatasetError, match="is not a folder"):
        make_dataset(tmp_path / "thesis.tex" / "set", PLAN)
    (tmp_path / "plan.toml").write_text("[tool.ruff]\n")
    with pytest.raises(DatasetError, match="is not a plan: there is no setting 'tool'"):
        make_dataset(tmp_path, PLAN)
    assert {file.name for file in tmp_path.iterdir()} == {"thesis.tex", "plan.toml"}
    with pytest.raises(DatasetError, match="another plan: its seed is 3, not 4"):
        make_dataset(made, replace(PLAN, seed=4))


def test_a_damaged_file_is_named(made: Path, tmp_path: Path) -> None:
    folder = tmp_path / "set"
    for name, content in contents(made).items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)
    victim = next((folder / "data").glob("train-00001*"))
    victim.write_bytes(victim.read_bytes()[:-20])
    with pytest.raises(DatasetError, match=r"train-00001-of-00003\.parquet' is damaged"):
        make_dataset(folder, PLAN)
    victim.unlink()
    assert make_dataset(folder, PLAN).made == PLAN.rows_per_file
    assert contents(folder) == contents(made)


def test_two_processes_do_not_make_one_data_set(tmp_path: Path) -> None:
    def other(*_: int) -> None:
        make_dataset(tmp_path / "set", PLAN)

    with pytest.raises(DatasetError, match="another process is making the data set"):
        make_dataset(tmp_path / "set", PLAN, progress=other)


def test_more_files_than_there_are_names_for_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(OptionError, match="set rows_per_file to more"):
        make_dataset(str(tmp_path / "set"), Plan(rows=10**12))
    assert not list(tmp_path.iterdir())


def test_more_positions_than_there_are_is_an_error(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("fourcast.data.drawing.DRAWS_WITHOUT_NEWS", 5000)
    plan = Plan(rows=200, plies=(3, 3), without_suites=())
    with pytest.raises(OptionError, match=r"no new positions were found after 121 rows"):
        make_dataset(tmp_path / "set", plan)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("uniqe = true", "no setting 'uniqe'; did you mean 'unique'"),
        ("unique = 1", "unique must be true or false, not 1"),
        ('rows = "many"', "rows must be a whole number from 1 to .*, not 'many'"),
        ("rows = true", "rows must be a whole number"),
        ("rows = 0", "rows must be a whole number from 1"),
        ("seed = -1", "seed must be"),
        ("seed = 1.5", "seed must be"),
        ('by = "magic"', "by must be one of 'uniform ply', .*, not 'magic'"),
        ("by = 3", "by must be one of"),
        ("plies = 42", r"plies must be from 0 to 41 on a board of 7x6, not \[42, 42\]"),
        ("plies = [5]", "plies must be a number of discs, or the fewest and the most"),
        ("plies = [9, 5]", r"the fewest and the most discs, not \[9, 5\]"),
        ('plies = "late"', "plies must be a number of discs"),
        ('by = "all"', 'by = "all" needs plies'),
        ('by = "all"\nplies = [2, 3]', "one number of discs"),
        ("width = 100", "a board of width 100 and height 6 is not supported"),
        ('players = ["random", "random"]', "players play only with"),
        ('by = "players"', "needs two players, not 0"),
        ('by = "players"\nplayers = ["radnom", "random"]', "did you mean 'random'"),
        ('by = "players"\nplayers = ["sh", "random"]', "no player is called 'sh'"),
        ('by = "players"\nplayers = ["mcts:time_s=1", "random"]', "plays by the clock"),
        ('by = "players"\nplayers = "random"', "players must be a list of texts"),
        ('columns = ["first", "scroes"]', "no column 'scroes'; did you mean 'scores'"),
        ('columns = ["first"]', "columns must have 'second'"),
        ("columns = [1]", r"columns must be a list of texts, not \[1\]"),
        ("columns = [[1]]", r"columns must be a list of texts, not \[\[1\]\]"),
        ('split_by = "ply"', "split_by must be one of 'position', 'game'"),
        ("[splits]\ntrain = 0.5", "must add up to 1, not 0.5"),
        ("[splits]\ntrian = 1", "no split 'trian'; did you mean 'train'"),
        ("[splits]\ntrain = '1'", "the share of train must be a number"),
        ("[splits]\ntrain = nan", "the share of train must be a number"),
        ("splits = 3", "splits must be a table"),
        ("rows_per_file = 0", "rows_per_file must be"),
        ("noise = 2", "noise must be a probability from 0 to 1, not 2"),
        ("noise = 0.5", 'noise is for by = "players"'),
        ('strata = ["outcom"]', "no stratum 'outcom'; did you mean 'outcome'"),
        ('by = "all"\nplies = 3\nstrata = ["phase"]', "strata are chosen from what is drawn"),
        ('without_suites = ["hard"]', "no suite is called 'hard'"),
        ('without_suites = ["private:salt"]', "no suite is called 'private:salt'"),
        ('license = "Mine!"', "license must be a name such as"),
        ('by = "players"\nplayers = ["nowhere:f", "random"]', "no module 'nowhere'"),
        ("rows = ", "the file is not TOML"),
    ],
)
def test_a_wrong_plan_is_refused_with_what_is_wrong(text: str, message: str, tmp_path: Path) -> None:
    (tmp_path / "plan.toml").write_text(text)
    with pytest.raises(OptionError, match=message) as refused:
        read_plan(tmp_path / "plan.toml")
    assert str(refused.value).startswith(f"{tmp_path / 'plan.toml'}: ")


def test_a_plan_made_in_python_is_checked_like_a_file(tmp_path: Path) -> None:
    assert Plan(plies=range(20, 42)).plies == (20, 41)  # type: ignore[arg-type]
    assert Plan(columns=["first", "second"]).columns == ("first", "second")  # type: ignore[arg-type]
    wrong: list[dict[str, Any]] = [
        {"plies": "5"},
        {"plies": range(0)},
        {"columns": None},
        {"columns": "first"},
        {"players": None},
        {"players": (1, 2)},
        {"splits": None},
    ]
    for settings in wrong:
        with pytest.raises(OptionError, match=f"^{next(iter(settings))} must be "):
            Plan(**settings)
    with pytest.raises(TypeError, match="plan must be a Plan, such as read_plan"):
        make_dataset(tmp_path / "set", "plan.toml")  # type: ignore[arg-type]
    with pytest.raises(OptionError, match="threads must be 1 or more, not 0"):
        make_dataset(tmp_path / "set", PLAN, threads=0)
    assert not (tmp_path / "set").exists()


def test_a_plan_is_read_back_as_it_was_written() -> None:
    plans = (
        Plan(),
        PLAN,
        Plan(by="players", players=("level-3", "streaks:depth=2"), splits={"train": 1}, unique=False),
        Plan(by="all", plies=(4, 4), columns=("second", "first"), width=6, height=5),
    )
    for plan in plans:
        assert parse_plan(plan.to_toml()) == plan


def test_data_sets_without_pyarrow_say_what_to_install(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(MissingExtraError, match=r"-m pip install pyarrow$"):
        make_dataset(tmp_path / "set", PLAN)


# ---- The command -------------------------------------------------------------------------------------


def test_the_command_prints_the_plan_that_it_would_follow(tmp_path: Path) -> None:
    (tmp_path / "late.toml").write_text("plies = [30, 41]\nrows = 10\n")
    done = run_text("dataset", "--plan", str(tmp_path / "late.toml"), "--rows", "20", "--print-plan")
    assert parse_plan(done.stdout) == Plan(rows=20, plies=(30, 41))


def test_the_command_makes_what_the_function_makes(made: Path, tmp_path: Path) -> None:
    (tmp_path / "late.toml").write_text("plies = [28, 33]\nrows_per_file = 1100\n")
    options = ["--plan", str(tmp_path / "late.toml"), "--rows", "2500", "--seed", "3", "--threads", "2"]
    out = tmp_path / "set"
    done = run_text("dataset", *options, "--out", str(out))
    assert done.stdout.startswith(f"{out}: ")
    assert contents(out) == contents(made)
    again = run_text("dataset", *options, "--out", str(out))
    assert "(2,500 rows were there)" in again.stdout


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--out", "x"], "such as --rows 10000"),
        (["--rows", "10"], "such as --out my-positions"),
        (["--rows", "0", "--out", "x"], "rows must be a whole number from 1"),
        (["--rows", "5", "--out", "x", "--plan", "missing.toml"], "missing.toml: No such file"),
        (
            ["--rows", "5", "--out", "x", "--ray", "auto", "--threads", "2"],
            "--threads is for this machine",
        ),
        (["uci8"], "such as --out my-positions"),
        (["uci8", "--out", "x", "--rows", "5"], "uci8 has no options but --out"),
        (["uci9"], "uci9"),
    ],
)
def test_wrong_options_are_refused(words: list[str], message: str, tmp_path: Path) -> None:
    done = run_text("dataset", *words, cwd=tmp_path)
    assert done.returncode == 2
    assert message in done.stderr
    assert not list(tmp_path.iterdir())


@pytest.mark.slow
def test_the_command_writes_the_uci_data_set(tmp_path: Path) -> None:
    done = run_text("dataset", "uci8", "--out", str(tmp_path / "uci"))
    assert "67,557 positions: 44,473 win, 16,635 loss, 6,449 draw" in done.stdout
    lines = (tmp_path / "uci" / "connect-4.data").read_text().splitlines()
    table = pq.read_table(tmp_path / "uci" / "connect-4.parquet")
    assert len(lines) == table.num_rows == 67557
    assert table.column_names[:7] == ["a1", "a2", "a3", "a4", "a5", "a6", "b1"]
    assert ",".join(table.slice(1000, 1).to_pylist()[0].values()) == lines[1000]


# ---- Other readers -----------------------------------------------------------------------------------


@pytest.mark.slow
def test_pandas_reads_it(made: Path) -> None:
    import pandas as pd

    frame = pd.concat(map(pd.read_parquet, sorted((made / "data").glob("train-*.parquet"))))
    rows = rows_of(made, "train")
    assert len(frame) == len(rows)
    assert frame["first"].dtype == np.uint64
    assert frame["moves"].tolist() == [row["moves"] for row in rows]
    scores = np.stack(frame["scores"].to_list())
    assert (scores.max(axis=1) == frame["value"]).all()
    assert (Solver().column_scores(frame["moves"]) == scores).all()  # a column of texts will do


@pytest.mark.slow
@pytest.mark.parametrize("rows", [2500, 3])  # of three rows, a split has none
def test_hugging_face_datasets_reads_it_with_its_splits(rows: int, tmp_path: Path) -> None:
    folder = tmp_path / "set"
    make_dataset(folder, replace(PLAN, rows=rows))
    code = f"""
import datasets
loaded = datasets.load_dataset({str(folder)!r}, cache_dir={str(tmp_path)!r})
print({{name: len(split) for name, split in loaded.items()}})
print(loaded["train"][0])
"""
    env = os.environ | {"HF_HUB_OFFLINE": "1", "HF_HOME": str(tmp_path)}
    printed = subprocess.check_output([sys.executable, "-c", code], env=env, text=True)
    sizes, first = printed.splitlines()
    counts = {name: len(rows_of(folder, name)) for name in PLAN.splits}
    assert sizes == str({name: count for name, count in counts.items() if count})
    assert first == str(rows_of(folder, "train")[0])
