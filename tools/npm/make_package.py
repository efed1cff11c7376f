"""Makes the npm package `fourcast-core`.

python tools/npm/make_package.py [FOLDER]

It is the folder static/js/core with the types that TypeScript finds in its comments, the English
sentences of its errors, which a page has in its own catalog, and what is in this folder. `npm pack` puts
it into FOLDER, `dist` by default.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

from fourcast import __version__
from fourcast.render.catalogue import texts_of

ROOT = Path(__file__).resolve().parents[2]
SCRIPTS = ROOT / "src" / "fourcast" / "web" / "page" / "static" / "js"
CORE = SCRIPTS / "core"
HERE = Path(__file__).resolve().parent
PACKAGE = ROOT / "build" / "npm" / "fourcast-core"
ENGLISH = """// What errors say in English, from the message catalog of fourcast.

import { CoreError } from "./errors.js";
import { Catalogue } from "./patterns.js";
import { saidText } from "./said.js";

const { say } = new Catalogue(PATTERNS, "en");
CoreError.words = (code, facts) => saidText(say, { pattern: code, facts }, ["first", "second"]);
"""


def run(*command: str | Path, cwd: Path = ROOT) -> str:
    done = subprocess.run(command, cwd=cwd, stdout=subprocess.PIPE, text=True, check=True)
    return done.stdout


def assemble() -> None:
    """Put the files of the package together."""
    shutil.rmtree(PACKAGE, ignore_errors=True)
    shutil.copytree(CORE, PACKAGE)
    shutil.copy(HERE / "README.md", PACKAGE)
    shutil.copy(ROOT / "LICENSE", PACKAGE)
    description = json.loads((HERE / "package.json").read_text(encoding="utf-8"))
    description["version"] = __version__
    (PACKAGE / "package.json").write_text(json.dumps(description, indent=2) + "\n", encoding="utf-8")
    for name in ("patterns.js", "said.js"):
        shutil.copy(SCRIPTS / "words" / name, PACKAGE)
    patterns = {code: text for code, text in texts_of("errors").items() if not code.endswith(".page")}
    english = ENGLISH.replace("PATTERNS", json.dumps(patterns))
    (PACKAGE / "english.js").write_text(english, encoding="utf-8")
    with (PACKAGE / "index.js").open("a", encoding="utf-8") as index:
        index.write('import "./english.js";\n')
    run(ROOT / "node_modules" / ".bin" / "tsc", "--project", HERE)
    # A module without types of its own cannot hand on those of another.
    with (PACKAGE / "index.d.ts").open("a", encoding="utf-8") as types:
        types.write('export * from "./types.js";\n')


def main(arguments: list[str]) -> None:
    folder = Path(arguments[0]) if arguments else ROOT / "dist"
    folder.mkdir(parents=True, exist_ok=True)
    assemble()
    name = run("npm", "pack", "--silent", "--pack-destination", folder.resolve(), cwd=PACKAGE).strip()
    print(folder / name)


if __name__ == "__main__":
    main(sys.argv[1:])
