"""The owner's side: switch the game on, and make its page anew."""

from __future__ import annotations

import json
import os
import re
import subprocess
from collections.abc import Mapping
from importlib.metadata import PackageNotFoundError, distribution
from importlib.resources import files
from pathlib import Path

from fourcast.community import config as configuration
from fourcast.community.config import Config
from fourcast.community.ledger import Ledger
from fourcast.community.page import END, START, Site, derive
from fourcast.errors import CommunityError

__all__ = ["WORKFLOW", "find_action", "find_site", "init", "rebuild", "workflow"]

WORKFLOW = ".github/workflows/connect4.yml"

_ACTION = r"[\w.-]+/[\w.-]+(?:/[\w./-]+)?@[0-9a-f]{40}"


def init(folder: Path, site: Site, action: str | None) -> list[str]:
    """Write what a repository needs, and return the paths that were written: none the second time.

    What is there already stays as it is, but for the page between the markers. Without *action* no
    workflow is written.
    """
    _check_top(folder)
    written = []
    if action is not None:
        written += _write_new(folder, WORKFLOW, workflow(action))
    written += _write_new(folder, configuration.PATH, template("fourcast.toml"))
    config = load_config(folder)
    written += _write_new(folder, config.ledger_path, "")
    readme = folder / config.readme
    text = readme.read_bytes() if readme.exists() else b""
    if START.encode() not in text and END.encode() not in text:
        newline = b"\r\n" if b"\r\n" in text else b"\n"
        gap = b"" if not text else newline if text.endswith(newline) else newline * 2
        _write(readme, text + gap + START.encode() + newline + END.encode() + newline)
        written.append(config.readme)
    return sorted({*written, *rebuild(folder, site)})


def rebuild(folder: Path, site: Site) -> list[str]:
    """Make everything anew that follows from the ledger, and return the paths that have changed."""
    config = load_config(folder)
    ledger_path = folder / config.ledger_path
    ledger = Ledger.parse(ledger_path.read_text("utf-8") if ledger_path.exists() else "")
    readme = folder / config.readme
    derived = derive(ledger, config, site, readme.read_bytes() if readme.exists() else None)
    if config.readme not in derived:
        raise CommunityError(
            f"{config.readme} needs one line {START} and, below it, one line {END} for the page"
        )
    changed = []
    for path, content in derived.items():
        target = folder / path
        if not target.exists() or target.read_bytes() != content:
            _write(target, content)
            changed.append(path)
    return changed


def load_config(folder: Path) -> Config:
    """Return the settings of a repository on this machine."""
    path = folder / configuration.PATH
    return configuration.parse(path.read_text("utf-8") if path.exists() else "")


def workflow(action: str) -> str:
    """Return the workflow that runs *action*, `OWNER/NAME@COMMIT`."""
    if not re.fullmatch(_ACTION, action, re.ASCII):
        raise CommunityError(f"{action!r} is not OWNER/NAME@COMMIT, with all 40 digits of the commit")
    return template("workflow.yml").replace("ACTION", action)


def template(name: str) -> str:
    """Return a file that comes with the package."""
    return (files("fourcast.community") / "templates" / name).read_text("utf-8")


# Where things are


def find_action() -> str | None:
    """Return the action that belongs to this installation, if it was installed from GitHub.

    pip notes from which repository and commit: that is where the action is, too.
    """
    try:
        noted = distribution("fourcast").read_text("direct_url.json")
    except PackageNotFoundError:
        return None
    try:
        source = json.loads(noted or "{}")
        url, commit = source["url"], source["vcs_info"]["commit_id"]
    except (ValueError, KeyError, TypeError):
        return None
    match = re.fullmatch(r"https://github\.com/([\w.-]+/[\w.-]+?)(?:\.git)?/?", str(url), re.ASCII)
    action = f"{match[1]}@{commit}" if match else ""
    return action if re.fullmatch(_ACTION, action, re.ASCII) else None


def find_site(folder: Path, repository: str | None, environment: Mapping[str, str] = os.environ) -> Site:
    """Return where the repository in *folder* is: as said, as in a workflow, or as its `origin` says."""
    server = environment.get("GITHUB_SERVER_URL", "https://github.com").rstrip("/")
    if repository is None:
        repository = environment.get("GITHUB_REPOSITORY")
    if repository is None:
        command = ["git", "remote", "get-url", "origin"]
        run = subprocess.run(
            command, cwd=folder, capture_output=True, text=True, check=False, timeout=20
        )
        # https://HOST/OWNER/NAME.git, ssh://git@HOST/OWNER/NAME, git@HOST:OWNER/NAME.git
        pattern = r"(?:\w+://)?(?:[^@/]+@)?([\w.-]+(?::\d+)?)[:/]([\w.-]+/[\w.-]+?)(?:\.git)?/?"
        match = re.fullmatch(pattern, run.stdout.strip(), re.ASCII)
        if not match:
            raise CommunityError(
                f"which repository on GitHub is {folder}? Say --repository OWNER/NAME, or set its origin"
            )
        server, repository = f"https://{match[1]}", match[2]
    if not re.fullmatch(r"[\w.-]+/[\w.-]+", repository, re.ASCII):
        raise CommunityError(f"{repository!r} is not OWNER/NAME")
    return Site(repository, server)


def _check_top(folder: Path) -> None:
    """Refuse a folder inside of a repository: GitHub looks for workflows at its top only."""
    command = ["git", "rev-parse", "--show-toplevel"]
    run = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, timeout=20)
    top = run.stdout.strip()
    if run.returncode == 0 and Path(top).resolve() != folder.resolve():
        raise CommunityError(f"{folder.resolve()} is inside of a repository; start in {top}")


def _write_new(folder: Path, path: str, content: str) -> list[str]:
    if (folder / path).exists():
        return []
    _write(folder / path, content.encode())
    return [path]


def _write(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
