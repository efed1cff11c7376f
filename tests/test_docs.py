"""The pages of docs/ show what is. Their examples with `>>>` are collected by pytest itself."""

from __future__ import annotations

import json
import os
import posixpath
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml
from docs.draw_solver import FOLDER, PICTURES
from docs.write_reference import PAGES, public_modules

from fourcast import Game, Position
from fourcast.arena.files import read_tournament
from fourcast.cli import main
from fourcast.community.config import Config
from fourcast.community.config import parse as parse_config
from fourcast.community.setup import template
from fourcast.data.plan import COLUMNS, Plan
from fourcast.notation import format_json, parse_diagram, parse_json
from fourcast.render.text import board
from fourcast.toml import load_toml

ROOT = Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs"
REFERENCE = DOCS / "reference"
PAGES_FOR_PEOPLE = [
    *(
        ROOT / name
        for name in ("README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "CODE_OF_CONDUCT.md")
    ),
    *sorted(path for path in DOCS.rglob("*.md")),
]
PAGE = (DOCS / "game-files.md").read_text("utf-8")
BLOCKS = [
    block
    for language, block in re.findall(r"^```(\w*)\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    if language in ("", "json")
]


def test_the_examples_of_game_files_are_what_is_written() -> None:
    text, start, game_json, diagram, position_json, _bits = BLOCKS
    assert Game.from_text(text).to_text() == text
    assert Game.from_text(start) == Game("53", start=Position("445"))
    assert Game.from_json(game_json) == Game.from_text(text)
    assert json.loads(Game.from_text(text).to_json()) == json.loads(game_json)
    assert board(parse_diagram(diagram), style="discs", last=6) == diagram.rstrip("\n")
    assert format_json(parse_json(position_json)) == position_json.rstrip("\n")


def test_the_page_on_the_community_game_shows_the_workflow_and_every_setting() -> None:
    page = (Path(__file__).resolve().parent.parent / "docs" / "community.md").read_text("utf-8")
    (workflow,) = re.findall(r"^```yaml\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    assert workflow == template("workflow.yml").replace("ACTION", "OWNER/fourcast@COMMIT")
    table = dict(re.findall(r"^\| `(\w+)` \| `(.+?)` \|", page, re.MULTILINE))
    settings = "".join(f"{name} = {value}\n" for name, value in table.items())
    assert parse_config(settings) == Config()
    assert {*table, "first", "second"} == set(Config.__dataclass_fields__)


def test_the_diagrams_of_how_the_solver_works_are_those_of_its_positions() -> None:
    page = (DOCS / "how-the-solver-works.md").read_text("utf-8")
    for moves in re.findall(r'^>>> (?:position|left) = Position\("(\d+)"\)', page, re.MULTILINE):
        for row in str(Position(moves)).splitlines():
            assert f"\n{row}  " in page, moves


def test_the_page_on_data_shows_the_plan_of_a_data_set_and_its_columns() -> None:
    page = (DOCS / "data.md").read_text("utf-8")
    (plan,) = re.findall(r"^```toml\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    assert plan == Plan().to_toml()
    table = page.partition("| column | type |")[2].partition("\n\n")[0]
    assert [
        name for line in table.splitlines()[2:] for name in re.findall(r"`(\w+)`", line.split("|")[1])
    ] == [*COLUMNS]


@pytest.mark.parametrize(
    "path", sorted((ROOT / "tools" / "make").glob("*.toml")), ids=lambda path: path.name
)
def test_a_tournament_of_the_docs_has_its_players_and_a_page_with_its_command(path: Path) -> None:
    players, settings = read_tournament(path)
    assert len(players) >= 2
    assert settings.kind in ("gauntlet", "ladder", "round-robin")
    command = f"fourcast tournament --file tools/make/{path.name} --out build/{path.stem}"
    assert command in path.read_text("utf-8")
    assert any(command in page.read_text("utf-8") for page in PAGES_FOR_PEOPLE)


# Blocks of code


def blocks(path: Path) -> Iterator[tuple[str, str]]:
    """Yield the language and the text of every block of code of a page."""
    page = path.read_text("utf-8")
    for _, language, block in re.findall(r"^( *)```(\w*)\n(.*?)^\1```$", page, re.MULTILINE | re.DOTALL):
        yield language, block


def commands(block: str) -> Iterator[tuple[str, str]]:
    """Yield the commands of a block, with what is shown below them."""
    for command, output in re.findall(r"^\$ (.+\n(?:    .+\n)*)((?:(?!\$ ).*\n)*)", block, re.MULTILINE):
        yield command.replace("\\\n", " ").strip(), output


def options_of_commands() -> dict[str, set[str]]:
    """Return the options of every command, as the reference has them."""
    page = (REFERENCE / "cli.md").read_text("utf-8")
    sections = re.findall(r"^##+ fourcast (.+?)\n(.*?)(?=^##|\Z)", page, re.MULTILINE | re.DOTALL)
    return {
        name: {
            option
            for line in re.findall(r"^  +(-.*)", text, re.MULTILINE)
            for option in re.findall(r"-[\w-]+", line)
        }
        for name, text in sections
    }


COMPILED = {"c", "cpp", "go", "java", "ruby", "rust"}
"""Languages whose blocks tests/protocol/test_starters.py builds and runs."""


@pytest.mark.parametrize("path", PAGES_FOR_PEOPLE, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_block_of_code_can_be_read(path: Path) -> None:
    options = options_of_commands()
    for language, block in blocks(path):
        if language == "json":
            for text in [block] if "\n " in block else block.splitlines():
                assert json.loads(text.replace("...}", '"": 0}')) is not None
        elif language == "toml":
            assert load_toml(block, extra="arena")
        elif language == "yaml":
            assert yaml.safe_load(block)
        elif language in ("python", "pycon") and ">>>" not in block and path.parent != REFERENCE:
            compile(block, str(path), "exec")
        elif language == "console":
            for command, _ in commands(block):
                check_command(command.split("#")[0].split("|")[-1], options)
        else:
            assert language in COMPILED | {"", "html", "js", "nginx", "pycon", "python", "sh", "text"}, (
                language
            )


def check_command(command: str, options: dict[str, set[str]]) -> None:
    """Fail if *command* is one of fourcast's and has an option that it does not know."""
    words = shlex.split(command)
    if "fourcast" not in words or "=" in words[0]:
        return
    words = words[words.index("fourcast") + 1 :]
    name = " ".join(words[:2]) if " ".join(words[:2]) in options else words[0] if words else ""
    if name.startswith("-"):
        return
    assert name in options, command
    given = {word.split("=")[0] for word in words if re.match(r"--?[a-z]", word)}
    assert given <= options[name], command


@pytest.mark.parametrize("page", ["index.md"])
def test_a_command_of_a_page_prints_what_is_shown(page: str, capsys: pytest.CaptureFixture[str]) -> None:
    shown = [
        each
        for language, block in blocks(DOCS / page)
        if language == "console"
        for each in commands(block)
    ]
    ran = 0
    for command, output in shown:
        if output:
            with pytest.raises(SystemExit) as end:
                main(shlex.split(command)[1:])
            printed = re.sub(r"^[\d,]+ nodes in .* s\n", "", capsys.readouterr().out, flags=re.MULTILINE)
            assert (end.value.code, printed.rstrip()) == (0, output.rstrip())
            ran += 1
    assert ran >= 2


def test_the_page_on_the_architecture_has_every_part_of_the_package() -> None:
    page = (DOCS / "architecture.md").read_text("utf-8")
    table = page.partition("## Where things live")[2].partition("## ")[0]
    package = ROOT / "src" / "fourcast"
    modules = {path.stem for path in package.glob("*.py")} - {"__init__", "__main__"}
    folders = {f"{path.name}/" for path in package.iterdir() if path.is_dir() and path.name[0] != "_"}
    assert modules | folders <= set(re.findall(r"`(\w+/?)`", table))


# Links


def names_of(path: Path) -> set[str]:
    """Return the names that GitHub gives to the headings of a page."""
    text = re.sub(r"^ *```.*?^ *```$", "", path.read_text("utf-8"), flags=re.MULTILINE | re.DOTALL)
    headings = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def test_every_link_within_the_repository_leads_somewhere() -> None:
    names = {path.resolve(): names_of(path) for path in PAGES_FOR_PEOPLE}
    for path in PAGES_FOR_PEOPLE:
        text = re.sub(r"^ *```.*?^ *```$", "", path.read_text("utf-8"), flags=re.MULTILINE | re.DOTALL)
        links = [*re.findall(r"\]\(([^)\s]+)\)", text), *re.findall(r'<img [^>]*src="([^"]+)"', text)]
        for link in links:
            if re.match(r"https?:|mailto:", link):
                continue
            address, _, name = link.partition("#")
            target = (path.parent / address).resolve() if address else path.resolve()
            assert target.exists(), f"{path}: {link}"
            assert not name or target not in names or name in names[target], f"{path}: {link}"


def test_every_page_has_a_place_in_the_menu_or_comes_below_more() -> None:
    menu = (ROOT / "mkdocs.yml").read_text("utf-8").partition("\nnav:\n")[2]
    named = re.findall(r"([\w/-]+\.md)$", menu, re.MULTILINE)
    outside = {"changelog.md", "code-of-conduct.md", "contributing.md", "security.md"}
    assert len(named) == len(set(named))
    for name in named:
        assert name in outside or (DOCS / name).exists(), name


def test_the_words_of_the_glossary_are_in_order() -> None:
    words = re.findall(r"^- \*\*(.+?)\*\*", (DOCS / "glossary.md").read_text("utf-8"), re.MULTILINE)
    assert words == sorted(words, key=str.lower)


# The reference


@pytest.mark.parametrize("name", [name for name in PAGES if name != "http.md"])
def test_the_reference_is_what_the_code_says(name: str) -> None:
    assert (REFERENCE / name).read_text("utf-8") == PAGES[name](), "run: make reference"


@pytest.mark.slow
def test_the_reference_of_the_http_api_is_what_the_server_says() -> None:
    assert (REFERENCE / "http.md").read_text("utf-8") == PAGES["http.md"](), "run: make reference"


def test_the_reference_has_every_public_name() -> None:
    text = "".join((REFERENCE / name).read_text("utf-8") for name in ("python.md", "modules.md"))
    headings = set(re.findall(r"^### `(\w+)`$", text, re.MULTILINE))
    modules = public_modules()
    for module, names in modules.items():
        values = {name for name in names if f"{module}.{name}" not in modules}
        assert {name for name in values if not name.startswith("__")} <= headings, module


def test_the_reference_has_every_route_of_the_server() -> None:
    """Also by the quick tests, and without starting a server: from the paths in the sources."""
    page = (REFERENCE / "http.md").read_text("utf-8")
    for path in (ROOT / "src" / "fourcast" / "web" / "routes").glob("*.py"):
        prefixes = re.findall(r'APIRouter\(.*?prefix="([^"]+)"', path.read_text("utf-8"), re.DOTALL) or [
            ""
        ]
        for method, route in re.findall(r'@\w+\.(get|post)\(\s*"([^"]+)"', path.read_text("utf-8")):
            if path.name != "pages.py":
                assert f"### {method.upper()} {prefixes[0]}{route}\n" in page, "run: make reference"


# The bots of the tutorial

BOTS = {"python": "mybot.py", "js": "mybot.mjs", "sh": "mybot.sh"}
STARTERS = {"python": sys.executable, "js": str(Path(sys.executable).parent / "node"), "sh": "sh"}


def write_bot(language: str, folder: Path) -> list[str]:
    """Write a bot of the tutorial to a file, and return the command that starts it."""
    found = [block for each, block in blocks(DOCS / "tutorials" / "first-bot.md") if each == language]
    (block,) = [block for block in found if ">>>" not in block]
    path = folder / BOTS[language]
    path.write_text(block, "utf-8")
    return [STARTERS[language], str(path)]


@pytest.mark.parametrize("language", BOTS)
def test_a_bot_of_the_tutorial_answers_every_line_with_an_open_column(
    language: str, tmp_path: Path
) -> None:
    positions = [Position(), Position("4444"), Position("444444333333")]
    lines = "".join(f"{format_json(position)}\n" for position in positions)
    run = subprocess.run(
        write_bot(language, tmp_path),
        input=f"{lines}:exit\n",
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert (run.returncode, run.stderr) == (0, "")
    moves = [json.loads(line)["move"] for line in run.stdout.splitlines()]
    assert len(moves) == len(positions)
    assert all(move in position.legal_columns for move, position in zip(moves, positions, strict=True))


@pytest.mark.slow
@pytest.mark.parametrize("language", BOTS)
def test_a_bot_of_the_tutorial_plays_by_the_protocol(language: str, tmp_path: Path) -> None:
    command = shlex.join(write_bot(language, tmp_path))
    run = subprocess.run(
        [sys.executable, "-m", "fourcast", "check-player", command, "--move-time", "30"],
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert run.returncode == 0, run.stdout
    assert "It plays by the protocol." in run.stdout


# The site


@pytest.mark.slow
def test_the_site_builds_without_a_warning_and_every_link_leads_somewhere(tmp_path: Path) -> None:
    folder = Path(sys.executable).parent
    assert (folder / "mkdocs").exists(), "MkDocs is not installed: run `make docs` once"
    env = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    site = tmp_path / "site"
    build = [str(folder / "mkdocs"), "--quiet", "build", "--strict", "--site-dir", str(site)]
    run = subprocess.run(build, cwd=ROOT, env=env, capture_output=True, text=True)
    assert (run.returncode, run.stdout, run.stderr) == (0, "", "")
    page = [sys.executable, "-m", "fourcast", "site", "--out", str(site / "play")]
    subprocess.run(page, check=True, capture_output=True)
    check = [sys.executable, str(ROOT / "tools" / "docs" / "check_site.py"), str(site)]
    run = subprocess.run(check, capture_output=True, text=True)
    assert run.returncode == 0, run.stdout
    assert (site / "search" / "search_index.json").exists()
    assert posixpath.join("reference", "python.html") in (site / "index.html").read_text("utf-8")


@pytest.mark.parametrize("name", PICTURES)
def test_the_pictures_of_the_solver_are_those_of_its_examples(name: str) -> None:
    assert (FOLDER / name).read_text("utf-8") == PICTURES[name](), "run tools/docs/draw_solver.py"
