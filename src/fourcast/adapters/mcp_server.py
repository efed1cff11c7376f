"""A server of the Model Context Protocol: language models analyze, explain, review, and play.

Nothing is kept between calls: a position is the string of its moves. Columns count from 1, as in move
strings. Every tool only reads, and has a limit of time.
"""

from __future__ import annotations

import random
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Annotated, Any, Literal, TypeVar

from fourcast import __version__
from fourcast._core import Limit, Position
from fourcast.arena.contestant import Contestant
from fourcast.errors import FinishedGameError, FourcastError, OptionError, missing_extra
from fourcast.game import Game
from fourcast.notation import format_column, parse_column, quote
from fourcast.players import player_names
from fourcast.puzzles import find, pick
from fourcast.render import svg, text
from fourcast.render.png import to_png
from fourcast.render.review import label_of, mistake_texts, move_text, story_text
from fourcast.search_threads import processor_count
from fourcast.solver import Solver
from fourcast.study.explain import explain as find_reason
from fourcast.study.review import review as judge

try:
    from mcp.server.mcpserver import Image, MCPServer
    from mcp.server.mcpserver.exceptions import ToolError
    from mcp.server.mcpserver.tools import Tool
    from mcp_types import ToolAnnotations
    from pydantic import BaseModel, Field
except ImportError:
    raise missing_extra("the MCP server needs the package mcp", "mcp") from None

__all__ = ["make_server", "run_server"]

# As the web server has them (web/server/analysis.py, web/schemas.py; a test compares them).
ANALYSIS_S, REVIEW_S, EXPLAIN_S = 5.0, 20.0, 10.0
MAX_MOVES = 128
MAX_BODY_BYTES = 131_072
MOVE_S = 1.0
WAIT_S = 60.0
"""Seconds that a call waits for others; more are turned away."""
MAX_SESSIONS = 1000
SESSION_IDLE_S = 1800.0

COLORS = ("Red", "Yellow")
INSTRUCTIONS = (
    "Connect Four with exact answers. A position is a string of moves: the columns played so far, each "
    "a digit counted from 1 on the left, the first player (Red) first; the empty string is the empty "
    "board. Ask before you claim: analyze gives the game-theoretic result of every column."
)

Moves = Annotated[
    str,
    Field(max_length=MAX_MOVES, description="the columns played so far, from 1: '4455'; '' is empty"),
]
Width = Annotated[int, Field(ge=4, le=25, description="columns of the board")]
Height = Annotated[int, Field(ge=4, le=31, description="rows of the board")]
Column = Annotated[str, Field(max_length=2, description="a column, counted from 1 on the left")]
Outcome = Literal["win", "draw", "loss"]


class ColumnScore(BaseModel):
    """What playing a column leads to."""

    column: str = Field(description="counted from 1")
    outcome: Outcome | None = Field(description="for the side to move; null if it is not proven")
    score: int | None = Field(description="higher is better; a win has the more the sooner it comes")
    moves_to_end: int | None = Field(description="moves of the side to move until the game ends")


class AnalysisAnswer(BaseModel):
    """The exact value of a position and of every open column."""

    moves: str
    to_move: str
    outcome: Outcome | None
    score: int | None
    moves_to_end: int | None
    best_columns: list[str]
    columns: list[ColumnScore]
    complete: bool = Field(description="false if time ran out before all was proven")
    text: str


class BestMoveAnswer(BaseModel):
    """A best column, all that are as good, and why."""

    moves: str
    column: str
    best_columns: list[str]
    outcome: Outcome | None
    why: str


class ExplanationAnswer(BaseModel):
    """Why a position is won, lost or drawn."""

    moves: str
    outcome: Outcome | None
    text: str
    proof: str


class ReviewedMove(BaseModel):
    """A move that changed the result, missed a four or a block, or has something else to learn from."""

    number: int
    player: str
    column: str
    verdict: str = Field(description="mistake, blunder, inaccuracy, missed block or missed four")
    best_columns: list[str]
    text: str
    why: str


class ReviewAnswer(BaseModel):
    """How a game went."""

    moves: str
    text: str
    accuracy: dict[str, float | None]
    mistakes: list[ReviewedMove]
    complete: bool


class PuzzleAnswer(BaseModel):
    """A puzzle, or what became of an answer to one."""

    id: str
    rating: int
    task: str
    moves: str = Field(description="the position now, with what was played of the solution")
    board: str
    state: Literal["open", "solved", "failed"]
    text: str = ""


class GameAnswer(BaseModel):
    """A game after a move and the opponent's answer."""

    moves: str
    you: str
    opponent: str
    reply: str | None = Field(description="the opponent's column; null if the game ended before it")
    result: str | None = Field(description="null while the game goes on")
    board: str
    legal_columns: list[str]


class BoardAnswer(BaseModel):
    """A board as text."""

    moves: str
    board: str
    to_move: str | None
    result: str | None
    legal_columns: list[str]


Answer = TypeVar("Answer")


class _Worker:
    """As much work at a time as there are processors; calls that wait too long are turned away."""

    def __init__(self) -> None:
        self.solver = Solver()
        self._free = threading.BoundedSemaphore(processor_count())

    @contextmanager
    def __call__(self) -> Iterator[Solver]:
        if not self._free.acquire(timeout=WAIT_S):
            raise ToolError("the server is busy; try again later")
        try:
            yield self.solver
        except FourcastError as error:
            raise ToolError(str(error)) from None
        finally:
            self._free.release()


class _StrictTool(Tool):
    """A tool that refuses arguments it does not have; the SDK drops them silently."""

    async def run(self, arguments: dict[str, Any], *more: Any, **options: Any) -> Any:
        known = list(self.parameters["properties"])
        unknown = [name for name in arguments if name not in known]
        if unknown:
            raise ToolError(
                f"{self.name} has no argument {quote(unknown[0])}; it has {', '.join(known)}"
            )
        return await super().run(arguments, *more, **options)


def make_server() -> Any:
    """Return the server with its tools."""
    tools: list[Tool] = []
    work = _Worker()

    def tool(title: str) -> Callable[[Callable[..., Answer]], Callable[..., Answer]]:
        hints = ToolAnnotations(
            title=title,
            read_only_hint=True,
            destructive_hint=False,
            idempotent_hint=True,
            open_world_hint=False,
        )

        def add(function: Callable[..., Answer]) -> Callable[..., Answer]:
            added = _StrictTool.from_function(function, title=title, annotations=hints)
            added.parameters["additionalProperties"] = False
            tools.append(added)
            return function

        return add

    @tool("Analyze a position")
    def analyze(moves: Moves = "", width: Width = 7, height: Height = 6) -> AnalysisAnswer:
        """Return the exact score and outcome of a position and of every open column."""
        with work() as solver:
            game = _game(moves, width, height)
            found = solver.analyze(_unfinished(game), Limit(time_s=ANALYSIS_S))
            columns = [
                ColumnScore(
                    column=format_column(line.column),
                    outcome=line.outcome,
                    score=line.score,
                    moves_to_end=line.moves_to_end,
                )
                for line in found
            ]
            return AnalysisAnswer(
                moves=moves,
                to_move=COLORS[game.position.turn - 1],
                outcome=found.outcome,
                score=found.score,
                moves_to_end=found.moves_to_end,
                best_columns=_names(found.best_columns),
                columns=columns,
                complete=found.complete,
                text=str(found),
            )

    @tool("Find a best move")
    def best_move(moves: Moves = "", width: Width = 7, height: Height = 6) -> BestMoveAnswer:
        """Return a best column, all columns that are as good, and the idea behind it in words."""
        with work() as solver:
            game = _game(moves, width, height)
            found = solver.analyze(_unfinished(game), Limit(time_s=ANALYSIS_S))
            line = found.best_line
            if line is None:
                raise OptionError("the best move is not proven within the time limit")
            why = find_reason(game.position, solver=solver, limit=Limit(time_s=EXPLAIN_S))
            return BestMoveAnswer(
                moves=moves,
                column=format_column(line.column),
                best_columns=_names(found.best_columns),
                outcome=found.outcome,
                why=why.words(COLORS),
            )

    @tool("Explain a position")
    def explain(moves: Moves = "", width: Width = 7, height: Height = 6) -> ExplanationAnswer:
        """Say why a position is won, lost or drawn. Each word follows from a checked proof."""
        with work() as solver:
            game = _game(moves, width, height)
            found = find_reason(_unfinished(game), solver=solver, limit=Limit(time_s=EXPLAIN_S))
            return ExplanationAnswer(
                moves=moves,
                outcome=found.verdict.outcome,
                text=found.words(COLORS),
                proof=found.proof_words(COLORS),
            )

    @tool("Review a game")
    def review(moves: Moves, width: Width = 7, height: Height = 6) -> ReviewAnswer:
        """Judge every move of a game, tell how the game went, and list the mistakes."""
        with work() as solver:
            game = _game(moves, width, height)
            if not game.columns:
                raise OptionError("there are no moves to review")
            limit = Limit(time_s=REVIEW_S / len(game.columns))
            report = judge(game, solver=solver, limit=limit, reasons_s=REVIEW_S)
            told = mistake_texts(report, COLORS)
            mistakes = [
                ReviewedMove(
                    number=move.number,
                    player=COLORS[move.player - 1],
                    column=format_column(move.column),
                    verdict=label_of(judged),
                    best_columns=_names(move.best_columns),
                    text=move_text(move),
                    why=told[move.number],
                )
                for move, judged in zip(report.moves, report.judged["moves"], strict=True)
                if move.number in told
            ]
            return ReviewAnswer(
                moves=moves,
                text=story_text(report, COLORS),
                accuracy={COLORS[player - 1]: report.accuracy(player) for player in (1, 2)},
                mistakes=mistakes,
                complete=report.complete,
            )

    @tool("Get a puzzle, or answer one")
    def puzzle(
        id: Annotated[str, Field(max_length=40, description="of a puzzle; '' for a new one")] = "",  # noqa: A002
        answers: Annotated[
            str, Field(max_length=40, description="your columns so far, without the opponent's")
        ] = "",
        rating: Annotated[int, Field(ge=0, le=4000, description="how hard a new one is")] = 1000,
    ) -> PuzzleAnswer:
        """Return a puzzle with one right answer; with its id and your columns, what became of them."""
        with work() as solver:
            chosen = find(id) if id else pick(rating, random.Random())
            attempt = chosen.start()
            for name in answers:
                attempt = attempt.try_move(parse_column(name, chosen.width), solver)
                if attempt.state != "open":
                    break
            played = "".join(map(format_column, attempt.columns))
            said = {"open": "", "failed": "That is not the solution.", "solved": "Solved."}
            return PuzzleAnswer(
                id=chosen.id,
                rating=chosen.rating,
                task=chosen.question(COLORS),
                moves=chosen.moves + played,
                board=text.board(attempt.position),
                state=attempt.state,
                text=said[attempt.state],
            )

    @tool("Play a move against the computer")
    def play(
        column: Column = "",
        moves: Moves = "",
        opponent: Annotated[str, Field(max_length=40, description="level-1 to level-10")] = "level-5",
        width: Width = 7,
        height: Height = 6,
    ) -> GameAnswer:
        """Play a column for the side to move, and let the computer answer; '' lets it play first.

        Call it again with the moves that it returns.
        """
        with work():
            name = opponent.partition(":")[0]
            if name not in player_names() or ":" in opponent:
                names = ", ".join(player_names())
                raise OptionError(f"there is no opponent {opponent!r}; there are {names}")
            game = _game(moves, width, height)
            position = _unfinished(game)
            side = position.turn
            played = moves
            if column:
                chosen = parse_column(column, width)
                position = position.play(chosen)
                played += format_column(chosen)
            else:
                side = 3 - side
            reply = None
            if not position.is_over:
                reply = Contestant.parse(name).make(move_time_s=MOVE_S).choose(position)
                position = position.play(reply)
                played += format_column(reply)
            return GameAnswer(
                moves=played,
                you=COLORS[side - 1],
                opponent=name,
                reply=None if reply is None else format_column(reply),
                result=_result(position),
                board=text.board(position),
                legal_columns=_names(position.legal_columns),
            )

    @tool("Show a board as text")
    def board(moves: Moves = "", width: Width = 7, height: Height = 6) -> BoardAnswer:
        """Return the board as text, who moves next, and the open columns; checks the moves."""
        with work():
            position = _game(moves, width, height).position
            return BoardAnswer(
                moves=moves,
                board=text.board(position),
                to_move=None if position.is_over else COLORS[position.turn - 1],
                result=_result(position),
                legal_columns=_names(position.legal_columns),
            )

    @tool("Show a board as a picture")
    def board_picture(moves: Moves = "", width: Width = 7, height: Height = 6) -> Image:
        """Return the board as a PNG picture."""
        with work():
            game = _game(moves, width, height)
            last = game.columns[-1] if game.columns else None
            return Image(data=to_png(svg.board(game.position, last=last)), format="png")

    return MCPServer(
        "fourcast",
        title="fourcast: Connect Four, solved",
        description="Exact Connect Four: analyze, explain, review games, solve puzzles, play.",
        instructions=INSTRUCTIONS,
        version=__version__,
        log_level="WARNING",
        tools=tools,
    )


def run_server(*, http: bool = False, host: str = "127.0.0.1", port: int = 8001) -> None:
    """Serve on standard input and output, or over streamable HTTP at `/mcp`."""
    server = make_server()
    if not http:
        server.run("stdio")
        return
    server.run(
        "streamable-http",
        host=host,
        port=port,
        max_request_body_size=MAX_BODY_BYTES,
        max_sessions=MAX_SESSIONS,
        session_idle_timeout=SESSION_IDLE_S,
    )


def _game(moves: str, width: int, height: int) -> Game:
    return Game(moves.strip(), width=width, height=height)


def _unfinished(game: Game) -> Position:
    if game.position.is_over:
        raise FinishedGameError("error.over_by", facts={"result": _result(game.position)})
    return game.position


def _result(position: Position) -> str | None:
    if not position.is_over:
        return None
    return "draw" if position.winner is None else f"{COLORS[position.winner - 1]} wins"


def _names(columns: Any) -> list[str]:
    return [format_column(column) for column in columns or ()]
