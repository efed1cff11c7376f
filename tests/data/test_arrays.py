"""Positions in arrays: layouts, labels, samples."""

from __future__ import annotations

import math
import re
import subprocess
import sys
import time
import types
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from fourcast import Limit, Position, Solver
from fourcast.data import (
    FINISHED,
    FULL,
    IMPOSSIBLE,
    LAYOUTS,
    UNKNOWN,
    By,
    bitboards,
    mirrored,
    planes,
    positions_from_planes,
    sample,
    uci8,
)
from fourcast.errors import (
    FinishedGameError,
    IllegalMoveError,
    InvalidNotationError,
    InvalidPositionError,
    OptionError,
)
from tests.model import Model
from tests.strategies import positions

FILE = Path(__file__).parents[1] / "fixtures" / "end-easy.txt"
LATE = [line.split()[0] for line in FILE.read_text().splitlines()]
VALUES = [int(line.split()[1]) for line in FILE.read_text().splitlines()]
WON = "1212121"
FLOATING = np.array([[0, 0], [2, 0]], np.uint64)


@pytest.fixture(scope="module")
def solver() -> Solver:
    return Solver()


# ---- Labels ------------------------------------------------------------------------------------------


def test_values_are_the_published_ones_from_strings_positions_and_arrays(solver: Solver) -> None:
    moves = LATE[:300]
    for given_positions in (moves, [Position(each) for each in moves], bitboards(moves)):
        values = solver.values(given_positions)
        assert values.dtype == np.int8
        assert values.tolist() == VALUES[:300]
    assert solver.values(planes(moves, "uci"), layout="uci", threads=2).tolist() == VALUES[:300]


def test_scores_are_those_of_analyze_with_a_mark_for_full_columns(solver: Solver) -> None:
    moves = [*LATE[:100], "444444"]
    scores = solver.column_scores(moves, threads=2)
    assert scores.shape == (101, 7)
    for row, analysis in zip(scores.tolist(), solver.analyze_many(moves), strict=True):
        by_column = {line.column: line.score for line in analysis.lines}
        assert row == [by_column.get(column, FULL) for column in range(7)]
    assert (scores.max(axis=1) == solver.values(moves)).all()


@pytest.mark.parametrize(
    ("bad", "error", "mark"),
    [
        (WON, FinishedGameError, FINISHED),
        (Position(WON), FinishedGameError, FINISHED),
        ("1111111", IllegalMoveError, IMPOSSIBLE),
        ("1x", InvalidNotationError, IMPOSSIBLE),
    ],
)
def test_a_bad_row_is_named_by_its_index_or_marked(
    solver: Solver, bad: Any, error: type[Exception], mark: int
) -> None:
    rows = [LATE[0], LATE[1], bad, LATE[2]]
    with pytest.raises(error, match=r"^positions\[2\]: "):
        solver.column_scores(rows)
    with pytest.raises(error, match=r"^positions\[2\]: "):
        solver.values(rows)
    assert solver.values(rows, invalid="mark").tolist() == [*VALUES[:2], mark, VALUES[2]]
    scores = solver.column_scores(rows, invalid="mark", threads=2)
    assert scores[2].tolist() == [mark] * 7
    assert (scores[[0, 1, 3]] == solver.column_scores(LATE[:3])).all()


def test_an_impossible_row_of_an_array_is_named_or_marked(solver: Solver) -> None:
    with pytest.raises(InvalidPositionError, match=r"^positions\[1\]: a disc floats"):
        solver.values(FLOATING)
    assert solver.values(FLOATING, invalid="mark").tolist() == [1, IMPOSSIBLE]
    grids = np.zeros((3, 6, 7), np.int8)
    grids[1, 5, 3] = 7
    grids[2, 0, 3] = 1
    with pytest.raises(InvalidPositionError, match=r"^positions\[1\]: column 4, row 1 from the bottom"):
        solver.values(grids, layout="rows")
    assert solver.values(grids, layout="rows", invalid="mark").tolist() == [1, IMPOSSIBLE, IMPOSSIBLE]
    assert positions_from_planes(grids, "rows", invalid="mark") == [Position(), None, None]


def test_what_a_limit_leaves_open_is_marked_column_by_column() -> None:
    scores = Solver(book=False).column_scores(["444444", LATE[0]], limit=Limit(nodes=1))
    assert set(scores[0].tolist()) == {UNKNOWN, FULL}
    assert scores[0, 3] == FULL
    stopped = Solver(book=False)
    token = stopped.make_token()
    token.stop()
    assert stopped.values(["", "4"], stop=token).tolist() == [UNKNOWN] * 2


def test_progress_is_told_of_and_may_end_the_call(solver: Solver) -> None:
    seen: list[tuple[int, int]] = []
    solver.values(LATE[:20], progress=lambda done, total: seen.append((done, total)))
    assert seen[-1] == (20, 20)

    def fail(*_: int) -> None:
        raise ArithmeticError("enough")

    with pytest.raises(ArithmeticError, match="enough"):
        solver.column_scores(LATE[:20], progress=fail)


def test_labels_of_another_size_need_that_size(solver: Solver) -> None:
    small = Position("1", width=4, height=4)
    with pytest.raises(InvalidPositionError, match=r"positions\[0\] is 4x4, not 7x6"):
        solver.column_scores([small])
    scores = solver.column_scores([small], width=4, height=4)
    assert scores.tolist() == [[line.score for line in solver.analyze(small).lines]]
    assert solver.values([], width=4, height=4).shape == (0,)
    assert solver.column_scores(np.zeros((0, 2), np.uint64)).shape == (0, 7)


def test_no_order_of_memory_changes_a_label(solver: Solver) -> None:
    boards = bitboards(LATE[:50])
    wanted = VALUES[:50]
    for same in (np.asfortranarray(boards), boards[::-1][::-1], np.repeat(boards, 3, 1)[:, ::3]):
        assert solver.values(same).tolist() == wanted
    boards.flags.writeable = False
    assert solver.values(boards).tolist() == wanted
    grids = planes(LATE[:50], "rows")
    assert solver.values(np.asfortranarray(grids), layout="rows").tolist() == wanted
    upside_down = np.ascontiguousarray(grids[:, ::-1])
    assert solver.values(upside_down[:, ::-1], layout="rows").tolist() == wanted


@pytest.mark.parametrize(
    "array",
    [
        np.zeros((2, 2)),
        np.zeros((2, 2), np.int64),
        np.zeros((2, 3), np.uint64),
        np.zeros(2, np.uint64),
        np.zeros((2, 2, 2), np.uint64),
        np.zeros((2, 2), ">u8"),
    ],
    ids=lambda array: f"{array.dtype}{array.shape}",
)
def test_what_is_no_array_of_bitboards_is_refused(solver: Solver, array: NDArray[Any]) -> None:
    shape = re.escape(str(array.shape))
    with pytest.raises(TypeError, match=rf"of uint64 and shape \(n, 2\), not .* and shape {shape}"):
        solver.values(array)


def test_move_strings_may_be_in_an_array(solver: Solver) -> None:
    wanted = VALUES[:20]
    for dtype in ("U", "S", object):
        assert solver.values(np.array(LATE[:20], dtype)).tolist() == wanted
    drawn = sample(20, seed=3, plies=30)
    assert drawn.moves is not None
    assert (solver.values(drawn.moves) == solver.values(drawn.bitboards)).all()
    with pytest.raises(InvalidNotationError, match=r"^positions\[1\]: 'ÿ' at place 2 of '4ÿ'"):
        solver.values([b"44", b"4\xff"])
    with pytest.raises(TypeError, match=r"positions\[0\] must be a Position or a move string"):
        solver.values(np.array([["44"]]))


@pytest.mark.parametrize(
    ("given", "named"),
    [
        (None, "None"),
        (5, "5"),
        ("4455", r"one move string: write \['4455'\]"),
        (b"4455", r"one move string: write \[b'4455'\]"),
        (Position("4455"), r"one Position: write \[position\]"),
    ],
    ids=repr,
)
def test_what_is_not_many_positions_is_refused(solver: Solver, given: Any, named: str) -> None:
    words = rf"^positions must be a list of Positions or move strings, or an array, not {named}$"
    for call in (solver.scores, solver.values, solver.solve_many, bitboards):
        with pytest.raises(TypeError, match=words):
            call(given)


def test_boards_in_a_layout_may_be_in_lists(solver: Solver) -> None:
    for layout in LAYOUTS:
        boards = planes(LATE[:5], layout).tolist()
        assert solver.values(boards, layout=layout).tolist() == VALUES[:5]
        assert positions_from_planes([], layout) == []
    with pytest.raises(TypeError, match="the lists are not all of one length"):
        solver.values([[0] * 42, [0] * 41], layout="kaggle")


@pytest.mark.parametrize(
    "array",
    [
        np.zeros((2, 7, 6)),
        np.zeros((6, 7)),
        np.zeros((2, 41)),
        np.zeros((2, 6, 7), np.complex64),
        np.zeros((2, 6, 7), object),
        np.zeros((2, 6, 7), np.float16),
        [[0] * 41],
        [None],
        None,
        "4455",
    ],
    ids=str,
)
def test_what_does_not_fit_a_layout_is_refused(solver: Solver, array: Any) -> None:
    with pytest.raises(TypeError, match="in the layout 'rows' must be an array of shape"):
        solver.values(array, layout="rows")


def test_an_unknown_layout_is_refused_with_those_there_are(solver: Solver) -> None:
    with pytest.raises(OptionError, match=r"no layout is called 'chess'; there are rows, .*pettingzoo"):
        solver.values(np.zeros((2, 42)), layout="chess")
    with pytest.raises(OptionError, match="invalid must be 'raise' or 'mark'"):
        solver.values([], invalid="drop")  # type: ignore[arg-type]


@pytest.mark.slow
def test_two_threads_label_late_positions_at_least_1_8_times_as_fast() -> None:
    """By processor time, which others hardly change; by the clock, neither waits for the other."""
    late = sample(200_000, seed=20261116, plies=range(20, 42)).bitboards
    clock_s, processor_s = {1: math.inf, 2: math.inf}, {1: math.inf, 2: math.inf}
    for _ in range(3):
        for threads in (1, 2):
            start, processor = time.perf_counter(), time.process_time()
            Solver().column_scores(late, threads=threads)
            clock_s[threads] = min(clock_s[threads], time.perf_counter() - start)
            processor_s[threads] = min(processor_s[threads], time.process_time() - processor)
    assert processor_s[2] / 2 < processor_s[1] / 1.8, processor_s
    assert clock_s[2] < clock_s[1] / 1.2, clock_s


# ---- Layouts -----------------------------------------------------------------------------------------


@settings(max_examples=40)
@given(position=positions())
def test_every_layout_is_read_back_on_boards_of_all_sizes(position: Position) -> None:
    size: dict[str, Any] = {"width": position.width, "height": position.height}
    mirror = [position.mirror()]
    boards = bitboards([position], **size)
    assert positions_from_planes(boards, None, **size) == [position]
    assert positions_from_planes(mirrored(boards, **size), None, **size) == mirror
    for layout in LAYOUTS:
        array = planes([position], layout, **size)
        assert (array[0] == position.planes(layout)).all()
        assert positions_from_planes(array, layout, **size) == [position]
        assert positions_from_planes(array.reshape(1, -1), layout, **size) == [position]
        assert (bitboards(array, layout=layout, **size) == boards).all()
        assert (planes(boards, layout, **size) == array).all()
        assert positions_from_planes(mirrored(array, layout, **size), layout, **size) == mirror


@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.int64, np.uint64, np.float32, np.float64])
def test_boards_may_be_of_any_type_of_number(dtype: Any) -> None:
    array = planes(LATE[:5], "open_spiel").astype(dtype)
    assert positions_from_planes(array, "open_spiel") == [Position(moves) for moves in LATE[:5]]
    array[3, 0, 0, 0] = 2
    with pytest.raises(InvalidPositionError, match=r"^positions\[3\]: .*other than 0 and 1"):
        positions_from_planes(array, "open_spiel")


def test_half_a_disc_is_no_disc() -> None:
    array = np.zeros((1, 6, 7))
    for value in (0.5, np.nan, np.inf, -1, 1e30):
        array[0, 5, 0] = value
        with pytest.raises(InvalidPositionError, match="this layout does not use"):
            positions_from_planes(array, "rows")


def test_a_square_is_set_in_exactly_one_plane_of_open_spiel() -> None:
    array = planes([""], "open_spiel")
    array[0, 2, 0, 0] = 0
    with pytest.raises(InvalidPositionError, match="column 1, row 1 from the bottom is set in no plane"):
        positions_from_planes(array, "open_spiel")
    array[0, :2, 0, 0] = 1
    with pytest.raises(InvalidPositionError, match="is set in more than one plane"):
        positions_from_planes(array, "open_spiel")


def test_the_uci_layout_reads_text_of_all_kinds() -> None:
    array = planes(["4455", ""], "uci")
    assert array.dtype == "U1"
    assert "".join(array[0]) == "b" * 18 + "xobbbb" + "xobbbb" + "b" * 12
    for same in (array.astype("S1"), array.astype(object), array.astype("U5"), array.view("u4")):
        assert positions_from_planes(same, "uci") == [Position("4455"), Position()]
    array = array.astype(object)
    array[0, 0] = "bx"
    with pytest.raises(InvalidPositionError, match=r"^positions\[0\]: column 1, row 1"):
        positions_from_planes(array, "uci")


# Lines of connect-4.data, as copies of it have them.
ORIGINAL = """
bbbbbb bbbbbb xobbbb xoxoxo bbbbbb bbbbbb bbbbbb win
bbbbbb xbbbbb obbbbb xoxoxo bbbbbb bbbbbb bbbbbb draw
xbbbbb obbbbb bbbbbb xoxoxo bbbbbb bbbbbb bbbbbb loss
obbbbb bbbbbb ooxobb xxbbbb xbbbbb bbbbbb bbbbbb win
oobbbb xobbbb xxoxbb bbbbbb bbbbbb bbbbbb bbbbbb loss
"""


def test_the_uci_layout_is_that_of_copies_of_its_file(solver: Solver) -> None:
    lines = [line.split() for line in ORIGINAL.split("\n") if line]
    boards = np.array([list("".join(columns)) for *columns, _ in lines])
    read = positions_from_planes(boards, "uci")
    assert (planes(read, "uci") == boards).all()
    assert {position.ply for position in read} == {8}
    assert "".join(str(read[0].at(3, row)) for row in range(6)) == "121212"
    names = {1: "win", 0: "draw", -1: "loss"}
    found = [names[int(sign)] for sign in np.sign(solver.values(boards, layout="uci"))]
    assert found == [line[-1] for line in lines]
    ours, classes = uci8(solver)
    made = zip(positions_from_planes(ours, "uci"), classes.tolist(), strict=True)
    class_of = {position.canonical_key: name for position, name in made}
    assert [class_of[position.canonical_key] for position in read] == found


def games(count: int) -> list[list[int]]:
    """Random games, to the end."""
    from random import Random

    chance = Random(18)
    played = []
    for _ in range(count):
        position = Position()
        moves = []
        while not position.is_over:
            moves.append(chance.choice(tuple(position.legal_columns)))
            position = position.play(moves[-1])
        played.append(moves)
    return played


@pytest.fixture
def connect_four_v3(monkeypatch: pytest.MonkeyPatch) -> Any:
    """PettingZoo's own environment, without pygame, which it needs to draw only."""
    monkeypatch.setitem(sys.modules, "pygame", types.ModuleType("pygame"))
    from pettingzoo.classic.connect_four import connect_four

    return connect_four.raw_env()


def test_the_pettingzoo_layout_is_what_its_environment_observes(connect_four_v3: Any) -> None:
    for moves in games(20):
        connect_four_v3.reset()
        position = Position()
        for move in moves:
            observed = connect_four_v3.observe(connect_four_v3.agent_selection)["observation"]
            ours = position.planes("pettingzoo")
            assert ours.dtype == observed.dtype
            assert (ours == observed).all()
            assert positions_from_planes(observed[np.newaxis], "pettingzoo") == [position]
            connect_four_v3.step(move)
            position = position.play(move)
        assert all(connect_four_v3.terminations.values())


@pytest.mark.slow
def test_the_open_spiel_layout_is_its_observation_tensor() -> None:
    import pyspiel

    game = pyspiel.load_game("connect_four")
    for moves in games(50):
        state = game.new_initial_state()
        position = Position()
        for move in moves:
            tensor = state.observation_tensor()
            assert position.planes("open_spiel").reshape(-1).tolist() == tensor
            assert positions_from_planes([tensor], "open_spiel") == [position]
            state.apply_action(move)
            position = position.play(move)
        assert state.is_terminal()


@pytest.mark.slow
def test_the_pgx_layout_is_its_observation() -> None:
    import jax
    import pgx

    env = pgx.make("connect_four")
    step = jax.jit(env.step)
    for moves in games(3):
        state = env.init(jax.random.PRNGKey(0))
        position = Position()
        for move in moves:
            ours = position.planes("pgx")
            assert ours.dtype == np.array(state.observation).dtype
            assert (ours == np.array(state.observation)).all()
            assert positions_from_planes(state.observation[np.newaxis], "pgx") == [position]
            state = step(state, move)
            position = position.play(move)
        assert state.terminated


@pytest.mark.slow
def test_the_kaggle_layout_is_the_board_of_connectx() -> None:
    from kaggle_environments import make

    for moves in games(3):
        env = make("connectx")
        env.reset()
        position = Position()
        for ply, move in enumerate(moves):
            board = env.state[0].observation.board
            assert position.planes("kaggle").tolist() == board
            assert positions_from_planes([board], "kaggle") == [position]
            env.step([move if ply % 2 == seat else None for seat in (0, 1)])
            position = position.play(move)
        assert env.done


@settings(max_examples=30)
@given(st.lists(st.integers(0, 6), max_size=20))
def test_rows_and_columns_are_those_of_a_plain_model(columns: list[int]) -> None:
    position = Position.from_columns(columns, skip_illegal=True)
    model = Model()
    for column in columns:
        if len(model.columns[column]) < 6 and model.winner is None:
            model.play(column)
    for column in range(7):
        for row in range(6):
            disc = model.at(column, row)
            assert position.planes("rows-bottom-first")[row, column] == disc
            assert position.planes("columns-bottom-first")[column, row] == disc
            assert position.planes("rows")[5 - row, column] == disc
            assert position.planes("columns")[column, 5 - row] == disc
            assert position.planes("kaggle")[(5 - row) * 7 + column] == disc


def test_scores_are_mirrored_with_their_positions(solver: Solver) -> None:
    boards = bitboards(LATE[:50])
    assert (solver.column_scores(mirrored(boards)) == mirrored(solver.column_scores(boards))).all()
    with pytest.raises(OptionError, match=r"is not 7 columns"):
        mirrored(np.zeros((3, 6), np.int8))
    with pytest.raises(OptionError, match="has no boards of 7x6 in the layout 'kaggle'"):
        mirrored(np.zeros((3, 41), np.int8), "kaggle")
    with pytest.raises(TypeError, match="mirrored takes an array, not None"):
        mirrored(None)  # type: ignore[arg-type]


def test_a_board_of_two_words_has_two_for_each_player(solver: Solver) -> None:
    position = Position("1h2g3", width=17, height=6)
    boards = bitboards([position], width=17, height=6)
    assert boards.shape == (1, 2, 2)
    low, high = (sum(int(word) << 64 * i for i, word in enumerate(each)) for each in boards[0])
    assert (low, high) == position.bitboards
    with pytest.raises(TypeError, match=r"and shape \(n, 2, 2\), not"):
        solver.values(np.zeros((1, 2), np.uint64), width=17, height=6)


# ---- Samples -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("by", ["uniform ply", "random play"])
def test_a_sample_is_the_same_for_the_same_seed_and_has_the_plies_asked_for(by: Any) -> None:
    drawn = sample(500, seed=3, plies=range(5, 40), by=by)
    again = sample(500, seed=3, plies=range(5, 40), by=by)
    other = sample(500, seed=4, plies=range(5, 40), by=by)
    assert (drawn.bitboards == again.bitboards).all()
    assert drawn.moves is not None
    assert again.moves is not None
    assert (drawn.moves == again.moves).all()
    assert (drawn.bitboards != other.bitboards).any()
    found = [Position(moves) for moves in drawn.moves]
    assert found == positions_from_planes(drawn.bitboards, None)
    assert not any(position.is_over for position in found)
    plies = {position.ply for position in found}
    assert plies <= set(range(5, 40))
    assert by == "random play" or plies == set(range(5, 40))


def test_moves_of_a_sample_are_strings_that_lead_to_its_positions() -> None:
    drawn = sample(50, seed=3)
    assert drawn.moves is not None
    assert isinstance(drawn.moves[0], str)
    for moves, (first, second) in zip(drawn.moves, drawn.bitboards.tolist(), strict=True):
        assert Position(moves) == Position.from_bitboards(first, second)


@pytest.mark.parametrize("unique", [False, True])
@pytest.mark.parametrize("by", ["uniform ply", "random play"])
def test_threads_do_not_change_a_sample(by: By, unique: bool) -> None:
    one, three = (sample(2000, seed=11, by=by, unique=unique, threads=threads) for threads in (1, 3))
    assert (one.bitboards == three.bitboards).all()
    assert one.move_bytes is not None
    assert three.move_bytes is not None
    assert (one.move_bytes == three.move_bytes).all()


SAMPLE_MEMORY = """
import resource
from fourcast.data import sample

def most():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024

sample(1000, unique=True)
before = most()
drawn = sample(400_000, seed=5, plies=range(12, 24), unique=True)
result = drawn.bitboards.nbytes + drawn.move_bytes.nbytes + drawn.game.nbytes
print((most() - before - result) / len(drawn))
"""


def test_a_sample_takes_less_than_64_bytes_a_position_beyond_the_result() -> None:
    run = subprocess.run([sys.executable, "-c", SAMPLE_MEMORY], capture_output=True, check=True)
    assert float(run.stdout) < 64


def test_the_first_positions_of_a_larger_sample_are_the_smaller_one() -> None:
    small, large = sample(10, seed=1), sample(100, seed=1)
    assert (large.bitboards[:10] == small.bitboards).all()


def test_a_unique_sample_has_no_two_mirror_images() -> None:
    drawn = sample(120, seed=5, plies=3, unique=True)
    keys = {position.canonical_key for position in positions_from_planes(drawn.bitboards, None)}
    assert len(keys) == 120
    with pytest.raises(OptionError, match=r"^plies must be from 0 to 41, not 42$"):
        sample(3, plies=42)
    with pytest.raises(OptionError, match="only 121 of 122 positions were found with 3 to 3 discs"):
        sample(122, plies=3, unique=True)


@pytest.mark.parametrize("ply", range(6))
def test_all_positions_of_a_ply_are_as_many_as_published(ply: int) -> None:
    published = [1, 7, 49, 238, 1120, 4263]
    every = sample(by="all", plies=ply)
    assert len(every) == len({tuple(row) for row in every.bitboards.tolist()}) == published[ply]
    assert every.moves is None


def test_some_of_all_positions_are_chosen_by_the_seed() -> None:
    some = sample(20, seed=1, by="all", plies=4)
    assert (some.bitboards == sample(20, seed=1, by="all", plies=4).bitboards).all()
    assert len(some) == 20
    with pytest.raises(OptionError, match="there are only 7 positions with 1 discs, not 8"):
        sample(8, by="all", plies=1)


def test_a_sample_of_players_games_is_made_of_whole_games_and_reproducible() -> None:
    drawn = sample(60, seed=2, by="players", players=("winning", "random"), unique=True)
    again = sample(60, seed=2, by="players", players=("winning", "random"), unique=True)
    assert drawn.moves is not None
    assert again.moves is not None
    assert drawn.moves.tolist() == again.moves.tolist()
    assert drawn.game.tolist() == sorted(drawn.game.tolist())
    assert drawn.game.max() > 0
    found = [Position(moves) for moves in drawn.moves]
    assert found == positions_from_planes(drawn.bitboards, None)
    keys = {position.canonical_key for position in found}
    assert len(keys) == 60

    def first_column(position: Position) -> int:
        return position.legal_columns[0]

    fixed = (first_column, first_column)
    with pytest.raises(OptionError, match="positions were found in"):
        sample(60, by="players", players=fixed, opening_plies=0, unique=True)


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"n": None}, OptionError),
        ({"n": -1}, OptionError),
        ({"plies": 42}, OptionError),
        ({"plies": range(5, 5)}, OptionError),
        ({"plies": range(0, 10, 2)}, OptionError),
        ({"plies": "all"}, TypeError),
        ({"plies": True}, TypeError),
        ({"by": "chance"}, OptionError),
        ({"by": "players"}, OptionError),
        ({"by": "players", "players": "random"}, TypeError),
        ({"by": "players", "players": ("random", "winning"), "opening_plies": -1}, OptionError),
        ({"players": ("random", "winning")}, OptionError),
        ({"by": "all"}, OptionError),
        ({"seed": -1}, OptionError),
        ({"width": 3}, InvalidPositionError),
    ],
    ids=str,
)
def test_impossible_wishes_for_a_sample_are_refused(
    options: dict[str, Any], error: type[Exception]
) -> None:
    with pytest.raises(error):
        sample(**{"n": 5, **options})
