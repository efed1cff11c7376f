"""The files around the code: workflows, templates, versions and addresses."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

import fourcast

ROOT = Path(__file__).resolve().parent.parent
GITHUB = ROOT / ".github"
WORKFLOWS = sorted(GITHUB.glob("workflows/*.yml"))
ACTIONS = [ROOT / "action.yml", ROOT / "actions" / "grade" / "action.yml"]


def test_the_linter_has_nothing_to_say_about_the_workflows(tmp_path: Path) -> None:
    shutil.copytree(GITHUB, tmp_path / ".github")
    command = [
        str(Path(sys.executable).parent / "zizmor"),
        "--offline",
        "--pedantic",
        "--no-progress",
        "--format=plain",
    ]
    run = subprocess.run(
        [*command, "--color=never", str(tmp_path)], capture_output=True, text=True, timeout=60
    )
    assert run.returncode == 0, run.stdout
    assert "No findings to report" in run.stdout


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_a_workflow_pins_its_actions_and_begins_without_permissions(path: Path) -> None:
    text = path.read_text("utf-8")
    uses = re.findall(r"uses: (.+)", text)
    assert uses
    for use in uses:
        assert re.fullmatch(r"[\w-]+/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+", use)
    workflow = yaml.safe_load(text)
    assert workflow["permissions"] == {}
    for job in workflow["jobs"].values():
        assert {"name", "timeout-minutes"} <= set(job)


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_what_a_workflow_runs_is_in_the_project(path: Path) -> None:
    """Its targets of make, and its files; the rest of a job is tried by running it on GitHub only."""
    targets = set(re.findall(r"^([a-z0-9-]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))
    jobs = yaml.safe_load(path.read_text("utf-8"))["jobs"].values()
    scripts = "\n".join(step.get("run", "") for job in jobs for step in job["steps"])
    called = set(re.findall(r"\bmake ([a-z0-9-]+)", scripts))
    files = set(re.findall(r"(?<![\w./-])(?:tools|tests)/[\w./-]+", scripts))
    assert called <= targets
    assert {name for name in files if not (ROOT / name).exists()} == set()


def test_one_action_has_one_hash_everywhere() -> None:
    found: dict[str, set[str]] = {}
    for path in [*WORKFLOWS, *ACTIONS]:
        for name, version in re.findall(r"uses: ([\w/-]+)@(.+)", path.read_text("utf-8")):
            found.setdefault(name, set()).add(version)
    assert {name: versions for name, versions in found.items() if len(versions) > 1} == {}


def test_only_publishing_may_write() -> None:
    for path in WORKFLOWS:
        for name, job in yaml.safe_load(path.read_text("utf-8"))["jobs"].items():
            writes = {what for what, may in job["permissions"].items() if may == "write"}
            assert not writes or name == "publish", (path.name, name)


def test_the_versions_agree() -> None:
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))
    assert citation["version"] == fourcast.__version__
    assert citation["cff-version"] == "1.2.0"


def test_the_addresses_of_the_project_agree() -> None:
    pyproject = (ROOT / "pyproject.toml").read_text("utf-8")
    source = re.findall(r'^Source = "(.+)"', pyproject, re.MULTILINE)
    documentation = re.findall(r'^Documentation = "(.+)"', pyproject, re.MULTILINE)
    site = (ROOT / "mkdocs.yml").read_text("utf-8")
    assert re.findall(r"^  repository: &repository (.+)", site, re.MULTILINE) == source
    assert re.findall(r"^site_url: (.+)", site, re.MULTILINE) == documentation
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))
    assert [citation["repository-code"]] == source
    assert [citation["url"]] == documentation
    assert source[0] in (GITHUB / "ISSUE_TEMPLATE" / "config.yml").read_text("utf-8")


def test_templates_and_hooks_can_be_read() -> None:
    for path in [*GITHUB.glob("ISSUE_TEMPLATE/*.yml"), ROOT / ".pre-commit-config.yaml"]:
        assert yaml.safe_load(path.read_text("utf-8"))


def test_the_release_checklist_names_what_is_missing() -> None:
    from release import (
        CHECKS,
        addresses_are_known,
        changelog_names_the_version,
        citation_names_the_version,
    )

    assert len(CHECKS) >= 5
    assert citation_names_the_version() == ""
    assert "OWNER" in addresses_are_known() or "OWNER/" not in (ROOT / "mkdocs.yml").read_text("utf-8")
    assert changelog_names_the_version() == "" or "CHANGELOG.md" in changelog_names_the_version()


@pytest.fixture
def project_copy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the files that a release changes, for `tools/release/release.py` to change."""
    import release

    for name in [*release.ADDRESSES, "CHANGELOG.md"]:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    monkeypatch.setattr(release, "ROOT", tmp_path)
    return tmp_path


def test_a_release_writes_its_version_to_every_file_that_has_it(project_copy: Path) -> None:
    import release

    (project_copy / "CHANGELOG.md").write_text("# Changelog\n\n## Unreleased\n\n## 0.1.0\n")
    for version in ("9.8.7rc1", "9.8.7"):  # the second time it finds what the first has written
        release.set_version(version)
        assert release.version() == version
        assert release.citation_names_the_version() == ""
        assert release.changelog_names_the_version() == ""
    assert yaml.safe_load(release.read("CITATION.cff"))["date-released"]
    with pytest.raises(SystemExit, match="'nine' is not a version"):
        release.set_version("nine")


@pytest.mark.usefixtures("project_copy")
def test_the_owner_of_the_project_is_set_in_every_address() -> None:
    import release

    release.set_owner("Some-Body")
    assert release.addresses_are_known() == ""
    pyproject = release.read("pyproject.toml")
    assert 'Source = "https://github.com/Some-Body/fourcast"' in pyproject
    assert 'Documentation = "https://some-body.github.io/fourcast/"' in pyproject
    with pytest.raises(SystemExit, match="is not the name of an account"):
        release.set_owner("a/b")
