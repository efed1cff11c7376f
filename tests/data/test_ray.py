"""Data sets made on a Ray cluster: a real one, of two nodes on this machine, that loses one of them."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from fourcast.data import Plan, make_dataset
from tests.command import COMMAND
from tests.ray_cluster import Cluster, running_cluster, wait_until

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform != "linux", reason="finds the processes of a node in /proc"),
]

# Rows that take about a millisecond each: both nodes are at work before all are done.
PLAN = Plan(rows=30_000, seed=18, plies=(10, 41), rows_per_file=2500)


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    with running_cluster(tmp_path_factory.mktemp("logs"), jobs=True) as started:
        yield started


def contents(folder: Path) -> dict[str, bytes]:
    return {
        str(file.relative_to(folder)): file.read_bytes() for file in folder.rglob("*") if file.is_file()
    }


def start(plan: Plan, out: Path, address: str) -> subprocess.Popen[str]:
    file = out.with_suffix(".toml")
    file.write_text(plan.to_toml())
    command = [*COMMAND, "dataset", "--plan", str(file), "--out", str(out), "--ray", address]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


def files_in(out: Path) -> int:
    return len(list(out.glob("data/*.parquet")))


def test_the_command_runs_as_a_job_of_the_cluster(cluster: Cluster, tmp_path: Path) -> None:
    plan = replace(PLAN, rows=2000, plies=(28, 41))
    file, out = tmp_path / "plan.toml", tmp_path / "job"
    file.write_text(plan.to_toml())
    command = [*COMMAND, "dataset", "--plan", str(file), "--out", str(out), "--ray", "auto"]
    submit = ["-m", "ray.scripts.scripts", "job", "submit", "--address", cluster.jobs, "--"]
    done = subprocess.run(
        [sys.executable, *submit, *command], capture_output=True, text=True, timeout=600, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "succeeded" in done.stdout
    make_dataset(tmp_path / "local", plan)
    assert contents(out) == contents(tmp_path / "local")


@pytest.mark.parametrize("unique", [False, True])
def test_a_data_set_of_a_cluster_is_byte_for_byte_the_local_one(
    cluster: Cluster, tmp_path: Path, unique: bool
) -> None:
    """With a driver that is killed and starts again and, the second time, a node that is lost."""
    plan = replace(PLAN, unique=unique)
    out = tmp_path / "ray"
    first = start(plan, out, cluster.address)
    wait_until(lambda: files_in(out) >= 6, "two shards")
    first.kill()
    first.communicate()
    kept = files_in(out)
    assert kept < 36
    second = start(plan, out, cluster.address)
    wait_until(lambda: files_in(out) >= kept + 3, "another shard")
    if unique:  # the last test
        wait_until(cluster.other.is_solving, "the second node at work")
        cluster.other.kill()
        assert files_in(out) < 36
    said, _ = second.communicate(timeout=1200)
    assert second.returncode == 0
    # Nothing else, not even what Ray says about a node that is lost.
    assert re.fullmatch(r".* train, .* test; 36 files \(.* rows were there\)\n", said)
    make_dataset(tmp_path / "local", plan, threads=2)
    assert contents(out) == contents(tmp_path / "local")
