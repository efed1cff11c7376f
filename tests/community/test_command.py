from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fourcast.community.command import Command, Drop, New, is_command, parse

SAID: dict[str, Command] = {
    "connect4|new": New(),
    "connect4|drop|red|4": Drop("red", "4"),
    "connect4|drop|blue|ai": Drop("blue", "ai"),
    "connect4|drop|red|4|g12p7": Drop("red", "4", 12, 7),
    "connect4|drop|red|4|g1p0": Drop("red", "4", 1, 0),
    "connect4|drop|red|4|g999999p999": Drop("red", "4", 999999, 999),
    "Connect4|Drop|Red|AI": Drop("red", "ai"),
    "connect4|drop|team-2|10": Drop("team-2", "10"),
}


@pytest.mark.parametrize(("title", "command"), SAID.items())
def test_what_a_title_says(title: str, command: Command) -> None:
    """Those of the seed, and those of the links."""
    assert parse(title) == command
    assert is_command(title)
    if isinstance(command, Drop):
        assert str(command) == title.lower()


@given(st.text(max_size=100))
def test_whatever_follows_the_prefix_is_read_as_ascii_or_not_at_all(text: str) -> None:
    title = f"connect4|drop|{text}"
    command = parse(title)
    if command is not None:
        assert title.isascii()
        assert title.isprintable()


@given(
    st.from_regex(r"connect4\|drop\|[a-z]{1,8}\|([0-9]{1,2}|ai)(\|g[1-9][0-9]?p[0-9])?", fullmatch=True)
)
def test_what_was_read_is_written_as_it_was(title: str) -> None:
    assert str(parse(title)) == title


@pytest.mark.parametrize(
    "title",
    [
        "",
        "connect",
        "a connect4|new",
        " connect4|new",
        "\nconnect4",
        "\N{FULLWIDTH LATIN SMALL LETTER C}onnect4",
    ],
)
def test_titles_that_begin_otherwise_are_not_ours(title: str) -> None:
    assert not is_command(title)
    assert parse(title) is None
