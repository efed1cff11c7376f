"""The core in WebAssembly next to the native one: time on the same positions, and size.

python benchmarks/wasm.py [--seed N] [--positions N]

Both solve the same positions on one thread without a book, in turns and each position with an empty
table, and the sums of their processor times are compared. The positions are like those of begin-medium:
6 to 14 discs, random moves, and between 15,000 and 1,500,000 nodes of the native search. The seed is a
new one every time, because nothing may be tuned on what is measured with; the output names it.
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
import subprocess
import sys
import time
from pathlib import Path

from fourcast import Limit, Position, Solver

ROOT = Path(__file__).resolve().parent.parent
CORE = ROOT / "src" / "fourcast" / "web" / "page" / "static" / "js" / "core"
NODE = """
import { createInterface } from "node:readline";
import { brotliCompressSync } from "node:zlib";
import { readFileSync } from "node:fs";
import { WASM, load } from "CORE/index.js";
const core = await load();
console.log(brotliCompressSync(readFileSync(WASM)).length);
for await (const moves of createInterface(process.stdin)) {
  await core.clear();
  const before = process.cpuUsage();
  const { score, nodes } = await core.solve(moves);
  const { user, system } = process.cpuUsage(before);
  console.log(JSON.stringify({ score, nodes, time_s: (user + system) / 1e6 }));
}
"""


def sample(count: int, chance: random.Random) -> list[str]:
    found: list[str] = []
    while len(found) < count:
        position = Position()
        moves = ""
        for _ in range(chance.randint(6, 14)):
            if position.is_over:
                break
            column = chance.choice(tuple(position.legal_columns))
            position = position.play(column)
            moves += str(column + 1)
        if position.is_over:
            continue
        result = Solver(book=None).solve(position, Limit(nodes=1_500_000), best_columns=False)
        if result.complete and result.nodes >= 15_000:
            found.append(moves)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(10**6))
    parser.add_argument("--positions", type=int, default=30)
    options = parser.parse_args()
    moves = sample(options.positions, random.Random(options.seed))
    node_program = str(Path(sys.executable).parent / "node")
    command = [node_program, "--input-type=module", "--eval", NODE.replace("CORE", CORE.as_uri())]
    native_s = wasm_s = 0.0
    native_nodes = wasm_nodes = 0
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as node:
        assert node.stdin
        assert node.stdout
        brotli = int(node.stdout.readline())
        for each in moves:
            print(each, file=node.stdin, flush=True)
            answer = json.loads(node.stdout.readline())
            solver = Solver(book=None)
            start = time.process_time()
            result = solver.solve(Position(each), best_columns=False)
            native_s += time.process_time() - start
            wasm_s += answer["time_s"]
            native_nodes += result.nodes
            wasm_nodes += answer["nodes"]
            if answer["score"] != result.score:
                raise SystemExit(f"{each}: {answer['score']} in WebAssembly, {result.score} native")
        node.stdin.close()
    content = (CORE / "fourcast.wasm").read_bytes()
    print(f"seed {options.seed}, {len(moves)} positions")
    print(f"native  {native_s:6.2f} s  {native_nodes:12,} nodes")
    print(
        f"wasm    {wasm_s:6.2f} s  {wasm_nodes:12,} nodes  {wasm_s / native_s:.2f} times the native time"
    )
    zipped = len(gzip.compress(content, 9))
    print(f"size    {len(content):,} bytes, gzip {zipped:,}, brotli {brotli:,}")


if __name__ == "__main__":
    main()
