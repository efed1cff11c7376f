#include "board/position.hpp"

#include <nanobind/operators.h>
#include <nanobind/stl/string.h>

#include <vector>

#include "arrays.hpp"
#include "board/center.hpp"
#include "board/moves_text.hpp"
#include "columns.hpp"
#include "convert.hpp"
#include "errors.hpp"
#include "module.hpp"
#include "solver/answers.hpp"
#include "system/errors.hpp"
#include "system/text.hpp"

namespace fourcast::bindings {
namespace {

using namespace nb::literals;

constexpr int max_width = max_bits / (min_side + 1);

// ---- Making positions ----------------------------------------------------------------------------

/// A column that may be off the board, but not so far that it needs more than 64 bits.
long long column_from(nb::handle value, const Position& position) {
    const nb::object integer = as_integer(value, "column");
    if (const auto column = small_integer(integer)) return *column;
    raise(huge_column_error(position.no_column(show(integer)), integer, position.ply()));
}

Position from_moves(nb::handle moves, nb::handle width, nb::handle height) {
    if (!PyUnicode_Check(moves.ptr())) {
        wrong_type("moves", "a str of 1-based columns (see Position.from_columns for ints)", moves);
    }
    return play_moves(board_of(width, height), moves);
}

Position from_columns(nb::handle columns, nb::handle width, nb::handle height, nb::handle skip_illegal) {
    const bool skip = bool_from(skip_illegal, "skip_illegal");
    Position position = board_of(width, height);
    if (PyUnicode_Check(columns.ptr()))
        wrong_type("columns", "ints (a move string goes to Position())", columns);
    long long number = 0;
    for (const nb::handle value : nb::iter(columns)) {
        // The iterable may be endless, and with skip_illegal so is this loop; Ctrl-C must end it.
        if (++number % 1024 == 0 && PyErr_CheckSignals() != 0) throw nb::python_error();
        const nb::object integer = as_integer(value, text("move ", number));
        const auto column = small_integer(integer);
        if (column && position.can_play(*column)) {
            position = position.play(*column);
        } else if (!skip) {
            const auto where = [number](const Error& error) {
                return Error("error.move", {{"number", number}, {"why", error.said()}});
            };
            if (!column) {
                raise(huge_column_error(where(position.no_column(show(integer))), integer,
                                        position.ply()));
            }
            const auto error = position.refusal(*column);
            throw IllegalMoveError(where(*error), error->reason, *column, error->ply);
        }
    }
    return position;
}

Position from_bitboards(nb::handle first, nb::handle second, nb::handle width, nb::handle height) {
    return position_from_bitboards(first, second, board_of(width, height));
}

// ---- Grids ---------------------------------------------------------------------------------------

enum class Order { rows, columns };

Order order_from(nb::handle value) {
    if (!PyUnicode_Check(value.ptr())) wrong_type("order", "'rows' or 'columns'", value);
    if (nb::str("rows").equal(value)) return Order::rows;
    if (nb::str("columns").equal(value)) return Order::columns;
    throw OptionError("error.no_order");
}

/// The length of a sequence; text is one to Python, but never a grid or a line of one.
Py_ssize_t length_of(nb::handle sequence, const std::string& what) {
    if (PyUnicode_Check(sequence.ptr()) || PyBytes_Check(sequence.ptr()) ||
        !PySequence_Check(sequence.ptr())) {
        wrong_type(what, "a sequence of ints", sequence);
    }
    const Py_ssize_t length = PySequence_Size(sequence.ptr());
    if (length < 0) throw nb::python_error();
    return length;
}

nb::object item_of(nb::handle sequence, Py_ssize_t index) {
    PyObject* const result = PySequence_GetItem(sequence.ptr(), index);
    if (result == nullptr) throw nb::python_error();
    return nb::steal(result);
}

/// Line `line` and place `place` in it of a grid, as a square of a board of this height.
struct GridLayout {
    Order order;
    bool top_first;

    Square square(int line, int place, int height) const {
        const int column = order == Order::rows ? place : line;
        const int row = order == Order::rows ? line : place;
        return {column, top_first ? height - 1 - row : row};
    }
};

Position from_grid(nb::handle grid, nb::handle order, nb::handle top_first, nb::handle turn) {
    const GridLayout layout{order_from(order), bool_from(top_first, "top_first")};
    const char* const line_name = layout.order == Order::rows ? "row" : "column";
    const int mover = turn.is_none() ? 0 : static_cast<int>(bounded(turn, "turn", 1, 2));

    const Py_ssize_t lines = length_of(grid, "grid");
    const Py_ssize_t places =
        lines == 0 ? 0 : length_of(item_of(grid, 0), text(line_name, " 1 of the grid"));
    const bool by_rows = layout.order == Order::rows;
    const Position empty =
        board_of(nb::int_(by_rows ? places : lines), nb::int_(by_rows ? lines : places));

    u128 discs[3] = {0, 0, 0};
    for (int line = 0; line < lines; ++line) {
        const nb::object values = item_of(grid, line);
        const std::string where = text(line_name, " ", line + 1, " of the grid");
        if (const Py_ssize_t found = length_of(values, where); found != places) {
            throw InvalidPositionError(by_rows ? "error.grid_row" : "error.grid_column",
                                       {{"line", line + 1}, {"squares", found}, {"wanted", places}});
        }
        for (int place = 0; place < places; ++place) {
            const std::string cell = text(where, ", place ", place + 1);
            const nb::object integer = as_integer(item_of(values, place), cell);
            const auto value = small_integer(integer);
            const Square square = layout.square(line, place, empty.height());
            if (!value || *value < 0 || *value > 2) {
                throw InvalidPositionError(
                    by_rows ? "error.grid_row_value" : "error.grid_column_value",
                    {{"line", line + 1}, {"place", place + 1}, {"given", show(integer)}}, square);
            }
            discs[*value] |= u128{1} << (square.column * (empty.height() + 1) + square.row);
        }
    }
    if (mover == 0) return Position::from_discs(discs[1], discs[2], empty.width(), empty.height());
    return Position::from_numbered_discs(discs[1], discs[2], mover, empty.width(), empty.height());
}

nb::list to_grid(const Position& self, nb::handle order, nb::handle top_first) {
    const GridLayout layout{order_from(order), bool_from(top_first, "top_first")};
    const bool by_rows = layout.order == Order::rows;
    nb::list grid;
    for (int line = 0; line < (by_rows ? self.height() : self.width()); ++line) {
        nb::list values;
        for (int place = 0; place < (by_rows ? self.width() : self.height()); ++place) {
            const Square square = layout.square(line, place, self.height());
            values.append(self.at(square.column, square.row));
        }
        grid.append(values);
    }
    return grid;
}

// ---- Asking --------------------------------------------------------------------------------------

/// An index that must be on the board: asking past the edge is an IndexError, as for a list.
int index_in(nb::handle value, const char* what, int size) {
    const nb::object integer = as_integer(value, what);
    const auto index = small_integer(integer);
    if (!index || *index < 0 || *index >= size) {
        throw nb::index_error(
            text(what, " must be from 0 to ", size - 1, ", not ", show(integer)).c_str());
    }
    return static_cast<int>(*index);
}

/// A tuple with one entry for each column.
template <class Entry>
nb::tuple by_column(const Position& position, Entry&& entry) {
    nb::list result;
    for (int column = 0; column < position.width(); ++column) result.append(entry(column));
    return nb::tuple(result);
}

nb::tuple squares_to_tuple(const Position& position, u128 squares) {
    nb::list result;
    for (; squares != 0; squares &= squares - 1) {
        const int bit = lowest_bit(squares);
        result.append(nb::make_tuple(bit / (position.height() + 1), bit % (position.height() + 1)));
    }
    return nb::tuple(result);
}

nb::tuple bitboards(const Position& self) {
    return nb::make_tuple(bits_to(self.first()), bits_to(self.second()));
}

}  // namespace

void add_position(nb::module_& module) {
    nb::class_<Position> position(module, "Position", nb::is_final(),
                                  nb::sig("@typing.final\nclass Position(object)"),
                                  R"(A position: the discs of both players on a board of some size.

Immutable, hashable, comparable and picklable. Columns and rows are ints from 0, row 0 is the
bottom; only move strings and messages count from 1. Player 1 starts, the other one is 2.

>>> position = Position("4455")
>>> position = position.play(5)
>>> position.turn, position.ply, list(position.winning_columns(1))
(2, 5, [2, 6])
>>> print(position)
. . . . . . .
. . . . . . .
. . . . . . .
. . . . . . .
. . . O O . .
. . . X X X .
>>> position
Position.from_rows('......./......./......./......./...OO../...XXX.')

*moves* is a move string: 1-based columns, with a = 10, b = 11 and so on. Sizes with sides of at least
4 and `width * (height + 1)` of at most 128 are supported.)");

    position
        .def(
            "__init__",
            [](Position* self, nb::handle moves, nb::handle width, nb::handle height) {
                new (self) Position(from_moves(moves, width, height));
            },
            given("moves") = "", nb::kw_only(), given("width") = 7, given("height") = 6,
            nb::sig("def __init__(self, moves: str = '', *, width: int = 7, height: int = 6) -> None"))
        .def_static(
            "from_columns", &from_columns, given("columns"), nb::kw_only(), given("width") = 7,
            given("height") = 6, given("skip_illegal") = false,
            nb::sig("def from_columns(columns: collections.abc.Iterable[int], *, width: int = 7, "
                    "height: int = 6, skip_illegal: bool = False) -> Position"),
            R"(Return the position after a list of columns, 0-based.

With *skip_illegal* a move that cannot be played is passed over, and the same player goes on.

>>> Position.from_columns([3, 3, 2]) == Position("443")
True)")
        .def_static(
            "from_grid", &from_grid, given("grid"), nb::kw_only(), given("order"),
            given("top_first") = true, given("turn") = nb::none(),
            nb::sig("def from_grid(grid: collections.abc.Sequence[collections.abc.Sequence[int]], *, "
                    "order: typing.Literal['rows', 'columns'], top_first: bool = True, "
                    "turn: int | None = None) -> Position"),
            R"(Return the position that a grid shows: 0 is an empty square, 1 and 2 are discs.

*grid* is a list of rows or a list of columns, as *order* says; nested sequences or a numpy array
of ints. With *top_first* the first row, or the first square of each column, is the top one.

Without *turn*, 1 is the player who started. With it, *turn* is the number of the player to move,
and the counts tell who started: a grid in which 2 started comes back with 2 as the first player.)")
        .def_static(
            "from_rows", [](nb::handle rows) { return Position::from_rows(text_from(rows, "rows")); },
            given("rows"), nb::sig("def from_rows(rows: str) -> Position"),
            R"(Return the position that a diagram on one line shows: its rows from the top, joined by `/`.

X is the first player, O the second, a dot an empty square. `fourcast.notation.parse_diagram` reads
diagrams of all kinds.

>>> Position.from_rows("..../..../..../XO..") == Position("12", width=4, height=4)
True)")
        .def_static(
            "from_bitboards", &from_bitboards, given("first"), given("second"), nb::kw_only(),
            given("width") = 7, given("height") = 6,
            nb::sig("def from_bitboards(first: int, second: int, *, width: int = 7, height: int = 6) -> "
                    "Position"),
            R"(Return the position with these discs of the first and the second player.

The square in column c, row r is bit `c * (height + 1) + r`. A position that cannot have arisen is
refused: discs off the board, shared or floating squares, counts that do not alternate, two
winners, play after a win, and discs none of which can have been the first or the last one. Some
positions that no order of moves leads to are accepted.)")
        .def(
            "play",
            [](const Position& self, const nb::args& columns) {
                Position result = self;
                for (const nb::handle column : columns) {
                    result = result.play(column_from(column, result));
                }
                return result;
            },
            nb::sig("def play(self, *columns: int) -> Position"),
            R"(Return the position after one or several more discs.

Raises IllegalMoveError for a full column, one off the board, or a finished game.)")
        .def(
            "refusal",
            [](const Position& self, nb::handle value) -> nb::object {
                const nb::object integer = as_integer(value, "column");
                const auto column = small_integer(integer);
                if (!column) {
                    return huge_column_error(self.no_column(show(integer)), integer, self.ply());
                }
                const auto error = self.refusal(*column);
                return error ? to_python(*error) : nb::none();
            },
            given("column"),
            nb::sig("def refusal(self, column: int) -> fourcast.errors.IllegalMoveError | None"),
            R"(Return the error that playing *column* would raise, or None if it can be played.

>>> refusal = Position("444444").refusal(3)
>>> refusal.reason, refusal.column, str(refusal)
('full', 3, 'column 4 is full'))")
        .def(
            "children",
            [](const Position& self) {
                nb::dict result;
                for (ColumnSet rest = self.legal_columns(); rest != 0; rest &= rest - 1) {
                    const int column = std::countr_zero(rest);
                    result[nb::int_(column)] = self.play(column);
                }
                return result;
            },
            nb::sig("def children(self) -> dict[int, Position]"),
            R"(Return the position after each legal move, by column; nothing when the game is over.

>>> Position("444444").children()[2] == Position("4444443")
True
>>> list(Position("444444").children())
[0, 1, 2, 4, 5, 6])")
        .def(
            "can_play",
            [](const Position& self, nb::handle column) {
                const auto number = small_integer(as_integer(column, "column"));
                return number && self.can_play(*number);
            },
            given("column"), nb::sig("def can_play(self, column: int) -> bool"),
            "True if a disc may go into *column* now. False off the board, too.")
        .def(
            "at",
            [](const Position& self, nb::handle column, nb::handle row) {
                return self.at(index_in(column, "column", self.width()),
                               index_in(row, "row", self.height()));
            },
            given("column"), given("row"), nb::sig("def at(self, column: int, row: int) -> int"),
            "The player whose disc is on a square, 1 or 2; 0 if it is empty.")
        .def(
            "is_column_full",
            [](const Position& self, nb::handle column) {
                return self.is_column_full(index_in(column, "column", self.width()));
            },
            given("column"), nb::sig("def is_column_full(self, column: int) -> bool"),
            "True if no more disc fits into *column*.")
        .def(
            "winning_columns",
            [](const Position& self, nb::handle player) {
                return Columns{self.winning_columns(player_from(player, self))};
            },
            given("player") = nb::none(),
            nb::sig("def winning_columns(self, player: int | None = None) -> Columns"),
            R"(The columns in which a disc of *player* completes a four now.

*player* is 1 or 2, by default the one to move; for the other one these are the threats to answer.)")
        .def(
            "threats",
            [](const Position& self, nb::handle player) {
                return squares_to_tuple(self,
                                        self.threats(static_cast<int>(bounded(player, "player", 1, 2))));
            },
            given("player"), nb::sig("def threats(self, player: int) -> tuple[tuple[int, int], ...]"),
            R"(Every empty (column, row) on which a disc of *player* would complete a four, sorted.

It need not be in reach yet; none when the game is over.

>>> Position("112233").threats(1)
((3, 0),)
>>> Position("11223").threats(2)
())")
        .def("mirror", &Position::mirror, "Return the position with left and right exchanged.")
        .def("_repr_svg_", drawn_by("position_svg"), nb::sig("def _repr_svg_(self) -> str"))
        .def("to_grid", &to_grid, nb::kw_only(), given("order"), given("top_first") = true,
             nb::sig("def to_grid(self, *, order: typing.Literal['rows', 'columns'], top_first: bool = "
                     "True) -> "
                     "list[list[int]]"),
             "Return the squares as lists of 0 (empty), 1 and 2; the reverse of `from_grid`.")
        .def("planes", &planes_of, given("layout"),
             nb::sig("def planes(self, layout: str) -> typing.Any"),
             R"(Return the board as a numpy array in the layout of another package.

The layouts are those of `fourcast.data.LAYOUTS`; `fourcast.data.planes` does the same for many positions.

>>> Position("4").planes("pettingzoo").shape
(6, 7, 2))")
        .def("to_rows", &Position::rows, R"(Return the diagram on one line; the reverse of `from_rows`.

>>> Position("12", width=4, height=4).to_rows()
'..../..../..../XO..')");

    position.def_prop_ro("width", &Position::width, "Number of columns.")
        .def_prop_ro("height", &Position::height, "Number of rows.")
        .def_prop_ro("ply", &Position::ply, "Number of discs on the board.")
        .def_prop_ro("turn", &Position::turn,
                     "The player to move, 1 or 2; in a finished game, the one whose turn it would be.")
        .def_prop_ro(
            "winner",
            [](const Position& self) -> nb::object {
                if (self.winner() == 0) return nb::none();
                return nb::int_(self.winner());
            },
            nb::sig("def winner(self) -> int | None"), "The player with four in a row, 1 or 2, or None.")
        .def_prop_ro(
            "highest_score", [](const Position& self) { return highest_score(self.cells()); },
            "No score on a board of this size is larger, and none is less than its negative.")
        .def_prop_ro(
            "final_score", [](const Position& self) { return final_score(self); },
            R"(The score of a finished game for the side that would move next: 0 or less.

Raises ValueError if the game is not over.

>>> Position("1212121").final_score
-18)")
        .def_prop_ro(
            "columns_from_center",
            [](const Position& self) {
                nb::list columns;
                for (const int column : columns_from_center(self.width())) columns.append(column);
                return nb::tuple(columns);
            },
            nb::sig("def columns_from_center(self) -> tuple[int, ...]"),
            R"(All columns of the board, nearest to the center first; of two as near, the left one first.

>>> Position().columns_from_center
(3, 2, 4, 1, 5, 0, 6))")
        .def_prop_ro("is_over", &Position::is_over, "True if somebody has won or the board is full.")
        .def_prop_ro("is_draw", &Position::is_draw, "True if the board is full and nobody has won.")
        .def_prop_ro("is_full", &Position::is_full, "True if every square holds a disc.")
        .def_prop_ro(
            "legal_columns", [](const Position& self) { return Columns{self.legal_columns()}; },
            "The columns that may be played now; none when the game is over.")
        .def_prop_ro(
            "winning_squares",
            [](const Position& self) { return squares_to_tuple(self, self.winning_squares()); },
            nb::sig("def winning_squares(self) -> tuple[tuple[int, int], ...]"),
            "Every (column, row) that is part of a four, sorted; all lines, if one disc made several.")
        .def_prop_ro(
            "heights",
            [](const Position& self) {
                return by_column(self, [&self](int column) { return self.column_height(column); });
            },
            nb::sig("def heights(self) -> tuple[int, ...]"), "Number of discs in each column.")
        .def_prop_ro(
            "peaks",
            [](const Position& self) {
                return by_column(self, [&self](int column) {
                    return column * (self.height() + 1) + self.column_height(column);
                });
            },
            nb::sig("def peaks(self) -> tuple[int, ...]"),
            "The next free bit of each column; a full column's is the guard bit above it.")
        .def_prop_ro("bitboards", &bitboards, nb::sig("def bitboards(self) -> tuple[int, int]"),
                     "The discs of the first and of the second player; the reverse of `from_bitboards`.")
        .def_prop_ro(
            "key", [](const Position& self) { return bits_to(self.key()); },
            nb::sig("def key(self) -> int"),
            R"(An int that no other position of this size has.

In each column's bits, the first player's discs with a 1 above the topmost disc of either.)")
        .def_prop_ro(
            "canonical_key", [](const Position& self) { return bits_to(self.canonical_key()); },
            nb::sig("def canonical_key(self) -> int"),
            "An int that the position shares with its mirror image, and with no other of this size.");

    position
        .def(
            "__eq__", [](const Position& self, const Position& other) { return self == other; },
            nb::is_operator(), nb::sig("def __eq__(self, other: object, /) -> bool"))
        .def("__hash__", &Position::hash)
        .def("__repr__", &Position::repr)
        .def("__str__", &Position::diagram)
        .def(
            "__copy__", [](nb::handle self) { return nb::borrow(self); },
            nb::sig("def __copy__(self) -> Position"))
        .def(
            "__deepcopy__", [](nb::handle self, nb::handle) { return nb::borrow(self); }, "memo"_a,
            nb::sig("def __deepcopy__(self, memo: object) -> Position"))
        .def(
            "__getstate__",
            [](const Position& self) {
                return nb::make_tuple(bits_to(self.first()), bits_to(self.second()), self.width(),
                                      self.height());
            },
            nb::sig("def __getstate__(self) -> tuple[int, int, int, int]"))
        // A pickle may be damaged: its discs are checked like any others.
        .def(
            "__setstate__",
            [](Position* self, const nb::tuple& state) {
                if (state.size() != 4) throw InvalidPositionError("error.no_state");
                new (self) Position(from_bitboards(state[0], state[1], state[2], state[3]));
            },
            "state"_a, nb::sig("def __setstate__(self, state: tuple[int, int, int, int]) -> None"));

    module.def(
        "parse_moves",
        [](nb::handle moves, nb::handle width) {
            const auto columns = static_cast<int>(bounded(width, "width", 1, max_width));
            nb::list result;
            for (const int column : parse_moves(text_from(moves, "moves"), columns)) {
                result.append(column);
            }
            return result;
        },
        given("text"), given("width") = 7,
        nb::sig("def parse_moves(text: str, width: int = 7) -> list[int]"),
        R"(Return the columns of a move string; whether they can be played is for `play_moves` to say.

Raises InvalidNotationError with the first character that names no column, and its place.

>>> parse_moves("441")
[3, 3, 0]
>>> parse_moves("4481")
Traceback (most recent call last):
fourcast.errors.InvalidNotationError: '8' at place 3 of '4481' is not a column: they are 1 to 7)");

    module.def(
        "play_moves",
        [](const Position& start, nb::handle moves) {
            nb::list result;
            for (const Step& step : play_steps(start, text_from(moves, "moves"))) {
                result.append(nb::make_tuple(step.column, step.position));
            }
            return result;
        },
        "start"_a, given("moves"),
        nb::sig("def play_moves(start: Position, moves: str) -> list[tuple[int, Position]]"),
        R"(Play a move string from *start*; return each column with the position that it led to.

Raises InvalidNotationError for a character that names no column, and IllegalMoveError for a move that
cannot be played; both name the move.

>>> [(column, position.ply) for column, position in play_moves(Position("44"), "51")]
[(4, 3), (0, 4)]
>>> play_moves(Position(), "4444444")
Traceback (most recent call last):
fourcast.errors.IllegalMoveError: move 7 of '4444444': column 4 is full)");

    module.def("quote", &quote, given("text"), nb::sig("def quote(text: str) -> str"),
               R"(Return *text* in quotes, on one line and shortened, fit for a message.

>>> print(quote("4x" * 100))
'4x4x4x4x4x4x4x4x4x4x4x4x4x4x4x4x4x4x4x4x4x4x4x4x4x...' (200 characters))");
}

}  // namespace fourcast::bindings
