"""The core in WebAssembly: it is that of the sources, right on every size, and a package for npm."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from pathlib import Path

import pytest

from fourcast import Position, Solver

ROOT = Path(__file__).resolve().parents[2]
CORE = ROOT / "src" / "fourcast" / "web" / "page" / "static" / "js" / "core"
SIZES = [
    *((4, height) for height in (4, 5, 6, 7, 12, 25, 31)),
    *((5, height) for height in (4, 5, 6, 8)),
    *((6, height) for height in (4, 5, 6, 7, 8)),
    *((7, height) for height in (4, 5, 6, 7, 8)),
    *((8, 6), (8, 7), (8, 8), (9, 7), (10, 7), (12, 4), (17, 6), (25, 4)),
]
SCORES = """
import { readFileSync } from "node:fs";
import { load } from "CORE/index.js";
const core = await load();
const answers = [];
for (const place of JSON.parse(readFileSync(0, "utf8"))) {
  const { columns } = await core.analyze(place);
  answers.push(columns.map(({ score, variation }) => [score, variation]));
}
process.stdout.write(JSON.stringify(answers));
"""
SOLVE = """
import { readFileSync } from "node:fs";
import { load } from "CORE/index.js";
const core = await load();
const scores = [];
for (const moves of JSON.parse(readFileSync(0, "utf8"))) scores.push((await core.solve(moves)).score);
process.stdout.write(JSON.stringify(scores));
"""
USE = """
import { CoreError, load, loadInWorker } from "fourcast-core";
const core = await load();
const worker = await loadInWorker();
const { score, best_columns: best } = await worker.analyze("4455");
const refusal = await core.position("9").catch((error) => error);
console.log(JSON.stringify([score, best, refusal instanceof CoreError, refusal.name, refusal.message]));
await worker.close();
"""
TYPED = """
import { type AnalysisView, type Core, loadInWorker } from "fourcast-core";
const core: Core = await loadInWorker();
const view: AnalysisView = await core.analyze("4455", { time_s: 1, onProgress: ({ score }) => score });
export const best: number[] = view.best_columns;
"""
TYPESCRIPT: dict[str, object] = {
    "noEmit": True,
    "strict": True,
    "target": "es2023",
    "module": "nodenext",
    "lib": ["es2023", "dom"],
    "types": [],
}
# Node and npm are programs of the environment that runs the tests.
ENVIRONMENT = {**os.environ, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}


def run(*command: str | Path, cwd: Path = ROOT, text: str = "") -> str:
    done = subprocess.run(
        command, cwd=cwd, env=ENVIRONMENT, input=text, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.slow
def test_the_compiled_core_is_that_of_the_sources(tmp_path: Path) -> None:
    run("make", "wasm", f"WASM_BUILD={tmp_path / 'build'}", f"WASM_OUT={tmp_path / 'out'}")
    for name in ("fourcast.wasm", "fourcast-play.wasm"):
        assert (tmp_path / "out" / name).read_bytes() == (CORE / name).read_bytes(), "run: make wasm"


def positions(count: int, seed: int) -> list[Position]:
    """Return positions of all sizes with few empty squares, so that an analysis takes little time.

    Nobody completes a four on the way there if it can be helped: on large boards no random game would
    ever get that far.
    """
    chance = random.Random(seed)
    found: list[Position] = []
    while len(found) < count:
        width, height = SIZES[len(found) % len(SIZES)]
        position = Position(width=width, height=height)
        discs = width * height - chance.randint(1, min(20, width * height))
        while position.ply < discs and not position.is_over:
            wins = position.winning_columns()
            quiet = [column for column in position.legal_columns if column not in wins]
            position = position.play(chance.choice(quiet or list(wins)))
        if not position.is_over:
            found.append(position)
    return found


@pytest.mark.slow
def test_scores_and_lines_are_those_of_the_native_core_on_29_sizes() -> None:
    sample = positions(2900, seed=20261116)
    assert len({(position.width, position.height) for position in sample}) == 29
    places = [{"start": position.to_rows()} for position in sample]
    script = SCORES.replace("CORE", CORE.as_uri())
    answers = json.loads(run("node", "--input-type=module", "--eval", script, text=json.dumps(places)))
    analyses = Solver(book=None).analyze_many(sample)
    for place, answer, analysis in zip(places, answers, analyses, strict=True):
        assert answer == [[line.score, list(line.variation)] for line in analysis], place


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", ["end-easy", "middle-easy", "middle-medium", "begin-easy", "begin-medium", "begin-hard"]
)
def test_the_scores_of_a_set_are_those_known(name: str) -> None:
    """A thousand positions each, without a book; the native core is held to the same files."""
    lines = (ROOT / "tests" / "fixtures" / f"{name}.txt").read_text().splitlines()
    moves, scores = zip(*(line.split() for line in lines), strict=True)
    assert len(moves) == 1000
    script = SOLVE.replace("CORE", CORE.as_uri())
    answers = json.loads(run("node", "--input-type=module", "--eval", script, text=json.dumps(moves)))
    assert answers == [int(score) for score in scores]


@pytest.mark.slow
def test_the_npm_package_works_in_an_empty_folder(tmp_path: Path) -> None:
    package = run(sys.executable, ROOT / "tools" / "npm" / "make_package.py", tmp_path).strip()
    project = tmp_path / "project"
    project.mkdir()
    (project / "package.json").write_text('{"type": "module", "private": true}')
    run("npm", "install", "--offline", "--no-audit", "--no-fund", package, cwd=project)
    (project / "use.js").write_text(USE)
    message = "'9' at place 1 of '9' is not a column: they are 1 to 7"
    wanted = [18, [2, 5], True, "InvalidNotationError", message]
    assert json.loads(run("node", "use.js", cwd=project)) == wanted
    (project / "typed.ts").write_text(TYPED)
    (project / "tsconfig.json").write_text(json.dumps({"compilerOptions": TYPESCRIPT}))
    run(ROOT / "node_modules" / ".bin" / "tsc", "--project", project)
