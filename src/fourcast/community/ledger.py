"""The ledger: every move ever played, only ever appended to.

| file | what it has |
|-|-|
| `ledger.jsonl` | the lines of the current game |
| `games/0001.jsonl` | the lines of game 1, moved there when game 2 started |
| `tally.json` | what later moves must know of the closed games |

A move reads and writes the current game and the tally alone, so that it costs the same in the
thousandth game as in the first. `rebuild` reads and verifies all of it. Version 0.1 kept all games in
`ledger.jsonl`: that is read as well, and the next move, or `rebuild`, splits it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from fourcast.community.entries import Entry, NewGame, PlayedGame, format_entry, parse_entry
from fourcast.community.tally import Tally
from fourcast.errors import CommunityError, FourcastError

__all__ = ["Ledger"]


class Ledger:
    """The tally of the closed games, and the current game with those that were read before it.

    >>> from fourcast import Position
    >>> from fourcast.community.entries import Move
    >>> ledger = Ledger()
    >>> ledger.append(Move(1, 0, 3, "ada", None, 12, "2026-11-15T21:00:00Z", Position("4").key))
    >>> ledger.current.position.ply, Ledger.parse(ledger.current.to_text()).entries == ledger.entries
    (1, True)
    """

    def __init__(self, entries: Iterable[Entry] = (), *, tally: Tally | None = None) -> None:
        self.tally = tally or Tally()
        self.games = [] if self.tally.games else [PlayedGame(1)]
        for entry in entries:
            self.append(entry)

    @classmethod
    def parse(cls, text: str) -> Ledger:
        """Return the ledger of the lines of all games."""
        ledger = cls()
        ledger.read(text)
        return ledger

    def read(self, text: str, name: str = "the ledger") -> None:
        """Append the lines of a text; *name* is what errors call it.

        Raises `CommunityError` with the line that does not follow from those before it.
        """
        for number, line in enumerate(text.splitlines(), start=1):
            try:
                self.append(parse_entry(line), line)
            except FourcastError as error:  # noqa: PERF203  # the line is what it is about
                raise CommunityError(f"line {number} of {name}: {error}") from None

    def copy(self) -> Ledger:
        """Return an independent copy."""
        ledger = Ledger(tally=self.tally.copy())
        ledger.games = [*self.games[:-1], self.games[-1].copy()]
        return ledger

    def append(self, entry: Entry, line: str | None = None) -> None:
        """Add an entry, which must follow from those before it; *line* is how the file has it."""
        line = format_entry(entry) if line is None else line
        if self.has_issue(entry.issue):
            raise CommunityError(f"issue {entry.issue} occurs twice")
        number = self.games[-1].number if self.games else self.tally.games
        if isinstance(entry, NewGame):
            if entry.game != number + 1:
                raise CommunityError(f"game {entry.game} cannot follow game {number}")
            if self.games and not self.games[-1].moves:
                raise CommunityError(f"game {entry.game} cannot follow game {number}, which has no move")
            if self.games:
                self.tally.add(self.games[-1])
            self.games.append(PlayedGame(entry.game, entry, lines=[line]))
        elif not self.games:
            raise CommunityError(f"game {number} is closed, so that a new game must start here")
        else:
            self.games[-1].play(entry, line)

    def forget_closed(self) -> None:
        """Keep only the current game and the tally, which is all that a move needs."""
        del self.games[:-1]

    # Questions

    @property
    def current(self) -> PlayedGame:
        """The game that is being played, or was played last."""
        return self.games[-1]

    @property
    def entries(self) -> list[Entry]:
        """The entries of the games that were read."""
        return [entry for game in self.games for entry in game.entries]

    def game(self, number: int) -> PlayedGame:
        """Return a game that was read."""
        return self.games[number - self.games[0].number]

    def of_issue(self, issue: int) -> Entry | None:
        """Return what an issue did in the games that were read, or None."""
        return next((entry for entry in self.entries if entry.issue == issue), None)

    def has_issue(self, issue: int) -> bool:
        """Whether an issue is in any game, read or not."""
        current = self.games[-1].entries if self.games else []
        return self.tally.has_issue(issue) or any(entry.issue == issue for entry in current)

    def last_time(self, player: str) -> str | None:
        """Return when a person last did something."""
        for entry in reversed(self.current.entries):
            if entry.player == player:
                return entry.time
        return self.tally.people[player].last if player in self.tally.people else None

    def has_moved(self, player: str) -> bool:
        """Whether a person has ever moved, or asked the bot to."""
        past = self.tally.people.get(player)
        return bool(past and past.moves) or any(move.player == player for move in self.current.moves)

    @property
    def moves(self) -> int:
        """The number of moves in all games."""
        return self.tally.moves + len(self.current.moves)

    @property
    def finished(self) -> int:
        """The number of games that were played to their end."""
        return self.tally.finished + self.current.position.is_over

    @property
    def people(self) -> int:
        """The number of people who have moved, or asked the bot to."""
        past = {name for name, seen in self.tally.people.items() if seen.moves}
        return len(past | {move.player for move in self.current.moves})

    def winning_moves(self) -> list[tuple[str, int]]:
        """The movers with their numbers of winning moves, the most first."""
        wins = Counter(self.tally.wins)
        if winner := self.current.winning_mover:
            wins[winner] += 1
        return wins.most_common()
