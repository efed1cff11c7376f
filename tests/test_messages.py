"""Every language says the same: the same texts, with the same places to fill."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from html.parser import HTMLParser
from pathlib import Path
from typing import get_args

import pytest

from fourcast.players import describe_player, player_names
from fourcast.render.catalogue import (
    Part,
    Pattern,
    catalogue,
    languages,
    speaking,
    texts_of,
)
from fourcast.render.said import error_text

ROOT = Path(__file__).parents[1]
INDEX = ROOT / "src" / "fourcast" / "web" / "page" / "static" / "index.html"
PARTS: tuple[Part, ...] = get_args(Part)
CATEGORIES = {"zero", "one", "two", "few", "many", "other"}


def forms(pattern: Pattern) -> dict[str, str]:
    return {"other": pattern} if isinstance(pattern, str) else pattern


def places(text: str) -> set[str]:
    return set(re.findall(r"\{(\w+)\}", text))


def all_texts(language: str) -> Mapping[str, Pattern]:
    texts = catalogue(language), *(texts_of(part, language) for part in PARTS)
    return {name: pattern for each in texts for name, pattern in each.items()}


def test_texts_of_the_page_and_sentences_of_the_package_have_different_names() -> None:
    own = [name for part in PARTS for name in texts_of(part)]
    assert all("." in name for name in own)
    assert len({*own, *catalogue()}) == len(own) + len(catalogue())


def test_no_name_of_a_text_is_there_twice() -> None:
    def names_once(pairs: list[tuple[str, object]]) -> dict[str, object]:
        names = [name for name, _ in pairs]
        assert sorted(set(names)) == sorted(names)
        return dict(pairs)

    files = list((ROOT / "src" / "fourcast" / "messages").rglob("*.json"))
    assert files
    for file in files:
        json.loads(file.read_text(), object_pairs_hook=names_once)


@pytest.mark.parametrize("language", languages())
def test_a_language_has_all_texts_and_fills_the_same_places(language: str) -> None:
    english, own = all_texts("en"), all_texts(language)
    assert list(own) == list(english), "the same texts in the same order"
    for name, pattern in own.items():
        assert isinstance(pattern, str) == isinstance(english[name], str), name
        wanted = set().union(*map(places, forms(english[name]).values()))
        assert {"other"} <= set(forms(pattern)) <= CATEGORIES, name
        for category, text in forms(pattern).items():
            assert text == text.strip() != "", name
            assert not re.search(r"[{}]", re.sub(r"\{\w+\}", "", text)), name
            # A form for one number may leave the number out.
            assert wanted - places(text) <= (
                {"count"} if category in ("zero", "one", "two") else set()
            ), name
            assert places(text) <= wanted, name


class _Words(HTMLParser):
    """What the page says before its texts are loaded, by their keys."""

    def __init__(self) -> None:
        super().__init__()
        self.found: dict[str, str] = {}
        self.languages = ""
        self._key = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = {name: value or "" for name, value in attrs}
        if tag == "html":
            self.languages = attributes["data-languages"]
        self._key = attributes.get("data-text", "")
        if "aria-label" in attributes:
            self.found[attributes["data-label"]] = attributes["aria-label"]

    def handle_data(self, data: str) -> None:
        if self._key:
            self.found[self._key] = data
        self._key = ""


def test_the_page_begins_with_the_english_words_and_knows_the_languages() -> None:
    words = _Words()
    words.feed(INDEX.read_text("utf-8"))
    assert words.languages.split() == list(languages())
    assert len(words.found) > 5
    assert words.found == {key: texts_of("page")[key] for key in words.found}


def test_the_page_says_of_the_computers_players_what_they_say_themselves() -> None:
    for name in player_names():
        text = texts_of("page")[f"player.{name}_text"]
        assert isinstance(text, str)
        assert describe_player(name) in (text, f"Level {name.removeprefix('level-')} of 10: {text}")


# Codes that are put together: pydantic's names of what is wrong with a request.
MADE = re.compile(r"error\.invalid\.\w+")


def codes_in_sources() -> set[str]:
    """The codes of errors that the core, the package and the page name, but for the page's own texts."""
    folders = (ROOT / "native", ROOT / "src" / "fourcast")
    files = [path for folder in folders for path in folder.rglob("*") if "tests" not in path.parts]
    sources = [
        path.read_text("utf-8") for path in files if path.suffix in (".cpp", ".hpp", ".py", ".js")
    ]
    found = {code for text in sources for code in re.findall(r"[\"\'](error\.[a-z_.]+)[\"\']", text)}
    return found - set(texts_of("page"))


def test_every_code_of_an_error_has_a_sentence_and_every_sentence_is_used() -> None:
    named = {
        name for name in texts_of("errors") if not name.endswith(".page") and not MADE.fullmatch(name)
    }
    assert {code for code in codes_in_sources() if not MADE.fullmatch(code)} == named
    assert len(named) > 150


def test_what_the_page_says_instead_is_about_the_same_error() -> None:
    own = [name for name in texts_of("errors") if name.endswith(".page")]
    assert own
    assert {name.removesuffix(".page") for name in own} <= set(texts_of("errors"))


def test_no_error_of_the_core_is_a_sentence() -> None:
    """Proofs that do not hold are for their makers, and Python's own errors are Python's."""
    sentence = re.compile(r'throw (?!nb::|Proof)\w*Error\(\s*(text\(|std::string|"(?!error\.))')
    for path in (ROOT / "native").rglob("*.?pp"):
        assert not sentence.search(path.read_text("utf-8")), path


def test_a_refusal_that_was_recorded_is_its_code_and_facts_filled() -> None:
    recorded = json.loads((ROOT / "tests" / "fixtures" / "page-answers.json").read_text("utf-8"))
    refusals = [each["answer"] for each in recorded if each["status"] == 400]
    assert len(refusals) > 5
    for refusal in refusals:
        assert error_text(refusal["code"], refusal["facts"]) == refusal["detail"]
        with speaking("de"):
            assert error_text(refusal["code"], refusal["facts"]) != refusal["detail"]
