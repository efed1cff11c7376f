"""The owner's side: switch the game on, and rebuild its page from the ledger."""

from __future__ import annotations

import itertools
import json
import os
import re
import subprocess
from collections.abc import Iterator, Mapping
from importlib.metadata import PackageNotFoundError, distribution
from importlib.resources import files as resources
from pathlib import Path, PurePosixPath
from urllib.parse import urlsplit
from urllib.request import url2pathname

from fourcast.community import config as configuration
from fourcast.community.config import Config
from fourcast.community.files import ledger_files, read_whole_ledger
from fourcast.community.markup import Site
from fourcast.community.page import END, START, derive, derive_past
from fourcast.errors import CommunityError

__all__ = ["WORKFLOW", "find_action", "find_site", "init", "rebuild", "workflow"]

WORKFLOW = ".github/workflows/connect4.yml"

_ACTION = r"[\w.-]+/[\w.-]+(?:/[\w./-]+)?@[0-9a-f]{40}"
# https://HOST/OWNER/NAME.git, ssh://git@HOST/OWNER/NAME, git@HOST:OWNER/NAME.git
_ADDRESS = r"(?:\w+://)?(?:[^@/]+@)?([\w.-]+(?::\d+)?)[:/]([\w.-]+/[\w.-]+?)(?:\.git)?/?"


def init(folder: Path, site: Site, action: str | None) -> list[str]:
    """Write the files that a repository needs, and return their paths: none the second time.

    Existing files stay as they are, except for the page between the markers. Without *action* no
    workflow is written.
    """
    _check_top(folder)
    written = []
    if action is not None:
        written += _write_new(folder, WORKFLOW, workflow(action))
    written += _write_new(folder, configuration.PATH, settings(site, action))
    config = load_config(folder)
    written += _write_new(folder, config.ledger_path, "")
    text = _read(folder, config.readme) or b""
    if START.encode() not in text and END.encode() not in text:
        newline = b"\r\n" if b"\r\n" in text else b"\n"
        gap = b"" if not text else newline if text.endswith(newline) else newline * 2
        _write(folder, config.readme, text + gap + START.encode() + newline + END.encode() + newline)
        written.append(config.readme)
    return sorted({*written, *rebuild(folder, site)})


def rebuild(folder: Path, site: Site) -> list[str]:
    """Verify every line of the ledger and write all that follows from it; return the paths that changed.

    A ledger of version 0.1, with all games in one file, is split.
    """
    config = load_config(folder)
    lines, checksums = (_read(folder, path) for path in (config.ledger_path, config.checksums_path))
    ledger = read_whole_ledger(_closed(folder, config), lines, checksums, config)
    files = ledger_files(ledger, config)
    readme, archive = _read(folder, config.readme), _read(folder, config.archive_path)
    files |= derive(ledger, config, site, readme=readme, archive=archive)
    files |= derive_past(ledger.games, config, site)
    if config.readme not in files:
        raise CommunityError(
            f"{config.readme} needs one line {START} and, below it, one line {END} for the page"
        )
    changed = [path for path, content in files.items() if _read(folder, path) != content]
    for path in changed:
        _write(folder, path, files[path])
    return changed


def _closed(folder: Path, config: Config) -> Iterator[tuple[str, bytes | None]]:
    for number in itertools.count(1):
        path = config.closed_path(number)
        content = _read(folder, path)
        if content is None:
            return
        yield path, content


def load_config(folder: Path) -> Config:
    """Return the settings of a repository on this machine."""
    return configuration.parse(_read(folder, configuration.PATH) or b"")


def workflow(action: str) -> str:
    """Return the workflow that runs *action*, `OWNER/NAME@COMMIT`."""
    if not re.fullmatch(_ACTION, action, re.ASCII):
        raise CommunityError(f"{action!r} is not OWNER/NAME@COMMIT, with all 40 digits of the commit")
    return template("workflow.yml").replace("ACTION", action)


def settings(site: Site, action: str | None) -> str:
    """Return the settings to start with. Where the sources are is known from *action*."""
    sources = f"{site.server}/{action.partition('@')[0]}" if action else ""
    return template("fourcast.toml").replace('sources = ""', f'sources = "{sources}"')


def template(name: str) -> str:
    """Return a file of the package."""
    return (resources("fourcast.community") / "templates" / name).read_text("utf-8")


# Where things are


def find_action() -> str | None:
    """Return the action that belongs to this installation, if its sources are on GitHub.

    pip records where it installed from: the repository and the commit, or a folder, which may be a
    clone. The same commit has the action.
    """
    try:
        recorded = distribution("fourcast").read_text("direct_url.json")
    except PackageNotFoundError:
        return None
    try:
        source = json.loads(recorded or "{}")
        url = str(source["url"])
        if url.startswith("file://"):
            folder = Path(url2pathname(urlsplit(url).path))
            url, commit = _git(folder, "remote", "get-url", "origin"), _git(folder, "rev-parse", "HEAD")
            if not _git(folder, "branch", "--remotes", "--contains", "HEAD"):
                return None  # it was not pushed
        else:
            commit = source["vcs_info"]["commit_id"]
    except (ValueError, KeyError, TypeError, OSError):
        return None
    address = re.fullmatch(_ADDRESS, url, re.ASCII)
    action = f"{address[2]}@{commit}" if address and address[1] == "github.com" else ""
    return action if re.fullmatch(_ACTION, action, re.ASCII) else None


def find_site(folder: Path, repository: str | None, environment: Mapping[str, str] = os.environ) -> Site:
    """Return where the repository in *folder* is: as given, as in a workflow, or by its `origin`."""
    server = environment.get("GITHUB_SERVER_URL", "https://github.com").rstrip("/")
    if repository is None:
        repository = environment.get("GITHUB_REPOSITORY")
    if repository is None:
        match = re.fullmatch(_ADDRESS, _git(folder, "remote", "get-url", "origin"), re.ASCII)
        if not match:
            raise CommunityError(
                f"the repository on GitHub of {folder} is not known: give --repository OWNER/NAME, or "
                "set its remote 'origin'"
            )
        server, repository = f"https://{match[1]}", match[2]
    if not re.fullmatch(r"[\w.-]+/[\w.-]+", repository, re.ASCII):
        raise CommunityError(f"{repository!r} is not OWNER/NAME")
    return Site(repository, server)


def _check_top(folder: Path) -> None:
    """Refuse a folder inside a repository: GitHub looks for workflows at the top only."""
    top = _git(folder, "rev-parse", "--show-toplevel")
    if top and Path(top).resolve() != folder.resolve():
        raise CommunityError(f"{folder.resolve()} is inside a repository; start in {top}")


def _git(folder: Path, *words: str) -> str:
    """Return what git prints in *folder*; nothing if it fails."""
    command = ["git", *words]
    run = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, timeout=20)
    return run.stdout.strip() if run.returncode == 0 else ""


# Files of a clone


def _read(folder: Path, path: str) -> bytes | None:
    target = _place(folder, path)
    return target.read_bytes() if target.exists() else None


def _write_new(folder: Path, path: str, content: str) -> list[str]:
    if _read(folder, path) is not None:
        return []
    _write(folder, path, content.encode())
    return [path]


def _write(folder: Path, path: str, content: bytes) -> None:
    target = _place(folder, path)
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(content)


def _place(folder: Path, path: str) -> Path:
    """Return where a file is. Raises `CommunityError` if it is elsewhere than it seems."""
    target = folder / path
    for place in [folder / parent for parent in PurePosixPath(path).parents if parent.name] + [target]:
        name = place.relative_to(folder).as_posix()
        if place.is_symlink():
            raise CommunityError(f"{name} is a symbolic link, but the game needs it to be its own")
        if (place / ".git").exists():
            raise CommunityError(f"{name} is a submodule, but the game needs a folder there")
        if place != target and place.exists() and not place.is_dir():
            raise CommunityError(f"{name} is a file, but the game needs a folder there")
    if target.exists() and not target.is_file():
        raise CommunityError(f"{path} is not a plain file, but the game needs one there")
    return target
