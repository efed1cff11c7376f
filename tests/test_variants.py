"""Other rules in games, files, players, commands and pictures."""

from __future__ import annotations

import json
import random
import sys
from functools import partial
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import fourcast as fc
from fourcast import Game, Limit, OptionError, Outcome, Position, Rules, Termination, _core
from fourcast.adapters.kaggle import submission
from fourcast.arena import Match
from fourcast.arena.play import GameRecord
from fourcast.book.shelf import default_books
from fourcast.cli._terminal.hint import hint
from fourcast.game_file import recognize
from fourcast.notation import format_json, parse_json
from fourcast.players import player
from fourcast.popout import solve_popout
from fourcast.render import svg, text
from tests.command import run_text
from tests.core.test_variants import ALL_RULES, model_of, ruled_positions, sizes_of
from tests.model import RuledModel, retrograde

POP = Rules(pop=True)
POP_3 = Rules(3, pop=True)
POP_3_WRAP = Rules(3, wrap=True, pop=True)
slow = partial(pytest.param, marks=pytest.mark.slow)
EVERY_PLAYER = ["random", "winning", "rated", "depth:depth=3", "mcts:playouts=50", "perfect:time_s=0.3"]


@given(st.sampled_from(ALL_RULES), st.lists(st.integers(0, 10_000), max_size=40), st.integers(0, 3))
def test_game_files_keep_the_rules_and_every_kind_of_move(
    rules: Rules, choices: list[int], undone: int
) -> None:
    width, height = sizes_of(rules)[-2]
    game = Game(width=width, height=height, rules=rules, first="Ada")
    for choice in choices:
        if game.is_over:
            break
        game.play(game.position.legal_columns[choice % len(game.position.legal_columns)], stamp_s=1.5)
    for _ in range(min(undone, len(game.columns))):
        game.undo()
    assert Game.from_text(game.to_text()) == game
    assert Game.from_json(game.to_json()) == game
    assert Game(game.moves, start=game.start).columns == game.columns


@given(ruled_positions())
def test_games_that_start_from_a_diagram_keep_the_rules(position: Position) -> None:
    if position.is_draw and position.rules.pop:
        return  # a claim is a move, not a start
    game = Game(start=position)
    assert Game.from_text(game.to_text()) == game
    assert Game.from_json(game.to_json()) == game
    assert recognize(position.to_rows()).position == position


@given(ruled_positions())
def test_the_json_of_the_protocol_has_the_rules(position: Position) -> None:
    if not position.is_draw:
        assert parse_json(format_json(position)) == position


def test_a_position_that_comes_again_in_popout_is_a_draw() -> None:
    game = Game("44p4p4", rules=POP)
    assert game.result == Outcome(None, Termination.REPETITION)
    with pytest.raises(fc.IllegalMoveError, match="the game is over: draw, repetition"):
        game.play(3)
    game.undo()
    assert game.result is None


@pytest.mark.parametrize("name", EVERY_PLAYER)
@pytest.mark.parametrize("rules", [rules for rules in ALL_RULES if rules.connect == 3], ids=str)
def test_these_players_play_by_all_rules(name: str, rules: Rules) -> None:
    game = Game(width=4, height=3, rules=rules)
    sides = {1: player(name, seed=1), 2: player("random", seed=2)}
    for _ in range(40):
        if game.is_over:
            break
        game.play(sides[game.position.turn].choose(game.position))


def test_a_player_that_looks_ahead_wins_at_once_and_does_not_make_a_line_in_misere() -> None:
    cylinder = Position("1122", width=5, height=4, rules=Rules(3, wrap=True))
    assert player("depth").choose(cylinder) in (2, 4)
    misere = Position("1122", width=4, height=4, rules=Rules(3, misere=True))
    for name in ("depth", "mcts", "rated", "perfect"):
        assert player(name, seed=3).choose(misere) != 2


def test_players_that_know_the_standard_rules_only_say_so() -> None:
    for name in ("level-3", "level-9", "streaks", "winsets"):
        with pytest.raises(OptionError, match="knows the standard rules only, not wrap"):
            player(name).choose(Position("44", rules=Rules(wrap=True)))


@pytest.mark.parametrize(
    ("width", "height", "plies"), [(4, 5, 25), slow(5, 5, 25), slow(6, 5, 23), (7, 6, 21)], ids=str
)
def test_popout_is_won_in_as_many_plies_as_others_have_found(
    width: int, height: int, plies: int
) -> None:
    found = solve_popout(Position(width=width, height=height, rules=POP))
    assert (found.winner, found.plies, found.searched) == (1, plies, plies - 1)
    if width == 7:
        assert found.best_moves == (3,)


@pytest.mark.slow
def test_slower_boards_of_popout() -> None:
    for width, height, plies in [(4, 6, 25), (6, 4, 27), (6, 6, 23)]:
        found = solve_popout(Position(width=width, height=height, rules=POP))
        assert (found.winner, found.plies) == (1, plies)
    # A draw by a retrograde proof of another program: at least nobody wins soon.
    for width in (4, 5):
        assert solve_popout(Position(width=width, height=4, rules=POP), plies=24).winner is None


def test_popout_agrees_with_a_plain_search_on_small_boards() -> None:
    def value(position: Position, plies: int) -> int:
        """Return 1 if the side to move forces a win within *plies*, -1 if it loses, else 0."""
        if position.is_over:
            return 0 if position.winner is None else 1 if position.winner == position.turn else -1
        if plies == 0:
            return 0
        return max(-value(child, plies - 1) for child in position.children().values())

    chance = random.Random(3)
    for rules in (Rules(3, pop=True), Rules(3, pop=True, wrap=True), POP):
        for _ in range(12):
            position = Position(width=4, height=4, rules=rules)
            for _ in range(chance.randrange(4, 12)):
                following = [child for child in position.children().values() if not child.is_over]
                if following:
                    position = chance.choice(following)
            found = solve_popout(position, plies=5)
            expected = value(position, 5)
            winner = {1: position.turn, -1: 3 - position.turn, 0: None}[expected]
            assert found.winner == winner, position
            if found.winner:
                assert found.plies is not None
                assert value(position, found.plies - 1) == 0


def test_every_move_of_popout_is_worth_what_plain_lists_say() -> None:
    def value(model: RuledModel, plies: int) -> int:
        """Return 1 if the side to move forces a win within *plies*, -1 if it loses, else 0."""
        if model.is_over:
            return 0 if model.winner is None else 1 if model.winner == model.turn else -1
        return max(-value(model.after(move), plies - 1) for move in model.moves) if plies else 0

    chance = random.Random(5)
    for rules in [each for each in ALL_RULES if each.pop and each.connect < 5]:
        for _ in range(6):
            position = Position(width=4, height=3, rules=rules)
            model = model_of(position)
            for _ in range(chance.randrange(3, 10)):
                moves = [move for move in model.moves if not model.after(move).is_over]
                if moves:
                    move = chance.choice(moves)
                    position, model = position.play(move), model.after(move)
            found = _core.ask("popout.analyze", {"rows": position.to_rows(), "plies": 4})
            assert [each["column"] for each in found["columns"]] == model.moves
            for each in found["columns"]:
                expected = -value(model.after(each["column"]), 3)
                outcome = {1: "win", -1: "loss", 0: None}[expected]
                claims = each["column"] == 8
                assert each["outcome"] == ("draw" if claims else outcome), (position, each)
                if expected:
                    assert -value(model.after(each["column"]), each["plies_to_end"] - 1) == expected
            best = max(-value(model.after(move), 3) for move in model.moves)
            if best > 0:
                assert found["winner"] == position.turn
                assert found["best_columns"]


SMALL_POPOUT = [(3, 3, POP_3), (3, 3, POP_3_WRAP), (4, 3, POP_3), (3, 4, POP_3_WRAP), slow(3, 4, POP)]


@pytest.mark.parametrize(("width", "height", "rules"), SMALL_POPOUT, ids=str)
def test_popout_agrees_with_a_retrograde_proof_by_plain_lists(
    width: int, height: int, rules: Rules
) -> None:
    start = Position(width=width, height=height, rules=rules)
    numbers = {(model_of(start).columns, 1): 0}
    states = [(start, model_of(start))]
    children: list[dict[int, int]] = []
    for position, model in states:  # which grow meanwhile
        after = {}
        for move in model.moves:
            child = model.after(move)
            key = (child.columns, 0 if child.claimed else child.turn)
            if key not in numbers:
                numbers[key] = len(states)
                states.append((position.play(move), child))
            after[move] = numbers[key]
        children.append(after)
    ends = {
        number: 1 if model.winner == model.turn else -1
        for number, (_, model) in enumerate(states)
        if model.winner is not None
    }
    known = retrograde([list(each.values()) for each in children], ends)
    longest = max(plies for _, plies in known.values())
    chance = random.Random(35)
    unfinished = [number for number, after in enumerate(children) if after]
    for number in chance.sample(unfinished, 40):
        position = states[number][0]
        found = solve_popout(position, plies=longest + 1)
        worth, plies = known.get(number, (0, None))
        assert found.winner == {1: position.turn, -1: 3 - position.turn, 0: None}[worth], position
        assert found.plies == plies, position
        if plies:
            best = [
                m for m, child in children[number].items() if known.get(child) == (-worth, plies - 1)
            ]
            assert list(found.best_moves) == best, position


@pytest.mark.slow
def test_popout_on_4x4_is_drawn_and_lost_in_24_plies_if_a_full_board_cannot_be_claimed() -> None:
    states = [Position(width=4, height=4, rules=POP)]
    numbers = {states[0]: 0}
    children: list[list[int]] = []
    for position in states:  # which grow meanwhile
        following = position.children().values()
        for child in following:
            if child not in numbers:
                numbers[child] = len(states)
                states.append(child)
        children.append([numbers[child] for child in following])
    boards = {position.bitboards for position in states}
    assert len(boards) == 692_427  # as an independent program has counted
    ends = {
        number: 1 if position.winner == position.turn else -1
        for number, position in enumerate(states)
        if position.winner is not None
    }
    assert 0 not in retrograde(children, ends)
    for after in children:
        after[:] = [child for child in after if not (states[child].is_full and states[child].is_draw)]
    assert retrograde(children, ends)[0] == (-1, 24)


def test_limits_end_a_search_of_popout() -> None:
    found = solve_popout(Position(rules=POP), Limit(nodes=2000))
    assert found.winner is None
    assert 0 < found.searched < 21
    with pytest.raises(OptionError, match="not a position of PopOut"):
        solve_popout(Position())


def test_hints_by_other_rules() -> None:
    popped = Position.from_rows("......./......./......./X....../OXXX.../XOOO...:pop")
    assert hint(popped).endswith("wins in 1 ply.")
    misere = Rules(misere=True)
    assert hint(Position("23", width=5, height=4, rules=misere)).startswith("Every column loses")
    assert (
        hint(Position("443", width=4, height=4, rules=misere))
        == "Column 3 wins in 5 moves. So does column 4."
    )
    cylinder = Position("1122", width=4, height=4, rules=Rules(3, wrap=True))
    assert hint(cylinder) == "Column 3 wins at once."


def test_commands_take_rules() -> None:
    done = run_text("solve", "--connect", "5", "--wrap", "--width", "6", "--height", "4", "--json")
    assert json.loads(done.stdout)["score"] == 0
    done = run_text("analyze", "--misere", "--width", "4", "--height", "4", "1")
    assert "loses with disc" in done.stdout
    done = run_text("solve", "--pop", "--width", "4", "--height", "5")
    assert "Red, to move, wins in 25 plies.\nBest moves: 1 and 4.\n" in done.stdout
    done = run_text("solve", "--pop", "--style", "ascii", "44p4")
    assert "O, to move, wins in 15 plies.\nBest moves: 3, 4 and 5.\n" in done.stdout
    done = run_text("explain", "--connect", "5", "44")
    assert done.returncode == 2
    assert "for the standard rules only, not for connect=5" in done.stderr
    done = run_text("solve", "--connect", "2", "44")
    assert done.returncode == 2
    assert "it must be from 3 to 16" in done.stderr
    done = run_text("analyze", "--pop", "44")
    assert "have no scores" in done.stderr


@pytest.mark.parametrize(
    ("command", "complaint"),
    [
        ("solve --pop p9", "'9' at place 2 of 'p9' is not a column: they are 1 to 7"),
        ("solve --pop =", "a draw can be claimed on a full board only"),
        ("solve --connect 8", "8 in a row do not fit on a board of 7x6"),
        ("solve --misere --pop", "misere and pop cannot be combined"),
        ("play --wrap --second level-3", "this player knows the standard rules only, not wrap"),
        ("match random streaks --pop", "this player knows the standard rules only, not pop"),
        ("review --wrap 44 --why 1", "exist for the standard rules only, not for wrap"),
        ("review --wrap 44 --reasons", "exist for the standard rules only, not for wrap"),
    ],
)
def test_what_a_command_cannot_do_by_other_rules_is_said_at_once(command: str, complaint: str) -> None:
    done = run_text(*command.split())
    assert done.returncode == 2
    assert complaint in " ".join(done.stderr.split())


def test_a_review_by_other_rules_does_not_offer_reasons() -> None:
    done = run_text("review", "--wrap", "--width", "5", "--height", "4", "4455")
    assert "mistake" in done.stdout
    assert "--why" not in done.stdout


@pytest.mark.parametrize("rules", ["connect=two", "misere,pop", "connect=99", "wrap,wrap"])
def test_a_game_file_with_broken_rules_is_refused_with_its_line(tmp_path: Path, rules: str) -> None:
    file = tmp_path / "game.txt"
    file.write_text(Game("44p4", rules=POP).to_text().replace("Rules: pop", f"Rules: {rules}"))
    with pytest.raises(fc.GameFileError, match="line 3: "):
        Game.load(file)
    done = run_text("solve", str(file))
    assert done.returncode == 2
    assert "line 3: " in done.stderr


def test_a_book_has_no_position_of_other_rules() -> None:
    (book,) = (each for each in default_books() if (each.width, each.height) == (7, 6))
    position = Position("44", rules=Rules(wrap=True))
    assert position not in book
    with pytest.raises(KeyError, match=r"by the standard rules .*:wrap"):
        book.score(position)


def test_a_game_of_popout_is_played_saved_and_continued(tmp_path: Path) -> None:
    file = tmp_path / "pop.txt"
    done = run_text(
        "play", "--pop", "--first", "human", "--second", "human", given=f"4\n4\np4\n?\ns {file}\n"
    )
    assert "take your disc out of the bottom" in done.stdout
    assert "--pop --moves 44p4" in " ".join(done.stdout.split()) or str(file) in done.stdout
    assert Game.load(file).moves == "44p4"
    assert Game.load(file).start.rules == POP


def test_lines_across_the_edge_are_marked_in_text_and_picture() -> None:
    position = Position.from_columns([5, 5, 6, 6, 0, 0, 1], rules=Rules(wrap=True))
    last_row = text.board(position).splitlines()[-1]
    assert last_row == "*X*X*. . .*X*X*"
    assert svg.board(position).count("four") >= 4
    popped = Game("44p4", rules=POP)
    assert "svg" in svg.board(popped.position, last=popped.columns[-1])


def test_an_exported_agent_plays_three_in_a_row() -> None:
    names: dict[str, object] = {}
    exec(submission("depth:depth=4"), names)
    agent = names["agent"]
    assert callable(agent)
    board = [0] * 8 + [0, 2, 2, 0] + [0, 1, 1, 0]
    configuration = {"columns": 4, "rows": 4, "inarow": 3, "actTimeout": 2}
    assert agent({"board": board, "mark": 1}, configuration) in (0, 3)


@pytest.mark.parametrize("rules", ["pop", "wrap", "misere", "connect=5", "connect=3,wrap,pop"])
def test_matches_are_played_by_other_rules(rules: str) -> None:
    match = Match("random", "mcts:playouts=20", games=4, rules=rules, width=5, height=5)
    results = match.run()
    assert len(results.records) == 4
    for record in results.records:
        assert not record.forfeit
        assert record.rules == rules
        again = GameRecord.from_json(json.loads(json.dumps(record.to_json())))
        assert again == record
        assert again.game().start.rules == Rules.parse(rules)
        assert again.game().columns == record.columns


def test_programs_are_told_the_rules_and_take_discs_out(tmp_path: Path) -> None:
    program = tmp_path / "popper.py"
    program.write_text(
        "import json, sys\n"
        "for line in sys.stdin:\n"
        "    if line.startswith(':'):\n"
        "        break\n"
        "    asked = json.loads(line)\n"
        "    assert asked['rules'] == 'pop', asked\n"
        "    width, height = asked['width'], asked['height']\n"
        "    own = [c for c in range(width) if asked['grid'][c][-1] == asked['player']]\n"
        "    free = [c for c in range(width) if asked['grid'][c][0] == 0]\n"
        "    print(json.dumps({'move': width + own[0] if own else free[0]}), flush=True)\n"
    )
    match = Match(f"{sys.executable} {program}", "random", games=2, rules="pop")
    for record in match.run().records:
        assert not record.forfeit, record.detail
        assert "p" in record.moves


def test_what_an_arena_cannot_do_by_other_rules_is_refused_in_a_sentence() -> None:
    done = run_text("match", "random", "mcts", "--pop", "--adjudicate", "known")
    assert done.returncode == 2
    assert "cannot be adjudicated" in done.stderr
    few = ("--games", "2", "--opening-plies", "0")
    done = run_text("match", "random", "random", "--wrap", *few, "--quality")
    assert "by the standard rules only" in done.stderr
    done = run_text("match", "random", "depth:depth=2", "--connect", "5", *few, "--json")
    assert done.returncode == 0, done.stderr
