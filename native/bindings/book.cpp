// The opening book.
#include "book/book_file.hpp"

#include <nanobind/stl/shared_ptr.h>

#include <ranges>

#include "convert.hpp"

namespace fourcast::bindings {

/// Millions of positions, of which Python sees those that it asks for.
struct PositionList {
    std::vector<Position> positions;

    nb::object item(nb::handle index) const {
        if (!PySlice_Check(index.ptr())) {
            const Py_ssize_t size = static_cast<Py_ssize_t>(positions.size());
            const auto wanted = small_integer(as_integer(index, "index"));
            if (!wanted || *wanted < -size || *wanted >= size)
                raise(PyExc_IndexError, "PositionList index out of range");
            return nb::cast(
                Position(positions[static_cast<std::size_t>(*wanted + (*wanted < 0 ? size : 0))]));
        }
        const auto [start, stop, step, length] = nb::borrow<nb::slice>(index).compute(positions.size());
        nb::list chosen;
        for (std::size_t i = 0; i < length; ++i)
            chosen.append(nb::cast(Position(positions[start + i * static_cast<std::size_t>(step)])));
        return chosen;
    }
};
template <>
inline constexpr const char* called<PositionList> = "a list of book_positions";

void add_book(nb::module_& module) {
    Class<Book>(
        module, "Book",
        [](const std::filesystem::path& path) { return std::const_pointer_cast<Book>(open_book(path)); })
        .gets<&Book::width, &Book::height, &Book::plies, &Book::bytes>("width", "height", "plies",
                                                                       "bytes")
        .get("line_plies",
             [](const Book& self) {
                 return self.lines() ? std::optional(self.lines()->scope().roots) : std::nullopt;
             })
        .get("counts",
             [](const Book& self) {
                 return tuple_of(std::views::iota(0, self.plies() + 1),
                                 [&](int ply) { return self.positions(ply); });
             })
        .def("__len__", [](const Book& self) { return self.positions(); })
        .def("__contains__",
             [](const Book& self, const Position& position) { return self.covers(position); })
        .def("score",
             [](const Book& self, const Position& position) {
                 if (self.covers(position)) return self.score(position);
                 raise(PyExc_KeyError,
                       text("the book covers positions of ", self.width(), "x", self.height(),
                            " by the standard rules with up to ", self.plies(),
                            " discs that are not over, and no position that no order of moves leads to; "
                            "not\n",
                            position.rules().is_standard() ? position.diagram() : position.rows()));
             })
        .def("__repr__", [](const Book& self) {
            return text("<Book ", self.width(), "x", self.height(), ", ", self.plies(), " plies, ",
                        self.positions(), " positions>");
        });
    Class<PositionList>(module, "PositionList")
        .def("__len__", [](const PositionList& self) { return self.positions.size(); })
        .def("__getitem__", [](const PositionList& self, nb::handle index) { return self.item(index); })
        .def("__iter__", [](nb::handle self) { return checked(PySeqIter_New(self.ptr())); });
    Module(module)
        .work("book_positions",
              [](Int<0, Book::max_plies> ply, const Board& board) {
                  return PositionList{book_positions(board.width(), board.height(), ply, check_signals)};
              })
        .work("write_book",
              [](const std::filesystem::path& path, const PositionList& positions,
                 const std::vector<int>& scores) {
                  write_book(path, positions.positions, scores, check_signals);
              })
        .work("write_line_book",
              [](const std::filesystem::path& path, Int<0, max_bits> roots, Int<0, max_bits> first,
                 Int<0, max_bits> last, const std::vector<Position>& positions,
                 const std::vector<int>& choices) {
                  write_line_book(path, roots, first, last, positions, choices, check_signals);
              });
}

}  // namespace fourcast::bindings
