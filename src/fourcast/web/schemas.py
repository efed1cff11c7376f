"""What goes over the wire: every request and every answer of the API, checked by pydantic.

Columns and rows are ints from 0, row 0 is the bottom; players are 1, who starts, and 2; move strings
count from 1, as everywhere in fourcast. The page draws what it finds here and knows no rule of the game.
"""

from __future__ import annotations

import json
from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

__all__ = [
    "AboutView",
    "Action",
    "AnalysisView",
    "ClockRequest",
    "ClockView",
    "ColumnView",
    "ConflictView",
    "ErrorView",
    "ExplanationView",
    "FollowedView",
    "GameView",
    "JoinRequest",
    "LiveHello",
    "LiveMessage",
    "MarksView",
    "MoveExplanationView",
    "MoveRequest",
    "MoveReviewView",
    "NewGame",
    "OffersView",
    "Pasted",
    "PlayerView",
    "PositionView",
    "ResultView",
    "ReviewView",
    "Seat",
    "SeatView",
    "Side",
    "SideView",
    "Square",
    "Ticket",
]

Side = Literal[1, 2]
Square = tuple[int, int]  # column, row
GameId = Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]{10,32}$")]
Token = Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]{20,64}$")]
MAX_NAME = 40
MAX_MOVES = 1000
MAX_TEXT = 65_536
MIN_WIDTH, MAX_WIDTH = 4, 25
MIN_HEIGHT, MAX_HEIGHT = 4, 31
Name = Annotated[str, Field(max_length=MAX_NAME, description="one printable line; may be empty")]
Moves = Annotated[
    str,
    Field(
        max_length=MAX_MOVES,
        description="a move string, 1-based; in PopOut p3 takes a disc out, and = claims the draw",
    ),
]
Start = Annotated[
    str,
    Field(
        max_length=300,
        description="rows from the top, joined by '/', with X (first), O (second) and '.'; other "
        "rules than the standard ones follow after ':'. Empty for the empty board",
    ),
]
RulesText = Annotated[
    str,
    Field(
        max_length=40,
        description="of the empty board, unless there is a start: connect=5, wrap, misere and pop, "
        "joined by ','; empty for the standard ones",
    ),
]
Width = Annotated[int, Field(ge=MIN_WIDTH, le=MAX_WIDTH)]
Height = Annotated[int, Field(ge=MIN_HEIGHT, le=MAX_HEIGHT)]


class _Request(BaseModel):
    """What a client sends: nothing is converted, nothing unknown is passed over."""

    model_config = ConfigDict(extra="forbid", strict=True)


class _View(BaseModel):
    model_config = ConfigDict(frozen=True)


class ErrorView(_View):
    """Why a request was refused: a sentence for a person, and what it is made of for a program."""

    detail: str = Field(description="in the language of the query's `lang`, or English")
    code: str | None = Field(description="the name of the sentence; null if it has none")
    facts: dict[str, Any] = Field(description="what fills the sentence of that name")


# ---- The server --------------------------------------------------------------------------------------


class SideView(_View):
    """One of the two sides, as people know it."""

    side: Side
    name: str = Field(description="its color: 'Red'")
    symbol: Literal["X", "O"] = Field(description="in diagrams")


class AboutView(_View):
    """What a page needs to know about the server and its boards."""

    version: str
    columns: str = Field(description="the names of the columns for people, one character each")
    min_width: int
    max_width: int
    min_height: int
    max_height: int
    max_bits: int = Field(description="a board has width * (height + 1) of them")
    sizes: list[str] = Field(description="boards to choose from: width x height, the usual one first")
    sides: list[SideView]
    max_text: int = Field(description="characters of a text that can be pasted")
    max_name: int = Field(description="characters of a player's name")
    max_moves: int = Field(description="characters of a move string")
    notice: str | None = Field(description="what people should know about the server now, if anything")


# ---- Positions: what can be asked of any position, without a game ------------------------------------


class PositionView(_View):
    """A position with all that a page needs to draw it."""

    width: int
    height: int
    start: str
    moves: str
    ply: int
    next_ply: int = Field(
        description="of the next move, as a MoveRequest has it: discs at the start and moves since"
    )
    turn: Side
    cells: list[list[int]] = Field(description="rows from the bottom; 0, 1 or 2")
    legal_columns: list[int] = Field(
        description="in PopOut also width + column, to take a disc out, and 2 * width, to claim the draw"
    )
    last_move: Square | None
    winner: Side | None
    is_over: bool
    is_draw: bool
    winning_squares: list[Square]
    threats_first: list[Square] = Field(description="empty squares that complete a four of the first")
    threats_second: list[Square]
    diagram: str = Field(
        description="to copy and paste; what `start` reads, on lines, by other rules on one"
    )
    text: str = Field(description="the position in words, for a screen reader")


class Pasted(_Request):
    """Text that a person has pasted: a diagram, moves, a game file, or the address of a board.

    The size is that of the board if the text does not say.
    """

    diagram: Annotated[str, Field(max_length=MAX_TEXT)]
    width: Width = 7
    height: Height = 6


Outcome = Literal["win", "draw", "loss"]


class _ProvenView(_View):
    """What is proven of a score, for the side to move. In PopOut there are none."""

    score: int | None = Field(description="exact; None if it was not found in time")
    lower: int = Field(description="in PopOut -1, 0 or 1: lost, drawn or won")
    upper: int
    outcome: Outcome | None = Field(description="what the side to move gets")
    winner: Side | None = Field(description="with best play; None for a draw, or if it is not known")
    plies_to_end: int | None = Field(description="discs until the game is over")
    moves_to_end: int | None = Field(description="moves that the winner still makes, None for a draw")


class ColumnView(_ProvenView):
    """What one column is worth to the side to move."""

    column: int
    name: str = Field(description="what people call the column")
    text: str = Field(description="'wins in 5 moves', 'draws', 'loses in 12 moves'")
    is_best: bool
    variation: list[int] = Field(description="this column and best play after it")
    moves: str = Field(description="the variation as a move string")
    squares: list[Square] = Field(description="the squares that the variation fills, in order")


class AnalysisView(_ProvenView):
    """Every open column of a position, solved."""

    position: PositionView
    complete: bool
    best_columns: list[int] = Field(description="columns proven to be as good as any other")
    share: float = Field(ge=0, le=1, description="the first player's share, for an evaluation bar")
    text: str = Field(description="what the side to move gets: 'wins in 5 moves'")
    columns: list[ColumnView] = Field(description="the open ones, from left to right")
    nodes: int = Field(description="positions searched to find this")
    time_s: float = Field(description="seconds that it took")


Verdict = Literal["best", "good", "inaccuracy", "mistake", "blunder"]
Oversight = Literal["missed_four", "missed_block"]


class MoveReviewView(_View):
    """One move of a game, judged. Scores are for the side that made it."""

    number: int
    player: Side
    column: int
    verdict: Verdict | None
    loss: int | None
    score_before: int | None
    score_after: int | None
    score_first: int | None = Field(description="after the move, for the first player: for the graph")
    best_columns: list[int]
    oversight: Oversight | None = Field(description="what the move overlooked, whatever the score was")
    text: str = Field(description="'mistake: threw away a win in 8 moves; best was 4'")
    mistake: str | None = Field(description="a sentence on what was wrong with it")


class ReviewView(_View):
    """A game, move by move."""

    position: PositionView
    complete: bool
    moves: list[MoveReviewView]
    accuracy_first: float | None = Field(description="percent, None without a judged move")
    accuracy_second: float | None
    decisive: int | None = Field(description="number of the move that decided the game")
    text: str = Field(description="the story of the game")


# ---- Explanations: the names are those of `Explanation.to_json()`; docs/explain.md describes them -----


class SolvedView(_ProvenView):
    """What the solver has proven of a position, for the side to move."""

    width: int
    height: int
    first: str = Field(description="bitboard of the first player, in decimal", pattern="^[0-9]+$")
    second: str
    best_columns: list[int] | None
    complete: bool
    nodes: int
    time_s: float


class ForceView(_View):
    """A forcing line."""

    kind: Literal["force"]
    line: list[int] = Field(description="columns: the player's disc, the reply, ..., the four")


class AnswerView(_View):
    """What a plan answers to a disc on one square."""

    stone: Square
    squares: list[Square]


class PlanView(_View):
    """A table of answers."""

    kind: Literal["plan"]
    answers: list[AnswerView]
    takes: int = Field(description="forced wins of at most this number of discs are taken")
    latest: int | None = Field(description="discs on the board when it has won; None if it holds")


class GroupAnswerView(_View):
    """The answer once these squares of a group, or of the board, are taken."""

    theirs: list[Square]
    mine: list[Square]
    answer: Square


class GroupView(_View):
    """Columns that are played as a game of their own."""

    columns: list[int]
    role: Literal["win", "hold"]
    free: Literal["never", "any_even", "one_odd", "one"]
    needs: list[list[Square]]
    answers: list[GroupAnswerView]


class LocalGamesView(_View):
    """The open columns in groups."""

    kind: Literal["local"]
    groups: list[GroupView]
    latest: int | None


class CaseEndView(_View):
    """A position with a proof of its own: after these squares are taken."""

    theirs: list[Square]
    mine: list[Square]
    proof: Annotated[PlanView | LocalGamesView, Field(discriminator="kind")]


class CasesView(_View):
    """Answers by position, up to positions that have a proof of their own."""

    kind: Literal["cases"]
    answers: list[GroupAnswerView]
    ends: list[CaseEndView]
    latest: int | None


class ClaimView(_View):
    """A player wins, or does not lose, with a proof."""

    player: Side
    goal: Literal["win", "hold"]
    start: list[int] = Field(description="columns to where the proof begins")
    proof: Annotated[ForceView | PlanView | LocalGamesView | CasesView, Field(discriminator="kind")]


class LegendView(_View):
    """What one kind of marks means."""

    kind: Literal["played", "line", "gets", "leaves", "pairs", "frozen", "wins", "groups"]
    text: str


class MarksView(_View):
    """What a claim draws on the board."""

    width: int
    height: int
    rows: str = Field(description="the board that is drawn, rows from the top")
    player: Side | None = Field(description="whose reason it is; None without a claim")
    played: list[Square] = Field(description="discs of this board that the explained one does not have")
    gets: list[Square] = Field(description="empty squares that the player gets")
    leaves: list[Square] = Field(description="empty squares that the opponent may get")
    pairs: list[tuple[Square, Square]] = Field(description="of each the player gets one")
    frozen: list[Square] = Field(description="squares that nobody plays until the end")
    wins: list[Square] = Field(description="where the player completes a four")
    line: list[Square] = Field(description="discs to come, in order")
    groups: list[list[int]] = Field(description="columns of each local game")
    count: int | None = Field(description="squares that are filled before the frozen ones, if known")
    legend: list[LegendView] = Field(description="the kinds of marks that are there, in words")


class ExplanationView(_View):
    """Why a position is won, lost or drawn. Every claim has been checked."""

    version: Literal[1]
    verdict: SolvedView
    line: list[int] = Field(description="best play to the position that the claims are about")
    claims: list[ClaimView] = Field(description="one, or one for each side of a draw; none if not found")
    complete: bool = Field(description="false if the time was up before the search had ended")
    idea: dict[str, Any] | None = Field(description="what the text is made of; docs/explain.md has it")
    text: str = Field(description="a line for the verdict, then the idea")
    proof: str = Field(description="a line for the verdict, then one for each claim")
    marks: list[MarksView] = Field(description="one for each claim, or one without a claim")


class MoveWorthView(_ProvenView):
    """What the solver has proven of a column."""

    width: int
    height: int
    first: str
    second: str
    column: int
    name: str
    variation: list[int]


class MoveExplanationView(_View):
    """Why a move keeps the result or gives it away."""

    version: Literal[1]
    column: int
    before: SolvedView = Field(description="what the position was worth")
    after: MoveWorthView = Field(description="what the move is worth, to the side that makes it")
    keeping: list[int] = Field(description="columns that keep the outcome")
    replies: list[int] = Field(description="replies that take advantage of a mistake")
    reason: ExplanationView | None = Field(description="the position after the move, unless it is over")
    better: ExplanationView | None = Field(description="of a mistake: the position after *instead*")
    instead: int | None = Field(description="the best column, if the move is a mistake")
    text: str = Field(description="its first line is about the move itself")
    proof: str = Field(description="what proves it, and that another move was better")


class FollowedView(_View):
    """A game against a claim: how its player has answered the last reply, and how things stand."""

    position: PositionView
    player: Side = Field(description="who follows the claim")
    goal: Literal["win", "hold"]
    columns: list[int] = Field(description="all discs since the position that the claim is about")
    answer: Square | None = Field(description="the last disc, if it was the claim's player's")
    why: Literal["line", "four", "block", "force", "table", "top", "group", "elsewhere"] | None = Field(
        description="why the answer is that one; docs/explain.md has the meaning"
    )
    state: Literal["open", "won", "held"]
    text: str = Field(description="the answer and the state in words")
    legend: list[LegendView] = Field(description="the kinds of marks that are left, in words")


# ---- Games -------------------------------------------------------------------------------------------


class PlayerView(_View):
    """A computer player."""

    name: str
    title: str = Field(description="for people: 'Level 3'")
    text: str = Field(description="a sentence on how it plays")
    rating: int | None = Field(description="Elo from the repo's tournament, where there is one")
    plays_all_rules: bool = Field(description="false if it knows the standard rules only")


class Seat(_Request):
    """The player on one side of a new game."""

    kind: Literal["me", "friend", "computer"] = Field(
        description="me: the maker of the game; friend: the first to open the link; computer: *player*"
    )
    name: Name = ""
    player: Annotated[str | None, Field(max_length=40)] = None


class ClockRequest(_Request):
    """Clocks that the server keeps: seconds for each move, or for the game and after each move."""

    kind: Literal["move", "game"]
    time_s: Annotated[int, Field(ge=1, le=14 * 86_400)]
    increment_s: Annotated[int, Field(ge=0, le=3_600)] = 0


class NewGame(_Request):
    """A game to be made. Two seats for 'me' are a game of two people on one screen."""

    first: Seat
    second: Seat
    width: Width = 7
    height: Height = 6
    start: Start = ""
    rules: RulesText = ""
    moves: Moves = ""
    clock: ClockRequest | None = None


class SeatView(_View):
    """One side of a game."""

    kind: Literal["person", "open", "computer"]
    name: str
    player: str | None
    is_connected: bool


class OffersView(_View):
    """What one side has offered and the other has not answered: who, or None."""

    draw: Side | None
    takeback: Side | None
    rematch: Side | None


class ResultView(_View):
    """How a game ended."""

    winner: Side | None
    termination: Literal[
        "four in a row",
        "full board",
        "resignation",
        "agreement",
        "forfeit",
        "out of time",
        "abandoned",
        "repetition",
    ]
    text: str


class ClockView(_View):
    """The clocks of a game, as they were after the last move."""

    kind: Literal["move", "game"]
    time_s: int
    increment_s: int
    left_ms: tuple[int, int] = Field(description="of first and second, after the last move")
    since_ms: int | None = Field(
        description="the moment of that by the server's clock, in milliseconds since 1970; null before "
        "the clocks run. `now_ms` of the socket's messages is the same clock"
    )
    running: Side | None = Field(description="whose clock has run since then")


class GameView(_View):
    """A game as everybody may see it."""

    id: GameId
    seq: int = Field(description="grows with every change; a view with a smaller one is out of date")
    position: PositionView
    undone: str = Field(description="moves taken back that can be played again")
    first: SeatView
    second: SeatView
    is_local: bool = Field(description="one screen has all seats for people: undo needs no consent")
    result: ResultView | None
    offers: OffersView
    is_thinking: bool = Field(description="the computer is choosing its move")
    spectators: int
    clock: ClockView | None
    points: tuple[float, float] | None = Field(
        description="of first and second in this game and those that it is the rematch of; null if none"
    )
    rematch_id: GameId | None
    room_id: GameId | None = Field(description="the room in which it is played")
    created: datetime
    notice: str | None = Field(description="what people should know about the server now, if anything")


class ConflictView(ErrorView):
    """Why a request does not fit the game, and how the game stands."""

    game: GameView

    @staticmethod
    def text(error: ErrorView, game: bytes) -> str:
        """Return the message for a game that is JSON already."""
        return f'{error.model_dump_json()[:-1]},"game":{game.decode()}}}'


class Ticket(_View):
    """A game together with what lets its holder play: to be kept in the browser."""

    game: GameView
    token: Token
    sides: list[Side]


class JoinRequest(_Request):
    """A friend takes the open seat.

    With a *token* of the client's own making, a join whose answer was lost can be repeated.
    """

    name: Name = ""
    token: Token | None = None


class MoveRequest(_Request):
    """A disc, or another of the legal moves. *ply* is the position's next one: each counts once."""

    column: Annotated[int, Field(ge=0, le=30)]
    ply: Annotated[int, Field(ge=0, le=999)]
    seq: Annotated[int | None, Field(ge=0, le=2**53)] = Field(
        default=None,
        description="that of the view on which the move was chosen; it does not count if moves have "
        "been taken back since",
    )


class Action(_Request):
    """Anything but a disc.

    The offers and their answers concern both sides; `undo` and `redo` are for local games, where the
    computer's moves are taken back with the person's. Offering what the other has offered accepts it.
    `claim` ends a game whose other player has been away for a minute.
    """

    kind: Literal[
        "resign",
        "offer-draw",
        "offer-takeback",
        "offer-rematch",
        "accept-draw",
        "accept-takeback",
        "accept-rematch",
        "decline-draw",
        "decline-takeback",
        "decline-rematch",
        "undo",
        "redo",
        "claim",
    ]
    side: Side | None = Field(default=None, description="for whom, if the token is good for both")
    seq: Annotated[int | None, Field(ge=0, le=2**53)] = Field(
        default=None,
        description="that of the view on which it was chosen: if not the last, it does not count",
    )


# ---- The socket of a game: the client says hello, then only the server speaks ------------------------


class LiveHello(_Request):
    """The first and only message of a client; without a token it watches."""

    token: Token | None = None


class LiveMessage(_View):
    """The game as it is now: sent after hello and after every change."""

    type: Literal["state"] = "state"
    game: GameView
    sides: list[Side]
    now_ms: int = Field(description="the server's clock, in milliseconds since 1970")

    @staticmethod
    def text(game: bytes, sides: list[Side], now_ms: int) -> str:
        """Return the message for a game that is JSON already: it is the same for all who watch.

        >>> LiveMessage.text(b"{}", [1], 7)
        '{"type":"state","game":{},"sides":[1],"now_ms":7}'
        """
        rest = f'"sides":{json.dumps(sides)},"now_ms":{now_ms}'
        return f'{{"type":"state","game":{game.decode()},{rest}}}'
