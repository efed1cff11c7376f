"""The games of a tournament on disk, one line each, written as soon as they are over.

The first line has the settings and the players; later lines are games, the drawn rounds of a Swiss or
knockout tournament, and what was changed since: players that came late, more games. A line is written in
one piece and is on the disk before the next game counts as done, so whatever kills the tournament costs
the games in progress and no other. An incomplete last line is what a crash has left, and is cut off, but
only in a file that begins as a journal: nothing else is changed. A journal is opened exclusively.
"""

from __future__ import annotations

import contextlib
import json
import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from fourcast.arena.play import GameRecord
from fourcast.arena.results import FORFEIT_LIMIT, POINTS, Results
from fourcast.arena.schedule import Draw, Pairing
from fourcast.errors import FourcastError, GameFileError, require
from fourcast.locks import TO_APPEND, lock_file
from fourcast.notation import quote

FORMAT = "fourcast journal 2"
OLD_FORMAT = "fourcast journal 1"
_BEGINNING = f'{{"format": "{FORMAT}"'.encode()
MAX_LINE = 1_000_000
"""Bytes of the longest line; a game with all its messages is far shorter."""
OVER = {"over": True}
"""The line that is written when all games have been played; there may be more behind it."""
GROWING = ("games", "rounds")
"""Settings that may become larger when a tournament is continued."""
FREE = ("title", "points", "forfeit_limit", "earlier")
"""Settings that no game depends on."""


@dataclass
class Kept:
    """What a journal holds."""

    settings: dict[str, Any] = field(default_factory=dict)
    players: dict[str, Any] = field(default_factory=dict)
    """The description of each player."""
    draws: list[Draw] = field(default_factory=list)
    records: dict[Pairing, GameRecord] = field(default_factory=dict)
    is_over: bool = False
    """Whether all games were played when the last line was written."""

    def results(self) -> Results:
        """Return what the games add up to, by the settings."""
        settings = self.settings
        ranks = {"swiss": "points", "knockout": "rounds"}
        results = Results(
            list(self.players),
            self.records.values(),
            points=settings.get("points", POINTS),
            forfeit_limit=settings.get("forfeit_limit", FORFEIT_LIMIT),
            rank=ranks.get(settings.get("kind", ""), "elo"),
            programs={name: each for name, each in self.players.items() if each.get("command")},
            draws=self.draws,
        )
        if self.is_over:
            results.finish()
        return results

    def take(self, entry: object) -> None:
        """Take a line into account. Raises `GameFileError` for what is no line of a journal."""
        self.is_over = entry == OVER
        match entry:
            case {"over": True, **rest} if not rest:
                pass
            case {"settings": dict(settings), **rest} if not rest:
                self.settings |= settings
            case {"players": dict(players), **rest} if not rest:
                self.players |= players
            case {"draw": {"round": int(number), "pairs": list(pairs), "byes": list(byes)}, **rest} if (
                not rest
            ):
                self.draws.append(Draw(number, tuple((a, b) for a, b in pairs), tuple(byes)))
            case {"again": str(name), **rest} if not rest:
                self.records = {
                    pairing: record
                    for pairing, record in self.records.items()
                    if name not in (pairing.first, pairing.second)
                }
            case _:
                record = GameRecord.from_json(entry)
                if record.pairing in self.records:
                    raise GameFileError(f"game {record.number} is in the journal twice")
                self.records[record.pairing] = record


class Journal:
    """The journal of one tournament, opened to continue it.

    *settings* and *players* describe the tournament. They must be those of the file, but for settings
    that may grow, and players that are new if *add* is true. What happens to the games of a player that
    has changed since, *changed* says: `refuse` the tournament, `keep` them, or play them `again`.
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        settings: dict[str, Any],
        players: dict[str, Any] | None = None,
        *,
        add: bool = False,
        changed: str = "refuse",
    ) -> None:
        require("path", path, str, os.PathLike)
        require("settings", settings, dict)
        require("players", players, dict, type(None))
        self.path = Path(path)
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
        except (FileExistsError, NotADirectoryError):
            raise GameFileError(f"{self.path.parent} is not a folder: give another one") from None
        self._file = self._open()
        try:
            try:
                lock_file(self._file)
            except OSError:
                raise GameFileError(f"{path}: another tournament is writing to it") from None
            given = json.loads(json.dumps({"settings": settings, "players": players or {}}))
            self.kept = self._load(given)
            self._continue(given["settings"], given["players"], add=add, changed=changed)
        except BaseException:
            os.close(self._file)
            raise

    def _open(self) -> int:
        """Open a regular file, or make one."""
        try:
            file = os.open(self.path, TO_APPEND, 0o666)
        except OSError as error:
            if self.path.is_symlink():
                raise GameFileError(f"{self.path} is a symbolic link: give the folder itself") from None
            if self.path.is_dir():
                raise GameFileError(f"{self.path} is a folder, not a journal") from None
            raise error
        if not stat.S_ISREG(os.fstat(file).st_mode):
            os.close(file)
            raise GameFileError(f"{self.path} is not a regular file")
        return file

    def _load(self, given: dict[str, Any]) -> Kept:
        """Return what the file holds; of a new file, write the first line."""
        with open(self.path, "rb") as file:
            header = file.readline(MAX_LINE)
        first_line = _to_line({"format": FORMAT, **given})
        is_unfinished = header != first_line and first_line.startswith(header)
        if not header or (is_unfinished and header.startswith(_BEGINNING)):
            os.ftruncate(self._file, 0)
            self._write(first_line)
            return Kept(**given)
        kept, whole = _read(self.path, FORMAT)
        if whole < os.fstat(self._file).st_size:
            os.ftruncate(self._file, whole)
        return kept

    def _continue(
        self, settings: dict[str, Any], players: dict[str, Any], *, add: bool, changed: str
    ) -> None:
        """Write down what is new; raise `GameFileError` if the tournament is another one."""
        kept = self.kept
        grown: dict[str, Any] = {}
        for key in settings.keys() | kept.settings.keys():
            old, new = kept.settings.get(key), settings.get(key)
            if old == new:
                continue
            if key not in FREE and not (key in GROWING and (new or 0) > (old or 0)):
                raise GameFileError(
                    f"{self.path} belongs to a tournament with other settings: {key} is {quote(old)} "
                    f"there and {quote(new)} here; continue with those, or give another folder"
                )
            grown[key] = new
        if missing := [name for name in kept.players if name not in players]:
            raise GameFileError(
                f"{self.path} belongs to a tournament with other players: {quote(missing[0])} is not "
                "among those given; continue with all of them, or give another folder"
            )
        new_players = {name: each for name, each in players.items() if name not in kept.players}
        if new_players and not add:
            raise GameFileError(
                f"{self.path} belongs to a tournament with other players: "
                f"{quote(next(iter(new_players)))} is new; add it with --add, or give another folder"
            )
        different = {
            name: each
            for name, each in players.items()
            if name in kept.players and each != kept.players[name]
        }
        if different and changed == "refuse":
            raise GameFileError(
                f"{quote(next(iter(different)))} has changed since its games in {self.path}: choose "
                "--changed again to play them again, or --changed keep to keep them"
            )
        entries: list[dict[str, Any]] = [{"settings": grown}] if grown else []
        if new_players or different:
            entries.append({"players": new_players | different})
        if changed == "again":
            entries += [{"again": name} for name in different]
        for entry in entries:
            self._write(_to_line(entry))
            kept.take(entry)

    def append(self, record: GameRecord) -> None:
        """Write a game that was played."""
        self._write(_to_line(record.to_json()))
        self.kept.records[record.pairing] = record
        self.kept.is_over = False

    def append_draw(self, draw: Draw) -> None:
        """Write the meetings of a round."""
        pairs = [list(pair) for pair in draw.pairs]
        self._write(_to_line({"draw": {"round": draw.round, "pairs": pairs, "byes": list(draw.byes)}}))
        self.kept.draws.append(draw)
        self.kept.is_over = False

    def append_end(self) -> None:
        """Write that all games have been played."""
        if not self.kept.is_over:
            self._write(_to_line(OVER))
            self.kept.is_over = True

    def _write(self, line: bytes) -> None:
        if os.write(self._file, line) != len(line):
            raise GameFileError(f"{self.path}: the disk is full")
        os.fsync(self._file)

    def close(self) -> None:
        """Let another tournament open it."""
        with contextlib.suppress(OSError):
            os.close(self._file)

    def __enter__(self) -> Journal:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def read_journal(path: str | os.PathLike[str]) -> Kept:
    """Return what a journal holds, one of version 0.2 as well; the file may be written to meanwhile."""
    require("path", path, str, os.PathLike)
    return _read(Path(path), FORMAT, OLD_FORMAT)[0]


def _read(path: Path, *formats: str) -> tuple[Kept, int]:
    """Return what a journal holds, and the bytes of its whole lines."""
    with open(path, "rb") as file:
        header = file.readline(MAX_LINE)
        try:
            entry = _from_line(header)
        except GameFileError:
            entry = None
        if not isinstance(entry, dict) or not header.endswith(b"\n"):
            entry = {}
        format_ = entry.pop("format", None)
        if format_ == OLD_FORMAT and OLD_FORMAT not in formats:
            raise GameFileError(
                f"{path} is a journal of fourcast 0.2, which this version reads and does not continue: "
                "give another folder"
            )
        if format_ not in formats:
            advice = "give another folder, or remove the file"
            raise GameFileError(f"{path}, line 1: this is not a journal; {advice}")
        if format_ == OLD_FORMAT:
            entry = entry.get("settings", {})
        settings, players = entry.get("settings"), entry.get("players")
        if not isinstance(settings, dict) or not isinstance(players, dict):
            raise GameFileError(f"{path}, line 1: it has no settings or no players")
        kept = Kept(settings, players)
        whole = len(header)
        for number, line in enumerate(_lines(file), start=2):
            if not line.endswith(b"\n"):
                if len(line) == MAX_LINE:
                    raise GameFileError(f"{path}, line {number} is too long for a game")
                break
            try:
                game = _from_line(line)
                kept.take(_from_old(game) if format_ == OLD_FORMAT else game)
            except (FourcastError, ValueError, TypeError) as error:
                raise GameFileError(f"{path}, line {number}: {error}") from None
            whole += len(line)
    return kept, whole


def _lines(file: Any) -> Iterator[bytes]:
    return iter(lambda: file.readline(MAX_LINE), b"")


def _from_old(entry: object) -> object:
    """Return a game of version 0.2, whose numbers count from 0, in today's form."""
    if not isinstance(entry, dict) or type(number := entry.get("number")) is not int:
        return entry
    entry |= {"number": number + 1, "round": number // 2 + 1, "leg": number % 2 + 1}
    if isinstance(said := entry.get("messages"), str):
        is_first = str(entry.get("result", "")).startswith("second wins")
        entry["messages"] = [said, ""] if is_first else ["", said]
    return entry


def _to_line(entry: dict[str, Any]) -> bytes:
    return json.dumps(entry).encode() + b"\n"


def _from_line(line: bytes) -> object:
    try:
        return json.loads(line)
    except (ValueError, RecursionError) as error:  # also bytes that are not UTF-8
        raise GameFileError(f"this is not JSON: {error}") from None
