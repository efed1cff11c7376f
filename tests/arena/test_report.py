from __future__ import annotations

import json
import re
import subprocess
import sys
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest

from fourcast import Game
from fourcast.arena import Match, Results, Settings, Tournament
from fourcast.arena.cup import SCORES, read_cup
from fourcast.arena.play import GameRecord
from fourcast.arena.quality import judge, qualities_of, read_scores, score_games, write_scores
from fourcast.arena.report import write_report
from fourcast.arena.results import Forfeits
from fourcast.arena.schedule import Draw
from fourcast.errors import GameFileError
from fourcast.game import Outcome, Termination
from tests.command import run_text as fourcast

SCRIPT = '<script>alert("x")</script> | $x$ *b*'


@pytest.fixture(scope="module")
def results() -> Results:
    return Tournament(["random", "rated", "depth"], Settings(games=4, seed=1)).run()


class Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))


def test_a_report_is_html_that_needs_nothing_else_and_markdown_with_its_plots(
    results: Results, tmp_path: Path
) -> None:
    qualities = judge(results.records, from_ply=20)
    write_report(results, tmp_path, title="Cup", qualities=qualities)
    page = (tmp_path / "report.html").read_text("utf-8")
    tags = Tags()
    tags.feed(page)
    images = [attributes["src"] or "" for tag, attributes in tags.tags if tag == "img"]
    worst = sum(len(quality.worst) for quality in qualities.values())
    assert len(images) == 2 + worst  # of the cross table the table itself is the picture
    assert all(source.startswith("data:image/svg+xml;base64,") for source in images)
    assert not {tag for tag, _ in tags.tags} & {"link", "iframe"}
    assert [tag for tag, _ in tags.tags].count("script") == 1  # which replays games
    assert "http" not in re.sub(r'src="[^"]*"', "", page)
    text = (tmp_path / "report.md").read_text("utf-8")
    assert text.startswith("# Cup\n")
    for name in re.findall(r"!\[.*\]\((.*)\)", text):
        assert (tmp_path / name).read_text("utf-8").startswith("<?xml")
    for name in ("random", "rated", "depth", "value kept", "as second"):
        assert name in text
        assert name in page


def test_the_page_is_for_phones_dark_screens_and_screen_readers(
    results: Results, tmp_path: Path
) -> None:
    qualities = judge(results.records, from_ply=20)
    write_report(results, tmp_path, qualities=qualities)
    page = (tmp_path / "report.html").read_text("utf-8")
    assert "@media (prefers-color-scheme: dark)" in page
    # What is wide is scrolled by itself and not with the page, and the names stay in sight.
    assert page.count("<table") == page.count('<div class="wide"><table') == 5
    assert page.count('<div class="wide plot"><img alt="') == 2
    with_mistakes = {game for quality in qualities.values() for game in quality.worst}
    assert page.count('<td class="picture"><img alt="') == len(with_mistakes)
    names = 3 * len(results.names) + len(results.records) + len(with_mistakes)
    assert page.count('<th scope="row" class="name text">') == names
    assert "position: sticky" in page
    for name in ("ratings", "cross-table", "score-lost"):
        drawing = (tmp_path / f"{name}.svg").read_text("utf-8")
        assert "currentColor" in drawing
        assert "prefers-color-scheme:dark" in drawing


def test_the_worst_move_of_a_game_is_named_with_its_reason(results: Results, tmp_path: Path) -> None:
    qualities = judge(results.records, from_ply=20)
    write_report(results, tmp_path, qualities=qualities)
    text = (tmp_path / "report.md").read_text("utf-8")
    section = text.partition("## Worst moves")[2].partition("\n## ")[0]
    rows = [line.split(" | ") for line in section.splitlines() if line.startswith("| ")][2:]
    worst = {game: move for quality in qualities.values() for game, move in quality.worst.items()}
    assert {int(re.findall(r"\[(\d+)\]", row[0])[0]) for row in rows} == set(worst)
    for row in rows:
        assert re.search(r"turns a (win|draw) into a (draw|loss)", row[3])


def test_the_cross_table_is_colored_by_points(results: Results, tmp_path: Path) -> None:
    write_report(results, tmp_path)
    page = (tmp_path / "report.html").read_text("utf-8")
    colors = re.findall(r'<td style="background: (#\w+)">([\d.]+) / (\d+)</td>', page)
    assert len(colors) == 6
    for color, points, games in colors:
        share = float(points) / int(games)
        assert int(color[7:], 16) == round(abs(share - 0.5) * 320)
        assert (color[:7] == "#c8503c") == (share < 0.5)


def test_what_was_forfeited_alike_is_one_row(tmp_path: Path) -> None:
    played = Match("random", "rated", games=8, seed=1).run()
    outcome = Outcome(2, Termination.FORFEIT, "crash")
    detail = "crash: it ended with status 1"
    lost = [
        replace(game, moves=game.opening, times_s=(), outcome=outcome, detail=detail)
        for game in played.records
        if game.first == "random"
    ]
    results = Results(played.names, lost)
    assert results.forfeits() == [Forfeits("random", detail, (1, 3, 5, 7), "")]
    assert [str(each) for each in results.forfeits()] == [f"games 1, 3, 5, 7: random lost by {detail}"]
    write_report(results, tmp_path)
    text = (tmp_path / "report.md").read_text("utf-8")
    assert f"| random | {detail} | 1, 3, 5, 7 |  |" in text  # a built-in player has nobody to advise
    program = {"random": {"command": "python bot.py"}}
    write_report(Results(played.names, lost, programs=program), tmp_path)
    cure = "It must not end before it is told to: it reads a line, answers it, and reads the next."
    assert f"| 1, 3, 5, 7 | {cure} |" in (tmp_path / "report.md").read_text("utf-8")
    assert cure in (tmp_path / "players" / "001-random.html").read_text("utf-8")


def test_the_games_are_saved_as_game_files(results: Results, tmp_path: Path) -> None:
    write_report(results, tmp_path)
    games = [Game.load(path) for path in sorted((tmp_path / "games").iterdir())]
    assert [game.moves for game in games] == [record.moves for record in results.records]


def test_a_report_has_its_facts_and_links_to_its_games(results: Results, tmp_path: Path) -> None:
    write_report(results, tmp_path, facts={"date": "2024-05-31", "command": "fourcast <b>match</b>"})
    page = (tmp_path / "report.html").read_text("utf-8")
    text = (tmp_path / "report.md").read_text("utf-8")
    assert "<dt>date</dt><dd>2024-05-31</dd>" in page
    assert "fourcast &lt;b&gt;match" in page
    assert "- date: 2024-05-31\n" in text
    links = re.findall(r'<a href="(games/\d+\.txt)" data-moves="\d+">', page)
    assert links == re.findall(r"\]\((games/\d+\.txt)\)", text)
    assert [Game.load(tmp_path / link).moves for link in links] == [
        game.moves for game in results.records
    ]


def test_the_messages_of_a_program_are_in_the_report_whole(tmp_path: Path) -> None:
    played = Match("random", "rated", games=2, seed=1).run()
    outcome = Outcome(2, Termination.FORFEIT, "crash")
    messages = "Traceback:\n" + "\n".join(f"  line {i} of <b>it</b>" for i in range(100)) + "\nError"
    lost = replace(
        played.records[0],
        moves=played.records[0].opening,
        times_s=(),
        outcome=outcome,
        detail="crash: it ended with status 1",
        messages=(messages, ""),
    )
    again = GameRecord.from_json(json.loads(json.dumps(lost.to_json())))
    assert again.messages == (messages, "")
    write_report(Results(played.names, [again]), tmp_path)
    page = (tmp_path / "report.html").read_text("utf-8")
    assert "line 99 of &lt;b&gt;it&lt;/b&gt;\nError</pre></details>" in page
    assert "      line 99 of <b>it</b>\n    Error" in (tmp_path / "report.md").read_text("utf-8")


def test_names_are_shown_and_never_run(tmp_path: Path) -> None:
    played = Match("random", "random", games=2).run().records
    records = [
        GameRecord.from_json(
            {key: SCRIPT if value == "random" else value for key, value in game.to_json().items()}
        )
        for game in played
    ]
    write_report(Results([SCRIPT, "random #2"], records), tmp_path, title=SCRIPT)
    for path in (tmp_path / "report.html", *(tmp_path / "players").iterdir()):
        page = path.read_text("utf-8")
        assert page.count("<script") == 1  # ours, which replays games
        assert "alert(" not in page.replace("alert(&quot;x&quot;)", "")
    assert not re.search(r"(?<!\\)<script", (tmp_path / "report.md").read_text("utf-8"))


def test_a_report_is_the_same_for_the_same_games(results: Results, tmp_path: Path) -> None:
    write_report(results, tmp_path / "a")
    write_report(results, tmp_path / "b")
    for name in ("report.html", "report.md", "ratings.svg"):
        assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes()


def test_without_matplotlib_a_command_says_what_to_install(tmp_path: Path) -> None:
    code = (
        "import sys; sys.modules['matplotlib'] = None\n"
        "from fourcast.cli import main\n"
        f"main(['match', 'random', 'random', '--out', {str(tmp_path / 'out')!r}])"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert run.returncode == 2
    assert run.stderr.startswith("fourcast: a report needs matplotlib: ")
    assert run.stderr.endswith(" -m pip install matplotlib\n")
    assert not (tmp_path / "out").exists()


def test_without_a_report_nothing_extra_is_loaded() -> None:
    code = (
        "import sys\n"
        "from fourcast.cli import main\n"
        "try: main(['match', 'random', 'random', '--games', '2'])\n"
        "except SystemExit: pass\n"
        "sys.exit(len({'matplotlib'} & set(sys.modules)))"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, timeout=60).returncode == 0


def test_a_report_on_many_players_shows_the_best_and_the_rest_on_demand(tmp_path: Path) -> None:
    names = [f"random:seed={i}" for i in range(43)]
    results = Tournament(names, Settings(kind="swiss", games=1, rounds=3)).run()
    write_report(results, tmp_path)
    page = (tmp_path / "report.html").read_text("utf-8")
    assert "<summary>28 more</summary>" in page
    assert "<summary>Show 43 rows</summary>" in page  # the cross table
    assert len(list((tmp_path / "players").iterdir())) == 43
    rows = (tmp_path / "standings.csv").read_text("utf-8").splitlines()
    assert len(rows) == 44
    assert rows[0].startswith("place,player,Elo")


def test_the_cross_table_of_a_big_cup_has_the_best_50(tmp_path: Path) -> None:
    """That of 200 players took minutes to draw."""
    names = [f"random:seed={i}" for i in range(60)]
    results = Tournament(names, Settings(kind="swiss", games=1, rounds=1)).run()
    write_report(results, tmp_path)
    [cross] = re.findall(
        r"## Points of the best 50 against each other\n(.*?)\n## ",
        (tmp_path / "report.md").read_text("utf-8"),
        re.DOTALL,
    )
    assert len(re.findall(r"^\| random", cross, re.MULTILINE)) == 50
    assert all(line.name in cross for line in results.standings()[:50])


def test_each_player_has_a_page_with_its_place_forfeits_and_worst_moves(
    results: Results, tmp_path: Path
) -> None:
    qualities = judge(results.records, from_ply=20)
    write_report(results, tmp_path, qualities=qualities)
    for place, line in enumerate(results.standings(), start=1):
        number = results.names.index(line.name) + 1
        page = (tmp_path / "players" / f"{number:03d}-{line.name}.html").read_text("utf-8")
        assert f"<h2>Place {place} of 3</h2>" in page
        games = re.findall(r'href="\.\./(games/\d+\.txt)"', page)
        assert len(games) >= line.games
        assert all((tmp_path / game).exists() for game in games)
        assert ("<h2>Worst moves</h2>" in page) == bool(qualities[line.name].worst)


def test_a_players_page_shows_its_progress_over_cups(tmp_path: Path) -> None:
    for number, names in enumerate((["random", "rated"], ["random", "depth"], ["random", "rated"])):
        folder = tmp_path / f"cup-{number + 1}"
        journal = folder / "journal.jsonl"
        results = Tournament(names, Settings(games=2, title=f"Cup {number + 1}"), journal=journal).run()
        if number == 1:
            write_scores(folder / SCORES, score_games(results.records, from_ply=20))
    earlier = [read_cup(tmp_path / "cup-1"), read_cup(tmp_path / "cup-2")]
    write_report(results, tmp_path / "report", title="Cup 3", earlier=earlier)
    pages = {path.name: path.read_text("utf-8") for path in (tmp_path / "report/players").iterdir()}
    mine = pages["001-random.html"].partition("<h2>Progress</h2>")[2].partition("<h2>")[0]
    assert [f"Cup {number}" in mine for number in (1, 2, 3)] == [True, True, True]
    rated = pages["002-rated.html"].partition("<h2>Progress</h2>")[2].partition("<h2>")[0]
    assert [f"Cup {number}" in rated for number in (1, 2, 3)] == [True, False, True]
    [line] = [line for line in mine.splitlines() if "Cup 2" in line]
    place = [each.name for each in earlier[1].results.standings()].index("random") + 1
    assert f"<td>{place} of 2</td>" in line.replace(' class="text"', "")
    assert f"{earlier[1].qualities['random'].kept_share:.1%}" in line


def test_scores_of_the_solver_are_kept_and_only_new_games_are_judged(tmp_path: Path) -> None:
    def play(games: int, *options: str) -> str:
        names = ["tournament", "random", "rated", "--games", str(games), "--out", str(tmp_path)]
        run = fourcast(*names, "--quality-from", "16", *options)
        assert run.returncode == 0, run.stderr
        return run.stdout

    assert "value kept" in play(2, "--quality")
    first = (tmp_path / SCORES).read_text()
    again = play(2)
    assert "value kept" in again
    assert "## Worst moves" in (tmp_path / "report.md").read_text("utf-8")
    assert "2 of 4 games were not judged; --quality judges them." in play(4)
    assert (tmp_path / SCORES).read_text() == first
    assert "not judged" not in play(4, "--quality")
    assert (tmp_path / SCORES).read_text().startswith(first)
    assert {quality.games for quality in read_cup(tmp_path).qualities.values()} == {4}


def test_scores_in_a_file_judge_as_the_solver_does(tmp_path: Path) -> None:
    records = Match("random", "rated", games=4, seed=7).run().records
    scores = write_scores(tmp_path / SCORES, score_games(records, from_ply=16, time_s=60))
    assert read_scores(tmp_path / SCORES) == scores
    found = {name: quality.to_json() for name, quality in qualities_of(records, scores).items()}
    judged = judge(records, from_ply=16, time_s=60)
    assert found == {name: quality.to_json() for name, quality in judged.items()}
    assert not any(quality.unknown for quality in judged.values())


def test_a_file_of_scores_is_read_strictly_but_for_a_line_that_a_crash_has_cut(tmp_path: Path) -> None:
    path = tmp_path / SCORES
    records = Match("random", "rated", games=2, seed=3).run().records
    whole = write_scores(path, score_games(records, from_ply=20))
    text = path.read_text()
    path.write_text(text[:-20])
    assert list(read_scores(path)) == list(whole)[:1]
    assert write_scores(path, [list(whole.values())[1]]) == whole
    assert path.read_text() == text
    for wrong in ("{}", "[]", "nonsense", '{"moves": "44", "width": 7, "height": 6, "start": 1}'):
        path.write_text(f"{text}{wrong}\n")
        with pytest.raises(GameFileError, match=r"line 3: .*remove the file"):
            read_scores(path)


def test_a_player_that_forfeited_every_game_is_out_for_those_who_read_the_folder(tmp_path: Path) -> None:
    def illegal(_: object) -> int:
        return 99

    journal = tmp_path / "journal.jsonl"
    played = Tournament(["random", illegal], Settings(games=2), journal=journal).run()
    assert played.out == read_cup(tmp_path).results.out == {"illegal"}
    text = journal.read_text()
    journal.write_text(text.replace('{"over": true}\n', ""))
    assert read_cup(tmp_path).results.out == set()  # it may still be played


def test_players_that_are_out_have_no_points_for_byes() -> None:
    [played] = Match("random", "rated", games=1).run().records
    draws = [Draw(1, (("random", "rated"),), ("idle",))]
    results = Results(["random", "rated", "idle"], [played], draws=draws)
    assert {line.name: line.points for line in results.standings()}["idle"] == 1
    results.out.add("idle")
    assert {line.name: line.points for line in results.standings()}["idle"] == 0
