"""Cups: formats with rounds, players that are out, journals that grow, clocks and early ends."""

from __future__ import annotations

import json
import math
import random
import shutil
import sys
import time
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from fourcast import Match, Position
from fourcast.arena import Contestant, GameRecord, Results, Settings, Tournament, elo_ratings
from fourcast.arena.files import read_tournament
from fourcast.arena.journal import read_journal
from fourcast.arena.ratings import elo_difference, expected_score
from fourcast.arena.swiss import default_rounds, next_swiss
from fourcast.errors import GameFileError, OptionError
from fourcast.game import Outcome
from tests.command import run_text as fourcast

HOSTILE = Path(__file__).resolve().parent.parent / "hostile"


def hostile(name: str) -> str:
    return f"'{sys.executable}' '{HOSTILE / name}.py'"


def game(round_: int, leg: int, first: str, second: str, winner: int | None) -> GameRecord:
    words = {1: "first wins, resignation", 2: "second wins, resignation", None: "draw, agreement"}
    moment = "2024-05-31T18:30:00+00:00"
    number = round_ * 1000 + leg
    outcome = Outcome.parse(words[winner])
    return GameRecord(number, round_, leg, first, second, "", "44", outcome, (0.1, 0.2), moment)


def record_key(record: GameRecord) -> tuple[Any, ...]:
    return (*record.pairing, record.moves, str(record.outcome))


# Formats


@pytest.mark.parametrize("players", [2, 5, 8, 13])
def test_in_a_swiss_nobody_meets_anybody_twice_and_colors_are_balanced(players: int) -> None:
    names = [f"random:seed={i}" for i in range(players)]
    tournament = Tournament(names, Settings(kind="swiss", games=1, seed=players))
    results = tournament.run()
    assert len(results.draws) == default_rounds(players) == tournament.rounds
    meetings = Counter(frozenset((each.first, each.second)) for each in results.records)
    assert set(meetings.values()) == {1}
    for name in names:
        seen = sum(name in pair or name in draw.byes for draw in results.draws for pair in draw.pairs)
        assert seen >= len(results.draws) - 1
        started = sum(each.first == name for each in results.records)
        played = sum(name in (each.first, each.second) for each in results.records)
        assert abs(2 * started - played) <= 2
    assert all(sum(name in draw.byes for draw in results.draws) <= 1 for name in names)


def test_the_leaders_of_a_swiss_meet_each_other() -> None:
    names = list("abcdefgh")
    results = Results(names)
    first = next_swiss(names, 5, [], results)
    assert first
    for a, b in first.pairs:
        results.add(game(1, 1, a, b, 1))
    second = next_swiss(names, 5, [first], results)
    assert second
    winners = {a for a, _ in first.pairs}
    assert all((a in winners) == (b in winners) for a, b in second.pairs)


def test_a_knockout_has_a_winner_who_lost_no_match() -> None:
    names = ["level-1", "level-8", "random", "level-3", "winning"]
    results = Tournament(names, Settings(kind="knockout", games=2, seed=4)).run()
    assert [len(draw.pairs) for draw in results.draws] == [1, 2, 1]
    winner = results.standings()[0].name
    for draw in results.draws:
        for pair in draw.pairs:
            if winner in pair:
                balance = results.balance(pair, draw.round)
                assert balance >= 0 if pair[0] == winner else balance <= 0
    assert winner == "level-8"


def test_a_tied_knockout_match_has_more_games_and_then_the_better_seed_goes_on() -> None:
    entrants = [Contestant("a", factory=Fixed), Contestant("b", factory=Fixed)]
    results = Tournament(entrants, Settings(kind="knockout", games=2, opening_plies=0)).run()
    assert len(results.records) == 8  # whoever starts wins, so three opening pairs are added
    assert results.standings()[0].name == "a"


class Fixed:
    """Plays the lowest column; against itself the one who starts wins."""

    name = "fixed"

    def choose(self, position: Position) -> int:
        return position.legal_columns[0]


def test_points_are_as_wished() -> None:
    results = Results(
        ["a", "b"], [game(1, 1, "a", "b", 1), game(1, 2, "b", "a", None)], points=(3, 1, 0)
    )
    assert {line.name: line.points for line in results.standings()} == {"a": 4, "b": 1}


# Players that are out


def test_a_program_that_does_not_start_is_out_and_nobody_gets_points_from_it(tmp_path: Path) -> None:
    bad = tmp_path / "bot"
    bad.write_text("#!/no/such/interpreter\n")
    bad.chmod(0o755)
    tournament = Tournament(["random", "winning", str(bad)], Settings(games=4, start_time_s=1))
    results = tournament.run()
    assert results.out == {str(bad)}
    lines = {line.name: line for line in results.standings()}
    assert lines[str(bad)].rating is None
    assert list(lines)[-1] == str(bad)
    assert lines["random"].points + lines["winning"].points == 4
    assert len(results.records) < 12  # not all of its games were tried


def test_a_player_that_forfeits_again_and_again_is_out() -> None:
    def illegal(_: Position) -> int:
        return 99

    results = Tournament(["random", "winning", illegal], Settings(games=20, forfeit_limit=5)).run()
    assert results.out == {"illegal"}
    assert sum(each.loser == "illegal" for each in results.records) == 5
    assert {line.name: line.games for line in results.standings()}["random"] == 20


def test_in_a_swiss_those_who_met_a_player_that_is_out_have_a_draw_for_it() -> None:
    def illegal(_: Position) -> int:
        return 99

    entrants: list[Any] = [illegal, "winning", "random", "depth:depth=1"]
    results = Tournament(entrants, Settings(kind="swiss", games=2, forfeit_limit=2)).run()
    assert results.out == {"illegal"}
    assert all("illegal" not in pair for draw in results.draws[1:] for pair in draw.pairs)
    met = next(pair for pair in results.draws[0].pairs if "illegal" in pair)
    [opponent] = set(met) - {"illegal"}
    line = next(line for line in results.standings() if line.name == opponent)
    byes = sum(opponent in draw.byes for draw in results.draws)
    assert line.points == line.wins + line.draws / 2 + 1 + 2 * byes


# Journals that grow


def test_more_games_are_played_and_none_twice(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    few = Match("rated", "random", games=4, journal=path).run()
    more = Match("rated", "random", games=10, journal=path).run()
    whole = Match("rated", "random", games=10).run()
    assert [record_key(each) for each in more.records[:4]] == [record_key(each) for each in few.records]
    assert {record_key(each) for each in more.records} == {record_key(each) for each in whole.records}
    assert [each.number for each in more.records] == list(range(1, 11))
    with pytest.raises(GameFileError, match="games is 10 there and 4 here"):
        Match("rated", "random", games=4, journal=path).run()


@pytest.mark.parametrize("kind", ["round-robin", "swiss"])
def test_late_players_join_and_only_what_is_missing_is_played(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "journal.jsonl"
    names = ["rated", "random", "winning", "depth:depth=1", "level-1", "level-3", "streaks:depth=2"]
    settings = Settings(games=2, kind=kind, rounds=2 if kind == "swiss" else None)
    before = Tournament(names, settings, journal=path).run()
    with pytest.raises(GameFileError, match="'level-2' is new; add it with --add"):
        Tournament([*names, "level-2"], settings, journal=path).run()
    grown = replace(settings, rounds=5 if kind == "swiss" else None)
    results = Tournament([*names, "level-2"], grown, journal=path, add=True).run()
    old = [record_key(each) for each in before.records]
    assert [record_key(each) for each in results.records[: len(old)]] == old
    late = [each for each in results.records if "level-2" in (each.first, each.second)]
    assert len(late) >= 4
    again = Tournament([*names, "level-2"], grown, journal=path).run()
    assert len(again.records) == len(results.records)


def test_a_changed_program_is_noticed(tmp_path: Path) -> None:
    bot = tmp_path / "bot.py"
    shutil.copy(HOSTILE / "garbage.py", bot)
    command = f"'{sys.executable}' '{bot}'"
    path = tmp_path / "out" / "journal.jsonl"
    options: dict[str, Any] = {"journal": path, "sandbox": "off"}
    players = [command, "random"]
    Tournament(players, Settings(games=2), **options).run()
    bot.write_text(bot.read_text() + "\n# better now\n")
    with pytest.raises(GameFileError, match="has changed since its games"):
        Tournament(players, Settings(games=2), **options).run()
    kept = Tournament(players, Settings(games=2), changed="keep", **options).run()
    assert [each.number for each in kept.records] == [1, 2]
    bot.write_text(bot.read_text() + "\n# and now\n")
    again = Tournament(players, Settings(games=2), changed="again", **options).run()
    assert [each.number for each in again.records] == [1, 2]
    assert path.read_text().count('"moves"') == 4


def test_a_swiss_that_was_interrupted_goes_on_with_the_same_rounds(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    names = [f"random:seed={i}" for i in range(6)]
    settings = Settings(kind="swiss", games=2, seed=9)
    whole = Tournament(names, settings).run()

    def stop(results: Results) -> None:
        if len(results.records) == 9:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        Tournament(names, settings, journal=path).run(on_game=stop)
    resumed = Tournament(names, settings, journal=path).run(concurrency=2)
    assert list(resumed.draws) == list(whole.draws)
    assert {record_key(each) for each in resumed.records} == {record_key(each) for each in whole.records}


def test_a_journal_of_version_0_2_is_read(tmp_path: Path) -> None:
    played = Match("rated", "random", games=2, seed=1).run().records
    header = {
        "format": "fourcast journal 1",
        "settings": {"settings": {}, "players": {"rated": {}, "random": {}}},
    }
    lines = [header]
    for each in played:
        content = each.to_json() | {"number": each.number - 1, "messages": "oh"}
        del content["round"], content["leg"]
        lines.append(content)
    path = tmp_path / "journal.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    kept = read_journal(path)
    assert [each.moves for each in kept.records.values()] == [each.moves for each in played]
    assert kept.results().score("rated") == sum(each.score("rated") for each in played)


# Cup files


def test_a_cup_of_a_class_is_read_from_a_file_with_folders_of_bots(tmp_path: Path) -> None:
    for name, files in {
        "ada": {"bot.py": "print(1)"},
        "grace": {"bot.toml": 'command = "python main.py"\nmemory_mb = 256\n', "main.py": ""},
    }.items():
        folder = tmp_path / "submissions" / name
        folder.mkdir(parents=True)
        for file, text in files.items():
            (folder / file).write_text(text)
    (tmp_path / "openings.txt").write_text("44\n")
    cup = tmp_path / "cup.toml"
    cup.write_text(
        'title = "Cup"\nkind = "swiss"\npoints = [3, 1, 0]\nopenings = "openings.txt"\n'
        'bots = "submissions/*/"\n[[players]]\nplayer = "streaks:depth=6"\n'
    )
    players, settings = read_tournament(cup)
    assert [player.name for player in players] == ["streaks:depth=6", "ada", "grace"]
    assert [player.directory for player in players[1:]] == [
        str(tmp_path / "submissions" / name) for name in ("ada", "grace")
    ]
    assert players[2].limits == {"memory_mb": 256}
    tournament = Tournament(players, settings, sandbox="off")
    assert tournament.settings.points == (3, 1, 0)


def test_bots_in_folders_of_the_same_name_are_told_apart(tmp_path: Path) -> None:
    for name in ("ada", "bo", "empty", "vacant"):
        (tmp_path / "repositories" / name / "bot").mkdir(parents=True)
    for name in ("ada", "bo"):
        (tmp_path / "repositories" / name / "bot" / "bot.py").write_text("print(1)")
    cup = tmp_path / "cup.toml"
    cup.write_text('bots = "repositories/*/bot/"\n')
    without_bots: list[str] = []
    players, _ = read_tournament(cup, lambda name, _: without_bots.append(name))
    assert [player.name for player in players] == ["ada/bot", "bo/bot"]
    assert without_bots == ["empty/bot", "vacant/bot"]
    checked = json.loads(fourcast("check-player", "--file", str(cup), "--json").stdout)
    assert [each["name"] for each in checked] == ["ada/bot", "bo/bot", "empty/bot", "vacant/bot"]


def test_commands_in_a_file_are_relative_to_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "cup"
    folder.mkdir()
    shutil.copy(HOSTILE / "garbage.py", folder / "bot.py")
    (folder / "cup.toml").write_text(
        'games = 2\n[[players]]\nplayer = "random"\n'
        f'[[players]]\nname = "bot"\ncommand = "{sys.executable} bot.py"\n'
    )
    monkeypatch.chdir(tmp_path)
    players, settings = read_tournament("cup/cup.toml")
    results = Tournament(players, settings).run()
    assert {each.forfeit for each in results.records} == {"garbage"}


def test_a_bad_cup_file_is_refused_with_its_name(tmp_path: Path) -> None:
    cup = tmp_path / "cup.toml"
    for text, complaint in {
        'bots = "none/*/"': "there is no folder",
        "bots = 3": "bots must be a pattern",
        'points = "3"': "points must be a list",
        '[[players]]\ncommand = "python x.py"\nmemory = 3': "did you mean 'memory_mb'",
        '[[players]]\ncommand = "python x.py"\nmemory_mb = -1': "must be a whole number from 16 to",
        '[[players]]\ncommand = "python x.py"\nmove_time_s = 1e9': "at most 1000000 seconds",
    }.items():
        cup.write_text(text)
        with pytest.raises(GameFileError, match=complaint):
            read_tournament(cup)


# Clocks and early ends


def test_a_player_whose_time_for_the_game_is_up_loses() -> None:
    def slow(position: Position) -> int:
        time.sleep(0.05)
        return position.legal_columns[0]

    results = Match(slow, "random", games=2, game_time_s=0.12, opening_plies=0).run()
    assert {each.forfeit for each in results.records if each.loser == "slow"} == {"too late"}
    enough = Match(slow, "random", games=2, game_time_s=0.12, increment_s=1.0, opening_plies=0).run()
    assert not any(each.forfeit for each in enough.records)


def test_games_end_by_the_solvers_word_with_the_result_that_best_play_has() -> None:
    whole = Match("perfect", "winning", games=6, seed=2).run()
    early = Match("perfect", "winning", games=6, seed=2, adjudicate="both").run()
    known = Match("perfect", "winning", games=6, seed=2, adjudicate="known").run()
    assert [each.winner for each in early.records] == [each.winner for each in whole.records]
    for long, short in zip(whole.records, early.records, strict=True):
        assert long.moves.startswith(short.moves)
    total = [sum(len(each.moves) for each in results.records) for results in (whole, early, known)]
    assert total[0] > total[1] > total[2]
    assert all("solver" in each.detail for each in known.records)


# Ratings


def test_the_ratings_of_200_players_do_not_hold_up_the_games() -> None:
    chance = random.Random(1)
    names = [str(i) for i in range(200)]
    records = [
        game(i, 1, a, b, chance.choice((1, 2, None)))
        for i in range(10_000)
        for a, b in [chance.sample(names, 2)]
    ]
    elo_ratings(names[:2], [])  # loads numpy
    took_s = []
    for _ in range(5):  # the best of some: other processes take part of a processor's cache
        begin = time.process_time()
        ratings = elo_ratings(names, records)
        took_s.append(time.process_time() - begin)
    assert min(took_s) < 0.6  # 0.07 on a quiet machine
    assert len(ratings) == 200
    assert abs(sum(rating.elo for rating in ratings.values())) < 1e-6


def test_error_bars_hold_for_openings_that_decide_the_game() -> None:
    """Half of the openings are won by whoever starts: the pairs know it, single games do not."""
    chance = random.Random(5)
    inside, widths = 0, []
    for _ in range(200):
        records = []
        for pair in range(50):
            is_decided = chance.random() < 0.5
            for leg, (first, second, gap) in enumerate((("a", "b", 80), ("b", "a", -80)), start=1):
                wins = is_decided or chance.random() < expected_score(gap)
                records.append(game(pair, leg, first, second, 1 if wins else 2))
        scores = [each.score("a") for each in records]
        true_mean = 0.25 + 0.5 * expected_score(80)
        rating = elo_ratings(["a", "b"], records)["a"]
        true_elo = 400 * math.log10(true_mean / (1 - true_mean)) / 2
        inside += abs(rating.elo - true_elo) <= rating.error
        widths.append(rating.error)
        difference = elo_difference(scores, Results(["a", "b"], records).pair_scores("a"))
        assert difference
        assert math.isclose(difference.error, 2 * rating.error, rel_tol=0.25)
    assert 180 <= inside <= 199  # 190 of 200 are expected


def test_a_match_says_how_much_better_the_first_is() -> None:
    results = Results(["a", "b"], [game(i, 1, "a", "b", 1) for i in range(10)])
    difference = results.difference()
    assert difference
    assert difference.elo > 300
    assert difference.superiority > 0.99
    assert Results(["a", "b"]).difference() is None


# On the command line


def test_the_folders_of_two_machines_are_merged(tmp_path: Path) -> None:
    names = ["rated", "random", "winning"]
    whole = Tournament(names, Settings(games=4)).run()
    for part in (0, 1):
        path = tmp_path / str(part) / "journal.jsonl"
        Tournament(names, Settings(games=4), journal=path).run()
        lines = path.read_text().splitlines(keepends=True)
        path.write_text("".join([lines[0], *lines[1 + part :: 2]]))
    new = tmp_path / "new"
    run = fourcast("tournament", "merge", str(tmp_path / "0"), str(tmp_path / "1"), "--out", str(new))
    assert run.returncode == 0, run.stderr
    assert "12 games of 2 folders" in run.stderr
    merged = read_journal(new / "journal.jsonl").results()
    assert {record_key(each) for each in merged.records} == {record_key(each) for each in whole.records}
    assert [line.rating for line in merged.standings()] == [line.rating for line in whole.standings()]
    again = fourcast("tournament", "merge", str(tmp_path / "0"), str(new), "--out", str(new))
    assert (again.returncode, "has a tournament already" in again.stderr) == (2, True)


def test_a_folder_is_watched(tmp_path: Path) -> None:
    Tournament(["rated", "random"], Settings(games=2), journal=tmp_path / "journal.jsonl").run()
    run = fourcast("tournament", "watch", str(tmp_path))
    assert run.returncode == 0
    assert "rated" in run.stdout
    nothing = fourcast("tournament", "watch", str(tmp_path / "none"))
    assert (nothing.returncode, "has no tournament" in nothing.stderr) == (2, True)


def test_wrong_options_are_refused_in_a_sentence() -> None:
    for options, complaint in {
        ("--points", "3,x,0"): "three numbers such as 3,1,0",
        ("--changed", "yes"): "--changed is one of refuse, keep, again",
        ("--kind", "anchors", "--anchors", "rndom"): "did you mean 'random'",
        ("--openings", "no-such-file"): "no-such-file",
        ("--affinity", "--concurrency", "1000"): "--affinity gives each game a processor of its own",
    }.items():
        run = fourcast("tournament", "random", "rated", "--games", "1", *options)
        assert run.returncode == 2, options
        assert complaint in run.stderr


def test_anchors_are_met_by_all_others() -> None:
    with pytest.raises(OptionError, match="the anchor 'level-9' is not among the players"):
        Tournament(["random", "rated"], Settings(kind="anchors", anchors=("level-9",)))
    settings = Settings(kind="anchors", anchors=("level-1", "level-2"), games=2)
    results = Tournament(["level-1", "level-2", "random", "rated"], settings).run()
    met = {frozenset((each.first, each.second)) for each in results.records}
    assert frozenset(("level-1", "level-2")) not in met
    assert len(met) == 4
