"""Bundle the page's modules with esbuild: `make page-bundle`.

The scripts of package.json say how. What the bundle was made of is written beside it, so that it is not
used with other modules.
"""

from __future__ import annotations

import shutil
import subprocess

from fourcast.web.page.bundled import BUNDLED, SOURCES, sources_digest


def main() -> None:
    shutil.rmtree(BUNDLED, ignore_errors=True)
    digest = sources_digest()
    subprocess.run(["npm", "--silent", "run", "bundle"], check=True)
    (BUNDLED / SOURCES).write_text(digest, "utf-8")


if __name__ == "__main__":
    main()
