"""Settings from the environment."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from fourcast.errors import SettingsError
from fourcast.web.settings import Settings, describe_settings

DOCS = Path(__file__).resolve().parents[2] / "docs" / "web.md"


def test_without_anything_the_server_listens_on_this_machine_only(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("FOURCAST_DATA", str(tmp_path))
    settings = Settings.from_environment({"FOURCAST_DATA": "ignored here", "HOME": "/"})
    assert settings.host == "127.0.0.1"
    assert settings.database_url == f"sqlite:///{tmp_path}/games.db"
    assert settings.trust_proxy is False


def test_every_setting_is_read() -> None:
    settings = Settings.from_environment(
        {
            "FOURCAST_HOST": "::1",
            "FOURCAST_PORT": " 9000 ",
            "FOURCAST_DATABASE_URL": "postgres://me:secret@db/games",
            "FOURCAST_ORIGINS": "https://Play.example.org/, http://10.0.0.5:80",
            "FOURCAST_TRUST_PROXY": "yes",
            "FOURCAST_MOVE_TIME_S": "0.5",
            "FOURCAST_MAX_GAMES": "",
        }
    )
    assert (settings.host, settings.port, settings.trust_proxy) == ("::1", 9000, True)
    assert settings.database_url == "postgresql+psycopg://me:secret@db/games"
    assert settings.origins == ("https://play.example.org", "http://10.0.0.5")
    assert settings.move_time_s == 0.5
    assert settings.max_games == 100_000
    assert "secret" not in repr(settings)


@pytest.mark.parametrize(
    ("name", "value", "word"),
    [
        ("FOURCAST_PORT", "65536", "from 0 to 65535"),
        ("FOURCAST_PORT", "-1", "whole number"),
        ("FOURCAST_PORT", "\u0661", "whole number"),
        ("FOURCAST_MOVE_TIME_S", "nan", "a number from"),
        ("FOURCAST_MOVE_TIME_S", "1e3", "a number from 0.05 to 60"),
        ("FOURCAST_MAX_GAMES", "1.5", "a whole number from 1 to 1000000000"),
        ("FOURCAST_TRUST_PROXY", "perhaps", "'yes' or 'no'"),
        ("FOURCAST_ORIGINS", "play.example.org", "https://play.example.org"),
        ("FOURCAST_ORIGINS", "https://user@host", "origins as"),
        ("FOURCAST_ORIGINS", "https://host:port", "origins as"),
        ("FOURCAST_HOST", "a b", "127.0.0.1"),
        ("FOURCAST_DATABASE_URL", "mysql://me:secret@db/x", "postgresql://"),
        ("FOURCAST_DATABASE_URL", "postgresql+asyncpg://me:secret@db/x", "postgresql://"),
        ("FOURCAST_DATABASE_URL", "sqlite:///", "sqlite:////folder/games.db"),
        ("FOURCAST_DATABASE_URL", "sqlite:///:memory:", "sqlite:////folder/games.db"),
        ("FOURCAST_DATABASE_URL", "sqlite://", "sqlite:////folder/games.db"),
        ("FOURCAST_PROT", "1", "did you mean FOURCAST_PORT?"),
    ],
)
def test_what_cannot_be_used_is_refused_with_what_it_may_be(name: str, value: str, word: str) -> None:
    with pytest.raises(SettingsError, match=re.escape(word)) as error:
        Settings.from_environment({name: value})
    assert name in str(error.value)
    assert "secret" not in str(error.value)


def test_the_documentation_lists_every_setting_with_its_default() -> None:
    text = DOCS.read_text("utf-8")
    for name, default, _ in describe_settings():
        assert f"| `{name}` | {default} |" in text
    documented = set(re.findall(r"^\| `(FOURCAST_\w+)`", text, re.MULTILINE))
    assert documented == {name for name, _, _ in describe_settings()}
