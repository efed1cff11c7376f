"""Whether the request of an issue is granted.

A pure function of the ledger, the issue and the settings: judging an issue again on the same ledger
gives the same verdict.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass

from fourcast.community.bot import Bot
from fourcast.community.command import BOT, Drop, New, parse
from fourcast.community.config import Config
from fourcast.community.entries import Move, NewGame
from fourcast.community.issues import Issue
from fourcast.community.ledger import Ledger
from fourcast.community.markup import count
from fourcast.community.times import format_time, parse_time
from fourcast.errors import ForfeitError, InvalidNotationError, OptionError
from fourcast.notation import column_names, format_column, parse_column

__all__ = ["Reason", "Refusal", "judge", "not_understood"]


class Reason(enum.Enum):
    """Why a request is refused."""

    BLOCKED = "blocked"
    NOT_UNDERSTOOD = "not understood"
    STALE = "stale link"
    NOT_YOURS_TO_START = "not yours to start"
    GAME_ON = "a game is on"
    GAME_OVER = "game over"
    UNKNOWN_TEAM = "unknown team"
    NOT_YOUR_TURN = "not your team's turn"
    OTHER_TEAM = "plays for the other team"
    UNKNOWN_COLUMN = "unknown column"
    FULL_COLUMN = "full column"
    TWICE_IN_A_ROW = "twice in a row"
    COOLDOWN = "cooldown"
    NO_ANSWER = "no answer from the bot"
    NO_SANDBOX = "no sandbox for the bot"
    NOT_SAVED = "not saved"  # said by `run`, not by `judge`


@dataclass(frozen=True)
class Refusal:
    """The reason, and a sentence for the player. Nothing in it was written by the player."""

    reason: Reason
    text: str


def judge(ledger: Ledger, issue: Issue, config: Config, bot: Bot) -> Move | NewGame | Refusal:
    """Return the entry for the ledger, or the refusal. *bot* is asked only if all else is fine."""
    if issue.player.lower() in config.blocked:
        return Refusal(Reason.BLOCKED, "The owner of this repository has closed the game to you.")
    command = parse(issue.title)
    if isinstance(command, New):
        return _judge_new(ledger, issue, config)
    if isinstance(command, Drop):
        return _judge_drop(ledger, issue, command, config, bot)
    return not_understood(ledger, config)


def not_understood(ledger: Ledger, config: Config) -> Refusal:
    """Return the refusal of a title that is no command."""
    team = config.team(ledger.current.position.turn).name
    return Refusal(
        Reason.NOT_UNDERSTOOD,
        f"I could not understand the title. It should read like `connect4|drop|{team}|4` or "
        "`connect4|new`; the links on the page write it for you. To talk about something else, begin "
        "the title with another word.",
    )


def _judge_new(ledger: Ledger, issue: Issue, config: Config) -> NewGame | Refusal:
    game = ledger.current
    has_moved = ledger.has_moved(issue.player)
    allowed = {"anyone": True, "players": has_moved, "owners": False}[config.new_game]
    if not allowed and not issue.is_by_owner:
        who = (
            "who have played here" if config.new_game == "players" else "who look after this repository"
        )
        return Refusal(Reason.NOT_YOURS_TO_START, f"Only people {who} may start a new game.")
    if not game.moves:
        return Refusal(Reason.GAME_ON, f"Game {game.number} has just started and has no move yet.")
    if not game.position.is_over and not issue.is_by_owner:
        return Refusal(
            Reason.GAME_ON,
            f"Game {game.number} is still being played. A new one can start when it is over.",
        )
    if refusal := _cooldown(ledger, issue, config):
        return refusal
    return NewGame(game.number + 1, issue.player, issue.number, format_time(issue.created))


def _judge_drop(ledger: Ledger, issue: Issue, drop: Drop, config: Config, bot: Bot) -> Move | Refusal:
    game = ledger.current
    position = game.position
    teams = [config.first.name, config.second.name]
    if drop.team not in teams:
        known = f"The teams are `{teams[0]}` and `{teams[1]}`."
        return Refusal(Reason.UNKNOWN_TEAM, f"There is no team `{drop.team}`. {known}")
    if drop.game is not None and (drop.game, drop.ply) != (game.number, position.ply):
        return Refusal(
            Reason.STALE,
            f"Somebody was quicker: your link was for game {drop.game} after "
            f"{count(drop.ply or 0, 'move')}, but this is game {game.number} after "
            f"{count(position.ply, 'move')}. Reload the page and choose again.",
        )
    if position.is_over:
        return Refusal(Reason.GAME_OVER, f"Game {game.number} is over. Start a new one first.")
    if drop.team != teams[position.turn - 1]:
        return Refusal(
            Reason.NOT_YOUR_TURN, f"It is {teams[position.turn - 1]}'s turn, not {drop.team}'s."
        )
    if config.one_team and any(
        move.player == issue.player and move.side != position.turn for move in game.moves
    ):
        return Refusal(
            Reason.OTHER_TEAM,
            f"You have played for {teams[2 - position.turn]} in this game, and nobody plays for both "
            f"teams here. You can move again when it is {teams[2 - position.turn]}'s turn.",
        )
    if drop.column != BOT:
        try:
            column = parse_column(drop.column, position.width)
        except InvalidNotationError:
            last = column_names(position.width)[-1]
            return Refusal(
                Reason.UNKNOWN_COLUMN, f"There is no column {drop.column}: they are 1 to {last}."
            )
        if position.is_column_full(column):
            open_columns = ", ".join(map(format_column, position.legal_columns))
            return Refusal(
                Reason.FULL_COLUMN, f"Column {drop.column} is full. There is room in {open_columns}."
            )
        if game.moves and game.moves[-1].bot is None and game.moves[-1].player == issue.player:
            return Refusal(
                Reason.TWICE_IN_A_ROW,
                "You made the last move yourself. Let somebody else move, or ask the bot to.",
            )
    if refusal := _cooldown(ledger, issue, config):
        return refusal
    if drop.column == BOT:
        try:
            column = bot(position, issue.number)
        except ForfeitError:
            return Refusal(
                Reason.NO_ANSWER,
                "The bot gave no answer. Choose a column yourself, or ask it again later.",
            )
        except OptionError:
            return Refusal(
                Reason.NO_SANDBOX,
                "The bot is a program, and there is no sandbox here to run it in. Choose a column "
                "yourself; the owner of this repository can install bubblewrap in the workflow.",
            )
    by = config.bot if drop.column == BOT else None
    key = position.play(column).key
    return Move(
        game.number,
        position.ply,
        column,
        issue.player,
        by,
        issue.number,
        format_time(issue.created),
        key,
    )


def _cooldown(ledger: Ledger, issue: Issue, config: Config) -> Refusal | None:
    last = ledger.last_time(issue.player)
    if last is None:
        return None
    since_s = (issue.created - parse_time(last)).total_seconds()
    # An issue that is older than the last move and is played late was not opened in haste.
    if not 0 <= since_s < config.cooldown_s:
        return None
    return Refusal(
        Reason.COOLDOWN,
        f"Only {since_s:.0f} s have passed since your last move; please wait {config.cooldown_s:.0f} s.",
    )
