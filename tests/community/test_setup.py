"""The owner's side: init, simulate and rebuild, the workflow and the action."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from importlib.metadata import PathDistribution as Distribution
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from fourcast.community.config import Config
from fourcast.community.entries import NewGame
from fourcast.community.ledger import Ledger
from fourcast.community.markup import Site
from fourcast.community.page import END, START
from fourcast.community.setup import WORKFLOW, find_action, find_site, init, rebuild, workflow
from fourcast.errors import CommunityError
from fourcast.toml import load_toml
from tests.command import run_text
from tests.community.world import LONG_GAME, World, entries_of, git
from tests.render.test_svg import color_at, pixels

ROOT = Path(__file__).resolve().parent.parent.parent
ACTION = "ada/fourcast@" + "0123456789" * 4
SITE = Site("ada/page")


def fourcast(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {key: value for key, value in os.environ.items() if not key.startswith("GITHUB_")}
    return run_text("community", *arguments, cwd=folder, env=environment)


def files_of(folder: Path) -> dict[str, bytes]:
    paths = [path for path in folder.rglob("*") if path.is_file() and ".git" not in path.parts]
    return {str(path.relative_to(folder)): path.read_bytes() for path in paths}


# init


def test_init_switches_the_game_on_and_a_second_time_changes_nothing(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q")
    git(tmp_path, "remote", "add", "origin", "git@github.com:ada/page.git")
    (tmp_path / "README.md").write_text("# Mine")
    first = fourcast(tmp_path, "init", "--action", ACTION)
    assert (first.returncode, first.stderr) == (0, "")
    before = files_of(tmp_path)
    assert set(before) == {
        "README.md",
        WORKFLOW,
        ".github/fourcast.toml",
        "connect4/README.md",
        "connect4/board.svg",
        "connect4/boards/1-00.svg",
        "connect4/checksums.json",
        "connect4/games/README.md",
        "connect4/ledger.jsonl",
    }
    for path in before:
        assert f"wrote {path}" in first.stdout
    assert "What to do next" in first.stdout
    assert before["README.md"].startswith(b"# Mine\n\n" + START.encode())
    assert b"https://github.com/ada/page/issues/new" in before["README.md"]
    second = fourcast(tmp_path, "init", "--action", ACTION)
    assert "nothing was changed" in second.stdout
    assert files_of(tmp_path) == before


@pytest.mark.parametrize(
    "address", ["https://github.com/ada/fourcast", "git@github.com:ada/fourcast.git"]
)
def test_the_action_of_a_clone_that_was_installed_is_its_repository_and_commit(
    address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hub, clone = tmp_path / "hub", tmp_path / "my clone"
    git(tmp_path, "init", "-q", "--bare", str(hub))
    git(tmp_path, "clone", "-q", str(hub), str(clone))
    git(clone, "commit", "-q", "--allow-empty", "-m", "One")
    record = json.dumps({"url": clone.as_uri(), "dir_info": {}})
    monkeypatch.setattr(Distribution, "read_text", lambda *_: record)
    assert find_action() is None  # nobody else has that commit
    git(clone, "push", "-q", "origin", "HEAD:main")
    assert find_action() is None  # and that is not GitHub
    git(clone, "remote", "set-url", "origin", address)
    assert find_action() == f"ada/fourcast@{git(clone, 'rev-parse', 'HEAD').strip()}"


def test_init_leaves_what_the_owner_has_changed(tmp_path: Path) -> None:
    init(tmp_path, SITE, ACTION)
    for path in (WORKFLOW, ".github/fourcast.toml"):
        (tmp_path / path).write_text("# mine\n")
    init(tmp_path, SITE, ACTION)
    for path in (WORKFLOW, ".github/fourcast.toml"):
        assert (tmp_path / path).read_text() == "# mine\n"


def test_init_says_what_it_does_not_know(tmp_path: Path) -> None:
    run = fourcast(tmp_path, "init")
    assert run.returncode == 2
    assert "--action OWNER/NAME@COMMIT" in run.stderr
    run = fourcast(tmp_path, "init", "--action", ACTION)
    assert run.returncode == 2
    assert "--repository OWNER/NAME" in run.stderr
    assert files_of(tmp_path) == {}


def test_init_belongs_to_the_top_of_a_repository(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q")
    (tmp_path / "docs").mkdir()
    with pytest.raises(CommunityError, match="is inside a repository; start in "):
        init(tmp_path / "docs", SITE, ACTION)


@pytest.mark.parametrize(
    "action", ["x", "ada/fourcast@main", "ada/fourcast@v1", ACTION + "0", ACTION + "\n- run: x"]
)
def test_an_action_is_pinned_by_its_commit(action: str) -> None:
    with pytest.raises(CommunityError, match="with all 40 digits of the commit"):
        workflow(action)


@pytest.mark.parametrize(
    ("origin", "url"),
    [
        ("https://github.com/ada/page.git", "https://github.com/ada/page"),
        ("https://github.com/ada/page", "https://github.com/ada/page"),
        ("git@github.com:ada/page.git", "https://github.com/ada/page"),
        ("ssh://git@github.example.org/ada/my.page.git", "https://github.example.org/ada/my.page"),
        ("https://token@github.com/ada/page.git", "https://github.com/ada/page"),
    ],
)
def test_the_repository_is_found_by_its_origin(tmp_path: Path, origin: str, url: str) -> None:
    git(tmp_path, "init", "-q")
    git(tmp_path, "remote", "add", "origin", origin)
    assert find_site(tmp_path, None, {}).url == url


# rebuild


def test_rebuild_writes_everything_that_follows_from_the_ledger(world: World) -> None:
    for column in (3, 3, 4):
        world.drop(column, f"player-{column}-{len(world.ledger().entries)}")
        world.run()
    folder = world.folder / "again"
    git(world.folder, "clone", "-q", str(world.remote), str(folder))
    before = files_of(folder)
    assert rebuild(folder, world.site) == []
    for path in ("connect4/board.svg", "connect4/README.md", "connect4/games/README.md"):
        (folder / path).unlink()
    text = (folder / "README.md").read_text()
    (folder / "README.md").write_text(
        re.sub(f"{START}.*{END}", START + "\n" + END, text, flags=re.DOTALL)
    )
    assert len(rebuild(folder, world.site)) == 4
    assert files_of(folder) == before


def test_rebuild_tells_the_line_of_a_damaged_ledger(tmp_path: Path) -> None:
    init(tmp_path, SITE, None)
    ledger = Ledger(entries_of(LONG_GAME)).current.to_text().replace('"ply": 5', '"ply": 6')
    (tmp_path / "connect4" / "ledger.jsonl").write_text(ledger)
    run = fourcast(tmp_path, "rebuild", "--repository", "ada/page")
    assert run.returncode == 2
    assert "line 6 of the ledger" in run.stderr
    (tmp_path / "README.md").write_text("no markers")
    (tmp_path / "connect4" / "ledger.jsonl").write_text("")
    run = fourcast(tmp_path, "rebuild", "--repository", "ada/page")
    assert "README.md needs one line <!-- fourcast:start -->" in run.stderr


def closed_game(folder: Path) -> Path:
    """A repository whose first game is closed; the file of that game."""
    init(folder, SITE, None)
    ledger = Ledger([*entries_of(LONG_GAME), NewGame(2, "ada", 7, "2026-11-15T00:00:00Z")])
    text = "".join(game.to_text() for game in ledger.games)
    (folder / "connect4" / "ledger.jsonl").write_text(text)
    (folder / "connect4" / "checksums.json").unlink()
    rebuild(folder, SITE)
    return folder / "connect4" / "games" / "0001.jsonl"


def test_rebuild_verifies_every_line_of_the_closed_games(tmp_path: Path) -> None:
    path = closed_game(tmp_path)
    assert rebuild(tmp_path, SITE) == []
    good = path.read_text()
    path.write_text(good.replace('"ply": 5', '"ply": 6'))
    with pytest.raises(CommunityError, match=r"line 6 of connect4/games/0001\.jsonl: a move in game 1"):
        rebuild(tmp_path, SITE)
    path.write_text(good.replace("10:05:00Z", "10:05:01Z"))  # fits, but is not what was played
    changed = rebuild(tmp_path, SITE)
    assert "connect4/tally.json" in changed
    path.write_text(good)
    rebuild(tmp_path, SITE)
    path.unlink()
    with pytest.raises(CommunityError, match="line 1 of the ledger: game 2 cannot follow game 1"):
        rebuild(tmp_path, SITE)


def test_rebuild_writes_a_tally_that_was_tampered_with(tmp_path: Path) -> None:
    closed_game(tmp_path)
    path = tmp_path / "connect4" / "tally.json"
    good = path.read_text()
    path.write_text(good.replace('"sofja": 1', '"sofja": 99'))
    assert "connect4/tally.json" in rebuild(tmp_path, SITE)
    assert path.read_text() == good


@pytest.mark.parametrize("what", ["link", "submodule", "file"])
def test_init_and_rebuild_refuse_what_stands_where_the_folder_should_be(
    tmp_path: Path, what: str
) -> None:
    folder, elsewhere = tmp_path / "clone", tmp_path / "elsewhere"
    folder.mkdir()
    elsewhere.mkdir()
    place = folder / "connect4"
    if what == "link":
        place.symlink_to(elsewhere)
    elif what == "submodule":
        place.mkdir()
        (place / ".git").write_text("gitdir: ../.git/modules/connect4\n")
    else:
        place.write_text("mine")
    kind = {"link": "a symbolic link", "submodule": "a submodule", "file": "a file"}[what]
    with pytest.raises(CommunityError, match=f"connect4 is {kind}, but the game needs"):
        init(folder, SITE, None)
    with pytest.raises(CommunityError, match=f"connect4 is {kind}, but the game needs"):
        rebuild(folder, SITE)
    assert list(elsewhere.iterdir()) == []


def test_a_readme_that_is_a_link_is_not_written_through(tmp_path: Path) -> None:
    (tmp_path / "other.md").write_text("mine")
    (tmp_path / "README.md").symlink_to("other.md")
    with pytest.raises(CommunityError, match=r"README\.md is a symbolic link"):
        init(tmp_path, SITE, None)
    assert (tmp_path / "other.md").read_text() == "mine"


# simulate


def test_simulate_leaves_a_history_a_page_a_ledger_and_replies(tmp_path: Path) -> None:
    run = fourcast(tmp_path, "simulate", "--moves", "12", "--seed", "5", "--bot", "winning")
    assert (run.returncode, run.stderr) == (0, "")
    assert git(tmp_path, "status", "--porcelain") == ""
    assert git(tmp_path, "log", "--format=%s").count(" in column ") == 12
    closed = sorted((tmp_path / "connect4" / "games").glob("*.jsonl"))
    texts = [path.read_text() for path in [*closed, tmp_path / "connect4" / "ledger.jsonl"]]
    ledger = Ledger.parse("".join(texts))
    assert ledger.moves == 12
    readme = (tmp_path / "README.md").read_text()
    assert "12 moves" in readme
    assert "This line is yours." in readme
    replies = [path.read_text() for path in sorted((tmp_path / "issues").iterdir())]
    assert sum("rocket" in reply for reply in replies) == 12
    assert sum("confused" in reply for reply in replies) == len(replies) - 12 > 0
    picture = pixels((tmp_path / "connect4" / "board.svg").read_text())
    position = ledger.current.position
    for column, discs in enumerate(position.heights):
        for row in range(discs):  # between the mark in the middle of a disc and its rim
            x, y = 10 + 64 * column + 32, 10 + 64 * (5 - row) + 32 + 19
            assert color_at(picture, x, y) == Config().team(position.at(column, row)).color
    again = fourcast(tmp_path, "simulate")
    assert again.returncode == 2
    assert "is not empty" in again.stderr


def test_simulate_takes_settings_to_try(tmp_path: Path) -> None:
    settings = tmp_path / "settings.toml"
    settings.write_text('bot = "random"\nboard = "cells"\nfirst = {name = "cats"}\n')
    folder = tmp_path / "new"
    run = fourcast(
        tmp_path,
        "simulate",
        "--folder",
        str(folder),
        "--moves",
        "8",
        "--seed",
        "1",
        "--settings",
        "settings.toml",
    )
    assert (run.returncode, run.stderr) == (0, "")
    assert "Cats to move" in (folder / "README.md").read_text()
    assert (folder / "connect4" / "cells" / "first-four.svg").exists()


# The workflow and the action


def test_the_linter_has_nothing_to_say(tmp_path: Path) -> None:
    path = tmp_path / WORKFLOW
    path.parent.mkdir(parents=True)
    path.write_text(workflow(ACTION))
    shutil.copy(ROOT / "action.yml", tmp_path)
    linter = Path(sys.executable).parent / "zizmor"
    command = [
        str(linter),
        "--offline",
        "--pedantic",
        "--no-progress",
        "--format=plain",
        "--color=never",
    ]
    run = subprocess.run([*command, str(tmp_path)], capture_output=True, text=True, timeout=60)
    assert run.returncode == 0, run.stdout
    assert "No findings to report" in run.stdout


def test_the_workflow_drops_no_move_and_may_do_no_more_than_it_must() -> None:
    text = workflow(ACTION)
    assert len(text.splitlines()) <= 25
    assert "queue: max" in text
    assert "cancel-in-progress" not in text
    assert re.findall(r"(\w+): write", text) == ["contents", "issues"]
    assert "permissions: {}" in text
    assert "${{" not in text


def test_the_action_pins_what_it_uses_and_puts_nothing_into_a_script() -> None:
    text = (ROOT / "action.yml").read_text()
    for use in re.findall(r"uses: (\S+)", text):
        assert re.fullmatch(r"[\w-]+/[\w-]+@[0-9a-f]{40}", use)
    scripts = re.findall(r"run: (?:\|\n((?: {8}.*\n)+)|(.*)\n)", text)
    assert len(scripts) == 3
    assert not [script for script in scripts if "${{" in "".join(script)]
    assert "github.event" not in text


def pinned(name: str) -> dict[str, str]:
    """The versions in a file of requirements, each of which has hashes."""
    text = (ROOT / "requirements" / name).read_text().replace("\\\n", " ")
    versions: dict[str, str] = {}
    for line in re.sub("#.*", "", text).splitlines():
        if line.strip():
            match = re.match(
                r"([\w.-]+)==([\w.]+)(?: ; [^-]*)?(?:\s+--hash=sha256:[0-9a-f]{64})+\s*$", line
            )
            assert match, line
            versions[canonicalize_name(match[1])] = match[2]
    return versions


@pytest.mark.parametrize("name", ["community.txt", "community-build.txt"])
def test_the_pinned_requirements_are_those_of_the_project(name: str) -> None:
    project = load_toml((ROOT / "pyproject.toml").read_bytes(), extra="community")
    tables: Any = project
    needed = tables["build-system"]["requires"]
    if name == "community.txt":
        needed = tables["project"]["dependencies"]
        needed = needed + tables["project"]["optional-dependencies"]["community"]
    versions = pinned(name)
    for requirement in map(Requirement, needed):
        if requirement.marker is None or requirement.marker.evaluate({"python_version": "3.12"}):
            version = versions[canonicalize_name(requirement.name)]
            assert requirement.specifier.contains(version), requirement


def test_the_action_installs_nothing_that_has_no_hash() -> None:
    text = (ROOT / "action.yml").read_text().replace("\\\n", " ")
    commands = re.findall(r"pip (?:install|wheel|download) .*", text)
    assert len(commands) == 5
    for command in commands:
        assert "--require-hashes" in command or ("--no-deps" in command and "http" not in command)


@pytest.mark.slow
def test_the_scripts_of_the_action_build_install_and_play(world: World, tmp_path: Path) -> None:
    """As GitHub runs them, one after the other; what setup-python and cache do is there already."""
    text = (ROOT / "action.yml").read_text()
    scripts = ["".join(script) for script in re.findall(r"run: (?:\|\n((?: {8}.*\n)+)|(.*)\n)", text)]
    issue = world.drop(3, "grace")
    output = tmp_path / "output"
    source = tmp_path / "action"
    git(tmp_path, "clone", "-q", str(ROOT), str(source))
    environment = world.environment(issue) | {
        "GITHUB_ACTION_PATH": str(source),
        "GITHUB_OUTPUT": str(output),
        "RUNNER_TEMP": str(tmp_path),
    }
    for script in scripts:
        command = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script]
        run = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=900)
        assert run.returncode == 0, run.stderr
    assert re.fullmatch(r"hash=[0-9a-f]{40}\n", output.read_text())
    world.assert_played(issue)
