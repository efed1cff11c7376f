"""The board of notebooks: what it does in Python, and what it draws in a browser."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from fourcast import Game, Position
from fourcast.errors import IllegalMoveError, OptionError
from fourcast.notebook import Board
from fourcast.notebook.look import board_script, board_styles
from tests.browser.conftest import chromium

EXAMPLE = Path(__file__).resolve().parent.parent.parent / "examples" / "notebook.ipynb"


def click(board: Board, kind: str, **more: object) -> None:
    """What the page sends."""
    board._receive(board, {"kind": kind, **more}, [])


def test_a_board_leaves_a_picture_in_pages_without_javascript(monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[Any] = []
    monkeypatch.setattr("IPython.display.display", lambda what, **_: shown.append(what))
    board = Board("4455")
    board._ipython_display_()
    still, live = shown
    assert '<div class="fourcast-still">' in still["text/html"]
    assert still["text/html"].count('class="disc first"') == 2
    assert "application/vnd.jupyter.widget-view+json" in live
    # Only the styles of a board that is alive hide it.
    assert re.search(r"\.fourcast-still\s*\{\s*display:\s*none", board_styles())


def test_a_board_plays_for_both_sides_or_against_a_player() -> None:
    board = Board()
    click(board, "play", column=3)
    click(board, "play", column=3)
    assert (board.game.moves, board.position) == ("44", Position("44"))
    assert board.state["status"] == "Red to move."
    against = Board("171615", opponent="winning", seed=1)
    click(against, "play", column=0)
    assert against.state["status"] == "Red has won."
    assert not against.state["enabled"]
    against = Board(opponent=lambda position: position.legal_columns[-1])
    against.play(0)
    assert against.game.moves == "17"


def test_a_game_is_stepped_through_and_goes_on_from_anywhere() -> None:
    board = Board(Game("445566"))
    assert board.state["can"] == ["analyze", "new", "first", "back"]
    click(board, "first")
    assert board.state["can"] == ["analyze", "new", "forward", "last"]
    click(board, "forward")
    assert (board.position, board.game.moves) == (Position("4"), "445566")
    assert board.state["moves"] == "1 of 6 moves: 445566"
    click(board, "play", column=0)
    assert board.game.moves == "41"
    click(board, "last")
    click(board, "back")
    assert board.position == Position("4")
    click(board, "new")
    assert board.position == Position()
    start = Position("112233")
    board = Board(start)
    click(board, "play", column=3)
    click(board, "new")
    assert board.position == start


def test_an_analysis_is_the_exact_score_of_every_column() -> None:
    board = Board("4455", analyze=True)
    figures = {figure["column"]: figure for figure in board.state["figures"]}
    assert [figures[column]["text"] for column in range(7)] == [
        *("-4", "-3", "+18", "+2"),
        *("+2", "+18", "-3"),
    ]
    assert [column for column in range(7) if figures[column]["best"]] == [2, 5]
    click(board, "analyze")
    assert board.state["figures"] is None


@pytest.mark.parametrize(
    "nonsense",
    [
        None,
        3,
        "play",
        {},
        {"kind": "play"},
        {"kind": "play", "column": "4"},
        {"kind": ["x"]},
        {"kind": "rm"},
    ],
)
def test_nonsense_from_a_page_changes_nothing(nonsense: Any) -> None:
    board = Board("44")
    before = board.game
    board._receive(board, nonsense, [])
    assert board.game == before


def test_what_is_refused_is_told() -> None:
    board = Board("444444")
    click(board, "play", column=3)
    assert "column 4 is full" in board.state["status"]
    with pytest.raises(IllegalMoveError):
        board.play(3)
    with pytest.raises(OptionError, match="a program cannot play in a notebook"):
        Board(opponent=f"{sys.executable} bot.py")
    with pytest.raises(TypeError, match="a board shows a position, its moves or a game, not None"):
        Board(None)  # type: ignore[arg-type]


def test_the_bundle_asks_no_network_and_imports_nothing() -> None:
    script, style = board_script(), board_styles()
    for words in (
        "fetch(",
        "import{",
        "import(",
        "http://" if "http://www.w3.org" not in script else "https://",
    ):
        assert words not in script
    assert [line.partition(" as ")[2] for line in re.findall(r"\bexport\b[^;]*", script)] == ["default}"]
    assert "url(" not in style
    assert "@import" not in style


@pytest.mark.slow
def test_without_anywidget_it_is_said_what_to_install() -> None:
    code = """
import sys
sys.modules["anywidget"] = None
import fourcast
try:
    import fourcast.notebook
except fourcast.MissingExtraError as error:
    assert "pip install anywidget" in str(error)
else:
    raise AssertionError
"""
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)


PAGE = """<!doctype html><html lang="en"><meta charset="utf-8"><title>Board</title><style>%s</style>
<textarea></textarea><div id="board"></div><script type="module">
const code = %s;
const file = new Blob([code], { type: "text/javascript" });
const widget = (await import(URL.createObjectURL(file))).default;
let draw;
window.sent = [];
window.state = %s;
const words = %s;
const model = {
  get: (name) => ({ words, state: window.state })[name],
  on: (_, listener) => { draw = listener; },
  off: () => {},
  send: (content) => window.sent.push(content),
};
window.update = (state) => { window.state = state; draw(); };
widget.render({ model, el: document.getElementById("board") });
window.ready = true;
</script>"""


@pytest.mark.slow
def test_the_board_is_drawn_and_played_in_a_browser(tmp_path: Path) -> None:
    board = Board("4455", analyze=True)
    page_file = tmp_path / "board.html"
    texts = [json.dumps(each).replace("</", "<\\/") for each in (board._esm, board.state, board.words)]
    page_file.write_text(PAGE % (board._css, *texts))
    with chromium() as browser:
        page = browser.new_page(viewport={"width": 375, "height": 700})
        errors: list[str] = []
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.goto(page_file.as_uri())
        page.wait_for_function("window.ready")
        assert page.locator(".disc").count() >= 4
        assert page.locator(".figure").count() == 7
        assert page.locator(".status").inner_text() == "Red to move."
        page.get_by_role("button", name="Column 3,").click()
        page.get_by_role("button", name="One move back").click()
        page.locator("textarea").press("7")  # typed elsewhere
        page.get_by_role("button", name="Column 1,").press("2")
        sent = page.evaluate("window.sent")
        assert sent == [{"kind": "play", "column": 2}, {"kind": "back"}, {"kind": "play", "column": 1}]
        board.play(2)
        page.evaluate("state => window.update(state)", board.state)
        assert page.locator(".status").inner_text() == "Yellow to move."
        assert page.evaluate("document.documentElement.scrollWidth") <= 375
        assert errors == []


@pytest.mark.slow
def test_the_example_notebook_runs_and_shows_pictures() -> None:
    import nbformat
    from nbclient import NotebookClient

    notebook = nbformat.read(EXAMPLE, as_version=4)
    NotebookClient(notebook, timeout=300, kernel_name="python3").execute()
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    kinds = [{kind for output in cell.outputs for kind in output.get("data", {})} for cell in cells]
    assert sum("image/svg+xml" in kind for kind in kinds) >= 3
    assert sum("text/html" in kind for kind in kinds) >= 3
    assert any("application/vnd.jupyter.widget-view+json" in kind for kind in kinds)
    assert not any(output.output_type == "error" for cell in cells for output in cell.outputs)
