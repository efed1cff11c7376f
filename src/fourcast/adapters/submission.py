"""An agent for Kaggle's ConnectX: one file that needs nothing but Python.

`fourcast export-agent` writes this file with PLAYER, DEPTH and BOOK filled in. It plays on boards of any
size, with three in a row or more. Positions of the book are answered at once; elsewhere it searches
deeper and deeper until the time for a move is over: negamax on bitboards with a table of what is known.

The square in column c, row r, counted from the bottom, is bit `c * (rows + 1) + r`. The bit above each
column is always empty, so that no line runs from one column into the next.
"""

import base64
import random
import time
import zlib
from typing import Any

PLAYER = "perfect"  # or depth, winning, random
DEPTH = 99  # plies to look ahead
BOOK = ""  # best columns of openings on 7x6: see `read_book`

SHARE_OF_TIME = 0.7  # of configuration.actTimeout; the rest is for a slow or busy machine
WIN = 10_000  # a win is worth this much less the number of discs on the board when it happens
SURE = 5_000  # what is worth more than this is a win
TABLE_LIMIT = 500_000  # entries


class OutOfTimeError(Exception):
    """The time for the move is over."""


class Search:
    """A search of one size of board; it keeps what it has found for the next move."""

    def __init__(self, columns: int, rows: int, connect: int = 4) -> None:
        self.columns, self.rows = columns, rows
        self.size = columns * rows
        self.high = rows + 1
        self.bottom = sum(1 << column * self.high for column in range(columns))
        self.board = self.bottom * ((1 << rows) - 1)
        by_center = sorted(range(columns), key=lambda column: abs(2 * column - columns + 1))
        self.masks = [((1 << rows) - 1) << column * self.high for column in by_center]
        self.connect = connect
        self.table: dict[int, tuple[int, int]] = {}
        self.middle = sum(self.masks[:3])
        self.odd_rows = self.bottom * sum(
            1 << row for row in range(0, rows, 2)
        )  # the first, third, fifth
        self.nodes = 0
        self.deadline = float("inf")

    def completing(self, own: int, filled: int) -> int:
        """Return the empty squares that complete a four of *own* discs, or as many as make a line."""
        if self.connect != 4:
            return self.completing_any(own) & (self.board ^ filled)
        found = (own << 1) & (own << 2) & (own << 3)
        for step in (self.high - 1, self.high, self.high + 1):
            pair = (own << step) & (own << 2 * step)
            found |= pair & ((own << 3 * step) | (own >> step))
            pair = (own >> step) & (own >> 2 * step)
            found |= pair & ((own >> 3 * step) | (own << step))
        return found & (self.board ^ filled)

    def completing_any(self, own: int) -> int:
        """Return the squares with enough discs beside them, some before and the others after."""
        found = 0
        for step in (1, self.high - 1, self.high, self.high + 1):
            before = [self.board]  # with that many discs before the square
            for count in range(1, self.connect):
                before.append(before[-1] & (own << count * step))
            after = self.board
            for count in range(self.connect):
                found |= after & before[self.connect - 1 - count]
                after &= own >> (count + 1) * step
        return found

    def playable(self, filled: int) -> int:
        """Return the squares that a disc can fall into."""
        return (filled + self.bottom) & self.board

    def safe_moves(self, own: int, filled: int) -> int:
        """Return the moves after which the opponent does not win at once; 0 if there are none."""
        moves = self.playable(filled)
        threats = self.completing(own ^ filled, filled)
        forced = moves & threats
        if forced:
            moves = forced
            if forced & (forced - 1):
                return 0
        return moves & ~(threats >> 1)

    def evaluate(self, own: int, filled: int, discs: int) -> int:
        """Return a guess: discs in the middle count, and squares that complete a four much more.

        On a board with an even number of rows, the first player gets those in odd rows in the end, and
        the second player those in even rows: these count three times.
        """
        theirs = own ^ filled
        value = (own & self.middle).bit_count() - (theirs & self.middle).bit_count()
        good, bad = self.completing(own, filled), self.completing(theirs, filled)
        value += 8 * (good.bit_count() - bad.bit_count())
        if self.rows % 2 == 0:
            for_mover = self.odd_rows if discs % 2 == 0 else self.board ^ self.odd_rows
            value += 16 * ((good & for_mover).bit_count() - (bad & ~for_mover).bit_count())
        return value

    def negamax(self, own: int, filled: int, discs: int, depth: int, alpha: int, beta: int) -> int:
        """Return what the position is worth to the side to move, which cannot win at once."""
        self.nodes += 1
        if not self.nodes & 255 and time.perf_counter() > self.deadline:
            raise OutOfTimeError
        moves = self.safe_moves(own, filled)
        if not moves:
            return discs + 2 - WIN
        if discs >= self.size - 2:
            return 0
        most = WIN - discs - 3  # the soonest win that is still possible
        if most < beta:
            beta = most
            if alpha >= beta:
                return beta
        if depth <= 0:
            return self.evaluate(own, filled, discs)
        key = (own + filled + self.bottom) << 7 | min(depth, 99)
        known = self.table.get(key)
        if known is not None:
            lower, upper = known
            if lower >= beta:
                return lower
            if upper <= alpha:
                return upper
            alpha, beta = max(alpha, lower), min(beta, upper)
        first_alpha, best = alpha, -WIN
        for move in self.ordered(own, filled, moves):
            value = -self.negamax(own ^ filled, filled | move, discs + 1, depth - 1, -beta, -alpha)
            if value > best:
                best = value
                if value > alpha:
                    alpha = value
                    if value >= beta:
                        break
        lower, upper = known or (-WIN, WIN)
        if best > first_alpha:
            lower = max(lower, best)
        if best < beta:
            upper = min(upper, best)
        if len(self.table) >= TABLE_LIMIT:
            self.table.clear()
        self.table[key] = (lower, upper)
        return best

    def ordered(self, own: int, filled: int, moves: int) -> list[int]:
        """Return the moves with the most promising first: those that threaten, then the center."""
        found = [mask & moves for mask in self.masks if mask & moves]
        if len(found) > 1:
            found.sort(key=lambda move: -self.completing(own | move, filled | move).bit_count())
        return found

    def choose(self, own: int, filled: int, discs: int) -> int:
        """Return the best move as a bit, as far as there is time."""
        moves = self.playable(filled)
        wins = moves & self.completing(own, filled)
        if wins:
            return wins & -wins
        candidates = self.ordered(own, filled, self.safe_moves(own, filled) or moves)
        if len(candidates) == 1:
            return candidates[0]
        try:
            for depth in range(1, min(DEPTH, self.size - discs) + 1):
                values = self.root_values(own, filled, discs, depth, candidates)
                candidates.sort(key=lambda move: -values[move])  # stable: the center stays first
                best = values[candidates[0]]
                if best > SURE or max(values[move] for move in candidates[1:]) < -SURE:
                    break  # a win is found, or all other moves lose
        except OutOfTimeError:
            pass
        return candidates[0]

    def root_values(
        self, own: int, filled: int, discs: int, depth: int, candidates: list[int]
    ) -> dict[int, int]:
        """Return what each move is worth, or at most worth if it is worse than the best."""
        values: dict[int, int] = {}
        alpha = -WIN
        for move in candidates:
            after = filled | move
            if self.playable(after) & self.completing(own ^ filled, after):
                values[move] = discs + 2 - WIN
            elif discs + 1 == self.size:
                values[move] = 0
            else:
                values[move] = -self.negamax(own ^ filled, after, discs + 1, depth - 1, -WIN, -alpha)
            alpha = max(alpha, values[move])
        return values


def read_book(text: str) -> dict[int, int]:
    """Return the best column of each position of the book, by its key.

    The keys, sorted, are stored as differences of 7 bits a byte, each followed by the column.
    """
    book: dict[int, int] = {}
    key = shift = difference = 0
    data = zlib.decompress(base64.b85decode(text)) if text else b""
    place = 0
    while place < len(data):
        byte = data[place]
        place += 1
        difference |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            key += difference
            book[key] = data[place]
            place += 1
            shift = difference = 0
    return book


def mirrored(bits: int, columns: int, high: int) -> int:
    """Return the board with left and right exchanged."""
    column = (1 << high) - 1
    return sum((bits >> i * high & column) << (columns - 1 - i) * high for i in range(columns))


class Agent:
    """What is kept from one move to the next."""

    def __init__(self) -> None:
        self.searches: dict[tuple[int, int, int], Search] = {}
        self.book: dict[int, int] | None = None
        self.chance = random.Random()

    def act(self, observation: Any, configuration: Any) -> int:
        """Return the column to play in."""
        start = time.perf_counter()
        columns, rows = int(configuration["columns"]), int(configuration["rows"])
        in_a_row = int(configuration["inarow"])
        if in_a_row < 3:
            raise ValueError(f"this plays three in a row or more; inarow is {in_a_row}: set it to 3")
        board, mark = observation["board"], observation["mark"]
        if len(board) != columns * rows:
            raise ValueError(
                f"the board has {len(board)} squares, but columns is {columns} and rows is {rows}"
            )
        high = rows + 1
        own = filled = discs = 0
        for column in range(columns):
            for row in range(rows):
                disc = board[(rows - 1 - row) * columns + column]
                bit = 1 << column * high + row
                if disc:
                    filled |= bit
                    discs += 1
                if disc == mark:
                    own |= bit
        if discs == columns * rows:
            raise ValueError("the board is full: there is no move to choose")
        search = self.searches.setdefault((columns, rows, in_a_row), Search(columns, rows, in_a_row))
        return self.column(search, own, filled, discs, start, float(configuration["actTimeout"]))

    def column(
        self, search: Search, own: int, filled: int, discs: int, start: float, time_s: float
    ) -> int:
        """Return the column that the player chooses."""
        moves = search.playable(filled)
        if PLAYER in ("random", "winning"):
            wins = moves & search.completing(own, filled) if PLAYER == "winning" else 0
            choice = [mask & (wins or moves) for mask in search.masks if mask & (wins or moves)]
            return (self.chance.choice(choice).bit_length() - 1) // search.high
        if self.book is None:
            self.book = read_book(BOOK)
        if (search.columns, search.rows, search.connect) == (7, 6, 4):
            key = own + filled + search.bottom
            turned = mirrored(own, 7, 7) + mirrored(filled, 7, 7) + search.bottom
            known = self.book.get(min(key, turned))
            if known is not None:
                return known if key <= turned else 6 - known
        search.deadline = start + SHARE_OF_TIME * time_s
        return (search.choose(own, filled, discs).bit_length() - 1) // search.high


AGENT = Agent()


def agent(observation: Any, configuration: Any) -> int:
    """Choose a column; ConnectX calls the last function of the file."""
    return AGENT.act(observation, configuration)
