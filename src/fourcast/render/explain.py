"""Explanations in words. The sentences are in messages/; here is what fills them.

Each sentence is a pattern from the message catalog, filled with facts. For every pattern the tests
have a predicate that decides, from the position and the facts alone, whether the sentence is true.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import TYPE_CHECKING, Any

from fourcast._core import Line, Position
from fourcast.notation import format_column
from fourcast.render.catalogue import Names, fill
from fourcast.render.words import describe_bounds, name_columns

if TYPE_CHECKING:
    from fourcast.study.explain import (
        Cases,
        Claim,
        Explanation,
        Force,
        Group,
        LocalGames,
        MoveExplanation,
        Plan,
        Square,
    )
    from fourcast.study.played_out import Games

__all__ = [
    "Names",
    "Sentence",
    "clause_count",
    "column_sentence",
    "explanation_object",
    "explanation_sentences",
    "explanation_text",
    "mistake_sentences",
    "mistake_text",
    "move_object",
    "move_sentences",
    "move_text",
]


@dataclass(frozen=True)
class Sentence:
    """A pattern from the message catalog, the position it is about, and the facts that fill it.

    Players are 1 or 2, columns and rows count from 0.
    """

    pattern: str
    position: Position
    facts: Mapping[str, Any]

    def text(self, names: Names) -> str:
        """Return the sentence as people read it."""
        words = {name: _written(name, value, names) for name, value in self.facts.items()}
        return fill(self.pattern, **words)


Paragraphs = list[list[Sentence]]
Facts = dict[str, Any]


def explanation_text(explanation: Explanation, names: Names) -> str:
    """Return the explanation, a paragraph a line."""
    return _text(explanation_sentences(explanation), names)


def move_text(explanation: MoveExplanation, names: Names) -> str:
    """Return the explanation of a move, a paragraph a line."""
    return _text(move_sentences(explanation), names)


def explanation_object(explanation: Explanation, names: Names) -> dict[str, Any]:
    """Return the explanation as JSON types with its `text`, and with the `marks` of each claim."""
    count = max(1, len(explanation.claims))
    return {
        **explanation.to_json(),
        "text": explanation_text(explanation, names),
        "marks": [explanation.marks(number).to_json() for number in range(count)],
    }


def move_object(explanation: MoveExplanation, names: Names) -> dict[str, Any]:
    """Return the explanation of a move as JSON types with its `text`, and with marks of each reason."""
    reason, better = explanation.reason, explanation.better
    return {
        **explanation.to_json(),
        "text": move_text(explanation, names),
        "reason": reason and explanation_object(reason, names),
        "better": better and explanation_object(better, names),
    }


def clause_count(claim: Claim, position: Position) -> int:
    """Return how many rules a reader has to remember besides "on top"; 1 for a forcing line.

    *position* is the one that the claim is about, `Explanation.claims_position`.

    A pair is one rule, and so are all discs that are answered in the same column. Two columns of which
    one is played when the other is full are one rule, too. In a group whose answers depend on other
    discs, every answer to a disc that is not on top is one. Case by case, every answer is one.
    """
    from fourcast.study.explain import Cases, LocalGames, Plan
    from fourcast.study.marks import proof_position

    if isinstance(claim.proof, Cases):
        return claim.proof.size
    if isinstance(claim.proof, Plan):
        return plan_rules(claim.proof, position).count
    if isinstance(claim.proof, LocalGames):
        position, _ = proof_position(claim, position)
        return sum(_rule_count(group, position, claim.player) for group in claim.proof.groups)
    return 1


def explanation_sentences(explanation: Explanation) -> Paragraphs:
    """Return the sentences of an explanation: the verdict, then a paragraph for each claim."""
    verdict, position = explanation.verdict, explanation.position
    words = describe_bounds(verdict.lower, verdict.upper, position)
    head = [Sentence("verdict", position, {"player": position.turn, "text": words})]
    if not explanation.claims:
        pattern = "no_reason" if explanation.complete else "no_time"
        return [[*head, Sentence(pattern, position, {})]]
    if explanation.line:
        pattern = "line_of_one" if len(explanation.line) == 1 else "line"
        head.append(Sentence(pattern, position, {"columns": explanation.line}))
    start = explanation.claims_position
    return [head, *(_claim_sentences(claim, start) for claim in explanation.claims)]


def move_sentences(explanation: MoveExplanation) -> Paragraphs:
    """Return the sentences about a move, about what follows it, and about what was better."""
    position, column = explanation.position, explanation.column
    before, after = explanation.before.outcome, explanation.after.outcome

    def say(pattern: str, **facts: Any) -> Sentence:
        return Sentence(pattern, position, facts)

    if explanation.reason is None:
        won = position.play(column).winner is not None
        head = [say("move_wins" if won else "move_draws", column=column)]
    elif explanation.is_mistake:
        head = [say("move_mistake", column=column, outcome=before, result=after)]
    elif before == "loss":
        head = [say("move_keeps_loss", column=column)]
    else:
        head = [say("move_keeps", column=column, outcome=before)]
        if explanation.is_only_move:
            head.append(say("move_only", column=column, outcome=before))
    if explanation.same_point:
        head.append(say("same_point", column=explanation.only_reply, outcome=before, after=column))
    elif explanation.is_mistake:
        if explanation.only_keeping is not None:
            head.append(say("kept_one", column=explanation.only_keeping, outcome=before))
        else:
            head.append(say("kept_some", columns=tuple(explanation.keeping), outcome=before))
        if explanation.only_reply is not None:
            head.append(say("reply_one", column=explanation.only_reply, after=column))
            if explanation.punished_on_top:
                head.append(say("reply_on_top", column=explanation.only_reply, after=column))
    paragraphs = [head]
    if explanation.reason:
        paragraphs += [[say("after_it", column=column)], *explanation_sentences(explanation.reason)]
    if explanation.is_mistake:
        instead = explanation.better_column
        if explanation.better is None:
            paragraphs.append([say("move_wins", column=instead)])
        else:
            paragraphs += [[say("instead", column=instead)], *explanation_sentences(explanation.better)]
    return paragraphs


def column_sentence(line: Line, reason: Explanation | None) -> Sentence:
    """Return what happens in a column, and why; *reason* explains the position after it."""
    return _column_sentence(line.position, line.column, (line.lower, line.upper), reason)


def mistake_sentences(explanation: MoveExplanation) -> list[Sentence]:
    """Return in brief what a mistake gave away, what follows it, and what was better."""
    said = move_sentences(explanation)[0]
    after, before = explanation.after, explanation.before
    said.append(column_sentence(after, explanation.reason))
    if explanation.better_column is not None:
        bounds = before.lower, before.upper
        column, better = explanation.better_column, explanation.better
        said.append(_column_sentence(explanation.position, column, bounds, better))
    return said


def mistake_text(explanation: MoveExplanation, names: Names) -> str:
    """Return the same as text.

    >>> from fourcast import explain_move
    >>> print(mistake_text(explain_move(Position("4455"), 0), ("Ada", "Grace")).partition(". ")[0])
    Column 1 turns a win into a loss
    """
    return _text([mistake_sentences(explanation)], names)


def _column_sentence(
    position: Position, column: int, bounds: tuple[int, int], reason: Explanation | None
) -> Sentence:
    if reason is None:
        pattern = "move_wins" if position.play(column).winner else "move_draws"
        return Sentence(pattern, position, {"column": column})
    facts = {"column": column, "text": describe_bounds(*bounds, position)}
    why = _in_brief(reason, column)
    if why is None:
        return Sentence("column", position, facts)
    return Sentence("column_why", position, {**facts, "reason": why})


def _in_brief(reason: Explanation, column: int) -> Sentence | None:
    """The reason in a few words, if one holds."""
    from fourcast.study.explain import Force, Plan
    from fourcast.study.played_out import as_squares, play_plan

    position = reason.position

    def say(pattern: str, **facts: Any) -> Sentence:
        return Sentence(pattern, position, facts)

    if not reason.claims:
        return None
    if reason.line:
        number = len(reason.line)
        return say("brief_later_one" if number == 1 else "brief_later", number=number)
    if len(reason.claims) > 1:
        return say("brief_draw")
    (claim,) = reason.claims
    players = {"player": claim.player, "opponent": 3 - claim.player}
    threats = position.winning_columns(claim.player)
    if position.turn != claim.player and len(threats) > 1:
        both = tuple((threat, position.heights[threat]) for threat in threats)
        return say("brief_two", both=both, **players)
    if isinstance(claim.proof, Force) and not claim.start:
        first = claim.proof.line[0], position.heights[claim.proof.line[0]]
        if len(claim.proof.line) == 1:
            return say("brief_above" if first[0] == column else "brief_four", square=first, **players)
        after = position.play(first[0])
        if len(claim.proof.line) == 3 and len(after.winning_columns(claim.player)) > 1:
            return say("brief_double", square=first, **players)
        return say("brief_force", square=first, **players)
    if isinstance(claim.proof, Plan):
        start = position.play(*claim.start)
        games = play_plan(claim.proof, start, claim.player)
        wins = as_squares(games.wins, start)
        if games.always_below and 0 < len(wins) <= 2:
            return say("brief_below", either=wins, **players)
    return say("brief_plan", **players)


def _claim_sentences(claim: Claim, position: Position) -> list[Sentence]:
    from fourcast.study.explain import Cases, Force, Plan

    said = []
    if claim.goal == "hold":
        said.append(Sentence("holds", position, {"player": claim.player}))
    for column in claim.start:
        square = column, position.heights[column]
        players = {"player": claim.player, "opponent": 3 - claim.player}
        if position.turn == claim.player:
            said.append(Sentence("plays", position, {"player": claim.player, "square": square}))
        elif len(threats := position.winning_columns(claim.player)) > 1:
            both = tuple((threat, position.heights[threat]) for threat in threats)
            return [*said, Sentence("two_threats", position, {**players, "both": both})]
        else:
            said.append(Sentence("has_to_block", position, {**players, "square": square}))
        position = position.play(column)
    if isinstance(claim.proof, Force):
        return said + _force_sentences(claim.proof, claim.player, position)
    if isinstance(claim.proof, Plan):
        return said + _plan_sentences(claim.proof, claim.player, position)
    if isinstance(claim.proof, Cases):
        return said + _case_sentences(claim.proof, claim.player, position)
    return said + _group_sentences(claim.proof, claim.player, position)


def _force_sentences(proof: Force, player: int, position: Position) -> list[Sentence]:
    said = []
    for number, column in enumerate(proof.line[::2]):
        facts: dict[str, Any] = {"player": player, "square": (column, position.heights[column])}
        after = position.play(column)
        if after.is_over:
            said.append(Sentence("four", position, facts))
            break
        facts["opponent"] = 3 - player
        reply = proof.line[2 * number + 1]
        threats = after.winning_columns(player)
        facts["other"] = reply, after.heights[reply]
        if len(threats) > 1:
            facts["either"] = tuple((threat, after.heights[threat]) for threat in threats)
            said.append(Sentence("double", position, facts))
            break
        if number == len(proof.line) // 2 - 1:
            facts["above"] = reply, after.heights[reply] + 1
            said.append(Sentence("stack", position, facts))
            break
        said.append(Sentence("exchange", position, facts))
        position = after.play(reply)
    return said


Table = Mapping["Square", tuple["Square", ...]]
"""To each disc the squares of which the first that can be played is the answer."""
Discs = dict[tuple["Square", ...], tuple["Square", ...]]
"""Answers, with the discs that they are for: squares of one column, or a list of which the first that
can be played is the answer."""


@dataclass(frozen=True)
class Rules:
    """What a reader has to remember besides "on top"."""

    pairs: tuple[tuple[Square, Square], ...]
    """Squares of which one is the answer to the other."""
    filled: tuple[tuple[int, int], ...]
    """Columns of which one is played when the opponent has filled the other."""
    others: Discs
    fours_first: bool = True
    """Whether the rules hold only where there is no four to complete or to block."""

    @property
    def count(self) -> int:
        """How many there are."""
        return len(self.pairs) + len(self.filled) + len(self.others)


def rules_of(table: Table, top: int, fours_first: bool = True) -> Rules:
    """Return the rules of a table of answers; *top* is the row below the rim.

    >>> found = rules_of({(0, 5): ((2, 1), (2, 3)), (2, 5): ((0, 1),), (4, 0): ((5, 0),)}, 5)
    >>> found.filled, found.others
    (((0, 2),), {((5, 0),): ((4, 0),)})
    """
    pairs = tuple(
        (disc, squares[0])
        for disc, squares in table.items()
        if len(squares) == 1 and disc < squares[0] and table.get(squares[0]) == (disc,)
    )
    paired = {square for pair in pairs for square in pair}
    others = merged_rules({disc: table[disc] for disc in sorted(table) if disc not in paired})
    last = {
        (discs[0][0], squares[0][0]): squares
        for squares, discs in others.items()
        if len(discs) == 1 and discs[0][1] == top and len({column for column, _ in squares}) == 1
    }
    filled = tuple(pair for pair in last if pair[0] < pair[1] and pair[::-1] in last)
    named = {last[way] for pair in filled for way in (pair, pair[::-1])}
    kept = {squares: discs for squares, discs in others.items() if squares not in named}
    return Rules(pairs, filled, kept, fours_first)


def plan_rules(proof: Plan, position: Position) -> Rules:
    """Return the rules of a plan for a position."""
    return rules_of({answer.stone: answer.squares for answer in proof.answers}, position.height - 1)


def merged_rules(answers: Table) -> Discs:
    """Return the answers with their discs: those that are answered in the same column are one rule.

    >>> merged_rules({(0, 5): ((2, 1),), (1, 3): ((2, 3),), (4, 5): ((0, 1), (1, 1))})
    {((2, 1), (2, 3)): ((0, 5), (1, 3)), ((0, 1), (1, 1)): ((4, 5),)}
    """
    rules: dict[Any, tuple[set[Square], list[Square]]] = {}
    lists: dict[Any, tuple[Square, ...]] = {}
    for disc, squares in answers.items():
        columns = {column for column, _ in squares}
        key = columns.pop() if len(columns) == 1 else squares
        named, discs = rules.setdefault(key, (set(), []))
        named.update(squares)
        discs.append(disc)
        lists[key] = squares if isinstance(key, tuple) else tuple(sorted(named))
    return {lists[key]: tuple(discs) for key, (_, discs) in rules.items()}


def rule_sentences(kind: str, rules: Rules) -> Iterator[tuple[str, Facts]]:
    """Yield the pattern for each rule of a plan or of groups, and its facts."""
    for pair in rules.pairs:
        yield f"{kind}_pair", {"both": pair}
    for columns in rules.filled:
        yield f"{kind}_filled", {"columns": columns}
    for squares, discs in rules.others.items():
        if len(squares) == 1:
            yield f"{kind}_answer", {"either": discs, "square": squares[0]}
        elif len({column for column, _ in squares}) == 1:
            yield f"{kind}_column", {"either": discs, "column": squares[0][0]}
        else:
            yield f"{kind}_choice", {"either": discs, "both": squares}


def _plan_sentences(proof: Plan, player: int, position: Position) -> list[Sentence]:
    from fourcast.study.played_out import as_squares, play_plan

    games = play_plan(proof, position, player)
    players = {"player": player, "opponent": 3 - player}
    said = []

    def say(pattern: str, **facts: Any) -> None:
        said.append(Sentence(pattern, position, {**players, **facts}))

    if proof.latest is None and games.positions == 1 and not games.on_top:
        say("nothing_left")
        return said
    say("plan" if proof.latest is not None else "plan_hold")
    if games.forced:
        say("plan_force", number=proof.takes)
    for pattern, facts in rule_sentences("plan", plan_rules(proof, position)):
        say(pattern, **facts)
    if games.on_top:
        columns = {column for column, _ in as_squares(games.on_top, position)}
        has_entries = any(answer.stone[0] in columns for answer in proof.answers)
        if not proof.answers and columns == set(position.legal_columns):
            say("plan_on_top_all")
        else:
            say("plan_on_top_else" if has_entries else "plan_on_top", columns=tuple(sorted(columns)))
    if games.is_safe:
        say("no_four")
    if proof.latest is not None:
        wins = as_squares(games.wins, position)
        if games.always_below and len(wins) <= 3:
            say("has_to_play_below", either=wins)
        say("latest", number=proof.latest)
    return said


def _group_sentences(proof: LocalGames, player: int, position: Position) -> list[Sentence]:
    from fourcast.study.played_out import as_squares, play_group

    players = {"player": player, "opponent": 3 - player}
    said = []

    def say(pattern: str, **facts: Any) -> None:
        said.append(Sentence(pattern, position, {**players, **facts}))

    if not proof.groups:
        say("nothing_left")
        return said
    on_top: list[int] = []
    has_rules = False
    played = [play_group(group, position, player) for group in proof.groups]
    ruled = [group_rules(games, position) for games in played]
    if any(rules and rules.fours_first for rules in ruled):
        say("groups_first")
    for group, games, rules in zip(proof.groups, played, ruled, strict=True):
        if rules is None:
            say("groups_table", columns=group.columns, number=len(group.answers))
            continue
        on_top += group.columns
        if len(group.columns) > 1 and any(
            row + 1 == position.height for _, row in as_squares(games.settled, position)
        ):
            say("groups_together", columns=group.columns)
        for pattern, facts in rule_sentences("groups", rules):
            say(pattern, **facts)
        has_rules = has_rules or rules.count > 0
    if on_top:
        pattern = "groups_on_top_else" if has_rules else "groups_on_top"
        if sorted(on_top) == list(position.legal_columns):
            say(f"{pattern}_all")
        else:
            say(pattern, columns=tuple(sorted(on_top)))
    say("groups_stop")
    if any(group.free != "never" for group in proof.groups):
        say("groups_spare")
    for group, games in zip(proof.groups, played, strict=True):
        if group.role == "win":
            if games.mine | games.theirs:
                say("groups_win", columns=group.columns)
            else:
                say("groups_below", either=as_squares(games.wins, position))
    if proof.latest is not None:
        say("latest", number=proof.latest)
    return said


def _case_sentences(proof: Cases, player: int, position: Position) -> list[Sentence]:
    players = {"player": player, "opponent": 3 - player}
    goal = "win" if proof.latest is not None else "hold"
    if len(proof.answers) > 1:
        said = [Sentence("cases", position, {**players, "number": len(proof.answers)})]
    else:
        said = [Sentence("cases_one" if proof.answers else "cases_on_top", position, players)]
    if proof.ends:
        some = "one" if len(proof.ends) == 1 else "some"
        facts = {**players, "number": len(proof.ends)}
        said.append(Sentence(f"cases_{goal}_or_{some}", position, facts))
    else:
        said.append(Sentence(f"cases_{goal}", position, players))
    if proof.size > len(proof.answers):
        said.append(Sentence("cases_size", position, {"number": proof.size}))
    if proof.latest is not None:
        said.append(Sentence("latest", position, {**players, "number": proof.latest}))
    return said


def _rule_count(group: Group, position: Position, player: int) -> int:
    from fourcast.study.played_out import play_group

    games = play_group(group, position, player)
    if rules := group_rules(games, position):
        return rules.count
    return sum(
        (answers & ~(stone << 1)).bit_count() for stone, answers in games.answers.items() if stone
    )


def group_rules(games: Games, position: Position) -> Rules | None:
    """Return the rules of the answers in a group, as few as possible; None if there are none.

    Either they hold for every disc, or only where there is no four to complete or to block.
    """
    from fourcast.study.played_out import as_squares

    def read(table: Mapping[int, tuple[int, ...]], fours_first: bool) -> Rules:
        squares = {
            as_squares(stone, position)[0]: tuple(as_squares(bit, position)[0] for bit in answers)
            for stone, answers in table.items()
            if answers != (stone << 1,)
        }
        return rules_of(squares, position.height - 1, fours_first)

    found = []
    answers = {stone: answer for stone, answer in games.answers.items() if stone is not None}
    if all(answer.bit_count() == 1 for answer in answers.values()):
        found.append(read({stone: (answer,) for stone, answer in answers.items()}, False))
    if (lists := _lists(games.chosen, position.height + 1)) is not None:
        found.append(read(lists, True))
    return min(found, key=lambda rules: rules.count, default=None)


Chosen = Iterable[tuple[int, int]]
"""Answers to a disc, each with the squares that could be played."""


def _lists(answers: Mapping[int, Chosen], stride: int) -> dict[int, tuple[int, ...]] | None:
    """Return for each disc a list of which the first square that can be played is always the answer.

    Discs share a list where one does for them all. None if some disc has no such list.
    """
    lists: dict[int, tuple[int, ...]] = {}
    for stone, chosen in sorted(answers.items(), key=lambda item: -len({a for _, a in item[1]})):
        order = _order(chosen, stride)
        if order is None:
            return None
        if len({_column(answer, stride) for answer in order}) > 1:
            order = next((known for known in lists.values() if _fits(known, chosen)), order)
        lists[stone] = order
    return lists


def _order(chosen: Chosen, stride: int) -> tuple[int, ...] | None:
    answers = sorted({answer for _, answer in chosen})
    if len({_column(answer, stride) for answer in answers}) == 1:
        return tuple(answers)  # of one column no two can be played at once
    orders = permutations(answers) if len(answers) <= _LONGEST_CHOICE else ()
    return next((order for order in orders if _fits(order, chosen)), None)


def _fits(order: tuple[int, ...], chosen: Chosen) -> bool:
    return all(next((s for s in order if s & could), None) == answer for could, answer in chosen)


def _column(square: int, stride: int) -> int:
    return (square.bit_length() - 1) // stride


_LONGEST_CHOICE = 3
"""Squares of which the first that can be played is one rule, not several."""


def _text(paragraphs: Iterable[Sequence[Sentence]], names: Names) -> str:
    return "\n".join(
        " ".join(sentence.text(names) for sentence in paragraph) for paragraph in paragraphs
    )


def _written(name: str, value: Any, names: Names) -> str:
    """A fact as people read it."""
    if name in ("player", "opponent"):
        return names[value - 1]
    if name in ("square", "other", "above"):
        return fill("square", column=format_column(value[0]), row=value[1] + 1)
    if name in ("both", "either"):
        squares = [_written("square", square, names) for square in value]
        if len(squares) == 1:
            return squares[0]
        joined = "and" if name == "both" else "or"
        return fill(joined, list="; ".join(squares[:-1]), last=squares[-1])
    if name in ("column", "after"):
        return format_column(value)
    if name == "columns":
        return name_columns(value)
    if isinstance(value, Sentence):
        return value.text(names)
    if name == "outcome":
        return fill(value)
    if name == "result":
        return fill(f"into_{value}")
    return str(value)
