from __future__ import annotations

import pytest

from fourcast.errors import InvalidNotationError
from fourcast.toml import load_toml


def test_text_and_bytes_are_read_alike() -> None:
    assert load_toml("a = 1\n[b]\nc = '\N{LARGE RED CIRCLE}'", extra="arena") == {
        "a": 1,
        "b": {"c": "\N{LARGE RED CIRCLE}"},
    }
    assert load_toml(b"\xef\xbb\xbfa = 1\r\n", extra="arena") == {"a": 1}


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        ("a =", "not TOML"),
        ("a = 1\na = 2", "not TOML"),
        (b"a = '\xff'", "not text in UTF-8"),
        ("a = " + "[" * 5000, "nested too deeply"),
        ("a = " + "{a = " * 3000, "nested too deeply"),
        ("a" + ".a" * 20_000 + " = 1", "nested too deeply"),
        ("a = " + "[" * 40 + "]" * 40, "nested too deeply"),
        ("a = " + "9" * 5000, "too large"),
        ("a = 0x" + "f" * 5000, "too large"),
        ("a = [9223372036854775808]", "too large"),
        ("#" * 70_000, "too long"),
    ],
    ids=lambda value: repr(value)[:20],
)
def test_anything_else_is_refused_in_one_sentence(content: str | bytes, complaint: str) -> None:
    with pytest.raises(InvalidNotationError, match=complaint) as caught:
        load_toml(content, extra="arena")
    assert len(str(caught.value)) < 120
