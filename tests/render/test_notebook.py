"""Positions, games, analyses, reviews and results as notebooks show them."""

from __future__ import annotations

import re
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import pytest
from PIL import Image, ImageColor

from fourcast import Game, Match, Position, Solver, explain, review, show
from fourcast.errors import OptionError
from fourcast.render.notebook import Picture

EXPLAINED = "14642545655244774665"


def picture_of(text: str) -> ET.Element:
    return ET.fromstring(text)


def count(text: str, kind: str) -> int:
    return text.count(f'class="{kind}"')


def svg_of(thing: Any) -> str:
    text: str = thing._repr_svg_()
    return text


def html_of(thing: Any) -> str:
    text: str = thing._repr_html_()
    return text


def test_positions_and_games_are_pictures() -> None:
    drawn = svg_of(Position("4455"))
    assert picture_of(drawn).get("width") == "281"
    assert (count(drawn, "disc first"), count(drawn, "disc second"), count(drawn, "last")) == (2, 2, 0)
    drawn = svg_of(Game("4455"))
    assert count(drawn, "last") == 1
    picture_of(svg_of(Game()))
    won = svg_of(Game("1212121"))
    assert count(won, "four") == 4
    assert f">1212121 {Game('1212121').result}<" in won


def test_pictures_of_one_page_have_ids_of_their_own() -> None:
    texts = [svg_of(Position("4")), svg_of(Position("5")), svg_of(Game("4"))]
    ids = [
        element.get("id") for text in texts for element in picture_of(text).iter() if element.get("id")
    ]
    assert len(ids) == len(set(ids))
    assert svg_of(Position("4")) == texts[0]


def test_an_analysis_has_the_score_of_every_column_and_a_sentence() -> None:
    position = Position("7422341735647741166133573473242566")
    drawn = html_of(Solver().analyze(position))
    assert (count(drawn, "score"), count(drawn, "best")) == (4, 2)
    assert "Red, to move, wins in 4 moves. Best: columns 2 and 6. Best play: 2261155." in drawn
    picture_of(drawn)


def test_a_review_has_a_graph_and_its_mistakes() -> None:
    drawn = html_of(review(Game("1213141", width=4, height=4)))
    assert "Move 6: Red" not in drawn
    assert "turned a draw into a loss" in drawn
    assert "<td>missed block: " in drawn
    picture_of(drawn)
    picture_of(html_of(review(Game())))


def test_results_are_a_table_whose_names_are_only_text() -> None:
    def script(position: Position) -> int:
        return position.legal_columns[0]

    script.__name__ = "<script>"
    drawn = html_of(Match(script, "random", games=2, seed=1).run())
    assert "&lt;script&gt;" in drawn
    assert "<script>" not in drawn


def test_show_draws_marks_and_scores_and_saves_pictures(tmp_path: Path) -> None:
    explained = explain(Position(EXPLAINED))
    for shown in (show(explained), show(EXPLAINED, marks=explained), show(explained.marks())):
        assert count(shown.svg, "win") == 2
    analysis = Solver().analyze(Position("4455"))
    assert count(show("4455", marks=analysis).svg, "score") == 7
    assert show(analysis).svg == show("4455", marks=analysis).svg
    picture = show(Game("445"), colors=("#000", "#fff"))
    assert 'fill="#000"' in picture.svg
    assert repr(picture) == str(Position("445"))
    assert picture.save(tmp_path / "board.svg").read_text() == picture.svg
    assert picture.save(str(tmp_path / "board.png")).read_bytes().startswith(b"\x89PNG")
    with pytest.raises(OptionError, match=r"must end with .svg or .png"):
        picture.save("board.gif")


@pytest.mark.parametrize("nonsense", [3, "4455", ["4455"], Position("4455")])
def test_show_refuses_what_are_no_marks(nonsense: Any) -> None:
    with pytest.raises(TypeError, match="marks must be an explanation, its marks or an analysis, not"):
        show("4455", marks=nonsense)


@pytest.mark.parametrize("nonsense", [None, 3, object(), ["4"], b"44"])
def test_show_refuses_what_is_no_position(nonsense: Any) -> None:
    with pytest.raises(TypeError, match="cannot be shown: give a position, its moves, a game"):
        show(nonsense)


def test_a_saved_png_has_the_letters_of_the_picture(tmp_path: Path) -> None:
    picture = show(Solver().analyze(Position("4455")))
    score = re.search('class="score" x="42" y="([0-9]+)" fill="(#[0-9a-f]+)"', picture.svg)
    assert score is not None
    image = Image.open(picture.save(tmp_path / "board.png")).convert("RGB")
    scale = image.width / float(picture.svg.partition('viewBox="0 0 ')[2].split()[0])
    row = image.crop((0, int((int(score[1]) - 20) * scale), int(84 * scale), int(int(score[1]) * scale)))
    assert ImageColor.getrgb(score[2]) in {color for _, color in row.getcolors(1 << 20) or ()}


def test_marks_of_another_position_are_refused() -> None:
    with pytest.raises(OptionError, match="the marks are those of another position"):
        show("4455", marks=explain(Position(EXPLAINED)))
    with pytest.raises(OptionError, match="the marks are those of another position"):
        show("4", marks=Solver().analyze(Position("4455")))


def test_a_picture_is_a_value() -> None:
    assert show("4") == Picture(show("4").svg, str(Position("4")))


def test_drawing_is_not_imported_before_something_is_drawn() -> None:
    code = (
        "import sys; from fourcast import Game, Position; Position('44'); Game('44');"
        "assert 'fourcast.render.notebook' not in sys.modules;"
        "Position('44')._repr_svg_(); assert 'fourcast.render.notebook' in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)


def test_an_explanation_displays_itself_with_its_board_and_words() -> None:
    found = explain("4455")
    shown = found._repr_html_()
    assert shown.count("<svg") == 1
    assert f"<p>{found.words().splitlines()[0]}</p>" in shown
