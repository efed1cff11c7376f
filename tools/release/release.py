"""Check what a program can check before a release, and list what is left to people: `make release`.

The exit status is 1 as long as one of the checks fails.

`make release VERSION=0.2.0` first writes the version to every file that has it, and names the newest
part of the changelog after it. `make release OWNER=account` does the same with the account that the
project is published under. Both are read from pyproject.toml.
"""

from __future__ import annotations

import argparse
import datetime
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from fourcast.web.page.bundled import bundled_files

ROOT = Path(__file__).resolve().parents[2]

TO_DO = """\
Left to do:
  [ ] make test, make test-slow and make docs pass on a clean checkout
  [ ] figures in docs/ that depend on what has changed: their commands again, on a quiet machine
  [ ] make wasm, if the C++ code has changed
  [ ] tools/page/record_page_answers.py: the recorded answers have the version
  [ ] make wheels: the same sources on every system that runs here
  [ ] the pictures: make test ARGS="-m slow tests/browser/test_docs_images.py"
  [ ] git tag vX.Y.Z, and push it: .github/workflows/release.yml builds and publishes
  [ ] pip install fourcast on a machine without a compiler, and fourcast play
"""


ADDRESSES = ["pyproject.toml", "mkdocs.yml", "CITATION.cff", ".github/ISSUE_TEMPLATE/config.yml"]
"""The files with addresses of the project."""


def read(name: str) -> str:
    return (ROOT / name).read_text("utf-8")


def replace(name: str, pattern: str, by: str) -> None:
    """Replace all that a pattern matches in a file of the project."""
    text, count = re.subn(pattern, by, read(name), flags=re.MULTILINE)
    if count == 0:
        sys.exit(f"{name} has nothing like {pattern}")
    (ROOT / name).write_text(text, "utf-8")


def set_version(new: str) -> None:
    """Write the version to every file that has it."""
    if not re.fullmatch(r"\d+\.\d+\.\d+((a|b|rc)\d+)?", new):
        sys.exit(f"{new!r} is not a version like 0.2.0 or 0.2.0rc1")
    today = datetime.datetime.now(datetime.timezone.utc).date().isoformat()
    replace("pyproject.toml", r'^version = ".*"$', f'version = "{new}"')
    replace(
        "CITATION.cff",
        r"^version: .*$(\ndate-released: .*$)?",
        f"version: {new}\ndate-released: {today}",
    )
    if re.search(r"^## Unreleased$", read("CHANGELOG.md"), re.MULTILINE):
        replace("CHANGELOG.md", r"^## Unreleased$", f"## {new} ({today})")


def set_owner(account: str) -> None:
    """Write the account to every address of the project."""
    if not re.fullmatch(r"[A-Za-z0-9]+(-[A-Za-z0-9]+)*", account):
        sys.exit(f"{account!r} is not the name of an account on GitHub")
    for name in ADDRESSES:
        replace(name, r"github\.com/[\w-]+/fourcast", f"github.com/{account}/fourcast")
        if "github.io" in read(name):
            replace(name, r"https://[\w-]+\.github\.io/", f"https://{account.lower()}.github.io/")


def run(*command: str) -> str:
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    return "" if done.returncode == 0 else (done.stdout + done.stderr).strip() or f"{command[0]} failed"


def version() -> str:
    found = re.search(r'^version = "(.+)"', read("pyproject.toml"), re.MULTILINE)
    assert found, "pyproject.toml has no version"
    return found[1]


def changelog_names_the_version() -> str:
    headings: list[str] = re.findall(r"^## (.+)", read("CHANGELOG.md"), re.MULTILINE)
    if headings[0] == "Unreleased":
        return f"CHANGELOG.md begins with Unreleased: name it {version()} or later, with the date"
    return "" if headings[0].startswith(version()) else f"CHANGELOG.md begins with {headings[0]}"


def citation_names_the_version() -> str:
    return (
        "" if f"\nversion: {version()}\n" in read("CITATION.cff") else "CITATION.cff has another version"
    )


def version_is_new() -> str:
    tags = subprocess.run(["git", "tag"], cwd=ROOT, capture_output=True, text=True).stdout.split()
    return (
        f"there is a tag v{version()} already: choose the next version"
        if f"v{version()}" in tags
        else ""
    )


def addresses_are_known() -> str:
    open_ones = [name for name in ADDRESSES if re.search(r"OWNER[/.]", read(name))]
    return f"make release OWNER=account replaces OWNER in {', '.join(open_ones)}" if open_ones else ""


def nothing_is_uncommitted() -> str:
    status = subprocess.run(
        ["git", "status", "--porcelain"], cwd=ROOT, capture_output=True, text=True
    ).stdout
    return f"uncommitted:\n{status.rstrip()}" if status else ""


def reference_is_current() -> str:
    return run(
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "tests/test_docs.py",
        "-k",
        "reference",
        "-m",
        "slow or not slow",
    )


def page_is_bundled() -> str:
    return "" if bundled_files() else "run: make page-bundle"


CHECKS: dict[str, Callable[[], str]] = {
    "everything is committed": nothing_is_uncommitted,
    "the version has no tag yet": version_is_new,
    "the changelog has the version": changelog_names_the_version,
    "CITATION.cff has the version": citation_names_the_version,
    "the addresses of the project are known": addresses_are_known,
    "docs/reference is current": reference_is_current,
    "the page is bundled": page_is_bundled,
}


def main() -> int:
    parser = argparse.ArgumentParser(description="Check the project before a release.")
    parser.add_argument("--version", help="write this version to every file that has it")
    parser.add_argument("--owner", help="write this account to every address of the project")
    options = parser.parse_args()
    if options.version:
        set_version(options.version)
    if options.owner:
        set_owner(options.owner)
    failed = 0
    print(f"fourcast {version()}")
    for what, check in CHECKS.items():
        complaint = check()
        failed += bool(complaint)
        print(f"{'FAIL' if complaint else 'ok  '}  {what}")
        if complaint:
            print("      " + complaint.replace("\n", "\n      "))
    print(f"\n{TO_DO}", end="")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
