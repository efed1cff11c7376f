"""ConnectX agents: exported files, files as players, and the real package in the slow tests."""

from __future__ import annotations

import importlib.util
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from fourcast import Match, Position, Rules, Solver
from fourcast.adapters import kaggle
from fourcast.adapters.kaggle import ConnectXPlayer, configuration_of, observation_of, submission
from fourcast.arena import Contestant, evaluate_agent
from fourcast.errors import ForfeitError, OptionError
from tests.command import run_text


def load(path: Path) -> Any:
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("kaggle") / "submission.py"
    run = run_text("export-agent", "perfect", "--out", str(path))
    assert run.returncode == 0, run.stderr
    assert str(path) in run.stdout
    return path


def act(module: Any, moves: str, **size: Any) -> int:
    position = Position(moves, **size)
    column: int = module.agent(observation_of(position), configuration_of(position))
    return column


def test_the_book_of_an_exported_agent_has_a_best_column_for_all_it_can_meet(exported: Path) -> None:
    book = kaggle.opening_book(8)
    scores = Solver().column_scores(list(book))
    for column, row in zip(book.values(), scores.tolist(), strict=True):
        assert row[column] == max(row)
    module = load(exported)
    known = module.read_book(module.BOOK)
    assert {kaggle._key(position): column for position, column in book.items()}.items() <= known.items()


def test_an_exported_agent_needs_only_the_standard_library_and_ends_with_its_function(
    exported: Path,
) -> None:
    names: dict[str, Any] = {}
    exec(compile(exported.read_text(), "<string>", "exec"), names)  # as ConnectX does it
    last = [value for value in names.values() if callable(value)][-1]
    assert last.__name__ == "agent"
    imported = {line.split()[1] for line in exported.read_text().splitlines() if "import " in line[:7]}
    assert imported <= sys.stdlib_module_names


def test_an_exported_agent_wins_stops_fours_and_plays_the_end_exactly(exported: Path) -> None:
    module = load(exported)
    assert act(module, "") == 3
    assert act(module, "171615") == 0  # wins
    assert act(module, "17161") == 0  # stops the opponent
    solver = Solver()
    for moves in ("7422341735647741166133573473242566", "2252576253462244111563365343671351441"):
        position = Position(moves)
        assert act(module, moves) in (solver.analyze(position).best_columns or ())
        mirrored = position.mirror()
        column = module.agent(observation_of(mirrored), configuration_of(mirrored))
        assert column in (solver.analyze(mirrored).best_columns or ())


def test_an_exported_agent_plays_on_other_boards_and_refuses_another_game(exported: Path) -> None:
    module = load(exported)
    module.SHARE_OF_TIME = 0.02
    assert act(module, "112233", width=9, height=8) == 3
    configuration = configuration_of(Position())
    configuration["inarow"] = 2
    with pytest.raises(ValueError, match="three in a row or more; inarow is 2: set it to 3"):
        module.agent(observation_of(Position()), configuration)
    with pytest.raises(ValueError, match="the board has 42 squares, but columns is 8"):
        module.agent(observation_of(Position()), configuration_of(Position(width=8)))


@pytest.mark.parametrize(
    ("player", "complaint"),
    [
        (
            "mcts",
            "mcts needs the compiled package, which ConnectX does not have; .* perfect, depth, win",
        ),
        ("perfect:seed=1", "the option seed of perfect cannot be exported"),
        ("radnom", "did you mean 'random'"),
    ],
)
def test_what_cannot_be_exported_is_refused_in_a_sentence(player: str, complaint: str) -> None:
    with pytest.raises(Exception, match=complaint):
        submission(player)


def test_simple_players_are_exported_too(tmp_path: Path) -> None:
    for name in ("random", "winning", "depth:depth=3"):
        path = tmp_path / "agent.py"
        path.write_text(submission(name))
        module = load(path)
        assert act(module, "444444") in (0, 1, 2, 4, 5, 6)
        if name != "random":
            assert act(module, "171615") == 0


def test_observations_are_read_back_and_players_are_agents() -> None:
    for moves in ("", "4", "4455", "112233"):
        position = Position(moves)
        assert kaggle.position_of(observation_of(position), configuration_of(position)) == position
    large = Position("1a2b", width=11, height=10)
    assert kaggle.position_of(observation_of(large), configuration_of(large)) == large
    winning = kaggle.agent("winning", seed=1)
    assert winning(observation_of(Position("171615")), configuration_of(Position())) == 0
    with pytest.raises(OptionError, match="2 in a row is not possible"):
        kaggle.position_of(observation_of(Position()), {"columns": 7, "rows": 6, "inarow": 2})
    three = kaggle.position_of(observation_of(Position()), {"columns": 7, "rows": 6, "inarow": 3})
    assert three == Position(rules=Rules(3))
    assert kaggle.configuration_of(three)["inarow"] == 3
    with pytest.raises(OptionError, match="ConnectX has no game with the rules wrap"):
        kaggle.configuration_of(Position(rules=Rules(wrap=True)))
    with pytest.raises(OptionError, match="the board has 1 squares, but the game is 7x6"):
        kaggle.position_of({"board": [0], "mark": 1}, {"columns": 7, "rows": 6, "inarow": 4})


def test_what_is_no_function_is_no_agent_of_connectx() -> None:
    with pytest.raises(TypeError, match="is a function of observation and configuration, not 'agent'"):
        ConnectXPlayer("agent")  # type: ignore[arg-type]


def test_an_agent_of_connectx_is_a_contestant() -> None:
    def leftmost(observation: Any) -> int:  # an agent may leave the configuration out
        return int(observation.board.index(0))

    results = Match(ConnectXPlayer(leftmost), "random", games=4, seed=1).run()
    assert results.names == ("leftmost", "random")
    assert not results.forfeits()
    with pytest.raises(TypeError, match="the agent answered None, which is not a column"):
        ConnectXPlayer(lambda *_: None).choose(Position())


AGENTS = """
import time
print("this is no answer")

def helper(board):
    return board.index(0)

def agent(observation, configuration):
    print("nor is this")
    if MODE == "boom":
        raise KeyError("boom")
    if MODE == "hang":
        time.sleep(60)
    assert configuration.columns == configuration["columns"] == 7
    return helper(observation.board) if MODE == "play" else None
"""


def agent_file(folder: Path, mode: str) -> Path:
    path = folder / f"{mode}.py"
    path.write_text(f"MODE = {mode!r}\n{AGENTS}")
    return path


def test_a_file_plays_in_a_process_of_its_own(tmp_path: Path) -> None:
    contestant = Contestant.parse(f"kaggle:{agent_file(tmp_path, 'play')}")
    assert contestant.name == "kaggle:play.py"
    assert contestant.paths() == [str(tmp_path / "play.py")]
    result = evaluate_agent(contestant, positions=5)
    assert {answer.column for answer in result.answers} <= set(range(7))
    assert result.failed == 0
    with pytest.raises(OptionError, match="kaggle: is followed by a Python file"):
        Contestant.parse(f"kaggle:{tmp_path}/missing.py")


BAD_FILES = [
    (
        "boom",
        60,
        "crash: it ended with status 1; its error output ends with .KeyError: 'boom'",
    ),
    ("none", 60, "crash: .*the agent answered None, which is not a column"),
    ("hang", 0.5, "too late: no move within the time limit of 0.2 s"),
]


@pytest.mark.slow
@pytest.mark.parametrize(("mode", "start_time_s", "words"), BAD_FILES)
def test_what_a_bad_file_does_is_told_in_a_sentence(
    tmp_path: Path, mode: str, start_time_s: float, words: str
) -> None:
    agent = f"kaggle:{agent_file(tmp_path, mode)}"
    player = Contestant.parse(agent).make(move_time_s=0.2, start_time_s=start_time_s)
    with pytest.raises(ForfeitError, match=words):
        player.choose(Position())


# With the real package


@pytest.mark.slow
def test_the_real_connectx_runs_an_exported_agent_on_both_seats(exported: Path) -> None:
    from kaggle_environments import evaluate, make

    for pair, seat in (([str(exported), "random"], 0), (["random", str(exported)], 1)):
        env = make("connectx")
        last = env.run(pair)[-1]
        assert [state.status for state in last] == ["DONE", "DONE"]
        assert last[seat].reward == 1
    rewards = evaluate("connectx", [str(exported), "negamax"], num_episodes=2)
    assert rewards == [[1, -1], [1, -1]]
    env = make("connectx", configuration={"columns": 8, "rows": 7, "actTimeout": 0.5})
    assert [state.status for state in env.run([str(exported), "random"])[-1]] == ["DONE", "DONE"]
    env = make("connectx", configuration={"inarow": 2})
    assert env.run([str(exported), "random"])[-1][0].status == "ERROR"
    assert "inarow is 2: set it to 3" in json.dumps(env.logs)


# The first player wins all of these by force, but on 6x5, which is a draw.
NUMBERS_IN_A_ROW = [(3, 5, 4, 1), (3, 4, 3, 1), (3, 7, 6, 1), (3, 9, 8, 1), (5, 6, 5, 0)]


@pytest.mark.slow
@pytest.mark.parametrize(("in_a_row", "columns", "rows", "least"), NUMBERS_IN_A_ROW)
def test_the_real_connectx_runs_an_exported_agent_with_other_numbers_in_a_row(
    exported: Path, in_a_row: int, columns: int, rows: int, least: int
) -> None:
    from kaggle_environments import make

    size = {"inarow": in_a_row, "columns": columns, "rows": rows, "actTimeout": 1}
    for rival in ("random", "negamax"):
        env = make("connectx", configuration=size)
        last = env.run([str(exported), rival])[-1]
        assert [state.status for state in last] == ["DONE", "DONE"]
        assert last[0].reward >= least
        # The end of the game is the same by our rules, move by move.
        *before, end = (kaggle.position_of(step[0].observation, env.configuration) for step in env.steps)
        assert not any(position.is_over for position in before)
        assert end.winner == {1: 1, -1: 2, 0: None}[last[0].reward]
        assert end.is_over


@pytest.mark.slow
def test_the_real_connectx_plays_with_players_and_its_agents_play_here() -> None:
    from kaggle_environments import make
    from kaggle_environments.envs.connectx.connectx import negamax_agent

    env = make("connectx")
    last = env.run([kaggle.agent("perfect"), "negamax"])[-1]
    assert [(state.status, state.reward) for state in last] == [("DONE", 1), ("DONE", -1)]
    state = env.steps[1][0]
    assert kaggle.position_of(state.observation, env.configuration) == Position("4")
    made = configuration_of(Position())
    assert {**env.configuration, **made}.keys() == env.configuration.keys() | {"timeout"}
    assert all(env.configuration[key] == value for key, value in made.items() if key != "timeout")
    # Kaggle's agent breaks ties by chance, and takes no seed.
    results = Match(ConnectXPlayer(negamax_agent), "random", games=20, seed=2).run()
    assert results.score("negamax_agent") > 12
