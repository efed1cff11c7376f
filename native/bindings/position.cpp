#include "board/position.hpp"

#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <map>
#include <numeric>

#include "arrays.hpp"
#include "board/center.hpp"
#include "board/moves_text.hpp"
#include "columns.hpp"
#include "errors.hpp"
#include "module.hpp"

namespace fourcast::bindings {

/// What the lines of a grid are.
enum class Order { rows, columns };
template <>
inline constexpr Choice choice<Order>{"error.no_order", {"rows", "columns"}};

namespace {

// ---- Making positions ----------------------------------------------------------------------------

/// The position after one more disc, in a column that may be off the board; `number` of more than 0 is
/// that of the move, for an error.
Position after(const Position& position, const nb::object& integer, long long number = 0) {
    const auto column = small_integer(integer);
    const auto placed = [number](const Error& error) {
        if (number == 0) return error;
        return Error("error.move", {{"number", number}, {"why", error.said()}});
    };
    if (!column)
        raise(huge_column_error(placed(position.no_column(show(integer))), integer, position.ply()));
    const auto error = number == 0 ? std::nullopt : position.refusal(*column);
    if (error) throw IllegalMoveError(placed(*error), error->reason, *column, error->ply);
    return position.play(*column);
}

Position from_columns(Any<"collections.abc.Iterable[int]"> columns, const Side& width,
                      const Side& height, bool skip_illegal) {
    Position position = board_of(width, height);
    if (PyUnicode_Check(columns.ptr()))
        wrong_type("columns", "ints (a move string goes to Position())", columns);
    long long number = 0;
    for_each_item(columns, [&](nb::handle value) {
        const nb::object integer = as_integer(value, text("move ", ++number));
        const auto column = small_integer(integer);
        if (!skip_illegal || (column && position.can_play(*column)))
            position = after(position, integer, number);
    });
    return position;
}

Position from_bitboards(u128 first, u128 second, const Side& width, const Side& height) {
    const Position empty = board_of(width, height);
    return Position::from_discs(first, second, empty.width(), empty.height());
}

// ---- Grids ---------------------------------------------------------------------------------------

/// The length of a sequence; text is one to Python, but never a grid or a line of one.
Py_ssize_t length_of(nb::handle sequence, const std::string& what) {
    if (PyUnicode_Check(sequence.ptr()) || PyBytes_Check(sequence.ptr()) ||
        !PySequence_Check(sequence.ptr()))
        wrong_type(what, "a sequence of ints", sequence);
    const Py_ssize_t length = PySequence_Size(sequence.ptr());
    if (length < 0) throw nb::python_error();
    return length;
}

nb::object item_of(nb::handle sequence, Py_ssize_t index) {
    PyObject* const result = PySequence_GetItem(sequence.ptr(), index);
    if (result == nullptr) throw nb::python_error();
    return nb::steal(result);
}

/// Place `place` in line `line` of a grid, as a square of a board of this height.
Square square_of(int line, int place, Order order, bool top_first, int height) {
    const int column = order == Order::rows ? place : line;
    const int row = order == Order::rows ? line : place;
    return {column, top_first ? height - 1 - row : row};
}

Position from_grid(Any<"collections.abc.Sequence[collections.abc.Sequence[int]]"> grid, Order order,
                   bool top_first, std::optional<Player> turn) {
    const bool by_rows = order == Order::rows;
    const auto where = [&](Py_ssize_t line) {
        return text(by_rows ? "row " : "column ", line + 1, " of the grid");
    };
    const Py_ssize_t lines = length_of(grid, "grid");
    const Py_ssize_t places = lines == 0 ? 0 : length_of(item_of(grid, 0), where(0));
    const nb::int_ sides[2] = {nb::int_(lines), nb::int_(places)};
    const Position empty = board_of({sides[by_rows ? 1 : 0]}, {sides[by_rows ? 0 : 1]});

    u128 discs[3] = {0, 0, 0};
    for (int line = 0; line < lines; ++line) {
        const nb::object values = item_of(grid, line);
        if (const Py_ssize_t found = length_of(values, where(line)); found != places)
            throw InvalidPositionError(by_rows ? "error.grid_row" : "error.grid_column",
                                       {{"line", line + 1}, {"squares", found}, {"wanted", places}});
        for (int place = 0; place < places; ++place) {
            const std::string cell = text(where(line), ", place ", place + 1);
            const nb::object integer = as_integer(item_of(values, place), cell);
            const auto value = small_integer(integer);
            const Square square = square_of(line, place, order, top_first, empty.height());
            if (!value || *value < 0 || *value > 2)
                throw InvalidPositionError(
                    by_rows ? "error.grid_row_value" : "error.grid_column_value",
                    {{"line", line + 1}, {"place", place + 1}, {"given", show(integer)}}, square);
            discs[*value] |= u128{1} << (square.column * (empty.height() + 1) + square.row);
        }
    }
    if (!turn) return Position::from_discs(discs[1], discs[2], empty.width(), empty.height());
    return Position::from_numbered_discs(discs[1], discs[2], *turn, empty.width(), empty.height());
}

std::vector<std::vector<int>> to_grid(const Position& self, Order order, bool top_first) {
    const auto [lines, places] = order == Order::rows ? std::pair(self.height(), self.width())
                                                      : std::pair(self.width(), self.height());
    std::vector<std::vector<int>> grid(static_cast<std::size_t>(lines));
    for (int line = 0; line < lines; ++line)
        for (int place = 0; place < places; ++place) {
            const Square square = square_of(line, place, order, top_first, self.height());
            grid[static_cast<std::size_t>(line)].push_back(self.at(square.column, square.row));
        }
    return grid;
}

// ---- Asking --------------------------------------------------------------------------------------

/// An index that must be on the board: asking past the edge is an IndexError, as for a list.
int index_in(nb::handle value, const char* what, int size) {
    const nb::object integer = as_integer(value, what);
    const auto index = small_integer(integer);
    if (!index || *index < 0 || *index >= size)
        throw nb::index_error(
            text(what, " must be from 0 to ", size - 1, ", not ", show(integer)).c_str());
    return static_cast<int>(*index);
}

/// A tuple with one entry for each column.
template <class Entry>
Tuple<int> by_column(const Position& position, const Entry& entry) {
    std::vector<int> columns(static_cast<std::size_t>(position.width()));
    std::iota(columns.begin(), columns.end(), 0);
    return {columns, entry};
}

Tuple<std::pair<int, int>> squares_of(const Position& position, u128 squares) {
    const int stride = position.height() + 1;
    return {each(squares), [stride](int bit) { return std::pair(bit / stride, bit % stride); }};
}

}  // namespace

void add_position(nb::module_& module) {
    Class<Position> position(module, "Position",
                             R"(A position: the discs of both players on a board of some size.

Immutable, hashable, comparable and picklable. Columns and rows are ints from 0, and row 0 is the
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

*moves* is a move string: 1-based columns, with a = 10, b = 11 and so on. Boards with sides of at least
4 and `width * (height + 1)` of at most 128 are supported.)");

    position
        .init("moves"_a = "", nb::kw_only(), "width"_a = 7, "height"_a = 6,
              [](Any<"str"> moves, const Side& width, const Side& height) {
                  if (!PyUnicode_Check(moves.ptr()))
                      wrong_type("moves",
                                 "a str of 1-based columns (see Position.from_columns for ints)", moves);
                  return play_text(board_of(width, height), text_from(moves, "moves"));
              })
        .def_static("from_columns", "columns"_a, nb::kw_only(), "width"_a = 7, "height"_a = 6,
                    "skip_illegal"_a = false,
                    R"(Return the position after a list of columns, 0-based.

With *skip_illegal* a move that cannot be played is skipped, and the same player goes on.

>>> Position.from_columns([3, 3, 2]) == Position("443")
True)",
                    &from_columns)
        .def_static("from_grid", "grid"_a, nb::kw_only(), "order"_a, "top_first"_a = true,
                    "turn"_a = nb::none(),
                    R"(Return the position that a grid shows: 0 is an empty square, 1 and 2 are discs.

*grid* is a list of rows or a list of columns, as *order* says; nested sequences or a numpy array
of ints. With *top_first* the first row, or the first square of each column, is the top one.

Without *turn*, 1 is the player who started. With it, *turn* is the number of the player to move,
and the counts tell who started: a grid in which 2 started comes back with 2 as the first player.)",
                    &from_grid)
        .def_static(
            "from_rows", "rows"_a,
            R"(Return the position that a diagram on one line shows: its rows from the top, joined by `/`.

X is the first player, O the second, a dot an empty square. `fourcast.notation.parse_diagram` reads
diagrams of all kinds.

>>> Position.from_rows("..../..../..../XO..") == Position("12", width=4, height=4)
True)",
            [](const std::u32string& rows) { return Position::from_rows(rows); })
        .def_static("from_bitboards", "first"_a, "second"_a, nb::kw_only(), "width"_a = 7,
                    "height"_a = 6,
                    R"(Return the position with these discs of the first and the second player.

The square in column c, row r is bit `c * (height + 1) + r`. A position that cannot have arisen is
refused: discs off the board, shared or floating squares, counts that do not alternate, two
winners, play after a win, and discs none of which can have been the first or the last one. Some
positions that no order of moves leads to are accepted.)",
                    &from_bitboards)
        .def("play", "columns"_a,
             R"(Return the position after one or several more discs.

Raises IllegalMoveError for a full column, one off the board, or a finished game.)",
             [](const Position& self, const nb::args& columns) {
                 Position result = self;
                 for (const nb::handle column : columns)
                     result = after(result, as_integer(column, "column"));
                 return result;
             })
        .def(
            "refusal", "column"_a,
            R"(Return the error that playing *column* would raise, or None if it can be played.

>>> refusal = Position("444444").refusal(3)
>>> refusal.reason, refusal.column, str(refusal)
('full', 3, 'column 4 is full'))",
            [](const Position& self, Any<"int"> value)
                ->Object<"fourcast.errors.IllegalMoveError | None"> {
                    const nb::object integer = as_integer(value, "column");
                    const auto column = small_integer(integer);
                    if (!column)
                        return {huge_column_error(self.no_column(show(integer)), integer, self.ply())};
                    const auto error = self.refusal(*column);
                    return {error ? to_python(*error) : nb::none()};
                })
        .def("children",
             R"(Return the position after each legal move, by column; nothing when the game is over.

>>> Position("444444").children()[2] == Position("4444443")
True
>>> list(Position("444444").children())
[0, 1, 2, 4, 5, 6])",
             [](const Position& self) {
                 std::map<int, Position> children;
                 for (const int column : each(self.legal_columns()))
                     children.emplace(column, self.play(column));
                 return children;
             })
        .def("can_play", "column"_a,
             "True if a disc may go into *column* now; False for a column off the board, too.",
             [](const Position& self, Any<"int"> column) {
                 const auto number = small_integer(as_integer(column, "column"));
                 return number && self.can_play(*number);
             })
        .def("at", "column"_a, "row"_a,
             "The player whose disc is on a square, 1 or 2; 0 if it is empty.",
             [](const Position& self, Any<"int"> column, Any<"int"> row) {
                 const int x = index_in(column, "column", self.width());
                 return self.at(x, index_in(row, "row", self.height()));
             })
        .def("is_column_full", "column"_a, "True if no more discs fit into *column*.",
             [](const Position& self, Any<"int"> column) {
                 return self.is_column_full(index_in(column, "column", self.width()));
             })
        .def("winning_columns", "player"_a = nb::none(),
             R"(The columns in which a disc of *player* completes a four now.

*player* is 1 or 2, by default the one to move; for the other one these are the threats to answer.)",
             [](const Position& self, std::optional<Player> player) {
                 return Columns{self.winning_columns(player ? *player : self.turn())};
             })
        .def("threats", "player"_a,
             R"(Every empty (column, row) on which a disc of *player* would complete a four, sorted.

It need not be playable yet; none when the game is over.

>>> Position("112233").threats(1)
((3, 0),)
>>> Position("11223").threats(2)
())",
             [](const Position& self, Player player) { return squares_of(self, self.threats(player)); })
        .def("mirror", "Return the position with left and right exchanged.", &Position::mirror)
        .def("to_grid", nb::kw_only(), "order"_a, "top_first"_a = true,
             "Return the squares as lists of 0 (empty), 1 and 2; the reverse of `from_grid`.", &to_grid)
        .def(
            "planes", "layout"_a,
            R"(Return the board as a numpy array in the layout of another package.

The layouts are those of `fourcast.data.LAYOUTS`; `fourcast.data.planes` does the same for many positions.

>>> Position("4").planes("pettingzoo").shape
(6, 7, 2))",
            [](const Position& self, Any<"str"> layout)->Object<"typing.Any"> {
                return {planes_of(self, layout)};
            })
        .def("to_rows", R"(Return the diagram on one line; the reverse of `from_rows`.

>>> Position("12", width=4, height=4).to_rows()
'..../..../..../XO..')",
             &Position::rows)
        .def("_repr_svg_", drawn_by("position_svg"));

    position.get("width", "Number of columns.", &Position::width)
        .get("height", "Number of rows.", &Position::height)
        .get("ply", "Number of discs on the board.", &Position::ply)
        .get("turn", "The player to move, 1 or 2; in a finished game, the one whose turn it would be.",
             &Position::turn)
        .get("winner", "The player with four in a row, 1 or 2, or None.",
             [](const Position& self) { return somebody(self.winner()); })
        .get("highest_score", "The highest score on a board of this size; the lowest is its negative.",
             [](const Position& self) { return highest_score(self.cells()); })
        .get("final_score", R"(The score of a finished game for the side that would move next: 0 or less.

Raises ValueError if the game is not over.

>>> Position("1212121").final_score
-18)",
             [](const Position& self) { return final_score(self); })
        .get(
            "columns_from_center",
            R"(All columns of the board, those nearest to the center first; of two as near, the left one first.

>>> Position().columns_from_center
(3, 2, 4, 1, 5, 0, 6))",
            [](const Position& self) {
                return Tuple<int>(columns_from_center(self.width()), std::identity());
            })
        .get("is_over", "True if a player has won or the board is full.", &Position::is_over)
        .get("is_draw", "True if the board is full and nobody has won.", &Position::is_draw)
        .get("is_full", "True if every square holds a disc.", &Position::is_full)
        .get("legal_columns", "The columns that may be played now; none when the game is over.",
             [](const Position& self) { return Columns{self.legal_columns()}; })
        .get("winning_squares",
             "Every (column, row) that is part of a four, sorted; all fours, if one disc made several.",
             [](const Position& self) { return squares_of(self, self.winning_squares()); })
        .get("heights", "Number of discs in each column.",
             [](const Position& self) {
                 return by_column(self, [&](int column) { return self.column_height(column); });
             })
        .get("peaks", "The next free bit of each column; a full column's is the guard bit above it.",
             [](const Position& self) {
                 return by_column(self, [&](int column) {
                     return column * (self.height() + 1) + self.column_height(column);
                 });
             })
        .get("bitboards",
             "The discs of the first and of the second player; the reverse of `from_bitboards`.",
             [](const Position& self) { return std::pair(self.first(), self.second()); })
        .get("key", R"(An int that no other position of this size has.

In each column's bits, the first player's discs with a 1 above the topmost disc of either.)",
             &Position::key)
        .get("canonical_key",
             "An int that the position shares with its mirror image, and with no other of this size.",
             &Position::canonical_key);

    nb::class_<Position>& plain = position;
    plain
        .def(
            "__eq__", [](const Position& self, const Position& other) { return self == other; },
            nb::is_operator(), nb::sig("def __eq__(self, other: object, /) -> bool"))
        .def("__hash__", &Position::hash)
        .def("__repr__", &Position::repr)
        .def("__str__", &Position::diagram);
    position.def(
                "__copy__", [](nb::handle self)->Object<"Position"> { return {nb::borrow(self)}; })
        .def(
            "__deepcopy__", "memo"_a,
            [](nb::handle self, Any<"object">)->Object<"Position"> { return {nb::borrow(self)}; })
        .def("__getstate__",
             [](const Position& self) {
                 return std::tuple(self.first(), self.second(), self.width(), self.height());
             })
        // A pickle may be damaged: its discs are checked like any others.
        .def("__setstate__", "state"_a,
             [](Position* self, const nb::typed<nb::tuple, int, int, int, int>& state) {
                 if (state.size() != 4) throw InvalidPositionError("error.no_state");
                 const auto side = [&](std::size_t index, const char* what) {
                     return Reads<Side>::from(state[index], what);
                 };
                 new (self)
                     Position(from_bitboards(bits_from(state[0], "first"), bits_from(state[1], "second"),
                                             side(2, "width"), side(3, "height")));
             });

    Module(module)
        .def("parse_moves", "text"_a, "width"_a = 7,
             R"(Return the columns of a move string; `play_moves` checks whether they can be played.

Raises InvalidNotationError with the first character that names no column, and its place.

>>> parse_moves("441")
[3, 3, 0]
>>> parse_moves("4481")
Traceback (most recent call last):
fourcast.errors.InvalidNotationError: '8' at place 3 of '4481' is not a column: they are 1 to 7)",
             [](Any<"str"> moves, Int<1, widest_board> width) {
                 return parse_moves(text_from(moves, "moves"), width);
             })
        .def("play_moves", "start"_a, "moves"_a,
             R"(Play a move string from *start*; return each column with the position that it led to.

Raises InvalidNotationError for a character that names no column, and IllegalMoveError for a move that
cannot be played; both name the move.

>>> [(column, position.ply) for column, position in play_moves(Position("44"), "51")]
[(4, 3), (0, 4)]
>>> play_moves(Position(), "4444444")
Traceback (most recent call last):
fourcast.errors.IllegalMoveError: move 7 of '4444444': column 4 is full)",
             [](const Position& start, const std::u32string& moves) {
                 std::vector<std::pair<int, Position>> steps;
                 for (const Step& step : play_steps(start, moves))
                     steps.emplace_back(step.column, step.position);
                 return steps;
             })
        .def("quote", "text"_a,
             R"(Return *text* in quotes, on one line and shortened, fit for a message.

>>> print(quote("4x" * 100))
'4x4x4x4x4x4x4x4x4x4x4x4x4x4x4x4x4x4x4x4x4x4x4x4x4x...' (200 characters))",
             [](Any<"str"> words) { return quote(words); });
}

}  // namespace fourcast::bindings
