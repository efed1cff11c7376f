"""Cards of an opening repertoire at the terminal."""

from __future__ import annotations

from datetime import datetime, timezone

from fourcast.cli._support.boards import text_width
from fourcast.cli._terminal.puzzles import PuzzleSession
from fourcast.notation import format_column
from fourcast.puzzles.card_pages import page_of
from fourcast.puzzles.history import History
from fourcast.puzzles.puzzle import Attempt, Puzzle
from fourcast.puzzles.repertoire import Repertoire, RepertoireCard
from fourcast.render.explained import explained_boards
from fourcast.render.levels import levels_text
from fourcast.render.text import Style


class RepertoireSession(PuzzleSession):
    """Asks for the moves of a repertoire. Another move that keeps the result is no mistake."""

    def __init__(self, repertoire: Repertoire, history: History, *, style: Style) -> None:
        super().__init__(history, style=style)
        self._repertoire = repertoire
        self._numbers = {card.id: number for number, card in enumerate(repertoire.cards, start=1)}

    def _card(self, puzzle: Puzzle) -> RepertoireCard:
        card = self._repertoire.card(puzzle.position)
        assert card is not None, "only positions of the repertoire are asked for"
        return card

    def _title(self, puzzle: Puzzle) -> str:
        return f"Card {self._numbers[puzzle.id]} of {len(self._numbers)}, {self._repertoire.title}"

    def _try(self, attempt: Attempt, column: int) -> Attempt:
        card = self._card(attempt.puzzle)
        name = format_column(column)
        if column == card.column:
            self._show(Attempt(attempt.puzzle, (column,)))
            print("Right.")
            return Attempt(attempt.puzzle, (column,), "solved")
        if column not in attempt.accepted(self._solver):
            print(f"Column {name} does not keep the result.")
            return Attempt(attempt.puzzle, (column,), "failed")
        if self._is_lost(attempt):
            print(
                f"All columns lose with best play; column {name} is not the most testing one. Try again."
            )
        else:
            print(f"Column {name} keeps the result, too, but it is not in the repertoire. Try again.")
        return attempt

    def _is_lost(self, attempt: Attempt) -> bool:
        return self._solver.solve(attempt.position, best_columns=False).outcome == "loss"

    def _hint(self, attempt: Attempt, number: int) -> str:
        """First what keeps the result, then the column."""
        card = self._card(attempt.puzzle)
        if number == 1:
            count = len(attempt.accepted(self._solver))
            keep = "1 column keeps" if count == 1 else f"{count} columns keep"
            return f"{keep} the result."
        return f"The repertoire plays column {format_column(card.column)}."

    def _explain(self, attempt: Attempt) -> None:
        """Say why the move of the repertoire is right, and what is wrong with the one played."""
        card = self._card(attempt.puzzle)
        page = page_of(card, self._solver, self._names)
        print(f"\nThe repertoire plays column {format_column(card.column)}.\n")
        if card.levels:
            print(f"{levels_text(card.position.play(card.column), card.levels)}\n")
        elif card.ends_theory:
            reason = card.explanation(self._solver).reason
            assert reason is not None
            room = text_width()
            boards = explained_boards(
                reason, self._names, style=self._style, last=card.column, color=self._colored, width=room
            )
            print(f"{boards}\n")
        print("\n".join(page.reason), flush=True)
        if attempt.state == "failed":
            wrong = attempt.columns[-1]
            if text := self._reason(card.position, wrong):
                print(f"\n{text}", flush=True)

    def _print_standing(self) -> None:
        now = datetime.now(timezone.utc)
        seen = self._repertoire.questions(self._history.answered, now, 0)["seen"]
        print(f"\n{seen} of {len(self._numbers)} cards seen.")
