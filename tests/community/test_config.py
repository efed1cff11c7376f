from __future__ import annotations

import pytest

from fourcast.community.config import Config, parse
from fourcast.community.setup import template
from fourcast.errors import CommunityError


def test_the_file_that_init_writes_has_every_setting_with_its_default() -> None:
    assert parse(template("fourcast.toml")) == Config() == parse("")
    for name in Config.__dataclass_fields__:
        assert name in template("fourcast.toml")


def test_every_setting_can_be_chosen() -> None:
    text = """
        bot = "winning"
        bot_time_s = 5
        cooldown_s = 90.5
        new_game = "owners"
        blocked = ["Mallory", "@eve"]
        readme = "profile/README.md"
        folder = ".games/four"
        board = "cells"
        label = "our game"
        contribute = "https://example.org/help?me=1"
        first = {name = "cats", colour = "#fa0", disc = "🐱"}
        second = {name = "dogs"}
    """
    config = parse(text)
    assert (config.bot, config.cooldown_s, config.new_game, config.board) == (
        "winning",
        90.5,
        "owners",
        "cells",
    )
    assert config.blocked == {"mallory", "eve"}
    assert config.ledger_path == ".games/four/ledger.jsonl"
    assert (config.team(1).title, config.team(1).color, config.team(2).name) == ("Cats", "#fa0", "dogs")
    assert (config.contribute, config.sources) == ("https://example.org/help?me=1", "")


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("bot = ", "Invalid value"),
        ("bots = 1", "there is no setting 'bots'"),
        ("bot = 3", "bot is 3, but must be a player or a program"),
        ('bot = "winnnig"', "bot: no player is called 'winnnig': did you mean 'winning'?"),
        ('bot = "a b"', "bot: no player is called 'a b'"),
        ('bot = "a`b"', "bot is 'a`b', but must be a player or a program"),
        ('bot = "streaks:dept=3"', "the player streaks has no option 'dept'; did you mean 'depth'?"),
        ("cooldown_s = -1", "cooldown_s is -1, but must be seconds"),
        ("cooldown_s = true", "cooldown_s is True"),
        ("cooldown_s = nan", "cooldown_s is nan"),
        ('new_game = "me"', "new_game is 'me', but must be anyone or players or owners"),
        ("blocked = 'x'", "but must be a list of names"),
        ("blocked = [1]", "but must be a list of names"),
        ('folder = "../up"', "folder is '../up', but must be a path in the repository"),
        ('folder = "/etc"', "folder is '/etc'"),
        ('folder = ".git"', "folder is '.git'"),
        ('folder = ".GIT/x"', "folder is '.GIT/x'"),
        ('readme = "a\\nb"', "readme is"),
        ('readme = "-x"', "readme is '-x'"),
        ('label = "a,b"', "label is"),
        ("first = 3", "first is 3, but must be a table"),
        ("first = {nome = 'x'}", "first has no setting 'nome': it has name, color and disc"),
        ("first = {name = ['x']}", "name is ['x']"),
        ('sources = "javascript:alert(1)"', "sources is 'javascript:alert(1)', but must be an address"),
        ('sources = "https://x.org/a)b"', "sources is 'https://x.org/a)b'"),
        ("contribute = 3", "contribute is 3, but must be an address that begins with https://"),
        ("bot" + ".a" * 10_000 + " = 1", "nested too deeply"),
        ("bot = " + "[" * 10_000, "nested too deeply"),
        ("cooldown_s = 0x" + "f" * 5000, "a number that is too large"),
        ("cooldown_s = " + "9" * 5000, "a number that is too large"),
        ("#" * 100_000, "too long"),
        ("first = {name = 'Red'}", "name is 'Red', but must be lowercase letters"),
        ("first = {name = 'a|b'}", "name is 'a|b'"),
        ("first = {name = 'blue'}", "both teams are called 'blue'"),
        ("first = {colour = 'red'}", "first: 'red' is not a color; one is '#cf222e'"),
        ("first = {colour = '#12345'}", "'#12345' is not a color"),
        ("first = {disc = 'X'}", "disc is 'X', but must be one emoji"),
    ],
)
def test_what_is_wrong_is_named(text: str, complaint: str) -> None:
    with pytest.raises(CommunityError) as caught:
        parse(text)
    assert complaint in str(caught.value)
    assert str(caught.value).startswith(".github/fourcast.toml: ")
    assert len(str(caught.value)) < 300


def test_a_file_that_is_not_text_is_refused() -> None:
    with pytest.raises(CommunityError, match="not text in UTF-8"):
        parse(b"bot = '\xff'")
