#include "board/position.hpp"

#include <nanobind/stl/map.h>

#include <ranges>

#include "arrays.hpp"
#include "board/center.hpp"
#include "board/moves_text.hpp"
#include "columns.hpp"
#include "value.hpp"

namespace fourcast::bindings {

/// What the lines of a grid are.
enum class Order { rows, columns };
template <>
inline constexpr Choice choice<Order>{"error.no_order", {"rows", "columns"}};

namespace {

// ---- Making positions ----------------------------------------------------------------------------

/// The error for a column that needs more than 64 bits.
IllegalMoveError off_the_board(const Position& position, nb::handle column) {
    return {position.no_column(show(column)), Refusal::off_the_board, -1, position.ply()};
}

/// The position after one more disc, in a column that may be off the board; `number` of more than 0 is
/// that of the move, for an error.
Position after(const Position& position, const nb::object& integer, long long number = 0) {
    const auto column = small_integer(integer);
    if (column && position.can_play(*column)) return position.play(*column);
    const IllegalMoveError plain_error =
        column ? *position.refusal(*column) : off_the_board(position, integer);
    const Error numbered("error.move", {{"number", number}, {"why", plain_error.said()}});
    const IllegalMoveError error(number == 0 ? plain_error : numbered, plain_error.reason,
                                 plain_error.column, plain_error.ply);
    raise(to_python(error, column ? nb::handle() : nb::handle(integer)));
}

Position from_columns(nb::handle columns, const RuledBoard& board, bool skip_illegal) {
    Position position = board;
    long long number = 0;
    for_each_item(columns, "columns", "ints (a move string goes to Position())", [&](nb::handle value) {
        const nb::object integer = as_integer(value, text("move ", ++number));
        const auto column = small_integer(integer);
        if (!skip_illegal || (column && position.can_play(*column)))
            position = after(position, integer, number);
    });
    return position;
}

Position from_bitboards(u128 first, u128 second, const RuledBoard& board) {
    return Position::from_discs(first, second, board.width(), board.height(), board.rules());
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
    return checked(PySequence_GetItem(sequence.ptr(), index));
}

/// Place `place` in line `line` of a grid, as a square of a board of this height.
Square square_of(int line, int place, Order order, bool top_first, int height) {
    const int column = order == Order::rows ? place : line;
    const int row = order == Order::rows ? line : place;
    return {column, top_first ? height - 1 - row : row};
}

Position from_grid(nb::handle grid, Order order, bool top_first, std::optional<Player> turn,
                   nb::handle rules) {
    const bool by_rows = order == Order::rows;
    const auto where = [&](Py_ssize_t line) {
        return text(by_rows ? "row " : "column ", line + 1, " of the grid");
    };
    const Py_ssize_t lines = length_of(grid, "grid");
    const Py_ssize_t places = lines == 0 ? 0 : length_of(item_of(grid, 0), where(0));
    const nb::int_ sides[2] = {nb::int_(lines), nb::int_(places)};
    const RuledBoard empty =
        Reads<RuledBoard>::from(sides[by_rows ? 1 : 0], sides[by_rows ? 0 : 1], rules);

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
    if (!turn)
        return Position::from_discs(discs[1], discs[2], empty.width(), empty.height(), empty.rules());
    return Position::from_numbered_discs(discs[1], discs[2], *turn, empty.width(), empty.height(),
                                         empty.rules());
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
        raise(PyExc_IndexError, text(what, " must be from 0 to ", size - 1, ", not ", show(integer)));
    return static_cast<int>(*index);
}

/// A tuple with one entry for each column.
template <class Entry>
nb::object by_column(const Position& position, const Entry& entry) {
    return tuple_of(std::views::iota(0, position.width()), entry);
}

}  // namespace

nb::object squares_of(const Position& position, u128 squares) {
    const int stride = position.height() + 1;
    return tuple_of(each(squares), [stride](int bit) { return std::pair(bit / stride, bit % stride); });
}

void add_position(nb::module_& module) {
    Class<Rules> rules(module, "Rules",
                       [](Int<-most_integer, most_integer, long long> connect, bool wrap, bool misere,
                          bool pop) { return make_rules(connect, wrap, misere, pop); });
    add_identity(rules);
    rules.def("__str__", plain<&Rules::text>)
        .def("__getstate__", plain<&Rules::text>)
        .set_state(
            [](nb::handle state) { return Rules::parse(Reads<std::u32string>::from(state, "rules")); })
        .def_static("parse", [](const std::u32string& text) { return Rules::parse(text); })
        .get("connect", [](const Rules& self) { return int{self.connect}; })
        .gets<&Rules::wrap, &Rules::misere, &Rules::pop, &Rules::is_standard>("wrap", "misere", "pop",
                                                                              "is_standard");

    Class<Position> position(module, "Position", [](nb::handle moves, const RuledBoard& board) {
        if (!PyUnicode_Check(moves.ptr()))
            wrong_type("moves", "a str of 1-based columns (see Position.from_columns for ints)", moves);
        return play_text(board, Reads<std::u32string>::from(moves, "moves"));
    });
    add_identity(position);
    position.def("__str__", plain<&Position::diagram>)
        .def("__getstate__",
             [](const Position& self) {
                 if (!self.rules().is_standard()) return nb::object(nb::cast(self.rows()));
                 return nb::object(
                     nb::cast(std::tuple(self.first(), self.second(), self.width(), self.height())));
             })
        .set_state([](nb::handle state) {
            if (PyUnicode_Check(state.ptr()))
                return Position::from_rows(Reads<std::u32string>::from(state, "rows"));
            if (!PyTuple_Check(state.ptr()) || nb::len(state) != 4)
                throw InvalidPositionError("error.no_state");
            return from_bitboards(Reads<u128>::from(state[0], "first"),
                                  Reads<u128>::from(state[1], "second"),
                                  Reads<RuledBoard>::from(state[2], state[3]));
        })
        .def("_repr_svg_", [](nb::handle self) { return drawn_by("position_svg", self); })
        .def_static("from_columns", plain<&from_columns>)
        .def_static("from_grid", plain<&from_grid>)
        .def_static("from_rows", [](const std::u32string& rows) { return Position::from_rows(rows); })
        .def_static("from_bitboards", plain<&from_bitboards>)
        .def("play",
             [](const Position& self, Rest columns) {
                 Position result = self;
                 for (Py_ssize_t i = 0; i < columns.count; ++i)
                     result = after(result, as_integer(columns.values[i], "column"));
                 return result;
             })
        .def("refusal",
             [](const Position& self, nb::handle value) {
                 const nb::object integer = as_integer(value, "column");
                 const auto column = small_integer(integer);
                 if (!column) return to_python(off_the_board(self, integer), integer);
                 const auto error = self.refusal(*column);
                 return error ? to_python(*error) : nb::none();
             })
        .def("children",
             [](const Position& self) {
                 std::map<int, Position> children;
                 for (const int column : each(self.legal_columns()))
                     children.emplace(column, self.play(column));
                 return children;
             })
        .def("can_play",
             [](const Position& self, nb::handle column) {
                 const auto number = small_integer(as_integer(column, "column"));
                 return number && self.can_play(*number);
             })
        .def("at",
             [](const Position& self, nb::handle column, nb::handle row) {
                 const int x = index_in(column, "column", self.width());
                 return self.at(x, index_in(row, "row", self.height()));
             })
        .def("is_column_full",
             [](const Position& self, nb::handle column) {
                 return self.is_column_full(index_in(column, "column", self.width()));
             })
        .def("winning_columns",
             [](const Position& self, std::optional<Player> player) {
                 return Columns{self.winning_columns(player ? *player : self.turn())};
             })
        .def("threats",
             [](const Position& self, Player player) { return squares_of(self, self.threats(player)); })
        .def("mirror", plain<&Position::mirror>)
        .def("to_grid", plain<&to_grid>)
        .def("planes", plain<&planes_of>)
        .def("to_rows", plain<&Position::rows>)
        .def("move_name",
             [](const Position& self, nb::handle move) {
                 const int moves = self.rules().pop ? 2 * self.width() + 1 : self.width();
                 return self.move_name(index_in(move, "move", moves));
             })
        .get("rules", plain<&Position::rules>)
        .gets<&Position::width, &Position::height, &Position::ply, &Position::turn>("width", "height",
                                                                                    "ply", "turn")
        .gets<&Position::is_over, &Position::is_draw, &Position::is_full>("is_over", "is_draw",
                                                                          "is_full")
        .gets<&Position::key, &Position::canonical_key>("key", "canonical_key")
        .get("winner", [](const Position& self) { return somebody(self.winner()); })
        .get("highest_score",
             [](const Position& self) { return highest_score(self.cells(), self.rules().connect); })
        .get("final_score", plain<&final_score>)
        .get("columns_from_center",
             [](const Position& self) { return tuple_of(columns_from_center(self.width())); })
        .get("legal_columns", [](const Position& self) { return Columns{self.legal_columns()}; })
        .get("winning_squares",
             [](const Position& self) { return squares_of(self, self.winning_squares()); })
        .get("heights",
             [](const Position& self) {
                 return by_column(self, [&](int column) { return self.column_height(column); });
             })
        .get("peaks",
             [](const Position& self) {
                 return by_column(self, [&](int column) {
                     return column * (self.height() + 1) + self.column_height(column);
                 });
             })
        .get("bitboards", [](const Position& self) { return std::pair(self.first(), self.second()); });

    Module(module)
        .def("parse_moves", [](const std::u32string& text, Int<1, widest_board> width,
                               bool pop) { return parse_moves(text, width, pop); })
        .def("play_moves",
             [](const Position& start, const std::u32string& moves) {
                 std::vector<std::pair<int, Position>> steps;
                 for (const Step& step : play_steps(start, moves))
                     steps.emplace_back(step.column, step.position);
                 return steps;
             })
        .def("quote", plain<&quote>);
}

}  // namespace fourcast::bindings
