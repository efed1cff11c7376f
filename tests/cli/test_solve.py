"""`fourcast solve` and `fourcast analyze`, for people and for programs."""

from __future__ import annotations

import json
import shlex
import signal
import subprocess
import time
from pathlib import Path

import pytest

from fourcast import Position
from tests import command as fourcast
from tests.command import COMMAND

DATA = Path(__file__).resolve().parent.parent / "fixtures"
LATE = "7422341735647741166133573473242566"  # columns 3, 4 and 7 are full


def run(*arguments: str, given: bytes = b"") -> tuple[int, bytes, str]:
    """Run a command on some input; return its exit status and what it says on both channels."""
    done = fourcast.run(*arguments, given=given)
    return done.returncode, done.stdout, done.stderr.decode()


# For people


def test_solve_shows_the_board_and_says_who_wins() -> None:
    status, out, err = run("solve", "44455554221")
    assert (status, err) == (0, "")
    text = out.decode()
    assert "[ 1  2  3  4  5  6  7]" in text
    assert "Yellow, to move, loses in 1 move (score -15)." in text
    assert "Best: columns 1, 2, 3, 4, 5, 6 and 7." in text
    assert " nodes in " not in text  # the book has the score
    assert " nodes in " in run("solve", LATE[:28])[1].decode()


def test_analyze_shows_a_bar_and_words_for_every_column_and_the_best_line() -> None:
    status, out, err = run("analyze", LATE)
    assert (status, err) == (0, "")
    lines = out.decode().splitlines()
    assert lines[8:18] == [
        "Red, to move, wins in 4 moves (score 1).",
        "",
        "  1   -3         ■■|           loses in 2 moves",
        "  2    1           |■          wins in 4 moves, best",
        "  3    .                       full",
        "  4    .                       full",
        "  5   -4         ■■|           loses in 1 move",
        "  6    1           |■          wins in 4 moves, best",
        "  7    .                       full",
        "",
    ]
    assert lines[18] == "Best play: 2261155, and Red wins with disc 41."


def test_what_a_time_limit_leaves_open_is_said() -> None:
    status, out, _ = run("solve", "--no-book", "--time-limit", "0.005", "4")
    assert status == 0
    assert "is not decided yet (score -" in out.decode()
    assert "there was no time for more" in out.decode()
    _, out, _ = run("analyze", "--no-book", "--time-limit", "0.005", "4")
    assert out.decode().count("is not decided yet") == 8


def test_a_checkpoint_is_kept_and_a_file_of_something_else_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "5x4.checkpoint"
    small = ["solve", "--width", "5", "--height", "4", "--checkpoint"]
    answers = [run(*small, str(file), "--json") for _ in range(2)]
    assert [(status, json.loads(out)["score"]) for status, out, _ in answers] == [(0, 0), (0, 0)]
    assert file.read_bytes().startswith(b"fourcast checkpoint 1\n")
    status, out, err = run(*small, str(file), "123")
    assert (status, out) == (2, b"")
    assert "is the checkpoint of another solve, of a board of 5x4 with 0 discs" in err
    status, _, err = run(*small, str(file), "-")
    assert status == 2
    assert "not for standard input" in " ".join(err.replace("│", " ").split())


@pytest.mark.parametrize("command", ["solve", "analyze"])
@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["48"], "fourcast: '8' at place 2 of '48' is not a column"),
        (["1111111"], "fourcast: move 7 of '1111111': column 1 is full"),
        (
            ["1212121"],
            "fourcast: the game is over, there is nothing to solve: there is a four in a row",
        ),
        (["4", "--width", "3"], "fourcast: a board of width 3 and height 6 is not supported"),
        (["--width", "3"], "fourcast: a board of width 3 and height 6 is not supported"),
        (["4", "--time-limit", "0"], "--time-limit must be more than 0 seconds, not 0"),
        (["4", "--threads", "0"], "Invalid value for '--threads'"),
        (["4", "--threads", "x"], "Invalid value for '--threads'"),
        (["4", "5"], "unexpected extra argument"),
    ],
)
def test_a_wrong_argument_is_refused(command: str, arguments: list[str], complaint: str) -> None:
    status, out, err = run(command, *arguments)
    assert (status, out) == (2, b"")
    assert complaint in " ".join(err.replace("│", " ").split())
    assert "Traceback" not in err


@pytest.mark.parametrize("command", ["solve", "analyze", "review", "explore"])
def test_moves_may_be_given_in_several_ways(command: str, tmp_path: Path) -> None:
    options = [command, "--json", "--width", "4", "--height", "4"]
    (tmp_path / "game.txt").write_text("1213")
    answers = [
        run(*options, "1213")[1],
        run(*options, "--moves", "1213")[1],
        run(*options, "--load", str(tmp_path / "game.txt"))[1],
        run(*options, str(tmp_path / "game.txt"))[1],
        run(*options, given=b"1213")[1],
        run(*options, "-", given=b"1213\n")[1],
    ]
    effort = {"nodes": 0, "time_s": 0}
    if command == "solve":
        effort["best_columns"] = 0  # not looked for in lines
    first, *others = ({**json.loads(answer), **effort} for answer in answers)
    assert first["moves"] == "1213"
    assert all(other == first for other in others)


@pytest.mark.parametrize("command", ["solve", "analyze", "review"])
def test_moves_are_given_once(command: str) -> None:
    status, out, err = run(command, "4455", "--moves", "4455")
    assert (status, out) == (2, b"")
    assert "give MOVES, --moves or --load, only one of them" in err


@pytest.mark.parametrize("command", ["solve", "analyze", "review", "play"])
def test_moves_that_cannot_be_played_are_explained_alike(command: str) -> None:
    status, _, err = run(command, "4444444")
    assert status == 2
    assert err == run("solve", "--moves", "4444444")[2]
    assert "column" in err
    assert "bitboards" not in err


# For programs: solve


def test_a_line_is_answered_with_the_line_and_its_score() -> None:
    moves = "44455554221"
    assert run("solve", given=f"{moves}\n4455\n{LATE}\n".encode()) == (
        0,
        f"{moves} -15\n4455 18\n{LATE} 1\n".encode(),
        "",
    )


def test_a_bad_line_is_answered_error_and_reported_and_the_rest_goes_on() -> None:
    given = b"4455\n4x\n1111111\n1212121\n \xff\xfe\n4455\r\n  4455 \n4 4"
    status, out, err = run("solve", given=given)
    assert status == 1
    assert out.split(b"\n") == [
        b"4455 18",
        b"4x error",
        b"1111111 error",
        b"1212121 error",
        b" \xff\xfe error",
        b"4455 18",
        b"  4455  18",
        b"4 4 1",
        b"",
    ]
    reports = err.splitlines()
    assert [report.split(": ")[1] for report in reports] == [f"line {n}" for n in (2, 3, 4, 5)]
    assert reports[0] == "fourcast: line 2: 'x' at place 2 of '4x' is not a column: they are 1 to 7"


def test_an_empty_line_is_the_empty_board() -> None:
    """On a small board, where that takes no time."""
    given = b"\n1\n\n"
    assert run("solve", "--width", "4", "--height", "4", given=given) == (0, b" 0\n1 0\n 0\n", "")


def test_a_line_without_end_is_answered_and_forgotten() -> None:
    status, out, err = run("solve", given=b"4" * 3_000_000 + b"\n4455\n")
    assert status == 1
    first, second, _ = out.split(b"\n")
    assert first.endswith(b"4 error")
    assert len(first) < 5_000
    assert second == b"4455 18"
    assert err == "fourcast: line 1: more than 4096 characters\n"


def test_no_input_is_no_output() -> None:
    assert run("solve") == (0, b"", "")
    assert run("analyze", "--json") == (0, b"", "")


def test_what_a_time_limit_leaves_open_is_answered_with_bounds() -> None:
    arguments = ("--no-book", "--time-limit", "0.005")
    status, out, _ = run("solve", *arguments, given=b"4\n")
    line, mark, lower, upper = out.split()
    assert (status, line, mark) == (0, b"4", b"?")
    assert int(lower) <= -1 <= int(upper)
    _, out, _ = run("solve", "--json", *arguments, given=b"4\n")
    answer = json.loads(out)
    assert (answer["moves"], answer["score"]) == ("4", None)
    assert answer["lower"] <= -1 <= answer["upper"]


@pytest.mark.parametrize("threads", ["1", "2"])
def test_thousands_of_lines_are_answered_in_order(threads: str) -> None:
    lines = [*(DATA / "end-easy.txt").read_text().split("\n"), *[""] * 3]
    known = [line for line in lines if line]
    given = "\n".join(line.split()[0] for line in known).encode()
    status, out, err = run("solve", "--threads", threads, given=given)
    assert (status, err) == (0, "")
    assert out.decode().splitlines() == known


def test_json_of_solve() -> None:
    status, out, _ = run("solve", "--json", given=b"4455\nx\n")
    assert status == 1
    good, bad = map(json.loads, out.splitlines())
    shown = {"moves": "4455", "width": 7, "height": 6, "score": 18, "lower": 18, "upper": 18}
    assert good.items() >= shown.items()
    assert bad == {"moves": "x", "error": "'x' at place 1 of 'x' is not a column: they are 1 to 7"}
    _, out, _ = run("solve", "--json", "4455")
    assert json.loads(out).items() >= shown.items()


def test_boards_of_other_sizes() -> None:
    given = b"112233\n"
    assert run("solve", "--width", "9", "--height", "7", given=given)[1] == b"112233 29\n"


# For programs: analyze


def test_analyze_answers_in_json() -> None:
    given = f"{LATE}\nx\n".encode()
    status, out, err = run("analyze", "--json", given=given)
    assert status == 1
    good, bad = map(json.loads, out.splitlines())
    shown = {  # the names of version 0.1, on which programs rely
        "moves": LATE,
        "score": 1,
        "scores": [-3, 1, None, None, -4, 1, None],
        "best": [2, 6],
        "line": "2261155",
    }
    assert good.items() >= shown.items()
    assert list(bad) == ["moves", "error"]
    assert err.startswith("fourcast: line 2: ")
    assert Position(LATE + good["line"]).winner == 1
    _, out, _ = run("analyze", "--json", LATE)
    assert json.loads(out).items() >= shown.items()


def test_analyze_answers_in_text() -> None:
    status, out, _ = run("analyze", given=f"{LATE}\nx\n".encode())
    assert (status, out) == (1, f"{LATE} -3 1 . . -4 1 .\nx error\n".encode())


def test_analyze_answers_the_same_with_several_threads() -> None:
    lines = (DATA / "end-easy.txt").read_text().splitlines()[:200]
    given = "".join(f"{line.split()[0]}\n" for line in lines).encode()
    one, two = (run("analyze", "--threads", threads, given=given) for threads in "12")
    assert one == two
    assert one[0] == 0
    assert len(one[1].splitlines()) == 200


def test_analyze_at_its_limit_has_the_bounds() -> None:
    status, out, _ = run("analyze", "--json", "--no-book", "--time-limit", "0.005", given=b"4\n")
    answer = json.loads(out)
    assert status == 0
    assert (answer["score"], answer["best"], answer["line"]) == (None, [], "")
    assert answer["lower"] <= -1 <= answer["upper"]
    assert len(answer["bounds"]) == 7
    assert all(lower <= upper for lower, upper in answer["bounds"])
    _, out, _ = run("analyze", "--no-book", "--time-limit", "0.005", given=b"4\n")
    assert out == b"4 ? ? ? ? ? ? ?\n"


# Pipes, terminals, signals


def test_a_program_that_waits_for_each_answer_gets_it() -> None:
    with subprocess.Popen(
        [*COMMAND, "solve"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as child:
        assert child.stdin is not None
        assert child.stdout is not None
        for text, score in ((b"4455", b"18"), (b"nonsense", b"error"), (LATE.encode(), b"1")):
            child.stdin.write(text + b"\n")
            child.stdin.flush()
            assert child.stdout.readline() == text + b" " + score + b"\n"
        child.stdin.close()
        assert child.wait(timeout=30) == 1


def test_half_a_line_is_waited_for() -> None:
    with subprocess.Popen([*COMMAND, "solve"], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as child:
        assert child.stdin is not None
        assert child.stdout is not None
        for part in (b"44", b"5", b"5\n445"):
            child.stdin.write(part)
            child.stdin.flush()
            time.sleep(0.05)
        assert child.stdout.readline() == b"4455 18\n"
        child.stdin.write(b"5")
        child.stdin.close()
        assert child.stdout.readline() == b"4455 18\n"
        assert child.wait(timeout=30) == 0


@pytest.mark.parametrize("command", ["solve", "analyze"])
def test_a_reader_that_has_seen_enough_is_no_error(command: str) -> None:
    script = f"yes {LATE} | {shlex.join(COMMAND)} {command} | head -n 1"
    done = subprocess.run(script, shell=True, capture_output=True, text=True, timeout=60)
    assert (done.stdout.count("\n"), done.stderr) == (1, "")


@pytest.mark.parametrize("arguments", [["solve", "1"], ["analyze"]])
def test_ctrl_c_ends_it_without_a_word(arguments: list[str]) -> None:
    with subprocess.Popen(
        [*COMMAND, *arguments, "--width", "8", "--height", "7"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as child:
        assert child.stdin is not None
        child.stdin.write(b"\n")
        child.stdin.flush()
        time.sleep(1.5)
        child.send_signal(signal.SIGINT)
        out, err = child.communicate(timeout=20)
        assert child.returncode in (130, -signal.SIGINT)  # the latter while it is still importing
    assert (out, err) == (b"", b"")


def test_a_terminal_gets_a_progress_bar(tmp_path: Path) -> None:
    pexpect = pytest.importorskip("pexpect", reason="there is no terminal")
    lines = [line.split()[0] for line in (DATA / "middle-easy.txt").read_text().splitlines()]
    (tmp_path / "in.txt").write_text("".join(f"{line}\n" for line in lines))
    script = f"{shlex.join(COMMAND)} solve < in.txt > out.txt"
    child = pexpect.spawn("/bin/sh", ["-c", script], cwd=tmp_path, encoding="utf-8", timeout=60)
    child.expect_exact("100 %")
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 0
    known = (DATA / "middle-easy.txt").read_text()
    assert (tmp_path / "out.txt").read_text() == known


def test_a_person_who_gives_no_position_is_told_what_to_type() -> None:
    pexpect = pytest.importorskip("pexpect", reason="there is no terminal")
    child = pexpect.spawn(COMMAND[0], [*COMMAND[1:], "solve"], encoding="utf-8", timeout=30)
    child.expect_exact("One position a line, such as 44455; Ctrl-D ends the input.")
    child.sendline("4455")
    child.expect_exact("4455 18")
    child.sendeof()
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 0


# Ratings without a solver


def test_columns_are_rated_as_in_the_text_on_test_driven_development() -> None:
    """The example of seed 000."""
    answer = json.loads(run("analyze", "1716252", "--by", "wins", "--json")[1])
    assert (answer["values"], answer["best_columns"]) == ([0, 0, 0, 18, 0, 0, 0], [3])
    given = b"4466\n444444\n"
    assert (
        run("analyze", "--by", "wins", given=given)[1] == b"4466 0 0 0 0 0 0 0\n444444 0 0 0 . 0 0 0\n"
    )


def test_columns_are_rated_by_an_evaluation_some_plies_ahead() -> None:
    shown = run("analyze", "4466", "--by", "streaks", "--depth", "2", "--style", "ascii")[1].decode()
    assert "\n  5    0  best\n" in shown
    assert shown.count("best") == 1
