"""`fourcast play` with a pipe as its input."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from fourcast import Game, Outcome, Position, Termination
from fourcast.notation import parse_diagram
from tests import command as fourcast

DRAW = "111111222222333333544444455555666666777777"
PEOPLE = ("--first", "human", "--second", "human")


def play(
    *options: str, entries: str | list[str] = "", **environ: str
) -> subprocess.CompletedProcess[str]:
    """Play with *entries*, one a line; in a text, spaces are between them."""
    lines = entries.split() if isinstance(entries, str) else entries
    return play_bytes(*options, entries="".join(f"{line}\n" for line in lines).encode(), **environ)


def play_bytes(*options: str, entries: bytes, **environ: str) -> subprocess.CompletedProcess[str]:
    unset = ("NO_COLOR", "FORCE_COLOR", "PYTHONIOENCODING")
    env = (
        {key: value for key, value in os.environ.items() if key not in unset}
        | {"PYTHONUTF8": "1"}
        | environ
    )
    done = fourcast.run("play", *options, given=entries, env=env)
    out = done.stdout.decode(errors="surrogateescape")
    return subprocess.CompletedProcess(done.args, done.returncode, out, done.stderr.decode())


def boards(run: subprocess.CompletedProcess[str]) -> list[Position]:
    """All boards that were shown, in order."""
    pattern = r"^\[ 1 .*\]\n(?:.+\n)+|^ 1 2 .*\n(?:.+\n)+"
    return [parse_diagram(found) for found in re.findall(pattern, run.stdout, re.MULTILINE)]


def continuation(run: subprocess.CompletedProcess[str]) -> list[str]:
    """The options of the command that resumes the game."""
    command = shlex.split(run.stdout.rpartition("To continue:\n")[2])
    return command[command.index("play") + 1 :]


# Moves and wrong entries


def test_three_moves_are_played_two_wrong_entries_explained_and_the_end_is_polite() -> None:
    run = play(*PEOPLE, entries="4 4 x 9 3")
    assert (run.returncode, run.stderr) == (0, "")
    assert boards(run) == [Position(moves) for moves in ("", "4", "44", "443")]
    assert "'x' is not a column: the columns are 1 to 7." in run.stdout
    assert "There is no column '9': the columns are 1 to 7." in run.stdout
    assert "The game stops here, unfinished." in run.stdout
    assert continuation(run) == [*PEOPLE, "--moves", "443"]


@pytest.mark.parametrize(
    ("entries", "answer"),
    [
        (b"x\n", "'x' is not a column: the columns are 1 to 7."),
        (b"four\n", "'four' is not a column"),
        (b"\n", "That was an empty line. Type a column, or ?"),
        (b"   \n", "That was an empty line."),
        (b"0\n", "There is no column '0'"),
        (b"8\n", "There is no column '8'"),
        (b"-1\n", "'-1' is not a column"),
        (b"4.5\n", "'4.5' is not a column"),
        (b"44\n", "There is no column '44'"),
        (b"1\n", "Column 1 is full; choose one of 2 3 4 5 6 7."),
        (b"u u\n", "'u u' is not a column"),
        (b"\xff\xfe\n", "is not a column"),
        (b"\x1b[2J\n", "is not a column"),
        (b"\x00\n", "is not a column"),
        (b"4" * 100_000 + b"\n", "There is no column '444"),
    ],
)
def test_a_wrong_entry_is_explained_and_asked_for_again_with_the_board_unchanged(
    entries: bytes, answer: str
) -> None:
    run = play_bytes(*PEOPLE, "--moves", "111111", entries=entries + b"2\n")
    assert run.returncode == 0
    assert run.stdout.count(answer) == 1
    assert run.stdout.count("Red, your column (1-7, ? for help): ") == 2
    assert boards(run)[:2] == [Position("111111"), Position("1111112")]
    assert "\x1b" not in run.stdout
    assert "\x00" not in run.stdout


def test_moves_may_be_the_argument() -> None:
    assert boards(play("445"))[-1] == Position("445")


def test_people_play_both_sides_if_nobody_can_be_asked() -> None:
    assert boards(play(entries="4 4"))[-1] == Position("44")


def test_an_end_without_a_line_break_is_an_entry_too() -> None:
    assert boards(play_bytes(*PEOPLE, entries=b"4\n4"))[-1] == Position("44")


def test_capitals_and_spaces_do_not_matter() -> None:
    run = play_bytes(*PEOPLE, entries=b"  4 \r\nU\nQ\n")
    assert boards(run) == [Position(), Position("4"), Position()]


# Results


@pytest.mark.parametrize(
    ("moves", "result"),
    [
        ("1212121", "Red wins with four in a row!"),
        ("12121272", "Yellow wins with four in a row!"),
        (DRAW, "It's a draw: full board."),
        ("211131416572345677654327654322345677654321", "Yellow wins with four in a row!"),
    ],
)
def test_the_result_is_announced_at_the_end(moves: str, result: str) -> None:
    run = play(*PEOPLE, entries=" ".join(moves))
    assert run.returncode == 0
    assert run.stdout.count(result) == 1
    assert boards(run)[-1] == Position(moves)
    assert "To continue" not in run.stdout


def test_the_four_and_the_last_move_are_marked() -> None:
    assert "(*🔴" not in play(*PEOPLE, "--moves", "445566", entries="").stdout
    assert "(.. .. ..*🔴*🔴*🔴[🔴]" in play(*PEOPLE, "--moves", "445566", entries="7").stdout


def test_a_finished_game_is_shown_and_can_be_taken_back() -> None:
    run = play(*PEOPLE, "--moves", "1212121", entries="5 u 7 q")
    assert "Red wins" in run.stdout
    assert "The game is over." in run.stdout
    assert boards(run)[-1] == Position("1212127")


# Taking back, hints, help


def test_moves_are_taken_back_and_played_again() -> None:
    run = play(*PEOPLE, entries="4 5 u u u r r r")
    shown = [Position(moves) for moves in ("", "4", "45", "4", "", "4", "45")]
    assert boards(run) == shown
    assert run.stdout.count("There is no move to take back.") == 1
    assert run.stdout.count("There is no move to play again.") == 1


def test_against_the_computer_both_moves_are_taken_back_and_played_again() -> None:
    run = play("--first", "human", "--second", "random", "--seed", "1", entries="4 u u r")
    plies = [position.ply for position in boards(run)]
    assert plies == [0, 2, 0, 2]
    assert boards(run)[1] == boards(run)[3]


def test_the_first_move_of_the_computer_is_not_taken_back() -> None:
    run = play("--first", "random", "--second", "human", "--seed", "1", entries="u 4 u")
    assert [position.ply for position in boards(run)] == [1, 3, 1]
    assert "There is no move to take back." in run.stdout


@pytest.mark.parametrize(
    ("moves", "hint"),
    [
        (
            "7422341735647741166133573473242566",
            "Column 2 wins in 4 moves. So does column 6. ",
        ),
        (
            "4575274553",
            "Column 4 wins in 2 moves. Red plays 4/3 and threatens 3/2 and 4/4 at once.",
        ),
        (
            "14642545655244774665",
            "Column 1 holds out longest, if your opponent makes no mistake. Zugzwang: Yellow has",
        ),
        ("445566", "Column 3 wins at once."),
        ("121212", "Column 1 wins at once."),
        ("12121", "Block column 1, or your opponent wins there."),
        ("44556", "Your opponent threatens to win in columns 3 and 7: only one can be blocked."),
    ],
)
def test_a_hint_sees_the_next_stone_and_the_end(moves: str, hint: str) -> None:
    run = play(*PEOPLE, "--moves", moves, entries="h")
    assert hint in run.stdout
    assert boards(run)[-1] == Position(moves)


def test_why_explains_the_last_move_of_the_computer() -> None:
    run = play("--first", "human", "--second", "perfect", "--moves", "45752745533", entries="why w q")
    for told in run.stdout.split("help): w")[1:]:  # why, and its first letter
        assert "Column 4 keeps the win. It is the only column that does." in told
        assert "It blocks Red's three on the diagonal 2/1-5/4." in told
        assert "Yellow completes a four" in told


def test_why_says_that_there_is_no_move_yet_and_explains_those_of_people() -> None:
    run = play(*PEOPLE, entries="why 4 5 why q")
    assert "There is no move to explain yet." in run.stdout
    assert "Column 5 loses, like every other column." in run.stdout


def test_after_a_lost_game_one_can_ask_where_it_was_lost() -> None:
    run = play("--first", "human", "--second", "winning", "--moves", "141424", entries="7 why q")
    _, told = run.stdout.split("why says where it was lost, s FILE saves: why")
    assert (
        "Move 1: Red played column 1 and turned a win into a loss. Only column 4 kept the win: it"
        in told
    )
    assert "Column 1 turns a win into a loss. Only column 4 kept the win." in told


def test_help_explains_all_that_can_be_typed() -> None:
    run = play(*PEOPLE, entries="?")
    for entry in ("1-7", "u ", "r ", "h ", "why ", "s FILE", "q ", "? "):
        assert f"\n  {entry}" in run.stdout


# Other boards, players, styles


def test_columns_past_the_ninth_are_letters_or_numbers() -> None:
    run = play(*PEOPLE, "--width", "12", "--height", "4", entries="a C 11 13 d")
    assert boards(run)[-1] == Position("acb", width=12, height=4)
    assert "There is no column '13': the columns are 1 to c." in run.stdout
    assert continuation(run) == [*PEOPLE, "--width", "12", "--height", "4", "--moves", "acb"]


def test_h_is_a_column_where_there_are_17_and_hint_still_hints() -> None:
    run = play(*PEOPLE, "--width", "17", "--height", "6", entries="h hint ?")
    assert boards(run)[-1] == Position("h", width=17, height=6)
    assert "Nobody can win with the next disc, and the rest is too far ahead" in run.stdout
    assert "\n  hint    a hint" in run.stdout


def test_a_seed_makes_the_computer_repeat_itself() -> None:
    first, again, other = (
        play("--first", "random", "--second", "winning", "--seed", seed).stdout for seed in "112"
    )
    assert first == again != other
    assert re.search(r"wins with four in a row!|It's a draw", first)


def test_the_board_is_shown_once_a_turn() -> None:
    against_the_computer = play("--second", "1", "--seed", "1", entries="4 4 ? h q")
    assert [position.ply for position in boards(against_the_computer)] == [0, 2, 4]
    without_people = play("--first", "random", "--second", "random", "--seed", "1")
    plies = [position.ply for position in boards(without_people)]
    assert plies == list(range(len(plies)))


def test_the_sides_may_be_called_by_their_numbers() -> None:
    run = play(*PEOPLE, "--numbers", entries="1 2 1 2 1 2 1")
    assert "Player 1, your column (1-7, ? for help): 1" in run.stdout
    assert "Player 2, your column" in run.stdout
    assert "Player 1 wins with four in a row!" in run.stdout
    assert "--numbers" in continuation(play(*PEOPLE, "--numbers", entries="4"))


def test_a_number_is_a_level() -> None:
    run = play("--second", "2", "--seed", "1", entries="4")
    assert "Yellow (level-2) plays column" in run.stdout


def test_the_computer_says_what_it_plays() -> None:
    run = play("--second", "winning", "--seed", "1", entries="4")
    column = re.search(r"Yellow \(winning\) plays column (\d)\.", run.stdout)
    assert column
    assert boards(run)[1] == Position("4" + column[1])


def test_a_player_takes_options_behind_its_name() -> None:
    run = play("--second", "streaks:depth=2", "--seed", "1", entries="4")
    assert "Yellow (streaks:depth=2) plays column" in run.stdout
    assert continuation(run)[:4] == ["--first", "human", "--second", "streaks:depth=2"]


@pytest.mark.parametrize(
    ("spec", "complaint"),
    [
        ("streaks:deph=6", "has no option 'deph'"),
        ("streaks:depth=x", "depth"),
        ("radnom", "did you mean 'random'?"),
        ("no-such-program --option", "no-such-program"),
    ],
)
def test_a_wrong_player_is_refused_in_one_line(spec: str, complaint: str) -> None:
    run = play("--second", spec)
    assert (run.returncode, run.stdout) == (2, "")
    assert run.stderr.startswith("fourcast: ")
    assert complaint in run.stderr
    assert run.stderr.count("\n") == 1


# Programs as players

PROGRAM = f"'{sys.executable}' -m fourcast player winning --seed 1"


def test_a_program_plays() -> None:
    run = play("--second", PROGRAM, entries="4 4")
    assert run.returncode == 0
    assert boards(run)[-1].ply == 4
    options = continuation(run)
    assert options[:4] == ["--first", "human", "--second", PROGRAM]
    assert boards(play(*options))[0] == boards(run)[-1]


def test_a_program_that_breaks_the_rules_forfeits_the_game(tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text("input(); print('{\"move\": 99}', flush=True); input()")
    run = play("--second", f"'{sys.executable}' {tmp_path}/bot.py", entries="4 q")
    assert run.returncode == 0
    assert "forfeits the game: " in run.stdout
    assert "Red wins by forfeit." in run.stdout


@pytest.mark.slow
def test_what_a_failed_program_wrote_is_shown(tmp_path: Path) -> None:
    bot = tmp_path / "bot.py"
    bot.write_text("import sys\nprint('reading the weights', file=sys.stderr)\n{}['weights']\n")
    run = play("--second", f"'{sys.executable}' '{bot}'", entries="4")
    assert "It wrote to standard error:\n  reading the weights\n  Traceback" in run.stdout
    assert "KeyError: 'weights'" in run.stdout


def test_a_program_that_does_not_answer_in_time_forfeits_the_game() -> None:
    command = f"'{sys.executable}' -c 'import time; time.sleep(60)'"
    run = play("--second", command, "--move-time", "0.1", entries="4 q")
    assert "Red wins by forfeit." in run.stdout


def test_a_program_plays_with_the_sandbox_that_is_asked_for() -> None:
    run = play("--second", PROGRAM, "--sandbox", "off", entries="4")
    assert boards(run)[-1].ply == 2
    assert run.stderr == ""
    assert continuation(run)[-2:] == ["--sandbox", "off"]


def test_a_file_decides_about_options_of_a_player_but_never_about_a_program(tmp_path: Path) -> None:
    made = tmp_path / "made"
    program = f"touch {made}"
    Game("4", first=program, second="streaks:depth=2").save(tmp_path / "game.txt")
    run = play("--load", str(tmp_path / "game.txt"), "--seed", "1", entries="5")
    assert "Yellow (streaks:depth=2) plays column" in run.stdout
    assert f"Red ({program}), your column" in run.stdout
    assert not made.exists()


# The discs


def test_the_second_player_may_have_the_red_stones() -> None:
    run = play(*PEOPLE, "--red", "second", "--style", "ascii", entries="4 4 q")
    assert run.stdout.count("O, your column") == 2
    assert run.stdout.count("X, your column") == 1
    assert " . . .[O]. . ." in run.stdout
    assert " . . . O . . .\n" in run.stdout
    assert " . . .[X]. . ." in run.stdout
    options = continuation(run)
    assert options == [*PEOPLE, "--moves", "44", "--red", "second", "--style", "ascii"]


def test_the_winner_is_named_by_the_stones() -> None:
    run = play(*PEOPLE, "--red", "second", entries="1 2 1 2 1 2 1")
    assert "Yellow wins with four in a row!" in run.stdout
    assert "\N{LARGE YELLOW CIRCLE}" in run.stdout


def test_letters_are_drawn_if_wanted_or_if_discs_cannot_be() -> None:
    assert " . . .[X]. . ." in play(*PEOPLE, "--style", "ascii", entries="4").stdout
    assert " . . .[X]. . ." in play(*PEOPLE, entries="4", TERM="dumb").stdout
    latin = play(*PEOPLE, entries="4", PYTHONIOENCODING="latin-1", PYTHONUTF8="0")
    assert " . . .[X]. . ." in latin.stdout
    assert "X, your column" in latin.stdout


def test_a_pipe_gets_colors_only_if_it_asks_for_them() -> None:
    assert "\x1b" not in play(*PEOPLE, entries="4").stdout
    assert "\x1b" in play(*PEOPLE, entries="4", FORCE_COLOR="1").stdout
    assert "\x1b" not in play(*PEOPLE, entries="4", FORCE_COLOR="1", NO_COLOR="1").stdout


# Saving, loading, going on


def test_a_game_is_saved_where_it_says_and_loaded(tmp_path: Path) -> None:
    path = tmp_path / "my game.txt"
    run = play(*PEOPLE, entries=["4", "4", "5", "u", f"s {path}", "3"])
    assert f"Saved to {path}" in run.stdout
    game = Game.load(path)
    assert (game.moves, game.undone, game.first, game.second) == ("44", (4,), "human", "human")
    assert game.started is not None
    assert None not in game.stamps_s
    run = play("--load", str(path), entries="r 3")
    assert boards(run)[-1] == Position("4453")


def test_a_game_is_saved_as_json(tmp_path: Path) -> None:
    play(*PEOPLE, entries=["4", f"s {tmp_path}/game.json"])
    assert (tmp_path / "game.json").read_text().startswith("{")
    assert Game.load(tmp_path / "game.json").moves == "4"


def test_the_players_of_a_file_play_on(tmp_path: Path) -> None:
    Game("4", first="Ada", second="winning").save(tmp_path / "game.txt")
    run = play("--load", str(tmp_path / "game.txt"), "--seed", "1")
    assert "Yellow (winning) plays column" in run.stdout
    assert "Red (Ada), your column" in run.stdout
    run = play("--load", str(tmp_path / "game.txt"), "--second", "human", entries="5")
    assert "Yellow, your column" in run.stdout
    assert boards(run)[-1] == Position("45")


def test_the_command_to_go_on_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "game.txt"
    run = play("--second", "winning", "--seed", "1", "--style", "ascii", entries=["4", f"s {path}"])
    options = continuation(run)
    assert options == [*PEOPLE[:3], "winning", "--load", str(path), "--seed", "1", "--style", "ascii"]
    assert boards(play(*options))[0] == boards(run)[-1]
    run = play("--load", str(path), "--second", "human", entries="3 2")
    options = continuation(run)
    assert "--moves" in options  # the file does not have the new moves
    assert boards(play(*options))[0] == boards(run)[-1]


def test_a_game_from_a_set_up_position_can_be_gone_on_with(tmp_path: Path) -> None:
    Game("5", start=Position("445"), first="Ada").save(tmp_path / "game.txt")
    run = play("--load", str(tmp_path / "game.txt"), entries="3", TMPDIR=str(tmp_path))
    options = continuation(run)
    assert "--load" in options
    again = play(*options, TMPDIR=str(tmp_path))
    assert boards(again)[0] == boards(run)[-1] == Position("44553")
    assert "Red (Ada)" in run.stdout


def test_nothing_else_is_overwritten_through_a_pipe(tmp_path: Path) -> None:
    notes, other, older = tmp_path / "notes.txt", tmp_path / "other.txt", tmp_path / "older.txt"
    notes.write_text("milk, eggs")
    Game("77").save(other)
    Game("4").save(older)
    run = play(*PEOPLE, entries=["4", "4", f"s {notes}", f"s {other}", f"s {older}"])
    assert f"{notes} exists, and is not a game file; choose another name." in run.stdout
    assert f"{other} has another game; choose another name." in run.stdout
    assert run.stdout.count("Nothing was saved.") == 2
    assert notes.read_text() == "milk, eggs"
    assert Game.load(other).moves == "77"
    assert Game.load(older).moves == "44"  # of which this game is the continuation


def test_a_game_that_was_saved_is_saved_again_without_its_name(tmp_path: Path) -> None:
    path = tmp_path / "game.txt"
    play(*PEOPLE, entries=["s", "4", f"s {path}", "u", "5", "s"])
    assert Game.load(path).moves == "5"


@pytest.mark.parametrize("name", ["", "/nowhere/game.txt", "/", "\x00", "x" * 1000, "/dev/null"])
def test_a_name_that_cannot_be_saved_to_is_explained_and_the_game_goes_on(name: str) -> None:
    run = play_bytes(*PEOPLE, entries=f"4\ns {name}\n5\n".encode())
    assert run.returncode == 0
    assert "Nothing was saved" in run.stdout or "Say where to save" in run.stdout
    assert boards(run)[-1] == Position("45")
    assert run.stderr == ""


def test_a_finished_game_can_be_saved(tmp_path: Path) -> None:
    play(*PEOPLE, entries=[*"1212121", f"s {tmp_path}/game.txt"])
    assert Game.load(tmp_path / "game.txt").result == Outcome(1, Termination.FOUR)


def test_a_game_that_ended_otherwise_is_announced(tmp_path: Path) -> None:
    game = Game("4", first="Ada", second="Grace")
    game.resign()
    game.save(tmp_path / "game.txt")
    assert "Red (Ada) wins by resignation." in play("--load", str(tmp_path / "game.txt")).stdout


@pytest.mark.parametrize("content", [b"\x7fELF\x00", b"4x", b"{", b"4" * 10**6, b"First: \x1b[2J"])
def test_a_hostile_file_is_refused_in_one_line(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "game.txt"
    path.write_bytes(content)
    run = play("--load", str(path))
    assert (run.returncode, run.stdout) == (2, "")
    assert run.stderr.startswith(f"fourcast: '{path}': ")
    assert run.stderr.count("\n") == 1
    assert "\x1b" not in run.stderr


def test_a_file_of_another_size_than_asked_for_is_refused(tmp_path: Path) -> None:
    Game("4").save(tmp_path / "game.txt")
    run = play("--load", str(tmp_path / "game.txt"), "--width", "8")
    assert run.returncode == 2
    assert "is 7x6" in " ".join(run.stderr.replace("│", " ").split())  # wherever the frame wraps it
