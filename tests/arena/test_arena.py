"""Matches and tournaments as a library: schedule, games, journal, ratings, quality."""

from __future__ import annotations

import json
import math
import os
import random
import re
import sys
from collections import Counter
from collections.abc import Callable
from dataclasses import fields, replace
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from fourcast import Game, Match, Position, Solver, arena, player_names
from fourcast.arena import (
    Contestant,
    GameRecord,
    Journal,
    Results,
    Settings,
    Sprt,
    Tournament,
    elo_difference,
    elo_ratings,
    play_game,
    read_cup,
    read_journal,
)
from fourcast.arena.files import read_tournament
from fourcast.arena.openings import Openings
from fourcast.arena.quality import judge, judged_from
from fourcast.arena.ratings import expected_score
from fourcast.arena.schedule import couples, static_pairings
from fourcast.errors import (
    FourcastError,
    GameFileError,
    InvalidNotationError,
    OptionError,
    UnknownPlayerError,
)
from fourcast.game import Outcome

HOSTILE = Path(__file__).resolve().parent.parent / "hostile"


def hostile(name: str) -> str:
    return f"'{sys.executable}' '{HOSTILE / name}.py'"


def record(number: int, first: str, second: str, winner: int | None) -> GameRecord:
    """A game that was never played."""
    words = {1: "first wins, resignation", 2: "second wins, resignation", None: "draw, agreement"}
    return GameRecord(
        number,
        number,
        1,
        first,
        second,
        "",
        "44",
        Outcome.parse(words[winner]),
        (0.1, 0.2),
        "2024-05-31T18:30:00+00:00",
    )


# Contestants


def test_players_and_programs_are_told_apart() -> None:
    assert Contestant.parse("streaks").player == "streaks"
    assert Contestant.parse("mcts:playouts=100,exploration=0.5").options == {
        "playouts": 100,
        "exploration": 0.5,
    }
    assert Contestant.parse(hostile("hang")).command == hostile("hang")


@pytest.mark.parametrize(
    ("text", "error", "complaint"),
    [
        ("winset", UnknownPlayerError, "did you mean 'winsets'"),
        ("no-such-program --fast", UnknownPlayerError, "no program of that name was found"),
        ("depth:plies=4", OptionError, "depth has no option 'plies'; there are depth, time_s"),
        ("depth:4", OptionError, "'4' in 'depth:4' is not an option such as depth=4"),
        ("'", InvalidNotationError, "is not a command"),
        ("", UnknownPlayerError, "no player is called ''"),
    ],
)
def test_who_is_not_meant_is_told(text: str, error: type[Exception], complaint: str) -> None:
    with pytest.raises(error, match=complaint):
        Contestant.parse(text)


class Leftmost:
    """A player that somebody wrote."""

    name = "leftmost"

    def choose(self, position: Position) -> int:
        return position.legal_columns[0]


def leftmost(position: Position) -> int:
    return position.legal_columns[0]


@pytest.mark.parametrize("entrant", [Leftmost(), Leftmost, leftmost])
def test_objects_classes_and_functions_play(entrant: Any) -> None:
    results = Match(entrant, "perfect:time_s=1", games=2, opening_plies=0).run()
    assert results.names == ("leftmost", "perfect:time_s=1")
    assert results.score("leftmost") == 0
    assert all(not game.forfeit for game in results.records)


def test_a_factory_makes_a_player_for_each_game_and_is_given_its_seed() -> None:
    seeds: list[int] = []

    def make(seed: int) -> Leftmost:
        seeds.append(seed)
        return Leftmost()

    Match(Contestant("mine", factory=make), "random", games=4, seed=3).run(concurrency=2)
    assert len(set(seeds)) == 4


def test_a_factory_that_fails_loses_its_games_with_a_traceback() -> None:
    def make() -> Leftmost:
        raise RuntimeError("out of order")

    for game in Match(Contestant("mine", factory=make), "random", games=2).run().records:
        assert (game.loser, game.forfeit) == ("mine", "crash")
        assert game.detail == "crash: RuntimeError('out of order')"
        assert 'raise RuntimeError("out of order")' in "".join(game.messages)


@pytest.mark.parametrize("entrant", [3, None, object(), int, ["random"]])
def test_what_is_no_player_is_refused(entrant: Any) -> None:
    with pytest.raises(TypeError, match="is not a player: give a name such as"):
        Match(entrant, "random")


def test_a_journal_of_python_players_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    first = Match(leftmost, "random", games=2, journal=path).run()
    again = Match(leftmost, "random", games=2, journal=path).run()
    assert [game.to_json() for game in again.records] == [game.to_json() for game in first.records]


# Schedule


def test_openings_are_different_unfinished_and_not_won_at_once() -> None:
    openings = Openings("random", plies=6, seed=1).pool
    assert len({Position(moves) for moves in openings}) == len(openings) == 500
    assert all(len(moves) == 6 for moves in openings)
    assert not any(Position(moves).winning_columns() for moves in openings)
    assert openings == Openings("random", plies=6, seed=1).pool
    assert openings != Openings("random", plies=6, seed=2).pool


def test_balanced_openings_are_draws_with_best_play() -> None:
    openings = Openings(seed=3).pool
    assert len(openings) > 50
    assert {Solver().solve(Position(moves)).score for moves in openings[:20]} == {0}


def test_openings_of_a_file_are_played_in_their_order_and_checked(tmp_path: Path) -> None:
    path = tmp_path / "openings.txt"
    path.write_text("44 # the center\n\n433\n")
    openings = Openings(str(path))
    assert {openings.of("a", "b", number) for number in (1, 2)} == {"44", "433"}
    path.write_text("44\n4444444\n")
    with pytest.raises(GameFileError, match="line 2: move 7"):
        Openings(str(path))
    path.write_text("# nothing\n")
    with pytest.raises(GameFileError, match="has no openings"):
        Openings(str(path))


def test_different_pairs_have_different_openings_that_later_players_do_not_change() -> None:
    openings = Openings(seed=1)
    first = {openings.of(a, b, 1) for a, b in combinations("abcdefgh", 2)}
    assert len(first) > 15
    assert openings.of("b", "a", 3) == openings.of("a", "b", 3)
    few = static_pairings(couples("abc", "round-robin"), 4, openings)
    many = static_pairings(couples("abcd", "round-robin"), 4, openings)
    assert set(few) < set(many)


def test_every_opening_is_played_with_both_colors() -> None:
    schedule = static_pairings(couples("abc", "round-robin"), 4, Openings(seed=1))
    games = Counter((game.first, game.second, game.opening) for game in schedule)
    assert set(games.values()) == {1}
    for first, second, opening in games:
        assert (second, first, opening) in games


@pytest.mark.parametrize("players", [2, 3, 6, 7, 10])
@pytest.mark.parametrize("games", [1, 2, 5])
def test_everybody_starts_as_often_as_others_or_once_more(players: int, games: int) -> None:
    names = [str(i) for i in range(players)]
    schedule = static_pairings(couples(names, "round-robin"), games, Openings("random", plies=0))
    assert len(schedule) == games * players * (players - 1) // 2
    starts = Counter(game.first for game in schedule)
    assert max(starts.values()) - min(starts[name] for name in names) <= 1


def test_with_anchors_everybody_else_meets_each_of_them() -> None:
    found = {frozenset(pair) for pair in couples("abcd", "anchors", ["b", "d"])}
    assert found == {frozenset(pair) for pair in ("ab", "ad", "cb", "cd")}


def test_a_ladder_is_climbed_two_steps_at_a_time() -> None:
    found = {frozenset(pair) for pair in couples("abcd", "ladder")}
    assert found == {frozenset(pair) for pair in ("ab", "ac", "bc", "bd", "cd")}


# Games


def test_a_match_is_repeated_by_its_seed() -> None:
    def moves(seed: int) -> list[str]:
        return [game.moves for game in Match("streaks", "random", games=6, seed=seed).run().records]

    assert moves(1) == moves(1)
    assert moves(1) != moves(2)


def test_records_are_saved_as_game_files_and_come_back(tmp_path: Path) -> None:
    for played in Match("depth", "random", games=4, seed=1).run().records:
        played.game().save(tmp_path / "game.txt")
        game = Game.load(tmp_path / "game.txt")
        assert (game.moves, game.first, game.result) == (played.moves, played.first, played.outcome)
        assert GameRecord.from_json(json.loads(json.dumps(played.to_json()))) == played


def test_a_player_in_this_process_that_errs_loses_its_game_and_nothing_else(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Broken:
        name = "broken"

        def choose(self, position: Position) -> int:
            return 99 if position.ply < 5 else 1 // 0

    original = Contestant.make

    def make(self: Contestant, **options: object) -> object:
        return Broken() if self.name == "rated" else original(self, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(Contestant, "make", make)
    results = Match("rated", "random", games=4, opening_plies=0).run()
    assert {played.forfeit for played in results.records} == {"illegal move"}
    assert results.score("random") == 4
    crashed = Match("rated", "random", games=2, opening_plies=6).run()
    assert {played.forfeit for played in crashed.records} == {"crash"}


def test_hostile_programs_beside_good_players_lose_their_games_and_the_table_comes_out() -> None:
    bad = [hostile(name) for name in ("crash_in_the_game", "daemon", "garbage", "flood")]
    settings = Settings(games=2, move_time_s=0.5, start_time_s=1)
    results = Tournament(["random", "depth", *bad], settings).run(concurrency=2)
    assert len(results.records) == 15 * 2
    lines = {line.name: line for line in results.standings()}
    assert lines["depth"].losses == 0
    assert not lines["random"].forfeits
    assert lines[hostile("garbage")].forfeits["garbage"] == lines[hostile("garbage")].losses > 0
    assert lines[hostile("daemon")].forfeits["illegal move"] > 0


def test_players_of_the_same_name_are_numbered() -> None:
    tournament = Tournament(["random", "random", "random"], Settings(games=2))
    assert tournament.names == ["random", "random #2", "random #3"]
    assert sum(line.points for line in tournament.run().standings()) == 6


def test_points_and_games_add_up() -> None:
    results = Tournament(["random", "rated", "streaks"], Settings(games=10, seed=3)).run(concurrency=2)
    lines = results.standings()
    assert sum(line.points for line in lines) == 30
    assert all(line.games == 20 == sum(line.as_first) + sum(line.as_second) for line in lines)
    assert all(line.wins == line.as_first[0] + line.as_second[0] for line in lines)
    cross = results.cross_table()
    assert all(cross[a][b][0] + cross[b][a][0] == 10 for a, b in couples(results.names, "round-robin"))


@pytest.mark.parametrize(
    ("settings", "complaint"),
    [
        ({"games": 0}, "games must be a whole number from 1"),
        ({"width": 3}, "is not supported"),
        ({"move_time_s": 0}, "move_time_s must be more than 0"),
        ({"opening_plies": 60}, "there are no openings of 60 moves"),
        ({"kind": "league"}, "kind must be one of round-robin, gauntlet, ladder"),
        ({"points": (0, 1, 3)}, "points must be those of a win"),
        ({"kind": "anchors"}, "the kind 'anchors' needs anchors, such as --anchors level-3,level-6"),
        ({"anchors": ["random"]}, "anchors go with the kind 'anchors', not with 'round-robin'"),
        ({"increment_s": 1}, "an increment needs the time of a game: give --game-time, too"),
        ({"sandbox": None}, "sandbox must be one of auto, require, off, not None"),
        ({"adjudicate": "yes"}, "adjudicate must be one of no, resign"),
    ],
)
def test_settings_that_make_no_sense_are_refused(settings: dict[str, Any], complaint: str) -> None:
    with pytest.raises(FourcastError, match=complaint):
        Match("random", "random", **settings)


def test_values_of_other_types_are_refused_by_their_name() -> None:
    wrong: list[tuple[Callable[..., object], tuple[object, ...], str]] = [
        (arena.elo_ratings, (["a"], None), "records must be an Iterable"),
        (arena.Results, (["a"], None), "records must be an Iterable"),
        (arena.Journal, (None, {}), "path must be a str or a PathLike"),
        (arena.load_suite, (None,), "name must be a str"),
        (arena.evaluate_agent, ("random", None), "suite must be a str or a Sequence"),
        (arena.evaluate_log, (None,), "path must be a str or a PathLike"),
        (arena.compare, (None,), "evaluations must be a list or a tuple"),
        (arena.compare, ([None, None],), r"evaluations\[0\] must be an Evaluation"),
    ]
    for call, arguments, complaint in wrong:
        with pytest.raises(TypeError, match=f"^{complaint}, not NoneType$"):
            call(*arguments)


# Journal


def test_a_tournament_goes_on_where_it_was(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    whole = Match("rated", "random", games=10, seed=5).run()
    Match("rated", "random", games=10, seed=5, journal=path).run()
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(lines[:5]) + lines[5][:-20])  # killed while it wrote
    counted: list[int] = []
    resumed = Match("rated", "random", games=10, seed=5, journal=path)
    results = resumed.run(on_game=lambda results: counted.append(len(results.records)))
    assert counted == [4, 5, 6, 7, 8, 9, 10]
    assert [game.moves for game in results.records] == [game.moves for game in whole.records]
    assert len(path.read_bytes().splitlines()) == 12  # settings, ten games, and that it is over


def test_a_journal_of_another_tournament_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    Match("rated", "random", games=2, journal=path).run()
    with pytest.raises(GameFileError, match="with other settings: seed is 0 there and 1 here"):
        Match("rated", "random", games=2, seed=1, journal=path).run()
    with pytest.raises(GameFileError, match="with other players: 'random' is not among"):
        Match("rated", "depth", games=2, journal=path).run()


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        (b"not a journal\n", "line 1: this is not a journal"),
        (b'{"format": "other"}\n', "line 1: this is not a journal"),
        (b'{"format": "fourcast journal 2", "settings": {}, "players": {}}\nnonsense\n', "line 2"),
        (b'{"format": "fourcast journal 2", "settings": {}, "players": {}}\n{"number": 1}\n', "line 2"),
        (b'{"format": "fourcast journal 2"}\n', "no settings or no players"),
        (b'{"format": "fourcast journal 1", "settings": {}}\n', "a journal of fourcast 0.2"),
    ],
)
def test_what_is_no_journal_is_refused_with_the_line(
    tmp_path: Path, content: bytes, complaint: str
) -> None:
    path = tmp_path / "journal.jsonl"
    path.write_bytes(content)
    with pytest.raises(GameFileError, match=complaint):
        Journal(path, {})
    assert path.read_bytes() == content


def test_a_file_that_is_no_journal_is_never_changed(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    for content in (b"a note of one line without an end", b"\n", b"{", b"x" * 2_000_000, b"\xff\xfe"):
        path.write_bytes(content)
        with pytest.raises(GameFileError, match="this is not a journal"):
            Journal(path, {})
        assert path.read_bytes() == content


def test_a_journal_that_was_never_begun_is_begun(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    Journal(path, {"a": 1}).close()
    whole = path.read_bytes()
    for length in (0, 40, len(whole) - 1):
        path.write_bytes(whole[:length])
        Journal(path, {"a": 1}).close()
        assert path.read_bytes() == whole


def test_a_journal_follows_no_link_and_opens_no_device(tmp_path: Path) -> None:
    other = tmp_path / "other.txt"
    other.write_text("somebody else's")
    path = tmp_path / "journal.jsonl"
    path.symlink_to(other)
    with pytest.raises(GameFileError, match="is a symbolic link"):
        Journal(path, {})
    assert other.read_text() == "somebody else's"
    path.unlink()
    os.mkfifo(path)
    with pytest.raises(GameFileError, match="is not a regular file"):
        Journal(path, {})
    (tmp_path / "folder").mkdir()
    with pytest.raises(GameFileError, match="is a folder"):
        Journal(tmp_path / "folder", {})
    for folder in (other, other / "below"):
        with pytest.raises(GameFileError, match="is not a folder: give another one"):
            Journal(folder / "journal.jsonl", {})


WRONG: list[object] = [None, True, -1, 1.5, 10**400, "x" * 1000, [], {}, [[]], float("nan")]


@pytest.mark.parametrize("key", record(0, "a", "b", 1).to_json())
def test_a_wrong_value_in_a_journal_is_one_sentence(tmp_path: Path, key: str) -> None:
    path = tmp_path / "journal.jsonl"
    Journal(path, {}).close()
    header = path.read_bytes()
    good = record(0, "a", "b", 1).to_json()
    for wrong in WRONG:
        if type(wrong) is type(good[key]) and key in ("first", "second", "detail"):
            continue
        path.write_bytes(header + json.dumps(good | {key: wrong}).encode() + b"\n")
        with pytest.raises(GameFileError, match=r"journal\.jsonl, line 2: .") as caught:
            Journal(path, {})
        assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "line",
    ["[" * 100_000, "9" * 5000, "{}", "null", '{"number": 1e999}', '{"a": ' * 5000 + "1" + "}" * 5000],
)
def test_a_strange_line_in_a_journal_is_one_sentence(tmp_path: Path, line: str) -> None:
    path = tmp_path / "journal.jsonl"
    Journal(path, {}).close()
    content = path.read_bytes() + line.encode() + b"\n"
    path.write_bytes(content)
    with pytest.raises(GameFileError, match=r"line 2: ."):
        Journal(path, {})
    assert path.read_bytes() == content


def test_a_journal_is_written_by_one_tournament_at_a_time(tmp_path: Path) -> None:
    with (
        Journal(tmp_path / "journal.jsonl", {}),
        pytest.raises(GameFileError, match="another tournament"),
    ):
        Journal(tmp_path / "journal.jsonl", {})


def test_a_game_that_is_there_twice_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    with Journal(path, {}) as journal:
        journal.append(record(0, "a", "b", 1))
        journal.append(record(0, "a", "b", 1))
    with pytest.raises(GameFileError, match="game 0 is in the journal twice"):
        Journal(path, {})


# Ratings


def test_ratings_find_the_strengths_that_the_games_were_drawn_from() -> None:
    strength = {"a": 200.0, "b": 0.0, "c": -200.0}
    chance = random.Random(1)
    games = []
    for number in range(6000):
        first, second = chance.sample(sorted(strength), 2)
        first_wins = chance.random() < expected_score(strength[first] - strength[second])
        games.append(record(number, first, second, 1 if first_wins else 2))
    ratings = elo_ratings(list(strength), games)
    for name, elo in strength.items():
        assert abs(ratings[name].elo - elo) < 1.5 * ratings[name].error < 30


def test_error_bars_hold_in_95_of_100_cases() -> None:
    chance = random.Random(2)
    inside = 0
    for _ in range(300):
        games = [
            record(i, "a", "b", 1 if chance.random() < expected_score(100) else 2) for i in range(100)
        ]
        rating = elo_ratings(["a", "b"], games)["a"]
        inside += abs(rating.elo - 50) < rating.error
    assert 0.90 < inside / 300 < 0.99


def test_who_has_won_everything_has_a_rating_and_a_large_error() -> None:
    ratings = elo_ratings(["a", "b"], [record(i, "a", "b", 1) for i in range(20)])
    assert 200 < ratings["a"].elo < 1000
    assert ratings["a"].error > 100
    assert math.isclose(ratings["a"].elo, -ratings["b"].elo)


def test_who_has_not_played_yet_has_a_rating_too() -> None:
    ratings = elo_ratings(["a", "b", "c"], [record(0, "a", "b", 1)])
    assert abs(ratings["c"].elo) < 300


@pytest.mark.parametrize(("elo", "verdict"), [(100, "better"), (-30, "not better")])
def test_the_sequential_test_ends_with_the_right_verdict(elo: float, verdict: str) -> None:
    chance = random.Random(3)
    right = 0
    for _ in range(40):
        scores: list[float] = []
        while Sprt(0, 60).verdict(scores) is None:
            games = [chance.random() < expected_score(elo) for _ in range(2)]
            scores.append(sum(games) / 2)
        right += Sprt(0, 60).verdict(scores) == verdict
    assert right >= 36


def test_a_match_stops_when_the_test_knows() -> None:
    results = Match("streaks", "random", games=1000).run(sprt=Sprt(0, 30))
    assert len(results.records) < 200


# Quality


def test_the_solver_judges_what_each_move_cost() -> None:
    # After 445566 the first player wins at once; here it does not, and the second takes the win away.
    moves = "4455661"
    game = record(0, "a", "b", None)
    played = replace(game, moves=moves, opening="44556", times_s=(0.1, 0.1))
    qualities = judge([played], from_ply=5)
    assert (qualities["b"].moves, qualities["b"].kept) == (1, 1)
    assert qualities["a"].moves == 1
    assert qualities["a"].lost > 0
    assert qualities["a"].by_ply == {6: (1, qualities["a"].lost)}


def test_moves_before_the_wanted_ply_are_not_judged() -> None:
    results = Match("depth", "random", games=2, seed=1).run()
    assert {name: each.moves for name, each in judge(results.records, from_ply=42).items()} == {
        "depth": 0,
        "random": 0,
    }


def test_moves_are_judged_from_the_first_one_on_the_usual_board() -> None:
    results = Match("winning", "random", games=2, seed=1, opening_plies=0).run()
    judged = judge(results.records, time_s=0.2)
    moves = sum(len(game.moves) for game in results.records)
    assert sum(quality.moves + quality.unknown for quality in judged.values()) == moves
    assert 0 in {**judged["winning"].by_ply, **judged["random"].by_ply}
    assert judged_from(8, 8) == 12


# TOML


def test_a_tournament_is_read_from_toml(tmp_path: Path) -> None:
    path = tmp_path / "cup.toml"
    path.write_text(
        'games = 4\nseed = 7\n[[players]]\nplayer = "depth"\ndepth = 2\n'
        '[[players]]\nname = "bot"\ncommand = "python bot.py"\n'
    )
    players, settings = read_tournament(path)
    assert [player.name for player in players] == ["depth:depth=2", "bot"]
    assert players[1].command == "python bot.py"
    assert settings == Settings(games=4, seed=7)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("games = ", "Invalid value"),
        ("gmaes = 3", "'gmaes' is not known; did you mean 'games'"),
        ("players = 3", "must be tables"),
        ('[[players]]\nname = "x"', "needs either 'player' or 'command'"),
        ('[[players]]\nplayer = "depth"\nplies = 3', "depth has no option 'plies'"),
        ("[[players]]\nplayer = 3", "'player' of a player must be a string"),
        ('[[players]]\ncommand = "x"\ndepth = 3', "a program has no option 'depth'"),
    ],
)
def test_what_is_wrong_in_a_file_is_told(tmp_path: Path, text: str, complaint: str) -> None:
    path = tmp_path / "cup.toml"
    path.write_text(text)
    with pytest.raises(GameFileError, match=complaint):
        read_tournament(path)


# What is not wrong there.
TAKES = {
    "-1": {"seed"},
    "1.5": {"move_time_s", "game_time_s", "start_time_s"},
    "''": {"rules", "title", "bots"},
    "'x'": {"title"},
    "[]": {"anchors", "earlier", "players"},
}


@pytest.mark.parametrize(
    "value",
    [
        *("true", "-1", "1.5", "1e400", "nan", "9" * 100, "0x" + "f" * 5000, "9" * 5000),
        *("''", "'x'", "[]", "{}", "1979-05-27", "[" * 2000 + "]" * 2000),
    ],
)
def test_a_wrong_value_in_a_file_is_one_sentence(tmp_path: Path, value: str) -> None:
    path = tmp_path / "cup.toml"
    players = '\n[[players]]\nplayer = "random"\n[[players]]\nplayer = "depth"\n'
    keys = {field.name for field in fields(Settings)} | {"players", "bots"}
    for key in keys - TAKES.get(value, set()):
        path.write_text(f"{key} = {value}{players}")
        with pytest.raises(FourcastError) as caught:
            Tournament(*read_tournament(path))
        assert "\n" not in str(caught.value)
    for key in ("name", "player", "command", "depth", "threads", "nonsense"):
        if (key, value) in {("name", "'x'"), ("name", "''"), ("command", "''")}:
            continue
        path.write_text(f'[[players]]\nplayer = "depth"\n{key} = {value}\n')
        with pytest.raises(GameFileError, match=r"cup\.toml: .") as caught:
            read_tournament(path)
        assert "\n" not in str(caught.value)


@pytest.mark.slow
def test_perfect_as_first_player_loses_to_nobody_from_the_empty_board() -> None:
    for name in player_names():
        match = Match(
            Contestant("the first", "perfect", {"time_s": 1000.0}), name, games=1, opening_plies=0
        )
        [played] = match.run().records
        assert played.first == played.winner == "the first", (name, played.moves)


# What fastchess, a tool of chess engines, expects of itself in its own tests (sprt_test.cpp and
# elo_test.cpp): opening pairs that were lost twice, lost and drawn, won and lost, drawn twice, won and
# drawn, won twice; the hypotheses or none; log likelihood ratio, or Elo, error and superiority.
FASTCHESS = [
    ((223, 9863, 20279, 1000, 10037, 246), (0.5, 2.5), (-3.07,)),
    ((871, 26175, 55003, 980, 26678, 821), (0, 2), (-4.98,)),
    ((34, 54, 31, 32, 64, 75), (), (55.58, 27.65, 1.0)),
    ((332, 433, 457, 41, 333, 334), (), (-8.64, 10.33, 0.0505)),
    ((7895, 8757, 5485, 200, 568, 9999), (), (-21.04, 2.95)),
]


@pytest.mark.parametrize(("pairs", "hypotheses", "expected"), FASTCHESS)
def test_figures_of_a_match_are_those_of_another_program(
    pairs: tuple[int, ...], hypotheses: tuple[float, ...], expected: tuple[float, ...]
) -> None:
    points = [(0.0, 0.0), (0.0, 0.5), (0.0, 1.0), (0.5, 0.5), (0.5, 1.0), (1.0, 1.0)]
    played = [pair for pair, count in zip(points, pairs, strict=True) for _ in range(count)]
    means = [sum(pair) / 2 for pair in played]
    if hypotheses:
        found: tuple[float, ...] = (Sprt(*hypotheses).ratio(means),)
    else:
        difference = elo_difference([score for pair in played for score in pair], means)
        assert difference
        found = (difference.elo, difference.error, difference.superiority)
    for value, wanted in zip(found, expected, strict=False):
        assert value == pytest.approx(wanted, rel=0.01)


def given(function: Callable[..., object], *arguments: Any, **options: Any) -> Callable[[], object]:
    """A call that type checkers know nothing of."""
    return lambda: function(*arguments, **options)


@pytest.mark.parametrize(
    ("call", "complaint"),
    [
        (given(elo_ratings, None, []), "names must be a list or a tuple, not NoneType"),
        (given(elo_ratings, ["a", "b"], [3]), "a record must be a GameRecord, not int"),
        (given(elo_difference, None, []), "scores must be a list or a tuple, not NoneType"),
        (given(Sprt().ratio, None), "pair_scores must be a list or a tuple, not NoneType"),
        (given(Sprt, "a"), "elo0 must be an int or a float, not str"),
        (given(Sprt, alpha=2), "alpha must be between 0 and 0.5, not 2"),
        (given(Sprt, elo0=30, elo1=30), "elo1 must be more than elo0"),
        (given(Results, None), "names must be a list or a tuple, not NoneType"),
        (given(Results, ["a"], [1]), "a game must be a GameRecord, not int"),
        (given(Results(["random"]).score, "randm"), "no player 'randm'; did you mean 'random'"),
        (given(Results(["a"]).difference), "a difference is that of two players"),
        (given(Tournament, None), "players must be a list or a tuple, not NoneType"),
        (given(Tournament, ["random", "rated"], 5), "settings must be a Settings or None, not int"),
        (given(Match, "random", "rated", gamse=3), "no setting 'gamse'; did you mean 'games'"),
        (given(Match("random", "rated").run, concurrency="x"), "concurrency must be an int, not str"),
        (given(Match("random", "rated").run, concurrency=0), "concurrency must be 1 or more, not 0"),
        (given(Openings, "random", plies="x"), "plies must be an int, not str"),
        (given(Contestant.parse, None), "a player must be a str, not NoneType"),
        (given(play_game, None, None, None), "pairing must be a Pairing, not NoneType"),
        (given(read_cup, None), "folder must be a str or a PathLike, not NoneType"),
        (given(read_journal, 3), "path must be a str or a PathLike, not int"),
    ],
)
def test_what_is_no_argument_is_refused_in_words(call: Callable[..., object], complaint: str) -> None:
    with pytest.raises((TypeError, OptionError), match=re.escape(complaint)):
        call()
