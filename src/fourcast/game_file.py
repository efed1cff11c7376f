"""Game files: a text that people read and edit, and JSON for programs; `Game` has the methods to use.

The formats are described in `docs/game-files.md`. A file may come from anybody: its size is bounded, and
what is not understood is refused with its line. What is saved is read back as the same game.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import stat
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import datetime
from pathlib import Path

from fourcast._core import Position
from fourcast.errors import FourcastError, GameFileError, InvalidNotationError
from fourcast.game import Game, Outcome
from fourcast.notation import (
    format_column,
    format_moves,
    from_json_object,
    load_json,
    looks_like_diagram,
    parse_column,
    parse_diagram,
    quote,
    suggest,
    to_json_object,
)

MAX_FILE = 65_536
"""Bytes of the largest file that is read; the longest game needs a tenth of it."""

FORMAT = "fourcast 1"

_Said = tuple[str, str]
"""Where something stands, for an error message, and what it says."""

_Move = tuple[str, str, "float | None"]
"""Where a move stands, its column as people name it, and its time stamp."""


# Files


def save(game: Game, path: str | os.PathLike[str]) -> None:
    """Write *game* to a file; see `Game.save`."""
    target = Path(os.path.realpath(path))
    if target.exists() and not target.is_file():
        raise GameFileError(f"{str(path)!r} is not a file that a game can be saved to")
    text = to_json(game) if target.suffix.lower() == ".json" else to_text(game)
    replace_file(target, text.encode())


def load(path: str | os.PathLike[str]) -> Game:
    """Read a game from a file; see `Game.load`."""
    text = read(path)
    with _at(repr(str(path))):
        return from_json(text) if text.lstrip().startswith("{") else from_text(text)


def read(path: str | os.PathLike[str]) -> str:
    """Return the text of a file that may be a game; raise `GameFileError` if it cannot be one."""
    # A pipe without a writer must not keep us waiting before we can see that it is one.
    never_wait = getattr(os, "O_NONBLOCK", 0)
    with open(path, "rb", opener=lambda name, flags: os.open(name, flags | never_wait)) as file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise GameFileError(f"{str(path)!r} is not a game file")
        content = file.read(MAX_FILE + 1)
    with _at(repr(str(path))):
        return decode(content)


def decode(content: bytes) -> str:
    """Return the text of what is in a file; raise `GameFileError` if it is too long or no text."""
    if len(content) > MAX_FILE:
        raise GameFileError(f"too long for a game file: the limit is {MAX_FILE} bytes")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise GameFileError(f"line {line}: this is not a text in UTF-8") from None


def replace_file(target: Path, content: bytes) -> None:
    """Write *content* to *target*, which holds all of the old or all of the new, whatever happens.

    A device or a pipe is written to, and not replaced. Errors name *target*.
    """
    if target.exists() and not target.is_file():
        target.write_bytes(content)
        return
    given, target = target, Path(os.path.realpath(target))
    if target.exists() and not os.access(target, os.W_OK):
        raise PermissionError(13, "the file is write-protected", str(given))
    draft = target.with_name(f".{target.name[:100]}.{os.urandom(4).hex()}.tmp")
    try:
        with open(draft, "xb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        if target.exists():
            shutil.copymode(target, draft)
        os.replace(draft, target)
    except BaseException as error:
        with suppress(OSError):
            draft.unlink()
        if isinstance(error, OSError):
            error.filename = str(given)
        raise


# Text


def to_text(game: Game) -> str:
    """Return *game* as text; see `Game.to_text`."""
    headers = {"Format": FORMAT, "First": game.first, "Second": game.second}
    if game.start.ply:
        headers["Start"] = "".join(f"\n  {row}" for row in str(game.start).splitlines())
    else:
        headers["Board"] = f"{game.start.width}x{game.start.height}"
    headers["Started"] = _format_moment(game.started)
    headers["Result"] = str(game.result or "")
    headers["Undone"] = " ".join(map(_format_move, game.undone, game.undone_stamps_s))
    lines = [f"{key}: {value}".replace(": \n", ":\n") for key, value in headers.items() if value]
    moves = list(map(_format_move, game.columns, game.stamps_s))
    if moves:
        lines.append("")
    lines += [f"{i // 2 + 1}. {' '.join(moves[i : i + 2])}" for i in range(0, len(moves), 2)]
    return "\n".join(lines) + "\n"


def from_text(text: str, *, width: int = 7, height: int = 6) -> Game:
    """Return the game of a text; see `Game.from_text`.

    *width* and *height* are those of the board if the text does not say.
    """
    if len(text) > MAX_FILE:
        raise GameFileError(f"too long for a game file: the limit is {MAX_FILE} characters")
    headers: dict[str, _Said] = {}
    moves: list[_Move] = []
    in_diagram = False  # below `Start:`, up to an empty line or a header
    for number, line in enumerate(text.splitlines(), start=1):
        where = f"line {number}"
        header = re.match(r"\s*([A-Za-z]+)\s*:(.*)", line)
        if line.lstrip().startswith("#"):
            continue
        if in_diagram and line.strip() and not header:
            start_at, above = headers["start"]
            headers["start"] = (start_at, f"{above}\n{line}")
            continue
        in_diagram = False
        with _at(where):
            if not header:
                moves += _moves_of_line(line, where, len(moves))
                continue
            key = _known(header[1].lower(), _HEADERS)
            if key in headers or moves:
                raise GameFileError(f"the header {key!r} is there twice or after the moves")
            headers[key] = (where, header[2].strip())
            in_diagram = key == "start"
    where, line = headers.pop("undone", ("", ""))
    with _at(where):
        undone = _moves_of_line(line, where)
    return _assemble(_text_start(headers, width, height), headers, moves, undone)


_HEADERS = ("format", "first", "second", "board", "start", "started", "result", "undone")


def _text_start(headers: dict[str, _Said], width: int, height: int) -> Position:
    where, size = headers.pop("board", ("", ""))
    start_at, diagram = headers.pop("start", ("", ""))
    with _at(start_at):
        start = parse_diagram(diagram) if start_at else None
    with _at(where):
        match = re.fullmatch(r"([0-9]{1,3}) ?[xX] ?([0-9]{1,3})", size) if where else None
        if where and not match:
            raise GameFileError(f"{quote(size)} is not the size of a board, such as 7x6")
        if match:
            width, height = map(int, match.groups())
        if start and match and (width, height) != (start.width, start.height):
            raise GameFileError(f"the start is {start.width}x{start.height}, not {quote(size)}")
        return start or Position(width=width, height=height)


def _moves_of_line(line: str, where: str, before: int = 0) -> list[_Move]:
    """Return the moves of a line such as `3. 4 5@12.5  # a comment`, after *before* moves."""
    moves: list[_Move] = []
    for word in line.partition("#")[0].split():
        if number := re.fullmatch(r"([0-9]{1,3})\.", word):
            if int(number[1]) * 2 - 2 != before + len(moves):
                count = before + len(moves)
                raise GameFileError(
                    f"{quote(word)} is not the next number: {count} moves come before it"
                )
        elif stamped := re.fullmatch(r"(\w)@([0-9]+(?:\.[0-9]+)?(?:e[+-]?[0-9]+)?)", word):
            moves.append((where, stamped[1], float(stamped[2])))
        else:
            moves += [(f"{where}: {quote(word)}", name, None) for name in word]
    return moves


# JSON


def to_json(game: Game) -> str:
    """Return *game* as JSON; see `Game.to_json`."""
    content = {
        "format": FORMAT,
        "first": game.first,
        "second": game.second,
        "width": game.start.width,
        "height": game.start.height,
        "start": to_json_object(game.start) if game.start.ply else None,
        "started": _format_moment(game.started),
        "moves": game.moves,
        "stamps_s": game.stamps_s,
        "undone": format_moves(game.undone),
        "undone_stamps_s": game.undone_stamps_s,
        "result": str(game.result or ""),
    }
    return json.dumps(content, ensure_ascii=False) + "\n"


def from_json(text: str) -> Game:
    """Return the game of a JSON text; see `Game.from_json`."""
    with _at("JSON"):
        content = load_json(text)
        if not isinstance(content, dict):
            raise GameFileError(f"{quote(content)} is not an object")
        keys = {_known(key, _KEYS): value for key, value in content.items() if value is not None}
        texts: dict[str, _Said] = {}
        for key in _TEXTS:
            if not isinstance(said := keys.get(key, ""), str):
                raise GameFileError(f"{key!r} must be a text, not {quote(said)}")
            texts[key] = (repr(key), said)
        return _assemble(
            _json_start(keys),
            texts,
            _json_moves(texts.pop("moves"), keys.get("stamps_s", [])),
            _json_moves(texts.pop("undone"), keys.get("undone_stamps_s", [])),
        )


_TEXTS = ("format", "first", "second", "started", "result", "moves", "undone")
_KEYS = (*_TEXTS, "width", "height", "start", "stamps_s", "undone_stamps_s")


def _json_start(keys: dict[str, object]) -> Position:
    size = {key: keys[key] for key in ("width", "height") if key in keys}
    if "start" not in keys:
        return from_json_object({"moves": ""} | size)
    start = from_json_object(keys["start"])
    for key, said in size.items():
        if said != getattr(start, key):
            raise GameFileError(f"{key!r} is {quote(said)}, but the start's is {getattr(start, key)}")
    return start


def _json_moves(said: _Said, stamps_s: object) -> list[_Move]:
    where, names = said
    if not isinstance(stamps_s, list) or len(stamps_s) not in (0, len(names)):
        raise GameFileError(f"the time stamps of {where} must be a list, one for each move")
    stamps_s = stamps_s or [None] * len(names)
    return [(f"{where}, move {i + 1}", name, stamps_s[i]) for i, name in enumerate(names)]


# Anything that can be read


def recognize(text: str, *, width: int = 7, height: int = 6) -> Game:
    """Return the game of a text that may be anything that fourcast reads.

    That is a game file (text or JSON), moves (columns, or squares such as `d1`), a diagram, or a
    position in JSON; the last two are games that start there and have no moves yet. *width* and *height*
    are those of the board if the text does not say. Raises `GameFileError`, which says what it was taken
    for if that is not plain.

    >>> recognize("4, 4, 4, 5, 5").moves
    '44455'
    >>> recognize("1. d1 d2 2. c1").moves
    '443'
    >>> recognize("..../..../..../XO..").start.ply
    2
    """
    if len(text) > MAX_FILE:
        raise GameFileError(f"too long for a game or a position: the limit is {MAX_FILE} characters")
    text = text.removeprefix("\ufeff")
    bare = "\n".join(line.partition("#")[0] for line in text.splitlines())
    if not bare.strip():
        raise GameFileError("error.nothing_to_read", facts={})
    if bare.lstrip().startswith("{"):
        return _recognize_json(text)
    if re.search(r"^\s*[A-Za-z]+\s*:", bare, re.MULTILINE):
        return from_text(text, width=width, height=height)
    if (moves := _moves_of_squares(bare, width)) is not None:
        return from_text(moves, width=width, height=height)
    if looks_like_diagram(bare):
        with _at("diagram", "error.read_as_diagram"):
            return Game(start=parse_diagram(bare.replace("/", "\n")))
    if not re.search(r"[0-9]", bare):
        raise GameFileError("error.not_a_game", facts={"text": quote(text.strip())})
    return from_text(text.replace(",", " "), width=width, height=height)


def recognize_file(path: str | os.PathLike[str], *, width: int = 7, height: int = 6) -> Game:
    """Return the game of a file that may hold anything that fourcast reads; see `recognize`."""
    text = read(path)
    with _at(repr(str(path))):
        return recognize(text, width=width, height=height)


def _moves_of_squares(text: str, width: int) -> str | None:
    """Return the columns of a text such as `d1 d2 c1`, which names where discs land; None if it is none.

    On boards where letters are names of columns, a text whose rows do not fit is none.
    """
    number = r"(?:[0-9]{1,3}\.+)?"
    words = [word for word in re.split(r"[\s,;]+", text) if not re.fullmatch(number, word)]
    squares = [re.fullmatch(rf"{number}([A-Za-z])([0-9]{{1,2}})", word) for word in words]
    heights: Counter[str] = Counter()
    for square in squares:
        if square is None:
            return None
        letter = square[1].lower()
        last = chr(ord("a") + width - 1)
        if letter > last and width <= 9:
            facts = {"name": quote(square[0]), "last": last}
            raise GameFileError("error.square_off_board", facts=facts)
        heights[letter] += 1
        if int(square[2]) == heights[letter]:
            continue
        if width > 9:
            return None
        facts = {"name": quote(square[0]), "square": f"{letter}{heights[letter]}"}
        raise GameFileError("error.lands_elsewhere", facts=facts)
    return format_moves(ord(square[1].lower()) - ord("a") for square in squares if square) or None


def _recognize_json(text: str) -> Game:
    with _at("JSON"):
        content = load_json(text)
        if isinstance(content, dict) and "grid" in content:
            return Game(start=from_json_object(content))
    return from_json(text)


# Both


def _assemble(start: Position, texts: dict[str, _Said], moves: list[_Move], undone: list[_Move]) -> Game:
    game = Game(start=start)
    for key, (where, said) in texts.items():
        with _at(where):
            if key in ("first", "second"):
                setattr(game, key, said)
            elif key == "started" and said:
                game.started = _parse_moment(said)
            elif key == "format" and said not in ("", FORMAT):
                raise GameFileError(f"{quote(said)} is not a format that can be read; {FORMAT!r} is")
    for where, name, stamp_s in moves + undone:
        with _at(where):
            game.play(parse_column(name, start.width), stamp_s=stamp_s)
    for _ in undone:
        game.undo()
    where, result = texts.get("result", ("", ""))
    with _at(where):
        if result:
            game.end(Outcome.parse(result))
    return game


@contextmanager
def _at(where: str, code: str = "error.at") -> Iterator[None]:
    """Say in every error where it is."""
    try:
        yield
    except FourcastError as error:
        if where:
            raise GameFileError(code, facts={"where": where, "why": error.said}) from None
        if error.code is None:
            raise GameFileError(str(error)) from None
        raise GameFileError(error.code, facts=error.facts) from None


def _known(key: str, keys: Sequence[str]) -> str:
    if key in keys:
        return key
    raise GameFileError(f"{quote(key)} is not known; {suggest(key, keys)}")


def _format_moment(moment: datetime | None) -> str:
    return moment.isoformat().replace("+00:00", "Z") if moment else ""


def _parse_moment(text: str) -> datetime:
    try:
        return datetime.fromisoformat(re.sub("Z$", "+00:00", text))
    except ValueError:
        raise InvalidNotationError(f"{quote(text)} is not a time such as 2024-05-31T18:30:00Z") from None


def _format_move(column: int, stamp_s: float | None) -> str:
    return format_column(column) + ("" if stamp_s is None else f"@{stamp_s!r}".removesuffix(".0"))
