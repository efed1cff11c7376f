"""What the guides promise of the server, the sandbox and the community game: each names its tests."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from fourcast.web.games import service, store
from fourcast.web.rooms import room
from fourcast.web.server import analysis, connections

ROOT = Path(__file__).resolve().parents[1]

# The sections of each guide that promise something, and those that only explain.
PROMISES = {
    "web.md": [
        "How live games work",
        "Rooms, events and classes",
        "How analyses work",
        "For other people",
        "Several servers",
        "What a client may not do",
        "Storage and backups",
    ],
    "protocol.md": ["Forfeits", "What a program may see and do"],
    "community.md": ["Play", "The ledger"],
}
EXPLANATIONS = {
    "web.md": ["Settings", "The API", "The API of rooms", "Load tests", "What was tried"],
    "protocol.md": [
        "Dialects",
        "What is wrong with my program?",
        "Built-in players as programs",
        "In Python",
    ],
    "community.md": ["See it first", "Switch it on", "Settings", "If something is wrong"],
}

KEPT = re.compile(r"<!-- kept by (.*?) -->", re.DOTALL)


def sections(text: str) -> dict[str, str]:
    """The sections of a guide by their titles."""
    parts = re.split(r"^## (.+)$", text, flags=re.MULTILINE)[1:]
    return dict(zip(parts[::2], parts[1::2], strict=True))


def promises(section: str) -> Iterator[str]:
    """The list items, rows of tables and paragraphs of a section; code promises nothing."""
    section = re.sub(r"^ *```.*?^ *```$", "", section, flags=re.MULTILINE | re.DOTALL)
    section = re.sub(r"^\|.*\n\|-[-|]*\|$", "", section, flags=re.MULTILINE)  # the heads of tables
    for block in re.split(r"\n\s*\n|\n(?=- )|\n(?=\|)", section):
        if KEPT.sub("", block).strip() and not block.startswith(("    ", "\n    ", "#")):
            yield block.strip()


@cache
def known_tests() -> frozenset[str]:
    files = [*(ROOT / "tests").rglob("test_*.py")]
    return frozenset(
        name
        for file in files
        for name in re.findall(r"^def (test_\w+)\(", file.read_text(), re.MULTILINE)
    )


@pytest.mark.parametrize("name", PROMISES)
def test_every_section_of_a_guide_promises_or_explains(name: str) -> None:
    titles = set(sections((ROOT / "docs" / name).read_text()))
    assert titles == {*PROMISES[name], *EXPLANATIONS[name]}


@pytest.mark.parametrize(
    ("name", "title"), [(name, title) for name, titles in PROMISES.items() for title in titles]
)
def test_every_promise_names_the_tests_that_keep_it(name: str, title: str) -> None:
    section = sections((ROOT / "docs" / name).read_text())[title]
    for promise in promises(section):
        tests = [test for found in KEPT.findall(promise) for test in found.split()]
        assert tests, f"{name} has a promise without a test: {promise[:200]}"
        assert set(tests) <= known_tests(), f"{promise[:80]}: {set(tests) - known_tests()}"


def default(call: Callable[..., object], name: str) -> Any:
    return inspect.signature(call).parameters[name].default


def test_the_numbers_of_the_guide_are_those_of_the_server() -> None:
    """Most tests of limits set smaller ones, so that they are quick."""
    guide = " ".join((ROOT / "docs" / "web.md").read_text().split())
    wire = connections
    for words in (
        f"{wire.HEAD_S:g} s for the head of a request, from the first byte",
        f"opening of the connection; {wire.BODY_S:g} s for the rest",
        f"{wire.IDLE_S:g} s without a request; {wire.UNREAD_S:g} s without reading an answer",
        f"{wire.MAX_HEAD_BYTES // 1024} KB for the head of a request",
        f"{wire.MAX_DISCARDED // 1024} KB of a request's body after it was answered",
        f"{wire.MAX_PIPELINED} requests that wait on one connection",
        f"{wire.SOCKET_BURST // 1024} KB at once and {wire.SOCKET_PER_S} bytes a second",
        f"{wire.MAX_FRAGMENTS} pieces of a message",
        f"{wire.ADDRESS_BURST} bytes at once and {wire.ADDRESS_PER_S} bytes a second for each",
        f"A position gets {analysis.ANALYSIS_S:g} seconds and a review {analysis.REVIEW_S:g}",
        f"`time_s` up to {analysis.MOST_S:g}",
        f"**Explanations** get {analysis.EXPLAIN_S:g} seconds",
        f"caches up to {analysis.EXPLAINED_BYTES / 1e6:g} MB of explanations",
        f"{default(analysis.Analyst, 'queue')} more can wait",
        f"The last {default(analysis.Analyst, 'remembered')} positions are kept",
        f"every {service.LOOK_S:g} seconds each server looks",
        f"at most {room.MOST_MEMBERS} members and {room.MOST_GAMES:,} games",
        f"at most {room.MOST_ITEMS}. Homework",
        f"deleted {room.KEEP_DAYS} days after its last change",
    ):
        assert words in guide, words
    assert service.OLD_AT_ONCE == 1_000, "at most a thousand"
    assert service.CLEAN_UP_S == 600, "every ten minutes"
    assert store.HARDLY_BEGUN == 4, "fewer than four discs"


def test_a_promise_without_a_test_would_be_found() -> None:
    one, two = "- One. <!-- kept by test_x -->", "- Two\n  lines."
    section = f"\n{one}\n{two}\n\nA paragraph.\n\n| a | b |\n|-|-|\n| c | d |\n"
    assert list(promises(section)) == [one, two, "A paragraph.", "| c | d |"]
